//! What can be done with an open descriptor, whatever it was opened by. No call blocks for long
//! except [`Descriptors::read`] and [`Descriptors::write`] on a descriptor that is not ready: ask
//! [`Descriptors::poll`] first.

use super::{FileStore, Stat, Times};
use crate::offheap::{Access, Mapping};

/// Origin of a [`Descriptors::seek`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeekOrigin {
    /// Start of the file.
    Start,
    /// Current position.
    Current,
    /// End of the file.
    End,
}

/// A descriptor and the events requested (`POLLIN` and others of the operating system), and those found.
#[derive(Clone, Copy, Debug)]
pub struct Poll {
    /// Descriptor.
    pub fd: i32,
    /// Events requested.
    pub events: i16,
    /// Events found.
    pub revents: i16,
}

/// A lock of a range of a file.
#[derive(Clone, Copy, Debug)]
pub struct Lock {
    /// First byte.
    pub start: i64,
    /// Bytes; 0: to the end, however far it moves.
    pub len: i64,
    /// `Some(true)` shared, `Some(false)` exclusive, `None` unlock.
    pub shared: Option<bool>,
}

/// Hands the requests of [`Descriptors`] to the macro `$to`, after `$with`.
#[macro_export]
macro_rules! descriptor_requests {
    ($to:ident!, $($with:tt)*) => {
        $to! {
        $($with)*
        denied {
            /// Reads at the current position; 0 at the end.
            fn read(fd: i32, buf: &mut [u8]) -> usize;
            /// Writes at the current position (or the end, in append mode).
            fn write(fd: i32, buf: &[u8]) -> usize;
            /// Reads at a position.
            fn pread(fd: i32, buf: &mut [u8], at: i64) -> usize;
            /// Writes at a position.
            fn pwrite(fd: i32, buf: &[u8], at: i64) -> usize;
            /// Moves the current position and returns it.
            fn seek(fd: i32, offset: i64, origin: SeekOrigin) -> i64;
            /// Cuts or extends to `len` bytes.
            fn truncate(fd: i32, len: i64) -> ();
            /// Attributes.
            fn stat(fd: i32) -> Stat;
            /// Attributes of the file system it is on.
            fn stat_store(fd: i32) -> FileStore;
            /// Forces data (and metadata unless `data_only`) to the device.
            fn sync(fd: i32, data_only: bool) -> ();
            /// Closes. Standard descriptors are closed for this VM only.
            fn close(fd: i32) -> ();
            /// A second descriptor for the same open file.
            fn dup(fd: i32) -> i32;
            /// Makes `to` mean what `from` means.
            fn dup2(from: i32, to: i32) -> ();
            /// A pipe: its reading and its writing end.
            fn pipe() -> (i32, i32);
            /// Two connected stream sockets.
            fn socket_pair() -> (i32, i32);
            /// Status flags (`O_APPEND`, `O_NONBLOCK`, … of the operating system).
            fn flags(fd: i32) -> i32;
            /// Sets or clears `O_NONBLOCK`.
            fn set_blocking(fd: i32, blocking: bool) -> ();
            /// Turns on unbuffered transfers (`O_DIRECT`); the alignment they need.
            fn set_direct(fd: i32) -> i32;
            /// Bytes that can be read without waiting.
            fn available(fd: i32) -> i32;
            /// Which of `fds` are ready now; how many.
            fn poll(fds: &mut [Poll]) -> usize;
            /// Locks or unlocks; `false` when another process holds it.
            fn lock(fd: i32, lock: Lock) -> bool;
            /// Changes permission bits.
            fn chmod(fd: i32, mode: u32) -> ();
            /// Changes owner and group (-1: as it is).
            fn chown(fd: i32, uid: i32, gid: i32) -> ();
            /// Changes access and modification time.
            fn set_times(fd: i32, times: Times) -> ();
            /// Copies up to `count` bytes at `at` of `from` to `to` inside the kernel.
            fn transfer(from: i32, at: i64, count: usize, to: i32) -> usize;
            /// Maps a range of a file into memory.
            fn map(fd: i32, at: i64, len: usize, access: Access) -> Mapping;
            /// Value of an extended attribute; with an empty buffer its length.
            fn get_attribute(fd: i32, name: &[u8], buf: &mut [u8]) -> usize;
            /// Sets an extended attribute.
            fn set_attribute(fd: i32, name: &[u8], value: &[u8]) -> ();
            /// Removes an extended attribute.
            fn remove_attribute(fd: i32, name: &[u8]) -> ();
            /// Names of extended attributes, each ended by a zero; with an empty buffer their length.
            fn list_attributes(fd: i32, buf: &mut [u8]) -> usize;
            /// An epoll instance.
            fn epoll_create() -> i32;
            /// `epoll_ctl`.
            fn epoll_control(epoll: i32, operation: i32, fd: i32, events: u32) -> ();
            /// Events of an epoll instance that are there now: (descriptor, events).
            fn epoll_ready(epoll: i32, max: usize) -> Vec<(i32, u32)>;
            /// An event counter.
            fn event() -> i32;
            /// Switches the terminal's echo; what it was.
            fn echo(fd: i32, on: bool) -> bool;
        }
        otherwise {
            /// Whether it is a terminal.
            fn is_terminal(fd: i32) -> bool = false;
            /// How many descriptors there can be.
            fn limit() -> i32 = 1024;
            /// How many are open, for statistics.
            fn open_count() -> i64 = -1;
        }
        }
    };
}

descriptor_requests! {
    declare!,
    /// Operations on descriptors.
    pub trait Descriptors;
}
