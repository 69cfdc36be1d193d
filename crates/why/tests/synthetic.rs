//! Causes in recordings made by hand: each rule finds its cause, and nothing that only looks like it.

use rjvm_why::claim::Claim;
use rjvm_why::recording::{Context, Delta, Insn, Kind, Method, Recording, Wait, Waited, Window};
use rjvm_why::{analyse, report};

/// A recording under way.
#[derive(Default)]
struct Made {
    run: Recording,
}

impl Made {
    fn new() -> Made {
        let mut made = Made::default();
        made.run.program = "Main".into();
        made.run.threads = vec!["main".into()];
        let main = made.method("Main", "main");
        made.context(None, main, None);
        made
    }
    fn method(&mut self, class: &str, name: &str) -> u32 {
        let app = !class.starts_with("java.");
        self.run.methods.push(Method {
            class: class.into(),
            name: name.into(),
            descriptor: "(I)V".into(),
            app,
            file: format!("{}.java", class.rsplit('.').next().unwrap_or(class)),
            lines: (0..50).map(|i| (i * 10, i + 1)).collect(),
            ..Method::default()
        });
        self.run.methods.len() as u32 - 1
    }
    fn context(&mut self, parent: Option<u32>, method: u32, site: Option<u32>) -> u32 {
        let thread = 0;
        self.run.contexts.push(Context {
            parent,
            method,
            site,
            thread,
        });
        self.run.contexts.len() as u32 - 1
    }
    /// A window in which contexts execute `own` bytecodes in so many calls.
    fn window(&mut self, did: &[(u32, u64, u64)]) {
        self.window_with(did, &[]);
    }
    fn window_with(&mut self, did: &[(u32, u64, u64)], allocated: &[(u32, u64, u64)]) {
        let mut deltas: Vec<Delta> = (0..self.run.contexts.len() as u32)
            .map(|context| Delta {
                context,
                ..Delta::default()
            })
            .collect();
        let mut end = self.run.windows.last().map_or(0, |w| w.end);
        for &(c, own, calls) in did {
            deltas[c as usize].calls += calls;
            end += own;
            let mut at = Some(c);
            while let Some(c) = at {
                deltas[c as usize].inclusive += own;
                at = self.run.contexts[c as usize].parent;
            }
        }
        for &(c, objects, bytes) in allocated {
            deltas[c as usize].objects += objects;
            deltas[c as usize].bytes += bytes;
        }
        deltas.retain(|d| d.inclusive + d.calls + d.objects > 0);
        self.run.windows.push(Window {
            end,
            deltas,
            ..Window::default()
        });
    }
    fn causes(&self) -> Vec<String> {
        let found = analyse(&self.run);
        found.claims.iter().map(|c| c.why.join(" > ")).collect()
    }
    fn first(&self) -> Claim {
        analyse(&self.run)
            .claims
            .into_iter()
            .next()
            .expect("a cause")
    }
}

#[test]
fn nothing_comes_of_nothing() {
    let found = analyse(&Recording::default());
    assert!(found.claims.is_empty() && found.phases.is_empty());
    assert!(report::text(&found, 5).contains("rjvm found no large saving"));
    let mut made = Made::new();
    made.window(&[(0, 0, 1)]);
    assert_eq!(analyse(&made.run).phases.len(), 1);
}

#[test]
fn calls_that_cost_more_each_time_are_quadratic() {
    let mut made = Made::new();
    let contains = made.method("java.util.ArrayList", "contains");
    let list = made.context(Some(0), contains, Some(25));
    for i in 1..=40 {
        made.window(&[(0, 500, 0), (list, 100 * 50 * i, 100)]);
    }
    let claim = made.first();
    assert_eq!(claim.why, ["interpretation", "quadratic loop"]);
    assert_eq!(
        (claim.place.method.as_str(), claim.place.line),
        ("main", Some(3))
    );
    assert!(claim.saving.permille > 800, "{:?}", claim.saving);
    // the same calls, each as expensive as the other
    let mut made = Made::new();
    let contains = made.method("java.util.ArrayList", "contains");
    let list = made.context(Some(0), contains, Some(25));
    for _ in 0..40 {
        made.window(&[(0, 500, 0), (list, 100_000, 100)]);
    }
    assert!(
        !made
            .causes()
            .contains(&"interpretation > quadratic loop".to_string())
    );
}

fn loop_code(inner: u64, outer: u64) -> Vec<Insn> {
    let insn = |bci, executed, kind| Insn {
        bci,
        executed,
        kind,
    };
    vec![
        insn(0, 1, Kind::Other),
        insn(10, outer + 1, Kind::Branch(60)),
        insn(20, outer, Kind::Other),
        insn(30, inner + outer, Kind::Branch(50)),
        insn(40, inner, Kind::Other),
        insn(45, inner, Kind::Branch(30)),
        insn(50, outer, Kind::Branch(10)),
        insn(60, 1, Kind::Other),
    ]
}

#[test]
fn a_loop_within_a_loop_over_the_same_things_is_quadratic() {
    for (inner, outer, expected) in [
        (500_000, 1_000, true),
        (1_000_000, 1_000, true),
        (8_000, 1_000, false),
    ] {
        let mut made = Made::new();
        made.run.methods[0].code = loop_code(inner, outer);
        for _ in 0..10 {
            made.window(&[(0, (inner * 3 + outer * 5) / 10, 0)]);
        }
        let found = made
            .causes()
            .contains(&"interpretation > quadratic loop".to_string());
        assert_eq!(found, expected, "{inner} rounds within {outer}");
    }
}

#[test]
fn hash_tables_are_blamed_for_collisions_only() {
    for (equals_of_each, expected) in [(20, true), (1, false)] {
        let mut made = Made::new();
        let (get, equals) = (
            made.method("java.util.HashMap", "getNode"),
            made.method("a.Key", "equals"),
        );
        let table = made.context(Some(0), get, Some(30));
        let key = made.context(Some(table), equals, Some(5));
        for _ in 0..20 {
            made.window(&[
                (0, 1000, 0),
                (table, 100 * (30 + 12 * equals_of_each), 100),
                (key, 1000 * equals_of_each, 100 * equals_of_each),
            ]);
        }
        let collisions = "interpretation > hashing collisions".to_string();
        assert_eq!(made.causes().first() == Some(&collisions), expected);
        if expected {
            let claim = made.first();
            assert!(
                claim.title.contains("20.0 keys") && claim.title.contains("Key"),
                "{}",
                claim.title
            );
        }
    }
}

#[test]
fn boxes_are_counted_with_their_objects() {
    let mut made = Made::new();
    let (valued, value) = (
        made.method("java.lang.Long", "valueOf"),
        made.method("java.lang.Long", "longValue"),
    );
    made.run.methods[valued as usize].descriptor = "(J)Ljava/lang/Long;".into();
    made.run.methods[value as usize].descriptor = "()J".into();
    let (a, b) = (
        made.context(Some(0), valued, Some(10)),
        made.context(Some(0), value, Some(12)),
    );
    for _ in 0..10 {
        made.window_with(
            &[(0, 8000, 0), (a, 9000, 1000), (b, 3000, 1000)],
            &[(a, 1000, 16_000)],
        );
    }
    let claim = made.first();
    assert_eq!(claim.why, ["allocation and collection", "boxing"]);
    assert_eq!(
        (
            claim.saving.bytecodes,
            claim.saving.objects,
            claim.saving.bytes
        ),
        (120_000, 10_000, 160_000)
    );
}

#[test]
fn locks_are_ranked_by_what_they_keep_apart() {
    let mut made = Made::new();
    made.run.threads.push("other".into());
    made.run.contexts.push(Context {
        parent: None,
        method: 0,
        site: None,
        thread: 1,
    });
    for _ in 0..10 {
        made.window(&[(0, 50_000, 1), (1, 50_000, 1)]);
    }
    made.run.waits.push(Wait {
        why: Waited::Monitor,
        lock: "a.Lock".into(),
        site: "Main.main(Main.java:7)".into(),
        holder: "\"other\" in Main.main(Main.java:9)".into(),
        times: 50,
        others: 900_000,
        most: 20_000,
        nanos: 0,
        timed_out: 0,
    });
    let claim = made.first();
    assert_eq!(claim.why, ["contention and waiting", "locks"]);
    assert_eq!((claim.saving.cost, claim.place.line), (450_000, Some(7)));
}

#[test]
fn phases_have_their_own_causes() {
    let mut made = Made::new();
    let (a, b) = (made.method("Main", "read"), made.method("Main", "sum"));
    let (a, b) = (
        made.context(Some(0), a, Some(10)),
        made.context(Some(0), b, Some(20)),
    );
    for i in 0..60 {
        made.window(&[(if i < 20 { a } else { b }, 10_000, u64::from(i % 20 == 0))]);
    }
    let found = analyse(&made.run);
    let phases: Vec<_> = found
        .phases
        .iter()
        .map(|p| (p.from, p.to, p.within.as_str()))
        .collect();
    assert_eq!(
        phases,
        [(0, 200_000, "Main.read"), (200_000, 600_000, "Main.sum")]
    );
    let of = |name: &str| {
        found
            .claims
            .iter()
            .find(|c| c.place.method == name)
            .expect("it is hot")
    };
    assert_eq!(
        (of("read").phases.clone(), of("sum").phases.clone()),
        (vec![(1, 1000)], vec![(2, 1000)])
    );
}

#[test]
fn reports_say_the_same_in_all_forms() {
    let mut made = Made::new();
    let odd = made.method("a.<Odd>&\"Class\"", "run");
    let c = made.context(Some(0), odd, Some(10));
    made.window(&[(0, 1000, 1), (c, 900_000, 10)]);
    let found = analyse(&made.run);
    let (text, page, json) = (
        report::text(&found, 9),
        report::html(&found),
        report::json(&found),
    );
    assert!(text.contains("<Odd>&\"Class\".run"), "{text}");
    assert!(page.contains("&lt;Odd&gt;&amp;&quot;Class&quot;.run") && !page.contains("<Odd>"));
    let read: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(read["bytecodes"], 901_000);
    assert_eq!(read["claims"][0]["place"]["line"], 1);
    let elsewhere = ["http:", "https:", "src=", "href=", "url("];
    assert!(
        elsewhere.iter().all(|part| !page.contains(part)),
        "nothing is loaded from elsewhere"
    );
    assert_eq!(text, report::text(&analyse(&made.run), 9));
}
