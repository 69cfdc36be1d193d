//! Natives of `java.io.UnixFileSystem`.

use super::canonical::canonical;
use super::stream::open_file;
use crate::io;
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Errno, Stat, Times};
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};

natives! { "java/io/UnixFileSystem";
    canonicalize0 "(Ljava/lang/String;)Ljava/lang/String;" => canonicalize;
    getBooleanAttributes0 "(Ljava/io/File;)I" => boolean_attributes;
    checkAccess "(Ljava/io/File;I)Z" until 20 => check_access;
    getLastModifiedTime "(Ljava/io/File;)J" until 20 => last_modified_time;
    getLength "(Ljava/io/File;)J" until 20 => length;
    setPermission "(Ljava/io/File;IZZ)Z" until 20 => set_permission;
    createFileExclusively "(Ljava/lang/String;)Z" until 20 => create_file_exclusively;
    delete0 "(Ljava/io/File;)Z" => delete;
    list "(Ljava/io/File;)[Ljava/lang/String;" until 20 => list;
    createDirectory "(Ljava/io/File;)Z" until 20 => create_directory;
    rename0 "(Ljava/io/File;Ljava/io/File;)Z" => rename;
    setLastModifiedTime "(Ljava/io/File;J)Z" until 20 => set_last_modified_time;
    setReadOnly "(Ljava/io/File;)Z" until 20 => set_read_only;
    getSpace "(Ljava/io/File;I)J" until 20 => space;
    getNameMax0 "(Ljava/lang/String;)J" => name_max;
    checkAccess0 "(Ljava/io/File;I)Z" since 19 => check_access;
    getLastModifiedTime0 "(Ljava/io/File;)J" since 19 => last_modified_time;
    getLength0 "(Ljava/io/File;)J" since 19 => length;
    setPermission0 "(Ljava/io/File;IZZ)Z" since 19 => set_permission;
    createFileExclusively0 "(Ljava/lang/String;)Z" since 19 => create_file_exclusively;
    list0 "(Ljava/io/File;)[Ljava/lang/String;" since 19 => list;
    createDirectory0 "(Ljava/io/File;)Z" since 19 => create_directory;
    setLastModifiedTime0 "(Ljava/io/File;J)Z" since 19 => set_last_modified_time;
    setReadOnly0 "(Ljava/io/File;)Z" since 19 => set_read_only;
    getSpace0 "(Ljava/io/File;I)J" since 19 => space;
    initIDs "()V" => init_ids;
}

/// Constants of `java.io.FileSystem`.
mod constant {
    pub const BA_EXISTS: i32 = 1;
    pub const BA_REGULAR: i32 = 2;
    pub const BA_DIRECTORY: i32 = 4;
    pub const ACCESS_READ: i32 = 4;
    pub const ACCESS_WRITE: i32 = 2;
    pub const ACCESS_EXECUTE: i32 = 1;
    pub const SPACE_TOTAL: i32 = 0;
    pub const SPACE_FREE: i32 = 1;
}

/// Nothing to cache: fields are looked up by name.
fn init_ids(_: &mut Env) -> R<()> {
    Ok(())
}

/// The name in a `File`.
fn path(vm: &mut Env, file: Ref) -> R<Vec<u8>> {
    let f = file.non_null().ok_or_else(Throw::npe)?;
    let p = vm.get(f, jdk::file::PATH)?;
    io::native_string(vm, p)
}

fn stat(vm: &mut Env, path: &[u8]) -> Option<Stat> {
    vm.host().files().stat(HERE, path, true).ok()
}

fn canonicalize(vm: &mut Env, _this: Ref, path: Ref) -> R<Ref> {
    let p = io::native_string(vm, path)?;
    let c = canonical(vm.host().files(), &p).map_err(io::io_exception)?;
    io::java_string(vm, &c)
}

fn boolean_attributes(vm: &mut Env, _this: Ref, file: Ref) -> R<i32> {
    let p = path(vm, file)?;
    Ok(stat(vm, &p).map_or(0, |s| {
        constant::BA_EXISTS
            | if s.is_regular() {
                constant::BA_REGULAR
            } else {
                0
            }
            | if s.is_dir() {
                constant::BA_DIRECTORY
            } else {
                0
            }
    }))
}

fn check_access(vm: &mut Env, _this: Ref, file: Ref, access: i32) -> R<bool> {
    let p = path(vm, file)?;
    Ok(vm.host().files().access(&p, access & 7).is_ok())
}

fn last_modified_time(vm: &mut Env, _this: Ref, file: Ref) -> R<i64> {
    let p = path(vm, file)?;
    Ok(stat(vm, &p).map_or(0, |s| s.mtime.0 * 1000 + s.mtime.1 / 1_000_000))
}

fn length(vm: &mut Env, _this: Ref, file: Ref) -> R<i64> {
    let p = path(vm, file)?;
    Ok(stat(vm, &p).map_or(0, |s| s.size))
}

fn set_permission(
    vm: &mut Env,
    _this: Ref,
    file: Ref,
    access: i32,
    enable: bool,
    owner_only: bool,
) -> R<bool> {
    let p = path(vm, file)?;
    let bit = match access {
        constant::ACCESS_READ => 4,
        constant::ACCESS_WRITE => 2,
        constant::ACCESS_EXECUTE => 1,
        _ => return Ok(false),
    };
    let bits = if owner_only {
        bit << 6
    } else {
        bit << 6 | bit << 3 | bit
    };
    let Some(s) = stat(vm, &p) else {
        return Ok(false);
    };
    let mode = s.mode & 0o7777;
    let mode = if enable { mode | bits } else { mode & !bits };
    Ok(vm.host().files().chmod(&p, mode).is_ok())
}

fn create_file_exclusively(vm: &mut Env, _this: Ref, path: Ref) -> R<bool> {
    let p = io::native_string(vm, path)?;
    // the root cannot be created, and asking would be answered with EISDIR
    if p == b"/" {
        return Ok(false);
    }
    match open_file(vm, &p, libc::O_RDWR | libc::O_CREAT | libc::O_EXCL) {
        Ok(fd) => {
            let r = vm.host().descriptors().close(fd);
            r.map(|_| true).map_err(io::io_exception)
        }
        Err(Errno(libc::EEXIST)) => Ok(false),
        Err(e) => Err(io::io_exception(e)),
    }
}

fn delete(vm: &mut Env, _this: Ref, file: Ref) -> R<bool> {
    let p = path(vm, file)?;
    let f = vm.host().files();
    Ok(match f.remove(HERE, &p, false) {
        Ok(()) => true,
        Err(_) => f.remove(HERE, &p, true).is_ok(),
    })
}

fn list(vm: &mut Env, _this: Ref, file: Ref) -> R<Ref> {
    let p = path(vm, file)?;
    let Ok(names) = vm.host().files().read_dir(&p) else {
        return Ok(Ref::NULL);
    };
    let string = vm.known().string;
    let a = vm.new_array_of(string, names.len())?;
    for (i, n) in names.iter().enumerate() {
        let s = io::java_string(vm, n)?;
        vm.heap_mut().set_elem_ref(a, i, s);
    }
    Ok(a)
}

fn create_directory(vm: &mut Env, _this: Ref, file: Ref) -> R<bool> {
    let p = path(vm, file)?;
    Ok(vm.host().files().create_dir(&p, 0o777).is_ok())
}

fn rename(vm: &mut Env, _this: Ref, from: Ref, to: Ref) -> R<bool> {
    let (from, to) = (path(vm, from)?, path(vm, to)?);
    Ok(vm.host().files().rename(HERE, &from, HERE, &to).is_ok())
}

fn set_last_modified_time(vm: &mut Env, _this: Ref, file: Ref, millis: i64) -> R<bool> {
    let p = path(vm, file)?;
    let Some(s) = stat(vm, &p) else {
        return Ok(false);
    };
    let modified = (millis.div_euclid(1000), millis.rem_euclid(1000) * 1_000_000);
    let times = Times {
        access: s.atime,
        modified,
    };
    Ok(vm.host().files().set_times(&p, times, true).is_ok())
}

fn set_read_only(vm: &mut Env, _this: Ref, file: Ref) -> R<bool> {
    let p = path(vm, file)?;
    let Some(s) = stat(vm, &p) else {
        return Ok(false);
    };
    Ok(vm
        .host()
        .files()
        .chmod(&p, s.mode & 0o7777 & !0o222)
        .is_ok())
}

fn space(vm: &mut Env, _this: Ref, file: Ref, which: i32) -> R<i64> {
    let p = path(vm, file)?;
    Ok(vm.host().files().stat_store(&p).map_or(0, |s| {
        let blocks = match which {
            constant::SPACE_TOTAL => s.blocks,
            constant::SPACE_FREE => s.free,
            _ => s.available,
        };
        s.block_size.saturating_mul(blocks).min(i64::MAX as u64) as i64
    }))
}

fn name_max(vm: &mut Env, _this: Ref, path: Ref) -> R<i64> {
    let p = io::native_string(vm, path)?;
    Ok(vm.host().files().name_max(&p).unwrap_or(255))
}
