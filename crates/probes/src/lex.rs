//! Tokens of predicates and actions. Points have their own syntax (`points.rs`), so tokens are made on demand.

use crate::source::{Span, SpannedMistake};

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Name(String),
    /// `@name`; the name may be empty.
    Map(String),
    /// `$name`
    Var(String),
    Int(i64),
    Float(f64),
    Str(String),
    Sign(&'static str),
    End,
}

/// Longer ones first.
const SIGNS: [&str; 42] = [
    "<<=", ">>=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++", "--", "+=", "-=", "*=",
    "/=", "%=", "|=", "&=", "^=", "{", "}", "(", ")", "[", "]", ",", ";", ":", "?", ".", "=", "<",
    ">", "+", "-", "*", "/", "%", "!", "~", "|",
];
/// Signs of one character that are not in [`SIGNS`].
const MORE: [&str; 2] = ["&", "^"];

/// Where in a source.
pub struct Lexer<'a> {
    pub text: &'a str,
    pub source: u32,
    pub at: usize,
}

impl<'a> Lexer<'a> {
    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub fn span(&self, start: usize, end: usize) -> Span {
        Span {
            source: self.source,
            start: start as u32,
            end: end as u32,
        }
    }

    /// Passes over white space and comments.
    pub fn skip(&mut self) -> Result<(), SpannedMistake> {
        loop {
            let rest = self.rest();
            let after = rest.trim_start();
            self.at += rest.len() - after.len();
            if after.starts_with("//") || after.starts_with('#') {
                self.at += after.find('\n').unwrap_or(after.len());
            } else if after.starts_with("/*") {
                match after.find("*/") {
                    Some(end) => self.at += end + 2,
                    None => {
                        let span = self.span(self.at, self.at + 2);
                        return SpannedMistake::new(
                            span,
                            "the comment does not end: */ is missing",
                        );
                    }
                }
            } else {
                return Ok(());
            }
        }
    }

    /// The next token.
    pub fn next(&mut self) -> Result<(Token, Span), SpannedMistake> {
        self.skip()?;
        let start = self.at;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok((Token::End, self.span(start, start)));
        };
        let named = |text: &str| -> usize {
            text.find(|c: char| !(c.is_alphanumeric() || c == '_'))
                .unwrap_or(text.len())
        };
        let token = match first {
            '@' | '$' => {
                let len = named(&rest[1..]);
                let name = rest[1..1 + len].to_owned();
                self.at += 1 + len;
                if first == '@' {
                    Token::Map(name)
                } else if name.is_empty() {
                    return SpannedMistake::new(
                        self.span(start, self.at),
                        "expected a name after $",
                    );
                } else {
                    Token::Var(name)
                }
            }
            '"' => self.string()?,
            '0'..='9' => self.number()?,
            c if c.is_alphabetic() || c == '_' => {
                let len = named(rest);
                self.at += len;
                Token::Name(rest[..len].to_owned())
            }
            c => match SIGNS.iter().chain(&MORE).find(|s| rest.starts_with(**s)) {
                Some(sign) => {
                    self.at += sign.len();
                    Token::Sign(sign)
                }
                None => {
                    let span = self.span(start, start + c.len_utf8());
                    return match c {
                        '\'' => SpannedMistake::new(span, "write strings in double quotes"),
                        c => SpannedMistake::new(span, format!("unexpected {c:?}")),
                    };
                }
            },
        };
        Ok((token, self.span(start, self.at)))
    }

    fn string(&mut self) -> Result<Token, SpannedMistake> {
        let start = self.at;
        let mut value = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += i + 1;
                    return Ok(Token::Str(value));
                }
                '\n' => break,
                '\\' => {
                    let escaped = chars.next();
                    value.push(match escaped {
                        Some((_, 'n')) => '\n',
                        Some((_, 't')) => '\t',
                        Some((_, c @ ('"' | '\\'))) => c,
                        _ => {
                            let span = self.span(start + i, start + i + 1);
                            return SpannedMistake::new(
                                span,
                                r#"unknown escape; the escapes are \n, \t, \" and \\"#,
                            );
                        }
                    });
                }
                c => value.push(c),
            }
        }
        SpannedMistake::new(
            self.span(start, start + 1),
            "the string does not end: \" is missing",
        )
    }

    fn number(&mut self) -> Result<Token, SpannedMistake> {
        let rest = self.rest();
        let start = self.at;
        let digits = |text: &str| {
            text.find(|c: char| !(c.is_ascii_digit() || c == '_'))
                .unwrap_or(text.len())
        };
        if let Some(hex) = rest.strip_prefix("0x") {
            let len = hex
                .find(|c: char| !c.is_ascii_hexdigit())
                .unwrap_or(hex.len());
            self.at += 2 + len;
            return match u64::from_str_radix(&hex[..len], 16) {
                Ok(n) => Ok(Token::Int(n as i64)),
                Err(_) => SpannedMistake::new(
                    self.span(start, self.at),
                    "expected a hexadecimal number of 1 to 16 digits",
                ),
            };
        }
        let mut len = digits(rest);
        let fraction = rest[len..].strip_prefix('.').map_or(0, digits);
        if fraction > 0 {
            len += 1 + fraction;
        }
        let plain: String = rest[..len].chars().filter(|&c| c != '_').collect();
        let unit: String = rest[len..]
            .chars()
            .take_while(|c| c.is_alphanumeric())
            .collect();
        self.at += len + unit.len();
        let span = self.span(start, self.at);
        let scale = match unit.as_str() {
            "" | "ns" => 1,
            "us" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "k" => 1 << 10,
            "m" => 1 << 20,
            "g" => 1 << 30,
            _ => {
                return SpannedMistake::new(
                    span,
                    format!(
                        "unknown unit '{unit}': the units are ns, us, ms, s (nanoseconds) and k, m, g (1024 bytes)"
                    ),
                );
            }
        };
        if fraction > 0 {
            return match plain.parse::<f64>() {
                Ok(x) if unit.is_empty() => Ok(Token::Float(x)),
                Ok(x) => Ok(Token::Int((x * scale as f64) as i64)),
                Err(_) => SpannedMistake::new(span, "this is not a number"),
            };
        }
        match plain.parse::<i64>().ok().and_then(|n| n.checked_mul(scale)) {
            Some(n) => Ok(Token::Int(n)),
            None => SpannedMistake::new(
                span,
                "the number is too large: 9223372036854775807 is the largest",
            ),
        }
    }
}
