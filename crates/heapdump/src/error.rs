//! What can be wrong with a dump.

use std::io;

/// Why a dump cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is not what it should be.
    #[error("{problem} at byte {at}")]
    Malformed {
        /// Where in the file.
        at: u64,
        /// The problem there.
        problem: Problem,
    },
}

/// The problem at a place in a dump.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file does not begin with the format's name.
    #[error("not a heap dump (JAVA PROFILE 1.0.1 or 1.0.2)")]
    NotADump,
    /// References have an unknown width.
    #[error("references of {0} bytes")]
    IdWidth(u32),
    /// The file or a record ends too early.
    #[error("{what} ends too early")]
    Truncated {
        /// The part that was being read.
        what: &'static str,
    },
    /// An unknown record inside a heap dump.
    #[error("unknown record {0:#04x} in a heap dump")]
    SubRecord(u8),
    /// A number that is not a type.
    #[error("unknown type {0}")]
    Type(u8),
    /// An object of a class that is not in the dump.
    #[error("object {object:#x} of class {class:#x}, which is not in the dump")]
    NoClass {
        /// The object.
        object: u64,
        /// Its class.
        class: u64,
    },
    /// An object's fields need more bytes than it has.
    #[error("object {0:#x} is shorter than its class")]
    ShortObject(u64),
    /// A class that is its own super class, or has a thousand of them.
    #[error("the superclasses of class {0:#x} form a cycle")]
    Circular(u64),
    /// Two objects at one address.
    #[error("object {0:#x} occurs twice")]
    Twice(u64),
    /// More than numbers of 32 bits can count.
    #[error("there are more than {0}")]
    TooMany(&'static str),
    /// The file ends between two segments of its heap.
    #[error(
        "the dump is incomplete: its heap has no end, because its writer was stopped (a full disk, a killed VM)"
    )]
    Cut,
    /// There are no objects.
    #[error("there is no heap in the dump")]
    NoHeap,
}
