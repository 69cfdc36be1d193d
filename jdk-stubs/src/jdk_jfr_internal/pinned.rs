//! `jdk.VirtualThreadPinned`, which the VM emits since JDK 24: a virtual thread has blocked its carrier.

use super::constants;
use super::recorder::{PinnedSince, Recorder, add_events};
use crate::support::string_arg;
use rjvm_jfr::{Given, put_event, put_long};
use rjvm_vm::{Env, R, Ref, jdk};

const EVENT: &str = "jdk.VirtualThreadPinned";
/// The result of `Continuation.doYield` on top of a native method.
const NATIVE: i32 = 3;

fn running(vm: &mut Env) -> (Ref, i64) {
    let thread = vm.current_thread_object();
    (thread, vm.get(thread, jdk::thread::TID))
}

/// The running virtual thread could not leave its carrier, and waits on it.
pub fn begins(vm: &mut Env, reason: i32) {
    if !Recorder::of(vm).recording {
        return;
    }
    let (_, number) = running(vm);
    let since = vm.clock_ns();
    let pinned = PinnedSince { since, reason };
    Recorder::of(vm).pinned.insert(number, pinned);
}

/// The thread continues.
pub fn ends(vm: &mut Env, operation: Ref) -> R<()> {
    if !Recorder::of(vm).recording {
        return Ok(());
    }
    let (thread, number) = running(vm);
    let lasted = |now: i64, p: &PinnedSince| now - p.since;
    let now = vm.clock_ns();
    let recorder = Recorder::of(vm);
    let Some(pinned) = recorder.pinned.remove(&number) else {
        return Ok(());
    };
    let Some(of) = recorder.layouts.number(EVENT) else {
        return Ok(());
    };
    let settings = recorder.settings.get(&of).copied().unwrap_or_default();
    let excluded = recorder.excluded.contains(&number);
    if !settings.enabled || excluded || lasted(now, &pinned) < settings.threshold {
        return Ok(());
    }
    let depth = recorder.depth;
    let reason = match pinned.reason {
        NATIVE => "Native or VM frame on stack".to_owned(),
        other => format!("Freeze or preempt failed ({other})"),
    };
    let operation = string_arg(vm, operation)?;
    let stack = match settings.stack {
        true => constants::stack(vm, Recorder::constants_of, 0, depth, None),
        false => 0,
    };
    let of_thread = constants::thread(vm, Recorder::constants_of, thread)?;
    let carrier = vm.current_carrier();
    let carrier = match carrier.non_null() {
        Some(carrier) => constants::thread(vm, Recorder::constants_of, carrier)?,
        None => 0,
    };
    let text = |text: String| Given::Text(Some(text));
    let values = [
        ("startTime", Given::Long(pinned.since)),
        ("duration", Given::Long(lasted(now, &pinned))),
        ("eventThread", Given::Long(of_thread)),
        ("stackTrace", Given::Long(stack)),
        ("blockingOperation", text(operation)),
        ("pinnedReason", text(reason)),
        ("carrierThread", Given::Long(carrier)),
    ];
    let mut body = Vec::new();
    put_long(&mut body, of);
    Recorder::of(vm).layouts.value(of, &values, &mut body);
    let mut out = Vec::new();
    put_event(&mut out, &body);
    add_events(vm, out);
    Ok(())
}
