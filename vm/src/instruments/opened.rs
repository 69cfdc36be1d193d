//! Entries that wait for their exits.

use super::ids::{Index, InstrumentId};

/// Counts and clocks at one moment of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Since {
    /// Bytecodes the thread had executed.
    pub executed: i64,
    /// Bytes it had allocated.
    pub allocated: u64,
    /// Nanoseconds by the VM's clock; 0 if clocks are not read.
    pub wall: i64,
    /// Nanoseconds of its processor time; 0 if clocks are not read.
    pub cpu: i64,
}

/// What a call of a method has used, callees included.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Elapsed {
    /// Bytecodes executed.
    pub bytecodes: i64,
    /// Bytes allocated.
    pub allocated: u64,
    /// Nanoseconds by the VM's clock; 0 if clocks are not read.
    pub wall: i64,
    /// Nanoseconds of the thread's processor time; 0 if clocks are not read.
    pub cpu: i64,
    /// The method had been entered before the instrument was placed: this is what it has used since then.
    pub late: bool,
    /// No other call that the instrument has seen entered is open below it: recursion is counted once by adding up these.
    pub outermost: bool,
}

/// A frame that an instrument has seen entered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    /// Address of the control frame.
    pub(super) cs: usize,
    pub(super) instrument: Index,
    pub(super) id: InstrumentId,
    pub(super) since: Since,
    pub(super) late: bool,
    pub(super) outermost: bool,
}

impl Open {
    /// Its stack has moved.
    pub(crate) fn moved(&mut self, frame: impl Fn(usize) -> usize) {
        self.cs = frame(self.cs);
    }
}

impl Since {
    pub(super) fn since(&self, was: &Open) -> Elapsed {
        Elapsed {
            bytecodes: self.executed - was.since.executed,
            allocated: self.allocated.saturating_sub(was.since.allocated),
            wall: self.wall - was.since.wall,
            cpu: self.cpu - was.since.cpu,
            late: was.late,
            outermost: was.outermost,
        }
    }
}
