//! Exceptions: making them, and unwinding frames to their handlers (JVMS 2.10).

use super::translate::Translated;
use super::turns::BranchKind;
use super::{insn, slow};
use crate::classes::{Method, PoolEntry};
use crate::ids::{ClassId, Ref};
use crate::jdk::{self, calls};
use crate::natives::Env;
use crate::throw::*;
use crate::vm::Vm;

/// What an OutOfMemoryError of the VM's own says: the heap is full.
pub(crate) const HEAP_SPACE: &str = "Java heap space";
/// The same: no array can be so large.
const ARRAY_SIZE: &str = "Requested array size exceeds VM limit";
/// That many of them have a stack trace (HotSpot's `-XX:PreallocatedOutOfMemoryErrorCount`).
const TRACED: u32 = 4;

/// Where an exception has arrived.
pub(super) enum Unwound {
    /// At a handler; whether the interpreter continues.
    Landed(bool),
    /// At a continuation, which is to be handed this exception.
    Stub(Ref),
}

impl Vm {
    /// Prints an exception and where it is thrown (debug builds, `RJVM_TRACE_THROW`).
    fn trace_throw(&mut self, exc: Ref) {
        let class = self.class(self.class_of(exc)).dotted();
        let m = self.get(exc, jdk::throwable::DETAIL_MESSAGE);
        let m = if m.is_null() {
            String::new()
        } else {
            self.string(m)
        };
        eprintln!("throw {class}: {m}");
        let t = self.cur;
        let mut n = 0;
        self.walk_stack(t, |vm, m, bci| {
            eprintln!("   {} @{bci}", vm.method_name(m));
            n += 1;
            if n > 25 {
                std::ops::ControlFlow::Break(())
            } else {
                std::ops::ControlFlow::Continue(())
            }
        });
    }
    /// Finds the handler of `exc` thrown at the registers' instruction, or by a frame above it.
    pub(super) fn unwind(&mut self, exc: Ref) -> bool {
        if self.exception_begins(exc) {
            return false;
        }
        match self.unwind_to(exc) {
            Unwound::Landed(on) => on,
            Unwound::Stub(exc) => self.cont_step(Err(exc)),
        }
    }
    /// Panics if what a native or a host hands over is not null and no instance of a class.
    pub(crate) fn must_be(&self, object: Ref, class: ClassId) {
        self.heap.check(object);
        let fits = object.is_null() || self.instance_of(object, class);
        assert!(fits, "{object:?} is no {}", self.class(class).dotted());
    }
    /// As [`Vm::must_be`], for a thrown object.
    pub(super) fn must_be_thrown(&self, exc: Ref) {
        assert!(!exc.is_null(), "nothing is thrown");
        self.must_be(exc, self.loaded.known.throwable);
    }
    /// As [`Vm::unwind`], to the next continuation at most.
    pub(super) fn unwind_to(&mut self, mut exc: Ref) -> Unwound {
        if cfg!(debug_assertions) && std::env::var_os("RJVM_TRACE_THROW").is_some() {
            self.trace_throw(exc);
        }
        let mut first = true;
        loop {
            let r = *self.regs();
            // SAFETY: control frames down to the thread's bottom stub are valid; methods are loaded as long as they have frames.
            unsafe {
                let m = (*r.cs).method;
                if m.is_null() {
                    return Unwound::Stub(exc);
                }
                if (*m).is_native() {
                    self.thread().end_native();
                    if (*m).is_synchronized() && r.ip == self.code.stubs.native_locked {
                        let lock = self.native_lock();
                        self.unlock_reported(lock);
                    }
                } else if let Some(x) = (*m).translated()
                    && (first || self.can_stop_unwinding(&*m, x))
                    && let Some(p) = x.position(r.ip, first)
                {
                    let bci = p.bci();
                    if first {
                        // what athrow throws is the outcome of no resolution
                        if *r.ip.cast::<u64>() != insn::word(slow::athrow)
                            && let Some(wrap) = self.resolution_failed((*m).id, bci.into(), exc)
                        {
                            return Unwound::Landed(self.upcall(wrap));
                        }
                        self.regs().ticks += p.begun();
                    }
                    let node = (*r.cs).node;
                    if self.counts_blocks() {
                        self.note_turn(node, p.number(), BranchKind::After);
                    }
                    let class = (*m).class;
                    for h in x.handlers() {
                        if h.covers(bci)
                            && (h.catch_type == 0
                                || self.catches(class, (*m).entry_at(h.catch_type), exc))
                        {
                            self.note_turn(node, h.number, BranchKind::Enter);
                            let regs = self.regs();
                            regs.ticks -= h.pot as i64;
                            let (ip, slot) = x.landing(h);
                            *r.fp.add(slot) = exc.0 as u64;
                            regs.acc = exc.0 as u64;
                            regs.ip = ip;
                            return Unwound::Landed(true);
                        }
                    }
                    if (*m).is_synchronized() && !x.is_prologue(r.ip) {
                        let lock = Ref(*r.fp.add(x.lock_slot()) as u32);
                        if !lock.is_null() && self.holds_lock(lock) {
                            self.unlock_reported(lock);
                        }
                    }
                    if x.tracks_monitors() {
                        exc = self.release_tracked(exc);
                    }
                }
            }
            self.notify_thrown_out(Some(exc), first);
            self.pop_frame();
            first = false;
        }
    }
    /// Whether it matters where in a frame of this method an exception arrives from a call.
    fn can_stop_unwinding(&self, m: &Method, x: &Translated) -> bool {
        !x.handlers().is_empty()
            || x.tracks_monitors()
            || m.is_synchronized()
            || self.counts_blocks()
    }
    /// Whether the catch type at constant-pool index `i` of `class` is a superclass of the exception's.
    fn catches(&mut self, class: ClassId, i: PoolEntry, exc: Ref) -> bool {
        if let Some(c) = self.try_resolve_class(class, i) {
            return self.instance_of(exc, c);
        }
        // not loaded here yet: only a superclass of the exception of that name can match, and the
        // class's loader finds just that one (loader constraints), so no code has to run
        let k = self.class(class);
        let Some(cf) = k.file_of(i.pool).cloned() else {
            return false;
        };
        let Ok(name) = cf.constant_pool.class_name(i.index) else {
            return false;
        };
        let mut c = Some(self.class_of(exc));
        while let Some(id) = c {
            if &*self.class(id).name == name {
                return true;
            }
            c = self.class(id).super_class;
        }
        false
    }
    /// Creates an exception (its constructor runs as Java code) and throws it.
    pub(super) fn throw_new(
        &mut self,
        class: &'static str,
        message: Option<String>,
        cause: Ref,
    ) -> bool {
        if class == "java/lang/OutOfMemoryError" {
            return match message {
                Some(message) => self.throw_out_of_memory(&message),
                // a native's own, of memory that is not the VM's: nothing that the options know of
                None => {
                    let c = self.boot_class(class);
                    self.throw_unconstructed(c, None, true)
                }
            };
        }
        if class == "java/lang/StackOverflowError" {
            return self.throw_stack_overflow();
        }
        let c = self.boot_class(class);
        let mut msg = Ref::NULL;
        if let Some(m) = message {
            match self.alloc_with_gc(&mut [cause], |vm, _| vm.new_string(&m)) {
                Some(s) => msg = s,
                None => return self.throw_out_of_memory(HEAP_SPACE),
            }
        }
        let upcall = exception_upcall(c, msg, cause);
        self.upcall(upcall)
    }
    /// Runs an allocation, collecting and trying again when the heap is full. `keep` are references the
    /// caller holds (updated), and it is given. `None`: no memory.
    pub(crate) fn alloc_with_gc(
        &mut self,
        keep: &mut [Ref],
        f: impl Fn(&mut Vm, &[Ref]) -> R<Ref>,
    ) -> Option<Ref> {
        for _ in 0..2 {
            match f(self, keep) {
                Ok(r) => return Some(r),
                Err(e) => match *e {
                    Throw::Collect(n) => {
                        let base = self.thread().native_refs.len();
                        self.thread().native_refs.extend_from_slice(keep);
                        let ok = self.collect(n, false);
                        let back: Vec<Ref> = self.thread().native_refs.drain(base..).collect();
                        keep.copy_from_slice(&back);
                        if !ok {
                            return None;
                        }
                    }
                    _ => return None,
                },
            }
        }
        None
    }
    /// Throws StackOverflowError without running its constructor (there is no room), as HotSpot does.
    pub(crate) fn throw_stack_overflow(&mut self) -> bool {
        let c = self.boot_class("java/lang/StackOverflowError");
        self.throw_unconstructed(c, None, true)
    }
    /// Throws OutOfMemoryError without running its constructor.
    pub(crate) fn throw_out_of_memory(&mut self, message: &str) -> bool {
        self.dump_full_heap(message);
        if self.options.exit_on_oom {
            self.print_error(&format!(
                "Terminating due to java.lang.OutOfMemoryError: {message}\n"
            ));
            self.exit.get_or_insert(3);
            return false;
        }
        let c = self.boot_class("java/lang/OutOfMemoryError");
        let of_the_vm = matches!(message, HEAP_SPACE | ARRAY_SIZE);
        self.memory.out_of_memory_errors += u32::from(of_the_vm);
        let traced = self.memory.out_of_memory_errors <= TRACED || !of_the_vm;
        self.throw_unconstructed(c, Some(message), traced)
    }
    /// Throws an error whose constructor does not run. One that is not `traced` is the same object each
    /// time, as is the one that is thrown when there is no room for more.
    fn throw_unconstructed(&mut self, c: ClassId, message: Option<&str>, traced: bool) -> bool {
        let mut error = None;
        if traced {
            error = self.beyond_the_limit(false, |vm| {
                let error = vm.unconstructed(c, message)?;
                Some(vm.fill_in_stack_trace(error))
            });
        }
        match error.or_else(|| self.last_error(c, message)) {
            Some(error) => self.unwind(error),
            None => {
                let text = message.unwrap_or_default();
                self.exhausted(format!("no memory for an OutOfMemoryError: {text}"));
                false
            }
        }
    }
    /// The error that is thrown again and again.
    fn last_error(&mut self, c: ClassId, message: Option<&str>) -> Option<Ref> {
        let key = (c, message.unwrap_or_default().into());
        if let Some(&cell) = self.memory.last_errors.get(&key) {
            return Some(self.heap.cell(cell));
        }
        let counted = self.allocated;
        let error = self.beyond_the_limit(true, |vm| vm.unconstructed(c, message))?;
        self.allocated = counted;
        let cell = self.heap.new_cell(error);
        self.memory.last_errors.insert(key, cell);
        Some(error)
    }
    /// An error without a stack trace. `None`: no memory.
    fn unconstructed(&mut self, c: ClassId, message: Option<&str>) -> Option<Ref> {
        let mut error = [self.alloc_with_gc(&mut [], |vm, _| vm.alloc_object(c))?];
        if let Some(m) = message
            && let Some(s) = self.alloc_with_gc(&mut error, |vm, _| vm.intern_str(m))
        {
            self.set(error[0], jdk::throwable::DETAIL_MESSAGE, s);
        }
        Some(error[0])
    }
    /// What the constructor of Throwable does, for exceptions made without; nothing if there is no room. The exception, which
    /// may have moved.
    pub(super) fn fill_in_stack_trace(&mut self, exc: Ref) -> Ref {
        let class = "java/lang/Throwable";
        let desc = "(I)Ljava/lang/Throwable;";
        let mut exc = [exc];
        if let Some(f) = self.natives.find(class, "fillInStackTrace", desc, false) {
            self.alloc_with_gc(&mut exc, |vm, exc| {
                // SAFETY: fillInStackTrace(int) of the exception.
                unsafe { f(Env::of(vm), &[exc[0].0 as u64, 0]) }.map(|_| exc[0])
            });
        }
        exc[0]
    }
    /// The method's frame does not fit: undoes the call and throws.
    pub(crate) fn throw_frame_overflow(&mut self) -> bool {
        self.undo_call();
        self.throw_stack_overflow()
    }
}

/// What makes an exception (its constructor runs) and throws it.
pub fn exception_upcall(class: ClassId, message: Ref, cause: Ref) -> Upcall {
    Upcall {
        call: None,
        cont: Some(Cont::own(
            new_exception_step,
            [class.0 as u64, 0, 0],
            [message, cause, Ref::NULL],
        )),
        resume: Resume::Again,
    }
}

/// Steps of creating an exception: 0 initialize the class, 1 allocate and construct, 2 set the cause, 3 throw.
fn new_exception_step(vm: &mut Vm, c: &mut Cont, input: Result<crate::Value, Ref>) -> Next {
    match new_exception(vm, c, input) {
        Ok(n) => n,
        Err(t) => Next::Throw(t),
    }
}
fn new_exception(vm: &mut Vm, c: &mut Cont, input: Result<crate::Value, Ref>) -> R<Next> {
    if let Err(e) = input {
        return Err(Throw::object(e));
    }
    let class = ClassId(c.data[0] as u32);
    if c.data[1] == 0 {
        let (throwable, [msg, cause, _]) = (vm.loaded.known.throwable, c.refs);
        vm.must_be(cause, throwable);
        vm.must_be(msg, vm.loaded.known.string);
        let name = vm.name(class);
        assert!(vm.is_subtype(class, throwable), "{name} can't be thrown");
        vm.ensure_initialized(class)?;
        c.data[1] = 1;
    }
    if c.data[1] == 1 {
        let exc = vm.alloc_object(class)?;
        c.refs[2] = exc;
        c.data[1] = 2;
        let [msg, cause, _] = c.refs;
        let (this, m, k) = (exc.0 as u64, msg.0 as u64, cause.0 as u64);
        let find = |vm: &mut Vm, d: &str| {
            let (n, d) = (vm.syms.intern("<init>"), vm.syms.intern(d));
            vm.declared_method(class, n, d)
        };
        let has_cause = !cause.is_null();
        if has_cause
            && msg.is_null()
            && let Some(i) = find(vm, "(Ljava/lang/Throwable;)V")
        {
            c.data[1] = 3;
            return Ok(Next::Call(Call {
                made: None,
                method: i,
                args: [this, k].as_slice().into(),
            }));
        }
        if has_cause
            && !msg.is_null()
            && let Some(i) = find(vm, "(Ljava/lang/String;Ljava/lang/Throwable;)V")
        {
            c.data[1] = 3;
            return Ok(Next::Call(Call {
                made: None,
                method: i,
                args: [this, m, k].as_slice().into(),
            }));
        }
        if !has_cause {
            c.data[1] = 3;
        }
        if !msg.is_null()
            && let Some(i) = find(vm, "(Ljava/lang/String;)V")
        {
            return Ok(Next::Call(Call {
                made: None,
                method: i,
                args: [this, m].as_slice().into(),
            }));
        }
        if !msg.is_null()
            && let Some(i) = find(vm, "(Ljava/lang/Object;)V")
        {
            return Ok(Next::Call(Call {
                made: None,
                method: i,
                args: [this, m].as_slice().into(),
            }));
        }
        let Some(i) = find(vm, "()V") else {
            let text = format!("'void {}.<init>()'", vm.external_class(class));
            return Err(Throw::msg("java/lang/NoSuchMethodError", text));
        };
        return Ok(Next::Call(Call {
            made: None,
            method: i,
            args: [this].as_slice().into(),
        }));
    }
    let exc = c.refs[2];
    if c.data[1] == 2 {
        c.data[1] = 3;
        let init = vm.jdk_method(vm.loaded.known.throwable, calls::throwable::INIT_CAUSE);
        return Ok(Next::Call(Call {
            made: None,
            method: init,
            args: [exc.0 as u64, c.refs[1].0 as u64].as_slice().into(),
        }));
    }
    Err(Throw::object(exc))
}
