//! The scheduler: run queue, timers, descriptors, waking.
//!
//! The host's loop: `Vm::next_thread` names the thread to run; the interpreter runs it until its
//! slice has ended (`Vm::preempt`), it has blocked ([`Throw::Block`](crate::Throw::Block), after [`Env::block_on`](crate::Env::block_on)) or its
//! first method has returned (`Vm::thread_returned`); then `Vm::next_thread` again.
//!
//! Order is a function of the program, of the clock ([`super::clock`]) and of the schedule ([`super::schedule`]): the run
//! queue is in the order in which threads became runnable; timers that are due at
//! the same moment fire in the order they were set; descriptors are looked at in the order their
//! waits began. No hash map is ever iterated.

use super::Wait;
use crate::ids::ThreadId;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Slices between two looks at the descriptors while threads are runnable.
pub(super) const POLL_EVERY: u32 = 32;
/// Nanoseconds between two looks at child processes, which have no descriptor.
pub(super) const PROCESS_POLL: i64 = 2_000_000;

/// Deadlines of waiting threads. Ties are in the order of insertion.
#[derive(Default)]
pub struct Timers {
    pub(super) set: BTreeSet<(i64, u64, ThreadId)>,
    seq: u64,
}

impl Timers {
    /// Adds a deadline; the result is the key for [`Timers::remove`].
    pub fn insert(&mut self, deadline: i64, t: ThreadId) -> (i64, u64) {
        self.seq += 1;
        self.set.insert((deadline, self.seq, t));
        (deadline, self.seq)
    }
    /// Removes a deadline that has not been popped.
    pub fn remove(&mut self, key: (i64, u64), t: ThreadId) {
        self.set.remove(&(key.0, key.1, t));
    }
    /// The earliest deadline.
    pub fn first(&self) -> Option<i64> {
        self.set.first().map(|e| e.0)
    }
    /// Takes the earliest thread that is due at `now`, with its deadline and number.
    pub(super) fn pop_due(&mut self, now: i64) -> Option<(i64, u64, ThreadId)> {
        if self.first()? > now {
            return None;
        }
        self.set.pop_first()
    }
    /// Number of deadlines.
    pub fn len(&self) -> usize {
        self.set.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }
}

/// Threads that wait for a descriptor, a class, a process or an event, numbered in the order they began to.
#[derive(Default)]
pub(crate) struct Waiters {
    last: u64,
    /// By what they wait for.
    pub(super) by: BTreeMap<(Wait, u64), ThreadId>,
    pub(super) fds: BTreeMap<u64, (ThreadId, i32, u8)>,
    pub(super) processes: BTreeMap<u64, ThreadId>,
}

impl Waiters {
    /// The number of one that begins to wait.
    pub(super) fn add(&mut self, t: ThreadId, on: &Wait) -> u64 {
        self.last += 1;
        match *on {
            Wait::Fd(fd, ops) => drop(self.fds.insert(self.last, (t, fd, ops))),
            Wait::Process(_) => drop(self.processes.insert(self.last, t)),
            _ => {}
        }
        self.by.insert((on.clone(), self.last), t);
        self.last
    }
    pub(super) fn remove(&mut self, number: u64, on: &Wait) {
        self.by.remove(&(on.clone(), number));
        self.fds.remove(&number);
        self.processes.remove(&number);
    }
    /// Those who wait for this.
    pub(super) fn of(&self, on: &Wait) -> Vec<ThreadId> {
        let all = (on.clone(), 0)..=(on.clone(), u64::MAX);
        self.by.range(all).map(|w| *w.1).collect()
    }
}

/// Whether `main` has ended, and the thread that waits for the others then.
#[derive(Default)]
pub(super) struct Shutdown {
    pub(super) wanted: bool,
    pub(super) thread: Option<ThreadId>,
}

/// Run queue and timers.
#[derive(Default)]
pub struct Scheduler {
    /// Runnable threads but the running one.
    pub(super) run: VecDeque<ThreadId>,
    /// The thread that has been handed the turn of the one before, and the bytecodes that were left of that slice.
    pub(super) handed_over: Option<(ThreadId, i64)>,
    pub(super) timers: Timers,
    /// Deadlines of threads that are no system threads.
    pub(super) user_timers: usize,
    pub(super) waiters: Waiters,
    pub(super) slices: u32,
    /// Signals and their dispatcher.
    pub(super) signals: super::arrived::Signals,
    /// Collections that are to be reported.
    pub(super) notices: super::noticed::CollectionNotices,
    pub(super) shutdown: Shutdown,
    /// Diagnostic commands, and Java code that a host runs.
    pub(super) pending_requests: super::pending_calls::PendingRequests,
    /// Live threads by [`super::JavaThread::serial`]: in the order they came up.
    pub live: BTreeMap<u64, ThreadId>,
    /// Threads that there have been.
    pub started: u64,
    /// Numbers of ended threads that new ones may have, the next at the end.
    pub(super) free: Vec<ThreadId>,
    /// The most threads that were alive at once since this was last reset.
    pub peak: usize,
    /// Live threads that are not daemons.
    pub users: usize,
    /// Virtual threads that can go on as soon as a carrier has them: `VirtualThread-unblocker` sees to that.
    pub(super) unblocked: Vec<ThreadId>,
    /// Continuations among the live threads.
    pub continuations: usize,
    /// Continuations among those that there have been.
    pub continuations_started: u64,
    /// Bytes of packed stacks, and how many there were after the last full collection.
    pub(super) packed: usize,
    pub(super) packed_before: usize,
    /// How often continuations have unmounted.
    pub(super) unmounts: u64,
    /// Continuations that have unmounted and keep their stacks, with the number of that time; the last one at the end.
    pub(super) unpacked: VecDeque<(ThreadId, u64)>,
    /// Stacks of ended threads, for new ones.
    pub(super) stacks: Vec<super::stack::Stack>,
}

impl Scheduler {
    /// Live threads that are no continuations.
    pub fn platform_threads(&self) -> usize {
        self.live.len() - self.continuations
    }
}

/// What the host's loop does next.
#[derive(Debug, PartialEq)]
pub enum HostAction {
    /// Run this thread (it is `Vm::cur`).
    Run(ThreadId),
    /// The host has been waiting and came back with nothing to run: look at signals and requests,
    /// then ask again.
    Idle,
    /// Somebody outside has asked the VM to stop.
    Halted(crate::cancel::Halt),
    /// Only daemon threads are left.
    AllDone,
    /// No thread can ever run again; the report says who waits for whom.
    Deadlock(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_fire_by_deadline_then_in_order_of_insertion() {
        let mut t = Timers::default();
        t.insert(20, ThreadId(1));
        t.insert(10, ThreadId(9));
        let key = t.insert(10, ThreadId(3));
        t.insert(10, ThreadId(4));
        t.remove(key, ThreadId(3));
        assert_eq!(t.first(), Some(10));
        assert_eq!(t.pop_due(9), None);
        assert_eq!(t.pop_due(10).map(|d| d.2), Some(ThreadId(9)));
        assert_eq!(t.pop_due(10).map(|d| d.2), Some(ThreadId(4)));
        assert_eq!(t.pop_due(10), None);
        assert_eq!(t.pop_due(i64::MAX).map(|d| d.2), Some(ThreadId(1)));
        assert!(t.is_empty());
    }

    #[test]
    fn waiters_are_found_by_what_they_wait_for_in_the_order_they_began() {
        let mut w = Waiters::default();
        let (event, fd) = (Wait::Event("x"), Wait::Fd(3, 1));
        let numbers = [9, 2, 7, 5].map(|t| w.add(ThreadId(t), &event));
        let first = w.add(ThreadId(8), &fd);
        w.add(ThreadId(1), &Wait::Fd(3, 2));
        w.add(ThreadId(4), &Wait::Process(1));
        w.add(ThreadId(3), &Wait::Process(0));
        w.remove(numbers[1], &event);
        assert_eq!(w.of(&event), [9, 7, 5].map(ThreadId));
        assert_eq!(w.of(&fd), [ThreadId(8)]);
        assert_eq!(w.of(&Wait::Event("y")), []);
        let processes: Vec<_> = w.processes.values().copied().collect();
        assert_eq!(processes, [4, 3].map(ThreadId));
        w.remove(first, &fd);
        let fds: Vec<_> = w.fds.values().copied().collect();
        assert_eq!(fds, [(ThreadId(1), 3, 2)]);
        assert_eq!(w.by.len(), 6);
    }

    #[test]
    fn ten_thousand_timers_come_out_sorted() {
        let mut t = Timers::default();
        let mut x = 1u64;
        for i in 0..10_000 {
            x = x
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            t.insert((x >> 50) as i64, ThreadId(i));
        }
        let (mut last, mut n) = (i64::MIN, 0);
        while let Some(d) = t.first() {
            assert!(d >= last);
            last = d;
            t.pop_due(d).unwrap();
            n += 1;
        }
        assert_eq!(n, 10_000);
    }
}
