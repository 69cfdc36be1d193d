//! The action of a point: all observers with an instrument there are notified.

use super::ids::Index;
use super::kinds::HitKind;
use super::moment::{HitMoment, HitSubject};
use super::shown::{End, Hit};
use super::table::Change;
use crate::ids::{ClassId, MethodId, Ref};
use crate::interp::EventFrame;
use crate::vm::Vm;

impl Vm {
    /// Whether an instrument only counts how often its point is come to: then this is one time more.
    #[inline]
    pub(crate) fn only_counts(&mut self, i: Index, kind: HitKind) -> bool {
        let Some(placed) = self.instruments.get_mut(i) else {
            return true;
        };
        // of monitors, those of some classes
        let is =
            placed.only_counts && !matches!(kind, HitKind::MonitorEnter | HitKind::MonitorExit);
        placed.reading.hits += u64::from(is);
        is
    }
    /// Reports an instrument, unless it is gone.
    #[inline]
    pub(crate) fn notify_moment(&mut self, i: Index, moment: &HitMoment) {
        let Some(placed) = self.instruments.get_mut(i) else {
            return;
        };
        placed.reading.hits += 1;
        let id = placed.id;
        let Some((to, number)) = placed.observer else {
            return;
        };
        let Some(mut observer) = self.observers.take(to) else {
            return;
        };
        let nested = std::mem::replace(&mut self.instruments.notifying, true);
        observer.hit(&mut Hit::new(self, id, moment), number);
        self.instruments.notifying = nested;
        self.observers.put(to, observer);
    }
    /// Applies the requests that came meanwhile.
    #[inline]
    pub(crate) fn settle_instruments(&mut self) {
        if !self.instruments.changes.is_empty() && !self.instruments.notifying {
            self.change_instruments();
        }
    }
    #[cold]
    fn change_instruments(&mut self) {
        for change in std::mem::take(&mut self.instruments.changes) {
            match change {
                Change::Place(id, spec) => self.put_instrument(id, *spec),
                Change::Remove(id) => _ = self.remove_instrument(id),
            }
        }
    }
    /// The running thread has entered a method, whose frame is the top one.
    pub(crate) fn notify_entry(&mut self, m: MethodId, top: EventFrame, executed: i64) {
        let cs = Vm::control_of(&top);
        let end = End {
            method: m,
            cs,
            passed: Vm::passed(&top),
            value: (b'V', 0),
        };
        let mut k = 0;
        while let Some(&i) = self.instruments.of(m).and_then(|of| of.entry.get(k)) {
            k += 1;
            let Some(placed) = self.instruments.get_mut(i) else {
                continue;
            };
            if placed.only_counts {
                placed.reading.hits += 1;
                continue;
            }
            let (around, timed, counts_calls) =
                (placed.around, placed.timed, placed.calls.is_some());
            if self.handled_fast(i, &end) {
                continue;
            }
            let mut moment = HitMoment {
                kind: HitKind::Entry,
                method: Some(m),
                bci: None,
                top: Some(top),
                executed,
                subject: HitSubject::None,
                elapsed: None,
            };
            if counts_calls {
                match self.count_call(i, m, &top) {
                    Some(caller) => moment.subject = HitSubject::CalledBy(caller),
                    None => continue,
                }
            }
            if around {
                self.open_entry(cs, i, executed);
                if timed {
                    continue;
                }
            }
            self.notify_moment(i, &moment);
        }
        self.settle_instruments();
    }
    /// The running thread leaves the method of the top frame: a native that returns, or by an exception.
    pub(crate) fn notify_exit(
        &mut self,
        m: MethodId,
        top: EventFrame,
        executed: i64,
        kind: HitKind,
        subject: HitSubject,
    ) {
        let m = self.original(m);
        let mut k = 0;
        loop {
            let of = self.instruments.of(m);
            let list = of.map(|of| match kind {
                HitKind::Throw => &of.throws,
                _ => &of.returns,
            });
            let Some(&i) = list.and_then(|list| list.get(k)) else {
                break;
            };
            k += 1;
            let mut moment = HitMoment {
                kind,
                method: Some(m),
                bci: None,
                top: Some(top),
                executed,
                subject,
                elapsed: None,
            };
            self.notify_exit_to(i, &mut moment);
        }
        self.settle_instruments();
    }
    /// The same to one instrument.
    #[inline]
    pub(crate) fn notify_exit_to(&mut self, i: Index, moment: &mut HitMoment) {
        let Some(placed) = self.instruments.get(i) else {
            return;
        };
        if placed.around {
            let timed = placed.timed;
            let Some(top) = moment.top else { return };
            moment.elapsed = self.close_entry(Vm::control_of(&top), i, moment.executed);
            if timed {
                let Some(e) = moment.elapsed else { return };
                if let Some(placed) = self.instruments.get_mut(i) {
                    placed.reading.hits += 1;
                    let sums = &mut placed.reading.timed;
                    sums.calls += 1;
                    sums.late += u64::from(e.late);
                    sums.bytecodes += e.bytecodes;
                    sums.allocated += e.allocated;
                    sums.wall += e.wall;
                    sums.cpu += e.cpu;
                }
                return;
            }
        }
        self.notify_moment(i, moment);
    }
    /// An exception is thrown in the running thread.
    #[cold]
    pub(crate) fn notify_exception(&mut self, exc: Ref) {
        let class = self.class_of(exc);
        let mut k = 0;
        while let Some(&i) = self.instruments.exceptions.get(k) {
            k += 1;
            if self.is_about(i, class) {
                let moment = self.moment_now(HitKind::Exception, HitSubject::Object(exc));
                self.notify_moment(i, &moment);
            }
        }
        self.settle_instruments();
    }
    /// Where the running thread is.
    pub(super) fn moment_now(&mut self, kind: HitKind, subject: HitSubject) -> HitMoment {
        let top = self.top();
        let executed = self.begun_at();
        HitMoment {
            kind,
            method: top.as_ref().and_then(|t| self.method_of(t)),
            bci: None,
            top,
            executed,
            subject,
            elapsed: None,
        }
    }
    /// Whether an instrument is about a class.
    pub(crate) fn is_about(&mut self, i: Index, class: ClassId) -> bool {
        let Some(placed) = self.instruments.get(i) else {
            return false;
        };
        let Some(filter) = placed.classes_filter() else {
            return true;
        };
        if let Some(&known) = placed.classes.get(&class) {
            return known;
        }
        let is = filter(&super::shown::ClassView::new(self, class));
        if let Some(placed) = self.instruments.get_mut(i) {
            placed.classes.insert(class, is);
        }
        is
    }
}
