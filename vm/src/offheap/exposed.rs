//! Memory outside the heap of a program that may call native code: addresses are those of the machine, so that both
//! follow the same ones.
//!
//! Blocks are found by where they begin, and an access beyond the end of one is an error as usual. What lies in no block
//! may belong to native code. It can be read and written once the program uses such code, by the guarded copy:
//! where there is no memory at all, the access is an error instead of a crash.
//!
//! What a host keeps itself has no machine address. It has a name, above all addresses of the machine.

use super::{Block, guard};
use crate::prim::Prim;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::mem::MaybeUninit;

/// Names begin here: above the addresses that a process has (47 or 48 bits).
pub(super) const NAMES: u64 = 1 << 48;

/// Bytes within which memory is there as a whole, or not at all.
const PAGE: u64 = 4096;

/// Blocks by their machine addresses.
#[derive(Default)]
pub(super) struct Exposed {
    blocks: BTreeMap<u64, Block>,
    /// Addresses and lengths of the two blocks of the VM's own that were found last, for the next access: programs copy
    /// from one to another.
    recent: [Cell<(u64, u64)>; 2],
    open: bool,
}

impl Exposed {
    /// Keeps a block, if it has a machine address.
    pub fn add(&mut self, b: Block) -> Result<u64, Block> {
        let at = match &b.mapping {
            None => b.ptr,
            Some(m) => match m.pages() {
                Some(ptr) => ptr,
                None => return Err(b),
            },
        };
        let address = at.expose_provenance() as u64;
        let old = self.blocks.insert(address, b);
        assert!(old.is_none(), "two blocks at {address:#x}");
        Ok(address)
    }
    /// Takes the block that begins at this address.
    pub fn remove(&mut self, addr: u64) -> Option<Block> {
        for recent in &self.recent {
            recent.set((0, 0));
        }
        self.blocks.remove(&addr)
    }
    /// The block that an address is in, or at the end of.
    #[inline]
    pub fn find(&self, addr: u64) -> Option<(&Block, usize)> {
        let (start, b) = self.blocks.range(..=addr).next_back()?;
        let off = (addr - start) as usize;
        if off > b.len {
            return None;
        }
        if b.mapping.is_none() {
            let [last, before] = &self.recent;
            before.set(last.replace((*start, b.len as u64)));
        }
        Some((b, off))
    }
    /// Bytes of the blocks of the VM's own that were found last, if they are there.
    #[inline]
    pub fn recent(&self, addr: u64, len: usize) -> Option<*mut u8> {
        let inside = |recent: &Cell<(u64, u64)>| {
            let (start, room) = recent.get();
            let off = addr.wrapping_sub(start);
            off <= room && room - off >= len as u64
        };
        let found = self.recent.iter().any(inside);
        found.then(|| std::ptr::with_exposed_provenance_mut(addr as usize))
    }
    pub fn into_blocks(self) -> impl Iterator<Item = Block> {
        self.blocks.into_values()
    }
    pub fn open(&mut self) {
        self.open = true;
    }
    /// A range that may be native code's.
    fn foreign(&self, addr: u64, len: usize) -> Option<*mut u8> {
        if !self.open || addr < PAGE || len as u64 > NAMES.checked_sub(addr)? {
            return None;
        }
        // all of a block's own bytes are reached as such
        let within = self.find(addr).is_some_and(|(b, off)| off < b.len);
        (!within).then(|| std::ptr::with_exposed_provenance_mut(addr as usize))
    }
    /// Bytes behind an address that may be native code's: how many is unknown.
    pub fn foreign_rest(&self, addr: u64) -> Option<usize> {
        self.foreign(addr, 0)?;
        Some((NAMES - addr) as usize)
    }
    pub fn read(&self, addr: u64, len: usize) -> Option<Vec<u8>> {
        let from = self.foreign(addr, len)?;
        let mut copy = Vec::new();
        copy.try_reserve_exact(len).ok()?;
        copy.resize(len, 0);
        // SAFETY: the new vector has room, and nobody else has it; a fault on the other side is an error.
        unsafe { guard::copy(copy.as_mut_ptr(), from, len) }.then_some(copy)
    }
    pub fn write(&self, addr: u64, from: &[u8]) -> Option<()> {
        let to = self.foreign(addr, from.len())?;
        // SAFETY: the program has been granted to write what is no block, as native code may; a fault is an error. What
        // Rust code lends does not overlap with it.
        unsafe { guard::copy(to, from.as_ptr(), from.len()) }.then_some(())
    }
    pub fn get<T: Prim>(&self, addr: u64) -> Option<T> {
        let from = self.foreign(addr, size_of::<T>())?;
        let mut v = MaybeUninit::<T>::zeroed();
        // SAFETY: `v` has room for a `T`, and of its bits every pattern is valid; a fault on the other side is an error.
        unsafe { guard::copy(v.as_mut_ptr().cast(), from, size_of::<T>()).then(|| v.assume_init()) }
    }
    pub fn put<T: Prim>(&self, addr: u64, v: T) -> Option<()> {
        // SAFETY: a primitive value is nothing but its bytes.
        let bytes =
            unsafe { std::slice::from_raw_parts((&raw const v).cast::<u8>(), size_of::<T>()) };
        self.write(addr, bytes)
    }
    /// A NUL-terminated string, without its end.
    pub fn c_string(&self, addr: u64) -> Option<Vec<u8>> {
        let mut all = Vec::new();
        loop {
            let at = addr + all.len() as u64;
            let piece = self.read(at, (PAGE - at % PAGE) as usize)?;
            if let Some(end) = piece.iter().position(|&b| b == 0) {
                all.extend_from_slice(&piece[..end]);
                return Some(all);
            }
            all.extend(piece);
        }
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use super::super::OffHeap;

    #[test]
    fn addresses_are_those_of_the_machine() {
        let mut m = OffHeap::default();
        m.expose();
        let a = m.alloc(10).unwrap();
        assert_eq!(m.put::<u32>(a + 6, 0x01020304), Some(()));
        assert_eq!(
            (m.get::<u32>(a + 6), m.get::<u32>(a + 7)),
            (Some(0x01020304), None)
        );
        // SAFETY: the block is alive.
        let direct = unsafe { std::ptr::with_exposed_provenance::<u8>(a as usize + 6).read() };
        assert_eq!(direct, 4);
        let b = m.realloc(a, 20).unwrap();
        assert_eq!(m.get::<u32>(b + 6), Some(0x01020304));
        assert_eq!(m.rest(b + 6), Some(14));
        assert!(m.release(b + 1).is_none());
        assert!(m.release(b).is_some());
        assert!(m.release(b).is_none());
        assert_eq!((m.used(), m.taken()), (0, 0));
    }

    #[test]
    fn foreign_memory_is_there_once_it_is_opened_and_bad_addresses_are_errors() {
        let mut m = OffHeap::default();
        m.expose();
        let mut text = *b"abc\0";
        let at = text.as_mut_ptr().expose_provenance() as u64;
        assert_eq!(m.get::<u8>(at), None);
        m.open();
        assert_eq!(m.get::<u8>(at), Some(b'a'));
        assert_eq!(m.c_string(at).as_deref(), Some(&b"abc"[..]));
        assert_eq!(m.write(at, b"xy"), Some(()));
        assert_eq!(&m.bytes(at, 4).unwrap()[..], b"xyc\0");
        let a = m.alloc(8).unwrap();
        assert_eq!(m.copy(at, a, 4), Some(()));
        assert_eq!(&m.bytes(a, 4).unwrap()[..], b"xyc\0");
        for bad in [0, 8, 4096, u64::MAX, 1 << 47, (1 << 48) - 1, 1 << 50] {
            assert_eq!(
                (m.get::<u64>(bad), m.put::<u8>(bad, 1)),
                (None, None),
                "{bad:#x}"
            );
        }
        assert_eq!(&text, b"xyc\0");
    }
}
