//! Which seeds tests ask for: those of the annotation `rjvm.test.Deterministic`, of classes and methods.

use rjvm_classfile::attributes::AnnotationBytes;
use rjvm_classfile::attributes::annotations::{self, ElementValue};
use rjvm_classfile::{ClassFile, Constant};
use rjvm_vm::classpath::{ClassPath, Entry};
use std::collections::BTreeSet;

const ANNOTATION: &str = "Lrjvm/test/Deterministic;";

/// What the annotation says if no seed is given.
const DEFAULT: u64 = 1;

/// The seeds of the tests in the folders of a class path, and in its jars.
pub fn of(class_path: &ClassPath) -> Result<BTreeSet<u64>, String> {
    let mut seeds = BTreeSet::new();
    for entry in class_path.entries() {
        of_entry(entry, &mut seeds)?;
    }
    Ok(seeds)
}

fn of_entry(entry: &Entry, seeds: &mut BTreeSet<u64>) -> Result<(), String> {
    for name in entry.names().map_err(|e| e.to_string())? {
        if !name.ends_with(".class") || name.starts_with("META-INF/") {
            continue;
        }
        let bytes = entry.find(&name).map_err(|e| e.to_string())?;
        let bytes = bytes.unwrap_or_default();
        // few class files name the annotation
        let names = |part: &[u8]| bytes.windows(part.len()).any(|w| w == part);
        if !names(ANNOTATION.as_bytes()) {
            continue;
        }
        let path = entry.path().display();
        let class = ClassFile::parse(&bytes).map_err(|e| format!("{path}: {name}: {e}"))?;
        seeds.extend(seed(&class, &class.attributes.annotations));
        for method in &class.methods {
            seeds.extend(seed(&class, &method.attributes.annotations));
        }
    }
    Ok(())
}

fn seed(class: &ClassFile, bytes: &AnnotationBytes) -> Option<u64> {
    let pool = &class.constant_pool;
    let all = annotations::decode(bytes.visible.as_ref()?).ok()?;
    let found = all
        .iter()
        .find(|a| pool.str(a.type_index).is_ok_and(|t| t == ANNOTATION))?;
    let given = found.elements.iter().find_map(|(_, value)| match value {
        ElementValue::Constant { tag: b'J', index } => match pool.get(*index) {
            Ok(Constant::Long(n)) => Some(n as u64),
            _ => None,
        },
        _ => None,
    });
    Some(given.unwrap_or(DEFAULT))
}
