//! Exhaustive exploration against all runs: nothing is missed, and little is repeated.

use crate::all::*;
use crate::memory::Modelled;
use crate::toy::*;
use Do::*;
use rjvm_explore::dpor::{Dpor, Limits, Statistics};
use rjvm_explore::trace::{Recorder, Trace};
use rjvm_explore::{Random, ThreadNo, dependent};
use std::collections::{BTreeMap, BTreeSet};

/// The order of dependent steps: for each step, by thread and number, the steps of each thread that it depends on. Two runs
/// with the same one are the same except for the order of steps that do not matter to each other.
type Shape = BTreeMap<(u32, usize), BTreeMap<u32, usize>>;

fn shape(points: &[Point]) -> Shape {
    let mut shape = Shape::new();
    let mut pasts: Vec<(u32, usize, BTreeMap<u32, usize>)> = Vec::new();
    for (j, point) in points.iter().enumerate() {
        let event = |p: &Point| rjvm_explore::Candidate::new(p.thread(), p.op);
        let mut past = BTreeMap::new();
        for i in 0..j {
            if dependent(&event(&points[i]), &event(point)) {
                for (&t, &n) in &pasts[i].2 {
                    let known: &mut usize = past.entry(t).or_default();
                    *known = n.max(*known);
                }
            }
        }
        let thread = point.thread().0;
        let number = pasts.iter().filter(|p| p.0 == thread).count() + 1;
        past.insert(thread, number);
        shape.insert((thread, number), past.clone());
        pasts.push((thread, number, past));
    }
    shape
}

struct Explored {
    outcomes: BTreeSet<Outcome>,
    shapes: BTreeSet<Shape>,
    statistics: Statistics,
}

/// Explores with so many runs under way at once.
fn explore(program: &Program, limits: Limits, at_once: usize, modelled: bool) -> Explored {
    let mut dpor = Dpor::new(limits);
    let mut explored = Explored {
        outcomes: BTreeSet::new(),
        shapes: BTreeSet::new(),
        statistics: dpor.statistics(),
    };
    // what a swap that fails would have been dependent on is not known before
    let swaps = |t: &Vec<Do>| t.iter().any(|i| matches!(i, Cas(..)));
    let repeats = modelled || limits.preemptions.is_some() || program.threads.iter().any(swaps);
    let mut under_way = Vec::new();
    while !dpor.is_exhausted() {
        while under_way.len() < at_once
            && let Some(plan) = dpor.plan()
        {
            under_way.push(plan);
        }
        let plan = under_way.remove(0);
        let mut recorder = Recorder::new(plan.strategy());
        let run = match modelled {
            true => run_on(program, &mut recorder, &mut Modelled::new()),
            false => run(program, &mut recorder),
        };
        let (trace, guided) = recorder.into_parts(run.left);
        assert_eq!(guided.divergence(), None);
        let trace = Trace::from_bytes(&trace.to_bytes()).expect("it is one");
        if run.outcome.end != End::Redundant {
            explored.outcomes.insert(run.outcome);
            let new = explored.shapes.insert(shape(&run.points));
            assert!(new || repeats, "no run is repeated: {program:?}");
        }
        dpor.finished(plan, &trace);
        let done = dpor.statistics().complete + dpor.statistics().redundant;
        assert!(done < 200_000, "too many runs");
    }
    assert!(under_way.is_empty());
    explored.statistics = dpor.statistics();
    assert_eq!(explored.statistics.diverged, 0);
    explored
}

/// All outcomes, all orders of dependent steps, and the number of runs.
fn by_brute_force(program: &Program) -> (BTreeSet<Outcome>, BTreeSet<Shape>, usize) {
    let (mut outcomes, mut shapes) = (BTreeSet::new(), BTreeSet::new());
    let runs = all_runs(program, |run| {
        outcomes.insert(run.outcome.clone());
        shapes.insert(shape(&run.points));
    });
    (outcomes, shapes, runs)
}

fn compare(name: &str, program: &Program) -> (usize, u64) {
    let (outcomes, shapes, runs) = by_brute_force(program);
    let mut most = 0;
    for at_once in [1, 3] {
        let explored = explore(program, Limits::default(), at_once, false);
        assert_eq!(explored.outcomes, outcomes, "{name}: {program:?}");
        assert_eq!(explored.shapes.len(), shapes.len(), "{name}: {program:?}");
        assert!(!explored.statistics.limited);
        most = most.max(explored.statistics.complete + explored.statistics.redundant);
    }
    assert!(most <= runs as u64, "{name}: {most} runs of {runs}");
    (runs, most)
}

#[test]
fn usual_programs_are_explored_to_the_end() {
    let increments: &[Do] = &[Read(0, PLAIN, 0), Add(0, 1), WriteReg(0, PLAIN, 0)];
    let one: &[Do] = &[Enter(0), Enter(1), Exit(1), Exit(0)];
    let two: &[Do] = &[Enter(1), Enter(0), Exit(0), Exit(1)];
    let locked: &[Do] = &[
        Enter(0),
        Read(0, PLAIN, 0),
        Add(0, 1),
        WriteReg(0, PLAIN, 0),
        Exit(0),
    ];
    let apart = |v| vec![Read(v, PLAIN, 0), Write(v, PLAIN, 1), Read(v, PLAIN, 1)];
    let waits: &[Do] = &[
        Enter(0),
        Read(0, PLAIN, 0),
        IfNot(0, 0, 4),
        Wait(0),
        Exit(0),
    ];
    let careless: &[Do] = &[
        Read(0, PLAIN, 0),
        IfNot(0, 0, 5),
        Enter(0),
        Wait(0),
        Exit(0),
    ];
    let wakes: &[Do] = &[Enter(0), Write(0, PLAIN, 1), Notify(0), Exit(0)];
    let timed: &[Do] = &[Enter(0), TimedWait(0, 0), Exit(0), WriteReg(1, PLAIN, 0)];
    let parks: &[Do] = &[Park, Read(0, PLAIN, 0), Park, Read(0, PLAIN, 1)];
    let unparks: &[Do] = &[Write(0, PLAIN, 1), Unpark(0), Unpark(0)];
    let main: &[Do] = &[Start(1), Write(0, PLAIN, 1), Join(1), Read(0, PLAIN, 0)];
    let swaps: &[Do] = &[
        Cas(0, VOLATILE, 0, 1, 0),
        IfNot(0, 1, 3),
        Write(0, VOLATILE, 0),
    ];
    let nested: &[Do] = &[Enter(0), Enter(0), GetAdd(0, PLAIN, 1, 0), Exit(0), Exit(0)];
    for (name, threads) in [
        ("lost update", &[increments, increments][..]),
        ("three increments", &[increments, increments, increments]),
        ("lock order", &[one, two]),
        ("locked", &[locked, locked]),
        ("independent", &[&apart(0), &apart(1)]),
        ("wait", &[waits, wakes]),
        ("missed notify", &[careless, wakes]),
        ("two waiters", &[waits, waits, wakes]),
        ("timed", &[timed, wakes]),
        ("park", &[parks, unparks]),
        ("start and join", &[main, increments]),
        ("swaps", &[swaps, swaps]),
        ("nested", &[nested, nested]),
    ] {
        let (runs, explored) = compare(name, &Program::new(threads));
        println!("{name}: {explored} of {runs} runs");
    }
}

#[test]
fn independent_threads_need_one_run() {
    let own = |v| vec![Read(v, PLAIN, 0), Write(v, PLAIN, 1), Enter(v), Exit(v)];
    let threads: Vec<Vec<Do>> = (0..5).map(own).collect();
    let slices: Vec<&[Do]> = threads.iter().map(|t| &t[..]).collect();
    let explored = explore(&Program::new(&slices), Limits::default(), 1, false);
    assert_eq!(explored.statistics.complete, 1);
    assert_eq!(explored.statistics.redundant, 0);
    // n threads that store to one variable: each order is one
    let stores = |n| vec![&[Write(0, PLAIN, 1)] as &[Do]; n];
    let explored = explore(&Program::new(&stores(5)), Limits::default(), 1, false);
    assert_eq!(explored.statistics.complete, 120);
}

#[test]
fn random_programs_are_explored_to_the_end() {
    let (mut runs, mut explored) = (0, 0);
    for number in 0..150 {
        let mut random = Random::new(11, number);
        let (threads, length) = [(2, 3), (2, 4), (3, 2)][number as usize % 3];
        // the main thread's part only adds to the number of runs
        let whole = random_program(&mut random, threads, length);
        let own: Vec<&[Do]> = whole.threads[1..].iter().map(|t| &t[..]).collect();
        let (all, needed) = compare("random", &Program::new(&own));
        runs += all;
        explored += needed as usize;
    }
    println!("{explored} of {runs} runs");
    assert!(explored * 10 < runs, "{explored} of {runs}");
}

#[test]
fn values_of_the_memory_model_are_explored_to_the_end() {
    let buffering: &[Do] = &[Write(0, PLAIN, 1), Read(1, PLAIN, 0)];
    let mirrored: &[Do] = &[Write(1, PLAIN, 1), Read(0, PLAIN, 0)];
    let sends: &[Do] = &[Write(0, PLAIN, 1), Write(1, VOLATILE, 1)];
    let receives: &[Do] = &[Read(1, VOLATILE, 0), Read(0, PLAIN, 1), Read(0, PLAIN, 2)];
    for threads in [[buffering, mirrored], [sends, receives]] {
        let program = Program::new(&threads);
        let mut all = All::default();
        let mut outcomes = BTreeSet::new();
        loop {
            outcomes.insert(run_on(&program, &mut all, &mut Modelled::new()).outcome);
            if !all.advance() {
                break;
            }
        }
        let explored = explore(&program, Limits::default(), 2, true);
        assert_eq!(explored.outcomes, outcomes);
    }
}

#[test]
fn limits_limit() {
    let increments: &[Do] = &[Read(0, PLAIN, 0), Add(0, 1), WriteReg(0, PLAIN, 0)];
    let program = Program::new(&[increments, increments]);
    let with = |preemptions, depth| {
        let limits = Limits { preemptions, depth };
        explore(&program, limits, 1, false)
    };
    let lost = |e: &Explored| e.outcomes.iter().any(|o| o.variables == [1]);
    let none = with(Some(0), None);
    assert!(!lost(&none) && none.statistics.limited);
    let one = with(Some(1), None);
    assert!(lost(&one));
    let shallow = with(None, Some(1));
    assert!(shallow.statistics.limited && shallow.statistics.complete <= 2);
    let deep = with(None, Some(100));
    assert!(lost(&deep) && !deep.statistics.limited);
}

#[test]
fn a_lost_run_is_not_waited_for() {
    let stores = vec![&[Write(0, PLAIN, 1)] as &[Do]; 2];
    let mut dpor = Dpor::new(Limits::default());
    let plan = dpor.plan().expect("the first");
    assert!(dpor.plan().is_none() && !dpor.is_exhausted());
    let mut recorder = Recorder::new(plan.strategy());
    let run = run(&Program::new(&stores), &mut recorder);
    dpor.finished(plan, &recorder.into_parts(run.left).0);
    let second = dpor.plan().expect("the other order");
    assert_eq!(second.decisions.len(), 1);
    assert_eq!(
        second.decisions[0],
        rjvm_explore::Decision::Run(ThreadNo(1))
    );
    dpor.lost(second);
    assert!(dpor.is_exhausted() && dpor.statistics().limited);
}

/// How often in a run a thread was interrupted that could have gone on.
fn preemptions(run: &Run) -> u32 {
    let mut last = None;
    let mut count = 0;
    for point in &run.points {
        let current = point.candidates.iter().find(|c| Some(c.thread) == last);
        let preempted =
            current.is_some_and(|c| c.thread != point.thread() && !c.op.kind.gives_way());
        count += u32::from(preempted);
        last = Some(point.thread());
    }
    count
}

/// All outcomes that are possible with so many preemptions are found.
#[test]
fn a_bound_of_preemptions_leaves_out_nothing_else() {
    let (mut runs, mut explored) = (0, 0);
    for number in 0..60 {
        let mut random = Random::new(31, number);
        let (threads, length) = [(2, 4), (3, 2)][number as usize % 2];
        let whole = random_program(&mut random, threads, length);
        let own: Vec<&[Do]> = whole.threads[1..].iter().map(|t| &t[..]).collect();
        let program = Program::new(&own);
        for bound in 0..3 {
            let mut outcomes = BTreeSet::new();
            runs += all_runs(&program, |run| {
                if preemptions(run) <= bound {
                    outcomes.insert(run.outcome.clone());
                }
            });
            let limits = Limits {
                preemptions: Some(bound),
                depth: None,
            };
            let found = explore(&program, limits, 1, false);
            explored += found.statistics.complete + found.statistics.redundant;
            assert_eq!(found.outcomes, outcomes, "{bound}: {program:?}");
        }
    }
    assert!(explored * 50 < runs as u64, "{explored} of {runs}");
}
