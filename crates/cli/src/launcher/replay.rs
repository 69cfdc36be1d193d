//! `--replay`: a program under a schedule that `rjvm explore` has written.

use super::config::{Config, Only};
use crate::explore::memory::is_weak;
use crate::explore::{Explorer, Shared};
use rjvm_explore::schedule::Schedule;
use rjvm_run::program::AtMain;
use rjvm_vm::vm::Explored;
use std::path::Path;

/// Has the program run under the schedule of this file. A recording has its text with it.
pub fn choose(config: &mut Config, path: &str) -> Result<(), String> {
    let wrong = |problem: &dyn std::fmt::Display| format!("--replay={path}: {problem}");
    let known = match config.only {
        Only::Execution => config.schedule.take(),
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

/// The replay of a run.
pub struct Replay(Option<Shared>);

impl Replay {
    /// What is to be replayed, and what is done when `main` begins.
    pub fn of(config: &Config) -> (Replay, Option<AtMain>) {
        // that of a test begins with the test
        let program = |s: &&Schedule| s.header.test.is_empty();
        let Some(schedule) = config.replay.as_ref().filter(program) else {
            return (Replay(None), None);
        };
        let control = Shared::default();
        control.with(|e| *e = Explorer::replay(schedule));
        let shared = control.clone();
        let at_main: AtMain = Box::new(move |vm| {
            vm.set_control(Box::new(shared));
            true
        });
        (Replay(Some(control)), Some(at_main))
    }
    /// Why the run was not the one of the schedule, if it was not.
    pub fn parted(self) -> Option<String> {
        self.0?.with(Explorer::parting)
    }
}
