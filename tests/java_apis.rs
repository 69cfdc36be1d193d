//! What Java programs call: of rjvm agents, benchmarks, tests; of the class libraries after 17 what is new.

mod common;

mod agents;
mod bench;
mod events_java;
mod instruments_java;
mod jni;
mod junit;
mod newer;
mod testing;
