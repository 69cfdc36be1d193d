//! Handlers of branches and switches. A taken edge adds its tick difference; and looks at the limit.
//!
//! Branch: `[a][b][off i32 @16, relative to the instruction][ticks i32 @20]`, 24 bytes.

use super::code::*;
use super::slow;

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
    ($ip:ident $fp:ident $cs:ident $tk:ident $acc:ident $hot:ident $fa:ident) => {{
        $tk += i32a($ip, 20) as i64;
        let to = $ip.offset(i32a($ip, 16) as isize);
        if $tk >= (*$hot).limit {
            return slow::trap(to, $fp, $cs, $tk, $acc, $hot, $fa);
        }
        go!(to, $fp, $cs, $tk, $acc, $hot, $fa)
    }};
}

op! {
    jcc_i<C: Cond, A: Src, B: Src>[ip fp cs tk acc hot fa] {
        if C::t(A::i(ip, fp, acc), B::i(ip, fp, acc)) { taken!(ip fp cs tk acc hot fa) }
        go!(ip.add(24), fp, cs, tk, acc, hot, fa)
    }
    jcc_l<C: Cond, A: Src, B: Src>[ip fp cs tk acc hot fa] {
        if C::t(A::l(ip, fp, acc), B::l(ip, fp, acc)) { taken!(ip fp cs tk acc hot fa) }
        go!(ip.add(24), fp, cs, tk, acc, hot, fa)
    }
    /// Fused fcmpX/dcmpX and if: `NAN` says whether the branch is taken when an operand is NaN.
    jcc_f<C: Cond, A: Src, B: Src>{const DOUBLE: bool, const NAN: bool}[ip fp cs tk acc hot fa] {
        let t = if DOUBLE {
            let (a, b) = (A::d(ip, fp, fa), B::d(ip, fp, fa));
            C::t(a, b) || (NAN && (a.is_nan() || b.is_nan()))
        } else {
            let (a, b) = (A::f(ip, fp, fa), B::f(ip, fp, fa));
            C::t(a, b) || (NAN && (a.is_nan() || b.is_nan()))
        };
        if t { taken!(ip fp cs tk acc hot fa) }
        go!(ip.add(24), fp, cs, tk, acc, hot, fa)
    }
    /// `iinc`, then compare and branch: `[d: local][inc i16 @8]`, comparand `B`.
    inc_jcc<C: Cond, B: Src>[ip fp cs tk acc hot fa] {
        let p = fp.add(u16a(ip, 10));
        acc = (*p as i32).wrapping_add(u16a(ip, 8) as i16 as i32) as u32 as u64;
        *p = acc;
        if C::t(acc as i32, B::i(ip, fp, acc)) { taken!(ip fp cs tk acc hot fa) }
        go!(ip.add(24), fp, cs, tk, acc, hot, fa)
    }
    jmp[ip fp cs tk acc hot fa] { taken!(ip fp cs tk acc hot fa) }
    /// Looks at the limit in long straight code; `@12` is what the ticks lag.
    check[ip fp cs tk acc hot fa] {
        tk += i32a(ip, 12) as i64;
        if tk >= (*hot).limit { return slow::trap(ip.add(16), fp, cs, tk, acc, hot, fa); }
        go!(ip.add(16), fp, cs, tk, acc, hot, fa)
    }
    /// `[a][count u32 @12][low i32 @16][..][{off, ticks} @24 …]`, entry 0 is the default.
    tableswitch<A: Src>[ip fp cs tk acc hot fa] {
        let i = (A::i(ip, fp, acc).wrapping_sub(i32a(ip, 16))) as u32;
        let n = if i < u32a(ip, 12) { i as usize + 1 } else { 0 };
        let e = ip.add(24 + n * 8);
        tk += i32a(e, 4) as i64;
        let to = ip.offset(i32a(e, 0) as isize);
        if tk >= (*hot).limit { return slow::trap(to, fp, cs, tk, acc, hot, fa); }
        go!(to, fp, cs, tk, acc, hot, fa)
    }
    /// `[a][count u32 @12][default off @16, ticks @20][{key, off, ticks, 0} @24 …]`, keys ascending.
    lookupswitch<A: Src>[ip fp cs tk acc hot fa] {
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
        tk += i32a(e, 4) as i64;
        let to = ip.offset(i32a(e, 0) as isize);
        if tk >= (*hot).limit { return slow::trap(to, fp, cs, tk, acc, hot, fa); }
        go!(to, fp, cs, tk, acc, hot, fa)
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
pub(crate) fn branch_int(c: C, a: K, b: K) -> Handler {
    macro_rules! p {
        ($a:ty, $b:ty) => {{
            macro_rules! q {
                ($c:ty) => {
                    jcc_i::<$c, $a, $b> as Handler
                };
            }
            by_cond!(c, q)
        }};
    }
    places!(a, b, p)
}
/// Long compare and branch.
pub(crate) fn branch_long(c: C, a: K, b: K) -> Handler {
    macro_rules! p {
        ($a:ty, $b:ty) => {{
            macro_rules! q {
                ($c:ty) => {
                    jcc_l::<$c, $a, $b> as Handler
                };
            }
            by_cond!(c, q)
        }};
    }
    places!(a, b, p)
}
/// Float or double compare and branch; `nan`: taken when an operand is NaN.
pub(crate) fn branch_float(double: bool, c: C, nan: bool, a: K, b: K) -> Handler {
    macro_rules! p {
        ($a:ty, $b:ty) => {{
            macro_rules! q {
                ($c:ty) => {
                    match (double, nan) {
                        (true, true) => jcc_f::<$c, $a, $b, true, true> as Handler,
                        (true, false) => jcc_f::<$c, $a, $b, true, false> as Handler,
                        (false, true) => jcc_f::<$c, $a, $b, false, true> as Handler,
                        (false, false) => jcc_f::<$c, $a, $b, false, false> as Handler,
                    }
                };
            }
            by_cond!(c, q)
        }};
    }
    places!(a, b, p)
}
/// Increment, compare and branch.
pub(crate) fn inc_branch(c: C, b: K) -> Handler {
    macro_rules! q {
        ($c:ty) => {
            if b == K::S {
                inc_jcc::<$c, BS> as Handler
            } else {
                inc_jcc::<$c, IM> as Handler
            }
        };
    }
    by_cond!(c, q)
}
