//! The C compiler, for native code of tests.

use super::jdk::java_home;
use std::process::Command;

/// The C compiler with the headers of JNI.
pub fn cc() -> Command {
    let include = java_home().join("include");
    let mut cc = Command::new("cc");
    cc.args(["-O1", "-Wall", "-pthread"])
        .args(["-I".as_ref(), include.as_os_str()])
        .args(["-I".as_ref(), include.join("linux").as_os_str()]);
    cc
}

/// Runs it; false if there is none, of which the test notifies.
///
/// # Panics
/// It refuses the sources.
pub fn compiles(mut cc: Command) -> bool {
    let Ok(made) = cc.output() else {
        super::not_checked("no C compiler is installed");
        return false;
    };
    let messages = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "cc fails:\n{messages}");
    true
}
