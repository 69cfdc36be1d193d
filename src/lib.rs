//! rjvm: a JVM whose interpreter counts every executed bytecode, as a library. A [`Vm`] is a value: made from an [`Engine`],
//! called with Rust values, with closures for native methods, and its [profile](profiler::Profile) is data. The [`guide`]
//! shows how.

mod embed;

pub use embed::*;
pub use rjvm_profiler as profiler;

#[doc = include_str!("../docs/embedding.md")]
pub mod guide {}

// What the program `rjvm` and the tests are made of, on the crates below: no part of the library's interface. Nothing
// in the first group knows the second.
#[doc(hidden)]
pub mod agent;
#[doc(hidden)]
pub mod blocks;
#[doc(hidden)]
pub mod divergence;
#[doc(hidden)]
pub mod explore;
#[doc(hidden)]
pub mod locks;
#[doc(hidden)]
pub mod probes;
#[doc(hidden)]
pub mod profile;
#[doc(hidden)]
pub mod sources;
#[doc(hidden)]
pub mod testing;

#[doc(hidden)]
pub mod launcher;
#[doc(hidden)]
pub mod tools;
