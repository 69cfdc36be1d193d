//! The top frame at a point of an instrument.

use super::frame::{Cs, Fp, Ip};
use crate::classes::Method;

/// The frame of an event. It is the running thread's top one.
#[derive(Clone, Copy)]
pub(crate) struct EventFrame {
    pub(super) method: *mut Method,
    pub(super) fp: Fp,
    pub(super) cs: Cs,
    pub(super) ip: Ip,
    /// `ip` is an instruction, not a return address.
    pub(super) exact: bool,
    /// The slots hold the arguments.
    pub(super) fresh: bool,
}
