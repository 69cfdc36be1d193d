//! Verifier and translator: a class of the application is defined, linked, and all its methods translated.
#![no_main]

use rjvm_vm::classes::load::DefineOptions;
use rjvm_vm::ids::LoaderId;
use rjvm_vm::natives::Natives;
use rjvm_vm::vm::{Options, Vm};
use std::cell::RefCell;

/// Classes that one VM gets before it is replaced.
const CLASSES: u32 = 2000;

thread_local! {
    static VM: RefCell<Option<(Box<Vm>, u32)>> = const { RefCell::new(None) };
}

fn vm() -> Box<Vm> {
    let home = std::env::var("JAVA_HOME").expect("JAVA_HOME names a JDK 17");
    let mut options = Options::new(home);
    options.max_heap = 16 << 20;
    // the boot loader defines the class, and verifies it as if it were another's
    options.verify_boot = true;
    let mut natives = Natives::default();
    natives.add(&rjvm_jdk_stubs::all());
    let host = Box::new(rjvm_jdk_stubs::os::OsHost::new());
    Vm::new(options, host, natives).expect("a VM comes up")
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    VM.with_borrow_mut(|slot| {
        let (vm, count) = slot.get_or_insert_with(|| (vm(), 0));
        *count += 1;
        // hidden: the same name can come again
        let hidden = DefineOptions {
            hidden: true,
            ..DefineOptions::default()
        };
        if let Ok(class) = vm.define_class(LoaderId::BOOT, None, bytes, hidden)
            && vm.link_class(class).is_ok()
        {
            for method in vm.class(class).methods.clone() {
                if vm.method(method).code.is_some() {
                    let _ = vm.translate(method);
                }
            }
        }
        if *count == CLASSES {
            *slot = None;
        }
    });
});
