//! `--check-determinism`: runs a program several times and says where two runs diverge.

use super::codes::PARTED;
use super::parts::Parts;
use super::probed::Probed;
use crate::divergence::{self, ComparisonMode, ComparisonResult, Probe, Runs, Trace};
use crate::messages;
use crate::run_error::RunError;
use rjvm_jdk_stubs::os::StandardStreams;
use std::hash::{DefaultHasher, Hasher};
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

/// Runs the program as often as requested; the exit code.
pub fn check(program: &Probed, times: u32, parts: &dyn Fn() -> Parts) -> i32 {
    let mut runs = RepeatedRuns::new([program, program], parts, None);
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

fn compare_all(runs: &mut RepeatedRuns<'_>, times: u32) -> Result<Option<String>, RunError> {
    let config = &runs.programs[0].config;
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

/// A program that is run several times, in one way or in two. The first run shows its output.
pub struct RepeatedRuns<'a> {
    programs: [&'a Probed; 2],
    parts: &'a dyn Fn() -> Parts,
    /// The standard input that has been read: it is the same for all runs.
    pub input: Arc<Mutex<Vec<u8>>>,
    /// Nothing is shown.
    silent: bool,
    /// Exit code of the first run, whose output has been shown.
    pub code: Option<i32>,
    /// What the last run of each side has written.
    written: [Arc<Mutex<DefaultHasher>>; 2],
}

impl<'a> RepeatedRuns<'a> {
    /// `input`: what earlier runs have read; then the output has been shown, too.
    pub fn new(
        programs: [&'a Probed; 2],
        parts: &'a dyn Fn() -> Parts,
        input: Option<Arc<Mutex<Vec<u8>>>>,
    ) -> RepeatedRuns<'a> {
        RepeatedRuns {
            programs,
            parts,
            silent: input.is_some(),
            input: input.unwrap_or_default(),
            code: None,
            written: Default::default(),
        }
    }
    /// Whether the last runs of both sides have written the same.
    pub fn outputs_are_same(&self) -> bool {
        let [a, b] = &self.written;
        let hash = |h: &Mutex<DefaultHasher>| h.lock().unwrap_or_else(|e| e.into_inner()).finish();
        hash(a) == hash(b)
    }
}

impl Runs for RepeatedRuns<'_> {
    fn run(&mut self, probes: &[Probe]) -> Result<(), RunError> {
        for probe in probes {
            let is_first = self.code.is_none() && !self.silent;
            let written = &mut self.written[probe.side()];
            *written = Arc::default();
            let output = |stream: Box<dyn Write + Send>| {
                Some(Box::new(ComparedOutput {
                    written: written.clone(),
                    to: is_first.then_some(stream),
                }) as Box<dyn Write + Send>)
            };
            let streams = StandardStreams {
                input: Some(Box::new(RepeatedStdin {
                    all: self.input.clone(),
                    at: 0,
                })),
                output: output(Box::new(std::io::stdout())),
                error: output(Box::new(std::io::stderr())),
            };
            let program = self.programs[probe.side()];
            let code = program.run((self.parts)(), streams, probe, is_first)?;
            self.code = self.code.or(code);
        }
        Ok(())
    }
}

/// A stream that is compared with another run's, and may be shown.
struct ComparedOutput {
    written: Arc<Mutex<DefaultHasher>>,
    to: Option<Box<dyn Write + Send>>,
}

impl Write for ComparedOutput {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let n = match &mut self.to {
            Some(to) => to.write(bytes)?,
            None => bytes.len(),
        };
        let mut written = self.written.lock().unwrap_or_else(|e| e.into_inner());
        written.write(&bytes[..n]);
        Ok(n)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        self.to.as_mut().map_or(Ok(()), |to| to.flush())
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
