//! Natives of `jdk.internal.perf.Perf`: the counters of running VMs, in the files that they leave for it. Counters that a program
//! makes live outside the heap, and no other process sees them.

use crate::io::io_exception;
use crate::support::{direct_buffer, non_null, string_arg};
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Errno, Io};
use rjvm_vm::offheap::{Access, Mapping};
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};

natives! { "jdk/internal/perf/Perf";
    registerNatives "()V" => register_natives;
    attach "(Ljava/lang/String;II)Ljava/nio/ByteBuffer;" until 20 => attach;
    attach0 "(I)Ljava/nio/ByteBuffer;" since 21 => attach_to_read;
    detach "(Ljava/nio/ByteBuffer;)V" => detach;
    createLong "(Ljava/lang/String;IIJ)Ljava/nio/ByteBuffer;" => create_long;
    createByteArray "(Ljava/lang/String;II[BI)Ljava/nio/ByteBuffer;" => create_byte_array;
    highResCounter "()J" => high_res_counter;
    highResFrequency "()J" => high_res_frequency;
}

/// What a program may do with another VM's counters.
const READ_ONLY: i32 = 0;

/// Tables are bound by name, so there is nothing to register.
fn register_natives(_: &mut Env) -> R<()> {
    Ok(())
}

fn illegal(why: &str) -> Box<Throw> {
    Throw::msg("java/lang/IllegalArgumentException", why)
}

/// The file of a VM's counters, mapped; 0 means this VM. `user` is its owner, if known.
fn attach(vm: &mut Env, _this: Ref, user: Ref, pid: i32, mode: i32) -> R<Ref> {
    if mode != READ_ONLY {
        return Err(illegal("unsupported file access mode"));
    }
    let pid = match pid {
        0 => vm.host().processes().own_id(),
        pid => pid.into(),
    };
    let user = match user.non_null() {
        Some(user) => Some(string_arg(vm, user)?.into_bytes()),
        None => owner(vm, pid),
    };
    let user = user.ok_or_else(|| illegal("Could not map vmid to user Name"))?;
    let path = [b"/tmp/hsperfdata_", &user[..], format!("/{pid}").as_bytes()].concat();
    let mapping = map(vm, &path).map_err(|e| match e {
        Errno(libc::ENOENT) => illegal("Process not found"),
        Errno(libc::EACCES) => illegal("Permission denied"),
        e => io_exception(e),
    })?;
    let len = mapping.len();
    if len == 0 {
        return Err(Throw::msg("java/io/IOException", "Invalid PerfMemory size"));
    }
    let address = vm.offheap_mut().map(mapping).ok_or_else(no_room)?;
    direct_buffer(vm, address, len as u64)
}

/// The user that runs a process.
fn owner(vm: &mut Env, pid: i64) -> Option<Vec<u8>> {
    let files = vm.host().files();
    let stat = files.stat(HERE, format!("/proc/{pid}").as_bytes(), true);
    files.user_name(stat.ok()?.uid)
}

fn map(vm: &mut Env, path: &[u8]) -> Io<Mapping> {
    let flags = libc::O_RDONLY | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    let fd = vm.host().files().open(HERE, path, flags, 0)?;
    let descriptors = vm.host().descriptors();
    let stat = descriptors.stat(fd);
    let mapped = stat.and_then(|s| descriptors.map(fd, 0, s.size as usize, Access::Read));
    let _ = vm.host().descriptors().close(fd);
    mapped
}

/// Counters are only read, whosever the VM is.
fn attach_to_read(vm: &mut Env, this: Ref, pid: i32) -> R<Ref> {
    attach(vm, this, Ref::NULL, pid, READ_ONLY)
}

/// The buffer was made by [`attach`].
fn detach(vm: &mut Env, _this: Ref, buffer: Ref) -> R<()> {
    let buffer = non_null(buffer)?;
    let address = vm.get(buffer, jdk::buffer::ADDRESS)? as u64;
    if vm.offheap().mapping(address).is_some() {
        let _ = vm.offheap_mut().release(address);
    }
    Ok(())
}

fn no_room() -> Box<Throw> {
    Throw::msg("java/lang/OutOfMemoryError", "Unable to allocate a counter")
}

/// A direct buffer on new memory with these contents.
fn buffer(vm: &mut Env, contents: &[u8]) -> R<Ref> {
    let address = vm.offheap_mut().alloc(contents.len());
    let address = address.ok_or_else(no_room)?;
    vm.offheap_mut()
        .write(address, contents)
        .ok_or_else(crate::io::fault)?;
    direct_buffer(vm, address, contents.len() as u64)
}

fn create_long(
    vm: &mut Env,
    _this: Ref,
    name: Ref,
    _variability: i32,
    _units: i32,
    value: i64,
) -> R<Ref> {
    non_null(name)?;
    buffer(vm, &value.to_ne_bytes())
}

fn create_byte_array(
    vm: &mut Env,
    _this: Ref,
    name: Ref,
    _variability: i32,
    _units: i32,
    value: Ref,
    max: i32,
) -> R<Ref> {
    non_null(name)?;
    let (value, max) = (vm.heap().bytes(non_null(value)?), max.max(0) as usize);
    let mut bytes = Vec::new();
    let room = bytes.try_reserve_exact(max);
    room.map_err(|_| no_room())?;
    bytes.extend_from_slice(&value[..value.len().min(max)]);
    bytes.resize(max, 0);
    buffer(vm, &bytes)
}

fn high_res_counter(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.clock_ns())
}

fn high_res_frequency(_: &mut Env, _this: Ref) -> R<i64> {
    Ok(1_000_000_000)
}
