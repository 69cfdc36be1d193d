//! Small callees in the code of their callers.
//!
//! An inlined callee calls nothing, has no loop and no handler of exceptions. Its frame is where it would be without: its slots are
//! those of the caller from the first argument on. So its instructions are compiled by the same templates, with other slots.
//!
//! The control frame is not made. The limit is looked at once, before, with the most that any way through the callee adds: if some
//! look could find the limit reached, the call is made as usual. What leaves inlined code makes the control frame first. The
//! callee's context has its invocation and its bytecodes as if it had run by itself; where all ways through it add the same, both
//! are counted at once, and what leaves takes the bytecodes back.

use super::asm::*;
use super::flow::{CALLED, FP, FRAME, INCLUSIVE, INVOCATIONS, METHOD, RIP, TICKS};
use super::homes::Homes;
use super::template::{CodeBuilder, Ins, LIMIT, NODE, Rdi};
use crate::classes::Method;
use crate::ids::MethodId;
use crate::interp::code::K;
use crate::interp::insn::{Call, Layout, Operand};
use crate::interp::instruction::{ENDS, Insn, InsnTable, TemplateOp};
use rjvm_profiler::cct::ContextNode;
use std::collections::BTreeMap;

/// Instructions of the largest callee that is inlined.
const LARGEST: usize = 20;
/// Instructions of callees in one method, at most.
const ALL: usize = 1500;

/// A method that may be inlined.
pub(in crate::interp) struct Inlinee {
    /// Its address, and its number.
    method: u64,
    id: u32,
    /// Address of its translated code, and what that is.
    start: u64,
    words: Vec<u64>,
    /// Offset and handler of each instruction.
    instructions: Vec<(u32, u64)>,
    /// The most that the ticks are more than at its beginning.
    most: i32,
    /// What they are more at its end, if that is always the same.
    fixed: Option<i32>,
    /// Its result is in the accumulator of whole numbers, too.
    in_acc: bool,
}

/// The calls of a method that may be inlined, by offset, with what they may lead to.
pub(in crate::interp) type Inlinees = BTreeMap<u32, Vec<Inlinee>>;

impl Inlinee {
    /// Which method it is.
    pub fn id(&self) -> MethodId {
        MethodId(self.id)
    }
    /// None: it is not to be inlined.
    pub fn new(m: &Method, table: &InsnTable) -> Option<Inlinee> {
        let x = m.translated()?;
        let plain = std::ptr::eq(m.entry, x.start())
            && m.original == m.id
            && x.may_be_entered()
            && x.landings().is_empty()
            && !x.tracks_monitors();
        let offsets = x.offsets();
        if !plain || offsets.len() > LARGEST {
            return None;
        }
        let words = x.words_of_code().to_vec();
        let with_handler = offsets.into_iter().map(|off| (off, x.own_word(off)));
        let mut found = Inlinee {
            method: std::ptr::from_ref(m) as u64,
            id: m.id.0,
            start: x.start() as u64,
            words,
            instructions: with_handler.collect(),
            most: 0,
            fixed: None,
            in_acc: true,
        };
        found.measure(table)?;
        Some(found)
    }
    /// Finds what its ways add to the ticks. None: there is an instruction that is not inlined.
    fn measure(&mut self, table: &InsnTable) -> Option<()> {
        let all = list(&self.words, &self.instructions, table);
        // the most that ways to each instruction add
        let mut most: Vec<Option<i32>> = vec![None; all.len()];
        most[0] = Some(0);
        let mut ends = Vec::new();
        let mut branches = false;
        for (i, x) in all.iter().enumerate() {
            let insn = x.insn.filter(|insn| is_inlined(insn))?;
            let Some(now) = most[i] else { continue };
            for half in insn.edges(x.words) {
                branches = true;
                let to = x.off.wrapping_add_signed(x.int(half * 4));
                let to = all.binary_search_by_key(&to, |x| x.off).ok()?;
                let then = now + i32::from(x.half(half * 4 + 4) as i16);
                self.most = self.most.max(then);
                if to <= i {
                    return None;
                }
                most[to] = most[to].max(Some(then));
            }
            if let TemplateOp::Return { letter, .. } = insn.op {
                ends.push(now + x.int(12));
                // each of them: returns from slots are of no certain type
                self.in_acc &= !matches!(letter, b'V' | b'F' | b'D');
            }
            if insn.does & ENDS == 0 {
                *most.get_mut(i + 1)? = most[i + 1].max(Some(now));
            }
        }
        self.most = ends.iter().copied().fold(self.most, i32::max);
        self.fixed = ends.first().copied().filter(|_| !branches);
        Some(())
    }
}

fn list<'a>(words: &'a [u64], instructions: &[(u32, u64)], table: &'a InsnTable) -> Vec<Ins<'a>> {
    let mut all: Vec<Ins<'a>> = Vec::new();
    let mut targets = Vec::new();
    for &(off, handler) in instructions {
        let x = Ins {
            off,
            insn: table.find(handler),
            words: &words[off as usize / 8..],
            handler,
            target: false,
            entry: false,
            inlined: None,
        };
        let edges = x.insn.map(|insn| insn.edges(x.words)).unwrap_or_default();
        targets.extend(
            edges
                .into_iter()
                .map(|half| off.wrapping_add_signed(x.int(half * 4))),
        );
        all.push(x);
    }
    for x in &mut all {
        x.target = targets.contains(&x.off);
        x.entry = x.target;
    }
    all
}

fn is_inlined(insn: &Insn) -> bool {
    use TemplateOp::*;
    match insn.op {
        Binary(_)
        | Compare(_)
        | Unary(_)
        | Move
        | MoveFloat
        | MoveTwo
        | MoveAdd
        | Add
        | Constant
        | Cell
        | GetField(_)
        | PutField(_)
        | GetStatic(_)
        | PutStatic(_)
        | ArrayLength
        | Load(_)
        | Store(_)
        | CheckCast
        | InstanceOf
        | RegisterFinalizer
        | IfInt(_)
        | IfLong(_)
        | IfFloat { .. }
        | AddIf(_)
        | Jump
        | Return { .. } => true,
        TableSwitch
        | LookupSwitch
        | New(_)
        | NewArray(_)
        | CheckLimit
        | Call { .. }
        | CheckFrame
        | MonitorEnter
        | MonitorExit
        | Lock
        | Unlock
        | Other => false,
    }
}

/// The words of a callee whose slots are those from `first` on. None: there are not as many slots.
fn shifted(of: &Inlinee, table: &InsnTable, first: u16) -> Option<Vec<u64>> {
    let mut words = of.words.clone();
    for &(off, handler) in &of.instructions {
        let insn = table.find(handler)?;
        // bytes at which slots are named
        let mut places: Vec<usize> = Vec::new();
        for f in insn.fields {
            let place = insn.places.iter().find(|p| p.0 == f.name);
            if place.map_or(f.what == Operand::Slot, |p| p.1 == K::S) {
                places.push(f.at);
            }
        }
        if insn.result == Some(true) {
            places.push(10);
        }
        places.sort_unstable();
        places.dedup();
        for at in places {
            let word = &mut words[(off as usize + at) / 8];
            let shift = at % 8 * 8;
            let slot = (*word >> shift) as u16;
            let new = slot.checked_add(first)?;
            *word = *word & !(0xffff << shift) | u64::from(new) << shift;
        }
    }
    Some(words)
}

/// A call, and the code of what it may lead to.
pub(super) struct InlinedWords<'a> {
    /// Which instruction it is.
    pub i: usize,
    first: u16,
    bodies: Vec<(&'a Inlinee, Vec<u64>)>,
}

/// A call and the instructions of what it may lead to.
pub(super) struct InlinedCall<'a> {
    bodies: Vec<(&'a Inlinee, Vec<Ins<'a>>)>,
    /// The slot that has the result, which is in the accumulator, too.
    pub result: Option<u16>,
}

/// Which calls of a method are inlined.
pub(super) fn choose<'a>(
    all: &[Ins<'_>],
    inlinees: &'a Inlinees,
    table: &InsnTable,
) -> Vec<InlinedWords<'a>> {
    let mut left = ALL;
    let mut chosen = Vec::new();
    for (i, x) in all.iter().enumerate() {
        let Some(callees) = inlinees.get(&x.off) else {
            continue;
        };
        let first = Call::read(x.words).first;
        let mut bodies = Vec::new();
        for callee in callees {
            let n = callee.instructions.len();
            if n <= left
                && let Some(words) = shifted(callee, table, first)
            {
                left -= n;
                bodies.push((callee, words));
            }
        }
        if !bodies.is_empty() {
            chosen.push(InlinedWords { i, first, bodies });
        }
    }
    chosen
}

impl<'a> InlinedWords<'a> {
    pub fn call(&'a self, table: &'a InsnTable) -> InlinedCall<'a> {
        let bodies = self.bodies.iter();
        let bodies = bodies.map(|(callee, words)| {
            let all = list(words, &callee.instructions, table);
            (*callee, all)
        });
        InlinedCall {
            result: self.bodies.iter().all(|b| b.0.in_acc).then_some(self.first),
            bodies: bodies.collect(),
        }
    }
}

/// Which inlined code is being made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Within {
    /// The first argument: the callee's slot 0.
    pub first: u16,
    /// Address of the callee, and of what comes after the call.
    method: u64,
    rip: u64,
    kid: i32,
    contexts: bool,
    /// Of the call, and of the callee: both were counted already.
    fixed: Option<(i32, i32)>,
    /// Where it goes on.
    join: Label,
}

/// How many methods an inlined call is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Receivers {
    /// With none: it leads to one.
    Known,
    One,
    Several,
}

/// What is known of registers.
#[derive(Clone, Copy)]
struct Known {
    acc: Option<u16>,
    facc: Option<u16>,
    kept: Option<u16>,
    rdi: Rdi,
    homes: Homes,
}

impl<'a> CodeBuilder<'a> {
    fn known(&self) -> Known {
        Known {
            acc: self.acc,
            facc: self.facc,
            kept: self.kept,
            rdi: self.rdi,
            homes: self.homes,
        }
    }
    fn now_known(&mut self, k: Known) {
        (self.acc, self.facc, self.kept) = (k.acc, k.facc, k.kept);
        (self.rdi, self.homes) = (k.rdi, k.homes);
    }
    /// The code of what the call may lead to; it goes to `other` if it leads elsewhere. The method is in r11 unless it is known.
    pub fn inline(
        &mut self,
        inlined: &'a InlinedCall<'a>,
        call: &Call,
        known: bool,
        contexts: bool,
        other: Label,
    ) {
        let join = self.a.label();
        let rip = self.start + u64::from(self.ins().off) + Call::BYTES as u64;
        // callees use them
        self.homes.remove_from(call.first);
        let before = self.known();
        let last = inlined.bodies.len() - 1;
        let receivers = match known {
            true => Receivers::Known,
            false if last == 0 => Receivers::One,
            false => Receivers::Several,
        };
        for (k, (callee, all)) in inlined.bodies.iter().enumerate() {
            self.now_known(before);
            let next = if k == last { other } else { self.a.label() };
            if !known {
                self.a.constant(R10, callee.method);
                self.a.alu(true, Alu::Cmp, R11, R10);
                self.a.jump_if(Cc::Ne, next);
            }
            let within = Within {
                first: call.first,
                method: callee.method,
                rip,
                kid: call.kid as i32,
                contexts,
                fixed: callee.fixed.map(|n| (call.ticks.into(), n)),
                join,
            };
            self.begin_inlined(callee, call, receivers, within, other);
            self.inline_body(callee, all, within, k == last);
            if k != last {
                self.a.bind(next);
            }
        }
        self.a.bind(join);
        self.now_known(before);
        self.forget();
    }
    /// The child of the node that the call leads to, in r10, where a link to another child is. Goes to `other` if it is not found soon.
    fn find_child(&mut self, node: Gpr, method: u32, site: u16, other: Label) {
        let places = ContextNode::PLACES;
        let (again, next, found) = (self.a.label(), self.a.label(), self.a.label());
        let same = |m: &mut Self| {
            m.a.alu_constant(false, Alu::Cmp, at(R10, CALLED), method as i32);
        };
        self.a.lea(R10, indexed(node, R10, 3, 0));
        same(self);
        self.a.jump_if(Cc::E, found);
        // from the first one on
        let free = match node {
            RDI => RAX,
            _ => RDI,
        };
        self.a.sign_extend(R10, at(node, places.first as i32));
        self.a.lea(R10, indexed(node, R10, 3, 0));
        if free == RDI {
            self.rdi = Rdi::Free;
        }
        let filter = |m: &mut Self, of: Gpr, bit: u16| {
            m.a.load_small(false, 2, free, at(of, places.filter as i32));
            m.a.alu_constant(false, Alu::And, free, bit.into());
            m.a.jump_if(Cc::Ne, other);
        };
        filter(self, node, places.wide);
        self.a.bind(again);
        same(self);
        self.a.jump_if(Cc::Ne, next);
        self.a
            .load_small(false, 2, free, at(R10, places.site as i32));
        self.a.alu_constant(false, Alu::Cmp, free, site.into());
        self.a.jump_if(Cc::E, found);
        let any = u16::MAX.into();
        self.a.alu_constant(false, Alu::Cmp, free, any);
        self.a.jump_if(Cc::E, found);
        self.a.bind(next);
        filter(self, R10, places.last);
        self.a.sign_extend(free, at(R10, places.next as i32));
        self.a.lea(R10, indexed(R10, free, 3, 0));
        self.a.jump(again);
        self.a.bind(found);
    }
    /// Looks at the limit, and counts.
    fn begin_inlined(
        &mut self,
        callee: &Inlinee,
        call: &Call,
        receivers: Receivers,
        within: Within,
        other: Label,
    ) {
        let ticks = i32::from(call.ticks);
        self.a.lea(R10, at(RCX, ticks + callee.most));
        self.a.alu(true, Alu::Cmp, R10, at(R9, LIMIT));
        self.a.jump_if(Cc::Ge, other);
        if within.contexts {
            let node = self.context();
            self.a.sign_extend(R10, at(node, within.kid));
            self.a.test(true, R10, R10);
            self.a.jump_if(Cc::E, other);
            let child = |disp| match receivers {
                Receivers::Several => at(R10, disp),
                _ => indexed(node, R10, 3, disp),
            };
            if receivers == Receivers::Several {
                self.find_child(node, callee.id, call.bci, other);
            } else if receivers == Receivers::One {
                self.a
                    .alu_constant(false, Alu::Cmp, child(CALLED), callee.id as i32);
                self.a.jump_if(Cc::Ne, other);
            }
            self.a.increment(true, child(INVOCATIONS));
            match callee.fixed {
                Some(0) => {}
                Some(n) => self.a.alu_constant(true, Alu::Add, child(INCLUSIVE), n),
                None => {
                    self.a.lea(R10, child(0));
                    self.a.store(8, at(RDX, NODE - FRAME), R10);
                }
            }
        }
        if callee.fixed.is_none() {
            if ticks != 0 {
                self.a.alu_constant(true, Alu::Add, RCX, ticks);
            }
            self.a.store(8, at(RDX, TICKS - FRAME), RCX);
        }
    }
    fn inline_body(&mut self, callee: &Inlinee, all: &'a [Ins<'a>], within: Within, last: bool) {
        let labels = all.iter().map(|_| self.a.label()).collect();
        let (caller, i, start) = (self.all, self.i, self.start);
        let caller_labels = std::mem::replace(&mut self.labels, labels);
        let plan = self.plan.take();
        (self.all, self.start, self.within) = (all, callee.start, Some(within));
        for (j, x) in all.iter().enumerate() {
            self.i = j;
            if x.target {
                self.forget();
            }
            self.a.bind(self.labels[j]);
            if !self.template() {
                let exit = self.exit();
                self.a.jump(exit);
            }
            let returns = x
                .insn
                .is_some_and(|x| matches!(x.op, TemplateOp::Return { .. }));
            if returns && !(last && j + 1 == all.len()) {
                self.a.jump(within.join);
            }
        }
        (self.all, self.start, self.within) = (caller, start, None);
        (self.i, self.plan, self.labels) = (i, plan, caller_labels);
    }
    /// A return of inlined code, whose result is in its place: counts.
    pub fn leave_inlined(&mut self, within: Within, ticks: i32) {
        if let Some((call, callee)) = within.fixed {
            if call + callee != 0 {
                self.a.alu_constant(true, Alu::Add, RCX, call + callee);
            }
            return;
        }
        if ticks != 0 {
            self.a.alu_constant(true, Alu::Add, RCX, ticks);
        }
        if within.contexts {
            self.a.load(true, R10, RCX);
            self.a.alu(true, Alu::Sub, R10, at(RDX, TICKS - FRAME));
            self.a.load(true, RAX, at(RDX, NODE - FRAME));
            self.a.alu_to(true, Alu::Add, at(RAX, INCLUSIVE), R10);
        }
    }
    /// Leaves inlined code for the handler of the instruction at `address`: the callee has a frame from now on.
    pub fn exit_inlined(&mut self, within: Within, address: u64) {
        if let Some((call, callee)) = within.fixed {
            if call != 0 {
                self.a.alu_constant(true, Alu::Add, RCX, call);
            }
            if within.contexts {
                self.a.load(true, RAX, at(RDX, NODE));
                self.a.sign_extend(R10, at(RAX, within.kid));
                self.a.lea(RAX, indexed(RAX, R10, 3, 0));
                self.a
                    .alu_constant(true, Alu::Sub, at(RAX, INCLUSIVE), callee);
                self.a.store(8, at(RDX, NODE - FRAME), RAX);
            }
            self.a.store(8, at(RDX, TICKS - FRAME), RCX);
        }
        self.a.constant(R10, within.rip);
        self.a.store(8, at(RDX, RIP - FRAME), R10);
        self.a.store(8, at(RDX, FP - FRAME), RSI);
        self.a.constant(R10, within.method);
        self.a.store(8, at(RDX, METHOD - FRAME), R10);
        self.a.alu_constant(true, Alu::Sub, RDX, FRAME);
        if within.first != 0 {
            let bytes = i32::from(within.first) * 8;
            self.a.alu_constant(true, Alu::Add, RSI, bytes);
        }
        self.a.constant(RDI, address);
        self.a.jump_to(at(RDI, 0));
    }
}
