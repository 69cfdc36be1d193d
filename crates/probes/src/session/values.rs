//! Values: what they are as numbers, texts and keys, and as they are printed. Nothing here fails: an invalid value is null, and
//! reported at the end.

use super::{EvaluationError, State};
use crate::code::Compiled;
use crate::format::{Format, Piece, grouped};
use crate::gathered::Num;
use crate::hit::{ClassId, Hit, MethodId, Object};
use crate::source::Span;
use crate::value::{Part, Sym, Val};

use super::run::datum;

/// Numbers of methods and classes that names are remembered for.
const REMEMBERED: usize = 1 << 22;

/// Frames that are looked at for those that are not the library's.
const DEEP: usize = 1024;

/// Classes of boxes, whose values are in a field of that name.
const BOXES: [&str; 10] = [
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Short",
    "java.lang.Byte",
    "java.lang.Character",
    "java.lang.Boolean",
    "java.lang.Float",
    "java.lang.Double",
    "java.util.concurrent.atomic.AtomicInteger",
    "java.util.concurrent.atomic.AtomicLong",
];

impl State {
    /// As part of a key, which lasts. `None`: there is no memory for it.
    #[inline]
    pub(super) fn part(&mut self, value: Val, hit: &mut dyn Hit) -> Option<Part> {
        Some(match value {
            Val::Null => Part::Null,
            Val::Bool(b) => Part::Bool(b),
            Val::Int(n) => Part::Int(n),
            Val::Float(x) => Part::float(x),
            Val::Str(sym) => Part::Str(self.kept(sym)?.0),
            Val::Stack(n) => Part::Stack(n),
            Val::Object(object) => {
                let sym = self.described(object, hit);
                Part::Str(self.kept(sym)?.0)
            }
        })
    }

    /// As it can be kept beyond the event.
    pub(super) fn keepable(&mut self, value: Val, hit: &mut dyn Hit) -> Val {
        match value {
            Val::Str(_) => self.part(value, hit).map_or(Val::Null, Part::val),
            Val::Object(object) => match self.unboxed(object, hit) {
                Some(n) => n,
                None => self.part(value, hit).map_or(Val::Null, Part::val),
            },
            value => value,
        }
    }

    /// A string of the event, cut to the limit.
    pub(super) fn string(&mut self, write: impl FnOnce(&mut String)) -> Sym {
        let most = self.limits.string;
        let sym = self.strings.temporary(|all| {
            let start = all.len();
            write(all);
            let cut = all[start..]
                .char_indices()
                .nth(most)
                .map(|(i, _)| start + i);
            if let Some(cut) = cut {
                all.truncate(cut);
                all.push('…');
            }
            true
        });
        sym.unwrap_or(Sym(Sym::TEMPORARY))
    }

    /// The characters of a `String` of the program.
    pub(super) fn characters(&mut self, object: Object, hit: &mut dyn Hit) -> Option<Sym> {
        let most = self.limits.string;
        self.strings.temporary(|all| {
            let start = all.len();
            if !hit.string(object, most + 1, all) {
                return false;
            }
            let cut = all.get(start..).and_then(|s| s.char_indices().nth(most));
            if let Some((i, _)) = cut {
                all.truncate(start + i);
                all.push('…');
            }
            true
        })
    }

    /// An object in words: a string's characters, a box's value, an enum constant's name, or the class.
    pub(super) fn described(&mut self, object: Object, hit: &mut dyn Hit) -> Sym {
        if let Some(sym) = self.characters(object, hit) {
            return sym;
        }
        if let Some(value) = self.unboxed(object, hit) {
            return self.string(|into| match value {
                Val::Bool(b) => into.push_str(if b { "true" } else { "false" }),
                Val::Float(x) => write_float(x, into),
                Val::Int(n) => into.push_str(&n.to_string()),
                _ => {}
            });
        }
        let class = hit.class_of(object);
        let name = |hit: &mut dyn Hit, field| match hit.find_field(class, field) {
            Some(id) => hit.field(object, id),
            None => crate::hit::Datum::Absent,
        };
        if let (crate::hit::Datum::Object(text), crate::hit::Datum::Int(_)) =
            (name(hit, "name"), name(hit, "ordinal"))
            && let Some(sym) = self.characters(text, hit)
        {
            return sym;
        }
        let sym = self.class(class, hit);
        let Some(length) = hit.length(object) else {
            return sym;
        };
        let name = self.strings.get(sym).to_owned();
        match name.strip_suffix("[]") {
            Some(element) => {
                let brackets = element.len() - element.trim_end_matches("[]").len();
                let (element, more) = element.split_at(element.len() - brackets);
                self.string(|into| into.push_str(&format!("{element}[{length}]{more}")))
            }
            None => sym,
        }
    }

    /// The value of a box.
    pub(super) fn unboxed(&mut self, object: Object, hit: &mut dyn Hit) -> Option<Val> {
        let class = hit.class_of(object);
        let sym = self.class(class, hit);
        if !BOXES.contains(&self.strings.get(sym)) {
            return None;
        }
        let field = hit.find_field(class, "value")?;
        let value = datum(hit.field(object, field));
        matches!(value, Val::Int(_) | Val::Float(_) | Val::Bool(_)).then_some(value)
    }

    /// A class's name.
    pub(super) fn class(&mut self, class: ClassId, hit: &mut dyn Hit) -> Sym {
        let i = class.0 as usize;
        if let Some(Some(sym)) = self.classes.get(i) {
            return *sym;
        }
        let sym = self.string(|into| hit.class_name(class, into));
        if let Some(kept) = self.kept(sym)
            && i < REMEMBERED
        {
            if self.classes.len() <= i {
                self.classes.resize(i + 1, None);
            }
            self.classes[i] = Some(kept);
            return kept;
        }
        sym
    }

    /// A method's name, and whether it is one of the library.
    #[inline]
    pub(super) fn method(&mut self, method: MethodId, hit: &mut dyn Hit) -> (Sym, bool) {
        match self.methods.get(method.0 as usize) {
            Some(Some(known)) => *known,
            _ => self.find_method(method, hit),
        }
    }

    #[cold]
    fn find_method(&mut self, method: MethodId, hit: &mut dyn Hit) -> (Sym, bool) {
        let i = method.0 as usize;
        let library = hit.is_library(method);
        let sym = self.string(|into| hit.method_name(method, into));
        if let Some(kept) = self.kept(sym)
            && i < REMEMBERED
        {
            if self.methods.len() <= i {
                self.methods.resize(i + 1, None);
            }
            self.methods[i] = Some((kept, library));
            return (kept, library);
        }
        (sym, library)
    }

    /// Where the program is, by the innermost frame that is not the library's. Null if there is none.
    pub(super) fn site(&mut self, hit: &mut dyn Hit) -> Val {
        let mut frames = std::mem::take(&mut self.frames);
        frames.clear();
        hit.stack(DEEP, &mut frames);
        let mut site = Val::Null;
        for frame in &frames {
            let (sym, library) = self.method(frame.method, hit);
            if !library {
                let name = self.strings.get(sym).to_owned();
                let text = match frame.line {
                    0 => name,
                    line => format!("{name}:{line}"),
                };
                site = Val::Str(self.string(|into| into.push_str(&text)));
                break;
            }
        }
        self.frames = frames;
        site
    }

    /// The stack, or its frames outside the library.
    pub(super) fn frames(&mut self, user: bool, most: u32, hit: &mut dyn Hit) -> Val {
        let most = (most as usize).min(self.limits.frames);
        let mut frames = std::mem::take(&mut self.frames);
        frames.clear();
        // Frames of the library may lie between others.
        hit.stack(if user { DEEP } else { most }, &mut frames);
        let mut named: Vec<(Sym, u16)> = Vec::with_capacity(frames.len().min(most));
        for frame in &frames {
            let (sym, library) = self.method(frame.method, hit);
            if user && library {
                continue;
            }
            if named.len() >= most {
                break;
            }
            match self.kept(sym) {
                Some(sym) => named.push((sym, frame.line)),
                None => break,
            }
        }
        self.frames = frames;
        match self.stacks.intern(&named, &mut self.memory) {
            Some(i) => Val::Stack(i),
            None => {
                self.strings_refused += 1;
                Val::Null
            }
        }
    }

    /// As a number. Null is none, without a word.
    pub(super) fn number(&mut self, value: Val, span: Span, hit: &mut dyn Hit) -> Option<Num> {
        match value {
            Val::Int(n) => Some(Num::Int(n)),
            Val::Float(x) => Some(Num::Float(x)),
            Val::Null => None,
            value => self.odd_number(value, span, hit),
        }
    }

    #[cold]
    fn odd_number(&mut self, value: Val, span: Span, hit: &mut dyn Hit) -> Option<Num> {
        if let Val::Object(object) = value {
            match self.unboxed(object, hit) {
                Some(Val::Int(n)) => return Some(Num::Int(n)),
                Some(Val::Float(x)) => return Some(Num::Float(x)),
                _ => {}
            }
        }
        let reported = self.reported(value, hit);
        self.trouble(EvaluationError::NoNumber, span, || reported);
        None
    }

    /// A value in words for messages.
    pub(super) fn reported(&mut self, value: Val, hit: &mut dyn Hit) -> String {
        match value {
            Val::Str(sym) => format!("the string \"{}\"", self.strings.get(sym)),
            Val::Object(object) => {
                let class = hit.class_of(object);
                let sym = self.class(class, hit);
                format!("an object of class {}", self.strings.get(sym))
            }
            Val::Stack(_) => "a stack".into(),
            Val::Bool(b) => b.to_string(),
            Val::Int(n) => n.to_string(),
            Val::Float(x) => x.to_string(),
            Val::Null => "null".into(),
        }
    }

    /// Null is false.
    pub(super) fn truth(&mut self, value: Val, span: Span, hit: &mut dyn Hit) -> bool {
        match value {
            Val::Bool(b) => b,
            Val::Null => false,
            value => {
                if let Val::Object(object) = value
                    && let Some(Val::Bool(b)) = self.unboxed(object, hit)
                {
                    return b;
                }
                let reported = self.reported(value, hit);
                self.trouble(EvaluationError::NoTruth, span, || reported);
                false
            }
        }
    }

    /// As a text that lasts for the event. Null is none.
    pub(super) fn text(&mut self, value: Val, hit: &mut dyn Hit) -> Option<Sym> {
        match value {
            Val::Null => None,
            Val::Str(sym) => Some(sym),
            Val::Object(object) => Some(self.described(object, hit)),
            value => {
                let mut text = String::new();
                self.write(value, &mut text, hit);
                Some(self.string(|into| into.push_str(&text)))
            }
        }
    }

    /// Appends a value as it is printed.
    pub(super) fn write(&mut self, value: Val, into: &mut String, hit: &mut dyn Hit) {
        match value {
            Val::Object(object) => {
                let sym = self.described(object, hit);
                into.push_str(self.strings.get(sym));
            }
            value => self.write_kept(value, into),
        }
    }

    /// The same for what needs no VM.
    pub(super) fn write_kept(&self, value: Val, into: &mut String) {
        match value {
            Val::Null => into.push_str("null"),
            Val::Bool(b) => into.push_str(if b { "true" } else { "false" }),
            Val::Int(n) => into.push_str(&n.to_string()),
            Val::Float(x) => write_float(x, into),
            Val::Str(sym) => into.push_str(self.strings.get(sym)),
            Val::Stack(n) => {
                for (sym, line) in self.stacks.get(n) {
                    into.push_str("\n    ");
                    into.push_str(self.strings.get(*sym));
                    if *line > 0 {
                        into.push_str(&format!(":{line}"));
                    }
                }
                into.push('\n');
            }
            Val::Object(_) => into.push_str("object"),
        }
    }

    pub(super) fn printf(
        &mut self,
        format: &Format,
        values: &[Val],
        span: Span,
        into: &mut String,
        hit: &mut dyn Hit,
    ) {
        let mut values = values.iter().copied();
        for piece in &format.pieces {
            let spec = match piece {
                Piece::Text(text) => {
                    into.push_str(text);
                    continue;
                }
                Piece::Value(spec) => spec,
            };
            let value = values.next().unwrap_or(Val::Null);
            let mut text = String::new();
            if spec.kind == 's' {
                self.write(value, &mut text, hit);
                if let Some((cut, _)) = spec.precision.and_then(|p| text.char_indices().nth(p)) {
                    text.truncate(cut);
                }
            } else {
                text = match (self.number(value, span, hit), spec.kind) {
                    (None, _) => "null".to_owned(),
                    (Some(n), 'f') => format!("{:.*}", spec.precision.unwrap_or(6), n.float()),
                    (Some(n), 'x') => format!("{:x}", n.int()),
                    (Some(n), _) => n.int().to_string(),
                };
                if spec.grouped {
                    text = grouped(&text);
                }
            }
            spec.pad(&text, into);
        }
    }

    pub(super) fn field(
        &mut self,
        compiled: &Compiled,
        object: Val,
        place: u32,
        span: Span,
        hit: &mut dyn Hit,
    ) -> Val {
        let object = match object {
            Val::Null => return Val::Null,
            Val::Object(object) => object,
            value => {
                let reported = self.reported(value, hit);
                self.trouble(EvaluationError::NoObject, span, || reported);
                return Val::Null;
            }
        };
        let class = hit.class_of(object);
        let site = self.sites.get(place as usize).copied().unwrap_or_default();
        let name = compiled
            .fields
            .get(place as usize)
            .map_or("", String::as_str);
        let field = match site.class == Some(class.0) {
            true => site.field,
            false => {
                let field = hit.find_field(class, name);
                if let Some(site) = self.sites.get_mut(place as usize) {
                    site.class = Some(class.0);
                    site.field = field;
                }
                field
            }
        };
        match field {
            Some(field) => datum(hit.field(object, field)),
            None if name == "length" => match hit.length(object) {
                Some(n) => Val::Int(n),
                None => self.no_field(class, name, span, hit),
            },
            None => self.no_field(class, name, span, hit),
        }
    }

    #[cold]
    fn no_field(&mut self, class: ClassId, name: &str, span: Span, hit: &mut dyn Hit) -> Val {
        let sym = self.class(class, hit);
        let reported = format!("{} has no field {name}", self.strings.get(sym));
        self.trouble(EvaluationError::NoField, span, || reported);
        Val::Null
    }

    pub(super) fn element(&mut self, array: Val, index: Val, span: Span, hit: &mut dyn Hit) -> Val {
        let Some(index) = self.number(index, span, hit) else {
            return Val::Null;
        };
        match array {
            Val::Object(array) => datum(hit.element(array, index.int())),
            Val::Null => Val::Null,
            value => {
                let reported = self.reported(value, hit);
                self.trouble(EvaluationError::NoObject, span, || reported);
                Val::Null
            }
        }
    }
}

/// At most six digits after the point, no more than needed.
pub(super) fn write_float(x: f64, into: &mut String) {
    if x.is_nan() {
        into.push_str("NaN");
    } else if x != 0.0 && (x.abs() >= 1e15 || x.abs() < 1e-5) {
        into.push_str(&format!("{x:e}"));
    } else {
        let text = format!("{x:.6}");
        into.push_str(text.trim_end_matches('0').trim_end_matches('.'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_short() {
        for (x, text) in [
            (1.5, "1.5"),
            (2.0, "2"),
            (1.0 / 3.0, "0.333333"),
            (-0.1, "-0.1"),
            (0.0, "0"),
            (1e300, "1e300"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
        ] {
            let mut out = String::new();
            write_float(x, &mut out);
            assert_eq!(out, text);
        }
    }
}
