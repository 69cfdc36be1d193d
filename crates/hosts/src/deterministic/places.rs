//! The folders whose places differ between machines and runs, under one name that does not: working directory, home,
//! temporary files, JDK.

use rjvm_vm::host::{Host, Io};
use std::fs::File;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

/// The folder of the others.
pub const ROOT: &str = "/rjvm";
/// The working directory.
pub const WORK: &str = "/rjvm/work";
/// The user's home: empty when the program begins.
pub const HOME: &str = "/rjvm/home";
/// Temporary files: none when the program begins.
pub const TMP: &str = "/rjvm/tmp";
/// The JDK.
pub const JDK: &str = "/rjvm/jdk";

/// What lies in [`ROOT`].
pub const NAMES: [&str; 4] = ["home", "jdk", "tmp", "work"];

/// The folder for home and temporary files of one run: one that the host inside has, or one of this machine, which is
/// made when they are first requested. That is locked as long as the run lasts; one that is not was left by a process that has
/// been killed, and is removed by the next run that needs its own.
#[derive(Clone, Default)]
pub struct RunFolder(Arc<Mutex<Folder>>);

#[derive(Default)]
pub(super) enum Folder {
    #[default]
    None,
    Given(PathBuf),
    Made(PathBuf, File),
}

impl Folder {
    fn path(&self) -> Option<&Path> {
        match self {
            Folder::None => None,
            Folder::Given(path) | Folder::Made(path, _) => Some(path),
        }
    }
}

impl RunFolder {
    fn new(given: Option<PathBuf>) -> RunFolder {
        let folder = given.map_or(Folder::None, Folder::Given);
        RunFolder(Arc::new(Mutex::new(folder)))
    }
    pub(super) fn place(&self) -> MutexGuard<'_, Folder> {
        // nothing that can panic runs under the lock
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
    /// Where it is.
    pub(super) fn get(&self) -> Option<PathBuf> {
        let mut place = self.place();
        if place.path().is_none()
            && let Some((path, lock)) = make(&std::env::temp_dir())
        {
            *place = Folder::Made(path, lock);
        }
        place.path().map(Path::to_owned)
    }
    /// Removes the folders made here, with all their contents. Files that cannot be removed stay.
    pub fn remove(&self) {
        if let Folder::Made(dir, _lock) = std::mem::take(&mut *self.place()) {
            let _ = std::fs::remove_dir_all(dir);
        }
    }
}

/// What names of such folders begin with.
const PREFIX: &str = "rjvm-run-";

/// A new folder with `home` and `tmp` in it, and its lock.
pub(super) fn make(base: &Path) -> Option<(PathBuf, File)> {
    use std::os::unix::fs::DirBuilderExt;
    sweep(base);
    let mut private = std::fs::DirBuilder::new();
    private.mode(0o700);
    (0..1000).find_map(|n| {
        let dir = base.join(format!("{PREFIX}{}-{n}", std::process::id()));
        private.create(&dir).ok()?;
        // somebody who sweeps may have been faster
        let lock = File::open(&dir).ok()?;
        lock.try_lock().ok()?;
        private.create(dir.join("home")).ok()?;
        private.create(dir.join("tmp")).ok()?;
        Some((std::fs::canonicalize(dir).ok()?, lock))
    })
}

/// Removes the files that an ended process has left: a copy of this process, after which no process tidied up.
pub fn remove_left_by(process: u32) {
    remove_unlocked(&std::env::temp_dir().join(format!("{PREFIX}{process}-0")));
}

fn remove_unlocked(dir: &Path) {
    if let Ok(lock) = File::open(dir)
        && lock.try_lock().is_ok()
    {
        // what cannot be removed is somebody else's
        let _ = std::fs::remove_dir_all(dir);
    }
}

/// Removes what processes have left that were killed.
fn sweep(base: &Path) {
    let entries = std::fs::read_dir(base).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let ours = name.as_bytes().starts_with(PREFIX.as_bytes());
        if !ours || !entry.file_type().is_ok_and(|t| t.is_dir()) {
            continue;
        }
        remove_unlocked(&entry.path());
    }
}

/// From the program's names to the real ones and back.
pub struct Places {
    /// The real working directory.
    work: Vec<u8>,
    /// The one that was there at first, beside which others are.
    first: Vec<u8>,
    /// The real JDK.
    jdk: Vec<u8>,
    temporary: RunFolder,
}

impl Drop for Places {
    fn drop(&mut self) {
        self.temporary.remove();
    }
}

impl Places {
    /// Those of this process, as far as the host lets it see them.
    pub fn new(host: &mut dyn Host, java_home: PathBuf, folder: Option<PathBuf>) -> Places {
        let files = host.files();
        let work = files.current_dir().unwrap_or_default();
        let work = files.real_path(&work).unwrap_or(work);
        let jdk = java_home.as_os_str().as_bytes().to_vec();
        let jdk = files.real_path(&jdk).unwrap_or(jdk);
        Places {
            first: work.clone(),
            work,
            jdk,
            temporary: RunFolder::new(folder),
        }
    }
    /// The real working directory.
    pub fn work(&self) -> &[u8] {
        &self.work
    }
    /// The real name of a file that is named from the working folder: one below it, or beside the one that was there at first.
    pub fn here(&self, path: &[u8]) -> Vec<u8> {
        if self.work == self.first {
            return path.to_vec();
        }
        let beside = path == b".." || path.starts_with(b"../");
        let base = if beside { &self.first } else { &self.work };
        [base, &b"/"[..], path].concat()
    }
    /// The process is a different one from here on.
    pub fn work_in(&mut self, real: &[u8]) {
        self.work = real.to_vec();
    }
    /// See [`RunFolder`].
    pub fn temporary(&self) -> RunFolder {
        self.temporary.clone()
    }
    /// Where one of the folders really is.
    fn real_of(&self, guest: &str) -> Option<Vec<u8>> {
        let in_temporary = |name| {
            let dir = self.temporary.get()?.join(name);
            Some(dir.as_os_str().as_bytes().to_vec())
        };
        match guest {
            "work" => Some(self.work.clone()),
            "jdk" => Some(self.jdk.clone()),
            "home" => in_temporary("home"),
            "tmp" => in_temporary("tmp"),
            _ => None,
        }
    }
    /// Whether this is the folder of the others.
    pub fn is_root(&self, path: &[u8]) -> bool {
        path.starts_with(ROOT.as_bytes()) && normal(path) == ROOT.as_bytes()
    }
    /// The real name of a file; others than the program's own stay as they are.
    pub fn real(&self, path: &[u8]) -> Io<Vec<u8>> {
        let below = |p: &[u8]| match p.strip_prefix(ROOT.as_bytes()) {
            Some(rest) if rest.is_empty() || rest[0] == b'/' => Some(rest.to_vec()),
            _ => None,
        };
        if below(path).is_none() {
            return Ok(path.to_vec());
        }
        let given = path;
        let path = normal(path);
        let Some(rest) = below(&path) else {
            // `..` has led out again, beyond the folder that the working folder is in
            return Ok(match given.strip_prefix(WORK.as_bytes()) {
                Some(rest) if rest.first() == Some(&b'/') => [&self.first, rest].concat(),
                _ => path,
            });
        };
        let rest = rest.strip_prefix(b"/").unwrap_or(&rest);
        let end = rest.iter().position(|&b| b == b'/').unwrap_or(rest.len());
        let name = &rest[..end];
        let place = match std::str::from_utf8(name) {
            Ok(name) if NAMES.contains(&name) => self.real_of(name),
            _ => self.beside(name),
        };
        let mut real = place.ok_or(rjvm_vm::host::Errno(libc::ENOENT))?;
        real.extend_from_slice(&rest[end..]);
        Ok(real)
    }
    /// The folder that the working folder is in, with `/` at its end.
    fn parent(&self) -> Option<&[u8]> {
        let end = self.first.iter().rposition(|&b| b == b'/')?;
        (self.first.len() > 1).then(|| &self.first[..=end])
    }
    /// What lies beside the working folder and is not called like one of the others: `../lib` is `/rjvm/lib`.
    fn beside(&self, name: &[u8]) -> Option<Vec<u8>> {
        Some([self.parent()?, name].concat())
    }
    /// Whether this is an absolute name that came from outside: the program made it of none of its folders.
    pub fn is_given(&self, path: &[u8]) -> bool {
        path.starts_with(b"/") && !is_in(path, ROOT.as_bytes())
    }
    /// Whether a file with this real name is in the working folder or beside it. The names of those that were given by absolute
    /// ones stay as they are, or a program would see from which folder it was started.
    pub fn is_near(&self, real: &[u8]) -> bool {
        self.parent().is_some_and(|p| real.starts_with(p))
    }
    /// The program's name of a file by its real one.
    pub fn guest(&self, real: Vec<u8>) -> Vec<u8> {
        let mut places = vec![(JDK, self.jdk.clone())];
        if let Some(dir) = self.temporary.place().path() {
            let dir = dir.as_os_str().as_bytes();
            places.push((HOME, [dir, b"/home"].concat()));
            places.push((TMP, [dir, b"/tmp"].concat()));
        }
        places.push((WORK, self.work.clone()));
        for (guest, place) in places {
            if place.len() > 1 && is_in(&real, &place) {
                return [guest.as_bytes(), &real[place.len()..]].concat();
            }
        }
        match self.parent().and_then(|p| real.strip_prefix(p)) {
            Some(beside) if !is_called_like_ours(beside) => {
                [ROOT.as_bytes(), b"/", beside].concat()
            }
            _ => real,
        }
    }
    /// A word of a command line or variable for another process, which knows the real names only.
    pub fn real_text(&self, text: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.windows(ROOT.len() + 1).position(|w| w == b"/rjvm/") {
            let (before, from) = rest.split_at(at);
            out.extend_from_slice(before);
            let after = &from[ROOT.len() + 1..];
            let name = NAMES.iter().find(|n| {
                after
                    .strip_prefix(n.as_bytes())
                    .is_some_and(|r| r.first().is_none_or(|b| !b.is_ascii_alphanumeric()))
            });
            match name.and_then(|n| Some((n, self.real_of(n)?))) {
                Some((n, real)) => {
                    out.extend_from_slice(&real);
                    rest = &after[n.len()..];
                }
                None => {
                    out.extend_from_slice(self.parent().unwrap_or(b"/rjvm/"));
                    rest = after;
                }
            }
        }
        out.extend_from_slice(rest);
        out
    }
}

/// Whether a relative name begins with one of [`NAMES`], or with nothing.
fn is_called_like_ours(path: &[u8]) -> bool {
    let first = path.split(|&b| b == b'/').next().unwrap_or_default();
    first.is_empty() || NAMES.iter().any(|n| n.as_bytes() == first)
}

/// Whether `path` is `folder` or below it.
fn is_in(path: &[u8], folder: &[u8]) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
}

/// An absolute name without empty parts, `.` and `..`.
fn normal(path: &[u8]) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|&b| b == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let mut out = Vec::new();
    for part in parts {
        out.push(b'/');
        out.extend_from_slice(part);
    }
    if out.is_empty() {
        out.push(b'/');
    }
    out
}
