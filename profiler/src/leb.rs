//! Numbers in few bytes: seven bits a byte, lowest first; all bytes but the last have the top bit set.

/// Appends a number.
#[inline]
pub(crate) fn push(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

/// Takes the first number away.
#[inline]
pub(crate) fn take(bytes: &mut &[u8]) -> u64 {
    let (mut n, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        n |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for (n, expected) in [
            (0, &[0][..]),
            (127, &[127]),
            (128, &[0x80, 1]),
            (300, &[0xac, 2]),
            (u64::MAX, &[255, 255, 255, 255, 255, 255, 255, 255, 255, 1]),
        ] {
            let mut bytes = Vec::new();
            push(&mut bytes, n);
            assert_eq!(bytes, expected);
            bytes.push(7);
            let mut left = &bytes[..];
            assert_eq!((take(&mut left), left), (n, &[7][..]));
        }
    }
}
