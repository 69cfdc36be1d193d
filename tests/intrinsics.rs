//! Methods that run as Rust code count what their bytecodes count: profiles with and without it are the same bytes.

use crate::common::guest::{Guest, options, text};
use crate::common::run::{Run, vm};
use crate::common::{in_parallel, jdk, tests_dir};
use rjvm_profiler::samples::Recorder;
use rjvm_vm::instruments::{Action, Methods, Point, Spec};
use rjvm_vm::startup::Stop;
use rjvm_vm::vm::Options;
use std::path::PathBuf;

/// The classes of the program that uses all of them.
fn classes() -> PathBuf {
    let source = tests_dir().join("java/security/Intrinsics.java");
    jdk::compile("intrinsics", &[source], &[], &tests_dir().join("resources"))
}

/// What the program leaves behind: standard output, profile, samples and their log.
fn files(name: &str, options: &[&str]) -> Vec<Vec<u8>> {
    let run = Run::new(&vm(), &format!("intrinsics-{name}"));
    let dir = run.dir().to_path_buf();
    let got = run
        .arg("--quiet")
        .args(options)
        .args(["-o", "p.rjp", "--sample-output=s.rjp", "--sample-log=s.log"])
        .arg("-cp")
        .arg(classes())
        // two threads beside main
        .args(["Intrinsics", "a", "b"])
        .finish();
    assert_eq!((got.exit, got.err().as_str()), (0, ""), "{name}");
    let read = |file: &str| std::fs::read(dir.join(file)).expect("a file of the run");
    let mut all = vec![got.out().into_bytes()];
    all.extend(["p.rjp", "s.rjp", "s.log"].map(read));
    all
}

#[test]
fn profiles_and_samples_are_the_same_without_them() {
    let runs: [&[&str]; 5] = [
        &["--profile=exact", "--sample-gran=9973"],
        &[
            "--profile=callsites",
            "--allocations",
            "--sample-gran=10007+50",
        ],
        &["--profile=blocks", "--sample-gran=9973", "--sample-sites"],
        &["--profile=exact", "--sample-gran=97", "--quantum=61"],
        &[
            "--profile=exact",
            "--sample-gran=5003",
            "--sample-clock=global",
            "--quantum=1013",
        ],
    ];
    in_parallel(
        &runs.iter().enumerate().collect::<Vec<_>>(),
        |(i, options)| {
            let with = files(&format!("with-{i}"), options);
            let plain = [options.to_vec(), vec!["--no-intrinsics"]].concat();
            let without = files(&format!("without-{i}"), &plain);
            for (with, without) in with.iter().zip(&without) {
                assert!(
                    with == without,
                    "{options:?}: {} bytes, {}",
                    with.len(),
                    without.len()
                );
            }
        },
    );
}

/// A VM with the program.
fn guest(set: impl FnOnce(&mut Options)) -> Guest {
    let mut o = options(Some(&classes()));
    o.quantum = 100_000;
    set(&mut o);
    let samples = o.sample_every.map(|_| Recorder::new(false));
    Guest::boot_with(o, |vm| {
        if let Some(r) = samples {
            vm.record_samples(r);
        }
    })
}

/// Runs it; the fuel for each piece. Its sum, how many bytecodes it executed, the profile, and how often Rust code ran.
fn run(g: &mut Guest, fuel: &mut dyn FnMut() -> Option<i64>) -> (i32, i64, String, u64) {
    let m = g.method("Intrinsics", "silently", "()I");
    let begin = g.executed();
    g.vm.set_fuel(fuel());
    let mut r = g.vm.call_on(g.main, m, &[]);
    while let Err(Stop::OutOfFuel) = r {
        g.vm.set_fuel(fuel());
        r = g.vm.go_on();
    }
    g.vm.set_fuel(None);
    let sum = g.value(r).int();
    let profile = text(&g.profile());
    (sum, g.executed() - begin, profile, g.vm.intrinsics_done())
}

#[test]
fn pieces_by_fuel_change_nothing() {
    let without = run(&mut guest(|o| o.intrinsics = false), &mut || None);
    assert_eq!(without.3, 0);
    for piece in [None, Some(1_000_003), Some(20_011), Some(2503)] {
        let with = run(&mut guest(|_| ()), &mut || piece);
        assert!(with.3 > 100, "only {} executions by Rust code", with.3);
        assert_eq!((with.0, with.1), (without.0, without.1), "{piece:?}");
        assert!(with.2 == without.2, "the profile differs: {piece:?}");
    }
}

#[test]
fn who_looks_at_bytecodes_sees_all_of_them() {
    // an instrument in a method that an intrinsic calls
    let counted = |intrinsics: bool| {
        let mut g = guest(|o| o.intrinsics = intrinsics);
        let first = run(&mut g, &mut || None);
        let id = g.vm.place_instrument(Spec {
            at: Point::Entry(Methods::of(|m| m.name() == "reverseBytes")),
            action: Action::Count,
            clocks: false,
        });
        let second = run(&mut g, &mut || None);
        let hits = g.vm.instrument_reading(id).expect("an instrument").hits;
        assert_eq!(second.3, first.3, "Rust code ran although somebody counts");
        (first.1, second.1, second.2, hits)
    };
    let (with, without) = (counted(true), counted(false));
    assert!(with.3 > 500, "{} calls", with.3);
    assert!(with == without, "{} and {} calls", with.3, without.3);
}
