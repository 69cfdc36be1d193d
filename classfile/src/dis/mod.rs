//! A disassembler: the whole of a class file as text, laid out as `javap -c -v -p` does it, so
//! that the two can be read side by side.
//!
//! Whatever parses can be printed: where an index leads nowhere, the text says so. Attributes
//! come in a fixed order, not in the file's.

mod annotations;
mod attributes;
mod code;
mod constants;
mod module;
mod text;

pub use code::instruction;

use crate::access;
use crate::class_file::{ClassFile, FieldInfo, MethodInfo};
use crate::constant_pool::ConstantPool;
use crate::descriptor::{FieldType, MethodDescriptor};
use std::fmt::Write as _;
use std::io::{self, Write};
use text::{CLASS_FLAGS, FIELD_FLAGS, METHOD_FLAGS, flags_line, keywords};

/// Writes a class file as text.
pub fn disassemble(class: &ClassFile, out: &mut impl Write) -> io::Result<()> {
    Dis {
        class,
        pool: &class.constant_pool,
        out,
    }
    .class()
}

/// The state of one disassembly.
struct Dis<'a, W: Write> {
    class: &'a ClassFile,
    pool: &'a ConstantPool,
    out: &'a mut W,
}

impl<W: Write> Dis<'_, W> {
    /// A line of text with a comment that begins at `column`; no blanks at its end.
    fn commented(&mut self, text: &str, column: usize, comment: &str) -> io::Result<()> {
        writeln!(self.out, "{text:<column$}// {}", comment.trim_end())
    }

    fn class(&mut self) -> io::Result<()> {
        let class = self.class;
        if let Some(index) = class.attributes.source_file {
            writeln!(self.out, "Compiled from \"{}\"", self.utf8(index))?;
        }
        let declaration = self.declaration();
        writeln!(self.out, "{declaration}")?;
        writeln!(self.out, "  minor version: {}", class.minor)?;
        writeln!(self.out, "  major version: {}", class.major)?;
        let flags = class.access_flags;
        writeln!(self.out, "  {}", flags_line(flags, CLASS_FLAGS))?;
        for (what, index) in [
            ("this_class", class.this_class),
            ("super_class", class.super_class),
        ] {
            let text = format!("  {what}: #{index}");
            match index {
                0 => writeln!(self.out, "{text}")?,
                _ => self.commented(&text, 42, &self.describe(index))?,
            }
        }
        writeln!(
            self.out,
            "  interfaces: {}, fields: {}, methods: {}",
            class.interfaces.len(),
            class.fields.len(),
            class.methods.len()
        )?;
        self.constants()?;
        writeln!(self.out, "{{")?;
        for (n, field) in class.fields.iter().enumerate() {
            if n > 0 {
                writeln!(self.out)?;
            }
            self.field(field)?;
        }
        for (n, method) in class.methods.iter().enumerate() {
            if n > 0 || !class.fields.is_empty() {
                writeln!(self.out)?;
            }
            self.method(method)?;
        }
        writeln!(self.out, "}}")?;
        self.class_attributes()
    }

    /// `public final class p.C extends p.B implements p.I`
    fn declaration(&self) -> String {
        let class = self.class;
        let flags = class.access_flags;
        let java = |index| self.class_text(index).replace('/', ".");
        if flags & access::MODULE != 0 {
            return self.module_declaration();
        }
        // `ACC_SUPER` shares its bit with `synchronized`, and an interface is always abstract.
        let interface = flags & access::INTERFACE != 0;
        let shown = flags & !access::SUPER & if interface { !access::ABSTRACT } else { !0 };
        let mut text = keywords(shown, CLASS_FLAGS);
        text += match (interface, flags & access::ANNOTATION != 0) {
            (true, true) => "@interface ",
            (true, false) => "interface ",
            _ => "class ",
        };
        text += &java(class.this_class);
        if class.super_class != 0 && self.class_text(class.super_class) != "java/lang/Object" {
            let _ = write!(text, " extends {}", java(class.super_class));
        }
        let interfaces: Vec<_> = class.interfaces.iter().map(|&index| java(index)).collect();
        if !interfaces.is_empty() {
            text += if interface {
                " extends "
            } else {
                " implements "
            };
            text += &interfaces.join(", ");
        }
        text
    }

    fn field(&mut self, field: &FieldInfo) -> io::Result<()> {
        let flags = field.access_flags;
        let modifiers = keywords(flags, FIELD_FLAGS);
        let declared = match self.pool.str(field.descriptor).map(FieldType::parse) {
            Ok(Ok(field_type)) => field_type.java().to_string(),
            _ => self.utf8(field.descriptor),
        };
        writeln!(
            self.out,
            "  {modifiers}{declared} {};",
            self.utf8(field.name)
        )?;
        writeln!(self.out, "    descriptor: {}", self.utf8(field.descriptor))?;
        writeln!(self.out, "    {}", flags_line(flags, FIELD_FLAGS))?;
        let a = &field.attributes;
        if let Some(index) = a.constant_value {
            writeln!(
                self.out,
                "    ConstantValue: {}",
                self.operand_comment(index)
            )?;
        }
        self.markers("    ", a.synthetic, a.deprecated)?;
        self.signature("    ", a.signature)?;
        self.annotation_attributes("    ", &a.annotations)?;
        self.other_attributes("    ", &a.other)
    }

    fn method(&mut self, method: &MethodInfo) -> io::Result<()> {
        let flags = method.access_flags;
        let declaration = self.method_declaration(method);
        writeln!(self.out, "  {declaration};")?;
        writeln!(self.out, "    descriptor: {}", self.utf8(method.descriptor))?;
        writeln!(self.out, "    {}", flags_line(flags, METHOD_FLAGS))?;
        let a = &method.attributes;
        if let Some(code) = &a.code {
            self.code(method, code)?;
        }
        self.method_attributes(a)
    }

    /// `public static void main(java.lang.String...) throws p.E`
    fn method_declaration(&self, method: &MethodInfo) -> String {
        let flags = method.access_flags;
        let name = self.utf8(method.name);
        let modifiers = keywords(flags, METHOD_FLAGS);
        let descriptor = self
            .pool
            .str(method.descriptor)
            .map(MethodDescriptor::parse);
        let Ok(Ok(descriptor)) = descriptor else {
            return format!("{modifiers}{name}{}", self.utf8(method.descriptor));
        };
        if name == "<clinit>" {
            return format!("{modifiers}{{}}");
        }
        let mut parameters: Vec<_> = descriptor
            .parameters()
            .map(|parameter| parameter.java().to_string())
            .collect();
        if flags & access::VARARGS != 0
            && let Some(last) = parameters.last_mut()
            && let Some(component) = last.strip_suffix("[]")
        {
            *last = format!("{component}...");
        }
        let head = match descriptor.return_type {
            None if name == "<init>" => self.class_text(self.class.this_class).replace('/', "."),
            None => format!("void {name}"),
            Some(return_type) => format!("{} {name}", return_type.java()),
        };
        let mut text = format!("{modifiers}{head}({})", parameters.join(", "));
        if let Some(exceptions) = &method.attributes.exceptions {
            let names: Vec<_> = exceptions
                .iter()
                .map(|&index| self.class_text(index).replace('/', "."))
                .collect();
            let _ = write!(text, " throws {}", names.join(", "));
        }
        text
    }
}
