//! What answers to requests need to know, who asks, and what comes of it.

use crate::launcher::config::Config;
use crate::launcher::event_log::EventLogSlot;
use crate::launcher::probes::ProbeRegistry as Probes;
use rjvm_profiler::Profile;
use rjvm_vm::threads::pending_requests::LibraryCall;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What answers need to know beside the VM.
pub struct CommandContext {
    /// The command line.
    pub config: Config,
    /// The profile as it was at a marked moment.
    pub marked: Option<Profile>,
    /// Who gives the command that is carried out.
    pub asker: CommandSource,
    /// The log of events.
    pub events: EventLogSlot,
    /// The probes.
    pub probes: Probes,
}

/// The same for those who ask from outside and from inside.
#[derive(Clone)]
pub struct SharedContext(Arc<Mutex<CommandContext>>);

impl SharedContext {
    /// The contents, for a moment.
    pub fn lock(&self) -> MutexGuard<'_, CommandContext> {
        // what it protects is whole at any time
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Who gives a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CommandSource {
    /// One of the JDK's tools.
    Tool,
    /// The program itself. It sees what only rjvm has where the run is not one that is to be the same again: in a replay, for one,
    /// results differ from the recorded run's.
    Program {
        /// Whether it is so.
        repeatable: bool,
    },
}

/// What comes of a command.
pub enum CommandOutcome {
    /// Its answer.
    Text(String),
    /// The last of these calls has the answer.
    Calls(Vec<LibraryCall>),
    /// The agent in this file is loaded with these options.
    Agent(String, Option<String>),
}

/// What an operation answers.
pub struct OperationResult {
    /// 0: success.
    pub code: i32,
    /// What follows.
    pub text: String,
}

impl SharedContext {
    /// Shares it.
    pub fn new(known: CommandContext) -> SharedContext {
        SharedContext(Arc::new(Mutex::new(known)))
    }
}
