//! Sums of 32 bits (CRCs) by multiplications without carries, four in an instruction.
//!
//! The lowest bit of a number is the highest power of x. A block of 16 bytes times a power of x, modulo the polynomial, can be
//! added to a later block instead of it: so a long message becomes a short one with the same sum. A product of two numbers
//! is one place too low, so that the powers here are one less.

use std::arch::x86_64::*;

/// Vectors that are under way at once, and their bytes.
const AT_ONCE: usize = 8;
const GROUP: usize = 64 * AT_ONCE;

/// What the halves of a block are multiplied with, to be added so many bits later.
type Factors = [u64; 2];

/// A polynomial's factors: for the next group, and for the next vector.
pub struct FoldingFactors {
    group: Factors,
    vector: Factors,
}

const fn folding(polynomial: u32) -> FoldingFactors {
    FoldingFactors {
        group: factors(polynomial, 8 * GROUP),
        vector: factors(polynomial, 512),
    }
}
const fn factors(polynomial: u32, bits: usize) -> Factors {
    [power(polynomial, bits + 63), power(polynomial, bits - 1)]
}
/// A power of x modulo the polynomial.
const fn power(polynomial: u32, n: usize) -> u64 {
    let (mut v, mut i) = (1_u32 << 31, 0);
    while i < n {
        v = (v >> 1) ^ ((v & 1) * polynomial);
        i += 1;
    }
    (v as u64) << 32
}

/// zlib's polynomial, and Castagnoli's.
pub static CRC32: FoldingFactors = folding(0xedb8_8320);
pub static CRC32C: FoldingFactors = folding(0x82f6_3b78);

/// A block and the rest of `bytes`: these have the same sum after 0 as all of them after `sum`. None if it is not worth it.
pub fn fold<'a>(by: &FoldingFactors, sum: u32, bytes: &'a [u8]) -> Option<([u8; 64], &'a [u8])> {
    let wide = is_x86_feature_detected!("vpclmulqdq") && is_x86_feature_detected!("avx512f");
    if bytes.len() < 2 * GROUP || !wide {
        return None;
    }
    let (groups, rest) = bytes.split_at(bytes.len() / GROUP * GROUP);
    // SAFETY: the processor has these instructions.
    Some((unsafe { folded(by, sum, groups) }, rest))
}

/// Moves a vector to a later place, and adds the vector there.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f")]
fn moved(v: __m512i, by: __m512i, to: __m512i) -> __m512i {
    let low = _mm512_clmulepi64_epi128::<0x00>(v, by);
    let high = _mm512_clmulepi64_epi128::<0x11>(v, by);
    _mm512_ternarylogic_epi64::<0x96>(low, high, to)
}

#[target_feature(enable = "vpclmulqdq,avx512f")]
fn folded(by: &FoldingFactors, sum: u32, bytes: &[u8]) -> [u8; 64] {
    let both = |f: Factors| _mm512_broadcast_i32x4(_mm_set_epi64x(f[1] as i64, f[0] as i64));
    let (group, vector) = (both(by.group), both(by.vector));
    let load = |bytes: &[u8]| {
        assert!(bytes.len() == 64, "a vector");
        // SAFETY: there are 64 bytes; they need not be aligned.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    };
    let mut sums = [_mm512_setzero_si512(); AT_ONCE];
    let mut is_first = true;
    for bytes in bytes.chunks_exact(GROUP) {
        for (v, bytes) in sums.iter_mut().zip(bytes.chunks_exact(64)) {
            *v = match is_first {
                true => load(bytes),
                false => moved(*v, group, load(bytes)),
            };
        }
        if is_first {
            let sum = _mm512_zextsi128_si512(_mm_cvtsi32_si128(sum as i32));
            sums[0] = _mm512_xor_si512(sums[0], sum);
            is_first = false;
        }
    }
    let [mut last, others @ ..] = sums;
    for next in others {
        last = moved(last, vector, next);
    }
    let mut block = [0; 64];
    // SAFETY: there are 64 bytes; they need not be aligned.
    unsafe { _mm512_storeu_si512(block.as_mut_ptr().cast(), last) };
    block
}
