//! A part of a run that the command line asks for, and what the parts know of the run.

use super::config::Config;
use crate::messages;
use crate::run_error::RunError;
use rjvm_run::assembly::Assembly;
use rjvm_run::program::AtMain;
use rjvm_run::tape::Tape;
use rjvm_vm::Vm;
use rjvm_vm::boot::InstalledJdk;
use rjvm_vm::fault::contain;
use std::fmt::Display;

/// A part of a run that the command line asks for. Each step does nothing if it is not requested; `tools.rs` has the order.
pub trait Tool {
    /// What it makes, as messages name it: "the profile".
    fn name(&self) -> &'static str;
    /// Before there is a JDK: whether the options can be fulfilled, and the names of files.
    ///
    /// # Errors
    /// They cannot.
    fn prepare(&mut self, _config: &mut Config) -> Result<(), ToolFailure> {
        Ok(())
    }
    /// Before the VM is made: what it is made of.
    ///
    /// # Errors
    /// The tool cannot do its work with this JDK and these options.
    fn assemble(
        &mut self,
        _config: &Config,
        _library: &InstalledJdk,
        _assembly: &mut Assembly,
    ) -> Result<(), ToolFailure> {
        Ok(())
    }
    /// There is a VM, which has executed nothing yet.
    ///
    /// # Errors
    /// The tool cannot do its work.
    fn start(&mut self, _vm: &mut Vm, _run: &mut ProgramRun) -> Result<(), ToolFailure> {
        Ok(())
    }
    /// The program has ended. False if not all could be done; the reason is reported.
    fn finish(&mut self, _vm: &mut Vm, _run: &mut ProgramRun) -> bool {
        true
    }
}

/// A run, as its tools see it.
pub struct ProgramRun {
    /// The command line.
    pub config: Config,
    /// What the run has to do with recordings.
    pub tape: Tape,
    /// Of a replay: whether the recorded run waited for the signal that asks for snapshots.
    pub waited: Option<bool>,
    /// The action when `main` begins.
    pub at_main: Option<AtMain>,
    /// The exit code, once the program has ended.
    pub code: i32,
}

impl ProgramRun {
    /// Whether the run is recorded, or is a replay.
    pub fn is_taped(&self) -> bool {
        self.tape.is_replay() || self.config.record.is_some()
    }
}

/// Why a tool cannot do its work: for people.
#[derive(Debug)]
pub struct ToolFailure(String);

impl ToolFailure {
    /// An option cannot be fulfilled.
    pub fn of(option: &str, problem: &dyn Display) -> ToolFailure {
        ToolFailure(format!("{option}: {problem}"))
    }
}

impl From<String> for ToolFailure {
    fn from(text: String) -> ToolFailure {
        ToolFailure(text)
    }
}

impl From<RunError> for ToolFailure {
    fn from(e: RunError) -> ToolFailure {
        ToolFailure(e.to_string())
    }
}

impl Display for ToolFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Runs `f`, one of the last steps. A panic is reported by the name of what it leaves undone, and the other steps follow.
pub fn finished(name: &str, f: impl FnOnce() -> bool) -> bool {
    contain(f).unwrap_or_else(|panic| {
        messages::error(&format_args!("{name} could not finish: {panic}"));
        false
    })
}
