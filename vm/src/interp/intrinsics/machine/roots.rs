//! Rounds of square roots, eight at once, and sums of products.

use std::arch::x86_64::*;

/// Does what `roots::borrows` does.
#[inline]
pub fn borrows(low: u32, rest: u32) -> Option<(u32, u32)> {
    // SAFETY: the processor has these instructions.
    is_x86_feature_detected!("avx2").then(|| unsafe { all_rounds(low, rest) })
}

#[target_feature(enable = "avx2")]
fn all_rounds(low: u32, rest: u32) -> (u32, u32) {
    let (low, rest) = (
        _mm256_set1_epi32(low as i32),
        _mm256_set1_epi32(rest as i32),
    );
    let (sign, last) = (_mm256_set1_epi32(i32::MIN), _mm256_set1_epi32(31));
    let none = _mm256_setzero_si256();
    let mut bits = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    let [mut borrows, mut same] = [none; 2];
    for _ in 0..4 {
        let step = _mm256_sllv_epi32(_mm256_set1_epi32(1), bits);
        // all ones where the bit is not found
        let lacks = _mm256_cmpeq_epi32(_mm256_and_si256(low, step), none);
        let twice = _mm256_add_epi32(step, step);
        // the bits before this one
        let before = _mm256_and_si256(low, _mm256_sub_epi32(none, twice));
        let square = _mm256_mullo_epi32(_mm256_srlv_epi32(before, bits), before);
        let left = _mm256_sllv_epi32(rest, _mm256_sub_epi32(last, bits));
        let left = _mm256_sub_epi32(left, square);
        let tried = _mm256_add_epi32(_mm256_add_epi32(before, before), step);
        // the comparison is of signed numbers
        let less = _mm256_cmpgt_epi32(_mm256_xor_si256(tried, sign), _mm256_xor_si256(left, sign));
        // all ones are -1
        borrows = _mm256_sub_epi32(borrows, _mm256_andnot_si256(lacks, less));
        let equal = _mm256_cmpeq_epi32(left, tried);
        same = _mm256_sub_epi32(same, _mm256_andnot_si256(lacks, equal));
        bits = _mm256_add_epi32(bits, _mm256_set1_epi32(8));
    }
    (sum(borrows), sum(same))
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum(v: __m256i) -> u32 {
    let v = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
    sum_of_four(v) as u32
}

#[inline]
#[target_feature(enable = "sse2")]
fn sum_of_four(v: __m128i) -> i32 {
    let v = _mm_add_epi32(v, _mm_shuffle_epi32::<0b01_00_11_10>(v));
    let v = _mm_add_epi32(v, _mm_shuffle_epi32::<0b10_11_00_01>(v));
    _mm_cvtsi128_si32(v)
}

/// The sum of the products of numbers at the same places, modulo 2^32.
#[inline]
pub fn sum_of_products(a: &[i16; 16], b: &[i16; 16]) -> Option<i32> {
    // SAFETY: all processors of this kind have these instructions.
    Some(unsafe { products(a, b) })
}

#[inline]
#[target_feature(enable = "sse2")]
fn products(a: &[i16; 16], b: &[i16; 16]) -> i32 {
    // SAFETY: each array has two vectors, which need no alignment.
    let [a, b] = [a, b].map(|v| unsafe {
        let v = v.as_ptr().cast::<__m128i>();
        [_mm_loadu_si128(v), _mm_loadu_si128(v.add(1))]
    });
    sum_of_four(_mm_add_epi32(
        _mm_madd_epi16(a[0], b[0]),
        _mm_madd_epi16(a[1], b[1]),
    ))
}
