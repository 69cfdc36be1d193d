//! Open files in memory.

use super::node::{Device, HeldLock, NodeKind};
use super::tree::Tree;
use super::{EntryName, MemoryFiles, fill};
use rjvm_vm::host::{Errno, Io, Lock, SeekOrigin, Stat, Times};
use rjvm_vm::offheap::{Access, Mapped, Mapping};
use std::sync::{Mutex, MutexGuard};

/// An open file, folder or device; duplicates of a descriptor share it.
pub struct OpenFile {
    files: MemoryFiles,
    id: u64,
    /// Its number among those of the file.
    open: u64,
    /// Status flags as `open` took them.
    flags: i32,
    at: u64,
    /// Who takes locks through it.
    owner: u64,
}

impl OpenFile {
    /// Opens a node by this name: permissions have been looked at.
    pub fn new(
        files: &MemoryFiles,
        id: u64,
        via: Option<EntryName<'_>>,
        flags: i32,
        owner: u64,
    ) -> Io<OpenFile> {
        let open = files.tree().open(id, via)?;
        let kept = libc::O_ACCMODE | libc::O_APPEND | libc::O_NONBLOCK | libc::O_SYNC;
        Ok(OpenFile {
            files: files.clone(),
            id,
            open,
            flags: flags & kept,
            at: 0,
            owner,
        })
    }
    /// Its number in its file system.
    pub fn id(&self) -> u64 {
        self.id
    }
    /// The file system it is in.
    pub fn files(&self) -> &MemoryFiles {
        &self.files
    }
    /// Status flags.
    pub fn flags(&self) -> i32 {
        self.flags
    }
    /// Sets or clears `O_NONBLOCK`, which means nothing here.
    pub fn set_blocking(&mut self, blocking: bool) {
        match blocking {
            true => self.flags &= !libc::O_NONBLOCK,
            false => self.flags |= libc::O_NONBLOCK,
        }
    }
    /// The device it is, if it is one.
    pub fn device(&self) -> Option<Device> {
        match self.files.tree().node(self.id).map(|n| &n.kind) {
            Ok(NodeKind::Device(d, _)) => Some(*d),
            _ => None,
        }
    }
    /// That it was opened for this.
    pub fn may(&self, write: bool) -> Io<()> {
        let refused = match write {
            true => libc::O_RDONLY,
            false => libc::O_WRONLY,
        };
        match self.flags & libc::O_ACCMODE == refused {
            true => Err(Errno(libc::EBADF)),
            false => Ok(()),
        }
    }
    /// Reads at the current position.
    pub fn read(&mut self, buf: &mut [u8]) -> Io<usize> {
        self.may(false)?;
        let n = self.files.tree().read(self.id, self.at, buf)?;
        self.at += n as u64;
        Ok(n)
    }
    /// Writes at the current position, or at the end.
    pub fn write(&mut self, buf: &[u8]) -> Io<usize> {
        self.may(true)?;
        let mut tree = self.files.tree();
        if self.flags & libc::O_APPEND != 0 {
            self.at = tree.len(self.id)?;
        }
        let n = tree.write(self.id, self.at, buf)?;
        self.at += n as u64;
        if n > 0 {
            tree.notify_open(self.id, self.open, libc::IN_MODIFY);
        }
        Ok(n)
    }
    /// Reads at a position.
    pub fn pread(&self, buf: &mut [u8], at: i64) -> Io<usize> {
        self.may(false)?;
        self.files.tree().read(self.id, position(at)?, buf)
    }
    /// Writes at a position (in append mode at the end, as Linux does).
    pub fn pwrite(&self, buf: &[u8], at: i64) -> Io<usize> {
        self.may(true)?;
        let mut tree = self.files.tree();
        let at = match self.flags & libc::O_APPEND {
            0 => position(at)?,
            _ => tree.len(self.id)?,
        };
        let n = tree.write(self.id, at, buf)?;
        if n > 0 {
            tree.notify_open(self.id, self.open, libc::IN_MODIFY);
        }
        Ok(n)
    }
    /// Moves the current position.
    pub fn seek(&mut self, offset: i64, origin: SeekOrigin) -> Io<i64> {
        let from = match origin {
            SeekOrigin::Start => 0,
            SeekOrigin::Current => self.at as i64,
            SeekOrigin::End => self.files.tree().len(self.id)? as i64,
        };
        let to = from.checked_add(offset).ok_or(Errno(libc::EOVERFLOW))?;
        self.at = position(to)?;
        Ok(to)
    }
    /// Bytes between the current position and the end.
    pub fn available(&self) -> Io<i32> {
        let left = self.files.tree().len(self.id)?.saturating_sub(self.at);
        Ok(i32::try_from(left).unwrap_or(i32::MAX))
    }
    /// Cuts or extends it.
    pub fn truncate(&self, len: i64) -> Io<()> {
        if self.may(true).is_err() {
            return Err(Errno(libc::EINVAL));
        }
        let mut tree = self.files.tree();
        tree.resize(self.id, position(len)?)?;
        tree.notify_open(self.id, self.open, libc::IN_MODIFY);
        Ok(())
    }
    /// Attributes.
    pub fn stat(&self) -> Io<Stat> {
        self.files.tree().stat(self.id)
    }
    /// Sets permission bits.
    pub fn chmod(&self, mode: u32) -> Io<()> {
        self.change(|tree| tree.set_mode(self.id, mode))
    }
    /// Sets access and modification time.
    pub fn set_times(&self, times: Times) -> Io<()> {
        self.change(|tree| tree.set_times(self.id, times))
    }
    /// Changes attributes.
    fn change(&self, how: impl FnOnce(&mut Tree) -> Io<()>) -> Io<()> {
        let mut tree = self.files.tree();
        how(&mut tree)?;
        tree.notify_open(self.id, self.open, libc::IN_ATTRIB);
        Ok(())
    }
    /// Sets an extended attribute.
    pub fn set_attribute(&self, name: &[u8], value: &[u8]) -> Io<()> {
        self.change(|tree| tree.set_attribute(self.id, name, value))
    }
    /// Removes an extended attribute.
    pub fn remove_attribute(&self, name: &[u8]) -> Io<()> {
        self.change(|tree| tree.remove_attribute(self.id, name))
    }
    /// Locks or unlocks a range; `false` when another VM holds it.
    pub fn lock(&self, lock: Lock) -> Io<bool> {
        let end = match lock.len {
            0 => i64::MAX,
            n => lock.start.checked_add(n).ok_or(Errno(libc::EOVERFLOW))?,
        };
        if lock.start < 0 || end < lock.start {
            return Err(Errno(libc::EINVAL));
        }
        let wanted = HeldLock {
            owner: self.owner,
            start: lock.start,
            end,
            shared: lock.shared == Some(true),
        };
        let unlock = lock.shared.is_none();
        self.files.tree().lock(self.id, wanted, unlock)
    }
    /// Maps a range.
    pub fn map(&self, at: i64, len: usize, access: Access) -> Io<Mapping> {
        self.may(false).map_err(|_| Errno::DENIED)?;
        if access == Access::Write {
            self.may(true).map_err(|_| Errno::DENIED)?;
        }
        let at = position(at)?;
        if len == 0 || at.checked_add(len as u64).is_none() {
            return Err(Errno(libc::EINVAL));
        }
        let view = match access {
            Access::Private => {
                let copy = Copy::new(&self.files, len)?;
                self.files.tree().read(self.id, at, &mut copy.bytes())?;
                return Ok(Mapping::of_host(Box::new(copy)));
            }
            _ => View {
                file: OpenFile::new(&self.files, self.id, None, self.flags, self.owner)?,
                at,
                len,
                writable: access == Access::Write,
            },
        };
        Ok(Mapping::of_host(Box::new(view)))
    }
    /// Value of an extended attribute.
    pub fn get_attribute(&self, name: &[u8], buf: &mut [u8]) -> Io<usize> {
        let tree = self.files.tree();
        let value = tree.node(self.id)?.attributes.get(name);
        fill(buf, value.ok_or(Errno(libc::ENODATA))?)
    }
    /// Names of extended attributes.
    pub fn list_attributes(&self, buf: &mut [u8]) -> Io<usize> {
        let tree = self.files.tree();
        let names = tree.node(self.id)?.attributes.keys();
        let joined: Vec<u8> = names.flat_map(|n| [n, &b"\0"[..]].concat()).collect();
        fill(buf, &joined)
    }
    /// Gives its owner's locks back, as systems do whenever a descriptor of the file is closed.
    pub fn unlock(&self) {
        self.files.tree().unlock_all(self.id, self.owner)
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        self.files.tree().close(self.id, self.open)
    }
}

fn position(at: i64) -> Io<u64> {
    u64::try_from(at).map_err(|_| Errno(libc::EINVAL))
}

/// A mapped range of a file: accesses go to the file.
struct View {
    file: OpenFile,
    at: u64,
    len: usize,
    writable: bool,
}

/// Bytes of a page: on the last page of a file, the bytes behind its end are zeros.
const PAGE: u64 = 4096;

impl View {
    /// Bytes of the file behind position `at` of this range: `None` behind its last page.
    fn inside(&self, at: usize, n: usize) -> Option<usize> {
        let len = self.file.files.tree().len(self.file.id).ok()?;
        let from = self.at + at as u64;
        if from + n as u64 > len.next_multiple_of(PAGE) {
            return None;
        }
        Some(len.saturating_sub(from).min(n as u64) as usize)
    }
}

impl Mapped for View {
    fn len(&self) -> usize {
        self.len
    }
    fn read(&self, at: usize, to: &mut [u8]) -> Option<()> {
        let n = self.inside(at, to.len())?;
        let (bytes, rest) = to.split_at_mut(n);
        rest.fill(0);
        let tree = self.file.files.tree();
        let read = tree.read(self.file.id, self.at + at as u64, bytes).ok()?;
        (read == n).then_some(())
    }
    fn write(&self, at: usize, from: &[u8]) -> Option<()> {
        let n = self.inside(at, from.len()).filter(|_| self.writable)?;
        let mut tree = self.file.files.tree();
        let at = self.at + at as u64;
        let written = match n {
            0 => 0,
            _ => tree.write(self.file.id, at, &from[..n]).ok()?,
        };
        (written == n).then_some(())
    }
}

/// A private mapping of a file: no other process sees its changes. It counts like a file.
struct Copy {
    files: MemoryFiles,
    bytes: Mutex<Vec<u8>>,
}

impl Copy {
    /// Zeros.
    fn new(files: &MemoryFiles, len: usize) -> Io<Copy> {
        files.tree().take(len as u64)?;
        let mut bytes = Vec::new();
        if bytes.try_reserve_exact(len).is_err() {
            files.tree().give_back(len as u64);
            return Err(Errno(libc::ENOMEM));
        }
        bytes.resize(len, 0);
        Ok(Copy {
            files: files.clone(),
            bytes: Mutex::new(bytes),
        })
    }
    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let len = self.bytes().len();
        self.files.tree().give_back(len as u64)
    }
}

impl Mapped for Copy {
    fn len(&self) -> usize {
        self.bytes().len()
    }
    fn read(&self, at: usize, to: &mut [u8]) -> Option<()> {
        to.copy_from_slice(self.bytes().get(at..)?.get(..to.len())?);
        Some(())
    }
    fn write(&self, at: usize, from: &[u8]) -> Option<()> {
        let mut bytes = self.bytes();
        let to = bytes.get_mut(at..)?.get_mut(..from.len())?;
        to.copy_from_slice(from);
        Some(())
    }
}
