//! What a log has of what happens, and how its lines look.

use super::EventSet;
use super::observer_id::ObserverId;

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
    /// Whether the selection includes lines with more tags than these (`class+load*`). There are none, but since JDK 24 the
    /// management interface only then calls the loading of classes verbose.
    pub more_tags: bool,
}

impl Log {
    /// With the decorators that HotSpot has by default.
    pub fn new(events: EventSet, output: Output) -> Log {
        Log {
            events,
            output,
            decorators: vec![Decorator::Uptime, Decorator::Level, Decorator::Tags],
            more_tags: false,
        }
    }
}

/// The logs that `-verbose`, `-Xlog` and the management interface ask for.
#[derive(Default)]
pub(crate) struct Verbosity {
    pub(super) collections: Logged,
    pub(super) classes: Logged,
    /// Whether the log of classes on the standard output has all lines whose tags include `class` and `load`.
    pub(super) classes_with_more_tags: bool,
}

/// The logs of a subject.
#[derive(Default)]
pub(super) struct Logged {
    /// The last one on the standard output, which the management interface can end.
    pub(super) standard: Option<ObserverId>,
    pub(super) elsewhere: bool,
}

impl Logged {
    pub(super) fn logged(&self) -> bool {
        self.standard.is_some() || self.elsewhere
    }
}
