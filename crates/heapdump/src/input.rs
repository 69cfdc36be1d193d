//! A dump's bytes in the order of the file, and where in it they are.

use crate::error::{Error, Problem};
use byteorder::{BigEndian, ByteOrder};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 18;

/// How files begin that gzip has compressed.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The source of a dump: a file, or bytes in memory.
pub trait Source: Read + Seek {}
impl<T: Read + Seek> Source for T {}

/// What a compressed file contains, in a file without a name that is gone when it is closed: a dump is read from many places.
fn unpacked(file: File) -> io::Result<File> {
    let mut all = MultiGzDecoder::new(io::BufReader::with_capacity(BUFFER, file));
    let mut out = nameless()?;
    io::copy(&mut all, &mut out).map_err(|e| match e.kind() {
        io::ErrorKind::UnexpectedEof => {
            io::Error::new(e.kind(), "the compressed dump ends too early")
        }
        _ => e,
    })?;
    out.seek(SeekFrom::Start(0))?;
    Ok(out)
}

fn nameless() -> io::Result<File> {
    for n in 0u32.. {
        let name = format!("rjvm-heap-{}-{n}.part", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut options = OpenOptions::new();
        match options.read(true).write(true).create_new(true).open(&path) {
            Ok(file) => {
                std::fs::remove_file(&path)?;
                return Ok(file);
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A source of known length that is read from front to back, or from any place.
pub struct Input {
    source: Box<dyn Source>,
    len: u64,
    buffer: Vec<u8>,
    /// Next byte in the buffer, and how many are in it.
    next: usize,
    filled: usize,
    /// Where in the file the buffer begins.
    base: u64,
}

impl Input {
    /// A file, which may be compressed with gzip.
    pub fn file(path: &std::path::Path) -> Result<Input, Error> {
        let mut file = File::open(path)?;
        let mut start = [0; 2];
        let got = file.read(&mut start)?;
        file.seek(SeekFrom::Start(0))?;
        match got == 2 && start == GZIP {
            true => Input::new(Box::new(unpacked(file)?)),
            false => Input::new(Box::new(file)),
        }
    }
    pub fn new(mut source: Box<dyn Source>) -> Result<Input, Error> {
        let len = source.seek(SeekFrom::End(0))?;
        source.seek(SeekFrom::Start(0))?;
        Ok(Input {
            source,
            len,
            buffer: vec![0; BUFFER],
            next: 0,
            filled: 0,
            base: 0,
        })
    }
    /// Bytes of the file.
    pub fn len(&self) -> u64 {
        self.len
    }
    /// Where the next byte is.
    #[inline]
    pub fn at(&self) -> u64 {
        self.base + self.next as u64
    }
    /// Continues at another place.
    pub fn seek(&mut self, to: u64) -> Result<(), Error> {
        if to >= self.base && to <= self.base + self.filled as u64 {
            self.next = (to - self.base) as usize;
            return Ok(());
        }
        self.source.seek(SeekFrom::Start(to))?;
        (self.base, self.next, self.filled) = (to, 0, 0);
        Ok(())
    }
    /// Leaves `n` bytes out; they have to be there.
    pub fn skip(&mut self, n: u64, what: &'static str) -> Result<(), Error> {
        if n > self.len.saturating_sub(self.at()) {
            return Err(self.truncated(what));
        }
        self.seek(self.at() + n)
    }
    fn truncated(&self, what: &'static str) -> Error {
        Error::Malformed {
            at: self.at(),
            problem: Problem::Truncated { what },
        }
    }
    /// Makes `n` bytes (at most a buffer) available, and takes them.
    #[inline]
    fn take(&mut self, n: usize, what: &'static str) -> Result<&[u8], Error> {
        if self.filled - self.next < n {
            self.refill(n, what)?;
        }
        let at = self.next;
        self.next += n;
        Ok(&self.buffer[at..at + n])
    }
    #[cold]
    fn refill(&mut self, n: usize, what: &'static str) -> Result<(), Error> {
        self.buffer.copy_within(self.next..self.filled, 0);
        self.base += self.next as u64;
        self.filled -= self.next;
        self.next = 0;
        while self.filled < n {
            match self.source.read(&mut self.buffer[self.filled..]) {
                Ok(0) => return Err(self.truncated(what)),
                Ok(got) => self.filled += got,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e.into()),
            }
        }
        Ok(())
    }
    #[inline]
    pub fn u1(&mut self, what: &'static str) -> Result<u8, Error> {
        Ok(self.take(1, what)?[0])
    }
    #[inline]
    pub fn u2(&mut self, what: &'static str) -> Result<u16, Error> {
        Ok(BigEndian::read_u16(self.take(2, what)?))
    }
    #[inline]
    pub fn u4(&mut self, what: &'static str) -> Result<u32, Error> {
        Ok(BigEndian::read_u32(self.take(4, what)?))
    }
    #[inline]
    pub fn u8(&mut self, what: &'static str) -> Result<u64, Error> {
        Ok(BigEndian::read_u64(self.take(8, what)?))
    }
    /// A number of `width` bytes: 1, 2, 4 or 8.
    #[inline]
    pub fn number(&mut self, width: u32, what: &'static str) -> Result<u64, Error> {
        Ok(match width {
            1 => self.u1(what)?.into(),
            2 => self.u2(what)?.into(),
            4 => self.u4(what)?.into(),
            _ => self.u8(what)?,
        })
    }
    /// Appends `n` bytes to `out`, of which memory is taken as they are read.
    pub fn bytes(
        &mut self,
        mut n: u64,
        out: &mut Vec<u8>,
        what: &'static str,
    ) -> Result<(), Error> {
        if n > self.len.saturating_sub(self.at()) {
            return Err(self.truncated(what));
        }
        while n > 0 {
            let part = n.min(BUFFER as u64) as usize;
            let bytes = self.take(part, what)?;
            out.extend_from_slice(bytes);
            n -= part as u64;
        }
        Ok(())
    }
}
