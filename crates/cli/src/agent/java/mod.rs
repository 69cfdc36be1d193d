//! Agents written in Java. The agent lives in a separate VM, with its own heap, classes and threads, in the same process and on
//! the same OS thread: whatever it does, the program executes the same bytecodes. For each thread of the program it has a twin, a
//! thread that makes the calls.

mod instruments;
mod listener;
mod machine;
mod mail;
mod request;
mod tree;

use super::{Agents, Profiler, SamplingProfiler, StackSample};
use listener::AgentListener;
use machine::Machine;
use rjvm_vm::events::{Observer, Started};
use rjvm_vm::interp::Context;
use rjvm_vm::natives::Natives;
use rjvm_vm::vm::Options;
use rjvm_vm::{ThreadId, Vm};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The jar that an agent is compiled with.
pub static API: &[u8] = include_bytes!("../../../java/agent-api/rjvm-agent.jar");

/// An agent in its VM.
#[derive(Clone)]
pub struct JavaAgent {
    machine: Arc<Mutex<Machine>>,
    profiler: bool,
    sampler: bool,
    listener: bool,
}

impl JavaAgent {
    /// Starts a VM like the one with these options (class path, properties, size of the heap) and
    /// makes the agent in it. The error is for people.
    pub fn start(class: &str, options: &Options) -> Result<JavaAgent, String> {
        let natives = rjvm_jdk_stubs::natives();
        JavaAgent::start_with(class, options, natives)
    }
    /// The same with these native methods, those of the JDK among them: for agents that have their own native methods.
    pub fn start_with(
        class: &str,
        options: &Options,
        natives: Natives,
    ) -> Result<JavaAgent, String> {
        let (machine, kinds) = Machine::start(class, options, natives)?;
        Ok(JavaAgent {
            machine: Arc::new(Mutex::new(machine)),
            profiler: kinds & 1 != 0,
            sampler: kinds & 2 != 0,
            listener: kinds & 4 != 0,
        })
    }
    /// Whether it wants exact counts.
    pub fn is_profiler(&self) -> bool {
        self.profiler
    }
    /// The agent of the program's VM.
    pub fn agents(&self) -> Agents {
        let mut agents = Agents::default();
        if self.profiler {
            agents = agents.with_profiler(self.clone());
        }
        if self.sampler {
            agents = agents.with_sampling_profiler(self.clone());
        }
        agents
    }
    /// The agent as those who are notified by the program's VM: of its profile, of its events.
    pub fn observers(&self) -> Vec<Box<dyn Observer>> {
        let mut observers: Vec<Box<dyn Observer>> = Vec::new();
        if self.profiler || self.sampler {
            observers.push(Box::new(self.agents()));
        }
        if self.listener {
            observers.push(Box::new(AgentListener(self.clone())));
        }
        observers
    }
    /// Places the instruments that the agent has requested before the first event: to be called once the VM has its
    /// observers.
    pub fn place_instruments(&self, vm: &mut Vm) {
        let requests = std::mem::take(&mut self.machine().mail().requests);
        self.place_in(requests, vm);
    }
    /// The program has ended: runs the agent's shutdown hooks.
    pub fn finish(&self) {
        self.machine().finish();
    }
    fn machine(&self) -> MutexGuard<'_, Machine> {
        // one OS thread runs both VMs: nobody else holds it
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Profiler for JavaAgent {
    fn register(&mut self, _: &Vm, thread: &Started) -> u64 {
        self.machine().register(thread, true)
    }
    fn report(&mut self, vm: &Vm, thread: ThreadId, rc: Context<'_>, current: Context<'_>) -> u64 {
        self.machine().report(vm, thread, rc, current)
    }
    fn ended(&mut self, vm: &Vm, thread: ThreadId, rc: Option<Context<'_>>) {
        let mut machine = self.machine();
        if let Some(rc) = rc {
            machine.bring_up_to_date(vm, thread, rc);
        }
        if !self.sampler {
            machine.ended(thread);
        }
    }
}

impl SamplingProfiler for JavaAgent {
    fn register(&mut self, _: &Vm, thread: &Started) -> u64 {
        self.machine().register(thread, false)
    }
    fn process_sample(&mut self, vm: &Vm, sample: StackSample<'_>) -> u64 {
        self.machine().sample(vm, sample)
    }
    fn ended(&mut self, _: &Vm, thread: ThreadId) {
        self.machine().ended(thread);
    }
}
