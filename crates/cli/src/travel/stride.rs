//! How far a program goes between two checkpoints: about as far as it comes in a tenth of a second of processor time. A step back takes as
//! long at most, since it runs the program again from a checkpoint.
//!
//! Where checkpoints are depends on the time that runs have taken. Positions and states do not depend on checkpoints.

use std::time::Duration;

/// How long the way between two checkpoints takes.
const PACE: Duration = Duration::from_millis(100);
/// Bytecodes of that way, at least and at most.
const BOUNDS: (i64, i64) = (1 << 20, 1 << 28);

/// Bytecodes between two checkpoints.
pub struct Stride(i64);

impl Default for Stride {
    fn default() -> Stride {
        Stride(BOUNDS.0)
    }
}

impl Stride {
    /// So many bytecodes, or fewer.
    pub fn at_most(&self, bytecodes: i64) -> i64 {
        bytecodes.min(self.0)
    }
    /// A process that had used so much processor time ran so many bytecodes, or ended.
    pub fn took(&mut self, bytecodes: i64, before: Option<Duration>, after: Option<Duration>) {
        let Some(time) = before.zip(after).and_then(|(a, b)| b.checked_sub(a)) else {
            return;
        };
        if time > PACE {
            self.0 /= 2;
        } else if time < PACE / 2 && bytecodes >= self.0 {
            self.0 *= 2;
        }
        self.0 = self.0.clamp(BOUNDS.0, BOUNDS.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stride_follows_the_pace() {
        let took = |stride: &mut Stride, bytecodes, time| {
            let before = Duration::from_secs(5);
            stride.took(bytecodes, Some(before), Some(before + time));
        };
        let (fast, most) = (Duration::from_millis(1), i64::MAX);
        let mut stride = Stride::default();
        let first = stride.at_most(most);
        // a run that ended early says nothing, and neither does a process that is gone
        took(&mut stride, first - 1, fast);
        stride.took(first, Some(fast), None);
        assert_eq!(stride.at_most(most), first);
        for _ in 0..100 {
            let bytecodes = stride.at_most(most);
            took(&mut stride, bytecodes, fast);
        }
        assert_eq!((stride.at_most(most), stride.at_most(5)), (BOUNDS.1, 5));
        took(&mut stride, BOUNDS.1, PACE * 2);
        assert_eq!(stride.at_most(most), BOUNDS.1 / 2);
        took(&mut stride, BOUNDS.1 / 2, PACE * 3 / 4);
        assert_eq!(stride.at_most(most), BOUNDS.1 / 2);
    }
}
