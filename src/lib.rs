//! The rjvm library façade.

pub mod launcher;
