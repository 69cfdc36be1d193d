//! Says why no program runs, and prints text for people.

use super::config::Stream;
use super::help;
use super::refusal::Refusal;
use crate::messages::error;
use std::io::Write;

const NO_VM: &str = "Error: Could not create the Java Virtual Machine.\n\
    Error: A fatal exception has occurred. Program will exit.";

/// Says why no program runs, as `java` does where it has the case.
pub fn complain(refusal: &Refusal) {
    match refusal {
        // a suggestion of an option has no line of its own, as on HotSpot
        Refusal::Vm(lines) if lines.is_empty() || lines.ends_with("? ") => {
            eprintln!("{lines}{NO_VM}");
        }
        Refusal::Vm(lines) => eprintln!("{lines}\n{NO_VM}"),
        Refusal::VmOut(lines) => {
            print(Stream::Out, &format!("{lines}\n"));
            eprintln!("{NO_VM}");
        }
        Refusal::Init(line) => print(
            Stream::Out,
            &format!("Error occurred during initialization of VM\n{line}\n"),
        ),
        Refusal::Own(line) => error(line),
        Refusal::Launcher(line) => eprintln!("Error: {line}"),
        Refusal::Usage(line) => {
            if !line.is_empty() {
                eprintln!("{line}");
            }
            eprint!("{}", help::usage());
        }
    }
}

/// Text for people. A stream without a reader is not a problem.
pub fn print(stream: Stream, text: &str) {
    let _ = match stream {
        Stream::Out => std::io::stdout().write_all(text.as_bytes()),
        Stream::Err => std::io::stderr().write_all(text.as_bytes()),
    };
}
