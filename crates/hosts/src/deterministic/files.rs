//! The file system by name: the host's, with this program's names, numbers and times.

use super::known::{self, FileId, STORE};
use super::proc_files::{self, ProcEntry};
use super::table::DescriptorKind;
use super::{Deterministic, USER, USER_ID, places};
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Errno, FileStore, Files, Io, Stat, Times};

/// Numbers of files that exist in the program's world only.
const MADE: u64 = 1 << 41;
/// Longest name of a file.
const NAME_MAX: i64 = 255;

/// Where a name leads.
enum PathTarget {
    /// Into the program's own world.
    Made(ProcEntry),
    /// To a file of the host inside: directory there and name.
    Real(i32, Vec<u8>),
}

impl Deterministic {
    fn way(&mut self, dir: i32, path: &[u8]) -> Io<PathTarget> {
        if path.starts_with(b"/") {
            if self.places.is_root(path) {
                let names = places::NAMES.map(|n| n.as_bytes().to_vec());
                return Ok(PathTarget::Made(ProcEntry::Directory(names.to_vec())));
            }
            if let Some(made) = proc_files::at(path) {
                return Ok(PathTarget::Made(made));
            }
            return Ok(PathTarget::Real(HERE, self.places.real(path)?));
        }
        if dir == HERE {
            return Ok(PathTarget::Real(HERE, self.places.here(path)));
        }
        match self.table.kind(dir)? {
            DescriptorKind::File { fd, .. } => Ok(PathTarget::Real(*fd, path.to_vec())),
            DescriptorKind::Names(_) => Err(Errno(libc::ENOENT)),
            _ => Err(Errno(libc::ENOTDIR)),
        }
    }
    /// The file of the host inside that a name leads to, to change it.
    fn real(&mut self, dir: i32, path: &[u8]) -> Io<(i32, Vec<u8>)> {
        match self.way(dir, path)? {
            PathTarget::Real(dir, path) => Ok((dir, path)),
            PathTarget::Made(ProcEntry::Nothing) => Err(Errno(libc::ENOENT)),
            PathTarget::Made(_) => Err(Errno(libc::EPERM)),
        }
    }
    pub(super) fn real_here(&mut self, path: &[u8]) -> Io<Vec<u8>> {
        self.real(HERE, path).map(|r| r.1)
    }
    fn inner_stat(&mut self, dir: i32, path: &[u8], follow: bool) -> Io<Stat> {
        self.inner.files().stat(dir, path, follow)
    }
    /// A new file was made there.
    fn made(&mut self, dir: i32, path: &[u8], mode: u32) {
        let now = self.now();
        if let Ok(s) = self.inner_stat(dir, path, false) {
            self.known.made(known::id(&s), mode, now);
        }
        self.touched(dir, path);
    }
    /// The directory of this file has changed.
    fn touched(&mut self, dir: i32, path: &[u8]) {
        let parent = match path.iter().rposition(|&b| b == b'/') {
            Some(0) => b"/".to_vec(),
            Some(i) => path[..i].to_vec(),
            None => b".".to_vec(),
        };
        let now = self.now();
        if let Ok(s) = self.inner_stat(dir, &parent, true) {
            self.known.written(known::id(&s), now);
        }
    }
    /// Gives a file an owner: the only one there is.
    pub(super) fn owned(&mut self, id: FileId, uid: i32, gid: i32) -> Io<()> {
        let own = |n: i32| n == -1 || n == USER_ID as i32;
        match own(uid) && own(gid) {
            true => {
                let now = self.now();
                self.known.changed(id, now);
                Ok(())
            }
            false => Err(Errno(libc::EPERM)),
        }
    }
    fn made_up(made: &ProcEntry) -> Io<Stat> {
        Ok(match made {
            ProcEntry::File(data) => known::made_up(libc::S_IFREG, 0o444, MADE, data.len() as i64),
            ProcEntry::Directory(_) => known::made_up(libc::S_IFDIR, 0o755, MADE + 1, 4096),
            ProcEntry::Entropy => known::made_up(libc::S_IFCHR, 0o666, MADE + 2, 0),
            ProcEntry::Nothing => return Err(Errno(libc::ENOENT)),
        })
    }
    /// Opens what exists in the program's world only.
    fn open_made(&mut self, made: ProcEntry, flags: i32) -> Io<i32> {
        let kind = match made {
            ProcEntry::Nothing if flags & libc::O_CREAT != 0 => return Err(Errno(libc::EACCES)),
            ProcEntry::Nothing => return Err(Errno(libc::ENOENT)),
            ProcEntry::Entropy => DescriptorKind::Entropy,
            _ if flags & libc::O_ACCMODE != libc::O_RDONLY => return Err(Errno(libc::EACCES)),
            ProcEntry::File(data) => DescriptorKind::Bytes { data, at: 0 },
            ProcEntry::Directory(names) => DescriptorKind::Names(names),
        };
        Ok(self.table.add(kind))
    }
    /// Removes the data about a file that is going to be removed or replaced.
    fn leaves(&mut self, dir: i32, path: &[u8]) -> Option<FileId> {
        let s = self.inner_stat(dir, path, false).ok()?;
        (s.nlink <= 1 || s.is_dir()).then(|| known::id(&s))
    }
}

impl Files for Deterministic {
    fn current_dir(&mut self) -> Io<Vec<u8>> {
        Ok(places::WORK.into())
    }
    fn open(&mut self, dir: i32, path: &[u8], flags: i32, mode: u32) -> Io<i32> {
        let (dir, path) = match self.way(dir, path)? {
            PathTarget::Made(made) => return self.open_made(made, flags),
            PathTarget::Real(dir, path) => (dir, path),
        };
        let may_be_new = flags & libc::O_CREAT != 0;
        let is_new = may_be_new && self.inner_stat(dir, &path, true) == Err(Errno(libc::ENOENT));
        let fd = self.inner.files().open(dir, &path, flags, mode)?;
        let id = known::id(&self.inner.descriptors().stat(fd)?);
        let now = self.now();
        if is_new {
            self.known.made(id, mode, now);
            self.touched(dir, &path);
        } else if flags & libc::O_TRUNC != 0 {
            self.known.written(id, now);
        }
        Ok(self.table.add(DescriptorKind::File { fd, id }))
    }
    fn stat(&mut self, dir: i32, path: &[u8], follow: bool) -> Io<Stat> {
        match self.way(dir, path)? {
            PathTarget::Made(made) => Self::made_up(&made),
            PathTarget::Real(dir, path) => {
                let s = self.inner_stat(dir, &path, follow)?;
                Ok(self.known.shown(s))
            }
        }
    }
    fn stat_store(&mut self, path: &[u8]) -> Io<FileStore> {
        self.stat(HERE, path, true).map(|_| STORE)
    }
    fn access(&mut self, path: &[u8], mode: i32) -> Io<()> {
        match self.way(HERE, path)? {
            PathTarget::Made(ProcEntry::Nothing) => Err(Errno(libc::ENOENT)),
            PathTarget::Made(ProcEntry::Entropy) if mode & 1 == 0 => Ok(()),
            PathTarget::Made(ProcEntry::Directory(_)) if mode & 2 == 0 => Ok(()),
            PathTarget::Made(_) if mode & 3 == 0 => Ok(()),
            PathTarget::Made(_) => Err(Errno(libc::EACCES)),
            PathTarget::Real(_, path) => self.inner.files().access(&path, mode),
        }
    }
    fn read_dir(&mut self, path: &[u8]) -> Io<Vec<Vec<u8>>> {
        match self.way(HERE, path)? {
            PathTarget::Made(ProcEntry::Directory(names)) => Ok(names),
            PathTarget::Made(ProcEntry::Nothing) => Err(Errno(libc::ENOENT)),
            PathTarget::Made(_) => Err(Errno(libc::ENOTDIR)),
            PathTarget::Real(_, path) => sorted(self.inner.files().read_dir(&path)),
        }
    }
    fn read_dir_of(&mut self, fd: i32) -> Io<Vec<Vec<u8>>> {
        match self.table.kind(fd)? {
            DescriptorKind::File { fd, .. } => sorted(self.inner.files().read_dir_of(*fd)),
            DescriptorKind::Names(names) => Ok(names.clone()),
            _ => Err(Errno(libc::ENOTDIR)),
        }
    }
    fn create_dir(&mut self, path: &[u8], mode: u32) -> Io<()> {
        if let PathTarget::Made(made) = self.way(HERE, path)? {
            return match made {
                ProcEntry::Nothing => Err(Errno(libc::EACCES)),
                _ => Err(Errno(libc::EEXIST)),
            };
        }
        let path = self.real_here(path)?;
        self.inner.files().create_dir(&path, mode)?;
        self.made(HERE, &path, mode);
        Ok(())
    }
    fn remove(&mut self, dir: i32, path: &[u8], directory: bool) -> Io<()> {
        let (dir, path) = self.real(dir, path)?;
        let leaves = self.leaves(dir, &path);
        self.inner.files().remove(dir, &path, directory)?;
        if let Some(id) = leaves {
            self.known.gone(id);
        }
        self.touched(dir, &path);
        Ok(())
    }
    fn rename(&mut self, from_dir: i32, from: &[u8], to_dir: i32, to: &[u8]) -> Io<()> {
        let (from_dir, from) = self.real(from_dir, from)?;
        let (to_dir, to) = self.real(to_dir, to)?;
        let moved = self.inner_stat(from_dir, &from, false).ok();
        let moved = moved.map(|s| known::id(&s));
        let leaves = self.leaves(to_dir, &to).filter(|&id| Some(id) != moved);
        self.inner.files().rename(from_dir, &from, to_dir, &to)?;
        if let Some(id) = leaves {
            self.known.gone(id);
        }
        let now = self.now();
        if let Some(id) = moved {
            self.known.changed(id, now);
        }
        self.touched(from_dir, &from);
        self.touched(to_dir, &to);
        Ok(())
    }
    fn link(&mut self, existing: &[u8], link: &[u8]) -> Io<()> {
        let (existing, link) = (self.real_here(existing)?, self.real_here(link)?);
        self.inner.files().link(&existing, &link)?;
        let now = self.now();
        if let Ok(s) = self.inner_stat(HERE, &link, false) {
            self.known.changed(known::id(&s), now);
        }
        self.touched(HERE, &link);
        Ok(())
    }
    fn symlink(&mut self, target: &[u8], link: &[u8]) -> Io<()> {
        let link = self.real_here(link)?;
        let target = self.places.real(target).unwrap_or_else(|_| target.to_vec());
        self.inner.files().symlink(&target, &link)?;
        self.made(HERE, &link, 0o777 | libc::S_IFLNK);
        Ok(())
    }
    fn read_link(&mut self, path: &[u8]) -> Io<Vec<u8>> {
        match self.way(HERE, path)? {
            PathTarget::Made(ProcEntry::Nothing) => Err(Errno(libc::ENOENT)),
            PathTarget::Made(_) => Err(Errno(libc::EINVAL)),
            PathTarget::Real(_, path) => {
                let target = self.inner.files().read_link(&path)?;
                Ok(self.places.guest(target))
            }
        }
    }
    fn real_path(&mut self, path: &[u8]) -> Io<Vec<u8>> {
        match self.way(HERE, path)? {
            PathTarget::Made(ProcEntry::Nothing) => Err(Errno(libc::ENOENT)),
            PathTarget::Made(_) => Ok(path.to_vec()),
            PathTarget::Real(_, real) => {
                let named = self.places.is_given(path);
                let real = self.inner.files().real_path(&real)?;
                Ok(match named {
                    true if self.places.is_near(&real) => real,
                    _ => self.places.guest(real),
                })
            }
        }
    }
    fn make_node(&mut self, path: &[u8], mode: u32, device: u64) -> Io<()> {
        let path = self.real_here(path)?;
        self.inner.files().make_node(&path, mode, device)?;
        self.made(HERE, &path, mode);
        Ok(())
    }
    fn chmod(&mut self, path: &[u8], mode: u32) -> Io<()> {
        let path = self.real_here(path)?;
        self.inner.files().chmod(&path, mode)?;
        let now = self.now();
        let s = self.inner_stat(HERE, &path, true)?;
        self.known.allowed(known::id(&s), mode, now);
        Ok(())
    }
    fn chown(&mut self, path: &[u8], uid: i32, gid: i32, follow: bool) -> Io<()> {
        let path = self.real_here(path)?;
        let s = self.inner_stat(HERE, &path, follow)?;
        self.owned(known::id(&s), uid, gid)
    }
    fn set_times(&mut self, path: &[u8], times: Times, follow: bool) -> Io<()> {
        let path = self.real_here(path)?;
        self.inner.files().set_times(&path, times, follow)?;
        let now = self.now();
        let s = self.inner_stat(HERE, &path, follow)?;
        self.known.timed(known::id(&s), times, now);
        Ok(())
    }
    fn name_max(&mut self, path: &[u8]) -> Io<i64> {
        self.stat(HERE, path, true).map(|_| NAME_MAX)
    }
    fn watcher(&mut self) -> Io<i32> {
        let fd = self.inner.files().watcher()?;
        let id = known::id(&self.inner.descriptors().stat(fd)?);
        Ok(self.table.add(DescriptorKind::File { fd, id }))
    }
    fn watch(&mut self, watcher: i32, path: &[u8], mask: u32) -> Io<i32> {
        let path = self.real_here(path)?;
        match self.table.kind(watcher)? {
            DescriptorKind::File { fd, .. } => self.inner.files().watch(*fd, &path, mask),
            _ => Err(Errno(libc::EINVAL)),
        }
    }
    fn unwatch(&mut self, watcher: i32, number: i32) -> Io<()> {
        match self.table.kind(watcher)? {
            DescriptorKind::File { fd, .. } => self.inner.files().unwatch(*fd, number),
            _ => Err(Errno(libc::EINVAL)),
        }
    }
    fn user_name(&mut self, uid: u32) -> Option<Vec<u8>> {
        match uid {
            0 => Some(b"root".into()),
            USER_ID => Some(USER.into()),
            _ => None,
        }
    }
    fn group_name(&mut self, gid: u32) -> Option<Vec<u8>> {
        self.user_name(gid)
    }
    fn user_id(&mut self, name: &[u8]) -> Option<u32> {
        match name {
            b"root" => Some(0),
            _ if name == USER.as_bytes() => Some(USER_ID),
            _ => None,
        }
    }
    fn group_id(&mut self, name: &[u8]) -> Option<u32> {
        self.user_id(name)
    }
}

/// Names in their order, whatever host they come from.
fn sorted(names: Io<Vec<Vec<u8>>>) -> Io<Vec<Vec<u8>>> {
    names.map(|mut names| {
        names.sort();
        names
    })
}
