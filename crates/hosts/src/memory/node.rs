//! What a file system in memory consists of.

use rjvm_vm::host::{Errno, Io, Stat};
use std::collections::BTreeMap;

/// The user and the group that own all files in memory.
pub const USER: u32 = 1000;

/// Bytes of a block, as attributes report it.
pub const BLOCK: u64 = 4096;

/// The devices a program finds below `/dev`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Device {
    /// Discards writes, and has nothing to read.
    Null,
    /// Zeros without end.
    Zero,
    /// The host's entropy.
    Random,
}

/// The kind of a node.
#[derive(Debug)]
pub enum NodeKind {
    /// A file and its content.
    File(Vec<u8>),
    /// A folder: the numbers of its entries by their names.
    Folder(BTreeMap<Vec<u8>, u64>),
    /// A symbolic link and its target.
    Link(Vec<u8>),
    /// A device: its major and minor number are those of Linux.
    Device(Device, u32),
}

/// A lock that a VM holds.
#[derive(Clone, Copy, Debug)]
pub struct HeldLock {
    /// The VM.
    pub owner: u64,
    /// First byte.
    pub start: i64,
    /// First byte behind it.
    pub end: i64,
    /// Whether others may hold a shared one as well.
    pub shared: bool,
}

/// A file, folder, link or device.
#[derive(Debug)]
pub struct Node {
    /// Its kind.
    pub kind: NodeKind,
    /// Permission bits.
    pub mode: u32,
    /// Names it has.
    pub links: u64,
    /// Open files it is in, each with the name by which it was opened, wherever that was moved since.
    pub opens: BTreeMap<u64, Option<(u64, Vec<u8>)>>,
    /// Last access, last modification, last change of attributes, creation.
    pub times: [(i64, i64); 4],
    /// Extended attributes.
    pub attributes: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Locks.
    pub locks: Vec<HeldLock>,
}

impl Node {
    /// Without a name yet.
    pub fn new(kind: NodeKind, mode: u32, now: (i64, i64)) -> Node {
        Node {
            kind,
            mode: mode & 0o7777,
            links: 0,
            opens: BTreeMap::new(),
            times: [now; 4],
            attributes: BTreeMap::new(),
            locks: Vec::new(),
        }
    }
    /// Bytes of its content.
    pub fn size(&self) -> u64 {
        match &self.kind {
            NodeKind::File(content) => content.len() as u64,
            NodeKind::Link(target) => target.len() as u64,
            // as on most disks
            NodeKind::Folder(_) => BLOCK,
            NodeKind::Device(..) => 0,
        }
    }
    /// What it takes, without its names.
    pub fn weight(&self) -> u64 {
        let content = match &self.kind {
            NodeKind::File(b) | NodeKind::Link(b) => b.len() as u64,
            _ => 0,
        };
        let attributes = self.attributes.iter().map(|(n, v)| n.len() + v.len());
        content + attributes.sum::<usize>() as u64
    }
    /// The names in a folder.
    pub fn entries(&self) -> Io<&BTreeMap<Vec<u8>, u64>> {
        match &self.kind {
            NodeKind::Folder(entries) => Ok(entries),
            _ => Err(Errno(libc::ENOTDIR)),
        }
    }
    /// The same to be changed.
    pub fn entries_mut(&mut self) -> Io<&mut BTreeMap<Vec<u8>, u64>> {
        match &mut self.kind {
            NodeKind::Folder(entries) => Ok(entries),
            _ => Err(Errno(libc::ENOTDIR)),
        }
    }
    /// Whether it is a folder.
    pub fn is_folder(&self) -> bool {
        matches!(self.kind, NodeKind::Folder(_))
    }
    /// Whether its owner may do this (bits 4 read, 2 write, 1 execute).
    pub fn check(&self, wanted: u32) -> Io<()> {
        match (self.mode >> 6) & wanted == wanted {
            true => Ok(()),
            false => Err(Errno::DENIED),
        }
    }
    /// Attributes.
    pub fn stat(&self, id: u64) -> Stat {
        let (kind, rdev) = match &self.kind {
            NodeKind::File(_) => (libc::S_IFREG, 0),
            NodeKind::Folder(_) => (libc::S_IFDIR, 0),
            NodeKind::Link(_) => (libc::S_IFLNK, 0),
            NodeKind::Device(_, minor) => (libc::S_IFCHR, libc::makedev(1, *minor)),
        };
        let folders = match &self.kind {
            // its own entry; those of the folders in it are not counted, as on some disks
            NodeKind::Folder(_) => 1,
            _ => 0,
        };
        Stat {
            mode: kind | self.mode,
            ino: id,
            // no disk has this number
            dev: libc::makedev(0, 0xfff),
            rdev,
            nlink: self.links + folders,
            uid: USER,
            gid: USER,
            size: self.size() as i64,
            blksize: BLOCK as i64,
            atime: self.times[0],
            mtime: self.times[1],
            ctime: self.times[2],
            birthtime: self.times[3],
        }
    }
}
