//! The default strategy: a thread continues while it can.

use super::{Choice, Spinning, Start, Strategy};
use crate::{Op, OpKind, ThreadNo};

/// The thread that ran continues while it can; then the one with the lowest number does. After a thread has given way, or has
/// looked for something very often without changing anything, it is the next one by number. Time passes only if nothing else can
/// continue. The newest stores are seen.
#[derive(Clone, Debug, Default)]
pub struct Inertia {
    spinning: Spinning,
    /// The thread that gives way.
    away: Option<ThreadNo>,
}

impl Strategy for Inertia {
    fn begin(&mut self, _: &Start) {
        *self = Inertia::default();
    }

    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        self.next(choice, |_| true)
    }

    fn choose_value(&mut self, _: usize) -> usize {
        0
    }

    fn executed(&mut self, thread: ThreadNo, op: Op, changed: bool) {
        let gives_way = self.spinning.gives_way(thread, op, changed);
        self.away = gives_way.then_some(thread);
    }
}

impl Inertia {
    /// Whether a thread can only look again until another thread changes something.
    pub(crate) fn is_spinning(&self, thread: ThreadNo) -> bool {
        self.spinning.is_spinning(thread)
    }

    /// Which thread runs next of those that `may`; of all if there is none.
    pub(crate) fn next(&self, choice: &Choice<'_>, may: impl Fn(ThreadNo) -> bool) -> usize {
        let thread = |i: usize| choice.candidates[i].thread;
        let time = |i: usize| choice.candidates[i].op.kind == OpKind::Timeout;
        let all = || (0..choice.candidates.len()).filter(|&i| may(thread(i)));
        let ready = || all().filter(|&i| !time(i));
        let first = match self.away {
            None => {
                let current = choice.current;
                let current = current.filter(|&i| may(thread(i)) && !time(i));
                current.or_else(|| ready().next())
            }
            Some(away) => {
                let after = ready().find(|&i| thread(i) > away);
                after.or_else(|| ready().next())
            }
        };
        // of those whose time can be over, not always the same
        let later = || all().find(|&i| self.away.is_some_and(|a| thread(i) > a));
        first.or_else(later).or_else(|| all().next()).unwrap_or(0)
    }
}
