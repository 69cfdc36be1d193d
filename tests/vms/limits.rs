//! Limits of a VM, and its state when one is reached: it can be inspected, resumed where that makes sense,
//! and dropped; its process is unharmed.

use crate::common;
use crate::common::guest::{Guest, options, report_end, text};
use crate::common::limited::{cancelled, classes, end_of, late, limited, real};
use rjvm_vm::LoaderId;
use rjvm_vm::cancel::Halt;
use rjvm_vm::startup::CallStop;
use rjvm_vm::vm::Options;
use std::time::{Duration, Instant};

/// Whether the VM takes too long to be cancelled in this method.
fn is_late(class: &str, name: &str, tries: u32) -> bool {
    let mut g = real(limited());
    let m = g.method(class, name, "()I");
    let (real, ran) = cancelled(&mut g, tries, |g| {
        g.vm.call_on(g.main, m, &[]).expect_err("it does not end")
    });
    late(name, &real, &ran)
}

fn all_stop_in_time(class: &str, names: &[&'static str]) {
    let tries = std::env::var("RJVM_TEST_TRIES").map_or(40, |n| n.parse().expect("a number"));
    let mut late = Vec::new();
    for name in names {
        // others may have the processors and the caches for a while: once more, then
        if (0..2).all(|_| is_late(class, name, tries)) {
            late.push(name);
        }
    }
    assert!(late.is_empty(), "stopped late: {late:?}");
}

#[test]
fn cancellation_takes_less_than_ten_milliseconds_wherever_the_vm_is() {
    all_stop_in_time(
        "Limits",
        &[
            "tight",
            "calls",
            "sleep",
            "park",
            "parkInOthers",
            "waits",
            "accept",
            "read",
            "copies",
            "fills",
            "garbage",
            "collects",
            "initializer",
            "regex",
            "strings",
            "inflates",
            "overflows",
            "sorts",
        ],
    );
}

#[test]
fn cancellation_takes_less_than_ten_milliseconds_in_long_work_of_the_vm() {
    if cfg!(debug_assertions) {
        common::not_checked("an optimised build on a quiet machine (`.ci/run cancellation`)");
        return;
    }
    all_stop_in_time(
        "Works",
        &[
            "subroutines",
            "checks",
            "translates",
            "parses",
            "clones",
            "multi",
            "interns",
            "deflates",
            "inflates",
            "traces",
            "writes",
            "reads",
        ],
    );
}

#[test]
fn what_is_cancelled_while_nothing_runs_stops_at_once_and_goes_on() {
    let mut g = real(limited());
    let m = g.method("Limits", "mixed", "()I");
    let canceller = g.vm.canceller();
    canceller.cancel();
    let before = g.vm.bytecodes();
    let stop = g.vm.call_on(g.main, m, &[]).expect_err("cancelled");
    assert!(
        matches!(stop, CallStop::Halted(Halt::Cancelled)),
        "{stop:?}"
    );
    assert!(g.vm.bytecodes() - before < 200);
    // it is inspected, collected, and goes on
    assert!(g.vm.thread_dump(false).contains("Limits.mixed"));
    let r = g.vm.go_on();
    let want = g.value(r);
    let r = g.vm.call_on(g.main, m, &[]);
    assert_eq!(g.value(r), want);
    canceller.exceeded("patience");
    let stop = g.vm.call_on(g.main, m, &[]).expect_err("asked");
    assert!(
        matches!(stop, CallStop::Halted(Halt::Limit("patience"))),
        "{stop:?}"
    );
    drop(g);
    canceller.cancel();
}

#[test]
fn hooks_are_cancelled_too() {
    let mut g = real(limited());
    let m = g.method("Limits", "hook", "()I");
    let r = g.vm.call_on(g.main, m, &[]);
    g.value(r);
    let canceller = g.vm.canceller();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        canceller.cancel();
    });
    let stop = g.vm.shut_down().expect_err("the hook does not end");
    assert!(
        matches!(stop, CallStop::Halted(Halt::Cancelled)),
        "{stop:?}"
    );
    thread.join().expect("it has cancelled");
}

#[test]
fn wall_time_stops_what_runs_and_what_sleeps() {
    let mut g = real(limited());
    let canceller = g.vm.canceller();
    for name in ["tight", "sleep", "copies"] {
        let m = g.method("Limits", name, "()I");
        let time = Duration::from_millis(30);
        g.vm.set_wall_time(Some(time)).expect("a thread");
        let begin = Instant::now();
        let stop = g.vm.call_on(g.main, m, &[]).expect_err("it does not end");
        assert!(matches!(stop, CallStop::Halted(Halt::WallTime)), "{stop:?}");
        assert!(begin.elapsed() >= time, "{name}");
        assert_eq!(g.vm.wall_time(), Some(Duration::ZERO));
        // no time, no bytecodes to speak of; more time, more bytecodes
        let before = g.vm.bytecodes();
        let stop = g.vm.go_on().expect_err("no time");
        assert!(matches!(stop, CallStop::Halted(Halt::WallTime)), "{stop:?}");
        assert!(g.vm.bytecodes() - before < 200, "{name}");
        g.vm.set_wall_time(Some(time)).expect("a thread");
        let stop = g.vm.go_on().expect_err("it does not end");
        assert!(matches!(stop, CallStop::Halted(Halt::WallTime)), "{stop:?}");
        // another call on the same thread takes its place
        g.vm.set_wall_time(None).expect("no thread");
        assert!(!canceller.is_requested());
    }
    let m = g.method("Limits", "mixed", "()I");
    g.vm.set_wall_time(Some(Duration::from_secs(600)))
        .expect("a thread");
    let r = g.vm.call_on(g.main, m, &[]);
    g.value(r);
    assert!(g.vm.wall_time().expect("a limit") > Duration::from_secs(300));
}

/// Numbers without pattern, the same in every run.
fn random(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

#[test]
fn a_thousand_cuts_by_fuel_change_neither_result_nor_profile() {
    let whole = |fuel: &mut dyn FnMut() -> Option<i64>| {
        let mut g = Guest::boot(Options {
            quantum: 500,
            ..options(Some(&classes()))
        });
        let m = g.method("Limits", "mixed", "()I");
        let begin = g.executed();
        let mut cuts = 0;
        g.vm.set_fuel(fuel());
        let mut r = g.vm.call_on(g.main, m, &[]);
        while let Err(CallStop::OutOfFuel) = r {
            assert_eq!(g.vm.fuel(), Some(0));
            cuts += 1;
            g.vm.set_fuel(fuel());
            r = g.vm.go_on();
        }
        g.vm.set_fuel(None);
        let v = g.value(r).int();
        (v, g.executed() - begin, text(&g.profile()), cuts)
    };
    let (value, length, profile, _) = whole(&mut || None);
    let (mut all, mut seed) = (0, 1);
    while all < 1000 {
        let mean = 2 * length as u64 / 125;
        let mut fuel = || Some(1 + (random(&mut seed) % mean) as i64);
        let (v, n, p, cuts) = whole(&mut fuel);
        assert_eq!((v, n), (value, length), "after {all} cuts");
        assert!(p == profile, "the profile differs after {all} cuts");
        all += cuts;
    }
}

#[test]
fn what_an_embedder_hands_in_is_looked_up_and_verified() {
    let dir = common::work_dir().join("limits-bad");
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    let good = std::fs::read(classes().join("Limits$Endless.class")).expect("compiled");
    let named = |name: &str, bytes: &[u8]| {
        std::fs::write(dir.join(format!("{name}.class")), bytes).expect("written")
    };
    named("Cut", &good[..good.len() / 2]);
    named("Other", &good);
    named("Liar", &liar());
    let mut options = limited();
    options.boot_append.push(dir.display().to_string());
    let mut g = real(options);
    let mut thrown = |class: &str, name: &str, desc: &str| {
        let r = g.vm.call_static(g.main, class, name, desc, &[]);
        report_end(&mut g.vm, r.expect_err("it is bad"))
    };
    let missing = "threw java.lang.NoClassDefFoundError: ";
    assert_eq!(thrown("No/Such", "m", "()V"), format!("{missing}No/Such"));
    assert_eq!(
        thrown("Limits", "nothing", "()V"),
        "threw java.lang.NoSuchMethodError: Limits.nothing()V"
    );
    assert_eq!(
        thrown("Cut", "m", "()V"),
        "threw java.lang.ClassFormatError: Truncated class file"
    );
    assert!(thrown("Other", "m", "()V").starts_with(&format!("{missing}Other (wrong name: ")));
    let e = thrown("Liar", "lie", "()Ljava/lang/String;");
    assert!(e.starts_with("threw java.lang.VerifyError: "), "{e}");
    let r = g.vm.load_on(g.main, LoaderId::BOOT, "not a name");
    let e = report_end(&mut g.vm, r.expect_err("missing"));
    assert!(e.starts_with(missing), "{e}");
    // bytes, too
    let given = rjvm_vm::classes::load::DefineOptions {
        given: true,
        hidden: true,
        ..Default::default()
    };
    let c =
        g.vm.env()
            .define_class(LoaderId::BOOT, None, &liar(), given)
            .expect("well formed");
    let e = g.vm.init_on(g.main, c).expect_err("it lies");
    let e = report_end(&mut g.vm, e);
    assert!(e.starts_with("threw java.lang.VerifyError: "), "{e}");
    // nothing of this has hurt it
    assert_eq!(end_of(&mut g, "mixed"), "54334");
}

/// A class whose method returns an int as a string.
fn liar() -> Vec<u8> {
    let mut b = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 8];
    let utf8 = |b: &mut Vec<u8>, text: &str| {
        b.extend([1, 0, text.len() as u8]);
        b.extend(text.as_bytes());
    };
    utf8(&mut b, "Liar");
    b.extend([7, 0, 1]);
    utf8(&mut b, "java/lang/Object");
    b.extend([7, 0, 3]);
    utf8(&mut b, "lie");
    utf8(&mut b, "()Ljava/lang/String;");
    utf8(&mut b, "Code");
    b.extend([0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0, 0, 1]);
    // public static lie: bipush 42, areturn
    b.extend([
        0, 9, 0, 5, 0, 6, 0, 1, 0, 7, 0, 0, 0, 15, 0, 1, 0, 0, 0, 0, 0, 3, 16, 42, 0xB0, 0, 0, 0, 0,
    ]);
    b.extend([0, 0]);
    b
}

#[test]
fn a_call_that_is_given_up_leaves_a_vm_for_others() {
    let mut g = Guest::boot(Options {
        quantum: 500,
        ..options(Some(&classes()))
    });
    let mixed = g.method("Limits", "mixed", "()I");
    let want = g.run_of("Limits", "mixed");
    let begin = g.executed();
    assert_eq!(g.run_of("Limits", "mixed"), want);
    let length = g.executed() - begin;
    let mut seed = 7;
    for i in 0..60 {
        let fuel = 1 + (random(&mut seed) % (length as u64 - 1)) as i64;
        g.vm.set_fuel(Some(fuel));
        let r = g.vm.call_on(g.main, mixed, &[]);
        assert!(matches!(r, Err(CallStop::OutOfFuel)), "{i}: {r:?}");
        g.vm.abandon_call(g.main);
        g.vm.set_fuel(None);
        // the threads that it has started go on, and the monitor they share is free
        assert_eq!(
            g.run_of("Limits", "mixed"),
            want,
            "after {i} calls given up"
        );
    }
    assert_eq!(g.profile().totals().bytecodes as i64, g.executed());
}
