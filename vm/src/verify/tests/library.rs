//! Every class of the class library passes.

use super::Library;

fn verify_module(module: &str) {
    let mut library = Library::new();
    let mut count = 0;
    for file in library.system.resources(module).unwrap() {
        let Some(name) = file.strip_suffix(".class") else {
            continue;
        };
        if name == "module-info" {
            continue;
        }
        if let Err(f) = library.verify(name) {
            panic!("{name}: {}: {}", f.class, f.message);
        }
        count += 1;
    }
    assert!(count > 100, "{count}");
}

#[test]
fn java_base_passes() {
    verify_module("java.base");
}

#[test]
fn the_compiler_passes() {
    verify_module("jdk.compiler");
}
