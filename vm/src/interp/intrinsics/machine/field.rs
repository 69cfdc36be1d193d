//! The sum of GCM (NIST SP 800-38D) by multiplications without carries.
//!
//! With the bits of an element as a number, the highest the factor of x^0, a product of two numbers has the bits of the elements'
//! product, but one place further down. One of the factors is multiplied with x before (RFC 8452, appendix A). A product
//! that is too long is reduced from below, 64 bits at a time.

use std::arch::x86_64::*;

/// Blocks whose products are added before they are reduced.
const AT_ONCE: usize = 8;
/// The same where one instruction takes four blocks.
const WIDE_AT_ONCE: usize = 16;
/// Their bytes.
const WIDE: usize = 16 * WIDE_AT_ONCE;

/// Multiplies the state and each block that is added with `by`, in turn.
pub fn ghash(state: &mut [u64; 2], by: [u64; 2], blocks: &[u8]) -> Option<()> {
    if !is_x86_feature_detected!("pclmulqdq") {
        return None;
    }
    let wide = is_x86_feature_detected!("vpclmulqdq")
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw");
    let mut rest = blocks;
    if wide && blocks.len() >= WIDE {
        let (whole, last) = blocks.split_at(blocks.len() / WIDE * WIDE);
        // SAFETY: the processor has these instructions.
        unsafe { sum_wide(state, by, whole) };
        rest = last;
    }
    if !rest.is_empty() {
        // SAFETY: the processor has these instructions.
        unsafe { sum(state, by, rest) };
    }
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

/// An element, its higher half first, as a number.
fn element(v: [u64; 2]) -> u128 {
    u128::from(v[0]) << 64 | u128::from(v[1])
}
fn times_x(v: u128) -> u128 {
    (v << 1) ^ ((v >> 127) * 0xc200_0000_0000_0000_0000_0000_0000_0001)
}
/// The powers of a factor, the highest first: the first block is multiplied most often.
#[inline]
#[target_feature(enable = "pclmulqdq,sse2")]
fn powers<const N: usize>(by: u128) -> [u128; N] {
    let mut powers = [by; N];
    let mut power = by;
    for to in powers[..N - 1].iter_mut().rev() {
        power = reduced(joined(product(vector(power), vector(by))));
        *to = power;
    }
    powers
}

/// Whole groups, with four blocks in a vector.
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,pclmulqdq,sse2")]
fn sum_wide(state: &mut [u64; 2], by: [u64; 2], blocks: &[u8]) {
    let powers = powers::<WIDE_AT_ONCE>(times_x(element(by)));
    let mut vectors = [_mm512_setzero_si512(); WIDE_AT_ONCE / 4];
    for (to, four) in vectors.iter_mut().zip(powers.chunks_exact(4)) {
        // SAFETY: there are four numbers of 16 bytes; they need not be aligned.
        *to = unsafe { _mm512_loadu_si512(four.as_ptr().cast()) };
    }
    // the highest byte is the first one of a block
    let turned = _mm512_broadcast_i32x4(_mm_set_epi8(
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    ));
    let mut y = element(*state);
    for group in blocks.chunks_exact(WIDE) {
        let [mut low, mut middle, mut high] = [_mm512_setzero_si512(); 3];
        let mut first = _mm512_zextsi128_si512(vector(y));
        for (four, powers) in group.chunks_exact(64).zip(vectors) {
            // SAFETY: there are 64 bytes; they need not be aligned.
            let four = unsafe { _mm512_loadu_si512(four.as_ptr().cast()) };
            let four = _mm512_xor_si512(_mm512_shuffle_epi8(four, turned), first);
            first = _mm512_setzero_si512();
            low = _mm512_xor_si512(low, _mm512_clmulepi64_epi128::<0x00>(four, powers));
            high = _mm512_xor_si512(high, _mm512_clmulepi64_epi128::<0x11>(four, powers));
            let parts = (
                _mm512_clmulepi64_epi128::<0x01>(four, powers),
                _mm512_clmulepi64_epi128::<0x10>(four, powers),
            );
            middle = _mm512_xor_si512(middle, _mm512_xor_si512(parts.0, parts.1));
        }
        y = reduced(joined([folded(low), folded(middle), folded(high)]));
    }
    *state = [(y >> 64) as u64, y as u64];
}
/// The sum of the four numbers in a vector.
#[inline]
#[target_feature(enable = "avx512f")]
fn folded(v: __m512i) -> __m128i {
    let two = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v));
    _mm_xor_si128(
        _mm256_castsi256_si128(two),
        _mm256_extracti128_si256::<1>(two),
    )
}

#[target_feature(enable = "pclmulqdq,sse2")]
fn sum(state: &mut [u64; 2], by: [u64; 2], blocks: &[u8]) {
    let by = times_x(element(by));
    let powers = match blocks.len() >= 16 * AT_ONCE {
        true => powers::<AT_ONCE>(by).map(|p| vector(p)),
        false => [vector(by); AT_ONCE],
    };
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
