//! Why a stopped program does not show something.

use super::expression_error::{ExpressionError, SyntaxError};
use thiserror::Error;

/// Why a stopped program does not show something.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LookError {
    /// An expression has no value.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// This expression has none.
    #[error("{0}: {1}")]
    Of(String, ExpressionError),
    /// A text does not consist of names and indices.
    #[error(
        "{0}: expected a local, this.field, Class.field, array[index], or more of them, such as a.b[2].c"
    )]
    NotPath(String),
    /// A text has a greater index than this.
    #[error("{0}: the greatest index is {1}")]
    GreatIndex(String, usize),
    /// An object of this class shows no such field: the text, the class, the field.
    #[error("{0}: {1} shows no field {2}")]
    HiddenField(String, String, String),
    /// A local that has no value yet.
    #[error("{0} is not set here")]
    NotSet(String),
    /// No thread has this number.
    #[error("there is no thread {0}")]
    NoThread(u32),
    /// No thread can run.
    #[error("no thread runs next")]
    NothingRuns,
    /// The thread has no such frame.
    #[error("there is no such frame")]
    NoFrame,
    /// The thread that runs next has none at all.
    #[error("the thread has no frames")]
    NoFrames,
    /// No inspection has begun.
    #[error("there is no state")]
    NoState,
    /// No method with code has the number.
    #[error("there is no such method")]
    NoMethod,
    /// The class file of the method at this place names no source, or the file is missing.
    #[error("there is no source of {0}")]
    NoSource(String),
    /// The number is of an object that is no longer known.
    #[error("the object no longer exists")]
    Gone,
    /// More objects would be shown at a time than this.
    #[error("at most {0} objects are shown at a time")]
    TooMany(usize),
    /// What the text names has no such element.
    #[error("{0} has no element {1}")]
    NoElement(String, usize),
    /// A text that begins as an operand does.
    #[error("{0}: expected $0 for the top operand, $1 for the one below it")]
    NotOperand(String),
    /// There are fewer operands: the text, and their number.
    #[error("there is no operand {0}: {1} are there")]
    NoOperand(String, usize),
    /// The program is not at this bytecode of the method, but at this position.
    #[error("the program is not at bytecode {0} at {1}")]
    Elsewhere(u16, i64),
}

impl From<SyntaxError> for LookError {
    fn from(e: SyntaxError) -> LookError {
        LookError::Expression(e.into())
    }
}
