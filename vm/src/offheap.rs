//! Memory outside the heap that Java code reaches by address (`Unsafe`, direct buffers, mapped files).
//!
//! An address is a name, not a machine address: block number times 2^40 plus an offset. So addresses
//! are the same in every run, and an access outside a live block is an error instead of a crash.

/// log2 of the address space of one block.
const BLOCK_SHIFT: u32 = 40;
/// Alignment of own blocks.
const ALIGN: usize = 64;

struct Block {
    ptr: *mut u8,
    len: usize,
    /// Allocated here (and freed here), as opposed to memory lent by a native.
    own: bool,
}

/// All live blocks of a VM.
#[derive(Default)]
pub struct OffHeap {
    blocks: Vec<Option<Block>>,
    free: Vec<usize>,
    used: usize,
}

// SAFETY: the blocks are owned by this value (or lent to it for its life) and not tied to an OS thread.
unsafe impl Send for OffHeap {}

fn layout(len: usize) -> Option<std::alloc::Layout> {
    std::alloc::Layout::from_size_align(len.max(1), ALIGN).ok()
}

impl OffHeap {
    fn add(&mut self, b: Block) -> u64 {
        let i = match self.free.pop() {
            Some(i) => {
                self.blocks[i] = Some(b);
                i
            }
            None => {
                self.blocks.push(Some(b));
                self.blocks.len() - 1
            }
        };
        (i as u64 + 1) << BLOCK_SHIFT
    }
    /// A zeroed block of `len` bytes; `None` when the host has no memory (or `len` is absurd).
    pub fn alloc(&mut self, len: usize) -> Option<u64> {
        if len >> BLOCK_SHIFT != 0 || self.blocks.len() >= 1 << 22 {
            return None;
        }
        // SAFETY: the layout has a non-zero size.
        let ptr = unsafe { std::alloc::alloc_zeroed(layout(len)?) };
        if ptr.is_null() {
            return None;
        }
        self.used += len;
        Some(self.add(Block {
            ptr,
            len,
            own: true,
        }))
    }
    /// Makes memory of a native (a mapped file, say) reachable by address.
    ///
    /// # Safety
    /// `ptr..ptr+len` must stay valid for reads and writes until [`OffHeap::release`] or the drop of this value.
    pub unsafe fn lend(&mut self, ptr: *mut u8, len: usize) -> u64 {
        self.add(Block {
            ptr,
            len,
            own: false,
        })
    }
    /// Frees or forgets the block that starts at `addr`; the pointer and length of a lent one.
    pub fn release(&mut self, addr: u64) -> Option<(*mut u8, usize)> {
        let i = (addr >> BLOCK_SHIFT).checked_sub(1)? as usize;
        if addr & ((1 << BLOCK_SHIFT) - 1) != 0 {
            return None;
        }
        let b = self.blocks.get_mut(i)?.take()?;
        self.free.push(i);
        let r = (b.ptr, b.len);
        if b.own {
            self.drop_block(b);
        }
        Some(r)
    }
    fn drop_block(&mut self, b: Block) {
        self.used -= b.len;
        if let Some(l) = layout(b.len) {
            // SAFETY: own blocks were allocated with this layout.
            unsafe { std::alloc::dealloc(b.ptr, l) }
        }
    }
    /// A block of `len` bytes with the contents of the one at `addr`, which is freed (0: a new one).
    pub fn realloc(&mut self, addr: u64, len: usize) -> Option<u64> {
        let new = self.alloc(len)?;
        if addr != 0 {
            let old = self.rest(addr)?;
            self.copy(addr, new, old.min(len));
            self.release(addr);
        }
        Some(new)
    }
    /// Bytes of own blocks.
    pub fn used(&self) -> usize {
        self.used
    }
    fn block(&self, addr: u64) -> Option<(&Block, usize)> {
        let i = (addr >> BLOCK_SHIFT).wrapping_sub(1) as usize;
        let b = self.blocks.get(i)?.as_ref()?;
        Some((b, (addr & ((1 << BLOCK_SHIFT) - 1)) as usize))
    }
    /// Bytes from `addr` to the end of its block.
    pub fn rest(&self, addr: u64) -> Option<usize> {
        let (b, off) = self.block(addr)?;
        b.len.checked_sub(off)
    }
    /// The machine address of `len` bytes at `addr`; `None` unless all of them lie in one live block.
    #[inline]
    pub fn pointer(&self, addr: u64, len: usize) -> Option<*mut u8> {
        let (b, off) = self.block(addr)?;
        if off > b.len || b.len - off < len {
            return None;
        }
        // SAFETY: just checked to be inside the block.
        Some(unsafe { b.ptr.add(off) })
    }
    /// `len` bytes at `addr`.
    pub fn bytes(&self, addr: u64, len: usize) -> Option<&[u8]> {
        // SAFETY: a live block; the borrow of self keeps writers away.
        self.pointer(addr, len)
            .map(|p| unsafe { std::slice::from_raw_parts(p, len) })
    }
    /// `len` bytes at `addr`, mutable.
    pub fn bytes_mut(&mut self, addr: u64, len: usize) -> Option<&mut [u8]> {
        // SAFETY: a live block; the mutable borrow of self keeps everyone else away.
        self.pointer(addr, len)
            .map(|p| unsafe { std::slice::from_raw_parts_mut(p, len) })
    }
    /// Reads a primitive.
    #[inline]
    pub fn get<T: crate::heap::Prim>(&self, addr: u64) -> Option<T> {
        // SAFETY: inside a live block; all bit patterns are valid for a Prim.
        self.pointer(addr, size_of::<T>())
            .map(|p| unsafe { p.cast::<T>().read_unaligned() })
    }
    /// Writes a primitive.
    #[inline]
    #[must_use]
    pub fn put<T: crate::heap::Prim>(&mut self, addr: u64, v: T) -> Option<()> {
        // SAFETY: inside a live block.
        self.pointer(addr, size_of::<T>())
            .map(|p| unsafe { p.cast::<T>().write_unaligned(v) })
    }
    /// Copies `n` bytes, which may overlap; `None` if either range isn't all in a live block.
    pub fn copy(&mut self, from: u64, to: u64, n: usize) -> Option<()> {
        let (s, d) = (self.pointer(from, n)?, self.pointer(to, n)?);
        // SAFETY: both ranges lie in live blocks; `copy` allows overlap.
        unsafe { std::ptr::copy(s, d, n) };
        Some(())
    }
    /// A NUL-terminated string.
    pub fn c_string(&self, addr: u64) -> Option<&[u8]> {
        let all = self.bytes(addr, self.rest(addr)?)?;
        Some(&all[..all.iter().position(|&b| b == 0)?])
    }
}

impl Drop for OffHeap {
    fn drop(&mut self) {
        for b in std::mem::take(&mut self.blocks).into_iter().flatten() {
            if b.own {
                self.drop_block(b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OffHeap;

    #[test]
    fn addresses_repeat_and_are_checked() {
        let mut m = OffHeap::default();
        let a = m.alloc(10).unwrap();
        assert_eq!(m.get::<u64>(a), Some(0));
        assert_eq!(m.put::<u32>(a + 6, 0x01020304), Some(()));
        assert_eq!(m.get::<u32>(a + 6), Some(0x01020304));
        assert_eq!(m.get::<u32>(a + 7), None);
        assert_eq!(m.get::<u8>(0), None);
        assert_eq!(m.get::<u8>(u64::MAX), None);
        let b = m.realloc(a, 20).unwrap();
        assert_eq!(m.get::<u32>(b + 6), Some(0x01020304));
        assert_eq!(m.get::<u8>(a), None);
        assert_eq!(m.alloc(1), Some(a));
        assert!(m.release(b + 1).is_none());
        assert!(m.release(b).is_some());
        assert!(m.release(b).is_none());
        assert_eq!(m.used(), 1);
    }
}
