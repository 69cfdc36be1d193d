//! `--explorable`: what explorations of tests find in the VM that runs these.

use super::config::Config;
use super::tool::{ProgramRun, Tool, ToolFailure};
use crate::testing::ground::{ExplorerSetup, install};
use rjvm_vm::Vm;

/// The tests of the program can be run under many schedules.
pub struct Explorable;

impl Tool for Explorable {
    fn name(&self) -> &'static str {
        "what explorations need"
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        if run.config.explorable {
            install(vm, ground(&run.config));
        }
        Ok(())
    }
}

/// What explorations of tests need to know.
fn ground(config: &Config) -> ExplorerSetup {
    let temporary = |w: &&String| !w.starts_with("-Drjvm.test.after=");
    let mut words: Vec<String> = config.command.iter().filter(temporary).cloned().collect();
    words.extend(config.args.iter().cloned());
    ExplorerSetup {
        arguments: words,
        jdk: config.jdk_version.clone(),
        sources: Box::new(config.all_sources()),
        replay: config.replay.clone().filter(|s| !s.header.test.is_empty()),
    }
}
