//! Signs of life on standard error: a status line while the program runs (`--status`), what an interrupt does,
//! and that files are being written.

use super::config::{Config, LaunchTask};
use super::tool::{ProgramRun, Tool, ToolFailure};
use crate::messages;
use rjvm_profiler::summary::grouped;
use rjvm_vm::Vm;
use rjvm_vm::events::{Event, EventSet, EventView, Observer};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

const SIGINT: i32 = 2;

/// The signs of life that the options ask for.
pub struct WatchOptions;

impl Tool for WatchOptions {
    fn name(&self) -> &'static str {
        "signs of life"
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        start(vm, &run.config);
        Ok(())
    }
}

fn start(vm: &mut Vm, config: &Config) {
    let writes = writes(config);
    if config.task != LaunchTask::Run || !config.status && !writes {
        return;
    }
    let terminal = stderr().is_terminal();
    let now = Instant::now();
    vm.observe(Box::new(Watching {
        status: config.status,
        writes,
        quiet: config.quiet,
        interrupts: 0,
        terminal,
        every: Duration::from_secs(if terminal { 1 } else { 10 }),
        begun: now,
        reported: now,
        bytecodes: 0,
    }));
}

fn writes(config: &Config) -> bool {
    let files = config.outputs.len() + config.sample_outputs.len();
    config.profiles() && (files > 0 || config.sample_log.is_some())
}

/// The program has ended and its profile about to be written: from now on an interrupt ends the process.
pub fn writing(vm: &mut Vm, config: &Config) {
    if !writes(config) {
        return;
    }
    // refused by a host without signals, which then never arrive
    let _ = vm.rooms().host.unwatch_signal(SIGINT, false);
    if stderr().is_terminal() && !config.quiet {
        // what is written in a moment is soon said to be
        eprint!("\r\x1b[Kwriting ...\r");
    }
}

/// Removes the note that files are being written.
pub fn written(config: &Config) {
    if writes(config) && stderr().is_terminal() && !config.quiet {
        eprint!("\x1b[K");
    }
}

struct Watching {
    status: bool,
    writes: bool,
    quiet: bool,
    interrupts: u32,
    terminal: bool,
    every: Duration,
    begun: Instant,
    /// When the last line was shown, and what had been executed.
    reported: Instant,
    bytecodes: i64,
}

impl Observer for Watching {
    fn events(&self) -> EventSet {
        EventSet::TURNS | EventSet::SIGNALS
    }

    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        match event {
            Event::Turn => self.turn(seen),
            Event::Signal(number) => self.signal(number),
            _ => {}
        }
    }
}

impl Watching {
    fn turn(&mut self, seen: &mut EventView<'_>) {
        let passed = self.reported.elapsed();
        if !self.status || passed < self.every {
            return;
        }
        let bytecodes = seen.bytecodes();
        let rate = (bytecodes - self.bytecodes) as f64 / passed.as_secs_f64() / 1e6;
        let (contexts, memory) = seen.contexts_recorded();
        let line = format!(
            "rjvm: {} s, {} bytecodes ({rate:.0} million/s), {} contexts in {} MB, heap {} MB",
            self.begun.elapsed().as_secs(),
            grouped(bytecodes as u64),
            grouped(contexts),
            memory >> 20,
            seen.heap_used() >> 20
        );
        match self.terminal {
            true => eprint!("\r\x1b[K{line}\r"),
            false => eprintln!("{line}"),
        }
        (self.reported, self.bytecodes) = (Instant::now(), bytecodes);
    }

    fn signal(&mut self, number: i32) {
        if number != SIGINT || !self.writes {
            return;
        }
        self.interrupts += 1;
        match self.interrupts {
            1 if self.quiet => {}
            1 => messages::note(
                &"interrupted; rjvm writes the profile after the shutdown hooks have run (interrupt again to abort)",
            ),
            _ => {
                messages::note(&"aborted; rjvm writes no profile");
                std::process::exit(128 + SIGINT);
            }
        }
    }
}
