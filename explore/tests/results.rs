//! Results of explorations: written, read, joined.

use rjvm_explore::result::*;

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
        arguments: vec!["-cp".into(), "out".into(), "Main".into()],
        strategy: "pos".into(),
        seed: 7,
        points: "memory".into(),
        memory: "sc".into(),
        jdk: "17.0.21".into(),
        digest: "1234".into(),
        same_output: true,
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

/// What schedule `n` comes to.
fn schedule(summary: &mut Summary, n: u64) {
    let outcome = match n % 10 {
        3 => exception(&format!("expected 2, got {n}")),
        7 => deadlock(),
        _ => Outcome::Ok,
    };
    let new = summary.add(n, &outcome, 20 + n % 5, 1000 + n);
    if new {
        summary.keep(&outcome.signature(), format!("schedule {n}\n"), false);
    }
    let text = if n % 6 == 5 { "b\n" } else { "a\n" };
    summary.add_output(n, &format!("digest of {text:?}"), text);
    if n % 4 == 2 {
        summary.add_race(race(10, n, n % 8 == 2));
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
        let mut joined = Summary::merge(read).expect("they are parts of one");
        assert_eq!(joined.shards.len(), 3);
        assert!(joined.missing().is_empty());
        joined.shards = whole.shards.clone();
        assert_eq!(joined.to_json(), whole.to_json());
    }
    assert_eq!(whole.schedules, 40);
    assert_eq!((whole.points.least, whole.points.most), (20, 24));
    assert_eq!(whole.bytecodes.sum, 40 * 1000 + 780);
    let [first, second] = &whole.failures[..] else {
        panic!("{:?}", whole.failures)
    };
    assert_eq!(
        (first.number, first.count, &first.schedule[..]),
        (3, 4, "schedule 3\n")
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
        "part 1/2 is there twice"
    );
    assert_eq!(
        error(vec![part("1/2"), part("2/3")]),
        "1/2 and 2/3 are not parts of one whole"
    );
    let mut other = part("2/2");
    other.exploration.seed = 8;
    assert_eq!(
        error(vec![part("1/2"), other]),
        "the explorations differ in the seed: 7 and 8"
    );
}

#[test]
fn other_files_are_told_from_summaries() {
    let error = |text: &str| Summary::from_json(text).unwrap_err().to_string();
    assert_eq!(
        error("{\"version\": 2, \"new\": 1}"),
        "version 2 of summaries is not known, only 1"
    );
    assert!(error("").contains("EOF"));
    assert!(error("{\"version\": 1}").contains("missing field"));
    let json = part("1/1").to_json();
    assert!(error(&json.replace("\"1/1\"", "\"2/1\"")).contains("\"2/1\" is no part"));
    let deep = "[".repeat(100_000);
    assert!(error(&deep).contains("line 1"));
}

#[test]
fn different_outputs_fail_only_where_they_have_to_be_the_same() {
    let mut summary = part("1/1");
    let [(number, outcome)] = &summary.different_outputs()[..] else {
        panic!("one differs")
    };
    assert_eq!(*number, 5);
    assert_eq!(outcome.headline(), "output differs from that of schedule 0");
    assert_eq!(
        outcome.text(),
        "output differs from that of schedule 0\n--- expected\na\n--- got\nb\n"
    );
    summary.failures.clear();
    assert!(summary.has_failed());
    summary.exploration.same_output = false;
    assert!(!summary.has_failed());
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
         waits to enter the monitor of an Account (#4), which thread 2 has\n    at java.lang.Object"
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
    assert_eq!(stuck.headline(), "\"worker-3\" (thread 3) waits for ever");
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
