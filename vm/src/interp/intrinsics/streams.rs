//! ChaCha20 (RFC 8439): a block of the stream of keys, and its sum with a text.

use super::armed::Work;
use super::arrays::{has, read, write};
use super::machine;
use super::table::{number, object};
use crate::ids::Ref;
use crate::jdk::cha_cha20;
use crate::vm::Vm;

/// The first numbers of a state: "expand 32-byte k".
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// The bytes that are made of a state.
pub(super) fn stream(state: &[u32; 16]) -> [u8; 64] {
    let mut v = *state;
    let mut quarter = |a: usize, b: usize, c: usize, d: usize| {
        for (x, y, by, turn) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
            v[x] = v[x].wrapping_add(v[y]);
            v[by] = (v[by] ^ v[x]).rotate_left(turn);
        }
    };
    for _ in 0..10 {
        for i in 0..4 {
            quarter(i, 4 + i, 8 + i, 12 + i);
        }
        for i in 0..4 {
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
        }
    }
    let mut bytes = [0; 64];
    for (i, to) in bytes.chunks_exact_mut(4).enumerate() {
        to.copy_from_slice(&v[i].wrapping_add(state[i]).to_le_bytes());
    }
    bytes
}

/// `chaCha20Block(initState, counter, result)`.
pub(super) fn for_block(vm: &Vm, a: &[u64]) -> Option<Work> {
    // the counter takes two slots
    let (state, result) = (object(a[0]), object(a[3]));
    let fit = has(&vm.heap, state, 0, 16) && has(&vm.heap, result, 0, 64);
    fit.then(|| Work {
        refs: [state, result, Ref::NULL, Ref::NULL],
        numbers: [a[1] as u32 as usize, 0, 0, 0],
        ..Work::default()
    })
}
/// `implChaCha20Block(initState, result)`: the counter is in the state already.
pub(super) fn for_counted_block(vm: &Vm, a: &[u64]) -> Option<Work> {
    let (state, result) = (object(a[0]), object(a[1]));
    let fit = has(&vm.heap, state, 0, 16) && has(&vm.heap, result, 0, 64);
    fit.then(|| Work {
        refs: [state, result, Ref::NULL, Ref::NULL],
        numbers: [vm.heap.elem::<u32>(state, 12) as usize, 0, 0, 0],
        ..Work::default()
    })
}
/// Returns how many bytes it has put out, where the method returns a number.
pub(super) fn block(vm: &mut Vm, work: &Work) -> u64 {
    let mut state = [0; 16];
    read(&vm.heap, work.refs[0], 0, &mut state);
    state[..4].copy_from_slice(&CONSTANTS);
    state[12] = work.numbers[0] as u32;
    let bytes = stream(&state);
    vm.heap.bytes_mut(work.refs[1])[..64].copy_from_slice(&bytes);
    64
}

/// `xor(in1, off1, in2, off2, out, outOff, len)`: numbers of 8 bytes while there are as many, then bytes.
pub(super) fn for_sum(vm: &Vm, a: &[u64]) -> Option<Work> {
    let [first, second, out] = [a[0], a[2], a[4]].map(object);
    let [at, second_at, put, len] = [number(a[1])?, number(a[3])?, number(a[5])?, number(a[6])?];
    let fit = [(first, at), (second, second_at), (out, put)]
        .iter()
        .all(|&(r, at)| has(&vm.heap, r, at, len));
    // more do not come at once: a block is summed up
    (fit && len <= 64 && first != out).then_some(Work {
        key: (len << 9 | (at & 7) << 6 | (second_at & 7) << 3 | put & 7) as u64,
        refs: [first, second, out, Ref::NULL],
        numbers: [at, second_at, put, len],
        ..Work::default()
    })
}
pub(super) fn sum(vm: &mut Vm, work: &Work) -> u64 {
    let [first, second, out, _] = work.refs;
    let [at, second_at, put, len] = work.numbers;
    let mut done = 0;
    // in the order of the bytecodes: what is put out may lie over the input
    while done < len {
        let n = if len - done < 8 { 1 } else { 8 };
        let mut piece = [0; 8];
        let inputs = [(first, at), (second, second_at)];
        for (r, at) in inputs {
            let bytes = &vm.heap.bytes(r)[at + done..][..n];
            for (to, b) in piece.iter_mut().zip(bytes) {
                *to ^= b;
            }
        }
        vm.heap.bytes_mut(out)[put + done..][..n].copy_from_slice(&piece[..n]);
        done += n;
    }
    0
}

/// Bytes of a block.
const BLOCK: usize = 64;
/// Blocks that are made at once.
const PIECE: usize = 64;

/// The blocks from a state on.
fn streams(state: &[u32; 16], to: &mut [u8]) {
    let done = machine::keystream(state, to).unwrap_or(0);
    let mut state = *state;
    state[12] = state[12].wrapping_add(done as u32);
    for block in to[done * BLOCK..].chunks_exact_mut(BLOCK) {
        block.copy_from_slice(&stream(&state));
        state[12] = state[12].wrapping_add(1);
    }
}

/// In `chaCha20Transform(in, inOff, inLen, out, outOff)`, while `remainingData > 0`: rounds that make a block, and use it up.
pub(super) fn for_transform(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let this = object(l[0]);
    let state = vm.get(this, cha_cha20::START_STATE).ok()?;
    let stream = vm.get(this, cha_cha20::KEY_STREAM).ok()?;
    let (counter, last) = (
        vm.get(this, cha_cha20::COUNTER).ok()?,
        vm.get(this, cha_cha20::FINAL_COUNTER).ok()?,
    );
    let offset = vm.get(this, cha_cha20::OFFSET).ok()?;
    // newer ones have room for more blocks than bytecodes make at once
    let (limit, room) = match vm.has_field(cha_cha20::LIMIT) {
        Some(f) => (vm.get(this, f).ok()?, 1024),
        None => (BLOCK as i32, BLOCK),
    };
    let (from, to) = (object(l[1]), object(l[4]));
    let (at, put, left) = (number(l[2])?, number(l[5])?, number(l[6])?);
    // the last block has another branch, also a whole one
    let rounds = left.checked_sub(1)? / BLOCK;
    let before_last = usize::try_from(last.checked_sub(counter)?).ok()?;
    let rounds = rounds.min(before_last);
    let used_up = offset.checked_sub(limit)? >= 0;
    if !used_up || state.is_null() || stream.is_null() || [from, to].contains(&stream) {
        return None;
    }
    let alone = from != to || at == put;
    let fit = vm.heap.len(state) == 16 && vm.heap.len(stream) == room;
    let fit =
        fit && has(&vm.heap, from, at, rounds * BLOCK) && has(&vm.heap, to, put, rounds * BLOCK);
    (alone && fit).then_some(((at as u64 & 7) << 3 | put as u64 & 7, rounds))
}
pub(super) fn transform(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let this = object(l[0]);
    let arrays = [
        vm.get(this, cha_cha20::START_STATE),
        vm.get(this, cha_cha20::KEY_STREAM),
    ];
    let [start, stream] = arrays.map(|r| r.expect("checked before"));
    let counter = vm.get(this, cha_cha20::COUNTER).expect("checked before") as u64;
    let (from, to) = (object(l[1]), object(l[4]));
    let [at, put, left] = [l[2], l[5], l[6]].map(|n| n as u32 as usize);
    let mut state = [0; 16];
    read(&vm.heap, start, 0, &mut state);
    state[..4].copy_from_slice(&CONSTANTS);
    for begin in (0..rounds).step_by(PIECE) {
        let n = PIECE.min(rounds - begin) * BLOCK;
        state[12] = (counter as u32).wrapping_add(begin as u32);
        let mut key = [0; PIECE * BLOCK];
        streams(&state, &mut key[..n]);
        if begin + PIECE >= rounds {
            let last = &key[n - BLOCK..n];
            vm.heap.bytes_mut(stream)[..BLOCK].copy_from_slice(last);
        }
        let begin = begin * BLOCK;
        let input = &vm.heap.bytes(from)[at + begin..][..n];
        for (key, b) in key.iter_mut().zip(input) {
            *key ^= b;
        }
        vm.heap.bytes_mut(to)[put + begin..][..n].copy_from_slice(&key[..n]);
    }
    let counted = counter.wrapping_add(rounds as u64);
    let mut done = vm.set(this, cha_cha20::COUNTER, counted as i64);
    done = done.and(vm.set(this, cha_cha20::OFFSET, BLOCK as i32));
    if let Some(f) = vm.has_field(cha_cha20::LIMIT) {
        done = done.and(vm.set(this, f, BLOCK as i32));
        // these have the last block's counter in the state
        write(&mut vm.heap, start, 12, &[counted.wrapping_sub(1) as u32]);
    }
    done.expect("checked before");
    let n = rounds * BLOCK;
    (l[2], l[5], l[6]) = ((at + n) as u64, (put + n) as u64, (left - n) as u64);
    // the rest of a block, all of which is taken
    (l[7], l[8]) = (BLOCK as u64, BLOCK as u64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_blocks_are_as_single_ones() {
        let mut state: [u32; 16] =
            std::array::from_fn(|i| 0x9e37_79b9_u32.wrapping_mul(i as u32 + 1));
        state[12] = u32::MAX - 20;
        let mut all = vec![0; 40 * BLOCK];
        streams(&state, &mut all);
        for block in all.chunks(BLOCK) {
            assert_eq!(block, stream(&state), "{}", state[12]);
            state[12] = state[12].wrapping_add(1);
        }
    }

    #[test]
    fn a_block_is_that_of_the_standard() {
        // RFC 8439, 2.3.2
        let mut state = [0; 16];
        state[..4].copy_from_slice(&CONSTANTS);
        for i in 0..8 {
            let b = 4 * i as u8;
            state[4 + i] = u32::from_le_bytes([b, b + 1, b + 2, b + 3]);
        }
        state[12..].copy_from_slice(&[1, 0x0900_0000, 0x4a00_0000, 0]);
        let bytes = stream(&state);
        assert_eq!(bytes[..4], [0x10, 0xf1, 0xe7, 0xe4]);
        assert_eq!(bytes[60..], [0xa2, 0x50, 0x3c, 0x4e]);
    }
}
