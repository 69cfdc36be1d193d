//! `rjvm profile cost`: what a profiled run costs on other machines, by the models of [`rjvm_costs`]; and two models against
//! each other.

pub mod fit;
mod rows;

use super::classes::Classes;
use super::diff::{DiffDisplay, Report, write_file, writer};
use super::{ToolProblem, combine, input};
use crate::messages;
use clap::{Arg, ArgAction, ArgMatches, Command};
use rjvm_costs::{Costs, Model, SHIPPED, Shape, shipped, weigh};
use rjvm_profiler::{MethodInfo, Pattern, Profile};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The command line.
pub fn command() -> Command {
    let names: Vec<&str> = SHIPPED.iter().map(|model| model.0).collect();
    let command = Command::new("cost")
        .about("Estimates the cost of a run on other machines: a profile of --profile=blocks in the units of cost models")
        .arg(input::files(1, Some(1)))
        .arg(
            Arg::new("model")
                .long("model")
                .value_name("MODEL,...")
                .help(format!(
                    "Models: {}, or files .toml; MODEL:NAME=VALUE:... sets parameters; may be repeated",
                    names.join(", ")
                ))
                .required_unless_present("list-models")
                .action(ArgAction::Append),
        )
        .arg(
            Arg::new("list-models")
                .long("list-models")
                .help("List the models and their machines")
                .exclusive(true)
                .action(ArgAction::SetTrue),
        )
        .arg(root())
        .arg(
            input::choice("by", &["method", "context", "line"])
                .help("Rows of the table")
                .default_value("method"),
        )
        .arg(input::limit("20"))
        .arg(
            Arg::new("diff")
                .long("diff")
                .help(
                    "Compare two models: list methods with a greater share in the second model; -o writes .html \
                     (differential flame graph), .txt, .json, .md",
                )
                .action(ArgAction::SetTrue),
        )
        .arg(input::json());
    input::with_view(combine::with_output(command, false)).mut_arg("FILE", |file| {
        file.required(false).required_unless_present("list-models")
    })
}

/// `--root=PATTERN`
pub fn root() -> Arg {
    Arg::new("root")
        .long("root")
        .value_name("PATTERN,...")
        .help("Count only these methods and their callees, as in --include: a.B::main")
        .action(ArgAction::Append)
}

/// A model that was requested.
struct RequestedModel {
    /// As it was requested.
    label: String,
    model: Model,
}

/// A model's view of the profile.
struct WeighedProfile {
    label: String,
    unit: String,
    costs: Costs,
    profile: Profile,
}

/// Runs the tool.
pub fn run(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    if matches.get_flag("list-models") {
        for (name, text) in SHIPPED {
            let model =
                Model::parse(text, name, &[]).map_err(|e| ToolProblem::Message(e.to_string()))?;
            let parameters = model.parameters.iter();
            let parameters: Vec<String> = parameters
                .map(|p| format!("{}={}", p.name, p.value))
                .collect();
            writeln!(out, "{name} ({})", model.unit)?;
            for text in [&model.about, &model.source].into_iter().flatten() {
                writeln!(out, "    {text}")?;
            }
            if !parameters.is_empty() {
                writeln!(out, "    {}", parameters.join(" "))?;
            }
        }
        return Ok(0);
    }
    let requested = requested(matches)?;
    let outputs: Vec<&PathBuf> = matches.get_many("output").unwrap_or_default().collect();
    let diff = matches.get_flag("diff");
    if diff && requested.len() != 2 {
        return Err(ToolProblem::Message("--diff compares two models".into()));
    }
    if !diff && requested.len() > 1 && (!outputs.is_empty() || matches.contains_id("format")) {
        return Err(ToolProblem::Message(
            "a file has the costs of one model; --diff needs two".into(),
        ));
    }
    if diff {
        for file in &outputs {
            writer(file)?;
        }
    }
    let profile = profile(matches)?;
    let shapes = shapes(&profile, matches, &[])?;
    let executed = profile.totals().bytecodes;
    let mut all = Vec::new();
    let last = requested.len() - 1;
    let mut profile = Some(profile);
    for (i, requested) in requested.into_iter().enumerate() {
        let message = |e: &dyn std::fmt::Display| ToolProblem::Message(e.to_string());
        // only one that is still needed is copied
        let of = if i == last {
            profile.take()
        } else {
            profile.clone()
        };
        let of = of.unwrap_or_default();
        let (profile, costs) = weigh(of, &shapes, &requested.model).map_err(|e| message(&e))?;
        note(&requested.label, &costs, executed);
        all.push(WeighedProfile {
            profile: input::shown(profile, matches)?,
            label: requested.label,
            unit: requested.model.unit,
            costs,
        });
    }
    if diff {
        return compare(all, matches, &outputs, out);
    }
    match outputs.is_empty() && !matches.contains_id("format") {
        false => all
            .pop()
            .map_or(Ok(()), |one| combine::write(one.profile, matches, out))?,
        true => rows::write(&all, matches, out)?,
    }
    Ok(0)
}

/// The profile of the command line, or the part of it that is requested.
pub fn profile(matches: &ArgMatches) -> Result<Profile, ToolProblem> {
    let file: Option<&PathBuf> = matches.get_one("FILE");
    let file = file.ok_or_else(|| ToolProblem::Message("no file".into()))?;
    below(input::profile(file)?, file, matches)
}

/// What `--root` asks for.
pub fn below(profile: Profile, file: &Path, matches: &ArgMatches) -> Result<Profile, ToolProblem> {
    let mut patterns: Vec<Pattern> = Vec::new();
    for text in matches.get_many::<String>("root").unwrap_or_default() {
        let list = Pattern::list(text);
        patterns.extend(list.map_err(|e| ToolProblem::Message(format!("--root={text}: {e}")))?);
    }
    if patterns.is_empty() {
        return Ok(profile);
    }
    let wanted = |method: &MethodInfo| patterns.iter().any(|p| p.matches(method));
    if !profile.methods.iter().any(wanted) {
        let file = file.display();
        return Err(ToolProblem::Message(format!(
            "{file}: no method of --root was executed"
        )));
    }
    Ok(profile.within(wanted)?)
}

/// The code of a profile's methods, as far as it is found: from the JDK, unless `--classes` names one, from `--classes` and from
/// other places. The JDK goes first, as for class loaders: a jar may have other versions of its classes that did not run.
pub fn shapes(
    profile: &Profile,
    matches: &ArgMatches,
    places: &[PathBuf],
) -> Result<Vec<Option<Shape>>, ToolProblem> {
    let (mut classes, mut jdk) = (Classes::open(matches)?, Classes::default());
    for place in places {
        classes.add(place)?;
    }
    if !classes.has_jdk() {
        jdk.add_jdk();
    }
    let mut shape = |method: &MethodInfo| match jdk.shape(method)? {
        Some(shape) => Ok(Some(shape)),
        None => classes.shape(method),
    };
    profile.methods.iter().map(&mut shape).collect()
}

/// The models of the command line, with their parameters set.
fn requested(matches: &ArgMatches) -> Result<Vec<RequestedModel>, ToolProblem> {
    let all = matches.get_many::<String>("model").unwrap_or_default();
    let all = all.flat_map(|list| list.split(','));
    all.map(|label| {
        let (model, label) = (model(label)?, label.to_owned());
        Ok(RequestedModel { label, model })
    })
    .collect()
}

/// The model that `MODEL[:NAME=VALUE...]` asks for.
pub fn model(requested: &str) -> Result<Model, ToolProblem> {
    let mut parts = requested.split(':');
    let name = parts.next().unwrap_or("");
    let mut set = Vec::new();
    for part in parts {
        let value = part.split_once('=');
        let value = value.and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
        let Some(value) = value.filter(|value: &(String, f64)| value.1.is_finite()) else {
            let what = "expected NAME=NUMBER after the model's name";
            return Err(ToolProblem::Message(format!(
                "--model={requested}: '{part}': {what}"
            )));
        };
        set.push(value);
    }
    let read;
    let text = match shipped(name) {
        Some(text) => text,
        None if Path::new(name).extension().is_some_and(|e| e == "toml") => {
            read = fs::read_to_string(name)
                .map_err(|e| ToolProblem::Message(format!("{name}: {e}")))?;
            &read
        }
        None => {
            let names: Vec<&str> = SHIPPED.iter().map(|model| model.0).collect();
            return Err(ToolProblem::Message(format!(
                "--model={requested}: unknown model '{name}': the models are {}, and .toml files",
                names.join(", ")
            )));
        }
    };
    Model::parse(text, name, &set).map_err(|e| ToolProblem::Message(e.to_string()))
}

/// Says what a model had to leave open.
fn note(label: &str, costs: &Costs, total: u64) {
    if costs.unknown > 0 {
        let (methods, bytecodes) = (costs.unknown_methods, costs.unknown);
        messages::note(&format_args!(
            "{label}: the code of {methods} methods is unknown: {bytecodes} of {total} bytecodes get the average cost; name the classes with --classes"
        ));
    }
    if costs.no_allocations {
        messages::note(&format_args!(
            "{label}: the model has costs for allocations, but the profile has no allocations: record it with --allocations"
        ));
    }
}

/// Methods with a greater share of the whole by the second model than by the first.
fn compare(
    mut all: Vec<WeighedProfile>,
    matches: &ArgMatches,
    outputs: &[&PathBuf],
    out: &mut dyn Write,
) -> Result<i32, ToolProblem> {
    let (Some(target), Some(base)) = (all.pop(), all.pop()) else {
        return Ok(1);
    };
    let totals = [&base, &target].map(|w| w.profile.totals().bytecodes);
    // The second in the first one's unit, as if both had cost the same in all.
    let mut rest = 0u128;
    let (times, by) = (u128::from(totals[0]), u128::from(totals[1].max(1)));
    let mut scaled = |n: u64| {
        let sum = rest + u128::from(n) * times;
        rest = sum % by;
        u64::try_from(sum / by).unwrap_or(u64::MAX)
    };
    let threads = target.profile.threads.iter();
    let remainders: Vec<u64> = threads.map(|thread| thread.remainder).collect();
    let new = target
        .profile
        .weighed(|_, tree, node, _| scaled(tree.nodes()[node as usize].bytecodes));
    let mut new = new;
    for (thread, remainder) in new.threads.iter_mut().zip(remainders) {
        thread.remainder = scaled(remainder);
    }
    let shown = DiffDisplay {
        by: "self",
        limit: input::limited(matches),
        full_paths: false,
    };
    let mut report = Report::new(&base.profile, &new, &[], &shown)?;
    let (a, b) = (&base.label, &target.label);
    report.entitle(&format!("{a} | {b} in the same sum"), &base.unit);
    for file in outputs {
        write_file(&report, file)?;
    }
    match (outputs.is_empty(), matches.get_flag("json")) {
        (_, true) => report.json().write(out)?,
        (true, false) => report.text(out)?,
        (false, false) => {}
    }
    Ok(0)
}
