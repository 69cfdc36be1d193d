//! The recorded calling contexts and samples.

/// See the module.
pub(crate) struct Profile {
    /// Calling-context nodes.
    pub(crate) cct: rjvm_profiler::cct::Arena,
    /// The contexts that there are know where they were called.
    pub(crate) sites_recorded: bool,
    /// How often recording contexts was switched.
    pub(crate) switches: u64,
    /// Flow of control that no edge represents (profiles of basic blocks).
    pub(crate) flow: crate::interp::turns::FlowCounts,
    /// Recorder of samples. It has all of them after [`Vm::settle_samples`](crate::Vm::settle_samples).
    pub(crate) samples: Option<rjvm_profiler::samples::Recorder>,
    /// Samples that are not in `samples` yet.
    pub(crate) waiting: crate::interp::PendingSamples,
    /// The clock of samples of all threads together.
    pub(crate) global_clock: crate::interp::GlobalClock,
}
