//! The common part of all tools: files, and options that select the shown part of a profile.

use super::ToolProblem;
use crate::messages;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use rjvm_profiler::{Filter, Part, Pattern, Profile, Threads, View};
use std::path::{Path, PathBuf};

/// The files a tool reads.
pub fn files(least: usize, most: Option<usize>) -> Arg {
    let range = match most {
        Some(most) => clap::builder::ValueRange::new(least..=most),
        None => clap::builder::ValueRange::new(least..),
    };
    Arg::new("FILE")
        .help("Profiles, as .rjp or .paths")
        .required(true)
        .num_args(range)
        .value_parser(value_parser!(PathBuf))
}

/// `--limit=N`: rows of a table.
pub fn limit(default: &'static str) -> Arg {
    Arg::new("limit")
        .long("limit")
        .value_name("N")
        .help("Number of rows of each table; 0 for all")
        .default_value(default)
        .value_parser(value_parser!(u32))
}

/// The value of [`limit`].
pub fn limited(matches: &ArgMatches) -> usize {
    match matches.get_one::<u32>("limit") {
        Some(&n) if n > 0 => n as usize,
        _ => usize::MAX,
    }
}

/// `--json`
pub fn json() -> Arg {
    Arg::new("json")
        .long("json")
        .help("Write JSON")
        .action(ArgAction::SetTrue)
}

/// `--lines`
pub fn lines() -> Arg {
    Arg::new("lines")
        .long("lines")
        .help("Show source files and lines also in .txt, .flat, .folded, .paths and .xml")
        .action(ArgAction::SetTrue)
}

/// An option with a choice of values.
pub fn choice(name: &'static str, values: &'static [&'static str]) -> Arg {
    Arg::new(name)
        .long(name)
        .value_parser(PossibleValuesParser::new(values))
}

/// A choice's value.
pub fn chosen<'a>(matches: &'a ArgMatches, name: &str) -> &'a str {
    matches
        .get_one::<String>(name)
        .map(String::as_str)
        .unwrap_or("")
}

/// Adds the options that select the shown part of a profile.
pub fn with_view(command: Command) -> Command {
    let patterns = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("PATTERN,...")
            .help(help)
            .action(ArgAction::Append)
            .help_heading("View")
    };
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .help(help)
            .action(ArgAction::SetTrue)
            .help_heading("View")
    };
    command
        .arg(
            choice("view", &["full", "app", "app-only"])
                .help(
                    "Show all methods (full), the application's methods with the class library's bytecodes folded \
                     into them (app), or the application's own bytecodes only (app-only)",
                )
                .help_heading("View"),
        )
        .arg(
            choice("natives", &["on", "off"])
                .help("Show native methods; default: on in the full view, off in the app views")
                .help_heading("View"),
        )
        .arg(
            choice("threads", &["merged", "name", "apart"])
                .help("Merge all threads (merged), threads of the same name (name), or none (apart, the default)")
                .help_heading("View"),
        )
        .arg(
            Arg::new("thread")
                .long("thread")
                .value_name("NAME,...")
                .help("Show only threads of these names: main, worker-*")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .help_heading("View"),
        )
        .arg(flag(
            "no-call-sites",
            "Do not distinguish contexts by call site",
        ))
        .arg(patterns(
            "include",
            "Show only methods of these classes: a.B, a.*, a.. (with subpackages), a.B::method",
        ))
        .arg(patterns(
            "exclude",
            "Fold methods of these classes into their callers",
        ))
        .arg(
            Arg::new("max-depth")
                .long("max-depth")
                .value_name("N")
                .help("Fold contexts deeper than N into their callers")
                .value_parser(value_parser!(u32).range(1..))
                .help_heading("View"),
        )
        .arg(flag(
            "fold-recursion",
            "Fold recursive cycles: no method occurs twice in a path",
        ))
        .arg(flag(
            "drop-hidden",
            "Drop the counts of folded contexts instead of adding them to the caller",
        ))
}

/// Reads the files, and shows of each what the options say.
pub fn profiles(matches: &ArgMatches) -> Result<Vec<Profile>, ToolProblem> {
    let files = matches.get_many::<PathBuf>("FILE").unwrap_or_default();
    let filter = filter(matches)?;
    let mut unmatched: Option<Vec<String>> = None;
    let mut all = Vec::new();
    for file in files {
        let profile = profile(file)?;
        let own = filter.unmatched(&profile.methods);
        // what one of them has is no mistake
        unmatched = Some(match unmatched {
            None => own,
            Some(before) => before.into_iter().filter(|n| own.contains(n)).collect(),
        });
        let there = profile.methods.iter().any(|m| m.app);
        if chosen(matches, "view").starts_with("app") && !there && !profile.methods.is_empty() {
            let view = chosen(matches, "view");
            messages::note(&format_args!(
                "{}: --view={view} shows nothing: no method of the application was executed",
                file.display()
            ));
        }
        all.push(shown(profile, matches)?);
    }
    for note in unmatched.into_iter().flatten() {
        messages::note(&note);
    }
    Ok(all)
}

/// Reads the one file, and shows what the options say.
pub fn one_profile(matches: &ArgMatches) -> Result<Profile, ToolProblem> {
    let profile = profiles(matches)?.pop();
    profile.ok_or_else(|| ToolProblem::Message("no file".into()))
}

/// Reads a file.
pub fn profile(file: &Path) -> Result<Profile, ToolProblem> {
    Profile::read_file(file).map_err(|e| ToolProblem::Message(e.to_string()))
}

/// What the options say of a profile.
pub fn shown(mut profile: Profile, matches: &ArgMatches) -> Result<Profile, ToolProblem> {
    let part = match chosen(matches, "view") {
        "app" => Part::Application,
        "app-only" => Part::ApplicationOnly,
        _ => Part::All,
    };
    let view = View {
        part,
        natives: match chosen(matches, "natives") {
            "on" => true,
            "off" => false,
            _ => part == Part::All,
        },
        call_sites: !matches.get_flag("no-call-sites"),
        threads: match chosen(matches, "threads") {
            "merged" => Threads::Merged,
            "name" => Threads::ByName,
            _ => Threads::Apart,
        },
    };
    if let Some(names) = matches.get_many::<String>("thread") {
        let names: Vec<String> = names.cloned().collect();
        if profile.threads.iter().all(|t| t.name.is_none()) && !profile.threads.is_empty() {
            let text = "--thread: the profile does not have threads apart (--threads=apart, --threads=name)";
            return Err(ToolProblem::Message(text.into()));
        }
        profile = profile.only_threads(&names);
        if profile.threads.is_empty() {
            let names = names.join(",");
            messages::note(&format_args!("--thread={names} matches no thread"));
        }
    }
    let as_it_is = View {
        threads: Threads::Apart,
        ..View::default()
    };
    if view != as_it_is {
        profile = profile.into_view(&view)?;
    }
    let filter = filter(matches)?;
    if !filter.is_all() {
        profile = profile.filter(&filter)?;
    }
    Ok(profile)
}

/// The filter that the options say.
fn filter(matches: &ArgMatches) -> Result<Filter, ToolProblem> {
    let patterns = |name: &str| -> Result<Vec<Pattern>, ToolProblem> {
        let mut all = Vec::new();
        for text in matches.get_many::<String>(name).unwrap_or_default() {
            let list = Pattern::list(text);
            all.extend(list.map_err(|e| ToolProblem::Message(format!("--{name}={text}: {e}")))?);
        }
        Ok(all)
    };
    Ok(Filter {
        include: patterns("include")?,
        exclude: patterns("exclude")?,
        max_depth: matches.get_one::<u32>("max-depth").copied(),
        fold_recursion: matches.get_flag("fold-recursion"),
        drop_hidden: matches.get_flag("drop-hidden"),
    })
}

/// `n` of `total` as a percentage with two digits after the point; 0 of nothing.
pub fn percent(n: u64, total: u64) -> String {
    match total {
        0 => "0.00".into(),
        total => format!("{:.2}", n as f64 * 100.0 / total as f64),
    }
}
