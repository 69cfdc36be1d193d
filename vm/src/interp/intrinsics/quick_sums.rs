//! What executions that count by tallies add to a context, laid out for contexts with many of them.

use super::machine;
use super::rounds::ContextCounter;
use super::sums::{Solution, Tallies, TallyFactors, WIDTH};
use smallvec::SmallVec;

/// What tallies are multiplied by. Processors do eight such products at once, and add two by two.
type Row = [i16; WIDTH];
/// The factors of a row add up to at most this, regardless of signs. So sums of products with any tallies fit into 32 bits.
const MOST: u32 = 1 << 15;

fn row(factors: &TallyFactors) -> Option<Row> {
    let mut row = [0; WIDTH];
    let mut all = 0_u32;
    for &(at, by) in factors {
        row[at] = i16::try_from(by).ok()?;
        all += u32::from(row[at].unsigned_abs());
    }
    (all <= MOST).then_some(row)
}

#[inline]
fn sum(row: &Row, tallies: &Tallies) -> i32 {
    machine::sum_of_products(row, tallies).unwrap_or_else(|| {
        let products = row.iter().zip(tallies);
        products.map(|(&by, &n)| i32::from(by) * i32::from(n)).sum()
    })
}

/// A divisor of which all numbers are multiples.
#[derive(Clone, Copy)]
struct Divisor {
    /// How often it is a multiple of 2.
    twos: u32,
    /// Its other factor times this is 1, modulo 2^32.
    inverse: i32,
}

impl Divisor {
    fn new(divisor: i64) -> Option<Divisor> {
        let divisor = i32::try_from(divisor).ok().filter(|&d| d > 0)?;
        let twos = divisor.trailing_zeros();
        let odd = divisor >> twos;
        // three bits are right, and each round doubles them
        let inverse = (0..4).fold(odd, |inverse, _| {
            inverse.wrapping_mul(2_i32.wrapping_sub(odd.wrapping_mul(inverse)))
        });
        Some(Divisor { twos, inverse })
    }
    #[inline]
    fn divide(self, n: i32) -> i32 {
        (n >> self.twos).wrapping_mul(self.inverse)
    }
}

/// The counts of executions in a context.
pub(super) struct QuickContext {
    conditions: SmallVec<[Row; 4]>,
    divisor: Divisor,
    cost: Row,
    /// The counters to which each execution adds the same.
    same: Box<[(ContextCounter, i64)]>,
    others: Box<[(ContextCounter, Row)]>,
}

impl QuickContext {
    /// `nodes`: the addresses of the context, and of those below it, by the number of their path. None: numbers are too large.
    pub fn new(solution: &Solution, nodes: &[usize]) -> Option<QuickContext> {
        let (mut same, mut others) = (Vec::new(), Vec::new());
        for ((path, counter), factors) in &solution.counters {
            let counter = counter.of_context(nodes[*path]);
            match factors[..] {
                // the first tally is 1
                [(0, by)] => same.push((counter, by / solution.divisor)),
                _ => others.push((counter, row(factors)?)),
            }
        }
        let conditions: Option<_> = solution.conditions.iter().map(row).collect();
        Some(QuickContext {
            conditions: conditions?,
            divisor: Divisor::new(solution.divisor)?,
            cost: row(&solution.cost)?,
            same: same.into(),
            others: others.into(),
        })
    }
    /// Whether counts follow from these tallies ([`Solution::covers`]).
    #[inline]
    pub fn covers(&self, tallies: &Tallies) -> bool {
        self.conditions.iter().all(|c| sum(c, tallies) == 0)
    }
    /// The bytecodes of an execution.
    #[inline]
    pub fn cost(&self, tallies: &Tallies) -> i64 {
        self.divisor.divide(sum(&self.cost, tallies)).into()
    }
    /// Adds what an execution counts to the contexts.
    #[inline]
    pub fn count(&self, tallies: &Tallies) {
        for (counter, n) in &self.same {
            counter.add(*n);
        }
        for (counter, row) in &self.others {
            counter.add(self.divisor.divide(sum(row, tallies)).into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sums::tallies;
    use super::*;

    /// A function of three tallies, of which the third follows from the others, with sums that are so many times too large.
    fn solution(divisor: i64) -> Solution {
        let times = |by: [i64; 2]| vec![(0, by[0] * divisor), (1, by[1] * divisor)];
        Solution {
            conditions: vec![vec![(0, -3), (1, 1), (2, -1)]],
            divisor,
            cost: times([2100, 11]),
            counters: Vec::new(),
        }
    }

    #[test]
    fn sums_are_divided_exactly() {
        for divisor in [1, 2, 3, 6, 8, 15] {
            let solution = solution(divisor);
            let quick = QuickContext::new(&solution, &[]).expect("small numbers");
            for n in [-40, 0, 1, 53] {
                let (right, wrong) = (tallies(&[1, n, n - 3]), tallies(&[1, n, n - 2]));
                assert!(quick.covers(&right) && solution.covers(&right));
                assert!(!quick.covers(&wrong) && !solution.covers(&wrong));
                assert_eq!(quick.cost(&right), solution.cost(&right));
                assert_eq!(quick.cost(&right), 2100 + 11 * i64::from(n));
            }
        }
    }

    #[test]
    fn large_factors_are_not_laid_out() {
        assert!(QuickContext::new(&solution(16), &[]).is_none());
        assert_eq!(row(&vec![(0, 32_767), (3, 2)]), None);
        assert_eq!(row(&vec![(0, 32_768)]), None);
        assert!(row(&vec![(0, 32_766), (3, -2)]).is_some());
    }
}
