//! The shape of translated instructions, operand kinds, and the dispatch macros.
//!
//! An instruction is its handler's address and operands; their layouts are declared in `insn`. Where an operand
//! may be in one of several places, the place is a generic parameter of the handler, so each combination is a separate handler.
//!
//! # Safety (of everything in this room)
//! A handler runs only when `ip` points at an instruction made by the translator for it, `fp` at a
//! frame with the slots the translator counted, `cs` at the frame's control frame, and `hot` at the
//! base of the VM's region. The translator keeps slot numbers inside the frame, and calls check the
//! stack before a frame is entered; references in slots are null or valid (verified code, precise
//! maps), so `hot + ref * 8` is an object.

use super::frame::{Fp, Hot, Ip};
pub use super::handler::{Handler, TAIL_DISPATCH};
use super::insn::{OperandPosition, call};

/// Declares functions with the calling convention of [`Handler`]: `handler_fn! { [pub(crate)] name(…) {…} }`.
#[cfg(tail_dispatch)]
macro_rules! handler_fn {
    ([$($before:tt)*] $($rest:tt)*) => { $($before)* unsafe extern "sysv64-unwind" fn $($rest)* };
}
/// Declares functions with the calling convention of [`Handler`]: `handler_fn! { [pub(crate)] name(…) {…} }`.
#[cfg(not(tail_dispatch))]
macro_rules! handler_fn {
    ([$($before:tt)*] $($rest:tt)*) => { $($before)* unsafe extern "C-unwind" fn $($rest)* };
}
pub(crate) use handler_fn;

/// Continues at an instruction.
#[cfg(tail_dispatch)]
macro_rules! go {
    ($ip:expr, $fp:expr, $cs:expr, $tk:expr, $acc:expr, $hot:expr, $fa:expr) => {{
        let ip: $crate::interp::frame::Ip = $ip;
        let h = *(ip as *const $crate::interp::handler::Handler);
        return h(ip, $fp, $cs, $tk, $acc, $hot, $fa);
    }};
}
/// Continues at an instruction: through the loop of `enter`.
#[cfg(not(tail_dispatch))]
macro_rules! go {
    ($ip:expr, $fp:expr, $cs:expr, $tk:expr, $acc:expr, $hot:expr, $fa:expr) => {{
        (*$hot).regs = $crate::interp::frame::Regs {
            ip: $ip,
            fp: $fp,
            cs: $cs,
            ticks: $tk,
            acc: $acc,
            facc: $fa,
        };
        return;
    }};
}
pub(crate) use go;

/// Stores the registers, as has to be done before whatever may fault.
macro_rules! save {
    ($ip:ident $fp:ident $cs:ident $tk:ident $acc:ident $hot:ident $fa:ident) => {
        (*$hot).regs = $crate::interp::frame::Regs {
            ip: $ip,
            fp: $fp,
            cs: $cs,
            ticks: $tk,
            acc: $acc,
            facc: $fa,
        };
    };
}
pub(crate) use save;

/// Declares handlers: `op! { name<G: Bound>[ip fp cs tk acc hot fa] { body } }`.
macro_rules! op {
    ($($(#[$at:meta])* $name:ident $(<$($g:ident : $b:ident),*>)? $({$(const $c:ident : $ct:ty),*})? [$ip:ident $fp:ident $cs:ident $tk:ident $acc:ident $hot:ident $fa:ident] $body:block)*) => { $(
        $crate::interp::code::handler_fn! { [$(#[$at])*
        #[allow(unused_mut, unused_variables, unused_assignments, reason = "every handler has all registers, needed or not")]
        pub(crate)] $name<$($($g: $b,)*)? $($(const $c: $ct,)*)?>(mut $ip: $crate::interp::frame::Ip, mut $fp: $crate::interp::frame::Fp, mut $cs: $crate::interp::frame::Cs, mut $tk: i64, mut $acc: u64, $hot: *mut $crate::interp::frame::Hot, mut $fa: f64) $body }
    )* };
}
pub(crate) use op;

/// Slot `n` of a frame.
#[inline(always)]
pub(crate) unsafe fn slot(fp: Fp, n: u16) -> Fp {
    fp.add(n as usize)
}
/// Address of byte `off` of object `r`.
#[inline(always)]
pub(crate) unsafe fn obj(hot: *mut Hot, r: u64, off: usize) -> *mut u8 {
    (hot as *mut u8).add(r as u32 as usize * 8 + off)
}

/// Where an operand is read from.
pub(crate) trait Src {
    unsafe fn u(ip: Ip, fp: Fp, acc: u64) -> u64;
    unsafe fn i(ip: Ip, fp: Fp, acc: u64) -> i32;
    unsafe fn l(ip: Ip, fp: Fp, acc: u64) -> i64;
    unsafe fn f(ip: Ip, fp: Fp, fa: f64) -> f32;
    unsafe fn d(ip: Ip, fp: Fp, fa: f64) -> f64;
}
/// Where operands are that may be in one of several places, in all layouts that have them.
const FIRST: OperandPosition<u16, 8> = OperandPosition::new();
const SECOND: OperandPosition<u16, 12> = OperandPosition::new();
const CONSTANT: OperandPosition<i32, 12> = OperandPosition::new();
const VALUE: OperandPosition<u16, 10> = OperandPosition::new();
const SMALL: OperandPosition<i16, 10> = OperandPosition::new();
/// Where the result's slot is named.
pub(crate) const DEST: OperandPosition<u16, 10> = OperandPosition::new();

/// First operand, in a slot.
pub(crate) struct AS;
/// Second operand, in a slot.
pub(crate) struct BS;
/// Accumulator.
pub(crate) struct AC;
/// Second operand, a constant: an int, a sign-extended long, a float's bits, or a double that is exactly this float.
pub(crate) struct IM;
/// Value of a store, in a slot.
pub(crate) struct DV;
/// Value of a store, a small constant, sign-extended.
pub(crate) struct DI;
impl Src for DI {
    #[inline(always)]
    unsafe fn u(ip: Ip, _: Fp, _: u64) -> u64 {
        SMALL.get(ip) as i64 as u64
    }
    #[inline(always)]
    unsafe fn i(ip: Ip, fp: Fp, acc: u64) -> i32 {
        Self::u(ip, fp, acc) as i32
    }
    #[inline(always)]
    unsafe fn l(ip: Ip, fp: Fp, acc: u64) -> i64 {
        Self::u(ip, fp, acc) as i64
    }
    #[inline(always)]
    unsafe fn f(ip: Ip, fp: Fp, fa: f64) -> f32 {
        f32::from_bits(Self::u(ip, fp, fa.to_bits()) as u32)
    }
    #[inline(always)]
    unsafe fn d(ip: Ip, fp: Fp, fa: f64) -> f64 {
        f64::from_bits(Self::u(ip, fp, fa.to_bits()))
    }
}
macro_rules! slot_src {
    ($t:ident, $at:expr) => {
        impl Src for $t {
            #[inline(always)]
            unsafe fn u(ip: Ip, fp: Fp, _: u64) -> u64 {
                *slot(fp, $at.get(ip))
            }
            #[inline(always)]
            unsafe fn i(ip: Ip, fp: Fp, _: u64) -> i32 {
                *slot(fp, $at.get(ip)) as i32
            }
            #[inline(always)]
            unsafe fn l(ip: Ip, fp: Fp, _: u64) -> i64 {
                *slot(fp, $at.get(ip)) as i64
            }
            #[inline(always)]
            unsafe fn f(ip: Ip, fp: Fp, _: f64) -> f32 {
                *(slot(fp, $at.get(ip)) as *const f32)
            }
            #[inline(always)]
            unsafe fn d(ip: Ip, fp: Fp, _: f64) -> f64 {
                *(slot(fp, $at.get(ip)) as *const f64)
            }
        }
    };
}
slot_src!(AS, FIRST);
slot_src!(BS, SECOND);
slot_src!(DV, VALUE);
impl Src for AC {
    #[inline(always)]
    unsafe fn u(_: Ip, _: Fp, acc: u64) -> u64 {
        acc
    }
    #[inline(always)]
    unsafe fn i(_: Ip, _: Fp, acc: u64) -> i32 {
        acc as i32
    }
    #[inline(always)]
    unsafe fn l(_: Ip, _: Fp, acc: u64) -> i64 {
        acc as i64
    }
    #[inline(always)]
    unsafe fn f(_: Ip, _: Fp, fa: f64) -> f32 {
        f32::from_bits(fa.to_bits() as u32)
    }
    #[inline(always)]
    unsafe fn d(_: Ip, _: Fp, fa: f64) -> f64 {
        fa
    }
}
impl Src for IM {
    #[inline(always)]
    unsafe fn u(ip: Ip, _: Fp, _: u64) -> u64 {
        CONSTANT.get(ip) as u32 as u64
    }
    #[inline(always)]
    unsafe fn i(ip: Ip, _: Fp, _: u64) -> i32 {
        CONSTANT.get(ip)
    }
    #[inline(always)]
    unsafe fn l(ip: Ip, _: Fp, _: u64) -> i64 {
        CONSTANT.get(ip) as i64
    }
    #[inline(always)]
    unsafe fn f(ip: Ip, _: Fp, _: f64) -> f32 {
        f32::from_bits(CONSTANT.get(ip) as u32)
    }
    #[inline(always)]
    unsafe fn d(ip: Ip, _: Fp, _: f64) -> f64 {
        f32::from_bits(CONSTANT.get(ip) as u32) as f64
    }
}

/// Where a result goes besides the accumulator.
pub(crate) trait Dst {
    unsafe fn put(ip: Ip, fp: Fp, v: u64);
}
/// The result's slot.
pub(crate) struct DS;
/// Only the accumulator.
pub(crate) struct DA;
impl Dst for DS {
    #[inline(always)]
    unsafe fn put(ip: Ip, fp: Fp, v: u64) {
        *slot(fp, DEST.get(ip)) = v;
    }
}
impl Dst for DA {
    #[inline(always)]
    unsafe fn put(_: Ip, _: Fp, _: u64) {}
}

/// An f32 as the floating accumulator holds it.
#[inline(always)]
pub(crate) fn fbits(v: f32) -> f64 {
    f64::from_bits(v.to_bits() as u64)
}

/// A kind of operand place, as the translator names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum K {
    /// Frame slot.
    S,
    /// Accumulator.
    A,
    /// Immediate.
    I,
}

/// Where the arguments of the call at `ip` are.
#[inline(always)]
pub(super) unsafe fn arguments(ip: Ip, fp: Fp) -> Fp {
    slot(fp, call::first.get(ip))
}
