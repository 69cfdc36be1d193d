//! The `-XX:` options: HotSpot's own of each version, by its rules and in its words. Few have an effect here.

mod error;
mod files;
mod intrinsics;
mod known;
mod print;
pub mod state;
mod table;

pub use files::options_file;
pub use print::text as print;
pub use state::{COMMAND_LINE, ENVIRONMENT, FlagTable};

use super::config::{Config, LaunchTask};
use super::jfr;
use super::option::OptionProblem;
use error::OptionError;
use known::{KNOWN, OptionKind};
use state::GivenOption;
use table::{OptionRow, Type};

/// What options decide wherever they are: HotSpot looks at these before all others.
pub fn first(c: &mut Config, words: &[&str]) {
    let home = |word: &&str| word.strip_prefix("--java-home=").map(Into::into);
    let named = words.iter().rev().find_map(home);
    c.xx.java_home = named.or_else(|| c.java_home.clone());
    let options = || words.iter().filter_map(|word| word.strip_prefix("-XX:"));
    let mut echo = false;
    for text in options() {
        match text {
            "+IgnoreUnrecognizedVMOptions" => c.ignore_unrecognized = true,
            "-IgnoreUnrecognizedVMOptions" => c.ignore_unrecognized = false,
            "+PrintVMOptions" => echo = true,
            "-PrintVMOptions" => echo = false,
            "+PrintFlagsInitial" => {
                c.task = LaunchTask::Flags;
                return;
            }
            _ => {
                if let Some(file) = text.strip_prefix("Flags=") {
                    c.xx.settings = Some(file.into());
                }
            }
        }
    }
    for text in options().filter(|_| echo) {
        c.xx.print(&format!("VM option '{text}'"));
    }
}

/// Reads the file of `-XX:Flags`, if there is one: before the options of the command line.
pub fn settings(c: &mut Config) -> Result<(), OptionProblem> {
    match c.xx.settings.take() {
        Some(file) => files::settings(c, &file),
        None => Ok(()),
    }
}

/// Takes what follows `-XX:`.
pub fn set(c: &mut Config, text: &str) -> Result<(), OptionProblem> {
    if let Some(done) = jfr::set(c, text) {
        return done;
    }
    if text.starts_with("Flags=") {
        return Ok(()); // it was read before
    }
    if let Some(problem) = special(text) {
        return Err(problem);
    }
    let origin = c.origin;
    match process(c, text, origin)? {
        true => Ok(()),
        false => Err(OptionProblem::Vm(String::new())),
    }
}

/// What HotSpot says in other words of a few options of the command line.
fn special(text: &str) -> Option<OptionProblem> {
    let (name, value) = text.split_once('=')?;
    let size = table::number(value);
    match name {
        "MaxHeapSize" if size.is_none() => Some(OptionProblem::Vm(format!(
            "Invalid maximum heap size: -XX:{text}"
        ))),
        "ReservedCodeCacheSize" if size.is_none() => Some(OptionProblem::Vm(format!(
            "Invalid maximum code cache size: -XX:{text}."
        ))),
        "ReservedCodeCacheSize" if size > Some(2 << 30) => Some(OptionProblem::Vm(format!(
            "Invalid ReservedCodeCacheSize={}M. Must be at most 2048M.",
            size.unwrap_or(0) >> 20
        ))),
        "InitialHeapSize" if size.is_some_and(|n| 0 < n && n < 1 << 20) => {
            Some(OptionProblem::Init("Too small initial heap".into()))
        }
        "NativeMemoryTracking" if !["off", "summary", "detail"].contains(&value) => {
            Some(OptionProblem::Vm(
                "Syntax error, expecting -XX:NativeMemoryTracking=[off|summary|detail]".into(),
            ))
        }
        _ => None,
    }
}

/// The one of `names` that is most like `name` as HotSpot sees it, if it is so much like it.
pub fn alike<'a>(name: &str, names: impl Iterator<Item = &'a str>, least: f64) -> Option<&'a str> {
    table::nearest_of(name, names, least, |name| name)
}

/// A number of bytes as HotSpot reads it.
pub fn size(text: &str) -> Option<u64> {
    table::number(text)
}

/// One option, from wherever; whether it is taken. What is wrong with it is among the lines that are to be said.
///
/// # Errors
/// An option with an effect here refuses its value.
fn process(c: &mut Config, text: &str, origin: &'static str) -> Result<bool, OptionProblem> {
    let (sign, rest) = match text.as_bytes().first() {
        Some(b'+') => (Some(true), &text[1..]),
        Some(b'-') => (Some(false), &text[1..]),
        _ => (None, text),
    };
    // this one takes a colon too, as recordings do
    let common = "FlightRecorderOptions";
    let colon = rest.strip_prefix(common).and_then(|r| r.strip_prefix(':'));
    let colon = colon.filter(|value| !value.starts_with('='));
    let (given_name, value) = match rest.split_once('=') {
        _ if colon.is_some() => (common, colon),
        // a list begins again
        Some((name, value)) => (name.strip_suffix(':').unwrap_or(name), Some(value)),
        None => (rest, None),
    };
    let (name, warning) = c.xx.flags().real_name(given_name);
    // it is read as a switch, or with a value
    if let Some(warning) = warning.filter(|_| sign.is_some() != value.is_some()) {
        c.xx.warn(&warning);
    }
    let Some(row) = c.xx.flags().find(name) else {
        return Ok(unknown(c, rest, given_name, text));
    };
    let value = match value_of(c, &row, name, sign, value, rest) {
        Ok(Some(value)) => value,
        Ok(None) => return Ok(true),
        // what is said of it is said by the name that was given
        Err(_) if name != given_name => return Ok(unknown(c, rest, given_name, text)),
        Err(why) => {
            c.xx.say(&why.to_string());
            return Ok(text.starts_with('#'));
        }
    };
    effect(c, &row, text, &value)?;
    let before = c.xx.values.iter().rev().find(|v| v.name == row.name);
    let value = match (row.value, before) {
        (Type::Text { list: true }, Some(before))
            if !before.value.is_empty() && !text.contains(":=") =>
        {
            format!("{}\n{value}", before.value)
        }
        _ => value,
    };
    let name = row.name;
    c.xx.values.push(GivenOption {
        name,
        value,
        origin,
    });
    Ok(true)
}

/// The value of an option as HotSpot writes it; none if the option is passed over. An error is what is wrong.
fn value_of(
    c: &Config,
    row: &OptionRow,
    name: &str,
    sign: Option<bool>,
    value: Option<&str>,
    rest: &str,
) -> Result<Option<String>, OptionError> {
    if row.is_debug() {
        if c.ignore_unrecognized {
            return Ok(None);
        }
        return Err(OptionError::Debug(name.into(), row.kind));
    }
    if let Some(lock) = row.unlocked_by()
        && !c.xx.is_on(lock)
    {
        let kind = match lock {
            table::UNLOCK_DIAGNOSTIC => "diagnostic",
            _ => "experimental",
        };
        return Err(OptionError::Locked(name.into(), kind, lock));
    }
    let improper = || OptionError::Improper(rest.into());
    match (row.value, sign, value) {
        (Type::Bool, Some(on), None) => Ok(Some(on.to_string())),
        (Type::Bool, None, _) => Err(OptionError::NoSign(rest.into())),
        (Type::Bool, ..) | (_, None, None) => Err(improper()),
        (_, Some(_), _) => Err(OptionError::Sign(rest.into())),
        (_, None, Some(value)) => match row.read(value) {
            Ok(value) => Ok(Some(value)),
            Err(None) => Err(improper()),
            Err(Some(range)) => Err(OptionError::Range(range, rest.into())),
        },
    }
}

/// Does what the option asks for, or notes that it has no effect.
fn effect(c: &mut Config, row: &OptionRow, text: &str, value: &str) -> Result<(), OptionProblem> {
    let on = value == "true";
    let table = match row.name {
        "PrintFlagsFinal" => Some(FlagTable::Final),
        "PrintFlagsRanges" => Some(FlagTable::Ranges),
        "PrintCommandLineFlags" => Some(FlagTable::CommandLine),
        _ => None,
    };
    if let Some(table) = table {
        c.xx.tables.retain(|t| *t != table);
        c.xx.tables.extend(on.then_some(table));
        return Ok(());
    }
    if let Some((_, kind)) = KNOWN.iter().find(|k| k.0 == row.name) {
        c.vm.given.push(row.name.into());
        return match kind {
            OptionKind::Switch(f) => {
                f(c, on);
                Ok(())
            }
            OptionKind::Value(f) => f(c, &format!("-XX:{text}"), value),
        };
    }
    // Those of the options themselves.
    let quiet = [
        table::UNLOCK_DIAGNOSTIC,
        table::UNLOCK_EXPERIMENTAL,
        "PrintWarnings",
        "PrintVMOptions",
    ];
    // the collectors here bear the names of the serial one's
    if text == "+UseSerialGC" {
        c.vm.given.push("UseSerialGC".into());
    } else if !quiet.contains(&row.name) {
        c.notes.push(format!("-XX:{text} has no effect"));
    }
    Ok(())
}

/// Nobody knows this option; whether it is passed over.
fn unknown(c: &mut Config, rest: &str, name: &str, text: &str) -> bool {
    if let Some(since) = c.xx.flags().obsolete(name) {
        c.xx.warn(&format!(
            "Ignoring option {name}; support was removed in {since}"
        ));
        return true;
    }
    if c.ignore_unrecognized {
        return true;
    }
    c.xx.output
        .push_str(&format!("Unrecognized VM option '{rest}'\n"));
    if let Some(row) = c.xx.flags().nearest(name) {
        let meant = match row.value {
            Type::Bool | Type::Debug { switch: true } => format!("(+/-){}", row.name),
            _ => format!("{}=<value>", row.name),
        };
        // no line of its own, as on HotSpot
        c.xx.output.push_str(&format!("Did you mean '{meant}'? "));
    }
    text.starts_with('#')
}

/// Reports contradictions among all options.
pub fn check(c: &Config) -> Result<(), OptionProblem> {
    const COLLECTORS: [&str; 6] = [
        "UseSerialGC",
        "UseParallelGC",
        "UseG1GC",
        "UseZGC",
        "UseShenandoahGC",
        "UseEpsilonGC",
    ];
    // none of them is on by default, so the table need not be read at each start
    let chosen = COLLECTORS.iter().filter(|n| c.xx.given(n) == Some("true"));
    if chosen.count() > 1 {
        return Err(OptionProblem::Init(
            "Multiple garbage collectors selected".into(),
        ));
    }
    match &intrinsics::complaints(c)[..] {
        [] => {}
        complaints => return Err(OptionProblem::Vm(complaints.join("\n"))),
    }
    Ok(())
}
