//! Open descriptors over system calls, and the standard streams an embedder may put in their place.

use super::call::{c_path, done, last, retry};
use super::files::{stat_at, store_of, time_specs};
use rjvm_vm::host::{Descriptors, Errno, FileStore, Io, Lock, Poll, Stat, Times, Whence};
use std::io::{Read, Write};

/// Streams in the place of the descriptors 0, 1 and 2; where there is none, the process's own is used.
#[derive(Default)]
pub struct Streams {
    /// Standard input.
    pub input: Option<Box<dyn Read + Send>>,
    /// Standard output.
    pub output: Option<Box<dyn Write + Send>>,
    /// Standard error.
    pub error: Option<Box<dyn Write + Send>>,
}

impl Streams {
    /// An empty input, and outputs that swallow everything.
    pub fn null() -> Streams {
        Streams {
            input: Some(Box::new(std::io::empty())),
            output: Some(Box::new(std::io::sink())),
            error: Some(Box::new(std::io::sink())),
        }
    }
}

/// The descriptors of this process.
#[derive(Default)]
pub struct OsDescriptors {
    streams: Streams,
    /// Live mappings, unmapped with the host.
    maps: Vec<(usize, usize)>,
}

impl OsDescriptors {
    /// With these standard streams.
    pub fn with(streams: Streams) -> OsDescriptors {
        OsDescriptors {
            streams,
            maps: Vec::new(),
        }
    }
    fn writer(&mut self, fd: i32) -> Option<&mut Box<dyn Write + Send>> {
        match fd {
            1 => self.streams.output.as_mut(),
            2 => self.streams.error.as_mut(),
            _ => None,
        }
    }
    /// Whether a stream stands in the descriptor's place.
    fn is_stream(&self, fd: i32) -> bool {
        match fd {
            0 => self.streams.input.is_some(),
            1 => self.streams.output.is_some(),
            2 => self.streams.error.is_some(),
            _ => false,
        }
    }
}

impl Drop for OsDescriptors {
    fn drop(&mut self) {
        for (a, n) in self.maps.drain(..) {
            // SAFETY: made by `map`, not unmapped since; the VM that used it is gone.
            unsafe { libc::munmap(a as *mut _, n) };
        }
    }
}

fn page(address: usize, len: usize) -> (usize, usize) {
    let start = address & !4095;
    (start, len + (address - start))
}

fn to_usize(n: isize) -> usize {
    n as usize
}

impl Descriptors for OsDescriptors {
    fn read(&mut self, fd: i32, buf: &mut [u8]) -> Io<usize> {
        if let (0, Some(r)) = (fd, self.streams.input.as_mut()) {
            return Ok(r.read(buf)?);
        }
        // SAFETY: `buf` is writable for its length.
        retry(|| unsafe { libc::read(fd, buf.as_mut_ptr().cast(), buf.len()) }).map(to_usize)
    }
    fn write(&mut self, fd: i32, buf: &[u8]) -> Io<usize> {
        if let Some(w) = self.writer(fd) {
            w.write_all(buf)?;
            w.flush()?;
            return Ok(buf.len());
        }
        // SAFETY: `buf` is readable for its length.
        retry(|| unsafe { libc::write(fd, buf.as_ptr().cast(), buf.len()) }).map(to_usize)
    }
    fn pread(&mut self, fd: i32, buf: &mut [u8], at: i64) -> Io<usize> {
        // SAFETY: `buf` is writable for its length.
        retry(|| unsafe { libc::pread(fd, buf.as_mut_ptr().cast(), buf.len(), at) }).map(to_usize)
    }
    fn pwrite(&mut self, fd: i32, buf: &[u8], at: i64) -> Io<usize> {
        // SAFETY: `buf` is readable for its length.
        retry(|| unsafe { libc::pwrite(fd, buf.as_ptr().cast(), buf.len(), at) }).map(to_usize)
    }
    fn seek(&mut self, fd: i32, offset: i64, whence: Whence) -> Io<i64> {
        if self.is_stream(fd) {
            return Err(Errno(libc::ESPIPE));
        }
        let w = match whence {
            Whence::Start => libc::SEEK_SET,
            Whence::Current => libc::SEEK_CUR,
            Whence::End => libc::SEEK_END,
        };
        // SAFETY: no pointers.
        retry(|| unsafe { libc::lseek(fd, offset, w) })
    }
    fn truncate(&mut self, fd: i32, len: i64) -> Io<()> {
        // SAFETY: no pointers.
        done(|| unsafe { libc::ftruncate(fd, len) })
    }
    fn stat(&mut self, fd: i32) -> Io<Stat> {
        if self.is_stream(fd) {
            return Ok(Stat {
                mode: libc::S_IFIFO | 0o600,
                ..Stat::default()
            });
        }
        stat_at(fd, c"", libc::AT_EMPTY_PATH)
    }
    fn stat_store(&mut self, fd: i32) -> Io<FileStore> {
        // SAFETY: a zeroed statvfs is valid and writable.
        unsafe {
            let mut s: libc::statvfs = std::mem::zeroed();
            done(|| libc::fstatvfs(fd, &mut s))?;
            Ok(store_of(&s))
        }
    }
    fn sync(&mut self, fd: i32, data_only: bool) -> Io<()> {
        // SAFETY: no pointers.
        done(|| unsafe {
            if data_only {
                libc::fdatasync(fd)
            } else {
                libc::fsync(fd)
            }
        })
    }
    fn close(&mut self, fd: i32) -> Io<()> {
        // the process's standard descriptors are not this VM's to close: it gets null devices instead
        match fd {
            0 => self.streams.input = Some(Box::new(std::io::empty())),
            1 => self.streams.output = Some(Box::new(std::io::sink())),
            2 => self.streams.error = Some(Box::new(std::io::sink())),
            // SAFETY: no pointers. Not repeated: after EINTR the descriptor is gone.
            _ if unsafe { libc::close(fd) } == -1 => return Err(last()),
            _ => {}
        }
        Ok(())
    }
    fn dup(&mut self, fd: i32) -> Io<i32> {
        // SAFETY: no pointers.
        retry(|| unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 0) })
    }
    fn dup2(&mut self, from: i32, to: i32) -> Io<()> {
        // SAFETY: no pointers.
        done(|| unsafe { libc::dup3(from, to, libc::O_CLOEXEC) })
    }
    fn pipe(&mut self) -> Io<(i32, i32)> {
        let mut p = [0; 2];
        // SAFETY: `p` takes the two descriptors.
        done(|| unsafe { libc::pipe2(p.as_mut_ptr(), libc::O_CLOEXEC) })?;
        Ok((p[0], p[1]))
    }
    fn socket_pair(&mut self) -> Io<(i32, i32)> {
        let mut p = [0; 2];
        let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC;
        // SAFETY: `p` takes the two descriptors.
        done(|| unsafe { libc::socketpair(libc::PF_UNIX, kind, 0, p.as_mut_ptr()) })?;
        Ok((p[0], p[1]))
    }
    fn flags(&mut self, fd: i32) -> Io<i32> {
        if self.is_stream(fd) {
            return Ok(0);
        }
        // SAFETY: no pointers.
        retry(|| unsafe { libc::fcntl(fd, libc::F_GETFL) })
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
        // SAFETY: no pointers.
        done(|| unsafe { libc::fcntl(fd, libc::F_SETFL, new) })
    }
    fn set_direct(&mut self, fd: i32) -> Io<i32> {
        let old = self.flags(fd)?;
        // SAFETY: no pointers.
        done(|| unsafe { libc::fcntl(fd, libc::F_SETFL, old | libc::O_DIRECT) })?;
        // SAFETY: a zeroed statvfs is valid and writable.
        unsafe {
            let mut s: libc::statvfs = std::mem::zeroed();
            done(|| libc::fstatvfs(fd, &mut s))?;
            Ok(s.f_frsize as i32)
        }
    }
    fn available(&mut self, fd: i32) -> Io<i32> {
        if self.is_stream(fd) {
            return Ok(0);
        }
        let mut n = 0;
        // SAFETY: FIONREAD writes one int.
        done(|| unsafe { libc::ioctl(fd, libc::FIONREAD, &mut n) })?;
        Ok(n)
    }
    fn poll(&mut self, fds: &mut [Poll]) -> Io<usize> {
        let mut p: Vec<libc::pollfd> = fds
            .iter()
            .map(|f| libc::pollfd {
                fd: f.fd,
                events: f.events,
                revents: 0,
            })
            .collect();
        // SAFETY: `p` is writable for its length.
        retry(|| unsafe { libc::poll(p.as_mut_ptr(), p.len() as libc::nfds_t, 0) })?;
        let mut n = 0;
        for (f, p) in fds.iter_mut().zip(&p) {
            f.revents = if self.is_stream(f.fd) {
                f.events
            } else {
                p.revents
            };
            n += (f.revents != 0) as usize;
        }
        Ok(n)
    }
    fn lock(&mut self, fd: i32, lock: Lock) -> Io<bool> {
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
            match done(|| libc::fcntl(fd, libc::F_SETLK, &l)) {
                Ok(()) => Ok(true),
                Err(Errno(libc::EAGAIN | libc::EACCES)) => Ok(false),
                Err(e) => Err(e),
            }
        }
    }
    fn chmod(&mut self, fd: i32, mode: u32) -> Io<()> {
        // SAFETY: no pointers.
        done(|| unsafe { libc::fchmod(fd, mode) })
    }
    fn chown(&mut self, fd: i32, uid: i32, gid: i32) -> Io<()> {
        // SAFETY: no pointers.
        done(|| unsafe { libc::fchown(fd, uid as u32, gid as u32) })
    }
    fn set_times(&mut self, fd: i32, times: Times) -> Io<()> {
        let t = time_specs(times);
        // SAFETY: `t` has two entries.
        done(|| unsafe { libc::futimens(fd, t.as_ptr()) })
    }
    fn transfer(&mut self, from: i32, at: i64, count: usize, to: i32) -> Io<usize> {
        if self.is_stream(to) {
            return Err(Errno(libc::EINVAL));
        }
        let mut offset = at;
        // SAFETY: `offset` is writable.
        retry(|| unsafe { libc::sendfile(to, from, &mut offset, count) }).map(to_usize)
    }
    fn map(&mut self, fd: i32, at: i64, len: usize, write: bool, private: bool) -> Io<usize> {
        let prot = libc::PROT_READ
            | if write || private {
                libc::PROT_WRITE
            } else {
                0
            };
        let flags = if private {
            libc::MAP_PRIVATE
        } else {
            libc::MAP_SHARED
        };
        // SAFETY: a new mapping at an address of the kernel's choice.
        let p = unsafe { libc::mmap(std::ptr::null_mut(), len, prot, flags, fd, at) };
        if p == libc::MAP_FAILED {
            return Err(last());
        }
        self.maps.push((p as usize, len));
        Ok(p as usize)
    }
    fn unmap(&mut self, address: usize, len: usize) -> Io<()> {
        let Some(i) = self.maps.iter().position(|&m| m == (address, len)) else {
            return Err(Errno(libc::EINVAL));
        };
        self.maps.swap_remove(i);
        // SAFETY: a live mapping of `map`; the Java library gives it up.
        done(|| unsafe { libc::munmap(address as *mut _, len) })
    }
    fn sync_map(&mut self, address: usize, len: usize) -> Io<()> {
        let (a, n) = page(address, len);
        // SAFETY: msync fails on what is not mapped.
        done(|| unsafe { libc::msync(a as *mut _, n, libc::MS_SYNC) })
    }
    fn advise_map(&mut self, address: usize, len: usize, needed: bool) -> Io<()> {
        let (a, n) = page(address, len);
        // only file mappings may be advised "not needed": private memory would be zeroed
        if !self
            .maps
            .iter()
            .any(|&(m, l)| m <= a && a + n <= m + l + 4095)
        {
            return Err(Errno(libc::EINVAL));
        }
        let advice = if needed {
            libc::MADV_WILLNEED
        } else {
            libc::MADV_DONTNEED
        };
        // SAFETY: inside a mapping of a file made by `map`.
        done(|| unsafe { libc::madvise(a as *mut _, n, advice) })
    }
    fn is_map_resident(&mut self, address: usize, len: usize) -> Io<bool> {
        let (a, n) = page(address, len);
        let mut v = vec![0u8; n.div_ceil(4096)];
        // SAFETY: `v` has a byte for each page; mincore fails on what is not mapped.
        done(|| unsafe { libc::mincore(a as *mut _, n, v.as_mut_ptr().cast()) })?;
        Ok(v.iter().all(|b| b & 1 != 0))
    }
    fn get_attribute(&mut self, fd: i32, name: &[u8], buf: &mut [u8]) -> Io<usize> {
        let n = c_path(name)?;
        // SAFETY: `n` is terminated, `buf` writable for its length.
        retry(|| unsafe { libc::fgetxattr(fd, n.as_ptr(), buf.as_mut_ptr().cast(), buf.len()) })
            .map(to_usize)
    }
    fn set_attribute(&mut self, fd: i32, name: &[u8], value: &[u8]) -> Io<()> {
        let n = c_path(name)?;
        // SAFETY: `n` is terminated, `value` readable for its length.
        done(|| unsafe { libc::fsetxattr(fd, n.as_ptr(), value.as_ptr().cast(), value.len(), 0) })
    }
    fn remove_attribute(&mut self, fd: i32, name: &[u8]) -> Io<()> {
        let n = c_path(name)?;
        // SAFETY: `n` is terminated.
        done(|| unsafe { libc::fremovexattr(fd, n.as_ptr()) })
    }
    fn list_attributes(&mut self, fd: i32, buf: &mut [u8]) -> Io<usize> {
        // SAFETY: `buf` is writable for its length.
        retry(|| unsafe { libc::flistxattr(fd, buf.as_mut_ptr().cast(), buf.len()) }).map(to_usize)
    }
    fn epoll_create(&mut self) -> Io<i32> {
        // SAFETY: no pointers.
        retry(|| unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) })
    }
    fn epoll_control(&mut self, epoll: i32, operation: i32, fd: i32, events: u32) -> Io<()> {
        let mut e = libc::epoll_event {
            events,
            u64: fd as u32 as u64,
        };
        // SAFETY: `e` lives through the call.
        done(|| unsafe { libc::epoll_ctl(epoll, operation, fd, &mut e) })
    }
    fn epoll_ready(&mut self, epoll: i32, max: usize) -> Io<Vec<(i32, u32)>> {
        let mut v = vec![libc::epoll_event { events: 0, u64: 0 }; max.max(1)];
        // SAFETY: `v` is writable for its length; no waiting.
        let n = retry(|| unsafe { libc::epoll_wait(epoll, v.as_mut_ptr(), v.len() as i32, 0) })?;
        Ok(v[..n as usize]
            .iter()
            .map(|e| (e.u64 as i32, e.events))
            .collect())
    }
    fn event(&mut self) -> Io<i32> {
        // SAFETY: no pointers.
        retry(|| unsafe { libc::eventfd(0, libc::EFD_CLOEXEC) })
    }
    fn echo(&mut self, fd: i32, on: bool) -> Io<bool> {
        // SAFETY: a zeroed termios is valid and writable.
        unsafe {
            let mut t: libc::termios = std::mem::zeroed();
            done(|| libc::tcgetattr(fd, &mut t))?;
            let old = t.c_lflag & libc::ECHO != 0;
            if old != on {
                t.c_lflag ^= libc::ECHO;
                done(|| libc::tcsetattr(fd, libc::TCSANOW, &t))?;
            }
            Ok(old)
        }
    }
    fn is_terminal(&mut self, fd: i32) -> bool {
        // SAFETY: no pointers.
        !self.is_stream(fd) && unsafe { libc::isatty(fd) } == 1
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
        std::fs::read_dir("/proc/self/fd").map_or(-1, |d| d.count() as i64 - 1)
    }
}
