//! Natives of `java.io.FileInputStream`.

use super::stream;
use crate::io;
use rjvm_vm::host::{Errno, Io, SeekOrigin};
use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/io/FileInputStream";
    open0 "(Ljava/lang/String;)V" => open;
    read0 "()I" => stream::read_byte;
    readBytes "([BII)I" => stream::read_bytes;
    length0 "()J" => stream::length;
    position0 "()J" => position;
    skip0 "(J)J" => skip;
    available0 "()I" => available;
    isRegularFile0 "(Ljava/io/FileDescriptor;)Z" since 25 => is_regular_file;
    initIDs "()V" => init_ids;
}

/// Nothing to cache: fields are looked up by name.
fn init_ids(_: &mut Env) -> R<()> {
    Ok(())
}

fn open(vm: &mut Env, this: Ref, path: Ref) -> R<()> {
    stream::open(vm, this, path, libc::O_RDONLY)
}

fn position(vm: &mut Env, this: Ref) -> R<i64> {
    let fd = stream::open_fd(vm, this)?;
    stream::seek(vm, fd, 0, SeekOrigin::Current)
}

fn skip(vm: &mut Env, this: Ref, n: i64) -> R<i64> {
    let fd = stream::open_fd(vm, this)?;
    let from = stream::seek(vm, fd, 0, SeekOrigin::Current)?;
    let to = stream::seek(vm, fd, n, SeekOrigin::Current)?;
    Ok(to - from)
}

fn available(vm: &mut Env, this: Ref) -> R<i32> {
    let fd = stream::open_fd(vm, this)?;
    let n = bytes_available(vm, fd).map_err(io::io_exception)?;
    Ok(n.clamp(0, i32::MAX as i64) as i32)
}

fn bytes_available(vm: &mut Env, fd: i32) -> Io<i64> {
    let d = vm.host().descriptors();
    let s = d.stat(fd)?;
    if matches!(s.kind(), libc::S_IFCHR | libc::S_IFIFO | libc::S_IFSOCK) {
        match d.available(fd) {
            Ok(n) => return Ok(n as i64),
            // a device without the request: ask for its positions instead
            Err(Errno(libc::ENOTTY | libc::EINVAL)) => {}
            Err(e) => return Err(e),
        }
    }
    let at = d.seek(fd, 0, SeekOrigin::Current)?;
    if s.is_regular() && s.size >= at {
        return Ok(s.size - at);
    }
    let end = d.seek(fd, 0, SeekOrigin::End)?;
    d.seek(fd, at, SeekOrigin::Start)?;
    Ok(end - at)
}

fn is_regular_file(vm: &mut Env, _this: Ref, fd: Ref) -> R<bool> {
    let fd = io::fd_of(vm, fd)?;
    Ok(vm
        .host()
        .descriptors()
        .stat(fd)
        .is_ok_and(|s| s.is_regular()))
}
