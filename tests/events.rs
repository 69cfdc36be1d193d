//! The events of a VM against what is known otherwise: objects against a walk through the heap, calls against exact profiles.
//! And that nothing changes because somebody listens.

mod common;

use common::guest::{Guest, options, text};
use common::{jdk, tests_dir};
use rjvm_profiler::samples::{Frame, Recorder};
use rjvm_vm::events::{Arena, Event, EventSet, Seen, Subscriber};
use rjvm_vm::threads::locks::Held;
use rjvm_vm::vm::Options;
use rjvm_vm::{ClassId, MethodId, Ref, ThreadId, Vm};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

type Shared<T> = Arc<Mutex<T>>;

/// Options for a VM that runs `events/Told.java`.
fn told_options() -> Options {
    let dir = tests_dir().join("events");
    let classes = jdk::compile(
        "events",
        &[dir.join("Told.java")],
        &[],
        &dir.join("resources"),
    );
    Options {
        // paths of a stack that overflows are long
        stack_bytes: 96 << 10,
        ..options(Some(&classes))
    }
}

/// The kinds that tell what becomes of objects.
fn of_objects() -> EventSet {
    EventSet::ALLOCATIONS | EventSet::MOVES | EventSet::FREES | EventSet::ARENAS
}

/// All objects there are, as section 4.2 of the paper on JVMPI keeps them: from events alone.
#[derive(Default)]
struct Table {
    objects: BTreeMap<Ref, (ClassId, usize)>,
    arenas: Vec<Arena>,
    /// Allocated, moved, freed.
    told: [u64; 3],
    /// Moved or freed, but never told of before.
    unknown: u64,
    /// Moved to another arena.
    promoted: u64,
}

/// Every object of the heap with class and size.
fn walk(vm: &Vm) -> BTreeMap<Ref, (ClassId, usize)> {
    let mut found = BTreeMap::new();
    vm.each_object_of_heap(|r| {
        found.insert(r, (vm.class_of(r), vm.heap().size_of(r)));
    });
    found
}

struct Follows(Shared<Table>);

impl Subscriber for Follows {
    fn events(&self) -> EventSet {
        of_objects()
    }
    fn event(&mut self, seen: &mut Seen<'_>, event: Event<'_>) {
        let mut t = self.0.lock().expect("no panic");
        let arena = |r| seen.heap().arena_of(r).expect("no mirror");
        match event {
            Event::Allocated { object, bytes } => {
                let class = seen.class_of(object);
                let before = t.objects.insert(object, (class, bytes));
                assert_eq!(before, None, "{object:?} is there already");
                assert!(t.arenas.contains(&arena(object)));
                t.told[0] += 1;
            }
            Event::Moved {
                from,
                to,
                class,
                bytes,
            } => {
                t.told[1] += 1;
                t.promoted += u64::from(arena(from) != arena(to));
                match t.objects.remove(&from) {
                    Some(known) => assert_eq!(known, (class, bytes)),
                    None => t.unknown += 1,
                }
                let before = t.objects.insert(to, (class, bytes));
                assert_eq!(before, None, "{from:?} moves to {to:?}, which is another's");
            }
            Event::Freed {
                object,
                class,
                bytes,
            } => {
                t.told[2] += 1;
                match t.objects.remove(&object) {
                    Some(known) => assert_eq!(known, (class, bytes)),
                    None => t.unknown += 1,
                }
            }
            Event::NewArena(a) => {
                assert!(!t.arenas.contains(&a));
                t.arenas.push(a);
            }
            Event::DeleteArena(a) => {
                t.arenas.retain(|x| *x != a);
                assert!(!t.objects.keys().any(|&r| arena(r) == a), "{a:?} is empty");
            }
            _ => panic!("nobody asked for {event:?}"),
        }
    }
}

#[test]
fn a_table_that_follows_moves_and_frees_is_the_heap() {
    for (stress, max_heap) in [(true, 64 << 20), (false, 6 << 20)] {
        let run = |listen: bool| {
            let mut o = told_options();
            (o.gc_stress, o.max_heap) = (stress, max_heap);
            let mut g = Guest::boot(o);
            let table: Shared<Table> = Shared::default();
            table.lock().expect("no panic").objects = walk(&g.vm);
            let id = listen.then(|| g.vm.subscribe(Box::new(Follows(table.clone()))));
            let result = g.run_of("Told", if stress { "few" } else { "garbage" });
            g.vm.collect_garbage(false);
            // what nobody was told of is garbage
            g.vm.collect_garbage(true);
            let heap = walk(&g.vm);
            let same = id.is_none_or(|_| table.lock().expect("no panic").objects == heap);
            assert!(same, "the table is not the heap");
            // as if nobody had ever listened
            if let Some(id) = id {
                assert!(g.vm.want(id, EventSet::NONE));
                let told = table.lock().expect("no panic").told;
                g.run_of("Told", "few");
                g.vm.collect_garbage(true);
                assert_eq!(table.lock().expect("no panic").told, told);
                assert!(g.vm.unsubscribe(id).is_some());
                assert!(!g.vm.want(id, EventSet::MOVES));
            } else {
                g.run_of("Told", "few");
                g.vm.collect_garbage(true);
            }
            let t = table.lock().expect("no panic");
            let figures = (t.told, t.unknown, t.promoted, t.arenas.len());
            let collections = g.vm.collections();
            (result, text(&g.profile()), collections, heap.len(), figures)
        };
        let (with, without) = (run(true), run(false));
        assert_eq!((with.0, with.2, with.3), (without.0, without.2, without.3));
        assert!(with.1 == without.1, "the profile has changed");
        let (told, unknown, promoted, arenas) = with.4;
        assert!(told[0] > 1000 && told[2] > 500, "{told:?}");
        assert!(told[1] > 1000 && promoted > 100, "{told:?} {promoted}");
        assert!(unknown < told[0] / 10, "{unknown} of {told:?}");
        assert_eq!(arenas, 4);
        assert_eq!(run(true).4, with.4, "told the same each time");
    }
}

/// What threads lose to each other, as it is told, with thread and stack.
#[derive(Default)]
struct Locks {
    lines: Vec<String>,
    /// Blocked and waited, by thread, as the VM counts them itself.
    counted: BTreeMap<ThreadId, (i64, i64)>,
    kinds: BTreeMap<&'static str, i64>,
    last: BTreeMap<ThreadId, i64>,
}

struct OfLocks(Shared<Locks>);

fn name_of(seen: &Seen<'_>, f: &Frame) -> String {
    let m = seen.method(MethodId(f.method));
    let name = seen.symbols().str(m.name);
    format!("{}.{name}", seen.class(m.class).dotted())
}

impl Subscriber for OfLocks {
    fn events(&self) -> EventSet {
        EventSet::LOCKS | EventSet::THREADS
    }
    fn event(&mut self, seen: &mut Seen<'_>, event: Event<'_>) {
        let mut l = self.0.lock().expect("no panic");
        let (kind, object) = match event {
            Event::MonitorContendedEnter { object, owner } => {
                let owner = owner.expect("somebody has it");
                assert_ne!(Some(owner), seen.thread());
                assert!(!seen.stack_of(owner).is_empty());
                ("enter", object)
            }
            Event::MonitorContendedEntered { object } => {
                assert_eq!(seen.monitor_owner(object), seen.thread());
                ("entered", object)
            }
            Event::MonitorContendedExit { object } => ("exit", object),
            Event::MonitorWait { object, timeout } => {
                assert!(!object.is_null() || timeout == Some(3_000_000));
                ("wait", object)
            }
            Event::MonitorWaited { object, .. } => ("waited", object),
            Event::Park { blocker, .. } => ("park", blocker),
            Event::Parked { blocker, .. } => ("parked", blocker),
            Event::ThreadStarted(t) => {
                if seen.thread_name(t) != "Common-Cleaner" {
                    l.counted.insert(t, (0, 0));
                }
                return;
            }
            _ => return,
        };
        let t = seen.thread().expect("a thread runs");
        // the class library's own were there before
        if !l.counted.contains_key(&t) {
            return;
        }
        let executed = seen.executed();
        let last = l.last.insert(t, executed).unwrap_or(0);
        assert!(last <= executed, "{kind}: {last} {executed}");
        let stack = seen.stack();
        let top = stack.last().map_or(String::new(), |f| name_of(seen, f));
        let spot = seen.context().and_then(|c| c.method());
        assert_eq!(spot, stack.last().map(|f| MethodId(f.method)));
        let class = match object.is_null() {
            true => "-".to_string(),
            false => seen.class(seen.class_of(object)).dotted(),
        };
        let name = seen.thread_name(t);
        l.lines
            .push(format!("{name} {kind} {class} in {top} at {executed}"));
        *l.kinds.entry(kind).or_default() += 1;
        let c = seen.contention_of(t);
        l.counted.insert(t, (c.blocked.count, c.waited.count));
    }
}

#[test]
fn blocked_and_waiting_threads_are_told_as_often_as_the_vm_counts_them() {
    let run = |listen: bool| {
        let mut g = Guest::boot(told_options());
        let mut seen = Vec::new();
        for name in ["convoy", "pingpong", "parks"] {
            let locks: Shared<Locks> = Shared::default();
            let id = listen.then(|| g.vm.subscribe(Box::new(OfLocks(locks.clone()))));
            let main = g.vm.contention_of(g.main);
            locks
                .lock()
                .expect("no panic")
                .counted
                .insert(g.main, (0, 0));
            let result = g.run_of("Told", name);
            if let Some(id) = id {
                g.vm.unsubscribe(id);
            }
            let mut l = std::mem::take(&mut *locks.lock().expect("no panic"));
            if let Some(c) = l.counted.get_mut(&g.main).filter(|c| **c != (0, 0)) {
                *c = (c.0 - main.blocked.count, c.1 - main.waited.count);
            }
            seen.push((name, result, l));
        }
        (seen, g.executed(), text(&g.profile()))
    };
    let (with, executed, profile) = run(true);
    let (without, as_before, same) = run(false);
    assert_eq!(executed, as_before);
    assert!(profile == same, "the profile has changed");
    let again = run(true).0;
    for ((w, wo), a) in with.iter().zip(&without).zip(&again) {
        assert_eq!((w.0, w.1), (wo.0, wo.1));
        assert_eq!(w.2.lines, a.2.lines, "told the same each time");
        assert!(wo.2.lines.is_empty());
        let kind = |k: &str| w.2.kinds.get(k).copied().unwrap_or(0);
        let all = w.2.lines.join("\n");
        assert_eq!(kind("enter"), kind("entered"), "{all}");
        assert_eq!(kind("wait"), kind("waited"), "{all}");
        assert_eq!(kind("park"), kind("parked"), "{all}");
        let waits: i64 = w.2.counted.values().map(|c| c.1).sum();
        assert_eq!(kind("wait") + kind("park"), waits, "{}: {all}", w.0);
        match w.0 {
            "convoy" => {
                let blocked: i64 = w.2.counted.values().map(|c| c.0).sum();
                assert_eq!(kind("enter"), blocked, "{all}");
                assert!(blocked > 10 && kind("exit") > 10, "{all}");
                assert!(
                    all.contains("convoy-1 enter Told$Gate in Told$Gate.pass at "),
                    "{all}"
                );
            }
            "pingpong" => {
                assert!(kind("wait") > 10, "{all}");
                assert!(all.contains(" wait java.lang.Object in java.lang.Object.wait at "));
                assert!(
                    all.contains(" wait - in java.lang.Thread.sleep at "),
                    "{all}"
                );
            }
            _ => {
                let sync = "park java.util.concurrent.locks.ReentrantLock$NonfairSync in jdk.internal.misc.Unsafe.park";
                assert!(all.contains(sync), "{all}");
                assert!(
                    all.contains("parked java.util.concurrent.locks.ReentrantLock in "),
                    "{all}"
                );
            }
        }
    }
}

#[test]
fn a_monitor_dump_has_the_graph_of_waits_and_names_deadlocks() {
    let mut g = Guest::boot(told_options());
    assert_eq!(g.run_of("Told", "deadlock"), 1);
    let dump = g.vm.monitor_dump();
    assert_eq!((dump.waits.len(), dump.deadlocks.len()), (2, 1), "{dump:?}");
    assert_eq!(dump.deadlocks[0].len(), 2);
    for w in &dump.waits {
        let Held::Monitor(object) = w.what else {
            panic!("{w:?}");
        };
        let m = dump.monitors.iter().find(|m| m.object == object);
        let m = m.expect("it is in use");
        assert_eq!(
            (m.owner, &m.entering[..]),
            (Some(w.holder), &[w.thread][..])
        );
    }
    let told = g.vm.describe_monitors(&dump);
    for line in [
        "(a java.lang.StringBuilder): entered by \"dead-0\"; to enter: \"dead-1\"",
        "(a [Ljava.lang.Object;): entered by \"dead-1\"; to enter: \"dead-0\"",
        "\"dead-0\" -> \"dead-1\": the monitor of <0x",
        "Found 1 deadlock.",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
}

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
    told: u64,
}

struct OfCalls(Shared<Calls>, EventSet);

impl Subscriber for OfCalls {
    fn events(&self) -> EventSet {
        self.1
    }
    fn event(&mut self, seen: &mut Seen<'_>, event: Event<'_>) {
        let mut c = self.0.lock().expect("no panic");
        let t = seen.thread().expect("a thread runs");
        let top = |seen: &mut Seen<'_>| seen.stack().last().map(|f| MethodId(f.method));
        match event {
            Event::MethodEntry { method } => {
                c.told += 1;
                if c.told % 500 == 0 {
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
fn every_call_is_told_as_often_as_the_exact_profile_counts_it() {
    let calls = EventSet::METHOD_ENTRY | EventSet::METHOD_EXIT;
    let run = |listen: Option<EventSet>| {
        let mut g = Guest::boot(told_options());
        // some code is there already
        g.run_of("Told", "few_bytecodes");
        let m = g.method("Told", "calls", "()I");
        let told: Shared<Calls> = Shared::default();
        let before = invocations(&mut g.vm);
        let id = listen.map(|wants| g.vm.subscribe(Box::new(OfCalls(told.clone(), wants))));
        let r = g.vm.call_on(g.main, m, &[]);
        let mut result = g.value(r).int();
        for name in ["convoy", "pingpong", "parks"] {
            result = result.wrapping_mul(31).wrapping_add(g.run_of("Told", name));
        }
        if let Some(id) = id {
            g.vm.unsubscribe(id);
        }
        let mut counted = invocations(&mut g.vm);
        for (m, n) in before {
            *counted.get_mut(&m).expect("it was there") -= n;
        }
        counted.retain(|_, n| *n > 0);
        result = result
            .wrapping_mul(31)
            .wrapping_add(g.run_of("Told", "calls"));
        let told = std::mem::take(&mut *told.lock().expect("no panic"));
        (result, g.executed(), text(&g.profile()), counted, told)
    };
    let (with, without) = (run(Some(calls)), run(None));
    assert_eq!((with.0, with.1), (without.0, without.1));
    assert!(with.2 == without.2, "the profile has changed");
    let (counted, told) = (with.3, with.4);
    assert!(told.entered.values().sum::<u64>() > 10_000 && told.natives > 100);
    // the frames that the stack had no room for were never entered in the profile
    let sums = (
        counted.values().sum::<u64>(),
        told.entered.values().sum::<u64>(),
    );
    for (m, n) in &counted {
        assert_eq!(told.entered.get(m), Some(n), "{m:?} {sums:?}");
    }
    assert_eq!(told.entered.len(), counted.len());
    assert!(told.thrown > 300, "{}", told.thrown);
    let open: usize = told.open.values().map(Vec::len).sum();
    assert_eq!(told.left - told.before + open as u64, sums.1);
    // each kind on its own
    let entries = run(Some(EventSet::METHOD_ENTRY)).4;
    assert_eq!((entries.entered, entries.left), (told.entered, 0));
    let exits = run(Some(EventSet::METHOD_EXIT)).4;
    assert_eq!((exits.left, exits.thrown), (told.left, told.thrown));
}

/// Switches kinds on and off from inside, at bytecodes that are asked for.
struct Switches {
    kinds: EventSet,
    told: Shared<(u64, u64)>,
    on: bool,
}

impl Subscriber for Switches {
    fn events(&self) -> EventSet {
        EventSet::PROFILED
    }
    fn event(&mut self, seen: &mut Seen<'_>, event: Event<'_>) {
        let mut told = self.told.lock().expect("no panic");
        match event {
            Event::ProfileBegins(_) => seen.call_after(777),
            Event::Reached(_) => {
                self.on = !self.on;
                let kinds = if self.on { self.kinds } else { EventSet::NONE };
                seen.want(EventSet::PROFILED | kinds);
                seen.call_after(if self.on { 500 } else { 3001 });
                told.0 += 1;
            }
            Event::ProfileEnds(_) => {}
            _ => {
                assert!(self.on, "{event:?} is not wanted");
                assert!(seen.wanted().meets(event.kind()));
                told.1 += 1;
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
        | EventSet::COLLECTIONS
        | of_objects();
    for kinds in [kinds, EventSet::METHOD_EXIT, EventSet::METHOD_ENTRY] {
        let run = |listen: bool| {
            let mut o = told_options();
            o.sample_every = Some(997);
            o.max_heap = 6 << 20;
            let mut g = Guest::boot_with(o, |vm| vm.record_samples(Recorder::new(false)));
            let told: Shared<(u64, u64)> = Shared::default();
            if listen {
                g.vm.subscribe(Box::new(Switches {
                    kinds,
                    told: told.clone(),
                    on: false,
                }));
            }
            let mut result = 0;
            for name in ["calls", "few", "convoy", "pingpong", "parks", "calls"] {
                result = g.run_of("Told", name) + 31 * result;
            }
            let told = *told.lock().expect("no panic");
            (
                result,
                g.executed(),
                text(&g.profile()),
                text(&g.samples()),
                told,
            )
        };
        let (with, without) = (run(true), run(false));
        assert_eq!((with.0, with.1), (without.0, without.1));
        assert!(with.2 == without.2, "the profile has changed");
        assert!(with.3 == without.3, "the samples have changed");
        assert!(with.4.0 > 100 && with.4.1 > 1000, "{:?}", with.4);
        assert_eq!(run(true).4, with.4, "told the same each time");
    }
}

struct Each(Shared<Vec<(ThreadId, i64, u32)>>, bool);

impl Subscriber for Each {
    fn events(&self) -> EventSet {
        match self.1 {
            true => EventSet::INSTRUCTIONS,
            false => EventSet::PROFILED,
        }
    }
    fn event(&mut self, seen: &mut Seen<'_>, event: Event<'_>) {
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
fn every_instruction_is_told_once() {
    let mut g = Guest::boot(told_options());
    let m = g.method("Told", "few_bytecodes", "()I");
    let mut run = |every: bool| {
        let told: Shared<Vec<_>> = Shared::default();
        let id = g.vm.subscribe(Box::new(Each(told.clone(), every)));
        let before = g.vm.executed(g.main);
        let r = g.vm.call_on(g.main, m, &[]);
        g.value(r);
        g.vm.unsubscribe(id);
        let told = std::mem::take(&mut *told.lock().expect("no panic"));
        let told: Vec<_> = told.into_iter().filter(|t| t.1 > before).collect();
        let numbers: Vec<i64> = told.iter().map(|t| t.1 - before).collect();
        let bcis: Vec<u32> = told.iter().map(|t| t.2).collect();
        (g.vm.executed(g.main) - before, numbers, bcis)
    };
    let (executed, numbers, bcis) = run(true);
    assert_eq!(numbers.len() as i64, executed);
    assert!(executed > 500 && numbers.windows(2).all(|w| w[0] + 1 == w[1]));
    let (same, reached, at) = run(false);
    assert_eq!((same, reached.len(), at), (executed, numbers.len(), bcis));
}

/// Puts another class file in the place of one.
struct Hook(Shared<Vec<String>>);

impl Subscriber for Hook {
    fn events(&self) -> EventSet {
        EventSet::CLASS_FILES
    }
    fn event(&mut self, seen: &mut Seen<'_>, event: Event<'_>) {
        let Event::ClassFile(file) = event else {
            panic!("{event:?}");
        };
        assert_eq!(file.bytes[..4], [0xca, 0xfe, 0xba, 0xbe]);
        let name = file.name.unwrap_or("-").to_string();
        if name == "Told$Word" {
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
        let mut g = Guest::boot(told_options());
        let told: Shared<Vec<String>> = Shared::default();
        if hooked {
            g.vm.subscribe(Box::new(Hook(told.clone())));
        }
        assert_eq!(g.run_of("Told", "word"), i32::from(hooked));
        assert_eq!(g.run_of("Told", "pingpong"), 20);
        let mut names = told.lock().expect("no panic").clone();
        assert_eq!(
            names.iter().filter(|n| *n == "Told$Word").count(),
            usize::from(hooked)
        );
        names.retain(|n| n != "-" && !n.contains("Lambda") && !n.contains("LambdaForm"));
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all, "{names:?}");
    }
}
