//! `--record` and `rjvm replay`: runs repeat exactly, without the files and processes of the recording.

use crate::common;
use crate::common::run::{Outcome, Run, vm};
use crate::common::{jdk, tests_dir, work_dir};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn classes() -> PathBuf {
    let source = tests_dir().join("repeated/record/Answers.java");
    jdk::compile(
        "record",
        &[source],
        &[],
        &tests_dir().join("repeated/record/none"),
    )
}

/// A separate folder with the program and a file for it, which can be removed.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let dir = work_dir().join("run").join(format!("recorded-{name}"));
        let _ = std::fs::remove_dir_all(&dir);
        let files = dir.join("outside");
        std::fs::create_dir_all(files.join("data")).expect("a folder");
        std::fs::create_dir(files.join("classes")).expect("a folder");
        jdk::copy_tree(&classes(), &files.join("classes"));
        std::fs::write(files.join("data/given.txt"), "given").expect("a file");
        std::fs::write(files.join("input"), "first\nsecond").expect("a file");
        Place(dir)
    }
    fn recording(&self) -> PathBuf {
        self.0.join("run.rec")
    }
    /// A run of `Answers` that is recorded.
    fn recorded(&self, name: &str, options: &[&str], args: &[&str]) -> Run {
        let outside = self.0.join("outside");
        Run::new(&vm(), &format!("record-{name}"))
            .arg(format!("--record={}", self.recording().display()))
            .args(["--quiet"])
            .args(options)
            .arg("-cp")
            .arg(outside.join("classes"))
            .arg("Answers")
            .args(args)
            .arg(outside.join("data"))
            .stdin(Some(outside.join("input")))
    }
    /// The file that was there is gone.
    fn clear(&self) {
        std::fs::remove_dir_all(self.0.join("outside")).expect("it was there");
    }
    fn replayed(&self, name: &str, options: &[&str]) -> Outcome {
        Run::new(&vm(), &format!("replay-{name}"))
            .arg("replay")
            .arg(self.recording())
            .args(["--quiet"])
            .args(options)
            .finish()
    }
}

#[test]
fn a_recording_that_is_not_there_is_not_damaged() {
    let place = Place::new("nowhere");
    for (name, message) in [
        ("missing.rec", "no such file"),
        ("outside", "it is a folder"),
    ] {
        let path = place.0.join(name);
        let got = Run::new(&vm(), &format!("replay-{name}"))
            .arg("replay")
            .arg(&path)
            .finish();
        assert_eq!(got.exit, 1, "{}", got.err());
        let line = format!(
            "rjvm: error: {}: cannot replay: {message}\n",
            path.display()
        );
        assert_eq!(got.err(), line);
    }
}

fn same(recorded: &Outcome, replayed: &Outcome, what: &str) {
    assert_eq!(replayed.out(), recorded.out(), "{what}");
    assert_eq!(replayed.err(), recorded.err(), "{what}");
    assert_eq!(replayed.exit, recorded.exit, "{what}");
}

/// The bytes of a profile that a run has written.
fn profile(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("a profile")
}

#[test]
fn all_that_a_program_is_answered_is_answered_again() {
    let place = Place::new("all");
    let file = place.0.join("a.rjp").display().to_string();
    let options = ["--profile=exact", "--allocations", "-o", &file];
    let recorded = place.recorded("all", &options, &["all"]).finish();
    assert_eq!(recorded.exit, 7, "{}", recorded.err());
    assert!(recorded.out().contains("read second"), "{}", recorded.out());
    place.clear();
    let again = place.0.join("b.rjp").display().to_string();
    let options = ["--profile=exact", "--allocations", "-o", &again];
    same(&recorded, &place.replayed("all", &options), "exact");
    assert!(profile(again.as_ref()) == profile(file.as_ref()));
    // how it is looked at makes no difference
    let blocks = place.0.join("c.rjp").display().to_string();
    let samples = place.0.join("d.rjp").display().to_string();
    let all: [&[&str]; 3] = [
        &[],
        &["--profile=blocks", "-o", &blocks],
        &["--sample-gran=1000", "-o", &samples],
    ];
    for (i, options) in all.into_iter().enumerate() {
        let name = format!("all-{i}");
        same(&recorded, &place.replayed(&name, options), &name);
    }
}

#[test]
fn probes_are_no_part_of_a_recording() {
    const PROBE: &str = "--probe=around:Answers::* { @[method] = count(); @took = max(elapsed.wall); @cpu = max(elapsed.cpu) } \
                         io { @io[operation, took >= 0] = count() } every 1000 bytecodes { @lines[line] = max(wall) }";
    let (plain, probed) = (Place::new("unprobed"), Place::new("probed"));
    let alone = plain.recorded("unprobed", &[], &["all"]).finish();
    let requested = probed.recorded("probed", &[PROBE], &["all"]).finish();
    assert!(requested.err().contains("@took: "), "{}", requested.err());
    assert_eq!(requested.exit, alone.exit);
    plain.clear();
    probed.clear();
    // with and without, whichever way it was recorded
    for (place, recorded, name) in [(&plain, &alone, "plain"), (&probed, &requested, "probed")] {
        for (options, how) in [(&[][..], "without"), (&[PROBE][..], "with")] {
            let again = place.replayed(&format!("{name}-{how}"), options);
            assert_eq!(again.out(), recorded.out(), "{name} {how}: {}", again.err());
            assert_eq!(again.exit, recorded.exit, "{name} {how}");
            let answered = again.err().contains("@took: ");
            assert_eq!(answered, !options.is_empty(), "{name} {how}");
        }
    }
}

/// The file with the schedule is among the removed ones.
#[test]
fn a_recording_of_a_schedule_has_it_with_it() {
    let place = Place::new("schedule");
    let source = tests_dir().join("explore/LostUpdate.java");
    let none = tests_dir().join("repeated/record/none");
    let compiled = jdk::compile("record-explored", &[source], &[], &none);
    let classes = place.0.join("outside/classes");
    jdk::copy_tree(&compiled, &classes);
    let found = Run::new(&vm(), "record-explore")
        .args(["explore", "--iterations=50"])
        .current_dir(&place.0.join("outside"))
        .arg("-cp")
        .arg(&classes)
        .arg("LostUpdate")
        .finish();
    assert_eq!(found.exit, 1, "{}{}", found.out(), found.err());
    let written = common::files_with_extension(&place.0.join("outside"), "schedule");
    let [schedule] = &written[..] else {
        panic!("{}", found.out())
    };
    let first = place.0.join("a.rjp").display().to_string();
    let recorded = Run::new(&vm(), "record-schedule")
        .arg(format!("--record={}", place.recording().display()))
        .arg(format!("--replay={}", schedule.display()))
        .args(["--quiet", "--profile=exact", "-o", &first])
        .finish();
    assert_eq!(recorded.exit, 1, "{}", recorded.err());
    assert!(
        recorded.err().contains("counter is 1"),
        "{}",
        recorded.err()
    );
    place.clear();
    let again = place.0.join("b.rjp").display().to_string();
    let options = ["--profile=exact", "-o", &again];
    same(&recorded, &place.replayed("schedule", &options), "schedule");
    assert!(profile(again.as_ref()) == profile(first.as_ref()));
}

/// Without a profile, as a run is recorded usually; a signal comes anywhere.
#[test]
fn signals_arrive_at_the_bytecode_where_they_did() {
    for (name, option) in [("term", "-ea"), ("term-sliced", "--quantum=777")] {
        let place = Place::new(name);
        let mut run = place.recorded(name, &[option], &["hook"]).start();
        assert!(run.wait_for_stdout("ready", Duration::from_secs(60)));
        std::thread::sleep(Duration::from_millis(100));
        signal(run.id(), libc::SIGQUIT);
        std::thread::sleep(Duration::from_millis(50));
        signal(run.id(), libc::SIGTERM);
        let recorded = run.finish(Duration::from_secs(60));
        assert_eq!(recorded.exit, 143);
        assert!(recorded.out().contains("hook after "), "{}", recorded.out());
        assert!(recorded.out().contains("Full thread dump"));
        place.clear();
        same(&recorded, &place.replayed(name, &[]), name);
        let file = place.0.join("b.txt").display().to_string();
        let options = ["--profile=callsites", "-o", &file];
        same(&recorded, &place.replayed(name, &options), name);
    }
}

fn signal(id: u32, number: i32) {
    // SAFETY: no pointers; the child has not been waited for.
    assert_eq!(unsafe { libc::kill(id as i32, number) }, 0);
}

#[test]
fn the_recording_of_a_killed_run_goes_as_far_as_it_was_written() {
    let place = Place::new("killed");
    let mut run = place.recorded("killed", &[], &["compute"]).start();
    assert!(run.wait_for_stdout("round 5000000", Duration::from_secs(60)));
    std::thread::sleep(Duration::from_millis(500));
    signal(run.id(), libc::SIGKILL);
    let recorded = run.finish(Duration::from_secs(60));
    place.clear();
    let file = place.0.join("b.flat").display().to_string();
    let replayed = place.replayed("killed", &["--profile=exact", "-o", &file]);
    assert_eq!(replayed.exit, 75);
    assert!(
        replayed
            .err()
            .starts_with("rjvm: error: the recording ends here, after ")
    );
    let (out, all) = (replayed.out(), recorded.out());
    assert!(all.starts_with(&out), "{out}");
    assert!(out.contains("round 5000000"), "{out}");
    // and there is a profile of it
    let flat = String::from_utf8_lossy(&profile(file.as_ref())).into_owned();
    assert!(flat.contains("Answers.compute()"), "{flat}");
}

#[test]
fn what_is_requested_wrongly_is_reported() {
    let place = Place::new("wrong");
    let recorded = place.recorded("wrong", &["-Dx=a b"], &["random"]).finish();
    assert_eq!(recorded.exit, 0, "{}", recorded.err());
    let refused = place.replayed("wrong-option", &["-Xmx64m"]);
    let text = "rjvm: error: -Xmx64m: a replay accepts only options for profiles and other reports; all other options are \
                those of the recorded run\n";
    assert_eq!((refused.exit, refused.err().as_str()), (1, text));
    let bytes = std::fs::read(place.recording()).expect("a recording");
    let with = |name: &str, bytes: &[u8]| {
        std::fs::write(place.recording(), bytes).expect("the folder is writable");
        place.replayed(name, &[])
    };
    for (n, text) in [
        (0, "it is not a recording"),
        (10, "it is not a recording"),
        (30, "its header is damaged"),
    ] {
        let got = with(&format!("cut-{n}"), &bytes[..n]);
        assert_eq!(got.exit, 65);
        assert!(
            got.err().ends_with(&format!("cannot replay: {text}\n")),
            "{}",
            got.err()
        );
    }
    // half of it
    let got = with("half", &bytes[..bytes.len() - 9]);
    assert_eq!(got.exit, 75, "{}", got.err());
    let mut changed = bytes.clone();
    let last = changed.len() - 3;
    changed[last] ^= 4;
    let got = with("changed", &changed);
    assert_eq!(got.exit, 65);
    assert!(
        got.err().contains("the digest of the chunk at byte"),
        "{}",
        got.err()
    );
    std::fs::remove_file(place.recording()).expect("it is there");
    let got = place.replayed("gone", &[]);
    assert!(got.err().contains("no such file"), "{}", got.err());
    let got = Run::new(&vm(), "record-version")
        .args(["--record=x.rec", "-version"])
        .finish();
    assert_eq!(got.err(), "rjvm: error: --record: no program is given\n");
}

/// What the VM reads by itself must be the same.
#[test]
fn another_boot_class_path_is_refused() {
    let place = Place::new("boot");
    let append = place.0.join("append");
    std::fs::create_dir_all(&append).expect("a folder");
    std::fs::write(append.join("x"), "1").expect("a file");
    let option = format!("-Xbootclasspath/a:{}", append.display());
    let recorded = place.recorded("boot", &[&option], &["clock"]).finish();
    assert_eq!(recorded.exit, 0, "{}", recorded.err());
    same(&recorded, &place.replayed("boot", &[]), "boot");
    std::fs::write(append.join("x"), "2").expect("a file");
    let got = place.replayed("boot-changed", &[]);
    assert_eq!(got.exit, 1);
    let text = format!(
        "{} has changed since the run was recorded",
        append.display()
    );
    assert!(got.err().contains(&text), "{}", got.err());
}
