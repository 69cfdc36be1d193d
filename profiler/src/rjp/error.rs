//! Why a file cannot be read.

use super::chunks::ChunkError;
use crate::tree::TreeError;
use std::io;

/// Why a file is no profile in the native format.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
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

impl From<ChunkError> for ReadError {
    fn from(error: ChunkError) -> Self {
        match error {
            ChunkError::Io(error) => ReadError::Io(error),
            ChunkError::Malformed(what) => malformed(what),
            other => ReadError::Format(other.to_string()),
        }
    }
}

pub(super) fn malformed(what: &str) -> ReadError {
    ReadError::Format(format!("the file is malformed: {what}"))
}
