//! The translation of field accesses and allocations.

use super::super::insn::{Access, Layout, New, NewArray};
use super::super::{ops_mem as om, slow};
use super::translator::{E, Tr};
use crate::classes::InitState;
use crate::ids::ClassId;
use rjvm_classfile::opcodes as o;

impl Tr<'_> {
    pub(super) fn field(&mut self, op: u8, i: u16) -> E<()> {
        let pool = &self.cf.constant_pool;
        let descriptor = pool.descriptor_index(i).and_then(|i| pool.utf8(i));
        let descriptor = descriptor.map_err(|e| e.to_string())?;
        let t = *descriptor.first().ok_or("bad descriptor")?;
        let st = stack_type(t);
        let is_static = op == o::GETSTATIC || op == o::PUTSTATIC;
        let found = self
            .vm
            .try_resolve_field(self.class, self.at(i))
            .and_then(|(c, k)| {
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
                self.result(|d| om::get_static(t, d), access(0, 0, off), st)
            }
            (o::PUTSTATIC, Some(off)) => {
                let v = self.pop()?;
                let (k, s) = self.value_op(v);
                self.emit(om::put_static(t, k), access(0, s, off));
            }
            (o::GETFIELD, Some(off)) => {
                let a = self.pop()?;
                let (k, s) = self.a_op(a);
                self.result(|d| om::get_field(t, k, d), access(s, 0, off), st);
            }
            (o::PUTFIELD, Some(off)) => {
                let (v, a) = (self.pop()?, self.pop()?);
                let (k, vs) = self.value_op(v);
                let s = self.slot_of(a);
                self.emit(om::put_field(t, k), access(s, vs, off));
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
                    self.result_slot(slow::unresolved, access(a, 0, 0), st);
                } else {
                    self.emit(slow::unresolved, access(a, d, 0));
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
        let c = self
            .vm
            .try_resolve_class(self.class, self.at(i))
            .filter(|&c| {
                self.initialized(c)
                    && !self.vm.class(c).is_abstract()
                    && !self.vm.class(c).is_array()
            });
        self.pending_map = map;
        match c {
            Some(c) => {
                // SAFETY: hot block of a live class.
                let size = unsafe { (*self.vm.heap.hot(c)).instance_size };
                let alloc = self.vm.allocation_mode();
                let new = New {
                    d: 0,
                    class: c.0,
                    bytes: size,
                };
                self.result(|d| om::new_handler(alloc, d), new, b'A');
            }
            None => {
                let new = New {
                    d: 0,
                    class: 0,
                    bytes: 0,
                };
                self.result_slot(slow::unresolved, new, b'A');
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
        let new = NewArray {
            length: a,
            d: 0,
            class: c.0,
            shift: shift.into(),
        };
        self.result(|d| om::newarray_handler(alloc, d), new, b'A');
        Ok(())
    }
    /// An unresolved instruction with one operand and one result.
    pub(super) fn unresolved_unary<L: Layout>(
        &mut self,
        t: u8,
        operands: impl Fn(u16) -> L,
    ) -> E<()> {
        self.safepoint();
        self.flush_top(1)?;
        let map = self.map_now();
        let a = self.pop()?;
        self.pending_map = map;
        self.result_slot(slow::unresolved, operands(a.at), t);
        self.forget();
        Ok(())
    }
}

fn access(object: u16, value: u16, offset: u32) -> Access {
    Access {
        object,
        value,
        offset,
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
