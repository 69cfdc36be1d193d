//! What Java programs call of rjvm: agents, benchmarks, tests.

mod common;

mod agents;
mod bench;
mod events_java;
mod instruments_java;
mod junit;
mod testing;
