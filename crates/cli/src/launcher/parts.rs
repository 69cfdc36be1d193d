//! What VMs are made of here: the operating system, and the natives of the JDK.

use super::test;
use rjvm_vm::host::Host;
use rjvm_vm::natives::Natives;

/// The parts of a VM besides its options.
pub type Parts = (Box<dyn Host>, Natives);

/// The operating system, and the natives of the JDK.
pub fn usual_parts() -> Parts {
    (Box::new(rjvm_jdk_stubs::os::OsHost::new()), usual_natives())
}

/// The natives of the JDK, and those of the API for tests.
pub fn usual_natives() -> Natives {
    let mut natives = rjvm_jdk_stubs::natives();
    // SAFETY: they return numbers, and strings and arrays that they have just made.
    unsafe {
        natives.add(&crate::testing::natives());
        natives.add(&[&test::EXPLANATIONS, &crate::agent::switch::NATIVES]);
    }
    natives
}
