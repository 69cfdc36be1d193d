//! Young collections: live objects of the eden and the full survivor space are copied to the other
//! survivor space when they survive for the first time, and to the old space the second time (or
//! when the survivor space is full). Breadth-first, in the order of the roots: no recursion, and the
//! same layout in every run.
//!
//! # Safety (of everything in this file)
//! See [`super::object`].

use super::cards::{self, Crossing};
use super::object::{self, FORWARDED, at, hot, oop_map, word};
use super::pause::PauseCheck;
use super::refs::{Discovery, Tracer, kind};
use crate::heap::region::CARD_SHIFT;
use crate::prim::copying;

/// How far ahead of the scan objects are prefetched.
const AHEAD: usize = 256;

/// What a dirty card costs, as words of the heap.
const DIRTY: u32 = 64;

/// A young collection under way.
pub(super) struct Young<'a> {
    pub base: *mut u8,
    /// First reference of the young spaces and their length, in words of 8 bytes.
    pub young: (u32, u32),
    /// First reference of the survivor space copied to, and its length.
    pub to: (u32, u32),
    /// First reference of the survivor space copied from, and its length: its objects are promoted.
    pub from: (u32, u32),
    /// Next free reference of the survivor space copied to.
    pub to_top: u32,
    /// Next free byte offset of the old space.
    pub old_top: usize,
    pub crossing: &'a mut Crossing,
    pub breath: &'a PauseCheck,
    /// Copied objects before these places have been scanned.
    to_scan: u32,
    old_scan: usize,
    /// Objects named by words before this byte offset have been prefetched.
    ahead: usize,
}

impl<'a> Young<'a> {
    pub(super) fn new(
        base: *mut u8,
        young: (u32, u32),
        to: (u32, u32),
        from: (u32, u32),
        old_top: usize,
        crossing: &'a mut Crossing,
        breath: &'a PauseCheck,
    ) -> Young<'a> {
        Young {
            base,
            young,
            to,
            from,
            to_top: to.0,
            old_top,
            crossing,
            breath,
            to_scan: to.0,
            old_scan: old_top,
            ahead: 0,
        }
    }
    #[inline(always)]
    fn is_young(&self, r: u32) -> bool {
        r.wrapping_sub(self.young.0) < self.young.1
    }
    /// Whether `r` is in a space that is being emptied.
    #[inline(always)]
    fn is_from(&self, r: u32) -> bool {
        self.is_young(r) && r.wrapping_sub(self.to.0) >= self.to.1
    }
    /// Where the object is after the collection, copying it if need be.
    #[inline(always)]
    pub(super) unsafe fn evacuate(&mut self, r: u32) -> u32 {
        if !self.is_from(r) {
            return r;
        }
        let p = self.base.add(r as usize * 8).cast::<u32>();
        if *p & FORWARDED != 0 {
            return *p.add(1);
        }
        self.copy(r, p)
    }
    #[inline(always)]
    unsafe fn copy(&mut self, r: u32, p: *mut u32) -> u32 {
        let bytes = object::size(self.base, hot(self.base, r), r);
        let words = (bytes / 8) as u32;
        self.breath.work(2 + words / 4);
        let aged = r.wrapping_sub(self.from.0) < self.from.1;
        let new = if !aged && self.to_top - self.to.0 + words <= self.to.1 {
            let n = self.to_top;
            self.to_top += words;
            n
        } else {
            let n = self.old_top;
            self.old_top += bytes;
            self.crossing.record(n, bytes);
            (n / 8) as u32
        };
        let (from, to) = (
            p.cast::<u64>(),
            self.base.add(new as usize * 8).cast::<u64>(),
        );
        if bytes <= 64 {
            for i in 0..words as usize {
                *to.add(i) = *from.add(i);
            }
        } else {
            copying::copy(from.cast(), to.cast(), bytes);
        }
        *p = FORWARDED;
        *p.add(1) = new;
        new
    }
    #[inline(always)]
    unsafe fn slot(&mut self, slot: *mut u32) -> bool {
        let r = *slot;
        if !self.is_young(r) {
            return false;
        }
        let n = self.evacuate(r);
        *slot = n;
        self.is_young(n)
    }
    /// Goes through the slots of an object inside `[lo, hi)`; `old`: marks the cards of slots that
    /// still point to a young object.
    #[inline(always)]
    unsafe fn scan(
        &mut self,
        d: &mut Discovery,
        r: u32,
        lo: *mut u8,
        hi: *mut u8,
        clip: bool,
        old: bool,
    ) {
        let base = self.base;
        let h = hot(base, r);
        match (*h).kind {
            object::INSTANCE => {
                let special = kind::is_reference((*h).ref_kind);
                for &o in oop_map(h) {
                    let p = at(base, r, o);
                    if clip && (p < lo || p >= hi) {
                        continue;
                    }
                    let p = p.cast::<u32>();
                    if special
                        && o == d.offsets.referent
                        && !self.is_live(*p)
                        && d.discover(base, r, (*h).ref_kind)
                    {
                        continue;
                    }
                    if self.slot(p) && old {
                        cards::mark(base, p);
                    }
                }
            }
            object::REF_ARRAY => {
                let (p, n) = object::elems(base, r);
                let (mut p, mut end) = (p, p.add(n));
                if clip {
                    p = p.max(lo.cast());
                    end = end.min(hi.cast());
                }
                while p < end {
                    if self.slot(p) && old {
                        cards::mark(base, p);
                    }
                    p = p.add(1);
                }
            }
            _ => {}
        }
    }
    /// Asks for the objects that the words up to [`AHEAD`] bytes behind byte offset `from` (but before
    /// `top`) name, if they look like references into the young spaces.
    #[inline(always)]
    unsafe fn look_ahead(&mut self, from: usize, top: usize) {
        let end = (from + AHEAD).min(top);
        // from one space to the other, or over a large array
        if self.ahead < from || self.ahead > end {
            self.ahead = from;
        }
        while self.ahead < end {
            let p = self.base.add(self.ahead).cast::<u32>();
            for r in [*p, *p.add(1)] {
                if self.is_young(r) {
                    object::prefetch(at(self.base, r, 0));
                }
            }
            self.ahead += 8;
        }
    }
    /// Takes the references of old objects on dirty cards below `top` as roots.
    pub(super) unsafe fn dirty_cards(&mut self, d: &mut Discovery, old: usize, top: usize) {
        let base = self.base;
        cards::take_dirty(base, old, top, |card| {
            self.breath.work(DIRTY);
            let end = top.min(card + (1 << CARD_SHIFT));
            let (lo, hi) = (base.add(card), base.add(end));
            let mut o = self.crossing.object_before(card);
            while o < end {
                let r = (o / 8) as u32;
                let bytes = object::size(base, hot(base, r), r);
                if o + bytes > card {
                    self.scan(d, r, lo, hi, true, true);
                }
                o += bytes;
            }
        });
    }
}

impl Tracer for Young<'_> {
    fn breath(&self) -> &PauseCheck {
        self.breath
    }
    #[inline(always)]
    unsafe fn is_live(&self, r: u32) -> bool {
        !self.is_from(r) || word(self.base, r, 0) & FORWARDED != 0
    }
    unsafe fn keep(&mut self, slot: *mut u32) {
        let v = self.evacuate(*slot);
        self.store(slot, v);
    }
    unsafe fn store(&mut self, slot: *mut u32, v: u32) {
        *slot = v;
        if self.is_young(v) {
            cards::mark(self.base, slot);
        }
    }
    unsafe fn drain(&mut self, d: &mut Discovery) {
        let (base, null) = (self.base, std::ptr::null_mut());
        while self.to_scan < self.to_top || self.old_scan < self.old_top {
            while self.to_scan < self.to_top {
                let r = self.to_scan;
                self.look_ahead(r as usize * 8, self.to_top as usize * 8);
                self.to_scan += (object::size(base, hot(base, r), r) / 8) as u32;
                self.scan(d, r, null, null, false, false);
            }
            while self.old_scan < self.old_top {
                let r = (self.old_scan / 8) as u32;
                self.look_ahead(self.old_scan, self.old_top);
                self.old_scan += object::size(base, hot(base, r), r);
                self.scan(d, r, null, null, false, true);
            }
        }
    }
}
