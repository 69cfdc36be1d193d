//! Interned names and descriptors.

use crate::ids::Sym;
use hashbrown::HashMap;
use std::sync::Arc;

/// The symbol table of one VM.
#[derive(Default)]
pub struct Symbols {
    map: HashMap<Arc<str>, Sym>,
    list: Vec<Arc<str>>,
}

impl Symbols {
    /// The symbol of `s`, made at first use.
    pub fn intern(&mut self, s: &str) -> Sym {
        if let Some(&y) = self.map.get(s) {
            return y;
        }
        let y = Sym(self.list.len() as u32);
        let a: Arc<str> = s.into();
        self.list.push(a.clone());
        self.map.insert(a, y);
        y
    }
    /// The symbol of `s` if it has been interned before.
    pub fn find(&self, s: &str) -> Option<Sym> {
        self.map.get(s).copied()
    }
    /// The text of a symbol.
    pub fn str(&self, y: Sym) -> &Arc<str> {
        &self.list[y.0 as usize]
    }
}
