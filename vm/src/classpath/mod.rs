//! Where classes and resources come from: the modules of the JDK, directories and jars.
//!
//! [`Jdk`] finds an installation, [`BootPath`] is what the boot loader searches, [`ClassPath`] an
//! ordinary class path as tools see it. (A running program's class path is searched by the JDK's
//! own loaders, in Java.) Nothing here knows a VM: bytes in, bytes out.

mod archive;
mod boot;
mod dir;
mod error;
mod jar;
mod jdk;
mod jimage;
mod jimage_compressed;
mod jmod;
mod manifest;
mod map;
mod modules;
#[cfg(test)]
pub(crate) mod tests;
mod zip;

pub use boot::{BootClass, BootPath, ClassOrigin};
pub use dir::Dir;
pub use error::{Error, Result};
pub use jar::Jar;
pub use jdk::{FoundBy, Jdk, Search, feature_version};
pub use jimage::{Jimage, ResourceName};
pub use jmod::Jmod;
pub use manifest::{ClassPathUrl, Manifest, ManifestError, percent_decode};
pub use modules::{SeparateModules, SystemModules, package_of};

use std::collections::{BTreeSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Whether `java -jar` finds a manifest in the file at `path`; an error if it cannot be read.
pub fn launchable(path: &Path) -> Result<bool> {
    archive::Archive::launchable(path)
}

/// The feature version whose class files are taken out of multi-release jars here, where no class library does that: the oldest one
/// that is supported, so that each JDK can load them.
pub const RUNTIME_FEATURE_VERSION: u32 = crate::versions::SUPPORTED[0];

/// One place of a class path.
#[derive(Debug)]
pub enum ClassPathEntry {
    /// A directory.
    Dir(Dir),
    /// A jar (any file that is not a directory).
    Jar(Box<Jar>),
}

impl ClassPathEntry {
    /// Opens the directory or jar at `path`; `None` if there is nothing.
    pub fn open(path: &Path) -> Result<Option<ClassPathEntry>> {
        match std::fs::metadata(path) {
            Ok(meta) if meta.is_dir() => Ok(Some(ClassPathEntry::Dir(Dir::new(path)))),
            Ok(_) => Ok(Some(ClassPathEntry::Jar(Box::new(Jar::open(path)?)))),
            Err(e) if is_absent(&e) => Ok(None),
            Err(e) => Err(Error::io(path, e)),
        }
    }

    /// The same for the boot loader, which looks at no manifest.
    fn open_base(path: &Path) -> Result<Option<ClassPathEntry>> {
        match std::fs::metadata(path) {
            Ok(meta) if !meta.is_dir() => {
                Ok(Some(ClassPathEntry::Jar(Box::new(Jar::open_base(path)?))))
            }
            _ => ClassPathEntry::open(path),
        }
    }

    /// The directory or file.
    pub fn path(&self) -> &Path {
        match self {
            ClassPathEntry::Dir(dir) => dir.path(),
            ClassPathEntry::Jar(jar) => jar.path(),
        }
    }

    /// The content of resource `name`, in its newest version if the jar is a multi-release one.
    pub fn find(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match self {
            ClassPathEntry::Dir(dir) => dir.find(name),
            ClassPathEntry::Jar(jar) => jar.find(name),
        }
    }

    /// The content of resource `name`, whatever versions of it a jar has.
    pub fn find_base(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match self {
            ClassPathEntry::Dir(dir) => dir.find(name),
            ClassPathEntry::Jar(jar) => jar.find_base(name),
        }
    }

    /// The names of all files in it.
    pub fn names(&self) -> Result<Vec<String>> {
        match self {
            ClassPathEntry::Dir(dir) => dir.names(),
            ClassPathEntry::Jar(jar) => Ok(jar.names()),
        }
    }
}

fn is_absent(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{InvalidFilename, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | InvalidFilename)
}

/// A resource found on a class path, and the entry it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource<'a> {
    /// The content.
    pub bytes: Vec<u8>,
    /// The directory or jar.
    pub source: &'a Path,
}

/// An ordered list of directories and jars.
#[derive(Debug, Default)]
pub struct ClassPath {
    entries: Vec<ClassPathEntry>,
    problems: Vec<Error>,
}

impl ClassPath {
    /// Opens the class path `spec`, a list separated by `:` (`;` on Windows). `dir/*` means
    /// the jars of a directory, an empty element for the current directory, and a jar's
    /// `Class-Path` follows the jar. Missing files are left out, as in Java; unusable ones are left out too and listed by
    /// [`ClassPath::problems`].
    pub fn open(spec: impl AsRef<OsStr>) -> ClassPath {
        let expanded = expand_wildcards(spec);
        let elements = std::env::split_paths(&expanded);
        let mut pending: VecDeque<(PathBuf, Option<bool>)> = elements
            .map(|p| match p.as_os_str().is_empty() {
                true => (PathBuf::from("."), None),
                false => (p, None),
            })
            .collect();
        let mut class_path = ClassPath::default();
        let mut seen = BTreeSet::new();
        while let Some((path, wants_directory)) = pending.pop_front() {
            let identity = path.canonicalize().unwrap_or_else(|_| path.clone());
            if !seen.insert(identity) {
                continue;
            }
            match ClassPathEntry::open(&path) {
                Ok(Some(entry)) => {
                    let is_directory = matches!(entry, ClassPathEntry::Dir(_));
                    if wants_directory.is_some_and(|wanted| wanted != is_directory) {
                        continue;
                    }
                    if let ClassPathEntry::Jar(jar) = &entry {
                        let urls = jar.manifest().map(|m| m.class_path(&path));
                        for url in urls.unwrap_or_default().into_iter().rev() {
                            pending.push_front((url.path, Some(url.is_directory)));
                        }
                    }
                    class_path.entries.push(entry);
                }
                Ok(None) => {}
                Err(e) => class_path.problems.push(e),
            }
        }
        class_path
    }

    /// The entries in the order of the search.
    pub fn entries(&self) -> &[ClassPathEntry] {
        &self.entries
    }

    /// Why entries that exist are not used.
    pub fn problems(&self) -> &[Error] {
        &self.problems
    }

    /// The first resource called `name` (for instance `p/C.class`).
    pub fn find(&self, name: &str) -> Result<Option<Resource<'_>>> {
        for entry in &self.entries {
            if let Some(bytes) = entry.find(name)? {
                let source = entry.path();
                return Ok(Some(Resource { bytes, source }));
            }
        }
        Ok(None)
    }
}

/// Replaces every element `dir/*` (or `*`) by the jars of that directory, sorted by name so that
/// every run sees the same order. An element without jars stays as it is and names nothing.
pub fn expand_wildcards(spec: impl AsRef<OsStr>) -> OsString {
    let spec = spec.as_ref();
    if !spec.to_string_lossy().contains('*') {
        return spec.to_os_string();
    }
    let mut out: Vec<PathBuf> = Vec::new();
    for element in std::env::split_paths(spec) {
        let jars = match element.file_name() == Some(OsStr::new("*")) && !element.exists() {
            true => jars_of(element.parent().unwrap_or(Path::new(""))),
            false => Vec::new(),
        };
        match jars.is_empty() {
            true => out.push(element),
            false => out.extend(jars),
        }
    }
    // Elements come from such a list, so none holds the separator; a jar's name can.
    out.retain(|p| std::env::join_paths([p]).is_ok());
    std::env::join_paths(out).unwrap_or_else(|_| spec.to_os_string())
}

/// Files called `*.jar` or `*.JAR`, in the spelling `dir/name.jar`.
fn jars_of(dir: &Path) -> Vec<PathBuf> {
    let listed = match dir.as_os_str().is_empty() {
        true => Path::new("."),
        false => dir,
    };
    let children = modules::children(listed).unwrap_or_default();
    children
        .into_iter()
        .filter(|(name, _)| name.ends_with(".jar") || name.ends_with(".JAR"))
        .map(|(name, _)| dir.join(name))
        .collect()
}
