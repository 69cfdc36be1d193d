//! The VM as a library: see [`guide`](crate::guide).

pub(crate) mod assembly;
mod builder;
mod classes;
mod compile;
mod context;
mod convert;
mod engine;
mod error;
pub(crate) mod exception;
mod folder;
mod handle;
mod host;
mod job;
mod limits;
mod members;
pub(crate) mod program;
mod state;
mod stdio;
pub(crate) mod tape;
mod value;
mod vm;

pub use builder::{Profiling, VmBuilder};
pub use classes::Classes;
pub use context::Context;
pub use engine::Engine;
pub use error::{Error, JavaException, StackElement};
pub use handle::{Class, Object};
pub use host::{Caller, HostFunction, HostResult};
pub use limits::{Limit, Limits};
pub use rjvm_hosts::faults::{Jump, Plan as Faults};
pub use rjvm_hosts::{Clock, Entropy, Environment, Grants, MemoryFiles, Network};
pub use rjvm_vm::cancel::Canceller;
pub use stdio::{Stdin, Stdio};
pub use value::{Args, FromJava, IntoJava, Value};
pub use vm::{Executed, InjectedFault, Vm};
