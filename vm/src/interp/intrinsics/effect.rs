//! What an execution of a method counts.

use super::rounds::RoundEffects;
use super::sums::Sums;
use crate::ids::MethodId;
use hashbrown::HashMap;
use rjvm_profiler::cct::ContextNode;
use std::sync::{Arc, OnceLock};

/// A place with effects: an execution of a method or a round of a loop, in a context, with the value that decides its branches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct EffectPlace {
    pub method: MethodId,
    /// The loop, by what its instruction names; none: it ends at the method's return.
    pub round: Option<u32>,
    pub piece: Piece,
    /// The key.
    pub key: u64,
    /// Address of the context; 0: none are recorded.
    pub node: usize,
}

/// Which part of a method a place is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Piece {
    /// The method, or a round of its loop.
    Whole,
    /// From the method's entry to the first round of the loop.
    Begin,
    /// From the beginning of the last round of a loop on.
    End,
}

impl EffectPlace {
    /// A whole execution.
    pub fn whole(method: MethodId, key: u64, node: usize) -> EffectPlace {
        EffectPlace {
            method,
            round: None,
            piece: Piece::Whole,
            key,
            node,
        }
    }
    /// Whether it begins at the method's entry.
    pub fn is_from_entry(&self) -> bool {
        match self.piece {
            Piece::Whole => self.round.is_none(),
            Piece::Begin => true,
            Piece::End => false,
        }
    }
    /// Whether control that comes to a loop of the method, or to its return (none), is at the end of this, or has missed it.
    pub fn is_over(&self, round: Option<u32>) -> bool {
        self.round == round || self.piece == Piece::Whole || round.is_none()
    }
}

/// Places that are remembered; beyond that all begin again.
const MOST: usize = 8192;
/// Bytes of their effects, in the same way: one may have hundreds of thousands of looks.
const MOST_BYTES: usize = 4 << 20;
/// How far a look is from where it would be if all were as far from each other.
const NEAR: usize = 4;
/// Executions after which a place is learned no more, if its executions differ.
const TRIES: u8 = 16;

/// The counts to add to a context at or below the method's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    /// Address of the context.
    pub node: usize,
    pub invocations: u64,
    pub inclusive: i64,
    /// Slots of edges that were taken, and how often; and those of allocations.
    pub edges: Box<[(u32, u64)]>,
}

/// What an execution counts, from the method's entry up to and with its return; or a round of a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effect {
    /// Bytecodes.
    pub cost: i64,
    /// The ticks since the entry at each look at the limit, if they are more than at all looks before. The look at the
    /// return is not among them.
    pub looks: Box<[u32]>,
    /// Contexts in which something was counted. The return counts the bytecodes of the method itself.
    pub contexts: Box<[Counts]>,
    /// Byte offset of the return instruction in the translated code, or of the one at which rounds begin.
    pub leave: usize,
    /// Where that code begins.
    pub code: usize,
    pub turns: Turns,
}

impl Effect {
    /// Bytes that it takes.
    fn bytes(&self) -> usize {
        let edges = self.contexts.iter().map(|c| size_of_val(&*c.edges));
        let contexts = size_of_val(&*self.contexts) + edges.sum::<usize>();
        size_of::<Effect>() + size_of_val(&*self.looks) + contexts
    }
    /// Adds it to the contexts so many times.
    pub fn count(&self, times: u64) {
        for counts in &self.contexts {
            let node = counts.node as *mut ContextNode;
            // SAFETY: contexts live until they are dropped, and then all effects are ([`Effects::clear`]); a
            // context of a method has the slots that were read there.
            unsafe {
                (*node).invocations += counts.invocations * times;
                (*node).inclusive += counts.inclusive * times as i64;
                for &(slot, n) in &counts.edges {
                    *ContextNode::counter(node, slot) += n * times;
                }
            }
        }
    }
    /// The ticks since the entry at the first look at which they are at least so many.
    pub fn look_at(&self, ticks: i64) -> Option<i64> {
        Some(i64::from(self.looks[self.look(ticks)?]))
    }
    /// The number of that look.
    pub fn look(&self, ticks: i64) -> Option<usize> {
        let is_before = |&look: &u32| i64::from(look) < ticks;
        // looks are about as far from each other everywhere: most often it is near
        let looks = &*self.looks;
        let guess = (ticks.max(0) as usize).saturating_mul(looks.len()) / self.cost.max(1) as usize;
        let near = guess.saturating_sub(NEAR)..guess.saturating_add(NEAR).min(looks.len());
        let i = match looks.get(near.clone()) {
            Some([first, .., last]) if is_before(first) && !is_before(last) => {
                let before = looks[near.clone()].iter().take_while(|l| is_before(l));
                near.start + before.count()
            }
            _ => looks.partition_point(is_before),
        };
        (i < looks.len()).then_some(i)
    }
    /// For a slice of so many bytecodes that begins at each look of a round, where it ends if such rounds follow each other: how
    /// many rounds later, and at which look. None if that is known for slices of another length.
    pub fn turns(&self, slice: i64) -> Option<&[TurnEnd]> {
        let ends = self.turns.0.get_or_init(|| {
            let cost = self.cost.max(1);
            let end = |&look: &u32| {
                let end = i64::from(look) + slice;
                let rounds = (end - 1) / cost;
                let look = self.look(end - rounds * cost)?;
                Some((u32::try_from(rounds).ok()?, u32::try_from(look).ok()?))
            };
            (slice, self.looks.iter().map(end).collect())
        });
        (ends.0 == slice).then_some(&ends.1)
    }
}

/// Rounds, and the number of a look in the last one; none: it ends between the last look and the next round.
pub(super) type TurnEnd = Option<(u32, u32)>;

/// Where slices of one length end in rounds with an effect; they follow from the effect.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns(OnceLock<(i64, Box<[TurnEnd]>)>);

impl PartialEq for Turns {
    fn eq(&self, _: &Turns) -> bool {
        true
    }
}
impl Eq for Turns {}

/// Facts about a place.
struct PlaceFacts {
    effect: Arc<Effect>,
    /// Executions that were learned, and how many of the last ones had this effect.
    tries: u8,
    same: u8,
}

/// Advice for a place.
pub(super) enum Advice {
    /// To run the bytecodes.
    Leave,
    /// To run them and to see what they count.
    Learn,
    /// This is what they count.
    Known(Arc<Effect>),
}

/// Loops whose effects are at hand.
const AT_HAND: usize = 32;

/// The effects that are known, by place.
#[derive(Default)]
pub(super) struct Effects {
    known: HashMap<EffectPlace, PlaceFacts>,
    /// Some of them again, the loop last used at the end.
    #[expect(
        clippy::vec_box,
        reason = "each execution takes one out and puts it back"
    )]
    at_hand: Vec<Box<RoundEffects>>,
    /// Of the methods that count by tallies, which are few.
    sums: Vec<(MethodId, Sums)>,
    /// Bytes of effects that were added.
    bytes: usize,
}

impl Effects {
    /// Nothing is known.
    pub fn clear(&mut self) {
        self.known.clear();
        self.at_hand.clear();
        self.sums.clear();
        self.bytes = 0;
    }
    /// Takes out the effects of a loop's rounds that are at hand; [`Effects::put_back`] follows, unless everything is forgotten.
    pub fn take_out(&mut self, at: EffectPlace, code: usize) -> Box<RoundEffects> {
        let i = self.at_hand.iter().rposition(|r| r.is_at(at, code));
        match i {
            Some(i) => self.at_hand.swap_remove(i),
            None => Box::new(RoundEffects::new(at, code)),
        }
    }
    /// Has them at hand again.
    pub fn put_back(&mut self, rounds: Box<RoundEffects>) {
        if self.at_hand.len() >= AT_HAND {
            self.at_hand.remove(0);
        }
        self.at_hand.push(rounds);
    }
    /// What to do at a place, in the translated code that begins there.
    pub fn advice(&self, at: EffectPlace, code: usize) -> Advice {
        match self.known.get(&at) {
            Some(k) if k.same >= 2 && k.effect.code == code => Advice::Known(k.effect.clone()),
            Some(k) if k.tries >= TRIES => Advice::Leave,
            _ => Advice::Learn,
        }
    }
    /// The facts about a method that counts by tallies.
    pub fn sums(&mut self, method: MethodId) -> &mut Sums {
        let at = self.sums.iter().position(|s| s.0 == method);
        let at = at.unwrap_or_else(|| {
            self.sums.push((method, Sums::default()));
            self.sums.len() - 1
        });
        &mut self.sums[at].1
    }
    /// The same, if the method is one of them.
    pub fn find_sums(&mut self, method: MethodId) -> Option<&mut Sums> {
        let found = self.sums.iter_mut().find(|s| s.0 == method);
        found.map(|s| &mut s.1)
    }
    /// An execution had this effect; `None`: it is not to be learned.
    pub fn learned(&mut self, at: EffectPlace, effect: Option<Effect>) {
        if self.known.len() >= MOST || self.bytes >= MOST_BYTES {
            self.clear();
        }
        let known = self.known.entry(at).or_insert_with(|| PlaceFacts {
            effect: Arc::default(),
            tries: 0,
            same: 0,
        });
        known.tries += 1;
        match effect {
            Some(effect) if *known.effect == effect => known.same += 1,
            Some(effect) => {
                self.bytes += effect.bytes();
                (known.effect, known.same) = (Arc::new(effect), 1);
            }
            None => known.same = 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_found_wherever_they_are() {
        let even: Vec<u32> = (1..400).map(|i| i * 17 + i % 3).collect();
        let uneven: Vec<u32> = (1..400).map(|i| i * i).collect();
        for looks in [even, uneven, vec![], vec![5], vec![1, 2, 3, 90]] {
            let effect = Effect {
                cost: 7000,
                looks: looks.clone().into(),
                ..Effect::default()
            };
            for ticks in -2..7100 {
                let first = looks.iter().map(|&l| i64::from(l)).find(|&l| l >= ticks);
                assert_eq!(effect.look_at(ticks), first, "{ticks}");
            }
        }
    }

    #[test]
    fn slices_end_where_rounds_in_a_row_have_looks() {
        let effect = |looks: &[u32], cost| Effect {
            cost,
            looks: looks.into(),
            ..Effect::default()
        };
        for (looks, cost) in [(&[3, 40, 41, 99][..], 100), (&[1], 5), (&[7], 7), (&[], 9)] {
            for slice in [1, 4, 59, 100, 101, 999] {
                let effect = effect(looks, cost);
                let ends = effect.turns(slice).expect("the first length");
                assert_eq!(ends.len(), looks.len());
                let all = (0..2000).flat_map(|round| looks.iter().map(move |&l| (round, l)));
                let all: Vec<(i64, u32)> = all.collect();
                for (&look, end) in looks.iter().zip(ends) {
                    let ticks = |&(round, look): &(i64, u32)| round * cost + i64::from(look);
                    let after = i64::from(look) + slice;
                    let next = all.iter().find(|look| ticks(look) >= after);
                    // not if it is in a later round than the end of the slice
                    let next = next.filter(|n| n.0 == (after - 1) / cost);
                    let found = end.map(|(round, look)| (i64::from(round), looks[look as usize]));
                    assert_eq!(found, next.copied(), "{looks:?} {cost} {slice} {look}");
                }
                assert_eq!(effect.turns(slice + 1), None);
            }
        }
    }
}
