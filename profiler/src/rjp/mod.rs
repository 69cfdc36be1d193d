//! The native format (`.rjp`): everything a [`Profile`](crate::Profile) holds, in a compact binary file that is
//! written and read as a stream. `docs/profile-format.md` specifies it.
//!
//! A file is a header and a sequence of chunks with a running checksum (`chunks`); the chunks carry one stream of numbers and
//! strings (`write`, `read`). Nothing is reserved on the word of the file alone, so that a damaged one costs no more than its
//! length.

mod chunks;
mod error;
mod origins;
mod read;
mod write;

pub use error::RjpError;
pub use read::read;
pub use write::write;
pub(crate) use write::{ContextColumns, EncodedContexts, RjpHeader, RjpWriter};

/// The first bytes of a file. Like PNG's they show at once whether a transfer changed line ends or
/// the eighth bit.
pub const MAGIC: [u8; 8] = *b"\x89RJP\r\n\x1a\n";

/// The latest version. It and those before are read: version 1 knew no sources, version 2 no bytecodes of callees that are
/// not shown, version 3 no origins of methods.
pub const VERSION: u16 = 4;

/// The version for profiles that have no origins.
const WITHOUT_ORIGINS: u16 = 3;

/// The version for profiles that have neither these nor bytecodes of hidden callees.
const WITHOUT_CAUSED: u16 = 2;

/// Flags of a profile.
mod profile_flags {
    /// Counters are those of a sampler.
    pub const SAMPLES: u64 = 1;
    /// Contexts are separate by call site.
    pub const CALL_SITES: u64 = 2;
    /// How the profile came about is part of it.
    pub const ABOUT: u64 = 4;
}

/// Flags of a method.
mod method_flags {
    pub const NATIVE: u64 = 1;
    pub const HIDDEN: u64 = 2;
    pub const APP: u64 = 4;
    /// Its place in the sources is known (since version 2).
    pub const SOURCE: u64 = 8;
    /// Its name or its class's is a number, and where it comes from is known (since version 4).
    pub const ORIGIN: u64 = 16;
}

/// Flags of a thread.
mod thread_flags {
    pub const NAMED: u64 = 1;
    /// Nodes have allocations.
    pub const ALLOCATIONS: u64 = 2;
    /// Nodes have counts of single bytecodes.
    pub const COUNTS: u64 = 4;
    /// The number of nodes is not stored before them: a mark follows the last one.
    pub const MARKED: u64 = 8;
    /// Nodes have bytecodes of callees that are not shown (since version 3).
    pub const CAUSED: u64 = 16;
}
