//! Reader of `lib/modules`, the jimage file that holds the class library of a JDK.
//!
//! Layout: a header of seven 32-bit words in the byte order of the machine that wrote it (magic,
//! version, flags, number of resources, table length, size of the locations, size of the
//! strings); the redirect table and the offsets table, each of *table length* words; the
//! locations; the strings (NUL-terminated modified UTF-8); then the resources.
//! A resource `/module/parent/base.extension` is found by a perfect hash of its whole name: the
//! redirect table gives either a second seed or the final index into the offsets table, which
//! points to the location: a list of attributes, each with a kind, a length and a big-endian value.

use super::map::FileBytes;
use super::{Error, Result, jimage_compressed};
use byteorder::{BigEndian, ByteOrder, LittleEndian};
use rjvm_classfile::SharedBytes;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER_SIZE: usize = 28;
/// Both the multiplier and the first seed of the name hash.
const HASH_MULTIPLIER: u32 = 0x0100_0193;
const FORMAT: &str = "jimage file";

/// An open jimage file.
#[derive(Debug)]
pub struct Jimage {
    path: PathBuf,
    map: Arc<FileBytes>,
    big_endian: bool,
    table_length: usize,
    redirect: Range<usize>,
    offsets: Range<usize>,
    locations: Range<usize>,
    strings: Range<usize>,
    resources: usize,
    catalog: OnceLock<Catalog>,
}

/// Modules and packages, gathered in one pass over the locations when first requested.
#[derive(Debug, Default)]
struct Catalog {
    packages_of_module: BTreeMap<String, Vec<String>>,
}

/// The attributes of one location: offsets of strings, and where the content is.
#[derive(Debug, Default, Clone, Copy)]
struct Location {
    module: usize,
    parent: usize,
    base: usize,
    extension: usize,
    offset: u64,
    compressed: u64,
    uncompressed: u64,
}

/// A resource met while walking through an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceName<'a> {
    /// The module, or the name of an internal tree such as `packages`.
    pub module: &'a str,
    /// The path inside the module, for instance `java/lang/Object.class`.
    pub path: String,
}

impl Jimage {
    /// Opens and checks the index of the image at `path`.
    pub fn open(path: impl Into<PathBuf>) -> Result<Jimage> {
        let path = path.into();
        let map = FileBytes::open(&path)?;
        Jimage::new(path, map)
    }

    /// An image whose bytes are in memory; `path` is its name in errors.
    pub fn from_bytes(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Jimage> {
        Jimage::new(path.into(), FileBytes::Memory(bytes))
    }

    fn new(path: PathBuf, map: FileBytes) -> Result<Jimage> {
        let bytes = map.bytes();
        let bad = |what: String| Error::malformed(&path, FORMAT, what);
        let Some(header) = bytes.get(..HEADER_SIZE) else {
            return Err(bad(format!(
                "the file has {} bytes, less than a header of {HEADER_SIZE}",
                bytes.len()
            )));
        };
        let magic = word(header, 0, false).unwrap_or(0);
        let big_endian = match magic {
            MAGIC => false,
            m if m.swap_bytes() == MAGIC => true,
            m => return Err(bad(format!("magic is {m:#010x} instead of {MAGIC:#010x}"))),
        };
        let field = |i: usize| word(header, i * 4, big_endian).unwrap_or(0);
        let version = field(1);
        if version >> 16 != 1 {
            return Err(bad(format!(
                "version {}.{} is not supported, only 1.x is",
                version >> 16,
                version & 0xffff
            )));
        }
        let (length, locations, strings) = (field(4) as u64, field(5) as u64, field(6) as u64);
        if length == 0 {
            return Err(bad("the table of resources is empty".into()));
        }
        let redirect_at = HEADER_SIZE as u64;
        let offsets_at = redirect_at + length * 4;
        let locations_at = offsets_at + length * 4;
        let strings_at = locations_at + locations;
        let end = strings_at + strings;
        if end > bytes.len() as u64 {
            return Err(bad(format!(
                "truncated: the index needs {end} bytes, the file has {}",
                bytes.len()
            )));
        }
        let range = |from: u64, to: u64| from as usize..to as usize;
        Ok(Jimage {
            big_endian,
            table_length: length as usize,
            redirect: range(redirect_at, offsets_at),
            offsets: range(offsets_at, locations_at),
            locations: range(locations_at, strings_at),
            strings: range(strings_at, end),
            resources: end as usize,
            catalog: OnceLock::new(),
            path,
            map: Arc::new(map),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The whole file as mapped.
    pub fn as_bytes(&self) -> &[u8] {
        self.map.bytes()
    }

    /// Content that [`Jimage::find`] returned, kept alive with the image.
    pub fn share(&self, content: &[u8]) -> Option<SharedBytes> {
        let all = self.map.bytes().as_ptr() as usize;
        let start = (content.as_ptr() as usize).checked_sub(all)?;
        let owner = self.map.clone();
        SharedBytes::new(owner, start..start.checked_add(content.len())?)
    }

    /// The number of slots of the location table.
    pub fn table_length(&self) -> usize {
        self.table_length
    }

    /// The content of resource `name` (for instance `java/lang/Object.class`) of `module`.
    pub fn find(&self, module: &str, name: &str) -> Result<Option<Cow<'_, [u8]>>> {
        match self.locate(module, name)? {
            Some(location) => self.content(&location).map(Some),
            None => Ok(None),
        }
    }

    /// The module that holds classes of `package` (in internal form, for instance `java/lang`).
    pub fn module_of_package(&self, package: &str) -> Result<Option<&str>> {
        let name = package.replace('/', ".");
        match self.locate("packages", &name)? {
            Some(location) => {
                let content = self.content(&location)?;
                Ok(self.package_modules(&content)?.next().transpose()?)
            }
            None => Ok(None),
        }
    }

    /// The names of all modules, sorted.
    pub fn modules(&self) -> Result<impl Iterator<Item = &str>> {
        Ok(self
            .catalog()?
            .packages_of_module
            .keys()
            .map(String::as_str))
    }

    /// The packages of `module` in internal form, sorted (none for an unknown module).
    pub fn packages(&self, module: &str) -> Result<&[String]> {
        let packages = self.catalog()?.packages_of_module.get(module);
        Ok(packages.map_or(&[], Vec::as_slice))
    }

    /// All resources of the image in the order of the location table. The entries of no module
    /// (roots of the image's directory trees) have no content and are left out.
    pub fn resources(&self) -> impl Iterator<Item = Result<ResourceName<'_>>> {
        (0..self.table_length).filter_map(|slot| {
            let name = self.location_in_slot(slot).and_then(|l| self.name_of(&l));
            match name {
                Ok(name) if name.module.is_empty() => None,
                name => Some(name),
            }
        })
    }

    fn name_of(&self, location: &Location) -> Result<ResourceName<'_>> {
        let mut path = String::new();
        let parent = self.string(location.parent)?;
        if !parent.is_empty() {
            path.push_str(parent);
            path.push('/');
        }
        path.push_str(self.string(location.base)?);
        let extension = self.string(location.extension)?;
        if !extension.is_empty() {
            path.push('.');
            path.push_str(extension);
        }
        Ok(ResourceName {
            module: self.string(location.module)?,
            path,
        })
    }

    /// The names of all resources of `module` in the order of the location table.
    pub fn resources_of(&self, module: &str) -> impl Iterator<Item = Result<String>> {
        self.resources().filter_map(move |r| match r {
            Ok(r) if r.module == module => Some(Ok(r.path)),
            Ok(_) => None,
            Err(e) => Some(Err(e)),
        })
    }

    fn bad(&self, what: impl Into<String>) -> Error {
        Error::malformed(&self.path, FORMAT, what)
    }

    /// Word `index` of one of the two tables.
    fn table_word(&self, table: &Range<usize>, index: usize) -> Result<u32> {
        let bytes = &self.map.bytes()[table.clone()];
        word(bytes, index * 4, self.big_endian)
            .ok_or_else(|| self.bad(format!("slot {index} is outside its table")))
    }

    fn locate(&self, module: &str, name: &str) -> Result<Option<Location>> {
        let parts = ["/", module, "/", name];
        let slot = |seed: u32| hash(&parts, seed) as usize % self.table_length;
        let redirect = self.table_word(&self.redirect, slot(HASH_MULTIPLIER))? as i32;
        let slot = match redirect {
            0 => return Ok(None),
            seed if seed > 0 => slot(seed as u32),
            index => (-1 - index) as usize,
        };
        if slot >= self.table_length {
            return Err(self.bad(format!(
                "redirect entry {redirect} points outside a table of {} slots",
                self.table_length
            )));
        }
        let location = self.location_in_slot(slot)?;
        Ok(self.is_named(&location, module, name)?.then_some(location))
    }

    /// A hash only says where a name would be: compare the name itself.
    fn is_named(&self, location: &Location, module: &str, name: &str) -> Result<bool> {
        if self.string_bytes(location.module)? != module.as_bytes() {
            return Ok(false);
        }
        let mut rest = name.as_bytes();
        let pieces = [
            (
                self.string_bytes(location.parent)?,
                b"".as_slice(),
                b"/".as_slice(),
            ),
            (self.string_bytes(location.base)?, b"", b""),
            (self.string_bytes(location.extension)?, b".", b""),
        ];
        for (piece, before, after) in pieces {
            if piece.is_empty() {
                continue;
            }
            for part in [before, piece, after] {
                match rest.strip_prefix(part) {
                    Some(r) => rest = r,
                    None => return Ok(false),
                }
            }
        }
        Ok(rest.is_empty())
    }

    fn location_in_slot(&self, slot: usize) -> Result<Location> {
        let offset = self.table_word(&self.offsets, slot)? as usize;
        let mut bytes = self.map.bytes()[self.locations.clone()]
            .get(offset..)
            .ok_or_else(|| self.bad(format!("slot {slot}: location {offset} is out of range")))?;
        let mut location = Location::default();
        loop {
            let truncated = || self.bad(format!("location {offset} is truncated"));
            let (&head, rest) = bytes.split_first().ok_or_else(truncated)?;
            let kind = head >> 3;
            if kind == 0 {
                return Ok(location);
            }
            let (value, rest) = rest
                .split_at_checked((head & 7) as usize + 1)
                .ok_or_else(truncated)?;
            let value = BigEndian::read_uint(value, value.len());
            let string = usize::try_from(value).unwrap_or(usize::MAX);
            match kind {
                1 => location.module = string,
                2 => location.parent = string,
                3 => location.base = string,
                4 => location.extension = string,
                5 => location.offset = value,
                6 => location.compressed = value,
                7 => location.uncompressed = value,
                k => {
                    let what = format!("location {offset} has an attribute of unknown kind {k}");
                    return Err(self.bad(what));
                }
            }
            bytes = rest;
        }
    }

    /// The bytes (modified UTF-8) of the string at `offset` of the string table.
    pub(super) fn string_bytes(&self, offset: usize) -> Result<&[u8]> {
        let strings = &self.map.bytes()[self.strings.clone()];
        let tail = strings
            .get(offset..)
            .ok_or_else(|| self.bad(format!("string offset {offset} is out of range")))?;
        let end = tail.iter().position(|&b| b == 0);
        end.map(|end| &tail[..end])
            .ok_or_else(|| self.bad(format!("the string at offset {offset} has no end")))
    }

    fn string(&self, offset: usize) -> Result<&str> {
        std::str::from_utf8(self.string_bytes(offset)?)
            .map_err(|_| self.bad(format!("the string at offset {offset} is not UTF-8")))
    }

    /// The bytes of a resource: straight from the mapping unless they are compressed.
    fn content(&self, location: &Location) -> Result<Cow<'_, [u8]>> {
        let size = match location.compressed {
            0 => location.uncompressed,
            compressed => compressed,
        };
        let bytes = self.map.bytes();
        let start = (self.resources as u64).checked_add(location.offset);
        let end = start.and_then(|s| s.checked_add(size));
        let raw = match (start, end) {
            (Some(start), Some(end)) if end <= bytes.len() as u64 => {
                &bytes[start as usize..end as usize]
            }
            _ => {
                return Err(self.bad(format!(
                    "a resource of {size} bytes at offset {} lies beyond the end of the file",
                    location.offset
                )));
            }
        };
        if location.compressed == 0 {
            return Ok(Cow::Borrowed(raw));
        }
        let content = jimage_compressed::expand(self, raw, self.big_endian)
            .map_err(|what| self.bad(format!("compressed resource: {what}")))?;
        if content.len() as u64 != location.uncompressed {
            return Err(self.bad(format!(
                "compressed resource: {} bytes after expansion instead of {}",
                content.len(),
                location.uncompressed
            )));
        }
        Ok(Cow::Owned(content))
    }

    /// A `/packages/…` resource is a list of pairs: "has no class here", module name. Only one
    /// module may have classes in a package.
    fn package_modules(&self, content: &[u8]) -> Result<impl Iterator<Item = Result<&str>>> {
        if !content.len().is_multiple_of(8) {
            return Err(self.bad("the size of a package entry is not a multiple of 8"));
        }
        let modules: Vec<usize> = content
            .chunks_exact(8)
            .filter(|pair| pair[..4] == [0; 4])
            .map(|pair| word(pair, 4, self.big_endian).unwrap_or(0) as usize)
            .collect();
        Ok(modules.into_iter().map(|offset| self.string(offset)))
    }

    fn catalog(&self) -> Result<&Catalog> {
        if let Some(catalog) = self.catalog.get() {
            return Ok(catalog);
        }
        let mut catalog = Catalog::default();
        let packages_of = &mut catalog.packages_of_module;
        for slot in 0..self.table_length {
            let location = self.location_in_slot(slot)?;
            let module = self.string_bytes(location.module)?;
            if module == b"packages" {
                let package = self.name_of(&location)?.path.replace('.', "/");
                let content = self.content(&location)?;
                for module in self.package_modules(&content)? {
                    let packages = packages_of.entry(module?.to_string()).or_default();
                    packages.push(package.clone());
                }
            } else if self.string_bytes(location.base)? == b"module-info"
                && self.string_bytes(location.parent)?.is_empty()
            {
                // Modules such as java.se have no package at all.
                packages_of
                    .entry(self.string(location.module)?.to_string())
                    .or_default();
            }
        }
        packages_of.values_mut().for_each(|p| p.sort());
        Ok(self.catalog.get_or_init(|| catalog))
    }
}

/// The name hash of the format over the concatenation of `parts`.
fn hash(parts: &[&str], seed: u32) -> u32 {
    let bytes = parts.iter().flat_map(|p| p.bytes());
    let hash = bytes.fold(seed, |h, b| h.wrapping_mul(HASH_MULTIPLIER) ^ b as u32);
    hash & 0x7fff_ffff
}

/// The 32-bit word at `offset`, if it is there.
pub(super) fn word(bytes: &[u8], offset: usize, big_endian: bool) -> Option<u32> {
    let raw = bytes.get(offset..offset.checked_add(4)?)?;
    Some(match big_endian {
        true => BigEndian::read_u32(raw),
        false => LittleEndian::read_u32(raw),
    })
}
