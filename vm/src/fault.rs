//! Faults: how a VM ends when it cannot go on for a reason that is none of the program's. A panic
//! inside the VM (its own, a native's, an agent's, the host's) is caught where the VM was entered; what
//! the machine refuses that no Java exception stands for ends it in order. Either way the VM is dead:
//! it runs nothing any more, but tells its fault, counts and samples, and can be dropped.
//!
//! Nothing else in the process changes: a panic that is caught here is not printed, and one outside a
//! VM goes to the process's own hook.

use crate::ids::ThreadId;
use crate::interp::{Frame, Regs};
use crate::vm::Vm;
use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::{Arc, Once};

/// Frames of a stack that are told: as many as HotSpot's exceptions have.
const FRAMES: usize = 1024;

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A panic: a mistake in the VM, or in a native, agent or host of the embedder.
    Panic,
    /// The machine has no more of what the VM needs, and no exception could tell the program.
    Exhausted,
}

/// Why a VM is dead.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Whose fault it is.
    pub kind: FaultKind,
    /// What happened.
    pub message: String,
    /// Source file, line and column of the panic, if the process's hook of panics is still the VM's.
    pub place: Option<String>,
    /// Name of the Java thread that ran.
    pub thread: Option<String>,
    /// Its Java stack, the innermost frame first: `java.lang.Object.wait(Object.java:338)`.
    pub stack: Vec<String>,
    /// The stack of the VM itself, if `RUST_BACKTRACE` asks for it.
    pub backtrace: Option<String>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(place) = &self.place {
            write!(f, "\n  in {place}")?;
        }
        if let Some(thread) = &self.thread {
            write!(f, "\n  thread \"{thread}\"")?;
        }
        for frame in &self.stack {
            write!(f, "\n\tat {frame}")?;
        }
        if let Some(backtrace) = &self.backtrace {
            write!(f, "\n{backtrace}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}

/// A panic that was caught.
#[derive(Debug, Default)]
pub struct Caught {
    /// Its message.
    pub message: String,
    /// Source file, line and column, if known.
    pub place: Option<String>,
    backtrace: Option<String>,
}

impl fmt::Display for Caught {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{} ({place})", self.message),
            None => f.write_str(&self.message),
        }
    }
}

thread_local! {
    /// How many calls of [`contain`] this thread is in.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
    /// What the hook was told of the last panic in one.
    static LAST: RefCell<Option<Caught>> = const { RefCell::new(None) };
}

/// Counts a call of [`contain`].
struct Inside;

impl Inside {
    fn enter() -> Inside {
        INSIDE.set(INSIDE.get() + 1);
        Inside
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.set(INSIDE.get() - 1);
    }
}

/// Runs `f`; a panic in it is caught, and not printed.
pub fn contain<T>(f: impl FnOnce() -> T) -> Result<T, Caught> {
    listen();
    let inside = Inside::enter();
    let result = panic::catch_unwind(AssertUnwindSafe(f));
    drop(inside);
    result.map_err(|payload| {
        let told = LAST.take().unwrap_or_default();
        let message = message(&*payload).unwrap_or(told.message);
        // dropping what somebody threw could panic again
        std::mem::forget(payload);
        Caught { message, ..told }
    })
}

fn message(payload: &(dyn Any + Send)) -> Option<String> {
    let text = payload.downcast_ref::<&str>().map(|s| s.to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
}

/// Puts a hook before the process's own, once: nobody else is told a panic's place.
fn listen() {
    static ONCE: Once = Once::new();
    if std::thread::panicking() {
        // hooks cannot be set now
        return;
    }
    ONCE.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if INSIDE.try_with(Cell::get).is_ok_and(|n| n > 0) {
                remember(info);
            } else {
                others(info);
            }
        }));
    });
}

fn remember(info: &PanicHookInfo<'_>) {
    let backtrace = Backtrace::capture();
    let caught = Caught {
        message: info
            .payload_as_str()
            .unwrap_or("a panic without words")
            .into(),
        place: info.location().map(|place| place.to_string()),
        backtrace: (backtrace.status() == BacktraceStatus::Captured).then(|| backtrace.to_string()),
    };
    LAST.set(Some(caught));
}

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
    /// Runs `f` in a VM that may be dead: what is asked of it afterwards. A panic is the VM's fault,
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
        let told = contain(AssertUnwindSafe(|| self.lay_out(panicked)));
        if let Ok(Some((thread, stack))) = told {
            (fault.thread, fault.stack) = (Some(thread), stack);
        }
        let fault = Arc::new(fault);
        self.fault = Some(fault.clone());
        fault
    }
    /// Leaves the interpreter after a panic, and tells the name and stack of the thread that ran.
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
                // without registers: nothing of the stack is told
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
