//! Listeners that many instruments notify, each with a number of its own. Their data lies with the VM, so that
//! nobody has to lock it: neither at a hit nor between two.

use super::shown::{FastEvent, Hit};
use std::any::Any;

/// A listener that several instruments notify.
pub trait SharedListener: Any + Send {
    /// The program is at the point of the instrument that was placed with this number.
    fn hit(&mut self, hit: &mut Hit<'_>, number: u32);
    /// The same before that, where the point is an entry or a return of a method, with what is at hand.
    fn fast_event(&mut self, _event: &FastEvent<'_>, _number: u32) -> FastOutcome {
        FastOutcome::Never
    }
}

/// The outcome of a shared listener's look at the facts at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FastOutcome {
    /// All that is to be done has been done.
    Done,
    /// Nothing has been done: [`SharedListener::hit`] is called.
    Look,
    /// The same, and so it is at this instrument from now on.
    Never,
}

/// A shared listener of a VM. Numbers are not used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SharedListenerId(pub(super) u32);

/// The shared listeners of a VM.
#[derive(Default)]
pub(super) struct SharedListeners(pub(super) Vec<Option<Box<dyn SharedListener>>>);

impl SharedListeners {
    /// Takes one out, to be notified.
    #[inline(always)]
    pub fn take(&mut self, at: u32) -> Option<Box<dyn SharedListener>> {
        self.0.get_mut(at as usize)?.take()
    }
    /// Puts it back.
    #[inline(always)]
    pub fn put(&mut self, at: u32, shared_listener: Box<dyn SharedListener>) {
        if let Some(place) = self.0.get_mut(at as usize) {
            // nothing is there that would have to be dropped
            std::mem::forget(place.replace(shared_listener));
        }
    }
}
