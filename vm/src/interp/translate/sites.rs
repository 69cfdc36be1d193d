//! Where instruments are notified inside translated code: which instruction each bytecode begins with, and handlers instead of
//! the instructions' own.

use super::covers::Cover;
use super::site::{Beginning, InstrumentSite, InstrumentSites, SiteReport, SiteStart, ValueSource};
use super::translated::{Breakpoint, Translated};
use crate::interp::code::K;
use crate::interp::insn::{OperandField, word};
use crate::interp::instruction::{CALLS, ENDS, Insn, InsnTable};
use crate::interp::{Handler, instrumented};
use hashbrown::HashSet;
use rjvm_classfile::opcodes as o;

fn find<'a>(insn: &'a Insn, name: &str) -> Option<&'a OperandField> {
    insn.fields.iter().find(|f| f.name == name)
}

/// Where the operand of that name is.
fn source(insn: &Insn, name: &str, words: &[u64], float: bool) -> ValueSource {
    let place = insn.places.iter().find(|p| p.0 == name);
    let bits =
        |f: &OperandField| words[f.at / 8] >> (f.at % 8 * 8) & (u64::MAX >> (64 - 8 * f.bytes));
    let place = match (place, find(insn, name)) {
        (Some(&(_, K::A)), _) => {
            return if float {
                ValueSource::Facc
            } else {
                ValueSource::Acc
            };
        }
        (place, Some(f)) => (place.map_or(K::S, |p| p.1), f),
        _ => return ValueSource::None,
    };
    match place {
        (K::I, f) => {
            let unused = 64 - 8 * f.bytes;
            ValueSource::Bits((((bits(f) << unused) as i64) >> unused) as u64)
        }
        (_, f) => ValueSource::Slot(bits(f) as u16),
    }
}

impl Translated {
    pub(super) fn site(&self, off: usize) -> Option<&InstrumentSite> {
        let sites = self.rest.get()?.sites.as_ref()?;
        let i = *sites.index.get(off / 8)?;
        sites.list.get(usize::from(i).wrapping_sub(1))
    }
    /// Who is notified at byte offset `off`, if it is one alone, with what the instruction does by itself.
    #[inline]
    pub(crate) fn sole_report(&self, off: usize) -> Option<(SiteReport, Handler)> {
        let site = self.site(off)?;
        match site.reported[..] {
            [reported] => Some((reported, site.handler())),
            _ => None,
        }
    }
    /// The `k`-th of those who are notified at byte offset `off`.
    #[inline]
    pub(crate) fn reported(&self, off: usize, k: usize) -> Option<SiteReport> {
        self.site(off)?.reported.get(k).copied()
    }
    /// What the instruction at byte offset `off` does by itself.
    #[inline]
    pub(crate) fn own_handler(&self, off: usize) -> Handler {
        match self.site(off) {
            Some(site) => site.handler(),
            None => self.handler_at(off),
        }
    }
    /// Notifies these instruments from now on, and no others. A breakpoint that is in the way stays.
    pub(crate) fn set_sites(
        &mut self,
        mut sites: Vec<InstrumentSite>,
        mut breakpoint: Option<&mut Breakpoint>,
    ) {
        self.drop_entries();
        let old = self.rest.get_mut().and_then(|r| r.sites.take());
        for site in old.into_iter().flat_map(|s| s.list) {
            self.put_word(site.off, site.own, &mut breakpoint);
        }
        if sites.is_empty() {
            return;
        }
        let mut index = vec![0; self.code().len()].into_boxed_slice();
        for (i, site) in sites.iter_mut().enumerate() {
            index[site.off as usize / 8] = i as u16 + 1;
            site.own = self.put_word(site.off, word(instrumented::site), &mut breakpoint);
        }
        self.rest.make().sites = Some(Box::new(InstrumentSites { index, list: sites }));
    }
    /// Whether instruments are notified in it.
    pub(crate) fn has_sites(&self) -> bool {
        self.rest.get().is_some_and(|r| r.sites.is_some())
    }
    /// Byte offsets that branches, handlers and returns of subroutines lead to.
    fn entered(&self, table: &InsnTable, code: &[u8]) -> HashSet<u32> {
        let mut found: HashSet<u32> = self.handlers().iter().map(|h| h.off).collect();
        found.extend(self.labels().iter().map(|l| l.off));
        for c in self.tables().iter() {
            if let Some((insn, words)) = self.decode(table, &c, code) {
                // a look at the limit leads to what follows it
                let falls = insn.bytes == super::super::insn::limit_check::BYTES && insn.does == 0;
                let edges = insn.edges(words).into_iter().filter(|_| !falls);
                found.extend(edges.map(|half| self.target(&c, words, half)));
            }
        }
        found
    }
    /// Where each bytecode begins, in the order of the code, and each call, access to a field, monitor and return. A bytecode that
    /// several instructions represent begins with the first. One that is done together with others by one instruction
    /// begins with that; one that needs no instruction, and that no instruction of its block follows, nowhere.
    pub(crate) fn beginnings(&self, table: &InsnTable, code: &[u8], float: bool) -> Vec<Beginning> {
        let entered = self.entered(table, code);
        let covers: Vec<Cover> = self.tables().iter().collect();
        // moves at the end of a block represent the first bytecode of the next one, too, which has not begun
        let mut ahead = vec![false; covers.len()];
        let falls = |c: &Cover| {
            let insn = self.decode(table, c, code);
            insn.is_some_and(|(insn, _)| insn.does & ENDS == 0)
        };
        for k in (0..covers.len().saturating_sub(1)).rev() {
            let next = &covers[k + 1];
            let to_label = entered.contains(&next.off) || ahead[k + 1];
            ahead[k] = next.idx == covers[k].idx && to_label && falls(&covers[k]);
        }
        let mut all = Vec::new();
        // those that have begun since control may have come from elsewhere; a loop has such a place between
        // its condition and the copy of that
        let mut begun_here: HashSet<u16> = HashSet::new();
        for (k, c) in covers.iter().enumerate() {
            let Some((insn, words)) = self.decode(table, c, code) else {
                continue;
            };
            let op = code[usize::from(self.bci(c.idx))];
            if c.off < self.body_start {
                if find(&insn, "lock").is_some() {
                    all.push(beginning(SiteStart::Lock(true), c, 0));
                }
                continue;
            }
            if entered.contains(&c.off) {
                begun_here.clear();
            }
            let mut last = (c.idx, 0);
            for (number, begun) in self.run(c, code) {
                if !(ahead[k] && number == c.idx) && begun_here.insert(number) {
                    all.push(Beginning {
                        number,
                        ..beginning(SiteStart::Bytecode, c, begun)
                    });
                }
                last = (number, begun);
            }
            if ahead[k] {
                continue;
            }
            // before it
            let begun = i32::from(c.pot);
            let main = |what| beginning(what, c, begun);
            if matches!(op, o::INVOKEVIRTUAL..=o::INVOKEINTERFACE) && find(&insn, "kid").is_some() {
                all.push(main(SiteStart::Call));
            } else if matches!(op, o::GETSTATIC..=o::PUTFIELD) && find(&insn, "offset").is_some() {
                let object = match matches!(op, o::GETFIELD | o::PUTFIELD) {
                    true => source(&insn, "object", words, false),
                    false => ValueSource::None,
                };
                let float = insn.name.ends_with(['F', 'D']);
                let value = source(&insn, "value", words, float);
                all.push(Beginning {
                    object,
                    value,
                    ..main(SiteStart::Field)
                });
            } else if matches!(op, o::MONITORENTER | o::MONITOREXIT) && insn.fields.len() == 1 {
                let object = source(&insn, "object", words, false);
                all.push(Beginning {
                    object,
                    ..main(SiteStart::Monitor(op == o::MONITORENTER))
                });
            } else if find(&insn, "lock").is_some() {
                let object = source(&insn, "lock", words, false);
                all.push(Beginning {
                    object,
                    ..main(SiteStart::Lock(false))
                });
            } else if insn.does & ENDS != 0
                && insn.does & CALLS == 0
                && find(&insn, "ticks").is_some()
                && op != o::RET
            {
                let name = if find(&insn, "a").is_some() {
                    "a"
                } else {
                    "value"
                };
                let named = insn.places.iter().any(|p| p.0 == name);
                let value = match named {
                    true => source(&insn, name, words, float),
                    false => ValueSource::None,
                };
                all.push(Beginning {
                    number: last.0,
                    value,
                    ..beginning(SiteStart::Return, c, last.1 + 1)
                });
            }
        }
        all
    }
    /// The bytecodes that an instruction represents, as they follow each other: number, and how many have begun before it less
    /// the ticks.
    fn run(&self, c: &Cover, code: &[u8]) -> Vec<(u16, i32)> {
        let lag = c.lag() as i32;
        let mut all = Vec::new();
        for k in 0..=c.before {
            let number = c.before(i64::from(c.before - k)) as u16;
            all.push((number, lag + i32::from(k)));
        }
        let bci = usize::from(self.bci(c.idx));
        let target = match code[bci] {
            o::GOTO => self.number_at(bci, code),
            _ => None,
        };
        for k in 1..=c.more {
            let number = target.map_or(c.idx + k, |t| t + k - 1);
            all.push((number, i32::from(c.pot) + i32::from(k)));
        }
        all
    }
}

fn beginning(what: SiteStart, c: &Cover, begun: i32) -> Beginning {
    Beginning {
        what,
        number: c.idx,
        off: c.off,
        begun,
        object: ValueSource::None,
        value: ValueSource::None,
    }
}
