//! Which seeds tests ask for: those of the annotation `rjvm.test.Deterministic`, of classes and methods. And which other annotations
//! are there at all.

use crate::launcher::bench::BenchError;
use rjvm_classfile::attributes::AnnotationBytes;
use rjvm_classfile::attributes::annotations::{self, ElementValue};
use rjvm_classfile::{ClassFile, Constant};
use rjvm_vm::classpath::{ClassPath, ClassPathEntry};
use std::collections::BTreeSet;
use std::path::Path;

const ANNOTATION: &str = "Lrjvm/test/Deterministic;";

/// What the annotation says if no seed is given.
const DEFAULT: u64 = 1;

/// The seeds of the tests in the folders of a class path, and in its jars.
pub fn of(class_path: &ClassPath) -> Result<BTreeSet<u64>, BenchError> {
    let mut seeds = BTreeSet::new();
    let mut add = |path: &Path, name: &str, bytes: &[u8]| {
        let class = ClassFile::parse(bytes)
            .map_err(|e| BenchError::ClassFile(path.to_path_buf(), name.to_owned(), e))?;
        seeds.extend(seed(&class, &class.attributes.annotations));
        for method in &class.methods {
            seeds.extend(seed(&class, &method.attributes.annotations));
        }
        Ok(())
    };
    for entry in class_path.entries() {
        each_naming(entry, ANNOTATION, &mut add)?;
    }
    Ok(seeds)
}

/// Whether a class names an annotation.
pub fn mention(class_path: &ClassPath, annotation: &str) -> Result<bool, BenchError> {
    let mut found = false;
    for entry in class_path.entries() {
        each_naming(entry, annotation, &mut |_, name, _| {
            // those of the API itself do, wherever it is
            found |= !name.starts_with("rjvm/test/");
            Ok(())
        })?;
    }
    Ok(found)
}

/// The class files that name an annotation.
fn each_naming(
    entry: &ClassPathEntry,
    annotation: &str,
    f: &mut dyn FnMut(&Path, &str, &[u8]) -> Result<(), BenchError>,
) -> Result<(), BenchError> {
    for name in entry.names()? {
        if !name.ends_with(".class") || name.starts_with("META-INF/") {
            continue;
        }
        let bytes = entry.find(&name)?;
        let bytes = bytes.unwrap_or_default();
        // few class files name the annotation
        let names = |part: &[u8]| bytes.windows(part.len()).any(|w| w == part);
        if names(annotation.as_bytes()) {
            f(entry.path(), &name, &bytes)?;
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
