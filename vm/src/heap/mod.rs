//! The heap: layout, checked access for natives, allocation. The collector is in `gc`.
//!
//! Object layout (bytes from the object's start):
//! ```text
//! 0  u32 class (ClassId)        4  u32 mark word (see `mark`)
//! 8  fields …                   arrays: 8 u32 length, 12 padding, 16 elements
//! ```
//! Objects are multiples of 8 bytes. References in fields and arrays are 4 bytes.

mod access;
pub mod alloc;
pub(crate) mod arena;
pub mod arenas;
mod cards;
mod collect;
pub mod dump;
pub(crate) mod failing;
pub(crate) mod failure_plan;
pub(crate) mod fingerprint;
pub mod gc;
pub(crate) mod gc_state;
pub mod hashes;
pub mod histogram;
pub mod history;
pub(crate) mod layout;
mod lent;
pub mod metaspace;
mod mirrors;
mod object;
mod old;
pub(crate) mod pause;
mod policy;
pub(crate) mod pool_sensors;
pub(crate) mod pools;
mod refs;
pub mod region;
mod roots;
pub mod sensors;
pub(crate) mod site_counts;
pub mod sites;
mod spaces;
mod starts;
pub(crate) mod stops;
mod strings;
#[cfg(test)]
mod tests;
pub mod units;
pub(crate) mod usage;
mod verify;
pub(crate) mod watched;
mod young;

use crate::classes::{Class, ClassHot};
use crate::ids::{ClassId, LoaderId, Ref};
use crate::prim::copying;
pub use crate::prim::{Offset, Prim};
pub(crate) use access::OF_HANDLES;
pub use lent::HeapMut;
pub use policy::SpaceSizes;
use region::{CARD_SHIFT, CARD_SPAN, HEAP_START, Region};
use units::UnitId;
pub use verify::HeapDamage;

/// Offset of the class word.
pub const CLASS: u32 = 0;
/// Offset of the mark word.
pub const MARK: u32 = 4;
/// Offset of an array's length.
pub const LENGTH: u32 = 8;
/// Offset of an array's first element, for every element type.
pub const ELEMS: usize = 16;
/// Offset of the first field of `java.lang.Object`'s subclasses.
pub const FIELDS: u32 = 8;

/// The mark word: lock state and identity hash.
pub mod mark {
    /// Unlocked (lowest bit 0); the other 31 bits are the identity hash, 0 while it has none.
    pub const NEUTRAL: u32 = 0;
    /// Thin lock: bits 2..8 recursions beyond the first, bits 8..32 owner's thread id.
    pub const THIN: u32 = 1;
    /// Inflated: the other 30 bits are the monitor's index.
    pub const FAT: u32 = 3;

    /// The state: one of the constants above.
    #[inline]
    pub const fn state(mark: u32) -> u32 {
        if mark & 1 == 0 { NEUTRAL } else { mark & 3 }
    }
    /// The mark word of an unlocked object with this identity hash (0: none).
    #[inline]
    pub const fn neutral(hash: u32) -> u32 {
        hash << 1
    }
    /// The identity hash in an unlocked object's mark word.
    #[inline]
    pub const fn hash(mark: u32) -> u32 {
        mark >> 1
    }
}

/// The memory of a VM.
pub struct Heap {
    /// The reserved stretch.
    pub(crate) region: Region,
    /// Which places of the metaspace are classes.
    classes: access::Places,
    /// Which are root cells.
    roots: access::Places,
    /// Which among these belong to natives and hosts.
    lent: access::Places,
    /// The head of the list for the reference handler.
    pending_references: Option<u32>,
    /// Its part for classes.
    pub(crate) metaspace: metaspace::Metaspace,
    /// Root cells of data that is never unloaded (byte offsets from the base), see [`Heap::new_cell`].
    pub(crate) cells: Vec<u32>,
    /// Those among them that may hold a reference to a young object.
    young_cells: Vec<u32>,
    /// `-Xmx` in bytes.
    pub max_bytes: usize,
    /// Spaces and collector. The allocation pointer lives in `Hot`.
    pub(crate) gc: crate::heap::gc_state::GcState,
    /// A collection that was stopped half-way.
    paused: Option<Box<pause::PausedCollection>>,
    /// The stack of the last collection that could have been.
    spare_stack: Option<corosensei::stack::DefaultStack>,
    /// The interpreter runs: references come from it and from natives.
    pub(crate) inside: bool,
    /// Objects that are known by number without being kept.
    pub(crate) watched: watched::Watched,
    /// The known beginnings of objects.
    starts: std::cell::RefCell<starts::YoungStarts>,
}

impl Heap {
    /// Reserves memory for a heap of `max_bytes`.
    pub fn new(max_bytes: usize) -> std::io::Result<Heap> {
        let mut region = Region::reserve(gc::reservation(max_bytes))?;
        region.prefer_large_pages(HEAP_START, region.len());
        Ok(Heap {
            region,
            metaspace: Default::default(),
            classes: Default::default(),
            roots: Default::default(),
            lent: Default::default(),
            pending_references: None,
            cells: Vec::new(),
            young_cells: Vec::new(),
            max_bytes,
            gc: gc_state::GcState::new(max_bytes),
            paused: None,
            spare_stack: None,
            inside: false,
            watched: Default::default(),
            starts: Default::default(),
        })
    }
    /// Address of a byte offset from the base that must lie in the region.
    #[inline(always)]
    fn at(&self, off: usize, n: usize) -> *mut u8 {
        let len = self.region.len();
        assert!(
            n <= len && off <= len - n,
            "heap access out of the region at {off:#x}+{n}"
        );
        // SAFETY: just checked.
        unsafe { self.region.base().add(off) }
    }
    /// Byte offset from the base of `off` in object `r`.
    #[inline(always)]
    pub fn offset(r: Ref, off: impl Offset) -> usize {
        (r.0 as usize * 8).saturating_add(off.bytes())
    }
    /// Reads a primitive at a byte offset of an object.
    #[inline(always)]
    pub fn get<T: Prim>(&self, r: Ref, off: impl Offset) -> T {
        debug_assert!(!r.is_null(), "null dereferenced by the VM");
        let p = self.at(Self::offset(r, off), size_of::<T>());
        // SAFETY: inside the region; all bit patterns are valid for a Prim.
        unsafe { p.cast::<T>().read_unaligned() }
    }
    /// Writes a primitive at a byte offset of an object. Panics where a reference is, and outside the
    /// object.
    #[inline(always)]
    pub(crate) fn put<T: Prim>(&mut self, r: Ref, off: impl Offset, v: T) {
        self.check(r);
        let plain = self.is_plain(r, off.bytes(), size_of::<T>());
        assert!(plain, "no number at {} of {r:?}", off.bytes());
        self.write(r, off, v);
    }
    /// Writes the header or any other part of an object.
    #[inline(always)]
    pub(crate) fn write<T: Prim>(&mut self, r: Ref, off: impl Offset, v: T) {
        debug_assert!(!r.is_null(), "null dereferenced by the VM");
        let p = self.at(Self::offset(r, off), size_of::<T>());
        // SAFETY: inside the region, which this heap owns.
        unsafe { p.cast::<T>().write_unaligned(v) }
    }
    /// Reads a reference field or element. Panics where no reference is.
    #[inline(always)]
    pub fn get_ref(&self, r: Ref, off: impl Offset) -> Ref {
        let reference = self.is_reference(r, off.bytes());
        assert!(reference, "no reference at {} of {r:?}", off.bytes());
        self.get_known_ref(r, off)
    }
    /// Reads what the caller knows to be a reference.
    #[inline(always)]
    pub(crate) fn get_known_ref(&self, r: Ref, off: impl Offset) -> Ref {
        debug_assert!(self.is_reference(r, off.bytes()));
        Ref(self.get::<u32>(r, off))
    }
    /// Writes a reference field or element, with the collector's barrier. Panics where no reference is. Its type
    /// must say so, which [`crate::Vm::put_reference`] checks.
    #[inline(always)]
    pub(crate) fn put_ref(&mut self, r: Ref, off: impl Offset, v: Ref) {
        self.check(r);
        self.check(v);
        let reference = self.is_reference(r, off.bytes());
        assert!(reference, "no reference at {} of {r:?}", off.bytes());
        self.put_known_ref(r, off, v);
    }
    /// Writes what the caller knows to be a reference, with the collector's barrier.
    #[inline(always)]
    pub(crate) fn put_known_ref(&mut self, r: Ref, off: impl Offset, v: Ref) {
        debug_assert!(self.is_reference(r, off.bytes()));
        self.write::<u32>(r, off, v.0);
        self.mark_card(r, off);
    }
    /// Reports the collector that a reference at `off` in `r` was written.
    #[inline(always)]
    fn mark_card(&mut self, r: Ref, off: impl Offset) {
        let card = Self::offset(r, off) >> CARD_SHIFT;
        debug_assert!(card < CARD_SPAN);
        // SAFETY: the card table is the CARD_SPAN bytes below the base and covers the whole region.
        unsafe { *self.region.base().sub(CARD_SPAN).add(card) = 1 }
    }
    /// The class word of an object.
    #[inline(always)]
    pub fn class_of(&self, r: Ref) -> ClassId {
        ClassId(self.get::<u32>(r, CLASS))
    }
    /// Length of an array.
    #[inline(always)]
    pub fn len(&self, r: Ref) -> usize {
        self.get::<u32>(r, LENGTH) as usize
    }
    /// Bytes of an element of an array; 0 if it is none.
    pub fn elem_bytes(&self, r: Ref) -> usize {
        // SAFETY: hot blocks are initialised before objects of the class exist.
        let (kind, shift) = unsafe {
            let h = self.hot(self.class_of(r));
            ((*h).kind, (*h).elem_shift)
        };
        usize::from(matches!(kind, 1 | 2)) << shift
    }
    /// Element `i` of an array of primitives or references whose elements have the size of `T`. Panics out of bounds.
    #[inline(always)]
    pub fn elem<T: Prim>(&self, r: Ref, i: usize) -> T {
        assert!(i < self.len(r));
        self.get(r, ELEMS + i * size_of::<T>())
    }
    /// Sets an element of an array of primitives. Panics out of bounds.
    #[inline(always)]
    pub(crate) fn set_elem<T: Prim>(&mut self, r: Ref, i: usize, v: T) {
        assert!(i < self.len(r));
        self.put(r, ELEMS + i * size_of::<T>(), v)
    }
    /// Element of an array of references. Panics out of bounds.
    #[inline(always)]
    pub fn elem_ref(&self, r: Ref, i: usize) -> Ref {
        assert!(i < self.len(r));
        self.get_ref(r, ELEMS + i * 4)
    }
    /// Sets an element of an array of references (no store check). Panics out of bounds.
    #[inline(always)]
    pub(crate) fn set_elem_ref(&mut self, r: Ref, i: usize, v: Ref) {
        assert!(i < self.len(r));
        self.put_ref(r, ELEMS + i * 4, v)
    }
    /// The bytes of a `byte[]` or `boolean[]` (or the raw bytes of `n` bytes of any array when asked by [`Heap::raw`]).
    pub fn bytes(&self, r: Ref) -> &[u8] {
        self.raw(r, ELEMS, self.len(r))
    }
    /// The bytes of a `byte[]`, mutable.
    pub(crate) fn bytes_mut(&mut self, r: Ref) -> &mut [u8] {
        let n = self.len(r);
        self.raw_mut(r, ELEMS, n)
    }
    /// The bytes of two arrays of numbers, which must not be the same, the second one's mutable.
    pub(crate) fn apart(&mut self, from: Ref, to: Ref) -> (&[u8], &mut [u8]) {
        assert!(from != to, "{to:?} is changed while it is read");
        let size = |r: Ref| self.len(r) * self.elem_bytes(r);
        let (its, n) = (size(from), size(to));
        let p = self.raw_mut(to, ELEMS, n).as_mut_ptr();
        let from = self.raw(from, ELEMS, its);
        // SAFETY: another object's bytes than those of `from`; the mutable borrow of self keeps everyone else away.
        (from, unsafe { std::slice::from_raw_parts_mut(p, n) })
    }
    /// `n` bytes of an object from `off`.
    pub fn raw(&self, r: Ref, off: impl Offset, n: usize) -> &[u8] {
        let inside = self.is_inside(r, off.bytes(), n);
        assert!(inside, "no {n} bytes at {} of {r:?}", off.bytes());
        let p = self.at(Self::offset(r, off), n);
        // SAFETY: inside the region; the borrow of self keeps writers and the collector away.
        unsafe { std::slice::from_raw_parts(p, n) }
    }
    /// `n` bytes of an object from `off`, mutable. Panics where references are.
    pub(crate) fn raw_mut(&mut self, r: Ref, off: impl Offset, n: usize) -> &mut [u8] {
        self.check(r);
        let plain = self.is_plain(r, off.bytes(), n);
        assert!(plain, "no {n} bytes of numbers at {} of {r:?}", off.bytes());
        let p = self.at(Self::offset(r, off), n);
        // SAFETY: inside the region; the mutable borrow of self keeps everyone else away.
        unsafe { std::slice::from_raw_parts_mut(p, n) }
    }
    /// Copies `n` bytes of fields or elements, overlapping or not. Panics where references are.
    pub(crate) fn copy(
        &mut self,
        from: Ref,
        from_off: impl Offset,
        to: Ref,
        to_off: impl Offset,
        n: usize,
    ) {
        self.check(from);
        self.check(to);
        let plain =
            self.is_inside(from, from_off.bytes(), n) && self.is_plain(to, to_off.bytes(), n);
        assert!(
            plain,
            "no {n} bytes of numbers to copy from {from:?} to {to:?}"
        );
        self.move_bytes(Self::offset(from, from_off), Self::offset(to, to_off), n);
    }
    /// Copies `n` elements between (possibly the same) arrays whose elements are both references, or both numbers
    /// of one size. Panics out of bounds. Stores of references are not checked.
    pub(crate) fn copy_elems(&mut self, from: (Ref, usize), to: (Ref, usize), n: usize) {
        self.check(from.0);
        self.check(to.0);
        let array = |class: ClassId| {
            let h = self.hot(class);
            // SAFETY: hot blocks are initialised before objects of the class exist.
            unsafe { ((*h).kind, (*h).elem_shift) }
        };
        let (class, other) = (self.class_of(from.0), self.class_of(to.0));
        let (kind, shift) = array(class);
        assert!(
            matches!(kind, 1 | 2) && (class == other || (kind, shift) == array(other)),
            "arrays of one kind"
        );
        for (r, i) in [from, to] {
            let len = self.len(r);
            assert!(n <= len && i <= len - n, "{n} elements from {i} of {len}");
        }
        self.move_elems((kind, shift), from, to, n);
    }
    /// Moves elements that are there, between arrays of one kind whose elements have so many bytes (log2).
    fn move_elems(
        &mut self,
        (kind, shift): (u8, u8),
        from: (Ref, usize),
        to: (Ref, usize),
        n: usize,
    ) {
        // far from overflow: a length has 32 bits
        let at = |(r, i): (Ref, usize)| r.0 as usize * 8 + ELEMS + (i << shift);
        self.move_bytes(at(from), at(to), n << shift);
        if kind == object::REF_ARRAY {
            self.mark_cards(to.0, ELEMS + (to.1 << shift), n << shift);
        }
    }
    /// See [`HeapMut::copy_alike`].
    pub(crate) fn copy_alike(
        &mut self,
        from: (Ref, i32),
        to: (Ref, i32),
        n: i32,
        most: i32,
    ) -> bool {
        self.check(from.0);
        self.check(to.0);
        if from.0.is_null() || to.0.is_null() {
            return false;
        }
        let class = self.class_of(from.0);
        let h = self.hot(class);
        // SAFETY: hot blocks are initialised before objects of the class exist.
        let (kind, shift) = unsafe { ((*h).kind, (*h).elem_shift) };
        let is_in =
            |(r, i): (Ref, i32)| i >= 0 && i64::from(i) + i64::from(n) <= self.len(r) as i64;
        let alike = matches!(kind, 1 | 2) && class == self.class_of(to.0);
        if !alike || !(0..=most).contains(&n) || !is_in(from) || !is_in(to) {
            return false;
        }
        let place = |(r, i): (Ref, i32)| (r, i as usize);
        self.move_elems((kind, shift), place(from), place(to), n as usize);
        true
    }
    /// See [`HeapMut::copy_body`].
    pub(crate) fn copy_body(&mut self, from: Ref, to: Ref) {
        self.check(from);
        self.check(to);
        let bytes = self.size_of(from);
        let class = self.class_of(from);
        assert!(
            class == self.class_of(to) && bytes == self.size_of(to) && !self.is_mirror(to),
            "like objects"
        );
        let numbers = self.numbers_of(to);
        let n = bytes - FIELDS as usize;
        self.move_bytes(Self::offset(from, FIELDS), Self::offset(to, FIELDS), n);
        self.mark_cards(to, FIELDS, n);
        for (off, number) in numbers {
            self.write(to, off, number);
        }
    }
    fn move_bytes(&mut self, from: usize, to: usize, n: usize) {
        let (s, d) = (self.at(from, n), self.at(to, n));
        // SAFETY: both ranges are inside the region; `copy` allows overlap.
        unsafe { copying::copy(s, d, n) }
    }
    /// Marks all cards of a byte range of an object (after a bulk copy of references).
    fn mark_cards(&mut self, r: Ref, off: impl Offset, n: usize) {
        if n == 0 {
            return;
        }
        let (a, b) = (
            Self::offset(r, off) >> CARD_SHIFT,
            (Self::offset(r, off) + n - 1) >> CARD_SHIFT,
        );
        assert!(b < CARD_SPAN);
        // SAFETY: inside the card table, see `mark_card`.
        unsafe { std::ptr::write_bytes(self.region.base().sub(CARD_SPAN).add(a), 1, b - a + 1) }
    }
    /// The hot block of a class. Panics if there is no such class.
    #[inline(always)]
    pub(crate) fn hot(&self, c: ClassId) -> *mut ClassHot {
        assert!(self.is_class(c), "not a class: {c:?}");
        // SAFETY: classes lie in the metaspace.
        unsafe { self.region.base().add(c.0 as usize * 8).cast() }
    }
    /// The cold part of a class.
    #[inline(always)]
    pub fn class(&self, c: ClassId) -> &Class {
        // SAFETY: a ClassId names a block whose `cold` box lives as long as the class is loaded; classes are changed
        // only through `class_mut`, which needs the heap mutably.
        unsafe { &*(*self.hot(c)).cold }
    }
    /// The cold part of a class, mutable.
    #[inline(always)]
    pub(crate) fn class_mut(&mut self, c: ClassId) -> &mut Class {
        // SAFETY: as in `class`, with exclusive access.
        unsafe { &mut *(*self.hot(c)).cold }
    }
    /// Takes `bytes` zeroed bytes of the metaspace, aligned to 8, for a class of `unit`; returns the offset
    /// from the base. Definitions ask first whether there is room (`Metaspace::fits`), so
    /// that there is some left for small things.
    pub(crate) fn meta_alloc(&mut self, unit: UnitId, bytes: usize) -> usize {
        let taken = self.metaspace.take(bytes);
        let (off, used) = taken.expect("the metaspace's reserve is not enough");
        if used {
            // SAFETY: just taken, so inside the metaspace and nobody else's.
            unsafe { std::ptr::write_bytes(self.region.base().add(off), 0, (bytes + 7) & !7) }
        }
        if let Some(unit) = self.gc.units.get_mut(unit) {
            unit.blocks.push((off as u32, bytes as u32));
        }
        off
    }
    /// Gives back what [`Heap::meta_alloc`] gave.
    pub(crate) fn meta_free(&mut self, unit: UnitId, off: usize, bytes: usize) {
        if let Some(unit) = self.gc.units.get_mut(unit) {
            let block = (off as u32, bytes as u32);
            unit.blocks.retain(|b| *b != block);
        }
        self.meta_give_back(off, bytes);
    }
    /// Gives back memory of the metaspace that no unit has any more: classes and root cells there are invalid from now on.
    pub(crate) fn meta_give_back(&mut self, off: usize, bytes: usize) {
        self.classes.clear(off / 8, bytes.div_ceil(8));
        self.roots.clear(off / 8, bytes.div_ceil(8));
        self.lent.clear(off / 8, bytes.div_ceil(8));
        self.metaspace.give_back(off, bytes);
    }
    /// The part for classes.
    pub fn metaspace(&self) -> &metaspace::Metaspace {
        &self.metaspace
    }
    /// The unit that a class is unloaded with.
    pub fn unit_of(&self, c: ClassId) -> UnitId {
        // SAFETY: a ClassId names an initialised hot block.
        unsafe { (*self.hot(c)).unit }
    }
    /// The unit of a loader.
    pub(crate) fn unit_of_loader(&self, l: LoaderId) -> UnitId {
        self.gc.units.of_loader(l)
    }
    /// From now on `to` lives at least as long as `from`: a superclass, a resolved constant, the target
    /// of a linked call.
    pub(crate) fn depend(&mut self, from: ClassId, to: ClassId) {
        let (from, to) = (self.unit_of(from), self.unit_of(to));
        self.gc.units.depend(from, to);
    }
    /// A new 4-byte root cell holding `r`: a place outside the heap that the collector keeps up to date, as
    /// long as the unit lives. Returns its byte offset from the base.
    pub(crate) fn new_cell_of(&mut self, unit: UnitId, r: Ref) -> u32 {
        let off = self.meta_alloc(unit, 8) as u32;
        match self.gc.units.get_mut(unit) {
            Some(unit) => unit.cells.push(off),
            None => self.cells.push(off),
        }
        self.roots.set(off / 8, true);
        self.set_cell(off, r);
        off
    }
    /// A root cell that is never given back.
    pub(crate) fn new_cell(&mut self, r: Ref) -> u32 {
        self.new_cell_of(UnitId::PERMANENT, r)
    }
    /// Gives a root cell of [`Heap::new_cell`] back.
    pub(crate) fn free_cell(&mut self, off: u32) {
        if let Some(i) = self.cells.iter().rposition(|&c| c == off) {
            self.cells.swap_remove(i);
            self.young_cells.retain(|&c| c != off);
            self.meta_free(UnitId::PERMANENT, off as usize, 8);
        }
    }
    /// When no object is young.
    pub(crate) fn forget_young_cells(&mut self) {
        self.young_cells.clear();
    }
    /// Fills memory of the metaspace that is about to be given back.
    pub(crate) fn poison_meta(&mut self, off: usize, bytes: usize) {
        let p = self.at(off, (bytes + 7) & !7);
        // SAFETY: inside the region; the classes that owned it are gone.
        unsafe { std::ptr::write_bytes(p, layout::POISON, (bytes + 7) & !7) }
    }
    /// Reads a root cell. Panics if there is none at `off`.
    pub fn cell(&self, off: u32) -> Ref {
        assert!(
            off.is_multiple_of(8) && self.roots.has(off / 8),
            "no root cell at {off:#x}"
        );
        // SAFETY: inside the region (checked by `at`).
        Ref(unsafe { self.at(off as usize, 4).cast::<u32>().read() })
    }
    /// Writes a root cell. Panics if there is none at `off`.
    pub(crate) fn set_cell(&mut self, off: u32, r: Ref) {
        self.check(r);
        let (young, n) = self.gc.young_refs();
        let is_young = |r: Ref| r.0.wrapping_sub(young) < n;
        if is_young(r) && !is_young(self.cell(off)) {
            self.young_cells.push(off);
        }
        // SAFETY: inside the region (checked by `at`).
        unsafe { self.at(off as usize, 4).cast::<u32>().write(r.0) }
    }
    /// Whether the class of `r`'s hot block says it is an array of references.
    pub fn is_ref_array(&self, r: Ref) -> bool {
        // SAFETY: hot blocks are initialised before objects of the class exist.
        unsafe { (*self.hot(self.class_of(r))).kind == 2 }
    }
    /// Bytes an object takes.
    pub fn size_of(&self, r: Ref) -> usize {
        let h = self.hot(self.class_of(r));
        // SAFETY: hot blocks are initialised before objects of the class exist.
        unsafe {
            match (*h).kind {
                0 => (*h).instance_size as usize,
                4 => {
                    // mirrors carry the statics of the class they represent
                    let of = ClassId(self.get::<u32>(r, layout::MIRROR_CLASS));
                    self.class(of).mirror_size as usize
                }
                _ => array_bytes(self.len(r), (*h).elem_shift),
            }
        }
    }
}

/// Bytes an array of `len` elements of `1 << shift` bytes takes.
#[inline(always)]
pub fn array_bytes(len: usize, shift: u8) -> usize {
    (ELEMS + (len << shift) + 7) & !7
}
