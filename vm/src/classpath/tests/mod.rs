//! Tests on the installed JDK, on files made here, and on broken ones.

mod archives;
mod discovery;
mod images;
mod installed;
mod made;

use super::*;
use std::fs;

/// The JDK that these tests need.
pub(crate) fn jdk() -> Jdk {
    Search::usual(None, |name| std::env::var_os(name))
        .find()
        .unwrap()
}

/// A fresh directory, removed at the end.
pub(crate) struct TempFolder(PathBuf);

impl TempFolder {
    pub(crate) fn new(name: &str) -> TempFolder {
        let name = format!("rjvm-classpath-{name}-{}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        TempFolder(dir.canonicalize().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file, with its directories.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Writes a zip file of the given entries behind `prefix`.
    pub(crate) fn zip(&self, name: &str, prefix: &[u8], entries: &[(&str, &[u8])]) -> PathBuf {
        use std::io::{Cursor, Write};
        let mut zip = ::zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (entry, bytes) in entries {
            let options = ::zip::write::SimpleFileOptions::default();
            zip.start_file(*entry, options).unwrap();
            zip.write_all(bytes).unwrap();
        }
        let body = zip.finish().unwrap().into_inner();
        self.write(name, [prefix, &body].concat())
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
