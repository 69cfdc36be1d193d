//! Expressions of conditions and messages: names as `print` has them, numbers, strings, comparisons, sums, `!`, `&&`, `||`. They call
//! no methods, so they change nothing.
//!
//! DESIGN. Whole numbers are longs, and overflow as these. Strings are compared by their characters, other objects by identity.

use super::reading;
use super::values::{self, Part};
use rjvm_vm::instruments::Typed;
use rjvm_vm::{Ref, Value, Vm};

/// Characters of an expression.
const LONGEST: usize = 4096;
/// Parentheses and signs in each other.
const DEEPEST: usize = 64;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Value(Computed),
    Path(Vec<Part>),
    Not(Box<Expression>),
    Minus(Box<Expression>),
    Both(&'static str, Box<Expression>, Box<Expression>),
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Computed {
    Bool(bool),
    Whole(i64),
    Real(f64),
    Text(String),
    Null,
    Object(Ref),
}

/// Operators by how tightly they bind, the loosest first; longer ones before those that they begin with.
const LEVELS: [&[&str]; 6] = [
    &["||"],
    &["&&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// Reads an expression.
///
/// # Errors
/// It is none; why.
pub fn read(text: &str) -> Result<Expression, String> {
    let whole = text.trim();
    if whole.len() > LONGEST {
        return Err(format!("an expression has at most {LONGEST} bytes"));
    }
    let mut reader = ExpressionReader {
        rest: whole,
        depth: 0,
    };
    let expression = reader.level(0)?;
    match reader.rest.trim_start() {
        "" => Ok(expression),
        rest => Err(format!("{whole}: unexpected {rest}")),
    }
}

struct ExpressionReader<'a> {
    rest: &'a str,
    depth: usize,
}

impl ExpressionReader<'_> {
    fn level(&mut self, n: usize) -> Result<Expression, String> {
        let Some(operators) = LEVELS.get(n) else {
            return self.single();
        };
        let mut left = self.level(n + 1)?;
        loop {
            let rest = self.rest.trim_start();
            let Some(&op) = operators.iter().find(|op| rest.starts_with(**op)) else {
                return Ok(left);
            };
            self.rest = &rest[op.len()..];
            let right = self.level(n + 1)?;
            left = Expression::Both(op, Box::new(left), Box::new(right));
        }
    }
    fn single(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("an expression has at most {DEEPEST} levels"));
        }
        let found = self.operand();
        self.depth -= 1;
        found
    }
    fn operand(&mut self) -> Result<Expression, String> {
        let rest = self.rest.trim_start();
        self.rest = rest;
        let Some(first) = rest.chars().next() else {
            return Err("the expression ends too early".into());
        };
        match first {
            '!' | '-' => {
                self.rest = &rest[1..];
                let of = Box::new(self.single()?);
                Ok(match first {
                    '!' => Expression::Not(of),
                    _ => Expression::Minus(of),
                })
            }
            '(' => {
                self.rest = &rest[1..];
                let inside = self.level(0)?;
                let after = self.rest.trim_start().strip_prefix(')');
                self.rest = after.ok_or("a ) is missing")?;
                Ok(inside)
            }
            '"' => self.string(),
            '\'' => self.character(),
            '0'..='9' => self.number(),
            _ => self.name(),
        }
    }
    fn string(&mut self) -> Result<Expression, String> {
        let mut text = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(Expression::Value(Computed::Text(text)));
                }
                '\\' => {
                    let escaped = chars.next().ok_or("a \" is missing")?.1;
                    text.push(escape(escaped));
                }
                c => text.push(c),
            }
        }
        Err("a \" is missing".into())
    }
    fn character(&mut self) -> Result<Expression, String> {
        let mut chars = self.rest.chars().skip(1);
        let (c, length) = match chars.next() {
            Some('\\') => (chars.next().map(escape), 1),
            c => (c, 0),
        };
        let wrong = "expected a character in single quotes";
        let c = c.ok_or(wrong)?;
        let end = self.rest.char_indices().nth(2 + length).map(|c| c.0);
        let rest = end.and_then(|end| self.rest[end..].strip_prefix('\''));
        self.rest = rest.ok_or(wrong)?;
        Ok(Expression::Value(Computed::Whole(i64::from(u32::from(c)))))
    }
    fn number(&mut self) -> Result<Expression, String> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        let plain = word.replace('_', "");
        let plain = plain.strip_suffix(['L', 'l']).unwrap_or(&plain);
        let hex = plain
            .strip_prefix("0x")
            .or_else(|| plain.strip_prefix("0X"));
        let whole = match hex {
            Some(digits) => i64::from_str_radix(digits, 16).ok(),
            None => plain.parse().ok(),
        };
        let real = || plain.trim_end_matches(['f', 'F', 'd', 'D']).parse().ok();
        let value = whole.map(Computed::Whole);
        let value = value.or_else(|| real().map(Computed::Real));
        let wrong = || format!("{word} is no number");
        value.map(Expression::Value).ok_or_else(wrong)
    }
    fn name(&mut self) -> Result<Expression, String> {
        let mut inside = false;
        let is_part = |c: char| {
            match c {
                '[' => inside = true,
                ']' => inside = false,
                _ => {}
            }
            c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '[' | ']') || inside && c == ' '
        };
        let mut is_part = is_part;
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok(match word {
            "" => return Err(format!("unexpected {rest}")),
            "true" => Expression::Value(Computed::Bool(true)),
            "false" => Expression::Value(Computed::Bool(false)),
            "null" => Expression::Value(Computed::Null),
            _ => Expression::Path(values::parts(word)?),
        })
    }
}

fn escape(c: char) -> char {
    match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '0' => '\0',
        c => c,
    }
}

impl Computed {
    /// A value of the program.
    pub fn of(vm: &Vm, value: Typed) -> Computed {
        match (value.letter, value.value) {
            (b'Z', Value::Int(v)) => Computed::Bool(v != 0),
            (_, Value::Int(v)) => Computed::Whole(v.into()),
            (_, Value::Long(v)) => Computed::Whole(v),
            (_, Value::Float(v)) => Computed::Real(v.into()),
            (_, Value::Double(v)) => Computed::Real(v),
            (_, Value::Ref(r)) if r.is_null() => Computed::Null,
            (_, Value::Ref(r)) => match reading::characters(vm, r) {
                Some(text) => Computed::Text(text),
                None => Computed::Object(r),
            },
            (_, Value::Void) => Computed::Null,
        }
    }
    /// As a message has it: strings without quotes.
    pub fn text(&self, vm: &Vm) -> String {
        match self {
            Computed::Bool(v) => v.to_string(),
            Computed::Whole(v) => v.to_string(),
            Computed::Real(v) => format!("{v:?}"),
            Computed::Text(text) => text.clone(),
            Computed::Null => "null".into(),
            Computed::Object(r) => {
                let value = Typed {
                    letter: b'L',
                    value: Value::Ref(*r),
                };
                reading::text(vm, value)
            }
        }
    }
    /// The name of its type.
    pub fn kind(&self) -> &'static str {
        match self {
            Computed::Bool(_) => "boolean",
            Computed::Whole(_) => "long",
            Computed::Real(_) => "double",
            Computed::Text(_) => "java.lang.String",
            Computed::Null | Computed::Object(_) => "",
        }
    }
    fn truth(&self) -> Result<bool, String> {
        match self {
            Computed::Bool(v) => Ok(*v),
            _ => Err("expected something that is true or false".into()),
        }
    }
    fn real(&self) -> Option<f64> {
        match self {
            Computed::Whole(v) => Some(*v as f64),
            Computed::Real(v) => Some(*v),
            _ => None,
        }
    }
}

impl Expression {
    /// Its value; `path` has those of names.
    ///
    /// # Errors
    /// It has none; why.
    pub fn value(
        &self,
        path: &mut dyn FnMut(&[Part]) -> Result<Computed, String>,
    ) -> Result<Computed, String> {
        match self {
            Expression::Value(value) => Ok(value.clone()),
            Expression::Path(parts) => path(parts),
            Expression::Not(of) => Ok(Computed::Bool(!of.value(path)?.truth()?)),
            Expression::Minus(of) => match of.value(path)? {
                Computed::Whole(v) => Ok(Computed::Whole(v.wrapping_neg())),
                Computed::Real(v) => Ok(Computed::Real(-v)),
                _ => Err("- needs a number".into()),
            },
            Expression::Both(op @ ("&&" | "||"), left, right) => {
                let first = left.value(path)?.truth()?;
                match first == (*op == "||") {
                    true => Ok(Computed::Bool(first)),
                    false => Ok(Computed::Bool(right.value(path)?.truth()?)),
                }
            }
            Expression::Both(op, left, right) => both(op, &left.value(path)?, &right.value(path)?),
        }
    }
    /// Whether it is true.
    ///
    /// # Errors
    /// As from [`value`](Self::value).
    pub fn is_true(
        &self,
        path: &mut dyn FnMut(&[Part]) -> Result<Computed, String>,
    ) -> Result<bool, String> {
        self.value(path)?.truth()
    }
}

fn both(op: &str, a: &Computed, b: &Computed) -> Result<Computed, String> {
    let truth = |v: bool| Ok(Computed::Bool(v));
    if let (Computed::Whole(a), Computed::Whole(b)) = (a, b) {
        let divided = |v: Option<i64>| v.map(Computed::Whole).ok_or("division by zero".to_owned());
        return match op {
            "==" => truth(a == b),
            "!=" => truth(a != b),
            "<" => truth(a < b),
            "<=" => truth(a <= b),
            ">" => truth(a > b),
            ">=" => truth(a >= b),
            "+" => Ok(Computed::Whole(a.wrapping_add(*b))),
            "-" => Ok(Computed::Whole(a.wrapping_sub(*b))),
            "*" => Ok(Computed::Whole(a.wrapping_mul(*b))),
            "/" => divided((*b != 0).then(|| a.wrapping_div(*b))),
            _ => divided((*b != 0).then(|| a.wrapping_rem(*b))),
        };
    }
    if let (Some(a), Some(b)) = (a.real(), b.real()) {
        return match op {
            "==" => truth(a == b),
            "!=" => truth(a != b),
            "<" => truth(a < b),
            "<=" => truth(a <= b),
            ">" => truth(a > b),
            ">=" => truth(a >= b),
            "+" => Ok(Computed::Real(a + b)),
            "-" => Ok(Computed::Real(a - b)),
            "*" => Ok(Computed::Real(a * b)),
            "/" => Ok(Computed::Real(a / b)),
            _ => Ok(Computed::Real(a % b)),
        };
    }
    match op {
        "==" => truth(a == b),
        "!=" => truth(a != b),
        _ => Err(format!("{op} needs two numbers")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<Computed, String> {
        let mut names = |parts: &[Part]| match parts {
            [Part::Field(name)] if name == "i" => Ok(Computed::Whole(7)),
            [Part::Field(name), Part::Element(2), Part::Field(field)] => {
                Ok(Computed::Text(format!("{name}.{field}")))
            }
            _ => Err("no such name".into()),
        };
        read(text)?.value(&mut names)
    }

    #[test]
    fn values_of_expressions() {
        for (text, want) in [
            ("1 + 2 * 3", Computed::Whole(7)),
            ("(1 + 2) * -3", Computed::Whole(-9)),
            ("i % 2 == 1 && !(i < 7)", Computed::Bool(true)),
            ("i == 8 || i >= 7", Computed::Bool(true)),
            ("true || nothing", Computed::Bool(true)),
            ("false && nothing", Computed::Bool(false)),
            ("\"a\\\"b\" == \"a\\\"b\"", Computed::Bool(true)),
            ("a[2].b == \"a.b\"", Computed::Bool(true)),
            ("null != \"\"", Computed::Bool(true)),
            ("'a' + 1", Computed::Whole(98)),
            ("'\\n' == 10", Computed::Bool(true)),
            ("0x1F + 1_000L", Computed::Whole(1031)),
            ("7 / 2.0", Computed::Real(3.5)),
            ("1.5f < 2", Computed::Bool(true)),
            ("-9223372036854775807 - 1 - 1", Computed::Whole(i64::MAX)),
        ] {
            assert_eq!(value(text), Ok(want), "{text}");
        }
    }

    #[test]
    fn what_is_no_expression() {
        let deep = "(".repeat(100_000);
        let long = "1+".repeat(LONGEST);
        for text in [
            "",
            "1 +",
            "(1",
            "1)",
            "\"a",
            "'",
            "''",
            "'ab'",
            "1x",
            "a..b",
            "a[",
            "#",
            "1 / 0",
            "i &&  true",
            "!i",
            "-\"a\"",
            "\"a\" + 1",
            "nothing",
            "i i",
            &deep,
            &long,
        ] {
            assert!(value(text).is_err(), "{text}");
        }
    }
}
