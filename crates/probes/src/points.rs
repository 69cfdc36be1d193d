//! Reads points: `word:pattern…`, up to white space, `{` or a comma outside of parentheses.

use crate::lex::Lexer;
use crate::pattern::{ClassPattern, MemberPattern};
use crate::point::{Io, Monitor, Point};
use crate::source::{Span, SpannedMistake, meant};

/// The points with their forms, in the order of `rjvm --probe=help`.
pub const POINTS: [(&str, &str, &str); 20] = [
    ("BEGIN", "BEGIN", "before the program's first bytecode"),
    ("END", "END", "after its last bytecode"),
    ("entry", "entry:METHODS", "on entry to a method"),
    ("return", "return:METHODS", "before a method returns"),
    (
        "throw",
        "throw:METHODS",
        "when an exception leaves a method",
    ),
    (
        "around",
        "around:METHODS",
        "at each exit of a method: return and throw",
    ),
    (
        "call",
        "call:METHODS [in METHODS]",
        "before a call of a method (by methods of the second pattern)",
    ),
    (
        "block",
        "block:METHODS",
        "at the beginning of a basic block",
    ),
    (
        "line",
        "line:METHODS[:12[-20]]",
        "where a source line begins",
    ),
    (
        "bytecode",
        "bytecode:METHODS[:17[-20]]",
        "before the bytecode with this index",
    ),
    (
        "alloc",
        "alloc:CLASSES",
        "after the allocation of an object",
    ),
    ("read", "read:FIELDS", "before an instruction reads a field"),
    (
        "write",
        "write:FIELDS",
        "before an instruction writes a field",
    ),
    (
        "monitor",
        "monitor:enter|exit|contended|wait[:CLASSES]",
        "before a thread enters or leaves a monitor; after it had to wait for one; after Object.wait",
    ),
    (
        "thread",
        "thread:start|end",
        "when a thread starts another (the event is in the starting thread), or ends",
    ),
    ("class", "class:CLASSES", "after a class is defined"),
    ("gc", "gc:start|end", "before or after a collection"),
    (
        "exception",
        "exception:CLASSES",
        "when an exception is thrown",
    ),
    (
        "io",
        "io[:open|read|write|close|connect|accept]",
        "after a native has accessed a file or a connection",
    ),
    (
        "every",
        "every N bytecodes",
        "when all threads together have executed N more bytecodes",
    ),
];

/// The text of a point, up to what ends it.
fn word<'a>(lexer: &mut Lexer<'a>) -> (&'a str, Span) {
    let rest = lexer.rest();
    let mut depth = 0_u32;
    let mut end = rest.len();
    for (i, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '{' | '}' | '\n' => depth = 0,
            _ => {}
        }
        if depth == 0 && (c.is_whitespace() || matches!(c, ',' | '{' | '}')) {
            end = i;
            break;
        }
    }
    let start = lexer.at;
    lexer.at += end;
    (&rest[..end], lexer.span(start, lexer.at))
}

/// Reads a point.
pub fn point(lexer: &mut Lexer<'_>) -> Result<(Point, Span), SpannedMistake> {
    lexer.skip()?;
    let (text, span) = word(lexer);
    let (name, rest) = match text.split_once(':') {
        Some((name, rest)) => (name, Some(rest)),
        None => (text, None),
    };
    let name_span = Span {
        end: span.start + name.len() as u32,
        ..span
    };
    let rest_span = Span {
        start: (name_span.end + 1).min(span.end),
        ..span
    };
    let Some((_, shape, _)) = POINTS.iter().find(|(known, ..)| *known == name) else {
        let known = POINTS.iter().map(|(known, ..)| *known);
        return SpannedMistake::new(
            name_span,
            match name {
                "" => "expected a point, such as entry:Main::run".to_owned(),
                "exit" | "leave" => format!(
                    "unknown point '{name}': use around for both ways to leave a method, return or throw for one"
                ),
                _ => match meant(name, known) {
                    hint if hint.is_empty() => format!(
                        "unknown point '{name}'; points begin with entry:, return:, around:, call:, alloc: and so on"
                    ),
                    hint => format!("unknown point '{name}'{hint}"),
                },
            },
        );
    };
    let expected = |what: &str| format!("expected {what}: {shape}");
    let members = |text: &str, span: Span| {
        MemberPattern::parse(text).map_err(|e| {
            let mut message = e.to_string();
            if !text.contains('(') && text.contains('/') {
                message.push_str("; write a space before a predicate");
            }
            SpannedMistake { span, message }
        })
    };
    let methods = |text: Option<&str>| match text {
        Some(text) if !text.is_empty() => members(text, rest_span),
        _ => SpannedMistake::new(span, expected("a pattern")),
    };
    let classes = |text: Option<&str>, span: Span| match text {
        Some(text) if !text.is_empty() => ClassPattern::parse(text).map_err(|e| SpannedMistake {
            span,
            message: e.to_string(),
        }),
        _ => SpannedMistake::new(span, expected("a pattern of classes")),
    };
    let nothing = |point: Point| match rest {
        None => Ok(point),
        Some(_) => SpannedMistake::new(rest_span, format!("expected nothing after {name}")),
    };
    let fields = |text: Option<&str>| {
        let pattern = methods(text)?;
        match pattern.has_parameters() {
            true => SpannedMistake::new(rest_span, "fields have no parameters"),
            false => Ok(pattern),
        }
    };
    let point = match name {
        "BEGIN" => nothing(Point::Begin)?,
        "END" => nothing(Point::End)?,
        "entry" => Point::Entry(methods(rest)?),
        "return" => Point::Return(methods(rest)?),
        "throw" => Point::Throw(methods(rest)?),
        "around" => Point::Around(methods(rest)?),
        "call" => {
            let callee = methods(rest)?;
            return call(lexer, callee, span);
        }
        "block" => Point::Block(methods(rest)?),
        "line" | "bytecode" => {
            let (text, range) = range(rest.unwrap_or_default(), rest_span)?;
            let within = match text {
                "" => return SpannedMistake::new(span, expected("a pattern")),
                text => members(text, rest_span)?,
            };
            match name {
                "line" => Point::Line {
                    within,
                    lines: range,
                },
                _ => Point::Bytecode {
                    within,
                    indices: range,
                },
            }
        }
        "alloc" => Point::Alloc(classes(rest, rest_span)?),
        "class" => Point::Class(classes(rest, rest_span)?),
        "exception" => Point::Exception(classes(rest, rest_span)?),
        "read" => Point::Read(fields(rest)?),
        "write" => Point::Write(fields(rest)?),
        "monitor" => {
            let (what, pattern) = match rest.unwrap_or_default().split_once(':') {
                Some((what, pattern)) => (what, pattern),
                None => (rest.unwrap_or_default(), ".."),
            };
            let Some((monitor, _)) = Monitor::ALL.iter().find(|(_, known)| *known == what) else {
                let hint = meant(what, Monitor::ALL.iter().map(|(_, known)| *known));
                return SpannedMistake::new(
                    rest_span,
                    expected("enter, exit, contended or wait") + &hint,
                );
            };
            Point::Monitor(*monitor, classes(Some(pattern), rest_span)?)
        }
        "thread" | "gc" => {
            let start = match rest {
                Some("start") => true,
                Some("end") => false,
                _ => return SpannedMistake::new(rest_span, expected("start or end")),
            };
            match name {
                "gc" => Point::Gc(start),
                _ => Point::Thread(start),
            }
        }
        "io" => match rest {
            None => Point::Io(None),
            Some(what) => match Io::ALL.iter().find(|(_, known)| *known == what) {
                Some((io, _)) => Point::Io(Some(*io)),
                None => {
                    let hint = meant(what, Io::ALL.iter().map(|(_, known)| *known));
                    return SpannedMistake::new(
                        rest_span,
                        expected("open, read, write, close, connect or accept") + &hint,
                    );
                }
            },
        },
        _ => return every(lexer, span, rest.is_some()),
    };
    Ok((point, span))
}

/// `in METHODS` after a call.
fn call(
    lexer: &mut Lexer<'_>,
    callee: MemberPattern,
    span: Span,
) -> Result<(Point, Span), SpannedMistake> {
    lexer.skip()?;
    let mut within = None;
    let mut end = span;
    let after = lexer.rest().strip_prefix("in");
    if after.is_some_and(|after| after.starts_with(char::is_whitespace)) {
        lexer.at += 2;
        lexer.skip()?;
        let (text, at) = word(lexer);
        let pattern = MemberPattern::parse(text).map_err(|e| SpannedMistake {
            span: at,
            message: e.to_string(),
        })?;
        (within, end) = (Some(Box::new(pattern)), at);
    }
    Ok((Point::Call { callee, within }, span.to(end)))
}

/// `N bytecodes` after every.
fn every(lexer: &mut Lexer<'_>, span: Span, colon: bool) -> Result<(Point, Span), SpannedMistake> {
    let wrong = |span| {
        SpannedMistake::new(
            span,
            "expected a number of bytecodes: every 100000 bytecodes",
        )
    };
    if colon {
        return wrong(span);
    }
    lexer.skip()?;
    let (number, at) = word(lexer);
    let plain: String = number.chars().filter(|&c| c != '_').collect();
    let count = match plain.parse::<u64>() {
        Ok(n) if n >= 1 && i64::try_from(n).is_ok() => n,
        _ => return wrong(span.to(at)),
    };
    lexer.skip()?;
    let (unit, end) = word(lexer);
    match unit {
        "bytecodes" | "bytecode" => Ok((Point::Every(count), span.to(end))),
        _ => wrong(span.to(end)),
    }
}

/// A pattern without `:12` or `:12-20` at its end, and the range.
fn range(text: &str, span: Span) -> Result<(&str, (u16, u16)), SpannedMistake> {
    let all = (0, u16::MAX);
    let Some((pattern, range)) = text.rsplit_once(':') else {
        return Ok((text, all));
    };
    if pattern.ends_with(':') {
        return Ok((text, all));
    }
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok((pattern, (first, last))),
        _ => SpannedMistake::new(
            span,
            format!("'{range}' is not a number from 0 to 65535, or two as in 12-20"),
        ),
    }
}
