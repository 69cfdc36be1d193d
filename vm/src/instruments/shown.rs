//! What observers and filters are shown of a VM.

use super::ids::InstrumentId;
use super::moment::HitMoment;
use crate::ids::{ClassId, LoaderId, MethodId};
use crate::interp::Cs;
use crate::vm::Vm;

/// A class.
#[derive(Clone, Copy)]
pub struct ClassView<'a> {
    pub(super) vm: &'a Vm,
    pub(super) id: ClassId,
}

/// A method.
#[derive(Clone, Copy)]
pub struct MethodView<'a> {
    pub(super) vm: &'a Vm,
    pub(super) id: MethodId,
}

/// A method or field, as an instruction names it.
#[derive(Clone, Copy)]
pub struct MemberView<'a> {
    pub(super) vm: &'a Vm,
    /// The loader of the class with the instruction.
    pub(super) loader: LoaderId,
    pub(super) class: &'a str,
    pub(super) name: &'a str,
    pub(super) descriptor: &'a str,
}

/// A moment of the program's at which an observer is notified. References that it hands out mean nothing afterwards.
pub struct Hit<'a> {
    pub(super) vm: &'a mut Vm,
    pub(super) id: InstrumentId,
    pub(super) moment: &'a HitMoment,
}

/// A method that has been entered, or returns. An observer sees this before its [`Hit`](super::Hit), which has all of
/// it, too.
pub struct FastEvent<'a> {
    pub(super) vm: &'a Vm,
    pub(super) end: &'a End<'a>,
    /// Slot and first letter of the type of each argument that is at hand.
    pub(super) parameters: &'a [(u16, u8)],
}

/// The outcome of an observer's look at a [`FastEvent`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FastOutcome {
    /// All that is to be done has been done.
    Done,
    /// Nothing has been done: [`Observer::hit`](crate::events::Observer::hit) is called.
    Look,
    /// The same, and so it is at this instrument from now on.
    Never,
}

/// The beginning or the end of a call, as the interpreter has it at hand.
pub(crate) struct End<'a> {
    pub method: MethodId,
    pub cs: Cs,
    /// The arguments passed, by slot.
    pub passed: &'a [u64],
    /// The returned value: first letter of its type, and the bits.
    pub value: (u8, u64),
}
