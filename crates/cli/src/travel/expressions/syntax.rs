//! Reads expressions of Java: literals, names, fields, elements, calls, `new`, casts, `instanceof`, all operators that assign nothing.

use super::{Computed, SyntaxError};

/// Bytes of an expression.
const LONGEST: usize = 4096;
/// Parentheses, signs and arguments in each other.
const DEEPEST: usize = 64;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Value(Computed),
    /// A local, `this`, or the beginning of another name.
    Name(String),
    /// A field, or the rest of the name of a class.
    Member(Box<Expression>, String),
    Element(Box<Expression>, Box<Expression>),
    /// A call of a method: of an object or class, or of the frame's own.
    Call(Option<Box<Expression>>, String, Vec<Expression>),
    New(TypeName, Vec<Expression>),
    /// Lengths of some dimensions, or the elements.
    NewArray(TypeName, Vec<Expression>, Option<Vec<Expression>>),
    Cast(TypeName, Box<Expression>),
    InstanceOf(Box<Expression>, TypeName),
    Unary(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
}

/// A type by its name in sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeName {
    /// Of the class or primitive type, without brackets.
    pub name: String,
    pub dimensions: usize,
}

impl Expression {
    /// The names of `a.b.c`.
    pub fn names(&self) -> Option<Vec<&str>> {
        match self {
            Expression::Name(name) => Some(vec![name]),
            Expression::Member(of, name) => {
                let mut names = of.names()?;
                names.push(name);
                Some(names)
            }
            _ => None,
        }
    }
}

/// The primitive types, with the letters of their descriptors.
pub const PRIMITIVES: [(&str, u8); 8] = [
    ("boolean", b'Z'),
    ("byte", b'B'),
    ("short", b'S'),
    ("char", b'C'),
    ("int", b'I'),
    ("long", b'J'),
    ("float", b'F'),
    ("double", b'D'),
];

/// The word of the language, which is an opcode's name, too.
const INSTANCE_OF: &str = concat!("instance", "of");

/// Operators with two operands by how tightly they bind, the loosest first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">", INSTANCE_OF],
    &["<<", ">>>", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// What an expression consists of; longer ones before those that they begin with.
const SIGNS: [&str; 33] = [
    ">>>", "<<", ">>", "||", "&&", "==", "!=", "<=", ">=", "->", "::", "++", "--", "<", ">", "|",
    "^", "&", "+", "-", "*", "/", "%", "!", "~", "(", ")", "[", "]", "{", "}", ".", ",",
];

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Value(Computed),
    Sign(&'static str),
}

/// Reads an expression.
///
/// # Errors
/// It is none; why.
pub fn read(text: &str) -> Result<Expression, SyntaxError> {
    let whole = text.trim();
    if whole.len() > LONGEST {
        return Err(SyntaxError::TooLong(LONGEST));
    }
    let mut reader = ExpressionReader {
        tokens: tokens(whole)?,
        at: 0,
        depth: 0,
    };
    let expression = reader.choice()?;
    match reader.rest() {
        None => Ok(expression),
        Some(rest) => Err(SyntaxError::Left(whole.into(), rest)),
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, after) = match first {
            '"' => string(rest)?,
            '\'' => character(rest)?,
            '0'..='9' => number(rest)?,
            '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => number(rest)?,
            '?' => (Token::Sign("?"), &rest[1..]),
            ':' if !rest.starts_with("::") => (Token::Sign(":"), &rest[1..]),
            c if c.is_alphabetic() || matches!(c, '_' | '$') => {
                let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
                let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                let token = match &rest[..end] {
                    "true" => Token::Value(Computed::Bool(true)),
                    "false" => Token::Value(Computed::Bool(false)),
                    "null" => Token::Value(Computed::Null),
                    INSTANCE_OF => Token::Sign(INSTANCE_OF),
                    name => Token::Name(name.into()),
                };
                (token, &rest[end..])
            }
            _ => {
                let sign = SIGNS.iter().find(|s| rest.starts_with(**s));
                let sign = *sign.ok_or_else(|| SyntaxError::Unexpected(rest.into()))?;
                (Token::Sign(sign), &rest[sign.len()..])
            }
        };
        found.push(token);
        rest = after.trim_start();
    }
    Ok(found)
}

fn escaped(c: char) -> char {
    match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        's' => ' ',
        '0' => '\0',
        c => c,
    }
}

fn string(rest: &str) -> Result<(Token, &str), SyntaxError> {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((Token::Value(Computed::text_of(text)), &rest[at + 1..])),
            '\\' => text.push(escaped(chars.next().ok_or(SyntaxError::Missing("\""))?.1)),
            c => text.push(c),
        }
    }
    Err(SyntaxError::Missing("\""))
}

fn character(rest: &str) -> Result<(Token, &str), SyntaxError> {
    const WRONG: SyntaxError = SyntaxError::NotCharacter;
    let mut chars = rest.chars().skip(1);
    let (c, length) = match chars.next() {
        Some('\\') => (chars.next().map(escaped), 1),
        c => (c.filter(|c| *c != '\''), 0),
    };
    let c = c.and_then(|c| u16::try_from(u32::from(c)).ok());
    let c = c.ok_or(WRONG)?;
    let end = rest.char_indices().nth(2 + length).map(|c| c.0);
    let after = end.and_then(|end| rest[end..].strip_prefix('\''));
    Ok((Token::Value(Computed::Char(c)), after.ok_or(WRONG)?))
}

fn number(rest: &str) -> Result<(Token, &str), SyntaxError> {
    let mut before = ' ';
    let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let is_part = |c: char| {
        let exponent = !hexadecimal && matches!(before, 'e' | 'E') && matches!(c, '+' | '-');
        before = c;
        exponent || c.is_ascii_alphanumeric() || matches!(c, '.' | '_')
    };
    let mut is_part = is_part;
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let word = &rest[..end];
    let plain = word.replace('_', "");
    let whole = |digits: &str, radix: u32| {
        let (digits, long) = match digits.strip_suffix(['L', 'l']) {
            Some(digits) => (digits, true),
            None => (digits, false),
        };
        let bits = u64::from_str_radix(digits, radix).ok()?;
        // in another radix, all bits may be set
        let (int, most) = match radix {
            10 => (i32::try_from(bits).ok(), i64::MAX as u64),
            _ => (u32::try_from(bits).ok().map(|v| v as i32), u64::MAX),
        };
        match int {
            Some(v) if !long => Some(Computed::Int(v)),
            _ => (bits <= most).then_some(Computed::Long(bits as i64)),
        }
    };
    let radix = |prefix: [&str; 2]| prefix.iter().find_map(|p| plain.strip_prefix(p));
    let real = || {
        // a whole number that is too large is no other number
        let is_real = plain.contains(['.', 'e', 'E']) || plain.ends_with(['f', 'F', 'd', 'D']);
        if !is_real {
            return None;
        }
        let digits = plain.strip_suffix(['f', 'F']);
        match digits {
            Some(digits) => digits.parse().ok().map(Computed::Float),
            None => {
                let digits = plain.strip_suffix(['d', 'D']).unwrap_or(&plain);
                digits.parse().ok().map(Computed::Double)
            }
        }
    };
    let value = match (radix(["0x", "0X"]), radix(["0b", "0B"])) {
        (Some(digits), _) => whole(digits, 16),
        (_, Some(digits)) => whole(digits, 2),
        _ if plain.len() > 1 && plain.starts_with('0') && !plain.contains(['.', 'e', 'E']) => {
            whole(&plain[1..], 8).or_else(real)
        }
        _ => whole(&plain, 10).or_else(real),
    };
    let value = value.ok_or_else(|| SyntaxError::NotNumber(word.into()))?;
    Ok((Token::Value(value), &rest[end..]))
}

struct ExpressionReader {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl ExpressionReader {
    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }
    fn is_sign(&self, ahead: usize, sign: &str) -> bool {
        matches!(self.peek(ahead), Some(Token::Sign(s)) if *s == sign)
    }
    fn take(&mut self, sign: &str) -> bool {
        let is = self.is_sign(0, sign);
        self.at += usize::from(is);
        is
    }
    fn expect(&mut self, sign: &'static str) -> Result<(), SyntaxError> {
        match self.take(sign) {
            true => Ok(()),
            false => Err(SyntaxError::Missing(sign)),
        }
    }
    /// What has not been read, in words.
    fn rest(&self) -> Option<String> {
        Some(match self.peek(0)? {
            Token::Name(name) => name.clone(),
            Token::Sign(sign) => (*sign).into(),
            Token::Value(_) => "value".into(),
        })
    }
    fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<T, SyntaxError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(SyntaxError::TooDeep(DEEPEST));
        }
        let found = read(self);
        self.depth -= 1;
        found
    }
    fn choice(&mut self) -> Result<Expression, SyntaxError> {
        self.deeper(|r| {
            let condition = r.level(0)?;
            if !r.take("?") {
                return Ok(condition);
            }
            let yes = r.choice()?;
            r.expect(":")?;
            let no = r.choice()?;
            Ok(Expression::Choice(
                Box::new(condition),
                Box::new(yes),
                Box::new(no),
            ))
        })
    }
    fn level(&mut self, n: usize) -> Result<Expression, SyntaxError> {
        let Some(operators) = LEVELS.get(n) else {
            return self.unary();
        };
        let mut left = self.level(n + 1)?;
        loop {
            let Some(&op) = operators.iter().find(|op| self.is_sign(0, op)) else {
                return Ok(left);
            };
            self.at += 1;
            left = match op {
                INSTANCE_OF => Expression::InstanceOf(Box::new(left), self.type_name()?),
                _ => {
                    let right = self.level(n + 1)?;
                    Expression::Binary(op, Box::new(left), Box::new(right))
                }
            };
        }
    }
    fn unary(&mut self) -> Result<Expression, SyntaxError> {
        self.deeper(|r| {
            for sign in ["!", "~", "-", "+"] {
                if r.take(sign) {
                    return Ok(Expression::Unary(sign, Box::new(r.unary()?)));
                }
            }
            if let Some(to) = r.cast() {
                return Ok(Expression::Cast(to, Box::new(r.unary()?)));
            }
            r.postfix()
        })
    }
    /// The type in parentheses before what is cast.
    fn cast(&mut self) -> Option<TypeName> {
        let begin = self.at;
        let found = self.take("(").then(|| self.type_name().ok()).flatten();
        let primitive = |t: &TypeName| PRIMITIVES.iter().any(|p| p.0 == t.name);
        let operand = |r: &Self| match r.peek(0) {
            Some(Token::Name(_) | Token::Value(_)) => true,
            Some(Token::Sign(sign)) => matches!(*sign, "(" | "!" | "~"),
            None => false,
        };
        let found = found.filter(|_| self.take(")"));
        let found = found.filter(|t| primitive(t) && self.peek(0).is_some() || operand(self));
        if found.is_none() {
            self.at = begin;
        }
        found
    }
    fn name(&mut self) -> Result<String, SyntaxError> {
        match self.peek(0) {
            Some(Token::Name(name)) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(match self.rest() {
                Some(rest) => SyntaxError::Unexpected(rest),
                None => SyntaxError::EndsEarly,
            }),
        }
    }
    fn class_name(&mut self) -> Result<String, SyntaxError> {
        let mut name = self.name()?;
        while self.is_sign(0, ".") && matches!(self.peek(1), Some(Token::Name(_))) {
            self.at += 1;
            name = name + "." + &self.name()?;
        }
        Ok(name)
    }
    fn type_name(&mut self) -> Result<TypeName, SyntaxError> {
        let name = self.class_name()?;
        let mut dimensions = 0;
        while self.is_sign(0, "[") && self.is_sign(1, "]") {
            self.at += 2;
            dimensions += 1;
        }
        Ok(TypeName { name, dimensions })
    }
    fn postfix(&mut self) -> Result<Expression, SyntaxError> {
        let mut found = self.primary()?;
        loop {
            if self.take(".") {
                let name = self.name()?;
                found = match self.is_sign(0, "(") {
                    true => Expression::Call(Some(Box::new(found)), name, self.arguments(")")?),
                    false => Expression::Member(Box::new(found), name),
                };
            } else if self.take("[") {
                let index = self.choice()?;
                self.expect("]")?;
                found = Expression::Element(Box::new(found), Box::new(index));
            } else {
                return Ok(found);
            }
        }
    }
    /// What is in parentheses or braces.
    fn arguments(&mut self, end: &'static str) -> Result<Vec<Expression>, SyntaxError> {
        // the sign before is there
        self.at += 1;
        let mut all = Vec::new();
        if self.take(end) {
            return Ok(all);
        }
        loop {
            all.push(self.choice()?);
            if self.take(end) {
                return Ok(all);
            }
            if !self.take(",") {
                return Err(SyntaxError::Missing(end));
            }
        }
    }
    fn primary(&mut self) -> Result<Expression, SyntaxError> {
        if let Some(Token::Value(value)) = self.peek(0) {
            let value = value.clone();
            self.at += 1;
            return Ok(Expression::Value(value));
        }
        if self.take("(") {
            let inside = self.choice()?;
            self.expect(")")?;
            return Ok(inside);
        }
        let name = self.name()?;
        match &*name {
            "new" => self.made(),
            _ if self.is_sign(0, "(") => Ok(Expression::Call(None, name, self.arguments(")")?)),
            // `int[].class` is the only use of a type's name with brackets
            _ => Ok(Expression::Name(name)),
        }
    }
    fn made(&mut self) -> Result<Expression, SyntaxError> {
        let name = self.class_name()?;
        if self.is_sign(0, "(") {
            let of = TypeName {
                name,
                dimensions: 0,
            };
            return Ok(Expression::New(of, self.arguments(")")?));
        }
        let (mut lengths, mut dimensions) = (Vec::new(), 0);
        while self.take("[") {
            dimensions += 1;
            if !self.take("]") {
                if lengths.len() + 1 < dimensions {
                    return Err(SyntaxError::Missing("]"));
                }
                lengths.push(self.choice()?);
                self.expect("]")?;
            }
        }
        let of = TypeName { name, dimensions };
        match self.is_sign(0, "{") {
            true if dimensions > 0 && lengths.is_empty() => {
                let elements = self.elements()?;
                Ok(Expression::NewArray(of, lengths, Some(elements)))
            }
            false if !lengths.is_empty() => Ok(Expression::NewArray(of, lengths, None)),
            _ => Err(SyntaxError::NothingToMake),
        }
    }
    fn elements(&mut self) -> Result<Vec<Expression>, SyntaxError> {
        self.arguments("}")
    }
}
