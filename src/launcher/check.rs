//! `--check-determinism`: runs a program several times and says where two runs part.

use super::Parts;
use super::config::Config;
use super::fault::PARTED;
use super::run::{assembly, faults, program, stopped};
use crate::embed::tape::Tape;
use crate::repetition::{self, By, Probe, Runs, Trace};
use rjvm_jdk_stubs::os::{OsDescriptors, OsHost, Streams};
use rjvm_vm::boot::Installed;
use rjvm_vm::startup::Stop;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

/// Runs the program as often as asked for; the exit code.
pub fn check(config: &Config, times: u32, library: &Installed, parts: &dyn Fn() -> Parts) -> i32 {
    let mut runs = Launched {
        config,
        library,
        parts,
        input: Arc::default(),
        shown: false,
        code: 0,
    };
    let found = compare_all(&mut runs, times);
    match found {
        Err(problem) => {
            eprintln!("Error: {problem}");
            1
        }
        Ok(None) => runs.code,
        Ok(Some(told)) => {
            eprint!("{told}");
            PARTED
        }
    }
}

fn compare_all(runs: &mut Launched<'_>, times: u32) -> Result<Option<String>, String> {
    // a clock that goes on by itself is read by the class library too: its value alone does not count then
    let by = match runs.config.deterministic {
        Some(_) => By::State,
        None => By::Execution,
    };
    let first = repetition::trace(runs, by, 0)?;
    for other in 1..times as usize {
        if let Some(parting) = repetition::compare(runs, by, 0, other, &first)? {
            return Ok(Some(format!(
                "rjvm: runs 1 and {} part {parting}",
                other + 1
            )));
        }
    }
    if !runs.config.quiet {
        eprintln!(
            "rjvm: {times} runs of {} bytecodes are the same",
            executed(&first)
        );
    }
    Ok(None)
}

fn executed(trace: &Trace) -> i64 {
    trace.end.map_or(0, |e| e.executed)
}

/// A program as the command line has it.
struct Launched<'a> {
    config: &'a Config,
    library: &'a Installed,
    parts: &'a dyn Fn() -> Parts,
    /// What has been read from standard input: it is the same for all runs.
    input: Arc<Mutex<Vec<u8>>>,
    /// Its output has been shown.
    shown: bool,
    /// Exit code of the first run.
    code: i32,
}

impl Runs for Launched<'_> {
    fn run(&mut self, _side: usize, probe: &Probe) -> Result<Option<i32>, String> {
        let (mut host, natives) = (self.parts)();
        let is_first = !std::mem::replace(&mut self.shown, true);
        if let Some(os) = host.as_any().downcast_mut::<OsHost>() {
            let streams = Streams {
                input: Some(Box::new(Again {
                    all: self.input.clone(),
                    at: 0,
                })),
                output: Some(output(is_first, std::io::stdout())),
                error: Some(output(is_first, std::io::stderr())),
            };
            os.descriptors = Box::new(OsDescriptors::new(&os.open, streams));
        }
        let mut assembly = assembly(self.config, (host, natives));
        assembly.faults = faults(self.config, is_first && !self.config.quiet);
        let made = assembly.make(self.library);
        let mut vm = made.map_err(|e| e.to_string())?.core;
        probe.install(&mut vm);
        let ended = vm.guarded(|vm| program(vm, self.config));
        let code = match ended.unwrap_or_else(|fault| Err(Stop::Fault(fault))) {
            Ok(code) => code,
            Err(Stop::OutOfFuel) => return Ok(None),
            // told once
            Err(stop) if is_first => stopped(&mut vm, self.config, stop, &Tape::None),
            Err(Stop::Exit(code)) => code,
            Err(Stop::Fault(fault)) => return Err(format!("a run failed: {fault}")),
            Err(Stop::Threw(_) | Stop::Deadlock(_) | Stop::Halted(_)) => 1,
        };
        probe.ended(&mut vm, code);
        if is_first {
            self.code = code;
        }
        Ok(Some(code))
    }
}

fn output(shown: bool, stream: impl Write + Send + 'static) -> Box<dyn Write + Send> {
    match shown {
        true => Box::new(stream),
        false => Box::new(std::io::sink()),
    }
}

/// Standard input from its beginning.
struct Again {
    all: Arc<Mutex<Vec<u8>>>,
    at: usize,
}

impl Read for Again {
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
