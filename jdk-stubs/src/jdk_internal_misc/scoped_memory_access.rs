//! Natives of `jdk.internal.misc.ScopedMemoryAccess`.

use rjvm_classfile::descriptor::parameters;
use rjvm_vm::{Env, LoaderId, R, Ref, ThreadId, natives};
use std::ops::ControlFlow;

natives! { "jdk/internal/misc/ScopedMemoryAccess";
    registerNatives "()V" => register_natives;
    closeScope0 "(Ljdk/internal/misc/ScopedMemoryAccess$Scope;Ljdk/internal/misc/ScopedMemoryAccess$Scope$ScopedAccessError;)Z" until 20 => close_scope;
    closeScope0 "(Ljdk/internal/foreign/MemorySessionImpl;)Z" since 21 until 21 => close_session;
    closeScope0 "(Ljdk/internal/foreign/MemorySessionImpl;Ljdk/internal/misc/ScopedMemoryAccess$ScopedAccessError;)V" since 22 => interrupt_accesses;
}

/// Tables are bound by name, so there is nothing to register.
fn register_natives(_: &mut Env) -> R<()> {
    Ok(())
}

/// The JDK before 21 names the error that an access would get; no access gets it here.
fn close_scope(vm: &mut Env, _this: Ref, scope: Ref, _error: Ref) -> R<bool> {
    Ok(threads_inside(vm, scope)?.is_empty())
}

/// Whether no other thread is inside an access to this session: then it may be closed.
fn close_session(vm: &mut Env, _this: Ref, session: Ref) -> R<bool> {
    Ok(threads_inside(vm, session)?.is_empty())
}

/// Ends the accesses of other threads to a session that has just been closed: they continue with `error`.
fn interrupt_accesses(vm: &mut Env, _this: Ref, session: Ref, error: Ref) -> R<()> {
    for thread in threads_inside(vm, session)? {
        let object = vm.a_thread(thread).object;
        vm.thread_stop(object, error)?;
    }
    Ok(())
}

/// The other threads that are inside an access to this session.
fn threads_inside(vm: &mut Env, session: Ref) -> R<Vec<ThreadId>> {
    // an access has one session, a copy has two
    const SESSIONS: usize = 2;
    let current = vm.current();
    let others = vm.all_threads().map(|t| t.id).filter(|&t| t != current);
    let others: Vec<_> = others.collect();
    let access = vm.load_class(LoaderId::BOOT, "jdk/internal/misc/ScopedMemoryAccess")?;
    let mut inside = Vec::new();
    for thread in others {
        let mut found = false;
        vm.walk_frames(thread, |vm, frame| {
            let method = vm.method(frame.method);
            if method.class != access {
                return ControlFlow::Continue(());
            }
            let desc = vm.symbols().str(method.desc).clone();
            let first = usize::from(!method.is_static());
            let is_reference = |p: &&str| p.starts_with('L');
            let sessions = parameters(&desc).take(SESSIONS).take_while(is_reference);
            let mut locals = first..first + sessions.count();
            found = locals.any(|local| frame.local_ref(vm, local) == session);
            ControlFlow::Break(())
        });
        if found {
            inside.push(thread);
        }
    }
    Ok(inside)
}
