//! Failures as text, as a page, as JSON.

use rjvm_explore::report::{Failure, Reason, ReportStep, html, summary, text};
use rjvm_explore::result::{
    Exploration, Outcome, RaceAccess, RaceFound, Shard, Summary, Thread, Waiting,
};
use std::collections::BTreeMap;
use std::time::Duration;

const SOURCE: &str = "\
public class Counter {
    private int value;

    void increment() {
        int before = value;
        log(before);
        value = before + 1;
    }

    public static void main(String[] args) throws Exception {
        Counter counter = new Counter();
        Thread one = new Thread(counter::increment, \"one\");
        Thread two = new Thread(counter::increment, \"two\");
        one.start();
        two.start();
        one.join();
        two.join();
        assert counter.value == 2 : \"expected 2, got \" + counter.value;
    }
}
";

fn step(at: u64, thread: u32, line: u32, action: &str) -> ReportStep {
    ReportStep {
        at,
        thread,
        method: ["Counter.main", "Counter.increment", "Counter.increment"][thread as usize].into(),
        file: Some("Counter.java".into()),
        line: Some(line),
        action: action.into(),
        ..ReportStep::default()
    }
}

fn access(at: u64, thread: u32, line: u32, write: bool, value: &str) -> ReportStep {
    ReportStep {
        place: Some("Counter.value of #1".into()),
        value: Some(value.into()),
        write,
        ..step(at, thread, line, if write { "writes" } else { "reads" })
    }
}

fn switched(reason: Reason, step: ReportStep) -> ReportStep {
    ReportStep {
        switch: Some(reason),
        ..step
    }
}

fn lost_update() -> Failure {
    let on_thread = |s: ReportStep, t: &str| ReportStep {
        place: Some(t.into()),
        ..s
    };
    let lines = SOURCE.lines().zip(1..).map(|(l, n)| (n, l.to_string()));
    Failure {
        outcome: Outcome::Exception {
            thread: Thread {
                number: 0,
                name: "main".into(),
            },
            class: "java.lang.AssertionError".into(),
            message: Some("expected 2, got 1".into()),
            stack: vec!["Counter.main(Counter.java:18)".into()],
        },
        replay: "rjvm explore --replay=explore/1.schedule -cp out Counter".into(),
        facts: vec![
            ("strategy".into(), "pos".into()),
            ("schedule".into(), "12 of seed 7".into()),
            ("minimised".into(), "from 9 switches in 14 runs".into()),
        ],
        threads: (0..3)
            .map(|number| Thread {
                number,
                name: ["main", "one", "two"][number as usize].into(),
            })
            .collect(),
        steps: vec![
            on_thread(step(41, 0, 14, "starts"), "thread \"one\""),
            on_thread(step(62, 0, 15, "starts"), "thread \"two\""),
            on_thread(step(70, 0, 16, "waits for"), "thread \"one\""),
            switched(Reason::Blocked, access(74, 1, 5, false, "0")),
            switched(Reason::Preempted, access(80, 2, 5, false, "0")),
            step(83, 2, 6, "enters").clone(),
            access(95, 2, 7, true, "1"),
            switched(Reason::Ended, access(101, 1, 7, true, "1")),
            switched(
                Reason::Ended,
                on_thread(step(104, 0, 17, "joins"), "thread \"two\""),
            ),
            access(108, 0, 18, false, "1"),
        ],
        sources: BTreeMap::from([("Counter.java".into(), lines.collect())]),
        output: "one is over\ntwo is over\n".into(),
        errors: "a warning\n".into(),
    }
}

#[test]
fn text_has_a_column_for_each_thread() {
    let expected = "\
java.lang.AssertionError: expected 2, got 1 in \"main\" (thread 0)
    at Counter.main(Counter.java:18)

The schedule has 1 switch, and 3 where threads have to wait.
strategy: pos
schedule: 12 of seed 7
minimised: from 9 switches in 14 runs
To replay it: rjvm explore --replay=explore/1.schedule -cp out Counter

      \"main\"                          │ \"one\"                           │ \"two\"
      ─────────────────────────────── │ ─────────────────────────────── │ ───────────────────────────────
   41 Counter.java:14  one.start();   │                                 │
        starts thread \"one\"           │                                 │
   62 Counter.java:15  two.start();   │                                 │
        starts thread \"two\"           │                                 │
   70 Counter.java:16  one.join();    │                                 │
        waits for thread \"one\"        │                                 │
   ── \"main\" has to wait; \"one\" continues
   74                                 │ Counter.java:5  int before =    │
                                      │   value;                        │
                                      │   reads Counter.value of #1 = 0 │
   ── \"one\" is interrupted; \"two\" continues
   80                                 │                                 │ Counter.java:5  int before =
                                      │                                 │   value;
                                      │                                 │   reads Counter.value of #1 = 0
   83                                 │                                 │ Counter.java:6  log(before);
                                      │                                 │   enters
   95                                 │                                 │ Counter.java:7  value = before
                                      │                                 │   + 1;
                                      │                                 │   writes Counter.value of #1 =
                                      │                                 │     1
   ── \"two\" has ended; \"one\" continues
  101                                 │ Counter.java:7  value = before  │
                                      │   + 1;                          │
                                      │   writes Counter.value of #1 =  │
                                      │     1                           │
   ── \"one\" has ended; \"main\" continues
  104 Counter.java:17  two.join();    │                                 │
        joins thread \"two\"            │                                 │
  108 Counter.java:18  assert         │                                 │
        counter.value == 2 :          │                                 │
        \"expected 2, got \" +          │                                 │
        counter.value;                │                                 │
        reads Counter.value of #1 = 1 │                                 │

Its output:
  one is over
  two is over
";
    let got = text(&lost_update(), 105);
    assert_eq!(got, expected, "\n{got}");
    assert!(got.lines().all(|l| l.chars().count() <= 105));
}

#[test]
fn text_is_narrow_where_it_has_to_be() {
    let got = text(&lost_update(), 50);
    let of_steps = got.lines().skip_while(|l| !l.starts_with("   ── "));
    for line in of_steps.clone().filter(|l| !l.contains("continues")) {
        assert!(line.chars().count() <= 50, "{line}");
    }
    let first: Vec<&str> = of_steps.take(3).collect();
    assert_eq!(
        first,
        [
            "   ── \"main\"",
            "   41 Counter.java:14  one.start();",
            "        starts thread \"one\"",
        ]
    );
}

/// Long turns are shown where they begin and end, and words that are too long are cut.
#[test]
fn what_is_far_from_switches_is_left_out() {
    let mut failure = lost_update();
    let long = (0..100).map(|i| ReportStep {
        value: Some("x".repeat(i)),
        older: (i % 3) as u32,
        ..access(200 + i as u64, 0, 18, false, "")
    });
    failure.steps.extend(long);
    let got = text(&failure, 100);
    assert!(got.contains("… 94 steps …"), "{got}");
    assert!(got.lines().all(|l| l.chars().count() <= 100), "{got}");
    assert!(got.contains("newer stores are not"), "{got}");
    failure.steps.clear();
    let got = text(&failure, 100);
    assert!(got.contains("The schedule has no switch.") && !got.contains('│'));
}

#[test]
fn json_is_read_as_it_is_written() {
    let failure = lost_update();
    let read = Failure::from_json(&failure.to_json()).expect("it was written");
    assert_eq!(read, failure);
    assert!(Failure::from_json("{}").is_err());
}

#[test]
fn the_page_holds_whatever_names_are() {
    let mut failure = lost_update();
    let nasty = "</script><b>&amp;\"\u{2028}{{data}}";
    failure.threads[1].name = nasty.into();
    failure.replay = nasty.into();
    failure.output = nasty.into();
    failure.facts.push((nasty.into(), nasty.into()));
    failure.steps[3].value = Some(nasty.into());
    let page = html(&failure);
    assert_eq!(page.matches("</script>").count(), 2, "the page's own");
    assert!(!page.contains("<b>"));
    assert!(page.contains("&lt;/script&gt;&lt;b&gt;&amp;amp;&quot;"));
    let (_, data) = page.split_once("id=\"data\">").expect("the data");
    let (data, _) = data.split_once("</script>").expect("its end");
    assert_eq!(Failure::from_json(data).expect("it is JSON"), failure);
    assert!(
        !page.contains("http://") || page.matches("http://").count() == 2,
        "only names of SVG"
    );
    assert!(
        !page.contains("src=") && !page.contains("href="),
        "it needs nothing else"
    );
}

#[test]
fn summaries_name_failures_and_races() {
    let thread = |number| Thread {
        number,
        name: format!("t{number}"),
    };
    let waiting = |number, other| Waiting {
        thread: thread(number),
        what: format!("to enter the monitor of an Account (#{other})"),
        held_by: Some(other),
        stack: vec![format!("Bank.transfer(Bank.java:{number})")],
    };
    let exploration = Exploration {
        program: "Bank".into(),
        strategy: "pct:3".into(),
        ..Exploration::default()
    };
    let mut found = Summary::new(exploration, "1/2".parse::<Shard>().expect("a part"));
    found.add(0, &Outcome::Ok, 10, 100);
    found.threads = 2;
    found.took(77);
    assert_eq!(
        summary(&found, Some(Duration::from_millis(500)), 100),
        "Bank: 1 schedule by pct:3, 1 of them different, in 0.5 s (2 a second)\n\
         2 threads; 10 to 10 choices, 10 on average\nmissing parts: 2\nno failure\n"
    );
    // two of four schedules took a path that no other took
    let mut more = found.clone();
    for path in [77, 78, 79] {
        more.add(0, &Outcome::Ok, 10, 100);
        more.took(path);
    }
    let text = summary(&more, None, 100);
    let line = "\na further schedule would be a new one with a probability of about 50 %\n";
    assert!(text.contains(line), "{text}");
    for number in [2, 4, 6] {
        let outcome = Outcome::Deadlock {
            cycle: vec![waiting(1, 2), waiting(2, 1)],
        };
        found.add(number, &outcome, 16, 100);
    }
    let access = |number, write| RaceAccess {
        thread: thread(number),
        write,
        stack: vec![format!("Bank.balance(Bank.java:{number})")],
    };
    found.add_races(vec![RaceFound {
        place: "Account.balance".into(),
        first: access(1, true),
        second: access(2, false),
        number: 2,
        count: 3,
    }]);
    found.add_output(0, b"a\n");
    found.add_output(1, b"b\nc\n");
    found.exhausted = true;
    found.add_redundant();
    assert_eq!(
        summary(&found, None, 100),
        "Bank: 4 schedules by pct:3, 1 of them different
2 threads; 10 to 16 choices, 14 on average
there are no more schedules
1 schedule stopped as repetitions
missing parts: 2
2 different outputs:
      1 × a
      1 × b …

data race on Account.balance in 3 schedules, first in schedule 2
  \"t1\" (thread 1) writes it
    at Bank.balance(Bank.java:1)
  \"t2\" (thread 2) reads it
    at Bank.balance(Bank.java:2)
3 failures of one kind

schedule 2, and 2 more like it:
deadlock of \"t1\" (thread 1) and \"t2\" (thread 2)
\"t1\" (thread 1) waits to enter the monitor of an Account (#2), which thread 2 holds
    at Bank.transfer(Bank.java:1)
\"t2\" (thread 2) waits to enter the monitor of an Account (#1), which thread 1 holds
    at Bank.transfer(Bank.java:2)
"
    );
}
