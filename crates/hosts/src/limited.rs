//! Limits of what a program takes of its host.

use crate::forward::Around;
use rjvm_vm::host::*;
use rjvm_vm::offheap::{Access, Mapping};
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard};

/// How much a program may take of its host. [`MemoryFiles`](crate::MemoryFiles) limits the size of files in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostLimits {
    /// Descriptors that are open at once: files, sockets, pipes and selectors, and the standard ones of the process if it
    /// has these. Beyond it: "Too many open files". `None`: as many as the system allows, which are then missing elsewhere
    /// in this process; 256 by default.
    pub open_files: Option<u64>,
    /// Bytes it writes in all: to standard output and error, files, sockets and pipes, and by which it makes files
    /// longer; each file, folder and link that it makes counts with 256 bytes and its name. A write fills the rest, and the next
    /// one fails with "Disk quota exceeded" (which `System.out` keeps to itself, as it does with
    /// all errors). `None`, the default: any number.
    pub output_bytes: Option<u64>,
}

impl HostLimits {
    /// No limits but those of the system.
    pub const NONE: HostLimits = HostLimits {
        open_files: None,
        output_bytes: None,
    };
}

impl Default for HostLimits {
    fn default() -> HostLimits {
        HostLimits {
            open_files: Some(256),
            ..HostLimits::NONE
        }
    }
}

/// A limit of [`HostLimits`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostLimit {
    /// [`HostLimits::open_files`].
    OpenFiles,
    /// [`HostLimits::output_bytes`].
    OutputBytes,
}

impl fmt::Display for HostLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HostLimit::OpenFiles => "too many open files",
            HostLimit::OutputBytes => "too much output",
        })
    }
}

/// Bytes that a name counts with besides its own.
const ENTRY: usize = 256;

type OnHit = Box<dyn FnMut(HostLimit) + Send>;

#[derive(Default)]
struct LimitState {
    hit: Vec<HostLimit>,
    written: u64,
    on_hit: Option<OnHit>,
}

/// The use of a program's limits, for the embedder. Copies share it.
#[derive(Clone, Default)]
pub struct Usage(Arc<Mutex<LimitState>>);

impl Usage {
    fn state(&self) -> MutexGuard<'_, LimitState> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
    /// The limits the program has run into so far, in the order in which it did so first.
    pub fn hit(&self) -> Vec<HostLimit> {
        self.state().hit.clone()
    }
    /// Bytes it has written, as [`HostLimits::output_bytes`] counts them.
    pub fn written(&self) -> u64 {
        self.state().written
    }
    /// Calls `f` on the thread of the VM whenever the program first runs into a limit, before it learns of it.
    pub fn on_hit(&self, f: impl FnMut(HostLimit) + Send + 'static) {
        self.state().on_hit = Some(Box::new(f));
    }
    fn run_into(&self, limit: HostLimit) {
        let mut state = self.state();
        if state.hit.contains(&limit) {
            return;
        }
        state.hit.push(limit);
        // called without the lock: it may look at what has been written
        let on_hit = state.on_hit.take();
        drop(state);
        if let Some(mut f) = on_hit {
            f(limit);
            self.state().on_hit.get_or_insert(f);
        }
    }
}

impl fmt::Debug for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        f.debug_struct("Usage")
            .field("hit", &state.hit)
            .field("written", &state.written)
            .finish_non_exhaustive()
    }
}

/// A host with limits.
pub struct Limited {
    inner: Box<dyn Host>,
    limits: HostLimits,
    usage: Usage,
}

impl Limited {
    /// Another host within limits.
    pub fn new(inner: Box<dyn Host>, limits: HostLimits) -> Limited {
        Limited {
            inner,
            limits,
            usage: Usage::default(),
        }
    }
    /// The use of the limits, to be read while the program runs and afterwards.
    pub fn usage(&self) -> Usage {
        self.usage.clone()
    }
    /// That so many descriptors more may be open.
    fn may_open(&mut self, more: u64) -> Io<()> {
        let Some(limit) = self.limits.open_files else {
            return Ok(());
        };
        let open = u64::try_from(self.inner.descriptors().open_count()).unwrap_or(0);
        if open.saturating_add(more) <= limit {
            return Ok(());
        }
        self.usage.run_into(HostLimit::OpenFiles);
        Err(Errno(libc::EMFILE))
    }
    /// How many of so many bytes may be written; at least one, unless none is wanted.
    fn may_write(&mut self, wanted: usize) -> Io<usize> {
        let Some(limit) = self.limits.output_bytes else {
            return Ok(wanted);
        };
        let left = limit.saturating_sub(self.usage.written());
        let n = wanted.min(usize::try_from(left).unwrap_or(usize::MAX));
        if n == 0 && wanted > 0 {
            self.usage.run_into(HostLimit::OutputBytes);
            return Err(Errno(libc::EDQUOT));
        }
        Ok(n)
    }
    /// Makes something with this name, which counts as output.
    fn make(&mut self, name: &[u8], make: impl FnOnce(&mut dyn Host) -> Io<()>) -> Io<()> {
        let bytes = ENTRY + name.len();
        if self.may_write(bytes)? < bytes {
            self.usage.run_into(HostLimit::OutputBytes);
            return Err(Errno(libc::EDQUOT));
        }
        let made = make(&mut *self.inner).map(|()| bytes);
        self.written(made).map(|_| ())
    }
    fn written(&mut self, r: Io<usize>) -> Io<usize> {
        if let Ok(n) = r {
            self.usage.state().written += n as u64;
        }
        r
    }
}

impl Around for Limited {
    fn inner(&mut self) -> &mut dyn Host {
        &mut *self.inner
    }
    fn executed(&mut self) -> Option<&mut i64> {
        None
    }
    fn counts(&self) -> bool {
        self.inner.counts_bytecodes()
    }
    fn native_access(&self) -> bool {
        self.inner.native_access()
    }
}

macro_rules! limited {
    (descriptors write($($rest:tt)*) -> $r:ty) => {
        fn write(&mut self, fd: i32, buf: &[u8]) -> Io<usize> {
            let n = self.may_write(buf.len())?;
            let r = self.inner.descriptors().write(fd, &buf[..n]);
            self.written(r)
        }
    };
    (descriptors pwrite($($rest:tt)*) -> $r:ty) => {
        fn pwrite(&mut self, fd: i32, buf: &[u8], at: i64) -> Io<usize> {
            let n = self.may_write(buf.len())?;
            let r = self.inner.descriptors().pwrite(fd, &buf[..n], at);
            self.written(r)
        }
    };
    (descriptors truncate($($rest:tt)*) -> $r:ty) => {
        fn truncate(&mut self, fd: i32, len: i64) -> Io<()> {
            let d = self.inner.descriptors();
            let old = d.stat(fd).map_or(0, |s| s.size);
            let more = usize::try_from(len.saturating_sub(old)).unwrap_or(0);
            if self.may_write(more)? < more {
                self.usage.run_into(HostLimit::OutputBytes);
                return Err(Errno(libc::EDQUOT));
            }
            let r = self.inner.descriptors().truncate(fd, len);
            self.written(r.map(|()| more)).map(|_| ())
        }
    };
    (descriptors transfer($($rest:tt)*) -> $r:ty) => {
        fn transfer(&mut self, from: i32, at: i64, count: usize, to: i32) -> Io<usize> {
            let n = self.may_write(count)?;
            let r = self.inner.descriptors().transfer(from, at, n, to);
            self.written(r)
        }
    };
    (descriptors dup($($rest:tt)*) -> $r:ty) => {
        fn dup(&mut self, fd: i32) -> Io<i32> {
            self.may_open(1)?;
            self.inner.descriptors().dup(fd)
        }
    };
    (descriptors pipe($($rest:tt)*) -> $r:ty) => {
        fn pipe(&mut self) -> Io<(i32, i32)> {
            self.may_open(2)?;
            self.inner.descriptors().pipe()
        }
    };
    (descriptors socket_pair($($rest:tt)*) -> $r:ty) => {
        fn socket_pair(&mut self) -> Io<(i32, i32)> {
            self.may_open(2)?;
            self.inner.descriptors().socket_pair()
        }
    };
    (descriptors epoll_create($($rest:tt)*) -> $r:ty) => {
        fn epoll_create(&mut self) -> Io<i32> {
            self.may_open(1)?;
            self.inner.descriptors().epoll_create()
        }
    };
    (descriptors event($($rest:tt)*) -> $r:ty) => {
        fn event(&mut self) -> Io<i32> {
            self.may_open(1)?;
            self.inner.descriptors().event()
        }
    };
    (descriptors limit($($rest:tt)*) -> $r:ty) => {
        fn limit(&mut self) -> i32 {
            let own = self.limits.open_files.map_or(i32::MAX, |n| i32::try_from(n).unwrap_or(i32::MAX));
            self.inner.descriptors().limit().min(own)
        }
    };
    (files open($($rest:tt)*) -> $r:ty) => {
        fn open(&mut self, dir: i32, path: &[u8], flags: i32, mode: u32) -> Io<i32> {
            self.may_open(1)?;
            // what is opened may be made by that
            let makes = self.limits.output_bytes.is_some()
                && flags & libc::O_CREAT != 0
                && self.inner.files().stat(dir, path, true).is_err();
            if !makes {
                return self.inner.files().open(dir, path, flags, mode);
            }
            let mut fd = -1;
            self.make(path, |host| {
                fd = host.files().open(dir, path, flags, mode)?;
                Ok(())
            })?;
            Ok(fd)
        }
    };
    (files create_dir($($rest:tt)*) -> $r:ty) => {
        fn create_dir(&mut self, path: &[u8], mode: u32) -> Io<()> {
            self.make(path, |host| host.files().create_dir(path, mode))
        }
    };
    (files link($($rest:tt)*) -> $r:ty) => {
        fn link(&mut self, existing: &[u8], link: &[u8]) -> Io<()> {
            self.make(link, |host| host.files().link(existing, link))
        }
    };
    (files symlink($($rest:tt)*) -> $r:ty) => {
        fn symlink(&mut self, target: &[u8], link: &[u8]) -> Io<()> {
            // its content is what it leads to
            let name = [target, link].concat();
            self.make(&name, |host| host.files().symlink(target, link))
        }
    };
    (files make_node($($rest:tt)*) -> $r:ty) => {
        fn make_node(&mut self, path: &[u8], mode: u32, device: u64) -> Io<()> {
            self.make(path, |host| host.files().make_node(path, mode, device))
        }
    };
    (files watcher($($rest:tt)*) -> $r:ty) => {
        fn watcher(&mut self) -> Io<i32> {
            self.may_open(1)?;
            self.inner.files().watcher()
        }
    };
    (network socket($($rest:tt)*) -> $r:ty) => {
        fn socket(&mut self, domain: i32, kind: i32, protocol: i32) -> Io<i32> {
            self.may_open(1)?;
            self.inner.network().socket(domain, kind, protocol)
        }
    };
    (network accept($($rest:tt)*) -> $r:ty) => {
        fn accept(&mut self, fd: i32) -> Io<(i32, Address)> {
            self.may_open(1)?;
            self.inner.network().accept(fd)
        }
    };
    (network send($($rest:tt)*) -> $r:ty) => {
        fn send(&mut self, fd: i32, buf: &[u8], flags: i32) -> Io<usize> {
            let n = self.may_write(buf.len())?;
            let r = self.inner.network().send(fd, &buf[..n], flags);
            self.written(r)
        }
    };
    (network send_to($($rest:tt)*) -> $r:ty) => {
        fn send_to(&mut self, fd: i32, buf: &[u8], to: &Address) -> Io<usize> {
            // a datagram is sent as a whole or not at all
            if self.may_write(buf.len())? < buf.len() {
                self.usage.run_into(HostLimit::OutputBytes);
                return Err(Errno(libc::EDQUOT));
            }
            let r = self.inner.network().send_to(fd, buf, to);
            self.written(r)
        }
    };
    (processes exit_descriptor($($rest:tt)*) -> $r:ty) => {
        fn exit_descriptor(&mut self, pid: i64) -> Io<i32> {
            self.may_open(1)?;
            self.inner.processes().exit_descriptor(pid)
        }
    };
    ($($request:tt)*) => {
        pass! { $($request)* }
    };
}
each_part! { around! Limited limited }
