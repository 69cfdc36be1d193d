//! `rjvm search`: looks for bottlenecks while a program runs, by instruments that are placed where the search has come to.

pub mod command;
mod placed;
mod waits;

use super::config::Config;
use placed::Placed;
use rjvm_vm::Vm;
use rjvm_why::search::{self, Told};
use std::io::Write;

/// Begins to search, if that is asked for.
pub fn start(vm: &mut Vm, config: &Config) -> Option<Placed> {
    let asked = config.search.as_ref()?;
    Some(Placed::start(vm, asked))
}

/// The program is over: writes what was found; false if it could not be written.
pub fn finish(placed: &Placed, vm: &mut Vm, config: &Config) -> bool {
    let Some(asked) = &config.search else {
        return true;
    };
    let metric = asked.metric.name();
    let program = config.program();
    let written = placed.with(vm, |found, names, bytecodes| {
        let told = Told {
            program: &program,
            metric,
            names,
            bytecodes,
        };
        if asked.outputs.is_empty() {
            eprint!("\n{}", search::text(found, &told));
        }
        let mut good = true;
        for path in &asked.outputs {
            let text = match path.rsplit_once('.').map(|p| p.1) {
                Some("html") => search::html(found, &told),
                Some("dot") => search::dot(found, &told),
                Some("json") => search::json(found, &told),
                _ => search::text(found, &told),
            };
            let written =
                std::fs::File::create(path).and_then(|mut f| f.write_all(text.as_bytes()));
            if let Err(e) = written {
                eprintln!("Error: {path}: {e}");
                good = false;
            }
        }
        good
    });
    written.unwrap_or_else(|| {
        eprintln!("rjvm search: no method of the program was called");
        true
    })
}
