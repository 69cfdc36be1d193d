//! `java.lang.String` objects: creation, contents, interning.

use crate::ids::Ref;
use crate::jdk;
use crate::natives::Env;
use crate::strings::{StringTable, hash_latin1, hash_utf16, hash_utf16_bytes};
use crate::throw::R;
use crate::vm::Vm;

impl Vm {
    /// A new `String` with these contents.
    pub fn new_string(&mut self, s: &str) -> R<Ref> {
        if s.is_ascii() {
            let value = self.new_byte_array(s.len())?;
            self.heap.bytes_mut(value).copy_from_slice(s.as_bytes());
            return self.string_of(value, 0);
        }
        let u: Vec<u16> = s.encode_utf16().collect();
        self.new_string_utf16(&u)
    }
    /// A new `String` of encoded characters.
    fn string_of(&mut self, value: Ref, coder: i8) -> R<Ref> {
        let r = self.alloc_object(self.loaded.known.string)?;
        self.set(r, jdk::string::VALUE, value);
        self.set(r, jdk::string::CODER, coder);
        Ok(r)
    }
    /// A new `String` from UTF-16 code units (stored as LATIN1 when all fit a byte).
    pub(crate) fn new_string_utf16(&mut self, s: &[u16]) -> R<Ref> {
        let latin1 = s.iter().all(|&c| c < 256);
        let value = self.new_byte_array(if latin1 { s.len() } else { s.len() * 2 })?;
        let bytes = self.heap.bytes_mut(value);
        if latin1 {
            for (b, &c) in bytes.iter_mut().zip(s) {
                *b = c as u8;
            }
        } else {
            for (b, &c) in bytes.chunks_exact_mut(2).zip(s) {
                b.copy_from_slice(&c.to_ne_bytes());
            }
        }
        self.string_of(value, i8::from(!latin1))
    }
    /// The UTF-16 contents of a `String`.
    pub(crate) fn string_utf16(&self, s: Ref) -> Vec<u16> {
        match self.characters(s) {
            (latin1, true) => latin1.iter().map(|&b| b.into()).collect(),
            (bytes, false) => bytes
                .chunks_exact(2)
                .map(|c| u16::from_ne_bytes([c[0], c[1]]))
                .collect(),
        }
    }
    /// The contents of a `String`; unpaired surrogates become U+FFFD (for messages and names).
    pub fn string(&self, s: Ref) -> String {
        match self.characters(s) {
            // nearly always, and much faster
            (ascii, true) if ascii.is_ascii() => String::from_utf8(ascii.to_vec()).expect("ASCII"),
            (latin1, true) => latin1.iter().map(|&b| char::from(b)).collect(),
            (_, false) => String::from_utf16_lossy(&self.string_utf16(s)),
        }
    }
    /// Bytes of a `String`'s characters, and whether these are LATIN1. None if they were taken out by reflection.
    fn characters(&self, s: Ref) -> (&[u8], bool) {
        match self.get(s, jdk::string::VALUE).non_null() {
            Some(value) => (self.heap.bytes(value), self.get(s, jdk::string::CODER) == 0),
            None => (&[], true),
        }
    }
    /// Hashes `n` characters from `at` on.
    fn hash_characters(&self, hash: u64, s: Ref, at: usize, n: usize) -> u64 {
        match self.characters(s) {
            (bytes, true) => hash_latin1(hash, &bytes[at..at + n]),
            (bytes, false) => hash_utf16_bytes(hash, &bytes[2 * at..2 * (at + n)]),
        }
    }
    /// `String.hashCode`, of `n` more characters from `at` on.
    fn hash_code(&self, hash: i32, s: Ref, at: usize, n: usize) -> i32 {
        let more = |hash: i32, c: u16| hash.wrapping_mul(31).wrapping_add(c.into());
        match self.characters(s) {
            (bytes, true) => (bytes[at..at + n].iter()).fold(hash, |h, &b| more(h, b.into())),
            (bytes, false) => {
                let (units, _) = bytes[2 * at..2 * (at + n)].as_chunks::<2>();
                units
                    .iter()
                    .fold(hash, |h, &u| more(h, u16::from_ne_bytes(u)))
            }
        }
    }
    fn length(&self, s: Ref) -> usize {
        match self.characters(s) {
            (bytes, true) => bytes.len(),
            (bytes, false) => bytes.len() / 2,
        }
    }
    /// Whether two strings of one length have the same `n` characters from `at` on.
    fn are_equal(&self, a: Ref, b: Ref, at: usize, n: usize) -> bool {
        let range = |size: usize| size * at..size * (at + n);
        match (self.characters(a), self.characters(b)) {
            ((a, true), (b, true)) => a[range(1)] == b[range(1)],
            ((a, false), (b, false)) => a[range(2)] == b[range(2)],
            ((latin1, true), (utf16, false)) | ((utf16, false), (latin1, true)) => {
                let units = utf16[range(2)].chunks_exact(2);
                units
                    .zip(&latin1[range(1)])
                    .all(|(unit, &b)| *unit == u16::from(b).to_ne_bytes())
            }
        }
    }
    /// `String.intern` for contents.
    pub(crate) fn intern_utf16(&mut self, s: &[u16]) -> R<Ref> {
        let hash = StringTable::finish(hash_utf16(self.strings.seed(), s), s.len());
        let is = |r: Ref| match self.characters(r) {
            (bytes, true) => {
                bytes.len() == s.len() && bytes.iter().zip(s).all(|(&b, &u)| u16::from(b) == u)
            }
            (bytes, false) => {
                let units = bytes.chunks_exact(2);
                units.len() == s.len() && units.zip(s).all(|(b, u)| *b == u.to_ne_bytes())
            }
        };
        if let Some(r) = self.strings.get(hash, is) {
            return Ok(r);
        }
        let r = self.new_string_utf16(s)?;
        self.strings.insert(hash, r);
        Ok(r)
    }
    /// The interned `String` of a Rust string.
    pub(crate) fn intern_str(&mut self, s: &str) -> R<Ref> {
        let u: Vec<u16> = s.encode_utf16().collect();
        self.intern_utf16(&u)
    }
}

/// Characters that are read between two checks for a request to stop: a multiple of four.
const PIECE: usize = 1 << 20;

impl Env {
    /// `String.intern` of an object, for a native that does nothing else. A string can be as large as the heap: it is hashed
    /// and compared in pieces.
    pub fn intern(&mut self, s: Ref) -> R<Ref> {
        self.0.heap.check(s);
        let n = self.0.length(s);
        self.in_pieces(n, PIECE, |vm, at, n| {
            let hash = match at {
                0 => vm.0.strings.seed(),
                _ => vm.native_state()[1],
            };
            vm.native_state()[1] = vm.0.hash_characters(hash, s, at, n);
            if vm.feature() >= 22 {
                let hash = vm.native_state()[2] as i32;
                vm.native_state()[2] = vm.0.hash_code(hash, s, at, n) as u64;
            }
            Ok(())
        })?;
        if self.feature() >= 22 {
            // HotSpot's table of strings leaves their `hashCode` in them since then
            match self.native_state()[2] as i32 {
                0 => self.set(s, jdk::string::HASH_IS_ZERO, true),
                hash => self.set(s, jdk::string::HASH, hash),
            }
        }
        let hash = match n {
            0 => self.0.strings.seed(),
            _ => self.native_state()[1],
        };
        let hash = StringTable::finish(hash, n);
        let vm = &self.0;
        let Some(first) = vm.strings.get(hash, |r| r == s || vm.length(r) == n) else {
            self.0.strings.insert(hash, s);
            return Ok(s);
        };
        if first == s || self.is_equal(first, s, n)? {
            return Ok(first);
        }
        // another one with the same hash and length
        let vm = &self.0;
        let is = |r: Ref| vm.length(r) == n && vm.are_equal(r, s, 0, n);
        if let Some(r) = vm.strings.get(hash, is) {
            return Ok(r);
        }
        self.0.strings.insert(hash, s);
        Ok(s)
    }
    /// Compares two strings of `n` characters. How many have been compared is in the first word of
    /// [`Env::native_state`], behind those that were hashed.
    fn is_equal(&mut self, a: Ref, b: Ref, n: usize) -> R<bool> {
        loop {
            let done = (self.native_state()[0] as usize).saturating_sub(n);
            if done >= n {
                return Ok(true);
            }
            self.0.breathe()?;
            let piece = PIECE.min(n - done);
            if !self.0.are_equal(a, b, done, piece) {
                return Ok(false);
            }
            self.native_state()[0] = (n + done + piece) as u64;
        }
    }
}
