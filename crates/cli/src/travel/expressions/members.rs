//! Names in expressions: locals, fields, elements, classes.

use super::super::reading::{self, FieldPlace};
use super::syntax::{PRIMITIVES, TypeName};
use super::{Computed, ExpressionError, ExpressionWorld};
use rjvm_vm::classes::{ClassKind, acc};
use rjvm_vm::instruments::{ClassView, Typed};
use rjvm_vm::{ClassId, Ref, Value, Vm};

/// The value of names with dots between them.
pub fn named(w: &mut dyn ExpressionWorld, names: &[&str]) -> Result<Computed, ExpressionError> {
    if let Some(value) = first(w, names[0]) {
        return names[1..]
            .iter()
            .try_fold(value, |of, name| member(w, &of, name));
    }
    // the longest name of a class comes first
    for n in (1..names.len()).rev() {
        let Some(class) = class_named(w, &names[..n].join(".")) else {
            continue;
        };
        let value = if names[n] == "class" {
            let mirror = w.vm().mirror(class);
            typed(w, Value::Ref(mirror))
        } else if let Some(at) = w.vm().field_named(class, names[n], true) {
            if let Ok(caller) = w.caller() {
                caller.initialize(at.0)?;
            }
            let value = reading::field(w.vm(), Ref::NULL, at);
            w.computed(value)
        } else {
            continue;
        };
        return names[n + 1..]
            .iter()
            .try_fold(value, |of, name| member(w, &of, name));
    }
    let name = names[0];
    Err(ExpressionError::no_name(name, names.len() > 1))
}

fn typed(w: &mut dyn ExpressionWorld, value: Value) -> Computed {
    w.computed(Typed {
        letter: b'L',
        value,
    })
}

/// A local, or a field of `this` or of the frame's class.
fn first(w: &mut dyn ExpressionWorld, name: &str) -> Option<Computed> {
    if let Some(value) = w.local(name) {
        return Some(w.computed(value));
    }
    let this = w.local("this").and_then(|v| v.object());
    if let Some(this) = this {
        let of = w.vm().class_of(this);
        if let Some(at) = w.vm().field_named(of, name, false) {
            let value = reading::field(w.vm(), this, at);
            return Some(w.computed(value));
        }
    }
    for class in enclosing(w) {
        if let Some(at) = w.vm().field_named(class, name, true) {
            let value = reading::field(w.vm(), Ref::NULL, at);
            return Some(w.computed(value));
        }
    }
    None
}

/// The class of the frame's method, and the classes around it, the innermost first.
pub fn enclosing(w: &mut dyn ExpressionWorld) -> Vec<ClassId> {
    let Some(class) = w.class() else {
        return Vec::new();
    };
    let mut all = vec![class];
    let mut name = w.vm().class(class).dotted();
    let loader = w.vm().class(class).loader;
    while let Some((outer, _)) = name.rsplit_once('$') {
        name = outer.into();
        all.extend(loaded(w.vm(), |vm, c| {
            vm.class(c).loader == loader && vm.class(c).dotted() == name
        }));
    }
    all
}

/// The first loaded class of objects that is one.
fn loaded(vm: &Vm, is: impl Fn(&Vm, ClassId) -> bool) -> Option<ClassId> {
    let of = |c: &ClassId| {
        let kind = &vm.class(*c).kind;
        !matches!(kind, ClassKind::Primitive(_) | ClassKind::Array(_)) && is(vm, *c)
    };
    vm.debug_classes().into_iter().find(of)
}

/// A class by its name in sources, as the frame's class sees it: with its package, nested, of the same package, of `java.lang`, or the
/// only loaded one with this simple name.
pub fn class_named(w: &mut dyn ExpressionWorld, name: &str) -> Option<ClassId> {
    let mut candidates: Vec<String> = Vec::new();
    for outer in enclosing(w) {
        let outer = w.vm().class(outer).dotted();
        candidates.push(format!("{outer}${}", name.replace('.', "$")));
        if outer.rsplit(['.', '$']).next() == Some(name) {
            candidates.push(outer.clone());
        }
        if let Some((package, _)) = outer.rsplit_once('.') {
            candidates.push(format!("{package}.{name}"));
        }
    }
    // `a.b.C.D` may be the class D in a.b.C
    let mut nested = name.to_owned();
    candidates.push(nested.clone());
    while let Some(at) = nested.rfind('.') {
        nested.replace_range(at..=at, "$");
        candidates.push(nested.clone());
    }
    candidates.push(format!("java.lang.{name}"));
    for candidate in &candidates {
        let found = loaded(w.vm(), |vm, c| {
            !vm.class(c).hidden && vm.class(c).dotted() == *candidate
        });
        if found.is_some() {
            return found;
        }
    }
    if let Ok(caller) = w.caller() {
        // a name with an upper-case part may be a class that is not loaded yet
        let is_class = |n: &String| {
            n.rsplit(['.', '$'])
                .next()
                .is_some_and(|n| n.starts_with(char::is_uppercase))
        };
        for candidate in candidates.iter().filter(|n| is_class(n)) {
            if let Some(found) = caller.load(&candidate.replace('.', "/")) {
                return Some(found);
            }
        }
    }
    if name.contains('.') {
        return None;
    }
    let vm = w.vm();
    let is = |c: &ClassId| {
        let class = vm.class(*c);
        !matches!(class.kind, ClassKind::Primitive(_) | ClassKind::Array(_))
            && !class.hidden
            && class.dotted().rsplit(['.', '$']).next() == Some(name)
    };
    let mut all = vm.debug_classes().into_iter().filter(is);
    all.next().filter(|_| all.next().is_none())
}

/// The class of a type.
pub fn class_of_type(
    w: &mut dyn ExpressionWorld,
    of: &TypeName,
) -> Result<ClassId, ExpressionError> {
    let primitive = PRIMITIVES.iter().find(|p| p.0 == of.name).map(|p| p.1);
    let base = match primitive {
        Some(letter) => {
            let is = |c: &ClassId| matches!(w.vm().class(*c).kind, ClassKind::Primitive(l) if l == letter);
            w.vm().debug_classes().into_iter().find(is)
        }
        None => class_named(w, &of.name),
    };
    let mut class = base.ok_or_else(|| ExpressionError::NoClass(of.name.clone()))?;
    for _ in 0..of.dimensions {
        let is = |c: &ClassId| matches!(w.vm().class(*c).kind, ClassKind::Array(of) if of == class);
        let known = w.vm().debug_classes().into_iter().find(is);
        class = match known {
            Some(known) => known,
            None => w.caller()?.vm_mut().env().array_of(class),
        };
    }
    Ok(class)
}

/// The class of a value, if it is an object: the one that a cast gives it, or its own.
pub fn class_of(w: &dyn ExpressionWorld, v: &Computed) -> Option<ClassId> {
    match v {
        Computed::Object(_, Some(class)) => Some(*class),
        Computed::Object(held, None) => Some(w.vm().class_of(w.object(*held))),
        Computed::Text(..) => Some(w.vm().known().string),
        _ => None,
    }
}

/// Whether a class is another one, or below it.
pub fn is_subtype(vm: &Vm, of: ClassId, class: ClassId) -> bool {
    if of == class || ClassView::new(vm, of).supertypes().any(|s| s.id() == class) {
        return true;
    }
    match (&vm.class(of).kind, &vm.class(class).kind) {
        (ClassKind::Array(a), ClassKind::Array(b)) => {
            let primitive = |c: ClassId| matches!(vm.class(c).kind, ClassKind::Primitive(_));
            !primitive(*a) && !primitive(*b) && is_subtype(vm, *a, *b)
        }
        _ => false,
    }
}

/// A field of an object, or the length of an array.
pub fn member(
    w: &mut dyn ExpressionWorld,
    of: &Computed,
    name: &str,
) -> Result<Computed, ExpressionError> {
    let object = of.held(w).and_then(Ref::non_null);
    let Some(object) = object else {
        return Err(match of {
            Computed::Null => ExpressionError::null_pointer(name),
            of => ExpressionError::NoMembers(of.text(w)),
        });
    };
    if let Some(length) = reading::length(w.vm(), object).filter(|_| name == "length") {
        return Ok(Computed::Int(length as i32));
    }
    let class = w.vm().class_of(object);
    let at: Option<FieldPlace> = { w.vm().field_named(class, name, false) }
        .or_else(|| w.vm().field_named(class, name, true));
    let at = at.ok_or_else(|| {
        let class = ClassView::new(w.vm(), class).name();
        ExpressionError::NoFieldOf(class, name.into())
    })?;
    let value = reading::field(w.vm(), object, at);
    Ok(w.computed(value))
}

/// An element of an array.
pub fn element(
    w: &mut dyn ExpressionWorld,
    of: &Computed,
    index: i32,
) -> Result<Computed, ExpressionError> {
    let Some(object) = of.held(w).and_then(Ref::non_null) else {
        return Err(match of {
            Computed::Null => ExpressionError::null_pointer("an element"),
            of => ExpressionError::NoMembers(of.text(w)),
        });
    };
    let Some(length) = reading::length(w.vm(), object) else {
        let class = ClassView::new(w.vm(), w.vm().class_of(object)).name();
        return Err(ExpressionError::NotArray(class));
    };
    let found = usize::try_from(index).ok();
    let found = found.and_then(|i| reading::element(w.vm(), object, i));
    match found {
        Some(value) => Ok(w.computed(value)),
        None => Err(ExpressionError::NoElement {
            index: index.into(),
            length,
        }),
    }
}

/// The modifiers of a method that the compiler makes for another one (JVMS 4.6).
pub const BRIDGE: u16 = acc::SYNTHETIC | 0x40;
