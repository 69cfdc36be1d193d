//! Objects as an observer reads them: fields, characters, elements. Nothing is allocated in the program's heap and no identity
//! hash is drawn.

use super::kinds::Typed;
use super::shown::Hit;
use crate::classes::acc;
use crate::heap::mark;
use crate::ids::{ClassId, LoaderId, Ref};
use crate::jdk;

/// A field of a class, to be read from objects of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectField {
    holder: ClassId,
    index: u32,
}

impl Hit<'_> {
    /// The class of an object.
    pub fn class_of(&self, object: Ref) -> ClassId {
        self.vm.class_of(object)
    }
    /// The field of that name that a class declares or inherits: of several the one declared nearest to it, an instance field
    /// before a static one.
    pub fn find_field(&self, class: ClassId, name: &str) -> Option<ObjectField> {
        let name = self.vm.symbols().find(name)?;
        let supers = std::iter::successors(Some(class), |&c| self.vm.class(c).super_class);
        let interfaces = self.vm.class(class).all_interfaces.iter().copied();
        let all: Vec<ClassId> = supers.chain(interfaces).collect();
        let find = |is_static: bool| {
            all.iter().find_map(|&holder| {
                let mut fields = self.vm.class(holder).fields.iter();
                let is = |f: &crate::classes::Field| {
                    f.name == name
                        && f.index != u16::MAX
                        && (f.access & acc::STATIC != 0) == is_static
                };
                let index = fields.position(is)? as u32;
                Some(ObjectField { holder, index })
            })
        };
        find(false).or_else(|| find(true))
    }
    /// What a field of an object holds. `None`: the object has no such field.
    pub fn field(&self, object: Ref, field: ObjectField) -> Option<Typed> {
        if !self.vm.heap().is_class(field.holder) {
            return None;
        }
        let f = self
            .vm
            .class(field.holder)
            .fields
            .get(field.index as usize)?;
        let of = match f.access & acc::STATIC != 0 {
            true => self.vm.mirror(field.holder),
            false => {
                let class = self.vm.class_of(object.non_null()?);
                if !self.vm.is_subtype(class, field.holder) {
                    return None;
                }
                object
            }
        };
        Some(Typed::of(f.ty, self.vm.read_field(of, f)))
    }
    /// The same by the field's name.
    pub fn field_named(&self, object: Ref, name: &str) -> Option<Typed> {
        let class = self.vm.class_of(object.non_null()?);
        self.field(object, self.find_field(class, name)?)
    }
    /// The characters of a `java.lang.String`, at most `most` UTF-16 units of it. `None` if it is not one.
    pub fn text(&self, object: Ref, most: usize) -> Option<String> {
        let vm = &*self.vm;
        if object.is_null() || vm.class_of(object) != vm.known().string {
            return None;
        }
        let value = vm.get(object, jdk::string::VALUE);
        if value.is_null() {
            return Some(String::new());
        }
        let bytes = vm.heap().bytes(value);
        Some(if vm.get(object, jdk::string::CODER) == 0 {
            bytes.iter().take(most).map(|&b| char::from(b)).collect()
        } else {
            let units = bytes.chunks_exact(2).take(most);
            let units: Vec<u16> = units.map(|c| u16::from_ne_bytes([c[0], c[1]])).collect();
            String::from_utf16_lossy(&units)
        })
    }
    /// Number of an array's elements. `None` if it is none.
    pub fn length(&self, object: Ref) -> Option<usize> {
        let vm = &*self.vm;
        let class = vm.class_of(object.non_null()?);
        vm.class(class).is_array().then(|| vm.heap().len(object))
    }
    /// An element of an array. `None` if it is none, or beyond its end.
    pub fn element(&self, object: Ref, index: usize) -> Option<Typed> {
        let (letter, value) = self.vm.element_value(object, index)?;
        Some(Typed { letter, value })
    }
    /// Bytes that an object takes in the heap.
    pub fn size_of(&self, object: Ref) -> usize {
        self.vm.heap().size_of(object)
    }
    /// The identity hash of an object, if it has one already (one that is locked is not looked at).
    pub fn identity(&self, object: Ref) -> Option<i32> {
        let m: u32 = self.vm.heap().get(object.non_null()?, crate::heap::MARK);
        (mark::state(m) == mark::NEUTRAL && m != 0).then(|| mark::hash(m) as i32)
    }
    /// The class that a `java.lang.Class` object represents. `None` if it is not one.
    pub fn class_of_mirror(&self, object: Ref) -> Option<ClassId> {
        let vm = &*self.vm;
        let is = !object.is_null() && vm.class_of(object) == vm.known().class;
        is.then(|| vm.of_mirror(object))
    }
    /// The name of a class's loader, `bootstrap` for the boot loader.
    pub fn loader_name(&mut self, class: ClassId) -> String {
        let loader = self.vm.class(class).loader;
        if loader == LoaderId::BOOT {
            return "bootstrap".into();
        }
        let object = self.vm.loader_object(loader);
        if object.is_null() {
            return "bootstrap".into();
        }
        let name = self.vm.get(object, jdk::class_loader::NAME);
        match self.text(name, usize::MAX) {
            Some(name) => name,
            None => self.vm.class(self.vm.class_of(object)).dotted(),
        }
    }
}
