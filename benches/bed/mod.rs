//! The test bed of the benchmarks: VMs inside the process, with the classes of `benches/java`.
#![allow(dead_code, reason = "each benchmark uses its own part")]

use crate::common::jdk;
use rjvm_vm::vm::{Options, ProfileMode};
use rjvm_vm::{MethodId, ThreadId, Vm};
use std::path::{Path, PathBuf};

/// A VM, and the thread that the benchmark calls on.
pub struct Bed {
    pub vm: Box<Vm>,
    pub thread: ThreadId,
}

/// The folder with the compiled class `Work`.
pub fn classes() -> PathBuf {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("java");
    jdk::compile("benches", &[dir.join("Work.java")], &[], &dir.join("none"))
}

/// Options for a VM that finds `Work`.
pub fn options(profile: ProfileMode) -> Options {
    Options {
        max_heap: 256 << 20,
        profile,
        boot_append: vec![classes().display().to_string()],
        ..Options::new(jdk::java_home())
    }
}

/// A VM in which no Java code has run.
pub fn vm(options: Options) -> Box<Vm> {
    let natives = rjvm_jdk_stubs::natives();
    let host = Box::new(rjvm_jdk_stubs::os::OsHost::new());
    Vm::new(options, host, natives).expect("a VM")
}

impl Bed {
    /// A VM whose class library is up.
    pub fn new(profile: ProfileMode) -> Bed {
        let mut vm = vm(options(profile));
        let Ok(thread) = vm.start_up() else {
            panic!("the VM doesn't start")
        };
        Bed { vm, thread }
    }

    /// The method `name()I` of `Work`, its class initialized.
    pub fn method(&mut self, name: &str) -> MethodId {
        let class = self.vm.boot_class("Work");
        assert!(self.vm.init_on(self.thread, class).is_ok(), "initialized");
        self.vm.method_named(class, name, "()I")
    }

    /// Runs a method to its end: its result, and the bytecodes executed.
    pub fn run(&mut self, method: MethodId) -> (i32, i64) {
        let ticks = |vm: &Vm, t: ThreadId| vm.a_thread(t).ticks();
        let before = ticks(&self.vm, self.thread);
        let Ok(value) = self.vm.call_on(self.thread, method, &[]) else {
            panic!("it throws")
        };
        (value.int(), ticks(&self.vm, self.thread) - before)
    }
}
