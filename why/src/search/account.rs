//! What methods use over the whole run, by what timers have told of parts of it.

use super::Now;

/// What a method has used since it was timed first. Of times without a timer it is taken that they were as those beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Account {
    /// When that was.
    from: Now,
    /// Its first call was timed: it had used nothing before.
    fresh: bool,
    /// What it has used, by estimate, until all had used so much.
    used: u64,
    upto: u64,
    /// What it had used of what all had in the last window.
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
    pub fn new(from: Now, fresh: bool) -> Account {
        Account {
            from,
            fresh,
            used: 0,
            upto: from.used,
            last: (0, 0),
            until: 0,
        }
    }
    /// A timer was there from `begin` to `end`, and has told this.
    pub fn add(&mut self, begin: Now, end: Now, used: u64) {
        let window = (used, end.used.saturating_sub(begin.used));
        let gap = begin.used.saturating_sub(self.upto);
        let beside = match self.last.1 {
            0 => part(gap, window),
            _ => (part(gap, self.last) + part(gap, window)) / 2,
        };
        self.used += beside + used;
        self.upto = end.used;
        self.last = window;
    }
    /// What it has used by now, and what all have in the same time: the run, if that is known.
    pub fn share(&self, begun: Now, now: Now) -> (u64, u64) {
        let since = if self.fresh { begun } else { self.from };
        let rest = now.used.saturating_sub(self.upto);
        (
            self.used + part(rest, self.last),
            now.used.saturating_sub(since.used),
        )
    }
    /// Whether that is known of the whole run.
    pub fn of_run(&self) -> bool {
        self.fresh
    }
    /// Notes that it is a bottleneck now, if it is.
    pub fn note(&mut self, threshold: u64, begun: Now, now: Now) {
        let (used, all) = self.share(begun, now);
        if over(used, all, threshold) {
            self.until = now.bytecodes;
        }
    }
    pub fn until(&self) -> u64 {
        self.until
    }
}

/// Whether it is at least so many thousandths.
pub(super) fn over(used: u64, all: u64, threshold: u64) -> bool {
    used > 0 && u128::from(used) * 1000 >= u128::from(all) * u128::from(threshold)
}
