//! Base64 (RFC 4648): loops over groups of 3 bytes, or of 4 characters.

use super::arrays::{has, read};
use super::machine;
use super::table::{number, object};
use crate::ids::Ref;
use crate::vm::Vm;

/// In `encodeBlock`, while `sp0 < sl`: rounds of 3 bytes, which become 4.
pub(super) fn for_encoding(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let (from, to, digits) = (object(l[1]), object(l[4]), object(l[7]));
    let (end, at, put) = (number(l[3])?, number(l[8])?, number(l[9])?);
    // the condition holds for the round that begins, and has to hold for the next
    let rounds = end.checked_sub(at)?.checked_sub(1)? / 3;
    let fit = has(&vm.heap, from, at, rounds * 3) && has(&vm.heap, to, put, rounds * 4);
    (fit && from != to && has(&vm.heap, digits, 0, 64)).then_some((0, rounds))
}
pub(super) fn encode(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let (from, to) = (object(l[1]), object(l[4]));
    let (at, put) = (l[8] as u32 as usize, l[9] as u32 as usize);
    let mut digits = [0_u16; 64];
    read(&vm.heap, object(l[7]), 0, &mut digits);
    let digits = digits.map(|c| c as u8);
    let (bytes, characters) = vm.heap.apart(from, to);
    let characters = &mut characters[put..][..rounds * 4];
    encode_groups(&digits, &bytes[at..][..rounds * 3], characters);
    (l[8], l[9]) = ((at + rounds * 3) as u64, (put + rounds * 4) as u64);
}
fn encode_groups(digits: &[u8; 64], from: &[u8], to: &mut [u8]) {
    let done = machine::encode_base64(digits, from, to).unwrap_or(0);
    let groups = to[done / 3 * 4..].chunks_exact_mut(4);
    for (from, to) in from[done..].chunks_exact(3).zip(groups) {
        let bits = u32::from_be_bytes([0, from[0], from[1], from[2]]);
        for (i, to) in to.iter_mut().enumerate() {
            *to = digits[(bits >> (18 - 6 * i)) as usize & 63];
        }
    }
}

/// Rounds in which characters are looked at before.
const LOOKED_AT: usize = 16384;
/// What characters have that are none of the alphabet.
const NONE: u8 = 128;

/// The digits of all characters, if there are no others than an alphabet has.
fn values_of(vm: &Vm, values: Ref) -> Option<[u8; 256]> {
    let mut ints = [0_u32; 256];
    read(&vm.heap, values, 0, &mut ints);
    let none = |v: u32| (v as i32) < 0;
    let fit = ints.iter().all(|&v| none(v) || v < 64);
    let fit = fit && ints[128..].iter().all(|&v| none(v));
    fit.then(|| ints.map(|v| if none(v) { NONE } else { v as u8 }))
}
fn low_half(values: &[u8; 256]) -> &[u8; 128] {
    values.first_chunk().expect("128 values")
}

/// In `decodeBlock`, while `sp < sl0`: rounds of 4 characters, all of the alphabet, which become 3 bytes.
pub(super) fn for_decoding(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let (from, to, values) = (object(l[1]), object(l[4]), object(l[8]));
    let (at, end, put) = (number(l[2])?, number(l[9])?, number(l[10])?);
    let rounds = (end.checked_sub(at)?.checked_sub(1)? / 4).min(LOOKED_AT);
    let fit = has(&vm.heap, from, at, rounds * 4) && has(&vm.heap, to, put, rounds * 3);
    if !fit || from == to || !has(&vm.heap, values, 0, 256) {
        return None;
    }
    let values = values_of(vm, values)?;
    let input = &vm.heap.bytes(from)[at..at + rounds * 4];
    Some((0, in_alphabet(&values, input) / 4))
}
/// How many characters from the first on have digits.
fn in_alphabet(values: &[u8; 256], from: &[u8]) -> usize {
    let done = machine::are_base64(low_half(values), from).unwrap_or(0);
    let is_digit = |b: &&u8| values[usize::from(**b)] != NONE;
    done + from[done..].iter().take_while(is_digit).count()
}
pub(super) fn decode(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let (from, to) = (object(l[1]), object(l[4]));
    let (at, put) = (l[2] as u32 as usize, l[10] as u32 as usize);
    let values = values_of(vm, object(l[8])).expect("checked before");
    let (characters, bytes) = vm.heap.apart(from, to);
    let bytes = &mut bytes[put..][..rounds * 3];
    decode_groups(&values, &characters[at..][..rounds * 4], bytes);
    (l[2], l[10]) = ((at + rounds * 4) as u64, (put + rounds * 3) as u64);
}
fn decode_groups(values: &[u8; 256], from: &[u8], to: &mut [u8]) {
    let done = machine::decode_base64(low_half(values), from, to).unwrap_or(0);
    let groups = to[done / 4 * 3..].chunks_exact_mut(3);
    for (from, to) in from[done..].chunks_exact(4).zip(groups) {
        let digit = |b: u8| u32::from(values[usize::from(b)]);
        let bits = from.iter().fold(0, |bits, &b| bits << 6 | digit(b));
        to.copy_from_slice(&bits.to_be_bytes()[1..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_as_in_the_standard() {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut values = [NONE; 256];
        for (i, &c) in alphabet.iter().enumerate() {
            values[usize::from(c)] = i as u8;
        }
        // RFC 4648, 10
        let mut six = [0; 8];
        encode_groups(alphabet, b"foobar", &mut six);
        assert_eq!(&six, b"Zm9vYmFy");
        for groups in [0, 1, 7, 8, 9, 15, 16, 17, 100] {
            let bytes: Vec<u8> = (0..3 * groups)
                .map(|i: usize| (i * 37 + i / 7) as u8)
                .collect();
            let mut characters = vec![0; 4 * groups];
            encode_groups(alphabet, &bytes, &mut characters);
            for (from, to) in bytes.chunks(3).zip(characters.chunks(4)) {
                let bits = from.iter().fold(0, |bits, &b| bits << 8 | usize::from(b));
                let expected = [18, 12, 6, 0].map(|at| alphabet[bits >> at & 63]);
                assert_eq!(to, expected);
            }
            assert_eq!(in_alphabet(&values, &characters), 4 * groups);
            let mut back = vec![0; 3 * groups];
            decode_groups(&values, &characters, &mut back);
            assert_eq!(back, bytes);
            for at in (0..4 * groups).step_by(5) {
                for other in [b'=', b'-', 0, 127, 128, b'A' + 128] {
                    let mut damaged = characters.clone();
                    damaged[at] = other;
                    assert_eq!(in_alphabet(&values, &damaged), at, "{other}");
                }
            }
        }
    }
}
