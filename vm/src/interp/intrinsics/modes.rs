//! Loops over blocks in the modes of AES: GCM's sum, counter mode, chaining.

use super::arrays::{has, read, write};
use super::ciphers;
use super::table::{self, number, object};
use crate::ids::Ref;
use crate::jdk;
use crate::vm::Vm;

/// In `processBlocks(data, inOfs, blocks, st, subH)`, while `blocks > 0`.
pub(super) fn for_ghash(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let (data, state, subkey) = (object(l[0]), object(l[3]), object(l[4]));
    let (blocks, at) = (number(l[2])?, number(l[5])?);
    let rounds = blocks.checked_sub(1)?;
    let fit = has(&vm.heap, data, at, rounds * 16);
    let fit = fit && has(&vm.heap, state, 0, 2) && has(&vm.heap, subkey, 0, 2);
    (fit && state != subkey).then_some((at as u64 & 7, rounds))
}
pub(super) fn ghash(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let (data, state, subkey) = (object(l[0]), object(l[3]), object(l[4]));
    let (blocks, at) = (l[2] as u32 as usize, l[5] as u32 as usize);
    let [mut sum, mut by] = [[0; 2]; 2];
    read(&vm.heap, state, 0, &mut sum);
    read(&vm.heap, subkey, 0, &mut by);
    ciphers::ghash(&mut sum, by, &vm.heap.bytes(data)[at..at + rounds * 16]);
    write(&mut vm.heap, state, 0, &sum);
    (l[2], l[5]) = ((blocks - rounds) as u64, (at + rounds * 16) as u64);
}

/// The arrays of a `CounterMode` with AES, and the keys.
fn counter_arrays(vm: &Vm, this: Ref) -> Option<[Ref; 3]> {
    let cipher = vm.get(this, jdk::feedback_cipher::EMBEDDED_CIPHER).ok()?;
    if cipher.is_null() || !vm.is_a(cipher, jdk::aes_crypt::CLASS) {
        return None;
    }
    let counter = vm.get(this, jdk::counter_mode::COUNTER).ok()?;
    let encrypted = vm.get(this, jdk::counter_mode::ENCRYPTED_COUNTER).ok()?;
    Some([counter, encrypted, cipher])
}
/// In `implCrypt(in, inOff, len, out, outOff)`, while `len-- > 0`: each 16 times, when a counter has been used up, the
/// next one is encrypted. Where it carries, as many bytes more are counted up.
pub(super) fn for_counter(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let this = object(l[0]);
    let [counter, encrypted, cipher] = counter_arrays(vm, this)?;
    let used = vm.get(this, jdk::counter_mode::USED).ok()?;
    let size = vm.get(this, jdk::feedback_cipher::BLOCK_SIZE).ok()?;
    let (from, to) = (object(l[1]), object(l[4]));
    let (at, len, put) = (number(l[2])?, number(l[3])?, number(l[5])?);
    let own = [counter, encrypted];
    if used != 16
        || size != 16
        || from == to && at != put
        || own.contains(&from)
        || own.contains(&to)
        || counter == encrypted
        || own.iter().any(|&r| r.is_null() || vm.heap.len(r) != 16)
    {
        return None;
    }
    let work = table::aes_work(vm, cipher, (counter, 0), (encrypted, 0))?;
    let blocks = len / 16;
    let fit = has(&vm.heap, from, at, blocks * 16) && has(&vm.heap, to, put, blocks * 16);
    let first = u128::from_be_bytes(block_at(vm, counter, 0));
    fit.then(|| counters(work.key, first, blocks))
}
/// What decides the branches where a counter is used that has so many bytes to carry, and how many of so many blocks are alike.
fn counters(key: u64, counter: u128, blocks: usize) -> (u64, usize) {
    let carries = counter.trailing_ones() / 8;
    let alike = match carries {
        0 => 255 - (counter as usize & 255),
        _ => 1,
    };
    (key | u64::from(carries) << 8, blocks.min(alike))
}
/// The same after so many blocks.
pub(super) fn more_counters(vm: &Vm, l: &[u64], done: usize) -> Option<(u64, usize)> {
    let [counter, _, cipher] = counter_arrays(vm, object(l[0]))?;
    let key = vm.get(cipher, jdk::aes_crypt::LIMIT).ok()? as u64;
    let first = u128::from_be_bytes(block_at(vm, counter, 0));
    let blocks = (number(l[3])? / 16).checked_sub(done)?;
    Some(counters(key, first.wrapping_add(done as u128), blocks))
}
pub(super) fn counter(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let (from, to) = (object(l[1]), object(l[4]));
    let (at, len, put) = (
        l[2] as u32 as usize,
        l[3] as u32 as usize,
        l[5] as u32 as usize,
    );
    let arrays = counter_arrays(vm, object(l[0]));
    let [counter, encrypted, cipher] = arrays.expect("checked before");
    let (keys, count) = table::keys_of(vm, cipher);
    let keys = &keys[..count];
    let first = u128::from_be_bytes(block_at(vm, counter, 0));
    let (mut begin, mut done) = (first, 0);
    while done < rounds * 16 {
        // as many as the lowest byte has room for
        let n = (rounds * 16 - done).min((256 - (begin as usize & 255)) * 16);
        let (from, to) = ((from, at + done), (to, put + done));
        if from != to {
            vm.heap.copy_elems(from, to, n);
        }
        ciphers::add_counters(keys, begin, &mut vm.heap.bytes_mut(to.0)[to.1..][..n]);
        begin = begin.wrapping_add(n as u128 / 16);
        done += n;
    }
    let next = first.wrapping_add(rounds as u128);
    let mut mask = next.wrapping_sub(1).to_be_bytes();
    ciphers::on_blocks(keys, &mut mask, true);
    set_block(vm, counter, 0, &next.to_be_bytes());
    set_block(vm, encrypted, 0, &mask);
    let n = rounds * 16;
    (l[2], l[3], l[5]) = ((at + n) as u64, (len - n) as u64, (put + n) as u64);
}

/// The arrays of a `CipherBlockChaining` with AES: the block before, the one that is mixed with it, and the cipher.
fn chain_arrays(vm: &Vm, this: Ref) -> Option<[Ref; 3]> {
    let cipher = vm.get(this, jdk::feedback_cipher::EMBEDDED_CIPHER).ok()?;
    if cipher.is_null() || !vm.is_a(cipher, jdk::aes_crypt::CLASS) {
        return None;
    }
    let last = vm.get(this, jdk::cipher_block_chaining::LAST).ok()?;
    let mixed = vm.get(this, jdk::cipher_block_chaining::MIXED).ok()?;
    Some([last, mixed, cipher])
}
/// In `implEncrypt(in, inOff, len, out, outOff)` and `implDecrypt`, while `inOff < end`.
pub(super) fn for_chain(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let this = object(l[0]);
    let [last, mixed, cipher] = chain_arrays(vm, this)?;
    let (from, to) = (object(l[1]), object(l[4]));
    let (at, put, end) = (number(l[2])?, number(l[5])?, number(l[6])?);
    let own = [last, mixed];
    if vm.get(this, jdk::feedback_cipher::BLOCK_SIZE).ok()? != 16
        || last == mixed
        || own.contains(&from)
        || own.contains(&to)
        || own.iter().any(|&r| !has(&vm.heap, r, 0, 16))
    {
        return None;
    }
    // the condition holds for the round that begins, and has to hold for the next
    let rounds = end.checked_sub(at)?.checked_sub(1)? / 16;
    let work = table::aes_work(vm, cipher, (mixed, 0), (mixed, 0))?;
    let fit = has(&vm.heap, from, at, rounds * 16) && has(&vm.heap, to, put, rounds * 16);
    fit.then_some((work.key, rounds))
}
fn block_at(vm: &Vm, r: Ref, at: usize) -> [u8; 16] {
    let bytes = &vm.heap.bytes(r)[at..];
    *bytes.first_chunk().expect("a block")
}
fn set_block(vm: &mut Vm, r: Ref, at: usize, block: &[u8; 16]) {
    vm.heap.bytes_mut(r)[at..][..16].copy_from_slice(block);
}
fn sum(a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
    std::array::from_fn(|i| a[i] ^ b[i])
}
fn chain(vm: &mut Vm, l: &mut [u64], rounds: usize, encrypts: bool) {
    let (from, to) = (object(l[1]), object(l[4]));
    let (at, put) = (l[2] as u32 as usize, l[5] as u32 as usize);
    let arrays = chain_arrays(vm, object(l[0]));
    let [last, mixed, cipher] = arrays.expect("checked before");
    let (keys, count) = table::keys_of(vm, cipher);
    let keys = &keys[..count];
    let mut before = block_at(vm, last, 0);
    let mut mix = block_at(vm, mixed, 0);
    if encrypts && (from != to || at == put) {
        let end = (rounds - 1) * 16;
        let input = block_at(vm, from, at + end);
        vm.heap.copy_elems((from, at), (to, put), rounds * 16);
        let blocks = &mut vm.heap.bytes_mut(to)[put..][..rounds * 16];
        // what the last block is mixed with
        let (others, _) = blocks.split_at_mut(end);
        ciphers::encrypt_chain(keys, &mut before, others);
        mix = sum(input, before);
        ciphers::encrypt_chain(keys, &mut before, &mut blocks[end..]);
    } else if encrypts || from == to {
        for done in (0..rounds * 16).step_by(16) {
            let input = block_at(vm, from, at + done);
            if encrypts {
                mix = sum(input, before);
                before = mix;
                ciphers::on_blocks(keys, &mut before, true);
                set_block(vm, to, put + done, &before);
            } else {
                mix = input;
                ciphers::on_blocks(keys, &mut mix, false);
                set_block(vm, to, put + done, &sum(mix, before));
                // what is put out may lie over the input
                before = block_at(vm, from, at + done);
            }
        }
    } else {
        let n = rounds * 16;
        let (input, out) = vm.heap.apart(from, to);
        let (input, out) = (&input[at..][..n], &mut out[put..][..n]);
        ciphers::decrypt_chain(keys, &before, input, out);
        let block = |bytes: &[u8]| *bytes.last_chunk().expect("a block");
        if rounds > 1 {
            before = block(&input[..n - 16]);
        }
        mix = sum(block(out), before);
        before = block(input);
    }
    set_block(vm, last, 0, &before);
    set_block(vm, mixed, 0, &mix);
    let n = rounds * 16;
    (l[2], l[5]) = ((at + n) as u64, (put + n) as u64);
}
pub(super) fn encrypt_chain(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    chain(vm, l, rounds, true);
}
pub(super) fn decrypt_chain(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    chain(vm, l, rounds, false);
}

/// In `implECBEncrypt(in, inOff, len, out, outOff)` and `implECBDecrypt`, while `i >= blockSize`.
pub(super) fn for_blocks(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let cipher = vm
        .get(object(l[0]), jdk::feedback_cipher::EMBEDDED_CIPHER)
        .ok()?;
    let size = vm.get(object(l[0]), jdk::feedback_cipher::BLOCK_SIZE);
    if cipher.is_null() || !vm.is_a(cipher, jdk::aes_crypt::CLASS) || size.ok()? != 16 {
        return None;
    }
    let (from, to) = (object(l[1]), object(l[4]));
    let (at, put, left) = (number(l[2])?, number(l[5])?, number(l[6])?);
    // the condition is next where a round begins
    let rounds = left / 16;
    let fit = has(&vm.heap, from, at, rounds * 16) && has(&vm.heap, to, put, rounds * 16);
    let work = table::aes_work(vm, cipher, (from, at), (to, put))?;
    fit.then_some((work.key, rounds))
}
fn separate(vm: &mut Vm, l: &mut [u64], rounds: usize, encrypts: bool) {
    let cipher = vm.get(object(l[0]), jdk::feedback_cipher::EMBEDDED_CIPHER);
    let cipher = cipher.expect("checked before");
    let (from, to) = (object(l[1]), object(l[4]));
    let [at, put, left] = [l[2], l[5], l[6]].map(|n| n as u32 as usize);
    let (keys, count) = table::keys_of(vm, cipher);
    let keys = &keys[..count];
    let n = rounds * 16;
    let step = match from == to && at != put {
        // what is put out may lie over the input
        true => 16,
        // as many as the processor's nearest cache has room for
        false => 4096,
    };
    for done in (0..n).step_by(step) {
        let step = step.min(n - done);
        if (from, at) != (to, put) {
            vm.heap
                .copy_elems((from, at + done), (to, put + done), step);
        }
        let blocks = &mut vm.heap.bytes_mut(to)[put + done..][..step];
        ciphers::on_blocks(keys, blocks, encrypts);
    }
    (l[2], l[5], l[6]) = ((at + n) as u64, (put + n) as u64, (left - n) as u64);
}
pub(super) fn encrypt_blocks(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    separate(vm, l, rounds, true);
}
pub(super) fn decrypt_blocks(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    separate(vm, l, rounds, false);
}
