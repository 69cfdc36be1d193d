//! Hostile guests, one for each row of the guide's table of limits: each ends with the name of its limit, and the process
//! that runs them all within 64 MB for each is there afterwards.

use crate::common::{jdk, tests_dir, work_dir};
use rjvm::{Context, Engine, Error, Faults, Limit, Limits, Profiling, VmBuilder};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The limits of a guest.
const MEMORY: usize = 64 << 20;

type Set = fn(VmBuilder) -> VmBuilder;

/// Methods of `Bombs`, how their VMs differ from others, and the limits they run into.
const ROWS: [(&str, Set, Option<Limit>); 25] = [
    ("idle", |b| b, None),
    ("heap", |b| b, Some(Limit::Heap)),
    ("stack", |b| b, Some(Limit::Stack)),
    ("buffers", |b| b.heap(48 << 20), Some(Limit::OffHeap)),
    ("compressors", |b| b, Some(Limit::OffHeap)),
    ("classes", |b| b.heap(64 << 20), Some(Limit::Metaspace)),
    ("names", |b| b.heap(64 << 20), Some(Limit::Names)),
    ("code", |b| b, Some(Limit::Code)),
    ("frames", |b| b, Some(Limit::Work)),
    ("contexts", |b| b, Some(Limit::Contexts)),
    (
        "contexts",
        |b| b.profile(Profiling::Off).sampling(50),
        Some(Limit::Samples),
    ),
    ("folders", |b| b, Some(Limit::Files)),
    ("content", |b| b, Some(Limit::Files)),
    ("threads", |b| b, Some(Limit::Threads)),
    ("descriptors", |b| b, Some(Limit::OpenFiles)),
    ("output", |b| b, Some(Limit::OutputBytes)),
    (
        "forever",
        |b| b.wall_time(Duration::from_millis(300)),
        Some(Limit::WallTime),
    ),
    ("subroutines", |b| b, Some(Limit::Work)),
    ("errors", |b| b, Some(Limit::Names)),
    ("unloaded", |b| b, Some(Limit::Names)),
    ("ended", |b| b, Some(Limit::Names)),
    ("probes", |b| b.probe(PROBE), None),
    (
        "recording",
        |b| b.limits(few_records()).record(file()),
        Some(Limit::Recording),
    ),
    (
        "faults",
        |b| b.faults(Faults::parse("disk-full@10").expect("a plan")),
        Some(Limit::Faults),
    ),
    ("mapped", |b| b.record(file()), Some(Limit::OffHeap)),
];

/// Asks of each call of `Bombs.probed` for more than there is room for.
const PROBE: &str = "around:Bombs::probed { @[arg0, arg1] = hist(arg0); print(arg0, arg1) }";

/// A file for a recording.
fn file() -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    // more than are recorded at a time
    let n = NUMBER.fetch_add(1, Relaxed) % 16;
    work_dir().join(format!("bomb-{n}.rec"))
}

/// A recording may have 4 MB.
fn few_records() -> Limits {
    let mut limits = Limits::within(MEMORY);
    limits.recording = Some(4 << 20);
    limits
}

/// The environment variable with the task of a process of this program: run the guests of these rows.
const GUESTS: &str = "RJVM_TEST_GUESTS";

fn classes() -> PathBuf {
    let sources = ["embed/limits/Bombs.java", "embedding/ClassFiles.java"];
    let sources = sources.map(|name| tests_dir().join(name));
    jdk::compile("bombs", &sources, &[], &work_dir().join("none"))
}

fn peak() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("a status");
    let line = text.lines().find(|l| l.starts_with("VmPeak")).expect("one");
    let kilobytes = line.split_whitespace().nth(1).expect("a number");
    kilobytes.parse().expect("a number")
}

/// The process that has the guests. In any other process it is not a test.
#[test]
fn guests() {
    let Ok(rows) = std::env::var(GUESTS) else {
        return;
    };
    let engine = Engine::new().expect("a JDK");
    let mut wrong = Vec::new();
    for row in rows.split(',') {
        let (name, set, limit) = ROWS[row.parse::<usize>().expect("a row")];
        let builder = engine.vm().memory(MEMORY).class_path([classes()]);
        let mut vm = set(builder).build().expect("a VM");
        let r = vm.call::<rjvm::Value>("Bombs", name, ());
        let got = r.as_ref().err().and_then(Error::limit);
        println!("{name}: {got:?}, {} kB resident", resident());
        if got != limit {
            wrong.push(format!("{name}: {got:?} instead of {limit:?}: {r:?}"));
        }
        if let Err(Error::Limit(Limit::Contexts)) = &r {
            // what there is can be read, and the call goes on with less of it
            let before = vm.profile().expect("a profile").totals();
            assert!(before.bytecodes > 100_000, "{before:?}");
            let executed = vm.executed().bytecodes;
            let again = vm.resume::<()>();
            assert_eq!(again.err().and_then(|e| e.limit()), limit);
            assert!(vm.executed().bytecodes > executed);
            assert!(vm.profile().expect("a profile").totals().bytecodes > before.bytecodes);
        }
        if name == "probes" {
            let text = vm.probes();
            assert!(text.contains("(limit memory="), "{text}");
        }
        if vm.is_suspended() {
            vm.abandon().expect("it waits");
        }
    }
    println!("peak {} kB", peak());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Runs the guests of these rows in a process with so many kilobytes of address space; what it said.
fn run(rows: &[usize], kilobytes: Option<u64>) -> String {
    let rows: Vec<String> = rows.iter().map(usize::to_string).collect();
    let limit = kilobytes.map_or("unlimited".into(), |k| k.to_string());
    let exe = std::env::current_exe().expect("this program");
    let script = format!(
        "ulimit -v {limit}; exec '{}' --exact limits::guests --nocapture --test-threads=1",
        exe.display()
    );
    let out = Command::new("sh")
        .args(["-c", &script])
        .env(GUESTS, rows.join(","))
        .output()
        .expect("a shell");
    let text = [out.stdout, out.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(out.status.success(), "{}: {text}", out.status);
    text
}

#[test]
fn a_guest_takes_no_more_than_its_limit_and_the_error_names_it() {
    classes();
    // what a VM reserves without using it, and the process itself
    let idle = run(&[0], None);
    let peak = idle.split("peak ").nth(1).expect("a peak");
    let peak: u64 = peak
        .split(' ')
        .next()
        .expect("a number")
        .parse()
        .expect("a number");
    // twice what a guest may take: one half for what is given back late, between one guest and the next
    let room = peak + 2 * (MEMORY as u64 >> 10);
    let rows: Vec<usize> = (0..ROWS.len()).collect();
    println!("{}", run(&rows, Some(room)));
}

#[test]
fn a_replay_has_the_limits_of_its_recording() -> Result<(), Error> {
    let engine = Engine::new()?;
    for name in ["frames", "errors", "code"] {
        let file = work_dir().join(format!("limits-{name}.rec"));
        let mut ends = Vec::new();
        for replays in [false, true] {
            let builder = match replays {
                true => engine.vm().replay(&file),
                false => engine
                    .vm()
                    .memory(MEMORY)
                    .class_path([classes()])
                    .record(&file),
            };
            let mut vm = builder.build()?;
            let error = vm.call::<rjvm::Value>("Bombs", name, ()).expect_err(name);
            ends.push((error.limit(), vm.executed().bytecodes));
            vm.abandon()?;
            vm.finish()?;
        }
        assert_eq!(ends[0], ends[1], "{name}");
        assert!(ends[0].0.is_some(), "{name}: {ends:?}");
    }
    Ok(())
}

/// Memory of this process in kilobytes.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").expect("a status");
    let pages = text.split(' ').nth(1).expect("a number");
    pages.parse::<u64>().expect("a number") * 4
}

/// Hostile guests side by side, one after the other in each of four threads, for as many seconds as
/// `RJVM_TEST_SIEGE` says: the nightly run takes ten minutes.
#[test]
fn four_hostile_guests_side_by_side_leave_nothing_behind() {
    let Some(seconds) = std::env::var_os("RJVM_TEST_SIEGE") else {
        return;
    };
    let seconds = seconds.to_str().and_then(|s| s.parse().ok());
    let seconds: u64 = seconds.expect("RJVM_TEST_SIEGE is a number of seconds");
    let engine = Engine::new().expect("a JDK");
    let path = classes();
    let begun = std::time::Instant::now();
    let over = || begun.elapsed() >= Duration::from_secs(seconds);
    let (ended, rounds) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut seen: Vec<(u64, u64)> = Vec::new();
    std::thread::scope(|s| {
        for first in 0..4 {
            let (engine, path, ended, rounds) = (&engine, &path, &ended, &rounds);
            s.spawn(move || {
                let mut row = first * 4;
                while !over() {
                    row = row % (ROWS.len() - 1) + 1;
                    let (name, set, limit) = ROWS[row];
                    let builder = engine.vm().memory(MEMORY).class_path([path]);
                    let mut vm = set(builder).build().expect("a VM");
                    let r = vm.call::<rjvm::Value>("Bombs", name, ());
                    let got = r.as_ref().err().and_then(Error::limit);
                    assert_eq!(got, limit, "{name}: {r:?}");
                    vm.profile().expect("a profile");
                    rounds.fetch_add(1, Relaxed);
                }
                ended.fetch_add(1, Relaxed);
            });
        }
        while ended.load(Relaxed) < 4 && !(over() && rounds.load(Relaxed) == 0) {
            std::thread::sleep(Duration::from_millis(200));
            seen.push((begun.elapsed().as_millis() as u64, resident()));
        }
    });
    // the most in each tenth of the time
    let tenth = seconds * 100;
    let most = |i: u64| {
        let within = seen.iter().filter(|(at, _)| at / tenth.max(1) == i);
        within.map(|s| s.1).max().unwrap_or(0)
    };
    let most: Vec<u64> = (0..10).map(most).collect();
    println!(
        "{} guests, at most kB resident: {most:?}",
        rounds.into_inner()
    );
    let early = most[..5].iter().max().expect("some");
    let late = most[5..].iter().max().expect("some");
    assert!(*late < early + early / 4 + 32_768, "{most:?}");
    assert!(*late < 4 * (MEMORY as u64 >> 10) + 400_000, "{most:?}");
}
