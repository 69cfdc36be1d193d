//! The frames of the type checker: the one that the instructions change, and those of the
//! `StackMapTable` (JVMS 4.7.4) with the checks on its form.

use super::changing::ChangingList;
use super::error::{MethodLocation, TypeOrigin, VerifyFailure, VerifyFault};
use super::slots::{Pool, SlotList};
use super::typecheck::ClassContext;
use super::types::{Questions, RefType, VType, assignable};
use rjvm_classfile::opcodes as op;

/// The current frame.
#[derive(Clone)]
pub struct CurrentFrame<'a> {
    /// Instruction it is before (or in).
    pub bci: usize,
    /// Whether `this` still waits for its constructor (`flagThisUninit`).
    pub this_uninit: bool,
    /// Locals by slot; those beyond are [`VType::Top`].
    pub locals: ChangingList<VType<'a>>,
    /// Operands by slot. Only the first `size` count; the slots beyond are those that the instruction popped.
    pub stack: ChangingList<VType<'a>>,
    /// Height of the stack.
    pub size: usize,
    /// Height of the stack before the instruction.
    pub mark: usize,
    /// A new number whenever a local, or [`this_uninit`](Self::this_uninit), may have changed.
    pub version: u32,
}

impl<'a> CurrentFrame<'a> {
    /// The type of a local.
    #[inline]
    pub fn local(&self, i: usize) -> VType<'a> {
        self.locals.get(i).unwrap_or(VType::Top)
    }
    /// The type of an operand's slot, whether or not it has been popped.
    #[inline]
    pub fn operand(&self, i: usize) -> VType<'a> {
        self.stack.get(i).unwrap_or(VType::Top)
    }
    /// Puts a value on the stack, whose limit the caller has seen to.
    #[inline]
    pub fn push(&mut self, t: VType<'a>) {
        if self.size < self.stack.len() {
            self.stack.set(self.size, t);
        } else {
            self.stack.push(t);
        }
        self.size += 1;
    }
    /// Sets a local and, for a wide value, the next one. Halves of earlier wide values become unusable.
    pub fn set_local(&mut self, i: usize, t: VType<'a>) {
        self.version += 1;
        let end = i + 1 + usize::from(t.second().is_some());
        self.locals.grow(end, VType::Top);
        if self.local(i).is_second() && i > 0 {
            self.locals.set(i - 1, VType::Top);
        }
        if end < self.locals.len() && self.local(end).is_second() {
            self.locals.set(end, VType::Top);
        }
        self.locals.set(i, t);
        if let Some(second) = t.second() {
            self.locals.set(i + 1, second);
        }
    }
    /// After the call of a constructor: all copies of the object are initialized.
    pub fn initialize(&mut self, old: VType<'a>, new: VType<'a>) {
        self.version += 1;
        let live = self.size;
        for (list, len) in [(&mut self.locals, usize::MAX), (&mut self.stack, live)] {
            for i in 0..list.len().min(len) {
                if list.get(i) == Some(old) {
                    list.set(i, new);
                }
            }
        }
        if old == VType::UninitThis {
            self.this_uninit = false;
        }
    }
    /// Takes over a stack map frame.
    pub fn take(&mut self, f: &StackMapFrame<'a>) {
        self.version += 1;
        self.locals.take(&f.locals);
        self.stack.take(&f.stack);
        self.size = f.stack.len();
        self.this_uninit = f.this_uninit;
    }
    /// The frame that a handler sees.
    pub fn at_handler(&self, caught: &CaughtType<'a>) -> CurrentFrame<'a> {
        let mut stack = ChangingList::default();
        stack.push(caught.class);
        CurrentFrame {
            bci: self.bci,
            this_uninit: self.this_uninit || caught.made_this,
            locals: self.locals.clone(),
            stack,
            size: 1,
            mark: 1,
            version: self.version,
        }
    }
}

/// How the frame that a handler sees differs from the one of the instruction.
pub struct CaughtType<'a> {
    /// The only operand: the class that is caught.
    pub class: VType<'a>,
    /// The instruction initialized `this`, but the handler may see it uninitialized.
    pub made_this: bool,
}

/// A frame of the `StackMapTable`.
pub struct StackMapFrame<'a> {
    /// Where it holds.
    pub bci: usize,
    /// Whether `this` still waits for its constructor.
    pub this_uninit: bool,
    /// Locals by slot.
    pub locals: SlotList<VType<'a>>,
    /// Operands by slot.
    pub stack: SlotList<VType<'a>>,
}

/// Whether the state, as `caught` has it for a handler, is assignable to the stack map frame (4.10.1.4); else why not
/// and where.
pub fn matches<'s, 'a>(
    q: &mut Questions,
    s: &CurrentFrame<'a>,
    caught: Option<&CaughtType<'a>>,
    target: &'s StackMapFrame<'a>,
) -> Result<(), Box<(usize, VerifyFault<'s>)>>
where
    'a: 's,
{
    let shown = || caught.map_or_else(|| s.clone(), |caught| s.at_handler(caught));
    let size = if caught.is_some() { 1 } else { s.size };
    if size != target.stack.len() {
        return Err(Box::new((s.bci, VerifyFault::StackSize(shown(), target))));
    }
    let mut fits = |from, to| assignable(q, to, from, false);
    if let Some(i) = s.locals.misfit(&target.locals, VType::Top, &mut fits) {
        let (from, to) = (
            TypeOrigin::Local(i, Box::new(shown())),
            TypeOrigin::MapLocal(i, target),
        );
        return Err(Box::new((target.bci, VerifyFault::Type(from, Some(to)))));
    }
    let misfit = match caught {
        Some(caught) => {
            let to = target.stack.get(0).unwrap_or(VType::Top);
            (!fits(caught.class, to)).then_some(0)
        }
        None => s.stack.misfit(&target.stack, VType::Top, &mut fits),
    };
    if let Some(i) = misfit {
        let (from, to) = (
            TypeOrigin::Stack(i, Box::new(shown())),
            TypeOrigin::MapStack(i, target),
        );
        return Err(Box::new((target.bci, VerifyFault::Type(from, Some(to)))));
    }
    let this_uninit = s.this_uninit || caught.is_some_and(|caught| caught.made_this);
    if this_uninit && !target.this_uninit {
        return Err(Box::new((target.bci, VerifyFault::Flags(shown(), target))));
    }
    Ok(())
}

/// The kind of an offset of the code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OffsetKind {
    /// Not the beginning of an instruction.
    Inside,
    /// A `new`.
    New,
    /// Another instruction.
    Insn,
}

/// Reads the `StackMapTable` of a method.
pub struct StackMapReader<'t, 'a> {
    /// The bytes left to read.
    pub bytes: &'t [u8],
    /// The class.
    pub cx: &'t ClassContext<'t, 'a>,
    /// The method.
    pub place: &'t MethodLocation<'t>,
    /// The code by offset.
    pub at: &'t [OffsetKind],
    /// Limits.
    pub max_locals: usize,
    /// Limits.
    pub max_stack: usize,
    /// The lists in the frames.
    pub pool: Pool<VType<'a>>,
}

#[cold]
fn malformed(what: &str) -> VerifyFailure {
    VerifyFailure {
        // thrown at once: no second opinion from the older verifier
        failover: false,
        ..VerifyFailure::format(format!("StackMapTable format error: {what}"))
    }
}

impl<'a> StackMapReader<'_, 'a> {
    fn u1(&mut self) -> Result<u8, VerifyFailure> {
        let (&b, rest) = self
            .bytes
            .split_first()
            .ok_or_else(|| malformed("access beyond the end of attribute"))?;
        self.bytes = rest;
        Ok(b)
    }

    fn u2(&mut self) -> Result<u16, VerifyFailure> {
        Ok(u16::from_be_bytes([self.u1()?, self.u1()?]))
    }

    fn push_type(&mut self, to: &mut SlotList<VType<'a>>) -> Result<(), VerifyFailure> {
        let t = self.read_type()?;
        to.push(t);
        to.extend(t.second());
        Ok(())
    }

    /// A list of types behind its length.
    fn types(&mut self, max: usize) -> Result<Vec<VType<'a>>, VerifyFailure> {
        let n = usize::from(self.u2()?);
        let mut list = Vec::with_capacity(n.min(self.bytes.len()));
        let mut left = n;
        while left > 0 {
            // most types are one byte
            let begin = self.bytes.iter().take(left);
            let mut done = 0;
            for t in begin.map_while(|&tag| VType::of_tag(tag)) {
                list.push(t);
                list.extend(t.second());
                done += 1;
            }
            self.bytes = &self.bytes[done..];
            left -= done;
            if left > 0 {
                let t = self.read_type()?;
                list.push(t);
                left -= 1;
            }
        }
        self.limit(list.len(), max)?;
        Ok(list)
    }

    #[inline]
    fn read_type(&mut self) -> Result<VType<'a>, VerifyFailure> {
        let tag = self.u1()?;
        if let Some(simple) = VType::of_tag(tag) {
            return Ok(simple);
        }
        Ok(match tag {
            7 => {
                let i = self.u2()?;
                let name = self.cx.class_name(i);
                VType::Ref(RefType::of_class_name(
                    name.ok_or_else(|| malformed("bad class index"))?,
                ))
            }
            8 => {
                let bci = self.u2()?;
                if self.at.get(usize::from(bci)) != Some(&OffsetKind::New) {
                    return Err(self
                        .place
                        .format_error("StackMapTable format error: bad offset for Uninitialized"));
                }
                VType::Uninit(bci)
            }
            _ => return Err(malformed("bad verification type")),
        })
    }

    fn limit(&self, size: usize, max: usize) -> Result<(), VerifyFailure> {
        if size > max {
            return Err(self.bad_size());
        }
        Ok(())
    }

    /// A list that shares equal parts with earlier lists.
    fn list(&mut self, types: &[VType<'a>]) -> Result<SlotList<VType<'a>>, VerifyFailure> {
        let list = self.pool.list(types);
        let most = self.cx.memory;
        if self.pool.bytes() > most {
            let p = self.place;
            return Err(VerifyFailure::memory(p.cf, p.class, p.method, most));
        }
        Ok(list)
    }

    #[cold]
    fn bad_size(&self) -> VerifyFailure {
        self.place
            .format_error("StackMapTable format error: bad type array size")
    }

    /// Reads all frames. `initial` is the frame at the method's entry.
    pub fn frames(
        mut self,
        initial: &CurrentFrame<'a>,
    ) -> Result<Vec<StackMapFrame<'a>>, VerifyFailure> {
        let count = self.u2()?;
        let mut frames: Vec<StackMapFrame<'a>> =
            Vec::with_capacity(usize::from(count).min(self.bytes.len()));
        let mut locals: SlotList<VType<'a>> = initial.locals.entries().iter().copied().collect();
        let mut this_uninit = initial.this_uninit;
        for _ in 0..usize::from(count) {
            if (self.cx.stops)(frames.len()) {
                return Err(VerifyFailure::stopped());
            }
            let tag = self.u1()?;
            let mut stack = SlotList::default();
            let delta = match tag {
                0..=63 => tag.into(),
                64..=127 => {
                    self.push_type(&mut stack)?;
                    self.limit(stack.len(), self.max_stack)?;
                    u16::from(tag) - 64
                }
                _ => self.u2()?,
            };
            match tag {
                0..=127 | 251 => {}
                128..=246 => return Err(malformed("reserved frame type")),
                247 => {
                    self.push_type(&mut stack)?;
                    self.limit(stack.len(), self.max_stack)?;
                }
                248..=250 => {
                    let l = &mut locals;
                    for _ in 0..251 - tag {
                        let last = l.pop().ok_or_else(|| self.bad_size())?;
                        if last.is_second() {
                            l.pop();
                        }
                    }
                    this_uninit = l.contains(&VType::UninitThis);
                }
                252..=254 => {
                    for _ in 0..tag - 251 {
                        self.push_type(&mut locals)?;
                        this_uninit |= locals.last() == Some(VType::UninitThis);
                    }
                    self.limit(locals.len(), self.max_locals)?;
                }
                255 => {
                    let l = self.types(self.max_locals)?;
                    let s = self.types(self.max_stack)?;
                    this_uninit = l.contains(&VType::UninitThis);
                    locals = self.list(&l)?;
                    stack = self.list(&s)?;
                }
            }
            let bci = match frames.last() {
                None => usize::from(delta),
                Some(f) => f.bci + usize::from(delta) + 1,
            };
            let frame = StackMapFrame {
                bci,
                this_uninit,
                locals: locals.clone(),
                stack,
            };
            if self.at.get(bci).copied().unwrap_or(OffsetKind::Inside) == OffsetKind::Inside {
                let fault = VerifyFault::BadMap(&frame);
                // the location given is the method's beginning
                return Err(self
                    .place
                    .verify_error(0, &fault, "StackMapTable error: bad offset"));
            }
            frames.push(frame);
        }
        if !self.bytes.is_empty() {
            return Err(malformed("wrong attribute size"));
        }
        Ok(frames)
    }
}

/// The kind of each offset of the code.
pub fn map_code(code: &[u8]) -> Result<Vec<OffsetKind>, (usize, &'static str)> {
    let mut at = vec![OffsetKind::Inside; code.len()];
    let mut pc = 0;
    while pc < code.len() {
        let Ok(len) = op::length(code, pc) else {
            return Err((pc, broken(code, pc)));
        };
        at[pc] = if code[pc] == op::NEW {
            OffsetKind::New
        } else {
            OffsetKind::Insn
        };
        pc += len;
    }
    Ok(at)
}

/// Why there is no instruction at `pc`.
#[cold]
pub fn broken(code: &[u8], pc: usize) -> &'static str {
    let word = |i: usize| {
        let bytes = code.get((pc & !3) + 4 + 4 * i..)?;
        bytes.first_chunk().map(|b| i32::from_be_bytes(*b))
    };
    let size = |low: i32, high: i32| i64::from(high) - i64::from(low);
    match (code.get(pc), word(1).zip(word(2))) {
        // a size of nothing or less is no instruction at all
        (Some(&op::TABLESWITCH), Some((low, high))) if (-4..0).contains(&size(low, high)) => {
            "low must be less than or equal to high in tableswitch"
        }
        (Some(&op::LOOKUPSWITCH), _) if word(1) == Some(-1) => {
            "number of keys in lookupswitch less than 0"
        }
        _ => "Bad instruction",
    }
}
