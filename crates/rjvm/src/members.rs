//! Finding the method or field that an embedder means.

use super::error::Error;
use super::value::{Type, Value};
use rjvm_classfile::descriptor;
use rjvm_vm::classes::{Field, acc};
use rjvm_vm::{ClassId, MethodId, Ref, Value as Slot, Vm as Core};
use std::sync::Arc;

/// The kind of the called method.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Without an object.
    Static,
    /// Of an object.
    Instance,
    /// The constructor of a new object.
    Constructor,
}

/// The parameters' descriptors of a method's descriptor.
pub(super) fn parameters(desc: &str) -> impl Iterator<Item = &str> {
    descriptor::parameters(desc)
}

/// The result's descriptor of a method's descriptor.
pub(super) fn result(desc: &str) -> &str {
    desc.rsplit(')').next().unwrap_or("V")
}

/// That a method's result may be wanted as this.
pub(super) fn check_result(
    core: &Core,
    method: MethodId,
    desc: &str,
    want: Type,
) -> Result<(), Error> {
    if want.fits(result(desc)) {
        return Ok(());
    }
    let (found, want) = (core.method_name(method), want.describe());
    Err(Error::Type(format!("{found} does not return {want}")))
}

/// The method that is called `name` (with or without a descriptor) and takes these arguments.
pub(super) fn method(
    core: &mut Core,
    class: ClassId,
    kind: Kind,
    name: &str,
    args: &[Value],
) -> Result<(MethodId, Arc<str>), Error> {
    choose(core, class, kind, name, args.len(), &mut |core, m, desc| {
        rank(core, m, desc, args)
    })
}

/// The method that is called `name` (with or without a descriptor) and takes arguments of these types.
pub(super) fn method_of_types(
    core: &mut Core,
    class: ClassId,
    kind: Kind,
    name: &str,
    types: &[Type],
) -> Result<(MethodId, Arc<str>), Error> {
    let far = |ty: &str, given: Type| match given.descriptor() {
        None if given == Type::Any => Some(1),
        // whether an object may pass is for each call to say
        None => ty.starts_with(['L', '[']).then_some(1),
        Some(own) if own == ty => Some(0),
        Some(own) => takes_object(ty, own),
    };
    let of_types = |desc: &str| {
        let ranks = parameters(desc).zip(types).map(|(ty, &t)| far(ty, t));
        ranks.sum::<Option<u32>>()
    };
    choose(core, class, kind, name, types.len(), &mut |_, _, desc| {
        let passes = parameters(desc).count() == types.len();
        Ok(of_types(desc).filter(|_| passes))
    })
}

/// How far arguments are from a method's parameters; `None` if they cannot be passed.
type Rank<'a> = dyn FnMut(&mut Core, MethodId, &str) -> Result<Option<u32>, Error> + 'a;

/// The method that is called `name` (with or without a descriptor) and takes `n` arguments, the nearest by `rank`.
fn choose(
    core: &mut Core,
    class: ClassId,
    kind: Kind,
    name: &str,
    n: usize,
    rank: &mut Rank<'_>,
) -> Result<(MethodId, Arc<str>), Error> {
    let (bare, wanted) = match name.find('(') {
        Some(at) => (&name[..at], Some(&name[at..])),
        None => (name, None),
    };
    let mut named = Vec::new();
    let callable = kind == Kind::Constructor || !bare.starts_with('<');
    if let Some(sym) = core.symbols().find(bare).filter(|_| callable) {
        for class in family(core, class, kind != Kind::Constructor) {
            for &m in &core.class(class).methods {
                let method = core.method(m);
                if method.name == sym && method.is_static() == (kind == Kind::Static) {
                    named.push((m, core.symbols().str(method.desc).clone()));
                }
            }
        }
    }
    let what = describe(core, class, kind, name);
    if named.is_empty() {
        return Err(Error::NotFound(what));
    }
    if let Some(wanted) = wanted {
        let exact = named.into_iter().find(|m| *m.1 == *wanted);
        let (m, desc) = exact.ok_or_else(|| Error::NotFound(what.clone()))?;
        return match parameters(&desc).count() == n {
            true => Ok((m, desc)),
            false => Err(Error::Type(format!("{what} takes different arguments"))),
        };
    }
    let mut best: Vec<(MethodId, Arc<str>)> = Vec::new();
    let mut least = u32::MAX;
    for (m, desc) in &named {
        let Some(rank) = rank(core, *m, desc)? else {
            continue;
        };
        // what overrides comes first, and hides what it overrides
        let same = |other: &(MethodId, Arc<str>)| takes(&other.1) == takes(desc);
        if rank < least {
            (least, best) = (rank, Vec::new());
        }
        if rank == least && !best.iter().any(same) {
            best.push((*m, desc.clone()));
        }
    }
    let list = |of: &[(MethodId, Arc<str>)]| {
        let names: Vec<String> = of.iter().map(|m| format!("{bare}{}", m.1)).collect();
        names.join(", ")
    };
    match best.len() {
        1 => Ok(best.remove(0)),
        0 => Err(Error::Type(format!(
            "the {} takes different arguments; declared: {}",
            describe(core, class, kind, bare),
            list(&named)
        ))),
        _ => Err(Error::Ambiguous(format!(
            "several methods take these arguments: {}",
            list(&best)
        ))),
    }
}

fn describe(core: &Core, class: ClassId, kind: Kind, name: &str) -> String {
    let class = core.class(class).dotted();
    match kind {
        Kind::Constructor => format!("constructor of {class}"),
        Kind::Static => format!("static method {class}.{name}"),
        Kind::Instance => format!("method {class}.{name}"),
    }
}

/// The parameters' part of a method's descriptor.
fn takes(desc: &str) -> &str {
    desc.rsplit_once(')').map_or(desc, |d| d.0)
}

/// The class, then what it inherits from, the nearest first.
fn family(core: &Core, class: ClassId, inherited: bool) -> Vec<ClassId> {
    let up = |&c: &ClassId| core.class(c).super_class.filter(|_| inherited);
    let mut all: Vec<ClassId> = std::iter::successors(Some(class), up).collect();
    if inherited {
        let interfaces = core.class(class).all_interfaces.iter().copied();
        all.extend(interfaces);
    }
    all
}

/// How far the arguments are from the parameters; `None` if they cannot be passed.
fn rank(core: &mut Core, m: MethodId, desc: &str, args: &[Value]) -> Result<Option<u32>, Error> {
    if parameters(desc).count() != args.len() {
        return Ok(None);
    }
    let loader = core.class(core.method(m).class).loader;
    let mut sum = 0;
    for (ty, value) in parameters(desc).zip(args) {
        let reference = ty.starts_with(['L', '[']);
        let far = match value {
            Value::Null => reference.then_some(0),
            Value::Object(o) => {
                let object = o.at(core)?;
                let exact = core.name(core.class_of(object));
                let passes = reference && core.may_pass(object.into(), ty, loader);
                passes.then(|| u32::from(!names(ty, &exact)))
            }
            Value::Objects(_) if ty.starts_with("[L") => Some(1),
            value if value.descriptor() == ty => Some(0),
            value => takes_object(ty, value.descriptor()),
        };
        match far {
            Some(far) => sum += far,
            None => return Ok(None),
        }
    }
    Ok(Some(sum))
}

/// Whether the descriptor names the class `name`.
fn names(desc: &str, name: &str) -> bool {
    desc == name || desc.strip_prefix('L').and_then(|d| d.strip_suffix(';')) == Some(name)
}

/// How far the type of a value, by its descriptor, is from a reference type that is not its own.
fn takes_object(ty: &str, value: &str) -> Option<u32> {
    const ORDERED: &[&str] = &["java/lang/Comparable", "java/io/Serializable"];
    let class = ty.strip_prefix('L')?.strip_suffix(';')?;
    let (own, above): (&str, &[&str]) = match value {
        "Ljava/lang/String;" => (
            "",
            &[
                "java/lang/CharSequence",
                "java/lang/Comparable",
                "java/io/Serializable",
            ],
        ),
        "Z" => ("java/lang/Boolean", ORDERED),
        "C" => ("java/lang/Character", ORDERED),
        "B" => ("java/lang/Byte", NUMBER),
        "S" => ("java/lang/Short", NUMBER),
        "I" => ("java/lang/Integer", NUMBER),
        "J" => ("java/lang/Long", NUMBER),
        "F" => ("java/lang/Float", NUMBER),
        "D" => ("java/lang/Double", NUMBER),
        array if array.starts_with('[') => ("", &["java/lang/Cloneable", "java/io/Serializable"]),
        _ => return None,
    };
    match class {
        c if c == own => Some(2),
        c if above.contains(&c) => Some(3),
        "java/lang/Object" => Some(4),
        _ => None,
    }
}

const NUMBER: &[&str] = &[
    "java/lang/Number",
    "java/lang/Comparable",
    "java/io/Serializable",
];

/// The field called `name`, and the class that declares it.
pub(super) fn field(
    core: &Core,
    class: ClassId,
    name: &str,
    is_static: bool,
) -> Result<(ClassId, Field), Error> {
    let sym = core.symbols().find(name);
    let found = family(core, class, true).into_iter().find_map(|c| {
        let fields = &core.class(c).fields;
        let own = |f: &&Field| {
            // the VM's own have no index
            let visible = f.index != u16::MAX;
            visible && Some(f.name) == sym && (f.access & acc::STATIC != 0) == is_static
        };
        Some((c, fields.iter().find(own)?.clone()))
    });
    found.ok_or_else(|| {
        let class = core.class(class).dotted();
        let kind = if is_static { "static field" } else { "field" };
        Error::NotFound(format!("{kind} {class}.{name}"))
    })
}

pub(super) fn read(core: &mut Core, holder: Ref, field: &Field) -> Slot {
    let slot = core.read_field(holder, field);
    match field.ty {
        b'J' => Slot::Long(slot as i64),
        b'F' => Slot::Float(f32::from_bits(slot as u32)),
        b'D' => Slot::Double(f64::from_bits(slot)),
        b'L' | b'[' => Slot::Ref(core.heap().get_ref(holder, field.offset)),
        _ => Slot::Int(slot as i32),
    }
}

pub(super) fn write(core: &mut Core, holder: Ref, field: &Field, slot: Slot) -> Result<(), Error> {
    let constant = field.access & acc::FINAL != 0 && field.access & acc::STATIC != 0;
    let name = core.symbols().str(field.name).clone();
    if constant || field.trusted_final {
        return Err(Error::Type(format!("the field {name} is final")));
    }
    match slot {
        Slot::Ref(r) => match core.put_reference(holder, field.offset as usize, r) {
            true => Ok(()),
            false => Err(Error::Type(format!(
                "the field {name} takes objects of another class"
            ))),
        },
        slot => {
            let bytes = match field.ty {
                b'Z' | b'B' => 1,
                b'C' | b'S' => 2,
                b'J' | b'D' => 8,
                _ => 4,
            };
            let (off, v) = (field.offset as usize, slot.slot());
            if !core.heap().is_plain(holder, off, bytes) {
                return Err(Error::Type(format!("the field {name} belongs to the VM")));
            }
            let mut heap = core.heap_mut();
            match field.ty {
                b'Z' => heap.put(holder, off, v as u8 & 1),
                b'B' => heap.put(holder, off, v as u8),
                b'C' | b'S' => heap.put(holder, off, v as u16),
                b'J' | b'D' => heap.put(holder, off, v),
                _ => heap.put(holder, off, v as u32),
            }
            Ok(())
        }
    }
}
