//! The environment and the VM of C code, as structures of JNI that begin with tables of functions.

use super::attach::{AttachQueue, Port};
use super::fibers::Suspension;
use std::ffi::c_void;
use std::sync::Arc;

/// Functions of the interface, with the four that are reserved.
pub const FUNCTIONS: usize = 236;

/// The table that C reads. What a JDK older than a function has there is never looked at.
#[repr(transparent)]
pub struct FunctionTable(pub [*const c_void; FUNCTIONS]);

/// What a `JNIEnv*` points to. The table comes first; the rest is this VM's own.
///
/// There is one for all threads that Java has made: they are on one thread of the operating system, so that what C code keeps for
/// each of its threads is right whichever of them calls. A thread that C code has made has its own.
#[repr(C)]
pub struct JniEnv {
    pub table: *const FunctionTable,
    pub vm: *const JavaVm,
    /// Where a thread of C code asks.
    pub port: Option<Arc<Port>>,
}

/// The functions of [`JavaVm`], after three that are reserved.
pub const INVOCATION: usize = 8;

/// What a `JavaVM*` points to.
#[repr(C)]
pub struct JavaVm {
    pub table: *const [*const c_void; INVOCATION],
    pub env: *const JniEnv,
    pub feature: u32,
    /// What threads of C code have to say to the VM.
    pub queue: Arc<AttachQueue>,
}

/// Whose type the table of functions relies on.
pub type Yielder = corosensei::Yielder<(), Suspension>;
