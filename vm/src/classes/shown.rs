//! Class files that observers are shown before they become classes, and may put others in the place of.

use crate::ids::LoaderId;
use crate::throw::{R, Throw};
use crate::vm::Vm;

impl Vm {
    /// Reports of a class file, once: who runs again after it had to wait finds what came of it by `key`.
    pub(super) fn shown_class_file(
        &mut self,
        name: Option<&str>,
        loader: LoaderId,
        key: &[u8],
        bytes: &[u8],
    ) -> Option<Vec<u8>> {
        let shown = &self.loaded.linker.shown;
        if let Some(known) = shown.iter().find(|s| s.0 == loader && s.1 == key) {
            return known.2.clone();
        }
        let replaced = self.notify_class_file(name, loader, bytes);
        let shown = &mut self.loaded.linker.shown;
        shown.push((loader, key.to_vec(), replaced.clone()));
        // an entry whose definition never came back is of no use to anybody
        if shown.len() > 64 {
            shown.remove(0);
        }
        replaced
    }
    pub(super) fn class_file_is_over<T>(&mut self, loader: LoaderId, key: &[u8], r: &R<T>) {
        let again = |t: &Throw| matches!(t, Throw::Upcall(_) | Throw::Block | Throw::Collect(_));
        if !r.as_ref().err().is_some_and(|t| again(t)) {
            self.loaded
                .linker
                .shown
                .retain(|s| s.0 != loader || s.1 != key);
        }
    }
}
