//! `rjvm test`: tests of JUnit 5, JUnit 4 and TestNG run, and budgets hold.

use crate::common;
use crate::common::run::{Outcome, Run, vm};
use crate::common::{jdk, tests_dir};
use std::path::{Path, PathBuf};

/// Where the frameworks are installed, and what tests are compiled with.
const JARS: [&str; 8] = [
    "junit-jupiter-api",
    "junit-jupiter-params",
    "junit-platform-commons",
    "opentest4j",
    "apiguardian-api",
    "junit4",
    "testng",
    "jcommander",
];

fn classes() -> PathBuf {
    let root = crate::common::root();
    let mut path = vec![root.join("java/test-api/rjvm-test.jar")];
    path.extend(JARS.map(|jar| PathBuf::from(format!("/usr/share/java/{jar}.jar"))));
    let texts: Vec<String> = path.iter().map(|p| p.display().to_string()).collect();
    let sources = common::files_with_extension(&tests_dir().join("java_apis/junit"), "java");
    jdk::compile(
        "junit",
        &sources,
        &["-cp", &texts.join(":")],
        Path::new("none"),
    )
}

fn test(name: &str, words: &[&str], after: &[&str]) -> (Outcome, PathBuf) {
    let run = Run::new(&vm(), &format!("junit-{name}"))
        .arg("test")
        .args(words);
    let dir = run.dir();
    (run.arg("-cp").arg(classes()).args(after).finish(), dir)
}

fn assert_reports(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.contains(line), "{line}\nis not in\n{text}");
    }
}

#[test]
fn budgets_hold_for_junit_5() {
    if !common::has_frameworks() {
        return;
    }
    let (run, _) = test(
        "five",
        &[],
        &[
            "BudgetsTest",
            "--",
            "--details=tree",
            "--details-theme=ascii",
        ],
    );
    let out = run.out();
    assert_eq!(run.exit, 1, "{out}\n{}", run.err());
    assert_reports(
        &out,
        &[
            "kept() [OK]",
            "BudgetsTest::exceeded: 11,013 bytecodes, the budget is 8,000 (+3,013, +37.66%)",
            "11,009  100.0%  BudgetsTest.exceeded() > Work.sum(int)",
            "BudgetsTest::allocates: 11 objects, the budget is 10 (+1, +10.00%)",
            "bytes, the budget is 300 (",
            "BudgetsTest::calls: 3 calls of Work::sum, the budget is 2 (+1, +50.00%)",
            "[1] 1 [OK]",
            "BudgetsTest::sized[2]: 11,013 bytecodes, the budget is 5,000 (+6,013, +120.26%)",
            "linkedBefore() [OK]",
            "linkedNow() [OK]",
            "BudgetsTest::linkingCounted: ",
            "otherThread() [OK]",
            "BudgetsTest::otherThreadCounted: ",
            "fails() [X] expected: <2> but was: <1>",
            "rjvm: tests with seed 7",
            "random: ",
        ],
    );
    // all but that with another seed, and that one alone
    assert_eq!(
        out.matches("[        13 tests found           ]").count(),
        1,
        "{out}"
    );
    assert_eq!(
        out.matches("[         1 tests found           ]").count(),
        1,
        "{out}"
    );
    let (again, _) = test(
        "fiv2",
        &[],
        &[
            "BudgetsTest",
            "--",
            "--details=tree",
            "--details-theme=ascii",
        ],
    );
    assert_eq!(again.out(), out, "it is the same each time");
}

/// A test that failed in a schedule fails when this is replayed, each time in the same way.
fn fails_again(out: &str, dir: &Path, (class, test): (&str, &str), says: &str) {
    let start = format!("To replay it: rjvm --replay={class}-{test}-");
    let (_, rest) = out.split_once(&start).expect("it says how");
    let number = rest.lines().next().expect("a number").trim();
    let file = dir.join(format!("{class}-{test}-{number}"));
    let replay = || {
        let run = Run::new(&vm(), &format!("junit-replay-{class}-{test}"));
        let run = run.arg(format!("--replay={}", file.display())).finish();
        (run.out() + &run.err(), run.exit)
    };
    let first = replay();
    assert_eq!(first.1, 1, "{test}: {}", first.0);
    assert!(first.0.contains(says), "{test}: {}", first.0);
    assert_eq!(replay(), first, "{test}");
}

#[test]
fn tests_run_under_many_schedules() {
    if !common::has_frameworks() {
        return;
    }
    let after = [
        "ExploreTest",
        "--",
        "--details=tree",
        "--details-theme=ascii",
    ];
    let (run, dir) = test("explore", &[], &after);
    let out = run.out();
    assert_eq!((run.exit, &run.err()[..]), (1, ""), "{out}");
    assert_reports(
        &out,
        &[
            "lostUpdate() [X] ExploreTest::lostUpdate: ",
            "AssertionFailedError: expected: <2> but was: <1> in \"main\" (thread 0)",
            "To replay it: rjvm --replay=ExploreTest-lostUpdate-",
            "reads ExploreTest#",
            "counts() [OK]",
            "pooled() [OK]",
            "assumes() [OK]",
            "alone() [OK]",
            "untouched() [OK]",
            "deadlock of \"main\" (thread 0) and \"other\"",
            "IllegalStateException: overtaken in \"",
            "@Explore(strategy): unknown strategy \"best\"",
            "[         4 tests failed          ]",
        ],
    );
    // but where a failing one is shown
    let lines: Vec<&str> = out.lines().collect();
    for pair in lines.windows(2) {
        let printed = pair[1].contains("schedules print nothing");
        assert!(!printed || pair[0].ends_with("Its output:"), "{out}");
    }
    assert!(
        !out.contains("at org.junit.platform"),
        "the stack is the test's:\n{out}"
    );
    if common::all() {
        let again = test("explore2", &[], &after).0;
        assert_eq!(again.out(), out, "it is the same each time");
    }
    // each of them fails again
    for (test, says) in [
        ("lostUpdate", "expected: <2> but was: <1>"),
        ("inAnotherThread", "IllegalStateException: overtaken"),
        ("deadlock", "rjvm: deadlock"),
    ] {
        fails_again(&out, &dir, ("ExploreTest", test), says);
    }
}

#[test]
fn profiles_of_tests_are_written() {
    if !common::has_frameworks() {
        return;
    }
    let (run, dir) = test("profiled", &[], &["ProfiledTest"]);
    assert_eq!(run.exit, 1, "{}{}", run.out(), run.err());
    let expected = [
        ("target/rjvm", "ProfiledTest.sums.rjp"),
        ("target/rjvm", "ProfiledTest$All.one.rjp"),
        // also of one that is beyond its budget
        ("other/folder", "ProfiledTest.exceeds.rjp"),
    ];
    for (folder, file) in expected {
        let path = dir.join(folder).join(file);
        let profile = rjvm::profiler::Profile::read_file(&path);
        let profile = profile.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let sum = profile.method("Work.sum(int)").expect("it ran");
        assert_eq!(sum.calls, 1, "{file}");
    }
    let written: usize = ["target/rjvm", "other/folder"]
        .map(|folder| common::entries(&dir.join(folder)).len())
        .iter()
        .sum();
    assert_eq!(written, expected.len());
}

#[test]
fn time_limits_of_junit_are_no_failures() {
    if !common::has_frameworks() {
        return;
    }
    let after = [
        "InTimeTest",
        "--",
        "--details=tree",
        "--details-theme=ascii",
    ];
    let (run, _) = test("in-time", &[], &after);
    let out = run.out();
    assert_eq!((run.exit, &run.err()[..]), (1, ""), "{out}");
    assert_reports(
        &out,
        &["inTime() [OK]", "wrongWord() [X] @Explore(timeouts): "],
    );
}

#[test]
fn shards_of_testng_are_parts_of_the_classes() {
    if !common::has_frameworks() {
        return;
    }
    let ran = |shard: &str| {
        let options = ["--testng", "--shard", shard];
        test("ngshard", &options, &["NgTests", "FourTest"]).0
    };
    assert_reports(&ran("1/2").out(), &["Total tests run: 5"]);
    let other = ran("2/2");
    assert!(
        !other.out().contains("Total tests run: 5"),
        "{}",
        other.out()
    );
    let none = ran("3/3");
    assert_eq!(none.exit, 2);
    assert_reports(&none.err(), &["--shard=3/3: there are fewer test classes"]);
    let (whole, _) = test(
        "ngwhole",
        &["--testng", "--shard=1/2"],
        &["--", "suite.xml"],
    );
    assert_eq!(whole.exit, 2);
    assert_reports(
        &whole.err(),
        &["--shard with --testng: expected test classes"],
    );
}

#[test]
fn tests_of_junit_4_and_testng_run_too() {
    if !common::has_frameworks() {
        return;
    }
    let (four, _) = test("four", &[], &["FourTest"]);
    assert_eq!(four.exit, 1, "{}", four.err());
    assert_reports(
        &four.out(),
        &[
            "FourTest::exceeded: 11,013 bytecodes, the budget is 8,000",
            "[         2 tests found           ]",
            "[         1 tests failed          ]",
        ],
    );
    let (ng, dir) = test("ng", &["--testng"], &["NgTests", "--", "-verbose", "2"]);
    assert_eq!(ng.exit, 1, "{}", ng.err());
    assert_reports(
        &ng.out(),
        &[
            "PASSED: kept",
            "NgTests::exceeded: 11,013 bytecodes, the budget is 8,000",
            "PASSED: counts",
            "java.lang.AssertionError: NgTests::lostUpdate: 2 schedules by mixed",
            "Total tests run: 5, Failures: 3, Skips: 0",
        ],
    );
    let says = "expected [2] but found [1]";
    fails_again(&ng.out(), &dir, ("NgTests", "lostUpdate"), says);
}

#[test]
fn a_baseline_explains_what_has_changed() {
    if !common::has_frameworks() {
        return;
    }
    let (saved, dir) = test(
        "save",
        &["--save"],
        &["BudgetsTest::kept", "BudgetsTest::exceeded"],
    );
    assert_eq!(saved.exit, 1, "{}", saved.err());
    let file = dir.join("rjvm-test.txt");
    let text = std::fs::read_to_string(&file).expect("it is written");
    assert_reports(
        &text,
        &["benchmark BudgetsTest::kept\n  bytecodes        11013\n"],
    );
    let words = format!("--baseline={}", file.display());
    let (same, _) = test("same", &[&words], &["BudgetsTest::exceeded"]);
    assert_reports(&same.out(), &["no context has changed since the baseline"]);
    // it had counted something else
    let other = dir.join("rjvm-test.d/BudgetsTest.exceeded.rjp");
    std::fs::copy(dir.join("rjvm-test.d/BudgetsTest.kept.rjp"), other).expect("both are there");
    let (changed, _) = test("changed", &[&words], &["BudgetsTest::exceeded"]);
    assert_reports(
        &changed.out(),
        &["+11009  0 | 11,009 (new)  BudgetsTest.exceeded() > Work.sum(int)"],
    );
}

/// Copies a folder with its contents.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the target directory is writable");
    jdk::copy_tree(from, to);
}

#[test]
fn the_example_runs_and_its_baseline_holds() {
    if !common::has_frameworks() {
        return;
    }
    let example = crate::common::root().join("examples/testing");
    let dir = Run::new(&vm(), "junit-example").dir();
    for part in ["src", "run.sh"] {
        match example.join(part).is_dir() {
            true => copy(&example.join(part), &dir.join(part)),
            false => drop(std::fs::copy(example.join(part), dir.join(part)).expect(part)),
        }
    }
    let rjvm = vm();
    let mut path = vec![rjvm.parent().expect("it lies in a folder").to_path_buf()];
    path.push(jdk::java_home().join("bin"));
    let others = std::env::var_os("PATH").unwrap_or_default();
    path.extend(std::env::split_paths(&others));
    let path = std::env::join_paths(path).expect("no colons");
    let run = || {
        let mut script = std::process::Command::new(dir.join("run.sh"));
        let script = script.env("PATH", &path).env("JAVA_HOME", jdk::java_home());
        let done = script.output().expect("it starts");
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(
            done.status.success(),
            "{text}{}",
            String::from_utf8_lossy(&done.stderr)
        );
        text
    };
    assert_reports(
        &run(),
        &[
            "[         3 tests successful      ]",
            "com.example.WordsBench::repeated(100)",
            "3 benchmarks",
        ],
    );
    let save = std::process::Command::new(&rjvm)
        .args([
            "bench",
            "--save",
            "-cp",
            "target/classes:target/test-classes",
        ])
        .current_dir(&dir)
        .output();
    assert!(save.is_ok_and(|s| s.status.success()));
    assert_reports(&run(), &["3 benchmarks: 3 unchanged"]);
}

#[test]
fn shards_run_each_class_once() {
    if !common::has_frameworks() {
        return;
    }
    let mut found = Vec::new();
    for shard in ["--shard=1/2", "--shard=2/2"] {
        let only = ["--", "--include-classname=(Budgets|Four|Profiled)Test"];
        let (run, _) = test(&shard[8..9], &[shard], &only);
        let out = run.out();
        for class in ["BudgetsTest", "FourTest"] {
            let runs = out.contains(&format!("{class}::exceeded: "));
            found.extend(runs.then_some(class));
        }
    }
    found.sort_unstable();
    assert_eq!(found, ["BudgetsTest", "FourTest"]);
}

#[test]
fn without_the_counts_a_budget_is_no_budget() {
    if !common::has_frameworks() {
        return;
    }
    // as a build tool starts it, without `rjvm test`
    let jars = [
        "junit-platform-console",
        "junit-platform-launcher",
        "junit-platform-engine",
        "junit-platform-reporting",
        "junit-jupiter-engine",
        "picocli",
    ];
    let jars = jars.iter().chain(&JARS);
    let mut path: Vec<String> = jars.map(|j| format!("/usr/share/java/{j}.jar")).collect();
    let api = crate::common::root().join("java/test-api/rjvm-test.jar");
    path.extend([api, classes()].map(|p| p.display().to_string()));
    let run = |name: &str, options: &[&str]| {
        let run = Run::new(&vm(), &format!("junit-{name}")).args(options);
        run.args([
            "-cp",
            &path.join(":"),
            "org.junit.platform.console.ConsoleLauncher",
        ])
        .args(["--select-method=BudgetsTest#kept", "--details=tree"])
        .finish()
    };
    let off = run("plain", &[]);
    assert_eq!(off.exit, 1, "{}", off.err());
    assert_reports(
        &off.out(),
        &["budgets need counts of contexts and allocations"],
    );
    let on = run("plain-on", &["--profile=exact", "--allocations", "--quiet"]);
    assert_eq!(on.exit, 0, "{}\n{}", on.out(), on.err());
    let (run, _) = test("as-is", &["--as-is"], &["BudgetsTest$Seeded"]);
    assert_eq!(run.exit, 1, "{}", run.err());
    assert_reports(&run.out(), &["this VM is not deterministic with that seed"]);
    let (run, _) = test("none", &["--junit=none.jar"], &[]);
    assert_eq!(run.exit, 2);
    assert_reports(
        &run.err(),
        &["org.junit.platform.console.ConsoleLauncher is missing"],
    );
}

#[test]
fn a_run_of_no_test_is_an_error() {
    if !common::has_frameworks() {
        return;
    }
    let empty = common::work_dir().join("junit-empty");
    std::fs::create_dir_all(&empty).expect("a folder");
    let run = |name: &str, path: &Path, class: &[&str]| {
        let run = Run::new(&vm(), &format!("junit-none-{name}")).args(["test", "-cp"]);
        run.arg(path).args(class).finish()
    };
    let got = run("folder", &empty, &[]);
    assert_eq!((got.exit, got.out().as_str()), (2, ""));
    let message = format!(
        "rjvm: error: there is no test in {}: no class there mentions JUnit or TestNG\n",
        empty.display()
    );
    assert_eq!(got.err(), message);
    let got = run("class", &classes(), &["Nope"]);
    assert_eq!((got.exit, got.out().as_str()), (2, ""));
    let message = format!(
        "rjvm: error: there is no class Nope in {}\n",
        classes().display()
    );
    assert_eq!(got.err(), message);
    // a class without tests
    let got = run("without", &classes(), &["Work"]);
    assert_eq!(got.exit, 2, "{}{}", got.out(), got.err());
}
