//! A program's view of files besides their contents: numbers in the order in which it first sees them, times by its own
//! clock, one owner, permissions that do not depend on who checked the files out.

use super::USER_ID;
use rjvm_vm::host::{FileStore, Stat, Times};
use rjvm_vm::threads::clock::EPOCH;
use std::collections::BTreeMap;

/// What identifies a file on this machine while it exists: device and number.
pub type FileId = (u64, u64);

type FileTime = (i64, i64);

/// Of files that were there before the program began.
const BEFORE: FileTime = (EPOCH, 0);
/// The one device.
const DEVICE: u64 = 0x801;
/// Permission bits that are taken off new files.
const UMASK: u32 = 0o022;

/// A file the program has seen.
struct SeenFile {
    number: u64,
    /// Permission bits that the program has given it.
    mode: Option<u32>,
    access: FileTime,
    modified: FileTime,
    changed: FileTime,
    created: FileTime,
}

/// All of them.
#[derive(Default)]
pub struct SeenFiles {
    files: BTreeMap<FileId, SeenFile>,
    numbers: u64,
}

/// What identifies a file with these attributes.
pub fn id(s: &Stat) -> FileId {
    (s.dev, s.ino)
}

impl SeenFiles {
    fn number(&mut self) -> u64 {
        self.numbers += 1;
        // the root of a file system has number 2 on many
        self.numbers + 1
    }
    fn seen(&mut self, id: FileId) -> &mut SeenFile {
        if !self.files.contains_key(&id) {
            let number = self.number();
            self.files.insert(
                id,
                SeenFile {
                    number,
                    mode: None,
                    access: BEFORE,
                    modified: BEFORE,
                    changed: BEFORE,
                    created: BEFORE,
                },
            );
        }
        self.files.get_mut(&id).expect("there now")
    }
    /// The program has made it, asking for these permission bits.
    pub fn made(&mut self, id: FileId, mode: u32, now: FileTime) {
        self.files.remove(&id);
        let seen = self.seen(id);
        seen.mode = Some(mode & 0o7777 & !UMASK);
        (seen.access, seen.modified, seen.changed, seen.created) = (now, now, now, now);
    }
    /// It is gone: another process may get its number on this machine.
    pub fn gone(&mut self, id: FileId) {
        self.files.remove(&id);
    }
    /// It has become another file on this machine.
    pub fn moved(&mut self, from: FileId, to: FileId) {
        if let Some(seen) = self.files.remove(&from) {
            self.files.insert(to, seen);
        }
    }
    /// The program has written to the file, or changed the entries of the directory.
    pub fn written(&mut self, id: FileId, now: FileTime) {
        let seen = self.seen(id);
        (seen.modified, seen.changed) = (now, now);
    }
    /// Its attributes were changed.
    pub fn changed(&mut self, id: FileId, now: FileTime) {
        self.seen(id).changed = now;
    }
    /// The program has given it these permission bits.
    pub fn allowed(&mut self, id: FileId, mode: u32, now: FileTime) {
        let seen = self.seen(id);
        (seen.mode, seen.changed) = (Some(mode & 0o7777), now);
    }
    /// The program has set its times.
    pub fn timed(&mut self, id: FileId, times: Times, now: FileTime) {
        let seen = self.seen(id);
        (seen.access, seen.modified, seen.changed) = (times.access, times.modified, now);
    }
    /// The attributes that the program sees instead of `s`.
    pub fn shown(&mut self, s: Stat) -> Stat {
        let kind = s.kind();
        let seen = self.seen(id(&s));
        let special = !matches!(kind, libc::S_IFREG | libc::S_IFDIR | libc::S_IFLNK);
        let mode = match seen.mode {
            Some(mode) => mode,
            None if special || kind == libc::S_IFLNK => s.mode & 0o7777,
            None => {
                // what the owner may, others may, except writing
                let owner = s.mode >> 6 & 7;
                owner << 6 | (owner & 5) << 3 | (owner & 5)
            }
        };
        let directory = kind == libc::S_IFDIR;
        Stat {
            mode: kind | mode,
            ino: seen.number,
            dev: DEVICE,
            rdev: s.rdev,
            nlink: if directory { 2 } else { s.nlink },
            uid: USER_ID,
            gid: USER_ID,
            size: if directory { 4096 } else { s.size },
            blksize: 4096,
            atime: seen.access,
            mtime: seen.modified,
            ctime: seen.changed,
            birthtime: seen.created,
        }
    }
}

/// Attributes of what exists in the program's world only.
pub fn made_up(kind: u32, mode: u32, number: u64, size: i64) -> Stat {
    Stat {
        mode: kind | mode,
        ino: number,
        dev: DEVICE,
        rdev: 0,
        nlink: 1,
        uid: USER_ID,
        gid: USER_ID,
        size,
        blksize: 4096,
        atime: BEFORE,
        mtime: BEFORE,
        ctime: BEFORE,
        birthtime: BEFORE,
    }
}

/// Every file system: a terabyte, half of it free.
pub const STORE: FileStore = FileStore {
    block_size: 4096,
    blocks: 1 << 28,
    free: 1 << 27,
    available: 1 << 27,
};
