//! The translation of field accesses and allocations.

use super::super::{ops_mem as om, slow};
use super::{E, Tr};
use crate::classes::InitState;
use crate::ids::ClassId;
use rjvm_classfile::opcodes as o;

impl Tr<'_> {
    pub(super) fn field(&mut self, op: u8, i: u16) -> E<()> {
        let descriptor = self
            .cf
            .constant_pool
            .descriptor_of(i)
            .map_err(|e| e.to_string())?;
        let t = *descriptor.as_bytes().first().ok_or("bad descriptor")?;
        let st = stack_type(t);
        let is_static = op == o::GETSTATIC || op == o::PUTSTATIC;
        let found = self.vm.try_resolve_field(self.class, i).and_then(|(c, k)| {
            let f = &self.vm.class(c).fields[k as usize];
            let (access, offset) = (f.access, f.offset);
            let put = op == o::PUTSTATIC || op == o::PUTFIELD;
            let ok = (access & crate::classes::acc::STATIC != 0) == is_static
                && (!put
                    || access & crate::classes::acc::FINAL == 0
                    || self.vm.may_store_final(self.id, c, is_static))
                && (!is_static || self.initialized(c));
            ok.then(|| {
                if is_static {
                    self.vm.mirror(c).0 * 8 + offset
                } else {
                    offset
                }
            })
        });
        match (op, found) {
            (o::GETSTATIC, Some(off)) => {
                self.result(|d| om::get_static(t, d), 0, off as i32, &[], st)
            }
            (o::PUTSTATIC, Some(off)) => {
                let v = self.pop()?;
                let (k, s) = self.value_op(v);
                self.emit(om::put_static(t, k), 0, s, off as i32, &[]);
            }
            (o::GETFIELD, Some(off)) => {
                let a = self.pop()?;
                let (k, s) = self.a_op(a);
                self.result(|d| om::get_field(t, k, d), s, off as i32, &[], st);
            }
            (o::PUTFIELD, Some(off)) => {
                let (v, a) = (self.pop()?, self.pop()?);
                let (k, vs) = self.value_op(v);
                let s = self.slot_of(a);
                self.emit(om::put_field(t, k), s, vs, off as i32, &[]);
            }
            _ => {
                self.safepoint();
                let map = self.map_now();
                let (mut a, mut d) = (0, 0);
                if op == o::PUTSTATIC || op == o::PUTFIELD {
                    let v = self.pop()?;
                    d = self.slot_of(v);
                }
                if op == o::GETFIELD || op == o::PUTFIELD {
                    let r = self.pop()?;
                    a = self.slot_of(r);
                }
                self.pending_map = map;
                if op == o::GETSTATIC || op == o::GETFIELD {
                    self.result_slot(slow::unresolved, a, 0, &[], st);
                } else {
                    self.emit(slow::unresolved, a, d, 0, &[]);
                }
                self.forget();
            }
        }
        Ok(())
    }
    pub(super) fn initialized(&self, c: ClassId) -> bool {
        // SAFETY: hot block of a live class.
        unsafe { (*self.vm.heap.hot(c)).state == InitState::Initialized as u32 }
    }
    pub(super) fn new_object(&mut self, i: u16) -> E<()> {
        self.safepoint();
        let map = self.map_now();
        let c = self.vm.try_resolve_class(self.class, i).filter(|&c| {
            self.initialized(c) && !self.vm.class(c).is_abstract() && !self.vm.class(c).is_array()
        });
        self.pending_map = map;
        match c {
            Some(c) => {
                // SAFETY: hot block of a live class.
                let size = unsafe { (*self.vm.heap.hot(c)).instance_size };
                let alloc = self.vm.allocation_mode();
                self.result(
                    |d| om::new_handler(alloc, d),
                    0,
                    c.0 as i32,
                    &[size as u64],
                    b'A',
                );
            }
            None => {
                self.result_slot(slow::unresolved, 0, 0, &[0], b'A');
                self.forget();
            }
        }
        Ok(())
    }
    pub(super) fn new_array(&mut self, c: ClassId) -> E<()> {
        // SAFETY: hot block of a live class.
        let shift = unsafe { (*self.vm.heap.hot(c)).elem_shift };
        self.safepoint();
        let n = self.pop()?;
        let a = self.slot_of(n);
        let map = self.map_now();
        self.pending_map = map;
        let alloc = self.vm.allocation_mode();
        self.result(
            |d| om::newarray_handler(alloc, d),
            a,
            c.0 as i32,
            &[shift as u64],
            b'A',
        );
        Ok(())
    }
    /// An unresolved instruction with one operand and one result.
    pub(super) fn unresolved_unary(&mut self, t: u8, ext: &[u64]) -> E<()> {
        self.safepoint();
        self.flush_top(1)?;
        let map = self.map_now();
        let a = self.pop()?;
        self.pending_map = map;
        self.result_slot(slow::unresolved, a.at, 0, ext, t);
        self.forget();
        Ok(())
    }
}

/// Stack type of a descriptor character.
pub(super) fn stack_type(c: u8) -> u8 {
    match c {
        b'L' | b'[' => b'A',
        b'J' | b'F' | b'D' | b'V' => c,
        _ => b'I',
    }
}
