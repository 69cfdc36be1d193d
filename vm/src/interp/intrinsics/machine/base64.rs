//! Base64 (RFC 4648) with vectors of 64 characters, whose tables are looked up at once.

use super::base64_avx2;
use std::arch::x86_64::*;

/// Characters in a vector, and the bytes that they encode.
const CHARACTERS: usize = 64;
const BYTES: usize = 48;
/// A bit for each of these bytes.
const MASK: u64 = (1 << BYTES) - 1;

fn has_instructions() -> bool {
    is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512f")
}

/// Writes the digits of bytes, as long as there are whole vectors; returns how many bytes that were.
pub fn encode_base64(digits: &[u8; 64], from: &[u8], to: &mut [u8]) -> Option<usize> {
    match has_instructions() {
        // SAFETY: the processor has these instructions.
        true => Some(unsafe { encode(digits, from, to) }),
        false => base64_avx2::encode_base64(digits, from, to),
    }
}

/// How many characters from the first on have digits, as long as there are whole vectors. `values` has the digits of the characters
/// below 128, and 128 for those that have none; no others have one.
pub fn are_base64(values: &[u8; 128], from: &[u8]) -> Option<usize> {
    match has_instructions() {
        // SAFETY: the processor has these instructions.
        true => Some(unsafe { looked_at(values, from) }),
        false => base64_avx2::are_base64(values, from),
    }
}

/// Writes the bytes for characters that all have digits, as long as there are whole vectors; returns how many characters that were.
pub fn decode_base64(values: &[u8; 128], from: &[u8], to: &mut [u8]) -> Option<usize> {
    match has_instructions() {
        // SAFETY: the processor has these instructions.
        true => Some(unsafe { decode(values, from, to) }),
        false => base64_avx2::decode_base64(values, from, to),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn vector(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: there are 64 bytes; they need not be aligned.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Where the bytes of each group go: the second one, the first one, the third one, the second one.
const GROUPED: [u8; 64] = {
    let mut to = [0; 64];
    let mut i = 0;
    while i < 64 {
        to[i] = (i / 4 * 3) as u8 + [1, 0, 2, 1][i % 4];
        i += 1;
    }
    to
};
/// The lowest bit of each digit in two groups.
const DIGITS: i64 = i64::from_le_bytes([10, 4, 22, 16, 42, 36, 54, 48]);

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn encode(digits: &[u8; 64], from: &[u8], to: &mut [u8]) -> usize {
    let (digits, grouped, at) = (vector(digits), vector(&GROUPED), _mm512_set1_epi64(DIGITS));
    let mut done = 0;
    for (from, to) in from
        .chunks_exact(BYTES)
        .zip(to.chunks_exact_mut(CHARACTERS))
    {
        // SAFETY: there are 48 bytes, and 64 to write to; they need not be aligned.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(MASK, from.as_ptr().cast()) };
        let groups = _mm512_permutexvar_epi8(grouped, bytes);
        let numbers = _mm512_multishift_epi64_epi8(at, groups);
        let characters = _mm512_permutexvar_epi8(numbers, digits);
        // SAFETY: as above.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), characters) };
        done += BYTES;
    }
    done
}

/// The digits of characters; the highest bit is set in those that have none.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn digits_of(low: __m512i, high: __m512i, characters: __m512i) -> (__m512i, u64) {
    let digits = _mm512_permutex2var_epi8(low, characters, high);
    let none = _mm512_movepi8_mask(_mm512_or_si512(digits, characters));
    (digits, none)
}
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn halves(values: &[u8; 128]) -> (__m512i, __m512i) {
    let (low, high) = values.split_at(64);
    let half = |bytes: &[u8]| *bytes.first_chunk().expect("64 bytes");
    (vector(&half(low)), vector(&half(high)))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn looked_at(values: &[u8; 128], from: &[u8]) -> usize {
    let (low, high) = halves(values);
    let mut done = 0;
    for characters in from.chunks_exact(CHARACTERS) {
        let characters = vector(characters.first_chunk().expect("64 characters"));
        let (_, none) = digits_of(low, high, characters);
        if none != 0 {
            return done + none.trailing_zeros() as usize;
        }
        done += CHARACTERS;
    }
    done
}

/// Where the bytes of each number of 24 bits are, the highest first.
pub(super) const NUMBERED: [u8; 64] = {
    let mut to = [0; 64];
    let mut i = 0;
    while i < BYTES {
        to[i] = (i / 3 * 4 + 2 - i % 3) as u8;
        i += 1;
    }
    to
};

/// Factors by which two digits become 12 bits, and two of these 24.
pub(super) const PAIRS: i16 = 0x0140;
pub(super) const QUARTETS: i32 = 0x0001_1000;

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn decode(values: &[u8; 128], from: &[u8], to: &mut [u8]) -> usize {
    let ((low, high), numbered) = (halves(values), vector(&NUMBERED));
    let (first, second) = (_mm512_set1_epi16(PAIRS), _mm512_set1_epi32(QUARTETS));
    let mut done = 0;
    for (from, to) in from
        .chunks_exact(CHARACTERS)
        .zip(to.chunks_exact_mut(BYTES))
    {
        let characters = vector(from.first_chunk().expect("64 characters"));
        let (digits, _) = digits_of(low, high, characters);
        let numbers = _mm512_madd_epi16(_mm512_maddubs_epi16(digits, first), second);
        let bytes = _mm512_permutexvar_epi8(numbered, numbers);
        // SAFETY: there are 48 bytes to write to; they need not be aligned.
        unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), MASK, bytes) };
        done += CHARACTERS;
    }
    done
}
