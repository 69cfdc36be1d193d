//! `diff`: what changed from one profile to another.

use super::Problem;
use super::input;
use super::json::Json;
use super::show::Table;
use clap::{Arg, ArgMatches, Command, value_parser};
use rjvm_profiler::{Change, Comparison, ContextPair, MethodChange, readable_names};
use std::cmp::Reverse;
use std::io::Write;

/// Exit code if there are more bytecodes than `--fail-above` allows.
const EXCEEDED: i32 = 3;

/// The command line.
pub fn command() -> Command {
    input::with_view(
        Command::new("diff")
            .about("What changed from one profile to another: methods and contexts")
            .arg(input::files(2, Some(2)).value_names(["BEFORE", "AFTER"]))
            .arg(input::limit("20"))
            .arg(
                input::choice("by", &["bytecodes", "invocations"])
                    .help("What the tables are sorted by, largest change first")
                    .default_value("bytecodes"),
            )
            .arg(
                Arg::new("fail-above")
                    .long("fail-above")
                    .value_name("PERCENT")
                    .help("End with exit code 3 if the bytecodes grew by more than this")
                    .value_parser(value_parser!(f64)),
            )
            .arg(input::json()),
    )
}

/// Everything that is reported.
struct Report {
    both: Comparison,
    bytecodes: Change,
    invocations: Change,
    contexts: Change,
    /// Contexts only in the second, and only in the first.
    new: u64,
    gone: u64,
    methods: Vec<MethodChange>,
    changed: Vec<ContextPair>,
}

/// Compares two profiles.
pub fn run(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, Problem> {
    let profiles = input::profiles(matches)?;
    let [before, after] = &profiles[..] else {
        return Err(Problem::Said("two files are expected".into()));
    };
    if before.kind != after.kind {
        return Err(Problem::Said(
            "exact and sampled profiles differ in any case: see overlap".into(),
        ));
    }
    let both = Comparison::new(before, after)?;
    let totals = [before.totals(), after.totals()];
    let change = |of: fn(&rjvm_profiler::Totals) -> u64| Change {
        before: of(&totals[0]),
        after: of(&totals[1]),
    };
    let by_calls = input::chosen(matches, "by") == "invocations";
    let mut methods = both.method_changes();
    methods.retain(|m| !m.bytecodes.is_none() || !m.invocations.is_none());
    let size = |bytecodes: Change, calls: Change| {
        let (first, second) = match by_calls {
            true => (calls, bytecodes),
            false => (bytecodes, calls),
        };
        let size = |change: Change| Reverse(change.difference().unsigned_abs());
        (size(first), size(second))
    };
    methods.sort_by_cached_key(|m| size(m.bytecodes, m.invocations));
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
    changed.sort_by_cached_key(|&pair| size(both.bytecodes(pair), both.invocations(pair)));
    let report = Report {
        bytecodes: change(|t| t.bytecodes),
        invocations: change(|t| t.invocations),
        contexts: Change {
            before: both.before.len() as u64,
            after: both.after.len() as u64,
        },
        both,
        new,
        gone,
        methods,
        changed,
    };
    let limit = input::limited(matches);
    if matches.get_flag("json") {
        report.json(limit).write(out)?;
    } else {
        report.text(limit, out)?;
    }
    if let Some(&percent) = matches.get_one::<f64>("fail-above")
        && growth(report.bytecodes) > percent
    {
        return Ok(EXCEEDED);
    }
    Ok(0)
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
fn growth_text(change: Change) -> String {
    match (change.before, change.after) {
        (a, b) if a == b => "No change".into(),
        (0, _) => "new".into(),
        (_, 0) => "gone".into(),
        _ => format!("{:+.2}%", growth(change)),
    }
}

impl Report {
    fn text(&self, limit: usize, out: &mut dyn Write) -> Result<(), Problem> {
        for (name, change) in [
            ("Bytecodes", self.bytecodes),
            ("Invocations", self.invocations),
            ("Contexts", self.contexts),
        ] {
            let Change { before, after } = change;
            let growth = growth_text(change);
            writeln!(out, "{:13}{after}|{before} ({growth})", format!("{name}:"))?;
        }
        if self.changed.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "{} contexts changed, {} of them new, {} gone",
            self.changed.len(),
            self.new,
            self.gone
        )?;
        let headings = [
            "bytecodes",
            "change",
            "before",
            "after",
            "calls before",
            "after",
        ];
        let cells = |bytecodes: Change, calls: Change| {
            vec![
                format!("{:+}", bytecodes.difference()),
                growth_text(bytecodes),
                bytecodes.before.to_string(),
                bytecodes.after.to_string(),
                calls.before.to_string(),
                calls.after.to_string(),
            ]
        };
        let names = readable_names(&self.both.methods);
        let mut table = Table::new(&headings, "method");
        for method in self.methods.iter().take(limit) {
            let name = names[method.method as usize].clone();
            table.row(cells(method.bytecodes, method.invocations), name);
        }
        if !self.methods.is_empty() {
            writeln!(out)?;
            table.write(out)?;
            more(out, self.methods.len(), limit, "methods")?;
        }
        let mut table = Table::new(&headings, "context");
        for &pair in self.changed.iter().take(limit) {
            let path = self.both.path(pair);
            let elements: Vec<String> = path
                .iter()
                .map(|&(site, method)| match site {
                    Some(site) => format!("@{site}:{}", names[method as usize]),
                    None => names[method as usize].clone(),
                })
                .collect();
            let cells = cells(self.both.bytecodes(pair), self.both.invocations(pair));
            table.row(cells, elements.join(" > "));
        }
        writeln!(out)?;
        table.write(out)?;
        more(out, self.changed.len(), limit, "contexts")?;
        Ok(())
    }

    fn json(&self, limit: usize) -> Json {
        let change = |change: Change| {
            Json::Object(vec![
                ("before", change.before.into()),
                ("after", change.after.into()),
            ])
        };
        let method = |m: &MethodChange| {
            Json::Object(vec![
                (
                    "method",
                    Json::Text(self.both.methods[m.method as usize].label()),
                ),
                ("bytecodes", change(m.bytecodes)),
                ("invocations", change(m.invocations)),
            ])
        };
        let context = |&pair: &ContextPair| {
            let element = |(site, method): (Option<u32>, u32)| {
                let method = &self.both.methods[method as usize];
                let sites = self.both.call_sites;
                Json::Text(rjvm_profiler::export::paths::element(sites, site, method))
            };
            Json::Object(vec![
                (
                    "path",
                    Json::List(self.both.path(pair).into_iter().map(element).collect()),
                ),
                ("bytecodes", change(self.both.bytecodes(pair))),
                ("invocations", change(self.both.invocations(pair))),
            ])
        };
        Json::Object(vec![
            ("bytecodes", change(self.bytecodes)),
            ("invocations", change(self.invocations)),
            ("contexts", change(self.contexts)),
            ("contexts_new", self.new.into()),
            ("contexts_gone", self.gone.into()),
            ("contexts_changed", (self.changed.len() as u64).into()),
            (
                "methods",
                Json::List(self.methods.iter().take(limit).map(method).collect()),
            ),
            (
                "changes",
                Json::List(self.changed.iter().take(limit).map(context).collect()),
            ),
        ])
    }
}

fn more(out: &mut dyn Write, all: usize, limit: usize, what: &str) -> std::io::Result<()> {
    match all.checked_sub(limit) {
        Some(left) if left > 0 => writeln!(out, "and {left} more {what}"),
        _ => Ok(()),
    }
}
