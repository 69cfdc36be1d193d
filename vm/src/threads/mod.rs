//! Green threads, their stacks, and what they wait for.

mod abandon;
pub(crate) mod arrived;
pub mod clock;
mod contended;
mod contention;
mod continuation;
pub mod control;
mod control_state;
mod controlled;
mod cpu_usage;
pub mod dump;
mod fields;
mod held;
pub mod life;
pub mod locks;
pub mod monitor;
pub(crate) mod mount;
pub(crate) mod noticed;
pub mod notices;
mod numbers;
pub(crate) mod operations;
mod packed;
pub(crate) mod pending_calls;
pub mod pending_requests;
pub(crate) mod phase;
pub mod sched;
pub mod schedule;
pub(crate) mod scheduling;
pub(crate) mod shutdown;
pub mod signals;
pub mod stack;
pub mod status;
mod strangers;
pub mod sync;
#[cfg(test)]
mod tests;
mod time;
mod usage;

use crate::heap::hashes::Hashes;
use crate::host::CpuTime;
use crate::ids::{Ref, ThreadId};
use crate::interp::Regs;
use crate::interp::held::HeldBytes;
use crate::throw::{Cont, Throw};
pub use contention::{Contention, WaitCounts};
pub use held::Blocker;
use phase::Phase;
use rjvm_profiler::cct::ContextNode;
use stack::Stack;
pub use usage::Usage;

/// Why a thread is not runnable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wait {
    /// `LockSupport.park`, until unparked, interrupted or the deadline.
    Park,
    /// `Thread.sleep`.
    Sleep,
    /// `Object.wait` on this monitor index.
    Notify(u32),
    /// Entering this monitor index.
    Monitor(u32),
    /// Another thread initializes this class.
    ClassInit(crate::ids::ClassId),
    /// A file descriptor is to become readable (bit 0) or writable (bit 1).
    Fd(i32, u8),
    /// A child process is to end.
    Process(i64),
    /// The continuation that it carries is to yield or to end.
    Carries(ThreadId),
    /// Of a continuation: a carrier is to continue it.
    Unmounted,
    /// The VM's own reason: reference handler waiting for pending references, signal dispatcher, …
    Event(&'static str),
}

/// Why a thread woke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// What it waited for has come (unpark, notify, monitor free, descriptor ready, event).
    Ready,
    /// The deadline has passed.
    Timeout,
    /// `Thread.interrupt`.
    Interrupt,
}

/// State of a green thread.
#[derive(Clone, Debug, PartialEq)]
pub enum ThreadState {
    /// Created, not started.
    New,
    /// In the run queue or running.
    Runnable,
    /// Waiting, optionally with a deadline (nanoseconds of the VM's monotonic clock).
    Waiting {
        /// For what.
        on: Wait,
        /// Until when at most.
        deadline: Option<i64>,
    },
    /// Ended.
    Dead,
}

/// A continuation on a thread's stack.
pub struct ContRec {
    /// The continuation; without one the result is passed on.
    pub cont: Option<Cont>,
    /// What happens after its result.
    pub resume: crate::throw::Resume,
    /// Ticks to take back when it ends (the interrupted instruction's potential plus 1).
    pub adj: i64,
    /// Bytecode index of the interrupted instruction.
    pub site: u32,
    /// Type of what the method that it has called returns: first character of its descriptor.
    pub ret: u8,
    /// [`JavaThread::native_state`] of the interrupted native.
    pub native_state: [u64; 3],
    /// [`JavaThread::native_refs`] of the interrupted native.
    pub native_refs: Vec<Ref>,
}

/// A green thread.
pub struct JavaThread {
    /// This thread.
    pub id: ThreadId,
    /// How many threads there were before it.
    pub serial: u64,
    /// Its `java.lang.Thread` object.
    pub object: Ref,
    /// Value and control stack.
    pub(crate) stack: Stack,
    /// Bytes of it that count as memory of the program's.
    pub(crate) charged: usize,
    /// Registers while it does not run.
    pub(crate) regs: Regs,
    /// Continuations; each has a stub frame on the control stack, in the same order.
    pub(crate) conts: Vec<ContRec>,
    /// State.
    pub state: ThreadState,
    /// Set when it wakes, taken by the native that waited.
    pub wake: Option<Wake>,
    /// `LockSupport` permit.
    pub permit: bool,
    /// Daemon threads do not keep the VM alive.
    pub daemon: bool,
    /// What it executes, and the threads it starts, belong to the dynamic extent of `main` now.
    pub in_main: bool,
    /// Started in the dynamic extent of `main`.
    pub started_in_main: bool,
    /// Roots of its calling-context tree (null with profiling off).
    pub(crate) root: *mut ContextNode,
    /// For a thread of the host's with calls in and out of the scope `main`: the root of the other ones.
    pub(crate) other_root: *mut ContextNode,
    /// It has had both.
    pub(crate) scoped: bool,
    /// When it was suspended at a return: the slot with the result, and whether that is a reference.
    pub(crate) ret_slot: Option<(*mut u64, bool)>,
    /// Bytecodes it has executed, as of when it last ran.
    pub executed: i64,
    /// The instruction in whose middle it was left.
    pub(crate) under_way: crate::vm::limits::UnderWay,
    /// Bytes it has allocated, as of when it last ran.
    pub(crate) allocated: u64,
    /// Processor time it has used, once that is measured.
    pub(crate) cpu: CpuTime,
    /// The same as those who look on have measured it.
    pub(crate) peeked_cpu: CpuTime,
    /// Bytecodes after which the next sample is due.
    pub next_sample: Option<i64>,
    /// Observers that know it, and when they are to be notified again.
    pub(crate) alarms: crate::events::Alarms,
    /// Bytecodes at the last sample.
    pub last_sample: i64,
    /// What else it knows for its samples.
    pub sampling: crate::interp::ThreadSampling,
    /// What it does first when it next runs.
    pub(crate) owed: Option<crate::heap::pause::ResumeAction>,
    /// Thrown when it next runs.
    pub(crate) pending: Option<Box<Throw>>,
    /// Identity hashes of the objects it asks first.
    pub hashes: Hashes,
    /// Monitors that frames with unstructured locking hold: address of the control frame, and object.
    pub locked: Vec<(usize, Ref)>,
    /// Monitor reentry count saved over `Object.wait`.
    pub saved_recursions: u32,
    /// Scratch words of a native that blocks and runs again; zero when no native is under way.
    pub native_state: [u64; 3],
    /// Root objects pinned by the native that is under way, cleared when it returns.
    pub native_refs: Vec<Ref>,
    /// What the method at the bottom of its stack is.
    pub phase: Phase,
    /// What it has to do with continuations.
    pub(crate) mount: mount::Mount,
    /// Its name, once it has ended.
    pub name: Option<Box<str>>,
    /// The rest of it then.
    pub(crate) weight: Option<HeldBytes>,
    /// Key of its deadline among the timers.
    pub timer: Option<(i64, u64)>,
    /// It serves the class library (see `Vm::next_thread`: it keeps nothing alive and lets nothing continue).
    pub system: bool,
    /// It sees to references that the collector has found, or runs finalizers.
    pub serves_references: bool,
    /// Suspended by `Thread.suspend`.
    pub suspended: bool,
    /// Suspended by a debugger.
    pub frozen: bool,
    /// The exception that is thrown when it continues has been reported.
    pub(crate) exception_reported: bool,
    /// The request of a debugger that it fulfils first when it continues.
    pub(crate) chore: Option<Box<crate::throw::Upcall>>,
    /// Runnable, but kept out of the run queue because it is suspended.
    pub held: bool,
    /// How often and how long it was blocked and has waited.
    pub contention: Contention,
    /// Its number among [`sched::Waiters`], while it is one of them.
    pub(crate) waiter: u64,
    /// On its way into a monitor: the instruction or native that runs next has to complete that
    /// before an exception may be thrown into the thread.
    pub acquiring: bool,
    /// Frames that instruments have seen entered.
    pub(crate) open: Vec<crate::instruments::Open>,
    /// The instruction at which instruments notified last, by ticks and address.
    pub(crate) reported_at: (i64, usize),
}

impl JavaThread {
    /// Its ticks when it last stopped running: bytecodes begun, up to the potential of its next instruction.
    pub fn ticks(&self) -> i64 {
        self.regs.ticks
    }
    /// Roots of its calling contexts (null if there are none), and whether they are in the scope `main`.
    pub(crate) fn roots(&self) -> [(*mut ContextNode, bool); 2] {
        match self.scoped {
            true => [(self.root, self.in_main), (self.other_root, !self.in_main)],
            false => [
                (self.root, self.started_in_main),
                (std::ptr::null_mut(), false),
            ],
        }
    }
    /// Root of its calling contexts; null if none are recorded.
    pub fn root(&self) -> *mut ContextNode {
        self.root
    }
    /// A thread that has not started.
    pub(crate) fn new(id: ThreadId, object: Ref, stack: Stack, hashes: Hashes) -> JavaThread {
        let regs = Regs {
            ip: std::ptr::null(),
            fp: stack.values(),
            cs: stack.control_end(),
            ticks: 0,
            acc: 0,
            facc: 0.0,
        };
        JavaThread {
            id,
            serial: 0,
            object,
            stack,
            charged: 0,
            regs,
            conts: Vec::new(),
            state: ThreadState::New,
            wake: None,
            permit: false,
            daemon: false,
            in_main: false,
            started_in_main: false,
            root: std::ptr::null_mut(),
            other_root: std::ptr::null_mut(),
            scoped: false,
            pending: None,
            ret_slot: None,
            owed: None,
            executed: 0,
            allocated: 0,
            cpu: CpuTime::default(),
            peeked_cpu: CpuTime::default(),
            contention: Contention::default(),
            next_sample: None,
            alarms: Default::default(),
            last_sample: 0,
            under_way: Default::default(),
            sampling: Default::default(),
            hashes,
            locked: Vec::new(),
            saved_recursions: 0,
            native_state: [0; 3],
            native_refs: Vec::new(),
            phase: Phase::Host,
            mount: Default::default(),
            name: None,
            weight: None,
            timer: None,
            system: false,
            serves_references: false,
            suspended: false,
            frozen: false,
            exception_reported: false,
            chore: None,
            held: false,
            waiter: 0,
            acquiring: false,
            open: Vec::new(),
            reported_at: (0, 0),
        }
    }
    /// A native that blocks and runs again is through.
    pub(crate) fn end_native(&mut self) {
        self.native_state = [0; 3];
        self.native_refs.clear();
        self.wake = None;
    }
    /// Whether it has started and not ended.
    pub fn is_alive(&self) -> bool {
        !matches!(self.state, ThreadState::New | ThreadState::Dead)
    }
}

impl JavaThread {
    /// One past the bottom control frame.
    pub fn stack_bottom(&self) -> *mut crate::interp::Frame {
        self.stack.control_end()
    }
}
