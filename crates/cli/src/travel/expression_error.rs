//! Why a text is no expression, and why an expression has no value.

use std::fmt::Display;
use thiserror::Error;

/// Why a text is no expression.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SyntaxError {
    /// It has more bytes than this.
    #[error("an expression has at most {0} bytes")]
    TooLong(usize),
    /// Its parts lie in each other more often than this.
    #[error("an expression has at most {0} levels")]
    TooDeep(usize),
    /// What cannot stand where it does.
    #[error("unexpected {0}")]
    Unexpected(String),
    /// What is left after this expression.
    #[error("{0}: unexpected {1}")]
    Left(String, String),
    /// A sign that is missing.
    #[error("a {0} is missing")]
    Missing(&'static str),
    /// The quotes enclose no character.
    #[error("expected a character in single quotes")]
    NotCharacter,
    /// A word that begins with a digit.
    #[error("{0} is not a number")]
    NotNumber(String),
    /// A name is missing at its end.
    #[error("the expression ends too early")]
    EndsEarly,
    /// `new` is followed by a type only.
    #[error("new: expected arguments, lengths or elements")]
    NothingToMake,
}

/// Why an expression has no value, or a place does not take one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExpressionError {
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The world runs no code.
    #[error("a condition or a message calls no methods and makes no objects")]
    ReadOnly,
    /// The thread makes no call here: it waits, is in a native method, or holds a result that the next bytecode takes.
    #[error("no method can be called at this bytecode: step to the next line first")]
    NotHere,
    /// Java's exception, in words.
    #[error("{0}")]
    Thrown(String),
    #[error(transparent)]
    Unfinished(#[from] UnfinishedCall),
    /// Something of this kind was expected.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A rule that the expression breaks.
    #[error("{0}")]
    Wrong(&'static str),
    /// There are more than so many.
    #[error("{0} of an expression has at most {1} {2}")]
    TooMany(&'static str, usize, &'static str),
    /// The heap has no room for this.
    #[error("the heap has no room for {0}")]
    NoRoom(&'static str),
    /// No local or field has the name.
    #[error("there is no local or field {0} here")]
    NoName(String),
    /// The same of a name with dots behind it, which may be of a class.
    #[error("there is no local or field {0} here, and no class with such a static field")]
    NoClassOrName(String),
    #[error("there is no local {0} here")]
    NoLocal(String),
    #[error("there is no class {0}")]
    NoClass(String),
    /// A class of the class library that is expected of every JDK.
    #[error("{0} is missing")]
    NoLibraryClass(&'static str),
    /// No local, and no class with the field.
    #[error("there is no field {0}")]
    NoField(String),
    /// The class and the field.
    #[error("{0} has no field {1}")]
    NoFieldOf(String, String),
    /// The class and the method.
    #[error("{0} has no method {1}")]
    NoMethod(String, String),
    /// The same if the class has others with the name.
    #[error("{0} has no such method {1}")]
    NoSuchMethod(String, String),
    #[error("index {index} of an array of length {length}")]
    NoElement { index: i64, length: usize },
    /// The type of this local.
    #[error("the type of {0} is not known: compile with -g")]
    NoType(String),
    /// What has no fields and elements.
    #[error("{0} has no fields or elements")]
    NoMembers(String),
    #[error("{0} is not an array")]
    NotArray(String),
    #[error("{0} is not a field of an object")]
    NotField(String),
    /// The method that is called.
    #[error("{0}(): a number has no methods")]
    NotObject(String),
    #[error("{0} is abstract")]
    Abstract(String),
    /// Methods that fit alike: how many, and their name.
    #[error("{0} methods {1} fit: cast an argument to choose one")]
    Ambiguous(usize, String),
    /// Whether it is a constructor or a method, the name, and the parameters of all.
    #[error("no {0} {1} fits the arguments: {2}")]
    NoneFits(&'static str, String, String),
    /// An operator, and what it is applied to.
    #[error("{0} cannot be applied to {1}")]
    Operands(String, String),
    /// An operator that shifts.
    #[error("{0} needs two whole numbers")]
    NotWhole(String),
    #[error("cannot be cast to {0}")]
    NoCast(&'static str),
    /// The place and its type.
    #[error("{0} cannot hold it: its type is {1}")]
    CannotHold(String, String),
    /// The type of a place without a name.
    #[error("a place of type {0} cannot hold it")]
    TypeCannotHold(String),
}

/// Why a call does not return.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnfinishedCall {
    /// It takes more bytecodes than this.
    #[error("it takes more than {0} bytecodes")]
    TooLong(i64),
    #[error("it ends the program with exit code {0}")]
    Exit(i32),
    #[error("it waits for another thread, and no thread can continue")]
    Deadlock,
    #[error("it cannot continue: {0}")]
    Fault(String),
    #[error("the program ends meanwhile")]
    Ended,
}

impl ExpressionError {
    /// The exception for the use of a part of null.
    pub fn null_pointer(part: impl Display) -> ExpressionError {
        ExpressionError::Thrown(format!("java.lang.NullPointerException: {part} of null"))
    }
    /// No local or field has the name; `dotted`: names follow, so it may be of a class.
    pub fn no_name(name: &str, dotted: bool) -> ExpressionError {
        match dotted {
            true => ExpressionError::NoClassOrName(name.into()),
            false => ExpressionError::NoName(name.into()),
        }
    }
}
