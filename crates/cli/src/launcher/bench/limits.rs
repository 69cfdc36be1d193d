//! Which limits a benchmark has.

use crate::tools::ToolProblem;
use crate::tools::diff::gate::{self, Gate, GateFileError};
use clap::ArgMatches;
use std::fmt::Display;
use std::fs;
use std::path::PathBuf;

/// What holds if nobody says anything.
const DEFAULT: &str = "0% bytecodes";

/// The limits of a command line.
pub struct BenchLimits {
    all: Vec<Gate>,
    /// Those of benchmarks whose names match a pattern.
    of: Vec<(String, Vec<Gate>)>,
    default: bool,
}

impl BenchLimits {
    /// Those that are given.
    pub fn of(matches: &ArgMatches) -> Result<BenchLimits, ToolProblem> {
        let mut limits = BenchLimits {
            all: matches
                .get_many("limit")
                .unwrap_or_default()
                .cloned()
                .collect(),
            of: Vec::new(),
            default: !matches.get_flag("no-default-limit"),
        };
        if let Some(file) = matches.get_one::<PathBuf>("limits") {
            let message =
                |e: &dyn Display| ToolProblem::Message(format!("{}: {e}", file.display()));
            let text = fs::read_to_string(file).map_err(|e| message(&e))?;
            limits.read(&text).map_err(|e| message(&e))?;
        }
        Ok(limits)
    }

    /// Reads a file: limits, and lines `[PATTERN]` before those that some benchmarks have.
    fn read(&mut self, text: &str) -> Result<(), GateFileError> {
        for (line, number) in text.lines().zip(1..) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if let Some(pattern) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                self.of.push((pattern.trim().to_owned(), Vec::new()));
                continue;
            }
            let gates = gate::read(line).map_err(|e| GateFileError { line: number, ..e })?;
            match self.of.last_mut() {
                Some((_, part)) => part.extend(gates),
                None => self.all.extend(gates),
            }
        }
        Ok(())
    }

    /// Those of a benchmark, which has some of its own.
    pub fn of_benchmark(&self, name: &str, own: Vec<Gate>) -> Vec<Gate> {
        let mut gates = self.all.clone();
        for (_, part) in self.of.iter().filter(|(p, _)| matches(p, name)) {
            gates.extend(part.iter().cloned());
        }
        gates.extend(own);
        // limits of how much there may be say nothing of how it may grow
        if self.default && gates.iter().all(Gate::is_absolute) {
            gates.extend(DEFAULT.parse::<Gate>());
        }
        gates
    }
}

/// Does the text match, where `*` stands for anything?
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_all_of_some_and_of_one() {
        let mut limits = BenchLimits {
            all: Vec::new(),
            of: Vec::new(),
            default: true,
        };
        let texts = |gates: Vec<Gate>| -> Vec<String> {
            gates.iter().map(|g| g.text().to_owned()).collect()
        };
        assert_eq!(texts(limits.of_benchmark("a", Vec::new())), [DEFAULT]);
        let own = || vec!["<=5".parse().expect("a limit")];
        assert_eq!(texts(limits.of_benchmark("a", own())), ["<=5", DEFAULT]);
        limits.default = false;
        assert_eq!(texts(limits.of_benchmark("a", own())), ["<=5"]);
        let file = "1% # all\n\n[com.acme..::*(10)]\n<=5 calls\n[*::parse]\n2% objects\n";
        limits.read(&file.replace("..", ".*")).expect("it is sound");
        assert_eq!(
            texts(limits.of_benchmark("com.acme.X::f(10)", vec!["=7".parse().expect("a limit")])),
            ["1%", "<=5 calls", "=7"]
        );
        assert_eq!(
            texts(limits.of_benchmark("b::parse", Vec::new())),
            ["1%", "2% objects"]
        );
        assert_eq!(texts(limits.of_benchmark("b::parser", Vec::new())), ["1%"]);
        let error = limits.read("\nx\n").expect_err("no limit").to_string();
        assert!(error.starts_with("line 2: "), "{error}");
    }
}
