//! Base64 (RFC 4648) with vectors of 32 characters, for processors that look up 16 numbers at once.

use super::base64::{NUMBERED, PAIRS, QUARTETS};
use std::arch::x86_64::*;

/// Characters in a vector, and the bytes that they encode.
const CHARACTERS: usize = 32;
const BYTES: usize = 24;

/// Does what `super::encode_base64` does.
pub fn encode_base64(digits: &[u8; 64], from: &[u8], to: &mut [u8]) -> Option<usize> {
    // SAFETY: the processor has these instructions.
    is_x86_feature_detected!("avx2").then(|| unsafe { encode(digits, from, to) })
}

/// Does what `super::are_base64` does.
pub fn are_base64(values: &[u8; 128], from: &[u8]) -> Option<usize> {
    // SAFETY: the processor has these instructions.
    is_x86_feature_detected!("avx2").then(|| unsafe { looked_at(values, from) })
}

/// Does what `super::decode_base64` does.
pub fn decode_base64(values: &[u8; 128], from: &[u8], to: &mut [u8]) -> Option<usize> {
    // SAFETY: the processor has these instructions.
    is_x86_feature_detected!("avx2").then(|| unsafe { decode(values, from, to) })
}

#[inline]
#[target_feature(enable = "avx2")]
fn vector(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: there are 32 bytes; they need not be aligned.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}
#[inline]
#[target_feature(enable = "avx2")]
fn half(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: there are 16 bytes; they need not be aligned.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// A table in rows of 16 entries. Each row is combined with the one before it, by exclusive or.
#[inline]
#[target_feature(enable = "avx2")]
fn rows<const N: usize>(entries: &[u8]) -> [__m256i; N] {
    let mut rows = [_mm256_setzero_si256(); N];
    let mut before = _mm256_setzero_si256();
    for (row, entries) in rows.iter_mut().zip(entries.as_chunks().0) {
        let entries = _mm256_broadcastsi128_si256(half(entries));
        *row = _mm256_xor_si256(entries, before);
        before = entries;
    }
    rows
}

/// The entries of numbers in a table; 0 for numbers from 128 on.
#[inline]
#[target_feature(enable = "avx2")]
fn entries<const N: usize>(rows: &[__m256i; N], mut numbers: __m256i) -> __m256i {
    let mut found = _mm256_setzero_si256();
    for &row in rows {
        // rows up to the number's own cancel each other out, except for its entry; then it is negative, and finds 0
        found = _mm256_xor_si256(found, _mm256_shuffle_epi8(row, numbers));
        numbers = _mm256_subs_epi8(numbers, _mm256_set1_epi8(16));
    }
    found
}

/// Where the bytes of each number of 24 bits are, the lowest first. The halves of a vector have the first and the last 16 of 24 bytes.
const NUMBERS: [u8; 32] = {
    let mut to = [128; 32];
    let mut i = 0;
    while i < 32 {
        if i % 4 < 3 {
            to[i] = (i / 4 * 3 + 2 - i % 4 - i / 16 * 8) as u8;
        }
        i += 1;
    }
    to
};
/// Where the bytes of each number of 32 bits are, the highest first.
const REVERSED: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

#[target_feature(enable = "avx2")]
fn encode(digits: &[u8; 64], from: &[u8], to: &mut [u8]) -> usize {
    let (digits, numbers) = (rows::<4>(digits), vector(&NUMBERS));
    let reversed = _mm256_broadcastsi128_si256(half(&REVERSED));
    let (low_digit, high_digit) = (_mm256_set1_epi16(0x3f), _mm256_set1_epi16(0x3f00));
    let mut done = 0;
    for (from, to) in from
        .as_chunks::<BYTES>()
        .0
        .iter()
        .zip(to.as_chunks_mut::<CHARACTERS>().0)
    {
        let low = half(from.first_chunk().expect("24 bytes"));
        let high = half(from.last_chunk().expect("24 bytes"));
        // 24 bits become 12 and 12, and these 6 and 6
        let v = _mm256_shuffle_epi8(_mm256_set_m128i(high, low), numbers);
        let v = _mm256_blend_epi16::<0xaa>(v, _mm256_slli_epi32::<4>(v));
        let v = _mm256_or_si256(
            _mm256_and_si256(v, low_digit),
            _mm256_and_si256(_mm256_slli_epi16::<2>(v), high_digit),
        );
        let v = _mm256_shuffle_epi8(v, reversed);
        let characters = entries(&digits, v);
        // SAFETY: there are 32 bytes to write to; they need not be aligned.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), characters) };
        done += BYTES;
    }
    done
}

#[target_feature(enable = "avx2")]
fn looked_at(values: &[u8; 128], from: &[u8]) -> usize {
    // the highest bit is set in those that are digits
    let values = rows::<8>(&values.map(|v| v ^ 128));
    let mut done = 0;
    for characters in from.as_chunks::<CHARACTERS>().0 {
        let are = _mm256_movemask_epi8(entries(&values, vector(characters)));
        if are != -1 {
            return done + are.trailing_ones() as usize;
        }
        done += CHARACTERS;
    }
    done
}

#[target_feature(enable = "avx2")]
fn decode(values: &[u8; 128], from: &[u8], to: &mut [u8]) -> usize {
    let values = rows::<8>(values);
    let numbered = half(NUMBERED.first_chunk().expect("16 bytes"));
    let numbered = _mm256_broadcastsi128_si256(numbered);
    let (first, second) = (_mm256_set1_epi16(PAIRS), _mm256_set1_epi32(QUARTETS));
    let mut done = 0;
    for (from, to) in from
        .as_chunks::<CHARACTERS>()
        .0
        .iter()
        .zip(to.as_chunks_mut::<BYTES>().0)
    {
        let digits = entries(&values, vector(from));
        let numbers = _mm256_madd_epi16(_mm256_maddubs_epi16(digits, first), second);
        let bytes = _mm256_shuffle_epi8(numbers, numbered);
        let (low, high) = (
            _mm256_castsi256_si128(bytes),
            _mm256_extracti128_si256::<1>(bytes),
        );
        // each half has 12 bytes: the second one's are written after the first one's, over the rest of its vector
        // SAFETY: there are 24 bytes to write to; they need not be aligned.
        unsafe {
            _mm_storeu_si128(to.as_mut_ptr().cast(), low);
            _mm_storel_epi64(to.as_mut_ptr().add(12).cast(), high);
        }
        to[20..].copy_from_slice(&_mm_extract_epi32::<2>(high).to_le_bytes());
        done += CHARACTERS;
    }
    done
}
