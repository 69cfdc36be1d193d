//! Points that the VM reports as events.

use super::kinds::HitKind;
use super::moment::HitSubject;
use super::spec::{MonitorAction, Point};
use crate::events::{Event, EventSet};
use crate::ids::Ref;
use crate::vm::Vm;

/// The kinds of events that a point is notified of.
pub(super) fn kinds(at: &Point) -> EventSet {
    match at {
        Point::Alloc(_) => EventSet::ALLOCATIONS,
        Point::Monitor(MonitorAction::Contended, _) => EventSet::MONITOR_CONTENDED_ENTERED,
        Point::Monitor(MonitorAction::Wait, _) => EventSet::MONITOR_WAITED,
        Point::Thread(true) => EventSet::THREAD_START,
        Point::Thread(false) => EventSet::THREAD_END,
        Point::Class(_) => EventSet::CLASSES,
        Point::Gc(_) => EventSet::COLLECTIONS,
        _ => EventSet::NONE,
    }
}

impl Vm {
    /// An event has happened: notifies its instruments.
    #[cold]
    pub(crate) fn notify_instruments(&mut self, event: Event<'_>) {
        let (kind, subject) = match event {
            Event::Allocated { object, bytes } => {
                (HitKind::Alloc, HitSubject::Allocated(object, bytes))
            }
            Event::MonitorContendedEntered { object } => {
                (HitKind::MonitorContended, HitSubject::Object(object))
            }
            Event::MonitorWaited { object, .. } if !object.is_null() => {
                (HitKind::MonitorWait, HitSubject::Object(object))
            }
            Event::ThreadStarted(t) => (HitKind::ThreadStart, self.subject_thread(t)),
            Event::ThreadEnded(t) => (HitKind::ThreadEnd, self.subject_thread(t)),
            Event::ClassLoaded(c) => (HitKind::Class, HitSubject::Class(c)),
            Event::CollectionStarted => (HitKind::GcStart, HitSubject::None),
            Event::CollectionEnded(c) => (
                HitKind::GcEnd,
                HitSubject::Collection {
                    full: c.kind == "Full",
                    before: c.before,
                    after: c.after,
                    pause: c.pause,
                    cause: c.cause,
                },
            ),
            _ => return,
        };
        let class = match subject {
            HitSubject::Object(o) | HitSubject::Allocated(o, _) => Some(self.class_of(o)),
            HitSubject::Class(c) => Some(c),
            _ => None,
        };
        let wanted = event.kind();
        let mut k = 0;
        while let Some(&(kinds, i)) = self.instruments.of_events.get(k) {
            k += 1;
            let wants = kinds.meets(wanted) && self.is_of(i, kind);
            if wants && class.is_none_or(|c| self.is_about(i, c)) {
                let moment = self.moment_of_event(kind, subject);
                self.notify_moment(i, &moment);
            }
        }
        self.settle_instruments();
    }
    /// The object of a thread, which the first ones do not have at once.
    fn subject_thread(&self, t: crate::ids::ThreadId) -> HitSubject {
        match self.threads[t.0 as usize].object.non_null() {
            Some(object) => HitSubject::Object(object),
            None => HitSubject::None,
        }
    }
    /// Whether an instrument's point is of this kind.
    fn is_of(&self, i: u32, kind: HitKind) -> bool {
        let at = self.instruments.get(i).map(|p| &p.at);
        match (at, kind) {
            (Some(Point::Gc(start)), HitKind::GcStart | HitKind::GcEnd) => {
                *start == (kind == HitKind::GcStart)
            }
            (Some(_), _) => true,
            (None, _) => false,
        }
    }
    fn moment_of_event(&mut self, kind: HitKind, subject: HitSubject) -> super::HitMoment {
        match self.event_top() {
            Some((top, executed)) => super::HitMoment {
                kind,
                method: self.method_of(&top),
                bci: None,
                top: Some(top),
                executed,
                subject,
                elapsed: None,
            },
            None => self.moment_now(kind, subject),
        }
    }
    /// A synchronized method or native on top is about to enter (true) a monitor, or leaves it.
    #[cold]
    pub(crate) fn instruments_at_lock(&mut self, lock: Ref, enter: bool) {
        let class = self.class_of(lock);
        let (wanted, kind) = match enter {
            true => (MonitorAction::Enter, HitKind::MonitorEnter),
            false => (MonitorAction::Exit, HitKind::MonitorExit),
        };
        let mut k = 0;
        while let Some(&i) = self.instruments.unlocks.get(k) {
            k += 1;
            let at = self.instruments.get(i).map(|p| &p.at);
            let is = matches!(at, Some(Point::Monitor(m, _)) if *m == wanted);
            if is && self.is_about(i, class) {
                let moment = self.moment_now(kind, HitSubject::Object(lock));
                self.notify_moment(i, &moment);
            }
        }
        self.settle_instruments();
    }
}
