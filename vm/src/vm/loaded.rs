//! Classes and methods that are loaded, their loaders, and their links.

use crate::ids::{ClassId, LoaderId, Sym};
use crate::jdk;
use hashbrown::HashMap;

/// A class loader known to the VM.
#[derive(Default)]
pub struct Loader {
    /// Number in the order in which loaders came up; never used again.
    pub serial: u32,
    /// The `java.lang.ClassLoader` object, in a root cell (0 for the boot loader).
    pub cell: u32,
    /// Classes by name this loader is an initiating loader of (defined ones included).
    pub classes: HashMap<Sym, ClassId>,
    /// Packages defined to it so far with their module object (root cell; 0: unnamed or not yet known).
    pub packages: HashMap<Sym, u32>,
}

/// See the module.
pub(crate) struct LoadedClasses {
    /// All classes in order of creation.
    pub(crate) classes: Vec<ClassId>,
    /// All methods by number.
    pub(crate) methods: crate::classes::methods::Methods,
    /// Where numbered methods come from, as far as it was requested.
    pub(crate) origins: crate::classes::numbered::Origins,
    /// Classes of one name that are not the same.
    pub(crate) variants: crate::classes::variants::Variants,
    /// Class loaders; 0 is the boot loader.
    pub(crate) loaders: Vec<Loader>,
    /// [`Loader::serial`] of the youngest loader.
    pub(crate) last_loader: u32,
    /// Where the boot loader finds classes.
    pub(crate) boot_path: Option<crate::classpath::BootPath>,
    /// State of loading and linking.
    pub(crate) linker: crate::classes::Linker,
    /// Java agents.
    pub(crate) agents: crate::classes::agents::Agents,
    /// Classes of events.
    pub(crate) event_classes: crate::classes::event_classes::EventClasses,
    /// Well-known classes.
    pub(crate) known: jdk::KnownClasses,
    /// The JDK's class library, and where its known classes and fields are.
    pub(crate) library: crate::classes::places::Library,
    /// Primitive types in the order `Z B C S I J F D V`.
    pub(crate) primitives: [ClassId; 9],
    /// Method descriptors in the classes' constant pools.
    pub(crate) descriptors: crate::classes::descriptors::MethodDescriptors,
    /// Method types by descriptor (root cells): those all loaders agree on, and those a loader is using.
    pub(crate) method_types: HashMap<(Option<LoaderId>, Sym), u32>,
    /// Class files by the class defined from them, if they are stored.
    pub(crate) class_files: Vec<crate::classes::class_files::ClassFileOf>,
    /// Classes loaded so far, arrays left out.
    pub(crate) defined: u64,
    /// Those of them that have been unloaded.
    pub(crate) unloaded: u64,
}
