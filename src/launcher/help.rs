//! The usage texts, made from the table of options.

use super::flags::{FLAGS, Group};
use std::fmt::Write;

const HEAD: &str = "\
Usage: rjvm [options] <mainclass> [args...]
           (to execute a class)
   or  rjvm [options] -jar <jarfile> [args...]
           (to execute a jar file)
   or  rjvm [options] -m <module>[/<mainclass>] [args...]
           (to execute the main class in a module)
   or  rjvm [options] <sourcefile> [args...]
           (to compile and execute a single source file)
   or  rjvm dis <classfile>...
           (to print the contents of class files)

 Arguments after the main class, jar file, module or source file are passed to
 the program.
";

/// `--help`.
pub fn usage() -> String {
    let mut out = HEAD.to_string();
    section(&mut out, "\n Profiles and determinism:\n", Group::Own);
    out.push_str("\n Profile formats, by file extension:\n");
    for f in &rjvm_profiler::export::FORMATS {
        let _ = writeln!(out, "    .{:<15} {}", f.extension, f.about);
    }
    section(&mut out, "\n Options that java has too:\n", Group::Java);
    out.push_str(
        "    @argument files\n                  files that contain options\n    \
         --disable-@files\n                  do not expand argument files from here on\n",
    );
    let _ = writeln!(
        out,
        "\n Exit codes besides the program's own: 1 for errors; {} for an internal error\n \
         of rjvm; {} when the machine has no memory left for rjvm itself.",
        super::fault::INTERNAL,
        super::fault::EXHAUSTED
    );
    out
}

/// `-X`.
pub fn extra() -> String {
    let mut out = String::new();
    section(&mut out, "", Group::Extra);
    out
}

fn section(out: &mut String, title: &str, group: Group) {
    out.push_str(title);
    for flag in FLAGS.iter().filter(|f| f.group == group) {
        let names: Vec<String> = flag.names.iter().map(|n| flag.written(n)).collect();
        let _ = writeln!(out, "    {}", names.join(" | "));
        for line in wrap(flag.help, 60) {
            let _ = writeln!(out, "                  {line}");
        }
    }
}

fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("never empty");
        if line.is_empty() {
            line.push_str(word);
        } else if line.len() + 1 + word.len() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.into());
        }
    }
    lines
}
