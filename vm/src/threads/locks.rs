//! Monitor dumps: every monitor that a thread has entered or waits for, which thread waits for which, and the deadlocks among
//! them.

use super::dump::Need;
use super::monitor::thin_owner;
use crate::heap::{MARK, mark};
use crate::ids::{ClassId, Ref, ThreadId};
use crate::vm::Vm;
use std::fmt::Write;

/// A monitor in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitorState {
    /// The object.
    pub object: Ref,
    /// The thread that has entered it.
    pub owner: Option<ThreadId>,
    /// How often.
    pub entries: u32,
    /// Who waits to enter, in the order in which they get it.
    pub entering: Vec<ThreadId>,
    /// Who waits to be notified, in order.
    pub waiting: Vec<ThreadId>,
}

/// What a thread waits for that another thread has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockingLock {
    /// A monitor, of this object.
    Monitor(Ref),
    /// An `AbstractOwnableSynchronizer`.
    Synchronizer(Ref),
    /// The initialization of a class.
    Class(ClassId),
}

/// An edge of the graph of waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitsFor {
    /// Who waits.
    pub thread: ThreadId,
    /// For what.
    pub what: BlockingLock,
    /// The holder.
    pub holder: ThreadId,
}

/// The monitors of a VM at a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MonitorDump {
    /// Those in use, by ascending address of their objects.
    pub monitors: Vec<MonitorState>,
    /// Who waits for whom, by the order in which threads have started.
    pub waits: Vec<WaitsFor>,
    /// Threads that wait for each other, each for the next one and the last for the first.
    pub deadlocks: Vec<Vec<ThreadId>>,
}

impl Vm {
    /// All monitors that a thread has entered or waits for, and which thread waits for which. Panics while the heap is being
    /// collected.
    pub fn monitor_dump(&mut self) -> MonitorDump {
        self.settle_heap();
        let mut monitors = Vec::new();
        // those without a monitor of their own are known by their objects only
        let mut thin = Vec::new();
        self.each_object_of_heap(|r| thin.push(r));
        thin.extend(self.loaded.classes.iter().map(|&c| self.mirror(c)));
        for object in thin.into_iter().filter(|r| !r.is_null()) {
            let word: u32 = self.heap.get(object, MARK);
            if mark::state(word) == mark::THIN {
                let (owner, recursions) = thin_owner(word);
                monitors.push(MonitorState {
                    object,
                    owner: Some(owner),
                    entries: recursions + 1,
                    entering: Vec::new(),
                    waiting: Vec::new(),
                });
            }
        }
        for i in self.monitors.used() {
            let m = self.monitors.get(i);
            monitors.push(MonitorState {
                object: m.object,
                owner: m.owner,
                entries: m.owner.map_or(0, |_| m.recursions + 1),
                entering: m.entering().collect(),
                waiting: m.waiters.iter().copied().collect(),
            });
        }
        monitors.sort_by_key(|m| m.object);
        let live: Vec<ThreadId> = self.live_threads().collect();
        let waits = live.iter().filter_map(|&thread| {
            let (need, holder) = self.needs(thread)?;
            let what = match need {
                Need::Monitor(r) => BlockingLock::Monitor(r),
                Need::Synchronizer(r) => BlockingLock::Synchronizer(r),
                Need::Class(c) => BlockingLock::Class(c),
            };
            Some(WaitsFor {
                thread,
                what,
                holder,
            })
        });
        let waits = waits.collect();
        MonitorDump {
            monitors,
            waits,
            deadlocks: self.cycles(&live),
        }
    }
    /// A monitor dump as text.
    pub fn describe_monitors(&mut self, dump: &MonitorDump) -> String {
        let mut out = String::from("Monitors:\n");
        let names = |vm: &mut Vm, list: &[ThreadId]| {
            let names = list.iter().map(|&t| format!("\"{}\"", vm.thread_name(t)));
            names.collect::<Vec<_>>().join(", ")
        };
        for m in &dump.monitors {
            let _ = write!(out, "  {}", self.describe_object(m.object));
            match m.owner {
                None => out.push_str(": free"),
                Some(t) => {
                    let _ = write!(out, ": entered by {}", names(self, &[t]));
                    if m.entries > 1 {
                        let _ = write!(out, " {} times", m.entries);
                    }
                }
            }
            if !m.entering.is_empty() {
                let _ = write!(out, "; to enter: {}", names(self, &m.entering));
            }
            if !m.waiting.is_empty() {
                let _ = write!(out, "; to be notified: {}", names(self, &m.waiting));
            }
            out.push('\n');
        }
        out.push_str("Who waits for whom:\n");
        for w in &dump.waits {
            let what = match w.what {
                BlockingLock::Monitor(r) => format!("the monitor of {}", self.describe_object(r)),
                BlockingLock::Synchronizer(r) => self.describe_object(r),
                BlockingLock::Class(c) => {
                    format!("the initialization of {}", self.class(c).dotted())
                }
            };
            let (thread, holder) = (names(self, &[w.thread]), names(self, &[w.holder]));
            let _ = writeln!(out, "  {thread} -> {holder}: {what}");
        }
        let live: Vec<ThreadId> = self.live_threads().collect();
        self.dump_cycles(&live, &mut out);
        out
    }
}
