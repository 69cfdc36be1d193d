//! The bytecodes that a call has executed.

use super::data::{Flow, FlowStart};
use super::flow::Walker;
use rjvm_classfile::opcodes;
use rjvm_vm::{MethodId, Vm};
use std::collections::VecDeque;

/// How many of the last ones are stored.
const MOST: usize = 1 << 16;

/// Position and index of each.
#[derive(Default)]
pub struct ExecutedPath {
    method: Option<MethodId>,
    path: VecDeque<(i64, u16)>,
}

impl ExecutedPath {
    /// Another call begins.
    pub fn begin(&mut self) {
        self.path.clear();
    }
    /// A bytecode comes next.
    pub fn add(&mut self, method: MethodId, position: i64, index: u16) {
        self.method = Some(method);
        if self.path.len() >= MOST {
            self.path.pop_front();
        }
        self.path.push_back((position, index));
    }
    /// Where an operand comes from.
    pub fn flow(&self, vm: &Vm, start: FlowStart) -> Flow {
        let Some(method) = self.method.map(|m| vm.method(m)) else {
            return Flow::Unfinished;
        };
        let Some(code) = method.code() else {
            return Flow::Unfinished;
        };
        let path: Vec<(i64, u16)> = self.path.iter().copied().collect();
        let insns = opcodes::insns(code.bytes()).flatten();
        let walker = Walker {
            class: code.cf,
            attr: code.attr(),
            is_static: method.is_static(),
            path: &path,
            insns: insns.map(|insn| (insn.pc as u16, insn)).collect(),
            local: &|slot, index| code.local_variable(slot, index).map(|l| l.0),
        };
        walker.flow(start)
    }
}
