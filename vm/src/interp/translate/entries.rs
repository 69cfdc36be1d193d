//! Where compiled code of a method is entered.
#![cfg_attr(not(tier), allow(dead_code, reason = "for compiled code alone"))]

use std::ptr::NonNull;

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

/// From where compiled code of others reads where to go when it calls the method.
pub(crate) struct CallAddress {
    /// `Method::call`, and its value while the method has no compiled code.
    place: NonNull<u64>,
    plain: u64,
    /// The address in the compiled code.
    code: u64,
    /// Calls of the method lead to the beginning of its translated code.
    pub(super) leads_here: bool,
}

// SAFETY: the place is in the method that owns this, which goes from thread to thread with its VM.
unsafe impl Send for CallAddress {}

impl CallAddress {
    /// Compiled code that calls the method goes to `code` while there is compiled code to go to, else to `plain`.
    ///
    /// # Safety
    /// `place` is `call` of the method that owns this. It is not used elsewhere while this is.
    pub unsafe fn new(place: NonNull<u64>, plain: u64, code: u64) -> CallAddress {
        CallAddress {
            place,
            plain,
            code,
            leads_here: true,
        }
    }
    /// The method's compiled code can be entered from now on, or cannot.
    pub(super) fn set(&mut self, laid: bool) {
        let address = match laid && self.leads_here {
            true => self.code,
            false => self.plain,
        };
        // SAFETY: by the contract of `new`, it is a place in a method that is still there.
        unsafe { self.place.write(address) }
    }
}

impl Drop for CallAddress {
    fn drop(&mut self) {
        self.set(false);
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
    /// Where the first instruction has an entry: how calls lead there.
    pub(super) call: Option<CallAddress>,
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
