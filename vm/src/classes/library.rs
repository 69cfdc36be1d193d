//! Reading and writing the JDK's fields by their names in the table.
//!
//! Where a field lies is found once: for the classes that are loaded before anything runs at boot, where a
//! field that the JDK lacks is an error of the boot; for the others when a field is first used, where it is
//! a Java `InternalError`. Either way the error names the JDK, the class and the field.

use super::places::FieldLocation;
pub use super::places::Library;
use crate::heap::units::UnitId;
use crate::heap::{Heap, OF_HANDLES};
use crate::ids::{ClassId, LoaderId, Ref, Sym};
use crate::jdk::{
    self, CLASSES, ClassName, ClassRow, FIELDS, FieldName, FieldRow, JdkField, KnownClasses,
    OptionalName, Static, class_text, field_text,
};
use crate::natives::Env;
use crate::throw::{R, Throw};
use crate::vm::Vm;

/// The row of the class in which field `index` is.
fn class_of_row(index: usize) -> usize {
    let after = |c: &ClassRow| c.first + c.len <= index;
    CLASSES.partition_point(after)
}

/// A bug of the VM or of a native: an object that is null or not of the field's class.
#[cold]
#[inline(never)]
fn stranger(vm: &Vm, r: Ref, index: usize) -> String {
    let class = CLASSES[class_of_row(index)].name;
    let what = match r.is_null() {
        true => "null".to_string(),
        false => format!("an instance of {}", vm.name(vm.class_of(r))),
    };
    format!("{} is not in {what}", field_text(class, &FIELDS[index]))
}

/// Panics if the field is a number by which the VM finds what is its own.
#[inline]
fn assert_writable(vm: &Vm, index: usize) {
    if !vm.heap.inside {
        assert_not_of_handles(index);
    }
    let own = [
        jdk::class::RJVM_CLASS.index(),
        jdk::class_loader::RJVM_LOADER.index(),
        jdk::module::RJVM_MODULE.index(),
        jdk::resolved_method_name::VMTARGET.index(),
    ];
    assert!(
        !own.contains(&index),
        "{} is the VM's own",
        FIELDS[index].name
    );
}

/// Panics if the field belongs to what calls by method handles go through, which natives alone put together: a handle would call
/// a method with arguments of other types.
#[cold]
fn assert_not_of_handles(index: usize) {
    let class = CLASSES[class_of_row(index)].name;
    let ours = class.starts_with(OF_HANDLES);
    assert!(!ours, "{} is the class library's own", FIELDS[index].name);
}

impl Vm {
    /// The class library that this VM runs.
    pub(crate) fn library(&self) -> &Library {
        &self.loaded.library
    }
    /// Loads one of the classes that nothing runs without, with the places of its fields.
    pub(crate) fn load_early(&mut self, name: ClassName<true>) -> Result<ClassId, String> {
        let row = usize::from(name.0);
        let text = CLASSES[row].name;
        if !CLASSES[row].versions.contains(self.loaded.library.feature) {
            return Ok(ClassId::NONE);
        }
        let c = match self.load_class(LoaderId::BOOT, text) {
            Ok(c) => c,
            Err(e) => {
                let lacks = self.loaded.library.lacks(&class_text(text));
                return Err(format!("{lacks}: {e:?}"));
            }
        };
        self.loaded.library.classes[row].set(c);
        self.place_fields(name, c)?;
        Ok(c)
    }
    /// Loads all of them in the table's order.
    pub(crate) fn load_early_classes(&mut self) -> Result<KnownClasses, String> {
        KnownClasses::load(|name| self.load_early(name))
    }
    /// Finds the fields of an early class.
    pub(crate) fn place_fields(&self, name: ClassName<true>, c: ClassId) -> Result<(), String> {
        let row = &CLASSES[usize::from(name.0)];
        for (i, f) in FIELDS.iter().enumerate().skip(row.first).take(row.len) {
            if !f.versions.contains(self.loaded.library.feature) {
                continue;
            }
            match self.place_in(c, f) {
                Some(place) => self.loaded.library.fields[i].set(place),
                None if f.optional => {}
                None => return Err(self.loaded.library.lacks(&field_text(row.name, f))),
            }
        }
        Ok(())
    }
    fn place_in(&self, class: ClassId, row: &FieldRow) -> Option<FieldLocation> {
        let k = self.class(class);
        let i = k.find_field(self.syms.find(row.name)?, self.syms.find(row.desc)?)?;
        let f = &k.fields[i as usize];
        let is_static = f.access & crate::classes::acc::STATIC != 0;
        (is_static == row.is_static).then_some(FieldLocation {
            class,
            offset: f.offset,
            held: ClassId::NONE,
        })
    }
    /// A class of the boot or the platform loader that is loaded, by its row.
    fn loaded_class(&self, row: usize) -> Option<ClassId> {
        let slot = &self.loaded.library.classes[row];
        if slot.get().is_none() {
            let name = self.syms.find(CLASSES[row].name)?;
            let boot = self.loaded.loaders[0].classes.get(&name).copied();
            slot.set(boot.or_else(|| self.platform_class(name))?);
        }
        Some(slot.get())
    }
    fn platform_class(&self, name: Sym) -> Option<ClassId> {
        let loaders = (1..self.loaded.loaders.len()).map(|i| LoaderId(i as u32));
        let platform = { loaders }.find(|&l| self.is_platform_loader(l))?;
        let class = self.loaded.loaders[platform.0 as usize].classes.get(&name);
        class.copied()
    }
    /// Whether a class of the table has been loaded.
    pub fn is_loaded(&self, name: ClassName<false>) -> bool {
        self.loaded_class(name.0.into()).is_some()
    }
    /// Whether an object (not null) is an instance of a class of the table, which need not be loaded.
    pub fn is_a(&self, r: Ref, name: ClassName<false>) -> bool {
        let class = self.loaded_class(name.0.into());
        class.is_some_and(|c| self.instance_of(r, c))
    }
    #[inline]
    fn place(&self, index: usize) -> R<FieldLocation> {
        let place = self.loaded.library.fields[index].get();
        match place.offset {
            0 => self.find_place(index),
            _ => Ok(place),
        }
    }
    /// Looks for a field of a class that is loaded by now.
    #[cold]
    fn find_place(&self, index: usize) -> R<FieldLocation> {
        let (row, f) = (class_of_row(index), &FIELDS[index]);
        let class = CLASSES[row].name;
        let known = f.versions.contains(self.loaded.library.feature);
        let found = match self.loaded_class(row) {
            Some(c) if known => self.place_in(c, f),
            Some(_) => None,
            None => {
                let text = format!("{} is used before its class is loaded", f.name);
                let text = format!("field {}.{text}", class.replace('/', "."));
                return Err(Throw::msg("java/lang/InternalError", text));
            }
        };
        match found {
            Some(place) => {
                self.loaded.library.fields[index].set(place);
                Ok(place)
            }
            None => {
                let text = self.loaded.library.lacks(&field_text(class, f));
                Err(Throw::msg("java/lang/InternalError", text))
            }
        }
    }
    /// Whether `r` is an object with this field.
    #[inline]
    fn has(&self, r: Ref, place: FieldLocation) -> bool {
        self.heap.check(r);
        if r.is_null() || place.class.is_none() {
            return false;
        }
        let c = self.class_of(r);
        c == place.class || self.is_subtype(c, place.class)
    }
    /// Panics if a field cannot hold an object.
    #[inline]
    fn must_fit(&self, index: usize, v: Ref) {
        self.heap.check(v);
        if !v.is_null() && self.class_of(v) != self.loaded.library.fields[index].get().held {
            self.must_fit_by_name(index, v);
        }
    }
    #[cold]
    #[inline(never)]
    fn must_fit_by_name(&self, index: usize, v: Ref) {
        let (place, row) = (&self.loaded.library.fields[index], &FIELDS[index]);
        let (of, c) = (place.get(), self.class_of(v));
        if row.desc == "Ljava/lang/Object;" {
            return;
        }
        let loader = self.class(of.class).loader;
        if !self.is_type(c, row.desc, loader) {
            let class = CLASSES[class_of_row(index)].name;
            let (field, is) = (field_text(class, row), self.class(c).dotted());
            panic!("{field} cannot hold an instance of {is}");
        }
        if self.heap.unit_of(c) == UnitId::PERMANENT {
            place.set(FieldLocation { held: c, ..of });
        }
    }
    /// A field that is known since the boot, in an object that must have it.
    #[inline]
    fn early_field(&self, r: Ref, index: usize) -> TypedField {
        let place = self.loaded.library.fields[index].get();
        if !self.has(r, place) {
            panic!("{}", stranger(self, r, index));
        }
        TypedField::new(r, place.offset)
    }
    fn late_field(&self, r: Ref, index: usize) -> R<TypedField> {
        let mut place = self.loaded.library.fields[index].get();
        if place.offset == 0 {
            place = self.find_place(index)?;
        }
        if !self.has(r, place) {
            let text = stranger(self, r, index);
            return Err(Throw::msg("java/lang/InternalError", text));
        }
        Ok(TypedField::new(r, place.offset))
    }
    /// A static field that is known since the boot.
    fn early_static(&self, index: usize) -> TypedField {
        let place = self.loaded.library.fields[index].get();
        assert!(place.offset != 0, "{} has no place", FIELDS[index].name);
        TypedField::new(self.mirror(place.class), place.offset)
    }
    fn late_static(&self, index: usize) -> R<TypedField> {
        let place = self.place(index)?;
        Ok(TypedField::new(self.mirror(place.class), place.offset))
    }
    /// The field, if this JDK has it.
    pub fn has_field<F: FieldName>(&self, f: OptionalName<F>) -> Option<F> {
        let row = &FIELDS[f.0.index()];
        let known = row.versions.contains(self.loaded.library.feature);
        (known && (!row.optional || self.place(f.0.index()).is_ok())).then_some(f.0)
    }
    /// Byte offset of a field that is known since the boot, for what reads it without the table.
    pub(crate) fn offset_of<const K: u8>(&self, f: JdkField<K, true>) -> u32 {
        self.loaded.library.fields[f.index()].get().offset
    }
    /// Reads a field of an object. With a class that is not loaded at boot this is an `R`.
    ///
    /// # Panics
    /// If the class is one of the early ones and `r` is null or another class's instance.
    #[inline]
    pub fn get<F: Instance>(&self, r: Ref, f: F) -> F::Got {
        f.get(self, r)
    }
    /// Writes a field of an object; as [`Vm::get`].
    #[inline]
    pub(crate) fn set<F: Instance>(&mut self, r: Ref, f: F, v: F::Value) -> F::Done {
        f.set(self, r, v)
    }
    /// Writes a number that the VM has added to a class for itself, which [`Vm::set`] refuses.
    pub(crate) fn set_number(&mut self, r: Ref, f: JdkField<b'I', true>, v: i32) {
        let at = self.early_field(r, f.index());
        FieldKind::<b'I'>::store(&mut self.heap, at, v);
    }
    /// Reads a static field; as [`Vm::get`].
    #[inline]
    pub fn get_static<F: InClass>(&self, f: F) -> F::Got {
        f.get(self)
    }
    /// Writes a static field; as [`Vm::get`].
    #[inline]
    pub(crate) fn set_static<F: InClass>(&mut self, f: F, v: F::Value) -> F::Done {
        f.set(self, v)
    }
    /// Byte offset of a field that `class` declares, for classes that are not the JDK's; in the mirror
    /// if it is static.
    pub fn offset_in(&self, class: ClassId, name: &str, desc: &str) -> Option<u32> {
        let k = self.class(class);
        let i = k.find_field(self.syms.find(name)?, self.syms.find(desc)?)?;
        Some(k.fields[i as usize].offset)
    }
}

impl Env {
    /// A class of the table, loaded if it has not been.
    pub fn jdk_class(&mut self, name: ClassName<false>) -> R<ClassId> {
        let row = usize::from(name.0);
        if let Some(c) = self.0.loaded_class(row) {
            return Ok(c);
        }
        let text = CLASSES[row].name;
        if !CLASSES[row]
            .versions
            .contains(self.0.loaded.library.feature)
        {
            let text = self.0.loaded.library.lacks(&class_text(text));
            return Err(Throw::msg("java/lang/InternalError", text));
        }
        self.0.load_class(LoaderId::BOOT, text)
    }
}

/// The name of an instance field, with what reading and writing it gives.
pub trait Instance: FieldName {
    /// Type of the field's values.
    type Value;
    /// What reading gives: the value, or an `R` of it.
    type Got;
    /// What writing gives: nothing, or an `R` of that.
    type Done;
    /// See [`Vm::get`].
    fn get(self, vm: &Vm, r: Ref) -> Self::Got;
    /// See [`Env::set`].
    fn set(self, vm: &mut Vm, r: Ref, v: Self::Value) -> Self::Done;
}

/// The name of a static field, in the same way.
pub trait InClass: FieldName {
    /// Type of the field's values.
    type Value;
    /// What reading gives: the value, or an `R` of it.
    type Got;
    /// What writing gives: nothing, or an `R` of that.
    type Done;
    /// See [`Vm::get_static`].
    fn get(self, vm: &Vm) -> Self::Got;
    /// See [`Env::set_static`].
    fn set(self, vm: &mut Vm, v: Self::Value) -> Self::Done;
}

impl<const K: u8> Instance for JdkField<K, true>
where
    FieldKind<K>: Stored,
{
    type Value = <FieldKind<K> as Stored>::Value;
    type Got = Self::Value;
    type Done = ();
    #[inline]
    fn get(self, vm: &Vm, r: Ref) -> Self::Got {
        let at = vm.early_field(r, self.index());
        FieldKind::<K>::load(&vm.heap, at)
    }
    #[inline]
    fn set(self, vm: &mut Vm, r: Ref, v: Self::Value) {
        assert_writable(vm, self.index());
        let at = vm.early_field(r, self.index());
        FieldKind::<K>::must_fit(vm, self.index(), &v);
        FieldKind::<K>::store(&mut vm.heap, at, v);
    }
}

impl<const K: u8> Instance for JdkField<K, false>
where
    FieldKind<K>: Stored,
{
    type Value = <FieldKind<K> as Stored>::Value;
    type Got = R<Self::Value>;
    type Done = R<()>;
    fn get(self, vm: &Vm, r: Ref) -> Self::Got {
        let at = vm.late_field(r, self.index())?;
        Ok(FieldKind::<K>::load(&vm.heap, at))
    }
    fn set(self, vm: &mut Vm, r: Ref, v: Self::Value) -> R<()> {
        assert_writable(vm, self.index());
        let at = vm.late_field(r, self.index())?;
        FieldKind::<K>::must_fit(vm, self.index(), &v);
        FieldKind::<K>::store(&mut vm.heap, at, v);
        Ok(())
    }
}

impl<const K: u8> InClass for Static<K, true>
where
    FieldKind<K>: Stored,
{
    type Value = <FieldKind<K> as Stored>::Value;
    type Got = Self::Value;
    type Done = ();
    fn get(self, vm: &Vm) -> Self::Got {
        FieldKind::<K>::load(&vm.heap, vm.early_static(self.index()))
    }
    fn set(self, vm: &mut Vm, v: Self::Value) {
        let at = vm.early_static(self.index());
        FieldKind::<K>::must_fit(vm, self.index(), &v);
        FieldKind::<K>::store(&mut vm.heap, at, v);
    }
}

impl<const K: u8> InClass for Static<K, false>
where
    FieldKind<K>: Stored,
{
    type Value = <FieldKind<K> as Stored>::Value;
    type Got = R<Self::Value>;
    type Done = R<()>;
    fn get(self, vm: &Vm) -> Self::Got {
        let at = vm.late_static(self.index())?;
        Ok(FieldKind::<K>::load(&vm.heap, at))
    }
    fn set(self, vm: &mut Vm, v: Self::Value) -> R<()> {
        let at = vm.late_static(self.index())?;
        FieldKind::<K>::must_fit(vm, self.index(), &v);
        FieldKind::<K>::store(&mut vm.heap, at, v);
        Ok(())
    }
}

/// The value of what can be missing where no Java exception can be thrown.
///
/// # Panics
/// With the error.
pub(crate) fn or_fault<T>(r: R<T>) -> T {
    match r {
        Ok(v) => v,
        Err(t) => panic!("{t:?}"),
    }
}

/// Represents a kind of field; its [`Stored`] says what Rust type values of it have.
#[derive(Clone, Copy, Debug)]
pub struct FieldKind<const KIND: u8>;

/// A field of the table in an object that has it: of the row's type, so reads and writes need no further look at the object's
/// class.
#[derive(Clone, Copy)]
pub struct TypedField {
    object: Ref,
    offset: u32,
}

impl TypedField {
    /// The caller has found the field in the class of `object`, or in that of which `object` is the mirror.
    fn new(object: Ref, offset: u32) -> TypedField {
        TypedField { object, offset }
    }
}

/// How values of a kind lie in an object.
pub trait Stored {
    /// The Rust type of a value.
    type Value;
    /// Reads the field.
    fn load(heap: &Heap, f: TypedField) -> Self::Value;
    /// Writes it.
    fn store(heap: &mut Heap, f: TypedField, v: Self::Value);
    /// Panics if the field of the table with this index cannot hold it.
    #[inline(always)]
    fn must_fit(vm: &Vm, index: usize, v: &Self::Value) {
        let _ = (vm, index, v);
    }
}

macro_rules! stored {
    ($($kind:literal $t:ty)*) => { $(
        impl Stored for FieldKind<$kind> {
            type Value = $t;
            #[inline]
            fn load(heap: &Heap, f: TypedField) -> $t {
                heap.get(f.object, f.offset)
            }
            #[inline]
            fn store(heap: &mut Heap, f: TypedField, v: $t) {
                heap.write(f.object, f.offset, v);
            }
        }
    )* };
}
stored! { b'B' i8 b'C' u16 b'S' i16 b'I' i32 b'J' i64 b'F' f32 b'D' f64 }

impl Stored for FieldKind<b'Z'> {
    type Value = bool;
    #[inline]
    fn load(heap: &Heap, f: TypedField) -> bool {
        heap.get::<u8>(f.object, f.offset) != 0
    }
    #[inline]
    fn store(heap: &mut Heap, f: TypedField, v: bool) {
        heap.write::<u8>(f.object, f.offset, v.into());
    }
}
impl Stored for FieldKind<b'L'> {
    type Value = Ref;
    #[inline]
    fn load(heap: &Heap, f: TypedField) -> Ref {
        heap.get_known_ref(f.object, f.offset)
    }
    #[inline]
    fn store(heap: &mut Heap, f: TypedField, v: Ref) {
        heap.put_known_ref(f.object, f.offset, v);
    }
    #[inline]
    fn must_fit(vm: &Vm, index: usize, v: &Ref) {
        vm.must_fit(index, *v);
    }
}
