//! Functions of expressions.

use super::{EvaluationError, State};
use crate::builtins::Function;
use crate::gathered::Num;
use crate::hit::Hit;
use crate::source::Span;
use crate::value::{Sym, Val};

impl State {
    pub(super) fn call(
        &mut self,
        function: Function,
        args: [Val; 3],
        count: usize,
        span: Span,
        hit: &mut dyn Hit,
    ) -> Val {
        let [a, b, c] = args;
        if a == Val::Null && function != Function::Str {
            return Val::Null;
        }
        match function {
            Function::Str => match self.text(a, hit) {
                Some(sym) => Val::Str(sym),
                None => Val::Null,
            },
            Function::Len => self.len(a, span, hit),
            Function::ClassOf | Function::SizeOf | Function::Hash => {
                let Val::Object(object) = a else {
                    let reported = self.reported(a, hit);
                    self.trouble(EvaluationError::NoObject, span, || reported);
                    return Val::Null;
                };
                match function {
                    Function::ClassOf => {
                        let class = hit.class_of(object);
                        Val::Str(self.class(class, hit))
                    }
                    Function::SizeOf => Val::Int(hit.size_of(object)),
                    _ => hit.identity(object).map_or(Val::Null, Val::Int),
                }
            }
            Function::Int => {
                if let Some(sym) = self.as_string(a, hit) {
                    let text = self.strings.get(sym).trim();
                    return text.parse().map_or(Val::Null, Val::Int);
                }
                if let Val::Bool(b) = a {
                    return Val::Int(i64::from(b));
                }
                self.number(a, span, hit)
                    .map_or(Val::Null, |n| Val::Int(n.int()))
            }
            Function::Float => {
                if let Some(sym) = self.as_string(a, hit) {
                    let text = self.strings.get(sym).trim();
                    return text.parse().map_or(Val::Null, Val::Float);
                }
                self.number(a, span, hit)
                    .map_or(Val::Null, |n| Val::Float(n.float()))
            }
            Function::Abs => match self.number(a, span, hit) {
                Some(Num::Int(n)) => Val::Int(n.wrapping_abs()),
                Some(Num::Float(x)) => Val::Float(x.abs()),
                None => Val::Null,
            },
            Function::Log2 => match self.number(a, span, hit) {
                Some(n) if n.int() > 0 => Val::Int(i64::from(n.int().ilog2())),
                _ => Val::Null,
            },
            Function::Chr => match self.number(a, span, hit) {
                Some(n) => {
                    let c = u32::try_from(n.int()).ok().and_then(char::from_u32);
                    Val::Str(self.string(|into| into.push(c.unwrap_or('\u{fffd}'))))
                }
                None => Val::Null,
            },
            Function::Hex => match self.number(a, span, hit) {
                Some(n) => Val::Str(self.string(|into| into.push_str(&format!("{:x}", n.int())))),
                None => Val::Null,
            },
            _ => self.of_strings(function, [a, b, c], count, span, hit),
        }
    }

    /// A string, or an object that is one.
    fn as_string(&mut self, value: Val, hit: &mut dyn Hit) -> Option<Sym> {
        match value {
            Val::Str(sym) => Some(sym),
            Val::Object(object) => self.characters(object, hit),
            _ => None,
        }
    }

    fn len(&mut self, value: Val, span: Span, hit: &mut dyn Hit) -> Val {
        match value {
            Val::Str(sym) => Val::Int(self.strings.get(sym).chars().count() as i64),
            Val::Stack(n) => Val::Int(self.stacks.get(n).len() as i64),
            Val::Object(object) => {
                if let Some(n) = hit.length(object) {
                    return Val::Int(n);
                }
                // Of a String the whole length, whatever the limit is: a byte or two for each character, as its coder says.
                let class = hit.class_of(object);
                let mut of = |name: &str| hit.find_field(class, name).map(|f| hit.field(object, f));
                let (value, coder) = (of("value"), of("coder"));
                if let (Some(crate::hit::Datum::Object(bytes)), Some(crate::hit::Datum::Int(coder))) =
                    (value, coder)
                    && let Some(n) = hit.length(bytes)
                {
                    return Val::Int(n >> coder.clamp(0, 1));
                }
                if let Some(sym) = self.characters(object, hit) {
                    return Val::Int(self.strings.get(sym).chars().count() as i64);
                }
                let reported = self.reported(Val::Object(object), hit);
                self.trouble(EvaluationError::NoString, span, || reported);
                Val::Null
            }
            value => {
                let reported = self.reported(value, hit);
                self.trouble(EvaluationError::NoString, span, || reported);
                Val::Null
            }
        }
    }

    fn of_strings(
        &mut self,
        function: Function,
        args: [Val; 3],
        count: usize,
        span: Span,
        hit: &mut dyn Hit,
    ) -> Val {
        let Some(first) = self.text(args[0], hit) else {
            return Val::Null;
        };
        let text = self.strings.get(first).to_owned();
        if function == Function::Substr {
            let Some(from) = self.number(args[1], span, hit) else {
                return Val::Null;
            };
            let most = match count {
                3 => match self.number(args[2], span, hit) {
                    Some(n) => n.int(),
                    None => return Val::Null,
                },
                _ => i64::MAX,
            };
            let from = usize::try_from(from.int()).unwrap_or(0);
            let most = usize::try_from(most).unwrap_or(0);
            let part: String = text.chars().skip(from).take(most).collect();
            return Val::Str(self.string(|into| into.push_str(&part)));
        }
        let mut others = [String::new(), String::new()];
        for (other, arg) in others.iter_mut().zip(&args[1..count.clamp(1, 3)]) {
            match self.text(*arg, hit) {
                Some(sym) => self.strings.get(sym).clone_into(other),
                None => return Val::Null,
            }
        }
        let [second, third] = others;
        let made = match function {
            Function::Contains => return Val::Bool(text.contains(&second)),
            Function::StartsWith => return Val::Bool(text.starts_with(&second)),
            Function::EndsWith => return Val::Bool(text.ends_with(&second)),
            Function::IndexOf => {
                let at = text.find(&second).map(|i| text[..i].chars().count() as i64);
                return Val::Int(at.unwrap_or(-1));
            }
            Function::Upper => text.to_uppercase(),
            Function::Lower => text.to_lowercase(),
            Function::Trim => text.trim().to_owned(),
            Function::Replace if second.is_empty() => text,
            Function::Replace => text.replace(&second, &third),
            Function::Simple => simple(&text),
            Function::Package => text
                .rsplit_once('.')
                .map_or("", |(package, _)| package)
                .to_owned(),
            _ => text
                .rsplit(['/', '\\'])
                .next()
                .unwrap_or_default()
                .to_owned(),
        };
        Val::Str(self.string(|into| into.push_str(&made)))
    }
}

/// Without packages: parts up to the first that begins with a capital letter; if there is none, the last part.
fn simple(name: &str) -> String {
    let mut start = 0;
    for part in name.split('.') {
        if part.chars().next().is_some_and(char::is_uppercase) {
            return name[start..].to_owned();
        }
        start += part.len() + 1;
    }
    name.rsplit('.').next().unwrap_or_default().to_owned()
}
