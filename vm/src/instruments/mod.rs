//! Instruments: code of the host's that runs where the program comes to a *point*, and sees it there.
//!
//! An instrument is placed and removed while the program runs. Where it is an instruction has another handler, or a
//! method another entry, which reports the instrument and continues with the original one; everywhere else nothing is different.
//! It reads and cannot change anything: no bytecode, allocation, turn of a thread or count of the program changes because of it.
//!
//! `spec` describes an instrument, `shown` is the part of a VM that observers and filters see (`views` and `hit` have their
//! questions), `table` has all instruments, `place` puts them where they belong (`namers`: where
//! members are named), `open` pairs entries with exits, `notify` runs
//! the instruments of a point, `hit` and `objects` are an observer's view there, `fast` its view before that, `events`
//! are points that the VM reports as events, `every` those at certain numbers of bytecodes, `calls` counts who calls whom.

mod call_table;
mod calls;
mod events;
mod every;
mod fast;
mod hit;
mod ids;
mod kinds;
mod moment;
mod namers;
mod notify;
mod objects;
mod open;
mod opened;
mod place;
mod shown;
mod spec;
mod table;
mod views;

pub use call_table::Calls;
pub use ids::InstrumentId;
pub use kinds::{HitKind, StackFrame, Typed};
pub(crate) use moment::{HitMoment, HitSubject};
pub use objects::ObjectField;
pub use opened::Elapsed;
pub(crate) use opened::Open;
pub use place::Removed;
pub(crate) use shown::End;
pub use shown::{ClassView, FastEvent, FastOutcome, Hit, MemberView, MethodView};
pub use spec::{
    Action, ClassFilter, Members, MethodFilter, MonitorAction, Point, Reading, Spec, Timed,
};
pub(crate) use table::Instruments;
