//! The description of an option: its names, its value, its place in the help, its effect.

use super::config::Config;
use Group::{Own, Report};

/// How an option takes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// It has none.
    Bare,
    /// The rest of the word: `-Xmx512m`. The text describes it.
    Joined(&'static str),
    /// Nothing, or what follows a colon: `-ea:java.util...`.
    Colon(&'static str),
    /// `--name=value` only.
    Equals(&'static str),
    /// Nothing, or `=value`.
    Maybe(&'static str),
    /// The next word, or `--name=value`: description, and the missing thing in the message if there is none.
    Next(&'static str, &'static str),
}

/// Where the help lists an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// `--help`, first part: as `java` has it.
    Java,
    /// `--help`, second part: what only rjvm has.
    Own,
    /// The same, for what looks on and makes reports: it changes nothing of what is executed, so a replay may differ in it
    /// from the recorded run.
    Report,
    /// `-X`.
    Extra,
    /// Nowhere: accepted for compatibility.
    Hidden,
}

/// Why an option is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionProblem {
    /// These lines, then that no VM could be made.
    Vm(String),
    /// The same where `java` writes the lines to standard output.
    VmOut(String),
    /// This line, after that the VM could not be initialized: to standard output as well.
    Init(String),
    /// One line; the usage is not at issue.
    Own(String),
}

impl OptionProblem {
    /// The reason.
    pub fn text(&self) -> &str {
        match self {
            OptionProblem::Vm(t) | OptionProblem::VmOut(t) => t,
            OptionProblem::Init(t) | OptionProblem::Own(t) => t,
        }
    }
}

/// What an option does with its value.
pub type Effect = fn(&mut Config, &str) -> Result<(), OptionProblem>;

/// An option.
pub struct Flag {
    /// Its names.
    pub names: &'static [&'static str],
    /// Its value.
    pub form: Form,
    /// Where help shows it.
    pub group: Group,
    /// What it does, for people.
    pub help: &'static str,
    /// What it does.
    pub set: Effect,
}

impl Flag {
    /// How it is written under one of its names.
    pub fn written(&self, name: &str) -> String {
        match self.form {
            Form::Bare => name.into(),
            Form::Joined(v) => format!("{name}{v}"),
            Form::Colon(v) => format!("{name}[:{v}]"),
            Form::Equals(v) => format!("{name}={v}"),
            Form::Maybe(v) => format!("{name}[={v}]"),
            Form::Next(v, _) => format!("{name} <{v}>"),
        }
    }
    /// The first part of its help, for lists.
    pub fn short_help(&self) -> &'static str {
        self.help
            .split_once(';')
            .map_or(self.help, |(first, _)| first)
    }
    /// Whether its value can be the empty word.
    pub fn may_be_empty(&self) -> bool {
        ["-cp", "-d"].iter().any(|n| self.names.contains(n))
    }
    /// Whether its value can be `-`, standard output.
    pub fn may_be_dash(&self) -> bool {
        self.names.contains(&"-o")
    }
    /// Whether only rjvm has it.
    pub fn is_own(&self) -> bool {
        matches!(self.group, Own | Report)
    }
    /// Whether `java` reads it as a list of modules: it says so of `--name=` without a value.
    pub fn is_module_list(&self) -> bool {
        !["--module", "--source", "-o"]
            .iter()
            .any(|n| self.names.contains(n))
    }
}
