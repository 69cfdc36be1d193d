//! The table of loops whose rounds can be passed over.

use super::arrays::{has, read, write};
use super::{ciphers, numbers, table};
use crate::ids::Ref;
use crate::jdk;
use crate::vm::Vm;
use table::{number, object};

/// A loop. Its method has a known body.
pub(super) struct Loop {
    /// Class, name and descriptor of the method.
    pub method: [&'static str; 3],
    /// Index of the bytecode at which rounds begin: one that the loop branches to.
    pub begins: u16,
    /// How often control comes there in a round.
    pub arrivals: u32,
    /// For these locals: what decides the branches of the next round, and how many rounds there are like it, after
    /// which another one begins or the loop's condition is next.
    pub prepare: fn(&Vm, &[u64]) -> Option<(u64, usize)>,
    /// Does so many of them.
    pub run: fn(&mut Vm, &mut [u64], usize),
}

/// All of them.
pub(super) static LOOPS: &[Loop] = &[
    Loop {
        method: ["java/util/zip/CRC32C", "updateBytes", "(I[BII)I"],
        begins: 82,
        arrivals: 1,
        prepare: for_crc,
        run: crc,
    },
    Loop {
        method: ["java/util/Base64$Encoder", "encodeBlock", "([BII[BIZ)V"],
        begins: 29,
        arrivals: 1,
        prepare: for_encoding,
        run: encode,
    },
    Loop {
        method: ["java/util/Base64$Decoder", "decodeBlock", "([BII[BIZZ)I"],
        begins: 36,
        arrivals: 1,
        prepare: for_decoding,
        run: decode,
    },
    Loop {
        method: [
            "com/sun/crypto/provider/GHASH",
            "processBlocks",
            "([BII[J[J)V",
        ],
        begins: 7,
        arrivals: 1,
        prepare: for_ghash,
        run: ghash,
    },
    Loop {
        method: [
            "com/sun/crypto/provider/CounterMode",
            "implCrypt",
            "([BII[BI)I",
        ],
        begins: 3,
        arrivals: 16,
        prepare: for_counter,
        run: counter,
    },
    Loop {
        method: ["java/math/BigInteger", "montReduce", "([I[III)[I"],
        begins: 9,
        arrivals: 1,
        prepare: for_reduction,
        run: reduce,
    },
    Loop {
        method: ["java/math/BigInteger", "implSquareToLen", "([II[II)[I"],
        begins: 86,
        arrivals: 1,
        prepare: for_square,
        run: square,
    },
];

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
    let mut crc = l[0] as u32;
    for eight in vm.heap.bytes(object(l[1]))[at..at + n].chunks_exact(8) {
        let v = u64::from_le_bytes(*eight.first_chunk().expect("8 bytes")) ^ u64::from(crc);
        let bytes = v.to_le_bytes().into_iter().rev().zip(&CASTAGNOLI);
        crc = bytes.fold(0, |sum, (b, table)| sum ^ table[usize::from(b)]);
    }
    (l[0], l[2]) = (u64::from(crc), (at + n) as u64);
}

/// In `encodeBlock`, while `sp0 < sl`: rounds of 3 bytes, which become 4.
fn for_encoding(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let (from, to, digits) = (object(l[1]), object(l[4]), object(l[7]));
    let (end, at, put) = (number(l[3])?, number(l[8])?, number(l[9])?);
    // the condition holds for the round that begins, and has to hold for the next
    let rounds = end.checked_sub(at)?.checked_sub(1)? / 3;
    let fit = has(&vm.heap, from, at, rounds * 3) && has(&vm.heap, to, put, rounds * 4);
    (fit && from != to && has(&vm.heap, digits, 0, 64)).then_some((0, rounds))
}
fn encode(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let (from, to, digits) = (object(l[1]), object(l[4]), object(l[7]));
    let (at, put) = (l[8] as u32 as usize, l[9] as u32 as usize);
    let digits: [u8; 64] = std::array::from_fn(|i| vm.heap.elem::<u16>(digits, i) as u8);
    let input = vm.heap.bytes(from)[at..at + rounds * 3].to_vec();
    let output = &mut vm.heap.bytes_mut(to)[put..put + rounds * 4];
    for (from, to) in input.chunks_exact(3).zip(output.chunks_exact_mut(4)) {
        let bits = u32::from_be_bytes([0, from[0], from[1], from[2]]);
        for (i, to) in to.iter_mut().enumerate() {
            *to = digits[(bits >> (18 - 6 * i)) as usize & 63];
        }
    }
    (l[8], l[9]) = ((at + rounds * 3) as u64, (put + rounds * 4) as u64);
}

/// Rounds in which characters are looked at beforehand.
const LOOKED_AT: usize = 1024;

/// In `decodeBlock`, while `sp < sl0`: rounds of 4 characters, all of the alphabet, which become 3 bytes.
fn for_decoding(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let (from, to, values) = (object(l[1]), object(l[4]), object(l[8]));
    let (at, end, put) = (number(l[2])?, number(l[9])?, number(l[10])?);
    let rounds = (end.checked_sub(at)?.checked_sub(1)? / 4).min(LOOKED_AT);
    let fit = has(&vm.heap, from, at, rounds * 4) && has(&vm.heap, to, put, rounds * 3);
    if !fit || from == to || !has(&vm.heap, values, 0, 256) {
        return None;
    }
    let is_digit = |&b: &u8| vm.heap.elem::<i32>(values, b.into()) >= 0;
    let input = &vm.heap.bytes(from)[at..at + rounds * 4];
    Some((0, input.iter().take_while(|b| is_digit(b)).count() / 4))
}
fn decode(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let (from, to, values) = (object(l[1]), object(l[4]), object(l[8]));
    let (at, put) = (l[2] as u32 as usize, l[10] as u32 as usize);
    let values: [u32; 256] = std::array::from_fn(|i| vm.heap.elem(values, i));
    let input = vm.heap.bytes(from)[at..at + rounds * 4].to_vec();
    let output = &mut vm.heap.bytes_mut(to)[put..put + rounds * 3];
    for (from, to) in input.chunks_exact(4).zip(output.chunks_exact_mut(3)) {
        let bits = from
            .iter()
            .fold(0, |bits, &b| bits << 6 | values[usize::from(b)]);
        to.copy_from_slice(&bits.to_be_bytes()[1..]);
    }
    (l[2], l[10]) = ((at + rounds * 4) as u64, (put + rounds * 3) as u64);
}

/// In `processBlocks(data, inOfs, blocks, st, subH)`, while `blocks > 0`.
fn for_ghash(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let (data, state, subkey) = (object(l[0]), object(l[3]), object(l[4]));
    let (blocks, at) = (number(l[2])?, number(l[5])?);
    let rounds = blocks.checked_sub(1)?;
    let fit = has(&vm.heap, data, at, rounds * 16);
    let fit = fit && has(&vm.heap, state, 0, 2) && has(&vm.heap, subkey, 0, 2);
    (fit && state != subkey).then_some((at as u64 & 7, rounds))
}
fn ghash(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let (data, state, subkey) = (object(l[0]), object(l[3]), object(l[4]));
    let (blocks, at) = (l[2] as u32 as usize, l[5] as u32 as usize);
    let [mut sum, mut by] = [[0; 2]; 2];
    read(&vm.heap, state, 0, &mut sum);
    read(&vm.heap, subkey, 0, &mut by);
    let by = ciphers::Multiples::of(by);
    for block in vm.heap.bytes(data)[at..at + rounds * 16].chunks_exact(16) {
        for (v, bytes) in sum.iter_mut().zip(block.chunks_exact(8)) {
            *v ^= u64::from_be_bytes(*bytes.first_chunk().expect("8 bytes"));
        }
        sum = by.times(sum);
    }
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
/// next one is encrypted. The one that carries to the next byte executes other bytecodes.
fn for_counter(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
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
    let left = 255 - usize::from(vm.heap.bytes(counter)[15]);
    let rounds = (len / 16).min(left);
    let fit = has(&vm.heap, from, at, rounds * 16) && has(&vm.heap, to, put, rounds * 16);
    fit.then_some((work.key, rounds))
}
fn counter(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let (from, to) = (object(l[1]), object(l[4]));
    let (at, len, put) = (
        l[2] as u32 as usize,
        l[3] as u32 as usize,
        l[5] as u32 as usize,
    );
    let Some([counter, encrypted, cipher]) = counter_arrays(vm, object(l[0])) else {
        panic!("this was looked at");
    };
    let work = table::aes_work(vm, cipher, (counter, 0), (encrypted, 0)).expect("AES");
    let keys = table::aes_keys(vm, &work);
    let keys = &keys[..work.numbers[2]];
    let mut next: [u8; 16] = *vm.heap.bytes(counter).first_chunk().expect("a block");
    let mut mask = [0; 16];
    for round in 0..rounds {
        mask = ciphers::on_bytes(keys, next, ciphers::encrypt);
        next[15] += 1;
        let input = &vm.heap.bytes(from)[at + round * 16..][..16];
        let output: [u8; 16] = std::array::from_fn(|i| input[i] ^ mask[i]);
        vm.heap.bytes_mut(to)[put + round * 16..][..16].copy_from_slice(&output);
    }
    vm.heap.bytes_mut(counter).copy_from_slice(&next);
    vm.heap.bytes_mut(encrypted).copy_from_slice(&mask);
    let n = rounds * 16;
    (l[2], l[3], l[5]) = ((at + n) as u64, (len - n) as u64, (put + n) as u64);
}

/// A round of a product: from element `at` of `out` on, `len` elements get those of `from` times `by` added; what is
/// carried out is added to the element before, and what is carried out there to the one before that.
struct Row {
    out: Ref,
    from: Ref,
    at: usize,
    len: usize,
    by: u32,
}

impl Row {
    /// What decides the branches of the round; `None`: it carries further, or ends in an exception.
    fn key(&self, vm: &Vm) -> Option<u64> {
        let (heap, at) = (&vm.heap, self.at);
        if self.out == self.from || at < 2 || self.len == 0 {
            return None;
        }
        if !has(heap, self.out, at, self.len) || !has(heap, self.from, 0, self.len) {
            return None;
        }
        let carry = numbers::carry(heap, (self.out, at), self.from, self.len, self.by);
        let (_, carries) = heap.elem::<u32>(self.out, at - 1).overflowing_add(carry);
        let further = carries && heap.elem::<u32>(self.out, at - 2) == u32::MAX;
        (!further).then_some((self.len as u64) << 1 | u64::from(carries))
    }
    fn run(&self, vm: &mut Vm) {
        let (heap, at) = (&mut vm.heap, self.at);
        let carry = numbers::mul_add(heap, (self.out, at), self.from, self.len, self.by);
        let (sum, carries) = heap.elem::<u32>(self.out, at - 1).overflowing_add(carry);
        heap.set_elem(self.out, at - 1, sum);
        if carries {
            let before = heap.elem::<u32>(self.out, at - 2);
            heap.set_elem(self.out, at - 2, before.wrapping_add(1));
        }
    }
}

/// In `montReduce(n, mod, mlen, inv)`, while `--len > 0`.
fn reduction(vm: &Vm, l: &[u64]) -> Option<Row> {
    let (out, from) = (object(l[0]), object(l[1]));
    let (len, offset) = (number(l[2])?, number(l[6])?);
    if out.is_null() {
        return None;
    }
    let last = vm.heap.len(out).checked_sub(1)?.checked_sub(offset)?;
    let by = vm.heap.elem::<u32>(out, last).wrapping_mul(l[3] as u32);
    let at = (last + 1).checked_sub(len)?;
    Some(Row {
        out,
        from,
        at,
        len,
        by,
    })
}
fn for_reduction(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let left = number(l[5])?;
    let key = reduction(vm, l).filter(|_| left > 1)?.key(vm)?;
    Some((key, 1))
}
fn reduce(vm: &mut Vm, l: &mut [u64], _: usize) {
    reduction(vm, l).expect("this was looked at").run(vm);
    l[5] -= 1;
    l[6] += 1;
}

/// In `implSquareToLen(x, len, z, zlen)`, while `i > 0`.
fn square_row(vm: &Vm, l: &[u64]) -> Option<Row> {
    let (from, out) = (object(l[0]), object(l[2]));
    let (i, offset) = (number(l[5])?, number(l[6])?);
    let len = i.checked_sub(1)?;
    if out.is_null() || !has(&vm.heap, from, len, 1) {
        return None;
    }
    let by = vm.heap.elem(from, len);
    let at = vm.heap.len(out).checked_sub(offset)?.checked_sub(len)?;
    Some(Row {
        out,
        from,
        at,
        len,
        by,
    })
}
fn for_square(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    Some((square_row(vm, l)?.key(vm)?, 1))
}
fn square(vm: &mut Vm, l: &mut [u64], _: usize) {
    square_row(vm, l).expect("this was looked at").run(vm);
    l[5] -= 1;
    l[6] += 2;
}
