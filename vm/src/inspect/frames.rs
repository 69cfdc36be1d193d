//! Frames as data: names and types of locals, the bytecode, values from slots.

use super::objects::Objects;
use super::{FrameInfo, InspectedValue, Local};
use crate::interp::{FrameSlot, OpenFrame};
use crate::vm::Vm;
use rjvm_classfile::descriptor::parameter_letters;
use rjvm_classfile::{dis, opcodes};

/// A value by its kind in a slot, and the first letter of its declared type, if that is known.
fn value(
    vm: &mut Vm,
    objects: &mut Objects,
    slot: &FrameSlot,
    declared: Option<u8>,
) -> InspectedValue {
    let bits = slot.bits;
    match (slot.kind, declared) {
        (b'I', Some(letter @ (b'Z' | b'B' | b'C' | b'S'))) => {
            InspectedValue::small(letter, bits as i32)
        }
        (b'I', _) => InspectedValue::Int(bits as i32),
        (b'J', _) => InspectedValue::Long(bits as i64),
        (b'F', _) => InspectedValue::Float(f32::from_bits(bits as u32)),
        (b'D', _) => InspectedValue::Double(f64::from_bits(bits)),
        (b'R', _) => InspectedValue::ReturnAddress(bits as u32),
        (b'A', _) => match slot.reference() {
            Some(r) => objects.value(vm, r),
            None => InspectedValue::Null,
        },
        _ => InspectedValue::Unset,
    }
}

impl InspectedValue {
    /// An int as what its declaration says.
    pub(super) fn small(letter: u8, v: i32) -> InspectedValue {
        match letter {
            b'Z' => InspectedValue::Boolean(v != 0),
            b'B' => InspectedValue::Byte(v as i8),
            b'C' => InspectedValue::Char(v as u16),
            b'S' => InspectedValue::Short(v as i16),
            _ => InspectedValue::Int(v),
        }
    }
}

impl Vm {
    pub(super) fn inspect_frame(&mut self, f: &OpenFrame, objects: &mut Objects) -> FrameInfo {
        let m = self.method(f.method);
        let (class, native, is_static) =
            (self.class(m.class).dotted(), m.is_native(), m.is_static());
        let (method, descriptor) = (
            self.syms.str(m.name).to_string(),
            self.syms.str(m.desc).to_string(),
        );
        let code = m.code().map(|code| code.kept());
        let bci = f.bci.filter(|_| !native);
        let at = code.as_ref().map(|code| code.lent()).zip(bci);
        let file = code.as_ref().and_then(|c| {
            let name = c.cf.attributes.source_file?;
            c.cf.constant_pool.str(name).ok().map(str::to_owned)
        });
        let instruction = at.and_then(|(c, bci)| {
            let mut insns = opcodes::insns(c.bytes()).flatten();
            let insn = insns.find(|i| i.pc == usize::from(bci))?;
            Some(dis::instruction(c.cf, &insn))
        });
        let arguments = argument_letters(&descriptor, is_static);
        let mut locals = Vec::new();
        let mut wide = false;
        for slot in &f.locals {
            let second = std::mem::replace(&mut wide, matches!(slot.kind, b'J' | b'D'));
            let known = at.and_then(|(c, bci)| c.local_variable(slot.number, bci));
            if second || slot.kind == 0 && known.is_none() && bci.is_none() {
                continue;
            }
            let this = (!is_static && slot.number == 0).then(|| ("this".to_owned(), b'L'));
            let known = known.or(this);
            let letter = known.as_ref().map(|k| k.1);
            let letter = letter.or_else(|| arguments.get(usize::from(slot.number)).copied());
            locals.push(Local {
                slot: slot.number,
                value: value(self, objects, slot, letter),
                name: known.map(|k| k.0),
            });
        }
        FrameInfo {
            id: f.method,
            class,
            method,
            descriptor,
            file,
            line: at.and_then(|(c, bci)| c.attr().line_of(bci)),
            native,
            bci,
            next: f.next,
            instruction,
            known: f.known,
            locals,
            stack: f
                .stack
                .iter()
                .map(|s| value(self, objects, s, None))
                .collect(),
            locked: f.lock.map(|r| objects.value(self, r)),
        }
    }
}

/// First letters of the types of a method's arguments, by slot.
fn argument_letters(descriptor: &str, is_static: bool) -> Vec<u8> {
    let mut letters = Vec::new();
    if !is_static {
        letters.push(b'L');
    }
    for letter in parameter_letters(descriptor) {
        letters.push(letter);
        if matches!(letter, b'J' | b'D') {
            letters.push(0);
        }
    }
    letters
}
