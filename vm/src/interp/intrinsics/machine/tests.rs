//! The processor's instructions do what the portable code does.

use super::super::{ciphers, digests, roots, streams};
use super::*;

fn bytes(n: usize) -> Vec<u8> {
    let mut x = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x as u8
    };
    (0..n).map(|_| next()).collect()
}
fn words(block: &[u8]) -> [u32; 16] {
    std::array::from_fn(|i| u32::from_be_bytes(*block[4 * i..].first_chunk().expect("4 bytes")))
}

#[test]
fn digests_are_the_same() {
    let b = bytes(64 * 9);
    for n in [0, 1, 2, 9] {
        let (mut state, mut plain) = ([7, 6, 5, 4, 3, 2, 1, 0], [7, 6, 5, 4, 3, 2, 1, 0]);
        let (mut small, mut small_plain) = ([9, 8, 7, 6, 5], [9, 8, 7, 6, 5]);
        for block in b[..64 * n].chunks_exact(64) {
            let mut w = [0; 64];
            w[..16].copy_from_slice(&words(block));
            digests::sha256(&mut plain, &mut w);
            let mut w = [0; 80];
            w[..16].copy_from_slice(&words(block));
            digests::sha1(&mut small_plain, &mut w);
        }
        if sha256(&mut state, &b[..64 * n]).is_some() {
            assert_eq!(state, plain, "{n}");
        }
        if sha1(&mut small, &b[..64 * n]).is_some() {
            assert_eq!(small, small_plain, "{n}");
        }
    }
}

#[test]
fn blocks_are_the_same() {
    for rounds in [44, 52, 60] {
        let keys: Vec<u32> = bytes(4 * rounds)
            .chunks(4)
            .map(|b| u32::from_be_bytes(*b.first_chunk().expect("4 bytes")))
            .collect();
        for n in [0, 1, 7, 8, 9, 24, 31] {
            let plain = bytes(16 * n);
            type Crypt = fn(&[u32], [u32; 4]) -> [u32; 4];
            for (crypt, portable) in [
                (
                    encrypt as fn(&[u32], &mut [u8]) -> Option<()>,
                    ciphers::encrypt as Crypt,
                ),
                (decrypt, ciphers::decrypt),
            ] {
                let mut blocks = plain.clone();
                if crypt(&keys, &mut blocks).is_none() {
                    continue;
                }
                for (block, plain) in blocks.chunks(16).zip(plain.chunks(16)) {
                    let plain = *plain.first_chunk().expect("a block");
                    assert_eq!(block, ciphers::on_bytes(&keys, plain, portable));
                }
            }
        }
    }
}

#[test]
fn chains_are_the_same() {
    let keys: Vec<u32> = (0..44).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
    for n in [0, 1, 5] {
        let mut blocks = bytes(16 * n);
        let (mut before, mut plain) = ([7; 16], [7; 16]);
        let mut expected = blocks.clone();
        for block in expected.chunks_exact_mut(16) {
            for (v, b) in plain.iter_mut().zip(&*block) {
                *v ^= b;
            }
            plain = ciphers::on_bytes(&keys, plain, ciphers::encrypt);
            block.copy_from_slice(&plain);
        }
        if encrypt_chain(&keys, &mut before, &mut blocks).is_some() {
            assert_eq!((before, blocks), (plain, expected), "{n}");
        }
    }
}

#[test]
fn chains_back_are_the_same() {
    let keys: Vec<u32> = (0..60).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
    for count in [44, 52, 60] {
        for n in [0, 1, 2, 16, 17, 18, 33, 40] {
            let (from, before) = (bytes(16 * n), [7; 16]);
            let mut expected = from.clone();
            let mut last = before;
            for (to, from) in expected.chunks_exact_mut(16).zip(from.chunks_exact(16)) {
                let block = *from.first_chunk().expect("a block");
                let plain = ciphers::on_bytes(&keys[..count], block, ciphers::decrypt);
                for (to, v) in to.iter_mut().zip(plain.iter().zip(last)) {
                    *to = v.0 ^ v.1;
                }
                last = block;
            }
            let mut to = vec![1; 16 * n];
            if decrypt_chain(&keys[..count], &before, &from, &mut to).is_some() {
                assert!(to == expected, "{n}");
            }
            ciphers::decrypt_chain(&keys[..count], &before, &from, &mut to);
            assert!(to == expected, "{n}");
        }
    }
}

#[test]
fn sums_are_the_same() {
    let b = bytes(16 * 40);
    let number = |i: usize| u64::from_be_bytes(*b[8 * i..].first_chunk().expect("8 bytes"));
    for n in [0, 1, 7, 8, 9, 15, 16, 17, 32, 40] {
        let by = [number(n), number(n + 1)];
        let (mut state, mut plain) = ([3, 4], [3, 4]);
        let multiples = ciphers::Multiples::of(by);
        for i in 0..n {
            plain = multiples.times([plain[0] ^ number(2 * i), plain[1] ^ number(2 * i + 1)]);
        }
        if ghash(&mut state, by, &b[..16 * n]).is_some() {
            assert_eq!(state, plain, "{n}");
        }
    }
}

#[test]
fn checksums_are_the_same() {
    let b = bytes(10_000);
    for n in [0, 1, 8, 63, 191, 192, 200, 3071, 3072, 3500, 10_000] {
        let mut plain = !0_u32;
        for &byte in &b[..n] {
            plain ^= u32::from(byte);
            for _ in 0..8 {
                plain = (plain >> 1) ^ ((plain & 1) * 0x82f6_3b78);
            }
        }
        if let Some(sum) = crc32c(!0, &b[..n]) {
            assert_eq!(sum, plain, "{n}");
        }
    }
}

#[test]
fn counters_are_the_same() {
    let keys: Vec<u32> = (0..60).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
    for count in [44, 52, 60] {
        for (lowest, n) in [
            (0, 0),
            (0, 1),
            (0, 256),
            (1, 255),
            (200, 19),
            (255, 1),
            (3, 7),
        ] {
            let first = 0xfedc_ba98_7654_3210_ffff_ffff_ffff_ff00 + lowest;
            let mut blocks = bytes(16 * n);
            let mut expected = blocks.clone();
            for (i, block) in expected.chunks_exact_mut(16).enumerate() {
                let counter = (first + i as u128).to_be_bytes();
                let mask = ciphers::on_bytes(&keys[..count], counter, ciphers::encrypt);
                for (to, mask) in block.iter_mut().zip(mask) {
                    *to ^= mask;
                }
            }
            let plain = blocks.clone();
            if add_counters(&keys[..count], first, &mut blocks).is_some() {
                assert!(blocks == expected, "{n} from {lowest}");
            }
            #[cfg(target_arch = "x86_64")]
            {
                blocks = plain;
                if aes::add_counters_singly(&keys[..count], first, &mut blocks).is_some() {
                    assert!(blocks == expected, "{n} from {lowest}, singly");
                }
            }
        }
    }
    // these have no room: the portable code counts on
    let mut blocks = bytes(32);
    assert!(add_counters(&keys, 0xff, &mut blocks).is_none());
}

type Written = Option<usize>;
/// Functions that encode, look at, and decode Base64.
type Base64 = (
    fn(&[u8; 64], &[u8], &mut [u8]) -> Written,
    fn(&[u8; 128], &[u8]) -> Written,
    fn(&[u8; 128], &[u8], &mut [u8]) -> Written,
);
/// The function that is chosen here, and those for single kinds of processors.
const BASE64: &[Base64] = &[
    (encode_base64, are_base64, decode_base64),
    #[cfg(target_arch = "x86_64")]
    (
        base64_avx2::encode_base64,
        base64_avx2::are_base64,
        base64_avx2::decode_base64,
    ),
];
type Keystream = fn(&[u32; 16], &mut [u8]) -> Written;
const KEYSTREAM: &[Keystream] = &[
    keystream,
    #[cfg(target_arch = "x86_64")]
    chacha_avx2::keystream,
];

/// The alphabets of RFC 4648, and one all over ASCII, with the digits of their characters.
fn alphabets() -> [([u8; 64], [u8; 128]); 3] {
    let alphabet = |last: [u8; 2]| {
        let letters = (b'A'..=b'Z').chain(b'a'..=b'z');
        let mut all = letters.chain(b'0'..=b'9').chain(last);
        std::array::from_fn(|_| all.next().expect("64 characters"))
    };
    let scattered = std::array::from_fn(|i| (i * 37 % 128) as u8);
    [alphabet(*b"+/"), alphabet(*b"-_"), scattered].map(|digits| {
        let mut values = [128; 128];
        for (i, c) in digits.into_iter().enumerate() {
            values[usize::from(c)] = i as u8;
        }
        (digits, values)
    })
}

#[test]
fn characters_are_the_same() {
    const UNTOUCHED: u8 = 0xee;
    for (digits, values) in alphabets() {
        for n in (0..400).chain([1 << 16]) {
            let from = bytes(n);
            let mut expected = Vec::new();
            for group in from.chunks_exact(3) {
                let bits = group.iter().fold(0, |bits, &b| bits << 8 | usize::from(b));
                expected.extend([18, 12, 6, 0].map(|at| digits[bits >> at & 63]));
            }
            for (encode, are, decode) in BASE64 {
                let mut to = vec![UNTOUCHED; expected.len()];
                let Some(done) = encode(&digits, &from, &mut to) else {
                    continue;
                };
                let (characters, rest) = to.split_at(done / 3 * 4);
                assert!(done % 3 == 0 && n - done < 48, "{done} of {n}");
                assert!(characters == &expected[..done / 3 * 4], "{n}");
                assert!(rest.iter().all(|&b| b == UNTOUCHED), "{n}");

                let n = expected.len();
                let looked_at = are(&values, &expected).expect("as for encoding");
                assert!(n - looked_at < 64, "{looked_at} of {n}");
                let mut back = vec![UNTOUCHED; n / 4 * 3];
                let done = decode(&values, &expected, &mut back).expect("as for encoding");
                assert_eq!(done, looked_at, "{n}");
                let (back, rest) = back.split_at(done / 4 * 3);
                assert!(back == &from[..done / 4 * 3], "{n}");
                assert!(rest.iter().all(|&b| b == UNTOUCHED), "{n}");
            }
        }
    }
}

#[test]
fn other_characters_are_found() {
    for (digits, values) in alphabets() {
        let text: Vec<u8> = bytes(200)
            .iter()
            .map(|&b| digits[b as usize % 64])
            .collect();
        for (_, are, _) in BASE64 {
            let Some(whole) = are(&values, &text) else {
                continue;
            };
            for at in 0..text.len() {
                for other in [0, b'=', b'+', b'-', b'_', 127, 128, b'A' + 128, 255] {
                    let mut text = text.clone();
                    text[at] = other;
                    let is_digit = values.get(usize::from(other)).is_some_and(|&v| v < 64);
                    let expected = if is_digit { whole } else { whole.min(at) };
                    assert_eq!(are(&values, &text), Some(expected), "{other} at {at}");
                }
            }
            for other in 0..=255 {
                let is_digit = values.get(usize::from(other)).is_some_and(|&v| v < 64);
                let expected = if is_digit { 64 } else { 0 };
                assert_eq!(are(&values, &[other; 64]), Some(expected), "{other}");
            }
        }
    }
}

#[test]
fn streams_are_the_same() {
    let mut state = words(&bytes(64));
    for counter in [0, 1, u32::MAX - 20] {
        state[12] = counter;
        for n in (0..64 * 50).step_by(60).chain([64 * 8, 64 * 16, 1 << 16]) {
            for keystream in KEYSTREAM {
                let mut to = vec![0xee; n];
                let Some(done) = keystream(&state, &mut to) else {
                    continue;
                };
                let (blocks, rest) = to.split_at(64 * done);
                assert!(rest.len() < 64 * 16, "{done} of {n}");
                assert!(rest.iter().all(|&b| b == 0xee), "{n}");
                let mut state = state;
                for block in blocks.chunks(64) {
                    assert!(block == streams::stream(&state), "{n}");
                    state[12] = state[12].wrapping_add(1);
                }
            }
        }
    }
}

#[test]
fn rounds_of_roots_are_the_same() {
    let words: Vec<u32> = bytes(4 * 4000)
        .chunks(4)
        .map(|b| u32::from_be_bytes(*b.first_chunk().expect("4 bytes")))
        .collect();
    let extremes = [0, 1, 2, 1 << 16, 1 << 31, u32::MAX, u32::MAX - 1];
    let mut all = words.windows(2).map(|w| (w[0], w[1])).collect::<Vec<_>>();
    for low in extremes {
        all.extend(extremes.map(|rest| (low, rest)));
    }
    for (low, rest) in all {
        if let Some(counted) = borrows(low, rest) {
            assert_eq!(counted, roots::borrows(low, rest), "{low:x} {rest:x}");
        }
    }
}

#[test]
fn sums_of_products_are_the_same() {
    for numbers in bytes(64 * 100).chunks_exact(64) {
        let number = |i: usize| i16::from_le_bytes([numbers[2 * i], numbers[2 * i + 1]]);
        let [a, b] = [0, 16].map(|at| std::array::from_fn(|i| number(at + i)));
        let products = (0..16).map(|i| i32::from(number(i)) * i32::from(number(16 + i)));
        let sum = products.fold(0, i32::wrapping_add);
        assert!(sum_of_products(&a, &b).is_none_or(|n| n == sum));
    }
}
