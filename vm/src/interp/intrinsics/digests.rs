//! The compression functions of digests (RFC 1321, FIPS 180-4, FIPS 202), on blocks that have been read as numbers.

use super::machine;

/// Constants of MD5: the integer parts of 2^32 times the sines of 1 to 64.
const SINES: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
];
/// By how much each round of MD5 rotates, by its step.
const TURNS: [[u32; 4]; 4] = [
    [7, 12, 17, 22],
    [5, 9, 14, 20],
    [4, 11, 16, 23],
    [6, 10, 15, 21],
];

/// A round of MD5: 16 steps with the function `f`, which take the numbers of the block in the order `at`.
#[inline(always)]
fn md5_round(
    v: &mut [u32; 4],
    x: &[u32; 16],
    round: usize,
    f: impl Fn(u32, u32, u32) -> u32,
    at: impl Fn(usize) -> usize,
) {
    let [mut a, mut b, mut c, mut d] = *v;
    for i in 0..16 {
        let sum = a.wrapping_add(f(b, c, d)).wrapping_add(x[at(i) % 16]);
        let sum = sum.wrapping_add(SINES[round * 16 + i]);
        let next = sum.rotate_left(TURNS[round][i % 4]).wrapping_add(b);
        (a, d, c, b) = (d, c, b, next);
    }
    *v = [a, b, c, d];
}

/// MD5 of a block of 16 little-endian numbers.
pub(super) fn md5(state: &mut [u32; 4], x: &[u32; 16]) {
    let mut v = *state;
    md5_round(&mut v, x, 0, |b, c, d| d ^ (b & (c ^ d)), |i| i);
    md5_round(&mut v, x, 1, |b, c, d| c ^ (d & (b ^ c)), |i| 5 * i + 1);
    md5_round(&mut v, x, 2, |b, c, d| b ^ c ^ d, |i| 3 * i + 5);
    md5_round(&mut v, x, 3, |b, c, d| c ^ (b | !d), |i| 7 * i);
    for (s, v) in state.iter_mut().zip(v) {
        *s = s.wrapping_add(v);
    }
}

/// A round of SHA-1: 20 steps with the function `f` and the constant `k`.
#[inline(always)]
fn sha1_round(v: &mut [u32; 5], w: &[u32], k: u32, f: impl Fn(u32, u32, u32) -> u32) {
    let [mut a, mut b, mut c, mut d, mut e] = *v;
    for &w in w {
        let sum = a.rotate_left(5).wrapping_add(f(b, c, d)).wrapping_add(e);
        let next = sum.wrapping_add(k).wrapping_add(w);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
    }
    *v = [a, b, c, d, e];
}

/// The rest of SHA-1's schedule, whose first 16 numbers are a block.
pub(super) fn schedule1(w: &mut [u32; 80]) {
    for t in 16..80 {
        w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
    }
}
/// SHA-1: the schedule, whose first 16 numbers are the block, and the state.
pub(super) fn sha1(state: &mut [u32; 5], w: &mut [u32; 80]) {
    schedule1(w);
    let mut v = *state;
    sha1_round(&mut v, &w[..20], 0x5a827999, |b, c, d| d ^ (b & (c ^ d)));
    sha1_round(&mut v, &w[20..40], 0x6ed9eba1, |b, c, d| b ^ c ^ d);
    sha1_round(&mut v, &w[40..60], 0x8f1bbcdc, |b, c, d| {
        (b & c) | (d & (b | c))
    });
    sha1_round(&mut v, &w[60..], 0xca62c1d6, |b, c, d| b ^ c ^ d);
    for (s, v) in state.iter_mut().zip(v) {
        *s = s.wrapping_add(v);
    }
}

/// SHA-224 and SHA-256, or SHA-384 and SHA-512: the same steps on other numbers.
macro_rules! sha2 {
    ($(#[$doc:meta])* $name:ident $schedule:ident $number:ty, $rounds:literal, $constants:expr,
     $small0:expr, $small1:expr, $big0:expr, $big1:expr) => {
        /// The rest of the schedule, whose first 16 numbers are a block.
        pub(super) fn $schedule(w: &mut [$number; $rounds]) {
            let mix = |x: $number, [a, b, c]: [u32; 3]| x.rotate_right(a) ^ x.rotate_right(b) ^ (x >> c);
            for t in 16..$rounds {
                let sum = mix(w[t - 2], $small1).wrapping_add(w[t - 7]);
                w[t] = sum.wrapping_add(mix(w[t - 15], $small0)).wrapping_add(w[t - 16]);
            }
        }
        $(#[$doc])*
        pub(super) fn $name(state: &mut [$number; 8], w: &mut [$number; $rounds]) {
            let turn = |x: $number, [a, b, c]: [u32; 3]| {
                x.rotate_right(a) ^ x.rotate_right(b) ^ x.rotate_right(c)
            };
            $schedule(w);
            let mut v = *state;
            // after eight steps each number is in its place again
            for (k, w) in $constants.chunks_exact(8).zip(w.chunks_exact(8)) {
                for i in 0..8 {
                    let at = |n: usize| (n + 8 - i) % 8;
                    let [a, b, c, e] = [v[at(0)], v[at(1)], v[at(2)], v[at(4)]];
                    let chosen = v[at(6)] ^ (e & (v[at(5)] ^ v[at(6)]));
                    let most = (a & b) ^ (c & (a ^ b));
                    let first = v[at(7)].wrapping_add(turn(e, $big1)).wrapping_add(chosen);
                    let first = first.wrapping_add(k[i]).wrapping_add(w[i]);
                    let second = turn(a, $big0).wrapping_add(most);
                    v[at(3)] = v[at(3)].wrapping_add(first);
                    v[at(7)] = first.wrapping_add(second);
                }
            }
            for (s, v) in state.iter_mut().zip(v) {
                *s = s.wrapping_add(v);
            }
        }
    };
}

/// Fractional parts of the cube roots of the first primes: SHA-512 has all bits, SHA-256 the upper halves of 64.
const CUBE_ROOTS: [u64; 80] = [
    0x428a2f98d728ae22,
    0x7137449123ef65cd,
    0xb5c0fbcfec4d3b2f,
    0xe9b5dba58189dbbc,
    0x3956c25bf348b538,
    0x59f111f1b605d019,
    0x923f82a4af194f9b,
    0xab1c5ed5da6d8118,
    0xd807aa98a3030242,
    0x12835b0145706fbe,
    0x243185be4ee4b28c,
    0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f,
    0x80deb1fe3b1696b1,
    0x9bdc06a725c71235,
    0xc19bf174cf692694,
    0xe49b69c19ef14ad2,
    0xefbe4786384f25e3,
    0x0fc19dc68b8cd5b5,
    0x240ca1cc77ac9c65,
    0x2de92c6f592b0275,
    0x4a7484aa6ea6e483,
    0x5cb0a9dcbd41fbd4,
    0x76f988da831153b5,
    0x983e5152ee66dfab,
    0xa831c66d2db43210,
    0xb00327c898fb213f,
    0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2,
    0xd5a79147930aa725,
    0x06ca6351e003826f,
    0x142929670a0e6e70,
    0x27b70a8546d22ffc,
    0x2e1b21385c26c926,
    0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df,
    0x650a73548baf63de,
    0x766a0abb3c77b2a8,
    0x81c2c92e47edaee6,
    0x92722c851482353b,
    0xa2bfe8a14cf10364,
    0xa81a664bbc423001,
    0xc24b8b70d0f89791,
    0xc76c51a30654be30,
    0xd192e819d6ef5218,
    0xd69906245565a910,
    0xf40e35855771202a,
    0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8,
    0x1e376c085141ab53,
    0x2748774cdf8eeb99,
    0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63,
    0x4ed8aa4ae3418acb,
    0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc,
    0x78a5636f43172f60,
    0x84c87814a1f0ab72,
    0x8cc702081a6439ec,
    0x90befffa23631e28,
    0xa4506cebde82bde9,
    0xbef9a3f7b2c67915,
    0xc67178f2e372532b,
    0xca273eceea26619c,
    0xd186b8c721c0c207,
    0xeada7dd6cde0eb1e,
    0xf57d4f7fee6ed178,
    0x06f067aa72176fba,
    0x0a637dc5a2c898a6,
    0x113f9804bef90dae,
    0x1b710b35131c471b,
    0x28db77f523047d84,
    0x32caab7b40c72493,
    0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6,
    0x597f299cfc657e2a,
    0x5fcb6fab3ad6faec,
    0x6c44198c4a475817,
];
/// Those of SHA-256.
pub(super) static HALVES: [u32; 64] = {
    let mut halves = [0; 64];
    let mut i = 0;
    while i < 64 {
        halves[i] = (CUBE_ROOTS[i] >> 32) as u32;
        i += 1;
    }
    halves
};
static WHOLES: [u64; 80] = CUBE_ROOTS;

sha2! {
    /// SHA-256: the schedule, whose first 16 numbers are the block, and the state.
    sha256 schedule256 u32, 64, HALVES, [7, 18, 3], [17, 19, 10], [2, 13, 22], [6, 11, 25]
}
sha2! {
    /// SHA-512: as SHA-256.
    sha512 schedule512 u64, 80, WHOLES, [1, 8, 7], [19, 61, 6], [28, 34, 39], [14, 18, 41]
}

/// Constants of Keccak's last step.
const ROUNDS: [u64; 24] = [
    0x0000000000000001,
    0x0000000000008082,
    0x800000000000808a,
    0x8000000080008000,
    0x000000000000808b,
    0x0000000080000001,
    0x8000000080008081,
    0x8000000000008009,
    0x000000000000008a,
    0x0000000000000088,
    0x0000000080008009,
    0x000000008000000a,
    0x000000008000808b,
    0x800000000000008b,
    0x8000000000008089,
    0x8000000000008003,
    0x8000000000008002,
    0x8000000000000080,
    0x000000000000800a,
    0x800000008000000a,
    0x8000000080008081,
    0x8000000000008080,
    0x0000000080000001,
    0x8000000080008008,
];
/// How far lanes are rotated, and where they go, in the order in which one displaces the next.
const MOVES: [(usize, u32); 24] = [
    (10, 1),
    (7, 3),
    (11, 6),
    (17, 10),
    (18, 15),
    (3, 21),
    (5, 28),
    (16, 36),
    (8, 45),
    (21, 55),
    (24, 2),
    (4, 14),
    (15, 27),
    (23, 41),
    (19, 56),
    (13, 8),
    (12, 25),
    (2, 43),
    (20, 62),
    (14, 18),
    (22, 39),
    (9, 61),
    (6, 20),
    (1, 44),
];

/// Where each lane comes from, and how far it is rotated.
const ORIGINS: [(usize, u32); 25] = {
    let mut origins = [(0, 0); 25];
    let (mut from, mut i) = (1, 0);
    while i < 24 {
        let (to, by) = MOVES[i];
        origins[to] = (from, by);
        from = to;
        i += 1;
    }
    origins
};

/// The permutation of SHA-3 on its 25 lanes.
pub(super) fn keccak(a: &mut [u64; 25]) {
    if machine::keccak(a).is_none() {
        permute(a);
    }
}
/// The same, in the instructions of its caller.
#[inline(always)]
pub(super) fn permute(a: &mut [u64; 25]) {
    let mut lanes = *a;
    // the next round writes to other registers, so two of them need no copies
    for two in ROUNDS.chunks_exact(2) {
        let between = keccak_round(&lanes, two[0]);
        lanes = keccak_round(&between, two[1]);
    }
    *a = lanes;
}
#[inline(always)]
fn keccak_round(a: &[u64; 25], constant: u64) -> [u64; 25] {
    let c: [u64; 5] = std::array::from_fn(|x| a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
    let d: [u64; 5] = std::array::from_fn(|x| c[(x + 4) % 5] ^ c[(x + 1) % 5].rotate_left(1));
    let mut next = [0; 25];
    // a macro: the compiler does not unroll such a long loop, and an index that it does not know costs four times the time
    macro_rules! rows {
        ($($y:literal)*) => {$(
            let row: [u64; 5] = std::array::from_fn(|x| {
                let (from, by) = ORIGINS[5 * $y + x];
                (a[from] ^ d[from % 5]).rotate_left(by)
            });
            for x in 0..5 {
                next[5 * $y + x] = row[x] ^ (!row[(x + 1) % 5] & row[(x + 2) % 5]);
            }
        )*};
    }
    rows!(0 1 2 3 4);
    next[0] ^= constant;
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The block of the message "abc", padded, with numbers of 4 bytes.
    fn abc(big: bool) -> [u32; 16] {
        let mut x = [0; 16];
        x[0] = 0x6162_6380;
        x[15] = 24;
        if !big {
            x[0] = 0x8063_6261;
            (x[14], x[15]) = (24, 0);
        }
        x
    }

    #[test]
    fn abc_has_the_digests_of_the_standards() {
        let mut md = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
        md5(&mut md, &abc(false));
        assert_eq!(md, [0x98500190, 0xb04fd23c, 0x7d3f96d6, 0x727fe128]);

        let mut sha = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
        let mut w = [0; 80];
        w[..16].copy_from_slice(&abc(true));
        sha1(&mut sha, &mut w);
        assert_eq!(
            sha,
            [0xa9993e36, 0x4706816a, 0xba3e2571, 0x7850c26c, 0x9cd0d89d]
        );

        let wide = [
            0x6a09e667f3bcc908,
            0xbb67ae8584caa73b,
            0x3c6ef372fe94f82b,
            0xa54ff53a5f1d36f1,
            0x510e527fade682d1,
            0x9b05688c2b3e6c1f,
            0x1f83d9abfb41bd6b,
            0x5be0cd19137e2179_u64,
        ];
        let mut half = wide.map(|w| (w >> 32) as u32);
        let mut w = [0; 64];
        w[..16].copy_from_slice(&abc(true));
        sha256(&mut half, &mut w);
        assert_eq!(
            half,
            [
                0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3, 0x96177a9c, 0xb410ff61,
                0xf20015ad
            ]
        );

        let mut whole = wide;
        let mut w = [0; 80];
        (w[0], w[15]) = (0x6162_6380_0000_0000, 24);
        sha512(&mut whole, &mut w);
        assert_eq!(
            (whole[0], whole[7]),
            (0xddaf35a193617aba, 0x2a9ac94fa54ca49f)
        );

        let mut lanes = [0; 25];
        (lanes[0], lanes[16]) = (0x0000_0000_0663_6261, 1 << 63);
        keccak(&mut lanes);
        assert_eq!(
            lanes[0].to_le_bytes(),
            [0x3a, 0x98, 0x5d, 0xa7, 0x4f, 0xe2, 0x25, 0xb2]
        );
    }
}
