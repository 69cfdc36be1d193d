//! Waiting for a process of the program, and for a front end that may want something else meanwhile.

use super::wire::Wire;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::BorrowedFd;
use std::io;
use std::os::fd::AsFd;

/// A front end that may interrupt a search.
pub trait Attention {
    /// From where requests come; nothing while it takes no more.
    fn source(&self) -> Option<BorrowedFd<'_>>;
    /// Something has come, or the other end is gone: takes it. Whether the search is to end.
    fn look(&mut self) -> bool;
}

/// Waits until the process reports something (true), or the search is to end.
///
/// # Errors
/// As from `poll`.
pub fn await_reply(wire: &Wire, attention: &mut dyn Attention) -> io::Result<bool> {
    loop {
        let (replied, requested) = {
            let mut all = vec![PollFd::from_borrowed_fd(wire.as_fd(), PollFlags::IN)];
            all.extend(
                attention
                    .source()
                    .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
            );
            match poll(&mut all, None) {
                Err(rustix::io::Errno::INTR) => continue,
                other => other?,
            };
            let came = |i: usize| all.get(i).is_some_and(|fd| !fd.revents().is_empty());
            (came(0), came(1))
        };
        if replied {
            return Ok(true);
        }
        if requested && attention.look() {
            return Ok(false);
        }
    }
}
