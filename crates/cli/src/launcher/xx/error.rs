//! Why the value of a `-XX` option is not taken, in HotSpot's words.

use thiserror::Error;

/// Why the value of an option is not taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// Only other builds of the VM have it: its name and kind.
    #[error("Error: VM option '{0}' is {1} and is available only in debug version of VM.")]
    Debug(String, &'static str),
    /// Another option has to come first: the name, its kind, that option.
    #[error(
        "Error: VM option '{0}' is {1} and must be enabled via -XX:+{2}.\nError: The unlock option must precede '{0}'."
    )]
    Locked(String, &'static str, &'static str),
    /// It is on or off, and nothing says which.
    #[error("Missing +/- setting for VM option '{0}'")]
    NoSign(String),
    /// It is neither on nor off.
    #[error("Unexpected +/- setting in VM option '{0}'")]
    Sign(String),
    /// It has no value, or one of another type.
    #[error("Improperly specified VM option '{0}'")]
    Improper(String),
    /// The value is out of range: a message about that, and the option.
    #[error("{0}\nImproperly specified VM option '{1}'")]
    Range(String, String),
}
