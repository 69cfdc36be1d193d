//! Bytes on their way from one end to another, in memory: pipes and both directions of connections.

use rjvm_vm::host::{Errno, Io};
use std::collections::{BTreeMap, VecDeque};

/// Bytes a pipe holds, as Linux has it.
pub const PIPE: usize = 64 << 10;
/// Bytes a direction of a connection holds.
pub const CONNECTION: usize = 128 << 10;

/// One direction.
struct Channel {
    data: VecDeque<u8>,
    capacity: usize,
    has_reader: bool,
    has_writer: bool,
    reset: bool,
}

/// All of a program's.
#[derive(Default)]
pub struct Channels {
    all: BTreeMap<u64, Channel>,
    made: u64,
}

impl Channels {
    /// A new one, with both ends.
    pub fn make(&mut self, capacity: usize) -> u64 {
        self.made += 1;
        self.all.insert(
            self.made,
            Channel {
                data: VecDeque::new(),
                capacity,
                has_reader: true,
                has_writer: true,
                reset: false,
            },
        );
        self.made
    }
    /// Reads the available bytes; 0 when the writer is gone, or the reader wants no more. With `peek` they stay there.
    pub fn read(&mut self, id: u64, buf: &mut [u8], peek: bool) -> Io<usize> {
        let Some(c) = self.all.get_mut(&id) else {
            return Ok(0);
        };
        if std::mem::take(&mut c.reset) {
            c.data.clear();
            return Err(Errno(libc::ECONNRESET));
        }
        let n = c.data.len().min(buf.len());
        if n == 0 {
            return match c.has_writer && c.has_reader && !buf.is_empty() {
                true => Err(Errno(libc::EAGAIN)),
                false => Ok(0),
            };
        }
        for (to, from) in buf.iter_mut().zip(&c.data) {
            *to = *from;
        }
        if !peek {
            c.data.drain(..n);
        }
        Ok(n)
    }
    /// Writes as many bytes as there is room for.
    pub fn write(&mut self, id: u64, buf: &[u8]) -> Io<usize> {
        let c = self.all.get_mut(&id).filter(|c| c.has_reader);
        let Some(c) = c else {
            return Err(Errno(libc::EPIPE));
        };
        let n = (c.capacity - c.data.len()).min(buf.len());
        if n == 0 && !buf.is_empty() {
            return Err(Errno(libc::EAGAIN));
        }
        c.data.extend(&buf[..n]);
        Ok(n)
    }
    /// Events of the reading end.
    pub fn reader_events(&self, id: u64) -> i16 {
        match self.all.get(&id) {
            Some(c) if c.reset => libc::POLLIN | libc::POLLERR,
            Some(c) if !c.data.is_empty() => libc::POLLIN,
            Some(c) if c.has_writer && c.has_reader => 0,
            _ => libc::POLLIN | libc::POLLHUP,
        }
    }
    /// Events of the writing end.
    pub fn writer_events(&self, id: u64) -> i16 {
        match self.all.get(&id) {
            Some(c) if c.has_reader && c.data.len() < c.capacity => libc::POLLOUT,
            Some(c) if c.has_reader => 0,
            _ => libc::POLLOUT | libc::POLLERR,
        }
    }
    /// Bytes that wait to be read.
    pub fn len(&self, id: u64) -> usize {
        self.all.get(&id).map_or(0, |c| c.data.len())
    }
    /// Whether nothing has been written, or all of it read.
    pub fn is_empty(&self, id: u64) -> bool {
        self.len(id) == 0
    }
    /// The reader is gone.
    pub fn close_reader(&mut self, id: u64) {
        if let Some(c) = self.all.get_mut(&id) {
            c.has_reader = false;
            c.data.clear();
            if !c.has_writer {
                self.all.remove(&id);
            }
        }
    }
    /// The writer is gone; with `reset` in a way that the reader is notified of.
    pub fn close_writer(&mut self, id: u64, reset: bool) {
        if let Some(c) = self.all.get_mut(&id) {
            c.has_writer = false;
            c.reset |= reset && c.has_reader;
            if !c.has_reader {
                self.all.remove(&id);
            }
        }
    }
}
