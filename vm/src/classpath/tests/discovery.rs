//! Finding a JDK, and saying clearly that there is none.

use super::{TempFolder, jdk};
use crate::classpath::*;

/// A folder that looks like a JDK of the given version.
fn fake(temp: &TempFolder, name: &str, version: &str) -> PathBuf {
    temp.write(&format!("{name}/lib/modules"), b"");
    let release =
        format!("IMPLEMENTOR=\"Somebody\"\nJAVA_VERSION=\"{version}\"\nMODULES=\"a b\"\n");
    temp.write(&format!("{name}/release"), release);
    temp.write(&format!("{name}/bin/java"), b"");
    temp.path(name)
}

fn message(search: &Search) -> String {
    search.find().unwrap_err().to_string()
}

#[test]
fn versions() {
    for (text, feature) in [
        ("17.0.21.1", Some(17)),
        ("17", Some(17)),
        ("25-ea", Some(25)),
        ("1.8.0_392", Some(8)),
        ("", None),
        ("x", None),
    ] {
        assert_eq!(feature_version(text), feature, "{text}");
    }
}

#[test]
fn the_installed_jdk() {
    let found = jdk();
    assert_eq!(found.feature(), 17);
    assert!(found.version().starts_with("17"));
    assert!(found.release("IMPLEMENTOR").is_some());
    assert!(found.modules().any(|m| m == "java.base"));
    // A runtime without a release file is known by its classes.
    let temp = TempFolder::new("norelease");
    let image = found.home().join("lib/modules");
    std::fs::create_dir_all(temp.path("lib")).unwrap();
    std::os::unix::fs::symlink(image, temp.path("lib/modules")).unwrap();
    let same = Jdk::open(&temp.path(""), FoundBy::Option).unwrap();
    assert_eq!((same.feature(), same.version().as_str()), (17, "17"));
}

#[test]
fn the_order_of_the_search() {
    let temp = TempFolder::new("search");
    let home = |name: &str| fake(&temp, name, "17.0.1");
    let (option, variable, path, folder) = (home("o"), home("v"), home("p"), home("f"));
    let old = fake(&temp, "old", "11.0.2");
    // PATH has a link to the launcher, as package managers set it up.
    std::fs::create_dir_all(temp.path("usr/bin")).unwrap();
    std::os::unix::fs::symlink(path.join("bin/java"), temp.path("usr/bin/java")).unwrap();
    let path_variable =
        std::env::join_paths([temp.path("nothing"), old.join("bin"), temp.path("usr/bin")]);
    let mut search = Search {
        java_home_option: Some(option.clone()),
        java_home: Some(variable.clone().into()),
        path: Some(path_variable.unwrap()),
        homes: vec![old.clone(), temp.path("usr"), folder.clone()],
    };
    let mut expect = |home: &Path, found_by| {
        let jdk = search.find().unwrap();
        assert_eq!((jdk.home(), jdk.found_by()), (home, found_by));
        match found_by {
            FoundBy::Option => search.java_home_option = None,
            FoundBy::JavaHome => search.java_home = Some("".into()),
            FoundBy::Path => search.path = Some(old.join("bin").into()),
            FoundBy::Folder => search.homes.truncate(2),
        }
    };
    expect(&option, FoundBy::Option);
    expect(&variable, FoundBy::JavaHome);
    expect(&path, FoundBy::Path);
    expect(&folder, FoundBy::Folder);
    let error = message(&search);
    assert!(
        error.contains("Java 17, Java 21, Java 25 is needed; there is Java 11.0.2 in "),
        "{error}"
    );
    assert_eq!(error.matches("11.0.2").count(), 1, "{error}");
}

#[test]
fn the_newest_in_the_usual_folders_is_taken() {
    let temp = TempFolder::new("newest");
    let home = |version: &str| fake(&temp, &format!("java-{version}"), version);
    let homes = ["17.0.9", "25.0.1", "26", "21.0.2", "25.0.3"].map(home);
    let search = Search {
        homes: homes.to_vec(),
        ..Search::default()
    };
    assert_eq!(search.find().unwrap().home(), homes[1]);
    let all: Vec<u32> = search.all().iter().map(Jdk::feature).collect();
    assert_eq!(all, [25, 25, 21, 17]);
}

#[test]
fn errors_name_the_setting_and_the_package_to_install() {
    let error = message(&Search::default());
    assert!(error.contains("no JDK found"), "{error}");
    assert!(
        error.contains("apt install openjdk-17-jdk-headless"),
        "{error}"
    );

    let temp = TempFolder::new("wrong");
    let newer = fake(&temp, "newer", "26.0.1");
    let option = |home: PathBuf| Search {
        java_home_option: Some(home),
        ..jdk_on_path()
    };
    let error = message(&option(newer.clone()));
    assert!(
        error.contains("Java 26.0.1 in ") && error.contains("(--java-home)"),
        "{error}"
    );
    assert!(
        error.contains("not supported; supported: Java 17, Java 21, Java 25"),
        "{error}"
    );
    let variable = |home: PathBuf| Search {
        java_home: Some(home.into()),
        ..jdk_on_path()
    };
    let error = message(&variable(newer));
    assert!(
        error.contains("Java 26.0.1 in ") && error.contains("(JAVA_HOME)"),
        "{error}"
    );
    let error = message(&variable(temp.path("gone")));
    assert!(
        error.contains("JAVA_HOME is ") && error.contains("gone"),
        "{error}"
    );
    temp.write("empty/file", b"");
    let error = message(&option(temp.path("empty")));
    assert!(
        error.contains("empty (--java-home) is not a JDK: it has no lib/modules"),
        "{error}"
    );
    let odd = fake(&temp, "odd", "seventeen");
    let error = message(&option(odd));
    assert!(
        error.contains("odd/release is not a valid release file"),
        "{error}"
    );
    let eight = temp.path("eight");
    temp.write("eight/jre/lib/rt.jar", b"");
    temp.write("eight/release", "JAVA_VERSION=\"1.8.0_392\"\n");
    let error = message(&option(eight));
    assert!(error.contains("Java 1.8.0_392 in "), "{error}");

    // A JDK whose class library is damaged.
    let broken = fake(&temp, "broken", "17");
    let jdk = option(broken).find().unwrap();
    let error = SystemModules::open(&jdk).unwrap_err().to_string();
    assert!(
        error.contains("broken/lib/modules is not a valid jimage file"),
        "{error}"
    );
}

fn jdk_on_path() -> Search {
    Search {
        homes: vec![jdk().home().to_path_buf()],
        ..Search::default()
    }
}
