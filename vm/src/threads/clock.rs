//! The clock that programs read and all waits go by: the host's, or one driven by executed bytecodes.

use crate::host::{CpuTime, Host};

/// Where a VM's time comes from. Everything a program can read of time, every deadline and every wait goes
/// through it, so a clock that is a function of the bytecodes makes them a function of the program.
pub trait Clock: Send {
    /// Whether time is made from the number of executed bytecodes. If not, `executed` is 0 in all calls, which saves
    /// finding it out.
    fn is_virtual(&self) -> bool;
    /// Nanoseconds of a monotonic clock when all threads together have executed `executed` bytecodes.
    fn nano_time(&mut self, host: &mut dyn Host, executed: i64) -> i64;
    /// Seconds and nanoseconds since 1970-01-01 UTC.
    fn wall_clock(&mut self, host: &mut dyn Host, executed: i64) -> (i64, u32);
    /// Processor time the VM has used when all threads together have executed `executed` bytecodes.
    fn cpu_time(&mut self, host: &mut dyn Host, executed: i64) -> CpuTime {
        if !self.is_virtual() {
            return host.cpu_time();
        }
        let now = self.nano_time(host, executed);
        CpuTime {
            total: now,
            user: now,
        }
    }
    /// No thread can run before `deadline` (of [`Clock::nano_time`]; `None`: no limit) unless one of `fds` becomes ready
    /// (see [`Host::wait`]) or a signal arrives. Returns the indices of the ready ones.
    fn wait(
        &mut self,
        host: &mut dyn Host,
        executed: i64,
        fds: &[(i32, u8)],
        deadline: Option<i64>,
    ) -> Vec<usize>;
}

/// The host's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostClock;

impl Clock for HostClock {
    fn is_virtual(&self) -> bool {
        false
    }
    fn nano_time(&mut self, host: &mut dyn Host, _: i64) -> i64 {
        host.nano_time()
    }
    fn wall_clock(&mut self, host: &mut dyn Host, _: i64) -> (i64, u32) {
        host.wall_clock()
    }
    fn wait(
        &mut self,
        host: &mut dyn Host,
        _: i64,
        fds: &[(i32, u8)],
        deadline: Option<i64>,
    ) -> Vec<usize> {
        host.wait(fds, deadline)
    }
}

/// A clock that advances by executed bytecodes, and jumps to the next deadline when no thread can run. It begins at 0,
/// and its wall clock at 2000-01-01 UTC.
#[derive(Clone, Copy, Debug)]
pub struct BytecodeClock {
    /// Picoseconds of a bytecode.
    rate: u64,
    /// Nanoseconds it has jumped.
    jumped: i64,
}

/// Seconds from 1970-01-01 to 2000-01-01 UTC.
const EPOCH: i64 = 946_684_800;

impl BytecodeClock {
    /// A clock on which a bytecode takes `picoseconds`.
    pub fn new(picoseconds: u64) -> BytecodeClock {
        BytecodeClock {
            rate: picoseconds,
            jumped: 0,
        }
    }
    /// Nanoseconds that so many bytecodes take.
    fn ran(&self, executed: i64) -> i64 {
        let ran = i128::from(executed) * i128::from(self.rate) / 1000;
        i64::try_from(ran).unwrap_or(i64::MAX)
    }
    fn now(&self, executed: i64) -> i64 {
        self.ran(executed).saturating_add(self.jumped)
    }
}

impl Clock for BytecodeClock {
    fn is_virtual(&self) -> bool {
        true
    }
    fn nano_time(&mut self, _: &mut dyn Host, executed: i64) -> i64 {
        self.now(executed)
    }
    fn wall_clock(&mut self, _: &mut dyn Host, executed: i64) -> (i64, u32) {
        let now = self.now(executed);
        let (seconds, nanos) = (now.div_euclid(1_000_000_000), now.rem_euclid(1_000_000_000));
        (EPOCH + seconds, nanos as u32)
    }
    fn cpu_time(&mut self, _: &mut dyn Host, executed: i64) -> CpuTime {
        let ran = self.ran(executed);
        CpuTime {
            total: ran,
            user: ran,
        }
    }
    fn wait(
        &mut self,
        host: &mut dyn Host,
        executed: i64,
        fds: &[(i32, u8)],
        deadline: Option<i64>,
    ) -> Vec<usize> {
        let Some(deadline) = deadline else {
            // only the outside can make a thread runnable
            return host.wait(fds, None);
        };
        let ready = match fds {
            [] => Vec::new(),
            _ => host.wait(fds, Some(i64::MIN)),
        };
        if ready.is_empty() {
            let left = deadline.saturating_sub(self.now(executed)).max(0);
            self.jumped = self.jumped.saturating_add(left);
        }
        ready
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::tests::Clockwork;

    #[test]
    fn bytecodes_drive_the_clock_and_waits_jump_it() {
        let host = &mut Clockwork::default();
        let mut clock = BytecodeClock::new(2500);
        assert_eq!(clock.nano_time(host, 0), 0);
        assert_eq!(clock.nano_time(host, 4), 10);
        assert_eq!(clock.wall_clock(host, 4), (EPOCH, 10));
        assert!(clock.wait(host, 4, &[], Some(1_000_000_010)).is_empty());
        assert_eq!(clock.nano_time(host, 4), 1_000_000_010);
        assert_eq!(clock.wall_clock(host, 8), (EPOCH + 1, 20));
        // a wait uses no processor
        let used = CpuTime {
            total: 20,
            user: 20,
        };
        assert_eq!(clock.cpu_time(host, 8), used);
        // a deadline in the past does not turn it back
        clock.wait(host, 8, &[], Some(3));
        assert_eq!(clock.nano_time(host, 8), 1_000_000_020);
        // a descriptor that is ready ends the wait before the deadline
        host.fd_ready = Some((5, i64::MIN));
        assert_eq!(clock.wait(host, 8, &[(5, 1)], Some(i64::MAX)), [0]);
        assert_eq!(clock.nano_time(host, 8), 1_000_000_020);
        assert_eq!(clock.nano_time(host, i64::MAX), i64::MAX);
    }
}
