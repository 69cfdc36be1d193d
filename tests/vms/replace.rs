//! Methods get other bodies while they run: old frames continue in the old ones, new calls enter the new
//! ones, and every bytecode counts.

use crate::common::guest::{Guest, options};
use crate::common::{self, jdk, tests_dir};
use rjvm_profiler::samples::Recorder;
use rjvm_vm::MethodId;
use rjvm_vm::instruments::{MethodFilter, Point, Spec};
use rjvm_vm::startup::CallStop;
use rjvm_vm::vm::{Options, ProfileMode};
use std::sync::Arc;

/// The methods with two bodies, and how often each was entered.
const PAIRS: [(&str, &str, &str, &str); 3] = [
    ("leaf", "leafB", "leafA", "leafsB"),
    ("outer", "outerB", "outerA", "outersB"),
    ("deep", "deepB", "deepA", "deepsB"),
];

struct Swap {
    guest: Guest,
    /// Each method with the number of the other method whose body it may get, now in its first body.
    methods: Vec<(MethodId, usize, bool)>,
}

impl Swap {
    fn boot(set: impl FnOnce(&mut Options)) -> Swap {
        let source = tests_dir().join("vms/replace/Swap.java");
        let classes = jdk::compile("replace", &[source], &[], &tests_dir().join("resources"));
        let mut o = options(Some(&classes));
        set(&mut o);
        let recorder = o
            .sample_every
            .map(|_| Recorder::new(o.profile == ProfileMode::CallSites));
        let mut guest = Guest::boot_with(o, |vm| {
            if let Some(r) = recorder {
                vm.record_samples(r)
            }
        });
        let methods = PAIRS.map(|(name, other, ..)| {
            let id = guest.method("Swap", name, "(I)I");
            let other = guest.method("Swap", other, "(I)I");
            let slot = guest.vm.method(other).slot as usize;
            (id, slot, false)
        });
        Swap {
            guest,
            methods: methods.to_vec(),
        }
    }
    /// Gives method number `i` its other body.
    fn change(&mut self, i: usize) {
        let (id, other, second) = &mut self.methods[i];
        let m = self.guest.vm.method(*id);
        let (class, slot) = (m.class, m.slot as usize);
        let first = self.guest.vm.class(class).cf.clone().expect("a class file");
        let mut file = (*first).clone();
        if !*second {
            file.methods[slot].attributes = file.methods[*other].attributes.clone();
        }
        *second = !*second;
        let replaced = self.guest.vm.replace_body(*id, Arc::new(file));
        assert!(replaced.is_ok(), "a body of the same class");
    }
    fn ask(&mut self, name: &str) -> i64 {
        let m = self.guest.method("Swap", name, "()I");
        let r = self.guest.vm.call_on(self.guest.main, m, &[]);
        i64::from(self.guest.value(r).int())
    }
    /// Runs `Swap.run`, stopped every so many bytecodes; `at` is notified of the stops.
    fn run(&mut self, mut fuel: impl FnMut() -> i64, mut at: impl FnMut(&mut Swap, u64)) -> i64 {
        let m = self.guest.method("Swap", "run", "()I");
        let before = self.guest.executed();
        let mut granted = 0;
        let mut give = |s: &mut Swap| {
            let n = fuel();
            granted += n;
            s.guest.vm.set_fuel(Some(n));
            before + granted
        };
        let mut end = give(self);
        let mut stops = 0;
        let mut r = self.guest.vm.call_on(self.guest.main, m, &[]);
        while let Err(CallStop::OutOfFuel) = r {
            assert_eq!(self.guest.executed(), end, "stop {stops}");
            at(self, stops);
            stops += 1;
            end = give(self);
            r = self.guest.vm.go_on();
        }
        self.guest.vm.set_fuel(None);
        i64::from(self.guest.value(r).int())
    }
    /// Own bytecodes and calls of a method, in all contexts.
    fn own(&mut self, name: &str) -> (i64, i64) {
        let totals = self.guest.profile();
        let m = totals.method(&format!("Swap.{name}(I)I")).expect("it ran");
        (m.bytecodes as i64, m.calls as i64)
    }
    /// Compares the counts with the counts of the bodies themselves.
    fn check(&mut self, costs: &[(i64, i64); 3], what: &str) {
        let bottoms = self.ask("bottoms");
        for (i, (name, _, first, second)) in PAIRS.into_iter().enumerate() {
            let (a, b) = (self.ask(first), self.ask(second));
            assert!(
                a > 0 && b > 0,
                "{what}: both bodies of {name} ran: {a}, {b}"
            );
            // the last call of `deep` is two bytecodes shorter than the others
            let less = if name == "deep" { 2 * bottoms } else { 0 };
            let want = (a * costs[i].0 + b * costs[i].1 - less, a + b);
            assert_eq!(self.own(name), want, "{what}: {name}");
        }
        let all = self.guest.profile().totals().bytecodes;
        assert_eq!(all as i64, self.guest.executed(), "{what}");
        assert_eq!(self.ask("wrongLines"), 0, "{what}: lines of stack traces");
    }
}

/// What a call of each method costs with its first body and with its second, in itself.
fn costs() -> [(i64, i64); 3] {
    let mut costs = [(0, 0); 3];
    for second in [false, true] {
        let mut s = Swap::boot(|_| ());
        if second {
            (0..3).for_each(|i| s.change(i));
        }
        s.run(|| i64::MAX / 4, |_, _| panic!("no stop"));
        let bottoms = s.ask("bottoms");
        for (i, (name, _, first, other)) in PAIRS.into_iter().enumerate() {
            let (own, calls) = s.own(name);
            assert_eq!(calls, s.ask(if second { other } else { first }), "{name}");
            assert_eq!(s.ask(if second { first } else { other }), 0, "{name}");
            let own = own + if name == "deep" { 2 * bottoms } else { 0 };
            assert_eq!(own % calls, 0, "{name}: each call costs the same");
            let cost = if second {
                &mut costs[i].1
            } else {
                &mut costs[i].0
            };
            *cost = own / calls;
        }
    }
    costs
}

/// Runs with bodies that change every so many bytecodes, at bytecodes that have nothing to do with the code.
fn changing(what: &str, costs: &[(i64, i64); 3], set: impl FnOnce(&mut Options)) -> (i64, Swap) {
    let mut s = Swap::boot(set);
    let mut x = 7u64;
    let random = move || {
        x = x
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        1 + (x >> 33) as i64 % 700
    };
    let mut most = 0;
    let result = s.run(random, |s, stop| {
        s.change(stop as usize % 3);
        most = most.max(s.guest.vm.obsolete_bodies());
    });
    assert!(most > 1, "{what}: old bodies lived on");
    s.check(costs, what);
    (result, s)
}

#[test]
fn bodies_change_while_they_run() {
    let costs = costs();
    let (want, _) = changing("exact", &costs, |_| ());
    let (got, mut s) = changing("by call site", &costs, |o| {
        o.profile = ProfileMode::CallSites
    });
    assert_eq!(got, want);
    s.guest.vm.collect_garbage(true);
    assert_eq!(s.guest.vm.obsolete_bodies(), 0, "no frame, no code");
    let (got, mut s) = changing("by block", &costs, |o| o.profile = ProfileMode::Blocks);
    assert_eq!(got, want);
    s.guest.vm.flush_open_frames();
    let vm = &s.guest.vm;
    let walks = vm.contexts(true).into_iter().flat_map(|t| t.1);
    let (executions, mut counts) = (vm.executions(), Vec::new());
    walks
        .flatten()
        .for_each(|visit| executions.add(&visit, &mut counts));
    let sum: u64 = counts.iter().map(|c| c.1).sum();
    assert_eq!(
        sum as i64,
        s.guest.executed(),
        "executions of single bytecodes"
    );
    if common::all() {
        let (got, _) = changing("GC stress", &costs, |o| o.gc_stress = true);
        assert_eq!(got, want);
    }
}

#[test]
fn instruments_are_notified_of_all_bodies() {
    let costs = costs();
    let mut s = Swap::boot(|_| ());
    let vm = &mut s.guest.vm;
    let mut place = |at: fn(MethodFilter) -> Point| {
        let ids = s.methods.iter().map(|m| m.0);
        let all = ids.map(|m| vm.place_instrument(Spec::count(at(MethodFilter::One(m)))));
        all.collect::<Vec<_>>()
    };
    let entries = place(Point::Entry);
    let returns = place(Point::Return);
    let bytecodes = place(|within| Point::Bytecode {
        within,
        indices: (0, u16::MAX),
    });
    let mut step = 0;
    let odd = move || {
        step += 1;
        1 + step * 37 % 700
    };
    s.run(odd, |s, stop| s.change(stop as usize % 3));
    s.check(&costs, "with instruments");
    for (i, (name, _, first, second)) in PAIRS.into_iter().enumerate() {
        let calls = s.ask(first) + s.ask(second);
        let (own, _) = s.own(name);
        // a `pop` at the end of a block needs no instruction: the one after `ofA.add`
        let pops = if name == "outer" {
            s.ask("caughtByA")
        } else {
            0
        };
        let vm = &s.guest.vm;
        let hits = |id| vm.instrument_reading(id).map(|r| r.hits as i64);
        assert_eq!(hits(entries[i]), Some(calls), "{name}");
        assert_eq!(hits(returns[i]), Some(calls), "{name}");
        assert_eq!(hits(bytecodes[i]), Some(own - pops), "{name}");
    }
}

#[test]
fn bodies_change_between_samples() {
    let costs = costs();
    for sites in [false, true] {
        let what = format!("a sample at every bytecode, sites: {sites}");
        let (_, mut s) = changing(&what, &costs, |o| {
            o.sample_every = Some(1);
            o.profile = if sites {
                ProfileMode::CallSites
            } else {
                ProfileMode::Exact
            };
        });
        let sampled = s.guest.samples();
        for (name, ..) in PAIRS {
            let m = sampled.method(&format!("Swap.{name}(I)I")).expect("it ran");
            assert_eq!(m.bytecodes as i64, s.own(name).0, "{what}: {name}");
        }
        let all = s.guest.profile().totals().bytecodes;
        assert_eq!(s.guest.samples().totals().bytecodes, all, "{what}");
    }
}

#[test]
fn what_is_no_body_is_refused() {
    let mut s = Swap::boot(|_| ());
    let (leaf, other, _) = s.methods[0];
    let class = s.guest.vm.method(leaf).class;
    let first = s.guest.vm.class(class).cf.clone().expect("a class file");
    let mut fewer = (*first).clone();
    let mut methods = fewer.methods.into_vec();
    methods.swap_remove(other);
    fewer.methods = methods.into();
    assert!(
        s.guest.vm.replace_body(leaf, Arc::new(fewer)).is_err(),
        "a method is missing"
    );
    let mut wrong = (*first).clone();
    let outer = s.guest.vm.method(s.methods[1].0).slot as usize;
    let object = s
        .guest
        .method("java/lang/Object", "toString", "()Ljava/lang/String;");
    let slot = s.guest.vm.method(object).slot as usize;
    let foreign = s.guest.vm.method(object).class;
    let foreign = s.guest.vm.class(foreign).cf.clone().expect("a class file");
    wrong.methods[outer].attributes = foreign.methods[slot].attributes.clone();
    let slot = s.guest.vm.method(leaf).slot as usize;
    wrong.methods[slot].attributes = foreign.methods[slot].attributes.clone();
    assert!(
        s.guest.vm.replace_body(leaf, Arc::new(wrong)).is_err(),
        "it does not verify"
    );
    assert!(
        s.guest.vm.replace_body(object, first).is_err(),
        "another class"
    );
    s.run(|| i64::MAX / 4, |_, _| panic!("no stop"));
    assert_eq!(s.ask("leafsB"), 0, "nothing has changed");
}
