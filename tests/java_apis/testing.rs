//! The Java API for tests, `rjvm.test`: the jar is compiled from the sources, and its measures are exact.

use crate::common::run::{Run, vm};
use crate::common::{self, root};
use crate::common::{jdk, tests_dir};
use rjvm_vm::classpath::Jar;
use std::path::{Path, PathBuf};
use std::process::Command;

const JAR: &str = "java/test-api/rjvm-test.jar";

/// The class path for compiling it: JUnit and TestNG, which it does not need when it runs.
fn junit() -> String {
    let jars = [
        "junit-jupiter-api",
        "junit-platform-commons",
        "junit-platform-engine",
        "junit-platform-launcher",
        "opentest4j",
        "apiguardian-api",
        "junit4",
        "testng",
    ];
    jars.map(|j| format!("/usr/share/java/{j}.jar")).join(":")
}

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    found.extend(common::files_with_extension(dir, "java"));
    for entry in common::entries(dir).iter().filter(|e| e.is_dir()) {
        sources(entry, found);
    }
}

#[test]
fn the_jar_has_the_classes_of_the_sources() {
    if !common::has_frameworks() {
        return;
    }
    let junit = junit();
    let mut files = Vec::new();
    sources(&root().join("java/test-api/rjvm"), &mut files);
    let options = ["--release", "8", "-cp", &junit];
    let classes = jdk::compile(
        "test-api",
        &files,
        &options,
        &root().join("java/test-api/resources"),
    );
    let jar = root().join(JAR);
    if common::switch("BLESS") {
        let made = Command::new(jdk::tool("jar"))
            .args([
                "--create",
                "--no-manifest",
                "--date=2000-01-01T00:00:00Z",
                "--file",
            ])
            .arg(&jar)
            .arg("-C")
            .arg(&classes)
            .arg(".")
            .status();
        assert!(made.is_ok_and(|s| s.success()), "jar fails");
    }
    let jar = Jar::open(jar).expect("the jar is committed");
    let mut names = jar.names();
    names.retain(|n| !n.ends_with('/'));
    let mut found = 0;
    let mut folders = vec![classes.clone()];
    while let Some(folder) = folders.pop() {
        for path in common::entries(&folder) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            found += 1;
            let name = path
                .strip_prefix(&classes)
                .expect("it is below")
                .display()
                .to_string();
            let packed = jar.find(&name).expect("the jar is sound");
            assert!(
                packed == std::fs::read(&path).ok(),
                "{name} is stale in {JAR}: BLESS=1 cargo test --test java_apis testing"
            );
        }
    }
    assert_eq!(found, names.len(), "{names:?}");
}

/// Runs a program of `tests/java_apis/testing` with the API on the class path.
fn run(name: &str, class: &str, options: &[&str]) -> String {
    let jar = root().join(JAR).display().to_string();
    let files = common::files_with_extension(&tests_dir().join("java_apis/testing"), "java");
    let classes = jdk::compile("testing", &files, &["-cp", &jar], Path::new("none"));
    let run = Run::new(&vm(), &format!("testing-{name}"));
    let run = run
        .args(options)
        .arg("-cp")
        .arg(format!("{}:{jar}", classes.display()));
    let run = run.arg(class).finish();
    assert_eq!(run.exit, 0, "{}\n{}", run.out(), run.err());
    run.out()
}

#[test]
fn what_is_measured_is_exact() {
    let all = run(
        "contexts",
        "Measured",
        &["--profile=exact", "--allocations", "--quiet"],
    );
    let expected = std::fs::read_to_string(tests_dir().join("java_apis/testing/Measured.out"));
    assert_eq!(all, expected.expect("it is committed"));
    // without contexts, the bytecodes are the same
    let bytecodes = |text: &str| -> Vec<String> {
        let lines = text.lines().filter_map(|l| l.split_once(" bytecodes"));
        lines.map(|(before, _)| before.to_owned()).collect()
    };
    let off = run("off", "Measured", &[]);
    assert!(!bytecodes(&off).is_empty());
    assert_eq!(bytecodes(&off), bytecodes(&all));
    // whatever the VM does beside
    let stressed = [
        "--profile=callsites",
        "--allocations",
        "--quiet",
        "--gc-stress",
    ];
    assert_eq!(
        bytecodes(&run("stress", "Measured", &stressed)),
        bytecodes(&all)
    );
}

#[test]
fn other_virtual_machines_run_it_and_count_nothing() {
    let jar = root().join(JAR).display().to_string();
    let _ = run("for-classes", "Measured", &[]);
    let classes = common::work_dir().join("testing");
    let java = Command::new(jdk::tool("java"))
        .arg("-cp")
        .arg(format!("{}:{jar}", classes.display()))
        .arg("Measured")
        .output()
        .expect("java starts");
    let out = String::from_utf8_lossy(&java.stdout).into_owned();
    assert!(
        java.status.success(),
        "{}",
        String::from_utf8_lossy(&java.stderr)
    );
    assert!(
        out.lines()
            .all(|l| !l.contains(" bytecodes") || l.contains(": -1 bytecodes")),
        "{out}"
    );
    assert!(
        out.contains("thrown: java.lang.IllegalStateException: on purpose"),
        "{out}"
    );
}
