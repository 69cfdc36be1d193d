//! What a run says about compiled code: each method when it is compiled (`-XX:+PrintCompilation`), a map of the code for `perf`
//! (`--perf-map`, `-XX:+DumpPerfMapAtExit`), and figures when the program has ended.

use super::perf_map::PerfMap;
use super::tool::{ProgramRun, Tool, ToolFailure};
use crate::messages;
use rjvm_vm::Vm;
use rjvm_vm::interp::{Compilation, InterpretedMode, TIER};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Whether code can be compiled, and how much was.
#[derive(Default)]
pub struct Tier {
    map: Option<Arc<Mutex<PerfMap>>>,
}

impl Tool for Tier {
    fn name(&self) -> &'static str {
        "the report of the compiled tier"
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        let config = &run.config;
        let prints = config.print_compilation;
        let failed = |e: std::io::Error| {
            let file = PerfMap::file();
            ToolFailure::of("--perf-map", &format_args!("{}: {e}", file.display()))
        };
        if config.perf_map {
            let map = PerfMap::live().map_err(failed)?;
            self.map = Some(Arc::new(Mutex::new(map)));
        } else if config.perf_map_at_exit {
            self.map = Some(Arc::default());
        }
        if !TIER || !prints && self.map.is_none() {
            return Ok(());
        }
        let map = self.map.clone();
        vm.on_compilation(Box::new(move |compilation| {
            if prints {
                // whoever reads may have seen enough
                let _ = writeln!(std::io::stdout().lock(), "{}", line(compilation));
            }
            if let Some(map) = &map {
                let mut map = map.lock().unwrap_or_else(PoisonError::into_inner);
                map.add(compilation);
            }
        }));
        Ok(())
    }
    fn finish(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> bool {
        let found = vm.tier_use();
        if found.refused && !run.config.quiet {
            let why = "the system has no memory for compiled code: rjvm interprets all methods, with the same counts";
            messages::note(&why);
        }
        if run.config.tier_report {
            let (all, compiled) = found.instructions;
            eprintln!(
                "tier: {} methods compiled, {compiled} of their {all} instructions, {} bytes, {} calls inlined",
                found.compiled, found.bytes, found.inlined
            );
            if let Some(why) = vm.interpreted() {
                eprintln!("tier: rjvm interprets all methods: {why}");
            }
        }
        let Some(map) = &self.map else { return true };
        let mut map = map.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(e) = map.finish() {
            let file = PerfMap::file();
            messages::error(&format_args!("{}: {e}", file.display()));
            return false;
        }
        true
    }
}

/// A line of `-XX:+PrintCompilation`: bytecodes executed, method, bytes of its bytecode, and of its code.
fn line(c: &Compilation<'_>) -> String {
    let (at, class, method, bytecode) = (c.at, c.class, c.method, c.bytecode);
    let begin = format!("{at:>12}  {class}.{method} ({bytecode} bytes)");
    match c.outcome {
        Ok(code) => {
            let (bytes, (compiled, all)) = (code.bytes, code.instructions);
            format!("{begin}: {bytes} bytes of code, {compiled} of {all} instructions")
        }
        Err(why) => format!("{begin}: not compiled: {why}"),
    }
}

/// The note of a summary for a run that is interpreted, if no option requested that.
pub fn interpreted(vm: &Vm) -> Option<String> {
    match vm.interpreted()? {
        InterpretedMode::Chosen | InterpretedMode::Platform | InterpretedMode::Refused => None,
        why => Some(format!("rjvm interpreted all methods: {why}")),
    }
}
