//! `rjvm bench`: what benchmarks execute, compared with what they executed before.

mod compare;
mod error;
mod find;
mod limits;
mod record;
mod report;
mod runs;
mod services;
pub mod store;

pub use error::BenchError;
pub use runs::jdk;

use super::alike::stdin_option;
use super::codes::WRONG_USE;
use crate::messages;
use crate::subcommands;
use crate::tools::ToolProblem;
use crate::tools::diff::{DiffDisplay, flame, gate::Gate};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use compare::Comparison;
use rjvm_profiler::Pattern;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

pub use compare::{BenchmarkSet, MeasuredBenchmark};
pub use rjvm_explore::result::Shard;
pub use store::file_name;

/// Exit code if a limit is exceeded.
const EXCEEDED: i32 = 3;

/// The baseline, if no other one is named.
const BASELINE: &str = "rjvm-bench.txt";

/// The command line.
pub fn command() -> Command {
    with_comparison(
        subcommands::BENCH.command()
            .args_conflicts_with_subcommands(true)
            .next_help_heading("Benchmarks")
            .arg(
                Arg::new("methods")
                    .long("methods")
                    .value_name("PATTERN,...")
                    .help("Measure these methods, such as com.acme.Parser::parse; default: methods with the annotation rjvm.test.Bench")
                    .action(ArgAction::Append),
            )
            .arg(
                Arg::new("filter")
                    .long("filter")
                    .value_name("TEXT")
                    .help("Run only benchmarks whose name contains TEXT"),
            )
            .arg(
                Arg::new("name")
                    .long("name")
                    .value_name("NAME")
                    .help("Name of the benchmark if it is a whole program; default: its main class"),
            )
            .arg(
                Arg::new("warmups")
                    .long("warmups")
                    .value_name("N")
                    .help("Call each method N times before measuring it; an annotation can override this")
                    .default_value("1")
                    .value_parser(value_parser!(u32)),
            )
            .next_help_heading("Baseline")
            .args(of_baseline())
            .next_help_heading("Runs")
            .args(of_runs())
            .arg(
                Arg::new("list")
                    .long("list")
                    .help("Print the names of the benchmarks instead of running them")
                    .action(ArgAction::SetTrue),
            )
            .arg(
                Arg::new("COMMAND")
                    .help_heading(None::<&'static str>)
                    .help("Options of the VM (such as -cp); to measure a whole program, also its main class or -jar file, and its arguments")
                    .num_args(1..)
                    .allow_hyphen_values(true)
                    .trailing_var_arg(true),
            ),
    )
    .after_help(
        "Each benchmark runs in its own VM, with --deterministic. rjvm counts all that it executes. The counts are the same in\n\
         every run, on every machine with the same JDK, under any load.\n\
         The baseline is a text file that you commit. With the profiles beside it (rjvm-bench.d for rjvm-bench.txt), rjvm\n\
         compares contexts too.\n\
         A benchmark without a limit has the limit '0% bytecodes': it must not grow. A limit like '<=12_031' is absolute, and\n\
         applies in addition.\n\n\
         Examples:\n\
         \x20 rjvm bench --save -cp target/classes:target/test-classes\n\
         \x20 rjvm bench --limit='0.5% bytecodes' --limit='0% objects' -o bench.md -cp target/classes:target/test-classes\n\
         \x20 rjvm bench --methods=com.acme.Parser::parseAll --limit='<=12_031' -cp target/classes\n\
         \x20 rjvm bench --name=startup -jar app.jar --version\n\
         \n\
         Exit codes: 0; 1 if a benchmark fails; 2 for an invalid command line; 3 if a limit is exceeded\n\
         See docs/testing.md",
    )
    .subcommand(merge_command())
    .subcommand(with_comparison(compare_command()))
}

/// `rjvm bench merge`
fn merge_command() -> Command {
    Command::new("merge")
        .about("Merges files of different benchmarks: the shards of a run")
        .arg(
            Arg::new("FILE")
                .help("Files that --save-as wrote")
                .required(true)
                .num_args(1..)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("into")
                .long("into")
                .value_name("FILE")
                .help("Write all benchmarks to this file")
                .required(true)
                .value_parser(value_parser!(PathBuf)),
        )
        .after_help("Example:\n  rjvm bench merge --into all.txt shard-1.txt shard-2.txt\n\nExit codes: 0; 1 if there is no result; 2 for an invalid command line")
}

/// `rjvm bench compare`
fn compare_command() -> Command {
    Command::new("compare")
        .about("Compares two files of benchmarks, without running anything")
        .arg(
            Arg::new("FILE")
                .help("The baseline, and a later file")
                .required(true)
                .num_args(2)
                .value_names(["BEFORE", "AFTER"])
                .value_parser(value_parser!(PathBuf)),
        )
}

/// Which of them are run, and how many at a time.
fn of_runs() -> Vec<Arg> {
    let jobs = Arg::new("jobs")
        .long("jobs")
        .value_name("N")
        .help("Number of VMs that run at the same time; default: one for each processor")
        .value_parser(value_parser!(u32).range(1..));
    vec![shard(), jobs, stdin_option()]
}

/// Where counts are stored, and what of them.
fn of_baseline() -> Vec<Arg> {
    vec![
        baseline(),
        Arg::new("save")
            .long("save")
            .help("Write the counts to the baseline; benchmarks that do not run keep their entries")
            .action(ArgAction::SetTrue),
        Arg::new("save-as")
            .long("save-as")
            .value_name("FILE")
            .help("Write the counts to another file, in the format of the baseline")
            .value_parser(value_parser!(PathBuf)),
        Arg::new("call-sites")
            .long("call-sites")
            .help("Distinguish contexts by call site")
            .action(ArgAction::SetTrue),
    ]
}

/// `--baseline=FILE`
pub fn baseline() -> Arg {
    Arg::new("baseline")
        .long("baseline")
        .value_name("FILE")
        .help("Compare with this file; default: rjvm-bench.txt, if it exists")
        .value_parser(value_parser!(PathBuf))
}

/// `--shard=i/n`
pub fn shard() -> Arg {
    Arg::new("shard")
        .long("shard")
        .value_name("I/N")
        .help("Run the I-th of N parts of the benchmarks")
        .value_parser(value_parser!(Shard))
}

/// Adds what says how results are compared and shown.
fn with_comparison(command: Command) -> Command {
    command
        .next_help_heading("Limits and reports")
        .arg(
            Arg::new("limit")
                .long("limit")
                .value_name("LIMIT")
                .help("Exit with code 3 if a count of any benchmark exceeds this limit (for the syntax, see rjvm profile diff --help); may be repeated")
                .action(ArgAction::Append)
                .value_parser(value_parser!(Gate)),
        )
        .arg(
            Arg::new("limits")
                .long("limits")
                .value_name("FILE")
                .help("Read limits from a file, one per line; limits after a line [PATTERN] apply to benchmarks with matching names")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("no-default-limit")
                .long("no-default-limit")
                .help("Do not apply the default limit '0% bytecodes' to benchmarks without a limit")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("rows")
                .long("rows")
                .value_name("N")
                .help("Number of methods and contexts to show per benchmark; 0 for all")
                .default_value("10")
                .value_parser(value_parser!(u32)),
        )
        .arg(
            Arg::new("full-paths")
                .long("full-paths")
                .help("Write all methods of each context, not only the first and last ones")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("json")
                .long("json")
                .help("Write JSON")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .help("Also write the results to a file: .txt, .json, .md (Markdown for a pull request), .xml (JUnit tests), .bencher.json (Bencher), .action.json (github-action-benchmark); may be repeated")
                .action(ArgAction::Append)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("flame-graphs")
                .long("flame-graphs")
                .value_name("FOLDER")
                .help("Write a differential flame graph of each benchmark that changed")
                .value_parser(value_parser!(PathBuf)),
        )
}

/// Runs the command; the exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    let result = match matches.subcommand() {
        Some(("merge", matches)) => merge(matches),
        Some((_, matches)) => compare_files(matches),
        None => bench(matches),
    };
    match result {
        Ok(code) => code,
        Err(ToolProblem::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(ToolProblem::Output(error)) => failed(&error.to_string()),
        Err(ToolProblem::Message(line)) => failed(&line),
    }
}

fn failed(message: &str) -> i32 {
    messages::error(&message);
    1
}

fn bench(matches: &ArgMatches) -> Result<i32, ToolProblem> {
    let words: Vec<String> = matches
        .get_many("COMMAND")
        .unwrap_or_default()
        .cloned()
        .collect();
    let patterns = patterns(matches)?;
    let plan = match runs::plan(&words, &patterns, matches.get_one::<String>("name")) {
        Ok(plan) => plan,
        Err(message) => {
            messages::error(&message);
            return Ok(WRONG_USE);
        }
    };
    let mut names = plan.names();
    if let Some(part) = matches.get_one::<String>("filter") {
        names.retain(|name| name.contains(part.as_str()));
    }
    let whole = names.len();
    if let Some(shard) = matches.get_one::<Shard>("shard") {
        names = shard.of(names);
    }
    if matches.get_flag("list") {
        let all: String = names.iter().map(|n| format!("{n}\n")).collect();
        io::stdout().write_all(all.as_bytes())?;
        return Ok(0);
    }
    if whole == 0 {
        return Err(ToolProblem::Message(
            "there are no benchmarks: no method has the annotation rjvm.test.Bench, and --methods names none"
                .into(),
        ));
    }
    let comparing = Comparing::of(matches)?;
    let given: Option<&PathBuf> = matches.get_one("baseline");
    let file = given.cloned().unwrap_or_else(|| PathBuf::from(BASELINE));
    let saves = matches.get_flag("save");
    let before = match file.exists() || (given.is_some() && !saves) {
        true => Some(store::read(&file)?),
        false => None,
    };
    let settings = settings(matches);
    let now = plan
        .run(&names, &settings)
        .map_err(|e| ToolProblem::Message(e.to_string()))?;
    let own = |name: &str| plan.limits(name);
    let mut found = comparing.compare(&now, before.as_ref(), &own)?;
    if names.len() < plan.names().len() {
        // the others were not to be run
        found.gone.clear();
    }
    let code = comparing.report(&found)?;
    if let Some(file) = matches.get_one::<PathBuf>("save-as") {
        store::write(file, &now)?;
    }
    if saves {
        save(&file, before, now, &found)?;
        return Ok(0);
    }
    if found.first {
        messages::note(&format_args!(
            "there is no baseline {} to compare with; create it with --save",
            file.display()
        ));
    }
    Ok(code)
}

/// How benchmarks are run.
fn settings(matches: &ArgMatches) -> runs::BenchSettings {
    runs::BenchSettings {
        warmups: *matches.get_one("warmups").expect("it has a default"),
        call_sites: matches.get_flag("call-sites"),
        jobs: matches.get_one::<u32>("jobs").map(|&n| n as usize),
        stdin: matches.get_one::<PathBuf>("stdin").cloned(),
    }
}

/// The methods that `--methods` asks for.
fn patterns(matches: &ArgMatches) -> Result<Vec<Pattern>, ToolProblem> {
    let mut patterns: Vec<Pattern> = Vec::new();
    for text in matches.get_many::<String>("methods").unwrap_or_default() {
        let list = Pattern::list(text);
        patterns.extend(list.map_err(|e| ToolProblem::Message(format!("--methods={text}: {e}")))?);
    }
    Ok(patterns)
}

/// Makes the new counts the baseline. Benchmarks that were not run stay in it.
fn save(
    file: &Path,
    before: Option<BenchmarkSet>,
    now: BenchmarkSet,
    found: &Comparison,
) -> Result<(), ToolProblem> {
    let mut all = before.unwrap_or_default();
    for name in &found.gone {
        all.all.remove(name);
    }
    all.jdk = now.jdk;
    all.all.extend(now.all);
    store::write(file, &all)
}

fn merge(matches: &ArgMatches) -> Result<i32, ToolProblem> {
    let mut all = BenchmarkSet::default();
    for file in matches.get_many::<PathBuf>("FILE").unwrap_or_default() {
        let set = store::read(file)?;
        let message =
            |e: record::JoinError| ToolProblem::Message(format!("{}: {e}", file.display()));
        // reported in the words of the texts
        all.record().join(set.record()).map_err(message)?;
        if all.jdk.is_empty() {
            all.jdk = set.jdk;
        }
        all.all.extend(set.all);
    }
    let into: &PathBuf = matches.get_one("into").expect("required");
    store::write(into, &all)?;
    Ok(0)
}

fn compare_files(matches: &ArgMatches) -> Result<i32, ToolProblem> {
    let files = matches.get_many::<PathBuf>("FILE").unwrap_or_default();
    let sets: Vec<BenchmarkSet> = files.map(|f| store::read(f)).collect::<Result<_, _>>()?;
    let [before, now] = &sets[..] else {
        return Err(ToolProblem::Message("expected two files".into()));
    };
    let comparing = Comparing::of(matches)?;
    let found = comparing.compare(now, Some(before), &|_| Ok(Vec::new()))?;
    comparing.report(&found)
}

/// How results are compared and shown.
struct Comparing {
    limits: limits::BenchLimits,
    rows: usize,
    full_paths: bool,
    json: bool,
    files: Vec<PathBuf>,
    flames: Option<PathBuf>,
}

impl Comparing {
    fn of(matches: &ArgMatches) -> Result<Comparing, ToolProblem> {
        let files: Vec<PathBuf> = matches
            .get_many("output")
            .unwrap_or_default()
            .cloned()
            .collect();
        for file in &files {
            report::writer(file)?;
        }
        Ok(Comparing {
            limits: limits::BenchLimits::of(matches)?,
            rows: match *matches.get_one::<u32>("rows").expect("it has a default") {
                0 => usize::MAX,
                n => n as usize,
            },
            full_paths: matches.get_flag("full-paths"),
            json: matches.get_flag("json"),
            files,
            flames: matches.get_one("flame-graphs").cloned(),
        })
    }

    /// Compares; `own` are the limits that benchmarks have themselves.
    fn compare(
        &self,
        now: &BenchmarkSet,
        before: Option<&BenchmarkSet>,
        own: &dyn Fn(&str) -> Result<Vec<Gate>, BenchError>,
    ) -> Result<Comparison, ToolProblem> {
        let mut limits = std::collections::BTreeMap::new();
        for name in now.all.keys() {
            let own = own(name).map_err(|e| ToolProblem::Message(format!("{name}: {e}")))?;
            limits.insert(name.clone(), self.limits.of_benchmark(name, own));
        }
        let shown = DiffDisplay {
            by: "self",
            limit: self.rows,
            full_paths: self.full_paths,
        };
        let limits = |name: &str| limits.get(name).cloned().unwrap_or_default();
        compare::compare(now, before, limits, &shown)
    }

    /// Writes all requested output; returns the exit code.
    fn report(&self, found: &Comparison) -> Result<i32, ToolProblem> {
        for compared in &found.all {
            for note in compared.report.notes() {
                messages::note(&format_args!("{}: {note}", compared.name));
            }
        }
        let mut out = BufWriter::new(io::stdout().lock());
        match self.json {
            true => report::json(found).write(&mut out)?,
            false => report::text(found, &mut out)?,
        }
        out.flush()?;
        for file in &self.files {
            let write = report::writer(file)?;
            written(file, |out| write(found, out))?;
        }
        if let Some(folder) = &self.flames {
            let message = |e: io::Error| ToolProblem::Message(format!("{}: {e}", folder.display()));
            fs::create_dir_all(folder).map_err(message)?;
            for one in found.all.iter().filter(|c| c.contexts) {
                if !one.report.changed.is_empty() {
                    let file = folder.join(store::file_name(&one.name, "html"));
                    written(&file, |out| flame::write(&one.report, out))?;
                }
            }
        }
        Ok(if found.passed() { 0 } else { EXCEEDED })
    }
}

fn written(
    path: &Path,
    write: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> Result<(), ToolProblem> {
    let message = |e: io::Error| ToolProblem::Message(format!("{}: {e}", path.display()));
    let mut out = BufWriter::new(fs::File::create(path).map_err(message)?);
    write(&mut out).and_then(|()| out.flush()).map_err(message)
}
