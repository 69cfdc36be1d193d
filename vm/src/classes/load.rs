//! Loading classes (JVMS 5.3): by the boot loader at once, by others through Java code.

pub use super::class_files::{ClassFileOf, DefineOptions};
use crate::classes::failures::NESTED;
use crate::classes::vtable::VtableSlot;
use crate::classes::{Class, ClassKind, InitState, PoolEntry, acc, names};
use crate::events::EventSet;
use crate::heap::units::UnitId;
use crate::ids::{ClassId, LoaderId, MethodId, Ref, Sym, ThreadId};
use crate::jdk::{self, JdkMethod, OptionalName, calls};
use crate::throw::{Cont, Next, R, Resume, Throw};
use crate::vm::Vm;
use rjvm_classfile::ClassFile;
use std::sync::Arc;

/// On whose behalf a class is loaded: decides what becomes of failures.
#[derive(Clone, Copy)]
pub(super) enum Mode {
    /// `loadClass` and similar methods: ClassNotFoundException.
    Plain,
    /// Resolution of this constant-pool entry: NoClassDefFoundError, remembered.
    Resolve(ClassId, PoolEntry),
    /// Superclass or superinterface of this class: NoClassDefFoundError.
    Super(LoaderId, Sym),
    /// Nest host of this class: a failure makes it its own host.
    Host(ClassId),
}

impl Mode {
    fn pack(self) -> (u64, u64) {
        let two = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
        match self {
            Mode::Plain => (0, 0),
            Mode::Resolve(c, i) => (1, two(c.0, i.pack())),
            Mode::Super(l, s) => (2, two(l.0, s.0)),
            Mode::Host(c) => (3, c.0.into()),
        }
    }
    fn unpack(tag: u64, v: u64) -> Mode {
        match tag {
            1 => Mode::Resolve(ClassId((v >> 32) as u32), PoolEntry::unpack(v as u32)),
            2 => Mode::Super(LoaderId((v >> 32) as u32), Sym(v as u32)),
            3 => Mode::Host(ClassId(v as u32)),
            _ => Mode::Plain,
        }
    }
}

impl Vm {
    /// A class that `loader` has been recorded as an initiating loader of; never runs code. Array names are fine.
    pub(crate) fn find_loaded(&mut self, loader: LoaderId, name: &str) -> Option<ClassId> {
        let element = name.trim_start_matches('[');
        let dimensions = name.len() - element.len();
        if dimensions > 255 {
            return None;
        }
        if dimensions > 0 {
            let mut c = match element.as_bytes() {
                [b'L', b'[', ..] => return None,
                [b'L', inner @ .., b';'] if !inner.is_empty() => {
                    self.find_loaded(loader, &element[1..element.len() - 1])?
                }
                [ch] if b"ZBCSIJFD".contains(ch) => self.primitive(*ch),
                _ => return None,
            };
            for _ in 0..dimensions {
                c = self.array_of(c);
            }
            return Some(c);
        }
        let sym = self.syms.find(name)?;
        self.loaded.loaders[loader.0 as usize]
            .classes
            .get(&sym)
            .copied()
    }
    /// Loads `name` (internal form; arrays too) with `loader`: boot classes at once, others by an
    /// upcall of `loadClass` with [`crate::throw::Resume::Again`]. ClassNotFoundException when there is none.
    pub fn load_class(&mut self, loader: LoaderId, name: &str) -> R<ClassId> {
        self.load_class_as(loader, name, Mode::Plain)
    }
    /// [`Vm::load_class`] for linking: a missing class is a NoClassDefFoundError.
    pub(crate) fn load_class_linked(&mut self, loader: LoaderId, name: &str) -> R<ClassId> {
        let sym = self.syms.intern(name);
        self.load_class_as(loader, name, Mode::Super(loader, sym))
    }
    pub(super) fn load_class_as(&mut self, loader: LoaderId, name: &str, mode: Mode) -> R<ClassId> {
        if let Some(c) = self.find_loaded(loader, name) {
            return self.seen(loader, c, mode);
        }
        let loader = self.requested_loader(loader);
        let element = name.trim_start_matches('[');
        if element.len() < name.len() {
            let inner = element.strip_prefix('L').and_then(|e| e.strip_suffix(';'));
            let Some(inner) = inner.filter(|_| name.len() - element.len() <= 255) else {
                return Err(missing(name, mode));
            };
            self.load_instance_class(loader, inner, name, mode)?;
            // the element is loaded now, so the array is found
            return self
                .find_loaded(loader, name)
                .ok_or_else(|| missing(name, mode));
        }
        self.load_instance_class(loader, name, name, mode)
    }
    /// The loader to ask for classes that `loader` has not loaded: for one that reflection made to define a
    /// single accessor, as in HotSpot its parent at once.
    fn requested_loader(&mut self, loader: LoaderId) -> LoaderId {
        let delegating = "jdk/internal/reflect/DelegatingClassLoader";
        if loader == LoaderId::BOOT {
            return loader;
        }
        let Some(delegating) = self.find_loaded(LoaderId::BOOT, delegating) else {
            return loader;
        };
        let object = self.loader_object(loader);
        if !self.instance_of(object, delegating) {
            return loader;
        }
        let parent = self.get(object, jdk::class_loader::PARENT);
        self.loader_id(parent)
    }
    fn load_instance_class(
        &mut self,
        loader: LoaderId,
        name: &str,
        requested: &str,
        mode: Mode,
    ) -> R<ClassId> {
        if let Some(c) = self.find_loaded(loader, name) {
            return Ok(c);
        }
        if self.loaded.linker.quiet {
            return Err(Box::new(Throw::Block));
        }
        let sym = self.syms.intern(name);
        if self
            .loaded
            .linker
            .defining
            .contains(&(self.cur, loader, sym))
        {
            return Err(Throw::msg("java/lang/ClassCircularityError", name));
        }
        if loader == LoaderId::BOOT {
            return match self.nest(NESTED, |vm| vm.load_boot(name, sym))? {
                Some(c) => Ok(c),
                None => Err(missing(requested, mode)),
            };
        }
        let object = self.loader_object(loader);
        // the class that needs it stays loaded meanwhile
        let user = match mode {
            Mode::Resolve(c, _) | Mode::Host(c) => self.mirror(c),
            Mode::Plain | Mode::Super(..) => Ref::NULL,
        };
        let load = self.jdk_method(
            self.loaded.known.class_loader,
            calls::class_loader::LOAD_CLASS,
        );
        let load = self.select_method(self.class_of(object), load)?;
        let dotted = self.new_string(&names::dotted(name))?;
        let (tag, data) = mode.pack();
        let requested = self.syms.intern(requested);
        // the element's name is found again from the name requested
        let cont = Cont::own(
            loaded,
            [
                u64::from(loader.0) << 32 | u64::from(requested.0),
                tag,
                data,
            ],
            [object, user, Ref::NULL],
        );
        let args = [u64::from(object.0), u64::from(dotted.0)];
        Err(Throw::call(load, &args, cont, Resume::Again))
    }
    /// Defines a class from bytes.
    pub(crate) fn define_class(
        &mut self,
        loader: LoaderId,
        name: Option<&str>,
        bytes: &[u8],
        mut o: DefineOptions,
    ) -> R<ClassId> {
        // only the class library, whose natives are trusted, has classes that need not be verified
        o.given |= !self.heap.inside;
        let domain = o.protection_domain;
        let fits = domain.is_null() || self.is_a(domain, jdk::protection_domain::CLASS);
        assert!(fits, "{domain:?} is no ProtectionDomain");
        if self.loaded.agents.transform && !o.hidden {
            return self.define_transformed(loader, name, bytes, o);
        }
        self.define_shown(loader, name, bytes, o)
    }
    pub(super) fn define_shown(
        &mut self,
        loader: LoaderId,
        name: Option<&str>,
        bytes: &[u8],
        o: DefineOptions,
    ) -> R<ClassId> {
        if !self.wants(EventSet::CLASS_FILES) && self.loaded.linker.shown.is_empty() {
            return self.define_bytes(loader, name, bytes, o);
        }
        let replaced = self.shown_class_file(name, loader, bytes, bytes);
        let r = self.define_bytes(loader, name, replaced.as_deref().unwrap_or(bytes), o);
        self.class_file_is_over(loader, bytes, &r);
        r
    }
    fn define_bytes(
        &mut self,
        loader: LoaderId,
        name: Option<&str>,
        bytes: &[u8],
        o: DefineOptions,
    ) -> R<ClassId> {
        let trusted = match loader {
            LoaderId::BOOT if !o.given => !self.options.verify_boot,
            _ => !self.options.verify_app,
        };
        let cf = self.parse_class(bytes, name, trusted)?;
        let actual = names::class_text(&cf.constant_pool, cf.this_class)?.into_owned();
        // a hidden class is called what its definer likes
        let run_time_name: Arc<str> = if o.hidden {
            let name = name.unwrap_or(&actual);
            format!("{name}+{:#018x}", self.loaded.linker.hidden + 1).into()
        } else if let Some(name) = name
            && name != actual
        {
            return Err(wrong_name(name, &actual));
        } else {
            actual.into()
        };
        let hidden = o.hidden;
        let event = match hidden {
            true => None,
            false => {
                let own = (loader, &run_time_name);
                let domain = o.protection_domain;
                let made = self.event_class_file(own, domain, &cf, Some(bytes));
                self.keep_parsed(bytes, &cf, &made);
                made?
            }
        };
        let (bytes, cf) = match &event {
            Some(made) => (&**made, self.parse_class(made, name, trusted)?),
            None => (bytes, cf),
        };
        // most of what was read to be checked is not needed again
        let kept = ClassFile::parse_kept(bytes).map_or_else(|_| cf.clone(), Arc::new);
        let r = self.define_parsed(loader, run_time_name.clone(), kept, o);
        if event.is_some() {
            self.event_class_is_over(loader, &run_time_name, &r);
        }
        self.keep_parsed(bytes, &cf, &r);
        if let Ok(id) = &r {
            self.loaded.linker.keep_unverified(*id, cf);
            self.loaded.linker.hidden += u64::from(hidden);
            if self.options.keep_class_files {
                self.keep_class_file(*id, bytes.into());
            }
        }
        r
    }
    /// Keeps a parsed class file as long as its definition waits for Java code.
    fn keep_parsed<T>(&mut self, bytes: &[u8], cf: &Arc<ClassFile>, r: &R<T>) {
        let parsed = &mut self.loaded.linker.parsed;
        parsed.retain(|(b, _)| b != bytes);
        if matches!(r, Err(t) if matches!(**t, Throw::Upcall(_))) {
            parsed.push((bytes.to_vec(), cf.clone()));
            // an entry whose definition never came back is of no use to anybody
            if parsed.len() > 64 {
                parsed.remove(0);
            }
        }
    }
    pub(super) fn keep_class_file(&mut self, id: ClassId, bytes: Box<[u8]>) {
        let k = self.class(id);
        let file = ClassFileOf {
            name: k.name.clone(),
            loader: k.loader,
            serial: self.loaded.loaders[k.loader.0 as usize].serial,
            bytes,
        };
        self.loaded.class_files.push(file);
    }
    /// Records `loader` as an initiating loader of `c` (JVMS 5.3).
    pub(crate) fn record_initiating(&mut self, loader: LoaderId, c: ClassId) -> R<()> {
        let sym = self.class(c).name_sym;
        self.check_recorded(loader, sym, c)?;
        self.loaded.loaders[loader.0 as usize]
            .classes
            .entry(sym)
            .or_insert(c);
        Ok(())
    }
    /// The array class with components of class `elem`.
    pub(crate) fn array_of(&mut self, elem: ClassId) -> ClassId {
        if let Some(a) = self.class(elem).array_class {
            return a;
        }
        let k = self.class(elem);
        let (kind, shift) = match k.kind {
            ClassKind::Primitive(ch) => (1, super::layout::size_of_type(ch).trailing_zeros()),
            _ => (2, 2),
        };
        let name: Arc<str> = match k.kind {
            ClassKind::Primitive(ch) => format!("[{}", ch as char),
            ClassKind::Array(_) => format!("[{}", k.name),
            ClassKind::Instance => format!("[L{};", k.name),
        }
        .into();
        let access = k.access & acc::PUBLIC | acc::FINAL | acc::ABSTRACT;
        let (loader, package, hidden) = (k.loader, k.package, k.hidden);
        let (object, cloneable, serializable) = (
            self.loaded.known.object,
            self.loaded.known.cloneable,
            self.loaded.known.serializable,
        );
        let table = self.class(object).vtable().iter();
        let slots: Vec<VtableSlot> = table
            .map(|fat| VtableSlot::Inherited(fat.method()))
            .collect();
        let interfaces = self.class(object).array_class.map_or_else(
            || Arc::from([cloneable, serializable]),
            |a| self.class(a).interfaces.clone(),
        );
        let class = self.bare_class(name, ClassKind::Array(elem), loader, access);
        let id = self.install(
            Class {
                super_class: Some(object),
                interfaces: interfaces.clone(),
                all_interfaces: interfaces,
                package,
                hidden,
                ..class
            },
            slots.len(),
            self.heap.unit_of(elem),
        );
        self.fill_vtable(id, &slots);
        // SAFETY: the class is installed; nobody else writes its block.
        unsafe {
            let h = &mut *self.heap.hot(id);
            h.kind = kind;
            h.elem_shift = shift as u8;
            h.elem = elem;
            h.state = InitState::Initialized as u32;
        }
        self.heap.class_mut(elem).array_class = Some(id);
        self.attach_mirror(id, &DefineOptions::default());
        id
    }
    /// A primitive type, made at start.
    pub(crate) fn make_primitive(&mut self, ch: u8, name: &str) -> ClassId {
        let access = acc::PUBLIC | acc::FINAL | acc::ABSTRACT;
        let kind = ClassKind::Primitive(ch);
        let class = self.bare_class(name.into(), kind, LoaderId::BOOT, access);
        let id = self.install(class, 0, UnitId::PERMANENT);
        // SAFETY: the class is installed; nobody else writes its block.
        unsafe {
            let h = &mut *self.heap.hot(id);
            h.kind = 3;
            h.state = InitState::Initialized as u32;
        }
        self.attach_mirror(id, &DefineOptions::default());
        id
    }
    /// A class without class file, superclass or members.
    fn bare_class(
        &mut self,
        name: Arc<str>,
        kind: ClassKind,
        loader: LoaderId,
        access: u16,
    ) -> Class {
        let name_sym = self.syms.intern(&name);
        Class {
            id: ClassId::NONE,
            hot: std::ptr::null_mut(),
            name: self.syms.str(name_sym).clone(),
            name_sym,
            loader,
            kind,
            access,
            super_class: None,
            interfaces: Arc::default(),
            all_interfaces: Arc::default(),
            cf: None,
            resolved: Default::default(),
            fields: Box::default(),
            methods: Box::default(),
            method_index: Default::default(),
            mirror_size: 0,
            array_class: None,
            nest_host: None,
            hidden: false,
            source: None,
            package: self.syms.intern(""),
            given: false,
            verified: true,
            init_cause: 0,
            fields_end: crate::heap::FIELDS,
            subclasses: Default::default(),
            selected: Default::default(),
            rare: Default::default(),
            has_defaults: false,
        }
    }
    /// The primitive type of a descriptor character (`V` included).
    pub fn primitive(&self, ch: u8) -> ClassId {
        self.loaded.primitives["ZBCSIJFDV"
            .bytes()
            .position(|b| b == ch)
            .expect("a primitive descriptor")]
    }
    /// Loads a boot class that must exist.
    pub fn boot_class(&mut self, name: &str) -> ClassId {
        // who asks here cannot wait for transformers
        let outer = std::mem::replace(&mut self.loaded.linker.plain, true);
        let r = self.load_class(LoaderId::BOOT, name);
        self.loaded.linker.plain = outer;
        match r {
            Ok(c) => c,
            Err(e) => panic!("the JDK lacks {name}: {e:?}"),
        }
    }
    /// A method of a (boot) class by name and descriptor; panics if absent.
    pub fn method_named(&mut self, c: ClassId, name: &str, desc: &str) -> MethodId {
        let (n, d) = (self.syms.intern(name), self.syms.intern(desc));
        self.find_method(c, n, d)
            .unwrap_or_else(|| panic!("{} has no method {name}{desc}", self.name(c)))
    }
    /// The method of a row of [`crate::jdk::calls`] in its class, which is loaded.
    ///
    /// # Panics
    /// If this JDK's class does not have it: `jdk::check` compares the table with each JDK.
    pub fn jdk_method(&mut self, c: ClassId, callee: JdkMethod) -> MethodId {
        debug_assert_eq!(&*self.class(c).name, callee.class);
        self.method_named(c, callee.name, callee.desc)
    }
    /// The method, if this JDK has it.
    pub fn has_method(&self, callee: OptionalName<JdkMethod>) -> Option<JdkMethod> {
        let OptionalName(callee) = callee;
        callee
            .versions
            .contains(self.library().feature())
            .then_some(callee)
    }
    /// The loading of a superclass of this class has ended.
    fn end_defining(&mut self, thread: ThreadId, loader: LoaderId, name: Sym) {
        self.loaded
            .linker
            .defining
            .retain(|k| *k != (thread, loader, name));
    }
}

/// No such class.
#[cold]
fn missing(name: &str, mode: Mode) -> Box<Throw> {
    let class = match mode {
        Mode::Plain => "java/lang/ClassNotFoundException",
        _ => "java/lang/NoClassDefFoundError",
    };
    Throw::msg(class, name)
}

#[cold]
pub(super) fn wrong_name(name: &str, actual: &str) -> Box<Throw> {
    Throw::msg(
        "java/lang/NoClassDefFoundError",
        format!("{name} (wrong name: {actual})"),
    )
}

/// `loadClass` has returned or thrown.
fn loaded(vm: &mut Vm, cont: &mut Cont, result: Result<crate::Value, Ref>) -> Next {
    let [packed, tag, data] = cont.data;
    let (loader, requested) = (LoaderId((packed >> 32) as u32), Sym(packed as u32));
    let mode = Mode::unpack(tag, data);
    if let Mode::Super(l, s) = mode {
        vm.end_defining(vm.cur, l, s);
    }
    let outcome = match result {
        Ok(v) => accept(vm, loader, requested, v.reference(), mode),
        Err(e) => Err(translate(vm, requested, e, mode)),
    };
    match (outcome, mode) {
        (Ok(()), _) => Next::Return(crate::Value::Void),
        (Err(t), Mode::Host(c)) => {
            vm.nest_host_failed(c, &t);
            Next::Return(crate::Value::Void)
        }
        (Err(t), Mode::Resolve(c, i)) => {
            vm.remember_error(c, i, &t);
            Next::Throw(t)
        }
        (Err(t), _) => Next::Throw(t),
    }
}

/// Checks what `loadClass` returned.
fn accept(vm: &mut Vm, loader: LoaderId, requested: Sym, mirror: Ref, mode: Mode) -> R<()> {
    let requested = vm.syms.str(requested).clone();
    let name = match requested.trim_start_matches('[') {
        element if element.len() < requested.len() => &element[1..element.len() - 1],
        _ => &requested,
    };
    if mirror.is_null() {
        return Err(missing(&requested, mode));
    }
    let c = vm.of_mirror(mirror);
    if &*vm.class(c).name != name || vm.class(c).hidden {
        return Err(missing(&requested, mode));
    }
    vm.record_initiating(loader, c)
}

/// The exception that the program sees when `loadClass` threw.
fn translate(vm: &mut Vm, requested: Sym, e: Ref, mode: Mode) -> Box<Throw> {
    let not_found = vm
        .find_loaded(LoaderId::BOOT, "java/lang/ClassNotFoundException")
        .is_some_and(|c| vm.instance_of(e, c));
    if matches!(mode, Mode::Plain) || !not_found {
        return Throw::object(e);
    }
    let name = vm.syms.str(requested).to_string();
    Throw::caused("java/lang/NoClassDefFoundError", Some(name), e)
}
