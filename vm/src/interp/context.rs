//! Calling contexts as a host reads them while the program runs.

use crate::ids::{MethodId, ThreadId};
use crate::vm::Vm;
use rjvm_profiler::cct::{ContextNode, Walk};

/// A calling context: a method with the methods on the stack below it (and, unless
/// call sites are merged, where in them they were called).
#[derive(Clone, Copy)]
pub struct Context<'a> {
    vm: &'a Vm,
    node: *const ContextNode,
}

impl<'a> Context<'a> {
    fn node(&self) -> &'a ContextNode {
        // SAFETY: nodes live as long as the VM, which is borrowed: nothing writes them.
        unsafe { &*self.node }
    }
    pub(super) fn of(vm: &'a Vm, node: *const ContextNode) -> Option<Context<'a>> {
        (!node.is_null()).then_some(Context { vm, node })
    }
    /// What reports it from all others of the VM, for use as a key. Means nothing else.
    pub fn id(&self) -> usize {
        self.node as usize
    }
    /// The method; `None` for the root of a thread.
    pub fn method(&self) -> Option<MethodId> {
        Some(MethodId(self.node().method)).filter(|m| m.0 != u32::MAX)
    }
    /// How often the method was invoked in this context.
    pub fn invocations(&self) -> u64 {
        self.node().invocations
    }
    /// Bytecodes executed in it and below; 0 for the root of a thread.
    pub fn inclusive(&self) -> i64 {
        self.node().inclusive
    }
    /// Bytecodes executed in it, callees excluded.
    pub fn exclusive(&self) -> i64 {
        match self.method() {
            Some(_) => self.inclusive() - self.callees().map(|c| c.inclusive()).sum::<i64>(),
            None => 0,
        }
    }
    /// A walk over it and all contexts below it, for a [`Builder`](rjvm_profiler::Builder). Nothing may run while there is one.
    pub fn walk(&self) -> Walk {
        // SAFETY: nodes live as long as the VM; nobody changes links while nothing runs.
        unsafe { Walk::new(self.node) }
    }
    /// The context it was called in.
    pub fn caller(&self) -> Option<Context<'a>> {
        // SAFETY: nodes live as long as the VM.
        Context::of(self.vm, unsafe { ContextNode::parent(self.node) })
    }
    /// The contexts called in it, in no order that means anything. The main thread's root has the profiled ones: `main` alone,
    /// or all.
    pub fn callees(&self) -> impl Iterator<Item = Context<'a>> + use<'a> {
        let vm = self.vm;
        let only = match (self.method(), vm.main_thread) {
            (None, Some((t, main))) if !vm.options.sample_all => {
                let root = vm.threads[t.0 as usize].root.cast_const();
                (root == self.node).then_some(main)
            }
            _ => None,
        };
        // SAFETY: as above.
        let mut next = unsafe { ContextNode::first_child(self.node) };
        std::iter::from_fn(move || {
            let found = Context::of(vm, next)?;
            // SAFETY: as above.
            next = unsafe { ContextNode::next_sibling(found.node) };
            Some(found)
        })
        .filter(move |c| only.is_none_or(|main| c.method() == Some(main)))
    }
}

impl Vm {
    /// Root of a thread's calling contexts, if these are recorded and it has run. The counts are
    /// complete for an observer that wants [`EventSet::CONTEXTS`](crate::events::EventSet::CONTEXTS), and after [`Vm::flush_open_frames`].
    pub fn root_context(&self, t: ThreadId) -> Option<Context<'_>> {
        Context::of(self, self.threads.get(t.0 as usize)?.root)
    }
    /// The context that the running thread is in.
    pub fn current_context(&self) -> Option<Context<'_>> {
        if !self.in_interpreter || !self.profiling() {
            return None;
        }
        // SAFETY: `Hot` lies at the region's base; the running thread has a top frame, whose node is
        // of the arena when contexts are recorded.
        unsafe { Context::of(self, (*(*self.hot()).regs.cs).node) }
    }
}
