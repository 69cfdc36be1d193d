//! Recording of calling contexts, switched while the program runs.
//!
//! Calls and returns have two handlers each, one that knows contexts and one that does not, with the same operands in the
//! same places: every call has its link in a context, used or not. So switching replaces handlers where they are, in
//! all translated code, and no address changes. Without contexts the code is the same as if there had never been any.
//!
//! Frames that are open when recording begins get their contexts from the stack: later bytecodes are attributed to the whole
//! path that leads to it, down to the thread's first method. No calls were counted when those frames were entered, so they have
//! bytecodes but no invocation.

use super::insn;
use super::table;
use super::walk::WalkFrame;
use crate::ids::ThreadId;
use crate::vm::{ProfileMode, Vm};
use hashbrown::HashMap;
use rjvm_profiler::cct::{NO_SITE, UPCALL};
use std::fmt;

/// Why recording cannot be switched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotSwitched {
    /// Counts of single bytecodes, and of allocations, need code and contexts that are made for them from the start.
    Fixed,
    /// An agent looks at the contexts while the program runs.
    Watched,
    /// The VM is dead.
    Dead,
}

impl fmt::Display for NotSwitched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotSwitched::Fixed => {
                "counts of single bytecodes and of allocations cannot be switched while the program runs"
            }
            NotSwitched::Watched => "an agent uses the contexts",
            NotSwitched::Dead => "the VM has ended",
        })
    }
}

impl Vm {
    /// The present recording of contexts.
    pub fn recorded_contexts(&self) -> ProfileMode {
        self.options.profile
    }
    /// The present recording of contexts, or the earlier or the default one.
    pub fn switchable_contexts(&self) -> ProfileMode {
        match (self.options.profile, self.profile.sites_recorded) {
            (ProfileMode::Off, true) => ProfileMode::CallSites,
            (ProfileMode::Off, false) => ProfileMode::Exact,
            (now, _) => now,
        }
    }
    /// Contexts that are recorded from some time on are to know where they were called, or not.
    pub fn will_record(&mut self, mode: ProfileMode) {
        self.profile.sites_recorded = mode == ProfileMode::CallSites;
    }
    /// How often recording has been switched on or off while the program ran.
    pub fn switches_of_contexts(&self) -> u64 {
        self.profile.switches
    }
    /// Records contexts from the next bytecode on, or no longer: between the turns of two threads, in a native, or where the
    /// VM has stopped. Counts so far stay. Contexts that were not recorded before begin with none.
    ///
    /// # Errors
    /// It cannot be switched in this run.
    pub fn record_contexts(&mut self, mode: ProfileMode) -> Result<(), NotSwitched> {
        let now = self.options.profile;
        if mode == now {
            return Ok(());
        }
        let blocks = [mode, now].contains(&ProfileMode::Blocks);
        if blocks || self.options.allocations {
            return Err(NotSwitched::Fixed);
        }
        if self.wants(crate::events::EventSet::CONTEXTS) {
            return Err(NotSwitched::Watched);
        }
        if self.fault.is_some() {
            return Err(NotSwitched::Dead);
        }
        self.settle_heap();
        self.settle_samples();
        self.profile.switches += 1;
        self.forget_intrinsic_contexts();
        // the handler that a breakpoint represents is to be replaced as well
        self.disarm();
        self.flush_open_frames();
        self.options.profile = ProfileMode::Off;
        if mode == ProfileMode::Off {
            self.replace_handlers(false);
        } else {
            if self.profile.sites_recorded != (mode == ProfileMode::CallSites) {
                self.reset_contexts();
                self.profile.sites_recorded = mode == ProfileMode::CallSites;
            }
            self.options.profile = mode;
            self.replace_handlers(true);
            for t in 0..self.threads.len() as u32 {
                self.open_contexts(ThreadId(t)).ok_or(NotSwitched::Dead)?;
            }
        }
        Ok(())
    }
    /// The call of the method that the stopped thread is at the first bytecode of is in the profile, too.
    pub fn count_open_call(&mut self) {
        let Some(t) = self.stopped_thread().filter(|_| self.profiling()) else {
            return;
        };
        let cs = self.regs_of(t).cs;
        // SAFETY: a stopped thread has a top frame, with a node when contexts are recorded.
        unsafe { (*(*cs).node).invocations += 1 }
    }
    /// Gives all calls and returns the handlers that know contexts, or those that do not.
    fn replace_handlers(&mut self, know: bool) {
        let all = table::calls().into_iter().chain(table::returns());
        let pairs = all.map(|pair| pair.map(insn::word));
        let by: HashMap<u64, u64> = match know {
            true => pairs.map(|[without, with]| (without, with)).collect(),
            false => pairs.map(|[without, with]| (with, without)).collect(),
        };
        let translated: Vec<_> = self.loaded.methods.iter().map(|m| m.id).collect();
        for id in translated {
            if let Some(code) = self.method_mut(id).translated_mut() {
                code.replace_handlers(|old| by.get(&old).copied());
            }
        }
    }
    /// Gives the open frames of a thread their contexts, which count from here on. `None`: the VM is dead.
    fn open_contexts(&mut self, t: ThreadId) -> Option<()> {
        let cs = self.regs_of(t).cs;
        if cs.is_null() || cs >= self.threads[t.0 as usize].stack_bottom() {
            return Some(());
        }
        let mut frames: Vec<WalkFrame> = Vec::new();
        self.each_frame(t, |_, w| {
            frames.push(w);
            true
        });
        let ticks = self.executed(t);
        let mut node = self.root_of(t)?;
        // where the frame above is called
        let mut site = NO_SITE;
        let mut stubs = 0;
        for (i, w) in frames.iter().enumerate().rev() {
            if w.method.is_null() {
                let conts = &self.threads[t.0 as usize].conts;
                site = conts.get(stubs).map_or(NO_SITE, |c| c.site);
                if stubs > 0 && self.options.upcalls_to_root {
                    site = UPCALL;
                }
                stubs += 1;
            } else {
                // SAFETY: methods are loaded as long as they have frames.
                let id = unsafe { (*w.method).id };
                node = self.child_node(node, id, site)?;
                site = u32::try_from(self.frame_bci(w)).unwrap_or(NO_SITE);
            }
            // SAFETY: control frames are one behind the other, from the top one on; the walk has seen each.
            unsafe {
                let frame = cs.add(i);
                (*frame).node = node;
                (*frame).ticks = ticks;
            }
        }
        Some(())
    }
}
