//! Benchmarks of rjvm's parts: `cargo bench -p rjvm-benches`. There is nothing else in this crate.
