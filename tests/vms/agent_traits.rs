//! Agents in Rust: called at exactly the bytecodes they ask for, with counts and stacks that are exact.

use crate::common::guest::{Guest, guest_classes, options, text};
use rjvm_cli::agent::{Agents, Profiler, SamplingProfiler, StackSample};
use rjvm_profiler::samples::Frame;
use rjvm_vm::events::{Collection, Event, EventSet, EventView, Observer, Started};
use rjvm_vm::interp::Context;
use rjvm_vm::{ThreadId, Vm};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

type Shared<T> = Arc<Mutex<T>>;

/// Checks every report: the contexts have executed as much as the thread.
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

/// Looks at stacks every 300 bytecodes, and checks that the part called unchanged is.
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
    let id = g.vm.observe(Box::new(
        Agents::default()
            .with_profiler(adding)
            .with_sampling_profiler(stacks),
    ));
    g.run("all");
    g.vm.remove_observer(id);
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

impl Observer for Both {
    fn events(&self) -> EventSet {
        EventSet::PROFILED | EventSet::SAMPLES | EventSet::AT_SAMPLES
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        match event {
            Event::ProfileBegins(thread) => {
                seen.call_after(self.every - thread.executed as u64 % self.every);
            }
            Event::Reached(at) => {
                let at = (at.thread, at.executed, at.stack.to_vec());
                self.called.lock().expect("no panic").push(at);
                seen.call_after(self.every);
            }
            Event::Sampled(s) => {
                let at = (s.thread, s.executed, s.stack.to_vec());
                self.sampled.lock().expect("no panic").push(at);
            }
            _ => {}
        }
    }
}

#[test]
fn calls_are_where_samples_are() {
    for every in [1, 7, 500] {
        let mut o = options(Some(&guest_classes()));
        o.sample_every = Some(every);
        let mut g = Guest::boot(o);
        let (called, sampled) = <(Shared<Vec<At>>, Shared<Vec<At>>)>::default();
        g.vm.observe(Box::new(Both {
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

/// Counts its notifications.
#[derive(Default)]
struct Counts {
    wants: EventSet,
    seen: Shared<Seeing>,
}

#[derive(Default, Clone, PartialEq, Debug)]
struct Seeing {
    started: Vec<String>,
    ended: u32,
    classes: Vec<String>,
    collections: [u32; 2],
    objects: u64,
    bytes: u64,
    reached: Vec<i64>,
}

impl Observer for Counts {
    fn events(&self) -> EventSet {
        self.wants
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let mut s = self.seen.lock().expect("no panic");
        match event {
            Event::ThreadStarted(t) => s.started.push(seen.thread_name(t)),
            Event::ThreadEnded(_) => s.ended += 1,
            Event::ClassLoaded(c) => s.classes.push(seen.class(c).dotted()),
            Event::CollectionStarted => s.collections[0] += 1,
            Event::CollectionEnded(Collection { before, after, .. }) => {
                assert!(after <= before);
                s.collections[1] += 1;
            }
            Event::Allocated { object, bytes } => {
                assert_eq!(seen.heap().size_of(object), bytes);
                s.objects += 1;
                s.bytes += bytes as u64;
            }
            Event::ProfileBegins(_) => seen.call_after(1000),
            Event::Reached(at) => {
                s.reached.push(at.executed);
                seen.call_after(1000);
            }
            _ => {}
        }
    }
}

/// Objects and bytes in the contexts.
fn allocated(vm: &mut Vm) -> (u64, u64) {
    vm.flush_open_frames();
    let mut sum = (0, 0);
    for visit in vm
        .contexts(true)
        .into_iter()
        .flat_map(|(_, walks)| walks)
        .flatten()
    {
        let (objects, bytes) = vm.allocations(&visit);
        sum = (sum.0 + objects, sum.1 + bytes);
    }
    sum
}

#[test]
fn observers_are_notified_of_what_they_want_and_change_nothing() {
    let run = |wants: &[EventSet]| {
        let mut o = options(Some(&guest_classes()));
        o.allocations = true;
        let mut g = Guest::boot(o);
        let reported: Vec<Shared<Seeing>> = wants.iter().map(|_| Shared::default()).collect();
        let ids: Vec<_> = wants
            .iter()
            .zip(&reported)
            .map(|(&wants, seen)| {
                let seen = seen.clone();
                g.vm.observe(Box::new(Counts { wants, seen }))
            })
            .collect();
        let before = allocated(&mut g.vm);
        let result = g.run("all");
        let after = allocated(&mut g.vm);
        for id in ids {
            assert!(g.vm.remove_observer(id).is_some());
            assert!(g.vm.remove_observer(id).is_none());
        }
        let reported: Vec<Seeing> = reported
            .iter()
            .map(|t| t.lock().expect("no panic").clone())
            .collect();
        (
            result,
            text(&g.profile()),
            (after.0 - before.0, after.1 - before.1),
            reported,
        )
    };
    let (result, profile, _, _) = run(&[]);
    let all = EventSet::THREADS
        | EventSet::CLASSES
        | EventSet::COLLECTIONS
        | EventSet::ALLOCATIONS
        | EventSet::PROFILED;
    let (same, as_before, allocated, reported) = run(&[all, EventSet::THREADS, EventSet::PROFILED]);
    assert_eq!(same, result);
    assert!(as_before == profile);
    let [everything, threads, profiled] = &reported[..] else {
        unreachable!()
    };
    // the first lambda starts the class library's cleaner
    let names = [
        "Common-Cleaner",
        "Thread-0",
        "Thread-1",
        "Thread-2",
        "Thread-3",
    ];
    assert_eq!(
        (&everything.started[..], everything.ended),
        (&names.map(String::from)[..], 4)
    );
    assert!(
        everything.classes.contains(&"Guest$Circle".to_string()),
        "{:?}",
        everything.classes
    );
    assert_eq!((everything.objects, everything.bytes), allocated);
    assert!(everything.objects > 1000);
    assert!(everything.reached.len() > 100);
    // two with alarms at the same bytecodes are both reported
    assert_eq!(profiled.reached, everything.reached);
    let only = Seeing {
        started: everything.started.clone(),
        ended: 4,
        ..Seeing::default()
    };
    assert_eq!(*threads, only);
}
