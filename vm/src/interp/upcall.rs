//! What a throw does: unwinding, creating exceptions, and running continuations (JVMS 2.10).
//!
//! A continuation has a stub frame on the control stack: `method` null, `rip`/`fp` those of the
//! interrupted instruction, native or continuation, and the node of the frame below. All functions
//! here work on the registers in `Hot` and tell whether the interpreter goes on.

use super::frame::*;
use crate::classes::Method;
use crate::ids::{ClassId, MethodId, Ref};
use crate::threads::{ContRec, stack::RED_ZONE};
use crate::throw::*;
use crate::vm::{ProfileMode, Vm};
use rjvm_profiler::cct::NO_SITE;

impl Vm {
    /// The registers of the running thread.
    #[inline(always)]
    pub(crate) fn regs(&mut self) -> &mut Regs {
        // SAFETY: `Hot` lies at the region's base for as long as the VM lives.
        unsafe { &mut (*self.hot()).regs }
    }
    /// Whether calling contexts are recorded.
    #[inline(always)]
    pub(crate) fn profiling(&self) -> bool {
        self.options.profile != ProfileMode::Off
    }
    /// Handles a throw of the instruction, native or continuation the registers point at.
    pub(crate) fn deliver(&mut self, t: Box<Throw>) -> bool {
        match *t {
            Throw::Object(e) => self.unwind(e),
            Throw::New {
                class,
                message,
                cause,
            } => self.throw_new(class, message, cause),
            Throw::Upcall(u) => self.upcall(u),
            Throw::Block => false,
            Throw::Collect(bytes) => {
                if self.collect_for(bytes) {
                    return true;
                }
                self.throw_out_of_memory("Java heap space")
            }
            Throw::Exit(code) => {
                self.exit.get_or_insert(code);
                false
            }
        }
    }
    /// First free value slot above the top frame.
    fn frame_top(&mut self) -> *mut u64 {
        let r = *self.regs();
        // SAFETY: `cs` is the top control frame; its method, if any, lives as long as the VM.
        unsafe {
            let m = (*r.cs).method;
            if m.is_null() {
                r.fp
            } else {
                (r.fp as *mut u8).add((*m).frame_bytes as usize) as *mut u64
            }
        }
    }
    /// Pushes a stub frame for a continuation. `false`: the stack is full.
    fn push_stub(&mut self, cont: Option<Cont>, resume: Resume) -> bool {
        let top = self.frame_top();
        let (mut adj, mut site) = (0, NO_SITE);
        let r = *self.regs();
        // SAFETY: as above; the new frame is inside the stack, as just checked.
        unsafe {
            if top as usize + RED_ZONE / 2 > r.cs as usize {
                return false;
            }
            let f = *r.cs;
            if !f.method.is_null()
                && !(*f.method).is_native()
                && let Some(c) = (*f.method).cover(r.ip, true)
            {
                adj = c.pot as i64 + 1;
                site = (*f.method).bci(c) as u32;
            }
            let cs = r.cs.sub(1);
            *cs = Frame {
                rip: r.ip,
                fp: r.fp,
                node: f.node,
                ticks: r.ticks,
                method: std::ptr::null_mut(),
            };
            let regs = self.regs();
            regs.cs = cs;
            regs.fp = top;
            regs.ticks += adj;
        }
        let t = self.thread();
        // the interrupted native's own state waits with its continuation
        let native_state = std::mem::take(&mut t.native_state);
        let native_refs = std::mem::take(&mut t.native_refs);
        t.conts.push(ContRec {
            cont,
            resume,
            adj,
            site,
            native_state,
            native_refs,
        });
        true
    }
    /// Starts an upcall from what the registers point at.
    pub(crate) fn upcall(&mut self, u: Upcall) -> bool {
        if !self.push_stub(u.cont, u.resume) {
            return self.throw_stack_overflow();
        }
        match u.call {
            Some(c) => self.push_call(c),
            None => self.cont_step(Ok(0)),
        }
    }
    /// Pushes the frame of a method called by the continuation on top.
    fn push_call(&mut self, c: Call) -> bool {
        let m: *mut Method = &raw mut *self.methods[c.method.0 as usize];
        let site = self.thread().conts.last().map_or(NO_SITE, |c| c.site);
        let r = *self.regs();
        self.ensure_translated(c.method);
        // SAFETY: stack space is checked; arguments fit the callee's frame, which starts at the free top.
        unsafe {
            let need = ((*m).frame_bytes as usize).max(c.args.len() * 8);
            if r.fp as usize + need + RED_ZONE > r.cs as usize {
                return self.throw_stack_overflow();
            }
            for (i, a) in c.args.iter().enumerate() {
                *r.fp.add(i) = *a;
            }
            let mut node = (*r.cs).node;
            if self.profiling() {
                node = self.child_node(node, c.method, site);
                (*node).invocations += 1;
            }
            let cs = r.cs.sub(1);
            *cs = Frame {
                rip: self.stubs.ret,
                fp: r.fp,
                node,
                ticks: r.ticks,
                method: m,
            };
            let entry = (*m).entry;
            let regs = self.regs();
            regs.cs = cs;
            regs.ip = entry;
        }
        true
    }
    /// The calling-context node of `method` called at `site` of `parent`.
    pub(crate) fn child_node(
        &mut self,
        parent: *mut rjvm_profiler::cct::Node,
        method: MethodId,
        site: u32,
    ) -> *mut rjvm_profiler::cct::Node {
        let slots = self.method(method).kid_slots;
        let site = if self.options.profile == ProfileMode::Exact {
            NO_SITE
        } else {
            site
        };
        // SAFETY: `parent` is a node of this arena.
        unsafe { self.cct.find_or_add_child(parent, method.0, site, slots) }
    }
    /// Hands a result or an exception to the continuation on top.
    pub(crate) fn cont_step(&mut self, input: Result<u64, Ref>) -> bool {
        let mut rec = self
            .thread()
            .conts
            .pop()
            .expect("a continuation for the stub frame");
        if self.thread().conts.is_empty() {
            // the bottom of the thread
            self.thread_result = Some(input);
            self.regs().ip = std::ptr::null();
            let bottom = self.thread().stack_bottom();
            self.regs().cs = bottom;
            return false;
        }
        let next = match &mut rec.cont {
            None => match input {
                Ok(v) => Next::Return(v),
                Err(e) => Next::Throw(Throw::object(e)),
            },
            Some(c) => {
                let step = c.step;
                step(self, c, input)
            }
        };
        match next {
            Next::Return(v) => {
                let resume = rec.resume;
                self.pop_stub(&mut rec);
                self.finish_cont(v, resume)
            }
            Next::Call(c) => {
                self.thread().conts.push(rec);
                self.push_call(c)
            }
            Next::Throw(t) => match *t {
                Throw::Object(_) | Throw::New { .. } => {
                    self.pop_stub(&mut rec);
                    self.deliver(t)
                }
                _ => {
                    self.thread().conts.push(rec);
                    self.regs().ip = self.stubs.reenter;
                    self.deliver(t)
                }
            },
        }
    }
    fn pop_stub(&mut self, rec: &mut ContRec) {
        let t = self.thread();
        t.native_state = rec.native_state;
        t.native_refs = std::mem::take(&mut rec.native_refs);
        let adj = rec.adj;
        let r = self.regs();
        // SAFETY: the stub frame is the top control frame.
        unsafe {
            let f = *r.cs;
            debug_assert!(f.method.is_null());
            r.ip = f.rip;
            r.fp = f.fp;
            r.cs = r.cs.add(1);
            r.ticks -= adj;
        }
    }
    /// What follows when a continuation has returned `v` and its stub frame is gone.
    fn finish_cont(&mut self, v: u64, resume: Resume) -> bool {
        let r = *self.regs();
        // SAFETY: `cs` is the top control frame.
        let m = unsafe { (*r.cs).method };
        if m.is_null() {
            return self.cont_step(Ok(v));
        }
        if resume == Resume::Again {
            return true;
        }
        // SAFETY: methods live as long as the VM.
        if unsafe { (*m).is_native() } {
            self.native_return(v);
        } else {
            // an instruction that only wanted the call: go on behind it
            self.regs().ip = r.ip.wrapping_add(16);
        }
        true
    }
    /// Returns `v` from the native method on top.
    pub(crate) fn native_return(&mut self, v: u64) {
        let t = self.thread();
        t.end_native();
        t.native_refs.clear();
        // SAFETY: the native's frame is on top; its result slot is its local 0.
        unsafe {
            let r = *self.regs();
            *r.fp = v;
            let f = *r.cs;
            if (*f.method).is_synchronized() {
                let lock = self.native_lock();
                let _ = self.monitor_exit(lock);
            }
            self.pop_frame();
            let regs = self.regs();
            regs.acc = v;
            regs.facc = f64::from_bits(v);
        }
    }
    /// The object a synchronized native method on top is locked on.
    pub(crate) fn native_lock(&mut self) -> Ref {
        let r = *self.regs();
        // SAFETY: the native's frame is on top.
        unsafe {
            let m = &*(*r.cs).method;
            if m.is_static() {
                self.mirror(m.class)
            } else {
                Ref(*r.fp as u32)
            }
        }
    }
    /// Pops the top frame: its context gets the ticks, the caller's registers come back.
    pub(crate) fn pop_frame(&mut self) {
        let prof = self.profiling();
        let r = self.regs();
        // SAFETY: `cs` is the top control frame, with a node when profiling.
        unsafe {
            let f = *r.cs;
            if prof {
                (*f.node).inclusive += r.ticks - f.ticks;
            }
            r.ip = f.rip;
            r.fp = f.fp;
            r.cs = r.cs.add(1);
        }
    }
    /// Prints an exception and where it is thrown (debug builds, `RJVM_TRACE_THROW`).
    fn trace_throw(&mut self, exc: Ref) {
        let class = self.class(self.class_of(exc)).dotted();
        let m = self.get_ref(exc, "detailMessage:Ljava/lang/String;");
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
    fn unwind(&mut self, exc: Ref) -> bool {
        if cfg!(debug_assertions) && std::env::var_os("RJVM_TRACE_THROW").is_some() {
            self.trace_throw(exc);
        }
        let mut first = true;
        loop {
            let r = *self.regs();
            // SAFETY: control frames down to the thread's bottom stub are valid; methods live as long as the VM.
            unsafe {
                let m = (*r.cs).method;
                if m.is_null() {
                    return self.cont_step(Err(exc));
                }
                if (*m).is_native() {
                    let t = self.thread();
                    t.end_native();
                    t.native_refs.clear();
                    if (*m).is_synchronized() && r.ip == self.stubs.native_locked {
                        let lock = self.native_lock();
                        let _ = self.monitor_exit(lock);
                    }
                } else if let Some(c) = (*m).cover(r.ip, first) {
                    let c = *c;
                    if first {
                        self.regs().ticks += c.pot as i64 + 1;
                    }
                    let x = (*m).xlat.as_ref().expect("translated");
                    let bci = x.bcis[c.idx as usize];
                    let class = (*m).class;
                    for h in &x.handlers {
                        if bci >= h.start
                            && bci < h.end
                            && (h.catch_type == 0 || self.catches(class, h.catch_type, exc))
                        {
                            let regs = self.regs();
                            regs.ticks -= h.pot as i64;
                            *r.fp.add(x.stack_base as usize) = exc.0 as u64;
                            regs.acc = exc.0 as u64;
                            regs.ip = x.start().add(h.off as usize);
                            return true;
                        }
                    }
                    if (*m).is_synchronized() && !self.in_sync_entry(m, r.ip) {
                        let lock = Ref(*r.fp.add(x.lock_slot as usize) as u32);
                        if !lock.is_null() && self.holds_lock(lock) {
                            let _ = self.monitor_exit(lock);
                        }
                    }
                }
            }
            self.pop_frame();
            first = false;
        }
    }
    /// Whether a synchronized method has not locked yet: it is at its first instruction.
    unsafe fn in_sync_entry(&self, m: *mut Method, ip: Ip) -> bool {
        ip == (*m).entry
    }
    /// Whether the catch type at constant-pool index `i` of `class` is a superclass of the exception's.
    fn catches(&mut self, class: ClassId, i: u16, exc: Ref) -> bool {
        if let Some(c) = self.try_resolve_class(class, i) {
            return self.instance_of(exc, c);
        }
        // not loaded here yet: only a superclass of the exception of that name can match, and the
        // class's loader finds just that one (loader constraints), so no code has to run
        let k = self.class(class);
        let Some(cf) = k.cf.clone() else { return false };
        let Ok(name) = cf.constant_pool.class_name(i) else {
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
    fn throw_new(&mut self, class: &'static str, message: Option<String>, cause: Ref) -> bool {
        if class == "java/lang/OutOfMemoryError" {
            return self.throw_out_of_memory(message.as_deref().unwrap_or("Java heap space"));
        }
        if class == "java/lang/StackOverflowError" {
            return self.throw_stack_overflow();
        }
        let c = self.boot_class(class);
        let mut msg = Ref::NULL;
        if let Some(m) = message {
            match self.alloc_with_gc(&mut [cause], |vm| vm.new_string(&m)) {
                Some(s) => msg = s,
                None => return self.throw_out_of_memory("Java heap space"),
            }
        }
        let cont = Cont {
            step: new_exception_step,
            data: [c.0 as u64, 0, 0],
            refs: [msg, cause, Ref::NULL],
        };
        self.upcall(Upcall {
            call: None,
            cont: Some(cont),
            resume: Resume::Again,
        })
    }
    /// Runs an allocation, collecting and trying again when the heap is full. `keep` are references the
    /// caller holds (updated). `None`: no memory.
    pub(crate) fn alloc_with_gc(
        &mut self,
        keep: &mut [Ref],
        f: impl Fn(&mut Vm) -> R<Ref>,
    ) -> Option<Ref> {
        for _ in 0..2 {
            match f(self) {
                Ok(r) => return Some(r),
                Err(e) => match *e {
                    Throw::Collect(n) => {
                        let base = self.thread().native_refs.len();
                        self.thread().native_refs.extend_from_slice(keep);
                        let ok = self.collect_for(n);
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
        self.throw_preallocated(c, None)
    }
    /// Throws OutOfMemoryError without running its constructor.
    pub(crate) fn throw_out_of_memory(&mut self, message: &str) -> bool {
        if self.options.exit_on_oom {
            self.print_error(&format!(
                "Terminating due to java.lang.OutOfMemoryError: {message}\n"
            ));
            self.exit.get_or_insert(3);
            return false;
        }
        let c = self.boot_class("java/lang/OutOfMemoryError");
        self.throw_preallocated(c, Some(message))
    }
    fn throw_preallocated(&mut self, c: ClassId, message: Option<&str>) -> bool {
        let exc = self
            .alloc_with_gc(&mut [], |vm| vm.alloc_object(c))
            .expect("the reserve holds an error object");
        if let Some(m) = message
            && let Ok(s) = self.intern_str(m)
        {
            self.set_ref(exc, "detailMessage:Ljava/lang/String;", s);
        }
        if let Some(f) = self.natives.find(
            "java/lang/Throwable",
            "fillInStackTrace",
            "(I)Ljava/lang/Throwable;",
        ) {
            // a backtrace that finds no memory is left out
            let _ = f(self, &[exc.0 as u64, 0]);
        }
        self.unwind(exc)
    }
    /// The method's frame does not fit: undoes the call and throws.
    pub(crate) fn throw_frame_overflow(&mut self) -> bool {
        self.undo_call();
        self.throw_stack_overflow()
    }
    /// Takes back the call that has just entered the top frame, so that the caller's call instruction is the current one.
    pub(crate) fn undo_call(&mut self) {
        let prof = self.profiling();
        let (ret, r) = (self.stubs.ret, self.regs());
        // SAFETY: the top frame has just been entered by a call instruction or by a continuation.
        unsafe {
            let f = *r.cs;
            if prof {
                (*f.node).invocations -= 1;
            }
            r.fp = f.fp;
            r.cs = r.cs.add(1);
            if f.rip == ret {
                r.ip = f.rip;
            } else {
                r.ip = f.rip.sub(super::ops_call::CALL_BYTES);
                r.ticks -= super::code::i32a(r.ip, 24) as i64;
            }
        }
    }
}

/// Steps of creating an exception: 0 initialize the class, 1 allocate and construct, 2 set the cause, 3 throw.
fn new_exception_step(vm: &mut Vm, c: &mut Cont, input: Result<u64, Ref>) -> Next {
    match new_exception(vm, c, input) {
        Ok(n) => n,
        Err(t) => Next::Throw(t),
    }
}
fn new_exception(vm: &mut Vm, c: &mut Cont, input: Result<u64, Ref>) -> R<Next> {
    if let Err(e) = input {
        return Err(Throw::object(e));
    }
    let class = ClassId(c.data[0] as u32);
    if c.data[1] == 0 {
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
            vm.class(class).method_index.get(&(n, d)).copied()
        };
        let has_cause = !cause.is_null();
        if has_cause
            && msg.is_null()
            && let Some(i) = find(vm, "(Ljava/lang/Throwable;)V")
        {
            c.data[1] = 3;
            return Ok(Next::Call(Call {
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
                method: i,
                args: [this, m].as_slice().into(),
            }));
        }
        if !msg.is_null()
            && let Some(i) = find(vm, "(Ljava/lang/Object;)V")
        {
            return Ok(Next::Call(Call {
                method: i,
                args: [this, m].as_slice().into(),
            }));
        }
        let i = find(vm, "()V")
            .unwrap_or_else(|| panic!("{} has no usable constructor", vm.name(class)));
        return Ok(Next::Call(Call {
            method: i,
            args: [this].as_slice().into(),
        }));
    }
    let exc = c.refs[2];
    if c.data[1] == 2 {
        c.data[1] = 3;
        let init = vm.method_named(
            vm.known.throwable,
            "initCause",
            "(Ljava/lang/Throwable;)Ljava/lang/Throwable;",
        );
        return Ok(Next::Call(Call {
            method: init,
            args: [exc.0 as u64, c.refs[1].0 as u64].as_slice().into(),
        }));
    }
    Err(Throw::object(exc))
}
