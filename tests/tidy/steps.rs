//! The steps of CI: each has a recipe in the justfile, and each recipe runs a step, a script or cargo.

use super::{assert_none, root};
use std::collections::BTreeSet;

/// The functions of a shell script.
fn functions(script: &str) -> BTreeSet<&str> {
    let names = script.lines().filter_map(|l| l.split_once("() {"));
    let names = names.map(|(name, _)| name);
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    names.filter(|n| n.chars().all(plain)).collect()
}

/// The words of the arrays `daily`, `optimised` and `nightly`.
fn steps(script: &str) -> BTreeSet<&str> {
    let arrays = ["daily=(", "optimised=(", "nightly=("].map(|start| {
        let list = script.lines().find_map(|l| l.strip_prefix(start));
        let list = list.unwrap_or_else(|| panic!("no line {start}"));
        list.trim_end_matches(')').split(' ')
    });
    arrays.into_iter().flatten().collect()
}

/// The recipes of a justfile: name and command.
fn recipes(justfile: &str) -> Vec<(&str, &str)> {
    let lines: Vec<&str> = justfile.lines().collect();
    let pairs = lines.windows(2).filter_map(|pair| {
        let head = pair[0].strip_suffix(':')?;
        let name = head.split(' ').next()?;
        Some((name, pair[1].strip_prefix("    ")?))
    });
    pairs.collect()
}

/// The mistakes in the recipes of a justfile for these steps.
fn mistakes(script: &str, justfile: &str) -> Vec<String> {
    let (steps, functions) = (steps(script), functions(script));
    let groups = ["optimised", "nightly"];
    let recipes = recipes(justfile);
    let mut bad = Vec::new();
    for step in &steps {
        if !functions.contains(step) {
            bad.push(format!(".ci/run: no function {step}"));
        }
        if !recipes.contains(&(*step, &*format!(".ci/run {step}"))) {
            bad.push(format!("justfile: no recipe {step} with the step"));
        }
    }
    for (name, command) in recipes {
        match command.split_once(' ').unwrap_or((command, "")) {
            (".ci/run", step) if step == name => {
                if !steps.contains(step) && !groups.contains(&step) {
                    bad.push(format!("justfile: {name}: no step {step}"));
                }
            }
            (".ci/run" | "./test.sh", arguments) if arguments.starts_with("{{") => {}
            ("./try.sh" | "cargo" | "@just", _) => {}
            _ => bad.push(format!("justfile: {name}: {command}")),
        }
    }
    bad
}

#[test]
fn wrong_recipes_are_found() {
    let script = "fmt() { cargo fmt; }\ndaily=(fmt)\noptimised=(guard)\nnightly=(fmt)\n";
    let justfile = "fmt:\n    .ci/run fmt\n\nbook:\n    .ci/run book\n";
    assert_eq!(
        mistakes(script, justfile),
        [
            ".ci/run: no function guard",
            "justfile: no recipe guard with the step",
            "justfile: book: no step book"
        ]
    );
}

#[test]
fn each_step_has_a_recipe() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("it is there");
    let (script, justfile) = (read(".ci/run"), read("justfile"));
    assert!(steps(&script).len() > 20, "{:?}", steps(&script));
    assert!(recipes(&justfile).len() > 25, "{:?}", recipes(&justfile));
    assert_none("steps and recipes", mistakes(&script, &justfile));
}

/// The table of nightly steps in CONTRIBUTING.md has exactly the nightly steps.
#[test]
fn contributors_find_each_nightly_step() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("it is there");
    let (script, page) = (read(".ci/run"), read("CONTRIBUTING.md"));
    let nightly = script.lines().find_map(|l| l.strip_prefix("nightly=("));
    let nightly = nightly.expect("an array").trim_end_matches(')').split(' ');
    let rows = |step: &&str| !page.contains(&format!("\n| `{step}` | "));
    let missing = nightly.filter(rows).map(str::to_string).collect();
    assert_none("nightly steps without a row in CONTRIBUTING.md", missing);
}
