//! The interpreter: translated register code, threaded by tail calls.
//!
//! `code` is the shape of instructions, `ops_*` are the handlers, `translate` makes the code from
//! bytecode, `slow*` is what handlers hand to the VM, `upcall` is continuations, `exceptions` is throwing and unwinding,
//! `run` is entering and leaving, `walk` is frames seen from outside.

pub mod blocks;
mod call_cache;
mod calls_told;
pub mod code;
mod contain;
mod context;
mod contexts;
mod copies;
pub mod exceptions;
pub mod fingerprint;
pub mod frame;
pub(crate) mod held;
mod indy;
mod insn;
mod instrumented;
mod intrinsics;
mod limit;
mod lookback;
mod open_frames;
mod ops_arith;
mod ops_call;
mod ops_flow;
mod ops_mem;
mod ops_sync;
mod points;
mod quicken;
mod replace;
mod run;
mod sample;
mod slow;
mod slow_ops;
mod spot;
mod stacks;
mod switch;
mod table;
mod told;
mod tracked;
mod translate;
mod trigger;
mod typed;
mod upcall;
mod walk;
mod watch;

pub(crate) use call_cache::CallCache;
pub use code::{Handler, TAIL_DISPATCH};
pub use context::Context;
pub use contexts::TakeContexts;
pub(crate) use frame::Cs;
pub use frame::{Frame, Hot, MhOffsets, Regs};
pub(crate) use held::Held;
pub(crate) use instrumented::Top;
pub(crate) use intrinsics::Intrinsics;
pub(crate) use open_frames::{OpenFrame, Slot};
pub(crate) use points::MemoryPoint;
pub(crate) use replace::Obsolete;
pub use run::{Outcome, Stubs};
pub(crate) use run::{start_call, start_cont};
pub(crate) use sample::GlobalClock;
pub use sample::{Sample, SampleClock, ThreadSampling};
pub(crate) use spot::Spot;
pub(crate) use stacks::Waiting;
pub use switch::NotSwitched;
pub(crate) use table::Table;
pub(crate) use table::table as instructions;
pub(crate) use translate::{Beginning, Begins, Site, Source, Told};
pub use translate::{Breakpoint, Buffers, Translated};
pub(crate) use walk::{each_frame_root, each_frame_slot};
pub(crate) use watch::Watching;
pub use watch::{At, OnStop, Place, Reached};
