//! What a host does when the VM asks it to: it decides or changes something, so it gets the VM itself. Those who only want to know are
//! observers ([`Observer`](crate::events::Observer)).

use super::Vm;
use crate::ids::{MethodId, Ref, ThreadId};
use crate::interp::StopReason;
use crate::threads::operations::{ChoicePoint, Offer, Step};
use crate::threads::pending_calls::{CommandInfo, LibraryCall};
use rjvm_ops::ThreadNo;
use std::collections::VecDeque;

/// What a host does when a snapshot is requested.
pub type Snapshot = Box<dyn FnMut(&mut Vm) + Send>;

/// Requests from outside to a running VM, which it serves between the turns of two threads.
pub trait RequestQueue: Send {
    /// SIGQUIT has arrived. Whether it is for the queue of requests; else the threads are dumped.
    fn poll(&mut self, vm: &mut Vm) -> bool;
    /// Whether somebody waits. Asked before each turn.
    fn is_wanted(&self) -> bool;
    /// Sees to those who wait.
    fn serve(&mut self, vm: &mut Vm);
}

/// A host that carries out diagnostic commands for the program.
pub trait Commands: Send {
    /// Those that there are.
    fn list(&self) -> Vec<CommandInfo>;
    /// Carries out a command line. The error says why it is refused.
    ///
    /// # Errors
    /// There is no such command, it takes something else, or it fails.
    fn run(&mut self, vm: &mut Vm, line: &str) -> Result<String, String>;
}

/// The action on the string that the last of some calls returned, or on the class and message of an exception.
pub type AfterCalls = Box<dyn FnOnce(&mut Vm, Result<Option<String>, String>) + Send>;

/// What a host does when the VM has stopped, between two bytecodes; whether it goes on.
pub type OnStop = Box<dyn FnMut(&mut Vm, &StopReason) -> bool + Send>;

/// See [`Vm::take_contexts`].
pub type TakeContexts = Box<dyn FnMut(&mut Vm) -> bool + Send>;

/// Decides the schedule. It may look at the VM, and changes nothing in it.
pub trait Control: Send {
    /// A thread that is alone is about to start another one; whether the program goes on.
    fn begins(&mut self, vm: &mut Vm) -> bool {
        let _ = vm;
        true
    }
    /// An operation comes next in the running thread: whether others may go first.
    fn is_point(&mut self, vm: &mut Vm, step: &Step, moment: ChoicePoint) -> bool;
    /// The index of the candidate that goes on.
    fn choose(&mut self, vm: &mut Vm, offer: Offer<'_>) -> usize;
    /// An operation is done, or cannot be hindered any more.
    fn done(&mut self, vm: &mut Vm, step: &Step);
    /// Whether what reads find is its to say, if [`Explored::memory`](crate::vm::Explored::memory) permits that.
    fn memory(&mut self) -> bool {
        false
    }
    /// A read is done: `Some` is what it finds instead of what is there now, of the same type. Asked only if
    /// [`Control::memory`] says so, as is [`Control::writes`].
    fn reads(&mut self, vm: &mut Vm, step: &Step, moment: ChoicePoint) -> Option<u64> {
        let _ = (vm, step, moment);
        None
    }
    /// A write is about to be done: whether what is there stays, being the newer one. One of a copied array cannot be put
    /// below what is there: it has no `moment`.
    fn writes(&mut self, vm: &mut Vm, step: &Step, moment: Option<ChoicePoint>) -> bool {
        let _ = (vm, step, moment);
        false
    }
    /// A weak compare and set is about to be done: whether it fails without a reason.
    fn fails(&mut self, vm: &mut Vm, step: &Step, moment: ChoicePoint) -> bool {
        let _ = (vm, step, moment);
        false
    }
    /// Objects with these numbers are gone, in this order: nothing is done any more to their variables and monitors.
    fn gone(&mut self, objects: &[u32]) {
        let _ = objects;
    }
    /// The running thread ends with an exception.
    fn uncaught(&mut self, vm: &mut Vm, thread: ThreadNo, exception: Ref);
    /// Whether a thread that waits in a monitor or is parked, for no time, may go on without a reason now. It is offered as one whose time
    /// has ended, beside others that can go on.
    fn may_wake(&mut self, thread: ThreadNo) -> bool {
        let _ = thread;
        false
    }
    /// Which of `n` threads that wait in a monitor is notified, in the order in which they began to.
    fn notified(&mut self, n: usize, moment: ChoicePoint) -> usize {
        let _ = (n, moment);
        0
    }
}

/// A bytecode that is about to be executed by a thread that is followed step by step.
#[derive(Clone, Copy, Debug)]
pub struct StepAt {
    /// The thread.
    pub thread: ThreadId,
    /// The method, as others know it.
    pub method: MethodId,
    /// Index of the bytecode.
    pub bci: u16,
    /// Where the frame is, in bytes from the bottom of the thread's stack.
    pub height: usize,
}

/// A debugger. The VM calls it between two bytecodes.
pub trait Debugger: Send {
    /// The VM has stopped for it: it may look at everything, change values, and let threads go on or not.
    fn stopped(&mut self, vm: &mut Vm);
    /// A thread that is followed ([`Vm::follow`]) is about to execute this bytecode.
    fn step(&mut self, vm: &mut Vm, at: StepAt) -> StepAction;
}

/// The next step of a thread that is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepAction {
    /// It goes on, and is followed further.
    Follow,
    /// It goes on, and is not followed any more.
    Leave,
    /// The VM stops before the bytecode. The thread is not followed any more.
    Stop,
}

/// Calls, one after the other.
pub(crate) struct PendingCalls {
    pub(crate) calls: VecDeque<LibraryCall>,
    /// Instead of calls, an agent that is started.
    pub(crate) agent: Option<Box<crate::classes::AgentStart>>,
    pub(crate) then: AfterCalls,
}

impl Vm {
    /// Lets a hook do something, if there is one. It is away meanwhile, and comes back unless another one has taken its place.
    pub(crate) fn with_hook<T: ?Sized, R>(
        &mut self,
        of: fn(&mut Hooks) -> &mut Option<Box<T>>,
        f: impl FnOnce(&mut T, &mut Vm) -> R,
    ) -> Option<R> {
        let mut hook = of(&mut self.hooks).take()?;
        let done = f(&mut hook, self);
        of(&mut self.hooks).get_or_insert(hook);
        Some(done)
    }
}

/// What hosts have left with a VM. What is under way is taken out meanwhile.
#[derive(Default)]
pub(crate) struct Hooks {
    /// Is asked from outside.
    pub(crate) request_queue: Option<Box<dyn RequestQueue>>,
    /// At SIGUSR1.
    pub(crate) snapshot: Option<Snapshot>,
    /// At SIGQUIT.
    pub(crate) at_quit: Option<Snapshot>,
    /// Carries out commands.
    pub(crate) commands: Option<Box<dyn Commands>>,
    /// Calls that are to be made.
    pub(crate) pending_calls: VecDeque<PendingCalls>,
    /// Those that are being made.
    pub(crate) task: Option<PendingCalls>,
    /// Is asked where the VM stops.
    pub(crate) on_stop: Option<OnStop>,
    /// Who takes contexts when there are many.
    pub(crate) take_contexts: Option<TakeContexts>,
    /// Is asked where the VM stops for it.
    pub(crate) debugger: Option<Box<dyn Debugger>>,
    /// Decides the schedule of a VM under control; `None` while it is asked.
    pub(crate) control: Option<Box<dyn Control>>,
    /// Natives may begin its decisions; `None` while it decides.
    pub(crate) offered: Option<Box<dyn Control>>,
}
