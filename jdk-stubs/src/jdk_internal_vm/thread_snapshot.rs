//! Natives of `jdk.internal.vm.ThreadSnapshot`: what `jcmd Thread.dump_to_file` and
//! `HotSpotDiagnosticMXBean.dumpThreads` show of a thread.

use crate::java_lang::thread;
use rjvm_vm::jdk::{calls, thread_snapshot as snapshot, thread_snapshot_lock as lock};
use rjvm_vm::throw::{Call, Cont, Next, Resume};
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};

natives! { "jdk/internal/vm/ThreadSnapshot";
    create "(Ljava/lang/Thread;)Ljdk/internal/vm/ThreadSnapshot;" since 25 => create;
}

/// `BlockerLockType`, as the class numbers it.
mod blocker {
    pub const PARKS: i32 = 0;
    pub const ENTERS: i32 = 1;
    pub const WAITS: i32 = 2;
}

/// Null for a thread that is not alive. The monitors are all of type `LOCKED`, which has the number 0.
fn create(vm: &mut Env, thread: Ref) -> R<Ref> {
    let Some(t) = vm.thread_of(thread) else {
        return Ok(Ref::NULL);
    };
    let class = vm.boot_class("jdk/internal/vm/ThreadSnapshot");
    let shown = vm.alloc_object(class)?;
    let name = vm.get(thread, jdk::thread::NAME);
    vm.set(shown, snapshot::NAME, name)?;
    let carrier = vm.carrier_of(t);
    vm.set(shown, snapshot::CARRIER_THREAD, carrier)?;
    let frames = thread::shown_frames(vm, t);
    let trace = frames.iter().map(|&(_, m, bci)| (m, bci)).collect();
    let trace = thread::trace_of(vm, trace)?;
    vm.set(shown, snapshot::STACK_TRACE, trace)?;

    let blocked = vm.blocker_of(t);
    let status = vm.status_of_thread(t)?;
    vm.set(shown, snapshot::THREAD_STATUS, status)?;
    let kind = match blocked.status {
        rjvm_vm::threads::status::bits::BLOCKED => blocker::ENTERS,
        rjvm_vm::threads::status::bits::WAITING | rjvm_vm::threads::status::bits::WAITING_TIMED => {
            blocker::WAITS
        }
        _ => blocker::PARKS,
    };
    vm.set(shown, snapshot::BLOCKER_TYPE, kind)?;
    vm.set(shown, snapshot::BLOCKER_OBJECT, blocked.object)?;

    let locked = vm.locked_by_frames(t);
    if !locked.is_empty() {
        let class = vm.boot_class("jdk/internal/vm/ThreadSnapshot$ThreadLock");
        let locks = vm.new_array_of(class, locked.len())?;
        for (i, (frame, object)) in locked.into_iter().enumerate() {
            let one = vm.alloc_object(class)?;
            vm.heap_mut().set_elem_ref(locks, i, one);
            // of a hidden frame it is shown with the one below
            let depth = frames.partition_point(|&(number, ..)| number < frame);
            vm.set(one, lock::DEPTH, depth as i32)?;
            vm.set(one, lock::OBJECT, object)?;
        }
        vm.set(shown, snapshot::LOCKS, locks)?;
    }
    // the library completes the elements: how each is printed depends on its class
    let elements = vm.known().stack_trace_element;
    let Some(of) = vm.has_method(calls::stack_trace_element::OF) else {
        return Ok(shown);
    };
    let of = vm.jdk_method(elements, of);
    let cont = Cont::new(
        |_, c, input| match input {
            Ok(_) => Next::Return(c.refs[0].into()),
            Err(e) => Next::Throw(Throw::object(e)),
        },
        [0; 3],
        [shown, Ref::NULL, Ref::NULL],
    );
    Err(Call::new(vm, of, &[trace.into()]).then(cont, Resume::Value))
}
