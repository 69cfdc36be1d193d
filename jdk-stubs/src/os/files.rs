//! The file system over system calls.

use super::call::{c_path, done, last, retry};
use super::open::{Open, duplicate};
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Errno, FileStore, Files, Io, Stat, Times};
use std::ffi::{CStr, OsStr};
use std::os::fd::{AsRawFd, IntoRawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// The file system of this process. Opened files go to the VM's table.
pub struct OsFiles {
    open: Open,
}

impl OsFiles {
    /// For the VM with this table.
    pub fn new(open: &Open) -> OsFiles {
        OsFiles { open: open.clone() }
    }
    /// Does something with the directory that names start from.
    fn at<T>(&self, dir: i32, f: impl FnOnce(i32) -> Io<T>) -> Io<T> {
        match dir {
            HERE => f(HERE),
            _ => f(self.open.get(dir)?.as_raw_fd()),
        }
    }
}

/// From the kernel's record.
#[allow(
    clippy::unnecessary_cast,
    reason = "the fields are not equally wide on all processors"
)]
pub(super) fn stat_of(s: &libc::stat) -> Stat {
    Stat {
        mode: s.st_mode,
        ino: s.st_ino,
        dev: s.st_dev,
        rdev: s.st_rdev,
        nlink: s.st_nlink as u64,
        uid: s.st_uid,
        gid: s.st_gid,
        size: s.st_size,
        blksize: s.st_blksize as i64,
        atime: (s.st_atime, s.st_atime_nsec),
        mtime: (s.st_mtime, s.st_mtime_nsec),
        ctime: (s.st_ctime, s.st_ctime_nsec),
        birthtime: (s.st_mtime, s.st_mtime_nsec),
    }
}

/// Attributes by `statx`, which knows the time of creation, or the older call.
pub(super) fn stat_at(dir: i32, path: &CStr, flags: i32) -> Io<Stat> {
    // SAFETY: zeroed records are valid and writable; `path` is terminated.
    unsafe {
        let mut x: libc::statx = std::mem::zeroed();
        let mask = libc::STATX_BASIC_STATS | libc::STATX_BTIME;
        match done(|| libc::statx(dir, path.as_ptr(), flags, mask, &mut x)) {
            Ok(()) => return Ok(stat_of_x(&x)),
            Err(Errno(libc::ENOSYS | libc::EPERM)) => {}
            Err(e) => return Err(e),
        }
        let mut s: libc::stat = std::mem::zeroed();
        done(|| libc::fstatat(dir, path.as_ptr(), &mut s, flags))?;
        Ok(stat_of(&s))
    }
}

fn stat_of_x(x: &libc::statx) -> Stat {
    let time = |t: &libc::statx_timestamp| (t.tv_sec, t.tv_nsec as i64);
    let created = x.stx_mask & libc::STATX_BTIME != 0;
    Stat {
        mode: x.stx_mode as u32,
        ino: x.stx_ino,
        dev: libc::makedev(x.stx_dev_major, x.stx_dev_minor),
        rdev: libc::makedev(x.stx_rdev_major, x.stx_rdev_minor),
        nlink: x.stx_nlink as u64,
        uid: x.stx_uid,
        gid: x.stx_gid,
        size: x.stx_size as i64,
        blksize: x.stx_blksize as i64,
        atime: time(&x.stx_atime),
        mtime: time(&x.stx_mtime),
        ctime: time(&x.stx_ctime),
        birthtime: time(if created { &x.stx_btime } else { &x.stx_mtime }),
    }
}

pub(super) fn store_of(s: &libc::statvfs) -> FileStore {
    FileStore {
        block_size: if s.f_frsize != 0 {
            s.f_frsize
        } else {
            s.f_bsize
        },
        blocks: s.f_blocks,
        free: s.f_bfree,
        available: s.f_bavail,
    }
}

pub(super) fn time_specs(t: Times) -> [libc::timespec; 2] {
    [t.access, t.modified].map(|(s, n)| libc::timespec {
        tv_sec: s,
        tv_nsec: n,
    })
}

/// Reads a directory to its end and closes it.
fn names(dir: *mut libc::DIR) -> Io<Vec<Vec<u8>>> {
    let mut v = Vec::new();
    let r = loop {
        // SAFETY: `dir` is open; errno reports an error from the end; the entry lives until the next call.
        unsafe {
            *libc::__errno_location() = 0;
            let e = libc::readdir(dir);
            if e.is_null() {
                break match last() {
                    Errno(0) => Ok(()),
                    e => Err(e),
                };
            }
            let name = CStr::from_ptr((*e).d_name.as_ptr()).to_bytes();
            if name != b"." && name != b".." {
                v.push(name.to_vec());
            }
        }
    };
    // SAFETY: opened by our caller for us.
    unsafe { libc::closedir(dir) };
    v.sort();
    r.map(|_| v)
}

impl Files for OsFiles {
    fn current_dir(&mut self) -> Io<Vec<u8>> {
        Ok(std::env::current_dir()?.into_os_string().into_vec())
    }
    fn open(&mut self, dir: i32, path: &[u8], flags: i32, mode: u32) -> Io<i32> {
        let p = c_path(path)?;
        self.at(dir, |dir| {
            // SAFETY: `p` is a terminated string; the result is new.
            unsafe {
                let raw = retry(|| libc::openat(dir, p.as_ptr(), flags | libc::O_CLOEXEC, mode))?;
                Ok(self.open.add_raw(raw))
            }
        })
    }
    fn stat(&mut self, dir: i32, path: &[u8], follow: bool) -> Io<Stat> {
        let p = c_path(path)?;
        let flags = if follow { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
        self.at(dir, |dir| stat_at(dir, &p, flags))
    }
    fn stat_store(&mut self, path: &[u8]) -> Io<FileStore> {
        let p = c_path(path)?;
        // SAFETY: as in `stat`.
        unsafe {
            let mut s: libc::statvfs = std::mem::zeroed();
            done(|| libc::statvfs(p.as_ptr(), &mut s))?;
            Ok(store_of(&s))
        }
    }
    fn access(&mut self, path: &[u8], mode: i32) -> Io<()> {
        let p = c_path(path)?;
        // SAFETY: `p` is terminated.
        done(|| unsafe { libc::access(p.as_ptr(), mode) })
    }
    fn read_dir(&mut self, path: &[u8]) -> Io<Vec<Vec<u8>>> {
        let p = c_path(path)?;
        // SAFETY: `p` is terminated.
        let d = unsafe { libc::opendir(p.as_ptr()) };
        if d.is_null() { Err(last()) } else { names(d) }
    }
    fn read_dir_of(&mut self, fd: i32) -> Io<Vec<Vec<u8>>> {
        let own = duplicate(&self.open.get(fd)?)?.into_raw_fd();
        // SAFETY: fdopendir takes over the duplicate.
        unsafe {
            let d = libc::fdopendir(own);
            if d.is_null() {
                let e = last();
                libc::close(own);
                return Err(e);
            }
            names(d)
        }
    }
    fn create_dir(&mut self, path: &[u8], mode: u32) -> Io<()> {
        let p = c_path(path)?;
        // SAFETY: `p` is terminated.
        done(|| unsafe { libc::mkdir(p.as_ptr(), mode) })
    }
    fn remove(&mut self, dir: i32, path: &[u8], directory: bool) -> Io<()> {
        let p = c_path(path)?;
        let flags = if directory { libc::AT_REMOVEDIR } else { 0 };
        // SAFETY: `p` is terminated.
        self.at(dir, |dir| {
            done(|| unsafe { libc::unlinkat(dir, p.as_ptr(), flags) })
        })
    }
    fn rename(&mut self, from_dir: i32, from: &[u8], to_dir: i32, to: &[u8]) -> Io<()> {
        let (a, b) = (c_path(from)?, c_path(to)?);
        self.at(from_dir, |from_dir| {
            self.at(to_dir, |to_dir| {
                // SAFETY: both are terminated.
                done(|| unsafe { libc::renameat(from_dir, a.as_ptr(), to_dir, b.as_ptr()) })
            })
        })
    }
    fn link(&mut self, existing: &[u8], link: &[u8]) -> Io<()> {
        let (a, b) = (c_path(existing)?, c_path(link)?);
        // SAFETY: both are terminated.
        done(|| unsafe { libc::link(a.as_ptr(), b.as_ptr()) })
    }
    fn symlink(&mut self, target: &[u8], link: &[u8]) -> Io<()> {
        let (a, b) = (c_path(target)?, c_path(link)?);
        // SAFETY: both are terminated.
        done(|| unsafe { libc::symlink(a.as_ptr(), b.as_ptr()) })
    }
    fn read_link(&mut self, path: &[u8]) -> Io<Vec<u8>> {
        c_path(path)?;
        Ok(std::fs::read_link(Path::new(OsStr::from_bytes(path)))?
            .into_os_string()
            .into_vec())
    }
    fn real_path(&mut self, path: &[u8]) -> Io<Vec<u8>> {
        c_path(path)?;
        Ok(std::fs::canonicalize(Path::new(OsStr::from_bytes(path)))?
            .into_os_string()
            .into_vec())
    }
    fn make_node(&mut self, path: &[u8], mode: u32, device: u64) -> Io<()> {
        let p = c_path(path)?;
        // SAFETY: `p` is terminated.
        done(|| unsafe { libc::mknod(p.as_ptr(), mode, device) })
    }
    fn chmod(&mut self, path: &[u8], mode: u32) -> Io<()> {
        let p = c_path(path)?;
        // SAFETY: `p` is terminated.
        done(|| unsafe { libc::chmod(p.as_ptr(), mode) })
    }
    fn chown(&mut self, path: &[u8], uid: i32, gid: i32, follow: bool) -> Io<()> {
        let p = c_path(path)?;
        let flags = if follow { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
        // SAFETY: `p` is terminated.
        done(|| unsafe { libc::fchownat(HERE, p.as_ptr(), uid as u32, gid as u32, flags) })
    }
    fn set_times(&mut self, path: &[u8], times: Times, follow: bool) -> Io<()> {
        let p = c_path(path)?;
        let t = time_specs(times);
        let flags = if follow { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
        // SAFETY: `p` is terminated, `t` has two entries.
        done(|| unsafe { libc::utimensat(HERE, p.as_ptr(), t.as_ptr(), flags) })
    }
    fn name_max(&mut self, path: &[u8]) -> Io<i64> {
        let p = c_path(path)?;
        // SAFETY: `p` is terminated.
        retry(|| unsafe { libc::pathconf(p.as_ptr(), libc::_PC_NAME_MAX) })
    }
    fn watcher(&mut self) -> Io<i32> {
        // SAFETY: no pointers; the result is new.
        unsafe {
            let raw = retry(|| libc::inotify_init1(libc::IN_CLOEXEC))?;
            Ok(self.open.add_raw(raw))
        }
    }
    fn watch(&mut self, watcher: i32, path: &[u8], mask: u32) -> Io<i32> {
        let p = c_path(path)?;
        let w = self.open.get(watcher)?;
        // SAFETY: `p` is terminated.
        retry(|| unsafe { libc::inotify_add_watch(w.as_raw_fd(), p.as_ptr(), mask) })
    }
    fn unwatch(&mut self, watcher: i32, number: i32) -> Io<()> {
        let w = self.open.get(watcher)?;
        // SAFETY: no pointers.
        done(|| unsafe { libc::inotify_rm_watch(w.as_raw_fd(), number) })
    }
    fn user_name(&mut self, uid: u32) -> Option<Vec<u8>> {
        let mut buf = vec![0; 16 << 10];
        // SAFETY: record, buffer and result are writable; the name lies in `buf`.
        unsafe {
            let mut p: libc::passwd = std::mem::zeroed();
            let mut r = std::ptr::null_mut();
            let e = libc::getpwuid_r(uid, &mut p, buf.as_mut_ptr(), buf.len(), &mut r);
            (e == 0 && !r.is_null()).then(|| CStr::from_ptr(p.pw_name).to_bytes().to_vec())
        }
    }
    fn group_name(&mut self, gid: u32) -> Option<Vec<u8>> {
        let mut buf = vec![0; 64 << 10];
        // SAFETY: as in `user_name`.
        unsafe {
            let mut p: libc::group = std::mem::zeroed();
            let mut r = std::ptr::null_mut();
            let e = libc::getgrgid_r(gid, &mut p, buf.as_mut_ptr(), buf.len(), &mut r);
            (e == 0 && !r.is_null()).then(|| CStr::from_ptr(p.gr_name).to_bytes().to_vec())
        }
    }
    fn user_id(&mut self, name: &[u8]) -> Option<u32> {
        let n = c_path(name).ok()?;
        let mut buf = vec![0; 16 << 10];
        // SAFETY: as in `user_name`.
        unsafe {
            let mut p: libc::passwd = std::mem::zeroed();
            let mut r = std::ptr::null_mut();
            let e = libc::getpwnam_r(n.as_ptr(), &mut p, buf.as_mut_ptr(), buf.len(), &mut r);
            (e == 0 && !r.is_null()).then_some(p.pw_uid)
        }
    }
    fn group_id(&mut self, name: &[u8]) -> Option<u32> {
        let n = c_path(name).ok()?;
        let mut buf = vec![0; 64 << 10];
        // SAFETY: as in `user_name`.
        unsafe {
            let mut p: libc::group = std::mem::zeroed();
            let mut r = std::ptr::null_mut();
            let e = libc::getgrnam_r(n.as_ptr(), &mut p, buf.as_mut_ptr(), buf.len(), &mut r);
            (e == 0 && !r.is_null()).then_some(p.gr_gid)
        }
    }
}
