//! Natives of `jdk.internal.misc.Unsafe` about classes, fields and the machine.

use crate::java_lang::{class_bytes, define};
use crate::java_lang_reflect::field;
use crate::support::{class_arg, non_null};
use rjvm_vm::classes::{ClassKind, InitState, acc};
use rjvm_vm::heap::ELEMS;
use rjvm_vm::host::LoadAverage;
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};

natives! { "jdk/internal/misc/Unsafe";
    registerNatives "()V" => register_natives;
    allocateInstance "(Ljava/lang/Class;)Ljava/lang/Object;" => allocate_instance;
    arrayBaseOffset0 "(Ljava/lang/Class;)I" => array_base_offset;
    arrayIndexScale0 "(Ljava/lang/Class;)I" => array_index_scale;
    objectFieldOffset0 "(Ljava/lang/reflect/Field;)J" => object_field_offset;
    objectFieldOffset1 "(Ljava/lang/Class;Ljava/lang/String;)J" => object_field_offset_by_name;
    staticFieldOffset0 "(Ljava/lang/reflect/Field;)J" => static_field_offset;
    staticFieldBase0 "(Ljava/lang/reflect/Field;)Ljava/lang/Object;" => static_field_base;
    ensureClassInitialized0 "(Ljava/lang/Class;)V" => ensure_class_initialized;
    shouldBeInitialized0 "(Ljava/lang/Class;)Z" => should_be_initialized;
    defineClass0 "(Ljava/lang/String;[BIILjava/lang/ClassLoader;Ljava/security/ProtectionDomain;)Ljava/lang/Class;" => define_class;
    throwException "(Ljava/lang/Throwable;)V" => throw_exception;
    getLoadAverage0 "([DI)I" => get_load_average;
}

/// Sets the constants of `UnsafeConstants`, which `Unsafe` reads next.
fn register_natives(vm: &mut Env) -> R<()> {
    use jdk::unsafe_constants;
    let c = vm.jdk_class(unsafe_constants::CLASS)?;
    vm.ensure_initialized(c)?;
    vm.set_static(unsafe_constants::ADDRESS_SIZE0, 8)?;
    vm.set_static(unsafe_constants::PAGE_SIZE, 4096)?;
    vm.set_static(unsafe_constants::DATA_CACHE_LINE_FLUSH_SIZE, 0)?;
    vm.set_static(unsafe_constants::BIG_ENDIAN, cfg!(target_endian = "big"))?;
    vm.set_static(unsafe_constants::UNALIGNED_ACCESS, true)
}

fn allocate_instance(vm: &mut Env, _this: Ref, class: Ref) -> R<Ref> {
    let c = class_arg(vm, class)?;
    let class = vm.class(c);
    if class.kind != ClassKind::Instance || class.is_abstract() {
        return Err(Throw::msg(
            "java/lang/InstantiationException",
            class.dotted(),
        ));
    }
    if c == vm.known().class {
        return Err(Throw::msg(
            "java/lang/IllegalAccessException",
            class.dotted(),
        ));
    }
    vm.ensure_initialized(c)?;
    vm.alloc_object(c)
}

fn array_base_offset(_: &mut Env, _this: Ref, _class: Ref) -> R<i32> {
    Ok(ELEMS as i32)
}

fn array_index_scale(vm: &mut Env, _this: Ref, class: Ref) -> R<i32> {
    let c = class_arg(vm, class)?;
    match vm.class(c).kind {
        ClassKind::Array(e) => Ok(match vm.class(e).kind {
            ClassKind::Primitive(ch) => 1 << crate::boxing::shift(ch),
            _ => 4,
        }),
        _ => Err(Throw::msg(
            "java/lang/ClassCastException",
            "not an array class",
        )),
    }
}

/// Offset of a `Field` that must (not) be static.
fn offset(vm: &mut Env, f: Ref, is_static: bool) -> R<u32> {
    let (c, i) = field::target(vm, non_null(f)?).ok_or_else(field::no_field)?;
    let f = &vm.class(c).fields[i as usize];
    if (f.access & acc::STATIC != 0) != is_static {
        return Err(Throw::bare("java/lang/IllegalArgumentException"));
    }
    Ok(f.offset)
}

fn object_field_offset(vm: &mut Env, _this: Ref, f: Ref) -> R<i64> {
    offset(vm, f, false).map(i64::from)
}

fn object_field_offset_by_name(vm: &mut Env, _this: Ref, class: Ref, name: Ref) -> R<i64> {
    let c = class_arg(vm, class)?;
    let text = vm.string(non_null(name)?);
    let name = vm.symbols().find(&text);
    let fields = &vm.class(c).fields;
    match fields
        .iter()
        .find(|f| Some(f.name) == name && f.index != u16::MAX)
    {
        Some(f) => Ok(i64::from(f.offset)),
        None => Err(Throw::msg("java/lang/InternalError", text)),
    }
}

fn static_field_offset(vm: &mut Env, _this: Ref, f: Ref) -> R<i64> {
    offset(vm, f, true).map(i64::from)
}

fn static_field_base(vm: &mut Env, _this: Ref, f: Ref) -> R<Ref> {
    offset(vm, f, true)?;
    Ok(vm.get(f, jdk::field::CLAZZ))
}

fn ensure_class_initialized(vm: &mut Env, _this: Ref, class: Ref) -> R<()> {
    let c = class_arg(vm, class)?;
    match vm.class(c).kind {
        ClassKind::Instance => vm.ensure_initialized(c),
        _ => Ok(()),
    }
}

fn should_be_initialized(vm: &mut Env, _this: Ref, class: Ref) -> R<bool> {
    let c = class_arg(vm, class)?;
    Ok(vm.class(c).kind == ClassKind::Instance && vm.init_state(c) != InitState::Initialized)
}

fn define_class(
    vm: &mut Env,
    _this: Ref,
    name: Ref,
    b: Ref,
    off: i32,
    len: i32,
    loader: Ref,
    pd: Ref,
) -> R<Ref> {
    let bytes = class_bytes(vm, b, off, len)?;
    define(vm, loader, name, &bytes, pd, Ref::NULL)
}

fn throw_exception(_: &mut Env, _this: Ref, e: Ref) -> R<()> {
    Err(Throw::object(non_null(e)?))
}

/// Writes up to `n` averages, and returns how many; -1: none is known.
fn get_load_average(vm: &mut Env, _this: Ref, values: Ref, n: i32) -> R<i32> {
    let values = non_null(values)?;
    let load = vm.host().processes().load_average();
    let known = [load.one, load.five, load.fifteen];
    let wanted = usize::try_from(n).unwrap_or(0).min(vm.heap().len(values));
    let known = known.iter().take(load.known as usize).take(wanted);
    let mut written = 0;
    for (i, &units) in known.enumerate() {
        let average = units as f64 / LoadAverage::UNIT as f64;
        vm.heap_mut().set_elem::<f64>(values, i, average);
        written += 1;
    }
    Ok(if written == 0 { -1 } else { written })
}
