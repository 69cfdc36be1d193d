//! What a new class file of a class may not change, as HotSpot has it.

use super::deleted::is_alone;
use super::same::Pair;
use crate::classes::acc;
use rjvm_classfile::{ClassFile, MethodInfo};

/// Flags of a class that mean something to the class library.
const CLASS_FLAGS: u16 = !acc::SUPER;

/// It has other supertypes.
pub(super) const SUPERS: &str = "change superclass or interfaces";

/// The problem with a new class file, in the words of the exception; else its methods and fields are put in the order
/// of the old one's.
/// New methods come after them, if there may be some.
pub(super) fn settle(
    old: &ClassFile,
    new: &mut ClassFile,
    may_add: bool,
) -> Result<(), &'static str> {
    supers(&Pair { old, new })?;
    attributes(&Pair { old, new })?;
    if (old.access_flags ^ new.access_flags) & CLASS_FLAGS != 0 {
        return Err("change the class modifiers");
    }
    if !same_fields(&Pair { old, new }) {
        return Err("change the schema (add/remove fields)");
    }
    let order = methods(&Pair { old, new }, may_add)?;
    new.methods = order.iter().map(|&i| new.methods[i].clone()).collect();
    Ok(())
}

fn supers(p: &Pair<'_>) -> Result<(), &'static str> {
    let (a, b) = (&p.old.interfaces, &p.new.interfaces);
    let same = p.class(p.old.super_class, p.new.super_class)
        && a.len() == b.len()
        && a.iter().zip(b).all(|(&a, &b)| p.class(a, b));
    match same {
        true => Ok(()),
        false => Err(SUPERS),
    }
}

/// Whether two lists have the same classes, in any order.
fn same_classes(p: &Pair<'_>, a: Option<&[u16]>, b: Option<&[u16]>) -> bool {
    let (a, b) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (a, b) => return a.is_none() && b.is_none(),
    };
    a.len() == b.len()
        && a.iter().all(|&a| b.iter().any(|&b| p.class(a, b)))
        && b.iter().all(|&b| a.iter().any(|&a| p.class(a, b)))
}

fn attributes(p: &Pair<'_>) -> Result<(), &'static str> {
    let (a, b) = (&p.old.attributes, &p.new.attributes);
    let hosts = p.class(a.nest_host.unwrap_or(0), b.nest_host.unwrap_or(0));
    let members = same_classes(p, a.nest_members.as_deref(), b.nest_members.as_deref());
    let permitted = same_classes(
        p,
        a.permitted_subclasses.as_deref(),
        b.permitted_subclasses.as_deref(),
    );
    let records = match (&a.record, &b.record) {
        (Some(a), Some(b)) => {
            a.len() == b.len()
                && a.iter().zip(b).all(|(a, b)| {
                    p.text(a.name, b.name)
                        && p.text(a.descriptor, b.descriptor)
                        && p.text(a.signature.unwrap_or(0), b.signature.unwrap_or(0))
                })
        }
        (a, b) => a.is_none() && b.is_none(),
    };
    match hosts && members && permitted && records {
        true => Ok(()),
        false => {
            Err("change the class NestHost, NestMembers, Record, or PermittedSubclasses attribute")
        }
    }
}

fn same_fields(p: &Pair<'_>) -> bool {
    let (a, b) = (&p.old.fields, &p.new.fields);
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            a.access_flags == b.access_flags
                && p.text(a.name, b.name)
                && p.text(a.descriptor, b.descriptor)
        })
}

/// For each old method the place of the new one, and the places of the added ones.
fn methods(p: &Pair<'_>, may_add: bool) -> Result<Vec<usize>, &'static str> {
    // mostly they are in the same order
    let place = |i: usize, a: &MethodInfo| match p.new.methods.get(i) {
        Some(b) if p.method(a, b) => Some(i),
        _ => p.new.methods.iter().position(|b| p.method(a, b)),
    };
    let found = p.old.methods.iter().enumerate().map(|(i, a)| place(i, a));
    let found: Vec<Option<usize>> = found.collect();
    let is_new = |i: usize| !found.contains(&Some(i));
    let added: Vec<usize> = match found.len() >= p.new.methods.len() && !found.contains(&None) {
        true => Vec::new(),
        false => (0..p.new.methods.len()).filter(|&i| is_new(i)).collect(),
    };
    if added
        .iter()
        .any(|&i| !may_add || !is_alone(&p.new.methods[i]))
    {
        return Err("add a method");
    }
    let all: Option<Vec<usize>> = found.into_iter().collect();
    let Some(all) = all else {
        return Err("delete a method");
    };
    let mut pairs = p.old.methods.iter().zip(&all);
    let flags = |a: &MethodInfo, b: &MethodInfo| (a.access_flags ^ b.access_flags) & !acc::NATIVE;
    match pairs.any(|(a, &i)| flags(a, &p.new.methods[i]) != 0) {
        true => Err("change method modifiers"),
        false => Ok([all, added].concat()),
    }
}
