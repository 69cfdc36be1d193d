//! The code of callees that are inlined.
//!
//! Their control frames are not made. The limit is looked at once, before, with the most that any way through the callee adds: if some
//! look could find the limit reached, the call is made as usual. What leaves inlined code makes the control frames first. The
//! callee's context has its invocation and its bytecodes as if it had run by itself; where all ways through it add the same, both
//! are counted at once, and what leaves takes the bytecodes back.
//!
//! The ticks are not changed on the way: it is known what they lack (their *lag*). They are brought up to date where ways meet that
//! lack different numbers, and after the outermost callee.

use super::asm::*;
use super::copies::DeferredCopies;
use super::facts::KnownObjects;
use super::homes::{Homes, all_ways};
use super::inline::{InlinedBody, InlinedCall, Inlinee, is_inlined};
use super::ins::{CALLED, FP, FRAME, INCLUSIVE, INVOCATIONS, METHOD, RIP, TICKS, goes_on};
use super::template::{CodeBuilder, LIMIT, NODE, Rdi};
use crate::interp::call_kind::CallKind;
use crate::interp::insn::{Call, Layout};
use crate::vm::TierFault;
use rjvm_profiler::cct::ContextNode;

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
    /// What the callee adds, which was counted already.
    fixed: Option<i32>,
    /// Its ticks may change within it: those at its beginning are in its control frame.
    adjusts: bool,
    /// What the ticks lacked at its beginning, and lack now.
    entry_lag: i32,
    lag: i32,
    /// The register with its context.
    node: Option<Gpr>,
    /// Its context is in its control frame.
    noted: bool,
    /// Which control frame it would have: 1 is the caller's callee. The caller, if that is inlined, too: its number among all.
    level: i32,
    outer: Option<usize>,
    /// Where it continues.
    join: Label,
}

impl Within {
    /// Something of its control frame.
    fn frame(&self, disp: i32) -> Mem {
        at(RDX, disp - FRAME * self.level)
    }
}

/// How many methods an inlined call is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Receivers {
    /// With none: it leads to one.
    Known,
    One,
    Several,
}

/// Facts about registers, and copies.
#[derive(Clone)]
struct Known {
    acc: Option<u16>,
    facc: Option<u16>,
    kept: Option<u16>,
    rdi: Rdi,
    homes: Homes,
    copies: DeferredCopies,
}

impl<'a> CodeBuilder<'a> {
    fn known(&self) -> Known {
        Known {
            acc: self.acc,
            facc: self.facc,
            kept: self.kept,
            rdi: self.rdi,
            homes: self.homes,
            copies: self.copies.clone(),
        }
    }
    fn now_known(&mut self, k: Known) {
        (self.acc, self.facc, self.kept) = (k.acc, k.facc, k.kept);
        (self.rdi, self.homes, self.copies) = (k.rdi, k.homes, k.copies);
    }
    /// The code of what the call may lead to; it goes to `other` if it leads elsewhere. The method is in r11 unless it is known.
    pub fn inline(
        &mut self,
        inlined: &'a InlinedCall<'a>,
        call: &Call,
        kind: CallKind,
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
        let around = self.within;
        let outer = around.map(|w| {
            self.around.push(w);
            self.around.len() - 1
        });
        let entry_lag = around.map_or(0, |w| w.lag) + i32::from(call.ticks);
        // nothing is to be lacking after the outermost call
        let join_lag = around.is_none().then_some(0);
        let outer_lag = std::mem::replace(&mut self.join_lag, join_lag);
        for (k, body) in inlined.bodies.iter().enumerate() {
            self.now_known(before.clone());
            let callee = body.callee;
            let next = if k == last { other } else { self.a.label() };
            if !known {
                self.a.constant(R10, callee.method);
                self.a.alu(true, Alu::Cmp, R11, R10);
                self.a.jump_if(Cc::Ne, next);
            }
            let level = around.map_or(0, |w| w.level) + 1;
            let node = self.nodes.get(level as usize - 1).copied();
            let keeps = contexts
                && (callee.fixed.is_none()
                    || receivers == Receivers::Several
                    || node.is_some() && !body.inner.is_empty());
            let within = Within {
                first: call.first,
                method: callee.method,
                rip,
                kid: call.kid as i32,
                contexts,
                fixed: callee.fixed,
                adjusts: callee.adjusts,
                entry_lag,
                lag: entry_lag,
                node: node.filter(|_| keeps),
                noted: keeps && node.is_none(),
                level,
                outer,
                join,
            };
            if let Some(native) = callee.native {
                // before anything is counted; natives read their arguments where they are
                self.make_copies(|d, _| d >= call.first);
                self.native_result(native, call.first, other);
            }
            self.begin_inlined(callee, call, receivers, within, other);
            match callee.native {
                Some(native) => {
                    self.store_native_result(native, call.first);
                    self.leave_inlined(within, 0);
                    if k != last {
                        self.a.jump(join);
                    }
                }
                None => {
                    let objects = self.objects[self.i].in_callee(call, kind != CallKind::Static);
                    self.inline_body(body, objects, within, k == last);
                }
            }
            if k != last {
                self.a.bind(next);
            }
        }
        self.a.bind(join);
        self.now_known(before);
        self.copies.remove_from(call.first);
        self.forget();
        let lag = std::mem::replace(&mut self.join_lag, outer_lag);
        if let Some(w) = &mut self.within {
            w.lag = lag.expect("a callee that returns");
        }
    }
    /// A register with the context of inlined code: rax, if it is in none. r10 is used for it.
    fn context_of(&mut self, within: Option<usize>) -> Gpr {
        let Some(w) = within.map(|n| self.around[n]) else {
            return self.context();
        };
        if let Some(r) = w.node {
            return r;
        }
        if w.noted {
            self.a.load(true, RAX, w.frame(NODE));
        } else {
            let node = self.context_of(w.outer);
            self.a.sign_extend(R10, at(node, w.kid));
            self.a.lea(RAX, indexed(node, R10, 3, 0));
        }
        RAX
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
        if within.outer.is_none() {
            let most = i32::from(call.ticks) + callee.most;
            self.a.lea(R10, at(RCX, most));
            self.a.alu(true, Alu::Cmp, R10, at(R9, LIMIT));
            self.a.jump_if(Cc::Ge, other);
        }
        if within.contexts {
            let node = self.context_of(within.outer);
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
            if let Some(n) = callee.fixed.filter(|&n| n != 0) {
                self.a.alu_constant(true, Alu::Add, child(INCLUSIVE), n);
            }
            if within.noted || within.node.is_some() {
                let r = within.node.unwrap_or(R10);
                match receivers {
                    Receivers::Several => self.a.load(true, r, R10),
                    _ => self.a.lea(r, child(0)),
                }
                if within.noted {
                    self.a.store(8, within.frame(NODE), r);
                }
            }
        }
        if within.adjusts {
            self.store_ticks(within);
        }
    }
    /// The ticks at the beginning of inlined code into its control frame, if they have not changed since.
    fn store_ticks(&mut self, within: Within) {
        let mut ticks = RCX;
        if within.entry_lag != 0 {
            ticks = R10;
            self.a.lea(R10, at(RCX, within.entry_lag));
        }
        self.a.store(8, within.frame(TICKS), ticks);
    }
    fn inline_body(
        &mut self,
        body: &'a InlinedBody<'a>,
        objects: KnownObjects,
        within: Within,
        last: bool,
    ) {
        let all = &body.all;
        let objects = objects.at_all(all, &all_ways(all), std::iter::empty());
        let caller_objects = std::mem::replace(&mut self.objects, objects);
        let stable = self.stable_copies(all);
        let caller_stable = std::mem::replace(&mut self.stable, stable);
        let labels = all.iter().map(|_| self.a.label()).collect();
        let (caller, i, start, around) = (self.all, self.i, self.start, self.within);
        let caller_labels = std::mem::replace(&mut self.labels, labels);
        let calls = std::mem::replace(&mut self.calls, &body.inner);
        let plan = self.plan.take();
        let lags = std::mem::replace(&mut self.lags, vec![None; all.len()]);
        let expected = self.expected.replace(&body.callee.expected);
        (self.all, self.start, self.within) = (all, body.callee.start, Some(within));
        let (mut result, mut falls) = (None, true);
        for (j, x) in all.iter().enumerate() {
            if x.target {
                if falls {
                    self.make_unstable_copies();
                }
                self.copies = self.stable.clone();
            }
            self.i = j;
            if !self.come_to(j, falls) {
                (result, falls) = (None, false);
                continue;
            }
            if x.target {
                self.forget();
            } else if let Some(n) = result {
                self.acc = Some(n);
            }
            result = x.inlined.and_then(|n| body.inner[n].result);
            self.a.bind(self.labels[j]);
            falls = (x.inlined.is_some() || is_inlined(x)) && self.template();
            if !falls {
                let exit = self.exit();
                self.a.jump(exit);
            }
            falls &= goes_on(x) && self.expected_way(x.off) != Some(true);
            if x.returns() && !(last && j + 1 == all.len()) {
                self.a.jump(within.join);
            }
        }
        (self.all, self.start, self.within) = (caller, start, around);
        (self.i, self.plan, self.labels, self.calls) = (i, plan, caller_labels, calls);
        (self.lags, self.expected, self.objects) = (lags, expected, caller_objects);
        self.stable = caller_stable;
    }
    /// Before instruction `j` of inlined code, to which control comes from the one before (`falls`), or by a branch before. False: it
    /// does not come there.
    fn come_to(&mut self, j: usize, falls: bool) -> bool {
        let within = self.within.as_mut().expect("inlined code");
        match self.lags[j] {
            None if !falls => return false,
            None => self.lags[j] = Some(within.lag),
            Some(lag) => {
                let missing = within.lag - lag;
                within.lag = lag;
                if falls && missing != 0 {
                    self.a.alu_constant(true, Alu::Add, RCX, missing);
                }
            }
        }
        true
    }
    /// The way of the branch that is expected, if one is: whether it is taken.
    fn expected_way(&self, off: u32) -> Option<bool> {
        self.expected.and_then(|e| e.get(&off).copied())
    }
    /// Whether the instruction is a branch that is left to its handler if it is taken.
    pub fn is_left_if_taken(&self) -> bool {
        self.expected_way(self.ins().off) == Some(false)
    }
    /// What the ticks are to be given on a way of inlined code that adds `ticks`, to instruction `to`.
    fn missing_at(&mut self, ticks: i16, to: usize) -> i32 {
        let within = self.within.expect("inlined code");
        let lag = within.lag + i32::from(ticks);
        lag - *self.lags[to].get_or_insert(lag) + i32::from(self.fault == Some(TierFault::Count))
    }
    /// Goes to instruction `to` of inlined code, which does not come to the limit.
    pub fn take_inlined(&mut self, ticks: i16, to: usize) {
        let missing = self.missing_at(ticks, to);
        if missing != 0 {
            self.a.alu_constant(true, Alu::Add, RCX, missing);
        }
        self.a.jump(self.labels[to]);
    }
    /// The same if a condition holds.
    pub fn take_inlined_if(&mut self, cc: Cc, ticks: i16, to: usize) {
        match self.expected_way(self.ins().off) {
            Some(false) => {
                let exit = self.exit();
                self.a.jump_if(cc, exit);
            }
            Some(true) => {
                let exit = self.exit();
                self.a.jump_if(cc.not(), exit);
                self.take_inlined(ticks, to);
            }
            None => match self.missing_at(ticks, to) {
                0 => self.a.jump_if(cc, self.labels[to]),
                missing => {
                    let skip = self.a.label();
                    self.a.jump_if(cc.not(), skip);
                    self.a.alu_constant(true, Alu::Add, RCX, missing);
                    self.a.jump(self.labels[to]);
                    self.a.bind(skip);
                }
            },
        }
    }
    /// A return of inlined code, whose result is in its place: counts.
    pub fn leave_inlined(&mut self, within: Within, ticks: i32) {
        let lag = within.lag + ticks;
        if within.fixed.is_none() && within.contexts {
            let node = within.node.unwrap_or(RAX);
            if within.noted {
                self.a.load(true, RAX, within.frame(NODE));
            }
            let bytecodes = at(node, INCLUSIVE);
            if within.adjusts {
                self.a.lea(R10, at(RCX, lag));
                self.a.alu(true, Alu::Sub, R10, within.frame(TICKS));
                self.a.alu_to(true, Alu::Add, bytecodes, R10);
            } else {
                let added = lag - within.entry_lag;
                self.a.alu_constant(true, Alu::Add, bytecodes, added);
            }
        }
        let missing = lag - *self.join_lag.get_or_insert(lag);
        if missing != 0 {
            self.a.alu_constant(true, Alu::Add, RCX, missing);
        }
    }
    /// Leaves inlined code for the handler of the instruction at `address`: callees have frames from now on.
    pub fn exit_inlined(&mut self, within: Within, address: u64) {
        let mut levels = vec![within];
        let mut outer = within.outer;
        while let Some(n) = outer {
            levels.push(self.around[n]);
            outer = self.around[n].outer;
        }
        let mut first = 0;
        for w in levels.iter().rev() {
            self.make_frame(w, first);
            first = w.first;
        }
        if within.lag != 0 {
            self.a.alu_constant(true, Alu::Add, RCX, within.lag);
        }
        let frames = FRAME * within.level;
        self.a.alu_constant(true, Alu::Sub, RDX, frames);
        self.a.constant(RDI, address);
        self.a.jump_to(at(RDI, 0));
    }
    /// The control frame of a callee whose caller, in rsi, begins with that slot; then rsi is the callee's.
    fn make_frame(&mut self, w: &Within, first: u16) {
        if w.contexts {
            match w.node {
                Some(r) => self.a.store(8, w.frame(NODE), r),
                None if w.noted => {}
                None => {
                    self.a.load(true, RAX, w.frame(NODE + FRAME));
                    self.a.sign_extend(R10, at(RAX, w.kid));
                    self.a.lea(RAX, indexed(RAX, R10, 3, 0));
                    self.a.store(8, w.frame(NODE), RAX);
                }
            }
            if let Some(callee) = w.fixed {
                self.a.load(true, RAX, w.frame(NODE));
                self.a
                    .alu_constant(true, Alu::Sub, at(RAX, INCLUSIVE), callee);
            }
        }
        if !w.adjusts {
            self.store_ticks(*w);
        }
        self.a.constant(R10, w.rip);
        self.a.store(8, w.frame(RIP), R10);
        self.a.store(8, w.frame(FP), RSI);
        self.a.constant(R10, w.method);
        self.a.store(8, w.frame(METHOD), R10);
        if w.first != first {
            let bytes = i32::from(w.first - first) * 8;
            self.a.alu_constant(true, Alu::Add, RSI, bytes);
        }
    }
}
