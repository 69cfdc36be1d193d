//! A process that is a copy of another process, as each schedule of an exploration is: the program's temporary files and home are
//! its own from there on, so that changes by one process do not affect the others.

use super::Deterministic;
use super::known::FileId;
use super::places::{Folder, RunFolder, make};
use super::table::DescriptorKind;
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Errno, Io, SeekOrigin};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

/// The copy of a folder.
struct FolderCopy {
    from: PathBuf,
    to: PathBuf,
    /// The files of the copy, by their originals.
    files: BTreeMap<FileId, (FileId, PathBuf)>,
}

impl RunFolder {
    /// Makes a folder of this process's own instead of one that another process has made, with copies of all that is in it, and of
    /// the working folder if that is given.
    fn renew(&self, work: Option<&Path>) -> io::Result<Option<FolderCopy>> {
        if work.is_some() {
            // it is to be in there, whether or not the program has requested anything else that is
            self.get();
        }
        let mut place = self.place();
        let Folder::Made(from, _) = &*place else {
            return Ok(None);
        };
        let (to, lock) = make(&std::env::temp_dir())
            .ok_or_else(|| io::Error::other("cannot create a folder for temporary files"))?;
        let mut copied = FolderCopy {
            from: from.clone(),
            to: to.clone(),
            files: BTreeMap::new(),
        };
        for name in ["home", "tmp"] {
            copied.folder(&from.join(name), &to.join(name))?;
        }
        if let Some(work) = work {
            fs::create_dir(to.join("work"))?;
            copied.folder(work, &to.join("work"))?;
        }
        *place = Folder::Made(to, lock);
        Ok(Some(copied))
    }
}

impl FolderCopy {
    fn folder(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            self.file(&entry.path(), &to.join(entry.file_name()))?;
        }
        self.note(from, to)
    }
    fn file(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let kind = fs::symlink_metadata(from)?.file_type();
        if kind.is_dir() {
            fs::create_dir(to)?;
            self.folder(from, to)?;
            return fs::set_permissions(to, fs::metadata(from)?.permissions());
        }
        if kind.is_symlink() {
            let target = fs::read_link(from)?;
            let within = target.strip_prefix(&self.from).map(|t| self.to.join(t));
            std::os::unix::fs::symlink(within.unwrap_or(target), to)?;
        } else if kind.is_fifo() || kind.is_socket() {
            let kind = if kind.is_fifo() {
                rustix::fs::FileType::Fifo
            } else {
                rustix::fs::FileType::Socket
            };
            let mode = rustix::fs::Mode::from_raw_mode(fs::symlink_metadata(from)?.mode() & 0o7777);
            rustix::fs::mknodat(rustix::fs::CWD, to, kind, mode, 0)?;
        } else {
            fs::copy(from, to)?;
        }
        self.note(from, to)
    }
    fn note(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let id = |path| fs::symlink_metadata(path).map(|s| (s.dev(), s.ino()));
        self.files.insert(id(from)?, (id(to)?, to.to_owned()));
        Ok(())
    }
}

impl Deterministic {
    /// This process is a new copy of the process whose host this was: it gets its own home and temporary files, with the present
    /// contents. Where the folder of these was given, that stays. `folder`: and a working folder, with copies of the files that
    /// are in it.
    ///
    /// # Errors
    /// They cannot be copied.
    pub fn copied(&mut self, folder: bool) -> io::Result<()> {
        let work = PathBuf::from(std::ffi::OsStr::from_bytes(self.places.work()));
        let work = folder.then_some(&work);
        let Some(copied) = self.places.temporary().renew(work.map(|w| &**w))? else {
            return Ok(());
        };
        if folder {
            let own = copied.to.join("work");
            self.places.work_in(own.as_os_str().as_bytes());
        }
        let os = |e: Errno| io::Error::from_raw_os_error(e.0);
        for (old, (new, path)) in copied.files {
            self.known.moved(old, new);
            for open in self.table.all_mut() {
                if let DescriptorKind::File { fd, id } = &mut open.kind
                    && *id == old
                {
                    reopen(&mut *self.inner, *fd, path.as_os_str().as_bytes()).map_err(os)?;
                    *id = new;
                }
            }
        }
        Ok(())
    }
}

/// Makes a descriptor mean another file, at the same place in it.
fn reopen(inner: &mut dyn rjvm_vm::host::Host, fd: i32, path: &[u8]) -> Io<()> {
    let flags = inner.descriptors().flags(fd)?;
    let new = inner.files().open(HERE, path, flags, 0)?;
    // a directory has none
    if let Ok(at) = inner.descriptors().seek(fd, 0, SeekOrigin::Current) {
        inner.descriptors().seek(new, at, SeekOrigin::Start)?;
    }
    inner.descriptors().dup2(new, fd)?;
    inner.descriptors().close(new)
}
