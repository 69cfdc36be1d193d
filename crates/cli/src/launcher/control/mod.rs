//! Requests to a running program from outside: by the JDK's own tools (`jcmd`, `jstack`, `jmap`, `jinfo`, `jps`), in
//! the protocols that HotSpot has for them.
//!
//! A thread of the operating system ([`attach`]) takes requests and leaves them in a [`Queue`]; the VM sees to them
//! between the turns of two threads ([`ControlQueue`]), where nothing runs and all objects can be looked at. So an answer
//! costs no bytecode, and no count or schedule depends on it. A VM that sleeps is woken.

mod attach;
mod commands;
mod counters;
mod date;
mod error;
mod known;
mod operations;
pub mod options;
mod parse;
mod perfdata;
mod probes;
mod profile;
mod properties;
mod queue;
mod samples;
mod serve;

use super::config::{Config, LaunchTask};
use super::event_log::EventLogSlot;
use super::probes::ProbeRegistry as Probes;
use super::tool::{ProgramRun, Tool, ToolFailure};
use crate::messages;
use attach::AttachListener;
use known::{CommandContext, CommandOutcome, CommandSource, SharedContext};
use queue::Queue;
use rjvm_vm::Vm;
use rjvm_vm::threads::pending_requests::{CommandInfo, Commands};
use rjvm_vm::threads::signals::RequestQueue;

/// What the program asks its VM for by the bean of diagnostic commands.
struct OfProgram {
    known: SharedContext,
    asker: CommandSource,
}

impl Commands for OfProgram {
    fn list(&self) -> Vec<CommandInfo> {
        commands::list(&self.known.lock(), self.asker)
    }
    fn run(&mut self, vm: &mut Vm, line: &str) -> Result<String, String> {
        let done = commands::run(vm, &mut self.known.lock(), line, self.asker);
        match done.map_err(|e| e.to_string())? {
            CommandOutcome::Text(text) => Ok(text),
            CommandOutcome::Calls(_) | CommandOutcome::Agent(..) => {
                unreachable!("programs are offered none of these")
            }
        }
    }
}

/// Lets the program give diagnostic commands, in a replay those of the recorded run.
pub fn offer(
    vm: &mut Vm,
    config: &Config,
    replayed: bool,
    (events, probes): (&EventLogSlot, &Probes),
) -> SharedContext {
    let repeatable = replayed || !is_open(config);
    let asker = CommandSource::Program { repeatable };
    let known = SharedContext::new(CommandContext {
        config: config.clone(),
        marked: None,
        asker,
        events: events.clone(),
        probes: probes.clone(),
    });
    vm.offer_commands(Box::new(OfProgram {
        known: known.clone(),
        asker,
    }));
    known
}

/// Where requests are seen to.
struct ControlQueue {
    known: SharedContext,
    queue: Queue,
    door: Option<AttachListener>,
    counters: Option<counters::Counters>,
}

impl RequestQueue for ControlQueue {
    fn poll(&mut self, vm: &mut Vm) -> bool {
        self.door.as_mut().is_some_and(|door| door.poll(vm))
    }
    fn is_wanted(&self) -> bool {
        self.queue.is_wanted() || self.counters.as_ref().is_some_and(|c| c.are_old())
    }
    fn serve(&mut self, vm: &mut Vm) {
        while let Some(vm_task) = self.queue.take() {
            vm_task(vm, &mut self.known.lock());
        }
        if let Some(counters) = &mut self.counters {
            counters.update(vm);
        }
    }
}

/// The ways in while the program runs, and the files that show them to others. They go with it.
pub struct Control {
    events: EventLogSlot,
    probes: Probes,
    open: OpenChannels,
}

impl Control {
    /// Serves requests about these.
    pub fn new(events: &EventLogSlot, probes: &Probes) -> Control {
        Control {
            events: events.clone(),
            probes: probes.clone(),
            open: OpenChannels::default(),
        }
    }
}

impl Tool for Control {
    fn name(&self) -> &'static str {
        "the ways in"
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        let replayed = run.tape.is_replay();
        let known = offer(vm, &run.config, replayed, (&self.events, &self.probes));
        if !replayed {
            self.open = start(vm, &run.config, known)?;
        }
        Ok(())
    }
    fn finish(&mut self, _: &mut Vm, _: &mut ProgramRun) -> bool {
        std::mem::take(&mut self.open).close();
        true
    }
}

/// The open channels.
#[derive(Default)]
struct OpenChannels {
    queue: Option<Queue>,
    data: Option<perfdata::File>,
}

impl OpenChannels {
    /// No client is served from now on.
    fn close(self) {
        if let Some(queue) = self.queue {
            queue.close();
        }
        if let Some(data) = self.data {
            data.remove();
        }
    }
}

/// A contradiction among the options.
pub fn contradiction(config: &Config) -> Option<String> {
    let deaf = !config.signals || !is_open(config);
    (config.serve.is_some() && config.task == LaunchTask::Run && deaf).then(|| {
        "--serve cannot be combined with -Xrs, --deterministic, --record, --replay or --explorable"
            .into()
    })
}

/// Whether a run accepts requests. Requests from outside are not part of a recording, and a run that is to be the same each time,
/// or is copied for many schedules, takes none.
fn is_open(config: &Config) -> bool {
    let alone = config.deterministic.is_some() || config.explorable || config.replay.is_some();
    config.task == LaunchTask::Run && config.what.is_some() && config.record.is_none() && !alone
}

/// Opens the ways in that the options leave open, for a VM that has not started.
///
/// # Errors
/// The page cannot be served.
fn start(vm: &mut Vm, config: &Config, known: SharedContext) -> Result<OpenChannels, ToolFailure> {
    if !is_open(config) {
        return Ok(OpenChannels::default());
    }
    let attachable = config.attachable && config.signals;
    let data = config
        .perf_data
        .then(|| perfdata::File::write(vm, config, attachable))
        .flatten();
    let (data, counters) = data.unzip();
    if !attachable && config.serve.is_none() && counters.is_none() {
        return Ok(OpenChannels::default());
    }
    let queue = Queue::default();
    if let Some(port) = config.serve {
        queue.open(vm);
        let mut key = [0; 16];
        rjvm_jdk_stubs::os::entropy(&mut key);
        let address = serve::start(&queue, port, u128::from_ne_bytes(key)).map_err(|e| {
            data.iter().for_each(perfdata::File::remove);
            ToolFailure::of(
                "--serve",
                &format_args!("port {port} is not available: {e}"),
            )
        })?;
        messages::note(&address);
    }
    vm.set_request_queue(Box::new(ControlQueue {
        known,
        door: attachable.then(|| AttachListener::new(queue.clone())),
        queue: queue.clone(),
        counters,
    }));
    Ok(OpenChannels {
        queue: Some(queue),
        data,
    })
}
