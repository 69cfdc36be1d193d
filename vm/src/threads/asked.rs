//! Diagnostic commands that a running program gives its own VM, and Java code that a host has run for those who ask from
//! outside. Both belong between the turns of two threads: there a host can look at everything, and what it does comes at
//! the same bytecode in each run.

use super::life::Phase;
use super::signals::Step;
use super::{ThreadState, Wait};
use crate::ids::{Ref, ThreadId};
use crate::jdk::{Callee, ClassName};
use crate::natives::Env;
use crate::throw::{Call, Cont, Next, R, Throw};
use crate::value::Value;
use crate::vm::Vm;
use std::collections::VecDeque;

/// What the thread that runs Java code for a host is called, as in HotSpot.
const NAME: &str = "Attach Listener";
/// What it waits for.
const REQUESTS: Wait = Wait::Event("requests");
/// What a thread that has given a command waits for.
const ANSWER: Wait = Wait::Event("the answer of a diagnostic command");

/// Something that a command takes.
#[derive(Clone, Copy, Debug)]
pub struct ParameterInfo {
    /// Its name; of an option with the dash.
    pub name: &'static str,
    /// What it is, for people.
    pub about: &'static str,
    /// Its type, in HotSpot's words.
    pub kind: &'static str,
    /// Its value if it is not given.
    pub default: Option<&'static str>,
    /// It has to be given.
    pub mandatory: bool,
    /// It is an option, not an argument.
    pub option: bool,
}

/// A command.
#[derive(Clone, Debug)]
pub struct CommandInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, for people.
    pub about: &'static str,
    /// How much it disturbs the program.
    pub impact: &'static str,
    /// Class, name and action of the permission that a security manager asks for.
    pub permission: Option<[&'static str; 3]>,
    /// What it takes: the arguments in their order, then the options.
    pub parameters: Vec<ParameterInfo>,
}

/// A host that carries out diagnostic commands for the program.
pub trait Commands: Send {
    /// Those that there are.
    fn list(&self) -> Vec<CommandInfo>;
    /// Carries out a command line. The error says why it is refused.
    ///
    /// # Errors
    /// There is no such command, it takes something else, or it fails.
    fn run(&mut self, vm: &mut Vm, line: &str) -> Result<String, String>;
}

/// A call of a static method of the class library's.
#[derive(Clone, Debug)]
pub struct LibraryCall {
    /// Its class.
    pub class: ClassName<false>,
    /// The method: of one string or nothing, to anything.
    pub callee: Callee,
    /// The string.
    pub arg: Option<String>,
}

/// What is done with the string that the last of some calls has returned, if it has, or what class and message of an
/// exception say.
pub type AfterCalls = Box<dyn FnOnce(&mut Vm, Result<Option<String>, String>) + Send>;

/// Calls, one after the other.
struct Errand {
    calls: VecDeque<LibraryCall>,
    then: AfterCalls,
}

/// Commands and errands that are under way.
#[derive(Default)]
pub(crate) struct Asked {
    host: Option<Box<dyn Commands>>,
    /// Command lines of threads that wait for the answer.
    lines: VecDeque<(ThreadId, String)>,
    answers: Vec<(ThreadId, Result<String, String>)>,
    thread: Option<ThreadId>,
    errands: VecDeque<Errand>,
    current: Option<Errand>,
}

impl Vm {
    /// Lets the program give diagnostic commands.
    pub fn offer_commands(&mut self, host: Box<dyn Commands>) {
        self.sched.asked.host = Some(host);
    }
    /// Between the turns of two threads: carries out the commands that threads have given.
    pub(super) fn answer_commands(&mut self) {
        while let Some((thread, line)) = self.sched.asked.lines.pop_front() {
            self.settle_heap();
            let Some(mut host) = self.sched.asked.host.take() else {
                return;
            };
            let answer = host.run(self, &line);
            self.sched.asked.host = Some(host);
            self.sched.asked.answers.push((thread, answer));
            self.make_runnable(thread, None);
        }
    }
    /// Has a thread of the system's call these methods, and then does `then`. To be called between the turns of two threads, once the
    /// signals' dispatcher runs.
    ///
    /// # Errors
    /// There is no room for the thread.
    pub fn call_library(&mut self, calls: Vec<LibraryCall>, then: AfterCalls) -> R<()> {
        let calls = calls.into();
        let t = match self.sched.asked.thread {
            Some(t) => t,
            None => {
                let phase = Phase::Errands(Step::Constructed);
                let t = self.spawn_system_thread(NAME, 9, phase)?;
                self.sched.asked.thread = Some(t);
                t
            }
        };
        self.sched.asked.errands.push_back(Errand { calls, then });
        let idle = matches!(&self.threads[t.0 as usize].state, ThreadState::Waiting { on, .. } if *on == REQUESTS);
        if idle && self.begin_errand(t) {
            self.make_runnable(t, None);
        }
        Ok(())
    }
    /// Has the thread begin what is next, if there is anything.
    fn begin_errand(&mut self, t: ThreadId) -> bool {
        let asked = &mut self.sched.asked;
        asked.current = asked.errands.pop_front();
        let wanted = asked.current.is_some();
        if wanted {
            let cont = Cont::new(
                |env, c, input| called(env, c, input).unwrap_or_else(Next::Throw),
                [0; 3],
                [Ref::NULL; 3],
            );
            crate::interp::start_cont(self, t, cont);
        }
        wanted
    }
    /// The bottom method or continuation of the thread that runs errands has returned.
    pub(super) fn errand_step(&mut self, step: Step, result: Result<Value, Ref>) {
        let cur = self.cur;
        if step == Step::Constructed {
            // only a lack of room goes wrong here: the next step reports it
            return self.join_system_group(Phase::Errands(Step::Serve));
        }
        if let Some(errand) = self.sched.asked.current.take() {
            let outcome = match result {
                Ok(Value::Ref(r)) if !r.is_null() && self.instance_of(r, self.known.string) => {
                    Ok(Some(self.string(r)))
                }
                Ok(_) => Ok(None),
                Err(e) => Err(self.describe_exception(e)),
            };
            (errand.then)(self, outcome);
        }
        match self.begin_errand(cur) {
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
        let errand = env.0.sched.asked.current.as_ref();
        errand.and_then(|e| e.calls.front().cloned())
    };
    if c.data[0] == 1 {
        c.data[0] = 0;
        if let Some(errand) = &mut env.0.sched.asked.current {
            errand.calls.pop_front();
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
    let method = env.jdk_method(class, next.callee);
    c.data[0] = 1;
    Ok(Next::Call(Call::new(env, method, &args)))
}

impl Env {
    /// The diagnostic commands that the host offers; none if it offers none.
    pub fn commands(&self) -> Vec<CommandInfo> {
        let host = self.0.sched.asked.host.as_ref();
        host.map_or(Vec::new(), |host| host.list())
    }
    /// Whether the host offers diagnostic commands.
    pub fn has_commands(&self) -> bool {
        self.0.sched.asked.host.is_some()
    }
    /// Gives a command. The native hands the throw on, and runs again when there is a [`Env::command_answer`].
    pub fn give_command(&mut self, line: String) -> Box<Throw> {
        let cur = self.0.cur;
        self.0.sched.asked.lines.push_back((cur, line));
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
        let mut answers = self.0.sched.asked.answers.iter();
        let found = answers.find(|a| a.0 == self.0.cur);
        found.map(|a| a.1.clone())
    }
    /// The running thread has taken the answer to its command.
    pub fn end_command(&mut self) {
        let cur = self.0.cur;
        self.0.sched.asked.answers.retain(|a| a.0 != cur);
    }
}
