//! `rjvm debug --dap`: sessions of an editor.
//!
//! Microsoft's client for tests of debug adapters (`@vscode/debugadapter-testsupport`, which `test.sh` installs in `target/dap-client`)
//! drives them by `tests/causes/dap/client.js`. `tests/causes/dap/SCENARIO.txt` has its transcript.

use crate::common;
use crate::common::run::vm;
use crate::common::{golden, jdk, not_checked, root, tests_dir, work_dir};
use std::path::{Path, PathBuf};
use std::process::Command;

fn sources() -> PathBuf {
    tests_dir().join("causes/travel")
}

/// The classes of `tests/causes/travel`.
pub fn classes() -> PathBuf {
    let all = common::files_with_extension(&sources(), "java");
    jdk::compile("travel", &all, &["-g"], Path::new("none"))
}

/// The folder of node's modules with the client.
fn client() -> Option<PathBuf> {
    let node = Command::new("node").arg("--version").output();
    if !node.is_ok_and(|o| o.status.success()) {
        not_checked("node is not installed");
        return None;
    }
    let own = root().join("target/dap-client/node_modules");
    let modules = std::env::var_os("RJVM_DAP_CLIENT").map_or(own, PathBuf::from);
    if !modules.join("@vscode/debugadapter-testsupport").is_dir() {
        not_checked("@vscode/debugadapter-testsupport is not installed (npm; RJVM_DAP_CLIENT)");
        return None;
    }
    Some(modules)
}

/// The adapter, started without an environment that varies.
pub fn adapter() -> Command {
    let mut command = Command::new(vm());
    command.args(["debug", "--dap"]);
    command.env("JAVA_HOME", jdk::java_home());
    for name in [
        "JAVA_TOOL_OPTIONS",
        "JDK_JAVA_OPTIONS",
        "CLASSPATH",
        "LD_LIBRARY_PATH",
    ] {
        command.env_remove(name);
    }
    command
}

/// Runs a scenario with the client; its transcript.
fn scenario(name: &str) -> Option<String> {
    let modules = client()?;
    let dir = common::tool::folder("dap", name);
    let script = dir.join("adapter.sh");
    let text = format!("exec '{}' debug --dap\n", vm().display());
    std::fs::write(&script, text).expect("the target directory is writable");
    let mut node = Command::new("node");
    node.arg(tests_dir().join("causes/dap/client.js"))
        .args([&modules, Path::new(name), &script, &classes(), &sources()])
        .envs(adapter().get_envs().filter_map(|(k, v)| Some((k, v?))))
        .env(
            "RJVM_DAP_RECORDING",
            work_dir().join("dap-runs/recorded/run.rec"),
        )
        .env_remove("LD_LIBRARY_PATH")
        .current_dir(&dir);
    let out = node.output().expect("node starts");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{name}\n{text}\n{errors}");
    Some(text)
}

/// Compares the transcript of a scenario with the one in `tests/causes/dap`, or writes it.
fn compare(name: &str) {
    let Some(text) = scenario(name) else {
        return;
    };
    golden::compare_text(&format!("causes/dap/{name}.txt"), &text);
}

#[test]
fn a_walk_forward_and_backward() {
    compare("walk");
}

#[test]
fn exceptions_caught_and_uncaught() {
    compare("exceptions");
}

#[test]
fn numbers_of_arrivals() {
    compare("hits");
}

#[test]
fn bytecodes_are_shown() {
    compare("bytecodes");
}

#[test]
fn classes_that_are_loaded_later() {
    compare("later");
}

#[test]
fn a_recording_is_walked() {
    let dir = common::tool::folder("dap", "recorded");
    let classes = classes();
    let command = [
        "--record=run.rec",
        "-cp",
        &*classes.to_string_lossy(),
        "Walk",
    ];
    let (_, errors, code) = common::tool::rjvm(&dir, &command);
    assert_eq!(code, 0, "{errors}");
    compare("recording");
}

#[test]
fn a_program_in_the_real_world() {
    if let Some(text) = scenario("live") {
        let want = r#"live {"before":"0L","end":true,"reason":"function breakpoint"}"#;
        assert_eq!(text.trim(), want);
    }
    if let Some(text) = scenario("waits") {
        let paused = r#"["pause",20]"#;
        assert_eq!(
            text.trim(),
            format!(r#"waits {{"pauses":[{paused},{paused},{paused}]}}"#)
        );
    }
}

#[test]
fn values_are_changed_and_calls_evaluated() {
    compare("changes");
}

#[test]
fn a_long_evaluation_is_taken_back() {
    if let Some(text) = scenario("cancelled") {
        assert_eq!(text.trim(), "x evaluate \"cancelled\"");
    }
}

#[test]
fn the_clients_own_breakpoint_check() {
    compare("convenience");
}

#[test]
fn a_pause_ends_a_search() {
    if let Some(text) = scenario("pause") {
        assert_eq!(text.trim(), "paused {}");
    }
}

#[test]
fn the_extension_fits_its_package() {
    let mut node = Command::new("node");
    node.arg(tests_dir().join("causes/dap/extension.js"));
    let Ok(out) = node.arg(root().join("editors/vscode")).output() else {
        not_checked("node is not installed");
        return;
    };
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{errors}");
    assert_eq!(
        String::from_utf8_lossy(&out.stdout),
        "the extension fits its package.json\n"
    );
}
