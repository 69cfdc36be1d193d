//! The events of a VM against other sources: objects against a walk through the heap, calls against exact profiles.
//! And that nothing changes because an observer listens.

use crate::common::guest::{Guest, guest_classes, notified_options, options, text};
use rjvm_profiler::samples::Frame;
use rjvm_vm::events::{Arena, Event, EventSet, EventView, Observer};
use rjvm_vm::instruments::{Hit, MethodFilter, Point, Spec};
use rjvm_vm::threads::locks::BlockingLock;
use rjvm_vm::{ClassId, MethodId, Ref, ThreadId, Vm};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

type Shared<T> = Arc<Mutex<T>>;

/// The kinds that report what becomes of objects.
fn of_objects() -> EventSet {
    EventSet::ALLOCATIONS | EventSet::MOVES | EventSet::FREES | EventSet::ARENAS
}

/// All objects there are, as section 4.2 of the paper on JVMPI keeps them: from events alone.
#[derive(Default)]
struct Table {
    objects: BTreeMap<Ref, (ClassId, usize)>,
    arenas: Vec<Arena>,
    /// Allocated, moved, freed.
    reported: [u64; 3],
    /// Moved or freed, but never reported before.
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

impl Observer for Follows {
    fn events(&self) -> EventSet {
        of_objects()
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let mut t = self.0.lock().expect("no panic");
        let arena = |r| seen.heap().arena_of(r).expect("no mirror");
        match event {
            Event::Allocated { object, bytes } => {
                let class = seen.class_of(object);
                let before = t.objects.insert(object, (class, bytes));
                assert_eq!(before, None, "{object:?} is there already");
                assert!(t.arenas.contains(&arena(object)));
                t.reported[0] += 1;
            }
            Event::Moved {
                from,
                to,
                class,
                bytes,
            } => {
                t.reported[1] += 1;
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
                t.reported[2] += 1;
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
            let mut o = notified_options();
            (o.gc_stress, o.max_heap) = (stress, max_heap);
            let mut g = Guest::boot(o);
            let table: Shared<Table> = Shared::default();
            table.lock().expect("no panic").objects = walk(&g.vm);
            let id = listen.then(|| g.vm.observe(Box::new(Follows(table.clone()))));
            let result = g.run_of("Seen", if stress { "few" } else { "garbage" });
            g.vm.collect_garbage(false);
            // what nobody was notified of is garbage
            g.vm.collect_garbage(true);
            let heap = walk(&g.vm);
            let same = id.is_none_or(|_| table.lock().expect("no panic").objects == heap);
            assert!(same, "the table is not the heap");
            // as if nobody had ever listened
            if let Some(id) = id {
                assert!(g.vm.want(id, EventSet::NONE));
                let reported = table.lock().expect("no panic").reported;
                g.run_of("Seen", "few");
                g.vm.collect_garbage(true);
                assert_eq!(table.lock().expect("no panic").reported, reported);
                assert!(g.vm.remove_observer(id).is_some());
                assert!(!g.vm.want(id, EventSet::MOVES));
            } else {
                g.run_of("Seen", "few");
                g.vm.collect_garbage(true);
            }
            let t = table.lock().expect("no panic");
            let figures = (t.reported, t.unknown, t.promoted, t.arenas.len());
            let collections = g.vm.collections();
            (result, text(&g.profile()), collections, heap.len(), figures)
        };
        let (with, without) = (run(true), run(false));
        assert_eq!((with.0, with.2, with.3), (without.0, without.2, without.3));
        assert!(with.1 == without.1, "the profile has changed");
        let (reported, unknown, promoted, arenas) = with.4;
        assert!(reported[0] > 1000 && reported[2] > 500, "{reported:?}");
        assert!(
            reported[1] > 1000 && promoted > 100,
            "{reported:?} {promoted}"
        );
        assert!(unknown < reported[0] / 10, "{unknown} of {reported:?}");
        assert_eq!(arenas, 4);
        assert_eq!(run(true).4, with.4, "the reports are the same each time");
    }
}

/// What threads lose to each other, as it is reported, with thread and stack.
#[derive(Default)]
struct Locks {
    lines: Vec<String>,
    /// Blocked and waited, by thread, as the VM counts them itself.
    counted: BTreeMap<ThreadId, (i64, i64)>,
    kinds: BTreeMap<&'static str, i64>,
    last: BTreeMap<ThreadId, i64>,
}

struct OfLocks(Shared<Locks>);

fn name_of(seen: &EventView<'_>, f: &Frame) -> String {
    let m = seen.method(MethodId(f.method));
    let name = seen.symbols().str(m.name);
    format!("{}.{name}", seen.class(m.class).dotted())
}

impl Observer for OfLocks {
    fn events(&self) -> EventSet {
        EventSet::LOCKS | EventSet::THREADS
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
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
fn blocked_and_waiting_threads_are_reported_as_often_as_the_vm_counts_them() {
    let run = |listen: bool| {
        let mut g = Guest::boot(notified_options());
        let mut seen = Vec::new();
        for name in ["convoy", "pingpong", "parks"] {
            let locks: Shared<Locks> = Shared::default();
            let id = listen.then(|| g.vm.observe(Box::new(OfLocks(locks.clone()))));
            let main = g.vm.contention_of(g.main);
            locks
                .lock()
                .expect("no panic")
                .counted
                .insert(g.main, (0, 0));
            let result = g.run_of("Seen", name);
            if let Some(id) = id {
                g.vm.remove_observer(id);
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
        assert_eq!(w.2.lines, a.2.lines, "the reports are the same each time");
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
                    all.contains("convoy-1 enter Seen$Gate in Seen$Gate.pass at "),
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
    let mut g = Guest::boot(notified_options());
    assert_eq!(g.run_of("Seen", "deadlock"), 1);
    let dump = g.vm.monitor_dump();
    assert_eq!((dump.waits.len(), dump.deadlocks.len()), (2, 1), "{dump:?}");
    assert_eq!(dump.deadlocks[0].len(), 2);
    for w in &dump.waits {
        let BlockingLock::Monitor(object) = w.what else {
            panic!("{w:?}");
        };
        let m = dump.monitors.iter().find(|m| m.object == object);
        let m = m.expect("it is in use");
        assert_eq!(
            (m.owner, &m.entering[..]),
            (Some(w.holder), &[w.thread][..])
        );
    }
    let reported = g.vm.describe_monitors(&dump);
    for line in [
        "(a java.lang.StringBuilder): entered by \"dead-0\"; to enter: \"dead-1\"",
        "(a [Ljava.lang.Object;): entered by \"dead-1\"; to enter: \"dead-0\"",
        "\"dead-0\" -> \"dead-1\": the monitor of <0x",
        "Found 1 deadlock.",
    ] {
        assert!(reported.contains(line), "{line}\n{reported}");
    }
}

/// Counts entries of the guest's methods in two ways, and looks between turns.
#[derive(Default)]
struct EntryCounts {
    entered: u64,
    turns: u64,
    hits: u64,
    /// The last method that was entered, until a hit has reported it.
    last: Option<MethodId>,
}

impl Observer for EntryCounts {
    fn events(&self) -> EventSet {
        EventSet::METHOD_ENTRY | EventSet::TURNS
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        match event {
            Event::Turn => self.turns += 1,
            Event::MethodEntry { method } => {
                let class = seen.method(method).class;
                if &*seen.name(class) == "Guest" {
                    self.entered += 1;
                    self.last = Some(method);
                }
            }
            _ => {}
        }
    }
    fn hit(&mut self, hit: &mut Hit<'_>, number: u32) {
        assert_eq!((number, hit.method()), (7, self.last.take()));
        self.hits += 1;
    }
}

#[test]
fn one_observer_sees_events_and_points() {
    let run = |observes: bool| {
        let mut o = options(Some(&guest_classes()));
        o.quantum = 100;
        let mut g = Guest::boot(o);
        let method = g.method("Guest", "threads", "()I");
        let mut id = None;
        if observes {
            let counts = g.vm.observe(Box::new(EntryCounts::default()));
            let guests = MethodFilter::of(|m| m.class().name() == "Guest");
            g.vm.place_instrument(Spec::notify_all(Point::Entry(guests), counts, 7));
            id = Some(counts);
        }
        let r = g.vm.call_on(g.main, method, &[]);
        let first = g.value(r).int();
        if let Some(id) = id {
            let seen = g.vm.observer::<EntryCounts>(id).expect("it is there");
            assert!(seen.entered > 100 && seen.turns > 3, "{}", seen.turns);
            assert_eq!(seen.hits, seen.entered);
            // nobody else finds it while it is lent
            let reset = g.vm.with_observer(id, |counts: &mut EntryCounts, vm| {
                *counts = EntryCounts::default();
                vm.observer::<EntryCounts>(id).is_none()
            });
            assert_eq!(reset, Some(true));
            assert!(g.vm.observers().contains(&id));
            assert!(g.vm.remove_observer(id).is_some() && g.vm.remove_observer(id).is_none());
            assert!(g.vm.observer::<EntryCounts>(id).is_none() && g.vm.observers().is_empty());
        }
        // its instrument notifies nobody
        let r = g.vm.call_on(g.main, method, &[]);
        (first, g.value(r).int(), text(&g.profile()))
    };
    let (plain, observed) = (run(false), run(true));
    assert_eq!((plain.0, plain.1), (observed.0, observed.1));
    assert!(plain.2 == observed.2, "the profile has changed");
}
