//! Operations on two values. An invalid operation gives null, and is reported at the end.

use super::{EvaluationError, State};
use crate::ast::Binary;
use crate::gathered::Num;
use crate::hit::Hit;
use crate::source::Span;
use crate::value::Val;

impl State {
    pub(super) fn binary(
        &mut self,
        op: Binary,
        a: Val,
        b: Val,
        span: Span,
        hit: &mut dyn Hit,
    ) -> Val {
        match op {
            Binary::Equal => return Val::Bool(self.equal(a, b, hit)),
            Binary::Unequal => return Val::Bool(!self.equal(a, b, hit)),
            Binary::Like => {
                let (Some(text), Some(glob)) = (self.text(a, hit), self.text(b, hit)) else {
                    return Val::Bool(false);
                };
                return Val::Bool(like(self.strings.get(glob), self.strings.get(text)));
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                return Val::Bool(self.compared(op, a, b, span, hit));
            }
            Binary::Add if self.is_text(a, hit) || self.is_text(b, hit) => {
                let mut text = String::new();
                self.write(a, &mut text, hit);
                self.write(b, &mut text, hit);
                return Val::Str(self.string(|into| into.push_str(&text)));
            }
            _ => {}
        }
        let (Some(a), Some(b)) = (self.number(a, span, hit), self.number(b, span, hit)) else {
            return Val::Null;
        };
        if let (Num::Float(_), _) | (_, Num::Float(_)) = (a, b) {
            let (x, y) = (a.float(), b.float());
            let result = match op {
                Binary::Add => x + y,
                Binary::Subtract => x - y,
                Binary::Multiply => x * y,
                Binary::Divide => x / y,
                Binary::Remainder => x % y,
                _ => return self.whole(op, a.int(), b.int(), span),
            };
            return Val::Float(result);
        }
        self.whole(op, a.int(), b.int(), span)
    }

    /// With integers as Java has them, but null for a division by zero.
    fn whole(&mut self, op: Binary, a: i64, b: i64, span: Span) -> Val {
        Val::Int(match op {
            Binary::Add => a.wrapping_add(b),
            Binary::Subtract => a.wrapping_sub(b),
            Binary::Multiply => a.wrapping_mul(b),
            Binary::Divide | Binary::Remainder if b == 0 => {
                self.trouble(EvaluationError::ByZero, span, String::new);
                return Val::Null;
            }
            Binary::Divide => a.wrapping_div(b),
            Binary::Remainder => a.wrapping_rem(b),
            Binary::BitOr => a | b,
            Binary::BitXor => a ^ b,
            Binary::BitAnd => a & b,
            Binary::ShiftLeft => a.wrapping_shl(b as u32),
            Binary::ShiftRight => a.wrapping_shr(b as u32),
            _ => return Val::Null,
        })
    }

    /// A string, or an object that is one?
    fn is_text(&mut self, value: Val, hit: &mut dyn Hit) -> bool {
        match value {
            Val::Str(_) => true,
            Val::Object(object) => hit.string(object, 0, &mut String::new()),
            _ => false,
        }
    }

    fn equal(&mut self, a: Val, b: Val, hit: &mut dyn Hit) -> bool {
        if a == b {
            return true;
        }
        match (a, b) {
            (Val::Null, _) | (_, Val::Null) => false,
            (Val::Int(n), Val::Float(x)) | (Val::Float(x), Val::Int(n)) => n as f64 == x,
            (Val::Bool(b), Val::Int(n)) | (Val::Int(n), Val::Bool(b)) => i64::from(b) == n,
            (Val::Str(x), Val::Str(y)) => self.strings.get(x) == self.strings.get(y),
            (Val::Object(object), Val::Str(_)) | (Val::Str(_), Val::Object(object)) => {
                let text = self.described(object, hit);
                let ((Val::Str(other), _) | (_, Val::Str(other))) = (a, b) else {
                    return false;
                };
                self.strings.get(text) == self.strings.get(other)
            }
            (Val::Object(x), Val::Object(y)) => {
                match (self.characters(x, hit), self.characters(y, hit)) {
                    (Some(x), Some(y)) => self.strings.get(x) == self.strings.get(y),
                    _ => match (self.unboxed(x, hit), self.unboxed(y, hit)) {
                        (Some(x), Some(y)) => x == y,
                        _ => false,
                    },
                }
            }
            (Val::Object(object), other) | (other, Val::Object(object)) => {
                match self.unboxed(object, hit) {
                    Some(value) => self.equal(value, other, hit),
                    None => false,
                }
            }
            _ => false,
        }
    }

    fn compared(&mut self, op: Binary, a: Val, b: Val, span: Span, hit: &mut dyn Hit) -> bool {
        let ordering = if self.is_text(a, hit) && self.is_text(b, hit) {
            match (self.text(a, hit), self.text(b, hit)) {
                (Some(a), Some(b)) => Some(self.strings.get(a).cmp(self.strings.get(b))),
                _ => None,
            }
        } else {
            match (self.number(a, span, hit), self.number(b, span, hit)) {
                (Some(Num::Int(a)), Some(Num::Int(b))) => Some(a.cmp(&b)),
                (Some(a), Some(b)) => a.float().partial_cmp(&b.float()),
                _ => None,
            }
        };
        ordering.is_some_and(|o| match op {
            Binary::Less => o.is_lt(),
            Binary::LessEqual => o.is_le(),
            Binary::Greater => o.is_gt(),
            _ => o.is_ge(),
        })
    }
}

/// Does the text match, where `*` matches any characters and `?` one? One way back is enough, so the time is at
/// most the product of the lengths.
fn like(glob: &str, text: &str) -> bool {
    let (glob, text): (Vec<char>, Vec<char>) = (glob.chars().collect(), text.chars().collect());
    let (mut g, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match glob.get(g) {
            Some('*') => {
                star = Some((g, t));
                g += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => (g, t) = (g + 1, t + 1),
            _ => match star {
                Some((at, end)) => {
                    star = Some((at, end + 1));
                    (g, t) = (at + 1, end + 1);
                }
                None => return false,
            },
        }
    }
    glob[g..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::like;

    #[test]
    fn globs() {
        for (glob, text, expected) in [
            ("a*c", "abc", true),
            ("a*c", "ab", false),
            ("*", "", true),
            ("?", "", false),
            ("SELECT * FROM ?*", "SELECT a.b FROM x", true),
            ("**a**", "xax", true),
        ] {
            assert_eq!(like(glob, text), expected, "{glob} {text}");
        }
        let long = "a".repeat(2000);
        assert!(!like(
            &"*a".repeat(500).as_str().replace("*a", "*a*b"),
            &long
        ));
    }
}
