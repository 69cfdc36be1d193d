//! What rounds of a loop count.

use super::effect::{Counts, Effect, EffectPlace, Piece};
use rjvm_profiler::cct::ContextNode;
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The highest key of a round whose effect is at hand.
const HIGHEST: u64 = 1023;
/// The ends of a method whose effects are at hand.
const ENDS: usize = 8;

/// The effects of rounds of a loop in a context, by their keys, and how often each one is to be counted.
pub(super) struct RoundEffects {
    /// The loop and the context; the key is 0.
    at: EffectPlace,
    code: usize,
    by_key: Vec<Option<Arc<Effect>>>,
    times: Vec<u64>,
    /// Keys of which there is something to count.
    counted: Vec<u32>,
    plane: Plane,
    /// Effects of the pieces before and after the rounds, by kind and key.
    ends: SmallVec<[(Piece, u64, Arc<Effect>); ENDS]>,
}

impl RoundEffects {
    pub fn new(at: EffectPlace, code: usize) -> RoundEffects {
        RoundEffects {
            at,
            code,
            by_key: Vec::new(),
            times: Vec::new(),
            counted: Vec::new(),
            plane: Plane::Unknown,
            ends: SmallVec::new(),
        }
    }
    /// Whether they are those of that loop and context, in the translated code that begins there.
    pub fn is_at(&self, at: EffectPlace, code: usize) -> bool {
        self.at == at && self.code == code
    }
    /// The effect of a round with that key, if it is at hand.
    #[inline]
    pub fn effect(&self, key: u64) -> Option<&Effect> {
        self.by_key.get(key as usize)?.as_deref()
    }
    /// That is the effect with that key. Whether it is at hand now.
    pub fn add(&mut self, key: u64, effect: Arc<Effect>) -> bool {
        if key > HIGHEST {
            return false;
        }
        let at = key as usize;
        if self.by_key.len() <= at {
            self.by_key.resize(at + 1, None);
            self.times.resize(at + 1, 0);
        }
        self.by_key[at] = Some(effect);
        self.plane = Plane::Unknown;
        true
    }
    /// The effect of what comes before or after the rounds, if it is at hand.
    pub fn end(&self, piece: Piece, key: u64) -> Option<Arc<Effect>> {
        let end = self.ends.iter().find(|e| e.0 == piece && e.1 == key)?;
        Some(end.2.clone())
    }
    /// That is the effect of such a piece.
    pub fn add_end(&mut self, piece: Piece, key: u64, effect: Arc<Effect>) {
        if self.ends.len() == ENDS {
            self.ends.remove(0);
        }
        self.ends.push((piece, key, effect));
    }
    /// So many rounds more with that key, which is at hand.
    #[inline]
    pub fn take(&mut self, key: u64, rounds: u64) {
        let times = &mut self.times[key as usize];
        if *times == 0 {
            self.counted.push(key as u32);
        }
        *times += rounds;
    }
    /// Adds the effects of all that were taken to the contexts.
    pub fn count(&mut self) {
        for key in self.counted.drain(..) {
            let times = std::mem::take(&mut self.times[key as usize]);
            if let Some(effect) = &self.by_key[key as usize] {
                effect.count(times);
            }
        }
    }
    /// Whether the effects with these keys are at hand, from the first to the last one, and all at hand are on a plane.
    pub fn on_plane(&mut self, [first, last]: [u64; 2]) -> bool {
        if let Plane::Unknown = self.plane {
            self.plane = Plane::through(&self.by_key);
        }
        let Plane::Is { complete, .. } = &mut self.plane else {
            return false;
        };
        if first < complete.0 || last > complete.1 {
            let all = self.by_key.get(first as usize..=last as usize);
            if !all.is_some_and(|all| all.iter().all(Option::is_some)) {
                return false;
            }
            *complete = (first, last);
        }
        true
    }
    /// What rounds cost whose [`coordinates`] have these sums, and whose keys are on the plane.
    pub fn cost_on_plane(&self, sums: [i64; 3]) -> i64 {
        match &self.plane {
            Plane::Is { cost, .. } => multiplied(*cost, sums),
            _ => unreachable!("asked before"),
        }
    }
    /// Adds the effects of such rounds to the contexts.
    pub fn count_on_plane(&self, sums: [i64; 3]) {
        if let Plane::Is { columns, .. } = &self.plane {
            columns.iter().for_each(|column| column.add(sums));
        }
    }
}

/// The key of a round with a row of so many elements.
pub(super) fn key_of(row: usize, carries: bool) -> u64 {
    (row as u64) << 1 | u64::from(carries)
}

/// 1, and the key in two parts: where effects of a loop are on a plane, they are a sum of multiples of these.
///
/// Keys of rows ([`key_of`]) are such a pair, so that a longer row costs as much more as it is longer.
fn coordinates(key: u64) -> [i64; 3] {
    [1, (key >> 1) as i64, (key & 1) as i64]
}

/// Whether all effects at hand are on a plane: then many rounds are counted as one.
enum Plane {
    Unknown,
    Is {
        columns: Vec<Column>,
        cost: [i64; 3],
        /// The first and the last of keys that are all at hand.
        complete: (u64, u64),
    },
    Isnt,
}

/// A counter of a context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Counter {
    Invocations,
    Inclusive,
    Slot(u32),
}

/// What the effects add to a counter: by how much each coordinate is multiplied.
struct Column {
    node: usize,
    counter: Counter,
    by: [i64; 3],
}

impl Plane {
    fn through(by_key: &[Option<Arc<Effect>>]) -> Plane {
        let known = by_key.iter().enumerate();
        let known: Vec<([i64; 3], &Effect)> = known
            .filter_map(|(key, effect)| Some((coordinates(key as u64), effect.as_deref()?)))
            .collect();
        let mut counters = BTreeSet::new();
        for counts in known.iter().flat_map(|(_, effect)| &effect.contexts) {
            counters.extend(Counter::all_of(counts).map(|counter| (counts.node, counter)));
        }
        let column = |(node, counter): (usize, Counter)| {
            let values = known.iter().map(|(at, effect)| {
                let counts = effect.contexts.iter().find(|c| c.node == node);
                (*at, counts.map_or(0, |c| counter.of(c)))
            });
            let by = plane_through(&values.collect::<Vec<_>>())?;
            Some(Column { node, counter, by })
        };
        let columns: Option<Vec<Column>> = counters.into_iter().map(column).collect();
        let costs: Vec<_> = known
            .iter()
            .map(|(at, effect)| (*at, effect.cost))
            .collect();
        match (columns, plane_through(&costs)) {
            (Some(columns), Some(cost)) => Plane::Is {
                columns,
                cost,
                complete: (u64::MAX, 0),
            },
            _ => Plane::Isnt,
        }
    }
}

/// A plane on which all these values are.
fn plane_through(values: &[([i64; 3], i64)]) -> Option<[i64; 3]> {
    let &([_, row, carries], value) = values.first()?;
    let other_row = values
        .iter()
        .find(|(at, _)| at[1] != row && at[2] == carries);
    let by_row = other_row.map_or(0, |(at, v)| (v - value) / (at[1] - row));
    let other = values.iter().find(|(at, _)| at[2] != carries);
    let by_carry = other.map_or(0, |(at, v)| {
        (v - value - by_row * (at[1] - row)) * (at[2] - carries)
    });
    let by = [value - by_row * row - by_carry * carries, by_row, by_carry];
    let is_on_it = |(at, v): &([i64; 3], i64)| multiplied(by, *at) == *v;
    values.iter().all(is_on_it).then_some(by)
}

/// The sum of the products of these.
fn multiplied(by: [i64; 3], of: [i64; 3]) -> i64 {
    by[0] * of[0] + by[1] * of[1] + by[2] * of[2]
}

impl Counter {
    /// All that a context has.
    pub fn all_of(counts: &Counts) -> impl Iterator<Item = Counter> {
        let slots = counts.edges.iter().map(|e| Counter::Slot(e.0));
        slots.chain([Counter::Invocations, Counter::Inclusive])
    }
    /// What it has counted.
    pub fn of(self, counts: &Counts) -> i64 {
        match self {
            Counter::Invocations => counts.invocations as i64,
            Counter::Inclusive => counts.inclusive,
            Counter::Slot(slot) => {
                let edge = counts.edges.iter().find(|e| e.0 == slot);
                edge.map_or(0, |e| e.1 as i64)
            }
        }
    }
    /// This counter of the context at that address, which stays where it is as long as the context lives.
    pub fn of_context(self, node: usize) -> ContextCounter {
        let node = node as *mut ContextNode;
        // SAFETY: as in [`Effect::count`]: contexts live as long as what is known of them, and the slot was read there.
        let at = unsafe {
            match self {
                Counter::Invocations => &raw mut (*node).invocations,
                Counter::Inclusive => (&raw mut (*node).inclusive).cast(),
                Counter::Slot(slot) => ContextNode::counter(node, slot),
            }
        };
        ContextCounter(at as usize)
    }
    /// Adds so much to this counter of the context at that address.
    pub fn add(self, node: usize, sum: i64) {
        self.of_context(node).add(sum);
    }
}

/// The address of a counter.
pub(super) struct ContextCounter(usize);

impl ContextCounter {
    /// Adds so much to it.
    #[inline]
    pub fn add(&self, sum: i64) {
        let counter = self.0 as *mut i64;
        // SAFETY: only `of_context` makes these; the context lives, as above. All counters are 64 bits.
        unsafe { *counter += sum }
    }
}

impl Column {
    /// Adds what rounds count whose coordinates have these sums.
    fn add(&self, sums: [i64; 3]) {
        self.counter.add(self.node, multiplied(self.by, sums));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_on_a_plane_or_not() {
        let values = |of: fn(i64, i64) -> i64| {
            let keys = (3..20).map(coordinates);
            keys.map(|at| (at, of(at[1], at[2]))).collect::<Vec<_>>()
        };
        let plane = |of| plane_through(&values(of));
        assert_eq!(plane(|row, carry| 7 + 5 * row + 3 * carry), Some([7, 5, 3]));
        assert_eq!(plane(|row, carry| 7 - 2 * row - carry), Some([7, -2, -1]));
        assert_eq!(plane(|_, _| 0), Some([0; 3]));
        assert_eq!(plane(|row, _| row * row), None);
        assert_eq!(plane(|row, carry| row * carry), None);
        assert_eq!(plane(|row, _| row / 2), None);
        // through one value there are many
        assert_eq!(plane_through(&values(|row, _| row)[..1]), Some([1, 0, 0]));
        assert_eq!(plane_through(&[]), None);
    }
}
