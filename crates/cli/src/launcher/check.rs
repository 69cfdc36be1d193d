//! `--check-determinism`: runs a program several times and says where two runs diverge.

use super::codes::PARTED;
use super::parts::Parts;
use super::probed::Probed;
use crate::divergence::{self, ComparisonMode, ComparisonResult, Probe, Runs, Trace};
use crate::messages;
use rjvm_jdk_stubs::os::StandardStreams;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

/// Runs the program as often as requested; the exit code.
pub fn check(program: &Probed, times: u32, parts: &dyn Fn() -> Parts) -> i32 {
    let mut runs = Launched {
        program,
        parts,
        input: Arc::default(),
        code: None,
    };
    match compare_all(&mut runs, times) {
        Err(problem) => {
            messages::error(&problem);
            1
        }
        Ok(None) => runs.code.unwrap_or_default(),
        Ok(Some(reported)) => {
            eprint!("{}{reported}", messages::ERROR);
            PARTED
        }
    }
}

fn compare_all(runs: &mut Launched<'_>, times: u32) -> Result<Option<String>, String> {
    let config = &runs.program.config;
    let quiet = config.quiet;
    // a clock that goes on by itself is read by the class library too: its value alone does not count then
    let by = match config.deterministic {
        Some(_) => ComparisonMode::State,
        None => ComparisonMode::Execution,
    };
    let first = divergence::trace(runs, by)?;
    for other in 1..times {
        if let ComparisonResult::Parted(parting) =
            divergence::compare(runs, by, Some(&first), i64::MAX)?
        {
            return Ok(Some(format!("runs 1 and {} diverge {parting}", other + 1)));
        }
    }
    if !quiet {
        messages::note(&format_args!(
            "{times} runs of {} bytecodes are the same",
            executed(&first)
        ));
    }
    Ok(None)
}

fn executed(trace: &Trace) -> i64 {
    trace.end.map_or(0, |e| e.executed)
}

/// A program that is run several times.
struct Launched<'a> {
    program: &'a Probed,
    parts: &'a dyn Fn() -> Parts,
    /// What has been read from standard input: it is the same for all runs.
    input: Arc<Mutex<Vec<u8>>>,
    /// Exit code of the first run, whose output has been shown.
    code: Option<i32>,
}

impl Runs for Launched<'_> {
    fn run(&mut self, probes: &[Probe]) -> Result<(), String> {
        for probe in probes {
            let is_first = self.code.is_none();
            let streams = StandardStreams {
                input: Some(Box::new(RepeatedStdin {
                    all: self.input.clone(),
                    at: 0,
                })),
                output: Some(output(is_first, std::io::stdout())),
                error: Some(output(is_first, std::io::stderr())),
            };
            let code = self.program.run((self.parts)(), streams, probe, is_first)?;
            self.code = self.code.or(code);
        }
        Ok(())
    }
}

fn output(shown: bool, stream: impl Write + Send + 'static) -> Box<dyn Write + Send> {
    match shown {
        true => Box::new(stream),
        false => Box::new(std::io::sink()),
    }
}

/// Standard input from its beginning.
struct RepeatedStdin {
    all: Arc<Mutex<Vec<u8>>>,
    at: usize,
}

impl Read for RepeatedStdin {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let mut all = self.all.lock().unwrap_or_else(|e| e.into_inner());
        if self.at == all.len() {
            let n = std::io::stdin().lock().read(buf)?;
            all.extend_from_slice(&buf[..n]);
            self.at += n;
            return Ok(n);
        }
        let rest = &all[self.at..];
        let n = rest.len().min(buf.len());
        buf[..n].copy_from_slice(&rest[..n]);
        self.at += n;
        Ok(n)
    }
}
