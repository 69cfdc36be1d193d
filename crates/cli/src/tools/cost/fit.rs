//! `rjvm profile fit`: a cost model's parameters from programs whose costs were measured.

use super::super::json::Json;
use super::super::show::TextTable;
use super::super::{ToolProblem, classes, input};
use super::{below, model, root, shapes};
use clap::{Arg, ArgMatches, Command, value_parser};
use rjvm_costs::{Fit, Observation, Parts, fit};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The command line.
pub fn command() -> Command {
    Command::new("fit")
        .about("Fits the parameters of a cost model to programs with measured costs")
        .arg(
            Arg::new("MEASURED")
                .help(
                    "Lines 'PROFILE<TAB>COST[<TAB>NAME[<TAB>CLASSES]]': a profile of --profile=blocks, the measured cost of the program in \
                     the model's unit, directories and jars with its classes, as in a class path; # begins a comment",
                )
                .required(true)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("model")
                .long("model")
                .value_name("MODEL")
                .help("The model to fit; the search begins at the values of its parameters")
                .required(true),
        )
        .arg(root())
        .arg(classes::argument())
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE.toml")
                .help("Write the model with the fitted parameters")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(input::json())
}

/// Runs the tool.
pub fn run(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let file: Option<&PathBuf> = matches.get_one("MEASURED");
    let file = file.ok_or_else(|| ToolProblem::Message("no file".into()))?;
    let model = model(input::chosen(matches, "model"))?;
    let message = |e: &dyn std::fmt::Display| ToolProblem::Message(e.to_string());
    let parts = Parts::of(&model).map_err(|e| message(&e))?;
    let mut observations = Vec::new();
    for MeasuredProgram {
        path,
        cost,
        name,
        classes,
    } in measured(file)?
    {
        let profile = below(input::profile(&path)?, &path, matches)?;
        let shapes = shapes(&profile, matches, &classes)?;
        let seen = Observation::of(&name, &profile, &shapes, &parts, cost);
        observations.push(seen.map_err(|e| message(&e))?);
    }
    let found = fit(&model, &observations).map_err(|e| message(&e))?;
    if let Some(file) = matches.get_one::<PathBuf>("output") {
        fs::write(file, model.text_with(&found.values))
            .map_err(|e| ToolProblem::Message(format!("{}: {e}", file.display())))?;
    }
    let names: Vec<&str> = model.parameters.iter().map(|p| &*p.name).collect();
    match matches.get_flag("json") {
        true => json(&found, &observations, &names, &model.unit).write(out)?,
        false => text(&found, &names, &model.unit, out)?,
    }
    Ok(0)
}

/// A program.
struct MeasuredProgram {
    /// Its profile.
    path: PathBuf,
    /// What it cost.
    cost: f64,
    name: String,
    /// Where its classes are.
    classes: Vec<PathBuf>,
}

/// The programs of a file.
fn measured(file: &Path) -> Result<Vec<MeasuredProgram>, ToolProblem> {
    let message = |line: usize, what: &str| {
        ToolProblem::Message(format!("{}:{}: {what}", file.display(), line + 1))
    };
    let text = fs::read_to_string(file)
        .map_err(|e| ToolProblem::Message(format!("{}: {e}", file.display())))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let columns: Vec<&str> = line.split('\t').collect();
        let (path, cost, name, classes) = match columns[..] {
            [path, cost] => (path, cost, path, ""),
            [path, cost, name] => (path, cost, name, ""),
            [path, cost, name, classes] => (path, cost, name, classes),
            _ => {
                let what = "expected PROFILE<TAB>COST[<TAB>NAME[<TAB>CLASSES]]";
                return Err(message(number, what));
            }
        };
        let cost = cost.trim().parse();
        let cost = cost.map_err(|_| message(number, "the second column is not a number"))?;
        all.push(MeasuredProgram {
            path: folder.join(path),
            cost,
            name: name.to_owned(),
            classes: std::env::split_paths(classes)
                .filter(|path| !path.as_os_str().is_empty())
                .collect(),
        });
    }
    Ok(all)
}

fn error(predicted: f64, measured: f64) -> f64 {
    (predicted / measured - 1.0) * 100.0
}

fn text(found: &Fit, names: &[&str], unit: &str, out: &mut dyn Write) -> Result<(), ToolProblem> {
    for (name, value) in names.iter().zip(&found.values) {
        writeln!(out, "{name:20} {value:>12.4} {unit}")?;
    }
    let headings = ["measured", "predicted", "error %", "left out", "error %"];
    let mut table = TextTable::new(&headings, "program");
    for p in &found.programs {
        let cells = [
            format!("{:.0}", p.measured),
            format!("{:.0}", p.predicted),
            format!("{:+.1}", error(p.predicted, p.measured)),
            format!("{:.0}", p.left_out),
            format!("{:+.1}", error(p.left_out, p.measured)),
        ];
        table.row(cells.into(), p.name.clone());
    }
    writeln!(out)?;
    table.write(out)?;
    writeln!(
        out,
        "\n{} programs; mean error {:.1} %, of programs left out {:.1} %",
        found.programs.len(),
        found.mean_error() * 100.0,
        found.mean_error_left_out() * 100.0
    )?;
    Ok(())
}

fn json(found: &Fit, seen: &[Observation], names: &[&str], unit: &str) -> Json {
    let parameters = names.iter().zip(&found.values).map(|(name, value)| {
        Json::Object(vec![
            ("name", Json::Text(name.to_string())),
            ("value", Json::Real(*value)),
        ])
    });
    let programs = found.programs.iter().zip(seen).map(|(p, seen)| {
        let parts = seen.parts.iter().map(|part| Json::Real(*part));
        Json::Object(vec![
            ("name", Json::Text(p.name.clone())),
            ("measured", Json::Real(p.measured)),
            ("predicted", Json::Real(p.predicted)),
            ("left_out", Json::Real(p.left_out)),
            ("fixed", Json::Real(seen.fixed)),
            ("parts", Json::List(parts.collect())),
        ])
    });
    Json::Object(vec![
        ("unit", unit.into()),
        ("parameters", Json::List(parameters.collect())),
        ("programs", Json::List(programs.collect())),
        ("mean_error", Json::Real(found.mean_error())),
        (
            "mean_error_left_out",
            Json::Real(found.mean_error_left_out()),
        ),
    ])
}
