//! A stopped VM as text for people. Values look as in Java's source, so that their types are seen; the contents of an object are
//! where it is first named.

use super::objects::Objects;
use super::{
    FrameInfo, InspectLimits, InspectedValue, Local, ObjectContents, Thread, VmState, WaitInfo,
};
use crate::events::EventView;
use crate::ids::Ref;
use crate::vm::Vm;
use rjvm_profiler::summary::grouped;
use std::collections::HashSet;
use std::fmt::{self, Write};

/// Characters that a line with a value may have.
const WIDTH: usize = 120;

/// Writes the objects that a state shows.
struct StateWriter<'a> {
    state: &'a VmState,
    /// Numbers of the objects whose contents have been written.
    written: HashSet<usize>,
    /// Whether objects are distinguished, and counts reported.
    numbers: bool,
}

impl fmt::Display for VmState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        let mut writer = StateWriter {
            state: self,
            written: HashSet::new(),
            numbers: true,
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

/// The compared text of two stopped VMs: without counts, deadlines and the numbers of objects.
pub struct ComparedText {
    /// Which thread runs next, and what; nothing where none does.
    pub next: String,
    /// Names and texts of all threads, the one that runs next before the others.
    pub threads: Vec<(String, String)>,
}

impl EventView<'_> {
    /// An object with its fields or elements as text, those of objects in it as far as the limits allow. Empty while the heap
    /// is collected, and for null.
    pub fn object_dump(&mut self, object: Ref, limits: &InspectLimits) -> String {
        match object.is_null() || self.vm.is_in_collection() {
            true => String::new(),
            false => self.vm.object_text(object, limits),
        }
    }
}

impl Vm {
    /// An object with its contents.
    fn object_text(&mut self, r: Ref, limits: &InspectLimits) -> String {
        let mut objects = Objects::new(*limits);
        let value = objects.value(self, r);
        let state = VmState {
            bytecodes: 0,
            threads: Vec::new(),
            objects: objects.take(),
        };
        let mut writer = StateWriter {
            state: &state,
            written: HashSet::new(),
            numbers: false,
        };
        writer.value(value, Some(0))
    }
}

impl VmState {
    /// A value of this state with its contents, as one line or, of a long one, more, which are indented so far.
    pub fn value_text(&self, value: InspectedValue, indent: usize) -> String {
        self.writer().value(value, Some(indent))
    }
    /// A frame with its locals and operands.
    pub fn frame_text(&self, frame: &FrameInfo) -> String {
        let mut out = String::new();
        self.writer().frame(frame, &mut out);
        out
    }
    fn writer(&self) -> StateWriter<'_> {
        StateWriter {
            state: self,
            written: HashSet::new(),
            numbers: true,
        }
    }
    /// The text that is compared with another VM.
    pub fn compared(&self) -> ComparedText {
        let mut threads: Vec<&Thread> = self.threads.iter().collect();
        threads.sort_by_key(|t| !t.current);
        let next = threads.first().filter(|t| t.current).map(|t| {
            let top = t.frames.first();
            let top = top.map_or_else(String::new, |f| format!("{}  {}", f.place(), f.bytecode()));
            format!("\"{}\"  {top}", t.name)
        });
        let text = |t: &Thread| {
            let mut out = String::new();
            let mut writer = StateWriter {
                state: self,
                written: HashSet::new(),
                numbers: false,
            };
            writer.thread(t, &mut out);
            (t.name.clone(), out)
        };
        ComparedText {
            next: next.unwrap_or_default(),
            threads: threads.into_iter().map(text).collect(),
        }
    }
}

impl FrameInfo {
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
    /// `next 14: iload_2`; `in` for a bytecode under way.
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
        self.name
            .clone()
            .unwrap_or_else(|| format!("slot {}", self.slot))
    }
}

impl WaitInfo {
    fn line(&self, writer: &mut StateWriter<'_>) -> String {
        let mut line = self.what.clone();
        if let Some(object) = self.object {
            let _ = write!(line, " {}", writer.name(object));
        }
        if let Some(owner) = &self.owner {
            let _ = write!(line, ", which \"{owner}\" holds");
        }
        if let Some(until) = self.until.filter(|_| writer.numbers) {
            let (s, ns) = (until / 1_000_000_000, until % 1_000_000_000);
            let _ = write!(line, ", until {s}.{ns:09} s at most");
        }
        line
    }
}

impl StateWriter<'_> {
    fn thread(&mut self, t: &Thread, out: &mut String) {
        let _ = write!(out, "\"{}\"", t.name);
        if let Some(tid) = t.tid {
            let _ = write!(out, " #{tid}");
        }
        if t.daemon {
            out.push_str(" daemon");
        }
        let _ = write!(out, ", {}", t.state);
        if self.numbers {
            let _ = write!(out, ", {} bytecodes", grouped(t.executed as u64));
        }
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
                let _ = writeln!(out, "  ... {} more frames ...", grouped(t.left_out as u64));
            }
            self.frame(frame, out);
        }
    }
    fn frame(&mut self, frame: &FrameInfo, out: &mut String) {
        let _ = writeln!(out, "  {}  {}", frame.place(), frame.bytecode());
        // a line without a bytecode ends with its place
        let end = out.trim_end().len();
        out.truncate(end);
        out.push('\n');
        if !frame.known {
            out.push_str("      (locals and operands are not kept)\n");
            return;
        }
        let (set, unset): (Vec<&Local>, Vec<&Local>) = frame
            .locals
            .iter()
            .partition(|l| l.value != InspectedValue::Unset);
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
            let slots: Vec<u16> = unset.iter().map(|l| l.slot).collect();
            let _ = writeln!(out, "      not set: {}", ranges(&slots));
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
    fn name(&self, value: InspectedValue) -> String {
        let InspectedValue::Object(n) = value else {
            return plain(value);
        };
        let object = &self.state.objects[n - 1];
        let class = match object.length {
            Some(len) => object.class.replacen("[]", &format!("[{len}]"), 1),
            None => object.class.clone(),
        };
        let named = match self.numbers {
            true => format!("{class}#{n}"),
            false => class,
        };
        match &object.contents {
            ObjectContents::Text(text, whole) => string(text, *whole),
            ObjectContents::Boxed(value) => {
                format!("{named} {{{}}}", plain(*value))
            }
            ObjectContents::Class(of) => format!("{named} {{{of}}}"),
            _ => named,
        }
    }
    /// A value. Text that does not fit its line continues on separate lines, `indent` characters from the left; without
    /// that there is one line.
    fn value(&mut self, value: InspectedValue, indent: Option<usize>) -> String {
        let name = self.name(value);
        let InspectedValue::Object(n) = value else {
            return name;
        };
        let object = &self.state.objects[n - 1];
        let (parts, more): (Vec<(Option<&str>, InspectedValue)>, usize) = match &object.contents {
            ObjectContents::Elements(e) => {
                let more = object.length.unwrap_or(0).saturating_sub(e.len());
                (e.iter().map(|v| (None, *v)).collect(), more)
            }
            ObjectContents::Fields(f, more) => {
                (f.iter().map(|f| (Some(&*f.0), f.1)).collect(), *more)
            }
            _ => return name,
        };
        if !self.written.insert(n) {
            return name;
        }
        let before = self.written.clone();
        let mut texts: Vec<String> = parts.iter().map(|p| self.part(*p, None)).collect();
        if more > 0 {
            texts.push(format!("... {more} more"));
        }
        let line = format!("{name} {{{}}}", texts.join(", "));
        let Some(indent) = indent.filter(|i| line.chars().count() + i > WIDTH) else {
            return line;
        };
        self.written = before;
        let mut lines = format!("{name} {{");
        for part in parts {
            let text = self.part(part, Some(indent + 2));
            let _ = write!(lines, "\n{:indent$}  {text}", "");
        }
        if more > 0 {
            let _ = write!(lines, "\n{:indent$}  ... {more} more", "");
        }
        lines + "}"
    }
    /// A field or an element. One that does not fit its line, where there is an end to that, is named only.
    fn part(
        &mut self,
        (name, value): (Option<&str>, InspectedValue),
        indent: Option<usize>,
    ) -> String {
        let before = indent.map(|_| self.written.clone());
        let label = name.map_or_else(String::new, |n| format!("{n}="));
        let text = self.value(value, None);
        match (indent, before) {
            (Some(indent), Some(before)) if indent + label.len() + text.chars().count() > WIDTH => {
                self.written = before;
                label + &self.name(value)
            }
            _ => label + &text,
        }
    }
}

/// A value that is not an object.
fn plain(value: InspectedValue) -> String {
    match value {
        InspectedValue::Unset => "not set".into(),
        InspectedValue::Boolean(v) => v.to_string(),
        InspectedValue::Byte(v) => format!("(byte) {v}"),
        InspectedValue::Short(v) => format!("(short) {v}"),
        InspectedValue::Char(v) => match char::from_u32(v.into()) {
            Some(c) if !c.is_control() => format!("'{c}'"),
            _ => format!("'\\u{v:04x}'"),
        },
        InspectedValue::Int(v) => v.to_string(),
        InspectedValue::Long(v) => format!("{v}L"),
        InspectedValue::Float(v) => format!("{v:?}f"),
        InspectedValue::Double(v) => format!("{v:?}"),
        InspectedValue::Null => "null".into(),
        InspectedValue::Object(n) => format!("#{n}"),
        InspectedValue::ReturnAddress(to) => format!("return address {to}"),
    }
}

/// `slots 1 to 3, 7`
fn ranges(slots: &[u16]) -> String {
    let mut parts: Vec<(u16, u16)> = Vec::new();
    for &slot in slots {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == slot => *last = slot,
            _ => parts.push((slot, slot)),
        }
    }
    let part = |&(a, b): &(u16, u16)| match b - a {
        0 => a.to_string(),
        1 => format!("{a}, {b}"),
        _ => format!("{a} to {b}"),
    };
    let text: Vec<String> = parts.iter().map(part).collect();
    let word = if slots.len() == 1 { "slot" } else { "slots" };
    format!("{word} {}", text.join(", "))
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
