//! Open descriptors over system calls, and the standard streams an embedder may put in their place.

use super::call::{c_path, done, retry};
use super::files::{stat_at, store_of, time_specs};
use super::open::{Fd, Open, duplicate, set_flags};
use rjvm_vm::host::{Descriptors, Errno, FileStore, Io, Lock, Poll, SeekOrigin, Stat, Times};
use rjvm_vm::offheap::{Access, Mapping};
use std::io::{Read, Write};
use std::os::fd::{AsFd, AsRawFd};

/// Streams in the place of the descriptors 0, 1 and 2; where there is none, the process's own is used.
#[derive(Default)]
pub struct StandardStreams {
    /// Standard input.
    pub input: Option<Box<dyn Read + Send>>,
    /// Standard output.
    pub output: Option<Box<dyn Write + Send>>,
    /// Standard error.
    pub error: Option<Box<dyn Write + Send>>,
}

impl StandardStreams {
    /// An empty input, and outputs that swallow everything.
    pub fn null() -> StandardStreams {
        StandardStreams {
            input: Some(Box::new(std::io::empty())),
            output: Some(Box::new(std::io::sink())),
            error: Some(Box::new(std::io::sink())),
        }
    }
}

/// The open descriptors of a VM.
pub struct OsDescriptors {
    open: Open,
    streams: StandardStreams,
}

impl OsDescriptors {
    /// Those of a table, with these streams in the place of the standard ones.
    pub fn new(open: &Open, streams: StandardStreams) -> OsDescriptors {
        OsDescriptors {
            open: open.clone(),
            streams,
        }
    }
    fn writer(&mut self, fd: i32) -> Option<&mut Box<dyn Write + Send>> {
        match fd {
            1 => self.streams.output.as_mut(),
            2 => self.streams.error.as_mut(),
            _ => None,
        }
    }
    /// Whether a stream is in the descriptor's place.
    fn is_stream(&self, fd: i32) -> bool {
        match fd {
            0 => self.streams.input.is_some(),
            1 => self.streams.output.is_some(),
            2 => self.streams.error.is_some(),
            _ => false,
        }
    }
    /// Puts a stream in the place of a standard descriptor, or takes it away.
    fn put_stream(&mut self, fd: i32, there: bool) {
        match fd {
            0 => self.streams.input = there.then(|| Box::new(std::io::empty()) as _),
            1 => self.streams.output = there.then(|| Box::new(std::io::sink()) as _),
            2 => self.streams.error = there.then(|| Box::new(std::io::sink()) as _),
            _ => {}
        }
    }
}

fn to_usize(n: isize) -> usize {
    n as usize
}

impl Descriptors for OsDescriptors {
    fn read(&mut self, fd: i32, buf: &mut [u8]) -> Io<usize> {
        if let (0, Some(r)) = (fd, self.streams.input.as_mut()) {
            return Ok(r.read(buf)?);
        }
        let f = self.open.get(fd)?;
        // SAFETY: `buf` is writable for its length.
        retry(|| unsafe { libc::read(f.as_raw_fd(), buf.as_mut_ptr().cast(), buf.len()) })
            .map(to_usize)
    }
    fn write(&mut self, fd: i32, buf: &[u8]) -> Io<usize> {
        if let Some(w) = self.writer(fd) {
            w.write_all(buf)?;
            w.flush()?;
            return Ok(buf.len());
        }
        let f = self.open.get(fd)?;
        // SAFETY: `buf` is readable for its length.
        retry(|| unsafe { libc::write(f.as_raw_fd(), buf.as_ptr().cast(), buf.len()) })
            .map(to_usize)
    }
    fn pread(&mut self, fd: i32, buf: &mut [u8], at: i64) -> Io<usize> {
        let f = self.open.get(fd)?;
        // SAFETY: `buf` is writable for its length.
        retry(|| unsafe { libc::pread(f.as_raw_fd(), buf.as_mut_ptr().cast(), buf.len(), at) })
            .map(to_usize)
    }
    fn pwrite(&mut self, fd: i32, buf: &[u8], at: i64) -> Io<usize> {
        let f = self.open.get(fd)?;
        // SAFETY: `buf` is readable for its length.
        retry(|| unsafe { libc::pwrite(f.as_raw_fd(), buf.as_ptr().cast(), buf.len(), at) })
            .map(to_usize)
    }
    fn seek(&mut self, fd: i32, offset: i64, origin: SeekOrigin) -> Io<i64> {
        if self.is_stream(fd) {
            return Err(Errno(libc::ESPIPE));
        }
        let w = match origin {
            SeekOrigin::Start => libc::SEEK_SET,
            SeekOrigin::Current => libc::SEEK_CUR,
            SeekOrigin::End => libc::SEEK_END,
        };
        let f = self.open.get(fd)?;
        // SAFETY: no pointers.
        retry(|| unsafe { libc::lseek(f.as_raw_fd(), offset, w) })
    }
    fn truncate(&mut self, fd: i32, len: i64) -> Io<()> {
        let f = self.open.get(fd)?;
        // SAFETY: no pointers.
        done(|| unsafe { libc::ftruncate(f.as_raw_fd(), len) })
    }
    fn stat(&mut self, fd: i32) -> Io<Stat> {
        if self.is_stream(fd) {
            return Ok(Stat {
                mode: libc::S_IFIFO | 0o600,
                ..Stat::default()
            });
        }
        stat_at(self.open.get(fd)?.as_raw_fd(), c"", libc::AT_EMPTY_PATH)
    }
    fn stat_store(&mut self, fd: i32) -> Io<FileStore> {
        let f = self.open.get(fd)?;
        // SAFETY: a zeroed statvfs is valid and writable.
        unsafe {
            let mut s: libc::statvfs = std::mem::zeroed();
            done(|| libc::fstatvfs(f.as_raw_fd(), &mut s))?;
            Ok(store_of(&s))
        }
    }
    fn sync(&mut self, fd: i32, data_only: bool) -> Io<()> {
        let f = self.open.get(fd)?;
        // SAFETY: no pointers.
        done(|| unsafe {
            if data_only {
                libc::fdatasync(f.as_raw_fd())
            } else {
                libc::fsync(f.as_raw_fd())
            }
        })
    }
    fn close(&mut self, fd: i32) -> Io<()> {
        if (0..3).contains(&fd) {
            // as `java` does: a null device takes its place, so that no file gets the number
            if !self.is_stream(fd) {
                self.open.close(fd)?;
            }
            self.put_stream(fd, true);
            return Ok(());
        }
        self.open.close(fd)
    }
    fn dup(&mut self, fd: i32) -> Io<i32> {
        Ok(self.open.add(duplicate(&self.open.get(fd)?)?))
    }
    fn dup2(&mut self, from: i32, to: i32) -> Io<()> {
        self.open.replace(from, to)?;
        self.put_stream(to, false);
        Ok(())
    }
    fn pipe(&mut self) -> Io<(i32, i32)> {
        let mut p = [0; 2];
        // SAFETY: `p` takes the two descriptors.
        done(|| unsafe { libc::pipe2(p.as_mut_ptr(), libc::O_CLOEXEC) })?;
        // SAFETY: made just now.
        Ok(unsafe { (self.open.add_raw(p[0]), self.open.add_raw(p[1])) })
    }
    fn socket_pair(&mut self) -> Io<(i32, i32)> {
        let mut p = [0; 2];
        let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC;
        // SAFETY: `p` takes the two descriptors.
        done(|| unsafe { libc::socketpair(libc::PF_UNIX, kind, 0, p.as_mut_ptr()) })?;
        // SAFETY: made just now.
        Ok(unsafe { (self.open.add_raw(p[0]), self.open.add_raw(p[1])) })
    }
    fn flags(&mut self, fd: i32) -> Io<i32> {
        if self.is_stream(fd) {
            return Ok(0);
        }
        let f = self.open.get(fd)?;
        // SAFETY: no pointers.
        retry(|| unsafe { libc::fcntl(f.as_raw_fd(), libc::F_GETFL) })
    }
    fn set_blocking(&mut self, fd: i32, blocking: bool) -> Io<()> {
        let old = self.flags(fd)?;
        let new = if blocking {
            old & !libc::O_NONBLOCK
        } else {
            old | libc::O_NONBLOCK
        };
        if old == new {
            return Ok(());
        }
        set_flags(&self.open.get(fd)?, new)
    }
    fn set_direct(&mut self, fd: i32) -> Io<i32> {
        let old = self.flags(fd)?;
        set_flags(&self.open.get(fd)?, old | libc::O_DIRECT)?;
        let f = self.open.get(fd)?;
        // SAFETY: a zeroed statvfs is valid and writable.
        unsafe {
            let mut s: libc::statvfs = std::mem::zeroed();
            done(|| libc::fstatvfs(f.as_raw_fd(), &mut s))?;
            Ok(s.f_frsize as i32)
        }
    }
    fn available(&mut self, fd: i32) -> Io<i32> {
        if self.is_stream(fd) {
            return Ok(0);
        }
        let mut n = 0;
        let f = self.open.get(fd)?;
        // SAFETY: FIONREAD writes one int.
        done(|| unsafe { libc::ioctl(f.as_raw_fd(), libc::FIONREAD, &mut n) })?;
        Ok(n)
    }
    fn poll(&mut self, fds: &mut [Poll]) -> Io<usize> {
        let open: Vec<Io<Fd>> = fds.iter().map(|f| self.open.get(f.fd)).collect();
        let mut p: Vec<libc::pollfd> = fds
            .iter()
            .zip(&open)
            .map(|(f, open)| libc::pollfd {
                fd: open.as_ref().map_or(-1, Fd::as_raw_fd),
                events: f.events,
                revents: 0,
            })
            .collect();
        // SAFETY: `p` is writable for its length.
        retry(|| unsafe { libc::poll(p.as_mut_ptr(), p.len() as libc::nfds_t, 0) })?;
        let mut n = 0;
        for ((f, p), open) in fds.iter_mut().zip(&p).zip(&open) {
            f.revents = if self.is_stream(f.fd) {
                f.events
            } else if open.is_err() && f.fd >= 0 {
                libc::POLLNVAL
            } else {
                p.revents
            };
            n += (f.revents != 0) as usize;
        }
        Ok(n)
    }
    fn lock(&mut self, fd: i32, lock: Lock) -> Io<bool> {
        let f = self.open.get(fd)?;
        // SAFETY: a zeroed flock is valid.
        unsafe {
            let mut l: libc::flock = std::mem::zeroed();
            l.l_whence = libc::SEEK_SET as i16;
            l.l_start = lock.start;
            l.l_len = lock.len;
            l.l_type = match lock.shared {
                Some(true) => libc::F_RDLCK,
                Some(false) => libc::F_WRLCK,
                None => libc::F_UNLCK,
            } as i16;
            match done(|| libc::fcntl(f.as_raw_fd(), libc::F_SETLK, &l)) {
                Ok(()) => Ok(true),
                Err(Errno(libc::EAGAIN | libc::EACCES)) => Ok(false),
                Err(e) => Err(e),
            }
        }
    }
    fn chmod(&mut self, fd: i32, mode: u32) -> Io<()> {
        let f = self.open.get(fd)?;
        // SAFETY: no pointers.
        done(|| unsafe { libc::fchmod(f.as_raw_fd(), mode) })
    }
    fn chown(&mut self, fd: i32, uid: i32, gid: i32) -> Io<()> {
        let f = self.open.get(fd)?;
        // SAFETY: no pointers.
        done(|| unsafe { libc::fchown(f.as_raw_fd(), uid as u32, gid as u32) })
    }
    fn set_times(&mut self, fd: i32, times: Times) -> Io<()> {
        let t = time_specs(times);
        let f = self.open.get(fd)?;
        // SAFETY: `t` has two entries.
        done(|| unsafe { libc::futimens(f.as_raw_fd(), t.as_ptr()) })
    }
    fn transfer(&mut self, from: i32, at: i64, count: usize, to: i32) -> Io<usize> {
        if self.is_stream(to) {
            return Err(Errno(libc::EINVAL));
        }
        let (from, to) = (self.open.get(from)?, self.open.get(to)?);
        let (from, to) = (from.as_raw_fd(), to.as_raw_fd());
        let mut offset = at;
        // SAFETY: `offset` is writable.
        retry(|| unsafe { libc::sendfile(to, from, &mut offset, count) }).map(to_usize)
    }
    fn map(&mut self, fd: i32, at: i64, len: usize, access: Access) -> Io<Mapping> {
        Ok(Mapping::of_file(
            self.open.get(fd)?.as_fd(),
            at,
            len,
            access,
        )?)
    }
    fn get_attribute(&mut self, fd: i32, name: &[u8], buf: &mut [u8]) -> Io<usize> {
        let n = c_path(name)?;
        let f = self.open.get(fd)?;
        // SAFETY: `n` is terminated, `buf` writable for its length.
        retry(|| unsafe {
            libc::fgetxattr(
                f.as_raw_fd(),
                n.as_ptr(),
                buf.as_mut_ptr().cast(),
                buf.len(),
            )
        })
        .map(to_usize)
    }
    fn set_attribute(&mut self, fd: i32, name: &[u8], value: &[u8]) -> Io<()> {
        let n = c_path(name)?;
        let f = self.open.get(fd)?;
        // SAFETY: `n` is terminated, `value` readable for its length.
        done(|| unsafe {
            libc::fsetxattr(
                f.as_raw_fd(),
                n.as_ptr(),
                value.as_ptr().cast(),
                value.len(),
                0,
            )
        })
    }
    fn remove_attribute(&mut self, fd: i32, name: &[u8]) -> Io<()> {
        let n = c_path(name)?;
        let f = self.open.get(fd)?;
        // SAFETY: `n` is terminated.
        done(|| unsafe { libc::fremovexattr(f.as_raw_fd(), n.as_ptr()) })
    }
    fn list_attributes(&mut self, fd: i32, buf: &mut [u8]) -> Io<usize> {
        let f = self.open.get(fd)?;
        // SAFETY: `buf` is writable for its length.
        retry(|| unsafe { libc::flistxattr(f.as_raw_fd(), buf.as_mut_ptr().cast(), buf.len()) })
            .map(to_usize)
    }
    fn epoll_create(&mut self) -> Io<i32> {
        // SAFETY: no pointers; the result is new.
        unsafe {
            let raw = retry(|| libc::epoll_create1(libc::EPOLL_CLOEXEC))?;
            Ok(self.open.add_raw(raw))
        }
    }
    fn epoll_control(&mut self, epoll: i32, operation: i32, fd: i32, events: u32) -> Io<()> {
        let (of, f) = (self.open.get(epoll)?, self.open.get(fd)?);
        let mut e = libc::epoll_event {
            events,
            u64: fd as u32 as u64,
        };
        // SAFETY: `e` lives through the call.
        done(|| unsafe { libc::epoll_ctl(of.as_raw_fd(), operation, f.as_raw_fd(), &mut e) })
    }
    fn epoll_ready(&mut self, epoll: i32, max: usize) -> Io<Vec<(i32, u32)>> {
        let epoll = self.open.get(epoll)?;
        let mut v = vec![libc::epoll_event { events: 0, u64: 0 }; max.clamp(1, 1 << 16)];
        // SAFETY: `v` is writable for its length; no waiting.
        let n = retry(|| unsafe {
            libc::epoll_wait(epoll.as_raw_fd(), v.as_mut_ptr(), v.len() as i32, 0)
        })?;
        Ok(v[..n as usize]
            .iter()
            .map(|e| (e.u64 as i32, e.events))
            .collect())
    }
    fn event(&mut self) -> Io<i32> {
        // SAFETY: no pointers; the result is new.
        unsafe {
            let raw = retry(|| libc::eventfd(0, libc::EFD_CLOEXEC))?;
            Ok(self.open.add_raw(raw))
        }
    }
    fn echo(&mut self, fd: i32, on: bool) -> Io<bool> {
        let f = self.open.get(fd)?;
        // SAFETY: a zeroed termios is valid and writable.
        unsafe {
            let mut t: libc::termios = std::mem::zeroed();
            done(|| libc::tcgetattr(f.as_raw_fd(), &mut t))?;
            let old = t.c_lflag & libc::ECHO != 0;
            if old != on {
                t.c_lflag ^= libc::ECHO;
                done(|| libc::tcsetattr(f.as_raw_fd(), libc::TCSANOW, &t))?;
            }
            Ok(old)
        }
    }
    fn is_terminal(&mut self, fd: i32) -> bool {
        use std::io::IsTerminal;
        !self.is_stream(fd) && self.open.get(fd).is_ok_and(|f| f.as_fd().is_terminal())
    }
    fn limit(&mut self) -> i32 {
        // SAFETY: getrlimit fills `r`.
        unsafe {
            let mut r: libc::rlimit = std::mem::zeroed();
            match libc::getrlimit(libc::RLIMIT_NOFILE, &mut r) {
                0 => r.rlim_max.min(i32::MAX as u64) as i32,
                _ => 1024,
            }
        }
    }
    fn open_count(&mut self) -> i64 {
        self.open.count() as i64
    }
}
