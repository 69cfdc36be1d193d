//! Handlers of branches and switches. A taken edge adds its tick difference; and looks at the limit. With
//! `COUNT` (profiles of basic blocks) it counts.

use super::code::*;
pub(crate) use super::condition::C;
use super::frame::Ip;
use super::insn::{
    Jump, LOOKUP_ENTRY, Layout, TABLE_ENTRY, branch, edge, inc_branch, jump, limit_check,
    lookup_entry, lookup_switch, table_switch, trace,
};
use super::path_hash::note;
use super::slow;
use crate::interp::Handler;
use rjvm_profiler::cct::ContextNode;

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
        $tk += edge::ticks.get(e) as i64;
        if $count {
            *ContextNode::counter((*$cs).node, edge::last.get(e) as u32) += 1;
        }
        let to = $ip.offset(edge::offset.get(e) as isize);
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
        if C::t(A::i(ip, fp, acc), B::i(ip, fp, acc)) { taken!(COUNT, branch::edge.address(ip), ip fp cs tk acc hot fa) }
        go!(ip.add(branch::BYTES), fp, cs, tk, acc, hot, fa)
    }
    jcc_l<C: Cond, A: Src, B: Src>{const COUNT: bool}[ip fp cs tk acc hot fa] {
        if C::t(A::l(ip, fp, acc), B::l(ip, fp, acc)) { taken!(COUNT, branch::edge.address(ip), ip fp cs tk acc hot fa) }
        go!(ip.add(branch::BYTES), fp, cs, tk, acc, hot, fa)
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
        if t { taken!(COUNT, branch::edge.address(ip), ip fp cs tk acc hot fa) }
        go!(ip.add(branch::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// `iinc`, then compare with `B` and branch.
    inc_jcc<C: Cond, B: Src>{const COUNT: bool}[ip fp cs tk acc hot fa] {
        let p = slot(fp, inc_branch::local.get(ip));
        acc = (*p as i32).wrapping_add(inc_branch::by.get(ip).into()) as u32 as u64;
        *p = acc;
        if C::t(acc as i32, B::i(ip, fp, acc)) { taken!(COUNT, inc_branch::edge.address(ip), ip fp cs tk acc hot fa) }
        go!(ip.add(inc_branch::BYTES), fp, cs, tk, acc, hot, fa)
    }
    jmp{const COUNT: bool}[ip fp cs tk acc hot fa] { taken!(COUNT, jump::edge.address(ip), ip fp cs tk acc hot fa) }
    /// Looks at the limit in long straight code.
    check[ip fp cs tk acc hot fa] { taken!(false, limit_check::edge.address(ip), ip fp cs tk acc hot fa) }
    /// Notes where the path of the program leads.
    trace[ip fp cs tk acc hot fa] {
        (*hot).path = note((*hot).path, trace::place.get(ip));
        go!(ip.add(trace::BYTES), fp, cs, tk, acc, hot, fa)
    }
    tableswitch<A: Src>{const COUNT: bool}[ip fp cs tk acc hot fa] {
        let i = (A::i(ip, fp, acc).wrapping_sub(table_switch::low.get(ip))) as u32;
        let n = if i < table_switch::count.get(ip) { i as usize + 1 } else { 0 };
        let e = ip.add(table_switch::BYTES + n * TABLE_ENTRY);
        taken!(COUNT, e, ip fp cs tk acc hot fa)
    }
    /// Keys ascend.
    lookupswitch<A: Src>{const COUNT: bool}[ip fp cs tk acc hot fa] {
        let v = A::i(ip, fp, acc);
        let (mut lo, mut hi) = (0usize, lookup_switch::count.get(ip) as usize);
        let mut e = lookup_switch::default.address(ip);
        while lo < hi {
            let mid = (lo + hi) / 2;
            let m = ip.add(lookup_switch::BYTES + mid * LOOKUP_ENTRY);
            let k = lookup_entry::key.get(m);
            if k == v { e = lookup_entry::edge.address(m); break; }
            if k < v { lo = mid + 1 } else { hi = mid }
        }
        taken!(COUNT, e, ip fp cs tk acc hot fa)
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
op! {
    /// Counts an edge to what the next instruction represents. The limit is looked at there, as without counts.
    count_edge[ip fp cs tk acc hot fa] {
        let e: Ip = jump::edge.address(ip);
        *ContextNode::counter((*cs).node, edge::last.get(e) as u32) += 1;
        go!(ip.add(Jump::BYTES), fp, cs, tk, acc, hot, fa)
    }
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
