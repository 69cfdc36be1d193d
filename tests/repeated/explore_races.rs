//! `rjvm explore --races`: data races are reported with both stacks; programs that have none by construction have none.

use crate::common;
use crate::common::explored::{explore, folder};
use crate::common::tool::rjvm;
use crate::common::{jdk, tests_dir};
use std::path::Path;

#[test]
fn data_races_are_found_with_both_stacks() {
    let dir = folder("Racy");
    let (out, err, code) = explore(&dir, &["--races", "--iterations=20"], &["Racy"]);
    assert_eq!((code, &err[..]), (1, ""), "{out}");
    let all: Vec<&str> = out.lines().filter(|l| l.starts_with("data race")).collect();
    assert_eq!(all.len(), 2, "{out}");
    let says = [
        "data race on Racy.plain in",
        "data race on Racy.late in",
        "\"writer\" (thread 4) writes it",
        "\"reader\" (thread 5) reads it",
        "at Racy.lambda$main$0(Racy.java:",
    ];
    for s in says {
        assert!(out.contains(s), "{s}:\n{out}");
    }
    // the thread that is left is alone, but knows nothing of what the other one did
    let (out, _, code) = explore(&dir, &["--races", "--iterations=1"], &["LastAlone"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("data race on LastAlone.value"), "{out}");
    // locks, volatile variables, atomic ones, latches, start and join order what they should
    let (out, _, code) = explore(&dir, &["--races", "--iterations=20"], &["Counted"]);
    assert_eq!(code, 0, "{out}");
    assert!(!out.contains("data race"), "{out}");
}

#[test]
fn programs_without_races_have_none() {
    let sources = common::files_with_extension(&tests_dir().join("explore/free"), "java");
    assert!(sources.len() >= 15);
    let classes = jdk::compile("explore-free", &sources, &[], Path::new("none"));
    let dir = folder("free");
    for source in sources {
        let name = source.file_stem().expect("a name").to_string_lossy();
        let path = classes.to_str().expect("a name");
        let several = if common::all() { [40, 15] } else { [8, 3] };
        for (memory, iterations) in ["sc", "jmm"].into_iter().zip(several) {
            let memory = format!("--memory={memory}");
            let iterations = format!("--iterations={iterations}");
            let line = [
                "explore",
                "--races",
                &memory,
                &iterations,
                "-cp",
                path,
                &name,
            ];
            let (out, err, code) = rjvm(&dir, &line);
            assert_eq!((code, &err[..]), (0, ""), "{memory}: {out}");
            assert!(!out.contains("data race on"), "{memory}: {out}");
        }
    }
}
