//! Resolution of symbolic references (JVMS 5.4.3): classes, fields, methods.

use crate::classes::load::Mode;
use crate::classes::method::intrinsic;
use crate::classes::{ClassKind, PoolEntry, Resolved, acc, names};
use crate::ids::{ClassId, MethodId, Sym};
use crate::natives::Env;
use crate::throw::{R, Throw};
use crate::vm::Vm;

/// How an instruction invokes a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Invoke {
    /// `invokevirtual`
    Virtual,
    /// `invokespecial`
    Special,
    /// `invokestatic`
    Static,
    /// `invokeinterface`
    Interface,
}

/// Reference kinds of method handles (table 5.4.3.5-A).
pub mod ref_kind {
    /// `REF_invokeVirtual`
    pub const INVOKE_VIRTUAL: i32 = 5;
    /// `REF_invokeStatic`
    pub const INVOKE_STATIC: i32 = 6;
    /// `REF_invokeInterface`
    pub const INVOKE_INTERFACE: i32 = 9;
}

const ICCE: &str = "java/lang/IncompatibleClassChangeError";

impl Vm {
    /// What a constant-pool entry has been resolved to, if so; the error thrown before, if it failed.
    fn earlier(&mut self, c: ClassId, i: PoolEntry) -> R<Option<Resolved>> {
        match self.class(c).state(i) {
            None => Err(names::bad_index(i.index)),
            Some(Resolved::None) => Ok(None),
            Some(Resolved::Error(f)) => Err(self.throw_again(&f)),
            known => Ok(known),
        }
    }
    /// Records the outcome of a resolution.
    fn settle<T>(
        &mut self,
        c: ClassId,
        i: PoolEntry,
        r: R<T>,
        ok: impl Fn(&T) -> Resolved,
    ) -> R<T> {
        match &r {
            Ok(v) => {
                let r = ok(v);
                match r {
                    Resolved::Class(k) | Resolved::Field(k, _) => self.heap.depend(c, k),
                    Resolved::Method(m) => {
                        let holder = self.method(m).class;
                        self.heap.depend(c, holder);
                    }
                    _ => {}
                }
                self.heap.class_mut(c).set_state(i, r);
            }
            Err(t) if !self.loaded.linker.quiet => self.remember_error(c, i, t),
            Err(_) => {}
        }
        r
    }
    /// Whether nothing may run code.
    pub(super) fn is_quiet(&self) -> bool {
        self.loaded.linker.quiet
    }
    /// Runs a resolution that may neither run code nor throw.
    fn quietly<T>(&mut self, f: impl FnOnce(&mut Vm) -> R<T>) -> Option<T> {
        let outer = std::mem::replace(&mut self.loaded.linker.quiet, true);
        let r = f(self);
        self.loaded.linker.quiet = outer;
        r.ok()
    }

    /// Symbolic reference to a class at constant-pool index `i` of `c` (JVMS 5.4.3.1, access check included).
    pub(crate) fn resolve_class(&mut self, c: ClassId, i: PoolEntry) -> R<ClassId> {
        if let Some(Resolved::Class(k)) = self.earlier(c, i)? {
            return Ok(k);
        }
        let r = self.resolve_class_anew(c, i);
        self.settle(c, i, r, |k| Resolved::Class(*k))
    }
    fn resolve_class_anew(&mut self, c: ClassId, i: PoolEntry) -> R<ClassId> {
        let Some(cf) = self.class(c).file_of(i.pool).cloned() else {
            return Err(names::bad_index(i.index));
        };
        let name = names::class_text(&cf.constant_pool, i.index)?;
        let loader = self.class(c).loader;
        let k = self.load_class_as(loader, &name, Mode::Resolve(c, i))?;
        if !self.class_accessible(c, k) {
            return Err(self.inaccessible_class(c, k));
        }
        Ok(k)
    }
    fn inaccessible_class(&mut self, from: ClassId, to: ClassId) -> Box<Throw> {
        let mut to = to;
        while let ClassKind::Array(e) = self.class(to).kind {
            to = e;
        }
        let text = match self.module_access(from, to) {
            Err(text) if self.class(to).access & acc::PUBLIC != 0 => text,
            _ => {
                let places = self.classes_in_modules(to, from);
                format!(
                    "failed to access class {} from class {} ({places})",
                    self.external_class(to),
                    self.external_class(from)
                )
            }
        };
        Throw::msg("java/lang/IllegalAccessError", text)
    }
    /// The class at `i` if resolving it runs no code and does not fail.
    pub(crate) fn try_resolve_class(&mut self, c: ClassId, i: PoolEntry) -> Option<ClassId> {
        self.quietly(|vm| vm.resolve_class(c, i))
    }

    /// The class, name and descriptor of a member reference.
    fn member(&mut self, c: ClassId, i: PoolEntry) -> R<(ClassId, Sym, Sym, bool)> {
        let Some(cf) = self.class(c).file_of(i.pool).cloned() else {
            return Err(names::bad_index(i.index));
        };
        let pool = &cf.constant_pool;
        let (class, name, desc, interface) = names::member_entries(pool, i.index)?;
        let k = self.resolve_class(c, i.beside(class))?;
        let (name, desc) = (self.syms.of(pool, name)?, self.syms.of(pool, desc)?);
        Ok((k, name, desc, interface))
    }

    /// Field resolution (5.4.3.2): declaring class and index in its `fields`. `put`: checks final-field assignment rules by the caller.
    pub(crate) fn resolve_field(&mut self, c: ClassId, i: PoolEntry) -> R<(ClassId, u32)> {
        if let Some(Resolved::Field(k, f)) = self.earlier(c, i)? {
            return Ok((k, f));
        }
        let r = self.resolve_field_anew(c, i);
        self.settle(c, i, r, |&(k, f)| Resolved::Field(k, f))
    }
    fn resolve_field_anew(&mut self, c: ClassId, i: PoolEntry) -> R<(ClassId, u32)> {
        let (named, name, desc, _) = self.member(c, i)?;
        self.resolve_field_in(Some(c), named, name, desc)
    }
    /// Field resolution in class `named` on behalf of `from` (`None`: no access check).
    pub(crate) fn resolve_field_in(
        &mut self,
        from: Option<ClassId>,
        named: ClassId,
        name: Sym,
        desc: Sym,
    ) -> R<(ClassId, u32)> {
        let Some((holder, f)) = self.find_field(named, name, desc) else {
            let mut text = self.syms.str(name).to_string();
            // 21 or a version after 17 was the first one to say more
            if self.feature() >= 21 {
                let (class, kind) = (
                    self.external_class(named),
                    names::type_text(self.syms.str(desc)),
                );
                text = format!("Class {class} does not have member field '{kind} {text}'");
            }
            return Err(Throw::msg("java/lang/NoSuchFieldError", text));
        };
        let Some(from) = from else {
            return Ok((holder, f));
        };
        let access = self.class(holder).fields[f as usize].access;
        if !self.member_accessible(from, named, holder, access)? {
            let places = self.classes_in_modules(from, holder);
            let text = format!(
                "class {} tried to access {}field {}.{} ({places}){}",
                self.external_class(from),
                access_word(access),
                self.external_class(holder),
                self.syms.str(name),
                self.nest_errors(from, holder, access)
            );
            return Err(Throw::msg("java/lang/IllegalAccessError", text));
        }
        self.constrain_field(from, holder, f)?;
        Ok((holder, f))
    }
    /// The field at `i` if resolving it runs no code and does not fail.
    pub(crate) fn try_resolve_field(&mut self, c: ClassId, i: PoolEntry) -> Option<(ClassId, u32)> {
        self.quietly(|vm| vm.resolve_field(c, i))
    }

    /// Method resolution (5.4.3.3, 5.4.3.4 by the entry's kind).
    pub(crate) fn resolve_method(&mut self, c: ClassId, i: PoolEntry) -> R<MethodId> {
        if let Some(Resolved::Method(m)) = self.earlier(c, i)? {
            return Ok(m);
        }
        let r = self.resolve_method_anew(c, i);
        self.settle(c, i, r, |m| Resolved::Method(*m))
    }
    fn resolve_method_anew(&mut self, c: ClassId, i: PoolEntry) -> R<MethodId> {
        let (named, name, desc, interface) = self.member(c, i)?;
        if interface != self.class(named).is_interface() {
            let text = if interface {
                format!(
                    "Found class {}, but interface was expected",
                    self.external_class(named)
                )
            } else {
                let m = names::method_text(
                    &self.external_class(named),
                    self.syms.str(name),
                    self.syms.str(desc),
                );
                format!("Method '{m}' must be InterfaceMethodref constant")
            };
            return Err(Throw::msg(ICCE, text));
        }
        self.resolve_method_in(Some(c), named, name, desc)
    }
    /// Method resolution in class or interface `named` on behalf of `from` (`None`: no access check).
    pub(crate) fn resolve_method_in(
        &mut self,
        from: Option<ClassId>,
        named: ClassId,
        name: Sym,
        desc: Sym,
    ) -> R<MethodId> {
        let found = match self.polymorphic(named, name) {
            Some(m) => match self.method(m).intrinsic {
                intrinsic::INVOKE_GENERIC => Some(m),
                _ => Some(self.linker_method(m, desc)),
            },
            None => self.find_method(named, name, desc),
        };
        let Some(m) = found else {
            let text = names::method_text(
                &self.external_class(named),
                self.syms.str(name),
                self.syms.str(desc),
            );
            return Err(Throw::msg(
                "java/lang/NoSuchMethodError",
                format!("'{text}'"),
            ));
        };
        let Some(from) = from else {
            return Ok(m);
        };
        let k = self.method(m);
        let (holder, mut access) = (k.class, k.access);
        // arrays have a public clone (JLS 10.7)
        if self.class(named).is_array() && &**self.syms.str(name) == "clone" {
            access |= acc::PUBLIC;
        }
        if !self.member_accessible(from, named, holder, access)? {
            let places = self.classes_in_modules(from, holder);
            let kind = if self.method(m).is_abstract() {
                "abstract "
            } else {
                ""
            };
            let text = format!(
                "class {} tried to access {kind}{}method '{}' ({places}){}",
                self.external_class(from),
                access_word(access),
                self.external_method(m),
                self.nest_errors(from, holder, access)
            );
            return Err(Throw::msg("java/lang/IllegalAccessError", text));
        }
        self.constrain_method(from, named, m)?;
        Ok(m)
    }
    /// Method resolution for a method handle of a reference kind (table 5.4.3.5-A), which the method
    /// must suit.
    pub(crate) fn resolve_method_for_handle(
        &mut self,
        from: Option<ClassId>,
        named: ClassId,
        name: Sym,
        desc: Sym,
        ref_kind: i32,
    ) -> R<MethodId> {
        let changed = |text: String| Throw::msg(ICCE, text);
        let interface = self.class(named).is_interface();
        match ref_kind {
            ref_kind::INVOKE_INTERFACE if !interface => {
                let class = self.external_class(named);
                return Err(changed(format!(
                    "Found class {class}, but interface was expected"
                )));
            }
            ref_kind::INVOKE_VIRTUAL if interface => {
                let class = self.external_class(named);
                return Err(changed(format!(
                    "Found interface {class}, but class was expected"
                )));
            }
            _ => {}
        }
        let m = self.resolve_method_in(from, named, name, desc)?;
        if self.method(m).is_static() != (ref_kind == ref_kind::INVOKE_STATIC) {
            let what = match ref_kind {
                ref_kind::INVOKE_STATIC => "Expected static method",
                ref_kind::INVOKE_INTERFACE => "Expected instance not static method",
                _ => "Expecting non-static method",
            };
            return Err(changed(format!("{what} '{}'", self.external_method(m))));
        }
        Ok(m)
    }
    /// The signature-polymorphic method of that name (2.9.3).
    pub(crate) fn polymorphic(&self, named: ClassId, name: Sym) -> Option<MethodId> {
        if named != self.loaded.known.method_handle && named != self.loaded.known.var_handle {
            return None;
        }
        let k = self.class(named);
        k.methods
            .iter()
            .copied()
            .find(|&m| self.method(m).name == name && self.method(m).intrinsic != intrinsic::NONE)
    }
}

impl Env {
    /// The class that an entry of the pool of a class's file names (JVMS 5.4.3.1, access check included).
    pub fn resolve_class(&mut self, c: ClassId, index: u16) -> R<ClassId> {
        let at = self.0.class(c).entry(index);
        self.0.resolve_class(c, at)
    }
}

/// `private `, `protected ` or nothing.
fn access_word(access: u16) -> &'static str {
    match access {
        a if a & acc::PRIVATE != 0 => "private ",
        a if a & acc::PROTECTED != 0 => "protected ",
        _ => "",
    }
}
