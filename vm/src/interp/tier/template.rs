//! What all templates share: the state of the code being made, operands, results, and where compiled code is left.
//!
//! Registers are those of handlers: rsi the frame, rdx the control frame, rcx the ticks, r8 and xmm0 the accumulators, r9 `Hot`. An
//! instruction's address (rdi for handlers) is a constant, put into rdi where a handler continues; before, rdi may have the
//! frame's context, or the value of a slot. rax, r10, r11 and xmm1 are for within a template, and rdi in some. Every instruction
//! leaves slots and accumulators as its handler does, except for copies that are made later (`copies`), so that any of them can be left to its
//! handler.

use super::asm::*;
use super::copies::{Copies, DeferredCopies};
use super::facts::KnownObjects;
use super::homes::{FIRST_FLOAT, GENERAL, Homes, Kind, Plan};
use super::inline::InlinedCall;
use super::inlined::Within;
use super::ins::Ins;
use crate::interp::code::K;
use crate::interp::frame::{Frame, Hot};
use crate::interp::insn::OperandField;
use crate::vm::TierFault;
use std::collections::BTreeMap;
use std::mem::offset_of;

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Val {
    /// A slot that has its value (see [`CodeBuilder::value`]).
    Slot(u16),
    Acc,
    Constant(i32),
}

/// What rdi holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rdi {
    Free,
    /// The frame's context.
    Context,
    /// The value of that slot.
    Slot(u16),
}

/// Where a floating-point value stays that the accumulator loses.
const KEPT: X = X(3);

/// Where an instruction is left to its handler.
struct HandlerExit {
    label: Label,
    /// Which instruction, and where it is.
    i: usize,
    address: u64,
    /// It is a callee's.
    within: Option<Within>,
    /// Copies to make before.
    copies: Copies,
}

/// A taken edge at which the limit is reached.
pub(super) struct LimitExit {
    pub label: Label,
    /// Offset of the instruction, and of the edge in the code.
    pub source: u32,
    pub edge: u32,
    pub to: u32,
}

/// A return at which it is.
pub(super) struct ReturnExit {
    pub label: Label,
    pub source: u32,
    pub reference: bool,
}

/// The code of a method, being made.
pub(super) struct CodeBuilder<'a> {
    pub a: Asm,
    pub all: &'a [Ins<'a>],
    /// Address of the translated code.
    pub start: u64,
    /// Base of the region.
    pub base: u64,
    /// The class object that a static method locks.
    pub mirror: Option<u32>,
    /// Offset of the referent in a `java.lang.ref.Reference`.
    pub referent: u32,
    /// Makes the code wrong, for tests.
    pub fault: Option<TierFault>,
    /// Where each instruction's code begins.
    pub labels: Vec<Label>,
    /// The slot that the accumulator has the value of.
    pub acc: Option<u16>,
    /// The same of the floating one.
    pub facc: Option<u16>,
    /// The slot that xmm3 has the value of.
    pub kept: Option<u16>,
    pub rdi: Rdi,
    /// Which slots have registers; none where that is not worth it.
    pub plan: Option<Plan>,
    /// The slots that registers have the values of.
    pub homes: Homes,
    /// The instruction that is being compiled.
    pub i: usize,
    /// Which ones have a template.
    pub compiled: Vec<bool>,
    exits: Vec<HandlerExit>,
    /// The calls that are inlined.
    pub calls: &'a [InlinedCall<'a>],
    /// The inlined code that is being made.
    pub within: Option<Within>,
    /// Inlined callers of inlined code, each as it was at the call.
    pub around: Vec<Within>,
    /// Registers for the contexts of inlined code: of the outermost one, of one in it, and so on.
    pub nodes: Vec<Gpr>,
    /// Slots with objects at each instruction.
    pub objects: Vec<KnownObjects>,
    /// The instruction at whose beginning rax has the value of that slot.
    pub rax: Option<(usize, u16)>,
    /// Copies that are not made yet.
    pub copies: DeferredCopies,
    /// Those of them that inlined code does not change.
    pub stable: DeferredCopies,
    /// What the ticks lack where control comes to each instruction of inlined code, as far as that is known.
    pub lags: Vec<Option<i32>>,
    /// Which ways of branches inlined code expects (see `Inlinee`).
    pub expected: Option<&'a BTreeMap<u32, bool>>,
    /// What the ticks lack where an inlined callee has returned.
    pub join_lag: Option<i32>,
    /// Calls that are made after all, by number, and copies to make before.
    pub made: Vec<(Label, usize, Copies)>,
    /// Calls whose context is to be looked for.
    pub sought: Vec<(Label, u64)>,
    pub reached: Vec<LimitExit>,
    pub left: Vec<ReturnExit>,
    pub called: Vec<Label>,
}

pub(super) const LIMIT: i32 = offset_of!(Hot, limit) as i32;
pub(super) const NODE: i32 = offset_of!(Frame, node) as i32;
/// Bytes of the instruction that loads the frame's context.
pub(super) const LOAD_CONTEXT: i32 = 4;

impl<'a> CodeBuilder<'a> {
    pub fn new(all: &'a [Ins<'a>], ways: &[Vec<usize>], start: u64, base: u64) -> CodeBuilder<'a> {
        let mut a = Asm::default();
        let labels = all.iter().map(|_| a.label()).collect();
        let plan = Plan::new(all, ways);
        CodeBuilder {
            a,
            all,
            start,
            base,
            mirror: None,
            referent: 0,
            fault: None,
            labels,
            acc: None,
            facc: None,
            kept: None,
            rdi: Rdi::Free,
            nodes: plan.as_ref().map_or(GENERAL.to_vec(), Plan::free),
            plan,
            homes: Homes::EMPTY,
            i: 0,
            compiled: vec![false; all.len()],
            exits: Vec::new(),
            calls: &[],
            within: None,
            around: Vec::new(),
            objects: Vec::new(),
            rax: None,
            copies: DeferredCopies::default(),
            stable: DeferredCopies::default(),
            lags: Vec::new(),
            expected: None,
            join_lag: None,
            made: Vec::new(),
            sought: Vec::new(),
            reached: Vec::new(),
            left: Vec::new(),
            called: Vec::new(),
        }
    }
    pub fn ins(&self) -> &'a Ins<'a> {
        &self.all[self.i]
    }
    /// The slot with the first argument.
    pub fn first(&self) -> u16 {
        self.within.map_or(0, |w| w.first)
    }
    /// Slot `n` of the frame.
    pub fn slot(n: u16) -> Mem {
        at(RSI, i32::from(n) * 8)
    }
    /// Where the instruction that is being compiled is left to its handler.
    pub fn exit(&mut self) -> Label {
        if let Some(e) = self.exits.last()
            && (e.i, e.within, &e.copies) == (self.i, self.within, &self.copies.later)
        {
            return e.label;
        }
        let label = self.a.label();
        self.exits.push(HandlerExit {
            label,
            i: self.i,
            address: self.start + u64::from(self.ins().off),
            within: self.within,
            copies: self.copies.later.clone(),
        });
        label
    }
    /// Continues at an instruction, by its handler.
    pub fn leave(&mut self, i: usize) {
        let x = &self.all[i];
        self.a.constant(RDI, self.start + u64::from(x.off));
        match x.entry && self.compiled[i] {
            // the word there leads back
            true => {
                self.a.constant(RAX, x.handler);
                self.a.jump_to(RAX);
            }
            false => self.a.jump_to(at(RDI, 0)),
        }
    }
    pub fn emit_exits(&mut self) {
        for e in std::mem::take(&mut self.exits) {
            self.a.bind(e.label);
            self.make_copies_in_memory(&e.copies);
            match e.within {
                Some(within) => self.exit_inlined(within, e.address),
                None => self.leave(e.i),
            }
        }
    }
    /// The operand of that name.
    pub fn operand(&self, name: &str) -> Val {
        let x = self.ins();
        let insn = x.insn.expect("known");
        let place = insn.places.iter().find(|p| p.0 == name);
        let place = place.expect("an operand").1;
        let Some(&OperandField { at, bytes, .. }) = insn.fields.iter().find(|f| f.name == name)
        else {
            return Val::Acc;
        };
        match place {
            K::A => Val::Acc,
            K::S => self.value(x.half(at)),
            K::I if bytes == 2 => Val::Constant(i32::from(x.half(at) as i16)),
            K::I => Val::Constant(x.int(at)),
        }
    }
    /// The first two operands.
    pub fn operands(&self) -> (Val, Val) {
        let places = &self.ins().insn.expect("known").places;
        (self.operand(places[0].0), self.operand(places[1].0))
    }
    /// Whether the accumulator has an operand's value.
    pub fn in_acc(&self, v: Val) -> bool {
        match v {
            Val::Acc => true,
            Val::Slot(n) => self.acc == Some(n),
            Val::Constant(_) => false,
        }
    }
    /// The register that has an operand's value already.
    pub fn held(&self, v: Val) -> Option<Gpr> {
        match v {
            _ if self.in_acc(v) => Some(R8),
            Val::Slot(n) if self.rdi == Rdi::Slot(n) => Some(RDI),
            _ => self.at_home(v),
        }
    }
    /// The register of the slot, if it has its value.
    pub fn at_home(&self, v: Val) -> Option<Gpr> {
        let Val::Slot(n) = v else { return None };
        self.homes.of(n, false).map(|h| GENERAL[h])
    }
    /// The same of floating-point numbers.
    pub fn float_at_home(&self, v: Val) -> Option<X> {
        let Val::Slot(n) = v else { return None };
        self.homes.of(n, true).map(float_home)
    }
    /// The register that a slot is to have after the instruction.
    fn wanted_home(&self, n: u16, float: bool) -> Option<usize> {
        let plan = self.plan.as_ref()?;
        plan.home(self.i, n, float)
            .filter(|_| plan.is_read_after(self.i, n, float))
    }
    /// Whether the slot is to have a register after the instruction.
    pub fn has_home(&self, n: u16) -> bool {
        [false, true]
            .into_iter()
            .any(|f| self.wanted_home(n, f).is_some())
    }
    fn load_home(&mut self, home: usize, n: u16) {
        let n = self.copies.root(n);
        match home < GENERAL.len() {
            true => self.a.load(true, GENERAL[home], Self::slot(n)),
            false => self.a.load_float(true, float_home(home), Self::slot(n)),
        }
    }
    /// Loads registers with the slots that the instruction reads, if others read them after it.
    pub fn load_homes(&mut self) {
        let Some(plan) = &self.plan else { return };
        let reads = plan.uses[self.i].reads.iter();
        let wanted = reads
            .filter(|r| r.1 != Kind::Either && !(self.acc == Some(r.0) || self.facc == Some(r.0)));
        let reads: Vec<(u16, bool)> = wanted.map(|r| (r.0, r.1 == Kind::Float)).collect();
        for (n, float) in reads {
            if self.homes.of(n, float).is_none()
                && let Some(home) = self.wanted_home(n, float)
            {
                self.load_home(home, n);
                self.homes.set(home, n);
            }
        }
    }
    /// Loads what registers are to have elsewhere. Nothing else changes, not even flags.
    pub fn load_missing(&mut self, wanted: Homes) {
        let missing = wanted.missing(self.homes);
        missing.for_each(|(home, n)| self.load_home(home, n));
    }
    /// A slot has been given the value of that register.
    pub fn stored(&mut self, n: u16, r: Gpr) {
        if let Some(home) = self.wanted_home(n, false) {
            self.a.load(true, GENERAL[home], r);
            self.homes.set(home, n);
        }
    }
    /// The same of a constant that is not negative.
    pub fn stored_constant(&mut self, n: u16, c: i32) {
        if let Some(home) = self.wanted_home(n, false) {
            self.a.constant(GENERAL[home], c as u64);
            self.homes.set(home, n);
        }
    }
    pub fn stored_float(&mut self, n: u16, x: X) {
        if let Some(home) = self.wanted_home(n, true) {
            self.a.move_float(float_home(home), x);
            self.homes.set(home, n);
        }
    }
    /// The instruction may give the accumulators other values: their value of a slot is stored if the next instruction reads the
    /// slot.
    pub fn keep(&mut self) {
        let Some(next) = self.all.get(self.i + 1).filter(|x| !x.entry) else {
            return;
        };
        let copies = &self.copies;
        let reads = |n: u16| {
            let insn = next.insn.into_iter();
            let mut slots = insn.flat_map(|i| {
                let place = i.places.iter().filter(|p| p.1 == K::S);
                place.filter_map(|p| i.fields.iter().find(|f| f.name == p.0))
            });
            slots.any(|f| copies.root(next.half(f.at)) == n)
        };
        let free = self.rdi != Rdi::Context;
        let homes = self.homes;
        if let Some(n) = self
            .acc
            .filter(|&n| free && homes.of(n, false).is_none() && reads(n))
        {
            self.a.load(true, RDI, R8);
            self.rdi = Rdi::Slot(n);
        }
        if let Some(n) = self
            .facc
            .filter(|&n| homes.of(n, true).is_none() && reads(n))
        {
            self.a.move_float(KEPT, XMM0);
            self.kept = Some(n);
        }
    }
    /// An operand that is not a constant, in a register or in memory.
    pub fn rm(&self, v: Val) -> Rm {
        match (self.held(v), v) {
            (Some(r), _) => r.into(),
            (None, Val::Slot(n)) => {
                debug_assert_eq!(self.copies.root(n), n, "not copied yet");
                Self::slot(n).into()
            }
            (None, _) => unreachable!("a constant"),
        }
    }
    /// An operand into register `r`: an int, or a long.
    pub fn load(&mut self, wide: bool, r: Gpr, v: Val) {
        match v {
            Val::Constant(c) if wide => self.a.constant(r, i64::from(c) as u64),
            Val::Constant(c) => self.a.constant(r, u64::from(c as u32)),
            _ => {
                let from = self.rm(v);
                if !matches!(from, Rm::Reg(same) if same == r.0) {
                    self.a.load(wide, r, from);
                }
            }
        }
    }
    /// An operand in a register, in `r` if it is in none.
    pub fn in_register(&mut self, wide: bool, v: Val, r: Gpr) -> Gpr {
        if let Some(held) = self.held(v) {
            return held;
        }
        self.load(wide, r, v);
        r
    }
    /// A floating-point operand into register `x`.
    pub fn load_float(&mut self, double: bool, x: X, v: Val) {
        match v {
            Val::Slot(n) if self.facc == Some(n) => self.load_float(double, x, Val::Acc),
            Val::Slot(n) if self.kept == Some(n) => self.a.move_float(x, KEPT),
            Val::Slot(_) if let Some(home) = self.float_at_home(v) => self.a.move_float(x, home),
            Val::Slot(n) => self.a.load_float(double, x, Self::slot(n)),
            Val::Acc if x == XMM0 => {}
            Val::Acc => self.a.move_float(x, XMM0),
            Val::Constant(c) => {
                let bits = match double {
                    true => f64::from(f32::from_bits(c as u32)).to_bits(),
                    false => u64::from(c as u32),
                };
                match bits {
                    0 => self.a.clear_float(x),
                    _ => {
                        self.a.constant(RAX, bits);
                        self.a.bits_to_float(x, RAX);
                    }
                }
            }
        }
    }
    /// The register that has an operand's value, beside the floating accumulator.
    pub fn float_elsewhere(&self, v: Val) -> Option<X> {
        match v {
            Val::Slot(n) if self.kept == Some(n) => Some(KEPT),
            _ => self.float_at_home(v),
        }
    }
    /// The register that has an operand's value.
    pub fn float_held(&self, v: Val) -> Option<X> {
        match self.is_float_held(v) {
            true => Some(XMM0),
            false => self.float_elsewhere(v),
        }
    }
    /// Whether an operand is in the floating accumulator.
    pub fn is_float_held(&self, v: Val) -> bool {
        match v {
            Val::Acc => true,
            Val::Slot(n) => self.facc == Some(n),
            Val::Constant(_) => false,
        }
    }
    /// A floating-point operand as the second one of an instruction; in xmm1 if it is a constant.
    pub fn float_rm(&mut self, double: bool, v: Val) -> Rm {
        match v {
            _ if self.is_float_held(v) => XMM0.into(),
            _ if let Some(x) = self.float_elsewhere(v) => x.into(),
            Val::Slot(n) => Self::slot(n).into(),
            _ => {
                self.load_float(double, XMM1, v);
                XMM1.into()
            }
        }
    }
    /// A slot gets another value.
    pub fn overwritten(&mut self, n: u16) {
        self.homes.remove(n);
        self.copies.remove(n);
        self.rax = self.rax.filter(|r| r.1 != n);
        if self.acc == Some(n) {
            self.acc = None;
        }
        if self.facc == Some(n) {
            self.facc = None;
        }
        if self.kept == Some(n) {
            self.kept = None;
        }
        if self.rdi == Rdi::Slot(n) {
            self.rdi = Rdi::Free;
        }
    }
    /// The accumulator has the result, which goes to its slot, too, if it has one.
    pub fn result(&mut self) {
        self.acc = None;
        if let Some(d) = self.dest() {
            self.a.store(8, Self::slot(d), R8);
            self.overwritten(d);
            self.acc = Some(d);
            self.stored(d, R8);
        }
    }
    /// The floating one has.
    pub fn float_result(&mut self) {
        self.facc = None;
        if let Some(d) = self.dest() {
            self.a.store_float(true, Self::slot(d), XMM0);
            self.overwritten(d);
            self.facc = Some(d);
            self.stored_float(d, XMM0);
        }
    }
    fn dest(&self) -> Option<u16> {
        let x = self.ins();
        let result = x.insn.expect("known").result;
        (result == Some(true)).then(|| x.half(10))
    }
    /// Nothing is known of what registers hold, except those of slots.
    pub fn forget(&mut self) {
        (self.acc, self.facc, self.kept) = (None, None, None);
        (self.rdi, self.rax) = (Rdi::Free, None);
    }
    /// A register with the frame's context: rdi, or rax.
    pub fn context(&mut self) -> Gpr {
        if self.rdi == Rdi::Context {
            return RDI;
        }
        self.a.load(true, RAX, at(RDX, NODE));
        RAX
    }
    /// Whether an operand is known to be an object.
    fn is_object(&self, v: Val) -> bool {
        let slot = match v {
            Val::Slot(n) => Some(n),
            Val::Acc => self.acc,
            Val::Constant(_) => None,
        };
        let known = self.objects[self.i];
        slot.is_some_and(|n| known.has(n) || self.copies.of(n).any(|d| known.has(d)))
    }
    /// A reference into rax, at the beginning of an instruction.
    pub fn reference(&mut self, v: Val) {
        let moved = self.rax.take();
        let there = |(i, n)| v == Val::Slot(n) && i == self.i && self.held(v).is_none();
        if !moved.is_some_and(there) {
            self.load(false, RAX, v);
        }
    }
    /// An operand that is an object, in a register that stays as it is: left to the handler if it is null.
    pub fn object(&mut self, v: Val) -> Gpr {
        let r = match self.held(v) {
            // nothing above its 32 bits
            Some(held) => held,
            None => {
                self.reference(v);
                RAX
            }
        };
        if !self.is_object(v) {
            let exit = self.exit();
            self.a.test(false, r, r);
            self.a.jump_if(Cc::E, exit);
        }
        r
    }
}

/// A register for floating-point numbers, by its number among all.
fn float_home(home: usize) -> X {
    X(FIRST_FLOAT + (home - GENERAL.len()) as u8)
}
