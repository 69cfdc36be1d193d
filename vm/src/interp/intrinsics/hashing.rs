//! Digests: the compression of one block, and of many in a loop.

use super::armed::Work;
use super::arrays::{has, read, write};
use super::digests;
use super::machine;
use super::table::{number, object};
use crate::ids::Ref;
use crate::jdk;
use crate::vm::Vm;

/// What a digest compresses with.
#[derive(Clone, Copy)]
pub(super) enum DigestKind {
    Md5,
    Sha1,
    Sha256,
    Sha512,
    Keccak,
}

/// Compresses whole blocks, if the processor has instructions for it.
pub(super) type Machine<T, const S: usize> = fn(&mut [T; S], &[u8]) -> Option<()>;
pub(super) fn none(_: &mut [u64; 8], _: &[u8]) -> Option<()> {
    None
}

/// A digest's arrays.
#[derive(Clone, Copy)]
pub(super) struct Digest {
    pub kind: DigestKind,
    /// The bytes of a block.
    pub block: usize,
    pub state: Ref,
    /// What it keeps besides: the schedule, or the state as numbers. MD5 keeps its state alone, and so does SHA-3 where the state
    /// is an array of numbers.
    pub schedule: Ref,
}

impl Digest {
    /// If it has all arrays.
    fn of(vm: &Vm, this: Ref, kind: DigestKind) -> Option<Digest> {
        let (state, schedule, sizes, block) = match kind {
            DigestKind::Md5 => {
                let state = vm.get(this, jdk::md5::STATE).ok()?;
                (state, state, (4, 4), 64)
            }
            DigestKind::Sha1 => {
                let state = vm.get(this, jdk::sha::STATE).ok()?;
                (state, vm.get(this, jdk::sha::W).ok()?, (5, 80), 64)
            }
            DigestKind::Sha256 => {
                let state = vm.get(this, jdk::sha2::STATE).ok()?;
                (state, vm.get(this, jdk::sha2::W).ok()?, (8, 64), 64)
            }
            DigestKind::Sha512 => {
                let state = vm.get(this, jdk::sha5::STATE).ok()?;
                (state, vm.get(this, jdk::sha5::W).ok()?, (8, 80), 128)
            }
            DigestKind::Keccak => {
                let buffer = vm.get(this, jdk::digest_base::BUFFER).ok()?;
                let block = (!buffer.is_null()).then(|| vm.heap.len(buffer))?;
                if let Some(words) = vm.has_field(jdk::sha3::WORDS) {
                    let lanes = vm.get(this, words).ok()?;
                    (lanes, lanes, (25, 25), block)
                } else {
                    let state = vm.get(this, vm.has_field(jdk::sha3::STATE)?).ok()?;
                    let lanes = vm.get(this, vm.has_field(jdk::sha3::LANES)?).ok()?;
                    (state, lanes, (200, 25), block)
                }
            }
        };
        let fit = has(&vm.heap, state, 0, sizes.0) && has(&vm.heap, schedule, 0, sizes.1);
        (fit && block <= 200).then_some(Digest {
            kind,
            block,
            state,
            schedule,
        })
    }
    /// The bytes of its state, if that is an array of numbers.
    pub fn state_bytes(&self) -> usize {
        match self.kind {
            DigestKind::Md5 => 16,
            DigestKind::Sha1 => 20,
            DigestKind::Sha256 => 32,
            DigestKind::Sha512 => 64,
            DigestKind::Keccak => 200,
        }
    }
    /// What decides the branches where a block begins at `at`: bytes are read by `VarHandle`s, with other bytecodes where
    /// numbers are not aligned.
    fn key(&self, at: usize) -> u64 {
        (self.block << 3 | at & 7) as u64
    }
    /// Compresses so many blocks of an array of bytes.
    fn compress(&self, vm: &mut Vm, bytes: Ref, at: usize, blocks: usize) {
        match self.kind {
            DigestKind::Md5 => {
                let mut state = [0; 4];
                read(&vm.heap, self.state, 0, &mut state);
                for block in vm.heap.bytes(bytes)[at..].chunks_exact(64).take(blocks) {
                    digests::md5(&mut state, &words(block, u32::from_le_bytes));
                }
                write(&mut vm.heap, self.state, 0, &state);
            }
            DigestKind::Sha1 => {
                let with = (
                    machine::sha1 as Machine<u32, 5>,
                    digests::schedule1 as fn(&mut _),
                );
                self.scheduled(
                    vm,
                    (bytes, at, blocks),
                    u32::from_be_bytes,
                    digests::sha1,
                    with,
                );
            }
            DigestKind::Sha256 => {
                let with = (
                    machine::sha256 as Machine<u32, 8>,
                    digests::schedule256 as fn(&mut _),
                );
                self.scheduled(
                    vm,
                    (bytes, at, blocks),
                    u32::from_be_bytes,
                    digests::sha256,
                    with,
                );
            }
            DigestKind::Sha512 => {
                let with = (none as Machine<u64, 8>, digests::schedule512 as fn(&mut _));
                self.scheduled(
                    vm,
                    (bytes, at, blocks),
                    u64::from_be_bytes,
                    digests::sha512,
                    with,
                );
            }
            DigestKind::Keccak if self.state == self.schedule => {
                let mut lanes = [0; 25];
                read(&vm.heap, self.state, 0, &mut lanes);
                for i in 0..blocks {
                    let block = &vm.heap.bytes(bytes)[at + i * self.block..][..self.block];
                    // numbers of 8 bytes, as many as there are
                    for (lane, bytes) in lanes.iter_mut().zip(block.chunks_exact(8)) {
                        *lane ^= u64::from_le_bytes(*bytes.first_chunk().expect("8 bytes"));
                    }
                    digests::keccak(&mut lanes);
                }
                write(&mut vm.heap, self.state, 0, &lanes);
            }
            DigestKind::Keccak => {
                let mut state: [u8; 200] =
                    *vm.heap.bytes(self.state).first_chunk().expect("its state");
                let mut lanes = [0; 25];
                for i in 0..blocks {
                    let block = &vm.heap.bytes(bytes)[at + i * self.block..][..self.block];
                    for (to, b) in state.iter_mut().zip(block) {
                        *to ^= b;
                    }
                    lanes = permute(&mut state);
                }
                vm.heap.bytes_mut(self.state)[..200].copy_from_slice(&state);
                write(&mut vm.heap, self.schedule, 0, &lanes);
            }
        }
    }
    /// The same for digests that keep the schedule of the last block.
    fn scheduled<T: super::arrays::Number, const B: usize, const S: usize, const W: usize>(
        &self,
        vm: &mut Vm,
        (bytes, at, blocks): (Ref, usize, usize),
        of: fn([u8; B]) -> T,
        compress: fn(&mut [T; S], &mut [T; W]),
        (machine, extend): (Machine<T, S>, fn(&mut [T; W])),
    ) {
        let (mut state, mut schedule) = ([T::default(); S], [T::default(); W]);
        read(&vm.heap, self.state, 0, &mut state);
        let blocks = &vm.heap.bytes(bytes)[at..at + blocks * 16 * B];
        match (
            machine(&mut state, blocks),
            blocks.rchunks_exact(16 * B).next(),
        ) {
            (Some(()), Some(last)) => {
                schedule[..16].copy_from_slice(&words(last, of));
                extend(&mut schedule);
            }
            _ => {
                for block in blocks.chunks_exact(16 * B) {
                    schedule[..16].copy_from_slice(&words(block, of));
                    compress(&mut state, &mut schedule);
                }
            }
        }
        write(&mut vm.heap, self.state, 0, &state);
        write(&mut vm.heap, self.schedule, 0, &schedule);
    }
}

/// The numbers in a block.
pub(super) fn words<const N: usize, T: Default + Copy>(
    block: &[u8],
    of: impl Fn([u8; N]) -> T,
) -> [T; 16] {
    let mut words = [T::default(); 16];
    for (w, bytes) in words.iter_mut().zip(block.chunks_exact(N)) {
        *w = of(*bytes.first_chunk().expect("all bytes of a number"));
    }
    words
}
/// The permutation of SHA-3 on a state; returns its lanes.
fn permute(state: &mut [u8; 200]) -> [u64; 25] {
    let mut lanes = [0; 25];
    for (lane, bytes) in lanes.iter_mut().zip(state.chunks_exact(8)) {
        *lane = u64::from_le_bytes(*bytes.first_chunk().expect("8 bytes"));
    }
    digests::keccak(&mut lanes);
    for (lane, bytes) in lanes.iter().zip(state.chunks_exact_mut(8)) {
        bytes.copy_from_slice(&lane.to_le_bytes());
    }
    lanes
}

/// `implCompress(b, ofs)`.
fn for_block(vm: &Vm, a: &[u64], kind: DigestKind) -> Option<Work> {
    let (bytes, at) = (object(a[1]), number(a[2])?);
    let digest = Digest::of(vm, object(a[0]), kind)?;
    has(&vm.heap, bytes, at, digest.block).then(|| Work {
        key: digest.key(at),
        refs: [bytes, digest.state, digest.schedule, Ref::NULL],
        numbers: [at, digest.block, 0, 0],
        ..Work::default()
    })
}
fn block(vm: &mut Vm, work: &Work, kind: DigestKind) -> u64 {
    let [bytes, state, schedule, _] = work.refs;
    let digest = Digest {
        kind,
        block: work.numbers[1],
        state,
        schedule,
    };
    digest.compress(vm, bytes, work.numbers[0], 1);
    0
}
macro_rules! digests {
    ($($prepare:ident $run:ident $kind:ident)*) => { $(
        pub(super) fn $prepare(vm: &Vm, a: &[u64]) -> Option<Work> {
            for_block(vm, a, DigestKind::$kind)
        }
        pub(super) fn $run(vm: &mut Vm, work: &Work) -> u64 {
            block(vm, work, DigestKind::$kind)
        }
    )* };
}
digests! {
    for_md5 md5 Md5
    for_sha1 sha1 Sha1
    for_sha2 sha2 Sha256
    for_sha5 sha5 Sha512
    for_sha3 sha3 Keccak
}

/// The digest of a `DigestBase`.
pub(super) fn digest_of(vm: &Vm, this: Ref) -> Option<Digest> {
    let kinds = [
        (
            jdk::sha2::CLASS,
            "sun/security/provider/SHA2",
            DigestKind::Sha256,
        ),
        (
            jdk::sha::CLASS,
            "sun/security/provider/SHA",
            DigestKind::Sha1,
        ),
        (
            jdk::md5::CLASS,
            "sun/security/provider/MD5",
            DigestKind::Md5,
        ),
        (
            jdk::sha5::CLASS,
            "sun/security/provider/SHA5",
            DigestKind::Sha512,
        ),
        (
            jdk::sha3::CLASS,
            "sun/security/provider/SHA3",
            DigestKind::Keccak,
        ),
    ];
    let kind = kinds.into_iter().find(|k| vm.is_a(this, k.0))?;
    if !vm.intrinsic_is_on(kind.1, "implCompress") {
        return None;
    }
    Digest::of(vm, this, kind.2)
}
/// In `implCompressMultiBlock0(b, ofs, limit)`, while `ofs <= limit`.
pub(super) fn for_blocks(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let (this, bytes) = (object(l[0]), object(l[1]));
    let (at, limit) = (number(l[2])?, number(l[3])?);
    let digest = digest_of(vm, this)?;
    let size = vm.get(this, jdk::digest_base::BLOCK_SIZE).ok()?;
    if usize::try_from(size) != Ok(digest.block) {
        return None;
    }
    // the condition holds for the round that begins, and has to hold for the next
    let rounds = limit.checked_sub(at)? / digest.block;
    let class = u64::from(vm.class_of(this).0);
    let fit = has(&vm.heap, bytes, at, rounds * digest.block);
    fit.then_some((class << 16 | digest.key(at), rounds))
}
pub(super) fn blocks(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let digest = digest_of(vm, object(l[0])).expect("checked before");
    let at = l[2] as u32 as usize;
    digest.compress(vm, object(l[1]), at, rounds);
    l[2] = (at + rounds * digest.block) as u64;
}

/// The permutation alone, where digests of any length are put out.
pub(super) fn for_keccak(vm: &Vm, a: &[u64]) -> Option<Work> {
    let digest = Digest::of(vm, object(a[0]), DigestKind::Keccak)?;
    Some(Work {
        refs: [digest.state, digest.schedule, Ref::NULL, Ref::NULL],
        ..Work::default()
    })
}
/// The same of an array of numbers.
pub(super) fn for_lanes(vm: &Vm, a: &[u64]) -> Option<Work> {
    let lanes = object(a[0]);
    has(&vm.heap, lanes, 0, 25).then(|| Work {
        refs: [lanes, lanes, Ref::NULL, Ref::NULL],
        ..Work::default()
    })
}
pub(super) fn keccak(vm: &mut Vm, work: &Work) -> u64 {
    if work.refs[0] == work.refs[1] {
        let mut lanes = [0; 25];
        read(&vm.heap, work.refs[0], 0, &mut lanes);
        digests::keccak(&mut lanes);
        write(&mut vm.heap, work.refs[0], 0, &lanes);
        return 0;
    }
    let mut state: [u8; 200] = *vm
        .heap
        .bytes(work.refs[0])
        .first_chunk()
        .expect("its state");
    let lanes = permute(&mut state);
    vm.heap.bytes_mut(work.refs[0])[..200].copy_from_slice(&state);
    write(&mut vm.heap, work.refs[1], 0, &lanes);
    0
}
