//! The race detector against all pairs of accesses and the transitive closure of what orders them.

use crate::all::*;
use crate::toy::*;
use Do::*;
use rjvm_explore::races::{Detector, Race};
use rjvm_explore::{Mode, OpKind, Order, Place, Random, RandomWalk, Start, Strategy};
use std::collections::BTreeSet;

/// The number of the operation in the run represents its stack.
pub fn detect(run: &Run) -> Vec<Race<usize>> {
    detect_at(run, 0)
}

/// All operations at the same place of the code.
fn detect_at(run: &Run, line: u64) -> Vec<Race<usize>> {
    let mut order = Order::default();
    let mut detector = Detector::default();
    for (site, point) in run.points.iter().enumerate() {
        order.executed(point.thread(), point.op);
        detector.executed(&mut order, point.thread(), point.op, line, || site);
    }
    detector.found().to_vec()
}

/// All races: by the definition.
fn by_definition(run: &Run) -> BTreeSet<(usize, usize)> {
    let points = &run.points;
    let n = points.len();
    // before[j][i]: i happens before j
    let mut before = vec![vec![false; n]; n];
    for j in 0..n {
        let (tj, oj) = (points[j].thread(), points[j].op);
        for i in 0..j {
            let (ti, oi) = (points[i].thread(), points[i].op);
            let same = oi.place == oj.place;
            let direct = ti == tj
                || match (oi.kind, oj.kind) {
                    (OpKind::Exit | OpKind::Wait, OpKind::Enter | OpKind::Resume) => same,
                    (OpKind::Start(t), _) if t == tj => true,
                    (_, OpKind::Join(t)) if t == ti => true,
                    (OpKind::Interrupt(a), OpKind::Interrupted(b)) => a == b,
                    (OpKind::InitEnd, OpKind::InitUse) => same,
                    (
                        OpKind::Write(VOLATILE) | OpKind::Update(VOLATILE),
                        OpKind::Read(VOLATILE) | OpKind::Update(VOLATILE),
                    ) => same,
                    (OpKind::Write(a) | OpKind::Update(a), OpKind::Read(b) | OpKind::Update(b)) => {
                        // what is read is that store, or what updates have made of it
                        let others = points[i + 1..j].iter();
                        let between = |p: &&Point| p.op.place == oj.place;
                        let stores = |p: &Point| matches!(p.op.kind, OpKind::Write(_));
                        let replaced = others.filter(between).any(stores);
                        same && a.releases() && b.acquires() && !replaced
                    }
                    _ => false,
                };
            if direct {
                before[j][i] = true;
                let earlier = before[i].clone();
                for (mine, its) in before[j].iter_mut().zip(earlier) {
                    *mine |= its;
                }
            }
        }
    }
    let mut races = BTreeSet::new();
    for j in 0..n {
        for i in 0..j {
            let (a, b) = (points[i].op, points[j].op);
            let (Some(x), Some(y)) = (a.kind.access(), b.kind.access()) else {
                continue;
            };
            let conflict = a.place == b.place && (a.kind.writes() || b.kind.writes());
            if conflict && (x.is_plain() || y.is_plain()) && !before[j][i] {
                races.insert((i, j));
            }
        }
    }
    races
}

#[test]
fn random_programs_have_the_races_of_the_definition() {
    let (mut racy, mut clean) = (0, 0);
    for number in 0..3000 {
        let mut random = Random::new(17, number);
        let threads = 2 + (number % 3) as usize;
        let length = 3 + (number % 6) as usize;
        let program = random_program(&mut random, threads, length);
        let mut walk = RandomWalk::default();
        walk.begin(&Start {
            seed: 18,
            number,
            length: 0,
        });
        let run = run(&program, &mut walk);
        assert_eq!(run.outcome.end, End::Done);
        let races = by_definition(&run);
        for line in [0, 1] {
            let found = detect_at(&run, line);
            let pairs: BTreeSet<(usize, usize)> = found
                .iter()
                .map(|r| (r.first.site, r.second.site))
                .collect();
            assert!(pairs.is_subset(&races), "a race that is none: {program:?}");
            let place = |&(i, _): &(usize, usize)| run.points[i].op.place;
            let variables = |races: &BTreeSet<(usize, usize)>| -> BTreeSet<Place> {
                races.iter().map(place).collect()
            };
            assert_eq!(variables(&pairs), variables(&races), "{program:?}");
            // of each variable, the race whose second access is first
            for place in variables(&races) {
                let first = |races: &BTreeSet<(usize, usize)>| {
                    let of_place = races
                        .iter()
                        .filter(|&&(i, _)| run.points[i].op.place == place);
                    of_place.map(|&(_, j)| j).min()
                };
                assert_eq!(first(&pairs), first(&races), "{program:?}");
            }
        }
        match races.is_empty() {
            true => clean += 1,
            false => racy += 1,
        }
    }
    assert!(racy > 500 && clean > 50, "{racy} racy, {clean} clean");
}

/// In no schedule at all.
fn assert_free(name: &str, program: &Program) {
    let runs = all_runs(program, |run| {
        let found = detect(run);
        assert!(found.is_empty(), "{name}: {found:?}");
    });
    assert!(runs > 1, "{name} has one schedule only");
}

/// Programs that are free of races by construction.
pub fn free() -> Vec<(&'static str, Program)> {
    let mut free = Vec::new();
    let mut add = |name, threads: &[&[Do]]| free.push((name, Program::new(threads)));
    let increments: &[Do] = &[Enter(0), Read(0, PLAIN, 0), WriteReg(0, PLAIN, 0), Exit(0)];
    add("monitor", &[increments, increments]);

    let publishes: &[Do] = &[Write(0, PLAIN, 1), Write(1, VOLATILE, 1)];
    let reads: &[Do] = &[Read(1, VOLATILE, 0), IfNot(0, 1, 3), Read(0, PLAIN, 1)];
    add("volatile", &[publishes, reads]);

    let releases: &[Do] = &[Write(0, PLAIN, 1), Write(1, Mode::Release, 1)];
    let acquires: &[Do] = &[Read(1, Mode::Acquire, 0), IfNot(0, 1, 3), Read(0, PLAIN, 1)];
    add("release and acquire", &[releases, acquires]);

    let fenced: &[Do] = &[
        Write(0, PLAIN, 1),
        Fence(Mode::Release),
        Write(1, OPAQUE, 1),
    ];
    let fences: &[Do] = &[
        Read(1, OPAQUE, 0),
        Fence(Mode::Acquire),
        IfNot(0, 1, 4),
        Read(0, PLAIN, 1),
    ];
    add("fences", &[fenced, fences]);

    let main: &[Do] = &[
        Write(0, PLAIN, 1),
        Start(1),
        Write(1, PLAIN, 1),
        Join(1),
        Read(0, PLAIN, 0),
    ];
    let other: &[Do] = &[Read(0, PLAIN, 0), Write(0, PLAIN, 2)];
    add("start and join", &[main, other]);

    let waits: &[Do] = &[
        Enter(0),
        Read(0, PLAIN, 0),
        IfNot(0, 0, 5),
        Wait(0),
        Goto(1),
        Exit(0),
    ];
    let wakes: &[Do] = &[Enter(0), Write(0, PLAIN, 1), NotifyAll(0), Exit(0)];
    add("wait", &[waits, wakes]);

    let spin_lock: &[Do] = &[
        Cas(1, VOLATILE, 0, 1, 0),
        IfNot(0, 1, 5),
        Read(0, PLAIN, 1),
        WriteReg(0, PLAIN, 1),
        Write(1, VOLATILE, 0),
    ];
    add("compare and set", &[spin_lock, spin_lock]);

    let built: &[Do] = &[Write(0, Mode::Final, 7), Freeze, Write(1, OPAQUE, 1)];
    let used: &[Do] = &[Read(1, OPAQUE, 0), IfNot(0, 1, 3), Read(0, Mode::Final, 1)];
    add("final fields", &[built, used]);

    let readers: &[Do] = &[Read(0, PLAIN, 0), Read(0, PLAIN, 0)];
    add("readers", &[readers, readers, readers]);
    free
}

#[test]
fn what_is_synchronised_is_no_race() {
    let programs = free();
    assert_eq!(programs.len(), 9);
    for (name, program) in programs {
        assert_free(name, &program);
    }
}

/// In how many of all schedules there is a race.
fn racy_schedules(program: &Program) -> (usize, usize) {
    let mut racy = 0;
    let runs = all_runs(program, |run| {
        racy += usize::from(!detect(run).is_empty());
    });
    (racy, runs)
}

#[test]
fn what_is_not_synchronised_is_a_race_in_every_schedule() {
    let increments: &[Do] = &[Read(0, PLAIN, 0), WriteReg(0, PLAIN, 0)];
    let (racy, runs) = racy_schedules(&Program::new(&[increments, increments]));
    assert_eq!((racy, runs), (20, 20));

    // parking orders nothing
    let parks: &[Do] = &[Park, Read(0, PLAIN, 0)];
    let unparks: &[Do] = &[Write(0, PLAIN, 1), Unpark(0)];
    let (racy, runs) = racy_schedules(&Program::new(&[parks, unparks]));
    assert_eq!(racy, runs);

    // two monitors
    let one: &[Do] = &[Enter(0), Write(0, PLAIN, 1), Exit(0)];
    let two: &[Do] = &[Enter(1), Write(0, PLAIN, 2), Exit(1)];
    let (racy, runs) = racy_schedules(&Program::new(&[one, two]));
    assert_eq!(racy, runs);

    // a plain look at what others update atomically
    let updates: &[Do] = &[GetAdd(0, VOLATILE, 1, 0)];
    let (racy, runs) = racy_schedules(&Program::new(&[updates, &[Read(0, PLAIN, 0)]]));
    assert_eq!(racy, runs);

    // published before it is built
    let leaks: &[Do] = &[Write(1, VOLATILE, 1), Write(0, Mode::Final, 7), Freeze];
    let used: &[Do] = &[
        Read(1, VOLATILE, 0),
        IfNot(0, 1, 3),
        Read(0, Mode::Final, 1),
    ];
    let (racy, runs) = racy_schedules(&Program::new(&[leaks, used]));
    assert!(0 < racy && racy < runs, "{racy} of {runs}");
}

#[test]
fn each_pair_of_places_is_reported_once() {
    use rjvm_explore::{Op, ThreadNo};
    let mut order = Order::default();
    let mut detector = Detector::default();
    let place = Place(5);
    let write = Op::new(OpKind::Write(Mode::Plain), place);
    for round in 0..10 {
        for t in 0..2 {
            let new = detector.executed(&mut order, ThreadNo(t), write, 0, || t);
            assert_eq!(new, usize::from((round, t) == (0, 1)));
        }
    }
    let [race] = detector.found() else {
        panic!("{:?}", detector.found())
    };
    assert_eq!((race.first.site, race.second.site), (0, 1));
    assert_eq!(race.place, place);
    detector.forget(|p| p == place);
    assert_eq!(
        detector.executed(&mut order, ThreadNo(2), write, 0, || 9),
        0
    );
}
