//! Thread dumps and deadlock reports, in the style of HotSpot's.

use super::status::{bits, status_of};
use super::{ThreadState, Wait};
use crate::heap::layout::MIRROR_CLASS;
use crate::ids::{ClassId, MethodId, Ref, ThreadId};
use crate::jdk;
use crate::vm::Vm;
use std::fmt::Write;
use std::ops::ControlFlow;

/// The event that a thread needs before it can continue.
pub(super) enum Need {
    /// A monitor, of this object.
    Monitor(Ref),
    /// An `AbstractOwnableSynchronizer`, of which this is the object.
    Synchronizer(Ref),
    /// The initialization of this class by another thread.
    Class(ClassId),
}

impl Vm {
    /// Writes a message of the VM itself to standard error.
    pub fn print_error(&mut self, text: &str) {
        self.print_to(2, text);
    }
    /// Writes to a standard stream. A failure is ignored.
    pub(crate) fn print_to(&mut self, fd: i32, text: &str) {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.host().descriptors().write(fd, rest) {
                Ok(n) if n > 0 => rest = &rest[n.min(rest.len())..],
                _ => return,
            }
        }
    }
    /// The threads in the order they started, each with what it does, waits for and has locked, and the cycles of
    /// threads that wait for each other: what SIGQUIT prints. With `synchronizers`, also which of those in
    /// `java.util.concurrent.locks` each has.
    pub fn thread_dump(&mut self, synchronizers: bool) -> String {
        self.settle_heap();
        let version = env!("CARGO_PKG_VERSION");
        let mode = self.options().mode();
        let mut out = format!("Full thread dump rjvm ({version} {mode}):\n\n");
        let live: Vec<ThreadId> = self.sched.live.values().copied().collect();
        let owned = synchronizers.then(|| self.owned_synchronizers());
        for &t in &live {
            self.dump_thread(t, &mut out);
            if let Some(owned) = &owned {
                out.push_str("\n   Locked ownable synchronizers:\n");
                let own = || owned.iter().filter(|o| o.0 == t);
                for (_, o) in own() {
                    let _ = writeln!(out, "\t- {}", self.describe_object(*o));
                }
                if own().next().is_none() {
                    out.push_str("\t- None\n");
                }
            }
            out.push('\n');
        }
        self.dump_cycles(&live, &mut out);
        out
    }
    /// The report when no thread can run any more.
    pub(crate) fn deadlock_report(&mut self) -> String {
        let mut out = String::from(
            "rjvm: deadlock: every thread waits, and nothing outside the program can wake one\n\n",
        );
        out.push_str(&self.thread_dump(false));
        out
    }
    /// The threads that are alive, but the class library's own.
    pub fn program_threads(&self) -> Vec<ThreadId> {
        let own = |t: &ThreadId| !self.threads[t.0 as usize].system;
        self.live_threads().filter(own).collect()
    }
    fn dump_thread(&mut self, t: ThreadId, out: &mut String) {
        let name = self.thread_name(t);
        let thread = &self.threads[t.0 as usize];
        let (object, daemon, suspended) = (thread.object, thread.daemon, thread.suspended);
        let (state, status) = (thread.state.clone(), status_of(&thread.state));
        let _ = write!(out, "\"{name}\"");
        if !object.is_null() {
            let _ = write!(out, " #{}", self.get(object, jdk::thread::TID));
        }
        if daemon {
            out.push_str(" daemon");
        }
        if !object.is_null() {
            let _ = write!(out, " prio={}", self.thread_priority(object));
        }
        let executed = self.executed(t);
        let _ = write!(
            out,
            " os_prio=0 bytecodes={executed} tid=0x{0:016x} nid=0x{0:x} {1}",
            t.0 + 1,
            activity(&state)
        );
        if suspended {
            out.push_str(" (suspended)");
        }
        if let ThreadState::Waiting {
            deadline: Some(d), ..
        } = state
        {
            let left = d.saturating_sub(self.clock_ns()).max(0);
            let _ = write!(out, ", {} ms left", left / 1_000_000);
        }
        let _ = writeln!(
            out,
            "\n   java.lang.Thread.State: {}",
            bits::describe(status)
        );
        self.dump_frames(t, &state, out);
    }
    /// The stack, with what the thread waits for below the top frame.
    fn dump_frames(&mut self, t: ThreadId, state: &ThreadState, out: &mut String) {
        let mut frames = Vec::new();
        self.walk_stack(t, |_, m, bci| {
            frames.push((m, bci));
            ControlFlow::Continue(())
        });
        if frames.is_empty() {
            self.dump_wait(t, state, out);
        }
        let locked = self.locked_by_frames(t);
        for (i, (m, bci)) in frames.into_iter().enumerate() {
            let _ = writeln!(out, "\tat {}", self.frame_line_in_module(m, bci));
            if i == 0 {
                self.dump_wait(t, state, out);
            }
            for &o in locked.iter().filter(|l| l.0 == i).map(|(_, o)| o) {
                let _ = writeln!(out, "\t- locked {}", self.describe_object(o));
            }
        }
    }
    /// `package.Class.method(module@version/File.java:12)`
    pub(crate) fn frame_line_in_module(&mut self, m: MethodId, bci: i32) -> String {
        let line = self.frame_line(m, bci);
        let module = self.module_of(self.method(m).class);
        let named = module
            .non_null()
            .and_then(|module| self.module_name(module));
        let (Some((name, version)), Some(at)) = (named, line.find('(')) else {
            return line;
        };
        let version = version.map_or(String::new(), |v| format!("@{v}"));
        format!("{}({name}{version}/{}", &line[..at], &line[at + 1..])
    }
    /// `package.Class.method(File.java:12)`
    pub fn frame_line(&self, m: MethodId, bci: i32) -> String {
        let place = self.source_place(m, bci);
        let method = self.method(m);
        let class = self.class(method.class).dotted();
        format!("{class}.{}({place})", self.syms.str(method.name))
    }
    /// `File.java:12`, `Native Method` or `Unknown Source`.
    fn source_place(&self, m: MethodId, bci: i32) -> String {
        let method = self.method(m);
        if method.is_native() {
            return "Native Method".into();
        }
        let Some(code) = method.code() else {
            return "Unknown Source".into();
        };
        let name = code
            .cf
            .attributes
            .source_file
            .and_then(|i| code.cf.constant_pool.str(i).ok());
        let line = u16::try_from(bci)
            .ok()
            .and_then(|pc| code.attr().line_of(pc));
        match (name, line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.into(),
            (None, _) => "Unknown Source".into(),
        }
    }
    /// Whether the top frame is `Object.wait`.
    fn is_in_object_wait(&mut self, t: ThreadId) -> bool {
        let mut found = false;
        self.walk_stack(t, |vm, m, _| {
            let method = vm.method(m);
            found = method.class == vm.loaded.known.object && &**vm.syms.str(method.name) == "wait";
            ControlFlow::Break(())
        });
        found
    }
    fn dump_wait(&mut self, t: ThreadId, state: &ThreadState, out: &mut String) {
        let ThreadState::Waiting { on, .. } = state else {
            return;
        };
        match on {
            Wait::Notify(i) => {
                let o = self.monitors.get(*i).object;
                let _ = writeln!(out, "\t- waiting on {}", self.describe_object(o));
            }
            Wait::Monitor(i) => {
                let o = self.monitors.get(*i).object;
                let how = match self.is_in_object_wait(t) {
                    true => "waiting to re-lock in wait()",
                    false => "waiting to lock",
                };
                let _ = writeln!(out, "\t- {how} {}", self.describe_object(o));
            }
            Wait::Park | Wait::Unmounted => {
                if let Some(o) = self.park_blocker(t) {
                    let _ = writeln!(out, "\t- parking to wait for  {}", self.describe_object(o));
                }
            }
            Wait::ClassInit(c) => {
                let _ = writeln!(
                    out,
                    "\t- waiting on the Class initialization monitor for {}",
                    self.class(*c).dotted()
                );
            }
            Wait::Fd(fd, ops) => {
                let what = if ops & 2 != 0 { "writable" } else { "readable" };
                let _ = writeln!(out, "\t- waiting for descriptor {fd} to become {what}");
            }
            Wait::Process(pid) => {
                let _ = writeln!(out, "\t- waiting for process {pid}");
            }
            Wait::Event(name) => {
                let _ = writeln!(out, "\t- waiting for {name}");
            }
            Wait::Carries(s) => {
                let name = self.thread_name(*s);
                let _ = writeln!(out, "\t- carrying \"{name}\"");
            }
            Wait::Sleep => {}
        }
    }
    /// `<0x000000000001a2b8> (a java.lang.Object)`; classes are named.
    pub(super) fn describe_object(&self, r: Ref) -> String {
        let class = self.class_of(r);
        let address = r.0 as u64 * 8;
        if class == self.loaded.known.class {
            let of = ClassId(self.heap.get::<u32>(r, MIRROR_CLASS));
            return format!(
                "<0x{address:016x}> (a java.lang.Class for {})",
                self.class(of).dotted()
            );
        }
        format!("<0x{address:016x}> (a {})", self.class(class).dotted())
    }
    pub(super) fn park_blocker(&mut self, t: ThreadId) -> Option<Ref> {
        let object = self.threads[t.0 as usize].object.non_null()?;
        self.get(object, jdk::thread::PARK_BLOCKER).non_null()
    }

    /// What a waiting thread needs, and the thread that has it.
    pub(super) fn needs(&mut self, t: ThreadId) -> Option<(Need, ThreadId)> {
        let ThreadState::Waiting { on, .. } = self.threads[t.0 as usize].state.clone() else {
            return None;
        };
        match on {
            Wait::Monitor(i) => {
                let m = self.monitors.get(i);
                Some((Need::Monitor(m.object), m.owner?))
            }
            Wait::ClassInit(c) => Some((Need::Class(c), self.initializer_of(c)?)),
            Wait::Park | Wait::Unmounted => {
                let blocker = self.park_blocker(t)?;
                use jdk::abstract_ownable_synchronizer as synchronizer;
                if !self.is_a(blocker, synchronizer::CLASS) {
                    return None;
                }
                let owner = self.get(blocker, synchronizer::EXCLUSIVE_OWNER_THREAD);
                let owner = crate::classes::library::or_fault(owner).non_null()?;
                Some((Need::Synchronizer(blocker), self.thread_of(owner)?))
            }
            _ => None,
        }
    }
    /// The object a thread waits for, and the thread that has it.
    pub fn waits_for(&mut self, t: ThreadId) -> (Ref, Option<ThreadId>) {
        let owner = self.needs(t).map(|n| n.1);
        let object = match self.threads[t.0 as usize].state.clone() {
            ThreadState::Waiting { on, .. } => match on {
                Wait::Notify(i) | Wait::Monitor(i) => self.monitors.get(i).object,
                Wait::Park | Wait::Unmounted => self.park_blocker(t).unwrap_or(Ref::NULL),
                _ => Ref::NULL,
            },
            _ => Ref::NULL,
        };
        (object, owner)
    }
    /// The class that another thread initializes and this one waits for.
    pub(crate) fn class_waited_for(&self, t: ThreadId) -> Option<ClassId> {
        match self.threads[t.0 as usize].state {
            ThreadState::Waiting {
                on: Wait::ClassInit(c),
                ..
            } => Some(c),
            _ => None,
        }
    }
    /// In words, the reason of a thread's wait, if it is not an object.
    pub fn waits_otherwise(&self, t: ThreadId) -> Option<String> {
        let ThreadState::Waiting { on, .. } = &self.threads[t.0 as usize].state else {
            return None;
        };
        match on {
            Wait::ClassInit(c) => {
                let class = self.class(*c).dotted();
                Some(format!("for the initialization of {class}"))
            }
            Wait::Fd(_, ops) if ops & 2 != 0 => Some("to be able to send".into()),
            Wait::Fd(..) => Some("for a connection or data".into()),
            _ => None,
        }
    }
    /// The threads in cycles that wait for each other.
    pub fn deadlocked_threads(&mut self) -> Vec<ThreadId> {
        let live: Vec<ThreadId> = self.sched.live.values().copied().collect();
        self.cycles(&live).concat()
    }
    /// The same, as the management interface reports them: without cycles in which a virtual thread takes part; with
    /// `monitors_only`, cycles that wait for monitors.
    pub fn reported_deadlocks(&mut self, monitors_only: bool) -> Vec<ThreadId> {
        let live: Vec<ThreadId> = self.sched.live.values().copied().collect();
        let mut cycles = self.cycles(&live);
        cycles.retain(|c| {
            c.iter().all(|&t| {
                let object = self.threads[t.0 as usize].object.non_null();
                !object.is_some_and(|o| self.is_virtual_thread(o))
                    && (!monitors_only || matches!(self.needs(t), Some((Need::Monitor(_), _))))
            })
        });
        cycles.concat()
    }
    /// The cycles among threads that each wait for what the next one holds.
    pub(super) fn cycles(&mut self, live: &[ThreadId]) -> Vec<Vec<ThreadId>> {
        let mut next = vec![None; self.threads.len()];
        for &t in live {
            next[t.0 as usize] = self.needs(t).map(|n| n.1);
        }
        // walk from every thread; a thread seen earlier in the same walk closes a cycle
        let mut seen_in = vec![None; self.threads.len()];
        let mut cycles = Vec::new();
        for &start in live {
            let mut at = start;
            while seen_in[at.0 as usize].is_none() {
                seen_in[at.0 as usize] = Some(start);
                match next[at.0 as usize] {
                    Some(n) => at = n,
                    None => break,
                }
            }
            if next[at.0 as usize].is_none() || seen_in[at.0 as usize] != Some(start) {
                continue;
            }
            let mut cycle = vec![at];
            let mut t = at;
            while let Some(n) = next[t.0 as usize].filter(|&n| n != at) {
                cycle.push(n);
                t = n;
            }
            cycles.push(cycle);
        }
        cycles
    }
    pub(super) fn dump_cycles(&mut self, live: &[ThreadId], out: &mut String) {
        let cycles = self.cycles(live);
        for cycle in &cycles {
            out.push_str("\nFound one Java-level deadlock:\n=============================\n");
            for &t in cycle {
                let Some((need, owner)) = self.needs(t) else {
                    continue;
                };
                let _ = writeln!(out, "\"{}\":", self.thread_name(t));
                let _ = match need {
                    Need::Monitor(o) => writeln!(
                        out,
                        "  waiting to lock monitor of {},",
                        self.describe_object(o)
                    ),
                    Need::Synchronizer(o) => {
                        writeln!(
                            out,
                            "  waiting for ownable synchronizer {},",
                            self.describe_object(o)
                        )
                    }
                    Need::Class(c) => {
                        writeln!(
                            out,
                            "  waiting for the initialization of {},",
                            self.class(c).dotted()
                        )
                    }
                };
                let _ = writeln!(out, "  which is held by \"{}\"", self.thread_name(owner));
            }
        }
        match cycles.len() {
            0 => {}
            1 => out.push_str("\nFound 1 deadlock.\n"),
            n => {
                let _ = writeln!(out, "\nFound {n} deadlocks.");
            }
        }
    }
}

/// The words at the end of a thread's first line.
fn activity(state: &ThreadState) -> &'static str {
    match state {
        ThreadState::New => "not started",
        ThreadState::Runnable => "runnable",
        ThreadState::Dead => "ended",
        ThreadState::Waiting { on, .. } => match on {
            Wait::Notify(_) | Wait::ClassInit(_) => "in Object.wait()",
            Wait::Monitor(_) => "waiting for monitor entry",
            Wait::Fd(..) | Wait::Process(_) => "runnable",
            Wait::Carries(_) => "runnable",
            Wait::Park | Wait::Sleep | Wait::Unmounted | Wait::Event(_) => "waiting on condition",
        },
    }
}
