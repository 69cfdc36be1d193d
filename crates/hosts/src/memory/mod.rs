//! A file system in memory. Its embedder puts files in before a run and reads them back afterwards; programs see files,
//! folders, links, permission bits and times as they would on a disk.

mod file;
mod node;
#[cfg(test)]
mod tests;
mod tree;
mod watch;

pub(crate) use file::OpenFile;
pub(crate) use node::{Device, NodeKind, USER};
pub(crate) use tree::{ROOT, Tree};
pub(crate) use watch::{EntryName, FIRST as FIRST_WATCH, Watcher};

use rjvm_vm::host::{Errno, Io};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

/// Bytes that files in memory may take in all, unless said otherwise.
pub const DEFAULT_LIMIT: u64 = 64 << 20;

/// Files in memory. Copies of this value are the same files: one is granted to programs, with another the embedder
/// puts files in and reads what became of them. Several VMs may have the same files.
///
/// A program that wants to keep more than the limit gets "No space left on device". Contents count with their length,
/// each file, folder and link with 256 bytes and its name, and private
/// mappings with their length.
///
/// Programs can watch folders (`java.nio.file.WatchService`): they are notified of changes by others as well, another VM or
/// the embedder.
///
/// ```
/// use rjvm_hosts::MemoryFiles;
///
/// let files = MemoryFiles::new().with("/in/words.txt", "one two")?;
/// assert_eq!(files.read("/in/words.txt")?, b"one two");
/// assert_eq!(files.list(), ["/in/words.txt"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct MemoryFiles(Arc<Mutex<Tree>>);

impl MemoryFiles {
    /// None yet, except for a folder `/tmp`; at most [`DEFAULT_LIMIT`] bytes.
    pub fn new() -> MemoryFiles {
        Self::with_limit(DEFAULT_LIMIT)
    }
    /// The same with room for so many bytes.
    pub fn with_limit(bytes: u64) -> MemoryFiles {
        let files = Self::bare(u64::MAX);
        {
            let mut tree = files.tree();
            let tmp = tree.folder(&[b"tmp"]).expect("an empty folder has room");
            tree.set_mode(tmp, 0o1777).expect("made just now");
            tree.limit = bytes;
        }
        files
    }
    /// Not even that folder.
    pub(crate) fn bare(limit: u64) -> MemoryFiles {
        MemoryFiles(Arc::new(Mutex::new(Tree::new(limit))))
    }
    pub(crate) fn tree(&self) -> MutexGuard<'_, Tree> {
        // what panics under the lock leaves a tree that is whole: operations check first and change then
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
    /// Puts a file in, and the folders it is in. One that is there is replaced.
    ///
    /// # Errors
    /// When it does not fit any more, or when a file is where a folder would have to be or the other way round.
    pub fn with(
        self,
        path: impl AsRef<Path>,
        content: impl AsRef<[u8]>,
    ) -> std::io::Result<MemoryFiles> {
        self.write(path, content)?;
        Ok(self)
    }
    /// The same for files that a program may be using already.
    ///
    /// # Errors
    /// As of [`MemoryFiles::with`].
    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> std::io::Result<()> {
        let names = names(path.as_ref());
        let r = match names.split_last() {
            Some((name, folders)) => self.tree().put(folders, name, content.as_ref()),
            None => Err(Errno(libc::EISDIR)),
        };
        r.map_err(error)
    }
    /// Makes a folder, and those it is in.
    ///
    /// # Errors
    /// When it does not fit any more, or when a file is in its place.
    pub fn create_dir(&self, path: impl AsRef<Path>) -> std::io::Result<()> {
        let r = self.tree().folder(&names(path.as_ref()));
        r.map(|_| ()).map_err(error)
    }
    /// The content of a file. Symbolic links are not followed.
    ///
    /// # Errors
    /// When there is no such file, or it is a folder or a link.
    pub fn read(&self, path: impl AsRef<Path>) -> std::io::Result<Vec<u8>> {
        let tree = self.tree();
        let r = tree.find(&names(path.as_ref()));
        r.and_then(|id| tree.content(id)).map_err(error)
    }
    /// The names of all files, sorted; those that are not UTF-8 with replacement characters. Names beyond 4095 bytes, which no
    /// program can use, are left out.
    pub fn list(&self) -> Vec<String> {
        let mut paths = self.tree().files();
        paths.sort();
        let text = |p: &Vec<u8>| String::from_utf8_lossy(p).into_owned();
        paths.iter().map(text).collect()
    }
    /// Whether a program has wanted more room than the limit gives.
    pub fn exceeded(&self) -> bool {
        self.tree().exceeded()
    }
    /// Bytes taken, as the limit counts them.
    pub fn used(&self) -> u64 {
        self.tree().used()
    }
}

impl Default for MemoryFiles {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemoryFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MemoryFiles").field(&self.list()).finish()
    }
}

/// The names on the way from the root; `.` and `..` by the text alone.
pub(crate) fn names(path: &Path) -> Vec<&[u8]> {
    use std::os::unix::ffi::OsStrExt;
    let mut names = Vec::new();
    for part in path.as_os_str().as_bytes().split(|&b| b == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    names
}

fn error(e: Errno) -> std::io::Error {
    std::io::Error::from_raw_os_error(e.0)
}

/// The room for an extended attribute, or for their names; asked with an empty buffer, its length.
pub(crate) fn fill(buf: &mut [u8], value: &[u8]) -> Io<usize> {
    if !buf.is_empty() {
        let to = buf.get_mut(..value.len()).ok_or(Errno(libc::ERANGE))?;
        to.copy_from_slice(value);
    }
    Ok(value.len())
}
