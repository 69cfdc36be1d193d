//! The stack of a green thread: the value stack grows up from the low end, the control stack down
//! from the high end of one mapping, so one comparison of two registers finds the overflow.

use crate::interp::Frame;
use std::io;

/// Bytes kept free between the two stacks: the largest frame entered without its own check.
pub const RED_ZONE: usize = 4096;

/// The mapped stack, or a packed one: memory that holds the contents of a stack, and no more. Freed when dropped.
pub struct Stack {
    map: *mut u8,
    len: usize,
    packed: bool,
}

// SAFETY: the mapping is owned by this value alone and is not tied to an OS thread.
unsafe impl Send for Stack {}

impl Stack {
    /// Maps a stack of `bytes` (rounded up to pages); pages are committed when touched.
    pub fn new(bytes: usize) -> io::Result<Stack> {
        let len = Stack::rounded(bytes);
        // SAFETY: a fresh anonymous private mapping at an address of the kernel's choice.
        let p = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if p == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Stack {
            map: p.cast(),
            len,
            packed: false,
        })
    }
    /// Length of the stack that [`Stack::new`] maps for `bytes`.
    pub fn rounded(bytes: usize) -> usize {
        (bytes.clamp(64 << 10, 1 << 30) + 4095) & !4095
    }
    /// No stack, for a thread that has ended.
    pub fn none() -> Stack {
        Stack {
            map: std::ptr::null_mut(),
            len: 0,
            packed: false,
        }
    }
    /// A stack with room for so many slots and control frames: nothing can be pushed onto it.
    pub(super) fn packed(slots: usize, frames: usize) -> Stack {
        let len = slots * size_of::<u64>() + frames * size_of::<Frame>();
        let words = vec![0u64; len / size_of::<u64>()].into_boxed_slice();
        Stack {
            map: Box::into_raw(words).cast(),
            len,
            packed: true,
        }
    }
    /// Whether it is one of these.
    pub(crate) fn is_packed(&self) -> bool {
        self.packed
    }
    /// Lowest value slot.
    pub fn values(&self) -> *mut u64 {
        self.map.cast()
    }
    /// One past the highest control frame.
    pub fn control_end(&self) -> *mut Frame {
        // SAFETY: the end of the mapping, rounded down to a whole number of frames from nothing in particular; only frames below it are touched.
        unsafe { self.map.add(self.len).cast() }
    }
    /// Bytes in all.
    pub fn len(&self) -> usize {
        self.len
    }
    /// Whether this is [`Stack::none`].
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        if self.len == 0 {
            return;
        }
        // SAFETY: `map`/`len` are what `packed` has made of a box of words, or what mmap returned; a dropped thread has no
        // frames in use.
        unsafe {
            if self.packed {
                let words = std::ptr::slice_from_raw_parts_mut(
                    self.map.cast::<u64>(),
                    self.len / size_of::<u64>(),
                );
                drop(Box::from_raw(words));
                return;
            }
            libc::munmap(self.map.cast(), self.len);
        }
    }
}
