//! Heap dumps in hprof's binary format, `JAVA PROFILE 1.0.2`: every object, the classes with their
//! statics, the threads with their stacks, and the roots.

use super::Heap;
use crate::classes::{ClassKind, acc};
use crate::host::{Errno, Host};
use crate::ids::{ClassId, MethodId, Ref, Sym, ThreadId};
use crate::vm::Vm;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Tags of the records.
mod tag {
    pub const UTF8: u8 = 0x01;
    pub const LOAD_CLASS: u8 = 0x02;
    pub const FRAME: u8 = 0x04;
    pub const TRACE: u8 = 0x05;
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
/// The trace without frames.
const NO_TRACE: u32 = 1;

/// What a dump has come to.
pub struct Dumped {
    /// Bytes of the file.
    pub bytes: u64,
}

/// A file being written; after an error nothing more is.
struct Out<'a> {
    host: &'a mut dyn Host,
    fd: i32,
    buffer: Vec<u8>,
    /// Sub-records not yet in a segment.
    heap: Vec<u8>,
    bytes: u64,
    failed: Option<Errno>,
}

impl Out<'_> {
    fn flush(&mut self) {
        let buffer = std::mem::take(&mut self.buffer);
        self.write(&buffer);
        self.buffer = buffer;
        self.buffer.clear();
    }
    fn write(&mut self, mut rest: &[u8]) {
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
    fn record(&mut self, tag: u8, body: &[u8]) {
        self.buffer.push(tag);
        self.buffer.extend([0; 4]);
        let len = u32::try_from(body.len()).expect("records are shorter than 4 GB");
        self.buffer.extend(len.to_be_bytes());
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
    fn segment(&mut self, now: bool) {
        if self.heap.len() >= SEGMENT || now && !self.heap.is_empty() {
            let heap = std::mem::take(&mut self.heap);
            self.record(tag::SEGMENT, &heap);
            self.heap = heap;
            self.heap.clear();
        }
    }
}

/// Bytes in the format's order.
trait Put {
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

impl Put for Vec<u8> {
    fn u1(&mut self, v: u8) {
        self.push(v);
    }
    fn u2(&mut self, v: u16) {
        self.extend(v.to_be_bytes());
    }
    fn u4(&mut self, v: u32) {
        self.extend(v.to_be_bytes());
    }
    fn u8(&mut self, v: u64) {
        self.extend(v.to_be_bytes());
    }
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
struct Shape {
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

/// A thread's stack, for its trace record.
struct Stack {
    thread: ThreadId,
    frames: Vec<(MethodId, i32)>,
}

impl Vm {
    /// Writes a heap dump into a new file.
    pub fn dump_heap(&mut self, path: &[u8]) -> Result<Dumped, Errno> {
        let stacks = self.stacks();
        let mut roots = Vec::new();
        self.each_root(&mut |r| roots.push(*r));
        let mut locals = Vec::new();
        for s in &stacks {
            crate::interp::each_frame_root(self, s.thread, &mut |r| {
                locals.push((s.thread, *r));
            });
        }
        let monitors: Vec<u32> = self.monitors.used().collect();
        let (seconds, nanos) = self.wall_clock();
        let millis = seconds * 1000 + i64::from(nanos) / 1_000_000;
        let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL;
        let fd = self
            .host()
            .files()
            .open(libc::AT_FDCWD, path, flags, 0o600)?;
        let shapes: Vec<Shape> = self.classes.iter().map(|&c| self.shape(c)).collect();
        let mut out = Out {
            host: &mut *self.host,
            fd,
            buffer: b"JAVA PROFILE 1.0.2\0".to_vec(),
            heap: Vec::new(),
            bytes: 0,
            failed: None,
        };
        out.buffer.u4(8);
        out.buffer.u8(millis as u64);
        let mut named = BTreeSet::new();
        let parts = Parts {
            heap: &self.heap,
            syms: &self.syms,
            methods: &self.methods,
            classes: &self.classes,
            shapes: &shapes,
        };
        parts.classes_and_names(&mut out, &mut named);
        parts.traces(&mut out, &mut named, &stacks);
        for s in &stacks {
            let object = self.threads[s.thread.0 as usize].object;
            out.heap.u1(sub::ROOT_THREAD);
            out.heap.object(object);
            out.heap.u4(s.thread.0 + 1);
            out.heap.u4(s.thread.0 + 2);
        }
        for (thread, r) in locals.into_iter().filter(|l| !l.1.is_null()) {
            out.heap.u1(sub::ROOT_FRAME);
            out.heap.object(r);
            out.heap.u4(thread.0 + 1);
            out.heap.u4(u32::MAX);
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
            parts.object(&mut out.heap, r);
            out.segment(false);
        });
        out.segment(true);
        out.record(tag::END, &[]);
        out.flush();
        let (bytes, failed) = (out.bytes, out.failed);
        let _ = self.host().descriptors().close(fd);
        match failed {
            None => Ok(Dumped { bytes }),
            Some(e) => Err(e),
        }
    }
    /// `-XX:+HeapDumpOnOutOfMemoryError`: dumps the heap when it is found full for the first time.
    pub fn dump_full_heap(&mut self, message: &str) {
        let of_heap = matches!(
            message,
            "Java heap space"
                | "GC overhead limit exceeded"
                | "Requested array size exceeds VM limit"
        );
        if !of_heap
            || !self.options.heap_dump_on_oom
            || std::mem::replace(&mut self.heap_dumped, true)
        {
            return;
        }
        let pid = self.host().processes().own_id();
        let name = format!("java_pid{pid}.hprof");
        let path = match self.options.heap_dump_path.clone() {
            None => name,
            Some(p) => {
                let stat = self.host().files().stat(libc::AT_FDCWD, p.as_bytes(), true);
                match stat.is_ok_and(|s| s.is_dir()) {
                    true => format!("{}/{name}", p.trim_end_matches('/')),
                    false => p,
                }
            }
        };
        self.print_out(&format!(
            "java.lang.OutOfMemoryError: {message}\nDumping heap to {path} ...\n"
        ));
        let start = self.clock_ns();
        let line = match self.dump_heap(path.as_bytes()) {
            Ok(d) => {
                let seconds = (self.clock_ns() - start) as f64 / 1e9;
                format!(
                    "Heap dump file created [{} bytes in {seconds:.3} secs]\n",
                    d.bytes
                )
            }
            Err(e) => format!(
                "Unable to create {path}: {}\n",
                std::io::Error::from_raw_os_error(e.0)
                    .to_string()
                    .split(" (os error")
                    .next()
                    .unwrap_or_default()
            ),
        };
        self.print_out(&line);
    }
    /// A line of the VM's own on standard output.
    fn print_out(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.host().descriptors().write(1, rest) {
                Ok(n) if n > 0 => rest = &rest[n.min(rest.len())..],
                // nobody to tell
                _ => return,
            }
        }
    }
    fn stacks(&mut self) -> Vec<Stack> {
        let live: Vec<ThreadId> = self.sched.live.values().copied().collect();
        let mut stacks = Vec::new();
        for thread in live {
            if self.threads[thread.0 as usize].object.is_null() {
                continue;
            }
            let mut frames = Vec::new();
            self.walk_stack(thread, |_, m, bci| {
                frames.push((m, bci));
                ControlFlow::Continue(())
            });
            for f in &frames {
                let code = self.method(f.0).code.clone();
                if let Some(cf) = code.map(|c| c.cf)
                    && let Some(i) = cf.attributes.source_file
                    && let Ok(name) = cf.constant_pool.str(i)
                {
                    self.syms.intern(name);
                }
            }
            stacks.push(Stack { thread, frames });
        }
        stacks
    }
    fn shape(&self, c: ClassId) -> Shape {
        let k = self.class(c);
        let mut shape = Shape {
            super_class: k.super_class,
            ..Shape::default()
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
    methods: &'a crate::classes::methods::Methods,
    classes: &'a [ClassId],
    shapes: &'a [Shape],
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
    fn classes_and_names(&self, out: &mut Out, named: &mut BTreeSet<Sym>) {
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
            body.u4(i as u32 + 1);
            body.object(self.mirror(c));
            body.u4(NO_TRACE);
            body.string(k.name_sym);
            out.record(tag::LOAD_CLASS, &body);
        }
    }
    fn traces(&self, out: &mut Out, named: &mut BTreeSet<Sym>, stacks: &[Stack]) {
        let mut body = Vec::new();
        body.u4(NO_TRACE);
        body.u4(0);
        body.u4(0);
        out.record(tag::TRACE, &body);
        let mut number = 0u64;
        for s in stacks {
            let first = number;
            for &(m, bci) in &s.frames {
                let m = &self.methods[m.0 as usize];
                let (source, line) = self.place(m, bci);
                let mut frame = Vec::new();
                number += 1;
                frame.u8(number);
                for s in [m.name, m.desc] {
                    self.name(out, named, s);
                    frame.string(s);
                }
                match source {
                    Some(s) => {
                        self.name(out, named, s);
                        frame.string(s);
                    }
                    None => frame.u8(0),
                }
                let serial = self.classes.iter().position(|&c| c == m.class);
                frame.u4(serial.map_or(0, |i| i as u32 + 1));
                frame.u4(line as u32);
                out.record(tag::FRAME, &frame);
            }
            let mut body = Vec::new();
            body.u4(s.thread.0 + 2);
            body.u4(s.thread.0 + 1);
            body.u4(s.frames.len() as u32);
            (first + 1..=number).for_each(|n| body.u8(n));
            out.record(tag::TRACE, &body);
        }
    }
    /// Source file and line; -3 for a native, -1 where the line is not known.
    fn place(&self, m: &crate::classes::Method, bci: i32) -> (Option<Sym>, i32) {
        if m.is_native() {
            return (None, -3);
        }
        let Some(code) = &m.code else {
            return (None, -1);
        };
        let file = code.cf.attributes.source_file;
        let file = file.and_then(|i| code.cf.constant_pool.str(i).ok());
        let line = u16::try_from(bci).ok();
        let line = line.and_then(|pc| code.attr().line_of(pc));
        let file = file.and_then(|f| self.syms.find(f));
        (file, line.map_or(-1, i32::from))
    }
    fn class_dumps(&self, out: &mut Out) {
        for (&c, shape) in self.classes.iter().zip(self.shapes) {
            let k = self.heap.class(c);
            let mirror = self.mirror(c);
            if matches!(k.kind, ClassKind::Primitive(_)) {
                // no class in the format's sense: int.class is an object like any other
                self.object(&mut out.heap, mirror);
                continue;
            }
            let b = &mut out.heap;
            b.u1(sub::ROOT_CLASS);
            b.object(mirror);
            b.u1(sub::CLASS);
            b.object(mirror);
            b.u4(NO_TRACE);
            b.object(shape.super_class.map_or(Ref::NULL, |s| self.mirror(s)));
            // loader, signers, protection domain and two that are reserved
            b.object(self.field(mirror, "classLoader"));
            (0..4).for_each(|_| b.u8(0));
            b.u4(shape.instance_bytes);
            b.u2(0);
            b.u2(shape.statics.len() as u16);
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
        // classes stand in the list in the order of their numbers
        self.classes.binary_search(&c).unwrap_or_else(|_| {
            self.classes
                .iter()
                .position(|&k| k == c)
                .expect("a class of the VM")
        })
    }
    fn object(&self, b: &mut Vec<u8>, r: Ref) {
        let c = self.heap.class_of(r);
        let k = self.heap.class(c);
        let ClassKind::Array(elem) = k.kind else {
            b.u1(sub::INSTANCE);
            b.object(r);
            b.u4(NO_TRACE);
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
        b.u4(NO_TRACE);
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
