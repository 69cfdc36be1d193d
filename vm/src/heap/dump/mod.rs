//! Heap dumps in hprof's binary format, `JAVA PROFILE 1.0.2`: every object, the classes with their
//! statics, the threads with their stacks, and the roots.

mod full;
mod out;
mod stacks;

use super::Heap;
use super::units::UnitId;
use crate::classes::{ClassKind, acc};
use crate::events::{Event, EventSet};
use crate::host::Errno;
use crate::ids::{ClassId, Ref, Sym};
use crate::vm::Vm;
use flate2::Compression;
use flate2::write::GzEncoder;
use out::{Out, PutBytes};
use stacks::WrittenRecords;
use std::collections::BTreeSet;

/// Tags of the records.
mod tag {
    pub const UTF8: u8 = 0x01;
    pub const LOAD_CLASS: u8 = 0x02;
    pub const FRAME: u8 = 0x04;
    pub const CPU_SAMPLES: u8 = 0x0D;
    pub const TRACE: u8 = 0x05;
    pub const ALLOC_SITES: u8 = 0x06;
    /// Records that rjvm adds; their bodies are described where they are read, in `crates/heapdump/src/records.rs`.
    pub const FRAME_SLOTS: u8 = 0x65;
    pub const LIFETIMES: u8 = 0x66;
    pub const SEGMENT: u8 = 0x1C;
    pub const END: u8 = 0x2C;
}

/// Tags inside a heap dump segment.
mod sub {
    pub const ROOT_UNKNOWN: u8 = 0xFF;
    pub const ROOT_FRAME: u8 = 0x03;
    pub const ROOT_CLASS: u8 = 0x05;
    pub const ROOT_MONITOR: u8 = 0x07;
    pub const ROOT_THREAD: u8 = 0x08;
    pub const CLASS: u8 = 0x20;
    pub const INSTANCE: u8 = 0x21;
    pub const OBJECTS: u8 = 0x22;
    pub const PRIMITIVES: u8 = 0x23;
}

/// Bytes of a segment at which it is written out.
const SEGMENT: usize = 1 << 20;
/// Identifiers of names of mirrors' own fields, which classes have as statics: `<module>`.
const MIRROR: u64 = 5 << 60;
/// The trace without frames.
const NO_TRACE: u32 = 1;

/// The parts that are written besides classes, stacks and, if they are stored, allocation sites.
#[derive(Clone, Debug)]
pub struct DumpContents {
    /// The objects.
    pub heap: bool,
    /// How often each trace of the allocation sites' ([`super::sites::Sites::traces`]) was sampled.
    pub samples: Option<Vec<(u64, u32)>>,
    /// Compressed with gzip, by a level from 1 to 9.
    pub gzip: Option<u32>,
}

impl Default for DumpContents {
    fn default() -> DumpContents {
        DumpContents {
            heap: true,
            samples: None,
            gzip: None,
        }
    }
}

/// What a dump has come to.
pub struct Dumped {
    /// Bytes of the file.
    pub bytes: u64,
}

/// Elements of `width` bytes that are dumped of an array: a segment says its length with 32 bits, and
/// whatever is larger is cut, as HotSpot does.
fn dumped_len(len: usize, width: u32) -> usize {
    /// Tag, object, trace, length and class or type.
    const HEADER: usize = 1 + 8 + 4 + 4 + 8;
    len.min((u32::MAX as usize - HEADER) / width as usize)
}

/// The format's number of a type.
fn type_code(ty: u8) -> u8 {
    match ty {
        b'Z' => 4,
        b'C' => 5,
        b'F' => 6,
        b'D' => 7,
        b'B' => 8,
        b'S' => 9,
        b'I' => 10,
        b'J' => 11,
        _ => 2,
    }
}

/// A field's value.
fn value(out: &mut Vec<u8>, heap: &Heap, r: Ref, ty: u8, offset: u32) {
    match ty {
        b'Z' | b'B' => out.u1(heap.get::<u8>(r, offset)),
        b'C' | b'S' => out.u2(heap.get::<u16>(r, offset)),
        b'I' | b'F' => out.u4(heap.get::<u32>(r, offset)),
        b'J' | b'D' => out.u8(heap.get::<u64>(r, offset)),
        _ => out.object(heap.get_ref(r, offset)),
    }
}

/// What Java code sees of a class's fields.
#[derive(Clone, Default)]
struct FieldLayout {
    /// Own instance fields: name, type, offset.
    own: Vec<(Sym, u8, u32)>,
    statics: Vec<(Sym, u8, u32)>,
    super_class: Option<ClassId>,
    instance_bytes: u32,
}

fn width(ty: u8) -> u32 {
    match ty {
        b'Z' | b'B' => 1,
        b'C' | b'S' => 2,
        b'I' | b'F' => 4,
        _ => 8,
    }
}

/// Writes the rest, and closes the file.
fn finish(mut out: Out) -> Result<Dumped, Errno> {
    out.finish();
    let _ = out.host.descriptors().close(out.fd);
    match out.failed {
        None => Ok(Dumped { bytes: out.bytes }),
        Some(e) => Err(e),
    }
}

impl Vm {
    /// Writes a heap dump into a new file.
    pub fn dump_heap(&mut self, path: &[u8]) -> Result<Dumped, Errno> {
        self.dump_heap_as(path, None)
    }
    /// The same, compressed with gzip by a level from 1 to 9 if there is one.
    pub fn dump_heap_as(&mut self, path: &[u8], gzip: Option<u32>) -> Result<Dumped, Errno> {
        let contents = DumpContents {
            gzip,
            ..DumpContents::default()
        };
        self.write_hprof(path, &contents)
    }
    /// Writes the heap dumps that observers have requested. At a place where the heap may be collected.
    pub(crate) fn dump_requested(&mut self) {
        for path in std::mem::take(&mut self.events.dumps) {
            let result = self.dump_heap(&path).map(|d| d.bytes);
            if self.wants(EventSet::HEAP_DUMP) {
                self.emit(Event::HeapDumped(&path, result.map_err(|e| e.0)));
            }
        }
    }
    /// Writes a new file in HPROF's binary format.
    pub fn write_hprof(&mut self, path: &[u8], contents: &DumpContents) -> Result<Dumped, Errno> {
        let stacks = self.stacks_to_dump();
        let mut roots = Vec::new();
        self.each_own_root(&mut |r| roots.push(r));
        let monitors: Vec<u32> = self.monitors.used().collect();
        let (seconds, nanos) = self.wall_clock();
        let millis = seconds * 1000 + i64::from(nanos) / 1_000_000;
        let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL;
        let fd = self
            .host()
            .files()
            .open(libc::AT_FDCWD, path, flags, 0o600)?;
        let sites = self.memory.sites.clone();
        let mut sites = sites.as_ref().map(|s| s.lock());
        let shapes: Vec<FieldLayout> = self.loaded.classes.iter().map(|&c| self.shape(c)).collect();
        let mut out = Out {
            host: &mut *self.host,
            fd,
            buffer: b"JAVA PROFILE 1.0.2\0".to_vec(),
            heap: Vec::new(),
            bytes: 0,
            failed: None,
            packer: contents
                .gzip
                .map(|level| GzEncoder::new(Vec::new(), Compression::new(level))),
        };
        out.buffer.u4(8);
        out.buffer.u8(millis as u64);
        let mut named = BTreeSet::new();
        let parts = Parts {
            heap: &self.heap,
            syms: &self.syms,
            classes: &self.loaded.classes,
            shapes: &shapes,
        };
        let mut written = WrittenRecords::default();
        parts.classes_and_names(&mut out, &mut named, &mut written);
        written.stacks(&mut out, &stacks);
        if let Some(sites) = &mut sites {
            written.sites(&mut out, sites);
        }
        if let Some(samples) = &contents.samples {
            let short = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
            let mut body = Vec::new();
            body.u4(short(samples.iter().map(|s| s.0).sum()));
            body.u4(samples.len() as u32);
            for &(count, trace) in samples {
                body.u4(short(count));
                body.u4(trace);
            }
            out.record(tag::CPU_SAMPLES, &body);
        }
        if !contents.heap {
            drop(sites);
            return finish(out);
        }
        for s in &stacks {
            let object = self.threads[s.thread.0 as usize].object;
            out.heap.u1(sub::ROOT_THREAD);
            out.heap.object(object);
            out.heap.u4(s.serial());
            out.heap.u4(s.trace());
            for held in &s.held {
                out.heap.u1(sub::ROOT_FRAME);
                out.heap.object(held.object);
                out.heap.u4(s.serial());
                out.heap.u4(held.frame);
            }
            out.segment(false);
        }
        for i in monitors {
            out.heap.u1(sub::ROOT_MONITOR);
            out.heap.object(self.monitors.get(i).object);
        }
        for r in roots.into_iter().filter(|r| !r.is_null()) {
            out.heap.u1(sub::ROOT_UNKNOWN);
            out.heap.object(r);
            out.segment(false);
        }
        parts.class_dumps(&mut out);
        let base = self.heap.region.base();
        self.heap.gc.each_object(base, |r| {
            if self.heap.size_of(r) >= SEGMENT {
                out.segment(true);
            }
            let trace = sites.as_ref().and_then(|s| s.trace_of(r));
            parts.object(&mut out.heap, r, trace.unwrap_or(NO_TRACE));
            out.segment(false);
        });
        out.segment(true);
        out.record(tag::END, &[]);
        drop(sites);
        finish(out)
    }
    fn shape(&self, c: ClassId) -> FieldLayout {
        let k = self.class(c);
        let mut shape = FieldLayout {
            super_class: k.super_class,
            ..FieldLayout::default()
        };
        for f in k.fields.iter().filter(|f| f.index != u16::MAX) {
            let row = (f.name, f.ty, f.offset);
            match f.access & acc::STATIC != 0 {
                true => shape.statics.push(row),
                false => shape.own.push(row),
            }
        }
        let mut next = Some(c);
        while let Some(c) = next {
            let k = self.class(c);
            let own = k
                .fields
                .iter()
                .filter(|f| f.index != u16::MAX && f.access & acc::STATIC == 0);
            shape.instance_bytes += own.map(|f| width(f.ty)).sum::<u32>();
            next = k.super_class;
        }
        shape
    }
}

/// The parts of a VM a dump reads while its host writes.
struct Parts<'a> {
    heap: &'a Heap,
    syms: &'a crate::symbols::Symbols,
    classes: &'a [ClassId],
    shapes: &'a [FieldLayout],
}

impl Parts<'_> {
    fn mirror(&self, c: ClassId) -> Ref {
        // SAFETY: the hot block of a class that is in the list.
        unsafe { (*self.heap.hot(c)).mirror }
    }
    fn name(&self, out: &mut Out, named: &mut BTreeSet<Sym>, s: Sym) {
        if named.insert(s) {
            let mut body = Vec::new();
            body.string(s);
            body.extend(self.syms.str(s).as_bytes());
            out.record(tag::UTF8, &body);
        }
    }
    fn classes_and_names(
        &self,
        out: &mut Out,
        named: &mut BTreeSet<Sym>,
        written: &mut WrittenRecords,
    ) {
        if let Some(&c) = self.classes.first() {
            let mirrors = self.index(self.heap.class_of(self.mirror(c)));
            for f in &self.shapes[mirrors].own {
                let mut body = Vec::new();
                body.u8(MIRROR | u64::from(f.0.0));
                body.extend(format!("<{}>", self.syms.str(f.0)).as_bytes());
                out.record(tag::UTF8, &body);
            }
        }
        for (i, (&c, shape)) in self.classes.iter().zip(self.shapes).enumerate() {
            let k = self.heap.class(c);
            for f in shape.own.iter().chain(&shape.statics) {
                self.name(out, named, f.0);
            }
            if matches!(k.kind, ClassKind::Primitive(_)) {
                continue;
            }
            self.name(out, named, k.name_sym);
            let mut body = Vec::new();
            written.last_class = i as u32 + 1;
            let of_name = written.classes.entry(k.name.to_string());
            of_name.or_insert(i as u32 + 1);
            body.u4(i as u32 + 1);
            body.object(self.mirror(c));
            body.u4(NO_TRACE);
            body.string(k.name_sym);
            out.record(tag::LOAD_CLASS, &body);
        }
    }
    fn class_dumps(&self, out: &mut Out) {
        for (&c, shape) in self.classes.iter().zip(self.shapes) {
            let k = self.heap.class(c);
            let mirror = self.mirror(c);
            if matches!(k.kind, ClassKind::Primitive(_)) {
                // no class in the format's sense: int.class is an object like any other
                self.object(&mut out.heap, mirror, NO_TRACE);
                continue;
            }
            let own = self.own_references(mirror);
            let b = &mut out.heap;
            if self.heap.unit_of(c) == UnitId::PERMANENT {
                b.u1(sub::ROOT_CLASS);
                b.object(mirror);
            }
            b.u1(sub::CLASS);
            b.object(mirror);
            b.u4(NO_TRACE);
            b.object(shape.super_class.map_or(Ref::NULL, |s| self.mirror(s)));
            // loader, signers, protection domain and two that are reserved
            b.object(self.field(mirror, "classLoader"));
            (0..4).for_each(|_| b.u8(0));
            b.u4(shape.instance_bytes);
            b.u2(0);
            // what an instance record would have of the mirror: as HotSpot names what is no field
            b.u2((shape.statics.len() + own.len()) as u16);
            for (name, r) in own {
                b.u8(MIRROR | u64::from(name.0));
                b.u1(type_code(b'L'));
                b.object(r);
            }
            for &(name, ty, offset) in &shape.statics {
                b.string(name);
                b.u1(type_code(ty));
                value(b, self.heap, mirror, ty, offset);
            }
            b.u2(shape.own.len() as u16);
            for &(name, ty, _) in &shape.own {
                b.string(name);
                b.u1(type_code(ty));
            }
            out.segment(false);
        }
    }
    /// What a mirror's own fields refer to, by the fields' names.
    fn own_references(&self, mirror: Ref) -> Vec<(Sym, Ref)> {
        let shape = &self.shapes[self.index(self.heap.class_of(mirror))];
        let fields = shape.own.iter().filter(|f| type_code(f.1) == 2);
        let values = fields.map(|f| (f.0, self.heap.get_ref(mirror, f.2)));
        values.filter(|v| !v.1.is_null()).collect()
    }
    /// A reference field of an object, by its name alone.
    fn field(&self, r: Ref, name: &str) -> Ref {
        let Some(sym) = self.syms.find(name) else {
            return Ref::NULL;
        };
        let shape = &self.shapes[self.index(self.heap.class_of(r))];
        let found = shape.own.iter().find(|f| f.0 == sym);
        found.map_or(Ref::NULL, |f| self.heap.get_ref(r, f.2))
    }
    fn index(&self, c: ClassId) -> usize {
        // classes are in the list in the order of their numbers
        self.classes.binary_search(&c).unwrap_or_else(|_| {
            self.classes
                .iter()
                .position(|&k| k == c)
                .expect("a class of the VM")
        })
    }
    fn object(&self, b: &mut Vec<u8>, r: Ref, trace: u32) {
        let c = self.heap.class_of(r);
        let k = self.heap.class(c);
        let ClassKind::Array(elem) = k.kind else {
            b.u1(sub::INSTANCE);
            b.object(r);
            b.u4(trace);
            b.object(self.mirror(c));
            b.u4(self.shapes[self.index(c)].instance_bytes);
            let mut next = Some(c);
            while let Some(c) = next {
                let shape = &self.shapes[self.index(c)];
                for &(_, ty, offset) in &shape.own {
                    value(b, self.heap, r, ty, offset);
                }
                next = shape.super_class;
            }
            return;
        };
        let primitive = match self.heap.class(elem).kind {
            ClassKind::Primitive(ty) => Some(ty),
            _ => None,
        };
        let len = dumped_len(self.heap.len(r), primitive.map_or(8, width));
        b.u1(if primitive.is_some() {
            sub::PRIMITIVES
        } else {
            sub::OBJECTS
        });
        b.object(r);
        b.u4(trace);
        b.u4(len as u32);
        match primitive {
            None => {
                b.object(self.mirror(c));
                (0..len).for_each(|i| b.object(self.heap.elem_ref(r, i)));
            }
            Some(ty) => {
                b.u1(type_code(ty));
                match width(ty) {
                    1 => b.extend(&self.heap.bytes(r)[..len]),
                    2 => (0..len).for_each(|i| b.u2(self.heap.elem::<u16>(r, i))),
                    4 => (0..len).for_each(|i| b.u4(self.heap.elem::<u32>(r, i))),
                    _ => (0..len).for_each(|i| b.u8(self.heap.elem::<u64>(r, i))),
                }
            }
        }
    }
}
