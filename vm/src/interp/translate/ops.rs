//! The translation of each bytecode but calls.

use super::super::code::{AC, AS, DA, DS, Handler, K};
use super::super::ops_flow::{self as of, C};
use super::super::{ops_arith as oa, ops_call as oc, ops_mem as om, slow};
use super::scan::{s2, s4, u2};
use super::{Ent, Tr, V};
use crate::classes::{InitState, Resolved};
use crate::ids::ClassId;
use rjvm_classfile::opcodes as o;

type E<T> = Result<T, String>;

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
                self.result(|d| om::array_load(t, ka, kb, d), av, bv, &[], rt);
            }
            o::IASTORE..=o::SASTORE => {
                let t = b"IJFDLBCS"[(op - o::IASTORE) as usize];
                let (v, x, a) = (self.pop()?, self.pop()?, self.pop()?);
                let (kv, vv) = self.a_op(v);
                let (kx, xv) = self.b_op(x);
                let av = self.slot_of(a);
                self.emit(om::array_store(t, kx, kv), av, vv, xv, &[]);
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
                {
                    return self.loop_end(i as u16, first, branch);
                }
                self.jump(i as u16, pc as i64 + s2(code, pc) as i64)?
            }
            o::GOTO_W => self.jump(i as u16, pc as i64 + s4(code, pc + 1) as i64)?,
            o::JSR | o::JSR_W => {
                let (off, n) = if op == o::JSR {
                    (s2(code, pc), 3)
                } else {
                    (s4(code, pc + 1), 5)
                };
                self.push(V::Imm((pc + n) as i64), b'R');
                self.jump(i as u16, pc as i64 + off as i64)?
            }
            o::RET => self.ret_sub(code[pc + 1] as u16)?,
            o::TABLESWITCH | o::LOOKUPSWITCH => self.switch(i as u16, pc, op)?,
            o::IRETURN..=o::RETURN => self.return_op(op)?,
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
            o::ANEWARRAY => match self.vm.try_resolve_class(self.class, u2(code, pc)) {
                Some(elem) => {
                    let c = self.vm.array_of(elem);
                    self.new_array(c)?
                }
                None => self.unresolved_unary(b'A', &[0])?,
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
                self.emit_safe(slow::unresolved, first, at, 0, &[dims as u64], map);
                self.push(V::Tmp, b'A');
                self.forget();
            }
            o::ARRAYLENGTH => {
                let a = self.pop()?;
                let (ka, av) = self.a_op(a);
                self.result(|d| om::array_length(ka, d), av, 0, &[], b'I');
            }
            o::ATHROW => {
                let a = self.pop()?;
                let s = self.slot_of(a);
                self.emit(slow::athrow, s, 0, 0, &[]);
                self.end();
            }
            o::CHECKCAST => {
                match self.vm.try_resolve_class(self.class, u2(code, pc)) {
                    Some(c) => {
                        let e = *self.st.last().ok_or("operand stack underflow")?;
                        if e.v != V::Imm(0) {
                            let (k, a) = self.a_op(e);
                            let h = if k == K::S {
                                om::checkcast::<AS> as Handler
                            } else {
                                om::checkcast::<AC>
                            };
                            self.emit(h, a, 0, c.0 as i32, &[]);
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
                        self.emit_safe(slow::unresolved, at, 0, 0, &[], map);
                        self.forget();
                    }
                };
            }
            o::INSTANCEOF => match self.vm.try_resolve_class(self.class, u2(code, pc)) {
                Some(c) => {
                    let a = self.pop()?;
                    let (ka, av) = self.a_op(a);
                    self.result(
                        |d| match (ka, d) {
                            (K::S, true) => om::instanceof::<AS, DS> as Handler,
                            (K::S, false) => om::instanceof::<AS, DA>,
                            (_, true) => om::instanceof::<AC, DS>,
                            (_, false) => om::instanceof::<AC, DA>,
                        },
                        av,
                        c.0 as i32,
                        &[],
                        b'I',
                    );
                }
                None => self.unresolved_unary(b'I', &[])?,
            },
            o::MONITORENTER | o::MONITOREXIT => {
                self.safepoint();
                self.flush_top(1)?;
                let map = self.map_now();
                let a = self.pop()?;
                self.emit_safe(
                    if op == o::MONITORENTER {
                        slow::monitor_enter
                    } else {
                        slow::monitor_exit
                    },
                    a.at,
                    0,
                    0,
                    &[],
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
        self.emit(oa::iinc, 0, x, n, &[]);
        self.acc = Some(x);
        Ok(())
    }
    fn ldc(&mut self, i: u16) -> E<()> {
        use rjvm_classfile::Constant as Q;
        match self.cf.constant_pool.entries.get(i as usize) {
            Some(Q::Integer(v)) => self.push(V::Imm(*v as u32 as i64), b'I'),
            Some(Q::Float(v)) => {
                let bits = f32::to_bits((*v).into());
                self.push(V::Imm(bits as i64), b'F')
            }
            Some(Q::Long(v)) => self.push(V::Imm(*v), b'J'),
            Some(Q::Double(v)) => {
                let bits = f64::to_bits((*v).into());
                self.push(V::Imm(bits as i64), b'D')
            }
            Some(Q::Class { .. }) if self.vm.try_resolve_class(self.class, i).is_some() => {
                let c = self
                    .vm
                    .try_resolve_class(self.class, i)
                    .expect("just resolved");
                let m = self.vm.mirror(c);
                self.push(V::Imm(m.0 as i64), b'A');
            }
            Some(q) => {
                if let Resolved::Cell(c) = self.vm.class(self.class).resolved[i as usize] {
                    self.result(
                        |d| {
                            if d {
                                oa::ldcell::<DS> as Handler
                            } else {
                                oa::ldcell::<DA>
                            }
                        },
                        0,
                        c as i32,
                        &[0],
                        b'A',
                    );
                    return Ok(());
                }
                let t = match q {
                    Q::Dynamic { name_and_type, .. } => {
                        let (_, d) = self
                            .cf
                            .constant_pool
                            .name_and_type(*name_and_type)
                            .map_err(|e| e.to_string())?;
                        stack_type(d.as_bytes()[0])
                    }
                    _ => b'A',
                };
                self.safepoint();
                let map = self.map_now();
                self.pending_map = map;
                self.result_slot(slow::unresolved, 0, 0, &[0], t);
                self.forget();
            }
            None => return Err("bad constant".into()),
        }
        Ok(())
    }
    fn binary(&mut self, op: u8) -> E<()> {
        let (mut b, mut a) = (self.pop()?, self.pop()?);
        let t = a.t;
        let commutes = matches!(
            op,
            o::IADD
                | o::LADD
                | o::IMUL
                | o::LMUL
                | o::IAND
                | o::LAND
                | o::IOR
                | o::LOR
                | o::IXOR
                | o::LXOR
                | o::FADD
                | o::DADD
                | o::FMUL
                | o::DMUL
        );
        // NaN payloads are those of the first operand on this machine: floats keep their order
        if commutes && matches!(a.v, V::Imm(_)) && !a.float() {
            std::mem::swap(&mut a, &mut b);
        }
        let (kb, bv) = self.b_op(b);
        let (ka, av) = self.a_op(a);
        self.result(|d| oa::int_bin(op, ka, kb, d), av, bv, &[], t);
        Ok(())
    }
    fn unary(&mut self, op: u8, to: u8) -> E<()> {
        let a = self.pop()?;
        let (ka, av) = self.a_op(a);
        self.result(|d| oa::unary(op, ka, d), av, 0, &[], to);
        Ok(())
    }
    /// lcmp, fcmpl…: fused with a following `if`.
    fn compare(&mut self, i: usize, op: u8) -> E<()> {
        let (b, a) = (self.pop()?, self.pop()?);
        let next = self.scan.bcis.get(i + 1).map(|&p| p as usize);
        if let Some(np) = next
            && !self.scan.label[i + 1]
            && !self.scan.pseudo[i + 1]
            && (o::IFEQ..=o::IFLE).contains(&self.code[np])
        {
            // the `if` is translated here; `bytecode` sees it again and must skip it
            self.idx += 1;
            let c = C::from(self.code[np] - o::IFEQ);
            let target = np as i64 + s2(self.code, np) as i64;
            self.skip = true;
            if op == o::LCMP {
                return self.branch(c, a, b, target, |c, ka, kb| of::branch_long(c, ka, kb));
            }
            let double = matches!(op, o::DCMPL | o::DCMPG);
            // the comparison's result with a NaN is -1 (…l) or 1 (…g)
            let r = if matches!(op, o::FCMPL | o::DCMPL) {
                -1
            } else {
                1
            };
            let nan = match c {
                C::Eq => false,
                C::Ne => true,
                C::Lt | C::Le => r < 0,
                C::Ge | C::Gt => r > 0,
            };
            // with a NaN the comparison itself is false but for Ne
            return self.branch_no_swap(c, a, b, target, |c, ka, kb| {
                of::branch_float(double, c, nan && c != C::Ne, ka, kb)
            });
        }
        let (kb, bv) = self.b_op(b);
        let (ka, av) = self.a_op(a);
        self.result(|d| oa::int_bin(op, ka, kb, d), av, bv, &[], b'I');
        Ok(())
    }
    fn branch_int(&mut self, c: C, a: Ent, b: Ent, target: i64) -> E<()> {
        self.branch(c, a, b, target, of::branch_int)
    }
    fn branch(
        &mut self,
        c: C,
        a: Ent,
        b: Ent,
        target: i64,
        h: impl Fn(C, K, K) -> Handler,
    ) -> E<()> {
        if matches!(a.v, V::Imm(_)) && !matches!(b.v, V::Imm(_)) {
            return self.branch_no_swap(c.swap(), b, a, target, h);
        }
        self.branch_no_swap(c, a, b, target, h)
    }
    /// Compare and branch; what stays on the stack goes to its slots first.
    fn branch_no_swap(
        &mut self,
        c: C,
        a: Ent,
        b: Ent,
        target: i64,
        h: impl Fn(C, K, K) -> Handler,
    ) -> E<()> {
        let t = self.scan.number(target as u16).ok_or("bad branch target")?;
        let (kb, bv) = self.b_op(b);
        let (ka, av) = self.a_op(a);
        // moves do not touch the accumulators, and spills only patch earlier instructions
        if !self.st.is_empty() {
            // a spilled accumulator entry would be another value than the operand: operands come first
            self.flush_keeping_acc();
        }
        let dt = self.edge(self.idx, t);
        let p = self.emit(h(c, ka, kb), av, 0, bv, &[(dt as u32 as u64) << 32]);
        self.fix((p + 2) * 2, p, t);
        Ok(())
    }
    fn flush_keeping_acc(&mut self) {
        for i in 0..self.st.len() {
            let e = self.st[i];
            if e.v == V::Acc {
                // the operand and this entry can't both be the accumulator alone
                self.spill(e.float());
            } else {
                self.materialize(i);
            }
        }
    }
    pub(super) fn jump(&mut self, s: u16, target: i64) -> E<()> {
        let t = self.scan.number(target as u16).ok_or("bad branch target")?;
        self.flush();
        self.emit_jump(self.edge(s, t), t);
        self.end();
        Ok(())
    }
    fn emit_jump(&mut self, dt: i32, t: u16) {
        let p = self.emit(of::jmp, 0, 0, 0, &[(dt as u32 as u64) << 32]);
        self.fix((p + 2) * 2, p, t);
    }
    /// A backward `goto` (bytecode `s`) to a short condition: the condition is repeated here, so a
    /// round of the loop takes one dispatch less. Ticks are those of the way through the `goto`.
    fn loop_end(&mut self, s: u16, first: u16, branch: u16) -> E<()> {
        let (code, bcis) = (self.code, &self.scan.bcis);
        let at = |n: u16| bcis[n as usize] as usize;
        let local = |pc: usize| match code[pc] {
            o::ILOAD => code[pc + 1] as u16,
            op => (op - o::ILOAD_0) as u16,
        };
        let a = local(at(first));
        let bpc = at(branch);
        let (c, kb, bv) = if branch == first + 1 {
            (C::from(code[bpc] - o::IFEQ), K::I, 0)
        } else {
            let pc = at(first + 1);
            let c = C::from(code[bpc] - o::IF_ICMPEQ);
            match code[pc] {
                op @ o::ICONST_M1..=o::ICONST_5 => (c, K::I, op as i32 - o::ICONST_0 as i32),
                o::BIPUSH => (c, K::I, code[pc + 1] as i8 as i32),
                o::SIPUSH => (c, K::I, s2(code, pc)),
                _ => (c, K::S, local(pc) as i32),
            }
        };
        let exit = self
            .scan
            .number((bpc as i64 + s2(code, bpc) as i64) as u16)
            .ok_or("bad branch target")?;
        let back = self.edge(s, first);
        let inverse = match c {
            C::Eq => C::Ne,
            C::Ne => C::Eq,
            C::Lt => C::Ge,
            C::Ge => C::Lt,
            C::Gt => C::Le,
            C::Le => C::Gt,
        };
        // continue in the loop: on to the bytecode after the branch
        let fuse = self.last != usize::MAX
            && self.out[self.last] == oa::iinc as *const () as usize as u64
            && ((self.out[self.last + 1] >> 16) as u16) == a
            && (self.out[self.last + 1] >> 32) as i32 as i16 as i32
                == (self.out[self.last + 1] >> 32) as i32
            && self.pending_map == 0
            && !(kb == K::S && bv as u16 == a);
        if fuse {
            let inc = (self.out[self.last + 1] >> 32) as u16;
            let p = self.last;
            self.out.truncate(p);
            let old = self.covers.pop().expect("the increment");
            let p2 = self.emit(
                of::inc_branch(inverse, kb),
                inc,
                a,
                bv,
                &[(back as u32 as u64) << 32],
            );
            debug_assert_eq!(p, p2);
            let cover = self.covers.last_mut().expect("emitted");
            cover.map = old.map;
            self.fix((p2 + 2) * 2, p2, branch + 1);
        } else {
            let (ka, av) = if self.acc == Some(a) {
                (K::A, 0)
            } else {
                (K::S, a)
            };
            let p = self.emit(
                of::branch_int(inverse, ka, kb),
                av,
                0,
                bv,
                &[(back as u32 as u64) << 32],
            );
            self.fix((p + 2) * 2, p, branch + 1);
        }
        let dt = back + self.edge(branch, exit);
        self.emit_jump(dt, exit);
        self.end();
        Ok(())
    }
    fn ret_sub(&mut self, x: u16) -> E<()> {
        self.flush();
        let pot = self.scan.pot[self.idx as usize] as i32;
        self.emit(slow::ret_subroutine, x, 0, pot + 1, &[]);
        self.end();
        Ok(())
    }
    fn switch(&mut self, s: u16, pc: usize, op: u8) -> E<()> {
        let code = self.code;
        let v = self.pop()?;
        let (k, a) = self.a_op(v);
        self.flush_keeping_acc();
        let q = (pc + 4) & !3;
        let default = s4(code, q) as i64;
        let target = |t: &Self, off: i64| {
            t.scan
                .number((pc as i64 + off) as u16)
                .ok_or("bad switch target")
        };
        if op == o::TABLESWITCH {
            let (low, high) = (s4(code, q + 4), s4(code, q + 8));
            let n = (high as i64 - low as i64 + 1) as usize;
            let h = if k == K::S {
                of::tableswitch::<AS> as Handler
            } else {
                of::tableswitch::<AC>
            };
            let mut ext = vec![low as u32 as u64];
            let mut targets = Vec::with_capacity(n + 1);
            for j in 0..=n {
                let off = if j == 0 {
                    default
                } else {
                    s4(code, q + 12 + (j - 1) * 4) as i64
                };
                let t = target(self, off)?;
                targets.push(t);
                ext.push((self.edge(s, t) as u32 as u64) << 32);
            }
            let p = self.emit(h, a, 0, n as i32, &ext);
            for (j, t) in targets.into_iter().enumerate() {
                self.fix((p + 3 + j) * 2, p, t);
            }
        } else {
            let n = s4(code, q + 4) as usize;
            let h = if k == K::S {
                of::lookupswitch::<AS> as Handler
            } else {
                of::lookupswitch::<AC>
            };
            let d = target(self, default)?;
            let mut ext = vec![(self.edge(s, d) as u32 as u64) << 32];
            let mut fix = vec![(4, d)];
            for j in 0..n {
                let key = s4(code, q + 8 + j * 8);
                let t = target(self, s4(code, q + 12 + j * 8) as i64)?;
                ext.push(key as u32 as u64);
                ext.push(self.edge(s, t) as u32 as u64);
                fix.push(((3 + j * 2) * 2 + 1, t));
            }
            let p = self.emit(h, a, 0, n as i32, &ext);
            for (half, t) in fix {
                self.fix(p * 2 + half, p, t);
            }
        }
        self.end();
        Ok(())
    }
    fn return_op(&mut self, op: u8) -> E<()> {
        let pot = self.scan.pot[self.idx as usize] as i32 + 1;
        if op == o::RETURN {
            self.leave_monitor();
            if self.object_init {
                self.pending_map = self.map_now();
                self.emit(om::register_finalizer, 0, 0, 0, &[]);
            }
            self.emit(oc::return_handler(b'V', K::S, self.prof), 0, 0, pot, &[]);
            self.end();
            return Ok(());
        }
        let mut e = self.pop()?;
        if self.sync {
            // the monitor's exit may throw; the value waits in its slot
            let s = self.slot_of(e);
            e = Ent { v: V::Slot(s), ..e };
            self.forget();
            self.leave_monitor();
        }
        let ty = match op {
            o::IRETURN => b'I',
            o::LRETURN => b'J',
            o::FRETURN => b'F',
            o::DRETURN => b'D',
            _ => b'L',
        };
        if let V::Imm(v) = e.v {
            self.emit(
                oc::return_handler(ty, K::I, self.prof),
                0,
                0,
                pot,
                &[v as u64],
            );
        } else {
            let (k, a) = self.a_op(e);
            self.emit(oc::return_handler(ty, k, self.prof), a, 0, pot, &[]);
        }
        self.end();
        Ok(())
    }
    fn leave_monitor(&mut self) {
        if self.sync {
            self.pending_map = self.map_now();
            self.emit(slow::sync_exit, 0, self.max_locals, 0, &[]);
        }
    }
    fn field(&mut self, op: u8, i: u16) -> E<()> {
        let m = self
            .cf
            .constant_pool
            .member_ref(i)
            .map_err(|e| e.to_string())?;
        let t = m.descriptor.as_bytes()[0];
        let st = stack_type(t);
        let is_static = op == o::GETSTATIC || op == o::PUTSTATIC;
        let found = self.vm.try_resolve_field(self.class, i).and_then(|(c, k)| {
            let f = &self.vm.class(c).fields[k as usize];
            let (access, offset) = (f.access, f.offset);
            let put = op == o::PUTSTATIC || op == o::PUTFIELD;
            let ok = (access & crate::classes::acc::STATIC != 0) == is_static
                && (!put || access & crate::classes::acc::FINAL == 0 || c == self.class)
                && (!is_static || self.initialized(c));
            ok.then(|| {
                if is_static {
                    self.vm.mirror(c).0 * 8 + offset
                } else {
                    offset
                }
            })
        });
        match (op, found) {
            (o::GETSTATIC, Some(off)) => {
                self.result(|d| om::get_static(t, d), 0, off as i32, &[], st)
            }
            (o::PUTSTATIC, Some(off)) => {
                let v = self.pop()?;
                let (k, s) = self.a_op(v);
                self.emit(om::put_static(t, k), 0, s, off as i32, &[]);
            }
            (o::GETFIELD, Some(off)) => {
                let a = self.pop()?;
                let (k, s) = self.a_op(a);
                self.result(|d| om::get_field(t, k, d), s, off as i32, &[], st);
            }
            (o::PUTFIELD, Some(off)) => {
                let (v, a) = (self.pop()?, self.pop()?);
                let (k, vs) = self.a_op(v);
                let s = self.slot_of(a);
                self.emit(om::put_field(t, k), s, vs, off as i32, &[]);
            }
            _ => {
                self.safepoint();
                let map = self.map_now();
                let (mut a, mut d) = (0, 0);
                if op == o::PUTSTATIC || op == o::PUTFIELD {
                    let v = self.pop()?;
                    d = self.slot_of(v);
                }
                if op == o::GETFIELD || op == o::PUTFIELD {
                    let r = self.pop()?;
                    a = self.slot_of(r);
                }
                self.pending_map = map;
                if op == o::GETSTATIC || op == o::GETFIELD {
                    self.result_slot(slow::unresolved, a, 0, &[], st);
                } else {
                    self.emit(slow::unresolved, a, d, 0, &[]);
                }
                self.forget();
            }
        }
        Ok(())
    }
    pub(super) fn initialized(&self, c: ClassId) -> bool {
        // SAFETY: hot block of a live class.
        unsafe { (*self.vm.heap.hot(c)).state == InitState::Initialized as u32 }
    }
    fn new_object(&mut self, i: u16) -> E<()> {
        self.safepoint();
        let map = self.map_now();
        let c = self.vm.try_resolve_class(self.class, i).filter(|&c| {
            self.initialized(c) && !self.vm.class(c).is_abstract() && !self.vm.class(c).is_array()
        });
        self.pending_map = map;
        match c {
            Some(c) => {
                // SAFETY: hot block of a live class.
                let size = unsafe { (*self.vm.heap.hot(c)).instance_size };
                self.result(
                    |d| {
                        if d {
                            om::new::<DS> as Handler
                        } else {
                            om::new::<DA>
                        }
                    },
                    0,
                    c.0 as i32,
                    &[size as u64],
                    b'A',
                );
            }
            None => {
                self.result_slot(slow::unresolved, 0, 0, &[0], b'A');
                self.forget();
            }
        }
        Ok(())
    }
    fn new_array(&mut self, c: ClassId) -> E<()> {
        // SAFETY: hot block of a live class.
        let shift = unsafe { (*self.vm.heap.hot(c)).elem_shift };
        self.safepoint();
        let n = self.pop()?;
        let a = self.slot_of(n);
        let map = self.map_now();
        self.pending_map = map;
        self.result(
            |d| {
                if d {
                    om::newarray::<AS, DS> as Handler
                } else {
                    om::newarray::<AS, DA>
                }
            },
            a,
            c.0 as i32,
            &[shift as u64],
            b'A',
        );
        Ok(())
    }
    /// An unresolved instruction with one operand and one result.
    fn unresolved_unary(&mut self, t: u8, ext: &[u64]) -> E<()> {
        self.safepoint();
        self.flush_top(1)?;
        let map = self.map_now();
        let a = self.pop()?;
        self.pending_map = map;
        self.result_slot(slow::unresolved, a.at, 0, ext, t);
        self.forget();
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
        // new entries; values that stand in stack slots are to be moved
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
                self.to_slot(
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
                self.to_slot(
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

/// Stack type of a descriptor character.
pub(super) fn stack_type(c: u8) -> u8 {
    match c {
        b'L' | b'[' => b'A',
        b'J' | b'F' | b'D' | b'V' => c,
        _ => b'I',
    }
}
