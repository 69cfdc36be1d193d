//! Takes translated code away.

use crate::ids::{MethodId, ThreadId};
use crate::vm::Vm;

impl Vm {
    /// Frees a method's translated code; it is made again when the method is next called. False if there
    /// is none, or a frame still runs it.
    pub fn discard_translation(&mut self, id: MethodId) -> bool {
        if self.method(id).xlat.is_none() || self.has_frames(id) {
            return false;
        }
        self.settle_samples();
        self.disarm();
        let entry = self.code.stubs.translate;
        self.set_entry(id, entry);
        self.drop_code(id);
        true
    }
    /// Frees the translated code of a method that has no frame.
    pub(in crate::interp) fn drop_code(&mut self, id: MethodId) {
        let mut old = self.method_mut(id).xlat.take();
        // they name the method, which may go first
        if let Some(x) = &mut old {
            x.drop_entries();
        }
        if self.in_interpreter {
            // it may have been returned from just now, and be looked at still
            self.code.discarded.extend(old);
        }
    }
    /// Whether a thread has a frame of the method.
    fn has_frames(&mut self, id: MethodId) -> bool {
        let method = &raw const *self.loaded.methods[id.0 as usize];
        let mut found = false;
        for t in 0..self.threads.len() as u32 {
            self.each_frame(ThreadId(t), |_, w| {
                found |= std::ptr::eq(w.method, method);
                !found
            });
        }
        found
    }
}
