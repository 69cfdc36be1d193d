//! A recording is replayed in every mode of the VM: however it executes bytecodes, it asks its host after the same ones.

use crate::common::run::{Outcome, Run, vm};
use crate::common::{jdk, tests_dir, work_dir};
use std::path::{Path, PathBuf};

fn classes() -> PathBuf {
    let source = tests_dir().join("repeated/record/Waits.java");
    let none = tests_dir().join("repeated/record/none");
    jdk::compile("record-waits", &[source], &["-g"], &none)
}

/// Debugs a recording with these commands.
fn debugged(name: &str, recording: &Path, commands: &[String]) -> Outcome {
    let script = work_dir().join(format!("record-{name}.commands"));
    let text = commands.iter().map(|c| format!("{c}\n"));
    std::fs::write(&script, text.collect::<String>()).expect("the target directory is writable");
    Run::new(&vm(), &format!("record-{name}"))
        .arg("debug")
        .arg(format!("--recording={}", recording.display()))
        .stdin(Some(script))
        .finish()
}

/// The position at which a session's program has ended well.
fn end(session: &Outcome) -> u64 {
    let out = session.out();
    let line = out
        .lines()
        .find(|l| l.contains("the program has ended with exit code 0"));
    let line = line.unwrap_or_else(|| panic!("{out}{}", session.err()));
    let digits = line.split("  ").next().map(|n| n.replace(',', ""));
    digits.and_then(|n| n.parse().ok()).expect("a position")
}

/// Threads wait for initializers and monitors in the middle of bytecodes, whose operands some translations fold into them; and slices
/// end everywhere.
#[test]
fn waits_are_at_the_same_bytecodes_in_every_mode() {
    for (name, options) in [
        ("waits", &["-ea"][..]),
        ("waits-int", &["-Xint"]),
        ("waits-tier", &["--tier=all"]),
        ("waits-sliced", &["--quantum=97"]),
    ] {
        let run = Run::new(&vm(), &format!("record-{name}"));
        let dir = run.dir();
        let recording = dir.join("run.rec");
        let first = dir.join("first.rjp");
        let recorded = run
            .arg(format!("--record={}", recording.display()))
            .args(["--quiet", "--profile=exact", "-o"])
            .arg(&first)
            .args(options)
            .arg("-cp")
            .arg(classes())
            .arg("Waits")
            .finish();
        assert_eq!(recorded.exit, 0, "{name}: {}", recorded.err());
        let whole = debugged(
            &format!("{name}-whole"),
            &recording,
            &["goto 99999999999".into()],
        );
        let end = end(&whole);
        assert!(whole.out().contains(&recorded.out()), "{}", whole.out());
        let replayed = |how: &str, options: &[String]| {
            let replay = Run::new(&vm(), &format!("replay-{name}-{how}"));
            let outcome = replay
                .arg("replay")
                .arg(&recording)
                .arg("--quiet")
                .args(options)
                .finish();
            assert_eq!(outcome.exit, 0, "{name} {how}: {}", outcome.err());
            assert_eq!(outcome.out(), recorded.out(), "{name} {how}");
            outcome
        };
        replayed("plain", &[]);
        let other = dir.join("other.rjp").display().to_string();
        let profile = ["--profile=exact".to_owned(), "-o".into(), other.clone()];
        let stops = [end / 2, end - 1].map(|n| format!("--stop-at={n}"));
        let on = [
            "--stop-then=continue".to_owned(),
            "--stop-output=states.txt".into(),
        ];
        for (how, options) in [
            ("profiled", profile.to_vec()),
            ("stopped", [&profile[..], &stops, &on].concat()),
        ] {
            replayed(how, &options);
            let [a, b] = [&first, Path::new(&other)].map(|p| std::fs::read(p).expect("a profile"));
            assert!(a == b, "{name} {how}");
        }
        // back to the beginning, and forward again in steps that begin and end anywhere
        let mut commands = vec!["goto 99999999999".to_owned(), "reverse-continue".into()];
        commands
            .extend((1..20).map(|i| format!("goto {}", end - (end - 1_700_000) * (20 - i) / 20)));
        commands.push("continue".into());
        let walked = debugged(&format!("{name}-walked"), &recording, &commands);
        assert_eq!(self::end(&walked), end, "{name}");
        assert_eq!(walked.err(), "", "{name}");
        assert_eq!(
            walked.out().matches("has ended with exit code 0").count(),
            2,
            "{}",
            walked.out()
        );
    }
}
