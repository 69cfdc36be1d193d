//! Watchers of files in memory. They receive what Linux reports to its own (`inotify`) of files on a disk: the same events, in
//! the order of the operations, under the name that the operation used.

use super::node::Node;
use super::tree::Tree;
use rjvm_vm::host::{Errno, Io};
use std::collections::{BTreeMap, VecDeque};
use std::io::{PipeReader, PipeWriter, Read, Write};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

/// Numbers of watches in memory begin here: those of the kernel's watchers are smaller.
pub const FIRST: i32 = 1 << 24;
/// Most events that wait to be read, as on Linux; further events are reported as an overflow.
const WAITING: usize = 16384;
/// Bytes of names in a tree's events that wait to be read.
const NAMES: u64 = 1 << 20;
/// Watches of a tree.
const WATCHES: usize = 8192;
/// Bytes of `struct inotify_event`; names are filled up to a multiple of it.
const EVENT: usize = 16;

/// A notification for a watcher.
#[derive(PartialEq, Eq)]
struct Event {
    watch: i32,
    mask: u32,
    cookie: u32,
    name: Vec<u8>,
}

/// An event that waits; it counts until it is dropped.
struct QueuedEvent(Event, Arc<AtomicU64>);

impl Drop for QueuedEvent {
    fn drop(&mut self) {
        self.1
            .fetch_sub(self.0.name.len() as u64, Ordering::Relaxed);
    }
}

struct Queue {
    events: VecDeque<QueuedEvent>,
    /// Holds a byte while there are events.
    signal: (PipeReader, PipeWriter),
    next: i32,
}

/// A watcher.
pub struct Watcher(Mutex<Queue>);

impl Watcher {
    /// Watches nothing yet. The descriptor can be read from while there are events: for waits.
    pub fn new() -> Io<(Arc<Watcher>, OwnedFd)> {
        let signal = std::io::pipe()?;
        let ready = signal.0.try_clone()?.into();
        let queue = Queue {
            events: VecDeque::new(),
            signal,
            next: FIRST,
        };
        Ok((Arc::new(Watcher(Mutex::new(queue))), ready))
    }
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // nothing panics under the lock
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
    fn number(&self) -> i32 {
        let mut q = self.queue();
        q.next += 1;
        q.next - 1
    }
    fn notify(&self, mut event: Event, names: &Arc<AtomicU64>) {
        let mut q = self.queue();
        let last = q.events.back().map(|w| &w.0);
        // it is reported already
        if last == Some(&event) {
            return;
        }
        let taken = names.load(Ordering::Relaxed) + event.name.len() as u64;
        if q.events.len() >= WAITING || taken > NAMES {
            event = Event {
                watch: -1,
                mask: libc::IN_Q_OVERFLOW,
                cookie: 0,
                name: Vec::new(),
            };
            if last == Some(&event) {
                return;
            }
        }
        names.fetch_add(event.name.len() as u64, Ordering::Relaxed);
        q.events.push_back(QueuedEvent(event, names.clone()));
        if q.events.len() == 1 {
            // a pipe has room for a byte
            let _ = q.signal.1.write(&[0]);
        }
    }
    /// Whether there are events.
    pub fn any(&self) -> bool {
        !self.queue().events.is_empty()
    }
    /// Takes as many events as there is room for.
    pub fn read(&self, buf: &mut [u8]) -> Io<usize> {
        let mut q = self.queue();
        let mut n = 0;
        while let Some(QueuedEvent(e, _)) = q.events.front() {
            let name = match e.name.len() {
                0 => 0,
                len => (len + 1).next_multiple_of(EVENT),
            };
            let Some(to) = buf[n..].get_mut(..EVENT + name) else {
                break;
            };
            to.fill(0);
            to[..4].copy_from_slice(&e.watch.to_ne_bytes());
            to[4..8].copy_from_slice(&e.mask.to_ne_bytes());
            to[8..12].copy_from_slice(&e.cookie.to_ne_bytes());
            to[12..16].copy_from_slice(&(name as u32).to_ne_bytes());
            to[16..][..e.name.len()].copy_from_slice(&e.name);
            n += EVENT + name;
            q.events.pop_front();
        }
        match (n, q.events.is_empty()) {
            (0, true) => return Err(Errno(libc::EAGAIN)),
            (0, false) => return Err(Errno(libc::EINVAL)),
            (_, true) => {
                let _ = q.signal.0.read(&mut [0]);
            }
            (_, false) => {}
        }
        Ok(n)
    }
}

/// Somebody's interest in a node.
struct Watch {
    watcher: Weak<Watcher>,
    number: i32,
    mask: u32,
}

/// Who watches what in a tree.
#[derive(Default)]
pub struct Watches {
    by_node: BTreeMap<u64, Vec<Watch>>,
    cookie: u32,
    names: Arc<AtomicU64>,
}

impl std::fmt::Debug for Watches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Watches").field(&self.by_node.len()).finish()
    }
}

impl Watches {
    /// Those of a node that are interested.
    fn notify(&mut self, id: u64, mask: u32, cookie: u32, name: &[u8]) {
        let Some(watches) = self.by_node.get_mut(&id) else {
            return;
        };
        watches.retain(|w| {
            let watcher = w.watcher.upgrade();
            if let Some(watcher) = &watcher
                && (w.mask & mask & libc::IN_ALL_EVENTS != 0 || mask & libc::IN_IGNORED != 0)
            {
                let event = Event {
                    watch: w.number,
                    mask,
                    cookie,
                    name: name.to_vec(),
                };
                watcher.notify(event, &self.names);
            }
            watcher.is_some()
        });
        if watches.is_empty() {
            self.by_node.remove(&id);
        }
    }
    /// A node is no more.
    pub fn gone(&mut self, id: u64) {
        if self.by_node.contains_key(&id) {
            self.notify(id, libc::IN_IGNORED, 0, b"");
            self.by_node.remove(&id);
        }
    }
}

/// A name in a folder.
pub type EntryName<'a> = (u64, &'a [u8]);

fn folder_bit(node: Option<&Node>) -> u32 {
    match node.is_some_and(Node::is_folder) {
        true => libc::IN_ISDIR,
        false => 0,
    }
}

impl Tree {
    /// Registers a watcher of a node; returns the number of the watch.
    pub fn watch(&mut self, id: u64, watcher: &Arc<Watcher>, mask: u32) -> Io<i32> {
        let node = self.node(id)?;
        node.check(4)?;
        if mask & libc::IN_ONLYDIR != 0 && !node.is_folder() {
            return Err(Errno(libc::ENOTDIR));
        }
        let own = Arc::as_ptr(watcher);
        let by_node = &mut self.watches.by_node;
        by_node.retain(|_, of_node| {
            of_node.retain(|w| w.watcher.strong_count() > 0);
            !of_node.is_empty()
        });
        let known = by_node.get_mut(&id);
        if let Some(w) = known.and_then(|all| all.iter_mut().find(|w| w.watcher.as_ptr() == own)) {
            w.mask = mask;
            return Ok(w.number);
        }
        if by_node.values().map(Vec::len).sum::<usize>() >= WATCHES {
            return Err(Errno(libc::ENOSPC));
        }
        let number = watcher.number();
        by_node.entry(id).or_default().push(Watch {
            watcher: Arc::downgrade(watcher),
            number,
            mask,
        });
        Ok(number)
    }
    /// Ends that, if it was so.
    pub fn unwatch(&mut self, watcher: &Arc<Watcher>, number: i32) -> bool {
        let own = Arc::as_ptr(watcher);
        let is = |w: &Watch| w.watcher.as_ptr() == own && w.number == number;
        let found = self
            .watches
            .by_node
            .iter_mut()
            .find(|(_, all)| all.iter().any(is));
        let Some((&id, all)) = found else {
            return false;
        };
        all.retain(|w| !is(w));
        if all.is_empty() {
            self.watches.by_node.remove(&id);
        }
        let ignored = Event {
            watch: number,
            mask: libc::IN_IGNORED,
            cookie: 0,
            name: Vec::new(),
        };
        watcher.notify(ignored, &self.watches.names);
        true
    }
    /// Something has happened to a node reached by this name: watchers of the folder are notified first.
    pub fn notify(&mut self, via: Option<EntryName<'_>>, id: u64, what: u32) {
        if self.watches.by_node.is_empty() {
            return;
        }
        let what = what | folder_bit(self.node(id).ok());
        if let Some((folder, name)) = via {
            self.watches.notify(folder, what, 0, name);
        }
        self.watches.notify(id, what, 0, b"");
    }
    /// A name has come or gone.
    pub fn notify_folder(&mut self, (folder, name): EntryName<'_>, what: u32, is_folder: bool) {
        let bit = if is_folder { libc::IN_ISDIR } else { 0 };
        self.watches.notify(folder, what | bit, 0, name);
    }
    /// A node was renamed.
    pub fn notify_renamed(&mut self, from: EntryName<'_>, to: EntryName<'_>, is_folder: bool) {
        let bit = if is_folder { libc::IN_ISDIR } else { 0 };
        let w = &mut self.watches;
        w.cookie = w.cookie.wrapping_add(1);
        let cookie = w.cookie;
        w.notify(from.0, libc::IN_MOVED_FROM | bit, cookie, from.1);
        w.notify(to.0, libc::IN_MOVED_TO | bit, cookie, to.1);
    }
    /// The same by the one that opened it.
    pub fn notify_open(&mut self, id: u64, open: u64, what: u32) {
        if self.watches.by_node.is_empty() {
            return;
        }
        let via = self
            .node(id)
            .ok()
            .and_then(|n| n.opens.get(&open))
            .cloned()
            .flatten();
        self.notify(via.as_ref().map(|(f, n)| (*f, &**n)), id, what);
    }
}
