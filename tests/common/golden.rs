//! Golden files: comparing with them, writing them, the list of known failures, the report.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::run::Outcome;
use super::{switch, tests_dir};

/// Compares a run with `NAME.out`, `NAME.err` and `NAME.exit` beside `program`; says what differs.
pub fn compare(program: &Path, got: &Outcome) -> Result<(), String> {
    let read = |ext| std::fs::read(program.with_extension(ext)).unwrap_or_default();
    let exit = String::from_utf8_lossy(&read("exit"))
        .trim()
        .parse()
        .unwrap_or(0);
    let mut report = String::new();
    if got.timed_out {
        report.push_str("  time limit exceeded\n");
    } else if got.exit != exit {
        let _ = writeln!(report, "  exit code {}, expected {exit}", got.exit);
    }
    report.push_str(&diff("stdout", &read("out"), &got.stdout));
    report.push_str(&diff("stderr", &read("err"), &got.stderr));
    if report.is_empty() {
        Ok(())
    } else {
        Err(report)
    }
}

/// Writes the golden files of `program`; empty ones are removed, except the standard output's.
pub fn bless(program: &Path, got: &Outcome) {
    let exit = if got.exit == 0 {
        Vec::new()
    } else {
        format!("{}\n", got.exit).into_bytes()
    };
    for (ext, content) in [("out", &got.stdout), ("err", &got.stderr), ("exit", &exit)] {
        let file = program.with_extension(ext);
        if content.is_empty() && ext != "out" {
            let _ = std::fs::remove_file(file);
        } else if std::fs::read(&file).ok().as_ref() != Some(content) {
            std::fs::write(file, content).expect("golden files can be written");
        }
    }
}

/// Removes the golden files of `program`.
pub fn remove(program: &Path) {
    for ext in ["out", "err", "exit"] {
        let _ = std::fs::remove_file(program.with_extension(ext));
    }
}

/// The head of the difference between two texts, empty if there is none.
pub fn diff(what: &str, want: &[u8], got: &[u8]) -> String {
    const CONTEXT: usize = 2;
    const SHOWN: usize = 8;
    if want == got {
        return String::new();
    }
    let want = without_library_lines(&String::from_utf8_lossy(want));
    let got = without_library_lines(&String::from_utf8_lossy(got));
    if want == got {
        return String::new();
    }
    let want: Vec<&str> = want.split('\n').collect();
    let got: Vec<&str> = got.split('\n').collect();
    let same = want.iter().zip(&got).take_while(|(a, b)| a == b).count();
    let mut text = format!("  {what} differs at line {}:\n", same + 1);
    for line in &want[same.saturating_sub(CONTEXT)..same] {
        let _ = writeln!(text, "      {}", shorten(line));
    }
    for (sign, lines) in [('-', &want), ('+', &got)] {
        for line in lines.iter().skip(same).take(SHOWN) {
            let _ = writeln!(text, "    {sign} {}", shorten(line));
        }
        let rest = lines.len().saturating_sub(same + SHOWN);
        if rest > 0 {
            let _ = writeln!(text, "    {sign} … {rest} more lines");
        }
    }
    text
}

/// Takes line numbers and versions of modules out of the class library's stack frames: they vary among updates of a JDK.
fn without_library_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let frame = line
            .trim_start()
            .strip_prefix("at ")
            .is_some_and(|f| f.starts_with("java."));
        let version = line.split_once('@').filter(|_| frame);
        let without_version = version.and_then(|(head, tail)| {
            let (_, tail) = tail.split_once('/')?;
            Some(format!("{head}/{tail}"))
        });
        let line = without_version.as_deref().unwrap_or(line);
        match line.split_once(".java:") {
            Some((head, tail)) if frame => {
                out.push_str(head);
                out.push_str(".java");
                out.push_str(tail.trim_start_matches(|c: char| c.is_ascii_digit()));
            }
            _ => out.push_str(line),
        }
    }
    out
}

fn shorten(line: &str) -> String {
    const WIDTH: usize = 200;
    if line.chars().count() <= WIDTH {
        return line.to_string();
    }
    let head: String = line.chars().take(WIDTH).collect();
    format!("{head}…")
}

/// Compares a text with a golden file below `tests`, or writes that file (`BLESS=1`).
pub fn compare_text(file: &str, text: &str) {
    let path = tests_dir().join(file);
    if switch("BLESS") {
        std::fs::write(&path, text).expect("golden files can be written");
    }
    let want = std::fs::read(&path).expect("BLESS=1 writes it");
    let problem = diff(file, &want, text.as_bytes());
    assert!(problem.is_empty(), "{problem}");
}

/// The lines of `known-failures.txt`: name, then the reason.
pub fn known_failures() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(tests_dir().join("known-failures.txt")).unwrap_or_default();
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines
        .map(|line| match line.split_once(char::is_whitespace) {
            Some((name, reason)) => (name.to_string(), reason.trim().to_string()),
            None => (line.to_string(), String::new()),
        })
        .collect()
}

/// Counts results, prints failures, and fails the test at the end if a result isn't as expected.
pub fn report(title: &str, results: &[(String, Result<(), String>)]) {
    let known = known_failures();
    let (mut passed, mut expected) = (0, 0);
    let mut wrong = Vec::new();
    for (name, result) in results {
        match (result, known.get(name)) {
            (Ok(()), None) => passed += 1,
            (Ok(()), Some(_)) => {
                eprintln!("{name} passes now: take it out of tests/known-failures.txt");
                wrong.push(name.as_str());
            }
            (Err(_), Some(_)) => expected += 1,
            (Err(report), None) => {
                eprintln!("{name} FAILED\n{report}");
                wrong.push(name.as_str());
            }
        }
    }
    eprintln!(
        "{title}: {passed} passed, {} failed, {expected} known failures",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{title}: {}", wrong.join(" "));
}
