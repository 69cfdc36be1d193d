//! The interpreter: translated register code, threaded by tail calls.
//!
//! `code` is the shape of instructions, `ops_*` are the handlers, `translate` makes the code from
//! bytecode, `slow*` is what handlers hand to the VM, `upcall` is continuations, `exceptions` is throwing and unwinding,
//! `run` is entering and leaving, `walk` is frames seen from outside.

pub mod blocks;
mod call_cache;
mod call_caches;
mod call_events;
mod call_kind;
pub mod code;
mod condition;
mod contain;
mod context;
mod contexts;
mod copies;
mod debugged;
mod debugging;
mod enter;
pub mod exceptions;
mod fall_through;
pub mod fingerprint;
pub mod frame;
pub(crate) mod handler;
pub(crate) mod held;
mod indy;
#[cfg(tier)]
mod inlining;
mod insn;
mod instruction;
mod instrumented;
mod intrinsics;
mod limit;
mod look;
mod lookback;
mod memory_point;
mod obsolete;
mod open_frames;
mod ops_arith;
mod ops_call;
mod ops_flow;
mod ops_mem;
mod ops_sync;
mod owner;
mod path_hash;
mod places;
mod points;
mod quicken;
mod replace;
mod run;
mod sample;
mod sampling;
mod slow;
mod slow_ops;
mod spot;
mod spots;
mod stack_samples;
mod stacks;
mod stubs;
mod switch;
mod table;
#[cfg(tier)]
mod tier;
mod tiers;
mod tiers_state;
mod top;
mod tracked;
mod translate;
mod trigger;
pub(crate) mod turns;
mod typed;
mod upcall;
mod visible_effect;
mod walk;
mod watch;
pub(crate) mod weigh;

pub(crate) use call_cache::CallCache;
pub use context::Context;
pub use contexts::TakeContexts;
pub(crate) use debugged::Debugged;
pub use debugged::{CallEnded, CallRequest, CannotPop};
pub use debugging::{Debugger, StepAction, StepAt};
pub(crate) use enter::uncompiled;
pub(crate) use frame::Cs;
pub use frame::{Frame, Hot, MhOffsets, Regs};
pub use handler::{Handler, TAIL_DISPATCH};
pub(crate) use held::HeldMemory;
pub(crate) use instruction::InsnTable;
pub(crate) use intrinsics::Intrinsics;
pub use intrinsics::{fold_crc32, unknown_bodies};
pub(crate) use memory_point::MemoryPoint;
pub(crate) use obsolete::Obsolete;
pub(crate) use open_frames::{FrameSlot, OpenFrame};
pub(crate) use places::StopPlaces;
pub use places::{StopPlace, StopPosition, StopReason};
pub use run::Outcome;
pub(crate) use run::{start_call, start_cont};
pub(crate) use sampling::GlobalClock;
pub use sampling::{Sample, SampleClock, ThreadSampling};
pub(crate) use spot::ThreadPosition;
pub(crate) use stacks::PendingSamples;
pub use stubs::Stubs;
pub use switch::NotSwitched;
pub(crate) use table::table as instructions;
pub(crate) use tiers_state::Tier;
pub use tiers_state::{
    Compilation, CompiledCode, CompiledListing, InterpretedMode, NotCompiled, OnCompilation, TIER,
    TierUse,
};
pub(crate) use top::EventFrame;
pub(crate) use translate::{Beginning, InstrumentSite, SiteReport, SiteStart, ValueSource};
pub use translate::{Breakpoint, Buffers, Translated, TranslationFault};
pub(crate) use walk::{each_frame_root, each_frame_slot};
pub use watch::OnStop;
