//! The arguments of the VM: the part of a command line that programs and tools see. As on HotSpot these are the arguments that
//! the launcher hands on: each in one word, without the class path and the launcher's own options.

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

/// The VM's arguments for an option, made of the word it began with and its value.
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

/// The VM's argument for the module that holds the main class.
pub fn of_main_module(what: &str) -> String {
    let module = what.split_once('/').map_or(what, |w| w.0);
    format!("-Djdk.module.main={module}")
}

#[cfg(test)]
mod tests {
    use super::super::args;

    #[test]
    fn arguments_are_what_the_launcher_hands_on() {
        let words = "-cp x -p m --add-opens a/b=c --add-exports=d/e=f -ea:g... \
                     -o f.txt --profile=exact -Dk -Djava.class.path=y -showversion -m mm/X -Dno";
        let env = |name: &str| {
            let text = match name {
                "JAVA_TOOL_OPTIONS" => "-Dt=1 '-Du=a b'",
                "JDK_JAVA_OPTIONS" => "-Dj=2",
                "RJVM_OPTIONS" => "--quiet",
                _ => return None,
            };
            Some(text.to_owned())
        };
        let words = words.split_whitespace().map(str::to_owned);
        let config = args::read(words.collect(), env, |_| ()).expect("they are right");
        let want = "-Dt=1|-Du=a b|-Dj=2|--module-path=m|--add-opens=a/b=c|--add-exports=d/e=f|-ea:g...|\
                    -o|f.txt|--profile=exact|-Dk|-Djdk.module.main=mm";
        assert_eq!(config.vm.arguments.join("|"), want);
    }
}
