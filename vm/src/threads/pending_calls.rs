//! Diagnostic commands and calls of the class library: what they are, and who waits for an answer.

use crate::ids::ThreadId;
use crate::jdk::{ClassName, JdkMethod};
use std::collections::VecDeque;

/// Something that a command takes.
#[derive(Clone, Copy, Debug)]
pub struct ParameterInfo {
    /// Its name; of an option with the dash.
    pub name: &'static str,
    /// A description, for people.
    pub about: &'static str,
    /// Its type, in HotSpot's words.
    pub kind: &'static str,
    /// Its value if it is not given.
    pub default: Option<&'static str>,
    /// It has to be given.
    pub mandatory: bool,
    /// It is an option, not an argument.
    pub option: bool,
}

/// A command.
#[derive(Clone, Debug)]
pub struct CommandInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, for people.
    pub about: &'static str,
    /// How much it disturbs the program.
    pub impact: &'static str,
    /// Class, name and action of the permission that a security manager asks for.
    pub permission: Option<[&'static str; 3]>,
    /// What it takes: the arguments in their order, then the options.
    pub parameters: Vec<ParameterInfo>,
}

/// A call of a static method of the class library's.
#[derive(Clone, Debug)]
pub struct LibraryCall {
    /// Its class.
    pub class: ClassName<false>,
    /// The method: of a string, of a string and a switch, or of nothing. Its answer is a string or bytes of UTF-8, or there is
    /// none.
    pub callee: JdkMethod,
    /// The string.
    pub arg: Option<String>,
    /// The switch behind it.
    pub switch: Option<bool>,
}

/// Commands and errands that are under way.
#[derive(Default)]
pub(crate) struct PendingRequests {
    /// Command lines of threads that wait for the answer.
    pub(super) lines: VecDeque<(ThreadId, String)>,
    pub(super) answers: Vec<(ThreadId, Result<String, String>)>,
    pub(super) thread: Option<ThreadId>,
}
