//! Agents of the host: told of the beginning and end of threads, and called at exactly those bytecodes
//! of a thread that they ask for.

use super::sample::Sample;
use crate::ids::ThreadId;
use crate::jdk;
use crate::vm::Vm;
use rjvm_profiler::samples::Frame;

/// What an [`Agent`] is told of a thread that begins.
#[derive(Clone, Debug)]
pub struct Started {
    /// The thread.
    pub thread: ThreadId,
    /// Its name.
    pub name: String,
    /// Whether it is a daemon.
    pub daemon: bool,
    /// Its priority, 1 to 10.
    pub priority: i32,
    /// Bytecodes it has executed already; other than 0 for a thread that is older than the agent, and
    /// for the main thread, which has started the class library.
    pub executed: i64,
}

/// Where an [`Agent`] is called.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The thread.
    pub thread: ThreadId,
    /// Bytecodes it has executed, the one it is at included.
    pub executed: i64,
    /// Its stack, root first; the last frame is at the bytecode that is being executed.
    pub stack: &'a [Frame],
    /// That many frames at the root are as they were when the agent was last called for the thread.
    pub unchanged: usize,
}

/// A host's agent. It sees the VM between two bytecodes and can't change it: the program executes
/// the same bytecodes with it as without.
///
/// The numbers returned are bytecodes that the thread is to execute until the agent is called for it
/// (again), at most [`MAX_INTERVAL`]; 0: never.
pub trait Agent: Send {
    /// A thread begins.
    fn register(&mut self, _vm: &Vm, _thread: &Started) -> u64 {
        0
    }
    /// The thread has executed as many bytecodes as it was to; it is at the last of them.
    fn call(&mut self, _vm: &Vm, _at: Moment<'_>) -> u64 {
        0
    }
    /// The VM has taken a sample of its own (`Options::sample_every`). The VM is at its bytecode only if
    /// [`reads_vm`](Agent::reads_vm) says so, or `Options::allocations` is set.
    fn sampled(&mut self, _vm: &Vm, _sample: Sample<'_>) {}
    /// The thread, or what is profiled of it, is over. Its calling contexts are complete.
    fn ended(&mut self, _vm: &Vm, _thread: ThreadId) {}
    /// Whether the VM has to be at a sample's very bytecode when the agent is told of the sample. Otherwise
    /// it may be a few dozen bytecodes further, which costs less.
    fn reads_vm(&self) -> bool {
        true
    }
    /// Whether calling contexts have to be up to date at each call (see [`Vm::root_context`]), which
    /// costs a little for each frame of the stack.
    fn reads_contexts(&self) -> bool {
        false
    }
}

/// An agent that is told of the VM's samples only.
pub struct OnSample<F>(pub F);

impl<F: FnMut(Sample<'_>) + Send> Agent for OnSample<F> {
    fn sampled(&mut self, _: &Vm, sample: Sample<'_>) {
        (self.0)(sample);
    }
    fn reads_vm(&self) -> bool {
        false
    }
}

/// The most bytecodes up to a call of an agent.
pub const MAX_INTERVAL: u64 = 1 << 50;

fn interval(n: u64) -> Option<i64> {
    (n > 0).then_some(n.min(MAX_INTERVAL) as i64)
}

impl Vm {
    /// Gives the VM its agent. Threads that are profiled already begin for it where they are.
    pub fn set_agent(&mut self, agent: Box<dyn Agent>) {
        // what goes wrong, the next run tells
        let _ = self.guarded(|vm| {
            vm.agent_reads_vm = agent.reads_vm();
            vm.agent = Some(agent);
            // it is told more of the frames than was looked at so far
            for t in 0..vm.threads.len() as u32 {
                vm.forget_stack(ThreadId(t));
            }
            for t in vm.sched.live.values().copied().collect::<Vec<_>>() {
                if vm.options.sample_all || vm.threads[t.0 as usize].in_main {
                    vm.start_agent(t);
                }
            }
        });
    }
    /// A thread that is not running begins for the agent.
    pub(crate) fn start_agent(&mut self, t: ThreadId) {
        let Some(mut agent) = self.agent.take() else {
            return;
        };
        let object = self.threads[t.0 as usize].object;
        let (name, daemon, priority) = match object.is_null() {
            // the first thread, or the one that runs the shutdown hooks
            true if t.0 == 0 => ("main".to_string(), false, 5),
            true => ("DestroyJavaVM".to_string(), false, 5),
            false => (
                self.thread_name(t),
                self.is_daemon(t),
                self.get(object, jdk::thread::PRIORITY),
            ),
        };
        let executed = self.threads[t.0 as usize].regs.ticks;
        let next = agent.register(
            self,
            &Started {
                thread: t,
                name,
                daemon,
                priority,
                executed,
            },
        );
        self.agent = Some(agent);
        let thread = &mut self.threads[t.0 as usize];
        thread.registered = true;
        thread.next_call = interval(next).map(|n| executed + n);
    }
    /// Calls the agent for the running thread, which is at bytecode index `bci` of its top method and
    /// has executed `n` bytecodes.
    pub(crate) fn call_agent(&mut self, bci: u16, n: i64) {
        let Some(mut agent) = self.agent.take() else {
            self.thread().next_call = None;
            return;
        };
        let thread = self.cur;
        let mut stack = std::mem::take(&mut self.thread().sampling.call_stack);
        let cs = self.regs().cs;
        let unchanged = self.update_stack(&mut stack, cs, bci, n);
        if agent.reads_contexts() {
            self.flush_frames_of(thread, n);
        }
        let at = Moment {
            thread,
            executed: n,
            stack: &stack.frames,
            unchanged,
        };
        let next = agent.call(self, at);
        self.agent = Some(agent);
        let thread = self.thread();
        thread.sampling.call_stack = stack;
        thread.next_call = interval(next).map(|i| n + i);
    }
    /// A thread, or what is profiled of it, is over.
    pub(crate) fn end_agent(&mut self, t: ThreadId) {
        let thread = &mut self.threads[t.0 as usize];
        thread.next_call = None;
        if std::mem::take(&mut thread.registered)
            && let Some(mut agent) = self.agent.take()
        {
            // frames are open when the program has ended itself
            let executed = self.executed(t);
            self.flush_frames_of(t, executed);
            agent.ended(self, t);
            self.agent = Some(agent);
        }
    }
    /// Tells the agent that all threads are over, the program being at its end, and takes it away.
    pub fn finish_agent(&mut self) -> Option<Box<dyn Agent>> {
        self.agent_reads_vm = false;
        self.contained(|vm| {
            for t in 0..vm.threads.len() as u32 {
                vm.end_agent(ThreadId(t));
            }
        });
        self.agent.take()
    }
}

impl crate::threads::JavaThread {
    /// Bytecodes after which something is due at an exact bytecode: a sample, or a call of the agent.
    #[inline]
    pub(crate) fn next_trigger(&self) -> Option<i64> {
        match (self.next_sample, self.next_call) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}
