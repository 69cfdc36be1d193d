//! Rounds of PBKDF2: a sum of two digests each, whose first blocks are always the same.

use super::arrays::{Number, has, read, write};
use super::digests;
use super::hashing::{Digest, DigestKind, Machine, digest_of, none, words};
use super::machine;
use super::table::object;
use crate::ids::Ref;
use crate::jdk;
use crate::vm::Vm;

/// What SHA-1 begins with.
const SHA1_BEGINS: [u32; 5] = [
    0x6745_2301,
    0xefcd_ab89,
    0x98ba_dcfe,
    0x1032_5476,
    0xc3d2_e1f0,
];
/// Bytes of the largest block.
const LARGEST: usize = 128;

/// The objects of a round.
struct Derivation {
    digest: Digest,
    /// The digest's object, and its array of the bytes that are not a block yet.
    this: Ref,
    buffer: Ref,
    /// What the digest begins with; SHA-1 has no array of it.
    begins: Option<Ref>,
    /// The first blocks of the inner and of the outer digest.
    pads: [Ref; 2],
    /// The digest of the round before, and the sum of all of them.
    last: Ref,
    sum: Ref,
    /// How many bytes a digest has.
    len: usize,
}

impl Derivation {
    /// If a round begins with these locals of `deriveKey(prf, password, salt, iterCount, keyLengthInBit)`.
    fn of(vm: &Vm, l: &[u64]) -> Option<Derivation> {
        let field = |r: crate::throw::R<Ref>| r.ok().filter(|r| !r.is_null());
        let (mac, last, sum) = (object(l[0]), object(l[10]), object(l[11]));
        if mac.is_null() || !vm.is_a(mac, jdk::mac::CLASS) {
            return None;
        }
        let spi = field(vm.get(mac, jdk::mac::SPI))?;
        let is_begun = vm.get(mac, jdk::mac::INITIALIZED).ok()?;
        if !is_begun || !vm.is_a(spi, jdk::hmac_core::CLASS) {
            return None;
        }
        let outside = field(vm.get(spi, jdk::hmac_core::MD))?;
        let is_first = vm.get(spi, jdk::hmac_core::IS_FIRST).ok()?;
        if !is_first || !vm.is_a(outside, jdk::digest_delegate::CLASS) {
            return None;
        }
        let pads = [
            field(vm.get(spi, jdk::hmac_core::INNER))?,
            field(vm.get(spi, jdk::hmac_core::OUTER))?,
        ];
        let this = field(vm.get(outside, jdk::digest_delegate::SPI))?;
        let digest = digest_of(vm, this)?;
        let begins = match digest.kind {
            DigestKind::Sha1 => None,
            DigestKind::Sha256 => Some(field(vm.get(this, jdk::sha2::INITIAL))?),
            DigestKind::Sha512 => Some(field(vm.get(this, jdk::sha5::INITIAL))?),
            DigestKind::Md5 | DigestKind::Keccak => return None,
        };
        // after a digest, before the next one begins
        if vm.get(this, jdk::digest_base::PROCESSED).ok()? != -1 {
            return None;
        }
        let buffer = field(vm.get(this, jdk::digest_base::BUFFER))?;
        let len = vm.get(this, jdk::digest_base::DIGEST_LENGTH).ok()?;
        let block = vm.get(this, jdk::digest_base::BLOCK_SIZE).ok()?;
        let (len, block) = (usize::try_from(len).ok()?, usize::try_from(block).ok()?);
        // a digest and its length fit into the second block
        let numbers = len.is_multiple_of(4) && len > 0 && len <= digest.state_bytes();
        let arrays = [last, sum, buffer, pads[0], pads[1]];
        let sizes = [len, len, block, block, block];
        let mut fit = arrays.iter().zip(sizes).enumerate();
        let fit = fit
            .all(|(i, (&r, n))| !r.is_null() && vm.heap.len(r) == n && !arrays[..i].contains(&r));
        let begin = begins.is_none_or(|r| has(&vm.heap, r, 0, 8) && vm.heap.len(r) == 8);
        (numbers && block == digest.block && fit && begin).then_some(Derivation {
            digest,
            this,
            buffer,
            begins,
            pads,
            last,
            sum,
            len,
        })
    }
    /// Does so many rounds.
    fn run<T: Number, const B: usize, const S: usize, const W: usize>(
        &self,
        vm: &mut Vm,
        rounds: usize,
        state: [T; S],
        with: &Compression<T, B, S, W>,
    ) {
        let block = 16 * B;
        let [mut inner, mut outer] = [state; 2];
        for (state, pad) in [&mut inner, &mut outer].into_iter().zip(self.pads) {
            with.compress(state, &vm.heap.bytes(pad)[..block]);
        }
        let mut state = state;
        let mut bytes = [0; LARGEST];
        bytes[self.len] = 0x80;
        let bits = (block + self.len) as u32 * 8;
        bytes[block - 4..block].copy_from_slice(&bits.to_be_bytes());
        let (mut last, mut sum) = ([0; LARGEST], [0; LARGEST]);
        last[..self.len].copy_from_slice(vm.heap.bytes(self.last));
        sum[..self.len].copy_from_slice(vm.heap.bytes(self.sum));
        let class = vm.class_of(self.last);
        for _ in 0..rounds {
            for (begin, from_last) in [(inner, true), (outer, false)] {
                if from_last {
                    bytes[..self.len].copy_from_slice(&last[..self.len]);
                } else {
                    with.put(&state, &mut bytes[..self.len]);
                }
                state = begin;
                with.compress(&mut state, &bytes[..block]);
            }
            with.put(&state, &mut last[..self.len]);
            for (sum, v) in sum.iter_mut().zip(&last[..self.len]) {
                *sum ^= v;
            }
            // what `engineDoFinal` returns
            let result = vm.quick_array(class, self.len);
            vm.heap.bytes_mut(result).copy_from_slice(&last[..self.len]);
        }
        let mut schedule = [T::default(); W];
        schedule[..16].copy_from_slice(&words(&bytes[..block], with.of));
        (with.extend)(&mut schedule);
        write(&mut vm.heap, self.digest.state, 0, &state);
        write(&mut vm.heap, self.digest.schedule, 0, &schedule);
        let buffer = vm.heap.bytes_mut(self.buffer);
        buffer.copy_from_slice(&bytes[..block]);
        let [last, sum] = [last, sum].map(|v| v[..self.len].to_vec());
        vm.heap.bytes_mut(self.last).copy_from_slice(&last);
        vm.heap.bytes_mut(self.sum).copy_from_slice(&sum);
        // the padding goes up to the last 8 bytes of the length
        let set = vm.set(self.this, jdk::digest_base::BUFFERED, block as i32 - 8);
        set.expect("checked before");
    }
}

/// How a digest compresses a block.
struct Compression<T, const B: usize, const S: usize, const W: usize> {
    of: fn([u8; B]) -> T,
    to: fn(T) -> [u8; B],
    machine: Machine<T, S>,
    portable: fn(&mut [T; S], &mut [T; W]),
    extend: fn(&mut [T; W]),
}

impl<T: Number, const B: usize, const S: usize, const W: usize> Compression<T, B, S, W> {
    fn compress(&self, state: &mut [T; S], block: &[u8]) {
        if (self.machine)(state, block).is_none() {
            let mut schedule = [T::default(); W];
            schedule[..16].copy_from_slice(&words(block, self.of));
            (self.portable)(state, &mut schedule);
        }
    }
    /// Writes a state's first bytes.
    fn put(&self, state: &[T; S], bytes: &mut [u8]) {
        for (bytes, &v) in bytes.chunks_mut(B).zip(state) {
            bytes.copy_from_slice(&(self.to)(v)[..bytes.len()]);
        }
    }
}

const SHA1: Compression<u32, 4, 5, 80> = Compression {
    of: u32::from_be_bytes,
    to: u32::to_be_bytes,
    machine: machine::sha1,
    portable: digests::sha1,
    extend: digests::schedule1,
};
const SHA256: Compression<u32, 4, 8, 64> = Compression {
    machine: machine::sha256,
    portable: digests::sha256,
    extend: digests::schedule256,
    of: SHA1.of,
    to: SHA1.to,
};
const SHA512: Compression<u64, 8, 8, 80> = Compression {
    of: u64::from_be_bytes,
    to: u64::to_be_bytes,
    machine: none,
    portable: digests::sha512,
    extend: digests::schedule512,
};

/// In `deriveKey(prf, password, salt, iterCount, keyLengthInBit)`, while `j <= iterCount`.
pub(super) fn for_rounds(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let (most, next) = (l[3] as i32, l[16] as i32);
    if next > most || next < 0 || most == i32::MAX {
        return None;
    }
    let d = Derivation::of(vm, l)?;
    let classes = [object(l[0]), d.this].map(|r| u64::from(vm.class_of(r).0));
    let rounds = usize::try_from(most - next).ok()? + 1;
    Some((classes[0] << 32 | classes[1], rounds))
}
/// The elements of the array that a round allocates.
pub(super) fn allocates(vm: &Vm, l: &[u64]) -> usize {
    vm.heap.len(object(l[10]))
}
pub(super) fn rounds(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let d = Derivation::of(vm, l).expect("checked before");
    match (d.digest.kind, d.begins) {
        (DigestKind::Sha256, Some(begins)) => d.run(vm, rounds, state(vm, begins), &SHA256),
        (DigestKind::Sha512, Some(begins)) => d.run(vm, rounds, state(vm, begins), &SHA512),
        _ => d.run(vm, rounds, SHA1_BEGINS, &SHA1),
    }
    let next = l[16] as u32 as usize + rounds;
    (l[16], l[17]) = (next as u64, d.len as u64);
}
/// The state that an array has.
fn state<T: Number>(vm: &Vm, array: Ref) -> [T; 8] {
    let mut state = [T::default(); 8];
    read(&vm.heap, array, 0, &mut state);
    state
}
