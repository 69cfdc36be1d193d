//! What a comparison says, as text, JSON, Markdown, and its limits as JUnit tests.

use super::super::ToolProblem;
use super::super::json::Json;
use super::super::show::TextTable;
use super::gate::Verdict;
use super::{Report, flame, growth_text, path_text};
use rjvm_profiler::{Change, ContextPair, MethodChange, export::XmlText};
use std::io::{self, Write};
use std::path::Path;

/// Writes a report in some format.
type DiffWriter = fn(&Report, &mut dyn Write) -> io::Result<()>;

/// The formats by their extension.
const WRITERS: [(&str, DiffWriter); 5] = [
    ("txt", Report::text),
    ("json", |report, out| report.json().write(out)),
    ("md", Report::markdown),
    ("xml", Report::junit),
    ("html", flame::write),
];

/// What writes a file of that name.
pub fn writer(path: &Path) -> Result<DiffWriter, ToolProblem> {
    let extension = path.extension().unwrap_or_default();
    let writer = WRITERS.iter().find(|(known, _)| extension == *known);
    let Some((_, writer)) = writer else {
        let known: Vec<String> = WRITERS.iter().map(|(name, _)| format!(".{name}")).collect();
        return Err(ToolProblem::Message(format!(
            "{}: unknown format; a comparison can be written as {}",
            path.display(),
            known.join(", ")
        )));
    };
    Ok(*writer)
}

/// What the tables of methods and contexts show of a row.
struct DiffRow {
    own: Change,
    inclusive: Change,
    calls: Change,
    name: String,
}

const HEADINGS: [&str; 8] = [
    "self",
    "change",
    "before|after",
    "total",
    "change",
    "before|after",
    "calls",
    "before|after",
];

impl DiffRow {
    fn cells(&self) -> Vec<String> {
        let both = |c: Change| format!("{}|{}", c.before, c.after);
        let signed = |c: Change| format!("{:+}", c.difference());
        vec![
            signed(self.own),
            growth_text(self.own),
            both(self.own),
            signed(self.inclusive),
            growth_text(self.inclusive),
            both(self.inclusive),
            signed(self.calls),
            both(self.calls),
        ]
    }
}

impl Report {
    fn totals(&self) -> [(&str, Change); 3] {
        [
            (super::capital(&self.unit), self.bytecodes),
            ("Calls", self.invocations),
            ("Contexts", self.contexts),
        ]
    }

    fn method_rows(&self) -> Vec<DiffRow> {
        let names = &self.names;
        let shown = self.methods.iter().take(self.limit);
        shown
            .map(|m| DiffRow {
                own: m.bytecodes,
                inclusive: m.inclusive,
                calls: m.invocations,
                name: names[m.method as usize].clone(),
            })
            .collect()
    }

    fn context_rows(&self) -> Vec<DiffRow> {
        let (names, both) = (&self.names, &self.both);
        let shown = self.changed.iter().take(self.limit);
        shown
            .map(|&pair| DiffRow {
                own: both.bytecodes(pair),
                inclusive: both.inclusive(pair),
                calls: both.invocations(pair),
                name: path_text(both, names, pair, self.full_paths),
            })
            .collect()
    }

    fn changes(&self) -> String {
        let (all, new, gone) = (self.changed.len(), self.new, self.gone);
        let contexts = if all == 1 { "context" } else { "contexts" };
        format!("{all} {contexts} changed, {new} of them new, {gone} gone")
    }

    /// The report for people.
    pub fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (name, change) in self.totals() {
            let Change { before, after } = change;
            let growth = growth_text(change);
            writeln!(out, "{:13}{before}|{after} ({growth})", format!("{name}:"))?;
        }
        if !self.changed.is_empty() {
            writeln!(out, "{}", self.changes())?;
            for (rows, all, what) in [
                (self.method_rows(), self.methods.len(), "method"),
                (self.context_rows(), self.changed.len(), "context"),
            ] {
                if rows.is_empty() {
                    continue;
                }
                let mut table = TextTable::new(&HEADINGS, what);
                let shown = rows.len();
                for row in rows {
                    table.row(row.cells(), row.name);
                }
                writeln!(out)?;
                table.write(out)?;
                if shown < all {
                    writeln!(out, "and {} more {what}s", all - shown)?;
                }
            }
        }
        if !self.verdicts.is_empty() {
            writeln!(out)?;
        }
        self.verdicts_text(out)
    }

    /// The limits and what became of them.
    pub fn verdicts_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for verdict in &self.verdicts {
            writeln!(out, "{}  {}", word(verdict), verdict.gate)?;
            for reason in verdict.reasons() {
                writeln!(out, "      {reason}")?;
            }
        }
        match self.failed() {
            _ if self.verdicts.is_empty() => Ok(()),
            0 => writeln!(out, "All limits met: {}", self.verdicts.len()),
            failed => writeln!(out, "Limits exceeded: {failed} of {}", self.verdicts.len()),
        }
    }

    fn failed(&self) -> usize {
        self.verdicts.iter().filter(|v| !v.passed).count()
    }

    fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        // What a cell holds must not end it, nor be taken for HTML.
        let cell = |text: &str| format!("`{}`", text.replace('|', "\\|").replace('`', "'"));
        if !self.verdicts.is_empty() {
            match self.failed() {
                0 => writeln!(out, "**All {} limits met.**\n", self.verdicts.len())?,
                n => writeln!(out, "**{n} of {} limits exceeded.**\n", self.verdicts.len())?,
            }
            writeln!(out, "| limit | verdict | before\\|after |\n|---|---|---|")?;
            for verdict in &self.verdicts {
                let reasons: Vec<String> = verdict.reasons().iter().map(|r| cell(r)).collect();
                let (gate, word) = (cell(&verdict.gate), word(verdict));
                writeln!(out, "| {gate} | {word} | {} |", reasons.join("<br>"))?;
            }
            writeln!(out)?;
        }
        writeln!(
            out,
            "| whole run | before | after | change |\n|---|--:|--:|--:|"
        )?;
        for (name, change) in self.totals() {
            let Change { before, after } = change;
            writeln!(
                out,
                "| {name} | {before} | {after} | {} |",
                growth_text(change)
            )?;
        }
        for (rows, all, what) in [
            (self.method_rows(), self.methods.len(), "method"),
            (self.context_rows(), self.changed.len(), "context"),
        ] {
            if rows.is_empty() {
                continue;
            }
            let headings = HEADINGS.map(|h| h.replace('|', "\\|")).join(" | ");
            writeln!(
                out,
                "\n| {what} | {headings} |\n|---|{}",
                "--:|".repeat(HEADINGS.len())
            )?;
            let shown = rows.len();
            for row in rows {
                let cells = row
                    .cells()
                    .join(" | ")
                    .replace('|', "\\|")
                    .replace(" \\| ", " | ");
                writeln!(out, "| {} | {cells} |", cell(&row.name))?;
            }
            if shown < all {
                writeln!(out, "\nand {} more {what}s", all - shown)?;
            }
        }
        Ok(())
    }

    /// A test for each limit, as CI servers read them.
    fn junit(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(
            out,
            "<testsuite name=\"rjvm profile diff\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">",
            self.verdicts.len(),
            self.failed()
        )?;
        for verdict in &self.verdicts {
            let (name, reasons) = (XmlText(&verdict.gate), verdict.reasons());
            write!(
                out,
                "  <testcase classname=\"rjvm.limits\" name=\"{name}\">"
            )?;
            let all = reasons.join("; ");
            match verdict.passed {
                true => write!(out, "<system-out>{}</system-out>", XmlText(&all))?,
                false => {
                    let first = reasons.first().map_or("", String::as_str);
                    write!(
                        out,
                        "<failure message=\"{}\">{}</failure>",
                        XmlText(first),
                        XmlText(&all)
                    )?;
                }
            }
            writeln!(out, "</testcase>")?;
        }
        writeln!(out, "</testsuite>")
    }

    /// The report for scripts.
    pub fn json(&self) -> Json {
        let change = |change: Change| {
            Json::Object(vec![
                ("before", change.before.into()),
                ("after", change.after.into()),
            ])
        };
        let method = |m: &MethodChange| {
            let label = self.both.methods[m.method as usize].label();
            let mut members = vec![
                ("method", Json::Text(label)),
                ("bytecodes", change(m.bytecodes)),
                ("inclusive", change(m.inclusive)),
                ("invocations", change(m.invocations)),
            ];
            if let Some(renamed) = self.both.numbered.get(&m.method) {
                let names = ["before", "after"].into_iter().zip(&renamed.names);
                let names =
                    names.filter_map(|(side, m)| Some((side, Json::Text(m.as_ref()?.label()))));
                members.push(("called", Json::Object(names.collect())));
                if renamed.in_doubt {
                    members.push(("in_doubt", Json::Bool(true)));
                }
            }
            Json::Object(members)
        };
        let context = |&pair: &ContextPair| {
            let element = |(site, method): (Option<u32>, u32)| {
                let method = &self.both.methods[method as usize];
                let sites = self.both.call_sites;
                Json::Text(rjvm_profiler::export::paths::element(sites, site, method))
            };
            let path = self.both.path(pair).into_iter().map(element).collect();
            Json::Object(vec![
                ("path", Json::List(path)),
                ("bytecodes", change(self.both.bytecodes(pair))),
                ("inclusive", change(self.both.inclusive(pair))),
                ("invocations", change(self.both.invocations(pair))),
            ])
        };
        let verdict = |v: &Verdict| {
            let reasons = v.reasons().into_iter().map(Json::Text).collect();
            Json::Object(vec![
                ("limit", Json::Text(v.gate.clone())),
                ("verdict", word(v).into()),
                ("counts", (v.looked_at as u64).into()),
                ("reasons", Json::List(reasons)),
            ])
        };
        let methods = self.methods.iter().take(self.limit).map(method).collect();
        let changes = self.changed.iter().take(self.limit).map(context).collect();
        let mut members = vec![
            ("bytecodes", change(self.bytecodes)),
            ("invocations", change(self.invocations)),
            ("contexts", change(self.contexts)),
            ("contexts_new", self.new.into()),
            ("contexts_gone", self.gone.into()),
            ("contexts_changed", (self.changed.len() as u64).into()),
            ("methods", Json::List(methods)),
            ("changes", Json::List(changes)),
        ];
        if !self.verdicts.is_empty() {
            let verdicts = self.verdicts.iter().map(verdict).collect();
            members.push(("limits", Json::List(verdicts)));
        }
        Json::Object(members)
    }
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict.passed {
        true => "PASS",
        false => "FAIL",
    }
}
