//! `rjvm --probe=help`: the language on a page, from the tables with which it is read.

use crate::builtins::{ACTIONS, FUNCTIONS, GATHERS, Ty};
use crate::limits::Limits;
use crate::names::NAMES;
use crate::points::POINTS;

/// The language on a page.
pub fn help() -> String {
    let mut out = String::from(
        "Probes: questions about a running program.\n\n  \
         point[, point...] [/predicate/] [{ action; ... }]\n\n  \
         rjvm --probe='around:com.x.Db::query { @[arg0] = quantiles(elapsed) }' Main\n  \
         rjvm --probe='alloc:byte[] /length > 1000/ { @[ustack(3)] = sum(bytes) }' Main\n\n\
         Without actions, a probe counts its hits. rjvm prints the results at the end, largest first.\n",
    );
    let mut table = |title: &str, rows: Vec<(String, &str)>| {
        out.push_str(&format!("\n{title}:\n"));
        for (name, about) in rows {
            if name.len() > 22 {
                out.push_str(&format!("  {name}\n  {:22}  {about}\n", ""));
            } else {
                out.push_str(&format!("  {name:22}  {about}\n"));
            }
        }
    };
    table(
        "Points",
        POINTS
            .iter()
            .map(|(_, shape, about)| ((*shape).to_owned(), *about))
            .collect(),
    );
    table(
        "Patterns",
        [
            (
                "com.x.Shape",
                "methods of a class (or the class, or its fields)",
            ),
            (
                "com.x.*, com.x..",
                "a package; a package and its subpackages",
            ),
            (
                "com.x.Shape+",
                "a class and all classes that extend or implement it",
            ),
            (
                "com.x.Shape::area",
                "methods by name; * matches any characters",
            ),
            (
                "..::area(int,String)",
                "methods by parameters: .. matches any number, * one of any type",
            ),
            ("..::area(ID)D", "methods by descriptor"),
            (
                "com.x..@Test",
                "annotated methods, and methods of annotated classes",
            ),
            ("byte[]", "array classes"),
        ]
        .map(|(a, b)| (a.to_owned(), b))
        .to_vec(),
    );
    let mut names: Vec<(String, &str)> = vec![
        (
            "arg0, arg1...".into(),
            "arguments without this; at an exit as they were at entry",
        ),
        (
            "elapsed".into(),
            "bytecodes since entry, callees included; elapsed.allocated, .wall, .cpu",
        ),
    ];
    names.extend(NAMES.iter().map(|n| (n.name.to_owned(), n.about)));
    table("Values", names);
    table(
        "Functions",
        FUNCTIONS
            .iter()
            .map(|f| {
                let letters = ["s", "t", "u"];
                let parameters: Vec<String> = f
                    .parameters
                    .iter()
                    .enumerate()
                    .map(|(i, ty)| match ty {
                        Ty::Int | Ty::Float => if i > 1 { "m" } else { "n" }.to_owned(),
                        Ty::Str => letters[i.min(2)].to_owned(),
                        _ => "x".to_owned(),
                    })
                    .collect();
                let (needed, optional) = parameters.split_at(parameters.len() - f.optional);
                let optional: String = optional.iter().map(|p| format!("[, {p}]")).collect();
                (
                    format!("{}({}{optional})", f.name, needed.join(", ")),
                    f.about,
                )
            })
            .collect(),
    );
    table(
        "Gathering: @map[key, ...] = ",
        GATHERS
            .iter()
            .map(|(name, _, count, about)| {
                let shape = match count {
                    0 => format!("{name}()"),
                    1 => format!("{name}(n)"),
                    _ => format!("{name}(n, from, to, step)"),
                };
                (shape, *about)
            })
            .collect(),
    );
    let mut actions: Vec<(String, &str)> = vec![
        (
            "@m[k] = x, +=, ++".into(),
            "keeps a value, shared by all threads",
        ),
        ("$x = x".into(), "keeps a value for the running thread"),
        (
            "if (x) {...} else {...}".into(),
            "chooses; there are no loops",
        ),
    ];
    actions.extend(
        ACTIONS
            .iter()
            .map(|(name, about)| (format!("{name}(...)"), *about)),
    );
    table("Actions", actions);
    let limits = Limits::default();
    out.push_str(&format!(
        "\nLimits (--probe-limits=keys=N,...): keys={} of a map, string={} characters, memory={}\nbytes, frames={} of a stack, lines={} printed, entries={} of methods remembered.\n",
        limits.keys, limits.string, limits.memory, limits.frames, limits.lines, limits.entries
    ));
    out
}
