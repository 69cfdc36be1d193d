//! Tables of the `-XX:` options in HotSpot's layout: `-XX:+PrintFlagsFinal` and others like it. What rjvm acts on has the
//! value that it has here.

use super::state::{FlagTable, OptionState};
use super::table::{OptionRow, Type};
use rjvm_jdk_stubs::com_sun_management::flag;
use rjvm_vm::vm::Options;
use std::fmt::Write;

/// The table, or the line of options.
pub fn text(table: FlagTable, state: &OptionState, options: &Options) -> String {
    let own = flag::of_options(options, state.version());
    let rows = state
        .flags()
        .product()
        .filter(|row| row.lock().is_none_or(|lock| state.is_on(lock)));
    let found = rows.map(|row| {
        let given = state.values.iter().rev().find(|v| v.name == row.name);
        let own = own.iter().find(|o| o.name == row.name);
        match (own, given) {
            (Some(own), Some(given)) if own.origin == "command line" => {
                (row, number(&row, &own.value), given.origin)
            }
            (Some(own), _) => (row, number(&row, &own.value), own.origin),
            (None, Some(given)) => (row, given.value.clone(), given.origin),
            (None, None) => (row, row.default.to_string(), "default"),
        }
    });
    let mut out = String::new();
    match table {
        FlagTable::Final | FlagTable::Initial => {
            out.push_str("[Global flags]\n");
            for (row, value, origin) in found {
                let (value, origin) = match table {
                    FlagTable::Initial => (row.default.into(), "default"),
                    _ => (value, origin),
                };
                let over = row.name.len().saturating_sub(39);
                let width = 30usize.saturating_sub(over);
                let _ = writeln!(
                    out,
                    "{:>9} {:<39}  = {value:<width$} {:>20} {{{origin}}}",
                    row.type_name,
                    row.name,
                    format!("{{{}}}", row.kind)
                );
            }
        }
        FlagTable::Ranges => {
            out.push_str("[Global flags ranges]\n");
            for (row, _, origin) in found {
                out.push_str(&range(&row, origin));
            }
        }
        FlagTable::CommandLine => {
            for (row, value, _) in found.filter(|f| f.2 != "default") {
                let _ = match (row.value, value.as_str()) {
                    (Type::Bool, "true") => write!(out, "-XX:+{} ", row.name),
                    (Type::Bool, _) => write!(out, "-XX:-{} ", row.name),
                    _ => write!(out, "-XX:{}={value} ", row.name),
                };
            }
            out.push('\n');
        }
    }
    out
}

/// A line of the table of ranges, if the option has one.
fn range(row: &OptionRow, origin: &str) -> String {
    let Some((least, most)) = row.range else {
        return String::new();
    };
    let bound = |text: &str| match text.parse::<f64>() {
        Ok(n) if row.value == Type::Double => format!("{n:.3}"),
        _ => text.to_string(),
    };
    let most = bound(most);
    // HotSpot's columns give way to a number that is too long for its own
    let width = if most.len() > 25 { 35 } else { 36 };
    format!(
        "{:>9} {:<50} [ {:<25} ... {most:>25} ] {:>width$} {{{origin}}}\n",
        row.type_name,
        row.name,
        bound(least),
        format!("{{{}}}", row.kind)
    )
}

/// A value as HotSpot writes one of this type.
fn number(row: &OptionRow, value: &str) -> String {
    match (row.value, value.parse::<i64>()) {
        (Type::Number { signed: false, .. }, Ok(n)) => (n as u64).to_string(),
        _ => value.into(),
    }
}
