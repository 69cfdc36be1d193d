//! Handlers put instead of those of translated code: at a breakpoint, and in the copy for single steps.

use super::translated::{Breakpoint, Stepping, Translated};
use crate::interp::frame::Ip;
use crate::interp::{insn, slow};

impl Translated {
    /// How many covers are at smaller offsets than `off`.
    pub(super) fn covers_before(&self, off: usize) -> usize {
        self.tables().before(off, 8 * self.code().len())
    }
    /// Puts a breakpoint where straight code from byte offset `off`, where `ticks` are right, reaches
    /// bytecode `n` of the thread; none if control is transferred before.
    pub(crate) fn stop_at(&mut self, off: usize, ticks: i64, n: i64) -> Option<Breakpoint> {
        let first = self.covers_before(off);
        let mut pot = 0;
        for c in (first..).map_while(|i| self.tables().get(i)) {
            // after a call potentials begin again
            if c.pot < pot {
                return None;
            }
            pot = c.pot;
            if ticks + i64::from(c.pot) + 1 >= n {
                self.lift_entries();
                let code: *mut Translated = self;
                let word = &mut self.code_mut()[c.off as usize / 8];
                let handler = std::mem::replace(word, insn::word(slow::breakpoint));
                return Some(Breakpoint {
                    word,
                    handler,
                    code,
                });
            }
        }
        None
    }
    /// The instruction at byte offset `off` in the careful copy, which is made if there is none.
    pub(crate) fn careful_at(&mut self, off: usize) -> Ip {
        self.drop_entries();
        let (code, tables, rest) = self.parts();
        let (words, rest) = (code.len(), rest.make());
        assert!(off <= words * 8, "an offset of this method");
        if rest.careful.is_none() {
            let mut c = vec![0; 2 * words].into_boxed_slice();
            c[..words].copy_from_slice(code);
            for cover in tables.iter() {
                let word = cover.off as usize / 8;
                c[word] = insn::word(slow::step);
                c[words + word] = u64::from(cover.pot) + 1 + u64::from(cover.more);
            }
            let careful: Ip = c.as_ptr().cast();
            rest.stepping = Stepping {
                code: code.as_ptr().cast(),
                careful,
                done: careful.wrapping_add(8 * words),
            };
            rest.careful = Some(c);
        }
        rest.stepping.careful.wrapping_add(off)
    }
}
