//! Why a diagnostic command, or an operation of the attach protocol, is refused.

use crate::file_error::FileError;
use crate::invalid::InvalidValue;
use crate::launcher::event_log::EventsError;
use crate::launcher::jfr::RecordingError;
use crate::launcher::option::OptionProblem;
use crate::launcher::probes::ProbeError;
use rjvm_jdk_stubs::com_sun_management::flag::NotSet;
use rjvm_profiler::TreeError;
use rjvm_profiler::export::ExportError;
use rjvm_vm::interp::NotSwitched;
use thiserror::Error;

/// Why a command line does not fit its command, in HotSpot's words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandLineError {
    /// A quote is open.
    #[error("Format error in diagnostic command arguments")]
    Format,
    /// The command takes nothing.
    #[error("The argument list of this diagnostic command should be empty.")]
    NotEmpty,
    /// It does not take this.
    #[error("Unknown argument '{0}' in diagnostic command.")]
    Unknown(String),
    /// This is missing.
    #[error("The argument '{0}' is mandatory.")]
    Missing(&'static str),
    /// The value of a parameter is not of its kind: the kind, the parameter, the value.
    #[error("{0} parsing error in command argument '{1}'. Could not parse: {2}.\n")]
    Value(&'static str, &'static str, String),
}

/// Why a command does nothing.
#[derive(Debug, Error)]
pub enum CommandError {
    /// There is no such command.
    #[error("Unknown diagnostic command")]
    Unknown,
    #[error(transparent)]
    Line(#[from] CommandLineError),
    /// It does not fit what the VM is doing.
    #[error("{0}")]
    Unfit(&'static str),
    /// The value of a parameter.
    #[error(transparent)]
    Value(#[from] InvalidValue),
    /// The same: the value, and why it is refused.
    #[error("{0}: {1}")]
    ValueOf(String, InvalidValue),
    /// An option of the profile.
    #[error("{}", .0.text())]
    Option(OptionProblem),
    /// The format of a profile.
    #[error(transparent)]
    Format(#[from] ExportError),
    /// Files of a profile cannot be written, for these reasons.
    #[error("{}", .0.join("; "))]
    NotWritten(Vec<String>),
    #[error(transparent)]
    Recording(#[from] RecordingError),
    #[error(transparent)]
    Probe(#[from] ProbeError),
    #[error(transparent)]
    Events(#[from] EventsError),
    #[error("{0}")]
    NotSwitched(NotSwitched),
    /// The profile so far is not one.
    #[error(transparent)]
    Profile(#[from] TreeError),
}

impl From<OptionProblem> for CommandError {
    fn from(e: OptionProblem) -> CommandError {
        CommandError::Option(e)
    }
}

impl From<NotSwitched> for CommandError {
    fn from(e: NotSwitched) -> CommandError {
        CommandError::NotSwitched(e)
    }
}

/// Why an operation of the attach protocol does nothing, in HotSpot's words.
#[derive(Debug, Error)]
pub enum OperationError {
    /// There is no such operation.
    #[error("Operation {0} not recognized!")]
    Unknown(String),
    /// There are too few arguments.
    #[error("")]
    Arguments,
    /// A dump has no file.
    #[error("No dump file specified\n")]
    NoFile,
    #[error("{0}\n")]
    Level(#[from] NoLevel),
    /// A word about the reachable objects.
    #[error("Invalid argument to inspectheap operation: {0}\n")]
    Live(String),
    #[error("Failed to allocate file: {0}\n")]
    File(#[from] FileError),
    /// The flag that is to be shown.
    #[error("no such flag '{0}'\n")]
    NoFlag(String),
    /// Why a flag is not set to a value.
    #[error("{}\n", not_set(*.0, .1, .2))]
    NotSet(NotSet, String, String),
    /// Agents may only be loaded at the start.
    #[error(
        "Dynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch target VM.\n"
    )]
    NoAgents,
    /// An agent in a library.
    #[error("{0} was not loaded.\nNative agents are not supported\n")]
    Native(String),
    #[error("java.lang.IllegalArgumentException: {0}\n")]
    Command(#[from] CommandError),
    /// Java code has thrown an exception.
    #[error("{0}\n")]
    Thrown(String),
}

fn not_set(why: NotSet, name: &str, value: &str) -> String {
    match why {
        NotSet::Unknown => format!("flag {name} does not exist"),
        NotSet::Fixed => format!("flag '{name}' cannot be changed"),
        NotSet::Type => format!("flag '{name}' does not accept the value '{value}'"),
    }
}

/// Why a text is no level of compression, in HotSpot's words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoLevel {
    /// It is no number.
    #[error("Invalid compress level: [{0}]")]
    Number(String),
    /// It is another one.
    #[error("Compression level out of range (1-9): {0}")]
    Range(i64),
}
