//! Programs with planted bugs of concurrency, and how they are explored.

use super::tool::{self, rjvm};
use super::{jdk, tests_dir};
use std::path::{Path, PathBuf};

const PROGRAMS: [&str; 36] = [
    "Aba",
    "Alone",
    "BrokenDcl",
    "CheckThenAct",
    "ClassHolder",
    "ClassInits",
    "Copies",
    "Counted",
    "LastAlone",
    "LateTimeout",
    "Lines",
    "LockOrder",
    "LongIfShort",
    "LostUpdate",
    "MissedNotify",
    "MissingVolatile",
    "NoReason",
    "Numbers",
    "Order",
    "Orders",
    "Peers",
    "PlainSpin",
    "PoolShutdown",
    "Prelude",
    "Racy",
    "Reordered",
    "SafeDcl",
    "Slept",
    "Spawned",
    "Spin",
    "StoreBuffering",
    "TemporaryFiles",
    "TimeoutRace",
    "TwoDoors",
    "UnsafePublication",
    "WorkFiles",
];

pub fn classes() -> PathBuf {
    let sources = PROGRAMS.map(|s| tests_dir().join(format!("explore/{s}.java")));
    jdk::compile("explore", &sources, &[], &tests_dir().join("explore/none"))
}

/// A folder of a test's own, in which schedules are written.
pub fn folder(name: &str) -> PathBuf {
    tool::folder("explore", name)
}

pub fn explore(dir: &Path, options: &[&str], program: &[&str]) -> (String, String, i32) {
    let classes = classes();
    let path = ["-cp", classes.to_str().expect("a name")];
    rjvm(dir, &[&["explore"], options, &path, program].concat())
}

/// The bug is found within so many schedules; its schedule, replayed, fails in the same way each time.
pub fn is_found(program: &str, within: &str, says: &[&str], replayed: &str) {
    is_found_with(&[], program, within, says, (replayed, 1));
}

/// The same, with options, and with the exit code of the replay: an exception of another thread than the first is none of `java`'s.
pub fn is_found_with(
    options: &[&str],
    program: &str,
    within: &str,
    says: &[&str],
    (replayed, exits): (&str, i32),
) {
    let dir = folder(program);
    let within = format!("--iterations={within}");
    let options = [options, &[&within]].concat();
    let (out, err, code) = explore(&dir, &options, &[program]);
    assert_eq!((code, &err[..]), (1, ""), "{out}");
    for s in says {
        assert!(out.contains(s), "{s}:\n{out}");
    }
    let (_, replay) = out
        .split_once("To replay it: rjvm --replay=")
        .unwrap_or_else(|| panic!("it says how to run it again:\n{out}"));
    let replay = format!("--replay={}", replay.lines().next().expect("a file"));
    let first = rjvm(&dir, &[&replay]);
    assert_eq!(first.2, exits, "{first:?}");
    assert!(first.1.contains(replayed), "{}", first.1);
    for _ in 0..3 {
        assert_eq!(rjvm(&dir, &[&replay]), first);
    }
    // other options change nothing
    let profiled = rjvm(
        &dir,
        &[&replay, "--profile=exact", "-o", "p.rjp", "--quiet"],
    );
    assert_eq!((profiled.0, profiled.2), (first.0, exits), "{}", profiled.1);
}
