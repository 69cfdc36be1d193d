//! Values of options, and of arguments of commands, that cannot be used.

use thiserror::Error;

/// Why a value cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InvalidValue {
    /// It is not what is expected.
    #[error("expected {0}")]
    Expected(&'static str),
    /// The same of a value that the message names.
    #[error("{0}: expected {1}")]
    Named(String, &'static str),
    /// It is out of range, or breaks another rule.
    #[error("{0}")]
    Rule(&'static str),
    /// It is above the greatest one: what it is, and that one.
    #[error("{0} must be at most {1}")]
    Above(&'static str, u64),
    /// It is not one of a list.
    #[error("unknown {kind} {name}{}: the {list} are {}", guess(*.meant), all.join(", "))]
    Unknown {
        /// What it is not.
        kind: &'static str,
        /// The value.
        name: String,
        /// The value that is probably meant.
        meant: Option<&'static str>,
        /// How the list is called.
        list: &'static str,
        /// The list.
        all: Vec<&'static str>,
    },
}

fn guess(meant: Option<&str>) -> String {
    meant.map_or(String::new(), |m| format!(" (did you mean {m}?)"))
}
