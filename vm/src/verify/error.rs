//! What a failed verification says: the exception, and the details in the layout of HotSpot's
//! messages, which people and tools know how to read.

use super::frame::{CurrentFrame, StackMapFrame};
use super::slots::SlotList;
use super::types::VType;
use rjvm_classfile::descriptor::MethodDescriptor;
use rjvm_classfile::opcodes as op;
use rjvm_classfile::stackmap::{Change, TypeInfo, entries};
use rjvm_classfile::{ClassFile, MethodInfo};
use std::fmt::{self, Write};

/// Why a class isn't acceptable.
#[derive(Debug, PartialEq, Eq)]
pub struct VerifyFailure {
    /// `java/lang/VerifyError`, `java/lang/ClassFormatError` or `java/lang/OutOfMemoryError`.
    pub class: &'static str,
    /// Detail message.
    pub message: String,
    /// Whether the older verifier may have another go at a class file of version 50.
    pub failover: bool,
}

impl VerifyFailure {
    /// A `VerifyError`.
    #[cold]
    pub fn verify(message: String) -> VerifyFailure {
        VerifyFailure {
            class: "java/lang/VerifyError",
            message,
            failover: true,
        }
    }
    /// A `ClassFormatError`.
    #[cold]
    pub fn format(message: String) -> VerifyFailure {
        VerifyFailure {
            class: "java/lang/ClassFormatError",
            message,
            failover: true,
        }
    }
    /// None: a request asked the VM to stop.
    #[cold]
    pub fn stopped() -> VerifyFailure {
        VerifyFailure {
            class: "",
            message: String::new(),
            failover: false,
        }
    }
    /// An `OutOfMemoryError`: verification of a method takes more memory than it may.
    #[cold]
    pub fn memory(cf: &ClassFile, class: &str, method: &MethodInfo, most: usize) -> VerifyFailure {
        let name = cf.constant_pool.str(method.name).unwrap_or("?");
        let class = class.replace('/', ".");
        VerifyFailure {
            class: "java/lang/OutOfMemoryError",
            message: format!("Verification of {class}.{name} takes more than {most} bytes"),
            failover: false,
        }
    }
}

/// Where an offending type was found.
pub enum TypeOrigin<'a> {
    /// In the current frame's locals.
    Local(usize, Box<CurrentFrame<'a>>),
    /// On the current frame's operand stack.
    Stack(usize, Box<CurrentFrame<'a>>),
    /// In the stack map's locals.
    MapLocal(usize, &'a StackMapFrame<'a>),
    /// On the stack map's operand stack.
    MapStack(usize, &'a StackMapFrame<'a>),
    /// A class constant.
    Constant(u16, VType<'a>),
    /// The method's return type.
    Signature(VType<'a>),
    /// What the instruction needs.
    Implicit(VType<'a>),
}

impl TypeOrigin<'_> {
    fn current(&self) -> Option<&CurrentFrame<'_>> {
        match self {
            TypeOrigin::Local(_, s) | TypeOrigin::Stack(_, s) => Some(s),
            _ => None,
        }
    }
    fn map(&self) -> Option<&StackMapFrame<'_>> {
        match self {
            TypeOrigin::MapLocal(_, s) | TypeOrigin::MapStack(_, s) => Some(s),
            _ => None,
        }
    }
}

impl fmt::Display for TypeOrigin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeOrigin::Local(i, s) => write!(f, "{} (current frame, locals[{i}])", s.local(*i)),
            TypeOrigin::Stack(i, s) => write!(f, "{} (current frame, stack[{i}])", s.operand(*i)),
            TypeOrigin::MapLocal(i, s) => {
                write!(f, "{} (stack map, locals[{i}])", at(&s.locals, *i))
            }
            TypeOrigin::MapStack(i, s) => write!(f, "{} (stack map, stack[{i}])", at(&s.stack, *i)),
            TypeOrigin::Constant(i, t) => write!(f, "{t} (constant pool {i})"),
            TypeOrigin::Signature(t) => write!(f, "{t} (from method signature)"),
            TypeOrigin::Implicit(t) => write!(f, "{t}"),
        }
    }
}

/// The fault.
pub enum VerifyFault<'a> {
    /// The instruction itself.
    Bytecode,
    /// A type, and the one there should be.
    Type(TypeOrigin<'a>, Option<TypeOrigin<'a>>),
    /// `this` isn't initialized, the stack map says it is.
    Flags(CurrentFrame<'a>, &'a StackMapFrame<'a>),
    /// A constant-pool index.
    Constant(u16),
    /// A local's index.
    LocalIndex(u16),
    /// Operand stacks of different heights.
    StackSize(CurrentFrame<'a>, &'a StackMapFrame<'a>),
    /// Beyond `max_stack`.
    Overflow(CurrentFrame<'a>),
    /// Nothing to pop.
    Underflow(CurrentFrame<'a>),
    /// No stack map frame where there has to be one.
    NoMap,
    /// A stack map frame in no good place.
    BadMap(&'a StackMapFrame<'a>),
}

/// The method an error is in.
pub struct MethodLocation<'a> {
    /// Class file.
    pub cf: &'a ClassFile,
    /// Name of the class.
    pub class: &'a str,
    /// Method.
    pub method: &'a MethodInfo,
}

impl MethodLocation<'_> {
    /// A message with its details.
    #[cold]
    pub fn verify_error(
        &self,
        bci: usize,
        fault: &VerifyFault<'_>,
        message: impl fmt::Display,
    ) -> VerifyFailure {
        let mut out = message.to_string();
        // Writing to a String cannot fail.
        let _ = self.details(&mut out, bci, fault);
        VerifyFailure::verify(out)
    }

    /// `ClassFormatError` with the method as Java source has it.
    #[cold]
    pub fn format_error(&self, message: impl fmt::Display) -> VerifyFailure {
        let pool = &self.cf.constant_pool;
        let name = pool.str(self.method.name).unwrap_or("?");
        let mut at = String::new();
        if let Ok(d) = pool
            .str(self.method.descriptor)
            .and_then(MethodDescriptor::parse)
        {
            match d.return_type {
                Some(t) => at = t.java().to_string(),
                None => at.push_str("void"),
            }
            let _ = write!(at, " {}.{name}(", self.class.replace('/', "."));
            for (i, p) in d.parameters().enumerate() {
                let _ = write!(at, "{}{}", if i > 0 { ", " } else { "" }, p.java());
            }
            at.push(')');
        }
        VerifyFailure::format(format!("{message} in method '{at}'"))
    }

    fn details(&self, out: &mut String, bci: usize, fault: &VerifyFault<'_>) -> fmt::Result {
        let pool = &self.cf.constant_pool;
        let Some(code) = &self.method.attributes.code else {
            return Ok(());
        };
        let mnemonic = match code.code.get(bci) {
            None => "<invalid>",
            Some(&b) => op::info(b).map_or("<illegal>", |o| o.mnemonic),
        };
        writeln!(out, "\nException Details:\n  Location:")?;
        writeln!(
            out,
            "    {}.{}{} @{bci}: {mnemonic}",
            self.class,
            pool.str(self.method.name).unwrap_or("?"),
            pool.str(self.method.descriptor).unwrap_or("?"),
        )?;
        write!(out, "  Reason:\n    ")?;
        match fault {
            VerifyFault::Bytecode => out.write_str("Error exists in the bytecode")?,
            VerifyFault::Type(t, Some(want)) => {
                write!(out, "Type {t} is not assignable to {want}")?
            }
            VerifyFault::Type(t, None) => write!(out, "Invalid type: {t}")?,
            VerifyFault::Flags(..) => {
                out.write_str("Current frame's flags are not assignable to stack map frame's.")?
            }
            VerifyFault::Constant(i) => write!(out, "Constant pool index {i} is invalid")?,
            VerifyFault::LocalIndex(i) => write!(out, "Local index {i} is invalid")?,
            VerifyFault::StackSize(..) => {
                out.write_str("Current frame's stack size doesn't match stackmap.")?;
            }
            VerifyFault::Overflow(_) => out.write_str("Exceeded max stack size.")?,
            VerifyFault::Underflow(_) => out.write_str("Attempt to pop empty stack.")?,
            VerifyFault::NoMap => out.write_str("Expected stackmap frame at this location.")?,
            VerifyFault::BadMap(_) => out.write_str("Invalid stackmap specification.")?,
        }
        out.push('\n');
        let (current, map) = match fault {
            VerifyFault::Type(t, want) => (t.current(), want.as_ref().and_then(TypeOrigin::map)),
            VerifyFault::Flags(s, m) | VerifyFault::StackSize(s, m) => (Some(s), Some(*m)),
            VerifyFault::Overflow(s) | VerifyFault::Underflow(s) => (Some(s), None),
            _ => (None, None),
        };
        if let Some(s) = current {
            writeln!(out, "  Current Frame:")?;
            frame(
                out,
                s.bci,
                s.this_uninit,
                s.locals.entries().iter().copied(),
                s.stack.entries().iter().copied().take(s.mark),
            )?;
        }
        if let VerifyFault::BadMap(m) = fault {
            writeln!(out, "  Current Frame:")?;
            frame(out, m.bci, m.this_uninit, m.locals.iter(), m.stack.iter())?;
        }
        if let Some(m) = map {
            writeln!(out, "  Stackmap Frame:")?;
            frame(out, m.bci, m.this_uninit, m.locals.iter(), m.stack.iter())?;
        }
        writeln!(out, "  Bytecode:")?;
        // a full last line is followed by an empty one, as HotSpot prints it
        let lines = code.code.chunks(16).chain(
            code.code
                .len()
                .is_multiple_of(16)
                .then_some(&code.code[..0]),
        );
        for (i, line) in lines.enumerate() {
            let mut hex = String::new();
            for pair in line.chunks(2) {
                for b in pair {
                    write!(hex, "{b:02x}")?;
                }
                hex.push(' ');
            }
            writeln!(out, "    {:07x}: {:39}", i * 16, hex.trim_end())?;
        }
        if !code.exceptions.is_empty() {
            writeln!(out, "  Exception Handler Table:")?;
            for e in &code.exceptions {
                writeln!(
                    out,
                    "    bci [{}, {}] => handler: {}",
                    e.start_pc, e.end_pc, e.handler_pc
                )?;
            }
        }
        if let Some(table) = &code.stack_map {
            writeln!(out, "  Stackmap Table:")?;
            stack_map(out, table)?;
        }
        Ok(())
    }
}

/// Bytes of details beyond which no more are added: a frame can have 65,535 types, and each a name of as many bytes.
const LONG: usize = 4 << 20;

fn at<'a>(list: &SlotList<VType<'a>>, i: usize) -> VType<'a> {
    list.get(i).unwrap_or(VType::Top)
}

fn list<'a>(out: &mut String, label: &str, types: impl Iterator<Item = VType<'a>>) -> fmt::Result {
    write!(out, "    {label}: {{")?;
    for (i, t) in types.enumerate() {
        within(out)?;
        write!(out, "{} {t}", if i > 0 { "," } else { "" })?;
    }
    writeln!(out, " }}")
}

fn within(out: &mut String) -> fmt::Result {
    if out.len() > LONG {
        out.push_str(" ...");
        return Err(fmt::Error);
    }
    Ok(())
}

fn frame<'a>(
    out: &mut String,
    bci: usize,
    this_uninit: bool,
    locals: impl Iterator<Item = VType<'a>>,
    stack: impl Iterator<Item = VType<'a>>,
) -> fmt::Result {
    writeln!(out, "    bci: @{bci}")?;
    let flags = if this_uninit { " flagThisUninit" } else { "" };
    writeln!(out, "    flags: {{{flags} }}")?;
    list(out, "locals", locals)?;
    list(out, "stack", stack)
}

fn stack_map(out: &mut String, table: &[u8]) -> fmt::Result {
    let mut next = 0u32;
    for entry in entries(table) {
        let Ok(entry) = entry else {
            return writeln!(out, "    output truncated, Stackmap exceeds table size.");
        };
        within(out)?;
        let at = next + u32::from(entry.offset_delta);
        next = at + 1;
        out.push_str("    ");
        match &entry.change {
            Change::Same if entry.frame_type < 64 => write!(out, "same_frame(@{at})")?,
            Change::Same => write!(out, "same_frame_extended(@{at})")?,
            Change::SameLocals1(t) if entry.frame_type < 128 => {
                write!(out, "same_locals_1_stack_item_frame(@{at},")?;
                types(out, std::slice::from_ref(t))?;
                out.push(')');
            }
            Change::SameLocals1(t) => {
                write!(out, "same_locals_1_stack_item_extended(@{at},")?;
                types(out, std::slice::from_ref(t))?;
                out.push(')');
            }
            Change::Chop(n) => write!(out, "chop_frame(@{at},{n})")?,
            Change::Append(more) => {
                write!(out, "append_frame(@{at},")?;
                types(out, more)?;
                out.push(')');
            }
            Change::Full { locals, stack } => {
                write!(out, "full_frame(@{at},{{")?;
                types(out, locals)?;
                out.push_str("},{");
                types(out, stack)?;
                out.push_str("})");
            }
        }
        out.push('\n');
    }
    Ok(())
}

fn types(out: &mut String, list: &[TypeInfo]) -> fmt::Result {
    for (i, t) in list.iter().enumerate() {
        within(out)?;
        if i > 0 {
            out.push(',');
        }
        match t {
            TypeInfo::Top => out.push_str("Top"),
            TypeInfo::Integer => out.push_str("Integer"),
            TypeInfo::Float => out.push_str("Float"),
            TypeInfo::Double => out.push_str("Double"),
            TypeInfo::Long => out.push_str("Long"),
            TypeInfo::Null => out.push_str("Null"),
            TypeInfo::UninitializedThis => out.push_str("UninitializedThis"),
            TypeInfo::Object(i) => write!(out, "Object[#{i}]")?,
            TypeInfo::Uninitialized(bci) => write!(out, "Uninitialized[#{bci}]")?,
        }
    }
    Ok(())
}
