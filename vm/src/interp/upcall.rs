//! What a throw of a handler asks for: continuations and upcalls into Java code.
//!
//! A continuation has a stub frame on the control stack: `method` null, `rip`/`fp` those of the
//! interrupted instruction, native or continuation, and the node of the frame below. All functions
//! here work on the registers in `Hot` and report whether the interpreter continues.

use super::exceptions::Unwound;
use super::frame::*;
use super::insn;
use crate::classes::Method;
use crate::heap::pause::{AfterCollection, SpaceOutcome};
use crate::ids::{MethodId, Ref};
use crate::threads::{ContRec, stack::RED_ZONE};
use crate::throw::*;
use crate::value::Value;
use crate::vm::{ProfileMode, Vm};
use rjvm_profiler::cct::{ContextNode, NO_SITE, NoMemory, UPCALL};

/// What a continuation has done.
enum Stepped {
    /// Whether the interpreter continues.
    On(bool),
    /// It has thrown this, and is gone.
    Thrown(Ref),
}

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
    #[expect(
        clippy::boxed_local,
        reason = "a throw travels boxed, so that results stay one word"
    )]
    pub(crate) fn deliver(&mut self, t: Box<Throw>) -> bool {
        match *t {
            Throw::Object(e) => {
                self.must_be_thrown(e);
                self.unwind(e)
            }
            Throw::New {
                class,
                message,
                cause,
            } => self.throw_new(class, message, cause),
            Throw::Upcall(u) => self.upcall(u),
            Throw::Block => {
                self.back_to_point();
                false
            }
            Throw::Collect(bytes) => {
                // what was allocated for the attempt is allocated again
                self.abandon_allocations();
                match self.collect_or_stop(bytes, false, AfterCollection::Retry) {
                    SpaceOutcome::Made => true,
                    SpaceOutcome::None => self.throw_no_room(),
                    SpaceOutcome::Stopped => false,
                }
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
        // SAFETY: `cs` is the top control frame; its method, if any, stays loaded.
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
            if f.method.is_null() {
                // a continuation's own upcall is made where the continuation began
                site = self.thread().conts.last().map_or(NO_SITE, |c| c.site);
            } else if !(*f.method).is_native()
                && let Some(p) = (*f.method).position(r.ip, true)
            {
                adj = p.begun();
                site = p.bci().into();
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
            ret: b'V',
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
            None => self.cont_step(Ok(Value::Void)),
        }
    }
    /// Pushes the frame of a method called by the continuation on top.
    fn push_call(&mut self, c: Call) -> bool {
        let m: *mut Method = &raw mut *self.loaded.methods[c.method.0 as usize];
        let ret = self.method(c.method).ret;
        let mut site = NO_SITE;
        if let Some(rec) = self.thread().conts.last_mut() {
            rec.ret = ret;
            site = rec.site;
        }
        let r = *self.regs();
        self.ensure_translated(c.method);
        // SAFETY: stack space is checked; arguments fit the callee's frame, which starts at the free top.
        unsafe {
            assert!(
                c.args.len() == (*m).arg_slots as usize,
                "{} slots for a call of {}",
                c.args.len(),
                self.method_name(c.method)
            );
            let need = ((*m).frame_bytes as usize).max(c.args.len() * 8);
            if r.fp as usize + need + RED_ZONE > r.cs as usize {
                return self.throw_stack_overflow();
            }
            for (i, a) in c.args.iter().enumerate() {
                *r.fp.add(i) = *a;
            }
            let mut node = (*r.cs).node;
            if self.profiling() {
                let site = match self.options.upcalls_to_root {
                    true => UPCALL,
                    false => site,
                };
                let Some(child) = self.child_node(node, c.method, site) else {
                    return false;
                };
                node = child;
                (*node).invocations += 1;
            }
            let cs = r.cs.sub(1);
            *cs = Frame {
                rip: self.code.stubs.ret,
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
    /// The calling-context node of `method` called at `site` of `parent`. `None`: the VM is dead.
    pub(crate) fn child_node(
        &mut self,
        parent: *mut ContextNode,
        method: MethodId,
        site: u32,
    ) -> Option<*mut ContextNode> {
        let m = self.method_mut(method);
        m.in_profile = true;
        let slots = m.kid_slots;
        self.context_below(parent, method, slots, site)
    }
    /// The same for a method whose nodes need so many slots for child links.
    #[inline(always)]
    pub(super) fn context_below(
        &mut self,
        parent: *mut ContextNode,
        method: MethodId,
        slots: u32,
        site: u32,
    ) -> Option<*mut ContextNode> {
        let slots = slots.max(self.fixed_slots());
        let site = if self.options.profile == ProfileMode::Exact && site != UPCALL {
            NO_SITE
        } else {
            site
        };
        // SAFETY: `parent` is a node of this arena.
        let child = unsafe {
            self.profile
                .cct
                .find_or_add_child(parent, method.0, site, slots)
        };
        if self.profile.cct.is_full() {
            // contexts are folded where nobody has any in hand
            self.request_attention();
        }
        self.context(child)
    }
    /// A node that was requested. Without memory for it what follows cannot be counted, and the VM ends.
    #[inline(always)]
    pub(super) fn context(
        &mut self,
        node: Result<*mut ContextNode, NoMemory>,
    ) -> Option<*mut ContextNode> {
        node.map_err(|e| self.exhausted(e.to_string())).ok()
    }
    /// Hands what a method has returned to the continuation that called it.
    pub(crate) fn cont_returned(&mut self, slot: u64) -> bool {
        let ret = self.thread().conts.last().map_or(b'V', |c| c.ret);
        self.cont_step(Ok(Value::of(ret, slot)))
    }
    /// Hands a result or an exception to the continuation on top. What it throws goes to the next one in a loop: there may
    /// be more of them than this stack has room for.
    pub(crate) fn cont_step(&mut self, mut input: Result<Value, Ref>) -> bool {
        loop {
            match self.step_once(input) {
                Stepped::On(on) => return on,
                Stepped::Thrown(exc) => match self.unwind_to(exc) {
                    Unwound::Landed(on) => return on,
                    Unwound::Stub(exc) => input = Err(exc),
                },
            }
        }
    }
    fn step_once(&mut self, input: Result<Value, Ref>) -> Stepped {
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
            return Stepped::On(false);
        }
        // it goes on through a continuation that throws what it was handed
        let passing = input.as_ref().err().copied();
        let next = match &mut rec.cont {
            None => match input {
                Ok(v) => Next::Return(v),
                Err(e) => Next::Throw(Throw::object(e)),
            },
            Some(c) => {
                let (step, hot) = (c.step, self.hot());
                let next = step.call(self, c, input);
                self.is_still_at(hot);
                next
            }
        };
        match next {
            Next::Return(v) => {
                let resume = rec.resume;
                self.pop_stub(&mut rec);
                // a debugger's call leaves the thread where it was
                let on = self.finish_cont(v, resume);
                Stepped::On(on && !self.limits.debugged)
            }
            Next::Call(c) => {
                self.thread().conts.push(rec);
                Stepped::On(self.push_call(c))
            }
            Next::Throw(t) => match *t {
                Throw::Object(exc) => {
                    self.pop_stub(&mut rec);
                    if passing != Some(exc) {
                        self.must_be_thrown(exc);
                        if self.exception_begins(exc) {
                            return Stepped::On(false);
                        }
                    }
                    Stepped::Thrown(exc)
                }
                Throw::New { .. } => {
                    self.pop_stub(&mut rec);
                    Stepped::On(self.deliver(t))
                }
                Throw::Collect(bytes) => {
                    self.thread().conts.push(rec);
                    self.regs().ip = self.code.stubs.reenter;
                    self.abandon_allocations();
                    Stepped::On(
                        match self.collect_or_stop(bytes, false, AfterCollection::Retry) {
                            SpaceOutcome::Made => true,
                            SpaceOutcome::None => self.throw_no_room(),
                            SpaceOutcome::Stopped => false,
                        },
                    )
                }
                _ => {
                    self.thread().conts.push(rec);
                    self.regs().ip = self.code.stubs.reenter;
                    Stepped::On(self.deliver(t))
                }
            },
        }
    }
    /// An OutOfMemoryError for what the registers point at. Of a continuation, it is thrown where that was called from:
    /// it would need the memory again to handle the error.
    pub(super) fn throw_no_room(&mut self) -> bool {
        let conts = &self.thread().conts;
        let takes = conts.last().and_then(|rec| rec.cont.as_ref());
        let takes = takes.is_some_and(|cont| cont.takes_no_room);
        if self.regs().ip == self.code.stubs.reenter
            && !takes
            && let Some(mut rec) = self.thread().conts.pop()
        {
            self.pop_stub(&mut rec);
        }
        self.throw_out_of_memory(super::exceptions::HEAP_SPACE)
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
    fn finish_cont(&mut self, v: Value, resume: Resume) -> bool {
        let r = *self.regs();
        // SAFETY: `cs` is the top control frame.
        let m = unsafe { (*r.cs).method };
        if m.is_null() {
            return self.cont_step(Ok(v));
        }
        if resume == Resume::Again {
            self.note_runs_again();
            self.back_to_point();
            return true;
        }
        // SAFETY: methods are loaded as long as they have frames.
        let native = unsafe { (*m).is_native().then_some((*m).id) };
        if let Some(native) = native {
            let slot = self.result_slot(native, v);
            self.native_return(slot);
        } else {
            // an instruction that only wanted the call: go on behind it
            self.regs().ip = r.ip.wrapping_add(insn::plain::BYTES);
        }
        true
    }
    /// Returns `v` from the native method on top.
    pub(crate) fn native_return(&mut self, v: u64) {
        if self.instruments.reports_exits() {
            self.instruments_at_native_return(v);
        }
        self.thread().end_native();
        // SAFETY: the native's frame is on top; its result slot is its local 0.
        unsafe {
            let r = *self.regs();
            let f = *r.cs;
            if (*f.method).is_synchronized() {
                let lock = self.native_lock();
                self.unlock_reported(lock);
            }
            *r.fp = v;
            self.notify_left(false);
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
    /// Takes back the call that has just entered the top frame, so that the caller's call instruction is the current one.
    pub(crate) fn undo_call(&mut self) {
        self.notify_thrown_out(None, true);
        let prof = self.profiling();
        let (ret, r) = (self.code.stubs.ret, self.regs());
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
                r.ip = f.rip.sub(insn::call::BYTES);
                r.ticks -= super::ops_call::call_ticks(r.ip);
            }
        }
    }
}
