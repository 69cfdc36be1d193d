//! `java.lang.ref`: discovery of References while tracing, and what happens to them afterwards.
//!
//! A collector that meets an active Reference whose referent it has not reached yet puts it in a
//! list instead of tracing the referent. When everything strongly reachable is known, each list is
//! gone through in the order soft, weak, final, phantom (package `java.lang.ref`, "Reachability").

use super::object::{at, word};
use super::pause::PauseCheck;
use crate::ids::Ref;

/// What one of them costs, as words of the heap.
const EACH: u32 = 4;

/// Kinds of [`crate::classes::ClassHot::ref_kind`].
pub(super) mod kind {
    pub const SOFT: u8 = 1;
    pub const FINAL: u8 = 3;
    /// Instances are class loaders: no References, but live loaders keep their classes.
    pub const LOADER: u8 = 5;
    /// Instances of this kind and the next have numbers that the VM added for itself.
    pub const NUMBERED: u8 = LOADER;

    /// Whether instances are References.
    #[inline(always)]
    pub fn is_reference(kind: u8) -> bool {
        kind.wrapping_sub(1) < 4
    }
}

/// Byte offsets of the fields of Reference and SoftReference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offsets {
    pub referent: u32,
    pub next: u32,
    pub discovered: u32,
    pub timestamp: u32,
    /// The number of a class loader.
    pub loader: u32,
}

/// Which soft references a collection leaves alone.
#[derive(Clone, Copy, Debug)]
pub(super) enum Soft {
    /// All (young collections).
    Keep,
    /// Those used not longer ago than this many units of the soft clock.
    UsedSince(i64),
    /// None: memory is about to run out.
    Clear,
}

/// References found while tracing.
pub(super) struct Discovery {
    pub offsets: Offsets,
    pub soft: Soft,
    /// Off while the referents of final references are traced: the objects that they reach must stay.
    pub on: bool,
    /// By kind − 1, in order of discovery.
    found: [Vec<u32>; 4],
}

/// A collector, as reference processing sees it.
pub(super) trait Tracer {
    /// Whether the object has been reached.
    unsafe fn is_live(&self, r: u32) -> bool;
    /// Makes the object of the slot live, and the slot point to where it is now.
    unsafe fn keep(&mut self, slot: *mut u32);
    /// A reference in `slot` was changed to `v`, an object that is live.
    unsafe fn store(&mut self, slot: *mut u32, v: u32);
    /// Traces everything reachable from the references kept.
    unsafe fn drain(&mut self, d: &mut Discovery);
    /// Where it stops when asked.
    fn breath(&self) -> &PauseCheck;
}

impl Discovery {
    pub(super) fn new(offsets: Offsets, soft: Soft) -> Discovery {
        Discovery {
            offsets,
            soft,
            on: true,
            found: Default::default(),
        }
    }
    /// Looks at Reference `r` of kind `kind` whose `referent` (not null) has not been reached. `true`: it
    /// is in a list now, and the tracer leaves the referent alone.
    ///
    /// # Safety
    /// See [`super::object`].
    pub(super) unsafe fn discover(&mut self, base: *mut u8, r: u32, kind: u8) -> bool {
        if !self.on || word(base, r, self.offsets.next) != 0 {
            return false;
        }
        if kind == self::kind::SOFT {
            match self.soft {
                Soft::Keep => return false,
                Soft::UsedSince(oldest) => {
                    let used = at(base, r, self.offsets.timestamp)
                        .cast::<i64>()
                        .read_unaligned();
                    if used >= oldest {
                        return false;
                    }
                }
                Soft::Clear => {}
            }
        }
        self.found[kind as usize - 1].push(r);
        true
    }
    /// Clears or keeps the referents of everything found; returns the new head of the pending list,
    /// in front of `pending`.
    ///
    /// # Safety
    /// See [`super::object`].
    pub(super) unsafe fn process<T: Tracer>(
        &mut self,
        t: &mut T,
        base: *mut u8,
        pending: Ref,
    ) -> Ref {
        self.on = false;
        let mut enqueued = Vec::new();
        for kind in 1..=4u8 {
            let found = std::mem::take(&mut self.found[kind as usize - 1]);
            for r in found {
                t.breath().work(EACH);
                let slot = at(base, r, self.offsets.referent).cast::<u32>();
                if t.is_live(*slot) {
                    t.keep(slot);
                } else if kind == self::kind::FINAL {
                    t.keep(slot);
                    enqueued.push(r);
                } else {
                    *slot = 0;
                    enqueued.push(r);
                }
            }
            if kind == self::kind::FINAL {
                t.drain(self);
            }
        }
        let mut head = pending.0;
        for &r in enqueued.iter().rev() {
            t.breath().work(EACH);
            let slot = at(base, r, self.offsets.discovered).cast::<u32>();
            t.store(slot, head);
            head = r;
        }
        Ref(head)
    }
}
