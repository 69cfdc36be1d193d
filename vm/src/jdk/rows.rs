//! What a row of the table of the JDK's classes is: its data, and the typed name by which the VM and
//! natives say it.

use crate::heap::Heap;
use crate::ids::Ref;
use crate::versions::Versions;

/// A class of the table.
#[derive(Debug)]
pub struct ClassRow {
    /// Internal name.
    pub name: &'static str,
    /// Loaded before anything runs.
    pub early: bool,
    /// JDKs that have it.
    pub versions: Versions,
    /// Index of its first field in the table.
    pub first: usize,
    /// Number of its fields.
    pub len: usize,
}

impl ClassRow {
    /// Its fields.
    pub fn fields(&self) -> &'static [FieldRow] {
        &super::table::FIELDS[self.first..self.first + self.len]
    }
}

/// A field of the table.
#[derive(Clone, Copy, Debug)]
pub struct FieldRow {
    /// Its name.
    pub name: &'static str,
    /// Its descriptor.
    pub desc: &'static str,
    /// A static field.
    pub is_static: bool,
    /// The VM adds it to the JDK's class. References in it are seen by the collector like all others.
    pub injected: bool,
    /// There are updates of a JDK without it: whoever needs it asks [`crate::Env::has_field`] first.
    pub optional: bool,
    /// JDKs that have it.
    pub versions: Versions,
}

impl FieldRow {
    /// A mandatory field of the instances of all JDKs.
    pub(super) const fn new(name: &'static str, desc: &'static str) -> FieldRow {
        FieldRow {
            name,
            desc,
            is_static: false,
            injected: false,
            optional: false,
            versions: Versions::ALL,
        }
    }
}

/// The name of a class in the table. `EARLY`: loaded before anything runs; other classes are loaded when
/// first needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassName<const EARLY: bool>(pub(super) u16);

/// The name of an instance field in the table, with the first character of its descriptor (`L` for all
/// references). Fields of classes that are not `EARLY` are looked for when first used, which may fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field<const KIND: u8, const EARLY: bool>(pub(super) u16);

/// The name of a static field in the table; as [`Field`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Static<const KIND: u8, const EARLY: bool>(pub(super) u16);

/// The name of a field that holds a reference, in a class that is loaded at boot.
pub type RefField = Field<b'L', true>;
/// The same of an `int`.
pub type IntField = Field<b'I', true>;

/// The name of a field that not every JDK has: see [`crate::Env::has_field`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Maybe<F>(pub(super) F);

impl<const KIND: u8, const EARLY: bool> Field<KIND, EARLY> {
    pub(super) const fn new(index: usize) -> Self {
        Field(index as u16)
    }
}
impl<const KIND: u8, const EARLY: bool> Static<KIND, EARLY> {
    pub(super) const fn new(index: usize) -> Self {
        Static(index as u16)
    }
}
impl<const KIND: u8, const EARLY: bool> Maybe<Field<KIND, EARLY>> {
    pub(super) const fn new(index: usize) -> Self {
        Maybe(Field::new(index))
    }
}

/// The name of a field, wherever it is.
pub trait FieldName: Copy {
    /// Its index in the table.
    fn index(self) -> usize;
}
impl<const KIND: u8, const EARLY: bool> FieldName for Field<KIND, EARLY> {
    fn index(self) -> usize {
        self.0.into()
    }
}
impl<const KIND: u8, const EARLY: bool> FieldName for Static<KIND, EARLY> {
    fn index(self) -> usize {
        self.0.into()
    }
}

/// The kind of a field with this descriptor: its first character, `L` for an array as well.
pub(super) const fn kind_of(desc: &str) -> u8 {
    match desc.as_bytes()[0] {
        b'[' => b'L',
        first => first,
    }
}

/// Stands for a kind of field; its [`Stored`] says what Rust type values of it have.
#[derive(Clone, Copy, Debug)]
pub struct Kind<const KIND: u8>;

/// A field of the table in an object that has it: of the row's type, so what is read and written there
/// needs no further look at the object's class.
#[derive(Clone, Copy)]
pub struct Found {
    object: Ref,
    offset: u32,
}

impl Found {
    /// The caller has found the field in the class of `object`, or in that of which `object` is the mirror.
    pub(super) fn new(object: Ref, offset: u32) -> Found {
        Found { object, offset }
    }
}

/// How values of a kind lie in an object.
pub trait Stored {
    /// The Rust type of a value.
    type Value;
    /// Reads the field.
    fn load(heap: &Heap, f: Found) -> Self::Value;
    /// Writes it.
    fn store(heap: &mut Heap, f: Found, v: Self::Value);
}

macro_rules! stored {
    ($($kind:literal $t:ty)*) => { $(
        impl Stored for Kind<$kind> {
            type Value = $t;
            #[inline]
            fn load(heap: &Heap, f: Found) -> $t {
                heap.get(f.object, f.offset)
            }
            #[inline]
            fn store(heap: &mut Heap, f: Found, v: $t) {
                heap.write(f.object, f.offset, v);
            }
        }
    )* };
}
stored! { b'B' i8 b'C' u16 b'S' i16 b'I' i32 b'J' i64 b'F' f32 b'D' f64 }

impl Stored for Kind<b'Z'> {
    type Value = bool;
    #[inline]
    fn load(heap: &Heap, f: Found) -> bool {
        heap.get::<u8>(f.object, f.offset) != 0
    }
    #[inline]
    fn store(heap: &mut Heap, f: Found, v: bool) {
        heap.write::<u8>(f.object, f.offset, v.into());
    }
}
impl Stored for Kind<b'L'> {
    type Value = Ref;
    #[inline]
    fn load(heap: &Heap, f: Found) -> Ref {
        heap.get_known_ref(f.object, f.offset)
    }
    #[inline]
    fn store(heap: &mut Heap, f: Found, v: Ref) {
        heap.check(v);
        heap.put_known_ref(f.object, f.offset, v);
    }
}
