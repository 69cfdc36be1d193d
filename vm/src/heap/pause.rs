//! Collections that stop half-way when somebody outside asks the VM to stop, and go on when it is used again.
//!
//! A collection that has begun to move objects cannot be given up, and a large one takes longer than a request to
//! stop may. So where there may be such a request, the collector runs as a coroutine, on a stack of its own, and
//! suspends itself when it is asked: the VM stops with objects in two places. Whatever looks at the heap next has it
//! finished first: the VM's going on (and that may be stopped again), or an embedder's look at it. A VM that is dropped
//! unwinds it. Nothing of what the collector decides depends on when it was stopped, or how often.

use crate::cancel::Canceller;
use crate::ids::ThreadId;
use crate::interp::Regs;
use crate::vm::Vm;
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::cell::Cell;
use std::mem::ManuallyDrop;

/// Bytes of the collector's stack. It does not recurse; whoever is told of a collection runs there, too.
const STACK: usize = 4 << 20;
/// Words of objects that are looked at, or copied, between two looks for a request: well below a millisecond.
const BREATH: u32 = 8 << 10;

/// How a collector that was suspended goes on.
#[derive(Clone, Copy, PartialEq)]
enum Pace {
    /// It stops again when asked.
    Attentive,
    /// Somebody waits for its end.
    Hurried,
}

type Fiber = Coroutine<Pace, (), bool, DefaultStack>;

/// What a collector needs to find out that it is to stop.
#[derive(Default)]
pub(super) struct Breath {
    /// Words until it looks.
    left: Cell<u32>,
    /// Who may ask, and how it stops. `None`: it does not.
    asks: Option<(Canceller, *const Yielder<Pace, ()>)>,
    hurried: Cell<bool>,
}

impl Breath {
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
        if let Some((canceller, yielder)) = &self.asks
            && !self.hurried.get()
            && canceller.is_asked()
        {
            // SAFETY: the coroutine that this is part of was begun with the yielder, which stays as long as it runs.
            let pace = unsafe { (**yielder).suspend(()) };
            self.hurried.set(pace == Pace::Hurried);
        }
    }
}

/// Whether there is room now.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Room {
    /// There is.
    Made,
    /// Not even now.
    None,
    /// Not known yet: the interpreter is to be left, since the VM stops.
    Stopped,
}

/// What is to be done with the end of a collection by the thread that needed it, when it runs again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Then {
    /// Its instruction, or continuation, runs again; without room, it throws an OutOfMemoryError.
    Retry,
    /// Its instruction runs again.
    Again,
    /// What else is due at a look.
    Look,
}

/// What a thread does first when it runs again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Owed {
    /// See [`Then::Look`].
    Look,
    /// It throws an OutOfMemoryError.
    OutOfMemory,
}

/// A collection that was stopped half-way.
pub(crate) struct Paused {
    fiber: ManuallyDrop<Fiber>,
    /// The running thread, and the interpreter's registers: what the collector sees has to stay the same.
    thread: ThreadId,
    regs: Regs,
    then: Then,
}

impl Drop for Paused {
    fn drop(&mut self) {
        // frames cannot be unwound while others are: what they own stays
        if !std::thread::panicking() {
            // SAFETY: dropped once, here; `finish` takes it out of one that is forgotten.
            unsafe { ManuallyDrop::drop(&mut self.fiber) }
        }
    }
}

impl super::Heap {
    /// Whether a collection was stopped half-way.
    pub(crate) fn is_paused(&self) -> bool {
        self.paused.is_some()
    }
}

impl Vm {
    /// As [`Vm::collect`], where the interpreter can be left and what was under way runs again: stops when asked.
    pub(crate) fn collect_or_stop(&mut self, bytes: usize, full: bool, then: Then) -> Room {
        let stack = match self.canceller.is_shared() && self.in_interpreter {
            true => self.heap.spare_stack.take(),
            false => return Room::of(self.collect(bytes, full)),
        };
        let Some(stack) = stack.or_else(|| DefaultStack::new(STACK).ok()) else {
            return Room::of(self.collect(bytes, full));
        };
        let vm: *mut Vm = self;
        let fiber = Coroutine::with_stack(stack, move |yielder, _| {
            // SAFETY: whoever resumes the coroutine has the VM for itself and does nothing with it meanwhile, and
            // a VM does not move while it runs or has been stopped. While the coroutine is suspended, nobody
            // touches what the collector works on (roots, heap, state of the collector; see `settle_heap`), and what
            // else it reads (running thread, registers) is the same again when it goes on. So no place is reached
            // both by the references in its frames and, changed meanwhile, by those of others.
            let vm = unsafe { &mut *vm };
            vm.heap.gc.breath.asks = Some((vm.canceller.clone(), yielder));
            let made = vm.collect(bytes, full);
            vm.heap.gc.breath = Breath::default();
            made
        });
        let (thread, regs) = (self.cur, *self.regs());
        let fiber = ManuallyDrop::new(fiber);
        let paused = Paused {
            fiber,
            thread,
            regs,
            then,
        };
        self.run_collector(Box::new(paused), Pace::Attentive)
    }
    fn run_collector(&mut self, mut paused: Box<Paused>, pace: Pace) -> Room {
        loop {
            match paused.fiber.resume(pace) {
                CoroutineResult::Return(made) => {
                    let mut paused = ManuallyDrop::new(*paused);
                    // SAFETY: taken once, from what is not dropped.
                    let fiber = unsafe { ManuallyDrop::take(&mut paused.fiber) };
                    self.heap.spare_stack = Some(fiber.into_stack());
                    return Room::of(made);
                }
                CoroutineResult::Yield(()) => {
                    self.halted = self.canceller.take();
                    // a request may have been taken back
                    if self.halted.is_some() {
                        self.heap.paused = Some(paused);
                        return Room::Stopped;
                    }
                }
            }
        }
    }
    /// Goes on with a collection that was stopped half-way, if there is one. `false`: it has been stopped again.
    pub(crate) fn go_on_collecting(&mut self) -> bool {
        self.finish_collection(Pace::Attentive)
    }
    /// Finishes a collection that was stopped half-way, if there is one: to be called by all that looks at objects,
    /// or at what refers to them, between two runs.
    #[inline]
    pub(crate) fn settle_heap(&mut self) {
        if self.heap.paused.is_some() && self.fault.is_none() {
            self.finish_collection(Pace::Hurried);
        }
    }
    fn finish_collection(&mut self, pace: Pace) -> bool {
        let Some(paused) = self.heap.paused.take() else {
            return true;
        };
        let (thread, then) = (paused.thread, paused.then);
        let cur = std::mem::replace(&mut self.cur, thread);
        *self.regs() = paused.regs;
        (self.in_interpreter, self.heap.inside) = (true, true);
        let room = self.run_collector(paused, pace);
        (self.in_interpreter, self.heap.inside) = (false, false);
        self.cur = cur;
        self.threads[thread.0 as usize].owed = match (room, then) {
            (Room::Stopped, _) => return false,
            (Room::None, Then::Retry) => Some(Owed::OutOfMemory),
            (Room::Made, Then::Retry) | (_, Then::Again) => None,
            (_, Then::Look) => Some(Owed::Look),
        };
        true
    }
}

impl Room {
    fn of(made: bool) -> Room {
        match made {
            true => Room::Made,
            false => Room::None,
        }
    }
}
