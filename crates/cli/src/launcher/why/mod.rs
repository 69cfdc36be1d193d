//! `rjvm why`: runs a program and says when, where and why it takes its time.

pub mod command;
mod copies;
mod gather;

use super::config::Config;
use super::settings::why::WhySettings;
use super::tool::{ProgramRun, Tool, ToolFailure};
use crate::messages;
use gather::Gatherer;
use rjvm_vm::Vm;
use rjvm_why::report;
use std::io::Write;

/// A run that is looked at, if that is requested.
#[derive(Default)]
pub struct WhyTool(Option<Gatherer>);

impl Tool for WhyTool {
    fn name(&self) -> &'static str {
        "the report"
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        if run.config.why.is_some() {
            let gatherer = Gatherer::start(vm);
            gatherer.begin(vm);
            self.0 = Some(gatherer);
        }
        Ok(())
    }
    fn finish(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> bool {
        match (self.0.take(), &run.config.why) {
            (Some(gatherer), Some(why)) => finish(gatherer, why, vm, &run.config),
            _ => true,
        }
    }
}

/// Writes the report; false if it could not be written.
fn finish(gatherer: Gatherer, why: &WhySettings, vm: &mut Vm, config: &Config) -> bool {
    let virtual_clock = config.vm.virtual_clock.is_some() || config.deterministic.is_some();
    let recording = gatherer.finish(vm, config.program(), virtual_clock);
    let found = rjvm_why::analyse(&recording);
    if why.outputs.is_empty() {
        eprint!("\n{}", report::text(&found, why.top));
    }
    let mut good = true;
    for path in &why.outputs {
        let text = match path.rsplit_once('.').map(|p| p.1) {
            Some("html") => report::html(&found),
            Some("json") => report::json(&found),
            _ => report::text(&found, why.top),
        };
        let written = std::fs::File::create(path).and_then(|mut f| f.write_all(text.as_bytes()));
        if let Err(e) = written {
            messages::error(&format_args!("{path}: {e}"));
            good = false;
        }
    }
    good
}
