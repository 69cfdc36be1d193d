//! What can go wrong when classes and resources are looked for: every error names the file.

use std::io;
use std::path::{Path, PathBuf};

/// Why a place that should hold classes or resources could not be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused to read the file.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
    /// The file can be read, but its contents break the rules of its format.
    #[error("{} is not a valid {format}: {what}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The format the file should have, for instance `jimage file`.
        format: &'static str,
        /// The rule that is broken, and where.
        what: String,
    },
    /// No usable JDK, or not the one that was requested.
    #[error("{0}")]
    Jdk(String),
}

impl Error {
    /// An I/O error on `path`.
    pub fn io(path: impl Into<PathBuf>, source: io::Error) -> Error {
        Error::Io {
            path: path.into(),
            source,
        }
    }

    /// A broken file.
    pub fn malformed(path: &Path, format: &'static str, what: impl Into<String>) -> Error {
        Error::Malformed {
            path: path.to_path_buf(),
            format,
            what: what.into(),
        }
    }
}

/// The result of a look-up or of opening a place.
pub type Result<T> = std::result::Result<T, Error>;
