//! Attribute objects of the Java side.

use rjvm_vm::host::{FileStore, Stat};
use rjvm_vm::{Ref, Vm};

/// Fills a `UnixFileAttributes`.
pub fn fill(vm: &mut Vm, to: Ref, s: &Stat) {
    vm.set_int(to, "st_mode:I", s.mode as i32);
    vm.set_long(to, "st_ino:J", s.ino as i64);
    vm.set_long(to, "st_dev:J", s.dev as i64);
    vm.set_long(to, "st_rdev:J", s.rdev as i64);
    vm.set_int(to, "st_nlink:I", s.nlink as i32);
    vm.set_int(to, "st_uid:I", s.uid as i32);
    vm.set_int(to, "st_gid:I", s.gid as i32);
    vm.set_long(to, "st_size:J", s.size);
    vm.set_long(to, "st_atime_sec:J", s.atime.0);
    vm.set_long(to, "st_atime_nsec:J", s.atime.1);
    vm.set_long(to, "st_mtime_sec:J", s.mtime.0);
    vm.set_long(to, "st_mtime_nsec:J", s.mtime.1);
    vm.set_long(to, "st_ctime_sec:J", s.ctime.0);
    vm.set_long(to, "st_ctime_nsec:J", s.ctime.1);
    vm.set_long(to, "st_birthtime_sec:J", s.birthtime.0);
    vm.set_long(to, "st_birthtime_nsec:J", s.birthtime.1);
}

/// Fills a `UnixFileStoreAttributes`.
pub fn fill_store(vm: &mut Vm, to: Ref, s: &FileStore) {
    vm.set_long(to, "f_frsize:J", s.block_size as i64);
    vm.set_long(to, "f_blocks:J", s.blocks as i64);
    vm.set_long(to, "f_bfree:J", s.free as i64);
    vm.set_long(to, "f_bavail:J", s.available as i64);
}
