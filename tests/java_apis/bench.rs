//! `rjvm bench`: the counts of benchmarks are the same each time, and changes are found, reported and judged.

use crate::common::run::{Outcome, Run, vm};
use crate::common::{jdk, tests_dir, work_dir};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The API for benchmarks, as rjvm writes it.
fn api() -> PathBuf {
    let api = work_dir().join("bench-api.jar");
    std::fs::create_dir_all(work_dir()).expect("the target directory is writable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rjvm"));
    let new = work_dir().join(format!("bench-api-{:?}.jar", std::thread::current().id()));
    let written = command
        .arg(format!("--test-api={}", new.display()))
        .status();
    assert!(written.is_ok_and(|s| s.success()));
    std::fs::rename(new, &api).expect("it is written");
    api
}

fn classes() -> PathBuf {
    let api = api().display().to_string();
    let source = tests_dir().join("java_apis/bench/Benches.java");
    jdk::compile("bench", &[source], &["-cp", &api], Path::new("none"))
}

/// Runs `rjvm bench` with these words before the class path and others after it, in a folder that has these files.
fn bench(
    name: &str,
    files: &[(&str, &str)],
    words: &[&str],
    command: &[&str],
) -> (Outcome, PathBuf) {
    let run = Run::new(&vm(), &format!("bench-{name}"));
    let dir = run.dir();
    for (file, text) in files {
        std::fs::write(dir.join(file), text).expect("the folder is writable");
    }
    let run = run.arg("bench").args(words).arg("-cp").arg(classes());
    (run.args(command).finish(), dir)
}

/// The baseline that a run saves.
fn baseline(name: &str, words: &[&str]) -> String {
    let (saved, dir) = bench(name, &[], &[&["--save"], words].concat(), &["-Dmore=1"]);
    assert_eq!(saved.exit, 0, "{}", saved.err());
    std::fs::read_to_string(dir.join("rjvm-bench.txt")).expect("it is written")
}

fn assert_reports(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.contains(line), "{line}\nis not in\n{text}");
    }
}

#[test]
fn benchmarks_count_the_same_each_time() {
    let first = baseline("first", &[]);
    assert_eq!(first, baseline("second", &["--jobs=1"]));
    assert_reports(
        &first,
        &[
            "benchmark Benches::map\n",
            "benchmark Benches::planted\n",
            "benchmark Benches::sized(10)\n  bytecodes          102\n  calls                2\n",
            "benchmark sorting names\n",
        ],
    );
}

#[test]
fn one_percent_more_in_one_method_is_found() {
    let old = baseline("planted-old", &["--filter=planted"]);
    // with the text alone, and a second time with the profile beside it
    let (text_alone, _) = bench(
        "planted-text",
        &[("rjvm-bench.txt", &old)],
        &[
            "--filter=planted",
            "-o",
            "r.json",
            "-o",
            "r.xml",
            "-o",
            "r.md",
        ],
        &["-Dmore=2"],
    );
    assert_eq!(text_alone.exit, 3, "{}", text_alone.err());
    assert_reports(
        &text_alone.out(),
        &[
            "by method, self, before | after:",
            "Benches.part(int)  821 | 829 (+0.97%)",
            "limit EXCEEDED: 0% bytecodes",
            "1 benchmark: 1 beyond limits, 1 slower",
        ],
    );
    assert!(
        !text_alone.out().contains("by context"),
        "{}",
        text_alone.out()
    );

    let run = Run::new(&vm(), "bench-planted-new");
    let dir = run.dir();
    let save = Command::new(vm())
        .args(["bench", "--save", "--filter=planted", "-cp"])
        .arg(classes())
        .arg("-Dmore=1")
        .current_dir(&dir)
        .output()
        .expect("it starts");
    assert!(save.status.success());
    let words = [
        "bench",
        "--filter=planted",
        "--output=r.json",
        "--output=r.xml",
        "--output=r.md",
        "--output=r.bencher.json",
        "--output=r.action.json",
        "--flame-graphs=f",
    ];
    let found = run
        .args(words)
        .arg("-cp")
        .arg(classes())
        .arg("-Dmore=2")
        .finish();
    assert_eq!(found.exit, 3, "{}", found.err());
    assert_reports(
        &found.out(),
        &[
            "by context, self, before | after:",
            "Benches.planted() > Benches.both(int) > Benches.part(int)  821 | 829 (+0.97%)",
        ],
    );
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).expect(name);
    assert_reports(
        &read("r.json"),
        &["\"passed\": false", "\"name\": \"Benches::planted\""],
    );
    assert_reports(
        &read("r.xml"),
        &[
            "tests=\"1\" failures=\"1\"",
            "<testcase classname=\"Benches::planted\" name=\"0% bytecodes\"><failure message=\"bytecodes of the program: ",
        ],
    );
    assert_reports(
        &read("r.md"),
        &[
            "| `Benches::planted` |",
            ":x:",
            "limit exceeded: `0% bytecodes`",
        ],
    );
    // services that keep the history get the counts of today
    let counted = |unit: &str| {
        let json: serde_json::Value = serde_json::from_str(&read("r.bencher.json")).expect("JSON");
        json["Benches::planted"][unit]["value"].as_u64()
    };
    let counts =
        ["bytecodes", "calls", "objects", "bytes"].map(|unit| counted(unit).expect("a count"));
    assert!(counts[0] > 1000 && counts[1] > 10, "{counts:?}");
    let entries: serde_json::Value = serde_json::from_str(&read("r.action.json")).expect("JSON");
    assert_eq!(
        entries[0],
        serde_json::json!({"name": "Benches::planted (bytecodes)", "unit": "bytecodes", "value": counts[0]})
    );
    assert_eq!(entries.as_array().map(Vec::len), Some(5));
    assert_reports(
        &read("f/Benches.planted.html"),
        &["<!DOCTYPE html>", "Benches.part(int)"],
    );
}

#[test]
fn limits_are_kept_or_exceeded() {
    let old = baseline("limits-old", &[]);
    for (number, (limit, exit)) in [
        ("1% bytecodes", 0),
        ("0.05% bytecodes", 3),
        ("+8", 0),
        ("+7", 3),
        ("0.97% self Benches::part", 3),
        ("0.98% self Benches::part", 0),
        ("0% calls", 0),
    ]
    .into_iter()
    .enumerate()
    {
        let words = ["--filter=planted", "--limit", limit];
        let files = [("rjvm-bench.txt", &*old)];
        let (run, _) = bench(&format!("limit-{number}"), &files, &words, &["-Dmore=2"]);
        assert_eq!(run.exit, exit, "{limit}: {}\n{}", run.out(), run.err());
    }
    // absolute limits hold without a baseline
    let file = "# of all\n<=1_000_000\n[*planted]\n<=100 calls # few\n=4 contexts\n";
    let words = ["--limits=limits.txt", "--filter=planted"];
    let (run, _) = bench("limit-file", &[("limits.txt", file)], &words, &[]);
    assert_eq!(run.exit, 3, "{}", run.err());
    assert_reports(&run.out(), &["limit EXCEEDED: =4 contexts"]);
    assert_reports(&run.err(), &["there is no baseline rjvm-bench.txt"]);
}

#[test]
fn shards_together_are_the_whole() {
    let whole = baseline("whole", &[]);
    let mut files = Vec::new();
    let mut names = String::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let name = format!("shard-{}", &shard[..1]);
        let words = [format!("--shard={shard}"), "--save-as=part.txt".to_owned()];
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (run, dir) = bench(&name, &[], &words, &["-Dmore=1"]);
        assert_eq!(run.exit, 0, "{}", run.err());
        let (list, _) = bench(&format!("{name}-list"), &[], &["--list", words[0]], &[]);
        names += &list.out();
        files.push(dir.join("part.txt"));
    }
    let run = Run::new(&vm(), "bench-merge");
    let dir = run.dir();
    let run = run.args(["bench", "merge", "--into=all.txt"]);
    let run = files.iter().fold(run, |run, file| run.arg(file)).finish();
    assert_eq!(run.exit, 0, "{}", run.err());
    let all = dir.join("all.txt");
    assert_eq!(std::fs::read_to_string(&all).expect("it is written"), whole);
    assert_eq!(names.lines().count(), 5, "{names}");

    let compare = Run::new(&vm(), "bench-compare").args(["bench", "compare"]);
    let same = compare.arg(&all).arg(&all).finish();
    assert_eq!(same.exit, 0, "{}", same.err());
    assert_reports(&same.out(), &["(No change)", "5 benchmarks: 5 unchanged"]);
    let twice = Run::new(&vm(), "bench-merge-twice").args(["bench", "merge", "--into=x.txt"]);
    let twice = twice.arg(&all).arg(&files[0]).finish();
    assert_eq!(twice.exit, 1);
    assert_reports(&twice.err(), &["is in more than one"]);
}

#[test]
fn programs_and_named_methods_are_benchmarks() {
    let (run, dir) = bench(
        "program",
        &[],
        &["--save", "--name=all of it"],
        &["Benches", "1000"],
    );
    assert_eq!(run.exit, 0, "{}", run.err());
    let text = std::fs::read_to_string(dir.join("rjvm-bench.txt")).expect("it is written");
    assert_reports(&text, &["benchmark all of it\n", "Benches.other(I)I\n"]);
    let (run, _) = bench("named", &[], &["--methods=Benches::named"], &[]);
    assert_reports(
        &run.out(),
        &["Benches::named\n  bytecodes:             58\n"],
    );
}

#[test]
fn what_is_wrong_is_reported() {
    for (number, (words, command, exit, message)) in [
        (
            &["--methods=Benches::fails"][..],
            &[][..],
            1,
            "Benches::fails: it failed",
        ),
        (
            &["--methods=Benches::none"],
            &[],
            2,
            "no method on the class path has the name Benches::none",
        ),
        (
            &["--methods=Benches::other"],
            &[],
            2,
            "the method has a parameter, but the annotation has no args",
        ),
        (&["--limit=x"], &[], 2, "invalid limit 'x'"),
        (&["--shard=3/2"], &[], 2, "expected I/N, such as 1/4"),
        (&["--baseline=none.txt"], &[], 1, "none.txt: "),
        (
            &["-o", "x.html"],
            &[],
            1,
            "x.html: unknown format; results can be written as .bencher.json, .action.json, .txt, .json, .md, .xml",
        ),
        (
            &[],
            &["-o", "bench.xml"],
            2,
            "-o among the VM's options names a profile",
        ),
        (
            &[],
            &["--no-such-option"],
            2,
            "Unrecognized option: --no-such-option",
        ),
        (
            &[
                "--limit=1% Benches::part > Benches::other",
                "--baseline=old.txt",
            ],
            &[],
            1,
            "needs contexts",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let old = "# rjvm bench 1\njdk 17\nbenchmark Benches::planted\n  bytecodes 5\n";
        let name = format!("wrong-{number}");
        let (run, _) = bench(&name, &[("old.txt", old)], words, command);
        assert_eq!(run.exit, exit, "{words:?}: {}", run.err());
        assert_reports(&run.err(), &[message]);
    }
}

#[test]
fn identity_hashes_do_not_depend_on_the_class_path() {
    let api = api().display().to_string();
    let source = tests_dir().join("java_apis/bench/Hashes.java");
    let classes = jdk::compile("bench-hashes", &[source], &["-cp", &api], Path::new("none"));
    let dir = work_dir().join("bench-hashes-paths");
    let _ = std::fs::remove_dir_all(&dir);
    let bytes = std::fs::read(classes.join("Hashes.class")).expect("it is compiled");
    for folder in ["plain", "with a # and 100% \u{e9}"] {
        let folder = dir.join(folder);
        std::fs::create_dir_all(&folder).expect("the folder is writable");
        std::fs::write(folder.join("Hashes.class"), &bytes).expect("the folder is writable");
    }
    let made = Command::new(jdk::tool("jar"))
        .args(["--create", "--file", "x.jar", "-C", "plain", "Hashes.class"])
        .current_dir(&dir)
        .status();
    assert!(made.is_ok_and(|s| s.success()), "jar fails");
    let counted = ["plain", "with a # and 100% \u{e9}", "x.jar"].map(|path| {
        let run = Run::new(&vm(), "bench-hashes-run");
        let saved = run.dir().join("rjvm-bench.txt");
        let _ = std::fs::remove_file(&saved);
        let run = run
            .arg("bench")
            .arg("--save")
            .arg("-cp")
            .arg(dir.join(path));
        let outcome = run.finish();
        assert_eq!(outcome.exit, 0, "{}", outcome.err());
        std::fs::read_to_string(saved).expect("it is written")
    });
    assert!(
        counted[0].contains("benchmark Hashes::hash"),
        "{}",
        counted[0]
    );
    assert_eq!(counted[0], counted[1]);
    assert_eq!(counted[0], counted[2]);
}
