//! Natives of `java.io.RandomAccessFile`.

use super::stream;
use crate::io;
use rjvm_vm::host::SeekOrigin;
use rjvm_vm::{Env, R, Ref, Throw, natives};

natives! { "java/io/RandomAccessFile";
    open0 "(Ljava/lang/String;I)V" => open;
    read0 "()I" => stream::read_byte;
    readBytes "([BII)I" until 20 => stream::read_bytes;
    write0 "(I)V" => stream::write_byte;
    writeBytes "([BII)V" until 20 => stream::write_bytes;
    getFilePointer "()J" => file_pointer;
    seek0 "(J)V" => seek;
    length "()J" until 20 => stream::length;
    setLength "(J)V" until 20 => set_length;
    readBytes0 "([BII)I" since 19 => stream::read_bytes;
    writeBytes0 "([BII)V" since 19 => stream::write_bytes;
    length0 "()J" since 19 => stream::length;
    setLength0 "(J)V" since 19 => set_length;
    initIDs "()V" => init_ids;
}

/// Mode bits of the Java class.
mod mode {
    pub const READ_ONLY: i32 = 1;
    pub const SYNC: i32 = 4;
    pub const DSYNC: i32 = 8;
}

/// Nothing to cache: fields are looked up by name.
fn init_ids(_: &mut Env) -> R<()> {
    Ok(())
}

fn open(vm: &mut Env, this: Ref, path: Ref, mode: i32) -> R<()> {
    let mut flags = match mode & mode::READ_ONLY {
        0 => libc::O_RDWR | libc::O_CREAT,
        _ => libc::O_RDONLY,
    };
    if mode & mode::SYNC != 0 {
        flags |= libc::O_SYNC;
    } else if mode & mode::DSYNC != 0 {
        flags |= libc::O_DSYNC;
    }
    stream::open(vm, this, path, flags)
}

fn file_pointer(vm: &mut Env, this: Ref) -> R<i64> {
    let fd = stream::open_fd(vm, this)?;
    stream::seek(vm, fd, 0, SeekOrigin::Current)
}

fn seek(vm: &mut Env, this: Ref, to: i64) -> R<()> {
    let fd = stream::open_fd(vm, this)?;
    if to < 0 {
        return Err(Throw::msg(io::IO_EXCEPTION, "Negative seek offset"));
    }
    stream::seek(vm, fd, to, SeekOrigin::Start).map(|_| ())
}

/// The position stays, unless it would lie behind the new end.
fn set_length(vm: &mut Env, this: Ref, len: i64) -> R<()> {
    let fd = stream::open_fd(vm, this)?;
    let at = stream::seek(vm, fd, 0, SeekOrigin::Current)?;
    let r = vm.host().descriptors().truncate(fd, len);
    r.map_err(io::io_exception)?;
    if at > len {
        stream::seek(vm, fd, 0, SeekOrigin::End)?;
    }
    Ok(())
}
