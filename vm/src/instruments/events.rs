//! Points that the VM tells as events.

use super::kinds::Kind;
use super::moment::Subject;
use super::spec::{Monitor, Point};
use crate::events::{Event, EventSet};
use crate::ids::Ref;
use crate::vm::Vm;

/// The kinds of events that a point is told of.
pub(super) fn kinds(at: &Point) -> EventSet {
    match at {
        Point::Alloc(_) => EventSet::ALLOCATIONS,
        Point::Monitor(Monitor::Contended, _) => EventSet::MONITOR_CONTENDED_ENTERED,
        Point::Monitor(Monitor::Wait, _) => EventSet::MONITOR_WAITED,
        Point::Thread(true) => EventSet::THREAD_START,
        Point::Thread(false) => EventSet::THREAD_END,
        Point::Class(_) => EventSet::CLASSES,
        Point::Gc(_) => EventSet::COLLECTIONS,
        _ => EventSet::NONE,
    }
}

impl Vm {
    /// An event has happened: the instruments that are about it are told.
    #[cold]
    pub(crate) fn tell_instruments(&mut self, event: Event<'_>) {
        let (kind, subject) = match event {
            Event::Allocated { object, bytes } => (Kind::Alloc, Subject::Allocated(object, bytes)),
            Event::MonitorContendedEntered { object } => {
                (Kind::MonitorContended, Subject::Object(object))
            }
            Event::MonitorWaited { object, .. } if !object.is_null() => {
                (Kind::MonitorWait, Subject::Object(object))
            }
            Event::ThreadStarted(t) => (Kind::ThreadStart, self.subject_thread(t)),
            Event::ThreadEnded(t) => (Kind::ThreadEnd, self.subject_thread(t)),
            Event::ClassLoaded(c) => (Kind::Class, Subject::Class(c)),
            Event::CollectionStarted => (Kind::GcStart, Subject::None),
            Event::CollectionEnded(c) => (
                Kind::GcEnd,
                Subject::Collection {
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
            Subject::Object(o) | Subject::Allocated(o, _) => Some(self.class_of(o)),
            Subject::Class(c) => Some(c),
            _ => None,
        };
        let wanted = event.kind();
        let mut k = 0;
        while let Some(&(kinds, i)) = self.instruments.of_events.get(k) {
            k += 1;
            let wants = kinds.meets(wanted) && self.is_of(i, kind);
            if wants && class.is_none_or(|c| self.is_about(i, c)) {
                let moment = self.moment_of_event(kind, subject);
                self.tell_moment(i, &moment);
            }
        }
        self.settle_instruments();
    }
    /// The object of a thread, which the first ones do not have at once.
    fn subject_thread(&self, t: crate::ids::ThreadId) -> Subject {
        match self.threads[t.0 as usize].object.non_null() {
            Some(object) => Subject::Object(object),
            None => Subject::None,
        }
    }
    /// Whether an instrument's point is of this kind.
    fn is_of(&self, i: u32, kind: Kind) -> bool {
        let at = self.instruments.get(i).map(|p| &p.at);
        match (at, kind) {
            (Some(Point::Gc(start)), Kind::GcStart | Kind::GcEnd) => {
                *start == (kind == Kind::GcStart)
            }
            (Some(_), _) => true,
            (None, _) => false,
        }
    }
    fn moment_of_event(&mut self, kind: Kind, subject: Subject) -> super::Moment {
        match self.event_top() {
            Some((top, executed)) => super::Moment {
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
            true => (Monitor::Enter, Kind::MonitorEnter),
            false => (Monitor::Exit, Kind::MonitorExit),
        };
        let mut k = 0;
        while let Some(&i) = self.instruments.unlocks.get(k) {
            k += 1;
            let at = self.instruments.get(i).map(|p| &p.at);
            let is = matches!(at, Some(Point::Monitor(m, _)) if *m == wanted);
            if is && self.is_about(i, class) {
                let moment = self.moment_now(kind, Subject::Object(lock));
                self.tell_moment(i, &moment);
            }
        }
        self.settle_instruments();
    }
}
