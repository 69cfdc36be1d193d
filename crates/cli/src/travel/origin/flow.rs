//! Where an operand comes from: from the last of the bytecodes that a call has executed back to the one that pushed it.
//!
//! What each bytecode pops and pushes decides which one pushed the operand, so branches, calls and `?:` need no analysis: the path is
//! the one that was executed. An operand counts as so many slots below the top of the stack.

use super::data::{Flow, FlowStart, SourceKind, ValueSource};
use rjvm_classfile::CodeAttribute;
use rjvm_classfile::descriptor::{MethodDescriptor, parameter_letters};
use rjvm_classfile::dis;
use rjvm_classfile::opcodes::{self as o, Insn, Operand};
use rjvm_classfile::{ClassFile, descriptor::FieldType};
use rjvm_vm::jdk::moves;
use std::collections::HashMap;

/// Sources of a computed value at most.
const MOST_SOURCES: usize = 16;
/// Calls of constructors after a `new` that are looked at.
const MOST_CONSTRUCTORS: usize = 64;
/// Operations in one another at most.
const DEEPEST: usize = 6;

/// The bytecodes that a call has executed, with a view of its method.
pub struct Walker<'a> {
    pub class: &'a ClassFile,
    pub attr: &'a CodeAttribute,
    pub is_static: bool,
    pub path: &'a [(i64, u16)],
    pub insns: HashMap<u16, Insn<'a>>,
    /// Name of a local at a bytecode.
    pub local: &'a dyn Fn(u16, u16) -> Option<String>,
}

/// What pushed an operand: the place in the path, or why there is none.
enum Pushed {
    By(usize),
    /// An exception that came out of this one.
    Caught(usize),
    Earlier,
}

impl Walker<'_> {
    /// The source of an operand.
    pub fn flow(&self, start: FlowStart) -> Flow {
        let (index, depth, at, call) = match start {
            FlowStart::Operand { index, depth } => (index, depth, self.path.len(), None),
            FlowStart::Last => {
                let Some(&(position, index)) = self.path.last() else {
                    return Flow::Unfinished;
                };
                return Flow::Moved {
                    source: self.unknown(position, index, ""),
                    call: Some(position),
                };
            }
            FlowStart::Argument(slot) => {
                let Some(&(position, index)) = self.path.last() else {
                    return Flow::Unfinished;
                };
                let called = self.insns.get(&index).and_then(|i| self.effect(i));
                let Some((pops, _)) = called else {
                    return Flow::Unfinished;
                };
                match pops.checked_sub(slot + 1) {
                    Some(depth) => (index, depth, self.path.len() - 1, Some(position)),
                    None => {
                        let source = self.unknown(position, index, "passed by the linkage");
                        return Flow::Moved {
                            source,
                            call: Some(position),
                        };
                    }
                }
            }
        };
        let pushed = self.pushed(at, index, depth);
        let mut sources = Vec::new();
        let text = self.text(&pushed, 0, &mut sources);
        match (text, pushed) {
            (None, _) => Flow::Unfinished,
            (Some(text), Pushed::By(i)) if self.is_computed(i) => Flow::Computed {
                text,
                sources,
                call,
            },
            (Some(_), Pushed::By(i)) if self.constructor(i).is_some() => {
                let mut sources = Vec::new();
                match self.construction(i, &mut sources) {
                    Some(text) => Flow::Computed {
                        text,
                        sources,
                        call,
                    },
                    None => Flow::Unfinished,
                }
            }
            _ => match sources.into_iter().next() {
                Some(source) => Flow::Moved { source, call },
                None => Flow::Unfinished,
            },
        }
    }
    fn unknown(&self, position: i64, index: u16, name: &str) -> ValueSource {
        ValueSource {
            position,
            index,
            kind: SourceKind::Unknown,
            name: name.into(),
        }
    }
    /// Where the call was when the bytecode at place `i` of the path had been executed; the greatest number if that is the last one.
    fn next_position(&self, i: usize) -> i64 {
        self.path.get(i + 1).map_or(i64::MAX, |next| next.0)
    }
    fn insn(&self, i: usize) -> Option<&Insn<'_>> {
        self.insns.get(&self.path[i].1)
    }
    /// Slots that a bytecode pops and pushes.
    fn effect(&self, insn: &Insn<'_>) -> Option<(usize, usize)> {
        let pool = &self.class.constant_pool;
        let constant = match insn.operand {
            Operand::Constant(c) => c,
            Operand::Interface { index, .. } => index,
            Operand::MultiArray { dimensions, .. } => return Some((dimensions.into(), 1)),
            _ => 0,
        };
        let field = || {
            let descriptor = pool.member_ref(constant).ok()?.descriptor;
            Some(usize::from(FieldType::parse(descriptor).ok()?.slots()))
        };
        let call = |is_static: bool| {
            let descriptor = match insn.opcode {
                o::INVOKEDYNAMIC => pool.dynamic(constant).ok()?.2,
                _ => pool.member_ref(constant).ok()?.descriptor,
            };
            let descriptor = MethodDescriptor::parse(descriptor).ok()?;
            let slots = descriptor.argument_slots(is_static);
            Some((slots.into(), descriptor.return_slots().into()))
        };
        match insn.opcode {
            o::LDC | o::LDC_W => Some((0, 1)),
            o::LDC2_W => Some((0, 2)),
            o::GETSTATIC => Some((0, field()?)),
            o::PUTSTATIC => Some((field()?, 0)),
            o::GETFIELD => Some((1, field()?)),
            o::PUTFIELD => Some((1 + field()?, 0)),
            o::INVOKESTATIC | o::INVOKEDYNAMIC => call(true),
            o::INVOKEVIRTUAL | o::INVOKESPECIAL | o::INVOKEINTERFACE => call(false),
            op => {
                let row = o::info(op)?;
                Some((row.pop_slots()?.into(), row.push_slots()?.into()))
            }
        }
    }
    /// Whether one bytecode may be followed by the other without an exception.
    fn follows(&self, insn: &Insn<'_>, next: u16) -> bool {
        match insn.operand {
            Operand::Branch(target) if target == i32::from(next) => return true,
            Operand::Switch(switch) => {
                let mut cases = switch.cases();
                return switch.default == i32::from(next) || cases.any(|c| c.1 == i32::from(next));
            }
            _ => {}
        }
        !o::ends_block(insn.opcode) && insn.next_pc() == usize::from(next)
    }
    /// What pushed the operand that has `depth` slots above it before place `i` of the path, where the bytecode at `index` comes next.
    fn pushed(&self, mut i: usize, mut index: u16, mut depth: usize) -> Pushed {
        loop {
            let Some(k) = i.checked_sub(1) else {
                return Pushed::Earlier;
            };
            let Some(insn) = self.insn(k) else {
                return Pushed::Earlier;
            };
            if !self.follows(insn, index) && self.path[k].1 == index {
                // it was about to be executed, and another thread went on first
                i = k;
                continue;
            }
            if !self.follows(insn, index) {
                let is_handler = |h: u16| self.attr.exceptions.iter().any(|e| e.handler_pc == h);
                // a pop at the end of a block is not reported
                let skipped = self.insns.get(&(insn.next_pc() as u16));
                match skipped {
                    Some(s) if matches!(s.opcode, o::POP | o::POP2) && !is_handler(index) => {
                        depth += self.effect(s).map_or(0, |e| e.0);
                    }
                    _ if is_handler(index) => return Pushed::Caught(k),
                    _ => {}
                }
            }
            let Some((pops, pushes)) = self.effect(insn) else {
                return Pushed::Earlier;
            };
            (i, index) = (k, self.path[k].1);
            if depth >= pushes {
                depth = depth - pushes + pops;
                continue;
            }
            // copies and casts only pass it on
            match passed(insn.opcode, depth) {
                Some(from) => depth = from,
                None if self.is_boxing(insn) => depth = 0,
                None => return Pushed::By(k),
            }
        }
    }
    /// A call that puts a primitive value into an object, or gets it out.
    fn is_boxing(&self, insn: &Insn<'_>) -> bool {
        let (o::INVOKESTATIC | o::INVOKEVIRTUAL, Operand::Constant(c)) =
            (insn.opcode, insn.operand)
        else {
            return false;
        };
        let named = self.class.constant_pool.member_ref(c);
        named.is_ok_and(|n| moves::converts(n.class, n.name, n.descriptor))
    }
    fn is_computed(&self, i: usize) -> bool {
        self.insn(i).is_some_and(|insn| {
            matches!(
                insn.opcode,
                o::IADD..=o::LXOR
                    | o::I2L..=o::DCMPG
                    | o::ARRAYLENGTH
                    | o::INSTANCEOF
                    | o::INVOKEDYNAMIC
            )
        })
    }
    /// An operand as in a source, with its parts. `None`: the path begins too late.
    fn text(&self, pushed: &Pushed, deep: usize, sources: &mut Vec<ValueSource>) -> Option<String> {
        let i = match *pushed {
            Pushed::By(i) => i,
            Pushed::Caught(i) => {
                let (position, index) = self.path[i];
                sources.push(ValueSource {
                    position,
                    index,
                    kind: SourceKind::Caught {
                        ended: self.next_position(i),
                    },
                    name: "the caught exception".into(),
                });
                return Some("the caught exception".into());
            }
            Pushed::Earlier => return None,
        };
        if !self.is_computed(i) {
            let source = self.source(i, deep)?;
            let name = match source.kind {
                SourceKind::Field | SourceKind::Element => self.full_name(&source, i, deep),
                _ => source.name.clone(),
            };
            if sources.len() < MOST_SOURCES && !sources.contains(&source) {
                sources.push(source);
            }
            return Some(name);
        }
        let insn = self.insn(i)?;
        if deep >= DEEPEST {
            return Some("…".into());
        }
        let mut parts = Vec::new();
        for depth in self.operands(insn)? {
            let pushed = self.pushed(i, self.path[i].1, depth);
            let nested = matches!(pushed, Pushed::By(k) if self.is_operator(k));
            let text = self.text(&pushed, deep + 1, sources)?;
            parts.push(match nested {
                true => format!("({text})"),
                false => text,
            });
        }
        Some(match (operator(insn.opcode), &parts[..]) {
            (Some(op), [a, b]) => format!("{a} {op} {b}"),
            (Some(op), [a]) => format!("{op}{a}"),
            _ if insn.opcode == o::ARRAYLENGTH => format!("{}.length", parts[0]),
            _ if insn.opcode == o::INVOKEDYNAMIC => {
                let Operand::Constant(c) = insn.operand else {
                    return None;
                };
                let name = self.class.constant_pool.dynamic(c).ok()?.1;
                format!("{name}({})", parts.join(", "))
            }
            _ => format!("{}({})", insn.name(), parts.join(", ")),
        })
    }
    /// The place in the path where a constructor with arguments is called of the object that the bytecode at place `i` makes.
    fn constructor(&self, i: usize) -> Option<(usize, usize)> {
        if self.insn(i)?.opcode != o::NEW {
            return None;
        }
        let calls = (i + 1..self.path.len()).filter_map(|k| {
            let insn = self
                .insn(k)
                .filter(|insn| insn.opcode == o::INVOKESPECIAL)?;
            let (pops, _) = self.effect(insn)?;
            (self.member(k) == "<init>").then_some((k, pops))
        });
        let is_its = |&(k, pops): &(usize, usize)| {
            let object = self.pushed(k, self.path[k].1, pops - 1);
            matches!(object, Pushed::By(made) if made == i)
        };
        // the path may go on far
        calls
            .take(MOST_CONSTRUCTORS)
            .find(is_its)
            .filter(|c| c.1 > 1)
    }
    /// `new Class(arguments)`, with what the arguments are made of.
    fn construction(&self, i: usize, sources: &mut Vec<ValueSource>) -> Option<String> {
        let (k, _) = self.constructor(i)?;
        let Operand::Constant(c) = self.insn(k)?.operand else {
            return None;
        };
        let named = self.class.constant_pool.member_ref(c).ok()?;
        let mut arguments = Vec::new();
        for depth in depths(parameter_letters(named.descriptor).collect()) {
            let pushed = self.pushed(k, self.path[k].1, depth);
            arguments.push(self.text(&pushed, 1, sources)?);
        }
        let class = named.class.rsplit(['/', '$']).next().unwrap_or(named.class);
        Some(format!("new {class}({})", arguments.join(", ")))
    }
    fn is_operator(&self, i: usize) -> bool {
        let insn = self.insn(i);
        insn.is_some_and(|insn| {
            matches!(self.effect(insn), Some((pops, _)) if pops > 1)
                && operator(insn.opcode).is_some()
        })
    }
    /// How many slots are above each operand of a bytecode, the lowest first.
    fn operands(&self, insn: &Insn<'_>) -> Option<Vec<usize>> {
        let letters: Vec<u8> = match (insn.opcode, insn.operand) {
            (o::INVOKEDYNAMIC, Operand::Constant(c)) => {
                let descriptor = self.class.constant_pool.dynamic(c).ok()?.2;
                parameter_letters(descriptor).collect()
            }
            _ => o::info(insn.opcode)?.pop.bytes().collect(),
        };
        Some(depths(letters))
    }
    fn full_name(&self, source: &ValueSource, i: usize, deep: usize) -> String {
        match source.kind {
            SourceKind::Field => format!("{}.{}", source.name, self.member(i)),
            _ => {
                let pushed = self.pushed(i, self.path[i].1, 0);
                let index = self.text(&pushed, deep + 1, &mut Vec::new());
                format!("{}[{}]", source.name, index.unwrap_or_else(|| "…".into()))
            }
        }
    }
    /// The name of what the bytecode at place `i` names.
    fn member(&self, i: usize) -> String {
        let Some(Operand::Constant(c)) = self.insn(i).map(|insn| insn.operand) else {
            return String::new();
        };
        let named = self.class.constant_pool.member_ref(c);
        named.map_or_else(|_| String::new(), |n| n.name.to_owned())
    }
    /// What the bytecode at place `i` pushes.
    fn source(&self, i: usize, deep: usize) -> Option<ValueSource> {
        let (position, index) = self.path[i];
        let insn = self.insn(i)?;
        // names of objects are for people: what cannot be named is only left out
        let base = |depth: usize| {
            if deep >= DEEPEST {
                return "…".to_owned();
            }
            let pushed = self.pushed(i, index, depth);
            let text = self.text(&pushed, deep + 1, &mut Vec::new());
            text.unwrap_or_else(|| "…".into())
        };
        let pool = &self.class.constant_pool;
        let (kind, name) = match (insn.opcode, insn.operand) {
            (o::ACONST_NULL, _) => (SourceKind::Constant, "null".into()),
            (op @ o::ICONST_M1..=o::DCONST_1, _) => {
                let (name, value) = o::name(op).split_once("const_")?;
                let value = if value == "m1" { "-1" } else { value };
                let suffix = match name {
                    "l" => "L",
                    "f" => ".0f",
                    "d" => ".0",
                    _ => "",
                };
                (SourceKind::Constant, format!("{value}{suffix}"))
            }
            (_, Operand::Immediate(n)) => (SourceKind::Constant, n.to_string()),
            (o::LDC..=o::LDC2_W, _) => {
                let text = dis::instruction(self.class, insn);
                let text = text.split_once(' ').map_or("", |t| t.1).trim();
                // the kind of a constant is seen by its form
                let plain = ["int ", "long ", "float ", "double "];
                let plain = plain.iter().find_map(|p| text.strip_prefix(p));
                let text = match text.strip_prefix("String ") {
                    Some(string) => format!("{string:?}"),
                    None => plain.unwrap_or(text).to_owned(),
                };
                (SourceKind::Constant, text)
            }
            (o::ILOAD..=o::ALOAD_3, _) => {
                let slot = local_of(insn)?;
                let name = (self.local)(slot, index);
                let this = (slot == 0 && !self.is_static).then(|| "this".to_owned());
                let name = name.or(this).unwrap_or_else(|| format!("slot {slot}"));
                (SourceKind::Local(slot), name)
            }
            (o::GETSTATIC, Operand::Constant(c)) => {
                let named = pool.member_ref(c).ok()?;
                let class = named.class.replace('/', ".");
                let ended = self.next_position(i);
                (
                    SourceKind::Static { ended },
                    format!("{class}.{}", named.name),
                )
            }
            (o::GETFIELD, _) => (SourceKind::Field, base(0)),
            (o::IALOAD..=o::SALOAD, _) => (SourceKind::Element, base(1)),
            (o::INVOKEVIRTUAL..=o::INVOKEINTERFACE, _) => {
                let constant = match insn.operand {
                    Operand::Constant(c) => c,
                    Operand::Interface { index, .. } => index,
                    _ => return None,
                };
                let named = pool.member_ref(constant).ok()?;
                let class = named.class.rsplit(['/', '$']).next().unwrap_or(named.class);
                let ended = self.next_position(i);
                let method = named.name.to_owned();
                let name = format!("{class}.{method}()");
                (SourceKind::Call { ended, method }, name)
            }
            (o::NEW..=o::ANEWARRAY | o::MULTIANEWARRAY, _) => {
                (SourceKind::New, dis::instruction(self.class, insn))
            }
            _ => (SourceKind::Unknown, dis::instruction(self.class, insn)),
        };
        Some(ValueSource {
            position,
            index,
            kind,
            name,
        })
    }
}

/// How many slots are above each value of these types, the lowest first.
fn depths(letters: Vec<u8>) -> Vec<usize> {
    let mut above = 0;
    let depths = letters.iter().rev().map(|letter| {
        let depth = above;
        above += if matches!(letter, b'J' | b'D') { 2 } else { 1 };
        depth
    });
    let mut depths: Vec<usize> = depths.collect();
    depths.reverse();
    depths
}

/// The local that a load or store names.
pub fn local_of(insn: &Insn<'_>) -> Option<u16> {
    match (insn.opcode, insn.operand) {
        (_, Operand::Local(n)) => Some(n),
        (_, Operand::Iinc { local, .. }) => Some(local),
        (op @ o::ILOAD_0..=o::ALOAD_3, _) => Some(u16::from((op - o::ILOAD_0) % 4)),
        (op @ o::ISTORE_0..=o::ASTORE_3, _) => Some(u16::from((op - o::ISTORE_0) % 4)),
        _ => None,
    }
}

/// How deep an operand was that a bytecode only moves, copies or casts.
fn passed(op: u8, depth: usize) -> Option<usize> {
    let from: &[usize] = match op {
        o::DUP => &[0, 0],
        o::DUP_X1 => &[0, 1, 0],
        o::DUP_X2 => &[0, 1, 2, 0],
        o::DUP2 => &[0, 1, 0, 1],
        o::DUP2_X1 => &[0, 1, 2, 0, 1],
        o::DUP2_X2 => &[0, 1, 2, 3, 0, 1],
        o::SWAP => &[1, 0],
        o::CHECKCAST => &[0],
        _ => return None,
    };
    from.get(depth).copied()
}

/// The operator of an arithmetic bytecode, or the cast of a conversion.
fn operator(op: u8) -> Option<&'static str> {
    Some(match op {
        o::IADD..=o::DADD => "+",
        o::ISUB..=o::DSUB => "-",
        o::IMUL..=o::DMUL => "*",
        o::IDIV..=o::DDIV => "/",
        o::IREM..=o::DREM => "%",
        o::INEG..=o::DNEG => "-",
        o::ISHL | o::LSHL => "<<",
        o::ISHR | o::LSHR => ">>",
        o::IUSHR | o::LUSHR => ">>>",
        o::IAND | o::LAND => "&",
        o::IOR | o::LOR => "|",
        o::IXOR | o::LXOR => "^",
        o::L2I | o::F2I | o::D2I => "(int) ",
        o::I2L | o::F2L | o::D2L => "(long) ",
        o::I2F | o::L2F | o::D2F => "(float) ",
        o::I2D | o::L2D | o::F2D => "(double) ",
        o::I2B => "(byte) ",
        o::I2C => "(char) ",
        o::I2S => "(short) ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_lead_to_what_they_copy() {
        assert_eq!(passed(o::DUP_X1, 2), Some(0));
        assert_eq!(passed(o::DUP2_X2, 4), Some(0));
        assert_eq!(passed(o::SWAP, 0), Some(1));
        assert_eq!(passed(o::IADD, 0), None);
        assert_eq!(operator(o::LXOR), Some("^"));
        assert_eq!(operator(o::DNEG), Some("-"));
    }
}
