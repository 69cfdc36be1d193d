//! Answers as text and as JSON.

use super::ask::{AnswerPart, Cause, OriginAnswer, Wrote};
use super::data::WriteSite;
use rjvm_profiler::summary::grouped;
use serde_json::{Value, json};
use std::fmt::Write;

/// Frames of the stack that are shown.
const MOST_FRAMES: usize = 8;

impl Wrote {
    fn word(self) -> &'static str {
        match self {
            Wrote::Written => "written",
            Wrote::Passed => "passed",
            Wrote::Returned => "returned",
            Wrote::Made => "made",
            Wrote::Copied => "copied",
            Wrote::Thrown => "thrown",
            Wrote::Pushed => "an operand",
        }
    }
}

/// `name = value`
fn assigned(name: &str, value: &str) -> String {
    match value.is_empty() {
        true => name.to_owned(),
        false => format!("{name} = {value}"),
    }
}

/// A site's bytecode, thread and place.
fn at(site: &WriteSite) -> String {
    let index = site.index.map_or(String::new(), |i| format!("{i}: "));
    format!(
        "{}  \"{}\"  {}  {index}{}",
        grouped(site.position as u64),
        site.thread_name,
        site.place,
        site.instruction
    )
}

/// An answer as text.
pub fn text(answer: &OriginAnswer) -> String {
    let mut out = String::new();
    let question = assigned(&answer.question.name, &answer.question.value);
    let _ = writeln!(out, "{question}");
    for (i, site) in answer.through.iter().enumerate() {
        // the way through the class library, without steps in the same method
        let same = |s: &WriteSite| s.frame.method == site.frame.method;
        if i == 0 || !same(&answer.through[i - 1]) {
            let _ = writeln!(
                out,
                "  through {}.{}",
                site.frame.method.class, site.frame.method.name
            );
        }
    }
    if let Some(site) = &answer.site {
        let _ = writeln!(out, "{} at {}", answer.wrote.word(), at(site));
        if let (Some(line), Some(text)) = (site.line, &site.source) {
            let _ = writeln!(out, "{line:<5} {text}");
        }
        let below = site.stack.iter().skip(1);
        for place in below.take(MOST_FRAMES) {
            let _ = writeln!(out, "  by {place}");
        }
        let more = site.stack.len().saturating_sub(1 + MOST_FRAMES);
        if more > 0 {
            let _ = writeln!(out, "  ... {more} more frames ...");
        }
    }
    let _ = match &answer.cause {
        Cause::Moved(part) => writeln!(out, "from {}", assigned(&part.name, &part.value)),
        Cause::End(text) => writeln!(out, "end: {text}"),
        Cause::Computed(text, parts) => {
            let _ = writeln!(out, "computed: {text}");
            for (i, part) in parts.iter().enumerate() {
                let _ = writeln!(out, "  #{}  {}", i + 1, assigned(&part.name, &part.value));
            }
            Ok(())
        }
    };
    out
}

fn site_json(site: &WriteSite) -> Value {
    json!({
        "bytecodes": site.position,
        "thread": site.thread_name,
        "class": site.frame.method.class,
        "method": site.frame.method.name,
        "descriptor": site.frame.method.descriptor,
        "index": site.index,
        "instruction": site.instruction,
        "file": site.file,
        "line": site.line,
        "source": site.source,
        "stack": site.stack,
    })
}

fn part_json(part: &AnswerPart) -> Value {
    json!({
        "expression": part.name,
        "value": part.value,
        "can_be_asked": part.question.is_some(),
    })
}

/// An answer as JSON.
pub fn json(answer: &OriginAnswer) -> Value {
    let cause = match &answer.cause {
        Cause::Moved(part) => json!({"kind": "moved", "from": part_json(part)}),
        Cause::Computed(text, parts) => {
            let parts: Vec<Value> = parts.iter().map(part_json).collect();
            json!({"kind": "computed", "expression": text, "operands": parts})
        }
        Cause::End(text) => json!({"kind": "end", "reason": text}),
    };
    json!({
        "expression": answer.question.name,
        "value": answer.question.value,
        "how": answer.wrote.word(),
        "site": answer.site.as_ref().map(site_json),
        "through": answer.through.iter().map(site_json).collect::<Vec<_>>(),
        "cause": cause,
    })
}
