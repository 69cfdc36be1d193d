//! The first pass: names, classes, stacks, roots, and which objects there are.

use crate::classes::{Class, Type, readable};
use crate::error::{Error, Problem};
use crate::input::Input;
use crate::objects::Objects;
use crate::records::{AllocSite, ClassRecord, Head, Shape, Sink};
use crate::roots::RootKind;
use crate::stacks::{Slot, Stack};
use hashbrown::HashMap;

/// Super classes that a class may have; a circle has more.
const DEEPEST: usize = 1000;

/// A root as the file has it.
pub struct RawRoot {
    pub kind: RootKind,
    pub object: u64,
    pub thread: u32,
    pub frame: u32,
}

/// A frame as the file has it: names of method, descriptor and source, serial number of the class, line.
pub struct RawFrame {
    pub names: [u64; 3],
    pub class_serial: u32,
    pub line: i32,
}

/// What the first pass gathers.
#[derive(Default)]
pub struct Loaded {
    /// Texts, one after the other, and where each name is among them.
    texts: Vec<u8>,
    names: HashMap<u64, (u32, u32)>,
    /// Classes by serial number: address and name.
    pub loaded: HashMap<u32, (u64, u64)>,
    /// Names of classes by address.
    class_names: HashMap<u64, u64>,
    pub classes: Vec<Class>,
    /// Index of the class at an address.
    pub class_index: HashMap<u64, u32>,
    /// The classes' other references: loader, signers, domain, constants.
    pub class_references: Vec<Vec<u64>>,
    supers: Vec<u64>,
    pub frames: HashMap<u64, RawFrame>,
    pub stacks: HashMap<u32, Stack>,
    pub roots: Vec<RawRoot>,
    pub objects: Objects,
    pub alloc_sites: Vec<AllocSite>,
    pub slots: Vec<Slot>,
    /// Bytes of a reference.
    pub id: u32,
}

impl Loaded {
    pub fn new(id: u32) -> Loaded {
        let mut loaded = Loaded {
            id,
            ..Loaded::default()
        };
        for ty in Type::PRIMITIVE {
            loaded.classes.push(Class {
                name: format!("{}[]", ty.name()),
                defined: true,
                ..Class::default()
            });
            loaded.class_references.push(Vec::new());
            loaded.supers.push(0);
        }
        loaded
    }
    /// The text of a name.
    pub fn text(&self, name: u64) -> Option<String> {
        let &(at, len) = self.names.get(&name)?;
        let bytes = &self.texts[at as usize..at as usize + len as usize];
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
    /// Index of the class of arrays of a primitive type.
    pub fn primitive_array(ty: Type) -> u32 {
        ty as u32 - Type::Boolean as u32
    }
    fn class_at(&mut self, id: u64) -> u32 {
        *self.class_index.entry(id).or_insert_with(|| {
            self.classes.push(Class {
                id,
                ..Class::default()
            });
            self.class_references.push(Vec::new());
            self.supers.push(0);
            self.classes.len() as u32 - 1
        })
    }
    /// Puts names and super classes in place, once all is read.
    pub fn finish(&mut self) -> Result<(), Error> {
        let wrong = |problem| Error::Malformed { at: 0, problem };
        for i in Type::PRIMITIVE.len()..self.classes.len() {
            let id = self.classes[i].id;
            let name = self.class_names.get(&id).and_then(|&n| self.text(n));
            self.classes[i].name = match name {
                Some(name) => readable(&name),
                None => format!("class@{id:x}"),
            };
            self.classes[i].super_class = self.class_index.get(&self.supers[i]).copied();
        }
        let referent = self.names.iter().filter(|(_, n)| {
            let (at, len) = (n.0 as usize, n.1 as usize);
            &self.texts[at..at + len] == b"referent"
        });
        let referent: Vec<u64> = referent.map(|n| *n.0).collect();
        for c in &mut self.classes {
            let mut offset = 0;
            let weak = c.name == "java.lang.ref.Reference";
            for f in &c.fields {
                if weak && referent.contains(&f.name) {
                    c.referent = Some(offset);
                }
                if f.ty == Type::Object {
                    c.references.push(offset);
                }
                offset += f.ty.width(self.id);
            }
            c.own_bytes = offset;
        }
        // sums over the super classes, each class after its super class
        let mut depth = vec![0u32; self.classes.len()];
        let mut path = Vec::new();
        for i in 0..self.classes.len() as u32 {
            let mut next = Some(i);
            while let Some(c) = next
                && depth[c as usize] == 0
            {
                path.push(c);
                if path.len() > DEEPEST {
                    return Err(wrong(Problem::Circular(self.classes[c as usize].id)));
                }
                next = self.classes[c as usize].super_class;
            }
            while let Some(c) = path.pop() {
                let class = &self.classes[c as usize];
                let (references, bytes, above) = match class.super_class {
                    Some(s) => {
                        let above = &self.classes[s as usize];
                        let depth = depth[s as usize];
                        (above.all_references, above.record_bytes, depth)
                    }
                    None => (0, 0, 0),
                };
                if above as usize >= DEEPEST {
                    return Err(wrong(Problem::Circular(class.id)));
                }
                depth[c as usize] = above + 1;
                let class = &mut self.classes[c as usize];
                class.all_references = references + class.references.len() as u32;
                class.record_bytes = bytes + class.own_bytes;
                let weak = [
                    "java.lang.ref.WeakReference",
                    "java.lang.ref.PhantomReference",
                ];
                let own = weak.contains(&class.name.as_str());
                let above = class.super_class;
                let weak = own || above.is_some_and(|s| self.classes[s as usize].weak);
                self.classes[c as usize].weak = weak;
            }
        }
        self.objects.shrink();
        Ok(())
    }
}

impl Sink for Loaded {
    fn name(&mut self, id: u64, text: &[u8]) -> Result<(), Problem> {
        let at = u32::try_from(self.texts.len());
        let at = at.map_err(|_| Problem::TooMany("4 GB of names"))?;
        self.texts.extend_from_slice(text);
        self.names.insert(id, (at, text.len() as u32));
        Ok(())
    }
    fn loaded(&mut self, serial: u32, class: u64, name: u64) {
        self.loaded.insert(serial, (class, name));
        self.class_names.insert(class, name);
    }
    fn frame(&mut self, frame: u64, names: [u64; 3], class_serial: u32, line: i32) {
        let raw = RawFrame {
            names,
            class_serial,
            line,
        };
        self.frames.insert(frame, raw);
    }
    fn trace(&mut self, serial: u32, thread: u32, frames: Vec<u64>) {
        self.stacks.insert(serial, Stack { thread, frames });
    }
    fn alloc_site(&mut self, site: AllocSite) {
        self.alloc_sites.push(site);
    }
    fn slot(&mut self, thread: u32, frame: u32, slot: u32, object: u64, name: u64) {
        self.slots.push(Slot {
            thread,
            frame,
            slot,
            object,
            name,
        });
    }
    fn root(&mut self, kind: RootKind, object: u64, thread: u32, frame: u32) {
        self.roots.push(RawRoot {
            kind,
            object,
            thread,
            frame,
        });
    }
    fn class(&mut self, record: ClassRecord) -> Result<(), Problem> {
        let i = self.class_at(record.id);
        let class = &mut self.classes[i as usize];
        if class.defined {
            return Err(Problem::Twice(record.id));
        }
        class.defined = true;
        class.loader = record.others[0];
        class.fields = record.fields;
        class.statics = record.statics;
        class.object = Some(self.objects.len() as u32);
        let references = &mut self.class_references[i as usize];
        references.push(record.super_class);
        references.extend(record.others);
        references.extend(record.constants);
        self.supers[i as usize] = record.super_class;
        // which of the classes is java.lang.Class is known at the end
        self.objects.push(record.id, record.at, u32::MAX, i)
    }
    fn object(&mut self, head: Head, _: &mut Input, _: u32) -> Result<(), Error> {
        let (class, len) = match head.shape {
            Shape::Instance { class, .. } => (self.class_at(class), 0),
            Shape::Objects { class, len } => (self.class_at(class), len),
            Shape::Primitives { ty, len } => (Loaded::primitive_array(ty), len),
        };
        let pushed = self.objects.push(head.id, head.at, class, len);
        pushed.map_err(|problem| Error::Malformed {
            at: head.at,
            problem,
        })
    }
}
