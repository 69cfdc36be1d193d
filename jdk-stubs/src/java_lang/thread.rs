//! Natives of `java.lang.Thread`.

use super::stack_trace_element;
use rjvm_vm::{Env, MethodId, R, Ref, ThreadId, Throw, jdk, natives};
use std::ops::ControlFlow;

natives! { "java/lang/Thread";
    registerNatives "()V" => register_natives;
    currentThread "()Ljava/lang/Thread;" => current_thread, inlined CurrentThread;
    yield "()V" until 20 => yield_;
    sleep "(J)V" until 20 => sleep;
    start0 "()V" => start0;
    holdsLock "(Ljava/lang/Object;)Z" => holds_lock;
    dumpThreads "([Ljava/lang/Thread;)[[Ljava/lang/StackTraceElement;" => dump_threads;
    getThreads "()[Ljava/lang/Thread;" => get_threads;
    setPriority0 "(I)V" => set_priority0;
    stop0 "(Ljava/lang/Object;)V" until 20 => stop0;
    suspend0 "()V" until 20 => suspend0;
    resume0 "()V" until 20 => resume0;
    interrupt0 "()V" => interrupt0;
    currentCarrierThread "()Ljava/lang/Thread;" since 19 => current_carrier;
    setCurrentThread "(Ljava/lang/Thread;)V" since 19 => set_current_thread;
    scopedValueCache "()[Ljava/lang/Object;" since 20 => scoped_value_cache;
    setScopedValueCache "([Ljava/lang/Object;)V" since 20 => set_scoped_value_cache;
    ensureMaterializedForStackWalk "(Ljava/lang/Object;)V" since 20 => ensure_materialized;
    findScopedValueBindings "()Ljava/lang/Object;" since 20 => find_scoped_value_bindings;
    yield0 "()V" since 19 => yield_;
    sleep0 "(J)V" since 21 until 21 => sleep_nanos;
    sleepNanos0 "(J)V" since 22 => sleep_nanos;
    getStackTrace0 "()Ljava/lang/Object;" since 19 => get_stack_trace;
    getNextThreadIdOffset "()J" since 19 => get_next_thread_id_offset;
    clearInterruptEvent "()V" => clear_interrupt_event;
    setNativeName "(Ljava/lang/String;)V" => set_native_name;
}

/// Natives are bound by name when first called.
fn register_natives(_: &mut Env) -> R<()> {
    Ok(())
}

fn current_thread(vm: &mut Env) -> R<Ref> {
    Ok(vm.remember_current_thread())
}

fn current_carrier(vm: &mut Env) -> R<Ref> {
    Ok(vm.current_carrier())
}

fn set_current_thread(vm: &mut Env, this: Ref, thread: Ref) -> R<()> {
    vm.set_current_thread_object(this, thread);
    Ok(())
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
    let live: Vec<ThreadId> = vm.platform_threads();
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

/// The frames of a thread as `StackTraceElement[]`, hidden ones too: only exceptions leave these out.
pub fn stack_trace(vm: &mut Env, t: ThreadId, max: usize) -> R<Ref> {
    let mut frames = Vec::new();
    vm.walk_stack(t, |_, m, bci| {
        frames.push((m, bci));
        if frames.len() >= max {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    trace_of(vm, frames)
}

/// The frames of a thread that are not hidden, top first, with their numbers among all.
pub fn shown_frames(vm: &mut Env, t: ThreadId) -> Vec<(usize, MethodId, i32)> {
    let (mut frames, mut number) = (Vec::new(), 0);
    vm.walk_stack(t, |vm, m, bci| {
        // the stack of a virtual thread that has left its carrier ends before
        let yields = number == 0 && is_yield(vm, m);
        if !yields && !vm.method(m).hidden {
            frames.push((number, m, bci));
        }
        number += 1;
        ControlFlow::Continue(())
    });
    frames
}

/// Whether a method is the one in which a continuation leaves its carrier, which stacks do not show.
pub fn is_yield(vm: &Env, m: MethodId) -> bool {
    let method = vm.method(m);
    let yields = vm.has_method(jdk::calls::continuation::DO_YIELD);
    yields.is_some_and(|yields| {
        method.is_native()
            && *vm.class(method.class).name == *yields.class
            && **vm.symbols().str(method.name) == *yields.name
    })
}

/// The elements that describe these frames.
pub fn trace_of(vm: &mut Env, frames: Vec<(MethodId, i32)>) -> R<Ref> {
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

/// What a thread remembers of the scoped values it has looked up: the Java code fills it.
fn scoped_value_cache(vm: &mut Env) -> R<Ref> {
    let thread = vm.current_carrier();
    Ok(vm
        .has_field(jdk::thread::SCOPED_CACHE)
        .map_or(Ref::NULL, |f| vm.get(thread, f)))
}

fn set_scoped_value_cache(vm: &mut Env, cache: Ref) -> R<()> {
    let thread = vm.current_carrier();
    if let Some(f) = vm.has_field(jdk::thread::SCOPED_CACHE) {
        vm.set(thread, f, cache);
    }
    Ok(())
}

fn ensure_materialized(_: &mut Env, _object: Ref) -> R<()> {
    Ok(())
}

/// The bindings of the nearest frame that runs with some.
fn find_scoped_value_bindings(vm: &mut Env) -> R<Ref> {
    let run = vm.symbol("runWith");
    let classes = [
        "java/lang/Thread",
        "java/lang/VirtualThread",
        "java/lang/ScopedValue$Carrier",
    ];
    let mut found = Ref::NULL;
    let thread = vm.current();
    vm.walk_frames(thread, |vm, f| {
        let m = vm.method(f.method);
        if m.name != run {
            return ControlFlow::Continue(());
        }
        let (class, first) = (m.class, usize::from(!m.is_static()));
        if !classes.contains(&&*vm.class(class).name) {
            return ControlFlow::Continue(());
        }
        found = f.local_ref(vm, first);
        ControlFlow::Break(())
    });
    Ok(found)
}

/// A part of a millisecond is slept as a whole one.
fn sleep_nanos(vm: &mut Env, nanos: i64) -> R<()> {
    vm.thread_sleep(nanos / 1_000_000 + i64::from(nanos % 1_000_000 != 0))
}

fn get_stack_trace(vm: &mut Env, this: Ref) -> R<Ref> {
    match vm.thread_of(this) {
        Some(t) => {
            let frames = shown_frames(vm, t);
            trace_of(vm, frames.into_iter().map(|(_, m, bci)| (m, bci)).collect())
        }
        None => Ok(Ref::NULL),
    }
}

/// The number of the next thread, which the class library counts up. The first one's is given.
fn get_next_thread_id_offset(vm: &mut Env) -> R<i64> {
    let first = vm.first_thread_number();
    let at = vm.offheap_mut().alloc(8).expect("memory for a number");
    vm.offheap_mut().put::<i64>(at, first).expect("it is there");
    Ok(at as i64)
}

/// Natives of `java.lang.VirtualThread`.
pub mod virtual_thread {
    use rjvm_vm::{Env, R, Ref};

    rjvm_vm::natives! { "java/lang/VirtualThread";
        registerNatives "()V" since 19 => register_natives;
        notifyJvmtiStart "()V" since 21 => of_it;
        notifyJvmtiEnd "()V" since 21 => of_it;
        notifyJvmtiMount "(Z)V" since 21 => whether;
        notifyJvmtiUnmount "(Z)V" since 21 => whether;
        notifyJvmtiHideFrames "(Z)V" since 21 until 21 => whether;
        notifyJvmtiDisableSuspend "(Z)V" since 22 => whether_all;
        postPinnedEvent "(Ljava/lang/String;)V" since 24 => pinned;
        takeVirtualThreadListToUnblock "()Ljava/lang/VirtualThread;" since 24 => take_unblocked;
    }

    fn register_natives(_: &mut Env) -> R<()> {
        Ok(())
    }

    /// There is no JVM TI.
    fn of_it(_: &mut Env, _this: Ref) -> R<()> {
        Ok(())
    }

    fn whether(_: &mut Env, _this: Ref, _hide: bool) -> R<()> {
        Ok(())
    }

    fn whether_all(_: &mut Env, _enter: bool) -> R<()> {
        Ok(())
    }

    fn pinned(vm: &mut Env, operation: Ref) -> R<()> {
        crate::jdk_jfr_internal::pinned::ends(vm, operation)
    }

    fn take_unblocked(vm: &mut Env) -> R<Ref> {
        vm.take_unblocked()
    }
}
