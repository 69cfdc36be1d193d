//! What a recording says about its run before the first request.

use super::wire::{Reader, Wire, records};
use crate::forward;
use flate2::Crc;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Version of the format of recordings; another one is not understood.
pub const FORMAT: u32 = 1;

/// A file that the VM reads past its host: it must be the same when the run is replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BootFile {
    /// Its name.
    pub path: String,
    /// A digest of its contents.
    pub digest: u64,
}

impl BootFile {
    /// A digest of a file's contents (of long ones: of their length, beginning and end), or of all files below a
    /// directory with their names; 0 if there is nothing to read.
    pub fn digest_of(path: &Path) -> u64 {
        let mut sum = Crc::new();
        digest_into(path, &mut sum);
        match sum.amount() {
            0 => 0,
            n => u64::from(sum.sum()) << 32 | u64::from(n),
        }
    }
}

/// Bytes at the beginning and at the end that are looked at: of the JDK's image, they hold its directory.
const LOOKED_AT: u64 = 4 << 20;

fn digest_into(path: &Path, sum: &mut Crc) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        let mut entries: Vec<PathBuf> = entries.map(|e| e.path()).collect();
        entries.sort();
        for entry in entries {
            let name = entry.file_name().unwrap_or_default();
            sum.update(name.as_encoded_bytes());
            digest_into(&entry, sum);
        }
        return;
    }
    let Ok(mut file) = File::open(path) else {
        return;
    };
    let len = file.metadata().map_or(0, |m| m.len());
    sum.update(&len.to_le_bytes());
    let mut bytes = Vec::new();
    // what can't be read now could not when the run was recorded either, or else makes a difference
    let _ = (&file).take(LOOKED_AT).read_to_end(&mut bytes);
    if len > LOOKED_AT
        && file
            .seek(SeekFrom::Start((len - LOOKED_AT).max(LOOKED_AT)))
            .is_ok()
    {
        let _ = file.take(LOOKED_AT).read_to_end(&mut bytes);
    }
    sum.update(&bytes);
}

/// What a run needs besides the answers of its host to be the same again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// Version of rjvm.
    pub version: String,
    /// Version of the JDK.
    pub jdk_version: String,
    /// Where the JDK is.
    pub java_home: String,
    /// The command line up to the program's arguments, argument files expanded.
    pub command: Vec<String>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// Variables of the environment that the launcher reads.
    pub variables: Vec<(String, String)>,
    /// System properties of the command line, with those that the launcher adds.
    pub properties: Vec<(String, String)>,
    /// Main class, jar file, module or source file, and how it is meant.
    pub program: Option<String>,
    /// How `program` is meant: the number of `sun.launcher.LauncherHelper`'s mode.
    pub mode: u8,
    /// Snapshots on `SIGUSR1` were waited for.
    pub snapshots: bool,
    /// What the VM reads past its host, the JDK's image first.
    pub boot_files: Vec<BootFile>,
}

records! {
    BootFile { path, digest }
    Header {
        version, jdk_version, java_home, command, args, variables, properties, program, mode, snapshots, boot_files
    }
}

impl Header {
    /// It as bytes, for the first chunk.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut to = Vec::new();
        FORMAT.put(&mut to);
        requests().put(&mut to);
        self.put(&mut to);
        to
    }
    /// Reads the first chunk; the error says what is wrong.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Header, String> {
        let mut from = Reader(bytes);
        let format = u32::get(&mut from).ok_or("its header is damaged")?;
        if format != FORMAT {
            return Err(format!(
                "its format has the version {format}; this rjvm reads {FORMAT}"
            ));
        }
        let asked = u64::get(&mut from).ok_or("its header is damaged")?;
        let header = Header::get(&mut from).filter(|_| from.0.is_empty());
        let header = header.ok_or("its header is damaged")?;
        if asked != requests() {
            return Err(format!(
                "it was made by rjvm {}, whose requests to a host are others than those of this rjvm {}",
                header.version,
                env!("CARGO_PKG_VERSION")
            ));
        }
        Ok(header)
    }
}

/// A digest of the requests there are.
fn requests() -> u64 {
    let all: Vec<String> = forward::names().collect();
    u64::from(super::ask::digest(all.join(" ").as_bytes()))
}
