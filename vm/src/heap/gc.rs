//! The collector's two kinds of collection; when they happen is in `collect`.
//!
//! Generational and precise: a copying young generation (`young`), and an old one that is marked and
//! compacted in place (`old`). Everything runs in the same order in every run of a program.

use super::cards::{self, Crossing};
pub use super::gc_state::GcState;
pub use super::layout::{MIRROR_CLASS, POISON};
use super::object;
use super::old::Marker;
use super::pause::PauseCheck;
use super::refs::{Discovery, Offsets, Soft, Tracer};
use super::spaces::Spaces;
use super::units::Unit;
use super::young::Young;
use crate::events::Event;
use crate::ids::Ref;
use crate::interp::Hot;

/// What a root costs, as words of the heap.
const ROOT: u32 = 2;

/// Bytes of address space for a heap of `max_bytes`.
pub fn reservation(max_bytes: usize) -> usize {
    Spaces::new(max_bytes).reservation()
}

/// What a collection starts from, and what it reports about.
pub(super) trait Roots {
    /// Whether an observer wants reports on each object.
    fn wants_objects(&self) -> bool;
    /// Reports those who want to know.
    fn notify(&mut self, event: Event<'_>);
    /// Shows strong roots, to be updated.
    fn strong(&mut self, which: RootSet, f: &mut dyn FnMut(&mut Ref));
    /// Shows roots that are live only if something live knows them, and does: those that have not been shown since
    /// [`RootSet::Permanent`], beginning with holder `from`, and not many. Which holder is the next one, if not all have been
    /// asked; how many have shown roots.
    fn reached(&mut self, from: usize, reach: &mut dyn Reach) -> (Option<usize>, usize);
    /// Forgets those that have not been shown.
    fn lose_unreached(&mut self);
    /// Forgets the classes of these units, which nothing live knows.
    fn unload(&mut self, dead: Vec<Unit>);
    /// Shows the weak references, which are forgotten when no other reference to the object exists: `f` returns `None` for the
    /// dead.
    fn weak(&mut self, young: Option<(u32, u32)>, f: &mut dyn FnMut(Ref) -> Option<Ref>);
    /// The list of pending references.
    fn pending(&mut self) -> Ref;
    /// Sets it.
    fn set_pending(&mut self, r: Ref);
    /// Fields of the Reference classes; `None` before they are loaded.
    fn offsets(&mut self) -> Option<Offsets>;
}

/// Which roots a collection wants to see.
#[derive(Clone, Copy, Debug)]
pub(super) enum RootSet {
    /// All; those that cannot hold a reference in this range (first and number) may be left out.
    Young((u32, u32)),
    /// Those that do not belong to a unit. Frames show the mirrors of their methods' classes.
    Permanent,
    /// All.
    All,
}

/// Most bytes of the old space before it is collected for the first time, in however large a heap.
const LARGEST_START: usize = 256 << 20;

impl GcState {
    /// For a heap of `max_bytes`.
    pub fn new(max_bytes: usize) -> GcState {
        let s = Spaces::new(max_bytes);
        GcState {
            collections: 0,
            full_collections: 0,
            stress: false,
            stress_flip: false,
            collecting: false,
            watched: false,
            spaces: s,
            eden_end: s.eden + s.eden_max,
            full: 0,
            survivor_top: s.survivors[0],
            old_top: s.old,
            old_high: s.old,
            clean: s.old,
            threshold: (s.max / 4).clamp(4 * s.eden_max, LARGEST_START).min(s.max),
            crossing: Crossing::new(s.old),
            units: Default::default(),
            policy: Default::default(),
            breath: PauseCheck::default(),
        }
    }
    /// Takes the place of `self` in a VM's heap while the collector works.
    pub(super) fn hollow(&self) -> GcState {
        GcState {
            collecting: true,
            crossing: Crossing::new(self.spaces.old),
            units: Default::default(),
            policy: Default::default(),
            breath: PauseCheck::default(),
            ..*self
        }
    }
    /// References of the young spaces: first and number.
    pub(super) fn young_refs(&self) -> (u32, u32) {
        let s = &self.spaces;
        ((s.eden / 8) as u32, ((s.old - s.eden) / 8) as u32)
    }
    /// Bytes in the old space.
    pub(super) fn old_used(&self) -> usize {
        self.old_top - self.spaces.old
    }
    /// Bytes in the survivor space.
    pub(super) fn survivor_used(&self) -> usize {
        self.survivor_top - self.spaces.survivors[self.full]
    }
    /// Byte offset of the next free byte of the eden.
    pub(super) fn bump(&self, base: *mut u8) -> usize {
        let hot: *mut Hot = base.cast();
        // SAFETY: the hot VM state lies at the base.
        let p = unsafe { (*hot).bump } as usize;
        // before the first allocation there is no pointer yet
        if p == 0 {
            self.spaces.eden
        } else {
            p - base as usize
        }
    }
    /// Hands the eden from byte offset `bump` on to the interpreter's allocator (nothing in stress mode, or while allocations are watched).
    pub(super) fn publish(&self, base: *mut u8, bump: usize) {
        let hot: *mut Hot = base.cast();
        let end = match self.stress || self.watched {
            true => bump,
            false => self.eden_end,
        };
        // SAFETY: the hot VM state lies at the base; both offsets are in the eden.
        unsafe {
            (*hot).bump = base.add(bump);
            (*hot).bump_end = base.add(end.max(bump));
        }
    }
    /// Bytes of the eden that the interpreter's allocator has.
    pub(super) fn quick_room(&self, base: *mut u8) -> usize {
        let hot: *mut Hot = base.cast();
        // SAFETY: the hot VM state lies at the base.
        let (at, end) = unsafe { ((*hot).bump as usize, (*hot).bump_end as usize) };
        end.saturating_sub(at)
    }
    /// Takes `bytes` zeroed bytes (a multiple of 8) of them. Panics if there are fewer.
    pub(super) fn take_quick(&mut self, base: *mut u8, bytes: usize) -> Ref {
        assert!(bytes <= self.quick_room(base), "no room for {bytes} bytes");
        let hot: *mut Hot = base.cast();
        // SAFETY: the hot VM state lies at the base; the bytes lie in the eden, behind its last object.
        let at = unsafe {
            let p = (*hot).bump;
            std::ptr::write_bytes(p, 0, bytes);
            (*hot).bump = p.add(bytes);
            p as usize
        };
        Ref(((at - base as usize) / 8) as u32)
    }
    /// Spaces with objects, as (start, end) byte offsets, in ascending order of addresses.
    pub(super) fn used_spaces(&self, base: *mut u8) -> [(usize, usize); 3] {
        let s = &self.spaces;
        [
            (s.eden, self.bump(base)),
            (s.survivors[self.full], self.survivor_top),
            (s.old, self.old_top),
        ]
    }
    fn empty_young(&mut self, base: *mut u8) {
        self.survivor_top = self.spaces.survivors[self.full];
        self.publish(base, self.spaces.eden);
    }
    fn poison(&self, base: *mut u8, from: usize, to: usize) {
        if self.stress && from < to {
            // SAFETY: a range of the heap without live objects.
            unsafe { std::ptr::write_bytes(base.add(from), POISON, to - from) }
        }
    }
    fn discovery(roots: &mut dyn Roots, soft: Soft) -> Discovery {
        let none = Offsets {
            referent: u32::MAX,
            next: 0,
            discovered: 0,
            timestamp: 0,
            loader: 0,
        };
        Discovery::new(roots.offsets().unwrap_or(none), soft)
    }

    /// Empties the eden and one survivor space.
    pub(super) fn collect_young(&mut self, base: *mut u8, roots: &mut dyn Roots) {
        let s = self.spaces;
        let refs = |a: usize, b: usize| ((a / 8) as u32, ((b - a) / 8) as u32);
        let (from, to) = (s.survivors[self.full], s.survivors[1 - self.full]);
        let (young, old_top) = (self.young_refs(), self.old_top);
        let eden_top = self.bump(base);
        let mut d = Self::discovery(roots, Soft::Keep);
        let mut y = Young::new(
            base,
            young,
            refs(to, to + s.survivor_max),
            refs(from, from + s.survivor_max),
            old_top,
            &mut self.crossing,
            &self.breath,
        );
        // SAFETY: the roots show valid references; every object of the heap has a valid header.
        unsafe {
            y.dirty_cards(&mut d, s.old, old_top);
            roots.strong(RootSet::Young(young), &mut |r| {
                y.breath.work(ROOT);
                r.0 = y.evacuate(r.0);
            });
            y.drain(&mut d);
            let pending = d.process(&mut y, base, roots.pending());
            roots.set_pending(pending);
            roots.weak(Some(young), &mut |r| {
                y.breath.work(ROOT);
                y.is_live(r.0).then(|| Ref(y.evacuate(r.0)))
            });
        }
        let (to_top, old_top) = (y.to_top as usize * 8, y.old_top);
        if roots.wants_objects() {
            // SAFETY: as above; nothing has been written over the emptied spaces yet.
            unsafe {
                self.notify_emptied(base, (s.eden, eden_top), roots);
                self.notify_emptied(base, (from, self.survivor_top), roots);
            }
        }
        self.old_top = old_top;
        self.old_high = self.old_high.max(old_top);
        self.poison(base, s.eden, eden_top);
        self.poison(base, from, self.survivor_top);
        self.full = 1 - self.full;
        self.survivor_top = to_top;
        self.publish(base, s.eden);
        self.collections += 1;
    }

    /// Collects the whole heap; everything live is in the old space afterwards.
    pub(super) fn collect_full(&mut self, base: *mut u8, roots: &mut dyn Roots, soft: Soft) {
        let s = self.spaces;
        let mut d = Self::discovery(roots, soft);
        let (eden_top, old_top) = (self.bump(base), self.old_top);
        let (lo, hi) = ((s.eden / 8) as u32, old_top.div_ceil(8) as u32);
        let mut m = Marker::new(base, lo, hi, &self.units, &self.breath);
        // SAFETY: as in `collect_young`.
        unsafe {
            roots.strong(RootSet::Permanent, &mut |r| {
                self.breath.work(ROOT);
                m.mark(r.0);
            });
            m.drain(&mut d);
            drain_reached(&mut m, &mut d, roots, &self.breath);
            let pending = d.process(&mut m, base, roots.pending());
            roots.set_pending(pending);
            drain_reached(&mut m, &mut d, roots, &self.breath);
            roots.lose_unreached();
            let (mut marks, live) = m.finish();
            roots.weak(None, &mut |r| {
                self.breath.work(ROOT);
                marks.is_live(r.0).then_some(r)
            });
            let reported = roots.wants_objects();
            if reported {
                self.notify_frees(base, &marks, roots);
            }
            let dead = self.units.take_dead(&live);
            if !dead.is_empty() {
                roots.unload(dead);
            }
            let from = self.used_spaces(base);
            let spaces = [from[2], from[0], from[1]].map(|(a, b)| ((a / 8) as u32, (b / 8) as u32));
            let end = marks.plan(&spaces, (s.old / 8) as u32);
            if reported {
                self.notify_moves(base, &marks, roots);
            }
            for cell in self.units.cells() {
                self.breath.work(ROOT);
                let cell = base.add(cell as usize).cast::<u32>();
                *cell = marks.forward(*cell);
            }
            roots.strong(RootSet::All, &mut |r| {
                self.breath.work(ROOT);
                r.0 = marks.forward(r.0);
            });
            roots.weak(None, &mut |r| {
                self.breath.work(ROOT);
                Some(Ref(marks.forward(r.0)))
            });
            for (a, b) in spaces {
                marks.slide(a, b, &mut self.crossing);
            }
            cards::clean(base, s.old, old_top);
            self.old_top = end as usize * 8;
            self.clean = self.old_top;
        }
        self.old_high = self.old_high.max(self.old_top).max(old_top);
        self.poison(base, s.eden, eden_top);
        self.poison(base, s.survivors[self.full], self.survivor_top);
        self.poison(base, self.old_top, old_top);
        self.empty_young(base);
        self.collections += 1;
        self.full_collections += 1;
    }

    /// Takes `bytes` of the old space, zeroed.
    pub(super) fn take_old(&mut self, base: *mut u8, bytes: usize) -> Ref {
        let off = self.old_top;
        debug_assert!(off + bytes <= self.spaces.end);
        self.old_top += bytes;
        self.crossing.record(off, bytes);
        let (from, dirty) = (off.max(self.clean), self.old_high.min(self.old_top));
        if from < dirty {
            // SAFETY: inside the old space, behind its last object.
            unsafe { std::ptr::write_bytes(base.add(from), 0, dirty - from) }
        }
        self.old_high = self.old_high.max(self.old_top);
        Ref((off / 8) as u32)
    }

    /// Whether an object of the old space begins at byte offset `at`, which is in use.
    pub(super) fn is_old_object(&self, base: *mut u8, at: usize) -> bool {
        let mut o = self.crossing.object_before(at);
        while o < at {
            let r = (o / 8) as u32;
            // SAFETY: the space is filled with objects without gaps.
            o += unsafe { object::size(base, object::hot(base, r), r) };
        }
        o == at
    }

    /// Calls `f` with every object, live or not. The heap must be in order (right after a collection,
    /// or between instructions).
    pub(super) fn each_object(&self, base: *mut u8, mut f: impl FnMut(Ref)) {
        for (mut o, end) in self.used_spaces(base) {
            while o < end {
                let r = (o / 8) as u32;
                // SAFETY: the spaces are filled with objects without gaps.
                let bytes = unsafe { object::size(base, object::hot(base, r), r) };
                f(Ref(r));
                o += bytes;
            }
        }
    }
}

impl super::Heap {
    /// Calls `f` with every object, live or not, between instructions.
    pub(crate) fn each_object(&self, f: impl FnMut(Ref)) {
        self.gc.each_object(self.region.base(), f);
    }
}

/// A marking under way, for roots that depend on it.
pub(super) trait Reach {
    /// Whether the object has been marked.
    fn is_live(&self, r: Ref) -> bool;
    /// Marks what a root names.
    fn mark(&mut self, r: Ref);
}

/// One that can be stopped.
struct Marking<'a, 'm, 'b> {
    marker: &'a mut Marker<'m, 'b>,
    breath: &'a PauseCheck,
}

impl Reach for Marking<'_, '_, '_> {
    fn is_live(&self, r: Ref) -> bool {
        // SAFETY: roots name valid objects.
        unsafe { self.marker.is_live(r.0) }
    }
    fn mark(&mut self, r: Ref) {
        self.breath.work(ROOT);
        // SAFETY: roots name valid objects.
        unsafe { self.marker.mark(r.0) }
    }
}

/// Marks the objects that are live because of marked ones.
unsafe fn drain_reached(
    marker: &mut Marker<'_, '_>,
    d: &mut Discovery,
    roots: &mut dyn Roots,
    breath: &PauseCheck,
) {
    let mut more = true;
    while more {
        more = false;
        let mut from = Some(0);
        while let Some(first) = from {
            let marker = &mut *marker;
            let (next, shown) = roots.reached(first, &mut Marking { marker, breath });
            marker.drain(d);
            more |= shown > 0;
            from = next;
        }
    }
}
