//! Templates of calls.

use super::asm::*;
use super::ins::{CALLED, FP, FRAME, INVOCATIONS, METHOD, RIP, TICKS};
use super::template::{CodeBuilder, LIMIT, NODE, Rdi, Val};
use crate::classes::method::vindex;
use crate::classes::{ClassHot, Method, VtableEntry};
use crate::interp::call_kind::CallKind;
use crate::interp::frame::{Hot, MhOffsets};
use crate::interp::insn::{Call, Layout};
use crate::interp::instruction::TemplateOp;
use crate::threads::stack::RED_ZONE;
use std::mem::offset_of;

const CALL: i32 = offset_of!(Method, call) as i32;
const ID: i32 = offset_of!(Method, id) as i32;
const CALLEE: i32 = offset_of!(VtableEntry, callee) as i32;

impl CodeBuilder<'_> {
    /// A call. False: there is no template.
    pub fn call(&mut self, kind: CallKind, contexts: bool) -> bool {
        let x = self.ins();
        let call = Call::read(x.words);
        let known = match kind {
            // inlined code calls nothing
            _ if self.within.is_some() && x.inlined.is_none() => return false,
            CallKind::Static | CallKind::Special => true,
            CallKind::Appendix | CallKind::Handle if call.cache as u32 as i32 >= 0 => true,
            CallKind::Virtual | CallKind::Interface => false,
            CallKind::Basic | CallKind::Link(0..=2) => false,
            _ => return false,
        };
        let calls = self.calls;
        let inlined = x.inlined.map(|n| &calls[n]);
        let exit = self.exit();
        let first = i32::from(call.first) * 8;
        if call.moved_to != 0 {
            let from = self.value(call.moved_from);
            let deferred = match from {
                Val::Slot(n) => inlined.is_some() && self.defer_copy(call.moved_to, n),
                _ => false,
            };
            if !deferred {
                self.load(true, RAX, from);
                self.a.store(8, Self::slot(call.moved_to), RAX);
                self.overwritten(call.moved_to);
                self.rax = Some((self.i, call.moved_to));
            }
        }
        if !matches!(
            kind,
            CallKind::Static | CallKind::Appendix | CallKind::Link(0)
        ) {
            let receiver = self.value(call.first);
            let known_objects = self.objects[self.i].in_callee(&call, false);
            let is_object = known_objects.has(call.first);
            if !(is_object && known) {
                self.reference(receiver);
            }
            if !is_object {
                self.a.test(false, RAX, RAX);
                self.a.jump_if(Cc::E, exit);
            }
        }
        self.rax = None;
        // the outermost call looks for all
        if self.within.is_none() {
            let room = inlined.map_or(first, |c| c.room);
            self.a.lea(R10, at(RSI, room + RED_ZONE as i32));
            self.a.alu(true, Alu::Cmp, R10, RDX);
            self.a.jump_if(Cc::A, exit);
        }
        let ip = self.start + u64::from(x.off);
        match kind {
            CallKind::Virtual => {
                self.a.load(false, RAX, indexed(R9, RAX, 3, 0));
                let entry = call.aux as i32 + CALLEE;
                self.a.load(true, R11, indexed(R9, RAX, 3, entry));
            }
            CallKind::Interface => self.interface(ip, &call, exit),
            CallKind::Basic => self.basic(exit),
            CallKind::Link(kind) => {
                let member = call.first + call.slots - 1;
                self.load(false, RAX, self.value(member));
                self.linked(exit);
                if kind == 2 {
                    self.selected(call.first, exit);
                }
            }
            _ => {}
        }
        match inlined {
            Some(inlined) => {
                let other = match self.within {
                    None => {
                        let other = self.a.label();
                        self.made.push((other, self.i, self.copies.later.clone()));
                        other
                    }
                    Some(_) => exit,
                };
                self.inline(inlined, &call, kind, known, contexts, other);
            }
            None => self.make_call(kind, known, contexts),
        }
        true
    }
    /// Enters the method, which is known or in r11. The receiver is not null, and there is room.
    fn make_call(&mut self, kind: CallKind, known: bool, contexts: bool) {
        let x = self.ins();
        let call = Call::read(x.words);
        let exit = self.exit();
        let first = i32::from(call.first) * 8;
        let ip = self.start + u64::from(x.off);
        if contexts {
            let node = self.context();
            self.a.sign_extend(R10, at(node, call.kid as i32));
            self.a.test(true, R10, R10);
            self.a.jump_if(Cc::E, exit);
            // what is left to a handler from here on needs no rdi
            self.rdi = Rdi::Free;
            self.a.lea(RDI, indexed(node, R10, 3, 0));
            if !known {
                let sought = self.a.label();
                self.sought.push((sought, ip));
                self.a.load(false, R10, at(R11, ID));
                self.a.alu(false, Alu::Cmp, R10, at(RDI, CALLED));
                self.a.jump_if(Cc::Ne, sought);
            }
            self.a.increment(true, at(RDI, INVOCATIONS));
            self.a.store(8, at(RDX, NODE - FRAME), RDI);
        }
        if known {
            self.a.constant(R11, call.method);
        }
        if matches!(kind, CallKind::Appendix | CallKind::Handle) && call.cache as u32 != 0 {
            self.a.load(false, R10, at(R9, call.cache as u32 as i32));
            let slot = first + i32::from(call.slots) * 8;
            self.a.store(8, at(RSI, slot), R10);
        }
        if call.ticks != 0 {
            self.a.alu_constant(true, Alu::Add, RCX, call.ticks.into());
        }
        self.a.constant(R10, ip + Call::BYTES as u64);
        self.a.store(8, at(RDX, RIP - FRAME), R10);
        self.a.store(8, at(RDX, FP - FRAME), RSI);
        self.a.store(8, at(RDX, TICKS - FRAME), RCX);
        self.a.store(8, at(RDX, METHOD - FRAME), R11);
        self.a.alu_constant(true, Alu::Sub, RDX, FRAME);
        self.rdi = Rdi::Free;
        if first != 0 {
            self.a.alu_constant(true, Alu::Add, RSI, first);
        }
        let label = self.a.label();
        self.called.push(label);
        self.a.alu(true, Alu::Cmp, RCX, at(R9, LIMIT));
        self.a.jump_if(Cc::Ge, label);
        // compiled code is given its context; no callee reads the accumulator
        self.a.jump_to(at(R11, CALL));
    }
    /// Calls that could have been inlined, but have to be made.
    pub fn emit_calls(&mut self) {
        for (label, i, copies) in std::mem::take(&mut self.made) {
            self.i = i;
            self.forget();
            self.a.bind(label);
            self.make_copies_in_memory(&copies);
            let insn = self.ins().insn.expect("a call");
            if let TemplateOp::Call { kind, contexts } = insn.op {
                let known = matches!(kind, CallKind::Static | CallKind::Special);
                self.make_call(kind, known, contexts);
            }
        }
    }
    /// The method of an interface call into r11; the receiver is in rax.
    fn interface(&mut self, ip: u64, call: &Call, exit: Label) {
        let (other, found) = (self.a.label(), self.a.label());
        const AUX: i32 = 28;
        const CACHE: i32 = 32;
        self.a.load(false, RAX, indexed(R9, RAX, 3, 0));
        // what the instruction remembers may change
        self.a.constant(R10, ip);
        self.a.alu(false, Alu::Cmp, RAX, at(R10, AUX));
        self.a.jump_if(Cc::Ne, other);
        self.a.load(true, R11, at(R10, CACHE));
        self.a.jump(found);
        self.a.bind(other);
        self.a.lea(RAX, indexed(R9, RAX, 3, 0));
        self.a
            .load(true, R10, at(RAX, offset_of!(ClassHot, imt) as i32));
        self.a.test(true, R10, R10);
        self.a.jump_if(Cc::E, exit);
        self.a.constant(R11, call.method);
        self.rdi = Rdi::Free;
        self.a.load(false, RDI, at(R11, ID));
        let mask = offset_of!(ClassHot, imt_mask) as i32;
        self.a.alu(false, Alu::And, RDI, at(RAX, mask));
        // 16 bytes each: key, method
        self.a.shift_constant(true, Shift::Left, RDI, 4);
        self.a.alu(true, Alu::Add, R10, RDI);
        self.a.alu(true, Alu::Cmp, R11, at(R10, 0));
        self.a.jump_if(Cc::Ne, exit);
        self.a.load(true, R11, at(R10, 8));
        self.a.bind(found);
    }
    /// The reference in the object in rax, at that place, into rax; left to the handler if the object is null.
    fn follow(&mut self, at: u32, exit: Label) {
        self.a.test(false, RAX, RAX);
        self.a.jump_if(Cc::E, exit);
        self.a.load(false, RAX, indexed(R9, RAX, 3, at as i32));
    }
    /// Places of what calls of method handles read.
    fn places(&self) -> MhOffsets {
        // SAFETY: the region's base is that of this VM, which lives.
        unsafe { (*(self.base as *const Hot)).mh }
    }
    /// The method of the lambda form of the handle in rax into r11.
    fn basic(&mut self, exit: Label) {
        let places = self.places();
        self.follow(places.form, exit);
        self.follow(places.vmentry, exit);
        self.linked(exit);
    }
    /// The method of the member in rax into r11.
    fn linked(&mut self, exit: Label) {
        let places = self.places();
        self.follow(places.method, exit);
        self.follow(places.vmtarget, exit);
        self.a
            .load(true, R10, at(R9, offset_of!(Hot, methods) as i32));
        // numbers begin with 1
        self.a.load(true, R11, indexed(R10, RAX, 3, -8));
    }
    /// Which method the one in r11 is for the receiver, into r11.
    fn selected(&mut self, receiver: u16, exit: Label) {
        const { assert!(size_of::<VtableEntry>() == 16) }
        let (direct, done) = (self.a.label(), self.a.label());
        self.a
            .load(false, RAX, at(R11, offset_of!(Method, vindex) as i32));
        self.a.test(false, RAX, RAX);
        self.a.jump_if(Cc::L, direct);
        self.a.shift_constant(true, Shift::Left, RAX, 4);
        self.load(false, R10, self.value(receiver));
        self.a.load(false, R10, indexed(R9, R10, 3, 0));
        self.a.lea(R10, indexed(R9, R10, 3, 0));
        let callee = offset_of!(ClassHot, vtable) as i32 + CALLEE;
        self.a.load(true, R11, indexed(R10, RAX, 0, callee));
        self.a.jump(done);
        self.a.bind(direct);
        self.a.alu_constant(false, Alu::Cmp, RAX, vindex::INTERFACE);
        self.a.jump_if(Cc::E, exit);
        self.a.bind(done);
    }
}
