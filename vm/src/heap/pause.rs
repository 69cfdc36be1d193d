//! Collections that stop half-way when a request from outside stops the VM, and continue when it is used again.
//!
//! A collection that has begun to move objects cannot be abandoned, and a large one takes longer than a request to
//! stop may. So where there may be such a request, the collector runs as a coroutine, on its own stack, and
//! suspends itself when it is asked: the VM stops with objects in two places. Whatever looks at the heap next has it
//! finished first: the VM's going on (and that may be stopped again), or an embedder's look at it. A VM that is dropped
//! unwinds it. Nothing of what the collector decides depends on when it was stopped, or how often.

use crate::cancel::Canceller;
use crate::ids::ThreadId;
use crate::interp::Regs;
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, Yielder};
use std::cell::Cell;
use std::mem::ManuallyDrop;

/// Words of objects that are looked at, or copied, between two looks for a request: well below a millisecond.
const BREATH: u32 = 8 << 10;

/// How a collector that was suspended continues.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum PauseMode {
    /// It stops again when asked.
    Attentive,
    /// A caller waits for its end.
    Hurried,
}

type Fiber = Coroutine<PauseMode, (), bool, DefaultStack>;

/// What a collector needs to find out that it is to stop.
#[derive(Default)]
pub(super) struct PauseCheck {
    /// Words until it looks.
    left: Cell<u32>,
    /// Who may ask, and how it stops. `None`: it does not.
    pub(super) request: Option<(Canceller, *const Yielder<PauseMode, ()>)>,
    hurried: Cell<bool>,
}

impl PauseCheck {
    /// The collector has had to do with so many words of the heap, or done as much work. May suspend it.
    #[inline(always)]
    pub(super) fn work(&self, words: u32) {
        match self.left.get().checked_sub(words) {
            Some(left) => self.left.set(left),
            None => self.look(),
        }
    }
    #[cold]
    #[inline(never)]
    fn look(&self) {
        self.left.set(BREATH);
        if let Some((canceller, yielder)) = &self.request
            && !self.hurried.get()
            && canceller.is_requested()
        {
            // SAFETY: the coroutine that this is part of was begun with the yielder, which stays as long as it runs.
            let pace = unsafe { (**yielder).suspend(()) };
            self.hurried.set(pace == PauseMode::Hurried);
        }
    }
}

/// Whether there is room now.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum SpaceOutcome {
    /// There is.
    Made,
    /// Not even now.
    None,
    /// Not known yet: the interpreter is to be left, since the VM stops.
    Stopped,
}

/// The next step of the thread that needed a collection, when it runs again after its end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum AfterCollection {
    /// Its instruction, or continuation, runs again; without room, it throws an OutOfMemoryError.
    Retry,
    /// Its instruction runs again.
    Again,
    /// The other work of a look.
    Look,
}

/// What a thread does first when it runs again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum ResumeAction {
    /// See [`AfterCollection::Look`].
    Look,
    /// It throws an OutOfMemoryError.
    OutOfMemory,
}

/// A collection that was stopped half-way.
pub(crate) struct PausedCollection {
    pub(super) fiber: ManuallyDrop<Fiber>,
    /// The running thread, and the interpreter's registers: what the collector sees has to stay the same.
    pub(super) thread: ThreadId,
    pub(super) regs: Regs,
    pub(super) then: AfterCollection,
}

impl Drop for PausedCollection {
    fn drop(&mut self) {
        // frames cannot be unwound while others are: what they own stays
        if !std::thread::panicking() {
            // SAFETY: dropped once, here; `finish` takes it out of one that is forgotten.
            unsafe { ManuallyDrop::drop(&mut self.fiber) }
        }
    }
}

impl SpaceOutcome {
    pub(super) fn of(made: bool) -> SpaceOutcome {
        match made {
            true => SpaceOutcome::Made,
            false => SpaceOutcome::None,
        }
    }
}
