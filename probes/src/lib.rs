//! A language of probes: questions about a running Java program in one line, in the manner of bpftrace and AspectJ.
//! This crate reads probes, checks them and evaluates them; it knows no VM. Who has one matches [`Point`]s against its
//! classes ([`pattern`]), and shows each event as a [`Hit`].
//!
//! Nothing a probe says or a program does leads to a panic or to work without end: sources, maps, strings, stacks and
//! output have limits, and a probe has no loops.

#![forbid(unsafe_code)]

pub mod hit;
pub mod pattern;
pub mod point;

pub use hit::{Datum, Frame, Hit, Number, Object, Text};
pub use pattern::{ClassPattern, ClassSubject, MemberPattern, MemberSubject};
pub use point::{Io, Monitor, Point};
