//! VirtualMachine.RedefineClasses.

use super::super::codes::Code;
use super::super::world::{Context, Done};
use crate::engine::{Filter, What};

pub(super) fn redefine(c: &mut Context<'_, '_>) -> Done {
    let n = c.r.count(12)?;
    let mut all = Vec::new();
    for _ in 0..n {
        let class = c.class()?;
        all.push((class, c.r.bytes()?.to_vec()));
    }
    let classes: Vec<_> = all.iter().map(|a| a.0).collect();
    // the thread that does it runs alone
    c.w.suspend_all();
    let done = c.vm().redefine_now(all);
    c.w.resume_all();
    done.map_err(|(class, message)| code_of(&class, &message))?;
    // what stood in the old bodies stands nowhere
    let vm = &*c.w.vm;
    let gone: Vec<u32> = { c.w.engine.requests.iter() }
        .filter(|r| r.what == What::Breakpoint)
        .filter(|r| {
            r.filters.iter().any(|f| match f {
                Filter::Location(l) => classes.contains(&vm.method(l.method).class),
                _ => false,
            })
        })
        .map(|r| r.id)
        .collect();
    c.w.clear_requests(|r| gone.contains(&r.id));
    Ok(())
}

/// The protocol's word for the exception that says why a class cannot be changed so.
fn code_of(class: &str, message: &str) -> Code {
    let changes = [
        ("add a method", Code::ADD_METHOD_NOT_IMPLEMENTED),
        ("delete a method", Code::DELETE_METHOD_NOT_IMPLEMENTED),
        ("schema", Code::SCHEMA_CHANGE_NOT_IMPLEMENTED),
        (
            "superclass or interfaces",
            Code::HIERARCHY_CHANGE_NOT_IMPLEMENTED,
        ),
        (
            "class modifiers",
            Code::CLASS_MODIFIERS_CHANGE_NOT_IMPLEMENTED,
        ),
        (
            "method modifiers",
            Code::METHOD_MODIFIERS_CHANGE_NOT_IMPLEMENTED,
        ),
        ("attribute", Code::CLASS_ATTRIBUTE_CHANGE_NOT_IMPLEMENTED),
    ];
    match class {
        "java/lang/UnsupportedOperationException" => {
            let found = changes.iter().find(|(words, _)| message.contains(words));
            found.map_or(Code::NOT_IMPLEMENTED, |(_, code)| *code)
        }
        "java/lang/UnsupportedClassVersionError" => Code::UNSUPPORTED_VERSION,
        "java/lang/ClassFormatError" => Code::INVALID_CLASS_FORMAT,
        "java/lang/ClassCircularityError" => Code::CIRCULAR_CLASS_DEFINITION,
        "java/lang/VerifyError" => Code::FAILS_VERIFICATION,
        "java/lang/NoClassDefFoundError" => Code::NAMES_DONT_MATCH,
        "java/lang/OutOfMemoryError" => Code::OUT_OF_MEMORY,
        _ => Code::INTERNAL,
    }
}
