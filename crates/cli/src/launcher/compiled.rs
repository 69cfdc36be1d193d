//! `rjvm dis --compiled`: the machine code of methods, beside the instructions that it is made from. `objdump` reads it, if it is there;
//! else the bytes are printed.

use crate::run_error::RunError;
use rjvm_vm::interp::CompiledListing;
use std::fmt::Write;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};

/// Bytes of machine code on a line.
const BYTES: usize = 16;

/// A machine instruction: its offset, and its text with the bytes.
type MachineLine = (u32, String);

/// The listing as text. `reads`: `objdump` is there.
pub fn text(listing: &CompiledListing, reads: bool) -> Result<String, RunError> {
    let (compiled, all) = listing.instructions;
    let mut out = format!(
        "{}: {} bytes of bytecode, {} bytes of code; {compiled} of {all} instructions compiled\n",
        listing.method,
        listing.bytecode,
        listing.code.len()
    );
    if let Some(problem) = &listing.problem {
        let _ = writeln!(out, "not compiled: {problem}");
        return Ok(out);
    }
    let machine = match reads {
        true => disassembled(&listing.code)?,
        false => Vec::new(),
    };
    for (i, (at, text)) in listing.places.iter().enumerate() {
        let _ = writeln!(out, "{text}");
        let end = listing.places.get(i + 1).map(|p| p.0);
        let end = end.unwrap_or(listing.exits);
        code(&mut out, listing, &machine, *at, end);
    }
    let exits = listing.exits;
    if (exits as usize) < listing.code.len() {
        out += "        ways into registers' slots, and out of the code\n";
        code(
            &mut out,
            listing,
            &machine,
            exits,
            listing.code.len() as u32,
        );
    }
    Ok(out)
}

/// Code from one offset up to another.
fn code(out: &mut String, listing: &CompiledListing, machine: &[MachineLine], from: u32, to: u32) {
    let lines: Vec<&MachineLine> = machine
        .iter()
        .filter(|(at, _)| (from..to).contains(at))
        .collect();
    for (at, text) in &lines {
        let _ = writeln!(out, "            +{at:04x}  {text}");
    }
    if lines.is_empty() {
        let bytes = &listing.code[from as usize..to as usize];
        for (i, line) in bytes.chunks(BYTES).enumerate() {
            let at = from as usize + i * BYTES;
            let hex: Vec<String> = line.iter().map(|b| format!("{b:02x}")).collect();
            let _ = writeln!(out, "            +{at:04x}  {}", hex.join(" "));
        }
    }
}

/// Whether `objdump` is there.
pub fn objdump() -> bool {
    let mut command = Command::new("objdump");
    command.arg("--version").stdin(Stdio::null());
    let ran = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    ran.is_ok_and(|status| status.success())
}

fn disassembled(code: &[u8]) -> Result<Vec<MachineLine>, RunError> {
    let failed = |e: io::Error| RunError::Objdump(e.to_string());
    let scratch = super::alike::Scratch::new().map_err(failed)?;
    let file = scratch.path().join("code");
    let mut made = std::fs::File::create(&file).map_err(failed)?;
    made.write_all(code).map_err(failed)?;
    let ran = Command::new("objdump")
        .args([
            "-D",
            "-w",
            "-b",
            "binary",
            "-m",
            "i386:x86-64",
            "-M",
            "intel",
        ])
        .arg(&file)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .map_err(failed)?;
    if !ran.status.success() {
        let message = String::from_utf8_lossy(&ran.stderr);
        return Err(RunError::Objdump(message.trim_end().into()));
    }
    Ok(lines(&String::from_utf8_lossy(&ran.stdout)))
}

/// The lines of instructions: an offset, a colon, the rest.
fn lines(text: &str) -> Vec<MachineLine> {
    let lines = text.lines().filter_map(|line| {
        let (at, rest) = line.split_once(":\t")?;
        let at = u32::from_str_radix(at.trim(), 16).ok()?;
        Some((at, rest.replace('\t', " ").trim_end().to_owned()))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objdumps_lines_are_read() {
        let text = "\n\ncode:     file format binary\n\n0000000000000000 <.data>:\n   0:\t48 8b 3a             \tmov    rdi,QWORD PTR [rdx]\n  1c:\tc3                   \tret    \n";
        let read = lines(text);
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].0, 0);
        assert!(
            read[0].1.ends_with("mov    rdi,QWORD PTR [rdx]"),
            "{read:?}"
        );
        assert_eq!(read[1].0, 0x1c);
    }

    #[test]
    fn without_objdump_there_are_bytes() {
        let listing = CompiledListing {
            method: "C.m()V".into(),
            bytecode: 2,
            code: (0..20).collect(),
            places: vec![
                (0, "     0  nop\n        0000  a".into()),
                (3, "        0008  b".into()),
            ],
            exits: 19,
            instructions: (1, 2),
            problem: None,
        };
        let text = text(&listing, false).expect("bytes");
        assert_eq!(
            text,
            "C.m()V: 2 bytes of bytecode, 20 bytes of code; 1 of 2 instructions compiled\n     0  nop\n        0000  a\n            \
             +0000  00 01 02\n        0008  b\n            +0003  03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12\n        \
             ways into registers' slots, and out of the code\n            +0013  13\n"
        );
    }
}
