//! Sampling from the command line: granularities, clocks, the files samples go to, and that samples at
//! every bytecode are the exact profile.

use crate::common;
use crate::common::run::Outcome;
use crate::common::{files_with_extension, golden, in_parallel, selected, stem, tests_dir};
use rjvm::profiler::export::FORMATS;
use rjvm::profiler::{Kind, Profile};
use std::path::{Path, PathBuf};

/// [`common::example`] with the runs of this file kept apart.
fn sampled(class: &str, run_name: &str, options: &[&str]) -> (Outcome, PathBuf) {
    common::example(class, &format!("sampling-{run_name}"), options)
}

fn text(dir: &Path, name: &str) -> String {
    let path = dir.join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn read(dir: &Path, name: &str) -> Profile {
    Profile::read_file(&dir.join(name)).expect("a profile")
}

#[test]
fn granularities_that_make_no_sense_are_refused() {
    for value in [
        "0",
        "-3",
        "x",
        "",
        "500+0",
        "500+",
        "+5",
        "1.5",
        "10k",
        "99999999999999999999",
        "5+x",
    ] {
        let option = format!("--sample-gran={value}");
        let (got, _) = sampled("JpFoo", "refused", &[&option]);
        assert_eq!((got.exit, got.out().as_str()), (1, ""), "{option}");
        let begin = format!("rjvm: error: --sample-gran={value}: ");
        assert!(got.err().starts_with(&begin), "{option}: {}", got.err());
        assert_eq!(got.err().lines().count(), 1, "{option}: {}", got.err());
    }
    for option in [
        "--sample-output=x.txt",
        "--sample-log=x.log",
        "--sample-sites",
    ] {
        let (got, _) = sampled("JpFoo", "alone", &[option]);
        assert_eq!(got.exit, 1, "{option}");
        assert!(
            got.err().contains("requires --sample-gran=N"),
            "{}",
            got.err()
        );
    }
    let (got, _) = sampled("JpFoo", "format", &["--sample-gran=5", "--sample-output=x"]);
    assert_eq!(got.exit, 1);
    assert!(got.err().contains("no extension"), "{}", got.err());
}

/// Path and bytecodes of the contexts that executed any.
fn executed(paths: &str) -> String {
    let row = |line: &str| {
        let mut columns = line.split('\t');
        let (path, _, bytecodes) = (columns.next()?, columns.next()?, columns.next()?);
        (bytecodes != "0").then(|| format!("{path}\t{bytecodes}\n"))
    };
    paths.lines().filter_map(row).collect()
}

#[test]
fn a_sample_at_every_bytecode_equals_the_oracle() {
    let sources = files_with_extension(&tests_dir().join("oracle"), "java");
    assert_eq!(sources.len(), 23, "all examples are there");
    let names: Vec<String> = sources.iter().map(|s| stem(s)).collect();
    let results = in_parallel(&names, |class| {
        let name = format!("oracle/{class}");
        if !selected(&name) {
            return (name, Ok(()));
        }
        // how deep recursion gets is up to the VM: the exact profile of the same run is the reference
        let deep = class == "StackOver";
        let mut report = String::new();
        let expected = tests_dir().join("oracle/expected");
        for (mode, reference) in [
            ("exact", format!("{class}.txt")),
            ("callsites", format!("{class}.sites.txt")),
        ] {
            let profile = format!("--profile={mode}");
            let mut options = vec![
                &*profile,
                "--sample-gran=1",
                "--view=app-only",
                "--quiet",
                "-o",
                "x.paths",
            ];
            options.extend((mode == "callsites").then_some("--natives=on"));
            // small stacks: each sample is as long as the stack is deep
            options.extend(deep.then_some("-Xss200k"));
            let (_, dir) = sampled(class, &format!("all-{class}-{mode}"), &options);
            let samples = executed(&text(&dir, "x.samples.paths"));
            let want = match deep {
                true => text(&dir, "x.paths"),
                false => text(&expected, &reference),
            };
            let what = format!("samples at every bytecode, {mode}");
            report += &golden::diff(&what, executed(&want).as_bytes(), samples.as_bytes());
        }
        let result = match report.is_empty() {
            true => Ok(()),
            false => Err(report),
        };
        (name, result)
    });
    golden::report("oracle", &results);
}

#[test]
fn what_the_vm_calls_can_be_a_root_of_samples() {
    for class in ["StaticInit", "Reflect"] {
        for mode in ["exact", "callsites"] {
            let profile = format!("--profile={mode}");
            let options = [
                &*profile,
                "--upcalls=root",
                "--sample-gran=1",
                "--quiet",
                "--no-prune",
                "-o",
                "x.paths",
            ];
            let (_, dir) = sampled(class, &format!("roots-{class}-{mode}"), &options);
            let exact = executed(&text(&dir, "x.paths"));
            assert_eq!(executed(&text(&dir, "x.samples.paths")), exact, "{class}");
        }
    }
    let options = [
        "--upcalls=root",
        "--sample-gran=50",
        "--sample-log=x.log",
        "--quiet",
    ];
    let (_, dir) = sampled("StaticInit", "roots-log", &options);
    let log = text(&dir, "x.log");
    let stacks = log.lines().filter_map(|line| line.rsplit('\t').next());
    let nested = |stack: &str| stack.matches(".<clinit>()V").count();
    let initializers: Vec<_> = stacks.filter(|stack| nested(stack) > 0).collect();
    assert!(!initializers.is_empty());
    for stack in initializers {
        assert!(stack.starts_with("@-1:") && nested(stack) == 1, "{stack}");
    }
}

#[test]
fn three_runs_write_the_same_bytes() {
    for (clock, class) in [
        ("thread", "Threads"),
        ("global", "Threads"),
        ("global", "Monitors"),
    ] {
        let clock_option = format!("--sample-clock={clock}");
        let runs: Vec<(Vec<u8>, String)> = (0..3)
            .map(|i| {
                let options = [
                    "--sample-gran=50+20",
                    &clock_option,
                    "--seed=7",
                    "--allocations",
                    "--sample-log=x.log",
                    "-o",
                    "x.rjp",
                    "--threads=apart",
                ];
                let (got, dir) = sampled(class, &format!("same-{clock}-{class}-{i}"), &options);
                assert!(
                    got.err().contains("profile written to x.rjp"),
                    "{}",
                    got.err()
                );
                let rjp = std::fs::read(dir.join("x.rjp")).expect("a profile");
                (rjp, text(&dir, "x.log"))
            })
            .collect();
        assert!(runs[0].1.lines().count() > 500, "there are samples");
        assert!(runs[0] == runs[1] && runs[0] == runs[2], "{class}, {clock}");
    }
}

/// Thread, position and distance of each sample of a log.
fn positions(log: &str) -> Vec<(u64, u64, u64)> {
    log.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut columns = line.split('\t').map(|c| c.parse().unwrap_or(0));
            let mut next = || columns.next().expect("a column");
            (next(), next(), next())
        })
        .collect()
}

#[test]
fn random_granularities_stay_in_their_range_and_follow_the_seed() {
    let log = |seed: &str| {
        let options = ["--quiet", "--sample-gran=40+10", "--sample-log=x.log", seed];
        let (_, dir) = sampled("Threads", &format!("random{seed}"), &options);
        text(&dir, "x.log")
    };
    let one = log("--seed=1");
    let distances: Vec<u64> = positions(&one).iter().map(|p| p.2).collect();
    assert!(distances.iter().all(|d| (40..50).contains(d)));
    let mean = distances.iter().sum::<u64>() as f64 / distances.len() as f64;
    assert!((44.0..45.0).contains(&mean), "{mean}");
    assert!(one != log("--seed=2"), "another seed, other samples");
}

#[test]
fn constant_granularities_are_kept_by_each_thread() {
    let options = ["--quiet", "--sample-gran=30", "--sample-log=x.log"];
    let (_, dir) = sampled("Threads", "constant", &options);
    let mut taken = std::collections::BTreeMap::new();
    for (thread, executed, since) in positions(&text(&dir, "x.log")) {
        let n: &mut u64 = taken.entry(thread).or_default();
        *n += 1;
        assert_eq!((executed, since), (*n * 30, 30), "thread {thread}");
    }
    assert!(taken.len() >= 4, "{taken:?}");
}

#[test]
fn no_bytecode_is_lost_from_the_total() {
    for (gran, clock) in [
        ("7", "thread"),
        ("1000", "global"),
        ("100000000", "thread"),
        ("3+9", "global"),
    ] {
        let (gran, clock) = (
            format!("--sample-gran={gran}"),
            format!("--sample-clock={clock}"),
        );
        let options = [
            "--profile=exact",
            &gran,
            &clock,
            "-o",
            "x.rjp",
            "--quiet",
            "--threads=apart",
        ];
        let (_, dir) = sampled("Threads", "total", &options);
        let (exact, samples) = (read(&dir, "x.rjp"), read(&dir, "x.samples.rjp"));
        assert_eq!((exact.kind, samples.kind), (Kind::Exact, Kind::Samples));
        let sum = |p: &Profile| p.totals().bytecodes;
        assert_eq!(sum(&exact), sum(&samples), "{gran} {clock}");
        assert_eq!(sum(&samples), sum(&samples.estimated()), "{gran} {clock}");
        let of_threads = |p: &Profile| -> Vec<(u64, u64)> {
            let all = p.threads.iter().map(|t| {
                let nodes = t.tree.nodes().iter().map(|n| n.bytecodes);
                (t.id, nodes.sum::<u64>() + t.remainder)
            });
            all.filter(|t| t.1 > 0).collect()
        };
        assert_eq!(of_threads(&exact), of_threads(&samples), "{gran} {clock}");
    }
}

#[test]
fn every_format_takes_samples() {
    let mut options = vec!["--sample-gran=10", "--view=app-only"]
        .into_iter()
        .map(String::from)
        .collect::<Vec<_>>();
    for format in &FORMATS {
        options.extend(["-o".into(), format!("x.{}", format.extension)]);
    }
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let (got, dir) = sampled("Recursion", "formats", &options);
    assert!(got.err().contains(" samples, 1 thread"), "{}", got.err());
    let samples = read(&dir, "x.rjp").totals().invocations;
    assert!(samples > 100, "{samples}");
    for format in &FORMATS {
        let name = format!("x.{}", format.extension);
        let size = std::fs::metadata(dir.join(&name)).map_or(0, |m| m.len());
        assert!(size > 100, "{name} has {size} bytes");
        // names are packed in these
        if !["rjp", "pb.gz", "pprof", "html", "jfr", "parquet"].contains(&format.extension) {
            assert!(text(&dir, &name).contains("countdown"), "{name}");
        }
    }
    let tree = text(&dir, "x.txt");
    assert!(tree.contains(&format!("{samples} samples")), "{tree}");
    assert!(tree.contains("estimates"), "{tree}");
}

#[test]
fn samples_go_to_the_named_file() {
    let both = ["--profile=exact", "--sample-gran=20", "--view=app-only"];
    let (got, dir) = sampled("Loops", "beside", &[&both[..], &["-o", "a.flat"]].concat());
    assert!(text(&dir, "a.flat").starts_with("Methods (exact)"));
    assert!(text(&dir, "a.samples.flat").starts_with("Methods (sampled)"));
    assert!(
        got.err().contains("overlap with the exact profile: "),
        "{}",
        got.err()
    );
    let reported = ["-o", "a.flat", "--sample-output=b.flat"];
    let (_, dir) = sampled("Loops", "reported", &[&both[..], &reported].concat());
    assert!(text(&dir, "b.flat").starts_with("Methods (sampled)"));
    assert!(!dir.join("a.samples.flat").exists());
    let (got, _) = sampled(
        "Loops",
        "unwritable",
        &["--sample-gran=20", "--sample-log=no/such/dir/x.log"],
    );
    assert_eq!(got.exit, 1);
    assert!(
        got.err()
            .contains("no/such/dir/x.log: cannot write the samples"),
        "{}",
        got.err()
    );
}

#[test]
fn speedscope_has_a_profile_for_each_thread() {
    let profiles = |options: &[&str]| {
        let all = [
            &["--quiet", "--sample-gran=20", "-o", "x.speedscope.json"],
            options,
        ]
        .concat();
        let (_, dir) = sampled("Threads", "speedscope", &all);
        text(&dir, "x.speedscope.json")
            .matches("\"type\":\"evented\"")
            .count()
    };
    assert!(profiles(&[]) >= 4);
    assert_eq!(profiles(&["--threads=merged"]), 1);
}
