//! Who is ready: `epoll`, and waits of the scheduler.

use super::sockets::SocketState;
use super::streams;
use super::table::{DescriptorKind, OpenId};
use super::{Deterministic, OUTSIDE_EVERY};
use rjvm_vm::host::{Errno, Io};

/// Its flags, among the events.
const ONE_SHOT: u32 = libc::EPOLLONESHOT as u32;
/// Reported whether requested or not.
const ALWAYS: i16 = libc::POLLERR | libc::POLLHUP;
/// Selectors that watch selectors, at most.
const DEPTH: usize = 5;

/// What an epoll instance watches.
#[derive(Clone, Copy)]
struct Interest {
    fd: i32,
    open: OpenId,
    events: u32,
}

/// An epoll instance.
#[derive(Default)]
pub struct Selector {
    watched: Vec<Interest>,
}

impl Selector {
    /// `epoll_ctl`.
    pub fn control(&mut self, operation: i32, fd: i32, open: OpenId, events: u32) -> Io<()> {
        let known = self
            .watched
            .iter()
            .position(|w| (w.fd, w.open) == (fd, open));
        match (operation, known) {
            (libc::EPOLL_CTL_ADD, None) => self.watched.push(Interest { fd, open, events }),
            (libc::EPOLL_CTL_ADD, Some(_)) => return Err(Errno(libc::EEXIST)),
            (libc::EPOLL_CTL_MOD, Some(i)) => self.watched[i].events = events,
            (libc::EPOLL_CTL_DEL, Some(i)) => {
                self.watched.remove(i);
            }
            (libc::EPOLL_CTL_MOD | libc::EPOLL_CTL_DEL, None) => return Err(Errno(libc::ENOENT)),
            _ => return Err(Errno(libc::EINVAL)),
        }
        Ok(())
    }
    /// Stops watching a descriptor that was closed.
    pub fn forget(&mut self, open: OpenId) {
        self.watched.retain(|w| w.open != open);
    }
}

impl Deterministic {
    /// The events of an open thing that are there now, of those wanted and [`ALWAYS`].
    pub(super) fn events(&mut self, open: OpenId, wanted: i16) -> i16 {
        self.events_below(open, wanted, DEPTH)
    }
    fn events_below(&mut self, open: OpenId, wanted: i16, depth: usize) -> i16 {
        let Some(o) = self.table.look(open) else {
            return libc::POLLNVAL;
        };
        let wanted = wanted | ALWAYS;
        match &o.kind {
            DescriptorKind::File { fd, .. } => streams::events(&mut *self.inner, *fd, wanted),
            DescriptorKind::Stream { fd, lines, granted } => {
                let (fd, any, granted) = (*fd, lines.any(), *granted);
                let mut found = 0;
                // what has been taken already came with something else, perhaps: it has to be granted too
                let input =
                    granted || !self.waits(fd) && (any || streams::is_there(&mut *self.inner, fd));
                if wanted & libc::POLLIN != 0 && input {
                    found |= libc::POLLIN;
                }
                if wanted & libc::POLLOUT != 0 {
                    found |= streams::events(&mut *self.inner, fd, libc::POLLOUT);
                }
                found
            }
            DescriptorKind::Bytes { .. } | DescriptorKind::Names(_) | DescriptorKind::Entropy => {
                wanted & (libc::POLLIN | libc::POLLOUT)
            }
            DescriptorKind::Reader(c) => self.channels.reader_events(*c) & wanted,
            DescriptorKind::Writer(c) => self.channels.writer_events(*c) & wanted,
            DescriptorKind::Event(count) => {
                wanted & (libc::POLLOUT | if *count > 0 { libc::POLLIN } else { 0 })
            }
            DescriptorKind::Socket(s) => {
                let found = match &s.state {
                    SocketState::Fresh if s.error != 0 => {
                        libc::POLLIN | libc::POLLOUT | libc::POLLHUP | libc::POLLERR
                    }
                    SocketState::Fresh => libc::POLLOUT | libc::POLLHUP,
                    SocketState::Listening(waiting) if waiting.is_empty() => 0,
                    SocketState::Listening(_) => libc::POLLIN,
                    SocketState::Datagrams(queue) if queue.is_empty() => libc::POLLOUT,
                    SocketState::Datagrams(_) => libc::POLLIN | libc::POLLOUT,
                    SocketState::Connected { rx, tx } => {
                        // a peer that is gone for reading only is no hangup
                        let (r, w) = (
                            self.channels.reader_events(*rx),
                            self.channels.writer_events(*tx),
                        );
                        let both = libc::POLLHUP | libc::POLLERR;
                        let hangup = r & libc::POLLHUP != 0 && w & libc::POLLERR != 0;
                        (r | w) & !both | r & libc::POLLERR | if hangup { libc::POLLHUP } else { 0 }
                    }
                };
                found & wanted
            }
            DescriptorKind::Selector(_) if depth == 0 => 0,
            DescriptorKind::Selector(s) => {
                let watched = s.watched.clone();
                let ready = watched.iter().any(|w| {
                    let wanted = (w.events & !ONE_SHOT) as i16;
                    w.events & !ONE_SHOT != 0 && self.events_below(w.open, wanted, depth - 1) != 0
                });
                if ready { wanted & libc::POLLIN } else { 0 }
            }
        }
    }
    /// Events of an epoll instance, in the order in which the descriptors were added.
    pub(super) fn selected(&mut self, epoll: i32, max: usize) -> Io<Vec<(i32, u32)>> {
        let id = self.table.id(epoll)?;
        let Some(DescriptorKind::Selector(s)) = self.table.look(id).map(|o| &o.kind) else {
            return Err(Errno(libc::EINVAL));
        };
        let mut ready = Vec::new();
        for w in s.watched.clone() {
            if w.events & !ONE_SHOT == 0 || ready.len() >= max.max(1) {
                continue;
            }
            let found = self.events(w.open, w.events as i16);
            if found == 0 {
                continue;
            }
            ready.push((w.fd, found as u16 as u32));
            if w.events & ONE_SHOT != 0
                && let Some(DescriptorKind::Selector(s)) = self.table.open(id).map(|o| &mut o.kind)
            {
                s.control(libc::EPOLL_CTL_MOD, w.fd, w.open, ONE_SHOT)?;
            }
        }
        Ok(ready)
    }
    /// Whether a read of this stream of the host inside may have to wait for input.
    fn waits(&mut self, fd: i32) -> bool {
        match self.inner.descriptors().stat(fd) {
            Ok(s) if s.is_regular() => false,
            Ok(s) if s.kind() == libc::S_IFCHR => self.inner.descriptors().is_terminal(fd),
            _ => true,
        }
    }
    /// The descriptors of the host inside on which a wait for `fd` depends, with the events it is waited for.
    pub(super) fn outside_of(&mut self, fd: i32) -> Vec<(OpenId, i32, i16)> {
        let Ok(open) = self.table.id(fd) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        self.gather(open, libc::POLLIN | libc::POLLOUT, DEPTH, &mut found);
        found
    }
    fn gather(&self, open: OpenId, events: i16, depth: usize, found: &mut Vec<(OpenId, i32, i16)>) {
        match self.table.look(open).map(|o| &o.kind) {
            Some(DescriptorKind::File { fd, .. } | DescriptorKind::Stream { fd, .. }) => {
                found.push((open, *fd, events))
            }
            Some(DescriptorKind::Selector(s)) if depth > 0 => {
                for w in s.watched.iter().filter(|w| w.events & !ONE_SHOT != 0) {
                    self.gather(w.open, w.events as i16, depth - 1, found);
                }
            }
            _ => {}
        }
    }
    /// See [`rjvm_vm::host::Host::wait`].
    pub(super) fn wait_for(&mut self, fds: &[(i32, u8)], deadline: Option<i64>) -> Vec<usize> {
        let wanted = |bits: u8| {
            (if bits & 1 != 0 { libc::POLLIN } else { 0 })
                | if bits & 2 != 0 { libc::POLLOUT } else { 0 }
        };
        let mut ready = Vec::new();
        for (i, &(fd, bits)) in fds.iter().enumerate() {
            // an operation on what is not open does not wait: it fails
            let is_ready = match self.table.id(fd) {
                Ok(open) => self.events(open, wanted(bits)) != 0,
                Err(_) => true,
            };
            if is_ready {
                ready.push(i);
            }
        }
        if !ready.is_empty() {
            return ready;
        }
        if deadline == Some(i64::MIN) {
            // threads could go on: how fast the outside is must make no difference, as long as they do not go on for ever
            self.looks += 1;
            if !self.looks.is_multiple_of(OUTSIDE_EVERY) {
                return ready;
            }
        }
        // who waits, what has to be granted to him, and what is waited for
        let mut outside = Vec::new();
        for (i, &(fd, bits)) in fds.iter().enumerate() {
            for (open, inner, events) in self.outside_of(fd) {
                let of_selector = self.table.id(fd) != Ok(open);
                let events = if of_selector { events } else { wanted(bits) };
                outside.push((i, open, inner, events));
            }
        }
        if outside.is_empty() && deadline.is_some() {
            return ready;
        }
        let mut found = Vec::new();
        for (at, &(_, open, _, events)) in outside.iter().enumerate() {
            let taken = match self.table.look(open).map(|o| &o.kind) {
                Some(DescriptorKind::Stream { lines, .. }) => lines.any(),
                _ => false,
            };
            if taken && events & libc::POLLIN != 0 {
                found.push(at);
            }
        }
        let waits: Vec<(i32, u8)> = outside
            .iter()
            .map(|&(_, _, fd, events)| {
                let bits =
                    (events & libc::POLLIN != 0) as u8 | ((events & libc::POLLOUT != 0) as u8) << 1;
                (fd, bits)
            })
            .collect();
        if found.is_empty() {
            found = self.inner.wait(&waits, deadline);
            // a process ends after its last word: that is heard first, however fast it was
            let is_end = |at: &usize| self.children.is_exit(fds[outside[*at].0].0);
            if !found.is_empty() && found.iter().all(is_end) {
                let again = self.inner.wait(&waits, Some(i64::MIN));
                found.extend(again.into_iter().filter(|at| !is_end(at)));
            }
            if found.iter().any(|at| !is_end(at)) {
                found.retain(|at| !is_end(at));
            }
        }
        for at in found {
            let (i, open, _, events) = outside[at];
            if let Some(DescriptorKind::Stream { granted, .. }) =
                self.table.open(open).map(|o| &mut o.kind)
            {
                *granted |= events & libc::POLLIN != 0;
            }
            if !ready.contains(&i) {
                ready.push(i);
            }
        }
        ready
    }
}
