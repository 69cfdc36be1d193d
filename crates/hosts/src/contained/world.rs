//! Files and descriptors of a contained program: those in memory are stored here, the others are descriptors of the
//! process in the VM's table. Both have numbers of one table.

use super::entropy::SharedEntropy;
use super::folder::{self, Grant};
use super::space::{PairedTargets, Space, Target, Trail, number};
use crate::memory::{NodeKind, OpenFile};
use rjvm_jdk_stubs::os::{Open, OsDescriptors, OsFiles, StandardStreams};
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Errno, Io};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// An open file in memory, shared by duplicates of its descriptor.
pub type SharedFile = Arc<Mutex<OpenFile>>;

/// Facts about an open file or folder.
#[derive(Clone)]
pub struct Entry {
    /// It, if it is in memory.
    pub memory: Option<SharedFile>,
    /// How it is granted, if it is real.
    pub grant: Option<Grant>,
    /// The way to it, if it is a folder.
    pub trail: Option<Trail>,
}

/// Files and descriptors.
pub struct World {
    /// The VM's table.
    pub open: Open,
    /// What the process does with its descriptors.
    pub os: OsDescriptors,
    /// The same for names, used for open folders and watchers only.
    pub os_files: OsFiles,
    /// The names.
    pub space: Space,
    /// Who watches folders.
    pub watchers: BTreeMap<i32, super::watchers::ContainedWatcher>,
    /// Files and folders that were opened by name.
    pub entries: BTreeMap<i32, Entry>,
    /// The working directory.
    pub current_dir: Vec<u8>,
    /// The source of `/dev/random`.
    pub entropy: SharedEntropy,
}

pub fn locked(file: &SharedFile) -> MutexGuard<'_, OpenFile> {
    // nothing panics under the lock
    file.lock().unwrap_or_else(|e| e.into_inner())
}

impl World {
    /// With these standard streams and nothing else open.
    pub fn new(
        open: &Open,
        streams: StandardStreams,
        space: Space,
        current_dir: Vec<u8>,
        entropy: SharedEntropy,
    ) -> World {
        World {
            open: open.clone(),
            os: OsDescriptors::new(open, streams),
            os_files: OsFiles::new(open),
            space,
            watchers: BTreeMap::new(),
            entries: BTreeMap::new(),
            current_dir,
            entropy,
        }
    }
    /// The file in memory that is open under a number.
    pub fn in_memory(&self, fd: i32) -> Option<SharedFile> {
        self.entries.get(&fd)?.memory.clone()
    }
    /// That attributes of an open real file may be changed.
    pub fn changeable(&self, fd: i32) -> Io<()> {
        match self.entries.get(&fd).and_then(|e| e.grant) {
            Some(grant) => grant.writable(),
            // sockets, pipes and the like are nobody else's
            None => Ok(()),
        }
    }
    /// Where a name leads.
    pub fn walk(&self, dir: i32, path: &[u8], follow: bool) -> Io<Target> {
        let from = match dir {
            _ if path.starts_with(b"/") => self.space.start(),
            HERE => {
                let here = self
                    .space
                    .walk(&self.space.start(), &self.current_dir, true)?;
                self.space.enter(&here)?
            }
            _ => {
                let entry = self.entries.get(&dir).ok_or(Errno(libc::EBADF))?;
                entry.trail.clone().ok_or(Errno(libc::ENOTDIR))?
            }
        };
        self.space.walk(&from, path, follow)
    }
    /// Opens what a path has led to.
    pub fn open_target(&mut self, target: &Target, flags: i32, mode: u32) -> Io<i32> {
        let (entry, fd) = match self.space.place(target) {
            PairedTargets::Memory(mount, folder, name) => {
                let file = self.open_in_memory(mount, folder, name, flags, mode)?;
                let is_folder = file.stat()?.is_dir();
                let entry = Entry {
                    memory: Some(Arc::new(Mutex::new(file))),
                    grant: None,
                    trail: self.trail(target, is_folder)?,
                };
                (entry, self.open.reserve())
            }
            PairedTargets::Folder(_, spot) => {
                let fd = folder::open(spot.dir, spot.name, flags, mode, spot.grant)?;
                let is_folder = folder::stat(&fd, b".", false).is_ok();
                let entry = Entry {
                    memory: None,
                    grant: Some(spot.grant),
                    trail: self.trail(target, is_folder)?,
                };
                (entry, self.open.add(fd))
            }
        };
        self.entries.insert(fd, entry);
        Ok(fd)
    }
    fn trail(&self, target: &Target, is_folder: bool) -> Io<Option<Trail>> {
        is_folder.then(|| self.space.enter(target)).transpose()
    }
    fn open_in_memory(
        &self,
        mount: usize,
        folder: u64,
        name: Option<&[u8]>,
        flags: i32,
        mode: u32,
    ) -> Io<OpenFile> {
        let (files, owner) = self.space.memory(mount)?;
        let mut tree = files.tree();
        let creates = flags & libc::O_CREAT != 0;
        let id = match (number(&tree, folder, name), name) {
            (Ok(_), _) if creates && flags & libc::O_EXCL != 0 => return Err(Errno(libc::EEXIST)),
            (Ok(id), _) => {
                let write = flags & libc::O_ACCMODE != libc::O_RDONLY;
                let read = flags & libc::O_ACCMODE != libc::O_WRONLY;
                let node = tree.node(id)?;
                match &node.kind {
                    NodeKind::Link(_) => return Err(Errno(libc::ELOOP)),
                    NodeKind::Folder(_) if write || creates => return Err(Errno(libc::EISDIR)),
                    NodeKind::Folder(_) => {}
                    _ if flags & libc::O_DIRECTORY != 0 => return Err(Errno(libc::ENOTDIR)),
                    _ => {}
                }
                node.check(if read { 4 } else { 0 } | if write { 2 } else { 0 })?;
                if flags & libc::O_TRUNC != 0 && matches!(node.kind, NodeKind::File(_)) {
                    node.check(2)?;
                    tree.resize(id, 0)?;
                    tree.notify(name.map(|n| (folder, n)), id, libc::IN_MODIFY);
                }
                id
            }
            (Err(Errno(libc::ENOENT)), Some(name)) if creates => {
                tree.create(folder, name, NodeKind::File(Vec::new()), mode)?
            }
            (Err(e), _) => return Err(e),
        };
        drop(tree);
        OpenFile::new(files, id, name.map(|n| (folder, n)), flags, owner)
    }
}
