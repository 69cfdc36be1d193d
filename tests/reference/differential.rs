//! Random programs in the `rjvm` command: interpreted, compiled when they execute many bytecodes, and all compiled. Output, exit code
//! and the bytes of profiles and samples must be the same.
//!
//! `RJVM_FUZZ_SECONDS` is how long that takes, `RJVM_FUZZ_SEED` the first seed.

use super::program::{Program, throwables};
use super::{expected, number};
use crate::common::run::{Outcome, Run, vm};
use crate::common::{jdk, tests_dir, work_dir};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Programs of a process.
const TOGETHER: u64 = 24;
/// Processes of the ordinary tests, for each way of running.
const FEW: u64 = 1;
/// How often each program runs: the compiler begins after four million bytecodes.
const ROUNDS: &str = "900";
const FEW_ROUNDS: &str = "3";

/// A way of running that is compared with others.
struct Way {
    name: &'static str,
    options: &'static [&'static str],
    rounds: &'static str,
}

const WAYS: &[Way] = &[
    Way {
        name: "counts",
        options: &["--profile=exact"],
        rounds: ROUNDS,
    },
    Way {
        name: "call-sites",
        options: &["--profile=callsites", "--allocations", "--quantum=1009"],
        rounds: ROUNDS,
    },
    Way {
        name: "samples",
        options: &["--sample-gran=503", "--sample-sites"],
        rounds: ROUNDS,
    },
    Way {
        name: "collections",
        options: &["--gc-stress", "--profile=exact"],
        rounds: FEW_ROUNDS,
    },
];

const TIERS: [&str; 3] = ["-Xint", "--tier=on", "--tier=all"];

/// The classes of programs, and the names of those that run to an end soon.
fn write(dir: &Path, seeds: std::ops::Range<u64>) -> Vec<String> {
    let _ = std::fs::remove_dir_all(dir);
    std::fs::create_dir_all(dir).expect("the target directory is writable");
    let class = |name: &str, bytes: &[u8]| {
        std::fs::write(dir.join(format!("{name}.class")), bytes).expect("it is writable");
    };
    for (name, bytes) in throwables() {
        class(&name, &bytes);
    }
    let mut names = Vec::new();
    for seed in seeds {
        let Ok(p) = Program::new(seed, 2 + (seed % 23) as usize) else {
            continue;
        };
        if expected(&p).is_some() {
            p.classes
                .iter()
                .for_each(|(name, bytes)| class(name, bytes));
            names.push(p.names.r);
        }
    }
    names
}

fn driver() -> PathBuf {
    let source = tests_dir().join("reference/differential/Driver.java");
    jdk::compile("differential", &[source], &[], Path::new("no-resources"))
}

fn left(way: &Way, tier: &str, path: &str, programs: &[String]) -> (Outcome, Vec<u8>) {
    // in one directory: the class library looks at its path
    let run = Run::new(&vm(), &format!("differential-{}", way.name));
    let file = run.dir().join("p.rjp");
    let got = run
        .args(["--quiet", "--deterministic", tier])
        .args(way.options)
        .args(["-o", "p.rjp", "-cp", path, "Driver", way.rounds])
        .args(programs)
        .finish();
    (got, std::fs::read(file).unwrap_or_default())
}

/// What differs, if anything does.
fn differs(way: &Way, path: &str, programs: &[String]) -> Option<String> {
    let (plain, profile) = left(way, TIERS[0], path, programs);
    let good = !plain.timed_out && plain.exit == 0 && !profile.is_empty();
    if !good {
        return Some(format!("interpreted: {plain:?}"));
    }
    assert_eq!(plain.out().lines().count(), programs.len() * 2);
    TIERS[1..].iter().find_map(|tier| {
        let (got, other) = left(way, tier, path, programs);
        let what = match (got == plain, other == profile) {
            (true, true) => return None,
            (true, false) => "the profile differs".into(),
            (false, _) => format!("{got:?}, not {plain:?}"),
        };
        Some(format!("{tier}: {what}"))
    })
}

#[test]
fn compiled_runs_leave_the_same_bytes() {
    let start = Instant::now();
    let limit = number("RJVM_FUZZ_SECONDS").map(Duration::from_secs);
    let first = number("RJVM_FUZZ_SEED").unwrap_or(1_000_000);
    let dir = work_dir().join("differential-programs");
    let path = format!("{}:{}", driver().display(), dir.display());
    let (mut processes, mut ran) = (0, 0);
    while limit.map_or(processes < FEW * WAYS.len() as u64, |limit| {
        start.elapsed() < limit
    }) {
        let from = first + processes * TOGETHER;
        let way = &WAYS[processes as usize % WAYS.len()];
        processes += 1;
        let programs = write(&dir, from..from + TOGETHER);
        assert!(programs.len() as u64 > TOGETHER / 2, "most programs run");
        if let Some(text) = differs(way, &path, &programs) {
            // each alone, if that is enough
            let alone = |name: &&String| differs(way, &path, std::slice::from_ref(*name)).is_some();
            let one = programs.iter().find(alone);
            panic!(
                "{} from RJVM_FUZZ_SEED={from}, program {one:?}, classes in {}: {text}",
                way.name,
                dir.display()
            );
        }
        ran += programs.len();
    }
    eprintln!(
        "{processes} times {} tiers, {ran} programs, {:?}",
        TIERS.len(),
        start.elapsed()
    );
}
