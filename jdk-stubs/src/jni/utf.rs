//! Modified UTF-8 (JNI specification, chapter 3), as lenient as HotSpot with invalid bytes.

/// Code units of modified UTF-8. A byte that begins no character represents itself.
pub fn decode(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, tail @ ..] = rest {
        let one = u16::from(*first);
        let (unit, used) = match (first >> 4, tail) {
            (0xc | 0xd, [b, ..]) if b & 0xc0 == 0x80 => {
                ((one & 0x1f) << 6 | u16::from(b & 0x3f), 2)
            }
            (0xe, [b, c, ..]) if b & 0xc0 == 0x80 && c & 0xc0 == 0x80 => {
                let low = u16::from(b & 0x3f) << 6 | u16::from(c & 0x3f);
                ((one & 0xf) << 12 | low, 3)
            }
            _ => (one, 1),
        };
        units.push(unit);
        rest = &rest[used..];
    }
    units
}

/// Modified UTF-8 of code units.
pub fn encode(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(units.len());
    for &u in units {
        match u {
            1..=0x7f => bytes.push(u as u8),
            0 | 0x80..=0x7ff => bytes.extend([0xc0 | (u >> 6) as u8, 0x80 | (u & 0x3f) as u8]),
            _ => bytes.extend([
                0xe0 | (u >> 12) as u8,
                0x80 | (u >> 6 & 0x3f) as u8,
                0x80 | (u & 0x3f) as u8,
            ]),
        }
    }
    bytes
}

/// Whether bytes are modified UTF-8 (JVMS 4.4.7), each unit in as few bytes as it needs.
pub fn is_legal(bytes: &[u8]) -> bool {
    encode(&decode(bytes)) == bytes
}

/// Bytes of [`encode`].
pub fn length(units: &[u16]) -> usize {
    let bytes = units.iter().map(|u| match u {
        1..=0x7f => 1,
        0 | 0x80..=0x7ff => 2,
        _ => 3,
    });
    bytes.sum()
}

#[cfg(test)]
mod tests {
    use super::{decode, encode, length};

    #[test]
    fn there_and_back() {
        let units: Vec<u16> = "a\0é€😀".encode_utf16().chain([0xd800]).collect();
        let bytes = encode(&units);
        assert_eq!(length(&units), bytes.len());
        assert_eq!(&bytes[..5], b"a\xc0\x80\xc3\xa9");
        assert!(!bytes.contains(&0));
        assert_eq!(decode(&bytes), units);
        assert_eq!(decode(b"\xf0\xff\xc3"), [0xf0, 0xff, 0xc3]);
    }
}
