//! Results and errors in the forms `sun.nio.ch` expects, and transfers through several buffers.

use crate::direct::{PAGE, least_aligned};
use crate::io::{self, Failure, IoTarget, status};
use rjvm_vm::host::Errno;
use rjvm_vm::{Env, R, Throw};

/// `IOStatus` code of an error that is none, for Java code.
pub fn soft(e: Failure) -> Option<i32> {
    match e {
        Failure::Interrupted | Failure::Errno(Errno(libc::EINTR)) => Some(status::INTERRUPTED),
        Failure::Errno(Errno(libc::EAGAIN)) => Some(status::UNAVAILABLE),
        Failure::Errno(_) => None,
    }
}

/// The error number of a failure.
pub fn errno(e: Failure) -> Errno {
    match e {
        Failure::Errno(e) => e,
        Failure::Interrupted => Errno(libc::EINTR),
    }
}

/// Result of a read: 0 bytes mean the end.
pub fn of_read(r: Result<usize, Failure>) -> R<i64> {
    match r {
        Ok(0) => Ok(status::EOF as i64),
        r => of_write(r),
    }
}

/// Result of a write.
pub fn of_write(r: Result<usize, Failure>) -> R<i64> {
    match r {
        Ok(n) => Ok(n as i64),
        Err(e) => match soft(e) {
            Some(code) => Ok(code as i64),
            None => Err(io::io_exception(errno(e))),
        },
    }
}

/// The exception for a socket's error.
#[cold]
pub fn socket_exception(e: Errno) -> Box<Throw> {
    let class = match e.0 {
        libc::EPROTO => "java/net/ProtocolException",
        libc::ECONNREFUSED | libc::ETIMEDOUT | libc::ENOTCONN => "java/net/ConnectException",
        libc::EHOSTUNREACH => "java/net/NoRouteToHostException",
        libc::EADDRINUSE | libc::EADDRNOTAVAIL | libc::EACCES => "java/net/BindException",
        _ => "java/net/SocketException",
    };
    io::errno_as(class, e)
}

/// A range of a scattered transfer: address and length.
type Range = (i64, usize);

/// The `iovec` array of `count` entries at `address`.
fn ranges(vm: &Env, address: i64, count: i32) -> R<Vec<Range>> {
    (0..count.max(0) as i64)
        .map(|i| {
            let at = (address + i * 16) as u64;
            let base = vm.offheap().get::<i64>(at).ok_or_else(io::fault)?;
            let len = vm.offheap().get::<i64>(at + 8).ok_or_else(io::fault)?;
            Ok((base, len as usize))
        })
        .collect()
}

/// More than this at once is split by the kernel too.
const MOST: usize = 0x7fff_f000;

/// Runs a transfer of the buffers of an `iovec` array through one block, so that it stays one
/// operation (a datagram must not be split). `write`: the block is filled before, else the buffers are
/// filled after.
pub fn vectored(
    vm: &mut Env,
    address: i64,
    count: i32,
    write: bool,
    transfer: impl FnOnce(&mut Env, IoTarget, usize) -> R<i64>,
) -> R<i64> {
    let ranges = ranges(vm, address, count)?;
    if let [(base, len)] = ranges[..] {
        return transfer(vm, IoTarget::Memory(base), len);
    }
    let total = ranges.iter().map(|r| r.1).sum::<usize>().min(MOST);
    let skipped = least_aligned(ranges.iter().map(|r| r.0));
    let block = vm
        .offheap_mut()
        .alloc(PAGE + total)
        .ok_or_else(|| Throw::bare("java/lang/OutOfMemoryError"))?;
    // the first address that lies there in its page
    let start = block + (skipped as u64).wrapping_sub(block) % PAGE as u64;
    let mut r = match write {
        true => copy(vm, &ranges, start, total, true).map(|_| 0),
        false => Ok(0),
    };
    if r.is_ok() {
        r = transfer(vm, IoTarget::Memory(start as i64), total);
    }
    if let (Ok(n), false) = (&r, write)
        && *n > 0
    {
        copy(vm, &ranges, start, *n as usize, false)?;
    }
    vm.offheap_mut().release(block).ok_or_else(io::fault)?;
    r
}

/// Copies `total` bytes between the ranges and a block.
fn copy(vm: &mut Env, ranges: &[Range], block: u64, total: usize, to_block: bool) -> R<()> {
    let mut at = 0;
    for &(base, len) in ranges {
        let n = len.min(total - at);
        let (base, place) = (base as u64, block + at as u64);
        let (from, to) = if to_block {
            (base, place)
        } else {
            (place, base)
        };
        if n > 0 {
            vm.offheap_mut().copy(from, to, n).ok_or_else(io::fault)?;
        }
        at += n;
    }
    Ok(())
}
