//! The instructions one by one (JVMS 4.9.2): what they need of locals and operands, what they
//! leave.

use super::operands::{CalledMethod, OperandArg};
use super::stack::{self, OperandStack};
use super::types::{THROWABLE, Type};
use super::{InferenceState, MethodInference, NEED_CONSTRUCTOR, NO_RETURN, VerifyStop};
use crate::verify::slots::SlotList;
use crate::verify::sub::Subs;
use crate::verify::world::World;
use rjvm_classfile::opcodes as op;

/// The object a constructor has been called on: its type before and now.
pub(super) type Initialized = Option<(Type, Type)>;

impl<W: World> MethodInference<'_, W> {
    fn pop(&self, s: &mut OperandStack) -> Result<Type, VerifyStop<W::Error>> {
        s.pop()
            .ok_or_else(|| self.fail("Unable to pop operand off an empty stack"))
    }

    fn pop_kind(
        &self,
        s: &mut OperandStack,
        want: Type,
        name: &str,
    ) -> Result<(), VerifyStop<W::Error>> {
        if self.pop(s)? != want {
            return Err(self.fail(format!("Expecting to find {name} on stack")));
        }
        Ok(())
    }

    fn pop_int(&self, s: &mut OperandStack) -> Result<(), VerifyStop<W::Error>> {
        self.pop_kind(s, Type::Int, "integer")
    }

    fn pop_reference(&self, s: &mut OperandStack) -> Result<Type, VerifyStop<W::Error>> {
        let t = self.pop(s)?;
        if !t.is_reference() {
            return Err(self.fail("Expecting to find object/array on stack"));
        }
        Ok(t)
    }

    /// Pops a value of a kind in the opcode table's letters.
    fn pop_letter(&self, s: &mut OperandStack, letter: u8) -> Result<Type, VerifyStop<W::Error>> {
        match letter {
            b'I' => self.pop_int(s).map(|()| Type::Int),
            b'F' => self.pop_kind(s, Type::Float, "float").map(|()| Type::Float),
            b'J' => self.pop_kind(s, Type::Long, "long").map(|()| Type::Long),
            b'D' => self
                .pop_kind(s, Type::Double, "double")
                .map(|()| Type::Double),
            _ => self.pop_reference(s),
        }
    }

    /// Pops a value of the same kind as `t`.
    fn pop_like(&self, s: &mut OperandStack, t: Type) -> Result<Type, VerifyStop<W::Error>> {
        self.pop_letter(s, letter_of(t))
    }

    /// Pops an array for the instruction of the element type numbered `n` (`i l f d a b c s`).
    fn pop_array(&self, s: &mut OperandStack, n: u8) -> Result<Type, VerifyStop<W::Error>> {
        const NAMES: [(&[u8], &str); 8] = [
            (b"I", "ints"),
            (b"J", "longs"),
            (b"F", "floats"),
            (b"D", "doubles"),
            (b"", "objects or arrays"),
            (b"BZ", "bytes or Booleans"),
            (b"C", "chars"),
            (b"S", "shorts"),
        ];
        let (letters, name) = NAMES[usize::from(n) % 8];
        let t = self.pop(s)?;
        let ok = match t {
            Type::Null => true,
            Type::Prims(1, p) => letters.contains(&p),
            Type::Objects(..) | Type::Prims(..) => letters.is_empty(),
            _ => false,
        };
        match ok {
            true => Ok(t),
            false => Err(self.fail(format!("Expecting to find array of {name} on stack"))),
        }
    }

    /// Pops values that take `n` slots together; topmost first.
    fn pop_slots(&self, s: &mut OperandStack, n: usize) -> Result<Vec<Type>, VerifyStop<W::Error>> {
        let (mut taken, mut slots) = (Vec::new(), 0);
        while slots < n {
            let t = self.pop(s)?;
            slots += t.slots();
            if slots > n {
                return Err(self.fail("Attempt to split long or double on the stack"));
            }
            taken.push(t);
        }
        Ok(taken)
    }

    fn shuffle(&self, opcode: u8, s: &mut OperandStack) -> Result<(), VerifyStop<W::Error>> {
        let (take, skip) = match opcode {
            op::POP => return self.pop_slots(s, 1).map(|_| ()),
            op::POP2 => return self.pop_slots(s, 2).map(|_| ()),
            op::DUP => (1, 0),
            op::DUP_X1 => (1, 1),
            op::DUP_X2 => (1, 2),
            op::DUP2 => (2, 0),
            op::DUP2_X1 => (2, 1),
            op::DUP2_X2 => (2, 2),
            _ => {
                let (a, b) = (self.pop_slots(s, 1)?, self.pop_slots(s, 1)?);
                s.extend(a.into_iter().chain(b));
                return Ok(());
            }
        };
        let top = self.pop_slots(s, take)?;
        let below = self.pop_slots(s, skip)?;
        s.extend(
            top.iter()
                .rev()
                .chain(below.iter().rev())
                .chain(top.iter().rev())
                .copied(),
        );
        Ok(())
    }

    fn assignable(&mut self, from: Type, to: Type) -> Result<bool, VerifyStop<W::Error>> {
        self.classes.assignable(self.w, from, to)
    }

    fn need(&mut self, from: Type, to: Type, message: &str) -> Result<(), VerifyStop<W::Error>> {
        match self.assignable(from, to)? {
            true => Ok(()),
            false => Err(self.fail(message)),
        }
    }

    /// Checks the local that an instruction reads.
    fn read(
        &self,
        locals: &SlotList<Type>,
        i: usize,
        want: Type,
    ) -> Result<Type, VerifyStop<W::Error>> {
        if let Some(second) = want.second() {
            if i + 1 >= locals.len() {
                return Err(self.fail(format!(
                    "Accessing value from uninitialized register pair {i}/{}",
                    i + 1
                )));
            }
            if locals.get(i) != Some(want) || locals.get(i + 1) != Some(second) {
                let message = format!("Register pair {i}/{} contains wrong type", i + 1);
                return Err(self.fail(message));
            }
            return Ok(want);
        }
        let Some(t) = locals.get(i) else {
            let message = format!("Accessing value from uninitialized register {i}");
            return Err(self.fail(message));
        };
        let ok = match want {
            // any reference, initialized or not
            Type::Null => t.is_reference() || matches!(t, Type::This | Type::New(_)),
            Type::RetAddr(_) => matches!(t, Type::RetAddr(_)),
            _ => t == want,
        };
        match (ok, t) {
            (true, _) => Ok(t),
            (_, Type::RetAddr(_)) => {
                Err(self.fail(format!("Cannot load return address from register {i}")))
            }
            _ => Err(self.fail(format!("Register {i} contains wrong type"))),
        }
    }

    /// Executes instruction `i` on types and passes the outcome on, but not to the next instruction if that has no separate
    /// state: then the outcome is returned.
    pub(super) fn step(
        &mut self,
        i: u32,
        before: &InferenceState,
    ) -> Result<Option<InferenceState>, VerifyStop<W::Error>> {
        let opcode = self.ops[i as usize].opcode;
        if matches!(opcode, op::IRETURN..=op::RETURN) {
            let done =
                opcode != op::RETURN || before.flags & NEED_CONSTRUCTOR == 0 || before.constructed;
            if !done {
                return Err(self.fail("Constructor must call super() or this()"));
            }
            if before.flags & NO_RETURN != 0 {
                return Err(self.fail("Cannot return normally"));
            }
        }
        let mut after = before.clone();
        let made = self.execute_in(i, &mut after)?;
        let goes_on = self.pass_on(i, before, &after, made)?;
        Ok(goes_on.then_some(after))
    }

    /// Executes instruction `i` on types.
    pub(super) fn execute_in(
        &mut self,
        i: u32,
        state: &mut InferenceState,
    ) -> Result<Initialized, VerifyStop<W::Error>> {
        let InferenceState {
            locals,
            subs,
            stack,
            ..
        } = state;
        let made = self.execute(i, locals, subs, stack)?;
        if let Some((from, to)) = made {
            replace(locals, subs, stack, from, to);
            state.constructed |= from == Type::This;
        }
        if state.stack.height() > usize::from(self.code.max_stack) {
            return Err(self.fail("Stack size too large"));
        }
        Ok(made)
    }

    fn execute(
        &mut self,
        i: u32,
        locals: &mut SlotList<Type>,
        subs: &mut Subs,
        s: &mut OperandStack,
    ) -> Result<Initialized, VerifyStop<W::Error>> {
        let opcode = self.ops[i as usize].opcode;
        match opcode {
            op::ACONST_NULL => s.push(Type::Null),
            op::ILOAD..=op::ALOAD_3 | op::IINC | op::RET => {
                let OperandArg::Local(l) = self.ops[i as usize].arg else {
                    return Ok(None);
                };
                let want = match opcode {
                    op::IINC => Type::Int,
                    op::RET => Type::RetAddr(0),
                    op::ILOAD..=op::ALOAD => kind(opcode - op::ILOAD),
                    o => kind((o - op::ILOAD_0) / 4),
                };
                let t = self.read(locals, l.into(), want)?;
                touch(subs, l, want);
                if opcode <= op::ALOAD_3 {
                    s.push(t);
                }
            }
            op::ISTORE..=op::ASTORE_3 => {
                let OperandArg::Local(l) = self.ops[i as usize].arg else {
                    return Ok(None);
                };
                let want = match opcode {
                    op::ISTORE..=op::ASTORE => kind(opcode - op::ISTORE),
                    o => kind((o - op::ISTORE_0) / 4),
                };
                let t = match (want, s.last()) {
                    (Type::Null, Some(Type::RetAddr(_) | Type::This | Type::New(_))) => {
                        self.pop(s)?
                    }
                    _ => self.pop_like(s, want)?,
                };
                let l = usize::from(l);
                let end = l + t.slots();
                if locals.len() < end {
                    locals.resize(end, Type::Bogus);
                }
                locals.set(l, t);
                if let Some(second) = t.second() {
                    locals.set(l + 1, second);
                }
                touch(subs, l as u16, t);
            }
            op::IALOAD..=op::SALOAD => {
                self.pop_int(s)?;
                let t = self.pop_array(s, opcode - op::IALOAD)?;
                s.push(match opcode - op::IALOAD {
                    4 => t.component(),
                    n @ 1..=3 => kind(n),
                    _ => Type::Int,
                });
            }
            op::IASTORE..=op::SASTORE => {
                let n = opcode - op::IASTORE;
                self.pop_like(s, if n > 4 { Type::Int } else { kind(n) })?;
                self.pop_int(s)?;
                self.pop_array(s, n)?;
            }
            op::POP..=op::SWAP => self.shuffle(opcode, s)?,
            op::ARRAYLENGTH => {
                let t = self.pop(s)?;
                if t != Type::Null && !t.is_array() {
                    return Err(self.fail("Expecting to find array on stack"));
                }
                s.push(Type::Int);
            }
            op::ATHROW => {
                let t = self.pop(s)?;
                if !matches!(t, Type::Null | Type::Object(_)) {
                    return Err(self.fail("Expecting to find object on stack"));
                }
                let message = "Can only throw Throwable objects";
                self.need(t, Type::Object(THROWABLE), message)?;
            }
            op::IFNULL | op::IFNONNULL => match s.last() {
                Some(Type::This | Type::New(_)) => {
                    self.pop(s)?;
                }
                _ => {
                    self.pop_reference(s)?;
                }
            },
            op::RETURN if self.result.is_some() => {
                return Err(self.fail("Wrong return type in function"));
            }
            op::IRETURN..=op::ARETURN => {
                let t = self.pop_like(s, kind(opcode - op::IRETURN))?;
                match self.result {
                    Some(r) => self.need(t, r, "Wrong return type in function")?,
                    None => return Err(self.fail("Wrong return type in function")),
                }
            }
            op::JSR | op::JSR_W => {
                let OperandArg::Targets(t) = &self.ops[i as usize].arg else {
                    return Ok(None);
                };
                let entry = self.ops[t[0] as usize].pc;
                if subs.around(entry).is_some() {
                    return Err(self.fail("Recursive call to jsr entry"));
                }
                subs.enter(entry);
                s.push(Type::RetAddr(entry));
            }
            op::NEW => {
                let t = Type::New(self.ops[i as usize].pc);
                if s.contains(t) {
                    let message = "Uninitialized object on stack at creating point";
                    return Err(self.fail(message));
                }
                replace(locals, subs, &mut OperandStack::default(), t, Type::Bogus);
                s.push(t);
            }
            op::GETSTATIC..=op::PUTFIELD => self.field(i, s)?,
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => return self.invoke(i, s),
            op::MULTIANEWARRAY => {
                if let OperandArg::Array(t, dims) = self.ops[i as usize].arg {
                    for _ in 0..dims {
                        self.pop_int(s)?;
                    }
                    s.push(t);
                }
            }
            _ => {
                let Some(row) = op::info(opcode) else {
                    return Err(self.fail("Quick instructions shouldn't appear yet."));
                };
                for letter in row.pop.bytes().rev() {
                    self.pop_letter(s, letter)?;
                }
                match self.ops[i as usize].arg {
                    // constants, arrays, checkcast; not instanceof
                    OperandArg::Type(t) if row.push != "I" => s.push(t),
                    _ => s.extend(row.push.bytes().map(of_letter)),
                }
            }
        }
        Ok(None)
    }

    fn field(&mut self, i: u32, s: &mut OperandStack) -> Result<(), VerifyStop<W::Error>> {
        let op = &self.ops[i as usize];
        let (opcode, protected) = (op.opcode, op.protected);
        let OperandArg::Field(class, t, declared) = op.arg else {
            return Ok(());
        };
        let put = matches!(opcode, op::PUTSTATIC | op::PUTFIELD);
        let value = if put { self.pop_like(s, t)? } else { t };
        if matches!(opcode, op::GETFIELD | op::PUTFIELD) {
            let object = match s.last() {
                // before the superclass's constructor, the class's own fields may be set
                Some(Type::This) if opcode == op::PUTFIELD && declared => {
                    self.pop(s)?;
                    self.this
                }
                _ => self.pop_reference(s)?,
            };
            let message = "Incompatible type for getting or setting field";
            self.need(object, class, message)?;
            if protected {
                self.need(object, self.this, "Bad access to protected data")?;
            }
        }
        if put {
            self.need(value, t, "Bad type in putfield/putstatic")
        } else {
            s.push(t);
            Ok(())
        }
    }

    fn invoke(
        &mut self,
        i: u32,
        s: &mut OperandStack,
    ) -> Result<Initialized, VerifyStop<W::Error>> {
        let op = &mut self.ops[i as usize];
        let (opcode, init, protected) = (op.opcode, op.init, op.protected);
        let OperandArg::Method(callee) = std::mem::replace(&mut op.arg, OperandArg::None) else {
            return Ok(None);
        };
        let r = self.invoke_callee(opcode, init, protected, &callee, s);
        self.ops[i as usize].arg = OperandArg::Method(callee);
        r
    }

    fn invoke_callee(
        &mut self,
        opcode: u8,
        init: bool,
        protected: bool,
        callee: &CalledMethod,
        s: &mut OperandStack,
    ) -> Result<Initialized, VerifyStop<W::Error>> {
        if let Some(descriptor) = &callee.too_many {
            return Err(self.fail(format!("Signature {descriptor} has too many arguments")));
        }
        let mut args = Vec::with_capacity(callee.args.len());
        for &t in callee.args.iter().rev() {
            args.push(self.pop_like(s, t)?);
        }
        let mut made = None;
        if init {
            let object = self.pop(s)?;
            let wrong = "Call to wrong initialization method";
            made = Some(match object {
                Type::New(pc) => {
                    let number = self.number[usize::from(pc)];
                    let t = match self.ops[number as usize].arg {
                        OperandArg::Type(t) => t,
                        _ => Type::Bogus,
                    };
                    if t != callee.class {
                        return Err(self.fail(wrong));
                    }
                    if protected {
                        self.need(object, self.this, "Bad access to protected data")?;
                    }
                    (object, t)
                }
                Type::This => {
                    let superclass = self.supers.first().cloned();
                    let superclass = superclass.map(|n| Type::Object(self.classes.name(&n)));
                    if callee.class != self.this && Some(callee.class) != superclass {
                        return Err(self.fail(wrong));
                    }
                    (object, self.this)
                }
                _ => {
                    let message = "Expecting to find uninitialized object on stack";
                    return Err(self.fail(message));
                }
            });
        } else if opcode != op::INVOKESTATIC {
            let object = self.pop_reference(s)?;
            let message = "Incompatible object argument for function call";
            self.need(object, callee.class, message)?;
            if opcode == op::INVOKESPECIAL {
                let message = "Incompatible object argument for invokespecial";
                self.need(object, self.this, message)?;
            }
            // arrays pretend that Object.clone is public
            let of_array = callee.is_object_clone && object.is_array();
            if protected && !self.assignable(object, self.this)? && !of_array {
                return Err(self.fail("Bad access to protected data"));
            }
        }
        for (&got, &want) in args.iter().rev().zip(&callee.args) {
            if want.is_reference() {
                self.need(got, want, "Incompatible argument to function")?;
            }
        }
        s.extend(callee.result);
        Ok(made)
    }
}

/// Replaces a type by another in locals and on the stack; the locals count as touched.
fn replace(
    locals: &mut SlotList<Type>,
    subs: &mut Subs,
    stack: &mut OperandStack,
    from: Type,
    to: Type,
) {
    for l in stack::replace(locals, |t| t == from, to) {
        touch(subs, l as u16, to);
    }
    stack.replace(from, to);
}

/// Notes in all active subroutines that a local is read or written.
fn touch(subs: &mut Subs, local: u16, t: Type) {
    let local = usize::from(local);
    for l in local..local + t.slots() {
        subs.touch(l);
    }
}

/// The kinds of loads, stores and returns in the order of their opcodes; `Null` represents any
/// reference.
fn kind(n: u8) -> Type {
    [Type::Int, Type::Long, Type::Float, Type::Double, Type::Null][usize::from(n) % 5]
}

fn letter_of(t: Type) -> u8 {
    match t {
        Type::Int => b'I',
        Type::Long => b'J',
        Type::Float => b'F',
        Type::Double => b'D',
        _ => b'A',
    }
}

fn of_letter(letter: u8) -> Type {
    match letter {
        b'I' => Type::Int,
        b'J' => Type::Long,
        b'F' => Type::Float,
        b'D' => Type::Double,
        _ => Type::Null,
    }
}
