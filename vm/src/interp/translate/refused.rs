//! Why a method is not translated, or not yet.

use super::buffers::Stopped;
use crate::ids::MethodId;
use crate::throw::Throw;
use crate::verify::infer::WorkBudget;
use crate::vm::Vm;

/// The instruction that needs the translation is to run again at once.
pub(super) fn again() -> Box<Throw> {
    Box::new(Throw::Upcall(crate::throw::Upcall {
        call: None,
        cont: None,
        resume: crate::throw::Resume::Again,
    }))
}

impl Vm {
    pub(super) fn too_large(&self, id: MethodId, slots: usize) -> Box<Throw> {
        let text = format!("{}: frame of {slots} slots", self.method_name(id));
        Throw::msg("java/lang/InternalError", text)
    }
    /// Why there is no translation of a method.
    #[cold]
    pub(super) fn not_translated(
        &mut self,
        id: MethodId,
        why: String,
        pace: &WorkBudget<'_>,
    ) -> Box<Throw> {
        if let Some(done) = pace.stopped() {
            // data flow goes on; the rest begins again from its beginning, and comes to an end at last
            let reached = pace.take_kept();
            let flows = reached.as_ref().is_some_and(|r| !r.is_all());
            self.code.translator.patience = if flows { 1 } else { done * 2 };
            if let Some((reached, code)) = reached.zip(self.method(id).code()) {
                let code = code.kept();
                self.code.translator.stopped = Some(Stopped {
                    file: code.cf.clone(),
                    index: code.index,
                    reached,
                });
            }
            match self.breathe() {
                Err(stop) => return stop,
                // the request has been taken back
                Ok(()) => return again(),
            }
        }
        let name = self.method_name(id);
        match WorkBudget::is_memory(&why) {
            true => {
                let most = self.options.work_memory;
                let text = format!("Translation of {name} takes more than {most} bytes");
                Throw::msg("java/lang/OutOfMemoryError", text)
            }
            false => Throw::msg("java/lang/VerifyError", format!("{name}: {why}")),
        }
    }
}
