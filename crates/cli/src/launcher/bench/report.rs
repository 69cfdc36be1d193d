//! What a comparison of benchmarks says: as text, JSON, Markdown and JUnit tests.

use super::compare::{BenchmarkOutcome, Comparison};
use super::services;
use crate::tools::diff::gate::{Checked, Verdict};
use crate::tools::diff::{growth_text, path_text};
use crate::tools::{Json, ToolProblem};
use rjvm_profiler::Change;
use rjvm_profiler::export::XmlText;
use rjvm_profiler::summary::grouped;
use std::io::{self, Write};
use std::path::Path;

/// Writes a report in some format.
pub type ReportWriter = fn(&Comparison, &mut dyn Write) -> io::Result<()>;

/// The formats by what the file's name ends in; the first that fits.
const WRITERS: [(&str, ReportWriter); 6] = [
    ("bencher.json", services::bencher),
    ("action.json", services::github_action),
    ("txt", text),
    ("json", |found, out| json(found).write(out)),
    ("md", markdown),
    ("xml", junit),
];

/// What writes a file of that name.
///
/// # Errors
/// The extension means no format.
pub fn writer(path: &Path) -> Result<ReportWriter, ToolProblem> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let fits = |known: &str| name.strip_suffix(known).is_some_and(|n| n.ends_with('.'));
    let writer = WRITERS.iter().find(|(known, _)| fits(known));
    writer.map(|w| w.1).ok_or_else(|| {
        let known: Vec<String> = WRITERS.iter().map(|(name, _)| format!(".{name}")).collect();
        ToolProblem::Message(format!(
            "{}: unknown format; results can be written as {}",
            path.display(),
            known.join(", ")
        ))
    })
}

/// `(No change)`, `(+1.20%)`, `(new)`.
fn growth(change: Change) -> String {
    format!("({})", growth_text(change))
}

/// `12,031 | 12,152`: before, then after.
fn both(change: Change) -> String {
    format!("{} | {}", grouped(change.before), grouped(change.after))
}

/// A row of the tables of methods and contexts that changed.
struct ChangeRow {
    own: Change,
    calls: Change,
    name: String,
}

fn methods(one: &BenchmarkOutcome) -> Vec<ChangeRow> {
    let changed = one.report.methods.iter().filter(|m| {
        // of callers, only what they do themselves
        !m.bytecodes.is_none() || !m.invocations.is_none()
    });
    let row = |m: &rjvm_profiler::MethodChange| ChangeRow {
        own: m.bytecodes,
        calls: m.invocations,
        name: one.report.names[m.method as usize].clone(),
    };
    changed.map(row).collect()
}

fn contexts(one: &BenchmarkOutcome) -> Vec<ChangeRow> {
    if !one.contexts {
        return Vec::new();
    }
    let report = &one.report;
    let row = |&pair: &rjvm_profiler::ContextPair| ChangeRow {
        own: report.both.bytecodes(pair),
        calls: report.both.invocations(pair),
        name: path_text(&report.both, &report.names, pair, report.full_paths),
    };
    report.changed.iter().map(row).collect()
}

/// Why a limit is exceeded.
fn reasons(verdict: &Verdict) -> Vec<String> {
    let reason = |c: &Checked| format!("{}: {} {}", c.what, both(c.change), growth(c.change));
    match verdict.unclear.is_empty() && !verdict.worst.is_empty() {
        false => verdict.reasons(),
        true => verdict.worst.iter().take(10).map(reason).collect(),
    }
}

fn counted(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// The summary of all benchmarks.
fn summary(found: &Comparison) -> String {
    let is = |f: &dyn Fn(&BenchmarkOutcome) -> bool| found.all.iter().filter(|c| f(c)).count();
    let failed = is(&|c| !c.passed());
    let change = |c: &BenchmarkOutcome| c.bytecodes().difference();
    let compared = |c: &BenchmarkOutcome| c.before.is_some();
    let mut text = counted(found.all.len(), "benchmark");
    let parts = [
        (failed, "beyond limits"),
        (is(&|c| compared(c) && change(c) > 0), "slower"),
        (is(&|c| compared(c) && change(c) < 0), "faster"),
        (is(&|c| compared(c) && change(c) == 0), "unchanged"),
        (is(&|c| !compared(c) && !found.first), "new"),
        (found.gone.len(), "not run"),
    ];
    let mut lead = ": ";
    for (n, what) in parts.into_iter().filter(|p| p.0 > 0) {
        text += &format!("{lead}{n} {what}");
        lead = ", ";
    }
    text
}

/// Facts about the comparison as a whole.
fn notes(found: &Comparison) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some([before, now]) = &found.jdks {
        notes.push(format!(
            "the baseline is from JDK {before}, this is JDK {now}: the class library may cause differences"
        ));
    }
    for one in found.all.iter().filter(|one| one.before.is_some()) {
        for note in one.report.notes() {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    notes
}

/// The report for people.
///
/// # Errors
/// Those of writing.
pub fn text(found: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    for one in &found.all {
        writeln!(out, "{}", one.name)?;
        for (metric, change) in one.changes() {
            let name = format!("{metric}:");
            match one.before {
                Some(_) => writeln!(out, "  {name:11} {:>29}  {}", both(change), growth(change))?,
                None => writeln!(out, "  {name:11} {:>13}", grouped(change.after))?,
            }
        }
        for (rows, what) in [(methods(one), "method"), (contexts(one), "context")] {
            table(&rows, what, one.report.limit, out)?;
        }
        for verdict in &one.report.verdicts {
            let word = if verdict.passed { "kept" } else { "EXCEEDED" };
            if verdict.passed {
                continue;
            }
            writeln!(out, "  limit {word}: {}", verdict.gate)?;
            for reason in reasons(verdict) {
                writeln!(out, "    {reason}")?;
            }
        }
        writeln!(out)?;
    }
    for name in &found.gone {
        writeln!(out, "not run: {name}")?;
    }
    for note in notes(found) {
        writeln!(out, "note: {note}")?;
    }
    writeln!(out, "{}", summary(found))
}

fn table(rows: &[ChangeRow], what: &str, limit: usize, out: &mut dyn Write) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "  by {what}, self, before | after:")?;
    for row in rows.iter().take(limit) {
        let calls = match row.calls.is_none() {
            true => String::new(),
            false => format!(", calls {}", both(row.calls)),
        };
        writeln!(
            out,
            "    {:+10}  {}  {} {}{calls}",
            row.own.difference(),
            row.name,
            both(row.own),
            growth(row.own),
        )?;
    }
    if rows.len() > limit {
        writeln!(out, "    and {}", counted(rows.len() - limit, what))?;
    }
    Ok(())
}

/// The report for scripts.
pub fn json(found: &Comparison) -> Json {
    let change = |change: Change, known: bool| {
        let mut members = vec![("new", change.after.into())];
        if known {
            members.push(("old", change.before.into()));
        }
        Json::Object(members)
    };
    let rows = |rows: Vec<ChangeRow>, name: &'static str, limit: usize| {
        let row = |r: ChangeRow| {
            Json::Object(vec![
                (name, Json::Text(r.name)),
                ("self", change(r.own, true)),
                ("calls", change(r.calls, true)),
            ])
        };
        Json::List(rows.into_iter().take(limit).map(row).collect())
    };
    let one = |c: &BenchmarkOutcome| {
        let verdict = |v: &Verdict| {
            Json::Object(vec![
                ("limit", Json::Text(v.gate.clone())),
                ("kept", Json::Bool(v.passed)),
                (
                    "reasons",
                    Json::List(reasons(v).into_iter().map(Json::Text).collect()),
                ),
            ])
        };
        let mut members = vec![("name", Json::Text(c.name.clone()))];
        members.extend(
            c.changes()
                .map(|(m, ch)| (m, change(ch, c.before.is_some()))),
        );
        members.push(("methods", rows(methods(c), "method", c.report.limit)));
        members.push(("changed", rows(contexts(c), "context", c.report.limit)));
        members.push((
            "limits",
            Json::List(c.report.verdicts.iter().map(verdict).collect()),
        ));
        members.push(("passed", Json::Bool(c.passed())));
        Json::Object(members)
    };
    let texts = |texts: Vec<String>| Json::List(texts.into_iter().map(Json::Text).collect());
    Json::Object(vec![
        (
            "benchmarks",
            Json::List(found.all.iter().map(one).collect()),
        ),
        ("not_run", texts(found.gone.clone())),
        ("notes", texts(notes(found))),
        ("passed", Json::Bool(found.passed())),
    ])
}

/// What a cell of a table holds must not end it, nor be taken for HTML.
fn cell(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|").replace('`', "'"))
}

fn markdown(found: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let mark = if found.passed() { "" } else { " :x:" };
    writeln!(out, "**{}**{mark}\n", summary(found))?;
    for note in notes(found) {
        writeln!(out, "> {note}\n")?;
    }
    writeln!(
        out,
        "| benchmark | bytecodes | calls | objects | bytes | |\n|---|--:|--:|--:|--:|---|"
    )?;
    for one in &found.all {
        let cells = one.changes().take(4).map(|(_, change)| match one.before {
            None => grouped(change.after),
            Some(_) if change.is_none() => format!("{} (No change)", grouped(change.after)),
            Some(_) => both(change).replace('|', "\\|") + " " + &growth(change),
        });
        let cells: Vec<String> = cells.collect();
        let mark = if one.passed() { "" } else { ":x:" };
        writeln!(
            out,
            "| {} | {} | {mark} |",
            cell(&one.name),
            cells.join(" | ")
        )?;
    }
    for one in &found.all {
        details(one, out)?;
    }
    for name in &found.gone {
        writeln!(out, "\nnot run: {}", cell(name))?;
    }
    Ok(())
}

/// The changes of a benchmark, in a part that unfolds.
fn details(one: &BenchmarkOutcome, out: &mut dyn Write) -> io::Result<()> {
    let (methods, contexts) = (methods(one), contexts(one));
    let failed: Vec<&Verdict> = one.failures().collect();
    if methods.is_empty() && contexts.is_empty() && failed.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n<details><summary>{}</summary>\n",
        XmlText(&one.name)
    )?;
    for verdict in failed {
        writeln!(out, "- limit exceeded: {}", cell(&verdict.gate))?;
        for reason in reasons(verdict) {
            writeln!(out, "  - {}", cell(&reason))?;
        }
    }
    for (rows, what) in [(methods, "method"), (contexts, "context")] {
        if rows.is_empty() {
            continue;
        }
        writeln!(
            out,
            "\n| {what} | self, before \\| after | change | calls, before \\| after |\n|---|--:|--:|--:|"
        )?;
        for row in rows.iter().take(one.report.limit) {
            let escaped = |change: Change| both(change).replace('|', "\\|");
            writeln!(
                out,
                "| {} | {} | {} | {} |",
                cell(&row.name),
                escaped(row.own),
                growth_text(row.own),
                escaped(row.calls)
            )?;
        }
    }
    writeln!(out, "\n</details>")
}

/// A test for each limit of each benchmark, as CI servers read them; one for a benchmark that has none.
fn junit(found: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let tests: usize = found
        .all
        .iter()
        .map(|c| c.report.verdicts.len().max(1))
        .sum();
    let failed: usize = found.all.iter().map(|c| c.failures().count()).sum();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuite name=\"rjvm bench\" tests=\"{tests}\" failures=\"{failed}\" errors=\"0\" skipped=\"0\">"
    )?;
    for one in &found.all {
        let all: Vec<String> = one
            .changes()
            .map(|(metric, change)| match one.before {
                Some(_) => format!("{metric}: {} {}", both(change), growth(change)),
                None => format!("{metric}: {}", grouped(change.after)),
            })
            .collect();
        let sums = all.join("\n");
        let class = XmlText(&one.name);
        if one.report.verdicts.is_empty() {
            writeln!(
                out,
                "  <testcase classname=\"{class}\" name=\"counts\"><system-out>{}</system-out></testcase>",
                XmlText(&sums)
            )?;
        }
        for verdict in &one.report.verdicts {
            let name = XmlText(&verdict.gate);
            write!(out, "  <testcase classname=\"{class}\" name=\"{name}\">")?;
            if !verdict.passed {
                let reasons = reasons(verdict);
                let mut more = Vec::new();
                for (rows, what) in [(methods(one), "method"), (contexts(one), "context")] {
                    table(&rows, what, one.report.limit, &mut more)?;
                }
                let more = String::from_utf8_lossy(&more);
                write!(
                    out,
                    "<failure message=\"{}\">{}\n{}</failure>",
                    XmlText(reasons.first().map_or("", String::as_str)),
                    XmlText(&reasons.join("\n")),
                    XmlText(&more)
                )?;
            }
            writeln!(
                out,
                "<system-out>{}</system-out></testcase>",
                XmlText(&sums)
            )?;
        }
    }
    writeln!(out, "</testsuite>")
}
