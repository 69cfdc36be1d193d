//! `rjvm search`: looks for bottlenecks while a program runs, by instruments that are placed where the search has come to.

pub mod command;
mod placed;
mod waits;

use super::config::Config;
use super::settings::search::SearchSettings;
use super::tool::{ProgramRun, Tool, ToolFailure};
use crate::messages;
use placed::Placed;
use rjvm_vm::Vm;
use rjvm_why::search::{self, RunFacts};
use std::io::Write;

/// A search, if that is requested.
#[derive(Default)]
pub struct Searching(Option<Placed>);

impl Tool for Searching {
    fn name(&self) -> &'static str {
        "the report"
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        let requested = run.config.search.as_ref();
        self.0 = requested.map(|requested| Placed::start(vm, requested));
        Ok(())
    }
    fn finish(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> bool {
        match (&self.0, &run.config.search) {
            (Some(placed), Some(requested)) => finish(placed, requested, vm, &run.config),
            _ => true,
        }
    }
}

/// Writes the findings; false if that failed.
fn finish(placed: &Placed, requested: &SearchSettings, vm: &mut Vm, config: &Config) -> bool {
    let metric = requested.metric.name();
    let program = config.program();
    let written = placed.with(vm, |found, names, bytecodes| {
        let reported = RunFacts {
            program: &program,
            metric,
            names,
            bytecodes,
        };
        if requested.outputs.is_empty() {
            eprint!("\n{}", search::text(found, &reported));
        }
        let mut good = true;
        for path in &requested.outputs {
            let text = match path.rsplit_once('.').map(|p| p.1) {
                Some("html") => search::html(found, &reported),
                Some("dot") => search::dot(found, &reported),
                Some("json") => search::json(found, &reported),
                _ => search::text(found, &reported),
            };
            let written =
                std::fs::File::create(path).and_then(|mut f| f.write_all(text.as_bytes()));
            if let Err(e) = written {
                messages::error(&format_args!("{path}: {e}"));
                good = false;
            }
        }
        good
    });
    written.unwrap_or_else(|| {
        messages::note(&"no method of the program was called");
        true
    })
}
