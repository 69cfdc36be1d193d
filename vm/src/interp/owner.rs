//! The VM that a hot block belongs to.

use super::frame::Hot;
use crate::vm::Vm;

/// The VM of a hot block. SAFETY: the interpreter runs only inside `Vm::run`, whose `self` it is.
#[inline(always)]
pub(crate) unsafe fn vm<'a>(hot: *mut Hot) -> &'a mut Vm {
    &mut *(*hot).vm.cast::<Vm>()
}
