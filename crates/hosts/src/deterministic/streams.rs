//! Input from outside: the program gets it line by line, and learns of it when none of its threads can run. So neither
//! how fast it came nor in how many pieces makes a difference.

use rjvm_vm::host::{Errno, Host, Io, Poll};
use std::collections::VecDeque;

/// How many nanoseconds the host waits for the rest of a line: after them, text without an end is taken for a prompt to the
/// program.
const PATIENCE: i64 = 200_000_000;
/// How often a program that has read sees no more bytes, see [`Lines::available`].
const QUIET: u32 = 8;
/// Bytes taken at a time.
const PIECE: usize = 16 << 10;

/// Input that was taken from a stream and not given to the program yet.
#[derive(Default)]
pub struct Lines {
    taken: VecDeque<u8>,
    /// Bytes of `taken` that hold no line's end.
    searched: usize,
    ended: bool,
    /// Questions to be answered with nothing, see [`Lines::available`].
    quiet: u32,
}

impl Lines {
    /// How many of the present bytes the next read gets at most.
    fn len(&self) -> usize {
        match self.line() {
            Some(n) => n,
            None => self.taken.len(),
        }
    }
    /// Whether a read would find something here, be it the end.
    pub fn any(&self) -> bool {
        !self.taken.is_empty() || self.ended
    }
    /// Length of the first line with its end.
    fn line(&self) -> Option<usize> {
        let rest = self.taken.iter().skip(self.searched);
        let at = rest.into_iter().position(|&b| b == b'\n')?;
        Some(self.searched + at + 1)
    }
    /// Bytes that can be read at once, as the program sees it. After a read, the answer is 0 a few times, as when
    /// `BufferedInputStream` and `InputStreamReader` fill their buffers, since the number would depend on how fast the bytes
    /// come. A program that asks again and again gets the number.
    pub fn available(&mut self, inner: &mut dyn Host, fd: i32) -> Io<usize> {
        if self.quiet > 0 {
            self.quiet -= 1;
            return Ok(0);
        }
        if !self.any() && is_there(inner, fd) {
            self.pull(inner, fd, usize::MAX)?;
        }
        Ok(self.len())
    }
    /// Takes what makes the first line complete, at most `enough` bytes.
    fn pull(&mut self, inner: &mut dyn Host, fd: i32, enough: usize) -> Io<()> {
        while !self.ended && self.taken.len() < enough && self.line().is_none() {
            self.searched = self.taken.len();
            if !self.taken.is_empty() && !comes(inner, fd) {
                break;
            }
            let mut piece = [0; PIECE];
            match inner.descriptors().read(fd, &mut piece) {
                Ok(0) => self.ended = true,
                Ok(n) => self.taken.extend(&piece[..n]),
                Err(Errno(libc::EAGAIN)) if !self.taken.is_empty() => break,
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
    /// Reads a line, or as much of it as there is room for; 0 at the end.
    pub fn read(&mut self, inner: &mut dyn Host, fd: i32, buf: &mut [u8]) -> Io<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        self.quiet = QUIET;
        self.pull(inner, fd, buf.len())?;
        let n = self.len().min(buf.len());
        for (to, from) in buf.iter_mut().zip(self.taken.drain(..n)) {
            *to = from;
        }
        self.searched = 0;
        if n == 0 {
            // who types may go on after an end
            self.ended = false;
        }
        Ok(n)
    }
}

/// Whether there is input now.
pub fn is_there(inner: &mut dyn Host, fd: i32) -> bool {
    events(inner, fd, libc::POLLIN) != 0
}

/// Whether there is input soon.
fn comes(inner: &mut dyn Host, fd: i32) -> bool {
    if is_there(inner, fd) {
        return true;
    }
    let until = inner.nano_time().saturating_add(PATIENCE);
    while inner.wait(&[(fd, 1)], Some(until)).is_empty() {
        if inner.nano_time() >= until {
            return false;
        }
    }
    true
}

/// Events of a descriptor of the host inside that are there now.
pub fn events(inner: &mut dyn Host, fd: i32, wanted: i16) -> i16 {
    let mut p = [Poll {
        fd,
        events: wanted,
        revents: 0,
    }];
    match inner.descriptors().poll(&mut p) {
        Ok(_) => p[0].revents,
        // the operation itself will report
        Err(_) => wanted,
    }
}
