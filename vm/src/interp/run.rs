//! Entering and leaving the interpreter.
//!
//! # Who may reach the VM
//! While handlers run there is one pointer to the VM, `Hot::vm`: made in [`Vm::slice`] from the `&mut self` that
//! called it, and null when nothing runs. Everything that handlers do to the VM goes through `&mut Vm` made
//! from it (`owner::vm`), one at a time: none is used any more when the next is made or when the handler continues, and `slice`
//! does not touch `self` in between. So the compiler, which takes `&mut self` to be the only way to its target, is right. A
//! method of `Vm` never goes through `Hot::vm`; it has `self`. Data reached by raw pointers alone (`Hot`, objects, stacks,
//! translated code, `Method`) is not part of the VM in this respect: no reference to it lives longer than an expression or a
//! function that calls nothing of the VM's.

use super::enter::enter;
use super::frame::*;
use super::slow;
use super::stubs::Stubs;
use crate::cancel::Halt;
use crate::classes::Method;
use crate::fault::Fault;
use crate::heap::pause::ResumeAction;
use crate::ids::{MethodId, Ref, ThreadId};
use crate::interp::Handler;
use crate::jdk;
use crate::threads::ContRec;
use crate::threads::monitor::thin_word;
use crate::throw::{Cont, Next, Resume};
use crate::value::Value;
use crate::vm::Vm;
use rjvm_profiler::cct::{ContextNode, NO_SITE};
use std::sync::Arc;

// SAFETY: the pointers are into `cells`, which the value owns.
unsafe impl Send for Stubs {}

impl Default for Stubs {
    fn default() -> Stubs {
        let h = [
            slow::translate_stub as Handler,
            slow::native,
            slow::native_stub,
            slow::native_stub,
            slow::abstract_stub,
            slow::stub_return,
            slow::stub_reenter,
            slow::entered,
            super::instrumented::entered,
            slow::intrinsic,
        ];
        let cells: Box<[u64]> = h.iter().flat_map(|h| [*h as usize as u64, 0]).collect();
        let at = |i: usize| cells[i * 2..].as_ptr().cast::<u8>();
        Stubs {
            translate: at(0),
            native: at(1),
            native_asking: at(2),
            native_locked: at(3),
            abstract_: at(4),
            ret: at(5),
            reenter: at(6),
            reported: at(7),
            instrumented: at(8),
            intrinsic: at(9),
            returns: super::call_events::returns(),
            cells,
        }
    }
}

/// Why the interpreter came back.
#[derive(Debug)]
pub enum Outcome {
    /// The host's call has returned this value or thrown this exception.
    Returned(Result<Value, Ref>),
    /// Only daemon threads are left.
    AllDone,
    /// No thread can continue; the report.
    Deadlock(String),
    /// `Runtime.halt` or a request to end.
    Exit(i32),
    /// The bytecode limit is reached, or a place at which the VM is to stop ([`Vm::on_stop`]); [`Vm::resume`] continues.
    OutOfFuel,
    /// A request from outside has stopped it, or its time has ended; [`Vm::resume`] continues.
    Halted(Halt),
    /// The host waited, but there was nothing to do; signals may be pending.
    Idle,
    /// The VM is dead.
    Fault(Arc<Fault>),
}

/// Sets up an idle thread (no frames) to call `method` with these argument slots when it next runs.
/// When the call ends, [`crate::Vm::thread_returned`] is reported.
pub(crate) fn start_call(vm: &mut Vm, thread: ThreadId, method: MethodId, args: &[u64]) {
    let prof = vm.profiling();
    vm.ensure_translated(method);
    debug_assert_eq!(args.len(), usize::from(vm.method(method).arg_slots));
    let Some(root) = vm.root_of(thread) else {
        return;
    };
    let mut node = root;
    if prof {
        let Some(child) = vm.child_node(root, method, NO_SITE) else {
            return;
        };
        node = child;
        // SAFETY: a node of the arena.
        unsafe { (*node).invocations += 1 };
    }
    let m: *mut Method = &raw mut *vm.loaded.methods[method.0 as usize];
    // SAFETY: methods live as long as the VM.
    let entry = unsafe { (*m).entry };
    let top = InitialFrame {
        rip: vm.code.stubs.ret,
        ip: entry,
        node,
        method: m,
    };
    start(vm, thread, root, top, None, args);
}

/// Sets up an idle thread to run a continuation; its result is the thread's.
pub(crate) fn start_cont(vm: &mut Vm, thread: ThreadId, cont: Cont) {
    let Some(root) = vm.root_of(thread) else {
        return;
    };
    let top = InitialFrame {
        rip: vm.code.stubs.reenter,
        ip: vm.code.stubs.reenter,
        node: root,
        method: std::ptr::null_mut(),
    };
    start(vm, thread, root, top, Some(cont), &[]);
}

/// What differs in the top one of the two frames that a thread begins with.
struct InitialFrame {
    /// Where it returns to.
    rip: Ip,
    /// Where it begins.
    ip: Ip,
    node: *mut ContextNode,
    /// Null for a continuation.
    method: *mut Method,
}

/// Puts two frames onto the empty stack of an idle thread: the frame of the host's call, and `top` above it.
fn start(
    vm: &mut Vm,
    thread: ThreadId,
    root: *mut ContextNode,
    top: InitialFrame,
    cont: Option<Cont>,
    args: &[u64],
) {
    let reenter = vm.code.stubs.reenter;
    // SAFETY: a loaded method, or null.
    let ret = unsafe { top.method.as_ref() }.map_or(b'V', |m| m.ret);
    let t = &mut vm.threads[thread.0 as usize];
    let (fp, ticks) = (t.stack.values(), t.regs.ticks);
    t.conts.clear();
    t.conts.push(ContRec::of_call(ret));
    if cont.is_some() {
        t.conts.push(ContRec::of(cont));
    }
    t.ret_slot = None;
    // SAFETY: the stack is empty and has room for two control frames and the arguments.
    unsafe {
        let bottom = t.stack.control_end().sub(1);
        *bottom = Frame {
            rip: reenter,
            fp,
            node: root,
            ticks,
            method: std::ptr::null_mut(),
        };
        let cs = bottom.sub(1);
        *cs = Frame {
            rip: top.rip,
            fp,
            node: top.node,
            ticks,
            method: top.method,
        };
        for (i, a) in args.iter().enumerate() {
            *fp.add(i) = *a;
        }
        t.regs = Regs {
            ip: top.ip,
            fp,
            cs,
            ticks,
            acc: 0,
            facc: 0.0,
        };
    }
}

impl ContRec {
    /// Of a call of the host's of a method that returns this type: at the bottom of a stack.
    pub(crate) fn of_call(ret: u8) -> ContRec {
        ContRec {
            ret,
            ..ContRec::of(None)
        }
    }
    /// Of a continuation that waits for the frame above it, and interrupts nothing.
    fn of(cont: Option<Cont>) -> ContRec {
        ContRec {
            cont,
            resume: Resume::Value,
            adj: 0,
            site: NO_SITE,
            ret: b'V',
            native_state: [0; 3],
            native_refs: Vec::new(),
        }
    }
}

impl Vm {
    /// Root of a thread's contexts, made when it is first requested; null if none are recorded. `None`:
    /// the VM is dead.
    pub(super) fn root_of(&mut self, t: ThreadId) -> Option<*mut ContextNode> {
        let root = self.threads[t.0 as usize].root;
        if !self.profiling() || !root.is_null() {
            return Some(root);
        }
        let slots = self.fixed_slots();
        let none = std::ptr::null_mut();
        // SAFETY: a root has no parent.
        let root = unsafe { self.profile.cct.new_node(none, u32::MAX, NO_SITE, slots) };
        let root = self.context(root)?;
        self.threads[t.0 as usize].root = root;
        Some(root)
    }
    /// Runs a continuation on a thread the host owns, until it has returned.
    pub fn run_cont(&mut self, t: ThreadId, cont: Cont) -> Outcome {
        cont.refs.iter().for_each(|&r| self.heap.check(r));
        self.outcome(|vm| {
            vm.settle_heap();
            vm.abandon_waiting(t);
            start_cont(vm, t, cont);
            vm.run_host_thread(t)
        })
    }
    /// Runs `f`, unless the VM is dead or it is its end. What the caller gets wrong panics here.
    fn outcome(&mut self, f: impl FnOnce(&mut Vm) -> Outcome) -> Outcome {
        let inside = self.in_interpreter && self.fault.is_none();
        assert!(!inside, "a native cannot run the VM it is called by");
        assert!(self.hot() == self.home, "the heap is another VM's");
        let since = self.time_begins();
        let mut outcome = self.guarded_as_it_is(f).unwrap_or_else(Outcome::Fault);
        // whoever wants to see the VM at its stops has it go on
        while matches!(
            outcome,
            Outcome::OutOfFuel | Outcome::Halted(Halt::Debugger)
        ) {
            let debugged = !matches!(outcome, Outcome::OutOfFuel);
            let on = |vm: &mut Vm| {
                let on = match debugged {
                    true => vm.attend_debugger(),
                    false => vm.stops(),
                };
                on.then(|| vm.resume_stopped())
            };
            match self.guarded_as_it_is(on) {
                Ok(Some(next)) => outcome = next,
                Ok(None) => break,
                Err(fault) => outcome = Outcome::Fault(fault),
            }
        }
        self.time_ends(since);
        outcome
    }
    /// Panics if a host names a class that is none, or is none any more.
    fn is_class_of_mine(&self, c: crate::ClassId) {
        assert!(self.heap.is_class(c), "not a class: {c:?}");
    }
    /// Initializes a class on a thread the host owns.
    pub fn initialize_on(&mut self, t: ThreadId, c: crate::ClassId) -> Outcome {
        self.is_class_of_mine(c);
        let cont = Cont::own(
            |vm, c, input| match input
                .map_err(crate::Throw::object)
                .and_then(|_| vm.ensure_initialized(crate::ClassId(c.data[0] as u32)))
            {
                Ok(()) => Next::Return(Value::Void),
                Err(t) => Next::Throw(t),
            },
            [c.0 as u64, 0, 0],
            [Ref::NULL; 3],
        );
        self.run_cont(t, cont)
    }
    /// Links a class on a thread the host owns.
    pub(crate) fn link_class_on(&mut self, t: ThreadId, c: crate::ClassId) -> Outcome {
        self.is_class_of_mine(c);
        let cont = Cont::own(
            |vm, c, input| match input
                .map_err(crate::Throw::object)
                .and_then(|_| vm.link_class(crate::ClassId(c.data[0] as u32)))
            {
                Ok(()) => Next::Return(Value::Void),
                Err(t) => Next::Throw(t),
            },
            [c.0 as u64, 0, 0],
            [Ref::NULL; 3],
        );
        self.run_cont(t, cont)
    }
    /// Compiled code may return this object for `Thread.currentThread`, until another thread runs, a thread shows another object, or objects
    /// move; null: it may not.
    pub(crate) fn set_current(&mut self, shown: Ref) {
        // SAFETY: the block at the base of this VM's region.
        unsafe { (*self.hot()).current = shown };
    }
    /// Looks up the offsets that method-handle calls read through; once the classes are loaded.
    pub fn init_method_handle_offsets(&mut self) {
        let o = MhOffsets {
            form: self.offset_of(jdk::method_handle::FORM),
            vmentry: self.offset_of(jdk::lambda_form::VMENTRY),
            method: self.offset_of(jdk::member_name::METHOD),
            vmtarget: self.offset_of(jdk::resolved_method_name::VMTARGET),
        };
        // SAFETY: as above.
        unsafe { (*self.hot()).mh = o };
    }
    /// Calls a method on a thread of the host's (phase `Host`) until it has returned. Panics on arguments it does not take.
    pub fn call(&mut self, t: ThreadId, method: MethodId, args: &[Value]) -> Outcome {
        assert!(self.hot() == self.home, "the heap is another VM's");
        let slots = self.argument_slots(method, args);
        self.outcome(|vm| {
            vm.settle_heap();
            vm.abandon_waiting(t);
            start_call(vm, t, method, &slots);
            vm.run_host_thread(t)
        })
    }
    /// Continues after [`Outcome::OutOfFuel`], [`Outcome::Halted`] or [`Outcome::Idle`], or runs other threads.
    pub fn resume(&mut self) -> Outcome {
        self.outcome(Vm::resume_stopped)
    }
    fn resume_stopped(&mut self) -> Outcome {
        if !self.go_on_collecting()
            && let Some(why) = self.limits.halted.take()
        {
            return Outcome::Halted(why);
        }
        match self.limits.stopped.take() {
            Some(t) => {
                self.leave_stop();
                self.cur = t;
                self.limits.resumed = true;
                self.run_thread(t)
            }
            None => self.run_others(),
        }
    }
    /// Runs a thread that has a new call. One that was stopped in its turn has that first: nothing can be collected
    /// until it has come to where its references are known.
    fn run_host_thread(&mut self, t: ThreadId) -> Outcome {
        let first = match self.limits.stopped.take() {
            Some(other) if other != t => {
                self.enqueue_first(t);
                self.limits.resumed = true;
                other
            }
            _ => t,
        };
        self.cur = first;
        self.run_thread(first)
    }
    fn run_others(&mut self) -> Outcome {
        if let Some(code) = self.exit {
            return Outcome::Exit(code);
        }
        use crate::threads::sched::HostAction as N;
        match self.next_thread() {
            N::Run(t) => self.run_thread(t),
            N::Idle => Outcome::Idle,
            N::Halted(why) => Outcome::Halted(why),
            N::AllDone => Outcome::AllDone,
            N::Deadlock(report) => Outcome::Deadlock(report),
        }
    }
    fn run_thread(&mut self, first: ThreadId) -> Outcome {
        let mut t = first;
        loop {
            if self.fault.is_none() {
                self.slice(t);
            }
            if let Some(fault) = &self.fault {
                return Outcome::Fault(fault.clone());
            }
            if let Some(code) = self.exit {
                return Outcome::Exit(code);
            }
            if self.limits.out_of_fuel {
                self.limits.out_of_fuel = false;
                (self.limits.stopped, self.limits.stopped_safely) = (Some(t), false);
                return Outcome::OutOfFuel;
            }
            if std::mem::take(&mut self.limits.debugged) {
                (self.limits.stopped, self.limits.stopped_safely) = (Some(t), true);
                self.limits.halted = None;
                return Outcome::Halted(Halt::Debugger);
            }
            if let Some(why) = self.limits.halted.take() {
                (self.limits.stopped, self.limits.stopped_safely) = (Some(t), true);
                return Outcome::Halted(why);
            }
            if let Some(r) = self.thread_result.take()
                && let Some(r) = self.thread_returned(r)
            {
                return Outcome::Returned(r);
            }
            use crate::threads::sched::HostAction as N;
            match self.next_thread() {
                N::Run(n) => t = n,
                N::Idle => return Outcome::Idle,
                N::Halted(why) => return Outcome::Halted(why),
                N::AllDone => return Outcome::AllDone,
                N::Deadlock(report) => return Outcome::Deadlock(report),
            }
        }
    }
    /// Runs one thread until it blocks, ends, or its quantum has ended.
    fn slice(&mut self, t: ThreadId) {
        let hot = self.hot();
        self.code.discarded.clear();
        let resumed = std::mem::take(&mut self.limits.resumed);
        let th = &mut self.threads[t.0 as usize];
        let mut regs = th.regs;
        if regs.ip.is_null() || regs.cs == th.stack_bottom() {
            return;
        }
        let ret_slot = th.ret_slot.take();
        if let Some((slot, _)) = ret_slot {
            // SAFETY: the result slot of a thread suspended at a return.
            let v = unsafe { *slot };
            regs.acc = v;
            regs.facc = f64::from_bits(v);
        }
        let owed = th.owed.take();
        self.limits.under_way = std::mem::take(&mut th.under_way);
        self.limits.fuel_end = self.limits.fuel.map(|f| th.executed + f.max(0));
        if !resumed {
            // stops leave no trace in the schedule
            self.note_slice(t);
            self.slice_end = regs.ticks.saturating_add(self.slice_of(t));
        }
        // SAFETY: the registers are those the thread was suspended with.
        unsafe {
            (*hot).regs = regs;
            (*hot).methods = self.loaded.methods.as_ptr().cast();
            (*hot).thin = thin_word(t);
            (*hot).current = Ref::NULL;
            self.in_interpreter = true;
            self.heap.inside = true;
            self.attention |= self.limits.canceller.is_requested();
            self.begin_usage();
            self.begin_samples(t);
            self.count_turn(t);
            self.tier_begins(regs.ticks);
            self.set_limit();
            let paid = match owed {
                None => true,
                Some(ResumeAction::Look) => {
                    self.thread().ret_slot = ret_slot;
                    self.look_on()
                }
                Some(ResumeAction::OutOfMemory) => {
                    self.catch_up();
                    self.throw_no_room()
                }
            };
            if !paid {
                self.leave(t);
                return;
            }
            if let Some(chore) = self.thread().chore.take() {
                self.catch_up();
                if !self.upcall(*chore) || self.limits.debugged {
                    self.leave(t);
                    return;
                }
            } else if let Some(thrown) = self.take_pending() {
                self.catch_up();
                if !self.deliver(thrown) {
                    self.leave(t);
                    return;
                }
            }
            self.approach();
            // from here on, and until nothing runs any more, all that reaches the VM comes from this pointer
            let vm: *mut Vm = self;
            (*hot).vm = vm.cast();
            enter(hot);
            (*hot).vm = std::ptr::null_mut();
            (*vm).leave(t);
        }
    }
    /// The interpreter is left: the registers and counts become the thread's.
    pub(crate) fn leave(&mut self, t: ThreadId) {
        let executed = match self.limits.fuel_end {
            Some(end) if self.limits.out_of_fuel => end,
            _ => self.executed(t),
        };
        self.in_interpreter = false;
        self.heap.inside = false;
        let r = *self.regs();
        self.tier_ends(r.ticks);
        let th = &mut self.threads[t.0 as usize];
        let ran = executed - std::mem::replace(&mut th.executed, executed);
        th.regs = r;
        th.under_way = self.limits.under_way;
        self.bytecodes += ran;
        self.end_samples(t);
        self.end_usage(t);
        if let Some(fuel) = &mut self.limits.fuel {
            *fuel -= ran;
        }
    }
}
