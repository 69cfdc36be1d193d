//! Puts windows together while a program runs: what each context has done since it was last looked at. When there are too
//! many windows, or too much in them, neighbours become one, so that memory stays bounded for a run of any length.

use crate::recording::{Context, Delta, Window};

/// Windows there may be; half of that is left when neighbours are joined.
const MOST_WINDOWS: usize = 256;
/// Rows there may be in all windows together.
const MOST_ROWS: usize = 6_000_000;
/// Windows that are left in any case.
const LEAST_WINDOWS: usize = 16;

/// Bytecodes that a window is long at least for each context that was looked at.
const EACH: u64 = 60;

/// What a context had done up to a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Bytecodes in it and below it.
    pub inclusive: u64,
    /// How often it was entered.
    pub calls: u64,
    /// Objects allocated in it alone.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What the run as a whole has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Collections of garbage.
    pub collections: u64,
    /// Bytes before them, in sum.
    pub before: u64,
    /// Bytes after them, in sum.
    pub after: u64,
    /// Bytecodes lost to locks.
    pub lost: u64,
}

/// Windows under way.
#[derive(Debug, Default)]
pub struct Collector {
    contexts: Vec<Context>,
    last: Vec<Sums>,
    windows: Vec<Window>,
    rows: usize,
    totals: Totals,
    window: Window,
    /// Contexts looked at in it.
    reported: u64,
    /// Bytecodes that a window is long at least.
    length: u64,
}

impl Collector {
    /// None so far; the first windows are so many bytecodes long.
    pub fn new(length: u64) -> Collector {
        Collector {
            length,
            ..Collector::default()
        }
    }
    /// Numbers a new context.
    pub fn add(&mut self, context: Context) -> u32 {
        self.contexts.push(context);
        self.last.push(Sums::default());
        self.contexts.len() as u32 - 1
    }
    /// Reports what a context has done since the run began; whether that is more than it was. Sums that became smaller (their contexts were folded into
    /// others) count from where they are.
    pub fn record(&mut self, context: u32, now: Sums) -> bool {
        self.reported += 1;
        let last = &mut self.last[context as usize];
        if *last == now {
            return false;
        }
        let delta = Delta {
            context,
            inclusive: now.inclusive.saturating_sub(last.inclusive),
            calls: now.calls.saturating_sub(last.calls),
            objects: now.objects.saturating_sub(last.objects),
            bytes: now.bytes.saturating_sub(last.bytes),
        };
        *last = now;
        self.window.deltas.push(delta);
        true
    }
    /// Ends a window at that bytecode; how many bytecodes the next one is to be long.
    pub fn end(&mut self, end: u64, totals: Totals) -> u64 {
        if self.contexts.is_empty() {
            // the program has not begun
            self.totals = totals;
            return self.length;
        }
        let mut window = std::mem::take(&mut self.window);
        window.end = end;
        window.collections = totals.collections - self.totals.collections;
        window.before = totals.before - self.totals.before;
        window.after = totals.after - self.totals.after;
        window.lost = totals.lost.saturating_sub(self.totals.lost);
        self.totals = totals;
        self.rows += window.deltas.len();
        self.windows.push(window);
        let many = self.windows.len() >= MOST_WINDOWS;
        if many || self.rows > MOST_ROWS && self.windows.len() > LEAST_WINDOWS {
            self.halve();
        }
        // so that looking at contexts stays a small part of the work
        let reported = std::mem::take(&mut self.reported);
        self.length.max(EACH * reported)
    }
    fn halve(&mut self) {
        self.length *= 2;
        let windows = std::mem::take(&mut self.windows);
        let mut sums: Vec<Delta> = vec![Delta::default(); self.contexts.len()];
        let mut windows = windows.into_iter();
        while let Some(mut first) = windows.next() {
            if let Some(second) = windows.next() {
                join(&mut first, second, &mut sums);
            }
            self.windows.push(first);
        }
        self.rows = self.windows.iter().map(|w| w.deltas.len()).sum();
    }
    /// The contexts and windows.
    pub fn finish(self) -> (Vec<Context>, Vec<Window>) {
        (self.contexts, self.windows)
    }
}

fn join(first: &mut Window, second: Window, sums: &mut [Delta]) {
    first.end = second.end;
    first.collections += second.collections;
    first.before += second.before;
    first.after += second.after;
    first.lost += second.lost;
    let both = std::mem::take(&mut first.deltas)
        .into_iter()
        .chain(second.deltas);
    let mut touched = Vec::new();
    for d in both {
        let sum = &mut sums[d.context as usize];
        if *sum == Delta::default() {
            touched.push(d.context);
        }
        sum.context = d.context;
        sum.inclusive += d.inclusive;
        sum.calls += d.calls;
        sum.objects += d.objects;
        sum.bytes += d.bytes;
    }
    touched.sort_unstable();
    touched.dedup();
    first.deltas = touched
        .into_iter()
        .map(|c| std::mem::take(&mut sums[c as usize]))
        .collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(inclusive: u64) -> Sums {
        Sums {
            inclusive,
            calls: 1,
            ..Sums::default()
        }
    }

    #[test]
    fn windows_keep_their_sums_when_neighbours_are_joined() {
        let mut all = Collector::new(10);
        let context = Context {
            parent: None,
            method: 0,
            site: None,
            thread: 0,
        };
        let (a, b) = (all.add(context), all.add(context));
        let mut at = 0;
        let mut length = 10;
        for i in 1..=1000u64 {
            all.record(a, sums(i * 10));
            if i % 3 == 0 {
                all.record(b, sums(i));
            }
            at += 10;
            length = all.end(
                at,
                Totals {
                    collections: i,
                    ..Totals::default()
                },
            );
        }
        assert!(length >= 40, "{length}");
        let (_, windows) = all.finish();
        assert!(windows.len() < MOST_WINDOWS && windows.len() > MOST_WINDOWS / 3);
        let sum = |c: u32, f: fn(&Delta) -> u64| -> u64 {
            let of = windows
                .iter()
                .flat_map(|w| &w.deltas)
                .filter(|d| d.context == c);
            of.map(f).sum()
        };
        assert_eq!(
            (sum(a, |d| d.inclusive), sum(b, |d| d.inclusive)),
            (10_000, 999)
        );
        assert_eq!((sum(a, |d| d.calls), sum(b, |d| d.calls)), (1, 1));
        assert_eq!(windows.iter().map(|w| w.collections).sum::<u64>(), 1000);
        assert_eq!(windows.last().map(|w| w.end), Some(10_000));
    }
}
