//! The heap as natives and hosts may change it. They are lent this and never a `&mut Heap`, which they could exchange for
//! another VM's: classes and methods belong to the VM, and would be gone with it while objects still name them. An object stored
//! in a reference fits its type, so no method is called that the object does not have.

use super::object::REF_ARRAY;
use super::{Heap, Offset, Prim};
use crate::ids::{ClassId, Ref};
use std::ops::Deref;

/// A VM's heap, to be changed.
///
/// ```compile_fail,E0596
/// fn exchange(a: &mut rjvm_vm::Vm, b: &mut rjvm_vm::Vm) {
///     std::mem::swap(&mut *a.heap_mut(), &mut *b.heap_mut());
/// }
/// ```
pub struct HeapMut<'a>(pub(crate) &'a mut Heap);

impl Deref for HeapMut<'_> {
    type Target = Heap;
    #[inline(always)]
    fn deref(&self) -> &Heap {
        self.0
    }
}

impl HeapMut<'_> {
    /// Writes a primitive at a byte offset of an object. Panics where a reference is, and outside the
    /// object.
    #[inline(always)]
    pub fn put<T: Prim>(&mut self, r: Ref, off: impl Offset, v: T) {
        self.0.put(r, off, v);
    }
    /// Sets an element of an array of primitives. Panics out of bounds.
    #[inline(always)]
    pub fn set_elem<T: Prim>(&mut self, r: Ref, i: usize, v: T) {
        self.0.set_elem(r, i, v);
    }
    /// Sets an element of an array of references. Panics out of bounds, and if the array cannot hold it.
    #[inline(always)]
    pub fn set_elem_ref(&mut self, r: Ref, i: usize, v: Ref) {
        self.0.check(r);
        self.0.check(v);
        let Some(elem) = self.component(r) else {
            panic!("no array of references: {r:?}");
        };
        let fits = self.holds(elem, v) && !self.is_barred(elem);
        assert!(fits, "no element of {r:?}: {v:?}");
        self.0.set_elem_ref(r, i, v);
    }
    /// The bytes of a `byte[]`.
    pub fn bytes_mut(&mut self, r: Ref) -> &mut [u8] {
        self.0.bytes_mut(r)
    }
    /// `n` bytes of an object from `off`. Panics where references are.
    pub fn raw_mut(&mut self, r: Ref, off: impl Offset, n: usize) -> &mut [u8] {
        self.0.raw_mut(r, off, n)
    }
    /// Copies `n` bytes of fields or elements, overlapping or not. Panics where references are.
    pub fn copy(
        &mut self,
        from: Ref,
        from_off: impl Offset,
        to: Ref,
        to_off: impl Offset,
        n: usize,
    ) {
        self.0.copy(from, from_off, to, to_off, n);
    }
    /// Copies `n` elements between (possibly the same) arrays whose elements are both references, or both numbers
    /// of one size. Panics out of bounds, and if an element does not fit.
    pub fn copy_elems(&mut self, from: (Ref, usize), to: (Ref, usize), n: usize) {
        self.0.check(from.0);
        self.0.check(to.0);
        if let (Some(its), Some(elem)) = (self.component(from.0), self.component(to.0)) {
            let of = |i| self.elem_ref(from.0, i);
            let all = || (from.1..).take(n).all(|i| self.holds(elem, of(i)));
            let fits = !self.is_barred(elem) && (self.is_subtype(its, elem) || all());
            assert!(fits, "no elements of {:?}", to.0);
        }
        self.0.copy_elems(from, to, n);
    }
    /// Copies up to `most` elements between two arrays of one class, as [`HeapMut::copy_elems`]. `false`: nothing is copied, since they
    /// are of other classes, lack the elements, or `n` is larger or negative.
    pub fn copy_alike(&mut self, from: (Ref, i32), to: (Ref, i32), n: i32, most: i32) -> bool {
        let may = self.inside || from.0.is_null() || {
            let elem = self.component(from.0);
            !elem.is_some_and(|c| self.is_barred(c))
        };
        may && self.0.copy_alike(from, to, n, most)
    }
    /// Copies everything but the header between two objects of one class and size. What the VM knows a loader by already
    /// stays. Panics if they are mirrors of classes, which hold what belongs to one class.
    pub fn copy_body(&mut self, from: Ref, to: Ref) {
        let barred = self.is_barred(self.class_of(to));
        assert!(!barred, "an object of method handles is changed");
        self.0.copy_body(from, to);
    }
    /// A new 4-byte root cell holding `r`: a place outside the heap that the collector keeps up to date. It is the
    /// caller's, until it is given back. Returns its byte offset from the base.
    pub fn new_cell(&mut self, r: Ref) -> u32 {
        let off = self.0.new_cell(r);
        self.0.lent.set(off / 8, true);
        off
    }
    /// Gives a root cell of [`HeapMut::new_cell`] back.
    pub fn free_cell(&mut self, off: u32) {
        self.must_be_lent(off);
        self.0.lent.set(off / 8, false);
        self.0.free_cell(off);
    }
    /// Writes a root cell of [`HeapMut::new_cell`]. Panics if it is none.
    pub fn set_cell(&mut self, off: u32, r: Ref) {
        self.must_be_lent(off);
        self.0.set_cell(off, r);
    }
    /// The VM's own cells hold what it relies on.
    fn must_be_lent(&self, off: u32) {
        let lent = off.is_multiple_of(8) && self.0.lent.has(off / 8);
        assert!(lent, "no root cell at {off:#x}");
    }
    /// Type of the elements of an array of references.
    #[inline(always)]
    fn component(&self, r: Ref) -> Option<ClassId> {
        let h = self.hot(self.class_of(r));
        // SAFETY: hot blocks are initialised before objects of the class exist.
        let (kind, elem) = unsafe { ((*h).kind, (*h).elem) };
        (kind == REF_ARRAY).then_some(elem)
    }
    /// Whether a variable of this type may hold `v`.
    #[inline(always)]
    fn holds(&self, of: ClassId, v: Ref) -> bool {
        v.is_null() || self.is_subtype(self.class_of(v), of)
    }
}
