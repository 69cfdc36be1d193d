//! Values as Java code passes and returns them, for those who call it and those it calls. What becomes a slot of a
//! frame comes from here, with its type: no number becomes a reference.

use crate::ids::Ref;
use smallvec::SmallVec;

/// A value of one of the types that the virtual machine computes with (JVMS 2.11.1).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Value {
    /// What a method without a result returns.
    #[default]
    Void,
    /// `boolean` (0 or 1), `byte`, `char`, `short` or `int`.
    Int(i32),
    /// `long`
    Long(i64),
    /// `float`
    Float(f32),
    /// `double`
    Double(f64),
    /// An object or null.
    Ref(Ref),
}

impl From<bool> for Value {
    fn from(v: bool) -> Value {
        Value::Int(v.into())
    }
}
impl From<i32> for Value {
    fn from(v: i32) -> Value {
        Value::Int(v)
    }
}
impl From<i64> for Value {
    fn from(v: i64) -> Value {
        Value::Long(v)
    }
}
impl From<Ref> for Value {
    fn from(v: Ref) -> Value {
        Value::Ref(v)
    }
}

impl Value {
    /// The number of an `int`.
    ///
    /// # Panics
    /// If it is of another type.
    #[track_caller]
    pub fn int(self) -> i32 {
        match self {
            Value::Int(v) => v,
            other => panic!("{other:?} is no int"),
        }
    }
    /// The object, or null.
    ///
    /// # Panics
    /// If it is of another type.
    #[track_caller]
    pub fn reference(self) -> Ref {
        match self {
            Value::Ref(r) => r,
            other => panic!("{other:?} is not a reference"),
        }
    }
    /// What a slot holds, by the first character of its type's descriptor.
    #[inline]
    pub(crate) fn of(kind: u8, slot: u64) -> Value {
        match kind {
            b'V' => Value::Void,
            b'J' => Value::Long(slot as i64),
            b'F' => Value::Float(f32::from_bits(slot as u32)),
            b'D' => Value::Double(f64::from_bits(slot)),
            b'L' | b'[' => Value::Ref(Ref(slot as u32)),
            _ => Value::Int(slot as i32),
        }
    }
    /// The slot that holds it, the first of two.
    pub fn slot(self) -> u64 {
        match self {
            Value::Void => 0,
            Value::Int(v) => v as u32 as u64,
            Value::Long(v) => v as u64,
            Value::Float(v) => v.to_bits().into(),
            Value::Double(v) => v.to_bits(),
            Value::Ref(r) => r.slot(),
        }
    }
}

/// Argument slots: `long` and `double` take two, the value in the first.
pub(crate) type ArgumentSlots = SmallVec<[u64; 6]>;
