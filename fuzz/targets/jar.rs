//! Jars: the directory, the manifest, each entry.
#![no_main]

use rjvm_vm::classpath::{Jar, Manifest};
use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(manifest) = Manifest::parse(bytes) {
        let _ = (manifest.main_class(), manifest.class_path(Path::new("/a/b.jar")));
        let _ = (manifest.add_exports().count(), manifest.is_multi_release());
    }
    if let Ok(jar) = Jar::in_memory("fuzz.jar", bytes.to_vec()) {
        for name in jar.names().iter().take(16) {
            let _ = jar.find(name);
        }
    }
});
