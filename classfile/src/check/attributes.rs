//! Checks of the attributes of classes and methods (JVMS 4.7): kinds of the constants they name.

use super::Checker;
use crate::access;
use crate::attributes::{InnerClass, MethodAttributes};
use crate::constant_pool::Constant;
use crate::error::{CLASS, Error, Result};
use std::collections::HashSet;

impl Checker<'_> {
    pub(super) fn check_class_attributes(&self) -> Result<()> {
        let attributes = &self.class.attributes;
        if let Some(index) = attributes.source_file
            && !self.is_utf8(index)
        {
            return Err(Error::rule(format_args!(
                "Invalid SourceFile attribute at constant pool index {index}"
            )));
        }
        if let Some(index) = attributes.signature
            && !self.is_utf8(index)
        {
            return Err(Error::rule(format_args!(
                "Invalid constant pool index {index} in Signature attribute"
            )));
        }
        self.check_inner_classes(attributes.inner_classes.as_deref().unwrap_or(&[]))?;
        self.check_enclosing_method()?;
        self.check_bootstrap_methods()?;
        self.check_nest()?;
        self.check_record()?;
        self.check_permitted_subclasses()
    }

    pub(super) fn check_method_attributes(&self, attributes: &MethodAttributes) -> Result<()> {
        self.check_signature(attributes.signature)?;
        let exceptions = attributes.exceptions.as_deref().unwrap_or(&[]);
        if let Some(index) = exceptions.iter().find(|&&index| !self.is_class(index)) {
            return Err(Error::rule(format_args!(
                "Exception name has bad type at constant pool {index}"
            )));
        }
        Ok(())
    }

    pub(super) fn check_signature(&self, signature: Option<u16>) -> Result<()> {
        match signature {
            Some(index) if !self.is_utf8(index) => Err(Error::rule(format_args!(
                "Invalid Signature attribute at constant pool index {index}"
            ))),
            _ => Ok(()),
        }
    }

    fn check_inner_classes(&self, rows: &[InnerClass]) -> Result<()> {
        let bad = |what: &str, index| {
            Err(Error::rule(format_args!(
                "{what}_index {index} has bad constant type"
            )))
        };
        let mut seen = HashSet::with_capacity(rows.len());
        for row in rows {
            if !self.is_class(row.inner_class) {
                return bad("inner_class_info", row.inner_class);
            }
            if row.outer_class != 0 && !self.is_class(row.outer_class) {
                return bad("outer_class_info", row.outer_class);
            }
            if row.name != 0 && !self.is_utf8(row.name) {
                return bad("inner_name", row.name);
            }
            if row.inner_class == row.outer_class {
                return Err(Error::rule("Class is both outer and inner class"));
            }
            self.check_inner_flags(row.access_flags)?;
            if !seen.insert((row.inner_class, row.outer_class, row.name, row.access_flags))
                && self.major >= 49
            {
                return Err(Error::rule("Duplicate entry in InnerClasses attribute"));
            }
        }
        Ok(())
    }

    fn check_enclosing_method(&self) -> Result<()> {
        let Some(enclosing) = self.class.attributes.enclosing_method else {
            return Ok(());
        };
        if !self.is_class(enclosing.class) {
            return Err(Error::rule(
                "Invalid or out-of-bounds class index in EnclosingMethod attribute",
            ));
        }
        let method = enclosing.method;
        if method != 0 && !matches!(self.pool.get(method), Ok(Constant::NameAndType { .. })) {
            return Err(Error::rule(
                "Invalid or out-of-bounds method index in EnclosingMethod attribute",
            ));
        }
        Ok(())
    }

    fn check_bootstrap_methods(&self) -> Result<()> {
        let used = self.pool.iter().filter_map(|constant| match constant {
            Constant::Dynamic { bootstrap, .. } | Constant::InvokeDynamic { bootstrap, .. } => {
                Some(usize::from(bootstrap))
            }
            _ => None,
        });
        match (used.max(), &self.class.attributes.bootstrap_methods) {
            (Some(_), None) => return Err(Error::rule("Missing BootstrapMethods attribute")),
            (Some(last), Some(methods)) if last >= methods.len() => {
                return Err(Error::rule("Short length on BootstrapMethods"));
            }
            _ => {}
        }
        for row in self
            .class
            .attributes
            .bootstrap_methods
            .as_deref()
            .unwrap_or(&[])
        {
            if !matches!(self.pool.get(row.method), Ok(Constant::MethodHandle { .. })) {
                return Err(Error::rule(format_args!(
                    "bootstrap_method_index {} has bad constant type",
                    row.method
                )));
            }
            for &index in &row.arguments {
                let loadable = matches!(
                    self.pool.get(index),
                    Ok(Constant::Integer(_)
                        | Constant::Float(_)
                        | Constant::Long(_)
                        | Constant::Double(_)
                        | Constant::Class { .. }
                        | Constant::String { .. }
                        | Constant::MethodHandle { .. }
                        | Constant::MethodType { .. }
                        | Constant::Dynamic { .. })
                );
                if !loadable {
                    return Err(Error::rule(format_args!(
                        "argument_index {index} has bad constant type"
                    )));
                }
            }
        }
        Ok(())
    }

    fn check_nest(&self) -> Result<()> {
        let attributes = &self.class.attributes;
        if attributes.nest_host.is_some() && attributes.nest_members.is_some() {
            return Err(Error::rule(
                "Conflicting NestHost and NestMembers attributes",
            ));
        }
        if let Some(index) = attributes.nest_host
            && !self.is_class(index)
        {
            return Err(Error::rule(format_args!(
                "Nest-host class_info_index {index} has bad constant type"
            )));
        }
        self.check_classes("Nest member", attributes.nest_members.as_deref())
    }

    fn check_classes(&self, what: &str, indices: Option<&[u16]>) -> Result<()> {
        match indices
            .unwrap_or(&[])
            .iter()
            .find(|&&index| !self.is_class(index))
        {
            None => Ok(()),
            Some(index) => Err(Error::rule(format_args!(
                "{what} class_info_index {index} has bad constant type"
            ))),
        }
    }

    fn check_record(&self) -> Result<()> {
        for component in self.class.attributes.record.as_deref().unwrap_or(&[]) {
            let parts = [
                ("name", component.name),
                ("descriptor", component.descriptor),
            ];
            for (what, index) in parts {
                if !self.is_utf8(index) {
                    return Err(Error::rule(format_args!(
                        "Invalid constant pool index {index} for {what} in Record attribute"
                    )));
                }
            }
            let name = self.pool.str(component.name)?;
            self.check_field_name(name)?;
            self.check_field_signature(name, self.pool.str(component.descriptor)?)?;
            self.check_signature(component.signature)?;
        }
        Ok(())
    }

    fn check_permitted_subclasses(&self) -> Result<()> {
        let permitted = self.class.attributes.permitted_subclasses.as_deref();
        if permitted.is_some() && self.class.access_flags & access::FINAL != 0 {
            return Err(Error::text(format!(
                "PermittedSubclasses attribute in final class file {CLASS}"
            )));
        }
        self.check_classes("Permitted subclass", permitted)
    }
}
