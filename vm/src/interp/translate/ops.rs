//! The translation of each bytecode: the main dispatch, constants, arithmetic, stack shuffles.

use super::super::code::K;
use super::super::handler::Handler;
use super::super::insn::{
    Constant, MultiArray, NewArray, Object, Operation, Store, StoreByte, TypeTest,
};
use super::super::ops_flow::C;
use super::super::{ops_arith as oa, ops_mem as om, ops_sync, slow};
use super::objects::stack_type;
use super::scan::{s2, s4, u2};
use super::translator::{E, Tr};
use super::values::{Ent, V};
use crate::classes::Resolved;
use rjvm_classfile::opcodes as o;

impl Tr<'_> {
    /// Translates bytecode number `i` at `pc`.
    pub(super) fn bytecode(&mut self, i: usize, pc: u16) -> E<()> {
        let pc = pc as usize;
        let code = self.code;
        let op = code[pc];
        match op {
            o::NOP => {}
            o::ACONST_NULL => self.push(V::Imm(0), b'A'),
            o::ICONST_M1..=o::ICONST_5 => {
                self.push(V::Imm((op as i64 - o::ICONST_0 as i64) as u32 as i64), b'I')
            }
            o::LCONST_0 | o::LCONST_1 => self.push(V::Imm((op - o::LCONST_0) as i64), b'J'),
            o::FCONST_0..=o::FCONST_2 => {
                self.push(V::Imm(((op - o::FCONST_0) as f32).to_bits() as i64), b'F')
            }
            o::DCONST_0 | o::DCONST_1 => {
                self.push(V::Imm(((op - o::DCONST_0) as f64).to_bits() as i64), b'D')
            }
            o::BIPUSH => self.push(V::Imm(code[pc + 1] as i8 as i32 as u32 as i64), b'I'),
            o::SIPUSH => self.push(V::Imm(s2(code, pc) as u32 as i64), b'I'),
            o::LDC => self.ldc(code[pc + 1] as u16)?,
            o::LDC_W | o::LDC2_W => self.ldc(u2(code, pc))?,
            o::ILOAD..=o::ALOAD => {
                self.load(b"IJFDA"[(op - o::ILOAD) as usize], code[pc + 1] as u16)?
            }
            o::ILOAD_0..=o::ALOAD_3 => {
                let k = op - o::ILOAD_0;
                self.load(b"IJFDA"[k as usize / 4], k as u16 % 4)?
            }
            o::ISTORE..=o::ASTORE => self.store_local(code[pc + 1] as u16)?,
            o::ISTORE_0..=o::ASTORE_3 => self.store_local((op - o::ISTORE_0) as u16 % 4)?,
            o::WIDE => {
                let x = u2(code, pc + 1);
                match code[pc + 1] {
                    k @ o::ILOAD..=o::ALOAD => self.load(b"IJFDA"[(k - o::ILOAD) as usize], x)?,
                    o::ISTORE..=o::ASTORE => self.store_local(x)?,
                    o::IINC => self.iinc(x, s2(code, pc + 3))?,
                    o::RET => self.ret_sub(x)?,
                    _ => return Err("bad wide".into()),
                }
            }
            o::IALOAD..=o::SALOAD => {
                let t = b"IJFDLBCS"[(op - o::IALOAD) as usize];
                let (b, a) = (self.pop()?, self.pop()?);
                let (kb, bv) = self.b_op(b);
                let (ka, av) = self.a_op(a);
                let rt = match t {
                    b'L' => b'A',
                    b'J' | b'F' | b'D' => t,
                    _ => b'I',
                };
                let operands = Operation { a: av, d: 0, b: bv };
                self.result(|d| om::array_load(t, ka, kb, d), operands, rt);
            }
            o::IASTORE..=o::SASTORE => {
                let t = b"IJFDLBCS"[(op - o::IASTORE) as usize];
                let (v, x, a) = (self.pop()?, self.pop()?, self.pop()?);
                let (kv, vv) = self.value_op(v);
                let (kx, xv) = self.b_op(x);
                let av = self.slot_of(a);
                let h = om::array_store(t, kx, kv);
                if t == b'B' {
                    let bools = self.vm.primitive(b'Z');
                    let bools = self.vm.array_of(bools);
                    let store = StoreByte {
                        array: av,
                        value: vv,
                        index: xv,
                        booleans: bools.0,
                    };
                    self.emit(h, store);
                } else {
                    let store = Store {
                        array: av,
                        value: vv,
                        index: xv,
                    };
                    self.emit(h, store);
                }
            }
            o::POP => {
                self.pop()?;
            }
            o::POP2 => {
                if !self.pop()?.wide() {
                    self.pop()?;
                }
            }
            o::DUP..=o::SWAP => self.shuffle(op)?,
            o::IADD..=o::DREM => self.binary(op)?,
            o::INEG..=o::DNEG => self.unary(op, b"IJFD"[(op - o::INEG) as usize])?,
            o::ISHL..=o::LXOR => self.binary(op)?,
            o::IINC => self.iinc(code[pc + 1] as u16, code[pc + 2] as i8 as i32)?,
            o::I2L..=o::I2S => {
                let t = b"JFDIFDIJDIJFIII"[(op - o::I2L) as usize];
                self.unary(op, t)?
            }
            o::LCMP..=o::DCMPG => self.compare(i, op)?,
            o::IFEQ..=o::IFLE => {
                let a = self.pop()?;
                let zero = Ent {
                    v: V::Imm(0),
                    t: b'I',
                    at: a.at + 1,
                };
                self.branch_int(
                    C::from(op - o::IFEQ),
                    a,
                    zero,
                    pc as i64 + s2(code, pc) as i64,
                )?
            }
            o::IF_ICMPEQ..=o::IF_ICMPLE => {
                let (b, a) = (self.pop()?, self.pop()?);
                self.branch_int(
                    C::from(op - o::IF_ICMPEQ),
                    a,
                    b,
                    pc as i64 + s2(code, pc) as i64,
                )?
            }
            o::IF_ACMPEQ | o::IF_ACMPNE => {
                let (b, a) = (self.pop()?, self.pop()?);
                self.branch_int(
                    C::from(op - o::IF_ACMPEQ),
                    a,
                    b,
                    pc as i64 + s2(code, pc) as i64,
                )?
            }
            o::IFNULL | o::IFNONNULL => {
                let a = self.pop()?;
                let null = Ent {
                    v: V::Imm(0),
                    t: b'A',
                    at: a.at + 1,
                };
                self.branch_int(
                    C::from(op - o::IFNULL),
                    a,
                    null,
                    pc as i64 + s2(code, pc) as i64,
                )?
            }
            o::GOTO => {
                if let Some((first, branch)) = self.scan.loop_condition(code, pc)
                    && self.st.is_empty()
                    && self.label_off[first as usize] != u32::MAX
                    && !self.rounds_begin(first..=branch)
                {
                    return self.loop_end(i as u16, first, branch);
                }
                let target = pc as i64 + s2(code, pc) as i64;
                match self.plain_return_at(target) {
                    Some(number) => self.jump_to_return(i as u16, number)?,
                    None => self.jump(i as u16, target)?,
                }
            }
            o::GOTO_W => self.jump(i as u16, pc as i64 + s4(code, pc + 1) as i64)?,
            o::JSR | o::JSR_W => {
                let (off, n) = if op == o::JSR {
                    (s2(code, pc), 3)
                } else {
                    (s4(code, pc + 1), 5)
                };
                self.keep_locals(i as u16);
                self.push(V::Imm((pc + n) as i64), b'R');
                self.jump(i as u16, pc as i64 + off as i64)?
            }
            o::RET => self.ret_sub(code[pc + 1] as u16)?,
            o::TABLESWITCH | o::LOOKUPSWITCH => self.switch(i as u16, pc, op)?,
            o::IRETURN..=o::RETURN => self.return_op(op, self.scan.pot[i] as i32 + 1)?,
            o::GETSTATIC..=o::PUTFIELD => self.field(op, u2(code, pc))?,
            o::INVOKEVIRTUAL..=o::INVOKEDYNAMIC => self.invoke(op, u2(code, pc))?,
            o::NEW => self.new_object(u2(code, pc))?,
            o::NEWARRAY => {
                let t = *b"ZCFDBSIJ"
                    .get((code[pc + 1] as usize).wrapping_sub(4))
                    .ok_or("bad newarray")?;
                let elem = self.vm.primitive(t);
                let c = self.vm.array_of(elem);
                self.new_array(c)?
            }
            o::ANEWARRAY => match self.vm.try_resolve_class(self.class, self.at(u2(code, pc))) {
                Some(elem) => {
                    let c = self.vm.array_of(elem);
                    self.new_array(c)?
                }
                None => self.unresolved_unary(b'A', |length| NewArray {
                    length,
                    d: 0,
                    class: 0,
                    shift: 0,
                })?,
            },
            o::MULTIANEWARRAY => {
                let dims = code[pc + 3] as usize;
                self.safepoint();
                self.flush_top(dims)?;
                let map = self.map_now();
                let mut first = 0;
                for _ in 0..dims {
                    first = self.pop()?.at;
                }
                let at = self.base + self.depth;
                let new = MultiArray {
                    first,
                    d: at,
                    class: 0,
                    dimensions: dims as u32,
                };
                self.emit_safe(slow::unresolved, new, map);
                self.push(V::Tmp, b'A');
                self.forget();
            }
            o::ARRAYLENGTH => {
                let a = self.pop()?;
                let (ka, av) = self.a_op(a);
                let operands = Operation { a: av, d: 0, b: 0 };
                self.result(|d| om::array_length(ka, d), operands, b'I');
            }
            o::ATHROW => {
                let a = self.pop()?;
                let s = self.slot_of(a);
                self.emit(slow::athrow, Object { object: s });
                self.end();
            }
            o::CHECKCAST => {
                match self.vm.try_resolve_class(self.class, self.at(u2(code, pc))) {
                    Some(c) => {
                        let e = *self.st.last().ok_or("operand stack underflow")?;
                        if e.v != V::Imm(0) {
                            let (k, a) = self.a_op(e);
                            self.emit(om::check_cast(k), type_test(a, c.0));
                        }
                    }
                    None => {
                        self.safepoint();
                        let n = self.st.len();
                        if n == 0 {
                            return Err("operand stack underflow".into());
                        }
                        self.materialize(n - 1);
                        let at = self.st[n - 1].at;
                        let map = self.map_now();
                        self.emit_safe(slow::unresolved, type_test(at, 0), map);
                        self.forget();
                    }
                };
            }
            o::INSTANCEOF => match self.vm.try_resolve_class(self.class, self.at(u2(code, pc))) {
                Some(c) => {
                    let a = self.pop()?;
                    let (ka, av) = self.a_op(a);
                    self.result(|d| om::instance_of(ka, d), type_test(av, c.0), b'I');
                }
                None => self.unresolved_unary(b'I', |object| type_test(object, 0))?,
            },
            o::MONITORENTER | o::MONITOREXIT => {
                self.safepoint();
                self.flush_top(1)?;
                let map = self.map_now();
                let a = self.pop()?;
                self.emit_safe(
                    match (self.tracked, op, self.explored) {
                        (false, o::MONITORENTER, None) => ops_sync::monitor_enter as Handler,
                        (false, _, None) => ops_sync::monitor_exit,
                        (false, o::MONITORENTER, _) => slow::monitor_enter,
                        (false, ..) => slow::monitor_exit,
                        (true, o::MONITORENTER, _) => slow::enter_tracked,
                        (true, ..) => slow::exit_tracked,
                    },
                    Object { object: a.at },
                    map,
                );
                self.forget();
                self.pending_map = self.map_now();
            }
            _ => return Err(format!("unknown bytecode {op:#x}")),
        }
        Ok(())
    }
    /// Code after this point is reached only through a label.
    pub(super) fn end(&mut self) {
        self.reachable = false;
        self.st.clear();
        self.firm = 0;
        self.depth = 0;
        self.forget();
    }
    fn load(&mut self, t: u8, x: u16) -> E<()> {
        if x >= self.max_locals {
            return Err("local variable out of range".into());
        }
        self.push(V::Slot(x), t);
        Ok(())
    }
    fn store_local(&mut self, x: u16) -> E<()> {
        if x >= self.max_locals {
            return Err("local variable out of range".into());
        }
        let t = self.st.last().ok_or("operand stack underflow")?.t;
        self.store(x, t)
    }
    fn iinc(&mut self, x: u16, n: i32) -> E<()> {
        if x >= self.max_locals {
            return Err("local variable out of range".into());
        }
        self.hazard(x);
        self.clobber(false);
        self.emit_iinc(x, n);
        self.acc = Some(x);
        Ok(())
    }
    fn ldc(&mut self, i: u16) -> E<()> {
        use rjvm_classfile::Constant as Q;
        match self.cf.constant_pool.entry(i) {
            Q::Integer(v) => self.push(V::Imm(v as u32 as i64), b'I'),
            Q::Float(v) => {
                let bits = f32::to_bits(v);
                self.push(V::Imm(bits as i64), b'F')
            }
            Q::Long(v) => self.push(V::Imm(v), b'J'),
            Q::Double(v) => {
                let bits = f64::to_bits(v);
                self.push(V::Imm(bits as i64), b'D')
            }
            Q::Class { .. } if self.vm.try_resolve_class(self.class, self.at(i)).is_some() => {
                let c = self
                    .vm
                    .try_resolve_class(self.class, self.at(i))
                    .expect("just resolved");
                let m = self.vm.mirror(c);
                self.push(V::Imm(m.0 as i64), b'A');
            }
            Q::Unused => return Err("bad constant".into()),
            q => {
                if let Some(Resolved::Cell(cell)) = self.vm.class(self.class).state(self.at(i)) {
                    let constant = Constant {
                        d: 0,
                        cell,
                        value: 0,
                    };
                    self.result(oa::cell, constant, b'A');
                    return Ok(());
                }
                let t = match q {
                    Q::Dynamic { name_and_type, .. } => {
                        let (_, d) = self
                            .cf
                            .constant_pool
                            .name_and_type(name_and_type)
                            .map_err(|e| e.to_string())?;
                        stack_type(d.as_bytes()[0])
                    }
                    _ => b'A',
                };
                self.safepoint();
                let map = self.map_now();
                self.pending_map = map;
                let constant = Constant {
                    d: 0,
                    cell: 0,
                    value: 0,
                };
                self.result_slot(slow::unresolved, constant, t);
                self.forget();
            }
        }
        Ok(())
    }
    fn binary(&mut self, op: u8) -> E<()> {
        let (b, a) = (self.pop()?, self.pop()?);
        let t = a.t;
        if op == o::LAND {
            let mask = V::Imm(u32::MAX.into());
            match (a.v == mask, b.v == mask) {
                (_, true) => return self.convert(a, oa::LLOW, t),
                (true, _) => return self.convert(b, oa::LLOW, t),
                _ => {}
            }
        }
        if let Some(v) = a.immediate()
            && !matches!(b.v, V::Imm(_))
        {
            let (kb, bv) = self.a_op(b);
            let operands = Operation { a: bv, d: 0, b: v };
            self.result(|d| oa::binary(op, K::I, kb, d), operands, t);
            return Ok(());
        }
        let (kb, bv) = self.b_op(b);
        let (ka, av) = self.a_op(a);
        let operands = Operation { a: av, d: 0, b: bv };
        self.result(|d| oa::binary(op, ka, kb, d), operands, t);
        Ok(())
    }
    fn unary(&mut self, op: u8, to: u8) -> E<()> {
        let a = self.pop()?;
        self.convert(a, op, to)
    }
    fn convert(&mut self, a: Ent, op: u8, to: u8) -> E<()> {
        let (ka, av) = self.a_op(a);
        let operands = Operation { a: av, d: 0, b: 0 };
        self.result(|d| oa::unary(op, ka, d), operands, to);
        Ok(())
    }
    /// dup, dup_x1, …, swap: entries move, values are copied where they must.
    fn shuffle(&mut self, op: u8) -> E<()> {
        self.spill_all();
        let top = *self.st.last().ok_or("operand stack underflow")?;
        if op == o::DUP || (op == o::DUP2 && top.wide()) {
            // the copy goes on naming the original
            let v = if top.v == V::Tmp {
                V::Slot(top.at)
            } else {
                top.v
            };
            self.push(v, top.t);
            return Ok(());
        }
        // (how many entries are taken, and in which order they come back)
        let two = |t: &Self| t.st.len() >= 2 && t.st[t.st.len() - 2].wide();
        let three = |t: &Self| t.st.len() >= 3 && t.st[t.st.len() - 3].wide();
        let (n, order): (usize, &[usize]) = match op {
            o::DUP_X1 => (2, &[1, 0, 1]),
            o::DUP_X2 if two(self) => (2, &[1, 0, 1]),
            o::DUP_X2 => (3, &[2, 0, 1, 2]),
            o::DUP2 => (2, &[0, 1, 0, 1]),
            o::DUP2_X1 if top.wide() => (2, &[1, 0, 1]),
            o::DUP2_X1 => (3, &[1, 2, 0, 1, 2]),
            o::DUP2_X2 => match (top.wide(), two(self)) {
                (true, true) => (2, &[1, 0, 1]),
                (true, false) => (3, &[2, 0, 1, 2]),
                (false, _) if three(self) => (3, &[1, 2, 0, 1, 2]),
                _ => (4, &[2, 3, 0, 1, 2, 3]),
            },
            _ => (2, &[1, 0]),
        };
        if self.st.len() < n {
            return Err("operand stack underflow".into());
        }
        let old: Vec<Ent> = self.st[self.st.len() - n..].to_vec();
        for _ in 0..n {
            self.pop()?;
        }
        // new entries; values that are in stack slots are to be moved
        let mut moves: Vec<(u16, u16, u8)> = Vec::new();
        for &k in order {
            let e = old[k];
            self.push(e.v, e.t);
            let at = self.st.last().expect("pushed").at;
            let from = match e.v {
                V::Tmp => e.at,
                V::Slot(x) if x >= self.base => x,
                _ => continue,
            };
            let slot = self.st.last_mut().expect("pushed");
            slot.v = V::Tmp;
            if from != at {
                moves.push((at, from, e.t));
            }
        }
        // a move may go once no other move still reads its destination; a cycle goes through the scratch slot
        while !moves.is_empty() {
            if let Some(k) = moves.iter().position(|m| !moves.iter().any(|o| o.1 == m.0)) {
                let (d, s, t) = moves.remove(k);
                self.move_to_slot(
                    Ent {
                        v: V::Slot(s),
                        t,
                        at: d,
                    },
                    d,
                );
                // other readers of `s` may read the copy instead, which frees `s` as a destination
                if moves.iter().any(|m| m.0 == s) {
                    for m in &mut moves {
                        if m.1 == s {
                            m.1 = d;
                        }
                    }
                }
            } else {
                let (_, s, t) = moves[0];
                let sc = self.scratch;
                self.move_to_slot(
                    Ent {
                        v: V::Slot(s),
                        t,
                        at: sc,
                    },
                    sc,
                );
                for m in &mut moves {
                    if m.1 == s {
                        m.1 = sc;
                    }
                }
            }
        }
        // slots below were rewritten: nothing is known about them any more
        self.acc = None;
        self.facc = None;
        Ok(())
    }
}

fn type_test(object: u16, class: u32) -> TypeTest {
    TypeTest {
        object,
        d: 0,
        class,
    }
}
