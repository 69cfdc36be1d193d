//! ChaCha20 (RFC 8439), sixteen blocks at once: a vector has one number of each block's state.

use super::chacha_avx2;
use std::arch::x86_64::*;

/// Blocks that are made at once.
const BLOCKS: usize = 16;

/// Fills bytes with the blocks from a state on, as long as there are whole groups; returns how many blocks that were.
pub fn keystream(state: &[u32; 16], to: &mut [u8]) -> Option<usize> {
    match is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has these instructions.
        true => Some(unsafe { groups(state, to) }),
        false => chacha_avx2::keystream(state, to),
    }
}

#[target_feature(enable = "avx512f")]
fn groups(state: &[u32; 16], to: &mut [u8]) -> usize {
    let mut done = 0;
    for group in to.chunks_exact_mut(64 * BLOCKS) {
        let mut begin = *state;
        begin[12] = begin[12].wrapping_add(done as u32);
        sixteen(&begin, group);
        done += BLOCKS;
    }
    done
}

#[inline]
#[target_feature(enable = "avx512f")]
fn quarter(v: &mut [__m512i; 16], a: usize, b: usize, c: usize, d: usize) {
    v[a] = _mm512_add_epi32(v[a], v[b]);
    v[d] = _mm512_rol_epi32::<16>(_mm512_xor_si512(v[d], v[a]));
    v[c] = _mm512_add_epi32(v[c], v[d]);
    v[b] = _mm512_rol_epi32::<12>(_mm512_xor_si512(v[b], v[c]));
    v[a] = _mm512_add_epi32(v[a], v[b]);
    v[d] = _mm512_rol_epi32::<8>(_mm512_xor_si512(v[d], v[a]));
    v[c] = _mm512_add_epi32(v[c], v[d]);
    v[b] = _mm512_rol_epi32::<7>(_mm512_xor_si512(v[b], v[c]));
}

#[target_feature(enable = "avx512f")]
fn sixteen(state: &[u32; 16], to: &mut [u8]) {
    let counters = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let mut begin = [_mm512_setzero_si512(); 16];
    for (v, &number) in begin.iter_mut().zip(state) {
        *v = _mm512_set1_epi32(number as i32);
    }
    begin[12] = _mm512_add_epi32(begin[12], counters);
    let mut v = begin;
    for _ in 0..10 {
        quarter(&mut v, 0, 4, 8, 12);
        quarter(&mut v, 1, 5, 9, 13);
        quarter(&mut v, 2, 6, 10, 14);
        quarter(&mut v, 3, 7, 11, 15);
        quarter(&mut v, 0, 5, 10, 15);
        quarter(&mut v, 1, 6, 11, 12);
        quarter(&mut v, 2, 7, 8, 13);
        quarter(&mut v, 3, 4, 9, 14);
    }
    for (v, begin) in v.iter_mut().zip(begin) {
        *v = _mm512_add_epi32(*v, begin);
    }
    // a vector of each block: first within fours of numbers, then among them
    let mut fours = v;
    for i in 0..4 {
        let [a, b, c, d] = [v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]];
        let (ab, cd) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
        let (ab2, cd2) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
        // of blocks 0, 4, 8 and 12; of those after them; and so on
        fours[4 * i] = _mm512_unpacklo_epi64(ab, cd);
        fours[4 * i + 1] = _mm512_unpackhi_epi64(ab, cd);
        fours[4 * i + 2] = _mm512_unpacklo_epi64(ab2, cd2);
        fours[4 * i + 3] = _mm512_unpackhi_epi64(ab2, cd2);
    }
    for i in 0..4 {
        let [a, b, c, d] = [fours[i], fours[4 + i], fours[8 + i], fours[12 + i]];
        let (low, low2) = (
            _mm512_shuffle_i32x4::<0x88>(a, b),
            _mm512_shuffle_i32x4::<0x88>(c, d),
        );
        let (high, high2) = (
            _mm512_shuffle_i32x4::<0xdd>(a, b),
            _mm512_shuffle_i32x4::<0xdd>(c, d),
        );
        for (block, v) in [
            (i, _mm512_shuffle_i32x4::<0x88>(low, low2)),
            (4 + i, _mm512_shuffle_i32x4::<0x88>(high, high2)),
            (8 + i, _mm512_shuffle_i32x4::<0xdd>(low, low2)),
            (12 + i, _mm512_shuffle_i32x4::<0xdd>(high, high2)),
        ] {
            let bytes = &mut to[64 * block..][..64];
            // SAFETY: there are 64 bytes; they need not be aligned.
            unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), v) };
        }
    }
}
