//! The roots of a VM's objects.

use super::gc::{Reach, RootSet, Roots};
use super::mirrors::each_mirror_slot;
use super::refs::Offsets;
use super::units::{Unit, UnitId};
use crate::events::Event;
use crate::ids::Ref;
use crate::jdk;
use crate::natives::Env;
use crate::threads::{ThreadState, Wait};
use crate::throw::{Cont, R, Throw, Upcall};
use crate::vm::Vm;

/// What the reference handler waits for: wake it after a collection that has found some.
const PENDING_REFERENCES: &str = "pending references";

/// Continuations whose roots are shown before the objects they refer to are traced.
const AT_ONCE: usize = 1024;

/// A VM as the collector sees it.
pub(super) struct VmRoots<'a> {
    pub vm: &'a mut Vm,
}

/// Whose roots are visited.
#[derive(Clone, Copy)]
enum Threads {
    /// Those of all threads.
    All,
    /// Those that may hold a reference into this range (first and number).
    Young((u32, u32)),
    /// Those that are live without a reference from elsewhere.
    Strong,
}

impl Roots for VmRoots<'_> {
    fn wants_objects(&self) -> bool {
        self.vm.wants_objects()
    }
    fn notify(&mut self, event: Event<'_>) {
        self.vm.emit(event);
    }
    fn strong(&mut self, which: RootSet, f: &mut dyn FnMut(&mut Ref)) {
        match which {
            RootSet::Permanent => self.vm.each_permanent_root(f),
            RootSet::All => self.vm.each_root(f),
            RootSet::Young(range) => self.vm.each_young_root(range, f),
        }
    }
    fn reached(&mut self, from: usize, reach: &mut dyn Reach) -> (Option<usize>, usize) {
        self.vm.reached_continuations(from, reach)
    }
    fn lose_unreached(&mut self) {
        self.vm.lose_continuations();
    }
    fn unload(&mut self, dead: Vec<Unit>) {
        self.vm.unload(dead);
    }
    fn weak(&mut self, young: Option<(u32, u32)>, f: &mut dyn FnMut(Ref) -> Option<Ref>) {
        let (first, n) = young.unwrap_or_default();
        let is_young = |r: Ref| r.0.wrapping_sub(first) < n;
        self.vm.strings.update(young.is_none(), is_young, f);
        let concerns = |r: Ref| young.is_none() || is_young(r);
        self.vm.heap.watched.update(concerns, f);
        if let Some(c) = &mut self.vm.controlled {
            c.update(|r| young.is_none() || is_young(r), f);
        }
    }
    fn pending(&mut self) -> Ref {
        self.vm.pending_references()
    }
    fn set_pending(&mut self, r: Ref) {
        let cell = self.vm.pending_references_cell();
        self.vm.heap.set_cell(cell, r);
    }
    fn offsets(&mut self) -> Option<Offsets> {
        let vm = &mut *self.vm;
        let (reference, soft) = (vm.loaded.known.reference, vm.loaded.known.soft_reference);
        let loader = vm.loaded.known.class_loader;
        if reference.is_none() || soft.is_none() || loader.is_none() {
            return None;
        }
        Some(Offsets {
            referent: vm.offset_of(jdk::reference::REFERENT),
            next: vm.offset_of(jdk::reference::NEXT),
            discovered: vm.offset_of(jdk::reference::DISCOVERED),
            timestamp: vm.offset_of(jdk::soft_reference::TIMESTAMP),
            loader: vm.offset_of(jdk::class_loader::RJVM_LOADER),
        })
    }
}

impl Vm {
    /// Calls `f` with every strong root, to be updated; while a collection is under way, without the
    /// cells of units, which it has itself.
    pub(crate) fn each_root(&mut self, f: &mut dyn FnMut(&mut Ref)) {
        let base = self.heap.region.base();
        let cells = self.heap.gc.units.cells();
        for off in cells.chain(self.heap.cells.iter().copied()) {
            // SAFETY: root cells lie in the metaspace of the region.
            f(unsafe { &mut *base.add(off as usize).cast::<Ref>() });
        }
        self.each_mirror_root(|_| true, f);
        self.each_thread_root(true, Threads::All, f);
    }
    /// Those of [`Vm::each_root`] that are neither in mirrors nor in frames.
    pub(super) fn each_own_root(&mut self, f: &mut dyn FnMut(Ref)) {
        let base = self.heap.region.base();
        let cells = self.heap.gc.units.cells();
        for off in cells.chain(self.heap.cells.iter().copied()) {
            // SAFETY: root cells lie in the metaspace of the region.
            f(unsafe { *base.add(off as usize).cast::<Ref>() });
        }
        self.each_thread_root(false, Threads::All, &mut |r| f(*r));
    }
    /// Those of [`Vm::each_root`] that are not there for the sake of classes that can be unloaded.
    fn each_permanent_root(&mut self, f: &mut dyn FnMut(&mut Ref)) {
        let base = self.heap.region.base();
        for &off in &self.heap.cells {
            // SAFETY: root cells lie in the metaspace of the region.
            f(unsafe { &mut *base.add(off as usize).cast::<Ref>() });
        }
        self.each_mirror_root(|unit| unit == UnitId::PERMANENT, f);
        self.each_thread_root(true, Threads::Strong, f);
    }
    /// As [`Vm::each_root`], without root cells that hold no reference into `range` (first reference and number).
    fn each_young_root(&mut self, range: (u32, u32), f: &mut dyn FnMut(&mut Ref)) {
        let base = self.heap.region.base();
        self.heap.young_cells.retain(|&off| {
            // SAFETY: root cells lie in the metaspace of the region.
            let r = unsafe { &mut *base.add(off as usize).cast::<Ref>() };
            f(r);
            r.0.wrapping_sub(range.0) < range.1
        });
        self.each_mirror_root(|_| true, f);
        self.each_thread_root(true, Threads::Young(range), f);
    }
    /// Mirrors never move; their fields and the statics behind them are roots as long as the class lives.
    fn each_mirror_root(&mut self, of: impl Fn(UnitId) -> bool, f: &mut dyn FnMut(&mut Ref)) {
        let base = self.heap.region.base();
        for &c in &self.loaded.classes {
            if of(self.heap.unit_of(c)) {
                each_mirror_slot(base, self.heap.hot(c), f);
            }
        }
    }
    /// Shows the mirror of the class of a method that is about to run, so that it stays loaded.
    pub(crate) fn keep_class_of(&self, m: crate::MethodId, f: &mut dyn FnMut(&mut Ref)) {
        f(&mut self.mirror(self.method(m).class));
    }
    fn each_thread_root(&mut self, frames: bool, which: Threads, f: &mut dyn FnMut(&mut Ref)) {
        // a thread's object may move
        self.set_current(Ref::NULL);
        // a monitor in the table is in use, so its object is live
        self.monitors.each_object(f);
        if let Some(c) = &mut self.controlled {
            c.each_root(f);
        }
        for c in self.loaded.linker.initializing.iter().map(|i| i.class) {
            f(&mut self.mirror(c));
        }
        if let Some((_, m)) = self.main_thread {
            self.keep_class_of(m, f);
        }
        if let Some(mut p) = self.pending_throw.take() {
            self.throw_roots(&mut p, f);
            self.pending_throw = Some(p);
        }
        if let Some(Err(r)) = &mut self.thread_result {
            f(r);
        }
        for i in 0..self.threads.len() {
            let t = &mut *self.threads[i];
            if t.state == ThreadState::Dead {
                continue;
            }
            match which {
                Threads::Young(_) if t.mount.settled => {}
                Threads::Strong if t.is_held_weakly() => t.mount.reached = false,
                Threads::Young((first, n)) if t.stack.is_packed() => {
                    let mut settled = true;
                    self.roots_of_thread(i, frames, &mut |r| {
                        f(r);
                        settled &= r.0.wrapping_sub(first) >= n;
                    });
                    // what waits on a packed stack does not change
                    self.threads[i].mount.settled = settled;
                }
                _ => self.roots_of_thread(i, frames, f),
            }
        }
    }
    fn roots_of_thread(&mut self, i: usize, frames: bool, f: &mut dyn FnMut(&mut Ref)) {
        let t = &mut *self.threads[i];
        f(&mut t.object);
        f(&mut t.mount.shown);
        f(&mut t.mount.chunk);
        for r in &mut t.native_refs {
            f(r);
        }
        for (_, r) in &mut t.locked {
            f(r);
        }
        for c in &mut t.conts {
            c.native_refs.iter_mut().for_each(&mut *f);
            if let Some(c) = &mut c.cont {
                cont(c, f);
            }
        }
        let id = t.id;
        if let Some(mut p) = t.pending.take() {
            self.throw_roots(&mut p, f);
            self.threads[i].pending = Some(p);
        }
        if let Some(mut u) = self.threads[i].chore.take() {
            if let Some(c) = &mut u.cont {
                cont(c, f);
            }
            self.threads[i].chore = Some(u);
        }
        if frames {
            crate::interp::each_frame_root(self, id, f);
        }
    }
    /// Shows the roots of continuations that are live because something live knows them, and that have not been shown:
    /// see [`Roots::reached`].
    fn reached_continuations(
        &mut self,
        from: usize,
        reach: &mut dyn Reach,
    ) -> (Option<usize>, usize) {
        let mut shown = 0;
        for i in from..self.threads.len() {
            let t = &mut *self.threads[i];
            if t.mount.reached || !t.is_held_weakly() {
                continue;
            }
            if shown == AT_ONCE {
                return (Some(i), shown);
            }
            if reach.is_live(t.mount.chunk) || self.holds_monitors(i) {
                self.threads[i].mount.reached = true;
                self.roots_of_thread(i, true, &mut |r| reach.mark(*r));
                shown += 1;
            }
        }
        (None, shown)
    }
    fn holds_monitors(&mut self, i: usize) -> bool {
        let id = self.threads[i].id;
        !self.locked_by_frames(id).is_empty()
    }
    /// The references in a throw that waits to be delivered.
    pub(crate) fn throw_roots(&self, t: &mut Throw, f: &mut dyn FnMut(&mut Ref)) {
        match t {
            Throw::Object(r) | Throw::New { cause: r, .. } => f(r),
            Throw::Upcall(Upcall { call, cont: c, .. }) => {
                if let Some(c) = c {
                    cont(c, f);
                }
                if let Some(call) = call {
                    self.keep_class_of(call.method, f);
                    self.argument_roots(call.method, &mut call.args, f);
                }
            }
            Throw::Block | Throw::Collect(_) | Throw::Exit(_) => {}
        }
    }
    /// The references among the argument slots of a method.
    pub(crate) fn argument_roots(
        &self,
        method: crate::MethodId,
        args: &mut [u64],
        f: &mut dyn FnMut(&mut Ref),
    ) {
        let m = self.method(method);
        let mut slots = args.iter_mut();
        let mut root = |slot: Option<&mut u64>| {
            if let Some(s) = slot {
                let mut r = Ref(*s as u32);
                f(&mut r);
                *s = r.0 as u64;
            }
        };
        if !m.is_static() {
            root(slots.next());
        }
        let desc = self.syms.str(m.desc).as_bytes();
        let mut i = 1;
        while i < desc.len() && desc[i] != b')' {
            match desc[i] {
                b'J' | b'D' => {
                    slots.nth(1);
                }
                b'L' | b'[' => {
                    root(slots.next());
                    while desc[i] == b'[' {
                        i += 1;
                    }
                    if desc[i] == b'L' {
                        while desc[i] != b';' {
                            i += 1;
                        }
                    }
                }
                _ => {
                    slots.next();
                }
            }
            i += 1;
        }
    }
    /// The root cell that holds the list of references the collector has cleared or found pending,
    /// linked by `discovered`, for the reference handler thread to take.
    fn pending_references_cell(&mut self) -> u32 {
        if let Some(cell) = self.heap.pending_references {
            return cell;
        }
        let cell = self.heap.new_cell(Ref::NULL);
        self.heap.pending_references = Some(cell);
        cell
    }
    /// The references the collector has cleared or found finalizable, linked by `discovered`.
    pub(super) fn pending_references(&mut self) -> Ref {
        let cell = self.pending_references_cell();
        self.heap.cell(cell)
    }
    /// Wakes the reference handler, if it waits. Like HotSpot's, of the highest priority, it has its turn
    /// at once: the running thread's slice ends at the next look.
    pub(super) fn wake_reference_handler(&mut self) {
        if self.wake_first(&Wait::Event(PENDING_REFERENCES)) {
            self.end_slice();
        }
    }
    /// Writes the soft clock, which `SoftReference.get` copies to the reference's time of last use.
    pub(super) fn tick_soft_clock(&mut self) {
        if !self.loaded.known.soft_reference.is_none() {
            let now = self.heap.gc.policy.allocated as i64;
            self.set_static(jdk::soft_reference::CLOCK, now);
        }
    }
}

impl Env {
    /// Takes that list, for the reference handler.
    pub fn take_pending_references(&mut self) -> Ref {
        let cell = self.0.pending_references_cell();
        let list = self.0.heap.cell(cell);
        self.0.heap.set_cell(cell, Ref::NULL);
        list
    }
    /// Whether there are any.
    pub fn has_pending_references(&mut self) -> bool {
        !self.0.pending_references().is_null()
    }
    /// Blocks the current thread until the list of pending references isn't empty.
    pub fn wait_for_pending_references(&mut self) -> R<()> {
        let cell = self.0.pending_references_cell();
        if !self.0.heap.cell(cell).is_null() {
            return Ok(());
        }
        Err(self.0.block_on(Wait::Event(PENDING_REFERENCES), None))
    }
}

fn cont(c: &mut Cont, f: &mut dyn FnMut(&mut Ref)) {
    for r in &mut c.refs {
        f(r);
    }
}
