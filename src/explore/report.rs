//! What an exploration found, as text for people.

use super::controller::TraceStep;
use super::session::{Failure, Found};
use rjvm_profiler::summary::grouped;
use std::fmt::Write;

/// Operations that are shown before and after a switch.
const AROUND: usize = 3;
/// Operations that are shown, at most: the last ones.
const ROWS: usize = 60;
/// Lines of details that are shown.
const DETAILS: usize = 40;

/// All of it. `files`: where the schedule of each failure was written.
pub fn text(found: &Found, program: &str, files: &[String]) -> String {
    let mut out = String::new();
    let seconds = found.took.as_secs_f64();
    let rate = (found.schedules as f64 / seconds.max(1e-3)) as u64;
    let (least, most, sum) = found.choices;
    let average = sum / found.schedules.max(1);
    let _ = writeln!(
        out,
        "{program}: {} schedules, {} of them different, in {seconds:.1} s ({} a second)",
        grouped(found.schedules),
        grouped(found.distinct),
        grouped(rate),
    );
    let _ = writeln!(
        out,
        "{} threads; {} to {} choices, {} on average",
        found.threads,
        grouped(least),
        grouped(most),
        grouped(average),
    );
    if found.exhausted {
        out += "there are no other schedules\n";
    }
    match found.failed {
        0 => out += "no failure\n",
        n if found.failures.len() > 1 => {
            let kinds = found.failures.len();
            let _ = writeln!(out, "{} failures, of {kinds} kinds", grouped(n));
        }
        _ => {}
    }
    for (i, f) in found.failures.iter().enumerate() {
        failure(&mut out, f, files.get(i));
    }
    out
}

fn failure(out: &mut String, f: &Failure, file: Option<&String>) {
    let ending = &f.told.ending;
    let _ = writeln!(out, "\nschedule {} fails: {}", f.number, ending.line());
    let details: Vec<&str> = ending.details().lines().collect();
    for line in details.iter().take(DETAILS) {
        let _ = writeln!(out, "  {line}");
    }
    if details.len() > DETAILS {
        let _ = writeln!(out, "  and {} more lines", details.len() - DETAILS);
    }
    if f.repeats {
        let needed = f.told.lines.len();
        let _ = writeln!(out, "{needed} of {} switches are needed", f.choices);
    } else if f.choices > 0 {
        out.push_str("run again, it did not fail in the same way\n");
    }
    steps(out, f);
    if let Some(file) = file {
        let _ = writeln!(out, "again: rjvm --replay={file}");
    }
}

/// Where the program is, rather than the class library.
fn frame(step: &TraceStep) -> Option<&(String, String, u32)> {
    const LIBRARY: [&str; 5] = ["java.", "javax.", "jdk.", "sun.", "com.sun."];
    let library = |name: &str| LIBRARY.iter().any(|p| name.starts_with(p));
    let own = step.frames.iter().find(|f| !library(&f.0));
    own.or(step.frames.first())
}

fn name(f: &Failure, thread: u32) -> String {
    let found = f.told.names.iter().find(|n| n.0 == thread);
    found.map_or_else(|| format!("thread {thread}"), |n| n.1.clone())
}

/// The operations around each switch. Of those that one line of the program does in the class library, the first and the
/// last ones stand for all.
fn steps(out: &mut String, f: &Failure) {
    let trace: Vec<&TraceStep> = f
        .told
        .trace
        .iter()
        .filter(|s| !s.frames.is_empty())
        .collect();
    let inside = |i: usize, j: usize| {
        trace[i].thread == trace[j].thread
            && frame(trace[i]) == frame(trace[j])
            && frame(trace[j]) != trace[j].frames.first()
    };
    let kept = |i: &usize| {
        let i = *i;
        i == 0 || i + 1 == trace.len() || !inside(i - 1, i) || !inside(i, i + 1)
    };
    let trace: Vec<&TraceStep> = (0..trace.len()).filter(kept).map(|i| trace[i]).collect();
    let near = |i: usize| {
        let mut around = i.saturating_sub(AROUND)..(i + AROUND).min(trace.len());
        let thread = trace[i].thread;
        around.any(|j| trace[j].thread != thread) || i + AROUND >= trace.len()
    };
    let shown: Vec<usize> = (0..trace.len()).filter(|&i| near(i)).collect();
    let shown = &shown[shown.len().saturating_sub(ROWS)..];
    let names = shown.iter().map(|&i| name(f, trace[i].thread));
    let width = names.map(|n| n.chars().count()).max().unwrap_or(0);
    let mut last: Option<usize> = None;
    for &i in shown {
        let step = &trace[i];
        let follows = last.is_none_or(|l| l + 1 == i);
        if !follows {
            let _ = writeln!(out, "  {:width$}  ...", "");
        }
        let same = last.is_some_and(|l| follows && trace[l].thread == step.thread);
        let who = match same {
            true => String::new(),
            false => name(f, step.thread),
        };
        last = Some(i);
        let place = match frame(step) {
            Some((method, file, line)) if *line > 0 => format!("{method} ({file}:{line})"),
            Some((method, ..)) => method.clone(),
            None => String::new(),
        };
        let mut what = step.op.clone();
        if !step.place.is_empty() {
            let _ = write!(what, " {}", step.place);
        }
        if !step.value.is_empty() {
            let _ = write!(what, " = {}", step.value);
        }
        let _ = writeln!(out, "  {who:width$}  {what:50}  {place}");
    }
}
