//! Throwables as data. No Java code runs for it.

use rjvm_jdk_stubs::java_lang::{stack_trace_element::line_number, throwable as backtrace};
use rjvm_vm::jdk::{class_loader, stack_trace_element as element, throwable};
use rjvm_vm::{LoaderId, MethodId, Ref, Vm as Core};
use std::fmt;

/// A `java.lang.Throwable` as it was when it was looked at. No Java code runs for it, so that looking at an exception changes
/// no count: the message is the constructor's, even if `getMessage` is overridden.
#[derive(Clone, Debug)]
pub struct Throwable<T> {
    /// Its class, as in Java sources: `java.lang.IllegalStateException`.
    pub class: String,
    /// Its message.
    pub message: Option<String>,
    /// Where it was made, the innermost frame first.
    pub stack: Vec<StackElement>,
    /// Its cause.
    pub cause: Option<Box<Throwable<T>>>,
    /// What `Throwable.addSuppressed` has added.
    pub suppressed: Vec<Throwable<T>>,
    /// What the caller has made of the object.
    pub object: T,
    /// It is one of those around it, or is too deep.
    pub circular: bool,
}

/// A frame of a Java stack trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackElement {
    /// Name of the class loader, if it is neither one of the JDK's nor nameless.
    pub loader: Option<String>,
    /// Module of the class.
    pub module: Option<String>,
    /// Class, as in Java sources.
    pub class: String,
    /// Method: `<init>` for a constructor.
    pub method: String,
    /// Source file.
    pub file: Option<String>,
    /// Line.
    pub line: Option<u32>,
    /// It is a native method.
    pub native: bool,
}

impl fmt::Display for StackElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(loader) = &self.loader {
            write!(f, "{loader}/")?;
        }
        if let Some(module) = &self.module {
            f.write_str(module)?;
        }
        if self.loader.is_some() || self.module.is_some() {
            f.write_str("/")?;
        }
        write!(f, "{}.{}(", self.class, self.method)?;
        match (&self.file, self.line) {
            _ if self.native => f.write_str("Native Method)"),
            (Some(file), Some(line)) => write!(f, "{file}:{line})"),
            (Some(file), None) => write!(f, "{file})"),
            (None, _) => f.write_str("Unknown Source)"),
        }
    }
}

/// Causes and suppressed exceptions are followed that far.
const DEPTH: usize = 100;

/// An exception as it is now, with what `keep` makes of each object.
pub fn describe<T>(
    core: &mut Core,
    exception: Ref,
    keep: &mut dyn FnMut(&mut Core, Ref) -> T,
) -> Throwable<T> {
    shown(core, exception, keep, &mut Vec::new())
}

/// Whether it says that the class of this name was not found.
pub fn is_missing_class(core: &mut Core, e: Ref, name: &str) -> bool {
    let class = core.class_of(e);
    if *core.class(class).name != *"java/lang/ClassNotFoundException" {
        return false;
    }
    message(core, e).is_some_and(|m| m.replace('/', ".") == name.replace('/', "."))
}

fn message(core: &mut Core, e: Ref) -> Option<String> {
    let message = core.get(e, throwable::DETAIL_MESSAGE);
    (!message.is_null()).then(|| core.string(message))
}

fn shown<T>(
    core: &mut Core,
    e: Ref,
    keep: &mut dyn FnMut(&mut Core, Ref) -> T,
    outer: &mut Vec<Ref>,
) -> Throwable<T> {
    let mut all = Throwable {
        class: core.class(core.class_of(e)).dotted(),
        message: message(core, e),
        stack: Vec::new(),
        cause: None,
        suppressed: Vec::new(),
        object: keep(core, e),
        circular: outer.contains(&e) || outer.len() >= DEPTH,
    };
    if all.circular {
        return all;
    }
    outer.push(e);
    all.stack = stack(core, e);
    for s in suppressed(core, e) {
        all.suppressed.push(shown(core, s, keep, outer));
    }
    let cause = core.get(e, throwable::CAUSE);
    // an exception without a known cause is its own
    if !cause.is_null() && cause != e {
        all.cause = Some(Box::new(shown(core, cause, keep, outer)));
    }
    all
}

/// Elements that have been set or made, or else the frames that were noted when it was constructed.
fn stack(core: &mut Core, e: Ref) -> Vec<StackElement> {
    let elements = core.get(e, throwable::STACK_TRACE);
    let unassigned = core.get_static(throwable::UNASSIGNED_STACK);
    // the VM's own errors have none, but may have frames
    if !elements.is_null() && elements != unassigned {
        let n = core.heap().len(elements);
        let elements: Vec<Ref> = (0..n).map(|i| core.heap().elem_ref(elements, i)).collect();
        return elements.into_iter().map(|e| of_element(core, e)).collect();
    }
    let frames = backtrace::frames(core.env(), e);
    frames
        .into_iter()
        .map(|(m, bci)| of_frame(core, m, bci))
        .collect()
}

fn of_frame(core: &mut Core, m: MethodId, bci: i32) -> StackElement {
    let method = core.method(m);
    let (class, native) = (method.class, method.is_native());
    let name = core.symbols().str(method.name).to_string();
    let loader = core.class(class).loader;
    let module = core.module_of(class);
    let module = match module.is_null() {
        true => None,
        false => core.module_name(module),
    };
    let k = core.class(class);
    let file = k.cf.as_ref().and_then(|cf| {
        let file = cf.constant_pool.str(cf.attributes.source_file?).ok()?;
        Some(file.to_string())
    });
    StackElement {
        loader: loader_name(core, loader),
        module: module.map(|m| m.0),
        class: core.class(class).dotted(),
        method: name,
        file,
        line: u32::try_from(line_number(core.method(m), bci)).ok(),
        native,
    }
}

/// The loader's name, if stack traces show it.
fn loader_name(core: &mut Core, loader: LoaderId) -> Option<String> {
    let object = core.loader_object(loader);
    if object.is_null() {
        return None;
    }
    let class = core.class_of(object);
    if core
        .class(class)
        .name
        .starts_with("jdk/internal/loader/ClassLoaders$")
    {
        return None;
    }
    let name = core.get(object, class_loader::NAME);
    let name = (!name.is_null()).then(|| core.string(name))?;
    (!name.is_empty()).then_some(name)
}

fn of_element(core: &mut Core, e: Ref) -> StackElement {
    let (class, method) = (
        core.get(e, element::DECLARING_CLASS),
        core.get(e, element::METHOD_NAME),
    );
    let (file, module, loader) = (
        core.get(e, element::FILE_NAME),
        core.get(e, element::MODULE_NAME),
        core.get(e, element::CLASS_LOADER_NAME),
    );
    let line = core.get(e, element::LINE_NUMBER);
    let text = |r: Ref| (!r.is_null()).then(|| core.string(r));
    StackElement {
        class: text(class).unwrap_or_default(),
        method: text(method).unwrap_or_default(),
        file: text(file),
        module: text(module).filter(|m| !m.is_empty()),
        loader: text(loader).filter(|l| !l.is_empty() && l != "app" && l != "platform"),
        line: u32::try_from(line).ok(),
        native: line == -2,
    }
}

/// The exceptions in the list that `addSuppressed` keeps (an `ArrayList`).
fn suppressed(core: &mut Core, e: Ref) -> Vec<Ref> {
    let list = core.get(e, throwable::SUPPRESSED_EXCEPTIONS);
    let none = core.get_static(throwable::SUPPRESSED_SENTINEL);
    if list.is_null() || list == none {
        return Vec::new();
    }
    let class = core.class_of(list);
    let fields = ("elementData", "[Ljava/lang/Object;");
    let (Some(elements), Some(size)) = (
        core.offset_in(class, fields.0, fields.1),
        core.offset_in(class, "size", "I"),
    ) else {
        return Vec::new();
    };
    let elements = core.heap().get_ref(list, elements);
    let size = core.heap().get::<i32>(list, size).max(0) as usize;
    let size = size.min(core.heap().len(elements));
    (0..size)
        .map(|i| core.heap().elem_ref(elements, i))
        .collect()
}
