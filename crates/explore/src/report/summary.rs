//! What an exploration came to, as text.

use crate::result::{FailingSchedule, FailureGroup, Outcome, RaceFound, Summary};
use std::fmt::Write;
use std::time::Duration;

/// The summary in lines that are `width` wide, the failures one after the other.
pub fn summary(summary: &Summary, took: Option<Duration>, width: usize) -> String {
    let mut out = String::new();
    let exploration = &summary.exploration;
    let _ = write!(
        out,
        "{}: {} by {}, {} of them different",
        exploration.program,
        plural(summary.schedules, "schedule"),
        exploration.strategy,
        summary.paths.len()
    );
    if let Some(took) = took {
        let seconds = took.as_secs_f64();
        let rate = (summary.schedules as f64 / seconds.max(1e-3)) as u64;
        let _ = write!(out, ", in {seconds:.1} s ({rate} a second)");
    }
    out += "\n";
    let points = summary.points;
    if let Some(average) = points.sum.checked_div(summary.schedules) {
        let _ = writeln!(
            out,
            "{}; {} to {} choices, {average} on average",
            plural(summary.threads.into(), "thread"),
            points.least,
            points.most
        );
    }
    if let Some(unseen) = summary.unseen().filter(|_| summary.failed() == 0) {
        let _ = writeln!(
            out,
            "a further schedule would be a new one with a probability of {}",
            percent(unseen)
        );
    }
    if summary.exhausted {
        out += "there are no more schedules\n";
    }
    if summary.redundant > 0 {
        let others = plural(summary.redundant, "schedule");
        let _ = writeln!(out, "{others} stopped as repetitions");
    }
    let missing: Vec<String> = summary.missing().iter().map(u32::to_string).collect();
    if !missing.is_empty() {
        let _ = writeln!(out, "missing parts: {}", missing.join(", "));
    }
    outputs(&mut out, summary);
    summary.races.iter().for_each(|r| race(&mut out, r));
    if !summary.library_races.is_empty() {
        let n = summary.library_races.len();
        let _ = writeln!(
            out,
            "{n} more in the class library's own code (--races=all shows them)"
        );
    }
    let kinds = summary.failures.len();
    let _ = match (summary.failed(), kinds) {
        (0, _) => writeln!(out, "no failure"),
        (1, _) => writeln!(out, "1 failure"),
        (n, 1) => writeln!(out, "{n} failures of one kind"),
        (n, kinds) => writeln!(out, "{n} failures of {kinds} kinds"),
    };
    for found in &summary.failures {
        failure(&mut out, found, width);
    }
    out
}

/// A failure that has just been found: how it ended, and the file of its schedule.
pub fn announced(outcome: &Outcome, shown: &FailingSchedule) -> String {
    let text = outcome.text();
    let replay = &shown.failure.replay;
    format!(
        "found: {}\nIts schedule, not minimized yet: {replay}\n\n",
        text.trim_end()
    )
}

/// The outputs of schedules, if they are not always the same.
fn outputs(out: &mut String, summary: &Summary) {
    if summary.outputs.len() < 2 {
        return;
    }
    let mut outputs: Vec<_> = summary.outputs.values().collect();
    outputs.sort_by_key(|o| o.number);
    let _ = writeln!(out, "{} different outputs:", outputs.len());
    let shown = outputs.iter().filter_map(|o| Some((o, o.text.as_ref()?)));
    let shown = shown.map(|(o, text)| {
        let text = text.trim_end();
        let first = text.lines().next().unwrap_or_default();
        let more = if first.len() < text.len() { " …" } else { "" };
        let _ = writeln!(out, "{:>7} × {first}{more}", o.count);
    });
    if shown.count() < outputs.len() {
        out.push_str("        and others\n");
    }
}

fn failure(out: &mut String, found: &FailureGroup, width: usize) {
    let times = match found.count {
        1 => String::new(),
        n => format!(", and {} more like it", n - 1),
    };
    let _ = writeln!(out, "\nschedule {}{times}:", found.number);
    match &found.shown {
        Some(shown) => out.push_str(&super::text(&shown.failure.abridged(), width)),
        None => out.push_str(&found.outcome.text()),
    }
}

fn race(out: &mut String, race: &RaceFound) {
    let _ = writeln!(
        out,
        "\ndata race on {} in {}, first in schedule {}",
        race.place,
        plural(race.count, "schedule"),
        race.number
    );
    for access in [&race.first, &race.second] {
        let verb = if access.write { "writes" } else { "reads" };
        let _ = writeln!(out, "  {} {verb} it", access.thread);
        for frame in &access.stack {
            let _ = writeln!(out, "    at {frame}");
        }
    }
}

/// A probability that is an estimate.
fn percent(share: f64) -> String {
    match share {
        s if s < 0.001 => "less than 0.1 %".into(),
        s if s < 0.1 => format!("about {:.1} %", 100.0 * s),
        s => format!("about {:.0} %", 100.0 * s),
    }
}

fn plural(n: u64, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
