//! The arguments of the VM: what programs and tools are shown of a command line. As on HotSpot they are what the launcher
//! hands on: each in one word, without the class path and what is the launcher's own.

use super::option::{Flag, Form};

/// Options that end with the launcher.
const OF_LAUNCHER: &[&str] = &[
    "-cp",
    "-d",
    "--dry-run",
    "-version",
    "--version",
    "-showversion",
    "--show-version",
    "-help",
    "--help",
    "--help-all",
    "-X",
    "--help-extra",
    "--list-modules",
    "-XshowSettings",
    "-splash:",
    "-Xdiag",
    "-server",
    "-client",
    // a run of a schedule is to be the one that was explored
    "--replay",
];

/// Options that the launcher hands on in other words.
const TRANSLATED: &[(&str, &str)] = &[
    (
        "--show-module-resolution",
        "-Djdk.module.showModuleResolution=true",
    ),
    ("--validate-modules", "-Djdk.module.validation=true"),
    ("-Xfuture", "-Xverify:all"),
];

/// Properties that say what the launcher has made of the rest.
const HIDDEN: [&str; 3] = [
    "-Djava.class.path",
    "-Dsun.java.command",
    "-Dsun.java.launcher",
];

/// What the VM is given of an option: the word it began with, and its value.
pub fn of(flag: &Flag, word: &str, value: &str) -> Vec<String> {
    let is = |name: &str| flag.names.contains(&name);
    if OF_LAUNCHER.iter().any(|n| is(n)) || HIDDEN.iter().any(|h| word.starts_with(h)) {
        return Vec::new();
    }
    if let Some((_, to)) = TRANSLATED.iter().find(|t| is(t.0)) {
        return vec![(*to).into()];
    }
    if is("--source") {
        return vec![format!("-Djdk.internal.javac.source={value}")];
    }
    match flag.form {
        Form::Next(..) if flag.is_own() && !word.contains('=') => vec![word.into(), value.into()],
        Form::Next(..) if !word.contains('=') => {
            let name = flag.names.iter().find(|n| n.starts_with("--"));
            vec![format!("{}={value}", name.unwrap_or(&word))]
        }
        _ => vec![word.into()],
    }
}

/// What the VM is given of the module that holds the main class.
pub fn of_main_module(what: &str) -> String {
    let module = what.split_once('/').map_or(what, |w| w.0);
    format!("-Djdk.module.main={module}")
}
