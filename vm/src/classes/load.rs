//! Loading and defining classes (JVMS 5.3).

use crate::ids::{ClassId, LoaderId, Ref, Sym};
use crate::throw::R;
use crate::vm::Vm;

/// How a class is defined.
#[derive(Default)]
pub struct DefineOptions {
    /// `ProtectionDomain` object.
    pub protection_domain: Ref,
    /// Where the bytes came from (for `-verbose:class`).
    pub source: Option<String>,
    /// Hidden class: not entered in the loader's table, name gets a suffix.
    pub hidden: bool,
    /// Nest host of a hidden class defined as nest mate.
    pub nest_host: Option<ClassId>,
    /// Class data of a hidden class.
    pub class_data: Ref,
}

impl Vm {
    /// A class that `loader` has been recorded as an initiating loader of; never runs code. Array names are fine.
    pub fn find_loaded(&mut self, _loader: LoaderId, _name: &str) -> Option<ClassId> {
        unimplemented!("find_loaded")
    }
    /// Loads `name` (internal form; arrays too) with `loader`: boot classes at once, others by an
    /// upcall of `loadClass` with [`crate::throw::Resume::Again`]. ClassNotFoundException when there is none.
    pub fn load_class(&mut self, _loader: LoaderId, _name: &str) -> R<ClassId> {
        unimplemented!("load_class")
    }
    /// Defines a class from bytes.
    pub fn define_class(
        &mut self,
        _loader: LoaderId,
        _name: Option<&str>,
        _bytes: &[u8],
        _o: DefineOptions,
    ) -> R<ClassId> {
        unimplemented!("define_class")
    }
    /// The array class with components of class `elem`.
    pub fn array_of(&mut self, _elem: ClassId) -> ClassId {
        unimplemented!("array_of")
    }
    /// The primitive type of a descriptor character (`V` included).
    pub fn primitive(&self, ch: u8) -> ClassId {
        self.primitives["ZBCSIJFDV"
            .bytes()
            .position(|b| b == ch)
            .expect("a primitive descriptor")]
    }
    /// Links (verifies and prepares) a class.
    pub fn link_class(&mut self, _c: ClassId) -> R<()> {
        unimplemented!("link_class")
    }
    /// Initializes a class (JVMS 5.5); an upcall with `Resume::Again` while its initializer has to run,
    /// `Block` while another thread runs it, NoClassDefFoundError when it failed before.
    pub fn ensure_initialized(&mut self, _c: ClassId) -> R<()> {
        unimplemented!("ensure_initialized")
    }
    /// Whether `a` is `b`, or a subclass of it, or implements it, or (arrays) is assignable to it.
    pub fn is_subtype(&self, _a: ClassId, _b: ClassId) -> bool {
        unimplemented!("is_subtype")
    }
    /// Whether the object (not null) is an instance of `c`.
    pub fn instance_of(&self, r: Ref, c: ClassId) -> bool {
        self.is_subtype(self.class_of(r), c)
    }
    /// Symbolic reference to a class at constant-pool index `i` of `c` (JVMS 5.4.3.1, access check included).
    pub fn resolve_class(&mut self, _c: ClassId, _i: u16) -> R<ClassId> {
        unimplemented!("resolve_class")
    }
    /// Field resolution (5.4.3.2): declaring class and index in its `fields`. `put`: checks final-field assignment rules by the caller.
    pub fn resolve_field(&mut self, _c: ClassId, _i: u16) -> R<(ClassId, u32)> {
        unimplemented!("resolve_field")
    }
    /// Method resolution (5.4.3.3, 5.4.3.4 by the entry's kind).
    pub fn resolve_method(&mut self, _c: ClassId, _i: u16) -> R<crate::MethodId> {
        unimplemented!("resolve_method")
    }
    /// Looks a method up in `c`, its superclasses and then its superinterfaces (5.4.3.3, no access check).
    pub fn find_method(&self, _c: ClassId, _name: Sym, _desc: Sym) -> Option<crate::MethodId> {
        unimplemented!("find_method")
    }
    /// The method that a virtual call of `m` on a receiver of class `c` selects (5.4.6): by vtable index
    /// or by interface look-up. Abstract or conflicting: the AbstractMethodError / IncompatibleClassChangeError.
    pub fn select_method(&mut self, _c: ClassId, _m: crate::MethodId) -> R<crate::MethodId> {
        unimplemented!("select_method")
    }
    /// Loads a boot class that must exist.
    pub fn boot_class(&mut self, name: &str) -> ClassId {
        match self.load_class(LoaderId::BOOT, name) {
            Ok(c) => c,
            Err(e) => panic!("the JDK lacks {name}: {e:?}"),
        }
    }
    /// A method of a (boot) class by name and descriptor; panics if absent.
    pub fn method_named(&mut self, c: ClassId, name: &str, desc: &str) -> crate::MethodId {
        let (n, d) = (self.syms.intern(name), self.syms.intern(desc));
        self.find_method(c, n, d)
            .unwrap_or_else(|| panic!("{} has no method {name}{desc}", self.name(c)))
    }
}
