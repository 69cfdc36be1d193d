//! AES (FIPS 197) on keys that have been expanded, and the multiplication of GCM (NIST SP 800-38D).

use super::machine;

/// The polynomial of AES's field without its highest term.
const AES: u8 = 0x1b;

const fn doubled(x: u8) -> u8 {
    x << 1 ^ if x & 0x80 != 0 { AES } else { 0 }
}
const fn times(x: u8, by: u8) -> u8 {
    let (mut product, mut x, mut by) = (0, x, by);
    while by != 0 {
        if by & 1 != 0 {
            product ^= x;
        }
        x = doubled(x);
        by >>= 1;
    }
    product
}

/// The substitution of bytes.
static S: [u8; 256] = SUBSTITUTION;
const SUBSTITUTION: [u8; 256] = {
    let mut s = [0; 256];
    // all numbers but 0 are powers of 3; the inverse of 3^n is a power of 0xf6, the inverse of 3
    let (mut x, mut inverse) = (1u8, 1u8);
    let mut i = 0;
    while i < 255 {
        let y = inverse;
        let bits = y ^ y.rotate_left(1) ^ y.rotate_left(2) ^ y.rotate_left(3) ^ y.rotate_left(4);
        s[x as usize] = bits ^ 0x63;
        x = times(x, 3);
        inverse = times(inverse, 0xf6);
        i += 1;
    }
    s[0] = 0x63;
    s
};
/// Its inverse.
static INVERSE: [u8; 256] = BACK;
const BACK: [u8; 256] = {
    let mut back = [0; 256];
    let mut i = 0;
    while i < 256 {
        back[SUBSTITUTION[i] as usize] = i as u8;
        i += 1;
    }
    back
};
/// A column made of one byte: the byte is substituted, then multiplied with these.
const fn columns(by: [u8; 4], of: &[u8; 256]) -> [u32; 256] {
    let mut columns = [0; 256];
    let mut i = 0;
    while i < 256 {
        let s = of[i];
        let column = [
            times(s, by[0]),
            times(s, by[1]),
            times(s, by[2]),
            times(s, by[3]),
        ];
        columns[i] = u32::from_be_bytes(column);
        i += 1;
    }
    columns
}
static FORTH_COLUMNS: [u32; 256] = columns([2, 1, 1, 3], &SUBSTITUTION);
static BACK_COLUMNS: [u32; 256] = columns([14, 9, 13, 11], &BACK);

/// Byte `i` of each column, 0 the highest, of the column `i * STEP` further on.
#[inline(always)]
fn bytes<const STEP: usize>(a: [u32; 4], column: usize) -> [usize; 4] {
    let byte = |i: usize| (a[(column + i * STEP) % 4] >> (24 - 8 * i) & 0xff) as usize;
    [byte(0), byte(1), byte(2), byte(3)]
}
/// A round but the last.
#[inline(always)]
fn round<const STEP: usize>(a: [u32; 4], table: &[u32; 256], keys: &[u32]) -> [u32; 4] {
    std::array::from_fn(|column| {
        let [b0, b1, b2, b3] = bytes::<STEP>(a, column);
        let first = table[b0] ^ table[b1].rotate_right(8);
        first ^ table[b2].rotate_right(16) ^ table[b3].rotate_right(24) ^ keys[column]
    })
}
/// The last round.
#[inline(always)]
fn last<const STEP: usize>(a: [u32; 4], table: &[u8; 256], keys: &[u32]) -> [u32; 4] {
    std::array::from_fn(|column| {
        let substituted = bytes::<STEP>(a, column).map(|b| table[b]);
        u32::from_be_bytes(substituted) ^ keys[column]
    })
}
#[inline(always)]
fn with_keys(a: [u32; 4], keys: &[u32]) -> [u32; 4] {
    std::array::from_fn(|i| a[i] ^ keys[i])
}

/// Encrypts a block; 4 keys for each round.
pub(super) fn encrypt(keys: &[u32], block: [u32; 4]) -> [u32; 4] {
    let (first, rest) = keys.split_at(4);
    let (middle, end) = rest.split_at(rest.len() - 4);
    let mut a = with_keys(block, first);
    for keys in middle.chunks_exact(4) {
        a = round::<1>(a, &FORTH_COLUMNS, keys);
    }
    last::<1>(a, &S, end)
}

/// Decrypts a block with keys made for that (FIPS 197, 5.3.5), the last round's first.
pub(super) fn decrypt(keys: &[u32], block: [u32; 4]) -> [u32; 4] {
    let (end, rest) = keys.split_at(4);
    let (first, middle) = rest.split_at(4);
    let mut a = with_keys(block, first);
    for keys in middle.chunks_exact(4) {
        a = round::<3>(a, &BACK_COLUMNS, keys);
    }
    last::<3>(a, &INVERSE, end)
}

/// What the four lowest bits of an element become when it is multiplied with x^4.
static REDUCED: [u128; 16] = {
    let mut reduced = [0; 16];
    let mut i = 0;
    while i < 16 {
        reduced[i] = times_x(times_x(times_x(times_x(i as u128))));
        i += 1;
    }
    reduced
};
/// GCM's bits are the other way round: the highest is the factor of x^0.
const fn times_x(v: u128) -> u128 {
    (v >> 1) ^ ((v & 1) * (0xe1 << 120))
}

/// An element of GCM's field, times each of 4 bits.
pub(super) struct Multiples([u128; 16]);

impl Multiples {
    /// Of an element, its higher half first.
    pub fn of(element: [u64; 2]) -> Multiples {
        let mut multiples = [0; 16];
        multiples[8] = u128::from(element[0]) << 64 | u128::from(element[1]);
        for i in [4, 2, 1] {
            multiples[i] = times_x(multiples[2 * i]);
        }
        for i in [2, 4, 8] {
            for j in 1..i {
                multiples[i + j] = multiples[i] ^ multiples[j];
            }
        }
        Multiples(multiples)
    }
    /// The product with another element.
    pub fn times(&self, by: [u64; 2]) -> [u64; 2] {
        let by = u128::from(by[0]) << 64 | u128::from(by[1]);
        let mut product = 0;
        for i in 0..32 {
            let low = product as usize & 15;
            product = product >> 4 ^ REDUCED[low] ^ self.0[(by >> (4 * i)) as usize & 15];
        }
        [(product >> 64) as u64, product as u64]
    }
}

/// Encrypts or decrypts whole blocks, each by itself.
pub(super) fn on_blocks(keys: &[u32], blocks: &mut [u8], encrypts: bool) {
    let machine: fn(&[u32], &mut [u8]) -> Option<()> = match encrypts {
        true => machine::encrypt,
        false => machine::decrypt,
    };
    let portable = if encrypts { encrypt } else { decrypt };
    if machine(keys, blocks).is_none() {
        for block in blocks.chunks_exact_mut(16) {
            let plain = *block.first_chunk().expect("a block");
            block.copy_from_slice(&on_bytes(keys, plain, portable));
        }
    }
}

/// Encrypts whole blocks, each of which is mixed with the one before when that has been encrypted; `before` is the last one then.
pub(super) fn encrypt_chain(keys: &[u32], before: &mut [u8; 16], blocks: &mut [u8]) {
    if machine::encrypt_chain(keys, before, blocks).is_some() {
        return;
    }
    for block in blocks.chunks_exact_mut(16) {
        for (v, b) in before.iter_mut().zip(&*block) {
            *v ^= b;
        }
        *before = on_bytes(keys, *before, encrypt);
        block.copy_from_slice(before);
    }
}

/// Decrypts whole blocks to as many others, each of which gets the encrypted one before added; `before` is the one before the first.
pub(super) fn decrypt_chain(keys: &[u32], before: &[u8; 16], from: &[u8], to: &mut [u8]) {
    if machine::decrypt_chain(keys, before, from, to).is_some() {
        return;
    }
    to.copy_from_slice(from);
    on_blocks(keys, to, false);
    for (to, before) in to.iter_mut().zip(before.iter().chain(from)) {
        *to ^= before;
    }
}

/// Adds encrypted counters to blocks, from `counter` on.
pub(super) fn add_counters(keys: &[u32], counter: u128, blocks: &mut [u8]) {
    if machine::add_counters(keys, counter, blocks).is_some() {
        return;
    }
    let mut next = counter;
    // few enough to stay in the processor's cache
    for blocks in blocks.chunks_mut(1024) {
        let mut masks = [0; 1024];
        for mask in masks[..blocks.len()].chunks_exact_mut(16) {
            mask.copy_from_slice(&next.to_be_bytes());
            next = next.wrapping_add(1);
        }
        on_blocks(keys, &mut masks[..blocks.len()], true);
        for (to, mask) in blocks.iter_mut().zip(masks) {
            *to ^= mask;
        }
    }
}

/// Multiplies the state, and each block that is added to it, with an element.
pub(super) fn ghash(state: &mut [u64; 2], by: [u64; 2], blocks: &[u8]) {
    if machine::ghash(state, by, blocks).is_some() {
        return;
    }
    let by = Multiples::of(by);
    for block in blocks.chunks_exact(16) {
        for (v, bytes) in state.iter_mut().zip(block.chunks_exact(8)) {
            *v ^= u64::from_be_bytes(*bytes.first_chunk().expect("8 bytes"));
        }
        *state = by.times(*state);
    }
}

/// Encrypts or decrypts a block of bytes.
pub(super) fn on_bytes(
    keys: &[u32],
    block: [u8; 16],
    crypt: fn(&[u32], [u32; 4]) -> [u32; 4],
) -> [u8; 16] {
    let mut words = [0; 4];
    for (w, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *w = u32::from_be_bytes(*bytes.first_chunk().expect("4 bytes"));
    }
    let mut out = [0; 16];
    for (bytes, w) in out.chunks_exact_mut(4).zip(crypt(keys, words)) {
        bytes.copy_from_slice(&w.to_be_bytes());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_begin_as_in_the_standard() {
        assert_eq!(S[..4], [0x63, 0x7c, 0x77, 0x7b]);
        assert_eq!((S[0x53], INVERSE[0xed]), (0xed, 0x53));
    }

    #[test]
    fn blocks_are_encrypted_as_in_the_standard() {
        // FIPS 197, appendix B, with its expanded key
        let keys = [
            0x2b7e1516, 0x28aed2a6, 0xabf71588, 0x09cf4f3c, 0xa0fafe17, 0x88542cb1, 0x23a33939,
            0x2a6c7605, 0xf2c295f2, 0x7a96b943, 0x5935807a, 0x7359f67f, 0x3d80477d, 0x4716fe3e,
            0x1e237e44, 0x6d7a883b, 0xef44a541, 0xa8525b7f, 0xb671253b, 0xdb0bad00, 0xd4d1c6f8,
            0x7c839d87, 0xcaf2b8bc, 0x11f915bc, 0x6d88a37a, 0x110b3efd, 0xdbf98641, 0xca0093fd,
            0x4e54f70e, 0x5f5fc9f3, 0x84a64fb2, 0x4ea6dc4f, 0xead27321, 0xb58dbad2, 0x312bf560,
            0x7f8d292f, 0xac7766f3, 0x19fadc21, 0x28d12941, 0x575c006e, 0xd014f9a8, 0xc9ee2589,
            0xe13f0cc8, 0xb6630ca6,
        ];
        let text = [0x3243f6a8, 0x885a308d, 0x313198a2, 0xe0370734];
        let coded = encrypt(&keys, text);
        assert_eq!(coded, [0x3925841d, 0x02dc09fb, 0xdc118597, 0x196a0b32]);
        // the keys of the rounds between are mixed for the way back
        let mixed = |k: u32| {
            let of = |b: u8| BACK_COLUMNS[S[usize::from(b)] as usize];
            let [a, b, c, d] = k.to_be_bytes().map(of);
            a ^ b.rotate_right(8) ^ c.rotate_right(16) ^ d.rotate_right(24)
        };
        let mut back: Vec<u32> = keys[..4].to_vec();
        back.extend(&keys[40..]);
        let between = keys[4..40].chunks_exact(4).rev();
        back.extend(between.flat_map(|k| [mixed(k[0]), mixed(k[1]), mixed(k[2]), mixed(k[3])]));
        assert_eq!(decrypt(&back, coded), text);
    }

    #[test]
    fn products_are_those_of_single_bits() {
        let bit_by_bit = |a: [u64; 2], b: [u64; 2]| {
            let [a, mut b] = [a, b].map(|v| u128::from(v[0]) << 64 | u128::from(v[1]));
            let mut product = 0;
            for i in (0..128).rev() {
                product ^= (a >> i & 1) * b;
                b = times_x(b);
            }
            [(product >> 64) as u64, product as u64]
        };
        let mut x = 1u64;
        let mut next = || {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            x ^ x >> 29
        };
        for _ in 0..100 {
            let (a, b) = ([next(), next()], [next(), next()]);
            assert_eq!(Multiples::of(a).times(b), bit_by_bit(a, b));
        }
    }
}
