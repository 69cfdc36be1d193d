//! gzip (RFC 1952), of data that comes in pieces, or in several streams that are joined. It is
//! zlib-rs's, which takes half of zlib's time for the same size; its output is the same everywhere.

use std::io::{self, Write};
use zlib_rs::crc32::{crc32, crc32_combine};
use zlib_rs::{Deflate, DeflateFlush};

/// Bytes that are compressed at once: each piece costs the compressor as much as a hundred bytes.
const PIECE: usize = 1 << 16;

/// Higher ones take a seventh more time for a twelfth of the size.
const LEVEL: i32 = 3;

/// No time, no name: equal profiles give equal bytes.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// The compressed bytes so far. More may be appended.
pub(super) struct Blocks {
    deflate: Deflate,
    /// Blocks of a deflate stream (RFC 1951).
    bytes: Vec<u8>,
    /// Room for what comes next.
    room: Vec<u8>,
    crc: u32,
    length: u64,
}

impl Default for Blocks {
    fn default() -> Self {
        Blocks {
            deflate: Deflate::new(LEVEL, false, 15),
            bytes: Vec::new(),
            room: vec![0; PIECE / 4],
            crc: 0,
            length: 0,
        }
    }
}

impl Blocks {
    /// Compresses bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.crc = crc32(self.crc, bytes);
        self.length += bytes.len() as u64;
        self.compress(bytes, DeflateFlush::NoFlush);
    }

    fn compress(&mut self, mut bytes: &[u8], flush: DeflateFlush) {
        loop {
            let (read, written) = (self.deflate.total_in(), self.deflate.total_out());
            // That nothing can be done is reported as an error.
            let _ = self.deflate.compress(bytes, &mut self.room, flush);
            bytes = &bytes[(self.deflate.total_in() - read) as usize..];
            let written = (self.deflate.total_out() - written) as usize;
            self.bytes.extend_from_slice(&self.room[..written]);
            // What is flushed is whole when there is room left.
            if bytes.is_empty() && written < self.room.len() {
                return;
            }
        }
    }

    /// Appends what others have.
    pub fn append(&mut self, mut other: Blocks) {
        // whole bytes, and nothing after it refers to what is before
        self.compress(&[], DeflateFlush::FullFlush);
        other.compress(&[], DeflateFlush::FullFlush);
        self.bytes.extend_from_slice(&other.bytes);
        self.crc = crc32_combine(self.crc, other.crc, other.length);
        self.length += other.length;
    }

    /// Writes the blocks that there are.
    fn take(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    /// Ends the stream.
    fn end(&mut self) {
        self.compress(&[], DeflateFlush::Finish);
        self.bytes.extend_from_slice(&self.crc.to_le_bytes());
        // its lowest 32 bits
        self.bytes
            .extend_from_slice(&(self.length as u32).to_le_bytes());
    }

    /// Writes the file.
    pub fn write(mut self, out: &mut dyn Write) -> io::Result<()> {
        self.end();
        out.write_all(&HEADER)?;
        self.take(out)
    }
}

/// Compresses the written bytes.
struct Gzip<'a> {
    blocks: Blocks,
    out: &'a mut dyn Write,
}

impl Write for Gzip<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.blocks.add(bytes);
        self.blocks.take(self.out)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a file of what `write` writes, in as many small pieces as it likes.
pub(super) fn write(
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(&HEADER)?;
    let blocks = Blocks::default();
    let mut buffered = io::BufWriter::with_capacity(PIECE, Gzip { blocks, out });
    write(&mut buffered)?;
    let Gzip { mut blocks, out } = buffered
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    blocks.end();
    blocks.take(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn unpacked(bytes: &[u8]) -> Vec<u8> {
        let mut got = Vec::new();
        let mut reader = flate2::read::GzDecoder::new(bytes);
        reader.read_to_end(&mut got).unwrap();
        got
    }

    /// Numbers that can hardly be compressed.
    fn noise(length: usize) -> Vec<u8> {
        let next = |n: &u32| Some(n.wrapping_mul(1_103_515_245).wrapping_add(12345));
        let numbers = std::iter::successors(Some(1), next);
        numbers.map(|n| (n >> 16) as u8).take(length).collect()
    }

    #[test]
    fn pieces_and_streams_are_one_file() {
        let noise = noise(300_000);
        for bytes in [&[][..], b"a", &noise, &[7; 300_000]] {
            let mut file = Vec::new();
            write(&mut file, |out| {
                bytes.chunks(11).try_for_each(|piece| out.write_all(piece))
            })
            .unwrap();
            assert_eq!(unpacked(&file), bytes);
            let mut all = Blocks::default();
            all.add(b"first");
            let mut other = Blocks::default();
            bytes.chunks(50_000).for_each(|piece| other.add(piece));
            all.append(other);
            all.append(Blocks::default());
            all.add(b"last");
            let mut file = Vec::new();
            all.write(&mut file).unwrap();
            assert_eq!(unpacked(&file), [b"first", bytes, b"last"].concat());
        }
    }
}
