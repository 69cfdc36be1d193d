//! What a debugger does to suspended threads: lets them call methods, leaves their frames, changes their locals; and where
//! the VM asks the debugger.

use super::code::handler_fn;
use super::debugged::{CallEnded, CallOpen, CallRequest, CannotPop};
use super::exceptions::exception_upcall;
use super::frame::{Cs, Fp, Hot, Ip, Regs};
use super::insn::call;
use super::ops_call::call_ticks;
use crate::classes::InitState;
use crate::ids::{MethodId, Ref, ThreadId};
use crate::throw::{Call, Cont, Next, Resume, Throw, Upcall};
use crate::value::Value;
use crate::vm::Vm;
pub use crate::vm::hooks::{Debugger, StepAction, StepAt};

/// Steps of a call: its objects are made, then it is under way.
const MAKES: u64 = 0;
const CALLS: u64 = 1;

handler_fn! {
    [/// In place of an instruction before which the VM stops.
    #[inline(never)]
    pub(super)] leave_at_site(_ip: Ip, _fp: Fp, _cs: Cs, _tk: i64, _acc: u64, hot: *mut Hot, _fa: f64) {
        (*hot).running = false;
    }
}

impl Vm {
    /// An exception is thrown in the running thread; whether the thread stops before it goes anywhere.
    pub(super) fn exception_begins(&mut self, exc: Ref) -> bool {
        if std::mem::take(&mut self.thread().exception_reported) {
            return false;
        }
        if self.instruments.reports_exceptions() {
            self.notify_exception(exc);
        }
        if self.limits.debugged {
            let thread = self.thread();
            thread.pending = Some(crate::Throw::object(exc));
            thread.exception_reported = true;
        }
        self.limits.debugged
    }
    /// Gives the VM a debugger, or takes it away. It is called wherever [`Canceller::attend`](crate::cancel::Canceller::attend) or
    /// a hit of an instrument asks for it.
    pub fn set_debugger(&mut self, debugger: Option<Box<dyn Debugger>>) {
        self.hooks.debugger = debugger;
    }
    /// Whether a client is attached that may resume suspended threads: then no wait is hopeless.
    pub fn debugger_attached(&mut self, attached: bool) {
        self.debugged.attached = attached;
    }
    pub(crate) fn debugger_holds(&self) -> bool {
        self.debugged.attached
    }
    /// The VM has stopped for its debugger; whether it continues.
    pub(super) fn attend_debugger(&mut self) -> bool {
        self.call_debugger();
        if self.exit.is_some() {
            self.limits.stopped = None;
        }
        true
    }
    /// Lets the debugger do what it has to do, now, between two runs.
    pub fn call_debugger(&mut self) {
        self.settle_heap();
        self.with_hook(|h| &mut h.debugger, |debugger, vm| debugger.stopped(vm));
        // one that stays suspended lets others run
        if let Some(t) = self.limits.stopped
            && self.threads[t.0 as usize].frozen
        {
            self.limits.stopped = None;
            self.enqueue_first(t);
        }
    }
    /// A thread that is followed is about to execute this bytecode; whether it is followed further.
    pub(crate) fn call_debugger_step(&mut self, cs: Cs, bci: u16) -> bool {
        let bottom = self.thread().stack_bottom();
        // SAFETY: `cs` is the top frame, whose method stays loaded.
        let method = unsafe { (*(*cs).method).original };
        let at = StepAt {
            thread: self.cur,
            method,
            bci,
            height: (bottom as usize).saturating_sub(cs as usize),
        };
        // the interpreter is under way, and the debugger may have kept references
        let next = self.with_hook(
            |h| &mut h.debugger,
            |debugger, vm| vm.as_host(|vm| debugger.step(vm, at)),
        );
        let Some(next) = next else {
            return false;
        };
        self.settle_instruments();
        self.limits.debugged |= next == StepAction::Stop;
        next == StepAction::Follow
    }
    /// Suspends a thread for the debugger, between two runs.
    pub fn freeze(&mut self, t: ThreadId) {
        self.threads[t.0 as usize].frozen = true;
    }
    /// Lets it continue.
    pub fn thaw(&mut self, t: ThreadId) {
        let thread = &mut self.threads[t.0 as usize];
        thread.frozen = false;
        if !thread.suspended && std::mem::take(&mut thread.held) {
            self.enqueue(t);
        }
    }
    /// The debugger is asked at each bytecode of a thread that is not running, or no longer. The one that it is at is not asked
    /// about.
    pub fn follow(&mut self, t: ThreadId, on: bool) {
        let in_native = self
            .top_of(t)
            .is_none_or(|(m, _)| self.method(m).is_native());
        let nth = if in_native { 1 } else { 2 };
        self.follow_from(t, on.then_some(nth));
    }
    /// The same from the very next bytecode on.
    pub fn follow_next(&mut self, t: ThreadId) {
        self.follow_from(t, Some(1));
    }
    /// The method and frame height of the top frame of a thread that is not running.
    fn top_of(&mut self, t: ThreadId) -> Option<(MethodId, usize)> {
        let mut top = None;
        let bottom = self.threads[t.0 as usize].stack_bottom() as usize;
        self.each_frame(t, |_, w| {
            // SAFETY: methods are loaded as long as they have frames.
            top = unsafe { w.method.as_ref() }.map(|m| (m.id, bottom - w.at));
            top.is_none()
        });
        top
    }
    /// How many bytes the frames of a thread's methods are from the bottom of its stack, the top one first.
    pub fn frame_heights(&mut self, t: ThreadId) -> Vec<usize> {
        let bottom = self.threads[t.0 as usize].stack_bottom() as usize;
        let mut heights = Vec::new();
        self.each_frame(t, |_, w| {
            if !w.method.is_null() {
                heights.push(bottom - w.at);
            }
            true
        });
        heights
    }
    /// The next bytecode of a thread that is not running has been reported already: instruments do not report it again.
    pub fn note_reported(&mut self, t: ThreadId) {
        self.with_registers(t, |vm| {
            let r = *vm.regs();
            let bottom = vm.thread().stack_bottom();
            if !r.cs.is_null() && r.cs < bottom {
                vm.note_runs_again();
            }
        });
    }
    /// Does something with the registers of a thread that is not running.
    fn with_registers<T>(&mut self, t: ThreadId, f: impl FnOnce(&mut Vm) -> T) -> T {
        let running = self.cur;
        let regs: Regs = self.threads[t.0 as usize].regs;
        let saved = std::mem::replace(self.regs(), regs);
        self.cur = t;
        let done = f(self);
        let regs = std::mem::replace(self.regs(), saved);
        self.threads[t.0 as usize].regs = regs;
        self.cur = running;
        done
    }
    /// Sets a local of a frame of a thread that is not running: the `n`th frame of its methods, the top one being 0. The slot must
    /// hold a value of that kind now. False: it does not.
    pub fn set_local(&mut self, t: ThreadId, n: usize, slot: u16, kind: u8, v: Value) -> bool {
        let frames = self.open_frames(t);
        let Some(frame) = frames.get(n) else {
            return false;
        };
        let is = |s: &&super::FrameSlot| s.number == slot && s.kind == kind;
        if !frame.locals.iter().any(|s| is(&s)) || !frame.known {
            return false;
        }
        let mut at = None;
        let mut number = 0;
        self.each_frame(t, |_, w| {
            if !w.method.is_null() {
                if number == n {
                    at = Some(w.fp);
                    return false;
                }
                number += 1;
            }
            true
        });
        let Some(fp) = at else {
            return false;
        };
        if let Value::Ref(r) = v {
            self.heap.check(r);
        }
        // SAFETY: the frame has that local, which holds a value of the same kind, so the maps stay right.
        unsafe { *fp.add(slot.into()) = v.slot() };
        self.note_changed_frame(frame.method);
        true
    }
    /// Leaves the top `n` frames of a thread that is not running, as if their calls were about to be made.
    ///
    /// # Errors
    /// A frame cannot be left; nothing has been done.
    pub fn pop_frames(&mut self, t: ThreadId, n: usize) -> Result<(), CannotPop> {
        let frames = self.open_frames(t);
        if n == 0 || frames.len() <= n {
            return Err(CannotPop::NoFrame);
        }
        if self.threads[t.0 as usize].ret_slot.is_some() {
            return Err(CannotPop::Opaque);
        }
        let opaque =
            |vm: &Vm, f: &super::OpenFrame| f.bci.is_none() || vm.method(f.method).is_native();
        if frames[..=n].iter().any(|f| opaque(self, f)) {
            return Err(CannotPop::Opaque);
        }
        for f in &frames[..n] {
            // the caller's map takes the arguments for what they were
            let m = self.method(f.method);
            let mut kinds = vec![0; m.arg_slots.into()];
            super::translate::initial_locals(&mut kinds, m.is_static(), self.syms.str(m.desc));
            let same = |(i, kind): (usize, &u8)| {
                let now = f.locals.iter().find(|s| usize::from(s.number) == i);
                (*kind == b'A') == now.is_some_and(|s| s.kind == b'A')
            };
            if !kinds.iter().enumerate().all(same) {
                return Err(CannotPop::Opaque);
            }
        }
        let bottom = self.threads[t.0 as usize].stack_bottom();
        let first = self.threads[t.0 as usize].regs.cs;
        for i in 0..n {
            let cs = first.wrapping_add(i + 1);
            // SAFETY: a control frame of the thread, if it is above the bottom.
            if cs >= bottom
                || unsafe { (*cs).method.is_null() || (*cs.sub(1)).rip == self.code.stubs.ret }
            {
                return Err(CannotPop::Opaque);
            }
        }
        let executed = self.threads[t.0 as usize].executed;
        let locked = self.locked_by_frames(t);
        self.threads[t.0 as usize].pending = None;
        self.threads[t.0 as usize].exception_reported = false;
        self.with_registers(t, |vm| {
            for i in 0..n {
                vm.release_frame(i, &locked);
                vm.regs().ticks = executed;
                vm.pop_frame();
                let r = vm.regs();
                r.ip = r.ip.wrapping_sub(call::BYTES);
            }
            vm.regs().ticks = executed;
            // SAFETY: `cs` is a frame of a method with bytecode, and `ip` its call.
            unsafe {
                let r = *vm.regs();
                let x = (*(*r.cs).method).translated().expect("translated");
                let off = x.offset(r.ip).expect("an instruction");
                let begun = call_ticks(r.ip) - 1;
                vm.regs().ip = x.at(off);
                vm.regs().ticks -= begun;
            }
            vm.thread().end_native();
        });
        self.note_changed_frame(frames[n].method);
        Ok(())
    }
    /// Releases the monitors that the top frame has entered: the `n`th of those that are being left.
    fn release_frame(&mut self, n: usize, locked: &[(usize, Ref)]) {
        self.notify_thrown_out(None, true);
        let frame = self.regs().cs as usize;
        for &(_, object) in locked.iter().filter(|l| l.0 == n) {
            if self.holds_lock(object) {
                self.unlock_reported(object);
            }
        }
        self.thread().locked.retain(|l| l.0 != frame);
    }
    /// Whether the top frame of a thread that is not running may return this value.
    ///
    /// # Errors
    /// It may not.
    pub fn may_return(&mut self, t: ThreadId, v: Value) -> Result<(), CannotPop> {
        let frames = self.open_frames(t);
        let Some(top) = frames.first() else {
            return Err(CannotPop::NoFrame);
        };
        let m = self.method(top.method);
        if top.bci.is_none() || m.is_native() || self.threads[t.0 as usize].ret_slot.is_some() {
            return Err(CannotPop::Opaque);
        }
        let (ret, desc, class) = (m.ret, m.desc, m.class);
        let desc = self.syms.str(desc).clone();
        let ty = desc.rsplit(')').next().unwrap_or("V");
        let loader = self.class(class).loader;
        let fits = match v {
            Value::Void => ret == b'V',
            v => ret != b'V' && self.may_pass(v, ty, loader),
        };
        match fits {
            true => Ok(()),
            false => Err(CannotPop::Type),
        }
    }
    /// Has the top frame of a thread that is not running return this value.
    ///
    /// # Errors
    /// It may not: see [`Vm::may_return`].
    pub fn force_return(&mut self, t: ThreadId, v: Value) -> Result<(), CannotPop> {
        self.may_return(t, v)?;
        let returns = !matches!(v, Value::Void);
        let executed = self.threads[t.0 as usize].executed;
        let locked = self.locked_by_frames(t);
        self.threads[t.0 as usize].pending = None;
        self.threads[t.0 as usize].exception_reported = false;
        let stub = self.code.stubs.ret;
        self.with_registers(t, |vm| {
            vm.release_frame(0, &locked);
            let fp = vm.regs().fp;
            vm.regs().ticks = executed;
            vm.pop_frame();
            vm.thread().end_native();
            if returns {
                // SAFETY: a result stands where the arguments of the call began, in the caller's frame.
                unsafe { *fp = v.slot() };
                if vm.regs().ip != stub {
                    vm.thread().ret_slot = Some((fp, matches!(v, Value::Ref(_))));
                }
            }
        });
        Ok(())
    }
    /// Has a suspended thread make a call before it continues; [`Vm::calls_ended`] has its outcome. False: the thread is where no
    /// call can be made.
    ///
    /// # Panics
    /// Unless the arguments are what the method takes.
    pub fn ask_call(&mut self, t: ThreadId, call: CallRequest) -> bool {
        let thread = &self.threads[t.0 as usize];
        let bottom = thread.stack_bottom();
        let blocked = !matches!(thread.state, crate::threads::ThreadState::Runnable);
        let idle = thread.regs.cs.is_null() || thread.regs.cs >= bottom;
        if thread.ret_slot.is_some()
            || thread.chore.is_some()
            || thread.owed.is_some()
            || blocked
            || idle
        {
            return false;
        }
        let mut cells = Vec::new();
        for v in &call.arguments {
            cells.push(match v {
                Value::Ref(r) => {
                    self.heap.check(*r);
                    Some(self.heap.new_cell(*r))
                }
                _ => None,
            });
        }
        let number = call.number;
        self.debugged.open.push(CallOpen { call, cells });
        let thread = &mut self.threads[t.0 as usize];
        // what it was about to throw is thrown when the call has ended
        let (mut exception, mut reported) = (Ref::NULL, 0);
        if let Some(pending) = &thread.pending
            && let Throw::Object(e) = **pending
        {
            exception = e;
            reported = thread.exception_reported.into();
            (thread.pending, thread.exception_reported) = (None, false);
        }
        let cont = Cont::own(
            call_step,
            [number, MAKES, reported],
            [Ref::NULL, exception, Ref::NULL],
        );
        thread.chore = Some(Box::new(Upcall {
            call: None,
            cont: Some(cont),
            resume: Resume::Again,
        }));
        true
    }
    /// The calls that have ended.
    pub fn calls_ended(&mut self) -> Vec<CallEnded> {
        std::mem::take(&mut self.debugged.ended)
    }
    fn call_open(&self, number: u64) -> Option<&CallOpen> {
        self.debugged.open.iter().find(|o| o.call.number == number)
    }
    fn end_call(&mut self, c: &Cont, result: Result<Value, Ref>) -> Next {
        let number = c.data[0];
        let at = self
            .debugged
            .open
            .iter()
            .position(|o| o.call.number == number);
        if let Some(open) = at.map(|i| self.debugged.open.swap_remove(i)) {
            for cell in open.cells.into_iter().flatten() {
                self.heap.free_cell(cell);
            }
            let made = open.call.makes.map(|_| Value::Ref(c.refs[0]));
            let letter = match made {
                Some(_) => b'L',
                None => self.method(open.call.method).ret,
            };
            let result = match result {
                Ok(v) => match made.unwrap_or(v) {
                    Value::Ref(r) => Ok((letter, self.heap_mut().new_cell(r).into())),
                    v => Ok((letter, v.slot())),
                },
                Err(e) => Err(self.heap_mut().new_cell(e)),
            };
            self.debugged.ended.push(CallEnded {
                number,
                thread: self.cur,
                result,
            });
        }
        if !c.refs[1].is_null() {
            let thread = self.thread();
            thread.pending = Some(Throw::object(c.refs[1]));
            thread.exception_reported = c.data[2] != 0;
        }
        self.limits.debugged = true;
        Next::Return(Value::Void)
    }
    /// Makes the objects that a call needs.
    fn prepare_call(&mut self, c: &mut Cont) -> Result<Option<Call>, Box<Throw>> {
        let Some(open) = self.call_open(c.data[0]) else {
            return Ok(None);
        };
        let (initializes, makes, method) =
            (open.call.initializes, open.call.makes, open.call.method);
        if let Some(class) = initializes.or(makes)
            && self.init_state(class) != InitState::Initialized
        {
            self.ensure_initialized(class)?;
        }
        if let Some(class) = makes
            && c.refs[0].is_null()
        {
            c.refs[0] = self.alloc_object(class)?;
        }
        let mut arguments: Vec<Value> = makes.map(|_| c.refs[0].into()).into_iter().collect();
        let Some(open) = self.call_open(c.data[0]) else {
            return Ok(None);
        };
        let all = open.call.arguments.iter().zip(&open.cells);
        arguments.extend(all.map(|(v, cell)| match cell {
            Some(cell) => Value::Ref(self.heap.cell(*cell)),
            None => *v,
        }));
        Ok(Some(Call {
            made: None,
            method,
            args: self.argument_slots(method, &arguments),
        }))
    }
}

/// A step of a call that a debugger has requested.
fn call_step(vm: &mut Vm, c: &mut Cont, input: Result<Value, Ref>) -> Next {
    if c.data[1] == CALLS || input.is_err() {
        return vm.end_call(c, input);
    }
    match vm.prepare_call(c) {
        Ok(Some(call)) => {
            c.data[1] = CALLS;
            Next::Call(call)
        }
        Ok(None) => vm.end_call(c, Ok(Value::Void)),
        Err(t) => match *t {
            Throw::Object(e) => vm.end_call(c, Err(e)),
            // it is made above this frame, and comes back here
            Throw::New {
                class,
                message,
                cause,
            } => {
                let class = vm.boot_class(class);
                let message = message.and_then(|m| vm.new_string(&m).ok());
                let made = exception_upcall(class, message.unwrap_or(Ref::NULL), cause);
                Next::Throw(Box::new(Throw::Upcall(made)))
            }
            t => Next::Throw(Box::new(t)),
        },
    }
}
