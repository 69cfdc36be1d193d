//! Why a file cannot be read.

use super::chunks::ChunkError;
use crate::tree::TreeError;
use std::io;

/// Why a file is not a profile in the native format.
#[derive(Debug, thiserror::Error)]
pub enum RjpError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is of another format or version, truncated, damaged or malformed.
    #[error("{0}")]
    Format(String),
    /// There are too many contexts.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl From<ChunkError> for RjpError {
    fn from(error: ChunkError) -> Self {
        match error {
            ChunkError::Io(error) => RjpError::Io(error),
            ChunkError::Malformed(what) => malformed(what),
            other => RjpError::Format(other.to_string()),
        }
    }
}

pub(super) fn malformed(what: &str) -> RjpError {
    RjpError::Format(format!("the file is malformed: {what}"))
}
