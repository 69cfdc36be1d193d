//! What natives that reach outside share: descriptors of Java objects, transfers that park the green
//! thread instead of blocking, errors as the exceptions Java programs know.

use crate::{direct, os};
use rjvm_vm::heap::{ELEMS, Heap, HeapMut};
use rjvm_vm::host::{Errno, Io, Poll};
use rjvm_vm::offheap::OffHeap;
use rjvm_vm::state::Rooms;
use rjvm_vm::threads::{Wait, Wake};
use rjvm_vm::{ClassId, Env, R, Ref, Throw, jdk};
use std::borrow::Cow;

/// `java.io.IOException`
pub const IO_EXCEPTION: &str = "java/io/IOException";

/// Result codes of `sun.nio.ch.IOStatus`.
pub mod status {
    /// End of file.
    pub const EOF: i32 = -1;
    /// Nothing available without waiting.
    pub const UNAVAILABLE: i32 = -2;
    /// The wait was cut short.
    pub const INTERRUPTED: i32 = -3;
    /// Not supported in this case: another way may do.
    pub const UNSUPPORTED_CASE: i32 = -6;
}

/// An exception whose message is the operating system's text for the error.
#[cold]
pub fn errno_as(class: &'static str, e: Errno) -> Box<Throw> {
    Throw::msg(class, os::strerror(e.0))
}

/// `IOException: <text of the error>`
#[cold]
pub fn io_exception(e: Errno) -> Box<Throw> {
    errno_as(IO_EXCEPTION, e)
}

/// A boot class by name, initialized.
pub fn class(vm: &mut Env, name: jdk::ClassName<false>) -> R<ClassId> {
    let c = vm.jdk_class(name)?;
    vm.ensure_initialized(c)?;
    Ok(c)
}

/// A zeroed instance of a boot class.
pub fn new_object(vm: &mut Env, name: jdk::ClassName<false>) -> R<Ref> {
    let c = class(vm, name)?;
    vm.alloc_object(c)
}

/// A new `byte[]` with these contents.
pub fn byte_array(vm: &mut Env, bytes: &[u8]) -> R<Ref> {
    let a = vm.new_byte_array(bytes.len())?;
    vm.heap_mut().bytes_mut(a).copy_from_slice(bytes);
    Ok(a)
}

/// A `String` in the platform's encoding (UTF-8; characters without encoding become `?`).
pub fn native_string(vm: &mut Env, s: Ref) -> R<Vec<u8>> {
    let s = s.non_null().ok_or_else(Throw::npe)?;
    let units = vm.string_utf16(s);
    Ok(char::decode_utf16(units)
        .map(|c| c.unwrap_or('?'))
        .collect::<String>()
        .into_bytes())
}

/// A `String` from the platform's encoding.
pub fn java_string(vm: &mut Env, bytes: &[u8]) -> R<Ref> {
    vm.new_string(&String::from_utf8_lossy(bytes))
}

/// The number in a `FileDescriptor`; NullPointerException for null.
pub fn fd_of(vm: &mut Env, descriptor: Ref) -> R<i32> {
    let d = descriptor.non_null().ok_or_else(Throw::npe)?;
    vm.get(d, jdk::file_descriptor::FD)
}

/// The InternalError for an access outside an object, outside every live block, or to a mapped file that has been
/// cut: in HotSpot's words for the last case, which it survives too.
#[cold]
pub fn fault() -> Box<Throw> {
    Throw::msg(
        "java/lang/InternalError",
        "a fault occurred in a recent unsafe memory access operation in compiled Java code",
    )
}

/// `len` bytes of memory outside the heap.
pub fn memory(m: &OffHeap, address: i64, len: usize) -> R<Cow<'_, [u8]>> {
    if len == 0 {
        return Ok(Cow::Borrowed(&[]));
    }
    m.bytes(address as u64, len).ok_or_else(fault)
}

/// Lets `f` change `len` bytes of memory outside the heap.
pub fn change_memory<T>(
    m: &mut OffHeap,
    address: i64,
    len: usize,
    f: impl FnOnce(&mut [u8]) -> T,
) -> R<T> {
    if len == 0 {
        return Ok(f(&mut []));
    }
    m.change(address as u64, len, f).ok_or_else(fault)
}

/// A zero-terminated string outside the heap.
pub fn c_string(vm: &Env, address: i64) -> R<Vec<u8>> {
    vm.offheap().c_string(address as u64).ok_or_else(fault)
}

/// Checks a range of a `byte[]` as the natives of the JDK do: NullPointerException or a bare
/// IndexOutOfBoundsException.
pub fn check_range(vm: &Env, array: Ref, off: i32, len: i32) -> R<()> {
    let a = array.non_null().ok_or_else(Throw::npe)?;
    if off < 0 || len < 0 || off as usize + len as usize > vm.heap().len(a) {
        return Err(Throw::bare("java/lang/IndexOutOfBoundsException"));
    }
    Ok(())
}

/// Where bytes come from or go to.
#[derive(Clone, Copy)]
pub enum IoTarget {
    /// In a `byte[]`, from this index.
    Array(Ref, usize),
    /// Outside the heap.
    Memory(i64),
}

impl IoTarget {
    /// The place so many bytes behind this one.
    pub fn skip(self, bytes: usize) -> IoTarget {
        match self {
            IoTarget::Array(a, off) => IoTarget::Array(a, off + bytes),
            IoTarget::Memory(address) => IoTarget::Memory(address.wrapping_add(bytes as i64)),
        }
    }
    /// Whether both may have bytes in common.
    pub fn may_overlap(self, other: IoTarget) -> bool {
        match (self, other) {
            (IoTarget::Array(a, _), IoTarget::Array(b, _)) => a == b,
            (IoTarget::Memory(_), IoTarget::Memory(_)) => true,
            _ => false,
        }
    }
    /// `len` bytes from `skip`.
    pub fn bytes<'a>(
        self,
        heap: &'a Heap,
        m: &'a OffHeap,
        skip: usize,
        len: usize,
    ) -> R<Cow<'a, [u8]>> {
        match self {
            IoTarget::Array(a, off) => Ok(heap.raw(a, ELEMS + off + skip, len).into()),
            IoTarget::Memory(a) => memory(m, a + skip as i64, len),
        }
    }
    /// Lets `f` change the first `len` bytes.
    pub fn change<T>(
        self,
        heap: &mut HeapMut<'_>,
        m: &mut OffHeap,
        len: usize,
        f: impl FnOnce(&mut [u8]) -> T,
    ) -> R<T> {
        match self {
            IoTarget::Array(a, off) => Ok(f(heap.raw_mut(a, ELEMS + off, len))),
            IoTarget::Memory(a) => change_memory(m, a, len, f),
        }
    }
}

/// An input and an output at the same time: a part of memory each. The input is copied if both are of
/// the same kind, so that they may overlap.
pub fn in_out<T>(
    heap: &mut HeapMut<'_>,
    m: &mut OffHeap,
    from: (IoTarget, usize),
    to: (IoTarget, usize),
    f: impl FnOnce(&[u8], &mut [u8]) -> T,
) -> R<T> {
    match (from.0, to.0) {
        (IoTarget::Array(a, off), IoTarget::Memory(address)) => {
            let input = heap.raw(a, ELEMS + off, from.1);
            change_memory(m, address, to.1, |output| f(input, output))
        }
        (IoTarget::Memory(address), IoTarget::Array(a, off)) => {
            let input = memory(m, address, from.1)?;
            Ok(f(&input, heap.raw_mut(a, ELEMS + off, to.1)))
        }
        _ => {
            let input = from.0.bytes(heap, m, 0, from.1)?.into_owned();
            to.0.change(heap, m, to.1, |output| f(&input, output))
        }
    }
}

/// Events of a descriptor that are there now.
pub fn poll_now(vm: &mut Env, fd: i32, events: i16) -> i16 {
    let mut p = [Poll {
        fd,
        events,
        revents: 0,
    }];
    match vm.host().descriptors().poll(&mut p) {
        Ok(_) => p[0].revents,
        // the operation itself will report what is wrong
        Err(_) => events,
    }
}

fn wait_bits(events: i16) -> u8 {
    (events & libc::POLLIN != 0) as u8 | ((events & libc::POLLOUT != 0) as u8) << 1
}

/// The wait for a descriptor: return it from the native, which runs again afterwards.
#[cold]
pub fn park(vm: &mut Env, fd: i32, events: i16, deadline: Option<i64>) -> Box<Throw> {
    vm.block_on(Wait::Fd(fd, wait_bits(events)), deadline)
}

/// Why a transfer did not take place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The operating system's error.
    Errno(Errno),
    /// The waiting thread was signalled (`NativeThread.signal`).
    Interrupted,
}

impl From<Errno> for Failure {
    fn from(e: Errno) -> Failure {
        Failure::Errno(e)
    }
}

/// Comes back when an operation on `fd` does not block: at once, or by running the native again.
/// A descriptor in non-blocking mode never waits.
pub fn ready(vm: &mut Env, fd: i32, events: i16) -> R<Result<(), Failure>> {
    let wake = vm.take_wake();
    if poll_now(vm, fd, events) != 0 {
        return Ok(Ok(()));
    }
    if wake == Some(Wake::Interrupt) {
        return Ok(Err(Failure::Interrupted));
    }
    match vm.host().descriptors().flags(fd) {
        Ok(f) if f & libc::O_NONBLOCK != 0 => Ok(Ok(())),
        Err(e) => Ok(Err(e.into())),
        Ok(_) => Err(park(vm, fd, events, None)),
    }
}

/// One read of up to `len` bytes; 0 at the end.
pub fn read(vm: &mut Env, fd: i32, to: IoTarget, len: usize) -> R<Result<usize, Failure>> {
    if let Err(e) = ready(vm, fd, libc::POLLIN)? {
        return Ok(Err(e));
    }
    let Rooms {
        mut heap,
        offheap,
        host,
        ..
    } = vm.rooms();
    let r = to.change(&mut heap, offheap, len, |buf| {
        direct::read(host.descriptors(), fd, to, buf, None)
    })?;
    Ok(r.map_err(Failure::from))
}

/// How many bytes a pipe that is ready takes for certain without blocking (`PIPE_BUF`).
const PIPE_CHUNK: usize = 4096;

/// One write: of all `len` bytes if the descriptor blocks (waiting as often as it takes), of some
/// otherwise. The count is less than `len` if an error came after a part.
pub fn write(vm: &mut Env, fd: i32, from: IoTarget, len: usize) -> R<Result<usize, Failure>> {
    Ok(match write_all(vm, fd, from, len)? {
        (0, Some(e)) => Err(e),
        (n, _) => Ok(n),
    })
}

/// Writes `len` bytes, or as many as a non-blocking descriptor takes; returns how many were written
/// since the native first ran, and what stopped it.
pub fn write_all(vm: &mut Env, fd: i32, from: IoTarget, len: usize) -> R<(usize, Option<Failure>)> {
    // what earlier runs of the native have written is kept in its scratch words
    let mut sent = std::mem::take(&mut vm.native_state()[0]) as usize;
    let mut kind = None;
    loop {
        let left = len - sent;
        match ready(vm, fd, libc::POLLOUT) {
            Ok(Ok(())) => {}
            Ok(Err(e)) => return Ok((sent, Some(e))),
            Err(t) => {
                vm.native_state()[0] = sent as u64;
                return Err(t);
            }
        }
        let Rooms {
            heap,
            offheap,
            host,
            ..
        } = vm.rooms();
        // small writes to something that is ready don't block, whatever it is
        let kind = match left {
            0..=PIPE_CHUNK => libc::S_IFREG,
            _ => *kind.get_or_insert_with(|| {
                let s = host.descriptors().stat(fd);
                s.map_or(libc::S_IFREG, |s| s.kind())
            }),
        };
        let r: Io<usize> = match kind {
            libc::S_IFSOCK => {
                let buf = from.bytes(&heap, offheap, sent, left)?;
                host.network().send(fd, &buf, libc::MSG_DONTWAIT)
            }
            libc::S_IFIFO => {
                let buf = from.bytes(&heap, offheap, sent, left.min(PIPE_CHUNK))?;
                host.descriptors().write(fd, &buf)
            }
            _ => {
                let buf = from.bytes(&heap, offheap, sent, left)?;
                direct::write(host.descriptors(), fd, from.skip(sent), &buf, None)
            }
        };
        match r {
            Ok(n) => sent += n,
            Err(e) => return Ok((sent, Some(e.into()))),
        }
        if sent >= len {
            return Ok((sent, None));
        }
        let flags = host.descriptors().flags(fd).unwrap_or(0);
        if flags & libc::O_NONBLOCK != 0 {
            return Ok((sent, None));
        }
    }
}

/// State that natives keep between calls, by a name of their choosing.
pub fn state<'a, T: Default + Send + 'static>(
    ext: &'a mut hashbrown::HashMap<&'static str, Box<dyn std::any::Any + Send>>,
    name: &'static str,
) -> &'a mut T {
    let b = ext
        .entry(name)
        .or_insert_with(|| Box::new(T::default()) as Box<dyn std::any::Any + Send>);
    b.downcast_mut().expect("each name has one type")
}

/// Objects of natives behind the `long` handles Java code holds.
pub struct Handles<T> {
    map: std::collections::BTreeMap<i64, T>,
    next: i64,
}

impl<T> Default for Handles<T> {
    fn default() -> Self {
        Handles {
            map: Default::default(),
            next: 1,
        }
    }
}

impl<T> Handles<T> {
    /// Keeps `t`; its handle.
    pub fn add(&mut self, t: T) -> i64 {
        let h = self.next;
        self.next += 1;
        self.map.insert(h, t);
        h
    }
    /// The object of a handle.
    pub fn get(&mut self, h: i64) -> Option<&mut T> {
        self.map.get_mut(&h)
    }
    /// Gives the object up.
    pub fn remove(&mut self, h: i64) -> Option<T> {
        self.map.remove(&h)
    }
}
