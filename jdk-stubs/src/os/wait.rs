//! Clock, and sleeping until a descriptor is ready.

use super::call::retry;
use super::open::{Fd, Open};
use rjvm_vm::host::{Io, Waker};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::Arc;

/// Nanoseconds of the monotonic clock.
pub fn nano_time() -> i64 {
    let mut t = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `t` is writable; the monotonic clock always exists.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut t) };
    t.tv_sec * 1_000_000_000 + t.tv_nsec
}

/// Nanoseconds that a VM without signals sleeps at most.
const DEAF: i64 = 100_000_000;

/// Ends a sleep from other OS threads: an event counter that a sleep takes to zero. There is none until a caller asks for its
/// [`Alarm::waker`].
#[derive(Default)]
pub struct Alarm(Option<Arc<OwnedFd>>);

impl Alarm {
    /// See [`rjvm_vm::host::Host::waker`]. `None`: the system has no descriptor left.
    pub fn waker(&mut self) -> Option<Waker> {
        if self.0.is_none() {
            // SAFETY: no pointers.
            let fd = retry(|| unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) });
            // SAFETY: a descriptor that has just been opened and that nobody else knows.
            self.0 = Some(Arc::new(unsafe { OwnedFd::from_raw_fd(fd.ok()?) }));
        }
        let fd = self.0.clone()?;
        Some(Arc::new(move || {
            let one = 1u64.to_ne_bytes();
            // SAFETY: eight bytes of a local. A counter that is full rings already.
            unsafe { libc::write(fd.as_raw_fd(), one.as_ptr().cast(), one.len()) };
        }))
    }
    fn fd(&self) -> Option<i32> {
        self.0.as_ref().map(|fd| fd.as_raw_fd())
    }
    fn hush(&self) {
        let mut count = [0u8; 8];
        if let Some(fd) = self.fd() {
            // SAFETY: reads the counter into `count`; it does not block.
            let _ = retry(|| unsafe { libc::read(fd, count.as_mut_ptr().cast(), count.len()) });
        }
    }
}

/// See [`rjvm_vm::host::Host::wait`].
pub fn wait(
    open: &Open,
    bell: Option<i32>,
    alarm: &Alarm,
    fds: &[(i32, u8)],
    deadline: Option<i64>,
) -> Vec<usize> {
    let known: Vec<Io<Fd>> = fds.iter().map(|f| open.get(f.0)).collect();
    // an operation on what is not open does not wait: it fails
    let unknown: Vec<usize> = (0..fds.len()).filter(|&i| known[i].is_err()).collect();
    if !unknown.is_empty() {
        return unknown;
    }
    let mut polls: Vec<libc::pollfd> = fds
        .iter()
        .zip(&known)
        .map(|(&(_, bits), fd)| {
            let events = if bits & 1 != 0 { libc::POLLIN } else { 0 }
                | if bits & 2 != 0 { libc::POLLOUT } else { 0 };
            libc::pollfd {
                fd: fd.as_ref().map_or(-1, Fd::as_raw_fd),
                events,
                revents: 0,
            }
        })
        .collect();
    // a signal that arrives between the scheduler's look and this sleep must end the sleep
    for fd in [bell, alarm.fd()].into_iter().flatten() {
        polls.push(libc::pollfd {
            fd,
            events: libc::POLLIN,
            revents: 0,
        });
    }
    let left = deadline.map(|d| d.saturating_sub(nano_time()).max(0));
    // who hears no bell looks at signals between sleeps, and one may arrive just before a sleep
    let left = match bell {
        Some(_) => left,
        None => Some(left.map_or(DEAF, |n| n.min(DEAF))),
    };
    let time = left.map(|n| libc::timespec {
        tv_sec: (n / 1_000_000_000) as libc::time_t,
        tv_nsec: (n % 1_000_000_000) as libc::c_long,
    });
    let time = time.as_ref().map_or(std::ptr::null(), |t| t as *const _);
    // SAFETY: `polls` and `time` live through the call; no signal mask.
    let n = unsafe {
        libc::ppoll(
            polls.as_mut_ptr(),
            polls.len() as libc::nfds_t,
            time,
            std::ptr::null(),
        )
    };
    alarm.hush();
    if n <= 0 {
        return Vec::new();
    }
    (0..fds.len()).filter(|&i| polls[i].revents != 0).collect()
}
