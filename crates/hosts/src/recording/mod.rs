//! Recordings of runs: what a program was answered by its host, as bytes in a file.
//!
//! A recording is a magic line followed by chunks, each with its length and a digest of its bytes; the first one holds the
//! [`Header`]. So a recording whose writer was killed is good up to its last whole chunk. The records of a chunk belong
//! together: requests with their answers in the order in which they were made, each with the bytecodes that had
//! been executed since the one before. The format is described in `docs/recording-format.md`.

pub(crate) mod chunks;
pub mod encode;
mod header;
pub(crate) mod log;
pub(crate) mod tape;
#[cfg(test)]
mod tests;
pub mod wire;

pub use chunks::{ChunkSource, Damage, RecordingError};
pub use header::{BootFile, FORMAT, Header, RecordedSettings};

use wire::{Reader, Wire};

/// Begins a record that is not a request but has the contents of mapped memory.
pub(crate) const MAPPED: u8 = 0;
/// Begins the last record.
pub(crate) const END: u8 = u8::MAX;

/// How a recorded run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// Bytecodes that all threads had executed.
    pub bytecodes: i64,
    /// The exit code.
    pub code: i32,
}

impl Wire for End {
    fn put(&self, to: &mut Vec<u8>) {
        (self.bytecodes, self.code).put(to);
    }
    fn get(from: &mut Reader) -> Option<End> {
        let (bytecodes, code) = Wire::get(from)?;
        Some(End { bytecodes, code })
    }
}

/// The result of a look at mapped memory.
pub(crate) enum MappedRead {
    /// It could not be touched: the file has been cut.
    Cut,
    /// Bytes from `at` on, which the VM had not seen, or not like this.
    Bytes { at: usize, bytes: Vec<u8> },
    /// The result of another operation: its error, or whether it was true.
    Result(Result<bool, i32>),
}

impl Wire for MappedRead {
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            MappedRead::Cut => to.push(0),
            MappedRead::Bytes { at, bytes } => {
                to.push(1);
                at.put(to);
                wire::put_number(to, bytes.len() as u64);
                to.extend_from_slice(bytes);
            }
            MappedRead::Result(r) => {
                to.push(2);
                r.put(to);
            }
        }
    }
    fn get(from: &mut Reader) -> Option<MappedRead> {
        Some(match from.byte()? {
            0 => MappedRead::Cut,
            1 => {
                let at = usize::get(from)?;
                let n = from.length()?;
                let bytes = from.bytes(n)?.to_vec();
                MappedRead::Bytes { at, bytes }
            }
            2 => MappedRead::Result(Wire::get(from)?),
            _ => return None,
        })
    }
}
