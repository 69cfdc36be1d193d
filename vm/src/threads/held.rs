//! What threads have locked, as thread dumps tell it: which frame has which monitors, and who owns which synchronizer.

use super::{ThreadState, Wait};
use crate::classes::Code;
use crate::ids::{Ref, ThreadId};
use crate::jdk;
use crate::vm::Vm;
use rjvm_classfile::opcodes as o;
use std::ops::ControlFlow;

impl Vm {
    /// The objects whose monitors the frames of a thread have entered, with the frame's number, the top one being 0; what
    /// was entered last comes first. One that the thread has given up for the length of `Object.wait` is among them.
    pub(super) fn locked_by_frames(&mut self, t: ThreadId) -> Vec<(usize, Ref)> {
        let waits_in = match self.threads[t.0 as usize].state {
            ThreadState::Waiting {
                on: Wait::Notify(i) | Wait::Monitor(i),
                ..
            } => Some(self.monitors.get(i).object),
            _ => None,
        };
        let own = |vm: &Vm, r: Ref| vm.monitor_owner(r) == Some(t) || waits_in == Some(r);
        let of_methods: Vec<Option<Ref>> = self.open_frames(t).iter().map(|f| f.lock).collect();
        let mut found = Vec::new();
        let mut number = 0;
        self.walk_frames(t, |vm, frame| {
            let code = vm.method(frame.method).code().map(|code| code.kept());
            let at = u16::try_from(frame.bci).ok();
            let locals = code
                .zip(at)
                .map_or(Vec::new(), |(c, bci)| locks_at(&c, bci));
            let in_blocks = locals.into_iter().map(|l| frame.local_in(vm, l));
            let objects: Vec<Ref> = in_blocks
                .chain(of_methods.get(number).copied().flatten())
                .filter(|&r| !r.is_null() && own(vm, r))
                .collect();
            found.extend(objects.into_iter().map(|r| (number, r)));
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
    /// The synchronizers of `java.util.concurrent.locks` that have an owner, with that.
    pub(super) fn owned_synchronizers(&mut self) -> Vec<(ThreadId, Ref)> {
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

/// The locals that hold the objects whose monitors `synchronized` blocks have entered when control is at `bci`, that of
/// the innermost block first. Compilers leave a handler that unlocks whatever local the block has locked, and
/// a block's code is what that handler is for.
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
