//! The annotation attributes, decoded and written nearly as in Java source.

use super::{Dis, text};
use crate::attributes::AnnotationBytes;
use crate::attributes::annotations::{self, Annotation, ElementValue};
use crate::attributes::type_annotations::{self, Target, TypeAnnotation};
use crate::constant_pool::Constant;
use crate::descriptor::FieldType;
use crate::error::Result;
use std::io::{self, Write};

impl<W: Write> Dis<'_, W> {
    pub(super) fn annotation_attributes(
        &mut self,
        indent: &str,
        bytes: &AnnotationBytes,
    ) -> io::Result<()> {
        let plain = [
            ("RuntimeVisibleAnnotations", &bytes.visible),
            ("RuntimeInvisibleAnnotations", &bytes.invisible),
        ];
        for (name, bytes) in plain {
            let Some(bytes) = bytes else { continue };
            writeln!(self.out, "{indent}{name}:")?;
            self.rows(indent, annotations::decode(bytes), |dis, row| {
                dis.annotation(row)
            })?;
        }
        let types = [
            ("RuntimeVisibleTypeAnnotations", &bytes.visible_type),
            ("RuntimeInvisibleTypeAnnotations", &bytes.invisible_type),
        ];
        for (name, bytes) in types {
            let Some(bytes) = bytes else { continue };
            writeln!(self.out, "{indent}{name}:")?;
            self.rows(indent, type_annotations::decode(bytes), |dis, row| {
                format!("{}: {}", dis.annotation(&row.annotation), target(row))
            })?;
        }
        Ok(())
    }

    pub(super) fn parameter_annotations(
        &mut self,
        name: &str,
        bytes: Option<&[u8]>,
    ) -> io::Result<()> {
        let Some(bytes) = bytes else { return Ok(()) };
        writeln!(self.out, "    {name}:")?;
        match annotations::decode_parameters(bytes) {
            Ok(parameters) => {
                for (n, parameter) in parameters.into_iter().enumerate() {
                    writeln!(self.out, "      parameter {n}:")?;
                    self.rows("      ", Ok(parameter), |dis, row| dis.annotation(row))?;
                }
                Ok(())
            }
            Err(e) => writeln!(self.out, "      {}", e.detail(None)),
        }
    }

    pub(super) fn annotation_default(&mut self, bytes: Option<&[u8]>) -> io::Result<()> {
        let Some(bytes) = bytes else { return Ok(()) };
        let value = match annotations::decode_element(bytes) {
            Ok(value) => self.element(&value),
            Err(e) => e.detail(None),
        };
        writeln!(
            self.out,
            "    AnnotationDefault:\n      default_value: {value}"
        )
    }

    fn rows<T>(
        &mut self,
        indent: &str,
        rows: Result<Vec<T>>,
        text: impl Fn(&Self, &T) -> String,
    ) -> io::Result<()> {
        match rows {
            Ok(rows) => rows.iter().enumerate().try_for_each(|(n, row)| {
                let text = text(self, row);
                writeln!(self.out, "{indent}  {n}: {text}")
            }),
            Err(e) => writeln!(self.out, "{indent}  {}", e.detail(None)),
        }
    }

    /// `@p.A(name=value, ...)`
    fn annotation(&self, annotation: &Annotation) -> String {
        let elements: Vec<_> = annotation
            .elements
            .iter()
            .map(|(name, value)| format!("{}={}", self.utf8(*name), self.element(value)))
            .collect();
        let name = self.java_type(annotation.type_index);
        match elements.is_empty() {
            true => format!("@{name}"),
            false => format!("@{name}({})", elements.join(", ")),
        }
    }

    fn element(&self, value: &ElementValue) -> String {
        match value {
            ElementValue::Constant { tag, index } => self.element_constant(*tag, *index),
            ElementValue::Enum { type_index, name } => {
                format!("{}.{}", self.java_type(*type_index), self.utf8(*name))
            }
            ElementValue::Class(index) => format!("{}.class", self.java_type(*index)),
            ElementValue::Annotation(annotation) => self.annotation(annotation),
            ElementValue::Array(values) => {
                let values: Vec<_> = values.iter().map(|value| self.element(value)).collect();
                format!("{{{}}}", values.join(", "))
            }
        }
    }

    fn element_constant(&self, tag: u8, index: u16) -> String {
        match (tag, self.pool.get(index)) {
            (b's', Ok(Constant::Utf8 { .. })) => format!("\"{}\"", self.utf8(index)),
            (b'Z', Ok(Constant::Integer(value @ 0..=1))) => (value == 1).to_string(),
            (b'B', Ok(Constant::Integer(value))) => format!("(byte) {value}"),
            (b'S', Ok(Constant::Integer(value))) => format!("(short) {value}"),
            (b'C', Ok(Constant::Integer(value @ 0..=0xFFFF))) => {
                format!(
                    "'{}'",
                    text::escaped(&crate::mutf8::from_utf16([value as u16]))
                )
            }
            _ => self.describe(index),
        }
    }

    /// The Java name of a type given by its descriptor.
    fn java_type(&self, index: u16) -> String {
        match self.pool.str(index) {
            Ok("V") => "void".into(),
            Ok(descriptor) => match FieldType::parse(descriptor) {
                Ok(field_type) => field_type.java().to_string(),
                Err(_) => self.utf8(index),
            },
            Err(_) => self.utf8(index),
        }
    }
}

/// `FIELD, location=[ARRAY, TYPE_ARGUMENT(0)]`
fn target(row: &TypeAnnotation) -> String {
    let name = match row.target_type {
        0x00 => "CLASS_TYPE_PARAMETER",
        0x01 => "METHOD_TYPE_PARAMETER",
        0x10 => "CLASS_EXTENDS",
        0x11 => "CLASS_TYPE_PARAMETER_BOUND",
        0x12 => "METHOD_TYPE_PARAMETER_BOUND",
        0x13 => "FIELD",
        0x14 => "METHOD_RETURN",
        0x15 => "METHOD_RECEIVER",
        0x16 => "METHOD_FORMAL_PARAMETER",
        0x17 => "THROWS",
        0x40 => "LOCAL_VARIABLE",
        0x41 => "RESOURCE_VARIABLE",
        0x42 => "EXCEPTION_PARAMETER",
        0x43 => "INSTANCEOF",
        0x44 => "NEW",
        0x45 => "CONSTRUCTOR_REFERENCE",
        0x46 => "METHOD_REFERENCE",
        0x47 => "CAST",
        0x48 => "CONSTRUCTOR_INVOCATION_TYPE_ARGUMENT",
        0x49 => "METHOD_INVOCATION_TYPE_ARGUMENT",
        0x4A => "CONSTRUCTOR_REFERENCE_TYPE_ARGUMENT",
        _ => "METHOD_REFERENCE_TYPE_ARGUMENT",
    };
    let details = match &row.target {
        Target::TypeParameter(parameter) => format!(", param_index={parameter}"),
        Target::Supertype(index) => format!(", type_index={index}"),
        Target::TypeParameterBound { parameter, bound } => {
            format!(", param_index={parameter}, bound_index={bound}")
        }
        Target::Empty => String::new(),
        Target::FormalParameter(parameter) => format!(", param_index={parameter}"),
        Target::Throws(index) => format!(", type_index={index}"),
        Target::LocalVariable(ranges) => {
            let ranges: Vec<_> = ranges
                .iter()
                .map(|(start, length, slot)| {
                    format!("{{start_pc={start}, length={length}, index={slot}}}")
                })
                .collect();
            format!(", {}", ranges.join("; "))
        }
        Target::Catch(index) => format!(", exception_index={index}"),
        Target::Offset(offset) => format!(", offset={offset}"),
        Target::TypeArgument { offset, argument } => {
            format!(", offset={offset}, type_index={argument}")
        }
    };
    let steps: Vec<_> = row
        .path
        .iter()
        .map(|(kind, argument)| match kind {
            0 => "ARRAY".to_owned(),
            1 => "INNER_TYPE".to_owned(),
            2 => "WILDCARD".to_owned(),
            3 => format!("TYPE_ARGUMENT({argument})"),
            other => format!("(bad step {other})"),
        })
        .collect();
    match steps.is_empty() {
        true => format!("{name}{details}"),
        false => format!("{name}{details}, location=[{}]", steps.join(", ")),
    }
}
