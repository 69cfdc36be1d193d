//! Verification by type inference (JVMS 4.10.2): data flow over the instructions of a method, with
//! subroutines and with merging of reference types, for class files before version 50 and for
//! those of version 50 whose `StackMapTable` is wrong.

mod flow;
mod operands;
mod stack;
mod steps;
mod types;

use super::error::VerifyFailure;
use super::slots::{Pool, SlotList};
use super::sub::Subs;
use super::world::World;
use hashbrown::HashMap;
use operands::{OperandArg, ResolvedInsn};
use rjvm_classfile::descriptor::MethodDescriptor;
use rjvm_classfile::opcodes as op;
use rjvm_classfile::{ClassFile, CodeAttribute, MethodInfo, access};
use stack::OperandStack;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
pub use types::TypeClasses;
use types::{OBJECT, Type};

/// Why verification doesn't continue.
pub enum VerifyStop<E> {
    /// The class isn't acceptable.
    Failure(VerifyFailure),
    /// What the loading of a class has ended with.
    Load(E),
}

impl<E> From<E> for VerifyStop<E> {
    fn from(e: E) -> VerifyStop<E> {
        VerifyStop::Load(e)
    }
}

/// A row of the exception table, by instruction numbers.
struct ExceptionRow {
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
struct InferenceState {
    /// Locals; those beyond are unusable.
    locals: SlotList<Type>,
    /// Subroutines being executed.
    subs: Subs,
    /// Operands.
    stack: OperandStack,
    /// On every path, `this` has been initialized.
    constructed: bool,
    /// What holds on some path.
    flags: u8,
}

/// The verification of one method.
pub struct MethodInference<'w, W: World> {
    w: &'w mut W,
    cf: &'w ClassFile,
    class: &'w str,
    method: &'w MethodInfo,
    code: &'w CodeAttribute,
    classes: TypeClasses<W::Class>,
    this: Type,
    supers: Vec<Arc<str>>,
    /// `None`: `void`.
    result: Option<Type>,
    /// Instruction numbers by pc.
    number: Vec<u32>,
    pcs: Vec<u16>,
    ops: Vec<ResolvedInsn>,
    /// In reverse order of the table.
    handlers: Vec<ExceptionRow>,
    /// `jsr` instructions: subroutine, instruction.
    calls: Vec<(u32, u32)>,
    /// The `ret` that returns to a `jsr`.
    returns: HashMap<u32, u32>,
    states: Vec<Option<InferenceState>>,
    /// The lists in the states.
    pool: Pool<Type>,
    sub_pool: Pool<u16>,
    /// Instructions before which the state has changed.
    changed: BTreeSet<u32>,
    /// By instruction, whether its state is stored: control may come to it from elsewhere than the one before it. The
    /// states before the others follow from these.
    stored: Vec<bool>,
    /// Instructions outside of it have no handlers.
    covered: Range<u32>,
    /// A request asks the VM to stop.
    stops: bool,
}

/// The state of a method whose verification was stopped between two instructions.
pub struct PausedMethod<C> {
    classes: TypeClasses<C>,
    result: Option<Type>,
    number: Vec<u32>,
    pcs: Vec<u16>,
    ops: Vec<ResolvedInsn>,
    handlers: Vec<ExceptionRow>,
    calls: Vec<(u32, u32)>,
    returns: HashMap<u32, u32>,
    states: Vec<Option<InferenceState>>,
    pool: Pool<Type>,
    sub_pool: Pool<u16>,
    changed: BTreeSet<u32>,
}

/// Verifies a method of class `class` (its run-time name). A verification that was stopped before continues.
pub fn verify_method<W: World>(
    w: &mut W,
    cf: &ClassFile,
    class: &str,
    method: &MethodInfo,
    paused: &mut Option<Box<PausedMethod<W::Class>>>,
) -> Result<(), VerifyStop<W::Error>> {
    let Some(code) = &method.attributes.code else {
        return Ok(());
    };
    let (begun, k) = match paused.take() {
        Some(k) => (true, *k),
        None => (false, PausedMethod::default()),
    };
    let mut classes = k.classes;
    let this = classes.of_class(class);
    let supers = w.supers();
    let mut m = MethodInference {
        w,
        cf,
        class,
        method,
        code,
        classes,
        this,
        supers,
        result: k.result,
        number: k.number,
        pcs: k.pcs,
        ops: k.ops,
        handlers: k.handlers,
        calls: k.calls,
        returns: k.returns,
        states: k.states,
        pool: k.pool,
        sub_pool: k.sub_pool,
        changed: k.changed,
        stored: Vec::new(),
        covered: 0..0,
        stops: false,
    };
    let done = m.run(begun);
    if m.stops {
        *paused = Some(Box::new(m.pause()));
    }
    done
}

impl<C: Copy + PartialEq> Default for PausedMethod<C> {
    fn default() -> PausedMethod<C> {
        PausedMethod {
            classes: TypeClasses::default(),
            result: None,
            number: Vec::new(),
            pcs: Vec::new(),
            ops: Vec::new(),
            handlers: Vec::new(),
            calls: Vec::new(),
            returns: HashMap::new(),
            states: Vec::new(),
            pool: Pool::default(),
            sub_pool: Pool::default(),
            changed: BTreeSet::new(),
        }
    }
}

/// Bytes of a message beside the class's name: as many as HotSpot has room for.
const ROOM: usize = 1023;

impl<'w, W: World> MethodInference<'w, W> {
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
    fn fail(&self, message: impl AsRef<str>) -> VerifyStop<W::Error> {
        VerifyStop::Failure(VerifyFailure::verify(self.text(message.as_ref())))
    }

    #[cold]
    fn format_error(&self, message: &str) -> VerifyStop<W::Error> {
        VerifyStop::Failure(VerifyFailure::format(self.text(message)))
    }

    /// The name of a class constant.
    fn class_name(&self, index: u16) -> Result<&'w str, VerifyStop<W::Error>> {
        if index == self.cf.this_class {
            return Ok(self.class);
        }
        let name = self.cf.constant_pool.class_name(index);
        name.map_err(|_| self.fail("Illegal type in constant pool"))
    }

    fn run(&mut self, begun: bool) -> Result<(), VerifyStop<W::Error>> {
        if !begun {
            self.scan()?;
            self.operands()?;
            self.exception_table()?;
            self.states.resize_with(self.ops.len(), || None);
            self.entry()?;
        }
        self.find_stored();
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
            at = self.straight_on(i)?;
        }
        Ok(())
    }

    /// Finds out which states are to be stored.
    fn find_stored(&mut self) {
        // returns from subroutines look at states in the middle of straight code
        let is_sub = |op: &ResolvedInsn| matches!(op.opcode, op::JSR | op::JSR_W | op::RET);
        self.stored = vec![self.ops.iter().any(is_sub); self.ops.len()];
        let stored = &mut self.stored;
        let mut store = |i: u32| {
            if let Some(stored) = stored.get_mut(i as usize) {
                *stored = true;
            }
        };
        store(0);
        self.handlers.iter().for_each(|h| store(h.target));
        for op in &self.ops {
            if let OperandArg::Targets(targets) = &op.arg {
                targets.iter().for_each(|&t| store(t));
            }
        }
        let starts = self.handlers.iter().map(|h| h.range.start);
        let ends = self.handlers.iter().map(|h| h.range.end);
        self.covered = starts.min().unwrap_or(0)..ends.max().unwrap_or(0);
    }

    /// Goes through the instructions from `i` on until one whose state is stored; the number of the one behind them.
    fn straight_on(&mut self, mut i: u32) -> Result<u32, VerifyStop<W::Error>> {
        let state = &mut self.states[i as usize];
        let state = match self.stored[i as usize] {
            true => state.clone(),
            // verification was stopped here
            false => state.take(),
        };
        let Some(mut state) = state else {
            return Ok(i + 1);
        };
        loop {
            while self.is_simple(i) {
                if let Err(e) = self.w.breathe() {
                    self.stop_at(i, state);
                    return Err(VerifyStop::Load(e));
                }
                self.execute_in(i, &mut state)?;
                i += 1;
            }
            match self.step(i, &state) {
                Ok(Some(after)) => state = after,
                Ok(None) => return Ok(i + 1),
                Err(e) => {
                    if self.stops {
                        self.stop_at(i, state);
                    }
                    return Err(e);
                }
            }
            i += 1;
        }
    }

    /// Whether only the next instruction follows, whose state is not stored.
    fn is_simple(&self, i: u32) -> bool {
        let op = &self.ops[i as usize];
        self.stored.get(i as usize + 1) == Some(&false)
            && !matches!(op.arg, OperandArg::Targets(_))
            && !op::ends_block(op.opcode)
            && !self.covered.contains(&i)
    }

    /// Verification is stopped before instruction `i` is done. States only ever lose something, so an instruction may be
    /// gone through again.
    fn stop_at(&mut self, i: u32, state: InferenceState) {
        self.stops = true;
        self.states[i as usize] = Some(state);
        self.changed.insert(i);
    }

    fn pause(self) -> PausedMethod<W::Class> {
        PausedMethod {
            classes: self.classes,
            result: self.result,
            number: self.number,
            pcs: self.pcs,
            ops: self.ops,
            handlers: self.handlers,
            calls: self.calls,
            returns: self.returns,
            states: self.states,
            pool: self.pool,
            sub_pool: self.sub_pool,
            changed: self.changed,
        }
    }

    /// The state before the first instruction.
    fn entry(&mut self) -> Result<(), VerifyStop<W::Error>> {
        let pool = &self.cf.constant_pool;
        let descriptor = pool.str(self.method.descriptor);
        let d = descriptor
            .and_then(MethodDescriptor::parse)
            .map_err(|_| self.format_error("Illegal signature"))?;
        let mut locals = SlotList::default();
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
        self.states[0] = Some(InferenceState {
            locals,
            subs: Subs::default(),
            stack: OperandStack::default(),
            constructed: false,
            flags,
        });
        self.changed.insert(0);
        Ok(())
    }
}
