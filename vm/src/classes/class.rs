//! A run-time class: the hot block in the metaspace that the interpreter reads, and the rest.

pub use super::resolved::{CallSite, Resolved};
use crate::classes::resolutions::Resolutions;
use crate::classes::tables::{MethodIndex, RareData};
use crate::classes::{Method, MethodSource, RethrownError};
use crate::heap::units::UnitId;
use crate::ids::{ClassId, LoaderId, MethodId, Ref, Sym};
use hashbrown::HashMap;
use rjvm_classfile::ClassFile;
use std::sync::Arc;

/// Depth of the inline display of superclasses; deeper tests go the slow way.
pub const DISPLAY: usize = 8;

/// A virtual method table entry, inline behind [`ClassHot`].
#[repr(C)]
#[derive(Clone, Copy)]
pub struct VtableEntry {
    /// Address of the callee's first instruction (copy of `callee.entry`).
    pub entry: *const u8,
    /// The selected method.
    pub callee: *mut Method,
}

impl VtableEntry {
    /// The selected method's number.
    pub(crate) fn method(&self) -> MethodId {
        // SAFETY: entries of tables have methods of classes that live as long.
        unsafe { (*self.callee).id }
    }
}

/// An entry of a class's interface-call cache (direct mapped by interface method id).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ImtEntry {
    /// The interface method requested (null: empty).
    pub key: *const Method,
    /// The selected method.
    pub callee: *mut Method,
}

/// What the interpreter and the collector read of a class; lives in the metaspace and never moves.
/// Object headers and class tests use its offset from the region's base divided by 8 ([`ClassId`]).
#[repr(C)]
pub struct ClassHot {
    /// The rest of the class.
    pub cold: *mut Class,
    /// Bytes of an instance, header included, multiple of 8 (0 for arrays).
    pub instance_size: u32,
    /// [`InitState`] as a number.
    pub state: u32,
    /// 0 instance class, 1 array of primitives, 2 array of references, 3 primitive type, 4 `java.lang.Class` itself.
    pub kind: u8,
    /// log2 of the element size of an array.
    pub elem_shift: u8,
    /// 1 when instances need finalization (a non-empty `finalize()`).
    pub finalizable: u8,
    /// What instances are to the collector: 0 nothing special, 1 soft, 2 weak, 3 final, 4 phantom references, 5 class loaders,
    /// 6 what else has a number that the VM added and relies on, as loaders have.
    pub ref_kind: u8,
    /// Number of superclasses (Object: 0).
    pub depth: u32,
    /// Superclass chain by depth (this class at `depth`), as far as it fits; 0 where none. Interfaces have
    /// only Object here. Arrays of references: Object.
    pub display: [ClassId; DISPLAY],
    /// Last class or interface a slow subtype test of this class succeeded for.
    pub secondary_cache: ClassId,
    /// Component type of an array class.
    pub elem: ClassId,
    /// Interface-call cache (null until first used).
    pub imt: *mut ImtEntry,
    /// Number of IMT entries minus 1.
    pub imt_mask: u32,
    /// Number of [`VtableEntry`] entries behind this block.
    pub vtable_len: u32,
    /// The `java.lang.Class` object; allocated in the metaspace with the static fields in it, so it never moves.
    pub mirror: Ref,
    /// Number of entries of `oop_map`.
    pub oop_map_len: u32,
    /// Byte offsets of the instance's reference fields, superclasses included, ascending.
    pub oop_map: *const u32,
    /// Number of entries of `static_oops`.
    pub static_oops_len: u32,
    /// The unit that it is unloaded with.
    pub unit: UnitId,
    /// Byte offsets in the mirror of the static reference fields.
    pub static_oops: *const u32,
    /// The virtual method table.
    pub vtable: [VtableEntry; 0],
}

/// Initialization state (JVMS 5.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[repr(u32)]
pub enum InitState {
    /// Created, not linked.
    Loaded = 0,
    /// Verified and prepared.
    Linked = 1,
    /// A thread is running the initialization.
    InProgress = 2,
    /// Ready.
    Initialized = 3,
    /// The initializer threw.
    Erroneous = 4,
}

/// The kind of type of a class object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassKind {
    /// A class or interface made from a class file.
    Instance,
    /// An array with this component type.
    Array(ClassId),
    /// A primitive type, by its descriptor character (`V` included).
    Primitive(u8),
}

/// A field of a run-time class.
#[derive(Clone, Debug)]
pub struct Field {
    /// Simple name.
    pub name: Sym,
    /// Descriptor.
    pub desc: Sym,
    /// Access flags (JVMS table 4.5-A).
    pub access: u16,
    /// Byte offset in the instance, or in the mirror for a static field.
    pub offset: u32,
    /// First character of the descriptor.
    pub ty: u8,
    /// Index in the class file's field list; `u16::MAX` for a field injected by the VM.
    pub index: u16,
    /// `@Stable`, `@Contended` and others are ignored; this is set for `final` fields that Java code may
    /// not change even by reflection (hidden classes, records).
    pub trusted_final: bool,
}

/// The cold part of a class.
pub struct Class {
    /// This class.
    pub id: ClassId,
    /// Hot block.
    pub hot: *mut ClassHot,
    /// Binary name in internal form (`java/lang/String`, `[I`, `int`); of hidden classes with `+` as in `p/C+0x1`.
    pub name: Arc<str>,
    /// The same as a symbol.
    pub name_sym: Sym,
    /// Defining loader.
    pub loader: LoaderId,
    /// Kind.
    pub kind: ClassKind,
    /// Access flags of the class file (`ACC_SUPER` included).
    pub access: u16,
    /// Direct superclass.
    pub super_class: Option<ClassId>,
    /// Direct superinterfaces, in order.
    pub interfaces: Arc<[ClassId]>,
    /// All superinterfaces, inherited ones included, no duplicates.
    pub all_interfaces: Arc<[ClassId]>,
    /// The class file (none for arrays and primitive types).
    pub cf: Option<Arc<ClassFile>>,
    /// Resolution state by constant-pool index.
    pub resolved: Resolutions,
    /// What few classes have.
    pub rare: RareData<Rare>,
    /// Declared fields (injected ones at the end).
    pub fields: Box<[Field]>,
    /// Declared methods in class-file order, then inserted ones (none today).
    pub methods: Box<[MethodId]>,
    /// The same by name and descriptor, if they are many.
    pub(super) method_index: MethodIndex,
    /// Bytes of the mirror, statics included.
    pub mirror_size: u32,
    /// Array class of this component type.
    pub array_class: Option<ClassId>,
    /// Host of the nest, once resolved.
    pub nest_host: Option<ClassId>,
    /// Hidden class (JVMS 5.4.4 note, `Lookup.defineHiddenClass`).
    pub hidden: bool,
    /// Class data object of a hidden class, protection domain, signers: live in the mirror's fields.
    pub source: Option<Arc<str>>,
    /// Package name in internal form (empty: unnamed package).
    pub package: Sym,
    /// The boot loader has it from elsewhere than the JDK: it is verified like the classes of other loaders.
    pub given: bool,
    /// Whether the verifier has passed it (or it is exempt).
    pub verified: bool,
    /// Root cell of the ExceptionInInitializerError that later NoClassDefFoundErrors have as their cause (0: none).
    pub init_cause: u32,
    /// End of the last instance field, before rounding up to the instance size.
    pub fields_end: u32,
    /// Direct subclasses (of an interface: none), arrays included.
    pub subclasses: RareData<Vec<ClassId>>,
    /// Selected methods of interface methods requested so far, ascending.
    pub selected: Box<[(MethodId, MethodId)]>,
    /// Whether an interface declares a method that is neither abstract nor static (JVMS 5.5, step 7).
    pub has_defaults: bool,
}

// one for each loaded class; with what malloc adds, 288 bytes
const _: () = assert!(size_of::<Class>() <= 280);

/// What few classes have.
#[derive(Default)]
pub struct Rare {
    /// Linked invokedynamic instructions, by (number of the pool and method index, bci).
    pub call_sites: HashMap<(u32, u32), Result<CallSite, Arc<RethrownError>>>,
    /// Why the class is its own nest host although it names another.
    pub nest_error: Option<Box<str>>,
    /// Method handle linkers by name and descriptor, made on demand (JVMS 2.9.3).
    pub linkers: HashMap<(Sym, Sym), MethodId>,
    /// Which it is of the classes of its name that are not the same, 0 for the first one.
    pub variant: u32,
    /// What agents have made of it.
    pub(crate) changed: RareData<super::pools::Changed>,
}

impl Rare {
    /// The number of the pool of the class file.
    pub(crate) fn current_pool(&self) -> u16 {
        self.changed.get().map_or(0, |c| c.pools.current())
    }
}

impl Class {
    /// Whether this is an interface.
    pub fn is_interface(&self) -> bool {
        self.access & super::acc::INTERFACE != 0 && matches!(self.kind, ClassKind::Instance)
    }
    /// Whether this is abstract (interfaces included).
    pub fn is_abstract(&self) -> bool {
        self.access & super::acc::ABSTRACT != 0
    }
    /// Where one of its methods is in the sources, if the class file names its file.
    pub fn source_of(&self, m: &Method) -> Option<MethodSource> {
        let code = m.code();
        let file = code.map_or(self.cf.as_deref(), |code| Some(code.cf))?;
        let name = file.attributes.source_file?;
        Some(MethodSource {
            file: file.constant_pool.str(name).ok()?.into(),
            lines: code.map_or(Box::default(), |code| code.attr().line_numbers[..].into()),
        })
    }
    /// The virtual method table, miranda entries included.
    pub(crate) fn vtable(&self) -> &[VtableEntry] {
        // SAFETY: the hot block lives as long as this does, with so many entries behind it.
        unsafe {
            let hot = self.hot;
            let table = (&raw const (*hot).vtable).cast();
            std::slice::from_raw_parts(table, (*hot).vtable_len as usize)
        }
    }
    /// Entry number `slot` of the virtual method table.
    pub(crate) fn virtual_method(&self, slot: usize) -> Option<MethodId> {
        self.vtable().get(slot).map(VtableEntry::method)
    }
    /// Whether this is an array class.
    pub fn is_array(&self) -> bool {
        matches!(self.kind, ClassKind::Array(_))
    }
    /// Whether this is a primitive type.
    pub fn is_primitive(&self) -> bool {
        matches!(self.kind, ClassKind::Primitive(_))
    }
    /// The name with dots (`java.lang.String`, `[Ljava.lang.String;`), as `Class.getName`.
    pub fn dotted(&self) -> String {
        if self.hidden {
            // the suffix keeps its slash: `p.C/0x0000000000000001`
            let (a, b) = self.name.split_once('+').unwrap_or((&self.name, ""));
            return format!("{}/{}", a.replace('/', "."), b);
        }
        self.name.replace('/', ".")
    }
    /// Whether a constant of the class's own file names this class; the name of a hidden class differs from the name in its file.
    pub fn is_named_by(&self, index: u16) -> bool {
        let Some(cf) = self.cf.as_ref().filter(|_| index != 0) else {
            return false;
        };
        let named = cf.constant_pool.class_name(index);
        index == cf.this_class || named.is_ok_and(|n| *n == *self.name)
    }
    /// A declared field by name and descriptor.
    pub fn find_field(&self, name: Sym, desc: Sym) -> Option<u32> {
        self.fields
            .iter()
            .position(|f| f.name == name && f.desc == desc)
            .map(|i| i as u32)
    }
}
