//! The package of rjvm's name on crates.io is another project: whoever asks for it there builds a stranger's code.

use super::{assert_none, files, root};

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
        let past = ["CHANGELOG.md", "tests/tidy_package.rs"];
        if !past.contains(&&*file.path) {
            places.extend(file.lines_where(|line| advice.iter().any(|a| line.contains(a))));
        }
    }
    assert_none("names a package of crates.io", places);
}

#[test]
fn the_package_is_not_published_under_another_projects_name() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    let package = manifest.split("[package]").nth(1).expect("a package");
    let package = package.split("\n[").next().unwrap_or_default();
    assert!(package.contains("publish = false"), "{package}");
}
