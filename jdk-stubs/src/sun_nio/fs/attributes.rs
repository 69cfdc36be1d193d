//! Attribute objects of the Java side.

use rjvm_vm::host::{FileStore, Stat};
use rjvm_vm::{Env, R, Ref, jdk};

/// Fills a `UnixFileAttributes`.
pub fn fill(vm: &mut Env, to: Ref, s: &Stat) -> R<()> {
    vm.set(to, jdk::unix_file_attributes::ST_MODE, s.mode as i32)?;
    vm.set(to, jdk::unix_file_attributes::ST_INO, s.ino as i64)?;
    vm.set(to, jdk::unix_file_attributes::ST_DEV, s.dev as i64)?;
    vm.set(to, jdk::unix_file_attributes::ST_RDEV, s.rdev as i64)?;
    vm.set(to, jdk::unix_file_attributes::ST_NLINK, s.nlink as i32)?;
    vm.set(to, jdk::unix_file_attributes::ST_UID, s.uid as i32)?;
    vm.set(to, jdk::unix_file_attributes::ST_GID, s.gid as i32)?;
    vm.set(to, jdk::unix_file_attributes::ST_SIZE, s.size)?;
    vm.set(to, jdk::unix_file_attributes::ST_ATIME_SEC, s.atime.0)?;
    vm.set(to, jdk::unix_file_attributes::ST_ATIME_NSEC, s.atime.1)?;
    vm.set(to, jdk::unix_file_attributes::ST_MTIME_SEC, s.mtime.0)?;
    vm.set(to, jdk::unix_file_attributes::ST_MTIME_NSEC, s.mtime.1)?;
    vm.set(to, jdk::unix_file_attributes::ST_CTIME_SEC, s.ctime.0)?;
    vm.set(to, jdk::unix_file_attributes::ST_CTIME_NSEC, s.ctime.1)?;
    vm.set(
        to,
        jdk::unix_file_attributes::ST_BIRTHTIME_SEC,
        s.birthtime.0,
    )?;
    vm.set(
        to,
        jdk::unix_file_attributes::ST_BIRTHTIME_NSEC,
        s.birthtime.1,
    )
}

/// Fills a `UnixFileStoreAttributes`.
pub fn fill_store(vm: &mut Env, to: Ref, s: &FileStore) -> R<()> {
    vm.set(
        to,
        jdk::unix_file_store_attributes::F_FRSIZE,
        s.block_size as i64,
    )?;
    vm.set(
        to,
        jdk::unix_file_store_attributes::F_BLOCKS,
        s.blocks as i64,
    )?;
    vm.set(to, jdk::unix_file_store_attributes::F_BFREE, s.free as i64)?;
    vm.set(
        to,
        jdk::unix_file_store_attributes::F_BAVAIL,
        s.available as i64,
    )
}
