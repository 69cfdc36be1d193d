//! Run-time modules (JVMS 5.3.6): which module a class is in, what modules read and export.

use crate::ids::{LoaderId, Ref, Sym};
use hashbrown::{HashMap, HashSet};

/// A module of the graph: its index in [`Modules`].
pub type ModuleIndex = u32;

/// To whom a package is exported.
#[derive(Default)]
pub(crate) struct Exports {
    pub(crate) all: bool,
    pub(crate) all_unnamed: bool,
    pub(crate) to: HashSet<ModuleIndex>,
}

/// A named module, or the unnamed module of a loader.
#[derive(Default)]
pub(crate) struct NamedModule {
    /// The loader of its classes, with which it is unloaded.
    pub(crate) loader: LoaderId,
    /// Root cell of the `java.lang.Module`.
    pub(crate) cell: u32,
    /// `None`: an unnamed module.
    pub(crate) name: Option<String>,
    pub(crate) version: Option<String>,
    /// `jrt:/java.base`, a `file:` URL, …
    pub(crate) location: Option<String>,
    pub(crate) open: bool,
    pub(crate) reads: HashSet<ModuleIndex>,
    pub(crate) reads_unnamed: bool,
    /// Whether it reads the unnamed modules that code of agents needs.
    pub(crate) default_reads: bool,
    pub(crate) packages: HashSet<Sym>,
    pub(crate) exports: HashMap<Sym, Exports>,
}

/// The module graph of a VM.
#[derive(Default)]
pub struct Modules {
    /// Whether `java.base` has been defined.
    pub(crate) base_defined: bool,
    pub(crate) list: Vec<NamedModule>,
    /// Numbers of modules that are gone, the next to be used at the end.
    free: Vec<ModuleIndex>,
}

/// What [`define_module`](crate::Env::define_module) needs.
pub struct ModuleDef {
    /// The `java.lang.Module`.
    pub object: Ref,
    /// Name.
    pub name: String,
    /// Version.
    pub version: Option<String>,
    /// Location.
    pub location: Option<String>,
    /// Open modules export everything at run time.
    pub open: bool,
    /// The loader its classes are defined to.
    pub loader: LoaderId,
    /// Its packages, in internal form.
    pub packages: Vec<String>,
}

/// Why a module cannot be defined.
#[derive(Debug, PartialEq, Eq)]
pub enum ModuleError {
    /// It has been defined before.
    Defined,
    /// The loader has this package in another module (`None`: its unnamed one).
    Package(String, Option<String>),
}

impl Modules {
    pub(crate) fn add(&mut self, e: NamedModule) -> ModuleIndex {
        match self.free.pop() {
            Some(i) => {
                self.list[i as usize] = e;
                i
            }
            None => {
                self.list.push(e);
                self.list.len() as u32 - 1
            }
        }
    }
    /// The names of packages.
    pub(crate) fn each_symbol(&self, used: &mut dyn FnMut(Sym)) {
        for e in &self.list {
            e.packages
                .iter()
                .chain(e.exports.keys())
                .for_each(|&y| used(y));
        }
    }
    /// Forgets the modules of loaders that are gone.
    pub(crate) fn forget(&mut self, gone: impl Fn(LoaderId) -> bool) {
        let dead: HashSet<ModuleIndex> = (0..)
            .zip(&self.list)
            .filter(|(_, e)| gone(e.loader))
            .map(|(i, _)| i)
            .collect();
        for (i, e) in (0..).zip(&mut self.list) {
            if dead.contains(&i) {
                *e = NamedModule::default();
                self.free.push(i);
                continue;
            }
            e.reads.retain(|m| !dead.contains(m));
            for x in e.exports.values_mut() {
                x.to.retain(|m| !dead.contains(m));
            }
        }
        self.free.sort_unstable_by(|a, b| b.cmp(a));
    }
}
