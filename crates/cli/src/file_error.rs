//! Files that cannot be read or written.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Why a file cannot be read or written.
#[derive(Clone, Debug, Error)]
#[error("{}: {action}{cause}", path.display())]
pub struct FileError {
    path: PathBuf,
    /// What cannot be done, with a colon and a blank; or nothing.
    action: &'static str,
    /// The system's reason.
    cause: Arc<io::Error>,
}

impl FileError {
    /// The error of a use of this file.
    pub fn at(path: impl AsRef<Path>) -> impl Fn(io::Error) -> FileError {
        FileError::doing(path, "")
    }
    /// The same, and what cannot be done: `cannot write: `.
    pub fn doing(path: impl AsRef<Path>, action: &'static str) -> impl Fn(io::Error) -> FileError {
        let path = path.as_ref().to_path_buf();
        move |cause| FileError {
            path: path.clone(),
            action,
            cause: Arc::new(cause),
        }
    }
}
