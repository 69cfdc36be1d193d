//! Methods whose data decides branches, if Rust code can say how often each branch is taken.
//!
//! Each branch adds the same counts whenever it is taken, so the counts of an execution are a linear function of these numbers, its
//! tallies. rjvm learns the function from executions of the bytecodes: what a combination of learned tallies counts follows from them.
//! A learned execution is used only after others have confirmed it.
//!
//! The function is the same in all contexts, as long as the contexts below are called by the paths that lead to them. In each context, one
//! execution of the bytecodes makes these, and shows that it counts the same.

use super::effect::{Effect, EffectPlace};
use super::quick_sums::QuickContext;
use super::rounds::Counter;
use crate::ids::MethodId;
use crate::vm::Vm;
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Numbers in the tallies of a method, at most.
const NUMBERS: usize = 14;
/// The same with zeros behind them, such that processors add many at once.
pub(super) const WIDTH: usize = 16;
/// How often each branch is taken, or what it follows from. The first number is 1.
pub(super) type Tallies = [i16; WIDTH];

/// The tallies with these numbers.
#[inline]
pub(super) fn tallies(numbers: &[i16]) -> Tallies {
    let mut all = [0; WIDTH];
    all[..numbers.len()].copy_from_slice(numbers);
    all
}

/// A method that counts by tallies.
pub(super) struct Summed {
    /// Class, name and descriptor.
    pub method: [&'static str; 3],
    /// The tallies and the result for these argument slots. None if bytecodes do the work.
    pub run: fn(&[u64]) -> Option<(Tallies, u64)>,
}

/// All of them.
pub(super) static SUMMED: &[Summed] = &[Summed {
    method: ["java/lang/FdLibm$Sqrt", "compute", "(D)D"],
    run: super::roots::root,
}];

/// Executions that are learned because the function is not known, at most; and because a context is not.
const TRIES: u16 = 512;
const TRIES_OF_CONTEXT: u8 = 8;
/// Contexts that are remembered; beyond that all begin again.
const CONTEXTS: usize = 1 << 15;

/// The methods and call sites that lead from the method's context to one below it.
pub(super) type Path = Vec<(u32, u32)>;
/// A counter of a context, by the number of its path.
pub(super) type Place = (usize, Counter);
/// Which tallies are multiplied by what.
pub(super) type TallyFactors = Vec<(usize, i64)>;

/// A learned execution. The tallies of all samples are independent.
struct LearnedSample {
    tallies: Tallies,
    cost: i64,
    counted: PlaceCounts,
    /// Others have confirmed it.
    confirmed: bool,
}

/// Counts of an execution, except for those that are 0.
type PlaceCounts = BTreeMap<Place, i64>;

/// What follows from samples.
pub(super) struct Solution {
    /// Sums that are 0 for tallies that are a combination of those of the samples.
    pub conditions: Vec<TallyFactors>,
    /// All sums are so many times too large.
    pub divisor: i64,
    pub cost: TallyFactors,
    pub counters: Vec<(Place, TallyFactors)>,
}

fn sum(factors: &TallyFactors, tallies: &Tallies) -> i64 {
    let products = factors.iter();
    products.map(|&(at, by)| by * i64::from(tallies[at])).sum()
}

impl Solution {
    /// None: the samples contradict each other, or numbers become too large.
    fn of(samples: &[&LearnedSample]) -> Option<Solution> {
        let places = samples.iter().flat_map(|s| s.counted.keys().copied());
        let places: Vec<Place> = places.collect::<BTreeSet<_>>().into_iter().collect();
        let row = |s: &&LearnedSample| {
            let counted = |at| s.counted.get(at).copied().unwrap_or(0);
            let tallies = s.tallies[..NUMBERS].iter().map(|&n| n.into());
            let counts = [s.cost].into_iter().chain(places.iter().map(counted));
            tallies.chain(counts.map(i128::from)).collect()
        };
        let (rows, firsts) = reduced(samples.iter().map(row).collect())?;
        let divisor = rows.iter().zip(&firsts).try_fold(1_i128, |d, (row, &at)| {
            d.checked_mul(row[at])
                .map(|product| product / greatest_divisor(d, row[at]))
        })?;
        let column = |column: usize| -> Option<TallyFactors> {
            let factors = rows.iter().zip(&firsts).map(|(row, &at)| {
                let by = row[column].checked_mul(divisor / row[at])?;
                Some((at, i64::try_from(by).ok()?))
            });
            let factors: Option<TallyFactors> = factors.collect();
            Some(factors?.into_iter().filter(|f| f.1 != 0).collect())
        };
        let divisor = i64::try_from(divisor).ok()?;
        let free = (0..NUMBERS).filter(|n| !firsts.contains(n));
        let condition = |n: usize| {
            let mut factors = column(n)?;
            factors.push((n, -divisor));
            Some(factors)
        };
        let conditions: Option<Vec<TallyFactors>> = free.map(condition).collect();
        let counters = places.iter().enumerate();
        let counters: Option<Vec<_>> = counters
            .map(|(i, &at)| Some((at, column(NUMBERS + 1 + i)?)))
            .collect();
        Some(Solution {
            conditions: conditions?,
            divisor,
            cost: column(NUMBERS)?,
            counters: counters?,
        })
    }
    /// Whether these tallies are a combination of those of the samples.
    pub fn covers(&self, tallies: &Tallies) -> bool {
        self.conditions.iter().all(|c| sum(c, tallies) == 0)
    }
    pub fn cost(&self, tallies: &Tallies) -> i64 {
        sum(&self.cost, tallies) / self.divisor
    }
    /// Whether an execution with these tallies costs and counts this.
    fn agrees(&self, tallies: &Tallies, cost: i64, counted: &PlaceCounts) -> bool {
        let is = |factors, n: i64| n.checked_mul(self.divisor) == Some(sum(factors, tallies));
        let of = |at: &Place| counted.get(at).copied().unwrap_or(0);
        let known = |at: &Place| self.counters.iter().any(|(known, _)| known == at);
        is(&self.cost, cost)
            && self.counters.iter().all(|(at, f)| is(f, of(at)))
            && counted.keys().all(known)
    }
    /// Adds what an execution counts to the contexts with these addresses, by the number of their path.
    fn count(&self, tallies: &Tallies, nodes: &[usize]) {
        for ((path, counter), factors) in &self.counters {
            counter.add(nodes[*path], sum(factors, tallies) / self.divisor);
        }
    }
}

/// Rows in reduced echelon form by their first [`NUMBERS`] columns, and the column of each row's first number, which is positive.
/// None: rows depend on each other there, or numbers become too large.
fn reduced(mut rows: Vec<Vec<i128>>) -> Option<(Vec<Vec<i128>>, Vec<usize>)> {
    let mut firsts = Vec::new();
    for at in 0..NUMBERS {
        let done = firsts.len();
        let Some(found) = (done..rows.len()).find(|&i| rows[i][at] != 0) else {
            continue;
        };
        rows.swap(done, found);
        if rows[done][at] < 0 {
            rows[done].iter_mut().for_each(|n| *n = -*n);
        }
        let pivot = rows[done].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i == done || row[at] == 0 {
                continue;
            }
            let (by, of) = (pivot[at], row[at]);
            for (n, p) in row.iter_mut().zip(&pivot) {
                *n = n.checked_mul(by)?.checked_sub(p.checked_mul(of)?)?;
            }
            let divisor = row.iter().fold(0, |d, &n| greatest_divisor(d, n));
            if divisor > 1 {
                row.iter_mut().for_each(|n| *n /= divisor);
            }
        }
        firsts.push(at);
    }
    (firsts.len() == rows.len()).then_some((rows, firsts))
}

fn greatest_divisor(a: i128, b: i128) -> i128 {
    match b {
        0 => a.abs(),
        _ => greatest_divisor(b, a % b),
    }
}

/// Facts about a context of a method.
#[derive(Default)]
struct SummedContext {
    /// It counts as the function says.
    agrees: bool,
    /// Addresses of the contexts at and below it, by the number of their path; 0: there is none yet.
    nodes: Box<[usize]>,
    tries: u8,
    /// The counts that follow from all this, laid out when they are first needed. None in it: that is not possible.
    quick: Option<Option<Box<QuickContext>>>,
}

impl SummedContext {
    fn has_all(&self, solution: &Solution) -> bool {
        let is_there = |path: usize| self.nodes.get(path).is_some_and(|&node| node != 0);
        self.agrees
            && solution
                .counters
                .iter()
                .all(|((path, _), _)| is_there(*path))
    }
}

/// Facts about a method.
#[derive(Default)]
pub(super) struct Sums {
    /// Where its translated code begins, and the offset of its return there.
    code: usize,
    leave: usize,
    paths: Vec<Path>,
    samples: Vec<LearnedSample>,
    /// What follows from the confirmed ones.
    solution: Option<Solution>,
    contexts: HashMap<usize, SummedContext>,
    /// Of the execution that is learned.
    learning: Tallies,
    tries: u16,
}

impl Sums {
    /// An execution was not learned.
    pub fn failed(&mut self, node: usize) {
        // contexts that are forgotten begin again, so this may come any number of times
        self.tries = self.tries.saturating_add(1);
        self.context(node).tries += 1;
    }
    fn context(&mut self, node: usize) -> &mut SummedContext {
        if self.contexts.len() >= CONTEXTS && !self.contexts.contains_key(&node) {
            self.contexts.clear();
        }
        self.contexts.entry(node).or_default()
    }
    /// An execution in this context with the tallies in `learning` had this effect; `below`: the paths of the contexts at and below it, by
    /// their addresses.
    pub fn learned(&mut self, node: usize, effect: &Effect, below: &HashMap<usize, Path>) {
        if (self.code, self.leave) != (effect.code, effect.leave) {
            *self = Sums {
                code: effect.code,
                leave: effect.leave,
                learning: self.learning,
                tries: self.tries,
                ..Sums::default()
            };
        }
        let mut counted = PlaceCounts::new();
        for counts in &effect.contexts {
            let Some(path) = below.get(&counts.node) else {
                return self.failed(node);
            };
            let known = self.paths.iter().position(|p| p == path);
            let number = known.unwrap_or_else(|| {
                self.paths.push(path.clone());
                self.paths.len() - 1
            });
            let all = Counter::all_of(counts).map(|c| ((number, c), c.of(counts)));
            counted.extend(all.filter(|c| c.1 != 0));
        }
        let tallies = self.learning;
        let solution = self.solution.as_ref().filter(|s| s.covers(&tallies));
        if let Some(solution) = solution {
            let agrees = solution.agrees(&tallies, effect.cost, &counted);
            let address = |path| below.iter().find(|(_, p)| *p == path).map_or(0, |b| *b.0);
            let nodes = self.paths.iter().map(address).collect();
            let context = self.context(node);
            context.tries += 1;
            (context.agrees, context.nodes) = (agrees, nodes);
            context.quick = None;
        } else {
            self.tries = self.tries.saturating_add(1);
            self.sample(tallies, effect.cost, counted);
        }
    }
    /// An execution whose counts do not follow from confirmed samples.
    fn sample(&mut self, tallies: Tallies, cost: i64, counted: PlaceCounts) {
        let all: Vec<&LearnedSample> = self.samples.iter().collect();
        match Solution::of(&all).filter(|s| s.covers(&tallies)) {
            Some(solution) if solution.agrees(&tallies, cost, &counted) => self.confirm(&tallies),
            Some(_) => self.samples.retain(|s| s.confirmed),
            None => self.samples.push(LearnedSample {
                tallies,
                cost,
                counted,
                confirmed: false,
            }),
        }
    }
    /// The counts of an execution with these tallies follow from the samples: confirms those from which they follow.
    fn confirm(&mut self, tallies: &Tallies) {
        for i in 0..self.samples.len() {
            let others = self.samples.iter().enumerate().filter(|(n, _)| *n != i);
            let others: Vec<&LearnedSample> = others.map(|(_, s)| s).collect();
            if !Solution::of(&others).is_some_and(|s| s.covers(tallies)) {
                self.samples[i].confirmed = true;
            }
        }
        let confirmed: Vec<&LearnedSample> = self.samples.iter().filter(|s| s.confirmed).collect();
        self.solution = Solution::of(&confirmed);
        self.contexts.values_mut().for_each(|c| c.quick = None);
    }
}

impl Vm {
    /// A method that counts by tallies has been entered: does the work if the counts are known.
    pub(super) fn enter_summed(
        &mut self,
        row: &Summed,
        method: MethodId,
        node: usize,
        args: &[u64],
    ) -> Option<()> {
        let (tallies, result) = (row.run)(args)?;
        let code = self.regs().ip as usize;
        // where looks are is not known: bytecodes run if the slice ends
        let end = self.first_seen()?.min(self.slice_end);
        let ticks = self.regs().ticks;
        let sums = self.code.intrinsics.effects.sums(method);
        let is_here = sums.code == code;
        let context = sums.contexts.get_mut(&node);
        let quick = context.as_ref().and_then(|c| c.quick.as_ref()?.as_deref());
        let fits = |cost: &i64| ticks + cost < end;
        let cost = if let Some(quick) = quick.filter(|q| is_here && q.covers(&tallies)) {
            let cost = Some(quick.cost(&tallies)).filter(fits)?;
            quick.count(&tallies);
            cost
        } else {
            let solution = sums.solution.as_ref().filter(|_| is_here);
            let (solution, context) = match (solution.filter(|s| s.covers(&tallies)), context) {
                (Some(s), Some(context)) if context.has_all(s) => (s, context),
                (solution, context) => {
                    let tries = context.map_or(0, |c| c.tries);
                    if tries < TRIES_OF_CONTEXT && (solution.is_some() || sums.tries < TRIES) {
                        sums.learning = tallies;
                        self.learn(EffectPlace::whole(method, 0, node), 1, 0);
                    }
                    return None;
                }
            };
            let cost = Some(solution.cost(&tallies)).filter(fits)?;
            let nodes = &*context.nodes;
            solution.count(&tallies, nodes);
            let quick = || QuickContext::new(solution, nodes).map(Box::new);
            context.quick.get_or_insert_with(quick);
            cost
        };
        let leave = sums.leave;
        self.leave_intrinsic(leave, cost, result, self.slice_end);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::effect::Counts;
    use super::*;

    const NODE: usize = 64;

    /// An execution that counts as a method with two branches does.
    fn execution(a: i16, b: i16, more: i64) -> (Tallies, Effect) {
        let numbers = tallies(&[1, a, b]);
        let (a, b) = (i64::from(a), i64::from(b));
        let counts = Counts {
            node: NODE,
            invocations: 2 + a as u64,
            inclusive: 5 * b + more,
            edges: Box::default(),
        };
        let effect = Effect {
            cost: 100 + 7 * a + 3 * b + more,
            contexts: Box::new([counts]),
            ..Effect::default()
        };
        (numbers, effect)
    }

    fn learn(sums: &mut Sums, (tallies, effect): (Tallies, Effect)) {
        sums.learning = tallies;
        sums.learned(NODE, &effect, &HashMap::from([(NODE, Path::new())]));
    }

    fn cost(sums: &Sums, a: i16, b: i16) -> Option<i64> {
        let tallies = tallies(&[1, a, b]);
        let solution = sums.solution.as_ref().filter(|s| s.covers(&tallies))?;
        Some(solution.cost(&tallies))
    }

    fn is_usable(sums: &Sums) -> bool {
        let solution = sums.solution.as_ref();
        solution.is_some_and(|s| sums.contexts.get(&NODE).is_some_and(|c| c.has_all(s)))
    }

    #[test]
    fn what_is_confirmed_is_known() {
        let mut sums = Sums::default();
        for (a, b) in [(3, 5), (8, 5), (2, 9)] {
            assert_eq!(cost(&sums, a, b), None);
            learn(&mut sums, execution(a, b, 0));
        }
        // three unknowns, and nothing confirms them yet
        assert_eq!(cost(&sums, 3, 5), None);
        learn(&mut sums, execution(20, 30, 0));
        assert_eq!(cost(&sums, 3, 5), Some(136));
        assert_eq!(cost(&sums, 11, 4), Some(189));
        assert_eq!(sums.samples.len(), 3);
        assert!(!is_usable(&sums));
        learn(&mut sums, execution(4, 4, 0));
        assert!(is_usable(&sums));
        assert_eq!(&*sums.contexts[&NODE].nodes, [NODE]);
    }

    #[test]
    fn samples_that_confirm_nothing_are_not_used() {
        let mut sums = Sums::default();
        learn(&mut sums, execution(1, 0, 0));
        learn(&mut sums, execution(1, 0, 0));
        assert_eq!(cost(&sums, 1, 0), Some(107));
        assert_eq!(cost(&sums, 2, 0), None);
        learn(&mut sums, execution(2, 0, 0));
        assert_eq!(cost(&sums, 2, 0), None);
        assert_eq!(cost(&sums, 1, 0), Some(107));
        learn(&mut sums, execution(5, 0, 0));
        assert_eq!(cost(&sums, 9, 0), Some(163));
    }

    #[test]
    fn what_contradicts_is_not_used() {
        let mut sums = Sums::default();
        learn(&mut sums, execution(1, 0, 0));
        learn(&mut sums, execution(1, 0, 1));
        assert!(sums.samples.is_empty());
        // a context that counts otherwise than the others
        learn(&mut sums, execution(1, 0, 0));
        learn(&mut sums, execution(1, 0, 0));
        learn(&mut sums, execution(1, 0, 1));
        assert!(!is_usable(&sums));
        learn(&mut sums, execution(1, 0, 0));
        assert!(is_usable(&sums));
    }
}
