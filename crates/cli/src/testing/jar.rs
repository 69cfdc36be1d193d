//! Where the jar of the API lies while programs use it: its name is on their class path, so it is the same each time.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// The jar in a file of the folder for temporary files, which this user owns. It is left there for the next time.
///
/// # Errors
/// It cannot be written.
pub fn placed() -> io::Result<PathBuf> {
    let folder = std::env::temp_dir();
    let new = folder.join(format!(".rjvm-test-{}.jar", std::process::id()));
    fs::write(&new, super::API)?;
    let user = fs::metadata(&new)?.uid();
    let hash = super::API.iter().fold(0xcbf2_9ce4_8422_2325, |h: u64, &b| {
        (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let path = folder.join(format!("rjvm-test-{user}-{hash:016x}.jar"));
    let ours = |path: &PathBuf| {
        let file = fs::symlink_metadata(path).is_ok_and(|m| m.is_file() && m.uid() == user);
        file && fs::read(path).is_ok_and(|bytes| bytes == super::API)
    };
    if ours(&path) {
        fs::remove_file(&new)?;
        return Ok(path);
    }
    // what somebody else has put there cannot be replaced in such a folder, and is not used
    match fs::rename(&new, &path) {
        Ok(()) => Ok(path),
        Err(_) => Ok(new),
    }
}
