//! A dump in memory: objects and what they refer to.

use crate::classes::{Class, Type, Value};
use crate::edges::{self, Edges, reference};
use crate::error::{Error, Problem};
use crate::input::{Input, Source};
use crate::layout::Layout;
use crate::load::Loaded;
use crate::objects::{Index, Objects};
use crate::records::{self, Header, Segment, Shape};
use crate::roots::{Root, RootKind};
use crate::stacks::{Frame, Slot, Stack, Thread};
use byteorder::{BigEndian, ByteOrder, LittleEndian};
use std::path::Path;

/// An object, by its number: its place in the file.
pub type ObjectId = u32;

/// The place of a reference inside an object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Holder {
    /// An instance's field: the class that declares it, and its name.
    Field(String, String),
    /// A class's static field.
    Static(String, String),
    /// An element of an array.
    Element(u32),
    /// An object's class, a class's loader, its superclass and similar references.
    Class,
}

/// A heap dump.
pub struct Dump {
    header: Header,
    bytes: u64,
    loaded: Loaded,
    edges: Edges,
    segments: Vec<Segment>,
    roots: Vec<Root>,
    slots: Vec<Slot>,
    threads: Vec<Thread>,
    layout: Layout,
    /// Index of `java.lang.Class`.
    class_class: u32,
    dangling: u64,
    input: Input,
}

impl Dump {
    /// Reads a file.
    pub fn open(path: &Path) -> Result<Dump, Error> {
        Dump::read(Input::file(path)?)
    }
    /// Reads a dump from anything that can be read from front to back twice.
    pub fn from_source(source: Box<dyn Source>) -> Result<Dump, Error> {
        Dump::read(Input::new(source)?)
    }
    fn read(mut input: Input) -> Result<Dump, Error> {
        let end = input.len();
        let at_end = |problem| Error::Malformed { at: end, problem };
        let header = records::header(&mut input)?;
        let mut loaded = Loaded::new(header.id);
        let segments = records::walk(&mut input, header.id, &mut loaded)?;
        if segments.is_empty() {
            return Err(at_end(Problem::NoHeap));
        }
        loaded.finish()?;
        let class_class = loaded.classes.iter();
        let class_class = class_class
            .clone()
            .position(|c| c.name == "java.lang.Class");
        // a dump without it has classes all the same
        let class_class = class_class.unwrap_or(0) as u32;
        let index = Index::new(&loaded.objects);
        let index = index.map_err(|id| at_end(Problem::Twice(id)))?;
        let mut rooted = vec![false; loaded.classes.len()];
        for r in &loaded.roots {
            if let (RootKind::Class, Some(&c)) = (r.kind, loaded.class_index.get(&r.object)) {
                rooted[c as usize] = true;
            }
        }
        let (edges, dangling) = edges::read(&mut input, &segments, &loaded, &index, &rooted)?;
        let layout = measure(&mut loaded, &index, class_class, header.id);
        let raw = std::mem::take(&mut loaded.roots);
        let mut roots: Vec<Root> = raw
            .iter()
            .filter_map(|r| {
                Some(Root {
                    object: index.find(&loaded.objects, r.object)?,
                    kind: r.kind,
                    thread: r.thread,
                    frame: r.frame,
                })
            })
            .collect();
        drop(raw);
        roots.sort_unstable();
        roots.dedup();
        let slots = std::mem::take(&mut loaded.slots);
        let mut dump = Dump {
            header,
            bytes: end,
            loaded,
            edges,
            segments,
            roots,
            slots,
            threads: Vec::new(),
            layout,
            class_class,
            dangling,
            input,
        };
        dump.find_threads(&index)?;
        Ok(dump)
    }
    fn find_threads(&mut self, index: &Index) -> Result<(), Error> {
        let threads = self.roots.iter().filter(|r| r.kind == RootKind::Thread);
        let threads: Vec<Root> = threads.copied().collect();
        for r in threads {
            let mut name = String::new();
            for (_, field, value) in self.fields(r.object)? {
                if let (true, Value::Object(id)) = (field == "name", value)
                    && let Some(text) = index.find(&self.loaded.objects, id)
                {
                    name = self.string_with(text, Some(index))?.unwrap_or_default();
                }
            }
            self.threads.push(Thread {
                serial: r.thread,
                object: r.object,
                trace: r.frame,
                name,
            });
        }
        self.threads.sort_by_key(|t| t.serial);
        Ok(())
    }
    /// Last digit of the format's version, `1.0.x`.
    pub fn version(&self) -> u8 {
        self.header.version
    }
    /// Bytes of a reference in the dump.
    pub fn id_width(&self) -> u32 {
        self.header.id
    }
    /// When it was written, in milliseconds since 1970.
    pub fn millis(&self) -> u64 {
        self.header.millis
    }
    /// Bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
    /// How many objects there are; their numbers are smaller.
    pub fn objects(&self) -> u32 {
        self.loaded.objects.len() as u32
    }
    /// How many references there are.
    pub fn references(&self) -> u64 {
        self.edges.targets.len() as u64
    }
    /// References that lead to no object of the dump.
    pub fn dangling(&self) -> u64 {
        self.dangling
    }
    /// How the VM laid out its objects, as far as their addresses report.
    pub fn layout(&self) -> Layout {
        self.layout
    }
    /// The classes, those of arrays of primitive types first.
    pub fn classes(&self) -> &[Class] {
        &self.loaded.classes
    }
    /// The objects that are alive for reasons outside the heap.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }
    /// The threads, by serial number.
    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }
    /// The thread of a serial number.
    pub fn thread(&self, serial: u32) -> Option<&Thread> {
        self.threads.iter().find(|t| t.serial == serial)
    }
    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots
    }
    pub(crate) fn loaded(&self) -> &Loaded {
        &self.loaded
    }
    /// Where objects have been dumped, and what reads there.
    pub(crate) fn heap(&mut self) -> (&mut Input, &[Segment], &Loaded) {
        (&mut self.input, &self.segments, &self.loaded)
    }
    /// An object's address.
    pub fn address(&self, object: ObjectId) -> u64 {
        self.loaded.objects.ids[object as usize]
    }
    /// The object at an address. All objects are looked at.
    pub fn at_address(&self, id: u64) -> Option<ObjectId> {
        let ids = &self.loaded.objects.ids;
        ids.iter().position(|&i| i == id).map(|i| i as u32)
    }
    /// Index of an object's class among [`Dump::classes`].
    pub fn class_of(&self, object: ObjectId) -> u32 {
        match self.loaded.objects.class[object as usize] {
            u32::MAX => self.class_class,
            c => c,
        }
    }
    /// Bytes an object takes in the heap.
    pub fn size(&self, object: ObjectId) -> u64 {
        u64::from(self.loaded.objects.size[object as usize]) * 8
    }
    /// What an object refers to, one after the other.
    pub fn referred(&self, object: ObjectId) -> &[ObjectId] {
        self.edges.of(object)
    }
    /// The class that an object is, if it is one.
    pub fn as_class(&self, object: ObjectId) -> Option<&Class> {
        match self.loaded.objects.class[object as usize] {
            u32::MAX => {
                let id = self.address(object);
                let c = *self.loaded.class_index.get(&id)?;
                Some(&self.loaded.classes[c as usize])
            }
            _ => None,
        }
    }
    /// The frames of a stack, the innermost first.
    pub fn stack(&self, trace: u32) -> Vec<Frame> {
        let Some(stack) = self.loaded.stacks.get(&trace) else {
            return Vec::new();
        };
        stack.frames.iter().map(|f| self.frame(*f)).collect()
    }
    /// Which thread a stack is of, by serial number; 0 for none.
    pub fn thread_of(&self, trace: u32) -> u32 {
        self.loaded
            .stacks
            .get(&trace)
            .map_or(0, |s: &Stack| s.thread)
    }
    fn frame(&self, frame: u64) -> Frame {
        let Some(raw) = self.loaded.frames.get(&frame) else {
            return Frame::default();
        };
        let text = |i: usize| self.loaded.text(raw.names[i]).unwrap_or_default();
        let class = self.loaded.loaded.get(&raw.class_serial);
        let class = class.and_then(|c| self.loaded.text(c.1));
        Frame {
            class: crate::classes::readable(&class.unwrap_or_default()),
            method: text(0),
            descriptor: text(1),
            source: text(2),
            line: raw.line,
        }
    }
    /// An instance's fields: declaring class, name, value. Nothing for arrays and classes.
    pub fn fields(&mut self, object: ObjectId) -> Result<Vec<(String, String, Value)>, Error> {
        if self.loaded.objects.class[object as usize] == u32::MAX {
            return Ok(Vec::new());
        }
        let Some((Shape::Instance { bytes, .. }, _)) = self.head(object)? else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        let mut next = Some(self.class_of(object));
        let mut left = bytes;
        while let Some(c) = next {
            let class = &self.loaded.classes[c as usize];
            for f in &class.fields {
                let width = f.ty.width(self.header.id);
                if width > left {
                    return Ok(found);
                }
                left -= width;
                let number = self.input.number(width, "an object")?;
                let value = match f.ty {
                    Type::Object => Value::Object(number),
                    _ => Value::Bits(number),
                };
                let name = self.loaded.text(f.name).unwrap_or_default();
                found.push((class.name.clone(), name, value));
            }
            next = class.super_class;
        }
        Ok(found)
    }
    /// The references in a class object's static fields, by name; those of the VM's own (`<module>`) too.
    pub fn static_references(&self, object: ObjectId) -> Vec<(String, u64)> {
        let statics = self.as_class(object).map_or(&[][..], |c| &c.statics[..]);
        let references = statics.iter().filter(|s| s.1 == Type::Object && s.2 != 0);
        let name = |n| self.loaded.text(n).unwrap_or_default();
        references.map(|s| (name(s.0), s.2)).collect()
    }
    /// How many elements an array has; nothing for other objects.
    pub fn length(&mut self, object: ObjectId) -> Result<Option<u32>, Error> {
        if self.loaded.objects.class[object as usize] == u32::MAX {
            return Ok(None);
        }
        Ok(match self.head(object)? {
            Some((Shape::Objects { len, .. } | Shape::Primitives { len, .. }, _)) => Some(len),
            _ => None,
        })
    }
    /// The elements of an array of references that refer to something, with their addresses.
    pub fn elements(&mut self, object: ObjectId) -> Result<Vec<(Holder, u64)>, Error> {
        let mut found = Vec::new();
        if self.loaded.objects.class[object as usize] != u32::MAX
            && let Some((Shape::Objects { len, .. }, _)) = self.head(object)?
        {
            for i in 0..len {
                let to = self.input.number(self.header.id, "an array")?;
                if to != 0 {
                    found.push((Holder::Element(i), to));
                }
            }
        }
        Ok(found)
    }
    /// Reads an object's head; its contents follow.
    fn head(&mut self, object: ObjectId) -> Result<Option<(Shape, u64)>, Error> {
        let at = self.loaded.objects.at[object as usize];
        self.input.seek(at)?;
        let tag = self.input.u1("an object")?;
        let (head, len) = records::head(&mut self.input, at, tag, self.header.id)?;
        Ok((tag != 0xC3).then_some((head.shape, len)))
    }
    /// The text of a `java.lang.String`; nothing for other objects. A long one is cut.
    pub fn string(&mut self, object: ObjectId) -> Result<Option<String>, Error> {
        self.string_with(object, None)
    }
    fn string_with(
        &mut self,
        object: ObjectId,
        index: Option<&Index>,
    ) -> Result<Option<String>, Error> {
        /// Bytes of a text that are shown.
        const LONGEST: u64 = 400;
        let class = self.class_of(object) as usize;
        if self.loaded.classes[class].name != "java.lang.String" {
            return Ok(None);
        }
        let (mut array, mut wide) = (None, false);
        for (_, name, value) in self.fields(object)? {
            match (name.as_str(), value) {
                ("value", Value::Object(id)) => {
                    array = match index {
                        Some(index) => index.find(&self.loaded.objects, id),
                        // one of the few it refers to
                        None => {
                            let of = self.referred(object).iter();
                            of.copied().find(|&o| self.address(o) == id)
                        }
                    };
                }
                ("coder", Value::Bits(b)) => wide = b == 1,
                _ => {}
            }
        }
        let Some(array) = array else {
            return Ok(None);
        };
        let Some((Shape::Primitives { ty, .. }, len)) = self.head(array)? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        self.input.bytes(len.min(LONGEST), &mut bytes, "an array")?;
        let pair = |b: &[u8]| match ty {
            // chars are numbers of the dump, bytes those of a little-endian machine
            Type::Char => BigEndian::read_u16(b),
            _ => LittleEndian::read_u16(b),
        };
        Ok(Some(match ty == Type::Char || wide {
            true => {
                let units: Vec<u16> = bytes.chunks_exact(2).map(pair).collect();
                String::from_utf16_lossy(&units)
            }
            false => bytes.iter().map(|&b| char::from(b)).collect(),
        }))
    }
    /// Where in `from` a reference to `to` is.
    pub fn holder(&mut self, from: ObjectId, to: ObjectId) -> Result<Holder, Error> {
        let id = self.address(to);
        if let Some(class) = self.as_class(from) {
            let statics = class.statics.iter();
            let found = statics.clone().find(|s| s.1 == Type::Object && s.2 == id);
            return Ok(match found {
                Some(s) => {
                    let name = self.loaded.text(s.0).unwrap_or_default();
                    Holder::Static(class.name.clone(), name)
                }
                None => Holder::Class,
            });
        }
        match self.head(from)? {
            Some((Shape::Objects { len, .. }, _)) => {
                let mut buffer = Vec::new();
                for i in 0..len {
                    buffer.clear();
                    let width = self.header.id;
                    self.input.bytes(width.into(), &mut buffer, "an array")?;
                    if reference(&buffer, width) == id {
                        return Ok(Holder::Element(i));
                    }
                }
                Ok(Holder::Class)
            }
            Some((Shape::Instance { .. }, _)) => {
                let fields = self.fields(from)?;
                let weak = self.loaded.classes[self.class_of(from) as usize].weak;
                let keeps = |f: &(String, String, Value)| {
                    f.2 == Value::Object(id) && !(weak && f.1 == "referent")
                };
                let found = fields.into_iter().find(keeps);
                Ok(match found {
                    Some((class, name, _)) => Holder::Field(class, name),
                    None => Holder::Class,
                })
            }
            _ => Ok(Holder::Class),
        }
    }
}

/// Bytes that VMs add to objects, and then some.
const MOST_HIDDEN: u64 = 512;

/// Of each class, whether VMs are known to add fields to its objects that a dump does not have.
fn hidden_fields(classes: &[Class]) -> Vec<bool> {
    const HIDDEN: [&str; 7] = [
        "java.lang.Class",
        "java.lang.ClassLoader",
        "java.lang.Module",
        "java.lang.Thread",
        "java.lang.invoke.MemberName",
        "java.lang.invoke.MethodHandleNatives$CallSiteContext",
        "java.lang.invoke.ResolvedMethodName",
    ];
    let hidden = |class: usize| {
        let mut class = &classes[class];
        loop {
            if HIDDEN.contains(&class.name.as_str()) {
                return true;
            }
            match class.super_class {
                Some(s) => class = &classes[s as usize],
                None => return false,
            }
        }
    };
    (0..classes.len()).map(hidden).collect()
}

/// Finds the layout in which no object reaches into the next one, and puts sizes in the place of lengths.
fn measure(loaded: &mut Loaded, index: &Index, class_class: u32, id: u32) -> Layout {
    let candidates = Layout::candidates(id);
    let mut fits = vec![true; candidates.len()];
    let (objects, classes) = (&loaded.objects, &loaded.classes);
    let element: Vec<Type> = (0..classes.len())
        .map(|c| match Type::PRIMITIVE.get(c) {
            Some(&t) => t,
            None => Type::Object,
        })
        .collect();
    let size = |layout: &Layout, i: usize| -> u64 {
        let c = match objects.class[i] {
            u32::MAX => {
                // a class: an instance of java.lang.Class, and the statics
                let of = &classes[objects.size[i] as usize];
                let statics = of.statics.iter().map(|s| s.1.width(layout.reference));
                let class = &classes[class_class as usize];
                let references = class.all_references;
                let others = class.record_bytes - references * id;
                return layout.instance(references, others + statics.sum::<u32>());
            }
            c => c as usize,
        };
        let class = &classes[c];
        match c < Type::PRIMITIVE.len() || class.name.ends_with(']') {
            true => layout.array(element[c], objects.size[i]),
            false => {
                let others = class.record_bytes - class.all_references * id;
                layout.instance(class.all_references, others)
            }
        }
    };
    for place in 1..objects.len() {
        let (i, next) = (index.number(place - 1), index.number(place));
        let room = objects.ids[next] - objects.ids[i];
        if room < 1 << 10 && objects.class[i] != u32::MAX {
            for (layout, fits) in candidates.iter().zip(&mut fits) {
                *fits &= size(layout, i) <= room;
            }
        }
    }
    let layout = fits.iter().position(|f| *f);
    let layout = candidates[layout.unwrap_or(candidates.len() - 1)];
    // fields that only the VM knows: as many bytes as lie between all instances of the class and what follows them
    let mut extra: Vec<u64> = hidden_fields(classes)
        .into_iter()
        .map(|hidden| if hidden { MOST_HIDDEN } else { 0 })
        .collect();
    let class = |i: usize| match objects.class[i] {
        u32::MAX => class_class as usize,
        c => c as usize,
    };
    for place in 1..objects.len() {
        let (i, next) = (index.number(place - 1), index.number(place));
        let extra = &mut extra[class(i)];
        if *extra > 0 {
            let room = objects.ids[next] - objects.ids[i];
            *extra = (*extra).min(room.saturating_sub(size(&layout, i)));
        }
    }
    let sizes: Vec<u32> = (0..objects.len())
        .map(|i| {
            let hidden = match extra[class(i)] {
                MOST_HIDDEN => 0,
                e => e,
            };
            u32::try_from((size(&layout, i) + hidden) / 8).unwrap_or(u32::MAX)
        })
        .collect();
    loaded.objects.size = sizes;
    layout
}

impl Objects {
    /// Bytes of all objects.
    pub(crate) fn all_bytes(&self) -> u64 {
        self.size.iter().map(|&s| u64::from(s) * 8).sum()
    }
}

impl Dump {
    /// Bytes of all objects.
    pub fn heap_bytes(&self) -> u64 {
        self.loaded.objects.all_bytes()
    }
}
