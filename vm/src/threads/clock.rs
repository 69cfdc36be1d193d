//! The clock that programs read and all waits go by: the host's, or one driven by executed bytecodes.

use crate::host::{CpuTime, Host};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// Where a VM's time comes from. Everything a program can read of time, every deadline and every wait goes
/// through it, so a clock that is a function of the bytecodes makes them a function of the program.
pub trait Clock: Send {
    /// Whether time is made from the number of executed bytecodes. If not, `executed` is 0 in all calls, which saves
    /// finding it out.
    fn is_virtual(&self) -> bool;
    /// Nanoseconds of a monotonic clock when all threads together have executed `executed` bytecodes.
    fn nano_time(&mut self, host: &mut dyn Host, executed: i64) -> i64;
    /// The latest time that a virtual clock can show when this many bytecodes have been executed, if no wait jumps it before
    /// that. `None`: it cannot say, which costs speed.
    fn ahead(&self, _executed: i64) -> Option<i64> {
        None
    }
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
    /// The clock of [`Clock::nano_time`] for an outside observer: see [`Host::peek_time`].
    fn peek_time(&mut self, host: &mut dyn Host, executed: i64) -> i64 {
        match self.is_virtual() {
            true => self.nano_time(host, executed),
            false => host.peek_time(),
        }
    }
    /// The same of [`Clock::cpu_time`].
    fn peek_cpu_time(&mut self, host: &mut dyn Host, executed: i64) -> CpuTime {
        match self.is_virtual() {
            true => self.cpu_time(host, executed),
            false => host.peek_cpu_time(),
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
#[derive(Clone, Debug)]
pub struct BytecodeClock {
    /// Picoseconds of a bytecode.
    rate: u64,
    /// Nanoseconds it has jumped.
    jumped: i64,
    /// Whether who is waited for outside gets as much real time as the wait may last.
    patient: bool,
    /// What it has last shown.
    face: ClockReading,
}

/// What a [`BytecodeClock`] has last shown, for a host that gives files the program's time.
#[derive(Clone, Default, Debug)]
pub struct ClockReading(Arc<AtomicI64>);

impl ClockReading {
    /// Seconds and nanoseconds since 1970-01-01 UTC.
    pub fn wall_clock(&self) -> (i64, i64) {
        let now = self.0.load(Ordering::Relaxed);
        let second = 1_000_000_000;
        (EPOCH + now.div_euclid(second), now.rem_euclid(second))
    }
}

/// Seconds from 1970-01-01 to 2000-01-01 UTC.
pub const EPOCH: i64 = 946_684_800;

impl BytecodeClock {
    /// A clock on which a bytecode takes `picoseconds`.
    pub fn new(picoseconds: u64) -> BytecodeClock {
        BytecodeClock {
            rate: picoseconds,
            jumped: 0,
            patient: false,
            face: ClockReading::default(),
        }
    }
    /// The same clock; but a wait with a deadline, for something outside of the VM too ([`Host::is_outside`]), lasts as
    /// long in real time before the clock jumps. So a program finds that another process answered in time, or
    /// did not, as it would by a real clock.
    pub fn patient(self) -> BytecodeClock {
        BytecodeClock {
            patient: true,
            ..self
        }
    }
    /// What it shows, whenever the VM turns to its host.
    pub fn face(&self) -> ClockReading {
        self.face.clone()
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
        let now = self.now(executed);
        self.face.0.store(now, Ordering::Relaxed);
        now
    }
    fn ahead(&self, executed: i64) -> Option<i64> {
        Some(self.now(executed))
    }
    fn wall_clock(&mut self, host: &mut dyn Host, executed: i64) -> (i64, u32) {
        self.nano_time(host, executed);
        let (seconds, nanos) = self.face.wall_clock();
        (seconds, nanos as u32)
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
        let left = deadline.saturating_sub(self.now(executed)).max(0);
        let patient = self.patient && left > 0 && fds.iter().any(|f| host.is_outside(f.0));
        let until = match patient {
            true => host.nano_time().saturating_add(left),
            false => i64::MIN,
        };
        let ready = match fds {
            [] => Vec::new(),
            _ => host.wait(fds, Some(until)),
        };
        // a wait that a signal has cut short goes on
        let over = !patient || host.nano_time() >= until;
        if ready.is_empty() && over {
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
        assert_eq!(clock.ahead(8), Some(20));
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

    #[test]
    fn a_patient_clock_waits_for_who_is_outside() {
        let host = &mut Clockwork::default();
        let mut clock = BytecodeClock::new(1000).patient();
        let face = clock.face();
        // the host's clock moves as far
        assert!(clock.wait(host, 5, &[(5, 1)], Some(1_000_005)).is_empty());
        assert_eq!(host.nano_time(), 1_000_000);
        assert_eq!(clock.nano_time(host, 5), 1_000_005);
        assert_eq!(face.wall_clock(), (EPOCH, 1_000_005));
        // without anybody to wait for, it does not
        assert!(clock.wait(host, 5, &[], Some(3_000_005)).is_empty());
        assert_eq!(host.nano_time(), 1_000_000);
        assert_eq!(clock.nano_time(host, 5), 3_000_005);
    }
}
