//! Every class of the class library passes.

use super::TestLibrary;
use crate::verify::inference::{VerifyStop, verify_method};
use crate::verify::world::World;

fn verify_module(module: &str) {
    let mut library = TestLibrary::new();
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

/// Inference knows no newer instructions, but what it knows it must find right.
fn infer_module(module: &str) {
    let beyond = [
        "invokedynamic bytecode is not supported in this class file version",
        // constants, static interface methods, `super` calls of interface methods
        "Illegal type in constant pool",
    ];
    let mut library = TestLibrary::new();
    let (mut passed, mut refused) = (0, 0);
    for file in library.system.resources(module).unwrap() {
        let Some(name) = file.strip_suffix(".class") else {
            continue;
        };
        if name == "module-info" {
            continue;
        }
        library.this = library.load(name).unwrap();
        let cf = library.list[library.this].cf.clone();
        for m in &cf.methods {
            match verify_method(&mut library, &cf, name, m, &mut None) {
                Ok(()) => passed += 1,
                Err(VerifyStop::Failure(f)) => {
                    assert!(
                        beyond.iter().any(|b| f.message.ends_with(b)),
                        "{}",
                        f.message
                    );
                    refused += 1;
                }
                Err(VerifyStop::Load(t)) => panic!("{name}: {t:?}"),
            }
        }
    }
    assert!(refused * 10 < passed, "{passed} passed, {refused} refused");
}

#[test]
fn java_base_passes_by_inference() {
    infer_module("java.base");
}

#[test]
fn the_compiler_passes_by_inference() {
    infer_module("jdk.compiler");
}
