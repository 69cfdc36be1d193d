//! The translation of calls.

use super::super::contexts::child_links;
use super::super::insn::Call;
use super::super::ops_call::{CallKind, call_handler};
use super::super::slow;
use super::objects::stack_type;
use super::translator::Tr;
use super::values::V;
use crate::classes::{PoolEntry, Resolved};
use crate::interp::Handler;
use rjvm_classfile::{Constant as Q, opcodes as o};

impl Tr<'_> {
    /// The entry of the method's pool with this index.
    pub(super) fn at(&self, index: u16) -> PoolEntry {
        PoolEntry {
            pool: self.pool,
            index,
        }
    }
    /// invokevirtual, invokespecial, invokestatic, invokeinterface, invokedynamic.
    pub(super) fn invoke(&mut self, op: u8, i: u16) -> Result<(), String> {
        let err = |e: rjvm_classfile::Error| e.to_string();
        let pool = &self.cf.constant_pool;
        let desc = pool.descriptor_index(i).map_err(err)?;
        let desc = self.vm.syms.intern_entry(pool, desc).map_err(err)?;
        let d = self.vm.syms.shape(desc);
        let has_this = !matches!(op, o::INVOKESTATIC | o::INVOKEDYNAMIC);
        let n = d.count as usize + has_this as usize;
        let slots = d.argument_slots(!has_this);
        let ret = d.ret;
        self.safepoint();
        let moved = self.flush_arguments(n)?;
        let map = self.map_now();
        for _ in 0..n {
            self.pop()?;
        }
        let arg = self.base + self.depth;
        let kid = child_links(self.fixed, self.kids).end;
        self.kids += 1;
        let (moved_from, moved_to) = moved.unwrap_or_default();
        let bci = self.scan.bcis[self.idx as usize];
        let mut call = Call {
            first: arg,
            moved_from,
            kid: kid as u32,
            method: 0,
            ticks: self.scan.pot[self.idx as usize] as i16 + 1,
            moved_to,
            aux: 0,
            cache: 0,
            constant: i,
            slots,
            opcode: op,
            bci,
        };
        let h = match self.resolved_call(op, i) {
            Some((kind, method, aux, cache)) => {
                (call.method, call.aux, call.cache) = (method, aux, cache);
                call_handler(kind, self.prof, moved.is_some())
            }
            None => slow::unresolved as Handler,
        };
        self.pending_map = map;
        self.emit(h, call);
        self.forget();
        if ret != b'V' {
            let t = stack_type(ret);
            self.push(V::Tmp, t);
            if !matches!(t, b'F' | b'D') {
                self.acc = Some(arg);
            }
        }
        Ok(())
    }
    /// The kind of call, if the constant is resolved already and the class initialized: kind, method,
    /// aux, aux64. Nothing is looked up here: many calls of a method are never executed, and the others
    /// become the same instruction at their first execution.
    fn resolved_call(&mut self, op: u8, i: u16) -> Option<(CallKind, u64, u32, u64)> {
        if op == o::INVOKEDYNAMIC {
            return None;
        }
        let i = self.at(i);
        match self.vm.class(self.class).state(i)? {
            Resolved::Poly(m, cell) => {
                let p = &raw const *self.vm.loaded.methods[m.0 as usize] as u64;
                Some((CallKind::Handle, p, 0, cell as u64))
            }
            Resolved::Method(m) => self.vm.call_kind(self.class, op, i, m).ok().flatten(),
            _ => None,
        }
    }
}

impl crate::vm::Vm {
    /// How a resolved method is called by `op`: kind, method, aux, aux64. `None`: it has to go through
    /// the slow path (class not initialized, signature-polymorphic). Err: wrong kind of method.
    pub(crate) fn call_kind(
        &mut self,
        class: crate::ClassId,
        op: u8,
        i: PoolEntry,
        id: crate::MethodId,
    ) -> crate::R<Option<(CallKind, u64, u32, u64)>> {
        use crate::classes::method::intrinsic as n;
        let m = self.method(id);
        let ptr = |vm: &crate::Vm, id: crate::MethodId| {
            &raw const *vm.loaded.methods[id.0 as usize] as u64
        };
        match m.intrinsic {
            n::NONE => {}
            n::INVOKE_BASIC => return Ok(Some((CallKind::Basic, ptr(self, id), 0, 0))),
            n::LINK_TO_STATIC => return Ok(Some((CallKind::Link(0), ptr(self, id), 0, 0))),
            n::LINK_TO_SPECIAL => return Ok(Some((CallKind::Link(1), ptr(self, id), 0, 0))),
            n::LINK_TO_VIRTUAL => return Ok(Some((CallKind::Link(2), ptr(self, id), 0, 0))),
            n::LINK_TO_INTERFACE => return Ok(Some((CallKind::Link(3), ptr(self, id), 0, 0))),
            _ => return Ok(None),
        }
        let declaring = m.class;
        let interface = self.class(declaring).is_interface();
        if m.is_static() != (op == o::INVOKESTATIC) {
            let text = self.external_method(id);
            let what = if m.is_static() {
                "Expected non-static method"
            } else {
                "Expected static method"
            };
            return Err(crate::Throw::msg(
                "java/lang/IncompatibleClassChangeError",
                format!("{what} '{text}'"),
            ));
        }
        match op {
            o::INVOKESTATIC => {
                // SAFETY: hot block of a live class.
                let ready = unsafe {
                    (*self.heap.hot(declaring)).state
                        == crate::classes::InitState::Initialized as u32
                };
                Ok(ready.then(|| (CallKind::Static, ptr(self, id), 0, 0)))
            }
            o::INVOKESPECIAL => {
                let id = self.special_target(class, i, id)?;
                // what is to the verifier of the interface's type need not implement it
                let m = self.method(id);
                if self.class(class).is_interface() && &**self.syms.str(m.name) != "<init>" {
                    return Ok(Some((CallKind::CheckedSpecial, ptr(self, id), class.0, 0)));
                }
                Ok(Some((CallKind::Special, ptr(self, id), 0, 0)))
            }
            o::INVOKEINTERFACE if interface => Ok(Some((CallKind::Interface, ptr(self, id), 0, 0))),
            _ => {
                let m = self.method(id);
                let fixed = m.vindex < 0
                    || m.is_private()
                    || m.access & crate::classes::acc::FINAL != 0
                    || self.class(declaring).access & crate::classes::acc::FINAL != 0;
                if interface && !m.is_private() && m.vindex < 0 {
                    // invokevirtual of a method inherited from an interface only
                    return Ok(Some((CallKind::Interface, ptr(self, id), 0, 0)));
                }
                let off = std::mem::offset_of!(crate::classes::ClassHot, vtable)
                    + m.vindex.max(0) as usize * size_of::<crate::classes::VtableEntry>();
                if op == o::INVOKEINTERFACE {
                    // a method of Object
                    let named = self.resolve_class_of_member(class, i)?;
                    let (kind, off) = match fixed {
                        true => (CallKind::CheckedSpecial, 0),
                        false => (CallKind::CheckedVirtual, off as u64),
                    };
                    return Ok(Some((kind, ptr(self, id), named.0, off)));
                }
                if fixed {
                    return Ok(Some((CallKind::Special, ptr(self, id), 0, 0)));
                }
                Ok(Some((CallKind::Virtual, ptr(self, id), off as u32, 0)))
            }
        }
    }
    /// The method that an invokespecial of constant `i` selects.
    fn special_target(
        &mut self,
        class: crate::ClassId,
        i: PoolEntry,
        id: crate::MethodId,
    ) -> crate::R<crate::MethodId> {
        let named = self.resolve_class_of_member(class, i)?;
        self.select_special(class, named, id)
    }
    /// The class that the resolved member reference at constant `i` names.
    pub(crate) fn resolve_class_of_member(
        &mut self,
        class: crate::ClassId,
        i: PoolEntry,
    ) -> crate::R<crate::ClassId> {
        let cf = self.file_with(class, i);
        let named = match cf.constant_pool.entry(i.index) {
            Q::Fieldref { class, .. }
            | Q::Methodref { class, .. }
            | Q::InterfaceMethodref { class, .. } => class,
            _ => unreachable!("a resolved member"),
        };
        self.resolve_class(class, i.beside(named))
    }
}
