//! Modified UTF-8 (JVMS 4.4.7): NUL is two bytes, and characters beyond U+FFFF are surrogate
//! pairs of three bytes each. Surrogates may also are alone, so the faithful form is UTF-16.

use std::borrow::Cow;
use std::fmt;

/// Bytes that aren't modified UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The index of the offending byte.
    pub at: usize,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed modified UTF-8 at byte {}", self.at)
    }
}

impl std::error::Error for Malformed {}

/// The UTF-16 code units of a string.
pub fn units(bytes: &[u8]) -> Units<'_> {
    Units {
        bytes,
        pos: 0,
        strict: false,
    }
}

/// See [`units`]. Stops after the first error. Overlong forms are taken, as in old class files.
#[derive(Clone, Debug)]
pub struct Units<'a> {
    bytes: &'a [u8],
    pos: usize,
    strict: bool,
}

impl Iterator for Units<'_> {
    type Item = Result<u16, Malformed>;

    #[inline]
    fn next(&mut self) -> Option<Result<u16, Malformed>> {
        let at = self.pos;
        let first = *self.bytes.get(at)?;
        let more = |i: usize| match self.bytes.get(at + i) {
            Some(&byte) if byte & 0xC0 == 0x80 => Some(u16::from(byte & 0x3F)),
            _ => None,
        };
        let (unit, len) = match first {
            0x01..=0x7F => (Some(first.into()), 1),
            0xC0..=0xDF => (more(1).map(|low| u16::from(first & 0x1F) << 6 | low), 2),
            0xE0..=0xEF => {
                let unit = more(1).zip(more(2));
                (
                    unit.map(|(mid, low)| u16::from(first & 0x0F) << 12 | mid << 6 | low),
                    3,
                )
            }
            _ => (None, 1),
        };
        let overlong = |unit: &u16| match len {
            2 => (1..0x80).contains(unit),
            3 => *unit < 0x800,
            _ => false,
        };
        match unit.filter(|unit| !(self.strict && overlong(unit))) {
            Some(unit) => {
                self.pos += len;
                Some(Ok(unit))
            }
            None => {
                self.pos = self.bytes.len();
                Some(Err(Malformed { at }))
            }
        }
    }
}

/// Decodes to UTF-16, surrogates and all.
pub fn to_utf16(bytes: &[u8]) -> Result<Vec<u16>, Malformed> {
    if bytes.iter().all(|byte| (1..0x80).contains(byte)) {
        return Ok(bytes.iter().map(|&byte| byte.into()).collect());
    }
    units(bytes).collect()
}

/// The length of the string in UTF-16 code units (`String.length()`).
pub fn utf16_len(bytes: &[u8]) -> Result<usize, Malformed> {
    units(bytes).try_fold(0, |len, unit| unit.map(|_| len + 1))
}

/// Decodes to a Rust string; `None` if the bytes are malformed or a surrogate is alone.
pub fn to_str(bytes: &[u8]) -> Option<Cow<'_, str>> {
    // Four-byte forms are UTF-8 but not modified UTF-8. (All bytes are looked at, many at a time.)
    let other = |found, &byte: &u8| found | (byte == 0) | (byte >= 0xF0);
    if let Ok(text) = std::str::from_utf8(bytes)
        && !bytes.iter().fold(false, other)
    {
        return Some(Cow::Borrowed(text));
    }
    String::from_utf16(&to_utf16(bytes).ok()?)
        .ok()
        .map(Cow::Owned)
}

/// Decodes for people to read: characters that cannot be shown are replaced.
pub fn to_str_lossy(bytes: &[u8]) -> Cow<'_, str> {
    to_str(bytes).unwrap_or_else(|| match to_utf16(bytes) {
        Ok(units) => Cow::Owned(String::from_utf16_lossy(&units)),
        Err(_) => String::from_utf8_lossy(bytes),
    })
}

/// Whether the bytes are modified UTF-8 without overlong forms.
pub fn is_valid(bytes: &[u8]) -> bool {
    let plain = bytes.iter().all(|&byte| byte != 0 && byte < 0x80);
    plain
        || Units {
            bytes,
            pos: 0,
            strict: true,
        }
        .all(|unit| unit.is_ok())
}

/// Encodes UTF-16 code units.
pub fn from_utf16(units: impl IntoIterator<Item = u16>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for unit in units {
        push_unit(&mut bytes, unit);
    }
    bytes
}

/// Encodes a Rust string.
pub fn from_str(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for unit in text.encode_utf16() {
        push_unit(&mut bytes, unit);
    }
    bytes
}

fn push_unit(bytes: &mut Vec<u8>, unit: u16) {
    let low = 0x80 | (unit & 0x3F) as u8;
    match unit {
        0x01..=0x7F => bytes.push(unit as u8),
        0..=0x7FF => bytes.extend([0xC0 | (unit >> 6) as u8, low]),
        _ => bytes.extend([
            0xE0 | (unit >> 12) as u8,
            0x80 | (unit >> 6 & 0x3F) as u8,
            low,
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_survives_a_round_trip() {
        let all: Vec<u16> = (0..=u16::MAX).collect();
        let bytes = from_utf16(all.iter().copied());
        assert!(is_valid(&bytes));
        assert!(!bytes.contains(&0), "NUL must be encoded in two bytes");
        assert_eq!(to_utf16(&bytes).unwrap(), all);
        assert_eq!(utf16_len(&bytes), Ok(65536));
    }

    #[test]
    fn supplementary_characters_are_surrogate_pairs() {
        let bytes = from_str("a\u{1F600}\0");
        assert_eq!(
            bytes,
            [b'a', 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80, 0xC0, 0x80]
        );
        assert_eq!(to_str(&bytes).unwrap(), "a\u{1F600}\0");
        assert_eq!(
            to_str(&bytes[..4]),
            None,
            "a lone surrogate is no Rust string"
        );
        assert_eq!(to_utf16(&bytes[..4]).unwrap(), [0x61, 0xD83D]);
    }

    #[test]
    fn malformed_bytes_are_found() {
        let malformed: [(&[u8], usize); 6] = [
            (b"a\0", 1),
            (b"ab\x80", 2),
            (b"\xC3", 0),
            (b"a\xE4\xB8", 1),
            (b"\xF0\x9F\x98\x80", 0),
            (b"\xC3(", 0),
        ];
        for (bytes, at) in malformed {
            assert_eq!(to_utf16(bytes), Err(Malformed { at }), "{bytes:?}");
            assert!(!is_valid(bytes) && to_str(bytes).is_none());
        }
        assert!(!is_valid(b"\xC1\x81"), "overlong");
        assert_eq!(to_utf16(b"\xC1\x81").unwrap(), [0x41]);
    }
}
