//! A step: where it began, and whether it has ended.

use super::filters::extension;
use super::strata::{line_in, mapped_lines};
use super::types::{Depth, Location, Size};
use rjvm_vm::debug::{StepAction, StepAt};
use rjvm_vm::instruments::InstrumentId;
use rjvm_vm::{MethodId, ThreadId, Vm};
use std::sync::Arc;

/// A step that a request asks for, from where the thread stood when it last went on.
pub(super) struct Step {
    pub thread: ThreadId,
    pub size: Size,
    pub depth: Depth,
    /// How high the frame is in which it began, and its line.
    pub height: usize,
    pub line: Option<u32>,
    /// The method whose lines were looked at last, and these, if a `SourceDebugExtension` maps them.
    pub lines: Option<(MethodId, Option<Vec<(u16, u32)>>)>,
    /// The stratum that the debugger has named.
    pub stratum: Option<Arc<str>>,
    /// That frame was one of a native method.
    pub native: bool,
    /// Frames at least so high have been left.
    pub left: bool,
    pub armed: bool,
    pub instrument: Option<InstrumentId>,
    /// The last place that the step came to. As on HotSpot, a step does not end where the last one ended: in a recursion, a call may
    /// return to the very bytecode by which its callee has returned.
    pub last: Option<(MethodId, u16)>,
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
            lines: None,
            stratum: None,
            native: false,
            left: false,
            armed: false,
            instrument: None,
            last: None,
        }
    }
    /// Whether a step that does not go into calls has ended before this bytecode.
    pub fn ends_over(&mut self, vm: &Vm, at: Location, height: usize) -> bool {
        if !self.armed || self.depth == Depth::Into {
            return false;
        }
        // what runs meanwhile is no place of the step
        let runs = height >= self.height && self.depth == Depth::Out;
        if height > self.height || runs {
            if !runs {
                self.last = None;
            }
            return false;
        }
        if self.repeats(at) {
            return false;
        }
        height < self.height || self.ends_here(vm, at)
    }
    /// The line that steps go by.
    pub fn line_at(&mut self, vm: &Vm, m: MethodId, bci: u16) -> Option<u32> {
        if self.lines.as_ref().is_none_or(|known| known.0 != m) {
            let map = extension(vm, vm.method(m).class);
            let code = vm.method(m).code();
            let both = map.as_ref().zip(code);
            let stratum = self.stratum.as_deref();
            let mapped = both.and_then(|(map, code)| mapped_lines(map, stratum, code.attr()));
            self.lines = Some((m, mapped));
        }
        match &self.lines {
            Some((_, Some(lines))) => line_in(lines, bci),
            _ => line_of(vm, m, bci).map(u32::from),
        }
    }
    /// Whether it comes to the same place again, from now on the last one.
    fn repeats(&mut self, at: Location) -> bool {
        let place = at.bci.map(|bci| (at.method, bci));
        std::mem::replace(&mut self.last, place) == place && place.is_some()
    }
    /// Whether it has, in the frame in which it began.
    fn ends_here(&mut self, vm: &Vm, at: Location) -> bool {
        let Some(bci) = at.bci else { return false };
        match self.size {
            Size::Bytecode => true,
            Size::Line if self.native => has_lines(vm, at.method),
            Size::Line => match self.line {
                Some(_) => self.line_at(vm, at.method, bci) != self.line,
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
        if self.repeats(here) {
            return StepAction::Follow;
        }
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
                self.line = self.line_at(vm, at.method, at.bci);
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
