//! Memory outside the heap that Java code reaches by address (`Unsafe`, direct buffers, mapped files).
//!
//! An address is a name, not a machine address: block number times 2^40 plus an offset. So addresses
//! are the same in every run, and an access outside a live block is an error instead of a crash.
//!
//! Where the program may call native code, addresses are those of the machine, since such code follows them: see
//! `exposed`.

mod exposed;
mod guard;
mod mapping;

pub use guard::{MemoryFault, OnFault, on_fault, on_sent};
pub use mapping::{Access, Mapped, Mapping};

use crate::prim::copying;
use std::borrow::Cow;

/// log2 of the address space of one block.
const BLOCK_SHIFT: u32 = 40;
/// Alignment of own blocks: what the allocator gives anyhow, so that it can leave the pages of a large block
/// untouched until they are used.
const ALIGN: usize = 16;
/// Bytes that a block counts with besides its own: its place in the list, and what the allocator keeps of it.
const BLOCK: usize = 80;

struct Block {
    /// The memory, if it is the VM's own.
    ptr: *mut u8,
    len: usize,
    /// A file, whose contents can only be copied.
    mapping: Option<Mapping>,
    /// Bytes of it that count as taken.
    charged: usize,
}

/// All live blocks of a VM.
#[derive(Default)]
pub struct OffHeap {
    blocks: Vec<Option<Block>>,
    free: Vec<usize>,
    used: usize,
    /// Bytes of everything that counts: own blocks, mapped files, and what natives say they hold.
    taken: usize,
    limit: Option<usize>,
    /// Blocks by their machine addresses, if these are what the program sees.
    exposed: Option<exposed::Exposed>,
}

// SAFETY: the blocks are owned by this value and not tied to an OS thread.
unsafe impl Send for OffHeap {}

fn layout(len: usize) -> Option<std::alloc::Layout> {
    std::alloc::Layout::from_size_align(len.max(1), ALIGN).ok()
}

impl OffHeap {
    fn add(&mut self, b: Block) -> u64 {
        let (b, base) = match &mut self.exposed {
            None => (b, 0),
            Some(exposed) => match exposed.add(b) {
                Ok(address) => return address,
                Err(b) => (b, exposed::NAMES),
            },
        };
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
        base + ((i as u64 + 1) << BLOCK_SHIFT)
    }
    /// The number of a named block, and where in it an address is.
    fn name(&self, addr: u64) -> Option<(usize, usize)> {
        let base = match self.exposed {
            None => 0,
            Some(_) => exposed::NAMES,
        };
        let addr = addr.checked_sub(base)?;
        let i = (addr >> BLOCK_SHIFT).checked_sub(1)?;
        Some((i as usize, (addr & ((1 << BLOCK_SHIFT) - 1)) as usize))
    }
    /// A zeroed block of `len` bytes; `None` when the host has no memory (or `len` is absurd).
    pub fn alloc(&mut self, len: usize) -> Option<u64> {
        if len >> BLOCK_SHIFT != 0 || self.blocks.len() >= 1 << 22 {
            return None;
        }
        let layout = layout(len)?;
        let charged = len + BLOCK;
        self.charge(charged)?;
        // SAFETY: the layout has a non-zero size.
        let ptr = unsafe { std::alloc::alloc_zeroed(layout) };
        if ptr.is_null() {
            self.discharge(charged);
            return None;
        }
        self.used += len;
        Some(self.add(Block {
            ptr,
            len,
            mapping: None,
            charged,
        }))
    }
    /// From now on addresses are those of the machine. Nothing has been allocated yet.
    pub(crate) fn expose(&mut self) {
        assert!(self.blocks.is_empty(), "blocks have been allocated already");
        self.exposed = Some(exposed::Exposed::default());
    }
    /// Whether addresses are those of the machine, as native code needs them.
    pub fn is_exposed(&self) -> bool {
        self.exposed.is_some()
    }
    /// Memory that is nobody's block may be read and written: native code is in use, whose memory that may be. Nothing
    /// changes unless addresses are those of the machine.
    pub fn open(&mut self) {
        if let Some(exposed) = &mut self.exposed {
            guard::install();
            exposed.open();
        }
    }
    /// The most bytes that may be taken (`None`: any number).
    pub fn set_limit(&mut self, limit: Option<usize>) {
        self.limit = limit;
    }
    /// Bytes taken: own blocks, mapped files, and [charged](OffHeap::charge) bytes.
    pub fn taken(&self) -> usize {
        self.taken
    }
    /// Counts memory that is taken elsewhere on the program's behalf, such as a compressor's. `None`: it must not be
    /// taken, since that would be beyond the limit.
    #[must_use]
    pub fn charge(&mut self, bytes: usize) -> Option<()> {
        let taken = self.taken.checked_add(bytes)?;
        if self.limit.is_some_and(|limit| taken > limit) {
            return None;
        }
        self.taken = taken;
        Some(())
    }
    /// Returns charged bytes.
    pub fn discharge(&mut self, bytes: usize) {
        self.taken = self.taken.saturating_sub(bytes);
    }
    /// Makes a mapped file reachable by address; `None` if it is absurdly long, or beyond the limit.
    pub fn map(&mut self, mapping: Mapping) -> Option<u64> {
        let bytes = mapping.memory().checked_add(BLOCK)?;
        self.charge(bytes)?;
        let address = self.show(mapping, bytes);
        if address.is_none() {
            self.discharge(bytes);
        }
        address
    }
    /// The same for a file that the VM has mapped for itself: it does not count.
    pub fn lend(&mut self, mapping: Mapping) -> Option<u64> {
        self.show(mapping, 0)
    }
    fn show(&mut self, mapping: Mapping, charged: usize) -> Option<u64> {
        if mapping.len() >> BLOCK_SHIFT != 0 || self.blocks.len() >= 1 << 22 {
            return None;
        }
        Some(self.add(Block {
            ptr: std::ptr::null_mut(),
            len: mapping.len(),
            mapping: Some(mapping),
            charged,
        }))
    }
    /// The mapped file at `addr`, and where in it that is.
    pub fn mapping(&self, addr: u64) -> Option<(&Mapping, usize)> {
        let (b, off) = self.block(addr)?;
        Some((b.mapping.as_ref()?, off))
    }
    /// Frees the block that starts at `addr`.
    #[must_use]
    pub fn release(&mut self, addr: u64) -> Option<()> {
        if let Some(b) = self.exposed.as_mut().and_then(|e| e.remove(addr)) {
            self.drop_block(b);
            return Some(());
        }
        let (i, off) = self.name(addr)?;
        if off != 0 {
            return None;
        }
        let b = self.blocks.get_mut(i)?.take()?;
        self.free.push(i);
        self.drop_block(b);
        Some(())
    }
    fn drop_block(&mut self, b: Block) {
        self.discharge(b.charged);
        if b.mapping.is_some() {
            return;
        }
        self.used -= b.len;
        if let Some(l) = layout(b.len) {
            // SAFETY: own blocks were allocated with this layout.
            unsafe { std::alloc::dealloc(b.ptr, l) }
        }
    }
    /// A block of `len` bytes with the contents of the one at `addr`, which is freed (0: a new one).
    pub fn realloc(&mut self, addr: u64, len: usize) -> Option<u64> {
        // while it is copied there are both
        let kept = match addr {
            0 => 0,
            _ => self.block(addr)?.0.charged,
        };
        self.discharge(kept);
        let new = self.alloc(len);
        self.taken += kept;
        let new = new?;
        if addr != 0 {
            let old = self.rest(addr)?;
            self.copy(addr, new, old.min(len));
            let _ = self.release(addr);
        }
        Some(new)
    }
    /// Bytes of own blocks.
    pub fn used(&self) -> usize {
        self.used
    }
    fn block(&self, addr: u64) -> Option<(&Block, usize)> {
        if let Some(found) = self.exposed.as_ref().and_then(|e| e.find(addr)) {
            return Some(found);
        }
        let (i, off) = self.name(addr)?;
        Some((self.blocks.get(i)?.as_ref()?, off))
    }
    /// Bytes from `addr` to the end of its block.
    pub fn rest(&self, addr: u64) -> Option<usize> {
        match self.block(addr) {
            Some((b, off)) => b.len.checked_sub(off),
            None => self.exposed.as_ref()?.foreign_rest(addr),
        }
    }
    /// The block that has all of `len` bytes at `addr`, and where they are in it.
    #[inline]
    fn inside(&self, addr: u64, len: usize) -> Option<(&Block, usize)> {
        let (b, off) = self.block(addr)?;
        (off <= b.len && b.len - off >= len).then_some((b, off))
    }
    #[inline]
    fn recent(&self, addr: u64, len: usize) -> Option<*mut u8> {
        self.exposed.as_ref()?.recent(addr, len)
    }
    /// `len` bytes at `addr`; `None` unless all of them lie in one live block. Those of a mapped file are
    /// a copy; there it is also `None` if the file has been cut.
    pub fn bytes(&self, addr: u64, len: usize) -> Option<Cow<'_, [u8]>> {
        let Some((b, off)) = self.inside(addr, len) else {
            return self.exposed.as_ref()?.read(addr, len).map(Cow::Owned);
        };
        if let Some(m) = &b.mapping {
            let mut copy = Vec::new();
            copy.try_reserve_exact(len).ok()?;
            copy.resize(len, 0);
            m.read(off, &mut copy)?;
            return Some(Cow::Owned(copy));
        }
        // SAFETY: a live block of our own; the borrow of self keeps writers away.
        Some(Cow::Borrowed(unsafe {
            std::slice::from_raw_parts(b.ptr.add(off), len)
        }))
    }
    /// Lets `f` change `len` bytes at `addr`; `None` as above. Of a mapped file only the changes are written.
    pub fn change<T>(
        &mut self,
        addr: u64,
        len: usize,
        f: impl FnOnce(&mut [u8]) -> T,
    ) -> Option<T> {
        if let Some((
            Block {
                mapping: None, ptr, ..
            },
            off,
        )) = self.inside(addr, len)
        {
            // SAFETY: a live block of our own; the mutable borrow of self keeps everyone else away.
            return Some(f(unsafe {
                std::slice::from_raw_parts_mut(ptr.add(off), len)
            }));
        }
        let old = self.bytes(addr, len)?;
        let mut new = old.to_vec();
        let result = f(&mut new);
        let differs = |(a, b): (&u8, &u8)| a != b;
        if let Some(first) = old.iter().zip(&new).position(differs)
            && let Some(last) = old.iter().zip(&new).rposition(differs)
        {
            self.write(addr + first as u64, &new[first..=last])?;
        }
        Some(result)
    }
    /// Writes bytes.
    #[must_use]
    pub fn write(&mut self, addr: u64, from: &[u8]) -> Option<()> {
        let Some((b, off)) = self.inside(addr, from.len()) else {
            return self.exposed.as_ref()?.write(addr, from);
        };
        match &b.mapping {
            Some(m) => m.write(off, from),
            None => self.change(addr, from.len(), |to| to.copy_from_slice(from)),
        }
    }
    /// Reads a primitive.
    #[inline]
    pub fn get<T: crate::prim::Prim>(&self, addr: u64) -> Option<T> {
        if let Some(p) = self.recent(addr, size_of::<T>()) {
            // SAFETY: inside a live block of our own; all bit patterns are valid for a Prim.
            return Some(unsafe { p.cast::<T>().read_unaligned() });
        }
        let Some((b, off)) = self.inside(addr, size_of::<T>()) else {
            return self.exposed.as_ref()?.get(addr);
        };
        if let Some(m) = &b.mapping {
            return m.get(off);
        }
        // SAFETY: inside a live block of our own; all bit patterns are valid for a Prim.
        Some(unsafe { b.ptr.add(off).cast::<T>().read_unaligned() })
    }
    /// Writes a primitive.
    #[inline]
    #[must_use]
    pub fn put<T: crate::prim::Prim>(&mut self, addr: u64, v: T) -> Option<()> {
        if let Some(p) = self.recent(addr, size_of::<T>()) {
            // SAFETY: inside a live block of our own.
            unsafe { p.cast::<T>().write_unaligned(v) };
            return Some(());
        }
        let Some((b, off)) = self.inside(addr, size_of::<T>()) else {
            return self.exposed.as_ref()?.put(addr, v);
        };
        if let Some(m) = &b.mapping {
            return m.put(off, v);
        }
        // SAFETY: inside a live block of our own.
        unsafe { b.ptr.add(off).cast::<T>().write_unaligned(v) };
        Some(())
    }
    /// Copies `n` bytes, which may overlap; `None` if either range isn't all in a live block.
    pub fn copy(&mut self, from: u64, to: u64, n: usize) -> Option<()> {
        let own = |addr| self.inside(addr, n).filter(|(b, _)| b.mapping.is_none());
        let (Some((s, s_off)), Some((d, d_off))) = (own(from), own(to)) else {
            let bytes = self.bytes(from, n)?.into_owned();
            return self.write(to, &bytes);
        };
        // SAFETY: both ranges lie in live blocks of our own; `copy` allows overlap.
        unsafe { copying::copy(s.ptr.add(s_off), d.ptr.add(d_off), n) };
        Some(())
    }
    /// A NUL-terminated string, without its end.
    pub fn c_string(&self, addr: u64) -> Option<Vec<u8>> {
        if self.block(addr).is_none() {
            return self.exposed.as_ref()?.c_string(addr);
        }
        let all = self.bytes(addr, self.rest(addr)?)?;
        Some(all[..all.iter().position(|&b| b == 0)?].to_vec())
    }
}

impl Drop for OffHeap {
    fn drop(&mut self) {
        let named = std::mem::take(&mut self.blocks).into_iter().flatten();
        let exposed = self.exposed.take();
        for b in named.chain(exposed.into_iter().flat_map(exposed::Exposed::into_blocks)) {
            self.drop_block(b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, OffHeap};

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

    #[test]
    fn no_more_is_taken_than_the_limit() {
        let mut m = OffHeap::default();
        m.set_limit(Some(100 + BLOCK));
        let a = m.alloc(60).unwrap();
        assert_eq!((m.alloc(41), m.charge(41)), (None, None));
        m.charge(40).unwrap();
        assert_eq!((m.taken(), m.alloc(0)), (100 + BLOCK, None));
        m.discharge(40);
        // the old block makes way for the new one
        let a = m.realloc(a, 90).unwrap();
        assert_eq!((m.taken(), m.realloc(a, 101)), (90 + BLOCK, None));
        assert!(m.release(a).is_some());
        assert_eq!((m.taken(), m.alloc(usize::MAX)), (0, None));
        assert!(m.alloc(100).is_some());
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri takes a block's memory at once")]
    fn large_blocks_take_memory_as_it_is_used() {
        let resident = || {
            let text = std::fs::read_to_string("/proc/self/statm").unwrap();
            let pages: usize = text.split(' ').nth(1).unwrap().parse().unwrap();
            pages * 4096
        };
        let mut m = OffHeap::default();
        let before = resident();
        let a = m.alloc(1 << 30).unwrap();
        assert_eq!(m.put::<u8>(a + (1 << 29), 1), Some(()));
        let b = m.realloc(0, 1 << 30).unwrap();
        assert_eq!(m.get::<u8>(b + 12345), Some(0));
        assert!(resident() < before + (64 << 20));
        assert!(m.alloc(1 << 40).is_none());
    }

    #[test]
    fn changes_reach_own_blocks_and_ends_are_checked() {
        let mut m = OffHeap::default();
        let a = m.alloc(10).unwrap();
        assert_eq!(m.change(a + 2, 3, |b| b.fill(7)), Some(()));
        assert_eq!(m.bytes(a, 6).unwrap()[..], [0, 0, 7, 7, 7, 0]);
        assert_eq!(m.change(a + 8, 3, |b| b.fill(7)), None);
        assert_eq!(m.write(a + 8, &[1, 2]), Some(()));
        assert_eq!(m.write(a + 9, &[1, 2]), None);
        assert_eq!(m.copy(a + 2, a + 4, 6), Some(()));
        assert_eq!(m.bytes(a, 10).unwrap()[..], [0, 0, 7, 7, 7, 7, 7, 0, 0, 0]);
    }
}
