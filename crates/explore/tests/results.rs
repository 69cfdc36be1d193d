//! Results of explorations: written, read, joined.

use rjvm_explore::report::Failure;
use rjvm_explore::result::*;
use std::collections::BTreeMap;

fn thread(number: u32) -> Thread {
    Thread {
        number,
        name: format!("worker-{number}"),
    }
}

fn exception(message: &str) -> Outcome {
    Outcome::Exception {
        thread: thread(2),
        class: "java.lang.AssertionError".into(),
        message: Some(message.into()),
        stack: vec![
            "Main.check(Main.java:12)".into(),
            "Main.run(Main.java:5)".into(),
        ],
    }
}

fn waiting(number: u32, what: &str, held_by: Option<u32>) -> Waiting {
    Waiting {
        thread: thread(number),
        what: what.into(),
        held_by,
        stack: vec![
            "java.lang.Object.wait(Native Method)".into(),
            format!("Main.part{number}(Main.java:{number})"),
        ],
    }
}

fn deadlock() -> Outcome {
    Outcome::Deadlock {
        cycle: vec![
            waiting(1, "to enter the monitor of an Account (#4)", Some(2)),
            waiting(2, "to enter the monitor of an Account (#3)", Some(1)),
        ],
    }
}

fn exploration() -> Exploration {
    Exploration {
        program: "Main".into(),
        arguments: vec!["-cp".into(), "out".into(), "Main".into()],
        strategy: "pos".into(),
        iterations: 40,
        seed: 7,
        points: "memory".into(),
        memory: "sc".into(),
        max_bytecodes: 1_000_000,
        keep_going: true,
        same_output: true,
        timeouts: "any".into(),
        spurious: false,
        random: false,
        races: "program".into(),
        oracle: String::new(),
        jdk: "17.0.21".into(),
        digest: "1234".into(),
    }
}

fn race(line: u32, number: u64, swapped: bool) -> RaceFound {
    let access = |t: u32, write| RaceAccess {
        thread: thread(t),
        write,
        stack: vec![format!("Main.run(Main.java:{})", line + t)],
    };
    let (first, second) = match swapped {
        false => (access(1, true), access(2, false)),
        true => (access(2, false), access(1, true)),
    };
    RaceFound {
        place: "Main.value".into(),
        first,
        second,
        number,
        count: 1,
    }
}

fn shown(n: u64, outcome: &Outcome) -> FailingSchedule {
    FailingSchedule {
        file: format!("Main-{n}.schedule"),
        schedule: format!("schedule {n}\n"),
        failure: Failure {
            outcome: outcome.clone(),
            replay: "rjvm --replay=Main.schedule".into(),
            facts: Vec::new(),
            threads: vec![thread(0)],
            steps: Vec::new(),
            sources: BTreeMap::new(),
            output: String::new(),
            errors: String::new(),
        },
    }
}

/// What schedule `n` comes to.
fn schedule(summary: &mut Summary, n: u64) {
    let outcome = match n % 10 {
        3 => exception(&format!("expected 2, got {n}")),
        7 => deadlock(),
        _ => Outcome::Ok,
    };
    let new = summary.add(n, &outcome, 20 + n % 5, 1000 + n);
    if new {
        summary.show(&outcome.signature(), shown(n, &outcome));
    }
    let text = if n % 6 == 5 { "b\n" } else { "a\n" };
    summary.add_output(n, text.as_bytes());
    summary.threads = summary.threads.max(2 + n as u32 % 3);
    summary.took(n % 11);
    if n % 4 == 2 {
        // by two ways that end in the same lines
        let mut other = race(10, n, true);
        other.first.stack.push("Main.main(Main.java:1)".into());
        summary.add_races(vec![race(10, n, n % 8 == 2), other]);
    }
    if n % 9 == 8 {
        let lines = ["java.A.f(A.java:1)", "java.B.g(B.java:2)"];
        summary.library_races.insert(lines.map(String::from));
    }
}

fn part(shard: &str) -> Summary {
    let shard: Shard = shard.parse().expect("a part");
    let mut summary = Summary::new(exploration(), shard);
    for n in (0..40).filter(|&n| shard.has(n)) {
        schedule(&mut summary, n);
    }
    summary
}

#[test]
fn parts_join_to_the_whole_in_any_order() {
    let whole = part("1/1");
    let parts = ["1/3", "2/3", "3/3"].map(part);
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let read = order.map(|i| {
            let json = parts[i].to_json();
            Summary::from_json(&json).expect("it was written")
        });
        let joined = Summary::merge(read).expect("they are parts of one");
        assert!(joined.missing().is_empty());
        assert_eq!(joined.to_json(), whole.to_json());
    }
    assert_eq!(whole.schedules, 40);
    assert_eq!((whole.points.least, whole.points.most), (20, 24));
    assert_eq!(whole.bytecodes.sum, 40 * 1000 + 780);
    let [first, second] = &whole.failures[..] else {
        panic!("{:?}", whole.failures)
    };
    let shown = first.shown.as_ref().map(|s| &s.file[..]);
    assert_eq!(
        (first.number, first.count, shown),
        (3, 4, Some("Main-3.schedule"))
    );
    assert_eq!((second.number, second.count), (7, 4));
    let [race] = &whole.races[..] else {
        panic!("{:?}", whole.races)
    };
    assert_eq!((race.number, race.count), (2, 10));
    let two = Summary::merge([parts[2].clone(), parts[0].clone()]).expect("two of three");
    assert_eq!(two.missing(), [2]);
}

#[test]
fn what_does_not_belong_together_is_not_joined() {
    let error = |parts: Vec<Summary>| Summary::merge(parts).unwrap_err().to_string();
    assert_eq!(error(vec![]), "there is nothing to merge");
    assert_eq!(
        error(vec![part("1/2"), part("1/2")]),
        "part 1/2 occurs twice"
    );
    assert_eq!(
        error(vec![part("1/2"), part("2/3")]),
        "1/2 and 2/3 are not parts of one exploration"
    );
    let mut other = part("2/2");
    other.exploration.seed = 8;
    assert_eq!(
        error(vec![part("1/2"), other]),
        "the explorations differ in seed: 7 and 8"
    );
}

#[test]
fn other_files_are_distinguished_from_summaries() {
    let error = |text: &str| Summary::from_json(text).unwrap_err().to_string();
    assert_eq!(
        error("{\"version\": 2, \"new\": 1}"),
        "unknown version 2 of summaries: expected 1"
    );
    assert!(error("").contains("EOF"));
    assert!(error("{\"version\": 1}").contains("missing field"));
    let json = part("1/1").to_json();
    assert!(error(&json.replace("\"1/1\"", "\"2/1\"")).contains("invalid part \"2/1\""));
    let deep = "[".repeat(100_000);
    assert!(error(&deep).contains("line 1"));
}

#[test]
fn what_is_kept_is_the_same_for_the_whole_and_its_parts() {
    let part = |shard: &str| {
        let shard: Shard = shard.parse().expect("a part");
        let mut summary = Summary::new(exploration(), shard);
        for n in (0..60).filter(|&n| shard.has(n)) {
            // 20 kinds of failures and of outputs
            let outcome = Outcome::Exit {
                code: (n * 7 % 20) as i32 + 1,
            };
            if summary.add(n, &outcome, 1, 1) {
                summary.show(&outcome.signature(), shown(n, &outcome));
            }
            // all of the outputs are stored, so many as they are
            summary.add_output(n, format!("{}\n", n * 3 % 20).as_bytes());
        }
        summary
    };
    let whole = part("1/1");
    assert_eq!(whole.failures.len(), 20);
    assert_eq!(whole.failed(), 60);
    let is_shown = |f: &FailureGroup| f.shown.is_some();
    assert!(whole.failures[..KEPT].iter().all(is_shown));
    assert!(!whole.failures[KEPT..].iter().any(is_shown));
    let texts = whole.outputs.values().filter(|o| o.text.is_some());
    assert_eq!((whole.outputs.len(), texts.count()), (20, 20));
    for n in 2..=13 {
        let parts = (1..=n).map(|i| part(&format!("{i}/{n}")));
        let joined = Summary::merge(parts).expect("they are parts of one");
        assert_eq!(joined.to_json(), whole.to_json(), "{n} parts");
    }
}

#[test]
fn outcomes_say_what_happened() {
    assert_eq!(
        exception("expected 2, got 1\nor so").text(),
        "java.lang.AssertionError: expected 2, got 1 in \"worker-2\" (thread 2)\n    \
         at Main.check(Main.java:12)\n    at Main.run(Main.java:5)\n"
    );
    let text = deadlock().text();
    assert!(text.starts_with(
        "deadlock of \"worker-1\" (thread 1) and \"worker-2\" (thread 2)\n\"worker-1\" (thread 1) \
         waits to enter the monitor of an Account (#4), which thread 2 holds\n    at java.lang.Object"
    ));
    // where the program is, not the library
    assert_eq!(
        deadlock().signature(),
        "deadlock at Main.part1(Main.java:1), Main.part2(Main.java:2)"
    );
    assert_eq!(exception("a").signature(), exception("b").signature());
    let stuck = Outcome::Stuck {
        waiting: vec![waiting(3, "to be notified", None)],
    };
    assert_eq!(stuck.headline(), "\"worker-3\" (thread 3) waits forever");
    let others = [
        (Outcome::Ok, "ok"),
        (Outcome::Exit { code: 3 }, "exit with code 3"),
        (
            Outcome::Livelock {
                bytecodes: 5,
                running: vec![],
            },
            "no end after 5 bytecodes",
        ),
    ];
    for (outcome, headline) in others {
        assert_eq!(outcome.headline(), headline);
        assert_eq!(outcome.is_failure(), headline != "ok");
    }
}
