//! Places of instruments inside of translated code.

use crate::instruments::HitKind;
use crate::interp::Handler;

/// Where a value is when an instruction is about to run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum ValueSource {
    /// There is none.
    None,
    /// In a slot.
    Slot(u16),
    /// In the accumulator.
    Acc,
    /// In the floating accumulator.
    Facc,
    /// It is this.
    Bits(u64),
}

/// The data for an instrument at an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiteReport {
    /// Index of the instrument.
    pub instrument: u32,
    pub kind: HitKind,
    /// Index of the bytecode.
    pub bci: u16,
    /// Bytecodes that have begun by then, less the ticks.
    pub begun: i32,
    /// Index of what the bytecode names in the constant pool.
    pub constant: u16,
    /// The object whose field or monitor it is; none for a static one.
    pub object: ValueSource,
    /// The source of the returned or stored value.
    pub value: ValueSource,
}

/// An instruction at which instruments are notified.
#[derive(Clone, Debug)]
pub(crate) struct InstrumentSite {
    /// Its byte offset.
    pub off: u32,
    /// Who, and of what, in this order.
    pub reported: Vec<SiteReport>,
    /// The instruction's own handler.
    pub(super) own: u64,
}

impl InstrumentSite {
    pub fn new(off: u32) -> InstrumentSite {
        InstrumentSite {
            off,
            reported: Vec::new(),
            own: 0,
        }
    }
    #[inline]
    pub(super) fn handler(&self) -> Handler {
        // SAFETY: the word was a handler's.
        unsafe { *std::ptr::from_ref(&self.own).cast::<Handler>() }
    }
}

/// All of a method.
pub(super) struct InstrumentSites {
    /// By word of the code: which of the list it is, plus 1.
    pub(super) index: Box<[u16]>,
    pub(super) list: Vec<InstrumentSite>,
}

/// What begins with an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SiteStart {
    /// A bytecode: nothing of it has been executed.
    Bytecode,
    /// A call: the arguments are in their slots.
    Call,
    /// An access to a field.
    Field,
    /// A monitor is entered (true) or left.
    Monitor(bool),
    /// The same by a synchronized method.
    Lock(bool),
    /// A return.
    Return,
}

/// An instruction, and what begins with it.
#[derive(Clone, Debug)]
pub(crate) struct Beginning {
    pub what: SiteStart,
    /// Number of the bytecode.
    pub number: u16,
    /// Byte offset of the instruction.
    pub off: u32,
    /// Bytecodes that have begun by then, less the ticks. Of a return, with it.
    pub begun: i32,
    pub object: ValueSource,
    pub value: ValueSource,
}
