//! `--replay`: a program under a schedule that `rjvm explore` has written.

use super::codes::PARTED;
use super::config::{Config, OptionScope};
use super::option::OptionProblem;
use super::tool::{ProgramRun, Tool, ToolFailure};
use crate::messages;
use rjvm_explore::schedule::Schedule;
use rjvm_explorer::memory::is_weak;
use rjvm_explorer::{Explorer, SharedExplorer};
use rjvm_vm::Vm;
use rjvm_vm::vm::Explored;
use std::path::Path;

/// Has the program run under the schedule of this file. A recording has its text with it.
pub fn choose(config: &mut Config, path: &str) -> Result<(), OptionProblem> {
    let wrong =
        |problem: &dyn std::fmt::Display| OptionProblem::Own(format!("--replay={path}: {problem}"));
    let known = match config.only {
        OptionScope::Execution => config.schedule.take(),
        _ => None,
    };
    let text = match known {
        Some(text) => text,
        None => std::fs::read_to_string(Path::new(path)).map_err(|e| wrong(&e))?,
    };
    let schedule = Schedule::parse(&text).map_err(|e| wrong(&e))?;
    let memory = is_weak(&schedule) || config.explorable;
    config.vm.explored = Some(Explored { memory });
    config.replay = Some(schedule);
    config.schedule = Some(text);
    Ok(())
}

/// The run follows a schedule, if one is given.
#[derive(Default)]
pub struct Replay(Option<SharedExplorer>);

impl Tool for Replay {
    fn name(&self) -> &'static str {
        "the schedule"
    }
    fn start(&mut self, _: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        // that of a test begins with the test
        let program = |s: &&Schedule| s.header.test.is_empty();
        let Some(schedule) = run.config.replay.as_ref().filter(program) else {
            return Ok(());
        };
        let control = SharedExplorer::default();
        control.with(|e| *e = Explorer::replay(schedule));
        self.0 = Some(control.clone());
        run.at_main = Some(Box::new(move |vm| {
            vm.set_control(Box::new(control));
            true
        }));
        Ok(())
    }
    /// Whether the run was the one of the schedule.
    fn finish(&mut self, _: &mut Vm, run: &mut ProgramRun) -> bool {
        let parting = self.0.take().and_then(|e| e.with(Explorer::parting));
        if let Some(how) = parting {
            messages::error(&format_args!("the run does not follow the schedule: {how}"));
            run.code = PARTED;
            return true;
        }
        // a program that was changed, or one that had no end
        let schedule = run.config.replay.as_ref();
        let failure = schedule.map_or("", |s| &s.header.failure);
        if run.code == 0 && !failure.is_empty() {
            messages::note(&format_args!(
                "the failure of the schedule did not occur: {failure}"
            ));
        }
        true
    }
}
