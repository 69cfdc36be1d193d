//! VMs as values: several at once, stopped at any bytecode and resumed, sampled, dropped.

use crate::common;
use crate::common::guest::{Guest, guest_classes, options, text};
use rjvm_vm::events::{Event, EventSet, EventView, Observer, OnSample};
use rjvm_vm::interp::{Sample, SampleClock};
use rjvm_vm::startup::CallStop;
use rjvm_vm::threads::schedule::{Schedule, Turn};
use rjvm_vm::vm::{Options, ProfileMode, TierMode};
use rjvm_vm::{Ref, ThreadId, Value};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

fn guest(set: impl FnOnce(&mut Options)) -> Guest {
    let mut o = options(Some(&guest_classes()));
    set(&mut o);
    Guest::boot(o)
}

/// What a run came to.
#[derive(Clone, PartialEq, Debug)]
struct Ran {
    result: i32,
    executed: i64,
    profile: String,
}

fn run(guest: &mut Guest, name: &str) -> Ran {
    let result = guest.run(name);
    Ran {
        result,
        executed: guest.executed(),
        profile: text(&guest.profile()),
    }
}

/// What `Guest.all` comes to in a VM that is alone and never stops.
fn alone() -> &'static Ran {
    static RAN: OnceLock<Ran> = OnceLock::new();
    RAN.get_or_init(|| run(&mut guest(|_| ()), "all"))
}

/// The first line in which two texts differ.
fn assert_same(got: &Ran, want: &Ran, what: &str) {
    let differs = got
        .profile
        .lines()
        .zip(want.profile.lines())
        .find(|(a, b)| a != b);
    if let Some((a, b)) = differs {
        panic!("{what}:\n got {a}\nwant {b}");
    }
    assert_eq!(
        (got.result, got.executed, got.profile.len()),
        (want.result, want.executed, want.profile.len()),
        "{what}"
    );
}

#[test]
fn the_profile_counts_every_bytecode() {
    let mut g = guest(|_| ());
    g.run("all");
    assert_eq!(g.profile().totals().bytecodes as i64, g.executed());
}

#[test]
fn vms_at_the_same_time_do_not_disturb_each_other() {
    let want = alone();
    let threads: Vec<_> = (0..2)
        .map(|_| std::thread::spawn(|| run(&mut guest(|_| ()), "all")))
        .collect();
    for t in threads {
        assert_same(&t.join().expect("no panic"), want, "one of two VMs");
    }
}

/// A host sets `this` of a caller to null, of which compiled code knows that it is an object.
#[test]
fn a_local_set_to_null_is_null_in_compiled_code() {
    for tier in [TierMode::Off, TierMode::On, TierMode::All] {
        let mut g = guest(|o| (o.tier, o.inspectable) = (tier, true));
        let m = g.method("Guest", "taken", "()I");
        // enough for it to be compiled with resolved calls
        let sums: Vec<i32> = (0..20).map(|_| g.run("taken")).collect();
        assert!(sums.iter().all(|&n| n == sums[0] && n != -1));
        g.vm.set_fuel(Some(50_000));
        let r = g.vm.call_on(g.main, m, &[]);
        assert!(matches!(r, Err(CallStop::OutOfFuel)), "{r:?}");
        let null = Value::Ref(Ref::NULL);
        assert!(g.vm.set_local(g.main, 1, 0, b'A', null));
        g.vm.set_fuel(None);
        let r = g.vm.go_on();
        assert_eq!(g.value(r).int(), -1, "{tier:?}");
    }
}

/// Runs `Guest.all` with fuel handed out by `next`; checks at each stop that it is used up exactly.
fn in_steps(what: &str, mut next: impl FnMut(u64) -> i64) {
    let want = alone();
    let mut g = guest(|_| ());
    let m = g.method("Guest", "all", "()I");
    let mut granted = g.executed();
    let mut stops = 0;
    let fuel = next(stops);
    g.vm.set_fuel(Some(fuel));
    granted += fuel;
    let mut r = g.vm.call_on(g.main, m, &[]);
    while let Err(CallStop::OutOfFuel) = r {
        assert_eq!(g.vm.fuel(), Some(0), "{what}: stop {stops}");
        assert_eq!(g.executed(), granted, "{what}: stop {stops}");
        stops += 1;
        if stops.is_multiple_of(4000) {
            let counted = g.profile().totals().bytecodes;
            assert_eq!(counted as i64, granted, "{what}: stop {stops}");
        }
        let fuel = next(stops);
        g.vm.set_fuel(Some(fuel));
        granted += fuel;
        r = g.vm.go_on();
    }
    g.vm.set_fuel(None);
    let result = g.value(r).int();
    let got = Ran {
        result,
        executed: g.executed(),
        profile: text(&g.profile()),
    };
    assert!(stops > 0, "{what}: it never stopped");
    assert_same(&got, want, what);
}

#[test]
fn a_stopped_vm_goes_on_as_if_nothing_had_been() {
    for step in [997, 50_021] {
        in_steps(&format!("every {step}"), |_| step);
    }
    let mut x = 1u64;
    in_steps("at random", |_| {
        x = x
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        1 + (x >> 33) as i64 % 400
    });
}

#[test]
fn a_vm_stops_at_every_single_bytecode() {
    for start in [1i64, 40_000, 150_000] {
        in_steps(&format!("from {start}"), |stop| match stop {
            0 => start,
            1..12_000 => 1,
            _ => 1_000_000,
        });
    }
}

#[test]
fn no_fuel_stops_before_the_first_bytecode() {
    let mut g = guest(|_| ());
    let m = g.method("Guest", "loops", "()I");
    let before = g.executed();
    g.vm.set_fuel(Some(0));
    let r = g.vm.call_on(g.main, m, &[]);
    assert!(matches!(r, Err(CallStop::OutOfFuel)), "{r:?}");
    assert_eq!(g.executed(), before);
    g.vm.set_fuel(Some(1));
    assert!(matches!(g.vm.go_on(), Err(CallStop::OutOfFuel)));
    assert_eq!(g.executed(), before + 1);
    g.vm.set_fuel(None);
    let r = g.vm.go_on();
    let first = g.value(r).int();
    assert_eq!(first, g.run("loops"));
}

/// A sample: thread, count, method and bytecode index at the top, and a hash of the whole stack with
/// the bytecode index in each frame.
type At = (u32, i64, u32, u32, u64);

/// [`OnSample`], but the VM is at each sample's very bytecode.
struct AtBytecode<F>(F);

impl<F: FnMut(Sample<'_>) + Send + 'static> Observer for AtBytecode<F> {
    fn events(&self) -> EventSet {
        EventSet::SAMPLES | EventSet::AT_SAMPLES
    }
    fn event(&mut self, _: &mut EventView<'_>, event: Event<'_>) {
        if let Event::Sampled(sample) = event {
            (self.0)(sample);
        }
    }
}

/// The stream of samples of `Guest.name` (boot left out), in the order in which they are taken.
fn sampled(every: u64, clock: SampleClock, name: &str) -> Vec<At> {
    let later = samples(every, clock, name, |f| Box::new(OnSample(f)));
    let there = samples(every, clock, name, |f| Box::new(AtBytecode(f)));
    assert_samples(&later, &there, "later and at the bytecode");
    later
}

type Sink = Box<dyn FnMut(Sample<'_>) + Send>;

fn samples(
    every: u64,
    clock: SampleClock,
    name: &str,
    observer: impl Fn(Sink) -> Box<dyn Observer>,
) -> Vec<At> {
    let mut g = guest(|o| {
        o.sample_every = Some(every);
        o.sample_clock = clock;
        // from here on, so that both clocks start together
        o.sample_all = false;
    });
    let stream = Arc::new(Mutex::new(Vec::new()));
    let sink = stream.clone();
    let mut last = HashMap::new();
    let id = g.vm.observe(observer(Box::new(move |s: Sample<'_>| {
        let before = last.insert(s.thread.0, s.executed);
        assert!(before.is_none_or(|b| s.since == s.executed - b));
        let top = s.stack.last().expect("a frame");
        let mut hash = DefaultHasher::new();
        s.stack
            .iter()
            .for_each(|f| (f.method, f.bci).hash(&mut hash));
        sink.lock().expect("no panic").push((
            s.thread.0,
            s.executed,
            top.method,
            top.bci,
            hash.finish(),
        ));
    })));
    let m = g.method("Guest", name, "()I");
    let r = g.vm.call_main(g.main, m, Ref::NULL);
    g.value(r);
    g.vm.remove_observer(id);
    std::mem::take(&mut *stream.lock().expect("no panic"))
}

/// The place of every bytecode of `Guest.all`; the reference interpreter's tests say that it is right.
static ALL_BYTECODES: LazyLock<Vec<At>> = LazyLock::new(|| sampled(1, SampleClock::Thread, "all"));

/// Bytecodes between samples.
fn distances() -> &'static [u64] {
    match common::all() {
        true => &[1, 7, 500, 10_000],
        false => &[7, 10_000],
    }
}

fn assert_samples(got: &[At], want: &[At], what: &str) {
    for (i, (s, w)) in got.iter().zip(want).enumerate() {
        assert_eq!(s, w, "sample {i}, {what}");
    }
    assert_eq!(got.len(), want.len(), "{what}");
}

#[test]
fn samples_are_taken_at_exact_bytecodes() {
    let all = &*ALL_BYTECODES;
    let mut start = HashMap::new();
    for s in all {
        start.entry(s.0).or_insert(s.1 - 1);
    }
    assert!(start.len() > 2, "several threads");
    for &every in distances() {
        let some = sampled(every, SampleClock::Thread, "all");
        let due = |s: &&At| (s.1 - start[&s.0]) % every as i64 == 0;
        let want: Vec<At> = all.iter().filter(due).copied().collect();
        assert_samples(&some, &want, &format!("every {every}"));
    }
}

#[test]
fn the_clock_of_all_threads_counts_them_in_the_order_of_the_schedule() {
    let all = &*ALL_BYTECODES;
    for &every in distances() {
        let some = sampled(every, SampleClock::Global, "all");
        let nth = all.iter().skip(every as usize - 1).step_by(every as usize);
        let want: Vec<At> = nth.copied().collect();
        assert_samples(&some, &want, &format!("every {every} of all"));
    }
}

#[test]
fn a_sample_at_every_bytecode_is_the_exact_profile() {
    for mode in [ProfileMode::Exact, ProfileMode::CallSites] {
        let recorder = rjvm_profiler::samples::Recorder::new(mode == ProfileMode::CallSites);
        let mut o = options(Some(&guest_classes()));
        o.profile = mode;
        o.sample_every = Some(1);
        let mut g = Guest::boot_with(o, |vm| vm.record_samples(recorder));
        g.run("all");
        let exact = contexts(&text(&g.profile()));
        let samples = contexts(&text(&g.samples()));
        for (e, s) in exact.iter().zip(&samples) {
            assert_eq!(e, s);
        }
        assert_eq!(exact.len(), samples.len());
    }
}

#[test]
fn samples_without_call_sites_are_those_with() {
    for every in [3, 500] {
        let taken = |sites: bool, profile| {
            let recorder = rjvm_profiler::samples::Recorder::new(sites);
            let mut o = options(Some(&guest_classes()));
            o.profile = profile;
            o.sample_every = Some(every);
            let mut g = Guest::boot_with(o, |vm| vm.record_samples(recorder));
            g.run("all");
            text(&g.samples())
        };
        let sites = taken(true, ProfileMode::Off);
        // `@bci:Class.method` is a frame with its call site
        let frame = |frame: &str| frame.split_once(':').map_or("", |f| f.1).to_string();
        let merged: Vec<String> = sites
            .lines()
            .filter_map(|l| {
                let (path, counts) = l.split_once('\t')?;
                let frames: Vec<String> = path.split(";@").map(frame).collect();
                Some(format!("{}\t{counts}", frames.join(";")))
            })
            .collect();
        let want = contexts(&merged.join("\n"));
        assert!(want.len() > 20, "{}", want.len());
        for profile in [ProfileMode::Off, ProfileMode::Exact, ProfileMode::Blocks] {
            assert_eq!(contexts(&taken(false, profile)), want, "every {every}");
        }
    }
}

/// Runs `Guest.all`: its result, and the thread that runs every 997 bytecodes.
fn order_of_threads(g: &mut Guest) -> (i32, Vec<ThreadId>) {
    let m = g.method("Guest", "all", "()I");
    let mut order = Vec::new();
    g.vm.set_fuel(Some(997));
    let mut r = g.vm.call_on(g.main, m, &[]);
    while let Err(CallStop::OutOfFuel) = r {
        order.push(g.vm.current());
        g.vm.set_fuel(Some(997));
        r = g.vm.go_on();
    }
    (g.value(r).int(), order)
}

#[test]
fn samples_leave_the_schedule_as_it_is() {
    let order = |quantum, every| {
        let mut g = guest(|o| (o.quantum, o.sample_every) = (quantum, every));
        order_of_threads(&mut g).1
    };
    let want = order(50, None);
    for every in [1, 3, 500] {
        assert!(order(50, Some(every)) == want, "samples at every {every}");
    }
    // another quantum is another schedule
    assert!(order(51, None) != want);
}

/// Contexts that executed bytecodes, with their number.
fn contexts(text: &str) -> Vec<(String, u64)> {
    let mut list: Vec<(String, u64)> = text
        .lines()
        .filter_map(|l| {
            let mut parts = l.split('\t');
            let path = parts.next()?.split_once(';')?.1;
            let n: u64 = parts.nth(1)?.parse().ok()?;
            (n > 0).then(|| (path.to_string(), n))
        })
        .collect();
    list.sort();
    // several threads may have the same contexts
    list.dedup_by(|b, a| {
        let same = a.0 == b.0;
        if same {
            a.1 += b.1;
        }
        same
    });
    list
}

/// Chooses by its own generator, with its own lengths of slices.
struct Drawn(u64);

impl Drawn {
    fn draw(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % below
    }
}

impl Schedule for Drawn {
    fn choose(&mut self, turn: Turn<'_>) -> usize {
        self.draw(turn.runnable.len() as u64) as usize
    }
    fn slice(&mut self, _: ThreadId) -> i64 {
        1 + self.draw(100) as i64
    }
}

#[test]
fn a_schedule_of_the_embedder_s_is_followed_and_repeatable() {
    let run = |seed: u64| {
        let mut g = guest(|_| ());
        g.vm.set_schedule(Box::new(Drawn(seed)));
        order_of_threads(&mut g)
    };
    let first = run(1);
    assert!(run(1) == first);
    let others: Vec<_> = (2..6).map(run).collect();
    assert!(others.iter().all(|o| o.1 != first.1));
    // the result reports how the program's threads took turns
    assert!(others.iter().any(|o| o.0 != first.0));
}

/// [`RoundRobin`](rjvm_vm::threads::schedule::RoundRobin) that keeps when which thread got its turn.
struct Kept {
    quantum: i64,
    turns: Arc<Mutex<Vec<(i64, u32)>>>,
}

impl Schedule for Kept {
    fn choose(&mut self, turn: Turn<'_>) -> usize {
        let mut turns = self.turns.lock().expect("no panic");
        turns.push((turn.executed, turn.runnable[0].0));
        0
    }
    fn slice(&mut self, _: ThreadId) -> i64 {
        self.quantum
    }
}

#[test]
fn profiles_leave_the_schedule_as_it_is() {
    let turns = |quantum, profile| {
        let mut g = guest(|o| o.profile = profile);
        let turns = Arc::new(Mutex::new(Vec::new()));
        g.vm.set_schedule(Box::new(Kept {
            quantum,
            turns: turns.clone(),
        }));
        g.run("all");
        std::mem::take(&mut *turns.lock().expect("no panic"))
    };
    for quantum in [11, 50, 1000] {
        let want = turns(quantum, ProfileMode::Off);
        assert!(want.len() > 20, "{}", want.len());
        for profile in [
            ProfileMode::Exact,
            ProfileMode::CallSites,
            ProfileMode::Blocks,
        ] {
            let got = turns(quantum, profile);
            let differs = got.iter().zip(&want).position(|(a, b)| a != b);
            let at = differs.map(|i| (&got[i - 1..=i], &want[i - 1..=i]));
            assert_eq!(at, None, "{profile:?}, quantum {quantum}");
            assert_eq!(got.len(), want.len(), "{profile:?}, quantum {quantum}");
        }
    }
}
