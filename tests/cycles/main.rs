//! What a VM leaves behind in its process, whatever its end: nothing.

#[path = "../common/mod.rs"]
mod common;

use common::guest::resident;
use common::limited::{boot_on, end_of, limited, real};
use rjvm_jdk_stubs::os::{OsHost, StandardStreams};
use rjvm_vm::ThreadId;
use rjvm_vm::cancel::Halt;
use rjvm_vm::startup::CallStop;
use rjvm_vm::vm::Options;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Measurements cover the whole process: one test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn bombs_end_in_clear_errors() {
    let _alone = alone();
    let oom = "threw java.lang.OutOfMemoryError: ";
    let bombs: [(&str, &[&str]); 18] = [
        ("tight", &["OutOfFuel"]),
        ("lists", &["Java heap space"]),
        ("hugeArray", &["Java heap space"]),
        ("threads", &["unable to create native thread"]),
        ("classes", &["Metaspace", "Compressed class space"]),
        ("recursion", &["threw java.lang.StackOverflowError: "]),
        ("overflows", &["OutOfFuel"]),
        ("memory", &["Unable to allocate 1048576 bytes"]),
        (
            "buffers",
            &[
                "Unable to allocate",
                "Cannot reserve 1048576 bytes of direct buffer memory",
            ],
        ),
        // the native's error has no message
        ("deflaters", &[""]),
        ("interned", &["Java heap space"]),
        ("finalizers", &["Java heap space", "OutOfFuel"]),
        ("monitors", &["Java heap space", "OutOfFuel"]),
        ("garbage", &["OutOfFuel"]),
        ("wild", &["16"]),
        ("denied", &["5"]),
        (
            "exits",
            &["threw java.lang.SecurityException: the program may not end the VM"],
        ),
        (
            "halts",
            &["threw java.lang.SecurityException: the program may not end the VM"],
        ),
    ];
    for (name, ends) in bombs {
        let options = Options {
            max_heap: 32 << 20,
            max_off_heap: Some(24 << 20),
            max_threads: Some(20),
            max_metaspace: Some(12 << 20),
            ..limited()
        };
        let before = resident();
        let host = OsHost::sandboxed(StandardStreams::null());
        let mut g = boot_on(options, Box::new(host));
        let begin = Instant::now();
        let end = end_of(&mut g, name);
        let grown = resident().saturating_sub(before) >> 20;
        println!(
            "{name:12} {:>6} ms, {grown} MB: {end}",
            begin.elapsed().as_millis()
        );
        let expected = |e: &&str| match *e {
            "" => end == oom,
            e => end.starts_with(e) || end.strip_prefix(oom).is_some_and(|m| m.starts_with(e)),
        };
        assert!(ends.iter().any(expected), "{name}: {end}");
        assert!(grown < 300, "{name}: {grown} MB");
        assert!(g.vm.fault().is_none(), "{name}");
        assert!(
            g.vm.bytecodes() > 0 && g.vm.thread_dump(false).contains("main"),
            "{name}"
        );
    }
}

/// How the process is: resident bytes, mapped regions, open descriptors, OS threads.
fn process() -> [usize; 4] {
    let count = |dir: &str| std::fs::read_dir(dir).expect("Linux").count();
    let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux");
    [
        resident(),
        maps.lines().count(),
        count("/proc/self/fd"),
        count("/proc/self/task"),
    ]
}

#[test]
fn created_run_and_dropped_vms_leave_nothing_behind() {
    let _alone = alone();
    let cycles = std::env::var("RJVM_TEST_CYCLES").map_or(60, |n| n.parse().expect("a number"));
    let ends = [
        "mixed",
        "tight",
        "cancel",
        "lists",
        "threads",
        "sleep",
        "exits",
        "buffers",
        "deflaters",
        "recursion",
    ];
    let mut first = None;
    let begin = Instant::now();
    let mut boots = Duration::ZERO;
    for i in 0..cycles {
        let options = Options {
            max_heap: 16 << 20,
            max_off_heap: Some(8 << 20),
            max_threads: Some(12),
            ..limited()
        };
        let boot = Instant::now();
        let mut g = real(options);
        boots += boot.elapsed();
        let name = ends[i % ends.len()];
        let main: ThreadId = g.main;
        let canceller = g.vm.canceller();
        match name {
            "cancel" => {
                canceller.cancel();
                let m = g.vm.method_on(main, "Limits", "tight", "()I");
                let stop = m.and_then(|m| g.vm.call_on(main, m, &[]));
                assert!(
                    matches!(stop, Err(CallStop::Halted(Halt::Cancelled))),
                    "{stop:?}"
                );
            }
            "sleep" => {
                g.vm.set_wall_time(Some(Duration::from_millis(3)))
                    .expect("a thread");
                let m = g.vm.method_on(main, "Limits", name, "()I").expect("there");
                assert!(g.vm.call_on(main, m, &[]).is_err());
            }
            _ => {
                let fuel = if name == "mixed" {
                    100_000_000
                } else {
                    2_000_000
                };
                g.vm.set_fuel(Some(fuel));
                let m = g.vm.method_on(main, "Limits", name, "()I").expect("there");
                let r = g.vm.call_on(main, m, &[]);
                assert_eq!(r.is_ok(), name == "mixed", "{name}: {r:?}");
            }
        }
        drop(g);
        if i == cycles / 3 {
            first = Some(process());
        }
        if [100, 1000, 5000, 10_000].contains(&(i + 1)) {
            println!("after {}: {:?}", i + 1, process());
        }
    }
    let (first, last) = (first.expect("cycles"), process());
    println!(
        "{cycles} cycles, {:.1} ms each, {:.1} of it to boot; {first:?} {last:?}",
        begin.elapsed().as_secs_f64() * 1e3 / cycles as f64,
        boots.as_secs_f64() * 1e3 / cycles as f64
    );
    let slack = [24 << 20, 40, 4, 4];
    for i in 0..4 {
        assert!(last[i] <= first[i] + slack[i], "{first:?} {last:?}");
    }
}
