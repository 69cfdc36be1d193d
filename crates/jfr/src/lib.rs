//! JFR files (version 2.1, as of JDK 17), as the JDK's `jfr`, `jdk.jfr.consumer` and JDK Mission Control read them; knows no VM.
//!
//! A file is a sequence of chunks, each of which is alone: a header, events, a checkpoint with the constants that the events name by
//! number, and metadata that report the fields of each kind of event. A [`Chunk`] is built in memory and written when it is
//! full, so a recording of any length takes no more memory than one chunk. The same calls give the same bytes.
//!
//! The format's description is its readers (`jdk.jfr.internal.consumer.ChunkParser`, `jdk.jfr.internal.MetadataReader`).

#![forbid(unsafe_code)]

mod chunk;
mod classes;
mod events;
mod growing;
mod layouts;
mod leb;
mod metadata;
mod pools;
mod types;

pub use chunk::{Chunk, Clock, FULL};
pub use classes::{ClassDescription, LoaderDescription};
pub use events::{EVENTS, Event, Kind};
pub use growing::{GrowingChunk, STATE_AT, UPDATING, put_event};
pub use layouts::{Given, Layouts};
pub use leb::{long as put_long, text as put_text};
pub use pools::{ClassFacts, Frame, Id, MethodFacts, Numbers, Pool, ThreadFacts};
pub use types::{Content, Field, Type, Value};

/// Whether a file begins as a recording does.
pub fn is_recording(start: &[u8]) -> bool {
    start.starts_with(chunk::MAGIC)
}
