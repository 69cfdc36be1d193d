//! Snapshots: the profile so far, when a signal asks for it.

use super::config::{Config, LaunchTask};
use super::tool::{ProgramRun, Tool, ToolFailure};
use super::{outputs, report};
use crate::messages;
use rjvm_profiler::export::Output;
use rjvm_vm::Vm;
use rjvm_vm::threads::signals::Snapshot;

/// Snapshots are written while the program runs.
pub struct Snapshots;

impl Tool for Snapshots {
    fn name(&self) -> &'static str {
        "snapshots"
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        let own = of_snapshot(&run.config)
            .map(|config| -> Snapshot { Box::new(move |vm: &mut Vm| snapshot(vm, &config)) });
        let snapshot = match run.waited {
            None => own,
            Some(true) => Some(own.unwrap_or_else(|| Box::new(|_| ()))),
            Some(false) => None,
        };
        if let Some(snapshot) = snapshot {
            vm.on_snapshot(snapshot);
        }
        Ok(())
    }
}

/// The report of a requested snapshot, if one can be taken: of profiles that are written to
/// files.
pub fn of_snapshot(config: &Config) -> Option<Config> {
    let files = !(config.outputs.is_empty() && config.sample_outputs.is_empty());
    (config.task == LaunchTask::Run && config.profiles() && files).then(|| {
        let mut config = config.clone();
        config.sample_log = None;
        config.quiet = true;
        config.goes_on = true;
        config
    })
}

/// Writes a snapshot: the profile so far, to files with a number before the extension.
fn snapshot(vm: &mut Vm, config: &Config) {
    let mut config = config.clone();
    let outputs = config.outputs.iter_mut().chain(&mut config.sample_outputs);
    for output in outputs.filter(|o| !o.is_stdout()) {
        output.path = outputs::snapshot(&output.path);
        // reserved by an empty file, which is to be replaced
        let _ = std::fs::remove_file(&output.path);
    }
    // their names have just been made
    config.before.clear();
    if report::report(vm, &config) {
        let outputs = config.outputs.iter().chain(&config.sample_outputs);
        let names: Vec<String> = outputs.map(Output::name).collect();
        messages::note(&format_args!("snapshot written to {}", names.join(", ")));
    }
}
