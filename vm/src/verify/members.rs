//! Type checking of the instructions that name fields, methods and array types.

use super::error::{TypeOrigin, VerifyFailure, VerifyFault};
use super::frame::OffsetKind;
use super::known::{KnownMember, MemberKind};
use super::typecheck::Checker;
use super::types::{RefType, VType, assignable};
use rjvm_classfile::descriptor::{FieldType, MethodDescriptor};
use rjvm_classfile::opcodes::{self as op, Insn, Operand};
use rjvm_classfile::{Constant, MemberRef};
use smallvec::SmallVec;
use std::rc::Rc;

const CONSTRUCTOR: &str = "<init>";

impl<'a> Checker<'_, 'a> {
    /// A member of a permitted kind.
    #[inline]
    fn member(
        &mut self,
        index: u16,
        ok: fn(MemberKind) -> bool,
    ) -> Result<Rc<KnownMember<'a>>, VerifyFailure> {
        match self.members.get(self.cx, index) {
            Some(known) if ok(known.kind) => Ok(known),
            _ => Err(self.bad_index(index)),
        }
    }

    /// The rule of 4.10.1.8: a protected member of a superclass in another package is accessed
    /// through this class or a subclass only.
    fn protected_ok(&mut self, known: &KnownMember<'a>, object: VType<'a>) -> bool {
        let this = VType::class(self.cx.this);
        let (class, member) = (known.class, &known.member);
        if object == this || class.is_array() || !known.of_super {
            return true;
        }
        let is_method = known.kind != MemberKind::Field;
        self.q.load(class.name);
        if !(self.cx.is_protected)(class.name, member.name, member.descriptor, is_method) {
            return true;
        }
        // arrays pretend that Object.clone is public
        let array = matches!(object, VType::Ref(r) if r.is_array());
        if is_method && array && class.name == "java/lang/Object" && member.name == "clone" {
            return true;
        }
        assignable(self.q, this, object, true)
    }

    pub(super) fn field(&mut self, insn: &Insn<'a>) -> Result<(), VerifyFailure> {
        let Operand::Constant(index) = insn.operand else {
            return Ok(());
        };
        let known = self.member(index, |kind| kind == MemberKind::Field)?;
        let class = known.class;
        let is_static = matches!(insn.opcode, op::GETSTATIC | op::PUTSTATIC);
        if class.is_array() && !is_static {
            let message = format!(
                "Expecting reference to class in class {} at constant pool index {index}",
                self.cx.this.replace('/', ".")
            );
            return Err(self.bad_constant(index, class, message));
        }
        let t = known.field.ok_or_else(|| self.bad_index(index))?;
        match insn.opcode {
            op::GETSTATIC => self.push(t),
            op::PUTSTATIC => self.pop_value(t).map(|_| ()),
            op::GETFIELD => {
                let object = self.pop(VType::Ref(class))?;
                if !self.protected_ok(&known, object) {
                    return Err(self.bad_protected(op::GETFIELD));
                }
                self.push(t)
            }
            _ => {
                self.pop_value(t)?;
                let mut object = self.pop_any()?;
                // before the superclass's constructor, the class's own fields may be set
                let this = VType::class(self.cx.this);
                if object == VType::UninitThis
                    && VType::Ref(class) == this
                    && self.declares(&known.member)
                {
                    object = this;
                }
                if !assignable(self.q, VType::Ref(class), object, false) {
                    let want = TypeOrigin::Constant(index, VType::Ref(class));
                    return Err(self.bad_top(Some(want), "Bad type on operand stack in putfield"));
                }
                if !self.protected_ok(&known, object) {
                    return Err(self.bad_protected(op::PUTFIELD));
                }
                Ok(())
            }
        }
    }

    #[cold]
    fn bad_protected(&self, opcode: u8) -> VerifyFailure {
        let want = TypeOrigin::Implicit(VType::class(self.cx.this));
        let message = format!("Bad access to protected data in {}", op::name(opcode));
        self.bad_top(Some(want), message)
    }

    /// Whether this class declares the field.
    fn declares(&self, m: &MemberRef<'_>) -> bool {
        let pool = &self.cx.cf.constant_pool;
        self.cx.cf.fields.iter().any(|f| {
            pool.str(f.name).is_ok_and(|n| n == m.name)
                && pool.str(f.descriptor).is_ok_and(|d| d == m.descriptor)
        })
    }

    pub(super) fn invoke(
        &mut self,
        insn: &Insn<'a>,
        in_try: bool,
        made_this: &mut bool,
    ) -> Result<(), VerifyFailure> {
        let o = insn.opcode;
        let (Operand::Constant(index) | Operand::Interface { index, .. }) = insn.operand else {
            return Ok(());
        };
        if o == op::INVOKEDYNAMIC {
            return self.invoke_dynamic(insn, index);
        }
        let new_rules = self.cx.cf.major >= 52;
        let known = match o {
            op::INVOKEINTERFACE => self.member(index, |k| k == MemberKind::InterfaceMethod)?,
            op::INVOKESPECIAL | op::INVOKESTATIC if new_rules => {
                self.member(index, |k| k != MemberKind::Field)?
            }
            _ => self.member(index, |k| k == MemberKind::Method)?,
        };
        let (m, class) = (&known.member, known.class);
        let Some(d) = &known.method else {
            return Err(self.bad_index(index));
        };
        if let Operand::Interface { count, .. } = insn.operand {
            if u16::from(count) != d.slots {
                let message = "Inconsistent args count operand in invokeinterface";
                return Err(self.bad_code(message));
            }
            if self.code.code[insn.pc + 4] != 0 {
                let message = "Fourth operand byte of invokeinterface must be zero";
                return Err(self.bad_code(message));
            }
        }
        if m.name.starts_with('<') {
            if o != op::INVOKESPECIAL || m.name != CONSTRUCTOR {
                return Err(self.bad_code("Illegal call to internal method"));
            }
        } else if o == op::INVOKESPECIAL {
            self.check_special(m, class)?;
        }
        for &t in d.parameters.iter().rev() {
            self.pop_value(t)?;
        }
        match o {
            op::INVOKESTATIC => {}
            _ if m.name == CONSTRUCTOR => {
                self.invoke_init(index, m, class, in_try, made_this)?;
            }
            op::INVOKESPECIAL => {
                self.pop(VType::class(self.cx.this))?;
            }
            op::INVOKEVIRTUAL => {
                let object = self.pop(VType::Ref(class))?;
                if !self.protected_ok(&known, object) {
                    return Err(self.bad_protected(op::INVOKEVIRTUAL));
                }
            }
            _ => {
                self.pop(VType::Ref(class))?;
            }
        }
        match d.return_type {
            Some(_) if m.name == CONSTRUCTOR => {
                Err(self.bad_code("Return type must be void in <init> method"))
            }
            Some(t) => self.push(t),
            None => Ok(()),
        }
    }

    fn pop_arguments(&mut self, d: &MethodDescriptor<'a>) -> Result<(), VerifyFailure> {
        let types: SmallVec<[FieldType<'a>; 8]> = d.parameters().collect();
        for &t in types.iter().rev() {
            self.pop_value(VType::of(t))?;
        }
        Ok(())
    }

    fn invoke_dynamic(&mut self, insn: &Insn<'a>, index: u16) -> Result<(), VerifyFailure> {
        let pool = &self.cx.cf.constant_pool;
        let Ok(Constant::InvokeDynamic { .. }) = pool.get(index) else {
            return Err(self.bad_index(index));
        };
        if self.cx.cf.major < 51 {
            return Err(self.place.format_error(format_args!(
                "invokedynamic instructions not supported by this class file version ({}), class {}",
                self.cx.cf.major,
                self.cx.this.replace('/', ".")
            )));
        }
        let (_, name, descriptor) = pool.dynamic(index).map_err(|_| self.bad_index(index))?;
        let d = MethodDescriptor::parse(descriptor).map_err(|_| self.bad_index(index))?;
        if self.code.code[insn.pc + 3..insn.pc + 5] != [0, 0] {
            let message = "Third and fourth operand bytes of invokedynamic must be zero";
            return Err(self.bad_code(message));
        }
        if name.starts_with('<') {
            return Err(self.bad_code("Illegal call to internal method"));
        }
        self.pop_arguments(&d)?;
        match d.return_type {
            Some(t) => self.push(VType::of(t)),
            None => Ok(()),
        }
    }

    /// `invokespecial` of a method that isn't a constructor: it is of this class, a superclass, or
    /// a direct superinterface.
    fn check_special(
        &mut self,
        m: &MemberRef<'a>,
        class: RefType<'a>,
    ) -> Result<(), VerifyFailure> {
        let cx = self.cx;
        let direct = !class.is_array()
            && (class.name == cx.this
                || cx.supers.first().is_some_and(|s| **s == *class.name)
                || cx.interfaces.iter().any(|i| **i == *class.name));
        if direct {
            return Ok(());
        }
        let this = VType::class(cx.this);
        let problem = if !assignable(self.q, VType::Ref(class), this, false) {
            "current class isn't assignable to reference class."
        } else if m.interface {
            "interface method reference is in an indirect superinterface."
        } else {
            return Ok(());
        };
        Err(self.bad_code(format_args!("Bad invokespecial instruction: {problem}")))
    }

    /// The call of a constructor (4.10.1.9, `invokespecial`).
    fn invoke_init(
        &mut self,
        index: u16,
        m: &MemberRef<'a>,
        class: RefType<'a>,
        in_try: bool,
        made_this: &mut bool,
    ) -> Result<(), VerifyFailure> {
        let cx = self.cx;
        let this = RefType::class(cx.this);
        match self.pop(VType::AnyRef)? {
            VType::UninitThis => {
                let of_super = cx.supers.first().is_some_and(|s| **s == *class.name);
                if class.is_array() || class.name != cx.this && !of_super {
                    let fault = VerifyFault::Type(
                        TypeOrigin::Implicit(VType::Ref(class)),
                        Some(TypeOrigin::Implicit(VType::Ref(this))),
                    );
                    return Err(self.fail(&fault, "Bad <init> method call"));
                }
                if in_try {
                    let handlers = self.code.exceptions.iter().filter(|e| {
                        (usize::from(e.start_pc)..usize::from(e.end_pc)).contains(&self.s.bci)
                    });
                    for e in handlers {
                        if !self.never_returns(e.handler_pc.into()) {
                            let message =
                                "Bad <init> method call from after the start of a try block";
                            return Err(self.bad_code(message));
                        }
                    }
                    self.check_handlers(true)?;
                }
                self.s.initialize(VType::UninitThis, VType::Ref(this));
                *made_this = true;
            }
            VType::Uninit(new) => {
                let at = usize::from(new);
                if self.at.get(at) != Some(&OffsetKind::New) {
                    let message = "Expecting new instruction";
                    return Err(self.place.verify_error(at, &VerifyFault::Bytecode, message));
                }
                let made = u16::from_be_bytes([self.code.code[at + 1], self.code.code[at + 2]]);
                let Some(t) = cx.class_type(made) else {
                    return Err(self.bad_index(made));
                };
                if t != class {
                    let got = TypeOrigin::Constant(made, VType::Ref(t));
                    let want = TypeOrigin::Constant(index, VType::Ref(class));
                    let fault = VerifyFault::Type(got, Some(want));
                    return Err(self.fail(&fault, "Call to wrong <init> method"));
                }
                if cx.has_super(class.name) {
                    self.q.load(class.name);
                    let (name, d) = (m.name, m.descriptor);
                    if (cx.is_protected)(class.name, name, d, true)
                        && !assignable(self.q, VType::Ref(this), VType::Ref(t), true)
                    {
                        let got = TypeOrigin::Constant(made, VType::Ref(t));
                        let want = TypeOrigin::Implicit(VType::Ref(this));
                        let fault = VerifyFault::Type(got, Some(want));
                        return Err(self.fail(&fault, "Bad access to protected <init> method"));
                    }
                }
                if in_try {
                    self.check_handlers(*made_this)?;
                }
                self.s.initialize(VType::Uninit(new), VType::Ref(t));
            }
            _ => {
                return Err(self.bad_top(None, "Bad operand type when invoking <init>"));
            }
        }
        Ok(())
    }

    /// Whether no path from a handler ends in `return`: an object whose constructor failed must
    /// not get out that way.
    fn never_returns(&self, handler: usize) -> bool {
        let code = self.code;
        let mut seen = vec![false; code.code.len()];
        let mut work = vec![handler];
        while let Some(pc) = work.pop() {
            match seen.get_mut(pc) {
                None => return false,
                Some(true) => continue,
                Some(s) => *s = true,
            }
            let Ok(insn) = Insn::decode(&code.code, pc) else {
                return false;
            };
            for e in &code.exceptions {
                if (usize::from(e.start_pc)..usize::from(e.end_pc)).contains(&pc) {
                    work.push(e.handler_pc.into());
                }
            }
            // a target outside of the code is found when it is popped
            let target = |t: i32| usize::try_from(t).unwrap_or(usize::MAX);
            match insn.operand {
                Operand::Branch(t) => work.push(target(t)),
                Operand::Switch(s) => {
                    work.push(target(s.default));
                    work.extend(s.cases().map(|(_, t)| target(t)));
                }
                _ if insn.opcode == op::RETURN => return false,
                _ => {}
            }
            if !op::ends_block(insn.opcode) {
                work.push(insn.next_pc());
            }
        }
        true
    }

    pub(super) fn new_array(&mut self, insn: &Insn<'a>) -> Result<(), VerifyFailure> {
        let t = match insn.operand {
            Operand::ArrayType(n) => {
                let Some(&prim) = b"ZCFDBSIJ".get(usize::from(n.wrapping_sub(4))) else {
                    return Err(self.bad_code("Illegal newarray instruction"));
                };
                self.pop(VType::Int)?;
                RefType {
                    dims: 1,
                    prim,
                    name: "",
                }
            }
            Operand::MultiArray { dimensions, .. } => {
                let (index, t) = self.class_operand(insn)?;
                if !t.is_array() {
                    let message = "Illegal constant pool index in multianewarray instruction";
                    return Err(self.bad_constant(index, t, message));
                }
                if dimensions < 1 || t.dims < dimensions {
                    return Err(self.bad_code(format_args!(
                        "Illegal dimension in multianewarray instruction: {dimensions}"
                    )));
                }
                for _ in 0..dimensions {
                    self.pop(VType::Int)?;
                }
                t
            }
            _ => {
                let (_, t) = self.class_operand(insn)?;
                self.pop(VType::Int)?;
                let Some(dims) = t.dims.checked_add(1) else {
                    let message =
                        "Illegal anewarray instruction, array has more than 255 dimensions";
                    return Err(self.bad_code(message));
                };
                RefType { dims, ..t }
            }
        };
        self.push(VType::Ref(t))
    }
}
