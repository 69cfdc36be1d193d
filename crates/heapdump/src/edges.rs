//! The second pass: which object refers to which.

use crate::error::{Error, Problem};
use crate::input::Input;
use crate::load::Loaded;
use crate::objects::Index;
use crate::records::{ClassRecord, Head, Segment, Shape, Sink, segment};

/// References in compressed rows: those of object `i` are `targets[starts[i]..starts[i + 1]]`.
#[derive(Default)]
pub struct Edges {
    pub starts: Vec<u32>,
    pub targets: Vec<u32>,
}

impl Edges {
    #[inline]
    pub fn of(&self, i: u32) -> &[u32] {
        let i = i as usize;
        &self.targets[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}

struct Reading<'a> {
    loaded: &'a Loaded,
    index: &'a Index,
    /// Of each class: whether it is a root by itself.
    rooted: &'a [bool],
    edges: Edges,
    /// References to addresses where no object is.
    dangling: u64,
    fields: Vec<u8>,
}

/// Reads the references of all objects. How many lead nowhere.
pub fn read(
    input: &mut Input,
    segments: &[Segment],
    loaded: &Loaded,
    index: &Index,
    rooted: &[bool],
) -> Result<(Edges, u64), Error> {
    let mut reading = Reading {
        loaded,
        index,
        rooted,
        edges: Edges::default(),
        dangling: 0,
        fields: Vec::new(),
    };
    reading.edges.starts.reserve_exact(loaded.objects.len() + 1);
    for &s in segments {
        segment(input, s, loaded.id, &mut reading)?;
    }
    let mut edges = reading.edges;
    edges.starts.push(edges.targets.len() as u32);
    edges.targets.shrink_to_fit();
    Ok((edges, reading.dangling))
}

impl Reading<'_> {
    fn begin(&mut self) -> Result<(), Problem> {
        match u32::try_from(self.edges.targets.len()) {
            Ok(n) => {
                self.edges.starts.push(n);
                Ok(())
            }
            Err(_) => Err(Problem::TooMany("4 billion references")),
        }
    }
    #[inline]
    fn refer(&mut self, to: u64) {
        if to == 0 {
            return;
        }
        match self.index.find(&self.loaded.objects, to) {
            Some(i) => self.edges.targets.push(i),
            None => self.dangling += 1,
        }
    }
    /// An object keeps its class. Roots stay alive without a reference.
    fn refer_to_class(&mut self, id: u64) {
        let class = self.loaded.class_index.get(&id);
        if class.is_some_and(|&c| !self.rooted[c as usize]) {
            self.refer(id);
        }
    }
}

impl Sink for Reading<'_> {
    fn class(&mut self, record: ClassRecord) -> Result<(), Problem> {
        self.begin()?;
        let i = self.loaded.class_index[&record.id] as usize;
        let loaded = self.loaded;
        for &(_, ty, value) in &loaded.classes[i].statics {
            if ty == crate::classes::Type::Object {
                self.refer(value);
            }
        }
        for &r in &loaded.class_references[i] {
            self.refer(r);
        }
        Ok(())
    }
    fn object(&mut self, head: Head, input: &mut Input, id: u32) -> Result<(), Error> {
        let wrong = |problem| Error::Malformed {
            at: head.at,
            problem,
        };
        self.begin().map_err(wrong)?;
        match head.shape {
            Shape::Instance { class, bytes } => {
                let loaded = self.loaded;
                let c = &loaded.classes[loaded.class_index[&class] as usize];
                if !c.defined {
                    let object = head.id;
                    return Err(wrong(Problem::NoClass { object, class }));
                }
                if c.record_bytes > bytes {
                    return Err(wrong(Problem::ShortObject(head.id)));
                }
                let mut fields = std::mem::take(&mut self.fields);
                fields.clear();
                input.bytes(c.record_bytes.into(), &mut fields, "an object")?;
                let weak = c.weak;
                let (mut next, mut from) = (Some(c), 0);
                while let Some(c) = next {
                    for &at in &c.references {
                        if weak && c.referent == Some(at) {
                            continue;
                        }
                        self.refer(reference(&fields[from + at as usize..], id));
                    }
                    from += c.own_bytes as usize;
                    next = c.super_class.map(|s| &loaded.classes[s as usize]);
                }
                self.fields = fields;
                self.refer_to_class(class);
            }
            Shape::Objects { class, len } => {
                for _ in 0..len {
                    let to = input.number(id, "an array")?;
                    self.refer(to);
                }
                self.refer_to_class(class);
            }
            Shape::Primitives { .. } => {}
        }
        Ok(())
    }
}

/// A reference at the beginning of `bytes`.
#[inline]
pub fn reference(bytes: &[u8], id: u32) -> u64 {
    use byteorder::{BigEndian, ByteOrder};
    match id {
        4 => BigEndian::read_u32(bytes).into(),
        _ => BigEndian::read_u64(bytes),
    }
}
