//! The work of the cold handlers: allocation, natives, calling-context children, locks.
//! Each works on the registers in `Hot` and reports whether the interpreter continues.

use super::code::{DEST, arguments, slot};
use super::frame::*;
use super::insn::{
    self, ACCUMULATOR_ONLY, OperandPosition, call, lock, multi_array, new, new_array, object,
    store, subroutine_return,
};
use super::visible_effect::VisibleEffect;
use crate::classes::method::intrinsic;
use crate::classes::{ImtEntry, Method, NativeEntry};
use crate::heap::pause::{AfterCollection, SpaceOutcome};
use crate::ids::{ClassId, MethodId, Ref};
use crate::jdk::calls;
use crate::natives::{AWT, Env, NativeFn, library_of, symbol};
use crate::throw::*;
use crate::vm::Vm;
use rjvm_classfile::opcodes as o;
use rjvm_profiler::cct::ContextNode;

impl Vm {
    /// The value in a slot that the current instruction names.
    pub(crate) fn operand<const O: usize>(&mut self, at: OperandPosition<u16, O>) -> u64 {
        let r = self.regs();
        // SAFETY: the translator keeps slot numbers inside the frame.
        unsafe { *slot(r.fp, at.get(r.ip)) }
    }
    /// Writes the result's slot of the current instruction and the accumulators, and skips the instruction.
    pub(crate) fn result(&mut self, v: u64, bytes: usize) -> bool {
        let r = self.regs();
        // SAFETY: as above.
        unsafe {
            *slot(r.fp, DEST.get(r.ip)) = v;
            r.ip = r.ip.add(bytes);
        }
        r.acc = v;
        r.facc = f64::from_bits(v);
        true
    }
    /// Writes the result of an allocation: only the slot if the instruction stores (else it is in the accumulator alone).
    fn alloc_result(&mut self, r: R<Ref>, bytes: usize) -> bool {
        match r {
            Ok(o) => {
                let regs = self.regs();
                // SAFETY: the allocation instruction on `ip` was made by the translator.
                unsafe {
                    let d = DEST.get(regs.ip);
                    if d != ACCUMULATOR_ONLY {
                        *slot(regs.fp, d) = o.0 as u64;
                    }
                    regs.ip = regs.ip.add(bytes);
                }
                regs.acc = o.0 as u64;
                true
            }
            Err(t) => self.deliver(t),
        }
    }
    pub(crate) fn slow_new(&mut self) -> bool {
        // SAFETY: `ip` is at a `new` instruction.
        let c = ClassId(unsafe { new::class.get(self.regs().ip) });
        if let Some(on) = self.stress_collect() {
            return on;
        }
        let r = self.alloc_object(c);
        self.alloc_result(r, new::BYTES)
    }
    pub(crate) fn slow_new_array(&mut self) -> bool {
        let hot = self.hot();
        // SAFETY: `ip` is at a `newarray` instruction, which left the length in `fault`.
        let (n, c) = unsafe {
            (
                (*hot).fault[0] as i32,
                ClassId(new_array::class.get(self.regs().ip)),
            )
        };
        if n < 0 {
            return self.deliver(Throw::msg(
                "java/lang/NegativeArraySizeException",
                n.to_string(),
            ));
        }
        if let Some(on) = self.stress_collect() {
            return on;
        }
        let r = self.alloc_array(c, n as usize);
        self.alloc_result(r, new_array::BYTES)
    }
    /// In stress mode: collects before every second visit of an allocation, so that the retry succeeds. `None`: continues with
    /// it; otherwise whether the interpreter continues.
    fn stress_collect(&mut self) -> Option<bool> {
        if !self.heap.gc.stress || !self.booted {
            return None;
        }
        self.heap.gc.stress_flip = !self.heap.gc.stress_flip;
        if self.heap.gc.stress_flip {
            return Some(
                self.collect_or_stop(0, true, AfterCollection::Again) != SpaceOutcome::Stopped,
            );
        }
        None
    }
    pub(crate) fn slow_multianewarray(&mut self) -> bool {
        let r = *self.regs();
        // SAFETY: `ip` is at a resolved multianewarray instruction.
        let (c, dims, first) = unsafe {
            (
                ClassId(multi_array::class.get(r.ip)),
                usize::from(multi_array::dimensions.get(r.ip) as u8),
                usize::from(multi_array::first.get(r.ip)),
            )
        };
        // SAFETY: the counts are in consecutive slots of the frame.
        let counts: Vec<i32> = (0..dims)
            .map(|i| unsafe { *r.fp.add(first + i) as i32 })
            .collect();
        if let Some(n) = counts.iter().find(|n| **n < 0) {
            return self.deliver(Throw::msg(
                "java/lang/NegativeArraySizeException",
                n.to_string(),
            ));
        }
        if let Some(on) = self.stress_collect() {
            return on;
        }
        let a = self.multi_array(c, &counts);
        self.alloc_result(a, multi_array::BYTES)
    }
    /// A nested array; all of it is allocated before a collection can happen.
    pub(crate) fn multi_array(&mut self, c: ClassId, counts: &[i32]) -> R<Ref> {
        let a = self.alloc_array(c, counts[0] as usize)?;
        if counts.len() > 1 {
            let crate::classes::ClassKind::Array(elem) = self.class(c).kind else {
                unreachable!("verified")
            };
            for i in 0..counts[0] as usize {
                let e = self.multi_array(elem, &counts[1..])?;
                self.heap.set_elem_ref(a, i, e);
            }
        }
        Ok(a)
    }
    pub(crate) fn slow_aastore(&mut self) -> bool {
        let r = *self.regs();
        // SAFETY: `ip` is at an aastore that left the value in `fault`.
        let (v, a) = unsafe {
            let value = (*self.hot()).fault[0];
            (
                Ref(value as u32),
                Ref(*slot(r.fp, store::array.get(r.ip)) as u32),
            )
        };
        let (vc, ac) = (self.class_of(v), self.class_of(a));
        // SAFETY: hot blocks of live classes.
        let elem = unsafe { (*self.heap.hot(ac)).elem };
        if !self.is_subtype(vc, elem) {
            let name = self.class(vc).dotted();
            return self.deliver(Throw::msg("java/lang/ArrayStoreException", name));
        }
        // the cached class makes the retry succeed; the accumulator may hold the index or the value
        // SAFETY: as above.
        unsafe { (*self.heap.hot(vc)).secondary_cache = elem };
        true
    }
    /// Message of a failed cast, as HotSpot words it.
    pub(crate) fn class_cast_message(&mut self, from: ClassId, to: ClassId) -> String {
        let (a, b) = (self.class(from).dotted(), self.class(to).dotted());
        let where_ = self.classes_in_modules(from, to);
        format!("class {a} cannot be cast to class {b} ({where_})")
    }
    /// Makes the calling-context child for the call at `ip`; the instruction then runs again.
    pub(crate) fn slow_new_child(&mut self) -> bool {
        let hot = self.hot();
        let r = *self.regs();
        // SAFETY: `ip` is at a call; `fault[0]` is its callee; the node has the method's child slots.
        unsafe {
            let callee = (*hot).fault[0] as *mut Method;
            let id = (*callee).id;
            if let Some(stop) = self.translated_or_stopped(id) {
                return self.deliver(stop);
            }
            let parent = (*r.cs).node;
            let Some(child) = self.child_node(parent, id, call::bci.get(r.ip).into()) else {
                return false;
            };
            ContextNode::set_callee(parent, call::kid.get(r.ip) as usize, child);
        }
        true
    }
    /// Fills the caches of an interface call.
    pub(crate) fn slow_interface(&mut self) -> bool {
        let r = *self.regs();
        // SAFETY: `ip` is at an interface call with a non-null receiver.
        unsafe {
            let recv = *arguments(r.ip, r.fp);
            let class = self.class_of(Ref(recv as u32));
            let im = call::method.get(r.ip) as *mut Method;
            let selected = match call::opcode.get(r.ip) {
                o::INVOKEVIRTUAL => self.select_virtual(class, (*im).id),
                _ => self.select_interface(class, (*im).id),
            };
            let callee = match selected {
                Ok(m) => m,
                Err(t) => return self.deliver(t),
            };
            let callee: *mut Method = &raw mut *self.loaded.methods[callee.0 as usize];
            if call::aux.get(r.ip) == 0 {
                self.patch(r.ip, |p| {
                    call::aux.set(p, class.0);
                    call::cache.set(p, callee as u64);
                });
                self.note_call_cache(r.ip, class);
                return true;
            }
            let hot = self.heap.hot(class);
            if (*hot).imt.is_null() {
                self.grow_imt(class, 2);
            }
            loop {
                let hot = self.heap.hot(class);
                let e = (*hot).imt.add(((*im).id.0 & (*hot).imt_mask) as usize);
                if (*e).key.is_null() || (*hot).imt_mask >= 255 {
                    *e = ImtEntry { key: im, callee };
                    return true;
                }
                let n = ((*hot).imt_mask + 1) * 2;
                self.grow_imt(class, n);
            }
        }
    }
    /// Gives a class an interface-call cache of `n` entries and moves the old ones over.
    unsafe fn grow_imt(&mut self, class: ClassId, n: u32) {
        let (unit, bytes) = (self.heap.unit_of(class), size_of::<ImtEntry>());
        let off = self.heap.meta_alloc(unit, n as usize * bytes);
        let hot = self.heap.hot(class);
        let new = self.heap.region.base().add(off) as *mut ImtEntry;
        if !(*hot).imt.is_null() {
            for i in 0..=(*hot).imt_mask as usize {
                let e = *(*hot).imt.add(i);
                if !e.key.is_null() {
                    *new.add(((*e.key).id.0 & (n - 1)) as usize) = e;
                }
            }
        }
        let old = (*hot).imt;
        (*hot).imt = new;
        if !old.is_null() {
            let len = (*hot).imt_mask as usize + 1;
            let off = old as usize - self.heap.region.base() as usize;
            self.heap.meta_free(unit, off, len * bytes);
        }
        (*hot).imt_mask = n - 1;
    }
    pub(crate) fn slow_translate(&mut self) -> bool {
        let ret = self.code.stubs.ret;
        // SAFETY: the top frame is that of the method to translate.
        let (id, by_call) = unsafe {
            let f = *self.regs().cs;
            ((*f.method).id, f.rip != ret)
        };
        // when it is stopped, the call is taken back and made again: nobody must have been notified of it
        let stops = by_call && !self.reports_calls();
        match self.translate_or_stop(id, stops) {
            Ok(()) => {
                self.regs().ip = self.own_entry(id);
                true
            }
            Err(t) => {
                self.undo_call();
                self.deliver(t)
            }
        }
    }
    /// Translates a method if it has bytecode and is not yet. What cannot be translated cannot be later either, since that
    /// depends on its bytecode alone: its context has no links to others then, and the error comes up when it is entered.
    pub(crate) fn ensure_translated(&mut self, id: MethodId) {
        if self.method(id).has_code() && self.method(id).translated().is_none() {
            let _ = self.translate(id);
        }
    }
    /// The same where what needs it can run again: why that is to happen.
    fn translated_or_stopped(&mut self, id: MethodId) -> Option<Box<Throw>> {
        if !self.method(id).has_code() || self.method(id).translated().is_some() {
            return None;
        }
        let stopped = self.translate_or_stop(id, true).err();
        stopped.filter(|t| matches!(**t, Throw::Block | Throw::Upcall(_)))
    }
    pub(crate) fn slow_native(&mut self) -> bool {
        let (r, hot) = (*self.regs(), self.hot());
        // SAFETY: the top frame is that of the native method, whose arguments start at `fp`.
        let (bound, id, synchronized, args) = unsafe {
            let m = &*(*r.cs).method;
            let args = std::slice::from_raw_parts(r.fp, m.arg_slots as usize);
            (m.native, m.id, m.is_synchronized(), args)
        };
        if synchronized && r.ip != self.code.stubs.native_locked {
            let lock = self.native_lock();
            let entered = self.before_enter(lock);
            if let Err(t) = entered.and_then(|()| self.monitor_enter(lock)) {
                return self.deliver(t);
            }
            if self.instruments.reports_locks() {
                self.instruments_at_lock(lock, true);
            }
            self.regs().ip = self.code.stubs.native_locked;
        }
        let f = match bound {
            Some(f) => f.function(),
            None => match self.bind_native(id) {
                Some(_) if library_of(&self.class(self.method(id).class).name).is_some() => {
                    return match self.find_native(id) {
                        Ok(upcall) => self.upcall(upcall),
                        Err(t) => self.deliver(t),
                    };
                }
                Some(f) => {
                    self.method_mut(id).native = Some(NativeEntry::new(f));
                    f
                }
                None if self.natives.has_foreign() => {
                    return match self.find_foreign(id) {
                        Ok(upcall) => self.upcall(upcall),
                        Err(t) => self.deliver(t),
                    };
                }
                None => {
                    let t = self.unsatisfied_link(id);
                    return self.deliver(t);
                }
            },
        };
        let reported = match self.is_controlled() {
            false => None,
            true => match self.before_native(id, args) {
                Ok(Some((VisibleEffect::Fails, _))) => {
                    self.native_return(0);
                    return true;
                }
                Ok(Some((VisibleEffect::Done(result), _))) => {
                    self.native_return(result);
                    return true;
                }
                Ok(reported) => reported,
                Err(t) => return self.deliver(t),
            },
        };
        // SAFETY: the arguments that bytecode of this descriptor passes.
        let mut result = unsafe { f(Env::of(self), args) };
        self.is_still_at(hot);
        self.debug_result(id, &result);
        if let Some(reported) = reported {
            result = self.after_native(id, reported, args, result);
        }
        match result {
            Ok(v) => {
                self.native_return(v);
                true
            }
            Err(t) => self.deliver(t),
        }
    }
    /// Looks for a native of a library as HotSpot does, in Java; then it is bound.
    fn find_native(&mut self, id: MethodId) -> R<Upcall> {
        let loaders = self.loaded.known.class_loader;
        self.ensure_initialized(loaders)?;
        let of_class = self.has_method(calls::class_loader::FIND_NATIVE_OF_CLASS);
        let find = of_class.or(self.has_method(calls::class_loader::FIND_NATIVE));
        let find = self.jdk_method(loaders, find.expect("each JDK has one of the two"));
        let m = self.method(id);
        let class = self.class(m.class);
        let method = self.syms.str(m.name).clone();
        let method = match self.without_prefixes(&method) {
            Some(own) => own.into(),
            None => method,
        };
        let (symbol, loader, mirror) = (symbol(&class.name, &method), class.loader, m.class);
        let name = self.new_string(&symbol)?;
        let (loader, mirror) = (self.loader_object(loader), self.mirror(mirror));
        let args = match of_class {
            Some(_) => smallvec::smallvec![loader, mirror, name, self.new_string(&method)?],
            None => smallvec::smallvec![loader, name],
        };
        let args: smallvec::SmallVec<[Ref; 4]> = args;
        Ok(Upcall {
            call: Some(Call {
                made: None,
                method: find,
                args: args.iter().map(|r| u64::from(r.0)).collect(),
            }),
            cont: Some(Cont::own(
                |vm, c, result| {
                    if let Err(e) = result {
                        return Next::Throw(Throw::object(e));
                    }
                    let id = MethodId(c.data[0] as u32);
                    let native = vm.bind_native(id);
                    vm.method_mut(id).native = native.map(NativeEntry::new);
                    Next::Return(crate::Value::Void)
                },
                [id.0.into(), 0, 0],
                [Ref::NULL; 3],
            )),
            resume: Resume::Again,
        })
    }
    fn bind_native(&mut self, id: MethodId) -> Option<NativeFn> {
        let m = self.method(id);
        let (class, name, desc, is_static) = (
            self.name(m.class),
            self.syms.str(m.name).clone(),
            self.syms.str(m.desc).clone(),
            m.is_static(),
        );
        if self.class(m.class).loader != crate::LoaderId::BOOT && !self.in_jdk(&class) {
            return None;
        }
        if matches!(&*name, "registerNatives" | "initIDs") && &*desc == "()V" {
            let found = self.natives.find(&class, &name, &desc, is_static);
            // these prepare functions of C, of which there are none
            let nothing =
                || (!self.may_be_in_library(&class)).then_some((|_, _| Ok(0)) as NativeFn);
            return found.or_else(nothing);
        }
        let found = self.natives.find(&class, &name, &desc, is_static);
        found.or_else(|| {
            let own = self.without_prefixes(&name)?;
            self.natives.find(&class, own, &desc, is_static)
        })
    }
    /// Whether natives of a class of the JDK that are not in the registry may be functions of a library: those of `java.base` and
    /// of libraries that the registry replaces are not.
    fn may_be_in_library(&self, class: &str) -> bool {
        self.natives.has_foreign()
            && match library_of(class) {
                Some(library) => library == AWT,
                None => self.module_in_jdk(class) != Some("java.base"),
            }
    }
    /// The module of the JDK that has the class's package.
    fn module_in_jdk(&self, class: &str) -> Option<&str> {
        let package = class.rfind('/').map_or("", |i| &class[..i]);
        let path = self.loaded.boot_path.as_ref()?;
        path.module_of_package(package).ok().flatten()
    }
    /// Whether the class's package is one of the JDK's.
    fn in_jdk(&self, name: &str) -> bool {
        self.module_in_jdk(name).is_some()
    }
    pub(crate) fn unsatisfied_link(&mut self, id: MethodId) -> Box<Throw> {
        let text = self.external_method(id);
        Throw::msg("java/lang/UnsatisfiedLinkError", format!("'{text}'"))
    }
    pub(crate) fn slow_abstract(&mut self) -> bool {
        let r = *self.regs();
        // SAFETY: the top frame is that of the abstract method; the receiver is its local 0.
        let (id, recv) = unsafe { ((*(*r.cs).method).id, Ref(*r.fp as u32)) };
        let class = self.class_of(recv);
        // SAFETY: the top frame was entered by a call instruction, which holds its method, or by a stub.
        let linked = unsafe {
            let rip = (*r.cs).rip;
            let called = |rip: Ip| &*(call::method.get(rip.sub(call::BYTES)) as *const Method);
            rip != self.code.stubs.ret && called(rip).intrinsic == intrinsic::LINK_TO_VIRTUAL
        };
        self.undo_call();
        // a method handle does not report its receiver
        let t = self.abstract_error(id, None, (!linked).then_some(class));
        self.deliver(t)
    }
    pub(crate) fn slow_monitor(&mut self, enter: bool) -> bool {
        let o = Ref(self.operand(object::object) as u32);
        if o.is_null() {
            return self.deliver(Throw::npe());
        }
        let r = if enter {
            self.enter_monitor(o)
        } else {
            self.monitor_exit(o)
        };
        match r {
            Ok(()) => {
                self.regs().ip = self.regs().ip.wrapping_add(object::BYTES);
                true
            }
            Err(t) => self.deliver(t),
        }
    }
    pub(crate) fn slow_sync_enter(&mut self) -> bool {
        let r = *self.regs();
        // SAFETY: the top frame is that of the synchronized method.
        let (m, d) = unsafe { (&*(*r.cs).method, lock::lock.get(r.ip)) };
        // SAFETY: local 0 is the receiver.
        let lock = if m.is_static() {
            self.mirror(m.class)
        } else {
            Ref(unsafe { *r.fp } as u32)
        };
        match self.enter_monitor(lock) {
            Ok(()) => {
                // SAFETY: the lock slot is inside the frame.
                unsafe { *slot(r.fp, d) = lock.0 as u64 };
                self.regs().ip = r.ip.wrapping_add(lock::BYTES);
                true
            }
            Err(t) => self.deliver(t),
        }
    }
    pub(crate) fn slow_sync_exit(&mut self) -> bool {
        let lock = Ref(self.operand(lock::lock) as u32);
        match self.monitor_exit(lock) {
            Ok(()) => {
                let r = self.regs();
                // SAFETY: the lock slot is inside the frame; 0 reports unwinding that the lock is released.
                unsafe { *slot(r.fp, lock::lock.get(r.ip)) = 0 };
                r.ip = r.ip.wrapping_add(lock::BYTES);
                true
            }
            Err(t) => self.deliver(t),
        }
    }
    pub(crate) fn slow_register_finalizer(&mut self) -> bool {
        let r = *self.regs();
        // SAFETY: the top frame is that of Object.<init>; local 0 is the object.
        let o = Ref(unsafe { *r.fp } as u32);
        let c = self.class_of(o);
        // SAFETY: hot block of a live class.
        if unsafe { (*self.heap.hot(c)).finalizable } == 0 {
            self.regs().ip = r.ip.wrapping_add(insn::plain::BYTES);
            return true;
        }
        let reg = self.jdk_method(self.loaded.known.finalizer, calls::finalizer::REGISTER);
        let call = Call {
            made: None,
            method: reg,
            args: [o.0 as u64].as_slice().into(),
        };
        self.upcall(Upcall {
            call: Some(call),
            cont: None,
            resume: Resume::Value,
        })
    }
    pub(crate) fn slow_ret_subroutine(&mut self) -> bool {
        // a return address is a bytecode index
        let to = self.operand(subroutine_return::address) as u16;
        let r = *self.regs();
        // SAFETY: the top frame is a translated method with subroutines.
        unsafe {
            let x = (*(*r.cs).method).translated().expect("translated");
            let (ip, label) = x.return_to(to).expect("verified subroutine return");
            let regs = self.regs();
            regs.ticks += i64::from(subroutine_return::ticks.get(r.ip)) - i64::from(label.pot);
            regs.ip = ip;
            self.note_turn((*r.cs).node, label.number, super::turns::BranchKind::Enter);
        }
        true
    }
    /// Changes operands (and the handler) of the instruction at `ip` in the method's code and in its careful copy.
    pub(crate) unsafe fn patch(&mut self, ip: Ip, f: impl Fn(*mut u8)) {
        let m = (*self.regs().cs).method;
        (*m).translated_mut().expect("translated").patch(ip, f);
        self.tier_patched(m);
    }
}
