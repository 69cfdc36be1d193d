//! Class files and resources in memory.

use rjvm_classfile::ClassFile;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A folder of a class path in memory: class files, and resources beside them. Cloning it is cheap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Classes(BTreeMap<String, Arc<[u8]>>);

impl Classes {
    /// No classes.
    pub fn new() -> Classes {
        Classes::default()
    }
    /// Adds a class file under the name of its class. If it is not a valid class file, it gets the name `name`, and
    /// loading it reports the problem.
    pub fn with_class(self, name: &str, bytes: impl Into<Vec<u8>>) -> Classes {
        let bytes = bytes.into();
        let own = ClassFile::parse(&bytes).ok().and_then(|cf| {
            let name = cf.constant_pool.class_name(cf.this_class).ok()?;
            Some(name.to_string())
        });
        let name = own.unwrap_or_else(|| name.replace('.', "/"));
        self.with_file(format!("{name}.class"), bytes)
    }
    /// Adds a file by its path, such as `app/Calc.class` or `app/texts.properties`.
    pub fn with_file(mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Classes {
        self.0.insert(path.into(), bytes.into().into());
        self
    }
    /// The files, ordered by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(path, bytes)| (&**path, &**bytes))
    }
    /// The names of the classes, as in Java sources, ordered.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let classes = self.0.keys().filter_map(|path| path.strip_suffix(".class"));
        classes.map(|name| name.replace('/', "."))
    }
    /// The content of a file.
    pub fn file(&self, path: &str) -> Option<&[u8]> {
        self.0.get(path).map(|bytes| &**bytes)
    }
    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Joins both. If both have a file with the same path, the file of `other` remains.
    pub fn and(mut self, other: Classes) -> Classes {
        self.0.extend(other.0);
        self
    }
}

impl<P: Into<String>, B: Into<Vec<u8>>> FromIterator<(P, B)> for Classes {
    fn from_iter<I: IntoIterator<Item = (P, B)>>(files: I) -> Classes {
        let add = |all: Classes, (path, bytes): (P, B)| all.with_file(path, bytes);
        files.into_iter().fold(Classes::new(), add)
    }
}
