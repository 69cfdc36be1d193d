//! What the process of one schedule reports the one that started it. Both are the same program.

use super::process::Output;
use rjvm_explore::result::{Outcome, RaceFound};
use rjvm_explore::schedule::{Action, Line};
use rjvm_explorer::{ChoiceKey, SharedExplorer, TraceStep};
use rjvm_vm::Vm;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The result of a schedule that has ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScheduleResult {
    /// How it ended.
    pub outcome: Outcome,
    /// Choices that were not the default.
    pub lines: Vec<Line>,
    /// Their places in their threads.
    pub keys: Vec<Option<ChoiceKey>>,
    /// Bytecodes executed since `main` began.
    pub bytecodes: u64,
    /// Choices between several threads.
    pub choices: u64,
    /// Threads other than the class library's.
    pub threads: u32,
    /// Places of the code that others could notice, and that were not known.
    pub sites: Vec<u64>,
    /// A hash of who did what in which order.
    pub path: u64,
    /// The replay did not find what its schedule says.
    pub parted: Option<String>,
    /// The operations, if they were requested.
    pub trace: Vec<TraceStep>,
    /// Data races, if they were looked for.
    pub races: Vec<RaceFound>,
    /// The threads' names, by number.
    pub names: BTreeMap<u32, String>,
    /// What came of a plan: a [`Trace`](rjvm_explore::trace::Trace) as bytes.
    pub plan: Vec<u8>,
    /// The rest would only have repeated another schedule.
    pub redundant: bool,
    /// What it printed.
    #[serde(skip)]
    pub printed: Output,
    /// Methods of the class library that it has translated, if that was requested.
    pub methods: Vec<[String; 3]>,
}

/// Leaves out the part between the beginning of the program and the beginning of the explored test.
fn cut(stack: &mut Vec<String>) {
    const FRAMEWORK: [&str; 5] = [
        "jdk.internal.reflect.",
        "java.lang.reflect.",
        "org.junit.",
        "junit.framework.",
        "rjvm.test.",
    ];
    let explores = |f: &String| f.starts_with("rjvm.test.Explorer.explore0(");
    let Some(end) = stack.iter().position(explores) else {
        return;
    };
    stack.truncate(end);
    let of_test = |f: &String| {
        let f = f.strip_prefix("java.base/").unwrap_or(f);
        FRAMEWORK.iter().all(|p| !f.starts_with(p))
    };
    if let Some(last) = stack.iter().rposition(of_test) {
        stack.truncate(last + 1);
    }
}

impl ScheduleResult {
    /// The result of a schedule that has ended with this outcome.
    pub fn of(vm: &mut Vm, control: &SharedExplorer, outcome: Outcome) -> ScheduleResult {
        let bytecodes = vm.bytecodes_under_control();
        let threads = vm.threads_so_far();
        let races = control.with(|e| e.races.take());
        let left = vm.blocked_ops();
        let mut data = control.with(|e| ScheduleResult {
            plan: e
                .came_of_plan(left)
                .map_or(Vec::new(), |trace| trace.to_bytes()),
            redundant: e.redundant,
            outcome: match (e.uncaught.take(), outcome) {
                (None, Outcome::Livelock { .. }) if e.redundant => Outcome::Ok,
                (_, died @ Outcome::Died { .. }) => died,
                // what comes of an exception is that exception's failure
                (Some(thrown), _) => thrown,
                (None, outcome) => outcome,
            },
            lines: std::mem::take(&mut e.lines),
            keys: std::mem::take(&mut e.keys),
            bytecodes,
            choices: e.choices,
            threads: threads.len() as u32,
            sites: e.new_sites(),
            path: e.path,
            parted: e.parting(),
            trace: e.trace.take().unwrap_or_default().into(),
            names: threads
                .into_iter()
                .chain(std::mem::take(&mut e.names))
                .collect(),
            ..ScheduleResult::default()
        });
        data.outcome.each_stack(cut);
        if let Some(races) = races {
            data.races = races.found(vm, &data.names, 0);
        }
        data
    }
    /// The choices that were not the default, by their places in their threads, except for those that are made by themselves.
    pub fn decisions(&self) -> Vec<(ChoiceKey, Action)> {
        let actions = self.lines.iter().map(|l| l.action);
        let all = self.keys.iter().zip(actions);
        all.filter_map(|(k, a)| Some(((*k)?, a))).collect()
    }
    /// As bytes.
    pub fn write(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("all keys are strings or numbers")
    }
    /// From bytes; `None`: they are cut off.
    pub fn read(bytes: &[u8]) -> Option<ScheduleResult> {
        serde_json::from_slice(bytes).ok()
    }
}
