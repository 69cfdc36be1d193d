//! Compares the table with a JDK's class files; nothing is loaded or run.

use super::access::{class_text, field_text};
use super::rows::FieldRow;
use super::table::CLASSES;
use crate::classpath::{SystemModules, package_of};
use rjvm_classfile::{ClassFile, access};

/// What the table has and the class library of a JDK of this feature version has not; empty if all is
/// there. What cannot be read is a problem too.
pub fn problems(modules: &SystemModules, feature: u32) -> Vec<String> {
    let mut problems = Vec::new();
    for row in CLASSES.iter().filter(|c| c.versions.contains(feature)) {
        let class = match class_file(modules, row.name) {
            Ok(Some(cf)) => cf,
            Ok(None) => {
                problems.push(class_text(row.name));
                continue;
            }
            Err(e) => {
                problems.push(format!("{}: {e}", row.name));
                continue;
            }
        };
        let wanted = row
            .fields()
            .iter()
            .filter(|f| f.versions.contains(feature) && !f.injected && !f.optional);
        for f in wanted {
            if !declares(&class, f) {
                problems.push(field_text(row.name, f));
            }
        }
    }
    problems
}

fn class_file(modules: &SystemModules, name: &str) -> Result<Option<ClassFile>, String> {
    let package = package_of(name).unwrap_or_default();
    let module = modules.module_of_package(package);
    let Some(module) = module.map_err(|e| e.to_string())? else {
        return Ok(None);
    };
    let bytes = modules.find(module, &format!("{name}.class"));
    match bytes.map_err(|e| e.to_string())? {
        Some(bytes) => ClassFile::parse(&bytes)
            .map(Some)
            .map_err(|e| e.to_string()),
        None => Ok(None),
    }
}

fn declares(class: &ClassFile, row: &FieldRow) -> bool {
    let pool = &class.constant_pool;
    class.fields.iter().any(|f| {
        pool.str(f.name).is_ok_and(|n| n == row.name)
            && pool.str(f.descriptor).is_ok_and(|d| d == row.desc)
            && (f.access_flags & access::STATIC != 0) == row.is_static
    })
}
