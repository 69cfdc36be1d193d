//! Memory besides the heap itself.

use crate::ids::ClassId;
use hashbrown::HashMap;

/// See the module.
pub(crate) struct MemoryState {
    /// Remembered data about memory.
    pub(crate) history: crate::heap::history::History,
    /// Allocations that are to fail.
    pub(crate) failing: Option<Box<crate::heap::failure_plan::Failing>>,
    /// Which stacks have allocated which objects, if that is recorded.
    pub(crate) sites: Option<crate::heap::sites::SharedSites>,
    /// The heap has been dumped because it was full; that happens once.
    pub(crate) heap_dumped: bool,
    /// OutOfMemoryErrors of the VM's own so far.
    pub(crate) out_of_memory_errors: u32,
    /// Errors for when there is no room for others, by class and message (root cells).
    pub(crate) last_errors: HashMap<(ClassId, Box<str>), u32>,
}
