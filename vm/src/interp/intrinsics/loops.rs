//! The table of loops whose rounds can be passed over.

use super::arrays::has;
use super::rounds::RoundEffects;
use super::table::{number, object};
use super::{base64, derivation, hashing, machine, modes, polynomials, products, streams};
use crate::vm::Vm;

/// A loop. Its method has a known body.
pub(super) struct Loop {
    /// Class, name and descriptor of the method.
    pub method: [&'static str; 3],
    /// Bodies that the method has in some builds of the JDK (see `known`), each with the index of the bytecode at which rounds
    /// begin: one that the loop branches to.
    pub bodies: &'static [(u64, u16)],
    /// How often control comes there in a round.
    pub arrivals: u32,
    pub rounds: Rounds,
}

/// Facts about rounds at the beginning of one.
pub(super) enum Rounds {
    /// They come in sequences of the same branches.
    Alike {
        /// For these locals: the value that decides the branches of the next round, and how many rounds there are like it, after
        /// which a different one begins or the loop's condition is next.
        prepare: fn(&Vm, &[u64]) -> Option<(u64, usize)>,
        /// Does so many of them.
        run: fn(&mut Vm, &mut [u64], usize),
        /// For these locals: the elements of a `byte[]` that each of them allocates. `run` allocates them, too.
        allocates: Option<fn(&Vm, &[u64]) -> usize>,
        /// The same as `prepare`, for rounds after so many others.
        more: Option<fn(&Vm, &[u64], usize) -> Option<(u64, usize)>>,
    },
    /// What they compute decides the branches of each. For these locals: the rounds, if any of them can be done.
    Varied(fn(&Vm, &[u64]) -> Option<Box<dyn Varied>>),
}

/// Rounds, one of which is known after the other. They are done on copies.
pub(super) trait Varied {
    /// The value that decides the branches of the next round, after which a different one begins or the loop's condition is next.
    fn next(&mut self) -> Option<u64>;
    /// That round is taken.
    fn take(&mut self);
    /// Writes what the rounds that were taken leave behind.
    fn finish(&mut self, vm: &mut Vm, locals: &mut [u64]);
    /// Takes rounds whose effects are at hand, as many as cost no more than `room` bytecodes. `key`: of the next round, if it
    /// is known. What they cost, how many they are, and the key of the next round if there is one.
    fn take_all(
        &mut self,
        key: Option<u64>,
        room: i64,
        effects: &mut RoundEffects,
    ) -> (i64, u64, Option<u64>) {
        take_each(self, key, room, effects)
    }
}

/// Takes one round after the other; see [`Varied::take_all`].
pub(super) fn take_each(
    rounds: &mut (impl Varied + ?Sized),
    key: Option<u64>,
    room: i64,
    effects: &mut RoundEffects,
) -> (i64, u64, Option<u64>) {
    let (mut cost, mut taken) = (0, 0);
    let mut key = key.or_else(|| rounds.next());
    while let Some(next) = key {
        match effects.effect(next) {
            Some(effect) if cost + effect.cost <= room => cost += effect.cost,
            _ => break,
        }
        rounds.take();
        effects.take(next, 1);
        taken += 1;
        key = rounds.next();
    }
    (cost, taken, key)
}

macro_rules! loops {
    ($($class:literal { $($name:literal $descriptor:literal [$($body:literal $begins:literal),*] $arrivals:literal $rounds:expr;)* })*) => {
        &[$($(Loop {
            method: [$class, $name, $descriptor],
            bodies: &[$(($body, $begins)),*],
            arrivals: $arrivals,
            rounds: $rounds,
        }),*),*]
    };
}

const fn alike(
    prepare: fn(&Vm, &[u64]) -> Option<(u64, usize)>,
    run: fn(&mut Vm, &mut [u64], usize),
) -> Rounds {
    Rounds::Alike {
        prepare,
        run,
        allocates: None,
        more: None,
    }
}

/// All of them, with the bodies, the bytecodes where rounds begin and the arrivals there.
pub(super) static LOOPS: &[Loop] = loops! {
    "java/util/zip/CRC32C" {
        "updateBytes" "(I[BII)I" [0x61a7806ac5e6b569 82, 0xa1f8e1ee446486a6 89] 1 alike(for_crc, crc);
    }
    "java/util/Base64$Encoder" {
        "encodeBlock" "([BII[BIZ)V" [0x530b00ad2192c3c0 29] 1 alike(base64::for_encoding, base64::encode);
    }
    "java/util/Base64$Decoder" {
        "decodeBlock" "([BII[BIZZ)I" [0x10f9cf6dcc46e0c4 36] 1 alike(base64::for_decoding, base64::decode);
    }
    "sun/security/provider/DigestBase" {
        "implCompressMultiBlock0" "([BII)I" [0x0d1e9c87058275ae 5] 1 alike(hashing::for_blocks, hashing::blocks);
    }
    "com/sun/crypto/provider/GHASH" {
        "processBlocks" "([BII[J[J)V" [0x3adf53fc3611330c 7] 1 alike(modes::for_ghash, modes::ghash);
    }
    "com/sun/crypto/provider/CounterMode" {
        "implCrypt" "([BII[BI)I" [0x0f2b72f600e84f0e 3] 16 Rounds::Alike {
            prepare: modes::for_counter,
            run: modes::counter,
            allocates: None,
            more: Some(modes::more_counters),
        };
    }
    "com/sun/crypto/provider/ElectronicCodeBook" {
        "implECBEncrypt" "([BII[BI)I" [0x19d933290248ab8e 3] 1 alike(modes::for_blocks, modes::encrypt_blocks);
        "implECBDecrypt" "([BII[BI)I" [0x0b2de8b7cb8a13f6 3] 1 alike(modes::for_blocks, modes::decrypt_blocks);
    }
    "com/sun/crypto/provider/PBKDF2KeyImpl" {
        "deriveKey" "(Ljavax/crypto/Mac;[B[BII)[B" [0xebc0aef70475e7ac 176] 1 Rounds::Alike {
            prepare: derivation::for_rounds,
            run: derivation::rounds,
            allocates: Some(derivation::allocates),
            more: None,
        };
    }
    "com/sun/crypto/provider/Poly1305" {
        "engineUpdate" "([BII)V" [0xea2b8f564a1cce3c 102] 1 alike(polynomials::for_poly1305, polynomials::poly1305);
        "processMultipleBlocks" "([BII[J[J)V" [0x5fa37eb1e715eec8 6] 1 alike(polynomials::for_poly1305, polynomials::poly1305);
    }
    "com/sun/crypto/provider/ChaCha20Cipher" {
        "chaCha20Transform" "([BII[BI)V" [0x32305058431fb574 3, 0x4e7ecc67d4c80b9e 3] 1 alike(streams::for_transform, streams::transform);
    }
    "com/sun/crypto/provider/CipherBlockChaining" {
        "implEncrypt" "([BII[BI)I" [0x310c2c0046e68bdb 11] 1 alike(modes::for_chain, modes::encrypt_chain);
        "implDecrypt" "([BII[BI)I" [0x538caa9de10ce22b 11] 1 alike(modes::for_chain, modes::decrypt_chain);
    }
    "java/math/BigInteger" {
        "montReduce" "([I[III)[I" [0xb881a1ec3eca76a1 9] 1 Rounds::Varied(products::reduction);
        "implSquareToLen" "([II[II)[I" [0x1b1296235b9060ba 15] 1 alike(products::for_squares, products::squares);
        "implSquareToLen" "([II[II)[I" [0x1b1296235b9060ba 86] 1 Rounds::Varied(products::square);
        "shiftLeftImplWorker" "([I[IIII)V" [0x24eda8f620ef6bf8 16] 1 alike(products::for_shift, products::shift);
    }
    "java/math/MutableBigInteger" {
        "mulsub" "([I[IIII)I" [0x1324d3ff79f6a66d 29] 1 Rounds::Varied(products::multiple);
    }
};

/// `updateBytes(crc, b, off, end)`, while `off < end - 8`: rounds of 8 bytes.
fn for_crc(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let (bytes, at, end) = (object(l[1]), number(l[2])?, number(l[3])?);
    let rounds = end.checked_sub(8)?.checked_sub(at)?.div_ceil(8);
    (at.is_multiple_of(8) && has(&vm.heap, bytes, at, rounds * 8)).then_some((0, rounds))
}
/// CRC-32C (the Castagnoli polynomial, its bits the other way round): what a byte adds to the sum, by how many bytes
/// follow it.
static CASTAGNOLI: [[u32; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut i = 0;
    while i < 256 {
        let mut crc = i as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ ((crc & 1) * 0x82f6_3b78);
            bit += 1;
        }
        tables[0][i] = crc;
        i += 1;
    }
    let mut after = 1;
    while after < 8 {
        i = 0;
        while i < 256 {
            let crc = tables[after - 1][i];
            tables[after][i] = crc >> 8 ^ tables[0][crc as usize & 0xff];
            i += 1;
        }
        after += 1;
    }
    tables
};
fn crc(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let (at, n) = (l[2] as u32 as usize, rounds * 8);
    let bytes = &vm.heap.bytes(object(l[1]))[at..at + n];
    let crc = machine::crc32c(l[0] as u32, bytes).unwrap_or_else(|| {
        bytes.chunks_exact(8).fold(l[0] as u32, |crc, eight| {
            let v = u64::from_le_bytes(*eight.first_chunk().expect("8 bytes")) ^ u64::from(crc);
            let bytes = v.to_le_bytes().into_iter().rev().zip(&CASTAGNOLI);
            bytes.fold(0, |sum, (b, table)| sum ^ table[usize::from(b)])
        })
    });
    (l[0], l[2]) = (u64::from(crc), (at + n) as u64);
}
