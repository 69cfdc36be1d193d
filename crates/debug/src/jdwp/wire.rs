//! Packets and their contents, as bytes. Nothing here knows a VM: it can be tested with any bytes.

use std::fmt;

/// Bytes of a packet's header.
pub const HEADER: usize = 11;

/// Most bytes that a packet may have. Class files are the largest things in one.
pub const MOST_BYTES: usize = 64 << 20;

/// What both sides say first.
pub const HANDSHAKE: &[u8; 14] = b"JDWP-Handshake";

/// In the flags of a reply.
const REPLY: u8 = 0x80;

/// A packet's header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// Bytes of the packet, header included.
    pub length: usize,
    /// Its number.
    pub id: u32,
    /// Its kind.
    pub kind: Kind,
}

/// The kind of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A command: its set and its number in it.
    Command(u8, u8),
    /// A reply, with an error or 0.
    Reply(u16),
}

/// Bytes that are not a packet, or not the arguments of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// The length is not valid for a packet.
    Length(u32),
    /// There are fewer bytes than requested.
    Short,
    /// Text is not UTF-8.
    Text,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::Length(n) => write!(f, "a packet of {n} bytes"),
            Malformed::Short => f.write_str("a packet that ends too early"),
            Malformed::Text => f.write_str("text that is not UTF-8"),
        }
    }
}

impl Header {
    /// Reads one.
    ///
    /// # Errors
    /// The length is less than the header's, or more than a packet may have.
    pub fn read(bytes: &[u8; HEADER]) -> Result<Header, Malformed> {
        let length = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let within = (HEADER..=MOST_BYTES).contains(&(length as usize));
        if !within {
            return Err(Malformed::Length(length));
        }
        let kind = match bytes[8] & REPLY {
            0 => Kind::Command(bytes[9], bytes[10]),
            _ => Kind::Reply(u16::from_be_bytes([bytes[9], bytes[10]])),
        };
        Ok(Header {
            length: length as usize,
            id: u32::from_be_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]),
            kind,
        })
    }
}

/// Reads what a command says.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Of a packet's data.
    pub fn new(data: &'a [u8]) -> Reader<'a> {
        Reader(data)
    }
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (first, rest) = self.0.split_first_chunk::<N>().ok_or(Malformed::Short)?;
        self.0 = rest;
        Ok(*first)
    }
    /// A byte.
    ///
    /// # Errors
    /// There is none; so with the others.
    pub fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.take::<1>()?[0])
    }
    /// Two bytes.
    pub fn u16(&mut self) -> Result<u16, Malformed> {
        Ok(u16::from_be_bytes(self.take()?))
    }
    /// Four bytes.
    pub fn u32(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_be_bytes(self.take()?))
    }
    /// The same, as a signed number.
    pub fn i32(&mut self) -> Result<i32, Malformed> {
        Ok(self.u32()? as i32)
    }
    /// Eight bytes.
    pub fn u64(&mut self) -> Result<u64, Malformed> {
        Ok(u64::from_be_bytes(self.take()?))
    }
    /// A number of things, each of which takes at least so many bytes: so there cannot be more than fit.
    pub fn count(&mut self, each: usize) -> Result<usize, Malformed> {
        let n = self.u32()? as usize;
        match n.checked_mul(each) {
            Some(bytes) if bytes <= self.0.len() => Ok(n),
            _ => Err(Malformed::Short),
        }
    }
    /// Bytes, after their number.
    pub fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let n = self.count(1)?;
        let (first, rest) = self.0.split_at(n);
        self.0 = rest;
        Ok(first)
    }
    /// Text.
    pub fn text(&mut self) -> Result<&'a str, Malformed> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Malformed::Text)
    }
}

/// Puts a packet together.
#[derive(Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// Nothing yet.
    pub fn new() -> Writer {
        Writer::default()
    }
    /// A byte.
    pub fn u8(&mut self, v: u8) -> &mut Writer {
        self.0.push(v);
        self
    }
    /// Two bytes.
    pub fn u16(&mut self, v: u16) -> &mut Writer {
        self.0.extend(v.to_be_bytes());
        self
    }
    /// Four bytes.
    pub fn u32(&mut self, v: u32) -> &mut Writer {
        self.0.extend(v.to_be_bytes());
        self
    }
    /// Eight bytes.
    pub fn u64(&mut self, v: u64) -> &mut Writer {
        self.0.extend(v.to_be_bytes());
        self
    }
    /// Whether something is so.
    pub fn flag(&mut self, v: bool) -> &mut Writer {
        self.u8(v.into())
    }
    /// Text.
    pub fn text(&mut self, v: &str) -> &mut Writer {
        self.bytes(v.as_bytes())
    }
    /// Bytes, after their number.
    pub fn bytes(&mut self, v: &[u8]) -> &mut Writer {
        self.u32(v.len() as u32);
        self.0.extend(v);
        self
    }
    /// The written items, after their number.
    pub fn counted<T>(
        &mut self,
        all: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        mut each: impl FnMut(&mut Writer, T),
    ) -> &mut Writer {
        let all = all.into_iter();
        self.u32(all.len() as u32);
        all.for_each(|v| each(self, v));
        self
    }
    /// The bytes.
    pub fn done(self) -> Vec<u8> {
        self.0
    }
}

/// The bytes of a reply.
pub fn reply(id: u32, error: u16, data: &[u8]) -> Vec<u8> {
    let [high, low] = error.to_be_bytes();
    packet(id, REPLY, high, low, data)
}

/// The bytes of a command.
pub fn command(id: u32, set: u8, number: u8, data: &[u8]) -> Vec<u8> {
    packet(id, 0, set, number, data)
}

fn packet(id: u32, flags: u8, a: u8, b: u8, data: &[u8]) -> Vec<u8> {
    let mut all = Vec::with_capacity(HEADER + data.len());
    all.extend(((HEADER + data.len()) as u32).to_be_bytes());
    all.extend(id.to_be_bytes());
    all.extend([flags, a, b]);
    all.extend(data);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that look random, the same each time.
    fn noise(seed: u64) -> impl Iterator<Item = u8> {
        let mut x = seed | 1;
        std::iter::from_fn(move || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            Some((x >> 24) as u8)
        })
    }

    #[test]
    fn headers_are_read_as_they_are_written() {
        let bytes = command(7, 1, 2, b"abc");
        let header = Header::read(bytes[..HEADER].try_into().unwrap()).unwrap();
        let wanted = Header {
            length: 14,
            id: 7,
            kind: Kind::Command(1, 2),
        };
        assert_eq!(header, wanted);
        let bytes = reply(9, 112, b"");
        let header = Header::read(bytes[..HEADER].try_into().unwrap()).unwrap();
        assert_eq!(header.kind, Kind::Reply(112));
    }

    #[test]
    fn lengths_that_no_packet_has_are_refused() {
        for length in [0, 10, MOST_BYTES as u32 + 1, u32::MAX] {
            let mut bytes = [0; HEADER];
            bytes[..4].copy_from_slice(&length.to_be_bytes());
            assert_eq!(Header::read(&bytes), Err(Malformed::Length(length)));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        for seed in 0..2000 {
            let length = (seed % 61) as usize;
            let bytes: Vec<u8> = noise(seed * 977 + 1).take(length).collect();
            let mut r = Reader::new(&bytes);
            let mut steps = noise(seed + 5);
            // ends, since each step takes something or is refused
            for _ in 0..100 {
                let done = match steps.next().unwrap_or(0) % 6 {
                    0 => r.u8().map(|_| ()),
                    1 => r.u16().map(|_| ()),
                    2 => r.u32().map(|_| ()),
                    3 => r.u64().map(|_| ()),
                    4 => r.text().map(|t| assert!(t.len() <= length)),
                    _ => r.count(8).map(|n| assert!(n * 8 <= length)),
                };
                if done == Err(Malformed::Short) {
                    break;
                }
            }
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut w = Writer::new();
        w.u8(1)
            .u16(2)
            .u32(3)
            .u64(4)
            .flag(true)
            .text("é")
            .bytes(b"xy");
        w.counted([5u32, 6], |w, v| _ = w.u32(v));
        let bytes = w.done();
        let mut r = Reader::new(&bytes);
        assert_eq!(
            (r.u8(), r.u16(), r.u32(), r.u64()),
            (Ok(1), Ok(2), Ok(3), Ok(4))
        );
        assert_eq!(
            (r.u8(), r.text(), r.bytes()),
            (Ok(1), Ok("é"), Ok(&b"xy"[..]))
        );
        assert_eq!(
            (r.count(4), r.u32(), r.u32(), r.u8()),
            (Ok(2), Ok(5), Ok(6), Err(Malformed::Short))
        );
    }
}
