//! Subscribers to events, and the VM as they see it.

use super::Event;
use super::kinds::EventSet;
use crate::interp::Sample;
use crate::vm::Vm;

/// Somebody who is notified of events. It sees the VM between two bytecodes and cannot change it: the program executes the
/// same bytecodes with it as without.
pub trait Subscriber: Send {
    /// What it wants to be notified of at first; asked once, when it subscribes. [`EventView::want`] and [`Vm::want`](crate::Vm::want) change it.
    fn events(&self) -> EventSet;
    /// Something it wants has happened.
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>);
}

/// A subscriber to the VM's samples only.
pub struct OnSample<F>(pub F);

impl<F: FnMut(Sample<'_>) + Send> Subscriber for OnSample<F> {
    fn events(&self) -> EventSet {
        EventSet::SAMPLES
    }
    fn event(&mut self, _: &mut EventView<'_>, event: Event<'_>) {
        if let Event::Sampled(sample) = event {
            (self.0)(sample);
        }
    }
}

/// The VM as a [`Subscriber`] sees it during an event: all that can be read, and what it may ask for.
pub struct EventView<'a> {
    pub(crate) vm: &'a mut Vm,
    pub(super) interval: u64,
    pub(super) wants: EventSet,
    pub(super) replacement: Option<Vec<u8>>,
}
