//! Files that are there as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file: into one beside it, which takes its place when it is on the disk. So a file that is there is whole. An earlier
/// file of that name stays if writing fails or is cut short, even by a crash of the machine. Files that are not regular, such as
/// pipes, are written directly; so are files in a folder that takes no new ones. The writer is buffered.
pub fn write_whole<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let known = fs::metadata(path).ok();
    let regular = known.as_ref().is_none_or(|known| known.is_file());
    // what a link leads to is written, not the link
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = beside(&place).filter(|_| regular);
    let opened = beside.and_then(|beside| Some((File::create(&beside).ok()?, beside)));
    let Some((file, beside)) = opened else {
        return to_file(&File::create(path)?, write);
    };
    if let Some(known) = known {
        // what the file's owner allows stays as it is
        let _ = fs::set_permissions(&beside, known.permissions());
    }
    let written = to_file(&file, write)
        .and_then(|()| Ok(to_disk(&file)?))
        .and_then(|()| Ok(fs::rename(&beside, &place)?));
    if written.is_err() {
        // it reports nobody anything; if it cannot be removed, the error is reported all the same
        let _ = fs::remove_file(&beside);
    }
    written
}

/// The contents of the file survive if the machine stops now; some file systems do not support that.
fn to_disk(file: &File) -> io::Result<()> {
    match file.sync_data() {
        Err(e) if e.kind() == io::ErrorKind::InvalidInput => Ok(()),
        Err(e) if e.kind() == io::ErrorKind::Unsupported => Ok(()),
        synced => synced,
    }
}

fn to_file<E: From<io::Error>>(
    file: &File,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let written = write(&mut out).and_then(|()| Ok(out.flush()?));
    // after an error there is nothing to be tried again
    let _ = out.into_parts();
    written
}

/// `.name.process.part` in the same folder.
fn beside(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_string_lossy();
    Some(path.with_file_name(format!(".{name}.{}.part", std::process::id())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_by_a_whole_one_only() {
        let dir = std::env::temp_dir().join(format!("whole-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let path = dir.join("x.txt");
        let write = |text: &'static str, end: io::Result<()>| {
            write_whole(&path, |out| {
                out.write_all(text.as_bytes())?;
                end
            })
        };
        write("first", Ok(())).unwrap();
        let error = write("second", Err(io::Error::other("no more"))).unwrap_err();
        assert_eq!(error.to_string(), "no more");
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        write("third", Ok(())).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "third");
        assert_eq!(
            fs::read_dir(&dir).unwrap().count(),
            1,
            "nothing is left behind"
        );
        fs::remove_dir_all(&dir).unwrap();
    }
}
