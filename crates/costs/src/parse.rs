//! Reading models from TOML. Every complaint names the file, the line and the column.

use crate::expr::{Expr, Wrong};
use crate::model::{Model, Native, Parameter};
use crate::opcodes::Key;
use rjvm_profiler::Pattern;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Why a text is not a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {what}")]
pub struct ModelError {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The character in it, from 1.
    pub column: usize,
    /// The mistake.
    pub what: String,
}

/// A text that is being read, for complaints about it.
pub struct Place<'a> {
    pub file: &'a str,
    pub text: &'a str,
}

impl Place<'_> {
    pub fn error(&self, at: usize, what: impl Into<String>) -> ModelError {
        let at = (0..=at.min(self.text.len())).rev();
        let at = at.into_iter().find(|&at| self.text.is_char_boundary(at));
        let before = &self.text[..at.unwrap_or(0)];
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        ModelError {
            file: self.file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line..].chars().count() + 1,
            what: what.into(),
        }
    }
}

type Result<T> = std::result::Result<T, ModelError>;

/// A table's rows in the order of the file.
type Rows<'a> = Vec<(&'a str, Range<usize>, &'a Spanned<DeValue<'a>>)>;

struct Reader<'a> {
    place: Place<'a>,
    names: BTreeMap<String, Rc<Expr>>,
}

/// Reads a model; `set` gives parameters other values than the text does.
pub fn model(text: &str, file: &str, set: &[(String, f64)]) -> Result<Model> {
    let place = Place { file, text };
    let root = match DeTable::parse(text) {
        Ok(root) => root,
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            return Err(place.error(at, error.message().trim()));
        }
    };
    let mut reader = Reader {
        place,
        names: BTreeMap::new(),
    };
    reader.root(root.get_ref(), set)
}

impl Reader<'_> {
    fn root(&mut self, root: &DeTable<'_>, set: &[(String, f64)]) -> Result<Model> {
        let mut texts = BTreeMap::new();
        let mut tables: BTreeMap<&str, (Rows<'_>, usize)> = BTreeMap::new();
        for (name, at, value) in rows(root) {
            match name {
                "name" | "unit" | "about" | "source" => {
                    let Some(text) = value.get_ref().as_str() else {
                        let what = format!("{name} must be a string");
                        return Err(self.place.error(value.span().start, what));
                    };
                    texts.insert(name, text.to_owned());
                }
                "parameters" | "let" | "opcodes" | "natives" | "allocation" | "run" | "unknown" => {
                    let Some(table) = value.get_ref().as_table() else {
                        let what = format!("[{name}] must be a table");
                        return Err(self.place.error(value.span().start, what));
                    };
                    tables.insert(name, (rows(table), at.start));
                }
                _ => {
                    let what = format!(
                        "unknown key '{name}'; the keys are name, unit, about, source, [parameters], [let], \
                         [opcodes], [natives], [allocation], [run] and [unknown]"
                    );
                    return Err(self.place.error(at.start, what));
                }
            }
        }
        let mut text = |name: &str| texts.remove(name);
        let (Some(name), Some(unit)) = (text("name"), text("unit")) else {
            return Err(self.place.error(0, "a model needs a name and a unit"));
        };
        let (about, source) = (text("about"), text("source"));
        if let Some(bad) = [&name, &unit].iter().find(|text| {
            text.is_empty() || text.chars().any(char::is_control) || text.trim() != text.as_str()
        }) {
            let what = format!("invalid name or unit {bad:?}");
            return Err(self.place.error(0, what));
        }
        let mut rows_of = |name: &str| tables.remove(name).map_or(Vec::new(), |table| table.0);
        let parameters = self.parameters(rows_of("parameters"), set)?;
        for (name, at, value) in rows_of("let") {
            self.may_be_named(name, at.start)?;
            let expr = self.expr(value)?;
            self.names.insert(name.to_owned(), expr.into());
        }
        let opcodes = rows_of("opcodes");
        let end = self.place.text.len();
        let opcodes_at = opcodes.first().map_or(end, |row| row.1.start);
        let opcodes: Vec<(Key, Expr, usize)> = opcodes
            .into_iter()
            .map(|(name, at, value)| {
                let key = Key::parse(name)
                    .map_err(|what| self.place.error(at.start, what.to_string()))?;
                Ok((key, self.expr(value)?, at.start))
            })
            .collect::<Result<_>>()?;
        let mut natives = Vec::new();
        for (name, at, value) in rows_of("natives") {
            let patterns = match name {
                "*" => Vec::new(),
                name => Pattern::list(name)
                    .map_err(|e| self.place.error(at.start, format!("{name}: {e}")))?,
            };
            natives.push(Native {
                any: name == "*",
                patterns,
                cost: self.constant(value)?,
            });
        }
        let mut single = |table: &str, names: &[&str]| -> Result<Vec<Option<f64>>> {
            let mut found = vec![None; names.len()];
            for (name, at, value) in rows_of(table) {
                let Some(index) = names.iter().position(|known| *known == name) else {
                    let what = format!("[{table}] has {}, not '{name}'", names.join(" and "));
                    return Err(self.place.error(at.start, what));
                };
                found[index] = Some(self.constant(value)?);
            }
            Ok(found)
        };
        let allocation = single("allocation", &["object", "byte"])?;
        let start = single("run", &["start"])?;
        let unknown = single("unknown", &["bytecode"])?;
        let mut model = Model {
            name,
            unit,
            about,
            source,
            parameters,
            rows: opcodes,
            fitting: Vec::new(),
            natives,
            object: allocation[0],
            byte: allocation[1],
            start: start[0].unwrap_or(0.0),
            unknown: unknown[0],
            text: self.place.text.to_owned(),
            file: self.place.file.to_owned(),
        };
        model.complete(|at, what| self.place.error(at.unwrap_or(opcodes_at), what))?;
        Ok(model)
    }

    fn parameters(&mut self, rows: Rows<'_>, set: &[(String, f64)]) -> Result<Vec<Parameter>> {
        let mut parameters = Vec::new();
        for (name, at, value) in rows {
            self.may_be_named(name, at.start)?;
            let mut number = self.number(value)?;
            if let Some((_, other)) = set.iter().rev().find(|(known, _)| known == name) {
                number = *other;
            }
            self.names
                .insert(name.to_owned(), Rc::new(Expr::Number(number)));
            parameters.push(Parameter {
                name: name.to_owned(),
                value: number,
                span: value.span(),
            });
        }
        for (name, _) in set {
            if !parameters.iter().any(|p| p.name == *name) {
                let known: Vec<&str> = parameters.iter().map(|p| &*p.name).collect();
                let what = format!(
                    "the model has no parameter '{name}'; its parameters are {}",
                    match known.is_empty() {
                        true => "none".into(),
                        false => known.join(", "),
                    }
                );
                return Err(self.place.error(0, what));
            }
        }
        Ok(parameters)
    }

    fn may_be_named(&self, name: &str, at: usize) -> Result<()> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let reserved = crate::expr::VARIABLES.contains(&name)
            || ["max", "min", "ceil", "floor"].contains(&name);
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if reserved || !begins || !name.chars().all(plain) {
            let what = format!(
                "invalid name '{name}': use letters, digits and _, with a letter first; it must not be a variable or function"
            );
            return Err(self.place.error(at, what));
        }
        match self.names.contains_key(name) {
            true => Err(self.place.error(at, format!("'{name}' is defined twice"))),
            false => Ok(()),
        }
    }

    fn number(&self, value: &Spanned<DeValue<'_>>) -> Result<f64> {
        let parsed = match value.get_ref() {
            DeValue::Integer(n) if n.radix() == 10 => n.as_str().parse().ok(),
            DeValue::Float(n) => n.as_str().parse().ok(),
            _ => None,
        };
        let what = "expected a number";
        parsed
            .filter(|n: &f64| n.is_finite())
            .ok_or_else(|| self.place.error(value.span().start, what))
    }

    /// A number or a formula.
    fn expr(&self, value: &Spanned<DeValue<'_>>) -> Result<Expr> {
        let Some(text) = value.get_ref().as_str() else {
            return Ok(Expr::Number(self.number(value).map_err(|error| {
                let what = "expected a number or a formula in quotes".into();
                ModelError { what, ..error }
            })?));
        };
        let named = |name: &str| self.names.get(name).cloned();
        Expr::parse(text, &named).map_err(|Wrong { at, what }| {
            // After the quotes; a formula has no use for escapes.
            self.place.error(value.span().start + 1 + at, what)
        })
    }

    /// A formula in which no variable occurs; its value.
    fn constant(&self, value: &Spanned<DeValue<'_>>) -> Result<f64> {
        let expr = self.expr(value)?;
        let at = value.span().start;
        if expr.knows(&(0..crate::expr::VARIABLES.len())) {
            let what = "variables of an instruction are not allowed here";
            return Err(self.place.error(at, what));
        }
        let number = expr.value(&[0.0; crate::expr::VARIABLES.len()]);
        match number.is_finite() && number >= 0.0 {
            true => Ok(number),
            false => Err(self.place.error(at, format!("invalid cost {number}"))),
        }
    }
}

fn rows<'a>(table: &'a DeTable<'a>) -> Rows<'a> {
    let mut rows: Rows<'a> = table
        .iter()
        .map(|(name, value)| (name.get_ref().as_ref(), name.span(), value))
        .collect();
    rows.sort_by_key(|row| row.1.start);
    rows
}
