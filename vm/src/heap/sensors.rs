//! Sensors of memory pools: the thresholds that the bytes in use have passed, and the signals still to be sent.
//!
//! A pool has two: one for the bytes in use at any time, which signals when they rise to the threshold, and again only after
//! they have been below; one for the bytes that collections leave, which signals after each collection that leaves as much. Both
//! go off below their threshold.

use super::pools::{InUse, POOLS};

/// Which of a pool's sensors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Of what is in use at any time.
    Usage,
    /// Of what a collection has left.
    Collection,
}

/// A signal of a sensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signal {
    /// Whose sensor.
    pub pool: usize,
    /// How many times it has gone on since the last signal.
    pub count: u32,
    /// The bytes in use then; `None`: it is off now.
    pub in_use: Option<InUse>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Sensor {
    /// Root cell of the object that is notified.
    pub(super) cell: Option<u32>,
    /// Bytes; 0: none.
    threshold: usize,
    on: bool,
    /// How many signals to go on are due, and whether to go off after them.
    rises: u32,
    falls: bool,
    /// What was in use when it went on last.
    in_use: InUse,
}

impl Sensor {
    fn is_armed(&self) -> bool {
        self.cell.is_some() && self.threshold > 0
    }
    /// So much is in use now; `each` time counts, not only the first.
    fn measure(&mut self, pool: usize, now: InUse, each: bool) {
        if !self.is_armed() {
            return;
        }
        let goes_on = self.on || self.rises > 0;
        if now[pool] < self.threshold {
            self.falls |= goes_on;
        } else if each || !goes_on || self.falls {
            self.rises += 1;
            self.in_use = now;
            self.falls = false;
        }
    }
}

/// The sensors of all pools.
#[derive(Default)]
pub(crate) struct Sensors {
    pub(super) all: [[Sensor; 2]; POOLS],
    /// Whether a threshold is set for what is in use at any time.
    pub(super) watching: bool,
    /// What is being reported, and to which sensor.
    pub(super) current: Option<(Measure, Signal)>,
}

impl Sensors {
    /// Root cells of the objects, none of which is notified any more.
    pub(crate) fn silence(&mut self) -> impl Iterator<Item = u32> + use<> {
        let old = std::mem::take(self);
        old.all.into_iter().flatten().filter_map(|s| s.cell)
    }
    /// So much is in use now.
    pub(crate) fn measure_use(&mut self, now: InUse) {
        for (i, pool) in self.all.iter_mut().enumerate() {
            pool[Measure::Usage as usize].measure(i, now, false);
        }
    }
    /// A collection has left so much in these pools.
    pub(crate) fn measure_left(&mut self, now: InUse, pools: std::ops::Range<usize>) {
        for i in pools {
            self.all[i][Measure::Collection as usize].measure(i, now, true);
        }
    }
    /// The root cell of an object that has to be notified; [`Sensors::current`] has the signal until [`Sensors::reported`].
    pub(crate) fn next(&mut self) -> Option<u32> {
        for (i, pool) in self.all.iter_mut().enumerate() {
            for (s, measure) in pool.iter_mut().zip([Measure::Usage, Measure::Collection]) {
                let Some(cell) = s.cell.filter(|_| s.rises > 0 || s.falls) else {
                    continue;
                };
                let signal = Signal {
                    pool: i,
                    count: s.rises,
                    in_use: (!s.falls).then_some(s.in_use),
                };
                if s.falls {
                    (s.on, s.falls, s.rises) = (false, false, 0);
                }
                self.current = Some((measure, signal));
                return Some(cell);
            }
        }
        None
    }
    /// The object has been notified. Later signals are still due.
    pub(crate) fn reported(&mut self) {
        if let Some((measure, signal)) = self.current.take()
            && signal.in_use.is_some()
        {
            let s = &mut self.all[signal.pool][measure as usize];
            s.on = true;
            s.rises -= signal.count;
        }
    }
    pub(super) fn set_threshold(&mut self, pool: usize, measure: Measure, bytes: usize) {
        self.all[pool][measure as usize].threshold = bytes;
        self.watching = self
            .all
            .iter()
            .any(|p| p[Measure::Usage as usize].is_armed());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sensor(measure: Measure) -> Sensors {
        let mut s = Sensors::default();
        s.all[0][measure as usize].cell = Some(8);
        s.set_threshold(0, measure, 100);
        s
    }
    fn at(used: usize) -> InUse {
        let mut now = InUse::default();
        now[0] = used;
        now
    }
    /// The next signal: how often it has gone on, and the bytes in use; then the object counts as notified.
    fn next(s: &mut Sensors) -> Option<(u32, Option<usize>)> {
        s.next()?;
        let (_, signal) = s.current?;
        s.reported();
        Some((signal.count, signal.in_use.map(|u| u[0])))
    }

    #[test]
    fn use_is_reported_once_for_each_time_it_rises() {
        let mut s = sensor(Measure::Usage);
        assert!(s.watching);
        for used in [99, 100, 120] {
            s.measure_use(at(used));
        }
        assert_eq!(next(&mut s), Some((1, Some(100))));
        s.measure_use(at(130));
        assert_eq!(next(&mut s), None, "still on");
        s.measure_use(at(99));
        assert_eq!(next(&mut s), Some((0, None)));
        s.measure_use(at(200));
        assert_eq!(next(&mut s), Some((1, Some(200))));
        s.measure_use(at(1));
        s.measure_use(at(300));
        assert_eq!(next(&mut s), Some((1, Some(300))), "off and on again");
        s.measure_use(at(1));
        s.measure_use(at(400));
        s.measure_use(at(1));
        assert_eq!(next(&mut s), Some((1, None)), "counted without a notice");
    }
    #[test]
    fn each_collection_that_leaves_too_much_counts() {
        let mut s = sensor(Measure::Collection);
        assert!(!s.watching);
        for used in [99, 100, 120] {
            s.measure_left(at(used), 0..1);
        }
        assert_eq!(next(&mut s), Some((2, Some(120))));
        s.measure_left(at(110), 0..1);
        s.next();
        s.measure_left(at(115), 0..1);
        s.reported();
        assert_eq!(
            next(&mut s),
            Some((1, Some(115))),
            "came while the sensor reported"
        );
        s.measure_left(at(200), 1..3);
        assert_eq!(next(&mut s), None, "of other pools");
        s.measure_left(at(0), 0..1);
        assert_eq!(next(&mut s), Some((0, None)));
        s.set_threshold(0, Measure::Collection, 0);
        s.measure_left(at(200), 0..1);
        assert_eq!(next(&mut s), None, "without a threshold");
    }
}
