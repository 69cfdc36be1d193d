//! Natives of `sun.tools.attach.VirtualMachineImpl`: a socket to another VM of this machine.

use crate::io::{Failure, IoTarget, check_range, io_exception, native_string, read, write_all};
use crate::sun_nio::ch::begin_connect;
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Address, Errno};
use rjvm_vm::threads::Wait;
use rjvm_vm::{Env, R, Ref, Throw, natives};

natives! { "sun/tools/attach/VirtualMachineImpl";
    sendQuitTo "(I)V" => send_quit_to;
    checkPermissions "(Ljava/lang/String;)V" => check_permissions;
    socket "()I" => socket;
    connect "(ILjava/lang/String;)V" => connect;
    close "(I)V" => close;
    read "(I[BII)I" => read_some;
    write "(I[BII)V" => write;
}

/// Nanoseconds between two tries to connect to a socket whose queue is full, of which no event reports.
const INTERVAL: i64 = 1_000_000;

fn send_quit_to(vm: &mut Env, pid: i32) -> R<()> {
    let sent = vm.host().processes().kill(pid.into(), libc::SIGQUIT);
    sent.map_err(io_exception)
}

/// The socket must be this user's alone, or another user could listen.
fn check_permissions(vm: &mut Env, path: Ref) -> R<()> {
    let path = native_string(vm, path)?;
    let stat = vm.host().files().stat(HERE, &path, true);
    let stat = stat.map_err(io_exception)?;
    let own = vm.host().processes().credentials().map_err(io_exception)?;
    let others = stat.mode & (libc::S_IRGRP | libc::S_IWGRP | libc::S_IROTH | libc::S_IWOTH);
    let wrong = if stat.uid != own.uid && own.uid != 0 {
        format!(
            "file should be owned by the current user (which is {}) but is owned by {}",
            own.uid, stat.uid
        )
    } else if stat.gid != own.gid && own.uid != 0 {
        format!(
            "file's group should be the current group (which is {}) but the group is {}",
            own.gid, stat.gid
        )
    } else if others != 0 {
        let mode = stat.mode & 0o777;
        format!("file should only be readable and writable by the owner but has 0{mode:03o} access")
    } else {
        return Ok(());
    };
    let path = String::from_utf8_lossy(&path);
    let text = format!("well-known file {path} is not secure: {wrong}");
    Err(Throw::msg("java/io/IOException", text))
}

fn socket(vm: &mut Env) -> R<i32> {
    let network = vm.host().network();
    let made = network.socket(libc::PF_UNIX, libc::SOCK_STREAM, 0);
    made.map_err(io_exception)
}

fn connect(vm: &mut Env, fd: i32, path: Ref) -> R<()> {
    let path = native_string(vm, path)?;
    match begin_connect(vm, fd, &Address::Unix(path)) {
        Ok(()) => Ok(()),
        Err(Errno(libc::ENOENT)) => Err(Throw::bare("java/io/FileNotFoundException")),
        Err(Errno(libc::EAGAIN)) => {
            let until = vm.deadline_after(INTERVAL);
            Err(vm.block_on(Wait::Sleep, Some(until)))
        }
        Err(e) => Err(io_exception(e)),
    }
}

fn close(vm: &mut Env, fd: i32) -> R<()> {
    vm.host().descriptors().close(fd).map_err(io_exception)
}

/// What the transfer failed by.
fn failed(f: Failure) -> Box<Throw> {
    match f {
        Failure::Errno(e) => io_exception(e),
        Failure::Interrupted => io_exception(Errno(libc::EINTR)),
    }
}

/// -1 at the end.
fn read_some(vm: &mut Env, fd: i32, to: Ref, off: i32, len: i32) -> R<i32> {
    check_range(vm, to, off, len)?;
    let n = read(vm, fd, IoTarget::Array(to, off as usize), len as usize)?;
    match n.map_err(failed)? {
        0 => Ok(-1),
        n => Ok(n as i32),
    }
}

fn write(vm: &mut Env, fd: i32, from: Ref, off: i32, len: i32) -> R<()> {
    check_range(vm, from, off, len)?;
    match write_all(vm, fd, IoTarget::Array(from, off as usize), len as usize)? {
        (_, Some(f)) => Err(failed(f)),
        _ => Ok(()),
    }
}
