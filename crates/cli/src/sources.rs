//! Source files, from directories and archives: what `--source-path` names, and a JDK's `src.zip`.

use rjvm_profiler::export::Sources;
use rjvm_vm::classpath::{self, Dir, Jar};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use thiserror::Error;

/// Where source files are looked for, in this order.
#[derive(Debug, Default)]
pub struct SourcePath {
    places: Vec<SourceRoot>,
}

#[derive(Debug)]
enum SourceRoot {
    /// A file that is named without the folder of its package.
    File(PathBuf),
    Dir(Vec<Dir>),
    /// An archive, and the folders in it that sources may be below, which may be modules.
    Archive(Box<Jar>, Vec<String>),
}

/// Folders of a project that source trees are in, beside the project's own folder.
const ROOTS: [&str; 5] = [
    "src/main/java",
    "src/test/java",
    "src/main/kotlin",
    "src/main/scala",
    "src",
];

/// Why a path has no sources.
#[derive(Debug, Error)]
pub enum SourceError {
    /// A part of it does not exist.
    #[error("{}: no such file", .0.display())]
    Missing(PathBuf),
    /// A part of it is a file, but no archive that can be read.
    #[error(transparent)]
    Archive(classpath::Error),
}

impl SourcePath {
    /// Directories, jars and zips of a path as `--source-path` has it. All of them must be there.
    pub fn open(path: &str) -> Result<SourcePath, SourceError> {
        let mut sources = SourcePath::default();
        for part in std::env::split_paths(path).filter(|part| !part.as_os_str().is_empty()) {
            if !sources.add(&part)? {
                return Err(SourceError::Missing(part));
            }
        }
        Ok(sources)
    }

    /// Adds what another one has, after this one's places.
    pub fn extend(&mut self, other: SourcePath) {
        self.places.extend(other.places);
    }

    /// Adds a directory or archive, if it is there.
    pub fn add(&mut self, path: &Path) -> Result<bool, SourceError> {
        match std::fs::metadata(path) {
            Ok(meta) if meta.is_dir() => self.places.push(SourceRoot::Dir(roots(path))),
            Ok(_) => {
                let jar = Jar::open(path).map_err(SourceError::Archive)?;
                let folders = folders(&jar.names());
                self.places
                    .push(SourceRoot::Archive(Box::new(jar), folders));
            }
            Err(_) => return Ok(false),
        }
        Ok(true)
    }

    /// Adds the existing folders and files of a class path: sources often lie beside classes. Unreadable ones are skipped.
    pub fn add_class_path(&mut self, path: &str) {
        for part in std::env::split_paths(path) {
            let _ = self.add(&part);
        }
    }

    /// Adds a source file.
    pub fn add_file(&mut self, file: PathBuf) {
        self.places.push(SourceRoot::File(file));
    }

    /// Adds the sources of a JDK, if they are installed and can be read.
    pub fn add_jdk(&mut self, home: &Path) {
        for name in ["lib/src.zip", "src.zip"] {
            if let Ok(true) = self.add(&home.join(name)) {
                return;
            }
        }
    }
}

impl SourcePath {
    /// Where a file is, if it is not in an archive.
    pub fn path(&self, file: &str) -> Option<PathBuf> {
        let file = rjvm_profiler::without_variant(file);
        let inside = Path::new(file).components();
        if !inside
            .into_iter()
            .all(|c| matches!(c, Component::Normal(_)))
        {
            return None;
        }
        let found = self.places.iter().find_map(|place| match place {
            SourceRoot::File(path) => {
                let name = file.rsplit('/').next()?;
                (path.file_name()? == name).then(|| path.clone())
            }
            SourceRoot::Dir(roots) => {
                let mut all = roots.iter().map(|root| root.path().join(file));
                all.find(|path| path.is_file())
            }
            SourceRoot::Archive(..) => None,
        });
        found.and_then(|path| std::path::absolute(path).ok())
    }
    /// Whether a file is there.
    pub fn has(&self, file: &str) -> bool {
        self.text(file).is_some()
    }
}

impl Sources for SourcePath {
    fn text(&self, file: &str) -> Option<String> {
        let file = rjvm_profiler::without_variant(file);
        let bytes = self.places.iter().find_map(|place| match place {
            SourceRoot::File(path) => {
                let name = file.rsplit('/').next()?;
                (path.file_name()? == name).then(|| std::fs::read(path).ok())?
            }
            SourceRoot::Dir(roots) => roots.iter().find_map(|root| root.find(file).ok()?),
            SourceRoot::Archive(jar, folders) => {
                let find = |name: &str| jar.find(name).ok().flatten();
                let mut below = folders
                    .iter()
                    .map(|folder| find(&format!("{folder}{file}")));
                find(file).or_else(|| below.find_map(|found| found))
            }
        })?;
        // Sources in other encodings have the same lines.
        let text = String::from_utf8(bytes);
        Some(text.unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
    }
}

/// The directory, the usual folders in it, and its other folders, which may be modules.
fn roots(path: &Path) -> Vec<Dir> {
    let mut all = vec![path.to_owned()];
    all.extend(ROOTS.iter().map(|root| path.join(root)));
    let folders = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    for folder in folders {
        all.extend(ROOTS.iter().map(|root| folder.join(root)));
        all.push(folder);
    }
    all.retain(|path| path.is_dir());
    all.into_iter().map(Dir::new).collect()
}

/// The first folders of names, each with its slash, in the order of the names.
fn folders(names: &[String]) -> Vec<String> {
    let sources = names.iter().filter(|name| !name.ends_with(".class"));
    let folders: BTreeSet<&str> = sources
        .filter_map(|name| Some(&name[..=name.find('/')?]))
        .collect();
    folders.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_projects_are_roots() {
        let dir = std::env::temp_dir().join(format!("rjvm-sources-{}", std::process::id()));
        let put = |name: &str, text: &str| {
            let path = dir.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        };
        put("p/A.java", "own");
        put("mod/p/A.java", "module");
        put("mod/p/B.java", "b");
        put("part/src/main/java/p/C.java", "c");
        let sources = SourcePath::open(dir.to_str().expect("text")).expect("it is there");
        let text = |file| sources.text(file);
        assert_eq!(text("p/A.java").as_deref(), Some("own"));
        assert_eq!(text("p/B.java").as_deref(), Some("b"));
        assert_eq!(text("p/C.java").as_deref(), Some("c"));
        assert_eq!(text("p/D.java"), None);
        assert_eq!(text("../p/A.java"), None);
        let missing = dir.join("none");
        let error = SourcePath::open(missing.to_str().expect("text"));
        assert!(
            error
                .expect_err("it does not exist")
                .to_string()
                .contains("no such file")
        );
        std::fs::remove_dir_all(dir).expect("it was there");
    }

    #[test]
    fn the_first_folder_may_be_a_module() {
        let names = [
            "m/p/A.java",
            "B.java",
            "p/A.java",
            "m/p/B.java",
            "c/D.class",
            "m-n/A.java",
            "java.base/java/lang/Object.java",
        ];
        let all = folders(&names.map(String::from));
        assert_eq!(all, ["java.base/", "m-n/", "m/", "p/"]);
    }
}
