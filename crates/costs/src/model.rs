//! A model: what each thing that a program does costs on some machine.

use crate::expr::{self, Expr, VARIABLES};
use crate::opcodes::Key;
use crate::parse::{self, ModelError};
use crate::shape::Instruction;
use rjvm_classfile::opcodes::{OPCODES, WIDE};
use rjvm_profiler::{MethodInfo, Pattern};
use std::ops::Range;

/// The models that come with the crate: their names and texts.
pub const SHIPPED: [(&str, &str); 5] = [
    ("bytecodes", include_str!("../models/bytecodes.toml")),
    ("jop", include_str!("../models/jop.toml")),
    ("xint-17", include_str!("../models/xint-17.toml")),
    ("xint-25", include_str!("../models/xint-25.toml")),
    ("energy", include_str!("../models/energy.toml")),
];

/// The text of a model that comes with the crate.
pub fn shipped(name: &str) -> Option<&'static str> {
    let found = SHIPPED.iter().find(|model| model.0 == name);
    found.map(|model| model.1)
}

/// A number that formulas use by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Where the value is in the text.
    pub(crate) span: Range<usize>,
}

/// What calls of native methods cost.
#[derive(Clone, Debug)]
pub struct Native {
    /// All methods.
    pub any: bool,
    /// These methods.
    pub patterns: Vec<Pattern>,
    /// For each call.
    pub cost: f64,
}

/// A cost model. Costs are in its unit; `docs/costs.md` describes the file.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// What costs are counted in: `cycles`, `ns`.
    pub unit: String,
    /// The subject of the model.
    pub about: Option<String>,
    /// Where its numbers come from.
    pub source: Option<String>,
    /// Numbers that may be set when the model is read.
    pub parameters: Vec<Parameter>,
    /// Keys, formulas, and where they are in the text.
    pub(crate) rows: Vec<(Key, Expr, usize)>,
    /// By opcode, the rows that may be for it, those that say most of it first.
    pub(crate) fitting: Vec<Vec<usize>>,
    pub(crate) natives: Vec<Native>,
    /// For each object allocated, and for each byte of it; `None`: the model does not ask.
    pub(crate) object: Option<f64>,
    pub(crate) byte: Option<f64>,
    /// Once for a run.
    pub(crate) start: f64,
    /// For each bytecode of a method whose code is not known; `None`: the mean of the others.
    pub(crate) unknown: Option<f64>,
    pub(crate) text: String,
    pub(crate) file: String,
}

impl Model {
    /// Reads a model. `file` is what complaints call the text; `set` gives parameters other values.
    pub fn parse(text: &str, file: &str, set: &[(String, f64)]) -> Result<Model, ModelError> {
        parse::model(text, file, set)
    }

    /// Reads this model again with other values of its parameters.
    pub fn with(&self, set: &[(String, f64)]) -> Result<Model, ModelError> {
        Model::parse(&self.text, &self.file, set)
    }

    /// The text of the model with these values of its parameters, in their order.
    pub fn text_with(&self, values: &[f64]) -> String {
        let mut text = self.text.clone();
        let mut rows: Vec<(&Parameter, &f64)> = self.parameters.iter().zip(values).collect();
        rows.sort_by_key(|(parameter, _)| parameter.span.start);
        for (parameter, value) in rows.into_iter().rev() {
            text.replace_range(parameter.span.clone(), &format!("{value:?}"));
        }
        text
    }

    /// Does it charge for allocations?
    pub fn needs_allocations(&self) -> bool {
        [self.object, self.byte].iter().flatten().any(|&n| n > 0.0)
    }

    /// Does any cost depend on the method that is called or returned to?
    pub fn needs_call_sites(&self) -> bool {
        let methods = expr::CALLEE..VARIABLES.len();
        self.rows.iter().any(|row| row.1.knows(&methods))
    }

    /// Finds the rows for each opcode. Complains of opcodes without a cost, and of rows that say as much of one as others.
    pub(crate) fn complete(
        &mut self,
        error: impl Fn(Option<usize>, String) -> ModelError,
    ) -> Result<(), ModelError> {
        self.fitting = vec![Vec::new(); 256];
        for opcode in OPCODES.iter().filter(|o| o.byte != WIDE) {
            let mut plain: Vec<(usize, usize)> = Vec::new();
            let mut narrow: Vec<(usize, usize)> = Vec::new();
            for (row, (key, _, _)) in self.rows.iter().enumerate() {
                let Some(letters) = key.rank(opcode.mnemonic) else {
                    continue;
                };
                match key.kind {
                    Some(_) => narrow.push((letters, row)),
                    None => plain.push((letters, row)),
                }
            }
            // Of rows that say as much the earlier one comes first.
            let order = |row: &(usize, usize)| (std::cmp::Reverse(row.0), row.1);
            plain.sort_by_key(order);
            narrow.sort_by_key(order);
            if let [(best, _), (next, row), ..] = plain[..]
                && best == next
            {
                let what = format!("two rows match {}: give it its own row", opcode.mnemonic);
                return Err(error(Some(self.rows[row].2), what));
            }
            if plain.is_empty() {
                let what = format!(
                    "{} has no cost; add a row for it, or \"*\" for all opcodes without a row",
                    opcode.mnemonic
                );
                return Err(error(None, what));
            }
            let rows = narrow.iter().chain(&plain).map(|&(_, row)| row);
            self.fitting[usize::from(opcode.byte)] = rows.collect();
        }
        Ok(())
    }

    /// The formula for an instruction.
    pub(crate) fn formula(&self, instruction: &Instruction) -> &Expr {
        let rows = self.fitting[usize::from(instruction.opcode)].iter();
        let mut rows = rows.map(|&row| &self.rows[row]);
        let best = rows.find(|(key, _, _)| key.kind.is_none() || key.kind == instruction.kind);
        &best.expect("every opcode has a cost").1
    }

    /// What a call of a native method costs.
    pub(crate) fn native(&self, method: &MethodInfo) -> f64 {
        let fits = |n: &&Native| n.any || n.patterns.iter().any(|p| p.matches(method));
        self.natives.iter().find(fits).map_or(0.0, |n| n.cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        Model::parse(text, "m.toml", &[]).unwrap_err().to_string()
    }

    const HEAD: &str = "name = \"m\"\nunit = \"cycles\"\n";

    #[test]
    fn shipped_models_are_models() {
        for (name, text) in SHIPPED {
            let model = Model::parse(text, name, &[]).unwrap();
            assert_eq!(model.name, name);
            assert!(model.about.is_some() && model.source.is_some(), "{name}");
        }
        assert!(shipped("none").is_none());
    }

    #[test]
    fn mistakes_are_reported_with_line_and_column() {
        let with = |text: &str| message(&format!("{HEAD}{text}"));
        for (text, expected) in [
            ("[opcodes]\n\"*\" = 1 +\n", "m.toml:4:7: "),
            ("speed = 1\n", "m.toml:3:1: unknown key 'speed'; "),
            (
                "[opcodes]\n\"*\" = 1\niad = 2\n",
                "m.toml:5:1: unknown opcode 'iad'",
            ),
            ("[opcodes]\niadd = 1\n", "m.toml:4:1: nop has no cost; "),
            (
                "[opcodes]\n\"*\" = 1\n\"ia*\" = 2\n\"*dd\" = 2\n",
                "m.toml:6:1: two rows match iadd",
            ),
            (
                "[opcodes]\n\"*\" = \"1 + speed\"\n",
                "m.toml:4:12: unknown name 'speed': it is not a parameter",
            ),
            (
                "[opcodes]\n\"*\" = true\n",
                "m.toml:4:7: expected a number or a formula in quotes",
            ),
            (
                "[opcodes]\n\"*\" = 1\n[natives]\n\"*\" = \"slots\"\n",
                "m.toml:6:7: variables of an instruction are not allowed here",
            ),
            (
                "[opcodes]\n\"*\" = 1\n[allocation]\nbytes = 1\n",
                "m.toml:6:1: [allocation] has object and byte, not 'bytes'",
            ),
            (
                "[opcodes]\n\"*\" = 1\n[allocation]\nbyte = -1\n",
                "m.toml:6:8: invalid cost -1",
            ),
            ("[parameters]\nmax = 1\n", "m.toml:4:1: invalid name 'max'"),
            (
                "[parameters]\nr = 1\n[let]\nr = 2\n",
                "m.toml:6:1: 'r' is defined twice",
            ),
            (
                "parameters = 1\n",
                "m.toml:3:14: [parameters] must be a table",
            ),
        ] {
            let message = with(text);
            assert!(message.starts_with(expected), "{text}: {message}");
        }
        assert_eq!(
            message("unit = \"x\""),
            "m.toml:1:1: a model needs a name and a unit"
        );
        let ärger = message("name = \"ä\" x");
        assert!(ärger.starts_with("m.toml:1:12: "), "{ärger}");
    }

    #[test]
    fn parameters_can_be_set_and_written() {
        let text =
            format!("{HEAD}[parameters]\nb = 2\na = 1.5 # why\n[opcodes]\n\"*\" = \"a + b\"\n");
        let model = Model::parse(&text, "m", &[("a".into(), 4.0)]).unwrap();
        let names: Vec<(&str, f64)> = model
            .parameters
            .iter()
            .map(|p| (&*p.name, p.value))
            .collect();
        assert_eq!(names, [("b", 2.0), ("a", 4.0)]);
        let written = model.text_with(&[0.25, 3.0]);
        assert!(written.contains("b = 0.25\na = 3.0 # why\n"), "{written}");
        let error = Model::parse(&text, "m", &[("c".into(), 1.0)]).unwrap_err();
        assert_eq!(
            error.what,
            "the model has no parameter 'c'; its parameters are b, a"
        );
    }
}
