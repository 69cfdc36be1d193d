//! What a field, an element or a parameter may hold: for those who hand the VM an object without a verifier having
//! proved its class, such as Java's `Unsafe` and hosts. An object of a stranger's class would be read as what it
//! is not.

use super::{ClassKind, acc};
use crate::ids::{ClassId, LoaderId, Ref};
use crate::vm::Vm;

impl Vm {
    /// Whether an object of class `c` is what the field descriptor `desc` says in classes of `loader`. Anything is an
    /// instance of an interface, as it is to the verifier.
    pub(crate) fn fits(&mut self, c: ClassId, desc: &str, loader: LoaderId) -> bool {
        let (mut c, mut element) = (c, desc);
        while let Some(of) = element.strip_prefix('[') {
            let ClassKind::Array(elem) = self.class(c).kind else {
                return false;
            };
            (c, element) = (elem, of);
        }
        let name = element.strip_prefix('L').and_then(|d| d.strip_suffix(';'));
        let (name, kind) = match (name, self.class(c).kind) {
            (Some(name), kind) if !matches!(kind, ClassKind::Primitive(_)) => (name, kind),
            (None, ClassKind::Primitive(p)) => return element.as_bytes() == [p],
            _ => return false,
        };
        if name == "java/lang/Object" {
            return true;
        }
        let Some(sym) = self.syms.find(name) else {
            return false;
        };
        let known = self.loaders[loader.0 as usize].classes.get(&sym);
        if let Some(&known) = known {
            return self.class(known).is_interface() || self.is_subtype(c, known);
        }
        if !matches!(kind, ClassKind::Instance) {
            return self.supertype_named(c, sym).is_some();
        }
        // the loader has not asked for the class yet; when it does, it must get this one
        self.supertype_named(c, sym).is_some_and(|k| {
            let its = self.class(k).loader;
            self.constrain(desc, loader, its).is_ok()
        })
    }
    fn supertype_named(&self, c: ClassId, name: crate::Sym) -> Option<ClassId> {
        let supers = std::iter::successors(Some(c), |&k| self.class(k).super_class);
        let interfaces = self.class(c).all_interfaces.iter().copied();
        supers
            .chain(interfaces)
            .find(|&k| self.class(k).name_sym == name)
    }
    /// Whether the reference at byte `off` of `r` may become `v`: one stands there, and its type says so.
    fn may_hold(&mut self, r: Ref, off: usize, v: Ref) -> bool {
        let class = self.class_of(r);
        // what method handles call is for their natives to say
        let fixed = [self.known.member_name, self.known.resolved_method_name];
        if fixed.contains(&class) || !self.heap.is_reference(r, off) {
            return false;
        }
        if v.is_null() {
            return true;
        }
        let new = self.class_of(v);
        let old = self.heap.get_known_ref(r, off);
        if !old.is_null() && self.class_of(old) == new {
            return true;
        }
        if let ClassKind::Array(elem) = self.class(class).kind {
            return self.is_subtype(new, elem);
        }
        let mut declared = self.declared_at(class, off, false);
        if declared.is_none() && class == self.known.class {
            declared = self.declared_at(self.of_mirror(r), off, true);
        }
        let Some((holder, desc)) = declared else {
            return false;
        };
        let desc = self.syms.str(desc).clone();
        self.fits(new, &desc, self.class(holder).loader)
    }
    /// The class that declares the reference field at `off`, and the field's descriptor.
    fn declared_at(
        &self,
        c: ClassId,
        off: usize,
        is_static: bool,
    ) -> Option<(ClassId, crate::Sym)> {
        let up = |&k: &ClassId| self.class(k).super_class.filter(|_| !is_static);
        std::iter::successors(Some(c), up).find_map(|k| {
            let mut fields = self.class(k).fields.iter();
            let f = fields.find(|f| {
                f.offset as usize == off
                    && (f.access & acc::STATIC != 0) == is_static
                    && matches!(f.ty, b'L' | b'[')
            })?;
            Some((k, f.desc))
        })
    }
    /// Writes a reference field or element of an object if it can hold `v`; otherwise, or if no reference stands
    /// there, `false`.
    pub fn put_reference(&mut self, r: Ref, off: usize, v: Ref) -> bool {
        self.heap.check(r);
        self.heap.check(v);
        let may = self.may_hold(r, off, v);
        if may {
            self.heap.put_known_ref(r, off, v);
        }
        may
    }
}
