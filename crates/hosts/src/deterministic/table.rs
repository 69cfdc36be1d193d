//! What a program has open, by its numbers.

use super::known::FileId;
use super::selectors::Selector;
use super::sockets::Socket;
use super::streams::Lines;
use rjvm_vm::host::{Errno, Io};
use std::collections::{BTreeMap, BTreeSet};

/// Something that is open; it may have more than one number.
pub type OpenId = u64;

/// The open file, pipe, socket or other object of a descriptor.
pub enum DescriptorKind {
    /// A file of the host inside.
    File {
        /// Its descriptor there.
        fd: i32,
        /// The file's identity.
        id: FileId,
    },
    /// Something of the host inside that others answer at: a pipe to another process, a connection to another machine.
    Stream {
        /// Its descriptor there.
        fd: i32,
        /// Input that has been taken.
        lines: Lines,
        /// The program may be notified of the input: it was found when no thread could run.
        granted: bool,
    },
    /// Fixed contents.
    Bytes {
        /// They.
        data: Vec<u8>,
        /// Where the next read begins.
        at: usize,
    },
    /// A directory that exists in the program's world only.
    Names(Vec<Vec<u8>>),
    /// Entropy.
    Entropy,
    /// The reading end of a pipe, a channel.
    Reader(u64),
    /// Its writing end.
    Writer(u64),
    /// A socket.
    Socket(Box<Socket>),
    /// An event counter.
    Event(u64),
    /// An epoll instance.
    Selector(Selector),
}

/// An open thing and the count of its numbers.
pub struct Open {
    /// It.
    pub kind: DescriptorKind,
    /// Its descriptors.
    pub users: usize,
    /// `O_NONBLOCK` is set (of what exists in memory).
    pub nonblocking: bool,
}

/// All of a program's.
pub struct Table {
    numbers: BTreeMap<i32, OpenId>,
    free: BTreeSet<i32>,
    next: i32,
    opens: BTreeMap<OpenId, Open>,
    next_open: OpenId,
}

impl Table {
    /// The standard streams.
    pub fn standard() -> Table {
        let mut t = Table {
            numbers: BTreeMap::new(),
            free: BTreeSet::new(),
            next: 3,
            opens: BTreeMap::new(),
            next_open: 0,
        };
        for fd in 0..3 {
            let open = t.make(DescriptorKind::Stream {
                fd,
                lines: Lines::default(),
                granted: false,
            });
            t.opens.get_mut(&open).expect("made").users = 1;
            t.numbers.insert(fd, open);
        }
        t
    }
    /// Something open that has no number yet.
    pub fn make(&mut self, kind: DescriptorKind) -> OpenId {
        self.next_open += 1;
        self.opens.insert(
            self.next_open,
            Open {
                kind,
                users: 0,
                nonblocking: false,
            },
        );
        self.next_open
    }
    /// Gives it a number: the lowest that is free.
    pub fn number(&mut self, open: OpenId) -> i32 {
        let n = self.free.pop_first().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        });
        self.numbers.insert(n, open);
        if let Some(o) = self.opens.get_mut(&open) {
            o.users += 1;
        }
        n
    }
    /// Something open, with a number.
    pub fn add(&mut self, kind: DescriptorKind) -> i32 {
        let open = self.make(kind);
        self.number(open)
    }
    /// The open thing of a number.
    pub fn id(&self, fd: i32) -> Io<OpenId> {
        self.numbers.get(&fd).copied().ok_or(Errno(libc::EBADF))
    }
    /// Something by what identifies it.
    pub fn open(&mut self, id: OpenId) -> Option<&mut Open> {
        self.opens.get_mut(&id)
    }
    /// The same to look at.
    pub fn look(&self, id: OpenId) -> Option<&Open> {
        self.opens.get(&id)
    }
    /// The open thing of a number.
    pub fn get(&mut self, fd: i32) -> Io<&mut Open> {
        let id = self.id(fd)?;
        self.open(id).ok_or(Errno(libc::EBADF))
    }
    /// The kind of a number's open thing.
    pub fn kind(&mut self, fd: i32) -> Io<&mut DescriptorKind> {
        Ok(&mut self.get(fd)?.kind)
    }
    /// The socket behind a number.
    pub fn socket(&mut self, fd: i32) -> Io<&mut Socket> {
        match self.kind(fd)? {
            DescriptorKind::Socket(s) => Ok(s),
            _ => Err(Errno(libc::ENOTSOCK)),
        }
    }
    /// All that is open.
    pub fn all(&self) -> impl Iterator<Item = (OpenId, &Open)> {
        self.opens.iter().map(|(&id, o)| (id, o))
    }
    /// The same, to change it.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut Open> {
        self.opens.values_mut()
    }
    /// Gives a number up; what it stood for comes back if no other one does.
    pub fn drop_number(&mut self, fd: i32) -> Io<Option<(OpenId, Open)>> {
        let id = self.numbers.remove(&fd).ok_or(Errno(libc::EBADF))?;
        if fd >= 3 {
            self.free.insert(fd);
        }
        Ok(self.release(id))
    }
    fn release(&mut self, id: OpenId) -> Option<(OpenId, Open)> {
        let open = self.opens.get_mut(&id)?;
        open.users -= 1;
        match open.users {
            0 => self.opens.remove(&id).map(|o| (id, o)),
            _ => None,
        }
    }
    /// Takes something without a number away.
    pub fn forget(&mut self, id: OpenId) -> Option<Open> {
        self.opens.remove(&id)
    }
    /// Makes `to` a copy of `from`; returns the object that is no longer open.
    pub fn replace(&mut self, from: i32, to: i32) -> Io<Option<(OpenId, Open)>> {
        let id = self.id(from)?;
        if !(0..self.next).contains(&to) {
            return Err(Errno(libc::EBADF));
        }
        if from == to {
            return Ok(None);
        }
        self.free.remove(&to);
        if let Some(o) = self.opens.get_mut(&id) {
            o.users += 1;
        }
        let old = self.numbers.insert(to, id);
        Ok(old.and_then(|old| self.release(old)))
    }
    /// How many numbers are in use.
    pub fn count(&self) -> usize {
        self.numbers.len()
    }
}
