//! The attributes of classes and methods.

use super::Dis;
use super::text::{INNER_CLASS_FLAGS, PARAMETER_FLAGS, keywords};
use crate::access;
use crate::attributes::{MethodAttributes, RawAttribute};
use crate::descriptor::FieldType;
use std::io::{self, Write};

impl<W: Write> Dis<'_, W> {
    pub(super) fn markers(
        &mut self,
        indent: &str,
        synthetic: bool,
        deprecated: bool,
    ) -> io::Result<()> {
        if synthetic {
            writeln!(self.out, "{indent}Synthetic: true")?;
        }
        if deprecated {
            writeln!(self.out, "{indent}Deprecated: true")?;
        }
        Ok(())
    }

    pub(super) fn signature(&mut self, indent: &str, signature: Option<u16>) -> io::Result<()> {
        let Some(index) = signature else {
            return Ok(());
        };
        let text = format!("{indent}Signature: #{index}");
        self.commented(&text, indent.len() + 40, &self.utf8(index))
    }

    pub(super) fn other_attributes(
        &mut self,
        indent: &str,
        attributes: &[RawAttribute],
    ) -> io::Result<()> {
        for attribute in attributes {
            let length = attribute.bytes.len();
            writeln!(
                self.out,
                "{indent}{}: length = 0x{length:X}",
                self.utf8(attribute.name)
            )?;
            for row in attribute.bytes.chunks(16) {
                let hex: Vec<_> = row.iter().map(|byte| format!("{byte:02X}")).collect();
                writeln!(self.out, "{indent} {}", hex.join(" "))?;
            }
        }
        Ok(())
    }

    pub(super) fn method_attributes(&mut self, a: &MethodAttributes) -> io::Result<()> {
        if let Some(exceptions) = &a.exceptions {
            let names: Vec<_> = exceptions
                .iter()
                .map(|&index| self.class_text(index).replace('/', "."))
                .collect();
            writeln!(
                self.out,
                "    Exceptions:\n      throws {}",
                names.join(", ")
            )?;
        }
        if let Some(parameters) = &a.method_parameters {
            writeln!(self.out, "    MethodParameters:")?;
            writeln!(self.out, "      {:<30} Flags", "Name")?;
            for parameter in parameters {
                let name = match parameter.name {
                    0 => "<no name>".to_owned(),
                    index => self.utf8(index),
                };
                let flags = keywords(parameter.access_flags, PARAMETER_FLAGS);
                writeln!(
                    self.out,
                    "{}",
                    format!("      {name:<30} {flags}").trim_end()
                )?;
            }
        }
        self.markers("    ", a.synthetic, a.deprecated)?;
        self.signature("    ", a.signature)?;
        self.annotation_attributes("    ", &a.annotations)?;
        self.parameter_annotations(
            "RuntimeVisibleParameterAnnotations",
            a.visible_parameter_annotations.as_deref(),
        )?;
        self.parameter_annotations(
            "RuntimeInvisibleParameterAnnotations",
            a.invisible_parameter_annotations.as_deref(),
        )?;
        self.annotation_default(a.annotation_default.as_deref())?;
        self.other_attributes("    ", &a.other)
    }

    pub(super) fn class_attributes(&mut self) -> io::Result<()> {
        let a = &self.class.attributes;
        self.markers("", a.synthetic, a.deprecated)?;
        self.signature("", a.signature)?;
        if let Some(index) = a.source_file {
            writeln!(self.out, "SourceFile: \"{}\"", self.utf8(index))?;
        }
        if let Some(bytes) = &a.source_debug_extension {
            writeln!(self.out, "SourceDebugExtension:")?;
            for line in crate::mutf8::to_str_lossy(bytes).lines() {
                writeln!(self.out, "  {line}")?;
            }
        }
        if let Some(enclosing) = a.enclosing_method {
            let text = format!(
                "EnclosingMethod: #{}.#{}",
                enclosing.class, enclosing.method
            );
            let class = self.class_text(enclosing.class).replace('/', ".");
            let comment = match self.pool.name_and_type(enclosing.method) {
                Ok((name, _)) => format!("{class}.{name}"),
                Err(_) => class,
            };
            self.commented(&text, 40, &comment)?;
        }
        if let Some(host) = a.nest_host {
            writeln!(self.out, "NestHost: class {}", self.class_text(host))?;
        }
        self.classes("NestMembers", a.nest_members.as_deref())?;
        self.classes("PermittedSubclasses", a.permitted_subclasses.as_deref())?;
        self.annotation_attributes("", &a.annotations)?;
        self.record()?;
        self.bootstrap_methods()?;
        self.inner_classes()?;
        self.module_attributes()?;
        self.other_attributes("", &a.other)
    }

    fn classes(&mut self, name: &str, indices: Option<&[u16]>) -> io::Result<()> {
        let Some(indices) = indices else {
            return Ok(());
        };
        writeln!(self.out, "{name}:")?;
        for &index in indices {
            writeln!(self.out, "  {}", self.class_text(index))?;
        }
        Ok(())
    }

    fn record(&mut self) -> io::Result<()> {
        let Some(components) = &self.class.attributes.record else {
            return Ok(());
        };
        writeln!(self.out, "Record:")?;
        for component in components {
            let descriptor = self.utf8(component.descriptor);
            let declared = match FieldType::parse(&descriptor) {
                Ok(field_type) => field_type.java().to_string(),
                Err(_) => descriptor.clone(),
            };
            writeln!(self.out, "  {declared} {};", self.utf8(component.name))?;
            writeln!(self.out, "    descriptor: {descriptor}")?;
            self.signature("    ", component.signature)?;
            self.annotation_attributes("    ", &component.annotations)?;
            self.other_attributes("    ", &component.other)?;
            writeln!(self.out)?;
        }
        Ok(())
    }

    fn bootstrap_methods(&mut self) -> io::Result<()> {
        let Some(methods) = &self.class.attributes.bootstrap_methods else {
            return Ok(());
        };
        writeln!(self.out, "BootstrapMethods:")?;
        for (n, row) in methods.iter().enumerate() {
            writeln!(
                self.out,
                "  {n}: #{} {}",
                row.method,
                self.describe(row.method)
            )?;
            writeln!(self.out, "    Method arguments:")?;
            for &index in &row.arguments {
                writeln!(
                    self.out,
                    "      #{index} {}",
                    self.describe(index).trim_start()
                )?;
            }
        }
        Ok(())
    }

    fn inner_classes(&mut self) -> io::Result<()> {
        let Some(rows) = &self.class.attributes.inner_classes else {
            return Ok(());
        };
        writeln!(self.out, "InnerClasses:")?;
        for row in rows {
            let interface = row.access_flags & access::INTERFACE != 0;
            let shown = row.access_flags & if interface { !access::ABSTRACT } else { !0 };
            let mut text = format!("  {}", keywords(shown, INNER_CLASS_FLAGS));
            let mut comment = format!("class {}", self.class_text(row.inner_class));
            if row.name != 0 {
                text += &format!("#{}= ", row.name);
                comment = format!("{}={comment}", self.utf8(row.name));
            }
            text += &format!("#{}", row.inner_class);
            if row.outer_class != 0 {
                text += &format!(" of #{}", row.outer_class);
                comment += &format!(" of class {}", self.class_text(row.outer_class));
            }
            text += "; ";
            self.commented(&text, 42, &comment)?;
        }
        Ok(())
    }
}
