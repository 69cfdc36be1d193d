//! Natives of `sun.nio.ch.FileChannelImpl`.

use crate::io::{fd_of, io_exception, status};
use rjvm_vm::host::Errno;
use rjvm_vm::offheap::Access;
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};

natives! { "sun/nio/ch/FileChannelImpl";
    map0 "(IJJZ)J" until 20 => map;
    unmap0 "(JJ)I" until 20 => unmap;
    transferTo0 "(Ljava/io/FileDescriptor;JJLjava/io/FileDescriptor;)J" until 20 => transfer_to;
    maxDirectTransferSize0 "()I" until 20 => max_direct_transfer_size;
    initIDs "()J" until 20 => init_ids;
}

/// `MAP_RW`: changes go to the file.
const READ_WRITE: i32 = 1;
/// `MAP_PV`: changes stay in memory.
const PRIVATE: i32 = 2;

/// The granularity of mappings.
fn init_ids(_: &mut Env) -> R<i64> {
    Ok(4096)
}

fn map(vm: &mut Env, this: Ref, how: i32, at: i64, len: i64, sync: bool) -> R<i64> {
    let d = vm.get(this, jdk::file_channel_impl::FD)?;
    map_descriptor(vm, d, how, at, len, sync)
}

/// Maps a part of a file.
pub fn map_descriptor(vm: &mut Env, d: Ref, how: i32, at: i64, len: i64, sync: bool) -> R<i64> {
    let fd = fd_of(vm, d)?;
    if sync {
        let class = "java/io/IOException";
        return Err(Throw::msg(class, "map with mode MAP_SYNC unsupported"));
    }
    let access = match how {
        READ_WRITE => Access::Write,
        PRIVATE => Access::Private,
        _ => Access::Read,
    };
    let r = vm.host().descriptors().map(fd, at, len as usize, access);
    let address = match r {
        Ok(mapping) => vm.offheap_mut().map(mapping),
        Err(Errno(libc::ENOMEM)) => None,
        Err(e) => return Err(io_exception(e)),
    };
    address
        .map(|a| a as i64)
        .ok_or_else(|| Throw::msg("java/lang/OutOfMemoryError", "Map failed"))
}

/// Unmaps.
pub fn unmap(vm: &mut Env, address: i64, _len: i64) -> R<i32> {
    match vm.offheap_mut().release(address as u64) {
        Some(()) => Ok(0),
        None => Err(io_exception(Errno(libc::EINVAL))),
    }
}

/// Copies inside the kernel between files. Other targets could block: Java code copies to those.
pub fn transfer_to(vm: &mut Env, _this: Ref, from: Ref, at: i64, count: i64, to: Ref) -> R<i64> {
    let (from, to) = (fd_of(vm, from)?, fd_of(vm, to)?);
    let d = vm.host().descriptors();
    if !d.stat(to).is_ok_and(|s| s.is_regular()) {
        return Ok(status::UNSUPPORTED_CASE as i64);
    }
    match d.transfer(from, at, count as usize, to) {
        Ok(n) => Ok(n as i64),
        Err(Errno(libc::EINVAL | libc::ENOSYS | libc::EACCES)) => {
            Ok(status::UNSUPPORTED_CASE as i64)
        }
        Err(Errno(libc::EAGAIN)) => Ok(status::UNAVAILABLE as i64),
        Err(e) => Err(io_exception(e)),
    }
}

/// What the kernel takes at once.
fn max_direct_transfer_size(_: &mut Env) -> R<i32> {
    Ok(0x7fff_f000)
}
