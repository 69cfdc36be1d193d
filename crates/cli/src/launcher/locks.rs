//! `--profile=locks`: what threads lose to each other, as a table and as a profile.

use super::config::Config;
use super::{outputs, report};
use crate::locks::LockProfiler;
use crate::messages;
use rjvm_vm::Vm;
use std::io::Write;

/// Begins to listen, if the options ask for it.
pub fn start(vm: &mut Vm, config: &Config, taped: bool) -> Option<LockProfiler> {
    config.locks.then(|| {
        let locks = LockProfiler::new(!taped);
        vm.observe(Box::new(locks.clone()));
        locks
    })
}

/// Writes the lost work: the table to standard error or where `--locks` says, profiles to the outputs. False if one could
/// not be written.
pub fn report(vm: &mut Vm, config: &Config, locks: &LockProfiler) -> bool {
    let virtual_clock = config.vm.virtual_clock.is_some() || config.deterministic.is_some();
    let (profile, file, shown) = locks.with(|locks| {
        locks.finish(vm);
        let (file, shown) = (locks.table(virtual_clock), locks.table(locks.is_timed()));
        (locks.profile(vm), file, shown)
    });
    let waits = vm.monitor_dump();
    let waits = match waits.waits.is_empty() {
        true => String::new(),
        false => vm.describe_monitors(&waits),
    };
    let mut good = true;
    if let Some(path) = &config.locks_file {
        let (path, message) = outputs::target(config, path);
        if let Some(message) = message {
            messages::note(&format_args!("{message}; see {}", path.display()));
        }
        let written = std::fs::File::create(&path)
            .and_then(|mut f| f.write_all(format!("{file}{waits}").as_bytes()));
        if let Err(e) = written {
            messages::error(&format_args!(
                "{}: cannot write the table: {e}",
                path.display()
            ));
            good = false;
        }
    }
    if !config.quiet {
        eprint!("\n{shown}{waits}");
    }
    match profile {
        Ok(_) if config.outputs.is_empty() => good,
        Ok(profile) => report::write_samples(vm, config, profile) && good,
        Err(e) => report::broken(&e),
    }
}
