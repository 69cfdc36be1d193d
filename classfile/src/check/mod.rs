//! Format checks (JVMS 4.8) beyond the structure: constant-pool kinds, names, descriptors, flags,
//! duplicates, code ranges. A VM does them for classes it doesn't trust, before linking.
//!
//! Messages are worded as HotSpot words those of its `ClassFormatError`s, since programs and
//! tests look at them. The verifier's checks of code (JVMS 4.9, 4.10) are not made here.

mod attributes;
mod code;
mod members;
mod pool;

use crate::access;
use crate::class_file::ClassFile;
use crate::constant_pool::ConstantPool;
use crate::descriptor::{self, FieldType, MethodDescriptor};
use crate::error::{CLASS, Error, ErrorKind, Result};
use std::collections::HashSet;

/// Flags of a class that mean something to a VM.
const CLASS_FLAGS: u16 = access::PUBLIC
    | access::FINAL
    | access::SUPER
    | access::INTERFACE
    | access::ABSTRACT
    | access::SYNTHETIC
    | access::ANNOTATION
    | access::ENUM;
/// The same of an inner class.
const INNER_CLASS_FLAGS: u16 = CLASS_FLAGS | access::PRIVATE | access::PROTECTED | access::STATIC;

impl ClassFile {
    /// Does the format checks of JVMS 4.8 that [`parse`](Self::parse) leaves out. Not to be
    /// called for a `module-info`, which no VM defines as a class.
    pub fn check(&self) -> Result<()> {
        let checker = Checker {
            class: self,
            pool: &self.constant_pool,
            major: self.major,
            is_interface: self.access_flags & access::INTERFACE != 0,
        };
        // Up to here a VM knows the class only by the name it requested.
        checker.check_pool()?;
        checker.check_class_flags(self.access_flags & CLASS_FLAGS)?;
        let Some(this) = checker.class_at(self.this_class) else {
            let index = self.this_class;
            return Err(Error::rule(format_args!(
                "Invalid this class index {index} in constant pool"
            )));
        };
        if this.starts_with('[') {
            return Err(Error::rule("Bad class name"));
        }
        checker.class(this).map_err(|e| e.in_class(this))
    }
}

/// What all checks need.
struct Checker<'a> {
    class: &'a ClassFile,
    pool: &'a ConstantPool,
    major: u16,
    is_interface: bool,
}

impl<'a> Checker<'a> {
    fn class(&self, this: &str) -> Result<()> {
        self.check_super(this)?;
        self.check_interfaces()?;
        self.check_fields()?;
        self.check_methods()?;
        self.check_class_attributes()
    }

    fn check_super(&self, this: &str) -> Result<()> {
        let index = self.class.super_class;
        let name = match index {
            0 if this == "java/lang/Object" => return Ok(()),
            _ => self
                .class_at(index)
                .ok_or_else(|| Error::rule(format_args!("Invalid superclass index {index}")))?,
        };
        if name.starts_with('[') {
            return Err(Error::rule("Bad superclass name"));
        }
        if self.is_interface && name != "java/lang/Object" {
            return Err(Error::rule(
                "Interfaces must have java.lang.Object as superclass",
            ));
        }
        Ok(())
    }

    fn check_interfaces(&self) -> Result<()> {
        let mut seen = HashSet::new();
        for &index in &self.class.interfaces {
            let Some(name) = self.class_at(index) else {
                return Err(Error::rule(format_args!(
                    "Interface name has bad constant pool index {index}"
                )));
            };
            if name.starts_with('[') {
                return Err(Error::rule("Bad interface name"));
            }
            if !seen.insert(name) {
                return Err(Error::rule(format_args!(
                    "Duplicate interface name \"{name}\""
                )));
            }
        }
        Ok(())
    }

    /// Flags of an inner class, where the one of a module has a meaning since Java 9.
    fn check_inner_flags(&self, flags: u16) -> Result<()> {
        if self.major >= 53 && flags & access::MODULE != 0 {
            let text = format!("{CLASS} is not a class because access_flag ACC_MODULE is set");
            return Err(Error::new(ErrorKind::Module, None, text));
        }
        self.check_class_flags(flags & INNER_CLASS_FLAGS)
    }

    /// Flags that mean something.
    fn check_class_flags(&self, mut flags: u16) -> Result<()> {
        // before Java 6 compilers left it off
        if flags & access::INTERFACE != 0 && self.major < 50 {
            flags |= access::ABSTRACT;
        }
        let has = |flag| flags & flag != 0;
        let interface = has(access::INTERFACE);
        let since_5 = self.major >= 49;
        let illegal = has(access::ABSTRACT) && has(access::FINAL)
            || interface && !has(access::ABSTRACT)
            || interface && has(access::FINAL)
            || interface && since_5 && (has(access::SUPER) || has(access::ENUM))
            || !interface && since_5 && has(access::ANNOTATION);
        if illegal {
            return Err(Error::text(format!(
                "Illegal class modifiers in class {CLASS}: 0x{flags:X}"
            )));
        }
        Ok(())
    }

    /// The name of the `Class` constant at `index`, if it is one.
    fn class_at(&self, index: u16) -> Option<&'a str> {
        self.pool.class_name(index).ok()
    }

    fn is_class(&self, index: u16) -> bool {
        self.pool.is_class(index)
    }

    fn is_utf8(&self, index: u16) -> bool {
        self.pool.is_utf8(index)
    }

    fn check_field_name(&self, name: &str) -> Result<()> {
        if descriptor::is_unqualified_name(name) {
            return Ok(());
        }
        Err(Error::text(format!(
            "Illegal field name \"{name}\" in class {CLASS}"
        )))
    }

    fn check_method_name(&self, name: &str) -> Result<()> {
        if descriptor::is_method_name(name) {
            return Ok(());
        }
        Err(Error::text(format!(
            "Illegal method name \"{name}\" in class {CLASS}"
        )))
    }

    fn check_field_signature(&self, name: &str, signature: &'a str) -> Result<FieldType<'a>> {
        FieldType::parse(signature).map_err(|_| illegal_signature("Field", name, signature))
    }

    fn check_method_signature(
        &self,
        name: &str,
        signature: &'a str,
    ) -> Result<MethodDescriptor<'a>> {
        match MethodDescriptor::parse(signature) {
            // The special methods return nothing.
            Ok(d) if !name.starts_with('<') || d.return_type.is_none() => Ok(d),
            _ => Err(illegal_signature("Method", name, signature)),
        }
    }
}

#[cold]
fn illegal_signature(kind: &str, name: &str, signature: &str) -> Error {
    Error::text(format!(
        "{kind} \"{name}\" in class {CLASS} has illegal signature \"{signature}\""
    ))
}
