//! The one reserved stretch of memory of a VM: card table, hot VM state, metaspace, heap.
//!
//! ```text
//! base-CARD_SPAN   card table: one byte for 512 bytes of the region
//! base             `Hot`: the interpreter's VM state (so the VM register is also the heap base)
//! base+META_START  metaspace: hot class blocks, mirrors with their statics, root cells; never moves
//! base+HEAP_START  heap (spaces are the collector's business)
//! ```
//! A reference is an offset from `base` divided by 8, so `base + ref * 8 + offset` is one addressing
//! mode of the machine, and null points at `Hot`, never at an object.

use std::io;

/// Bytes reserved for the card table (a card byte for each 512 of 32 GiB).
pub const CARD_SPAN: usize = 64 << 20;
/// log2 of the bytes a card covers.
pub const CARD_SHIFT: usize = 9;
/// Start of the metaspace.
pub const META_START: usize = 64 << 10;
/// Start of the heap, end of the metaspace.
pub const HEAP_START: usize = 1 << 30;

/// Memory that the kernel commits when it is touched; for Miri, which knows no such mapping, plain memory.
const MAP_FLAGS: i32 =
    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | if cfg!(miri) { 0 } else { libc::MAP_NORESERVE };

/// The reserved memory; unmapped when dropped.
pub struct Region {
    map: *mut u8,
    map_len: usize,
    base: *mut u8,
    len: usize,
}

// SAFETY: the mapping is owned by this value alone and is not tied to a thread.
unsafe impl Send for Region {}

impl Region {
    /// Reserves a region whose heap part has `heap_bytes` bytes. Pages are committed by the kernel
    /// when first touched.
    pub fn reserve(heap_bytes: usize) -> io::Result<Region> {
        let len = HEAP_START + heap_bytes;
        let map_len = CARD_SPAN + len;
        // SAFETY: a fresh anonymous private mapping at an address of the kernel's choice.
        let p = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                map_len,
                libc::PROT_READ | libc::PROT_WRITE,
                MAP_FLAGS,
                -1,
                0,
            )
        };
        if p == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let map = p.cast::<u8>();
        // SAFETY: CARD_SPAN < map_len.
        let base = unsafe { map.add(CARD_SPAN) };
        Ok(Region {
            map,
            map_len,
            base,
            len,
        })
    }
    /// Address of `Hot` and origin of all references.
    #[inline(always)]
    pub fn base(&self) -> *mut u8 {
        self.base
    }
    /// Bytes from `base` to the end of the mapping.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }
    /// Never true: a region has at least its metaspace.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// Asks for large pages for `[from, to)` (offsets from base): fewer faults and misses of the
    /// address translation. Only a hint.
    pub fn prefer_large_pages(&mut self, from: usize, to: usize) {
        let (a, b) = ((from + 4095) & !4095, to & !4095);
        if a < b && b <= self.len {
            #[cfg(all(target_os = "linux", not(miri)))]
            // SAFETY: the range lies inside the mapping; the advice changes no contents.
            unsafe {
                libc::madvise(self.base.add(a).cast(), b - a, libc::MADV_HUGEPAGE);
            }
        }
    }
    /// Gives the pages of `[from, to)` (offsets from base, rounded inwards to pages) back to the
    /// kernel; they read as zero afterwards.
    pub fn discard(&mut self, from: usize, to: usize) {
        let (a, b) = ((from + 4095) & !4095, to & !4095);
        if a < b && b <= self.len {
            // SAFETY: the range lies inside the mapping; MADV_DONTNEED zeroes private anonymous pages, Miri has no advice.
            unsafe {
                if cfg!(miri) {
                    self.base.add(a).write_bytes(0, b - a);
                } else {
                    libc::madvise(self.base.add(a).cast(), b - a, libc::MADV_DONTNEED);
                }
            }
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: `map`/`map_len` are what mmap returned; nothing borrows the memory any more.
        unsafe {
            libc::munmap(self.map.cast(), self.map_len);
        }
    }
}
