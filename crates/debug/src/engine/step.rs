//! A step: where it began, and whether it has ended.

use super::types::{Depth, Location, Size};
use rjvm_vm::debug::{StepAction, StepAt};
use rjvm_vm::instruments::InstrumentId;
use rjvm_vm::{MethodId, ThreadId, Vm};

/// A step that a request asks for, from where the thread stood when it last went on.
pub(super) struct Step {
    pub thread: ThreadId,
    pub size: Size,
    pub depth: Depth,
    /// How high the frame is in which it began, and its line.
    pub height: usize,
    pub line: Option<u16>,
    /// That frame was one of a native method.
    pub native: bool,
    /// Frames at least so high have been left.
    pub left: bool,
    pub armed: bool,
    pub instrument: Option<InstrumentId>,
}

/// The line of a bytecode; none if the class file has no table of lines.
pub(super) fn line_of(vm: &Vm, m: MethodId, bci: u16) -> Option<u16> {
    vm.method(m).code()?.attr().line_of(bci)
}

/// Whether a method has a table of lines.
fn has_lines(vm: &Vm, m: MethodId) -> bool {
    vm.method(m)
        .code()
        .is_some_and(|c| !c.attr().line_numbers.is_empty())
}

impl Step {
    pub fn new(thread: ThreadId, size: Size, depth: Depth) -> Step {
        Step {
            thread,
            size,
            depth,
            height: 0,
            line: None,
            native: false,
            left: false,
            armed: false,
            instrument: None,
        }
    }
    /// Whether a step that does not go into calls has ended before this bytecode.
    pub fn ends_over(&mut self, vm: &Vm, at: Location, height: usize) -> bool {
        if !self.armed || self.depth == Depth::Into || height > self.height {
            return false;
        }
        if height < self.height {
            return true;
        }
        self.depth == Depth::Over && self.ends_here(vm, at)
    }
    /// Whether it has, in the frame in which it began.
    fn ends_here(&self, vm: &Vm, at: Location) -> bool {
        let Some(bci) = at.bci else { return false };
        match self.size {
            Size::Bytecode => true,
            Size::Line if self.native => has_lines(vm, at.method),
            Size::Line => match self.line {
                Some(_) => line_of(vm, at.method, bci) != self.line,
                None => false,
            },
        }
    }
    /// The next action for a thread that is followed; `permitted`: the request's conditions permit the method's class.
    pub fn follow(&mut self, vm: &Vm, at: StepAt, permitted: bool) -> StepAction {
        let here = Location {
            method: at.method,
            bci: Some(at.bci),
        };
        self.left |= at.height < self.height;
        let ended = if self.size == Size::Bytecode || self.left {
            true
        } else if at.height > self.height {
            permitted && has_lines(vm, at.method)
        } else {
            self.ends_here(vm, here)
        };
        match ended {
            // one that comes to an end where nobody wants to know begins anew there
            true if !permitted => {
                self.height = at.height;
                self.line = line_of(vm, at.method, at.bci);
                (self.left, self.native) = (false, false);
                StepAction::Follow
            }
            true => {
                self.armed = false;
                StepAction::Stop
            }
            false => StepAction::Follow,
        }
    }
}
