//! Files of a crate that import each other: how large the largest circle of each crate is.

use super::{File, rust_files};
use std::collections::{BTreeMap, BTreeSet};

/// Crates, and the files of their largest circle. A circle may shrink, and then its number here does; it may not grow.
/// Crates that are not listed may have circles of two or three files, as [`SMALL`] says.
const CIRCLES: [(&str, usize); 6] = [
    ("vm", 7),
    ("profiler", 7),
    ("crates/rjvm", 9),
    ("crates/probes", 4),
    ("crates/hosts", 6),
    ("jdk-stubs", 10),
];

/// Files that may import each other anywhere.
const SMALL: usize = 3;

/// A module, as its path within the crate.
pub type Module = Vec<String>;

/// The modules of a crate, and which others each imports. Who imports a name that a module takes from another imports
/// that other one; a crate's root is nobody's import.
fn imports(files: &[(Module, String)]) -> BTreeMap<Module, BTreeSet<Module>> {
    let modules: BTreeSet<&Module> = files.iter().map(|f| &f.0).collect();
    let mut again: BTreeMap<(Module, String), Module> = BTreeMap::new();
    for (module, text) in files {
        for (path, name) in uses(text, true) {
            if let Some(path) = absolute(module, &path, &modules) {
                again.insert((module.clone(), name), path);
            }
        }
    }
    let resolve = |mut path: Module| -> Option<Module> {
        // names that are taken from module to module, and not for ever
        for _ in 0..8 {
            let n = (0..=path.len())
                .rev()
                .find(|&n| modules.contains(&path[..n].to_vec()))?;
            let module = path[..n].to_vec();
            let key = path.get(n).map(|name| (module.clone(), name.clone()));
            match key.and_then(|key| again.get(&key)) {
                None => return Some(module),
                Some(of) => path = [&of[..], &path[n + 1..]].concat(),
            }
        }
        None
    };
    let mut found = BTreeMap::new();
    for (module, text) in files {
        let paths = uses(text, false)
            .into_iter()
            .map(|u| u.0)
            .chain(paths(text));
        let all = paths.filter_map(|p| resolve(absolute(module, &p, &modules)?));
        let others = all.filter(|m| m != module && !m.is_empty()).collect();
        found.insert(module.clone(), others);
    }
    found
}

/// The path from the crate's root; `None` if it leads elsewhere.
fn absolute(module: &Module, path: &[String], modules: &BTreeSet<&Module>) -> Option<Module> {
    let above = path.iter().take_while(|s| *s == "super").count();
    Some(match path.first()?.as_str() {
        "crate" => path[1..].to_vec(),
        "self" => [module, &path[1..]].concat(),
        "super" => {
            let up = module.len().checked_sub(above)?;
            [&module[..up], &path[above..]].concat()
        }
        child => {
            let of_child = [&module[..], &[child.to_string()]].concat();
            modules
                .contains(&of_child)
                .then(|| [module, path].concat())?
        }
    })
}

/// What `use` names: each path, and the name it has then. `exported`: those of `pub use`, or the others.
pub fn uses(text: &str, exported: bool) -> Vec<(Module, String)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("use ") {
        let before = text[..at]
            .rsplit(['\n', ';', '{', '}'])
            .next()
            .unwrap_or("");
        let before = before.trim();
        if !(before.is_empty() || before.starts_with("pub"))
            || before.starts_with("pub") != exported
        {
            continue;
        }
        let group: String = text[at + 4..]
            .split(';')
            .next()
            .unwrap_or("")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        spread("", &group, &mut found);
    }
    found
}

/// The paths of a group: `a::{b, c::d as e}`.
fn spread(prefix: &str, group: &str, to: &mut Vec<(Module, String)>) {
    let (mut depth, mut begin) = (0, 0);
    let ends: Vec<usize> = group
        .char_indices()
        .filter(|&(_, c)| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && depth == 0
        })
        .map(|(i, _)| i)
        .chain([group.len()])
        .collect();
    for end in ends {
        let part = group[begin..end].trim();
        begin = (end + 1).min(group.len());
        if part.is_empty() {
            continue;
        }
        if let Some((head, rest)) = part.split_once('{') {
            let inner = rest.rsplit_once('}').map_or(rest, |r| r.0);
            spread(&format!("{prefix}{head}"), inner, to);
            continue;
        }
        let (path, name) = match part.split_once(" as ") {
            Some((path, name)) => (path, Some(name.to_string())),
            None => (part, None),
        };
        let path: Module = format!("{prefix}{path}")
            .split("::")
            .map(|s| s.trim().to_string())
            .collect();
        let name = name.or_else(|| path.last().cloned()).unwrap_or_default();
        to.push((path, name));
    }
}

/// Paths in the code that begin with `crate`, `super` or `self`.
pub fn paths(text: &str) -> Vec<Module> {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = text.split(|c| !word(c));
    let paths = words.filter(|w| {
        ["crate::", "super::", "self::"]
            .iter()
            .any(|p| w.starts_with(p))
    });
    paths
        .map(|w| {
            w.split("::")
                .map(str::to_string)
                .filter(|s| !s.is_empty())
                .collect()
        })
        .collect()
}

/// All modules that one leads to, itself included.
fn reached<'a>(
    imports: &'a BTreeMap<Module, BTreeSet<Module>>,
    from: &'a Module,
) -> BTreeSet<&'a Module> {
    let (mut seen, mut todo) = (BTreeSet::from([from]), vec![from]);
    while let Some(next) = todo.pop() {
        for other in imports.get(next).into_iter().flatten() {
            if seen.insert(other) {
                todo.push(other);
            }
        }
    }
    seen
}

/// The largest set of modules of which each leads to each other one.
fn largest_circle(imports: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<&Module> {
    let all: BTreeMap<&Module, BTreeSet<&Module>> =
        imports.keys().map(|m| (m, reached(imports, m))).collect();
    let mut largest = Vec::new();
    for (module, leads_to) in &all {
        let back = |other: &&Module| all.get(*other).is_some_and(|r| r.contains(*module));
        let circle: Vec<&Module> = leads_to.iter().copied().filter(|m| back(m)).collect();
        if circle.len() > largest.len() {
            largest = circle;
        }
    }
    largest
}

/// The modules of a crate's `src` without their tests and comments.
fn modules(of: &[File], room: &str) -> Vec<(Module, String)> {
    let prefix = format!("{room}/src/");
    let mut found = Vec::new();
    for file in of {
        let Some(path) = file
            .path
            .strip_prefix(&prefix)
            .and_then(|p| p.strip_suffix(".rs"))
        else {
            continue;
        };
        let mut module: Module = path.split('/').map(str::to_string).collect();
        if module.iter().any(|m| m == "tests") {
            continue;
        }
        if module.last().is_some_and(|m| m == "mod") || ["lib", "main"].contains(&path) {
            module.pop();
        }
        let code = file
            .text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or("");
        let code = code
            .lines()
            .map(|l| l.split("//").next().unwrap_or("").to_string() + "\n");
        found.push((module, code.collect()));
    }
    found
}

#[test]
fn circles_of_files_do_not_grow() {
    let made = [
        ("a", "use crate::b::X;\npub use c::Y;"),
        ("a/c", ""),
        ("b", "use crate::{a::Y, d};"),
        ("d", "fn f() { super::b::g() }"),
    ];
    let made: Vec<(Module, String)> = made
        .iter()
        .map(|(m, t)| (m.split('/').map(str::to_string).collect(), t.to_string()))
        .collect();
    let found = imports(&made);
    let names = |modules: Vec<&Module>| modules.iter().map(|m| m.join("::")).collect::<Vec<_>>();
    // who asks a for what a has from c imports c
    assert_eq!(names(found[&made[2].0].iter().collect()), ["a::c", "d"]);
    assert_eq!(names(largest_circle(&found)), ["b", "d"]);

    let files = rust_files();
    let manifests: BTreeSet<String> = files
        .iter()
        .filter_map(|f| Some(f.path.split_once("/src/")?.0.to_string()))
        .filter(|room| !room.starts_with("benches") && !room.contains("tests"))
        .collect();
    assert!(manifests.len() > 10 && CIRCLES.iter().all(|(room, _)| manifests.contains(*room)));
    let mut wrong = Vec::new();
    for room in &manifests {
        let listed = CIRCLES.iter().find(|(of, _)| of == room).map(|c| c.1);
        let graph = imports(&modules(&files, room));
        let circle = largest_circle(&graph);
        match listed {
            Some(most) if circle.len() < most => {
                wrong.push(format!(
                    "{room}: only {} files now, not {most}: say so in CIRCLES",
                    circle.len()
                ));
            }
            _ if circle.len() <= listed.unwrap_or(SMALL) => {}
            _ => wrong.push(format!(
                "{room}: {} files: {}",
                circle.len(),
                names(circle).join(" ")
            )),
        }
    }
    assert!(wrong.is_empty(), "circles of files:\n{}", wrong.join("\n"));
}
