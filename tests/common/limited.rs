//! VMs with the class `Limits`, which does what limits are for.

use super::guest::{Guest, options, tell};
use super::{jdk, tests_dir};
use rjvm_jdk_stubs::os::{OsHost, Streams};
use rjvm_vm::Vm;
use rjvm_vm::host::Host;
use rjvm_vm::natives::Natives;
use rjvm_vm::vm::{Options, ProfileMode};
use std::path::PathBuf;

/// The compiled classes of `embedding/Limits.java`.
pub fn classes() -> PathBuf {
    let dir = tests_dir().join("embedding");
    jdk::compile("limits", &[dir.join("Limits.java")], &[], &dir.join("none"))
}

/// Options for a VM that finds `Limits`.
pub fn limited() -> Options {
    Options {
        profile: ProfileMode::Off,
        sample_all: false,
        quantum: 100_000,
        ..options(Some(&classes()))
    }
}

/// A VM that has come up on a host.
pub fn boot_on(options: Options, host: Box<dyn Host>) -> Guest {
    let mut natives = Natives::default();
    natives.add(&rjvm_jdk_stubs::all());
    let mut vm = Vm::new(options, host, natives).expect("a VM");
    let main = vm.start_up().expect("boot");
    Guest { vm, main }
}

/// A VM whose clock and sockets are the operating system's.
pub fn real(options: Options) -> Guest {
    boot_on(options, Box::new(OsHost::with(Streams::null())))
}

/// Runs `Limits.name`, to whatever end within 400 million bytecodes.
pub fn end_of(g: &mut Guest, name: &str) -> String {
    let m = match g.vm.method_on(g.main, "Limits", name, "()I") {
        Ok(m) => m,
        Err(stop) => return tell(&mut g.vm, stop),
    };
    g.vm.set_fuel(Some(400_000_000));
    match g.vm.call_on(g.main, m, &[]) {
        Ok(v) => v.int().to_string(),
        Err(stop) => tell(&mut g.vm, stop),
    }
}
