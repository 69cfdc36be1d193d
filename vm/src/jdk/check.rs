//! Compares the table with a JDK's class files; nothing is loaded or run.

use super::calls::CALLS;
use super::outside::{NamedBy, OUTSIDE, OutsideRow};
use super::rows::{FieldRow, JdkMethod};
use super::rows::{class_text, field_text};
use super::table::CLASSES;
use crate::classpath::{SystemModules, package_of};
use rjvm_classfile::{ClassFile, access};

/// The rows of the table that the class library of a JDK of this feature version lacks; empty if all are there. An unreadable
/// class is a problem too.
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
        let fields = row.fields().iter();
        let fields = fields.filter(|f| f.versions.contains(feature) && !f.injected);
        let fields: Vec<&FieldRow> = fields.collect();
        let lacking = lacking(&fields, |f| declares(&class, f));
        problems.extend(lacking.into_iter().map(|f| field_text(row.name, f)));
    }
    problems.extend(missing_callees(modules, feature));
    problems.extend(missing_methods(modules, OUTSIDE, feature));
    problems
}

/// The rows of a class's fields that are not fulfilled. Some updates lack an optional field. If a name has several optional rows, an
/// update has the field with one of these types.
pub(super) fn lacking<'a>(
    rows: &[&'a FieldRow],
    is_there: impl Fn(&FieldRow) -> bool,
) -> Vec<&'a FieldRow> {
    let is_lacking = |(i, f): &(usize, &&'a FieldRow)| {
        let same = |g: &&&FieldRow| g.name == f.name;
        let is_first = !rows[..*i].iter().any(|g| g.name == f.name);
        match f.optional && rows.iter().filter(same).count() > 1 {
            true => is_first && !rows.iter().filter(same).any(|g| is_there(g)),
            false => !f.optional && !is_there(f),
        }
    };
    let lacking = rows.iter().enumerate().filter(is_lacking);
    lacking.map(|(_, &f)| f).collect()
}

/// The methods that Rust code calls and the class library of a JDK of this feature version has not: a line each.
fn missing_callees(modules: &SystemModules, feature: u32) -> Vec<String> {
    let mut problems = Vec::new();
    for callee in CALLS.iter().filter(|c| c.versions.contains(feature)) {
        let name = format!(
            "{}.{}{}",
            callee.class.replace('/', "."),
            callee.name,
            callee.desc
        );
        let what = if callee.is_static {
            "static method"
        } else {
            "method"
        };
        match class_file(modules, callee.class) {
            Ok(Some(class)) if has(&class, callee) => {}
            Ok(Some(_)) => problems.push(format!("{what} {name}")),
            // an image may have been made without its module
            Ok(None) if callee.class.starts_with("com/sun/management/") => {}
            Ok(None) => problems.push(class_text(callee.class)),
            Err(e) => problems.push(format!("{}: {e}", callee.class)),
        }
    }
    problems
}

fn has(class: &ClassFile, callee: &JdkMethod) -> bool {
    let pool = &class.constant_pool;
    class.methods.iter().any(|m| {
        pool.str(m.name).is_ok_and(|n| n == callee.name)
            && pool.str(m.descriptor).is_ok_and(|d| d == callee.desc)
            && (m.access_flags & access::STATIC != 0) == callee.is_static
    })
}

/// The methods among these that the class library of a JDK of this feature version ought to have and has not, or whose class has
/// not the field that they are known by: a line each.
pub fn missing_methods(modules: &SystemModules, rows: &[OutsideRow], feature: u32) -> Vec<String> {
    let mut problems = Vec::new();
    let mut last = None;
    for row in rows.iter().filter(|r| r.versions.contains(feature)) {
        if last.as_ref().is_none_or(|(name, _)| *name != row.class) {
            last = Some((row.class, class_file(modules, &row.class.replace('.', "/"))));
        }
        match &last {
            Some((_, Ok(Some(class)))) => problems.extend(lacks(class, row)),
            Some((_, Err(e))) => problems.push(format!("{}: {e}", row.class)),
            _ => problems.push(format!(
                "method {}.{}: there is no such class",
                row.class, row.method
            )),
        }
    }
    problems
}

fn lacks(class: &ClassFile, row: &OutsideRow) -> Option<String> {
    let pool = &class.constant_pool;
    let is = |index: u16, name: &str| pool.str(index).is_ok_and(|n| n == name);
    if !class.methods.iter().any(|m| is(m.name, row.method)) {
        return Some(format!("there is no method {}.{}", row.class, row.method));
    }
    match row.reported {
        NamedBy::Field(name) if !class.fields.iter().any(|f| is(f.name, name)) => {
            Some(format!("there is no field {}.{name}", row.class))
        }
        _ => None,
    }
}

/// A class of a JDK.
pub(crate) fn class_file(modules: &SystemModules, name: &str) -> Result<Option<ClassFile>, String> {
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
