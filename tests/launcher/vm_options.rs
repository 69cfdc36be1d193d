//! The options of `java`: each is accepted, refused or printed as HotSpot does it.
//!
//! `tests/launcher/options/lines.txt` has command lines, with variables of the environment before the options; `lines.out` what HotSpot
//! does with each: exit code, and the first line of each stream. `values.out` is what it says of values of all its `-XX:`
//! options, `tables.out` the names, types and ranges that it prints. `BLESS=1` runs HotSpot and writes these.

use crate::common::run::{Outcome, Run, vm};
use crate::common::{self, jdk, tests_dir};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The VM whose output is looked at: rjvm, or HotSpot when it is written again.
fn tested() -> PathBuf {
    match common::switch("BLESS") {
        true => jdk::tool("java"),
        false => vm(),
    }
}

/// Compares with a file of `tests/launcher/options`, or writes it.
fn assert_recorded(name: &str, got: &str) {
    let path = tests_dir().join("launcher/options").join(name);
    if common::switch("BLESS") {
        std::fs::write(&path, got).expect("the recorded output can be written");
    }
    let found = common::work_dir().join(name);
    std::fs::write(&found, got).expect("the work folder can be written");
    let want = std::fs::read_to_string(&path).expect("the recorded output is there");
    let differ = want.lines().zip(got.lines()).filter(|(w, g)| w != g);
    let shown: Vec<_> = differ.take(20).collect();
    assert!(
        want == got,
        "{name}: (HotSpot, rjvm) {shown:#?}, and in {}",
        found.display()
    );
}

/// What both VMs say in the same way: without notes, names of VMs and times.
fn comparable(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines().filter(|l| !l.starts_with("rjvm: note: ")) {
        let line = line.replace("OpenJDK 64-Bit Server VM warning:", "rjvm: warning:");
        let line = match line.split_once("s][") {
            Some((_, rest)) if line.starts_with('[') => format!("[{rest}"),
            _ => line,
        };
        let of_version = ["openjdk version ", "OpenJDK ", "openjdk full", "openjdk 17"];
        match of_version.iter().any(|v| line.starts_with(v)) {
            true => out.push_str("(version)\n"),
            false => out.push_str(&(line + "\n")),
        }
    }
    out
}

fn run(name: &str, line: &str, dir: &Path) -> Outcome {
    let mut run = Run::new(&tested(), name).current_dir(dir);
    let mut words = line.split(' ').peekable();
    if let Some((variable, first)) = line.split_once("OPTIONS=") {
        let variable = format!("{variable}OPTIONS");
        run = run.env(&variable, first);
        words = "".split(' ').peekable();
        words.next();
    }
    run.args(words).arg("-version").finish()
}

#[test]
fn command_lines_are_taken_as_by_hotspot() {
    let dir = common::work_dir().join("vm-options");
    std::fs::create_dir_all(&dir).expect("a folder");
    for (file, text) in [
        (
            "settings",
            "# all of them\n+UseSerialGC\nMinRAMPercentage=200.0 +Foo\n",
        ),
        ("words", "-Dx=1 \"-Dy=a b\"\n-XX:+UseSerialGC"),
        ("words-cp", "-cp x"),
        ("words-main", "Main"),
        ("words-quote", "-Dx='1"),
        ("words-file", "-XX:VMOptionsFile=words"),
    ] {
        std::fs::write(dir.join(file), text).expect("a file");
    }
    let path = tests_dir().join("launcher/options/lines.txt");
    let text = std::fs::read_to_string(path).expect("the command lines are there");
    let lines: Vec<(usize, &str)> = text.lines().enumerate().collect();
    let blocks = common::in_parallel(&lines, |(i, line)| {
        let got = run(&format!("vm-options-{i}"), line, &dir);
        let first = |text: String| {
            let text = comparable(&text);
            text.lines()
                .find(|l| !l.is_empty())
                .unwrap_or("")
                .to_owned()
        };
        let mut block = format!("$ {line}\nexit {}\n", got.exit);
        for (stream, text) in [("out", got.out()), ("err", got.err())] {
            let _ = writeln!(block, "{stream}: {}", first(text));
        }
        block.replace(": \n", ":\n")
    });
    assert_recorded("lines.out", &blocks.concat());
}

/// All rows of the table of options: type, kind, name, default, least, greatest.
fn rows() -> Vec<Vec<&'static str>> {
    let text = include_str!("../../crates/cli/src/launcher/xx/hotspot-flags-17.txt");
    let options = text.lines().filter(|line| {
        let marks = ["deprecated\t", "obsolete\t"];
        !marks.iter().any(|mark| line.starts_with(mark))
    });
    options.map(|line| line.split('\t').collect()).collect()
}

#[test]
fn values_of_all_options_are_read_as_by_hotspot() {
    // They unlock others, or decide what is printed.
    let left_out = |name: &str| {
        name.starts_with("Unlock") || name.contains("VMO") || name.starts_with("PrintFlags")
    };
    let mut locked = String::new();
    let mut values = "+UnlockDiagnosticVMOptions\n+UnlockExperimentalVMOptions\n".to_string();
    for row in rows() {
        let (kind, name) = (row[1], row[2]);
        if left_out(name) || ["IgnoreUnrecognizedVMOptions", "PrintWarnings"].contains(&name) {
            continue;
        }
        let mut line = |text: String| values.push_str(&(text + "\n"));
        match row[0] {
            "debug" | "debug-bool" => line(format!("+{name}")),
            "bool" => line(name.into()),
            _ => {
                line(format!("+{name}"));
                line(name.into());
            }
        }
        if let [_, _, _, _, least, most] = row[..] {
            line(format!("{name}=1x"));
            if row[0] == "double" {
                line(format!("{name}=-0.5"));
            } else if let (Ok(least), Ok(most)) = (least.parse::<i128>(), most.parse::<i128>()) {
                line(format!("{name}={}", least - 1));
                line(format!("{name}={}", most + 1));
            }
        }
        if ["diagnostic", "experimental"]
            .iter()
            .any(|k| kind.contains(k))
        {
            let _ = writeln!(locked, "{}{name}", if row[0] == "bool" { "-" } else { "" });
        }
    }
    let dir = common::work_dir().join("vm-options-values");
    std::fs::create_dir_all(&dir).expect("a folder");
    let mut all = String::new();
    for (name, settings) in [("values", values), ("locked", locked)] {
        std::fs::write(dir.join(name), settings).expect("a file");
        let got = run(
            &format!("vm-options-{name}"),
            &format!("-XX:Flags={name}"),
            &dir,
        );
        assert_eq!((got.exit, got.out().as_str()), (1, ""), "{name}");
        all.push_str(&comparable(&got.err()));
    }
    assert_recorded("values.out", &all);
}

/// The names, types, kinds and ranges in HotSpot's layout; of rows with HotSpot's default also the value.
#[test]
fn tables_of_options_are_printed_as_by_hotspot() {
    let unlock = "-XX:+UnlockDiagnosticVMOptions -XX:+UnlockExperimentalVMOptions";
    let mut all = String::new();
    for table in ["PrintFlagsInitial", "PrintFlagsRanges", "PrintFlagsFinal"] {
        let line = format!("{unlock} -XX:+{table}");
        let got = run(&format!("vm-options-{table}"), &line, &common::work_dir());
        assert_eq!(got.exit, 0, "{table}: {}", got.err());
        for line in got.out().lines() {
            // what depends on the machine is its value, and where that comes from; some defaults are rjvm's own
            let own = ["Metaspace", "ClassSpaceSize", "ThreadStackSize"];
            if table == "PrintFlagsInitial" && own.iter().any(|name| line.contains(name)) {
                continue;
            }
            let line = line.replace("{ergonomic}", "{default}");
            let line = line.replace("{command line}", "{default}");
            let kind = line.find('{').map_or("", |at| &line[at..]);
            match line.split_once("= ") {
                Some((name, _)) if table == "PrintFlagsFinal" => {
                    let _ = writeln!(all, "{name}= … {kind}");
                }
                _ => all.push_str(&(line.clone() + "\n")),
            }
        }
    }
    assert_recorded("tables.out", &all);
}

#[test]
fn tables_have_the_values_that_hold_here() {
    let printed = |line: &str| {
        let got = Run::new(&vm(), "vm-options-own")
            .args(line.split(' '))
            .arg("-version")
            .finish();
        assert_eq!(got.exit, 0, "{line}: {}", got.err());
        got.out()
    };
    let all = printed("-Xmx64m -Xss2m -XX:+UseG1GC -XX:NewRatio=3 -XX:+PrintFlagsFinal");
    for (name, value, origin) in [
        ("MaxHeapSize", "67108864", "command line"),
        ("ThreadStackSize", "2048", "command line"),
        ("UseSerialGC", "true", "ergonomic"),
        ("UseG1GC", "false", "default"),
        ("NewRatio", "3", "command line"),
        ("MaxMetaspaceSize", "18446744073709551615", "default"),
    ] {
        let row = all.lines().find(|l| l.contains(&format!(" {name} ")));
        let row = row.unwrap_or_else(|| panic!("no {name}"));
        assert!(
            row.contains(&format!("= {value} ")) && row.ends_with(&format!("{{{origin}}}")),
            "{row}"
        );
    }
    assert!(!all.contains("LogVMOutput"), "it is locked");
    assert_eq!(
        printed("-Xmx64m -XX:NewRatio=3 -XX:+PrintCommandLineFlags"),
        "-XX:MaxHeapSize=67108864 -XX:NewRatio=3 -XX:+PrintCommandLineFlags -XX:+UseCompressedClassPointers \
         -XX:+UseCompressedOops -XX:+UseSerialGC \n"
    );
}
