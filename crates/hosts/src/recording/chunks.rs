//! Chunks of a recording: written so that a killed writer leaves whole ones, read so that nothing in a file is believed
//! without its digest.

use super::encode::digest;
use super::header::Header;
use lz4_flex::block;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// How a recording begins.
pub const MAGIC: &[u8] = b"rjvm recording\n";
/// Bytes before a chunk's contents: their length as they are, their length as stored, a digest of both and of the stored bytes,
/// four each, little-endian. Contents are compressed when they are shorter so.
const HEAD: usize = 12;
/// The most a chunk may hold.
const MOST: usize = 1 << 30;

/// Room for chunks longer than that is not kept.
const LARGE: usize = 1 << 20;

/// What writes chunks.
pub struct Sink {
    file: File,
    stored: Vec<u8>,
    /// Bytes written.
    pub written: u64,
}

impl Sink {
    /// Begins a recording.
    pub fn create(path: &Path, header: &Header) -> io::Result<Sink> {
        let mut file = File::create(path)?;
        file.write_all(MAGIC)?;
        let mut sink = Sink {
            file,
            stored: Vec::new(),
            written: MAGIC.len() as u64,
        };
        sink.write(&header.to_bytes())?;
        Ok(sink)
    }
    /// Writes a chunk, in one piece.
    pub fn write(&mut self, contents: &[u8]) -> io::Result<()> {
        if contents.len() > MOST {
            return Err(io::Error::other("an answer is too large to be recorded"));
        }
        self.stored.clear();
        // what is as long compressed is stored as it is
        let room = block::get_maximum_output_size(contents.len());
        self.stored.resize(HEAD + room, 0);
        let stored = block::compress_into(contents, &mut self.stored[HEAD..]);
        match stored {
            Ok(n) if n < contents.len() => self.stored.truncate(HEAD + n),
            _ => {
                self.stored.truncate(HEAD);
                self.stored.extend_from_slice(contents);
            }
        }
        let lengths = [contents.len(), self.stored.len() - HEAD];
        for (i, n) in lengths.into_iter().enumerate() {
            self.stored[4 * i..4 * i + 4].copy_from_slice(&(n as u32).to_le_bytes());
        }
        let sum = sum(&self.stored);
        self.stored[8..HEAD].copy_from_slice(&sum.to_le_bytes());
        self.file.write_all(&self.stored)?;
        self.written += self.stored.len() as u64;
        if self.stored.len() > LARGE {
            self.stored = Vec::new();
        }
        Ok(())
    }
}

/// The digest of a chunk with its head.
fn sum(chunk: &[u8]) -> u32 {
    digest(&chunk[..8]).rotate_left(1) ^ digest(&chunk[HEAD..])
}

/// Where a recording stops making sense.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Damage {
    /// Its last chunk is not whole: who wrote it was killed.
    CutOff,
    /// The chunk that begins at this byte has changed since it was written.
    At(u64),
}

/// Why a file is not replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The file cannot be read; the system's message.
    #[error("{0}")]
    Unreadable(String),
    /// It does not begin as a recording.
    #[error("it is not a recording")]
    NoRecording,
    /// The header is cut off, or has changed.
    #[error("its header is damaged")]
    DamagedHeader,
    /// Another version of the format.
    #[error("it has version {0} of the format; this rjvm reads version {own}", own = super::FORMAT)]
    OtherFormat(u32),
    /// A version of rjvm whose host has other requests.
    #[error("rjvm {0} recorded it, and makes different requests to its host than this rjvm {own}", own = env!("CARGO_PKG_VERSION"))]
    OtherRequests(String),
    /// A file that the VM reads past its host has changed.
    #[error("{path} has changed since the run was recorded, with JDK {jdk_version}")]
    Changed {
        /// The file.
        path: String,
        /// The JDK of the recording.
        jdk_version: String,
    },
}

/// A recording to be read.
pub struct ChunkSource {
    file: Box<dyn Read + Send>,
    at: u64,
    left: u64,
    /// The file, if another process still writes it.
    growing: Option<File>,
    /// The head of a chunk that is not whole yet.
    head: Option<[u8; HEAD]>,
}

impl ChunkSource {
    /// Opens a recording and reads its header.
    pub fn open(path: &Path) -> Result<(ChunkSource, Header), RecordingError> {
        let unreadable = |e: io::Error| RecordingError::Unreadable(e.to_string());
        let file = File::open(path).map_err(unreadable)?;
        let len = file.metadata().map_err(unreadable)?.len();
        ChunkSource::of(Box::new(file), len)
    }
    /// The same of bytes in memory or elsewhere.
    pub fn of(
        file: Box<dyn Read + Send>,
        len: u64,
    ) -> Result<(ChunkSource, Header), RecordingError> {
        let mut source = ChunkSource {
            file,
            at: 0,
            left: len,
            growing: None,
            head: None,
        };
        let mut magic = [0; MAGIC.len()];
        let found = source.fill(&mut magic);
        if found.is_err() || magic != *MAGIC {
            return Err(RecordingError::NoRecording);
        }
        let header = match source.next_chunk() {
            Ok(Some(bytes)) => Header::from_bytes(&bytes)?,
            Ok(None) | Err(_) => return Err(RecordingError::DamagedHeader),
        };
        Ok((source, header))
    }
    /// Another process still writes the file, at this path: its end is not known.
    ///
    /// # Errors
    /// It cannot be opened once more.
    pub fn follow(&mut self, path: &Path) -> io::Result<()> {
        self.growing = Some(File::open(path)?);
        Ok(())
    }
    /// Notices that the file has grown.
    fn grow(&mut self) {
        let file = self.growing.as_ref().and_then(|f| f.metadata().ok());
        if let Some(found) = file {
            self.left = found.len().saturating_sub(self.at);
        }
    }
    fn fill(&mut self, to: &mut [u8]) -> Result<(), Damage> {
        if to.len() as u64 > self.left || self.file.read_exact(to).is_err() {
            return Err(Damage::CutOff);
        }
        self.left -= to.len() as u64;
        self.at += to.len() as u64;
        Ok(())
    }
    /// Contents of the next chunk; nothing after the last one.
    pub fn next_chunk(&mut self) -> Result<Option<Vec<u8>>, Damage> {
        self.grow();
        let head = match self.head {
            Some(head) => head,
            None if self.left == 0 => return Ok(None),
            None => {
                let mut head = [0; HEAD];
                self.fill(&mut head)?;
                head
            }
        };
        let damaged = Damage::At(self.at - HEAD as u64);
        self.head = Some(head);
        let (words, _) = head.as_chunks::<4>();
        let word = |i: usize| u32::from_le_bytes(words[i]);
        let (whole, stored) = (word(0) as usize, word(1) as usize);
        if whole > MOST || stored > whole {
            return Err(damaged);
        }
        if stored as u64 > self.left {
            return Err(Damage::CutOff);
        }
        let mut chunk = vec![0; HEAD + stored];
        chunk[..HEAD].copy_from_slice(&head);
        self.fill(&mut chunk[HEAD..])?;
        self.head = None;
        if sum(&chunk) != word(2) {
            return Err(damaged);
        }
        if stored == whole {
            chunk.drain(..HEAD);
            return Ok(Some(chunk));
        }
        let mut contents = vec![0; whole];
        match block::decompress_into(&chunk[HEAD..], &mut contents) {
            Ok(n) if n == whole => Ok(Some(contents)),
            _ => Err(damaged),
        }
    }
}
