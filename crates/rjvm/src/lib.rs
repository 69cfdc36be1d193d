//! rjvm: a JVM whose interpreter counts every executed bytecode, as a library. A [`Vm`] is a value: made from an [`Engine`],
//! called with Rust values, with closures for native methods, and its [profile](profiler::Profile) is data. The [`guide`]
//! shows how.

#![forbid(unsafe_code)]

mod builder;
mod classes;
mod compile;
mod context;
mod convert;
mod engine;
mod error;
mod exception;
mod folder;
mod function;
mod handle;
mod host;
mod job;
mod limits;
mod members;
mod probes;
mod state;
mod stdio;
mod value;
mod vm;

pub use builder::{Profiling, Tier, VmBuilder};
pub use classes::Classes;
pub use context::Context;
pub use engine::Engine;
pub use error::{Error, JavaException, StackElement};
pub use function::{Function, Method};
pub use handle::{Class, Object};
pub use host::{Caller, HostFunction, HostResult};
pub use limits::{Limit, Limits};
pub use rjvm_hosts::faults::{Jump, Plan as Faults};
pub use rjvm_hosts::{Clock, Entropy, Environment, Grants, MemoryFiles, Network};
pub use rjvm_profiler as profiler;
pub use rjvm_vm::cancel::Canceller;
pub use stdio::{Stdin, Stdio};
pub use value::{Args, FromJava, IntoJava, Params, Value};
pub use vm::{Executed, InjectedFault, Vm};

#[doc = include_str!("../guide.md")]
pub mod guide {}
