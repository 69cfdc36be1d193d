//! Verification by type checking (JVMS 4.10.1): one pass over each method, with the frames at
//! branch targets given by its `StackMapTable`.
//!
//! Nothing is loaded here. Questions about classes are taken for answered with yes and written
//! down; if the answer turns out to be no, the method is checked again with that answer, and fails
//! where the question came up.

use super::changing::ChangingList;
use super::error::{MethodLocation, TypeOrigin, VerifyFailure, VerifyFault};
use super::frame::{
    CaughtType, CurrentFrame, OffsetKind, StackMapFrame, StackMapReader, broken, map_code, matches,
};
use super::known::KnownMembers;
use super::slots::Pool;
use super::types::{Questions, RefType, VType, assignable};
use rjvm_classfile::descriptor::MethodDescriptor;
use rjvm_classfile::opcodes::{self as op, Insn, Operand};
use rjvm_classfile::{ClassFile, CodeAttribute, MethodInfo, access};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// What checking needs to know of the class.
pub struct ClassContext<'w, 'a> {
    /// The class file.
    pub cf: &'a ClassFile,
    /// Name of the class; of a hidden class not the one in the class file.
    pub this: &'a str,
    /// Names of the superclasses, nearest first.
    pub supers: &'a [Arc<str>],
    /// Names of the direct superinterfaces.
    pub interfaces: &'a [Arc<str>],
    /// Whether look-up in this superclass finds a protected member declared in another package:
    /// superclass, name, descriptor, whether it is a method.
    pub is_protected: &'w dyn Fn(&str, &str, &str, bool) -> bool,
    /// Bytes that the frames of a method may take.
    pub memory: usize,
    /// Whether to stop after so many instructions, because a request asks for it.
    pub stops: &'w dyn Fn(usize) -> bool,
}

impl<'a> ClassContext<'_, 'a> {
    /// The name of a class constant.
    pub fn class_name(&self, index: u16) -> Option<&'a str> {
        let name = self.cf.constant_pool.class_name(index).ok()?;
        Some(if index == self.cf.this_class {
            self.this
        } else {
            name
        })
    }
    /// The type of a class constant.
    pub fn class_type(&self, index: u16) -> Option<RefType<'a>> {
        self.class_name(index).map(RefType::of_class_name)
    }
    /// Whether a superclass has that name.
    pub fn has_super(&self, name: &str) -> bool {
        self.supers.iter().any(|s| **s == *name)
    }
}

/// Checks a method with code, from the stack map frame on that comes after `from - 1` others: 0 is its beginning.
pub fn check_method<'a>(
    cx: &ClassContext<'_, 'a>,
    method: &'a MethodInfo,
    from: usize,
    questions: &mut Questions,
    members: &mut KnownMembers<'a>,
) -> Result<(), VerifyFailure> {
    let Some(code) = &method.attributes.code else {
        return Ok(());
    };
    let place = MethodLocation {
        cf: cx.cf,
        class: cx.this,
        method,
    };
    let pool = &cx.cf.constant_pool;
    let texts = pool
        .str(method.name)
        .and_then(|n| Ok((n, MethodDescriptor::parse(pool.str(method.descriptor)?)?)));
    let (name, descriptor) = texts.map_err(|e| VerifyFailure::format(e.detail(Some(cx.this))))?;
    let mut s = CurrentFrame {
        bci: 0,
        this_uninit: false,
        locals: ChangingList::default(),
        stack: ChangingList::default(),
        size: 0,
        mark: 0,
        version: 0,
    };
    if method.access_flags & access::STATIC == 0 {
        s.this_uninit = name == "<init>" && cx.this != "java/lang/Object";
        s.locals.push(match s.this_uninit {
            true => VType::UninitThis,
            false => VType::class(cx.this),
        });
    }
    for p in descriptor.parameters() {
        let t = VType::of(p);
        s.locals.push(t);
        s.locals.extend(t.second());
    }
    let at = map_code(&code.code)
        .map_err(|(bci, what)| place.verify_error(bci, &VerifyFault::Bytecode, what))?;
    let mut checker = Checker {
        cx,
        place,
        code,
        is_init: name == "<init>",
        return_type: descriptor.return_type.map_or(VType::Top, VType::of_return),
        at,
        frames: Vec::new(),
        s,
        q: questions,
        members,
        next: from,
        handled: Handled::default(),
        done: 0,
    };
    checker.q.frame = from;
    if from == 0 {
        checker.exception_table()?;
        checker.local_variable_table()?;
    }
    if let Some(table) = &code.stack_map {
        let reader = StackMapReader {
            bytes: table,
            cx,
            place: &checker.place,
            at: &checker.at,
            max_locals: code.max_locals.into(),
            max_stack: code.max_stack.into(),
            pool: Pool::default(),
        };
        checker.frames = reader.frames(&checker.s)?;
    }
    checker.run(from)
}

/// Handlers of neighbouring instructions, which see the same as long as the locals do not change.
#[derive(Default)]
struct Handled {
    /// The instructions, by offset.
    within: Range<usize>,
    /// Their handlers, as numbers in the exception table.
    handlers: Vec<u16>,
    /// The version of the frame that suits them.
    suits: Option<u32>,
}

pub(super) struct Checker<'c, 'a> {
    pub cx: &'c ClassContext<'c, 'a>,
    pub place: MethodLocation<'a>,
    pub code: &'a CodeAttribute,
    /// Whether this is a constructor.
    pub is_init: bool,
    /// [`VType::Top`]: `void`.
    pub return_type: VType<'a>,
    pub at: Vec<OffsetKind>,
    pub frames: Vec<StackMapFrame<'a>>,
    pub s: CurrentFrame<'a>,
    pub q: &'c mut Questions,
    pub members: &'c mut KnownMembers<'a>,
    /// The frame that comes next.
    next: usize,
    handled: Handled,
    /// The work done: frames, instructions, comparisons of frames.
    done: usize,
}

impl<'a> Checker<'_, 'a> {
    #[cold]
    pub fn fail(&self, fault: &VerifyFault<'_>, message: impl fmt::Display) -> VerifyFailure {
        self.place.verify_error(self.s.bci, fault, message)
    }

    /// An error of the instruction itself.
    #[cold]
    pub fn bad_code(&self, message: impl fmt::Display) -> VerifyFailure {
        self.fail(&VerifyFault::Bytecode, message)
    }

    /// An error about the operand that was popped last.
    #[cold]
    pub fn bad_top(
        &self,
        want: Option<TypeOrigin<'_>>,
        message: impl fmt::Display,
    ) -> VerifyFailure {
        let origin = TypeOrigin::Stack(self.s.size, Box::new(self.s.clone()));
        self.fail(&VerifyFault::Type(origin, want), message)
    }

    /// An error about a class constant.
    #[cold]
    pub fn bad_constant(
        &self,
        index: u16,
        t: RefType<'_>,
        message: impl fmt::Display,
    ) -> VerifyFailure {
        let origin = TypeOrigin::Constant(index, VType::Ref(t));
        self.fail(&VerifyFault::Type(origin, None), message)
    }

    fn is_start(&self, bci: usize) -> bool {
        self.at.get(bci).is_some_and(|&a| a != OffsetKind::Inside)
    }

    /// 4.7.3: the handlers' offsets; 4.10.1.6: what they catch.
    fn exception_table(&mut self) -> Result<(), VerifyFailure> {
        let code = self.code;
        for e in &code.exceptions {
            self.look()?;
            let offsets = [
                ("start_pc", e.start_pc, false),
                ("end_pc", e.end_pc, true),
                ("handler_pc", e.handler_pc, false),
            ];
            for (what, pc, may_end) in offsets {
                let end = may_end && usize::from(pc) == code.code.len();
                if !end && !self.is_start(pc.into()) {
                    let message = format!("Illegal exception table {what} {pc}");
                    return Err(self.place.format_error(message));
                }
            }
            if e.catch_type == 0 {
                continue;
            }
            let Some(catch) = self.cx.class_type(e.catch_type) else {
                return Err(self
                    .place
                    .format_error("Illegal exception table catch_type"));
            };
            if !assignable(self.q, VType::THROWABLE, VType::Ref(catch), false) {
                let got = TypeOrigin::Constant(e.catch_type, VType::Ref(catch));
                let want = TypeOrigin::Implicit(VType::THROWABLE);
                return Err(self.place.verify_error(
                    e.handler_pc.into(),
                    &VerifyFault::Type(got, Some(want)),
                    format_args!(
                        "Catch type is not a subclass of Throwable in exception handler {}",
                        e.handler_pc
                    ),
                ));
            }
        }
        Ok(())
    }

    fn local_variable_table(&self) -> Result<(), VerifyFailure> {
        let len = self.code.code.len();
        for v in &self.code.local_variables {
            if !self.is_start(v.start_pc.into()) {
                let message = format!("Illegal local variable table start_pc {}", v.start_pc);
                return Err(self.place.format_error(message));
            }
            let end = usize::from(v.start_pc) + usize::from(v.length);
            if end != len && !self.is_start(end) {
                let message = format!("Illegal local variable table length {}", v.length);
                return Err(self.place.format_error(message));
            }
        }
        Ok(())
    }

    /// After a piece of work: an error when the check is to stop.
    #[inline]
    fn look(&mut self) -> Result<(), VerifyFailure> {
        self.done += 1;
        match self.done.is_multiple_of(16) && (self.cx.stops)(self.done) {
            true => Err(VerifyFailure::stopped()),
            false => Ok(()),
        }
    }

    fn run(&mut self, from: usize) -> Result<(), VerifyFailure> {
        let code = self.code;
        let (mut pc, mut reachable) = (0, true);
        if let Some(frame) = from.checked_sub(1).and_then(|i| self.frames.get(i)) {
            // whatever comes before has been checked
            self.s.take(frame);
            pc = frame.bci;
        }
        let covered = match code.exceptions.iter().map(|e| e.start_pc).min() {
            None => 0..0,
            Some(min) => min..code.exceptions.iter().map(|e| e.end_pc).max().unwrap_or(0),
        };
        let covered = usize::from(covered.start)..usize::from(covered.end);
        // reading the frames was work too
        self.done += self.frames.len();
        let mut frame_at = self.next_frame();
        while pc < code.code.len() {
            self.look()?;
            if self.q.full {
                let p = &self.place;
                return Err(VerifyFailure::memory(
                    p.cf,
                    p.class,
                    p.method,
                    self.cx.memory,
                ));
            }
            self.s.bci = pc;
            self.s.mark = self.s.size;
            if !reachable || frame_at <= pc {
                self.enter(reachable)?;
                frame_at = self.next_frame();
            }
            let in_try = covered.contains(&pc);
            if let Some(done) = self.plain(pc, !in_try) {
                if let Some(target) = done.target {
                    self.jump(target)?;
                }
                if in_try {
                    self.check_handlers(false)?;
                }
                (pc, reachable) = (done.next, true);
                continue;
            }
            let insn = self.decode(pc)?;
            // a store changes what a handler would see only once it is done
            let is_store = matches!(insn.opcode, op::ISTORE..=op::ASTORE_3);
            if is_store && in_try {
                self.check_handlers(false)?;
            }
            let mut made_this = false;
            reachable = self.step(&insn, in_try, &mut made_this)?;
            if in_try && !is_store {
                self.check_handlers(made_this)?;
            }
            pc = insn.next_pc();
        }
        if reachable {
            let message = "Control flow falls through code end";
            return Err(self.place.verify_error(pc, &VerifyFault::Bytecode, message));
        }
        Ok(())
    }

    /// Where the next stack map frame is.
    fn next_frame(&self) -> usize {
        self.frames.get(self.next).map_or(usize::MAX, |f| f.bci)
    }

    #[inline]
    fn decode(&self, pc: usize) -> Result<Insn<'a>, VerifyFailure> {
        let code = &self.code.code;
        match code[pc..] {
            // most of those with a constant
            [opcode @ op::GETSTATIC..=op::INVOKESTATIC, a, b, ..] => Ok(Insn {
                pc,
                opcode,
                wide: false,
                len: 3,
                operand: Operand::Constant(u16::from_be_bytes([a, b])),
            }),
            _ => Insn::decode(code, pc).map_err(|_| self.bad_code(broken(code, pc))),
        }
    }

    /// At an instruction that has a stack map frame, or needs one: compares with the frame and takes it over.
    fn enter(&mut self, reachable: bool) -> Result<(), VerifyFailure> {
        let bci = self.s.bci;
        let Some(frame) = self.frames.get(self.next) else {
            return match reachable {
                true => Ok(()),
                false => Err(self.bad_code("Expecting a stack map frame")),
            };
        };
        if frame.bci > bci {
            return match reachable {
                true => Ok(()),
                false => Err(self.fail(&VerifyFault::NoMap, "Expecting a stack map frame")),
            };
        }
        if frame.bci < bci {
            let message = format!("Bad stack map offset {}", frame.bci);
            return Err(self.place.format_error(message));
        }
        if reachable && let Err(e) = matches(self.q, &self.s, None, frame) {
            let (at, fault) = *e;
            let message = "Instruction type does not match stack map";
            return Err(self.place.verify_error(at, &fault, message));
        }
        self.s.take(frame);
        self.s.mark = self.s.size;
        self.next += 1;
        self.q.frame = self.next;
        Ok(())
    }

    /// The number of the stack map frame at an offset. Most branches go a few frames ahead.
    fn frame_at(&self, bci: usize) -> Option<usize> {
        let near = self.frames[self.next..].iter().take(8);
        match near.into_iter().position(|f| f.bci == bci) {
            Some(i) => Some(self.next + i),
            None => self.frames.binary_search_by_key(&bci, |f| f.bci).ok(),
        }
    }

    /// Compares the current frame, as `caught` has it for a handler, with the one at a branch target or handler.
    fn match_at(
        &mut self,
        caught: Option<&CaughtType<'a>>,
        target: i64,
        message: &str,
    ) -> Result<(), VerifyFailure> {
        // an instruction may have thousands of targets
        self.look()?;
        let found = usize::try_from(target).ok().and_then(|t| self.frame_at(t));
        let Some(i) = found else {
            return Err(self.place.verify_error(
                self.s.bci,
                &VerifyFault::NoMap,
                format_args!("Expecting a stackmap frame at branch target {target}"),
            ));
        };
        matches(self.q, &self.s, caught, &self.frames[i]).map_err(|e| {
            let (at, fault) = *e;
            self.place
                .verify_error(at, &fault, format_args!("{message} {target}"))
        })
    }

    pub fn jump(&mut self, target: i32) -> Result<(), VerifyFailure> {
        self.match_at(
            None,
            target.into(),
            "Inconsistent stackmap frames at branch target",
        )
    }

    /// The current locals must suit every handler of the instruction. `made_this`: the instruction
    /// initialized `this`, but the handler may see it uninitialized.
    pub fn check_handlers(&mut self, made_this: bool) -> Result<(), VerifyFailure> {
        if !self.handled.within.contains(&self.s.bci) {
            self.look()?;
            self.find_handlers();
        }
        if !made_this && self.handled.suits == Some(self.s.version) {
            return Ok(());
        }
        let code = self.code;
        for i in 0..self.handled.handlers.len() {
            let e = &code.exceptions[usize::from(self.handled.handlers[i])];
            let caught = CaughtType {
                class: match e.catch_type {
                    0 => VType::THROWABLE,
                    i => self.cx.class_type(i).map_or(VType::THROWABLE, VType::Ref),
                },
                made_this,
            };
            if code.max_stack == 0 {
                let mut s = self.s.at_handler(&caught);
                (s.stack, s.size, s.mark) = (ChangingList::default(), 0, 0);
                return Err(self.fail(&VerifyFault::Overflow(s), "Operand stack overflow"));
            }
            self.match_at(
                Some(&caught),
                e.handler_pc.into(),
                "Stack map does not match the one at exception handler",
            )?;
        }
        if !made_this {
            self.handled.suits = Some(self.s.version);
        }
        Ok(())
    }

    /// Finds the handlers of the instruction, and how far around it they are the same.
    fn find_handlers(&mut self) {
        let (bci, handled) = (self.s.bci, &mut self.handled);
        (handled.within, handled.suits) = (0..usize::MAX, None);
        handled.handlers.clear();
        for (i, e) in self.code.exceptions.iter().enumerate() {
            let (start, end) = (usize::from(e.start_pc), usize::from(e.end_pc));
            if (start..end).contains(&bci) {
                handled.handlers.push(i as u16);
            }
            for border in [start, end] {
                match border <= bci {
                    true => handled.within.start = handled.within.start.max(border),
                    false => handled.within.end = handled.within.end.min(border),
                }
            }
        }
    }
}
