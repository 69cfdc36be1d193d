//! Loader constraints (JVMS 5.3.4): loaders that must mean the same class by a name.

use crate::classes::VtableEntry;
use crate::classes::{acc, names};
use crate::ids::{ClassId, LoaderId, MethodId, Sym};
use crate::throw::{R, Throw};
use crate::vm::Vm;
use hashbrown::HashMap;
use rjvm_classfile::ClassFile;

/// All constraints, by class name.
#[derive(Default)]
pub(super) struct Constraints {
    by_name: HashMap<Sym, Vec<Constraint>>,
    /// Bytes of them.
    bytes: usize,
}

/// Loaders that agree on a name, and the class they agree on once one of them has loaded it.
struct Constraint {
    loaders: Vec<LoaderId>,
    class: Option<ClassId>,
}

impl Constraint {
    /// Bytes that it takes, with its part of the table.
    fn bytes(&self) -> usize {
        2 * size_of::<Constraint>() + size_of_val(&*self.loaders)
    }
}

impl Constraints {
    /// The names that loaders agree on.
    pub(super) fn each_symbol(&self, used: &mut dyn FnMut(Sym)) {
        self.by_name.keys().for_each(|&y| used(y));
    }
    /// Forgets classes that are being unloaded.
    pub(super) fn forget(&mut self, lives: impl Fn(ClassId) -> bool) {
        for k in self.by_name.values_mut().flatten() {
            k.class = k.class.filter(|&c| lives(c));
        }
    }
    /// Forgets a loader; a constraint with only one loader left is dropped.
    pub(super) fn forget_loaders(&mut self, dead: &[LoaderId]) {
        self.by_name.retain(|_, list| {
            for k in list.iter_mut() {
                k.loaders.retain(|l| !dead.contains(l));
            }
            list.retain(|k| k.loaders.len() > 1);
            !list.is_empty()
        });
        let all = self.by_name.values().flatten();
        self.bytes = all.map(Constraint::bytes).sum();
    }
}

/// Names of classes in a descriptor (elements of arrays), those of `java.` left out: only one
/// loader can define them.
fn class_names(desc: &str) -> impl Iterator<Item = &str> {
    desc.split(';').filter_map(|part| {
        let name = &part[part.find('L')? + 1..];
        (!name.starts_with("java/")).then_some(name)
    })
}

impl Vm {
    /// Bytes that all constraints take.
    pub(crate) fn constraint_bytes(&self) -> usize {
        self.loaded.linker.constraints.bytes
    }
    /// Imposes that `a` and `b` mean the same by every class named in `desc`; the name they differ on otherwise.
    pub(super) fn constrain(&mut self, desc: &str, a: LoaderId, b: LoaderId) -> Result<(), String> {
        if a == b {
            return Ok(());
        }
        for name in class_names(desc) {
            let sym = self.syms.intern(name);
            let loaded = |l: LoaderId| self.loaded.loaders[l.0 as usize].classes.get(&sym).copied();
            let (ca, cb) = (loaded(a), loaded(b));
            let list = self
                .loaded
                .linker
                .constraints
                .by_name
                .entry(sym)
                .or_default();
            let (mut merged, mut class, mut clash) = (vec![a, b], ca, false);
            let mut see = |c: Option<ClassId>| match (class, c) {
                (Some(x), Some(y)) if x != y => clash = true,
                (None, Some(_)) => class = c,
                _ => {}
            };
            see(cb);
            for k in list.iter() {
                if k.loaders.contains(&a) || k.loaders.contains(&b) {
                    see(k.class);
                }
            }
            if clash {
                return Err(name.to_string());
            }
            let mut joined = 0;
            list.retain(|k| {
                let joins = k.loaders.contains(&a) || k.loaders.contains(&b);
                if joins {
                    joined += k.bytes();
                    merged.extend(&k.loaders);
                }
                !joins
            });
            merged.sort_unstable();
            merged.dedup();
            let constraint = Constraint {
                loaders: merged,
                class,
            };
            let bytes = &mut self.loaded.linker.constraints.bytes;
            *bytes = *bytes + constraint.bytes() - joined;
            list.push(constraint);
        }
        Ok(())
    }
    /// A class that another loader must agree on, before this loader records it.
    pub(super) fn check_recorded(&mut self, loader: LoaderId, name: Sym, c: ClassId) -> R<()> {
        let list = self.loaded.linker.constraints.by_name.get_mut(&name);
        let hit = list.and_then(|l| l.iter_mut().find(|k| k.loaders.contains(&loader)));
        match hit {
            Some(k) if k.class.is_some_and(|old| old != c) => {
                let old = k.class.unwrap_or_default();
                Err(self.wants_to_load(loader, c, old))
            }
            Some(k) => {
                k.class = Some(c);
                Ok(())
            }
            None => Ok(()),
        }
    }
    fn wants_to_load(&mut self, loader: LoaderId, c: ClassId, old: ClassId) -> Box<Throw> {
        let kind = self.external_kind(c);
        let old_loader = self.class(old).loader;
        let text = format!(
            "loader constraint violation: loader {} wants to load {kind} {}. A different {} with the same name was previously loaded by {}. ({})",
            self.loader_name(loader),
            self.external_class(c),
            self.external_kind(old),
            self.loader_name(old_loader),
            self.class_in_loader(old)
        );
        Throw::msg("java/lang/LinkageError", text)
    }
    /// The same check for a class about to be defined.
    pub(super) fn check_define_constraints(
        &mut self,
        loader: LoaderId,
        sym: Sym,
        name: &str,
        cf: &ClassFile,
    ) -> R<()> {
        let list = self.loaded.linker.constraints.by_name.get(&sym);
        let old = list
            .and_then(|l| l.iter().find(|k| k.loaders.contains(&loader)))
            .and_then(|k| k.class);
        let Some(old) = old else {
            return Ok(());
        };
        let kind = match cf.access_flags {
            a if a & acc::INTERFACE != 0 => "interface",
            a if a & acc::ABSTRACT != 0 => "abstract class",
            _ => "class",
        };
        let old_loader = self.class(old).loader;
        let text = format!(
            "loader constraint violation: loader {} wants to load {kind} {}. A different {} with the same name was previously loaded by {}. ({})",
            self.loader_name(loader),
            names::dotted(name),
            self.external_kind(old),
            self.loader_name(old_loader),
            self.class_in_loader(old)
        );
        Err(Throw::msg("java/lang/LinkageError", text))
    }
    /// After resolution of a method reference in `current` that names `named`.
    pub(super) fn constrain_method(
        &mut self,
        current: ClassId,
        named: ClassId,
        m: MethodId,
    ) -> R<()> {
        let k = self.method(m);
        let (holder, desc, name) = (k.class, self.syms.str(k.desc).clone(), k.name);
        let (a, b) = (self.class(current).loader, self.class(holder).loader);
        let Err(ty) = self.constrain(&desc, a, b) else {
            return Ok(());
        };
        let what = if self.class(named).is_interface() {
            "interface method"
        } else {
            "method"
        };
        let text = format!(
            "loader constraint violation: when resolving {what} '{}' the class loader {} of the current class, {}, and the class loader {} for the method's defining class, {}, have different Class objects for the type {} used in the signature ({}; {})",
            names::method_text(&self.external_class(named), self.syms.str(name), &desc),
            self.loader_name(a),
            self.name(current),
            self.loader_name(b),
            self.name(holder),
            ty,
            self.class_in_loader(current),
            self.class_in_loader(holder)
        );
        Err(Throw::msg("java/lang/LinkageError", text))
    }
    /// After resolution of a field reference.
    pub(super) fn constrain_field(&mut self, current: ClassId, holder: ClassId, f: u32) -> R<()> {
        let field = &self.class(holder).fields[f as usize];
        let (name, desc) = (field.name, self.syms.str(field.desc).clone());
        let (a, b) = (self.class(current).loader, self.class(holder).loader);
        if self.constrain(&desc, a, b).is_ok() {
            return Ok(());
        }
        let name = self.syms.str(name).clone();
        let ty = match desc.strip_prefix('L') {
            Some(class) => class.trim_end_matches(';'),
            None => &desc,
        };
        let text = format!(
            "loader constraint violation: when resolving field \"{}\" of type {}, the class loader {} of the current class, {}, and the class loader {} for the field's defining class, {}, have different Class objects for type {} ({}; {})",
            name,
            ty,
            self.loader_name(a),
            self.external_class(current),
            self.loader_name(b),
            self.external_class(holder),
            ty,
            self.class_in_loader(current),
            self.class_in_loader(holder)
        );
        Err(Throw::msg("java/lang/LinkageError", text))
    }
    /// Methods that override or implement ones of other loaders' classes (JVMS 5.4.5, 5.3.4).
    pub(super) fn check_table_constraints(&mut self, c: ClassId) -> R<()> {
        let k = self.class(c);
        if k.is_interface() {
            return Ok(());
        }
        let (loader, super_class) = (k.loader, k.super_class);
        if let Some(s) = super_class {
            let over = self.class(s).vtable().iter().map(VtableEntry::method);
            let by = self.class(c).vtable().iter().map(VtableEntry::method);
            let overriding = by.zip(over).filter(|&(m, _)| self.method(m).class == c);
            let mut overriding: Vec<(MethodId, MethodId)> = overriding.collect();
            // in the order of their declaration
            overriding.sort_by_key(|&(m, _)| self.method(m).slot);
            for (m, over) in overriding {
                let holder = self.method(over).class;
                let desc = self.syms.str(self.method(m).desc).clone();
                let other = self.class(holder).loader;
                if let Err(ty) = self.constrain(&desc, loader, other) {
                    let text = format!(
                        "loader constraint violation for class {}: when selecting overriding method '{}' the class loader {} of the selected method's type {}, and the class loader {} for its super type {} have different Class objects for the type {} used in the signature ({}; {})",
                        self.external_class(c),
                        self.external_method(m),
                        self.loader_name(loader),
                        self.external_class(c),
                        self.loader_name(other),
                        self.external_class(holder),
                        ty,
                        self.class_in_loader(c),
                        self.class_in_loader(holder)
                    );
                    return Err(Throw::msg("java/lang/LinkageError", text));
                }
            }
        }
        let all = self.class(c).all_interfaces.clone();
        for &i in &*all {
            self.check_interface_constraints(c, i)?;
        }
        Ok(())
    }
    fn check_interface_constraints(&mut self, c: ClassId, i: ClassId) -> R<()> {
        let theirs = self.class(i).loader;
        for m in self.class(i).methods.clone() {
            let k = self.method(m);
            if k.access & (acc::STATIC | acc::PRIVATE) != 0 {
                continue;
            }
            let (name, desc) = (k.name, k.desc);
            let instance = |vm: &Vm, m| vm.method(m).access & (acc::STATIC | acc::PRIVATE) == 0;
            let Some(s) = self.in_classes(c, name, desc, instance) else {
                continue;
            };
            let holder = self.method(s).class;
            let ours = self.class(holder).loader;
            let desc = self.syms.str(desc).clone();
            if let Err(ty) = self.constrain(&desc, theirs, ours) {
                let text = format!(
                    "loader constraint violation in interface itable initialization for class {}: when selecting method '{}' the class loader {} for super interface {}, and the class loader {} of the selected method's {}, {} have different Class objects for the type {} used in the signature ({}; {})",
                    self.external_class(c),
                    self.external_method(m),
                    self.loader_name(theirs),
                    self.external_class(i),
                    self.loader_name(ours),
                    self.external_kind(holder),
                    self.external_class(holder),
                    ty,
                    self.class_in_loader(i),
                    self.class_in_loader(holder)
                );
                return Err(Throw::msg("java/lang/LinkageError", text));
            }
        }
        Ok(())
    }
}
