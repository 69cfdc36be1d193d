//! Checks of `Code` attributes (JVMS 4.7.3) and the debugging tables in them.

use super::Checker;
use crate::attributes::CodeAttribute;
use crate::error::{CLASS, Error, Result};
use std::collections::HashSet;

/// A row of either table of local variables.
#[derive(Clone, Copy)]
struct Row {
    start_pc: u16,
    length: u16,
    name: u16,
    signature: u16,
    index: u16,
}

impl Checker<'_> {
    pub(super) fn check_code(&self, code: &CodeAttribute, argument_slots: u16) -> Result<()> {
        let length = code.code.len();
        if length == 0 || length > 65535 {
            return Err(Error::rule(format_args!(
                "Invalid method Code length {length}"
            )));
        }
        if argument_slots > code.max_locals {
            return Err(Error::rule("Arguments can't fit into locals"));
        }
        for entry in &code.exceptions {
            if entry.start_pc >= entry.end_pc || usize::from(entry.end_pc) > length {
                return Err(Error::rule("Illegal exception table range"));
            }
            if usize::from(entry.handler_pc) >= length {
                return Err(Error::rule("Illegal exception table handler"));
            }
            if entry.catch_type != 0 && !self.is_class(entry.catch_type) {
                return Err(Error::rule(
                    "Catch type in exception table has bad constant type",
                ));
            }
        }
        if code
            .line_numbers
            .iter()
            .any(|(start_pc, _)| usize::from(*start_pc) >= length)
        {
            return Err(Error::rule("Invalid pc in LineNumberTable"));
        }
        self.check_locals(code)
    }

    fn check_locals(&self, code: &CodeAttribute) -> Result<()> {
        let mut variables = HashSet::new();
        for v in &code.local_variables {
            let row = Row {
                start_pc: v.start_pc,
                length: v.length,
                name: v.name,
                signature: v.descriptor,
                index: v.index,
            };
            let key = self.check_local(code, "LocalVariableTable", row)?;
            let name = self.pool.str(row.name)?;
            let signature = self.pool.str(row.signature)?;
            let wide = self.check_field_signature(name, signature)?.slots() - 1;
            self.check_local_index("LocalVariableTable", row.index, wide, code.max_locals)?;
            if !variables.insert(key) {
                return Err(duplicate("LocalVariableTable", name));
            }
        }
        let mut types = HashSet::new();
        for v in &code.local_variable_types {
            let row = Row {
                start_pc: v.start_pc,
                length: v.length,
                name: v.name,
                signature: v.signature,
                index: v.index,
            };
            let key = self.check_local(code, "LocalVariableTypeTable", row)?;
            self.check_local_index("LocalVariableTypeTable", row.index, 0, code.max_locals)?;
            let name = self.pool.str(row.name)?;
            if !variables.is_empty() {
                if !types.insert(key) {
                    return Err(duplicate("LocalVariableTypeTable", name));
                }
                if !variables.contains(&key) {
                    return Err(Error::text(format!(
                        "LVTT entry for '{name}' in class file {CLASS} does not match any LVT entry"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Checks what the two tables have in common; returns what rows must differ in.
    fn check_local(
        &self,
        code: &CodeAttribute,
        table: &str,
        row: Row,
    ) -> Result<(u16, u16, u16, u16)> {
        let length = code.code.len();
        if usize::from(row.start_pc) >= length {
            let start_pc = row.start_pc;
            return Err(Error::rule(format_args!(
                "Invalid start_pc {start_pc} in {table}"
            )));
        }
        if usize::from(row.start_pc) + usize::from(row.length) > length {
            return Err(Error::rule(format_args!(
                "Invalid length {} in {table}",
                row.length
            )));
        }
        for (what, index) in [("Name", row.name), ("Signature", row.signature)] {
            if !self.is_utf8(index) {
                return Err(Error::rule(format_args!(
                    "{what} index {index} in {table} has bad constant type"
                )));
            }
        }
        self.check_field_name(self.pool.str(row.name)?)?;
        Ok((row.start_pc, row.length, row.name, row.index))
    }

    fn check_local_index(&self, table: &str, index: u16, wide: u16, max_locals: u16) -> Result<()> {
        if u32::from(index) + u32::from(wide) >= u32::from(max_locals) {
            return Err(Error::rule(format_args!(
                "Invalid index {index} in {table}"
            )));
        }
        Ok(())
    }
}

#[cold]
fn duplicate(table: &str, name: &str) -> Error {
    Error::rule(format_args!(
        "Duplicated {table} attribute entry for '{name}'"
    ))
}
