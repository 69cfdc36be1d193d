//! Diagnostic commands that a running program gives its own VM, and Java code that a host has run for those who ask from
//! outside. Both belong between the turns of two threads: there a host can look at everything, and what it does comes at
//! the same bytecode in each run.

use super::arrived::SystemStep;
pub use super::pending_calls::{CommandInfo, LibraryCall, ParameterInfo};
use super::phase::Phase;
use super::{ThreadState, Wait};
use crate::classes::AgentStart;
use crate::ids::{Ref, ThreadId};
use crate::natives::Env;
use crate::throw::{Call, Cont, Next, R, Throw};
use crate::value::Value;
use crate::vm::Vm;
use crate::vm::hooks::PendingCalls;
pub use crate::vm::hooks::{AfterCalls, Commands};

/// What the thread that runs Java code for a host is called, as in HotSpot.
const NAME: &str = "Attach Listener";
/// What it waits for.
const REQUESTS: Wait = Wait::Event("requests");
/// What a thread that has given a command waits for.
const ANSWER: Wait = Wait::Event("the answer of a diagnostic command");

impl Vm {
    /// Lets the program give diagnostic commands.
    pub fn offer_commands(&mut self, host: Box<dyn Commands>) {
        self.hooks.commands = Some(host);
    }
    /// Between the turns of two threads: carries out the commands that threads have given.
    pub(super) fn answer_commands(&mut self) {
        while let Some((thread, line)) = self.sched.pending_requests.lines.pop_front() {
            self.settle_heap();
            let answer = self.with_hook(|h| &mut h.commands, |host, vm| host.run(vm, &line));
            let Some(answer) = answer else {
                return;
            };
            self.sched.pending_requests.answers.push((thread, answer));
            self.make_runnable(thread, None);
        }
    }
    /// Has a thread of the system's call these methods, and then does `then`. To be called between the turns of two threads, once the
    /// signals' dispatcher runs.
    ///
    /// # Errors
    /// There is no room for the thread.
    pub fn call_library(&mut self, calls: Vec<LibraryCall>, then: AfterCalls) -> R<()> {
        self.add_pending_call(PendingCalls {
            calls: calls.into(),
            agent: None,
            then,
        })
    }
    /// Has that thread start an agent, and then does `then`.
    ///
    /// # Errors
    /// There is no room for the thread.
    pub fn start_agent_there(&mut self, agent: AgentStart, then: AfterCalls) -> R<()> {
        self.add_pending_call(PendingCalls {
            calls: Default::default(),
            agent: Some(Box::new(agent)),
            then,
        })
    }
    fn add_pending_call(&mut self, task: PendingCalls) -> R<()> {
        let t = match self.sched.pending_requests.thread {
            Some(t) => t,
            None => {
                let phase = Phase::PendingCalls(SystemStep::Constructed);
                let t = self.spawn_system_thread(NAME, phase)?;
                self.sched.pending_requests.thread = Some(t);
                t
            }
        };
        self.hooks.pending_calls.push_back(task);
        let idle = matches!(&self.threads[t.0 as usize].state, ThreadState::Waiting { on, .. } if *on == REQUESTS);
        if idle && self.begin_pending_call(t) {
            self.make_runnable(t, None);
        }
        Ok(())
    }
    /// Has the thread begin the next call, if there is one.
    fn begin_pending_call(&mut self, t: ThreadId) -> bool {
        self.hooks.task = self.hooks.pending_calls.pop_front();
        let wanted = self.hooks.task.is_some();
        if wanted {
            let agent = self.hooks.task.as_mut().and_then(|e| e.agent.take());
            let cont = match agent {
                Some(agent) => self.agent_starter(*agent),
                None => Cont::new(
                    |env, c, input| called(env, c, input).unwrap_or_else(Next::Throw),
                    [0; 3],
                    [Ref::NULL; 3],
                ),
            };
            crate::interp::start_cont(self, t, cont);
        }
        wanted
    }
    /// The bottom method or continuation of the thread that runs errands has returned.
    pub(super) fn pending_call_step(&mut self, step: SystemStep, result: Result<Value, Ref>) {
        let cur = self.cur;
        if step == SystemStep::Constructed {
            // only a lack of room goes wrong here: the next step reports it
            return self.join_system_group(Phase::PendingCalls(SystemStep::Serve));
        }
        if let Some(task) = self.hooks.task.take() {
            let outcome = match result {
                Ok(Value::Ref(r))
                    if !r.is_null() && self.instance_of(r, self.loaded.known.string) =>
                {
                    Ok(Some(self.string(r)))
                }
                Ok(Value::Ref(r)) if !r.is_null() && *self.name(self.class_of(r)) == *"[B" => Ok(
                    Some(String::from_utf8_lossy(self.heap.bytes(r)).into_owned()),
                ),
                Ok(_) => Ok(None),
                Err(e) => Err(self.describe_exception(e)),
            };
            (task.then)(self, outcome);
        }
        match self.begin_pending_call(cur) {
            true => self.enqueue(cur),
            false => self.set_waiting(cur, REQUESTS, None),
        }
    }
    /// Class and message of an exception.
    fn describe_exception(&mut self, e: Ref) -> String {
        let class = self.class(self.class_of(e)).dotted();
        let message = self.get(e, crate::jdk::throwable::DETAIL_MESSAGE);
        match message.is_null() {
            true => class,
            false => format!("{class}: {}", self.string(message)),
        }
    }
}

/// A step of an errand: a call has returned, or `data[0]` says that none has been made.
fn called(env: &mut Env, c: &mut Cont, input: Result<Value, Ref>) -> R<Next> {
    let value = input.map_err(Throw::object)?;
    let first = |env: &Env| {
        let task = env.0.hooks.task.as_ref();
        task.and_then(|e| e.calls.front().cloned())
    };
    if c.data[0] == 1 {
        c.data[0] = 0;
        if let Some(task) = &mut env.0.hooks.task {
            task.calls.pop_front();
        }
    }
    let Some(next) = first(env) else {
        return Ok(Next::Return(value));
    };
    let class = env.jdk_class(next.class)?;
    env.ensure_initialized(class)?;
    let args = match &next.arg {
        Some(arg) => vec![Value::Ref(env.new_string(arg)?)],
        None => Vec::new(),
    };
    let args = [args, next.switch.map(Value::from).into_iter().collect()].concat();
    let method = env.jdk_method(class, next.callee);
    c.data[0] = 1;
    Ok(Next::Call(Call::new(env, method, &args)))
}

impl Env {
    /// The diagnostic commands that the host offers; none if it offers none.
    pub fn commands(&self) -> Vec<CommandInfo> {
        let host = self.0.hooks.commands.as_ref();
        host.map_or(Vec::new(), |host| host.list())
    }
    /// Whether the host offers diagnostic commands.
    pub fn has_commands(&self) -> bool {
        self.0.hooks.commands.is_some()
    }
    /// Gives a command. The native hands the throw on, and runs again when there is a [`Env::command_answer`].
    pub fn give_command(&mut self, line: String) -> Box<Throw> {
        let cur = self.0.cur;
        self.0.sched.pending_requests.lines.push_back((cur, line));
        self.0.thread().native_state[0] = 1;
        self.block_on(ANSWER, None)
    }
    /// The answer to the running thread's command; none if the native that runs has given none.
    pub fn command_answer(&mut self) -> Option<Result<String, String>> {
        if self.0.thread().native_state[0] == 0 {
            // one that was stopped on its way has not taken its answer, and its number may be another thread's now
            self.end_command();
            return None;
        }
        let mut answers = self.0.sched.pending_requests.answers.iter();
        let found = answers.find(|a| a.0 == self.0.cur);
        found.map(|a| a.1.clone())
    }
    /// The running thread has taken the answer to its command.
    pub fn end_command(&mut self) {
        let cur = self.0.cur;
        self.0.sched.pending_requests.answers.retain(|a| a.0 != cur);
    }
}
