//! The calls between two positions, with what each returned.

use rjvm_profiler::summary::grouped;
use rjvm_vm::instruments::{Hit, HitKind, MethodFilter, Point, Typed};
use rjvm_vm::{ThreadId, Value};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fmt::Write;

/// Calls that are listed at most.
const MOST: usize = 1000;
/// Calls that are under way at most, of those that are not listed any more.
const MOST_OPEN: usize = 1 << 16;
/// Characters of a string that are shown.
const MOST_TEXT: usize = 40;

/// Calls in the order in which they began.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CallList {
    pub calls: Vec<ListedCall>,
    /// Calls that began after so many.
    pub left_out: u64,
}

/// A call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListedCall {
    /// Its first bytecode.
    pub began: i64,
    /// The bytecode after its last one; none if it has not ended in time.
    pub ended: Option<i64>,
    pub thread: String,
    /// How many listed calls it is in.
    pub depth: usize,
    pub method: String,
    pub arguments: Vec<String>,
    /// `= 5`, `throws java.lang.Error`; empty if it has not ended in time, or returns nothing.
    pub result: String,
}

/// Notes on the way.
#[derive(Default)]
pub struct CallNotes {
    from: i64,
    list: CallList,
    /// Thread, height, and place in the list of those under way.
    open: Vec<(ThreadId, usize, Option<usize>)>,
}

/// Where calls begin and end: of the program, or also of the class library.
pub fn point(library: bool) -> Point {
    Point::Around(MethodFilter::of(move |m| {
        library || !m.class().is_library()
    }))
}

impl CallNotes {
    /// Calls that begin at a position or later.
    pub fn from(from: i64) -> CallNotes {
        CallNotes {
            from,
            ..CallNotes::default()
        }
    }
    /// Up to here.
    pub fn list(&self) -> CallList {
        self.list.clone()
    }
    /// A call begins, or ends.
    pub fn hit(&mut self, hit: &mut Hit<'_>) {
        let position = hit.bytecodes();
        if position < self.from {
            return;
        }
        let (thread, height) = (hit.thread(), hit.frame());
        if hit.kind() == HitKind::Entry {
            return self.begins(hit, position, thread, height);
        }
        // those above it were left in a way that is not reported
        while let Some(i) = self.open.iter().rposition(|o| o.0 == thread) {
            if self.open[i].1 < height {
                return;
            }
            let (_, at, listed) = self.open.remove(i);
            if at > height {
                continue;
            }
            if let Some(call) = listed.and_then(|i| self.list.calls.get_mut(i)) {
                call.ended = Some(position);
                let value = hit.value();
                call.result = match (hit.kind(), value) {
                    (HitKind::Throw, Some(exception)) => {
                        let thrown = exception.object().map(|r| hit.class_of(r));
                        let thrown = thrown.map(|c| hit.class_view(c).name());
                        format!("throws {}", thrown.unwrap_or_default())
                    }
                    (HitKind::Throw, None) => "throws".into(),
                    (_, Some(value)) => format!("= {}", text(hit, value)),
                    (_, None) => String::new(),
                };
            }
            return;
        }
    }
    fn begins(&mut self, hit: &mut Hit<'_>, began: i64, thread: ThreadId, height: usize) {
        let depth = self.open.iter().filter(|o| o.0 == thread).count();
        let listed = self.list.calls.len();
        let is_listed = listed < MOST;
        if self.open.len() < MOST_OPEN {
            self.open
                .push((thread, height, is_listed.then_some(listed)));
        }
        if !is_listed {
            self.list.left_out += 1;
            return;
        }
        let method = hit.method_view();
        let method = method.map(|m| format!("{}.{}", m.class().name(), m.name()));
        let arguments = (0..hit.arguments()).map(|n| {
            let value = hit.argument(n);
            value.map_or_else(|| "?".into(), |v| text(hit, v))
        });
        let arguments = arguments.collect();
        self.list.calls.push(ListedCall {
            began,
            ended: None,
            thread: hit.thread_name(),
            depth,
            method: method.unwrap_or_default(),
            arguments,
            result: String::new(),
        });
    }
}

/// A value as in Java's source; of an object its class.
fn text(hit: &Hit<'_>, typed: Typed) -> String {
    match (typed.letter, typed.value) {
        (b'Z', Value::Int(v)) => (v != 0).to_string(),
        (b'C', Value::Int(v)) => {
            let c = u32::try_from(v).ok().and_then(char::from_u32);
            format!("{:?}", c.unwrap_or(char::REPLACEMENT_CHARACTER))
        }
        (_, Value::Int(v)) => v.to_string(),
        (_, Value::Long(v)) => format!("{v}L"),
        (_, Value::Float(v)) => format!("{v:?}f"),
        (_, Value::Double(v)) => format!("{v:?}"),
        (_, Value::Void) => String::new(),
        (_, Value::Ref(r)) if r.is_null() => "null".into(),
        (_, Value::Ref(r)) => match hit.text(r, MOST_TEXT) {
            Some(text) => format!("{text:?}"),
            None => hit.class_view(hit.class_of(r)).name(),
        },
    }
}

impl CallList {
    /// A line for each.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for call in &self.calls {
            let line = format!(
                "{}  \"{}\"  {:indent$}{}({}) {}",
                grouped(call.began as u64),
                call.thread,
                "",
                call.method,
                call.arguments.join(", "),
                match call.ended {
                    Some(_) => &call.result,
                    None => "...",
                },
                indent = 2 * call.depth,
            );
            let _ = writeln!(out, "{}", line.trim_end());
        }
        if self.left_out > 0 {
            let _ = writeln!(out, "... {} more calls ...", grouped(self.left_out));
        }
        match out.is_empty() {
            true => "no method of the program was called\n".into(),
            false => out,
        }
    }
    /// The same as JSON.
    pub fn json(&self) -> String {
        let calls = self.calls.iter().map(|call| {
            json!({
                "bytecodes": call.began,
                "ended": call.ended,
                "thread": call.thread,
                "depth": call.depth,
                "method": call.method,
                "arguments": call.arguments,
                "result": call.result,
            })
        });
        let calls: Vec<_> = calls.collect();
        format!(
            "{:#}\n",
            json!({ "calls": calls, "left_out": self.left_out })
        )
    }
}
