//! `origin` in a session, and `rjvm origin`.

use super::ask::{Cause, OriginAnswer, answer, resolve};
use super::data::Watch;
use super::report;
use crate::travel::timeline::{Arrival, Timeline, TravelError};
use crate::travel::wire::{DebugStop, NumberedStop, StepKind, StepQuery, StopFilter};
use rjvm_profiler::summary::grouped;
use serde_json::json;

/// Questions of a chain at most.
const LONGEST: usize = 1000;

/// The last answer of a session, from which it can ask on.
#[derive(Default)]
pub struct OriginAsker {
    last: Option<OriginAnswer>,
}

/// What a command asks for.
struct OriginCommand {
    json: bool,
    /// How many questions, each for what the answer before it names.
    chain: usize,
    what: What,
}

enum What {
    Expression(String),
    /// What the last value was moved from.
    Cause,
    /// An operand of the last value, counted from 1.
    Operand(usize),
}

fn refused<T>(why: impl Into<String>) -> Result<T, TravelError> {
    Err(TravelError::Refused(why.into()))
}

fn read(text: &str) -> Result<OriginCommand, TravelError> {
    let mut command = OriginCommand {
        json: false,
        chain: 1,
        what: What::Cause,
    };
    let mut words = text.split_whitespace();
    let mut expression = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "--json" => command.json = true,
            "-n" => {
                let n = words.next().and_then(|n| n.parse().ok());
                match n.filter(|n| (1..=LONGEST).contains(n)) {
                    Some(n) => command.chain = n,
                    None => {
                        return refused(format!("origin -n: expected a number up to {LONGEST}"));
                    }
                }
            }
            other => expression.push(other),
        }
    }
    let expression = expression.join(" ");
    if let Some(n) = expression.strip_prefix('#') {
        match n.parse() {
            Ok(n) => command.what = What::Operand(n),
            Err(_) => return refused("origin: expected the number of an operand, such as #1"),
        }
    } else if !expression.is_empty() {
        command.what = What::Expression(expression);
    }
    Ok(command)
}

impl OriginAsker {
    /// Does a command; the text to show.
    pub fn command(&mut self, timeline: &mut Timeline, text: &str) -> Result<String, TravelError> {
        let command = read(text)?;
        let answers = self.answers(timeline, command.what, command.chain)?;
        Ok(match command.json {
            true => json(&answers),
            false => texts(&answers),
        })
    }
    fn answers(
        &mut self,
        timeline: &mut Timeline,
        what: What,
        chain: usize,
    ) -> Result<Vec<OriginAnswer>, TravelError> {
        let mut question = match what {
            What::Expression(text) => resolve(timeline, &text)?,
            What::Operand(n) => self.operand(n)?,
            What::Cause => self.cause()?,
        };
        let mut answers: Vec<OriginAnswer> = Vec::new();
        loop {
            let next = answer(timeline, &question)?;
            self.last = Some(next.clone());
            let cause = next.cause.clone();
            answers.push(next);
            match cause {
                Cause::Moved(part) if answers.len() < chain => match part.question {
                    Some(next) => question = next,
                    None => return Ok(answers),
                },
                _ => return Ok(answers),
            }
        }
    }
    fn last(&self) -> Result<&OriginAnswer, TravelError> {
        let none =
            || TravelError::Refused("origin: expected an expression, such as this.total".into());
        self.last.as_ref().ok_or_else(none)
    }
    fn cause(&self) -> Result<super::data::Question, TravelError> {
        match &self.last()?.cause {
            Cause::Moved(part) => match &part.question {
                Some(question) => Ok(question.clone()),
                None => refused(format!("origin: {} has no origin", part.name)),
            },
            Cause::End(text) => refused(format!("origin: the chain has ended: {text}")),
            Cause::Computed(text, parts) => match &parts[..] {
                [] => refused(format!("origin: {text} has constants only")),
                [part] if part.question.is_some() => self.operand(1),
                _ => refused(format!(
                    "origin: {text} has several operands; ask for origin #1 to #{}",
                    parts.len()
                )),
            },
        }
    }
    fn operand(&self, n: usize) -> Result<super::data::Question, TravelError> {
        let Cause::Computed(_, parts) = &self.last()?.cause else {
            return refused("origin: the last value has no operands");
        };
        let part = n.checked_sub(1).and_then(|i| parts.get(i));
        match part.map(|p| &p.question) {
            Some(Some(question)) => Ok(question.clone()),
            Some(None) => refused(format!("origin: operand #{n} has no origin")),
            None => refused(format!("origin: there is no operand #{n}")),
        }
    }
}

fn texts(answers: &[OriginAnswer]) -> String {
    let all: Vec<String> = answers.iter().map(report::text).collect();
    all.join("\n")
}

fn json(answers: &[OriginAnswer]) -> String {
    let steps: Vec<_> = answers.iter().map(report::json).collect();
    format!("{:#}\n", json!({ "steps": steps }))
}

/// The calls between two positions, `FROM..TO`; the text to show.
pub fn calls(timeline: &mut Timeline, text: &str) -> Result<String, TravelError> {
    const EXPECTED: &str =
        "calls: expected FROM..TO, two numbers of bytecodes, optionally with --library or --json";
    let (mut json, mut library, mut range) = (false, false, None);
    for word in text.split_whitespace() {
        match word {
            "--json" => json = true,
            "--library" => library = true,
            other => {
                let plain: String = other.chars().filter(|c| !matches!(c, ',' | '_')).collect();
                let ends = plain.split_once("..");
                let ends = ends.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
                range = ends.filter(|_| range.is_none());
                if range.is_none() {
                    return refused(EXPECTED);
                }
            }
        }
    }
    let Some((from, to)): Option<(i64, i64)> = range else {
        return refused(EXPECTED);
    };
    if from >= to || from < timeline.beginning() {
        let first = grouped(timeline.beginning() as u64);
        return refused(format!(
            "calls: FROM must be less than TO, and at least {first}"
        ));
    }
    let start = timeline.checkpoint_before(from + 1);
    let start = start.unwrap_or_else(|| timeline.beginning());
    let trail = timeline.watch(start, to, to, Watch::Calls { from, library })?;
    let list = trail.calls.unwrap_or_default();
    Ok(if json { list.json() } else { list.text() })
}

/// The place of a question.
pub enum OriginPlace {
    /// Where the first thread ends by an exception: at its throw. If none does, at the last bytecode of `main`.
    Usual,
    /// So many bytecodes of all threads.
    Position(i64),
    /// At the n-th arrival at a place, so many bytecodes after it.
    Arrival(Option<DebugStop>, u64, i64),
}

/// What `rjvm origin` asks.
pub struct OriginRequest {
    /// Where.
    pub place: OriginPlace,
    /// What.
    pub expression: String,
    /// How many questions.
    pub chain: usize,
    /// As JSON.
    pub json: bool,
}

/// Goes to the place, asks and prints.
///
/// # Errors
/// It cannot be answered.
pub fn run(mut timeline: Timeline, request: &OriginRequest) -> Result<String, TravelError> {
    timeline.silence();
    let answered = go(&mut timeline, &request.place).and_then(|()| {
        let what = What::Expression(request.expression.clone());
        OriginAsker::default().answers(&mut timeline, what, request.chain)
    });
    answered.map(|answers| match request.json {
        true => json(&answers),
        false => texts(&answers),
    })
}

fn go(timeline: &mut Timeline, place: &OriginPlace) -> Result<(), TravelError> {
    match place {
        OriginPlace::Position(n) => timeline.go_to(*n),
        OriginPlace::Arrival(stop, arrivals, after) => {
            if let Some(at) = stop {
                for n in 0..*arrivals {
                    if let Arrival::Edge = timeline.forward(&[only(at.clone())], None)? {
                        return refused(format!("the program ended after {n} arrivals there"));
                    }
                }
            }
            let position = timeline.position();
            timeline.go_to(position + after)
        }
        OriginPlace::Usual => usual(timeline),
    }
}

fn only(at: DebugStop) -> NumberedStop {
    NumberedStop {
        number: 1,
        text: String::new(),
        at,
        only: StopFilter::default(),
    }
}

fn usual(timeline: &mut Timeline) -> Result<(), TravelError> {
    let main = timeline.place()?.thread;
    match timeline.forward(&[only(DebugStop::Uncaught)], None)? {
        Arrival::Hit(_) => {
            let thread = timeline.place()?.thread.map(|t| t.id);
            loop {
                let stops = [only(DebugStop::Throw("java.lang.Throwable".into()))];
                if let Arrival::Edge = timeline.backward(&stops, None, 0)? {
                    return Ok(());
                }
                if timeline.place()?.thread.map(|t| t.id) == thread {
                    return Ok(());
                }
            }
        }
        Arrival::Edge | Arrival::Place => {
            let Some(main) = main else { return Ok(()) };
            let Some((height, method)) = main.frames.into_iter().next() else {
                return Ok(());
            };
            let step = StepQuery {
                thread: main.id,
                kind: StepKind::End { height, method },
            };
            // the bytecode that returns has been counted
            timeline.backward(&[], Some(step), 1)?;
            Ok(())
        }
    }
}
