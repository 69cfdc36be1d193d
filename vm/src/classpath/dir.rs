//! Directories as a place of classes and resources.

use super::{Error, Result};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// A directory of a class path.
#[derive(Debug, Clone)]
pub struct Dir {
    root: PathBuf,
}

impl Dir {
    /// The directory at `root`; nothing is read yet.
    pub fn new(root: impl Into<PathBuf>) -> Dir {
        Dir { root: root.into() }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The content of the file `name` below the directory. A name that would lead outside is
    /// not found.
    pub fn find(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let relative = Path::new(name);
        let inside = relative
            .components()
            .all(|c| matches!(c, Component::Normal(_)));
        if !inside || name.is_empty() || name.contains('\0') {
            return Ok(None);
        }
        let path = self.root.join(relative);
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(e) => match e.kind() {
                ErrorKind::NotFound
                | ErrorKind::NotADirectory
                | ErrorKind::IsADirectory
                | ErrorKind::InvalidFilename => Ok(None),
                _ => Err(Error::io(path, e)),
            },
        }
    }

    /// The names of all files below the directory, `/`-separated and sorted.
    pub fn names(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        let mut pending = vec![(self.root.clone(), String::new())];
        while let Some((dir, prefix)) = pending.pop() {
            for entry in std::fs::read_dir(&dir).map_err(|e| Error::io(&dir, e))? {
                let entry = entry.map_err(|e| Error::io(&dir, e))?;
                let Ok(name) = entry.file_name().into_string() else {
                    // No Java name can reach it.
                    continue;
                };
                let name = format!("{prefix}{name}");
                let kind = entry.file_type().map_err(|e| Error::io(entry.path(), e))?;
                // A link to a directory is not followed: it may lead back to its parent.
                if kind.is_dir() {
                    pending.push((entry.path(), format!("{name}/")));
                } else {
                    names.push(name);
                }
            }
        }
        names.sort();
        Ok(names)
    }
}
