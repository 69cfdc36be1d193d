//! `merge` adds profiles up, `convert` writes one in other formats, `overlap` says how alike two
//! are.

use super::Problem;
use super::classes::{self, Classes};
use super::input;
use super::json::Json;
use crate::sources::SourcePath;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, value_parser};
use rjvm_profiler::export::{self, FORMATS, Format, Listing, Settings, Sources};
use rjvm_profiler::{Comparison, OverlapBy, Profile};
use rjvm_vm::classpath::Search;
use std::io::Write;
use std::path::PathBuf;

fn with_output(command: Command) -> Command {
    let formats: Vec<&str> = FORMATS.iter().map(|f| f.extension).collect();
    command
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .help("Write to a file, in the format of its extension; may be repeated")
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
        .arg(classes::argument())
        .arg(input::lines())
        .arg(source_path())
        .group(
            ArgGroup::new("to")
                .args(["output", "format"])
                .multiple(true)
                .required(true),
        )
}

fn write(profile: &Profile, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Problem> {
    let files: Vec<&PathBuf> = matches.get_many("output").unwrap_or_default().collect();
    // A wrong name is reported before anything is written.
    for file in &files {
        export::by_path(file).map_err(|e| Problem::Said(e.to_string()))?;
    }
    let mut classes = Classes::open(matches)?;
    let mut code = Vec::new();
    if classes.any() {
        for method in &profile.methods {
            code.push(classes.code(method)?.and_then(crate::profile::layout));
        }
    }
    let sources = match shows_sources(&files, matches) {
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
        code: &code,
        listings: &listings,
        sources: sources.as_ref().map(|found| found as &dyn Sources),
        lines: matches.get_flag("lines"),
        ..Settings::default()
    };
    for file in &files {
        export::write_file_with(profile, &settings, file)
            .map_err(|e| Problem::Said(e.to_string()))?;
    }
    if let Some(format) = export::by_extension(input::chosen(matches, "format")) {
        (format.write)(profile, &settings, out)?;
    }
    Ok(())
}

/// Does any of the outputs show source text?
fn shows_sources(files: &[&PathBuf], matches: &ArgMatches) -> bool {
    let named = files.iter().filter_map(|file| export::by_path(file).ok());
    let chosen = export::by_extension(input::chosen(matches, "format"));
    named.chain(chosen).any(Format::shows_sources)
}

/// `--source-path=PATH`
pub fn source_path() -> Arg {
    Arg::new("source-path")
        .long("source-path")
        .value_name("PATH")
        .help("Directories, jars and zips with source files, beside the JDK's src.zip: for .html")
}

/// What `--source-path` names, and the JDK's sources.
pub fn all_sources(matches: &ArgMatches) -> Result<SourcePath, Problem> {
    let mut sources = match matches.get_one::<String>("source-path") {
        Some(path) => SourcePath::open(path)
            .map_err(|e| Problem::Said(format!("--source-path={path}: {e}")))?,
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
            .about("Add up profiles: counts of equal contexts, threads by number and name")
            .arg(input::files(1, None)),
    ))
}

/// Adds profiles up.
pub fn merge(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, Problem> {
    let profiles = input::profiles(matches)?;
    let all: Vec<&Profile> = profiles.iter().collect();
    let sum = Profile::merge(&all).map_err(|e| Problem::Said(e.to_string()))?;
    drop(profiles);
    write(&sum, matches, out)?;
    Ok(0)
}

/// The command line of `convert`.
pub fn convert_command() -> Command {
    input::with_view(with_output(
        Command::new("convert")
            .about("Write a profile, or a part of it, in other formats")
            .arg(input::files(1, Some(1))),
    ))
}

/// Writes a profile in other formats.
pub fn convert(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, Problem> {
    write(&input::one_profile(matches)?, matches, out)?;
    Ok(0)
}

/// The command line of `overlap`.
pub fn overlap_command() -> Command {
    input::with_view(
        Command::new("overlap")
            .about(
                "How much of the computation two profiles attribute in the same way: the overlap percentage \
                 of sampled and exact profiles",
            )
            .arg(input::files(2, Some(2)))
            .arg(
                input::choice("by", &["contexts", "context", "methods", "method"])
                    .hide_possible_values(true)
                    .value_name("contexts|methods")
                    .help("What is compared: full call stacks or methods; default: both"),
            )
            .arg(input::json()),
    )
}

/// Computes the overlap of two profiles.
pub fn overlap(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, Problem> {
    let profiles = input::profiles(matches)?;
    let [one, two] = &profiles[..] else {
        return Err(Problem::Said("two files are expected".into()));
    };
    let both = Comparison::new(one, two)?;
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
