//! APIs that Java programs call: rjvm's for agents, benchmarks and tests; the new ones of the class libraries after 17.

#[path = "../common/mod.rs"]
mod common;

mod agents;
mod bench;
mod creation;
mod desktop;
mod events_java;
mod instruments_java;
mod jni;
mod junit;
mod newer;
mod testing;
