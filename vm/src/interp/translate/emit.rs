//! Emission, the simulated stack, and reference maps.

use super::super::code::K;
use super::super::handler::Handler;
use super::super::ops_arith as oa;
use super::compact::NAMEABLE;
use super::covers::{Cover, NO_JUMP};
use super::translated::Edge;
use super::translator::Tr;
use super::values::{Ent, V};
use crate::interp::code::{AC, AS, IM};
use crate::interp::insn::{
    ACCUMULATOR_ONLY, Constant, Increment, Layout, Moves, Operation, set_dest, word,
};

/// Words of the longest instruction, without the ways of a switch.
const LONGEST: usize = 6;

impl Tr<'_> {
    /// Emits an instruction; returns its word index.
    pub(super) fn emit<L: Layout>(&mut self, h: Handler, operands: L) -> usize {
        const { assert!(L::BYTES <= 8 * LONGEST) }
        let mut words = [0; LONGEST];
        words[0] = word(h);
        operands.write(&mut words);
        let p = self.out.len();
        self.out.extend_from_slice(&words[..L::BYTES / 8]);
        self.emitted(p)
    }
    /// Notes what the instruction at word `p` represents.
    fn emitted(&mut self, p: usize) -> usize {
        self.last = p;
        let pot = self.scan.pot[self.idx as usize] as u16;
        let first = self.uncovered.min(self.idx);
        if self.pending_map == 0 {
            // any instruction may throw, and the handler reads the locals
            if self.loc_map == 0 {
                self.loc_map = self.map(false);
            }
            self.pending_map = self.loc_map;
        }
        self.covers.push(Cover {
            off: (p * 8) as u32,
            idx: self.idx,
            first,
            jump: NO_JUMP,
            before: self.idx - first,
            more: 0,
            pot,
            map: self.pending_map,
        });
        self.pending_map = 0;
        self.uncovered = self.idx + 1;
        p
    }
    /// Gives the result of the instruction at word `p` its slot.
    fn set_d(&mut self, p: usize, d: u16) {
        set_dest(&mut self.out[p..], d);
    }
    pub(super) fn push(&mut self, v: V, t: u8) {
        let at = self.base + self.depth;
        if usize::from(at) > NAMEABLE {
            // the translation ends here, in an error
            self.deep = true;
            self.depth -= 2;
        }
        self.depth += if matches!(t, b'J' | b'D') { 2 } else { 1 };
        self.st.push(Ent { v, t, at });
    }
    pub(super) fn pop(&mut self) -> Result<Ent, String> {
        let e = self.st.pop().ok_or("operand stack underflow")?;
        self.firm = self.firm.min(self.st.len());
        self.depth -= if e.wide() { 2 } else { 1 };
        Ok(e)
    }
    /// Gives the entry that is only in an accumulator its slot.
    pub(super) fn spill(&mut self, float: bool) {
        // without a producer there is no such entry, and there is never more than one
        let producer = if float { self.fpatch } else { self.patch };
        if producer.is_none() {
            return;
        }
        let at = self
            .st
            .iter()
            .rposition(|e| e.v == V::Acc && e.float() == float);
        if let Some(i) = at {
            self.store_producer(self.st[i]);
            self.st[i].v = V::Tmp;
            self.firm = self.firm.min(i);
        }
    }
    /// Patches the producer of an accumulator entry to store into the entry's slot.
    fn store_producer(&mut self, e: Ent) {
        let (p, h) = if e.float() {
            self.fpatch.take()
        } else {
            self.patch.take()
        }
        .expect("the producer of the accumulator");
        self.out[p] = word(h);
        self.set_d(p, e.at);
        if e.float() {
            self.facc = Some(e.at)
        } else {
            self.acc = Some(e.at)
        }
    }
    pub(super) fn spill_all(&mut self) {
        self.spill(false);
        self.spill(true);
    }
    /// The accumulator is about to be written.
    pub(super) fn clobber(&mut self, float: bool) {
        self.spill(float);
        if float {
            self.facc = None;
            self.fpatch = None;
        } else {
            self.acc = None;
            self.patch = None;
        }
    }
    /// Forgets what the accumulators hold (labels, calls).
    pub(super) fn forget(&mut self) {
        self.acc = None;
        self.facc = None;
        self.patch = None;
        self.fpatch = None;
        self.last = usize::MAX;
    }
    /// Before something that may run Java code or collect: values live only in slots.
    pub(super) fn safepoint(&mut self) {
        self.spill_all();
        self.forget();
    }
    /// Slot `x` is about to be overwritten: entries that name it get their own copy first.
    pub(super) fn hazard(&mut self, x: u16) {
        for i in 0..self.st.len() {
            if self.st[i].v == V::Slot(x) {
                self.materialize(i);
            }
        }
    }
    fn written(&mut self, x: u16) {
        if self.acc == Some(x) {
            self.acc = None;
        }
        if self.facc == Some(x) {
            self.facc = None;
        }
    }
    /// Puts entry `i` into its own slot.
    pub(super) fn materialize(&mut self, i: usize) {
        let e = self.st[i];
        if e.v == V::Tmp {
            return;
        }
        self.move_to_slot(e, e.at);
        self.st[i].v = V::Tmp;
        self.firm = self.firm.min(i);
    }
    /// Emits what brings entry `e` (possibly popped already) into slot `d`.
    pub(super) fn move_to_slot(&mut self, e: Ent, d: u16) {
        let float = e.float();
        let from = match e.v {
            V::Tmp => e.at,
            V::Slot(x) => x,
            V::Acc if e.at == d => return self.store_producer(e),
            V::Acc => {
                if float {
                    self.emit(oa::movf, Operation { a: 0, d, b: 0 });
                } else {
                    self.emit(oa::mov::<AC>, Operation { a: 0, d, b: 0 });
                }
                self.written(d);
                return;
            }
            V::Imm(v) => {
                self.written(d);
                if v as u64 <= u32::MAX as u64 || matches!(e.t, b'I' | b'F' | b'A' | b'R') {
                    self.emit(
                        oa::mov::<IM>,
                        Operation {
                            a: 0,
                            d,
                            b: v as i32,
                        },
                    );
                } else {
                    self.emit(
                        oa::movl,
                        Constant {
                            d,
                            cell: 0,
                            value: v as u64,
                        },
                    );
                }
                return;
            }
        };
        if from == d {
            return;
        }
        if !float && self.acc == Some(from) {
            self.emit(oa::mov::<AC>, Operation { a: 0, d, b: 0 });
            if self.facc == Some(d) {
                self.facc = None;
            }
        } else if float && self.facc == Some(from) {
            self.emit(oa::movf, Operation { a: 0, d, b: 0 });
            if self.acc == Some(d) {
                self.acc = None;
            }
        } else {
            self.emit_mov(from, d);
            self.written(d);
        }
    }
    /// Emits a move between slots; two in a row are one instruction.
    fn emit_mov(&mut self, from: u16, d: u16) {
        match self.last_mov() {
            Some(p) => {
                let first = Operation::read(&self.out[p..]);
                let both = Moves {
                    from: first.a,
                    to: first.d,
                    from2: from,
                    to2: d,
                };
                self.extend_last(p, oa::mov2, both);
            }
            None => {
                self.emit(oa::mov::<AS>, Operation { a: from, d, b: 0 });
            }
        }
    }
    /// Emits an increment of local `x`; with a move of its old value before it, it is one instruction.
    pub(super) fn emit_iinc(&mut self, x: u16, n: i32) {
        match self.last_mov() {
            Some(p) if Operation::read(&self.out[p..]).a == x => {
                let to = Operation::read(&self.out[p..]).d;
                self.extend_last(p, oa::mov_iinc, Increment { from: x, to, by: n });
            }
            _ => {
                self.emit(
                    oa::iinc,
                    Increment {
                        from: 0,
                        to: x,
                        by: n,
                    },
                );
            }
        }
    }
    /// Word index of the instruction before, if it is a move between slots that may do more.
    fn last_mov(&self) -> Option<usize> {
        let mov = word(oa::mov::<AS>);
        let p = self.last;
        (self.pending_map == 0 && p != usize::MAX && self.out[p] == mov).then_some(p)
    }
    /// Makes another of the instruction before, at word `p`, which is as long; it covers the current bytecode too.
    fn extend_last<L: Layout>(&mut self, p: usize, h: Handler, operands: L) {
        debug_assert_eq!(self.out.len(), p + L::BYTES / 8);
        self.out[p] = word(h);
        self.out[p + 1..].fill(0);
        operands.write(&mut self.out[p..]);
        let cover = self.covers.last_mut().expect("emitted");
        cover.idx = self.idx;
        cover.before = self.idx - cover.first;
        cover.pot = self.scan.pot[self.idx as usize] as u16;
        self.uncovered = self.idx + 1;
    }
    /// All entries into their slots.
    pub(super) fn flush(&mut self) {
        self.spill_all();
        for i in 0..self.st.len() {
            self.materialize(i);
        }
    }
    /// The top `n` entries into their slots.
    pub(super) fn flush_top(&mut self, n: usize) -> Result<(), String> {
        let len = self.st.len();
        if n > len {
            return Err("operand stack underflow".into());
        }
        for i in len - n..len {
            self.materialize(i);
        }
        Ok(())
    }
    /// The top `n` entries into their slots, except for one that the call moves: from where, and to where.
    pub(super) fn flush_arguments(&mut self, n: usize) -> Result<Option<(u16, u16)>, String> {
        let first = self.st.len().checked_sub(n);
        let first = first.ok_or("operand stack underflow")?;
        let moved = self.st[first..].iter().find_map(|e| match e.v {
            V::Slot(from) if from != e.at => Some((from, e.at)),
            _ => None,
        });
        // moves between slots first, since two of them are one instruction
        for slots in [true, false] {
            for i in first..self.st.len() {
                let e = self.st[i];
                let is_slot = matches!(e.v, V::Slot(_));
                if is_slot == slots && moved.is_none_or(|(_, to)| to != e.at) {
                    self.materialize(i);
                }
            }
        }
        Ok(moved)
    }
    /// Place of a popped first operand: slot or accumulator.
    pub(super) fn a_op(&mut self, e: Ent) -> (K, u16) {
        let cached = if e.float() { self.facc } else { self.acc };
        match e.v {
            V::Acc => (K::A, 0),
            V::Slot(x) if cached == Some(x) => (K::A, 0),
            V::Slot(x) => (K::S, x),
            V::Tmp if cached == Some(e.at) => (K::A, 0),
            V::Tmp => (K::S, e.at),
            V::Imm(_) => {
                self.move_to_slot(e, e.at);
                (K::S, e.at)
            }
        }
    }
    /// Place of a popped second operand: slot, accumulator or immediate.
    pub(super) fn b_op(&mut self, e: Ent) -> (K, i32) {
        if let Some(v) = e.immediate() {
            return (K::I, v);
        }
        let (k, s) = self.a_op(e);
        (k, s as i32)
    }
    /// Place of a popped value that is stored: slot, accumulator or small immediate.
    pub(super) fn value_op(&mut self, e: Ent) -> (K, u16) {
        let small = match (e.v, e.t) {
            (V::Imm(v), b'I') => i16::try_from(v as i32).ok(),
            (V::Imm(v), b'J') => i16::try_from(v).ok(),
            (V::Imm(0), _) => Some(0),
            _ => None,
        };
        match small {
            Some(v) => (K::I, v as u16),
            None => self.a_op(e),
        }
    }
    /// A slot that holds a popped entry (its own if nothing holds it yet).
    pub(super) fn slot_of(&mut self, e: Ent) -> u16 {
        match e.v {
            V::Slot(x) => x,
            V::Tmp => e.at,
            V::Acc => {
                self.store_producer(e);
                e.at
            }
            V::Imm(_) => {
                self.move_to_slot(e, e.at);
                e.at
            }
        }
    }
    /// Emits a producing instruction, result in the accumulator, and pushes it.
    pub(super) fn result<L: Layout>(&mut self, pick: impl Fn(bool) -> Handler, operands: L, t: u8) {
        let float = matches!(t, b'F' | b'D');
        self.clobber(float);
        let p = self.emit(pick(false), operands);
        self.set_d(p, ACCUMULATOR_ONLY);
        let h = pick(true);
        if float {
            self.fpatch = Some((p, h))
        } else {
            self.patch = Some((p, h))
        }
        self.push(V::Acc, t);
    }
    /// Emits a producing instruction that writes the entry's slot itself (and possibly the accumulators), and pushes it.
    pub(super) fn result_slot<L: Layout>(&mut self, h: Handler, operands: L, t: u8) -> usize {
        let at = self.base + self.depth;
        let p = self.emit(h, operands);
        self.set_d(p, at);
        self.push(V::Tmp, t);
        p
    }
    /// Stores the top of the stack into local `x`.
    pub(super) fn store(&mut self, x: u16, t: u8) -> Result<(), String> {
        let e = self.pop()?;
        self.hazard(x);
        let float = e.float();
        let patch = if float { self.fpatch } else { self.patch };
        if e.v == V::Acc && patch.is_some_and(|p| p.0 == self.last) {
            let (p, h) = patch.expect("checked");
            self.out[p] = word(h);
            self.set_d(p, x);
            let cover = self.covers.last_mut().expect("emitted");
            cover.more = self.idx - cover.idx;
            self.uncovered = self.idx + 1;
            self.written(x);
            if float {
                self.fpatch = None;
                self.facc = Some(x);
            } else {
                self.patch = None;
                self.acc = Some(x);
            }
        } else if e.v == V::Acc {
            self.store_acc(e, x);
        } else {
            self.move_to_slot(e, x);
        }
        self.set_local(x as usize, t);
        if e.wide() {
            self.set_local(x as usize + 1, 0);
        }
        if x > 0 && matches!(self.loc[x as usize - 1], b'J' | b'D') {
            self.loc[x as usize - 1] = 0;
        }
        Ok(())
    }
    fn set_local(&mut self, x: usize, t: u8) {
        let Some(l) = self.loc.get_mut(x) else {
            return;
        };
        let was = std::mem::replace(l, t);
        if (was == b'A') != (t == b'A') {
            self.locals_changed();
        }
    }
    fn store_acc(&mut self, e: Ent, x: u16) {
        self.written(x);
        if e.float() {
            self.emit(oa::movf, Operation { a: 0, d: x, b: 0 });
            self.fpatch = None;
            self.facc = Some(x);
        } else {
            self.emit(oa::mov::<AC>, Operation { a: 0, d: x, b: 0 });
            self.patch = None;
            self.acc = Some(x);
        }
    }
    /// The reference map of the present state: index plus 1.
    pub(super) fn map_now(&mut self) -> u32 {
        self.map(true)
    }
    fn map(&mut self, stack: bool) -> u32 {
        let w = self.map_words;
        let at = self.maps.len();
        // most maps differ in the operands only, so that of the locals is kept
        if self.loc_refs.is_empty() {
            self.loc_refs.resize(w, 0);
            for (i, _) in self.loc.iter().enumerate().filter(|l| *l.1 == b'A') {
                self.loc_refs[i / 64] |= 1 << (i % 64);
            }
        }
        if w == 1 {
            // of most methods a map is one word
            let mut map = self.loc_refs[0];
            if self.locked() {
                map |= 1 << self.max_locals;
            }
            for i in self.live_kept() {
                map |= 1 << i;
            }
            if stack {
                self.firm_up();
                map |= self.firm_refs[0];
            }
            if self.maps.last() != Some(&map) {
                self.maps.push(map);
            }
            return self.maps.len() as u32;
        }
        self.maps.extend_from_slice(&self.loc_refs);
        if self.locked() {
            let i = self.max_locals as usize;
            self.maps[at + i / 64] |= 1 << (i % 64);
        }
        for i in self.live_kept() {
            self.maps[at + i as usize / 64] |= 1 << (i % 64);
        }
        if stack {
            self.firm_up();
            for (map, refs) in self.maps[at..].iter_mut().zip(&self.firm_refs) {
                *map |= refs;
            }
        }
        if at >= w && self.maps[at - w..at] == self.maps[at..] {
            self.maps.truncate(at);
            return (at / w) as u32;
        }
        (at / w) as u32 + 1
    }
    /// Adds the operands above the lowest `firm` to the map of these: operands may be hundreds, and
    /// between two maps only the topmost change.
    fn firm_up(&mut self) {
        let top = self.base + self.depth;
        let from = self.st.get(self.firm).map_or(top, |e| e.at);
        self.firm_refs.resize(self.map_words, 0);
        let mut mask = (1 << (from % 64)) - 1;
        for refs in self.firm_refs.iter_mut().skip(from as usize / 64) {
            *refs &= mask;
            mask = 0;
        }
        for e in &self.st[self.firm..] {
            if e.t == b'A' && e.v == V::Tmp {
                self.firm_refs[e.at as usize / 64] |= 1 << (e.at % 64);
            }
        }
        self.firm = self.st.len();
    }
    /// Whether a slot holds the locked object: before the lock is taken it holds whatever was there, and
    /// the entry map is made before.
    fn locked(&self) -> bool {
        self.sync && !self.covers.is_empty()
    }
    /// A local has become a reference, or is none any more.
    pub(super) fn locals_changed(&mut self) {
        self.loc_map = 0;
        self.loc_refs.clear();
    }
    /// Emits an instruction that may run Java code or collect; the map describes the present state.
    pub(super) fn emit_safe<L: Layout>(&mut self, h: Handler, operands: L, map: u32) -> usize {
        self.pending_map = map;
        self.emit(h, operands)
    }
    /// Records an edge, whose offset is at half-word `half` (word * 2, + 1: upper half), relative to
    /// word `from`.
    pub(super) fn fix(&mut self, half: usize, from: usize, edge: Edge) {
        self.fixups.push((half, from, edge));
    }
    /// Tick difference of the edge from bytecode number `s` to `t`.
    pub(super) fn edge(&self, s: u16, t: u16) -> i32 {
        self.scan.pot[s as usize] as i32 + 1 - self.scan.pot[t as usize] as i32
    }
}
