//! The source of a schedule's decisions, and the default decision.

use rjvm_explore::schedule::{Action, Line};
use rjvm_explore::trace::Recorder;
use rjvm_explore::{Candidate, Choice, Guided, OpKind, Strategy};
use rjvm_vm::threads::control::ChoicePoint;
use std::collections::{BTreeMap, VecDeque};

/// Who decides.
pub enum Guide {
    /// A strategy.
    Free(Box<dyn Strategy>),
    /// The plan of an exhaustive exploration, which learns the result.
    Planned(Box<Recorder<Guided>>),
    /// A schedule, in which each line has its place among all bytecodes.
    Replay(VecDeque<Line>),
    /// The rest of a schedule whose lines were partly left out: each line has its place among its thread's own bytecodes.
    Loose(BTreeMap<ChoiceKey, VecDeque<Action>>),
}

impl Guide {
    /// Whether each thread has its turn before a schedule counts as endless: a plan that is one of all has them by itself, and
    /// noted schedules have had them.
    pub(crate) fn is_fair_at_last(&self) -> bool {
        matches!(self, Guide::Free(_) | Guide::Loose(_))
    }
    /// The strategy, if it is one that decides.
    pub(crate) fn strategy(&mut self) -> Option<&mut dyn Strategy> {
        match self {
            Guide::Free(strategy) => Some(&mut **strategy),
            Guide::Planned(recorder) => Some(&mut **recorder),
            Guide::Replay(_) | Guide::Loose(_) => None,
        }
    }
}

/// The place of a choice among the bytecodes of the thread that is at a point, or ran last: the thread, how many bytecodes
/// it has executed, and which operation there it is.
pub type ChoiceKey = (u32, u64, u32);

pub(crate) fn key(moment: ChoicePoint) -> ChoiceKey {
    (moment.thread.0, moment.own as u64, moment.own_nth)
}

/// The choice where a schedule has none: the current thread continues; if it cannot, the one with the lowest number does. A
/// waiting thread's time has ended only if nothing else can continue.
pub(crate) fn default(choice: &Choice<'_>) -> usize {
    let timeout = |c: &Candidate| c.op.kind == OpKind::Timeout;
    choice.current.unwrap_or_else(|| {
        let first = choice.candidates.iter().position(|c| !timeout(c));
        first.unwrap_or(0)
    })
}

/// Whether an action is this candidate's.
pub(crate) fn is_meant(action: Action, c: &Candidate) -> bool {
    match action {
        Action::Run(t) => c.thread == t && c.op.kind != OpKind::Timeout,
        Action::Timeout(t) => c.thread == t && c.op.kind == OpKind::Timeout,
        _ => false,
    }
}
