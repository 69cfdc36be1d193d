//! A host that grants access to the resources of its [`Grants`](crate::Grants), and nothing else.

mod descriptors;
mod entropy;
mod files;
mod folder;
mod network;
mod processes;
mod space;
#[cfg(test)]
mod tests;
mod watchers;
mod world;

pub(crate) use entropy::SharedEntropy;
pub(crate) use folder::{Grant, root};
pub(crate) use network::Guarded;
pub(crate) use space::{Mount, Space};
pub(crate) use world::World;

use rjvm_jdk_stubs::os::{OsHost, OsProcesses};
use rjvm_vm::host::{CpuTime, Descriptors, Files, Host, Io, Network, Processes, System, Waker};
use std::any::Any;

/// A clock.
pub(crate) enum ContainedClock {
    /// This machine's.
    Real,
    /// One that is stopped except for a step at each look at it, and jumps when all threads wait: nanoseconds.
    Virtual(i64),
}

/// Nanoseconds between two looks at a virtual clock, so that who waits by looking gets on.
const STEP: i64 = 1000;

/// Seconds from 1970-01-01 to 2000-01-01 UTC.
const EPOCH: i64 = 946_684_800;

/// What a contained program finds outside its VM.
pub(crate) struct Contained {
    /// The table of descriptors, signals if they are granted, and the resources granted as a whole.
    pub os: OsHost,
    /// Files and descriptors, unless the system's are granted whole.
    pub world: Option<World>,
    pub network: Box<dyn Network>,
    /// Processes of the system, if they are granted.
    pub processes: Option<OsProcesses>,
    /// Whether it may end its VM.
    pub exit: bool,
    pub time: ContainedClock,
    pub entropy: SharedEntropy,
    /// The name of the system; `None`: the real one.
    pub system: Option<System>,
}

impl Contained {
    fn virtual_wait(&mut self, fds: &[(i32, u8)], deadline: Option<i64>) -> Vec<usize> {
        let ContainedClock::Virtual(now) = self.time else {
            return self.os.wait(fds, deadline);
        };
        let Some(deadline) = deadline else {
            // only the outside can end it
            return self.os.wait(fds, None);
        };
        if !fds.is_empty() {
            // the outside takes its own time to answer
            let left = deadline.saturating_sub(now).max(0);
            let until = self.os.nano_time().saturating_add(left);
            let ready = self.os.wait(fds, Some(until));
            if !ready.is_empty() || self.os.nano_time() < until {
                return ready;
            }
        }
        self.time = ContainedClock::Virtual(now.max(deadline));
        Vec::new()
    }
}

impl Host for Contained {
    fn nano_time(&mut self) -> i64 {
        match &mut self.time {
            ContainedClock::Real => self.os.nano_time(),
            ContainedClock::Virtual(now) => {
                *now += STEP;
                *now
            }
        }
    }
    fn wall_clock(&mut self) -> (i64, u32) {
        match self.time {
            ContainedClock::Real => self.os.wall_clock(),
            ContainedClock::Virtual(_) => {
                let now = self.nano_time();
                (EPOCH + now / 1_000_000_000, (now % 1_000_000_000) as u32)
            }
        }
    }
    fn entropy(&mut self, buf: &mut [u8]) {
        self.entropy.fill(buf)
    }
    fn wait(&mut self, fds: &[(i32, u8)], deadline: Option<i64>) -> Vec<usize> {
        self.virtual_wait(fds, deadline)
    }
    fn native_access(&self) -> bool {
        self.os.native_access
    }
    fn waker(&mut self) -> Option<Waker> {
        self.os.waker()
    }
    fn peek_time(&mut self) -> i64 {
        match self.time {
            ContainedClock::Real => self.os.peek_time(),
            ContainedClock::Virtual(now) => now,
        }
    }
    fn cpu_time(&mut self) -> CpuTime {
        match self.time {
            ContainedClock::Real => self.os.cpu_time(),
            ContainedClock::Virtual(now) => CpuTime {
                total: now,
                user: now,
            },
        }
    }
    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
    fn descriptors(&mut self) -> &mut dyn Descriptors {
        match &mut self.world {
            Some(world) => world,
            None => self.os.descriptors(),
        }
    }
    fn files(&mut self) -> &mut dyn Files {
        match &mut self.world {
            Some(world) => world,
            None => self.os.files(),
        }
    }
    fn network(&mut self) -> &mut dyn Network {
        &mut *self.network
    }
    fn processes(&mut self) -> &mut dyn Processes {
        self
    }
    fn environment(&mut self) -> Vec<(Vec<u8>, Vec<u8>)> {
        self.os.environment()
    }
    fn system(&mut self) -> System {
        match &self.system {
            Some(system) => system.clone(),
            None => self.os.system(),
        }
    }
    fn time_zone(&mut self) -> Option<String> {
        match self.system {
            Some(_) => None,
            None => self.os.time_zone(),
        }
    }
    fn utc_offset(&mut self) -> i32 {
        match self.system {
            Some(_) => 0,
            None => self.os.utc_offset(),
        }
    }
    // refused where signals are not granted
    fn watch_signal(&mut self, number: i32) -> Io<bool> {
        self.os.watch_signal(number)
    }
    fn unwatch_signal(&mut self, number: i32, ignore: bool) -> Io<()> {
        self.os.unwatch_signal(number, ignore)
    }
    fn take_signal(&mut self) -> Option<i32> {
        self.os.take_signal()
    }
    fn raise_signal(&mut self, number: i32) -> Io<()> {
        self.os.raise_signal(number)
    }
    fn ignores_signal(&mut self, number: i32) -> bool {
        self.os.ignores_signal(number)
    }
}
