//! What of a VM's state may be seen from outside of this crate, and the little of it that may be changed: the
//! fields themselves are private, so that nobody breaks what they are to each other.

use crate::classes::Method;
use crate::ids::{ClassId, LoaderId, MethodId, Sym, ThreadId};
use crate::symbols::Symbols;
use crate::threads::JavaThread;
use crate::vm::{Options, Vm};

impl Vm {
    /// Settings.
    #[inline(always)]
    pub fn options(&self) -> &Options {
        &self.options
    }
    /// Lets go the address space that was kept free for a profile's making.
    pub fn release_kept_contexts(&mut self) {
        self.cct.release_kept_free();
    }
    /// Names.
    #[inline(always)]
    pub fn symbols(&self) -> &Symbols {
        &self.syms
    }
    /// The symbol of a name, made if there is none.
    pub fn symbol(&mut self, name: &str) -> Sym {
        self.syms.intern(name)
    }
    /// What the native under way keeps for the next time it runs; zeros when it has returned.
    pub fn native_state(&mut self) -> &mut [u64; 2] {
        &mut self.thread().native_state
    }
    /// The running thread's number.
    #[inline(always)]
    pub fn current(&self) -> ThreadId {
        self.cur
    }
    /// Makes a thread that the host owns the current one, while nothing runs.
    pub fn make_current(&mut self, t: ThreadId) {
        assert!(
            !self.in_interpreter,
            "threads change between bytecodes only"
        );
        assert!((t.0 as usize) < self.threads.len(), "no thread {t:?}");
        self.cur = t;
    }
    /// A thread.
    pub fn a_thread(&self, t: ThreadId) -> &JavaThread {
        &self.threads[t.0 as usize]
    }
    /// All threads there have been, by number.
    pub fn all_threads(&self) -> impl ExactSizeIterator<Item = &JavaThread> {
        self.threads.iter().map(|t| &**t)
    }
    /// All classes in order of creation.
    pub fn all_classes(&self) -> &[ClassId] {
        &self.classes
    }
    /// What is left of a method that has been unloaded.
    pub fn retired_method(&self, m: MethodId) -> Option<&crate::classes::methods::Retired> {
        self.methods.retired(m)
    }
    /// The serial number of a loader.
    pub fn loader_serial(&self, l: LoaderId) -> u32 {
        self.loaders[l.0 as usize].serial
    }
    /// All methods by number.
    pub fn all_methods(&self) -> impl Iterator<Item = &Method> {
        self.methods.iter()
    }
}
