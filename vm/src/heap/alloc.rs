//! Allocation for natives and the interpreter's slow path.

use crate::heap::hashes::{Hashes, Seeds};
use crate::heap::{self, array_bytes};
use crate::ids::{ClassId, Ref};
use crate::natives::Env;
use crate::throw::{R, Throw};
use crate::vm::Vm;

impl Vm {
    /// The next identity hash of the running thread.
    pub(crate) fn next_hash(&mut self) -> u32 {
        match self.threads.get_mut(self.cur.0 as usize) {
            Some(thread) => thread.hashes.draw(),
            None => self.hashes.draw(),
        }
    }
    /// Begins the identity hashes of the running thread, and those of threads that are started from now on, again: those of
    /// a phase follow from its number and the seed, whatever was executed before.
    pub fn restart_identity_hashes(&mut self, phase: u32) {
        /// The golden ratio, so that phases and seeds that lie together are far apart.
        const APART: u64 = 0x9E37_79B9_7F4A_7C15;
        let phase = (u64::from(phase) + 1).wrapping_mul(APART);
        let mut seeds = Seeds::new(self.options.seed.wrapping_add(phase));
        let hashes = Hashes::new(seeds.draw());
        match self.threads.get_mut(self.cur.0 as usize) {
            Some(thread) => thread.hashes = hashes,
            None => self.hashes = hashes,
        }
        self.hash_seeds = seeds;
    }
    /// A zeroed instance of an instantiable class. Does not initialize the class.
    pub fn alloc_object(&mut self, c: ClassId) -> R<Ref> {
        let h = self.heap.hot(c);
        // SAFETY: a class, whose hot block is initialised.
        let (kind, size) = unsafe { ((*h).kind, (*h).instance_size as usize) };
        assert!(kind == 0 && size > 0, "{c:?} has no instances");
        let r = self.alloc_raw(size)?;
        self.heap.write::<u32>(r, heap::CLASS, c.0);
        Ok(r)
    }
    /// A zeroed array of this array class. `len` must not be negative (check first).
    pub(crate) fn alloc_array(&mut self, array_class: ClassId, len: usize) -> R<Ref> {
        let h = self.heap.hot(array_class);
        // SAFETY: a class, whose hot block is initialised.
        let (kind, shift) = unsafe { ((*h).kind, (*h).elem_shift) };
        assert!(
            matches!(kind, 1 | 2),
            "{array_class:?} is no class of arrays"
        );
        if len > i32::MAX as usize - 2 {
            return Err(Throw::msg(
                "java/lang/OutOfMemoryError",
                "Requested array size exceeds VM limit",
            ));
        }
        let r = self.alloc_raw(array_bytes(len, shift))?;
        self.heap.write::<u32>(r, heap::CLASS, array_class.0);
        self.heap.write::<u32>(r, heap::LENGTH, len as u32);
        Ok(r)
    }
    /// How many objects of so many bytes the interpreter allocates without asking, from now on: none under stress or while
    /// allocations are watched. Of objects without bytes there is no end.
    pub(crate) fn quick_allocations(&self, bytes: usize) -> usize {
        let room = self.heap.gc.quick_room(self.heap.region.base());
        room.checked_div(bytes).unwrap_or(usize::MAX)
    }
    /// A zeroed array of this class of arrays of plain values, allocated and counted as in the interpreter, except for the context.
    /// There has to be room ([`Vm::quick_allocations`]).
    pub(crate) fn quick_array(&mut self, array_class: ClassId, len: usize) -> Ref {
        // SAFETY: hot blocks are initialised before there are arrays of the class.
        let shift = unsafe { (*self.heap.hot(array_class)).elem_shift };
        let bytes = array_bytes(len, shift);
        let r = self.heap.gc.take_quick(self.heap.region.base(), bytes);
        self.heap.write::<u32>(r, heap::CLASS, array_class.0);
        self.heap.write::<u32>(r, heap::LENGTH, len as u32);
        self.count_quick(bytes);
        r
    }
    /// A new array with components of class `elem`.
    pub fn new_array_of(&mut self, elem: ClassId, len: usize) -> R<Ref> {
        let a = self.array_of(elem);
        self.alloc_array(a, len)
    }
    /// A new `byte[]`.
    pub fn new_byte_array(&mut self, len: usize) -> R<Ref> {
        self.new_array_of(self.loaded.primitives[1], len)
    }
    /// A new `Object[]`.
    pub(crate) fn new_object_array(&mut self, len: usize) -> R<Ref> {
        self.new_array_of(self.loaded.known.object, len)
    }
    /// `System.identityHashCode`.
    pub(crate) fn identity_hash(&mut self, r: Ref) -> i32 {
        self.heap.check(r);
        use heap::mark;
        if r.is_null() {
            return 0;
        }
        let m: u32 = self.heap.get(r, heap::MARK);
        match mark::state(m) {
            mark::NEUTRAL if m != 0 => mark::hash(m) as i32,
            mark::NEUTRAL => {
                let h = self.next_hash();
                self.heap.write::<u32>(r, heap::MARK, mark::neutral(h));
                h as i32
            }
            // a locked object keeps its hash in the monitor
            _ => crate::threads::sync::monitor_hash(self, r),
        }
    }
}

impl Env {
    /// Whether objects of class `c` are arrays of references (hot kind 2).
    pub fn is_array(&self, r: Ref) -> bool {
        self.0.class(self.0.class_of(r)).is_array()
    }
}
