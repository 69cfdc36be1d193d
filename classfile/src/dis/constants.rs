//! The constant pool, and constants as comments.

use super::{Dis, text};
use crate::constant_pool::Constant;
use std::io::{self, Write};

/// The reference kinds of method handles (JVMS table 5.4.3.5-A), from 1 on.
const REFERENCE_KINDS: [&str; 9] = [
    "REF_getField",
    "REF_getStatic",
    "REF_putField",
    "REF_putStatic",
    "REF_invokeVirtual",
    "REF_invokeStatic",
    "REF_invokeSpecial",
    "REF_newInvokeSpecial",
    "REF_invokeInterface",
];

impl<W: Write> Dis<'_, W> {
    /// The constant pool with all its entries.
    pub(super) fn constants(&mut self) -> io::Result<()> {
        writeln!(self.out, "Constant pool:")?;
        let pool = self.pool;
        let width = pool.len().to_string().len() + 3;
        for (index, constant) in pool.iter().enumerate().skip(1) {
            let raw = match constant {
                Constant::Unused => continue,
                Constant::Utf8 { .. }
                | Constant::Integer(_)
                | Constant::Float(_)
                | Constant::Long(_)
                | Constant::Double(_) => None,
                Constant::Class { name }
                | Constant::Module { name }
                | Constant::Package { name } => Some(format!("#{name}")),
                Constant::String { utf8 } => Some(format!("#{utf8}")),
                Constant::Fieldref {
                    class,
                    name_and_type,
                }
                | Constant::Methodref {
                    class,
                    name_and_type,
                }
                | Constant::InterfaceMethodref {
                    class,
                    name_and_type,
                } => Some(format!("#{class}.#{name_and_type}")),
                Constant::NameAndType { name, descriptor } => {
                    Some(format!("#{name}:#{descriptor}"))
                }
                Constant::MethodHandle { kind, reference } => Some(format!("{kind}:#{reference}")),
                Constant::MethodType { descriptor } => Some(format!("#{descriptor}")),
                Constant::Dynamic {
                    bootstrap,
                    name_and_type,
                }
                | Constant::InvokeDynamic {
                    bootstrap,
                    name_and_type,
                } => Some(format!("#{bootstrap}:#{name_and_type}")),
            };
            let number = format!("#{index}");
            let kind = constant.kind_name();
            let described = self.describe(index as u16);
            let entry = format!("{number:>width$} = {kind:<18} ");
            match raw {
                Some(raw) => self.commented(&(entry + &raw), 42, &described)?,
                None => writeln!(self.out, "{}", (entry + &described).trim_end())?,
            }
        }
        Ok(())
    }

    /// The escaped string at `index`.
    pub(super) fn utf8(&self, index: u16) -> String {
        match self.pool.utf8(index) {
            Ok(bytes) => text::escaped(bytes),
            Err(_) => missing(index),
        }
    }

    /// The name of the class at `index`, not quoted.
    pub(super) fn class_text(&self, index: u16) -> String {
        match self.pool.get(index) {
            Ok(Constant::Class { name }) => self.utf8(name),
            _ => missing(index),
        }
    }

    /// A constant as the comment beside its pool entry shows it.
    pub(super) fn describe(&self, index: u16) -> String {
        let Ok(constant) = self.pool.get(index) else {
            return missing(index);
        };
        match constant {
            Constant::Unused => missing(index),
            Constant::Utf8 { .. } => self.utf8(index),
            Constant::Integer(value) => value.to_string(),
            Constant::Float(value) => text::float(value) + "f",
            Constant::Long(value) => format!("{value}l"),
            Constant::Double(value) => text::double(value) + "d",
            Constant::Class { name } | Constant::Package { name } => text::name(&self.utf8(name)),
            Constant::Module { name } => format!("\"{}\"", self.utf8(name)),
            Constant::String { utf8 } => self.utf8(utf8),
            Constant::Fieldref {
                class,
                name_and_type,
            }
            | Constant::Methodref {
                class,
                name_and_type,
            }
            | Constant::InterfaceMethodref {
                class,
                name_and_type,
            } => {
                format!(
                    "{}.{}",
                    text::name(&self.class_text(class)),
                    self.member(name_and_type)
                )
            }
            Constant::NameAndType { .. } => self.member(index),
            Constant::MethodHandle { kind, reference } => {
                let kind = usize::from(kind).wrapping_sub(1);
                let kind = REFERENCE_KINDS.get(kind).copied().unwrap_or("(bad kind)");
                // Only a member, lest handles refer to handles without end.
                let target = match self.pool.get(reference) {
                    Ok(
                        Constant::Fieldref { .. }
                        | Constant::Methodref { .. }
                        | Constant::InterfaceMethodref { .. },
                    ) => self.describe(reference),
                    _ => missing(reference),
                };
                format!("{kind} {target}")
            }
            // Two blanks before it, for the sake of those who compare with javap's output.
            Constant::MethodType { descriptor } => format!(" {}", self.utf8(descriptor)),
            Constant::Dynamic {
                bootstrap,
                name_and_type,
            }
            | Constant::InvokeDynamic {
                bootstrap,
                name_and_type,
            } => {
                format!("#{bootstrap}:{}", self.member(name_and_type))
            }
        }
    }

    /// `name:descriptor`
    fn member(&self, name_and_type: u16) -> String {
        match self.pool.get(name_and_type) {
            Ok(Constant::NameAndType { name, descriptor }) => {
                format!("{}:{}", text::name(&self.utf8(name)), self.utf8(descriptor))
            }
            _ => missing(name_and_type),
        }
    }

    /// A constant as an instruction's comment shows it: with its kind, and without the class for
    /// members of this class.
    pub(super) fn operand_comment(&self, index: u16) -> String {
        let Ok(constant) = self.pool.get(index) else {
            return missing(index);
        };
        let kind = match constant {
            Constant::Class { .. } => "class",
            Constant::Integer(_) => "int",
            Constant::Float(_) => "float",
            Constant::Long(_) => "long",
            Constant::Double(_) => "double",
            Constant::Fieldref { .. } => "Field",
            Constant::Methodref { .. } => "Method",
            Constant::InterfaceMethodref { .. } => "InterfaceMethod",
            other => other.kind_name(),
        };
        let Some((class, name_and_type)) = constant.member() else {
            return format!("{kind} {}", self.describe(index));
        };
        if self.class_text(class) == self.class_text(self.class.this_class) {
            return format!("{kind} {}", self.member(name_and_type));
        }
        format!("{kind} {}", self.describe(index))
    }
}

/// The text for an entry that isn't there or isn't of the right kind.
fn missing(index: u16) -> String {
    format!("(invalid #{index})")
}
