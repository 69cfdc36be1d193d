//! Counts in the formats of services that keep the history of benchmarks and draw it.

use super::compare::Comparison;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Bencher's metric format: by benchmark, the value of each measure.
pub fn bencher(found: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let benchmarks = found.all.iter().map(|one| {
        let measures = one
            .changes()
            .map(|(measure, change)| (measure.to_string(), json!({ "value": change.after })));
        let measures: Map<String, Value> = measures.collect();
        (one.name.clone(), Value::Object(measures))
    });
    let benchmarks: Map<String, Value> = benchmarks.collect();
    write(&Value::Object(benchmarks), out)
}

/// What `github-action-benchmark` reads as `customSmallerIsBetter`: an entry for each count of each benchmark.
pub fn github_action(found: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let entries = found.all.iter().flat_map(|one| {
        one.changes().map(|(measure, change)| {
            json!({
                "name": format!("{} ({measure})", one.name),
                "unit": measure,
                "value": change.after,
            })
        })
    });
    write(&Value::Array(entries.collect()), out)
}

fn write(value: &Value, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{value:#}")
}
