//! The memory model on the toy machine: loops that wait, programs without races, races under it.

use crate::all::*;
use crate::toy::*;
use Do::*;
use rjvm_explore::memory::{DEFAULT_BOUND, Memory};
use rjvm_explore::races::Detector;
use rjvm_explore::{Method, Mode, Op, OpKind, Place, Random, Start, Strategy, ThreadNo};
use std::collections::{BTreeMap, BTreeSet};

const ACQUIRE: Mode = Mode::Acquire;

/// The memory model, and the value of each variable.
pub struct Modelled {
    memory: Memory<i64>,
    values: BTreeMap<Place, i64>,
    /// How many stores stayed newer than the latest one.
    pub below: usize,
}

impl Modelled {
    pub fn new() -> Modelled {
        Modelled {
            memory: Memory::new(DEFAULT_BOUND),
            values: BTreeMap::new(),
            below: 0,
        }
    }
}

impl Store for Modelled {
    fn read(&mut self, by: ThreadNo, place: Place, mode: Mode, s: &mut dyn Strategy) -> i64 {
        let n = self.memory.read(by, place, mode, self.last(place));
        let choice = match n {
            1 => 0,
            n => s.choose_value(n),
        };
        let permitted: Vec<i64> = self.memory.permitted().collect();
        let value = self.memory.take(choice);
        assert_eq!((permitted.len(), permitted[choice]), (n, value));
        value
    }
    fn write(&mut self, by: ThreadNo, place: Place, mode: Mode, value: i64, s: &mut dyn Strategy) {
        let last = self.last(place);
        self.below = match self.memory.positions(by, place, mode, last) {
            1 => 0,
            n => s.choose_value(n),
        };
        self.memory
            .write(by, place, mode, (last, value), self.below);
        if self.below == 0 {
            self.values.insert(place, value);
        }
    }
    fn update(
        &mut self,
        by: ThreadNo,
        place: Place,
        mode: Mode,
        new: &dyn Fn(i64) -> Option<i64>,
    ) -> i64 {
        let old = self.last(place);
        self.memory.update(by, place, mode, old);
        if let Some(new) = new(old) {
            self.memory.updated(by, place, mode, old, new);
            self.values.insert(place, new);
        }
        old
    }
    fn synchronised(&mut self, by: ThreadNo, op: Op) {
        self.memory.synchronised(by, op);
    }
    fn last(&self, place: Place) -> i64 {
        self.values.get(&place).copied().unwrap_or(0)
    }
}

#[test]
fn loops_that_wait_end_where_progress_is_promised() {
    struct Oldest;
    impl Strategy for Oldest {
        fn begin(&mut self, _: &Start) {}
        fn choose(&mut self, choice: &rjvm_explore::Choice<'_>) -> usize {
            choice.candidates.len() - 1
        }
        fn choose_value(&mut self, n: usize) -> usize {
            n - 1
        }
    }
    for (mode, ends) in [
        (PLAIN, false),
        (OPAQUE, true),
        (ACQUIRE, true),
        (VOLATILE, true),
    ] {
        let waits: &[Do] = &[Read(0, mode, 0), IfNot(0, 1, 0)];
        let program = Program::new(&[waits, &[Write(0, mode, 1)]]);
        let run = run_on(&program, &mut Oldest, &mut Modelled::new());
        let done = run.outcome.end == End::Done;
        assert_eq!(done, ends, "{mode:?}: {:?}", run.outcome.end);
    }
}

/// A loop that waits for a plain variable need not end (JLS 17.3): strategies that sample find that out, and that others end.
#[test]
fn a_missing_volatile_is_found() {
    for (mode, hangs) in [(PLAIN, true), (OPAQUE, false), (VOLATILE, false)] {
        let waits: &[Do] = &[Read(0, mode, 0), IfNot(0, 1, 0)];
        let program = Program::new(&[waits, &[Write(0, mode, 1)]]);
        for method in ["random", "pct", "pos", "quanta"] {
            let method: Method = method.parse().expect("a strategy");
            let ends = (0..60).map(|number| {
                let mut strategy = method.strategy().expect("one that samples");
                strategy.begin(&Start {
                    seed: 2,
                    number,
                    length: 0,
                });
                run_on(&program, &mut *strategy, &mut Modelled::new())
                    .outcome
                    .end
            });
            let hung = ends.filter(|end| *end == End::TooLong).count();
            assert_eq!(hung > 0, hangs, "{mode:?} by {method}: {hung} of 60");
            assert!(hung < 30, "{mode:?} by {method}: {hung} of 60");
        }
    }
}

/// A program without data races behaves as if it were sequentially consistent (JLS 17.4.5).
#[test]
fn programs_without_races_are_sequentially_consistent() {
    let mut free = 0;
    for number in 0..200 {
        let mut random = Random::new(5, number);
        let locked: Vec<Vec<Do>> = (0..2)
            .map(|t| {
                let mut code = Vec::new();
                for k in 0..2 {
                    let v = random.below(2) as usize;
                    let mode = [PLAIN, VOLATILE][random.below(2) as usize];
                    // variable 2 and 3 are volatile
                    let (v, lock) = match mode {
                        VOLATILE => (v + 2, false),
                        _ => (v, random.below(8) > 0),
                    };
                    code.extend(lock.then_some(Enter(0)));
                    code.push(match random.below(3) {
                        0 => Write(v, mode, 10 * t + k + 1),
                        1 => GetAdd(v, mode, 1, k as usize),
                        _ => Read(v, mode, k as usize),
                    });
                    code.extend(lock.then_some(Exit(0)));
                }
                code
            })
            .collect();
        let slices: Vec<&[Do]> = locked.iter().map(|c| &c[..]).collect();
        let program = Program::new(&slices);
        let mut sequential = BTreeSet::new();
        let mut racy = false;
        all_runs(&program, |run| {
            racy |= !crate::races::detect(run).is_empty();
            sequential.insert(run.outcome.registers.clone());
        });
        let mut all = All::default();
        let mut modelled = BTreeSet::new();
        loop {
            let run = run_on(&program, &mut all, &mut Modelled::new());
            modelled.insert(run.outcome.registers.clone());
            if !all.advance() {
                break;
            }
        }
        assert!(sequential.is_subset(&modelled), "{program:?}");
        if !racy {
            free += 1;
            assert_eq!(sequential, modelled, "{program:?}");
        }
    }
    assert!(free > 25, "{free} programs without races");
}

/// The memory model with a race detector that goes by its order.
struct Watched {
    modelled: Modelled,
    detector: Detector<usize>,
    accesses: usize,
}

impl Watched {
    fn new() -> Watched {
        Watched {
            modelled: Modelled::new(),
            detector: Detector::default(),
            accesses: 0,
        }
    }

    fn accessed(&mut self, by: ThreadNo, kind: OpKind, place: Place) {
        let order = self.modelled.memory.order();
        self.accesses += 1;
        let site = self.accesses;
        self.detector
            .executed(order, by, Op::new(kind, place), 0, || site);
    }
}

impl Store for Watched {
    fn read(&mut self, by: ThreadNo, place: Place, mode: Mode, s: &mut dyn Strategy) -> i64 {
        let value = self.modelled.read(by, place, mode, s);
        self.accessed(by, OpKind::Read(mode), place);
        value
    }
    fn write(&mut self, by: ThreadNo, place: Place, mode: Mode, value: i64, s: &mut dyn Strategy) {
        self.modelled.write(by, place, mode, value, s);
        self.accessed(by, OpKind::Write(mode), place);
    }
    fn update(
        &mut self,
        by: ThreadNo,
        place: Place,
        mode: Mode,
        new: &dyn Fn(i64) -> Option<i64>,
    ) -> i64 {
        let old = self.modelled.update(by, place, mode, new);
        let kind = match new(old) {
            Some(_) => OpKind::Update(mode),
            None => OpKind::Read(mode),
        };
        self.accessed(by, kind, place);
        old
    }
    fn synchronised(&mut self, by: ThreadNo, op: Op) {
        self.modelled.synchronised(by, op);
    }
    fn last(&self, place: Place) -> i64 {
        self.modelled.last(place)
    }
}

#[test]
fn races_are_found_under_the_memory_model_too() {
    let racy = |program: &Program| {
        let (mut racy, mut runs) = (0, 0);
        let mut all = All::default();
        loop {
            let mut watched = Watched::new();
            run_on(program, &mut all, &mut watched);
            racy += usize::from(!watched.detector.found().is_empty());
            runs += 1;
            if !all.advance() {
                return (racy, runs);
            }
        }
    };
    for (name, program) in crate::races::free() {
        assert_eq!(racy(&program).0, 0, "{name}");
    }
    let sends: &[Do] = &[Write(0, PLAIN, 1), Write(1, PLAIN, 1)];
    let receives: &[Do] = &[Read(1, PLAIN, 0), Read(0, PLAIN, 1)];
    let (found, runs) = racy(&Program::new(&[sends, receives]));
    assert_eq!(found, runs);
}

#[test]
fn stores_by_other_means_are_known_to_all() {
    let mut memory = Memory::new(3);
    let (t0, t1) = (ThreadNo(0), ThreadNo(1));
    let place = Place(9);
    for n in 0..10 {
        assert_eq!(memory.positions(t0, place, PLAIN, n), 1);
        memory.write(t0, place, PLAIN, (n, n + 1), 0);
    }
    // bounded
    assert_eq!(memory.read(t1, place, PLAIN, 10), 3);
    assert_eq!(memory.permitted().collect::<Vec<_>>(), [10, 9, 8]);
    assert_eq!(memory.take(2), 8);
    memory.values_mut().for_each(|v| *v += 100);
    assert_eq!(memory.read(t1, place, PLAIN, 110), 3);
    assert_eq!(memory.take(1), 109);
    assert_eq!(
        memory.read(t1, place, PLAIN, 7),
        1,
        "somebody else stored 7"
    );
    assert_eq!(memory.take(0), 7);
    memory.forget(|p| p == place);
    assert_eq!(memory.read(t1, place, PLAIN, 3), 1);
    assert_eq!(memory.permitted().collect::<Vec<_>>(), [3]);
    assert_eq!(memory.take(0), 3);
}
