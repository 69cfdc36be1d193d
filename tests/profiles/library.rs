//! The class library's part of exact profiles equals HotSpot's, line by line.
//!
//! Library counts depend on the build of the JDK, and the profiles are large: kept are digests of what
//! an independent profiler on HotSpot says (`expected/library.txt`). With `RJVM_ORACLE` naming that
//! profiler's folder, the comparison is made live; `BLESS=1` then adds digests for the installed build. `RJVM_TEST_JDK`
//! names another JDK to compare.
//!
//! Two things are left out. `Reference.get` is an intrinsic of HotSpot's interpreter, which makes no frame
//! for it. And the order of `Set.of` and `Map.of`, and so of the tables of
//! modules and packages, is on HotSpot as the clock had it at start-up.

use crate::common;
use crate::common::run::{self, Run};
use crate::common::{in_parallel, jdk, tests_dir};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAMS: [&str; 19] = [
    "Arith",
    "Arrays_",
    "Concat",
    "Defaults",
    "Demo",
    "Exceptions",
    "Finally",
    "Iterating",
    "JpFoo",
    "KomoriumFoo",
    "Lambdas",
    "Loops",
    "Natives",
    "Nested",
    "Recursion",
    "Reflect",
    "StaticInit",
    "Switches",
    "WideLocals",
];

/// How often HotSpot is asked: which of its threads links a class first is a race now and then.
const ATTEMPTS: usize = 4;

/// Whether a line of a profile has to be the same on each run of HotSpot.
fn compared(line: &str) -> bool {
    let path = line.split('\t').next().unwrap_or_default();
    let name = &path[..path.rfind('(').unwrap_or(path.len())];
    let last = name.rsplit(';').next().unwrap_or_default();
    let by_the_clock = match last {
        "java.util.concurrent.ConcurrentHashMap.get" => name.contains("findLoadedModule"),
        "java.util.HashMap.getNode" => name.contains("isStaticallyExportedOrOpen"),
        _ => last.starts_with("java.util.ImmutableCollections$"),
    };
    last != "java.lang.ref.Reference.get" && !by_the_clock
}

/// Fowler, Noll and Vo's hash: the same on each machine and in each version of the tests.
fn fnv_1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &b| {
        (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// `lines, bytecodes, digest` of the lines compared; the digest is a sum over them, so that their order
/// does not matter.
fn digest(profile: &Path) -> String {
    let file = File::open(profile).unwrap_or_else(|e| panic!("{}: {e}", profile.display()));
    let (mut lines, mut bytecodes, mut sum) = (0u64, 0u64, 0u64);
    for line in BufReader::new(file).lines() {
        let line = line.expect("a profile is text");
        if line.starts_with('#') || !compared(&line) {
            continue;
        }
        let count = line.rsplit('\t').next().and_then(|n| n.parse::<u64>().ok());
        bytecodes += count.unwrap_or_else(|| panic!("no count: {line}"));
        lines += 1;
        sum = sum.wrapping_add(fnv_1a(line.as_bytes()));
    }
    format!("{lines} lines, {bytecodes} bytecodes, {sum:016x}")
}

/// The class files in a folder that has the same name everywhere: the class loader's work depends on
/// it. Other runs may use it at the same time.
fn at_a_fixed_place(compiled: &Path, class: &str) -> PathBuf {
    let folder = Path::new("/tmp/rjvm-library").join(class);
    std::fs::create_dir_all(&folder).expect("a folder for class files");
    for entry in std::fs::read_dir(compiled).expect("compiled classes") {
        let file = entry.expect("a class file").path();
        if file.extension().is_some_and(|e| e == "class") {
            let copy = folder.join(file.file_name().expect("a name"));
            let new = copy.with_extension(std::process::id().to_string());
            std::fs::copy(&file, &new).expect("a class file copied");
            std::fs::rename(new, copy).expect("a class file in place");
        }
    }
    folder
}

fn ours(class: &str, classes: &Path) -> String {
    let run = Run::new(&run::vm(), &format!("library-{class}")).env("JAVA_HOME", jdk::under_test());
    let file = run.dir().join("out.paths");
    let outcome = run
        .args([
            "--quiet",
            "--no-prune",
            "--profile=exact",
            "--natives=off",
            "-o",
            "out.paths",
        ])
        .arg("-cp")
        .arg(classes)
        .arg(class)
        .finish();
    assert_eq!(outcome.exit, 0, "{class}");
    let digest = digest(&file);
    // hundreds of megabytes
    std::fs::remove_file(file).expect("a file just read");
    digest
}

/// What the independent profiler says, or what it said last if it never says `expected`.
fn live(oracle: &Path, class: &str, classes: &Path, expected: &str) -> String {
    let file = classes.join("oracle.txt");
    let mut message = String::new();
    for _ in 0..ATTEMPTS {
        let status = Command::new(oracle.join("oracle.sh"))
            .env("JAVA_HOME", jdk::under_test())
            .arg(format!("out={},scope=main,view=full", file.display()))
            .args(["-Xshare:off", "-XX:ActiveProcessorCount=1", "-cp"])
            .arg(classes)
            .arg(class)
            .stdout(std::process::Stdio::null())
            .status()
            .unwrap_or_else(|e| panic!("{}: {e}", oracle.display()));
        assert!(status.success(), "{class}: the oracle ends with {status}");
        message = digest(&file);
        std::fs::remove_file(&file).expect("a file just read");
        if message == expected {
            break;
        }
    }
    message
}

fn build_of_the_jdk() -> String {
    let text = std::fs::read_to_string(jdk::under_test().join("release")).unwrap_or_default();
    let version = |line: &str| {
        let version = line.strip_prefix("JAVA_RUNTIME_VERSION=")?;
        Some(version.trim_matches('"').to_string())
    };
    text.lines()
        .find_map(version)
        .expect("the JDK says its version")
}

#[test]
fn the_class_library_counts_as_on_hotspot() {
    let build = build_of_the_jdk();
    let table = tests_dir().join("oracle/expected/library.txt");
    let text = std::fs::read_to_string(&table).expect("the table of digests");
    let mut kept: BTreeMap<String, String> = text
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(program, digest)| (program.to_string(), digest.to_string()))
        .collect();
    let oracle = std::env::var_os("RJVM_ORACLE");
    let bless = oracle.is_some() && common::switch("BLESS");
    assert!(bless || kept.len() >= PROGRAMS.len(), "digests are kept");
    let results = in_parallel(&PROGRAMS, |&class| {
        let source = tests_dir().join(format!("oracle/{class}.java"));
        let compiled = jdk::compile(
            &format!("library/{class}"),
            &[source],
            &[],
            Path::new("none"),
        );
        let classes = at_a_fixed_place(&compiled, class);
        let (one, two) = (ours(class, &classes), ours(class, &classes));
        assert_eq!(one, two, "{class}: two runs differ");
        let key = format!("{build} {class}");
        let hotspot = match &oracle {
            Some(oracle) => Some(live(Path::new(oracle), class, &classes, &one)),
            None => kept.get(&key).cloned(),
        };
        (key, one, hotspot)
    });
    let mut wrong = Vec::new();
    for (key, ours, hotspot) in results {
        let Some(hotspot) = hotspot else {
            eprintln!("{key}: {ours}; no digest of HotSpot's is kept for this build");
            continue;
        };
        if ours != hotspot {
            wrong.push(format!("{key}: {ours}, HotSpot's {hotspot}"));
        } else if bless {
            kept.insert(key, hotspot);
        }
    }
    if bless {
        let lines = kept.iter().map(|(k, d)| format!("{k}: {d}\n"));
        std::fs::write(table, lines.collect::<String>()).expect("the table of digests");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
