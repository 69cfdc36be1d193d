//! An ELF file that is a library and has no code: a table of symbols, each with an absolute address.
//!
//! The dynamic linker adds no base to a symbol of the section `SHN_ABS`. So a symbol of this file is a function of the running
//! process, whichever program or library has it, and whether or not that exports its functions. See the System V ABI, chapters 4
//! and 5, and for versions of symbols the section on them in the Linux Standard Base.

/// Bytes of the header and of an entry of the table of segments.
const HEADER: usize = 64;
const SEGMENT: usize = 56;
/// Segments: what is loaded, the dynamic section in it, and what the stack is to be.
const SEGMENTS: usize = 3;
/// A page of any system is not larger.
const PAGE: u64 = 0x1_0000;

const PT_LOAD: u32 = 1;
const PT_DYNAMIC: u32 = 2;
/// Without it the linker makes all stacks executable.
const PT_GNU_STACK: u32 = 0x6474_e551;
const READ_WRITE: u32 = 6;

const ET_DYN: u16 = 3;
const SHN_ABS: u16 = 0xfff1;
/// A global function.
const FUNCTION: u8 = 0x12;

const DT_HASH: u64 = 4;
const DT_STRTAB: u64 = 5;
const DT_SYMTAB: u64 = 6;
const DT_STRSZ: u64 = 10;
const DT_SYMENT: u64 = 11;
const DT_SONAME: u64 = 14;
const DT_VERSYM: u64 = 0x6fff_fff0;
const DT_VERDEF: u64 = 0x6fff_fffc;
const DT_VERDEFNUM: u64 = 0x6fff_fffd;

/// Versions that are defined: the file's own, and the one of all symbols.
const VERSIONS: u16 = 2;
/// Bytes of a version, and of the name that follows it.
const VERSION: u32 = 20;
const VERSION_NAME: u32 = 8;

/// The processor that this code is compiled for, as ELF numbers it; 0 for one without a linker that is known.
pub const MACHINE: u16 = match () {
    () if cfg!(target_arch = "x86_64") => 62,
    () if cfg!(target_arch = "aarch64") => 183,
    () => 0,
};

/// The hash of a name in tables of symbols.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0u32, |h, c| {
        let h = (h << 4).wrapping_add(c.into());
        let high = h & 0xf000_0000;
        (h ^ (high >> 24)) & !high
    })
}

/// Names, one after the other.
struct Strings(Vec<u8>);

impl Strings {
    /// Where it is from now on.
    fn add(&mut self, name: &str) -> u32 {
        let at = self.0.len() as u32;
        self.0.extend(name.bytes());
        self.0.push(0);
        at
    }
}

/// The file: numbers in the byte order of the processor.
struct File(Vec<u8>);

impl File {
    fn half(&mut self, n: u16) {
        self.0.extend(n.to_ne_bytes());
    }
    fn word(&mut self, n: u32) {
        self.0.extend(n.to_ne_bytes());
    }
    fn long(&mut self, n: u64) {
        self.0.extend(n.to_ne_bytes());
    }
    /// Where the next thing begins.
    fn align(&mut self) -> u64 {
        self.0.resize(self.0.len().next_multiple_of(8), 0);
        self.0.len() as u64
    }
    fn header(&mut self) {
        let little = if cfg!(target_endian = "little") { 1 } else { 2 };
        self.0.extend([0x7f, b'E', b'L', b'F', 2, little, 1, 0]);
        self.0.resize(16, 0);
        self.half(ET_DYN);
        self.half(MACHINE);
        self.word(1);
        // no entry point; the segments follow; no sections
        for n in [0, HEADER as u64, 0] {
            self.long(n);
        }
        self.word(0);
        for n in [HEADER, SEGMENT, SEGMENTS, 0, 0, 0] {
            self.half(n as u16);
        }
    }
    fn segment(&mut self, ty: u32, at: u64, bytes: u64, align: u64) {
        self.word(ty);
        self.word(READ_WRITE);
        for n in [at, at, at, bytes, bytes, align] {
            self.long(n);
        }
    }
    fn version(&mut self, flags: u16, number: u16, name: &str, at: u32, next: u32) {
        for n in [1, flags, number, 1] {
            self.half(n);
        }
        for n in [hash(name), VERSION, next, at, 0] {
            self.word(n);
        }
    }
}

/// A library of this name, whose symbols have this version.
pub fn library(name: &str, version: &str, symbols: &[(&str, u64)]) -> Vec<u8> {
    let mut strings = Strings(vec![0]);
    let (name_at, version_at) = (strings.add(name), strings.add(version));
    let mut f = File(vec![0; HEADER + SEGMENTS * SEGMENT]);
    let count = symbols.len() + 1;

    let symbols_at = f.align();
    f.0.resize(f.0.len() + 24, 0);
    for (name, address) in symbols {
        f.word(strings.add(name));
        f.0.extend([FUNCTION, 0]);
        f.half(SHN_ABS);
        f.long(*address);
        f.long(0);
    }

    let hash_at = f.align();
    let buckets = symbols.len().max(1);
    let (mut heads, mut chain) = (vec![0; buckets], vec![0; count]);
    for (i, (name, _)) in symbols.iter().enumerate() {
        let head = &mut heads[hash(name) as usize % buckets];
        chain[i + 1] = std::mem::replace(head, i as u32 + 1);
    }
    f.word(buckets as u32);
    f.word(count as u32);
    heads.into_iter().chain(chain).for_each(|n| f.word(n));

    let versions_at = f.align();
    (0..count).for_each(|i| f.half(if i == 0 { 0 } else { VERSIONS }));
    let definitions_at = f.align();
    f.version(1, 1, name, name_at, VERSION + VERSION_NAME);
    f.version(0, VERSIONS, version, version_at, 0);

    let strings_at = f.align();
    f.0.extend(&strings.0);
    let dynamic_at = f.align();
    for (tag, value) in [
        (DT_SONAME, name_at.into()),
        (DT_HASH, hash_at),
        (DT_STRTAB, strings_at),
        (DT_STRSZ, strings.0.len() as u64),
        (DT_SYMTAB, symbols_at),
        (DT_SYMENT, 24),
        (DT_VERSYM, versions_at),
        (DT_VERDEF, definitions_at),
        (DT_VERDEFNUM, VERSIONS.into()),
        (0, 0),
    ] {
        f.long(tag);
        f.long(value);
    }

    let end = f.align();
    let mut head = File(Vec::new());
    head.header();
    head.segment(PT_LOAD, 0, end, PAGE);
    head.segment(PT_DYNAMIC, dynamic_at, end - dynamic_at, 8);
    head.segment(PT_GNU_STACK, 0, 0, 16);
    f.0[..head.0.len()].copy_from_slice(&head.0);
    f.0
}

#[cfg(test)]
mod tests {
    use super::{hash, library};

    #[test]
    fn names_have_the_hashes_of_the_specification() {
        assert_eq!(hash(""), 0);
        assert_eq!(hash("printf"), 0x077905a6);
        assert_eq!(hash("exit"), 0x0006cf04);
        assert_eq!(hash("syscall"), 0x0b09985c);
    }

    #[test]
    fn a_library_is_as_large_as_it_says() {
        let file = library("liba.so", "V_1", &[("a", 1), ("b", 2)]);
        let long = |at: usize| u64::from_ne_bytes(file[at..at + 8].try_into().unwrap());
        assert_eq!(&file[..4], b"\x7fELF");
        assert_eq!(long(64 + 32), file.len() as u64, "bytes of the loaded part");
        let (at, bytes) = (long(64 + 56 + 8), long(64 + 56 + 32));
        assert_eq!(at + bytes, file.len() as u64, "the dynamic section is last");
    }
}
