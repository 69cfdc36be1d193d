//! Profiling agents: code of the user that gets exact counts ([`Profiler`]) or samples
//! ([`SamplingProfiler`]) while the program runs, at exactly the bytecodes it asks for. An embedder
//! implements the traits; [`java`] is the implementation that hands everything to an agent in Java.
//!
//! ```
//! use rjvm_cli::agent::{Agents, SamplingProfiler, StackSample};
//! use rjvm_vm::{Vm, events::Started};
//!
//! /// Prints the method that executes every 10,000th bytecode of each thread.
//! struct Tops;
//! impl SamplingProfiler for Tops {
//!     fn register(&mut self, _: &Vm, _: &Started) -> u64 {
//!         10_000
//!     }
//!     fn process_sample(&mut self, vm: &Vm, sample: StackSample<'_>) -> u64 {
//!         let top = rjvm_run::profile::method(vm, sample.stack[sample.stack.len() - 1].method);
//!         println!("{}.{}", top.class, top.name);
//!         10_000
//!     }
//! }
//! fn install(vm: &mut Vm) {
//!     vm.observe(Box::new(Agents::default().with_sampling_profiler(Tops)));
//! }
//! ```

pub mod java;
pub mod switch;

use rjvm_profiler::samples::Frame;
use rjvm_vm::events::{Event, EventSet, EventView, MAX_INTERVAL, Moment, Observer, Started};
use rjvm_vm::interp::Context;
use rjvm_vm::{ThreadId, Vm};

/// Gets the exact counts of each thread's calling contexts. The VM has to record them
/// (`Options::profile`).
///
/// The numbers returned are bytecodes that the thread is to execute until its next report; 0: none.
pub trait Profiler: Send {
    /// A thread begins.
    fn register(&mut self, vm: &Vm, thread: &Started) -> u64;
    /// The counts of the thread: `rc` is the root of its contexts, `current` the one it is in.
    fn report(&mut self, vm: &Vm, thread: ThreadId, rc: Context<'_>, current: Context<'_>) -> u64;
    /// The thread, or the profiled part of it, has ended: `rc` is complete. `None`: it has executed nothing.
    fn ended(&mut self, _vm: &Vm, _thread: ThreadId, _rc: Option<Context<'_>>) {}
}

/// A sample of a thread's stack.
#[derive(Clone, Copy, Debug)]
pub struct StackSample<'a> {
    /// The thread.
    pub thread: ThreadId,
    /// Its stack, root first.
    pub stack: &'a [Frame],
    /// That many frames at the root are as they were at the thread's last sample.
    pub unchanged: usize,
    /// Bytecodes the thread has executed since its last sample, or since it began.
    pub bytecodes: u64,
}

/// Gets samples of each thread's stack.
///
/// The numbers returned are bytecodes that the thread is to execute until its next sample; 0: none.
pub trait SamplingProfiler: Send {
    /// A thread begins.
    fn register(&mut self, vm: &Vm, thread: &Started) -> u64;
    /// A sample of the thread.
    fn process_sample(&mut self, vm: &Vm, sample: StackSample<'_>) -> u64;
    /// The thread, or the profiled part of it, has ended.
    fn ended(&mut self, _vm: &Vm, _thread: ThreadId) {}
}

/// A [`Profiler`], a [`SamplingProfiler`] or both as an observer of a VM. Where both are due, the
/// report comes first.
#[derive(Default)]
pub struct Agents {
    profiler: Option<Box<dyn Profiler>>,
    sampler: Option<Box<dyn SamplingProfiler>>,
    /// By thread.
    clocks: Vec<Clock>,
}

/// When something is next due for a thread, in bytecodes it has executed.
#[derive(Clone, Copy, Default)]
struct Clock {
    report: Option<u64>,
    sample: Option<u64>,
    last_sample: u64,
    /// Frames that have not changed since the last sample.
    unchanged: usize,
}

impl Clock {
    /// Bytecodes until the first of them, seen from `now`.
    fn rest(&self, now: u64) -> u64 {
        let first = match (self.report, self.sample) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        first.map_or(0, |n| n - now)
    }
}

fn due(now: u64, interval: u64) -> Option<u64> {
    (interval > 0).then(|| now + interval.min(MAX_INTERVAL))
}

impl Agents {
    /// With this profiler.
    pub fn with_profiler(mut self, profiler: impl Profiler + 'static) -> Agents {
        self.profiler = Some(Box::new(profiler));
        self
    }
    /// With this sampling profiler.
    pub fn with_sampling_profiler(mut self, sampler: impl SamplingProfiler + 'static) -> Agents {
        self.sampler = Some(Box::new(sampler));
        self
    }
    fn clock(&mut self, thread: ThreadId) -> &mut Clock {
        let t = thread.0 as usize;
        if self.clocks.len() <= t {
            self.clocks.resize(t + 1, Clock::default());
        }
        &mut self.clocks[t]
    }
}

impl Agents {
    fn register(&mut self, vm: &Vm, thread: &Started) -> u64 {
        let now = thread.executed as u64;
        let mut clock = Clock {
            last_sample: now,
            ..Clock::default()
        };
        if let Some(p) = &mut self.profiler {
            clock.report = due(now, p.register(vm, thread));
        }
        if let Some(s) = &mut self.sampler {
            clock.sample = due(now, s.register(vm, thread));
        }
        *self.clock(thread.thread) = clock;
        clock.rest(now)
    }
    fn call(&mut self, vm: &Vm, at: Moment<'_>) -> u64 {
        let now = at.executed as u64;
        let mut clock = *self.clock(at.thread);
        clock.unchanged = clock.unchanged.min(at.unchanged);
        if clock.report == Some(now) {
            clock.report = None;
            if let Some(p) = &mut self.profiler
                && let (Some(rc), Some(current)) =
                    (vm.root_context(at.thread), vm.current_context())
            {
                clock.report = due(now, p.report(vm, at.thread, rc, current));
            }
        }
        if clock.sample == Some(now) {
            clock.sample = None;
            if let Some(s) = &mut self.sampler {
                let sample = StackSample {
                    thread: at.thread,
                    stack: at.stack,
                    unchanged: clock.unchanged,
                    bytecodes: now - clock.last_sample,
                };
                clock.last_sample = now;
                clock.unchanged = usize::MAX;
                clock.sample = due(now, s.process_sample(vm, sample));
            }
        }
        *self.clock(at.thread) = clock;
        clock.rest(now)
    }
    fn ended(&mut self, vm: &Vm, thread: ThreadId) {
        if let Some(p) = &mut self.profiler {
            p.ended(vm, thread, vm.root_context(thread));
        }
        if let Some(s) = &mut self.sampler {
            s.ended(vm, thread);
        }
    }
}

impl Observer for Agents {
    fn events(&self) -> EventSet {
        match self.profiler {
            Some(_) => EventSet::PROFILED | EventSet::CONTEXTS,
            None => EventSet::PROFILED,
        }
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        match event {
            Event::ProfileBegins(thread) => {
                let interval = self.register(seen, thread);
                seen.call_after(interval);
            }
            Event::Reached(at) => {
                let interval = self.call(seen, at);
                seen.call_after(interval);
            }
            Event::ProfileEnds(thread) => self.ended(seen, thread),
            _ => {}
        }
    }
}
