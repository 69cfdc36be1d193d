//! The sum of GCM (NIST SP 800-38D) by multiplications without carries.
//!
//! With the bits of an element as a number, the highest the factor of x^0, a product of two numbers has the bits of the elements'
//! product, but one place further down. One of the factors is multiplied with x beforehand (RFC 8452, appendix A). What is
//! too long is reduced from below, 64 bits at a time.

use std::arch::x86_64::*;

/// Blocks whose products are added before they are reduced.
const AT_ONCE: usize = 8;

/// Multiplies the state and each block that is added with `by`, in turn.
pub fn ghash(state: &mut [u64; 2], by: [u64; 2], blocks: &[u8]) -> Option<()> {
    if !is_x86_feature_detected!("pclmulqdq") {
        return None;
    }
    // SAFETY: the processor has these instructions.
    unsafe { sum(state, by, blocks) };
    Some(())
}

/// A product that has not been reduced: four numbers, the lowest first.
type Long = [u64; 4];

#[inline]
#[target_feature(enable = "sse2")]
fn parts(v: __m128i) -> [u64; 2] {
    [
        _mm_cvtsi128_si64(v) as u64,
        _mm_cvtsi128_si64(_mm_unpackhi_epi64(v, v)) as u64,
    ]
}
#[inline]
#[target_feature(enable = "sse2")]
fn vector(v: u128) -> __m128i {
    _mm_set_epi64x((v >> 64) as i64, v as i64)
}
/// The lower, middle and upper parts of a product.
#[inline]
#[target_feature(enable = "pclmulqdq,sse2")]
fn product(a: __m128i, b: __m128i) -> [__m128i; 3] {
    let middle = _mm_xor_si128(
        _mm_clmulepi64_si128(a, b, 0x01),
        _mm_clmulepi64_si128(a, b, 0x10),
    );
    let low = _mm_clmulepi64_si128(a, b, 0x00);
    [low, middle, _mm_clmulepi64_si128(a, b, 0x11)]
}
#[inline]
#[target_feature(enable = "sse2")]
fn joined([low, middle, high]: [__m128i; 3]) -> Long {
    let ([a, b], [m, n], [c, d]) = (parts(low), parts(middle), parts(high));
    [a, b ^ m, c ^ n, d]
}
fn reduced([a, b, c, d]: Long) -> u128 {
    let c = c ^ a ^ a >> 1 ^ a >> 2 ^ a >> 7;
    let b = b ^ a << 63 ^ a << 62 ^ a << 57;
    let d = d ^ b ^ b >> 1 ^ b >> 2 ^ b >> 7;
    let c = c ^ b << 63 ^ b << 62 ^ b << 57;
    u128::from(d) << 64 | u128::from(c)
}

#[target_feature(enable = "pclmulqdq,sse2")]
fn sum(state: &mut [u64; 2], by: [u64; 2], blocks: &[u8]) {
    let element = |v: [u64; 2]| u128::from(v[0]) << 64 | u128::from(v[1]);
    let by = element(by);
    let by = (by << 1) ^ ((by >> 127) * 0xc200_0000_0000_0000_0000_0000_0000_0001);
    // its powers, the highest first: the first block is multiplied most often
    let mut powers = [vector(by); AT_ONCE];
    let mut power = by;
    if blocks.len() >= 16 * AT_ONCE {
        for to in powers[..AT_ONCE - 1].iter_mut().rev() {
            power = reduced(joined(product(vector(power), vector(by))));
            *to = vector(power);
        }
    }
    let mut y = element(*state);
    let block = |b: &[u8]| u128::from_be_bytes(*b.first_chunk().expect("a block"));
    let whole = blocks.chunks_exact(16 * AT_ONCE);
    let rest = whole.remainder();
    for blocks in whole {
        let mut sums = [_mm_setzero_si128(); 3];
        for (b, power) in blocks.chunks_exact(16).zip(powers) {
            let product = product(vector(block(b) ^ y), power);
            y = 0;
            for (sum, part) in sums.iter_mut().zip(product) {
                *sum = _mm_xor_si128(*sum, part);
            }
        }
        y = reduced(joined(sums));
    }
    for b in rest.chunks_exact(16) {
        y = reduced(joined(product(vector(block(b) ^ y), vector(by))));
    }
    *state = [(y >> 64) as u64, y as u64];
}
