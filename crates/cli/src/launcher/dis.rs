//! `rjvm dis FILE...`: prints class files. (`--translated`: see `translated`.)

use crate::messages;
use crate::subcommands;
use clap::{Arg, ArgMatches, Command};
use rjvm_classfile::{ClassFile, dis};
use std::io::{BufWriter, Write, stdout};

/// The command line.
pub fn command() -> Command {
    subcommands::DIS.command()
        .after_help("rjvm dis --translated [options] CLASS[.METHOD]... prints the interpreter's translation of methods;\nrjvm dis --compiled prints their machine code, through objdump if it is there. Both take the\noptions for running a program.\n\nExamples:\n  rjvm dis target/classes/com/acme/Parser.class\n  rjvm dis --translated -cp target/classes com.acme.Parser.parse\n  rjvm dis --compiled -cp target/classes com.acme.Parser.parse\n\nExit codes: 0; 1 if rjvm cannot read a file, or if it is not a class file; 2 for an invalid command line\nSee docs/tools.md")
        .arg_required_else_help(true)
        .arg(
            Arg::new("classfile")
                .help("Class files")
                .required(true)
                .num_args(1..),
        )
}

/// Prints each file, or the problem with it; returns the exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    let files = matches.get_many::<String>("classfile").unwrap_or_default();
    let mut out = BufWriter::new(stdout().lock());
    let mut code = 0;
    for file in files {
        let bytes = match std::fs::read(file) {
            Ok(b) => b,
            Err(e) => {
                let _ = out.flush();
                messages::error(&format_args!("{file}: {e}"));
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
                messages::error(&format_args!("{file}: {e}"));
                code = 1;
            }
            Err(e) => {
                let _ = out.flush();
                messages::error(&format_args!("{file}: {e}"));
                code = 1;
            }
        }
    }
    if let Err(e) = out.flush()
        && e.kind() != std::io::ErrorKind::BrokenPipe
    {
        messages::error(&e);
        code = 1;
    }
    code
}
