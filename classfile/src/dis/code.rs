//! `Code`: instructions, exception table, debugging tables, stack map.

use super::{Dis, text};
use crate::access;
use crate::attributes::CodeAttribute;
use crate::class_file::{ClassFile, MethodInfo};
use crate::descriptor::MethodDescriptor;
use crate::opcodes::{self, Insn, Operand, Switch};
use crate::stackmap::{self, Change, TypeInfo};
use std::io::{self, Write};

/// An instruction in one line: mnemonic and operands; constants as what they are, not as their index.
pub fn instruction(class: &ClassFile, insn: &Insn<'_>) -> String {
    let dis = Dis {
        class,
        pool: &class.constant_pool,
        out: &mut io::sink(),
    };
    let mnemonic = mnemonic(insn);
    let operands = match insn.operand {
        Operand::None => return mnemonic,
        Operand::Switch(switch) => range(&switch),
        Operand::Constant(index) | Operand::Interface { index, .. } => dis.operand_comment(index),
        Operand::MultiArray { index, dimensions } => {
            format!("{}, {dimensions}", dis.operand_comment(index))
        }
        _ => operands(insn).trim_start().to_owned(),
    };
    format!("{mnemonic} {operands}")
}

fn mnemonic(insn: &Insn<'_>) -> String {
    let wide = if insn.wide { "_w" } else { "" };
    format!("{}{wide}", insn.name())
}

/// The keys of a table, or how many there are.
fn range(switch: &Switch<'_>) -> String {
    match switch.low {
        Some(low) => {
            let high = i64::from(low) + switch.len() as i64 - 1;
            format!("{low} to {high}")
        }
        None => switch.len().to_string(),
    }
}

/// Operands as `javap` has them.
fn operands(insn: &Insn<'_>) -> String {
    match insn.operand {
        Operand::None => String::new(),
        Operand::Switch(switch) => format!("{{ // {}", range(&switch)),
        Operand::Immediate(number) => number.to_string(),
        Operand::Local(local) => local.to_string(),
        Operand::Iinc { local, delta } => format!("{local}, {delta}"),
        Operand::Branch(target) => target.to_string(),
        Operand::ArrayType(atype) => match opcodes::array_type_name(atype) {
            Some(name) => format!(" {name}"),
            None => format!(" {atype}"),
        },
        Operand::Constant(index) if insn.opcode == opcodes::INVOKEDYNAMIC => {
            format!("#{index},  0")
        }
        Operand::Constant(index) => format!("#{index}"),
        Operand::Interface { index, count } => format!("#{index},  {count}"),
        Operand::MultiArray { index, dimensions } => format!("#{index},  {dimensions}"),
    }
}

/// The column of the comments.
const COMMENT: usize = 46;

impl<W: Write> Dis<'_, W> {
    pub(super) fn code(&mut self, method: &MethodInfo, code: &CodeAttribute) -> io::Result<()> {
        writeln!(self.out, "    Code:")?;
        let arguments = match self
            .pool
            .str(method.descriptor)
            .map(MethodDescriptor::parse)
        {
            Ok(Ok(descriptor)) => {
                // Arguments, not slots, as javap counts them.
                descriptor.parameter_count + u16::from(method.access_flags & access::STATIC == 0)
            }
            _ => 0,
        };
        writeln!(
            self.out,
            "      stack={}, locals={}, args_size={arguments}",
            code.max_stack, code.max_locals
        )?;
        for insn in opcodes::insns(&code.code) {
            match insn {
                Ok(insn) => self.insn(&insn)?,
                Err(e) => writeln!(self.out, "            {}", e.detail(None))?,
            }
        }
        self.exception_table(code)?;
        if !code.line_numbers.is_empty() {
            writeln!(self.out, "      LineNumberTable:")?;
            for (pc, line) in &code.line_numbers {
                writeln!(self.out, "        line {line}: {pc}")?;
            }
        }
        let variables = code.local_variables.iter();
        self.variables(
            "LocalVariableTable",
            variables
                .map(|v| (v.start_pc, v.length, v.index, v.name, v.descriptor))
                .collect(),
        )?;
        let types = code.local_variable_types.iter();
        self.variables(
            "LocalVariableTypeTable",
            types
                .map(|v| (v.start_pc, v.length, v.index, v.name, v.signature))
                .collect(),
        )?;
        if let Some(table) = &code.stack_map {
            self.stack_map(table)?;
        }
        self.annotation_attributes("      ", &code.annotations)?;
        self.other_attributes("      ", &code.other)
    }

    fn insn(&mut self, insn: &Insn<'_>) -> io::Result<()> {
        let pc = insn.pc;
        let (mnemonic, operands) = (mnemonic(insn), operands(insn));
        let line = format!("{mnemonic:<13} {operands}");
        match insn.operand {
            Operand::None => return writeln!(self.out, "      {pc:>4}: {mnemonic}"),
            Operand::Switch(switch) => {
                writeln!(self.out, "      {pc:>4}: {line}")?;
                for (key, target) in switch.cases() {
                    writeln!(self.out, "{key:>24}: {target}")?;
                }
                writeln!(self.out, "{:>24}: {}", "default", switch.default)?;
                return writeln!(self.out, "            }}");
            }
            _ => {}
        }
        let (Operand::Constant(index)
        | Operand::Interface { index, .. }
        | Operand::MultiArray { index, .. }) = insn.operand
        else {
            return writeln!(self.out, "      {pc:>4}: {line}");
        };
        let comment = self.operand_comment(index);
        self.commented(&format!("      {pc:>4}: {line}"), COMMENT, &comment)
    }

    fn exception_table(&mut self, code: &CodeAttribute) -> io::Result<()> {
        if code.exceptions.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "      Exception table:")?;
        writeln!(self.out, "         from    to  target type")?;
        for row in &code.exceptions {
            let caught = match row.catch_type {
                0 => "any".to_owned(),
                index => format!("Class {}", text::name(&self.class_text(index))),
            };
            writeln!(
                self.out,
                "        {:>6}{:>6}{:>6}   {caught}",
                row.start_pc, row.end_pc, row.handler_pc
            )?;
        }
        Ok(())
    }

    fn variables(&mut self, table: &str, rows: Vec<(u16, u16, u16, u16, u16)>) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "      {table}:")?;
        writeln!(self.out, "        Start  Length  Slot  Name   Signature")?;
        for (start, length, slot, name, signature) in rows {
            let (name, signature) = (self.utf8(name), self.utf8(signature));
            writeln!(
                self.out,
                "      {start:>7} {length:>7} {slot:>5} {name:>5}   {signature}"
            )?;
        }
        Ok(())
    }

    fn stack_map(&mut self, table: &[u8]) -> io::Result<()> {
        let count = table
            .first_chunk()
            .map_or(0, |count| u16::from_be_bytes(*count));
        writeln!(self.out, "      StackMapTable: number_of_entries = {count}")?;
        for entry in stackmap::entries(table) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(e) => return writeln!(self.out, "        {}", e.detail(None)),
            };
            let kind = match (entry.frame_type, &entry.change) {
                (251, _) => "same_frame_extended",
                (247, _) => "same_locals_1_stack_item_frame_extended",
                (_, Change::Same) => "same",
                (_, Change::SameLocals1(_)) => "same_locals_1_stack_item",
                (_, Change::Chop(_)) => "chop",
                (_, Change::Append(_)) => "append",
                (_, Change::Full { .. }) => "full_frame",
            };
            writeln!(
                self.out,
                "        frame_type = {} /* {kind} */",
                entry.frame_type
            )?;
            if entry.frame_type >= 247 {
                writeln!(self.out, "          offset_delta = {}", entry.offset_delta)?;
            }
            match &entry.change {
                Change::Same | Change::Chop(_) => {}
                Change::SameLocals1(operand) => self.types("stack", &[*operand])?,
                Change::Append(locals) => self.types("locals", locals)?,
                Change::Full { locals, stack } => {
                    self.types("locals", locals)?;
                    self.types("stack", stack)?;
                }
            }
        }
        Ok(())
    }

    fn types(&mut self, what: &str, types: &[TypeInfo]) -> io::Result<()> {
        let texts: Vec<_> = types.iter().map(|info| self.type_info(*info)).collect();
        match texts.is_empty() {
            true => writeln!(self.out, "          {what} = []"),
            false => writeln!(self.out, "          {what} = [ {} ]", texts.join(", ")),
        }
    }

    fn type_info(&self, info: TypeInfo) -> String {
        match info {
            TypeInfo::Top => "top".into(),
            TypeInfo::Integer => "int".into(),
            TypeInfo::Float => "float".into(),
            TypeInfo::Double => "double".into(),
            TypeInfo::Long => "long".into(),
            TypeInfo::Null => "null".into(),
            TypeInfo::UninitializedThis => "this".into(),
            TypeInfo::Object(index) => format!("class {}", text::name(&self.class_text(index))),
            TypeInfo::Uninitialized(pc) => format!("uninitialized {pc}"),
        }
    }
}
