//! Handlers of fields, arrays, type tests and allocation.

use super::code::*;
use super::frame::*;
use super::insn::{field, new, new_array, operation, plain, store, store_byte, type_test};
use super::slow;
use crate::classes::ClassHot;
use crate::heap::region::{CARD_SHIFT, CARD_SPAN};
use crate::heap::{ELEMS, LENGTH};
use crate::interp::Handler;
use rjvm_profiler::cct::ContextNode;

/// How a field or element type is read and written.
pub(crate) trait Ty {
    const SHIFT: usize;
    const FLOAT: bool = false;
    unsafe fn load(p: *const u8) -> u64;
    unsafe fn store(p: *mut u8, v: u64);
}
macro_rules! ty {
    ($($n:ident $shift:literal $float:literal $t:ty, |$v:ident| $ld:expr, |$w:ident| $st:expr;)*) => { $(
        pub(crate) struct $n;
        impl Ty for $n {
            const SHIFT: usize = $shift;
            const FLOAT: bool = $float;
            #[inline(always)]
            unsafe fn load(p: *const u8) -> u64 { let $v = *(p as *const $t); $ld }
            #[inline(always)]
            unsafe fn store(p: *mut u8, $w: u64) { *(p as *mut $t) = $st }
        }
    )* };
}
ty! {
    TZ 0 false u8, |v| v as u64, |w| w as u8 & 1;
    TB 0 false i8, |v| v as i32 as u32 as u64, |w| w as i8;
    TC 1 false u16, |v| v as u64, |w| w as u16;
    TS 1 false i16, |v| v as i32 as u32 as u64, |w| w as i16;
    TI 2 false u32, |v| v as u64, |w| w as u32;
    TJ 3 false u64, |v| v, |w| w;
    TF 2 true u32, |v| v as u64, |w| w as u32;
    TD 3 true u64, |v| v, |w| w;
}

/// Marks the card of an address of the region.
#[inline(always)]
unsafe fn card(hot: *mut Hot, p: *mut u8) {
    let off = p as usize - hot as usize;
    *(hot as *mut u8).sub(CARD_SPAN).add(off >> CARD_SHIFT) = 1;
}

macro_rules! result {
    ($t:ident, $d:ident, $v:expr, $ip:ident, $fp:ident, $acc:ident, $fa:ident) => {{
        let v = $v;
        if $t::FLOAT {
            $fa = f64::from_bits(v)
        } else {
            $acc = v
        }
        $d::put($ip, $fp, v);
    }};
}
macro_rules! value {
    ($t:ident, $v:ident, $ip:ident, $fp:ident, $acc:ident, $fa:ident) => {
        if $t::FLOAT {
            $v::u($ip, $fp, $fa.to_bits())
        } else {
            $v::u($ip, $fp, $acc)
        }
    };
}
macro_rules! check_index {
    ($r:ident, $i:ident, $ip:ident $fp:ident $cs:ident $tk:ident $acc:ident $hot:ident $fa:ident) => {
        if $r as u32 == 0 {
            return slow::npe($ip, $fp, $cs, $tk, $acc, $hot, $fa);
        }
        let len = *(obj($hot, $r, LENGTH as usize) as *const u32);
        if $i >= len {
            (*$hot).fault = [$i as i32 as u64, len as u64];
            return slow::index_oob($ip, $fp, $cs, $tk, $acc, $hot, $fa);
        }
    };
}

op! {
    getfield<T: Ty, A: Src, D: Dst>[ip fp cs tk acc hot fa] {
        let r = A::u(ip, fp, acc);
        if r as u32 == 0 { return slow::npe(ip, fp, cs, tk, acc, hot, fa); }
        result!(T, D, T::load(obj(hot, r, field::offset.get(ip) as usize)), ip, fp, acc, fa);
        go!(ip.add(field::BYTES), fp, cs, tk, acc, hot, fa)
    }
    putfield<T: Ty, V: Src>[ip fp cs tk acc hot fa] {
        let r = AS::u(ip, fp, acc);
        if r as u32 == 0 { return slow::npe(ip, fp, cs, tk, acc, hot, fa); }
        T::store(obj(hot, r, field::offset.get(ip) as usize), value!(T, V, ip, fp, acc, fa));
        go!(ip.add(field::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// Reference field, with the barrier.
    putfield_ref<V: Src>[ip fp cs tk acc hot fa] {
        let r = AS::u(ip, fp, acc);
        if r as u32 == 0 { return slow::npe(ip, fp, cs, tk, acc, hot, fa); }
        let p = obj(hot, r, field::offset.get(ip) as usize);
        *(p as *mut u32) = V::u(ip, fp, acc) as u32;
        card(hot, p);
        go!(ip.add(field::BYTES), fp, cs, tk, acc, hot, fa)
    }
    getstatic<T: Ty, D: Dst>[ip fp cs tk acc hot fa] {
        result!(T, D, T::load((hot as *const u8).add(field::offset.get(ip) as usize)), ip, fp, acc, fa);
        go!(ip.add(field::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// Statics are always scanned, so references need no barrier.
    putstatic<T: Ty, V: Src>[ip fp cs tk acc hot fa] {
        T::store((hot as *mut u8).add(field::offset.get(ip) as usize), value!(T, V, ip, fp, acc, fa));
        go!(ip.add(field::BYTES), fp, cs, tk, acc, hot, fa)
    }
    arraylength<A: Src, D: Dst>[ip fp cs tk acc hot fa] {
        let r = A::u(ip, fp, acc);
        if r as u32 == 0 { return slow::npe(ip, fp, cs, tk, acc, hot, fa); }
        acc = *(obj(hot, r, LENGTH as usize) as *const u32) as u64;
        D::put(ip, fp, acc);
        go!(ip.add(operation::BYTES), fp, cs, tk, acc, hot, fa)
    }
    aload<T: Ty, A: Src, B: Src, D: Dst>[ip fp cs tk acc hot fa] {
        let r = A::u(ip, fp, acc);
        let i = B::i(ip, fp, acc) as u32;
        check_index!(r, i, ip fp cs tk acc hot fa);
        result!(T, D, T::load(obj(hot, r, ELEMS).add((i as usize) << T::SHIFT)), ip, fp, acc, fa);
        go!(ip.add(operation::BYTES), fp, cs, tk, acc, hot, fa)
    }
    astore<T: Ty, B: Src, V: Src>[ip fp cs tk acc hot fa] {
        let r = AS::u(ip, fp, acc);
        let i = B::i(ip, fp, acc) as u32;
        check_index!(r, i, ip fp cs tk acc hot fa);
        T::store(obj(hot, r, ELEMS).add((i as usize) << T::SHIFT), value!(T, V, ip, fp, acc, fa));
        go!(ip.add(store::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// Elements of a `boolean[]` are 0 or 1.
    bastore<B: Src, V: Src>[ip fp cs tk acc hot fa] {
        let r = AS::u(ip, fp, acc);
        let i = B::i(ip, fp, acc) as u32;
        check_index!(r, i, ip fp cs tk acc hot fa);
        let is_bool = *(obj(hot, r, 0) as *const u32) == store_byte::booleans.get(ip);
        let v = V::u(ip, fp, acc) as u8;
        *obj(hot, r, ELEMS).add(i as usize) = if is_bool { v & 1 } else { v };
        go!(ip.add(store_byte::BYTES), fp, cs, tk, acc, hot, fa)
    }
    aastore<B: Src, V: Src>[ip fp cs tk acc hot fa] {
        let r = AS::u(ip, fp, acc);
        let i = B::i(ip, fp, acc) as u32;
        check_index!(r, i, ip fp cs tk acc hot fa);
        let v = V::u(ip, fp, acc);
        if v as u32 != 0 {
            let elem = (*class_of(hot, r)).elem.0;
            let vc = *(obj(hot, v, 0) as *const u32);
            if vc != elem && !fast_subtype(hot, vc, elem) {
                (*hot).fault[0] = v;
                return slow::aastore(ip, fp, cs, tk, acc, hot, fa);
            }
        }
        let p = obj(hot, r, ELEMS).add((i as usize) << 2);
        *(p as *mut u32) = v as u32;
        card(hot, p);
        go!(ip.add(store::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// 1 or 0.
    instanceof<A: Src, D: Dst>[ip fp cs tk acc hot fa] {
        let r = A::u(ip, fp, acc);
        let c = type_test::class.get(ip);
        if r as u32 == 0 {
            acc = 0;
        } else {
            let rc = *(obj(hot, r, 0) as *const u32);
            if rc == c || fast_subtype(hot, rc, c) {
                acc = 1;
            } else if fast_not(hot, c) {
                acc = 0;
            } else {
                save!(ip fp cs tk acc hot fa);
                acc = slow::is_subtype(hot, rc, c) as u64;
            }
        }
        D::put(ip, fp, acc);
        go!(ip.add(type_test::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// Leaves the operand where it is.
    checkcast<A: Src>[ip fp cs tk acc hot fa] {
        let r = A::u(ip, fp, acc);
        if r as u32 != 0 {
            let c = type_test::class.get(ip);
            let rc = *(obj(hot, r, 0) as *const u32);
            if rc != c && !fast_subtype(hot, rc, c) {
                save!(ip fp cs tk acc hot fa);
                if !slow::is_subtype(hot, rc, c) {
                    (*hot).fault = [rc as u64, c as u64];
                    return slow::class_cast(ip, fp, cs, tk, acc, hot, fa);
                }
            }
        }
        go!(ip.add(type_test::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// Before the return of `Object.<init>`: finalizable objects are registered (JLS 12.6).
    register_finalizer[ip fp cs tk acc hot fa] {
        if (*class_of(hot, *fp)).finalizable != 0 { return slow::register_finalizer(ip, fp, cs, tk, acc, hot, fa); }
        go!(ip.add(plain::BYTES), fp, cs, tk, acc, hot, fa)
    }
    new<D: Dst>{const ALLOC: u8}[ip fp cs tk acc hot fa] {
        let size = new::bytes.get(ip) as usize;
        let p = (*hot).bump;
        if ((*hot).bump_end as usize) - (p as usize) < size { return slow::new_object(ip, fp, cs, tk, acc, hot, fa); }
        (*hot).bump = p.add(size);
        let w = p as *mut u64;
        *w = new::class.get(ip) as u64;
        let mut i = 1;
        while i < size / 8 { *w.add(i) = 0; i += 1; }
        if ALLOC != 0 { count_allocation::<ALLOC>(hot, cs, size); }
        acc = (p as usize - hot as usize) as u64 >> 3;
        D::put(ip, fp, acc);
        go!(ip.add(new::BYTES), fp, cs, tk, acc, hot, fa)
    }
    newarray<A: Src, D: Dst>{const ALLOC: u8}[ip fp cs tk acc hot fa] {
        let n = A::u(ip, fp, acc) as u32;
        let size = (ELEMS + ((n as usize) << new_array::shift.get(ip)) + 7) & !7;
        let p = (*hot).bump;
        if n > 4096 || ((*hot).bump_end as usize) - (p as usize) < size {
            (*hot).fault[0] = n as u64;
            return slow::new_array(ip, fp, cs, tk, acc, hot, fa);
        }
        (*hot).bump = p.add(size);
        std::ptr::write_bytes(p as *mut u64, 0, size / 8);
        *(p as *mut u32) = new_array::class.get(ip);
        *(p.add(LENGTH as usize) as *mut u32) = n;
        if ALLOC != 0 { count_allocation::<ALLOC>(hot, cs, size); }
        acc = (p as usize - hot as usize) as u64 >> 3;
        D::put(ip, fp, acc);
        go!(ip.add(new_array::BYTES), fp, cs, tk, acc, hot, fa)
    }
}

/// Child slots that a node spends on allocations: objects, then bytes.
pub(crate) const ALLOCATION_SLOTS: u32 = 2;

/// What allocations count in: nothing.
pub(crate) const UNCOUNTED: u8 = 0;
/// In the context and for the thread's next sample.
pub(crate) const IN_CONTEXTS: u8 = 1;
/// For the thread's next sample only.
pub(crate) const IN_SAMPLES: u8 = 2;

/// Counts an allocation of the top frame.
#[inline(always)]
unsafe fn count_allocation<const ALLOC: u8>(hot: *mut Hot, cs: Cs, bytes: usize) {
    // SAFETY: `Hot` lies at the region's base; with allocations counted in contexts, every node has
    // these slots.
    unsafe {
        (*hot).allocated[0] += 1;
        (*hot).allocated[1] += bytes as u64;
        if ALLOC == IN_CONTEXTS {
            let node = (*cs).node;
            *ContextNode::counter(node, 0) += 1;
            *ContextNode::counter(node, 1) += bytes as u64;
        }
    }
}
/// `new` into a slot or the accumulator.
pub(crate) fn new_handler(alloc: u8, slot: bool) -> Handler {
    match (slot, alloc) {
        (true, UNCOUNTED) => new::<DS, UNCOUNTED> as Handler,
        (true, IN_CONTEXTS) => new::<DS, IN_CONTEXTS>,
        (true, _) => new::<DS, IN_SAMPLES>,
        (false, UNCOUNTED) => new::<DA, UNCOUNTED>,
        (false, IN_CONTEXTS) => new::<DA, IN_CONTEXTS>,
        (false, _) => new::<DA, IN_SAMPLES>,
    }
}
/// `newarray` with its length in a slot, into a slot or the accumulator.
pub(crate) fn newarray_handler(alloc: u8, slot: bool) -> Handler {
    match (slot, alloc) {
        (true, UNCOUNTED) => newarray::<AS, DS, UNCOUNTED> as Handler,
        (true, IN_CONTEXTS) => newarray::<AS, DS, IN_CONTEXTS>,
        (true, _) => newarray::<AS, DS, IN_SAMPLES>,
        (false, UNCOUNTED) => newarray::<AS, DA, UNCOUNTED>,
        (false, IN_CONTEXTS) => newarray::<AS, DA, IN_CONTEXTS>,
        (false, _) => newarray::<AS, DA, IN_SAMPLES>,
    }
}

/// Handler of checkcast.
pub(crate) fn check_cast(a: K) -> Handler {
    match a {
        K::S => checkcast::<AS>,
        _ => checkcast::<AC>,
    }
}
/// Handler of instanceof.
pub(crate) fn instance_of(a: K, d: bool) -> Handler {
    match (a, d) {
        (K::S, true) => instanceof::<AS, DS>,
        (K::S, false) => instanceof::<AS, DA>,
        (_, true) => instanceof::<AC, DS>,
        (_, false) => instanceof::<AC, DA>,
    }
}
/// Hot block of an object's class.
#[inline(always)]
pub(crate) unsafe fn class_of(hot: *mut Hot, r: u64) -> *mut ClassHot {
    let c = *(obj(hot, r, 0) as *const u32);
    obj(hot, c as u64, 0) as *mut ClassHot
}
/// Whether the display or the cache says that class `c` is a subtype of `t`; false means "ask".
#[inline(always)]
pub(crate) unsafe fn fast_subtype(hot: *mut Hot, c: u32, t: u32) -> bool {
    let ch = obj(hot, c as u64, 0) as *mut ClassHot;
    let th = obj(hot, t as u64, 0) as *mut ClassHot;
    let depth = (*th).depth as usize;
    (depth < crate::classes::class::DISPLAY && (*ch).display[depth].0 == t)
        || (*ch).secondary_cache.0 == t
}
/// Whether a failed [`fast_subtype`] is final for target `t`: a class (not interface, not array) within the display.
#[inline(always)]
unsafe fn fast_not(hot: *mut Hot, t: u32) -> bool {
    let th = obj(hot, t as u64, 0) as *mut ClassHot;
    let depth = (*th).depth as usize;
    depth < crate::classes::class::DISPLAY
        && (*th).display[depth].0 == t
        && matches!((*th).kind, 0 | 4)
        && depth > 0
}

macro_rules! by_type {
    ($t:expr, $m:ident) => {
        match $t {
            b'Z' => $m!(TZ),
            b'B' => $m!(TB),
            b'C' => $m!(TC),
            b'S' => $m!(TS),
            b'J' => $m!(TJ),
            b'F' => $m!(TF),
            b'D' => $m!(TD),
            _ => $m!(TI),
        }
    };
}
/// Handler of getfield for a field of this descriptor character.
pub(crate) fn get_field(t: u8, a: K, d: bool) -> Handler {
    macro_rules! p {
        ($t:ty) => {
            match (a, d) {
                (K::S, true) => getfield::<$t, AS, DS> as Handler,
                (K::S, false) => getfield::<$t, AS, DA> as Handler,
                (_, true) => getfield::<$t, AC, DS> as Handler,
                (_, false) => getfield::<$t, AC, DA> as Handler,
            }
        };
    }
    by_type!(t, p)
}
/// Picks the place of a stored value: slot or immediate `@10`, or the accumulator.
macro_rules! pick_value {
    ($v:expr, $f:ident [$($g:ty),*]) => {
        match $v {
            K::S => $f::<$($g,)* DV> as Handler,
            K::I => $f::<$($g,)* DI> as Handler,
            K::A => $f::<$($g,)* AC> as Handler,
        }
    };
}
/// Handler of putfield; the object is in a slot.
pub(crate) fn put_field(t: u8, v: K) -> Handler {
    if matches!(t, b'L' | b'[') {
        return pick_value!(v, putfield_ref []);
    }
    macro_rules! p {
        ($t:ty) => {
            pick_value!(v, putfield[$t])
        };
    }
    by_type!(t, p)
}
/// Handler of getstatic.
pub(crate) fn get_static(t: u8, d: bool) -> Handler {
    macro_rules! p {
        ($t:ty) => {
            if d {
                getstatic::<$t, DS> as Handler
            } else {
                getstatic::<$t, DA> as Handler
            }
        };
    }
    by_type!(t, p)
}
/// Handler of putstatic.
pub(crate) fn put_static(t: u8, v: K) -> Handler {
    macro_rules! p {
        ($t:ty) => {
            pick_value!(v, putstatic[$t])
        };
    }
    by_type!(t, p)
}
/// Handler of an array load; `t`: `Z`/`B`, `C`, `S`, `I`, `J`, `F`, `D`, `L`.
pub(crate) fn array_load(t: u8, a: K, b: K, d: bool) -> Handler {
    macro_rules! p {
        ($t:ty) => {
            super::ops_arith::pick_ab!(a, b, d, aload [$t,] {})
        };
    }
    use super::ops_arith::pick_d;
    by_type!(t, p)
}
/// Handler of an array store; array in a slot.
pub(crate) fn array_store(t: u8, b: K, v: K) -> Handler {
    macro_rules! q {
        ($f:ident [$($g:ty),*]) => {
            match b {
                K::S => pick_value!(v, $f [$($g,)* BS]),
                K::I => pick_value!(v, $f [$($g,)* IM]),
                K::A => pick_value!(v, $f [$($g,)* AC]),
            }
        };
    }
    macro_rules! p {
        ($t:ty) => {
            q!(astore[$t])
        };
    }
    match t {
        b'B' => q!(bastore []),
        b'L' => q!(aastore []),
        _ => by_type!(t, p),
    }
}
/// Handler of arraylength.
pub(crate) fn array_length(a: K, d: bool) -> Handler {
    match (a, d) {
        (K::S, true) => arraylength::<AS, DS>,
        (K::S, false) => arraylength::<AS, DA>,
        (_, true) => arraylength::<AC, DS>,
        (_, false) => arraylength::<AC, DA>,
    }
}
