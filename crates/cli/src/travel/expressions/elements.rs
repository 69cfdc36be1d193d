//! Collections and maps as the elements that they have, which their own methods report.

use super::calls::call_row;
use super::{CallingWorld, Computed, ExpressionError, Held};
use crate::travel::reading;
use rjvm_vm::instruments::{ClassView, Typed};
use rjvm_vm::jdk::calls as rows;
use rjvm_vm::{Ref, Value, Vm};

/// The elements of a collection.
pub struct Elements {
    /// Of those that were requested, the key if it is a map's, and the value.
    pub shown: Vec<(Option<Held>, Held)>,
    /// How many it has.
    pub number: usize,
}

/// Whether an object is a collection or a map.
pub fn is_collection(vm: &Vm, r: Ref) -> bool {
    let is = |name: &str| {
        let of = |c: ClassView<'_>| &*vm.class(c.id()).name == name;
        ClassView::new(vm, vm.class_of(r)).supertypes().any(of)
    };
    is(rows::collection::TO_ARRAY.class) || is(rows::map::ENTRY_SET.class)
}

/// Some elements of a collection or a map.
///
/// # Errors
/// One of its methods throws an exception, or does not end.
pub fn elements(
    w: &mut dyn CallingWorld,
    of: Held,
    start: usize,
    count: usize,
) -> Result<Elements, ExpressionError> {
    let map = {
        let (vm, r) = (w.vm(), w.object(of));
        let of = |c: ClassView<'_>| &*vm.class(c.id()).name == rows::map::ENTRY_SET.class;
        ClassView::new(vm, vm.class_of(r)).supertypes().any(of)
    };
    let collection = match map {
        true => {
            let entries = call_row(w, rows::map::ENTRY_SET, of)?;
            held(w, entries)?
        }
        false => of,
    };
    let array = call_row(w, rows::collection::TO_ARRAY, collection)?;
    let array = held(w, array)?;
    let number = reading::length(w.vm(), w.object(array)).unwrap_or(0);
    let mut shown = Vec::new();
    for i in (start..number).take(count) {
        let element = reading::element(w.vm(), w.object(array), i);
        let element = element.and_then(|e| match e.value {
            Value::Ref(r) => Some(w.hold(r)),
            _ => None,
        });
        let element = element.ok_or(ExpressionError::Wrong("a collection has no such element"))?;
        shown.push(match map && !w.object(element).is_null() {
            true => {
                let key = call_row(w, rows::map_entry::GET_KEY, element)?;
                let key = held(w, key)?;
                let value = call_row(w, rows::map_entry::GET_VALUE, element)?;
                (Some(key), held(w, value)?)
            }
            false => (None, element),
        });
    }
    Ok(Elements { shown, number })
}

fn held(w: &mut dyn CallingWorld, v: Typed) -> Result<Held, ExpressionError> {
    match v.value {
        Value::Ref(r) => Ok(w.hold(r)),
        _ => Err(ExpressionError::Expected("an object")),
    }
}

impl Elements {
    /// In one line: `java.util.ArrayList(3) {1, "a", null}`.
    pub fn text(&self, w: &dyn CallingWorld, name: &str) -> String {
        let part = |held: Held| {
            let r = w.object(held);
            let value = Typed {
                letter: b'L',
                value: Value::Ref(r),
            };
            match r.is_null() || reading::is_plain(w.vm(), r) {
                true => reading::text(w.vm(), value),
                false => reading::kind(w.vm(), value),
            }
        };
        let all = self.shown.iter().map(|(key, value)| match key {
            Some(key) => format!("{}: {}", part(*key), part(*value)),
            None => part(*value),
        });
        let mut all: Vec<String> = all.collect();
        let left = self.number - self.shown.len();
        if left > 0 {
            all.push(format!("... {left} more"));
        }
        format!("{name}({}) {{{}}}", self.number, all.join(", "))
    }
}

/// Whether a value is a collection or a map.
pub fn is_collection_value(w: &dyn CallingWorld, v: &Computed) -> Option<Held> {
    match v {
        Computed::Object(held, _) if is_collection(w.vm(), w.object(*held)) => Some(*held),
        _ => None,
    }
}
