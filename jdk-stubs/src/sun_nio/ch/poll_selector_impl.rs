//! Natives of `sun.nio.ch.PollSelectorImpl`.

use super::epoll::deadline;
use crate::io::{self, io_exception, status};
use rjvm_vm::host::Poll;
use rjvm_vm::threads::{Wait, Wake};
use rjvm_vm::{Env, R, natives};

natives! { "sun/nio/ch/PollSelectorImpl";
    poll "(JII)I" => poll;
}

/// How often the descriptors are looked at while none is ready, in nanoseconds: a green thread
/// waits for one descriptor at most, and this selector is used on request only.
const INTERVAL: i64 = 1_000_000;

fn poll(vm: &mut Env, address: i64, count: i32, timeout: i32) -> R<i32> {
    let wake = vm.take_wake();
    let mut polls = Vec::new();
    for i in 0..count as i64 {
        let at = (address + i * 8) as u64;
        let fd = vm.offheap().get::<i32>(at).ok_or_else(io::fault)?;
        let events = vm.offheap().get::<i16>(at + 4).ok_or_else(io::fault)?;
        polls.push(Poll {
            fd,
            events,
            revents: 0,
        });
    }
    let n = vm
        .host()
        .descriptors()
        .poll(&mut polls)
        .map_err(io_exception)?;
    if n == 0 && timeout != 0 {
        if wake == Some(Wake::Interrupt) {
            return Ok(status::INTERRUPTED);
        }
        let end = deadline(vm, timeout as i64);
        let next = vm.deadline_after(INTERVAL);
        if end.is_none_or(|e| e > vm.clock_ns()) {
            let until = end.map_or(next, |e| e.min(next));
            return Err(vm.block_on(Wait::Sleep, Some(until)));
        }
    }
    for (i, p) in polls.iter().enumerate() {
        let at = (address + i as i64 * 8 + 6) as u64;
        vm.offheap_mut()
            .put::<i16>(at, p.revents)
            .ok_or_else(io::fault)?;
    }
    Ok(n as i32)
}
