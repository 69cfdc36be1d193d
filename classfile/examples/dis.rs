//! Disassembles class files: `cargo run -p rjvm-classfile --example dis -- FILE...`

use rjvm_classfile::{ClassFile, dis};
use std::error::Error;
use std::io::{BufWriter, Write, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(stdout().lock());
    for file in std::env::args_os().skip(1) {
        dis::disassemble(&ClassFile::parse(&std::fs::read(file)?)?, &mut out)?;
    }
    Ok(out.flush()?)
}
