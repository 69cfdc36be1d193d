//! From the arguments to an exit code: which command it is, or which program is run.

use super::codes::WRONG_USE;
use super::complaints::{complain, print};
use super::config::{Config, LaunchTask, Stream};
use super::parts::{Parts, usual_parts};
use super::refusal::Refusal;
use super::{args, commands, complete, help, hprof, log, program, run, translated, xx};
use crate::file_error::FileError;
use crate::messages;
use crate::run_error::RunError;
use rjvm_jdk_stubs::creation::Creator;

/// Runs the command line of this process; the exit code.
pub fn main() -> i32 {
    let args = std::env::args_os().skip(1);
    let args = args.map(|a| a.to_string_lossy().into_owned());
    run_command(args.collect(), usual_parts)
}

/// Runs a command line, `args` being what follows the program's name, on a VM made of these parts; the
/// exit code. `parts` is called for each VM, of which there may be several. It is for launchers of one's own: standard streams, environment and signals are those of the process.
pub fn run_command(args: Vec<String>, parts: impl Fn() -> Parts) -> i32 {
    if let [dis, translated, rest @ ..] = &args[..]
        && dis == "dis"
        && let Some(form) = translated::ListedCode::named(translated)
    {
        return translated::main(form, rest.to_vec(), parts());
    }
    let first = args.first().cloned();
    let second = args.get(1).cloned();
    if let Some(code) = commands::run(&args) {
        return code;
    }
    let env = |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
    match args::read(args, env, |line| eprintln!("{line}")) {
        Ok(config) => {
            // words that other programs have for options
            let meant = match (first.as_deref(), second.clone()) {
                (Some("help"), Some(command)) if commands::is_one(&command) => {
                    Some(vec![command, "--help".into()])
                }
                (Some("help"), None) => Some(vec!["--help".into()]),
                (Some("version"), None) => Some(vec!["--version".into()]),
                _ => None,
            };
            if let Some(meant) = meant.filter(|_| config.lacks_main_class()) {
                return run_command(meant, parts);
            }
            if first.as_deref() == Some("help")
                && let Some(word) = second
                && config.lacks_main_class()
            {
                let unknown = "no such command; rjvm --help lists the commands";
                messages::error(&format_args!("help {word}: {unknown}"));
                return WRONG_USE;
            }
            if let Some(command) = first.and_then(|word| commands::like(&word))
                && config.lacks_main_class()
            {
                messages::note(&format_args!("did you mean the command `rjvm {command}`?"));
            }
            obey(config, parts)
        }
        Err(refusal) => {
            complain(&refusal);
            1
        }
    }
}

/// Runs C code that has created a VM with these options (JNI specification, chapter 5); the exit code. `ignore` passes over options
/// that are unknown.
pub fn run_creator(options: Vec<String>, ignore: bool, creator: Creator) -> i32 {
    const CLASS_PATH: &str = "-Djava.class.path=";
    // the launcher's own variables are not for VMs that others create
    let env = |name: &str| match name {
        "CLASSPATH" | "JDK_JAVA_OPTIONS" => None,
        _ => std::env::var_os(name).map(|v| v.to_string_lossy().into_owned()),
    };
    let mut args = Vec::new();
    if ignore {
        args.push("-XX:+IgnoreUnrecognizedVMOptions".to_owned());
    }
    for option in options {
        match option.strip_prefix(CLASS_PATH) {
            Some(path) => args.extend(["-cp".to_owned(), path.to_owned()]),
            None => args.push(option),
        }
    }
    // a name is what ends the options
    args.push("main".to_owned());
    match args::read(args, env, |line| eprintln!("{line}")) {
        Ok(mut config) => {
            config.what = None;
            config.creator = Some(creator);
            obey(config, usual_parts)
        }
        Err(refusal) => {
            complain(&refusal);
            1
        }
    }
}

/// `-fullversion` and its like: the line, and where it goes.
fn full_version(config: &mut Config) -> Result<(Stream, String), RunError> {
    program::find_jdk(config)?;
    let release = std::fs::read_to_string(config.vm.java_home.join("release")).unwrap_or_default();
    let value = |key: &str| {
        let mut lines = release.lines();
        let text = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix('='))?;
        Some(text.trim_matches('"').to_owned())
    };
    let jdk = value("JAVA_RUNTIME_VERSION").unwrap_or_else(|| config.jdk_version.clone());
    Ok(match config.task {
        LaunchTask::FullVersion(Stream::Out) => (Stream::Out, format!("openjdk {jdk}\n")),
        LaunchTask::FullVersion(stream) => (stream, format!("openjdk full version \"{jdk}\"\n")),
        _ => {
            let (own, os) = (env!("CARGO_PKG_VERSION"), std::env::consts::OS);
            let line = format!(
                "rjvm ({own}) for {os}-{} JRE ({jdk})\n",
                std::env::consts::ARCH
            );
            (Stream::Out, line)
        }
    })
}

fn obey(mut config: Config, parts: impl Fn() -> Parts) -> i32 {
    eprint!("{}", config.xx.take_output());
    match printed(&mut config) {
        Some(Ok((stream, text))) => {
            print(stream, &text);
            return 0;
        }
        Some(Err(problem)) => {
            complain(&Refusal::Own(problem.to_string()));
            return 1;
        }
        None => {}
    }
    if let Some(problem) = complete::contradiction(&config) {
        complain(&Refusal::Own(problem));
        return 1;
    }
    complete::complete(&mut config);
    print(Stream::Out, config.xx.printed());
    for table in config.xx.tables() {
        print(Stream::Out, &xx::print(*table, &config.xx, &config.vm));
    }
    if !config.quiet {
        for note in &config.notes {
            messages::note(&note);
        }
    }
    run::run(config, parts)
}

/// What a command line that runs nothing prints, and where; nothing if a VM does it.
fn printed(config: &mut Config) -> Option<Result<(Stream, String), RunError>> {
    Some(Ok(match &config.task {
        LaunchTask::Flags => {
            let table = xx::print(xx::FlagTable::Initial, &config.xx, &config.vm);
            (Stream::Out, table)
        }
        LaunchTask::LogHelp => (Stream::Out, log::help()),
        LaunchTask::InternalVersion | LaunchTask::FullVersion(_) => {
            return Some(full_version(config));
        }
        LaunchTask::Help(stream) => (*stream, help::usage()),
        LaunchTask::HprofHelp => (Stream::Out, hprof::HELP.into()),
        LaunchTask::DebuggerHelp => (Stream::Out, rjvm_debug::jdwp::HELP.into()),
        LaunchTask::ProbeHelp => (Stream::Out, rjvm_probes::help()),
        LaunchTask::AllHelp(stream) => (*stream, help::all()),
        LaunchTask::ExtraHelp(stream) => (*stream, help::extra()),
        LaunchTask::Api(file, jar) => {
            let written = std::fs::write(file, jar);
            return Some(
                written
                    .map_err(|e| FileError::at(file)(e).into())
                    .map(|()| (Stream::Out, String::new())),
            );
        }
        _ => return None,
    }))
}
