//! A failure so that it can be understood: what each thread did, where another went on, with the lines of the program and the
//! values that were read and written. As text, as a page, as JSON.

mod html;
mod summary;
mod text;

pub use html::html;
pub use summary::{announced, summary};
pub use text::text;

use crate::result::{Outcome, Thread};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Operations that a text shows before and after a switch.
const AROUND: usize = 3;
/// Operations that a text shows, at most.
const ROWS: usize = 60;

/// A schedule that fails, and its run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// How it ended.
    pub outcome: Outcome,
    /// The command that makes it fail again.
    pub replay: String,
    /// Facts about how it was found, each a name and a value: `strategy`, `pos`.
    pub facts: Vec<(String, String)>,
    /// The threads of the program.
    pub threads: Vec<Thread>,
    /// What they did, in order.
    pub steps: Vec<ReportStep>,
    /// Lines of source files: for each file as [`ReportStep::file`] names it, those that are known by their numbers.
    pub sources: BTreeMap<String, BTreeMap<u32, String>>,
    /// What the program printed on its output, or the end of that.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// And on its error output.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub errors: String,
}

/// What a thread did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportStep {
    /// Bytecodes executed by all threads before, since the beginning of `main`.
    pub at: u64,
    /// The thread's number.
    pub thread: u32,
    /// Why it is this thread and not the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<Reason>,
    /// The class and the method.
    pub method: String,
    /// The source file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What it did, as a verb: `reads`, `writes`, `enters`.
    pub action: String,
    /// To what: `Counter.value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The value that was read or written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// For a read that does not see the newest store: how many newer ones there were.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub older: u32,
    /// Whether it stores.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub write: bool,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// Why another thread runs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The one before could have gone on: this is what makes the schedule.
    Preempted,
    /// The one before has to wait.
    Blocked,
    /// The one before gave way.
    Yielded,
    /// The one before has ended.
    Ended,
}

impl Reason {
    /// What happened to the thread before.
    fn verb(self) -> &'static str {
        match self {
            Reason::Preempted => "is interrupted",
            Reason::Blocked => "has to wait",
            Reason::Yielded => "gives way",
            Reason::Ended => "has ended",
        }
    }
}

impl Failure {
    /// As JSON.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        json.expect("all keys are strings or numbers") + "\n"
    }

    /// Reads what [`Failure::to_json`] writes.
    pub fn from_json(text: &str) -> serde_json::Result<Failure> {
        serde_json::from_str(text)
    }

    /// What a text shows of it: the operations around switches, and the last ones.
    pub(crate) fn abridged(&self) -> Failure {
        let steps = &self.steps;
        let near = |i: usize| {
            let mut around = i.saturating_sub(AROUND)..(i + AROUND).min(steps.len());
            let thread = steps[i].thread;
            around.any(|j| steps[j].thread != thread) || i + AROUND >= steps.len()
        };
        let mut shown: Vec<usize> = (0..steps.len()).filter(|&i| near(i)).collect();
        shown.drain(..shown.len().saturating_sub(ROWS));
        let mut facts = self.facts.clone();
        if shown.len() < steps.len() {
            let left_out = steps.len() - shown.len();
            let message = format!("{left_out} operations far from switches");
            facts.push(("left out".into(), message));
        }
        Failure {
            facts,
            steps: shown.iter().map(|&i| steps[i].clone()).collect(),
            ..self.clone()
        }
    }

    /// How often another thread takes over, and how often although the previous thread could have continued.
    fn switches(&self) -> (usize, usize) {
        let switches = self.steps.iter().filter_map(|s| s.switch);
        let preemptions = switches.clone().filter(|&r| r == Reason::Preempted);
        (switches.count(), preemptions.count())
    }

    /// The threads that do something, in order.
    fn acting(&self) -> Vec<&Thread> {
        let acts = |t: &&Thread| self.steps.iter().any(|s| s.thread == t.number);
        self.threads.iter().filter(acts).collect()
    }

    /// The text of a step's line.
    fn source(&self, step: &ReportStep) -> Option<&str> {
        let lines = self.sources.get(step.file.as_ref()?)?;
        lines.get(&step.line?).map(|l| l.trim())
    }

    /// The name of a thread.
    fn name(&self, number: u32) -> String {
        let known = self.threads.iter().find(|t| t.number == number);
        known.map_or_else(|| format!("thread {number}"), |t| format!("\"{}\"", t.name))
    }

    /// How many schedules' worth of switches, in words.
    fn switches_in_words(&self) -> String {
        let (all, preemptions) = self.switches();
        let plural = |n: usize, one: &str| match n {
            1 => format!("1 {one}"),
            n => format!("{n} {one}es"),
        };
        let forced = all - preemptions;
        match (preemptions, forced) {
            (0, 0) => "no switch".into(),
            (0, n) => format!("{}, where threads have to wait", plural(n, "switch")),
            (n, 0) => plural(n, "switch"),
            (n, m) => format!(
                "{}, and {m} where threads have to wait",
                plural(n, "switch")
            ),
        }
    }
}

impl ReportStep {
    /// What it did, in words.
    fn words(&self) -> String {
        let mut words = self.action.clone();
        if let Some(place) = &self.place {
            words += &format!(" {place}");
        }
        if let Some(value) = &self.value {
            words += &format!(" = {value}");
        }
        match self.older {
            0 => {}
            1 => words += " (not the newest store, the one before)",
            n => words += &format!(" ({n} newer stores are not seen)"),
        }
        words
    }

    /// Where it is, as in a stack trace.
    fn location(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => {
                let name = file.rsplit('/').next().unwrap_or(file);
                format!("{name}:{line}")
            }
            _ => self.method.clone(),
        }
    }
}

/// Steps of one thread without another between, and which of them are shown: those near its ends.
struct Turn<'a> {
    steps: &'a [ReportStep],
    /// How many are shown at the beginning; the rest is left out up to [`Turn::tail`].
    head: usize,
    /// From where on they are shown again.
    tail: usize,
}

/// Steps next to a switch that are shown.
const NEAR: usize = 4;

fn turns(steps: &[ReportStep]) -> impl Iterator<Item = Turn<'_>> {
    let parts = steps.chunk_by(|a, b| a.thread == b.thread && b.switch.is_none());
    parts.map(|steps| {
        // one line that says what is left out takes as much room as one step
        let whole = steps.len() <= 2 * NEAR + 1;
        Turn {
            steps,
            head: if whole { steps.len() } else { NEAR },
            tail: if whole {
                steps.len()
            } else {
                steps.len() - NEAR
            },
        }
    })
}
