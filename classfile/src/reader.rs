//! A cursor over class-file bytes: big-endian reads that fail instead of panicking.

use crate::error::{Error, Result};

/// Rows for which memory is reserved up front; a count alone, of nested tables above all, must not
/// make for a big allocation.
const MAX_RESERVED: usize = 1024;

/// Reads a stretch of the file; `base` keeps offsets absolute in sub-readers.
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    pos: usize,
    base: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader {
            bytes,
            pos: 0,
            base: 0,
        }
    }

    /// The absolute offset of the next byte.
    pub(crate) fn offset(&self) -> usize {
        self.base + self.pos
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.pos
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    #[inline]
    pub(crate) fn bytes(&mut self, len: usize) -> Result<&'a [u8]> {
        match self.bytes[self.pos..].get(..len) {
            Some(slice) => {
                self.pos += len;
                Ok(slice)
            }
            None => Err(Error::truncated(self.base + self.bytes.len())),
        }
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.bytes[self.pos..].first_chunk::<N>() {
            Some(chunk) => {
                self.pos += N;
                Ok(*chunk)
            }
            None => Err(Error::truncated(self.base + self.bytes.len())),
        }
    }

    #[inline]
    pub(crate) fn u1(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    #[inline]
    pub(crate) fn u2(&mut self) -> Result<u16> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    #[inline]
    pub(crate) fn u4(&mut self) -> Result<u32> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// The next `len` bytes as a separate reader.
    pub(crate) fn sub(&mut self, len: usize) -> Result<Reader<'a>> {
        let base = self.offset();
        Ok(Reader {
            bytes: self.bytes(len)?,
            pos: 0,
            base,
        })
    }

    /// Everything not read yet.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.pos..];
        self.pos = self.bytes.len();
        rest
    }

    /// `count` 16-bit numbers.
    pub(crate) fn u2_vec(&mut self, count: u16) -> Result<Vec<u16>> {
        let bytes = self.bytes(usize::from(count) * 2)?;
        Ok(bytes
            .chunks_exact(2)
            .map(|b| u16::from_be_bytes([b[0], b[1]]))
            .collect())
    }

    /// A table: a 16-bit count, then that many rows of at least `row_size` bytes.
    #[inline]
    pub(crate) fn table<T>(
        &mut self,
        row_size: usize,
        row: impl FnMut(&mut Reader<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let count = self.u2()?;
        self.rows(count, row_size, row)
    }

    /// `count` rows of at least `row_size` bytes. A count beyond the input allocates nothing big.
    #[inline]
    pub(crate) fn rows<T>(
        &mut self,
        count: u16,
        row_size: usize,
        mut row: impl FnMut(&mut Reader<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let count = usize::from(count);
        let mut rows = Vec::with_capacity(count.min(self.remaining() / row_size).min(MAX_RESERVED));
        for _ in 0..count {
            rows.push(row(self)?);
        }
        Ok(rows)
    }

    /// Adds rows of one byte each, at most `most`, up to the first byte of which no row can be made.
    #[inline]
    pub(crate) fn rows_of_bytes<T>(
        &mut self,
        most: usize,
        rows: &mut Vec<T>,
        row: impl Fn(u8) -> Option<T>,
    ) {
        let before = rows.len();
        let bytes = self.bytes[self.pos..].iter().take(most);
        rows.extend(bytes.map_while(|&byte| row(byte)));
        self.pos += rows.len() - before;
    }
}
