//! Native code: libraries of the system, and calls to and from their functions by libffi.
//!
//! All that is unsafe about it is here. Nothing can check what the functions of libraries do, and whether a program describes
//! them as they are: who grants a program native code ([`rjvm_vm::host::Host::native_access`]) trusts it with this process. A
//! [`Granted`] is the proof of it, without which nothing here runs.

#[cfg(feature = "native")]
pub mod calls;
pub mod libraries;
pub mod of_jdk;

use rjvm_vm::Env;

/// The host has granted native code. The addresses that the program sees are those of the machine then.
#[derive(Clone, Copy)]
pub struct Granted(());

impl Granted {
    /// If it has, and this crate was built for that.
    pub fn of(vm: &Env) -> Option<Granted> {
        (cfg!(feature = "native") && vm.offheap().is_exposed()).then_some(Granted(()))
    }
}
