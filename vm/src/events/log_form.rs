//! What a log has of what happens, and how its lines look.

use super::EventSet;

/// What a line begins with, each in brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decorator {
    /// Seconds since the VM was made, with three decimal places.
    Uptime,
    /// Milliseconds since then.
    UptimeMillis,
    /// Nanoseconds since then.
    UptimeNanos,
    /// The level.
    Level,
    /// The tags.
    Tags,
}

/// Where lines go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// The standard output.
    Out,
    /// The standard error.
    Err,
    /// A file, which is made again when the VM starts.
    File(String),
}

/// The subjects, the form and the target of a log. As data: the VM makes an observer of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Log {
    /// [`EventSet::CLASSES`] for `class+load`, [`EventSet::UNLOADING`] for `class+unload`, [`EventSet::COLLECTIONS`] for
    /// `gc`.
    pub events: EventSet,
    /// Where to.
    pub output: Output,
    /// How.
    pub decorators: Vec<Decorator>,
}

impl Log {
    /// With the decorators that HotSpot has by default.
    pub fn new(events: EventSet, output: Output) -> Log {
        Log {
            events,
            output,
            decorators: vec![Decorator::Uptime, Decorator::Level, Decorator::Tags],
        }
    }
}
