//! Profiles: how they are taken, written, read by other programs and by `rjvm profile`.
#![allow(
    clippy::duplicate_mod,
    reason = "readers and the rest have their own way to what is missing"
)]

#[path = "../common/mod.rs"]
mod common;

mod cost_tools;
mod hprof;
mod jfr;
mod library;
mod noted;
mod numbered;
mod options;
mod papers;
mod parquet;
mod profile_tools;
#[path = "../../profiler/tests/readers/mod.rs"]
mod programs;
mod push;
mod readers;
mod sampling;
mod sizes;
mod xquery;
