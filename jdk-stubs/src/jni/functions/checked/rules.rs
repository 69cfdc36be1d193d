//! What arguments of each function have to be, and in which states it may be called.

use super::{Registers, guarded};
use crate::boxing::primitive_component;
use crate::jni::BAD_HANDLE;
use crate::jni::cx::{Cx, c_bytes};
use crate::jni::ends::fatal;
use crate::jni::functions::strings::LONGEST;
use crate::jni::handles::HandleKind;
use crate::jni::ids::{self, FieldAt};
use crate::jni::types::JObject;
use crate::jni::utf;
use crate::support::mirrored;
use rjvm_vm::{ClassId, Ref};
use std::fmt::Write as _;

/// Types of fields in the order of the table's functions, and of elements after the first.
const TYPES: &[u8; 9] = b"LZBCSIJFD";
/// The same, with the words that follow them in names of functions.
const NAMES: [&str; 10] = [
    "Object", "Boolean", "Byte", "Char", "Short", "Int", "Long", "Float", "Double", "Void",
];

const NOT_A_CLASS: &str = "JNI received a class argument that is not a class";
const WRONG_METHOD: &str = "Wrong object class or methodID passed to JNI call";
const IN_CRITICAL: &str = "Warning: Calling other JNI functions in the scope of Get/ReleasePrimitiveArrayCritical or \
                           Get/ReleaseStringCritical\n";

/// Functions that look for exceptions, or end the VM.
const LOOKS: [usize; 4] = [15, 17, 18, 228];

/// Whether a function may be called while an exception is pending.
fn with_exception(at: usize) -> bool {
    matches!(at, 15..=17 | 19 | 20 | 22..=24 | 166 | 170 | 191..=198 | 218 | 223 | 225 | 227 | 228)
}

/// Whether it may be called in a critical section.
fn in_critical(at: usize) -> bool {
    matches!(at, 222..=225)
}

/// The name of a function that calls Java code.
fn caller(at: usize) -> Option<String> {
    let (kind, n) = match at {
        34..=63 => ("", at - 34),
        64..=93 => ("Nonvirtual", at - 64),
        114..=143 => ("Static", at - 114),
        _ => return None,
    };
    let arguments = ["", "V", "A"][n % 3];
    Some(format!("Call{kind}{}Method{arguments}", NAMES[n / 3]))
}

/// The name of a function that takes elements of arrays back.
fn release(at: usize) -> String {
    match at {
        223 => "ReleasePrimitiveArrayCritical".into(),
        _ => format!("checked_jni_Release{}ArrayElements", NAMES[at - 191 + 1]),
    }
}

/// Prints a line.
fn print(cx: &mut Cx<'_>, text: &str) {
    let _ = cx.vm.host().descriptors().write(1, text.as_bytes());
}

/// Warns, with the frames of Java code.
fn warn(cx: &mut Cx<'_>, text: &str) {
    let text = format!("WARNING in native method: {text}\n") + &cx.vm.stack_text();
    print(cx, &text);
}

/// Checks the call of a function.
pub fn check(cx: &mut Cx<'_>, at: usize, a: &Registers) {
    if LOOKS.contains(&at) {
        cx.run.history.unchecked = 0;
    }
    if cx.run.history.critical > 0 && !in_critical(at) {
        print(cx, IN_CRITICAL);
    }
    if !with_exception(at) {
        if cx.run.pending != 0 {
            warn(cx, "JNI call made with exception pending");
        }
        let unchecked = std::mem::take(&mut cx.run.history.unchecked);
        if let Some(name) = caller(unchecked) {
            let text = "JNI call made without checking exceptions when required to from";
            warn(cx, &format!("{text} {name}"));
        }
    }
    arguments(cx, at, a);
    if caller(at).is_some() {
        cx.run.history.unchecked = at;
    }
}

fn arguments(cx: &mut Cx<'_>, at: usize, a: &Registers) {
    let [_, first, second, third, ..] = *a;
    match at {
        5 => {
            object(cx, second);
        }
        6 => descriptor(cx, first),
        7 | 8 | 31 | 217 | 218 | 232 => {
            object(cx, first);
        }
        9 | 28..=30 => {
            class(cx, first, false);
            method(second);
        }
        10 | 233 => {
            class(cx, first, true);
        }
        11 => {
            class(cx, first, true);
            class(cx, second, true);
        }
        12 | 27 | 33 | 94 | 113 | 144 => {
            class(cx, first, false);
        }
        13 => match object(cx, first).non_null() {
            Some(r) => throwable(cx, cx.vm.class_of(r)),
            None => {
                let null = null(cx);
                warn(cx, &format!("JNI Throw called with {null} throwable"));
            }
        },
        14 => {
            let class = class(cx, first, false);
            throwable(cx, class);
        }
        19 | 26 if (first as i32) < 0 => fatal("negative capacity"),
        21 | 24 | 25 | 226 => {
            let given = if at == 24 { &a[1..3] } else { &a[1..2] };
            for &reference in given.iter().filter(|&&r| r != 0) {
                handle(cx, reference);
            }
        }
        22 | 23 | 227 => deleted(cx, at, first),
        32 => {
            object(cx, first);
            class(cx, second, true);
        }
        34..=63 => {
            method(second);
            object(cx, first);
        }
        64..=93 => {
            method(third);
            object(cx, first);
            class(cx, second, false);
        }
        95..=112 => instance_field(cx, second, first, TYPES[(at - 95) % 9]),
        114..=143 => {
            method(second);
            class(cx, first, false);
        }
        145..=162 => static_field(cx, second, first, TYPES[(at - 145) % 9]),
        164 | 165 | 169 | 220 | 221 | 224 | 225 | 235 => {
            string(cx, first);
        }
        168 => {
            string(cx, first);
            whole_length(cx, first);
        }
        166 | 170 => {
            string(cx, first);
            guarded_chars(cx, at, first, second);
        }
        171 => {
            array(cx, first);
        }
        173 | 174 => {
            let r = array(cx, first);
            if !cx.vm.heap().is_ref_array(r) {
                fatal("Object array expected but not received for JNI array operation");
            }
        }
        183..=214 => {
            elements(cx, first, Some(TYPES[(at - 183) % 8 + 1]));
            if (191..=198).contains(&at) {
                guarded_elements(cx, at, first, second, third as i32);
            }
        }
        222 => elements(cx, first, None),
        223 => {
            elements(cx, first, None);
            guarded_elements(cx, at, first, second, third as i32);
        }
        _ => {}
    }
}

/// How HotSpot of this JDK writes the name of null.
fn null(cx: &Cx<'_>) -> &'static str {
    if cx.vm.feature() < 21 { "NULL" } else { "null" }
}

/// The object of a handle, which is one. It may be null only if the handle is weak.
fn handle(cx: &mut Cx<'_>, handle: JObject) -> Ref {
    match cx.jni.handles.get(cx.vm, handle) {
        Some(r) if handle != 0 => r,
        _ => fatal(BAD_HANDLE),
    }
}

/// The object of a handle, or null.
fn object(cx: &mut Cx<'_>, reference: JObject) -> Ref {
    if reference == 0 {
        return Ref::NULL;
    }
    let r = handle(cx, reference);
    r.non_null().unwrap_or_else(|| fatal(BAD_HANDLE))
}

fn class(cx: &mut Cx<'_>, reference: JObject, primitive: bool) -> ClassId {
    let r = handle(cx, reference);
    if r.is_null() {
        fatal("JNI received a null class");
    }
    match mirrored(cx.vm, r) {
        Some(class) if primitive || !cx.vm.class(class).is_primitive() => class,
        _ => fatal(NOT_A_CLASS),
    }
}

fn throwable(cx: &mut Cx<'_>, class: ClassId) {
    if !cx.vm.is_subtype(class, cx.vm.known().throwable) {
        fatal(
            "JNI Throw or ThrowNew received a class argument that is not a Throwable or Throwable subclass",
        );
    }
}

fn method(id: usize) {
    if ids::method(id as u64).is_none() {
        fatal(WRONG_METHOD);
    }
}

/// Warns of the name of a class that is a descriptor; one that is not modified UTF-8 is an end.
fn descriptor(cx: &mut Cx<'_>, name: usize) {
    let name = std::ptr::with_exposed_provenance::<i8>(name);
    // SAFETY: the name that C code passes ends.
    let Some(bytes) = (unsafe { c_bytes(name) }) else {
        return;
    };
    if let [b'L', .., b';'] = bytes {
        let mut text = "JNI FindClass received a bad class descriptor \"".to_owned();
        text += &String::from_utf8_lossy(bytes);
        text += "\".  A correct class descriptor has no leading \"L\" or trailing \";\".  Incorrect descriptors will not be accepted \
                 in future releases.";
        warn(cx, &text);
    }
    if !utf::is_legal(bytes) {
        let name = String::from_utf8_lossy(bytes);
        fatal(&format!(
            "JNI class name is not a valid UTF8 string \"{name}\""
        ));
    }
}

/// A handle that is to be deleted.
fn deleted(cx: &mut Cx<'_>, at: usize, reference: JObject) {
    if reference == 0 {
        return;
    }
    let (kind, name, function) = match at {
        22 => (HandleKind::Global, "global", "DeleteGlobalRef"),
        23 => (HandleKind::Local, "local", "DeleteLocalRef"),
        _ => (HandleKind::Weak, "weak global", "DeleteWeakGlobalRef"),
    };
    if kind != HandleKind::Weak {
        object(cx, reference);
    }
    if cx.jni.handles.kind(reference) != kind {
        fatal(&format!("Invalid {name} JNI handle passed to {function}"));
    }
}

/// Whether a field of this type is one of objects, or of the type that the function is for.
fn is_of(field: &FieldAt, ty: u8) -> bool {
    field.ty == ty || (field.ty == b'[' && ty == b'L')
}

fn instance_field(cx: &mut Cx<'_>, id: usize, of: JObject, ty: u8) {
    let field = cx.field(id as u64);
    if field.is_static {
        fatal("Static field ID passed to JNI");
    }
    let Some(r) = object(cx, of).non_null() else {
        fatal("Null object passed to JNI")
    };
    if !cx.vm.instance_of(r, field.class) {
        fatal("Wrong field ID passed to JNI");
    }
    if !is_of(&field, ty) {
        fatal("Field type (instance) mismatch in JNI get/set field operations");
    }
}

fn static_field(cx: &mut Cx<'_>, id: usize, of: JObject, ty: u8) {
    let class = class(cx, of, false);
    let field = cx.field(id as u64);
    if !field.is_static {
        fatal("Non-static field ID passed to JNI");
    }
    if class != field.class && !cx.vm.is_subtype(class, field.class) {
        fatal("Wrong static field ID passed to JNI");
    }
    if !is_of(&field, ty) {
        fatal("Field type (static) mismatch in JNI get/set field operations");
    }
}

fn string(cx: &mut Cx<'_>, reference: JObject) -> Ref {
    let r = object(cx, reference);
    let string = cx.vm.known().string;
    if r.is_null() || cx.vm.class_of(r) != string {
        fatal("JNI string operation received a non-string");
    }
    r
}

fn array(cx: &mut Cx<'_>, reference: JObject) -> Ref {
    let r = object(cx, reference);
    if r.is_null() || !cx.vm.class(cx.vm.class_of(r)).is_array() {
        fatal("Non-array passed to JNI array operations");
    }
    r
}

/// An array of primitives, of this type if that matters.
fn elements(cx: &mut Cx<'_>, reference: JObject, ty: Option<u8>) {
    let r = array(cx, reference);
    let Some(of) = primitive_component(cx.vm, r) else {
        fatal("Primitive type array expected but not received for JNI array operation")
    };
    if ty.is_some_and(|ty| ty != of) {
        fatal("Array element type mismatch in JNI");
    }
}

/// Elements that C code gives back.
fn guarded_elements(cx: &mut Cx<'_>, at: usize, array: usize, copy: usize, mode: i32) {
    let name = release(at);
    if copy == 0 {
        let null = null(cx);
        print(
            cx,
            &format!("{name}: elements vector {null}{array:#018x}\n"),
        );
        fatal(&format!("Elements vector {null}"));
    }
    if cx.jni.guarded.state(copy) != guarded::State::Whole(guarded::Of::Array) {
        print(
            cx,
            &format!(
                "{name}: release array failed bounds check, incorrect pointer returned ? array: {array:#018x} carray: {copy:#018x}\n"
            ),
        );
        fatal(&format!("{name}: failed bounds check"));
    }
    if !(0..=2).contains(&mode) {
        print(
            cx,
            &format!(
                "{name}: Unrecognized mode {mode} releasing array {array:#018x} elements {copy:#018x}\n"
            ),
        );
        fatal("Unrecognized array release mode");
    }
}

/// Prints a line if the length of a string is more than C code is given, which may ask for the whole since JDK 24.
fn whole_length(cx: &mut Cx<'_>, string: JObject) {
    if cx.vm.feature() < 24 {
        return;
    }
    let r = cx.non_null(string);
    let bytes = utf::length(&cx.vm.string_utf16(r));
    if bytes > LONGEST as usize {
        let text = format!(
            "WARNING: large String with modified UTF-8 length {bytes} is reporting a reduced length of {LONGEST} \
             - use GetStringUTFLengthAsLong instead\n"
        );
        print(cx, &text);
    }
}

/// Characters that C code gives back.
fn guarded_chars(cx: &mut Cx<'_>, at: usize, string: usize, copy: usize) {
    let (kind, of) = match at {
        166 => ("", guarded::Of::Units),
        _ => ("UTF", guarded::Of::Utf),
    };
    match cx.jni.guarded.state(copy) {
        _ if copy == 0 => {}
        guarded::State::Whole(is) if is == of => {}
        guarded::State::Whole(_) => {
            let text = format!("allocated by GetString{kind}Chars");
            print(
                cx,
                &format!(
                    "ReleaseString{kind}Chars: called on something not {text}. string: {string:#018x} chars: {copy:#018x}\n"
                ),
            );
            fatal(&format!(
                "ReleaseString{kind}Chars called on something not {text}"
            ));
        }
        guarded::State::Broken(parts) => {
            let text = format!("ReleaseString{kind}Chars: release chars failed bounds check.");
            let mut report = format!("{text} string: {string:#018x} chars: {copy:#018x}\n");
            for (name, at, whole) in parts {
                let state = if whole { "OK" } else { "BROKEN" };
                let _ = writeln!(report, "  {name} guard @{at:#018x} is {state}");
            }
            print(cx, &report);
            fatal(&text);
        }
    }
}
