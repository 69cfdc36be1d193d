//! A folder of this machine for the time that a VM needs it.

use super::classes::Classes;
use super::state::unique;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder for exclusive use; it is removed with the value.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// An empty one.
    pub(super) fn new() -> io::Result<Folder> {
        let temp = std::env::temp_dir();
        loop {
            let path = temp.join(format!("rjvm-{}-{}", std::process::id(), unique()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Folder(path)),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
    }
    /// One with these files.
    pub(super) fn with(classes: &Classes) -> io::Result<Folder> {
        let folder = Folder::new()?;
        for (path, bytes) in classes.files() {
            folder.write(path, bytes)?;
        }
        Ok(folder)
    }
    /// Writes a file; its path must lead nowhere else.
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let normal = |c| matches!(c, std::path::Component::Normal(_));
        if !Path::new(path).components().all(normal) {
            let text = format!("{path:?} is not a path in the folder");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let file = self.0.join(path);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(file, bytes)
    }
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // what is left behind does no harm
        let _ = fs::remove_dir_all(&self.0);
    }
}
