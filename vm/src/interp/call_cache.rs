//! Classes that calls remember: an interface call keeps the first receiver's class and method in its
//! operands (see `ops_call`), though the class may be gone before the caller is.

use super::frame::Ip;
use crate::classes::Method;
use crate::heap::units::UnitId;
use crate::ids::{ClassId, MethodId};
use crate::vm::Vm;

/// A call that remembers a class which can be unloaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallCache {
    /// The caller.
    pub method: MethodId,
    /// Offset of the instruction in its code.
    at: u32,
}

impl CallCache {
    /// The class that is remembered.
    pub(crate) fn class(&self, caller: &Method) -> Option<ClassId> {
        let class = caller.translated()?.cached_class(self.at as usize)?;
        Some(ClassId(class))
    }
    /// Forgets it.
    pub(crate) fn clear(&self, caller: &mut Method) {
        if let Some(x) = caller.translated_mut() {
            x.forget_cached(self.at as usize);
        }
    }
}

impl Vm {
    /// The interface call at `ip` in the running method remembers `class` from now on.
    pub(super) fn note_call_cache(&mut self, ip: Ip, class: ClassId) {
        if self.heap.unit_of(class) == UnitId::PERMANENT {
            return;
        }
        // SAFETY: the top frame is that of the method with the call.
        let method = unsafe { &*(*self.regs().cs).method };
        let at = method.translated().and_then(|x| x.offset(ip));
        self.call_caches.extend(at.map(|at| CallCache {
            method: method.id,
            at: at as u32,
        }));
    }
}
