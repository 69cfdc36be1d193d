//! Templates of moves, arithmetic, conversions and comparisons.

use super::asm::*;
use super::template::{CodeBuilder, Val};
use crate::interp::ops_arith::LLOW;
use crate::vm::TierFault;
use rjvm_classfile::opcodes as o;

impl CodeBuilder<'_> {
    pub fn move_one(&mut self) {
        let x = self.ins();
        let v = self.operand(x.insn.expect("known").places[0].0);
        self.move_to(x.half(10), v);
        if v == Val::Acc {
            self.acc = Some(x.half(10));
        }
    }
    fn move_to(&mut self, d: u16, v: Val) {
        self.make_copies(|_, from| from == d);
        if let Val::Slot(from) = v
            && self.defer_copy(d, from)
        {
            return;
        }
        match v {
            Val::Constant(c) if c >= 0 => {
                self.a.store_constant(8, Self::slot(d), c);
                self.overwritten(d);
                self.stored_constant(d, c);
                self.note_constant(d, c);
                return;
            }
            Val::Slot(_)
                if self.held(v).is_none()
                    && let Some(x) = self.float_held(v) =>
            {
                self.a.store_float(true, Self::slot(d), x);
                self.overwritten(d);
                self.stored_float(d, x);
                return;
            }
            // a constant's upper half is 0
            Val::Constant(_) => {
                self.load(false, RAX, v);
                self.a.store(8, Self::slot(d), RAX);
            }
            _ => {
                let r = self.in_register(true, v, RAX);
                self.a.store(8, Self::slot(d), r);
                self.overwritten(d);
                self.stored(d, r);
                if r == RAX {
                    self.rax = Some((self.i + 1, d));
                }
                return;
            }
        }
        self.overwritten(d);
    }
    pub fn move_float_acc(&mut self) {
        let d = self.ins().half(10);
        self.a.store_float(true, Self::slot(d), XMM0);
        self.overwritten(d);
        self.facc = Some(d);
        self.stored_float(d, XMM0);
    }
    pub fn move_two(&mut self) {
        let x = self.ins();
        self.move_to(x.half(10), self.value(x.half(8)));
        self.move_to(x.half(14), self.value(x.half(12)));
    }
    /// A local to a slot, then adds to the local.
    pub fn move_add(&mut self) {
        let x = self.ins();
        let (from, to, by) = (x.half(8), x.half(10), x.int(12));
        self.load(true, RAX, self.value(from));
        self.a.load(false, R8, RAX);
        self.a.alu_constant(false, Alu::Add, R8, by);
        self.a.store(8, Self::slot(from), R8);
        self.a.store(8, Self::slot(to), RAX);
        self.overwritten(from);
        self.overwritten(to);
        self.acc = (from != to).then_some(from);
        if from != to {
            self.stored(from, R8);
        }
        self.stored(to, RAX);
    }
    /// Adds to a local.
    pub fn add_to(&mut self, local: u16, by: i32) {
        self.load(false, R8, self.value(local));
        self.a.alu_constant(false, Alu::Add, R8, by);
        self.a.store(8, Self::slot(local), R8);
        self.overwritten(local);
        self.acc = Some(local);
        self.stored(local, R8);
    }
    pub fn constant(&mut self) {
        let x = self.ins();
        let (d, v) = (x.half(10), x.words[2]);
        match i32::try_from(v as i64) {
            Ok(c) => self.a.store_constant(8, Self::slot(d), c),
            Err(_) => {
                self.a.constant(RAX, v);
                self.a.store(8, Self::slot(d), RAX);
            }
        }
        self.overwritten(d);
        if let Ok(c) = i32::try_from(v as i64) {
            self.note_constant(d, c);
        }
    }
    /// False: there is no template.
    pub fn cell(&mut self) -> bool {
        let cell = self.ins().int(12);
        if cell >= 0 {
            self.a.load(false, R8, at(R9, cell));
            self.result();
        }
        cell >= 0
    }
    /// An operation on two operands. False: there is no template.
    pub fn binary(&mut self, op: u8) -> bool {
        match op {
            o::IADD | o::IAND | o::IOR | o::IXOR | o::ISUB | o::IMUL => self.alu(false, op),
            o::LADD | o::LAND | o::LOR | o::LXOR | o::LSUB | o::LMUL => self.alu(true, op),
            o::ISHL | o::ISHR | o::IUSHR => self.shift(false, op - o::ISHL),
            o::LSHL | o::LSHR | o::LUSHR => self.shift(true, op - o::LSHL),
            o::IDIV | o::IREM => return self.divide(false, op == o::IREM),
            o::LDIV | o::LREM => return self.divide(true, op == o::LREM),
            o::FADD | o::FSUB | o::FMUL | o::FDIV => self.float_binary(false, op),
            o::DADD | o::DSUB | o::DMUL | o::DDIV => self.float_binary(true, op),
            _ => return false,
        }
        true
    }
    fn alu(&mut self, wide: bool, op: u8) {
        let (mut a, mut b) = self.operands();
        let subtracts = matches!(op, o::ISUB | o::LSUB);
        let only_acc = |m: &Self, v| m.in_acc(v) && m.at_home(v).is_none();
        let swap = matches!(a, Val::Constant(_)) || only_acc(self, b) && !self.in_acc(a);
        if swap && !subtracts {
            std::mem::swap(&mut a, &mut b);
        }
        let to = match only_acc(self, b) && !self.in_acc(a) {
            true => RAX,
            false => R8,
        };
        // the accumulator may lose it
        let second = |m: &Self| m.at_home(b).map_or_else(|| m.rm(b), Rm::from);
        let op = match op {
            o::IADD | o::LADD => Alu::Add,
            o::ISUB | o::LSUB => Alu::Sub,
            o::IAND | o::LAND => Alu::And,
            o::IOR | o::LOR => Alu::Or,
            o::IXOR | o::LXOR => Alu::Xor,
            _ => {
                match b {
                    Val::Constant(c) if !matches!(a, Val::Constant(_)) => {
                        let from = self.rm(a);
                        self.a.multiply_constant(wide, R8, from, c);
                    }
                    Val::Constant(_) => {
                        self.load(wide, RAX, b);
                        self.load(wide, R8, a);
                        self.a.multiply(wide, R8, RAX);
                    }
                    _ => {
                        self.load(wide, to, a);
                        let from = second(self);
                        self.a.multiply(wide, to, from);
                        if to == RAX {
                            self.a.load(wide, R8, RAX);
                        }
                    }
                }
                self.result();
                return;
            }
        };
        self.load(wide, to, a);
        match b {
            Val::Constant(c) => self.a.alu_constant(wide, op, to, c),
            _ => {
                let from = second(self);
                self.a.alu(wide, op, to, from);
            }
        }
        if to == RAX {
            self.a.load(wide, R8, RAX);
        }
        if op == Alu::Xor && self.fault == Some(TierFault::Value) {
            self.a.alu_constant(wide, Alu::Xor, R8, 1);
        }
        self.result();
    }
    fn shift(&mut self, wide: bool, kind: u8) {
        let (a, b) = self.operands();
        let kind = [Shift::Left, Shift::Arithmetic, Shift::Logical][usize::from(kind) / 2];
        match b {
            Val::Constant(n) => {
                self.load(wide, R8, a);
                let n = n as u8 & if wide { 63 } else { 31 };
                self.a.shift_constant(wide, kind, R8, n);
            }
            _ => {
                // the ticks wait in another register
                self.a.load(true, R10, RCX);
                let n = self.rm(b);
                self.a.load(false, RCX, n);
                self.load(wide, R8, a);
                self.a.shift(wide, kind, R8);
                self.a.load(true, RCX, R10);
            }
        }
        self.result();
    }
    fn divide(&mut self, wide: bool, remainder: bool) -> bool {
        let (a, b) = self.operands();
        let known = match self.constant_in(b) {
            Some(0 | -1) => return false,
            Some(d @ 2..) => {
                self.divide_by_constant(wide, remainder, a, d as u32);
                return true;
            }
            Some(_) => true,
            None => false,
        };
        let (minus, done) = (self.a.label(), self.a.label());
        self.load(wide, R11, b);
        if !known {
            let exit = self.exit();
            self.a.test(wide, R11, R11);
            self.a.jump_if(Cc::E, exit);
            self.a.alu_constant(wide, Alu::Cmp, R11, -1);
            self.a.jump_if(Cc::E, minus);
        }
        self.load(wide, RAX, a);
        // the control frame waits in another register
        self.a.load(true, R10, RDX);
        self.a.extend_rax(wide);
        self.a.divide(wide, R11);
        self.a.load(wide, R8, if remainder { RDX } else { RAX });
        self.a.load(true, RDX, R10);
        if !known {
            self.a.jump(done);
            self.a.bind(minus);
            match remainder {
                true => self.a.constant(R8, 0),
                false => {
                    self.load(wide, R8, a);
                    self.a.negate(wide, R8);
                }
            }
            self.a.bind(done);
        }
        self.result();
        true
    }
    fn float_binary(&mut self, double: bool, op: u8) {
        let (a, b) = self.operands();
        let op = match op {
            o::FADD | o::DADD => Sse::Add,
            o::FSUB | o::DSUB => Sse::Sub,
            o::FMUL | o::DMUL => Sse::Mul,
            _ => Sse::Div,
        };
        let elsewhere = self.float_elsewhere(b);
        if self.is_float_held(a) {
            let from = self.float_rm(double, b);
            self.a.sse(double, op, XMM0, from);
        } else if let Some(b) = elsewhere {
            self.load_float(double, XMM0, a);
            self.a.sse(double, op, XMM0, b);
        } else if self.is_float_held(b) {
            self.load_float(double, XMM1, a);
            self.a.sse(double, op, XMM1, XMM0);
            self.a.move_float(XMM0, XMM1);
        } else {
            let from = self.float_rm(double, b);
            self.load_float(double, XMM0, a);
            self.a.sse(double, op, XMM0, from);
        }
        self.float_result();
    }
    /// A conversion, or a change of the sign. False: there is no template.
    pub fn unary(&mut self, op: u8) -> bool {
        let v = self.operand("a");
        match op {
            o::INEG | o::LNEG => {
                self.load(op == o::LNEG, R8, v);
                self.a.negate(op == o::LNEG, R8);
            }
            o::I2L => {
                let from = self.rm(v);
                self.a.sign_extend(R8, from);
                let constant = self.constant_in(v);
                self.result();
                if let (Some(d), Some(c)) = (self.acc, constant) {
                    self.note_constant(d, c);
                }
                return true;
            }
            o::L2I | LLOW => {
                let from = self.rm(v);
                self.a.load(false, R8, from);
            }
            o::I2B | o::I2C | o::I2S => {
                let from = self.rm(v);
                let bytes = if op == o::I2B { 1 } else { 2 };
                self.a.load_small(op != o::I2C, bytes, R8, from);
            }
            o::F2I | o::F2L | o::D2I | o::D2L => {
                let double = matches!(op, o::D2I | o::D2L);
                let wide = matches!(op, o::F2L | o::D2L);
                let exit = self.exit();
                let from = self.float_rm(double, v);
                self.a.truncate(wide, double, RAX, from);
                // what does not fit, or is the smallest number
                match wide {
                    true => {
                        self.a.constant(R10, i64::MIN as u64);
                        self.a.alu(true, Alu::Cmp, RAX, R10);
                    }
                    false => self.a.alu_constant(false, Alu::Cmp, RAX, i32::MIN),
                }
                self.a.jump_if(Cc::E, exit);
                self.a.load(wide, R8, RAX);
            }
            _ => return self.float_unary(op, v),
        }
        self.result();
        true
    }
    fn float_unary(&mut self, op: u8, v: Val) -> bool {
        match op {
            o::FNEG | o::DNEG => {
                match self.float_held(v) {
                    Some(x) => self.a.float_to_bits(RAX, x),
                    None => {
                        let Val::Slot(n) = v else { return false };
                        self.a.load(true, RAX, Self::slot(n));
                    }
                }
                match op {
                    o::DNEG => self.a.flip_bit_63(RAX),
                    _ => self.a.alu_constant(false, Alu::Xor, RAX, i32::MIN),
                }
                self.a.bits_to_float(XMM0, RAX);
            }
            o::I2F | o::I2D | o::L2F | o::L2D => {
                let from = self.rm(v);
                self.a.clear_float(XMM0);
                let (wide, double) = (matches!(op, o::L2F | o::L2D), matches!(op, o::I2D | o::L2D));
                self.a.convert_int(wide, double, XMM0, from);
            }
            o::F2D => {
                let from = self.float_rm(false, v);
                self.a.convert_float(false, XMM0, from);
            }
            o::D2F => {
                let from = self.float_rm(true, v);
                self.a.convert_float(true, XMM1, from);
                // nothing is left above the number
                self.a.clear_float(XMM0);
                self.a.float_to_bits(RAX, XMM1);
                self.a.load(false, RAX, RAX);
                self.a.bits_to_float(XMM0, RAX);
            }
            _ => return false,
        }
        self.float_result();
        true
    }
    /// -1, 0 or 1.
    pub fn compare(&mut self, op: u8) {
        let (a, b) = self.operands();
        let (more, less) = match op {
            o::LCMP => {
                let r = self.in_register(true, a, RAX);
                match b {
                    Val::Constant(c) => self.a.alu_constant(true, Alu::Cmp, r, c),
                    _ => {
                        let from = self.rm(b);
                        self.a.alu(true, Alu::Cmp, r, from);
                    }
                }
                (Cc::G, Cc::L)
            }
            _ => {
                self.compare_two(matches!(op, o::DCMPL | o::DCMPG), a, b);
                (Cc::A, Cc::B)
            }
        };
        let done = self.a.label();
        if op != o::LCMP {
            // what is no number: neither flags nor registers change on the way
            let number = self.a.label();
            let nan = self.a.label();
            self.a.jump_if(Cc::P, nan);
            self.a.jump(number);
            self.a.bind(nan);
            let nan = if matches!(op, o::FCMPG | o::DCMPG) {
                1
            } else {
                u32::MAX
            };
            self.a.constant(R8, nan.into());
            self.a.jump(done);
            self.a.bind(number);
        }
        self.a.set(more, RAX);
        self.a.set(less, R10);
        self.a.load_small(false, 1, RAX, RAX);
        self.a.load_small(false, 1, R10, R10);
        self.a.load(false, R8, RAX);
        self.a.alu(false, Alu::Sub, R8, R10);
        self.a.bind(done);
        self.result();
    }
    /// Compares floating-point operands.
    pub fn compare_two(&mut self, double: bool, a: Val, b: Val) {
        let x = match (self.float_held(a), b) {
            (Some(x), _) => x,
            (None, Val::Constant(_)) => {
                // xmm1 is the constant's
                self.load_float(double, X(2), a);
                X(2)
            }
            _ => {
                self.load_float(double, XMM1, a);
                XMM1
            }
        };
        let from = self.float_rm(double, b);
        self.a.compare_floats(double, x, from);
    }
}
