//! Why a request of a debug adapter's client is not carried out.

use super::super::expression_error::SyntaxError;
use super::super::timeline::TravelError;
use super::frames::DapRequest;
use crate::invalid::InvalidValue;
use thiserror::Error;

/// Why a request is not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DapError {
    /// It does not fit the protocol, or what the session is doing.
    #[error("{0}")]
    Unfit(&'static str),
    /// An argument is wrong: its name, and why.
    #[error("{0}: {1}")]
    Argument(String, String),
    /// A value within an argument is none.
    #[error(transparent)]
    Value(#[from] InvalidValue),
    /// A condition is no expression.
    #[error(transparent)]
    Condition(#[from] SyntaxError),
    /// There would be more than so many of something.
    #[error("at most {0} {1}")]
    TooMany(usize, &'static str),
    /// Paths of this form are not supported.
    #[error("pathFormat {0} is not supported; expected path")]
    PathFormat(String),
    /// The protocol has no such request, or the server does not support it.
    #[error("{0}: no such request")]
    NoRequest(String),
    /// A value that no expression names.
    #[error("{0} cannot be changed: no expression names it")]
    Unnamed(String),
    /// A file without a source.
    #[error("there is no source of {0}")]
    NoSource(String),
    /// The program cannot begin; why.
    #[error("{0}")]
    NotBegun(String),
    /// The program has ended before `main`, with this code.
    #[error("the program has ended before main, with exit code {0}")]
    Ended(i32),
    /// The program's processes do not do it.
    #[error(transparent)]
    Travel(#[from] TravelError),
}

impl DapError {
    /// A process of the program has answered another request.
    pub const UNEXPECTED: DapError =
        DapError::Unfit("unexpected answer from a process of the program");
    /// There is no program to look at.
    pub const NO_PROGRAM: DapError = DapError::Unfit("there is no program");

    /// An argument is missing, or is another kind of value.
    pub fn expected(argument: &str, what: &str) -> DapError {
        DapError::Argument(argument.into(), format!("expected {what}"))
    }
}

impl DapRequest {
    /// An argument that is a text.
    ///
    /// # Errors
    /// It is missing, or another kind of value.
    pub fn expect_text(&self, name: &str) -> Result<&str, DapError> {
        self.text(name)
            .ok_or_else(|| DapError::expected(name, "a string"))
    }
}
