//! The outer layer of the format: chunks with a running checksum, and numbers and strings in them.
//!
//! ```text
//! file   = magic version chunk* end
//! chunk  = length: u16 (1..) checksum: u32 payload
//! end    = 0: u16            checksum: u32
//! ```
//! All little-endian. A checksum is the CRC-32 of everything but lengths and checksums up to
//! there, from the magic on, so a chunk that is lost, doubled or moved is noticed as well.

use super::{MAGIC, VERSION};
use std::io::{self, Read, Write};

/// CRC-32 (polynomial 0x04C11DB7, reflected).
#[derive(Clone, Copy)]
struct Crc(u32);

impl Crc {
    const START: Crc = Crc(0);

    fn add(&mut self, bytes: &[u8]) {
        self.0 = zlib_rs::crc32::crc32(self.0, bytes);
    }

    fn value(self) -> u32 {
        self.0
    }
}

fn header(version: u16) -> [u8; 10] {
    let mut header = [0; 10];
    header[..8].copy_from_slice(&MAGIC);
    header[8..].copy_from_slice(&version.to_le_bytes());
    header
}

/// A payload of this length is written; its length has 16 bits.
const FULL: usize = 0xFF00;

/// Bytes of the longest number.
const LONGEST: usize = 10;

/// Writes a file.
pub(super) struct ChunkWriter<'a> {
    out: &'a mut dyn Write,
    /// Room for a payload and one more number.
    payload: Box<[u8; FULL + LONGEST]>,
    /// How much of it is filled.
    filled: usize,
    crc: Crc,
}

impl<'a> ChunkWriter<'a> {
    /// Writes the header.
    pub fn new(out: &'a mut dyn Write, version: u16) -> io::Result<Self> {
        let header = header(version);
        let mut crc = Crc::START;
        crc.add(&header);
        out.write_all(&header)?;
        Ok(ChunkWriter {
            out,
            payload: Box::new([0; FULL + LONGEST]),
            filled: 0,
            crc,
        })
    }

    /// An unsigned number, seven bits a byte, lowest first; all bytes but the last have the top
    /// bit set.
    #[inline]
    pub fn number(&mut self, n: u64) -> io::Result<()> {
        if self.filled >= FULL {
            self.chunk()?;
        }
        self.filled = put(&mut self.payload, self.filled, n);
        Ok(())
    }

    /// Several numbers, of which there are millions.
    #[inline]
    pub fn numbers<const N: usize>(&mut self, numbers: [u64; N]) -> io::Result<()> {
        if self.filled + N * LONGEST > FULL {
            for n in numbers {
                self.number(n)?;
            }
            return Ok(());
        }
        let mut at = self.filled;
        for n in numbers {
            at = put(&mut self.payload, at, n);
        }
        self.filled = at;
        Ok(())
    }

    /// Numbers that have been written to memory ([`leb::push`](crate::leb::push)).
    pub fn written_numbers(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if self.filled >= FULL {
                self.chunk()?;
            }
            let mut n = bytes.len().min(FULL - self.filled);
            // a number is not divided
            while bytes[n - 1] >= 0x80 && n < bytes.len() {
                n += 1;
            }
            let (now, later) = bytes.split_at(n);
            self.payload[self.filled..self.filled + n].copy_from_slice(now);
            self.filled += n;
            bytes = later;
        }
        Ok(())
    }

    /// A string: its length in bytes and its UTF-8.
    pub fn string(&mut self, text: &str) -> io::Result<()> {
        self.number(text.len() as u64)?;
        for part in text.as_bytes().chunks(FULL) {
            if self.filled + part.len() > FULL {
                self.chunk()?;
            }
            self.payload[self.filled..self.filled + part.len()].copy_from_slice(part);
            self.filled += part.len();
        }
        Ok(())
    }

    #[cold]
    fn chunk(&mut self) -> io::Result<()> {
        let payload = &self.payload[..self.filled];
        self.crc.add(payload);
        let length = u16::try_from(self.filled).expect("a chunk is little longer than FULL");
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(&self.crc.value().to_le_bytes())?;
        self.out.write_all(payload)?;
        self.filled = 0;
        Ok(())
    }

    /// Writes the rest and the end.
    pub fn finish(mut self) -> io::Result<()> {
        if self.filled > 0 {
            self.chunk()?;
        }
        self.chunk()
    }
}

/// Puts a number where there is room for it; returns where the next one goes.
#[inline(always)]
fn put(room: &mut [u8; FULL + LONGEST], mut at: usize, mut n: u64) -> usize {
    while n >= 0x80 {
        room[at] = n as u8 | 0x80;
        at += 1;
        n >>= 7;
    }
    room[at] = n as u8;
    at + 1
}

/// Problems with the outer layer of a file.
#[derive(Debug, thiserror::Error)]
pub(super) enum ChunkError {
    #[error(transparent)]
    Io(io::Error),
    #[error("not a profile in the native format: the first bytes differ")]
    Magic,
    #[error("version {0} of the native format; this program reads versions 1 to {VERSION}")]
    Version(u16),
    #[error("the file is truncated")]
    Truncated,
    #[error("the file is damaged: wrong checksum in the chunk at byte {0}")]
    Checksum(u64),
    #[error("{0}")]
    Malformed(&'static str),
}

impl From<io::Error> for ChunkError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => ChunkError::Truncated,
            _ => ChunkError::Io(error),
        }
    }
}

/// Names, class names and descriptors have at most 65535 bytes in class files, and control
/// characters in them six times as many in a profile.
const LONGEST_STRING: u64 = 6 * 65535;

/// Reads a file, one chunk at a time.
pub(super) struct ChunkReader<'a> {
    input: &'a mut dyn Read,
    payload: Vec<u8>,
    at: usize,
    /// Bytes of the file that were read.
    offset: u64,
    crc: Crc,
    ended: bool,
    /// The version of the format.
    pub version: u16,
}

impl<'a> ChunkReader<'a> {
    /// Reads and checks the header.
    pub fn new(input: &'a mut dyn Read) -> Result<Self, ChunkError> {
        let mut found = [0; 10];
        input
            .read_exact(&mut found[..8])
            .map_err(|e| match e.kind() {
                io::ErrorKind::UnexpectedEof => ChunkError::Magic,
                _ => ChunkError::Io(e),
            })?;
        if found[..8] != MAGIC {
            return Err(ChunkError::Magic);
        }
        input.read_exact(&mut found[8..])?;
        let version = u16::from_le_bytes([found[8], found[9]]);
        if !(1..=VERSION).contains(&version) {
            return Err(ChunkError::Version(version));
        }
        let mut crc = Crc::START;
        crc.add(&found);
        Ok(ChunkReader {
            input,
            payload: Vec::new(),
            at: 0,
            offset: found.len() as u64,
            crc,
            ended: false,
            version,
        })
    }

    /// Reads the next chunk, which may be the end.
    fn next_chunk(&mut self) -> Result<(), ChunkError> {
        let begin = self.offset;
        let mut head = [0; 6];
        self.input.read_exact(&mut head)?;
        let [l0, l1, crc @ ..] = head;
        let length = u16::from_le_bytes([l0, l1]);
        self.payload.resize(usize::from(length), 0);
        self.input.read_exact(&mut self.payload)?;
        self.offset += head.len() as u64 + u64::from(length);
        self.crc.add(&self.payload);
        if self.crc.value() != u32::from_le_bytes(crc) {
            return Err(ChunkError::Checksum(begin));
        }
        self.at = 0;
        self.ended = length == 0;
        Ok(())
    }

    #[inline]
    fn byte(&mut self) -> Result<u8, ChunkError> {
        if self.at == self.payload.len() {
            self.more()?;
        }
        let byte = self.payload[self.at];
        self.at += 1;
        Ok(byte)
    }

    /// After this there is at least one byte.
    #[cold]
    fn more(&mut self) -> Result<(), ChunkError> {
        if !self.ended {
            self.next_chunk()?;
        }
        match self.ended {
            true => Err(ChunkError::Malformed("the profile ends too early")),
            false => Ok(()),
        }
    }

    /// See [`ChunkWriter::number`].
    #[inline]
    pub fn number(&mut self) -> Result<u64, ChunkError> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(u64::from(first));
        }
        let mut n = u64::from(first & 0x7F);
        let mut shift = 7;
        loop {
            let byte = self.byte()?;
            if shift == 63 && byte > 1 {
                return Err(ChunkError::Malformed("a number has more than 64 bits"));
            }
            n |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(n);
            }
            shift += 7;
        }
    }

    /// A number of 32 bits.
    pub fn number32(&mut self) -> Result<u32, ChunkError> {
        u32::try_from(self.number()?)
            .map_err(|_| ChunkError::Malformed("a number has more than 32 bits"))
    }

    /// See [`ChunkWriter::string`].
    pub fn string(&mut self) -> Result<String, ChunkError> {
        let length = self.number()?;
        if length > LONGEST_STRING {
            return Err(ChunkError::Malformed("a name is too long"));
        }
        let mut left = length as usize;
        let mut bytes = Vec::new();
        while left > 0 {
            if self.at == self.payload.len() {
                self.more()?;
            }
            let part = left.min(self.payload.len() - self.at);
            bytes.extend_from_slice(&self.payload[self.at..self.at + part]);
            self.at += part;
            left -= part;
        }
        String::from_utf8(bytes).map_err(|_| ChunkError::Malformed("a name is not UTF-8"))
    }

    /// Checks that nothing follows.
    pub fn finish(mut self) -> Result<(), ChunkError> {
        if self.at == self.payload.len() && !self.ended {
            self.next_chunk()?;
        }
        if !self.ended || self.input.read(&mut [0])? > 0 {
            return Err(ChunkError::Malformed("something follows the profile"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_crc32() {
        for (text, expected) in [("", 0), ("123456789", 0xCBF4_3926), ("a", 0xE8B7_BE43)] {
            let mut crc = Crc::START;
            crc.add(text.as_bytes());
            assert_eq!(crc.value(), expected);
            let mut crc = Crc::START;
            text.bytes().for_each(|byte| crc.add(&[byte]));
            assert_eq!(crc.value(), expected);
        }
    }

    #[test]
    fn numbers_and_strings_come_back_across_chunks() {
        let numbers = [0, 1, 127, 128, 16383, 16384, u64::from(u32::MAX), u64::MAX];
        let long = "ä".repeat(100_000);
        let mut file = Vec::new();
        let mut writer = ChunkWriter::new(&mut file, VERSION).unwrap();
        for i in 0..100_000 {
            writer.number(numbers[i % numbers.len()]).unwrap();
        }
        writer.string(&long).unwrap();
        writer.string("").unwrap();
        writer.finish().unwrap();
        let mut input = &file[..];
        let mut reader = ChunkReader::new(&mut input).unwrap();
        for i in 0..100_000 {
            assert_eq!(reader.number().unwrap(), numbers[i % numbers.len()]);
        }
        assert_eq!(reader.string().unwrap(), long);
        assert_eq!(reader.string().unwrap(), "");
        reader.finish().unwrap();
    }
}
