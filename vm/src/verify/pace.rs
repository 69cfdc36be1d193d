//! How much work an analysis may do before it looks around, and how much memory it may take.

use super::flow::FlowProgress;
use std::cell::{Cell, RefCell};

/// What inference says when the states take more memory than there is for them.
pub(super) const TOO_MUCH: &str = "takes too much memory";
/// What it says when it was stopped.
const STOPPED: &str = "stopped";

/// How much work may be done, and what became of that.
pub struct WorkBudget<'a> {
    /// Bytes that the states may take.
    pub memory: usize,
    /// Whether a request asks the VM to stop.
    pub requested: &'a dyn Fn() -> bool,
    /// Pieces of work to be done before that is looked at.
    pub patience: usize,
    done: Cell<usize>,
    stopped: Cell<bool>,
    /// How far data flow has come that was stopped, before and after.
    kept: RefCell<Option<Box<FlowProgress>>>,
}

impl<'a> WorkBudget<'a> {
    /// For work that may be stopped after so many pieces.
    pub fn new(memory: usize, requested: &'a dyn Fn() -> bool, patience: usize) -> WorkBudget<'a> {
        WorkBudget {
            memory,
            requested,
            patience,
            done: Cell::new(0),
            stopped: Cell::new(false),
            kept: RefCell::new(None),
        }
    }
    /// Work that was stopped continues from there.
    pub fn going_on(self, from: Option<Box<FlowProgress>>) -> WorkBudget<'a> {
        self.kept.replace(from);
        self
    }
    /// Keeps how far it has come.
    pub(super) fn keep(&self, reached: Box<FlowProgress>) {
        self.kept.replace(Some(reached));
    }
    /// How far it had come.
    pub fn take_kept(&self) -> Option<Box<FlowProgress>> {
        self.kept.take()
    }
    /// For work that cannot be stopped.
    pub fn unhurried() -> WorkBudget<'static> {
        WorkBudget::new(usize::MAX, &|| false, 0)
    }
    /// Before a piece of work: an error when it is to be stopped.
    pub fn look(&self) -> Result<(), String> {
        self.done.set(self.done.get() + 1);
        if self.done.get() > self.patience && (self.requested)() {
            self.stopped.set(true);
            return Err(STOPPED.into());
        }
        Ok(())
    }
    /// If it was stopped, how many pieces were done.
    pub fn stopped(&self) -> Option<usize> {
        self.stopped.get().then(|| self.done.get())
    }
    /// Whether an error says that there was too little memory.
    pub fn is_memory(error: &str) -> bool {
        error.starts_with(TOO_MUCH)
    }
}
