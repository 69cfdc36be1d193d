//! AES (FIPS 197) by the processor's instructions, on keys that have been expanded.

use std::arch::x86_64::*;

/// Blocks that are under way at once: each instruction takes a few cycles, but a new one can begin in each cycle.
const AT_ONCE: usize = 8;
/// The same for vectors of four blocks.
const WIDE: usize = 8;

/// A key of a round, or a block, whose numbers have the highest byte first.
#[inline]
#[target_feature(enable = "sse2")]
fn key(k: &[u32]) -> __m128i {
    let n = |i: usize| k[i].swap_bytes() as i32;
    _mm_set_epi32(n(3), n(2), n(1), n(0))
}
#[inline]
#[target_feature(enable = "sse2")]
fn load(bytes: &[u8]) -> __m128i {
    let v = u128::from_le_bytes(*bytes.first_chunk().expect("a block"));
    _mm_set_epi64x((v >> 64) as i64, v as i64)
}
#[inline]
#[target_feature(enable = "sse4.1")]
fn store(v: __m128i, bytes: &mut [u8]) {
    let (low, high) = bytes.split_at_mut(8);
    low.copy_from_slice(&_mm_extract_epi64(v, 0).to_le_bytes());
    high.copy_from_slice(&_mm_extract_epi64(v, 1).to_le_bytes());
}

/// Encrypts whole blocks, each by itself; 4 keys for each round.
pub fn encrypt(keys: &[u32], blocks: &mut [u8]) -> Option<()> {
    if !(is_x86_feature_detected!("aes") && is_x86_feature_detected!("sse4.1")) {
        return None;
    }
    let rest = match has_wide() {
        // SAFETY: the processor has these instructions.
        true => unsafe { crypt_wide::<true>(keys, blocks) },
        false => blocks,
    };
    if !rest.is_empty() {
        // SAFETY: the processor has these instructions.
        unsafe { crypt::<true>(keys, rest) };
    }
    Some(())
}

/// Decrypts whole blocks, each by itself, with keys made for that (FIPS 197, 5.3.5), the last round's first.
pub fn decrypt(keys: &[u32], blocks: &mut [u8]) -> Option<()> {
    if !(is_x86_feature_detected!("aes") && is_x86_feature_detected!("sse4.1")) {
        return None;
    }
    let rest = match has_wide() {
        // SAFETY: the processor has these instructions.
        true => unsafe { crypt_wide::<false>(keys, blocks) },
        false => blocks,
    };
    if !rest.is_empty() {
        // SAFETY: the processor has these instructions.
        unsafe { crypt::<false>(keys, rest) };
    }
    Some(())
}

/// Encrypts whole blocks, each of which is mixed with the one before when that has been encrypted.
pub fn encrypt_chain(keys: &[u32], before: &mut [u8; 16], blocks: &mut [u8]) -> Option<()> {
    if !(is_x86_feature_detected!("aes") && is_x86_feature_detected!("sse4.1")) {
        return None;
    }
    // SAFETY: the processor has these instructions.
    unsafe { chain(keys, before, blocks) };
    Some(())
}

/// Decrypts whole blocks to as many others, each of which gets the encrypted one before added; `before` is the one before the first.
pub fn decrypt_chain(keys: &[u32], before: &[u8; 16], from: &[u8], to: &mut [u8]) -> Option<()> {
    if !(is_x86_feature_detected!("aes") && is_x86_feature_detected!("sse4.1")) {
        return None;
    }
    assert_eq!(from.len(), to.len(), "as many blocks");
    // SAFETY: the processor has these instructions.
    match has_wide() {
        true => unsafe { chain_back_wide(keys, before, from, to) },
        false => unsafe { chain_back(keys, before, from, to) },
    }
    Some(())
}

/// Adds encrypted counters to blocks, from `counter` on; its lowest byte has room for all of them.
pub fn add_counters(keys: &[u32], counter: u128, blocks: &mut [u8]) -> Option<()> {
    if !has_wide() {
        return add_counters_singly(keys, counter, blocks);
    }
    // SAFETY: the processor has these instructions.
    has_room(counter, blocks).then(|| unsafe { counted_wide(keys, counter, blocks) })
}
/// The same, with a block in a vector.
pub fn add_counters_singly(keys: &[u32], counter: u128, blocks: &mut [u8]) -> Option<()> {
    let has = is_x86_feature_detected!("aes") && is_x86_feature_detected!("sse4.1");
    // SAFETY: the processor has these instructions.
    (has && has_room(counter, blocks)).then(|| unsafe { counted(keys, counter, blocks) })
}
fn has_room(counter: u128, blocks: &[u8]) -> bool {
    blocks.len() / 16 <= 0x100 - (counter & 0xff) as usize
}

#[target_feature(enable = "aes,sse4.1")]
fn chain(keys: &[u32], before: &mut [u8; 16], blocks: &mut [u8]) {
    let (round, n) = in_order::<true>(keys);
    let [first, middle @ .., last] = &round[..n] else {
        return;
    };
    let mut v = load(before);
    for block in blocks.chunks_exact_mut(16) {
        v = _mm_xor_si128(_mm_xor_si128(v, load(block)), *first);
        for k in middle {
            v = _mm_aesenc_si128(v, *k);
        }
        v = _mm_aesenclast_si128(v, *last);
        store(v, block);
    }
    store(v, before);
}

/// Whether one instruction takes four blocks.
fn has_wide() -> bool {
    is_x86_feature_detected!("vaes") && is_x86_feature_detected!("avx512f")
}

/// The keys in the order in which they are used; none after them.
#[inline]
#[target_feature(enable = "sse2")]
fn in_order<const FORTH: bool>(keys: &[u32]) -> ([__m128i; 15], usize) {
    let n = keys.len() / 4;
    let mut round = [_mm_setzero_si128(); 15];
    for (i, k) in keys.chunks_exact(4).enumerate() {
        let at = if FORTH { i } else { (i + n - 1) % n };
        round[at] = key(k);
    }
    (round, n)
}

/// Each of the keys four times.
#[inline]
#[target_feature(enable = "avx512f")]
fn widened(round: &[__m128i; 15]) -> [__m512i; 15] {
    let mut wide = [_mm512_setzero_si512(); 15];
    for (wide, k) in wide.iter_mut().zip(round) {
        *wide = _mm512_broadcast_i32x4(*k);
    }
    wide
}

#[target_feature(enable = "aes,sse4.1")]
fn counted(keys: &[u32], counter: u128, blocks: &mut [u8]) {
    let (round, n) = in_order::<true>(keys);
    let [first, middle @ .., last] = &round[..n] else {
        return;
    };
    // the lowest byte is the last one
    let one = _mm_set_epi32(1 << 24, 0, 0, 0);
    let mut next = load(&counter.to_be_bytes());
    for group in blocks.chunks_mut(16 * AT_ONCE) {
        let mut v = [_mm_setzero_si128(); AT_ONCE];
        for v in &mut v {
            *v = _mm_xor_si128(next, *first);
            next = _mm_add_epi32(next, one);
        }
        for k in middle {
            for v in &mut v {
                *v = _mm_aesenc_si128(*v, *k);
            }
        }
        for (v, block) in v.iter().zip(group.chunks_exact_mut(16)) {
            let mask = _mm_aesenclast_si128(*v, *last);
            store(_mm_xor_si128(load(block), mask), block);
        }
    }
}

#[target_feature(enable = "vaes,avx512f,aes,sse4.1")]
fn counted_wide(keys: &[u32], counter: u128, blocks: &mut [u8]) {
    let (round, n) = in_order::<true>(keys);
    let round = widened(&round);
    let [first, middle @ .., last] = &round[..n] else {
        return;
    };
    // the lowest byte is the last one
    let more = |by: i32| _mm512_set4_epi32(by << 24, 0, 0, 0);
    let one = 1 << 24;
    let each = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, one, 0, 0, 0, 2 * one, 0, 0, 0, 3 * one);
    let begin = _mm512_broadcast_i32x4(load(&counter.to_be_bytes()));
    let mut next = _mm512_add_epi32(begin, each);
    let mut groups = blocks.chunks_exact_mut(64 * WIDE);
    for group in &mut groups {
        let mut v = [_mm512_setzero_si512(); WIDE];
        for v in &mut v {
            *v = _mm512_xor_si512(next, *first);
            next = _mm512_add_epi32(next, more(4));
        }
        for k in middle {
            for v in &mut v {
                *v = _mm512_aesenc_epi128(*v, *k);
            }
        }
        for (v, four) in v.iter().zip(group.chunks_exact_mut(64)) {
            let mask = _mm512_aesenclast_epi128(*v, *last);
            let to = four.as_mut_ptr();
            // SAFETY: there are 64 bytes; they need not be aligned.
            unsafe {
                let sum = _mm512_xor_si512(_mm512_loadu_si512(to.cast_const().cast()), mask);
                _mm512_storeu_si512(to.cast(), sum);
            }
        }
    }
    for some in groups.into_remainder().chunks_mut(64) {
        let mut v = _mm512_xor_si512(next, *first);
        next = _mm512_add_epi32(next, more(4));
        for k in middle {
            v = _mm512_aesenc_epi128(v, *k);
        }
        let mask = _mm512_aesenclast_epi128(v, *last);
        let (there, to) = ((0xff_u32 >> (8 - some.len() / 8)) as u8, some.as_mut_ptr());
        // SAFETY: only as many numbers of 8 bytes as there are; they need not be aligned.
        unsafe {
            let v = _mm512_maskz_loadu_epi64(there, to.cast_const().cast());
            _mm512_mask_storeu_epi64(to.cast(), there, _mm512_xor_si512(v, mask));
        }
    }
}

#[target_feature(enable = "aes,sse4.1")]
fn chain_back(keys: &[u32], before: &[u8; 16], from: &[u8], to: &mut [u8]) {
    // few enough to stay in the processor's nearest cache, and to be copied quickly (see `prim::copying`)
    const SOME: usize = 1024;
    let mut before = before;
    for (from, to) in from.chunks(SOME).zip(to.chunks_mut(SOME)) {
        to.copy_from_slice(from);
        crypt::<false>(keys, to);
        let (first, others) = to.split_at_mut(16);
        for (to, before) in first.iter_mut().zip(before) {
            *to ^= before;
        }
        for (to, before) in others.iter_mut().zip(from) {
            *to ^= before;
        }
        before = from.last_chunk().expect("a block");
    }
}

#[target_feature(enable = "vaes,avx512f,aes,sse4.1")]
fn chain_back_wide(keys: &[u32], before: &[u8; 16], from: &[u8], to: &mut [u8]) {
    const GROUP: usize = 64 * WIDE;
    let (round, n) = in_order::<false>(keys);
    let wide = widened(&round);
    let [first, middle @ .., last] = &wide[..n] else {
        return;
    };
    // the first block and those that are left after whole groups
    let groups = from.len().saturating_sub(16) / GROUP * GROUP;
    let few = from.len() - groups;
    for (at, group) in (few..from.len())
        .step_by(GROUP)
        .zip(to[few..].chunks_exact_mut(GROUP))
    {
        // with the block before
        let input = &from[at - 16..at + GROUP];
        let mut v = [_mm512_setzero_si512(); WIDE];
        for (v, four) in v.iter_mut().zip(input[16..].chunks_exact(64)) {
            // SAFETY: there are 64 bytes; they need not be aligned.
            let four = unsafe { _mm512_loadu_si512(four.as_ptr().cast()) };
            *v = _mm512_xor_si512(four, *first);
        }
        for k in middle {
            for v in &mut v {
                *v = _mm512_aesdec_epi128(*v, *k);
            }
        }
        let outs = input.chunks_exact(64).zip(group.chunks_exact_mut(64));
        for (v, (before, to)) in v.iter().zip(outs) {
            let v = _mm512_aesdeclast_epi128(*v, *last);
            // SAFETY: there are 64 bytes to read and to write; they need not be aligned.
            unsafe {
                let sum = _mm512_xor_si512(v, _mm512_loadu_si512(before.as_ptr().cast()));
                _mm512_storeu_si512(to.as_mut_ptr().cast(), sum);
            }
        }
    }
    chain_back(keys, before, &from[..few], &mut to[..few]);
}

/// As many blocks as make whole groups, four in a vector; returns those that are left.
#[target_feature(enable = "vaes,avx512f,aes,sse4.1")]
fn crypt_wide<'a, const FORTH: bool>(keys: &[u32], blocks: &'a mut [u8]) -> &'a mut [u8] {
    const GROUP: usize = 64 * WIDE;
    let whole = blocks.len() / GROUP * GROUP;
    if whole == 0 {
        return blocks;
    }
    let (round, n) = in_order::<FORTH>(keys);
    let round = widened(&round);
    let [first, middle @ .., last] = &round[..n] else {
        return blocks;
    };
    let (groups, rest) = blocks.split_at_mut(whole);
    for group in groups.chunks_exact_mut(GROUP) {
        let mut v = [_mm512_setzero_si512(); WIDE];
        for (v, four) in v.iter_mut().zip(group.chunks_exact(64)) {
            // SAFETY: there are 64 bytes; they need not be aligned.
            let four = unsafe { _mm512_loadu_si512(four.as_ptr().cast()) };
            *v = _mm512_xor_si512(four, *first);
        }
        for k in middle {
            for v in &mut v {
                *v = match FORTH {
                    true => _mm512_aesenc_epi128(*v, *k),
                    false => _mm512_aesdec_epi128(*v, *k),
                };
            }
        }
        for (v, four) in v.iter().zip(group.chunks_exact_mut(64)) {
            let v = match FORTH {
                true => _mm512_aesenclast_epi128(*v, *last),
                false => _mm512_aesdeclast_epi128(*v, *last),
            };
            // SAFETY: there are 64 bytes; they need not be aligned.
            unsafe { _mm512_storeu_si512(four.as_mut_ptr().cast(), v) };
        }
    }
    rest
}

#[target_feature(enable = "aes,sse4.1")]
fn crypt<const FORTH: bool>(keys: &[u32], blocks: &mut [u8]) {
    let (round, n) = in_order::<FORTH>(keys);
    let round = &round[..n];
    let (whole, rest) = blocks.split_at_mut(blocks.len() / (16 * AT_ONCE) * (16 * AT_ONCE));
    for blocks in whole.chunks_exact_mut(16 * AT_ONCE) {
        some::<FORTH, AT_ONCE>(round, blocks);
    }
    for block in rest.chunks_exact_mut(16) {
        some::<FORTH, 1>(round, block);
    }
}

#[inline]
#[target_feature(enable = "aes,sse4.1")]
fn some<const FORTH: bool, const N: usize>(round: &[__m128i], blocks: &mut [u8]) {
    let [first, middle @ .., last] = round else {
        return;
    };
    let mut v = [_mm_setzero_si128(); N];
    for (v, block) in v.iter_mut().zip(blocks.chunks_exact(16)) {
        *v = _mm_xor_si128(load(block), *first);
    }
    for k in middle {
        for v in &mut v {
            *v = match FORTH {
                true => _mm_aesenc_si128(*v, *k),
                false => _mm_aesdec_si128(*v, *k),
            };
        }
    }
    for (v, block) in v.iter().zip(blocks.chunks_exact_mut(16)) {
        let v = match FORTH {
            true => _mm_aesenclast_si128(*v, *last),
            false => _mm_aesdeclast_si128(*v, *last),
        };
        store(v, block);
    }
}
