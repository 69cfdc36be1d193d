//! Why a flight recording is not made, or not written.

use crate::file_error::FileError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a request for a recording is refused. The words for keys that do not fit are HotSpot's.
#[derive(Clone, Debug, Error)]
pub enum RecordingError {
    /// The value of a key: the key, the value, what is expected.
    #[error("{0}={1}: expected {2}")]
    Value(String, String, &'static str),
    /// The keys do not fit together.
    #[error("{0}")]
    Keys(&'static str),
    /// A value of `JFR.dump`: the key and the value.
    #[error("Dump failed, invalid value {0}={1}")]
    Dump(&'static str, String),
    /// The value of an event's setting: the event, the setting, the value.
    #[error("{0}#{1}: invalid value '{2}'")]
    Setting(String, String, String),
    /// A file with settings: the name, and why it is not read.
    #[error("settings={0}: {1}")]
    Settings(String, SettingsError),
    /// The file for a recording is a folder.
    #[error("{}: is a folder", .0.display())]
    Folder(PathBuf),
    /// The folder of the file does not exist.
    #[error("{}: its folder does not exist", .0.display())]
    NoFolder(PathBuf),
    /// No recording has this name or number.
    #[error("Could not find recording {0}.")]
    Unknown(String),
    /// There is none at all.
    #[error("No recordings to dump from. Use JFR.start to start a recording.")]
    None,
    /// One of several has to be selected.
    #[error("There are several recordings: select one with name=...")]
    Several,
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Why a file with settings is not read.
#[derive(Clone, Debug, Error)]
pub enum SettingsError {
    #[error(transparent)]
    File(FileError),
    #[error("{}: {}", .0.display(), .1)]
    Xml(PathBuf, roxmltree::Error),
    #[error("{0}")]
    Setting(Box<RecordingError>),
}
