//! A stopped program as text: frames, threads, locals, the values of expressions, source lines.

use super::errors::LookError;
use super::expression_error::ExpressionError;
use rjvm_vm::Vm;
use rjvm_vm::inspect::{FrameInfo, InspectLimits, InspectedValue, ObjectContents, Thread, VmState};
use std::fmt::Write;

/// Parts that an expression may have.
const MOST_PARTS: usize = 64;
/// The greatest index of an array that an expression may have.
const GREATEST_INDEX: usize = 1 << 20;

/// The frames of a thread, the top one first.
pub fn frames(thread: &Thread) -> String {
    let mut out = String::new();
    let top = thread.frames.len().div_ceil(2);
    for (i, frame) in thread.frames.iter().enumerate() {
        let left_out = if i >= top { thread.left_out } else { 0 };
        if thread.left_out > 0 && i == top {
            let _ = writeln!(out, "... {} more frames ...", thread.left_out);
        }
        let _ = writeln!(out, "#{}  {}", i + left_out, frame.place());
    }
    out
}

/// The frame with a number that [`frames`] shows.
pub fn frame(thread: &Thread, number: usize) -> Option<&FrameInfo> {
    let top = thread.frames.len().div_ceil(2);
    match number {
        n if n < top || thread.left_out == 0 => thread.frames.get(n),
        // those in the middle are left out
        n => { n.checked_sub(thread.left_out).filter(|&i| i >= top) }
            .and_then(|i| thread.frames.get(i)),
    }
}

/// All threads, each with its state and place.
pub fn threads(state: &VmState) -> String {
    let mut out = String::new();
    for t in &state.threads {
        let mark = if t.current { '*' } else { ' ' };
        let at = t.frames.first().map_or_else(String::new, FrameInfo::place);
        let line = format!("{mark} {}  \"{}\"  {}  {at}", t.id.0, t.name, t.state);
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// The locals of a frame that have a value.
pub fn locals(state: &VmState, frame: &FrameInfo) -> String {
    let mut out = String::new();
    let set = frame
        .locals
        .iter()
        .filter(|l| l.value != InspectedValue::Unset);
    let labels: Vec<_> = set.map(|l| (l.label(), l.value)).collect();
    let width = labels
        .iter()
        .map(|(l, _)| l.chars().count())
        .max()
        .unwrap_or(0);
    for (label, value) in labels {
        let text = state.value_text(value, width + 2);
        let _ = writeln!(out, "{label:<width$}  {text}");
    }
    match out.is_empty() {
        true => "no locals have a value\n".into(),
        false => out,
    }
}

/// Source lines around one.
pub fn listing(text: &str, line: usize, around: usize) -> String {
    let mut out = String::new();
    for (i, text) in text.lines().enumerate() {
        let n = i + 1;
        if n + around >= line && n <= line + around {
            let mark = if n == line { "->" } else { "  " };
            let _ = writeln!(out, "{}", format!("{mark} {n:<5} {text}").trim_end());
        }
    }
    out
}

/// A part of an expression after the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Field(String),
    Element(usize),
}

/// The names with dots, and the elements, of `a.b[3].c`.
pub fn parts(text: &str) -> Result<Vec<Part>, LookError> {
    let wrong = || LookError::NotPath(text.into());
    let mut parts = Vec::new();
    for (i, word) in text.split('.').enumerate() {
        let (name, mut rest) = word.split_at(word.find('[').unwrap_or(word.len()));
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let named = !name.is_empty() && name.chars().all(is_part);
        if !named || i == 0 && name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(wrong());
        }
        parts.push(Part::Field(name.into()));
        while let Some(inside) = rest.strip_prefix('[') {
            let (index, after) = inside.split_once(']').ok_or_else(wrong)?;
            let index: usize = index.trim().parse().map_err(|_| wrong())?;
            if index > GREATEST_INDEX {
                return Err(LookError::GreatIndex(text.into(), GREATEST_INDEX));
            }
            parts.push(Part::Element(index));
            rest = after;
        }
        if !rest.is_empty() {
            return Err(wrong());
        }
    }
    match parts.len() > MOST_PARTS {
        true => Err(wrong()),
        false => Ok(parts),
    }
}

/// The ways to read the beginning of an expression as a static field: the name of a class, the field's name, and the parts behind.
/// The longest name of a class comes first.
pub fn static_fields(parts: &[Part]) -> impl Iterator<Item = (String, &str, &[Part])> {
    let names: Vec<&str> = parts
        .iter()
        .map_while(|p| match p {
            Part::Field(name) => Some(&**name),
            Part::Element(_) => None,
        })
        .collect();
    let of = move |n: usize| (names[..n].join("."), names[n], &parts[n + 1..]);
    let fields = parts.iter().take_while(|p| matches!(p, Part::Field(_)));
    (1..fields.count()).rev().map(of)
}

/// Why an expression has no value: its first name is not a local variable, and no class of [`static_fields`] is loaded.
pub fn not_found(parts: &[Part]) -> ExpressionError {
    let first = match parts.first() {
        Some(Part::Field(name)) => name.as_str(),
        _ => "",
    };
    ExpressionError::no_name(first, static_fields(parts).next().is_some())
}

/// The value of an expression in the top frame of the thread that runs next.
pub fn value(vm: &mut Vm, text: &str) -> Result<String, LookError> {
    let of = |e| LookError::Of(text.into(), e);
    let parts = parts(text)?;
    let greatest = parts.iter().filter_map(|p| match p {
        Part::Element(i) => Some(*i),
        Part::Field(_) => None,
    });
    let usual = InspectLimits::DEFAULT;
    let limits = InspectLimits {
        frames: 1,
        elements: greatest.max().map_or(0, |i| i + 1).max(usual.elements),
        fields: usize::from(u16::MAX),
        depth: parts.len() + 1,
        objects: 1 << 24,
        ..usual
    };
    let Some(Part::Field(first)) = parts.first() else {
        return Err(of(ExpressionError::Expected("a name")));
    };
    let state = vm.inspect(&limits);
    let current = state.threads.iter().find(|t| t.current);
    let top = current.and_then(|t| t.frames.first());
    let mut locals = top.into_iter().flat_map(|f| &f.locals);
    if let Some(local) = locals.find(|l| l.label() == *first) {
        if local.value == InspectedValue::Unset {
            return Err(LookError::NotSet(first.clone()));
        }
        return follow(&state, local.value, &parts[1..], text);
    }
    for (class, field, rest) in static_fields(&parts) {
        if let Some((value, state)) = vm.inspect_static(&class, field, &limits) {
            return follow(&state, value, rest, text);
        }
    }
    Err(not_found(&parts).into())
}

/// The value to which fields and elements lead.
fn follow(
    state: &VmState,
    from: InspectedValue,
    parts: &[Part],
    text: &str,
) -> Result<String, LookError> {
    let of = |e| LookError::Of(text.into(), e);
    let mut value = from;
    for part in parts {
        let InspectedValue::Object(n) = value else {
            let shown = state.value_text(value, 0);
            return Err(of(ExpressionError::NoMembers(shown)));
        };
        let object = &state.objects[n - 1];
        value = match (part, &object.contents) {
            (Part::Field(name), ObjectContents::Fields(fields, _)) => {
                let found = fields.iter().find(|f| f.0 == *name);
                let none = || ExpressionError::NoFieldOf(object.class.clone(), name.clone());
                found.ok_or_else(none)?.1
            }
            (Part::Field(name), ObjectContents::Elements(_)) if name == "length" => {
                InspectedValue::Int(object.length.unwrap_or(0) as i32)
            }
            (Part::Element(i), ObjectContents::Elements(all)) => {
                let length = object.length.unwrap_or(0);
                let found = all.get(*i);
                let index = *i as i64;
                *found.ok_or_else(|| of(ExpressionError::NoElement { index, length }))?
            }
            (Part::Element(_), _) => {
                return Err(of(ExpressionError::NotArray(object.class.clone())));
            }
            (Part::Field(name), _) => {
                let class = object.class.clone();
                return Err(LookError::HiddenField(text.into(), class, name.clone()));
            }
        };
    }
    Ok(state.value_text(value, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read() {
        let field = |name: &str| Part::Field(name.into());
        assert_eq!(parts("a"), Ok(vec![field("a")]));
        assert_eq!(
            parts("this.b[2][3].c"),
            Ok(vec![
                field("this"),
                field("b"),
                Part::Element(2),
                Part::Element(3),
                field("c")
            ])
        );
        for wrong in [
            "",
            "a.",
            "[1]",
            "a[",
            "a[x]",
            "a]",
            "a[1]b",
            "1",
            "a b",
            "a[99999999]",
        ] {
            assert!(parts(wrong).is_err(), "{wrong}");
        }
    }
}
