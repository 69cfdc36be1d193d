//! Searches in programs made by hand: trees of calls that are run step by step, as the interpreter would.

use super::report::RunFacts;
use super::*;

/// The work of a method: self bytecodes, and calls.
enum TestMethod {
    Work(u64),
    Call(u32),
    Times(u64, u32),
}

/// A program, a search in it, and the timers that are in it.
struct TestRun {
    methods: Vec<Vec<TestMethod>>,
    search: Search,
    now: u64,
    timers: BTreeMap<u32, Reading>,
    /// Outermost calls of timed methods: when they began, or their timers came.
    open: BTreeMap<u32, u64>,
    /// Pairs of caller and callee seen, and calls since counters were read.
    reported: BTreeSet<(u32, u32)>,
    calls: BTreeMap<u32, u64>,
    stack: Vec<u32>,
    next: u64,
}

const STEP: u64 = 1000;

fn settings(hybrid: bool) -> Settings {
    Settings {
        threshold: 100,
        hybrid,
        starters: 100,
        limit_deep_starters: Some(1),
        limit_late: Some(if hybrid { 1 } else { 0 }),
        observe: 5_000,
        patience: 20_000,
    }
}

impl TestRun {
    fn of(methods: Vec<Vec<TestMethod>>, settings: Settings) -> TestRun {
        let mut run = TestRun {
            methods,
            search: Search::new(settings, 0, Moment::default()),
            now: 0,
            timers: BTreeMap::new(),
            open: BTreeMap::new(),
            reported: BTreeSet::new(),
            calls: BTreeMap::new(),
            stack: vec![0],
            next: STEP,
        };
        run.body(0);
        let readings = run.readings();
        run.search.end(run.moment(), &readings);
        run
    }
    fn moment(&self) -> Moment {
        Moment {
            bytecodes: self.now,
            used: self.now,
        }
    }
    fn readings(&self) -> BTreeMap<u32, Reading> {
        let open = |m: &u32| self.open.get(m).map_or(0, |from| self.now - from);
        let all = self.timers.iter();
        all.map(|(&m, &r)| {
            (
                m,
                Reading {
                    open: open(&m),
                    ..r
                },
            )
        })
        .collect()
    }
    fn obey(&mut self) {
        for order in self.search.orders() {
            match order {
                Order::Time(m) => {
                    assert!(self.timers.insert(m, Reading::default()).is_none());
                    if self.stack.contains(&m) {
                        self.open.insert(m, self.now);
                    }
                }
                Order::Untime(m) => {
                    assert!(self.timers.remove(&m).is_some());
                    self.open.remove(&m);
                }
                Order::Notify(m) => self.reported.retain(|pair| pair.0 != m),
            }
        }
    }
    fn work(&mut self, mut n: u64) {
        while n > 0 {
            let step = n.min(self.next - self.now);
            self.now += step;
            n -= step;
            if self.now == self.next {
                self.next += STEP;
                self.search.counted(std::mem::take(&mut self.calls));
                let (now, readings) = (self.moment(), self.readings());
                self.search
                    .moment(now, &readings, std::slice::from_ref(&self.stack));
                self.obey();
            }
        }
    }
    fn call(&mut self, method: u32) {
        let caller = self.stack.last().copied();
        *self.calls.entry(method).or_default() += 1;
        let outermost = !self.stack.contains(&method);
        if self.reported.insert((caller.unwrap_or(0), method)) {
            self.search
                .called(method, caller, !outermost, self.moment());
            self.obey();
        }
        self.stack.push(method);
        if self.timers.contains_key(&method) && outermost {
            self.open.insert(method, self.now);
        }
        self.body(method);
        self.stack.pop();
        if !self.stack.contains(&method)
            && let Some(from) = self.open.remove(&method)
            && let Some(timer) = self.timers.get_mut(&method)
        {
            timer.calls += 1;
            timer.used += self.now - from;
        }
    }
    fn body(&mut self, method: u32) {
        let body = std::mem::take(&mut self.methods[method as usize]);
        for what in &body {
            match *what {
                TestMethod::Work(n) => self.work(n),
                TestMethod::Call(m) => self.call(m),
                TestMethod::Times(n, m) => (0..n).for_each(|_| self.call(m)),
            }
        }
        self.methods[method as usize] = body;
    }
    fn found(&self) -> Vec<u32> {
        self.search.found().iter().map(|b| b.method).collect()
    }
}

#[test]
fn a_path_of_bottlenecks_is_followed_to_its_end() {
    // main calls 1 again and again, which calls 2 (hot) and 3 (not)
    let program = || {
        vec![
            vec![TestMethod::Times(200, 1)],
            vec![
                TestMethod::Work(20),
                TestMethod::Call(2),
                TestMethod::Call(3),
            ],
            vec![TestMethod::Work(900)],
            vec![TestMethod::Work(30)],
        ]
    };
    let run = TestRun::of(program(), settings(false));
    assert_eq!(run.found(), [1, 2]);
    let all = run.search.finish();
    assert_eq!((all[0].method, all[0].leaf, all[1].leaf), (2, true, false));
    assert!(all[0].permille > 900 && !all[0].lower_bound);
    assert_eq!(run.search.word(3), "rejected");
    assert!(run.search.effort().most <= 2, "only the frontier is timed");
}

/// Main calls ten methods, each of which uses 8 % in a helper that all call and 2 % itself.
fn hidden() -> Vec<Vec<TestMethod>> {
    let mut methods = vec![Vec::new()];
    for _ in 0..40 {
        for m in 1..=20 {
            methods[0].push(TestMethod::Call(m));
        }
    }
    for _ in 1..=20 {
        methods.push(vec![TestMethod::Work(100), TestMethod::Times(5, 21)]);
    }
    methods.push(vec![TestMethod::Work(80)]);
    methods
}

#[test]
fn a_hidden_bottleneck_is_found_with_deep_starters_only() {
    assert_eq!(TestRun::of(hidden(), settings(false)).found(), [0u32; 0]);
    let run = TestRun::of(hidden(), settings(true));
    assert_eq!(run.found(), [21]);
    assert_eq!(run.search.found()[0].via, Via::Starter);
    assert!(
        (700..=850).contains(&run.search.found()[0].permille),
        "{:?}",
        run.search.found()
    );
    assert_eq!(run.search.effort().starters, 1);
}

#[test]
fn what_is_called_once_takes_a_late_instrument() {
    // main calls 1 once, which calls 2 once, which loops over 3
    let program = || {
        vec![
            vec![TestMethod::Call(1)],
            vec![TestMethod::Call(2)],
            vec![TestMethod::Times(3000, 3)],
            vec![TestMethod::Work(100)],
        ]
    };
    let top_down = TestRun::of(
        program(),
        Settings {
            limit_late: Some(0),
            ..settings(false)
        },
    );
    assert_eq!(top_down.found(), [1], "2 is never entered again");
    let hybrid = TestRun::of(program(), settings(true));
    let mut found = hybrid.found();
    found.sort();
    assert_eq!(found, [1, 2, 3]);
    let of = |m: u32| {
        hybrid
            .search
            .found()
            .iter()
            .find(|b| b.method == m)
            .expect("found")
            .clone()
    };
    assert!(of(2).lower_bound && !of(1).lower_bound);
    assert!(hybrid.search.effort().late >= 1);
}

#[test]
fn what_becomes_hot_later_is_looked_at_again() {
    let mut main = vec![TestMethod::Times(400, 1), TestMethod::Times(400, 2)];
    main.push(TestMethod::Times(400, 1));
    let program = vec![
        main,
        vec![TestMethod::Work(300), TestMethod::Call(2)],
        vec![TestMethod::Work(10), TestMethod::Call(3)],
        vec![TestMethod::Work(1)],
    ];
    let run = TestRun::of(program, settings(false));
    assert_eq!(run.found(), [1]);
    let main = vec![TestMethod::Times(400, 1), TestMethod::Times(9000, 2)];
    let program = vec![
        main,
        vec![TestMethod::Work(300), TestMethod::Call(2)],
        vec![TestMethod::Work(20)],
    ];
    assert_eq!(TestRun::of(program, settings(false)).found(), [1, 2]);
}

#[test]
fn recursion_is_counted_once() {
    let mut run = vec![
        vec![TestMethod::Times(100, 1)],
        vec![TestMethod::Work(500), TestMethod::Call(2)],
        vec![TestMethod::Work(100), TestMethod::Call(3)],
    ];
    run.push(vec![TestMethod::Work(100)]);
    let run = TestRun::of(run, settings(false));
    assert!(run.search.found().iter().all(|b| b.permille <= 1000));
}

#[test]
fn reports_have_the_way_and_the_colours() {
    let run = TestRun::of(hidden(), settings(true));
    let names: BTreeMap<u32, String> = (0..=21).map(|m| (m, format!("a.<B>.m{m}(I)V"))).collect();
    let reported = RunFacts {
        program: "Main",
        metric: "bytecodes",
        names: &names,
        bytecodes: run.now,
    };
    let text = text(&run.search, &reported);
    assert!(
        text.contains("% a.<B>.m21\n   way    a.<B>.m0 > a.<B>.m1 > a.<B>.m21"),
        "{text}"
    );
    let dot = dot(&run.search, &reported);
    assert!(
        dot.contains("peripheries=2") && dot.contains("m1 -> m21 [color"),
        "{dot}"
    );
    let page = html(&run.search, &reported);
    assert!(page.contains("a.&lt;B&gt;.m21") && !page.contains("<B>"));
    let json: serde_json::Value =
        serde_json::from_str(&json(&run.search, &reported)).expect("JSON");
    assert_eq!(json["bottlenecks"][0]["name"], "a.<B>.m21");
    assert_eq!(json["bottlenecks"][0]["via"], "starter");
}

#[test]
fn what_was_used_before_a_timer_is_estimated_by_calls() {
    let at = |n: u64| Moment {
        bytecodes: n,
        used: n,
    };
    let used = |mut account: Account, entered: u64| {
        account.add(at(1000), at(2000), 500);
        account.used(at(3000), entered)
    };
    // its first call is timed: nothing before, half of everything from then on
    assert_eq!(used(Account::new(at(1000), 1000, 0), 40), 1000);
    // 10 calls before, 40 since
    assert_eq!(used(Account::new(at(1000), 100, 10), 50), 1000 + 250);
    // no more than all have used since its first call
    assert_eq!(used(Account::new(at(1000), 900, 10), 20), 1000 + 100);
    // one call, which has been under way all the time, whether it is counted yet or not
    assert_eq!(used(Account::new(at(1000), 600, 0), 1), 1000 + 200);
    assert_eq!(used(Account::new(at(1000), 600, 1), 1), 1000 + 200);
    let mut ended = Account::new(at(1000), 600, 1);
    ended.add(at(1000), at(1100), 100);
    ended.add(at(1100), at(9000), 0);
    assert_eq!(ended.used(at(9000), 1), 100 + 400);
}
