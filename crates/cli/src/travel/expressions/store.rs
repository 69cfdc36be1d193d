//! Values that are written into elements, fields and locals, converted as an assignment does (JLS 5.2).

use super::super::reading::{self, FieldPlace};
use super::calls::{boxed, object_of};
use super::syntax::Expression;
use super::{CallingWorld, Computed, ExpressionError, Held, evaluate, members, operators};
use rjvm_vm::classes::ClassKind;
use rjvm_vm::{ClassId, Ref, Value};

/// A value that a place of a type can hold.
#[derive(Clone, Copy, Debug)]
pub struct NewValue {
    /// The first letter of the place's type.
    pub letter: u8,
    pub value: Value,
}

/// Converts a value for a place with this descriptor.
///
/// # Errors
/// The place cannot hold it.
pub fn store(
    w: &mut dyn CallingWorld,
    v: Computed,
    descriptor: &str,
) -> Result<NewValue, ExpressionError> {
    let letter = descriptor.as_bytes()[0];
    let wrong = || ExpressionError::TypeCannotHold(reading::type_name(descriptor));
    if descriptor.len() == 1 {
        let v = operators::unboxed(w.plain(), v);
        let from = operators::letter(&v).ok_or_else(wrong)?;
        let converted = operators::to_primitive(&v, letter).ok_or_else(wrong)?;
        // an int may be narrowed if it keeps its value, as a constant may
        let narrowed = b"BSCI".contains(&from) && b"BSC".contains(&letter);
        let back = operators::to_primitive(&converted, from);
        let keeps = narrowed && back.as_ref() == Some(&v);
        if !operators::widens(from, letter) && !keeps {
            return Err(wrong());
        }
        let value = converted.typed(w.plain()).ok_or_else(wrong)?.value;
        return Ok(NewValue { letter, value });
    }
    let v = boxed(w.plain(), v)?;
    if v == Computed::Null {
        let value = Value::Ref(Ref::NULL);
        return Ok(NewValue { letter, value });
    }
    let held = object_of(w, &v).map_err(|_| wrong())?;
    Ok(NewValue {
        letter,
        value: Value::Ref(w.object(held)),
    })
}

/// Writes an element of an array.
///
/// # Errors
/// There is no such element, or it cannot hold the value.
pub fn store_element(
    w: &mut dyn CallingWorld,
    array: Held,
    i: usize,
    v: Computed,
) -> Result<(), ExpressionError> {
    let r = w.object(array);
    let of = w.vm().class_of(r);
    let ClassKind::Array(element) = w.vm().class(of).kind else {
        return Err(ExpressionError::NotArray("it".into()));
    };
    let length = w.vm().heap().len(r);
    if i >= length {
        return Err(ExpressionError::NoElement {
            index: i as i64,
            length,
        });
    }
    let descriptor = match w.vm().class(element).kind {
        ClassKind::Primitive(letter) => char::from(letter).to_string(),
        // what it may hold is compared with the class below
        _ => "Ljava;".into(),
    };
    let new = store(w, v, &descriptor)?;
    let r = w.object(array);
    if let Value::Ref(o) = new.value
        && !o.is_null()
        && !members::is_subtype(w.vm(), w.vm().class_of(o), element)
    {
        return Err(ExpressionError::Thrown(
            "java.lang.ArrayStoreException".into(),
        ));
    }
    let mut heap = w.vm_mut().heap_mut();
    match (new.letter, new.value) {
        (_, Value::Ref(o)) => heap.set_elem_ref(r, i, o),
        (b'Z', Value::Int(v)) => heap.set_elem(r, i, (v & 1) as u8),
        (b'B', Value::Int(v)) => heap.set_elem(r, i, v as u8),
        (b'C' | b'S', Value::Int(v)) => heap.set_elem(r, i, v as u16),
        (_, Value::Int(v)) => heap.set_elem(r, i, v as u32),
        (_, Value::Long(v)) => heap.set_elem(r, i, v as u64),
        (_, Value::Float(v)) => heap.set_elem(r, i, v.to_bits()),
        (_, Value::Double(v)) => heap.set_elem(r, i, v.to_bits()),
        (_, Value::Void) => return Err(ExpressionError::Wrong("there is no value")),
    }
    Ok(())
}

/// A place that can be written.
pub enum Target {
    /// A local of the frame.
    Local(String),
    /// A field of an object, or a static one.
    Field(Option<Held>, FieldPlace),
    Element(Held, usize),
}

impl Target {
    /// The place that an expression names.
    ///
    /// # Errors
    /// It names none.
    pub fn of(w: &mut dyn CallingWorld, e: &Expression) -> Result<Target, ExpressionError> {
        match e {
            Expression::Name(name) => {
                if name == "this" {
                    return Err(ExpressionError::Wrong("this cannot be changed"));
                }
                if w.local(name).is_some() {
                    return Ok(Target::Local(name.clone()));
                }
                if let Some(this) = w.local("this").and_then(|v| v.object()) {
                    let class = w.vm().class_of(this);
                    if let Some(at) = w.vm().field_named(class, name, false) {
                        let held = w.hold(this);
                        return Ok(Target::Field(Some(held), at));
                    }
                }
                for class in members::enclosing(w.plain()) {
                    if let Some(at) = w.vm().field_named(class, name, true) {
                        return Ok(Target::Field(None, at));
                    }
                }
                Err(ExpressionError::NoName(name.clone()))
            }
            Expression::Member(of, name) => {
                let value = evaluate(w.plain(), of);
                let (held, class): (Option<Held>, ClassId) = match value {
                    Ok(Computed::Object(held, _)) => {
                        let r = w.object(held);
                        (Some(held), w.vm().class_of(r))
                    }
                    Ok(Computed::Null) => {
                        return Err(ExpressionError::null_pointer(name));
                    }
                    Ok(_) => return Err(ExpressionError::NotField(name.clone())),
                    Err(why) => {
                        let names = of.names().ok_or_else(|| why.clone())?.join(".");
                        let class = members::class_named(w.plain(), &names);
                        (None, class.ok_or(why)?)
                    }
                };
                let own = held.and_then(|_| w.vm().field_named(class, name, false));
                let at = own.or_else(|| w.vm().field_named(class, name, true));
                let at = at.ok_or_else(|| ExpressionError::NoField(name.clone()))?;
                Ok(Target::Field(held.filter(|_| own.is_some()), at))
            }
            Expression::Element(of, index) => {
                let value = evaluate(w.plain(), of)?;
                let index = evaluate(w.plain(), index)?;
                let index = operators::unboxed(w.plain(), index);
                let index = match operators::to_primitive(&index, b'I') {
                    Some(Computed::Int(i)) => usize::try_from(i).ok(),
                    _ => None,
                };
                match (value, index) {
                    (Computed::Object(held, _), Some(i)) => Ok(Target::Element(held, i)),
                    _ => Err(ExpressionError::Wrong("it is not an element of an array")),
                }
            }
            _ => Err(ExpressionError::Expected("a local, a field or an element")),
        }
    }
    /// Writes it.
    ///
    /// # Errors
    /// The place cannot hold the value.
    pub fn write(&self, w: &mut dyn CallingWorld, v: Computed) -> Result<(), ExpressionError> {
        match self {
            Target::Local(name) => w.store_local(name, v),
            Target::Element(held, i) => store_element(w, *held, *i, v),
            Target::Field(held, at) => {
                let mirror = w.vm().mirror(at.0);
                let object = match held {
                    Some(held) => *held,
                    None => w.hold(mirror),
                };
                store_field(w, object, *at, v)
            }
        }
    }
}

/// Writes a field.
///
/// # Errors
/// It cannot hold the value.
pub fn store_field(
    w: &mut dyn CallingWorld,
    object: Held,
    at: FieldPlace,
    v: Computed,
) -> Result<(), ExpressionError> {
    let (name, descriptor) = reading::field_type(w.vm(), at);
    let new = store(w, v, &descriptor)?;
    let wrong = || ExpressionError::CannotHold(name.clone(), reading::type_name(&descriptor));
    let loader = w.vm().class(at.0).loader;
    if !w.vm_mut().may_pass(new.value, &descriptor, loader) {
        return Err(wrong());
    }
    let r = w.object(object);
    match w.vm_mut().set_field(at.0, at.1, r, new.value) {
        true => Ok(()),
        false => Err(wrong()),
    }
}
