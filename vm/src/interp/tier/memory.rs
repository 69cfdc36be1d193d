//! Templates of fields, arrays, type tests and allocation.

use super::asm::*;
use super::ins::CLEARED;
use super::template::{CodeBuilder, Rdi, Val};
use crate::classes::ClassHot;
use crate::classes::class::DISPLAY;
use crate::heap::region::{CARD_SHIFT, CARD_SPAN};
use crate::heap::{ELEMS, LENGTH, MARK, mark};
use crate::interp::frame::Hot;
use crate::interp::ops_mem::UNCOUNTED;
use std::mem::offset_of;

/// The longest array that a template allocates.
const SHORT: i32 = 4096;

pub(super) const DISPLAYED: i32 = offset_of!(ClassHot, display) as i32;
pub(super) const SECONDARY: i32 = offset_of!(ClassHot, secondary_cache) as i32;
const ELEMENT: i32 = offset_of!(ClassHot, elem) as i32;
pub(super) const DEPTH: i32 = offset_of!(ClassHot, depth) as i32;
const BUMP: i32 = offset_of!(Hot, bump) as i32;
const BUMP_END: i32 = offset_of!(Hot, bump_end) as i32;

/// Log2 of the bytes of a field or element of that type.
fn shift_of(letter: u8) -> u8 {
    match letter {
        b'Z' | b'B' => 0,
        b'C' | b'S' => 1,
        b'J' | b'D' => 3,
        _ => 2,
    }
}

fn is_float(letter: u8) -> bool {
    matches!(letter, b'F' | b'D')
}

impl CodeBuilder<'_> {
    /// Loads a value of that type as a result.
    fn load_value(&mut self, letter: u8, from: Mem) {
        if is_float(letter) {
            self.a.load_float(letter == b'D', XMM0, from);
            self.float_result();
            return;
        }
        match letter {
            b'Z' => self.a.load_small(false, 1, R8, from),
            b'B' => self.a.load_small(true, 1, R8, from),
            b'C' => self.a.load_small(false, 2, R8, from),
            b'S' => self.a.load_small(true, 2, R8, from),
            _ => self.a.load(letter == b'J', R8, from),
        }
        self.result();
    }
    /// Stores a value of that type; r11 may be used for it, and rax if it is a constant of floating point.
    fn store_value(&mut self, letter: u8, to: Mem, v: Val) {
        let bytes = 1 << shift_of(letter);
        match v {
            // the bits of a float, those of a double, or the number itself
            Val::Constant(c) => {
                self.a
                    .store_constant(bytes, to, if letter == b'Z' { c & 1 } else { c })
            }
            _ if is_float(letter)
                && let Some(x) = self.float_held(v) =>
            {
                self.a.store_float(letter == b'D', to, x);
            }
            _ => {
                let mut r = self.in_register(bytes == 8, v, R11);
                if letter == b'Z' {
                    if r != R11 {
                        self.a.load(false, R11, r);
                        r = R11;
                    }
                    self.a.alu_constant(false, Alu::And, r, 1);
                }
                self.a.store(bytes, to, r);
            }
        }
    }
    pub fn get_field(&mut self, letter: u8) {
        let v = self.operand("object");
        let r = self.object(v);
        let offset = self.ins().int(12);
        self.load_value(letter, indexed(R9, r, 3, offset));
    }
    pub fn put_field(&mut self, letter: u8) {
        let object = self.operand("object");
        let value = self.operand("value");
        let r = self.object(object);
        let offset = self.ins().int(12);
        let to = indexed(R9, r, 3, offset);
        self.store_value(letter, to, value);
        if letter == b'L' {
            self.a.lea(R10, to);
            self.mark_card();
        }
    }
    /// Marks the card of the address in r10.
    fn mark_card(&mut self) {
        self.a.alu(true, Alu::Sub, R10, R9);
        self.a
            .shift_constant(true, Shift::Logical, R10, CARD_SHIFT as u8);
        let card = indexed(R9, R10, 0, -(CARD_SPAN as i32));
        self.a.store_constant(1, card, 1);
    }
    pub fn get_static(&mut self, letter: u8) -> bool {
        let Ok(offset) = i32::try_from(self.ins().int(12) as u32) else {
            return false;
        };
        self.load_value(letter, at(R9, offset));
        true
    }
    pub fn put_static(&mut self, letter: u8) -> bool {
        let Ok(offset) = i32::try_from(self.ins().int(12) as u32) else {
            return false;
        };
        let value = self.operand("value");
        self.store_value(letter, at(R9, offset), value);
        true
    }
    pub fn array_length(&mut self) {
        let v = self.operand("a");
        let r = self.object(v);
        self.a.load(false, R8, indexed(R9, r, 3, LENGTH as i32));
        self.result();
    }
    /// The element of an array, whose index is looked at, and a register with the array; r10 and r11 are used for it.
    fn element(&mut self, array: Val, index: Val, shift: u8) -> (Mem, Gpr) {
        let exit = self.exit();
        // both before anything is changed
        let r = self.object(array);
        let elements = ELEMS as i32;
        let place = match index {
            Val::Constant(c) => {
                let length = indexed(R9, r, 3, LENGTH as i32);
                self.a.alu_constant(false, Alu::Cmp, length, c);
                self.a.jump_if(Cc::Be, exit);
                match c
                    .checked_shl(shift.into())
                    .and_then(|c| c.checked_add(elements))
                {
                    Some(disp) if (0..1 << 24).contains(&c) => indexed(R9, r, 3, disp),
                    _ => {
                        // there is no such array, or a large one
                        self.a.jump(exit);
                        indexed(R9, r, 3, elements)
                    }
                }
            }
            _ => {
                // all bits above the index are 0
                self.load(false, R11, index);
                self.a.lea(R10, indexed(R9, r, 3, 0));
                self.a.alu(false, Alu::Cmp, R11, at(R10, LENGTH as i32));
                self.a.jump_if(Cc::Ae, exit);
                indexed(R10, R11, shift, elements)
            }
        };
        (place, r)
    }
    pub fn load_element(&mut self, letter: u8) {
        let (array, index) = self.operands();
        let (from, _) = self.element(array, index, shift_of(letter));
        self.load_value(letter, from);
    }
    pub fn store_element(&mut self, letter: u8) {
        let (array, index) = (self.operand("array"), self.operand("index"));
        let value = self.operand("value");
        let (to, array) = self.element(array, index, shift_of(letter));
        match letter {
            b'B' => self.store_byte(to, array, value),
            b'L' => self.store_reference(to, array, value),
            _ => {
                // the place is in r10 and r11, or rax
                let to = self.one_register(to);
                self.store_value(letter, to, value);
            }
        }
    }
    /// The place with its address in r10.
    fn one_register(&mut self, m: Mem) -> Mem {
        self.a.lea(R10, m);
        at(R10, 0)
    }
    /// Elements of a `boolean[]` are 0 or 1.
    fn store_byte(&mut self, to: Mem, array: Gpr, value: Val) {
        let done = self.a.label();
        let booleans = self.ins().int(16);
        let to = self.one_register(to);
        self.rdi = Rdi::Free;
        self.a.load(false, RDI, indexed(R9, array, 3, 0));
        self.load(false, R11, value);
        self.a.alu_constant(false, Alu::Cmp, RDI, booleans);
        self.a.jump_if(Cc::Ne, done);
        self.a.alu_constant(false, Alu::And, R11, 1);
        self.a.bind(done);
        self.a.store(1, to, R11);
    }
    fn store_reference(&mut self, to: Mem, array: Gpr, value: Val) {
        let exit = self.exit();
        let stored = self.a.label();
        let to = self.one_register(to);
        // the class of the elements
        self.rdi = Rdi::Free;
        self.a.load(false, RDI, indexed(R9, array, 3, 0));
        self.a.load(false, RDI, indexed(R9, RDI, 3, ELEMENT));
        self.load(false, R11, value);
        self.a.test(false, R11, R11);
        self.a.jump_if(Cc::E, stored);
        self.a.load(false, RAX, indexed(R9, R11, 3, 0));
        self.a.alu(false, Alu::Cmp, RAX, RDI);
        self.a.jump_if(Cc::E, stored);
        // a superclass of it, by its depth
        self.a.lea(RAX, indexed(R9, RAX, 3, 0));
        self.a.load(false, R11, indexed(R9, RDI, 3, DEPTH));
        self.a.alu_constant(false, Alu::Cmp, R11, DISPLAY as i32);
        self.a.jump_if(Cc::Ae, exit);
        self.a
            .alu(false, Alu::Cmp, RDI, indexed(RAX, R11, 2, DISPLAYED));
        self.load(false, R11, value);
        self.a.jump_if(Cc::Ne, exit);
        self.a.bind(stored);
        self.a.store(4, to, R11);
        self.mark_card();
    }
    /// Whether the object in rax, which is not null, is of class `c`: goes to `yes` if that is soon known. Else its class's block is
    /// in r10.
    fn is_of_class(&mut self, c: u32, yes: Label) {
        self.a.load(false, R10, indexed(R9, RAX, 3, 0));
        self.a.alu_constant(false, Alu::Cmp, R10, c as i32);
        self.a.jump_if(Cc::E, yes);
        self.a.lea(R10, indexed(R9, R10, 3, 0));
        let depth = self.class(c, |k| k.depth) as usize;
        if depth < DISPLAY {
            let shown = at(R10, DISPLAYED + depth as i32 * 4);
            self.a.alu_constant(false, Alu::Cmp, shown, c as i32);
            self.a.jump_if(Cc::E, yes);
        }
    }
    /// Something of a class.
    fn class<T>(&self, c: u32, of: impl Fn(&ClassHot) -> T) -> T {
        let block = self.base + u64::from(c) * 8;
        // SAFETY: the number is in a resolved instruction: the class is loaded, and its block in the region of this VM.
        of(unsafe { &*(block as *const ClassHot) })
    }
    pub fn check_cast(&mut self) {
        let (exit, done) = (self.exit(), self.a.label());
        let c = self.ins().int(12) as u32;
        let v = self.operand("object");
        self.load(false, RAX, v);
        self.a.test(false, RAX, RAX);
        self.a.jump_if(Cc::E, done);
        self.is_of_class(c, done);
        self.a
            .alu_constant(false, Alu::Cmp, at(R10, SECONDARY), c as i32);
        self.a.jump_if(Cc::Ne, exit);
        self.a.bind(done);
    }
    pub fn instance_of(&mut self) {
        let (yes, no, done) = (self.a.label(), self.a.label(), self.a.label());
        let c = self.ins().int(12) as u32;
        let v = self.operand("object");
        let exit = self.exit();
        self.load(false, RAX, v);
        self.a.test(false, RAX, RAX);
        self.a.jump_if(Cc::E, no);
        self.is_of_class(c, yes);
        self.a
            .alu_constant(false, Alu::Cmp, at(R10, SECONDARY), c as i32);
        let depth = self.class(c, |k| k.depth) as usize;
        let is_class = self.class(c, |k| {
            depth > 0 && depth < DISPLAY && k.display[depth].0 == c && matches!(k.kind, 0 | 4)
        });
        if !is_class {
            self.a.jump_if(Cc::Ne, exit);
        } else {
            self.a.jump_if(Cc::Ne, no);
        }
        self.a.bind(yes);
        self.a.constant(R8, 1);
        self.a.jump(done);
        self.a.bind(no);
        self.a.constant(R8, 0);
        self.a.bind(done);
        self.result();
    }
    /// False: there is no template.
    pub fn new_object(&mut self, counted: u8) -> bool {
        let x = self.ins();
        let (class, bytes) = (x.int(12) as u32, x.int(16) as u32);
        if counted != UNCOUNTED || bytes > CLEARED {
            return false;
        }
        let exit = self.exit();
        self.a.load(true, RAX, at(R9, BUMP));
        self.a.load(true, R10, at(R9, BUMP_END));
        self.a.alu(true, Alu::Sub, R10, RAX);
        self.a.alu_constant(true, Alu::Cmp, R10, bytes as i32);
        self.a.jump_if(Cc::B, exit);
        self.a.lea(R10, at(RAX, bytes as i32));
        self.a.store(8, at(R9, BUMP), R10);
        self.a.constant(R10, class.into());
        self.a.store(8, at(RAX, 0), R10);
        if bytes > 8 {
            self.a.constant(R10, 0);
        }
        for word in 1..bytes / 8 {
            self.a.store(8, at(RAX, word as i32 * 8), R10);
        }
        self.reference_to_rax();
        true
    }
    /// The result is the object at the address in rax.
    fn reference_to_rax(&mut self) {
        self.a.alu(true, Alu::Sub, RAX, R9);
        self.a.shift_constant(true, Shift::Logical, RAX, 3);
        self.a.load(true, R8, RAX);
        self.result();
    }
    /// The same of an array.
    pub fn new_array(&mut self, counted: u8) -> bool {
        let x = self.ins();
        let (class, shift) = (x.int(12) as u32, x.int(16) as u8);
        if counted != UNCOUNTED {
            return false;
        }
        let length = self.operand("length");
        let (exit, clear, cleared) = (self.exit(), self.a.label(), self.a.label());
        self.load(false, R11, length);
        self.a.alu_constant(false, Alu::Cmp, R11, SHORT);
        self.a.jump_if(Cc::A, exit);
        // bytes, in rdi
        self.rdi = Rdi::Free;
        self.a.load(false, RDI, R11);
        self.a.shift_constant(true, Shift::Left, RDI, shift);
        self.a.alu_constant(true, Alu::Add, RDI, ELEMS as i32 + 7);
        self.a.alu_constant(true, Alu::And, RDI, -8);
        self.a.load(true, RAX, at(R9, BUMP));
        self.a.load(true, R10, at(R9, BUMP_END));
        self.a.alu(true, Alu::Sub, R10, RAX);
        self.a.alu(true, Alu::Cmp, R10, RDI);
        self.a.jump_if(Cc::B, exit);
        // the end, in rdi
        self.a.alu(true, Alu::Add, RDI, RAX);
        self.a.store(8, at(R9, BUMP), RDI);
        self.a.constant(R10, class.into());
        self.a.store(8, at(RAX, 0), R10);
        self.a.store(8, at(RAX, LENGTH as i32), R11);
        self.a.lea(R10, at(RAX, ELEMS as i32));
        self.a.constant(R11, 0);
        self.a.bind(clear);
        self.a.alu(true, Alu::Cmp, R10, RDI);
        self.a.jump_if(Cc::Ae, cleared);
        self.a.store(8, at(R10, 0), R11);
        self.a.alu_constant(true, Alu::Add, R10, 8);
        self.a.jump(clear);
        self.a.bind(cleared);
        self.reference_to_rax();
        true
    }
    /// The object in rax gets a monitor that no thread has, or releases it; all other cases are left to the handler. Its address
    /// is in r10.
    fn change_mark(&mut self, enters: bool) {
        let exit = self.exit();
        let thin = at(R9, offset_of!(Hot, thin) as i32);
        self.a.test(false, RAX, RAX);
        self.a.jump_if(Cc::E, exit);
        self.a.lea(R10, indexed(R9, RAX, 3, 0));
        let word = at(R10, MARK as i32);
        let free = mark::NEUTRAL as i32;
        self.a.load(false, R11, thin);
        match enters {
            true => {
                self.a.alu_constant(false, Alu::Cmp, word, free);
                self.a.jump_if(Cc::Ne, exit);
                self.a.store(4, word, R11);
            }
            false => {
                self.a.alu(false, Alu::Cmp, R11, word);
                self.a.jump_if(Cc::Ne, exit);
                self.a.store_constant(4, word, free);
            }
        }
    }
    pub fn monitor(&mut self, enters: bool) {
        let v = self.value(self.ins().half(8));
        self.load(false, RAX, v);
        self.change_mark(enters);
    }
    /// Entry of a synchronized method.
    pub fn lock(&mut self) {
        match self.mirror {
            Some(mirror) => self.a.constant(RAX, mirror.into()),
            None => self.load(false, RAX, self.value(0)),
        }
        self.change_mark(true);
        let slot = self.ins().half(10);
        self.a.store(8, Self::slot(slot), RAX);
        self.overwritten(slot);
    }
    /// Before its return.
    pub fn unlock(&mut self) {
        let slot = self.ins().half(10);
        self.load(false, RAX, self.value(slot));
        self.change_mark(false);
        self.a.store_constant(8, Self::slot(slot), 0);
        self.overwritten(slot);
    }
    /// At the end of `Object.<init>`: objects with a finalizer are left to the handler.
    pub fn register_finalizer(&mut self) {
        let exit = self.exit();
        self.load(false, RAX, self.value(self.first()));
        self.a.load(false, RAX, indexed(R9, RAX, 3, 0));
        let finalizable = offset_of!(ClassHot, finalizable) as i32;
        self.a
            .load_small(false, 1, RAX, indexed(R9, RAX, 3, finalizable));
        self.a.test(false, RAX, RAX);
        self.a.jump_if(Cc::Ne, exit);
    }
}
