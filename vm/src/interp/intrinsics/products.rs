//! Loops over large numbers in `int[]`s, the most significant element first.

use super::arrays::{Number, has, write};
use super::loops::{Varied, take_each};
use super::numbers::{self, Elements, elements};
use super::rounds::{RoundEffects, key_of};
use super::table::{number, object};
use crate::ids::Ref;
use crate::vm::Vm;

/// How the rows of a product follow each other.
enum Rows {
    /// In `montReduce(n, mod, mlen, inv)`: `mod` times what makes the last element 0, each row one element further to
    /// the left.
    Reduction { inverse: u32 },
    /// In `implSquareToLen(x, len, z, zlen)`: the elements of `x` times the one after them, each row two elements
    /// further to the left and shorter by one.
    Square,
}

/// Rounds of a product: from element `at` of `out` on, `len` elements get those of another number times one number added;
/// the carry is added to the element before, and the carry of that to the element before it.
///
/// Elements are here with the least significant one first.
struct ProductRounds {
    rows: Rows,
    target: Ref,
    out: Vec<u32>,
    from: Vec<u32>,
    /// The loop's counter, which goes down, and where the row is.
    left: usize,
    offset: usize,
    /// The next row has been added to `out`: by what it was multiplied, its first element in `from`, and the two elements after it
    /// as they were.
    next: Option<(u32, usize, [u32; 2])>,
}

impl ProductRounds {
    fn of(
        vm: &Vm,
        out: u64,
        from: u64,
        len: usize,
        rows: Rows,
        left: usize,
        offset: usize,
    ) -> Option<Box<dyn Varied>> {
        let (target, from) = (object(out), object(from));
        if target.is_null() || target == from || !has(&vm.heap, from, 0, len) {
            return None;
        }
        Some(Box::new(ProductRounds {
            rows,
            target,
            out: numbers::reversed(&vm.heap, target, 0, vm.heap.len(target)),
            from: numbers::reversed(&vm.heap, from, 0, len),
            left,
            offset,
            next: None,
        }))
    }
}

impl Varied for ProductRounds {
    fn next(&mut self) -> Option<u64> {
        let (first, by) = match self.rows {
            Rows::Reduction { inverse } => {
                // after the last round the loop has ended
                let last = self.out.get(self.offset).filter(|_| self.left > 1)?;
                (0, last.wrapping_mul(inverse))
            }
            Rows::Square => {
                let len = self.left.checked_sub(1).filter(|&len| len > 0)?;
                // the first elements of `x`, of which fewer are left each time
                let first = self.from.len().checked_sub(len)?;
                (first, self.from[first - 1])
            }
        };
        let from = &self.from[first..];
        let len = from.len();
        let row = self.out.get_mut(self.offset..self.offset + len + 2)?;
        let after = [row[len], row[len + 1]];
        // if the second one carried out too, it would go on
        if after[1] == u32::MAX {
            return None;
        }
        let carry = numbers::add_product_reversed(&mut row[..len], from, by);
        let (sum, carries) = after[0].overflowing_add(carry);
        (row[len], row[len + 1]) = (sum, after[1] + u32::from(carries));
        self.next = Some((by, first, after));
        Some(key_of(len, carries))
    }
    fn take(&mut self) {
        self.next = None;
        self.left -= 1;
        self.offset += match self.rows {
            Rows::Reduction { .. } => 1,
            Rows::Square => 2,
        };
    }
    fn finish(&mut self, vm: &mut Vm, l: &mut [u64]) {
        if let Some((by, first, after)) = self.next.take() {
            let from = &self.from[first..];
            let row = &mut self.out[self.offset..][..from.len() + 2];
            numbers::take_product_reversed(&mut row[..from.len()], from, by);
            row[from.len()..].copy_from_slice(&after);
        }
        self.out.reverse();
        write(&mut vm.heap, self.target, 0, &self.out);
        (l[5], l[6]) = (self.left as u64, self.offset as u64);
    }
}

/// In `montReduce(n, mod, mlen, inv)`, while `--len > 0`.
pub(super) fn reduction(vm: &Vm, l: &[u64]) -> Option<Box<dyn Varied>> {
    let (len, left, offset) = (number(l[2])?, number(l[5])?, number(l[6])?);
    let rows = Rows::Reduction {
        inverse: l[3] as u32,
    };
    ProductRounds::of(vm, l[0], l[1], len, rows, left, offset)
}
/// In `implSquareToLen(x, len, z, zlen)`, while `i > 0`.
pub(super) fn square(vm: &Vm, l: &[u64]) -> Option<Box<dyn Varied>> {
    let (left, offset) = (number(l[5])?, number(l[6])?);
    ProductRounds::of(vm, l[2], l[0], left, Rows::Square, left, offset)
}

/// Before that, while `j < len`: the squares of elements, halved.
pub(super) fn for_squares(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let (from, out) = (object(l[0]), object(l[2]));
    let (len, j, i) = (number(l[1])?, number(l[5])?, number(l[6])?);
    // the condition holds for the round that begins, and has to hold for the next
    let rounds = len.checked_sub(j)?.checked_sub(1)?;
    let fit = has(&vm.heap, from, j, rounds) && has(&vm.heap, out, i, 2 * rounds);
    (fit && from != out).then_some((0, rounds))
}
pub(super) fn squares(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let (j, i) = (l[5] as u32 as usize, l[6] as u32 as usize);
    let (from, out) = vm.heap.apart(object(l[0]), object(l[2]));
    let from = from[j * 4..][..rounds * 4].chunks_exact(4);
    let mut low = l[4] as u32;
    for (from, out) in from.zip(out[i * 4..].chunks_exact_mut(8)) {
        let v = u64::from(u32::read(from));
        let square = v * v;
        (low << 31 | (square >> 33) as u32).write(out);
        ((square >> 1) as u32).write(&mut out[4..]);
        low = square as u32;
    }
    l[4] = low.into();
    (l[5], l[6]) = ((j + rounds) as u64, (i + 2 * rounds) as u64);
}

/// In `shiftLeftImplWorker(newArr, oldArr, newIter, shiftCount, numIter)`, while `oldIter < numIter`.
pub(super) fn for_shift(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let (to, from) = (object(l[0]), object(l[1]));
    let (put, n, at) = (number(l[2])?, number(l[4])?, number(l[6])?);
    let rounds = n.checked_sub(at)?.checked_sub(1)?;
    // in one array, what was written is not read again
    let apart = to != from || put <= at;
    let fit = has(&vm.heap, from, at, rounds + 1) && has(&vm.heap, to, put, rounds);
    (fit && apart).then_some((0, rounds))
}
pub(super) fn shift(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let (put, at) = (l[2] as u32 as usize, l[6] as u32 as usize);
    let [by, back] = [l[3], l[5]].map(|n| n as u32);
    let from = elements(&vm.heap, object(l[1]), at, rounds + 1);
    let out: Elements = from
        .windows(2)
        .map(|v| v[0].wrapping_shl(by) | v[1].wrapping_shr(back))
        .collect();
    write(&mut vm.heap, object(l[0]), put, &out);
    (l[2], l[6]) = ((put + rounds) as u64, (at + rounds) as u64);
}

/// In `mulsub(q, a, x, len, offset)`, while `j >= 0`: elements of `q` less those of `a` times `x`. Whether one is borrowed
/// decides a branch.
struct Multiple {
    target: Ref,
    /// The elements up to the next one, those after it as they become, and where the first one is in the target.
    q: Elements,
    begins: usize,
    a: Elements,
    /// How many are not taken.
    left: usize,
    by: u64,
    carry: u64,
    /// The new value of the next element, and the carry.
    becomes: (u32, u64),
}

/// Elements that are looked at before.
const LOOKED_AT: usize = 64;

pub(super) fn multiple(vm: &Vm, l: &[u64]) -> Option<Box<dyn Varied>> {
    let (target, from) = (object(l[1]), object(l[2]));
    let (offset, j) = (number(l[5])?, number(l[10])?);
    // the condition holds for the round that begins, and has to hold for the next
    let n = j.min(LOOKED_AT);
    let begins = (offset + 1).checked_sub(n)?;
    if n == 0
        || target == from
        || !has(&vm.heap, target, begins, n)
        || !has(&vm.heap, from, 0, j + 1)
    {
        return None;
    }
    Some(Box::new(Multiple {
        target,
        q: elements(&vm.heap, target, begins, n),
        begins,
        a: elements(&vm.heap, from, j + 1 - n, n),
        left: n,
        by: l[6],
        carry: l[8],
        becomes: (0, 0),
    }))
}

impl Multiple {
    /// Takes all that are left; how many borrowed.
    fn take_rest(&mut self) -> u64 {
        let mut borrowed = 0;
        let rest = self.q[..self.left].iter_mut().zip(&self.a).rev();
        for (q, &a) in rest {
            let (difference, carry, borrows) = less_product(*q, a, self.by, self.carry);
            (*q, self.carry) = (difference, carry);
            borrowed += u64::from(borrows);
        }
        self.left = 0;
        borrowed
    }
}
/// An element less a different one times `by` and the carry; the new carry, and whether one is borrowed.
#[inline]
fn less_product(q: u32, a: u32, by: u64, carry: u64) -> (u32, u64, bool) {
    let product = u64::from(a).wrapping_mul(by).wrapping_add(carry);
    let difference = u64::from(q).wrapping_sub(product) as u32;
    let borrows = difference > !(product as u32);
    (difference, (product >> 32) + u64::from(borrows), borrows)
}

impl Varied for Multiple {
    #[inline]
    fn next(&mut self) -> Option<u64> {
        let next = self.left.checked_sub(1)?;
        let (q, a) = (*self.q.get(next)?, *self.a.get(next)?);
        let (difference, carry, borrows) = less_product(q, a, self.by, self.carry);
        self.becomes = (difference, carry);
        Some(borrows.into())
    }
    #[inline]
    fn take(&mut self) {
        self.left -= 1;
        (self.q[self.left], self.carry) = self.becomes;
    }
    fn take_all(
        &mut self,
        key: Option<u64>,
        room: i64,
        effects: &mut RoundEffects,
    ) -> (i64, u64, Option<u64>) {
        let n = self.left as u64;
        let costs = [0, 1].map(|key| effects.effect(key).map(|e| e.cost));
        if let [Some(plain), Some(borrowing)] = costs
            && plain.max(borrowing) * n as i64 <= room
        {
            let borrowed = self.take_rest();
            let mut cost = 0;
            for (key, one, rounds) in [(0, plain, n - borrowed), (1, borrowing, borrowed)] {
                if rounds > 0 {
                    effects.take(key, rounds);
                    cost += one * rounds as i64;
                }
            }
            return (cost, n, None);
        }
        take_each(self, key, room, effects)
    }
    fn finish(&mut self, vm: &mut Vm, l: &mut [u64]) {
        let taken = &self.q[self.left..];
        write(&mut vm.heap, self.target, self.begins + self.left, taken);
        l[8] = self.carry;
        l[5] = u64::from((l[5] as u32).wrapping_sub(taken.len() as u32));
        l[10] -= taken.len() as u64;
    }
}
