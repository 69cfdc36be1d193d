//! The limits of a run, and the reason why it has stopped.

use crate::ids::ThreadId;

/// An instruction that has begun: its address, and its control frame's. The bytecodes before the one that may throw or call
/// have been executed then, whichever of them the translation has left to this instruction.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct UnderWay {
    pub(crate) instruction: usize,
    pub(crate) frame: usize,
}

/// See the module.
pub(crate) struct RunLimits {
    /// Bytecodes that may still run (`None`: no limit). The VM stops when exactly that many have
    /// begun; the embedder may set it whenever the VM is not running.
    pub(crate) fuel: Option<i64>,
    /// The fuel's end in ticks of the running thread.
    pub(crate) fuel_end: Option<i64>,
    /// The fuel's end has been reached.
    pub(crate) out_of_fuel: bool,
    /// Requests of other OS threads to stop.
    pub(crate) canceller: crate::cancel::OwnCanceller,
    /// Asks for a stop when the time has ended, once there was a limit.
    pub(crate) watchdog: Option<crate::cancel::Watchdog>,
    /// Real time it may still run.
    pub(crate) wall_time: Option<std::time::Duration>,
    /// The reason why it is stopping.
    pub(crate) halted: Option<crate::cancel::Halt>,
    /// The slice that begins is the rest of the one that the fuel's end or a request cut short.
    pub(crate) resumed: bool,
    /// The thread that was stopped by the fuel's end, at a place or for a request.
    pub(crate) stopped: Option<ThreadId>,
    /// It was stopped where its references are known.
    pub(crate) stopped_safely: bool,
    /// The running thread stops for the debugger before it executes anything more.
    pub(crate) debugged: bool,
    /// The instruction that the VM works on for the running thread.
    pub(crate) under_way: UnderWay,
}
