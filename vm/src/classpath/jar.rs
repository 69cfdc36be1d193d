//! Jar files: archive, manifest and multi-release look-up.

use super::archive::Archive;
use super::manifest::Manifest;
use super::{RUNTIME_FEATURE_VERSION, Result};
use std::path::{Path, PathBuf};

const MANIFEST: &str = "META-INF/MANIFEST.MF";
const VERSIONS: &str = "META-INF/versions/";

/// An open jar file.
#[derive(Debug)]
pub struct Jar {
    archive: Archive,
    manifest: Option<Manifest>,
    /// The versioned directories that count here, newest first; empty if not multi-release.
    versions: Vec<u32>,
}

impl Jar {
    /// The name of a jar in errors.
    pub const FORMAT: &'static str = "jar file";

    /// Opens a jar and reads its manifest.
    pub fn open(path: impl Into<PathBuf>) -> Result<Jar> {
        Self::new(Archive::open(path, Jar::FORMAT)?)
    }

    /// Opens a jar whose manifest does not matter, and is not read.
    pub fn open_base(path: impl Into<PathBuf>) -> Result<Jar> {
        Ok(Jar {
            archive: Archive::open(path, Jar::FORMAT)?,
            manifest: None,
            versions: Vec::new(),
        })
    }

    /// A jar in memory; `path` is its name.
    pub fn in_memory(
        path: impl Into<PathBuf>,
        bytes: impl AsRef<[u8]> + Send + std::fmt::Debug + 'static,
    ) -> Result<Jar> {
        Self::new(Archive::in_memory(path, Jar::FORMAT, bytes)?)
    }

    fn new(archive: Archive) -> Result<Jar> {
        let manifest = match manifest_bytes(&archive)? {
            Some(bytes) => Some(
                Manifest::parse(&bytes)
                    .map_err(|e| archive.malformed(format!("{MANIFEST}: {e}")))?,
            ),
            None => None,
        };
        let mut versions = Vec::new();
        if manifest.as_ref().is_some_and(Manifest::is_multi_release) {
            for name in archive.names() {
                let number = name
                    .strip_prefix(VERSIONS)
                    .and_then(|n| n.split('/').next());
                match number.and_then(|n| n.parse::<u32>().ok()) {
                    Some(n) if (9..=RUNTIME_FEATURE_VERSION).contains(&n) => versions.push(n),
                    _ => {}
                }
            }
            versions.sort_unstable_by(|a, b| b.cmp(a));
            versions.dedup();
        }
        Ok(Jar {
            archive,
            manifest,
            versions,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.archive.path()
    }

    /// The manifest, if the jar has one.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// The content of `name`: for a multi-release jar, of the newest version of it that is not
    /// newer than the running Java.
    pub fn find(&self, name: &str) -> Result<Option<Vec<u8>>> {
        if !name.starts_with("META-INF/") {
            for version in &self.versions {
                let versioned = format!("{VERSIONS}{version}/{name}");
                if let Some(bytes) = self.archive.find(&versioned)? {
                    return Ok(Some(bytes));
                }
            }
        }
        self.archive.find(name)
    }

    /// The content of the entry `name` itself, as the boot loader sees it: that one knows no
    /// multi-release jars.
    pub fn find_base(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.archive.find(name)
    }

    /// The names of all entries in the order of the jar.
    pub fn names(&self) -> Vec<String> {
        self.archive.names()
    }
}

fn manifest_bytes(archive: &Archive) -> Result<Option<Vec<u8>>> {
    if let Some(bytes) = archive.find(MANIFEST)? {
        return Ok(Some(bytes));
    }
    // Any case is allowed, though nearly nobody uses another.
    let names = archive.names();
    match names.iter().find(|n| n.eq_ignore_ascii_case(MANIFEST)) {
        Some(name) => archive.find(name),
        None => Ok(None),
    }
}
