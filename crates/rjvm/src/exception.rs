//! Exceptions as an embedder sees them.

use super::error::JavaException;
use super::handle::Object;
use rjvm_run::throwable::describe;
pub(crate) use rjvm_run::throwable::is_missing_class;
use rjvm_vm::{Ref, Vm as Core};

/// An exception as it is now.
pub(crate) fn capture(core: &mut Core, exception: Ref) -> Box<JavaException> {
    let mut keep = |core: &mut Core, r| Object::new(core, r);
    Box::new(describe(core, exception, &mut keep).into())
}
