//! Why HPROF's options are refused, or its file is not written.

use crate::file_error::FileError;
use thiserror::Error;

/// The mistake in an option, in HPROF's words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HprofOption {
    /// It is none.
    #[error("unknown option {0}")]
    Unknown(String),
    /// It is neither `y` nor `n`.
    #[error("{0} option value must be y|n")]
    Switch(String),
    /// A value, or two options that do not fit together.
    #[error("{0}")]
    Rule(&'static str),
}

/// Why options are refused: the mistake, and all of them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("hprof option error: {problem} ({text})")]
pub struct HprofOptionError {
    pub problem: HprofOption,
    pub text: String,
}

/// Why the file is not written.
#[derive(Debug, Error)]
pub enum HprofError {
    #[error(transparent)]
    File(FileError),
    /// The binary dump beside it cannot be read again.
    #[error("{0}: {1}")]
    Dump(String, rjvm_heapdump::Error),
}
