//! The table of intrinsics: the method, a check that the Rust code fits the arguments, and that code.

use super::armed::Work;
use super::arrays::{has, read, write};
use super::{ciphers, hashing, numbers, polynomials, streams};
use crate::heap::array_bytes;
use crate::ids::Ref;
use crate::jdk;
use crate::vm::Vm;

/// A method that runs as Rust code.
pub(super) struct Intrinsic {
    /// Class, name and descriptor.
    pub method: [&'static str; 3],
    /// The work for these argument slots. None if bytecodes do it: an exception is due.
    pub prepare: fn(&Vm, &[u64]) -> Option<Work>,
    /// Does it. Returns the method's result.
    pub run: fn(&mut Vm, &Work) -> u64,
}

macro_rules! intrinsics {
    ($($class:literal { $($name:literal $descriptor:literal $prepare:path, $run:path;)* })*) => {
        &[$($(Intrinsic {
            method: [$class, $name, $descriptor],
            prepare: $prepare,
            run: $run,
        }),*),*]
    };
}

/// All of them.
pub(super) static INTRINSICS: &[Intrinsic] = intrinsics! {
    "sun/security/provider/MD5" {
        "implCompress" "([BI)V" hashing::for_md5, hashing::md5;
    }
    "sun/security/provider/SHA" {
        "implCompress" "([BI)V" hashing::for_sha1, hashing::sha1;
    }
    "sun/security/provider/SHA2" {
        "implCompress" "([BI)V" hashing::for_sha2, hashing::sha2;
    }
    "sun/security/provider/SHA5" {
        "implCompress" "([BI)V" hashing::for_sha5, hashing::sha5;
    }
    "sun/security/provider/SHA3" {
        "implCompress" "([BI)V" hashing::for_sha3, hashing::sha3;
        "keccak" "()V" hashing::for_keccak, hashing::keccak;
        "keccak" "([J)V" hashing::for_lanes, hashing::keccak;
    }
    "com/sun/crypto/provider/AESCrypt" {
        "implEncryptBlock" "([BI[BI)V" for_aes, encrypt;
        "implDecryptBlock" "([BI[BI)V" for_aes, decrypt;
    }
    "com/sun/crypto/provider/GHASH" {
        "blockMult" "([J[J)V" for_ghash, ghash;
    }
    "com/sun/crypto/provider/ChaCha20Cipher" {
        "chaCha20Block" "([IJ[B)V" streams::for_block, streams::block;
        "implChaCha20Block" "([I[B)I" streams::for_counted_block, streams::block;
        "xor" "([BI[BI[BII)V" streams::for_sum, streams::sum;
    }
    "sun/security/util/math/intpoly/IntegerPolynomialP256" {
        "mult" "([J[J[J)V" polynomials::for_mult, polynomials::p256;
        "square" "([J[J)V" polynomials::for_square, polynomials::p256;
    }
    "sun/security/util/math/intpoly/IntegerPolynomial25519" {
        "mult" "([J[J[J)V" polynomials::for_mult, polynomials::curve25519;
        "square" "([J[J)V" polynomials::for_square, polynomials::curve25519;
    }
    "sun/security/util/math/intpoly/MontgomeryIntegerPolynomialP256" {
        "mult" "([J[J[J)V" polynomials::for_montgomery, polynomials::montgomery;
    }
    "java/math/BigInteger" {
        "implMulAdd" "([I[IIII)I" for_mul_add, mul_add;
        "implMultiplyToLen" "([II[II[I)[I" for_multiply, multiply;
    }
};

/// The object in an argument slot.
pub(super) fn object(slot: u64) -> Ref {
    Ref(slot as u32)
}

/// An offset or a length in an argument slot, unless it is negative.
pub(super) fn number(slot: u64) -> Option<usize> {
    usize::try_from(slot as i32).ok()
}

fn for_aes(vm: &Vm, a: &[u64]) -> Option<Work> {
    let (from, to) = ((object(a[1]), number(a[2])?), (object(a[3]), number(a[4])?));
    aes_work(vm, object(a[0]), from, to)
}
/// A block that an `AESCrypt` encrypts or decrypts.
pub(super) fn aes_work(vm: &Vm, this: Ref, from: (Ref, usize), to: (Ref, usize)) -> Option<Work> {
    let keys = vm.get(this, jdk::aes_crypt::K).ok()?;
    let limit = usize::try_from(vm.get(this, jdk::aes_crypt::LIMIT).ok()?).ok()?;
    let rounds = [jdk::aes_crypt::ROUNDS_12, jdk::aes_crypt::ROUNDS_14];
    let [twelve, fourteen] = rounds.map(|f| vm.get(this, f).is_ok_and(|v| v));
    let size = match (limit, twelve, fourteen) {
        (40, false, false) | (48, true, false) | (56, true, true) => limit + 4,
        _ => return None,
    };
    let fit = [from, to].iter().all(|&(r, at)| has(&vm.heap, r, at, 16));
    (fit && has(&vm.heap, keys, 0, size)).then_some(Work {
        key: limit as u64,
        refs: [from.0, to.0, keys, Ref::NULL],
        numbers: [from.1, to.1, size, 0],
        ..Work::default()
    })
}
/// Its keys; `numbers[2]` of them count.
pub(super) fn aes_keys(vm: &Vm, work: &Work) -> [u32; 60] {
    let mut keys = [0; 60];
    read(&vm.heap, work.refs[2], 0, &mut keys[..work.numbers[2]]);
    keys
}
/// The keys of an `AESCrypt` that was looked at, and how many of them count.
pub(super) fn keys_of(vm: &Vm, cipher: Ref) -> ([u32; 60], usize) {
    let found = vm.get(cipher, jdk::aes_crypt::K);
    let limit = vm.get(cipher, jdk::aes_crypt::LIMIT);
    let (found, limit) = (found.expect("keys"), limit.expect("their number"));
    let (mut keys, n) = ([0; 60], limit as usize + 4);
    read(&vm.heap, found, 0, &mut keys[..n]);
    (keys, n)
}
fn aes(vm: &mut Vm, work: &Work, encrypts: bool) -> u64 {
    let keys = &aes_keys(vm, work)[..work.numbers[2]];
    let bytes = &vm.heap.bytes(work.refs[0])[work.numbers[0]..];
    let mut block: [u8; 16] = *bytes.first_chunk().expect("a block");
    ciphers::on_blocks(keys, &mut block, encrypts);
    vm.heap.bytes_mut(work.refs[1])[work.numbers[1]..][..16].copy_from_slice(&block);
    0
}
fn encrypt(vm: &mut Vm, work: &Work) -> u64 {
    aes(vm, work, true)
}
fn decrypt(vm: &mut Vm, work: &Work) -> u64 {
    aes(vm, work, false)
}

fn for_ghash(vm: &Vm, a: &[u64]) -> Option<Work> {
    let (state, subkey) = (object(a[0]), object(a[1]));
    let fit = has(&vm.heap, state, 0, 2) && has(&vm.heap, subkey, 0, 2);
    fit.then(|| Work {
        refs: [state, subkey, Ref::NULL, Ref::NULL],
        ..Work::default()
    })
}
fn ghash(vm: &mut Vm, work: &Work) -> u64 {
    let [mut state, mut subkey] = [[0; 2]; 2];
    read(&vm.heap, work.refs[0], 0, &mut state);
    read(&vm.heap, work.refs[1], 0, &mut subkey);
    // a block of zeros adds nothing
    ciphers::ghash(&mut state, subkey, &[0; 16]);
    write(&mut vm.heap, work.refs[0], 0, &state);
    0
}

/// `implMulAdd(out, in, offset, len, k)`: `out`, from its end less `offset` on, gets `in` times `k` added.
fn for_mul_add(vm: &Vm, a: &[u64]) -> Option<Work> {
    let (out, from) = (object(a[0]), object(a[1]));
    let (offset, len) = (number(a[2])?, number(a[3])?);
    if out == from || !has(&vm.heap, from, 0, len) || out.is_null() {
        return None;
    }
    let at = vm.heap.len(out).checked_sub(offset)?.checked_sub(len)?;
    Some(Work {
        key: len as u64,
        refs: [out, from, Ref::NULL, Ref::NULL],
        numbers: [at, len, a[4] as u32 as usize, 0],
        ..Work::default()
    })
}
fn mul_add(vm: &mut Vm, work: &Work) -> u64 {
    let [at, len, by, _] = work.numbers;
    u64::from(numbers::mul_add(
        &mut vm.heap,
        (work.refs[0], at),
        work.refs[1],
        len,
        by as u32,
    ))
}

/// `implMultiplyToLen(x, xlen, y, ylen, z)`: `z` gets the product. If it is null or too short, a new array does.
fn for_multiply(vm: &Vm, a: &[u64]) -> Option<Work> {
    let (x, y, z) = (object(a[0]), object(a[2]), object(a[4]));
    let (xs, ys) = (number(a[1])?, number(a[3])?);
    let fit = xs > 0 && ys > 0 && has(&vm.heap, x, 0, xs) && has(&vm.heap, y, 0, ys);
    let is_short = !z.is_null() && vm.heap.len(z) < xs + ys;
    let z = if is_short { Ref::NULL } else { z };
    let is_new = z.is_null();
    let fit = fit && (is_new || has(&vm.heap, z, 0, xs + ys) && z != x && z != y);
    fit.then(|| Work {
        key: u64::from(is_new) << 63 | u64::from(is_short) << 62 | (xs as u64) << 31 | ys as u64,
        refs: [x, y, z, Ref::NULL],
        numbers: [xs, ys, 0, 0],
        allocates: if is_new { array_bytes(xs + ys, 2) } else { 0 },
    })
}
fn multiply(vm: &mut Vm, work: &Work) -> u64 {
    let [x, y, z, _] = work.refs;
    let [xs, ys, ..] = work.numbers;
    let z = match z.is_null() {
        true => vm.quick_array(vm.class_of(x), xs + ys),
        false => z,
    };
    numbers::multiply(&mut vm.heap, (x, xs), (y, ys), z);
    u64::from(z.0)
}
