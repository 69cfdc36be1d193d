//! What comes and goes leaves no memory behind: classes of dropped loaders, hidden classes, proxies,
//! lambdas, accessors, threads, interned strings, method types. And what profiles say of classes that are
//! gone, and of contexts for which there is no memory. `RJVM_TEST_MEMORY=N` makes N of each, instead of a number that a test has time for.

use crate::common;
use crate::common::jdk;
use crate::common::run::{self, Outcome, Run};
use rjvm::profiler::Profile;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

fn classes() -> &'static Path {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        let java = common::tests_dir().join("launcher/memory");
        let sources = ["Flat.java", "Mutual.java"].map(|name| java.join(name));
        jdk::compile("memory", &sources, &[], &java.join("none"))
    })
}

fn flat(options: &[&str], kind: &str, n: u32) -> (Outcome, PathBuf) {
    let name = format!("memory-{kind}-{}", options.len());
    let run = Run::new(&run::vm(), &name);
    let dir = run.dir();
    let got = run
        .args(["-Xmx64m", "-XX:MetaspaceSize=4m"])
        .args(options)
        .arg("-cp")
        .arg(classes())
        .args(["Flat", kind, &n.to_string()])
        .finish();
    assert_eq!(got.exit, 0, "{kind}: {}", got.err());
    (got, dir)
}

/// The second half of so many leaves less than so many kilobytes.
fn stays_flat(kind: &str, n: u32, kilobytes: u64) {
    let requested = std::env::var("RJVM_TEST_MEMORY").ok();
    let n = requested.and_then(|n| n.parse().ok()).unwrap_or(n);
    let (got, _) = flat(&[], kind, n);
    let resident: Vec<u64> = got.out().lines().filter_map(|l| l.parse().ok()).collect();
    let [_, half, end] = resident[..] else {
        panic!("{kind}: {}", got.out());
    };
    assert!(
        end < half + kilobytes,
        "{kind}: resident memory grew from {half} to {end} kB while {} were made",
        n - n / 2
    );
}

#[test]
fn classes_of_dropped_loaders() {
    stays_flat("classes", 30_000, 10 << 10);
}

#[test]
fn hidden_classes() {
    stays_flat("hidden", 30_000, 8 << 10);
}

#[test]
fn proxies_lambdas_and_accessors() {
    stays_flat("proxies", 4000, 8 << 10);
    stays_flat("lambdas", 4000, 8 << 10);
    stays_flat("accessors", 4000, 8 << 10);
}

#[test]
fn threads_strings_and_method_types() {
    stays_flat("threads", 40_000, 6 << 10);
    // the heap is as large as it gets before half of them are made
    stays_flat("strings", 600_000, 8 << 10);
    stays_flat("types", 200_000, 8 << 10);
}

#[test]
fn contexts_of_unloaded_classes_stay_in_profiles() {
    for mode in ["exact", "callsites", "blocks"] {
        let n = 400;
        let mode = format!("--profile={mode}");
        let options = [&*mode, "--quiet", "-o", "x.rjp", "-verbose:class"];
        let (got, dir) = flat(&options, "lambdas", n);
        let unloaded = got.out().matches("unloading class Flat$Used ").count();
        assert!(unloaded > 300, "{unloaded} classes were unloaded");
        let file = std::fs::File::open(dir.join("x.rjp")).expect("the profile is written");
        let profile = Profile::read(&mut std::io::BufReader::new(file)).expect("it is readable");
        for (name, bytecodes) in [("lambda", 6), ("lambda$lambda$0", 4)] {
            let of: Vec<u32> = (0..)
                .zip(&profile.methods)
                .filter(|(_, m)| m.class == "Flat$Used" && m.name == name)
                .map(|(i, _)| i)
                .collect();
            let nodes = profile.threads.iter().flat_map(|t| t.tree.nodes());
            let sum = nodes
                .filter(|node| of.contains(&node.method))
                .fold((0, 0), |s, n| (s.0 + n.invocations, s.1 + n.bytecodes));
            let n = u64::from(n);
            assert_eq!(sum, (n, n * bytecodes), "{mode}, {name}");
        }
    }
}

/// The profile of random recursion, and the messages; `limit`: kilobytes of address space.
fn mutual(name: &str, limit: Option<u32>, options: &[&str]) -> (Profile, Outcome) {
    let limited = match limit {
        Some(kilobytes) => format!("ulimit -v {kilobytes} && exec \"$@\""),
        None => "exec \"$@\"".into(),
    };
    let run = Run::new(Path::new("/bin/sh"), &format!("memory-mutual-{name}"));
    let dir = run.dir();
    let got = run
        .args(["-c", &limited, "sh"])
        .arg(run::vm())
        .args(["-Xmx64m", "-o", "x.rjp"])
        .args(options)
        .arg("-cp")
        .arg(classes())
        .args(["Mutual", "4000"])
        .finish();
    assert_eq!(
        (got.exit, got.out().trim()),
        (0, "7998"),
        "{name}: {}",
        got.err()
    );
    let file = std::fs::File::open(dir.join("x.rjp")).expect("the profile is written");
    let profile = Profile::read(&mut std::io::BufReader::new(file)).expect("it is readable");
    (profile, got)
}

#[test]
fn contexts_beyond_the_budget_are_folded_and_sums_stay() {
    let (all, got) = mutual("all", None, &["--allocations", "--profile=exact"]);
    assert!(!got.err().contains("[truncated]"), "{}", got.err());
    let sums = |profile: &Profile| {
        let totals = profile.totals();
        (totals.bytecodes, totals.invocations, totals.allocated)
    };
    for (name, limit, options) in [
        ("exact", None, &["--allocations", "--profile=exact"][..]),
        (
            "limited",
            Some(3 << 20),
            &["--allocations", "--profile=exact"],
        ),
        ("sites", None, &["--allocations", "--profile=callsites"]),
        ("blocks", None, &["--allocations", "--profile=blocks"]),
    ] {
        let options = [&["--profile-memory=2m"], options].concat();
        let (folded, got) = mutual(name, limit, &options);
        assert_eq!(sums(&folded), sums(&all), "{name}");
        assert!(folded.totals().nodes < all.totals().nodes / 4, "{name}");
        let reported = |text: &str| text.contains("were folded into [truncated]");
        assert!(reported(&got.err()), "{name}: {}", got.err());
        let about = |(name, text): &(String, String)| name == "Truncated" && reported(text);
        assert!(folded.about.iter().any(about), "{name}: {:?}", folded.about);
        let (again, _) = mutual(name, limit, &options);
        assert!(again == folded, "{name}: the same again");
    }
}

#[test]
fn filters_that_act_while_the_program_runs_are_those_of_all_contexts() {
    for (name, mode, filters) in [
        ("depth", "exact", &["--max-depth=9"][..]),
        ("recursion", "exact", &["--fold-recursion"]),
        ("sites", "callsites", &["--fold-recursion", "--max-depth=4"]),
        (
            "hidden",
            "exact",
            &["--exclude=Mutual::first,Mutual::second"],
        ),
        (
            "included",
            "exact",
            &["--include=Mutual::main", "--max-depth=3"],
        ),
        ("all", "exact", &["--max-depth=5", "--scope=all"]),
    ] {
        let mode = format!("--profile={mode}");
        let options = [&[&*mode, "--allocations"], filters].concat();
        let (afterwards, _) = mutual(&format!("{name}-after"), None, &options);
        let options = [&["--profile-memory=2m"], &options[..]].concat();
        let (meanwhile, got) = mutual(&format!("{name}-while"), None, &options);
        assert!(meanwhile == afterwards, "{name}");
        assert!(!got.err().contains("[truncated]"), "{name}: {}", got.err());
        assert!(afterwards.totals().bytecodes > 1_000_000, "{name}");
    }
    // what is as large as without a filter has to keep to the budget
    let options = ["--profile=exact", "--exclude=none..", "--profile-memory=2m"];
    let (folded, got) = mutual("hardly", None, &options);
    assert!(got.err().contains("were folded into [truncated]"));
    let (all, _) = mutual("hardly", None, &["--profile=exact"]);
    assert_eq!(folded.totals().bytecodes, all.totals().bytecodes);
    assert_eq!(folded.totals().invocations, all.totals().invocations);
}

#[test]
fn a_snapshot_has_samples_and_filters() {
    let run = Run::new(&run::vm(), "memory-snapshot-samples");
    let dir = run.dir();
    let mut running = run
        .args(["--profile=exact", "--sample-gran=1000", "--max-depth=3"])
        .args([
            "--profile-memory=1m",
            "-o",
            "x.rjp",
            "--sample-output=y.rjp",
            "-cp",
        ])
        .arg(classes())
        .args(["Mutual", "1000", "y.1.rjp"])
        .start();
    let limit = run::time_limit();
    assert!(running.wait_for_stdout("ready", limit), "it does not begin");
    // SAFETY: no pointers; the process is a child that has not been waited for.
    assert_eq!(unsafe { libc::kill(running.id() as i32, libc::SIGUSR1) }, 0);
    let got = running.finish(limit);
    assert_eq!(got.exit, 0, "{}", got.err());
    let reported = "rjvm: note: snapshot written to x.1.rjp, y.1.rjp";
    assert!(got.err().contains(reported), "{}", got.err());
    let read = |name: &str| Profile::read_file(&dir.join(name)).expect("it is readable");
    let totals = ["x.1.rjp", "y.1.rjp", "x.rjp", "y.rjp"].map(|name| read(name).totals());
    let [exact, samples, all_exact, all_samples] = totals;
    // both are of the same bytecodes, before and after
    assert_eq!(exact.bytecodes, samples.bytecodes);
    assert_eq!(all_exact.bytecodes, all_samples.bytecodes);
    assert!(0 < samples.invocations && samples.invocations < all_samples.invocations);
    let marked = |name| read(name).about.iter().any(|a| a.0 == "Incomplete");
    assert!(marked("y.1.rjp") && !marked("y.rjp"));
    // one sample in each 1000 bytecodes of each thread
    assert_eq!(all_samples.invocations, all_samples.bytecodes / 1000);
}

#[test]
fn a_snapshot_is_written_while_the_program_goes_on() {
    let run = Run::new(&run::vm(), "memory-snapshot");
    let dir = run.dir();
    let mut running = run
        .args(["--profile=exact", "-o", "x.rjp", "-o", "y.html", "-cp"])
        .arg(classes())
        // it goes on when the first snapshot is there
        .args(["Mutual", "100", "x.1.rjp"])
        .start();
    let limit = run::time_limit();
    assert!(running.wait_for_stdout("ready", limit), "it does not begin");
    // SAFETY: no pointers; the process is a child that has not been waited for.
    assert_eq!(unsafe { libc::kill(running.id() as i32, libc::SIGUSR1) }, 0);
    let got = running.finish(limit);
    assert_eq!(got.exit, 0, "{}", got.err());
    let reported = "rjvm: note: snapshot written to x.1.rjp, y.1.html";
    assert!(got.err().contains(reported), "{}", got.err());
    assert!(dir.join("y.1.html").exists());
    let read = |name: &str| Profile::read_file(&dir.join(name)).expect("it is readable");
    let (before, after) = (read("x.1.rjp"), read("x.rjp"));
    let marked = |profile: &Profile| profile.about.iter().any(|a| a.0 == "Incomplete");
    assert!(marked(&before) && !marked(&after));
    assert!(before.totals().bytecodes < after.totals().bytecodes);
    // the summary counts them by itself
    let total = rjvm::profiler::summary::grouped(after.totals().bytecodes);
    assert!(
        got.err().contains(&format!("{total} bytecodes")),
        "{}",
        got.err()
    );
}

#[test]
fn a_profile_is_the_same_written_directly_and_with_other_files() {
    for options in [
        &["--profile=exact"][..],
        &["--profile=exact", "--allocations", "--scope=all"],
        &["--profile=blocks", "--allocations"],
        &["--profile=callsites", "--profile-memory=64k"],
    ] {
        // names of one length: that of the working folder is counted with the VM's start
        let file = |name: &str, more: &[&str]| {
            let run = Run::new(&run::vm(), &format!("memory-direct-{name}"));
            let dir = run.dir();
            let got = run
                .args(options)
                .args(["--quiet", "-o", "x.rjp"])
                .args(more)
                .arg("-cp")
                .arg(classes())
                .args(["Mutual", "100"])
                .finish();
            assert_eq!(got.exit, 0, "{}", got.err());
            std::fs::read(dir.join("x.rjp")).expect("the profile is written")
        };
        let direct = file("alone", &[]);
        assert!(direct == file("twice", &["-o", "x.flat"]), "{options:?}");
    }
}
