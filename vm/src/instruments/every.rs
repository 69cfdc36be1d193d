//! Points at certain numbers of executed bytecodes, of all threads together.

use super::ids::Index;
use super::kinds::HitKind;
use super::moment::{HitMoment, HitSubject};
use super::spec::Point;
use crate::ids::ThreadId;
use crate::interp::Cs;
use crate::vm::Vm;

impl Vm {
    /// Notifies an instrument every `n` bytecodes from now on.
    pub(super) fn begin_every(&mut self, i: Index, n: u64) {
        let now = self.bytecodes_now();
        if let Some(placed) = self.instruments.get_mut(i) {
            placed.next = now.saturating_add_unsigned(n.max(1));
        }
        self.instruments.every.push(i);
        self.instruments.counts = true;
        if self.in_interpreter {
            let t = self.cur;
            let executed = self.executed(t);
            self.count_from(t, executed, now);
            self.request_attention();
        }
    }
    /// A thread gets its turn.
    pub(crate) fn count_turn(&mut self, t: ThreadId) {
        if self.instruments.counts {
            let (executed, all) = (self.threads[t.0 as usize].executed, self.bytecodes());
            self.count_from(t, executed, all);
        }
    }
    /// The running thread has executed so many bytecodes, and all together so many.
    fn count_from(&mut self, t: ThreadId, executed: i64, all: i64) {
        let every = self.instruments.every.iter();
        let due = every
            .filter_map(|&i| Some(self.instruments.get(i)?.next))
            .min();
        self.count_to(t, executed, due.map(|due| executed + (due - all)));
    }
    /// The running thread, whose top frame is `cs`, is at the bytecode `bci` of its method, its `n`-th, which is to be reported.
    pub(crate) fn notify_every(&mut self, cs: Cs, bci: u16, n: i64) {
        let t = self.cur;
        let all = self.bytecodes() + n - self.threads[t.0 as usize].executed;
        let mut k = 0;
        while let Some(&i) = self.instruments.every.get(k) {
            k += 1;
            let Some(placed) = self.instruments.get_mut(i) else {
                continue;
            };
            let &Point::Every(interval) = &placed.at else {
                continue;
            };
            if placed.next > all {
                continue;
            }
            placed.next = all.saturating_add_unsigned(interval.max(1));
            let top = self.top().filter(|top| Vm::control_of(top) == cs);
            let moment = HitMoment {
                kind: HitKind::Every,
                method: top.as_ref().and_then(|top| self.method_of(top)),
                bci: Some(bci),
                top,
                executed: n,
                subject: HitSubject::None,
                elapsed: None,
            };
            self.notify_moment(i, &moment);
        }
        self.settle_instruments();
        self.count_from(t, n, all);
    }
}
