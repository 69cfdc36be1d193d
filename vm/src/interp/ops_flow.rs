//! Handlers of branches and switches. A taken edge adds its tick difference; and looks at the limit.
//!
//! Branch: `[a][b][edge @16]`, 24 bytes. An edge is `[off i32, relative to the instruction][ticks i16][u16]`.
//! The last is what the ticks lag at its target, but with `COUNT` (profiles of basic blocks) the slot of
//! the context's node in which it counts.

use super::code::*;
use super::frame::Ip;
use super::slow;
use rjvm_profiler::cct::Node;

macro_rules! conds {
    ($($n:ident $i:expr;)*) => { $(
        pub(crate) struct $n;
        impl Cond for $n { #[inline(always)] fn t<T: PartialOrd>(a: T, b: T) -> bool { let f: fn(&T, &T) -> bool = $i; f(&a, &b) } }
    )* };
}
/// A comparison.
pub(crate) trait Cond {
    fn t<T: PartialOrd>(a: T, b: T) -> bool;
}
conds! { CEq |a, b| a == b; CNe |a, b| a != b; CLt |a, b| a < b; CGe |a, b| a >= b; CGt |a, b| a > b; CLe |a, b| a <= b; }

macro_rules! taken {
    ($count:expr, $edge:expr, $ip:ident $fp:ident $cs:ident $tk:ident $acc:ident $hot:ident $fa:ident) => {{
        let e: Ip = $edge;
        $tk += i16a(e, 4) as i64;
        if $count {
            *Node::kid((*$cs).node, u16a(e, 6) as u32).cast::<u64>() += 1;
        }
        let to = $ip.offset(i32a(e, 0) as isize);
        if $tk >= (*$hot).limit {
            (*$hot).edge = e;
            (*$hot).source = $ip;
            if $count {
                return slow::trap_at_limit(to, $fp, $cs, $tk, $acc, $hot, $fa);
            }
            return slow::trap(to, $fp, $cs, $tk, $acc, $hot, $fa);
        }
        go!(to, $fp, $cs, $tk, $acc, $hot, $fa)
    }};
}

op! {
    jcc_i<C: Cond, A: Src, B: Src>{const COUNT: bool}[ip fp cs tk acc hot fa] {
        if C::t(A::i(ip, fp, acc), B::i(ip, fp, acc)) { taken!(COUNT, ip.add(16), ip fp cs tk acc hot fa) }
        go!(ip.add(24), fp, cs, tk, acc, hot, fa)
    }
    jcc_l<C: Cond, A: Src, B: Src>{const COUNT: bool}[ip fp cs tk acc hot fa] {
        if C::t(A::l(ip, fp, acc), B::l(ip, fp, acc)) { taken!(COUNT, ip.add(16), ip fp cs tk acc hot fa) }
        go!(ip.add(24), fp, cs, tk, acc, hot, fa)
    }
    /// Fused fcmpX/dcmpX and if: `NAN` says whether the branch is taken when an operand is NaN.
    jcc_f<C: Cond, A: Src, B: Src>{const DOUBLE: bool, const NAN: bool, const COUNT: bool}[ip fp cs tk acc hot fa] {
        let t = if DOUBLE {
            let (a, b) = (A::d(ip, fp, fa), B::d(ip, fp, fa));
            C::t(a, b) || (NAN && (a.is_nan() || b.is_nan()))
        } else {
            let (a, b) = (A::f(ip, fp, fa), B::f(ip, fp, fa));
            C::t(a, b) || (NAN && (a.is_nan() || b.is_nan()))
        };
        if t { taken!(COUNT, ip.add(16), ip fp cs tk acc hot fa) }
        go!(ip.add(24), fp, cs, tk, acc, hot, fa)
    }
    /// `iinc`, then compare and branch: `[d: local][inc i16 @8]`, comparand `B`.
    inc_jcc<C: Cond, B: Src>{const COUNT: bool}[ip fp cs tk acc hot fa] {
        let p = fp.add(u16a(ip, 10));
        acc = (*p as i32).wrapping_add(u16a(ip, 8) as i16 as i32) as u32 as u64;
        *p = acc;
        if C::t(acc as i32, B::i(ip, fp, acc)) { taken!(COUNT, ip.add(16), ip fp cs tk acc hot fa) }
        go!(ip.add(24), fp, cs, tk, acc, hot, fa)
    }
    jmp{const COUNT: bool}[ip fp cs tk acc hot fa] { taken!(COUNT, ip.add(16), ip fp cs tk acc hot fa) }
    /// Looks at the limit in long straight code: `[edge @8]`, to what follows.
    check[ip fp cs tk acc hot fa] { taken!(false, ip.add(8), ip fp cs tk acc hot fa) }
    /// `[a][count u32 @12][low i32 @16][..][edge @24 …]`, entry 0 is the default.
    tableswitch<A: Src>{const COUNT: bool}[ip fp cs tk acc hot fa] {
        let i = (A::i(ip, fp, acc).wrapping_sub(i32a(ip, 16))) as u32;
        let n = if i < u32a(ip, 12) { i as usize + 1 } else { 0 };
        let e = ip.add(24 + n * 8);
        taken!(COUNT, e, ip fp cs tk acc hot fa)
    }
    /// `[a][count u32 @12][default edge @16][{key i32, edge, 0} @24 …]`, keys ascending.
    lookupswitch<A: Src>{const COUNT: bool}[ip fp cs tk acc hot fa] {
        let v = A::i(ip, fp, acc);
        let (mut lo, mut hi) = (0usize, u32a(ip, 12) as usize);
        let mut e = ip.add(16);
        while lo < hi {
            let mid = (lo + hi) / 2;
            let m = ip.add(24 + mid * 16);
            let k = i32a(m, 0);
            if k == v { e = m.add(4); break; }
            if k < v { lo = mid + 1 } else { hi = mid }
        }
        taken!(COUNT, e, ip fp cs tk acc hot fa)
    }
}

/// A condition, numbered as in the opcodes `ifeq`…`ifle`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum C {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}
impl C {
    /// From the offset to `ifeq`, `if_icmpeq`….
    pub(crate) fn from(n: u8) -> C {
        [C::Eq, C::Ne, C::Lt, C::Ge, C::Gt, C::Le][n as usize]
    }
    /// With operands exchanged.
    pub(crate) fn swap(self) -> C {
        match self {
            C::Eq => C::Eq,
            C::Ne => C::Ne,
            C::Lt => C::Gt,
            C::Ge => C::Le,
            C::Gt => C::Lt,
            C::Le => C::Ge,
        }
    }
}

macro_rules! by_cond {
    ($c:expr, $m:ident $(, $x:tt)*) => {
        match $c {
            C::Eq => $m!(CEq $(, $x)*),
            C::Ne => $m!(CNe $(, $x)*),
            C::Lt => $m!(CLt $(, $x)*),
            C::Ge => $m!(CGe $(, $x)*),
            C::Gt => $m!(CGt $(, $x)*),
            C::Le => $m!(CLe $(, $x)*),
        }
    };
}
macro_rules! places {
    ($a:expr, $b:expr, $m:ident) => {
        match ($a, $b) {
            (K::S, K::S) => $m!(AS, BS),
            (K::S, K::I) => $m!(AS, IM),
            (K::S, K::A) => $m!(AS, AC),
            (K::A, K::S) => $m!(AC, BS),
            (K::A, K::I) => $m!(AC, IM),
            (K::A, K::A) => $m!(AC, AC),
            (K::I, _) => unreachable!("first operand is never an immediate"),
        }
    };
}
/// Int (or reference) compare and branch.
pub(crate) fn branch_int(count: bool, c: C, a: K, b: K) -> Handler {
    macro_rules! p {
        ($a:ty, $b:ty) => {{
            macro_rules! q {
                ($c:ty) => {{
                    if count {
                        jcc_i::<$c, $a, $b, true> as Handler
                    } else {
                        jcc_i::<$c, $a, $b, false>
                    }
                }};
            }
            by_cond!(c, q)
        }};
    }
    places!(a, b, p)
}
/// Long compare and branch.
pub(crate) fn branch_long(count: bool, c: C, a: K, b: K) -> Handler {
    macro_rules! p {
        ($a:ty, $b:ty) => {{
            macro_rules! q {
                ($c:ty) => {{
                    if count {
                        jcc_l::<$c, $a, $b, true> as Handler
                    } else {
                        jcc_l::<$c, $a, $b, false>
                    }
                }};
            }
            by_cond!(c, q)
        }};
    }
    places!(a, b, p)
}
/// Float or double compare and branch; `nan`: taken when an operand is NaN.
pub(crate) fn branch_float(count: bool, double: bool, c: C, nan: bool, a: K, b: K) -> Handler {
    macro_rules! p {
        ($a:ty, $b:ty) => {{
            macro_rules! q {
                ($c:ty) => {
                    match (double, nan, count) {
                        (true, true, true) => jcc_f::<$c, $a, $b, true, true, true> as Handler,
                        (true, true, false) => jcc_f::<$c, $a, $b, true, true, false> as Handler,
                        (true, false, true) => jcc_f::<$c, $a, $b, true, false, true> as Handler,
                        (true, false, false) => jcc_f::<$c, $a, $b, true, false, false> as Handler,
                        (false, true, true) => jcc_f::<$c, $a, $b, false, true, true> as Handler,
                        (false, true, false) => jcc_f::<$c, $a, $b, false, true, false> as Handler,
                        (false, false, true) => jcc_f::<$c, $a, $b, false, false, true> as Handler,
                        (false, false, false) => {
                            jcc_f::<$c, $a, $b, false, false, false> as Handler
                        }
                    }
                };
            }
            by_cond!(c, q)
        }};
    }
    places!(a, b, p)
}
/// Increment, compare and branch.
pub(crate) fn inc_branch(count: bool, c: C, b: K) -> Handler {
    macro_rules! q {
        ($c:ty) => {
            match (b == K::S, count) {
                (true, true) => inc_jcc::<$c, BS, true> as Handler,
                (true, false) => inc_jcc::<$c, BS, false> as Handler,
                (false, true) => inc_jcc::<$c, IM, true> as Handler,
                (false, false) => inc_jcc::<$c, IM, false> as Handler,
            }
        };
    }
    by_cond!(c, q)
}
/// Jump.
pub(crate) fn jump(count: bool) -> Handler {
    if count { jmp::<true> } else { jmp::<false> }
}
/// `tableswitch` or `lookupswitch` on a slot or the accumulator.
pub(crate) fn switch(count: bool, table: bool, slot: bool) -> Handler {
    match (table, slot, count) {
        (true, true, true) => tableswitch::<AS, true> as Handler,
        (true, true, false) => tableswitch::<AS, false>,
        (true, false, true) => tableswitch::<AC, true>,
        (true, false, false) => tableswitch::<AC, false>,
        (false, true, true) => lookupswitch::<AS, true>,
        (false, true, false) => lookupswitch::<AS, false>,
        (false, false, true) => lookupswitch::<AC, true>,
        (false, false, false) => lookupswitch::<AC, false>,
    }
}
