//! The JDK's own compiler runs on rjvm: its class files are, byte for byte, those it makes on HotSpot,
//! for a program that uses most of the language; and that program does the same on both.

use crate::common::run::{Outcome, Run};
use crate::common::{entries, jdk, run, tests_dir};
use std::path::{Path, PathBuf};

/// `tests/launcher/data/javac/Big.java`, compiled on this VM into a folder of the run's own.
fn compile(vm: &Path, name: &str, options: &[&str]) -> (Outcome, PathBuf) {
    let run = Run::new(vm, name);
    let classes = run.dir();
    let outcome = run
        .args(["-cp", "none", "com.sun.tools.javac.Main", "-d", "."])
        .args(options)
        .arg(tests_dir().join("launcher/data/javac/Big.java"))
        .finish();
    (outcome, classes)
}

fn check(name: &str, options: &[&str]) -> (PathBuf, PathBuf) {
    let java = jdk::tool("java");
    let (expected, golden) = compile(&java, &format!("javac-{name}-java"), options);
    let (got, classes) = compile(&run::vm(), &format!("javac-{name}-rjvm"), options);
    assert_eq!(expected.exit, 0, "{}", expected.err());
    assert_eq!(got.err(), expected.err());
    assert_eq!((got.exit, got.out()), (0, expected.out()));
    let names = |dir: &Path| -> Vec<_> {
        let files = entries(dir);
        files
            .iter()
            .map(|f| f.file_name().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(&classes), names(&golden));
    for file in entries(&golden) {
        let name = file.file_name().unwrap();
        let same = std::fs::read(&file).unwrap() == std::fs::read(classes.join(name)).unwrap();
        assert!(same, "{} differs", name.display());
    }
    (golden, classes)
}

#[test]
fn javac_makes_the_same_class_files_and_they_do_the_same() {
    let (golden, classes) = check("plain", &[]);
    let run = |vm: &Path, name: &str, classes: &Path| {
        Run::new(vm, name)
            .arg("-cp")
            .arg(classes)
            .arg("Big")
            .finish()
    };
    let expected = run(&jdk::tool("java"), "big-java", &golden);
    let got = run(&run::vm(), "big-rjvm", &classes);
    assert_eq!(got.out(), expected.out());
    assert_eq!((got.exit, got.err()), (expected.exit, expected.err()));
    assert!(expected.out().lines().count() > 50, "{}", expected.out());
}

#[test]
fn javac_gives_the_same_warnings_and_debug_tables() {
    check("lint", &["-g", "-parameters", "-Xlint:all"]);
}
