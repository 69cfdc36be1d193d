//! Translated code as text, beside the bytecode it represents.

use super::covers::{Cover, NO_JUMP};
use super::translated::Translated;
use crate::ids::MethodId;
use crate::interp::instruction::{Insn, InsnTable};
use crate::interp::table::table;
use crate::throw::R;
use crate::vm::Vm;
use rjvm_classfile::opcodes as o;
use std::fmt::Write;

impl Translated {
    /// The instruction of a cover, decoded; `None` if it is not in the table.
    pub(super) fn decode(
        &self,
        table: &InsnTable,
        cover: &Cover,
        code: &[u8],
    ) -> Option<(Insn, &[u64])> {
        let words = &self.code()[cover.off as usize / 8..];
        let op = code[usize::from(self.bci(cover.idx))];
        table
            .decode(self.own_word(cover.off), op)
            .map(|i| (i, words))
    }
    /// Offsets that something leads to, ascending.
    fn targets(&self, table: &InsnTable, code: &[u8]) -> Vec<u32> {
        let mut targets: Vec<u32> = self.handlers().iter().map(|h| h.off).collect();
        targets.extend(self.labels().iter().map(|l| l.off));
        for c in self.tables().iter() {
            if let Some((insn, words)) = self.decode(table, &c, code) {
                let edges = insn.edges(words).into_iter();
                targets.extend(edges.map(|half| self.target(&c, words, half)));
            }
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }
    pub(super) fn target(&self, from: &Cover, words: &[u64], half: usize) -> u32 {
        let offset = (words[half / 2] >> (half % 2 * 32)) as i32;
        from.off.wrapping_add_signed(offset)
    }
    /// The slots in which a reference map says that references are.
    fn map_text(&self, map: u32) -> String {
        let Some(i) = (map as usize).checked_sub(1) else {
            return String::new();
        };
        let slots = self.tables().references(i).map(|slot| format!("s{slot}"));
        format!("{{{}}}", slots.collect::<Vec<_>>().join(" "))
    }
    /// Each instruction as text, below the bytecodes that it is the first to execute.
    #[cfg(tier)]
    pub(in crate::interp) fn instruction_texts(
        &self,
        table: &InsnTable,
        code: &[u8],
    ) -> Vec<String> {
        let bytecodes = self.bytecodes();
        let mut next = 0;
        let texts = self.tables().iter().map(|c| {
            let mut out = String::new();
            let more = if c.jump == NO_JUMP { c.more } else { 0 };
            let upto = (usize::from(c.idx) + 1 + usize::from(more)).min(bytecodes.len());
            while c.off >= self.body_start && next < upto {
                let bci = bytecodes[next];
                let _ = writeln!(out, "{bci:>6}  {}", o::name(code[bci as usize]));
                next += 1;
            }
            let text = match self.decode(table, &c, code) {
                Some((insn, words)) => format!("{} {}", insn.name, insn.operands(words)),
                None => "what is this?".into(),
            };
            out + &format!("        {:04x}  {}", c.off, text.trim_end())
        });
        texts.collect()
    }
    fn list(&self, table: &InsnTable, code: &[u8], out: &mut String) {
        let targets = self.targets(table, code);
        let mut next = 0;
        let bytecodes = self.bytecodes();
        let bytecode = |out: &mut String, i: usize| {
            let bci = bytecodes[i];
            let _ = writeln!(out, "{bci:>6}  {}", o::name(code[bci as usize]));
        };
        for (n, c) in self.tables().iter().enumerate() {
            let upto =
                usize::from(c.idx) + 1 + usize::from(if c.jump == NO_JUMP { c.more } else { 0 });
            let prologue = c.off < self.body_start;
            while !prologue && next < upto.min(bytecodes.len()) {
                bytecode(out, next);
                next += 1;
            }
            let label = match targets.binary_search(&c.off) {
                Ok(_) => format!("L{:04x}", c.off),
                Err(_) => String::new(),
            };
            let Some((insn, words)) = self.decode(table, &c, code) else {
                let _ = writeln!(out, "{label:>9} {:04x}  what is this?", c.off);
                continue;
            };
            let _ = write!(
                out,
                "{label:>9} {:04x}  {:<16} {}",
                c.off,
                insn.name,
                insn.operands(words)
            );
            for half in insn.edges(words) {
                let after = half + 1;
                let ticks = (words[after / 2] >> (after % 2 * 32)) as i16;
                let _ = write!(out, " => L{:04x} ({ticks:+})", self.target(&c, words, half));
            }
            let _ = write!(out, "    ; {}pot {}", insn.does_text(), c.pot);
            if c.more != 0 {
                let _ = write!(out, ", {} more", c.more);
            }
            if c.map != 0 {
                let _ = write!(out, ", refs {}", self.map_text(c.map));
            }
            out.push('\n');
            let end = self.tables().off(n + 1).unwrap_or(self.code().len() * 8);
            debug_assert_eq!(end - c.off as usize, insn.len(words), "{} ends", insn.name);
        }
        for h in self.handlers().iter() {
            let what = match h.catch_type {
                0 => "everything".to_string(),
                i => format!("class #{i}"),
            };
            let _ = writeln!(
                out,
                "     {}..{} catches {what} => L{:04x}",
                h.start, h.end, h.off
            );
        }
    }
}

/// An instruction of translated code that differs from the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{method} at {bci}, {opcode}: {length:?}")]
pub struct TranslationFault {
    /// The method's name.
    pub method: String,
    /// The index of the instruction's first bytecode.
    pub bci: u16,
    /// That bytecode.
    pub opcode: &'static str,
    /// Its length by the table, if the instruction is in it.
    pub length: Option<usize>,
}

impl Vm {
    /// A method's translated code as text, beside its bytecode: slots as `s3`, the accumulator as `acc`; labels
    /// as `L0040` by their offset; edges with what they add to the ticks; of each instruction the
    /// potential of its bytecode and the slots with references. Translates the method if it is not translated.
    ///
    /// # Errors
    /// What translation throws.
    pub fn list_translation(&mut self, id: MethodId) -> R<Option<String>> {
        let Some(code) = self.method(id).code().map(|code| code.kept()) else {
            return Ok(None);
        };
        self.translate(id)?;
        let m = self.method(id);
        let x = m.translated().expect("just translated");
        let mut out = String::new();
        let (frame, bytecodes) = (m.frame_bytes / 8, x.bytecodes().len());
        let _ = writeln!(
            out,
            "{}: {frame} slots, operands from s{}; {bytecodes} bytecodes, {} instructions, {} bytes",
            self.method_name(id),
            x.stack_base,
            x.tables().len(),
            x.code().len() * 8
        );
        x.list(&table(), code.lent().bytes(), &mut out);
        Ok(Some(out))
    }
    /// Checks that translated code is what the table of instructions says: each instruction is in it, and as
    /// long as up to the next. The number of instructions, or the first bytecode that fails.
    pub fn check_translation(&self, id: MethodId) -> Result<usize, TranslationFault> {
        let m = self.method(id);
        let (Some(x), Some(code)) = (m.translated(), m.code()) else {
            return Ok(0);
        };
        let (table, code) = (table(), code.bytes());
        for (n, c) in x.tables().iter().enumerate() {
            let end = x.tables().off(n + 1).unwrap_or(x.code().len() * 8);
            let found = x.decode(&table, &c, code).map(|(i, words)| i.len(words));
            if found != Some(end - c.off as usize) {
                let bci = x.bci(c.idx);
                let op = o::name(code[bci as usize]);
                return Err(TranslationFault {
                    method: self.method_name(id),
                    bci,
                    opcode: op,
                    length: found,
                });
            }
        }
        Ok(x.tables().len())
    }
}
