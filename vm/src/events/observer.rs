//! Observers, and the VM as they see it.

use super::Event;
use super::kinds::EventSet;
use crate::instruments::{FastEvent, FastOutcome, Hit};
use crate::interp::Sample;
use crate::vm::Vm;
use std::any::Any;

/// Is notified of what happens in a VM: of kinds of events ([`Observer::events`]), of points of the program
/// ([`Spec::notify_all`](crate::instruments::Spec::notify_all)), or of both. It lies with the VM ([`Vm::observe`]), so its data
/// needs no lock: neither while it is notified nor between two times ([`Vm::with_observer`]).
///
/// One rule holds for all: an observer reads, and changes nothing. The program executes the same bytecodes with it as without.
/// Its requests (instruments, a stop, a snapshot, other kinds of events) take effect when all observers of the same moment have
/// been notified. While it is notified of something, it is notified of nothing else. References mean nothing afterwards.
pub trait Observer: Any + Send {
    /// The kinds of events that it wants at first; the VM asks once, when it is added. [`EventView::want`] and [`Vm::want`]
    /// change them.
    fn events(&self) -> EventSet {
        EventSet::NONE
    }
    /// Something it wants has happened.
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let _ = (seen, event);
    }
    /// The program is at the point of an instrument that notifies it with this number.
    fn hit(&mut self, hit: &mut Hit<'_>, number: u32) {
        let _ = (hit, number);
    }
    /// The same before that, at an entry or a return of a method, with the data at hand.
    fn fast_event(&mut self, event: &FastEvent<'_>, number: u32) -> FastOutcome {
        let _ = (event, number);
        FastOutcome::Never
    }
}

/// An observer of the VM's samples only.
pub struct OnSample<F>(pub F);

impl<F: FnMut(Sample<'_>) + Send + 'static> Observer for OnSample<F> {
    fn events(&self) -> EventSet {
        EventSet::SAMPLES
    }
    fn event(&mut self, _: &mut EventView<'_>, event: Event<'_>) {
        if let Event::Sampled(sample) = event {
            (self.0)(sample);
        }
    }
}

/// An observer of instruments only, whatever their numbers.
pub struct OnHit<F>(pub F);

impl<F: FnMut(&mut Hit<'_>) + Send + 'static> Observer for OnHit<F> {
    fn hit(&mut self, hit: &mut Hit<'_>, _: u32) {
        (self.0)(hit)
    }
}

/// The VM as an [`Observer`] sees it during an event: all that can be read, and what it may ask for.
pub struct EventView<'a> {
    pub(crate) vm: &'a mut Vm,
    pub(super) interval: u64,
    pub(super) wants: EventSet,
    pub(super) replacement: Option<Vec<u8>>,
}
