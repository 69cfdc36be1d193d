//! Natives of `sun.nio.ch.NativeThread`: the threads that wait in natives of this package.

use rjvm_vm::threads::{ThreadState, Wait, Wake};
use rjvm_vm::{Env, R, ThreadId, natives};

natives! { "sun/nio/ch/NativeThread";
    supportPendingSignals0 "()Z" optional => support_pending_signals;
    current "()J" until 20 => current;
    signal "(J)V" until 20 => signal;
    current0 "()J" since 19 => current;
    signal0 "(J)V" since 19 => signal;
    init "()V" => init;
}

fn init(_: &mut Env) -> R<()> {
    Ok(())
}

fn support_pending_signals(_: &mut Env) -> R<bool> {
    Ok(false)
}

/// Never 0, which means "no thread".
fn current(vm: &mut Env) -> R<i64> {
    Ok(vm.current().0 as i64 + 1)
}

/// Ends the thread's wait for a descriptor; its native reports an interruption.
fn signal(vm: &mut Env, thread: i64) -> R<()> {
    let Some(t) = thread.checked_sub(1).and_then(|i| u32::try_from(i).ok()) else {
        return Ok(());
    };
    let waits = |w: &Wait| matches!(w, Wait::Fd(..) | Wait::Sleep);
    let state = vm.all_threads().nth(t as usize).map(|t| &t.state);
    if matches!(state, Some(ThreadState::Waiting { on, .. }) if waits(on)) {
        vm.wake(ThreadId(t), Wake::Interrupt);
    }
    Ok(())
}
