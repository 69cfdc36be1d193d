//! Images of a JDK's modules: the index, the catalogue, each resource.
#![no_main]

use rjvm_vm::classpath::Jimage;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(image) = Jimage::from_bytes("fuzz", bytes.to_vec()) else {
        return;
    };
    let _ = image.find("java.base", "java/lang/Object.class");
    let _ = image.module_of_package("java/lang");
    if let Ok(modules) = image.modules() {
        for module in modules.take(4) {
            for name in image.resources_of(module).take(16).flatten() {
                let _ = image.find(module, &name);
            }
        }
    }
});
