//! What grows with the program, and must neither break nor get slow by more than its size: many
//! classes, receivers of a call, threads, frames, contexts, objects. The programs are those of
//! `benches/java/Scale.java`; the sizes are what a test has time for.

use crate::common;
use crate::common::jdk;
use crate::common::run::{self, Outcome, Run};
use rjvm::profiler::Profile;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

fn classes() -> &'static Path {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        let java = common::tests_dir().join("../benches/java");
        let sources = ["Scale.java", "Copy00000.java"].map(|name| java.join(name));
        jdk::compile("scale", &sources, &[], &java.join("none"))
    })
}

/// Runs a program with options, which has to print `want`.
fn scale(options: &[&str], args: &[&str], want: &str) -> (Outcome, PathBuf) {
    let name = format!("scale-{}-{}", options[0], args.join("-"));
    let run = Run::new(&run::vm(), &name);
    let dir = run.dir();
    let got = run
        .arg("-Xmx512m")
        .args(options)
        .arg("-cp")
        .arg(classes())
        .arg("Scale")
        .args(args)
        .finish();
    assert_eq!(got.exit, 0, "{args:?}: {}", got.err());
    assert!(
        got.out().ends_with(&format!("{want}\n")),
        "{args:?}: {}",
        got.out()
    );
    (got, dir)
}

fn profile(dir: &Path, name: &str) -> Profile {
    let file = std::fs::File::open(dir.join(name)).expect("the profile is written");
    Profile::read(&mut std::io::BufReader::new(file)).expect("the profile is readable")
}

/// Invocations and bytecodes of a method in all contexts.
fn of(profile: &Profile, class: &str, name: &str) -> (u64, u64) {
    let is_it = |m: u32| {
        let method = &profile.methods[m as usize];
        method.class == class && method.name == name
    };
    let nodes = profile.threads.iter().flat_map(|t| t.tree.nodes());
    nodes
        .filter(|node| is_it(node.method))
        .fold((0, 0), |sum, node| {
            (sum.0 + node.invocations, sum.1 + node.bytecodes)
        })
}

#[test]
fn a_million_frames() {
    let mut options = vec!["--profile=exact", "--view=app-only", "--quiet", "-Xss400m"];
    let files = [
        "x.rjp", "x.txt", "x.flat", "x.xml", "x.folded", "x.pprof", "x.json", "x.html",
    ];
    options.extend(files.iter().flat_map(|file| ["-o", *file]));
    let (_, dir) = scale(&options, &["depth", "1000000"], "depth 1000000 2501026");
    for file in files {
        let size = std::fs::metadata(dir.join(file))
            .expect("the file is written")
            .len();
        assert!(size > 500 && size < 1 << 30, "{file}: {size} bytes");
        if file != "x.rjp" {
            std::fs::remove_file(dir.join(file)).expect("the file can be removed");
        }
    }
    let profile = profile(&dir, "x.rjp");
    // once to the bottom and back, once to the bottom, where it throws
    let each = 8 * 1_000_000;
    assert_eq!(of(&profile, "Scale", "down").0, 2 * 1_000_001);
    let bytecodes = of(&profile, "Scale", "down").1;
    assert!(bytecodes > each && bytecodes < 3 * each, "{bytecodes}");
    assert_eq!(of(&profile, "Scale", "downAllocating").0, 1_000_001);
    let deepest = profile
        .threads
        .iter()
        .flat_map(|t| t.tree.preorder())
        .map(|n| n.0)
        .max();
    assert!(deepest >= Some(1_000_000), "{deepest:?}");
}

#[test]
fn samples_of_a_million_frames() {
    // Looking at all frames at each of 50,000 samples would take minutes.
    let options = [
        "--sample-gran=500",
        "--view=app-only",
        "--quiet",
        "-Xss400m",
        "-o",
        "x.rjp",
    ];
    let (_, dir) = scale(&options, &["depth", "1000000"], "depth 1000000 2501026");
    let samples = profile(&dir, "x.rjp");
    let (taken, bytecodes) = of(&samples, "Scale", "down");
    let each = 8 * 1_000_000;
    assert!(bytecodes > each && bytecodes < 3 * each, "{bytecodes}");
    assert!(taken.abs_diff(bytecodes / 500) <= 1, "{taken}");
}

#[test]
fn ten_thousand_threads() {
    let options = ["-Xss192k"];
    scale(
        &options,
        &["sleepers", "10000", "2"],
        "sleepers 10000 20000",
    );
    scale(
        &options,
        &["yielders", "10000", "5"],
        "yielders 10000 50000",
    );
    scale(
        &options,
        &["blockers", "10000", "3"],
        "blockers 10000 30000",
    );
}

#[test]
fn classes_that_are_used_take_little() {
    let resident = |n: &str, want: &str| {
        let (got, _) = scale(&["-Xms64m", "-Xmx64m"], &["classes", n], want);
        let err = got.err().to_string();
        let line = err.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        let number = line.and_then(|l| l.split_whitespace().next()?.parse::<usize>().ok());
        number.expect("what the program has taken") * 1024
    };
    let few = resident("4000", "classes 4000 730152975");
    let many = resident("16000", "classes 16000 755713326");
    let each = (many - few) / 12_000;
    println!("{each} bytes a class");
    assert!(each < 7_000, "{each}");
}

#[test]
fn thousands_of_receivers() {
    // Looking contexts up one after the other would take minutes.
    let options = [
        "--profile=exact",
        "--view=app-only",
        "--quiet",
        "-o",
        "x.rjp",
    ];
    let (_, dir) = scale(
        &options,
        &["classes", "4000", "100"],
        "classes 4000 -1634853747",
    );
    let profile = profile(&dir, "x.rjp");
    for copy in ["Copy00001", "Copy02000", "Copy04000"] {
        assert_eq!(of(&profile, copy, "applyAsInt").0, 101);
        assert_eq!(of(&profile, copy, "twice").0, 1010);
    }
}

#[test]
fn a_large_tree() {
    let options = [
        "--profile=exact",
        "--view=app-only",
        "--quiet",
        "-o",
        "x.rjp",
    ];
    let (_, dir) = scale(&options, &["tree", "12", "2"], "tree 12 2125764");
    let profile = profile(&dir, "x.rjp");
    let calls: u64 = ["a", "b", "c"]
        .iter()
        .map(|m| of(&profile, "Scale", m).0)
        .sum();
    // each context is entered once in each walk
    assert_eq!(calls, 3u64.pow(13) - 1);
    let nodes = profile.totals().nodes;
    assert!(nodes > calls / 2 && nodes < calls / 2 + 1000, "{nodes}");
}

#[test]
fn a_heap_that_is_nearly_full_of_live_objects() {
    let (got, _) = scale(
        &["-Xmx128m", "-verbose:gc"],
        &["heap", "100", "20"],
        "heap 100 22547197153950",
    );
    let out = got.out();
    let mut log = out.lines();
    let first = log.next().unwrap_or_default();
    assert!(first.ends_with("][info][gc] Using Serial"), "{first}");
    let pauses: Vec<&str> = log.filter(|line| line.starts_with('[')).collect();
    assert!(pauses.len() > 5, "{out}");
    for (n, line) in pauses.iter().enumerate() {
        // [0.123s][info][gc] GC(0) Pause Young (Allocation Failure) 24M->1M(123M) 1.234ms
        let (uptime, rest) = line.split_once("s][info][gc] ").expect("a decorated line");
        let uptime: f64 = uptime[1..].parse().expect("seconds");
        assert!(uptime < 600.0, "{line}: not since the start of the VM");
        let rest = rest
            .strip_prefix(&format!("GC({n}) Pause "))
            .expect("a number");
        assert!(
            rest.starts_with("Young (") || rest.starts_with("Full ("),
            "{line}"
        );
        assert!(rest.contains("M->") && rest.ends_with("ms"), "{line}");
    }
    assert!(
        pauses
            .last()
            .is_some_and(|line| line.contains("Pause Full (System.gc())"))
    );
}
