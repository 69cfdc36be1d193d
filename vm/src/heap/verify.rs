//! Checks that the heap is in order: run after each collection in stress mode and debug builds.

use super::gc_state::GcState;
use super::region::{HEAP_START, META_START};
use super::{cards, object};
use crate::ids::Ref;
use crate::vm::Vm;

/// Starts of all objects, a bit for each word.
struct StartBits {
    lo: usize,
    bits: Vec<u64>,
}

impl StartBits {
    fn has(&self, r: u32) -> bool {
        let i = (r as usize).wrapping_sub(self.lo);
        self.bits
            .get(i / 64)
            .is_some_and(|w| w & 1 << (i % 64) != 0)
    }
}

impl GcState {
    /// Walks all objects: headers must name classes, references must point at objects (or mirrors,
    /// below the heap), old objects with references to young ones must lie on dirty cards.
    pub(super) fn verify(&self, base: *mut u8, roots: &[Ref]) -> Result<(), String> {
        let lo = self.spaces.eden / 8;
        let mut starts = StartBits {
            lo,
            bits: vec![0; (self.old_top / 8 - lo) / 64 + 1],
        };
        for (start, end) in self.used_spaces(base) {
            let mut o = start;
            while o < end {
                let r = (o / 8) as u32;
                let bytes = self.verify_header(base, r, end - o)?;
                starts.bits[(r as usize - lo) / 64] |= 1 << ((r as usize - lo) % 64);
                o += bytes;
            }
        }
        let check = |v: u32, what: &dyn Fn() -> String| -> Result<(), String> {
            let byte = v as usize * 8;
            let good = v == 0
                || if byte < HEAP_START {
                    // SAFETY: the metaspace is mapped; a mirror's class has an initialised hot block.
                    byte >= META_START
                        && unsafe {
                            let c = object::word(base, v, 0) as usize * 8;
                            (META_START..HEAP_START).contains(&c)
                                && (*object::hot(base, v)).kind == object::MIRROR
                        }
                } else {
                    starts.has(v)
                };
            if good {
                Ok(())
            } else {
                Err(format!("{} holds {v:#x}, which is no object", what()))
            }
        };
        let (young, len) = self.young_refs();
        let mut error = None;
        self.each_object(base, |r| {
            // SAFETY: the headers have been checked.
            unsafe {
                let check_slot = |p: *mut u32| {
                    let v = *p;
                    let off = p as usize - base as usize - r.0 as usize * 8;
                    let e = check(v, &|| format!("object {:#x} at {off}", r.0));
                    let points_young = v.wrapping_sub(young) < len;
                    if let Err(e) = e {
                        error.get_or_insert(e);
                    } else if r.0 as usize * 8 >= self.spaces.old
                        && points_young
                        && !cards::is_dirty(base, p)
                    {
                        error.get_or_insert(format!(
                            "old object {:#x} points at young {v:#x} on a clean card",
                            r.0
                        ));
                    }
                };
                object::each_slot(base, r.0, check_slot, |_| {});
            }
        });
        if let Some(e) = error {
            return Err(e);
        }
        for (i, r) in roots.iter().enumerate() {
            check(r.0, &|| format!("root {i}"))?;
        }
        Ok(())
    }
    fn verify_header(&self, base: *mut u8, r: u32, room: usize) -> Result<usize, String> {
        // SAFETY: `r` lies in a space of the heap; the class word is checked before it is followed.
        unsafe {
            let c = object::word(base, r, 0) as usize * 8;
            if !(META_START..HEAP_START).contains(&c) {
                return Err(format!("object {r:#x} has class word {:#x}", c / 8));
            }
            let h = object::hot(base, r);
            if (*h).kind > object::REF_ARRAY {
                return Err(format!("object {r:#x} has a class of kind {}", (*h).kind));
            }
            let bytes = object::size(base, h, r);
            if bytes < 8 || bytes > room || !bytes.is_multiple_of(8) {
                return Err(format!("object {r:#x} has {bytes} bytes, {room} are left"));
            }
            Ok(bytes)
        }
    }
}

/// Damage of a heap: a bug of the VM, or of native code that wrote into it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HeapDamage(String);

impl Vm {
    /// Checks every object and root; see [`GcState`]'s walk for what holds.
    pub fn verify_heap(&mut self) -> Result<(), HeapDamage> {
        self.settle_heap();
        let mut roots = Vec::new();
        self.each_root(&mut |r| roots.push(*r));
        roots.extend(self.strings.iter());
        let base = self.heap.region.base();
        self.heap.gc.verify(base, &roots).map_err(HeapDamage)
    }
}
