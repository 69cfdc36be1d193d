//! The file that a dump is written to: records, segments, numbers in the format's order.

use super::SEGMENT;
use super::tag;
use crate::host::{Errno, Host};
use crate::ids::{Ref, Sym};
use byteorder::{BigEndian, WriteBytesExt};
use flate2::write::GzEncoder;
use std::io::Write;

/// A file being written; after an error nothing more is.
pub(super) struct Out<'a> {
    pub host: &'a mut dyn Host,
    pub fd: i32,
    pub buffer: Vec<u8>,
    /// Sub-records not yet in a segment.
    pub heap: Vec<u8>,
    pub bytes: u64,
    pub failed: Option<Errno>,
    /// Compresses the output.
    pub packer: Option<GzEncoder<Vec<u8>>>,
}

impl Out<'_> {
    pub fn flush(&mut self) {
        let buffer = std::mem::take(&mut self.buffer);
        self.write(&buffer);
        self.buffer = buffer;
        self.buffer.clear();
    }
    fn write(&mut self, bytes: &[u8]) {
        let Some(mut packer) = self.packer.take() else {
            return self.put(bytes);
        };
        packer.write_all(bytes).expect("memory takes all bytes");
        let packed = std::mem::take(packer.get_mut());
        self.put(&packed);
        self.packer = Some(packer);
    }
    /// Writes everything there is.
    pub fn finish(&mut self) {
        self.flush();
        if let Some(packer) = self.packer.take() {
            let packed = packer.finish().expect("memory takes all bytes");
            self.put(&packed);
        }
    }
    fn put(&mut self, mut rest: &[u8]) {
        while !rest.is_empty() && self.failed.is_none() {
            match self.host.descriptors().write(self.fd, rest) {
                Ok(n) => {
                    rest = &rest[n.min(rest.len())..];
                    self.bytes += n as u64;
                }
                Err(e) => self.failed = Some(e),
            }
        }
    }
    pub fn record(&mut self, tag: u8, body: &[u8]) {
        self.buffer.push(tag);
        self.buffer.u4(0);
        let len = u32::try_from(body.len()).expect("records are shorter than 4 GB");
        self.buffer.u4(len);
        if body.len() >= SEGMENT {
            self.flush();
            return self.write(body);
        }
        self.buffer.extend(body);
        if self.buffer.len() >= SEGMENT {
            self.flush();
        }
    }
    /// Closes a segment once it is large.
    pub fn segment(&mut self, now: bool) {
        if self.heap.len() >= SEGMENT || now && !self.heap.is_empty() {
            let heap = std::mem::take(&mut self.heap);
            self.record(tag::SEGMENT, &heap);
            self.heap = heap;
            self.heap.clear();
        }
    }
}

/// Why writing numbers cannot fail.
const TAKES_ALL: &str = "a vector takes all";

/// Bytes in the format's order.
pub(super) trait PutBytes {
    fn u1(&mut self, v: u8);
    fn u2(&mut self, v: u16);
    fn u4(&mut self, v: u32);
    fn u8(&mut self, v: u64);
    fn object(&mut self, r: Ref) {
        self.u8(u64::from(r.0) * 8);
    }
    /// Strings have numbers of their own.
    fn string(&mut self, s: Sym) {
        self.u8(1 << 62 | u64::from(s.0));
    }
}

impl PutBytes for Vec<u8> {
    fn u1(&mut self, v: u8) {
        self.write_u8(v).expect(TAKES_ALL);
    }
    fn u2(&mut self, v: u16) {
        self.write_u16::<BigEndian>(v).expect(TAKES_ALL);
    }
    fn u4(&mut self, v: u32) {
        self.write_u32::<BigEndian>(v).expect(TAKES_ALL);
    }
    fn u8(&mut self, v: u64) {
        self.write_u64::<BigEndian>(v).expect(TAKES_ALL);
    }
}
