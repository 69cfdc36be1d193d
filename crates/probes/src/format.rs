//! Formats of `printf`.

/// A format that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    pub pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    Value(Spec),
}

/// How a value is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    pub kind: char,
    pub width: usize,
    pub precision: Option<usize>,
    /// To the left.
    pub left: bool,
    /// With zeros.
    pub zeros: bool,
    /// With commas between thousands.
    pub grouped: bool,
}

impl Format {
    pub fn parse(text: &str) -> Result<Format, String> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '%' {
                plain.push(c);
                continue;
            }
            let mut spec = Spec {
                kind: 's',
                width: 0,
                precision: None,
                left: false,
                zeros: false,
                grouped: false,
            };
            while let Some(&flag) = chars.peek() {
                match flag {
                    '-' => spec.left = true,
                    '0' => spec.zeros = true,
                    ',' => spec.grouped = true,
                    _ => break,
                }
                chars.next();
            }
            let mut number = || {
                let mut n = None;
                while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
                    n = Some((n.unwrap_or(0) * 10 + digit as usize).min(10_000));
                    chars.next();
                }
                n
            };
            spec.width = number().unwrap_or(0);
            if chars.peek() == Some(&'.') {
                chars.next();
                let mut n = 0;
                while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
                    n = (n * 10 + digit as usize).min(10_000);
                    chars.next();
                }
                spec.precision = Some(n);
            }
            if spec.width > 200 || spec.precision.is_some_and(|p| p > 200) {
                return Err("the width must be at most 200".into());
            }
            match chars.next() {
                Some('%') => plain.push('%'),
                Some(kind @ ('d' | 'x' | 's' | 'f')) => {
                    spec.kind = kind;
                    if !plain.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    }
                    pieces.push(Piece::Value(spec));
                }
                Some(c) => {
                    return Err(format!(
                        "unknown format %{c}; the formats are %d, %x, %f, %s and %%"
                    ));
                }
                None => return Err("the format ends after %; write %% for a percent sign".into()),
            }
        }
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Format { pieces })
    }

    fn specs(&self) -> impl Iterator<Item = &Spec> {
        self.pieces.iter().filter_map(|p| match p {
            Piece::Value(spec) => Some(spec),
            Piece::Text(_) => None,
        })
    }

    /// Places for values.
    pub fn values(&self) -> usize {
        self.specs().count()
    }

    pub fn wants_number(&self, place: usize) -> bool {
        self.specs().nth(place).is_some_and(|s| s.kind != 's')
    }
}

impl Spec {
    /// Appends a text as the width wants it.
    pub fn pad(&self, text: &str, into: &mut String) {
        let len = text.chars().count();
        let fill = self.width.saturating_sub(len);
        if self.left {
            into.push_str(text);
            into.extend(std::iter::repeat_n(' ', fill));
        } else if self.zeros && self.kind != 's' {
            let (sign, digits) = match text.strip_prefix('-') {
                Some(digits) => ("-", digits),
                None => ("", text),
            };
            into.push_str(sign);
            into.extend(std::iter::repeat_n('0', fill));
            into.push_str(digits);
        } else {
            into.extend(std::iter::repeat_n(' ', fill));
            into.push_str(text);
        }
    }
}

/// With commas between thousands.
pub fn grouped(text: &str) -> String {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let (whole, fraction) = match rest.find('.') {
        Some(dot) => rest.split_at(dot),
        None => (rest, ""),
    };
    if !whole.bytes().all(|b| b.is_ascii_digit()) {
        return text.to_owned();
    }
    let mut out = sign.to_owned();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(c);
    }
    out + fraction
}
