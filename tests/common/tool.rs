//! Runs of subcommands in folders of the tests' own: output files stay there, and the environment is empty.

use super::run::vm;
use super::{jdk, tests_dir, work_dir};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A new folder for a test of a group.
pub fn folder(group: &str, name: &str) -> PathBuf {
    let dir = work_dir().join(format!("{group}-runs")).join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a folder");
    dir
}

/// Output, error output and exit code.
pub fn rjvm(dir: &Path, args: &[&str]) -> (String, String, i32) {
    let out = Command::new(vm())
        .current_dir(dir)
        .env_clear()
        .env("JAVA_HOME", jdk::java_home())
        .args(args)
        .output()
        .expect("the VM starts");
    texts(out)
}

/// Runs `rjvm profile` in the folder of the oracle's profiles: output, error output and exit code.
pub fn profile_tool(args: &[&str]) -> (String, String, i32) {
    let out = Command::new(env!("CARGO_BIN_EXE_rjvm"))
        .arg("profile")
        .args(args)
        .current_dir(tests_dir().join("oracle/expected"))
        .output()
        .expect("rjvm starts");
    texts(out)
}

fn texts(out: Output) -> (String, String, i32) {
    let text = |b: Vec<u8>| String::from_utf8(b).expect("text");
    let code = out.status.code().unwrap_or(-1);
    (text(out.stdout), text(out.stderr), code)
}
