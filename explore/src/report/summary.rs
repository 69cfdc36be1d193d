//! What an exploration came to, as text.

use crate::result::{RaceAccess, Summary};
use std::fmt::Write;

/// The summary in lines, the failures one after the other.
pub fn summary(summary: &Summary) -> String {
    let mut out = String::new();
    let schedules = plural(summary.schedules, "schedule");
    let _ = write!(out, "{schedules} by {}", summary.exploration.strategy);
    if summary.exhausted {
        out += ", and there are no others";
    }
    let failed: u64 = summary.failures.iter().map(|f| f.count).sum();
    let failed = failed + u64::from(!summary.different_outputs().is_empty());
    let _ = match failed {
        0 => writeln!(out, ": none fails"),
        1 => writeln!(out, ": 1 fails"),
        n => writeln!(out, ": {n} fail"),
    };
    if summary.redundant > 0 {
        let others = plural(summary.redundant, "schedule");
        let _ = writeln!(out, "{others} left off as repetitions");
    }
    let points = summary.points;
    if let Some(average) = points.sum.checked_div(summary.schedules) {
        let _ = writeln!(
            out,
            "scheduling points: {} to {}, {average} on average",
            points.least, points.most
        );
    }
    let missing = summary.missing();
    if !missing.is_empty() {
        let missing: Vec<String> = missing.iter().map(u32::to_string).collect();
        let _ = writeln!(out, "parts that are missing: {}", missing.join(", "));
    }
    for found in &summary.failures {
        let times = match found.count {
            1 => String::new(),
            n => format!(", and {} more like it", n - 1),
        };
        let _ = writeln!(out, "\nschedule {}{times}:", found.number);
        out += &found.outcome.text();
    }
    for (number, outcome) in summary.different_outputs() {
        let _ = writeln!(out, "\nschedule {number}:");
        out += &outcome.text();
    }
    for race in &summary.races {
        let _ = writeln!(
            out,
            "\ndata race on {} (schedule {}{}):",
            race.place,
            race.number,
            match race.count {
                1 => String::new(),
                n => format!(" and {} more", n - 1),
            }
        );
        access(&mut out, &race.first);
        access(&mut out, &race.second);
    }
    out
}

fn access(out: &mut String, access: &RaceAccess) {
    let verb = if access.write { "writes" } else { "reads" };
    let _ = writeln!(out, "{} {verb}", access.thread);
    for frame in &access.stack {
        let _ = writeln!(out, "    at {frame}");
    }
}

fn plural(n: u64, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
