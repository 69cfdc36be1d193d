//! Natives of `sun.nio.fs.UnixNativeDispatcher`: system calls by their C names. Names of files are
//! zero-terminated strings outside the heap.

use super::error::{OrThrow, unix_exception};
use super::{attributes, directory, linux_native_dispatcher as mounts};
use crate::io::{self, IoTarget, byte_array, c_string};
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Errno, Stat, Times};
use rjvm_vm::state::Rooms;
use rjvm_vm::{Env, R, Ref, natives};

natives! { "sun/nio/fs/UnixNativeDispatcher";
    getcwd "()[B" => getcwd;
    dup "(I)I" => dup;
    open0 "(JII)I" => open;
    openat0 "(IJII)I" => openat;
    close0 "(I)V" => close;
    rewind "(J)V" => mounts::rewind;
    getlinelen "(J)I" => mounts::line_length;
    link0 "(JJ)V" => link;
    unlink0 "(J)V" => unlink;
    unlinkat0 "(IJI)V" => unlinkat;
    mknod0 "(JIJ)V" => mknod;
    rename0 "(JJ)V" => rename;
    renameat0 "(IJIJ)V" => renameat;
    mkdir0 "(JI)V" => mkdir;
    rmdir0 "(J)V" => rmdir;
    readlink0 "(J)[B" => readlink;
    realpath0 "(J)[B" => realpath;
    symlink0 "(JJ)V" => symlink;
    stat0 "(JLsun/nio/fs/UnixFileAttributes;)I" since 19 => stat_errno;
    stat0 "(JLsun/nio/fs/UnixFileAttributes;)V" until 20 => stat;
    stat1 "(J)I" until 20 => stat_mode;
    lstat0 "(JLsun/nio/fs/UnixFileAttributes;)V" => lstat;
    fstat0 "(ILsun/nio/fs/UnixFileAttributes;)V" since 19 => fstat;
    fstat "(ILsun/nio/fs/UnixFileAttributes;)V" until 20 => fstat;
    fstatat0 "(IJILsun/nio/fs/UnixFileAttributes;)V" => fstatat;
    chown0 "(JII)V" => chown;
    lchown0 "(JII)V" => lchown;
    fchown0 "(III)V" since 19 => fchown;
    fchown "(III)V" until 20 => fchown;
    chmod0 "(JI)V" => chmod;
    fchmod0 "(II)V" since 19 => fchmod;
    fchmod "(II)V" until 20 => fchmod;
    utimes0 "(JJJ)V" until 24 => utimes;
    futimes0 "(IJJ)V" since 19 until 24 => futimes;
    futimes "(IJJ)V" until 20 => futimes;
    futimens0 "(IJJ)V" since 19 => futimens;
    futimens "(IJJ)V" until 20 => futimens;
    lutimes0 "(JJJ)V" until 24 => lutimes;
    opendir0 "(J)J" => directory::open;
    fdopendir "(I)J" => directory::open_descriptor;
    closedir "(J)V" => directory::close;
    readdir0 "(J)[B" since 19 => directory::next;
    readdir "(J)[B" until 20 => directory::next;
    read0 "(IJI)I" since 19 => read;
    read "(IJI)I" until 20 => read;
    write0 "(IJI)I" since 19 => write;
    write "(IJI)I" until 20 => write;
    access0 "(JI)I" since 19 => access_errno;
    access0 "(JI)V" until 20 => access;
    exists0 "(J)Z" until 20 => exists;
    getpwuid "(I)[B" => getpwuid;
    getgrgid "(I)[B" => getgrgid;
    getpwnam0 "(J)I" => getpwnam;
    getgrnam0 "(J)I" => getgrnam;
    statvfs0 "(JLsun/nio/fs/UnixFileStoreAttributes;)V" => statvfs;
    strerror "(I)[B" => strerror;
    fgetxattr0 "(IJJI)I" => fgetxattr;
    fsetxattr0 "(IJJI)V" => fsetxattr;
    fremovexattr0 "(IJ)V" => fremovexattr;
    flistxattr "(IJI)I" => flistxattr;
    utimensat0 "(IJJJI)V" since 22 => utimensat;
    fchmodat0 "(IJII)V" since 25 => fchmodat;
    fchmodatNoFollowSupported0 "()Z" since 25 => no;
    init "()I" => init;
}

/// What the platform can do: `openat` and its like, `futimes`, `futimens`, `lutimes`, extended attributes,
/// and the time of creation.
fn init(_: &mut Env) -> R<i32> {
    Ok(1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 16)
}

fn getcwd(vm: &mut Env) -> R<Ref> {
    let dir = match vm.host().files().current_dir() {
        // what `user.dir` says: without a folder to begin with there would be no file system to deny a file
        Err(Errno::DENIED) => vm.host().system().current_dir.into_bytes(),
        dir => dir.or_throw(vm)?,
    };
    byte_array(vm, &dir)
}

fn dup(vm: &mut Env, fd: i32) -> R<i32> {
    vm.host().descriptors().dup(fd).or_throw(vm)
}

fn open(vm: &mut Env, path: i64, flags: i32, mode: i32) -> R<i32> {
    openat(vm, HERE, path, flags, mode)
}

fn openat(vm: &mut Env, dir: i32, path: i64, flags: i32, mode: i32) -> R<i32> {
    let path = c_string(vm, path)?;
    vm.host()
        .files()
        .open(dir, &path, flags, mode as u32)
        .or_throw(vm)
}

fn close(vm: &mut Env, fd: i32) -> R<()> {
    vm.host().descriptors().close(fd).or_throw(vm)
}

fn link(vm: &mut Env, existing: i64, link: i64) -> R<()> {
    let (a, b) = (c_string(vm, existing)?, c_string(vm, link)?);
    vm.host().files().link(&a, &b).or_throw(vm)
}

fn unlink(vm: &mut Env, path: i64) -> R<()> {
    let path = c_string(vm, path)?;
    vm.host().files().remove(HERE, &path, false).or_throw(vm)
}

fn unlinkat(vm: &mut Env, dir: i32, path: i64, flags: i32) -> R<()> {
    let path = c_string(vm, path)?;
    let directory = flags & libc::AT_REMOVEDIR != 0;
    vm.host().files().remove(dir, &path, directory).or_throw(vm)
}

fn mknod(vm: &mut Env, path: i64, mode: i32, device: i64) -> R<()> {
    let path = c_string(vm, path)?;
    vm.host()
        .files()
        .make_node(&path, mode as u32, device as u64)
        .or_throw(vm)
}

fn rename(vm: &mut Env, from: i64, to: i64) -> R<()> {
    renameat(vm, HERE, from, HERE, to)
}

fn renameat(vm: &mut Env, from_dir: i32, from: i64, to_dir: i32, to: i64) -> R<()> {
    let (a, b) = (c_string(vm, from)?, c_string(vm, to)?);
    vm.host()
        .files()
        .rename(from_dir, &a, to_dir, &b)
        .or_throw(vm)
}

fn mkdir(vm: &mut Env, path: i64, mode: i32) -> R<()> {
    let path = c_string(vm, path)?;
    vm.host()
        .files()
        .create_dir(&path, mode as u32)
        .or_throw(vm)
}

fn rmdir(vm: &mut Env, path: i64) -> R<()> {
    let path = c_string(vm, path)?;
    vm.host().files().remove(HERE, &path, true).or_throw(vm)
}

fn readlink(vm: &mut Env, path: i64) -> R<Ref> {
    let path = c_string(vm, path)?;
    let target = vm.host().files().read_link(&path).or_throw(vm)?;
    byte_array(vm, &target)
}

fn realpath(vm: &mut Env, path: i64) -> R<Ref> {
    let path = c_string(vm, path)?;
    let real = vm.host().files().real_path(&path).or_throw(vm)?;
    byte_array(vm, &real)
}

fn symlink(vm: &mut Env, target: i64, link: i64) -> R<()> {
    let (a, b) = (c_string(vm, target)?, c_string(vm, link)?);
    vm.host().files().symlink(&a, &b).or_throw(vm)
}

fn stat_at(vm: &mut Env, dir: i32, path: i64, follow: bool) -> R<Stat> {
    let path = c_string(vm, path)?;
    vm.host().files().stat(dir, &path, follow).or_throw(vm)
}

fn stat(vm: &mut Env, path: i64, to: Ref) -> R<()> {
    let s = stat_at(vm, HERE, path, true)?;
    attributes::fill(vm, to, &s)
}

/// The mode alone; 0 if there is no such file.
fn stat_mode(vm: &mut Env, path: i64) -> R<i32> {
    let path = c_string(vm, path)?;
    Ok(vm
        .host()
        .files()
        .stat(HERE, &path, true)
        .map_or(0, |s| s.mode as i32))
}

fn lstat(vm: &mut Env, path: i64, to: Ref) -> R<()> {
    let s = stat_at(vm, HERE, path, false)?;
    attributes::fill(vm, to, &s)
}

fn fstat(vm: &mut Env, fd: i32, to: Ref) -> R<()> {
    let s = vm.host().descriptors().stat(fd).or_throw(vm)?;
    attributes::fill(vm, to, &s)
}

fn fstatat(vm: &mut Env, dir: i32, path: i64, flags: i32, to: Ref) -> R<()> {
    let s = stat_at(vm, dir, path, flags & libc::AT_SYMLINK_NOFOLLOW == 0)?;
    attributes::fill(vm, to, &s)
}

fn chown(vm: &mut Env, path: i64, uid: i32, gid: i32) -> R<()> {
    let path = c_string(vm, path)?;
    vm.host().files().chown(&path, uid, gid, true).or_throw(vm)
}

fn lchown(vm: &mut Env, path: i64, uid: i32, gid: i32) -> R<()> {
    let path = c_string(vm, path)?;
    vm.host().files().chown(&path, uid, gid, false).or_throw(vm)
}

fn fchown(vm: &mut Env, fd: i32, uid: i32, gid: i32) -> R<()> {
    vm.host().descriptors().chown(fd, uid, gid).or_throw(vm)
}

fn chmod(vm: &mut Env, path: i64, mode: i32) -> R<()> {
    let path = c_string(vm, path)?;
    vm.host().files().chmod(&path, mode as u32).or_throw(vm)
}

fn fchmod(vm: &mut Env, fd: i32, mode: i32) -> R<()> {
    vm.host().descriptors().chmod(fd, mode as u32).or_throw(vm)
}

/// From counts of a unit of which `per_second` make a second.
fn times(access: i64, modified: i64, per_second: i64) -> Times {
    let split = |t: i64| {
        (
            t.div_euclid(per_second),
            t.rem_euclid(per_second) * (1_000_000_000 / per_second),
        )
    };
    Times {
        access: split(access),
        modified: split(modified),
    }
}

const MICROS: i64 = 1_000_000;
const NANOS: i64 = 1_000_000_000;

fn utimes(vm: &mut Env, path: i64, access: i64, modified: i64) -> R<()> {
    let path = c_string(vm, path)?;
    vm.host()
        .files()
        .set_times(&path, times(access, modified, MICROS), true)
        .or_throw(vm)
}

fn lutimes(vm: &mut Env, path: i64, access: i64, modified: i64) -> R<()> {
    let path = c_string(vm, path)?;
    vm.host()
        .files()
        .set_times(&path, times(access, modified, MICROS), false)
        .or_throw(vm)
}

fn futimes(vm: &mut Env, fd: i32, access: i64, modified: i64) -> R<()> {
    vm.host()
        .descriptors()
        .set_times(fd, times(access, modified, MICROS))
        .or_throw(vm)
}

fn futimens(vm: &mut Env, fd: i32, access: i64, modified: i64) -> R<()> {
    vm.host()
        .descriptors()
        .set_times(fd, times(access, modified, NANOS))
        .or_throw(vm)
}

fn transferred(vm: &mut Env, r: Result<usize, io::Failure>) -> R<i32> {
    match r {
        Ok(n) => Ok(n as i32),
        Err(io::Failure::Errno(e)) => Err(unix_exception(vm, e)),
        Err(io::Failure::Interrupted) => Err(unix_exception(vm, Errno(libc::EINTR))),
    }
}

fn read(vm: &mut Env, fd: i32, address: i64, len: i32) -> R<i32> {
    let r = io::read(vm, fd, IoTarget::Memory(address), len.max(0) as usize)?;
    transferred(vm, r)
}

fn write(vm: &mut Env, fd: i32, address: i64, len: i32) -> R<i32> {
    let r = io::write(vm, fd, IoTarget::Memory(address), len.max(0) as usize)?;
    transferred(vm, r)
}

fn access(vm: &mut Env, path: i64, mode: i32) -> R<()> {
    let path = c_string(vm, path)?;
    vm.host().files().access(&path, mode).or_throw(vm)
}

fn exists(vm: &mut Env, path: i64) -> R<bool> {
    let path = c_string(vm, path)?;
    Ok(vm.host().files().access(&path, 0).is_ok())
}

fn name_or_throw(vm: &mut Env, name: Option<Vec<u8>>) -> R<Ref> {
    match name {
        Some(n) if !n.is_empty() => byte_array(vm, &n),
        _ => Err(unix_exception(vm, Errno(libc::ENOENT))),
    }
}

fn getpwuid(vm: &mut Env, uid: i32) -> R<Ref> {
    let name = vm.host().files().user_name(uid as u32);
    name_or_throw(vm, name)
}

fn getgrgid(vm: &mut Env, gid: i32) -> R<Ref> {
    let name = vm.host().files().group_name(gid as u32);
    name_or_throw(vm, name)
}

/// -1 for a name that is not known.
fn getpwnam(vm: &mut Env, name: i64) -> R<i32> {
    let name = c_string(vm, name)?;
    Ok(vm.host().files().user_id(&name).map_or(-1, |n| n as i32))
}

/// -1 for a name that is not known.
fn getgrnam(vm: &mut Env, name: i64) -> R<i32> {
    let name = c_string(vm, name)?;
    Ok(vm.host().files().group_id(&name).map_or(-1, |n| n as i32))
}

fn statvfs(vm: &mut Env, path: i64, to: Ref) -> R<()> {
    let path = c_string(vm, path)?;
    let s = vm.host().files().stat_store(&path).or_throw(vm)?;
    attributes::fill_store(vm, to, &s)
}

fn strerror(vm: &mut Env, errno: i32) -> R<Ref> {
    byte_array(vm, crate::os::strerror(errno).as_bytes())
}

fn fgetxattr(vm: &mut Env, fd: i32, name: i64, value: i64, len: i32) -> R<i32> {
    let name = c_string(vm, name)?;
    let Rooms { offheap, host, .. } = vm.rooms();
    let r = io::change_memory(offheap, value, len.max(0) as usize, |buf| {
        host.descriptors().get_attribute(fd, &name, buf)
    })?;
    r.or_throw(vm).map(|n| n as i32)
}

fn fsetxattr(vm: &mut Env, fd: i32, name: i64, value: i64, len: i32) -> R<()> {
    let name = c_string(vm, name)?;
    let Rooms { offheap, host, .. } = vm.rooms();
    let value = io::memory(offheap, value, len.max(0) as usize)?;
    let r = host.descriptors().set_attribute(fd, &name, &value);
    r.or_throw(vm)
}

fn fremovexattr(vm: &mut Env, fd: i32, name: i64) -> R<()> {
    let name = c_string(vm, name)?;
    vm.host()
        .descriptors()
        .remove_attribute(fd, &name)
        .or_throw(vm)
}

fn flistxattr(vm: &mut Env, fd: i32, list: i64, len: i32) -> R<i32> {
    let Rooms { offheap, host, .. } = vm.rooms();
    let r = io::change_memory(offheap, list, len.max(0) as usize, |buf| {
        host.descriptors().list_attributes(fd, buf)
    })?;
    r.or_throw(vm).map(|n| n as i32)
}

fn stat_errno(vm: &mut Env, path: i64, to: Ref) -> R<i32> {
    let path = c_string(vm, path)?;
    match vm.host().files().stat(HERE, &path, true) {
        Ok(s) => attributes::fill(vm, to, &s).map(|()| 0),
        Err(Errno(e)) => Ok(e),
    }
}

fn access_errno(vm: &mut Env, path: i64, mode: i32) -> R<i32> {
    let path = c_string(vm, path)?;
    Ok(match vm.host().files().access(&path, mode) {
        Ok(()) => 0,
        Err(Errno(e)) => e,
    })
}

fn no(_: &mut Env) -> R<bool> {
    Ok(false)
}

fn fchmodat(vm: &mut Env, _dir: i32, path: i64, mode: i32, _flags: i32) -> R<()> {
    chmod(vm, path, mode)
}

fn utimensat(vm: &mut Env, _dir: i32, path: i64, access: i64, modified: i64, flags: i32) -> R<()> {
    let path = c_string(vm, path)?;
    let follow = flags & libc::AT_SYMLINK_NOFOLLOW == 0;
    vm.host()
        .files()
        .set_times(&path, times(access, modified, NANOS), follow)
        .or_throw(vm)
}
