//! The calling contexts recorded so far: threads, their trees, the counts of frames still open.

use super::frame::Regs;
use super::ops_mem::{ALLOCATION_SLOTS, IN_CONTEXTS, IN_SAMPLES, UNCOUNTED};
use crate::events::EventSet;
use crate::ids::{MethodId, ThreadId};
use crate::vm::Vm;
pub use crate::vm::hooks::TakeContexts;
use crate::vm::limits::UnderWay;
use rjvm_profiler::cct::{ChildLinks, ContextNode, Folded, Visit, Walk};
use std::ops::Range;

/// Where so many child links of a node with `fixed` slots before them begin and end, in bytes.
pub(super) fn child_links(fixed: u32, links: u32) -> Range<usize> {
    let begin = ContextNode::size(fixed);
    begin..begin + links as usize * ContextNode::LINK
}

impl UnderWay {
    fn at(r: &Regs) -> UnderWay {
        UnderWay {
            instruction: r.ip as usize,
            frame: r.cs as usize,
        }
    }
}

impl Vm {
    fn is_running(&self, t: ThreadId) -> bool {
        t == self.cur && self.in_interpreter
    }
    /// Bytecodes a thread has executed, without the one that may throw or call in the instruction that it is at.
    pub(crate) fn executed(&mut self, t: ThreadId) -> i64 {
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
                    let under_way = self.limits.under_way == UnderWay::at(&r);
                    let at = (*(*r.cs).method).position(r.ip, true);
                    let lag = at.map(|p| match under_way {
                        true => p.begun() - 1,
                        false => p.lag(),
                    });
                    r.ticks + lag.unwrap_or(0)
                }
            }
        }
    }
    /// Control is at an instruction that has begun, or at the next one. One translation may do in one instruction what another
    /// does in several: a host that counts bytecodes must not notice that.
    pub(super) fn note_under_way(&mut self, begun: bool) {
        self.limits.under_way = match begun {
            true => UnderWay::at(self.regs()),
            false => UnderWay::default(),
        };
    }
    /// How many calling contexts have been recorded, and the bytes they take.
    pub fn contexts_recorded(&self) -> (u64, u64) {
        (self.profile.cct.nodes(), self.profile.cct.bytes())
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
    /// Adds the bytecodes executed in a thread's open frames, up to the thread's bytecode `ticks`, to their contexts.
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
    /// Where the child links of a context of `method` begin and end. None are left of a class that is
    /// unloaded: no call comes from there any more.
    pub(super) fn child_links(&self, method: u32) -> Range<usize> {
        let kids = self
            .loaded
            .methods
            .find(MethodId(method))
            .map_or(0, |m| m.kids);
        child_links(self.fixed_slots(), kids)
    }
    /// Whether contexts take too much memory. An agent that looks at contexts while the program runs keeps all of them.
    pub(super) fn contexts_are_full(&self) -> bool {
        self.profile.cct.is_full() && self.profiling() && !self.wants(EventSet::CONTEXTS)
    }
    /// Folds contexts, which take too much memory (see [`Arena::fold`](rjvm_profiler::cct::Arena::fold)).
    pub(super) fn fold_contexts(&mut self) {
        if let Some(mut take) = self.hooks.take_contexts.take() {
            if self.as_host(|vm| take(vm)) {
                self.hooks.take_contexts = Some(take);
                return self.drop_contexts(false);
            }
            self.profile.cct.ask_every(None);
        }
        if self.profile.cct.is_full() {
            self.drop_contexts(true);
        }
    }
    /// Lets `take` have the contexts each time they have taken so many bytes of memory, before they are folded
    /// because there is no more of it. If it says that it has added what they counted to what it knows, they begin again from 0,
    /// and those of frames that are not open go; if not, it is not asked again.
    pub fn take_contexts(&mut self, bytes: usize, take: TakeContexts) {
        if !self.counts_blocks() {
            self.profile.cct.ask_every(Some(bytes));
            self.hooks.take_contexts = Some(take);
        }
    }
    /// All counts begin again from 0; contexts go, except for those of open frames.
    pub fn reset_contexts(&mut self) {
        self.flush_open_frames();
        self.drop_contexts(false);
    }
    /// Folds contexts, or, if what they counted has been taken, gives them up.
    fn drop_contexts(&mut self, fold: bool) {
        self.forget_intrinsic_contexts();
        let mut open = Vec::new();
        let threads = if self.profiling() {
            self.threads.len()
        } else {
            0
        };
        for t in 0..threads as u32 {
            let mut cs = self.regs_of(ThreadId(t)).cs;
            let bottom = self.threads[t as usize].stack_bottom();
            // SAFETY: control frames between top and bottom are valid.
            unsafe {
                while !cs.is_null() && cs < bottom {
                    open.extend(Some((*cs).node).filter(|node| !node.is_null()));
                    cs = cs.add(1);
                }
            }
        }
        let mut cct = std::mem::take(&mut self.profile.cct);
        // SAFETY: between two bytecodes nobody has nodes but frames and the table of turns.
        let live = unsafe {
            let links = |method| self.child_links(method);
            match fold {
                true => cct.fold(&open, self.counts_allocations(), &links),
                false => cct.empty(&open, self.counts_allocations(), &links),
            }
        };
        self.profile.cct = cct;
        if let Some(live) = live {
            self.profile.flow.forget_contexts(|node| live.has(node));
        }
    }
    /// How many contexts were folded for lack of memory, and how many bytes there were for them.
    pub fn folded_contexts(&self) -> Folded {
        self.profile.cct.folded()
    }
    /// What allocations count in.
    pub(super) fn allocation_mode(&self) -> u8 {
        match (self.options.allocations, self.profiling()) {
            (false, _) => UNCOUNTED,
            (true, true) => IN_CONTEXTS,
            (true, false) => IN_SAMPLES,
        }
    }
    /// Counts an object that Rust code has allocated for a bytecode, but not in its context.
    pub(crate) fn count_quick(&mut self, bytes: usize) {
        if self.allocation_mode() != UNCOUNTED {
            let sum = self.allocated_in_slice();
            sum[0] += 1;
            sum[1] += bytes as u64;
        }
    }
    /// Whether allocations are counted in contexts.
    fn counts_allocations(&self) -> bool {
        self.allocation_mode() == IN_CONTEXTS
    }
    /// Slots at the start of each node that are counters of allocations.
    pub(super) fn fixed_slots(&self) -> u32 {
        match self.counts_allocations() {
            true => ALLOCATION_SLOTS,
            false => 0,
        }
    }
    /// Counts what a slow path has allocated for an instruction of `node`.
    #[inline(always)]
    pub(crate) fn commit_allocations(&mut self, node: *mut ContextNode) {
        if self.allocated.0 != 0 {
            self.count_allocated(node);
        }
    }
    #[inline(never)]
    fn count_allocated(&mut self, node: *mut ContextNode) {
        let (objects, bytes) = std::mem::take(&mut self.allocated);
        self.settle_failing(true);
        self.notify_allocated();
        let mode = self.allocation_mode();
        if mode != UNCOUNTED {
            let sum = self.allocated_in_slice();
            sum[0] += objects;
            sum[1] += bytes;
        }
        if mode == IN_CONTEXTS {
            // SAFETY: the node of a frame, made with the slots for allocations.
            unsafe {
                *ContextNode::counter(node, 0) += objects;
                *ContextNode::counter(node, 1) += bytes;
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
                *ContextNode::counter(node, 0),
                *ContextNode::counter(node, 1),
            )
        }
    }
    /// The threads that have contexts, with a walk over each tree below the thread's root: all that is
    /// in the scope `main`, or `all` there is. Open frames are to be flushed before, and nothing may
    /// run while there are walks.
    pub fn contexts(&self, all: bool) -> Vec<(ThreadId, Vec<Walk>)> {
        let mut found: Vec<(ThreadId, Vec<Walk>)> = Vec::new();
        for (thread, walk, in_main) in self.tops() {
            if !(all || in_main) {
                continue;
            }
            match found.last_mut() {
                Some((id, walks)) if *id == thread => walks.push(walk),
                _ => found.push((thread, vec![walk])),
            }
        }
        found
    }
    /// The methods that have contexts there, by ascending number, if they can be reported without a walk over all.
    pub fn methods_of_contexts(&self, all: bool) -> Option<Vec<u32>> {
        let mut numbers = self.profile.cct.nodes_by_method()?.to_vec();
        let others = self.tops().into_iter();
        let others = others.filter(|(_, _, in_main)| !(all || *in_main));
        for visit in others.flat_map(|(_, walk, _)| walk) {
            numbers[visit.method as usize] -= 1;
        }
        let with_contexts = |(method, number)| (number > 0).then_some(method);
        Some((0u32..).zip(numbers).filter_map(with_contexts).collect())
    }
    /// Where the child links of contexts are.
    pub fn links_of_contexts(&self) -> ChildLinks {
        let methods = 0..self.loaded.methods.len() as u32;
        let links = |method| {
            self.loaded
                .methods
                .find(MethodId(method))
                .map_or(0, |m| m.kids)
        };
        // SAFETY: as `child_links`.
        unsafe {
            ChildLinks::new(
                ContextNode::size(self.fixed_slots()),
                methods.map(links).collect(),
            )
        }
    }
    /// The contexts that threads' roots have called, by thread: with all below them, and whether they are in
    /// the scope `main`.
    fn tops(&self) -> Vec<(ThreadId, Walk, bool)> {
        let mut tops = Vec::new();
        let roots = self
            .threads
            .iter()
            .flat_map(|t| t.roots().map(|r| (t.id, r)));
        for (thread, (root, inside)) in roots.filter(|(_, r)| !r.0.is_null()) {
            let main = self.main_thread.filter(|m| m.0 == thread);
            // SAFETY: nodes live as long as the VM.
            unsafe {
                let mut child = ContextNode::first_child(root);
                while !child.is_null() {
                    let shown = match main {
                        Some((_, method)) => self.original(MethodId((*child).method)) == method,
                        None => inside,
                    };
                    tops.push((thread, Walk::new(child), shown));
                    child = ContextNode::next_sibling(child);
                }
            }
        }
        tops
    }
}
