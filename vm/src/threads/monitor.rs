//! Monitors (JLS 17.1, 17.2): thin locks in the mark word and the table of inflated monitors.
//!
//! An uncontended lock lives in the object's mark word. It is inflated (the mark word then holds an
//! index into [`Monitors`]) on contention, `wait`, recursion overflow, and when an object with an
//! identity hash is locked or the hash of a locked one is read. A monitor is deflated when it is last released with no thread
//! queued, waiting or on the way in; so every monitor in the table is in use, and its object is a root of the collector.
//!
//! Nothing here knows the VM: `sync` ties it to objects and threads.
//!
//! **Fairness.** Releasing a monitor wakes the thread at the head of the entry queue without giving it the lock: the first
//! thread to run takes it, which spares a switch at every release. A woken thread
//! that finds the monitor taken again goes back to the head, and the next release hands the monitor
//! to it. So no thread starves, and the order is a function of the program alone.

use crate::heap::mark;
use crate::ids::{Ref, ThreadId};
use std::collections::VecDeque;

/// Bits of the recursion count in a thin mark word.
const RECURSIONS: u32 = 0xfc;
/// One recursion in a thin mark word.
const RECURSION: u32 = 4;
/// Thread ids from here on don't fit a thin mark word; no thread gets one.
pub const THREAD_IDS: u32 = 1 << 24;

/// The mark word of an object that thread `t` has entered once.
#[inline(always)]
pub const fn thin_word(t: ThreadId) -> u32 {
    t.0 << 8 | mark::THIN
}

/// `monitorenter` on mark word `m` by the thread whose [`thin_word`] is `thin`: the new mark word,
/// or `None` when `Vm::monitor_enter` has to look.
#[inline(always)]
pub const fn try_enter_thin(m: u32, thin: u32) -> Option<u32> {
    if m == mark::NEUTRAL {
        Some(thin)
    } else if m & !RECURSIONS == thin && m & RECURSIONS != RECURSIONS {
        Some(m + RECURSION)
    } else {
        None
    }
}

/// `monitorexit` on mark word `m` by the thread whose [`thin_word`] is `thin`: the new mark word, or
/// `None` when `Vm::monitor_exit` has to look.
#[inline(always)]
pub const fn try_exit_thin(m: u32, thin: u32) -> Option<u32> {
    if m == thin {
        Some(mark::NEUTRAL)
    } else if m & !RECURSIONS == thin {
        Some(m - RECURSION)
    } else {
        None
    }
}

/// Owner and recursions (beyond the first entry) of a thin mark word.
#[inline]
pub const fn thin_owner(m: u32) -> (ThreadId, u32) {
    (ThreadId(m >> 8), (m & RECURSIONS) >> 2)
}

/// An inflated monitor.
#[derive(Debug, Default)]
pub struct Monitor {
    /// The object (updated by the collector).
    pub object: Ref,
    /// Identity hash of the object, 0 while it has none.
    pub hash: u32,
    /// Owner.
    pub owner: Option<ThreadId>,
    /// Entries of the owner beyond the first.
    pub recursions: u32,
    /// The owner was given the monitor while it was waiting for it and has not run since.
    handed: bool,
    /// The head of the queue has been woken once without effect: the next release hands over.
    eager: bool,
    /// Thread that left the queue because the monitor became free, and has not run since.
    heir: Option<ThreadId>,
    /// Threads that wait to enter.
    pub queue: VecDeque<ThreadId>,
    /// Threads in `Object.wait`.
    pub waiters: VecDeque<ThreadId>,
}

/// Outcome of [`Monitors::enter`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enter {
    /// The thread owns the monitor.
    Entered,
    /// The thread is in the entry queue.
    Queued,
}

/// Outcome of [`Monitors::exit`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MonitorExit {
    /// The caller is not the owner.
    NotOwner,
    /// Still owned.
    Held,
    /// Released; this thread of the entry queue, if any, is to become runnable.
    Released(Option<ThreadId>),
}

/// All inflated monitors.
#[derive(Default)]
pub struct Monitors {
    list: Vec<Monitor>,
    free: Vec<u32>,
}

impl Monitors {
    /// A new monitor of `object`.
    pub fn inflate(
        &mut self,
        object: Ref,
        hash: u32,
        owner: Option<ThreadId>,
        recursions: u32,
    ) -> u32 {
        let i = self.free.pop().unwrap_or_else(|| {
            self.list.push(Monitor::default());
            self.list.len() as u32 - 1
        });
        let m = &mut self.list[i as usize];
        debug_assert!(m.object.is_null());
        (m.object, m.hash, m.owner, m.recursions) = (object, hash, owner, recursions);
        i
    }
    /// Gives the monitor back if nothing needs it any more: object and mark word it goes back to.
    pub fn deflate(&mut self, i: u32) -> Option<(Ref, u32)> {
        let m = &mut self.list[i as usize];
        if m.owner.is_some() || m.heir.is_some() || !m.queue.is_empty() || !m.waiters.is_empty() {
            return None;
        }
        m.eager = false;
        let object = std::mem::take(&mut m.object);
        self.free.push(i);
        Some((object, mark::neutral(m.hash)))
    }
    /// Whether a thread waits to enter, or is on its way in.
    pub fn is_awaited(&self, i: u32) -> bool {
        self.list[i as usize].entering().next().is_some()
    }
    /// The monitor of an index taken from a mark word.
    pub fn get(&self, i: u32) -> &Monitor {
        &self.list[i as usize]
    }
    /// The objects of those that a thread has entered.
    pub fn entered_by(&self, t: ThreadId) -> impl Iterator<Item = Ref> {
        let own = self
            .list
            .iter()
            .filter(move |m| m.owner == Some(t) && !m.handed);
        own.filter_map(|m| m.object.non_null())
    }
    /// The same, mutable.
    pub fn get_mut(&mut self, i: u32) -> &mut Monitor {
        &mut self.list[i as usize]
    }
    /// `t` enters, or joins the entry queue. To be called again by a thread that left the queue.
    pub fn enter(&mut self, i: u32, t: ThreadId) -> Enter {
        let m = &mut self.list[i as usize];
        let heir = m.heir == Some(t);
        if heir {
            m.heir = None;
        }
        match m.owner {
            None => {
                (m.owner, m.recursions) = (Some(t), 0);
                Enter::Entered
            }
            Some(o) if o == t => {
                if m.handed {
                    m.handed = false;
                } else {
                    m.recursions += 1;
                }
                Enter::Entered
            }
            Some(_) if heir => {
                m.queue.push_front(t);
                m.eager = true;
                Enter::Queued
            }
            Some(_) => {
                m.queue.push_back(t);
                Enter::Queued
            }
        }
    }
    /// `t` leaves once.
    pub fn exit(&mut self, i: u32, t: ThreadId) -> MonitorExit {
        let m = &mut self.list[i as usize];
        if m.owner != Some(t) || m.handed {
            return MonitorExit::NotOwner;
        }
        if m.recursions > 0 {
            m.recursions -= 1;
            return MonitorExit::Held;
        }
        MonitorExit::Released(m.release())
    }
    /// `t`, the owner, joins the wait set and leaves wholly: its recursions, and the thread to wake.
    pub fn wait(&mut self, i: u32, t: ThreadId) -> (u32, Option<ThreadId>) {
        let m = &mut self.list[i as usize];
        debug_assert_eq!(m.owner, Some(t));
        m.waiters.push_back(t);
        let recursions = std::mem::take(&mut m.recursions);
        (recursions, m.release())
    }
    /// Moves the thread that has waited longest to the entry queue.
    pub fn notify(&mut self, i: u32) -> Option<ThreadId> {
        let m = &mut self.list[i as usize];
        let t = m.waiters.pop_front()?;
        m.queue.push_back(t);
        Some(t)
    }
    /// `t` abandons whatever it has of the monitor: being its owner, waiting to enter, waiting to be notified. The
    /// thread that is to become runnable, if any.
    pub fn force_release(&mut self, i: u32, t: ThreadId) -> Option<ThreadId> {
        let m = &mut self.list[i as usize];
        m.queue.retain(|&w| w != t);
        m.waiters.retain(|&w| w != t);
        let heir = m.heir == Some(t);
        if heir {
            m.heir = None;
        }
        if m.owner == Some(t) {
            (m.handed, m.recursions) = (false, 0);
            return m.release();
        }
        if heir && m.owner.is_none() {
            m.heir = m.queue.pop_front();
            return m.heir;
        }
        None
    }
    /// Takes a thread out of the wait set (timeout, interrupt).
    pub fn leave_waiters(&mut self, i: u32, t: ThreadId) {
        self.list[i as usize].waiters.retain(|&w| w != t);
    }
    /// Lets the collector visit and update the object of every monitor; all are strong roots.
    pub fn each_object(&mut self, f: &mut dyn FnMut(&mut Ref)) {
        for m in &mut self.list {
            if !m.object.is_null() {
                f(&mut m.object);
            }
        }
    }
    /// Indices of the monitors in use.
    pub fn used(&self) -> impl Iterator<Item = u32> {
        (0..self.list.len() as u32).filter(|&i| !self.list[i as usize].object.is_null())
    }
}

impl Monitor {
    /// Who waits to enter, or is on its way in, in order.
    pub fn entering(&self) -> impl Iterator<Item = ThreadId> {
        let handed = self.owner.filter(|_| self.handed);
        let first = handed.into_iter().chain(self.heir);
        first.chain(self.queue.iter().copied())
    }
    fn release(&mut self) -> Option<ThreadId> {
        if self.eager
            && let Some(t) = self.queue.pop_front()
        {
            (self.owner, self.handed, self.eager) = (Some(t), true, false);
            return Some(t);
        }
        self.owner = None;
        if self.heir.is_none() {
            self.heir = self.queue.pop_front();
            return self.heir;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    const A: ThreadId = ThreadId(1);
    const B: ThreadId = ThreadId(2);
    const C: ThreadId = ThreadId(3);

    #[test]
    fn thin_lock_counts_recursions_up_to_its_bits() {
        let (a, b) = (thin_word(A), thin_word(B));
        let mut m = try_enter_thin(mark::NEUTRAL, a).unwrap();
        let mut entries = 1;
        while let Some(n) = try_enter_thin(m, a) {
            m = n;
            entries += 1;
        }
        assert_eq!((entries, thin_owner(m)), (64, (A, 63)));
        assert_eq!(try_enter_thin(m, b), None);
        assert_eq!(try_exit_thin(m, b), None);
        for _ in 0..64 {
            m = try_exit_thin(m, a).unwrap();
        }
        assert_eq!(m, mark::NEUTRAL);
        assert_eq!(try_exit_thin(m, a), None);
    }

    #[test]
    fn hashed_and_inflated_marks_are_not_thin() {
        assert_eq!(try_enter_thin(mark::neutral(7), thin_word(A)), None);
        assert_eq!(try_enter_thin(7 << 2 | mark::FAT, thin_word(A)), None);
        assert_eq!(try_exit_thin(7 << 2 | mark::FAT, thin_word(A)), None);
        // thread 0's thin word equals the state bits alone
        assert_eq!(try_enter_thin(mark::FAT, thin_word(ThreadId(0))), None);
        assert_eq!(
            try_enter_thin(mark::NEUTRAL, thin_word(ThreadId(0))),
            Some(mark::THIN)
        );
    }

    #[test]
    fn a_release_wakes_and_the_second_one_hands_over() {
        let mut ms = Monitors::default();
        let i = ms.inflate(Ref(9), 5, Some(A), 1);
        assert_eq!(ms.enter(i, B), Enter::Queued);
        assert_eq!(ms.enter(i, C), Enter::Queued);
        assert_eq!(ms.exit(i, B), MonitorExit::NotOwner);
        assert_eq!(ms.exit(i, A), MonitorExit::Held);
        assert_eq!(ms.exit(i, A), MonitorExit::Released(Some(B)));
        // A is faster than B, once
        assert_eq!(ms.enter(i, A), Enter::Entered);
        assert_eq!(ms.enter(i, B), Enter::Queued);
        assert_eq!(ms.exit(i, A), MonitorExit::Released(Some(B)));
        assert_eq!(ms.enter(i, A), Enter::Queued);
        assert_eq!(
            ms.exit(i, B),
            MonitorExit::NotOwner,
            "handed over but not yet entered"
        );
        assert_eq!(ms.enter(i, B), Enter::Entered);
        assert_eq!(ms.get(i).recursions, 0);
        assert_eq!(ms.exit(i, B), MonitorExit::Released(Some(C)));
        assert_eq!(ms.deflate(i), None);
        assert_eq!(ms.enter(i, C), Enter::Entered);
        assert_eq!(ms.exit(i, C), MonitorExit::Released(Some(A)));
        assert_eq!(ms.enter(i, A), Enter::Entered);
        assert_eq!(ms.exit(i, A), MonitorExit::Released(None));
        assert_eq!(ms.deflate(i), Some((Ref(9), mark::neutral(5))));
        assert_eq!(ms.used().count(), 0);
        assert_eq!(ms.inflate(Ref(10), 0, None, 0), i, "indices are used again");
    }

    #[test]
    fn wait_releases_wholly_and_notify_queues_in_order() {
        let mut ms = Monitors::default();
        let i = ms.inflate(Ref(9), 0, Some(A), 2);
        assert_eq!(ms.wait(i, A), (2, None));
        assert_eq!(ms.enter(i, B), Enter::Entered);
        assert_eq!(ms.wait(i, B), (0, None));
        assert_eq!(ms.enter(i, C), Enter::Entered);
        assert_eq!(ms.notify(i), Some(A));
        ms.leave_waiters(i, B);
        assert_eq!(ms.notify(i), None);
        assert_eq!(ms.exit(i, C), MonitorExit::Released(Some(A)));
        assert_eq!(ms.enter(i, A), Enter::Entered);
        assert_eq!(ms.exit(i, A), MonitorExit::Released(None));
        assert!(ms.deflate(i).is_some());
    }

    #[test]
    fn the_collector_sees_every_object_in_use() {
        let mut ms = Monitors::default();
        let i = ms.inflate(Ref(9), 0, Some(A), 0);
        ms.inflate(Ref(11), 0, Some(A), 0);
        ms.exit(i, A);
        ms.deflate(i);
        let mut seen = Vec::new();
        ms.each_object(&mut |r| {
            seen.push(*r);
            *r = Ref(r.0 + 100);
        });
        assert_eq!(seen, [Ref(11)]);
        assert_eq!(ms.get(1).object, Ref(111));
    }
}
