//! Folders of the real file system as a program may see them. A name is always a single one, looked up in a folder that
//! is open, and a link is never followed by the system. So nothing outside the granted folders is reached, whatever `..` and
//! links say, even if another process moves files meanwhile. (The JDK's own folder is the exception: its links are
//! trusted, since no program can change them, and packagers like to put its settings elsewhere.)

use rjvm_vm::host::{Errno, FileStore, Io, Stat, Times};
use rustix::fs::{self, Access, AtFlags, Dir, FileType, Mode, OFlags, StatxFlags};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Permission bits a program may give to real files: none that would lend others its rights.
const PERMISSIONS: u32 = 0o1777;

/// `PROC_SUPER_MAGIC`: files of the kernel, some of which are the memory of this process.
const PROC: i64 = 0x9fa0;

pub fn errno(e: rustix::io::Errno) -> Errno {
    Errno(e.raw_os_error())
}

/// The file, folder or link under a name.
pub enum FolderEntry {
    /// A folder.
    Folder,
    /// A symbolic link and its target.
    Link(Vec<u8>),
    /// Anything else.
    Other,
}

/// Opens a folder, through links: for those that are granted.
pub fn root(path: &Path) -> std::io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(fs::open(path, flags, Mode::empty())?)
}

/// A folder in a folder; through links if they are `trusted`.
pub fn descend(dir: &OwnedFd, name: &[u8], trusted: bool) -> Io<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC | no_link(trusted);
    fs::openat(dir, name, flags, Mode::empty()).map_err(errno)
}

fn no_link(trusted: bool) -> OFlags {
    match trusted {
        true => OFlags::empty(),
        false => OFlags::NOFOLLOW,
    }
}

fn at(trusted: bool) -> AtFlags {
    match trusted {
        true => AtFlags::empty(),
        false => AtFlags::SYMLINK_NOFOLLOW,
    }
}

/// Looks a name up in a folder.
pub fn look(dir: &OwnedFd, name: &[u8]) -> Io<FolderEntry> {
    let stat = stat(dir, name, false)?;
    match stat.kind() {
        libc::S_IFDIR => Ok(FolderEntry::Folder),
        libc::S_IFLNK => Ok(FolderEntry::Link(read_link(dir, name)?)),
        _ => Ok(FolderEntry::Other),
    }
}

/// Target of a link.
pub fn read_link(dir: &OwnedFd, name: &[u8]) -> Io<Vec<u8>> {
    let target = fs::readlinkat(dir, name, Vec::new()).map_err(errno)?;
    Ok(target.into_bytes())
}

/// Attributes; of a link itself unless it is `trusted`.
pub fn stat(dir: &OwnedFd, name: &[u8], trusted: bool) -> Io<Stat> {
    let mask = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
    let x = fs::statx(dir, name, at(trusted), mask).map_err(errno)?;
    let time = |t: fs::StatxTimestamp| (t.tv_sec, i64::from(t.tv_nsec));
    let created = x.stx_mask & StatxFlags::BTIME.bits() != 0;
    Ok(Stat {
        mode: x.stx_mode.into(),
        ino: x.stx_ino,
        dev: libc::makedev(x.stx_dev_major, x.stx_dev_minor),
        rdev: libc::makedev(x.stx_rdev_major, x.stx_rdev_minor),
        nlink: x.stx_nlink.into(),
        uid: x.stx_uid,
        gid: x.stx_gid,
        size: x.stx_size as i64,
        blksize: x.stx_blksize.into(),
        atime: time(x.stx_atime),
        mtime: time(x.stx_mtime),
        ctime: time(x.stx_ctime),
        birthtime: time(if created { x.stx_btime } else { x.stx_mtime }),
    })
}

/// That it is a file or a folder, and none of the kernel's own: opening devices and pipes has effects, or waits.
fn ordinary(fd: &OwnedFd) -> Io<()> {
    let kind = FileType::from_raw_mode(fs::fstat(fd).map_err(errno)?.st_mode);
    let on_disk = fs::fstatfs(fd).map_err(errno)?.f_type != PROC;
    match matches!(kind, FileType::RegularFile | FileType::Directory) && on_disk {
        true => Ok(()),
        false => Err(Errno::DENIED),
    }
}

/// Opens a file or a folder.
pub fn open(dir: &OwnedFd, name: &[u8], flags: i32, mode: u32, grant: Grant) -> Io<OwnedFd> {
    let there = stat(dir, name, grant.trusted);
    let known = [libc::S_IFREG, libc::S_IFDIR];
    match &there {
        Ok(s) if s.kind() == libc::S_IFLNK => return Err(Errno(libc::ELOOP)),
        Ok(s) if !known.contains(&s.kind()) => return Err(Errno::DENIED),
        Ok(_) if flags & libc::O_EXCL != 0 && flags & libc::O_CREAT != 0 => {
            return Err(Errno(libc::EEXIST));
        }
        Err(e) if *e != Errno(libc::ENOENT) || flags & libc::O_CREAT == 0 => return Err(*e),
        _ => {}
    }
    let writes = flags & libc::O_ACCMODE != libc::O_RDONLY || flags & libc::O_TRUNC != 0;
    if writes || there.is_err() {
        grant.writable()?;
    }
    // what the program may choose; the rest is not its business
    let kept = libc::O_ACCMODE
        | libc::O_CREAT
        | libc::O_EXCL
        | libc::O_TRUNC
        | libc::O_APPEND
        | libc::O_DIRECTORY
        | libc::O_SYNC
        | libc::O_DSYNC;
    let kept = OFlags::from_bits_retain((flags & kept) as u32);
    let own = OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK | no_link(grant.trusted);
    let mode = Mode::from_raw_mode(mode & PERMISSIONS);
    let fd = fs::openat(dir, name, kept | own, mode).map_err(errno)?;
    // it may have been exchanged since it was looked at
    ordinary(&fd)?;
    let flags = fs::fcntl_getfl(&fd).map_err(errno)?;
    fs::fcntl_setfl(&fd, flags & !OFlags::NONBLOCK).map_err(errno)?;
    Ok(fd)
}

/// The names in a folder, sorted.
pub fn names(dir: &OwnedFd, name: &[u8], trusted: bool) -> Io<Vec<Vec<u8>>> {
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | no_link(trusted);
    let fd = fs::openat(dir, name, flags, Mode::empty()).map_err(errno)?;
    let mut names = Vec::new();
    for entry in Dir::new(fd).map_err(errno)? {
        let entry = entry.map_err(errno)?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push(name.to_vec());
        }
    }
    names.sort();
    Ok(names)
}

/// How a folder is granted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grant {
    /// Whether files may be changed.
    pub writes: bool,
    /// Whether the system may follow links in it.
    pub trusted: bool,
}

impl Grant {
    /// That files may be changed.
    pub fn writable(self) -> Io<()> {
        match self.writes {
            true => Ok(()),
            false => Err(Errno(libc::EROFS)),
        }
    }
}

/// A name in a real folder.
pub struct RealEntry<'a> {
    /// The folder.
    pub dir: &'a OwnedFd,
    /// The name; `.` for the folder itself.
    pub name: &'a [u8],
    /// How it is granted.
    pub grant: Grant,
}

/// Does something to the file of a name, links not followed, through the name it has as an open file.
fn through<T>(spot: &RealEntry<'_>, f: impl FnOnce(&Path) -> std::io::Result<T>) -> Io<T> {
    let flags = OFlags::PATH | OFlags::CLOEXEC | no_link(spot.grant.trusted);
    let fd = fs::openat(spot.dir, spot.name, flags, Mode::empty()).map_err(errno)?;
    let path = format!("/proc/self/fd/{}", fd.as_fd().as_raw_fd());
    Ok(f(Path::new(&path))?)
}

impl RealEntry<'_> {
    /// Attributes.
    pub fn stat(&self) -> Io<Stat> {
        stat(self.dir, self.name, self.grant.trusted)
    }
    /// Succeeds if access is possible.
    pub fn access(&self, mode: i32) -> Io<()> {
        if mode & libc::W_OK != 0 {
            self.grant.writable()?;
        }
        let wanted = Access::from_bits_truncate(mode as u32);
        fs::accessat(self.dir, self.name, wanted, at(self.grant.trusted)).map_err(errno)
    }
    /// Makes a folder.
    pub fn create_dir(&self, mode: u32) -> Io<()> {
        self.vacant()?;
        let mode = Mode::from_raw_mode(mode & PERMISSIONS);
        fs::mkdirat(self.dir, self.name, mode).map_err(errno)
    }
    /// That there is nothing yet, and something may be.
    fn vacant(&self) -> Io<()> {
        match stat(self.dir, self.name, false) {
            Ok(_) => Err(Errno(libc::EEXIST)),
            Err(Errno(libc::ENOENT)) => self.grant.writable(),
            Err(e) => Err(e),
        }
    }
    /// Makes a link with this target, which only has a meaning inside the granted folders.
    pub fn symlink(&self, target: &[u8]) -> Io<()> {
        self.vacant()?;
        fs::symlinkat(target, self.dir, self.name).map_err(errno)
    }
    /// Removes a file, or an empty folder.
    pub fn remove(&self, directory: bool) -> Io<()> {
        stat(self.dir, self.name, false)?;
        self.grant.writable()?;
        let flags = match directory {
            true => AtFlags::REMOVEDIR,
            false => AtFlags::empty(),
        };
        fs::unlinkat(self.dir, self.name, flags).map_err(errno)
    }
    /// Renames.
    pub fn rename(&self, to: &RealEntry<'_>) -> Io<()> {
        stat(self.dir, self.name, false)?;
        self.grant.writable()?;
        fs::renameat(self.dir, self.name, to.dir, to.name).map_err(errno)
    }
    /// Gives it another name.
    pub fn link(&self, to: &RealEntry<'_>) -> Io<()> {
        stat(self.dir, self.name, false)?;
        to.vacant()?;
        let flags = AtFlags::empty();
        fs::linkat(self.dir, self.name, to.dir, to.name, flags).map_err(errno)
    }
    /// Changes permission bits.
    pub fn chmod(&self, mode: u32) -> Io<()> {
        self.grant.writable()?;
        let mode = std::fs::Permissions::from_mode(mode & PERMISSIONS);
        through(self, |path| std::fs::set_permissions(path, mode))
    }
    /// Changes access and modification time.
    pub fn set_times(&self, times: Times) -> Io<()> {
        self.grant.writable()?;
        let time = |(s, n): (i64, i64)| fs::Timespec {
            tv_sec: s,
            tv_nsec: n,
        };
        let times = fs::Timestamps {
            last_access: time(times.access),
            last_modification: time(times.modified),
        };
        fs::utimensat(self.dir, self.name, &times, at(false)).map_err(errno)
    }
    /// Size of the file system, and the longest name of a file there.
    pub fn store(&self) -> Io<(FileStore, i64)> {
        let flags = OFlags::PATH | OFlags::CLOEXEC | no_link(self.grant.trusted);
        let fd = fs::openat(self.dir, self.name, flags, Mode::empty()).map_err(errno)?;
        let s = fs::fstatvfs(&fd).map_err(errno)?;
        let store = FileStore {
            block_size: s.f_frsize,
            blocks: s.f_blocks,
            free: s.f_bfree,
            available: s.f_bavail,
        };
        Ok((store, s.f_namemax as i64))
    }
    /// Calls `f` with a name that means it to the whole process.
    pub fn with_path<T>(&self, f: impl FnOnce(&Path) -> std::io::Result<T>) -> Io<T> {
        through(self, f)
    }
}

/// Permission bits as a program may give them to a real file.
pub fn permissions(mode: u32) -> u32 {
    mode & PERMISSIONS
}
