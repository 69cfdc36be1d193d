//! Operations of threads under control, and where a choice among them is made.

use crate::ids::{MethodId, Ref};
use rjvm_ops::{Candidate, Op, Place, ThreadNo};

/// An operation of a thread, about to be done or done.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The thread.
    pub thread: ThreadNo,
    /// What it does.
    pub op: Op,
    /// The method whose bytecode, or which as a native, does it; and the bytecode index.
    pub at: Option<(MethodId, u16)>,
    /// Where that is: a hash of names, the same number in every run. 0: not at a bytecode.
    pub site: u64,
    /// The object, class mirror or thread it is done to; null: none.
    pub object: Ref,
    /// Byte offset of the variable in the object.
    pub offset: u32,
    /// The type of the value read or written, as the first character of its descriptor; 0: nothing is.
    pub ty: u8,
    /// The value written or read: a slot of this type.
    pub value: u64,
    /// The earlier value, of a write or an atomic update.
    pub old: u64,
    /// It is an atomic update, also one that has found something else than it expected and so is a read; or a wait has ended for no
    /// reason.
    pub update: bool,
    /// The class whose initialization the access comes after, if it was initialized while the VM was under control.
    pub class: Option<Place>,
    /// The thread has to come here again, since it was sent back or has waited.
    pub again: bool,
}

impl Step {
    /// The object that is read or written; null if it is not a reference.
    pub fn reference(&self) -> Ref {
        match self.ty {
            b'L' => Ref(self.value as u32),
            _ => Ref::NULL,
        }
    }
    /// The object that was there before; null if it is not a reference.
    pub fn old_reference(&self) -> Ref {
        Step {
            value: self.old,
            ..*self
        }
        .reference()
    }
}

/// Where a choice is made: the same number for the same choice in every run with the same choices before it,
/// whatever points its control cares for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChoicePoint {
    /// Bytecodes that all threads have executed since the VM has been under control.
    pub executed: i64,
    /// Which operation at this number it is; the first is 0.
    pub nth: u32,
    /// The thread that is at a point, or that ran last.
    pub thread: ThreadNo,
    /// Bytecodes that it has executed itself since then.
    pub own: i64,
    /// Which operation of its at that number it is.
    pub own_nth: u32,
}

/// Which threads can run.
#[derive(Clone, Copy, Debug)]
pub struct Offer<'a> {
    /// The threads that can, at least two, by their numbers.
    pub candidates: &'a [Candidate],
    /// The one that is at a point, if any.
    pub current: Option<usize>,
    /// Of each, when its time has ended; `None`: it does not wait for that.
    pub deadlines: &'a [Option<i64>],
    /// Now, by the same clock.
    pub now: i64,
    /// Where this is.
    pub moment: ChoicePoint,
}
