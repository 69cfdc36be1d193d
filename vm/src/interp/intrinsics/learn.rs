//! Seeing what an execution of an intrinsic's bytecodes counts.
//!
//! While a method is learned, each look at the limit finds it reached; so it is known where the looks are, and which
//! methods are called. That changes nothing else: a look at which nothing is due has no effect.

use super::effect::{Counts, Effect, EffectPlace, Turns};
use super::known;
use super::learning::{Counted, Learning};
use super::sums::Path;
use crate::classes::Method;
use crate::ids::MethodId;
use crate::interp::insn::leave;
use crate::interp::look::PollKind;
use crate::vm::Vm;
use hashbrown::HashMap;
use rjvm_profiler::cct::{ContextNode, Walk};

/// Other intrinsic methods that may be entered while one is learned, before that is abandoned: its thread may never
/// return.
const PATIENCE: u32 = 10_000;
/// Looks that are remembered of an execution; one with more is not learned.
const LOOKS: usize = 1 << 18;

impl Vm {
    /// The method of the top frame, which has just been entered, is learned, or a round of its loop that begins. Its Rust code
    /// allocates so many bytes.
    pub(super) fn learn(&mut self, at: EffectPlace, arrivals: u32, allocates: usize) {
        let r = *self.regs();
        self.code.intrinsics.learning = Some(Box::new(Learning {
            thread: self.cur,
            cs: r.cs as usize,
            at,
            ticks: r.ticks,
            looks: Vec::new(),
            before: self.counted_below(at.node),
            allocated: self.bytes_allocated_by(self.cur) + allocates as u64,
            known: self.is_reviewed(at.method),
            patience: PATIENCE,
            arrivals,
        }));
        self.set_limit();
    }
    /// Whether a method is being learned, so that others run their bytecodes. Asked where a method is entered (`round`: none), or
    /// where a round of a loop begins.
    pub(super) fn is_learning(&mut self, round: Option<u32>) -> bool {
        let (thread, cs) = (self.cur, self.regs().cs as usize);
        let Some(l) = &mut self.code.intrinsics.learning else {
            return false;
        };
        l.patience -= 1;
        // a round that is learned may come here several times, and a piece to other loops of its method
        let itself = cs == l.cs && round.is_some() && !(l.at.round != round && l.at.is_over(round));
        // stacks grow down: a frame that is not below it has come after it was left by an exception
        let left = l.thread == thread && cs >= l.cs && !itself;
        if l.patience == 0 || left {
            self.fail_to_learn();
            return false;
        }
        true
    }
    /// A run to learn from did not end, which counts as a try: no place is tried forever, because others wait meanwhile.
    fn fail_to_learn(&mut self) {
        if let Some(l) = self.code.intrinsics.learning.take() {
            self.add_learned(l.at, None);
            self.set_limit();
        }
    }
    /// Nothing is learned now.
    pub(super) fn stop_learning(&mut self) {
        if self.code.intrinsics.learning.take().is_some() && self.in_interpreter {
            self.set_limit();
        }
    }
    /// Whether the running thread is to look at the limit wherever it can.
    #[inline]
    pub(in crate::interp) fn looks_everywhere(&self) -> bool {
        let learning = self.code.intrinsics.learning.as_ref();
        learning.is_some_and(|l| l.thread == self.cur)
    }
    /// The limit is looked at.
    pub(in crate::interp) fn look_learned(&mut self, look: PollKind) {
        if !self.looks_everywhere() {
            return;
        }
        let r = *self.regs();
        let called = match look {
            // SAFETY: the frame of the callee is on top; methods are loaded as long as they have frames.
            PollKind::Call => unsafe { (*r.cs).method.as_ref() }.map(|m: &Method| m.id),
            _ => None,
        };
        let reviewed = called.is_none_or(|id| self.is_reviewed(id));
        let Some(l) = &mut self.code.intrinsics.learning else {
            return;
        };
        // it was left by an exception: control is above it, or a callee is in the place of a frame whose loop is learned
        let replaced = r.cs as usize == l.cs && !l.at.is_from_entry() && called.is_some();
        if r.cs as usize > l.cs || replaced {
            return self.fail_to_learn();
        }
        l.known &= reviewed;
        let ticks = u32::try_from(r.ticks - l.ticks).unwrap_or(0);
        if l.looks.last().is_none_or(|&last| last < ticks) {
            l.looks.push(ticks);
            if l.looks.len() > LOOKS {
                self.fail_to_learn();
            }
        }
    }
    /// A return is about to run.
    pub(in crate::interp) fn learned_at_return(&mut self) {
        if self.code.intrinsics.learning.is_none() {
            return;
        }
        // SAFETY: `ip` is a return; all layouts of returns have the ticks in one place.
        let rest = unsafe { leave::ticks.get(self.regs().ip) };
        self.learned(None, rest);
    }
    /// Control is at the return of a method, or where rounds of a loop begin: learning ends there. What comes
    /// next adds `rest` to the ticks.
    pub(super) fn learned(&mut self, round: Option<u32>, rest: i32) {
        let r = *self.regs();
        let here = (self.cur, r.cs as usize);
        let ends = |l: &mut Box<Learning>| {
            let arrives = (l.thread, l.cs) == here;
            l.arrivals -= u32::from(arrives && l.at.round == round);
            arrives && (l.arrivals == 0 || l.at.round != round && l.at.is_over(round))
        };
        let Some(l) = self.code.intrinsics.learning.take_if(ends) else {
            return;
        };
        if l.at.round == round {
            let effect = self.effect_of(&l, rest);
            self.add_learned(l.at, effect);
        }
        self.set_limit();
    }
    /// An execution had this effect; `None`: it is not to be learned.
    fn add_learned(&mut self, at: EffectPlace, effect: Option<Effect>) {
        let effects = &mut self.code.intrinsics.effects;
        let Some(sums) = effects.find_sums(at.method) else {
            return effects.learned(at, effect);
        };
        match effect {
            // SAFETY: null or the context of the frame that was learned; nobody changes links meanwhile.
            Some(effect) => sums.learned(at.node, &effect, &unsafe { paths_below(at.node) }),
            None => sums.failed(at.node),
        }
    }
    /// The counted effect; `None`: Rust code cannot do the same.
    fn effect_of(&mut self, l: &Learning, rest: i32) -> Option<Effect> {
        if !l.known || self.bytes_allocated_by(l.thread) != l.allocated {
            return None;
        }
        let r = *self.regs();
        let x = self.method(l.at.method).translated()?;
        let off = x.offset(r.ip)?;
        let code = x.start() as usize;
        let mut contexts = Vec::new();
        for (node, now) in self.counted_below(l.at.node) {
            let none = (0, 0, now.2.iter().map(|&(slot, _)| (slot, 0)).collect());
            let was = l.before.get(&node).unwrap_or(&none);
            let edges = now.2.iter().zip(&was.2);
            let edges = edges.map(|(n, w)| (n.0, n.1.wrapping_sub(w.1)));
            let counts = Counts {
                node,
                invocations: now.0 - was.0,
                inclusive: now.1 - was.1,
                edges: edges.filter(|e| e.1 != 0).collect(),
            };
            if counts.invocations != 0 || counts.inclusive != 0 || !counts.edges.is_empty() {
                contexts.push(counts);
            }
        }
        contexts.sort_unstable_by_key(|c| c.node);
        Some(Effect {
            cost: r.ticks + i64::from(rest) - l.ticks,
            looks: l.looks.clone().into(),
            contexts: contexts.into(),
            leave: off,
            code,
            turns: Turns::default(),
        })
    }
    /// What the context at that address and those below it have counted so far; nothing if there is none.
    fn counted_below(&self, node: usize) -> HashMap<usize, Counted> {
        let fixed = self.counts_blocks();
        let allocations = self.fixed_slots();
        // SAFETY: null or the context of the top frame; nobody changes links meanwhile.
        let walk = unsafe { Walk::new(node as *const ContextNode) };
        walk.map(|v| {
            let x = self.loaded.methods.find(MethodId(v.method));
            let x = x.filter(|_| fixed).and_then(|m| m.translated());
            let slots = x.into_iter().flat_map(|x| {
                let counted = (0..x.edges().len()).filter(|&i| !x.edges()[i].free);
                counted.map(|i| x.edge_slot(i))
            });
            let edges = (0..allocations).chain(slots).map(|slot| {
                // SAFETY: a live context has slots for allocations, if these are counted, and that of a translated method
                // one for each edge that is counted.
                (slot, unsafe {
                    *ContextNode::counter(v.node.cast_mut(), slot)
                })
            });
            (
                v.node as usize,
                (v.invocations, v.inclusive, edges.collect()),
            )
        })
        .collect()
    }
    /// Whether a method that is called has a body of which it is known what decides its branches.
    pub(super) fn is_reviewed(&mut self, id: MethodId) -> bool {
        if self.method(id).is_native() || self.code.intrinsics.reviewed.contains(&id) {
            return true;
        }
        let is = known::is_known(self, id);
        if is {
            self.code.intrinsics.reviewed.insert(id);
        }
        is
    }
}

/// The paths that lead from the context at that address to itself and those below it, by their addresses.
///
/// # Safety
/// The address is 0 or the address of a live context, and no code changes links meanwhile.
unsafe fn paths_below(node: usize) -> HashMap<usize, Path> {
    let mut path = Path::new();
    // SAFETY: by contract.
    let walk = unsafe { Walk::new(node as *const ContextNode) };
    walk.map(|v| {
        path.truncate(v.depth.saturating_sub(1));
        if v.depth > 0 {
            path.push((v.method, v.site));
        }
        (v.node as usize, path.clone())
    })
    .collect()
}
