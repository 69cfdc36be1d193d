//! Read-only memory mapping of a file: the one `unsafe` of this room.

use super::{Error, Result};
use std::fs::File;
use std::path::Path;

/// The bytes of a file.
#[derive(Debug)]
pub enum FileBytes {
    /// Mapped into memory.
    File(memmap2::Mmap),
    /// Held in memory (an empty file cannot be mapped).
    Memory(Vec<u8>),
}

impl AsRef<[u8]> for FileBytes {
    fn as_ref(&self) -> &[u8] {
        self.bytes()
    }
}

impl FileBytes {
    /// Maps the whole of `path`.
    pub fn open(path: &Path) -> Result<FileBytes> {
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        let meta = file.metadata().map_err(|e| Error::io(path, e))?;
        if !meta.is_file() {
            let kind = std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a regular file");
            return Err(Error::io(path, kind));
        }
        if meta.len() == 0 {
            return Ok(FileBytes::Memory(Vec::new()));
        }
        // SAFETY: the mapping is private and read-only, and only files of the JDK's own
        // installation are mapped, which nobody rewrites in place under a running VM (packages
        // are replaced by renaming); HotSpot relies on the same.
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(|e| Error::io(path, e))?;
        Ok(FileBytes::File(map))
    }

    /// The file's bytes.
    pub fn bytes(&self) -> &[u8] {
        match self {
            FileBytes::File(map) => map,
            FileBytes::Memory(bytes) => bytes,
        }
    }
}
