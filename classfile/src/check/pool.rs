//! Checks of the constant pool (JVMS 4.4): kinds of what entries refer to, names, descriptors.

use super::{Checker, illegal_signature};
use crate::access;
use crate::constant_pool::{Constant, bad_index};
use crate::descriptor;
use crate::error::{CLASS, Error, Result};
use crate::mutf8;

impl Checker<'_> {
    pub(super) fn check_pool(&self) -> Result<()> {
        for (index, constant) in self.pool.iter().enumerate() {
            self.check_constant(index as u16, constant)?;
        }
        Ok(())
    }

    fn check_constant(&self, index: u16, constant: Constant) -> Result<()> {
        let since = |tag: u8, major: u16| {
            if self.major >= major {
                return Ok(());
            }
            Err(Error::rule(format_args!(
                "Class file version does not support constant tag {tag}"
            )))
        };
        match constant {
            Constant::Unused
            | Constant::Integer(_)
            | Constant::Float(_)
            | Constant::Long(_)
            | Constant::Double(_) => Ok(()),
            Constant::Utf8 { .. } => self.check_utf8(index),
            Constant::String { utf8 } => self.pool.utf8(utf8).map(drop),
            Constant::Class { name } => {
                let name = self.pool.str(name)?;
                if descriptor::is_class_constant(name) {
                    return Ok(());
                }
                Err(Error::rule(format_args!("Illegal class name \"{name}\"")))
            }
            Constant::NameAndType { name, descriptor } => {
                let (name, signature) = (self.pool.str(name)?, self.pool.str(descriptor)?);
                if signature.starts_with('(') {
                    self.check_method_name(name)?;
                    self.check_method_signature(name, signature).map(drop)
                } else {
                    self.check_field_name(name)?;
                    self.check_field_signature(name, signature).map(drop)
                }
            }
            Constant::Fieldref {
                class,
                name_and_type,
            } => {
                self.check_is_class(class)?;
                let (name, signature) = self.pool.name_and_type(name_and_type)?;
                self.check_field_name(name)?;
                self.check_field_signature(name, signature).map(drop)
            }
            Constant::Methodref {
                class,
                name_and_type,
            } => {
                self.check_method_ref(class, name_and_type)?;
                match self.pool.name_and_type(name_and_type)?.0 {
                    "<clinit>" => Err(self.bad_name("method", name_and_type)),
                    _ => Ok(()),
                }
            }
            Constant::InterfaceMethodref {
                class,
                name_and_type,
            } => self.check_method_ref(class, name_and_type),
            Constant::MethodHandle { kind, reference } => {
                since(15, 51)?;
                self.check_method_handle(index, kind, reference)
            }
            Constant::MethodType { descriptor } => {
                since(16, 51)?;
                let signature = self.pool.str(descriptor)?;
                match descriptor::MethodDescriptor::parse(signature) {
                    Ok(_) => Ok(()),
                    Err(_) => Err(illegal_signature("Method", "type", signature)),
                }
            }
            Constant::Dynamic { name_and_type, .. } => {
                since(17, 55)?;
                let (name, signature) = self.pool.name_and_type(name_and_type)?;
                self.check_field_name(name)?;
                if descriptor::FieldType::parse(signature).is_err() {
                    return Err(illegal_signature("CONSTANT_Dynamic", name, signature));
                }
                Ok(())
            }
            Constant::InvokeDynamic { name_and_type, .. } => {
                since(18, 51)?;
                let (name, signature) = self.pool.name_and_type(name_and_type)?;
                self.check_method_name(name)?;
                if descriptor::MethodDescriptor::parse(signature).is_err() {
                    return Err(illegal_signature("Method", name, signature));
                }
                Ok(())
            }
            Constant::Module { name } => self.check_module_only(19, name),
            Constant::Package { name } => self.check_module_only(20, name),
        }
    }

    fn check_utf8(&self, index: u16) -> Result<()> {
        let bytes = self.pool.utf8(index)?;
        // Overlong forms passed before Java 1.4.
        let valid = match self.major {
            ..=47 => mutf8::units(bytes).all(|unit| unit.is_ok()),
            _ => mutf8::is_valid(bytes),
        };
        match valid {
            true => Ok(()),
            false => Err(Error::rule("Illegal UTF8 string in constant pool")),
        }
    }

    fn check_is_class(&self, index: u16) -> Result<()> {
        if self.is_class(index) {
            Ok(())
        } else {
            Err(bad_index(index))
        }
    }

    fn check_method_ref(&self, class: u16, name_and_type: u16) -> Result<()> {
        self.check_is_class(class)?;
        let (name, signature) = self.pool.name_and_type(name_and_type)?;
        self.check_method_name(name)?;
        self.check_method_signature(name, signature).map(drop)
    }

    fn check_method_handle(&self, index: u16, kind: u8, reference: u16) -> Result<()> {
        use Constant::{Fieldref, InterfaceMethodref, Methodref};
        let target = self.pool.get(reference)?;
        let fits = match kind {
            1..=4 => matches!(target, Fieldref { .. }),
            5 | 8 => matches!(target, Methodref { .. }),
            // Static and private methods of interfaces came with Java 8.
            6 | 7 if self.major >= 52 => {
                matches!(target, Methodref { .. } | InterfaceMethodref { .. })
            }
            6 | 7 => matches!(target, Methodref { .. }),
            9 => matches!(target, InterfaceMethodref { .. }),
            _ => {
                return Err(Error::rule(format_args!(
                    "Bad method handle kind at constant pool index {index}"
                )));
            }
        };
        if !fits {
            let what = match kind {
                1..=4 => "not a field",
                9 => "not an interface method",
                _ => "not a method",
            };
            return Err(Error::text(format!(
                "Invalid constant pool index {reference} in class file {CLASS} ({what})"
            )));
        }
        if kind >= 5 {
            let (Constant::Methodref { name_and_type, .. }
            | Constant::InterfaceMethodref { name_and_type, .. }) = target
            else {
                return Ok(());
            };
            let name = self.pool.name_and_type(name_and_type)?.0;
            if kind == 8 && name != "<init>" {
                return Err(self.bad_name("constructor", name_and_type));
            }
            if kind != 8 && name == "<init>" || name == "<clinit>" {
                return Err(self.bad_name("method", name_and_type));
            }
        }
        Ok(())
    }

    fn check_module_only(&self, tag: u8, name: u16) -> Result<()> {
        if self.major < 53 || self.class.access_flags & access::MODULE == 0 {
            return Err(Error::rule(format_args!("Unknown constant tag {tag}")));
        }
        self.pool.utf8(name).map(drop)
    }

    #[cold]
    fn bad_name(&self, kind: &str, name_and_type: u16) -> Error {
        let index = match self.pool.get(name_and_type) {
            Ok(Constant::NameAndType { name, .. }) => name,
            _ => name_and_type,
        };
        Error::rule(format_args!(
            "Bad {kind} name at constant pool index {index}"
        ))
    }
}
