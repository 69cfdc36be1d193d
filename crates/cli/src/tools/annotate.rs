//! `rjvm profile annotate`: the counts at each line of methods, with their source text and
//! their bytecodes as far as these are found.

use super::ToolProblem;
use super::classes::{self, Classes};
use super::combine;
use super::input::{self, percent};
use clap::{Arg, ArgAction, ArgMatches, Command};
use rjvm_profiler::export::{LineCosts, Sources, by_line, unattributed};
use rjvm_profiler::{MethodInfo, MethodTotals, Pattern, Profile, readable_names};
use std::collections::BTreeMap;
use std::io::Write;

/// The command line.
pub fn command() -> Command {
    input::with_view(
        Command::new("annotate")
            .about("Shows the counts of each line of methods, with source text and bytecodes")
            .arg(input::files(1, Some(1)))
            .arg(
                Arg::new("method")
                    .long("method")
                    .value_name("PATTERN,...")
                    .help("Methods to show, as in --include: a.B, a.*, a.B::method; default: the methods with the highest cost")
                    .action(ArgAction::Append),
            )
            .arg(input::limit("10"))
            .arg(combine::source_path().help("Directories, jars and zips with source files, in addition to the JDK's src.zip"))
            .arg(
                classes::argument()
                    .help("Directory, jar or JDK with the classes that ran: shows their bytecodes; may be repeated"),
            ),
    )
}

/// Writes the methods, the most expensive ones first.
pub fn run(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let profile = input::one_profile(matches)?;
    let profile = &*profile.estimated();
    let mut patterns: Vec<Pattern> = Vec::new();
    for text in matches.get_many::<String>("method").unwrap_or_default() {
        let list = Pattern::list(text);
        patterns.extend(list.map_err(|e| ToolProblem::Message(format!("--method={text}: {e}")))?);
    }
    let wanted =
        |method: &MethodInfo| patterns.is_empty() || patterns.iter().any(|p| p.matches(method));
    let mut rows = profile.flat();
    rows.retain(|row| wanted(&profile.methods[row.method as usize]));
    if rows.is_empty() {
        return Err(ToolProblem::Message(
            "--method: no executed method matches".into(),
        ));
    }
    rows.truncate(input::limited(matches));
    let sources = combine::all_sources(matches)?;
    let mut page = Page {
        profile,
        names: readable_names(&profile.methods),
        counts: counts(profile),
        total: profile.totals().bytecodes,
        out,
    };
    let mut classes = Classes::open(matches)?;
    let lines = by_line(profile);
    for (i, row) in rows.iter().enumerate() {
        let method = &profile.methods[row.method as usize];
        if i > 0 {
            writeln!(page.out)?;
        }
        let source = method.source.as_ref();
        let text = source.and_then(|source| sources.text(source.file()));
        let text: Vec<&str> = text.iter().flat_map(|text| text.lines()).collect();
        page.heading(row, !text.is_empty())?;
        let code = classes.instructions(method)?.unwrap_or_default();
        page.lines(row.method, &lines[row.method as usize], &text, &code)?;
    }
    if let Some(unattributed) = unattributed(profile.kind, profile.call_sites, profile.has_counts())
    {
        writeln!(page.out, "\n{unattributed}")?;
    }
    Ok(0)
}

/// Whether the profile has another class of the same name.
fn has_namesake(profile: &Profile, method: &MethodInfo) -> bool {
    let same_name = |m: &&MethodInfo| m.plain_class() == method.plain_class();
    let mut same = profile.methods.iter().filter(same_name);
    same.any(|m| m.class != method.class)
}

/// Executions of each bytecode by method.
fn counts(profile: &Profile) -> BTreeMap<(u32, u16), u64> {
    let mut counts = BTreeMap::new();
    for tree in profile.threads.iter().map(|thread| &thread.tree) {
        for (index, node) in (0u32..).zip(tree.nodes()) {
            for (at, count) in tree.counts(index) {
                let sum: &mut u64 = counts.entry((node.method, at)).or_default();
                *sum = sum.saturating_add(count);
            }
        }
    }
    counts
}

struct Page<'a> {
    profile: &'a Profile,
    names: Vec<String>,
    counts: BTreeMap<(u32, u16), u64>,
    total: u64,
    out: &'a mut dyn Write,
}

impl Page<'_> {
    fn heading(&mut self, row: &MethodTotals, has_text: bool) -> Result<(), ToolProblem> {
        let method = &self.profile.methods[row.method as usize];
        let file = method.source.as_ref().map_or("unknown", |s| s.file());
        let (own, all) = (row.bytecodes, row.inclusive);
        let (self_share, share) = (percent(own, self.total), percent(all, self.total));
        writeln!(self.out, "{} in {file}", self.names[row.method as usize])?;
        writeln!(
            self.out,
            "self {own} ({self_share} %), total {all} ({share} %), {} calls",
            row.calls
        )?;
        if has_text && has_namesake(self.profile, method) {
            let class = method.plain_class();
            writeln!(
                self.out,
                "note: the profile has several classes {class}; the text may be the source of a different one"
            )?;
        }
        writeln!(self.out)?;
        writeln!(self.out, "{:>14} {:>14} {:>6}", "self", "total", "line")?;
        Ok(())
    }

    /// The lines from the one before the method's first up to its last one, and the bytecodes that
    /// belong to each.
    fn lines(
        &mut self,
        method: u32,
        costs: &BTreeMap<u32, LineCosts>,
        text: &[&str],
        code: &[(u16, String)],
    ) -> Result<(), ToolProblem> {
        let info = &self.profile.methods[method as usize];
        let rows = info.source.as_ref().map_or(&[][..], |s| s.lines());
        let of_table = || rows.iter().map(|row| u32::from(row.1));
        let all = || {
            of_table()
                .chain(costs.keys().copied())
                .filter(|&line| line > 0)
        };
        let (first, last) = (all().min().unwrap_or(1), all().max().unwrap_or(0));
        let known = last as usize <= text.len();
        let first = if known { first.max(2) - 1 } else { first };
        // What is at no line comes first, as line 0.
        for line in std::iter::once(0).chain(first..=last) {
            let cost = costs.get(&line);
            let reported = line > 0 && (known || of_table().any(|known| known == line));
            if cost.is_none() && !reported {
                continue;
            }
            let words = match known && line > 0 {
                true => text[line as usize - 1].trim_end(),
                false => "",
            };
            let number = |n: Option<u64>| n.map_or(".".into(), |n| n.to_string());
            let shown = format!(
                "{:>14} {:>14} {line:>6}  {words}",
                number(cost.map(|cost| cost.own).filter(|&own| own > 0)),
                number(cost.map(LineCosts::inclusive)),
            );
            writeln!(self.out, "{}", shown.trim_end())?;
            for (index, instruction) in code {
                let at = info.line(Some((*index).into())).or(info.first_line());
                if at.unwrap_or(0) == line {
                    let count = self.counts.get(&(method, *index));
                    let count = number(count.copied());
                    writeln!(
                        self.out,
                        "{count:>14} {:>21}  {index:>5}: {instruction}",
                        ""
                    )?;
                }
            }
            if let Some(caused) = cost.map(|cost| cost.caused).filter(|&caused| caused > 0) {
                writeln!(
                    self.out,
                    "{caused:>14} {:>14} {:>6}    by callees that are not shown",
                    "", "->"
                )?;
            }
            for (&callee, (calls, below)) in cost.iter().flat_map(|cost| &cost.callees) {
                let name = &self.names[callee as usize];
                writeln!(
                    self.out,
                    "{:>14} {below:>14} {:>6}    {calls} x {name}",
                    "", "->"
                )?;
            }
        }
        Ok(())
    }
}
