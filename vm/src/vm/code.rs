//! Translated code of a VM beside the code of its methods.

/// See the module.
pub(crate) struct TranslatedCode {
    /// Code that belongs to no method.
    pub(crate) stubs: crate::interp::Stubs,
    /// Memory of translations.
    pub(crate) translator: crate::interp::Buffers,
    /// Methods that have the bodies which were replaced.
    pub(crate) obsolete: crate::interp::Obsolete,
    /// Methods that run as Rust code.
    pub(crate) intrinsics: crate::interp::Intrinsics,
    /// How often a method's code was made: where code is may mean something else afterwards.
    pub(crate) age: u64,
    /// Translated code that goes when the interpreter is next entered.
    #[allow(
        clippy::vec_box,
        reason = "frames point at parts of it, so it stays where it is"
    )]
    pub(crate) discarded: Vec<Box<crate::interp::Translated>>,
    /// Handler that the stepping handler runs next.
    pub(crate) step_handler: Option<crate::interp::Handler>,
    /// A word of a method's code that stops there, and the handler it replaces.
    pub(crate) breakpoint: Option<crate::interp::Breakpoint>,
    /// Compiled code.
    pub(crate) tier: crate::interp::Tier,
    /// Calls that remember a class which can be unloaded.
    pub(crate) call_caches: Vec<crate::interp::CallCache>,
}
