//! Folders: the one for the output of tests, and the contents of folders.

use std::path::{Path, PathBuf};

/// Where compiled Java classes and the outputs of runs go: a folder in cargo's target directory.
pub fn work_dir() -> PathBuf {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    tmp.parent().unwrap_or(tmp).join("java-tests")
}

/// The entries of a folder, sorted; none if it cannot be read.
pub fn entries(dir: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = match std::fs::read_dir(dir) {
        Ok(entries) => entries.filter_map(|e| e.ok().map(|e| e.path())).collect(),
        Err(_) => Vec::new(),
    };
    found.sort();
    found
}
