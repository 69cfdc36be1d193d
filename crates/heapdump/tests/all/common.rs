//! Dumps built by hand.

use byteorder::{BigEndian, WriteBytesExt};
use rjvm_heapdump::Dump;
use std::io::Cursor;

/// Addresses of what each dump has.
pub const OBJECT: u64 = 0x100;
pub const CLASS: u64 = 0x200;
pub const NODE: u64 = 0x300;
pub const ARRAY: u64 = 0x400;
pub const FIRST: u64 = 0x1000;

/// Writes a dump.
pub struct Builder {
    id: usize,
    pub out: Vec<u8>,
    pub heap: Vec<u8>,
    /// Where each record and sub-record begins in `out` and `heap`.
    pub starts: Vec<usize>,
}

impl Builder {
    pub fn new(version: u8, id: usize) -> Builder {
        let mut b = Builder {
            id,
            out: format!("JAVA PROFILE 1.0.{version}\0").into_bytes(),
            heap: Vec::new(),
            starts: Vec::new(),
        };
        b.out.write_u32::<BigEndian>(id as u32).unwrap();
        b.out.write_u64::<BigEndian>(1234).unwrap();
        b
    }
    fn put(id: usize, out: &mut Vec<u8>, n: u64) {
        out.write_uint::<BigEndian>(n, id).unwrap();
    }
    pub fn record(&mut self, tag: u8, ids: &[u64], rest: &[u8]) {
        self.starts.push(self.out.len());
        self.out.push(tag);
        self.out.extend([0; 4]);
        let len = ids.len() * self.id + rest.len();
        self.out.write_u32::<BigEndian>(len as u32).unwrap();
        ids.iter()
            .for_each(|&n| Self::put(self.id, &mut self.out, n));
        self.out.extend(rest);
    }
    pub fn name(&mut self, id: u64, text: &str) {
        self.record(0x01, &[id], text.as_bytes());
    }
    pub fn load_class(&mut self, serial: u32, class: u64, name: u64) {
        let mut body = serial.to_be_bytes().to_vec();
        Self::put(self.id, &mut body, class);
        body.extend([0; 4]);
        Self::put(self.id, &mut body, name);
        self.record(0x02, &[], &body);
    }
    pub fn id(&mut self, n: u64) {
        Self::put(self.id, &mut self.heap, n);
    }
    pub fn u4(&mut self, n: u32) {
        self.heap.write_u32::<BigEndian>(n).unwrap();
    }
    /// A class with reference fields and statics.
    pub fn class(&mut self, id: u64, above: u64, fields: &[u64], statics: &[(u64, u64)]) {
        self.heap.push(0x20);
        self.id(id);
        self.u4(1);
        self.id(above);
        (0..5).for_each(|_| self.id(0));
        self.u4((fields.len() * self.id) as u32);
        self.heap.write_u16::<BigEndian>(0).unwrap();
        self.heap
            .write_u16::<BigEndian>(statics.len() as u16)
            .unwrap();
        for &(name, value) in statics {
            self.id(name);
            self.heap.push(2);
            self.id(value);
        }
        self.heap
            .write_u16::<BigEndian>(fields.len() as u16)
            .unwrap();
        for &name in fields {
            self.id(name);
            self.heap.push(2);
        }
    }
    pub fn instance(&mut self, id: u64, trace: u32, class: u64, fields: &[u64]) {
        self.heap.push(0x21);
        self.id(id);
        self.u4(trace);
        self.id(class);
        self.u4((fields.len() * self.id) as u32);
        fields.iter().for_each(|&f| self.id(f));
    }
    pub fn array(&mut self, id: u64, class: u64, elements: &[u64]) {
        self.heap.push(0x22);
        self.id(id);
        self.u4(1);
        self.u4(elements.len() as u32);
        self.id(class);
        elements.iter().for_each(|&f| self.id(f));
    }
    pub fn bytes(&mut self, id: u64, bytes: &[u8]) {
        self.heap.push(0x23);
        self.id(id);
        self.u4(1);
        self.u4(bytes.len() as u32);
        self.heap.push(8);
        self.heap.extend(bytes);
    }
    pub fn root(&mut self, id: u64) {
        self.heap.push(0xFF);
        self.id(id);
    }
    pub fn frame_root(&mut self, id: u64, thread: u32, frame: u32) {
        self.heap.push(0x03);
        self.id(id);
        self.u4(thread);
        self.u4(frame);
    }
    pub fn thread(&mut self, id: u64, serial: u32, trace: u32) {
        self.heap.push(0x08);
        self.id(id);
        self.u4(serial);
        self.u4(trace);
    }
    /// Closes the segment.
    pub fn segment(&mut self) {
        let heap = std::mem::take(&mut self.heap);
        self.record(0x1C, &[], &heap);
    }
    pub fn read(&self) -> Result<Dump, rjvm_heapdump::Error> {
        let end = [0x2C, 0, 0, 0, 0, 0, 0, 0, 0];
        let whole = [&self.out[..], &end].concat();
        Dump::from_source(Box::new(Cursor::new(whole)))
    }
    /// `Object`, `Class`, `Node` with `fields` references and `Node[]`; not yet a segment.
    pub fn library(&mut self, fields: usize) {
        let names = ["java/lang/Object", "java/lang/Class", "a/Node", "[La/Node;"];
        for (i, (name, class)) in names.iter().zip([OBJECT, CLASS, NODE, ARRAY]).enumerate() {
            self.name(i as u64 + 1, name);
            self.load_class(i as u32 + 1, class, i as u64 + 1);
        }
        for i in 0..fields as u64 {
            self.name(20 + i, &format!("f{i}"));
        }
        let fields: Vec<u64> = (0..fields as u64).map(|i| 20 + i).collect();
        self.class(OBJECT, 0, &[], &[]);
        self.class(CLASS, OBJECT, &[], &[]);
        self.class(NODE, OBJECT, &fields, &[]);
        self.class(ARRAY, OBJECT, &[], &[]);
        for class in [OBJECT, CLASS, NODE, ARRAY] {
            self.heap.push(0x05);
            self.id(class);
        }
    }
}

/// Numbers that look random.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}
