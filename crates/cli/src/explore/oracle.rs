//! A user's command that decides whether the output of a schedule is right.

use rjvm_explore::result::Outcome;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::process::{Command, Stdio};

/// Runs it. The shell runs the command with the output as its standard input; exit code 0 is right, and otherwise the first line
/// that it prints describes the fault.
///
/// # Errors
/// There is no such command, or it cannot be run.
pub fn ask(command: &str, printed: &[u8]) -> io::Result<Outcome> {
    // in a file, so that the command need not read it
    let input = rustix::fs::memfd_create("output", rustix::fs::MemfdFlags::CLOEXEC)?;
    let mut input = File::from(input);
    input.write_all(printed)?;
    input.rewind()?;
    let run = Command::new("/bin/sh")
        .args(["-c", command])
        .stdin(Stdio::from(input))
        .output()?;
    let reply = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        text.lines()
            .map(str::trim)
            .find(|l| !l.is_empty())
            .map(String::from)
    };
    let reply = reply(&run.stdout).or_else(|| reply(&run.stderr));
    match run.status.code() {
        Some(0) => Ok(Outcome::Ok),
        // as a shell says that it cannot run something
        Some(code @ (126 | 127)) => Err(io::Error::other(format!(
            "--oracle={command}: {}",
            reply.unwrap_or_else(|| format!("exit code {code}"))
        ))),
        _ => Ok(Outcome::Oracle {
            message: reply.unwrap_or_else(|| run.status.to_string()),
        }),
    }
}
