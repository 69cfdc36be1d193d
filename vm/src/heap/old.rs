//! Full collections: marks everything reachable in a side bitmap with a bit for each live word, then
//! slides the live objects of the old space, and after them those of the young ones, to the low end
//! of the old space. Where an object goes is computed from the bitmap (live words before it), so
//! headers stay as they are and every pass is linear. The young spaces are empty afterwards.
//!
//! # Safety (of everything in this file)
//! See [`super::object`].

use super::cards::Crossing;
use super::layout::MIRROR_CLASS;
use super::mirrors::each_mirror_slot;
use super::object::{self, at, elems, hot, oop_map, prefetch};
use super::pause::PauseCheck;
use super::refs::{Discovery, Tracer, kind};
use super::units::{UnitId, Units};
use crate::classes::ClassHot;
use crate::ids::LoaderId;
use crate::prim::copying;

/// Elements of an array of references that are traced before others get their turn.
const CHUNK: usize = 1024;
/// Words of live objects that are moved together.
const RUN: u32 = 8 << 10;
/// Objects on their way from memory between being taken from the stack and being looked at.
const AHEAD: usize = 16;

/// The mark phase.
pub(super) struct Marker<'a, 'b> {
    base: *mut u8,
    breath: &'b PauseCheck,
    /// Reference of the first word the bitmap covers.
    lo: u32,
    bits: Vec<u64>,
    stack: Vec<u32>,
    arrays: Vec<(u32, usize)>,
    units: &'a Units,
    /// Which units have been reached, by number.
    live: Vec<bool>,
    /// Those of them whose mirrors and cells are still to be traced.
    reached: Vec<UnitId>,
}

impl<'a, 'b> Marker<'a, 'b> {
    /// For the references `[lo, hi)`; `lo` is 64-word-aligned.
    pub(super) fn new(
        base: *mut u8,
        lo: u32,
        hi: u32,
        units: &'a Units,
        breath: &'b PauseCheck,
    ) -> Marker<'a, 'b> {
        let mut live = vec![false; units.last().0 as usize + 1];
        live[UnitId::PERMANENT.0 as usize] = true;
        let mut marker = Marker {
            base,
            breath,
            lo,
            bits: vec![0; (hi - lo).div_ceil(64) as usize + 1],
            stack: Vec::new(),
            arrays: Vec::new(),
            units,
            live,
            reached: Vec::new(),
        };
        units.pinned().for_each(|u| marker.mark_unit(u));
        marker
    }
    /// Marks an object and remembers to trace it. Objects below the bitmap are mirrors.
    #[inline(always)]
    pub(super) unsafe fn mark(&mut self, r: u32) {
        if r < self.lo {
            if r != 0 {
                self.mark_unit(self.unit_of_mirror(r));
            }
            return;
        }
        let i = r - self.lo;
        let w = self.bits.get_unchecked_mut((i >> 6) as usize);
        let bit = 1 << (i & 63);
        if *w & bit != 0 {
            return;
        }
        *w |= bit;
        prefetch(at(self.base, r, 0));
        self.stack.push(r);
    }
    #[inline(always)]
    unsafe fn unit_of_mirror(&self, r: u32) -> UnitId {
        let class = object::word(self.base, r, MIRROR_CLASS);
        (*self.base.add(class as usize * 8).cast::<ClassHot>()).unit
    }
    /// A unit is live; its mirrors and cells are traced when the objects known so far have been.
    #[inline(always)]
    fn mark_unit(&mut self, u: UnitId) {
        let live = &mut self.live[u.0 as usize];
        if !std::mem::replace(live, true) {
            self.reached.push(u);
        }
    }
    unsafe fn trace_unit(&mut self, u: UnitId) {
        let (base, units) = (self.base, self.units);
        let Some(unit) = units.get(u) else {
            return;
        };
        for &cell in &unit.cells {
            self.mark(*base.add(cell as usize).cast::<u32>());
        }
        for &c in &unit.classes {
            let class = base.add(c.0 as usize * 8).cast();
            each_mirror_slot(base, class, &mut |r| self.mark(r.0));
        }
        for &to in units.deps(u) {
            self.mark_unit(to);
        }
    }
    /// Sets the bits of all words of an object.
    #[inline(always)]
    unsafe fn extent(&mut self, r: u32, words: usize) {
        let i = (r - self.lo) as usize;
        let (w, b) = (i >> 6, i & 63);
        if b + words <= 64 {
            *self.bits.get_unchecked_mut(w) |= (u64::MAX >> (64 - words)) << b;
            return;
        }
        self.bits[w] |= u64::MAX << b;
        let end = i + words;
        self.bits[w + 1..end >> 6].fill(u64::MAX);
        if end & 63 != 0 {
            self.bits[end >> 6] |= u64::MAX >> (64 - (end & 63));
        }
    }
    #[inline(always)]
    unsafe fn trace(&mut self, d: &mut Discovery, r: u32) {
        self.breath.work(4);
        let base = self.base;
        let h = hot(base, r);
        self.extent(r, object::size(base, h, r) / 8);
        self.mark_unit((*h).unit);
        match (*h).kind {
            object::INSTANCE => {
                let special = kind::is_reference((*h).ref_kind);
                if (*h).ref_kind == kind::LOADER {
                    let id = object::word(base, r, d.offsets.loader);
                    self.mark_unit(self.units.of_loader(LoaderId(id)));
                }
                for &o in oop_map(h) {
                    let v = *at(base, r, o).cast::<u32>();
                    if special
                        && o == d.offsets.referent
                        && !self.is_live(v)
                        && d.discover(base, r, (*h).ref_kind)
                    {
                        continue;
                    }
                    self.mark(v);
                }
            }
            object::REF_ARRAY => self.chunk(r, 0),
            _ => {}
        }
    }
    unsafe fn chunk(&mut self, r: u32, from: usize) {
        let (p, n) = elems(self.base, r);
        let end = n.min(from + CHUNK);
        for i in from..end {
            self.mark(*p.add(i));
        }
        self.breath.work((end - from) as u32);
        if end < n {
            self.arrays.push((r, end));
        }
    }
    /// The finished marks, and which units are live.
    pub(super) fn finish(self) -> (LiveMarks<'b>, Vec<bool>) {
        let marks = LiveMarks {
            base: self.base,
            breath: self.breath,
            lo: self.lo,
            to: Vec::new(),
            bits: self.bits,
        };
        (marks, self.live)
    }
}

impl Tracer for Marker<'_, '_> {
    fn breath(&self) -> &PauseCheck {
        self.breath
    }
    #[inline(always)]
    unsafe fn is_live(&self, r: u32) -> bool {
        if r < self.lo {
            return r == 0 || self.live[self.unit_of_mirror(r).0 as usize];
        }
        let i = r - self.lo;
        self.bits[(i >> 6) as usize] & 1 << (i & 63) != 0
    }
    unsafe fn keep(&mut self, slot: *mut u32) {
        self.mark(*slot);
    }
    unsafe fn store(&mut self, slot: *mut u32, v: u32) {
        *slot = v;
    }
    unsafe fn drain(&mut self, d: &mut Discovery) {
        let mut ring = [0u32; AHEAD];
        let mut i = 0;
        loop {
            if let Some(r) = self.stack.pop() {
                i = (i + 1) % AHEAD;
                let due = std::mem::replace(&mut ring[i], r);
                prefetch(at(self.base, r, 0));
                if due != 0 {
                    self.trace(d, due);
                }
                continue;
            }
            // the ones in the ring, oldest first, until they bring new work
            if let Some(k) = (1..=AHEAD).map(|k| (i + k) % AHEAD).find(|&k| ring[k] != 0) {
                let r = std::mem::take(&mut ring[k]);
                self.trace(d, r);
            } else if let Some((r, from)) = self.arrays.pop() {
                self.chunk(r, from);
            } else if let Some(u) = self.reached.pop() {
                self.trace_unit(u);
            } else {
                return;
            }
        }
    }
}

/// The live objects, and where they go.
pub(super) struct LiveMarks<'a> {
    base: *mut u8,
    breath: &'a PauseCheck,
    lo: u32,
    bits: Vec<u64>,
    /// For each 64 words: the new reference of the first live one among them.
    to: Vec<u32>,
}

/// Runs a function compiled for processors with a population-count instruction where there is one.
macro_rules! with_popcnt {
    ($fast:ident, $slow:ident, $self:ident $(, $arg:expr)*) => {{
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("popcnt") {
            return $self.$fast($($arg),*);
        }
        $self.$slow($($arg),*)
    }};
}

impl LiveMarks<'_> {
    /// Whether the object has been marked.
    pub(super) fn is_live(&self, r: u32) -> bool {
        r < self.lo || self.bits[(r - self.lo) as usize >> 6] & 1 << ((r - self.lo) & 63) != 0
    }
    /// Computes where everything goes: live words of the spaces (first and end reference, in order)
    /// follow each other from reference `dest` on. Returns the end.
    pub(super) fn plan(&mut self, spaces: &[(u32, u32)], dest: u32) -> u32 {
        with_popcnt!(plan_fast, plan_any, self, spaces, dest)
    }
    #[cfg(target_arch = "x86_64")]
    fn plan_fast(&mut self, spaces: &[(u32, u32)], dest: u32) -> u32 {
        #[target_feature(enable = "popcnt")]
        fn go(m: &mut LiveMarks<'_>, spaces: &[(u32, u32)], dest: u32) -> u32 {
            m.plan_any(spaces, dest)
        }
        // SAFETY: only called where the instruction exists.
        unsafe { go(self, spaces, dest) }
    }
    #[inline(always)]
    fn plan_any(&mut self, spaces: &[(u32, u32)], mut dest: u32) -> u32 {
        self.to = vec![0; self.bits.len()];
        for &(a, b) in spaces {
            let (a, b) = (
                (a - self.lo) as usize >> 6,
                ((b - self.lo) as usize).div_ceil(64),
            );
            for w in a..b {
                self.breath.work(1);
                self.to[w] = dest;
                dest += self.bits[w].count_ones();
            }
        }
        dest
    }
    /// Where a live object goes.
    #[inline(always)]
    pub(super) unsafe fn forward(&self, r: u32) -> u32 {
        if r < self.lo {
            return r;
        }
        let i = r - self.lo;
        let w = (i >> 6) as usize;
        let below = self.bits.get_unchecked(w) & ((1u64 << (i & 63)) - 1);
        *self.to.get_unchecked(w) + below.count_ones()
    }
    /// Moves the live objects of `[from, end)` and points their references to where their targets
    /// go. Spaces come in the order of `plan`.
    pub(super) unsafe fn slide(&self, from: u32, end: u32, crossing: &mut Crossing) {
        with_popcnt!(slide_fast, slide_any, self, from, end, crossing)
    }
    #[cfg(target_arch = "x86_64")]
    unsafe fn slide_fast(&self, from: u32, end: u32, crossing: &mut Crossing) {
        #[target_feature(enable = "popcnt")]
        unsafe fn go(m: &LiveMarks<'_>, from: u32, end: u32, crossing: &mut Crossing) {
            m.slide_any(from, end, crossing)
        }
        go(self, from, end, crossing)
    }
    #[inline(always)]
    unsafe fn slide_any(&self, from: u32, end: u32, crossing: &mut Crossing) {
        let base = self.base;
        let mut r = from;
        while let Some(next) = self.next_live(r, end) {
            r = next;
            // a run of live objects without a gap moves as one, while it is still in the cache
            let (run, dest) = (r, self.forward(r));
            let mut words = 0u32;
            loop {
                let bytes = object::size(base, hot(base, r), r);
                let done = |slots: usize| self.breath.work(2 + slots as u32);
                object::each_slot(base, r, |p| *p = self.forward(*p), done);
                crossing.record((dest + words) as usize * 8, bytes);
                words += (bytes / 8) as u32;
                r += (bytes / 8) as u32;
                if r >= end || words >= RUN || !self.is_live(r) {
                    break;
                }
            }
            if dest != run {
                // down, so the first words go first
                for from in (0..words).step_by(RUN as usize) {
                    let words = (words - from).min(RUN);
                    let at = |r: u32| base.add((r + from) as usize * 8);
                    copying::copy(at(run), at(dest), words as usize * 8);
                    self.breath.work(words / 4);
                }
            }
        }
    }
    /// The first live word at or after `r`.
    #[inline(always)]
    pub(super) unsafe fn next_live(&self, r: u32, end: u32) -> Option<u32> {
        if r >= end {
            return None;
        }
        let i = (r - self.lo) as usize;
        let mut w = i >> 6;
        let mut bits = self.bits[w] & (u64::MAX << (i & 63));
        let last = ((end - self.lo) as usize).div_ceil(64);
        while bits == 0 {
            w += 1;
            if w >= last {
                return None;
            }
            bits = self.bits[w];
        }
        let n = self.lo + (w as u32) * 64 + bits.trailing_zeros();
        (n < end).then_some(n)
    }
}
