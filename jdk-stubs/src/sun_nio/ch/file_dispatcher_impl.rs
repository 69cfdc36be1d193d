//! Natives of `sun.nio.ch.FileDispatcherImpl`.

use super::result::{of_read, of_write, vectored};
use crate::direct;
use crate::io::{self, Failure, IoTarget, fd_of, io_exception, state};
use rjvm_vm::host::{Lock, SeekOrigin};
use rjvm_vm::state::Rooms;
use rjvm_vm::threads::{Wait, Wake};
use rjvm_vm::{Env, R, Ref, natives};

natives! { "sun/nio/ch/FileDispatcherImpl";
    read0 "(Ljava/io/FileDescriptor;JI)I" until 20 => read;
    pread0 "(Ljava/io/FileDescriptor;JIJ)I" until 20 => pread;
    readv0 "(Ljava/io/FileDescriptor;JI)J" until 20 => readv;
    write0 "(Ljava/io/FileDescriptor;JI)I" until 20 => write;
    pwrite0 "(Ljava/io/FileDescriptor;JIJ)I" until 20 => pwrite;
    writev0 "(Ljava/io/FileDescriptor;JI)J" until 20 => writev;
    force0 "(Ljava/io/FileDescriptor;Z)I" until 20 => force;
    seek0 "(Ljava/io/FileDescriptor;J)J" until 20 => seek;
    truncate0 "(Ljava/io/FileDescriptor;J)I" until 20 => truncate;
    size0 "(Ljava/io/FileDescriptor;)J" until 20 => size;
    lock0 "(Ljava/io/FileDescriptor;ZJJZ)I" until 20 => lock;
    release0 "(Ljava/io/FileDescriptor;JJ)V" until 20 => release;
    close0 "(Ljava/io/FileDescriptor;)V" until 20 => close;
    preClose0 "(Ljava/io/FileDescriptor;)V" until 20 => pre_close;
    dup0 "(Ljava/io/FileDescriptor;Ljava/io/FileDescriptor;)V" until 20 => dup;
    closeIntFD "(I)V" until 20 => close_number;
    canTransferToFromOverlappedMap0 "()Z" until 20 => can_transfer_to_from_overlapped_map;
    setDirect0 "(Ljava/io/FileDescriptor;)I" until 20 => set_direct;
    init "()V" until 20 => init;
}

fn init(_: &mut Env) -> R<()> {
    Ok(())
}

fn read(vm: &mut Env, fd: Ref, address: i64, len: i32) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    let r = io::read(vm, fd, IoTarget::Memory(address), len.max(0) as usize)?;
    of_read(r).map(|n| n as i32)
}

fn pread(vm: &mut Env, fd: Ref, address: i64, len: i32, at: i64) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    let Rooms { offheap, host, .. } = vm.rooms();
    let r = io::change_memory(offheap, address, len.max(0) as usize, |buf| {
        direct::read(
            host.descriptors(),
            fd,
            IoTarget::Memory(address),
            buf,
            Some(at),
        )
    })?;
    of_read(r.map_err(Failure::from)).map(|n| n as i32)
}

fn readv(vm: &mut Env, fd: Ref, address: i64, count: i32) -> R<i64> {
    let fd = fd_of(vm, fd)?;
    vectored(vm, address, count, false, |vm, to, len| {
        of_read(io::read(vm, fd, to, len)?)
    })
}

/// Writes bytes of memory outside the heap; for the other dispatchers too.
pub fn write(vm: &mut Env, fd: Ref, address: i64, len: i32) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    let r = io::write(vm, fd, IoTarget::Memory(address), len.max(0) as usize)?;
    of_write(r).map(|n| n as i32)
}

fn pwrite(vm: &mut Env, fd: Ref, address: i64, len: i32, at: i64) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    let Rooms { offheap, host, .. } = vm.rooms();
    let buf = io::memory(offheap, address, len.max(0) as usize)?;
    let from = IoTarget::Memory(address);
    let r = direct::write(host.descriptors(), fd, from, &buf, Some(at));
    let r = r.map_err(Failure::from);
    of_write(r).map(|n| n as i32)
}

fn writev(vm: &mut Env, fd: Ref, address: i64, count: i32) -> R<i64> {
    let fd = fd_of(vm, fd)?;
    vectored(vm, address, count, true, |vm, from, len| {
        of_write(io::write(vm, fd, from, len)?)
    })
}

fn force(vm: &mut Env, fd: Ref, metadata: bool) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    let r = vm.host().descriptors().sync(fd, !metadata);
    r.map(|_| 0).map_err(io_exception)
}

/// A negative offset asks for the current position.
fn seek(vm: &mut Env, fd: Ref, offset: i64) -> R<i64> {
    let fd = fd_of(vm, fd)?;
    let d = vm.host().descriptors();
    let r = match offset < 0 {
        true => d.seek(fd, 0, SeekOrigin::Current),
        false => d.seek(fd, offset, SeekOrigin::Start),
    };
    r.map_err(io_exception)
}

fn truncate(vm: &mut Env, fd: Ref, len: i64) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    let r = vm.host().descriptors().truncate(fd, len);
    r.map(|_| 0).map_err(io_exception)
}

fn size(vm: &mut Env, fd: Ref) -> R<i64> {
    let fd = fd_of(vm, fd)?;
    let d = vm.host().descriptors();
    let s = d.stat(fd).map_err(io_exception)?;
    if s.kind() != libc::S_IFBLK {
        return Ok(s.size);
    }
    // a device's size is where its end is
    let at = d.seek(fd, 0, SeekOrigin::Current).map_err(io_exception)?;
    let end = d.seek(fd, 0, SeekOrigin::End).map_err(io_exception)?;
    d.seek(fd, at, SeekOrigin::Start).map_err(io_exception)?;
    Ok(end)
}

/// How often a lock that another process holds is requested again, in nanoseconds.
const LOCK_INTERVAL: i64 = 5_000_000;
/// `FileDispatcher.INTERRUPTED`
const LOCK_INTERRUPTED: i32 = 2;

/// Locks: 0 if it has been got, -1 if not.
fn lock(vm: &mut Env, fd: Ref, blocking: bool, start: i64, size: i64, shared: bool) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    // the largest size means "to the end, wherever that will be"
    let len = if size == i64::MAX { 0 } else { size };
    let l = Lock {
        start,
        len,
        shared: Some(shared),
    };
    let wake = vm.take_wake();
    let got = vm.host().descriptors().lock(fd, l).map_err(io_exception)?;
    match (got, blocking) {
        (true, _) => Ok(0),
        (false, false) => Ok(-1),
        // the channel is being closed, or the thread was interrupted
        (false, true) if wake == Some(Wake::Interrupt) => Ok(LOCK_INTERRUPTED),
        (false, true) => {
            let deadline = vm.deadline_after(LOCK_INTERVAL);
            Err(vm.block_on(Wait::Sleep, Some(deadline)))
        }
    }
}

fn release(vm: &mut Env, fd: Ref, start: i64, size: i64) -> R<()> {
    let fd = fd_of(vm, fd)?;
    let len = if size == i64::MAX { 0 } else { size };
    let l = Lock {
        start,
        len,
        shared: None,
    };
    vm.host()
        .descriptors()
        .lock(fd, l)
        .map(|_| ())
        .map_err(io_exception)
}

fn close(vm: &mut Env, fd: Ref) -> R<()> {
    let n = fd_of(vm, fd)?;
    close_number(vm, n)
}

fn close_number(vm: &mut Env, fd: i32) -> R<()> {
    if fd == -1 {
        return Ok(());
    }
    vm.host().descriptors().close(fd).map_err(io_exception)
}

/// A socket whose other end is closed: it reads as the end of a stream, and writing to it fails.
#[derive(Default)]
struct ClosedSocket(Option<i32>);

/// Puts a dead socket in the descriptor's place, so that threads that wait for it wake, and its number
/// is not given to another file before it is closed for good.
fn pre_close(vm: &mut Env, fd: Ref) -> R<()> {
    let fd = fd_of(vm, fd)?;
    pre_close_number(vm, fd)
}

/// The same for a number.
pub fn pre_close_number(vm: &mut Env, fd: i32) -> R<()> {
    if fd < 0 {
        return Ok(());
    }
    let Rooms {
        extensions: ext,
        host,
        ..
    } = vm.rooms();
    let dead = &mut state::<ClosedSocket>(ext, "sun.nio.ch dead socket").0;
    let dead = match *dead {
        Some(d) => d,
        None => {
            let (a, b) = host.descriptors().socket_pair().map_err(io_exception)?;
            host.descriptors().close(b).map_err(io_exception)?;
            *dead.insert(a)
        }
    };
    host.descriptors().dup2(dead, fd).map_err(io_exception)
}

fn dup(vm: &mut Env, from: Ref, to: Ref) -> R<()> {
    let (from, to) = (fd_of(vm, from)?, fd_of(vm, to)?);
    vm.host().descriptors().dup2(from, to).map_err(io_exception)
}

fn can_transfer_to_from_overlapped_map(_: &mut Env) -> R<bool> {
    Ok(true)
}

fn set_direct(vm: &mut Env, fd: Ref) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    vm.host().descriptors().set_direct(fd).map_err(io_exception)
}

/// Where they are since 20.
pub mod unix {
    use super::*;
    natives! { "sun/nio/ch/UnixFileDispatcherImpl";
        read0 "(Ljava/io/FileDescriptor;JI)I" since 19 => read;
        pread0 "(Ljava/io/FileDescriptor;JIJ)I" since 19 => pread;
        readv0 "(Ljava/io/FileDescriptor;JI)J" since 19 => readv;
        write0 "(Ljava/io/FileDescriptor;JI)I" since 19 => write;
        pwrite0 "(Ljava/io/FileDescriptor;JIJ)I" since 19 => pwrite;
        writev0 "(Ljava/io/FileDescriptor;JI)J" since 19 => writev;
        force0 "(Ljava/io/FileDescriptor;Z)I" since 19 => force;
        seek0 "(Ljava/io/FileDescriptor;J)J" since 19 => seek;
        truncate0 "(Ljava/io/FileDescriptor;J)I" since 19 => truncate;
        size0 "(Ljava/io/FileDescriptor;)J" since 19 => size;
        lock0 "(Ljava/io/FileDescriptor;ZJJZ)I" since 19 => lock;
        release0 "(Ljava/io/FileDescriptor;JJ)V" since 19 => release;
        closeIntFD "(I)V" since 19 => close_number;
        setDirect0 "(Ljava/io/FileDescriptor;)I" since 19 => set_direct;
        allocationGranularity0 "()J" since 19 => granularity;
        map0 "(Ljava/io/FileDescriptor;IJJZ)J" since 19 => map;
        unmap0 "(JJ)I" since 19 => unmap;
        available0 "(Ljava/io/FileDescriptor;)I" since 22 => available;
        isOther0 "(Ljava/io/FileDescriptor;)Z" since 22 => is_other;
    }
    fn granularity(_: &mut Env) -> R<i64> {
        Ok(4096)
    }
    fn map(vm: &mut Env, fd: Ref, how: i32, at: i64, len: i64, sync: bool) -> R<i64> {
        super::super::file_channel_impl::map_descriptor(vm, fd, how, at, len, sync)
    }
    fn unmap(vm: &mut Env, address: i64, len: i64) -> R<i32> {
        super::super::file_channel_impl::unmap(vm, address, len)
    }
    fn available(vm: &mut Env, fd: Ref) -> R<i32> {
        let size = size(vm, fd)?;
        let at = seek(vm, fd, -1)?;
        Ok((size - at).clamp(0, i32::MAX.into()) as i32)
    }
    fn is_other(vm: &mut Env, fd: Ref) -> R<bool> {
        let fd = fd_of(vm, fd)?;
        let s = vm.host().descriptors().stat(fd).map_err(io_exception)?;
        Ok(!s.is_regular()
            && s.mode & libc::S_IFMT != libc::S_IFDIR
            && s.mode & libc::S_IFMT != libc::S_IFLNK)
    }
    /// Closing, for sockets too.
    pub mod closing {
        use super::super::*;
        natives! { "sun/nio/ch/UnixDispatcher";
            close0 "(Ljava/io/FileDescriptor;)V" since 19 => close;
            preClose0 "(Ljava/io/FileDescriptor;)V" since 19 => pre_close;
            init "()V" since 19 => init;
        }
    }
    /// Natives that only Linux has.
    pub mod linux {
        use super::super::*;
        natives! { "sun/nio/ch/FileDispatcherImpl";
            init0 "()V" since 19 => init;
            transferTo0 "(Ljava/io/FileDescriptor;JJLjava/io/FileDescriptor;Z)J" since 19 => transfer_to;
            transferFrom0 "(Ljava/io/FileDescriptor;Ljava/io/FileDescriptor;JJZ)J" since 19 => transfer_from;
        }
        fn transfer_to(
            vm: &mut Env,
            from: Ref,
            at: i64,
            count: i64,
            to: Ref,
            _append: bool,
        ) -> R<i64> {
            super::super::super::file_channel_impl::transfer_to(vm, Ref::NULL, from, at, count, to)
        }
        fn transfer_from(
            _: &mut Env,
            _from: Ref,
            _to: Ref,
            _at: i64,
            _count: i64,
            _append: bool,
        ) -> R<i64> {
            Ok(i64::from(crate::io::status::UNSUPPORTED_CASE))
        }
    }
    /// `write0` of sockets.
    pub mod sockets {
        use super::super::*;
        natives! { "sun/nio/ch/SocketDispatcher";
            write0 "(Ljava/io/FileDescriptor;JI)I" since 19 => write;
            writev0 "(Ljava/io/FileDescriptor;JI)J" since 19 => writev;
        }
    }
    /// `dup0` of datagrams.
    pub mod datagrams {
        use super::super::*;
        natives! { "sun/nio/ch/DatagramDispatcher";
            dup0 "(Ljava/io/FileDescriptor;Ljava/io/FileDescriptor;)V" since 19 => dup;
        }
    }
}
