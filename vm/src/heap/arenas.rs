//! The spaces of the heap as arenas, and collections reported object by object to those who want it.
//!
//! What a collection does with each object is reported when all of it is decided: by a young one when everything live has
//! been copied, by a full one frees before classes are unloaded and moves before anything is moved. Objects come by ascending
//! address, space by space. Class mirrors never move and go with their classes, so they are in no arena.

use super::Heap;
pub use super::arena::Arena;
use super::gc::Roots;
use super::gc_state::GcState;
use super::object::{self, FORWARDED, hot, word};
use super::old::LiveMarks;
use super::spaces::Spaces;
use crate::events::{Event, EventSet};
use crate::ids::{ClassId, Ref};
use crate::vm::Vm;

impl Spaces {
    /// The arena of the byte at this offset of the heap.
    fn arena(&self, at: usize) -> Arena {
        match at {
            _ if at >= self.old => Arena::Old,
            _ if at >= self.survivors[1] => Arena::Survivor1,
            _ if at >= self.survivors[0] => Arena::Survivor0,
            _ => Arena::Eden,
        }
    }
}

impl Heap {
    /// The arena that an object is or was in; `None` for class mirrors and null.
    pub fn arena_of(&self, object: Ref) -> Option<Arena> {
        let (at, spaces) = (object.0 as usize * 8, &self.gc.spaces);
        (spaces.eden..spaces.end)
            .contains(&at)
            .then(|| spaces.arena(at))
    }
}

impl Vm {
    /// Whether an observer wants reports on each object from collections.
    pub(super) fn wants_objects(&self) -> bool {
        self.wants(EventSet::MOVES | EventSet::FREES | EventSet::ARENAS)
    }
    /// Whether a collection is under way, so that objects cannot be looked at.
    pub fn is_in_collection(&self) -> bool {
        self.heap.gc.collecting
    }
    /// The object with this number ([`Ref::slot`]), if there is one, between two instructions.
    pub fn object_at(&self, number: u32) -> Option<Ref> {
        let r = Ref(number);
        self.is_object(r).then_some(r)
    }
    fn is_object(&self, r: Ref) -> bool {
        let is_mirror = || self.loaded.classes.iter().any(|&c| self.mirror(c) == r);
        match self.heap.arena_of(r) {
            _ if r.is_null() || self.heap.gc.collecting => false,
            None => is_mirror(),
            Some(_) => self.heap.is_object(r.0 as usize * 8),
        }
    }
    /// Calls `f` with each object that a heap holds, live or not, by ascending address; class mirrors are not among them.
    /// Not while it is collected.
    pub fn each_object_of_heap(&self, f: impl FnMut(Ref)) {
        assert!(!self.heap.gc.collecting, "the heap is being collected");
        self.heap.each_object(f);
    }
}

impl GcState {
    /// A young collection has copied the live objects of a space, whose objects lie at `[start, end)`: reports the fate of each,
    /// and that the space is empty.
    ///
    /// # Safety
    /// See [`super::object`]; the objects and what they were copied to are still there.
    pub(super) unsafe fn notify_emptied(
        &self,
        base: *mut u8,
        (start, end): (usize, usize),
        roots: &mut dyn Roots,
    ) {
        let mut o = start;
        while o < end {
            let r = (o / 8) as u32;
            let moved = word(base, r, 0) & FORWARDED != 0;
            let now = match moved {
                true => word(base, r, 4),
                false => r,
            };
            let (class, bytes) = (
                ClassId(word(base, now, 0)),
                object::size(base, hot(base, now), now),
            );
            self.breath.work(2);
            roots.notify(match moved {
                true => Event::Moved {
                    from: Ref(r),
                    to: Ref(now),
                    class,
                    bytes,
                },
                false => Event::Freed {
                    object: Ref(r),
                    class,
                    bytes,
                },
            });
            o += bytes;
        }
        self.notify_empty(start, roots);
    }
    fn notify_empty(&self, start: usize, roots: &mut dyn Roots) {
        let arena = self.spaces.arena(start);
        roots.notify(Event::DeleteArena(arena));
        roots.notify(Event::NewArena(arena));
    }
    /// A full collection has marked the live objects: reports the freed ones.
    ///
    /// # Safety
    /// See [`super::object`]; no class has been unloaded yet.
    pub(super) unsafe fn notify_frees(
        &self,
        base: *mut u8,
        marks: &LiveMarks<'_>,
        roots: &mut dyn Roots,
    ) {
        let spaces = self.used_spaces(base);
        for (start, end) in [spaces[2], spaces[0], spaces[1]] {
            let mut o = start;
            while o < end {
                let r = (o / 8) as u32;
                let bytes = object::size(base, hot(base, r), r);
                self.breath.work(2);
                if !marks.is_live(r) {
                    roots.notify(Event::Freed {
                        object: Ref(r),
                        class: ClassId(word(base, r, 0)),
                        bytes,
                    });
                }
                o += bytes;
            }
        }
    }
    /// A full collection has planned where everything goes: reports what it moves, and that the young spaces are empty.
    ///
    /// # Safety
    /// See [`super::object`]; nothing has been moved yet.
    pub(super) unsafe fn notify_moves(
        &self,
        base: *mut u8,
        marks: &LiveMarks<'_>,
        roots: &mut dyn Roots,
    ) {
        let spaces = self.used_spaces(base);
        for (start, end) in [spaces[2], spaces[0], spaces[1]] {
            let mut r = (start / 8) as u32;
            while let Some(live) = marks.next_live(r, (end / 8) as u32) {
                let bytes = object::size(base, hot(base, live), live);
                let to = marks.forward(live);
                self.breath.work(2);
                if to != live {
                    roots.notify(Event::Moved {
                        from: Ref(live),
                        to: Ref(to),
                        class: ClassId(word(base, live, 0)),
                        bytes,
                    });
                }
                r = live + (bytes / 8) as u32;
            }
        }
        for (start, _) in &spaces[..2] {
            self.notify_empty(*start, roots);
        }
    }
}
