//! A language of probes: questions about a running Java program in one line, in the manner of bpftrace and AspectJ.
//! This crate reads probes, checks them and evaluates them; it knows no VM. A VM matches [`Point`]s against its
//! classes ([`pattern`]), and shows each event as a [`Hit`]. docs/probes.md has the language.
//!
//! Nothing a probe says or a program does leads to a panic or to work without end: sources, maps, strings, stacks and
//! output have limits, and a probe has no loops.

#![forbid(unsafe_code)]

mod ast;
mod builtins;
mod code;
mod compile;
mod format;
mod gathered;
mod help;
pub mod hit;
mod lex;
mod limits;
mod maps;
mod names;
mod parse;
pub mod pattern;
pub mod point;
mod points;
mod session;
mod source;
mod steps;
mod strings;
mod value;

pub use help::help;
pub use hit::{ClassId, Datum, FastEvent, FieldId, Frame, Hit, MethodId, Number, Object, Text};
pub use limits::{LimitError, Limits};
pub use pattern::{ClassPattern, ClassSubject, MemberPattern, MemberSubject, PatternError};
pub use point::{Io, Monitor, Point};
pub use session::{HitRequests, ProbePoint, Script, Session};
pub use source::{Mistake, Source};
