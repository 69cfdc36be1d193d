//! The tools of a run in one table: what the command line may ask for beside running the program.

use super::tool::{ProgramRun, Tool, ToolFailure, finished};
use super::{
    agent, control, debugger, diagnosis, dump, event_log, ground, hprof, jfr, outputs, probes,
    profile, record, replay, search, snapshots, stops, taken, tier, watch, why, window,
};
use rjvm_vm::Vm;

/// A row of the table: a tool, and its place among those that finish.
type ToolRow = (Box<dyn Tool>, u8);

/// Tools that have nothing to finish.
const NONE: u8 = u8::MAX;

/// The tools of a run.
pub struct Tools(Vec<ToolRow>);

impl Tools {
    /// All of them, in the order in which they start and observe the VM. The number gives
    /// the order in which they finish, since later tools see the effects of earlier ones.
    pub fn new(probes: &probes::ProbeRegistry) -> Tools {
        let events = event_log::EventLogSlot::default();
        let control = control::Control::new(&events, probes);
        Tools(vec![
            // first, so that it sees the steps of the others
            (Box::new(diagnosis::Diagnosis::default()), 15),
            (Box::new(outputs::Names), NONE),
            (Box::new(dump::Dump), 12),
            (Box::new(probes.clone()), 1),
            (Box::new(record::RecordedRun), 6),
            (Box::new(snapshots::Snapshots), NONE),
            (Box::new(taken::Filters), NONE),
            (Box::new(watch::WatchOptions), NONE),
            (Box::new(stops::Stops::default()), 4),
            (Box::new(window::Windowed), 5),
            (Box::new(events), 8),
            (Box::new(why::WhyTool::default()), 11),
            (Box::new(search::Searching::default()), 11),
            (Box::new(control), 3),
            (Box::new(profile::Profiled::default()), 10),
            (Box::new(jfr::Flight), 9),
            (Box::new(agent::Agent::default()), 13),
            (Box::new(ground::Explorable), NONE),
            (Box::new(debugger::Attachable), 0),
            (Box::new(hprof::HprofTool::default()), 7),
            (Box::new(replay::Replay::default()), 2),
            (Box::new(tier::Tier::default()), 14),
        ])
    }

    /// Takes the step of that name with each tool, in order.
    ///
    /// # Errors
    /// The first one that fails.
    pub fn each(
        &mut self,
        name: &str,
        mut step: impl FnMut(&mut dyn Tool) -> Result<(), ToolFailure>,
    ) -> Result<(), ToolFailure> {
        self.0.iter_mut().try_for_each(|(tool, _)| {
            diagnosis::step(name, &**tool);
            step(&mut **tool)
        })
    }

    /// The program has ended. False if one of the tools could not do all.
    pub fn finish(mut self, vm: &mut Vm, run: &mut ProgramRun) -> bool {
        self.0.retain(|(_, place)| *place != NONE);
        self.0.sort_by_key(|(_, place)| *place);
        let mut good = true;
        for (tool, _) in &mut self.0 {
            diagnosis::step("finish", &**tool);
            good &= finished(tool.name(), || tool.finish(vm, run));
        }
        good
    }
}
