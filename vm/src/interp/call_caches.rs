//! Notes which calls remember a class that can be unloaded.

use super::call_cache::CallCache;
use super::frame::Ip;
use crate::heap::units::UnitId;
use crate::ids::ClassId;
use crate::vm::Vm;

impl Vm {
    /// The interface call at `ip` in the running method remembers `class` from now on.
    pub(super) fn note_call_cache(&mut self, ip: Ip, class: ClassId) {
        if self.heap.unit_of(class) == UnitId::PERMANENT {
            return;
        }
        // SAFETY: the top frame is that of the method with the call.
        let method = unsafe { &*(*self.regs().cs).method };
        let at = method.translated().and_then(|x| x.offset(ip));
        self.code.call_caches.extend(at.map(|at| CallCache {
            method: method.id,
            at: at as u32,
        }));
    }
}
