//! The use of methods over the whole run, computed from the timers of parts of it.

use super::Moment;

/// What a method has used. Of times without a timer since it was timed first it is taken that they were as those beside them; of
/// calls before, that they used what the later ones did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Account {
    /// What all had used since its first call by then, and how often it had been entered.
    before: (u64, u64),
    /// What it has used since, by estimate, until all had used so much.
    used: u64,
    upto: u64,
    /// What it had used of what all had in the first window, and in the last one.
    at_first: (u64, u64),
    last: (u64, u64),
    /// Bytecodes of the run when it used more than the threshold of everything until then, for the last time that is known.
    until: u64,
}

fn part(of: u64, (used, all): (u64, u64)) -> u64 {
    match all {
        0 => 0,
        all => (u128::from(of) * u128::from(used) / u128::from(all)) as u64,
    }
}

impl Account {
    /// Of a method that is timed from now on, whose first call was when all had used so much, and that has been entered so often.
    pub fn new(from: Moment, first: u64, entered: u64) -> Account {
        Account {
            // counters may have been read before its first call
            before: (
                from.used.saturating_sub(first),
                entered.max(u64::from(first < from.used)),
            ),
            used: 0,
            upto: from.used,
            at_first: (0, 0),
            last: (0, 0),
            until: 0,
        }
    }
    /// A timer was there from `begin` to `end`, and has reported this.
    pub fn add(&mut self, begin: Moment, end: Moment, used: u64) {
        let window = (used, end.used.saturating_sub(begin.used));
        let gap = begin.used.saturating_sub(self.upto);
        let beside = match self.last.1 {
            0 => part(gap, window),
            _ => (part(gap, self.last) + part(gap, window)) / 2,
        };
        self.used += beside + used;
        self.upto = end.used;
        self.last = window;
        if self.at_first.1 == 0 {
            self.at_first = window;
        }
    }
    /// What it has used by now, when it has been entered so often.
    pub fn used(&self, now: Moment, entered: u64) -> u64 {
        let rest = now.used.saturating_sub(self.upto);
        let since = self.used + part(rest, self.last);
        let (most, calls) = self.before;
        let before = match entered.saturating_sub(calls) {
            // the call that was under way when it was timed is the only one
            0 => part(most, self.at_first),
            later => part(calls, (since, later)),
        };
        since + before.min(most)
    }
    /// Notes that it is a bottleneck now.
    pub fn note(&mut self, now: Moment) {
        self.until = now.bytecodes;
    }
    pub fn until(&self) -> u64 {
        self.until
    }
}

/// Whether it is at least so many thousandths.
pub(super) fn over(used: u64, all: u64, threshold: u64) -> bool {
    used > 0 && u128::from(used) * 1000 >= u128::from(all) * u128::from(threshold)
}
