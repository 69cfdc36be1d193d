//! Programs that run, looked at from outside.

#[path = "../common/mod.rs"]
mod common;

mod debugger;
mod debugger_packets;
mod live_control;
mod live_management;
mod live_probes;
mod live_profile;
mod live_serve;
mod pages;
mod probes;
