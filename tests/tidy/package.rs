//! The package of rjvm's name on crates.io is another project: a user who installs it from there builds a stranger's code.

use super::{assert_none, files};

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
