//! Natives of `sun.nio.ch.EPoll`. Its `wait` parks the green thread on the epoll descriptor itself.

use crate::io::{self, io_exception, status};
use rjvm_vm::host::Errno;
use rjvm_vm::threads::Wake;
use rjvm_vm::{Env, R, natives};

natives! { "sun/nio/ch/EPoll";
    eventSize "()I" => event_size;
    eventsOffset "()I" => events_offset;
    dataOffset "()I" => data_offset;
    create "()I" => create;
    ctl "(IIII)I" => ctl;
    wait "(IJII)I" => wait;
}

/// Bytes of an event in memory: the events, then eight bytes of data that hold the descriptor.
const SIZE: i64 = 12;

fn event_size(_: &mut Env) -> R<i32> {
    Ok(SIZE as i32)
}

fn events_offset(_: &mut Env) -> R<i32> {
    Ok(0)
}

fn data_offset(_: &mut Env) -> R<i32> {
    Ok(4)
}

fn create(vm: &mut Env) -> R<i32> {
    vm.host().descriptors().epoll_create().map_err(io_exception)
}

/// 0, or the error number.
fn ctl(vm: &mut Env, epoll: i32, operation: i32, fd: i32, events: i32) -> R<i32> {
    let d = vm.host().descriptors();
    Ok(match d.epoll_control(epoll, operation, fd, events as u32) {
        Ok(()) => 0,
        Err(Errno(n)) => n,
    })
}

/// When a wait of `millis` (negative: forever) that a native begins now ends. The moment is kept
/// over the native's further runs.
pub fn deadline(vm: &mut Env, millis: i64) -> Option<i64> {
    if millis < 0 {
        return None;
    }
    if vm.native_state()[1] == 0 {
        let d = vm.deadline_after(millis.saturating_mul(1_000_000));
        vm.native_state()[1] = d as u64;
    }
    Some(vm.native_state()[1] as i64)
}

fn wait(vm: &mut Env, epoll: i32, address: i64, max: i32, timeout: i32) -> R<i32> {
    let wake = vm.take_wake();
    let d = vm.host().descriptors();
    let ready = d
        .epoll_ready(epoll, max.max(1) as usize)
        .map_err(io_exception)?;
    if ready.is_empty() && timeout != 0 {
        match wake {
            Some(Wake::Timeout) => return Ok(0),
            Some(Wake::Interrupt) => return Ok(status::INTERRUPTED),
            Some(Wake::Ready) | None => {}
        }
        let until = deadline(vm, timeout as i64);
        return Err(io::park(vm, epoll, libc::POLLIN, until));
    }
    for (i, &(fd, events)) in ready.iter().enumerate() {
        let at = (address + i as i64 * SIZE) as u64;
        let put = vm.offheap_mut().put::<u32>(at, events);
        put.and_then(|_| vm.offheap_mut().put::<i32>(at + 4, fd))
            .ok_or_else(io::fault)?;
    }
    Ok(ready.len() as i32)
}
