//! Compiled code gives the counts of interpreted code: profiles, samples and stops are the same bytes.

use crate::common::run::{Outcome, Run, vm};
use crate::common::{self, in_parallel, jdk, tests_dir, work_dir};
use rjvm_vm::interp::TIER;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const NOBODY: &str = "--tier=off";
const SOME: &str = "--tier=on";
const ALL: &str = "--tier=all";

/// How often the program of these tests does what it does, so that much of it is compiled by itself.
const LONG: &str = "30000";

/// The same for comparisons of many modes, where some of it is compiled by itself.
fn rounds() -> &'static str {
    if common::all() { LONG } else { "2500" }
}

/// Profiles of all modes and runs without one; on a push every other.
fn modes() -> Vec<&'static [&'static str]> {
    let modes = [PROFILES, &[&[], &["--quantum=97"]]].concat();
    let step = if common::all() { 1 } else { 2 };
    modes.into_iter().step_by(step).collect()
}

pub fn mix() -> PathBuf {
    let own = [
        "Mix",
        "Loops",
        "Inlined",
        "Nested",
        "Natives",
        "Ways",
        "Arguments",
        "Redefined",
    ];
    let mut sources = own
        .map(|name| format!("repeated/tier/{name}.java"))
        .to_vec();
    sources.push("java/instrument/lib/OwnAgent.java".into());
    let sources: Vec<PathBuf> = sources.iter().map(|s| tests_dir().join(s)).collect();
    jdk::compile("tier", &sources, &[], Path::new("no-resources"))
}

/// A program of the tests that needs no options.
pub fn of_tests(program: &str) -> PathBuf {
    let source = tests_dir().join(format!("java/{program}.java"));
    let name = format!("tier-{}", program.replace('/', "-"));
    jdk::compile(&name, &[source], &[], Path::new("no-resources"))
}

/// What a run leaves behind: outputs, exit code, and what it writes to `p.rjp`, if it does.
fn left(name: &str, options: &[&str], classes: &Path, program: &[&str]) -> (Outcome, Vec<u8>) {
    let run = Run::new(&vm(), &format!("tier-{name}"));
    let file = run.dir().join("p.rjp");
    let got = run
        .args(["--quiet", "--deterministic"])
        .args(options)
        .arg("-cp")
        .arg(classes)
        .args(program)
        .finish();
    (got, std::fs::read(file).unwrap_or_default())
}

/// Runs that differ only in the compiled methods leave the same results.
fn are_the_same(name: &str, modes: &[&[&str]], classes: &Path, program: &[&str]) {
    let modes: Vec<_> = modes.iter().enumerate().collect();
    in_parallel(&modes, |(i, options)| {
        // in one directory: the class library looks at its path
        let name = format!("{name}-{i}");
        let with = |tier| {
            let options = [&[tier], **options].concat();
            left(&name, &options, classes, program)
        };
        let (plain, profile) = with(NOBODY);
        let writes = options.contains(&"-o");
        assert!(!plain.timed_out && plain.stdout.len() + profile.len() > 10);
        assert_eq!(profile.is_empty(), !writes, "{options:?}");
        for tier in [SOME, ALL] {
            let (other, other_profile) = with(tier);
            assert_eq!(plain, other, "{program:?} {options:?} {tier}");
            // not printed: they are long
            assert!(profile == other_profile, "{program:?} {options:?} {tier}");
        }
    });
}

/// The same in all modes, with a collection at every allocation, and as HotSpot prints it with `-XX:-OmitStackTraceInFastThrow`.
fn are_the_same_as_on_hotspot(name: &str, main: &str, expected: &str) {
    are_the_same(name, &modes(), &mix(), &[main, rounds()]);
    let stressed: &[&str] = &["--gc-stress", "--profile=exact", "-o", "p.rjp"];
    are_the_same(
        &format!("{name}-stress"),
        &[stressed],
        &mix(),
        &[main, "20"],
    );
    let (got, _) = left(&format!("{name}-output"), &[ALL], &mix(), &[main, LONG]);
    assert_eq!(got.out(), expected);
}

const PROFILES: &[&[&str]] = &[
    &["--profile=exact", "-o", "p.rjp"],
    &["--profile=callsites", "--allocations", "-o", "p.rjp"],
    &["--profile=blocks", "-o", "p.rjp"],
    &["--sample-gran=10000", "--sample-sites", "-o", "p.rjp"],
    &["--sample-gran=500", "--quantum=1013", "-o", "p.rjp"],
];

#[test]
fn profiles_are_the_same() {
    are_the_same("profiles", PROFILES, &mix(), &["Mix", rounds()]);
}

/// Their slots have registers.
#[test]
fn loops_are_the_same() {
    let modes = [PROFILES[0], PROFILES[1], PROFILES[4]];
    are_the_same("loops", &modes, &mix(), &["Loops", rounds()]);
    let stressed: &[&str] = &["--gc-stress", "--profile=exact", "-o", "p.rjp"];
    are_the_same("loops-stress", &[stressed], &mix(), &["Loops", "20"]);
    // as of HotSpot
    let (got, _) = left("loops-output", &[ALL], &mix(), &["Loops", LONG]);
    assert_eq!(got.out(), "-3992636682768982329 659940\n");
}

/// Small callees are in the code of their callers: receivers of all kinds, exceptions in them, no room for their frames, classes that
/// are loaded when all is compiled.
#[test]
fn inlined_callees_are_the_same() {
    are_the_same_as_on_hotspot("inlined", "Inlined", INLINED);
}

/// What it prints.
const INLINED: &str = "\
-5271261725722372765 449985000 2584 4309466460776169972 -105378840321132996 6308819115794686285 -3960021412331853172 90000 4547675094518637724 -4303043629846383549
-5271261725722372765 449985000 2584 4309466460776169972 -105378840321132996 6308819115794686285 -3960021412331853172 90000 4547675094518637724 -4303043629846383549
-5271261725722372765 449985000 2584 614556016773521156 -1497532541537062495 13576639141084324 4903236602860855062 270000 4547675094518637724 -4303043629846383549
-1267416 -3841089917557973765 -3841089917557973765 -3841089917557973765 181009
true
true
true
";

/// Callees with branches of which one way is expected, by a static field or since the other one throws; ways that add different counts and
/// meet; slots that have an object until they have none; copies of bytes.
#[test]
fn expected_ways_are_the_same() {
    let rest = "5092338676625119086 -5631984052648853354 719512153349634991";
    let expected = format!("1659920959360119005 {rest}\n1323492668929077741 {rest}\n");
    are_the_same_as_on_hotspot("ways", "Ways", &expected);
}

/// Arguments of inlined callees, which are copied when they have to be: callees that change them, callers that change what they gave,
/// failures at each depth; and quotients and remainders of constants.
#[test]
fn arguments_are_the_same() {
    let expected = "-5280524190807043351 -4686334840158267973 -6437952935788757910\n";
    are_the_same_as_on_hotspot("arguments", "Arguments", &expected.repeat(2));
}

/// Natives whose work is in the code of their callers: class objects, identity hashes, instances, references, elements, bits, roots, the
/// running thread; and the cases that are left to them.
#[test]
fn inlined_natives_are_the_same() {
    let round =
        "4511832522847504357 30002 79998 75001 997999 4020680837119409948 2058324536\n0 main 1\n";
    are_the_same_as_on_hotspot("natives", "Natives", &round.repeat(2));
}

/// The callees of callees are in the code, too, constructors among them: exceptions in them at each depth, receivers of all
/// kinds, no room for their frames, objects with finalizers, method handles.
#[test]
fn callees_in_callees_are_the_same() {
    let stops = [
        "--stop-at=Nested$Node.key#40000",
        "--stop-at=Nested$Node.<init>@1#30000",
        "--stop-at=Nested$Half.quotient#20000",
        "--stop-at=java.lang.Object.<init>#100000",
    ];
    let modes: Vec<_> = stops.iter().map(|p| [*p, "--stop-output=-"]).collect();
    let modes: Vec<&[&str]> = modes.iter().map(|m| m.as_slice()).collect();
    are_the_same("nested-stop", &modes, &mix(), &["Nested", LONG]);
    are_the_same_as_on_hotspot("nested", "Nested", NESTED);
}

/// What it prints.
const NESTED: &str = "\
-3445358989783363320 4601492960741352551 -1758573939514380000 7288940703388957808 -2782604626551672 7749122031954665864 -1098278930693178809 58751
-3445358989783363320 -5679325749548762710 -1758573939514380000 2765183381937288904 4789110375006642344 4396660620599467896 -1098278930693178809 117501
396446810190225160 -8848352683541557961 -7177397751447703432 -2064321823833195936 662298283519673480 176251
true
true
true
";

/// They get other bodies while a compiled caller runs.
#[test]
fn redefined_callees_do_what_they_now_do() {
    // it attaches to itself, as a process with a number of its own
    for tier in [NOBODY, SOME, ALL] {
        let got = Run::new(&vm(), &format!("tier-redefined{tier}"))
            .args(["--quiet", tier, "-Djdk.attach.allowAttachSelf=true", "-cp"])
            .arg(mix())
            .args(["Redefined", "300000"])
            .finish();
        // as of HotSpot
        let sums =
            "-1305432212008271664 -1305432212008271664 -5282124565378078664 8118148498514641256\n";
        assert_eq!(got.out(), sums, "{tier}: {}", got.err());
    }
}

#[test]
fn stops_are_at_the_same_bytecodes_of_inlined_callees() {
    let places = [
        "--stop-at=Inlined.quotient#400",
        "--stop-at=Inlined.changed@3#20000",
        "--stop-at=Inlined$Point.clamp#12345",
        "--stop-at=Inlined$Triangle.sides#5000",
    ];
    let modes: Vec<_> = places.iter().map(|p| [*p, "--stop-output=-"]).collect();
    let modes: Vec<&[&str]> = modes.iter().map(|m| m.as_slice()).collect();
    are_the_same("inlined-stop", &modes, &mix(), &["Inlined", LONG]);
    let many: Vec<String> = (0..40)
        .map(|i| format!("--stop-at={}", 4_000_000 + i * 100_003))
        .collect();
    // one bytecode after the other, where all is compiled
    let all = (0..60).map(|i| format!("--stop-at={}", 9_000_000 + i));
    for (name, stops) in [("many", many), ("next", all.collect())] {
        let mut options: Vec<&str> = stops.iter().map(String::as_str).collect();
        options.extend(["--stop-then=continue", "--stop-output=-"]);
        options.extend(["--profile=exact", "-o", "p.rjp"]);
        let name = format!("inlined-stops-{name}");
        are_the_same(&name, &[&options], &mix(), &["Inlined", LONG]);
    }
}

#[test]
fn profiles_of_other_programs_are_the_same() {
    for program in [
        "language/Lambdas",
        "language/StringSwitch",
        "exceptions/TryCatch",
        "invoke/MethodHandles1",
    ] {
        let name = program.rsplit('/').next().expect("a name");
        let modes = &[PROFILES[0], PROFILES[4]];
        are_the_same(name, modes, &of_tests(program), &[name]);
    }
}

#[test]
fn they_are_with_a_collection_at_every_allocation() {
    let modes: &[&[&str]] = &[
        &["--gc-stress", "--profile=exact", "-o", "p.rjp"],
        &["--gc-stress", "--sample-gran=500", "-o", "p.rjp"],
    ];
    let rounds = if common::all() { "20" } else { "8" };
    are_the_same("stress", modes, &mix(), &["Mix", rounds]);
}

#[test]
fn stops_are_at_the_same_bytecodes() {
    let places = [
        "--stop-at=3000000",
        "--stop-at=5000001",
        "--stop-at=9123457",
        "--stop-at=Mix.choose#900",
        "--stop-at=Mix.fib@0#17000",
    ];
    let modes: Vec<_> = places.iter().map(|p| [*p, "--stop-output=-"]).collect();
    let modes: Vec<&[&str]> = modes.iter().map(|m| m.as_slice()).collect();
    are_the_same("stops", &modes, &mix(), &["Mix", LONG]);
    let many: Vec<String> = (1..40)
        .map(|i| format!("--stop-at={}", i * 200_003))
        .collect();
    let mut many: Vec<&str> = many.iter().map(String::as_str).collect();
    many.extend(["--stop-then=continue", "--stop-output=-"]);
    many.extend(["--profile=exact", "-o", "p.rjp"]);
    are_the_same("many-stops", &[&many], &mix(), &["Mix", LONG]);
}

/// What `--tier-report` says of a program: methods, instructions compiled, all of these methods, bytes, and calls inlined.
fn report(tier: &str, program: &str) -> [u64; 5] {
    let options = [tier, "--tier-report", "--profile=exact", "-o", "p.rjp"];
    let name = format!("report{tier}{program}");
    let (got, _) = left(&name, &options, &mix(), &[program, LONG]);
    let err = got.err();
    let line = err
        .lines()
        .find(|l| l.starts_with("tier: "))
        .expect("a report");
    let numbers = line.split(' ').filter_map(|w| w.parse().ok());
    let numbers: Vec<u64> = numbers.collect();
    numbers.try_into().expect("five numbers")
}

#[test]
fn methods_are_compiled() {
    if !TIER {
        return;
    }
    assert_eq!(report(NOBODY, "Mix"), [0; 5]);
    let some = report(SOME, "Mix");
    assert!(some[0] >= 10, "{some:?}");
    // what is executed often has been resolved
    assert!(some[1] * 10 >= some[2] * 7, "{some:?}");
    let all = report(ALL, "Mix");
    assert!(all[0] >= 1000 && all[1] > 10_000, "{all:?}");
    let inlined = report(SOME, "Inlined");
    assert!(inlined[4] >= 30, "{inlined:?}");
}

#[test]
fn without_memory_for_code_all_is_interpreted() {
    if !TIER {
        return;
    }
    let classes = mix();
    let run = |refuse: bool| {
        let profile = work_dir().join("tier-refused.rjp");
        let mut command = Command::new(vm());
        command
            .env("JAVA_HOME", jdk::java_home())
            .args(["--deterministic", ALL, "--tier-report"])
            .args(["--profile=exact", "-o"])
            .arg(&profile)
            .arg("-cp")
            .arg(&classes)
            .args(["Mix", "50"]);
        if refuse {
            // SAFETY: the closure calls the system alone.
            unsafe { command.pre_exec(refuse_memory) };
        }
        let output = command.output().expect("it runs");
        assert!(output.status.success());
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        let profile = std::fs::read(profile).expect("a profile");
        ((output.stdout, profile), err)
    };
    let (expected, _) = run(false);
    let (got, err) = run(true);
    assert_eq!(got.0, expected.0);
    // not printed: they are long
    assert!(got.1 == expected.1 && !got.1.is_empty());
    assert_eq!(
        err.matches("note: the system has no memory for compiled code")
            .count(),
        1,
        "{err}"
    );
    assert!(err.contains("tier: 0 methods compiled"), "{err}");
    assert!(
        err.contains(
            "tier: rjvm interprets all methods: the system has no memory for compiled code"
        ),
        "{err}"
    );
}

/// From here on, files without a name cannot be made.
fn refuse_memory() -> std::io::Result<()> {
    let step = |code: u32, k: u32, jf: u8| libc::sock_filter {
        code: code as u16,
        jt: 0,
        jf,
        k,
    };
    let filter = [
        // the number of the call
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        step(
            libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K,
            libc::SYS_memfd_create as u32,
            1,
        ),
        step(
            libc::BPF_RET | libc::BPF_K,
            libc::SECCOMP_RET_ERRNO | libc::EPERM as u32,
            0,
        ),
        step(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW, 0),
    ];
    let program = libc::sock_fprog {
        len: filter.len() as u16,
        filter: filter.as_ptr().cast_mut(),
    };
    // SAFETY: the program is there while it is read.
    let done = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(
                libc::PR_SET_SECCOMP,
                libc::SECCOMP_MODE_FILTER,
                &raw const program,
            ) == 0
    };
    match done {
        true => Ok(()),
        false => Err(std::io::Error::last_os_error()),
    }
}

/// As on HotSpot, whose words they are.
#[test]
fn the_version_names_the_mode() {
    let cases: [(&[&str], &str); 3] = [
        (&[], "mixed mode"),
        (&["-Xint"], "interpreted mode"),
        (&["--tier=off"], "interpreted mode"),
    ];
    for (i, (options, mode)) in cases.into_iter().enumerate() {
        let run = Run::new(&vm(), &format!("tier-version-{i}"));
        let got = run.args(options).args(["-version"]).finish();
        let text = String::from_utf8_lossy(&got.stderr).into_owned();
        assert!(text.contains(mode), "{options:?}: {text}");
    }
}
