//! Natives of `java.lang.StackTraceElement`.

use super::throwable;
use crate::java_lang_invoke::member_name;
use crate::support::{intern_mutf8, non_null};
use rjvm_vm::classes::Method;
use rjvm_vm::{Env, LoaderId, MethodId, R, Ref, Throw, jdk, natives};

natives! { "java/lang/StackTraceElement";
    initStackTraceElements "([Ljava/lang/StackTraceElement;Ljava/lang/Throwable;)V" until 20 => init_stack_trace_elements;
    initStackTraceElements "([Ljava/lang/StackTraceElement;Ljava/lang/Object;I)V" since 19 => init_stack_trace_elements_of;
    initStackTraceElement "(Ljava/lang/StackTraceElement;Ljava/lang/StackFrameInfo;)V" => init_stack_trace_element;
}

fn init_stack_trace_elements(vm: &mut Env, elements: Ref, throwable: Ref) -> R<()> {
    let (elements, throwable) = (non_null(elements)?, non_null(throwable)?);
    let frames = throwable::frames(vm, throwable);
    if frames.len() != vm.heap().len(elements) {
        return Err(Throw::bare("java/lang/IndexOutOfBoundsException"));
    }
    for (i, (m, bci)) in frames.into_iter().enumerate() {
        let e = non_null(vm.heap().elem_ref(elements, i))?;
        fill(vm, e, m, bci)?;
    }
    Ok(())
}

fn init_stack_trace_element(vm: &mut Env, element: Ref, info: Ref) -> R<()> {
    let (element, info) = (non_null(element)?, non_null(info)?);
    let bci = vm.get(info, jdk::stack_frame_info::BCI)?;
    let target = match vm.has_field(jdk::stack_frame_info::MEMBER_NAME) {
        Some(f) => {
            let name = vm.get(info, f)?;
            member_name::target(vm, name)
        }
        None => {
            let name = vm.get(info, jdk::class_frame_info::CLASS_OR_MEMBER_NAME)?;
            vm.resolved_method(name)
        }
    };
    match target {
        Some(m) => fill(vm, element, m, bci),
        None => Err(Throw::msg(
            "java/lang/InternalError",
            "frame without method",
        )),
    }
}

/// The source line of a bytecode: -2 in a native method, -1 when the class file doesn't report.
pub fn line_number(method: &Method, bci: i32) -> i32 {
    if method.is_native() {
        return -2;
    }
    let Some(code) = method.code() else { return -1 };
    u16::try_from(bci)
        .ok()
        .and_then(|pc| code.attr().line_of(pc))
        .map_or(-1, i32::from)
}

/// The frames of a throwable as HotSpot prints them without the class library, a line each.
pub fn lines(vm: &mut Env, throwable: Ref) -> String {
    let frames = throwable::frames(vm, throwable).into_iter();
    frames.map(|(m, bci)| vm.frame_text(m, bci)).collect()
}

/// Sets the fields of an element for a frame.
pub fn fill(vm: &mut Env, element: Ref, m: MethodId, bci: i32) -> R<()> {
    let (class, name) = (
        vm.method(m).class,
        vm.symbols().str(vm.method(m).name).clone(),
    );
    let mirror = vm.mirror(class);
    vm.set(
        element,
        jdk::stack_trace_element::DECLARING_CLASS_OBJECT,
        mirror,
    );
    let loader = vm.class(class).loader;
    if loader != LoaderId::BOOT {
        let object = vm.loader_object(loader);
        let loader_name = vm.get(object, jdk::class_loader::NAME);
        vm.set(
            element,
            jdk::stack_trace_element::CLASS_LOADER_NAME,
            loader_name,
        );
    }
    let module = vm.module_of(class);
    if !module.is_null()
        && let Some((module, version)) = vm.module_name(module)
    {
        let s = vm.intern_str(&module)?;
        vm.set(element, jdk::stack_trace_element::MODULE_NAME, s);
        if let Some(version) = version {
            let s = vm.intern_str(&version)?;
            vm.set(element, jdk::stack_trace_element::MODULE_VERSION, s);
        }
    }
    let dotted = vm.class(class).dotted();
    let s = vm.intern_str(&dotted)?;
    vm.set(element, jdk::stack_trace_element::DECLARING_CLASS, s);
    let s = vm.intern_str(&name)?;
    vm.set(element, jdk::stack_trace_element::METHOD_NAME, s);
    let cf = vm.class(class).cf.clone();
    if let Some(cf) = cf
        && let Some(file) = cf.attributes.source_file
        && let Ok(file) = cf.constant_pool.utf8(file)
    {
        let s = intern_mutf8(vm, file)?;
        vm.set(element, jdk::stack_trace_element::FILE_NAME, s);
    }
    let line = line_number(vm.method(m), bci);
    vm.set(element, jdk::stack_trace_element::LINE_NUMBER, line);
    Ok(())
}

fn init_stack_trace_elements_of(vm: &mut Env, elements: Ref, backtrace: Ref, depth: i32) -> R<()> {
    let (elements, backtrace) = (non_null(elements)?, non_null(backtrace)?);
    let frames = throwable::frames_of(vm, backtrace);
    if frames.len() != vm.heap().len(elements) || depth as usize != frames.len() {
        return Err(Throw::bare("java/lang/IndexOutOfBoundsException"));
    }
    for (i, (m, bci)) in frames.into_iter().enumerate() {
        let e = non_null(vm.heap().elem_ref(elements, i))?;
        fill(vm, e, m, bci)?;
    }
    Ok(())
}
