//! Reading zip files as HotSpot's boot loader does, so that odd archives are taken or refused alike.
//!
//! The end record is looked for from the end of the file; where the directory lies is counted back
//! from it, so bytes before the archive don't matter. The number of entries that the end record
//! gives is not believed, of two entries with one name the last counts, and checksums are not
//! looked at. The `java` launcher reads a jar's manifest in its own way: [`launchable`].

use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom};

/// Sizes of the fixed parts of records, in bytes.
const END: usize = 22;
const END64: usize = 56;
const LOCATOR64: usize = 20;
const ENTRY: usize = 46;
const LOCAL: usize = 30;
/// The end record and the longest comment.
const END_WITH_COMMENT: u64 = END as u64 + 0xffff;
/// Methods of compression.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// At most this much is reserved on the word of a directory entry; more only as data arrives.
const RESERVE: u64 = 1 << 20;

/// What a zip file can be read from.
pub(super) trait ZipSource: Read + Seek + Send + std::fmt::Debug {}
impl<T: Read + Seek + Send + std::fmt::Debug> ZipSource for T {}

/// Why a zip file, or an entry of it, cannot be read: HotSpot's words.
pub(super) type ZipResult<T> = Result<T, String>;

/// Where the content of an entry is.
#[derive(Debug, Clone, Copy)]
struct ZipEntry {
    method: u16,
    compressed: u64,
    size: u64,
    /// Offset of the local header from the start of the archive.
    local: u64,
}

/// The directory of an open zip file.
#[derive(Debug)]
pub(super) struct Directory {
    /// Where the archive starts in the file.
    base: u64,
    /// Names in the order of the directory, each with its entry.
    entries: Vec<(Box<[u8]>, ZipEntry)>,
    /// The last entry of each name. Only looked up in, never walked.
    by_name: HashMap<Box<[u8]>, usize>,
}

/// What an end record says.
struct EndRecord {
    /// Where it is, or the 64-bit one in its place.
    at: u64,
    /// Bytes of the directory.
    length: u64,
    /// Offset of the directory from the start of the archive.
    offset: u64,
}

fn u16_at(b: &[u8], at: usize) -> u16 {
    b.get(at..at + 2)
        .map_or(0, |b| u16::from_le_bytes([b[0], b[1]]))
}

fn u32_at(b: &[u8], at: usize) -> u32 {
    u32::from(u16_at(b, at)) | u32::from(u16_at(b, at + 2)) << 16
}

fn u64_at(b: &[u8], at: usize) -> u64 {
    u64::from(u32_at(b, at)) | u64::from(u32_at(b, at + 4)) << 32
}

fn has_signature(b: &[u8], signature: &[u8; 4]) -> bool {
    b.starts_with(signature)
}

/// `length` bytes at `at`, or fewer at the end of the file.
fn bytes_at(source: &mut dyn ZipSource, at: u64, length: u64) -> io::Result<Vec<u8>> {
    source.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    source.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

const READING: &str = "error reading zip file";

fn reading(_: io::Error) -> String {
    READING.into()
}

/// The last end record that `is_one` accepts, searching back from the end of the file.
fn find_end(
    source: &mut dyn ZipSource,
    mut is_one: impl FnMut(&mut dyn ZipSource, &[u8], u64, u64) -> bool,
) -> ZipResult<Option<(u64, Vec<u8>)>> {
    let length = source.seek(SeekFrom::End(0)).map_err(reading)?;
    let start = length.saturating_sub(END_WITH_COMMENT);
    let tail = bytes_at(source, start, length - start).map_err(reading)?;
    for at in (0..(tail.len() + 1).saturating_sub(END)).rev() {
        let record = &tail[at..];
        if has_signature(record, b"PK\x05\x06") {
            let record = record[..END].to_vec();
            let at = start + at as u64;
            if is_one(source, &record, at, length) {
                return Ok(Some((at, record)));
            }
        }
    }
    Ok(None)
}

/// Whether the comment that an end record reports ends with the file.
fn ends_file(record: &[u8], at: u64, length: u64) -> bool {
    at + END as u64 + u64::from(u16_at(record, 20)) == length
}

/// Whether that comment is not longer than the file, and a directory and a first local header lie where an end record says.
fn leads_to_directory(source: &mut dyn ZipSource, record: &[u8], at: u64, length: u64) -> bool {
    if at + END as u64 + u64::from(u16_at(record, 20)) > length {
        return false;
    }
    let directory = at.checked_sub(u64::from(u32_at(record, 12)));
    let Some(directory) = directory else {
        return false;
    };
    let Some(first) = directory.checked_sub(u64::from(u32_at(record, 16))) else {
        return false;
    };
    let mut signed =
        |at, signature| bytes_at(source, at, 4).is_ok_and(|b| has_signature(&b, signature));
    signed(directory, b"PK\x01\x02") && signed(first, b"PK\x03\x04")
}

/// What the record at `at` says, or the 64-bit record before it if there has to be one.
fn end_record(source: &mut dyn ZipSource, record: &[u8], at: u64) -> ZipResult<EndRecord> {
    let end = EndRecord {
        at,
        length: u64::from(u32_at(record, 12)),
        offset: u64::from(u32_at(record, 16)),
    };
    let marked =
        u16_at(record, 10) == u16::MAX || [end.length, end.offset].contains(&u64::from(u32::MAX));
    let Some(locator_at) = at.checked_sub(LOCATOR64 as u64).filter(|_| marked) else {
        return Ok(end);
    };
    let locator = bytes_at(source, locator_at, LOCATOR64 as u64).map_err(reading)?;
    if !has_signature(&locator, b"PK\x06\x07") {
        return Ok(end);
    }
    let at = u64_at(&locator, 8);
    let record = bytes_at(source, at, END64 as u64).map_err(reading)?;
    match record.len() == END64 && has_signature(&record, b"PK\x06\x06") {
        true => Ok(EndRecord {
            at,
            length: u64_at(&record, 40),
            offset: u64_at(&record, 48),
        }),
        false => Ok(end),
    }
}

impl Directory {
    /// Reads and checks the directory of a zip file.
    pub fn read(source: &mut dyn ZipSource) -> ZipResult<Directory> {
        let end = find_end(source, |source, record, at, length| {
            ends_file(record, at, length) || leads_to_directory(source, record, at, length)
        })?;
        let Some((at, record)) = end else {
            return Err("zip END header not found".into());
        };
        let mut directory = Directory {
            base: 0,
            entries: Vec::new(),
            by_name: HashMap::new(),
        };
        if at == 0 {
            return Ok(directory);
        }
        let end = end_record(source, &record, at)?;
        let Some(start) = end.at.checked_sub(end.length) else {
            return Err("invalid END header (bad central directory size)".into());
        };
        let Some(base) = start.checked_sub(end.offset) else {
            return Err("invalid END header (bad central directory offset)".into());
        };
        directory.base = base;
        let bytes = bytes_at(source, start, end.length).map_err(reading)?;
        if bytes.len() as u64 != end.length {
            return Err(READING.into());
        }
        let mut rest = &bytes[..];
        while rest.len() >= ENTRY {
            let (name, entry, length) = read_entry(rest)?;
            rest = rest
                .get(length..)
                .ok_or("invalid CEN header (bad header size)")?;
            let index = directory.entries.len();
            directory.by_name.insert(name.into(), index);
            directory.entries.push((name.into(), entry));
        }
        match rest.is_empty() {
            true => Ok(directory),
            false => Err("invalid CEN header (bad header size)".into()),
        }
    }

    /// The names of all entries, in the order of the directory.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.entries.iter().map(|(name, _)| &**name)
    }

    /// The content of the last entry called `name`.
    pub fn find(&self, source: &mut dyn ZipSource, name: &[u8]) -> ZipResult<Option<Vec<u8>>> {
        match self.by_name.get(name) {
            Some(&i) => content(source, self.base, &self.entries[i].1).map(Some),
            None => Ok(None),
        }
    }
}

/// The entry that a part of the directory begins with: its name, what it says, its length there.
fn read_entry(bytes: &[u8]) -> ZipResult<(&[u8], ZipEntry, usize)> {
    if !has_signature(bytes, b"PK\x01\x02") {
        return Err("invalid CEN header (bad signature)".into());
    }
    if u16_at(bytes, 8) & 1 != 0 {
        return Err("invalid CEN header (encrypted entry)".into());
    }
    let (name, entry, length) = entry_at(bytes).ok_or("invalid CEN header (bad header size)")?;
    match entry.method {
        STORED | DEFLATED => Ok((name, entry, length)),
        _ => Err("invalid CEN header (bad compression method)".into()),
    }
}

/// The same without a judgement; nothing if it is cut in its name.
fn entry_at(bytes: &[u8]) -> Option<(&[u8], ZipEntry, usize)> {
    let part = |at| usize::from(u16_at(bytes, at));
    let (name, extra, comment) = (part(28), part(30), part(32));
    let length = ENTRY + name + extra + comment;
    let mut entry = ZipEntry {
        method: u16_at(bytes, 10),
        compressed: u64::from(u32_at(bytes, 20)),
        size: u64::from(u32_at(bytes, 24)),
        local: u64::from(u32_at(bytes, 42)),
    };
    let extra = bytes.get(ENTRY + name..).unwrap_or_default();
    widen(&mut entry, &extra[..extra.len().min(part(30))]);
    Some((bytes.get(ENTRY..ENTRY + name)?, entry, length))
}

/// Takes from the extra field of 64-bit sizes those that 32 bits do not hold.
fn widen(entry: &mut ZipEntry, mut extra: &[u8]) {
    const WIDE: u64 = u32::MAX as u64;
    while extra.len() >= 4 {
        let end = (4 + usize::from(u16_at(extra, 2))).min(extra.len());
        if u16_at(extra, 0) == 1 {
            let mut values = extra[4..end].chunks_exact(8);
            for field in [&mut entry.size, &mut entry.compressed, &mut entry.local] {
                if *field == WIDE
                    && let Some(value) = values.next()
                {
                    *field = u64_at(value, 0);
                }
            }
        }
        extra = &extra[end..];
    }
}

/// The content of an entry of the archive that starts at `base`.
fn content(source: &mut dyn ZipSource, base: u64, entry: &ZipEntry) -> ZipResult<Vec<u8>> {
    let at = base.checked_add(entry.local).ok_or(READING)?;
    let header = bytes_at(source, at, LOCAL as u64).map_err(reading)?;
    if header.len() < LOCAL {
        return Err(READING.into());
    }
    if !has_signature(&header, b"PK\x03\x04") {
        return Err("invalid LOC header (bad signature)".into());
    }
    let skipped = LOCAL as u64 + u64::from(u16_at(&header, 26)) + u64::from(u16_at(&header, 28));
    let stored = entry.method == STORED;
    let length = if stored { entry.size } else { entry.compressed };
    let file = source.seek(SeekFrom::End(0)).map_err(reading)?;
    let at = at.saturating_add(skipped);
    if at.saturating_add(length) > file {
        return Err("ZIP_Read: corrupt zip file: invalid entry size".into());
    }
    source.seek(SeekFrom::Start(at)).map_err(reading)?;
    let input = source.take(length);
    let mut bytes = Vec::with_capacity(entry.size.min(RESERVE) as usize);
    let read = match stored {
        true => input.take(entry.size).read_to_end(&mut bytes),
        // one byte more than there may be
        false => flate2::read::DeflateDecoder::new(input)
            .take(entry.size.saturating_add(1))
            .read_to_end(&mut bytes),
    };
    // a stream that lacks its end has given all there is to give
    let cut = read.is_err_and(|e| e.kind() != io::ErrorKind::UnexpectedEof);
    match bytes.len() as u64 == entry.size && !cut {
        true => Ok(bytes),
        false => Err("inflateFully: Unexpected end of stream".into()),
    }
}

/// Whether the `java` launcher finds a manifest in the jar: one of exactly that name, the first if
/// there are more. Unlike the boot loader, it takes no archive with bytes behind it.
pub(super) fn launchable(source: &mut dyn ZipSource) -> ZipResult<bool> {
    const MANIFEST: &[u8] = b"META-INF/MANIFEST.MF";
    let end = find_end(source, |_, record, at, length| {
        at + END as u64 == length || ends_file(record, at, length)
    })?;
    let Some((at, record)) = end else {
        return Ok(false);
    };
    let end = launcher_end(source, &record, at)?;
    let Some(start) = end.at.checked_sub(end.length) else {
        return Ok(false);
    };
    let Some(base) = start.checked_sub(end.offset) else {
        return Ok(false);
    };
    let bytes = bytes_at(source, start, end.at - start).map_err(reading)?;
    let mut rest = &bytes[..];
    while rest.len() >= ENTRY && has_signature(rest, b"PK\x01\x02") {
        let Some((name, entry, length)) = entry_at(rest) else {
            return Ok(false);
        };
        if name == MANIFEST {
            let known = matches!(entry.method, STORED | DEFLATED);
            let manifest = content(source, base, &entry);
            return Ok(known && manifest.is_ok_and(|m| is_sound(&m)));
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    Ok(false)
}

/// The record that the launcher goes by: the 64-bit one if it lies right before its locator and the end record.
fn launcher_end(source: &mut dyn ZipSource, record: &[u8], at: u64) -> ZipResult<EndRecord> {
    if let Some(wide_at) = at.checked_sub((LOCATOR64 + END64) as u64) {
        let wide = bytes_at(source, wide_at, END64 as u64).map_err(reading)?;
        if has_signature(&wide, b"PK\x06\x06") {
            return Ok(EndRecord {
                at: wide_at,
                length: u64_at(&wide, 40),
                offset: u64_at(&wide, 48),
            });
        }
    }
    Ok(EndRecord {
        at,
        length: u64::from(u32_at(record, 12)),
        offset: u64::from(u32_at(record, 16)),
    })
}

/// Whether the launcher can read the main section of a manifest: pairs of name, colon, blank and value, each
/// of whose continuation lines ends.
fn is_sound(manifest: &[u8]) -> bool {
    // to it, the text ends with the first zero
    let end = manifest.iter().position(|&b| b == 0);
    let mut rest = &manifest[..end.unwrap_or(manifest.len())];
    let is_end = |b: &u8| matches!(b, b'\n' | b'\r');
    while !rest.is_empty() && !is_end(&rest[0]) {
        let mut line = Vec::new();
        loop {
            let end = rest.iter().position(is_end);
            if end.is_none() && !line.is_empty() {
                return false;
            }
            let (part, behind) = rest.split_at(end.unwrap_or(rest.len()));
            line.extend(part);
            let ends = if behind.starts_with(b"\r\n") { 2 } else { 1 };
            rest = behind.get(ends..).unwrap_or_default();
            match rest.strip_prefix(b" ") {
                Some(continued) => rest = continued,
                None => break,
            }
        }
        let colon = line.iter().position(|&b| b == b':');
        if colon.is_none_or(|colon| line.get(colon + 1) != Some(&b' ')) {
            return false;
        }
    }
    true
}
