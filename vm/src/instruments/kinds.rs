//! Kinds of points, and values and frames there.

use crate::ids::{MethodId, Ref};
use crate::value::Value;

/// The kinds of hits of which observers are notified.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HitKind {
    /// A method has been entered.
    Entry,
    /// A method returns.
    Return,
    /// A method is left by an exception.
    Throw,
    /// A method is about to be called.
    Call,
    /// A basic block begins.
    Block,
    /// The code of a line begins.
    Line,
    /// A bytecode begins.
    Bytecode,
    /// A field is about to be read.
    Read,
    /// A field is about to be written.
    Write,
    /// An element of an array is about to be written.
    Element,
    /// An object has been allocated.
    Alloc,
    /// A monitor is about to be entered.
    MonitorEnter,
    /// A monitor is about to be left.
    MonitorExit,
    /// A monitor that had to be waited for has been entered.
    MonitorContended,
    /// A thread is back from `Object.wait`.
    MonitorWait,
    /// A thread begins.
    ThreadStart,
    /// A thread ends.
    ThreadEnd,
    /// A class has been defined.
    Class,
    /// A collection begins.
    GcStart,
    /// A collection has ended.
    GcEnd,
    /// An exception is thrown.
    Exception,
    /// So many bytecodes have been executed.
    Every,
}

/// A value, with the first letter of its type's descriptor (JVMS 4.3.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Typed {
    /// `Z`, `B`, `C`, `S`, `I`, `J`, `F`, `D`, or `L` for all references.
    pub letter: u8,
    /// The value.
    pub value: Value,
}

/// A frame of a stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StackFrame {
    /// The method.
    pub method: MethodId,
    /// Index of the bytecode it is at; none in a native.
    pub bci: Option<u16>,
}

impl Typed {
    #[inline]
    pub(super) fn of(letter: u8, bits: u64) -> Typed {
        let letter = if letter == b'[' { b'L' } else { letter };
        Typed {
            letter,
            value: Value::of(letter, bits),
        }
    }
    /// The object that it refers to.
    #[inline]
    pub fn object(&self) -> Option<Ref> {
        match self.value {
            Value::Ref(r) => r.non_null(),
            _ => None,
        }
    }
}
