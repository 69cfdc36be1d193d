//! A stopped VM as text for people. Values look as in Java's source, so that their types are seen; what is in an
//! object stands where it is first named.

use super::{Contents, Frame, Local, State, Thread, Value, Waiting};
use std::collections::HashSet;
use std::fmt::{self, Write};

/// Characters that a value may take on its line.
const WIDTH: usize = 96;

/// Writes the objects that a state shows.
struct Writer<'a> {
    state: &'a State,
    /// Numbers of the objects whose contents have been written.
    written: HashSet<usize>,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        let mut writer = Writer {
            state: self,
            written: HashSet::new(),
        };
        for (i, thread) in self.threads.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            writer.thread(thread, &mut out);
        }
        f.write_str(&out)
    }
}

impl State {
    /// The frames of a thread and what is in them, as [`State`]'s text has it.
    pub fn thread_text(&self, thread: &Thread) -> String {
        let mut out = String::new();
        let mut writer = Writer {
            state: self,
            written: HashSet::new(),
        };
        writer.thread(thread, &mut out);
        out
    }
    /// A value in one line. Objects within objects are named only.
    pub fn value_text(&self, value: Value) -> String {
        let mut writer = Writer {
            state: self,
            written: HashSet::new(),
        };
        writer.value(value, None)
    }
}

/// A number with its digits in groups of three.
pub(super) fn grouped(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut out = String::from(if n < 0 { "-" } else { "" });
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

impl Frame {
    /// `package.Class.method(File.java:12)`
    pub fn place(&self) -> String {
        let at = match (&self.file, self.line) {
            _ if self.native => "Native Method".to_owned(),
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.clone(),
            (None, _) => "Unknown Source".to_owned(),
        };
        format!("{}.{}({at})", self.class, self.method)
    }
    /// `next 14: iload_2`; what is under way is `in` it.
    pub fn bytecode(&self) -> String {
        let (Some(bci), Some(instruction)) = (self.bci, &self.instruction) else {
            return String::new();
        };
        let how = ["in", "next"][usize::from(self.next)];
        format!("{how} {bci}: {instruction}")
    }
}

impl Local {
    /// Its name, or its slot.
    pub fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("slot {}", self.slot))
    }
}

impl Waiting {
    fn line(&self, writer: &mut Writer<'_>) -> String {
        let mut line = self.what.clone();
        if let Some(object) = self.object {
            let _ = write!(line, " {}", writer.name(object));
        }
        if let Some(owner) = &self.owner {
            let _ = write!(line, ", which \"{owner}\" holds");
        }
        if let Some(until) = self.until {
            let (s, ns) = (until / 1_000_000_000, until % 1_000_000_000);
            let _ = write!(line, ", until {s}.{ns:09} s at most");
        }
        line
    }
}

impl Writer<'_> {
    fn thread(&mut self, t: &Thread, out: &mut String) {
        let _ = write!(out, "\"{}\"", t.name);
        if let Some(tid) = t.tid {
            let _ = write!(out, " #{tid}");
        }
        if t.daemon {
            out.push_str(" daemon");
        }
        let executed = grouped(t.executed);
        let _ = write!(out, ", {}, {executed} bytecodes", t.state);
        if t.current {
            out.push_str(", runs next");
        }
        out.push('\n');
        if let Some(waiting) = &t.waits_for {
            let _ = writeln!(out, "  {}", waiting.line(self));
        }
        if !t.holds.is_empty() {
            let held: Vec<String> = t.holds.iter().map(|v| self.name(*v)).collect();
            let _ = writeln!(out, "  holds the monitors of {}", held.join(", "));
        }
        let top = t.frames.len().div_ceil(2);
        for (i, frame) in t.frames.iter().enumerate() {
            if t.left_out > 0 && i == top {
                let _ = writeln!(out, "  ... {} more frames ...", grouped(t.left_out as i64));
            }
            self.frame(frame, out);
        }
    }
    fn frame(&mut self, frame: &Frame, out: &mut String) {
        let _ = writeln!(out, "  {}  {}", frame.place(), frame.bytecode());
        // a line without a bytecode ends with its place
        let end = out.trim_end().len();
        out.truncate(end);
        out.push('\n');
        if !frame.known {
            out.push_str("      (locals and operands are not kept)\n");
            return;
        }
        let (set, unset): (Vec<&Local>, Vec<&Local>) =
            frame.locals.iter().partition(|l| l.value != Value::Unset);
        let labels: Vec<String> = set.iter().map(|l| l.label()).collect();
        let mut width = labels.iter().map(|l| l.chars().count()).max().unwrap_or(0);
        if !frame.stack.is_empty() {
            width = width.max("operands".len());
        }
        for (local, label) in set.iter().zip(labels) {
            let value = self.value(local.value, Some(width + 8));
            let _ = writeln!(out, "      {label:<width$}  {value}");
        }
        if !unset.is_empty() {
            let slots: Vec<String> = unset.iter().map(|l| l.label()).collect();
            let _ = writeln!(out, "      not set: {}", slots.join(", "));
        }
        for (i, operand) in frame.stack.iter().enumerate() {
            let value = self.value(*operand, Some(width + 8));
            let label = if i == 0 { "operands" } else { "" };
            let _ = writeln!(out, "      {label:<width$}  {value}");
        }
        if let Some(locked) = frame.locked {
            let _ = writeln!(out, "      synchronized on {}", self.name(locked));
        }
    }
    /// `Class#3`, or a string.
    fn name(&mut self, value: Value) -> String {
        let Value::Object(n) = value else {
            return self.value(value, None);
        };
        let object = &self.state.objects[n - 1];
        let class = match object.length {
            Some(len) => object.class.replacen("[]", &format!("[{len}]"), 1),
            None => object.class.clone(),
        };
        match &object.contents {
            Contents::Text(text, whole) => string(text, *whole),
            Contents::Boxed(value) => {
                let value = self.value(*value, None);
                format!("{class}#{n} {{{value}}}")
            }
            Contents::Class(of) => format!("{class}#{n} {{{of}}}"),
            _ => format!("{class}#{n}"),
        }
    }
    /// A value. What does not fit its line goes on in lines of its own, `indent` characters from the left; without
    /// that there is one line.
    fn value(&mut self, value: Value, indent: Option<usize>) -> String {
        let Value::Object(n) = value else {
            return plain(value);
        };
        let name = self.name(value);
        let parts = |contents: &Contents| -> Option<(Vec<(Option<String>, Value)>, usize)> {
            let length = self.state.objects[n - 1].length.unwrap_or(0);
            match contents {
                Contents::Elements(e) => Some((
                    e.iter().map(|v| (None, *v)).collect(),
                    length - e.len(),
                )),
                Contents::Fields(f, more) => Some((
                    f.iter().map(|(n, v)| (Some(n.clone()), *v)).collect(),
                    *more,
                )),
                _ => None,
            }
        };
        let Some((parts, more)) = parts(&self.state.objects[n - 1].contents) else {
            return name;
        };
        if !self.written.insert(n) {
            return name;
        }
        let before = self.written.clone();
        let mut texts: Vec<String> = parts.iter().map(|p| self.part(p, None)).collect();
        if more > 0 {
            texts.push(format!("... {more} more"));
        }
        let line = format!("{name} {{{}}}", texts.join(", "));
        let Some(indent) = indent.filter(|i| line.chars().count() + i > WIDTH + 24) else {
            return line;
        };
        self.written = before;
        let mut lines = format!("{name} {{");
        for part in &parts {
            let text = self.part(part, Some(indent + 2));
            let _ = write!(lines, "\n{:indent$}  {text}", "");
        }
        if more > 0 {
            let _ = write!(lines, "\n{:indent$}  ... {more} more", "");
        }
        lines + "}"
    }
    fn part(&mut self, (name, value): &(Option<String>, Value), indent: Option<usize>) -> String {
        let text = self.value(*value, indent);
        match name {
            Some(name) => format!("{name}={text}"),
            None => text,
        }
    }
}

/// A value that is no object.
fn plain(value: Value) -> String {
    match value {
        Value::Unset => "not set".into(),
        Value::Boolean(v) => v.to_string(),
        Value::Byte(v) => format!("(byte) {v}"),
        Value::Short(v) => format!("(short) {v}"),
        Value::Char(v) => match char::from_u32(v.into()) {
            Some(c) if !c.is_control() => format!("'{c}'"),
            _ => format!("'\\u{v:04x}'"),
        },
        Value::Int(v) => v.to_string(),
        Value::Long(v) => format!("{v}L"),
        Value::Float(v) => format!("{v:?}f"),
        Value::Double(v) => format!("{v:?}"),
        Value::Null => "null".into(),
        Value::Object(n) => format!("#{n}"),
        Value::ReturnAddress(to) => format!("return address {to}"),
    }
}

fn string(text: &str, whole: Option<usize>) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    if let Some(n) = whole {
        let _ = write!(out, "... ({n} characters)");
    }
    out
}
