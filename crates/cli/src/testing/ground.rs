//! What the host of a VM leaves there for explorations of its tests, and what it does when the VM has come to an end in one.

use crate::explore::{PRELUDE, RunningExploration, process};
use rjvm_explore::schedule::Schedule;
use rjvm_explorer::SharedExplorer;
use rjvm_profiler::export::Sources;
use rjvm_vm::Vm;
use rjvm_vm::startup::CallStop;
use rjvm_vm::vm::Extensions;
use std::fs::File;
use std::io::Write;

const KEY: &str = "rjvm/test/Explorer";
/// Bytecodes after which a schedule counts as endless.
pub(super) const MAX_BYTECODES: u64 = 100_000_000;

/// What explorations of tests need to know of the VM's command line.
pub struct ExplorerSetup {
    /// The arguments that run the tests again.
    pub arguments: Vec<String>,
    /// The version of the JDK.
    pub jdk: String,
    /// Where the lines of the program are.
    pub sources: Box<dyn Sources + Send>,
    /// The schedule to replay instead.
    pub replay: Option<Schedule>,
}

/// What the VM keeps.
pub(super) struct ExplorerState {
    pub ground: ExplorerSetup,
    /// Decides, in the test that is run again, or in the process of an exploration.
    pub control: SharedExplorer,
    /// A test is run again.
    pub is_replayed: bool,
    /// An exploration, in its own process or in the process of one of its schedules, and the file for its findings.
    pub under_way: Option<(RunningExploration, File)>,
    /// The tests that have failed.
    pub failed: Vec<String>,
}

pub(super) fn kept(extensions: &mut Extensions) -> Option<&mut ExplorerState> {
    extensions.get_mut(KEY)?.downcast_mut()
}

/// From now on this VM can explore its tests.
pub fn install(vm: &mut Vm, ground: ExplorerSetup) {
    let control = SharedExplorer::default();
    let limit = match ground.replay {
        Some(_) => None,
        None => Some(PRELUDE as i64),
    };
    vm.offer_control(Box::new(control.clone()), limit);
    let kept = ExplorerState {
        ground,
        control,
        is_replayed: false,
        under_way: None,
        failed: Vec::new(),
    };
    vm.extensions().insert(KEY, Box::new(kept));
}

/// The VM has come to an end, in this way. If this is the process of an exploration or of one of its schedules, it reports what it has to report,
/// and has ended; otherwise nothing is done.
pub fn over(vm: &mut Vm, end: Result<i32, CallStop>) -> Result<i32, CallStop> {
    let Some((exploration, mut reported)) = kept(vm.extensions()).and_then(|k| k.under_way.take())
    else {
        return end;
    };
    let mut session = exploration.ended(vm, end);
    let kept = kept(vm.extensions()).expect("as above");
    session.show(&*kept.ground.sources);
    let found = match &session.problem {
        None => Ok(&session.found),
        Some(problem) => Err(problem.to_string()),
    };
    // if it cannot be reported, the other process sees that nothing was
    let text = serde_json::to_vec(&found).unwrap_or_default();
    let _ = reported.write_all(&text);
    process::leave()
}
