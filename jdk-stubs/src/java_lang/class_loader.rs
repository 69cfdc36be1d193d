//! Natives of `java.lang.ClassLoader`.

use crate::support::{internal_name, is_too_long, non_null, ref_array, string_arg};
use rjvm_vm::classes::load::DefineOptions;
use rjvm_vm::throw::{Call, Cont, Next, Resume, Upcall};
use rjvm_vm::{ClassId, Env, LoaderId, R, Ref, Throw, Value, jdk, natives};

natives! { "java/lang/ClassLoader";
    registerNatives "()V" => register_natives;
    defineClass0 "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BIILjava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;" => define_class0;
    defineClass1 "(Ljava/lang/ClassLoader;Ljava/lang/String;[BIILjava/security/ProtectionDomain;Ljava/lang/String;)Ljava/lang/Class;" => define_class1;
    defineClass2 "(Ljava/lang/ClassLoader;Ljava/lang/String;Ljava/nio/ByteBuffer;IILjava/security/ProtectionDomain;Ljava/lang/String;)Ljava/lang/Class;" => define_class2;
    findBootstrapClass "(Ljava/lang/String;)Ljava/lang/Class;" => find_bootstrap_class;
    findLoadedClass0 "(Ljava/lang/String;)Ljava/lang/Class;" => find_loaded_class;
    retrieveDirectives "()Ljava/lang/AssertionStatusDirectives;" => retrieve_directives;
}

/// `Lookup.ClassOption`s and their like (`MethodHandleNatives.Constants`).
mod flag {
    pub const NESTMATE: i32 = 1;
    pub const HIDDEN: i32 = 2;
    pub const STRONG: i32 = 4;
    pub const VM_ANNOTATIONS: i32 = 8;
}

/// Tables are bound by name, so there is nothing to register.
fn register_natives(_: &mut Env) -> R<()> {
    Ok(())
}

/// A class name as Java code gives it (null: unknown), in internal form. `defineClass` takes slashes too.
pub fn defined_name(vm: &mut Env, name: Ref) -> R<Option<String>> {
    match name.non_null() {
        None => Ok(None),
        Some(n) => Ok(Some(vm.string(n).replace('.', "/"))),
    }
}

/// `b[off..off + len]` of a `byte[]`.
pub fn class_bytes(vm: &Env, b: Ref, off: i32, len: i32) -> R<Vec<u8>> {
    let all = vm.heap().bytes(non_null(b)?);
    let part = usize::try_from(off).ok().zip(usize::try_from(len).ok());
    match part.and_then(|(o, l)| all.get(o..o.checked_add(l)?)) {
        Some(bytes) => Ok(bytes.to_vec()),
        None if len < 0 => Err(Throw::bare("java/lang/ArrayIndexOutOfBoundsException")),
        None => {
            let end = i64::from(off) + i64::from(len);
            let text = format!(
                "Array region {off}..{end} out of bounds for length {}",
                all.len()
            );
            Err(Throw::msg("java/lang/ArrayIndexOutOfBoundsException", text))
        }
    }
}

/// Defines a class, reports its loader, and returns its mirror.
pub fn define(vm: &mut Env, loader: Ref, name: Ref, bytes: &[u8], pd: Ref, source: Ref) -> R<Ref> {
    let name = defined_name(vm, name)?;
    let source = source.non_null().map(|s| vm.string(s));
    let options = DefineOptions {
        loader,
        protection_domain: pd,
        source,
        ..DefineOptions::default()
    };
    let loader = vm.loader_id(loader);
    let c = vm.define_class(loader, name.as_deref(), bytes, options)?;
    match add_to_loader(vm, c) {
        None => Ok(vm.mirror(c)),
        call => Err(Box::new(Throw::Upcall(Upcall {
            call,
            cont: Some(Cont::new(
                added,
                [c.0.into(), 0, 0],
                [vm.mirror(c), Ref::NULL, Ref::NULL],
            )),
            resume: Resume::Value,
        }))),
    }
}

/// `ClassLoader.addClass`, by which a loader keeps its classes alive.
fn add_to_loader(vm: &mut Env, c: ClassId) -> Option<Call> {
    let loader = vm.get(vm.mirror(c), jdk::class::CLASS_LOADER).non_null()?;
    let method = vm.jdk_method(vm.known().class_loader, jdk::calls::class_loader::ADD_CLASS);
    let args = [loader, vm.mirror(c)].map(Value::Ref);
    Some(Call::new(vm, method, &args))
}

fn added(vm: &mut Env, cont: &mut Cont, result: Result<Value, Ref>) -> Next {
    match result {
        Ok(_) => Next::Return(vm.mirror(ClassId(cont.data[0] as u32)).into()),
        Err(e) => Next::Throw(Throw::object(e)),
    }
}

fn define_class1(
    vm: &mut Env,
    loader: Ref,
    name: Ref,
    b: Ref,
    off: i32,
    len: i32,
    pd: Ref,
    source: Ref,
) -> R<Ref> {
    let bytes = class_bytes(vm, b, off, len)?;
    define(vm, loader, name, &bytes, pd, source)
}

fn define_class2(
    vm: &mut Env,
    loader: Ref,
    name: Ref,
    b: Ref,
    off: i32,
    len: i32,
    pd: Ref,
    source: Ref,
) -> R<Ref> {
    let address = vm.get(non_null(b)?, jdk::buffer::ADDRESS)?;
    let bytes = vm
        .offheap()
        .bytes(address.wrapping_add(i64::from(off)) as u64, len as usize)
        .map(std::borrow::Cow::into_owned);
    let bytes = bytes.ok_or_else(|| Throw::bare("java/lang/ArrayIndexOutOfBoundsException"))?;
    define(vm, loader, name, &bytes, pd, source)
}

fn define_class0(
    vm: &mut Env,
    loader: Ref,
    lookup: Ref,
    name: Ref,
    b: Ref,
    off: i32,
    len: i32,
    pd: Ref,
    initialize: bool,
    flags: i32,
    class_data: Ref,
) -> R<Ref> {
    let illegal = |m: &str| Err(Throw::msg("java/lang/IllegalArgumentException", m));
    if lookup.is_null() {
        return illegal("Lookup class is null");
    }
    let lookup = vm.of_mirror(lookup);
    let hidden = flags & flag::HIDDEN != 0;
    let nestmate = flags & flag::NESTMATE != 0;
    if !hidden {
        if !class_data.is_null() {
            return illegal("classData is only applicable for hidden classes");
        }
        if nestmate {
            return illegal("dynamic nestmate is only applicable for hidden classes");
        }
        if flags & flag::STRONG == 0 {
            return illegal("an ordinary class must be strongly referenced by its defining loader");
        }
        if flags & flag::VM_ANNOTATIONS != 0 {
            return illegal("vm annotations only allowed for hidden classes");
        }
        if flags != flag::STRONG {
            return illegal(&format!("invalid flag 0x{flags:x}"));
        }
    }
    let bytes = class_bytes(vm, b, off, len)?;
    let name = defined_name(vm, name)?;
    let nest_host = if nestmate {
        Some(vm.nest_host(lookup)?)
    } else {
        None
    };
    let options = DefineOptions {
        loader,
        protection_domain: pd,
        source: None,
        hidden,
        strong: flags & flag::STRONG != 0,
        nest_host,
        class_data,
        given: vm.class(lookup).given,
    };
    let loader = vm.loader_id(loader);
    let c = vm.define_class(loader, name.as_deref(), &bytes, options)?;
    // 21 and later look at neither: `MethodHandleProxies` has packages of its own
    let same = vm.class(c).package == vm.class(lookup).package
        && vm.class(c).loader == vm.class(lookup).loader;
    if !same && vm.feature() < 21 {
        return illegal("Lookup class and defined class are in different packages");
    }
    // linking and initializing may run Java code, after which this native must not define again
    Err(Box::new(Throw::Upcall(Upcall {
        call: None,
        cont: Some(Cont::new(
            finish,
            [c.0.into(), initialize.into(), (!hidden).into()],
            [vm.mirror(c), Ref::NULL, Ref::NULL],
        )),
        resume: Resume::Value,
    })))
}

/// Reports the loader of a class that is not hidden, then initializes or links it; entered again until that
/// is done.
fn finish(vm: &mut Env, cont: &mut Cont, result: Result<Value, Ref>) -> Next {
    let c = ClassId(cont.data[0] as u32);
    if let Err(e) = result {
        return Next::Throw(Throw::object(e));
    }
    if std::mem::take(&mut cont.data[2]) != 0
        && let Some(call) = add_to_loader(vm, c)
    {
        return Next::Call(call);
    }
    let r = match cont.data[1] != 0 {
        true => vm.ensure_initialized(c),
        false => vm.link_class(c),
    };
    match r {
        Ok(()) => Next::Return(vm.mirror(c).into()),
        Err(t) => Next::Throw(t),
    }
}

fn find_bootstrap_class(vm: &mut Env, name: Ref) -> R<Ref> {
    if name.is_null() {
        return Ok(Ref::NULL);
    }
    let name = vm.string(name);
    let Some(name) = internal_name(&name, true).filter(|n| !is_too_long(n)) else {
        return Ok(Ref::NULL);
    };
    match vm.load_class(LoaderId::BOOT, &name) {
        Ok(c) => Ok(vm.mirror(c)),
        Err(e) => match *e {
            Throw::New {
                class: "java/lang/ClassNotFoundException",
                ..
            } => Ok(Ref::NULL),
            _ => Err(e),
        },
    }
}

fn find_loaded_class(vm: &mut Env, this: Ref, name: Ref) -> R<Ref> {
    if name.is_null() {
        return Ok(Ref::NULL);
    }
    let name = string_arg(vm, name)?.replace('.', "/");
    let loader = vm.loader_id(this);
    Ok(vm
        .find_loaded(loader, &name)
        .map_or(Ref::NULL, |c| vm.mirror(c)))
}

fn retrieve_directives(vm: &mut Env) -> R<Ref> {
    let class = vm.jdk_class(jdk::assertion_status_directives::CLASS)?;
    vm.ensure_initialized(class)?;
    let options = vm.options().assertions.clone();
    // the class looks for the first row that fits, so the last switch comes first
    let rows = |want_package: bool| -> Vec<(bool, String)> {
        let rows = options.iter().rev().filter(|(_, scope)| !scope.is_empty());
        let rows = rows.filter(|(_, scope)| scope.ends_with("...") == want_package);
        rows.map(|(on, scope)| {
            let name = scope.trim_start_matches(':');
            (*on, name.strip_suffix("...").unwrap_or(name).to_string())
        })
        .collect()
    };
    let default = options
        .iter()
        .rev()
        .find(|(_, scope)| scope.is_empty())
        .is_some_and(|&(on, _)| on);
    let (classes, packages) = (rows(false), rows(true));
    let r = vm.alloc_object(class)?;
    use jdk::assertion_status_directives as directives;
    for (rows, names_field, on_field) in [
        (classes, directives::CLASSES, directives::CLASS_ENABLED),
        (packages, directives::PACKAGES, directives::PACKAGE_ENABLED),
    ] {
        let mut names = Vec::new();
        for (_, n) in &rows {
            names.push(vm.new_string(n)?);
        }
        let elem = vm.known().string;
        let names = ref_array(vm, elem, &names)?;
        let elem = vm.primitive(b'Z');
        let enabled = vm.new_array_of(elem, rows.len())?;
        for (b, (on, _)) in vm.heap_mut().bytes_mut(enabled).iter_mut().zip(&rows) {
            *b = u8::from(*on);
        }
        vm.set(r, names_field, names)?;
        vm.set(r, on_field, enabled)?;
    }
    vm.set(r, directives::DEFLT, default)?;
    Ok(r)
}
