//! Classes that calls remember: an interface call keeps the first receiver's class and method in its
//! operands (see `ops_call`), though the class may be gone before the caller is.

use super::frame::Ip;
use crate::classes::Method;
use crate::heap::units::UnitId;
use crate::ids::{ClassId, MethodId};
use crate::vm::Vm;

/// Offset of the class in a call instruction; the method follows 4 bytes later.
const CLASS: usize = 28;
const METHOD: usize = 32;

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
        let code = &caller.xlat.as_ref()?.code;
        let word = code.get((self.at as usize + CLASS) / 8)?;
        Some(ClassId((word >> 32) as u32))
    }
    /// Forgets it.
    pub(crate) fn clear(&self, caller: &mut Method) {
        let Some(x) = &mut caller.xlat else {
            return;
        };
        for code in std::iter::once(&mut x.code).chain(&mut x.careful) {
            let at = self.at as usize;
            code[(at + CLASS) / 8] &= u64::from(u32::MAX);
            code[(at + METHOD) / 8] = 0;
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
        let at = method.xlat.as_ref().and_then(|x| x.offset(ip));
        self.call_caches.extend(at.map(|at| CallCache {
            method: method.id,
            at: at as u32,
        }));
    }
}
