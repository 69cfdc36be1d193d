//! Packages: their names, and which of their parts the tests leave out. The package of rjvm's name on crates.io is another
//! project: a user who installs it from there builds a stranger's code.

use super::{assert_none, files, root, rust_files};
use std::collections::BTreeSet;
use std::process::Command;

#[test]
fn nobody_is_sent_to_another_projects_package() {
    let advice = [
        "rjvm = \"",
        "rjvm@",
        "rjvm = { version",
        "cargo add rjvm",
        "cargo install rjvm",
        "cargo install --locked rjvm",
    ];
    let mut places = Vec::new();
    for file in files() {
        // what has been said before, and this
        let past = ["CHANGELOG.md", "tests/tidy/package.rs"];
        if !past.contains(&&*file.path) {
            places.extend(file.lines_where(|line| advice.iter().any(|a| line.contains(a))));
        }
    }
    assert_none("names a package of crates.io", places);
}

#[test]
fn no_package_has_another_projects_name() {
    let manifests = files()
        .into_iter()
        .filter(|f| f.path.ends_with("Cargo.toml"));
    let (mut bad, mut packages) = (Vec::new(), 0);
    for file in manifests {
        let package = file.text.split("[package]").nth(1).unwrap_or_default();
        let package = package.split("\n[").next().unwrap_or_default();
        packages += usize::from(!package.is_empty());
        // names that begin so are free
        if !package.is_empty() && !package.contains("\nname = \"rjvm-") {
            bad.push(file.path);
        }
    }
    assert!(packages > 10, "{packages} manifests");
    assert_none("packages whose names do not begin with rjvm-", bad);
}

/// Each place that a manifest leaves out of the tests: a file, or a folder with a slash behind.
fn untested(manifest: &str, text: &str) -> Vec<String> {
    let folder = manifest.strip_suffix("Cargo.toml").unwrap_or(manifest);
    let sections = text.split("\n[").filter(|s| s.contains("\ntest = false"));
    sections
        .map(|section| {
            let path = section.lines().find_map(|l| l.strip_prefix("path = \""));
            let path = path.map_or("src/", |p| p.trim_end_matches('"'));
            format!("{folder}{path}")
        })
        .collect()
}

#[test]
fn what_is_not_built_for_tests_has_none() {
    let text = "[package]\n[lib]\nname = \"x\"\ntest = false\n\n[[bin]]\npath = \"b.rs\"\ntest = false\n[[bin]]\npath = \"c.rs\"\n";
    assert_eq!(untested("a/Cargo.toml", text), ["a/src/", "a/b.rs"]);
    let mut untested_places = Vec::new();
    for file in files() {
        if file.path.ends_with("Cargo.toml") {
            untested_places.extend(untested(&file.path, &file.text));
        }
    }
    assert!(untested_places.len() > 4, "{untested_places:?}");
    // unit tests that are a step of their own, since their crates take long to build
    let steps = std::fs::read_to_string(root().join(".ci/run")).expect("a script");
    let units = |line: &&str| line.contains("cargo test") && line.contains(" --lib");
    let line = steps.lines().find(units).expect("the step `units`");
    for (name, folder) in [("rjvm-vm", "vm/src/"), ("rjvm-cli", "crates/cli/src/")] {
        assert!(line.contains(&format!(" -p {name} ")), "{name}: {line}");
        untested_places.retain(|p| p != folder);
    }
    let mut bad = Vec::new();
    for file in rust_files() {
        if untested_places.iter().any(|p| file.path.starts_with(p)) {
            bad.extend(file.lines_where(|line| line.trim() == concat!("#[", "test]")));
        }
    }
    assert_none("tests that nobody builds (`test = false`)", bad);
}

/// Each crate without `unsafe` forbids it, so that it stays so.
#[test]
fn crates_without_unsafe_forbid_it() {
    let sources = rust_files();
    let roots = sources.iter().filter(|f| f.path.ends_with("src/lib.rs"));
    let roots = roots.filter(|f| !f.path.starts_with("fuzz/") && !f.path.starts_with("benches/"));
    let (mut bad, mut crates) = (Vec::new(), 0);
    for lib in roots {
        crates += 1;
        let folder = lib.path.strip_suffix("lib.rs").unwrap_or_default();
        let opens = |line: &str| {
            let code = line.split("//").next().unwrap_or_default();
            [" {", " fn", " impl", " extern", "(no_mangle)"]
                .iter()
                .any(|what| code.contains(&format!("unsafe{what}")))
        };
        let of_crate = sources.iter().filter(|f| f.path.starts_with(folder));
        let is_unsafe = of_crate.into_iter().any(|f| f.text.lines().any(opens));
        if !is_unsafe && !lib.text.contains("#![forbid(unsafe_code)]") {
            bad.push(lib.path.clone());
        }
    }
    assert!(crates > 12, "{crates} crates");
    assert_none("has no unsafe code, and does not forbid it", bad);
}

/// The crates that an embedder builds beside the library itself, build dependencies included.
const MOST_CRATES: usize = 40;

#[test]
fn embedders_build_few_crates() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tree = Command::new(cargo)
        .args(["tree", "--package=rjvm-embed", "--edges=normal,build"])
        .args(["--prefix=none", "--locked", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&tree.stderr);
    assert!(tree.status.success(), "{errors}");
    let text = String::from_utf8_lossy(&tree.stdout);
    let words = text.lines().map(|l| l.split(' ').take(2).collect());
    let crates: BTreeSet<Vec<&str>> = words.collect();
    let n = crates.len() - 1;
    assert!((10..=MOST_CRATES).contains(&n), "{n} crates: {crates:?}");
}

/// A run of the examples of a crate that has none takes as long as one of a crate that has some.
#[test]
fn examples_in_documentation_run_where_there_are_some() {
    let text = |path: &str| std::fs::read_to_string(root().join(path)).expect("a manifest");
    let manifests = files().into_iter().map(|f| f.path);
    let crates = manifests.filter_map(|p| p.strip_suffix("/Cargo.toml").map(str::to_owned));
    let (sources, mut wrong) = (rust_files(), Vec::new());
    for folder in crates.filter(|c| root().join(c).join("src/lib.rs").is_file()) {
        let below = format!("{folder}/src/");
        let own = sources.iter().filter(|f| f.path.starts_with(&below));
        let example = |line: &str| {
            let line = line.trim_start();
            let doc = line
                .strip_prefix("///")
                .or_else(|| line.strip_prefix("//!"));
            doc.is_some_and(|d| d.trim_start().starts_with("```"))
                || line.contains("doc = include_str!")
        };
        let has = own.flat_map(|f| f.lines_where(example)).next().is_some();
        let runs = !text(&format!("{folder}/Cargo.toml")).contains("doctest = false");
        if has != runs {
            wrong.push(format!("{folder}: examples {has}, run {runs}"));
        }
    }
    assert_none("crates with `doctest` set wrongly", wrong);
}
