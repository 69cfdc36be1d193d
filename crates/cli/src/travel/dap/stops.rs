//! The stops of a client: in source files, at methods, of exceptions, before writes to fields.

use super::super::expressions;
use super::super::session::ReadPlace;
use super::super::wire::{ArrivalRule, DebugStop, NumberedStop, StopFilter};
use super::error::DapError;
use super::frames::DapRequest;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Stops of all kinds.
const MOST_STOPS: usize = 4096;
/// The class of all exceptions.
const ANY_EXCEPTION: &str = "java.lang.Throwable";

/// The kind of a stop, in the words of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    Line,
    Function,
    Data,
    Exception,
}

impl StopReason {
    /// The reason of the event `stopped`.
    pub fn text(self) -> &'static str {
        match self {
            StopReason::Line => "breakpoint",
            StopReason::Function => "function breakpoint",
            StopReason::Data => "data breakpoint",
            StopReason::Exception => "exception",
        }
    }
}

/// A stop of a client.
#[derive(Clone, Debug)]
pub struct DapStop {
    pub stop: NumberedStop,
    pub reason: StopReason,
    /// Whether it is known to be at code.
    verified: Verified,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Verified {
    Yes,
    /// No class of the file has been loaded.
    Pending,
    /// It never stops; why.
    Failed(String),
}

/// All stops of a client.
pub struct DapStops {
    next: u32,
    /// By the path of the source file.
    sources: BTreeMap<String, Vec<DapStop>>,
    functions: Vec<DapStop>,
    exceptions: Vec<DapStop>,
    data: Vec<DapStop>,
    read_place: ReadPlace,
}

/// A rule as it is written: `5`, `>= 5`, `% 5`.
fn arrival_rule(text: &str) -> Option<ArrivalRule> {
    let text = text.trim();
    let end = text.find(|c: char| c.is_ascii_digit())?;
    let (op, digits) = text.split_at(end);
    let n = digits.replace('_', "").parse::<u64>().ok()?;
    Some(match op.trim() {
        "" | "==" | "=" => ArrivalRule::Exactly(n),
        ">=" => ArrivalRule::From(n),
        ">" => ArrivalRule::After(n),
        "<" => ArrivalRule::Before(n),
        "<=" => ArrivalRule::UpTo(n),
        "%" if n > 0 => ArrivalRule::Every(n),
        _ => return None,
    })
}

fn member<'a>(of: &'a Value, name: &str) -> Option<&'a str> {
    of.get(name)?
        .as_str()
        .map(str::trim)
        .filter(|t| !t.is_empty())
}

/// The rules that a breakpoint of the protocol has.
fn filter(of: &Value) -> Result<StopFilter, DapError> {
    let condition = member(of, "condition").map(str::to_owned);
    if let Some(text) = &condition {
        expressions::read(text)?;
    }
    let number = match member(of, "hitCondition") {
        None => None,
        Some(text) => {
            let rule = arrival_rule(text);
            let wrong = || DapError::expected(text, "a number, or one after ==, >=, >, <=, < or %");
            Some(rule.ok_or_else(wrong)?)
        }
    };
    Ok(StopFilter {
        condition,
        number,
        log: member(of, "logMessage").map(str::to_owned),
        ..StopFilter::default()
    })
}

impl DapStop {
    fn body(&self, line: impl Fn(u16) -> i64) -> Value {
        let mut body = json!({"id": self.stop.number, "verified": self.verified == Verified::Yes});
        match &self.verified {
            Verified::Yes => {}
            Verified::Pending => {
                body["reason"] = "pending".into();
                body["message"] = "no class of this file has been loaded yet".into();
            }
            Verified::Failed(why) => {
                body["reason"] = "failed".into();
                body["message"] = why.as_str().into();
            }
        }
        if let DebugStop::Source(_, n) = self.stop.at {
            body["line"] = line(n).into();
        }
        body
    }
    /// Moves it to a line with code, if there is one; whether something is known now that was not before.
    fn verify(&mut self, lines: &[u16]) -> bool {
        let DebugStop::Source(_, line) = &mut self.stop.at else {
            return false;
        };
        if self.verified != Verified::Pending || lines.is_empty() {
            return false;
        }
        match lines.iter().find(|n| **n >= *line) {
            Some(&at) => (*line, self.verified) = (at, Verified::Yes),
            None => {
                let why = "there is no code at this line or after it";
                self.verified = Verified::Failed(why.into());
            }
        }
        true
    }
}

impl DapStops {
    pub fn new(read_place: ReadPlace) -> DapStops {
        DapStops {
            next: 1,
            sources: BTreeMap::new(),
            functions: Vec::new(),
            exceptions: Vec::new(),
            data: Vec::new(),
            read_place,
        }
    }
    fn each(&self) -> impl Iterator<Item = &DapStop> {
        let sources = self.sources.values().flatten();
        sources
            .chain(&self.functions)
            .chain(&self.exceptions)
            .chain(&self.data)
    }
    /// Those that the program can come to.
    pub fn all(&self) -> Vec<NumberedStop> {
        let able = self
            .each()
            .filter(|s| !matches!(s.verified, Verified::Failed(_)));
        able.map(|s| s.stop.clone()).collect()
    }
    /// The stops with these numbers.
    pub fn hit(&self, numbers: &[u32]) -> Vec<&DapStop> {
        let is = |s: &&DapStop| numbers.contains(&s.stop.number);
        self.each().filter(is).collect()
    }
    fn new_stop(
        &mut self,
        reason: StopReason,
        text: String,
        made: Result<(DebugStop, StopFilter), DapError>,
    ) -> DapStop {
        let number = self.next;
        self.next += 1;
        let pending = match reason {
            StopReason::Line => Verified::Pending,
            _ => Verified::Yes,
        };
        let (verified, at, only) = match made {
            Ok((at, only)) => (pending, at, only),
            Err(why) => (
                Verified::Failed(why.to_string()),
                DebugStop::Index(String::new(), 0),
                StopFilter::default(),
            ),
        };
        DapStop {
            stop: NumberedStop {
                number,
                text,
                at,
                only,
            },
            reason,
            verified,
        }
    }
    /// `setBreakpoints`: replaces those of a file. `lines` has the lines with code of loaded classes of a file.
    ///
    /// # Errors
    /// No file is named, or there are too many.
    pub fn set_lines(
        &mut self,
        request: &DapRequest,
        first_line: i64,
        lines: &[u16],
    ) -> Result<Value, DapError> {
        let path = source_path(request)?.to_owned();
        let given = request.list("breakpoints");
        let old: Vec<Value>;
        let given = match given.is_empty() {
            false => given,
            true => {
                let lines = request.list("lines").iter();
                old = lines.map(|line| json!({ "line": line })).collect();
                &old
            }
        };
        self.room(given.len())?;
        self.sources.remove(&path);
        let mut all = Vec::new();
        for breakpoint in given {
            let line = breakpoint.get("line").and_then(Value::as_i64);
            let line = line.map(|n| n + 1 - first_line);
            let line = line.and_then(|n| u16::try_from(n).ok()).filter(|&n| n > 0);
            let made = match line {
                Some(line) => {
                    filter(breakpoint).map(|only| (DebugStop::Source(path.clone(), line), only))
                }
                None => Err(DapError::Unfit("there is no such line")),
            };
            let text = format!("line {}", line.unwrap_or(0));
            let mut stop = self.new_stop(StopReason::Line, text, made);
            stop.verify(lines);
            all.push(stop);
        }
        let body = bodies(&all, |n| i64::from(n) - 1 + first_line);
        if !all.is_empty() {
            self.sources.insert(path, all);
        }
        Ok(body)
    }
    fn room(&self, more: usize) -> Result<(), DapError> {
        match self.each().count() + more > MOST_STOPS {
            true => Err(DapError::TooMany(MOST_STOPS, "breakpoints are possible")),
            false => Ok(()),
        }
    }
    /// The files whose stops wait for a class.
    pub fn pending(&self) -> Vec<String> {
        let waits = |s: &DapStop| s.verified == Verified::Pending;
        let files = { self.sources.iter() }.filter(|(_, all)| all.iter().any(waits));
        files.map(|(path, _)| path.clone()).collect()
    }
    /// The lines with code of a file are known now: the stops that have changed.
    pub fn verify(&mut self, path: &str, lines: &[u16], first_line: i64) -> Vec<Value> {
        let all = self.sources.get_mut(path).into_iter().flatten();
        let changed = all.filter_map(|s| s.verify(lines).then_some(&*s));
        changed
            .map(|s| s.body(|n| i64::from(n) - 1 + first_line))
            .collect()
    }
    /// `setFunctionBreakpoints`
    ///
    /// # Errors
    /// There are too many.
    pub fn set_functions(&mut self, request: &DapRequest) -> Result<Value, DapError> {
        self.functions.clear();
        self.room(request.list("breakpoints").len())?;
        for breakpoint in request.list("breakpoints") {
            let name = member(breakpoint, "name").unwrap_or_default().to_owned();
            let made = (self.read_place)(&name);
            let made = made
                .map_err(DapError::from)
                .and_then(|at| Ok((at, filter(breakpoint)?)));
            let stop = self.new_stop(StopReason::Function, name, made);
            self.functions.push(stop);
        }
        Ok(bodies(&self.functions, i64::from))
    }
    /// `setDataBreakpoints`
    ///
    /// # Errors
    /// There are too many.
    pub fn set_data(&mut self, request: &DapRequest) -> Result<Value, DapError> {
        self.data.clear();
        self.room(request.list("breakpoints").len())?;
        for breakpoint in request.list("breakpoints") {
            let field = member(breakpoint, "dataId").unwrap_or_default().to_owned();
            let access = member(breakpoint, "accessType").unwrap_or("write");
            let made = match access {
                _ if !is_member(&field) => Err(DapError::expected(&field, "Class.field")),
                "write" => filter(breakpoint).map(|only| (DebugStop::Write(field.clone()), only)),
                _ => Err(DapError::Unfit(
                    "a data breakpoint stops before writes only",
                )),
            };
            let stop = self.new_stop(StopReason::Data, field, made);
            self.data.push(stop);
        }
        Ok(bodies(&self.data, i64::from))
    }
    /// `setExceptionBreakpoints`
    ///
    /// # Errors
    /// A filter is unknown, or there are too many.
    pub fn set_exceptions(&mut self, request: &DapRequest) -> Result<Value, DapError> {
        self.exceptions.clear();
        let plain = request.list("filters").iter().map(|f| (f.as_str(), None));
        let options = request.list("filterOptions").iter();
        let options = options.map(|o| (member(o, "filterId"), member(o, "condition")));
        let all: Vec<_> = plain.chain(options).collect();
        self.room(all.len())?;
        let mut bodies = Vec::new();
        for (name, classes) in all {
            let caught = match name {
                Some("caught") => true,
                Some("uncaught") => false,
                _ => return Err(DapError::Unfit("expected the filters caught and uncaught")),
            };
            let classes = classes.unwrap_or(ANY_EXCEPTION).split(',').map(str::trim);
            let classes: Vec<&str> = classes.collect();
            self.room(classes.len())?;
            let mut first = None;
            for class in classes {
                let made = match super::super::session::is_name(class) {
                    true => Ok((
                        DebugStop::Throw(class.into()),
                        StopFilter {
                            caught: Some(caught),
                            ..StopFilter::default()
                        },
                    )),
                    false => Err(DapError::expected(
                        class,
                        "the name of a class of exceptions",
                    )),
                };
                let stop = self.new_stop(StopReason::Exception, class.into(), made);
                first.get_or_insert(stop.body(i64::from));
                self.exceptions.push(stop);
            }
            bodies.extend(first);
        }
        Ok(json!({ "breakpoints": bodies }))
    }
}

fn bodies(all: &[DapStop], line: impl Fn(u16) -> i64) -> Value {
    let all: Vec<Value> = all.iter().map(|s| s.body(&line)).collect();
    json!({ "breakpoints": all })
}

fn is_member(text: &str) -> bool {
    super::super::session::is_name(text) && text.contains('.')
}

/// The path of the file that a request names.
///
/// # Errors
/// It names none.
pub fn source_path(request: &DapRequest) -> Result<&str, DapError> {
    let source = request.arguments.get("source");
    let path = source.and_then(|s| member(s, "path").or_else(|| member(s, "name")));
    path.ok_or(DapError::Unfit("expected the path of a source file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_arrivals() {
        for (text, met) in [
            ("3", &[3][..]),
            ("== 3", &[3]),
            (">= 3", &[3, 4, 5, 6]),
            (">3", &[4, 5, 6]),
            ("<3", &[1, 2]),
            ("<= 3", &[1, 2, 3]),
            ("% 3", &[3, 6]),
        ] {
            let rule = arrival_rule(text).expect(text);
            let all: Vec<u64> = (1..=6).filter(|&n| rule.is_met(n)).collect();
            assert_eq!(all, met, "{text}");
        }
        for wrong in ["", "x", "% 0", "3x", "3 4", "!= 3", "-3"] {
            assert_eq!(arrival_rule(wrong), None, "{wrong}");
        }
    }
}
