//! Strategies find what they are for.

use crate::all::*;
use crate::toy::*;
use Do::*;
use rjvm_explore::{
    Decision, Guided, Inertia, Method, Random, RandomWalk, Start, Strategy, ThreadNo,
};
use std::collections::BTreeSet;

const SAMPLING: [&str; 6] = ["random", "pct:2", "pct:3", "pos", "preempt:2", "quanta:3"];

fn started(method: &str, number: u64) -> Box<dyn Strategy> {
    let method: Method = method.parse().expect("a strategy");
    let mut strategy = method.strategy().expect("one that samples");
    strategy.begin(&Start {
        seed: 1,
        number,
        length: 0,
    });
    strategy
}

fn fails(run: &Run) -> bool {
    !matches!(run.outcome.end, End::Done)
}

/// Schedules until one fails.
fn found_after(program: &Program, method: &str, limit: u64) -> Option<u64> {
    (0..limit).find(|&number| fails(&run(program, &mut *started(method, number))))
}

fn lost_update() -> Program {
    let increments: &[Do] = &[Read(0, PLAIN, 0), Add(0, 1), WriteReg(0, PLAIN, 0)];
    let main: &[Do] = &[
        Start(1),
        Start(2),
        Join(1),
        Join(2),
        Read(0, PLAIN, 0),
        Assert(0, 2),
    ];
    Program::new(&[main, increments, increments])
}

fn lock_order() -> Program {
    let one: &[Do] = &[Enter(0), Enter(1), Exit(1), Exit(0)];
    let two: &[Do] = &[Enter(1), Enter(0), Exit(0), Exit(1)];
    Program::new(&[one, two])
}

fn missed_notify() -> Program {
    let waits: &[Do] = &[
        Enter(0),
        Read(0, PLAIN, 0),
        Exit(0),
        IfNot(0, 0, 7),
        Enter(0),
        Wait(0),
        Exit(0),
    ];
    let wakes: &[Do] = &[Enter(0), Write(0, PLAIN, 1), Notify(0), Exit(0)];
    Program::new(&[waits, wakes])
}

fn aba() -> Program {
    // takes the top (1) and finds that 2 is below; meanwhile both are taken and 1 is back
    let slow: &[Do] = &[
        Read(0, VOLATILE, 0),
        Read(1, PLAIN, 1),
        Cas(0, VOLATILE, 1, 2, 2),
        IfNot(2, 1, 6),
        Read(2, PLAIN, 3),
        Assert(3, 0),
    ];
    let fast: &[Do] = &[
        Cas(0, VOLATILE, 1, 2, 0),
        Write(2, PLAIN, 1),
        Cas(0, VOLATILE, 2, 0, 0),
        Cas(0, VOLATILE, 0, 1, 0),
    ];
    let main: &[Do] = &[
        Write(0, VOLATILE, 1),
        Write(1, PLAIN, 2),
        Start(1),
        Start(2),
    ];
    Program::new(&[main, slow, fast])
}

fn timeout() -> Program {
    let waits: &[Do] = &[Enter(0), TimedWait(0, 0), Exit(0), Assert(0, 0)];
    let wakes: &[Do] = &[Enter(0), Notify(0), Exit(0)];
    Program::new(&[waits, wakes])
}

#[test]
fn every_strategy_finds_the_usual_bugs() {
    for method in SAMPLING {
        for (name, program) in [
            ("lost update", lost_update()),
            ("lock order", lock_order()),
            ("missed notify", missed_notify()),
            ("ABA", aba()),
            ("timeout", timeout()),
        ] {
            let found = found_after(&program, method, 200);
            assert!(found.is_some(), "{method} does not find {name}");
        }
    }
}

#[test]
fn every_strategy_ends_loops_that_wait_for_others() {
    let spins: &[Do] = &[Read(0, VOLATILE, 0), IfNot(0, 1, 0)];
    let yields: &[Do] = &[Yield, Read(0, VOLATILE, 0), IfNot(0, 1, 0)];
    let locks: &[Do] = &[Enter(0), Read(0, PLAIN, 0), Exit(0), IfNot(0, 1, 0)];
    let polls: &[Do] = &[
        Enter(0),
        Read(0, PLAIN, 0),
        IfNot(0, 0, 5),
        TimedWait(0, 1),
        Goto(1),
        Exit(0),
    ];
    let sets: &[Do] = &[Enter(0), Write(0, VOLATILE, 1), Exit(0)];
    for method in SAMPLING {
        for spinner in [spins, yields, locks, polls] {
            let program = Program::new(&[spinner, spinner, sets]);
            assert_eq!(found_after(&program, method, 100), None, "{method} spins");
            assert!(!fails(&run(&program, &mut Inertia::default())));
        }
    }
}

#[test]
fn schedules_follow_from_seed_and_number() {
    let program = lost_update();
    for method in SAMPLING {
        let chosen = |number| {
            let run = run(&program, &mut *started(method, number));
            run.points.iter().map(|p| p.thread()).collect::<Vec<_>>()
        };
        let schedules: Vec<_> = (0..30).map(chosen).collect();
        let again: Vec<_> = (0..30).rev().map(chosen).rev().collect();
        assert_eq!(schedules, again, "{method}");
        let distinct: BTreeSet<_> = schedules.iter().collect();
        assert!(distinct.len() > 3, "{method}: {} schedules", distinct.len());
    }
}

/// PCT of depth d promises a probability of at least 1 / (n · k^(d-1)).
#[test]
fn pct_keeps_its_promise() {
    // the second of n threads has to come first: depth 1
    let mut threads: Vec<&[Do]> = vec![&[Read(0, PLAIN, 0), Assert(0, 0)]];
    threads.push(&[Write(0, PLAIN, 1)]);
    threads.extend([&[Write(1, PLAIN, 1)] as &[Do]; 3]);
    let program = Program::new(&threads);
    let runs = 2000;
    let failed = (0..runs).filter(|&n| fails(&run(&program, &mut *started("pct:1", n))));
    let failed = failed.count() as f64 / runs as f64;
    assert!(failed > 1.0 / 5.0, "{failed}");
}

/// An order of many steps against one, which a random walk hardly ever takes: POS draws a priority once for an operation
/// that waits, not at each step.
#[test]
fn pos_lets_one_operation_wait_for_long() {
    let mut long = vec![Write(1, PLAIN, 0); 12];
    long.push(Write(0, PLAIN, 1));
    let program = Program::new(&[&[Read(0, PLAIN, 0), Assert(0, 0)], &long]);
    let share = |method| {
        let runs = 3000;
        let failed = (0..runs).filter(|&n| fails(&run(&program, &mut *started(method, n))));
        failed.count() as f64 / runs as f64
    };
    let (walk, pos) = (share("random"), share("pos"));
    assert!(walk < 0.002, "random walk: {walk}");
    assert!(pos > 0.02, "POS: {pos}");
}

/// One of sixty writers has to be interrupted between its two stores before any other has begun, and the reader to be next: one
/// schedule in thousands if all threads and all places are as likely.
#[test]
fn preemptions_go_by_kinds_of_threads() {
    let writers = 60;
    let mut main: Vec<Do> = (1..=writers + 1).map(Start).collect();
    main.push(Join(1));
    let writer: &[Do] = &[Write(0, VOLATILE, 1), Write(1, VOLATILE, 1)];
    let reader: &[Do] = &[
        Read(0, VOLATILE, 0),
        Read(1, VOLATILE, 1),
        IfNot(0, 1, 4),
        Assert(1, 1),
    ];
    let mut threads = vec![writer; writers as usize + 1];
    threads[0] = &main;
    threads.push(reader);
    let program = Program::new(&threads);
    let runs = 3000;
    let failed = (0..runs).filter(|&n| fails(&run(&program, &mut *started("preempt:1", n))));
    let share = failed.count() as f64 / runs as f64;
    assert!(share > 1.0 / 500.0, "{share}");
}

#[test]
fn a_guided_run_repeats_another() {
    for number in 0..50 {
        let program = random_program(&mut Random::new(3, number), 3, 6);
        let first = run(&program, &mut *started("random", number));
        let points = first.points.iter().filter(|p| p.candidates.len() > 1);
        let decisions = points.map(|p| Decision::Run(p.thread()));
        let mut guided = Guided::new(decisions, Box::<RandomWalk>::default());
        let again = run(&program, &mut guided);
        assert_eq!(again.outcome, first.outcome);
        assert_eq!((guided.divergence(), guided.left()), (None, 0));
    }
    let wrong = Decision::Run(ThreadNo(7));
    let mut guided = Guided::new([wrong], Box::<RandomWalk>::default());
    run(&lost_update(), &mut guided);
    let divergence = guided.divergence().expect("there is no thread 7");
    assert_eq!((divergence.after, divergence.wanted), (0, wrong));
}
