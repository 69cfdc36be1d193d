//! The nodes of a file system in memory, and operations on them by number. Folders hold numbers, so that a deep tree
//! is dropped without recursion and a file that is open lives on without a name.

use super::node::{HeldLock, Node, NodeKind};
use super::watch::{EntryName, Watches};
use rjvm_vm::host::{Errno, FileStore, Io, Stat, Times};
use std::collections::BTreeMap;

/// The number of the root folder.
pub const ROOT: u64 = 1;

/// Bytes that a name takes besides its own.
const ENTRY: u64 = 256;

/// Bytes of the longest name.
const NAME_MAX: usize = 255;

/// What new files and folders may not be: writable for others.
const UMASK: u32 = 0o022;

/// Seconds from 1970-01-01 to 2000-01-01 UTC.
const EPOCH: i64 = 946_684_800;

/// Where the times of files come from.
#[derive(Clone, Copy, Debug)]
enum TimeSource {
    /// A millisecond for each change, from 2000-01-01 UTC on: the same in every run, and in the order of the changes.
    Counted(i64),
    /// The clock of this machine.
    Real,
}

/// A file system in memory.
#[derive(Debug)]
pub struct Tree {
    nodes: BTreeMap<u64, Node>,
    next: u64,
    used: u64,
    /// Bytes it may take.
    pub limit: u64,
    time: TimeSource,
    owners: u64,
    /// The number of the next open file.
    next_open: u64,
    /// Who is notified of changes.
    pub(super) watches: Watches,
    /// Nothing is changed any more.
    frozen: bool,
    exceeded: bool,
}

fn missing() -> Errno {
    Errno(libc::ENOENT)
}

/// A name that can be given to something.
fn good(name: &[u8]) -> Io<()> {
    match name {
        b"" | b"." | b".." => Err(Errno(libc::EINVAL)),
        n if n.len() > NAME_MAX => Err(Errno(libc::ENAMETOOLONG)),
        n if n.contains(&0) => Err(missing()),
        _ => Ok(()),
    }
}

impl Tree {
    /// With an empty root folder.
    pub fn new(limit: u64) -> Tree {
        let mut tree = Tree {
            nodes: BTreeMap::new(),
            next: ROOT + 1,
            used: 0,
            limit,
            time: TimeSource::Counted(0),
            owners: 0,
            next_open: 0,
            watches: Watches::default(),
            frozen: false,
            exceeded: false,
        };
        let mut root = Node::new(NodeKind::Folder(BTreeMap::new()), 0o755, (EPOCH, 0));
        root.links = 1;
        tree.nodes.insert(ROOT, root);
        tree
    }
    /// From now on times are those of this machine's clock.
    pub fn use_real_time(&mut self) {
        self.time = TimeSource::Real;
    }
    /// From now on nothing can be changed, and entries of folders are only found by name.
    pub fn freeze(&mut self) {
        self.frozen = true;
        for node in self.nodes.values_mut().filter(|n| n.is_folder()) {
            node.mode = 0o111;
        }
    }
    /// Whether a request wanted more room than there is.
    pub fn exceeded(&self) -> bool {
        self.exceeded
    }
    /// That something may be changed.
    fn writable(&self) -> Io<()> {
        match self.frozen {
            true => Err(Errno::DENIED),
            false => Ok(()),
        }
    }
    /// The time of a change.
    fn now(&mut self) -> (i64, i64) {
        match &mut self.time {
            TimeSource::Counted(n) => {
                *n += 1;
                (EPOCH + *n / 1000, *n % 1000 * 1_000_000)
            }
            TimeSource::Real => {
                let t = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
                t.map_or((0, 0), |t| (t.as_secs() as i64, t.subsec_nanos().into()))
            }
        }
    }
    /// Bytes taken.
    pub fn used(&self) -> u64 {
        self.used
    }
    /// A number for an owner of locks.
    pub fn owner(&mut self) -> u64 {
        self.owners += 1;
        self.owners
    }
    /// Takes room.
    pub fn take(&mut self, bytes: u64) -> Io<()> {
        match self.used.checked_add(bytes) {
            Some(used) if used <= self.limit => {
                self.used = used;
                Ok(())
            }
            _ => Err(self.full()),
        }
    }
    fn full(&mut self) -> Errno {
        self.exceeded = true;
        Errno(libc::ENOSPC)
    }
    /// Gives room back.
    pub fn give_back(&mut self, bytes: u64) {
        self.used -= bytes;
    }
    /// A node by its number.
    pub fn node(&self, id: u64) -> Io<&Node> {
        self.nodes.get(&id).ok_or_else(missing)
    }
    fn node_mut(&mut self, id: u64) -> Io<&mut Node> {
        self.nodes.get_mut(&id).ok_or_else(missing)
    }
    fn modified(&mut self, id: u64) {
        let now = self.now();
        if let Some(n) = self.nodes.get_mut(&id) {
            n.times[1] = now;
            n.times[2] = now;
        }
    }
    fn changed(&mut self, id: u64) {
        let now = self.now();
        if let Some(n) = self.nodes.get_mut(&id) {
            n.times[2] = now;
        }
    }

    // --- names ------------------------------------------------------------------------------------

    /// The node of a name in a folder.
    pub fn lookup(&self, folder: u64, name: &[u8]) -> Io<u64> {
        let folder = self.node(folder)?;
        let entries = folder.entries()?;
        folder.check(1)?;
        if name.len() > NAME_MAX {
            return Err(Errno(libc::ENAMETOOLONG));
        }
        entries.get(name).copied().ok_or_else(missing)
    }
    /// The names in a folder, sorted.
    pub fn names(&self, folder: u64) -> Io<Vec<Vec<u8>>> {
        let folder = self.node(folder)?;
        let entries = folder.entries()?;
        folder.check(4)?;
        Ok(entries.keys().cloned().collect())
    }
    /// Gives a node a name. Room for it has been taken.
    fn enter(&mut self, folder: u64, name: &[u8], id: u64) -> Io<()> {
        let entries = self.node_mut(folder)?.entries_mut()?;
        entries.insert(name.to_vec(), id);
        self.node_mut(id)?.links += 1;
        self.modified(folder);
        Ok(())
    }
    /// Removes a name, and its file if it has no other name and is not open.
    fn leave(&mut self, folder: u64, name: &[u8]) -> Io<()> {
        let entries = self.node_mut(folder)?.entries_mut()?;
        let id = entries.remove(name).ok_or_else(missing)?;
        self.give_back(ENTRY + name.len() as u64);
        self.modified(folder);
        self.node_mut(id)?.links -= 1;
        self.changed(id);
        self.collect(id);
        Ok(())
    }
    /// Drops a node that nothing leads to.
    fn collect(&mut self, id: u64) {
        if let Some(n) = self.nodes.get(&id)
            && n.links == 0
            && n.opens.is_empty()
        {
            let weight = n.weight();
            self.nodes.remove(&id);
            self.give_back(weight);
            self.watches.gone(id);
        }
    }
    /// That something may be put into a folder under this name.
    fn vacant(&self, folder: u64, name: &[u8]) -> Io<()> {
        self.writable()?;
        match self.lookup(folder, name) {
            Ok(_) => Err(Errno(libc::EEXIST)),
            Err(Errno(libc::ENOENT)) => {
                good(name)?;
                let folder = self.node(folder)?;
                // a removed folder that is still open
                if folder.links == 0 {
                    return Err(missing());
                }
                folder.check(3)
            }
            Err(e) => Err(e),
        }
    }
    /// Makes something new.
    pub fn create(&mut self, folder: u64, name: &[u8], kind: NodeKind, mode: u32) -> Io<u64> {
        self.vacant(folder, name)?;
        let mask = match kind {
            NodeKind::Link(_) | NodeKind::Device(..) => 0,
            _ => UMASK,
        };
        let now = self.now();
        let node = Node::new(kind, mode & !mask, now);
        self.take(ENTRY + name.len() as u64 + node.weight())?;
        let id = self.next;
        self.next += 1;
        let is_folder = node.is_folder();
        self.nodes.insert(id, node);
        self.enter(folder, name, id)?;
        self.notify_folder((folder, name), libc::IN_CREATE, is_folder);
        Ok(id)
    }
    /// Removes a file, or a folder with nothing in it.
    pub fn remove(&mut self, folder: u64, name: &[u8], directory: bool) -> Io<()> {
        self.writable()?;
        let id = self.lookup(folder, name)?;
        self.node(folder)?.check(3)?;
        let node = self.node(id)?;
        match (&node.kind, directory) {
            (NodeKind::Folder(_), false) => return Err(Errno(libc::EISDIR)),
            (NodeKind::Folder(e), true) if !e.is_empty() => return Err(Errno(libc::ENOTEMPTY)),
            (NodeKind::Folder(_), true) => {}
            (_, true) => return Err(Errno(libc::ENOTDIR)),
            (_, false) => {}
        }
        self.leave(folder, name)?;
        self.notify_folder((folder, name), libc::IN_DELETE, directory);
        Ok(())
    }
    /// Another name for a file.
    pub fn link(&mut self, id: u64, folder: u64, name: &[u8]) -> Io<()> {
        if self.node(id)?.is_folder() {
            return Err(Errno(libc::EPERM));
        }
        self.vacant(folder, name)?;
        self.take(ENTRY + name.len() as u64)?;
        self.enter(folder, name, id)?;
        self.changed(id);
        self.notify_folder((folder, name), libc::IN_CREATE, false);
        Ok(())
    }
    /// Whether a folder is `inner` or somewhere above it.
    fn holds(&self, folder: u64, inner: u64) -> bool {
        // a queue instead of recursion; only renamed folders are looked at, which are rarely large
        let mut todo = vec![folder];
        while let Some(id) = todo.pop() {
            if id == inner {
                return true;
            }
            if let Some(NodeKind::Folder(entries)) = self.nodes.get(&id).map(|n| &n.kind) {
                todo.extend(entries.values());
            }
        }
        false
    }
    /// Renames a node; a node that has the new name loses it.
    pub fn rename(&mut self, from: EntryName<'_>, to: EntryName<'_>) -> Io<()> {
        self.writable()?;
        let id = self.lookup(from.0, from.1)?;
        self.node(from.0)?.check(3)?;
        let folder = self.node(id)?.is_folder();
        if folder && self.holds(id, to.0) {
            return Err(Errno(libc::EINVAL));
        }
        match self.lookup(to.0, to.1) {
            Ok(old) if old == id => return Ok(()),
            Ok(old) => {
                self.node(to.0)?.check(3)?;
                match (&self.node(old)?.kind, folder) {
                    (NodeKind::Folder(_), false) => return Err(Errno(libc::EISDIR)),
                    (NodeKind::Folder(e), true) if !e.is_empty() => {
                        return Err(Errno(libc::ENOTEMPTY));
                    }
                    (NodeKind::Folder(_), true) => {}
                    (_, true) => return Err(Errno(libc::ENOTDIR)),
                    (_, false) => {}
                }
                self.leave(to.0, to.1)?;
            }
            Err(Errno(libc::ENOENT)) => self.vacant(to.0, to.1)?,
            Err(e) => return Err(e),
        }
        // fits after a file has made way; otherwise nothing has happened yet
        self.take(ENTRY + to.1.len() as u64)?;
        self.enter(to.0, to.1, id)?;
        self.leave(from.0, from.1)?;
        for via in self.node_mut(id)?.opens.values_mut().flatten() {
            if (via.0, &*via.1) == from {
                *via = (to.0, to.1.to_vec());
            }
        }
        self.notify_renamed(from, to, folder);
        Ok(())
    }

    // --- contents ---------------------------------------------------------------------------------

    /// A process has it open, by this name: a number for the process.
    pub fn open(&mut self, id: u64, via: Option<EntryName<'_>>) -> Io<u64> {
        self.next_open += 1;
        let open = self.next_open;
        let via = via.map(|(folder, name)| (folder, name.to_vec()));
        self.node_mut(id)?.opens.insert(open, via);
        Ok(open)
    }
    /// He has it open no more.
    pub fn close(&mut self, id: u64, open: u64) {
        if let Ok(n) = self.node_mut(id) {
            n.opens.remove(&open);
            self.collect(id);
        }
    }
    /// Reads at a position.
    pub fn read(&self, id: u64, at: u64, buf: &mut [u8]) -> Io<usize> {
        match &self.node(id)?.kind {
            NodeKind::File(content) => {
                let from = usize::try_from(at).unwrap_or(usize::MAX).min(content.len());
                let n = buf.len().min(content.len() - from);
                buf[..n].copy_from_slice(&content[from..from + n]);
                Ok(n)
            }
            NodeKind::Folder(_) => Err(Errno(libc::EISDIR)),
            _ => Err(Errno(libc::EINVAL)),
        }
    }
    /// The length of a file.
    pub fn len(&self, id: u64) -> Io<u64> {
        Ok(self.node(id)?.size())
    }
    /// Makes a file longer, or cuts it.
    pub fn resize(&mut self, id: u64, len: u64) -> Io<()> {
        self.writable()?;
        let NodeKind::File(content) = &self.node(id)?.kind else {
            return Err(Errno(libc::EINVAL));
        };
        let old = content.len() as u64;
        let extra = len.saturating_sub(old);
        self.take(extra)?;
        let NodeKind::File(content) = &mut self.node_mut(id)?.kind else {
            return Err(Errno(libc::EINVAL));
        };
        let room = usize::try_from(extra).ok();
        if room.and_then(|n| content.try_reserve(n).ok()).is_none() {
            self.give_back(extra);
            return Err(self.full());
        }
        content.resize(len as usize, 0);
        if content.len() < content.capacity() / 4 {
            content.shrink_to_fit();
        }
        self.give_back(old.saturating_sub(len));
        self.modified(id);
        Ok(())
    }
    /// Writes at a position, as much as fits.
    pub fn write(&mut self, id: u64, at: u64, buf: &[u8]) -> Io<usize> {
        self.writable()?;
        if buf.is_empty() {
            return Ok(0);
        }
        let end = at.checked_add(buf.len() as u64);
        let end = end.filter(|&n| n <= i64::MAX as u64);
        let end = end.ok_or(Errno(libc::EFBIG))?;
        let len = self.len(id)?;
        // as a disk does: what fits is written
        let end = end.min(len.saturating_add(self.limit - self.used.min(self.limit)));
        let Some(n) = end.checked_sub(at).filter(|&n| n > 0) else {
            return Err(self.full());
        };
        if end > len {
            self.resize(id, end)?;
        } else {
            self.modified(id);
        }
        let NodeKind::File(content) = &mut self.node_mut(id)?.kind else {
            return Err(Errno(libc::EINVAL));
        };
        let n = n as usize;
        content[at as usize..][..n].copy_from_slice(&buf[..n]);
        Ok(n)
    }

    // --- attributes -------------------------------------------------------------------------------

    /// Attributes.
    pub fn stat(&self, id: u64) -> Io<Stat> {
        Ok(self.node(id)?.stat(id))
    }
    /// Sets permission bits.
    pub fn set_mode(&mut self, id: u64, mode: u32) -> Io<()> {
        self.writable()?;
        self.changed(id);
        self.node_mut(id)?.mode = mode & 0o7777;
        Ok(())
    }
    /// Sets access and modification time.
    pub fn set_times(&mut self, id: u64, times: Times) -> Io<()> {
        self.writable()?;
        self.changed(id);
        let n = self.node_mut(id)?;
        n.times[0] = times.access;
        n.times[1] = times.modified;
        Ok(())
    }
    /// Sets an extended attribute.
    pub fn set_attribute(&mut self, id: u64, name: &[u8], value: &[u8]) -> Io<()> {
        self.writable()?;
        if !name.starts_with(b"user.") {
            return Err(Errno(libc::ENOTSUP));
        }
        let old = self.node(id)?.attributes.get(name);
        let old = old.map_or(0, |v| name.len() + v.len()) as u64;
        self.take((name.len() + value.len()) as u64)?;
        self.give_back(old);
        self.node_mut(id)?
            .attributes
            .insert(name.to_vec(), value.to_vec());
        self.changed(id);
        Ok(())
    }
    /// Removes an extended attribute.
    pub fn remove_attribute(&mut self, id: u64, name: &[u8]) -> Io<()> {
        self.writable()?;
        let old = self.node_mut(id)?.attributes.remove(name);
        let value = old.ok_or(Errno(libc::ENODATA))?;
        self.give_back((name.len() + value.len()) as u64);
        self.changed(id);
        Ok(())
    }
    /// Takes or gives back a lock; `false` when another owner's lock is in the way.
    pub fn lock(&mut self, id: u64, wanted: HeldLock, unlock: bool) -> Io<bool> {
        let locks = &mut self.node_mut(id)?.locks;
        let meets = |l: &HeldLock| l.start < wanted.end && wanted.start < l.end;
        let denied = |l: &HeldLock| l.owner != wanted.owner && !(l.shared && wanted.shared);
        if !unlock && locks.iter().any(|l| meets(l) && denied(l)) {
            return Ok(false);
        }
        // what is left of the owner's locks on both sides of the range
        let own = |l: &&HeldLock| l.owner == wanted.owner && meets(l);
        let parts = locks.iter().filter(own).flat_map(|l| {
            let before = HeldLock {
                end: wanted.start,
                ..*l
            };
            let behind = HeldLock {
                start: wanted.end,
                ..*l
            };
            [before, behind]
        });
        let parts: Vec<HeldLock> = parts.filter(|l| l.start < l.end).collect();
        locks.retain(|l| l.owner != wanted.owner || !meets(l));
        locks.extend(parts);
        if !unlock {
            locks.push(wanted);
        }
        Ok(true)
    }
    /// Gives back all locks of an owner, as systems do when it closes the file.
    pub fn unlock_all(&mut self, id: u64, owner: u64) {
        if let Ok(n) = self.node_mut(id) {
            n.locks.retain(|l| l.owner != owner);
        }
    }
    /// Its size.
    pub fn store(&self) -> FileStore {
        let block = super::node::BLOCK;
        let free = self.limit.saturating_sub(self.used) / block;
        FileStore {
            block_size: block,
            blocks: self.limit / block,
            free,
            available: free,
        }
    }

    // --- the embedder's side ----------------------------------------------------------------------

    /// A folder and all it is in, made where they are missing.
    pub fn folder(&mut self, names: &[&[u8]]) -> Io<u64> {
        let mut at = ROOT;
        for name in names {
            let entries = self.node(at)?.entries()?;
            at = match entries.get(*name) {
                Some(&id) => id,
                None => self.create(at, name, NodeKind::Folder(BTreeMap::new()), 0o755)?,
            };
        }
        self.node(at)?.entries()?;
        Ok(at)
    }
    /// Puts a file into a folder, which is made if it is missing.
    pub fn put(&mut self, folders: &[&[u8]], name: &[u8], content: &[u8]) -> Io<()> {
        let folder = self.folder(folders)?;
        let id = match self.node(folder)?.entries()?.get(name) {
            Some(&id) => id,
            None => self.create(folder, name, NodeKind::File(Vec::new()), 0o644)?,
        };
        if self.node(id)?.is_folder() {
            return Err(Errno(libc::EISDIR));
        }
        self.resize(id, content.len() as u64)?;
        let r = self.write(id, 0, content).map(|_| ());
        self.notify(Some((folder, name)), id, libc::IN_MODIFY);
        r
    }
    /// The node of a path of names from the root; permissions don't count.
    pub fn find(&self, names: &[&[u8]]) -> Io<u64> {
        names.iter().try_fold(ROOT, |at, name| {
            let entries = self.node(at)?.entries()?;
            entries.get(*name).copied().ok_or_else(missing)
        })
    }
    /// The content of a file.
    pub fn content(&self, id: u64) -> Io<Vec<u8>> {
        match &self.node(id)?.kind {
            NodeKind::File(content) => Ok(content.clone()),
            NodeKind::Folder(_) => Err(Errno(libc::EISDIR)),
            _ => Err(Errno(libc::EINVAL)),
        }
    }
    /// The names of all files from the root on, except for those that are too long to be used.
    pub fn files(&self) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        let mut todo = vec![(Vec::new(), ROOT)];
        while let Some((path, id)) = todo.pop() {
            if path.len() >= libc::PATH_MAX as usize {
                continue;
            }
            match self.nodes.get(&id).map(|n| &n.kind) {
                Some(NodeKind::File(_)) => found.push(path),
                Some(NodeKind::Folder(entries)) => todo.extend(
                    entries
                        .iter()
                        .map(|(n, &id)| ([&path, &b"/"[..], n].concat(), id)),
                ),
                _ => {}
            }
        }
        found
    }
}
