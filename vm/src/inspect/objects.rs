//! Objects as data, with numbers in the order in which they are met.

use super::{InspectLimits, InspectedValue, Object, ObjectContents};
use crate::classes::{ClassKind, acc};
use crate::ids::{ClassId, Ref};
use crate::jdk::moves::BOXES;
use crate::vm::Vm;
use hashbrown::HashMap;

/// The objects met so far.
pub(super) struct Objects {
    limits: InspectLimits,
    numbers: HashMap<u64, usize>,
    all: Vec<Object>,
}

impl Objects {
    pub fn new(limits: InspectLimits) -> Objects {
        Objects {
            limits,
            numbers: HashMap::new(),
            all: Vec::new(),
        }
    }
    /// All of them, by number.
    pub fn take(self) -> Vec<Object> {
        self.all
    }
    /// An object that a frame or a thread shows.
    pub fn value(&mut self, vm: &mut Vm, r: Ref) -> InspectedValue {
        self.seen(vm, r, self.limits.depth)
    }
    /// An object whose contents are shown if `depth` is not 0, and for those in it less one.
    fn seen(&mut self, vm: &mut Vm, r: Ref, depth: usize) -> InspectedValue {
        let known = self.numbers.get(&r.slot()).copied();
        let number = known.unwrap_or_else(|| {
            let (class, length) = vm.describe_class(r);
            self.all.push(Object {
                class,
                length,
                contents: ObjectContents::Deferred,
            });
            self.numbers.insert(r.slot(), self.all.len());
            self.all.len()
        });
        let deferred = matches!(self.all[number - 1].contents, ObjectContents::Deferred);
        if deferred && number <= self.limits.objects {
            // what fits a word is always reported
            let contents = match self.plain(vm, r) {
                Some(plain) => plain,
                None if depth > 0 => self.contents(vm, r, depth - 1, number),
                None => ObjectContents::Deferred,
            };
            self.all[number - 1].contents = contents;
        }
        InspectedValue::Object(number)
    }
    /// The contents of a string, a class or a box.
    fn plain(&self, vm: &mut Vm, r: Ref) -> Option<ObjectContents> {
        let class = vm.class_of(r);
        if class == vm.loaded.known.string {
            let units = vm.string_utf16(r);
            let shown = units.len().min(self.limits.text);
            let text = String::from_utf16_lossy(&units[..shown]);
            return Some(ObjectContents::Text(
                text,
                (shown < units.len()).then_some(units.len()),
            ));
        }
        if class == vm.loaded.known.class {
            let of = vm.of_mirror(r);
            return Some(ObjectContents::Class(vm.type_name(of)));
        }
        let name = vm.name(class);
        if !BOXES.contains(&&*name) {
            return None;
        }
        let fields = &vm.class(class).fields;
        let own = fields.iter().find(|f| f.access & acc::STATIC == 0)?;
        let (letter, offset) = (own.ty, own.offset);
        Some(ObjectContents::Boxed(primitive(vm, r, letter, offset)?))
    }
    fn contents(&mut self, vm: &mut Vm, r: Ref, depth: usize, number: usize) -> ObjectContents {
        // an object in itself is no longer met for the first time
        self.all[number - 1].contents = ObjectContents::Elements(Vec::new());
        let class = vm.class_of(r);
        match vm.class(class).kind {
            ClassKind::Array(element) => self.elements(vm, r, element, depth),
            _ => self.fields(vm, r, class, depth),
        }
    }
    fn elements(&mut self, vm: &mut Vm, r: Ref, element: ClassId, depth: usize) -> ObjectContents {
        let n = vm.heap.len(r).min(self.limits.elements);
        let primitive = match vm.class(element).kind {
            ClassKind::Primitive(letter) => Some(letter),
            _ => None,
        };
        let element = |i: usize| match primitive {
            Some(letter) => array_element(vm, r, i, letter),
            None => match vm.heap.elem_ref(r, i) {
                e if e.is_null() => InspectedValue::Null,
                e => self.seen(vm, e, depth),
            },
        };
        ObjectContents::Elements((0..n).map(element).collect())
    }
    /// What a static field of a class holds, or of one of its superclasses.
    pub fn static_field(
        &mut self,
        vm: &mut Vm,
        class: ClassId,
        name: &str,
    ) -> Option<InspectedValue> {
        let up = |&c: &ClassId| vm.class(c).super_class;
        let mut all = std::iter::successors(Some(class), up);
        let (holder, letter, offset) = all.find_map(|c| {
            let named = vm.class(c).fields.iter();
            let mut named =
                named.filter(|f| f.access & acc::STATIC != 0 && **vm.syms.str(f.name) == *name);
            named.next().map(|f| (c, f.ty, f.offset))
        })?;
        let at = vm.mirror(holder);
        Some(match primitive(vm, at, letter, offset) {
            Some(value) => value,
            None => match vm.heap.get_ref(at, offset) {
                r if r.is_null() => InspectedValue::Null,
                r => self.value(vm, r),
            },
        })
    }
    fn fields(&mut self, vm: &mut Vm, r: Ref, class: ClassId, depth: usize) -> ObjectContents {
        let mut fields = Vec::new();
        let mut of = Some(class);
        while let Some(c) = of {
            let class = vm.class(c);
            let own = class.fields.iter();
            // those that the VM has put there are nobody's business
            let own = own.filter(|f| f.access & acc::STATIC == 0 && f.index != u16::MAX);
            fields.extend(own.map(|f| (f.name, f.ty, f.offset)));
            of = class.super_class;
        }
        let more = fields.len().saturating_sub(self.limits.fields);
        fields.truncate(self.limits.fields);
        let field = |(name, letter, offset)| {
            let value = match primitive(vm, r, letter, offset) {
                Some(value) => value,
                None => match vm.heap.get_ref(r, offset) {
                    o if o.is_null() => InspectedValue::Null,
                    o => self.seen(vm, o, depth),
                },
            };
            (vm.syms.str(name).to_string(), value)
        };
        ObjectContents::Fields(fields.into_iter().map(field).collect(), more)
    }
}

/// A primitive field.
fn primitive(vm: &Vm, r: Ref, letter: u8, offset: u32) -> Option<InspectedValue> {
    let heap = &vm.heap;
    Some(match letter {
        b'Z' => InspectedValue::Boolean(heap.get::<i8>(r, offset) != 0),
        b'B' => InspectedValue::Byte(heap.get(r, offset)),
        b'C' => InspectedValue::Char(heap.get(r, offset)),
        b'S' => InspectedValue::Short(heap.get(r, offset)),
        b'I' => InspectedValue::Int(heap.get(r, offset)),
        b'J' => InspectedValue::Long(heap.get(r, offset)),
        b'F' => InspectedValue::Float(f32::from_bits(heap.get(r, offset))),
        b'D' => InspectedValue::Double(f64::from_bits(heap.get(r, offset))),
        _ => return None,
    })
}

fn array_element(vm: &Vm, r: Ref, i: usize, letter: u8) -> InspectedValue {
    let heap = &vm.heap;
    match letter {
        b'Z' => InspectedValue::Boolean(heap.elem::<i8>(r, i) != 0),
        b'B' => InspectedValue::Byte(heap.elem(r, i)),
        b'C' => InspectedValue::Char(heap.elem(r, i)),
        b'S' => InspectedValue::Short(heap.elem(r, i)),
        b'J' => InspectedValue::Long(heap.elem(r, i)),
        b'F' => InspectedValue::Float(f32::from_bits(heap.elem(r, i))),
        b'D' => InspectedValue::Double(f64::from_bits(heap.elem(r, i))),
        _ => InspectedValue::Int(heap.elem(r, i)),
    }
}

impl Vm {
    /// The class of an object, as in Java's source, and the length of an array.
    fn describe_class(&self, r: Ref) -> (String, Option<usize>) {
        let class = self.class_of(r);
        let length = self.class(class).is_array().then(|| self.heap.len(r));
        (self.type_name(class), length)
    }
    /// A type as in Java's source: `int[][]`.
    fn type_name(&self, mut c: ClassId) -> String {
        let mut dimensions = 0;
        while let ClassKind::Array(element) = self.class(c).kind {
            c = element;
            dimensions += 1;
        }
        self.class(c).dotted() + &"[]".repeat(dimensions)
    }
}
