//! Clock, and sleeping until a descriptor is ready.

use super::open::{Fd, Open};
use rjvm_vm::host::Io;
use std::os::fd::AsRawFd;

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

/// See [`rjvm_vm::host::Host::wait`].
pub fn wait(
    open: &Open,
    bell: Option<i32>,
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
    if let Some(fd) = bell {
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
    if n <= 0 {
        return Vec::new();
    }
    (0..fds.len()).filter(|&i| polls[i].revents != 0).collect()
}
