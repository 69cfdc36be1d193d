//! Calls of Java methods: ninety functions, by kind of call, type of result and form of the arguments. Those with variable
//! arguments themselves are in [`super::variadic`].

use super::values::{Arguments, JniValue, VaList};
use super::{finders, functions};
use crate::jni::cx::{Cx, RequestOutcome, c_name, look, through};
use crate::jni::env::JniEnv;
use crate::jni::types::{JId, JObject};
use crate::jni::{fatal, ids};
use rjvm_classfile::descriptor;
use rjvm_vm::classes::acc;
use rjvm_vm::classes::method::intrinsic;
use rjvm_vm::throw::Call;
use rjvm_vm::{ClassId, Env, MethodId, R, Ref, Throw, Value};

/// How a method is called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CallMode {
    /// The method that the receiver's class selects.
    Virtual,
    /// This one.
    Direct,
    Static,
}

/// First characters of the descriptors of a method's parameters.
fn parameters(vm: &Env, m: MethodId) -> Vec<u8> {
    let desc = vm.symbols().str(vm.method(m).desc);
    descriptor::parameters(desc)
        .map(|d| d.as_bytes()[0])
        .collect()
}

/// The call of a method that C code asks for.
///
/// # Safety
/// The arguments are those of the method.
pub unsafe fn call_of(
    cx: &mut Cx<'_>,
    how: CallMode,
    receiver: JObject,
    id: JId,
    args: Arguments,
) -> R<Call> {
    let mut m = cx.method(id);
    if cx.vm.method(m).intrinsic != intrinsic::NONE {
        let text = "a method of method handles can't be called by JNI";
        return Err(Throw::msg("java/lang/UnsupportedOperationException", text));
    }
    if cx.vm.method(m).is_static() != (how == CallMode::Static) {
        fatal(
            "Wrong method ID passed to JNI call: a static method for an instance, or the other way round",
        );
    }
    let mut values = Vec::new();
    if how == CallMode::Static {
        cx.vm.ensure_initialized(cx.vm.method(m).class)?;
    } else {
        let r = cx.non_null(receiver);
        if !cx.vm.instance_of(r, cx.vm.method(m).class) {
            fatal("Wrong object class or method ID passed to JNI call");
        }
        if how == CallMode::Virtual {
            m = cx.vm.select_method(cx.vm.class_of(r), m)?;
        }
        values.push(Value::Ref(r));
    }
    let parameters = parameters(cx.vm, m);
    args.read(cx, &parameters, &mut values);
    Ok(Call::new(cx.vm, m, &values))
}

/// Calls a method: its result, or the default when it has thrown.
pub unsafe fn invoke<T: JniValue>(
    env: *mut JniEnv,
    how: CallMode,
    receiver: JObject,
    id: JId,
    args: Arguments,
) -> T {
    through(env, |cx, given| match given {
        None => call_of(cx, how, receiver, id, args).map(RequestOutcome::Call),
        Some(Value::Ref(r)) => Ok(RequestOutcome::Done(T::of(cx.local(r) as u64))),
        Some(v) => Ok(RequestOutcome::Done(T::of(v.slot()))),
    })
}

macro_rules! calls {
    ($($t:ty, $v:ident $a:ident, $nv:ident $na:ident, $sv:ident $sa:ident;)*) => { $(
        pub unsafe extern "C" fn $v(env: *mut JniEnv, object: JObject, id: JId, args: *const VaList) -> $t {
            // SAFETY: the C code's own, as the method's descriptor says.
            unsafe { invoke(env, CallMode::Virtual, object, id, Arguments::List(*args)) }
        }
        pub unsafe extern "C" fn $a(env: *mut JniEnv, object: JObject, id: JId, args: *const u64) -> $t {
            // SAFETY: in the same way.
            unsafe { invoke(env, CallMode::Virtual, object, id, Arguments::Array(args)) }
        }
        pub unsafe extern "C" fn $nv(env: *mut JniEnv, object: JObject, _class: JObject, id: JId, args: *const VaList) -> $t {
            // SAFETY: in the same way.
            unsafe { invoke(env, CallMode::Direct, object, id, Arguments::List(*args)) }
        }
        pub unsafe extern "C" fn $na(env: *mut JniEnv, object: JObject, _class: JObject, id: JId, args: *const u64) -> $t {
            // SAFETY: in the same way.
            unsafe { invoke(env, CallMode::Direct, object, id, Arguments::Array(args)) }
        }
        pub unsafe extern "C" fn $sv(env: *mut JniEnv, _class: JObject, id: JId, args: *const VaList) -> $t {
            // SAFETY: in the same way.
            unsafe { invoke(env, CallMode::Static, 0, id, Arguments::List(*args)) }
        }
        pub unsafe extern "C" fn $sa(env: *mut JniEnv, _class: JObject, id: JId, args: *const u64) -> $t {
            // SAFETY: in the same way.
            unsafe { invoke(env, CallMode::Static, 0, id, Arguments::Array(args)) }
        }
    )* };
}
calls! {
    JObject, object_v object_a, direct_object_v direct_object_a, static_object_v static_object_a;
    u8, boolean_v boolean_a, direct_boolean_v direct_boolean_a, static_boolean_v static_boolean_a;
    i8, byte_v byte_a, direct_byte_v direct_byte_a, static_byte_v static_byte_a;
    u16, char_v char_a, direct_char_v direct_char_a, static_char_v static_char_a;
    i16, short_v short_a, direct_short_v direct_short_a, static_short_v static_short_a;
    i32, int_v int_a, direct_int_v direct_int_a, static_int_v static_int_a;
    i64, long_v long_a, direct_long_v direct_long_a, static_long_v static_long_a;
    f32, float_v float_a, direct_float_v direct_float_a, static_float_v static_float_a;
    f64, double_v double_a, direct_double_v direct_double_a, static_double_v static_double_a;
    (), void_v void_a, direct_void_v direct_void_a, static_void_v static_void_a;
}

functions! {
    33 method_id;
    113 static_method_id;
    35 object_v; 36 object_a; 38 boolean_v; 39 boolean_a; 41 byte_v; 42 byte_a; 44 char_v; 45 char_a; 47 short_v; 48 short_a;
    50 int_v; 51 int_a; 53 long_v; 54 long_a; 56 float_v; 57 float_a; 59 double_v; 60 double_a; 62 void_v; 63 void_a;
    65 direct_object_v; 66 direct_object_a; 68 direct_boolean_v; 69 direct_boolean_a; 71 direct_byte_v; 72 direct_byte_a;
    74 direct_char_v; 75 direct_char_a; 77 direct_short_v; 78 direct_short_a; 80 direct_int_v; 81 direct_int_a;
    83 direct_long_v; 84 direct_long_a; 86 direct_float_v; 87 direct_float_a; 89 direct_double_v; 90 direct_double_a;
    92 direct_void_v; 93 direct_void_a;
    115 static_object_v; 116 static_object_a; 118 static_boolean_v; 119 static_boolean_a; 121 static_byte_v; 122 static_byte_a;
    124 static_char_v; 125 static_char_a; 127 static_short_v; 128 static_short_a; 130 static_int_v; 131 static_int_a;
    133 static_long_v; 134 static_long_a; 136 static_float_v; 137 static_float_a; 139 static_double_v; 140 static_double_a;
    142 static_void_v; 143 static_void_a;
}

finders! {
    method_id false;
    static_method_id true;
}

unsafe fn find(
    env: *mut JniEnv,
    class: JObject,
    name: *const i8,
    desc: *const i8,
    is_static: bool,
) -> JId {
    let name = c_name(name).unwrap_or_else(|| "<init>".into());
    let desc = c_name(desc).unwrap_or_default();
    look(env, |cx| {
        let class = cx.class(class);
        let m = method_named(cx.vm, class, &name, &desc, is_static)?;
        Ok(ids::of_method(m))
    })
}

/// A method of a class by name and descriptor; the class is initialized.
fn method_named(
    vm: &mut Env,
    class: ClassId,
    name: &str,
    desc: &str,
    is_static: bool,
) -> R<MethodId> {
    let none = |vm: &Env| {
        let kind = if is_static { "static " } else { "" };
        let of = crate::support::descriptor_of(vm, class);
        let text = format!("{kind}{of}.{name}{desc}");
        Throw::msg("java/lang/NoSuchMethodError", text)
    };
    if vm.class(class).is_primitive() {
        return Err(none(vm));
    }
    vm.ensure_initialized(class)?;
    let symbols = vm.symbols();
    let named = symbols.find(name).zip(symbols.find(desc));
    let found = named.and_then(|(n, d)| match name.starts_with('<') {
        true => vm.declared_method(class, n, d),
        false => vm.find_method(class, n, d),
    });
    let is = |m: &MethodId| (vm.method(*m).access & acc::STATIC != 0) == is_static;
    found.filter(is).ok_or_else(|| none(vm))
}

/// For functions that make objects.
pub fn is_abstract(vm: &Env, class: ClassId) -> R<()> {
    let k = vm.class(class);
    match k.is_abstract() || k.is_array() || k.is_primitive() || class == vm.known().class {
        true => Err(Throw::msg("java/lang/InstantiationException", k.dotted())),
        false => Ok(()),
    }
}

/// A new object whose constructor has not run.
pub fn allocate(cx: &mut Cx<'_>, class: ClassId) -> R<Ref> {
    is_abstract(cx.vm, class)?;
    cx.vm.ensure_initialized(class)?;
    cx.vm.alloc_object(class)
}
