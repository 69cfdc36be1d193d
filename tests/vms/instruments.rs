//! Instruments: they notify exactly where they were placed, and the program is as it would be without them.

use crate::common::guest::{Guest, notified_options, options, text};
use crate::common::{jdk, tests_dir};
use rjvm_classfile::opcodes;
use rjvm_vm::events::{Event, EventSet, EventView, Observer, OnHit};
use rjvm_vm::instruments::{
    Action, ClassFilter, Hit, HitKind, InstrumentId, Members, MethodFilter, MonitorAction, Point,
    Spec,
};
use rjvm_vm::vm::Options;
use rjvm_vm::{MethodId, ThreadId, Value, Vm};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

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

/// What a run comes to: results, bytecodes, profile.
fn outcome(g: &mut Guest, results: &[i32]) -> (Vec<i32>, i64, String) {
    (results.to_vec(), g.executed(), text(&g.profile()))
}

fn take<T: Default>(shared: &Shared<T>) -> T {
    std::mem::take(&mut *shared.lock().expect("no panic"))
}

/// An observer that notes lines.
fn notes(to: &Shared<Vec<String>>, f: impl Fn(&mut Hit<'_>) -> String + Send + 'static) -> Action {
    let to = to.clone();
    Action::Notify(Box::new(OnHit(move |hit: &mut Hit<'_>| {
        let line = f(hit);
        to.lock().expect("no panic").push(line);
    })))
}

fn shown(hit: &Hit<'_>, v: Option<rjvm_vm::instruments::Typed>) -> String {
    let Some(v) = v else { return "-".into() };
    match v.value {
        Value::Ref(r) if r.is_null() => "null".into(),
        Value::Ref(r) => match (hit.text(r, 100), hit.length(r)) {
            (Some(text), _) => format!("{text:?}"),
            (None, Some(n)) => format!("[{n}]"),
            _ => hit.class_view(hit.class_of(r)).name(),
        },
        Value::Int(i) => format!("{}{i}", v.letter as char),
        Value::Long(i) => format!("J{i}"),
        Value::Float(f) => format!("F{f}"),
        Value::Double(d) => format!("D{d}"),
        Value::Void => "void".into(),
    }
}

fn named(hit: &Hit<'_>) -> String {
    hit.method_view()
        .map_or("?".into(), |m| m.name().to_owned())
}

#[test]
fn entries_returns_and_throws_with_their_values() {
    let run = |at: Option<fn(MethodFilter) -> Point>| {
        let mut g = Guest::boot(probed());
        let reported: Shared<Vec<String>> = Shared::default();
        if let Some(at) = at {
            g.vm.place_instrument(Spec {
                at: at(MethodFilter::of(|m| m.class().name() == "Probed")),
                action: notes(&reported, |hit| {
                    let args: Vec<String> = (0..hit.arguments())
                        .map(|i| shown(hit, hit.argument(i)))
                        .collect();
                    let what = match hit.kind() {
                        HitKind::Entry => format!("({})", args.join(" ")),
                        HitKind::Return => format!(" = {}", shown(hit, hit.value())),
                        HitKind::Throw => format!(" throws {}", shown(hit, hit.value())),
                        k => panic!("{k:?}"),
                    };
                    let held = hit.this().and_then(|o| hit.field_named(o, "held"));
                    let held =
                        held.map_or(String::new(), |h| format!(" held {}", shown(hit, Some(h))));
                    format!("{}{what}{held}", named(hit))
                }),
                clocks: false,
            });
        }
        let r = g.run_of("Probed", "calls");
        (outcome(&mut g, &[r]), take(&reported))
    };
    let (plain, _) = run(None);
    let (with, entries) = run(Some(Point::Entry));
    assert_eq!(with, plain);
    let expected = [
        "calls()",
        "<init>(\"prob\u{e9}\") held I0",
        "add(I2 I3)",
        "mix(I1 J2 D3.5 F4.5 \"five\" Z1 C120 [9])",
        "fact(I5) held I3",
        "fact(I4) held I3",
        "fact(I3) held I3",
        "fact(I2) held I3",
        "fact(I1) held I3",
        "half(D9)",
        "twice(F4.25)",
        "seven()",
        "same(\"me\")",
        "nothing()",
        "fails(I3)",
        "fails(I2)",
        "fails(I1)",
        "fails(I0)",
        "lambda$calls$0(I4)",
        "locked(I10) held I3",
    ];
    assert_eq!(entries, expected);
    let (with, returns) = run(Some(Point::Return));
    assert_eq!(with, plain);
    let expected = [
        "<init> = - held I3",
        "add = I5",
        "mix = J144",
        "fact = I1 held I3",
        "fact = I2 held I3",
        "fact = I6 held I3",
        "fact = I24 held I3",
        "fact = I120 held I3",
        "half = D4.5",
        "twice = F8.5",
        "seven = I7",
        "same = \"me\"",
        "nothing = -",
        "lambda$calls$0 = I5",
        "locked = I45 held I45",
    ];
    assert_eq!(returns[..15], expected);
    assert_eq!(returns.len(), 16, "and calls itself");
    let (with, throws) = run(Some(Point::Throw));
    assert_eq!(with, plain);
    assert_eq!(throws, ["fails throws java.lang.IllegalStateException"; 4]);
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
    #[derive(Default)]
    struct Calls {
        entered: BTreeMap<MethodId, u64>,
        open: BTreeMap<ThreadId, Vec<MethodId>>,
        left: u64,
        thrown: u64,
        late: u64,
    }
    let run = |listen: bool, options: Options| {
        let mut g = Guest::boot(options);
        g.run_of("Seen", "few_bytecodes");
        let m = g.method("Seen", "calls", "()I");
        let reported: Shared<Calls> = Shared::default();
        let before = invocations(&mut g.vm);
        let to = reported.clone();
        let id = listen.then(|| {
            let spec = Spec::notify(
                Point::Around(MethodFilter::All),
                move |hit: &mut Hit<'_>| {
                    let mut c = to.lock().expect("no panic");
                    let (t, m) = (hit.thread(), hit.method().expect("a method"));
                    if hit.kind() == HitKind::Entry {
                        *c.entered.entry(m).or_default() += 1;
                        c.open.entry(t).or_default().push(m);
                        return;
                    }
                    c.left += 1;
                    c.thrown += u64::from(hit.kind() == HitKind::Throw);
                    let elapsed = hit.elapsed().expect("it was entered");
                    match c.open.entry(t).or_default().pop() {
                        Some(entered) => {
                            assert_eq!(entered, m, "{}", hit.vm().method_name(m));
                            assert!(!elapsed.late);
                        }
                        None => {
                            assert!(elapsed.late);
                            c.late += 1;
                        }
                    }
                },
            );
            g.vm.place_instrument(spec)
        });
        let r = g.vm.call_on(g.main, m, &[]);
        let mut result = vec![g.value(r).int()];
        for name in ["convoy", "pingpong", "parks"] {
            result.push(g.run_of("Seen", name));
        }
        if let Some(id) = id {
            assert!(g.vm.remove_instrument(id).is_some());
        }
        let mut counted = invocations(&mut g.vm);
        for (m, n) in before {
            *counted.get_mut(&m).expect("it was there") -= n;
        }
        counted.retain(|_, n| *n > 0);
        result.push(g.run_of("Seen", "calls"));
        let reported = take(&reported);
        (outcome(&mut g, &result), counted, reported)
    };
    let (with, counted, reported) = run(true, notified_options());
    let (without, ..) = run(false, notified_options());
    assert_eq!((&with.0, with.1), (&without.0, without.1));
    assert!(with.2 == without.2, "the profile has changed");
    assert!(reported.entered.values().sum::<u64>() > 10_000);
    assert!(reported.thrown > 300, "{}", reported.thrown);
    assert_eq!(reported.entered, counted);
    let open: usize = reported.open.values().map(Vec::len).sum();
    assert_eq!(
        reported.left - reported.late + open as u64,
        reported.entered.values().sum::<u64>()
    );
}

type ByBytecode = BTreeMap<(String, u16), u64>;

/// Counts each bytecode of some classes by stepping, and which of them only drop an operand.
struct Steps(Shared<ByBytecode>, Shared<BTreeSet<(String, u16)>>);

impl Observer for Steps {
    fn events(&self) -> EventSet {
        EventSet::INSTRUCTIONS
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        if let Event::Instruction(m) = event
            && let Some(f) = m.stack.last()
        {
            let name = seen.method_name(MethodId(f.method));
            if is_ours(&name) {
                let key = (name, f.bci as u16);
                let code = seen
                    .method(MethodId(f.method))
                    .code()
                    .map(|code| code.kept());
                if code.is_some_and(|c| c.attr().code[f.bci as usize] == opcodes::POP) {
                    self.1.lock().expect("no panic").insert(key.clone());
                }
                *self.0.lock().expect("no panic").entry(key).or_default() += 1;
            }
        }
    }
}

fn is_ours(name: &str) -> bool {
    name.starts_with("Probed") || name.starts_with("Seen") || name.starts_with("java.util.HashMap")
}

/// Counts of each bytecode, by stepping or by instruments.
fn bytecodes(
    options: Options,
    names: &[&str],
    step: Option<&Shared<BTreeSet<(String, u16)>>>,
) -> (ByBytecode, (Vec<i32>, i64, String)) {
    let mut g = Guest::boot(options);
    let class = names[0];
    let names = &names[1..];
    let reported: Shared<ByBytecode> = Shared::default();
    let first = g.method(class, names[0], "()I");
    if let Some(pops) = step {
        g.vm.observe(Box::new(Steps(reported.clone(), pops.clone())));
    } else {
        let to = reported.clone();
        let within = MethodFilter::of(|m| is_ours(&m.class().name()));
        let at = Point::Bytecode {
            within,
            indices: (0, u16::MAX),
        };
        g.vm.place_instrument(Spec::notify(at, move |hit: &mut Hit<'_>| {
            let name = hit.vm().method_name(hit.method().expect("a method"));
            let key = (name, hit.bci().expect("a bytecode"));
            *to.lock().expect("no panic").entry(key).or_default() += 1;
        }));
    }
    let r = g.vm.call_on(g.main, first, &[]);
    let mut results = vec![g.value(r).int()];
    for name in &names[1..] {
        results.push(g.run_of(class, name));
    }
    let outcome = outcome(&mut g, &results);
    (take(&reported), outcome)
}

#[test]
fn each_bytecode_is_reported_as_often_as_it_is_executed() {
    for (options, names) in [
        (
            probed as fn() -> Options,
            &["Probed", "calls", "loops", "threads"][..],
        ),
        (notified_options, &["Seen", "calls", "few"]),
    ] {
        let pops = Shared::default();
        let (stepped, plain) = bytecodes(options(), names, Some(&pops));
        let pops = take(&pops);
        let (reported, with) = bytecodes(options(), names, None);
        assert_eq!(with.0, plain.0);
        assert_eq!(with.1, plain.1);
        assert!(with.2 == plain.2, "the profile has changed");
        let mut wrong = Vec::new();
        for (key, n) in &stepped {
            let m = reported.get(key).copied().unwrap_or(0);
            // what is dropped at the end of a block needs no instruction at which an instrument could notify
            if m != *n && !(m == 0 && pops.contains(key)) {
                wrong.push(format!("{}@{}: {m} of {n}", key.0, key.1));
            }
        }
        let more = reported
            .keys()
            .filter(|k| !stepped.contains_key(*k))
            .count();
        assert!(stepped.len() > 150, "{}", stepped.len());
        assert!(wrong.is_empty() && more == 0, "{more} more; {wrong:#?}");
    }
}

#[test]
fn points_inside_of_methods() {
    let mut g = Guest::boot(probed());
    let reported: Shared<Vec<String>> = Shared::default();
    let within = |name: &'static str| MethodFilter::named(name);
    let specs: [(Point, &str); 8] = [
        (
            Point::Call {
                callee: Members::of(|m| m.class_name() == "Probed"),
                within: within("Probed.calls"),
            },
            "call",
        ),
        (
            Point::Field {
                field: Members::named("Probed.held"),
                within: within("Probed.locked"),
                write: true,
            },
            "write",
        ),
        (
            Point::Field {
                field: Members::named("Probed.held"),
                within: MethodFilter::All,
                write: false,
            },
            "read",
        ),
        (
            Point::Field {
                field: Members::named("Probed.total"),
                within: MethodFilter::All,
                write: true,
            },
            "static",
        ),
        (
            Point::Monitor(
                MonitorAction::Enter,
                ClassFilter::of(|c| ["Probed", "java.lang.String"].contains(&c.name().as_str())),
            ),
            "enter",
        ),
        (
            Point::Monitor(
                MonitorAction::Exit,
                ClassFilter::of(|c| ["Probed", "java.lang.String"].contains(&c.name().as_str())),
            ),
            "exit",
        ),
        (
            Point::Line {
                within: within("Probed.fact"),
                lines: (0, u16::MAX),
            },
            "line",
        ),
        (Point::Block(within("Probed.fact")), "block"),
    ];
    for (at, what) in specs {
        let action = notes(&reported, move |hit| {
            let args: Vec<String> = match hit.kind() {
                HitKind::Call => (0..hit.arguments())
                    .map(|i| shown(hit, hit.argument(i)))
                    .collect(),
                _ => Vec::new(),
            };
            let member = hit.member().map_or("", |m| m.1).to_owned();
            let this = hit
                .this()
                .map_or("-".into(), |o| hit.class_view(hit.class_of(o)).name());
            let at = match hit.kind() {
                HitKind::Line => hit.line().to_string(),
                HitKind::Block => hit.bci().map_or(String::new(), |b| b.to_string()),
                _ => String::new(),
            };
            let n = hit.local(1).map(|_| shown(hit, hit.local(1)));
            match hit.kind() {
                HitKind::Line | HitKind::Block => {
                    format!("{what} {at} n={}", n.unwrap_or_default())
                }
                HitKind::Call => format!("{what} {member}({}) on {this}", args.join(" ")),
                _ => format!("{what} {member} {} of {this}", shown(hit, hit.value())),
            }
        });
        g.vm.place_instrument(Spec {
            at,
            action,
            clocks: false,
        });
    }
    let with = g.run_of("Probed", "calls");
    let reported = take(&reported);
    let of = |what: &str| -> Vec<String> {
        let lines = reported.iter().filter_map(|l| l.strip_prefix(what));
        lines.map(|l| l.trim().to_owned()).collect()
    };
    assert_eq!(
        of("call "),
        [
            "<init>(\"prob\u{e9}\") on Probed",
            "add(I2 I3) on -",
            "mix(I1 J2 D3.5 F4.5 \"five\" Z1 C120 [9]) on -",
            "fact(I5) on Probed",
            "half(D9) on -",
            "twice(F4.25) on -",
            "seven() on -",
            "same(\"me\") on -",
            "nothing() on -",
            "fails(I3) on -",
            "locked(I10) on Probed",
        ]
    );
    let sums: Vec<String> = (0..10)
        .scan(0, |s, i| {
            *s += i;
            Some(format!("held I{s} of Probed"))
        })
        .collect();
    assert_eq!(of("write "), sums);
    assert_eq!(of("read "), ["held I3 of Probed", "held I45 of Probed"]);
    assert_eq!(of("static "), ["total J45 of -"]);
    assert_eq!(of("enter ").len(), 2, "{:?}", of("enter "));
    assert_eq!(of("exit ").len(), 2, "{:?}", of("exit "));
    let lines = of("line ");
    assert_eq!(lines[..4], ["22 n=I5", "25 n=I5", "22 n=I4", "25 n=I4"]);
    assert_eq!(lines[8..], ["22 n=I1", "23 n=I1"]);
    let blocks = of("block ");
    assert_eq!(blocks[..2], ["0 n=I5", "12 n=I5"]);
    assert_eq!(blocks.last().map(String::as_str), Some("5 n=I1"));
    let mut plain = Guest::boot(probed());
    let without = plain.run_of("Probed", "calls");
    assert_eq!(outcome(&mut g, &[with]), outcome(&mut plain, &[without]));
}

#[test]
fn points_of_the_virtual_machine() {
    let run = |with: bool| {
        let mut g = Guest::boot(Options {
            max_heap: 8 << 20,
            ..notified_options()
        });
        let reported: Shared<BTreeMap<String, u64>> = Shared::default();
        let mut ids: Vec<InstrumentId> = Vec::new();
        let begun = g.vm.bytecodes();
        if with {
            let points: [Point; 10] = [
                Point::Alloc(ClassFilter::named("int[]")),
                Point::Monitor(MonitorAction::Contended, ClassFilter::All),
                Point::Monitor(MonitorAction::Wait, ClassFilter::All),
                Point::Thread(true),
                Point::Thread(false),
                Point::Class(ClassFilter::of(|c| c.name().starts_with("Seen"))),
                Point::Gc(true),
                Point::Gc(false),
                Point::Exception(ClassFilter::of(|c| {
                    c.supertypes().any(|s| s.name() == "java.lang.Exception")
                })),
                Point::Every(1000),
            ];
            for at in points {
                let to = reported.clone();
                ids.push(
                    g.vm.place_instrument(Spec::notify(at, move |hit: &mut Hit<'_>| {
                        let kind = format!("{:?}", hit.kind());
                        let mut frames = Vec::new();
                        hit.stack(20, &mut frames);
                        if hit.kind() == HitKind::Alloc {
                            let array = hit.value().and_then(|v| v.object()).expect("an array");
                            assert_eq!(hit.bytes(), Some(hit.size_of(array)));
                            assert!(hit.length(array).is_some() && !frames.is_empty());
                        }
                        if hit.kind() == HitKind::Every {
                            assert_eq!((hit.bytecodes() - begun) % 1000, 0);
                        }
                        *to.lock().expect("no panic").entry(kind).or_default() += 1;
                    })),
                );
            }
        }
        let before = g.vm.bytecodes();
        let results: Vec<i32> = ["convoy", "garbage", "calls", "pingpong"]
            .iter()
            .map(|n| g.run_of("Seen", n))
            .collect();
        let ran = g.vm.bytecodes() - before;
        for id in ids {
            assert!(g.vm.remove_instrument(id).is_some());
        }
        assert!(g.vm.instruments().is_empty());
        (outcome(&mut g, &results), take(&reported), ran)
    };
    let (plain, ..) = run(false);
    let (with, reported, ran) = run(true);
    assert_eq!((&with.0, with.1), (&plain.0, plain.1));
    assert!(with.2 == plain.2, "the profile has changed");
    let n = |kind: &str| reported.get(kind).copied().unwrap_or(0);
    assert!(n("Alloc") > 1000, "{reported:?}");
    assert!(
        n("MonitorContended") > 5 && n("MonitorWait") > 1,
        "{reported:?}"
    );
    // one is still about to end
    assert_eq!(n("ThreadStart"), n("ThreadEnd") + 1, "{reported:?}");
    assert!(
        n("ThreadStart") >= 5 && n("Class") >= 2 && n("Exception") > 1,
        "{reported:?}"
    );
    assert!(
        n("GcStart") > 0 && n("GcStart") == n("GcEnd"),
        "{reported:?}"
    );
    assert_eq!(n("Every"), ran as u64 / 1000, "{reported:?}");
}
