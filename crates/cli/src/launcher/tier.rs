//! The report about the compiled tier when the program has ended.

use super::tool::{ProgramRun, Tool};
use crate::messages;
use rjvm_vm::Vm;

/// Whether code can be compiled, and how much was.
pub struct Tier;

impl Tool for Tier {
    fn name(&self) -> &'static str {
        "the report of the compiled tier"
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
        }
        true
    }
}
