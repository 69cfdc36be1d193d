//! `diff`: what changed from one profile to another, and whether that is within limits.

pub mod flame;
pub mod gate;
mod report;

pub use report::writer;

use super::ToolProblem;
use super::input;
use crate::messages;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use gate::{Gate, GateInput, Verdict};
use rjvm_profiler::{Change, Comparison, ContextPair, MethodChange, MethodInfo, Profile, Renamed};
use std::cmp::Reverse;
use std::fmt::Display;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Exit code if a limit is exceeded.
const EXCEEDED: i32 = 3;

/// The command line.
pub fn command() -> Command {
    input::with_view(
        Command::new("diff")
            .about("Shows the changes from one profile to another, by method and context; limits for CI")
            .arg(input::files(2, Some(2)).value_names(["BEFORE", "AFTER"]))
            .arg(input::limit("20"))
            .arg(
                input::choice("by", &["self", "bytecodes", "total", "inclusive", "calls", "invocations"])
                    .hide_possible_values(true)
                    .value_name("self|total|calls")
                    .help("Sort the tables by this measure, largest change first")
                    .default_value("self"),
            )
            .arg(
                Arg::new("full-paths")
                    .long("full-paths")
                    .help("Write all methods of each context, not only the first and last ones")
                    .action(ArgAction::SetTrue),
            )
            .arg(
                Arg::new("fail-above")
                    .long("fail-above")
                    .value_name("LIMIT")
                    .help("Exit with code 3 if a count exceeds this limit; may be repeated")
                    .action(ArgAction::Append)
                    .value_parser(value_parser!(Gate)),
            )
            .arg(
                Arg::new("limits")
                    .long("limits")
                    .value_name("FILE")
                    .help("Read limits like those of --fail-above from a file, one per line; # begins a comment")
                    .value_parser(value_parser!(PathBuf)),
            )
            .arg(
                Arg::new("output")
                    .short('o')
                    .long("output")
                    .value_name("FILE")
                    .help(
                        "Write to a file instead: .txt, .json, .md (Markdown), .xml (the limits as \
                         JUnit tests), .html (differential flame graph); may be repeated",
                    )
                    .action(ArgAction::Append)
                    .value_parser(value_parser!(PathBuf)),
            )
            .arg(input::json()),
    )
    .after_help(
        "A limit is 'HOW-MUCH [METRIC] [METHOD or CONTEXT] [in THREAD]':\n\
         \x20 HOW-MUCH  1% or +1000: greatest growth; <=5000: greatest count; =5000: exact count\n\
         \x20 METRIC    bytecodes (the total; the default), self, calls, objects, bytes, contexts (of the whole)\n\
         \x20 METHOD    a pattern as in --include; the limit applies to each matching method: com.acme.Parser::parse, com.acme..\n\
         \x20 CONTEXT   patterns joined by '>', caller first; the limit applies to contexts that end with them\n\
         Without METHOD or CONTEXT, a limit applies to the whole profile. A limit that matches nothing in either \
         profile fails.\n\n\
         Examples: --fail-above=1% --fail-above='0% calls com.acme.Parser::parse' --fail-above='<=12031 com.acme.Api::get in main'",
    )
}

/// Everything that is reported.
pub struct Report {
    /// The contexts of both.
    pub both: Comparison,
    /// The names of methods, for people.
    pub names: Vec<String>,
    /// The program or, if it was another one before, both.
    program: String,
    /// What is counted.
    unit: String,
    bytecodes: Change,
    invocations: Change,
    contexts: Change,
    /// Contexts only in the second, and only in the first.
    new: u64,
    gone: u64,
    /// Methods that changed, in the order requested.
    pub methods: Vec<MethodChange>,
    /// Contexts that changed, in the same way.
    pub changed: Vec<ContextPair>,
    /// What the limits say.
    pub verdicts: Vec<Verdict>,
    /// Rows of each table.
    pub limit: usize,
    /// All methods of a context are written.
    pub full_paths: bool,
}

/// How much of a comparison is shown, and in which order.
pub struct DiffDisplay<'a> {
    /// What tables are sorted by: `self`, `total` or `calls`.
    pub by: &'a str,
    /// Rows of each table.
    pub limit: usize,
    /// All methods of a context are written.
    pub full_paths: bool,
}

impl Report {
    /// Notes on how methods were matched.
    pub fn notes(&self) -> Vec<String> {
        numbered_notes(self.both.numbered.values(), self.both.by_number)
    }

    /// Sets the title of the comparison, and the unit.
    pub fn entitle(&mut self, what: &str, unit: &str) {
        self.program = match self.program.as_str() {
            "Profile" => what.to_owned(),
            program => format!("{program}: {what}"),
        };
        self.unit = unit.to_owned();
    }

    /// Compares two profiles, and judges limits.
    pub fn new(
        before: &Profile,
        after: &Profile,
        gates: &[Gate],
        shown: &DiffDisplay<'_>,
    ) -> Result<Report, ToolProblem> {
        let counts = GateInput::of(before, after)?;
        let verdicts = gates.iter();
        let verdicts = verdicts.map(|gate| gate.verdict(before, after, &counts));
        let verdicts: Vec<Verdict> = verdicts.collect::<Result<_, _>>()?;
        let GateInput {
            both,
            mut methods,
            names,
            totals,
        } = counts;
        let change = |of: fn(&rjvm_profiler::Totals) -> u64| Change {
            before: of(&totals[0]),
            after: of(&totals[1]),
        };
        // Largest change first: of what is requested, then of the others.
        let order = match shown.by {
            "total" | "inclusive" => [1, 0, 2],
            "calls" | "invocations" => [2, 0, 1],
            _ => [0, 1, 2],
        };
        let size = |changes: [Change; 3]| {
            order.map(|i: usize| Reverse(changes[i].difference().unsigned_abs()))
        };
        methods.retain(|m| {
            [m.bytecodes, m.inclusive, m.invocations]
                .iter()
                .any(|c| !c.is_none())
        });
        methods.sort_by_cached_key(|m| size([m.bytecodes, m.inclusive, m.invocations]));
        let (mut new, mut gone) = (0, 0);
        let mut changed = Vec::new();
        for pair in both.contexts() {
            new += u64::from(pair.before.is_none());
            gone += u64::from(pair.after.is_none());
            let same = both.bytecodes(pair).is_none() && both.invocations(pair).is_none();
            if !same || pair.before.is_none() || pair.after.is_none() {
                changed.push(pair);
            }
        }
        changed.sort_by_cached_key(|&pair| {
            size([
                both.bytecodes(pair),
                both.inclusive(pair),
                both.invocations(pair),
            ])
        });
        let name = |profile: &Profile| profile.program().unwrap_or("Profile").to_owned();
        let [was, is] = [name(before), name(after)];
        Ok(Report {
            program: match was == is {
                true => is,
                false => format!("{was} | {is}"),
            },
            unit: after.unit().to_owned(),
            bytecodes: change(|t| t.bytecodes),
            invocations: change(|t| t.invocations),
            contexts: Change {
                before: both.before.len() as u64,
                after: both.after.len() as u64,
            },
            both,
            names,
            new,
            gone,
            methods,
            changed,
            verdicts,
            limit: shown.limit,
            full_paths: shown.full_paths,
        })
    }
}

/// Notes on how methods whose names are numbers were matched.
pub fn numbered_notes<'a>(
    numbered: impl Iterator<Item = &'a Renamed>,
    by_number: bool,
) -> Vec<String> {
    let mut notes = Vec::new();
    if by_number {
        notes.push(
            "a profile does not record the origin of its lambdas and anonymous classes: rjvm matches them by number"
                .into(),
        );
    }
    let doubtful = numbered.filter(|r| r.in_doubt);
    let names = doubtful.filter_map(|r| r.names.iter().rev().flatten().next());
    let mut names: Vec<String> = names.map(MethodInfo::readable).collect();
    names.sort();
    names.dedup();
    let more = names.len().saturating_sub(5);
    names.truncate(5);
    if !names.is_empty() {
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        notes.push(format!(
            "these methods have no certain match in the other profile, so they count as gone and new: {}{more}",
            names.join(", ")
        ));
    }
    notes
}

/// A unit as a heading has it.
fn capital(unit: &str) -> &str {
    match unit {
        "bytecodes" => "Bytecodes",
        unit => unit,
    }
}

/// Compares two profiles.
pub fn run(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let mut gates: Vec<Gate> = matches
        .get_many("fail-above")
        .unwrap_or_default()
        .cloned()
        .collect();
    if let Some(file) = matches.get_one::<PathBuf>("limits") {
        let message = |e: &dyn Display| ToolProblem::Message(format!("{}: {e}", file.display()));
        let text = fs::read_to_string(file).map_err(|e| message(&e))?;
        gates.extend(gate::read(&text).map_err(|e| message(&e))?);
    }
    let files: Vec<&PathBuf> = matches.get_many("output").unwrap_or_default().collect();
    for file in &files {
        report::writer(file)?;
    }
    let profiles = input::profiles(matches)?;
    let [before, after] = &profiles[..] else {
        return Err(ToolProblem::Message("expected two files".into()));
    };
    if before.kind != after.kind {
        return Err(ToolProblem::Message(
            "exact and sampled profiles cannot be compared: use rjvm profile overlap".into(),
        ));
    }
    let shown = DiffDisplay {
        by: input::chosen(matches, "by"),
        limit: input::limited(matches),
        full_paths: matches.get_flag("full-paths"),
    };
    let report = Report::new(before, after, &gates, &shown)?;
    for note in report.notes() {
        messages::note(&note);
    }
    for file in &files {
        write_file(&report, file)?;
    }
    match (files.is_empty(), matches.get_flag("json")) {
        (_, true) => report.json().write(out)?,
        (true, false) => report.text(out)?,
        (false, false) => report.verdicts_text(out)?,
    }
    let passed = report.verdicts.iter().all(|v| v.passed);
    Ok(if passed { 0 } else { EXCEEDED })
}

/// Writes a report in the format of the file's extension.
pub fn write_file(report: &Report, path: &Path) -> Result<(), ToolProblem> {
    let message = |e: std::io::Error| ToolProblem::Message(format!("{}: {e}", path.display()));
    let write = report::writer(path)?;
    let mut out = BufWriter::new(fs::File::create(path).map_err(message)?);
    let written = write(report, &mut out).and_then(|()| out.flush());
    written.map_err(message)
}

/// The path of a context, root first: all of it, or the root and the last methods.
pub fn path_text(both: &Comparison, names: &[String], pair: ContextPair, full: bool) -> String {
    /// Methods at the end of a path that are always written.
    const LAST: usize = 3;
    let path = both.path(pair);
    let mut elements: Vec<String> = path
        .iter()
        .map(|&(site, method)| match site {
            Some(site) => format!("@{site}:{}", names[method as usize]),
            None => names[method as usize].clone(),
        })
        .collect();
    // One that is left out takes as much room as its number.
    if !full && elements.len() > LAST + 2 {
        let left_out = elements.len() - LAST - 1;
        elements.splice(1..=left_out, [format!("... {left_out} ...")]);
    }
    elements.join(" > ")
}

/// Growth in percent; infinite if there was nothing before.
fn growth(change: Change) -> f64 {
    match (change.before, change.is_none()) {
        (_, true) => 0.0,
        (0, _) => f64::INFINITY,
        (before, _) => change.difference() as f64 * 100.0 / before as f64,
    }
}

/// `+1.23%`, `new`, `gone`.
pub fn growth_text(change: Change) -> String {
    match (change.before, change.after) {
        (a, b) if a == b => "No change".into(),
        (0, _) => "new".into(),
        (_, 0) => "gone".into(),
        _ => format!("{:+.2}%", growth(change)),
    }
}
