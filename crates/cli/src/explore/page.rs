//! A failure as the crate that shows failures knows it: who did what, in which line, and why another thread went on.

use super::schedule_result::ScheduleResult;
use super::session::FailedSchedule;
use super::settings::ExploreSettings;
use rjvm_explore::report::{self, Reason, ReportStep};
use rjvm_explore::result::Thread;
use rjvm_explorer::TraceStep;
use rjvm_profiler::export::Sources;
use std::collections::BTreeMap;

/// All of a failure. `replay` is the command that makes it fail again.
pub fn failure(
    f: &FailedSchedule,
    settings: &ExploreSettings,
    replay: String,
    sources: &dyn Sources,
) -> report::Failure {
    let steps = steps(f);
    report::Failure {
        outcome: f.data.outcome.clone(),
        replay,
        facts: facts(f, settings),
        threads: threads(&f.data),
        sources: lines(&steps, sources),
        steps,
        output: end_of(&f.data.printed.output),
        errors: end_of(&f.data.printed.errors),
    }
}

/// Lines of what a failing program has printed that are shown: the last ones.
const PRINTED: usize = 40;

fn end_of(printed: &[u8]) -> String {
    let text = String::from_utf8_lossy(printed);
    let left_out = text.lines().count().saturating_sub(PRINTED);
    let lines = text.lines().skip(left_out).map(|l| format!("{l}\n"));
    let shown: String = lines.collect();
    match left_out {
        0 => shown,
        n => format!("({n} lines more)\n{shown}"),
    }
}

fn facts(f: &FailedSchedule, settings: &ExploreSettings) -> Vec<(String, String)> {
    let mut facts = vec![
        ("strategy".into(), settings.method.to_string()),
        ("seed".into(), settings.seed.to_string()),
        ("schedule".into(), f.number.to_string()),
        ("points".into(), settings.points.to_string()),
    ];
    if f.repeats {
        let message = match f.is_shortest {
            true => format!("{} of {} are needed", f.needed, f.choices),
            false => format!(
                "{} of {} are left; the time limit is reached",
                f.needed, f.choices
            ),
        };
        facts.push(("choices that are not the default".into(), message));
    } else if f.choices > 0 {
        let message = "a second run did not fail in the same way".into();
        facts.push(("note".into(), message));
    }
    facts
}

fn threads(data: &ScheduleResult) -> Vec<Thread> {
    let thread = |(number, name): (&u32, &String)| Thread {
        number: *number,
        name: name.clone(),
    };
    data.names.iter().map(thread).collect()
}

/// Whether a method, or a line of a stack, is the class library's.
pub fn is_library(name: &str) -> bool {
    const LIBRARY: [&str; 5] = ["java.", "javax.", "jdk.", "sun.", "com.sun."];
    LIBRARY.iter().any(|p| name.starts_with(p))
}

/// The frame in the program, rather than in the class library.
fn frame(step: &TraceStep) -> Option<&(String, String, u32)> {
    let own = step.frames.iter().find(|f| !is_library(&f.0));
    own.or(step.frames.first())
}

/// The operations. Of those that one line of the program does in the class library, the first and the last ones represent all.
fn steps(f: &FailedSchedule) -> Vec<ReportStep> {
    let trace: Vec<&TraceStep> = (f.data.trace.iter())
        .filter(|s| !s.frames.is_empty())
        .collect();
    let inside = |i: usize, j: usize| {
        trace[i].thread == trace[j].thread
            && frame(trace[i]) == frame(trace[j])
            && frame(trace[j]) != trace[j].frames.first()
    };
    let kept =
        |&i: &usize| i == 0 || i + 1 == trace.len() || !inside(i - 1, i) || !inside(i, i + 1);
    let mut steps: Vec<ReportStep> = Vec::new();
    let mut last: Option<&TraceStep> = None;
    for i in (0..trace.len()).filter(kept) {
        let step = trace[i];
        let before = last.replace(step);
        let switch = before
            .filter(|b| b.thread != step.thread)
            .map(|b| reason(f, b, step));
        steps.push(shown(step, switch));
    }
    steps
}

fn reason(f: &FailedSchedule, before: &TraceStep, step: &TraceStep) -> Reason {
    let chosen = (before.at..=step.at).contains(&0)
        || f.data
            .lines
            .iter()
            .any(|l| (before.at..=step.at).contains(&l.at));
    match &before.op[..] {
        "ends" => Reason::Ended,
        "yields" => Reason::Yielded,
        "waits in" | "parks" | "sleeps" => Reason::Blocked,
        _ if chosen => Reason::Preempted,
        _ => Reason::Blocked,
    }
}

fn shown(step: &TraceStep, switch: Option<Reason>) -> ReportStep {
    let some = |s: &String| (!s.is_empty()).then(|| s.clone());
    let (method, file, line) = frame(step).cloned().unwrap_or_default();
    // in the folder of its package
    let class = method.rsplit_once('.').map_or("", |m| m.0);
    let folder = class
        .rsplit_once('.')
        .map_or(String::new(), |c| c.0.replace('.', "/") + "/");
    ReportStep {
        at: step.at,
        thread: step.thread,
        switch,
        method,
        file: some(&file).map(|f| folder + &f),
        line: (line > 0).then_some(line),
        action: step.op.clone(),
        place: some(&step.place),
        value: some(&step.value),
        older: 0,
        write: step.op.starts_with("writes") || step.op.starts_with("updates"),
    }
}

/// The lines of the program that the operations are in.
fn lines(steps: &[ReportStep], sources: &dyn Sources) -> BTreeMap<String, BTreeMap<u32, String>> {
    let mut found: BTreeMap<String, BTreeMap<u32, String>> = BTreeMap::new();
    for step in steps {
        if let (Some(file), Some(line)) = (&step.file, step.line) {
            found
                .entry(file.clone())
                .or_default()
                .insert(line, String::new());
        }
    }
    found.retain(|file, wanted| {
        let Some(text) = sources.text(file) else {
            return false;
        };
        for (i, line) in text.lines().enumerate() {
            if let Some(to) = wanted.get_mut(&(i as u32 + 1)) {
                *to = line.into();
            }
        }
        true
    });
    found
}
