//! `sun.nio.fs.UnixException`.

use crate::io;
use rjvm_vm::host::Errno;
use rjvm_vm::{Env, R, Ref, Throw, jdk};

/// The exception that carries an error number to the Java side, which turns it into a checked one.
#[cold]
pub fn unix_exception(vm: &mut Env, e: Errno) -> Box<Throw> {
    match new_exception(vm, e) {
        Ok(x) => Throw::object(x),
        Err(t) => t,
    }
}

/// Its constructor only stores the number, and it has no stack trace: made without running Java.
fn new_exception(vm: &mut Env, e: Errno) -> R<Ref> {
    let x = io::new_object(vm, jdk::unix_exception::CLASS)?;
    vm.set(x, jdk::unix_exception::ERRNO, e.0)?;
    vm.set(x, jdk::throwable::CAUSE, x);
    let stack = vm.get_static(jdk::throwable::UNASSIGNED_STACK);
    vm.set(x, jdk::throwable::STACK_TRACE, stack);
    let suppressed = vm.get_static(jdk::throwable::SUPPRESSED_SENTINEL);
    vm.set(x, jdk::throwable::SUPPRESSED_EXCEPTIONS, suppressed);
    Ok(x)
}

/// Turns a host's error into the exception.
pub trait OrThrow<T> {
    /// The value, or a `UnixException`.
    fn or_throw(self, vm: &mut Env) -> R<T>;
}

impl<T> OrThrow<T> for rjvm_vm::host::Io<T> {
    fn or_throw(self, vm: &mut Env) -> R<T> {
        self.map_err(|e| unix_exception(vm, e))
    }
}
