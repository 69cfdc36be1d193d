//! The modules of a JDK, in whichever of the three forms the installation has them: the jimage
//! file, an exploded build (`modules/NAME/…`), or jmod files.

use super::dir::Dir;
use super::jdk::Jdk;
use super::jimage::Jimage;
use super::jmod::Jmod;
use super::{Error, Result};
use rjvm_classfile::SharedBytes;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// The package of a resource or class name, both in internal form (`None`: the unnamed one).
pub fn package_of(name: &str) -> Option<&str> {
    name.rsplit_once('/').map(|(package, _)| package)
}

/// The class library.
#[derive(Debug)]
pub enum SystemModules {
    /// `lib/modules`.
    Image(Box<Jimage>),
    /// A directory or an archive per module.
    Separate(SeparateModules),
}

/// Modules that are not in one image; their packages are indexed when opened.
#[derive(Debug)]
pub struct SeparateModules {
    modules: BTreeMap<String, (ModuleLocation, Vec<String>)>,
    module_of_package: BTreeMap<String, String>,
}

#[derive(Debug)]
enum ModuleLocation {
    Dir(Dir),
    Jmod(Jmod),
}

impl SystemModules {
    /// Opens the class library of `jdk`.
    pub fn open(jdk: &Jdk) -> Result<SystemModules> {
        SystemModules::open_home(jdk.home())
    }

    /// Opens the class library below a Java home: `lib/modules`, else `modules/`, else `jmods/`.
    pub fn open_home(home: &Path) -> Result<SystemModules> {
        let image = home.join("lib").join("modules");
        if image.is_file() {
            return Ok(SystemModules::Image(Box::new(Jimage::open(image)?)));
        }
        let exploded = home.join("modules");
        if exploded.join("java.base").is_dir() {
            return SeparateModules::exploded(&exploded).map(SystemModules::Separate);
        }
        let jmods = home.join("jmods");
        if jmods.join("java.base.jmod").is_file() {
            return SeparateModules::jmods(&jmods).map(SystemModules::Separate);
        }
        Err(Error::Jdk(format!(
            "{} has no class library: neither lib/modules nor jmods/java.base.jmod is there",
            home.display()
        )))
    }

    /// The content of resource `name` of `module`.
    pub fn find(&self, module: &str, name: &str) -> Result<Option<Cow<'_, [u8]>>> {
        match self {
            SystemModules::Image(image) => image.find(module, name),
            SystemModules::Separate(all) => all.find(module, name).map(|b| b.map(Cow::Owned)),
        }
    }

    /// Content that [`SystemModules::find`] returned, for longer than these modules are borrowed.
    pub fn share(&self, content: Cow<'_, [u8]>) -> SharedBytes {
        let shared = match (self, &content) {
            (SystemModules::Image(image), Cow::Borrowed(bytes)) => image.share(bytes),
            _ => None,
        };
        shared.unwrap_or_else(|| (&*content).into())
    }

    /// The module that holds classes of `package` (internal form).
    pub fn module_of_package(&self, package: &str) -> Result<Option<&str>> {
        match self {
            SystemModules::Image(image) => image.module_of_package(package),
            SystemModules::Separate(all) => {
                Ok(all.module_of_package.get(package).map(String::as_str))
            }
        }
    }

    /// The names of all modules, sorted.
    pub fn modules(&self) -> Result<Vec<&str>> {
        match self {
            SystemModules::Image(image) => Ok(image.modules()?.collect()),
            SystemModules::Separate(all) => Ok(all.modules.keys().map(String::as_str).collect()),
        }
    }

    /// The packages of `module` that have classes, in internal form and sorted.
    pub fn packages(&self, module: &str) -> Result<&[String]> {
        match self {
            SystemModules::Image(image) => image.packages(module),
            SystemModules::Separate(all) => {
                Ok(all.modules.get(module).map_or(&[], |(_, p)| p.as_slice()))
            }
        }
    }

    /// The names of all resources of `module`, in the order of the image or archive.
    pub fn resources(&self, module: &str) -> Result<Vec<String>> {
        match self {
            SystemModules::Image(image) => image.resources_of(module).collect(),
            SystemModules::Separate(all) => match all.modules.get(module) {
                Some((ModuleLocation::Dir(dir), _)) => dir.names(),
                Some((ModuleLocation::Jmod(jmod), _)) => Ok(jmod.names()),
                None => Ok(Vec::new()),
            },
        }
    }

    /// The image, if the modules are in one.
    pub fn image(&self) -> Option<&Jimage> {
        match self {
            SystemModules::Image(image) => Some(image),
            SystemModules::Separate(_) => None,
        }
    }
}

impl SeparateModules {
    /// The modules of an exploded build: `root/NAME/…`.
    pub fn exploded(root: &Path) -> Result<SeparateModules> {
        let mut all = Vec::new();
        for (name, path) in children(root)? {
            let dir = Dir::new(path);
            let packages: std::collections::BTreeSet<String> = dir
                .names()?
                .iter()
                .filter(|n| n.ends_with(".class"))
                .filter_map(|n| package_of(n).map(str::to_string))
                .collect();
            all.push((
                name,
                ModuleLocation::Dir(dir),
                packages.into_iter().collect(),
            ));
        }
        Ok(SeparateModules::index(all))
    }

    /// The modules of a directory of jmod files.
    pub fn jmods(root: &Path) -> Result<SeparateModules> {
        let mut all = Vec::new();
        for (name, path) in children(root)? {
            if name.ends_with(".jmod") {
                let jmod = Jmod::open(path)?;
                let packages = jmod.packages().into_iter().collect();
                all.push((
                    jmod.module().to_string(),
                    ModuleLocation::Jmod(jmod),
                    packages,
                ));
            }
        }
        Ok(SeparateModules::index(all))
    }

    fn index(all: Vec<(String, ModuleLocation, Vec<String>)>) -> SeparateModules {
        let mut module_of_package = BTreeMap::new();
        for (module, _, packages) in &all {
            for package in packages {
                module_of_package
                    .entry(package.clone())
                    .or_insert_with(|| module.clone());
            }
        }
        let entry = |(name, place, packages)| (name, (place, packages));
        SeparateModules {
            modules: all.into_iter().map(entry).collect(),
            module_of_package,
        }
    }

    fn find(&self, module: &str, name: &str) -> Result<Option<Vec<u8>>> {
        match self.modules.get(module) {
            Some((ModuleLocation::Dir(dir), _)) => dir.find(name),
            Some((ModuleLocation::Jmod(jmod), _)) => jmod.find(name),
            None => Ok(None),
        }
    }
}

/// The entries of a directory with names that are UTF-8, sorted.
pub(super) fn children(dir: &Path) -> Result<Vec<(String, std::path::PathBuf)>> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(|e| Error::io(dir, e))? {
        let entry = entry.map_err(|e| Error::io(dir, e))?;
        if let Ok(name) = entry.file_name().into_string() {
            all.push((name, entry.path()));
        }
    }
    all.sort();
    Ok(all)
}
