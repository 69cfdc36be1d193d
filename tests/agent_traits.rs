//! Agents in Rust: called at exactly the bytecodes they ask for, with counts and stacks that are exact.

mod common;

use common::guest::{Guest, guest_classes, options};
use rjvm::agent::{Agents, Profiler, SamplingProfiler, StackSample};
use rjvm_profiler::samples::Frame;
use rjvm_vm::interp::{Agent, Context, Moment, Sample, Started};
use rjvm_vm::{ThreadId, Vm};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

type Shared<T> = Arc<Mutex<T>>;

/// Checks every report: what the contexts have executed is what the thread has.
#[derive(Default)]
struct Adding {
    executed: HashMap<ThreadId, u64>,
    reports: Shared<u64>,
    ended: Shared<Vec<(ThreadId, i64)>>,
}

fn sum(rc: Context<'_>) -> i64 {
    let mut rest = vec![rc];
    let mut sum = 0;
    while let Some(context) = rest.pop() {
        sum += context.exclusive();
        rest.extend(context.callees());
    }
    sum
}

impl Profiler for Adding {
    fn register(&mut self, _: &Vm, thread: &Started) -> u64 {
        self.executed
            .insert(thread.thread, thread.executed as u64 + 5_000);
        5_000
    }
    fn report(&mut self, _: &Vm, thread: ThreadId, rc: Context<'_>, current: Context<'_>) -> u64 {
        let mut reports = self.reports.lock().expect("no panic");
        *reports += 1;
        let executed = self.executed.get_mut(&thread).expect("it was registered");
        assert_eq!(sum(rc), *executed as i64);
        let mut root = current;
        while let Some(caller) = root.caller() {
            root = caller;
        }
        assert_eq!(
            root.id(),
            rc.id(),
            "the current context is one of the thread's"
        );
        let next = 4_000 + *reports % 777;
        *executed += next;
        next
    }
    fn ended(&mut self, _: &Vm, thread: ThreadId, rc: Option<Context<'_>>) {
        let sum = rc.map_or(0, sum);
        self.ended.lock().expect("no panic").push((thread, sum));
    }
}

/// Looks at stacks every 300 bytecodes, and whether what is said to be unchanged is.
#[derive(Default)]
struct Stacks {
    last: HashMap<ThreadId, Vec<Frame>>,
    samples: Shared<u64>,
}

impl SamplingProfiler for Stacks {
    fn register(&mut self, _: &Vm, _: &Started) -> u64 {
        300
    }
    fn process_sample(&mut self, _: &Vm, sample: StackSample<'_>) -> u64 {
        assert_eq!(sample.bytecodes, 300);
        let last = self.last.entry(sample.thread).or_default();
        let same = sample.unchanged.min(last.len());
        assert_eq!(sample.stack[..same], last[..same]);
        *last = sample.stack.to_vec();
        *self.samples.lock().expect("no panic") += 1;
        300
    }
}

#[test]
fn counts_are_exact_at_each_report() {
    let mut g = Guest::boot(options(Some(&guest_classes())));
    let adding = Adding::default();
    let stacks = Stacks::default();
    let (reports, ended) = (adding.reports.clone(), adding.ended.clone());
    let samples = stacks.samples.clone();
    let before = g.executed();
    g.vm.set_agent(Box::new(
        Agents::default()
            .with_profiler(adding)
            .with_sampling_profiler(stacks),
    ));
    g.run("all");
    g.vm.finish_agent();
    let executed = g.executed();
    let reports = *reports.lock().expect("no panic");
    assert!(reports > 50, "{reports}");
    let samples = *samples.lock().expect("no panic") as i64;
    assert!(samples > (executed - before) / 400, "{samples}");
    let ended = ended.lock().expect("no panic");
    assert_eq!(ended.iter().map(|e| e.1).sum::<i64>(), executed);
}

/// Where an agent is called, and where the VM takes its samples.
type At = (ThreadId, i64, Vec<Frame>);

struct Both {
    every: u64,
    called: Shared<Vec<At>>,
    sampled: Shared<Vec<At>>,
}

impl Agent for Both {
    fn register(&mut self, _: &Vm, thread: &Started) -> u64 {
        self.every - thread.executed as u64 % self.every
    }
    fn call(&mut self, _: &Vm, at: Moment<'_>) -> u64 {
        let at = (at.thread, at.executed, at.stack.to_vec());
        self.called.lock().expect("no panic").push(at);
        self.every
    }
    fn sampled(&mut self, _: &Vm, s: Sample<'_>) {
        let at = (s.thread, s.executed, s.stack.to_vec());
        self.sampled.lock().expect("no panic").push(at);
    }
}

#[test]
fn calls_are_where_samples_are() {
    for every in [1, 7, 500] {
        let mut o = options(Some(&guest_classes()));
        o.sample_every = Some(every);
        let mut g = Guest::boot(o);
        let (called, sampled) = <(Shared<Vec<At>>, Shared<Vec<At>>)>::default();
        g.vm.set_agent(Box::new(Both {
            every,
            called: called.clone(),
            sampled: sampled.clone(),
        }));
        g.run(if every == 1 { "loops" } else { "all" });
        let (called, sampled) = (
            called.lock().expect("no panic"),
            sampled.lock().expect("no panic"),
        );
        assert!(called.len() > 100);
        for (c, s) in called.iter().zip(sampled.iter()) {
            assert_eq!(c, s, "every {every}");
        }
        assert_eq!(called.len(), sampled.len());
    }
}
