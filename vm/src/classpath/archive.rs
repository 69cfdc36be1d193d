//! Zip archives as a place of resources: what jars and jmods have in common.

use super::{Error, Result};
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use zip::ZipArchive;

/// At most this much is reserved on the word of a directory entry; more only as data arrives.
const RESERVE: u64 = 1 << 20;

/// An open zip file. It is read through a file handle, not mapped: jars are rewritten by builds.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    format: &'static str,
    zip: Mutex<ZipArchive<Box<dyn Source>>>,
}

/// What a zip file can be read from.
trait Source: Read + Seek + Send + std::fmt::Debug {}
impl<T: Read + Seek + Send + std::fmt::Debug> Source for T {}

impl Archive {
    /// Opens `path` and reads its central directory; `format` is its name in errors.
    pub fn open(path: impl Into<PathBuf>, format: &'static str) -> Result<Archive> {
        let path = path.into();
        let file = File::open(&path).map_err(|e| Error::io(&path, e))?;
        let meta = file.metadata().map_err(|e| Error::io(&path, e))?;
        if !meta.is_file() {
            let kind = std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a regular file");
            return Err(Error::io(path, kind));
        }
        Self::new(path, format, Box::new(BufReader::new(file)))
    }

    /// A zip file in memory; `path` is its name.
    pub fn in_memory(
        path: impl Into<PathBuf>,
        format: &'static str,
        bytes: &'static [u8],
    ) -> Result<Archive> {
        Self::new(path.into(), format, Box::new(Cursor::new(bytes)))
    }

    fn new(path: PathBuf, format: &'static str, source: Box<dyn Source>) -> Result<Archive> {
        let zip =
            ZipArchive::new(source).map_err(|e| Error::malformed(&path, format, e.to_string()))?;
        let zip = Mutex::new(zip);
        Ok(Archive { path, format, zip })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The content of the entry called `name`.
    pub fn find(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let mut zip = self.zip.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(index) = zip.index_for_name_raw(name.as_bytes()) else {
            return Ok(None);
        };
        let broken = |e: String| self.malformed(format!("entry {name}: {e}"));
        let mut entry = zip.by_index(index).map_err(|e| broken(e.to_string()))?;
        let mut bytes = Vec::with_capacity(entry.size().min(RESERVE) as usize);
        entry
            .read_to_end(&mut bytes)
            .map_err(|e| broken(e.to_string()))?;
        Ok(Some(bytes))
    }

    /// The names of all entries in the order of the central directory. Names are UTF-8, as Java
    /// has it, whatever the flags say; no look-up reaches an entry whose name is not.
    pub fn names(&self) -> Vec<String> {
        let zip = self.zip.lock().unwrap_or_else(PoisonError::into_inner);
        zip.file_names_raw()
            .filter_map(|name| String::from_utf8(name.to_vec()).ok())
            .collect()
    }

    /// An error about the contents of this file.
    pub fn malformed(&self, what: impl Into<String>) -> Error {
        Error::malformed(&self.path, self.format, what)
    }
}
