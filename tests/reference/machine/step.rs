//! A single bytecode.

use super::*;

impl Machine {
    pub(super) fn step(&mut self, method: &Method, f: &mut Frame) -> R<Flow> {
        if self.trace.len() >= self.limit {
            return Err(Stop::Limit);
        }
        self.trace.push((f.m, f.pc as u16));
        self.contexts[f.context].bytecodes += 1;
        let code = &method.code;
        let pool = &method.cf.constant_pool;
        let pc = f.pc;
        let op = code[pc];
        let u1 = |k: usize| code[pc + k] as usize;
        let u2 = |k: usize| u16::from_be_bytes([code[pc + k], code[pc + k + 1]]) as usize;
        let s2 = |k: usize| u2(k) as u16 as i16 as i32;
        let s4 =
            |at: usize| i32::from_be_bytes([code[at], code[at + 1], code[at + 2], code[at + 3]]);
        let target = |off: i32| (pc as i64 + off as i64) as usize;
        let mut next = pc + o::length(code, pc).expect("an instruction");
        macro_rules! bin {
            ($pop:ident $t:ident, |$a:ident, $b:ident| $e:expr) => {{
                let ($b, $a) = (f.$pop(), f.$pop());
                f.stack.push(V::$t($e));
            }};
        }
        match op {
            o::NOP => {}
            o::ACONST_NULL => f.stack.push(V::A(0)),
            o::ICONST_M1..=o::ICONST_5 => f.stack.push(V::I(op as i32 - o::ICONST_0 as i32)),
            o::LCONST_0 | o::LCONST_1 => f.stack.push(V::J((op - o::LCONST_0) as i64)),
            o::FCONST_0..=o::FCONST_2 => f.stack.push(V::F((op - o::FCONST_0) as f32)),
            o::DCONST_0 | o::DCONST_1 => f.stack.push(V::D((op - o::DCONST_0) as f64)),
            o::BIPUSH => f.stack.push(V::I(code[pc + 1] as i8 as i32)),
            o::SIPUSH => f.stack.push(V::I(s2(1))),
            o::LDC | o::LDC_W | o::LDC2_W => {
                let i = if op == o::LDC { u1(1) } else { u2(1) };
                f.stack.push(match pool.entry(i as u16) {
                    Constant::Integer(v) => V::I(v),
                    Constant::Float(v) => V::F(v),
                    Constant::Long(v) => V::J(v),
                    Constant::Double(v) => V::D(v),
                    c => panic!("constant {c:?}"),
                });
            }
            o::ILOAD..=o::ALOAD => f.stack.push(f.locals[u1(1)]),
            o::ILOAD_0..=o::ALOAD_3 => f.stack.push(f.locals[(op - o::ILOAD_0) as usize % 4]),
            o::ISTORE..=o::ASTORE => f.store(u1(1)),
            o::ISTORE_0..=o::ASTORE_3 => f.store((op - o::ISTORE_0) as usize % 4),
            o::IINC => f.inc(u1(1), code[pc + 2] as i8 as i32),
            o::WIDE => match code[pc + 1] {
                o::ILOAD..=o::ALOAD => f.stack.push(f.locals[u2(2)]),
                o::ISTORE..=o::ASTORE => f.store(u2(2)),
                o::IINC => f.inc(u2(2), s2(4)),
                o::RET => next = f.address(u2(2)),
                other => panic!("wide {other}"),
            },
            o::IALOAD..=o::SALOAD => {
                let (i, r) = (f.int(), f.obj());
                let v = *self.element(r, i)?.1;
                f.stack.push(v);
            }
            o::IASTORE..=o::SASTORE => {
                let (v, i, r) = (f.pop(), f.int(), f.obj());
                if let V::A(x) = v
                    && x != 0
                {
                    let elem = self.element(r, i)?.0.to_string();
                    let elem = elem.trim_start_matches('L').trim_end_matches(';');
                    let class = self.class_of(x).to_string();
                    if !self.is_subclass(&class, elem) {
                        return self.throw("ArrayStoreException");
                    }
                }
                let (d, e) = self.element(r, i)?;
                *e = narrow(d.as_bytes()[0], v);
            }
            o::POP => {
                f.pop();
            }
            o::POP2 => {
                if !f.pop().wide() {
                    f.pop();
                }
            }
            o::DUP..=o::SWAP => f.shuffle(op),
            o::IADD => bin!(int I, |a, b| a.wrapping_add(b)),
            o::ISUB => bin!(int I, |a, b| a.wrapping_sub(b)),
            o::IMUL => bin!(int I, |a, b| a.wrapping_mul(b)),
            o::IAND => bin!(int I, |a, b| a & b),
            o::IOR => bin!(int I, |a, b| a | b),
            o::IXOR => bin!(int I, |a, b| a ^ b),
            o::ISHL => bin!(int I, |a, b| a.wrapping_shl(b as u32 & 31)),
            o::ISHR => bin!(int I, |a, b| a >> (b & 31)),
            o::IUSHR => bin!(int I, |a, b| (a as u32 >> (b & 31)) as i32),
            o::IDIV | o::IREM => {
                let (b, a) = (f.int(), f.int());
                if b == 0 {
                    return self.throw("ArithmeticException");
                }
                f.stack.push(V::I(if op == o::IDIV {
                    a.wrapping_div(b)
                } else {
                    a.wrapping_rem(b)
                }));
            }
            o::LADD => bin!(long J, |a, b| a.wrapping_add(b)),
            o::LSUB => bin!(long J, |a, b| a.wrapping_sub(b)),
            o::LMUL => bin!(long J, |a, b| a.wrapping_mul(b)),
            o::LAND => bin!(long J, |a, b| a & b),
            o::LOR => bin!(long J, |a, b| a | b),
            o::LXOR => bin!(long J, |a, b| a ^ b),
            o::LSHL | o::LSHR | o::LUSHR => {
                let (b, a) = (f.int() & 63, f.long());
                f.stack.push(V::J(match op {
                    o::LSHL => a << b,
                    o::LSHR => a >> b,
                    _ => (a as u64 >> b) as i64,
                }));
            }
            o::LDIV | o::LREM => {
                let (b, a) = (f.long(), f.long());
                if b == 0 {
                    return self.throw("ArithmeticException");
                }
                f.stack.push(V::J(if op == o::LDIV {
                    a.wrapping_div(b)
                } else {
                    a.wrapping_rem(b)
                }));
            }
            o::FADD => bin!(float F, |a, b| a + b),
            o::FSUB => bin!(float F, |a, b| a - b),
            o::FMUL => bin!(float F, |a, b| a * b),
            o::FDIV => bin!(float F, |a, b| a / b),
            o::FREM => bin!(float F, |a, b| a % b),
            o::DADD => bin!(double D, |a, b| a + b),
            o::DSUB => bin!(double D, |a, b| a - b),
            o::DMUL => bin!(double D, |a, b| a * b),
            o::DDIV => bin!(double D, |a, b| a / b),
            o::DREM => bin!(double D, |a, b| a % b),
            o::INEG..=o::DNEG | o::I2L..=o::I2S => {
                let v = f.pop();
                f.stack.push(unary(op, v));
            }
            o::LCMP => bin!(long I, |a, b| a.cmp(&b) as i32),
            o::FCMPL | o::FCMPG => {
                let nan = if op == o::FCMPL { -1 } else { 1 };
                bin!(float I, |a, b| a.partial_cmp(&b).map_or(nan, |c| c as i32))
            }
            o::DCMPL | o::DCMPG => {
                let nan = if op == o::DCMPL { -1 } else { 1 };
                bin!(double I, |a, b| a.partial_cmp(&b).map_or(nan, |c| c as i32))
            }
            o::IFEQ..=o::IFLE => {
                if holds(op - o::IFEQ, f.int(), 0) {
                    next = target(s2(1));
                }
            }
            o::IF_ICMPEQ..=o::IF_ICMPLE => {
                let (b, a) = (f.int(), f.int());
                if holds(op - o::IF_ICMPEQ, a, b) {
                    next = target(s2(1));
                }
            }
            o::IF_ACMPEQ | o::IF_ACMPNE => {
                if (f.obj() == f.obj()) == (op == o::IF_ACMPEQ) {
                    next = target(s2(1));
                }
            }
            o::IFNULL | o::IFNONNULL => {
                if (f.obj() == 0) == (op == o::IFNULL) {
                    next = target(s2(1));
                }
            }
            o::GOTO => next = target(s2(1)),
            o::GOTO_W => next = target(s4(pc + 1)),
            o::JSR | o::JSR_W => {
                f.stack.push(V::Ret(next));
                next = target(if op == o::JSR { s2(1) } else { s4(pc + 1) });
            }
            o::RET => next = f.address(u1(1)),
            o::TABLESWITCH => {
                let q = (pc + 4) & !3;
                let (low, high, v) = (s4(q + 4), s4(q + 8), f.int());
                let row = if v < low || v > high {
                    q
                } else {
                    q + 12 + (v - low) as usize * 4
                };
                next = target(s4(row));
            }
            o::LOOKUPSWITCH => {
                let q = (pc + 4) & !3;
                let (n, v) = (s4(q + 4) as usize, f.int());
                let row = (0..n).map(|k| q + 8 + k * 8).find(|&r| s4(r) == v);
                next = target(s4(row.map_or(q, |r| r + 4)));
            }
            o::IRETURN..=o::ARETURN => return Ok(Flow::Return(Some(f.pop()))),
            o::RETURN => return Ok(Flow::Return(None)),
            o::GETSTATIC..=o::PUTFIELD => {
                let r = pool.member_ref(u2(1) as u16).expect("a field");
                if op == o::GETSTATIC || op == o::PUTSTATIC {
                    self.initialize(r.class, f.context)?;
                    let c = self.classes.get_mut(r.class).expect("a class");
                    let v = c.statics.get_mut(r.name).expect("a field");
                    if op == o::GETSTATIC {
                        f.stack.push(*v);
                    } else {
                        *v = narrow(r.descriptor.as_bytes()[0], f.pop());
                    }
                } else if op == o::GETFIELD {
                    let v = *self.field(f.obj())?.get(r.name).expect("a field");
                    f.stack.push(v);
                } else {
                    let v = narrow(r.descriptor.as_bytes()[0], f.pop());
                    self.field(f.obj())?.insert(r.name.to_string(), v);
                }
            }
            o::INVOKEVIRTUAL | o::INVOKESPECIAL | o::INVOKESTATIC => {
                let r = pool.member_ref(u2(1) as u16).expect("a method");
                let n = MethodDescriptor::parse(r.descriptor)
                    .expect("a descriptor")
                    .parameter_count as usize
                    + (op != o::INVOKESTATIC) as usize;
                let args = f.stack.split_off(f.stack.len() - n);
                let mut class = r.class.to_string();
                if op == o::INVOKESTATIC {
                    self.initialize(&class, f.context)?;
                } else {
                    let V::A(this) = args[0] else {
                        panic!("a receiver")
                    };
                    if this == 0 {
                        return self.throw("NullPointerException");
                    }
                    if op == o::INVOKEVIRTUAL {
                        class = self.class_of(this).to_string();
                    }
                }
                // constructors of the library's classes do nothing here
                if let Some(m) = self.find(&class, r.name, r.descriptor) {
                    let child = self.child(f.context, m);
                    if let Some(v) = self.invoke(m, child, args)? {
                        f.stack.push(v);
                    }
                }
            }
            o::NEW => {
                let class = pool.class_name(u2(1) as u16).expect("a class");
                self.initialize(class, f.context)?;
                let mut fields = HashMap::new();
                let mut c = Some(class.to_string());
                while let Some(k) = c {
                    if let Some(info) = self.classes.get(&k) {
                        let p = &info.cf.constant_pool;
                        for x in info.cf.fields.iter().filter(|x| x.access_flags & 8 == 0) {
                            let d = p.str(x.descriptor).expect("text").as_bytes()[0];
                            fields.insert(p.str(x.name).expect("text").to_string(), V::zero(d));
                        }
                    }
                    c = self.super_of(&k);
                }
                let r = self.make(Obj::Plain(class.into(), fields));
                f.stack.push(V::A(r));
            }
            o::NEWARRAY => {
                let elem = ["Z", "C", "F", "D", "B", "S", "I", "J"][u1(1) - 4];
                let n = f.int();
                let r = self.new_array(elem, n)?;
                f.stack.push(V::A(r));
            }
            o::ANEWARRAY => {
                let class = pool.class_name(u2(1) as u16).expect("a class");
                let n = f.int();
                let r = self.new_array(&format!("L{class};"), n)?;
                f.stack.push(V::A(r));
            }
            o::ARRAYLENGTH => {
                let r = f.obj();
                if r == 0 {
                    return self.throw("NullPointerException");
                }
                let Obj::Array(_, e) = &self.heap[r as usize] else {
                    panic!("the length of an object")
                };
                f.stack.push(V::I(e.len() as i32));
            }
            o::ATHROW => {
                let r = f.obj();
                if r == 0 {
                    return self.throw("NullPointerException");
                }
                return Err(Stop::Throw(r));
            }
            o::CHECKCAST | o::INSTANCEOF => {
                let class = pool.class_name(u2(1) as u16).expect("a class");
                let r = f.obj();
                let is = r != 0 && {
                    let c = self.class_of(r).to_string();
                    self.is_subclass(&c, class)
                };
                if op == o::INSTANCEOF {
                    f.stack.push(V::I(is as i32));
                } else if r != 0 && !is {
                    return self.throw("ClassCastException");
                } else {
                    f.stack.push(V::A(r));
                }
            }
            o::MONITORENTER | o::MONITOREXIT => {
                if f.obj() == 0 {
                    return self.throw("NullPointerException");
                }
            }
            _ => panic!("bytecode {}", o::name(op)),
        }
        f.pc = next;
        Ok(Flow::Next)
    }
}
