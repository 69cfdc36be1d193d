//! What a row of the table of the JDK's classes is: its data, and the typed name by which the VM and
//! natives say it.

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
    /// There are updates of a JDK without it: code that needs it asks [`crate::Env::has_field`] first.
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
pub struct ClassName<const EARLY: bool>(pub(crate) u16);

/// The name of an instance field in the table, with the first character of its descriptor (`L` for all
/// references). Fields of classes that are not `EARLY` are looked for when first used, which may fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JdkField<const KIND: u8, const EARLY: bool>(pub(crate) u16);

/// The name of a static field in the table; as [`JdkField`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Static<const KIND: u8, const EARLY: bool>(pub(crate) u16);

/// The name of a field that holds a reference, in a class that is loaded at boot.
pub type RefField = JdkField<b'L', true>;
/// The same of an `int`.
pub type IntField = JdkField<b'I', true>;

/// A method of the JDK that Rust code calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JdkMethod {
    /// Internal name of the class that has it.
    pub class: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its descriptor.
    pub desc: &'static str,
    /// A static method.
    pub is_static: bool,
    /// JDKs that have it.
    pub versions: Versions,
}

impl JdkMethod {
    /// An instance method of all JDKs.
    pub(super) const fn new(
        class: &'static str,
        name: &'static str,
        desc: &'static str,
    ) -> JdkMethod {
        JdkMethod {
            class,
            name,
            desc,
            is_static: false,
            versions: Versions::ALL,
        }
    }
}

/// The name of a field or method that not every JDK has: see [`crate::Env::has_field`] and [`crate::Env::has_method`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionalName<F>(pub(crate) F);

impl OptionalName<JdkMethod> {
    /// The method, for a caller who knows that this JDK has it.
    pub const fn callee(self) -> JdkMethod {
        self.0
    }
}

impl<const KIND: u8, const EARLY: bool> JdkField<KIND, EARLY> {
    pub(super) const fn new(index: usize) -> Self {
        JdkField(index as u16)
    }
}
impl<const KIND: u8, const EARLY: bool> Static<KIND, EARLY> {
    pub(super) const fn new(index: usize) -> Self {
        Static(index as u16)
    }
}
impl<const KIND: u8, const EARLY: bool> OptionalName<JdkField<KIND, EARLY>> {
    pub(super) const fn new(index: usize) -> Self {
        OptionalName(JdkField::new(index))
    }
}

impl<const KIND: u8, const EARLY: bool> OptionalName<Static<KIND, EARLY>> {
    pub(super) const fn new(index: usize) -> Self {
        OptionalName(Static::new(index))
    }
}

/// The name of a field, wherever it is.
pub trait FieldName: Copy {
    /// Its index in the table.
    fn index(self) -> usize;
}
impl<const KIND: u8, const EARLY: bool> FieldName for JdkField<KIND, EARLY> {
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

/// `class java.lang.String`
pub(crate) fn class_text(name: &str) -> String {
    format!("class {}", name.replace('/', "."))
}

/// `field java.lang.String.value of type byte[]`
pub(crate) fn field_text(class: &str, row: &FieldRow) -> String {
    let (class, name) = (class.replace('/', "."), row.name);
    let what = if row.is_static {
        "static field"
    } else {
        "field"
    };
    match rjvm_classfile::descriptor::FieldType::parse(row.desc) {
        Ok(ty) => format!("{what} {class}.{name} of type {}", ty.java()),
        Err(_) => format!("{what} {class}.{name} of type {}", row.desc),
    }
}
