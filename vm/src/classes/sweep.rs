//! Which symbols are in use: gone through after a collection when many new ones have come, as names
//! of classes that are gone, or were never found, would stay forever.

use crate::ids::{LoaderId, Sym};
use crate::symbols::Symbols;
use crate::throw::{Cont, Throw, Upcall};
use crate::vm::Vm;

impl Vm {
    /// Forgets symbols that nothing names any more. Between two instructions: what runs has none at hand.
    pub(crate) fn sweep_symbols(&mut self) {
        if !self.syms.wants_sweep() && !self.forgets_names() {
            return;
        }
        let mut syms: Symbols = std::mem::take(&mut self.syms);
        syms.sweep(|used| self.each_symbol(used));
        self.syms = syms;
    }
    fn each_symbol(&self, used: &mut dyn FnMut(Sym)) {
        for &c in &self.loaded.classes {
            let k = self.class(c);
            used(k.name_sym);
            used(k.package);
            k.fields.iter().for_each(|f| {
                used(f.name);
                used(f.desc);
            });
        }
        for m in self.loaded.methods.iter() {
            used(m.name);
            used(m.desc);
        }
        for l in &self.loaded.loaders {
            l.classes
                .keys()
                .chain(l.packages.keys())
                .for_each(|&y| used(y));
        }
        self.modules.each_symbol(used);
        self.loaded.linker.constraints.each_symbol(used);
        self.loaded
            .linker
            .defining
            .iter()
            .for_each(|d: &(_, LoaderId, Sym)| used(d.2));
        self.loaded.method_types.keys().for_each(|k| used(k.1));
        let thrown = self.threads.iter().filter_map(|t| t.pending.as_deref());
        for t in thrown.chain(self.pending_throw.as_deref()) {
            if let Throw::Upcall(Upcall { cont: Some(c), .. }) = t {
                of_cont(c, used);
            }
        }
        for c in self.threads.iter().flat_map(|t| &t.conts) {
            if let Some(c) = &c.cont {
                of_cont(c, used);
            }
        }
    }
}

/// A continuation's state may name symbols, one or two in a word.
fn of_cont(c: &Cont, used: &mut dyn FnMut(Sym)) {
    for w in c.data {
        used(Sym(w as u32));
        used(Sym((w >> 32) as u32));
    }
}
