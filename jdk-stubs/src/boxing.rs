//! Boxing, unboxing and widening of primitive values, as reflection does them.

use rjvm_vm::classes::ClassKind;
use rjvm_vm::heap::Offset;
use rjvm_vm::{ClassId, Env, R, Ref, Throw, Value};

/// A primitive value in the form of a slot (see `Ret::into_slot`), with its descriptor character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prim {
    /// Descriptor character.
    pub ty: u8,
    /// The value.
    pub slot: u64,
}

impl From<Prim> for Value {
    fn from(v: Prim) -> Value {
        match v.ty {
            b'J' => Value::Long(v.slot as i64),
            b'F' => Value::Float(f32::from_bits(v.slot as u32)),
            b'D' => Value::Double(f64::from_bits(v.slot)),
            _ => Value::Int(v.slot as i32),
        }
    }
}

/// `IllegalArgumentException: argument type mismatch`
pub fn mismatch() -> Box<Throw> {
    Throw::msg(
        "java/lang/IllegalArgumentException",
        "argument type mismatch",
    )
}

/// The wrapper class of a primitive type.
pub fn wrapper(vm: &Env, ty: u8) -> ClassId {
    vm.box_class(ty)
}

/// The primitive value in a wrapper object; `None` for any other object.
pub fn unbox(vm: &mut Env, r: Ref) -> Option<Prim> {
    vm.unbox_value(r).map(|(ty, slot)| Prim { ty, slot })
}

/// A new wrapper object (never a cached one, as in HotSpot's reflection). The class must be initialized.
pub fn new_box(vm: &mut Env, v: Prim) -> R<Ref> {
    vm.box_value(v.ty, v.slot)
}

/// Reads a primitive field or element.
pub fn load(vm: &Env, r: Ref, off: impl Offset, ty: u8) -> u64 {
    let h = vm.heap();
    match ty {
        b'Z' | b'B' => h.get::<i8>(r, off) as i32 as u32 as u64,
        b'C' => h.get::<u16>(r, off) as u64,
        b'S' => h.get::<i16>(r, off) as i32 as u32 as u64,
        b'I' | b'F' => h.get::<u32>(r, off) as u64,
        _ => h.get::<u64>(r, off),
    }
}

/// Writes a primitive field or element of exactly this type.
pub fn store(vm: &mut Env, r: Ref, off: impl Offset, v: Prim) {
    let mut h = vm.heap_mut();
    match v.ty {
        b'Z' => h.put::<u8>(r, off, v.slot as u8 & 1),
        b'B' => h.put::<u8>(r, off, v.slot as u8),
        b'C' | b'S' => h.put::<u16>(r, off, v.slot as u16),
        b'I' | b'F' => h.put::<u32>(r, off, v.slot as u32),
        _ => h.put::<u64>(r, off, v.slot),
    }
}

/// Bytes of a primitive type, as a power of two.
pub fn shift(ty: u8) -> u32 {
    match ty {
        b'Z' | b'B' => 0,
        b'C' | b'S' => 1,
        b'I' | b'F' => 2,
        _ => 3,
    }
}

/// The value widened to type `to` (JLS 5.1.2); `None` if that isn't widening.
pub fn widen(v: Prim, to: u8) -> Option<Prim> {
    if v.ty == to {
        return Some(v);
    }
    let rank = |ty: u8| "BSIJFD".bytes().position(|b| b == ty);
    let ok = match (v.ty, to) {
        (b'Z', _) | (_, b'Z' | b'C') => false,
        (b'C', _) => rank(to) >= rank(b'I'),
        _ => rank(to) > rank(v.ty),
    };
    if !ok {
        return None;
    }
    let (int, long) = (v.slot as i32, v.slot as i64);
    let slot = match (v.ty, to) {
        (b'F', _) => f64::from(f32::from_bits(v.slot as u32)).to_bits(),
        (b'J', b'F') => u64::from((long as f32).to_bits()),
        (b'J', _) => (long as f64).to_bits(),
        (_, b'J') => i64::from(int) as u64,
        (_, b'F') => u64::from((int as f32).to_bits()),
        (_, b'D') => f64::from(int).to_bits(),
        _ => v.slot,
    };
    Some(Prim { ty: to, slot })
}

/// Component type of an array of primitives; `None` for any other object.
pub fn primitive_component(vm: &Env, array: Ref) -> Option<u8> {
    match vm.class(vm.class_of(array)).kind {
        ClassKind::Array(e) => match vm.class(e).kind {
            ClassKind::Primitive(ch) => Some(ch),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Prim, widen};

    #[test]
    fn widening() {
        let int = |v: i32| Prim {
            ty: b'I',
            slot: u64::from(v as u32),
        };
        assert_eq!(widen(int(-3), b'J').unwrap().slot as i64, -3);
        assert_eq!(f64::from_bits(widen(int(-3), b'D').unwrap().slot), -3.0);
        assert_eq!(widen(int(1), b'B'), None);
        assert_eq!(widen(int(1), b'C'), None);
        let c = Prim {
            ty: b'C',
            slot: 0xffff,
        };
        assert_eq!(widen(c, b'I').unwrap().slot, 0xffff);
        assert_eq!(widen(c, b'S'), None);
        assert_eq!(widen(Prim { ty: b'Z', slot: 1 }, b'I'), None);
        assert_eq!(widen(Prim { ty: b'B', slot: 1 }, b'C'), None);
        let f = Prim {
            ty: b'F',
            slot: u64::from(1.5f32.to_bits()),
        };
        assert_eq!(f64::from_bits(widen(f, b'D').unwrap().slot), 1.5);
        assert_eq!(widen(Prim { ty: b'D', slot: 0 }, b'F'), None);
        assert_eq!(widen(Prim { ty: b'J', slot: 0 }, b'F').unwrap().ty, b'F');
    }
}
