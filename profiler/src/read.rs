//! Reads profiles, in whichever of the formats that keep enough.

use crate::export::paths;
use crate::profile::Profile;
use crate::rjp;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Why an input is not a profile.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not a valid native file.
    #[error(transparent)]
    Native(#[from] rjp::RjpError),
    /// It is not a valid text of paths either.
    #[error("neither a native profile (.rjp) nor a profile of paths (.paths): {0}")]
    Paths(paths::PathsError),
}

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", .path.display())]
pub struct ReadFileError {
    /// The file.
    pub path: PathBuf,
    /// The problem.
    #[source]
    pub error: ReadError,
}

impl Profile {
    /// Reads a profile in the native or the path format, whichever the content is.
    pub fn read(input: &mut dyn BufRead) -> Result<Profile, ReadError> {
        match input.fill_buf()?.first() {
            Some(first) if *first == rjp::MAGIC[0] => Ok(rjp::read(&mut { input })?),
            _ => paths::read(input).map_err(ReadError::Paths),
        }
    }

    /// Reads a profile from a file, see [`read`](Self::read).
    pub fn read_file(path: &Path) -> Result<Profile, ReadFileError> {
        File::open(path)
            .map_err(ReadError::Io)
            .and_then(|file| Profile::read(&mut BufReader::with_capacity(1 << 16, file)))
            .map_err(|error| ReadFileError {
                path: path.to_owned(),
                error,
            })
    }
}
