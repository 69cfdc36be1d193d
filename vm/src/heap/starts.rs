//! Checks whether a reference that a host hands over is still an object. Natives see no collection, hosts do: a reference that
//! was kept over one may lead into the middle of something else.

use super::{Heap, object};
use crate::ids::Ref;

/// For so many bytes of the young generation one object's place is remembered.
const STEP: usize = 512;

/// Where objects of a space begin, as far as that was requested. New ones come behind those that are there.
#[derive(Default)]
struct ObjectStarts {
    /// For each multiple of [`STEP`] from the space's start on the object that it lies in, in words of 8 bytes.
    over: Vec<u32>,
    /// The object behind all that have been gone through; 0 before the first.
    next: usize,
}

impl ObjectStarts {
    /// Whether an object begins at `at`, which lies in the space that begins at `start`.
    fn has(&mut self, base: *mut u8, start: usize, at: usize) -> bool {
        let behind = |o: usize| {
            let r = (o / 8) as u32;
            // SAFETY: the used part of a space is filled with objects without gaps, and `o` is one of them.
            o + unsafe { object::size(base, object::hot(base, r), r) }
        };
        self.next = self.next.max(start);
        while self.next <= at {
            let next = behind(self.next);
            while start + self.over.len() * STEP < next {
                self.over.push((self.next / 8) as u32);
            }
            self.next = next;
        }
        let mut o = self.over[(at - start) / STEP] as usize * 8;
        while o < at {
            o = behind(o);
        }
        o == at
    }
}

/// The known beginnings in the eden and the survivor space since the last collection.
#[derive(Default)]
pub(super) struct YoungStarts {
    collections: u64,
    eden: ObjectStarts,
    survivors: ObjectStarts,
}

impl Heap {
    /// Whether an object begins at byte offset `at`, between instructions.
    pub(super) fn is_object(&self, at: usize) -> bool {
        let base = self.region.base();
        let spaces = self.gc.used_spaces(base);
        let within = |s: (usize, usize)| (s.0..s.1).contains(&at);
        let Some(&(start, _)) = spaces.iter().find(|s| within(**s)) else {
            return false;
        };
        if start == self.gc.spaces.old {
            return self.gc.is_old_object(base, at);
        }
        let mut starts = self.starts.borrow_mut();
        if starts.collections != self.gc.collections {
            *starts = YoungStarts {
                collections: self.gc.collections,
                ..YoungStarts::default()
            };
        }
        match start == self.gc.spaces.eden {
            true => starts.eden.has(base, start, at),
            false => starts.survivors.has(base, start, at),
        }
    }
    /// Panics if the host hands over something other than an object. Natives, and functions that the interpreter calls, hold only
    /// references that they were given since the last collection.
    #[inline(always)]
    pub(crate) fn check(&self, r: Ref) {
        if !self.inside {
            self.check_host(r);
        }
    }
    /// A number for an object, which does not keep it: see [`Watched`](super::watched::Watched). Who asks may have kept the reference,
    /// an observer too, which is notified while the interpreter runs: so it is checked always.
    pub(crate) fn watch(&mut self, r: Ref) -> u32 {
        assert!(!self.gc.collecting, "the heap is being collected");
        self.check_host(r);
        self.watched.add(r)
    }
    #[inline(never)]
    fn check_host(&self, r: Ref) {
        let object = self.gc.collecting || r.is_null() || self.object_at(r.slot()).is_some();
        assert!(
            object,
            "{r:?} is no longer an object: a reference is valid until the next collection, a root slot for longer"
        );
    }
}
