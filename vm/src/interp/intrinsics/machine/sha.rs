//! SHA-1 and SHA-256 (FIPS 180-4), and the permutation of SHA-3 (FIPS 202), by the processor's instructions.

use super::super::digests::{HALVES, permute};
use std::arch::x86_64::*;

/// Four numbers of a block, the first one lowest.
#[inline]
#[target_feature(enable = "sse2")]
fn four(block: &[u8], i: usize, of: fn([u8; 4]) -> u32) -> __m128i {
    let n = |j: usize| {
        let bytes = &block[16 * i + 4 * j..];
        of(*bytes.first_chunk().expect("4 bytes")) as i32
    };
    _mm_set_epi32(n(3), n(2), n(1), n(0))
}
/// The numbers in it, the lowest first.
#[inline]
#[target_feature(enable = "sse4.1")]
fn numbers(v: __m128i) -> [u32; 4] {
    [
        _mm_extract_epi32(v, 0) as u32,
        _mm_extract_epi32(v, 1) as u32,
        _mm_extract_epi32(v, 2) as u32,
        _mm_extract_epi32(v, 3) as u32,
    ]
}

/// Compresses whole blocks of 64 bytes.
pub fn sha256(state: &mut [u32; 8], blocks: &[u8]) -> Option<()> {
    if !(is_x86_feature_detected!("sha") && is_x86_feature_detected!("sse4.1")) {
        return None;
    }
    // SAFETY: the processor has these instructions.
    unsafe { compress256(state, blocks) };
    Some(())
}

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn compress256(state: &mut [u32; 8], blocks: &[u8]) {
    let k = |i: usize| {
        let at = |j: usize| HALVES[4 * i + j] as i32;
        _mm_set_epi32(at(3), at(2), at(1), at(0))
    };
    let s = state.map(|v| v as i32);
    // the instructions want the numbers in this order
    let mut abef = _mm_set_epi32(s[0], s[1], s[4], s[5]);
    let mut cdgh = _mm_set_epi32(s[2], s[3], s[6], s[7]);
    for block in blocks.chunks_exact(64) {
        let before = (abef, cdgh);
        let mut w = [
            four(block, 0, u32::from_be_bytes),
            four(block, 1, u32::from_be_bytes),
            four(block, 2, u32::from_be_bytes),
            four(block, 3, u32::from_be_bytes),
        ];
        for i in 0..16 {
            if i >= 4 {
                // w[t-16] + s0(w[t-15]), then + w[t-7], then + s1(w[t-2])
                let [a, b, c, d] = [w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]];
                let sum = _mm_add_epi32(_mm_sha256msg1_epu32(a, b), _mm_alignr_epi8(d, c, 4));
                w[i % 4] = _mm_sha256msg2_epu32(sum, d);
            }
            let wk = _mm_add_epi32(w[i % 4], k(i));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e));
        }
        abef = _mm_add_epi32(abef, before.0);
        cdgh = _mm_add_epi32(cdgh, before.1);
    }
    let ([f, e, b, a], [h, g, d, c]) = (numbers(abef), numbers(cdgh));
    *state = [a, b, c, d, e, f, g, h];
}

/// Compresses whole blocks of 64 bytes.
pub fn sha1(state: &mut [u32; 5], blocks: &[u8]) -> Option<()> {
    if !(is_x86_feature_detected!("sha") && is_x86_feature_detected!("sse4.1")) {
        return None;
    }
    // SAFETY: the processor has these instructions.
    unsafe { compress1(state, blocks) };
    Some(())
}

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn compress1(state: &mut [u32; 5], blocks: &[u8]) {
    let s = state.map(|v| v as i32);
    // the highest number comes first
    let mut abcd = _mm_set_epi32(s[0], s[1], s[2], s[3]);
    let mut e = _mm_set_epi32(s[4], 0, 0, 0);
    for block in blocks.chunks_exact(64) {
        let before = (abcd, e);
        let turned = |i: usize| _mm_shuffle_epi32(four(block, i, u32::from_be_bytes), 0x1b);
        let mut w = [turned(0), turned(1), turned(2), turned(3)];
        let mut last = abcd;
        for i in 0..20 {
            if i >= 4 {
                let [a, b, c, d] = [w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]];
                let sum = _mm_xor_si128(_mm_sha1msg1_epu32(a, b), c);
                w[i % 4] = _mm_sha1msg2_epu32(sum, d);
            }
            // the fifth number comes from what the first one was four steps ago
            let with_e = match i {
                0 => _mm_add_epi32(e, w[0]),
                _ => _mm_sha1nexte_epu32(last, w[i % 4]),
            };
            last = abcd;
            abcd = match i / 5 {
                0 => _mm_sha1rnds4_epu32(abcd, with_e, 0),
                1 => _mm_sha1rnds4_epu32(abcd, with_e, 1),
                2 => _mm_sha1rnds4_epu32(abcd, with_e, 2),
                _ => _mm_sha1rnds4_epu32(abcd, with_e, 3),
            };
        }
        e = _mm_sha1nexte_epu32(last, before.1);
        abcd = _mm_add_epi32(abcd, before.0);
    }
    let ([d, c, b, a], e) = (numbers(abcd), numbers(e)[3]);
    *state = [a, b, c, d, e];
}

/// The permutation of SHA-3, with one instruction for a rotation to another register, and one for "and not".
pub fn keccak(lanes: &mut [u64; 25]) -> Option<()> {
    if !(is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2")) {
        return None;
    }
    // SAFETY: the processor has these instructions.
    unsafe { permuted(lanes) };
    Some(())
}

#[target_feature(enable = "bmi1,bmi2")]
fn permuted(lanes: &mut [u64; 25]) {
    permute(lanes);
}
