//! Natives of `java.lang.Thread`.

use super::stack_trace_element;
use rjvm_vm::{Env, R, Ref, ThreadId, Throw, natives};
use std::ops::ControlFlow;

natives! { "java/lang/Thread";
    registerNatives "()V" => register_natives;
    currentThread "()Ljava/lang/Thread;" => current_thread;
    yield "()V" => yield_;
    sleep "(J)V" => sleep;
    start0 "()V" => start0;
    holdsLock "(Ljava/lang/Object;)Z" => holds_lock;
    dumpThreads "([Ljava/lang/Thread;)[[Ljava/lang/StackTraceElement;" => dump_threads;
    getThreads "()[Ljava/lang/Thread;" => get_threads;
    setPriority0 "(I)V" => set_priority0;
    stop0 "(Ljava/lang/Object;)V" => stop0;
    suspend0 "()V" => suspend0;
    resume0 "()V" => resume0;
    interrupt0 "()V" => interrupt0;
    clearInterruptEvent "()V" => clear_interrupt_event;
    setNativeName "(Ljava/lang/String;)V" => set_native_name;
}

/// Natives are bound by name when first called.
fn register_natives(_: &mut Env) -> R<()> {
    Ok(())
}

fn current_thread(vm: &mut Env) -> R<Ref> {
    Ok(vm.a_thread(vm.current()).object)
}

fn yield_(vm: &mut Env) -> R<()> {
    if vm.take_wake().is_some() || !vm.others_runnable() {
        return Ok(());
    }
    Err(vm.yield_now())
}

fn sleep(vm: &mut Env, millis: i64) -> R<()> {
    vm.thread_sleep(millis)
}

fn start0(vm: &mut Env, this: Ref) -> R<()> {
    vm.thread_start(this)
}

fn holds_lock(vm: &mut Env, object: Ref) -> R<bool> {
    let object = object.non_null().ok_or_else(Throw::npe)?;
    Ok(vm.holds_lock(object))
}

/// The live threads in the order they started.
pub fn get_threads(vm: &mut Env) -> R<Ref> {
    let live: Vec<ThreadId> = vm.live_threads().collect();
    let objects: Vec<Ref> = live
        .into_iter()
        .filter_map(|t| vm.a_thread(t).object.non_null())
        .collect();
    let class = vm.known().thread;
    let array = vm.new_array_of(class, objects.len())?;
    for (i, o) in objects.into_iter().enumerate() {
        vm.heap_mut().set_elem_ref(array, i, o);
    }
    Ok(array)
}

/// The stack trace of each thread; null for one that is not alive.
fn dump_threads(vm: &mut Env, threads: Ref) -> R<Ref> {
    let threads = threads.non_null().ok_or_else(Throw::npe)?;
    let n = vm.heap().len(threads);
    if n == 0 {
        return Err(Throw::bare("java/lang/IllegalArgumentException"));
    }
    let element = vm.known().stack_trace_element;
    let trace_class = vm.array_of(element);
    let result = vm.new_array_of(trace_class, n)?;
    for i in 0..n {
        let object = vm.heap().elem_ref(threads, i);
        if object.is_null() {
            return Err(Throw::npe());
        }
        if let Some(t) = vm.thread_of(object) {
            let trace = stack_trace(vm, t, usize::MAX)?;
            vm.heap_mut().set_elem_ref(result, i, trace);
        }
    }
    Ok(result)
}

/// The frames of a thread as `StackTraceElement[]`, hidden ones among them, as HotSpot has it for other threads' stacks.
pub fn stack_trace(vm: &mut Env, t: ThreadId, max: usize) -> R<Ref> {
    let mut frames = Vec::new();
    vm.walk_stack(t, |_, m, bci| {
        frames.push((m, bci));
        if frames.len() >= max {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    let class = vm.known().stack_trace_element;
    let trace = vm.new_array_of(class, frames.len())?;
    for (i, (m, bci)) in frames.into_iter().enumerate() {
        let e = vm.alloc_object(class)?;
        vm.heap_mut().set_elem_ref(trace, i, e);
        stack_trace_element::fill(vm, e, m, bci)?;
    }
    Ok(trace)
}

/// Priorities are hints (JLS 17.1 has none); the scheduler is fair to all.
fn set_priority0(_: &mut Env, _this: Ref, _priority: i32) -> R<()> {
    Ok(())
}

fn stop0(vm: &mut Env, this: Ref, throwable: Ref) -> R<()> {
    vm.thread_stop(this, throwable)
}

fn suspend0(vm: &mut Env, this: Ref) -> R<()> {
    vm.thread_suspend(this)
}

fn resume0(vm: &mut Env, this: Ref) -> R<()> {
    if let Some(t) = vm.thread_of(this) {
        vm.thread_resume(t);
    }
    Ok(())
}

/// `Thread.interrupted` has been set by the caller.
fn interrupt0(vm: &mut Env, this: Ref) -> R<()> {
    if let Some(t) = vm.thread_of(this) {
        vm.interrupt(t);
    }
    Ok(())
}

/// The VM keeps no interrupt state besides the field that the caller has cleared.
fn clear_interrupt_event(_: &mut Env) -> R<()> {
    Ok(())
}

/// Green threads have no name that the operating system could show.
fn set_native_name(_: &mut Env, _this: Ref, _name: Ref) -> R<()> {
    Ok(())
}
