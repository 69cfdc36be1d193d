//! The types of handlers of translated code.

use super::frame::{Cs, Fp, Hot, Ip};

/// Whether handlers end in a jump to the next one; else they return to a loop (see `vm/build.rs`).
pub const TAIL_DISPATCH: bool = cfg!(tail_dispatch);

/// A handler of translated code. Jumps need all seven parameters in registers on every system, and
/// `sysv64` says so; the loop takes them from memory anyway, and runs where there is no `sysv64`. It may
/// unwind: a panic below it is caught where the VM is entered (`fault`), and a handler has nothing to drop
/// on the way.
#[cfg(tail_dispatch)]
pub type Handler = unsafe extern "sysv64-unwind" fn(Ip, Fp, Cs, i64, u64, *mut Hot, f64);

/// A handler of translated code, which returns to a loop.
#[cfg(not(tail_dispatch))]
pub type Handler = unsafe extern "C-unwind" fn(Ip, Fp, Cs, i64, u64, *mut Hot, f64);
