//! The calling contexts recorded so far: threads, their trees, the counts of frames still open.

use super::ops_mem::{ALLOCATION_SLOTS, IN_CONTEXTS, IN_SAMPLES, UNCOUNTED};
use crate::ids::{MethodId, ThreadId};
use crate::vm::Vm;
use rjvm_profiler::cct::{Node, Visit, Walk};

impl Vm {
    fn is_running(&self, t: ThreadId) -> bool {
        t == self.cur && self.in_interpreter
    }
    /// Bytecodes a thread has executed, the one it is at included if that has begun.
    pub fn executed(&mut self, t: ThreadId) -> i64 {
        if !self.is_running(t) {
            return self.threads[t.0 as usize].executed;
        }
        let r = self.regs_of(t);
        let bottom = self.threads[t.0 as usize].stack_bottom();
        if r.cs.is_null() || r.cs >= bottom {
            return r.ticks;
        }
        // SAFETY: `cs` is the thread's top control frame.
        unsafe {
            match (*r.cs).method.is_null() {
                true => r.ticks,
                // the count of the top frame includes what its potential says
                false => {
                    r.ticks
                        + (*(*r.cs).method)
                            .position(r.ip, true)
                            .map_or(0, |p| p.lag())
                }
            }
        }
    }
    /// Bytecodes all threads together have executed, the one the running thread is at included.
    pub fn bytecodes_now(&mut self) -> i64 {
        let mut now = self.bytecodes;
        if self.in_interpreter {
            now += self.executed(self.cur) - self.threads[self.cur.0 as usize].executed;
        }
        now
    }
    /// Runs `f` on every control frame's open context so that the tree is complete although frames are open.
    pub fn flush_open_frames(&mut self) {
        if !self.profiling() {
            return;
        }
        self.contained(|vm| {
            vm.note_open_frames();
            for t in 0..vm.threads.len() {
                let id = ThreadId(t as u32);
                let ticks = vm.executed(id);
                vm.flush_frames_of(id, ticks);
            }
        });
    }
    /// Gives the contexts of a thread's open frames what has been executed in them up to the thread's
    /// bytecode `ticks`.
    pub(crate) fn flush_frames_of(&mut self, id: ThreadId, ticks: i64) {
        let r = self.regs_of(id);
        let th = &self.threads[id.0 as usize];
        if th.root.is_null() || r.cs.is_null() {
            return;
        }
        let mut cs = r.cs;
        let bottom = th.stack_bottom();
        // SAFETY: control frames between top and bottom are valid.
        unsafe {
            while cs < bottom {
                let f = &mut *cs;
                if !f.method.is_null() {
                    (*f.node).inclusive += ticks - f.ticks;
                    f.ticks = ticks;
                }
                cs = cs.add(1);
            }
        }
    }
    /// What allocations count in.
    pub(super) fn allocation_mode(&self) -> u8 {
        match (self.options.allocations, self.profiling()) {
            (false, _) => UNCOUNTED,
            (true, true) => IN_CONTEXTS,
            (true, false) => IN_SAMPLES,
        }
    }
    /// Whether allocations are counted in contexts.
    fn counts_allocations(&self) -> bool {
        self.allocation_mode() == IN_CONTEXTS
    }
    /// Slots at the start of each node that are no child slots.
    pub(super) fn fixed_slots(&self) -> u32 {
        match self.counts_allocations() {
            true => ALLOCATION_SLOTS,
            false => 0,
        }
    }
    /// Counts what a slow path has allocated for an instruction of `node`.
    pub(super) fn commit_allocations(&mut self, node: *mut Node) {
        let (objects, bytes) = std::mem::take(&mut self.allocated);
        if objects == 0 {
            return;
        }
        self.tell_allocated();
        let mode = self.allocation_mode();
        if mode != UNCOUNTED {
            let sum = self.allocated_in_slice();
            sum[0] += objects;
            sum[1] += bytes;
        }
        if mode == IN_CONTEXTS {
            // SAFETY: the node of a frame, made with the slots for allocations.
            unsafe {
                *Node::kid(node, 0).cast::<u64>() += objects;
                *Node::kid(node, 1).cast::<u64>() += bytes;
            }
        }
    }
    /// Objects and bytes allocated in a context itself.
    pub fn allocations(&self, visit: &Visit) -> (u64, u64) {
        if !self.counts_allocations() {
            return (0, 0);
        }
        let node = visit.node.cast_mut();
        // SAFETY: as above; the node is alive.
        unsafe {
            (
                *Node::kid(node, 0).cast::<u64>(),
                *Node::kid(node, 1).cast::<u64>(),
            )
        }
    }
    /// The threads that have contexts, with a walk over each tree below the thread's root: all that is
    /// in the scope `main`, or `all` there is. Open frames are to be flushed before, and nothing may
    /// run while there are walks.
    pub fn contexts(&self, all: bool) -> Vec<(ThreadId, Vec<Walk>)> {
        let mut found = Vec::new();
        for thread in self.threads.iter().filter(|t| !t.root.is_null()) {
            let main = self.main_thread.filter(|m| m.0 == thread.id);
            let mut roots = Vec::new();
            // SAFETY: nodes live as long as the VM.
            unsafe {
                let mut child = (*thread.root).first_child;
                while !child.is_null() {
                    let shown = match main {
                        Some((_, method)) => self.original(MethodId((*child).method)) == method,
                        None => thread.started_in_main,
                    };
                    if all || shown {
                        roots.push(Walk::new(child));
                    }
                    child = (*child).next_sibling;
                }
            }
            if !roots.is_empty() {
                found.push((thread.id, roots));
            }
        }
        found
    }
}
