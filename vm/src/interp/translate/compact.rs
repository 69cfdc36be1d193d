//! Frames with more slots than operands of instructions can name. A class file often declares more than a method uses: a wide
//! instruction that accesses a local takes four bytes, of 65,535. So the locals that nothing accesses
//! are left out, and the others numbered again in their order.

use super::scan::u2;
use crate::verify::infer::{FrameTypes, SlotKind, WorkBudget};
use crate::verify::slots::{Pool, SlotList};
use rjvm_classfile::CodeAttribute;
use rjvm_classfile::opcodes as o;

/// The most slots of a frame that operands can name.
pub(super) const NAMEABLE: usize = 65_000;

/// Locals that instructions without `wide` name, and all arguments. They keep their numbers.
const NARROW: u16 = 256;

/// A method's code with its locals numbered again.
pub(super) struct Compact {
    /// The code. Instructions keep their places.
    pub attr: CodeAttribute,
    /// The locals' old numbers.
    used: Vec<u16>,
}

/// The local that a wide instruction accesses, and whether it takes two slots.
fn accessed(code: &[u8], pc: usize) -> (u16, bool) {
    let two = matches!(code[pc + 1], o::LLOAD | o::DLOAD | o::LSTORE | o::DSTORE);
    (u2(code, pc + 1), two)
}

impl Compact {
    /// Of code whose instructions are whole.
    pub fn new(attr: &CodeAttribute) -> Result<Compact, String> {
        let mut wide = Vec::new();
        let mut pc = 0;
        while pc < attr.code.len() {
            if attr.code[pc] == o::WIDE {
                wide.push(pc);
            }
            pc += o::length(&attr.code, pc).map_err(|e| e.to_string())?;
        }
        let mut used: Vec<u16> = (0..NARROW.min(attr.max_locals)).collect();
        for &pc in &wide {
            let (local, two) = accessed(&attr.code, pc);
            used.push(local);
            used.extend(local.checked_add(1).filter(|_| two));
        }
        used.sort_unstable();
        used.dedup();
        // what lies beyond is an error that the translation finds
        used.retain(|&l| l < attr.max_locals);
        let mut attr = attr.clone();
        for pc in wide {
            let (local, _) = accessed(&attr.code, pc);
            let new = used.binary_search(&local).unwrap_or(usize::from(u16::MAX));
            attr.code[pc + 2..pc + 4].copy_from_slice(&(new as u16).to_be_bytes());
        }
        attr.max_locals = used.len() as u16;
        Ok(Compact { attr, used })
    }
    /// Makes the frames those of the new locals; an error when it is stopped.
    pub fn renumber(
        &self,
        frames: &mut [(u16, FrameTypes)],
        pace: &WorkBudget<'_>,
    ) -> Result<(), String> {
        let mut pool = Pool::default();
        let mut last = None;
        for (_, frame) in frames {
            if let Some((old, new)) = &last
                && frame.locals.is(old)
            {
                frame.locals = SlotList::clone(new);
                continue;
            }
            pace.look()?;
            let kind = |i: usize| {
                let old = usize::from(self.used[i]);
                let kind = frame.locals.get(old).unwrap_or(SlotKind::Top);
                let whole = self
                    .used
                    .get(i + 1)
                    .is_some_and(|&n| usize::from(n) == old + 1);
                match kind {
                    // nobody reads a value of which a half is not accessed
                    SlotKind::Long | SlotKind::Double if !whole => SlotKind::Top,
                    kind => kind,
                }
            };
            let new: Vec<SlotKind> = (0..self.used.len()).map(kind).collect();
            let new = pool.list(&new);
            let old = std::mem::replace(&mut frame.locals, new.clone());
            last = Some((old, new));
        }
        Ok(())
    }
}
