//! Bodies of methods that have been replaced.

use crate::ids::MethodId;

/// The obsolete methods of a VM.
#[derive(Default)]
pub(crate) struct Obsolete {
    /// Those whose code is still there.
    pub(super) with_code: Vec<MethodId>,
    /// All bodies that were replaced: the method, which of its bodies it was (the first is 0), and the
    /// obsolete method that has it now.
    pub(super) bodies: Vec<(MethodId, u16, MethodId)>,
}
