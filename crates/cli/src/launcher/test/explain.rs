//! Natives of `rjvm.test.Explanation`: why a budget is exceeded, in words.

use super::super::bench::file_name;
use crate::launcher::bench::BenchError;
use crate::tools::diff::{DiffDisplay, Report, growth_text, path_text};
use rjvm_profiler::summary::grouped;
use rjvm_profiler::{Change, ContextPair, Pattern, Profile};
use rjvm_vm::{Env, R, Ref, Throw, natives};
use std::cmp::Reverse;

natives! { "rjvm/test/Explanation";
    of0 "([B[BILjava/lang/String;)Ljava/lang/String;" => explain;
    fileName0 "(Ljava/lang/String;)Ljava/lang/String;" => name_of_file;
}

/// Rows of each table.
const ROWS: usize = 8;

/// The metrics, by their numbers in Java.
const METRICS: [&str; 4] = ["bytecodes", "calls", "objects", "bytes"];

fn invalid(message: impl Into<String>) -> Box<Throw> {
    Throw::msg("java/lang/IllegalArgumentException", message)
}

fn name_of_file(vm: &mut Env, name: Ref) -> R<Ref> {
    if name.is_null() {
        return Err(Throw::npe());
    }
    let name = file_name(&vm.string(name), "rjp");
    vm.new_string(&name)
}

fn explain(vm: &mut Env, profile: Ref, before: Ref, metric: i32, pattern: Ref) -> R<Ref> {
    if profile.is_null() {
        return Err(Throw::npe());
    }
    let read = |vm: &Env, array: Ref| {
        let mut bytes: &[u8] = vm.heap().bytes(array);
        Profile::read(&mut bytes).map_err(|e| invalid(e.to_string()))
    };
    let now = read(vm, profile)?;
    let before = match before.is_null() {
        true => None,
        false => Some(read(vm, before)?),
    };
    let pattern = match pattern.is_null() {
        true => None,
        false => {
            let pattern = vm.string(pattern).parse::<Pattern>();
            Some(pattern.map_err(|e| invalid(e.to_string()))?)
        }
    };
    let metric = usize::try_from(metric).unwrap_or(0).min(METRICS.len() - 1);
    let text = explanation(&now, before.as_ref(), metric, pattern.as_ref())
        .map_err(|e| invalid(e.to_string()))?;
    vm.new_string(&text)
}

/// The contexts with most of a metric, or those in which it changed most since `before`.
fn explanation(
    now: &Profile,
    before: Option<&Profile>,
    metric: usize,
    pattern: Option<&Pattern>,
) -> Result<String, BenchError> {
    let shown = DiffDisplay {
        by: "self",
        limit: ROWS,
        full_paths: false,
    };
    let report = Report::new(before.unwrap_or(now), now, &[], &shown);
    let report = report.map_err(|e| BenchError::Comparison(format!("{e:?}")))?;
    let both = &report.both;
    let count = |pair: ContextPair| match metric {
        0 => both.bytecodes(pair),
        1 => both.invocations(pair),
        2 => both.allocated(pair)[0],
        _ => both.allocated(pair)[1],
    };
    let meant = |pair: &ContextPair| {
        let method = both.callers(*pair).next().map(|(_, method)| method);
        let method = method.map(|m| &both.methods[m as usize]);
        pattern.is_none_or(|p| method.is_some_and(|m| p.matches(m)))
    };
    let mut rows: Vec<(ContextPair, Change)> = both
        .contexts()
        .filter(meant)
        .map(|pair| (pair, count(pair)))
        .filter(|(_, change)| match before {
            Some(_) => !change.is_none(),
            None => change.after > 0,
        })
        .collect();
    rows.sort_by_key(|(_, c)| match before {
        Some(_) => Reverse(c.difference().unsigned_abs()),
        None => Reverse(c.after.into()),
    });
    let mut text = String::new();
    let all: u64 = rows
        .iter()
        .fold(0, |sum, (_, c)| sum.saturating_add(c.after));
    text += &match before {
        Some(_) if rows.is_empty() => "no context has changed since the baseline\n".to_owned(),
        Some(_) => format!("{} by context, self, before | after\n", METRICS[metric]),
        None => format!("{} by context, self:\n", METRICS[metric]),
    };
    for &(pair, change) in rows.iter().take(ROWS) {
        let path = path_text(both, &report.names, pair, false);
        text += &row(change, &path, before.is_none().then_some(all));
    }
    if rows.len() > ROWS {
        text += &format!("  and {} more contexts\n", rows.len() - ROWS);
    }
    Ok(text.trim_end().to_owned())
}

/// A context on a line: how it has changed, or its part of all.
fn row(change: Change, path: &str, all: Option<u64>) -> String {
    match all {
        None => format!(
            "  {:+9}  {} | {} ({})  {path}\n",
            change.difference(),
            grouped(change.before),
            grouped(change.after),
            growth_text(change)
        ),
        Some(all) => format!(
            "  {:>9}  {:>5.1}%  {path}\n",
            grouped(change.after),
            change.after as f64 * 100.0 / all.max(1) as f64
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rjvm_profiler::export::paths;

    fn profile(text: &str) -> Profile {
        paths::read(&mut text.as_bytes()).expect("the text is a profile")
    }

    #[test]
    fn contexts_are_reported_by_size_and_by_change() {
        let old = profile("T.t()V\t1\t10\nT.t()V;A.f()V\t2\t60\nT.t()V;B.g()V\t1\t30\n");
        let new = profile("T.t()V\t1\t10\nT.t()V;A.f()V\t2\t60\nT.t()V;B.g()V\t3\t50\n");
        assert_eq!(
            explanation(&old, None, 0, None).expect("an explanation"),
            "bytecodes by context, self:\n         60   60.0%  T.t() > A.f()\n         30   30.0%  T.t() > B.g()\n         10   10.0%  T.t()"
        );
        assert_eq!(
            explanation(&new, Some(&old), 0, None).expect("an explanation"),
            "bytecodes by context, self, before | after\n        +20  30 | 50 (+66.67%)  T.t() > B.g()"
        );
        let pattern: Pattern = "A::f".parse().expect("a pattern");
        assert_eq!(
            explanation(&new, None, 1, Some(&pattern)).expect("an explanation"),
            "calls by context, self:\n          2  100.0%  T.t() > A.f()"
        );
        assert_eq!(
            explanation(&old, Some(&old), 0, None).expect("an explanation"),
            "no context has changed since the baseline"
        );
    }
}
