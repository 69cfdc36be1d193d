//! Texts of messages that name classes, methods and loaders, and access to a pool's names.

use crate::classes::acc;
use crate::ids::{ClassId, LoaderId, MethodId, Sym};
use crate::jdk;
use crate::symbols::Symbols;
use crate::throw::{R, Throw};
use crate::vm::Vm;
use rjvm_classfile::descriptor::{FieldType, MethodDescriptor};
use rjvm_classfile::{ConstantPool, mutf8};
use std::borrow::Cow;

/// A `Utf8` entry as text (unpaired surrogates replaced).
pub(super) fn text(cp: &ConstantPool, i: u16) -> R<Cow<'_, str>> {
    match cp.utf8(i) {
        Ok(b) => Ok(mutf8::to_str_lossy(b)),
        Err(e) => Err(bad_entry(e)),
    }
}

#[cold]
fn bad_entry(e: rjvm_classfile::Error) -> Box<Throw> {
    Throw::msg("java/lang/ClassFormatError", e.detail(None))
}

impl Symbols {
    /// A `Utf8` entry as a symbol.
    pub(super) fn of(&mut self, cp: &ConstantPool, i: u16) -> R<Sym> {
        self.intern_entry(cp, i).map_err(bad_entry)
    }
}

/// The name of a `Class` entry.
pub(super) fn class_text(cp: &ConstantPool, i: u16) -> R<Cow<'_, str>> {
    text(cp, cp.class_name_index(i).map_err(|_| bad_index(i))?)
}

/// A wrong kind of constant-pool entry.
#[cold]
pub(super) fn bad_index(i: u16) -> Box<Throw> {
    Throw::msg(
        "java/lang/ClassFormatError",
        format!("Invalid constant pool index {i}"),
    )
}

/// Entries of class, name and descriptor, and whether it is an `InterfaceMethodref`, of a member
/// reference.
pub(super) fn member_entries(cp: &ConstantPool, i: u16) -> R<(u16, u16, u16, bool)> {
    let (class, nt, interface) = cp.member_indices(i).map_err(|_| bad_index(i))?;
    let (name, descriptor) = cp.name_and_type_indices(nt).map_err(|_| bad_index(nt))?;
    Ok((class, name, descriptor, interface))
}

/// `void p.C.m(int, java.lang.String)`, as messages name a method.
pub fn method_text(class: &str, name: &str, desc: &str) -> String {
    let Ok(d) = MethodDescriptor::parse(desc) else {
        return format!("{class}.{name}{desc}");
    };
    let ret = d
        .return_type
        .map_or("void".to_string(), |t| t.java().to_string());
    let params: Vec<String> = d.parameters().map(|t| t.java().to_string()).collect();
    format!("{ret} {class}.{name}({})", params.join(", "))
}

/// A field descriptor as in source.
pub fn type_text(desc: &str) -> String {
    FieldType::parse(desc).map_or(desc.to_string(), |t| t.java().to_string())
}

fn joint(a: &str, place_a: &str, b: &str, place_b: &str) -> String {
    if place_a == place_b {
        format!("{a} and {b} are in {place_a}")
    } else {
        format!("{a} is in {place_a}; {b} is in {place_b}")
    }
}

/// The package of a class name, both in internal form.
pub(super) fn package_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(p, _)| p)
}

impl Vm {
    /// `void p.C.m(int)` of a method.
    pub(crate) fn external_method(&self, m: MethodId) -> String {
        let k = self.method(m);
        method_text(
            &self.external_class(k.class),
            self.syms.str(k.name),
            self.syms.str(k.desc),
        )
    }
    /// A class as messages name it: like `Class.getName`.
    pub(crate) fn external_class(&self, c: ClassId) -> String {
        self.class(c).dotted()
    }
    /// `interface`, `abstract class` or `class`.
    pub(super) fn external_kind(&self, c: ClassId) -> &'static str {
        match self.class(c).access {
            a if a & acc::INTERFACE != 0 => "interface",
            a if a & acc::ABSTRACT != 0 => "abstract class",
            _ => "class",
        }
    }
    /// The loader as messages name it: `'bootstrap'`, `'app'`, `p.Loader @1b2c3d`.
    pub fn loader_name(&mut self, l: LoaderId) -> String {
        let o = self.loader_object(l);
        if o.is_null() {
            return "'bootstrap'".into();
        }
        let name = self.get(o, jdk::class_loader::NAME_AND_ID);
        if !name.is_null() {
            return self.string(name);
        }
        let hash = self.identity_hash(o);
        format!("{} @{hash:x}", self.external_class(self.class_of(o)))
    }
    /// `unnamed module of loader 'app'`, `module java.base of loader 'bootstrap'`.
    fn place_text(&mut self, c: ClassId, with_parent: bool) -> String {
        let mut c = c;
        while let crate::classes::ClassKind::Array(e) = self.class(c).kind {
            c = e;
        }
        let (loader, module) = (self.class(c).loader, self.module_of(c));
        self.module_place(loader, module, with_parent)
    }
    fn module_place(&mut self, loader: LoaderId, module: crate::Ref, with_parent: bool) -> String {
        let l = self.loader_name(loader);
        let parent = match with_parent {
            true => self.parent_text(loader),
            false => String::new(),
        };
        if !module.is_null()
            && let Some((name, version)) = self.module_name(module)
        {
            // the class library's own modules are named without their version
            let version = match version {
                Some(v) if self.is_library_version(&v) => String::new(),
                Some(v) => format!("@{v}"),
                None => String::new(),
            };
            return format!("module {name}{version} of loader {l}{parent}");
        }
        format!("unnamed module of loader {l}{parent}")
    }
    /// Whether this is the version of the class library's own modules.
    fn is_library_version(&mut self, version: &str) -> bool {
        let base = self.module_of(self.loaded.known.object);
        !base.is_null()
            && self
                .module_name(base)
                .is_some_and(|(_, v)| v.as_deref() == Some(version))
    }
    /// `, parent loader 'app'` for loaders made by programs.
    fn parent_text(&mut self, l: LoaderId) -> String {
        let o = self.loader_object(l);
        if o.is_null() {
            return String::new();
        }
        let class = self.name(self.class_of(o));
        if class.starts_with("jdk/internal/loader/ClassLoaders$") {
            return String::new();
        }
        let parent = self.get(o, jdk::class_loader::PARENT);
        let p = self.loader_id(parent);
        format!(", parent loader {}", self.loader_name(p))
    }
    /// `A is in unnamed module of loader 'app'`.
    pub(crate) fn class_in_module(&mut self, c: ClassId) -> String {
        let place = self.place_text(c, false);
        format!("{} is in {place}", self.external_class(c))
    }
    /// The same with the loader's parent, where loaders disagree.
    pub(super) fn class_in_loader(&mut self, c: ClassId) -> String {
        let place = self.place_text(c, true);
        format!("{} is in {place}", self.external_class(c))
    }
    /// The first part of [`Vm::classes_in_modules`] for a class that does not exist yet.
    pub(super) fn joint_place(
        &mut self,
        name: &str,
        loader: LoaderId,
        package: crate::Sym,
        b: ClassId,
    ) -> String {
        let module = self.module_of_package(loader, package);
        let (ta, tb) = (
            self.module_place(loader, module, false),
            self.place_text(b, false),
        );
        joint(name, &ta, &self.external_class(b), &tb)
    }
    /// `A and B are in unnamed module of loader 'app'`, or both on their own.
    pub(crate) fn classes_in_modules(&mut self, a: ClassId, b: ClassId) -> String {
        let (ta, tb) = (self.place_text(a, false), self.place_text(b, false));
        joint(&self.external_class(a), &ta, &self.external_class(b), &tb)
    }
}

/// A class name with dots, for messages about classes that do not exist yet.
pub(super) fn dotted(name: &str) -> String {
    name.replace('/', ".")
}
