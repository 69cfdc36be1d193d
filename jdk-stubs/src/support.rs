//! Small helpers that many natives share: argument checks and common result arrays.

use rjvm_classfile::descriptor::FieldType;
use rjvm_vm::classes::ClassKind;
use rjvm_vm::interp::exceptions::exception_upcall;
use rjvm_vm::jdk::calls;
use rjvm_vm::throw::{Call, Cont, Next, Resume, Upcall};
use rjvm_vm::{ClassId, Env, LoaderId, R, Ref, Throw, Value};

/// The object, or a bare NullPointerException.
pub fn non_null(r: Ref) -> R<Ref> {
    r.non_null().ok_or_else(Throw::npe)
}

/// The class of a `Class` argument, or a bare NullPointerException.
pub fn class_arg(vm: &Env, mirror: Ref) -> R<ClassId> {
    Ok(vm.of_mirror(non_null(mirror)?))
}

/// The class that a `Class` object represents; none if this is null or another object.
pub fn mirrored(vm: &Env, mirror: Ref) -> Option<ClassId> {
    let mirror = mirror.non_null()?;
    (vm.class_of(mirror) == vm.known().class).then(|| vm.of_mirror(mirror))
}

/// The contents of a `String` argument, or a bare NullPointerException.
pub fn string_arg(vm: &mut Env, s: Ref) -> R<String> {
    let s = non_null(s)?;
    Ok(vm.string(s))
}

/// A new `byte[]` with these contents.
pub fn byte_array(vm: &mut Env, bytes: &[u8]) -> R<Ref> {
    let a = vm.new_byte_array(bytes.len())?;
    vm.heap_mut().bytes_mut(a).copy_from_slice(bytes);
    Ok(a)
}

/// A new `byte[]`, or null for `None`.
pub fn opt_byte_array(vm: &mut Env, bytes: Option<&[u8]>) -> R<Ref> {
    bytes.map_or(Ok(Ref::NULL), |b| byte_array(vm, b))
}

/// A new array of references to `elem` objects.
pub fn ref_array(vm: &mut Env, elem: ClassId, items: &[Ref]) -> R<Ref> {
    let a = vm.new_array_of(elem, items.len())?;
    for (i, &r) in items.iter().enumerate() {
        vm.heap_mut().set_elem_ref(a, i, r);
    }
    Ok(a)
}

/// A new `Class[]`.
pub fn class_array(vm: &mut Env, classes: &[ClassId]) -> R<Ref> {
    let mirrors: Vec<Ref> = classes.iter().map(|&c| vm.mirror(c)).collect();
    let elem = vm.known().class;
    ref_array(vm, elem, &mirrors)
}

/// A new `String[]`.
pub fn string_array(vm: &mut Env, strings: &[String]) -> R<Ref> {
    let elem = vm.known().string;
    let a = vm.new_array_of(elem, strings.len())?;
    for (i, s) in strings.iter().enumerate() {
        let r = vm.new_string(s)?;
        vm.heap_mut().set_elem_ref(a, i, r);
    }
    Ok(a)
}

/// A new `String` from modified UTF-8 (of a constant pool).
pub fn string_from_mutf8(vm: &mut Env, bytes: &[u8]) -> R<Ref> {
    let units: Vec<u16> = match rjvm_classfile::mutf8::to_utf16(bytes) {
        Ok(u) => u,
        Err(_) => String::from_utf8_lossy(bytes).encode_utf16().collect(),
    };
    vm.new_string_utf16(&units)
}

/// The interned `String` of modified UTF-8.
pub fn intern_mutf8(vm: &mut Env, bytes: &[u8]) -> R<Ref> {
    let units: Vec<u16> = match rjvm_classfile::mutf8::to_utf16(bytes) {
        Ok(u) => u,
        Err(_) => String::from_utf8_lossy(bytes).encode_utf16().collect(),
    };
    vm.intern_utf16(&units)
}

/// The class of a field descriptor or of a return descriptor (`V`), loaded by `loader`.
pub fn class_of_descriptor(vm: &mut Env, loader: LoaderId, desc: &str) -> R<ClassId> {
    match desc.as_bytes() {
        [b] => Ok(vm.primitive(*b)),
        [b'L', .., b';'] => load_type(vm, loader, &desc[1..desc.len() - 1]),
        _ => load_type(vm, loader, desc),
    }
}

/// Loads a class that other classes name: when there is none that is a NoClassDefFoundError.
pub fn load_type(vm: &mut Env, loader: LoaderId, name: &str) -> R<ClassId> {
    vm.load_class_linked(loader, name)
}

/// Parameter types and return type of a method descriptor, loaded by `loader`.
pub fn classes_of_signature(
    vm: &mut Env,
    loader: LoaderId,
    desc: &str,
) -> R<(Vec<ClassId>, ClassId)> {
    let mut parameters = Vec::new();
    let mut rest = desc.strip_prefix('(').unwrap_or(desc);
    while let Some((_, next)) = FieldType::parse_prefix(rest) {
        let one = &rest[..rest.len() - next.len()];
        parameters.push(class_of_descriptor(vm, loader, one)?);
        rest = next;
    }
    let result = class_of_descriptor(vm, loader, rest.strip_prefix(')').unwrap_or(rest))?;
    Ok((parameters, result))
}

/// The field descriptor of a class.
pub fn descriptor_of(vm: &Env, c: ClassId) -> String {
    let class = vm.class(c);
    match class.kind {
        ClassKind::Primitive(ch) => (ch as char).to_string(),
        ClassKind::Array(_) => class.name.to_string(),
        ClassKind::Instance => format!("L{};", class.name),
    }
}

/// Descriptor character of a primitive type, `L` for any other.
pub fn type_char(vm: &Env, c: ClassId) -> u8 {
    match vm.class(c).kind {
        ClassKind::Primitive(ch) => ch,
        _ => b'L',
    }
}

/// A name given by Java code with dots, in internal form; `None` if it has slashes or is not a class name (an array's descriptor
/// counts as one when `arrays`).
pub fn internal_name(name: &str, arrays: bool) -> Option<String> {
    if name.contains('/') {
        return None;
    }
    let n = name.replace('.', "/");
    match n.starts_with('[') {
        true => (arrays && FieldType::parse(&n).is_ok()).then_some(n),
        false => rjvm_classfile::descriptor::is_binary_name(&n).then_some(n),
    }
}

/// Whether a name has more bytes than a constant of a class file can (JVMS 4.4.7), so that there is no such class.
pub fn is_too_long(name: &str) -> bool {
    let bytes = |c: char| match c {
        '\0' => 2,
        c if c.len_utf8() == 4 => 6,
        c => c.len_utf8(),
    };
    // no character takes more than half as much again
    name.len() > 43_000 && name.chars().map(bytes).sum::<usize>() > usize::from(u16::MAX)
}

/// Makes an error in Java, as always, and forgets it: no code requested it. The native's result is `value`.
pub fn make_and_forget(
    vm: &mut Env,
    class: &'static str,
    message: Option<&str>,
    cause: Ref,
    value: Value,
) -> R<Box<Throw>> {
    let class = vm.boot_class(class);
    let (number, object) = match value {
        Value::Ref(r) => (None, r),
        other => (Some(other.int()), Ref::NULL),
    };
    let message = match message {
        Some(m) => vm.new_string(m)?,
        None => Ref::NULL,
    };
    Ok(Box::new(Throw::Upcall(Upcall {
        call: None,
        cont: Some(Cont::new(
            forget,
            [
                class.0.into(),
                0,
                number.map_or(u64::MAX, |n| n as u32 as u64),
            ],
            [message, cause, object],
        )),
        resume: Resume::Value,
    })))
}

fn forget(_: &mut Env, c: &mut Cont, _: Result<Value, Ref>) -> Next {
    if c.data[1] == 1 {
        return Next::Return(match c.data[2] {
            u64::MAX => c.refs[2].into(),
            n => Value::Int(n as u32 as i32),
        });
    }
    c.data[1] = 1;
    let make = exception_upcall(ClassId(c.data[0] as u32), c.refs[0], c.refs[1]);
    Next::Throw(Box::new(Throw::Upcall(make)))
}

/// A `DirectByteBuffer` over memory outside the heap, as JNI makes one: its constructor runs.
pub fn direct_buffer(vm: &mut Env, address: u64, len: u64) -> R<Ref> {
    let class = vm.jdk_class(rjvm_vm::jdk::direct_byte_buffer::CLASS)?;
    vm.ensure_initialized(class)?;
    let object = vm.alloc_object(class)?;
    let long = vm.has_method(calls::direct_byte_buffer::INIT_LONG);
    let int = || vm.has_method(calls::direct_byte_buffer::INIT_INT);
    let init = long.or_else(int).expect("each JDK has one of the two");
    let init = vm.jdk_method(class, init);
    let long = long.is_some();
    let cont = Cont::new(
        |_, cont, result| match result {
            Ok(_) => Next::Return(cont.refs[0].into()),
            Err(e) => Next::Throw(Throw::object(e)),
        },
        [0; 3],
        [object, Ref::NULL, Ref::NULL],
    );
    let args = [
        object.into(),
        Value::Long(address as i64),
        if long {
            Value::Long(len as i64)
        } else {
            Value::Int(len as i32)
        },
    ];
    Err(Call::new(vm, init, &args).then(cont, Resume::Value))
}
