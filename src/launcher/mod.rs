//! The command line: from arguments to an exit code.

mod args;
mod config;
mod dis;
mod dump;
mod flags;
mod help;
mod outputs;
mod report;
mod run;
mod sampling;
mod xx;

pub use config::Scope;

use args::Refusal;
use config::{Config, Stream, Task};

/// Runs the command line of this process; the exit code.
pub fn main() -> i32 {
    let mut args = std::env::args_os()
        .skip(1)
        .map(|a| a.to_string_lossy().into_owned());
    let mut args: Vec<String> = args.by_ref().collect();
    if args.first().is_some_and(|a| a == "dis") {
        return dis::main(&args.split_off(1));
    }
    if args.first().is_some_and(|a| a == "profile") {
        return crate::tools::main(&args.split_off(1));
    }
    let env = |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
    match args::read(args, env, |line| eprintln!("{line}")) {
        Ok(config) => obey(config),
        Err(refusal) => {
            complain(&refusal);
            1
        }
    }
}

/// Says why no program runs, as `java` does where it has the case.
fn complain(refusal: &Refusal) {
    match refusal {
        Refusal::Vm(lines) => eprintln!(
            "{lines}\nError: Could not create the Java Virtual Machine.\n\
             Error: A fatal exception has occurred. Program will exit."
        ),
        Refusal::Own(line) | Refusal::Launcher(line) => eprintln!("Error: {line}"),
        Refusal::Usage(line) => {
            if !line.is_empty() {
                eprintln!("{line}");
            }
            eprint!("{}", help::usage());
        }
    }
}

fn obey(mut config: Config) -> i32 {
    let print = |stream, text: String| match stream {
        Stream::Out => print!("{text}"),
        Stream::Err => eprint!("{text}"),
    };
    match config.task {
        Task::Help(stream) => {
            print(stream, help::usage());
            return 0;
        }
        Task::ExtraHelp(stream) => {
            print(stream, help::extra());
            return 0;
        }
        Task::AgentApi(file) => {
            return match std::fs::write(&file, crate::agent::java::API) {
                Ok(()) => 0,
                Err(e) => {
                    complain(&Refusal::Own(format!("{}: {e}", file.display())));
                    1
                }
            };
        }
        _ => {}
    }
    if let Some(problem) = sampling::contradiction(&config) {
        complain(&Refusal::Own(problem));
        return 1;
    }
    config.complete();
    if !config.quiet {
        for note in &config.notes {
            eprintln!("rjvm note: {note}");
        }
    }
    run::run(config)
}
