//! The code of callees that are inlined.
//!
//! Their control frames are not made. The limit is looked at once, before, with the most that any way through the callee adds: if some
//! look could find the limit reached, the call is made as usual. What leaves inlined code makes the control frames first. The
//! callee's context has its invocation and its bytecodes as if it had run by itself; where all ways through it add the same, both
//! are counted at once, and what leaves takes the bytecodes back.

use super::asm::*;
use super::flow::{CALLED, FP, FRAME, INCLUSIVE, INVOCATIONS, METHOD, RIP, TICKS};
use super::homes::Homes;
use super::inline::{InlinedBody, InlinedCall, Inlinee, is_inlined};
use super::template::{CodeBuilder, LIMIT, NODE, Rdi};
use crate::interp::insn::{Call, Layout};
use crate::interp::instruction::TemplateOp;
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
    /// Of the call, and of the callee: both were counted already.
    fixed: Option<(i32, i32)>,
    /// It is in code that was counted already, which adds its ticks.
    in_fixed: bool,
    /// What calls in it have added, if it was counted already: the ticks lack that.
    passed: i32,
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

/// Facts about registers.
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
        let around = self.within;
        let outer = around.map(|w| {
            self.around.push(w);
            self.around.len() - 1
        });
        let in_fixed = around.is_some_and(|w| w.fixed.is_some());
        let ticks = i32::from(call.ticks) + around.map_or(0, |w| w.passed);
        for (k, body) in inlined.bodies.iter().enumerate() {
            self.now_known(before);
            let callee = body.callee;
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
                fixed: callee.fixed.map(|n| (ticks, n)),
                in_fixed,
                passed: 0,
                noted: contexts && (callee.fixed.is_none() || receivers == Receivers::Several),
                level: around.map_or(0, |w| w.level) + 1,
                outer,
                join,
            };
            if let Some(native) = callee.native {
                // before anything is counted
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
                None => self.inline_body(body, within, k == last),
            }
            if k != last {
                self.a.bind(next);
            }
        }
        self.a.bind(join);
        self.now_known(before);
        self.forget();
        if let Some(w) = self.within.as_mut().filter(|_| in_fixed) {
            // one callee, which always adds the same: else the code around it would not
            let callee = inlined.bodies[0].callee.fixed.expect("of a fixed caller");
            w.passed += i32::from(call.ticks) + callee;
        }
    }
    /// The context of inlined code into rax; r10 is used for it.
    fn load_context_of(&mut self, within: Option<usize>) {
        let Some(w) = within.map(|n| self.around[n]) else {
            self.a.load(true, RAX, at(RDX, NODE));
            return;
        };
        if w.noted {
            self.a.load(true, RAX, w.frame(NODE));
            return;
        }
        self.load_context_of(w.outer);
        self.a.sign_extend(R10, at(RAX, w.kid));
        self.a.lea(RAX, indexed(RAX, R10, 3, 0));
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
            let node = match within.outer {
                None => self.context(),
                Some(_) => {
                    self.load_context_of(within.outer);
                    RAX
                }
            };
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
            if within.noted {
                if receivers != Receivers::Several {
                    self.a.lea(R10, child(0));
                }
                self.a.store(8, within.frame(NODE), R10);
            }
        }
        if callee.fixed.is_none() {
            if call.ticks != 0 {
                self.a
                    .alu_constant(true, Alu::Add, RCX, i32::from(call.ticks));
            }
            self.a.store(8, within.frame(TICKS), RCX);
        }
    }
    fn inline_body(&mut self, body: &'a InlinedBody<'a>, within: Within, last: bool) {
        let all = &body.all;
        let labels = all.iter().map(|_| self.a.label()).collect();
        let (caller, i, start, around) = (self.all, self.i, self.start, self.within);
        let caller_labels = std::mem::replace(&mut self.labels, labels);
        let calls = std::mem::replace(&mut self.calls, &body.inner);
        let plan = self.plan.take();
        (self.all, self.start, self.within) = (all, body.callee.start, Some(within));
        let mut result = None;
        for (j, x) in all.iter().enumerate() {
            self.i = j;
            if x.target {
                self.forget();
            } else if let Some(n) = result {
                self.acc = Some(n);
            }
            result = x.inlined.and_then(|n| body.inner[n].result);
            self.a.bind(self.labels[j]);
            if !((x.inlined.is_some() || is_inlined(x)) && self.template()) {
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
        (self.all, self.start, self.within) = (caller, start, around);
        (self.i, self.plan, self.labels, self.calls) = (i, plan, caller_labels, calls);
    }
    /// A return of inlined code, whose result is in its place: counts.
    pub fn leave_inlined(&mut self, within: Within, ticks: i32) {
        if let Some((call, callee)) = within.fixed {
            if call + callee != 0 && !within.in_fixed {
                self.a.alu_constant(true, Alu::Add, RCX, call + callee);
            }
            return;
        }
        if ticks != 0 {
            self.a.alu_constant(true, Alu::Add, RCX, ticks);
        }
        if within.contexts {
            self.a.load(true, R10, RCX);
            self.a.alu(true, Alu::Sub, R10, within.frame(TICKS));
            self.a.load(true, RAX, within.frame(NODE));
            self.a.alu_to(true, Alu::Add, at(RAX, INCLUSIVE), R10);
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
        if within.passed != 0 {
            self.a.alu_constant(true, Alu::Add, RCX, within.passed);
        }
        let frames = FRAME * within.level;
        self.a.alu_constant(true, Alu::Sub, RDX, frames);
        self.a.constant(RDI, address);
        self.a.jump_to(at(RDI, 0));
    }
    /// The control frame of a callee whose caller, in rsi, begins with that slot; then rsi is the callee's.
    fn make_frame(&mut self, w: &Within, first: u16) {
        if let Some((call, callee)) = w.fixed {
            if call != 0 {
                self.a.alu_constant(true, Alu::Add, RCX, call);
            }
            if w.contexts {
                match w.noted {
                    true => self.a.load(true, RAX, w.frame(NODE)),
                    false => {
                        self.a.load(true, RAX, w.frame(NODE + FRAME));
                        self.a.sign_extend(R10, at(RAX, w.kid));
                        self.a.lea(RAX, indexed(RAX, R10, 3, 0));
                        self.a.store(8, w.frame(NODE), RAX);
                    }
                }
                self.a
                    .alu_constant(true, Alu::Sub, at(RAX, INCLUSIVE), callee);
            }
            self.a.store(8, w.frame(TICKS), RCX);
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
