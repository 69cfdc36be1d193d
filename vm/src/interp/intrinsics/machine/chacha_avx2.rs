//! ChaCha20 (RFC 8439), eight blocks at once: a vector has one number of each block's state.

use std::arch::x86_64::*;

/// Blocks that are made at once.
const BLOCKS: usize = 8;

/// Does what `super::keystream` does.
pub fn keystream(state: &[u32; 16], to: &mut [u8]) -> Option<usize> {
    // SAFETY: the processor has these instructions.
    is_x86_feature_detected!("avx2").then(|| unsafe { groups(state, to) })
}

#[target_feature(enable = "avx2")]
fn groups(state: &[u32; 16], to: &mut [u8]) -> usize {
    let mut done = 0;
    for group in to.chunks_exact_mut(64 * BLOCKS) {
        let mut begin = *state;
        begin[12] = begin[12].wrapping_add(done as u32);
        eight(&begin, group);
        done += BLOCKS;
    }
    done
}

/// Numbers rotated by 16 bits, or by 8: their bytes change places.
#[inline]
#[target_feature(enable = "avx2")]
fn rotated_16(v: __m256i) -> __m256i {
    let places = _mm_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(places))
}
#[inline]
#[target_feature(enable = "avx2")]
fn rotated_8(v: __m256i) -> __m256i {
    let places = _mm_setr_epi8(3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14);
    _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(places))
}

#[inline]
#[target_feature(enable = "avx2")]
fn quarter(v: &mut [__m256i; 16], a: usize, b: usize, c: usize, d: usize) {
    v[a] = _mm256_add_epi32(v[a], v[b]);
    v[d] = rotated_16(_mm256_xor_si256(v[d], v[a]));
    v[c] = _mm256_add_epi32(v[c], v[d]);
    v[b] = _mm256_xor_si256(v[b], v[c]);
    v[b] = _mm256_or_si256(_mm256_slli_epi32::<12>(v[b]), _mm256_srli_epi32::<20>(v[b]));
    v[a] = _mm256_add_epi32(v[a], v[b]);
    v[d] = rotated_8(_mm256_xor_si256(v[d], v[a]));
    v[c] = _mm256_add_epi32(v[c], v[d]);
    v[b] = _mm256_xor_si256(v[b], v[c]);
    v[b] = _mm256_or_si256(_mm256_slli_epi32::<7>(v[b]), _mm256_srli_epi32::<25>(v[b]));
}

#[target_feature(enable = "avx2")]
fn eight(state: &[u32; 16], to: &mut [u8]) {
    let counters = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    let mut begin = [_mm256_setzero_si256(); 16];
    for (v, &number) in begin.iter_mut().zip(state) {
        *v = _mm256_set1_epi32(number as i32);
    }
    begin[12] = _mm256_add_epi32(begin[12], counters);
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
        *v = _mm256_add_epi32(*v, begin);
    }
    // two vectors of each block: first within fours of numbers, then among them
    let mut fours = v;
    for i in 0..4 {
        let [a, b, c, d] = [v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]];
        let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
        let (ab2, cd2) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
        // of blocks 0 and 4; of those after them; and so on
        fours[4 * i] = _mm256_unpacklo_epi64(ab, cd);
        fours[4 * i + 1] = _mm256_unpackhi_epi64(ab, cd);
        fours[4 * i + 2] = _mm256_unpacklo_epi64(ab2, cd2);
        fours[4 * i + 3] = _mm256_unpackhi_epi64(ab2, cd2);
    }
    for i in 0..4 {
        let [a, b, c, d] = [fours[i], fours[4 + i], fours[8 + i], fours[12 + i]];
        for (block, first, second) in [
            (
                i,
                _mm256_permute2x128_si256::<0x20>(a, b),
                _mm256_permute2x128_si256::<0x20>(c, d),
            ),
            (
                4 + i,
                _mm256_permute2x128_si256::<0x31>(a, b),
                _mm256_permute2x128_si256::<0x31>(c, d),
            ),
        ] {
            let (low, high) = to[64 * block..][..64].split_at_mut(32);
            // SAFETY: there are 32 bytes in each; they need not be aligned.
            unsafe {
                _mm256_storeu_si256(low.as_mut_ptr().cast(), first);
                _mm256_storeu_si256(high.as_mut_ptr().cast(), second);
            }
        }
    }
}
