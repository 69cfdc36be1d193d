//! Values as Java code passes and returns them, for those who call it and those it calls. What becomes a slot of a
//! frame comes from here, with its type: no number becomes a reference.

use crate::ids::{MethodId, Ref};
use crate::vm::Vm;
use rjvm_classfile::descriptor::parameters;
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
            other => panic!("{other:?} is no reference"),
        }
    }
    /// What a slot holds, by the first character of its type's descriptor.
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
pub(crate) type Slots = SmallVec<[u64; 6]>;

impl Vm {
    /// Whether the field descriptor `desc` says so in a class of `loader`.
    fn is_of(&mut self, v: Value, desc: &str, loader: crate::LoaderId) -> bool {
        match (desc.as_bytes()[0], v) {
            (b'Z', Value::Int(v)) => v == 0 || v == 1,
            (b'B', Value::Int(v)) => i8::try_from(v).is_ok(),
            (b'S', Value::Int(v)) => i16::try_from(v).is_ok(),
            (b'C', Value::Int(v)) => u16::try_from(v).is_ok(),
            (b'I', Value::Int(_))
            | (b'J', Value::Long(_))
            | (b'F', Value::Float(_))
            | (b'D', Value::Double(_)) => true,
            (b'L' | b'[', Value::Ref(r)) if r.is_null() => true,
            (b'L' | b'[', Value::Ref(r)) => {
                self.heap.check(r);
                self.fits(self.class_of(r), desc, loader)
            }
            _ => false,
        }
    }
    /// The slots of a call's arguments, `this` first.
    ///
    /// # Panics
    /// Unless they are what the method takes.
    pub(crate) fn argument_slots(&mut self, method: MethodId, args: &[Value]) -> Slots {
        let m = self.method(method);
        let (class, desc, instance) = (m.class, m.desc, !m.is_static());
        let loader = self.class(class).loader;
        let desc = self.syms.str(desc).clone();
        let takes = parameters(&desc).count() + usize::from(instance);
        assert!(
            args.len() == takes,
            "{} takes {takes} arguments, not {}",
            self.method_name(method),
            args.len()
        );
        let mut rest = args;
        let mut slots = Slots::new();
        if instance {
            let this = args[0].reference();
            self.heap.check(this);
            let fits = !this.is_null() && self.is_subtype(self.class_of(this), class);
            assert!(fits, "`this` is no object for {}", self.method_name(method));
            slots.push(this.slot());
            rest = &args[1..];
        }
        for (&v, ty) in rest.iter().zip(parameters(&desc)) {
            let fits = self.is_of(v, ty, loader);
            assert!(fits, "{v:?} is no {ty} for {}", self.method_name(method));
            slots.push(v.slot());
            if matches!(v, Value::Long(_) | Value::Double(_)) {
                slots.push(0);
            }
        }
        slots
    }
    /// The slot of a native method's result.
    ///
    /// # Panics
    /// Unless the method returns such values.
    pub(crate) fn result_slot(&mut self, method: MethodId, v: Value) -> u64 {
        let m = self.method(method);
        let (class, desc) = (m.class, m.desc);
        let desc = self.syms.str(desc).clone();
        let (_, ty) = desc.split_once(')').expect("a method's descriptor");
        let loader = self.class(class).loader;
        let fits = ty == "V" || self.is_of(v, ty, loader);
        assert!(fits, "{v:?} is no {ty} for {}", self.method_name(method));
        v.slot()
    }
}
