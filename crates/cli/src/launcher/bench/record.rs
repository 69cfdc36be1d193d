//! What benchmarks counted, as a text that reviews well: sums of each benchmark, and what each of its methods executed
//! itself. A change of one method changes one line of it, and the sums.

use rjvm_profiler::{Flat, MethodInfo, Profile, TreeError};
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// The metrics, in the order of [`MetricSums`].
pub const METRICS: [&str; 5] = ["bytecodes", "calls", "objects", "bytes", "contexts"];

/// Sums of a benchmark, by [`METRICS`].
pub type MetricSums = [u64; METRICS.len()];

/// The first line of a file: what it is, and its version.
const MARK: &str = "# rjvm bench 1";

/// What is known of a method is shown if it is at least so small a part of a sum: one in so many.
const SMALLEST: u64 = 1000;

/// What a method did itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Method {
    /// Its label.
    pub label: String,
    /// Bytecodes without those of callees, calls, objects, bytes.
    pub own: [u64; 4],
}

/// What a benchmark counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Benchmark {
    /// The sums.
    pub counts: MetricSums,
    /// Methods that did at least a thousandth of something, by their labels.
    pub methods: Vec<Method>,
    /// How many methods did less.
    pub others: u64,
}

/// The benchmarks of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Version of the JDK.
    pub jdk: String,
    /// Benchmarks by their names.
    pub benchmarks: BTreeMap<String, Benchmark>,
}

/// Why a text is no file of benchmarks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// It begins otherwise.
    #[error("this is not a file of `rjvm bench`: its first line is not '{MARK}'")]
    NoMark,
    /// A line, from 1, and what is wrong with it.
    #[error("line {0}: {1}")]
    Line(usize, RecordProblem),
}

/// The mistake in a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordProblem {
    #[error("'{0}' is not a count")]
    Count(String),
    /// It has another form.
    #[error("expected four counts and a method")]
    Expected,
    /// The metric has more, or none.
    #[error("{0} has one count")]
    OneCount(String),
    #[error("the benchmark has no name")]
    NoName,
    #[error("{0} occurs twice")]
    Twice(String),
    /// The first word.
    #[error("unexpected '{0}'")]
    Unexpected(String),
}

/// Why two files are not joined.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JoinError {
    /// Their versions of the JDK.
    #[error("the files come from different JDKs: {0} and {1}")]
    Jdks(String, String),
    /// A benchmark that both have.
    #[error("{0} is in more than one file")]
    Twice(String),
}

impl Benchmark {
    /// Takes a line of its own.
    fn line(&mut self, words: &[&str]) -> Result<(), RecordProblem> {
        let count = |word: &str| {
            let count = word.parse::<u64>();
            count.map_err(|_| RecordProblem::Count(word.to_owned()))
        };
        let expected = || RecordProblem::Expected;
        match words {
            ["method", ..] => {}
            [metric, rest @ ..] if METRICS.contains(metric) => {
                let [word] = rest else {
                    return Err(RecordProblem::OneCount((*metric).to_owned()));
                };
                let at = METRICS.iter().position(|m| m == metric).unwrap_or(0);
                self.counts[at] = count(word)?;
            }
            [own, calls, objects, bytes, label, rest @ ..] => {
                let own = [count(own)?, count(calls)?, count(objects)?, count(bytes)?];
                match (label.strip_prefix('('), rest) {
                    (Some(n), ["others)"]) => self.others = count(n)?,
                    (None, []) => self.methods.push(Method {
                        label: (*label).into(),
                        own,
                    }),
                    _ => return Err(expected()),
                }
            }
            _ => return Err(expected()),
        }
        Ok(())
    }
    /// The sums of a profile.
    pub fn of(profile: &Profile) -> Benchmark {
        let totals = profile.totals();
        let counts = [
            totals.bytecodes,
            totals.invocations,
            totals.allocated.objects,
            totals.allocated.bytes,
            totals.nodes,
        ];
        let mut benchmark = Benchmark {
            counts,
            ..Benchmark::default()
        };
        let flat = Flat::of(profile);
        for row in &flat.lines {
            let own = [
                row.bytecodes,
                row.calls,
                row.allocated.objects,
                row.allocated.bytes,
            ];
            let counts_for = |(n, sum): (&u64, &u64)| *n > 0 && *n >= sum / SMALLEST;
            match own.iter().zip(&counts).any(counts_for) {
                true => benchmark.methods.push(Method {
                    label: flat.methods[row.method as usize].label(),
                    own,
                }),
                false => benchmark.others += 1,
            }
        }
        benchmark.methods.sort_by(|a, b| a.label.cmp(&b.label));
        benchmark
    }

    /// What those methods did that are not listed.
    fn rest(&self) -> [u64; 4] {
        let mut rest = [0; 4];
        for (i, rest) in rest.iter_mut().enumerate() {
            let listed = self.methods.iter().map(|m| m.own[i]);
            *rest = self.counts[i].saturating_sub(listed.fold(0, u64::saturating_add));
        }
        rest
    }

    /// A profile with these sums, each method a root: what can be reported without the contexts. Methods are described as
    /// `known` has them, if it does.
    pub fn flat_profile(&self, known: &[MethodInfo]) -> Result<Profile, TreeError> {
        let known: BTreeMap<String, &MethodInfo> = known.iter().map(|m| (m.label(), m)).collect();
        let rest = Method {
            label: "[others].methods()V".into(),
            own: self.rest(),
        };
        let rest = (rest.own != [0; 4]).then_some(&rest);
        Profile::of_methods(self.methods.iter().chain(rest).map(|method| {
            let info = known.get(&method.label).copied().cloned();
            let mut info = info.unwrap_or_else(|| described(&method.label));
            // a label says no more than the number
            info.origin = None;
            (info, method.own)
        }))
    }
}

/// A method by its label.
fn described(label: &str) -> MethodInfo {
    let (name, descriptor) = label.split_at(label.find('(').unwrap_or(label.len()));
    let (class, name) = name.rsplit_once('.').unwrap_or(("", name));
    MethodInfo::new(class, name, descriptor, false, false)
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{MARK}")?;
        writeln!(f, "jdk {}", self.jdk)?;
        for (name, benchmark) in &self.benchmarks {
            writeln!(f, "\nbenchmark {name}")?;
            for (metric, count) in METRICS.iter().zip(benchmark.counts) {
                writeln!(f, "  {metric:9} {count:>12}")?;
            }
            writeln!(
                f,
                "  method {:>12} {:>9} {:>9} {:>11}",
                "self", "calls", "objects", "bytes"
            )?;
            let row = |f: &mut fmt::Formatter<'_>, own: [u64; 4], label: &str| {
                let [own, calls, objects, bytes] = own;
                writeln!(
                    f,
                    "  {own:>19} {calls:>9} {objects:>9} {bytes:>11}  {label}"
                )
            };
            for method in &benchmark.methods {
                row(f, method.own, &method.label)?;
            }
            if benchmark.others > 0 {
                row(
                    f,
                    benchmark.rest(),
                    &format!("({} others)", benchmark.others),
                )?;
            }
        }
        Ok(())
    }
}

impl Record {
    /// Reads a file's text. An error names the line.
    pub fn read(text: &str) -> Result<Record, RecordError> {
        let mut lines = text.lines().zip(1..);
        if lines
            .next()
            .is_none_or(|(first, _)| first.trim_end() != MARK)
        {
            return Err(RecordError::NoMark);
        }
        let mut record = Record::default();
        let mut name: Option<String> = None;
        for (line, number) in lines {
            let wrong = |problem| RecordError::Line(number, problem);
            let words: Vec<&str> = line.split_whitespace().collect();
            let (Some(&first), current) = (words.first(), name.as_ref()) else {
                continue;
            };
            if first.starts_with('#') {
                continue;
            }
            let current = current.and_then(|name| record.benchmarks.get_mut(name));
            match (first, current) {
                ("jdk", None) => record.jdk = words[1..].join(" "),
                ("benchmark", _) => {
                    let new = line
                        .trim()
                        .strip_prefix("benchmark")
                        .unwrap_or_default()
                        .trim();
                    if new.is_empty() {
                        return Err(wrong(RecordProblem::NoName));
                    }
                    if record
                        .benchmarks
                        .insert(new.into(), Benchmark::default())
                        .is_some()
                    {
                        return Err(wrong(RecordProblem::Twice(new.into())));
                    }
                    name = Some(new.into());
                }
                (_, Some(benchmark)) => benchmark.line(&words).map_err(wrong)?,
                _ => return Err(wrong(RecordProblem::Unexpected(first.into()))),
            }
        }
        Ok(record)
    }

    /// Both together. No benchmark may be in both.
    pub fn join(&mut self, other: Record) -> Result<(), JoinError> {
        if self.benchmarks.is_empty() {
            self.jdk.clone_from(&other.jdk);
        } else if self.jdk != other.jdk && !other.benchmarks.is_empty() {
            return Err(JoinError::Jdks(self.jdk.clone(), other.jdk));
        }
        for (name, benchmark) in other.benchmarks {
            if self.benchmarks.contains_key(&name) {
                return Err(JoinError::Twice(name));
            }
            self.benchmarks.insert(name, benchmark);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rjvm_profiler::export::paths;

    fn profile() -> Profile {
        let text = "A.main()V\t1\t5000\nA.main()V;B.f(I)J\t10\t20000\nA.main()V;C.g()V\t1\t1\n";
        paths::read(&mut text.as_bytes()).expect("the text is a profile")
    }

    #[test]
    fn files_are_read_as_they_are_written() {
        let mut record = Record {
            jdk: "17.0.1+2".into(),
            ..Record::default()
        };
        let benchmark = Benchmark::of(&profile());
        assert_eq!(benchmark.counts, [25001, 12, 0, 0, 3]);
        record.benchmarks.insert("x.Y::z(1 2)".into(), benchmark);
        record
            .benchmarks
            .insert("none".into(), Benchmark::default());
        let text = record.to_string();
        assert_eq!(Record::read(&text).as_ref(), Ok(&record), "{text}");
    }

    #[test]
    fn small_methods_are_summed_up() {
        let text = "A.a()V\t9000\t100000\nB.b()V\t1\t50\nC.c()V\t1\t49\n";
        let profile = paths::read(&mut text.as_bytes()).expect("the text is a profile");
        let benchmark = Benchmark::of(&profile);
        assert_eq!(benchmark.others, 2);
        assert_eq!(benchmark.rest(), [99, 2, 0, 0]);
        let flat = benchmark.flat_profile(&[]).expect("small").totals();
        assert_eq!((flat.bytecodes, flat.invocations), (100_099, 9002));
    }

    #[test]
    fn broken_files_are_refused() {
        for (text, message) in [
            ("", "this is not a file of `rjvm bench`"),
            (
                "# rjvm bench 1\nbytecodes 1\n",
                "line 2: unexpected 'bytecodes'",
            ),
            (
                "# rjvm bench 1\nbenchmark\n",
                "line 2: the benchmark has no name",
            ),
            (
                "# rjvm bench 1\nbenchmark a\ncalls x\n",
                "line 3: 'x' is not a count",
            ),
            (
                "# rjvm bench 1\nbenchmark a\n 1 2 3\n",
                "line 3: expected four counts and a method",
            ),
            (
                "# rjvm bench 1\nbenchmark a\nbenchmark a\n",
                "line 3: a occurs twice",
            ),
        ] {
            let error = Record::read(text).expect_err(text).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
