//! Class files as XML, for queries that join a calling-context tree with the code that was
//! executed: `class2xml DIR_OR_FILE... > classes.xml`.
//!
//! The shape is the same as in ASM's XML, which JP2's queries read: an element for each instruction, named
//! by its mnemonic in capitals. Unlike there, short forms such as `ALOAD_0` and `LDC_W` stay, and each instruction has its
//! bytecode index.
//!
//! ```xml
//! <classes>
//!   <class name="Demo">
//!     <method name="main" desc="([Ljava/lang/String;)V">
//!       <code>
//!         <NEW index="0" desc="Square"/>
//!         <INVOKESPECIAL index="5" owner="Square" name="&lt;init&gt;" desc="(F)V"/>
//! ```

use rjvm_classfile::opcodes::{Insn, Operand, insns};
use rjvm_classfile::{ClassFile, Constant, ConstantPool, Result as Parsed};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[allow(dead_code, reason = "tests include this file as a module")]
fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        return Err(io::Error::other("class2xml DIR_OR_FILE... > classes.xml"));
    }
    write(&paths, &mut out)?;
    out.flush()
}

/// Writes all classes of these files and folders.
pub fn write(paths: &[PathBuf], out: &mut dyn Write) -> io::Result<()> {
    let mut files = Vec::new();
    let mut todo = paths.to_vec();
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            for entry in std::fs::read_dir(&path)? {
                todo.push(entry?.path());
            }
        } else if paths.contains(&path) || path.extension().is_some_and(|e| e == "class") {
            files.push(path);
        }
    }
    files.sort();
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<classes>\n")?;
    for file in files {
        let text = class(&file)?;
        out.write_all(text.as_bytes())?;
    }
    out.write_all(b"</classes>\n")
}

fn class(path: &Path) -> io::Result<String> {
    let bytes = std::fs::read(path)?;
    ClassFile::parse(&bytes)
        .and_then(|class| text(&class))
        .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))
}

fn text(class: &ClassFile) -> Parsed<String> {
    let pool = &class.constant_pool;
    let mut out = format!("  <class name=\"{}\">\n", escaped(class.name()?));
    for method in &class.methods {
        let (name, desc) = (pool.str(method.name)?, pool.str(method.descriptor)?);
        out += &format!(
            "    <method name=\"{}\" desc=\"{}\">\n",
            escaped(name),
            escaped(desc)
        );
        if let Some(code) = &method.attributes.code {
            out += "      <code>\n";
            for insn in insns(&code.code) {
                out += &instruction(&insn?, pool)?;
            }
            out += "      </code>\n";
        }
        out += "    </method>\n";
    }
    out += "  </class>\n";
    Ok(out)
}

fn instruction(insn: &Insn<'_>, pool: &ConstantPool) -> Parsed<String> {
    let mut out = format!(
        "        <{} index=\"{}\"",
        insn.name().to_uppercase(),
        insn.pc
    );
    let mut attribute = |name: &str, value: &dyn std::fmt::Display| {
        out += &format!(" {name}=\"{}\"", escaped(&value.to_string()));
    };
    match insn.operand {
        Operand::None | Operand::ArrayType(_) | Operand::Switch(_) => {}
        Operand::Immediate(n) => attribute("value", &n),
        Operand::Local(n) => attribute("var", &n),
        Operand::Iinc { local, delta } => {
            attribute("var", &local);
            attribute("inc", &delta);
        }
        Operand::Branch(target) => attribute("label", &target),
        Operand::Constant(index)
        | Operand::Interface { index, .. }
        | Operand::MultiArray { index, .. } => match pool.get(index)? {
            Constant::Class { .. } => attribute("desc", &pool.class_name(index)?),
            Constant::Fieldref { .. }
            | Constant::Methodref { .. }
            | Constant::InterfaceMethodref { .. } => {
                let member = pool.member_ref(index)?;
                attribute("owner", &member.class);
                attribute("name", &member.name);
                attribute("desc", &member.descriptor);
            }
            _ => {}
        },
    }
    out += "/>\n";
    Ok(out)
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
