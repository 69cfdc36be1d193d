//! The VM that a Java agent lives in, and the calls into it. The counterpart in Java is the class
//! `Bridge` of the agents' API. A failure in a call is reported on standard error and ends the calls
//! for the thread, or all of them; the program continues.

use super::super::StackSample;
use super::listener::{AgentEvent, answer};
use super::mail::{BRIDGE, Mail, NATIVES, mail};
use super::tree::Tree;
use crate::messages;
use rjvm_jdk_stubs::os::{OsHost, StandardStreams, signals};
use rjvm_run::profile::method;
use rjvm_vm::classpath::{ClassPathEntry, Jar};
use rjvm_vm::events::{EventView, Started};
use rjvm_vm::fault::Fault;
use rjvm_vm::interp::{Context, Outcome};
use rjvm_vm::jdk::{self, calls};
use rjvm_vm::natives::Natives;
use rjvm_vm::startup::CallStop;
use rjvm_vm::vm::{Options, ProfileMode};
use rjvm_vm::{MethodId, Ref, ThreadId, Value, Vm};
use std::collections::BTreeMap;

/// Bytecodes of a call between two looks at whether the process got a signal.
const UNTIL_SIGNALS: i64 = 10_000_000;

/// Methods of the bridge.
struct Calls {
    begin: MethodId,
    contexts: MethodId,
    stack: MethodId,
    define: MethodId,
    add: MethodId,
    register_profiler: MethodId,
    register_sampler: MethodId,
    report: MethodId,
    process_sample: MethodId,
    listen: MethodId,
    event: MethodId,
    hit: MethodId,
    finish: MethodId,
}

/// The twin of a thread of the program.
struct Twin {
    thread: ThreadId,
    /// Root cell with the `RC`.
    rc: u32,
    /// Root cell with the `IC[]`: contexts by their number in `tree`.
    contexts: u32,
    tree: Tree,
    /// Root cell with the `MID[]` that samples are in.
    stack: u32,
    /// Its capacity, and the methods of the last sample.
    room: usize,
    last: Vec<u32>,
    /// Nothing is called in it any more.
    off: bool,
}

/// A VM with an agent.
pub struct Machine {
    vm: Box<Vm>,
    /// The thread in which events are reported.
    main: ThreadId,
    calls: Calls,
    /// By thread of the program.
    twins: BTreeMap<ThreadId, Twin>,
    /// Root cell with the `MID[]`: identifiers by the number of the method, for those in `defined`.
    mids: u32,
    defined: Vec<bool>,
    /// Offsets of `IC.instr` and `IC.invoc`.
    instr: u32,
    invoc: u32,
    /// Nothing is called any more.
    off: bool,
    /// The program has ended.
    over: bool,
    /// Whether it has been said that a granularity is none.
    warned: bool,
}

fn notify(text: &str) {
    messages::warning(&format_args!("agent: {text}"));
}

fn faulted(fault: &Fault) {
    notify(&format!(
        "its VM has ended: {fault}\nThe program continues without it."
    ));
}

impl Machine {
    /// Starts the VM and makes an agent of this class. The number says what the agent implements.
    pub fn start(
        class: &str,
        options: &Options,
        mut natives: Natives,
    ) -> Result<(Machine, u64), String> {
        let options = Options {
            profile: ProfileMode::Off,
            sample_every: None,
            sample_all: false,
            allocations: false,
            gc_stress: false,
            logs: Vec::new(),
            given: Vec::new(),
            heap_dump_on_oom: false,
            exit_on_oom: false,
            ..options.clone()
        };
        let host = OsHost {
            signals: None,
            // the standard input is the program's
            ..OsHost::with(StandardStreams {
                input: Some(Box::new(std::io::empty())),
                ..StandardStreams::default()
            })
        };
        // SAFETY: they return numbers, and strings that they have just made.
        unsafe { natives.add(&[&NATIVES]) };
        let mut vm = Vm::new(options, Box::new(host), natives)?;
        let api = Jar::in_memory("rjvm-agent.jar", super::API).map_err(|e| e.to_string())?;
        if let Some(path) = vm.boot_path_mut() {
            path.append_entry(ClassPathEntry::Jar(Box::new(api)));
        }
        let failed = |what: &str| format!("cannot create the agent {class}: {what}");
        let Ok(main) = vm.start_up() else {
            return Err(failed("its VM does not start"));
        };
        let bridge = vm.boot_class(BRIDGE);
        let ic = vm.boot_class("rjvm/agent/IC");
        if vm.init_on(main, bridge).is_err() {
            return Err(failed("its VM does not start"));
        }
        let mut find = |name, desc| vm.method_named(bridge, name, desc);
        let load = find("load", "()I");
        let calls = Calls {
            begin: find("begin", "()Lrjvm/agent/RC;"),
            contexts: find("contexts", "(Lrjvm/agent/RC;)[Lrjvm/agent/IC;"),
            stack: find("stack", "([Lrjvm/agent/MID;I)[Lrjvm/agent/MID;"),
            define: find("define", "()[Lrjvm/agent/MID;"),
            add: find("add", "([Lrjvm/agent/IC;I)[Lrjvm/agent/IC;"),
            register_profiler: find("register", "(Lrjvm/agent/RC;)I"),
            register_sampler: find("register", "()I"),
            report: find("report", "(Lrjvm/agent/RC;Lrjvm/agent/IC;)I"),
            process_sample: find("processSample", "([Lrjvm/agent/MID;II)I"),
            listen: find("listen", "()V"),
            event: find("event", "(IJJJJ)V"),
            hit: find("hit", "(IIJJJ)V"),
            finish: find("finish", "()V"),
        };
        mail(vm.env()).texts.push_back(class.to_string());
        let kinds = match vm.call_on(main, load, &[]) {
            Ok(Value::Int(0)) => {
                return Err(failed(
                    "it is not a Profiler, SamplingProfiler or EventListener",
                ));
            }
            Ok(kinds) => kinds.int() as u64,
            Err(CallStop::Threw(e)) => {
                // where it is not found, a stack of the class library reports nothing
                let message = vm.get(e, jdk::throwable::DETAIL_MESSAGE);
                if vm.class(vm.class_of(e)).dotted() == "java.lang.ClassNotFoundException"
                    && !message.is_null()
                    && vm.string(message) == class
                {
                    return Err(failed("it is not on the class path"));
                }
                uncaught(&mut vm, main, e);
                return Err(failed("see above"));
            }
            Err(CallStop::Deadlock(report)) => return Err(failed(&report)),
            Err(CallStop::Fault(fault)) => {
                return Err(failed(&format!("its VM has ended: {fault}")));
            }
            Err(stop) => return Err(failed(&format!("{stop:?}"))),
        };
        let [instr, invoc] =
            ["instr", "invoc"].map(|name| vm.offset_in(ic, name, "J").expect("a field of ours"));
        let mids = vm.heap_mut().new_cell(Ref::NULL);
        let machine = Machine {
            vm,
            main,
            calls,
            twins: BTreeMap::new(),
            mids,
            defined: Vec::new(),
            instr,
            invoc,
            off: false,
            over: false,
            warned: false,
        };
        Ok((machine, kinds))
    }
    /// Runs the VM until a call has ended. Failures are reported; unless it concerns one thread only,
    /// it is the end of all calls. `None`: there is no result.
    fn settle(
        &mut self,
        t: ThreadId,
        mut outcome: Outcome,
        mut seen: Option<&mut EventView<'_>>,
    ) -> Option<Value> {
        loop {
            if let Outcome::Halted(_) = outcome
                && let Some((what, about)) = self.mail().question.take()
            {
                let answer = seen.as_mut().map(|seen| answer(seen, what, about));
                self.mail().answer = answer.unwrap_or_default();
                outcome = self.vm.resume();
                continue;
            }
            match outcome {
                Outcome::Returned(Ok(v)) => return Some(v),
                Outcome::Returned(Err(e)) => {
                    self.thrown(t, e);
                    return None;
                }
                Outcome::Idle | Outcome::OutOfFuel | Outcome::Halted(_) if signals::waits() => {
                    notify("a signal ended a call of the agent; the program continues without it");
                    break;
                }
                Outcome::Idle | Outcome::OutOfFuel | Outcome::Halted(_) => {
                    self.vm.set_fuel(Some(UNTIL_SIGNALS));
                    outcome = self.vm.resume();
                }
                Outcome::Exit(_) if self.over => break,
                Outcome::Exit(code) => {
                    notify(&format!(
                        "the agent has exited with code {code}; the program continues without it"
                    ));
                    break;
                }
                Outcome::Deadlock(report) => {
                    notify("the agent is deadlocked; the program continues without it");
                    eprintln!("{report}");
                    break;
                }
                Outcome::Fault(fault) => {
                    faulted(&fault);
                    break;
                }
                Outcome::AllDone => break,
            }
        }
        self.off = true;
        None
    }
    fn thrown(&mut self, t: ThreadId, exception: Ref) {
        self.vm.set_fuel(None);
        let name = self.vm.thread_name(t);
        uncaught(&mut self.vm, t, exception);
        notify(&format!(
            "rjvm no longer calls the agent in thread \"{name}\""
        ));
    }
    fn call(&mut self, t: ThreadId, m: MethodId, args: &[Value]) -> Option<Value> {
        self.call_seeing(t, m, args, None)
    }
    /// The same during an event, about which the agent may ask.
    fn call_seeing(
        &mut self,
        t: ThreadId,
        m: MethodId,
        args: &[Value],
        seen: Option<&mut EventView<'_>>,
    ) -> Option<Value> {
        if self.off {
            return None;
        }
        self.vm.set_fuel(Some(UNTIL_SIGNALS));
        let outcome = self.vm.call(t, m, args);
        let result = self.settle(t, outcome, seen);
        self.vm.set_fuel(None);
        result
    }
    pub(super) fn mail(&mut self) -> &mut Mail {
        mail(self.vm.env())
    }
    /// A listener says which kinds of events it wants at first.
    pub(super) fn begin_listening(&mut self) -> u32 {
        if self.call(self.main, self.calls.listen, &[]).is_none() {
            self.mail().enabled = 0;
        }
        self.mail().enabled
    }
    /// Notifies the listener of an event; returns the class file that replaces the one in it. A listener that throws is notified
    /// no more.
    pub(super) fn notify_event(
        &mut self,
        seen: &mut EventView<'_>,
        reported: AgentEvent,
    ) -> Option<Vec<u8>> {
        let thread = seen.thread().map_or(-1, |t| t.0.into());
        let counts = [thread, seen.executed(), seen.bytecodes()];
        let mail = self.mail();
        mail.counts = counts;
        mail.texts.clear();
        mail.texts.extend(reported.text);
        mail.file = reported.file.unwrap_or_default();
        let [a, b, c, d] = reported.numbers.map(Value::Long);
        let args = [Value::Int(reported.kind as i32), a, b, c, d];
        let done = self.call_seeing(self.main, self.calls.event, &args, Some(seen));
        let mail = self.mail();
        mail.texts.clear();
        mail.file = Vec::new();
        let replacement = mail.replacement.take();
        match done {
            Some(_) => replacement,
            None => {
                mail.enabled = 0;
                None
            }
        }
    }
    /// Reports an instrument: its number and flags, method and line, counts, and texts. False: it has thrown.
    pub(super) fn notify_hit(
        &mut self,
        seen: &mut EventView<'_>,
        numbers: [i32; 2],
        counts: [i64; 3],
        texts: (usize, Vec<String>),
    ) -> bool {
        let thread = seen.thread().map_or(-1, |t| t.0.into());
        let now = [thread, seen.executed(), seen.bytecodes()];
        let mail = self.mail();
        mail.counts = now;
        mail.numbers.push_back(texts.0 as i32);
        mail.texts.clear();
        mail.texts.extend(texts.1);
        let [number, flags] = numbers.map(Value::Int);
        let [at, bytecodes, allocated] = counts.map(Value::Long);
        let args = [number, flags, at, bytecodes, allocated];
        let done = self.call_seeing(self.main, self.calls.hit, &args, Some(seen));
        let mail = self.mail();
        mail.texts.clear();
        mail.numbers.clear();
        done.is_some()
    }
    /// A call whose result is a reference, to be kept in a root cell.
    fn call_for(&mut self, cell: u32, t: ThreadId, m: MethodId, args: &[Value]) -> Option<()> {
        let r = self.call(t, m, args)?;
        self.vm.heap_mut().set_cell(cell, r.reference());
        Some(())
    }
    fn cell(&self, cell: u32) -> Value {
        self.vm.heap().cell(cell).into()
    }
    /// The twin of a thread, made when it is first requested.
    fn twin(&mut self, thread: &Started) -> Option<()> {
        if self.off || self.twins.contains_key(&thread.thread) {
            return Some(());
        }
        let t = self.thread(&thread.name, thread.daemon, thread.priority)?;
        let mut cell = || self.vm.heap_mut().new_cell(Ref::NULL);
        let twin = Twin {
            thread: t,
            rc: cell(),
            contexts: cell(),
            stack: cell(),
            tree: Tree::new(),
            room: 0,
            last: Vec::new(),
            off: false,
        };
        let (rc, contexts) = (twin.rc, twin.contexts);
        self.twins.insert(thread.thread, twin);
        self.call_for(rc, t, self.calls.begin, &[])?;
        let root = self.cell(rc);
        self.call_for(contexts, t, self.calls.contexts, &[root])
    }
    /// A new thread of the agent's VM.
    fn thread(&mut self, name: &str, daemon: bool, priority: i32) -> Option<ThreadId> {
        match self.vm.host_thread(name, daemon, priority) {
            Ok(t) => return Some(t),
            Err(CallStop::Threw(e)) => self.thrown(self.vm.current(), e),
            Err(CallStop::Fault(fault)) => {
                faulted(&fault);
                self.off = true;
            }
            Err(_) => {
                notify(
                    "there is no memory for another thread; the program continues without the agent",
                );
                self.off = true;
            }
        }
        None
    }
    /// A thread begins for one of the agent's interfaces: its first granularity.
    pub fn register(&mut self, thread: &Started, profiler: bool) -> u64 {
        let made = self.twin(thread);
        self.with(thread.thread, |m, twin| {
            made?;
            let granularity = match profiler {
                true => {
                    let rc = m.cell(twin.rc);
                    m.call(twin.thread, m.calls.register_profiler, &[rc])
                }
                false => m.call(twin.thread, m.calls.register_sampler, &[]),
            };
            m.granularity(granularity?)
        })
    }
    /// Runs `f` for a twin in which calls are made. Without a result it is the last time.
    fn with(
        &mut self,
        thread: ThreadId,
        f: impl FnOnce(&mut Machine, &mut Twin) -> Option<u64>,
    ) -> u64 {
        let Some(mut twin) = self.twins.remove(&thread) else {
            return 0;
        };
        let mut result = None;
        if !self.off && !twin.off {
            result = f(self, &mut twin);
            twin.off |= result.is_none();
        }
        self.twins.insert(thread, twin);
        result.unwrap_or(0)
    }
    fn granularity(&mut self, result: Value) -> Option<u64> {
        match result.int() {
            n @ 1.. => Some(n as u64),
            n => {
                if !std::mem::replace(&mut self.warned, true) {
                    let name = self.vm.thread_name(self.vm.current());
                    notify(&format!(
                        "{n} is not a granularity: the agent gets no more reports or samples from thread \"{name}\" (reported once)"
                    ));
                }
                Some(0)
            }
        }
    }
    /// The counts of a thread have gone on: a report.
    pub fn report(
        &mut self,
        vm: &Vm,
        thread: ThreadId,
        rc: Context<'_>,
        current: Context<'_>,
    ) -> u64 {
        self.with(thread, |m, twin| {
            m.update(vm, twin, rc)?;
            let contexts = m.vm.heap().cell(twin.contexts);
            let number = twin.tree.number(current) as usize;
            let current = m.vm.heap().elem_ref(contexts, number);
            let args = [m.cell(twin.rc), current.into()];
            let granularity = m.call(twin.thread, m.calls.report, &args)?;
            m.granularity(granularity)
        })
    }
    /// A sample. Only the changes of the stack since the last one are written.
    pub fn sample(&mut self, vm: &Vm, sample: StackSample<'_>) -> u64 {
        self.with(sample.thread, |m, twin| {
            let stack = sample.stack;
            let mut same = sample.unchanged.min(twin.last.len()).min(stack.len());
            let rest = stack[same..].iter().zip(&twin.last[same..]);
            same += rest.take_while(|(f, last)| f.method == **last).count();
            let changed = stack[same..].iter().map(|f| f.method);
            m.define(vm, twin.thread, changed.clone())?;
            if twin.room < stack.len() {
                let room = stack.len().next_power_of_two().max(64);
                let args = [m.cell(twin.stack), Value::Int(room as i32)];
                m.call_for(twin.stack, twin.thread, m.calls.stack, &args)?;
                twin.room = room;
            }
            let (array, mids) = (m.vm.heap().cell(twin.stack), m.vm.heap().cell(m.mids));
            twin.last.truncate(same);
            for method in changed {
                let mid = m.vm.heap().elem_ref(mids, method as usize);
                m.vm.heap_mut().set_elem_ref(array, twin.last.len(), mid);
                twin.last.push(method);
            }
            let since = sample.bytecodes.min(i32::MAX as u64) as i32;
            let (length, since) = (Value::Int(stack.len() as i32), Value::Int(since));
            let args = [array.into(), length, since];
            let granularity = m.call(twin.thread, m.calls.process_sample, &args)?;
            m.granularity(granularity)
        })
    }
    /// Makes the identifiers of methods that have none.
    fn define(&mut self, vm: &Vm, t: ThreadId, methods: impl Iterator<Item = u32>) -> Option<()> {
        let mut any = false;
        for id in methods {
            let i = id as usize;
            if self.defined.len() <= i {
                self.defined.resize(i + 1, false);
            }
            if std::mem::replace(&mut self.defined[i], true) {
                continue;
            }
            any = true;
            let info = method(vm, id);
            let mail = mail(self.vm.env());
            mail.numbers.push_back(id as i32);
            mail.texts.push_back(info.class);
            mail.texts.push_back(info.name + &info.descriptor);
        }
        if any {
            let made = self.call_for(self.mids, t, self.calls.define, &[]);
            if made.is_none() {
                // the queues may hold what is left of them
                *mail(self.vm.env()) = Mail::default();
                if !std::mem::replace(&mut self.off, true) {
                    notify("methods have no identifiers; the program continues without the agent");
                }
            }
            made?;
        }
        Some(())
    }
    /// Adds the execution since the last update to the contexts that the agent sees.
    fn update(&mut self, vm: &Vm, twin: &mut Twin, rc: Context<'_>) -> Option<()> {
        let first = twin.tree.len();
        twin.tree.update(rc);
        let new = twin.tree.take_new();
        self.define(vm, twin.thread, new.iter().map(|n| n.1))?;
        if !new.is_empty() {
            let numbers = new.iter().flat_map(|n| [n.0 as i32, n.1 as i32]);
            mail(self.vm.env()).numbers.extend(numbers);
            let args = [self.cell(twin.contexts), Value::Int(first as i32)];
            let added = self.call_for(twin.contexts, twin.thread, self.calls.add, &args);
            mail(self.vm.env()).numbers.clear();
            added?;
        }
        let contexts = self.vm.heap().cell(twin.contexts);
        let mut heap = self.vm.heap_mut();
        for (number, executed, invoked) in twin.tree.take_changes() {
            let ic = heap.elem_ref(contexts, number as usize);
            let instr = heap.get::<i64>(ic, self.instr).wrapping_add(executed);
            let invoc = heap.get::<u64>(ic, self.invoc).wrapping_add(invoked);
            heap.put(ic, self.instr, instr);
            heap.put(ic, self.invoc, invoc);
        }
        Some(())
    }
    /// The counts of a thread that has ended.
    pub fn bring_up_to_date(&mut self, vm: &Vm, thread: ThreadId, rc: Context<'_>) {
        self.with(thread, |m, twin| {
            m.update(vm, twin, rc)?;
            Some(0)
        });
    }
    /// A thread has ended: its twin ends.
    pub fn ended(&mut self, thread: ThreadId) {
        let Some(twin) = self.twins.remove(&thread) else {
            return;
        };
        for cell in [twin.rc, twin.contexts, twin.stack] {
            self.vm.heap_mut().set_cell(cell, Ref::NULL);
        }
        if !self.off {
            self.vm.make_current(twin.thread);
            self.vm.end_thread(Ok(Value::Void));
        }
    }
    /// The program has ended: the shutdown hooks run.
    pub fn finish(&mut self) {
        self.over = true;
        if !self.off
            && let Some(t) = self.thread("DestroyJavaVM", false, 5)
        {
            self.call(t, self.calls.finish, &[]);
        }
        self.off = true;
    }
}

/// Has an exception handled as one that has left `Thread.run`.
fn uncaught(vm: &mut Vm, t: ThreadId, exception: Ref) {
    let thread = vm.a_thread(t).object;
    let class = vm.known().thread;
    let handler = vm.jdk_method(class, calls::thread::DISPATCH_UNCAUGHT_EXCEPTION);
    let name = vm.class(vm.class_of(exception)).dotted();
    let args = [thread, exception].map(Value::Ref);
    if vm.call_on(t, handler, &args).is_err() {
        notify(&format!("{name}, and there is no memory for more details"));
    }
}
