//! The rooms of `vm/src`, and the directions in which they may import each other.

use super::cycles::{paths, uses};
use super::{assert_none, root, rust_files};
use std::collections::{BTreeMap, BTreeSet};

/// The rooms of `vm/src`, from the bottom up, and those that each may import. Those of [`CIRCLE`] import each other too.
/// This is what ARCHITECTURE.md draws.
const ROOMS: [(&str, &[&str]); 31] = [
    // below the VM: they know no `Vm`
    ("ids", &[]),
    ("prim", &[]),
    ("versions", &[]),
    ("value", &["ids"]),
    ("symbols", &["ids"]),
    ("classpath", &["versions"]),
    ("offheap", &["prim"]),
    ("host", &["offheap"]),
    ("cancel", &["host"]),
    ("fault", &[]),
    ("jdk", &["ids", "versions", "classpath"]),
    ("modules", &["ids"]),
    ("strings", &["ids"]),
    ("verify", &[]),
    // the VM
    ("throw", BELOW),
    ("natives", BELOW),
    ("heap", BELOW),
    ("classes", BELOW),
    ("threads", BELOW),
    ("interp", BELOW),
    ("events", BELOW),
    ("instruments", BELOW),
    ("vm", BELOW),
    // what is built on it: nothing of the VM imports them
    ("debug", BELOW),
    ("inspect", BELOW),
    ("npe", BELOW),
    ("services", BELOW),
    ("state", BELOW),
    ("sysprops", BELOW),
    ("boot", BELOW),
    ("startup", BELOW),
];
const BELOW: &[&str] = &[
    "ids",
    "prim",
    "versions",
    "value",
    "symbols",
    "classpath",
    "offheap",
    "host",
    "cancel",
    "fault",
    "jdk",
    "modules",
    "strings",
    "verify",
];
const CIRCLE: [&str; 9] = [
    "throw",
    "natives",
    "heap",
    "classes",
    "threads",
    "interp",
    "events",
    "instruments",
    "vm",
];

/// First names of the paths in `text` that begin with `crate::`, with those of groups.
fn imported(text: &str) -> BTreeSet<String> {
    let groups = [true, false].map(|exported| uses(text, exported));
    let used = groups.into_iter().flatten().map(|(path, _)| path);
    used.chain(paths(text))
        .filter(|path| path[0] == "crate")
        .filter_map(|path| path.get(1).cloned())
        .collect()
}

#[test]
fn rooms_of_the_vm_import_in_the_directions_that_are_stated() {
    let group = "use crate::{a, b::{c, d::e}, F};\nlet x = crate::g::H;";
    assert_eq!(
        imported(group),
        BTreeSet::from(["a", "b", "F", "g"].map(str::to_string))
    );

    let may = BTreeMap::from(ROOMS);
    let files = rust_files();
    // what the crate's root names again
    let library = std::fs::read_to_string(root().join("vm/src/lib.rs")).expect("a library");
    let again = |name: &str| {
        let uses = library.lines().filter_map(|l| l.strip_prefix("pub use "));
        let mut names = uses.filter_map(|l| l.split_once("::"));
        let words = |s: &str| s.split(|c: char| !c.is_alphanumeric()).any(|w| w == name);
        names.find(|(_, names)| words(names)).map(|(room, _)| room)
    };
    let rooms: BTreeSet<&str> = library
        .lines()
        .filter_map(|l| {
            l.strip_suffix(';')?
                .rsplit_once("mod ")
                .map(|(_, room)| room)
        })
        .collect();
    let listed: BTreeSet<&str> = ROOMS.iter().map(|r| r.0).collect();
    assert_eq!(rooms, listed, "rooms of vm/src, and those of the table");

    let (mut bad, mut used) = (Vec::new(), BTreeSet::new());
    for file in &files {
        let Some(path) = file.path.strip_prefix("vm/src/") else {
            continue;
        };
        let tests = path.contains("/tests/") || path.ends_with("/tests.rs") || path == "lib.rs";
        if tests {
            continue;
        }
        let room = path.split(['/', '.']).next().unwrap_or("");
        let code = file.text.split("#[cfg(test)]\nmod tests {").next();
        let code: String = (code.unwrap_or("").lines())
            .map(|l| l.split("//").next().unwrap_or("").to_string() + "\n")
            .collect();
        for name in imported(&code) {
            let other = match rooms.get(&*name) {
                Some(room) => room,
                None => match again(&name) {
                    Some(room) => room,
                    // a macro at the crate's root
                    None => continue,
                },
            };
            let circle = |r| CIRCLE.contains(&r);
            let up = !circle(room) && !BELOW.contains(&room) && circle(other);
            if other == room || up || circle(room) && circle(other) || may[room].contains(&other) {
                used.insert((room, other));
            } else {
                bad.push(format!("{}: {other}", file.path));
            }
        }
    }
    assert!(used.contains(&("host", "offheap")) && used.contains(&("boot", "vm")));
    assert_none("imports against the directions of the rooms", bad);

    // the circle is no larger than it has to be: each room of it leads to each other one
    let mut reached = BTreeSet::from([("vm", "vm")]);
    while let Some(new) = used.iter().find_map(|&(a, b)| {
        let forth = reached.contains(&("vm", a)).then_some(("vm", b));
        let back = reached.contains(&(b, "vm")).then_some((a, "vm"));
        let new = |&p: &(_, _)| !reached.contains(&p);
        forth.filter(new).or(back.filter(new))
    }) {
        reached.insert(new);
    }
    let both = |r: &&str| reached.contains(&("vm", *r)) && reached.contains(&(*r, "vm"));
    let circle: BTreeSet<&str> = listed.iter().copied().filter(both).collect();
    assert_eq!(
        circle,
        BTreeSet::from(CIRCLE),
        "the circle and what it is said to be"
    );
}
