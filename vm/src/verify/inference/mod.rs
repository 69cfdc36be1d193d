//! Verification by type inference (JVMS 4.10.2): data flow over the instructions of a method, with
//! subroutines and with merging of reference types, for class files before version 50 and for
//! those of version 50 whose `StackMapTable` is wrong.

mod operands;
mod steps;
mod types;

use super::error::Failure;
use super::sub::Sub;
use super::world::World;
use operands::Op;
use rjvm_classfile::descriptor::MethodDescriptor;
use rjvm_classfile::opcodes as op;
use rjvm_classfile::{ClassFile, CodeAttribute, MethodInfo, access};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
pub use types::Classes;
use types::{OBJECT, Type};

/// Why verification doesn't go on.
pub enum Stop<E> {
    /// The class isn't acceptable.
    Failure(Failure),
    /// What the loading of a class has ended with.
    Load(E),
}

impl<E> From<E> for Stop<E> {
    fn from(e: E) -> Stop<E> {
        Stop::Load(e)
    }
}

/// A row of the exception table, by instruction numbers.
struct Handler {
    range: Range<u32>,
    target: u32,
    catch: Type,
}

/// `this` must be initialized before the method returns.
const NEED_CONSTRUCTOR: u8 = 1;
/// On some path a constructor of `this` threw.
const NO_RETURN: u8 = 2;

/// The state before an instruction.
#[derive(Clone)]
struct State {
    /// Locals; those beyond are unusable.
    locals: Rc<Vec<Type>>,
    /// Subroutines being executed, innermost last.
    subs: Rc<Vec<Sub>>,
    /// Operands, one entry a value.
    stack: Rc<Vec<Type>>,
    /// On every path, `this` has been initialized.
    constructed: bool,
    /// What holds on some path.
    flags: u8,
}

/// What an instruction passes on to another.
struct Flow<'s> {
    locals: &'s Rc<Vec<Type>>,
    subs: &'s Rc<Vec<Sub>>,
    stack: &'s Rc<Vec<Type>>,
    constructed: bool,
    flags: u8,
}

/// The verification of one method.
pub struct Method<'w, W: World> {
    w: &'w mut W,
    cf: &'w ClassFile,
    class: &'w str,
    method: &'w MethodInfo,
    code: &'w CodeAttribute,
    classes: Classes<W::Class>,
    this: Type,
    supers: Vec<Arc<str>>,
    /// `None`: `void`.
    result: Option<Type>,
    /// Instruction numbers by pc.
    number: Vec<u32>,
    pcs: Vec<u16>,
    ops: Vec<Op>,
    /// In reverse order of the table.
    handlers: Vec<Handler>,
    /// `jsr` instructions: subroutine, instruction.
    calls: Vec<(u32, u32)>,
    /// The `ret` that returns to a `jsr`.
    returns: Vec<(u32, u32)>,
    states: Vec<Option<State>>,
    changed: BTreeSet<u32>,
}

/// Verifies a method of class `class` (its run-time name).
pub fn verify_method<W: World>(
    w: &mut W,
    cf: &ClassFile,
    class: &str,
    method: &MethodInfo,
) -> Result<(), Stop<W::Error>> {
    let Some(code) = &method.attributes.code else {
        return Ok(());
    };
    let mut classes = Classes::default();
    let this = classes.of_class(class);
    let supers = w.supers();
    Method {
        w,
        cf,
        class,
        method,
        code,
        classes,
        this,
        supers,
        result: None,
        number: Vec::new(),
        pcs: Vec::new(),
        ops: Vec::new(),
        handlers: Vec::new(),
        calls: Vec::new(),
        returns: Vec::new(),
        states: Vec::new(),
        changed: BTreeSet::new(),
    }
    .run()
}

/// Bytes of a message beside the class's name: as many as HotSpot has room for.
const ROOM: usize = 1023;

impl<'w, W: World> Method<'w, W> {
    fn text(&self, message: &str) -> String {
        let pool = &self.cf.constant_pool;
        let mut text = format!(
            "(class: {}, method: {} signature: {}) {message}",
            self.class,
            pool.str(self.method.name).unwrap_or("?"),
            pool.str(self.method.descriptor).unwrap_or("?"),
        );
        text.truncate(text.floor_char_boundary(self.class.len() + ROOM));
        text
    }

    #[cold]
    fn fail(&self, message: impl AsRef<str>) -> Stop<W::Error> {
        Stop::Failure(Failure::verify(self.text(message.as_ref())))
    }

    #[cold]
    fn format_error(&self, message: &str) -> Stop<W::Error> {
        Stop::Failure(Failure::format(self.text(message)))
    }

    /// The name of a class constant.
    fn class_name(&self, index: u16) -> Result<&'w str, Stop<W::Error>> {
        if index == self.cf.this_class {
            return Ok(self.class);
        }
        let name = self.cf.constant_pool.class_name(index);
        name.map_err(|_| self.fail("Illegal type in constant pool"))
    }

    fn run(mut self) -> Result<(), Stop<W::Error>> {
        self.scan()?;
        self.operands()?;
        self.exception_table()?;
        self.states.resize_with(self.ops.len(), || None);
        self.entry()?;
        // in sweeps from the first instruction to the last
        let mut at = 0;
        while let Some(i) = self
            .changed
            .range(at..)
            .next()
            .or_else(|| self.changed.first())
            .copied()
        {
            self.changed.remove(&i);
            self.step(i)?;
            at = i + 1;
        }
        Ok(())
    }

    /// The state before the first instruction.
    fn entry(&mut self) -> Result<(), Stop<W::Error>> {
        let pool = &self.cf.constant_pool;
        let descriptor = pool.str(self.method.descriptor);
        let d = descriptor
            .and_then(MethodDescriptor::parse)
            .map_err(|_| self.format_error("Illegal signature"))?;
        let mut locals = Vec::new();
        let mut flags = 0;
        if self.method.access_flags & access::STATIC == 0 {
            let init = pool.str(self.method.name).is_ok_and(|n| n == "<init>");
            if init && self.this != Type::Object(OBJECT) {
                locals.push(Type::This);
                flags = NEED_CONSTRUCTOR;
            } else {
                locals.push(self.this);
            }
        }
        for p in d.parameters() {
            let t = self.classes.of(p);
            locals.push(t);
            locals.extend(t.second());
        }
        self.result = d.return_type.map(|t| self.classes.of(t));
        if self.states.is_empty() {
            return Err(self.fail("Empty code"));
        }
        self.states[0] = Some(State {
            locals: Rc::new(locals),
            subs: Rc::new(Vec::new()),
            stack: Rc::new(Vec::new()),
            constructed: false,
            flags,
        });
        self.changed.insert(0);
        Ok(())
    }

    /// Merges into the state before instruction `to`; `from` is where the flow comes from.
    fn flow(
        &mut self,
        from: u32,
        to: u32,
        f: &Flow<'_>,
        to_handler: bool,
    ) -> Result<(), Stop<W::Error>> {
        let opcode = self.ops[from as usize].opcode;
        let (mut locals, mut stack) = (f.locals.clone(), f.stack.clone());
        if matches!(opcode, op::JSR | op::JSR_W | op::RET) {
            // an uninitialized object gets neither into a subroutine nor out of it
            for list in [&mut locals, &mut stack] {
                if list.iter().any(|t| matches!(t, Type::New(_))) {
                    for t in Rc::make_mut(list) {
                        if matches!(t, Type::New(_)) {
                            *t = Type::Bogus;
                        }
                    }
                }
            }
        }
        let mut subs = f.subs.clone();
        if opcode == op::RET && !to_handler {
            match self.returned(from, to - 1, &locals, &subs)? {
                Some((l, s)) => (locals, subs) = (Rc::new(l), Rc::new(s)),
                // the jsr itself hasn't been reached yet; it will look at the ret again
                None => return Ok(()),
            }
        }
        let Some(mut old) = self.states[to as usize].take() else {
            self.states[to as usize] = Some(State {
                locals,
                subs,
                stack,
                constructed: f.constructed,
                flags: f.flags,
            });
            self.changed.insert(to);
            return Ok(());
        };
        let mut changed = self.merge_stack(&mut old.stack, &stack)?;
        changed |= self.merge_locals(&mut old.locals, &locals)?;
        changed |= merge_subs(&mut old.subs, &subs);
        changed |= old.constructed && !f.constructed || f.flags & !old.flags != 0;
        old.constructed &= f.constructed;
        old.flags |= f.flags;
        self.states[to as usize] = Some(old);
        if changed {
            self.changed.insert(to);
        }
        Ok(())
    }

    /// What the instruction after a `jsr` sees when `ret` returns there: locals that the subroutine
    /// hasn't touched are as they were at the `jsr`.
    fn returned(
        &mut self,
        ret: u32,
        jsr: u32,
        locals: &[Type],
        subs: &[Sub],
    ) -> Result<Option<(Vec<Type>, Vec<Sub>)>, Stop<W::Error>> {
        match self.returns.iter().find(|r| r.0 == jsr) {
            Some(r) if r.1 != ret => return Err(self.fail("Multiple returns to single jsr")),
            Some(_) => {}
            None => self.returns.push((jsr, ret)),
        }
        let Some(at_jsr) = &self.states[jsr as usize] else {
            return Ok(None);
        };
        let entry = match self.ops[ret as usize].arg {
            operands::Arg::Local(i) => match locals.get(usize::from(i)) {
                Some(Type::RetAddr(entry)) => *entry,
                _ => return Err(self.fail("Illegal return from subroutine")),
            },
            _ => return Err(self.fail("Illegal return from subroutine")),
        };
        let Some(depth) = subs.iter().rposition(|s| s.entry == entry) else {
            return Err(self.fail("Illegal return from subroutine"));
        };
        let before = &at_jsr.locals;
        let merged = (0..locals.len().max(before.len()))
            .map(|i| {
                let from: &[Type] = if subs[depth].has(i) { locals } else { before };
                from.get(i).copied().unwrap_or(Type::Bogus)
            })
            .collect();
        Ok(Some((merged, subs[..depth].to_vec())))
    }

    fn merge_stack(
        &mut self,
        old: &mut Rc<Vec<Type>>,
        new: &Rc<Vec<Type>>,
    ) -> Result<bool, Stop<W::Error>> {
        if Rc::ptr_eq(old, new) {
            return Ok(false);
        }
        let height = |s: &[Type]| s.iter().map(|t| t.slots()).sum::<usize>();
        let (new_height, old_height) = (height(new), height(old));
        if new_height != old_height {
            let message = format!("Inconsistent stack height {new_height} != {old_height}");
            return Err(self.fail(message));
        }
        if old.len() != new.len() {
            return Err(self.fail("Mismatched stack types"));
        }
        let mut changed = false;
        for (o, n) in old.iter().zip(new.iter()).rev() {
            if !self.classes.assignable(self.w, *n, *o)? {
                changed = true;
                break;
            }
        }
        if !changed {
            return Ok(false);
        }
        for (o, n) in Rc::make_mut(old).iter_mut().zip(new.iter()).rev() {
            *o = self.classes.merge(self.w, *o, *n, false)?;
            if *o == Type::Bogus {
                return Err(self.fail("Mismatched stack types"));
            }
        }
        Ok(true)
    }

    fn merge_locals(
        &mut self,
        old: &mut Rc<Vec<Type>>,
        new: &Rc<Vec<Type>>,
    ) -> Result<bool, Stop<W::Error>> {
        if Rc::ptr_eq(old, new) {
            return Ok(false);
        }
        let mut changed = false;
        if old.len() > new.len() {
            Rc::make_mut(old).truncate(new.len());
            changed = true;
        }
        let mut first = None;
        for (i, (o, n)) in old.iter().zip(new.iter()).enumerate() {
            if !self.classes.assignable(self.w, *n, *o)? {
                first = Some(i);
                break;
            }
        }
        let Some(first) = first else {
            return Ok(changed);
        };
        let list = Rc::make_mut(old);
        for (o, n) in list.iter_mut().zip(new.iter()).skip(first) {
            *o = self.classes.merge(self.w, *n, *o, false)?;
        }
        while list.last() == Some(&Type::Bogus) {
            list.pop();
        }
        Ok(true)
    }
}

/// Keeps the subroutines that both are in, in order, with the locals that either touched.
fn merge_subs(old: &mut Rc<Vec<Sub>>, new: &Rc<Vec<Sub>>) -> bool {
    if old.is_empty() || Rc::ptr_eq(old, new) {
        return false;
    }
    let before = old.len();
    let (mut from, mut changed) = (0, false);
    Rc::make_mut(old).retain_mut(
        |s| match new[from..].iter().position(|n| n.entry == s.entry) {
            Some(i) => {
                changed |= s.join(&new[from + i]);
                from += i + 1;
                true
            }
            None => false,
        },
    );
    changed || old.len() != before
}
