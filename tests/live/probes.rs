//! The cookbook of `docs/probes.md`: each command in it is run, and prints the text below it. `BLESS=1` writes that text again.
//! And what holds for all probes: the program does not notice them.

use crate::common;
use crate::common::jdk;
use crate::common::run::{Outcome, Run};
use std::path::{Path, PathBuf};

fn classes() -> PathBuf {
    let dir = common::tests_dir().join("live/probes");
    let sources = common::entries(&dir);
    let sources: Vec<PathBuf> = sources
        .into_iter()
        .filter(|p| p.extension().is_some_and(|e| e == "java"))
        .collect();
    // `+` of strings as code that can be counted, not made by the library at run time
    let options = ["-XDstringConcat=inline"];
    jdk::compile("probes", &sources, &options, &dir.join("resources"))
}

/// Words of a command line; quotes are single, a backslash at a line's end joins lines.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let line = line.replace("\\\n", " ");
    for c in line.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    assert!(!quoted, "{line}");
    words.extend(word);
    words
}

fn rjvm(name: &str) -> Run {
    Run::new(
        Path::new(env!("CARGO_BIN_EXE_rjvm")),
        &format!("probes-{name}"),
    )
}

/// Runs `Shop` with options.
fn shop(name: &str, options: &[&str]) -> Outcome {
    let classes = classes();
    let run = rjvm(name).args(["-cp"]).arg(classes);
    run.args(options).arg("Shop").finish()
}

/// A command of the document, and what it printed.
fn run(line: &str, name: &str, classes: &Path) -> String {
    let args = words(line);
    assert_eq!(args[0], "rjvm", "{line}");
    let run = rjvm(name).arg("-cp").arg(classes).args(&args[1..]);
    let folder = run.dir();
    for file in common::entries(&common::tests_dir().join("live/probes")) {
        if file.extension().is_some_and(|e| e == "probe") {
            let name = file.file_name().expect("a file's name");
            std::fs::copy(&file, folder.join(name)).expect("it can be copied");
        }
    }
    let outcome = run.finish();
    assert_eq!(outcome.exit, 0, "{line}: {}", outcome.err());
    let file = args.iter().find_map(|a| a.strip_prefix("--probe-output="));
    let shown = match file {
        Some(file) => std::fs::read_to_string(folder.join(file)).expect("results were written"),
        None => outcome.err(),
    };
    shown.replace(&classes.display().to_string(), "classes")
}

/// Numbers, bars of histograms, blanks and rules left out.
fn without_numbers(text: &str) -> String {
    let number = |c: char| c.is_ascii_digit() || "@| .,()[]-".contains(c);
    let mut lines: Vec<String> = text.lines().map(|l| l.replace(number, "")).collect();
    // what is sorted by numbers may be elsewhere
    lines.sort();
    lines.dedup();
    lines.join("\n")
}

/// Behind it, the document says with which JDK its numbers were made.
const LIBRARY: &str = "class library of JDK ";

/// What the class library executes is a matter of the JDK's build: on a different one than the document's, numbers in few outputs
/// may differ.
#[test]
fn the_cookbook_prints_what_it_says() {
    let path = crate::common::root().join("docs/probes.md");
    let document = std::fs::read_to_string(&path).expect("the document can be read");
    let classes = classes();
    let filter = std::env::var("RJVM_TEST_FILTER").unwrap_or_default();
    let (_, version) = document.split_once(LIBRARY).expect("its JDK's version");
    let (version, _) = version.split_once(':').expect("and what it means");
    let of_this_jdk = version == jdk::build();
    let document = document.replace(
        &format!("{LIBRARY}{version}"),
        &format!("{LIBRARY}{}", jdk::build()),
    );
    let mut differing = 0;
    let mut parts: Vec<String> = document.split("```sh\n").map(str::to_owned).collect();
    let mut commands = 0;
    let mut wrong = Vec::new();
    for part in parts.iter_mut().skip(1) {
        let (command, rest) = part.split_once("\n```\n").expect("a command's end");
        let Some(rest) = rest.strip_prefix("```text\n") else {
            continue;
        };
        let (expected, after) = match rest.strip_prefix("```\n") {
            Some(after) => ("", after),
            None => rest.split_once("\n```\n").expect("an output's end"),
        };
        commands += 1;
        if !command.contains(&filter) {
            continue;
        }
        let message = run(command, &format!("cookbook-{commands}"), &classes);
        let message = message.trim_end();
        let differs = message != expected;
        differing += usize::from(differs);
        if differs && (of_this_jdk || without_numbers(message) != without_numbers(expected)) {
            wrong.push(format!(
                "{command}\n--- expected\n{expected}\n--- printed\n{message}"
            ));
        }
        let end = if message.is_empty() { "" } else { "\n" };
        *part = format!("{command}\n```\n```text\n{message}{end}```\n{after}");
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, parts.join("```sh\n")).expect("the document can be written");
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }
    assert!(commands >= 40, "{commands} commands");
    assert!(
        differing <= 5 || std::env::var_os("BLESS").is_some(),
        "{differing} outputs differ"
    );
}

/// A bit of everything.
const MANY: [&str; 12] = [
    "entry:..::* { @calls[method] = count() }",
    "around:Shop*::* { @elapsed[method] = quantiles(elapsed); @allocated = sum(elapsed.allocated) }",
    "alloc:.. { @objects[class, ustack(3)] = sum(bytes) }",
    "exception:.. { @thrown[class, stack] = count() }",
    "line:Shop*::* { @lines[line] = count() }",
    "block:java.util..::* { @blocks = count() }",
    "bytecode:Shop::sum { @bytecodes[index] = count() }",
    "call:..::* in Shop* { @callees[callee, arg0] = count() }",
    "read:Shop*::*, write:Shop*::* { @fields[field] = max(value) }",
    "monitor:enter, monitor:exit, monitor:contended, monitor:wait { @monitors[point, class] = count() }",
    "class:.., thread:start, thread:end, gc:start, gc:end, io { @rest[point] = count() }",
    "every 1000 bytecodes { @[thread, line] = hist(depth) }",
];

#[test]
fn a_profile_has_the_same_bytes_with_probes() {
    let classes = classes();
    let profile = |name: &str, probes: &[&str]| {
        let run = rjvm(name).arg("-cp").arg(&classes);
        let file = run.dir().join("x.paths");
        let probes = probes.iter().map(|p| format!("--probe={p}"));
        let run = run.args([
            "--deterministic",
            "--profile=exact",
            "--allocations",
            "-o",
            "x.paths",
        ]);
        let outcome = run.args(probes).args(["Shop", "."]).finish();
        assert_eq!(outcome.exit, 0, "{}", outcome.err());
        let profile = std::fs::read(file).expect("the profile was written");
        (profile, outcome.out(), outcome.err())
    };
    let (alone, out, _) = profile("alone", &[]);
    let (probed, out_probed, first) = profile("probed", &MANY);
    assert!(alone == probed);
    assert_eq!(out, out_probed);
    let (_, _, second) = profile("again", &MANY);
    assert!(first == second);
    for map in [
        "calls",
        "elapsed",
        "objects",
        "thrown",
        "lines",
        "blocks",
        "bytecodes",
        "callees",
        "fields",
        "monitors",
        "rest",
    ] {
        assert!(
            first.contains(&format!("@{map}[")) || first.contains(&format!("@{map}: ")),
            "{map}"
        );
    }
}

#[test]
fn results_are_reported_whatever_the_end_is() {
    let classes = classes();
    for (how, exit) in [("exit", 3), ("halt", 4), ("throw", 1), ("return", 0)] {
        let run = rjvm(how).arg("-cp").arg(&classes);
        let probe = "--probe=entry:Ends::work { @ = max(arg0) } END { print(\"over\") }";
        let outcome = run.args([probe, "Ends", how]).finish();
        assert_eq!(outcome.exit, exit, "{how}");
        assert!(
            outcome.err().ends_with("over\n@: 999\n"),
            "{how}: {}",
            outcome.err()
        );
    }
}

#[cfg(unix)]
#[test]
fn results_are_reported_when_a_signal_ends_the_program() {
    let classes = classes();
    let run = rjvm("signal").arg("-cp").arg(&classes);
    let mut running = run
        .args(["--probe=entry:Ends::work", "Ends", "wait"])
        .start();
    let limit = std::time::Duration::from_secs(60);
    assert!(running.wait_for_stdout("waiting", limit));
    // SAFETY: the process is a child that has not been waited for.
    unsafe { libc::kill(running.id() as i32, libc::SIGTERM) };
    let outcome = running.finish(limit);
    assert_eq!(outcome.exit, 143);
    assert!(
        outcome.err().contains("@probe[entry:Ends::work]: 1000\n"),
        "{}",
        outcome.err()
    );
}

#[test]
fn a_probe_stops_the_program() {
    let outcome = shop("stop", &["--probe=entry:Shop::fib { @ = count(); stop() }"]);
    assert_eq!((outcome.exit, outcome.out().as_str()), (0, ""));
    let err = outcome.err();
    assert!(
        err.starts_with("rjvm: note: --probe:1:32: stop() after "),
        "{err}"
    );
    assert!(err.ends_with("@: 1\n"), "{err}");
}

#[test]
fn a_probe_takes_snapshots() {
    let classes = classes();
    let run = rjvm("snapshot").arg("-cp").arg(&classes);
    let folder = run.dir();
    let outcome = run
        .args([
            "--profile=exact",
            "-o",
            "x.paths",
            "--probe=entry:Shop::threads { snapshot() }",
            "Shop",
        ])
        .finish();
    assert_eq!(outcome.exit, 0, "{}", outcome.err());
    let files = common::files_with_extension(&folder, "paths");
    assert_eq!(files.len(), 2, "{}", outcome.err());
    assert!(
        outcome.err().contains("rjvm: note: snapshot written to "),
        "{}",
        outcome.err()
    );
}

#[test]
fn a_snapshot_that_is_pending_at_the_end_is_taken() {
    for (i, probe) in [
        "entry:Shop::threads { snapshot(); stop() }",
        "END { snapshot() }",
    ]
    .into_iter()
    .enumerate()
    {
        let run = rjvm(&format!("last-snapshot-{i}"))
            .arg("-cp")
            .arg(classes());
        let folder = run.dir();
        let probe = format!("--probe={probe}");
        let run = run.args(["--profile=exact", "-o", "x.paths", &probe, "Shop"]);
        let outcome = run.finish();
        assert_eq!(outcome.exit, 0, "{}", outcome.err());
        let files = common::files_with_extension(&folder, "paths");
        assert_eq!(files.len(), 2, "{probe}: {}", outcome.err());
    }
}

#[test]
fn the_program_need_not_begin() {
    let outcome = shop("stop-at-once", &["--probe=BEGIN { print(\"no\"); stop() }"]);
    assert_eq!((outcome.exit, outcome.out().as_str()), (0, ""));
    let err = outcome.err();
    assert!(
        err.starts_with("no\nrjvm: note: --probe:1:22: stop() after "),
        "{err}"
    );
    // at the end there is nothing to be stopped
    let outcome = shop("stop-at-end", &["--probe=END { stop() }"]);
    assert_eq!((outcome.exit, outcome.err().as_str()), (0, ""));
    assert!(!outcome.out().is_empty());
}

#[test]
fn waits_are_reported_with_what_they_took() {
    let probe = "--probe=monitor:wait:java.lang.Object, monitor:contended:java.lang.Object \
                 { printf(\"%s %s %d\\n\", point, thread, took / 1ms) }";
    let run = rjvm("waits").arg("-cp").arg(classes());
    let outcome = run.args(["--deterministic", probe, "Waits"]).finish();
    assert_eq!(
        (outcome.exit, outcome.err().as_str()),
        (
            0,
            "monitor:contended:java.lang.Object enterer 70\n\
             monitor:wait:java.lang.Object waiter 170\n\
             monitor:wait:java.lang.Object timed 120\n"
        )
    );
}

#[test]
fn classes_that_are_unloaded_leave_what_was_found() {
    let probes = [
        "--probe=entry:Unloads$*::round { @[method] = sum(arg0); @fields[method, this.rounds] = count() }",
        "--probe=around:Unloads$*::run { @elapsed[class] = max(elapsed) } class:Unloads$* { @defined[class] = count() }",
    ];
    let run = rjvm("unloads").arg("-cp").arg(classes());
    let outcome = run.args(probes).arg("Unloads").finish();
    assert_eq!((outcome.exit, outcome.out().as_str()), (0, "unloaded 6\n"));
    let err = outcome.err();
    for line in [
        "@[Unloads$Plugin.round]: 30\n",
        "@[Unloads$Other.round]: 9\n",
        "@fields[Unloads$Plugin.round, 5]: 15\n",
        "@fields[Unloads$Other.round, two]: 6\n",
        "@elapsed[Unloads$Plugin]: ",
        "@defined[Unloads$Other]: 3\n",
    ] {
        assert!(err.contains(line), "{line} {err}");
    }
}

#[test]
fn mistakes_end_the_run_before_it_begins() {
    for (option, message) in [
        (
            "--probe=entry:Shop::fib { @[argo] = count() }",
            "rjvm: error: --probe:1:21: unknown name 'argo'; did you mean 'arg0'?\n    entry:Shop::fib { @[argo] = count() }\n                        ^^^^\n",
        ),
        (
            "--probe=",
            "rjvm: error: --probe=: expected a value, --probe=probe\n",
        ),
        (
            "--probe= ",
            "rjvm: error: --probe:1:1: the probe is missing\n    \n    ^\n",
        ),
        (
            "--probe-file=nowhere.probe",
            "rjvm: error: --probe-file=nowhere.probe: No such file or directory (os error 2)\n",
        ),
        (
            "--probe-limits=kays=1",
            "rjvm: error: --probe-limits=kays=1: unknown limit 'kays=1': the limits are keys, string, memory, frames, lines, entries\n",
        ),
        (
            "--probe-limits=keys=0",
            "rjvm: error: --probe-limits=keys=0: 'keys=0': expected a number from 1 to 10000000\n",
        ),
    ] {
        let outcome = shop("mistakes", &[option]);
        assert_eq!(outcome.exit, 1, "{option}");
        assert_eq!(outcome.out(), "", "{option}");
        assert_eq!(outcome.err(), message, "{option}");
    }
}

#[test]
fn hostile_probes_are_bounded() {
    let probes = [
        "--probe=alloc:.. { @[bytecodes, stack(1024)] = quantiles(bytecodes) }",
        "--probe=entry:..::* { print(stack(1024)); @s = @s + str(this) + method }",
        "--probe=entry:Shop::fib { $a = $a1 }",
    ];
    let outcome = shop("hostile", &probes);
    assert_eq!(outcome.exit, 1);
    let outcome = shop(
        "hostile",
        &[
            probes[0],
            probes[1],
            "--probe-limits=keys=100,lines=100,memory=1000000",
        ],
    );
    assert_eq!(outcome.exit, 0);
    let err = outcome.err();
    assert!(err.len() < 4 << 20, "{}", err.len());
    assert!(err.contains("events with other keys are not in it (limits keys=100, memory=1000000)"));
    assert!(err.contains("times a line was not printed (limit lines=100)"));
}

#[test]
fn embedders_ask_and_are_answered() -> Result<(), rjvm::Error> {
    use crate::common::embed::{CALC, builder};
    use rjvm::Context;
    let vm = &mut builder()
        .probe("around:app.Calc::run { @[arg0] = count(); @n = sum(elapsed) }")
        .probe("entry:app.Calc::run { printf(\"%d\\n\", arg0) }")
        .build()?;
    for n in [10, 20, 10] {
        vm.call::<i64>(CALC, "run", (n,))?;
    }
    let text = vm.probes();
    assert!(
        text.starts_with("10\n20\n10\n@[10]: 2\n@[20]: 1\n\n@n: "),
        "{text}"
    );
    assert!(vm.probes_json().contains(r#""hits":3"#));
    let wrong = builder()
        .probe("entry:app.Calc::run { @ = sum(ret) }")
        .build();
    let message = wrong.err().map(|e| e.to_string()).unwrap_or_default();
    assert!(
        message.contains("probe:1:31: ret is not available at entry"),
        "{message}"
    );
    Ok(())
}
