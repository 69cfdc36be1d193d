//! First execution of instructions that were not resolved when they were translated: resolve,
//! initialize, rewrite, run again (JVMS 5.4.3, 5.5).

use super::code::arguments;
use super::code::*;
use super::frame::*;
use super::insn::{call, constant, field, multi_array, new, new_array, set_handler, type_test};
use super::ops_call::{CallKind, call_handler, call_ticks, move_argument, moves_argument};
use super::{ops_arith as oa, ops_mem as om};
use crate::classes::resolved::CallSite;
use crate::classes::{InitState, PoolEntry, Resolved, acc};
use crate::ids::{ClassId, MethodId, Ref};
use crate::interp::Handler;
use crate::throw::*;
use crate::vm::Vm;
use rjvm_classfile::{ClassFile, Constant as Q, opcodes as o};
use std::sync::Arc;

impl Vm {
    /// Resolves the instruction at `ip`, or executes it once where it must not be rewritten yet.
    pub(crate) fn slow_unresolved(&mut self) -> bool {
        let r = *self.regs();
        // SAFETY: the top frame is a translated method's.
        let (m, bci) = unsafe {
            let m = &*(*r.cs).method;
            (
                m.id,
                m.position(r.ip, true).expect("an instruction").bci() as usize,
            )
        };
        match self.resolve_instruction(m, bci) {
            Ok(on) => on,
            Err(t) => self.deliver(t),
        }
    }
    fn resolve_instruction(&mut self, m: MethodId, bci: usize) -> R<bool> {
        let ip = self.regs().ip;
        let class = self.method(m).class;
        let code = self
            .method(m)
            .code()
            .map(|code| code.kept())
            .expect("bytecode");
        let bytes = code.lent().bytes();
        let op = bytes[bci];
        let cp = if op == o::LDC {
            bytes[bci + 1] as u16
        } else {
            u16::from_be_bytes([bytes[bci + 1], bytes[bci + 2]])
        };
        let cp = self.method(m).entry_at(cp);
        match op {
            o::LDC | o::LDC_W | o::LDC2_W => self.resolve_constant(class, cp, ip)?,
            o::GETSTATIC | o::PUTSTATIC | o::GETFIELD | o::PUTFIELD => {
                return self.resolve_field_op(m, class, op, cp, ip);
            }
            o::NEW => {
                let c = self.resolve_class(class, cp)?;
                let k = self.class(c);
                if k.is_abstract() || k.is_array() {
                    let n = k.dotted();
                    return Err(Throw::msg("java/lang/InstantiationError", n));
                }
                if c == self.loaded.known.class {
                    // classes are made by loaders only
                    let n = k.dotted();
                    return Err(Throw::msg("java/lang/IllegalAccessError", n));
                }
                self.ensure_initialized(c)?;
                let alloc = self.allocation_mode();
                // SAFETY: hot block of a live class; `ip` is at this `new`.
                unsafe {
                    let hot = self.heap.hot(c);
                    let (size, ready) = (
                        (*hot).instance_size,
                        (*hot).state == InitState::Initialized as u32,
                    );
                    if !ready {
                        let obj = self.alloc_object(c)?;
                        return Ok(self.result(obj.0 as u64, new::BYTES));
                    }
                    self.patch(ip, |p| {
                        set_handler(p, om::new_handler(alloc, true));
                        new::class.set(p, c.0);
                        new::bytes.set(p, size);
                    });
                }
            }
            o::ANEWARRAY => {
                let elem = self.resolve_class(class, cp)?;
                let c = self.array_of(elem);
                let alloc = self.allocation_mode();
                // SAFETY: `ip` is at this instruction.
                unsafe {
                    let shift = (*self.heap.hot(c)).elem_shift as u32;
                    self.patch(ip, |p| {
                        set_handler(p, om::newarray_handler(alloc, true));
                        new_array::class.set(p, c.0);
                        new_array::shift.set(p, shift);
                    });
                }
            }
            o::MULTIANEWARRAY => {
                let c = self.resolve_class(class, cp)?;
                // SAFETY: as above.
                unsafe {
                    self.patch(ip, |p| {
                        set_handler(p, super::slow::multianewarray);
                        multi_array::class.set(p, c.0);
                    });
                }
            }
            o::CHECKCAST | o::INSTANCEOF => {
                // the class of a null is not looked up (JVMS 6.5)
                if self.operand(type_test::object) as u32 == 0 {
                    if op == o::INSTANCEOF {
                        return Ok(self.result(0, type_test::BYTES));
                    }
                    self.regs().ip = ip.wrapping_add(type_test::BYTES);
                    return Ok(true);
                }
                let c = self.resolve_class(class, cp)?;
                let h = match op {
                    o::CHECKCAST => om::check_cast(K::S),
                    _ => om::instance_of(K::S, true),
                };
                // SAFETY: as above.
                unsafe {
                    self.patch(ip, |p| {
                        set_handler(p, h);
                        type_test::class.set(p, c.0);
                    });
                }
            }
            o::INVOKEDYNAMIC => {
                let key = (self.method(m).site_slot(), bci as u32);
                let known = self.class(class).rare.get();
                let site = match known.and_then(|r| r.call_sites.get(&key)).cloned() {
                    Some(Ok(site)) => site,
                    Some(Err(f)) => return Err(self.throw_again(&f)),
                    None => self.in_domain_of(class, |vm| vm.link_call_site(class, m, bci, cp))?,
                };
                self.quicken_appendix(ip, CallKind::Appendix, site);
            }
            _ => return self.quicken_invoke(class, op, cp, ip),
        }
        Ok(true)
    }
    fn quicken_appendix(&mut self, ip: Ip, kind: CallKind, site: CallSite) {
        let prof = self.profiling();
        let callee = &raw const *self.loaded.methods[site.adapter.0 as usize] as u64;
        // SAFETY: `ip` is at a call instruction.
        unsafe {
            self.patch(ip, |p| {
                let h = call_handler(kind, prof, moves_argument(p));
                set_handler(p, h);
                call::method.set(p, callee);
                call::cache.set(p, site.appendix as u64);
            });
        }
    }
    fn resolve_constant(&mut self, class: ClassId, cp: PoolEntry, ip: Ip) -> R<()> {
        let (h, v): (Handler, u64) = match self.in_domain_of(class, |vm| vm.constant(class, cp))? {
            Resolved::Class(c) => (oa::movl, self.mirror(c).0 as u64),
            Resolved::Prim(v) => (oa::movl, v),
            Resolved::Cell(c) => (oa::ldcell::<DS>, c as u64),
            other => unreachable!("{other:?} is no constant"),
        };
        // SAFETY: `ip` is at an `ldc` instruction.
        unsafe {
            self.patch(ip, |p| {
                set_handler(p, h);
                constant::cell.set(p, v as u32);
                constant::value.set(p, v);
            });
        }
        Ok(())
    }
    /// The class file that an entry of a class's pools is of.
    pub(in crate::interp) fn file_with(&self, class: ClassId, at: PoolEntry) -> Arc<ClassFile> {
        let file = self.class(class).file_of(at.pool).cloned();
        file.expect("code that runs has its class file")
    }
    /// Resolves a loadable constant (JVMS 5.1): a class, a primitive, or an object in a root cell.
    pub(crate) fn constant(&mut self, class: ClassId, cp: PoolEntry) -> R<Resolved> {
        match self.class(class).state(cp).unwrap_or_default() {
            Resolved::None => {}
            Resolved::Error(f) => return Err(self.throw_again(&f)),
            r => return Ok(r),
        }
        let cf = self.file_with(class, cp);
        let r = match cf.constant_pool.entry(cp.index) {
            Q::Class { .. } => Resolved::Class(self.resolve_class(class, cp)?),
            Q::String { utf8, .. } => {
                let bytes = cf.constant_pool.utf8(utf8).expect("a checked constant");
                let s = self.intern_utf16(
                    &rjvm_classfile::mutf8::to_utf16(bytes).expect("a checked constant"),
                )?;
                Resolved::Cell(self.heap.new_cell_of(self.heap.unit_of(class), s))
            }
            // nothing to remember
            Q::Integer(v) => return Ok(Resolved::Prim(v as u32 as u64)),
            Q::Float(v) => return Ok(Resolved::Prim(f32::to_bits(v) as u64)),
            Q::Long(v) => return Ok(Resolved::Prim(v as u64)),
            Q::Double(v) => return Ok(Resolved::Prim(f64::to_bits(v))),
            Q::MethodType { descriptor, .. } => {
                let d = cf
                    .constant_pool
                    .str(descriptor)
                    .expect("a checked constant")
                    .to_string();
                return self.resolve_method_type(class, cp, &d);
            }
            Q::MethodHandle { .. } => return self.resolve_method_handle(class, cp),
            Q::Dynamic { .. } => return self.resolve_dynamic(class, cp),
            q => panic!("constant {cp:?} of {} is {q:?}", self.name(class)),
        };
        self.heap.class_mut(class).set_state(cp, r.clone());
        Ok(r)
    }
    fn resolve_field_op(
        &mut self,
        m: MethodId,
        class: ClassId,
        op: u8,
        cp: PoolEntry,
        ip: Ip,
    ) -> R<bool> {
        let (c, k) = self.resolve_field(class, cp)?;
        let f = self.class(c).fields[k as usize].clone();
        let is_static = op == o::GETSTATIC || op == o::PUTSTATIC;
        if (f.access & acc::STATIC != 0) != is_static {
            let what = if is_static {
                "Expected static field"
            } else {
                "Expected non-static field"
            };
            let text = format!(
                "{what} {}.{}",
                self.class(c).dotted(),
                self.syms.str(f.name)
            );
            return Err(Throw::msg("java/lang/IncompatibleClassChangeError", text));
        }
        if (op == o::PUTSTATIC || op == o::PUTFIELD) && f.access & acc::FINAL != 0 {
            self.check_final_store(m, class, c, &f, cp)?;
        }
        let ty = f.ty;
        if !is_static {
            let h = if op == o::GETFIELD {
                om::get_field(ty, K::S, true)
            } else {
                om::put_field(ty, K::S)
            };
            self.quicken_field(ip, h, f.offset);
            return Ok(true);
        }
        self.ensure_initialized(c)?;
        let off = self.mirror(c).0 * 8 + f.offset;
        // SAFETY: hot block of a live class.
        if unsafe { (*self.heap.hot(c)).state } != InitState::Initialized as u32 {
            // the initializer itself is running: other threads must still wait at this instruction
            let mirror = self.mirror(c);
            if op == o::GETSTATIC {
                let v = self.read_field(mirror, &f);
                return Ok(self.result(v, field::BYTES));
            }
            let v = self.operand(field::value);
            self.write_field(mirror, &f, v);
            self.regs().ip = ip.wrapping_add(field::BYTES);
            return Ok(true);
        }
        let h = if op == o::GETSTATIC {
            om::get_static(ty, true)
        } else {
            om::put_static(ty, K::S)
        };
        self.quicken_field(ip, h, off);
        Ok(true)
    }
    fn quicken_field(&mut self, ip: Ip, h: Handler, off: u32) {
        // SAFETY: `ip` is at a field instruction.
        unsafe {
            self.patch(ip, |p| {
                set_handler(p, h);
                field::offset.set(p, off);
            });
        }
    }
    /// Value of a field as a slot.
    pub fn read_field(&self, r: Ref, f: &crate::classes::Field) -> u64 {
        let (h, o) = (&self.heap, f.offset);
        match f.ty {
            b'Z' => h.get::<u8>(r, o) as u64,
            b'B' => h.get::<i8>(r, o) as i32 as u32 as u64,
            b'C' => h.get::<u16>(r, o) as u64,
            b'S' => h.get::<i16>(r, o) as i32 as u32 as u64,
            b'J' | b'D' => h.get::<u64>(r, o),
            _ => h.get::<u32>(r, o) as u64,
        }
    }
    /// Sets a field from a slot, with the barrier for references. The caller knows that the object has the field.
    pub(super) fn write_field(&mut self, r: Ref, f: &crate::classes::Field, v: u64) {
        let o = f.offset;
        match f.ty {
            b'Z' => self.heap.put(r, o, v as u8 & 1),
            b'B' => self.heap.put(r, o, v as u8),
            b'C' | b'S' => self.heap.put(r, o, v as u16),
            b'J' | b'D' => self.heap.put(r, o, v),
            b'L' | b'[' => self.heap.put_ref(r, o, Ref(v as u32)),
            _ => self.heap.put(r, o, v as u32),
        }
    }
    /// Whether a method may store to a final field of class `c`: a method of that class, and since
    /// version 53 of class files only the initializer.
    pub(super) fn may_store_final(&self, m: MethodId, c: ClassId, is_static: bool) -> bool {
        let m = self.method(m);
        let modern = (self.class(c).cf.as_ref()).is_some_and(|cf| cf.major >= 53);
        m.class == c && (!modern || **self.syms.str(m.name) == *final_initializer(is_static))
    }
    fn check_final_store(
        &mut self,
        m: MethodId,
        class: ClassId,
        c: ClassId,
        f: &crate::classes::Field,
        cp: PoolEntry,
    ) -> R<()> {
        let is_static = f.access & acc::STATIC != 0;
        if self.may_store_final(m, c, is_static) {
            return Ok(());
        }
        let kind = if is_static { "static" } else { "non-static" };
        let named = self.resolve_class_of_member(class, cp)?;
        let (named, field) = (self.external_class(named), self.syms.str(f.name));
        let text = match class == c {
            true => format!(
                "Update to {kind} final field {named}.{field} attempted from a different method ({}) than the initializer method {} ",
                self.syms.str(self.method(m).name),
                final_initializer(is_static)
            ),
            false => format!(
                "Update to {kind} final field {named}.{field} attempted from a different class ({}) than the field's declaring class",
                self.external_class(class)
            ),
        };
        Err(Throw::msg("java/lang/IllegalAccessError", text))
    }
    fn quicken_invoke(&mut self, class: ClassId, op: u8, cp: PoolEntry, ip: Ip) -> R<bool> {
        if let Some(Resolved::Poly(adapter, appendix)) = self.class(class).state(cp) {
            self.quicken_appendix(ip, CallKind::Handle, CallSite { adapter, appendix });
            return Ok(true);
        }
        let m = self.resolve_method(class, cp)?;
        if self.method(m).intrinsic == crate::classes::method::intrinsic::INVOKE_GENERIC {
            let site = self.in_domain_of(class, |vm| vm.link_method(class, cp, m))?;
            self.quicken_appendix(ip, CallKind::Handle, site);
            return Ok(true);
        }
        if op == o::INVOKESTATIC && self.method(m).is_static() {
            let c = self.method(m).class;
            self.ensure_initialized(c)?;
            // SAFETY: hot block of a live class.
            if unsafe { (*self.heap.hot(c)).state } != InitState::Initialized as u32 {
                return Ok(self.call_once(m));
            }
        }
        let Some((kind, target, aux, aux64)) = self.call_kind(class, op, cp, m)? else {
            unreachable!("an initialized class's method is callable");
        };
        let prof = self.profiling();
        // SAFETY: `ip` is at a call instruction.
        unsafe {
            self.patch(ip, |p| {
                set_handler(p, call_handler(kind, prof, moves_argument(p)));
                call::method.set(p, target);
                call::aux.set(p, aux);
                call::cache.set(p, aux64);
            });
        }
        Ok(true)
    }
    /// Executes a static call once without rewriting it: the class's initializer is under way in this thread.
    fn call_once(&mut self, id: MethodId) -> bool {
        let r = *self.regs();
        let prof = self.profiling();
        self.ensure_translated(id);
        // SAFETY: `ip` is at a call instruction; the arguments are in the frame; the stack is checked.
        unsafe {
            let m = &raw mut *self.loaded.methods[id.0 as usize];
            let nfp = arguments(r.ip, r.fp);
            if moves_argument(r.ip) {
                move_argument(r.ip, r.fp);
            }
            if nfp as usize + crate::threads::stack::RED_ZONE > r.cs as usize {
                return self.throw_stack_overflow();
            }
            let mut node = (*r.cs).node;
            if prof {
                let caller = (*r.cs).method;
                let site = (*caller)
                    .position(r.ip, true)
                    .map_or(rjvm_profiler::cct::NO_SITE, |p| p.bci().into());
                let Some(child) = self.child_node(node, id, site) else {
                    return false;
                };
                node = child;
                (*node).invocations += 1;
            }
            let ticks = r.ticks + call_ticks(r.ip);
            let cs = r.cs.sub(1);
            *cs = Frame {
                rip: r.ip.add(call::BYTES),
                fp: r.fp,
                node,
                ticks,
                method: m,
            };
            let entry = (*m).entry;
            let regs = self.regs();
            regs.cs = cs;
            regs.fp = nfp;
            regs.ip = entry;
            regs.ticks = ticks;
        }
        true
    }
}

/// The method that sets final fields.
fn final_initializer(is_static: bool) -> &'static str {
    if is_static { "<clinit>" } else { "<init>" }
}
