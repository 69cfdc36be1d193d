//! Methods of the JDK that run as Rust code, and count what their bytecodes would have counted.
//!
//! A method of the [table](table::INTRINSICS) is entered by a stub. The stub looks up what an execution with such arguments
//! in this context counts (`effect`); that is learned by running the bytecodes twice (`learn`). If nothing observable falls into
//! the execution, Rust code does the work, the counts are added to the contexts, and control continues at the method's own return
//! instruction. In all other cases the bytecodes run.
//!
//! Why the counts are right: which bytecodes the method executes depends on its *key* alone, as long as it and all methods
//! below it have bodies that are known (`known`). The data it works on decides no branch.
//! Observable are: a sample, a stop, the end of the fuel, another thread's turn, an instrument, an exception. The
//! end of a slice at which no other thread wants a turn only sets when the next slice ends, and that is done here too.

mod armed;
mod arrays;
mod base64;
mod ciphers;
mod derivation;
mod digests;
mod effect;
mod entered;
mod hashing;
mod known;
mod learn;
mod learning;
mod loops;
mod machine;
mod modes;
mod montgomery;
mod names;
mod numbers;
mod passing;
mod pieces;
mod polynomials;
mod products;
mod quick_sums;
mod roots;
mod rounds;
mod streams;
mod sums;
mod table;

pub(crate) use armed::Intrinsics;
pub use known::unknown_bodies;

/// A block and the rest of `bytes`: these have the same CRC-32 after 0 as all of them have after `sum`, which is not inverted. None if
/// the processor has no instructions for it, or there are few bytes.
pub fn fold_crc32(sum: u32, bytes: &[u8]) -> Option<([u8; 64], &[u8])> {
    machine::fold(&machine::CRC32, sum, bytes)
}
