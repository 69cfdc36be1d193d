//! The command line: from arguments to an exit code.

mod args;
mod config;
mod dis;
mod dump;
mod fault;
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
use rjvm_vm::host::Host;
use rjvm_vm::natives::Natives;

/// What a VM is made of beside its options.
pub type Parts = (Box<dyn Host>, Natives);

/// The operating system, and the natives of the JDK.
fn usual_parts() -> Parts {
    let mut natives = Natives::default();
    natives.add(&rjvm_jdk_stubs::all());
    (Box::new(rjvm_jdk_stubs::os::OsHost::new()), natives)
}

/// Runs the command line of this process; the exit code.
pub fn main() -> i32 {
    let args = std::env::args_os().skip(1);
    let args = args.map(|a| a.to_string_lossy().into_owned());
    run_command(args.collect(), usual_parts)
}

/// Runs a command line, `args` being what follows the program's name, on a VM made of these parts; the
/// exit code. It is for launchers of one's own: standard streams, environment and signals are those of the process.
pub fn run_command(mut args: Vec<String>, parts: impl FnOnce() -> Parts) -> i32 {
    if args.first().is_some_and(|a| a == "dis") {
        return dis::main(&args.split_off(1));
    }
    if args.first().is_some_and(|a| a == "profile") {
        return crate::tools::main(&args.split_off(1));
    }
    let env = |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
    match args::read(args, env, |line| eprintln!("{line}")) {
        Ok(config) => obey(config, parts),
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

fn obey(mut config: Config, parts: impl FnOnce() -> Parts) -> i32 {
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
    run::run(config, parts)
}
