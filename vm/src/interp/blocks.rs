//! Executions of each bytecode in each context, from the counts of taken edges.
//!
//! With [`ProfileMode::Blocks`] a taken branch counts in a slot of the context's node. Falling through is not counted: in code
//! order, a bytecode is executed as often as the one before it falls through to it, plus the branches to it. The innermost
//! loop's way back is not counted either: with the bytecodes executed in the context known, it is the one unknown that is left.
//! Exceptions, subroutine returns and frames that are still open leave the straight way rarely; they are stored in a table.

use super::fall_through::falls_through;
use super::translate::Translated;
pub use super::turns::FlowCounts;
use super::turns::{BranchCounts, BranchKind};
use super::walk::WalkFrame;
use crate::ids::{MethodId, ThreadId};
use crate::vm::{ProfileMode, Vm};
use hashbrown::HashMap;
use rjvm_profiler::cct::{ContextNode, Visit};
use std::cell::RefCell;

impl Vm {
    /// Whether executions of bytecodes are counted.
    pub(crate) fn counts_blocks(&self) -> bool {
        self.options.profile == ProfileMode::Blocks
    }
    /// Control takes a turn that no edge represents, at bytecode number `idx` of the method of `node`.
    pub(crate) fn note_turn(&mut self, node: *mut ContextNode, idx: u16, turn: BranchKind) {
        if self.counts_blocks() {
            *self
                .profile
                .flow
                .turns
                .entry((node as usize, idx, turn))
                .or_default() += 1;
        }
    }
    /// Notes where the frames of all threads are.
    pub(super) fn note_open_frames(&mut self) {
        if !self.counts_blocks() {
            return;
        }
        let mut open = BranchCounts::new();
        for t in 0..self.threads.len() as u32 {
            let mut top = true;
            self.each_frame(ThreadId(t), |_, w: WalkFrame| {
                // SAFETY: methods are loaded as long as they have frames.
                if let Some(m) = unsafe { w.method.as_ref() }
                    && let Some(p) = m.position(w.ip, w.exact)
                {
                    let (idx, turn) = match top && w.exact {
                        true => (p.first(), BranchKind::Before),
                        false => (p.number(), BranchKind::After),
                    };
                    *open.entry((w.node as usize, idx, turn)).or_default() += 1;
                }
                top = false;
                true
            });
        }
        self.profile.flow.open = open;
    }
    /// What reports how often bytecodes were executed so far. Open frames are to be flushed before.
    pub fn executions(&self) -> Executions<'_> {
        let mut turns: HashMap<usize, Vec<(u16, BranchKind, i64)>> = HashMap::new();
        for (&(node, idx, turn), &count) in self
            .profile
            .flow
            .turns
            .iter()
            .chain(&self.profile.flow.open)
        {
            let of_node = turns.entry(node).or_default();
            of_node.push((idx, turn, count as i64));
        }
        Executions {
            vm: self,
            turns,
            plans: RefCell::default(),
            room: RefCell::default(),
        }
    }
}

/// Reports how often bytecodes were executed in contexts. The needed facts of a method are found once.
pub struct Executions<'a> {
    vm: &'a Vm,
    /// By node.
    turns: HashMap<usize, Vec<(u16, BranchKind, i64)>>,
    /// By method, and whether each bytecode is for itself; `None`: it has no code.
    plans: RefCell<HashMap<(u32, bool), Option<BlockPlan>>>,
    /// Room to work in.
    room: RefCell<[Vec<i64>; 2]>,
}

impl Executions<'_> {
    /// Adds how often each bytecode of a context was executed: bytecode index and count, those of count 0 left out, by ascending
    /// index. Adds nothing unless the profile is one of blocks.
    pub fn add(&self, visit: &Visit, counts: &mut Vec<(u16, u64)>) {
        if !self.vm.counts_blocks() || visit.method == u32::MAX {
            return;
        }
        let turns = self.turns.get(&(visit.node as usize));
        let turns = turns.map_or(&[][..], Vec::as_slice);
        // Only turns lead to bytecodes that no edge leads to.
        let key = (visit.method, !turns.is_empty());
        let mut plans = self.plans.borrow_mut();
        let plan = plans.entry(key).or_insert_with(|| {
            let method = self.vm.loaded.methods.find(MethodId(key.0))?;
            let (x, code) = (method.translated()?, method.code()?);
            Some(BlockPlan::new(x, code.bytes(), key.1))
        });
        if let Some(plan) = plan {
            let [come, gone] = &mut *self.room.borrow_mut();
            plan.add(visit, turns, come, gone, counts);
        }
    }
}

/// How executions of a method's bytecodes follow from the counters of a node: bytecodes that are executed equally often are one run.
struct BlockPlan {
    /// Bytecode indices by number.
    indices: Vec<u16>,
    /// Numbers of the bytecodes after the runs.
    ends: Box<[u16]>,
    /// Does control go from the run's end to the next one?
    falls: Box<[bool]>,
    /// Slots, and the runs at whose end control leaves the straight way and at whose beginning it comes back to it, each time that is
    /// counted there.
    edges: Box<[(u32, u16, u16)]>,
    /// Bytecodes of a round of the loop that is not counted, and how often each run is executed in it.
    round: Option<(i64, Box<[i64]>)>,
}

impl BlockPlan {
    /// `fine`: each bytecode is a run.
    fn new(x: &Translated, code: &[u8], fine: bool) -> BlockPlan {
        let indices = x.bytecodes();
        // what an edge adds to: it comes from one bytecode and leads to another
        let both = |i: usize| {
            let e = &x.edges()[i];
            let branch = e.branch.map(|from| (from, e.target));
            e.before.into_iter().chain(branch)
        };
        let all = 0..x.edges().len();
        let falls = |number: u16| falls_through(code, indices[number as usize] as usize);
        let mut ends: Vec<u16> = match fine {
            true => (1..=indices.len() as u16).collect(),
            false => {
                let numbers = 0..indices.len() as u16;
                let turns = numbers.filter(|&n| !falls(n)).map(|n| n + 1);
                let edges = all.clone().flat_map(both);
                let edges = edges.flat_map(|(from, to)| [from + 1, to]);
                let last = indices.len() as u16;
                let ends = turns.chain(edges).chain([last]).filter(|&end| end > 0);
                ends.collect()
            }
        };
        ends.sort_unstable();
        ends.dedup();
        let run = |number: u16| ends.partition_point(|&end| end <= number) as u16;
        let of_runs = |i: usize| both(i).map(|(from, to)| (run(from), run(to)));
        let counted = all.clone().filter(|&i| !x.edges()[i].free);
        let edges = counted.flat_map(|i| of_runs(i).map(move |(from, to)| (i, from, to)));
        let edges = edges.map(|(i, from, to)| (x.edge_slot(i), from, to));
        let (mut come, mut gone) = (vec![0; ends.len()], vec![0; ends.len()]);
        for (from, to) in all.filter(|&i| x.edges()[i].free).flat_map(of_runs) {
            come[to as usize] += 1;
            gone[from as usize] += 1;
        }
        let falls = ends.iter().map(|&end| falls(end - 1)).collect();
        let mut plan = BlockPlan {
            indices,
            falls,
            edges: edges.collect(),
            round: None,
            ends: ends.into(),
        };
        if x.edges().iter().any(|e| e.free) {
            plan.flow(&mut come, &gone);
            plan.round = Some((plan.bytecodes(&come), come.into()));
        }
        plan
    }

    /// See [`Executions::add`]; `come` and `gone` are room to work in.
    fn add(
        &self,
        visit: &Visit,
        turns: &[(u16, BranchKind, i64)],
        come: &mut Vec<i64>,
        gone: &mut Vec<i64>,
        counts: &mut Vec<(u16, u64)>,
    ) {
        for room in [&mut *come, &mut *gone] {
            room.clear();
            room.resize(self.ends.len(), 0);
        }
        come[0] = visit.invocations as i64;
        for &(slot, from, to) in &self.edges {
            // SAFETY: a live node of this method, made with slots for its children and edges.
            let count = unsafe { *ContextNode::counter(visit.node.cast_mut(), slot).cast::<i64>() };
            come[to as usize] += count;
            gone[from as usize] += count;
        }
        for &(idx, turn, count) in turns {
            match turn {
                BranchKind::Enter => come[idx as usize] += count,
                BranchKind::Before => come[idx as usize] -= count,
                BranchKind::After => gone[idx as usize] += count,
            }
        }
        self.flow(come, gone);
        if let Some((round, runs)) = &self.round {
            let left = exclusive(visit) - self.bytecodes(come);
            debug_assert!(left % round == 0, "whole rounds");
            let rounds = left / round;
            for (count, run) in come.iter_mut().zip(runs) {
                *count += rounds * run;
            }
        }
        debug_assert_eq!(self.bytecodes(come), exclusive(visit), "all bytecodes");
        debug_assert!(come.iter().all(|&c| c >= 0), "nothing runs less than never");
        let mut begin = 0;
        for (&end, &count) in self.ends.iter().zip(&*come) {
            if count > 0 {
                let indices = &self.indices[begin..end as usize];
                counts.extend(indices.iter().map(|&index| (index, count as u64)));
            }
            begin = end as usize;
        }
    }

    /// Computes the executions of the runs, from the control that comes to them from elsewhere and does not continue to the next
    /// run.
    fn flow(&self, come: &mut [i64], gone: &[i64]) {
        let mut through = 0;
        for ((count, gone), &falls) in come.iter_mut().zip(gone).zip(&self.falls) {
            *count += through;
            through = if falls { *count - gone } else { 0 };
        }
    }

    /// The sum of executions.
    fn bytecodes(&self, counts: &[i64]) -> i64 {
        let mut begin = 0;
        let runs = self.ends.iter().zip(counts);
        runs.map(|(&end, count)| count * i64::from(end - std::mem::replace(&mut begin, end)))
            .sum()
    }
}

/// Bytecodes executed in a context itself.
fn exclusive(visit: &Visit) -> i64 {
    // SAFETY: the nodes of a visit and below it are live.
    unsafe {
        let mut exclusive = (*visit.node).inclusive;
        let mut child = ContextNode::first_child(visit.node);
        while !child.is_null() {
            exclusive -= (*child).inclusive;
            child = ContextNode::next_sibling(child);
        }
        exclusive
    }
}
