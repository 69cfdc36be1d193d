//! Classes that calls remember: an interface call keeps the first receiver's class and method in its
//! operands (see `ops_call`), though the class may be gone before the caller is.

use crate::classes::Method;
use crate::ids::{ClassId, MethodId};

/// A call that remembers a class which can be unloaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallCache {
    /// The caller.
    pub method: MethodId,
    /// Offset of the instruction in its code.
    pub(super) at: u32,
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
