//! Values in a VM that is stopped, or at an instrument: fields, elements, characters, types. Reading changes nothing.

use super::expression_error::ExpressionError;
use super::values::{Part, not_found, static_fields};
use rjvm_vm::classes::{ClassKind, acc};
use rjvm_vm::inspect::{InspectedValue, Object, ObjectContents, VmState};
use rjvm_vm::instruments::{ClassView, Typed};
use rjvm_vm::jdk::moves::BOXES;
use rjvm_vm::{ClassId, Ref, Value, Vm};

/// Characters of a string that are shown.
const TEXT: usize = 4096;
/// Elements of an array that are shown where it is named.
const ELEMENTS: usize = 8;

/// A class, and which of the fields that it declares.
pub type FieldPlace = (ClassId, usize);

fn typed((letter, value): (u8, Value)) -> Typed {
    let letter = if letter == b'[' { b'L' } else { letter };
    Typed { letter, value }
}

/// The fields of an object, the class's own before inherited ones; or the static ones of a class.
pub fn fields(vm: &Vm, class: ClassId, is_static: bool) -> Vec<FieldPlace> {
    let all = std::iter::successors(Some(class), |&c| vm.class(c).super_class);
    let own = |c: ClassId| {
        let fields = vm.class(c).fields.iter().enumerate();
        // those that the VM has put there are nobody's business
        let fields = fields.filter(move |(_, f)| {
            (f.access & acc::STATIC != 0) == is_static && f.index != u16::MAX
        });
        fields.map(move |(i, _)| (c, i)).collect::<Vec<_>>()
    };
    match is_static {
        true => own(class),
        false => all.flat_map(own).collect(),
    }
}

/// The name and the descriptor of a field.
pub fn field_type(vm: &Vm, (holder, index): FieldPlace) -> (String, String) {
    let f = &vm.class(holder).fields[index];
    let text = |sym| vm.symbols().str(sym).to_string();
    (text(f.name), text(f.desc))
}

/// What it holds.
///
/// # Panics
/// The class declares no such field, or the field is no static one and there is no object.
pub fn field(vm: &Vm, object: Ref, (holder, index): FieldPlace) -> Typed {
    let value = vm.field_value(holder, index, object);
    typed(value.expect("a field that was found in the object's class"))
}

/// The length of an array; none of another object.
pub fn length(vm: &Vm, r: Ref) -> Option<usize> {
    let array = vm.class(vm.class_of(r)).is_array();
    array.then(|| vm.heap().len(r))
}

/// An element of an array. `None`: it is none, or has no such element.
pub fn element(vm: &Vm, r: Ref, i: usize) -> Option<Typed> {
    vm.element_value(r, i).map(typed)
}

/// A static field by the names of its class and its own.
fn static_field(vm: &Vm, class: &str, name: &str) -> Option<FieldPlace> {
    let of = |c: &ClassId| {
        !vm.class(*c).is_array()
            && !matches!(vm.class(*c).kind, ClassKind::Primitive(_))
            && vm.class(*c).dotted() == class
    };
    let class = vm.debug_classes().into_iter().find(of)?;
    vm.field_named(class, name, true)
}

/// The value to which names lead, from a local or, where there is none, a static field.
///
/// # Errors
/// There is none; why.
pub fn path(
    vm: &Vm,
    parts: &[Part],
    local: impl FnOnce(&str) -> Option<Typed>,
) -> Result<Typed, ExpressionError> {
    path_and_field(vm, parts, local).map(|found| found.0)
}

/// The same, and which field it is, if it is one.
///
/// # Errors
/// As from [`path`].
pub fn path_and_field(
    vm: &Vm,
    parts: &[Part],
    local: impl FnOnce(&str) -> Option<Typed>,
) -> Result<(Typed, Option<FieldPlace>), ExpressionError> {
    let Some(Part::Field(first)) = parts.first() else {
        return Err(ExpressionError::Expected("a name"));
    };
    if let Some(value) = local(first) {
        return follow(vm, (value, None), &parts[1..]);
    }
    for (class, name, rest) in static_fields(parts) {
        if let Some(at) = static_field(vm, &class, name) {
            let value = field(vm, Ref::NULL, at);
            return follow(vm, (value, Some(at)), rest);
        }
    }
    Err(not_found(parts))
}

fn follow(
    vm: &Vm,
    from: (Typed, Option<FieldPlace>),
    parts: &[Part],
) -> Result<(Typed, Option<FieldPlace>), ExpressionError> {
    let (mut value, mut last) = from;
    for part in parts {
        let Some(object) = value.object() else {
            let shown = text(vm, value);
            return Err(ExpressionError::NoMembers(shown));
        };
        let class = ClassView::new(vm, vm.class_of(object)).name();
        last = None;
        value = match part {
            Part::Field(name) if name == "length" && length(vm, object).is_some() => Typed {
                letter: b'I',
                value: Value::Int(length(vm, object).unwrap_or(0) as i32),
            },
            Part::Field(name) => {
                let of = vm.class_of(object);
                let at = vm
                    .field_named(of, name, false)
                    .or_else(|| vm.field_named(of, name, true));
                let at = at.ok_or_else(|| ExpressionError::NoFieldOf(class, name.clone()))?;
                last = Some(at);
                field(vm, object, at)
            }
            Part::Element(i) => match length(vm, object) {
                None => return Err(ExpressionError::NotArray(class)),
                Some(length) => {
                    let index = *i as i64;
                    let found = element(vm, object, *i);
                    found.ok_or(ExpressionError::NoElement { index, length })?
                }
            },
        };
    }
    Ok((value, last))
}

/// The characters of a string; none of another object.
pub fn characters(vm: &Vm, r: Ref) -> Option<String> {
    (vm.class_of(r) == vm.known().string).then(|| vm.string(r))
}

/// Whether an object is shown without parts.
pub fn is_plain(vm: &Vm, r: Ref) -> bool {
    let class = vm.class_of(r);
    class == vm.known().string
        || class == vm.known().class
        || BOXES.contains(&&*vm.class(class).name)
}

/// The name of a value's type, as in Java's source; empty for null.
pub fn kind(vm: &Vm, value: Typed) -> String {
    match value.letter {
        b'L' => { value.object() }
            .map_or_else(String::new, |r| ClassView::new(vm, vm.class_of(r)).name()),
        letter => primitive(letter).into(),
    }
}

fn primitive(letter: u8) -> &'static str {
    match letter {
        b'Z' => "boolean",
        b'B' => "byte",
        b'C' => "char",
        b'S' => "short",
        b'J' => "long",
        b'F' => "float",
        b'D' => "double",
        _ => "int",
    }
}

/// A descriptor as in Java's source: `int[]`.
pub fn type_name(descriptor: &str) -> String {
    let base = descriptor.trim_start_matches('[');
    let dimensions = descriptor.len() - base.len();
    let name = match base.strip_prefix('L').and_then(|b| b.strip_suffix(';')) {
        Some(class) => class.replace('/', "."),
        None => primitive(base.bytes().next().unwrap_or(b'I')).to_owned(),
    };
    name + &"[]".repeat(dimensions)
}

/// A value that is no object, as rjvm shows it.
fn shown(value: InspectedValue, objects: Vec<Object>) -> String {
    let state = VmState {
        bytecodes: 0,
        threads: Vec::new(),
        objects,
    };
    state.value_text(value, 0)
}

fn inspected(value: Typed) -> InspectedValue {
    match (value.letter, value.value) {
        (b'Z', Value::Int(v)) => InspectedValue::Boolean(v != 0),
        (b'B', Value::Int(v)) => InspectedValue::Byte(v as i8),
        (b'C', Value::Int(v)) => InspectedValue::Char(v as u16),
        (b'S', Value::Int(v)) => InspectedValue::Short(v as i16),
        (_, Value::Int(v)) => InspectedValue::Int(v),
        (_, Value::Long(v)) => InspectedValue::Long(v),
        (_, Value::Float(v)) => InspectedValue::Float(v),
        (_, Value::Double(v)) => InspectedValue::Double(v),
        (_, Value::Ref(_)) => InspectedValue::Null,
        (_, Value::Void) => InspectedValue::Unset,
    }
}

/// A string in quotes.
pub fn quoted(text: &str) -> String {
    let units = text.encode_utf16().count();
    let (cut, whole) = match units > TEXT {
        true => (text.chars().take(TEXT / 2).collect(), Some(units)),
        false => (text.to_owned(), None),
    };
    let object = Object {
        class: String::new(),
        length: None,
        contents: ObjectContents::Text(cut, whole),
    };
    shown(InspectedValue::Object(1), vec![object])
}

/// A value in one line, as in Java's source. Objects have the name of their class; small ones their contents.
pub fn text(vm: &Vm, value: Typed) -> String {
    let Some(r) = value.object() else {
        return shown(inspected(value), Vec::new());
    };
    if let Some(text) = characters(vm, r) {
        return quoted(&text);
    }
    let class = vm.class_of(r);
    let name = ClassView::new(vm, class).name();
    if class == vm.known().class {
        let of = ClassView::new(vm, vm.of_mirror(r)).name();
        return format!("{name} {{{of}}}");
    }
    if BOXES.contains(&&*vm.class(class).name) {
        let own = fields(vm, class, false).into_iter().next();
        let value = own.map(|at| text(vm, field(vm, r, at)));
        return format!("{name} {{{}}}", value.unwrap_or_default());
    }
    let Some(length) = length(vm, r) else {
        return name;
    };
    let element_text = |e: Typed| match e.object().is_some_and(|r| !is_plain(vm, r)) {
        true => kind(vm, e),
        false => text(vm, e),
    };
    let elements = (0..length.min(ELEMENTS)).filter_map(|i| element(vm, r, i));
    let mut elements: Vec<String> = elements.map(element_text).collect();
    if length > ELEMENTS {
        elements.push(format!("... {} more", length - ELEMENTS));
    }
    let name = name.replacen("[]", &format!("[{length}]"), 1);
    format!("{name} {{{}}}", elements.join(", "))
}
