//! What file streams and random-access files share.

use crate::{io, os};
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Errno, Io, SeekOrigin};
use rjvm_vm::{Env, R, Ref, Throw, jdk};

/// The `fd` object of a file stream or random-access file.
fn descriptor(vm: &Env, stream: Ref) -> R<Ref> {
    use jdk::{file_input_stream, file_output_stream, random_access_file};
    if vm.is_a(stream, file_input_stream::CLASS) {
        vm.get(stream, file_input_stream::FD)
    } else if vm.is_a(stream, file_output_stream::CLASS) {
        vm.get(stream, file_output_stream::FD)
    } else {
        vm.get(stream, random_access_file::FD)
    }
}

/// The descriptor of a stream (the number in its `fd` object), or `IOException: Stream Closed`.
pub fn open_fd(vm: &mut Env, stream: Ref) -> R<i32> {
    let d = descriptor(vm, stream)?;
    match d.non_null() {
        Some(d) => match vm.get(d, jdk::file_descriptor::FD)? {
            -1 => Err(closed()),
            fd => Ok(fd),
        },
        None => Err(closed()),
    }
}

fn closed() -> Box<Throw> {
    Throw::msg(io::IO_EXCEPTION, "Stream Closed")
}

/// Opens `path`; directories are refused, as reading and writing them is.
pub fn open_file(vm: &mut Env, path: &[u8], flags: i32) -> Io<i32> {
    let mut p = path;
    while p.len() > 1 && p.ends_with(b"/") {
        p = &p[..p.len() - 1];
    }
    let fd = vm.host().files().open(HERE, p, flags, 0o666)?;
    if vm.host().descriptors().stat(fd).is_ok_and(|s| s.is_dir()) {
        let _ = vm.host().descriptors().close(fd);
        return Err(Errno(libc::EISDIR));
    }
    Ok(fd)
}

/// Opens for a stream object: FileNotFoundException if that fails.
pub fn open(vm: &mut Env, stream: Ref, path: Ref, flags: i32) -> R<()> {
    let name = io::native_string(vm, path)?;
    let fd = open_file(vm, &name, flags).map_err(|e| {
        let text = format!("{} ({})", String::from_utf8_lossy(&name), os::strerror(e.0));
        Throw::msg("java/io/FileNotFoundException", text)
    })?;
    let d = descriptor(vm, stream)?;
    vm.set(d, jdk::file_descriptor::FD, fd)?;
    vm.set(d, jdk::file_descriptor::APPEND, flags & libc::O_APPEND != 0)
}

/// `read()`: a byte, or -1 at the end.
pub fn read_byte(vm: &mut Env, stream: Ref) -> R<i32> {
    let fd = open_fd(vm, stream)?;
    loop {
        match io::ready(vm, fd, libc::POLLIN)? {
            Ok(()) => {}
            Err(io::Failure::Interrupted) => continue,
            Err(io::Failure::Errno(e)) => return Err(io::io_exception(e)),
        }
        let mut b = [0u8];
        return match vm.host().descriptors().read(fd, &mut b) {
            Ok(0) => Ok(-1),
            Ok(_) => Ok(b[0] as i32),
            Err(e) => Err(io::io_exception(e)),
        };
    }
}

/// `read(byte[], int, int)`: the number of bytes read, -1 at the end.
pub fn read_bytes(vm: &mut Env, stream: Ref, array: Ref, off: i32, len: i32) -> R<i32> {
    io::check_range(vm, array, off, len)?;
    if len == 0 {
        return Ok(0);
    }
    let fd = open_fd(vm, stream)?;
    loop {
        return match io::read(
            vm,
            fd,
            io::IoTarget::Array(array, off as usize),
            len as usize,
        )? {
            Ok(0) => Ok(-1),
            Ok(n) => Ok(n as i32),
            // the signal was for something else
            Err(io::Failure::Interrupted) => continue,
            Err(io::Failure::Errno(e)) => Err(io::io_exception(e)),
        };
    }
}

/// `write(int)`
pub fn write_byte(vm: &mut Env, stream: Ref, b: i32) -> R<()> {
    let fd = open_fd(vm, stream)?;
    loop {
        match io::ready(vm, fd, libc::POLLOUT)? {
            Ok(()) => {}
            Err(io::Failure::Interrupted) => continue,
            Err(io::Failure::Errno(e)) => return Err(io::io_exception(e)),
        }
        let r = vm.host().descriptors().write(fd, &[b as u8]);
        return r.map(|_| ()).map_err(io::io_exception);
    }
}

/// `write(byte[], int, int)`
pub fn write_bytes(vm: &mut Env, stream: Ref, array: Ref, off: i32, len: i32) -> R<()> {
    io::check_range(vm, array, off, len)?;
    if len == 0 {
        return Ok(());
    }
    loop {
        let fd = open_fd(vm, stream)?;
        let from = io::IoTarget::Array(array, off as usize);
        match io::write_all(vm, fd, from, len as usize)? {
            (n, None) if n == len as usize => return Ok(()),
            // the signal was for something else, or the descriptor took a part: go on from there
            (n, None | Some(io::Failure::Interrupted)) => {
                vm.native_state()[0] = n as u64;
            }
            (_, Some(io::Failure::Errno(e))) => return Err(io::io_exception(e)),
        }
    }
}

/// Moves the position of an open file and returns it.
pub fn seek(vm: &mut Env, fd: i32, offset: i64, origin: SeekOrigin) -> R<i64> {
    let r = vm.host().descriptors().seek(fd, offset, origin);
    r.map_err(io::io_exception)
}

/// Size of an open file.
pub fn length(vm: &mut Env, stream: Ref) -> R<i64> {
    let fd = open_fd(vm, stream)?;
    let s = vm.host().descriptors().stat(fd).map_err(io::io_exception)?;
    Ok(s.size)
}
