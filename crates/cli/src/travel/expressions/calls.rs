//! Calls in expressions: which method is meant (JLS 15.12), and what it gets.

use super::evaluate::{NO_RESULT, evaluate};
use super::members::{self, BRIDGE};
use super::operators::{self, widens};
use super::syntax::{Expression, TypeName};
use super::{CallingWorld, Computed, ExpressionError, ExpressionWorld, Held, store};
use rjvm_classfile::descriptor::parameters;
use rjvm_vm::classes::acc;
use rjvm_vm::debug::CallRequest;
use rjvm_vm::instruments::{ClassView, MethodView, Typed};
use rjvm_vm::jdk::JdkMethod;
use rjvm_vm::jdk::calls as rows;
use rjvm_vm::jdk::moves::BOXES;
use rjvm_vm::{ClassId, MethodId, Ref, Value};

/// Dimensions of an array that an expression makes.
const MOST_DIMENSIONS: usize = 8;

/// A method that may be meant, with its parameters.
struct Candidate {
    method: MethodId,
    parameters: Vec<String>,
    is_static: bool,
    variable: bool,
}

/// How strictly arguments fit (JLS 15.12.2).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Strict,
    Loose,
    Variable,
}

/// The value of a call.
pub fn call(
    w: &mut dyn ExpressionWorld,
    of: Option<&Expression>,
    name: &str,
    arguments: &[Expression],
) -> Result<Computed, ExpressionError> {
    let (receiver, classes) = match of {
        None => own(w, name),
        Some(of) => receiver(w, of)?,
    };
    let arguments = { arguments.iter() }.map(|e| evaluate(w, e));
    let arguments = arguments.collect::<Result<Vec<Computed>, ExpressionError>>()?;
    let receiver = match receiver {
        Some(text @ Computed::Text(_, None)) => Some(object_of(w.caller()?, &text)?),
        Some(Computed::Text(_, Some(held)) | Computed::Object(held, _)) => Some(held),
        Some(Computed::Null) => {
            return Err(ExpressionError::null_pointer(format_args!("{name}()")));
        }
        Some(_) => return Err(ExpressionError::NotObject(name.into())),
        None => None,
    };
    let mut known = false;
    for class in &classes {
        let found = candidates(w, *class, name, receiver.is_some());
        known |= !found.is_empty();
        if found.is_empty() {
            continue;
        }
        let (chosen, phase) = choose(w, name, &found, &arguments)?;
        return invoke(w, chosen, phase, receiver, arguments);
    }
    let class = classes.first().map(|c| ClassView::new(w.vm(), *c).name());
    let class = class.unwrap_or_else(|| "the class of this frame".into());
    Err(match known {
        true => ExpressionError::NoSuchMethod(class, name.into()),
        false => ExpressionError::NoMethod(class, name.into()),
    })
}

/// Where a call without an object looks: in `this`, or in the classes around the frame's method.
fn own(w: &mut dyn ExpressionWorld, name: &str) -> (Option<Computed>, Vec<ClassId>) {
    let this = w.local("this");
    if let Some(r) = this.and_then(|v| v.object()) {
        let class = w.vm().class_of(r);
        if !candidates(w, class, name, true).is_empty() {
            let held = w.hold(r);
            return (Some(Computed::Object(held, None)), vec![class]);
        }
    }
    (None, members::enclosing(w))
}

/// The object of a call, and its class; or the class of a static method.
fn receiver(
    w: &mut dyn ExpressionWorld,
    of: &Expression,
) -> Result<(Option<Computed>, Vec<ClassId>), ExpressionError> {
    let value = evaluate(w, of);
    if value.is_err()
        && let Some(names) = of.names()
        && let Some(class) = members::class_named(w, &names.join("."))
    {
        return Ok((None, vec![class]));
    }
    let value = value?;
    // a box is an object here; other numbers have no methods
    let class = match members::class_of(w, &value) {
        Some(_) => match &value {
            // a cast does not hide what the object has
            Computed::Object(held, _) => w.vm().class_of(w.object(*held)),
            _ => w.vm().known().string,
        },
        None => w.vm().known().object,
    };
    Ok((Some(value), vec![class]))
}

/// The methods of a name that a class has or inherits, those of subclasses first. An overridden one counts once.
fn candidates(
    w: &dyn ExpressionWorld,
    class: ClassId,
    name: &str,
    with_object: bool,
) -> Vec<Candidate> {
    let vm = w.vm();
    let mut classes = vec![class];
    classes.extend(ClassView::new(vm, class).supertypes().map(|c| c.id()));
    let object = vm.known().object;
    if !classes.contains(&object) {
        classes.push(object);
    }
    let mut found: Vec<Candidate> = Vec::new();
    for c in classes {
        if name == "<init>" && c != class {
            break;
        }
        for &m in &vm.class(c).methods {
            let view = MethodView::new(vm, m);
            let access = vm.method(m).access;
            if view.name() != name || access & BRIDGE == BRIDGE {
                continue;
            }
            if !with_object && !view.is_static() && name != "<init>" {
                continue;
            }
            let parameters: Vec<String> =
                parameters(view.descriptor()).map(str::to_owned).collect();
            if found.iter().any(|f| f.parameters == parameters) {
                continue;
            }
            let last = parameters.last().is_some_and(|p| p.starts_with('['));
            found.push(Candidate {
                method: m,
                variable: access & acc::VARARGS != 0 && last,
                is_static: view.is_static(),
                parameters,
            });
        }
    }
    found
}

/// Whether an argument fits a parameter.
fn fits(w: &dyn ExpressionWorld, v: &Computed, parameter: &str, phase: Phase) -> bool {
    let primitive = (parameter.len() == 1).then(|| parameter.as_bytes()[0]);
    match (operators::letter(v), primitive) {
        (Some(from), Some(to)) => widens(from, to),
        (Some(from), None) => {
            phase != Phase::Strict && box_of(from).is_some_and(|b| names_fit(w, b, parameter))
        }
        (None, Some(to)) => {
            phase != Phase::Strict && box_letter(w, v).is_some_and(|from| widens(from, to))
        }
        (None, None) => match members::class_of(w, v) {
            Some(class) => class_fits(w, class, parameter),
            None => *v == Computed::Null,
        },
    }
}

/// The name of the box of a primitive type.
fn box_of(letter: u8) -> Option<&'static str> {
    let at = b"ZBCSIJFD".iter().position(|l| *l == letter)?;
    Some(BOXES[at])
}

/// The type that a box holds.
fn box_letter(w: &dyn ExpressionWorld, v: &Computed) -> Option<u8> {
    let class = members::class_of(w, v)?;
    let name = &*w.vm().class(class).name;
    let at = BOXES.iter().position(|b| *b == name)?;
    Some(b"ZBCSIJFD"[at])
}

/// Whether objects of a class may be passed for a descriptor.
fn class_fits(w: &dyn ExpressionWorld, class: ClassId, descriptor: &str) -> bool {
    use rjvm_vm::classes::ClassKind;
    let vm = w.vm();
    if let Some(name) = descriptor
        .strip_prefix('L')
        .and_then(|d| d.strip_suffix(';'))
    {
        return &*vm.class(class).name == name
            || &*vm.class(vm.known().object).name == name
            || ClassView::new(vm, class)
                .supertypes()
                .any(|s| &*vm.class(s.id()).name == name);
    }
    let (ClassKind::Array(of), Some(element)) =
        (&vm.class(class).kind, descriptor.strip_prefix('['))
    else {
        return false;
    };
    match vm.class(*of).kind {
        ClassKind::Primitive(letter) => element.as_bytes() == [letter],
        _ => class_fits(w, *of, element),
    }
}

/// The same of a class by its name; one that is not loaded is itself only.
fn names_fit(w: &dyn ExpressionWorld, name: &str, descriptor: &str) -> bool {
    let vm = w.vm();
    let class = vm
        .debug_classes()
        .into_iter()
        .find(|c| &*vm.class(*c).name == name);
    match class {
        Some(class) => class_fits(w, class, descriptor),
        None => descriptor.get(1..descriptor.len() - 1) == Some(name),
    }
}

/// Whether a parameter's type is below another one's, or the same (JLS 15.12.2.5).
fn is_below(w: &dyn ExpressionWorld, a: &str, b: &str) -> bool {
    match (a.len(), b.len()) {
        (1, 1) => widens(a.as_bytes()[0], b.as_bytes()[0]),
        (1, _) | (_, 1) => false,
        _ if a == b => true,
        _ => match (a.strip_prefix('['), b.strip_prefix('[')) {
            (Some(a), Some(b)) => is_below(w, a, b),
            (Some(_), None) => b[1..b.len() - 1] == *w.vm().class(w.vm().known().object).name,
            (None, Some(_)) => false,
            (None, None) => names_fit(w, &a[1..a.len() - 1], b),
        },
    }
}

/// The method that arguments choose.
fn choose<'a>(
    w: &dyn ExpressionWorld,
    name: &str,
    all: &'a [Candidate],
    arguments: &[Computed],
) -> Result<(&'a Candidate, Phase), ExpressionError> {
    for phase in [Phase::Strict, Phase::Loose, Phase::Variable] {
        let applies = |c: &&Candidate| match phase {
            Phase::Variable => {
                let fixed = c.parameters.len().wrapping_sub(1);
                c.variable && arguments.len() >= fixed && {
                    let (before, rest) = arguments.split_at(fixed);
                    let fits = |(v, p): (&Computed, &String)| fits(w, v, p, Phase::Loose);
                    let element = &c.parameters[fixed][1..];
                    before.iter().zip(&c.parameters).all(fits)
                        && rest.iter().all(|v| self::fits(w, v, element, Phase::Loose))
                }
            }
            phase => {
                c.parameters.len() == arguments.len() && {
                    let mut both = arguments.iter().zip(&c.parameters);
                    both.all(|(v, p)| fits(w, v, p, phase))
                }
            }
        };
        let found: Vec<&Candidate> = all.iter().filter(applies).collect();
        let below = |a: &Candidate, b: &Candidate| {
            let same = a.parameters.len() == b.parameters.len();
            same && { a.parameters.iter().zip(&b.parameters) }.all(|(a, b)| is_below(w, a, b))
        };
        let most = |c: &&Candidate| found.iter().all(|o| below(c, o));
        match (found.iter().copied().find(most), found.len()) {
            (Some(chosen), _) => return Ok((chosen, phase)),
            (None, 0) => {}
            (None, n) => {
                return Err(ExpressionError::Ambiguous(n, name.into()));
            }
        }
    }
    let shown = all.iter().map(|c| format!("({})", c.parameters.join("")));
    let shown: Vec<String> = shown.collect();
    let word = match name {
        "<init>" => "constructor",
        _ => "method",
    };
    Err(ExpressionError::NoneFits(
        word,
        name.into(),
        shown.join(", "),
    ))
}

fn invoke(
    w: &mut dyn ExpressionWorld,
    chosen: &Candidate,
    phase: Phase,
    receiver: Option<Held>,
    arguments: Vec<Computed>,
) -> Result<Computed, ExpressionError> {
    let passed = passed(w, chosen, phase, arguments)?;
    let caller = w.caller()?;
    let (method, owner) = (chosen.method, caller.vm().method(chosen.method).class);
    let mut values = Vec::new();
    let mut method = method;
    match receiver.filter(|_| !chosen.is_static) {
        Some(held) => {
            let r = caller.object(held);
            let class = caller.vm().class_of(r);
            let selected = caller.vm_mut().env().select_method(class, method);
            method = selected.map_err(|_| ExpressionError::Abstract("the method".into()))?;
            values.push(Value::Ref(r));
        }
        None if !chosen.is_static => {
            return Err(ExpressionError::Wrong("the method needs an object"));
        }
        None => {}
    }
    values.extend(passed.iter().map(|v| v.value(caller.plain())));
    let found = caller.call(CallRequest {
        number: 0,
        method,
        initializes: chosen.is_static.then_some(owner),
        makes: None,
        arguments: values,
    })?;
    Ok(w.computed(found))
}

/// An argument as it is passed.
enum Passed {
    Plain(Value),
    Object(Held),
}

impl Passed {
    fn value(&self, w: &dyn ExpressionWorld) -> Value {
        match self {
            Passed::Plain(value) => *value,
            Passed::Object(held) => Value::Ref(w.object(*held)),
        }
    }
}

fn passed(
    w: &mut dyn ExpressionWorld,
    chosen: &Candidate,
    phase: Phase,
    mut arguments: Vec<Computed>,
) -> Result<Vec<Passed>, ExpressionError> {
    let mut rest = None;
    if phase == Phase::Variable {
        let fixed = chosen.parameters.len() - 1;
        rest = Some((arguments.split_off(fixed), &chosen.parameters[fixed]));
    }
    let mut all = Vec::new();
    for (v, parameter) in arguments.into_iter().zip(&chosen.parameters) {
        all.push(pass(w, v, parameter)?);
    }
    if let Some((rest, parameter)) = rest {
        let caller = w.caller()?;
        let owner = caller.vm().method(chosen.method).class;
        let loader = caller.vm().class(owner).loader;
        let class = caller.vm_mut().env().find_loaded(loader, parameter);
        let class = class.or_else(|| caller.load(parameter));
        let class = class.ok_or_else(|| ExpressionError::NoClass(parameter.clone()))?;
        let array = caller.vm_mut().debug_array(class, rest.len());
        let array = array.ok_or(ExpressionError::NoRoom("the arguments"))?;
        let held = caller.hold(array);
        for (i, v) in rest.into_iter().enumerate() {
            store::store_element(caller, held, i, v)?;
        }
        all.push(Passed::Object(held));
    }
    Ok(all)
}

fn pass(
    w: &mut dyn ExpressionWorld,
    v: Computed,
    parameter: &str,
) -> Result<Passed, ExpressionError> {
    let wrong = || ExpressionError::Wrong("an argument does not fit");
    if parameter.len() == 1 {
        let v = operators::unboxed(w, v);
        let v = operators::to_primitive(&v, parameter.as_bytes()[0]).ok_or_else(wrong)?;
        return Ok(Passed::Plain(v.typed(w).ok_or_else(wrong)?.value));
    }
    let v = match operators::letter(&v) {
        Some(_) => boxed(w, v)?,
        None => v,
    };
    match v {
        Computed::Null => Ok(Passed::Plain(Value::Ref(Ref::NULL))),
        v => Ok(Passed::Object(object_of(w.caller()?, &v)?)),
    }
}

/// The box of a primitive value.
pub fn boxed(w: &mut dyn ExpressionWorld, v: Computed) -> Result<Computed, ExpressionError> {
    let row = match operators::letter(&v) {
        Some(b'Z') => rows::boolean::VALUE_OF,
        Some(b'B') => rows::byte::VALUE_OF,
        Some(b'S') => rows::short::VALUE_OF,
        Some(b'C') => rows::character::VALUE_OF,
        Some(b'I') => rows::integer::VALUE_OF,
        Some(b'J') => rows::long::VALUE_OF,
        Some(b'F') => rows::float::VALUE_OF,
        Some(b'D') => rows::double::VALUE_OF,
        _ => return Ok(v),
    };
    let value = v.typed(w).ok_or(ExpressionError::Wrong("no value"))?.value;
    let found = call_of_box(w.caller()?, row, value)?;
    Ok(w.computed(found))
}

/// The result of a static method of a class of boxes.
fn call_of_box(
    caller: &mut dyn CallingWorld,
    row: JdkMethod,
    argument: Value,
) -> Result<Typed, ExpressionError> {
    let class = caller
        .load(row.class)
        .ok_or(ExpressionError::NoLibraryClass("the class of a box"))?;
    let method = caller.vm_mut().env().jdk_method(class, row);
    caller.call(CallRequest {
        number: 0,
        method,
        initializes: Some(class),
        makes: None,
        arguments: vec![argument],
    })
}

/// The object of a value that is one; a string gets one.
pub fn object_of(w: &mut dyn CallingWorld, v: &Computed) -> Result<Held, ExpressionError> {
    match v {
        Computed::Text(_, Some(held)) | Computed::Object(held, _) => Ok(*held),
        Computed::Text(text, None) => {
            let made = w.vm_mut().debug_string(text);
            let made = made.ok_or(ExpressionError::NoRoom("a string"))?;
            Ok(w.hold(made))
        }
        _ => Err(ExpressionError::Expected("an object")),
    }
}

/// The characters of a value in a string that is put together (JLS 5.1.11): of an object, those of `toString`.
pub fn string_of(w: &mut dyn ExpressionWorld, v: &Computed) -> Result<String, ExpressionError> {
    let (row, argument) = match v {
        Computed::Void => return Err(ExpressionError::Wrong(NO_RESULT)),
        Computed::Float(f) => (rows::float::TO_STRING, Value::Float(*f)),
        Computed::Double(d) => (rows::double::TO_STRING, Value::Double(*d)),
        Computed::Object(held, _) => {
            let held = *held;
            return string_of_object(w, held);
        }
        v => return Ok(v.text(w)),
    };
    let Ok(caller) = w.caller() else {
        return Ok(v.text(w));
    };
    let found = call_of_box(caller, row, argument)?;
    let found = w.computed(found);
    Ok(found.text(w))
}

fn string_of_object(w: &mut dyn ExpressionWorld, held: Held) -> Result<String, ExpressionError> {
    let caller = w.caller()?;
    let found = call_row(caller, rows::object::TO_STRING, held)?;
    let found = w.computed(found);
    Ok(found.text(w))
}

/// Calls a method without arguments of the table on an object.
pub fn call_row(
    w: &mut dyn CallingWorld,
    row: rjvm_vm::jdk::JdkMethod,
    held: Held,
) -> Result<rjvm_vm::instruments::Typed, ExpressionError> {
    let class = w
        .load(row.class)
        .ok_or(ExpressionError::NoLibraryClass("a class of the library"))?;
    let declared = w.vm_mut().env().jdk_method(class, row);
    let r = w.object(held);
    let of = w.vm().class_of(r);
    let selected = w.vm_mut().env().select_method(of, declared);
    let method = selected.map_err(|_| ExpressionError::Abstract(row.name.into()))?;
    w.call(CallRequest {
        number: 0,
        method,
        initializes: None,
        makes: None,
        arguments: vec![Value::Ref(r)],
    })
}

/// A new object.
pub fn make(
    w: &mut dyn ExpressionWorld,
    of: &TypeName,
    arguments: &[Expression],
) -> Result<Computed, ExpressionError> {
    let class = members::class_of_type(w, of)?;
    let view = w.vm().class(class);
    if view.is_abstract() || view.is_interface() {
        return Err(ExpressionError::Abstract(of.name.clone()));
    }
    let arguments = { arguments.iter() }.map(|e| evaluate(w, e));
    let arguments = arguments.collect::<Result<Vec<Computed>, ExpressionError>>()?;
    let found = candidates(w, class, "<init>", true);
    let (chosen, phase) = choose(w, "<init>", &found, &arguments)?;
    let passed = passed(w, chosen, phase, arguments)?;
    let method = chosen.method;
    let caller = w.caller()?;
    let arguments = passed.iter().map(|v| v.value(caller.plain())).collect();
    let found = caller.call(CallRequest {
        number: 0,
        method,
        initializes: None,
        makes: Some(class),
        arguments,
    })?;
    Ok(w.computed(found))
}

/// A new array with these lengths of its first dimensions.
pub fn new_array(
    w: &mut dyn CallingWorld,
    of: &TypeName,
    lengths: &[i32],
) -> Result<Held, ExpressionError> {
    if of.dimensions > MOST_DIMENSIONS {
        return Err(ExpressionError::TooMany(
            "an array",
            MOST_DIMENSIONS,
            "dimensions",
        ));
    }
    let class = members::class_of_type(w.plain(), of)?;
    let (first, rest) = lengths
        .split_first()
        .ok_or(ExpressionError::Wrong("a length is missing"))?;
    let array = w.vm_mut().debug_array(class, *first as usize);
    let held = array.ok_or(ExpressionError::NoRoom("an array"))?;
    let held = w.hold(held);
    if !rest.is_empty() {
        let element = TypeName {
            name: of.name.clone(),
            dimensions: of.dimensions - 1,
        };
        for i in 0..*first as usize {
            let part = new_array(w, &element, rest)?;
            store::store_element(w, held, i, Computed::Object(part, None))?;
        }
    }
    Ok(held)
}
