//! The usage texts, made from the table of options: `--help` for a screen, `--help-all`, and the manual page.

use super::flags::FLAGS;
use super::option::{Flag, Group};
use super::words::OPTIONS_VARIABLE;
use crate::subcommands::{ALL, Subcommand};
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
   or  rjvm <command> [args...]
";

const AFTER_HEAD: &str = "
 Arguments after the main class, jar file, module or source file are passed to
 the program. rjvm accepts the options of java.
";

/// The options of `--help`: those of the first hour.
const SHORT: [&str; 10] = [
    "-cp",
    "--profile",
    "--sample-gran",
    "-o",
    "--view",
    "--include",
    "--allocations",
    "--deterministic",
    "--quiet",
    "--help-all",
];

/// `--help`: one screen.
pub fn usage() -> String {
    let mut out = String::new();
    let explained = |line: &&str| !line.trim_start().starts_with("(to ");
    for line in HEAD.lines().filter(explained) {
        let _ = writeln!(out, "{line}");
    }
    commands(&mut out);
    out.push_str(AFTER_HEAD);
    out.push('\n');
    let flags = SHORT.iter().map(|name| {
        let named = |f: &&Flag| f.names.contains(name);
        FLAGS.iter().find(named).expect("an option of the table")
    });
    for flag in flags {
        let written = format!(" {}", flag.written(flag.names[0]));
        let mut lines = wrap(flag.short_help(), 54).into_iter();
        let first = lines.next().unwrap_or_default();
        match written.len() < 24 {
            true => _ = writeln!(out, "{written:24} {first}"),
            false => _ = writeln!(out, "{written}\n{:25}{first}", ""),
        }
        for line in lines {
            let _ = writeln!(out, "{:25}{line}", "");
        }
    }
    let formats = rjvm_profiler::export::FORMATS.iter();
    let formats: Vec<String> = formats.map(|f| format!(".{}", f.extension)).collect();
    out.push_str("\n Formats of profiles, by extension:\n");
    for line in wrap(&formats.join(" "), 76) {
        let _ = writeln!(out, "  {line}");
    }
    out.push_str("\n --help-all shows every option, -X those for experts.\n");
    out
}

/// `--help-all`: every option.
pub fn all() -> String {
    let mut out = HEAD.to_string();
    commands(&mut out);
    out.push_str(AFTER_HEAD);
    section(
        &mut out,
        "\n Profiles and determinism:\n",
        &[Group::Own, Group::Report],
    );
    out.push_str("\n Profile formats, by file extension:\n");
    for f in &rjvm_profiler::export::FORMATS {
        let _ = writeln!(out, "    .{:<15} {}", f.extension, f.about);
    }
    section(&mut out, "\n Options that java has too:\n", &[Group::Java]);
    out.push_str(
        "    @argument files\n                  files that contain options\n    \
         --disable-@files\n                  do not expand argument files from here on\n",
    );
    let _ = writeln!(
        out,
        "\n Exit codes besides the program's own: 1 for errors; {} for an internal error\n \
         of rjvm; {} when the machine has no memory left for rjvm itself; {} when two\n \
         runs diverge that should be the same.",
        super::codes::INTERNAL,
        super::codes::EXHAUSTED,
        super::codes::PARTED
    );
    let _ = writeln!(
        out,
        "\n rjvm also takes options from the variables {OPTIONS_VARIABLE}, JDK_JAVA_OPTIONS\n \
         and JAVA_TOOL_OPTIONS."
    );
    out
}

fn commands(out: &mut String) {
    for Subcommand { name, about } in ALL {
        let first = about.split_once(':').map_or(about, |(a, _)| a);
        let _ = writeln!(out, "           {name:12} {first}");
    }
}

/// `-X`.
pub fn extra() -> String {
    let mut out = String::new();
    section(&mut out, "", &[Group::Extra]);
    out
}

fn section(out: &mut String, title: &str, groups: &[Group]) {
    out.push_str(title);
    for flag in FLAGS.iter().filter(|f| groups.contains(&f.group)) {
        let names: Vec<String> = flag.names.iter().map(|n| flag.written(n)).collect();
        let _ = writeln!(out, "    {}", names.join(" | "));
        for line in wrap(flag.help, 60) {
            let _ = writeln!(out, "                  {line}");
        }
    }
}

/// The manual page `rjvm.1`, in the `man` macros of roff.
pub fn manual() -> String {
    // A backslash, and a dot or an apostrophe that begins a line, mean something to roff.
    let text = |s: &str| {
        let s = s.replace('\\', "\\e").replace('-', "\\-");
        match s.starts_with(['.', '\'']) {
            true => format!("\\&{s}"),
            false => s,
        }
    };
    let version = env!("CARGO_PKG_VERSION");
    let mut out = format!(
        ".TH RJVM 1 \"\" \"rjvm {version}\" \"User Commands\"\n\
         .SH NAME\nrjvm \\- a Java virtual machine that counts every executed bytecode\n\
         .SH SYNOPSIS\n.nf\n"
    );
    for line in HEAD.lines() {
        let line = line
            .trim_start_matches("Usage:")
            .trim_start_matches("   or ");
        let _ = writeln!(out, "{}", text(line.trim_start()));
    }
    out.push_str(".fi\n.SH COMMANDS\n");
    for Subcommand { name, about } in ALL {
        let _ = writeln!(out, ".TP\n.B {name}\n{}", text(about));
    }
    for (title, groups) in [
        ("PROFILES AND DETERMINISM", &[Group::Own, Group::Report][..]),
        ("OPTIONS AS JAVA HAS THEM", &[Group::Java]),
        ("EXTRA OPTIONS", &[Group::Extra]),
    ] {
        let _ = writeln!(out, ".SH {title}");
        for flag in FLAGS.iter().filter(|f| groups.contains(&f.group)) {
            let names: Vec<String> = flag.names.iter().map(|n| flag.written(n)).collect();
            let _ = writeln!(
                out,
                ".TP\n.B {}\n{}",
                text(&names.join(" | ")),
                text(flag.help)
            );
        }
    }
    out.push_str(".SH FORMATS OF PROFILES\n");
    for f in &rjvm_profiler::export::FORMATS {
        let _ = writeln!(
            out,
            ".TP\n.B {}\n{}",
            text(&format!(".{}", f.extension)),
            text(f.about)
        );
    }
    out.push_str(&manual_end());
    out
}

/// Its last sections.
fn manual_end() -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        ".SH EXIT STATUS\nThe exit code of the program; 1 for errors, {} for an internal error of rjvm, {} when the \
         machine has no more memory for rjvm itself, {} when two runs diverge that should be the same.",
        super::codes::INTERNAL,
        super::codes::EXHAUSTED,
        super::codes::PARTED
    );
    let _ = writeln!(
        out,
        ".SH ENVIRONMENT\n.TP\n.B {OPTIONS_VARIABLE}\noptions, read before those of the command line\n\
         .TP\n.B JDK_JAVA_OPTIONS, JAVA_TOOL_OPTIONS, JAVA_HOME, CLASSPATH\nas for java\n\
         .SH SEE ALSO\n.BR java (1)"
    );
    out
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
