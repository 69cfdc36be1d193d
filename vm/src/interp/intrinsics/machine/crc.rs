//! CRC-32C by the processor's instruction, on three parts at once: it takes three cycles, but a new one can begin in each cycle.

use super::fold;
use std::arch::x86_64::*;

/// The sum of bytes after others whose sum is `crc`.
pub fn crc32c(crc: u32, bytes: &[u8]) -> Option<u32> {
    if !is_x86_feature_detected!("sse4.2") {
        return None;
    }
    let (block, rest) = fold::fold(&fold::CRC32C, crc, bytes).unzip();
    let crc = if block.is_some() { 0 } else { crc };
    let block = block.as_ref().map_or(&[][..], |b| &b[..]);
    // SAFETY: the processor has this instruction.
    Some(unsafe { sum(sum(crc, block), rest.unwrap_or(bytes)) })
}

#[target_feature(enable = "sse4.2")]
fn sum(crc: u32, bytes: &[u8]) -> u32 {
    let (crc, rest) = in_parts::<LONG>(crc, bytes, &AFTER_LONG);
    let (crc, rest) = in_parts::<SHORT>(crc, rest, &AFTER_SHORT);
    let eights = rest.chunks_exact(8);
    let last = eights.remainder();
    let mut sum = u64::from(crc);
    for eight in eights {
        sum = _mm_crc32_u64(sum, number(eight));
    }
    last.iter().fold(sum as u32, |sum, &b| _mm_crc32_u8(sum, b))
}
fn number(eight: &[u8]) -> u64 {
    u64::from_le_bytes(*eight.first_chunk().expect("8 bytes"))
}

/// Bytes of a part.
const LONG: usize = 1024;
const SHORT: usize = 64;

/// What a sum becomes after as many zero bytes as a part has, by each of its bytes.
type After = [[u32; 256]; 4];
static AFTER_LONG: After = after(LONG);
static AFTER_SHORT: After = after(SHORT);

const fn after(zeros: usize) -> After {
    let mut tables = [[0; 256]; 4];
    let mut byte = 0;
    while byte < 4 {
        // a single bit, and then sums of them
        let mut bit = 0;
        while bit < 8 {
            let mut v = 1_u32 << (8 * byte + bit);
            let mut i = 0;
            while i < 8 * zeros {
                v = (v >> 1) ^ ((v & 1) * 0x82f6_3b78);
                i += 1;
            }
            tables[byte][1 << bit] = v;
            bit += 1;
        }
        let mut i = 1_usize;
        while i < 256 {
            let lowest = i & i.wrapping_neg();
            tables[byte][i] = tables[byte][lowest] ^ tables[byte][i ^ lowest];
            i += 1;
        }
        byte += 1;
    }
    tables
}

/// As many times three parts as there are; the sum, and the bytes that are left.
#[target_feature(enable = "sse4.2")]
fn in_parts<'a, const PART: usize>(
    mut crc: u32,
    bytes: &'a [u8],
    after: &After,
) -> (u32, &'a [u8]) {
    let shifted = |v: u32| {
        let parts = v.to_le_bytes().into_iter().zip(after);
        parts.fold(0, |sum, (b, table)| sum ^ table[usize::from(b)])
    };
    let whole = bytes.chunks_exact(3 * PART);
    let rest = whole.remainder();
    for bytes in whole {
        let (first, others) = bytes.split_at(PART);
        let (second, third) = others.split_at(PART);
        let mut sums = [u64::from(crc), 0, 0];
        let parts = first.chunks_exact(8).zip(second.chunks_exact(8));
        for ((a, b), c) in parts.zip(third.chunks_exact(8)) {
            for (sum, part) in sums.iter_mut().zip([a, b, c]) {
                *sum = _mm_crc32_u64(*sum, number(part));
            }
        }
        let [a, b, c] = sums.map(|v| v as u32);
        crc = shifted(shifted(a) ^ b) ^ c;
    }
    (crc, rest)
}
