//! Formulas of cost models: numbers, parameters, variables of an instruction, `+ - * /`, `max`, `min`, `ceil`, `floor`.

use std::rc::Rc;

/// What a formula may know of the place it is evaluated for. The names are those in a model.
pub const VARIABLES: [&str; 12] = [
    "slots",
    "arguments",
    "cases",
    "dimensions",
    "local",
    "wide",
    "callee_bytes",
    "callee_words",
    "callee_native",
    "callee_synchronized",
    "caller_bytes",
    "caller_words",
];

/// The values of [`VARIABLES`].
pub type Values = [f64; VARIABLES.len()];

/// Index of the first variable that the called method decides.
pub const CALLEE: usize = 6;
/// Index of the first variable that the method returned to decides.
pub const CALLER: usize = 10;

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Number(f64),
    Variable(usize),
    Named(Rc<Expr>),
    Binary(char, Box<Expr>, Box<Expr>),
    Call(Function, Vec<Expr>),
}

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Max,
    Min,
    Ceil,
    Floor,
}

/// Why a text is not a formula: the byte where that shows, and the mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub at: usize,
    pub what: String,
}

/// How deep parentheses may be nested.
const DEEPEST: usize = 40;

impl Expr {
    /// Reads a formula; `name` resolves names other than the variables.
    pub fn parse(text: &str, name: &dyn Fn(&str) -> Option<Rc<Expr>>) -> Result<Expr, Wrong> {
        let mut parser = Parser {
            text,
            at: 0,
            depth: 0,
            name,
        };
        let expr = parser.sum()?;
        match parser.peek() {
            None => Ok(expr),
            Some(c) => Err(parser.wrong(format!("unexpected '{c}'"))),
        }
    }

    /// The value; not finite if something is divided by zero.
    pub fn value(&self, values: &Values) -> f64 {
        match self {
            Expr::Number(n) => *n,
            Expr::Variable(index) => values[*index],
            Expr::Named(expr) => expr.value(values),
            Expr::Binary(op, a, b) => {
                let (a, b) = (a.value(values), b.value(values));
                match op {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    _ => a / b,
                }
            }
            Expr::Call(function, arguments) => {
                let mut all = arguments.iter().map(|a| a.value(values));
                let first = all.next().unwrap_or(0.0);
                match function {
                    Function::Max => all.fold(first, f64::max),
                    Function::Min => all.fold(first, f64::min),
                    Function::Ceil => first.ceil(),
                    Function::Floor => first.floor(),
                }
            }
        }
    }

    /// Does a variable occur whose index is one of these?
    pub fn knows(&self, variables: &std::ops::Range<usize>) -> bool {
        match self {
            Expr::Number(_) => false,
            Expr::Variable(index) => variables.contains(index),
            Expr::Named(expr) => expr.knows(variables),
            Expr::Binary(_, a, b) => a.knows(variables) || b.knows(variables),
            Expr::Call(_, all) => all.iter().any(|a| a.knows(variables)),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    name: &'a dyn Fn(&str) -> Option<Rc<Expr>>,
}

impl Parser<'_> {
    fn wrong(&self, what: String) -> Wrong {
        Wrong { at: self.at, what }
    }

    /// The next character that is not a blank.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let next = self.peek().filter(|c| wanted.contains(c))?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn sum(&mut self) -> Result<Expr, Wrong> {
        let mut left = self.product()?;
        while let Some(op) = self.take(&['+', '-']) {
            left = Expr::Binary(op, left.into(), self.product()?.into());
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Expr, Wrong> {
        let mut left = self.factor()?;
        while let Some(op) = self.take(&['*', '/']) {
            left = Expr::Binary(op, left.into(), self.factor()?.into());
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Expr, Wrong> {
        if self.depth >= DEEPEST {
            return Err(self.wrong(format!("nested more than {DEEPEST} levels deep")));
        }
        self.depth += 1;
        let factor = self.factor_below();
        self.depth -= 1;
        factor
    }

    fn factor_below(&mut self) -> Result<Expr, Wrong> {
        if self.take(&['(']).is_some() {
            let inner = self.sum()?;
            self.close()?;
            return Ok(inner);
        }
        if self.take(&['-']).is_some() {
            let zero = Expr::Number(0.0);
            return Ok(Expr::Binary('-', zero.into(), self.factor()?.into()));
        }
        let Some(first) = self.peek() else {
            return Err(self.wrong("unexpected end".into()));
        };
        let start = self.at;
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let rest = &self.text[start..];
        let end = rest.find(|c: char| !word(c)).unwrap_or(rest.len());
        let token = &rest[..end];
        if token.is_empty() {
            return Err(self.wrong(format!("unexpected '{first}'")));
        }
        if first.is_ascii_digit() || first == '.' {
            let number: f64 = match token.parse() {
                Ok(number) => number,
                Err(_) => return Err(self.wrong(format!("'{token}' is not a number"))),
            };
            self.at += end;
            return Ok(Expr::Number(number));
        }
        let function = match token {
            "max" => Some(Function::Max),
            "min" => Some(Function::Min),
            "ceil" => Some(Function::Ceil),
            "floor" => Some(Function::Floor),
            _ => None,
        };
        if let Some(function) = function {
            self.at += end;
            return self.call(function, token, start);
        }
        let expr = if let Some(index) = VARIABLES.iter().position(|v| *v == token) {
            Expr::Variable(index)
        } else if let Some(named) = (self.name)(token) {
            Expr::Named(named)
        } else {
            let known = VARIABLES.join(", ");
            return Err(self.wrong(format!(
                "unknown name '{token}': it is not a parameter, not in [let], and not one of {known}"
            )));
        };
        self.at += end;
        Ok(expr)
    }

    fn call(&mut self, function: Function, name: &str, start: usize) -> Result<Expr, Wrong> {
        if self.take(&['(']).is_none() {
            return Err(self.wrong(format!("expected '(' after {name}")));
        }
        let mut arguments = vec![self.sum()?];
        while self.take(&[',']).is_some() {
            arguments.push(self.sum()?);
        }
        self.close()?;
        let one = matches!(function, Function::Ceil | Function::Floor);
        if one && arguments.len() != 1 {
            let what = format!("{name} takes one argument");
            return Err(Wrong { at: start, what });
        }
        Ok(Expr::Call(function, arguments))
    }

    fn close(&mut self) -> Result<(), Wrong> {
        match self.take(&[')']) {
            Some(_) => Ok(()),
            None => Err(self.wrong("')' is missing".into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, Wrong> {
        let mut values = [0.0; VARIABLES.len()];
        values[0] = 3.0;
        let name = |name: &str| (name == "r").then(|| Rc::new(Expr::Number(2.0)));
        Ok(Expr::parse(text, &name)?.value(&values))
    }

    #[test]
    fn formulas_have_the_usual_meaning() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2)*3", 9.0),
            ("8 - 2 - 1", 5.0),
            ("12 / 2 / 3", 2.0),
            ("-r + slots", 1.0),
            ("17 + max(0, r-3, slots - 1)", 19.0),
            ("ceil(slots / 2) + floor(2.9)", 4.0),
            ("min(r, 0.5)", 0.5),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn mistakes_are_reported_with_their_place() {
        for (text, at, what) in [
            ("1 +", 3, "unexpected end"),
            ("(1", 2, "')' is missing"),
            ("1 $ 2", 2, "unexpected '$'"),
            ("max 1", 4, "expected '(' after max"),
            ("2 + floor(1, 2)", 4, "floor takes one argument"),
            ("1.2.3", 0, "'1.2.3' is not a number"),
        ] {
            let wrong = value(text).unwrap_err();
            assert_eq!((wrong.at, &*wrong.what), (at, what), "{text}");
        }
        let wrong = value("1 + speed").unwrap_err();
        assert_eq!(wrong.at, 4);
        assert!(
            wrong
                .what
                .starts_with("unknown name 'speed': it is not a parameter")
        );
        let deep = value(&"(".repeat(10_000)).unwrap_err();
        assert_eq!(deep.what, "nested more than 40 levels deep");
    }
}
