//! Packages: their names, and which of their parts the tests leave out. The package of rjvm's name on crates.io is another
//! project: a user who installs it from there builds a stranger's code.

use super::{assert_none, files, rust_files};

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
        if package.contains("name = \"rjvm\"") {
            bad.push(file.path);
        }
    }
    assert!(packages > 10, "{packages} manifests");
    assert_none("packages named rjvm", bad);
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
    let mut bad = Vec::new();
    for file in rust_files() {
        if untested_places.iter().any(|p| file.path.starts_with(p)) {
            bad.extend(file.lines_where(|line| line.trim() == concat!("#[", "test]")));
        }
    }
    assert_none("tests that nobody builds (`test = false`)", bad);
}
