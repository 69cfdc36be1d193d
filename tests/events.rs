//! The events of a VM against what is known otherwise: objects against a walk through the heap, calls against exact profiles.
//! And that nothing changes because somebody listens.

mod common;

use common::guest::{Guest, options, text};
use common::{jdk, tests_dir};
use rjvm_vm::events::{Arena, Event, EventSet, Seen, Subscriber};
use rjvm_vm::vm::Options;
use rjvm_vm::{ClassId, Ref, Vm};
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
    options(Some(&classes))
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
