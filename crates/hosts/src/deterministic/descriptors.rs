//! Operations on open descriptors.

use super::Deterministic;
use super::known::{self, STORE};
use super::sockets::SocketState;
use super::table::{DescriptorKind, Open, OpenId};
use rjvm_vm::host::{Descriptors, Errno, FileStore, Io, Lock, Poll, SeekOrigin, Stat, Times};
use rjvm_vm::offheap::{Access, Mapping};

/// The number of descriptors that a program may have, as the program sees it.
const LIMIT: i32 = 4096;
/// Numbers for objects that are not files of this machine begin here.
const UNREAL: u64 = 1 << 40;

impl Deterministic {
    /// The file of the host inside behind a number, to be read or changed.
    fn file(&mut self, fd: i32) -> Io<(i32, known::FileId)> {
        match self.table.kind(fd)? {
            DescriptorKind::File { fd, id } => Ok((*fd, *id)),
            _ => Err(Errno(libc::EINVAL)),
        }
    }
    /// The file of the host inside, for an operation that takes other descriptors too.
    fn inner_of(&mut self, fd: i32) -> Io<i32> {
        match self.table.kind(fd)? {
            DescriptorKind::File { fd, .. } | DescriptorKind::Stream { fd, .. } => Ok(*fd),
            _ => Err(Errno(libc::EINVAL)),
        }
    }
    /// Something is open no more.
    pub(super) fn dispose(&mut self, gone: Option<(OpenId, Open)>) -> Io<()> {
        let Some((id, open)) = gone else {
            return Ok(());
        };
        let watchers: Vec<OpenId> = self.table.all().map(|(id, _)| id).collect();
        for w in watchers {
            if let Some(DescriptorKind::Selector(s)) = self.table.open(w).map(|o| &mut o.kind) {
                s.forget(id);
            }
        }
        match open.kind {
            DescriptorKind::File { fd, .. } | DescriptorKind::Stream { fd, .. } if fd >= 3 => {
                self.inner.descriptors().close(fd)?;
            }
            DescriptorKind::Reader(c) => self.channels.close_reader(c),
            DescriptorKind::Writer(c) => self.channels.close_writer(c, false),
            DescriptorKind::Socket(s) => {
                let resets = s.resets();
                match s.state {
                    SocketState::Connected { rx, tx } => {
                        // unread input is a reset too
                        let reset = resets || !self.channels.is_empty(rx);
                        self.channels.close_reader(rx);
                        self.channels.close_writer(tx, reset);
                    }
                    SocketState::Listening(waiting) => {
                        for id in waiting {
                            let gone = self.table.forget(id).map(|o| (id, o));
                            self.dispose(gone)?;
                        }
                    }
                    SocketState::Fresh | SocketState::Datagrams(_) => {}
                }
            }
            _ => {}
        }
        Ok(())
    }
    /// Two ends of a new channel.
    pub(super) fn ends(&mut self, capacity: usize) -> u64 {
        self.channels.make(capacity)
    }
    /// Notes that a file was written to.
    fn note(&mut self, id: known::FileId) {
        let now = self.now();
        self.known.written(id, now);
    }
}

impl Descriptors for Deterministic {
    fn read(&mut self, fd: i32, buf: &mut [u8]) -> Io<usize> {
        match &mut self.table.get(fd)?.kind {
            DescriptorKind::File { fd, .. } => self.inner.descriptors().read(*fd, buf),
            DescriptorKind::Stream { fd, lines, granted } => {
                *granted = false;
                let is_socket = self.inner.descriptors().stat(*fd);
                match is_socket.map(|s| s.kind()) {
                    Ok(libc::S_IFSOCK) => self.inner.descriptors().read(*fd, buf),
                    _ => lines.read(&mut *self.inner, *fd, buf),
                }
            }
            DescriptorKind::Bytes { data, at } => {
                let n = (data.len() - *at).min(buf.len());
                buf[..n].copy_from_slice(&data[*at..*at + n]);
                *at += n;
                Ok(n)
            }
            DescriptorKind::Names(_) => Err(Errno(libc::EISDIR)),
            DescriptorKind::Entropy => {
                self.entropy.fill(buf);
                Ok(buf.len())
            }
            DescriptorKind::Reader(c) => self.channels.read(*c, buf, false),
            DescriptorKind::Writer(_) | DescriptorKind::Selector(_) => Err(Errno(libc::EBADF)),
            DescriptorKind::Event(0) => Err(Errno(libc::EAGAIN)),
            DescriptorKind::Event(count) => {
                let bytes = std::mem::take(count).to_ne_bytes();
                let to = buf.get_mut(..8).ok_or(Errno(libc::EINVAL))?;
                to.copy_from_slice(&bytes);
                Ok(8)
            }
            DescriptorKind::Socket(_) => self.socket_receive(fd, buf, 0),
        }
    }
    fn write(&mut self, fd: i32, buf: &[u8]) -> Io<usize> {
        match &mut self.table.get(fd)?.kind {
            DescriptorKind::File { fd, id } => {
                let (fd, id) = (*fd, *id);
                let n = self.inner.descriptors().write(fd, buf)?;
                self.note(id);
                Ok(n)
            }
            DescriptorKind::Stream { fd, .. } => self.inner.descriptors().write(*fd, buf),
            DescriptorKind::Entropy => Ok(buf.len()),
            DescriptorKind::Bytes { .. }
            | DescriptorKind::Names(_)
            | DescriptorKind::Reader(_)
            | DescriptorKind::Selector(_) => Err(Errno(libc::EBADF)),
            DescriptorKind::Writer(c) => self.channels.write(*c, buf),
            DescriptorKind::Event(count) => {
                let bytes = buf.try_into().map_err(|_| Errno(libc::EINVAL))?;
                *count = count.saturating_add(u64::from_ne_bytes(bytes));
                Ok(8)
            }
            DescriptorKind::Socket(_) => self.socket_send(fd, buf),
        }
    }
    fn pread(&mut self, fd: i32, buf: &mut [u8], at: i64) -> Io<usize> {
        if let DescriptorKind::Bytes { data, .. } = self.table.kind(fd)? {
            let from = usize::try_from(at).map_err(|_| Errno(libc::EINVAL))?;
            let rest = data.get(from..).unwrap_or_default();
            let n = rest.len().min(buf.len());
            buf[..n].copy_from_slice(&rest[..n]);
            return Ok(n);
        }
        if let DescriptorKind::Entropy = self.table.kind(fd)? {
            self.entropy.fill(buf);
            return Ok(buf.len());
        }
        let fd = self.inner_of(fd)?;
        self.inner.descriptors().pread(fd, buf, at)
    }
    fn pwrite(&mut self, fd: i32, buf: &[u8], at: i64) -> Io<usize> {
        let (fd, id) = self.file(fd)?;
        let n = self.inner.descriptors().pwrite(fd, buf, at)?;
        self.note(id);
        Ok(n)
    }
    fn seek(&mut self, fd: i32, offset: i64, origin: SeekOrigin) -> Io<i64> {
        match self.table.kind(fd)? {
            DescriptorKind::File { fd, .. } => self.inner.descriptors().seek(*fd, offset, origin),
            DescriptorKind::Bytes { data, at } => {
                let base = match origin {
                    SeekOrigin::Start => 0,
                    SeekOrigin::Current => *at,
                    SeekOrigin::End => data.len(),
                };
                let to = i64::try_from(base).ok().and_then(|b| b.checked_add(offset));
                let to = to.and_then(|to| usize::try_from(to).ok());
                let to = to.ok_or(Errno(libc::EINVAL))?;
                *at = to.min(data.len());
                Ok(to as i64)
            }
            DescriptorKind::Entropy => Ok(0),
            _ => Err(Errno(libc::ESPIPE)),
        }
    }
    fn truncate(&mut self, fd: i32, len: i64) -> Io<()> {
        let (fd, id) = self.file(fd)?;
        self.inner.descriptors().truncate(fd, len)?;
        self.note(id);
        Ok(())
    }
    fn stat(&mut self, fd: i32) -> Io<Stat> {
        let id = self.table.id(fd)?;
        let unreal = |kind, mode, size| Ok(known::made_up(kind, mode, UNREAL + id, size));
        match self.table.kind(fd)? {
            DescriptorKind::File { fd, .. } => {
                let s = self.inner.descriptors().stat(*fd)?;
                Ok(self.known.shown(s))
            }
            DescriptorKind::Stream { fd, .. } => {
                let s = self.inner.descriptors().stat(*fd)?;
                // whatever a standard stream is, it passes for a pipe
                let kind = match s.kind() {
                    libc::S_IFSOCK if *fd >= 3 => libc::S_IFSOCK,
                    _ => libc::S_IFIFO,
                };
                unreal(kind, 0o600, 0)
            }
            DescriptorKind::Bytes { data, .. } => {
                let len = data.len() as i64;
                unreal(libc::S_IFREG, 0o444, len)
            }
            DescriptorKind::Names(_) => unreal(libc::S_IFDIR, 0o755, 4096),
            DescriptorKind::Entropy => unreal(libc::S_IFCHR, 0o666, 0),
            DescriptorKind::Reader(_) | DescriptorKind::Writer(_) => {
                unreal(libc::S_IFIFO, 0o600, 0)
            }
            DescriptorKind::Socket(_) => unreal(libc::S_IFSOCK, 0o777, 0),
            DescriptorKind::Event(_) | DescriptorKind::Selector(_) => unreal(0, 0o600, 0),
        }
    }
    fn stat_store(&mut self, fd: i32) -> Io<FileStore> {
        self.table.id(fd).map(|_| STORE)
    }
    fn sync(&mut self, fd: i32, data_only: bool) -> Io<()> {
        let fd = self.inner_of(fd)?;
        self.inner.descriptors().sync(fd, data_only)
    }
    fn close(&mut self, fd: i32) -> Io<()> {
        if (0..3).contains(&fd) {
            // nobody gets its number, as with `java`
            return match self.table.kind(fd)? {
                DescriptorKind::Stream { fd: own, .. } if *own == fd => {
                    self.inner.descriptors().close(fd)
                }
                _ => {
                    let null = self.table.add(DescriptorKind::Bytes {
                        data: Vec::new(),
                        at: 0,
                    });
                    let gone = self.table.replace(null, fd)?;
                    self.table.drop_number(null)?;
                    self.dispose(gone)
                }
            };
        }
        let gone = self.table.drop_number(fd)?;
        self.dispose(gone)
    }
    fn dup(&mut self, fd: i32) -> Io<i32> {
        let open = self.table.id(fd)?;
        Ok(self.table.number(open))
    }
    fn dup2(&mut self, from: i32, to: i32) -> Io<()> {
        let gone = self.table.replace(from, to)?;
        self.dispose(gone)
    }
    fn pipe(&mut self) -> Io<(i32, i32)> {
        let c = self.ends(super::channels::PIPE);
        let r = self.table.add(DescriptorKind::Reader(c));
        Ok((r, self.table.add(DescriptorKind::Writer(c))))
    }
    fn socket_pair(&mut self) -> Io<(i32, i32)> {
        Ok(self.pair())
    }
    fn flags(&mut self, fd: i32) -> Io<i32> {
        let open = self.table.get(fd)?;
        let nonblocking = if open.nonblocking {
            libc::O_NONBLOCK
        } else {
            0
        };
        match &open.kind {
            DescriptorKind::File { fd, .. } | DescriptorKind::Stream { fd, .. } => {
                self.inner.descriptors().flags(*fd)
            }
            DescriptorKind::Bytes { .. }
            | DescriptorKind::Names(_)
            | DescriptorKind::Entropy
            | DescriptorKind::Reader(_) => Ok(libc::O_RDONLY | nonblocking),
            DescriptorKind::Writer(_) => Ok(libc::O_WRONLY | nonblocking),
            DescriptorKind::Socket(_) | DescriptorKind::Event(_) | DescriptorKind::Selector(_) => {
                Ok(libc::O_RDWR | nonblocking)
            }
        }
    }
    fn set_blocking(&mut self, fd: i32, blocking: bool) -> Io<()> {
        let open = self.table.get(fd)?;
        match &open.kind {
            DescriptorKind::File { fd, .. } | DescriptorKind::Stream { fd, .. } => {
                self.inner.descriptors().set_blocking(*fd, blocking)
            }
            _ => {
                open.nonblocking = !blocking;
                Ok(())
            }
        }
    }
    fn set_direct(&mut self, fd: i32) -> Io<i32> {
        let (fd, _) = self.file(fd)?;
        self.inner.descriptors().set_direct(fd)?;
        Ok(STORE.block_size as i32)
    }
    fn available(&mut self, fd: i32) -> Io<i32> {
        let n = match self.table.kind(fd)? {
            DescriptorKind::File { fd, .. } => return self.inner.descriptors().available(*fd),
            DescriptorKind::Stream { fd, lines, .. } => {
                let fd = *fd;
                let kind = self.inner.descriptors().stat(fd).map(|s| s.kind());
                if kind == Ok(libc::S_IFSOCK) {
                    return self.inner.descriptors().available(fd);
                }
                lines.available(&mut *self.inner, fd)?
            }
            DescriptorKind::Bytes { data, at } => data.len() - *at,
            DescriptorKind::Reader(c) => self.channels.len(*c),
            DescriptorKind::Socket(s) => match s.state {
                SocketState::Connected { rx, .. } => self.channels.len(rx),
                _ => 0,
            },
            _ => 0,
        };
        Ok(i32::try_from(n).unwrap_or(i32::MAX))
    }
    fn poll(&mut self, fds: &mut [Poll]) -> Io<usize> {
        let mut n = 0;
        for f in fds {
            f.revents = match self.table.id(f.fd) {
                Ok(open) => self.events(open, f.events),
                Err(_) if f.fd < 0 => 0,
                Err(_) => libc::POLLNVAL,
            };
            n += (f.revents != 0) as usize;
        }
        Ok(n)
    }
    fn lock(&mut self, fd: i32, lock: Lock) -> Io<bool> {
        let (fd, _) = self.file(fd)?;
        self.inner.descriptors().lock(fd, lock)
    }
    fn chmod(&mut self, fd: i32, mode: u32) -> Io<()> {
        let (fd, id) = self.file(fd)?;
        self.inner.descriptors().chmod(fd, mode)?;
        let now = self.now();
        self.known.allowed(id, mode, now);
        Ok(())
    }
    fn chown(&mut self, fd: i32, uid: i32, gid: i32) -> Io<()> {
        let (_, id) = self.file(fd)?;
        self.owned(id, uid, gid)
    }
    fn set_times(&mut self, fd: i32, times: Times) -> Io<()> {
        let (fd, id) = self.file(fd)?;
        self.inner.descriptors().set_times(fd, times)?;
        let now = self.now();
        self.known.timed(id, times, now);
        Ok(())
    }
    fn transfer(&mut self, from: i32, at: i64, count: usize, to: i32) -> Io<usize> {
        let (from, _) = self.file(from)?;
        let (to, id) = self.file(to)?;
        let n = self.inner.descriptors().transfer(from, at, count, to)?;
        self.note(id);
        Ok(n)
    }
    fn map(&mut self, fd: i32, at: i64, len: usize, access: Access) -> Io<Mapping> {
        let (fd, id) = self.file(fd)?;
        let map = self.inner.descriptors().map(fd, at, len, access)?;
        if access == Access::Write {
            self.note(id);
        }
        Ok(map)
    }
    fn get_attribute(&mut self, fd: i32, name: &[u8], buf: &mut [u8]) -> Io<usize> {
        let (fd, _) = self.file(fd)?;
        self.inner.descriptors().get_attribute(fd, name, buf)
    }
    fn set_attribute(&mut self, fd: i32, name: &[u8], value: &[u8]) -> Io<()> {
        let (fd, _) = self.file(fd)?;
        self.inner.descriptors().set_attribute(fd, name, value)
    }
    fn remove_attribute(&mut self, fd: i32, name: &[u8]) -> Io<()> {
        let (fd, _) = self.file(fd)?;
        self.inner.descriptors().remove_attribute(fd, name)
    }
    fn list_attributes(&mut self, fd: i32, buf: &mut [u8]) -> Io<usize> {
        let (fd, _) = self.file(fd)?;
        self.inner.descriptors().list_attributes(fd, buf)
    }
    fn epoll_create(&mut self) -> Io<i32> {
        Ok(self.table.add(DescriptorKind::Selector(Default::default())))
    }
    fn epoll_control(&mut self, epoll: i32, operation: i32, fd: i32, events: u32) -> Io<()> {
        let open = self.table.id(fd)?;
        // files are always ready, and the kernel refuses them
        if let DescriptorKind::Bytes { .. } | DescriptorKind::Names(_) | DescriptorKind::Entropy =
            self.table.kind(fd)?
        {
            return Err(Errno(libc::EPERM));
        }
        match self.table.kind(epoll)? {
            DescriptorKind::Selector(s) => s.control(operation, fd, open, events),
            _ => Err(Errno(libc::EINVAL)),
        }
    }
    fn epoll_ready(&mut self, epoll: i32, max: usize) -> Io<Vec<(i32, u32)>> {
        self.selected(epoll, max)
    }
    fn event(&mut self) -> Io<i32> {
        Ok(self.table.add(DescriptorKind::Event(0)))
    }
    fn echo(&mut self, _fd: i32, _on: bool) -> Io<bool> {
        Err(Errno(libc::ENOTTY))
    }
    fn is_terminal(&mut self, _fd: i32) -> bool {
        false
    }
    fn limit(&mut self) -> i32 {
        LIMIT
    }
    fn open_count(&mut self) -> i64 {
        self.table.count() as i64
    }
}
