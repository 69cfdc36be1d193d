//! The file of a schedule: text, so that it can be reviewed, compared and kept beside a test.
//!
//! ```text
//! rjvm schedule 1
//! argument: -cp
//! argument: classes
//! argument: Main
//! seed: 7
//! number: 12
//! strategy: pos
//! points: memory
//! memory: jmm
//! jdk: 17.0.21+1
//! digest: 5f0e3ab1
//! failure: java.lang.AssertionError in thread 2
//!
//! at 1234 run 2
//! at 1260 read 1
//! at 1301/1 timeout 3
//! at 1320 notify 2
//! end 1344
//! ```
//!
//! A line that begins with `#` is a comment. Control characters and backslashes in the header are written as `\n`, `\\` and
//! `\u{…}`.

use crate::ThreadNo;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// The version of the format.
const VERSION: u32 = 1;
const FIRST: &str = "rjvm schedule ";

/// The program and settings of a schedule. A replay compares them with its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The command line's arguments that name the program to run.
    pub arguments: Vec<String>,
    /// The seed of the exploration.
    pub seed: u64,
    /// The number of the schedule.
    pub number: u64,
    /// The strategy that found it.
    pub strategy: String,
    /// Where the scheduling points are.
    pub points: String,
    /// The memory model.
    pub memory: String,
    /// What the program's random numbers are made from, beside what they are made from otherwise; 0: nothing.
    pub random: u64,
    /// Threads may be woken for no reason, as if their time were over.
    pub spurious: bool,
    /// The version of the JDK.
    pub jdk: String,
    /// Of all that decides what the program does.
    pub digest: String,
    /// The test that runs under it; empty if it is the program itself.
    pub test: String,
    /// The tests that had failed before it.
    pub failed: Vec<String>,
    /// What it ends in, in one line; empty if it does not fail.
    pub failure: String,
}

/// The action at a place of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// The thread continues.
    Run(ThreadNo),
    /// A read sees the store that is so many before the newest one it may see.
    Read(u32),
    /// The thread's time to wait has ended, and it continues.
    Timeout(ThreadNo),
    /// Of the threads that wait in a monitor, the one that began so many later than the first is notified.
    Notify(u32),
}

/// A place of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Bytecodes executed by all threads since the beginning of `main`.
    pub at: u64,
    /// Which operation at this number it is.
    pub nth: u32,
    /// The action.
    pub action: Action,
}

/// A schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// What it belongs to.
    pub header: Header,
    /// The actions, in order.
    pub lines: Vec<Line>,
    /// Bytecodes executed when it ended; `None` if it has not been run to an end.
    pub end: Option<u64>,
}

/// Why a text is not a schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ScheduleError {
    /// The line, counted from 1.
    pub line: usize,
    /// The problem.
    pub problem: ScheduleProblem,
}

/// The problem of a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScheduleProblem {
    /// The first line is another file's.
    #[error("a schedule must begin with \"{FIRST}{VERSION}\"")]
    NoSchedule,
    /// It was written by another version.
    #[error("unknown version {0:?} of schedules: expected {VERSION}")]
    Version(String),
    /// A backslash that begins no character.
    #[error("a backslash must be followed by \\, n or u{{…}}")]
    Backslash,
    /// There is more after `end`.
    #[error("text after the end")]
    AfterEnd,
    /// It is none of the kinds of lines.
    #[error("{0:?} is neither \"name: value\" nor \"at …\" nor \"end …\"")]
    Line(String),
    /// A member of the header among the places.
    #[error("{0:?} must be before the first \"at\"")]
    Late(String),
    /// A member of the header that was there already.
    #[error("{0:?} occurs twice")]
    Twice(String),
    /// No member of the header has this name.
    #[error("unknown name {0:?}")]
    Name(String),
    /// `spurious` has another value.
    #[error("{0:?} is not \"yes\" (spurious)")]
    NotYes(String),
    /// No action has this name.
    #[error("unknown action {0:?}; known: run, read, timeout, notify")]
    Action(String),
    /// A place without an action.
    #[error("the action is missing: run, read, timeout or notify")]
    NoAction,
    /// A place that comes before the one above it.
    #[error("{at} is before {above}, the line above")]
    Order {
        /// Its bytecodes.
        at: u64,
        /// Those of the place above.
        above: u64,
    },
    /// A number is missing.
    #[error("expected a number ({of})")]
    NoNumber {
        /// What it counts.
        of: &'static str,
    },
    /// A word that is not a number, or too large for one.
    #[error("{word:?} is not a number ({of})")]
    Number {
        /// The word.
        word: String,
        /// What it counts.
        of: &'static str,
    },
    /// A word too many.
    #[error("unexpected {0:?}")]
    Word(String),
}

impl Header {
    /// The members that are there once, by name, in the order in which they are written.
    fn texts(&mut self) -> [(&'static str, &mut String); 7] {
        [
            ("strategy", &mut self.strategy),
            ("points", &mut self.points),
            ("memory", &mut self.memory),
            ("jdk", &mut self.jdk),
            ("digest", &mut self.digest),
            ("test", &mut self.test),
            ("failure", &mut self.failure),
        ]
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Run(thread) => write!(f, "run {thread}"),
            Action::Read(k) => write!(f, "read {k}"),
            Action::Timeout(thread) => write!(f, "timeout {thread}"),
            Action::Notify(k) => write!(f, "notify {k}"),
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST}{VERSION}")?;
        for argument in &self.header.arguments {
            writeln!(f, "argument: {}", escaped(argument))?;
        }
        for test in &self.header.failed {
            writeln!(f, "failed: {}", escaped(test))?;
        }
        writeln!(f, "seed: {}", self.header.seed)?;
        writeln!(f, "number: {}", self.header.number)?;
        if self.header.random != 0 {
            writeln!(f, "random: {}", self.header.random)?;
        }
        if self.header.spurious {
            writeln!(f, "spurious: yes")?;
        }
        for (name, text) in self.header.clone().texts() {
            if !text.is_empty() {
                writeln!(f, "{name}: {}", escaped(text))?;
            }
        }
        writeln!(f)?;
        for line in &self.lines {
            match line.nth {
                0 => writeln!(f, "at {} {}", line.at, line.action)?,
                nth => writeln!(f, "at {}/{nth} {}", line.at, line.action)?,
            }
        }
        match self.end {
            Some(end) => writeln!(f, "end {end}"),
            None => Ok(()),
        }
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    let ends = |i: usize| i == 0 || i + 1 == text.len();
    for (i, c) in text.char_indices() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            // an editor may take away what is blank at the ends of a line
            c if c.is_control() || c.is_whitespace() && (c != ' ' || ends(i)) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

fn unescaped(text: &str) -> Result<String, ScheduleProblem> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('\\') {
            out.push('\\');
            rest = after;
        } else if let Some(after) = rest.strip_prefix('n') {
            out.push('\n');
            rest = after;
        } else {
            let code = rest.strip_prefix("u{").and_then(|r| r.split_once('}'));
            let number = code.and_then(|(hex, after)| {
                let c = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32)?;
                Some((c, after))
            });
            let Some((c, after)) = number else {
                return Err(ScheduleProblem::Backslash);
            };
            out.push(c);
            rest = after;
        }
    }
    out.push_str(rest);
    Ok(out)
}

impl Schedule {
    /// Reads what [`Display`](fmt::Display) writes.
    pub fn parse(text: &str) -> Result<Schedule, ScheduleError> {
        let mut schedule = Schedule::default();
        let mut reader = ScheduleReader::default();
        for (i, line) in text.lines().enumerate() {
            let read = match i {
                0 => version(line),
                _ => reader.line(line.trim(), &mut schedule),
            };
            read.map_err(|problem| ScheduleError {
                line: i + 1,
                problem,
            })?;
        }
        if text.lines().next().is_none() {
            return Err(ScheduleError {
                line: 1,
                problem: ScheduleProblem::NoSchedule,
            });
        }
        Ok(schedule)
    }
}

fn version(line: &str) -> Result<(), ScheduleProblem> {
    let Some(version) = line.trim_end().strip_prefix(FIRST) else {
        return Err(ScheduleProblem::NoSchedule);
    };
    if version.parse() == Ok(VERSION) {
        Ok(())
    } else {
        Err(ScheduleProblem::Version(version.into()))
    }
}

#[derive(Default)]
struct ScheduleReader {
    /// Names of the header that were read.
    seen: Vec<String>,
}

impl ScheduleReader {
    fn line(&mut self, line: &str, to: &mut Schedule) -> Result<(), ScheduleProblem> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if to.end.is_some() {
            return Err(ScheduleProblem::AfterEnd);
        }
        let mut words = line.split_whitespace();
        match words.next() {
            Some("at") => place(words, to),
            Some("end") => {
                let end = number(words.next(), "bytecodes")?;
                last(words)?;
                in_order(end, to)?;
                to.end = Some(end);
                Ok(())
            }
            _ => match line.split_once(':') {
                Some((name, value)) => self.member(name, value.trim(), to),
                None => Err(ScheduleProblem::Line(line.into())),
            },
        }
    }

    fn member(
        &mut self,
        name: &str,
        value: &str,
        to: &mut Schedule,
    ) -> Result<(), ScheduleProblem> {
        if !to.lines.is_empty() {
            return Err(ScheduleProblem::Late(name.into()));
        }
        let list = match name {
            "argument" => Some(&mut to.header.arguments),
            "failed" => Some(&mut to.header.failed),
            _ => None,
        };
        if let Some(list) = list {
            list.push(unescaped(value)?);
            return Ok(());
        }
        if self.seen.iter().any(|s| s == name) {
            return Err(ScheduleProblem::Twice(name.into()));
        }
        self.seen.push(name.into());
        match name {
            "seed" => to.header.seed = number(Some(value), "seed")?,
            "number" => to.header.number = number(Some(value), "number")?,
            "random" => to.header.random = number(Some(value), "random")?,
            "spurious" if value == "yes" => to.header.spurious = true,
            "spurious" => return Err(ScheduleProblem::NotYes(value.into())),
            _ => {
                let mut texts = to.header.texts().into_iter();
                let Some((_, text)) = texts.find(|(n, _)| *n == name) else {
                    return Err(ScheduleProblem::Name(name.into()));
                };
                *text = unescaped(value)?;
            }
        }
        Ok(())
    }
}

fn place<'a>(
    mut words: impl Iterator<Item = &'a str>,
    to: &mut Schedule,
) -> Result<(), ScheduleProblem> {
    let word = words.next();
    let (at, nth) = match word.and_then(|w| w.split_once('/')) {
        Some((at, nth)) => (
            number(Some(at), "bytecodes")?,
            number(Some(nth), "operation")?,
        ),
        None => (number(word, "bytecodes")?, 0),
    };
    in_order(at, to)?;
    let action = match words.next() {
        Some("run") => Action::Run(ThreadNo(number(words.next(), "thread")?)),
        Some("read") => Action::Read(number(words.next(), "store")?),
        Some("timeout") => Action::Timeout(ThreadNo(number(words.next(), "thread")?)),
        Some("notify") => Action::Notify(number(words.next(), "thread")?),
        Some(other) => return Err(ScheduleProblem::Action(other.into())),
        None => return Err(ScheduleProblem::NoAction),
    };
    last(words)?;
    to.lines.push(Line { at, nth, action });
    Ok(())
}

fn in_order(at: u64, to: &Schedule) -> Result<(), ScheduleProblem> {
    match to.lines.last() {
        Some(before) if before.at > at => Err(ScheduleProblem::Order {
            at,
            above: before.at,
        }),
        _ => Ok(()),
    }
}

fn number<T: std::str::FromStr>(
    word: Option<&str>,
    of: &'static str,
) -> Result<T, ScheduleProblem> {
    let Some(word) = word else {
        return Err(ScheduleProblem::NoNumber { of });
    };
    // `+5` is no number here
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    let parsed = word.parse().ok().filter(|_| digits);
    parsed.ok_or_else(|| ScheduleProblem::Number {
        word: word.into(),
        of,
    })
}

fn last<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<(), ScheduleProblem> {
    match words.next() {
        Some(more) => Err(ScheduleProblem::Word(more.into())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Schedule {
        let line = |at, action| Line {
            at,
            nth: at as u32 / 9,
            action,
        };
        Schedule {
            header: Header {
                arguments: vec!["-cp".into(), "a b\\c".into(), " x\n\t".into(), "".into()],
                seed: u64::MAX,
                number: 12,
                strategy: "pct:3".into(),
                points: "memory".into(),
                memory: "jmm".into(),
                random: 77,
                spurious: true,
                jdk: "17.0.21+1".into(),
                digest: "5f0e".into(),
                test: "com.acme.PoolTest::closes".into(),
                failed: vec!["com.acme.PoolTest::opens".into()],
                failure: "java.lang.AssertionError: Größe \u{1}".into(),
            },
            lines: vec![
                line(5, Action::Run(ThreadNo(2))),
                line(5, Action::Read(1)),
                line(9, Action::Timeout(ThreadNo(3))),
                line(9, Action::Notify(2)),
            ],
            end: Some(9),
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = sample().to_string();
        assert_eq!(Schedule::parse(&text), Ok(sample()));
        assert!(
            text.ends_with("\nat 5 run 2\nat 5 read 1\nat 9/1 timeout 3\nat 9/1 notify 2\nend 9\n")
        );
        assert!(text.contains("argument: \\u{20}x\\n\\u{9}\n"), "{text}");
        let dos = text.replace('\n', "\r\n");
        assert_eq!(Schedule::parse(&dos), Ok(sample()));
        let empty = Schedule::default();
        assert_eq!(Schedule::parse(&empty.to_string()), Ok(empty));
    }

    #[test]
    fn errors_say_where_and_what() {
        let cases = [
            ("", "line 1: a schedule must begin with \"rjvm schedule 1\""),
            (
                "x",
                "line 1: a schedule must begin with \"rjvm schedule 1\"",
            ),
            (
                "rjvm schedule 2",
                "line 1: unknown version \"2\" of schedules: expected 1",
            ),
            (
                "1\n\nat x run 1",
                "line 3: \"x\" is not a number (bytecodes)",
            ),
            ("1\nat", "line 2: expected a number (bytecodes)"),
            (
                "1\nat 1",
                "line 2: the action is missing: run, read, timeout or notify",
            ),
            (
                "1\nat 1 jump 2",
                "line 2: unknown action \"jump\"; known: run, read, timeout, notify",
            ),
            ("1\nat 1 run -2", "line 2: \"-2\" is not a number (thread)"),
            ("1\nat 1 run +2", "line 2: \"+2\" is not a number (thread)"),
            (
                "1\nat 1 run 4294967296",
                "line 2: \"4294967296\" is not a number (thread)",
            ),
            ("1\nat 1 run 1 2", "line 2: unexpected \"2\""),
            (
                "1\n# c\nat 7 run 1\nat 6 run 0",
                "line 4: 6 is before 7, the line above",
            ),
            ("1\nend 6\nat 7 run 1", "line 3: text after the end"),
            ("1\nseed: 1\nseed: 1", "line 3: \"seed\" occurs twice"),
            ("1\ncolour: red", "line 2: unknown name \"colour\""),
            (
                "1\nat 1 run 1\njdk: 17",
                "line 3: \"jdk\" must be before the first \"at\"",
            ),
            (
                "1\njdk: \\x",
                "line 2: a backslash must be followed by \\, n or u{…}",
            ),
            (
                "1\nhello",
                "line 2: \"hello\" is neither \"name: value\" nor \"at …\" nor \"end …\"",
            ),
        ];
        for (text, message) in cases {
            let text = match text.strip_prefix('1') {
                Some(rest) => format!("{FIRST}1{rest}"),
                None => text.into(),
            };
            let error = Schedule::parse(&text).unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        }
    }
}
