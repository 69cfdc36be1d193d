//! `jmods/*.jmod`: the modules of a JDK without a `lib/modules` file.
//!
//! A jmod is a zip file behind four bytes (`JM`, major 1, minor 0); classes and resources of the
//! module are below `classes/`.

use super::archive::Archive;
use super::modules::package_of;
use super::{Error, Result};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

const FORMAT: &str = "jmod file";
const PREFIX: &str = "classes/";

/// An open jmod file.
#[derive(Debug)]
pub struct Jmod {
    archive: Archive,
    module: String,
}

impl Jmod {
    /// Opens the jmod at `path`; its file name is the module's name.
    pub fn open(path: impl Into<PathBuf>) -> Result<Jmod> {
        let path = path.into();
        let module = path
            .file_stem()
            .and_then(|s| s.to_str())
            .map(str::to_string);
        let module = module
            .ok_or_else(|| Error::malformed(&path, FORMAT, "its file name is not a module name"))?;
        let mut head = Vec::new();
        std::fs::File::open(&path)
            .and_then(|f| f.take(4).read_to_end(&mut head))
            .map_err(|e| Error::io(&path, e))?;
        if !head.starts_with(b"JM\x01") {
            return Err(Error::malformed(
                &path,
                FORMAT,
                "it does not start with JM, 1, 0",
            ));
        }
        let archive = Archive::open(path, FORMAT)?;
        Ok(Jmod { archive, module })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.archive.path()
    }

    /// The module's name.
    pub fn module(&self) -> &str {
        &self.module
    }

    /// The content of resource `name` of the module.
    pub fn find(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.archive.find(&format!("{PREFIX}{name}"))
    }

    /// The names of the module's resources in the order of the file.
    pub fn names(&self) -> Vec<String> {
        let names = self.archive.names().into_iter();
        names
            .filter(|n| !n.ends_with('/'))
            .filter_map(|n| n.strip_prefix(PREFIX).map(str::to_string))
            .collect()
    }

    /// The packages that have classes, in internal form.
    pub fn packages(&self) -> BTreeSet<String> {
        let names = self.names().into_iter();
        names
            .filter(|n| n.ends_with(".class"))
            .filter_map(|n| package_of(&n).map(str::to_string))
            .collect()
    }
}
