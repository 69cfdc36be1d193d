//! Making a run-time class of a parsed class file (JVMS 5.3.5).

use crate::classes::class_files::DefineOptions;
use crate::classes::load::Mode;
use crate::classes::metadata::block_bytes;
use crate::classes::resolutions::Resolutions;
use crate::classes::vtable::{Decl, VtableOwner, VtableSlot};
use crate::classes::{
    Class, ClassHot, ClassKind, Field, InitState, Method, Resolved, VtableEntry, acc, class,
    layout, names,
};
use crate::events::{Event, EventSet};
use crate::heap::units::UnitId;
use crate::ids::{ClassId, LoaderId, Sym};
use crate::jdk;
use crate::throw::{R, Throw};
use crate::vm::Vm;
use rjvm_classfile::{ClassFile, ErrorKind, SharedBytes, access, check_version};
use std::sync::Arc;

/// The newest class-file version that the class library's Java version has.
pub const MAX_MAJOR: u16 = 61;

/// Owner of the cold part of a class; freed when the class is unloaded, or with the VM.
pub(super) struct Cold(*mut Class);

// SAFETY: the class is owned by this value and tied to no thread.
unsafe impl Send for Cold {}

impl Cold {
    /// The class.
    pub(super) fn id(&self) -> ClassId {
        // SAFETY: the class is there as long as its owner.
        unsafe { (*self.0).id }
    }
}

impl Drop for Cold {
    fn drop(&mut self) {
        // SAFETY: made by Box::into_raw in `install`; dropped once, by then no table has the class.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// The error of a class file that is none; `requested` is the name requested.
#[cold]
fn format_error(e: rjvm_classfile::Error, requested: Option<&str>) -> Box<Throw> {
    let class = match e.kind() {
        ErrorKind::UnsupportedVersion { .. } => "java/lang/UnsupportedClassVersionError",
        ErrorKind::Module => "java/lang/NoClassDefFoundError",
        _ => "java/lang/ClassFormatError",
    };
    Throw::msg(class, e.detail(requested))
}

/// Fields that the VM adds to a class of the library: name and descriptor.
fn injected(class: &str) -> Vec<(&'static str, &'static str)> {
    let rows = jdk::CLASSES
        .iter()
        .find(|row| row.early && row.name == class);
    rows.map_or(&[][..], jdk::ClassRow::fields)
        .iter()
        .filter(|f| f.injected)
        .map(|f| (f.name, f.desc))
        .collect()
}

impl Vm {
    /// Parses class bytes; `requested` is the name requested, for messages.
    pub(super) fn parse_class(
        &mut self,
        bytes: &[u8],
        requested: Option<&str>,
        trusted: bool,
    ) -> R<Arc<ClassFile>> {
        if let Some((_, cf)) = self.loaded.linker.parsed.iter().find(|(b, _)| b == bytes) {
            return Ok(cf.clone());
        }
        let cf = self.parse_with(bytes, requested, ClassFile::parse)?;
        if !trusted {
            cf.check().map_err(|e| format_error(e, requested))?;
        }
        Ok(Arc::new(cf))
    }
    /// [`Vm::parse_class`] for a class of the JDK's own modules, which is trusted: parts that only executed methods need are read
    /// later.
    pub(super) fn parse_image_class(
        &mut self,
        bytes: &SharedBytes,
        requested: &str,
    ) -> R<Arc<ClassFile>> {
        let parse = |_: &[u8]| ClassFile::parse_shared(bytes);
        self.parse_with(bytes, Some(requested), parse).map(Arc::new)
    }
    fn parse_with(
        &self,
        bytes: &[u8],
        requested: Option<&str>,
        parse: impl FnOnce(&[u8]) -> rjvm_classfile::Result<ClassFile>,
    ) -> R<ClassFile> {
        let throw = |e| format_error(e, requested);
        // newer class files may have a format unknown here, so the version is looked at first
        if let [0xCA, 0xFE, 0xBA, 0xBE, a, b, c, d, ..] = *bytes {
            let (minor, major) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
            check_version(
                major,
                minor,
                44 + self.library().feature() as u16,
                self.options.enable_preview,
            )
            .map_err(throw)?;
        }
        let cf = parse(bytes).map_err(throw)?;
        if cf.major >= 53 && cf.access_flags & access::MODULE != 0 {
            let name = requested.unwrap_or("<Unknown>");
            return Err(Throw::msg(
                "java/lang/NoClassDefFoundError",
                format!("{name} is not a class because access_flag ACC_MODULE is set"),
            ));
        }
        Ok(cf)
    }
    /// Superclass and superinterfaces, checked (JVMS 5.3.5, steps 3 and 4).
    pub(super) fn supers(
        &mut self,
        loader: LoaderId,
        name: &Arc<str>,
        cf: &ClassFile,
    ) -> R<(Option<ClassId>, Vec<ClassId>)> {
        let sym = self.syms.intern(name);
        let key = (self.cur, loader, sym);
        if !self.loaded.linker.defining.contains(&key) {
            self.loaded.linker.defining.push(key);
        }
        let r = self.load_supers(loader, sym, cf);
        // while Java code loads one, the entry stays; the continuation removes it. One that is shown to transformers is
        // not being loaded yet
        let is_loaded = matches!(&r, Err(t) if matches!(**t, Throw::Upcall(_)));
        if !is_loaded || self.loaded.agents.shows {
            self.loaded.linker.defining.retain(|k| *k != key);
        }
        r
    }
    fn load_supers(
        &mut self,
        loader: LoaderId,
        sub: Sym,
        cf: &ClassFile,
    ) -> R<(Option<ClassId>, Vec<ClassId>)> {
        let cp = &cf.constant_pool;
        let mode = Mode::Super(loader, sub);
        // HotSpot's order, which loaders can observe
        let mut interfaces = Vec::with_capacity(cf.interfaces.len());
        for &i in &cf.interfaces {
            interfaces.push(self.load_class_as(loader, &names::class_text(cp, i)?, mode)?);
        }
        let super_class = match cf.super_class {
            0 => None,
            i => Some(self.load_class_as(loader, &names::class_text(cp, i)?, mode)?),
        };
        Ok((super_class, interfaces))
    }

    /// Makes the class. `name` differs from the file's for hidden classes.
    pub(super) fn define_parsed(
        &mut self,
        loader: LoaderId,
        name: Arc<str>,
        cf: Arc<ClassFile>,
        o: DefineOptions,
    ) -> R<ClassId> {
        let sym = self.syms.intern(&name);
        if !o.hidden
            && let Some(&old) = self.loaded.loaders[loader.0 as usize].classes.get(&sym)
        {
            let kind = if cf.access_flags & acc::INTERFACE != 0 {
                "interface"
            } else if cf.access_flags & acc::ABSTRACT != 0 {
                "abstract class"
            } else {
                "class"
            };
            let text = format!(
                "loader {} attempted duplicate {kind} definition for {}. ({})",
                self.loader_name(loader),
                names::dotted(&name),
                self.class_in_loader(old)
            );
            return Err(Throw::msg("java/lang/LinkageError", text));
        }
        let supers = |vm: &mut Vm| vm.supers(loader, &name, &cf);
        let (super_class, interfaces) = self.in_domain(o.protection_domain, supers)?;
        // HotSpot 17's table of domains that may see the superclass is keyed by identity
        if self.feature() < 18 {
            self.identity_hash(o.protection_domain);
        }
        let package = self.syms.intern(names::package_of(&name));
        let access = cf.access_flags;
        let owner = VtableOwner {
            name: &name,
            loader,
            package,
            access,
            super_class,
        };
        self.check_supers(&owner, &interfaces, &cf)?;
        self.check_package(loader, &name)?;
        self.check_define_constraints(loader, sym, &name, &cf)?;
        let mut fields = self.make_fields(loader, &name, &cf, &o)?;
        let decls = self.make_decls(&cf)?;
        let plan = self.plan_vtable(&owner, &decls)?;
        self.metadata_room(loader, plan.slots.len(), &cf)?;
        let start = super_class.map_or(crate::heap::FIELDS, |s| self.class(s).fields_end);
        let mirrors = loader == LoaderId::BOOT && &*name == "java/lang/Class";
        let first = mirrors.then(|| cf.fields.len());
        let fields_end = layout::place(&mut fields, start, false, first);

        let mut all_interfaces: Vec<ClassId> =
            super_class.map_or(Vec::new(), |s| self.class(s).all_interfaces.to_vec());
        for &i in &interfaces {
            for j in std::iter::once(i).chain(self.class(i).all_interfaces.iter().copied()) {
                if !all_interfaces.contains(&j) {
                    all_interfaces.push(j);
                }
            }
        }
        let interfaces: Arc<[ClassId]> = interfaces.into();
        // the list is the superclass's or the class's own, mostly
        let inherited = super_class.map(|s| self.class(s).all_interfaces.clone());
        let mut lists = inherited.into_iter().chain([interfaces.clone()]);
        let known = lists.find(|list| **list == *all_interfaces);
        let all_interfaces = known.unwrap_or_else(|| all_interfaces.into());
        let has_defaults = access & acc::INTERFACE != 0
            && decls
                .iter()
                .any(|d| d.access & (acc::ABSTRACT | acc::STATIC) == 0);
        let unit = self.unit_for(loader, o.hidden && !o.strong);
        let id = self.install(
            Class {
                id: ClassId::NONE,
                hot: std::ptr::null_mut(),
                // one text for both
                name: self.syms.str(sym).clone(),
                name_sym: sym,
                loader,
                kind: ClassKind::Instance,
                access,
                super_class,
                interfaces,
                all_interfaces,
                resolved: Resolutions::new(cf.constant_pool.len(), cf.this_class),
                cf: Some(cf.clone()),
                fields: fields.into(),
                methods: Box::default(),
                method_index: Default::default(),
                mirror_size: 0,
                array_class: None,
                nest_host: o.nest_host,
                hidden: o.hidden,
                source: o.source.as_deref().map(Arc::from),
                package,
                given: o.given,
                verified: false,
                init_cause: 0,
                fields_end,
                subclasses: Default::default(),
                selected: Default::default(),
                rare: Default::default(),
                has_defaults,
            },
            plan.slots.len(),
            unit,
        );
        self.depend_on_relatives(id);
        self.make_methods(id, &cf, &decls, &plan.methods);
        self.fill_vtable(id, &plan.slots);
        let itself = Resolved::Class(id);
        self.heap.class_mut(id).resolved.set(cf.this_class, itself);
        self.fill_hot(id, &cf);
        if !o.hidden {
            self.loaded.loaders[loader.0 as usize]
                .classes
                .insert(sym, id);
            self.note_variant(id);
        }
        self.loaded.loaders[loader.0 as usize]
            .packages
            .entry(package)
            .or_insert(0);
        self.attach_mirror(id, &o);
        self.instrument_class(id);
        if self.wants(EventSet::CLASSES) {
            self.emit(Event::ClassLoaded(id));
        }
        Ok(id)
    }
    /// Packages `java` and `java.*` are for the JDK's own loaders.
    fn check_package(&mut self, loader: LoaderId, name: &str) -> R<()> {
        if loader == LoaderId::BOOT || !name.starts_with("java/") || self.is_platform_loader(loader)
        {
            return Ok(());
        }
        let text = format!(
            "Class loader (instance of): {} tried to load prohibited package name: {}",
            self.loader_name(loader),
            names::dotted(names::package_of(name))
        );
        Err(Throw::msg("java/lang/SecurityException", text))
    }
    fn make_fields(
        &mut self,
        loader: LoaderId,
        name: &str,
        cf: &ClassFile,
        o: &DefineOptions,
    ) -> R<Vec<Field>> {
        let trusted = o.hidden || cf.attributes.record.is_some();
        let mut fields = Vec::with_capacity(cf.fields.len());
        for (i, f) in cf.fields.iter().enumerate() {
            let n = self.syms.of(&cf.constant_pool, f.name)?;
            let desc = self.syms.of(&cf.constant_pool, f.descriptor)?;
            fields.push(Field {
                name: n,
                desc,
                access: f.access_flags,
                offset: 0,
                ty: self.syms.str(desc).bytes().next().unwrap_or(b'I'),
                index: i as u16,
                trusted_final: trusted && f.access_flags & acc::FINAL != 0,
            });
        }
        let extra = match loader {
            LoaderId::BOOT => injected(name),
            _ => Vec::new(),
        };
        for (n, d) in extra {
            let (n, d, ty) = (self.syms.intern(n), self.syms.intern(d), d.as_bytes()[0]);
            if fields.iter().any(|f: &Field| f.name == n) {
                continue;
            }
            fields.push(Field {
                name: n,
                desc: d,
                access: acc::PRIVATE,
                offset: 0,
                ty,
                index: u16::MAX,
                trusted_final: false,
            });
        }
        Ok(fields)
    }
    pub(super) fn make_decls(&mut self, cf: &ClassFile) -> R<Vec<Decl>> {
        cf.methods
            .iter()
            .map(|m| {
                Ok(Decl {
                    name: self.syms.of(&cf.constant_pool, m.name)?,
                    desc: self.syms.of(&cf.constant_pool, m.descriptor)?,
                    access: m.access_flags,
                })
            })
            .collect()
    }
    /// Puts a class into the metaspace, with room for `vtable_len` entries; the hot block is blank except for the chain of superclasses.
    pub(super) fn install(&mut self, class: Class, vtable_len: usize, unit: UnitId) -> ClassId {
        let super_class = class.super_class;
        let interface = class.is_interface();
        let is_array = class.is_array();
        let off = self.heap.meta_alloc(unit, block_bytes(vtable_len));
        let id = self.heap.new_class(off);
        let mut display = [ClassId::NONE; class::DISPLAY];
        let mut depth = 0;
        if let Some(s) = super_class {
            // SAFETY: the superclass's hot block is initialised.
            let h = unsafe { &*self.heap.hot(s) };
            depth = h.depth + 1;
            display = h.display;
        }
        if !interface && (depth as usize) < class::DISPLAY {
            display[depth as usize] = id;
        }
        let hot = self.heap.hot(id);
        let cold = Box::into_raw(Box::new(Class { id, hot, ..class }));
        self.loaded.linker.cold.push(Cold(cold));
        // SAFETY: `hot` is fresh memory of the metaspace, large enough and aligned to 8.
        unsafe {
            hot.write(ClassHot {
                cold,
                instance_size: 0,
                state: InitState::Loaded as u32,
                kind: 0,
                elem_shift: 0,
                finalizable: 0,
                ref_kind: 0,
                depth,
                display,
                secondary_cache: ClassId::NONE,
                elem: ClassId::NONE,
                imt: std::ptr::null_mut(),
                imt_mask: 0,
                vtable_len: 0,
                mirror: crate::Ref::NULL,
                oop_map_len: 0,
                oop_map: std::ptr::null(),
                static_oops_len: 0,
                unit,
                static_oops: std::ptr::null(),
                vtable: [],
            });
        }
        if let Some(s) = super_class
            && (!interface || is_array)
        {
            self.heap.class_mut(s).subclasses.make().push(id);
        }
        self.loaded.classes.push(id);
        self.loaded.defined += u64::from(self.class(id).cf.is_some());
        if let Some(unit) = self.heap.gc.units.get_mut(unit) {
            unit.classes.push(id);
        }
        id
    }
    /// The relatives of a class live as long as the class.
    fn depend_on_relatives(&mut self, id: ClassId) {
        let k = self.class(id);
        let supers = k.interfaces.iter().chain(&k.super_class);
        let all: Vec<ClassId> = supers.chain(&k.nest_host).copied().collect();
        for c in all {
            self.heap.depend(id, c);
        }
    }
    /// Instance size, oop map, and what instances are special in.
    fn fill_hot(&mut self, id: ClassId, cf: &ClassFile) {
        let k = self.class(id);
        let (super_class, end) = (k.super_class, k.fields_end);
        let own = layout::oops(&k.fields, false);
        let name = k.name.clone();
        let boot = k.loader == LoaderId::BOOT;
        // SAFETY: hot blocks of installed classes are initialised.
        let (mut oops, mut ref_kind, mut finalizable) = match super_class {
            Some(s) => unsafe {
                let h = &*self.heap.hot(s);
                let map = match h.oop_map_len {
                    0 => Vec::new(),
                    n => std::slice::from_raw_parts(h.oop_map, n as usize).to_vec(),
                };
                (map, h.ref_kind, h.finalizable)
            },
            None => (Vec::new(), 0, 0),
        };
        oops.extend(own);
        oops.sort_unstable();
        if boot {
            ref_kind = match &*name {
                "java/lang/ref/SoftReference" => 1,
                "java/lang/ref/WeakReference" => 2,
                "java/lang/ref/FinalReference" => 3,
                "java/lang/ref/PhantomReference" => 4,
                "java/lang/ClassLoader" => 5,
                "java/lang/Module" | "java/lang/invoke/ResolvedMethodName" => 6,
                _ => ref_kind,
            };
        }
        if super_class.is_some()
            && let Some(m) = cf.method("finalize", "()V")
            && m.access_flags & acc::STATIC == 0
        {
            // a body that is a lone `return` needs no finalization
            let attributes = &m.attributes;
            let does = !attributes.has_code() || attributes.bytecodes().len() > 1;
            finalizable = u8::from(does && self.options.finalization);
        }
        let map = self.meta_words(self.heap.unit_of(id), &oops);
        // SAFETY: as above; nobody else writes the block.
        unsafe {
            let h = &mut *self.heap.hot(id);
            h.instance_size = layout::up(end, 8);
            h.kind = if boot && &*name == "java/lang/Class" {
                4
            } else {
                0
            };
            h.ref_kind = ref_kind;
            h.finalizable = finalizable;
            h.oop_map = map;
            h.oop_map_len = oops.len() as u32;
        }
    }
    /// Copies numbers into the metaspace.
    pub(super) fn meta_words(&mut self, unit: UnitId, v: &[u32]) -> *const u32 {
        if v.is_empty() {
            return std::ptr::null();
        }
        let off = self.heap.meta_alloc(unit, size_of_val(v));
        // SAFETY: `off` is fresh memory of the metaspace of that size.
        unsafe {
            let p = self.heap.region.base().add(off).cast::<u32>();
            p.copy_from_nonoverlapping(v.as_ptr(), v.len());
            p
        }
    }
    /// Writes the virtual method table.
    pub(super) fn fill_vtable(&mut self, id: ClassId, slots: &[VtableSlot]) {
        let own = self.class(id).methods.clone();
        // SAFETY: `install` made room for `slots.len()` entries behind the block.
        let p: *mut VtableEntry = unsafe { (&raw mut (*self.heap.hot(id)).vtable).cast() };
        for (i, slot) in slots.iter().enumerate() {
            let m = match *slot {
                VtableSlot::Inherited(m) => m,
                VtableSlot::Own(i) => own[i],
            };
            let callee: *mut Method = &mut *self.loaded.methods[m.0 as usize];
            // SAFETY: as above; the method is boxed and never moves.
            unsafe {
                p.add(i).write(VtableEntry {
                    entry: (*callee).entry,
                    callee,
                });
            }
        }
        // SAFETY: as above; all of them are written.
        unsafe { (*self.heap.hot(id)).vtable_len = slots.len() as u32 }
        self.account_metadata(id, false);
    }
}
