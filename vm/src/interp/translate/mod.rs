//! From bytecode to register code, one linear pass (JVMS 6; counting: potentials).
//!
//! The operand stack is simulated: loads and constants are only noted and folded into their users,
//! a result stays in the accumulator until something needs it in a slot, and then its producer is
//! patched. At labels, calls and wherever Java code may run, everything live is in slots and a
//! reference map is recorded.

mod buffers;
mod compact;
mod covers;
mod discard;
mod emit;
mod entries;
mod flow;
mod invoke;
mod listing;
mod locking;
mod objects;
mod ops;
mod patcher;
mod refused;
mod scan;
mod shape;
mod shapes;
mod site;
mod sites;
mod stops;
mod sub;
mod translated;
mod translator;
mod values;
mod watch;

pub use buffers::Buffers;
#[cfg(tier)]
pub(super) use entries::{CallAddress, CompiledEntry};
pub use listing::TranslationFault;
pub(super) use scan::{Scan, initial_locals};
pub(crate) use site::{Beginning, InstrumentSite, SiteReport, SiteStart, ValueSource};
pub use translated::{Breakpoint, Translated};
pub(super) use translated::{Position, Stepping};
pub(crate) use values::{LABEL_LAG, MARGIN};
