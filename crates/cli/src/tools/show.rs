//! `top`, the methods that cost most; `tree`, the calling-context tree as text.

use super::ToolProblem;
use super::input::{self, percent};
use super::json::Json;
use clap::{ArgMatches, Command};
use rjvm_profiler::export::{self, Settings};
use rjvm_profiler::{Kind, MethodTotals, Profile};
use std::cmp::Reverse;
use std::io::Write;

/// The command line of `top`.
pub fn top_command() -> Command {
    let by = &["self", "total", "inclusive", "calls", "objects", "bytes"];
    input::with_view(
        Command::new("top")
            .about("Lists the methods that executed the most bytecodes")
            .arg(input::files(1, Some(1)))
            .arg(input::limit("20"))
            .arg(
                input::choice("by", by)
                    .hide_possible_values(true)
                    .value_name("self|total|calls|objects|bytes")
                    .help("Sort the table by this measure")
                    .default_value("self"),
            )
            .arg(input::lines().help("Show source files and lines"))
            .arg(input::json()),
    )
}

/// Writes the table of methods.
pub fn top(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let profile = input::one_profile(matches)?;
    let profile = profile.estimated();
    let mut rows = profile.flat();
    let key: fn(&MethodTotals) -> u64 = match input::chosen(matches, "by") {
        "total" | "inclusive" => |row| row.inclusive,
        "calls" => |row| row.calls,
        "objects" => |row| row.allocated.objects,
        "bytes" => |row| row.allocated.bytes,
        _ => |row| row.bytecodes,
    };
    // The order there is decides between equals.
    rows.sort_by_key(|row| Reverse(key(row)));
    let shown = &rows[..rows.len().min(input::limited(matches))];
    if matches.get_flag("json") {
        top_json(&profile, shown).write(out)?;
        return Ok(0);
    }
    let settings = Settings {
        lines: matches.get_flag("lines"),
        ..Settings::default()
    };
    let names = export::names(&profile.methods, &settings, " ");
    let totals = profile.totals();
    let calls = match profile.kind {
        Kind::Exact => "calls",
        Kind::Samples => "samples",
    };
    let mut headings = vec![
        "rank", "self %", "accum %", "total %", "self", "total", calls,
    ];
    if profile.has_allocations() {
        headings.extend(["objects", "bytes"]);
    }
    let mut table = TextTable::new(&headings, "method");
    let mut accumulated = 0u64;
    for (rank, row) in (1..).zip(shown) {
        accumulated = accumulated.saturating_add(row.bytecodes);
        let mut cells = vec![
            rank.to_string(),
            percent(row.bytecodes, totals.bytecodes),
            percent(accumulated, totals.bytecodes),
            percent(row.inclusive, totals.bytecodes),
            row.bytecodes.to_string(),
            row.inclusive.to_string(),
            row.calls.to_string(),
        ];
        if profile.has_allocations() {
            cells.push(row.allocated.objects.to_string());
            cells.push(row.allocated.bytes.to_string());
        }
        table.row(cells, names[row.method as usize].clone());
    }
    table.write(out)?;
    if shown.len() < rows.len() {
        writeln!(out, "and {} more methods", rows.len() - shown.len())?;
    }
    Ok(0)
}

fn top_json(profile: &Profile, rows: &[MethodTotals]) -> Json {
    let totals = profile.totals();
    let row = |row: &MethodTotals| {
        let method = &profile.methods[row.method as usize];
        let mut members = vec![("method", Json::Text(method.label()))];
        if let Some(source) = &method.source {
            members.push(("file", source.file().into()));
        }
        if let Some(line) = method.first_line() {
            members.push(("line", u64::from(line).into()));
        }
        members.extend([
            ("bytecodes", row.bytecodes.into()),
            ("inclusive", row.inclusive.into()),
            ("invocations", row.calls.into()),
            ("contexts", row.contexts.into()),
        ]);
        if profile.has_allocations() {
            members.push(("objects", row.allocated.objects.into()));
            members.push(("bytes", row.allocated.bytes.into()));
        }
        Json::Object(members)
    };
    Json::Object(vec![
        ("bytecodes", totals.bytecodes.into()),
        ("invocations", totals.invocations.into()),
        ("contexts", totals.nodes.into()),
        ("threads", totals.threads.into()),
        ("methods", Json::List(rows.iter().map(row).collect())),
    ])
}

/// The command line of `tree`.
pub fn tree_command() -> Command {
    input::with_view(
        Command::new("tree")
            .about("Prints the calling-context tree as indented text")
            .arg(input::lines().help("Show source files and lines"))
            .arg(input::files(1, Some(1))),
    )
}

/// Writes the tree.
pub fn tree(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let settings = Settings {
        lines: matches.get_flag("lines"),
        ..Settings::default()
    };
    export::tree::write(&input::one_profile(matches)?, &settings, out)?;
    Ok(0)
}

/// A table of right-aligned columns with a name at the end of each row.
pub struct TextTable {
    headings: Vec<String>,
    last: String,
    rows: Vec<(Vec<String>, String)>,
}

impl TextTable {
    /// An empty table.
    pub fn new(headings: &[&str], last: &str) -> Self {
        TextTable {
            headings: headings.iter().map(|h| h.to_string()).collect(),
            last: last.into(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; it has as many cells as there are headings.
    pub fn row(&mut self, cells: Vec<String>, name: String) {
        self.rows.push((cells, name));
    }

    /// Writes the table.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|(cells, _)| cells[column].len());
            cells.fold(self.headings[column].len(), usize::max)
        };
        let widths: Vec<usize> = (0..self.headings.len()).map(width).collect();
        let heading = std::iter::once((&self.headings, &self.last));
        let rows = self.rows.iter().map(|(cells, name)| (cells, name));
        for (cells, name) in heading.chain(rows) {
            for (cell, &width) in cells.iter().zip(&widths) {
                write!(out, "{cell:>width$}  ")?;
            }
            writeln!(out, "{name}")?;
        }
        Ok(())
    }
}
