//! The phases of a run: where the mix of methods changes. Each window is a distribution of its bytecodes over methods. A
//! split into phases costs, for each window, how far it is from its phase's mix (the Kullback-Leibler divergence, weighted
//! by the window's length), and a penalty for each phase as in the Bayesian information criterion, in units of how much
//! neighbours differ anyway. The cheapest split is found exactly, by dynamic programming over all ends of phases.

use std::collections::BTreeMap;

/// A window's bytecodes by method.
pub type Mix = BTreeMap<u32, u64>;

/// Phases there may be.
const MOST: usize = 12;
/// The least by which neighbours are taken to differ: smaller differences do not make phases.
const LEAST_NOISE: f64 = 0.02;
/// The least penalty for a phase, as a part of the run whose mix is entirely different: a window with the end of one
/// phase and the beginning of the next is none by itself.
const LEAST_PENALTY: f64 = 0.03;
/// Phases shorter than this part of the run are not distinguished.
const SHORTEST: f64 = 0.02;

/// The ends of phases, as numbers of windows: the last one is the number of all windows. Nothing for no windows.
pub fn split(windows: &[Mix]) -> Vec<usize> {
    let n = windows.len();
    if n == 0 {
        return Vec::new();
    }
    let lengths: Vec<f64> = windows
        .iter()
        .map(|w| w.values().sum::<u64>() as f64)
        .collect();
    let whole: f64 = lengths.iter().sum();
    if whole == 0.0 {
        return vec![n];
    }
    let mean = whole / n as f64;
    let penalty = noise(windows).max(LEAST_NOISE) * (n as f64).ln().max(1.0) * 2.0 * mean;
    let penalty = penalty.max(LEAST_PENALTY * whole);
    // best[e]: the least cost of the windows before e, where its last phase begins, and how many phases there are
    let mut best: Vec<(f64, usize, usize)> = vec![(f64::INFINITY, 0, 0); n + 1];
    best[0] = (0.0, 0, 0);
    for begin in 0..n {
        let (before, _, phases) = best[begin];
        if !before.is_finite() || phases >= MOST {
            continue;
        }
        let mut phase = PhaseBuilder::default();
        for end in begin + 1..=n {
            phase.add(&windows[end - 1]);
            let short = phase.bytecodes < SHORTEST * whole;
            if short && !(begin == 0 && end == n) {
                continue;
            }
            let cost = before + phase.cost() + penalty;
            if cost < best[end].0 - 1e-9 {
                best[end] = (cost, begin, phases + 1);
            }
        }
    }
    if !best[n].0.is_finite() {
        return vec![n];
    }
    let mut ends = vec![n];
    let mut at = n;
    while best[at].1 > 0 {
        at = best[at].1;
        ends.push(at);
    }
    ends.reverse();
    ends
}

/// How far a typical window is from the mix of itself and the next one.
fn noise(windows: &[Mix]) -> f64 {
    let mut apart: Vec<f64> = windows
        .windows(2)
        .map(|pair| {
            let mut both = PhaseBuilder::default();
            pair.iter().for_each(|w| both.add(w));
            both.cost() / both.bytecodes.max(1.0)
        })
        .collect();
    apart.sort_by(f64::total_cmp);
    apart.get(apart.len() / 2).copied().unwrap_or(0.0)
}

fn xlogx(x: u64) -> f64 {
    match x {
        0 => 0.0,
        x => x as f64 * (x as f64).ln(),
    }
}

/// Windows under way to a phase: the sums that its cost is a function of.
#[derive(Default)]
struct PhaseBuilder {
    sums: BTreeMap<u32, u64>,
    bytecodes: f64,
    /// Of the sums, and of the windows each for itself.
    joined: f64,
    apart: f64,
}

impl PhaseBuilder {
    fn add(&mut self, window: &Mix) {
        let mut all = 0;
        for (&method, &n) in window {
            let sum = self.sums.entry(method).or_default();
            self.joined -= xlogx(*sum);
            *sum += n;
            self.joined += xlogx(*sum);
            self.apart += xlogx(n);
            all += n;
        }
        self.apart -= xlogx(all);
        self.bytecodes += all as f64;
    }
    /// Sum over windows of length times divergence from the mix of all.
    fn cost(&self) -> f64 {
        let n = self.bytecodes;
        let all = if n > 0.0 { n * n.ln() } else { 0.0 };
        (self.apart - (self.joined - all)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mix(parts: &[(u32, u64)]) -> Mix {
        parts.iter().copied().collect()
    }

    #[test]
    fn a_run_that_does_one_thing_has_one_phase() {
        let windows: Vec<Mix> = (0..100)
            .map(|i| mix(&[(1, 900 + i % 7), (2, 100 - i % 7)]))
            .collect();
        assert_eq!(split(&windows), [100]);
        assert_eq!(split(&windows[..1]), [1]);
        assert_eq!(split(&[]), [0usize; 0]);
        assert_eq!(split(&[Mix::new()]), [1]);
    }

    #[test]
    fn changes_of_the_mix_are_found_where_they_are() {
        let mut windows: Vec<Mix> = Vec::new();
        for i in 0..90u64 {
            windows.push(match i {
                0..=19 => mix(&[(1, 800 + i), (9, 200)]),
                20..=69 => mix(&[(2, 700 + i), (3, 300), (9, 20)]),
                _ => mix(&[(4, 1000), (3, 20 + i)]),
            });
        }
        assert_eq!(split(&windows), [20, 70, 90]);
    }

    #[test]
    fn what_alternates_all_the_time_is_one_phase() {
        let windows: Vec<Mix> = (0..64)
            .map(|i| {
                if i % 2 == 0 {
                    mix(&[(1, 1000)])
                } else {
                    mix(&[(2, 1000)])
                }
            })
            .collect();
        assert_eq!(split(&windows), [64]);
    }

    #[test]
    fn there_are_not_more_phases_than_somebody_reads() {
        let windows: Vec<Mix> = (0..240).map(|i| mix(&[(i / 10, 1000)])).collect();
        assert!(split(&windows).len() <= MOST);
    }
}
