//! A debugger of a VM.
//!
//! [`engine`] knows requests, steps, suspended threads, objects by number and calls in threads. It stops the VM between two
//! bytecodes and asks a [`engine::Frontend`] what to do there. It knows no protocol. [`jdwp`] is such a front end: the Java Debug
//! Wire Protocol, which `jdb` and development environments speak.

#![forbid(unsafe_code)]

pub mod engine;
pub mod jdwp;
