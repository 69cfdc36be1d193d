//! `sun.nio.fs.UnixException`.

use crate::io;
use rjvm_vm::host::Errno;
use rjvm_vm::{Throw, Vm};

/// The exception that carries an error number to the Java side, which turns it into a checked one.
#[cold]
pub fn unix_exception(vm: &mut Vm, e: Errno) -> Box<Throw> {
    // its constructor only stores the number, and it has no stack trace: made without running Java
    let x = match io::new_object(vm, "sun/nio/fs/UnixException") {
        Ok(x) => x,
        Err(t) => return t,
    };
    vm.set_int(x, "errno:I", e.0);
    vm.set_ref(x, "cause:Ljava/lang/Throwable;", x);
    let throwable = vm.known.throwable;
    let key = "UNASSIGNED_STACK:[Ljava/lang/StackTraceElement;";
    let stack = vm.get_static_ref(throwable, key);
    vm.set_ref(x, "stackTrace:[Ljava/lang/StackTraceElement;", stack);
    let suppressed = vm.get_static_ref(throwable, "SUPPRESSED_SENTINEL:Ljava/util/List;");
    vm.set_ref(x, "suppressedExceptions:Ljava/util/List;", suppressed);
    Throw::object(x)
}

/// Turns a host's error into the exception.
pub trait OrThrow<T> {
    /// The value, or a `UnixException`.
    fn or_throw(self, vm: &mut Vm) -> rjvm_vm::R<T>;
}

impl<T> OrThrow<T> for rjvm_vm::host::Io<T> {
    fn or_throw(self, vm: &mut Vm) -> rjvm_vm::R<T> {
        self.map_err(|e| unix_exception(vm, e))
    }
}
