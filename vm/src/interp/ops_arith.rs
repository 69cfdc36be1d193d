//! Handlers of arithmetic, conversions and moves, and the functions that pick them by operand places.

use super::code::*;
use super::insn::{constant, increment, moves, operation};
use super::slow;
use crate::interp::Handler;

macro_rules! binop {
    ($tr:ident, $t:ty: $($n:ident = |$a:ident, $b:ident| $e:expr;)*) => {
        pub(crate) trait $tr { fn f(a: $t, b: $t) -> $t; }
        $( pub(crate) struct $n; impl $tr for $n { #[inline(always)] fn f($a: $t, $b: $t) -> $t { $e } } )*
    };
}
binop! { OpI, i32:
    IAdd = |a, b| a.wrapping_add(b); ISub = |a, b| a.wrapping_sub(b); IMul = |a, b| a.wrapping_mul(b);
    IAnd = |a, b| a & b; IOr = |a, b| a | b; IXor = |a, b| a ^ b;
    IShl = |a, b| a.wrapping_shl(b as u32); IShr = |a, b| a.wrapping_shr(b as u32);
    IUshr = |a, b| (a as u32).wrapping_shr(b as u32) as i32;
}
binop! { OpL, i64:
    LAdd = |a, b| a.wrapping_add(b); LSub = |a, b| a.wrapping_sub(b); LMul = |a, b| a.wrapping_mul(b);
    LAnd = |a, b| a & b; LOr = |a, b| a | b; LXor = |a, b| a ^ b;
    LShl = |a, b| a.wrapping_shl(b as u32); LShr = |a, b| a.wrapping_shr(b as u32);
    LUshr = |a, b| (a as u64).wrapping_shr(b as u32) as i64;
}
binop! { OpF, f32: FAdd = |a, b| a + b; FSub = |a, b| a - b; FMul = |a, b| a * b; FDiv = |a, b| a / b; FRem = |a, b| a % b; }
binop! { OpD, f64: DAdd = |a, b| a + b; DSub = |a, b| a - b; DMul = |a, b| a * b; DDiv = |a, b| a / b; DRem = |a, b| a % b; }

op! {
    bini<O: OpI, A: Src, B: Src, D: Dst>[ip fp cs tk acc hot fa] {
        acc = O::f(A::i(ip, fp, acc), B::i(ip, fp, acc)) as u32 as u64;
        D::put(ip, fp, acc);
        go!(ip.add(operation::BYTES), fp, cs, tk, acc, hot, fa)
    }
    binl<O: OpL, A: Src, B: Src, D: Dst>[ip fp cs tk acc hot fa] {
        acc = O::f(A::l(ip, fp, acc), B::l(ip, fp, acc)) as u64;
        D::put(ip, fp, acc);
        go!(ip.add(operation::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// Long shift: the count is an int.
    shl_l<O: OpL, A: Src, B: Src, D: Dst>[ip fp cs tk acc hot fa] {
        acc = O::f(A::l(ip, fp, acc), B::i(ip, fp, acc) as i64) as u64;
        D::put(ip, fp, acc);
        go!(ip.add(operation::BYTES), fp, cs, tk, acc, hot, fa)
    }
    binf<O: OpF, A: Src, B: Src, D: Dst>[ip fp cs tk acc hot fa] {
        fa = fbits(O::f(A::f(ip, fp, fa), B::f(ip, fp, fa)));
        D::put(ip, fp, fa.to_bits());
        go!(ip.add(operation::BYTES), fp, cs, tk, acc, hot, fa)
    }
    bind<O: OpD, A: Src, B: Src, D: Dst>[ip fp cs tk acc hot fa] {
        fa = O::f(A::d(ip, fp, fa), B::d(ip, fp, fa));
        D::put(ip, fp, fa.to_bits());
        go!(ip.add(operation::BYTES), fp, cs, tk, acc, hot, fa)
    }
    idiv<A: Src, B: Src, D: Dst>{const REM: bool}[ip fp cs tk acc hot fa] {
        let b = B::i(ip, fp, acc);
        if b == 0 { return slow::div_zero(ip, fp, cs, tk, acc, hot, fa) }
        let a = A::i(ip, fp, acc);
        acc = (if REM { a.wrapping_rem(b) } else { a.wrapping_div(b) }) as u32 as u64;
        D::put(ip, fp, acc);
        go!(ip.add(operation::BYTES), fp, cs, tk, acc, hot, fa)
    }
    ldiv<A: Src, B: Src, D: Dst>{const REM: bool}[ip fp cs tk acc hot fa] {
        let b = B::l(ip, fp, acc);
        if b == 0 { return slow::div_zero(ip, fp, cs, tk, acc, hot, fa) }
        let a = A::l(ip, fp, acc);
        acc = (if REM { a.wrapping_rem(b) } else { a.wrapping_div(b) }) as u64;
        D::put(ip, fp, acc);
        go!(ip.add(operation::BYTES), fp, cs, tk, acc, hot, fa)
    }
    un<O: Un, A: Src, D: Dst>[ip fp cs tk acc hot fa] {
        O::run(A::u(ip, fp, if O::FROM_F { fa.to_bits() } else { acc }), &mut acc, &mut fa);
        D::put(ip, fp, if O::TO_F { fa.to_bits() } else { acc });
        go!(ip.add(operation::BYTES), fp, cs, tk, acc, hot, fa)
    }
    lcmp<A: Src, B: Src, D: Dst>[ip fp cs tk acc hot fa] {
        acc = (A::l(ip, fp, acc).cmp(&B::l(ip, fp, acc))) as i32 as u32 as u64;
        D::put(ip, fp, acc);
        go!(ip.add(operation::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// fcmpl/fcmpg/dcmpl/dcmpg: `NAN` is the result when an operand is NaN.
    fcmp<A: Src, B: Src, D: Dst>{const DOUBLE: bool, const NAN: i32}[ip fp cs tk acc hot fa] {
        let o = if DOUBLE { A::d(ip, fp, fa).partial_cmp(&B::d(ip, fp, fa)) } else { A::f(ip, fp, fa).partial_cmp(&B::f(ip, fp, fa)) };
        acc = o.map_or(NAN, |o| o as i32) as u32 as u64;
        D::put(ip, fp, acc);
        go!(ip.add(operation::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// Copies a slot or the accumulator to a slot.
    mov<A: Src>[ip fp cs tk acc hot fa] {
        *slot(fp, operation::d.get(ip)) = A::u(ip, fp, acc);
        go!(ip.add(operation::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// Copies a slot to a slot, then another.
    mov2[ip fp cs tk acc hot fa] {
        *slot(fp, moves::to.get(ip)) = *slot(fp, moves::from.get(ip));
        *slot(fp, moves::to2.get(ip)) = *slot(fp, moves::from2.get(ip));
        go!(ip.add(moves::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// Copies a local to a slot, then adds to it.
    mov_iinc[ip fp cs tk acc hot fa] {
        let p = slot(fp, increment::from.get(ip));
        let old = *p;
        acc = (old as i32).wrapping_add(increment::by.get(ip)) as u32 as u64;
        *p = acc;
        *slot(fp, increment::to.get(ip)) = old;
        go!(ip.add(increment::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// Floating accumulator to a slot.
    movf[ip fp cs tk acc hot fa] {
        *slot(fp, operation::d.get(ip)) = fa.to_bits();
        go!(ip.add(operation::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// A 64-bit constant to a slot.
    movl[ip fp cs tk acc hot fa] {
        *slot(fp, constant::d.get(ip)) = constant::value.get(ip);
        go!(ip.add(constant::BYTES), fp, cs, tk, acc, hot, fa)
    }
    /// A root cell's reference.
    ldcell<D: Dst>[ip fp cs tk acc hot fa] {
        acc = *((hot as *const u8).add(constant::cell.get(ip) as usize) as *const u32) as u64;
        D::put(ip, fp, acc);
        go!(ip.add(constant::BYTES), fp, cs, tk, acc, hot, fa)
    }
    iinc[ip fp cs tk acc hot fa] {
        let p = slot(fp, increment::to.get(ip));
        acc = (*p as i32).wrapping_add(increment::by.get(ip)) as u32 as u64;
        *p = acc;
        go!(ip.add(increment::BYTES), fp, cs, tk, acc, hot, fa)
    }
}

/// A unary operation or conversion.
pub(crate) trait Un {
    /// Reads the floating accumulator (when the operand is there).
    const FROM_F: bool;
    /// Writes the floating accumulator.
    const TO_F: bool;
    fn run(v: u64, acc: &mut u64, fa: &mut f64);
}
macro_rules! un {
    ($($n:ident $from:literal $to:literal |$v:ident| $e:expr;)*) => { $(
        pub(crate) struct $n;
        impl Un for $n {
            const FROM_F: bool = $from;
            const TO_F: bool = $to;
            #[inline(always)]
            #[allow(unused_variables, reason = "a row writes one of the two accumulators")]
            fn run($v: u64, acc: &mut u64, fa: &mut f64) {
                let r: u64 = $e;
                if $to { *fa = f64::from_bits(r) } else { *acc = r }
            }
        }
    )* };
}
#[inline(always)]
fn f(v: u64) -> f32 {
    f32::from_bits(v as u32)
}
un! {
    INeg false false |v| (v as i32).wrapping_neg() as u32 as u64;
    LNeg false false |v| (v as i64).wrapping_neg() as u64;
    FNeg true true |v| (-f(v)).to_bits() as u64;
    DNeg true true |v| (-f64::from_bits(v)).to_bits();
    I2L false false |v| v as i32 as i64 as u64;
    I2F false true |v| (v as i32 as f32).to_bits() as u64;
    I2D false true |v| (v as i32 as f64).to_bits();
    L2I false false |v| v as u32 as u64;
    L2F false true |v| (v as i64 as f32).to_bits() as u64;
    L2D false true |v| (v as i64 as f64).to_bits();
    F2I true false |v| f(v) as i32 as u32 as u64;
    F2L true false |v| f(v) as i64 as u64;
    F2D true true |v| (f(v) as f64).to_bits();
    D2I true false |v| f64::from_bits(v) as i32 as u32 as u64;
    D2L true false |v| f64::from_bits(v) as i64 as u64;
    D2F true true |v| (f64::from_bits(v) as f32).to_bits() as u64;
    I2B false false |v| v as i8 as i32 as u32 as u64;
    I2C false false |v| v as u16 as u64;
    I2S false false |v| v as i16 as i32 as u32 as u64;
    LLow false false |v| v as u32 as u64;
}

/// Picks the destination variant.
macro_rules! pick_d {
    ($d:expr, $f:ident [$($g:tt)*] {$($c:tt)*}) => { if $d { $f::<$($g)* DS, $($c)*> as Handler } else { $f::<$($g)* DA, $($c)*> as Handler } };
}
/// Picks operand places of a two-operand handler.
macro_rules! pick_ab {
    ($a:expr, $b:expr, $d:expr, $f:ident [$($g:tt)*] {$($c:tt)*}) => {
        match ($a, $b) {
            (K::S, K::S) => pick_d!($d, $f [$($g)* AS, BS,] {$($c)*}),
            (K::S, K::I) => pick_d!($d, $f [$($g)* AS, IM,] {$($c)*}),
            (K::S, K::A) => pick_d!($d, $f [$($g)* AS, AC,] {$($c)*}),
            (K::A, K::S) => pick_d!($d, $f [$($g)* AC, BS,] {$($c)*}),
            (K::A, K::I) => pick_d!($d, $f [$($g)* AC, IM,] {$($c)*}),
            (K::A, K::A) => pick_d!($d, $f [$($g)* AC, AC,] {$($c)*}),
            (K::I, _) => unreachable!("the array, or first value, is no immediate"),
        }
    };
}
/// The same where the first operand may be an immediate; the second then takes its field.
macro_rules! pick_iab {
    ($a:expr, $b:expr, $d:expr, $f:ident [$($g:tt)*] {$($c:tt)*}) => {
        match ($a, $b) {
            (K::I, K::S) => pick_d!($d, $f [$($g)* IM, AS,] {$($c)*}),
            (K::I, K::A) => pick_d!($d, $f [$($g)* IM, AC,] {$($c)*}),
            _ => pick_ab!($a, $b, $d, $f [$($g)*] {$($c)*}),
        }
    };
}
pub(crate) use {pick_ab, pick_d};

/// Handler of a move to a slot.
pub(crate) fn mov_handler(a: K) -> Handler {
    match a {
        K::S => mov::<AS>,
        K::A => mov::<AC>,
        K::I => mov::<IM>,
    }
}
/// Handler of a root cell's reference, into a slot or the accumulator.
pub(crate) fn cell(slot: bool) -> Handler {
    if slot { ldcell::<DS> } else { ldcell::<DA> }
}
/// Handler of an operation on two operands.
pub(crate) fn binary(op: u8, a: K, b: K, d: bool) -> Handler {
    use rjvm_classfile::opcodes as o;
    match op {
        o::IADD => pick_iab!(a, b, d, bini [IAdd,] {}),
        o::ISUB => pick_iab!(a, b, d, bini [ISub,] {}),
        o::IMUL => pick_iab!(a, b, d, bini [IMul,] {}),
        o::IDIV => pick_iab!(a, b, d, idiv [] {false}),
        o::IREM => pick_iab!(a, b, d, idiv [] {true}),
        o::IAND => pick_iab!(a, b, d, bini [IAnd,] {}),
        o::IOR => pick_iab!(a, b, d, bini [IOr,] {}),
        o::IXOR => pick_iab!(a, b, d, bini [IXor,] {}),
        o::ISHL => pick_iab!(a, b, d, bini [IShl,] {}),
        o::ISHR => pick_iab!(a, b, d, bini [IShr,] {}),
        o::IUSHR => pick_iab!(a, b, d, bini [IUshr,] {}),
        o::LADD => pick_iab!(a, b, d, binl [LAdd,] {}),
        o::LSUB => pick_iab!(a, b, d, binl [LSub,] {}),
        o::LMUL => pick_iab!(a, b, d, binl [LMul,] {}),
        o::LDIV => pick_iab!(a, b, d, ldiv [] {false}),
        o::LREM => pick_iab!(a, b, d, ldiv [] {true}),
        o::LAND => pick_iab!(a, b, d, binl [LAnd,] {}),
        o::LOR => pick_iab!(a, b, d, binl [LOr,] {}),
        o::LXOR => pick_iab!(a, b, d, binl [LXor,] {}),
        o::LSHL => pick_iab!(a, b, d, shl_l [LShl,] {}),
        o::LSHR => pick_iab!(a, b, d, shl_l [LShr,] {}),
        o::LUSHR => pick_iab!(a, b, d, shl_l [LUshr,] {}),
        o::LCMP => pick_ab!(a, b, d, lcmp [] {}),
        o::FADD => pick_iab!(a, b, d, binf [FAdd,] {}),
        o::FSUB => pick_iab!(a, b, d, binf [FSub,] {}),
        o::FMUL => pick_iab!(a, b, d, binf [FMul,] {}),
        o::FDIV => pick_iab!(a, b, d, binf [FDiv,] {}),
        o::FREM => pick_iab!(a, b, d, binf [FRem,] {}),
        o::DADD => pick_iab!(a, b, d, bind [DAdd,] {}),
        o::DSUB => pick_iab!(a, b, d, bind [DSub,] {}),
        o::DMUL => pick_iab!(a, b, d, bind [DMul,] {}),
        o::DDIV => pick_iab!(a, b, d, bind [DDiv,] {}),
        o::DREM => pick_iab!(a, b, d, bind [DRem,] {}),
        o::FCMPL => pick_ab!(a, b, d, fcmp [] {false, -1}),
        o::FCMPG => pick_ab!(a, b, d, fcmp [] {false, 1}),
        o::DCMPL => pick_ab!(a, b, d, fcmp [] {true, -1}),
        o::DCMPG => pick_ab!(a, b, d, fcmp [] {true, 1}),
        _ => unreachable!("not a binary operation: {op}"),
    }
}

/// Not a bytecode: the lower half of a long, as `& 0xffffffffL` is translated.
pub(crate) const LLOW: u8 = 0xff;

/// Handler of a unary operation or conversion.
pub(crate) fn unary(op: u8, a: K, d: bool) -> Handler {
    use rjvm_classfile::opcodes as o;
    macro_rules! p {
        ($t:ty) => {
            match (a, d) {
                (K::S, true) => un::<$t, AS, DS> as Handler,
                (K::S, false) => un::<$t, AS, DA> as Handler,
                (_, true) => un::<$t, AC, DS> as Handler,
                (_, false) => un::<$t, AC, DA> as Handler,
            }
        };
    }
    match op {
        o::INEG => p!(INeg),
        o::LNEG => p!(LNeg),
        o::FNEG => p!(FNeg),
        o::DNEG => p!(DNeg),
        o::I2L => p!(I2L),
        o::I2F => p!(I2F),
        o::I2D => p!(I2D),
        o::L2I => p!(L2I),
        o::L2F => p!(L2F),
        o::L2D => p!(L2D),
        o::F2I => p!(F2I),
        o::F2L => p!(F2L),
        o::F2D => p!(F2D),
        o::D2I => p!(D2I),
        o::D2L => p!(D2L),
        o::D2F => p!(D2F),
        o::I2B => p!(I2B),
        o::I2C => p!(I2C),
        o::I2S => p!(I2S),
        LLOW => p!(LLow),
        _ => unreachable!("not a unary operation: {op}"),
    }
}
