//! What a failure needs: parts of a schedule are left out until none of them can be.

use std::ops::Range;

/// Makes a list smaller that makes something fail, by delta debugging (Zeller and Hildebrandt, 2002): parts of it are left out,
/// all of them to begin with, then halves, down to single ones; then pairs of them, since a switch and the one back may be
/// needless together only.
///
/// It returns the next lists to run, several at once if they can run beside each other, and receives their results. How
/// many are run beside each other changes nothing in what it finds.
#[derive(Clone, Debug)]
pub struct Minimiser<T> {
    best: Vec<T>,
    budget: usize,
    runs: usize,
    phase: Phase,
    /// The part left out of the lists that are being run.
    under_way: Vec<LeftOut>,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Parts of a size, from a place on; whether one of that size could be left out so far.
    Parts {
        size: usize,
        at: usize,
        shrunk: bool,
    },
    /// Two, from these on.
    Pairs {
        first: usize,
        second: usize,
    },
    Over,
}

#[derive(Clone, Debug)]
enum LeftOut {
    Part(Range<usize>),
    Pair(usize, usize),
}

impl LeftOut {
    fn has(&self, i: usize) -> bool {
        match self {
            LeftOut::Part(part) => part.contains(&i),
            &LeftOut::Pair(a, b) => i == a || i == b,
        }
    }
}

impl<T: Clone> Minimiser<T> {
    /// Of a list that fails, with at most so many runs.
    pub fn new(list: Vec<T>, budget: usize) -> Minimiser<T> {
        let size = list.len();
        let (at, shrunk) = (0, false);
        Minimiser {
            best: list,
            budget,
            runs: 0,
            phase: Phase::Parts { size, at, shrunk },
            under_way: Vec::new(),
        }
    }
    /// The smallest list that fails.
    pub fn best(&self) -> &[T] {
        &self.best
    }
    /// The number of runs; those beside a list that failed, and after it, do not count.
    pub fn runs(&self) -> usize {
        self.runs
    }
    /// At most `most` lists to be run next; none if it has ended.
    pub fn next(&mut self, most: usize) -> Vec<Vec<T>> {
        self.under_way.clear();
        let most = most.min(self.budget - self.runs);
        while self.under_way.is_empty() && most > 0 && !matches!(self.phase, Phase::Over) {
            self.under_way = self.ahead(most);
            if self.under_way.is_empty() {
                self.phase = self.after_phase();
            }
        }
        let without = |out: &LeftOut| {
            let kept = self.best.iter().enumerate().filter(|(i, _)| !out.has(*i));
            kept.map(|(_, t)| t.clone()).collect()
        };
        self.under_way.iter().map(without).collect()
    }
    /// What comes next in this phase.
    fn ahead(&self, most: usize) -> Vec<LeftOut> {
        let n = self.best.len();
        match self.phase {
            Phase::Parts { size, at, .. } if size > 0 => (at..n)
                .step_by(size)
                .take(most)
                .map(|at| LeftOut::Part(at..n.min(at + size)))
                .collect(),
            Phase::Pairs { first, second } => {
                let of = |a: usize, from: usize| (from..n).map(move |b| LeftOut::Pair(a, b));
                let rest = (first + 1..n).flat_map(|a| of(a, a + 1));
                of(first, second).chain(rest).take(most).collect()
            }
            Phase::Parts { .. } | Phase::Over => Vec::new(),
        }
    }
    fn after_phase(&self) -> Phase {
        let (at, shrunk) = (0, false);
        match self.phase {
            // others may be needless now
            Phase::Parts {
                size: 1,
                shrunk: true,
                ..
            } => Phase::Parts {
                size: 1,
                at,
                shrunk,
            },
            Phase::Parts { size: 0 | 1, .. } => Phase::Pairs {
                first: 0,
                second: 1,
            },
            Phase::Parts { size, .. } => Phase::Parts {
                size: size / 2,
                at,
                shrunk,
            },
            Phase::Pairs { .. } | Phase::Over => Phase::Over,
        }
    }
    /// What came of the lists, in their order: of one that failed in the same way, what it was made of at last, which may be less.
    pub fn came(&mut self, results: impl IntoIterator<Item = Option<Vec<T>>>) {
        let under_way = std::mem::take(&mut self.under_way);
        for (out, result) in under_way.into_iter().zip(results) {
            self.runs += 1;
            let smaller = result.filter(|list| list.len() < self.best.len());
            let found = smaller.is_some();
            self.phase = match (self.phase, out) {
                (Phase::Parts { size, shrunk, .. }, LeftOut::Part(part)) => Phase::Parts {
                    size,
                    at: if found { part.start } else { part.end },
                    shrunk: shrunk || found,
                },
                (_, LeftOut::Pair(..)) if found => Phase::Parts {
                    size: 1,
                    at: 0,
                    shrunk: false,
                },
                (_, LeftOut::Pair(first, second)) => Phase::Pairs {
                    first,
                    second: second + 1,
                },
                (phase, LeftOut::Part(_)) => phase,
            };
            if let Some(list) = smaller {
                self.best = list;
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rest of 0..n, with `jobs` runs beside each other, and the number of runs it took.
    fn minimised(
        n: u32,
        jobs: usize,
        budget: usize,
        fails: fn(&[u32]) -> bool,
    ) -> (Vec<u32>, usize) {
        let mut minimiser = Minimiser::new((0..n).collect(), budget);
        loop {
            let lists = minimiser.next(jobs);
            if lists.is_empty() {
                return (minimiser.best().to_vec(), minimiser.runs());
            }
            minimiser.came(lists.into_iter().map(|l| fails(&l).then_some(l)));
        }
    }

    fn with(list: &[u32], all: &[u32]) -> bool {
        all.iter().all(|i| list.contains(i))
    }

    #[test]
    fn what_is_needed_is_left() {
        let fails: [(fn(&[u32]) -> bool, &[u32]); 4] = [
            (|_| true, &[]),
            (|l| with(l, &[17]), &[17]),
            (|l| with(l, &[3, 4, 60, 99]), &[3, 4, 60, 99]),
            // one without the other does not fail
            (
                |l| with(l, &[5, 50]) && with(l, &[20]) == with(l, &[80]),
                &[5, 50],
            ),
        ];
        for (fails, needed) in fails {
            let (left, runs) = minimised(100, 1, 2000, fails);
            assert_eq!(left, needed);
            for jobs in 2..9 {
                assert_eq!(minimised(100, jobs, 2000, fails), (left.clone(), runs));
                for budget in [0, 1, 7, 20] {
                    let cut = minimised(100, jobs, budget, fails);
                    assert_eq!(cut, minimised(100, 1, budget, fails));
                    assert!(cut.1 <= budget && fails(&cut.0));
                }
            }
        }
        assert_eq!(minimised(0, 2, 10, |_| true), (vec![], 0));
        assert_eq!(minimised(100, 2, 10, |_| true), (vec![], 1));
    }

    /// The decisions of a list that failed may be fewer than requested.
    #[test]
    fn what_was_passed_over_is_not_in_it() {
        let mut minimiser = Minimiser::new(vec![1, 2, 3, 4], 100);
        assert_eq!(minimiser.next(2), [Vec::<i32>::new()]);
        minimiser.came([None]);
        assert_eq!(minimiser.next(2), [[3, 4], [1, 2]]);
        minimiser.came([None, Some(vec![2])]);
        assert_eq!(minimiser.best(), [2]);
    }
}
