//! Calls, returns, instructions and class files as events, against exact profiles; and that kinds can be switched at any
//! bytecode without a trace.

use crate::common;
use crate::common::guest::{Guest, notified_options, text};
use rjvm_profiler::samples::Recorder;
use rjvm_vm::events::{Event, EventSet, EventView, Observer};
use rjvm_vm::{MethodId, ThreadId, Vm};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

type Shared<T> = Arc<Mutex<T>>;

/// Counts calls and returns by method, and looks whether they pair up.
#[derive(Default)]
struct Calls {
    entered: BTreeMap<MethodId, u64>,
    left: u64,
    thrown: u64,
    /// Methods that each thread is in, entered while this listens.
    open: BTreeMap<ThreadId, Vec<MethodId>>,
    /// Returns of methods that were entered before.
    before: u64,
    natives: u64,
    reported: u64,
}

struct OfCalls(Shared<Calls>, EventSet);

impl Observer for OfCalls {
    fn events(&self) -> EventSet {
        self.1
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let mut c = self.0.lock().expect("no panic");
        let t = seen.thread().expect("a thread runs");
        let top = |seen: &mut EventView<'_>| seen.stack().last().map(|f| MethodId(f.method));
        match event {
            Event::MethodEntry { method } => {
                c.reported += 1;
                if c.reported.is_multiple_of(500) {
                    assert_eq!(top(seen), Some(method));
                    assert_eq!(seen.context().and_then(|c| c.method()), Some(method));
                }
                *c.entered.entry(method).or_default() += 1;
                c.open.entry(t).or_default().push(method);
                c.natives += u64::from(seen.method(method).is_native());
            }
            Event::MethodExit { method, exception } => {
                c.left += 1;
                c.thrown += u64::from(exception);
                match c.open.entry(t).or_default().pop() {
                    Some(entered) => assert_eq!(entered, method, "{}", seen.method_name(method)),
                    None => c.before += 1,
                }
            }
            _ => panic!("nobody asked for {event:?}"),
        }
    }
}

/// How often each method was invoked.
fn invocations(vm: &mut Vm) -> BTreeMap<MethodId, u64> {
    vm.flush_open_frames();
    let threads: Vec<ThreadId> = vm.all_threads().map(|t| t.id).collect();
    let mut sum = BTreeMap::new();
    for t in threads {
        let mut rest: Vec<_> = vm.root_context(t).into_iter().collect();
        while let Some(c) = rest.pop() {
            if let Some(m) = c.method() {
                *sum.entry(m).or_default() += c.invocations();
            }
            rest.extend(c.callees());
        }
    }
    sum
}

#[test]
fn every_call_is_reported_as_often_as_the_exact_profile_counts_it() {
    let calls = EventSet::METHOD_ENTRY | EventSet::METHOD_EXIT;
    let run = |listen: Option<EventSet>| {
        let mut g = Guest::boot(notified_options());
        // some code is there already
        g.run_of("Seen", "few_bytecodes");
        let m = g.method("Seen", "calls", "()I");
        let reported: Shared<Calls> = Shared::default();
        let before = invocations(&mut g.vm);
        let id = listen.map(|wants| g.vm.observe(Box::new(OfCalls(reported.clone(), wants))));
        let r = g.vm.call_on(g.main, m, &[]);
        let mut result = g.value(r).int();
        for name in ["convoy", "pingpong", "parks"] {
            result = result.wrapping_mul(31).wrapping_add(g.run_of("Seen", name));
        }
        if let Some(id) = id {
            g.vm.remove_observer(id);
        }
        let mut counted = invocations(&mut g.vm);
        for (m, n) in before {
            *counted.get_mut(&m).expect("it was there") -= n;
        }
        counted.retain(|_, n| *n > 0);
        result = result
            .wrapping_mul(31)
            .wrapping_add(g.run_of("Seen", "calls"));
        let reported = std::mem::take(&mut *reported.lock().expect("no panic"));
        (result, g.executed(), text(&g.profile()), counted, reported)
    };
    let (with, without) = (run(Some(calls)), run(None));
    assert_eq!((with.0, with.1), (without.0, without.1));
    assert!(with.2 == without.2, "the profile has changed");
    let (counted, reported) = (with.3, with.4);
    assert!(reported.entered.values().sum::<u64>() > 10_000 && reported.natives > 100);
    // the frames that the stack had no room for were never entered in the profile
    let sums = (
        counted.values().sum::<u64>(),
        reported.entered.values().sum::<u64>(),
    );
    for (m, n) in &counted {
        assert_eq!(reported.entered.get(m), Some(n), "{m:?} {sums:?}");
    }
    assert_eq!(reported.entered.len(), counted.len());
    assert!(reported.thrown > 300, "{}", reported.thrown);
    let open: usize = reported.open.values().map(Vec::len).sum();
    assert_eq!(reported.left - reported.before + open as u64, sums.1);
    // each kind on its own
    let entries = run(Some(EventSet::METHOD_ENTRY)).4;
    assert_eq!((entries.entered, entries.left), (reported.entered, 0));
    let exits = run(Some(EventSet::METHOD_EXIT)).4;
    assert_eq!((exits.left, exits.thrown), (reported.left, reported.thrown));
}

/// Switches kinds on and off from inside, at bytecodes that are requested.
struct Switches {
    kinds: EventSet,
    reported: Shared<(u64, u64)>,
    on: bool,
}

impl Observer for Switches {
    fn events(&self) -> EventSet {
        EventSet::PROFILED
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let mut reported = self.reported.lock().expect("no panic");
        match event {
            Event::ProfileBegins(_) => seen.call_after(777),
            Event::Reached(_) => {
                self.on = !self.on;
                let kinds = if self.on { self.kinds } else { EventSet::NONE };
                seen.want(EventSet::PROFILED | kinds);
                seen.call_after(if self.on { 500 } else { 3001 });
                reported.0 += 1;
            }
            Event::ProfileEnds(_) => {}
            _ => {
                assert!(self.on, "{event:?} is not wanted");
                assert!(seen.wanted().meets(event.kind()));
                reported.1 += 1;
            }
        }
    }
}

#[test]
fn kinds_are_switched_at_any_bytecode_and_change_nothing() {
    let kinds = EventSet::METHOD_ENTRY
        | EventSet::METHOD_EXIT
        | EventSet::INSTRUCTIONS
        | EventSet::LOCKS
        | EventSet::THREADS
        | EventSet::CLASSES
        | EventSet::PREPARED
        | EventSet::COLLECTIONS
        | EventSet::ALLOCATIONS
        | EventSet::MOVES
        | EventSet::FREES
        | EventSet::ARENAS;
    // one run that nobody listens to, for all of them
    let mut alone = None;
    for kinds in [kinds, EventSet::METHOD_EXIT, EventSet::METHOD_ENTRY] {
        let run = |listen: bool| {
            let mut o = notified_options();
            o.sample_every = Some(997);
            o.max_heap = 6 << 20;
            let mut g = Guest::boot_with(o, |vm| vm.record_samples(Recorder::new(false)));
            let reported: Shared<(u64, u64)> = Shared::default();
            if listen {
                g.vm.observe(Box::new(Switches {
                    kinds,
                    reported: reported.clone(),
                    on: false,
                }));
            }
            let mut result = 0;
            let all = ["calls", "few", "convoy", "pingpong", "parks", "calls"];
            let names = if common::all() { &all[..] } else { &all[1..5] };
            for name in names {
                result = g
                    .run_of("Seen", name)
                    .wrapping_add(31i32.wrapping_mul(result));
            }
            let reported = *reported.lock().expect("no panic");
            (
                result,
                g.executed(),
                text(&g.profile()),
                text(&g.samples()),
                reported,
            )
        };
        let with = run(true);
        let without = alone.get_or_insert_with(|| run(false));
        assert_eq!((with.0, with.1), (without.0, without.1));
        assert!(with.2 == without.2, "the profile has changed");
        assert!(with.3 == without.3, "the samples have changed");
        assert!(with.4.0 > 100 && with.4.1 > 1000, "{:?}", with.4);
        // daily once, for kinds that cost little: a run that reports each instruction is slow
        if kinds == EventSet::METHOD_EXIT || common::all() {
            assert_eq!(run(true).4, with.4, "the reports are the same each time");
        }
    }
}

struct Each(Shared<Vec<(ThreadId, i64, u32)>>, bool);

impl Observer for Each {
    fn events(&self) -> EventSet {
        match self.1 {
            true => EventSet::INSTRUCTIONS,
            false => EventSet::PROFILED,
        }
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        match event {
            Event::ProfileBegins(_) => seen.call_after(1),
            Event::Reached(at) | Event::Instruction(at) => {
                seen.call_after(1);
                let top = at.stack.last().expect("a method runs");
                let mut list = self.0.lock().expect("no panic");
                list.push((at.thread, at.executed, top.bci));
            }
            _ => {}
        }
    }
}

#[test]
fn every_instruction_is_reported_once() {
    let mut g = Guest::boot(notified_options());
    let m = g.method("Seen", "few_bytecodes", "()I");
    let mut run = |every: bool| {
        let reported: Shared<Vec<_>> = Shared::default();
        let id = g.vm.observe(Box::new(Each(reported.clone(), every)));
        let before = g.vm.env().executed(g.main);
        let r = g.vm.call_on(g.main, m, &[]);
        g.value(r);
        g.vm.remove_observer(id);
        let reported = std::mem::take(&mut *reported.lock().expect("no panic"));
        let reported: Vec<_> = reported.into_iter().filter(|t| t.1 > before).collect();
        let numbers: Vec<i64> = reported.iter().map(|t| t.1 - before).collect();
        let bcis: Vec<u32> = reported.iter().map(|t| t.2).collect();
        (g.vm.env().executed(g.main) - before, numbers, bcis)
    };
    let (executed, numbers, bcis) = run(true);
    assert_eq!(numbers.len() as i64, executed);
    assert!(executed > 500 && numbers.windows(2).all(|w| w[0] + 1 == w[1]));
    let (same, reached, at) = run(false);
    assert_eq!((same, reached.len(), at), (executed, numbers.len(), bcis));
}

/// Puts another class file in the place of one.
struct Hook(Shared<Vec<String>>);

impl Observer for Hook {
    fn events(&self) -> EventSet {
        EventSet::CLASS_FILES
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let Event::ClassFile(file) = event else {
            panic!("{event:?}");
        };
        assert_eq!(file.bytes[..4], [0xca, 0xfe, 0xba, 0xbe]);
        let name = file.name.unwrap_or("-").to_string();
        if name == "Seen$Word" {
            let mut bytes = file.bytes.to_vec();
            let at = bytes.windows(6).position(|w| w == b"before");
            bytes[at.expect("the constant")..][..6].copy_from_slice(b"behind");
            seen.replace_class_file(bytes);
        }
        self.0.lock().expect("no panic").push(name);
    }
}

#[test]
fn a_class_file_is_shown_once_and_may_be_replaced() {
    for hooked in [false, true] {
        let mut g = Guest::boot(notified_options());
        let reported: Shared<Vec<String>> = Shared::default();
        if hooked {
            g.vm.observe(Box::new(Hook(reported.clone())));
        }
        assert_eq!(g.run_of("Seen", "word"), i32::from(hooked));
        assert_eq!(g.run_of("Seen", "pingpong"), 20);
        let mut names = reported.lock().expect("no panic").clone();
        assert_eq!(
            names.iter().filter(|n| *n == "Seen$Word").count(),
            usize::from(hooked)
        );
        names.retain(|n| n != "-" && !n.contains("Lambda") && !n.contains("LambdaForm"));
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all, "{names:?}");
    }
}
