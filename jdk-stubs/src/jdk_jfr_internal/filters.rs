//! Filters of stacks: the frames that the class library has left out.

use super::constants::StackFilter;
use super::recorder::Recorder;
use crate::support::non_null;
use rjvm_vm::{Env, R, Ref};

fn texts(vm: &mut Env, array: Ref) -> R<Vec<Option<String>>> {
    let array = non_null(array)?;
    let all = (0..vm.heap().len(array)).map(|i| {
        let text = vm.heap().elem_ref(array, i);
        text.non_null().map(|t| vm.string(t))
    });
    Ok(all.collect())
}

/// `JVM.registerStackFilter`.
pub fn register_stack_filter(vm: &mut Env, classes: Ref, methods: Ref) -> R<i64> {
    let (classes, methods) = (texts(vm, classes)?, texts(vm, methods)?);
    let rows = classes.into_iter().map(|c| c.map(|c| c.replace('/', ".")));
    let rows = rows.zip(methods).collect();
    let recorder = Recorder::of(vm);
    let number = recorder.filters.keys().last().map_or(1, |n| n + 1);
    recorder.filters.insert(number, StackFilter { rows });
    Ok(number)
}

/// `JVM.unregisterStackFilter`.
pub fn unregister_stack_filter(vm: &mut Env, number: i64) -> R<()> {
    Recorder::of(vm).filters.remove(&number);
    Ok(())
}
