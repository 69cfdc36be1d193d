//! Type checking of the instructions one by one (JVMS 4.10.1.9).

use super::error::{TypeOrigin, VerifyFailure, VerifyFault};
use super::typecheck::Checker;
use super::types::{RefType, VType, assignable};
use rjvm_classfile::Constant;
use rjvm_classfile::descriptor::FieldType;
use rjvm_classfile::opcodes::{self as op, Insn, Operand};

impl<'a> Checker<'_, 'a> {
    #[inline]
    pub fn push(&mut self, t: VType<'a>) -> Result<(), VerifyFailure> {
        self.push_slot(t)?;
        match t.second() {
            Some(second) => self.push_slot(second),
            None => Ok(()),
        }
    }

    #[inline]
    fn push_slot(&mut self, t: VType<'a>) -> Result<(), VerifyFailure> {
        if self.s.size >= usize::from(self.code.max_stack) {
            return Err(self.overflow());
        }
        self.s.push(t);
        Ok(())
    }

    #[cold]
    fn overflow(&self) -> VerifyFailure {
        let s = self.s.clone();
        self.fail(&VerifyFault::Overflow(s), "Operand stack overflow")
    }

    /// Pops a slot, whatever it is.
    #[inline]
    pub fn pop_any(&mut self) -> Result<VType<'a>, VerifyFailure> {
        if self.s.size == 0 {
            return Err(self.underflow());
        }
        self.s.size -= 1;
        Ok(self.s.operand(self.s.size))
    }

    #[cold]
    fn underflow(&self) -> VerifyFailure {
        self.fail(
            &VerifyFault::Underflow(self.s.clone()),
            "Operand stack underflow",
        )
    }

    fn pop_slot(&mut self, want: VType<'a>) -> Result<VType<'a>, VerifyFailure> {
        let t = self.pop_any()?;
        if !assignable(self.q, want, t, false) {
            let want = TypeOrigin::Implicit(want);
            return Err(self.bad_top(Some(want), "Bad type on operand stack"));
        }
        Ok(t)
    }

    /// Pops a value of this type, of one slot or two.
    pub fn pop(&mut self, want: VType<'a>) -> Result<VType<'a>, VerifyFailure> {
        let Some(second) = want.second() else {
            return self.pop_slot(want);
        };
        if self.s.size < 2 {
            return Err(self.underflow());
        }
        // the lower slot is looked at first
        let upper = self.pop_any()?;
        let value = self.pop_slot(want)?;
        if !assignable(self.q, second, upper, false) {
            self.s.size += 1;
            return Err(self.bad_top(
                Some(TypeOrigin::Implicit(second)),
                "Bad type on operand stack",
            ));
        }
        Ok(value)
    }

    /// Pops an argument, a result or a field's value, slot by slot from the top.
    pub fn pop_value(&mut self, want: VType<'a>) -> Result<VType<'a>, VerifyFailure> {
        if let Some(second) = want.second() {
            self.pop_slot(second)?;
        }
        self.pop_slot(want)
    }

    fn pop_array(&mut self, letters: &[u8], name: &str) -> Result<(), VerifyFailure> {
        let t = self.pop(VType::AnyRef)?;
        if t.is_array_of(letters) {
            return Ok(());
        }
        let want = match letters {
            [letter] => Some(TypeOrigin::Implicit(VType::Ref(RefType {
                dims: 1,
                prim: *letter,
                name: "",
            }))),
            _ => None,
        };
        Err(self.bad_top(want, format_args!("Bad type on operand stack in {name}")))
    }

    fn pop_reference_array(&mut self, name: &str) -> Result<VType<'a>, VerifyFailure> {
        let t = self.pop(VType::AnyRef)?;
        if t.is_reference_array() {
            return Ok(t);
        }
        let want = TypeOrigin::Implicit(VType::AnyRef);
        let message = format!("Bad type on operand stack in {name}");
        Err(self.bad_top(Some(want), message))
    }

    fn get_local(&mut self, i: u16, want: VType<'a>) -> Result<VType<'a>, VerifyFailure> {
        let index = usize::from(i);
        if want.second().is_some() {
            if index + 1 >= self.s.locals.len() {
                let message = "get long/double overflows locals";
                return Err(self.fail(&VerifyFault::LocalIndex(i), message));
            }
        } else if index >= usize::from(self.code.max_locals) {
            let message = "Local variable table overflow";
            return Err(self.fail(&VerifyFault::LocalIndex(i), message));
        }
        let t = self.s.local(index);
        if !assignable(self.q, want, t, false) {
            let got = TypeOrigin::Local(index, Box::new(self.s.clone()));
            let fault = VerifyFault::Type(got, Some(TypeOrigin::Implicit(want)));
            return Err(self.fail(&fault, "Bad local variable type"));
        }
        Ok(t)
    }

    fn store(&mut self, i: u16, want: VType<'a>) -> Result<(), VerifyFailure> {
        let t = self.pop(want)?;
        let end = usize::from(i) + usize::from(t.second().is_some());
        if end >= usize::from(self.code.max_locals) {
            let message = "Local variable table overflow";
            return Err(self.fail(&VerifyFault::LocalIndex(i), message));
        }
        self.s.set_local(i.into(), t);
        Ok(())
    }

    /// The two slots on top: two values or a wide one. Topmost first.
    fn pop_pair(&mut self, first: VType<'a>) -> Result<[VType<'a>; 2], VerifyFailure> {
        let below = if first.is_category1() {
            self.pop_slot(VType::Category1)?
        } else if first.is_second() {
            self.pop_slot(VType::Category2)?
        } else {
            // `top` and the like are never on the stack but by a frame of the table
            let name = op::name(self.code.code[self.s.bci]);
            let message = format!("Bad type on operand stack in {name}");
            return Err(self.bad_top(None, message));
        };
        Ok([first, below])
    }

    fn pop_two(&mut self) -> Result<[VType<'a>; 2], VerifyFailure> {
        let first = self.pop_any()?;
        self.pop_pair(first)
    }

    fn push_slots(&mut self, slots: &[VType<'a>]) -> Result<(), VerifyFailure> {
        slots.iter().try_for_each(|&t| self.push_slot(t))
    }

    fn shuffle(&mut self, opcode: u8) -> Result<(), VerifyFailure> {
        let one = VType::Category1;
        match opcode {
            op::POP => self.pop_slot(one).map(|_| ()),
            op::POP2 => self.pop_two().map(|_| ()),
            op::DUP => {
                let a = self.pop_slot(one)?;
                self.push_slots(&[a, a])
            }
            op::DUP_X1 => {
                let (a, b) = (self.pop_slot(one)?, self.pop_slot(one)?);
                self.push_slots(&[a, b, a])
            }
            op::DUP_X2 => {
                let a = self.pop_slot(one)?;
                let [b, c] = self.pop_two()?;
                self.push_slots(&[a, c, b, a])
            }
            op::DUP2 => {
                let [a, b] = self.pop_two()?;
                self.push_slots(&[b, a, b, a])
            }
            op::DUP2_X1 => {
                let [a, b] = self.pop_two()?;
                let c = self.pop_slot(one)?;
                self.push_slots(&[b, a, c, b, a])
            }
            op::DUP2_X2 => {
                let [a, b] = self.pop_two()?;
                let [c, d] = self.pop_two()?;
                self.push_slots(&[b, a, d, c, b, a])
            }
            _ => {
                let (a, b) = (self.pop_slot(one)?, self.pop_slot(one)?);
                self.push_slots(&[a, b])
            }
        }
    }

    /// Executes an instruction on types; whether control can fall through to the next.
    pub(super) fn step(
        &mut self,
        insn: &Insn<'a>,
        in_try: bool,
        made_this: &mut bool,
    ) -> Result<bool, VerifyFailure> {
        let o = insn.opcode;
        match o {
            op::ACONST_NULL => self.push(VType::Null)?,
            op::LDC | op::LDC_W | op::LDC2_W => self.ldc(insn)?,
            op::ILOAD..=op::ALOAD_3 => {
                let (i, t) = local(insn, op::ILOAD, op::ILOAD_0);
                let t = self.get_local(i, t)?;
                self.push(t)?;
            }
            op::ISTORE..=op::ASTORE_3 => {
                let (i, t) = local(insn, op::ISTORE, op::ISTORE_0);
                self.store(i, t)?;
            }
            op::IALOAD..=op::SALOAD => {
                self.pop(VType::Int)?;
                if o == op::AALOAD {
                    let t = self.pop_reference_array("aaload")?;
                    self.push(match t {
                        VType::Ref(r) => r.component(),
                        t => t,
                    })?;
                } else {
                    let (letters, t) = array_element(o - op::IALOAD);
                    self.pop_array(letters, insn.name())?;
                    self.push(t)?;
                }
            }
            op::AASTORE => {
                self.pop(VType::OBJECT)?;
                self.pop(VType::Int)?;
                self.pop_reference_array("aastore")?;
            }
            op::IASTORE..=op::SASTORE => {
                let (letters, t) = array_element(o - op::IASTORE);
                self.pop(t)?;
                self.pop(VType::Int)?;
                self.pop_array(letters, insn.name())?;
            }
            op::POP..=op::SWAP => self.shuffle(o)?,
            op::IINC => {
                if let Operand::Iinc { local, .. } = insn.operand {
                    self.get_local(local, VType::Int)?;
                }
            }
            op::IF_ACMPEQ | op::IF_ACMPNE | op::IFNULL | op::IFNONNULL => {
                if matches!(o, op::IF_ACMPEQ | op::IF_ACMPNE) {
                    self.pop(VType::AnyRef)?;
                }
                self.pop(VType::AnyRef)?;
                self.branch(insn)?;
            }
            op::TABLESWITCH | op::LOOKUPSWITCH => {
                self.switch(insn)?;
                return Ok(false);
            }
            op::GOTO | op::GOTO_W => {
                self.branch(insn)?;
                return Ok(false);
            }
            op::IRETURN..=op::ARETURN => {
                let want = [VType::Int, VType::Long, VType::Float, VType::Double];
                let want = want.get(usize::from(o - op::IRETURN));
                let t = self.pop_value(*want.unwrap_or(&VType::AnyRef))?;
                let result = self.return_type;
                if result == VType::Top || !assignable(self.q, result, t, false) {
                    let message = match result {
                        VType::Top => "Method does not expect a return value",
                        _ => "Bad return type",
                    };
                    return Err(self.bad_top(Some(TypeOrigin::Signature(result)), message));
                }
                return Ok(false);
            }
            op::RETURN => {
                if self.return_type != VType::Top {
                    return Err(self.bad_code("Method expects a return value"));
                }
                if self.is_init && self.s.this_uninit {
                    let message = "Constructor must call super() or this() before return";
                    return Err(self.bad_code(message));
                }
                return Ok(false);
            }
            op::GETSTATIC..=op::PUTFIELD => self.field(insn)?,
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => self.invoke(insn, in_try, made_this)?,
            op::NEW => {
                let (index, t) = self.class_operand(insn)?;
                if t.is_array() {
                    return Err(self.bad_constant(index, t, "Illegal new instruction"));
                }
                self.push(VType::Uninit(insn.pc as u16))?;
            }
            op::NEWARRAY | op::ANEWARRAY | op::MULTIANEWARRAY => self.new_array(insn)?,
            op::ARRAYLENGTH => {
                if !self.pop(VType::AnyRef)?.is_any_array() {
                    return Err(self.bad_top(None, "Bad type on operand stack in arraylength"));
                }
                self.push(VType::Int)?;
            }
            op::ATHROW => {
                self.pop(VType::THROWABLE)?;
                return Ok(false);
            }
            op::CHECKCAST => {
                let (_, t) = self.class_operand(insn)?;
                self.pop(VType::OBJECT)?;
                self.push(VType::Ref(t))?;
            }
            op::INSTANCEOF => {
                self.class_operand(insn)?;
                self.pop(VType::OBJECT)?;
                self.push(VType::Int)?;
            }
            op::MONITORENTER | op::MONITOREXIT => {
                self.pop(VType::AnyRef)?;
            }
            op::JSR | op::RET | op::JSR_W => {
                return Err(self.bad_code(format_args!("Bad instruction: {o:02x}")));
            }
            // the rest does what the opcode table says
            _ => {
                let Some(row) = op::info(o) else {
                    return Err(self.bad_code(format_args!("Bad instruction: {o:02x}")));
                };
                for letter in row.pop.bytes().rev() {
                    self.pop(of_letter(letter))?;
                }
                for letter in row.push.bytes() {
                    self.push(of_letter(letter))?;
                }
                if let Operand::Branch(_) = insn.operand {
                    self.branch(insn)?;
                }
            }
        }
        Ok(true)
    }

    fn branch(&mut self, insn: &Insn<'_>) -> Result<(), VerifyFailure> {
        match insn.operand {
            Operand::Branch(target) => self.jump(target),
            _ => Ok(()),
        }
    }

    fn switch(&mut self, insn: &Insn<'a>) -> Result<(), VerifyFailure> {
        let Operand::Switch(sw) = insn.operand else {
            return Ok(());
        };
        let padding = &self.code.code[insn.pc + 1..(insn.pc & !3) + 4];
        if self.cx.cf.major < 51 && padding.iter().any(|&b| b != 0) {
            let message = "Nonzero padding byte in lookupswitch or tableswitch";
            return Err(self.bad_code(message));
        }
        self.pop(VType::Int)?;
        if insn.opcode == op::LOOKUPSWITCH && !sw.cases().is_sorted_by(|a, b| a.0 < b.0) {
            return Err(self.bad_code("Bad lookupswitch instruction"));
        }
        self.jump(sw.default)?;
        for (_, target) in sw.cases() {
            self.jump(target)?;
        }
        Ok(())
    }

    /// The error about a constant-pool index: out of range, or an entry of the wrong kind.
    #[cold]
    pub fn bad_index(&self, index: u16) -> VerifyFailure {
        let what = match usize::from(index) {
            i if i == 0 || i >= self.cx.cf.constant_pool.len() => "Illegal constant pool index",
            _ => "Illegal type at constant pool entry",
        };
        let class = self.cx.this.replace('/', ".");
        let message = format!("{what} {index} in class {class}");
        self.fail(&VerifyFault::Constant(index), message)
    }

    /// The class constant an instruction names.
    pub fn class_operand(&self, insn: &Insn<'_>) -> Result<(u16, RefType<'a>), VerifyFailure> {
        let (Operand::Constant(index) | Operand::MultiArray { index, .. }) = insn.operand else {
            return Err(self.bad_code("Bad instruction"));
        };
        match self.cx.class_type(index) {
            Some(t) => Ok((index, t)),
            None => Err(self.bad_index(index)),
        }
    }

    fn ldc(&mut self, insn: &Insn<'_>) -> Result<(), VerifyFailure> {
        let Operand::Constant(index) = insn.operand else {
            return Ok(());
        };
        let pool = &self.cx.cf.constant_pool;
        let constant = pool.get(index).map_err(|_| self.bad_index(index))?;
        let t = match constant {
            Constant::Integer(_) => VType::Int,
            Constant::Float(_) => VType::Float,
            Constant::Long(_) => VType::Long,
            Constant::Double(_) => VType::Double,
            Constant::String { .. } => VType::class("java/lang/String"),
            Constant::Class { .. } => VType::class("java/lang/Class"),
            Constant::MethodHandle { .. } => VType::class("java/lang/invoke/MethodHandle"),
            Constant::MethodType { .. } => VType::class("java/lang/invoke/MethodType"),
            Constant::Dynamic { .. } => {
                let descriptor = pool.dynamic(index).map_err(|_| self.bad_index(index))?.2;
                match FieldType::parse(descriptor) {
                    Ok(t) => VType::of(t),
                    Err(_) => return Err(self.bad_index(index)),
                }
            }
            _ => return Err(self.bad_index(index)),
        };
        if t.second().is_some() != (insn.opcode == op::LDC2_W) {
            return Err(self.bad_index(index));
        }
        self.push(t)
    }
}

fn of_letter(letter: u8) -> VType<'static> {
    match letter {
        b'I' => VType::Int,
        b'J' => VType::Long,
        b'F' => VType::Float,
        b'D' => VType::Double,
        b'A' => VType::AnyRef,
        _ => VType::Category1,
    }
}

/// The local and the type of a load or store; `long` is the family's first opcode with an operand,
/// `short` the first without.
fn local(insn: &Insn<'_>, long: u8, short: u8) -> (u16, VType<'static>) {
    const TYPES: [VType<'static>; 5] = [
        VType::Int,
        VType::Long,
        VType::Float,
        VType::Double,
        VType::AnyRef,
    ];
    match insn.operand {
        Operand::Local(i) => (i, TYPES[usize::from(insn.opcode - long) % 5]),
        _ => {
            let n = insn.opcode - short;
            (u16::from(n % 4), TYPES[usize::from(n / 4) % 5])
        }
    }
}

/// Element types of the array instructions, in the order `i l f d a b c s`.
fn array_element(n: u8) -> (&'static [u8], VType<'static>) {
    match n {
        0 => (b"I", VType::Int),
        1 => (b"J", VType::Long),
        2 => (b"F", VType::Float),
        3 => (b"D", VType::Double),
        5 => (b"ZB", VType::Int),
        6 => (b"C", VType::Int),
        _ => (b"S", VType::Int),
    }
}
