//! JFR files, as the JDK's own readers find them: profiles and recordings, whose events report what the VM knows.
#![cfg(unix)]

use crate::common;
use crate::common::run::{Outcome, Run, vm};
use crate::common::{jdk, live};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn classes() -> PathBuf {
    let sources = common::files_with_extension(&common::tests_dir().join("profiles/jfr"), "java");
    jdk::compile("jfr", &sources, &[], Path::new("none"))
}

/// Runs `Busy` with options in a separate folder; how it ended, and the folder.
fn busy(name: &str, options: &[&str]) -> (Outcome, PathBuf) {
    let run = Run::new(&vm(), &format!("jfr-{name}"));
    let dir = run.dir();
    let run = run.args(["--deterministic", "-cp"]).arg(classes());
    let got = run.args(options).arg("Busy").finish();
    assert_eq!(got.exit, 0, "{}", got.err());
    assert_eq!(got.out(), "entered\n81\n17711\n", "{}", got.err());
    (got, dir)
}

/// What the JDK's tool writes.
fn jfr(args: &[&str], file: &Path) -> String {
    let mut command = Command::new(jdk::tool("jfr"));
    let ended = command.args(args).arg(file).output().expect("jfr starts");
    let err = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && err.is_empty(), "{err}");
    String::from_utf8(ended.stdout).expect("text")
}

/// How many events of each kind a file has, without kinds that it has none of.
fn summary(file: &Path) -> BTreeMap<String, u64> {
    let text = jfr(&["summary"], file);
    let rows = text.lines().skip_while(|l| !l.starts_with("====")).skip(1);
    let rows = rows.map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words[0].to_owned(), words[1].parse().expect("a number"))
    });
    rows.filter(|(_, n)| *n > 0).collect()
}

/// The events of these kinds.
fn events(kinds: &str, file: &Path) -> Vec<Value> {
    let text = jfr(
        &["print", "--json", "--stack-depth", "100", "--events", kinds],
        file,
    );
    let mut all: Value = serde_json::from_str(&text).expect("JSON");
    let Value::Array(events) = all["recording"]["events"].take() else {
        panic!("no events");
    };
    events
}

/// What `tests/profiles/jfr/Read.java` finds with the JDK's own reader: by thread and stack, the number of events and sums of fields.
fn read(file: &Path, event: &str, fields: &[&str]) -> Vec<(Vec<u64>, String)> {
    let mut command = Command::new(jdk::tool("java"));
    command.arg("-cp").arg(classes()).arg("Read").arg(file);
    let ended = command.arg(event).args(fields).output();
    let ended = ended.expect("java starts");
    let err = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{err}");
    let out = String::from_utf8(ended.stdout).expect("text");
    let row = |line: &str| {
        let (numbers, path) = line.rsplit_once('\t').expect("a row");
        let numbers = numbers.split('\t').map(|n| n.parse().expect("a number"));
        (numbers.collect(), path.to_owned())
    };
    out.lines().map(row).collect()
}

#[test]
fn an_exact_profile_is_contexts_and_samples_at_equal_distances() {
    let options = ["--quiet", "--profile=exact", "--allocations", "-o", "x.jfr"];
    let (_, dir) = busy("exact", &options);
    let file = dir.join("x.jfr");
    let facts = events("rjvm.ProfileFact", &file);
    let fact = |name: &str| {
        let mut facts = facts.iter().map(|f| &f["values"]);
        let fact = facts.find(|v| v["name"] == name).expect("a fact");
        fact["value"].as_str().expect("text").to_owned()
    };
    let distance = fact("Sample distance");
    let (distance, _) = distance.split_once(' ').expect("a unit");
    let distance: u64 = distance.parse().expect("a number");
    assert_eq!(fact("Program"), "Busy");

    let fields = [
        "thread",
        "bytecodes",
        "inclusive",
        "calls",
        "allocatedObjects",
        "allocatedBytes",
    ];
    let contexts = read(&file, "rjvm.ContextCount", &fields);
    let sum = |i: usize| contexts.iter().map(|(n, _)| n[i]).sum::<u64>();
    assert_eq!(sum(1).to_string(), fact("Bytecodes"));
    assert_eq!(sum(3).to_string(), fact("calls"));
    // 2,000 arrays of 10,000 bytes and their headers
    assert!(sum(5) > 20_000_000 && sum(4) > 2_000);

    // each context has as many samples, with what is below it, as is its share, except for one
    let mut below: BTreeMap<String, u64> = BTreeMap::new();
    let samples = read(&file, "jdk.ExecutionSample", &["sampledThread"]);
    for (numbers, path) in &samples {
        let ends = path.match_indices(' ').map(|(at, _)| at);
        for end in ends.chain([path.len()]) {
            *below.entry(path[..end].to_owned()).or_default() += numbers[0];
        }
    }
    assert!(samples.iter().map(|s| s.0[0]).sum::<u64>() > 10_000);
    for (numbers, path) in &contexts {
        let got = below.get(path).copied().unwrap_or(0);
        let want = numbers[2] as f64 / distance as f64;
        // methods of hidden classes may be named alike
        let most = numbers[0] as f64;
        assert!(
            (got as f64 - want).abs() <= most,
            "{got} for {want}: {path}"
        );
    }
    // the events of the run are there, too
    assert!(summary(&file)["jdk.ThreadPark"] > 0);
}

#[test]
fn a_sampled_profile_has_its_samples() {
    let options = ["--sample-gran=1000", "-o", "x.jfr", "-o", "x.rjp"];
    let (got, dir) = busy("sampled", &options);
    let file = dir.join("x.jfr");
    let all = summary(&file);
    let contexts = events("rjvm.ContextCount", &file);
    let calls = contexts.iter().map(|e| e["values"]["calls"].as_u64());
    let sum: u64 = calls.map(|n| n.expect("a number")).sum();
    assert_eq!(all["jdk.ExecutionSample"], sum, "{}", got.err());
    assert!(sum > 100);
    // from the native format it is the same
    let rjvm = env!("CARGO_BIN_EXE_rjvm");
    let converted = dir.join("converted.jfr");
    let mut command = Command::new(rjvm);
    command.args(["profile", "convert"]).arg(dir.join("x.rjp"));
    let ended = command
        .arg("-o")
        .arg(&converted)
        .output()
        .expect("rjvm starts");
    assert!(ended.status.success(), "{ended:?}");
    let again = summary(&converted);
    assert_eq!(again["jdk.ExecutionSample"], sum);
}

/// Starts `Busy` with a recording; what it printed, and the recording.
fn recorded(name: &str, keys: &str, options: &[&str]) -> (Outcome, PathBuf) {
    let start = format!("-XX:StartFlightRecording=filename=x.jfr{keys}");
    let options = [options, &["--quiet", &start]].concat();
    let (got, dir) = busy(name, &options);
    (got, dir.join("x.jfr"))
}

/// The values of the events of a kind.
fn values(kind: &str, file: &Path) -> Vec<Value> {
    let all = events(kind, file).into_iter();
    all.map(|mut e| e["values"].take()).collect()
}

#[test]
fn a_recording_reports_what_the_vm_knows() {
    let logs = [
        "-Xmx24m",
        "-Xlog:gc*:gc.log",
        "-Xlog:class+load:classes.log",
    ];
    let (_, file) = recorded("known", "", &logs);
    let dir = file.parent().expect("a folder");
    let log = |name: &str| std::fs::read_to_string(dir.join(name)).expect("a log");
    let all = summary(&file);

    let pauses = log("gc.log").matches(" Pause ").count() as u64;
    assert!(pauses > 1);
    assert_eq!(all["jdk.GarbageCollection"], pauses);
    assert_eq!(all["jdk.GCHeapSummary"], 2 * pauses);
    assert_eq!(all["jdk.SystemGC"], 1);
    let collections = all["jdk.YoungGarbageCollection"] + all["jdk.OldGarbageCollection"];
    assert_eq!(collections, pauses);

    // some classes are there before the VM starts
    let classes = log("classes.log");
    let name = |line: &str| {
        let (before, _) = line.split_once(" source:")?;
        Some(before.rsplit(' ').next()?.replace('/', "+"))
    };
    let logged: Vec<String> = classes.lines().filter_map(name).collect();
    let text = |v: &Value| v.as_str().expect("text").to_owned();
    let reported = values("jdk.ClassLoad", &file);
    let reported: Vec<String> = reported
        .iter()
        .map(|v| text(&v["loadedClass"]["name"]))
        .collect();
    let reported: Vec<String> = reported.iter().map(|n| n.replace('/', ".")).collect();
    assert!(reported.len() > 300 && reported.iter().any(|n| n == "Busy"));
    assert_eq!(logged[logged.len() - reported.len()..], reported);
    assert_eq!(all["jdk.ClassDefine"], reported.len() as u64);

    let names = |kind: &str| -> Vec<String> {
        let all = values(kind, &file);
        all.iter().map(|v| text(&v["thread"]["javaName"])).collect()
    };
    let started = names("jdk.ThreadStart");
    for name in ["main", "holder", "parker", "Reference Handler", "Finalizer"] {
        assert_eq!(started.iter().filter(|n| *n == name).count(), 1, "{name}");
    }
    assert_eq!(names("jdk.ThreadEnd"), ["holder", "parker", "main"]);
    let starts = values("jdk.ThreadStart", &file);
    let holder = starts.iter().find(|v| v["thread"]["javaName"] == "holder");
    assert_eq!(
        holder.expect("it started")["parentThread"]["javaName"],
        "main"
    );

    let [entered] = &values("jdk.JavaMonitorEnter", &file)[..] else {
        panic!("the lock was contended once");
    };
    assert_eq!(entered["monitorClass"]["name"], "java/lang/Object");
    assert_eq!(entered["previousOwner"]["javaName"], "holder");
    assert_eq!(entered["eventThread"]["javaName"], "main");
    let [slept] = &values("jdk.ThreadSleep", &file)[..] else {
        panic!("there was one sleep");
    };
    assert_eq!(slept["time"], "PT0.05S");
    let [parked] = &values("jdk.ThreadPark", &file)[..] else {
        panic!("a thread parked once");
    };
    assert_eq!(parked["parkedClass"]["name"], "java/lang/Object");
    assert_eq!(parked["eventThread"]["javaName"], "parker");
    let waits = values("jdk.JavaMonitorWait", &file);
    let wait = waits.iter().find(|v| v["timeout"] == "PT0.025S");
    assert_eq!(wait.expect("it waited")["timedOut"], true);

    // 2,000 arrays of 10,000 bytes, and what is left of each thread's last sample
    let allocated = read(
        &file,
        "jdk.ObjectAllocationSample",
        &["eventThread", "weight"],
    );
    let arrays = allocated
        .iter()
        .filter(|(_, p)| p.contains("Busy.allocate"));
    let bytes: u64 = arrays.map(|(n, _)| n[1]).sum();
    assert!((19_400_000..22_000_000).contains(&bytes), "{bytes}");

    let [vm] = &values("jdk.JVMInformation", &file)[..] else {
        panic!("one VM");
    };
    assert_eq!(vm["jvmName"], "rjvm");
    assert_eq!(vm["javaArguments"], "Busy");
    let text = jfr(&["print", "--events", "jdk.ThreadSleep"], &file);
    assert!(text.contains("time = 50.0 ms"), "{text}");
}

#[test]
fn samples_are_those_of_the_granularity() {
    let granular = "--sample-gran=1000";
    let (_, dir) = busy("granular", &["--quiet", granular, "-o", "x.json"]);
    let json = std::fs::read_to_string(dir.join("x.json")).expect("a profile");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let period = ",jdk.ExecutionSample#period=1000 bytecodes";
    let (_, own) = recorded("period", period, &[]);
    let (_, shared) = recorded("shared", "", &[granular]);
    let count = |file: &Path| summary(file)["jdk.ExecutionSample"];
    let samples = json["totals"]["calls"].as_u64();
    assert_eq!(count(&own), count(&shared));
    assert_eq!(Some(count(&own)), samples, "{}", json["totals"]);
}

/// Readers know classes by their numbers: a class has one in all chunks of a file, in the events of the run and in its profile.
/// When the chunks of a file begin, in nanoseconds since 1970: JDK Mission Control keeps one of those that begin together.
fn chunk_starts(file: &[u8]) -> Vec<i64> {
    let number = |at: usize| i64::from_be_bytes(file[at..at + 8].try_into().expect("8 bytes"));
    let (mut at, mut starts) = (0, Vec::new());
    while at < file.len() {
        starts.push(number(at + 32));
        at += number(at + 8) as usize;
    }
    starts
}

#[test]
fn a_class_is_one_in_the_whole_file() {
    let chunk = "-XX:FlightRecorderOptions:maxchunksize=1M";
    let often = ",jdk.ExecutionSample#period=4 bytecodes";
    let (_, recording) = recorded("one-class", often, &[chunk]);
    let options = ["--quiet", "--profile=exact", "-o", "x.jfr"];
    let (_, dir) = busy("one-class-profile", &options);
    for file in [recording, dir.join("x.jfr")] {
        let starts = chunk_starts(&std::fs::read(&file).expect("a file"));
        let different: HashSet<i64> = starts.iter().copied().collect();
        assert!(
            starts.len() > 1 && different.len() == starts.len(),
            "{starts:?}"
        );
        let mut command = Command::new(jdk::tool("java"));
        command.arg("-cp").arg(classes()).arg("Classes").arg(&file);
        let ended = command.output().expect("java starts");
        let err = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success(), "{err}");
        let out = String::from_utf8(ended.stdout).expect("text");
        let rows: Vec<Vec<&str>> = out.lines().map(|l| l.split('\t').collect()).collect();
        assert!(rows.len() > 100, "{out}");
        // hidden classes of one kind are one in a profile
        let named = rows.iter().filter(|row| !row[0].contains('/'));
        let named: Vec<&Vec<&str>> = named.collect();
        for pair in named.windows(2) {
            assert_ne!(pair[0][0], pair[1][0], "{pair:?} in {}", file.display());
        }
        let of = |class: &str| {
            named
                .iter()
                .find(|row| row[0] == class)
                .map(|row| &row[2..])
        };
        assert_eq!(of("Busy"), Some(&["33", "app"][..]), "public super");
        assert_eq!(of("java.util.ArrayList"), Some(&["33", "bootstrap"][..]));
    }
}

#[test]
fn recordings_are_the_same_in_each_run_and_change_no_count() {
    let options = ["--profile=exact", "-o", "x.rjp", "-o", "y.jfr"];
    let three = ["first", "second", "third"].map(|name| {
        let (_, file) = recorded(&format!("again-{name}"), ",settings=profile", &options);
        let dir = file.parent().expect("a folder");
        let read = |name: &str| std::fs::read(dir.join(name)).expect("a file");
        [read("x.jfr"), read("x.rjp"), read("y.jfr")]
    });
    assert!(three[0] == three[1] && three[0] == three[2]);
    let (_, dir) = busy("unheard", &["--quiet", "--profile=exact", "-o", "x.rjp"]);
    let unheard = std::fs::read(dir.join("x.rjp")).expect("a profile");
    assert!(unheard == three[0][1], "the counts are others");
}

#[test]
fn settings_choose_events() {
    let (_, file) = recorded("none", ",settings=none,+jdk.ThreadPark#enabled=true", &[]);
    let all = summary(&file);
    let kinds: Vec<&str> = all.keys().map(String::as_str).collect();
    let want = [
        "jdk.ActiveRecording",
        "jdk.ActiveSetting",
        "jdk.CheckPoint",
        "jdk.Metadata",
        "jdk.ThreadPark",
    ];
    assert_eq!(kinds, want);
    // the JDK's own settings leave out classes, and what is shorter than 10 or 20 ms
    for (name, sleeps) in [("profile", 1), ("default", 1)] {
        let (_, file) = recorded(name, &format!(",settings={name}"), &[]);
        let all = summary(&file);
        assert_eq!(all.get("jdk.ThreadSleep"), Some(&sleeps));
        assert!(!all.contains_key("jdk.ClassLoad"));
    }
    let threshold = ",settings=profile,jdk.ThreadSleep#threshold=60ms";
    let (_, file) = recorded("threshold", threshold, &[]);
    assert!(!summary(&file).contains_key("jdk.ThreadSleep"));
}

#[test]
fn chunks_turn_over_and_old_ones_go() {
    let chunk = "-XX:FlightRecorderOptions=maxchunksize=1M,stackdepth=3";
    let often =
        ",settings=none,jdk.ExecutionSample#enabled=true,jdk.ExecutionSample#period=4 bytecodes";
    let (_, file) = recorded("whole", often, &[chunk]);
    let (_, part) = recorded("part", &format!("{often},maxsize=2M"), &[chunk]);
    let chunks = |file: &Path| {
        let text = jfr(&["summary"], file);
        let line = text.lines().find_map(|l| l.trim().strip_prefix("Chunks: "));
        line.expect("it tells").parse::<u64>().expect("a number")
    };
    assert!(chunks(&file) > 3, "{}", chunks(&file));
    let bytes = std::fs::metadata(&part).expect("a file").len();
    assert!(chunks(&part) < chunks(&file) && bytes < 4 << 20, "{bytes}");
    let first = jfr(
        &[
            "print",
            "--events",
            "jdk.ExecutionSample",
            "--stack-depth",
            "9",
        ],
        &part,
    );
    let stack = first.split("stackTrace = [").nth(1).expect("a stack");
    let frames = stack.split(']').next().expect("an end").lines();
    assert!(frames.filter(|l| l.contains('(')).count() <= 3);
}

#[test]
fn what_is_wrong_with_options_is_reported() {
    for (option, part) in [
        (
            "=duration=abc",
            "duration=abc: expected a time such as 30s, 5m or 1h",
        ),
        (
            "=maxsize=x",
            "maxsize=x: expected a size such as 500M or 1g",
        ),
        ("=name=5", "Name of recording can't be numeric"),
        ("=settings=nofile", "settings=nofile: nofile.jfc: "),
        (
            ":filename=none/x.jfr",
            "cannot write the recording: the folder none does not exist",
        ),
        (
            "=jdk.ThreadPark#enabled=perhaps",
            "jdk.ThreadPark#enabled: invalid value 'perhaps'",
        ),
    ] {
        let run = Run::new(&vm(), "jfr-wrong");
        let option = format!("-XX:StartFlightRecording{option}");
        let got = run
            .arg(&option)
            .arg("-cp")
            .arg(classes())
            .arg("Busy")
            .finish();
        assert_eq!((got.exit, got.out()), (1, String::new()), "{option}");
        assert!(got.err().contains(part), "{option}: {}", got.err());
    }
    let run = Run::new(&vm(), "jfr-notes");
    let options = [
        "--deterministic",
        "-XX:StartFlightRecording:foo=bar,disk=false",
    ];
    let got = run
        .args(options)
        .arg("-cp")
        .arg(classes())
        .arg("Busy")
        .finish();
    assert_eq!(got.exit, 0);
    for note in [
        "The .jfc option/setting 'foo' doesn't exist.",
        "disk has no effect",
    ] {
        assert!(got.err().contains(note), "{}", got.err());
    }
}

#[test]
fn programs_with_events_of_their_own_run() {
    let run = Run::new(&vm(), "jfr-own");
    let got = run.arg("-cp").arg(classes()).arg("Own").finish();
    let want = "true false\nfalse false\nfalse false\nfalse false\n";
    assert_eq!((got.exit, got.out().as_str()), (0, want), "{}", got.err());
}

#[test]
fn recordings_of_programs_are_read_and_deterministic() {
    let source = common::tests_dir().join("java/jfr/OwnEvents.java");
    let classes = jdk::compile("jfr-events", &[source], &[], Path::new("none"));
    let recorded = |name: &str| {
        let run = Run::new(&vm(), name);
        let file = run.dir().join("own.jfr");
        let run = run.args(["--deterministic", "-cp"]).arg(&classes);
        let got = run.args(["OwnEvents", "own.jfr"]).finish();
        assert_eq!(got.exit, 0, "{}", got.err());
        file
    };
    let (one, two) = (recorded("jfr-own-one"), recorded("jfr-own-two"));
    let bytes = |file: &Path| std::fs::read(file).expect("the recording");
    assert!(bytes(&one) == bytes(&two), "equal runs differ");
    let counts = summary(&one);
    assert_eq!(counts["own.Everything"], 10);
    assert_eq!(counts["own.Quiet"], 3);
    assert!(!counts.contains_key("own.Long") && !counts.contains_key("own.Off"));
    let all = events("own.Everything", &one);
    let deep = &all
        .iter()
        .find(|e| e["values"]["text"] == "deep")
        .expect("it was committed")["values"];
    assert_eq!(deep["stackTrace"]["truncated"], true);
    let top = &deep["stackTrace"]["frames"][0];
    assert_eq!(
        (&top["method"]["name"], &top["type"]),
        (&"commit".into(), &"Interpreted".into())
    );
    assert_eq!(deep["thread"]["javaName"], "main");
    assert_eq!(deep["type"]["name"], "[I");
}

#[test]
fn a_running_program_is_recorded() {
    let running = live::start("jfr", &[], &["Locks"]);
    let pid = running.id().to_string();
    let dir = common::work_dir().join("live-jfr");
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    let path = |name: &str| dir.join(name).to_string_lossy().into_owned();
    let jcmd = |args: &[&str]| live::tool("jcmd", &[&[pid.as_str()], args].concat()).1;
    let has = live::has;
    has(&jcmd(&["JFR.check"]), &["No available recordings."]);
    has(&jcmd(&["JFR.dump"]), &["No recordings to dump from."]);
    has(
        &jcmd(&[
            "JFR.start",
            "name=one",
            "maxsize=1m",
            "jdk.ThreadPark#threshold=1ms",
        ]),
        &[
            "Started recording 1.",
            "JFR.dump name=one filename=FILEPATH",
        ],
    );
    has(
        &jcmd(&["JFR.start", "duration=1ms"]),
        &["at least 1 second"],
    );
    has(
        &jcmd(&["JFR.check", "verbose"]),
        &[
            "Recording 1: name=one maxsize=1.0MB (running)",
            "jdk.ThreadPark#threshold=1000000 ns",
        ],
    );
    let (dumped, stopped) = (path("dumped.jfr"), path("stopped.jfr"));
    has(
        &jcmd(&["JFR.dump", "name=one", &format!("filename={dumped}")]),
        &["Dumped recording \"one\", ", &dumped],
    );
    has(
        &jcmd(&["JFR.stop", "name=1", &format!("filename={stopped}")]),
        &["Stopped recording \"one\", "],
    );
    has(
        &jcmd(&["JFR.stop", "name=1"]),
        &["Could not find recording 1."],
    );
    for file in [&dumped, &stopped] {
        assert_eq!(summary(Path::new(file))["jdk.ActiveRecording"], 1);
    }
    let text = jfr(
        &["print", "--events", "jdk.ActiveRecording"],
        Path::new(&stopped),
    );
    has(&text, &["name = \"one\"", "maxSize = 1.0 MB"]);
    live::end(running);
}
