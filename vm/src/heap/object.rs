//! Raw access to objects for the collector: sizes and reference slots, straight from the hot blocks.
//!
//! # Safety (of everything in this file)
//! `base` is the region's base and `r` the reference of an object whose header names a class with an
//! initialised hot block; no other code touches the heap while the collector runs.

use super::{ELEMS, LENGTH, array_bytes};
use crate::classes::ClassHot;

/// Kind of [`ClassHot`]: instances.
pub(super) const INSTANCE: u8 = 0;
/// Kind of [`ClassHot`]: arrays of references.
pub(super) const REF_ARRAY: u8 = 2;
/// Kind of [`ClassHot`]: class mirrors.
pub(super) const MIRROR: u8 = 4;
/// In the class word of an object that has been moved by a young collection; its mark word is the new reference.
pub(super) const FORWARDED: u32 = 1 << 31;

/// Address of a byte of an object.
#[inline(always)]
pub(super) unsafe fn at(base: *mut u8, r: u32, off: u32) -> *mut u8 {
    base.add(r as usize * 8 + off as usize)
}
/// Reads a word of an object.
#[inline(always)]
pub(super) unsafe fn word(base: *mut u8, r: u32, off: u32) -> u32 {
    at(base, r, off).cast::<u32>().read()
}
/// Hot block of an object's class.
#[inline(always)]
pub(super) unsafe fn hot(base: *mut u8, r: u32) -> *const ClassHot {
    base.add(word(base, r, 0) as usize * 8).cast()
}
/// Bytes an object of this class takes; not for mirrors, which the collector never moves.
#[inline(always)]
pub(super) unsafe fn size(base: *mut u8, h: *const ClassHot, r: u32) -> usize {
    if (*h).kind == INSTANCE {
        (*h).instance_size as usize
    } else {
        array_bytes(word(base, r, LENGTH) as usize, (*h).elem_shift)
    }
}
/// Byte offsets of the reference fields of the instances of a class.
#[inline(always)]
pub(super) unsafe fn oop_map<'a>(h: *const ClassHot) -> &'a [u32] {
    let n = (*h).oop_map_len as usize;
    if n == 0 {
        &[]
    } else {
        std::slice::from_raw_parts((*h).oop_map, n)
    }
}
/// Elements of an array of references.
#[inline(always)]
pub(super) unsafe fn elems(base: *mut u8, r: u32) -> (*mut u32, usize) {
    (
        at(base, r, ELEMS as u32).cast(),
        word(base, r, LENGTH) as usize,
    )
}
/// Slots of an array that are gone through at a time.
const SLOTS: usize = 4096;
/// Calls `f` with every reference slot of an object (a Reference's referent included), and `done` with their number, of
/// large arrays for each part.
#[inline(always)]
pub(super) unsafe fn each_slot(
    base: *mut u8,
    r: u32,
    mut f: impl FnMut(*mut u32),
    done: impl Fn(usize),
) {
    let h = hot(base, r);
    match (*h).kind {
        INSTANCE => {
            for &o in oop_map(h) {
                f(at(base, r, o).cast());
            }
            done(oop_map(h).len());
        }
        REF_ARRAY => {
            let (p, n) = elems(base, r);
            for from in (0..n).step_by(SLOTS) {
                let end = n.min(from + SLOTS);
                for i in from..end {
                    f(p.add(i));
                }
                done(end - from);
            }
        }
        _ => done(0),
    }
}

/// Asks the processor for the memory at `p`.
#[inline(always)]
pub(super) fn prefetch(p: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint that cannot fault.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(p.cast())
    };
    #[cfg(not(target_arch = "x86_64"))]
    let _ = p;
}
