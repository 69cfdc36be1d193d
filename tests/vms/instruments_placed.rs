//! Instruments that are placed and removed while the program runs: at any bytecode, from inside of a hit and from another
//! thread of the operating system, in methods that are on stacks already; what timers add up; what a hit costs.

use crate::common::guest::{Guest, notified_options, options, text};
use crate::common::{jdk, tests_dir};
use rjvm_vm::events::OnHit;
use rjvm_vm::instruments::{
    Action, ClassFilter, Elapsed, Hit, HitKind, InstrumentId, Members, MethodFilter, MonitorAction,
    Point, Spec,
};
use rjvm_vm::startup::CallStop;
use rjvm_vm::threads::signals::RequestQueue;
use rjvm_vm::vm::{Options, ProfileMode};
use rjvm_vm::{MethodId, ThreadId, Vm};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

type Shared<T> = Arc<Mutex<T>>;

fn probed() -> Options {
    let dir = tests_dir().join("vms/instruments");
    let classes = jdk::compile(
        "instruments",
        &[dir.join("Probed.java")],
        &[],
        &dir.join("resources"),
    );
    Options {
        stack_bytes: 96 << 10,
        ..options(Some(&classes))
    }
}

fn take<T: Default>(shared: &Shared<T>) -> T {
    std::mem::take(&mut *shared.lock().expect("no panic"))
}

/// What a run of these methods of a class comes to: results, bytecodes, bytes allocated, profile.
fn run(g: &mut Guest, class: &str, names: &[&str]) -> (Vec<i32>, i64, u64, String) {
    let results = names.iter().map(|n| g.run_of(class, n)).collect();
    let allocated = g.vm.env().bytes_allocated();
    (results, g.executed(), allocated, text(&g.profile()))
}

/// Numbers that look like random ones (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Some instrument in some method.
fn any_spec(numbers: &mut Numbers, m: MethodId, length: usize, reported: &Shared<u64>) -> Spec {
    let one = || MethodFilter::One(m);
    let at = match numbers.below(12) {
        0 => Point::Entry(one()),
        1 => Point::Return(one()),
        2 => Point::Throw(one()),
        3 => Point::Around(one()),
        4 => Point::Block(one()),
        5 => Point::Line {
            within: one(),
            lines: (0, u16::MAX),
        },
        6 => Point::Call {
            callee: Members::All,
            within: one(),
        },
        7 => Point::Field {
            field: Members::All,
            within: one(),
            write: numbers.below(2) == 0,
        },
        8 => return Spec::time(one(), numbers.below(2) == 0),
        _ => {
            let bci = numbers.below(length) as u16;
            Point::Bytecode {
                within: one(),
                indices: (bci, bci.saturating_add(numbers.below(4) as u16)),
            }
        }
    };
    if numbers.below(2) == 0 {
        return Spec::count(at);
    }
    let reported = reported.clone();
    Spec::notify(at, move |hit: &mut Hit<'_>| look(hit, &reported))
}

/// Looks at everything that a hit shows.
fn look(hit: &mut Hit<'_>, reported: &Shared<u64>) {
    let mut seen = hit.executed() as u64 ^ hit.bytecodes() as u64 ^ hit.allocated();
    let mut frames = Vec::new();
    hit.stack(8, &mut frames);
    seen = seen.wrapping_mul(31) + frames.len() as u64 + hit.depth() as u64;
    for n in 0..hit.arguments() {
        if let Some(o) = hit.argument(n).and_then(|a| a.object()) {
            seen = seen.wrapping_mul(31) + describe(hit, o);
        }
    }
    for slot in 0..6 {
        if let Some(o) = hit.local(slot).and_then(|a| a.object()) {
            seen = seen.wrapping_mul(31) + describe(hit, o);
        }
    }
    if let Some(o) = hit.value().and_then(|v| v.object()) {
        seen = seen.wrapping_mul(31) + describe(hit, o);
    }
    seen += hit.line() as u64 + hit.thread_name().len() as u64;
    let mut sum = reported.lock().expect("no panic");
    *sum = sum.wrapping_mul(31).wrapping_add(seen);
}

fn describe(hit: &Hit<'_>, o: rjvm_vm::Ref) -> u64 {
    let class = hit.class_of(o);
    let text = hit.text(o, 50).map_or(0, |t| t.len());
    let hash = hit.field_named(o, "hash").map_or(0, |_| 1);
    let first = hit.element(o, 0).map_or(0, |_| 1);
    (hit.class_view(class).name().len() + hit.size_of(o) + text + hash + first) as u64
}

/// Methods with bytecode, and how long that is.
fn candidates(vm: &Vm) -> Vec<(MethodId, usize)> {
    let ours = ["Seen", "Probed", "java/util/", "java/lang/"];
    let methods = vm.all_methods().filter(|m| {
        let class = vm.name(m.class);
        ours.iter().any(|o| class.starts_with(o))
    });
    let code = methods.filter_map(|m| Some((m.id, m.code()?.attr().code.len())));
    code.collect()
}

/// Has instruments placed and removed, `each` at a time, every some bytecodes. Returns how often.
fn churn(
    vm: &mut Vm,
    every: u64,
    each: usize,
    most: usize,
    reported: &Shared<u64>,
) -> Shared<usize> {
    let all = candidates(vm);
    assert!(all.len() > 1000);
    let mut numbers = Numbers(0x1234_5678_9abc_def1);
    let mut placed: Vec<InstrumentId> = Vec::new();
    let (done, reported) = (Shared::<usize>::default(), reported.clone());
    let count = done.clone();
    vm.place_instrument(Spec::notify(
        Point::Every(every),
        move |hit: &mut Hit<'_>| {
            let mut count = count.lock().expect("no panic");
            // what is on the stack as well as what is not
            let mut frames = Vec::new();
            hit.stack(30, &mut frames);
            for _ in 0..each {
                if *count >= most {
                    placed.drain(..).for_each(|id| hit.remove(id));
                    return;
                }
                *count += 1;
                let (m, length) = match numbers.below(2) {
                    0 => all[numbers.below(all.len())],
                    _ => {
                        let m = frames[numbers.below(frames.len())].method;
                        let known = all.iter().find(|c| c.0 == m);
                        known.copied().unwrap_or(all[0])
                    }
                };
                placed.push(hit.place(any_spec(&mut numbers, m, length, &reported)));
                if placed.len() > 40 {
                    let at = numbers.below(placed.len());
                    hit.remove(placed.swap_remove(at));
                }
            }
        },
    ));
    done
}

#[test]
fn ten_thousand_instruments_come_and_go_without_a_trace() {
    let names = ["calls", "few", "convoy", "pingpong", "parks"];
    let mut plain = Guest::boot(notified_options());
    let without = run(&mut plain, "Seen", &names);
    let mut sums = Vec::new();
    for _ in 0..2 {
        let mut g = Guest::boot(notified_options());
        let reported: Shared<u64> = Shared::default();
        let done = churn(&mut g.vm, 331, 4, 10_000, &reported);
        let with = run(&mut g, "Seen", &names);
        assert_eq!(take(&done), 10_000);
        assert_eq!(g.vm.instruments().len(), 1);
        assert_eq!(
            (&with.0, with.1, with.2),
            (&without.0, without.1, without.2)
        );
        assert!(with.3 == without.3, "the profile has changed");
        sums.push(take(&reported));
    }
    // what they have seen is a function of the program, too
    assert_eq!(sums[0], sums[1]);
    assert_ne!(sums[0], 0);
}

#[test]
fn the_same_with_other_code() {
    let variants: [fn(&mut Options); 5] = [
        |o| o.gc_stress = true,
        |o| o.profile = ProfileMode::Off,
        |o| o.profile = ProfileMode::Blocks,
        |o| o.inspectable = true,
        |o| o.sample_every = Some(100),
    ];
    for (i, change) in variants.into_iter().enumerate() {
        let boot = || {
            let mut options = probed();
            change(&mut options);
            Guest::boot(options)
        };
        let mut plain = boot();
        let without = run(&mut plain, "Probed", &["calls", "loops", "threads"]);
        let mut g = boot();
        let reported: Shared<u64> = Shared::default();
        let done = churn(&mut g.vm, 97, 2, 1000, &reported);
        let with = run(&mut g, "Probed", &["calls", "loops", "threads"]);
        assert_eq!(take(&done), 1000, "{i}");
        assert_eq!(
            (&with.0, with.1, with.2),
            (&without.0, without.1, without.2),
            "{i}"
        );
        assert!(with.3 == without.3, "{i}: the profile has changed");
    }
}

#[test]
fn fuel_ends_at_the_same_bytecode_with_instruments() {
    let stops = |with: bool| {
        let mut g = Guest::boot(probed());
        let m = g.method("Probed", "loops", "()I");
        if with {
            let within = MethodFilter::of(|m| m.class().name() == "Probed");
            let indices = (0, u16::MAX);
            g.vm.place_instrument(Spec::count(Point::Bytecode { within, indices }));
        }
        g.vm.set_fuel(Some(777));
        let mut at = Vec::new();
        let mut r = g.vm.call_on(g.main, m, &[]);
        let result = loop {
            match r {
                Err(rjvm_vm::startup::CallStop::OutOfFuel) => {
                    at.push((g.vm.bytecodes(), g.vm.next_bytecode().map(|n| (n.1, n.2))));
                    g.vm.set_fuel(Some(777));
                    r = g.vm.go_on();
                }
                r => break g.value(r).int(),
            }
        };
        (result, at)
    };
    let (plain, with) = (stops(false), stops(true));
    assert!(plain.1.len() > 20);
    assert_eq!(plain, with);
}

/// Inclusive bytecodes and calls of a method in the exact profile, recursion counted once.
fn inclusive(vm: &mut Vm, name: &str) -> (i64, u64) {
    vm.flush_open_frames();
    let threads: Vec<ThreadId> = vm.all_threads().map(|t| t.id).collect();
    let (mut sum, mut calls) = (0, 0);
    for t in threads {
        let mut rest: Vec<_> = vm.root_context(t).into_iter().map(|c| (c, false)).collect();
        while let Some((c, inside)) = rest.pop() {
            let is = c
                .method()
                .is_some_and(|m| vm.method_name(m).starts_with(name));
            if is && !inside {
                sum += c.inclusive();
                calls += c.invocations();
            }
            rest.extend(c.callees().map(|k| (k, inside || is)));
        }
    }
    (sum, calls)
}

#[test]
fn timers_add_up_what_the_exact_profile_says() {
    let mut g = Guest::boot(probed());
    let names = [
        "fact",
        "inner",
        "locked",
        "fails",
        "lambda$threads$1",
        "add",
    ];
    let timers: Vec<InstrumentId> = names
        .iter()
        .map(|n| {
            g.vm.place_instrument(Spec::time(
                MethodFilter::named(&format!("Probed.{n}")),
                true,
            ))
        })
        .collect();
    for name in ["calls", "loops", "threads"] {
        g.run_of("Probed", name);
    }
    for (name, id) in names.into_iter().zip(timers) {
        let timed = g.vm.instrument_reading(id).expect("it is there").timed;
        let counted = inclusive(&mut g.vm, &format!("Probed.{name}("));
        assert_eq!((timed.bytecodes, timed.calls), counted, "{name}");
        assert!(timed.calls > 0 && timed.late == 0, "{name}");
    }
}

#[test]
fn methods_on_the_stack_are_timed_from_now_on() {
    let mut g = Guest::boot(probed());
    let late: Shared<Vec<(String, Elapsed)>> = Shared::default();
    let timer: Shared<Option<InstrumentId>> = Shared::default();
    let (to, id) = (late.clone(), timer.clone());
    let inner = Point::Entry(MethodFilter::named("Probed.inner"));
    g.vm.place_instrument(Spec::notify(inner, move |hit: &mut Hit<'_>| {
        let me = hit.instrument();
        hit.remove(me);
        *id.lock().expect("no panic") =
            Some(hit.place(Spec::time(MethodFilter::named("Probed.outer"), false)));
        let to = to.clone();
        let ours = MethodFilter::of(|m| m.class().name() == "Probed");
        hit.place(Spec::notify(
            Point::Around(ours),
            move |hit: &mut Hit<'_>| {
                if let Some(e) = hit.elapsed().filter(|e| e.late) {
                    let name = hit.method_view().expect("a method").name().to_owned();
                    to.lock().expect("no panic").push((name, e));
                }
            },
        ));
    }));
    g.run_of("Probed", "loops");
    let late = take(&late);
    let names: Vec<&str> = late.iter().map(|l| l.0.as_str()).collect();
    assert_eq!(names, ["inner", "outer", "loops"]);
    let outer = late[1].1;
    let timer = take(&timer).expect("placed");
    let timed = g.vm.instrument_reading(timer).expect("it is there").timed;
    assert_eq!((timed.calls, timed.late), (1, 1));
    assert_eq!(
        (timed.bytecodes, timed.allocated),
        (outer.bytecodes, outer.allocated)
    );
    let (all, _) = inclusive(&mut g.vm, "Probed.outer(");
    // what it had executed before its first call
    assert!(
        timed.bytecodes < all && timed.bytecodes > all - 20,
        "{} of {all}",
        timed.bytecodes
    );
    assert!(timed.allocated > 0);
}

/// Processor time of this thread.
fn busy() -> Duration {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let first = times.split(' ').next().and_then(|n| n.parse().ok());
    Duration::from_nanos(first.expect("a number"))
}

type Job = Box<dyn FnOnce(&mut Vm) + Send>;

/// Does what another thread of the operating system has requested.
struct Jobs(Receiver<Job>);

impl RequestQueue for Jobs {
    fn poll(&mut self, _: &mut Vm) -> bool {
        false
    }
    fn is_wanted(&self) -> bool {
        true
    }
    fn serve(&mut self, vm: &mut Vm) {
        while let Ok(job) = self.0.try_recv() {
            job(vm);
        }
    }
}

#[test]
fn another_thread_of_the_system_places_them() {
    let (send, receive) = channel::<Job>();
    let reported: Shared<u64> = Shared::default();
    let to = reported.clone();
    let mut g = Guest::boot_with(probed(), |vm| vm.set_request_queue(Box::new(Jobs(receive))));
    g.vm.start_signal_dispatcher().expect("a thread more");
    let other = std::thread::spawn(move || {
        let place: Job = Box::new(move |vm| {
            let at = Point::Entry(MethodFilter::named("Probed.inner"));
            vm.place_instrument(Spec::notify(at, move |hit: &mut Hit<'_>| {
                assert_eq!(hit.kind(), HitKind::Entry);
                *to.lock().expect("no panic") += 1;
            }));
        });
        send.send(place).expect("the queue is open");
    });
    other.join().expect("no panic");
    g.run_of("Probed", "threads");
    assert!(take(&reported) > 0);
}

#[test]
fn a_hit_stops_the_vm() {
    let mut g = Guest::boot(probed());
    let hits: Shared<u64> = Shared::default();
    let seen = hits.clone();
    let at = Point::Entry(MethodFilter::named("Probed.add"));
    g.vm.place_instrument(Spec::notify(at, move |hit: &mut Hit<'_>| {
        *seen.lock().expect("no panic") += 1;
        hit.stop();
    }));
    let method = g.method("Probed", "often", "()I");
    let stopped = g.vm.call_on(g.main, method, &[]);
    assert!(matches!(stopped, Err(CallStop::Halted(_))), "{stopped:?}");
    // the turn goes on to its end
    assert!((1..1_000_000).contains(&take(&hits)));
}

#[test]
fn a_hit_on_a_hot_method_is_cheap() {
    let mut options = probed();
    options.profile = ProfileMode::Off;
    options.quantum = 100_000;
    let mut g = Guest::boot(options);
    let m = g.method("Probed", "often", "()I");
    let mut time = |spec: Option<Spec>| {
        let id = spec.map(|s| g.vm.place_instrument(s));
        let best = (0..3).map(|_| {
            let begun = busy();
            let r = g.vm.call_on(g.main, m, &[]);
            g.value(r);
            busy() - begun
        });
        let best = best.min().expect("three");
        if let Some(id) = id {
            let hits = g.vm.remove_instrument(id).expect("placed").reading.hits;
            assert!(hits == 0 || hits.is_multiple_of(12_000_000), "{hits}");
        }
        best
    };
    let add = || MethodFilter::named("Probed.add");
    let off = time(None);
    let each = |d: Duration, n: u32| d.saturating_sub(off).as_nanos() as f64 / f64::from(n) / 4e6;
    let entry = each(time(Some(Spec::count(Point::Entry(add())))), 1);
    let sum: Shared<u64> = Shared::default();
    let (mut n, last) = (0u64, sum.clone());
    let counts = move |hit: &mut Hit<'_>| {
        n += 1;
        if n == 12_000_000 {
            *last.lock().expect("no panic") = n + u64::from(hit.kind() != HitKind::Entry);
        }
    };
    let reported = each(time(Some(Spec::notify(Point::Entry(add()), counts))), 1);
    let returns = each(time(Some(Spec::count(Point::Return(add())))), 1);
    let timed = each(time(Some(Spec::time(add(), false))), 2);
    assert_eq!(take(&sum), 12_000_000);
    let again = time(None);
    println!(
        "off {off:?}, again {again:?}; ns an event: count at entry {entry:.1}, reported at entry {reported:.1}, \
         at return {returns:.1}, timer {timed:.1}"
    );
    // far from the 30 ns of a machine with nothing else to do
    assert!(entry < 300.0 && reported < 300.0 && returns < 300.0 && timed < 300.0);
}

#[test]
fn monitors_of_natives_and_of_methods_left_by_exceptions_pair_up() {
    let mut g = Guest::boot(notified_options());
    let balance: Shared<(i64, i64)> = Shared::default();
    for monitor in [MonitorAction::Enter, MonitorAction::Exit] {
        let to = balance.clone();
        // a thread of the class library waits inside of such a one
        let at = Point::Monitor(
            monitor,
            ClassFilter::of(|c| !c.name().contains("ReferenceQueue")),
        );
        let action = Action::Notify(Box::new(OnHit(move |hit: &mut Hit<'_>| {
            assert!(hit.value().and_then(|v| v.object()).is_some());
            let mut b = to.lock().expect("no panic");
            match hit.kind() {
                HitKind::MonitorEnter => b.0 += 1,
                HitKind::MonitorExit => b.1 += 1,
                k => panic!("{k:?}"),
            }
        })));
        g.vm.place_instrument(Spec {
            at,
            action,
            clocks: false,
        });
    }
    for name in ["calls", "convoy", "pingpong"] {
        g.run_of("Seen", name);
    }
    let (entered, left) = take(&balance);
    assert!(entered > 100);
    assert_eq!(entered, left);
}

#[test]
fn calls_are_counted_by_who_calls() {
    let mut g = Guest::boot(probed());
    let reported: Shared<Vec<(Option<u32>, u32)>> = Shared::default();
    let sees = reported.clone();
    let listener = move |hit: &mut Hit<'_>| {
        let m = hit.method().expect("a method").0;
        let caller = hit.caller_counted().map(|c| c.0);
        sees.lock().expect("no panic").push((caller, m));
    };
    let ours = || MethodFilter::of(|m| m.class().name() == "Probed");
    // what every entry says, by its stack
    let stacks: Shared<BTreeMap<(Option<u32>, u32), u64>> = Shared::default();
    let all = stacks.clone();
    let looks = move |hit: &mut Hit<'_>| {
        let mut frames = Vec::new();
        hit.stack(usize::MAX, &mut frames);
        let is = |m: &MethodId| hit.view_of(*m).class().name() == "Probed";
        let mut inside = frames.iter().map(|f| f.method).filter(is);
        let callee = inside.next().expect("the method").0;
        let pair = (inside.next().map(|m| m.0), callee);
        *all.lock().expect("no panic").entry(pair).or_default() += 1;
    };
    let id = g.vm.place_instrument(Spec::calls(ours(), listener));
    g.vm.place_instrument(Spec::notify(Point::Entry(ours()), looks));
    g.run_of("Probed", "calls");
    let pairs = |vm: &Vm| -> BTreeMap<(Option<u32>, u32), u64> {
        let counted = vm.calls_counted(id).iter();
        counted
            .map(|c| ((c.caller.map(|m| m.0), c.callee.0), c.times))
            .collect()
    };
    let counted = pairs(&g.vm);
    assert_eq!(counted, take(&stacks));
    assert!(
        counted.len() > 5 && counted.values().any(|&n| n > 1),
        "{counted:?}"
    );
    let hits = g.vm.instrument_reading(id).expect("it is there").hits;
    assert_eq!(hits, counted.values().sum::<u64>());
    // each pair was reported once, in the order of the table
    let first = std::mem::take(&mut *reported.lock().expect("no panic"));
    let in_order: Vec<_> =
        g.vm.calls_counted(id)
            .iter()
            .map(|c| (c.caller.map(|m| m.0), c.callee.0))
            .collect();
    assert_eq!(first, in_order);
    // those of one caller are reported again when it is requested
    let caller = first.iter().find_map(|t| t.0).expect("a caller");
    g.vm.notify_calls_of(id, MethodId(caller));
    g.run_of("Probed", "calls");
    let again = std::mem::take(&mut *reported.lock().expect("no panic"));
    let of_caller = first.iter().filter(|t| t.0 == Some(caller)).copied();
    assert_eq!(again, of_caller.collect::<Vec<_>>());
    assert!(pairs(&g.vm).iter().all(|(pair, &n)| n == 2 * counted[pair]));
    assert!(g.vm.is_instrumented_by(id, MethodId(caller)));
    g.vm.remove_instrument(id);
    assert!(g.vm.calls_counted(id).is_empty() && !g.vm.is_instrumented_by(id, MethodId(caller)));
}
