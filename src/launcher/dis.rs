//! `rjvm dis FILE...`: prints class files.

use rjvm_classfile::{ClassFile, dis};
use std::io::{BufWriter, Write, stdout};

/// Prints each file, or says what is wrong with it; the exit code.
pub fn main(files: &[String]) -> i32 {
    if files.is_empty() || files.iter().any(|f| f.starts_with('-')) {
        eprintln!("Usage: rjvm dis <classfile>...");
        return 1;
    }
    let mut out = BufWriter::new(stdout().lock());
    let mut code = 0;
    for file in files {
        let bytes = match std::fs::read(file) {
            Ok(b) => b,
            Err(e) => {
                let _ = out.flush();
                eprintln!("Error: {file}: {e}");
                code = 1;
                continue;
            }
        };
        let result = ClassFile::parse(&bytes).map(|cf| dis::disassemble(&cf, &mut out));
        match result {
            Ok(Ok(())) => {}
            // whoever reads has seen enough
            Ok(Err(e)) if e.kind() == std::io::ErrorKind::BrokenPipe => return code,
            Ok(Err(e)) => {
                eprintln!("Error: {file}: {e}");
                code = 1;
            }
            Err(e) => {
                let _ = out.flush();
                eprintln!("Error: {file}: {e}");
                code = 1;
            }
        }
    }
    if let Err(e) = out.flush()
        && e.kind() != std::io::ErrorKind::BrokenPipe
    {
        eprintln!("Error: {e}");
        code = 1;
    }
    code
}
