//! rjvm: a JVM whose interpreter counts every executed bytecode. The virtual machine itself is
//! [`vm`], what it records becomes a [`profiler::Profile`] in [`profile`].

// what embedders use; nothing here knows the two below
pub mod agent;
pub mod blocks;
pub mod divergence;
mod embed;
pub mod profile;
pub mod sources;

// the program's parts, which stand on it
pub mod launcher;
pub mod tools;

pub use embed::*;

#[doc = include_str!("../docs/embedding.md")]
pub mod guide {}

pub use rjvm_classfile as classfile;
pub use rjvm_jdk_stubs as jdk_stubs;
pub use rjvm_profiler as profiler;
pub use rjvm_vm as vm;
