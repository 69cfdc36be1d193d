//! Executions of each bytecode in each context, from the counts of taken edges.
//!
//! With [`ProfileMode::Blocks`] a taken branch counts in a slot of the context's node. What falls
//! through is not counted: in code order, a bytecode is executed as often as the one before it falls
//! through to it, plus what branches to it. The innermost loop's way back is not counted either: with
//! the bytecodes executed in the context known, it is the one unknown that is left. Exceptions, subroutine returns and frames that are still
//! open leave the straight way rarely; they are kept in a table.

use super::translate::Translated;
use super::walk::WalkFrame;
use crate::ids::{MethodId, ThreadId};
use crate::vm::{ProfileMode, Vm};
use hashbrown::HashMap;
use rjvm_classfile::opcodes as o;
use rjvm_profiler::cct::{Node, Visit};

/// How control leaves the straight way at a bytecode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Turn {
    /// It came from elsewhere than the bytecode before.
    Enter,
    /// It did not come here from the bytecode before, or from where the edges say.
    Before,
    /// It did not go on to the next one.
    After,
}

/// Turns by node, bytecode number and kind.
type Turns = HashMap<(usize, u16, Turn), u64>;

/// What the counters of edges do not say.
#[derive(Default)]
pub struct Flow {
    turns: Turns,
    /// Of frames that were open when they were last looked at.
    open: Turns,
}

impl Flow {
    /// Forgets the turns of contexts that are there no more.
    pub(super) fn forget_contexts(&mut self, live: impl Fn(*const Node) -> bool) {
        self.turns.retain(|turn, _| live(turn.0 as *const Node));
        self.open.retain(|turn, _| live(turn.0 as *const Node));
    }
}

impl Vm {
    /// Whether executions of bytecodes are counted.
    pub(crate) fn counts_blocks(&self) -> bool {
        self.options.profile == ProfileMode::Blocks
    }
    /// Control takes a turn that no edge stands for, at bytecode number `idx` of the method of `node`.
    pub(crate) fn note_turn(&mut self, node: *mut Node, idx: u16, turn: Turn) {
        if self.counts_blocks() {
            *self
                .flow
                .turns
                .entry((node as usize, idx, turn))
                .or_default() += 1;
        }
    }
    /// Notes where the frames of all threads stand.
    pub(super) fn note_open_frames(&mut self) {
        if !self.counts_blocks() {
            return;
        }
        let mut open = Turns::new();
        for t in 0..self.threads.len() as u32 {
            let mut top = true;
            self.each_frame(ThreadId(t), |_, w: WalkFrame| {
                // SAFETY: methods are loaded as long as they have frames.
                if let Some(m) = unsafe { w.method.as_ref() }
                    && let Some(p) = m.position(w.ip, w.exact)
                {
                    let (idx, turn) = match top && w.exact {
                        true => (p.first(), Turn::Before),
                        false => (p.number(), Turn::After),
                    };
                    *open.entry((w.node as usize, idx, turn)).or_default() += 1;
                }
                top = false;
                true
            });
        }
        self.flow.open = open;
    }
    /// How often each bytecode of a context was executed: bytecode index and count, those of count 0
    /// left out. Empty unless the profile is one of blocks. Open frames are to be flushed before.
    pub fn bytecode_counts(&self, visit: &Visit) -> Vec<(u16, u64)> {
        if !self.counts_blocks() || visit.method == u32::MAX {
            return Vec::new();
        }
        let Some(m) = self.methods.find(MethodId(visit.method)) else {
            return Vec::new();
        };
        let (Some(x), Some(code)) = (m.translated(), &m.code) else {
            return Vec::new();
        };
        let node = visit.node;
        let code = &code.attr().code;
        // SAFETY: a live node of this method, made with slots for its children and edges.
        let (counter, exclusive) = unsafe {
            let mut exclusive = (*node).inclusive;
            let mut child = Node::first_child(node);
            while !child.is_null() {
                exclusive -= (*child).inclusive;
                child = Node::next_sibling(child);
            }
            let counter = |slot: u32| *Node::counter(node.cast_mut(), slot).cast::<i64>();
            (counter, exclusive)
        };
        let flow = |free: i64| {
            let known = |i: usize| counter(x.edge_slot(i));
            self.flow_of(x, code, node as usize, visit.invocations, |i| {
                if x.edges()[i].free { free } else { known(i) }
            })
        };
        let mut counts = flow(0);
        if x.edges().iter().any(|e| e.free) {
            let sum = |counts: &[i64]| counts.iter().sum::<i64>();
            let least = sum(&counts);
            let round = sum(&flow(1)) - least;
            debug_assert!((exclusive - least) % round == 0, "whole rounds");
            counts = flow((exclusive - least) / round);
        }
        debug_assert_eq!(counts.iter().sum::<i64>(), exclusive, "all bytecodes");
        debug_assert!(
            counts.iter().all(|&c| c >= 0),
            "nothing runs less than never"
        );
        let executed = x.bytecodes().iter().zip(counts).filter(|c| c.1 > 0);
        executed.map(|(&bci, count)| (bci, count as u64)).collect()
    }
    fn flow_of(
        &self,
        x: &Translated,
        code: &[u8],
        node: usize,
        invocations: u64,
        counter: impl Fn(usize) -> i64,
    ) -> Vec<i64> {
        let n = x.bytecodes().len();
        // what comes to a bytecode from elsewhere, and what does not go on to the next
        let (mut come, mut gone) = (vec![0i64; n + 1], vec![0i64; n + 1]);
        come[0] = invocations as i64;
        for (i, e) in x.edges().iter().enumerate() {
            let count = counter(i);
            if let Some((from, to)) = e.before {
                come[to as usize] += count;
                gone[from as usize] += count;
            }
            if let Some(from) = e.branch {
                come[e.target as usize] += count;
                gone[from as usize] += count;
            }
        }
        for turns in [&self.flow.turns, &self.flow.open] {
            for i in (0..n as u16).filter(|_| !turns.is_empty()) {
                let at = |turn| turns.get(&(node, i, turn)).map_or(0, |&c| c as i64);
                come[i as usize] += at(Turn::Enter) - at(Turn::Before);
                gone[i as usize] += at(Turn::After);
            }
        }
        let mut through = 0;
        let count = |(i, gone): (usize, &i64)| {
            let count = through + come[i];
            through = match falls_through(code, x.bytecodes()[i] as usize) {
                true => count - gone,
                false => 0,
            };
            count
        };
        gone[..n].iter().enumerate().map(count).collect()
    }
}

/// Whether control can go from the bytecode at `pc` to the next one.
pub(super) fn falls_through(code: &[u8], pc: usize) -> bool {
    let op = code[pc];
    !(matches!(
        op,
        o::GOTO
            | o::GOTO_W
            | o::JSR
            | o::JSR_W
            | o::RET
            | o::TABLESWITCH
            | o::LOOKUPSWITCH
            | o::IRETURN..=o::RETURN | o::ATHROW
    ) || op == o::WIDE && code.get(pc + 1) == Some(&o::RET))
}
