//! `merge` adds profiles up, `convert` writes one in other formats, `overlap` says how alike two
//! are.

use super::ToolProblem;
use super::classes::{self, Classes};
use super::input;
use super::json::Json;
use crate::messages;
use crate::sources::SourcePath;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, value_parser};
use rjvm_profiler::export::{self, FORMATS, Listing, Output, Settings, Sources};
use rjvm_profiler::{Comparison, Limits, OverlapBy, Profile, Renumbered};
use rjvm_vm::classpath::Search;
use std::io::Write;
use std::path::PathBuf;

/// Adds the options that say where profiles are written; is one of `-o` and `-f` required?
pub fn with_output(command: Command, required: bool) -> Command {
    let formats: Vec<&str> = FORMATS.iter().map(|f| f.extension).collect();
    command
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("[FORMAT:]FILE")
                .help(
                    "Write to a file, in the format of its extension or the given format, or to standard output (-); \
                     may be repeated",
                )
                .action(ArgAction::Append)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("format")
                .short('f')
                .long("format")
                .help("Write to standard output in this format")
                .value_parser(formats),
        )
        .arg(
            Arg::new("min-percent")
                .long("min-percent")
                .value_name("P")
                .help("Group contexts with a total of less than P percent of the bytecodes by package; .flat leaves out methods with less")
                .value_parser(Limits::percentage),
        )
        .arg(
            Arg::new("max-nodes")
                .long("max-nodes")
                .value_name("N")
                .help(
                    "Write at most N contexts, those with the largest totals, and group the others \
                     by package; default: the number that readers of the format can handle",
                )
                .value_parser(value_parser!(u64).range(1..)),
        )
        .arg(
            Arg::new("no-prune")
                .long("no-prune")
                .help("Write all contexts, even if they are too many for readers of the format")
                .action(ArgAction::SetTrue),
        )
        .arg(label())
        .arg(classes::argument())
        .arg(input::lines())
        .arg(source_path())
        .group(
            ArgGroup::new("to")
                .args(["output", "format"])
                .multiple(true)
                .required(required),
        )
}

/// Writes a profile where the options say.
pub fn write(
    mut profile: Profile,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<(), ToolProblem> {
    profile.about.extend(labels(matches)?);
    let profile = &profile;
    // A wrong name is reported before anything is written.
    let mut outputs = Vec::new();
    for name in matches.get_many::<PathBuf>("output").unwrap_or_default() {
        outputs.push(Output::of(name).map_err(|e| ToolProblem::Message(e.to_string()))?);
    }
    if let Some(format) = export::by_extension(input::chosen(matches, "format")) {
        let path = "-".into();
        outputs.push(Output { format, path });
    }
    let mut classes = Classes::open(matches)?;
    let mut code = Vec::new();
    if classes.any() {
        for method in &profile.methods {
            code.push(classes.code(method)?.and_then(rjvm_run::profile::layout));
        }
    }
    let sources = match outputs.iter().any(|output| output.format.shows_sources()) {
        true => Some(all_sources(matches)?),
        false => None,
    };
    let mut listings = Vec::new();
    if sources.is_some() && profile.has_counts() {
        for (method, _) in export::costly(profile) {
            if let Some(instructions) = classes.instructions(&profile.methods[method as usize])? {
                listings.push(Listing {
                    method,
                    instructions,
                });
            }
        }
        listings.sort_by_key(|listing| listing.method);
    }
    let settings = Settings {
        events: None,
        known: None,
        code: &code,
        listings: &listings,
        least: matches.get_one("min-percent").copied().unwrap_or(0),
        most: matches.get_one("max-nodes").copied(),
        all: matches.get_flag("no-prune"),
        lines: matches.get_flag("lines"),
        sources: sources.as_ref().map(|found| found as &dyn Sources),
    };
    for output in &outputs {
        let pruned = match output.is_stdout() {
            true => output.format.write_pruned(profile, &settings, out)?,
            false => output
                .write(profile, &settings)
                .map_err(|e| ToolProblem::Message(e.to_string()))?,
        };
        if let Some(what) = pruned {
            messages::note(&format_args!(
                "{}: {}",
                output.name(),
                settings.reported(&what)
            ));
        }
    }
    Ok(())
}

/// `--label=NAME=VALUE`
pub fn label() -> Arg {
    Arg::new("label")
        .long("label")
        .value_name("NAME=VALUE")
        .help("Add a label to the file, such as commit=...; may be repeated")
        .action(ArgAction::Append)
}

/// Names and values of `--label`.
pub fn labels(matches: &ArgMatches) -> Result<Vec<(String, String)>, ToolProblem> {
    let labels = matches.get_many::<String>("label").unwrap_or_default();
    let label = |text: &String| match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !text.contains(char::is_control) => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err(ToolProblem::Message(format!(
            "--label={}: expected NAME=VALUE",
            text.escape_default()
        ))),
    };
    labels.map(label).collect()
}

/// `--source-path=PATH`
pub fn source_path() -> Arg {
    Arg::new("source-path")
        .long("source-path")
        .value_name("PATH")
        .help("For .html: directories, jars and zips with source files, in addition to the JDK's src.zip")
}

/// What `--source-path` names, and the JDK's sources.
pub fn all_sources(matches: &ArgMatches) -> Result<SourcePath, ToolProblem> {
    let mut sources = match matches.get_one::<String>("source-path") {
        Some(path) => SourcePath::open(path)
            .map_err(|e| ToolProblem::Message(format!("--source-path={path}: {e}")))?,
        None => SourcePath::default(),
    };
    if let Ok(jdk) = Search::usual(None, |name| std::env::var_os(name)).find() {
        sources.add_jdk(jdk.home());
    }
    Ok(sources)
}

/// The command line of `merge`.
pub fn merge_command() -> Command {
    input::with_view(with_output(
        Command::new("merge")
            .about("Adds up profiles: counts of equal contexts, threads by number and name")
            .arg(input::files(1, None)),
        true,
    ))
}

/// Adds profiles up.
pub fn merge(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let profiles = input::profiles(matches)?;
    let all: Vec<&Profile> = profiles.iter().collect();
    let sum = Profile::merge(&all).map_err(|e| ToolProblem::Message(e.to_string()))?;
    let renumbered = Renumbered::of(&all);
    for note in super::diff::numbered_notes(renumbered.methods.iter(), renumbered.by_number) {
        messages::note(&note);
    }
    drop(profiles);
    write(sum, matches, out)?;
    Ok(0)
}

/// The command line of `convert`.
pub fn convert_command() -> Command {
    input::with_view(with_output(
        Command::new("convert")
            .about("Writes a profile, or a part of it, in other formats")
            .arg(input::files(1, Some(1))),
        true,
    ))
}

/// Writes a profile in other formats.
pub fn convert(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    write(input::one_profile(matches)?, matches, out)?;
    Ok(0)
}

/// The command line of `overlap`.
pub fn overlap_command() -> Command {
    input::with_view(
        Command::new("overlap")
            .about(
                "Computes the share of the computation that two profiles attribute in the same way: the overlap percentage \
                 of sampled and exact profiles",
            )
            .arg(input::files(2, Some(2)))
            .arg(
                input::choice("by", &["contexts", "context", "methods", "method"])
                    .hide_possible_values(true)
                    .value_name("contexts|methods")
                    .help("Compare full call stacks, or methods; default: both"),
            )
            .arg(input::json()),
    )
}

/// Computes the overlap of two profiles.
pub fn overlap(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let profiles = input::profiles(matches)?;
    let [one, two] = &profiles[..] else {
        return Err(ToolProblem::Message("expected two files".into()));
    };
    let both = Comparison::new(one, two)?;
    for note in super::diff::numbered_notes(both.numbered.values(), both.by_number) {
        messages::note(&note);
    }
    let by = input::chosen(matches, "by");
    let kinds = [
        ("contexts", OverlapBy::Contexts),
        ("methods", OverlapBy::Methods),
    ];
    let results: Vec<(&'static str, f64)> = kinds
        .into_iter()
        .filter(|(name, _)| by.is_empty() || by == *name || name.strip_suffix('s') == Some(by))
        .map(|(name, kind)| (name, both.overlap(kind) * 100.0))
        .collect();
    if matches.get_flag("json") {
        let members = results.iter().map(|&(name, x)| (name, Json::Real(x)));
        Json::Object(members.collect()).write(out)?;
    } else {
        for (name, overlap) in results {
            writeln!(out, "{:10}{overlap:.2}%", format!("{name}:"))?;
        }
    }
    Ok(0)
}
