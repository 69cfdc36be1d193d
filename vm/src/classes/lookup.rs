//! Looking up fields and methods, selecting methods, subtype tests (JVMS 5.4.3.2 to 5.4.6).

use crate::classes::method::vindex;
use crate::classes::tables::FEW;
use crate::classes::{Class, ClassKind, acc, names};
use crate::heap::Heap;
use crate::ids::{ClassId, MethodId, Sym};
use crate::throw::{R, Throw};
use crate::vm::Vm;
use rjvm_classfile::opcodes as o;

/// The outcome of a search for maximally-specific superinterface methods.
pub(super) enum Specific {
    /// No candidate.
    None,
    /// Exactly one that is not abstract.
    One(MethodId),
    /// Only abstract ones; one of them.
    Abstract(MethodId),
    /// Several that are not abstract.
    Conflict(Vec<MethodId>),
}

impl Heap {
    /// Whether `a` is `b`, or a subclass of it, or implements it, or (arrays) is assignable to it.
    pub(crate) fn is_subtype(&self, a: ClassId, b: ClassId) -> bool {
        let (mut a, mut b) = (a, b);
        // SAFETY: hot blocks of live classes.
        let (depth, display) = unsafe { ((*self.hot(b)).depth as usize, &(*self.hot(a)).display) };
        if display.get(depth) == Some(&b) {
            return true;
        }
        loop {
            if a == b {
                return true;
            }
            let (ka, kb) = (self.class(a), self.class(b));
            match (ka.kind, kb.kind) {
                (ClassKind::Array(ea), ClassKind::Array(eb)) => (a, b) = (ea, eb),
                (_, ClassKind::Instance) if kb.is_interface() => {
                    return ka.all_interfaces.contains(&b);
                }
                (ClassKind::Primitive(_), _)
                | (_, ClassKind::Primitive(_) | ClassKind::Array(_)) => {
                    return false;
                }
                _ => return self.is_subclass(a, b),
            }
        }
    }
    /// Whether `b` is `a` or one of its superclasses.
    fn is_subclass(&self, a: ClassId, b: ClassId) -> bool {
        let mut c = Some(a);
        while let Some(k) = c {
            if k == b {
                return true;
            }
            c = self.class(k).super_class;
        }
        false
    }
}

impl Vm {
    /// Whether `a` is `b`, or a subclass of it, or implements it, or (arrays) is assignable to it.
    pub(crate) fn is_subtype(&self, a: ClassId, b: ClassId) -> bool {
        self.heap.is_subtype(a, b)
    }
    /// Whether `b` is `a` or one of its superclasses.
    pub(super) fn is_subclass(&self, a: ClassId, b: ClassId) -> bool {
        self.heap.is_subclass(a, b)
    }
    /// Whether the object (not null) is an instance of `c`.
    pub fn instance_of(&self, r: crate::Ref, c: ClassId) -> bool {
        self.is_subtype(self.class_of(r), c)
    }

    /// A declared method.
    pub(crate) fn declared_method(&self, c: ClassId, name: Sym, desc: Sym) -> Option<MethodId> {
        let k = self.class(c);
        if k.methods.len() > FEW {
            let found = k.method_index.get(name, desc);
            return found.filter(|&m| !self.method(m).deleted);
        }
        let is = |&m: &MethodId| {
            let m = self.method(m);
            m.name == name && m.desc == desc && !m.deleted
        };
        k.methods.iter().copied().find(is)
    }
    /// A method of `c` or its superclasses; `accept` filters.
    pub(super) fn in_classes(
        &self,
        c: ClassId,
        name: Sym,
        desc: Sym,
        accept: impl Fn(&Vm, MethodId) -> bool,
    ) -> Option<MethodId> {
        let mut c = Some(c);
        while let Some(k) = c {
            if let Some(m) = self.declared_method(k, name, desc)
                && accept(self, m)
            {
                return Some(m);
            }
            c = self.class(k).super_class;
        }
        None
    }
    /// The maximally-specific superinterface methods of `c` (5.4.3.3).
    pub(super) fn specific(&self, c: ClassId, name: Sym, desc: Sym) -> Specific {
        let mut found: Vec<MethodId> = Vec::new();
        for &i in &*self.class(c).all_interfaces {
            if let Some(m) = self.declared_method(i, name, desc)
                && self.method(m).access & (acc::STATIC | acc::PRIVATE) == 0
            {
                found.push(m);
            }
        }
        if found.is_empty() {
            return Specific::None;
        }
        let of = |m: MethodId| self.method(m).class;
        let maximal: Vec<MethodId> = found
            .iter()
            .copied()
            .filter(|&m| {
                !found
                    .iter()
                    .any(|&n| n != m && self.class(of(n)).all_interfaces.contains(&of(m)))
            })
            .collect();
        let concrete: Vec<MethodId> = maximal
            .iter()
            .copied()
            .filter(|&m| !self.method(m).is_abstract())
            .collect();
        match concrete.len() {
            0 => Specific::Abstract(maximal.first().copied().unwrap_or(found[0])),
            1 => Specific::One(concrete[0]),
            _ => Specific::Conflict(concrete),
        }
    }
    /// Looks a method up in `c`, its superclasses and then its superinterfaces (5.4.3.3, 5.4.3.4; no access check).
    pub(crate) fn find_method(&self, c: ClassId, name: Sym, desc: Sym) -> Option<MethodId> {
        let k = self.class(c);
        if k.is_interface() {
            if let Some(m) = self.declared_method(c, name, desc) {
                return Some(m);
            }
            if let Some(m) = self.declared_method(self.loaded.known.object, name, desc)
                && self.method(m).access & (acc::PUBLIC | acc::STATIC) == acc::PUBLIC
            {
                return Some(m);
            }
        } else if let Some(m) = self.in_classes(c, name, desc, |_, _| true) {
            return Some(m);
        }
        if k.all_interfaces.is_empty() {
            return None;
        }
        match self.specific(c, name, desc) {
            Specific::None => None,
            Specific::One(m) | Specific::Abstract(m) => Some(m),
            Specific::Conflict(v) => Some(v[0]),
        }
    }
    /// The method that a virtual call of `m` on a receiver of class `c` selects (5.4.6): by vtable index
    /// or by interface look-up. Abstract or conflicting: the AbstractMethodError / IncompatibleClassChangeError.
    pub fn select_method(&mut self, c: ClassId, m: MethodId) -> R<MethodId> {
        let k = self.method(m);
        let selected = match k.vindex {
            i if i >= 0 => self.class(c).vtable()[i as usize].method(),
            vindex::INTERFACE => return self.select_interface(c, m),
            _ => m,
        };
        if self.method(selected).is_abstract() {
            return Err(self.abstract_error(m, Some(selected), Some(c)));
        }
        Ok(selected)
    }
    /// The method that invokeinterface of the interface method `m` selects on a receiver of class `c`.
    pub(crate) fn select_interface(&mut self, c: ClassId, m: MethodId) -> R<MethodId> {
        let known = &self.class(c).selected;
        if let Ok(i) = known.binary_search_by_key(&m, |s| s.0) {
            return Ok(known[i].1);
        }
        self.check_implements(c, self.method(m).class)?;
        let s = match self.method(m).is_private() {
            true => m,
            false => self.implementation(c, m)?,
        };
        let selected = &mut self.heap.class_mut(c).selected;
        let mut all = std::mem::take(selected).into_vec();
        all.reserve_exact(1);
        let at = all.partition_point(|s| s.0 < m);
        all.insert(at, (m, s));
        *selected = all.into();
        Ok(s)
    }
    /// IncompatibleClassChangeError unless a receiver of class `c` implements the interface.
    pub(crate) fn check_implements(&self, c: ClassId, interface: ClassId) -> R<()> {
        if self.is_subtype(c, interface) {
            return Ok(());
        }
        Err(Throw::msg(
            "java/lang/IncompatibleClassChangeError",
            format!(
                "Class {} does not implement the requested interface {}",
                self.external_class(c),
                self.external_class(interface)
            ),
        ))
    }
    /// What a call by `op` throws for a receiver of class `c` that does not implement the interface it is for.
    pub(crate) fn wrong_receiver(&self, op: u8, c: ClassId, interface: ClassId) -> Box<Throw> {
        if op == o::INVOKESPECIAL {
            let text = format!(
                "Receiver class {} must be the current class or a subtype of interface {}",
                self.external_class(c),
                self.external_class(interface)
            );
            return Throw::msg("java/lang/IllegalAccessError", text);
        }
        match self.check_implements(c, interface) {
            Err(t) => t,
            Ok(()) => unreachable!("the receiver implements the interface"),
        }
    }
    /// Steps 2 and 3 of 5.4.6 for an interface method.
    fn implementation(&self, c: ClassId, m: MethodId) -> R<MethodId> {
        let (name, desc) = (self.method(m).name, self.method(m).desc);
        let instance = |vm: &Vm, m| vm.method(m).access & (acc::STATIC | acc::PRIVATE) == 0;
        if let Some(s) = self.in_classes(c, name, desc, instance) {
            let k = self.method(s);
            if k.access & acc::PUBLIC == 0 {
                let (name, desc) = (self.syms.str(name), self.syms.str(desc));
                let text = names::method_text(&self.external_class(c), name, desc);
                return Err(Throw::msg(
                    "java/lang/IllegalAccessError",
                    format!("'{text}'"),
                ));
            }
            if k.is_abstract() {
                return Err(self.abstract_error(m, Some(s), Some(c)));
            }
            return Ok(s);
        }
        match self.specific(c, name, desc) {
            Specific::One(s) => Ok(s),
            // 22 or one of the next three versions was the first one to say so here
            Specific::Conflict(v) if self.feature() >= 22 => Err(self.conflict(&v)),
            // an abstract or ambiguous default is none: see `select_virtual` for the other wording
            _ => Err(self.abstract_error(m, None, Some(c))),
        }
    }
    /// [`Vm::select_method`] for invokevirtual: an interface method that the class named in the
    /// reference inherits without a usable default fails with other words.
    pub(crate) fn select_virtual(&mut self, c: ClassId, m: MethodId) -> R<MethodId> {
        let r = self.select_method(c, m);
        let k = self.method(m);
        if r.is_ok() || k.vindex != vindex::INTERFACE {
            return r;
        }
        let (name, desc) = (k.name, k.desc);
        let instance = |vm: &Vm, m| vm.method(m).access & (acc::STATIC | acc::PRIVATE) == 0;
        if self.in_classes(c, name, desc, instance).is_some() {
            return r;
        }
        match self.specific(c, name, desc) {
            Specific::Conflict(v) => Err(self.conflict(&v)),
            Specific::Abstract(_) if self.inherits_defaults(c) => Err(Throw::msg(
                "java/lang/AbstractMethodError",
                format!(
                    "Method {}.{}{} is abstract",
                    self.name(c),
                    self.syms.str(name),
                    self.syms.str(desc)
                ),
            )),
            _ => r,
        }
    }
    fn inherits_defaults(&self, c: ClassId) -> bool {
        let all = &self.class(c).all_interfaces;
        all.iter().any(|&i| self.class(i).has_defaults)
    }
    fn conflict(&self, methods: &[MethodId]) -> Box<Throw> {
        let mut text = String::from("Conflicting default methods:");
        for &m in methods {
            let k = self.method(m);
            text += &format!(" {}.{}", self.name(k.class), self.syms.str(k.name));
        }
        Throw::msg("java/lang/IncompatibleClassChangeError", text)
    }
    /// The AbstractMethodError of a call of `resolved` on a receiver of class `receiver`.
    pub(crate) fn abstract_error(
        &self,
        resolved: MethodId,
        selected: Option<MethodId>,
        receiver: Option<ClassId>,
    ) -> Box<Throw> {
        let flags = |m: MethodId| {
            let k = self.method(m);
            match (k.is_abstract(), k.is_private()) {
                (true, _) => "abstract ",
                (_, true) => "private ",
                _ => "",
            }
        };
        let holder = self.method(resolved).class;
        let mut text = match receiver {
            Some(c) => format!(
                "Receiver class {} does not define or inherit an implementation of the",
                self.external_class(c)
            ),
            None => "Missing implementation of".into(),
        };
        text += &format!(
            " resolved method '{}{}' of {} {}.",
            flags(resolved),
            self.bare_method(resolved),
            self.external_kind(holder),
            self.external_class(holder)
        );
        if let Some(s) = selected
            && s != resolved
        {
            text += &format!(
                " Selected method is '{}{}'.",
                flags(s),
                self.external_method(s)
            );
        }
        Throw::msg("java/lang/AbstractMethodError", text)
    }
    /// `int size()`: a method as messages name it next to its class.
    fn bare_method(&self, m: MethodId) -> String {
        let k = self.method(m);
        let text = names::method_text("", self.syms.str(k.name), self.syms.str(k.desc));
        text.replacen(" .", " ", 1)
    }
    /// The method that invokespecial in class `current` selects for the resolved method `m` (JVMS 6.5).
    /// `named`: the class that the reference names.
    pub(crate) fn select_special(
        &self,
        current: ClassId,
        named: ClassId,
        m: MethodId,
    ) -> R<MethodId> {
        let k = self.method(m);
        let (name, desc) = (k.name, k.desc);
        if k.is_private() || &**self.syms.str(name) == "<init>" {
            return Ok(m);
        }
        let cur = self.class(current);
        let from = match cur.super_class {
            Some(s)
                if cur.access & acc::SUPER != 0
                    && !self.class(named).is_interface()
                    && named != current
                    && self.is_subclass(current, named) =>
            {
                s
            }
            _ => named,
        };
        let instance = |vm: &Vm, m| !vm.method(m).is_static();
        let found = if self.class(from).is_interface() {
            self.declared_method(from, name, desc)
                .filter(|&m| instance(self, m))
                .or_else(|| {
                    self.declared_method(self.loaded.known.object, name, desc)
                        .filter(|&m| self.method(m).access & acc::PUBLIC != 0)
                })
        } else {
            self.in_classes(from, name, desc, instance)
        };
        let s = match found {
            Some(s) => s,
            None => match self.specific(from, name, desc) {
                Specific::One(s) => s,
                Specific::None => return Err(self.abstract_error(m, None, Some(current))),
                Specific::Abstract(s) => {
                    return Err(self.abstract_error(m, Some(s), Some(current)));
                }
                Specific::Conflict(v) => return Err(self.conflict(&v)),
            },
        };
        if self.method(s).is_abstract() {
            return Err(self.abstract_error(m, Some(s), Some(current)));
        }
        Ok(s)
    }
    /// Field look-up (5.4.3.2): in `c`, its superinterfaces, its superclass.
    pub(crate) fn find_field(&self, c: ClassId, name: Sym, desc: Sym) -> Option<(ClassId, u32)> {
        let mut c = Some(c);
        while let Some(k) = c {
            if let Some(i) = self.visible_field(k, name, desc) {
                return Some((k, i));
            }
            let class: &Class = self.class(k);
            for &i in &*class.interfaces {
                for j in std::iter::once(i).chain(self.class(i).all_interfaces.iter().copied()) {
                    if let Some(f) = self.visible_field(j, name, desc) {
                        return Some((j, f));
                    }
                }
            }
            c = class.super_class;
        }
        None
    }
    /// A declared field that is not the VM's own.
    fn visible_field(&self, c: ClassId, name: Sym, desc: Sym) -> Option<u32> {
        let k = self.class(c);
        k.find_field(name, desc)
            .filter(|&i| k.fields[i as usize].index != u16::MAX)
    }
}
