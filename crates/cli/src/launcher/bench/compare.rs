//! Benchmarks compared with what they counted before: by sum, by method, by context, and by limits.

use super::record::{Benchmark, METRICS, MetricSums, Record};
use crate::tools::ToolProblem;
use crate::tools::diff::gate::{Gate, Verdict};
use crate::tools::diff::{DiffDisplay, Report};
use rjvm_profiler::{Change, Profile};
use std::collections::BTreeMap;

/// What a benchmark counted, with its contexts.
#[derive(Clone, Debug)]
pub struct MeasuredBenchmark {
    /// The sums.
    pub benchmark: Benchmark,
    /// The contexts, if they are known.
    pub profile: Option<Profile>,
}

impl MeasuredBenchmark {
    /// What a profile says.
    pub fn of(profile: Profile) -> MeasuredBenchmark {
        MeasuredBenchmark {
            benchmark: Benchmark::of(&profile),
            profile: Some(profile),
        }
    }
}

/// A set of benchmarks: what they counted, and on which JDK.
#[derive(Clone, Debug, Default)]
pub struct BenchmarkSet {
    /// Version of the JDK.
    pub jdk: String,
    /// By name.
    pub all: BTreeMap<String, MeasuredBenchmark>,
}

impl BenchmarkSet {
    /// The text that is stored.
    pub fn record(&self) -> Record {
        let all = self.all.iter();
        Record {
            jdk: self.jdk.clone(),
            benchmarks: all.map(|(n, m)| (n.clone(), m.benchmark.clone())).collect(),
        }
    }
}

/// What became of a benchmark.
pub struct BenchmarkOutcome {
    /// Its name.
    pub name: String,
    /// What it counts now.
    pub now: MetricSums,
    /// What it counted before; none: it is new.
    pub before: Option<MetricSums>,
    /// Methods, contexts and limits. Without contexts of before, methods and limits alone.
    pub report: Report,
    /// Contexts are known of both.
    pub contexts: bool,
}

impl BenchmarkOutcome {
    /// The sums with their names; a new benchmark counts as unchanged.
    pub fn changes(&self) -> impl Iterator<Item = (&'static str, Change)> + use<'_> {
        let before = self.before.unwrap_or(self.now);
        let changes = before.into_iter().zip(self.now);
        let changes = changes.map(|(before, after)| Change { before, after });
        METRICS.into_iter().zip(changes)
    }
    /// Is every limit kept?
    pub fn passed(&self) -> bool {
        self.report.verdicts.iter().all(|v| v.passed)
    }
    /// What the limits say that are exceeded.
    pub fn failures(&self) -> impl Iterator<Item = &Verdict> {
        self.report.verdicts.iter().filter(|v| !v.passed)
    }
    /// How its bytecodes changed.
    pub fn bytecodes(&self) -> Change {
        Change {
            before: self.before.unwrap_or(self.now)[0],
            after: self.now[0],
        }
    }
}

/// What became of all.
pub struct Comparison {
    /// Those that were run.
    pub all: Vec<BenchmarkOutcome>,
    /// Names of those that were not, if all of the earlier ones were to be.
    pub gone: Vec<String>,
    /// The JDKs, if the earlier one was another.
    pub jdks: Option<[String; 2]>,
    /// There was nothing to compare with.
    pub first: bool,
}

impl Comparison {
    /// Is every limit of every benchmark kept?
    pub fn passed(&self) -> bool {
        self.all.iter().all(BenchmarkOutcome::passed)
    }
}

/// Compares. `limits` gives those of a benchmark.
///
/// # Errors
/// A limit cannot be judged.
pub fn compare(
    now: &BenchmarkSet,
    before: Option<&BenchmarkSet>,
    limits: impl Fn(&str) -> Vec<Gate>,
    shown: &DiffDisplay<'_>,
) -> Result<Comparison, ToolProblem> {
    let mut all = Vec::new();
    for (name, measured) in &now.all {
        let old = before.and_then(|set| set.all.get(name));
        let compared = one(name, measured, old, limits(name), shown);
        all.push(compared.map_err(|e| match e {
            ToolProblem::Message(what) => ToolProblem::Message(format!("{name}: {what}")),
            other => other,
        })?);
    }
    let gone = before.into_iter().flat_map(|set| set.all.keys());
    let gone = gone.filter(|name| !now.all.contains_key(*name));
    let jdks = before.filter(|set| set.jdk != now.jdk && !set.all.is_empty());
    Ok(Comparison {
        all,
        gone: gone.cloned().collect(),
        jdks: jdks.map(|set| [set.jdk.clone(), now.jdk.clone()]),
        first: before.is_none(),
    })
}

fn one(
    name: &str,
    now: &MeasuredBenchmark,
    before: Option<&MeasuredBenchmark>,
    mut gates: Vec<Gate>,
    shown: &DiffDisplay<'_>,
) -> Result<BenchmarkOutcome, ToolProblem> {
    let tree = |e: rjvm_profiler::TreeError| ToolProblem::Message(e.to_string());
    if before.is_none() {
        // what it may grow by says nothing of a new one
        gates.retain(Gate::is_absolute);
    }
    let both = [Some(now), before.or(Some(now))];
    let contexts = both.iter().flatten().all(|m| m.profile.is_some());
    if let (false, Some(gate)) = (contexts, gates.iter().find(|g| g.needs_contexts())) {
        return Err(ToolProblem::Message(format!(
            "the limit '{}' needs contexts, but the profiles of the baseline are missing beside it",
            gate.text()
        )));
    }
    let known = now.profile.iter().flat_map(|p| &p.methods).cloned();
    let known: Vec<_> = known.collect();
    let profile = |measured: &MeasuredBenchmark| match &measured.profile {
        Some(profile) if contexts => Ok(profile.clone()),
        _ => measured.benchmark.flat_profile(&known).map_err(tree),
    };
    let [mut after, mut earlier] = [profile(now)?, profile(before.unwrap_or(now))?];
    for profile in [&mut after, &mut earlier] {
        profile.about = vec![("Program".into(), name.to_owned())];
    }
    Ok(BenchmarkOutcome {
        name: name.to_owned(),
        now: now.benchmark.counts,
        before: before.map(|m| m.benchmark.counts),
        report: Report::new(&earlier, &after, &gates, shown)?,
        contexts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rjvm_profiler::export::paths;

    fn set(text: &str, with_profile: bool) -> BenchmarkSet {
        let profile = paths::read(&mut text.as_bytes()).expect("the text is a profile");
        let mut measured = MeasuredBenchmark::of(profile);
        if !with_profile {
            measured.profile = None;
        }
        BenchmarkSet {
            jdk: "17".into(),
            all: BTreeMap::from([("b".to_owned(), measured)]),
        }
    }

    const SHOWN: DiffDisplay<'static> = DiffDisplay {
        by: "self",
        limit: 10,
        full_paths: false,
    };

    fn gates(text: &str) -> impl Fn(&str) -> Vec<Gate> {
        let gate: Gate = text.parse().expect("a limit");
        move |_| vec![gate.clone()]
    }

    const OLD: &str = "A.main()V\t1\t1000\nA.main()V;B.f()V\t10\t9000\n";
    const NEW: &str = "A.main()V\t1\t1000\nA.main()V;B.f()V\t10\t9090\n";

    #[test]
    fn a_method_that_does_more_is_found_with_and_without_contexts() {
        for contexts in [true, false] {
            let (old, new) = (set(OLD, contexts), set(NEW, true));
            for (limit, passed) in [
                ("0% bytecodes", false),
                ("1% bytecodes", true),
                ("0.9% self B::f", false),
                ("1% self B::f", true),
                ("<=10090", true),
                ("<=10089", false),
            ] {
                let found = compare(&new, Some(&old), gates(limit), &SHOWN).expect(limit);
                assert_eq!(found.passed(), passed, "{limit}");
                assert_eq!(found.all[0].report.methods.len(), 1 + usize::from(contexts));
            }
        }
    }

    #[test]
    fn a_new_benchmark_has_absolute_limits_only() {
        let new = set(NEW, true);
        let found = compare(&new, None, gates("0% bytecodes"), &SHOWN).expect("0%");
        assert!(found.passed() && found.first);
        let found = compare(&new, None, gates("<=5"), &SHOWN).expect("<=5");
        assert!(!found.passed());
    }

    #[test]
    fn limits_of_contexts_need_contexts() {
        let (old, new) = (set(OLD, false), set(NEW, true));
        let message = compare(&new, Some(&old), gates("1% A::main > B::f"), &SHOWN);
        let Err(ToolProblem::Message(message)) = message else {
            panic!("it is refused")
        };
        assert!(
            message.contains("the profiles of the baseline are missing beside it"),
            "{message}"
        );
    }
}
