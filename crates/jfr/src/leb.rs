//! Numbers and text as they are in events: integers in groups of seven bits, the lowest first, in at most nine bytes, the ninth
//! of which has eight bits.

/// How text is encoded, in the byte before it.
const NULL: u8 = 0;
const EMPTY: u8 = 1;
const UTF_8: u8 = 3;

/// An integer, whose sign bit is the 64th.
pub fn long(out: &mut Vec<u8>, value: i64) {
    let mut rest = value as u64;
    for _ in 0..8 {
        if rest < 0x80 {
            out.push(rest as u8);
            return;
        }
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// An integer of 32 bits: a negative one has no bits above them.
pub fn int(out: &mut Vec<u8>, value: i32) {
    long(out, i64::from(value as u32));
}

/// Bytes that [`long`] needs for a length.
pub fn width(value: u64) -> usize {
    let bits = 64 - value.leading_zeros() as usize;
    bits.div_ceil(7).clamp(1, 9)
}

/// Text, or none.
pub fn text(out: &mut Vec<u8>, value: Option<&str>) {
    match value {
        None => out.push(NULL),
        Some("") => out.push(EMPTY),
        Some(text) => {
            out.push(UTF_8);
            long(out, text.len() as i64);
            out.extend(text.as_bytes());
        }
    }
}

#[cfg(test)]
pub mod read {
    //! The way back, for tests.

    /// An integer at the beginning of `bytes`, which are behind it then.
    pub fn long(bytes: &mut &[u8]) -> i64 {
        let mut value = 0u64;
        for i in 0..9 {
            let byte = bytes[0];
            *bytes = &bytes[1..];
            if i == 8 {
                value |= u64::from(byte) << 56;
            } else {
                value |= u64::from(byte & 0x7f) << (7 * i);
                if byte < 0x80 {
                    break;
                }
            }
        }
        value as i64
    }
    /// Text in the same way.
    pub fn text(bytes: &mut &[u8]) -> Option<String> {
        let kind = bytes[0];
        *bytes = &bytes[1..];
        match kind {
            super::NULL => None,
            super::EMPTY => Some(String::new()),
            super::UTF_8 => {
                let length = long(bytes) as usize;
                let (text, rest) = bytes.split_at(length);
                *bytes = rest;
                Some(String::from_utf8(text.to_vec()).unwrap())
            }
            other => panic!("encoding {other}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_take_as_many_bytes_as_they_need() {
        for (value, bytes) in [
            (0, &[0u8][..]),
            (127, &[127]),
            (128, &[0x80, 1]),
            (300, &[0xac, 2]),
            (
                1 << 56,
                &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1],
            ),
            (-1, &[0xff; 9]),
        ] {
            let mut out = Vec::new();
            long(&mut out, value);
            assert_eq!(out, bytes, "{value}");
            assert_eq!(width(value as u64), bytes.len(), "{value}");
            assert_eq!(read::long(&mut &out[..]), value);
        }
        let mut out = Vec::new();
        int(&mut out, -1);
        assert_eq!(out, [0xff, 0xff, 0xff, 0xff, 0x0f]);
    }

    #[test]
    fn text_is_distinguished_from_none() {
        for value in [None, Some(""), Some("a"), Some("gr\u{f6}\u{df}e \u{1f600}")] {
            let mut out = Vec::new();
            text(&mut out, value);
            assert_eq!(read::text(&mut &out[..]).as_deref(), value);
        }
    }
}
