//! Between an embedder's values and those of the VM. Nothing here runs Java code; what allocates may have to be done
//! again after a collection.

use super::error::Error;
use super::handle::Object;
use super::job::StepFailure;
use super::value::{Type, Value};
use rjvm_vm::classes::type_text;
use rjvm_vm::natives::Ret;
use rjvm_vm::prim::Prim;
use rjvm_vm::{LoaderId, R, Ref, Value as Slot, Vm as Core};

/// The value as one of the type that the field descriptor `desc` names in classes of `loader`.
pub(super) fn lower(
    core: &mut Core,
    loader: LoaderId,
    desc: &str,
    value: &Value,
) -> Result<Slot, StepFailure> {
    let slot = match (desc.as_bytes()[0], value) {
        (b'V', _) => return Ok(Slot::Void),
        (b'Z', &Value::Bool(v)) => v.into(),
        (b'B', &Value::Byte(v)) => Slot::Int(v.into()),
        (b'C', &Value::Char(v)) => Slot::Int(v.into()),
        (b'S', &Value::Short(v)) => Slot::Int(v.into()),
        (b'I', &Value::Int(v)) => v.into(),
        (b'J', &Value::Long(v)) => v.into(),
        (b'F', &Value::Float(v)) => Slot::Float(v),
        (b'D', &Value::Double(v)) => Slot::Double(v),
        (b'L' | b'[', value) => {
            let made = make(core, loader, desc, value)?;
            made.ok_or_else(|| mismatch(value, desc))?.into()
        }
        _ => return Err(mismatch(value, desc).into()),
    };
    match core.may_pass(slot, desc, loader) {
        true => Ok(slot),
        false => Err(mismatch(value, desc).into()),
    }
}

fn mismatch(value: &Value, desc: &str) -> Error {
    let what = match value {
        Value::Null => "null".into(),
        Value::Object(_) => "the object".into(),
        other => type_text(other.descriptor()),
    };
    Error::Type(format!("{what} is not {}", type_text(desc)))
}

/// The object that represents a value where a reference is wanted; `None` if there is none.
fn make(
    core: &mut Core,
    loader: LoaderId,
    desc: &str,
    value: &Value,
) -> Result<Option<Ref>, StepFailure> {
    Ok(Some(match value {
        Value::Void => return Ok(None),
        Value::Null => Ref::NULL,
        Value::Object(o) => o.at(core)?,
        Value::String(s) => core.new_string(s)?,
        &Value::Bool(v) => core.box_value(b'Z', v.into_slot())?,
        &Value::Byte(v) => core.box_value(b'B', v.into_slot())?,
        &Value::Char(v) => core.box_value(b'C', v.into_slot())?,
        &Value::Short(v) => core.box_value(b'S', v.into_slot())?,
        &Value::Int(v) => core.box_value(b'I', v.into_slot())?,
        &Value::Long(v) => core.box_value(b'J', v.into_slot())?,
        &Value::Float(v) => core.box_value(b'F', v.into_slot())?,
        &Value::Double(v) => core.box_value(b'D', v.into_slot())?,
        Value::Bools(v) => {
            let bytes: Vec<u8> = v.iter().map(|&b| b.into()).collect();
            array(core, b'Z', &bytes)?
        }
        Value::Bytes(v) => array(core, b'B', v)?,
        Value::Chars(v) => array(core, b'C', v)?,
        Value::Shorts(v) => array(core, b'S', v)?,
        Value::Ints(v) => array(core, b'I', v)?,
        Value::Longs(v) => array(core, b'J', v)?,
        Value::Floats(v) => array(core, b'F', v)?,
        Value::Doubles(v) => array(core, b'D', v)?,
        Value::Strings(v) => {
            let string = core.known().string;
            let array = core.new_array_of(string, v.len())?;
            for (i, s) in v.iter().enumerate() {
                if let Some(s) = s {
                    let s = core.new_string(s)?;
                    core.heap_mut().set_elem_ref(array, i, s);
                }
            }
            array
        }
        Value::Objects(v) => {
            let elements = match desc.strip_prefix('[') {
                Some(element) => {
                    let name = element.strip_prefix('L').and_then(|e| e.strip_suffix(';'));
                    core.load_class(loader, name.unwrap_or(element))?
                }
                None => core.known().object,
            };
            let array = core.new_array_of(elements, v.len())?;
            for (i, o) in v.iter().enumerate() {
                let Some(o) = o else { continue };
                let o = o.at(core)?;
                if !core.instance_of(o, elements) {
                    return Ok(None);
                }
                core.heap_mut().set_elem_ref(array, i, o);
            }
            array
        }
    }))
}

fn array<T: Prim>(core: &mut Core, ty: u8, values: &[T]) -> R<Ref> {
    let class = core.primitive(ty);
    let array = core.new_array_of(class, values.len())?;
    for (i, &v) in values.iter().enumerate() {
        core.heap_mut().set_elem(array, i, v);
    }
    Ok(array)
}

/// The object that represents a value by itself; `None` for null and no value.
pub(super) fn object(core: &mut Core, value: &Value) -> Result<Option<Ref>, StepFailure> {
    let object = make(core, LoaderId::BOOT, "Ljava/lang/Object;", value)?;
    Ok(object.filter(|r| !r.is_null()))
}

/// A value of the VM, converted to `want`; `desc` is the descriptor of its declared type.
pub(super) fn lift(core: &mut Core, desc: &str, slot: Slot, want: Type) -> Result<Value, Error> {
    if want == Type::Void {
        return Ok(Value::Void);
    }
    let value = match slot {
        Slot::Void if want == Type::Any => Some(Value::Void),
        Slot::Void => None,
        Slot::Ref(r) if r.is_null() => Some(Value::Null),
        Slot::Ref(r) => return of_object(core, r, want),
        slot => {
            let ty = desc.as_bytes()[0];
            let wanted = want == Type::Any || want == Type::Primitive(ty);
            wanted.then(|| of_primitive(ty, slot.slot()))
        }
    };
    value.ok_or_else(|| Error::Type(format!("{} is not {}", type_text(desc), want.describe())))
}

fn of_primitive(ty: u8, slot: u64) -> Value {
    match ty {
        b'Z' => Value::Bool(slot as i32 != 0),
        b'B' => Value::Byte(slot as i8),
        b'C' => Value::Char(slot as u16),
        b'S' => Value::Short(slot as i16),
        b'I' => Value::Int(slot as i32),
        b'J' => Value::Long(slot as i64),
        b'F' => Value::Float(f32::from_bits(slot as u32)),
        _ => Value::Double(f64::from_bits(slot)),
    }
}

fn of_object(core: &mut Core, r: Ref, want: Type) -> Result<Value, Error> {
    let class = core.class_of(r);
    let name = core.name(class);
    let is_string = class == core.known().string;
    let value = match want {
        Type::Primitive(ty) => match core.unbox_value(r) {
            Some((t, slot)) if t == ty => Some(of_primitive(t, slot)),
            _ => None,
        },
        Type::String => is_string.then(|| Value::String(core.string(r))),
        Type::Any if is_string => Some(Value::String(core.string(r))),
        Type::Object | Type::Any => Some(Value::Object(Object::new(core, r))),
        Type::Array(ty) if name.as_bytes() == [b'[', ty] => Some(match ty {
            b'Z' => Value::Bools(elements::<u8>(core, r).iter().map(|&b| b != 0).collect()),
            b'B' => Value::Bytes(elements(core, r)),
            b'C' => Value::Chars(elements(core, r)),
            b'S' => Value::Shorts(elements(core, r)),
            b'I' => Value::Ints(elements(core, r)),
            b'J' => Value::Longs(elements(core, r)),
            b'F' => Value::Floats(elements(core, r)),
            _ => Value::Doubles(elements(core, r)),
        }),
        Type::Strings if core.heap().is_ref_array(r) => {
            let mut strings = Vec::new();
            for e in references(core, r) {
                if !e.is_null() && core.class_of(e) != core.known().string {
                    return Err(no(core, e, Type::String));
                }
                strings.push((!e.is_null()).then(|| core.string(e)));
            }
            Some(Value::Strings(strings))
        }
        Type::Objects if core.heap().is_ref_array(r) => {
            let elements = references(core, r).into_iter();
            let handle = |e: Ref| (!e.is_null()).then(|| Object::new(core, e));
            Some(Value::Objects(elements.map(handle).collect()))
        }
        _ => None,
    };
    value.ok_or_else(|| no(core, r, want))
}

fn no(core: &mut Core, r: Ref, want: Type) -> Error {
    let class = core.class(core.class_of(r)).dotted();
    Error::Type(format!("an object of {class} is not {}", want.describe()))
}

fn elements<T: Prim>(core: &Core, array: Ref) -> Vec<T> {
    let heap = core.heap();
    (0..heap.len(array)).map(|i| heap.elem(array, i)).collect()
}

fn references(core: &Core, array: Ref) -> Vec<Ref> {
    let heap = core.heap();
    (0..heap.len(array))
        .map(|i| heap.elem_ref(array, i))
        .collect()
}
