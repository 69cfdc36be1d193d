//! The objects that a field, an element or a parameter may hold. Java's `Unsafe` and hosts hand the VM objects whose class no
//! verifier has proved. An object of another class would be read with a wrong layout.

use super::{ClassKind, acc};
use crate::ids::{ClassId, LoaderId, Ref};
use crate::vm::Vm;

/// Whether an object is what a descriptor says.
enum Fit {
    Yes,
    No,
    /// It is, if the loader knows this class by the name.
    As(ClassId),
}

impl Vm {
    /// Whether an object of class `c` is what the field descriptor `desc` says in classes of `loader`. Anything is an
    /// instance of an interface, as it is to the verifier. A class of that name that the loader asks for later must be
    /// the object's.
    pub(crate) fn fits(&mut self, c: ClassId, desc: &str, loader: LoaderId) -> bool {
        match self.fit(c, desc, loader) {
            Fit::Yes => true,
            Fit::No => false,
            Fit::As(k) => {
                let its = self.class(k).loader;
                self.constrain(desc, loader, its).is_ok()
            }
        }
    }
    /// The same, but that it leaves no constraint for later.
    pub(crate) fn is_type(&self, c: ClassId, desc: &str, loader: LoaderId) -> bool {
        !matches!(self.fit(c, desc, loader), Fit::No)
    }
    fn fit(&self, c: ClassId, desc: &str, loader: LoaderId) -> Fit {
        let of = |fits| if fits { Fit::Yes } else { Fit::No };
        let (mut c, mut element) = (c, desc);
        while let Some(of) = element.strip_prefix('[') {
            let ClassKind::Array(elem) = self.class(c).kind else {
                return Fit::No;
            };
            (c, element) = (elem, of);
        }
        let name = element.strip_prefix('L').and_then(|d| d.strip_suffix(';'));
        let (name, kind) = match (name, self.class(c).kind) {
            (Some(name), kind) if !matches!(kind, ClassKind::Primitive(_)) => (name, kind),
            (None, ClassKind::Primitive(p)) => return of(element.as_bytes() == [p]),
            _ => return Fit::No,
        };
        if name == "java/lang/Object" {
            return Fit::Yes;
        }
        let Some(sym) = self.syms.find(name) else {
            return Fit::No;
        };
        let known = self.loaded.loaders[loader.0 as usize].classes.get(&sym);
        if let Some(&known) = known {
            return of(self.class(known).is_interface() || self.is_subtype(c, known));
        }
        let named = self.supertype_named(c, sym);
        match (kind, named) {
            // the loader has not requested the class yet; when it does, it must get this one
            (ClassKind::Instance, Some(k)) => Fit::As(k),
            (_, named) => of(named.is_some()),
        }
    }
    fn supertype_named(&self, c: ClassId, name: crate::Sym) -> Option<ClassId> {
        let supers = std::iter::successors(Some(c), |&k| self.class(k).super_class);
        let interfaces = self.class(c).all_interfaces.iter().copied();
        supers
            .chain(interfaces)
            .find(|&k| self.class(k).name_sym == name)
    }
    /// Whether the reference at byte `off` of `r` may become `v`: one is there, and its type says so.
    fn may_hold(&mut self, r: Ref, off: usize, v: Ref) -> bool {
        // what method handles call is for their natives to say
        let fixed = [
            self.loaded.known.member_name,
            self.loaded.known.resolved_method_name,
        ];
        let of_class = self.heap.is_mirror(r).then(|| self.of_mirror(r));
        if of_class.is_some_and(|c| self.heap.is_barred(c)) || self.heap.is_barred(self.class_of(r))
        {
            return false;
        }
        !fixed.contains(&self.class_of(r)) && self.is_of_type(r, off, v)
    }
    /// Whether `v` is of the type of the reference at byte `off` of `r`.
    pub(crate) fn is_of_type(&mut self, r: Ref, off: usize, v: Ref) -> bool {
        let class = self.class_of(r);
        if !self.heap.is_reference(r, off) {
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
        if declared.is_none() && class == self.loaded.known.class {
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
    /// Writes a reference field or element of an object if it can hold `v`; otherwise, or if no reference is
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
