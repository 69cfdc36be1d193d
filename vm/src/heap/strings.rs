//! `java.lang.String` objects: creation, contents, interning.

use crate::ids::Ref;
use crate::jdk;
use crate::natives::Env;
use crate::throw::R;
use crate::vm::Vm;

impl Vm {
    /// A new `String` with these contents.
    pub fn new_string(&mut self, s: &str) -> R<Ref> {
        let u: Vec<u16> = s.encode_utf16().collect();
        self.new_string_utf16(&u)
    }
    /// A new `String` from UTF-16 code units (stored as LATIN1 when all fit a byte).
    pub(crate) fn new_string_utf16(&mut self, s: &[u16]) -> R<Ref> {
        let latin1 = s.iter().all(|&c| c < 256);
        let value = self.new_byte_array(if latin1 { s.len() } else { s.len() * 2 })?;
        let string = self.known.string;
        let r = self.alloc_object(string)?;
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
        self.set(r, jdk::string::VALUE, value);
        self.set(r, jdk::string::CODER, !latin1 as i8);
        Ok(r)
    }
    /// The UTF-16 contents of a `String`.
    pub(crate) fn string_utf16(&self, s: Ref) -> Vec<u16> {
        let value = self.get(s, jdk::string::VALUE);
        if value.is_null() {
            // taken out by reflection
            return Vec::new();
        }
        let bytes = self.heap.bytes(value);
        if self.get(s, jdk::string::CODER) == 0 {
            bytes.iter().map(|&b| b as u16).collect()
        } else {
            bytes
                .chunks_exact(2)
                .map(|c| u16::from_ne_bytes([c[0], c[1]]))
                .collect()
        }
    }
    /// The contents of a `String`; unpaired surrogates become U+FFFD (for messages and names).
    pub fn string(&self, s: Ref) -> String {
        let units = self.string_utf16(s);
        // nearly always, and much faster
        if units.iter().fold(0, |all, unit| all | unit) < 0x80 {
            let ascii = units.iter().map(|&unit| unit as u8).collect();
            return String::from_utf8(ascii).expect("ASCII");
        }
        String::from_utf16_lossy(&units)
    }
    /// `String.intern` for contents.
    pub(crate) fn intern_utf16(&mut self, s: &[u16]) -> R<Ref> {
        if let Some(r) = self.strings.get(s) {
            return Ok(r);
        }
        let r = self.new_string_utf16(s)?;
        self.strings.insert(s, r);
        Ok(r)
    }
    /// The interned `String` of a Rust string.
    pub(crate) fn intern_str(&mut self, s: &str) -> R<Ref> {
        let u: Vec<u16> = s.encode_utf16().collect();
        self.intern_utf16(&u)
    }
}

impl Env {
    /// `String.intern` of an object.
    pub fn intern(&mut self, s: Ref) -> R<Ref> {
        self.0.heap.check(s);
        let u = self.0.string_utf16(s);
        if let Some(r) = self.0.strings.get(&u[..]) {
            return Ok(r);
        }
        self.0.strings.insert(&u, s);
        Ok(s)
    }
}
