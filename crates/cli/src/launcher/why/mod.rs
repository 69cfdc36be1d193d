//! `rjvm why`: runs a program and says when, where and why it takes its time.

pub mod command;
mod copies;
mod gather;

use super::config::Config;
use gather::Gatherer;
use rjvm_vm::Vm;
use rjvm_why::report;
use std::io::Write;

/// A run that is looked at.
pub struct Looked(Gatherer);

/// Begins to look, if that is asked for.
pub fn start(vm: &mut Vm, config: &Config) -> Option<Looked> {
    config.why.as_ref()?;
    let gatherer = Gatherer::start(vm);
    gatherer.begin(vm);
    Some(Looked(gatherer))
}

/// The program is over: writes the report; false if it could not be written.
pub fn finish(looked: Looked, vm: &mut Vm, config: &Config) -> bool {
    let Some(why) = &config.why else { return true };
    let virtual_clock = config.vm.virtual_clock.is_some() || config.deterministic.is_some();
    let recording = looked.0.finish(vm, config.program(), virtual_clock);
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
            eprintln!("Error: {path}: {e}");
            good = false;
        }
    }
    good
}
