//! Checks of fields and methods (JVMS 4.5, 4.6): names, descriptors, flags, duplicates.

use super::{Checker, illegal_signature};
use crate::access::{
    ABSTRACT, BRIDGE, ENUM, FINAL, NATIVE, PRIVATE, PROTECTED, PUBLIC, STATIC, STRICT,
    SYNCHRONIZED, TRANSIENT, VOLATILE,
};
use crate::class_file::{FieldInfo, MethodInfo};
use crate::constant_pool::Constant;
use crate::descriptor::FieldType;
use crate::error::{CLASS, Error, Result};
use std::collections::HashSet;

impl<'a> Checker<'a> {
    pub(super) fn check_fields(&self) -> Result<()> {
        let mut seen = HashSet::with_capacity(self.class.fields.len());
        for field in &self.class.fields {
            self.check_field_flags(field.access_flags)?;
            let (name, signature) = self.member_strings("field", field.name, field.descriptor)?;
            self.check_field_name(name)?;
            let field_type = self.check_field_signature(name, signature)?;
            self.check_field_attributes(field, field_type)?;
            if !seen.insert((name, signature)) {
                return Err(Error::rule(format_args!(
                    "Duplicate field name \"{name}\" with signature \"{signature}\""
                )));
            }
        }
        Ok(())
    }

    pub(super) fn check_methods(&self) -> Result<()> {
        let mut seen = HashSet::with_capacity(self.class.methods.len());
        for method in &self.class.methods {
            let (name, signature) =
                self.member_strings("method", method.name, method.descriptor)?;
            self.check_method(method, name, signature)
                .map_err(|e| e.within(format_args!("method {name}{signature}")))?;
            if !seen.insert((name, signature)) {
                return Err(Error::rule(format_args!(
                    "Duplicate method name \"{name}\" with signature \"{signature}\""
                )));
            }
        }
        Ok(())
    }

    /// Name and descriptor of a member.
    fn member_strings(&self, kind: &str, name: u16, descriptor: u16) -> Result<(&'a str, &'a str)> {
        let bad = if kind == "field" {
            "Invalid"
        } else {
            "Illegal"
        };
        let string = |index: u16, what: &str| {
            if self.is_utf8(index) {
                return self.pool.str(index);
            }
            Err(Error::rule(format_args!(
                "{bad} constant pool index {index} for {kind} {what}"
            )))
        };
        Ok((string(name, "name")?, string(descriptor, "signature")?))
    }

    fn check_method(&self, method: &MethodInfo, name: &str, signature: &'a str) -> Result<()> {
        self.check_method_name(name)?;
        if name == "<init>" && self.is_interface {
            return Err(Error::text(format!(
                "Interface cannot have a method named <init>, class file {CLASS}"
            )));
        }
        let mut flags = method.access_flags;
        if name == "<clinit>" {
            // Its flags mean nothing except for ACC_STATIC, and not even that before Java 7.
            if self.major < 51 {
                flags = STATIC;
            } else if flags & STATIC != 0 {
                flags &= STATIC | STRICT;
            } else {
                return Err(Error::rule("Method <clinit> is not static"));
            }
        } else {
            self.check_method_flags(flags, name)?;
        }
        let descriptor = self.check_method_signature(name, signature)?;
        if name == "<clinit>" && self.major >= 51 && descriptor.parameter_count > 0 {
            return Err(illegal_signature("Method", name, signature));
        }
        let arguments = descriptor.argument_slots(flags & STATIC != 0);
        if arguments > 255 {
            return Err(Error::rule("Too many arguments in method signature"));
        }
        match &method.attributes.code {
            Some(_) if flags & (ABSTRACT | NATIVE) != 0 => {
                return Err(Error::rule("Code attribute in native or abstract methods"));
            }
            None if flags & (ABSTRACT | NATIVE) == 0 => {
                return Err(Error::rule(
                    "Absent Code attribute in method that is not native or abstract",
                ));
            }
            Some(code) => self.check_code(code, arguments)?,
            None => {}
        }
        self.check_method_attributes(&method.attributes)
    }

    fn check_field_flags(&self, flags: u16) -> Result<()> {
        let has = |flag| flags & flag != 0;
        let illegal = if self.is_interface {
            !has(PUBLIC)
                || !has(STATIC)
                || !has(FINAL)
                || has(PRIVATE | PROTECTED | VOLATILE | TRANSIENT)
                || self.major >= 49 && has(ENUM)
        } else {
            several_visibilities(flags) || has(FINAL) && has(VOLATILE)
        };
        if illegal {
            let flags = flags & 0x50DF;
            return Err(Error::text(format!(
                "Illegal field modifiers in class {CLASS}: 0x{flags:X}"
            )));
        }
        Ok(())
    }

    fn check_method_flags(&self, flags: u16, name: &str) -> Result<()> {
        let has = |flag| flags & flag != 0;
        let since_5 = self.major >= 49;
        // From Java 17 on, ACC_STRICT means nothing any more.
        let strict = has(STRICT) && self.major < 61;
        let illegal = if self.is_interface && self.major >= 52 {
            has(PUBLIC) == has(PRIVATE)
                || has(NATIVE | PROTECTED | FINAL | SYNCHRONIZED)
                || has(ABSTRACT) && (has(PRIVATE | STATIC) || strict)
        } else if self.is_interface && since_5 {
            !has(PUBLIC)
                || !has(ABSTRACT)
                || has(PRIVATE | PROTECTED | STATIC | FINAL | SYNCHRONIZED | NATIVE | STRICT)
        } else if self.is_interface {
            !has(PUBLIC) || !has(ABSTRACT) || has(STATIC | FINAL | NATIVE)
        } else if name == "<init>" {
            several_visibilities(flags)
                || has(STATIC | FINAL | SYNCHRONIZED | NATIVE | ABSTRACT)
                || since_5 && has(BRIDGE)
        } else {
            several_visibilities(flags)
                || has(ABSTRACT)
                    && (has(FINAL | NATIVE | PRIVATE | STATIC)
                        || since_5 && (has(SYNCHRONIZED) || strict))
        };
        if illegal {
            let flags = flags & 0x1DFF;
            return Err(Error::text(format!(
                "Method {name} in class {CLASS} has illegal modifiers: 0x{flags:X}"
            )));
        }
        Ok(())
    }

    fn check_field_attributes(&self, field: &FieldInfo, field_type: FieldType<'_>) -> Result<()> {
        let attributes = &field.attributes;
        if let Some(index) = attributes.constant_value
            && field.access_flags & STATIC != 0
        {
            self.check_constant_value(index, field_type)?;
        }
        self.check_signature(attributes.signature)
    }

    fn check_constant_value(&self, index: u16, field_type: FieldType<'_>) -> Result<()> {
        let Ok(constant) = self.pool.get(index) else {
            return Err(Error::rule(format_args!(
                "Bad initial value index {index} in ConstantValue attribute"
            )));
        };
        let fits = match field_type {
            FieldType::Long => matches!(constant, Constant::Long(_)),
            FieldType::Float => matches!(constant, Constant::Float(_)),
            FieldType::Double => matches!(constant, Constant::Double(_)),
            FieldType::Object(name) => {
                return match constant {
                    Constant::String { .. } if name == "java/lang/String" => Ok(()),
                    _ => Err(Error::rule("Bad string initial value")),
                };
            }
            FieldType::Array(_) => {
                return Err(Error::rule(format_args!(
                    "Unable to set initial value {index}"
                )));
            }
            _ => matches!(constant, Constant::Integer(_)),
        };
        if fits {
            Ok(())
        } else {
            Err(Error::rule("Inconsistent constant value type"))
        }
    }
}

/// Whether more than one of `ACC_PUBLIC`, `ACC_PRIVATE`, `ACC_PROTECTED` is set.
fn several_visibilities(flags: u16) -> bool {
    (flags & (PUBLIC | PRIVATE | PROTECTED)).count_ones() > 1
}
