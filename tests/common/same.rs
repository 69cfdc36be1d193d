//! Command lines that are run on `java` and on the VM under test, and must do the same on both.

use super::run::{Outcome, Run, vm};
use super::{golden, jdk};
use std::path::Path;

/// A command line.
pub struct Case {
    /// Its name: what `RJVM_TEST_FILTER` selects.
    pub name: &'static str,
    /// Its words.
    pub args: &'static [&'static str],
    /// Variables of the environment.
    pub env: &'static [(&'static str, &'static str)],
}

/// A command line in the usual environment.
pub const fn case(name: &'static str, args: &'static [&'static str]) -> Case {
    Case {
        name,
        args,
        env: &[],
    }
}

/// A command line with more variables of the environment.
pub const fn env(
    name: &'static str,
    env: &'static [(&'static str, &'static str)],
    args: &'static [&'static str],
) -> Case {
    Case { name, args, env }
}

/// Runs the selected cases on both VMs in the folder `dir`; fails if any differs. A push takes each third, since `java` starts again for
/// each.
pub fn check(area: &str, dir: &Path, cases: &[Case]) {
    // cases that are named run
    let named = std::env::var_os("RJVM_TEST_FILTER").is_some();
    let step = if super::all() || named { 1 } else { 3 };
    let cases = cases.iter().step_by(step);
    let cases: Vec<&Case> = cases.filter(|c| super::selected(c.name)).collect();
    let results = super::in_parallel(&cases, |c| {
        (format!("{area}/{}", c.name), compare(area, dir, c))
    });
    golden::report(area, &results);
}

fn compare(area: &str, dir: &Path, case: &Case) -> Result<(), String> {
    let run = |vm: &Path, who: &str| {
        let run = Run::new(vm, &format!("{area}-{who}-{}", case.name)).current_dir(dir);
        let run = case.env.iter().fold(run, |run, (k, v)| run.env(k, v));
        run.args(case.args).finish()
    };
    differences(&run(&jdk::tool("java"), "java"), &run(&vm(), "rjvm"))
}

fn differences(want: &Outcome, got: &Outcome) -> Result<(), String> {
    let mut report = String::new();
    if got.exit != want.exit {
        let (got, want) = (got.exit, want.exit);
        report.push_str(&format!("  exit code {got}, expected {want}\n"));
    }
    for (what, want, got) in [
        ("stdout", &want.stdout, &got.stdout),
        ("stderr", &want.stderr, &got.stderr),
    ] {
        report.push_str(&golden::diff(what, &comparable(want), &comparable(got)));
    }
    match report.is_empty() {
        true => Ok(()),
        false => Err(report),
    }
}

/// Text without what may differ: identity hashes, notes on options without effect.
fn comparable(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let lines = text.lines().filter(|l| {
        !l.starts_with("rjvm: note: ") && !l.starts_with("OpenJDK 64-Bit Server VM warning: ")
    });
    lines.flat_map(|l| [l.as_bytes(), b"\n"].concat()).collect()
}
