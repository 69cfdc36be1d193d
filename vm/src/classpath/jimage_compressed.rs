//! Expansion of compressed jimage resources (`jlink --compress`).
//!
//! A compressed resource starts with a header of 29 bytes: magic, compressed size, uncompressed
//! size, name of the decompressor and its configuration (string offsets), and a "last one" byte.
//! Expanding it can lead to another header: compressions nest. Two decompressors exist: `zip`
//! (a zlib stream) and `compact-cp` (constant-pool strings moved to the image's string table).

use super::jimage::{Jimage, word};
use byteorder::{BigEndian, ByteOrder, WriteBytesExt};
use std::io::Read;

const MAGIC: u32 = 0xCAFE_FAFA;
const HEADER_SIZE: usize = 29;
/// More layers than any tool writes: a guard against a file that never ends.
const MAX_LAYERS: usize = 8;
/// No resource of a class library comes near this size.
const MAX_SIZE: u64 = 1 << 30;

type Decompressed<T> = std::result::Result<T, String>;

/// Undoes every layer of compression of `raw`.
pub(super) fn expand(image: &Jimage, raw: &[u8], big_endian: bool) -> Decompressed<Vec<u8>> {
    let mut content = raw.to_vec();
    for _ in 0..MAX_LAYERS {
        if word(&content, 0, big_endian) != Some(MAGIC) || content.len() < HEADER_SIZE {
            return Ok(content);
        }
        let (low, high) = if big_endian { (16, 12) } else { (12, 16) };
        let half = |at| word(&content, at, big_endian).unwrap_or(0) as u64;
        let uncompressed = half(high) << 32 | half(low);
        if uncompressed > MAX_SIZE {
            return Err(format!("an uncompressed size of {uncompressed} bytes"));
        }
        let name = string(image, word(&content, 20, big_endian).unwrap_or(0))?;
        let body = &content[HEADER_SIZE..];
        content = match name {
            b"zip" => inflate(body, uncompressed)?,
            b"compact-cp" => restore_constant_pool(image, body, uncompressed as usize)?,
            other => {
                let name = String::from_utf8_lossy(other);
                return Err(format!("the decompressor {name:?} is not known"));
            }
        };
    }
    Err(format!("more than {MAX_LAYERS} layers of compression"))
}

fn string(image: &Jimage, offset: u32) -> Decompressed<&[u8]> {
    image
        .string_bytes(offset as usize)
        .map_err(|_| format!("string offset {offset} is out of range"))
}

fn inflate(body: &[u8], size: u64) -> Decompressed<Vec<u8>> {
    let mut out = Vec::new();
    flate2::read::ZlibDecoder::new(body)
        .take(size + 1)
        .read_to_end(&mut out)
        .map_err(|e| format!("zip: {e}"))?;
    if out.len() as u64 != size {
        return Err(format!(
            "zip: the size differs from the {size} bytes announced"
        ));
    }
    Ok(out)
}

/// Reads big-endian values and runs of bytes, never beyond the end.
struct BigEndianReader<'a>(&'a [u8]);

impl<'a> BigEndianReader<'a> {
    fn take(&mut self, n: usize) -> Decompressed<&'a [u8]> {
        let (head, rest) = self
            .0
            .split_at_checked(n)
            .ok_or("compact-cp: truncated constant pool")?;
        self.0 = rest;
        Ok(head)
    }

    fn u1(&mut self) -> Decompressed<u8> {
        Ok(self.take(1)?[0])
    }

    fn u2(&mut self) -> Decompressed<u16> {
        Ok(BigEndian::read_u16(self.take(2)?))
    }

    /// An index of one to four bytes: the top bit says "compressed", the next two how long it is.
    fn index(&mut self) -> Decompressed<u32> {
        let head = self.u1()?;
        let (length, first) = match head & 0x80 {
            0 => (4, head),
            _ => ((head >> 5 & 3) as usize, head & 0x1f),
        };
        if length == 0 {
            return Err("compact-cp: an index of length 0".into());
        }
        let rest = self.take(length - 1)?;
        Ok(rest.iter().fold(first as u32, |v, &b| v << 8 | b as u32))
    }
}

/// An externalised Utf8 entry, and one that holds a descriptor or signature (see JVMS 4.4 for
/// the tags of the ordinary ones).
const TAG_EXTERNAL: u8 = 23;
const TAG_EXTERNAL_DESCRIPTOR: u8 = 25;

/// Puts the strings back into the constant pool of a class file.
fn restore_constant_pool(image: &Jimage, body: &[u8], size: usize) -> Decompressed<Vec<u8>> {
    let mut out = Vec::with_capacity(size.min(body.len().saturating_mul(8)));
    let mut input = BigEndianReader(body);
    // magic, minor version, major version
    out.extend_from_slice(input.take(8)?);
    let count = input.u2()?;
    // a vector takes everything
    let _ = out.write_u16::<BigEndian>(count);
    let mut entry = 1;
    while entry < count {
        let tag = input.u1()?;
        entry = entry.saturating_add(1);
        let length = match tag {
            1 => {
                let utf8 = input.u2()? as usize;
                push_utf8(&mut out, input.take(utf8)?)?;
                continue;
            }
            TAG_EXTERNAL => {
                let offset = input.index()?;
                push_utf8(&mut out, string(image, offset)?)?;
                continue;
            }
            TAG_EXTERNAL_DESCRIPTOR => {
                push_utf8(&mut out, &descriptor(image, &mut input)?)?;
                continue;
            }
            3 | 4 | 9..=12 | 17 | 18 => 4,
            5 | 6 => {
                // Takes two entries (JVMS 4.4.5).
                entry = entry.saturating_add(1);
                8
            }
            7 | 8 | 16 | 19 | 20 => 2,
            15 => 3,
            other => return Err(format!("compact-cp: unknown constant-pool tag {other}")),
        };
        out.push(tag);
        out.extend_from_slice(input.take(length)?);
    }
    out.extend_from_slice(input.0);
    Ok(out)
}

fn push_utf8(out: &mut Vec<u8>, bytes: &[u8]) -> Decompressed<()> {
    let length = u16::try_from(bytes.len())
        .map_err(|_| format!("compact-cp: a string of {} bytes", bytes.len()))?;
    out.push(1);
    let _ = out.write_u16::<BigEndian>(length);
    out.extend_from_slice(bytes);
    Ok(())
}

/// A descriptor whose class names were cut out: after each `L` come the next two strings of the
/// list, a package and a simple name.
fn descriptor(image: &Jimage, input: &mut BigEndianReader<'_>) -> Decompressed<Vec<u8>> {
    let pattern = string(image, input.index()?)?;
    let length = input.index()? as usize;
    let mut names = BigEndianReader(input.take(length)?);
    let mut out = Vec::new();
    for &byte in pattern {
        out.push(byte);
        if byte == b'L' {
            let package = string(image, names.index()?)?;
            if !package.is_empty() {
                out.extend_from_slice(package);
                out.push(b'/');
            }
            out.extend_from_slice(string(image, names.index()?)?);
        }
        if out.len() > u16::MAX as usize {
            return Err("compact-cp: a descriptor of more than 65535 bytes".into());
        }
    }
    Ok(out)
}
