//! Class paths that two runs cannot distinguish by their names: the name of a class path decides how long strings are
//! and where they lie in hash tables, and so what the class library executes.

use clap::{Arg, value_parser};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Names of the two folders: as long as each other, and strings with the one have the same hash code as with the other.
const FOLDERS: [&str; 2] = ["Aa", "BB"];

/// Options whose value is a path of files.
const PATHS: [&str; 6] = [
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "-jar",
];

/// A folder of this process alone, removed in the end.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes one.
    ///
    /// # Errors
    /// As from making a folder.
    pub fn new() -> io::Result<Scratch> {
        let base = std::env::temp_dir();
        // the name is seen by the runs, and is the same each time, if nobody else has it
        for n in 0u32.. {
            let dir = base.join(format!("rjvm-{n:03}"));
            match fs::create_dir(&dir) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Scratch(dir)),
            }
        }
        Err(io::Error::other("there is no free name for a folder"))
    }
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The words of side 0 or 1 with its files linked into a folder below `dir`, or copied where they cannot be.
///
/// # Errors
/// The files cannot be read or copied.
pub fn alike(words: Vec<String>, side: usize, dir: &Path) -> io::Result<Vec<String>> {
    let mut links = Links {
        dir: dir.join(FOLDERS[side]),
        next: 0,
    };
    let mut out = Vec::with_capacity(words.len());
    let mut is_path = false;
    for word in words {
        let named = PATHS.iter().find_map(|p| {
            let value = word.strip_prefix(p)?.strip_prefix('=')?;
            Some((*p, value.to_owned()))
        });
        out.push(match named {
            Some((name, value)) => format!("{name}={}", links.path(&value)?),
            None if is_path => links.path(&word)?,
            None => word.clone(),
        });
        is_path = !is_path && PATHS.contains(&&*word);
    }
    Ok(out)
}

struct Links {
    dir: PathBuf,
    next: usize,
}

impl Links {
    fn path(&mut self, path: &str) -> io::Result<String> {
        let elements = path.split(':').map(|e| self.element(e));
        Ok(elements.collect::<io::Result<Vec<_>>>()?.join(":"))
    }
    fn element(&mut self, element: &str) -> io::Result<String> {
        let (from, rest) = match element.strip_suffix("/*") {
            Some(folder) => (Path::new(folder), "/*"),
            None => (Path::new(element), ""),
        };
        if !from.exists() || element.is_empty() {
            return Ok(element.to_owned());
        }
        let mut to = self.dir.join(self.next.to_string());
        self.next += 1;
        if let Some(extension) = from.extension().filter(|_| from.is_file()) {
            to.set_extension(extension);
        }
        fs::create_dir_all(&self.dir)?;
        link(from, &to)?;
        Ok(format!("{}{rest}", to.display()))
    }
}

fn link(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        let from = fs::canonicalize(from)?;
        return fs::hard_link(&from, to).or_else(|_| fs::copy(&from, to).map(|_| ()));
    }
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        link(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// The option for the standard input of programs that are run several times.
pub fn stdin_option() -> Arg {
    Arg::new("stdin")
        .long("stdin")
        .value_name("FILE")
        .help("Standard input of each run; default: empty")
        .value_parser(value_parser!(PathBuf))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `String.hashCode`
    fn hash(text: &str) -> i32 {
        let add = |h: i32, b| h.wrapping_mul(31).wrapping_add(i32::from(b));
        text.bytes().fold(0, add)
    }

    #[test]
    fn names_have_the_same_hash() {
        let [a, b] = FOLDERS.map(|f| format!("/tmp/x/{f}/0.jar"));
        assert_ne!(a, b);
        assert_eq!((hash(&a), a.len()), (hash(&b), b.len()));
    }

    #[test]
    fn files_are_linked() {
        let dir = std::env::temp_dir().join(format!("rjvm-alike-{}", std::process::id()));
        let classes = dir.join("classes");
        fs::create_dir_all(classes.join("p")).unwrap();
        fs::write(classes.join("p/C.class"), "c").unwrap();
        fs::write(dir.join("x.jar"), "j").unwrap();
        let path = format!("{}:{}:gone", classes.display(), dir.join("x.jar").display());
        let words = ["-Dcp=x", "-cp", &path, "-ea"].map(str::to_owned).to_vec();
        let got = alike(words, 1, &dir).unwrap();
        let base = dir.join("BB");
        let want = format!("{0}/0:{0}/1.jar:gone", base.display());
        assert_eq!(got, ["-Dcp=x", "-cp", &want, "-ea"]);
        assert_eq!(fs::read_to_string(base.join("0/p/C.class")).unwrap(), "c");
        assert_eq!(fs::read_to_string(base.join("1.jar")).unwrap(), "j");
        fs::remove_dir_all(&dir).unwrap();
    }
}
