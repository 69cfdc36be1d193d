//! Modules of classes: the module of a class, and questions about the graph.

use crate::ids::{ClassId, LoaderId, Ref, Sym};
use crate::jdk;
use crate::modules::{ModuleDef, ModuleError, ModuleIndex, NamedModule};
use crate::natives::Env;
use crate::vm::Vm;
use hashbrown::{HashMap, HashSet};

impl Vm {
    /// Number of a `java.lang.Module` in the graph; an unnamed one is entered when first seen.
    pub(crate) fn module_index(&mut self, object: Ref) -> ModuleIndex {
        let n = self.get(object, jdk::module::RJVM_MODULE) as u32;
        if n != 0 {
            return n - 1;
        }
        let loader = self.get(object, jdk::module::LOADER);
        let loader = self.loader_id(loader);
        let unit = self.heap.unit_of_loader(loader);
        let cell = self.heap.new_cell_of(unit, object);
        let i = self.modules.add(NamedModule {
            loader,
            cell,
            name: None,
            version: None,
            location: None,
            open: true,
            reads: HashSet::new(),
            reads_unnamed: true,
            default_reads: false,
            packages: HashSet::new(),
            exports: HashMap::new(),
        });
        self.set_number(object, jdk::module::RJVM_MODULE, i as i32 + 1);
        i
    }
    /// Classes made before `java.base` was defined get their module now.
    fn adopt_early_classes(&mut self, java_base: Ref) {
        let all: Vec<ClassId> = self
            .loaded
            .classes
            .iter()
            .chain(&self.loaded.primitives)
            .copied()
            .collect();
        for c in all {
            let m = self.mirror(c);
            if !m.is_null() && self.get(m, jdk::class::MODULE).is_null() {
                self.set(m, jdk::class::MODULE, java_base);
            }
        }
    }
    /// The unnamed module of a loader; null for the boot loader before it is set.
    pub(crate) fn unnamed_module(&mut self, loader: LoaderId) -> Ref {
        if loader == LoaderId::BOOT {
            let empty = self.syms.intern("");
            return match self.loaded.loaders[0].packages.get(&empty) {
                Some(&cell) if cell != 0 => self.heap.cell(cell),
                _ => Ref::NULL,
            };
        }
        let l = self.loader_object(loader);
        self.get(l, jdk::class_loader::UNNAMED_MODULE)
    }
    /// The module of a package of a loader: the value of the `module` field of the mirrors of the package's classes. Null while
    /// `java.base` isn't defined yet.
    pub(crate) fn module_of_package(&mut self, loader: LoaderId, package: Sym) -> Ref {
        match self.loaded.loaders[loader.0 as usize]
            .packages
            .get(&package)
        {
            Some(&cell) if cell != 0 => self.heap.cell(cell),
            // a class of java.base, as it will turn out
            _ if loader == LoaderId::BOOT && !self.modules.base_defined => Ref::NULL,
            _ => self.unnamed_module(loader),
        }
    }
    /// The module a class is in, as its mirror has it.
    pub fn module_of(&mut self, c: ClassId) -> Ref {
        let m = self.mirror(c);
        self.get(m, jdk::class::MODULE)
    }
    /// Name and version of a named module.
    pub fn module_name(&mut self, object: Ref) -> Option<(String, Option<String>)> {
        let i = self.module_index(object);
        let e = &self.modules.list[i as usize];
        e.name.clone().map(|n| (n, e.version.clone()))
    }
    /// Whether the modules let class `from` see the public class `to` (5.4.4); else the sentence that
    /// an `IllegalAccessError` says about it.
    pub(crate) fn module_access(&mut self, from: ClassId, to: ClassId) -> Result<(), String> {
        let fm = self.module_of(from);
        self.module_lets(fm, to, |vm| vm.class(from).dotted())
    }
    /// [`Vm::module_access`] for a class of module `fm` that need not exist yet.
    pub(crate) fn module_lets(
        &mut self,
        fm: Ref,
        to: ClassId,
        from_name: impl FnOnce(&Vm) -> String,
    ) -> Result<(), String> {
        let tm = self.module_of(to);
        if fm == tm || fm.is_null() || tm.is_null() {
            return Ok(());
        }
        let (f, t) = (self.module_index(fm), self.module_index(tm));
        let (from_entry, to_entry) = (
            &self.modules.list[f as usize],
            &self.modules.list[t as usize],
        );
        let (from_named, to_named) = (from_entry.name.is_some(), to_entry.name.is_some());
        let base = to_entry.name.as_deref() == Some("java.base");
        let reads = base
            || !from_named
            || from_entry.reads.contains(&t)
            || !to_named && from_entry.reads_unnamed;
        let package = self.class(to).package;
        let exported = !to_named
            || to_entry.open
            || to_entry
                .exports
                .get(&package)
                .is_some_and(|e| e.all || e.to.contains(&f) || !from_named && e.all_unnamed);
        if reads && exported {
            return Ok(());
        }
        let (fname, tname) = (from_name(self), self.class(to).dotted());
        let (fmod, tmod) = (self.module_text(f), self.module_text(t));
        let why = match reads {
            false => format!("{fmod} does not read {tmod}"),
            true => format!(
                "{tmod} does not export {} to {fmod}",
                self.syms.str(package).replace('/', ".")
            ),
        };
        Err(format!(
            "class {fname} (in {fmod}) cannot access class {tname} (in {tmod}) because {why}"
        ))
    }
    /// `module java.base`, `unnamed module @0x1b2c3d`.
    fn module_text(&mut self, i: ModuleIndex) -> String {
        let e = &self.modules.list[i as usize];
        match &e.name {
            Some(n) => format!("module {n}"),
            None => {
                let object = self.heap.cell(e.cell);
                format!("unnamed module @0x{:x}", self.identity_hash(object))
            }
        }
    }
}

impl Env {
    /// Whether the module object has been seen by `define_module`.
    pub fn module_is_defined(&mut self, object: Ref) -> bool {
        let n = self.0.get(object, jdk::module::RJVM_MODULE) as u32;
        n != 0 && self.0.modules.list[n as usize - 1].name.is_some()
    }
    /// Enters a named module with its packages.
    pub fn define_module(&mut self, d: ModuleDef) -> Result<ModuleIndex, ModuleError> {
        if self.module_is_defined(d.object) {
            return Err(ModuleError::Defined);
        }
        let base = d.name == "java.base" && d.loader == LoaderId::BOOT;
        let packages: Vec<Sym> = d.packages.iter().map(|p| self.0.syms.intern(p)).collect();
        for (&p, text) in packages.iter().zip(&d.packages) {
            if let Some(&cell) = self.0.loaded.loaders[d.loader.0 as usize].packages.get(&p)
                && cell != 0
            {
                let other = self.0.heap.cell(cell);
                let i = self.0.module_index(other);
                return Err(ModuleError::Package(
                    text.clone(),
                    self.0.modules.list[i as usize].name.clone(),
                ));
            }
        }
        let i = self.0.module_index(d.object);
        let e = &mut self.0.modules.list[i as usize];
        e.name = Some(d.name);
        e.version = d.version;
        e.location = d.location;
        e.open = d.open;
        e.reads_unnamed = false;
        e.packages = packages.iter().copied().collect();
        let cell = e.cell;
        for p in packages {
            self.0.loaded.loaders[d.loader.0 as usize]
                .packages
                .insert(p, cell);
        }
        if base {
            self.0.modules.base_defined = true;
            self.0.adopt_early_classes(d.object);
        }
        Ok(i)
    }
    /// The boot loader's unnamed module (`BootLoader.UNNAMED_MODULE`).
    pub fn set_boot_unnamed_module(&mut self, object: Ref) {
        let i = self.0.module_index(object);
        let cell = self.0.modules.list[i as usize].cell;
        let empty = self.0.syms.intern("");
        self.0.loaded.loaders[0].packages.insert(empty, cell);
    }
    /// The location the module was defined with.
    pub fn module_location(&mut self, object: Ref) -> Option<String> {
        let i = self.0.module_index(object);
        self.0.modules.list[i as usize].location.clone()
    }
    /// Whether the (named) module contains the package.
    pub fn module_has_package(&mut self, object: Ref, package: Sym) -> bool {
        let i = self.0.module_index(object);
        self.0.modules.list[i as usize].packages.contains(&package)
    }
    /// `from` reads `to` (null: all unnamed modules).
    pub fn add_reads(&mut self, from: Ref, to: Ref) {
        let f = self.0.module_index(from);
        match to.non_null() {
            None => self.0.modules.list[f as usize].reads_unnamed = true,
            Some(to) => {
                let t = self.0.module_index(to);
                self.0.modules.list[f as usize].reads.insert(t);
            }
        }
    }
    /// `from` exports `package` to module `to` (null: to everyone).
    pub fn add_exports(&mut self, from: Ref, package: Sym, to: Ref) {
        let f = self.0.module_index(from);
        let t = to.non_null().map(|to| self.0.module_index(to));
        let e = self.0.modules.list[f as usize]
            .exports
            .entry(package)
            .or_default();
        match t {
            None => e.all = true,
            Some(t) => {
                e.to.insert(t);
            }
        }
    }
    /// `from` exports `package` to all unnamed modules.
    pub fn add_exports_to_all_unnamed(&mut self, from: Ref, package: Sym) {
        let f = self.0.module_index(from);
        self.0.modules.list[f as usize]
            .exports
            .entry(package)
            .or_default()
            .all_unnamed = true;
    }
}
