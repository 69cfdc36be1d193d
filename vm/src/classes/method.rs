//! A run-time method.

use crate::ids::{ClassId, MethodId, Sym};
use rjvm_classfile::{ClassFile, CodeAttribute};
use std::sync::Arc;

/// The function of a native method. Its type has the VM in it, which `natives` knows: there alone entries are made and called.
#[derive(Clone, Copy)]
pub struct NativeEntry(pub(crate) unsafe fn());

/// Where a method's code is.
#[derive(Clone)]
pub struct Code {
    /// The class file.
    pub cf: Arc<ClassFile>,
    /// Index in `cf.methods`.
    pub index: usize,
}

/// The same, lent by the method.
#[derive(Clone, Copy)]
pub struct CodeRef<'a> {
    /// The class file.
    pub cf: &'a Arc<ClassFile>,
    /// Index in `cf.methods`.
    pub index: usize,
}

impl Code {
    /// The code attribute.
    pub fn attr(&self) -> &CodeAttribute {
        self.lent().attr()
    }
    /// The same for readers.
    pub fn lent(&self) -> CodeRef<'_> {
        CodeRef {
            cf: &self.cf,
            index: self.index,
        }
    }
}

impl<'a> CodeRef<'a> {
    /// The code attribute.
    pub fn attr(self) -> &'a CodeAttribute {
        let code = &self.cf.methods[self.index].attributes.code;
        // attributes that turned out to be malformed: no code, which the translator refuses
        code.as_deref().unwrap_or(CodeAttribute::none())
    }
    /// The bytecodes.
    pub fn bytes(self) -> &'a [u8] {
        self.cf.methods[self.index].attributes.bytecodes()
    }
    /// The source file, where the class file reports.
    pub fn source_file(self) -> Option<&'a str> {
        let name = self.cf.attributes.source_file?;
        self.cf.constant_pool.str(name).ok()
    }
    /// Name and first letter of the type of the local variable in a slot at a bytecode, where the class file reports.
    pub fn local_variable(self, slot: u16, bci: u16) -> Option<(String, u8)> {
        let rows = self.attr().local_variables.iter();
        let pool = &self.cf.constant_pool;
        let mut found = rows.filter(|v| {
            let range = u32::from(v.start_pc)..u32::from(v.start_pc) + u32::from(v.length);
            v.index == slot && range.contains(&u32::from(bci))
        });
        let row = found.next()?;
        let name = pool.str(row.name).ok()?.to_owned();
        let letter = *pool.str(row.descriptor).ok()?.as_bytes().first()?;
        Some((name, letter))
    }
    /// The same with a share in the class file.
    pub fn kept(self) -> Code {
        Code {
            cf: self.cf.clone(),
            index: self.index,
        }
    }
}

/// A method; never moves once created. The first fields are read by the interpreter.
#[repr(C)]
pub struct Method {
    /// Address of the first instruction: a stub that translates, a native call, or translated code.
    pub entry: *const u8,
    /// The native's function, once bound.
    pub native: Option<NativeEntry>,
    /// Bytes of value stack a frame needs, counted from its first local.
    pub frame_bytes: u32,
    /// Slots of a calling-context node of this method.
    pub kid_slots: u32,
    /// Child links in them.
    pub kids: u32,
    /// This method.
    pub id: MethodId,
    /// Where compiled code goes that calls it: its own compiled code, or code that goes to `entry` (`interp::uncompiled`).
    pub(crate) call: u64,
    /// Declaring class.
    pub class: ClassId,
    /// Index in the vtable, or one of the negative numbers of [`vindex`].
    pub vindex: i32,
    /// Access flags (JVMS table 4.6-A).
    pub access: u16,
    /// Argument slots, `this` included (long and double take two).
    pub arg_slots: u16,
    /// First character of the return descriptor.
    pub ret: u8,
    /// 0 ordinary; else a signature-polymorphic intrinsic, see [`intrinsic`].
    pub intrinsic: u8,
    /// `@CallerSensitive`.
    pub caller_sensitive: bool,
    /// Hidden from stack traces (`@Hidden`, methods of hidden classes).
    pub hidden: bool,
    /// The code of a LambdaForm: no caller.
    pub lambda_form: bool,
    /// A calling context or a sample names it.
    pub in_profile: bool,
    /// Which of the method's bodies this is: counts how often it was replaced.
    pub body: u16,
    /// Name.
    pub name: Sym,
    /// Descriptor.
    pub desc: Sym,
    /// Index in the class's method list (the "slot" of reflection), and among its file's methods.
    pub slot: u32,
    /// The method that this one is for others: of an obsolete one that whose body it was (see `Vm::replace_body`), else itself.
    pub original: MethodId,
    /// The number of the constant pool that its code names entries of.
    pub(crate) pool: u16,
    /// The class's newest class file lacks it: it throws, and is found nowhere.
    pub deleted: bool,
    /// The class file with its code, unless native or abstract.
    pub(crate) file: Option<Arc<ClassFile>>,
    /// Translated code.
    pub(crate) xlat: Option<Box<crate::interp::Translated>>,
}

// one for each method of each loaded class; with what malloc adds, 112 bytes
const _: () = assert!(size_of::<Method>() <= 96);

/// Negative values of [`Method::vindex`].
pub mod vindex {
    /// Never dispatched: private, static, constructor, or final.
    pub const DIRECT: i32 = -1;
    /// Instance method of an interface: `Vm::select_method` finds the implementation, also when the
    /// reference names a class that inherits it.
    pub const INTERFACE: i32 = -2;
}

/// Values of [`Method::intrinsic`].
pub mod intrinsic {
    /// An ordinary method.
    pub const NONE: u8 = 0;
    /// `MethodHandle.invokeBasic`
    pub const INVOKE_BASIC: u8 = 1;
    /// `MethodHandle.linkToVirtual`
    pub const LINK_TO_VIRTUAL: u8 = 2;
    /// `MethodHandle.linkToStatic`
    pub const LINK_TO_STATIC: u8 = 3;
    /// `MethodHandle.linkToSpecial`
    pub const LINK_TO_SPECIAL: u8 = 4;
    /// `MethodHandle.linkToInterface`
    pub const LINK_TO_INTERFACE: u8 = 5;
    /// `MethodHandle.invoke`, `invokeExact` and the `VarHandle` accessors: linked by upcall.
    pub const INVOKE_GENERIC: u8 = 6;
}

impl Method {
    /// An entry of the pool that its code names entries of.
    pub(crate) fn entry_at(&self, index: u16) -> super::PoolEntry {
        super::PoolEntry {
            pool: self.pool,
            index,
        }
    }
    /// Names its call sites among those of its class: it and the body it has.
    pub(crate) fn site_slot(&self) -> u32 {
        u32::from(self.pool) << 16 | self.slot
    }
    /// Whether it has bytecodes: it is neither native nor abstract.
    pub fn has_code(&self) -> bool {
        self.file.is_some()
    }
    /// Where its code is, if it has any.
    pub fn code(&self) -> Option<CodeRef<'_>> {
        Some(CodeRef {
            cf: self.file.as_ref()?,
            index: self.slot as usize,
        })
    }
    /// Whether the method is static.
    #[inline(always)]
    pub fn is_static(&self) -> bool {
        self.access & super::acc::STATIC != 0
    }
    /// Whether the method is native.
    #[inline(always)]
    pub fn is_native(&self) -> bool {
        self.access & super::acc::NATIVE != 0
    }
    /// Whether the method is abstract.
    pub fn is_abstract(&self) -> bool {
        self.access & super::acc::ABSTRACT != 0
    }
    /// Whether the method is synchronized.
    pub fn is_synchronized(&self) -> bool {
        self.access & super::acc::SYNCHRONIZED != 0
    }
    /// Whether the method is final.
    pub fn is_final(&self) -> bool {
        self.access & super::acc::FINAL != 0
    }
    /// Whether the method is private.
    pub fn is_private(&self) -> bool {
        self.access & super::acc::PRIVATE != 0
    }
}
