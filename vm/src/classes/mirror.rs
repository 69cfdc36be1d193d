//! `java.lang.Class` objects: in the metaspace, with the static fields behind the object's own.

use crate::classes::class_files::DefineOptions;
use crate::classes::{ClassKind, acc, layout};
use crate::heap::layout::MIRROR_CLASS;
use crate::ids::{ClassId, LoaderId, Ref};
use crate::vm::Vm;
use crate::{heap, jdk};

impl Vm {
    /// Gives a new class its mirror, or notes that it lacks one while `java.lang.Class` is not there yet.
    pub(super) fn attach_mirror(&mut self, id: ClassId, o: &DefineOptions) {
        let k = self.class(id);
        if k.loader == LoaderId::BOOT && &*k.name == "java/lang/Class" {
            if self.place_fields(jdk::class::CLASS, id).is_err() {
                // the birth of the VM, which goes on to the same error, ends there
                return;
            }
            self.loaded.known.class = id;
            for early in std::mem::take(&mut self.loaded.linker.no_mirror) {
                self.make_mirror(early, &DefineOptions::default());
            }
        }
        if self.loaded.known.class.is_none() {
            self.loaded.linker.no_mirror.push(id);
        } else {
            self.make_mirror(id, o);
        }
    }
    fn make_mirror(&mut self, id: ClassId, o: &DefineOptions) {
        let class = self.loaded.known.class;
        let start = self.class(class).fields_end;
        let fields = &mut self.heap.class_mut(id).fields;
        let end = layout::up(layout::place(fields, start, true, None), 8);
        let oops = layout::oops(fields, true);
        self.heap.class_mut(id).mirror_size = end;
        let unit = self.heap.unit_of(id);
        let mirror = Ref((self.heap.meta_alloc(unit, end as usize) / 8) as u32);
        let map = self.meta_words(unit, &oops);
        // SAFETY: the class is installed; nobody else writes its block.
        unsafe {
            let h = &mut *self.heap.hot(id);
            h.mirror = mirror;
            h.static_oops = map;
            h.static_oops_len = oops.len() as u32;
        }
        self.heap.write::<u32>(mirror, heap::CLASS, class.0);
        self.heap.write::<u32>(mirror, MIRROR_CLASS, id.0);
        let k = self.class(id);
        let (kind, loader) = (k.kind, k.loader);
        let loader = match o.loader.non_null() {
            Some(copy) => copy,
            None => self.loader_object(loader),
        };
        self.set(mirror, jdk::class::CLASS_LOADER, loader);
        if let ClassKind::Array(e) = kind {
            let component = self.mirror(e);
            self.set(mirror, jdk::class::COMPONENT_TYPE, component);
        }
        let module = self.module_for(id);
        self.set(mirror, jdk::class::MODULE, module);
        self.set(mirror, jdk::class::PROTECTION_DOMAIN, o.protection_domain);
        self.fill_new_fields(id, mirror, o);
        if !o.class_data.is_null() {
            self.set(mirror, jdk::class::CLASS_DATA, o.class_data);
        }
    }
    /// What `Class` asks natives for before JDK 25 is in fields there.
    fn fill_new_fields(&mut self, id: ClassId, mirror: Ref, o: &DefineOptions) {
        if let Some(f) = self.has_field(jdk::class::MODIFIERS) {
            let modifiers = self.declared_modifiers(id);
            self.set(mirror, f, modifiers);
        }
        if let Some(f) = self.has_field(jdk::class::PRIMITIVE) {
            let primitive = self.class(id).is_primitive();
            self.set(mirror, f, primitive);
        }
        if let Some(f) = self.has_field(jdk::class::DOMAIN) {
            self.set(mirror, f, o.protection_domain);
        }
    }
    /// The modifiers that a class was declared with (`Class.getModifiers`): those of its `InnerClasses` row if it has one.
    pub fn declared_modifiers(&self, id: ClassId) -> u16 {
        let class = self.class(id);
        let flags = match class.kind {
            ClassKind::Primitive(_) => acc::PUBLIC | acc::FINAL | acc::ABSTRACT,
            ClassKind::Array(e) => {
                let access = acc::PUBLIC | acc::PRIVATE | acc::PROTECTED;
                return self.declared_modifiers(e) & access | acc::FINAL | acc::ABSTRACT;
            }
            ClassKind::Instance => match class.cf.as_ref() {
                Some(cf) => {
                    let rows = cf.attributes.inner_classes.as_deref().unwrap_or_default();
                    rows.iter()
                        .find(|row| class.is_named_by(row.inner_class))
                        .map_or(class.access, |row| row.access_flags)
                }
                None => class.access,
            },
        };
        flags & !acc::SUPER & 0x7fff
    }
    /// The module that a class belongs to by its loader and package; null while it is not known yet.
    fn module_for(&mut self, id: ClassId) -> Ref {
        let mut c = id;
        while let ClassKind::Array(e) = self.class(c).kind {
            c = e;
        }
        let k = self.class(c);
        let (loader, package) = (k.loader, k.package);
        let package = match k.kind {
            ClassKind::Primitive(_) => self.syms.intern("java/lang"),
            _ => package,
        };
        self.module_of_package(loader, package)
    }
    /// The protection domain a class was defined with (null: none).
    pub(crate) fn protection_domain(&mut self, c: ClassId) -> Ref {
        let m = self.mirror(c);
        self.get(m, jdk::class::PROTECTION_DOMAIN)
    }
}
