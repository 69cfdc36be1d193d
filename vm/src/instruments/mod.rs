//! Instruments: code of the host's that runs where the program comes to a *point*, and sees it there.
//!
//! An instrument is placed and removed while the program runs. Where it stands an instruction has another handler, or a
//! method another entry, which tells the instrument and goes on with its own; everywhere else nothing is different. It
//! reads and can't change anything: no bytecode, allocation, turn of a thread or count of the program's is another one
//! because of it.
//!
//! `spec` is what an instrument is about, `views` are classes and methods as its filters see them, `table` is which
//! instruments there are, `place` puts them where they belong, `open` pairs entries with exits, `tell` is what happens at
//! a point, `audience` is who may be told by many, `hit` and `objects` are what a listener sees there, `events` are points that the VM tells as events,
//! `every` those at certain numbers of bytecodes, `calls` counts who calls whom.

mod audience;
mod calls;
mod events;
mod every;
mod glance;
mod hit;
mod objects;
mod open;
mod place;
mod spec;
mod table;
mod tell;
mod views;

pub use audience::{Audience, AudienceId, Glanced};
pub use calls::Calls;
pub(crate) use glance::End;
pub use glance::Glance;
pub use hit::{Frame, Hit, Kind, Typed};
pub use objects::Field;
pub use open::Elapsed;
pub(crate) use open::Open;
pub use place::Removed;
pub use spec::{Action, Classes, Listener, Members, Methods, Monitor, Point, Reading, Spec, Timed};
pub use table::InstrumentId;
pub(crate) use table::Instruments;
pub(crate) use tell::{Moment, Subject};
pub use views::{ClassView, MemberView, MethodView};
