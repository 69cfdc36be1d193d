//! Small copyable names of run-time things: object references, classes, methods, symbols, threads.

/// A reference to a heap object: the byte offset from the region's base divided by 8. 0 is `null`.
///
/// It comes from a VM only, so that no safe code reads or writes where no object is:
///
/// ```compile_fail,E0423
/// let invented = rjvm_vm::Ref(8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct Ref(pub(crate) u32);

impl Ref {
    /// The `null` reference.
    pub const NULL: Ref = Ref(0);
    /// Whether this is `null`.
    #[inline(always)]
    pub fn is_null(self) -> bool {
        self.0 == 0
    }
    /// `None` for `null`.
    #[inline(always)]
    pub fn non_null(self) -> Option<Ref> {
        if self.0 == 0 { None } else { Some(self) }
    }
    /// As it is in a slot of a frame, for arguments and results.
    #[inline(always)]
    pub fn slot(self) -> u64 {
        self.0.into()
    }
    /// Back from a slot.
    ///
    /// # Safety
    /// The slot holds a reference (or null) of the VM it is used with, and no collection has happened since it
    /// was read: an argument, a result, or what a root cell holds.
    #[inline(always)]
    pub unsafe fn from_slot(slot: u64) -> Ref {
        Ref(slot as u32)
    }
}

/// A run-time class: the offset of its [`crate::classes::ClassHot`] from the region's base divided
/// by 8. It is also the word that is in the header of the class's instances.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct ClassId(pub u32);

impl ClassId {
    /// "No class" (never a valid class).
    pub const NONE: ClassId = ClassId(0);
    /// Whether this is [`ClassId::NONE`].
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// A run-time method: index into the VM's method list, in order of creation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct MethodId(pub u32);

/// An interned string of the VM (names and descriptors).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct Sym(pub u32);

/// A class loader: 0 is the boot loader, others are numbered as they first define or load a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct LoaderId(pub u32);

impl LoaderId {
    /// The boot loader (`null` in Java).
    pub const BOOT: LoaderId = LoaderId(0);
}

/// A green thread: index into the VM's thread table; used again when the thread has ended, unless a
/// profile names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct ThreadId(pub u32);
