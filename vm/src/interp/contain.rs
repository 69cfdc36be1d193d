//! Faults of a VM: where it is entered a panic is caught, and it is laid out as it was left.

use crate::fault::{Caught, Fault, FaultKind, contain};
use crate::ids::ThreadId;
use crate::interp::{Frame, Regs};
use crate::vm::Vm;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// Frames of a stack that are reported: as many as HotSpot's exceptions have.
const FRAMES: usize = 1024;

impl Vm {
    /// Why the VM is dead, if it is.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_deref()
    }
    /// Runs `f`, unless the VM is dead. A panic in it is the VM's fault, and its end.
    pub fn guarded<T>(&mut self, f: impl FnOnce(&mut Vm) -> T) -> Result<T, Arc<Fault>> {
        self.guarded_as_it_is(|vm| {
            vm.settle_heap();
            f(vm)
        })
    }
    /// As [`Vm::guarded`], with a collection that may have been stopped half-way.
    pub(crate) fn guarded_as_it_is<T>(
        &mut self,
        f: impl FnOnce(&mut Vm) -> T,
    ) -> Result<T, Arc<Fault>> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        match contain(AssertUnwindSafe(|| f(self))) {
            Ok(value) => match &self.fault {
                None => Ok(value),
                Some(fault) => Err(fault.clone()),
            },
            Err(panic) => Err(self.die(FaultKind::Panic, panic)),
        }
    }
    /// Runs `f` in a VM that may be dead: for requests after its end. A panic is the VM's fault,
    /// unless it has one already; then there is no result.
    pub(crate) fn contained<T>(&mut self, f: impl FnOnce(&mut Vm) -> T) -> Option<T> {
        let f = |vm: &mut Vm| {
            vm.settle_heap();
            f(vm)
        };
        match contain(AssertUnwindSafe(|| f(self))) {
            Ok(value) => Some(value),
            Err(panic) => {
                self.die(FaultKind::Panic, panic);
                None
            }
        }
    }
    /// The machine has no more of what the VM needs: its end.
    #[cold]
    pub(crate) fn exhausted(&mut self, message: String) {
        let what = Caught {
            message,
            ..Caught::default()
        };
        self.die(FaultKind::Exhausted, what);
        // a native that runs on is the last
        self.request_attention();
    }
    /// The end of the VM, in the state it was left in. The first fault is the one that counts.
    #[cold]
    fn die(&mut self, kind: FaultKind, what: Caught) -> Arc<Fault> {
        if let Some(fault) = &self.fault {
            return fault.clone();
        }
        let mut fault = Fault {
            kind,
            message: what.message,
            place: what.place,
            thread: None,
            stack: Vec::new(),
            backtrace: what.backtrace,
        };
        // from here on nothing runs, whatever happens
        self.fault = Some(Arc::new(fault.clone()));
        let panicked = kind == FaultKind::Panic;
        let reported = contain(AssertUnwindSafe(|| self.lay_out(panicked)));
        if let Ok(Some((thread, stack))) = reported {
            (fault.thread, fault.stack) = (Some(thread), stack);
        }
        let fault = Arc::new(fault);
        self.fault = Some(fault.clone());
        fault
    }
    /// Leaves the interpreter after a panic, and reports the name and stack of the thread that ran.
    fn lay_out(&mut self, panicked: bool) -> Option<(String, Vec<String>)> {
        if self.heap.gc.collecting {
            // half of the objects are elsewhere: nothing may look at them
            for t in &mut self.threads {
                let name = || format!("thread {}", t.id.0).into();
                t.name = Some(t.name.take().unwrap_or_else(name));
            }
        }
        let t = self.cur;
        let running = self.in_interpreter;
        if running && panicked {
            let regs = *self.regs();
            if !self.are_frames(t, &regs) {
                // without registers: nothing of the stack is reported
                let bottom = self.thread().stack_bottom();
                let regs = self.regs();
                (regs.cs, regs.ip) = (bottom, std::ptr::null());
            }
            self.leave(t);
        }
        self.threads.get(t.0 as usize)?;
        let (name, mut stack) = (self.thread_name(t), Vec::new());
        self.walk_stack(t, |vm, m, bci| {
            if stack.len() == FRAMES {
                return ControlFlow::Break(());
            }
            stack.push(vm.frame_line(m, bci));
            ControlFlow::Continue(())
        });
        Some((name, stack))
    }
    /// Whether there are frames of thread `t` from `regs.cs` down. A panic may come from where the
    /// registers are not saved.
    fn are_frames(&self, t: ThreadId, regs: &Regs) -> bool {
        let thread = &self.threads[t.0 as usize];
        let (low, bottom) = (thread.stack.values() as usize, thread.stack_bottom());
        let top = regs.cs as usize;
        if top < low || top > bottom as usize {
            return false;
        }
        let between = bottom as usize - top;
        let methods: HashSet<usize> = self
            .loaded
            .methods
            .iter()
            .map(|m| &raw const *m as usize)
            .collect();
        between.is_multiple_of(size_of::<Frame>())
            && (0..between / size_of::<Frame>()).all(|i| {
                // SAFETY: the frame lies in the thread's stack, whose memory is mapped; any bits are a frame.
                let frame = unsafe { *regs.cs.add(i) };
                let fp = frame.fp as usize;
                (frame.method.is_null() || methods.contains(&(frame.method as usize)))
                    && (low..top).contains(&fp)
            })
    }
}
