//! VMs that C code creates (`tests/native/create`): a program in C is linked with HotSpot's `libjvm.so`, and runs with rjvm's in its
//! place. It prints the same.

use crate::common::run::{Outcome, Run};
use crate::common::{self, cc, golden, jdk, run, tests_dir, work_dir};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the program does, by its first argument.
const WAYS: [&str; 4] = ["plain", "throw", "exit", "draw"];

fn room() -> PathBuf {
    tests_dir().join("native/create")
}

/// The folder of rjvm's `libjvm.so`, which is built with the tests of the whole workspace.
fn ours() -> Option<PathBuf> {
    let folder = run::vm().parent()?.join("deps");
    if !folder.join("libjvm.so").is_file() {
        common::not_checked("libjvm.so is not built: cargo test --workspace --no-run");
        return None;
    }
    Some(folder)
}

/// The program, linked with HotSpot; `None` if that cannot be done here. The tests run side by side.
fn program() -> Option<PathBuf> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    PROGRAM.get_or_init(linked).clone()
}

fn linked() -> Option<PathBuf> {
    let home = jdk::java_home();
    let hotspot = home.join("lib/server");
    if !home.join("include/jni.h").is_file() || !hotspot.join("libjvm.so").is_file() {
        common::not_checked("the JDK has no headers of JNI, or no libjvm.so");
        return None;
    }
    let program = work_dir().join("create");
    let mut command = cc::cc();
    command
        .arg(room().join("create.c"))
        .args(["-L".as_ref(), hotspot.as_os_str()])
        .args(["-ljvm", "-o"])
        .arg(&program);
    cc::compiles(command).then_some(program)
}

fn outcome(program: &Path, folder: &Path, home: &Path, way: &str, options: &[String]) -> Outcome {
    let source = [room().join("Created.java")];
    let classes = jdk::compile("create-classes", &source, &[], Path::new(""));
    let whose = if folder.starts_with(home) {
        "hotspot"
    } else {
        "rjvm"
    };
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    let run = Run::new(program, &format!("create-{whose}-{way}-{number}"));
    run.env("LD_LIBRARY_PATH", folder)
        .env("JAVA_HOME", home)
        .arg(way)
        .arg(format!("-Djava.class.path={}", classes.display()))
        .args(["-Dgiven=yes", "-Djava.awt.headless=true"])
        .args(options)
        .finish()
}

#[test]
fn c_code_creates_a_vm_as_on_hotspot() {
    let (Some(folder), Some(program)) = (ours(), program()) else {
        return;
    };
    let home = jdk::java_home();
    let results = WAYS.map(|way| {
        let want = outcome(&program, &home.join("lib/server"), home, way, &[]);
        let got = outcome(&program, &folder, home, way, &[]);
        let same = want.stdout == got.stdout && want.exit == got.exit;
        let result = match same {
            true => Ok(()),
            false => Err(format!(
                "exit {} instead of {}: {}{}",
                got.exit,
                want.exit,
                got.err(),
                golden::diff("standard output", &want.stdout, &got.stdout)
            )),
        };
        (way.to_owned(), result)
    });
    golden::report("programs in C that create a VM", &results);
}

#[test]
fn a_vm_that_c_code_creates_is_profiled() {
    let (Some(folder), Some(program)) = (ours(), program()) else {
        return;
    };
    let profile = work_dir().join("create.paths");
    let _ = std::fs::remove_file(&profile);
    let options = ["--profile=exact", "--quiet", "-o"].map(str::to_owned);
    let options = [&options[..], &[profile.display().to_string()]].concat();
    let got = outcome(&program, &folder, jdk::java_home(), "plain", &options);
    assert_eq!(got.exit, 0, "{}", got.err());
    let text = std::fs::read_to_string(&profile).expect("a profile");
    let mut lines = text.lines().map(|l| l.split('\t').collect::<Vec<_>>());
    let sum = lines.find(|l| l[0].ends_with("Created.sum(I)I"));
    assert!(sum.is_some(), "{text}");
}

#[test]
fn options_that_are_wrong_create_no_vm() {
    let (Some(folder), Some(program)) = (ours(), program()) else {
        return;
    };
    let wrong = ["-Xnonsense".to_owned()];
    let got = outcome(&program, &folder, jdk::java_home(), "plain", &wrong);
    assert_eq!(got.out(), "before: 0\nnot created: -1\n");
    assert!(
        got.err().contains("Unrecognized option: -Xnonsense"),
        "{}",
        got.err()
    );
    assert_eq!(got.exit, 2);
}

/// `libjvm.so` in a JDK's folder runs that JDK, whatever `JAVA_HOME` is: one that lacks an option which 17 has.
#[test]
fn the_jdk_around_the_library_runs() {
    let (Some(folder), Some(program)) = (ours(), program()) else {
        return;
    };
    let Some(jdk) = jdk::newer().pop() else {
        common::not_checked("no JDK after 17 is installed");
        return;
    };
    let home = work_dir().join("create-home");
    let _ = std::fs::remove_dir_all(&home);
    let server = home.join("lib/server");
    std::fs::create_dir_all(&server).expect("the work folder is writable");
    let link = |to: PathBuf, at: PathBuf| std::os::unix::fs::symlink(to, at).expect("a link");
    link(folder.join("libjvm.so"), server.join("libjvm.so"));
    for file in [
        "release",
        "conf",
        "lib/modules",
        "lib/jvm.cfg",
        "lib/security",
    ] {
        link(jdk.home().join(file), home.join(file));
    }
    let options = ["-XX:+UseBiasedLocking".to_owned()];
    let run = |folder: &Path| outcome(&program, folder, jdk::java_home(), "plain", &options);
    let (newer, usual) = (run(&server), run(&folder));
    let text = newer.out() + &newer.err();
    let refused = "Unrecognized VM option 'UseBiasedLocking'";
    assert!(text.contains(refused) && newer.exit == 2, "{text}");
    assert_eq!(usual.exit, 0, "{}", usual.err());
}
