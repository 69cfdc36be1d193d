//! Heap dumps in HPROF's binary format, versions 1.0.1 and 1.0.2, as HotSpot and rjvm write them.
//!
//! [`Dump::open`] reads a file in two passes that keep no part of it: the first one notes classes, names, stacks, roots and which
//! objects there are, the second one their references. A compact graph stays in memory, about 40 bytes for an
//! object and 4 for a reference; [`Dominators`] adds as much again while it is computed. The graph answers the other questions:
//! why an object is alive ([`Dominators`], [`Paths`]), how much there is of each class ([`Histogram`]), where it was allocated
//! ([`sites`]), which classes and holders have grown between two dumps ([`class_growth`], [`holder_growth`]).
//!
//! A malformed file is an [`Error`] that says where it is wrong. No length in a file is believed before as many bytes
//! have been read.

#![forbid(unsafe_code)]

mod classes;
mod dominators;
mod edges;
mod error;
mod graph;
mod growth;
mod histogram;
mod input;
mod layout;
mod load;
mod objects;
mod paths;
mod records;
mod roots;
mod sites;
mod stacks;

pub use classes::{Class, Field, Type, Value, readable};
pub use dominators::Dominators;
pub use error::{Error, Problem};
pub use graph::{Dump, Holder, ObjectId};
pub use growth::{ClassGrowth, HolderGrowth, class_growth, holder_growth};
pub use histogram::{Histogram, Row, retained_set};
pub use input::Source;
pub use layout::Layout;
pub use paths::{Path, Paths, Step};
pub use records::{ALLOCATED, FRAME_SLOTS, LIFETIMES};
pub use roots::{Root, RootKind};
pub use sites::{Site, sites, traces};
pub use stacks::{Frame, Stack, Thread};
