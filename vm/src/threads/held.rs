//! What threads have locked, as thread dumps report it: which frame has which monitors, and who owns which synchronizer.

use super::status::{bits, status_of};
use super::{ThreadState, Wait};
use crate::classes::Code;
use crate::ids::{Ref, ThreadId};
use crate::jdk;
use crate::vm::Vm;
use rjvm_classfile::opcodes as o;
use std::ops::ControlFlow;

/// What a thread waits for, as thread information has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocker {
    /// `Thread.threadStatus`, or the status of a thread that runs, if it is not known what it waits for.
    pub status: i32,
    /// The object; null if there is none.
    pub object: Ref,
    /// The `Thread` that has it; null if none has.
    pub owner: Ref,
}

impl Vm {
    /// The object of the monitor that a thread waits to enter, or to be notified of.
    fn awaited_monitor(&self, t: ThreadId) -> Option<Ref> {
        match self.threads[t.0 as usize].state {
            ThreadState::Waiting {
                on: Wait::Notify(i) | Wait::Monitor(i),
                ..
            } => Some(self.monitors.get(i).object),
            _ => None,
        }
    }
    /// The objects whose monitors the frames of a thread have entered, with the frame's number, the top one being 0; the monitor
    /// entered last comes first. One that the thread has abandoned for the length of `Object.wait` is among them.
    pub(crate) fn locked_by_frames(&mut self, t: ThreadId) -> Vec<(usize, Ref)> {
        let waits_in = self.awaited_monitor(t);
        let own = |vm: &Vm, r: Ref| vm.monitor_owner(r) == Some(t) || waits_in == Some(r);
        let open = self.open_frames(t);
        let mut found = Vec::new();
        let mut number = 0;
        self.walk_frames(t, |vm, frame| {
            let known = open.get(number);
            let in_blocks = match known.and_then(|f| f.noted.clone()) {
                Some(noted) => noted,
                None => {
                    let code = vm.method(frame.method).code().map(|code| code.kept());
                    let at = u16::try_from(frame.bci).ok();
                    let locals = code
                        .zip(at)
                        .map_or(Vec::new(), |(c, bci)| locks_at(&c, bci));
                    locals.into_iter().map(|l| frame.local_in(vm, l)).collect()
                }
            };
            let objects = in_blocks
                .into_iter()
                .chain(known.and_then(|f| f.lock))
                .filter(|&r| !r.is_null() && own(vm, r));
            found.extend(objects.map(|r| (number, r)));
            number += 1;
            ControlFlow::Continue(())
        });
        // a thread on its way into a monitor has not entered it, unless a frame below has been in it
        let entering = matches!(
            self.threads[t.0 as usize].state,
            ThreadState::Waiting {
                on: Wait::Monitor(_),
                ..
            }
        );
        if entering
            && found
                .first()
                .is_some_and(|f| f.0 == 0 && waits_in == Some(f.1))
        {
            found.remove(0);
        }
        found
    }
    /// The monitors that a thread has for the management interface: the same, without the awaited one where it is the
    /// last that a frame has entered.
    pub(crate) fn locked_monitors(&mut self, t: ThreadId) -> Vec<(usize, Ref)> {
        let awaited = self.awaited_monitor(t);
        let mut last = None;
        let mut locked = self.locked_by_frames(t);
        locked.retain(|&(frame, object)| {
            if last != Some(frame) && awaited == Some(object) {
                return false;
            }
            last = Some(frame);
            true
        });
        locked
    }
    /// The object that a thread waits for, for the management interface: for a thread that waits to be notified, also the owner
    /// of the monitor.
    pub(crate) fn blocker_of(&mut self, t: ThreadId) -> Blocker {
        let status = status_of(&self.threads[t.0 as usize].state);
        let mut blocker = Blocker {
            status,
            object: Ref::NULL,
            owner: Ref::NULL,
        };
        if let Some(object) = self.awaited_monitor(t) {
            let owner = self.monitor_owner(object);
            match owner {
                // it has just been left: the thread is about to have it
                None if status == bits::BLOCKED => blocker.status = bits::RUNNABLE,
                None => blocker.object = object,
                Some(owner) => {
                    blocker.object = object;
                    blocker.owner = self.threads[owner.0 as usize].object;
                }
            }
        } else if matches!(status, bits::PARKED | bits::PARKED_TIMED)
            && let Some(object) = self.park_blocker(t)
        {
            use jdk::abstract_ownable_synchronizer as synchronizer;
            blocker.object = object;
            if self.is_a(object, synchronizer::CLASS) {
                let owner = self.get(object, synchronizer::EXCLUSIVE_OWNER_THREAD);
                blocker.owner = crate::classes::library::or_fault(owner);
            }
        }
        blocker
    }
    /// The synchronizers of `java.util.concurrent.locks` that have an owner, with that.
    pub(crate) fn owned_synchronizers(&mut self) -> Vec<(ThreadId, Ref)> {
        use jdk::abstract_ownable_synchronizer as synchronizer;
        if !self.is_loaded(synchronizer::CLASS) {
            return Vec::new();
        }
        let mut objects = Vec::new();
        self.heap.each_object(|r| objects.push(r));
        objects.retain(|&r| self.is_a(r, synchronizer::CLASS));
        let mut owned = Vec::new();
        for r in objects {
            let owner = self.get(r, synchronizer::EXCLUSIVE_OWNER_THREAD);
            let owner = crate::classes::library::or_fault(owner).non_null();
            if let Some(t) = owner.and_then(|object| self.thread_of(object)) {
                owned.push((t, r));
            }
        }
        owned
    }
}

/// The locals that hold the objects whose monitors `synchronized` blocks have entered when control is at `bci`, the innermost
/// block first. Compilers leave a handler that unlocks the local that the block has locked, and the handler covers the block's
/// code.
fn locks_at(code: &Code, bci: u16) -> Vec<usize> {
    let attr = code.attr();
    let mut locals = Vec::new();
    for e in &attr.exceptions {
        if !(e.start_pc..e.end_pc).contains(&bci) || e.start_pc == e.handler_pc {
            continue;
        }
        let at = usize::from(e.handler_pc);
        if let Some(local) = unlocked_by(&attr.code, at)
            && !locals.contains(&local)
        {
            locals.push(local);
        }
    }
    locals
}

/// The local that `[astore x] aload n; monitorexit` at `pc` unlocks.
fn unlocked_by(code: &[u8], pc: usize) -> Option<usize> {
    let op = |at: usize| code.get(at).copied();
    let pc = match op(pc)? {
        o::ASTORE => pc + 2,
        o::ASTORE_0..=o::ASTORE_3 => pc + 1,
        _ => pc,
    };
    let (local, next) = match op(pc)? {
        o::ALOAD => (usize::from(op(pc + 1)?), pc + 2),
        x @ o::ALOAD_0..=o::ALOAD_3 => (usize::from(x - o::ALOAD_0), pc + 1),
        _ => return None,
    };
    (op(next)? == o::MONITOREXIT).then_some(local)
}
