//! Runs that are alike, repeated, or explored.

#[path = "../common/mod.rs"]
mod common;

mod clock;
mod determinism;
mod explore;
mod explore_fit;
mod explore_races;
mod injected;
mod record;
mod record_modes;
mod tier;
mod tier_tools;
mod watch;
