//! Templates of branches, switches and returns: what adds to the ticks, and looks at the limit.

use super::asm::*;
use super::ins::{ENTRY, FP, FRAME, INCLUSIVE, RIP, TICKS};
use super::template::{CodeBuilder, LIMIT, LimitExit, ReturnExit, Val};
use crate::interp::code::K;
use crate::interp::condition::C;
use crate::interp::frame::Hot;
use crate::interp::insn::Layout;
use crate::interp::insn::{LOOKUP_ENTRY, LookupSwitch, TABLE_ENTRY, TableSwitch};
use crate::interp::{ops_call, slow};
use crate::threads::stack::RED_ZONE;
use crate::vm::TierFault;
use std::mem::offset_of;

const EDGE: i32 = offset_of!(Hot, edge) as i32;
const SOURCE: i32 = offset_of!(Hot, source) as i32;
const FAULT: i32 = offset_of!(Hot, fault) as i32;

/// Keys of a `lookupswitch` that are compared one after the other.
const FEW_KEYS: usize = 4;

fn condition(c: C) -> Cc {
    match c {
        C::Eq => Cc::E,
        C::Ne => Cc::Ne,
        C::Lt => Cc::L,
        C::Ge => Cc::Ge,
        C::Gt => Cc::G,
        C::Le => Cc::Le,
    }
}

/// A way to another instruction, read from its word: where it is in the code, what it adds, where it leads.
#[derive(Clone, Copy)]
struct BranchTarget {
    at: u32,
    ticks: i16,
    to: u32,
}

impl CodeBuilder<'_> {
    /// The way at byte `at` of the instruction.
    fn way(&self, at: usize) -> BranchTarget {
        let x = self.ins();
        BranchTarget {
            at: x.off + at as u32,
            ticks: x.half(at + 4) as i16,
            to: x.off.wrapping_add_signed(x.int(at)),
        }
    }
    /// The number of the instruction at that offset.
    fn number_of(&self, off: u32) -> usize {
        let found = self.all.binary_search_by_key(&off, |x| x.off);
        found.expect("an instruction")
    }
    /// Where its code begins.
    fn label_of(&self, off: u32) -> Label {
        self.labels[self.number_of(off)]
    }
    /// Takes a way: adds to the ticks, looks at the limit, and goes there (`jumps`, or else it is what follows).
    fn take(&mut self, way: BranchTarget, jumps: bool) {
        if self.within.is_some() {
            let to = self.number_of(way.to);
            return self.take_inlined(way.ticks, to);
        }
        if jumps && let Some(plan) = &self.plan {
            let wanted = plan.at_target(self.number_of(way.to));
            self.load_missing(wanted);
        }
        let wrong = self.fault == Some(TierFault::Count);
        if way.ticks != 0 || wrong {
            let ticks = i32::from(way.ticks) + i32::from(wrong);
            self.a.alu_constant(true, Alu::Add, RCX, ticks);
        }
        self.a.alu(true, Alu::Cmp, RCX, at(R9, LIMIT));
        let label = self.a.label();
        self.reached.push(LimitExit {
            label,
            source: self.ins().off,
            edge: way.at,
            to: way.to,
        });
        let to = self.label_of(way.to);
        // what leads back is mostly taken
        if jumps && way.to <= self.ins().off {
            self.a.jump_if(Cc::L, to);
            self.a.jump(label);
            return;
        }
        self.a.jump_if(Cc::Ge, label);
        if jumps {
            self.a.jump(to);
        }
    }
    /// Takes the instruction's way if the condition holds.
    fn take_if(&mut self, cc: Cc) {
        if self.within.is_some() {
            let way = self.way(16);
            let to = self.number_of(way.to);
            return self.take_inlined_if(cc, way.ticks, to);
        }
        let skip = self.a.label();
        self.a.jump_if(cc.not(), skip);
        let way = self.way(16);
        self.take(way, true);
        self.a.bind(skip);
    }
    pub fn jump(&mut self) {
        let way = self.way(16);
        self.take(way, true);
    }
    pub fn check_limit(&mut self) {
        let way = self.way(8);
        self.take(way, false);
    }
    fn compare_with(&mut self, wide: bool, a: Rm, b: Val) {
        match (a, b) {
            (_, Val::Constant(c)) => self.a.alu_constant(wide, Alu::Cmp, a, c),
            (Rm::Reg(r), _) => {
                let from = self.rm(b);
                self.a.alu(wide, Alu::Cmp, Gpr(r), from);
            }
            (Rm::Mem(m), _) => {
                let r = self.in_register(wide, b, RAX);
                self.a.alu_to(wide, Alu::Cmp, m, r);
            }
        }
    }
    pub fn branch(&mut self, wide: bool, c: C) {
        let (a, b) = self.operands();
        match (self.held(a), b) {
            (Some(r), Val::Constant(0)) => self.a.test(wide, r, r),
            _ => {
                let first = self.rm(a);
                self.compare_with(wide, first, b);
            }
        }
        self.take_if(condition(c));
    }
    pub fn add_and_branch(&mut self, c: C) {
        let x = self.ins();
        let b = self.operand("b");
        let local = x.half(10);
        self.add_to(local, i32::from(x.half(8) as i16));
        if (b, c) == (Val::Slot(local), C::Eq) {
            // a jump
            let way = self.way(16);
            return self.take(way, true);
        }
        self.compare_with(false, R8.into(), b);
        self.take_if(condition(c));
    }
    pub fn branch_float(&mut self, double: bool, c: C, nan: bool) {
        let (a, b) = self.operands();
        // with operands exchanged where NaN would take the wrong way else
        let (exchange, cc) = match (c, nan) {
            (C::Lt, false) => (true, Cc::A),
            (C::Le, false) => (true, Cc::Ae),
            (C::Gt, false) => (false, Cc::A),
            (C::Ge, false) => (false, Cc::Ae),
            (C::Lt, true) => (false, Cc::B),
            (C::Le, true) => (false, Cc::Be),
            (C::Gt, true) => (true, Cc::B),
            (C::Ge, true) => (true, Cc::Be),
            (C::Eq, _) => (false, Cc::E),
            (C::Ne, _) => (false, Cc::Ne),
        };
        match exchange {
            true => self.compare_exchanged(double, a, b),
            false => self.compare_two(double, a, b),
        }
        let (taken, skip) = (self.a.label(), self.a.label());
        match (c, nan) {
            (C::Eq, true) | (C::Ne, _) => {
                self.a.jump_if(Cc::P, taken);
                self.a.jump_if(cc.not(), skip);
            }
            (C::Eq, false) => {
                self.a.jump_if(Cc::P, skip);
                self.a.jump_if(cc.not(), skip);
            }
            _ => self.a.jump_if(cc.not(), skip),
        }
        self.a.bind(taken);
        let way = self.way(16);
        self.take(way, true);
        self.a.bind(skip);
    }
    fn compare_exchanged(&mut self, double: bool, a: Val, b: Val) {
        self.load_float(double, XMM1, b);
        let first: Rm = match a {
            _ if let Some(x) = self.float_held(a) => x.into(),
            Val::Slot(n) => Self::slot(n).into(),
            _ => unreachable!("the first is no constant"),
        };
        self.a.compare_floats(double, XMM1, first);
    }
    pub fn table_switch(&mut self) {
        let x = self.ins();
        let (count, low) = (x.int(12), x.int(16));
        let v = self.operand("a");
        let (table, default) = (self.a.label(), self.a.label());
        self.load(false, RAX, v);
        self.a.alu_constant(false, Alu::Sub, RAX, low);
        self.a.alu_constant(false, Alu::Cmp, RAX, count);
        self.a.jump_if(Cc::Ae, default);
        self.a.address(R10, table);
        self.a.sign_extend(RAX, indexed(R10, RAX, 2, 0));
        self.a.alu(true, Alu::Add, RAX, R10);
        self.a.jump_to(RAX);
        self.a.bind(table);
        let cases: Vec<Label> = (0..count).map(|_| self.a.label()).collect();
        for &case in &cases {
            self.a.entry(table, case);
        }
        for (k, label) in std::iter::once(default).chain(cases).enumerate() {
            self.a.bind(label);
            let way = self.way(TableSwitch::BYTES + k * TABLE_ENTRY);
            self.take(way, true);
        }
    }
    pub fn lookup_switch(&mut self) {
        let x = self.ins();
        let count = x.int(12) as usize;
        let v = self.operand("a");
        let key = |k: usize| x.int(LookupSwitch::BYTES + k * LOOKUP_ENTRY);
        let keys: Vec<i32> = (0..count).map(key).collect();
        self.load(false, RAX, v);
        let cases: Vec<Label> = keys.iter().map(|_| self.a.label()).collect();
        let default = self.a.label();
        self.search(&keys, &cases, default);
        for (k, &label) in cases.iter().enumerate() {
            self.a.bind(label);
            let way = self.way(LookupSwitch::BYTES + k * LOOKUP_ENTRY + 4);
            self.take(way, true);
        }
        self.a.bind(default);
        let way = self.way(16);
        self.take(way, true);
    }
    /// Goes to the case of the key in rax. Keys ascend.
    fn search(&mut self, keys: &[i32], cases: &[Label], default: Label) {
        if keys.len() <= FEW_KEYS {
            for (&k, &case) in keys.iter().zip(cases) {
                self.a.alu_constant(false, Alu::Cmp, RAX, k);
                self.a.jump_if(Cc::E, case);
            }
            self.a.jump(default);
            return;
        }
        let (middle, upper) = (keys.len() / 2, self.a.label());
        self.a.alu_constant(false, Alu::Cmp, RAX, keys[middle]);
        self.a.jump_if(Cc::Ge, upper);
        self.search(&keys[..middle], &cases[..middle], default);
        self.a.bind(upper);
        self.search(&keys[middle..], &cases[middle..], default);
    }
    pub fn leave_method(&mut self, letter: u8, contexts: bool) {
        let x = self.ins();
        let insn = x.insn.expect("known");
        let place = insn.places.first().map(|p| p.1);
        let result = Self::slot(self.first());
        match (letter, place) {
            (b'V', _) | (_, None) => {}
            (b'F' | b'D', Some(K::A)) => self.a.store_float(true, result, XMM0),
            (_, Some(K::I)) => {
                self.a.constant(R8, x.words[2]);
                self.a.store(8, result, R8);
            }
            _ => {
                let v = self.operand("a");
                self.load(true, R8, v);
                if v != Val::Slot(self.first()) {
                    self.a.store(8, result, R8);
                }
            }
        }
        // where both layouts of returns have it
        let ticks = x.int(12);
        if let Some(within) = self.within {
            return self.leave_inlined(within, ticks);
        }
        if ticks != 0 {
            self.a.alu_constant(true, Alu::Add, RCX, ticks);
        }
        if contexts {
            let node = self.context();
            self.a.load(true, R10, RCX);
            self.a.alu(true, Alu::Sub, R10, at(RDX, TICKS));
            self.a.alu_to(true, Alu::Add, at(node, INCLUSIVE), R10);
        }
        self.a.load(true, RDI, at(RDX, RIP));
        self.a.load(true, RSI, at(RDX, FP));
        self.a.alu_constant(true, Alu::Add, RDX, FRAME);
        let label = self.a.label();
        self.left.push(ReturnExit {
            label,
            source: x.off,
            reference: matches!(letter, b'L' | b'A'),
        });
        self.a.alu(true, Alu::Cmp, RCX, at(R9, LIMIT));
        self.a.jump_if(Cc::Ge, label);
        self.a.jump_to(at(RDI, 0));
    }
    /// Whether a large frame fits.
    pub fn check_frame(&mut self) {
        let bytes = self.ins().int(12);
        let exit = self.exit();
        self.a.lea(R10, at(RSI, bytes + RED_ZONE as i32));
        self.a.alu(true, Alu::Cmp, R10, RDX);
        self.a.jump_if(Cc::A, exit);
    }
    /// Where the limit is reached: as handlers, hands over to those that look closer.
    pub fn emit_looks(&mut self) {
        let look = |m: &mut Self, h: crate::interp::Handler| {
            m.a.constant(RAX, h as usize as u64);
            m.a.jump_to(RAX);
        };
        for r in std::mem::take(&mut self.reached) {
            self.a.bind(r.label);
            self.a.constant(RAX, self.start + u64::from(r.edge));
            self.a.store(8, at(R9, EDGE), RAX);
            self.a.constant(RAX, self.start + u64::from(r.source));
            self.a.store(8, at(R9, SOURCE), RAX);
            self.a.constant(RDI, self.start + u64::from(r.to));
            look(self, slow::trap);
        }
        for (label, ip) in std::mem::take(&mut self.sought) {
            self.a.bind(label);
            self.a.store(8, at(R9, FAULT), R11);
            self.a.constant(RDI, ip);
            look(self, ops_call::find_child);
        }
        for l in std::mem::take(&mut self.left) {
            self.a.bind(l.label);
            self.a.store_constant(8, at(R9, FAULT), l.reference.into());
            self.a.constant(RAX, self.start + u64::from(l.source));
            self.a.store(8, at(R9, SOURCE), RAX);
            look(self, slow::trap_return);
        }
        let called = std::mem::take(&mut self.called);
        if !called.is_empty() {
            called.into_iter().for_each(|l| self.a.bind(l));
            self.a.load(true, RDI, at(R11, ENTRY));
            look(self, slow::trap_call);
        }
    }
}
