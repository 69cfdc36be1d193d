//! The exact profile of a running program: switched by `jcmd`, in windows that add up to the whole, at any moment.
//!
//! The programs are in `tests/live`.
#![cfg(unix)]

use crate::common;
use crate::common::live::{PATIENCE, ask, attach, classes, end, has, phases, start, tool};
use crate::common::run::{Run, vm};
use std::path::Path;
use std::process::Command;

/// What a profile counts in each context, as text.
fn contexts(dir: &Path, files: &[&str]) -> String {
    let mut command = Command::new(vm());
    command.current_dir(dir).args(["profile", "merge"]);
    let got = command.args(files).args(["-o", "all.txt"]).output();
    let got = got.expect("rjvm starts");
    assert!(
        got.status.success(),
        "{}",
        String::from_utf8_lossy(&got.stderr)
    );
    let text = std::fs::read_to_string(dir.join("all.txt")).expect("it was written");
    // what it reports the run differs
    text.lines()
        .filter(|l| l.starts_with([' ', '1', '2', '3', '4', '5', '6', '7', '8', '9']))
        .map(|l| l.to_owned() + "\n")
        .collect()
}

/// Whatever is open when recording begins has its whole context, and nothing is counted twice or lost: the profile of a
/// window and that of the rest are the profile of the whole.
#[test]
fn a_window_and_the_rest_are_the_whole() {
    for mode in ["exact", "callsites"] {
        let profile = format!("--profile={mode}");
        let on = ["--scope=all", "--no-prune", &profile, "-o", "x.rjp"];
        let (whole, text) = phases(&format!("{mode}-whole"), &on, [&[], &[], &[]]);
        let (rest, _) = phases(
            &format!("{mode}-rest"),
            &on,
            [
                &["Profile.stop"],
                &[],
                &[&format!("Profile.start mode={mode}")],
            ],
        );
        let (window, message) = phases(
            &format!("{mode}-window"),
            &[],
            [
                &[&format!("Profile.start mode={mode}"), "Profile.status"],
                &[],
                &["Profile.stop", "Profile.dump x.rjp scope=all"],
            ],
        );
        has(
            &message,
            &[
                "Contexts are recorded from bytecode ",
                "Profile written to x.rjp",
            ],
        );
        assert!(message.ends_with(text.rsplit("sum").next().expect("the sum")));
        std::fs::copy(window.join("x.rjp"), rest.join("window.rjp")).expect("it was written");
        let all = contexts(&whole, &["x.rjp"]);
        assert!(
            all.lines().count() > 1000 && all.contains("Phases.work"),
            "{all}"
        );
        let sum = contexts(&rest, &["x.rjp", "window.rjp"]);
        if all != sum {
            let different = all.lines().zip(sum.lines()).find(|(a, b)| a != b);
            panic!(
                "{mode}: {} and {} lines: {different:?}",
                all.lines().count(),
                sum.lines().count()
            );
        }
        // a part of it: under the method that the window began in
        let inside = contexts(&window, &["x.rjp"]);
        has(
            &inside,
            &[
                "Phases.main",
                "Phases$Square.area",
                "Phases.deep",
                "Phases.reflected",
            ],
        );
        assert!(inside.lines().count() < all.lines().count());
    }
}

#[test]
fn counts_begin_again_and_filters_act_on_what_is_written() {
    let (dir, message) = phases(
        "reset",
        &[],
        [
            &["Profile.start"],
            &[
                "Profile.dump a.txt scope=all",
                "Profile.reset",
                "Profile.dump b.txt scope=all",
            ],
            &[
                "Profile.dump c.txt include=Phases max-depth=3",
                "Profile.stop",
                "Profile.stop",
            ],
        ],
    );
    has(
        &message,
        &["All counts are 0 at bytecode ", "The profile is off"],
    );
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).expect("it was written");
    let (a, b, c) = (read("a.txt"), read("b.txt"), read("c.txt"));
    has(&a, &["Phases$Square.area"]);
    assert!(b.len() < a.len() / 10 && !b.contains("Square"), "{b}");
    has(&c, &["Phases.main", "Phases.work"]);
    assert!(
        !c.contains("java.util.ArrayList.") && !c.contains("Square"),
        "{c}"
    );
}

#[test]
fn what_cannot_be_switched_is_reported() {
    let running = start("refused", &["--profile=blocks", "-o", "x.rjp"], &["Locks"]);
    let pid = running.id().to_string();
    let refused = |command: &str, why: &str| {
        let (good, text) = tool("jcmd", &[&pid, command]);
        assert!(!good, "{text}");
        has(&text, &["java.lang.IllegalArgumentException: ", why]);
    };
    refused("Profile.stop", "cannot be switched");
    refused("Profile.reset", "cannot be reset");
    refused("Profile.start mode=all", "expected one of exact, callsites");
    refused("Profile.dump x.nothing", "x.nothing");
    refused("Profile.dump x.rjp include=", "include");
    end(running);
    let running = start("nowhere", &["--profile=exact", "-o", "x.rjp"], &["Locks"]);
    let dump = "Profile.dump no/such/folder/x.rjp";
    let (good, text) = tool("jcmd", &[&running.id().to_string(), dump]);
    assert!(!good, "{text}");
    has(
        &text,
        &["no/such/folder/x.rjp", "No such file or directory"],
    );
    end(running);
    let running = start("nothing", &[], &["Locks"]);
    let (good, text) = tool("jcmd", &[&running.id().to_string(), "Profile.dump x.rjp"]);
    assert!(!good);
    has(&text, &["run Profile.start first"]);
    end(running);
}

/// Switched at any moment, hundreds of times, while it runs.
#[test]
fn a_profile_may_be_switched_at_any_moment() {
    // how long that must be depends on the machine, and on who else wants it
    let mut rounds = ["200000", "800000", "3200000"].into_iter();
    assert!(
        rounds.any(|n| switched(n) >= 100),
        "each run had ended before that"
    );
}

/// How often the profile of so many rounds could be switched while they ran.
fn switched(rounds: &str) -> u32 {
    let run = Run::new(&vm(), "live-switched");
    let alone = Run::new(&vm(), "live-alone");
    let program = |run: Run| run.arg("-cp").arg(classes()).args(["Busy", rounds]);
    let expected = program(alone).finish();
    let mut running = program(run).start();
    assert!(running.wait_for_stdout("ready", PATIENCE));
    attach(&running);
    let jcmd = |command: &str| ask(running.id(), ["1", "jcmd", command, "", ""]);
    let (mut switched, mut answered) = (0, true);
    while switched < 300 && answered {
        let mut commands = vec!["Profile.start", "Profile.stop"];
        if switched % 7 == 0 {
            commands.insert(1, "Profile.reset");
        }
        if switched % 11 == 0 {
            commands.extend(["Profile.reset", "GC.run"]);
        }
        for command in commands {
            // not if the program has come to its end, which is looked at below
            answered &= jcmd(command).starts_with("0\n");
        }
        switched += 1;
    }
    let done = running.finish(PATIENCE);
    assert_eq!(
        (done.exit, done.out()),
        (0, expected.out()),
        "{}",
        done.err()
    );
    switched
}

/// A profile of `Busy` by these options, as text; what the run prints on standard error.
fn window(name: &str, options: &[&str]) -> (String, String) {
    let run = Run::new(&vm(), &format!("live-window-{name}"));
    let file = run.dir().join("x.txt");
    let got = run
        .args(["--profile=exact", "--no-prune", "-o", "x.txt"])
        .args(options)
        .arg("-cp")
        .arg(classes())
        .args(["Busy", "2000"])
        .finish();
    let text = std::fs::read_to_string(file).unwrap_or_default();
    assert_eq!(got.exit, i32::from(text.is_empty()), "{}", got.err());
    (text, got.err())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[test]
fn a_window_begins_and_ends_at_exact_bytecodes() {
    let whole = window("whole", &[]).0;
    // from the beginning of main on: all that there is, its invocation included
    let from_main = window("main", &["--profile-from=main"]).0;
    let body = |text: &str| {
        text.lines()
            .filter(|l| l.contains('('))
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(body(&whole), body(&from_main));
    assert!(body(&whole).len() > 20, "{whole}");
    let third = window(
        "third",
        &["--profile-from=Busy.work#3", "--profile-window=5000"],
    )
    .0;
    has(first_line(&third), &[" 5000 bytecodes, "]);
    has(
        &third,
        &[
            "      0  Busy.main(java.lang.String[])",
            "      1    Busy.work(long)",
        ],
    );
    let later = window(
        "later",
        &["--profile-from=Busy.work#3+1000", "--profile-window=777"],
    )
    .0;
    has(first_line(&later), &[" 777 bytecodes, 0 calls"]);
    let alone = window("alone", &["--profile-window=123456", "--scope=all"]).0;
    has(first_line(&alone), &[" 123456 bytecodes, "]);
    let counted = window(
        "counted",
        &[
            "--profile-from=3000000",
            "--profile-window=1",
            "--scope=all",
        ],
    )
    .0;
    has(first_line(&counted), &[" 1 bytecode, 0 calls"]);
    // the same each time, and nothing else is executed than without
    let again = ["--profile-from=Busy.work#3", "--profile-window=5000"];
    assert!(window("again", &again).0 == third);
    has(
        &window("never", &["--profile-from=Busy.none"]).1,
        &["execution never reached the place of --profile-from"],
    );
    for (options, why) in [
        (&["--profile-from=Busy"][..], "a place as in --stop-at"),
        (&["--profile-window=0"], "a number from 1"),
        (
            &["--profile-from=main", "--allocations"],
            "without --allocations",
        ),
        (
            &["--profile-from=main", "--stop-at=5"],
            "cannot be combined with --stop-at",
        ),
        (
            &["--profile-from=api", "--profile-window=5"],
            "requires a place",
        ),
    ] {
        has(&window("refused", options).1, &[why]);
    }
}

#[test]
fn a_program_switches_its_own_profile() {
    let api = common::tests_dir().join("../java/agent-api/rjvm-agent.jar");
    let path = format!("{}:{}", classes().display(), api.display());
    let run = Run::new(&vm(), "live-api");
    let file = run.dir().join("x.txt");
    let got = run
        .args([
            "--profile=exact",
            "--profile-from=api",
            "-o",
            "x.txt",
            "-cp",
            &path,
            "Switched",
        ])
        .finish();
    assert_eq!(
        (got.exit, got.out().starts_with("false false ")),
        (0, true),
        "{}",
        got.err()
    );
    let text = std::fs::read_to_string(file).expect("a profile");
    has(
        &text,
        &[
            "      0  Switched.main(",
            "      0    Switched.around()",
            "      2      Switched.inside(int)",
        ],
    );
    assert!(!text.contains("outside"), "{text}");
    // elsewhere nothing happens
    let java = Run::new(&common::jdk::tool("java"), "live-api-java");
    let other = java.args(["-cp", &path, "Switched"]).finish();
    assert_eq!(other.out(), got.out(), "{}", other.err());
}

/// Kinds of events are switched by commands, while frames of all sorts are open; the program does the same.
#[test]
fn events_are_written_while_they_are_enabled() {
    let quiet = phases("no-events", &[], [&[], &[], &[]]).1;
    let (dir, message) = phases(
        "events",
        &[],
        [
            &[
                "Events.status",
                "Events.disable",
                "Events.enable class,object-alloc filename=x.events depth=2",
            ],
            &[
                "Events.enable thread,monitor",
                "GC.run",
                "Events.disable object-alloc",
                "Events.status",
            ],
            &["Events.enable gc", "GC.run", "Events.disable"],
        ],
    );
    has(
        &message,
        &[
            "Events: none",
            "Events are not written",
            "class-load, class-unload, object-alloc",
            "Written: ",
            "to x.events",
            "Events: none; ",
        ],
    );
    assert!(message.ends_with(quiet.rsplit("sum").next().expect("the sum")));
    let text = std::fs::read_to_string(dir.join("x.events")).expect("it was written");
    let lines: Vec<&str> = text.lines().filter(|l| !l.starts_with('\t')).collect();
    let number = |l: &&str| -> u64 { l.split(' ').next().unwrap().parse().expect("a count") };
    assert!(lines.iter().map(number).is_sorted(), "in order");
    has(
        &text,
        &[
            "\"main\" class-load Phases$Initialized",
            "\"main\" object-alloc java.util.ArrayList@",
            "\tat Phases.work(Phases.java:",
            "\"other\" thread-end \"other\"",
            "gc-end Full (System.gc()) ",
        ],
    );
    // of its collections, the one that was enabled
    assert_eq!(lines.iter().filter(|l| l.contains(" gc-start")).count(), 1);
    let last_alloc = lines
        .iter()
        .rposition(|l| l.contains("object-alloc"))
        .unwrap();
    let ended = lines.iter().position(|l| l.contains("thread-end")).unwrap();
    assert!(last_alloc < ended, "{text}");
}

/// The options of the command line, the last event, and what is wrong.
#[test]
fn events_are_written_from_the_start_to_the_end() {
    let log = |name: &str, options: &[&str]| {
        let run = Run::new(&vm(), &format!("live-events-{name}"));
        let file = run.dir().join("x.events");
        let run = run.args(options).arg("-cp").arg(classes());
        let got = run.args(["Busy", "20"]).finish();
        (std::fs::read_to_string(file).unwrap_or_default(), got)
    };
    let on = [
        "--deterministic",
        "--events=vm,thread,gc",
        "--events=class-load",
        "--events-file=x.events",
    ];
    let (text, got) = log("whole", &on);
    assert_eq!((got.exit, got.err()), (0, String::new()));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].ends_with(" vm-start") && lines[lines.len() - 1].ends_with(" vm-end"));
    has(
        &text,
        &["class-load Busy", " vm-init", "thread-end \"main\""],
    );
    assert!(log("again", &on).0 == text, "the same each time");
    let (_, got) = log("err", &["--events=class-load", "--events-depth=1"]);
    has(&got.err(), &["\"main\" class-load Busy\n\tat "]);
    for (options, why) in [
        (&["--events=thread-strt"][..], "did you mean thread-start?"),
        (&["--events=,"], "expected kinds of events"),
        (&["--events-depth=3"], "requires --events=KINDS"),
        (&["--events=gc", "--events-depth=-1"], "from 0 to 10000"),
        (
            &["--events=gc", "--events-file=no/such/x"],
            "--events-file=",
        ),
    ] {
        let (_, got) = log("wrong", options);
        assert_eq!(got.exit, 1);
        has(&got.err(), &[why]);
    }
}

/// Samples of several granularities add up to what was executed.
#[test]
fn samples_begin_and_change_while_the_program_runs() {
    let (dir, message) = phases(
        "samples",
        &["--profile=exact", "-o", "exact.json"],
        [
            &["Samples.granularity", "Samples.granularity 100"],
            &["Samples.granularity 7+3", "Samples.dump a.json"],
            &["Samples.granularity off", "Samples.dump b.json"],
        ],
    );
    has(
        &message,
        &[
            ", sampling is off\n",
            ", a sample every 100 bytecodes\n",
            ", a sample every 7 bytecodes, plus a random number below 3\n",
            "Profile written to b.json",
        ],
    );
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).expect("it was written");
    let (a, b) = (read("a.json"), read("b.json"));
    assert!(a.len() < b.len());
    has(&b, &["Phases", "reflected"]);
    let running = start("no-samples", &[], &["Locks"]);
    let pid = running.id().to_string();
    let (good, text) = tool("jcmd", &[&pid, "Events.enable gc filename=a.events"]);
    assert!(good, "{text}");
    for (command, why) in [
        (
            "Events.enable gc filename=b.events",
            "written to another file",
        ),
        ("Events.enable clas-load", "did you mean class-load?"),
        ("Samples.dump x.txt", "run Samples.granularity N first"),
        ("Samples.granularity 0", "N and r must be at least 1"),
        ("Samples.granularity x", "expected N or N+r"),
    ] {
        let (good, text) = tool("jcmd", &[&pid, command]);
        assert!(!good, "{text}");
        has(&text, &[why]);
    }
    end(running);
}
