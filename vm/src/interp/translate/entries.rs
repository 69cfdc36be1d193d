//! Where compiled code of a method is entered.
#![cfg_attr(not(tier), allow(dead_code, reason = "for compiled code alone"))]

/// An instruction at which compiled code is entered.
#[derive(Clone, Copy)]
pub(crate) struct CompiledEntry {
    /// Its first word.
    pub word: u32,
    /// The handler that lies under it.
    pub(super) own: u64,
    /// Address of the compiled code.
    pub(super) code: u64,
}

impl CompiledEntry {
    /// At word `word`, to lead to compiled code at that address.
    pub fn new(word: u32, code: u64) -> CompiledEntry {
        CompiledEntry { word, own: 0, code }
    }
}

/// The entries of a method's compiled code.
pub(crate) struct Entries {
    /// By ascending word.
    pub(super) list: Vec<CompiledEntry>,
    /// They are in the code.
    pub(super) laid: bool,
    /// Instructions were resolved since the code was compiled, which it leaves to their handlers.
    pub(super) patched: u32,
    /// The compiled code, which goes with this.
    pub(super) _memory: Box<dyn Send>,
}

impl Entries {
    /// Which of them is at byte offset `off` of the code.
    pub(super) fn find(&self, off: usize) -> Option<usize> {
        let at = (off / 8) as u32;
        let found = self.list.binary_search_by_key(&at, |e| e.word).ok();
        found.filter(|_| self.laid)
    }
}
