//! Collections that are stopped half-way: soon, and without a trace in what comes out.

use crate::common::guest::text;
use crate::common::limited::{boot_on, cancelled, late, limited, real};
use rjvm_jdk_stubs::os::{OsHost, StandardStreams};
use rjvm_vm::Value;
use rjvm_vm::cancel::Halt;
use rjvm_vm::startup::CallStop;
use rjvm_vm::vm::{Options, ProfileMode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

fn number_of(variable: &str, default: u32) -> u32 {
    std::env::var(variable).map_or(default, |n| n.parse().expect("a number"))
}

/// Whether the VM takes too long to be cancelled in `Heaps.name(n)`.
fn is_late(name: &str, n: i32) -> bool {
    let mut g = real(Options {
        max_heap: 2 << 30,
        stack_bytes: 256 << 20,
        ..limited()
    });
    let m = g.method("Heaps", name, "(I)I");
    // most of what follows are collections
    let begun = g.vm.collections();
    let mut stop = None;
    while g.vm.collections().1 < begun.1 + 2 && g.vm.collections().0 < begun.0 + 40 {
        let time = Some(Duration::from_millis(100));
        g.vm.set_wall_time(time).expect("a thread");
        let stopped = match stop {
            None => g.vm.call_on(g.main, m, &[Value::Int(n)]),
            Some(_) => g.vm.go_on(),
        };
        assert!(matches!(stopped, Err(CallStop::Halted(_))), "{stopped:?}");
        stop = Some(stopped);
    }
    g.vm.set_wall_time(None).expect("no thread");
    let (real, ran) = cancelled(&mut g, number_of("RJVM_TEST_TRIES", 40), |g| {
        g.vm.go_on().expect_err("it does not end")
    });
    late(name, &real, &ran)
}

#[test]
fn collections_of_large_heaps_stop_within_ten_milliseconds() {
    let mb = number_of("RJVM_TEST_LIVE_MB", 160) as i32;
    let mut late = Vec::new();
    for (name, n) in [
        ("small", mb),
        ("arrays", mb),
        ("blocks", mb),
        ("natives", mb / 4),
        ("young", mb),
        ("deep", 100_000),
    ] {
        // others may have the processors and the caches for a while: once more, then
        if (0..2).all(|_| is_late(name, n)) {
            late.push(name);
        }
    }
    assert!(late.is_empty(), "stopped late: {late:?}");
}

/// Runs `Heaps.mixed`, with requests to stop at any time if `cut`: result, bytecodes, collections and profile; and how
/// often it was stopped in a collection.
fn mixed(cut: bool, stress: bool) -> (String, u32) {
    let options = Options {
        max_heap: 24 << 20,
        quantum: 1000,
        profile: ProfileMode::Exact,
        gc_stress: stress,
        ..limited()
    };
    let host = OsHost::sandboxed(StandardStreams::null());
    let mut g = boot_on(options, Box::new(host));
    let m = g.method("Heaps", "mixed", "(II)I");
    let begun = g.executed();
    let canceller = g.vm.canceller();
    let over = Arc::new(AtomicBool::new(false));
    let thread = cut.then(|| {
        let over = over.clone();
        std::thread::spawn(move || {
            let mut micros = 1;
            while !over.load(SeqCst) {
                std::thread::sleep(Duration::from_micros(micros));
                canceller.cancel();
                micros = (micros * 7919 + 13) % 600;
            }
        })
    });
    let size = if stress { [8, 30] } else { [60, 5000] };
    let mut r = g.vm.call_on(g.main, m, &size.map(Value::Int));
    let mut stops = 0;
    while let Err(CallStop::Halted(Halt::Cancelled)) = r {
        stops += 1;
        if stops % 5 == 0 {
            // looks at it finish a collection
            assert!(g.vm.thread_dump(false).contains("Heaps.mixed"));
        }
        r = g.vm.go_on();
    }
    over.store(true, SeqCst);
    if let Some(thread) = thread {
        thread.join().expect("it has cancelled");
    }
    let value = g.value(r).int();
    let reported = format!(
        "{value} {} {:?} {}\n{}",
        g.executed() - begun,
        g.vm.collections(),
        g.vm.heap_allocated(),
        text(&g.profile())
    );
    (reported, stops)
}

#[test]
fn what_was_stopped_in_collections_comes_to_the_same() {
    let (whole, _) = mixed(false, false);
    for _ in 0..5 {
        let (cut, stops) = mixed(true, false);
        assert!(stops > 20, "{stops}");
        assert_eq!(cut, whole);
    }
}

#[test]
fn the_same_with_a_collection_at_every_allocation() {
    let (whole, _) = mixed(false, true);
    let (cut, stops) = mixed(true, true);
    assert!(stops > 20, "{stops}");
    assert_eq!(cut, whole);
}

#[test]
fn a_vm_that_is_stopped_in_a_collection_is_given_up_or_dropped() {
    let mut paused = 0;
    for i in 0..12 {
        let mut g = real(Options {
            max_heap: 256 << 20,
            ..limited()
        });
        let m = g.method("Heaps", "small", "(I)I");
        let canceller = g.vm.canceller();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(400 + 7 * i));
            canceller.cancel();
        });
        let stop = g.vm.call_on(g.main, m, &[Value::Int(40)]);
        assert!(
            matches!(stop, Err(CallStop::Halted(Halt::Cancelled))),
            "{stop:?}"
        );
        thread.join().expect("it has cancelled");
        paused += u32::from(g.vm.is_collecting());
        if i % 2 == 0 {
            g.vm.abandon_call(g.main);
            assert!(!g.vm.is_collecting());
            g.vm.verify_heap().expect("a heap in order");
            let m = g.method("Limits", "mixed", "()I");
            let r = g.vm.call_on(g.main, m, &[]);
            g.value(r);
        }
    }
    assert!(paused > 0, "none was stopped in a collection");
}
