//! Just enough JSON to write results.

use rjvm_profiler::export::JsonString;
use std::io::{self, Write};

/// A JSON value.
#[derive(Clone, Debug)]
pub enum Json {
    /// A whole number.
    Number(i128),
    /// A number with a fraction.
    Real(f64),
    /// `true` or `false`.
    Bool(bool),
    /// `null`.
    Null,
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object, its members in order.
    Object(Vec<(&'static str, Json)>),
}

impl From<u64> for Json {
    fn from(n: u64) -> Self {
        Json::Number(n.into())
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Json::Text(text.into())
    }
}

impl Json {
    /// Writes the value and a line end. The elements of lists have a line each.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.value(out, 0)?;
        out.write_all(b"\n")
    }

    /// Values are nested as deep as this code nests them, so the recursion is bounded.
    fn value(&self, out: &mut dyn Write, level: usize) -> io::Result<()> {
        match self {
            Json::Number(n) => write!(out, "{n}"),
            // `{:?}` always has a point or an exponent; JSON has no other than finite numbers.
            Json::Real(x) if x.is_finite() => write!(out, "{x:?}"),
            Json::Real(_) => out.write_all(b"null"),
            Json::Bool(b) => write!(out, "{b}"),
            Json::Null => out.write_all(b"null"),
            Json::Text(text) => write!(out, "{}", JsonString(text)),
            Json::List(values) if values.is_empty() => out.write_all(b"[]"),
            Json::List(values) => {
                let scalar = |v: &Json| !matches!(v, Json::List(_) | Json::Object(_));
                let flat = values.iter().all(scalar);
                out.write_all(b"[")?;
                for (i, value) in values.iter().enumerate() {
                    separate(out, i, flat, level + 1)?;
                    value.value(out, level + 1)?;
                }
                if !flat {
                    line(out, level)?;
                }
                out.write_all(b"]")
            }
            Json::Object(members) => {
                let flat = level > 1;
                out.write_all(b"{")?;
                for (i, (name, value)) in members.iter().enumerate() {
                    separate(out, i, flat, level + 1)?;
                    write!(out, "{}: ", JsonString(name))?;
                    value.value(out, level + 1)?;
                }
                if !flat {
                    line(out, level)?;
                }
                out.write_all(b"}")
            }
        }
    }
}

fn separate(out: &mut dyn Write, i: usize, flat: bool, level: usize) -> io::Result<()> {
    if i > 0 {
        out.write_all(b",")?;
    }
    match flat {
        true if i > 0 => out.write_all(b" "),
        true => Ok(()),
        false => line(out, level),
    }
}

fn line(out: &mut dyn Write, level: usize) -> io::Result<()> {
    write!(out, "\n{:1$}", "", 2 * level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_json() {
        let value = Json::Object(vec![
            ("a\"b", Json::List(vec![1.into(), "x\\\n".into()])),
            ("real", Json::Real(1.0)),
            ("nan", Json::Real(f64::NAN)),
            (
                "rows",
                Json::List(vec![Json::Object(vec![
                    ("n", Json::Number(-5)),
                    ("m", 2.into()),
                ])]),
            ),
            ("none", Json::List(vec![])),
        ]);
        let mut out = Vec::new();
        value.write(&mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "{\n  \"a\\\"b\": [1, \"x\\\\\\u000a\"],\n  \"real\": 1.0,\n  \"nan\": null,\n  \
             \"rows\": [\n    {\"n\": -5, \"m\": 2}\n  ],\n  \"none\": []\n}\n"
        );
    }
}
