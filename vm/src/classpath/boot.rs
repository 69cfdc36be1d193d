//! What the boot loader searches: patches of modules, the JDK's modules, and the places that
//! `-Xbootclasspath/a` or an agent appends.

use super::modules::{SystemModules, package_of};
use super::{ClassPathEntry, Error, Result};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The search path of the boot loader.
#[derive(Debug)]
pub struct BootPath {
    system: Arc<SystemModules>,
    /// Entries of `--patch-module`, by module.
    patches: BTreeMap<String, Vec<ClassPathEntry>>,
    /// Packages that only a patch has, and the module it gives them to.
    patch_packages: BTreeMap<String, String>,
    append: Vec<ClassPathEntry>,
    problems: Vec<Error>,
}

/// Where a class came from; displayed as `-verbose:class` names its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassOrigin<'a> {
    /// A module of the JDK.
    Module(&'a str),
    /// A directory or jar.
    Path(&'a Path),
}

impl fmt::Display for ClassOrigin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClassOrigin::Module(module) => write!(f, "jrt:/{module}"),
            ClassOrigin::Path(path) => write!(f, "{}", path.display()),
        }
    }
}

/// The class file of a class that the boot loader found.
#[derive(Debug, Clone)]
pub struct BootClass<'a> {
    /// The class file.
    pub bytes: Cow<'a, [u8]>,
    /// The module of its package; `None` is the unnamed module of the boot loader.
    pub module: Option<&'a str>,
    /// Where it was found.
    pub origin: ClassOrigin<'a>,
}

impl BootPath {
    /// A boot path that has only the modules of the JDK, which may be shared with others.
    pub fn new(system: impl Into<Arc<SystemModules>>) -> BootPath {
        BootPath {
            system: system.into(),
            patches: BTreeMap::new(),
            patch_packages: BTreeMap::new(),
            append: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// The JDK's modules.
    pub fn system(&self) -> &SystemModules {
        &self.system
    }

    /// Adds a `--patch-module` value, `module=path:path…`. As with other places, paths that don't
    /// exist count for nothing and broken ones are [`BootPath::problems`]. An invalid
    /// value is left to the class library, which reads it too and refuses it while it builds the
    /// boot layer; of two for a module the first counts until then.
    pub fn patch(&mut self, spec: &str) {
        let Some((module, paths)) = spec.split_once('=') else {
            return;
        };
        if self.patches.contains_key(module) {
            return;
        }
        let entries = self.open_all(std::env::split_paths(paths));
        for entry in &entries {
            match self.new_packages(entry) {
                Ok(packages) => {
                    for package in packages {
                        let owner = self.patch_packages.entry(package);
                        owner.or_insert_with(|| module.to_string());
                    }
                }
                Err(e) => self.problems.push(e),
            }
        }
        self.patches.insert(module.to_string(), entries);
    }

    /// The packages of classes in `entry` that no module of the JDK has.
    fn new_packages(&self, entry: &ClassPathEntry) -> Result<BTreeSet<String>> {
        let mut packages = BTreeSet::new();
        for name in entry.names()?.iter().filter(|n| n.ends_with(".class")) {
            if let Some(package) = package_of(name)
                && self.system.module_of_package(package)?.is_none()
            {
                packages.insert(package.to_string());
            }
        }
        Ok(packages)
    }

    /// Appends a `-Xbootclasspath/a` value, `path:path…`.
    pub fn append(&mut self, paths: &str) {
        let entries = self.open_all(std::env::split_paths(paths));
        self.append.extend(entries);
    }

    /// Appends an open directory or jar.
    pub fn append_entry(&mut self, entry: ClassPathEntry) {
        self.append.push(entry);
    }

    fn open_all(&mut self, paths: impl Iterator<Item = PathBuf>) -> Vec<ClassPathEntry> {
        let mut entries = Vec::new();
        for path in paths.filter(|p| !p.as_os_str().is_empty()) {
            match ClassPathEntry::open_base(&path) {
                Ok(entry) => entries.extend(entry),
                Err(e) => self.problems.push(e),
            }
        }
        entries
    }

    /// The appended places.
    pub fn appended(&self) -> &[ClassPathEntry] {
        &self.append
    }

    /// Why places that exist are not searched.
    pub fn problems(&self) -> &[Error] {
        &self.problems
    }

    /// The module of the JDK (as patched) that `package`, in internal form, belongs to.
    pub fn module_of_package(&self, package: &str) -> Result<Option<&str>> {
        match self.system.module_of_package(package)? {
            Some(module) => Ok(Some(module)),
            None => Ok(self.patch_packages.get(package).map(String::as_str)),
        }
    }

    /// The class called `name` (internal form, for instance `java/lang/Object`): of the module
    /// that its package belongs to, otherwise of the appended places.
    ///
    /// Every module of the JDK is searched; once modules are defined to loaders, a caller asks
    /// [`BootPath::module_of_package`] first and leaves the modules of other loaders alone.
    pub fn find(&self, name: &str) -> Result<Option<BootClass<'_>>> {
        let file = format!("{name}.class");
        if let Some(package) = package_of(name)
            && let Some(module) = self.module_of_package(package)?
            && let Some((bytes, origin)) = self.find_in_module(module, &file)?
        {
            let module = Some(module);
            return Ok(Some(BootClass {
                bytes,
                module,
                origin,
            }));
        }
        self.find_appended(name)
    }

    /// The class called `name` from the appended places, whose classes are in the unnamed module.
    pub fn find_appended(&self, name: &str) -> Result<Option<BootClass<'_>>> {
        let file = format!("{name}.class");
        for entry in &self.append {
            if let Some(bytes) = entry.find_base(&file)? {
                return Ok(Some(BootClass {
                    bytes: Cow::Owned(bytes),
                    module: None,
                    origin: ClassOrigin::Path(entry.path()),
                }));
            }
        }
        Ok(None)
    }

    /// Resource `name` (for instance `java/lang/Object.class`) of `module`, patches first.
    pub fn find_in_module<'a>(
        &'a self,
        module: &'a str,
        name: &str,
    ) -> Result<Option<(Cow<'a, [u8]>, ClassOrigin<'a>)>> {
        for entry in self.patches.get(module).into_iter().flatten() {
            // A patch never replaces the module's own declaration.
            if name != "module-info.class"
                && let Some(bytes) = entry.find_base(name)?
            {
                return Ok(Some((Cow::Owned(bytes), ClassOrigin::Path(entry.path()))));
            }
        }
        let bytes = self.system.find(module, name)?;
        Ok(bytes.map(|b| (b, ClassOrigin::Module(module))))
    }
}
