//! Dumps made by hand, read.

mod common;
mod graphs;
mod malformed;
