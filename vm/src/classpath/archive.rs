//! Zip archives as a place of resources: what jars and jmods have in common.

use super::zip::{Directory, ZipResult, ZipSource, launchable};
use super::{Error, Result};
use std::fs::File;
use std::io::{BufReader, Cursor};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// An open zip file. It is read through a file handle, not mapped: jars are rewritten by builds.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    format: &'static str,
    directory: Directory,
    source: Mutex<Box<dyn ZipSource>>,
}

impl Archive {
    /// Opens `path` and reads its central directory; `format` is its name in errors.
    pub fn open(path: impl Into<PathBuf>, format: &'static str) -> Result<Archive> {
        let path = path.into();
        let source = open(&path)?;
        Self::new(path, format, source)
    }

    /// Whether `java -jar` finds a manifest in the file at `path`.
    pub fn launchable(path: &Path) -> Result<bool> {
        let mut source = open(path)?;
        Ok(launchable(&mut source).unwrap_or(false))
    }

    /// A zip file in memory; `path` is its name.
    pub fn in_memory(
        path: impl Into<PathBuf>,
        format: &'static str,
        bytes: impl AsRef<[u8]> + Send + std::fmt::Debug + 'static,
    ) -> Result<Archive> {
        Self::new(path.into(), format, Box::new(Cursor::new(bytes)))
    }

    fn new(path: PathBuf, format: &'static str, mut source: Box<dyn ZipSource>) -> Result<Archive> {
        let directory = Directory::read(&mut source)
            .map_err(|message| Error::malformed(&path, format, message))?;
        Ok(Archive {
            path,
            format,
            directory,
            source: Mutex::new(source),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The content of the entry called `name`.
    pub fn find(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let found: ZipResult<_> = self.directory.find(&mut *source, name.as_bytes());
        found.map_err(|message| self.malformed(message))
    }

    /// The names of all entries in the order of the central directory. Names are UTF-8, as Java
    /// has it, whatever the flags say; no look-up reaches an entry whose name is not.
    pub fn names(&self) -> Vec<String> {
        self.directory
            .names()
            .filter_map(|name| String::from_utf8(name.to_vec()).ok())
            .collect()
    }

    /// An error about the contents of this file.
    pub fn malformed(&self, what: impl Into<String>) -> Error {
        Error::malformed(&self.path, self.format, what)
    }
}

fn open(path: &Path) -> Result<Box<dyn ZipSource>> {
    let file = File::open(path).map_err(|e| Error::io(path, e))?;
    let meta = file.metadata().map_err(|e| Error::io(path, e))?;
    if !meta.is_file() {
        let kind = std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a regular file");
        return Err(Error::io(path, kind));
    }
    Ok(Box::new(BufReader::new(file)))
}
