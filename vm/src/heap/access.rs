//! What natives and embedders may do to the heap: which numbers are classes, which bytes of an object may
//! be written as what. So code without `unsafe` can neither invent a class nor turn a number into a reference.
//!
//! A [`Ref`] itself cannot be invented outside of this crate. It is good until the next collection: to hold it longer, put it in
//! a root cell. References that a host hands over are checked (`starts.rs`).

use super::object::{INSTANCE, MIRROR, REF_ARRAY};
use super::refs::kind;
use super::region::{HEAP_START, META_START};
use super::{ELEMS, FIELDS, Heap};
use crate::classes::ClassKind;
use crate::heap::layout;
use crate::ids::{ClassId, Ref};

/// A bit for each word of 8 bytes of the metaspace, as far as it has been used.
#[derive(Default)]
pub(super) struct Places(Vec<u64>);

impl Places {
    #[inline(always)]
    pub(super) fn has(&self, word: u32) -> bool {
        let bits = self.0.get((word >> 6) as usize);
        bits.is_some_and(|w| w >> (word & 63) & 1 != 0)
    }
    /// Forgets `n` places from `first` on.
    pub(super) fn clear(&mut self, first: usize, n: usize) {
        for word in first >> 6..=(first + n.max(1) - 1) >> 6 {
            let begin = (word << 6).max(first) & 63;
            let end = ((word + 1) << 6).min(first + n) - (word << 6);
            let bits = (u64::MAX << begin) & (u64::MAX >> (64 - end));
            if let Some(w) = self.0.get_mut(word) {
                *w &= !bits;
            }
        }
    }
    pub(super) fn set(&mut self, word: u32, on: bool) {
        let (at, bit) = ((word >> 6) as usize, 1 << (word & 63));
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        let word = &mut self.0[at];
        match on {
            true => *word |= bit,
            false => *word &= !bit,
        }
    }
}

/// How the names of classes begin that calls by method handles go through. Types are not checked on the way: only the class
/// library and its natives may use the holders of these calls.
pub(crate) const OF_HANDLES: &str = "java/lang/invoke/";

impl Heap {
    /// Whether a host may not change references in instances of this class, nor in its mirror: see [`OF_HANDLES`].
    #[inline(always)]
    pub(crate) fn is_barred(&self, c: ClassId) -> bool {
        !self.inside && self.is_of_handles(c)
    }
    fn is_of_handles(&self, mut c: ClassId) -> bool {
        while let ClassKind::Array(elem) = self.class(c).kind {
            c = elem;
        }
        std::iter::successors(Some(c), |&k| self.class(k).super_class)
            .any(|k| self.class(k).name.starts_with(OF_HANDLES))
    }
    /// From now on a class begins at this byte of the metaspace; its hot block is about to be written.
    pub(crate) fn new_class(&mut self, off: usize) -> ClassId {
        assert!((META_START..HEAP_START).contains(&off) && off.is_multiple_of(8));
        let c = ClassId((off / 8) as u32);
        self.classes.set(c.0, true);
        c
    }
    /// Whether `c` is a class of this heap.
    #[inline(always)]
    pub fn is_class(&self, c: ClassId) -> bool {
        self.classes.has(c.0)
    }
    /// The object that a slot holds (`None` for null): looks whether one begins there.
    pub fn object_at(&self, slot: u64) -> Option<Ref> {
        let r = Ref(u32::try_from(slot).ok()?);
        let at = r.0 as usize * 8;
        if at < HEAP_START {
            // mirrors are the only objects in the metaspace
            let class =
                (at >= META_START).then(|| ClassId(self.get::<u32>(r, layout::MIRROR_CLASS)))?;
            // SAFETY: a class, whose hot block is initialised.
            let is_mirror = self.is_class(class) && unsafe { (*self.hot(class)).mirror } == r;
            return is_mirror.then_some(r);
        }
        self.is_object(at).then_some(r)
    }
    /// Whether what a slot holds looks like an object: a quick test of arguments, that objects pass always.
    pub(crate) fn may_be_object(&self, slot: u64) -> bool {
        let Ok(r) = u32::try_from(slot).map(Ref) else {
            return false;
        };
        let at = r.0 as usize * 8;
        at >= META_START && at < self.region.len() && self.is_class(self.class_of(r))
    }
    /// Kind of the object's class. Panics if the header names no class.
    #[inline(always)]
    fn kind(&self, r: Ref) -> u8 {
        // SAFETY: a class; hot blocks are initialised before objects of the class exist.
        unsafe { (*self.hot(self.class_of(r))).kind }
    }
    /// Offsets of the statics that are references in a mirror.
    fn statics(&self, mirror: Ref) -> &[u32] {
        // SAFETY: as in `is_reference`; a mirror names the class whose statics it holds.
        unsafe {
            let of = self.hot(ClassId(self.get::<u32>(mirror, layout::MIRROR_CLASS)));
            map((*of).static_oops, (*of).static_oops_len)
        }
    }
    /// Whether a reference is at byte `off` of the object.
    #[inline]
    pub fn is_reference(&self, r: Ref, off: usize) -> bool {
        let h = self.hot(self.class_of(r));
        // SAFETY: hot blocks are initialised before objects of the class exist; the maps of a class live as long
        // as it does, and never change once it has objects.
        let (kind, fields) = unsafe { ((*h).kind, map((*h).oop_map, (*h).oop_map_len)) };
        let is_at = |o: &u32| *o as usize == off;
        match kind {
            REF_ARRAY => off >= ELEMS && off.is_multiple_of(4) && (off - ELEMS) / 4 < self.len(r),
            INSTANCE => fields.iter().any(is_at),
            MIRROR => fields.iter().any(is_at) || self.statics(r).iter().any(is_at),
            _ => false,
        }
    }
    /// Whether the `n` bytes from `off` are fields or elements of the object, whatever they hold.
    #[inline]
    pub fn is_inside(&self, r: Ref, off: usize, n: usize) -> bool {
        self.is_inside_of(r, self.kind(r), off, n)
    }
    #[inline(always)]
    fn is_inside_of(&self, r: Ref, kind: u8, off: usize, n: usize) -> bool {
        let start = match kind {
            INSTANCE | MIRROR => FIELDS as usize,
            _ => ELEMS,
        };
        let end = self.size_of(r);
        off >= start && n <= end && off <= end - n
    }
    /// Whether the `n` bytes from `off` are fields or elements of the object that hold no reference, nor what
    /// the VM knows a class, a loader or a method by.
    #[inline]
    pub fn is_plain(&self, r: Ref, off: usize, n: usize) -> bool {
        let h = self.hot(self.class_of(r));
        // SAFETY: as in `is_reference`.
        let (kind, fields) = unsafe { ((*h).kind, map((*h).oop_map, (*h).oop_map_len)) };
        if !self.is_inside_of(r, kind, off, n) || self.is_barred(self.class_of(r)) {
            return false;
        }
        let meets = |o: usize| o < off + n && off < o + 4;
        let none = |map: &[u32]| !map.iter().any(|&o| meets(o as usize));
        match kind {
            REF_ARRAY => n == 0,
            INSTANCE => none(fields) && !self.is_numbered_at(self.class_of(r), meets),
            MIRROR => {
                !meets(layout::MIRROR_CLASS as usize) && none(fields) && none(self.statics(r))
            }
            _ => true,
        }
    }
    /// Whether an int that the VM has added to the class or one above is at one of these places.
    #[inline(always)]
    fn is_numbered_at(&self, c: ClassId, at: impl Fn(usize) -> bool) -> bool {
        self.is_numbered(c) && self.added_fields(c).any(at)
    }
    #[inline(always)]
    fn is_numbered(&self, c: ClassId) -> bool {
        // SAFETY: hot blocks of classes with instances are initialised.
        unsafe { (*self.hot(c)).ref_kind >= kind::NUMBERED }
    }
    /// Whether the object is a mirror of a class.
    pub(crate) fn is_mirror(&self, r: Ref) -> bool {
        self.kind(r) == MIRROR
    }
    /// The ints that the VM has added to an object's class and those above, and has set: where and what they are.
    #[inline]
    pub(super) fn numbers_of(&self, r: Ref) -> Vec<(usize, u32)> {
        let c = self.class_of(r);
        if !self.is_numbered(c) {
            return Vec::new();
        }
        let added = self.added_fields(c);
        let numbers = added.map(|off| (off, self.get(r, off)));
        numbers.filter(|(_, number)| *number != 0).collect()
    }
    /// Offsets of the ints that the VM has added to a class and those above.
    fn added_fields(&self, c: ClassId) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(c), |&k| self.class(k).super_class).flat_map(|k| {
            let added = self.class(k).fields.iter().filter(|f| f.index == u16::MAX);
            added.filter(|f| f.ty == b'I').map(|f| f.offset as usize)
        })
    }
}

/// A map of reference slots.
unsafe fn map<'a>(p: *const u32, n: u32) -> &'a [u32] {
    match n {
        0 => &[],
        // SAFETY: the caller's: `p` has `n` entries.
        n => unsafe { std::slice::from_raw_parts(p, n as usize) },
    }
}

#[cfg(test)]
mod tests {
    use super::Places;

    #[test]
    fn places_are_forgotten_by_ranges() {
        for (first, n) in [
            (0, 1),
            (3, 61),
            (3, 62),
            (60, 8),
            (64, 64),
            (1, 200),
            (127, 1),
        ] {
            let mut p = Places::default();
            (0..300).for_each(|i| p.set(i, true));
            p.clear(first, n);
            for i in 0..300 {
                let gone = (first..first + n).contains(&(i as usize));
                assert_eq!(p.has(i), !gone, "{i} of {first}+{n}");
            }
        }
    }
}
