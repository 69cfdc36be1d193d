//! Litmus tests: the outcomes of all runs are those that JLS 17 and the documentation of `VarHandle` permit, and that
//! jcstress tells of real machines.

use crate::all::*;
use crate::toy::*;
use Do::*;
use rjvm_explore::memory::{DEFAULT_BOUND, Memory};
use rjvm_explore::races::Detector;
use rjvm_explore::{Method, Mode, Op, OpKind, Place, Random, Start, Strategy, ThreadNo};
use std::collections::{BTreeMap, BTreeSet};

const ACQUIRE: Mode = Mode::Acquire;
const RELEASE: Mode = Mode::Release;
const FINAL: Mode = Mode::Final;

/// The memory model, and what is in each variable.
pub struct Modelled {
    memory: Memory<i64>,
    values: BTreeMap<Place, i64>,
}

impl Modelled {
    pub fn new() -> Modelled {
        Modelled {
            memory: Memory::new(DEFAULT_BOUND),
            values: BTreeMap::new(),
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
    fn write(&mut self, by: ThreadNo, place: Place, mode: Mode, value: i64) {
        self.memory.write(by, place, mode, self.last(place), value);
        self.values.insert(place, value);
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

/// What the listed registers (thread, register) hold at the end of all runs.
fn outcomes(threads: &[&[Do]], seen: &[(usize, usize)]) -> BTreeSet<Vec<i64>> {
    let program = Program::new(threads);
    let mut found = BTreeSet::new();
    let mut all = All::default();
    loop {
        let run = run_on(&program, &mut all, &mut Modelled::new());
        let registers = &run.outcome.registers;
        found.insert(seen.iter().map(|&(t, r)| registers[t][r]).collect());
        if !all.advance() {
            return found;
        }
    }
}

fn set<const N: usize>(outcomes: &[[i64; N]]) -> BTreeSet<Vec<i64>> {
    outcomes.iter().map(|o| o.to_vec()).collect()
}

const ALL_PAIRS: [[i64; 2]; 4] = [[0, 0], [0, 1], [1, 0], [1, 1]];

#[test]
fn store_buffering() {
    let both = |store, load| {
        let one: &[Do] = &[Write(0, store, 1), Read(1, load, 0)];
        let two: &[Do] = &[Write(1, store, 1), Read(0, load, 0)];
        outcomes(&[one, two], &[(0, 0), (1, 0)])
    };
    let sequential = set(&[[0, 1], [1, 0], [1, 1]]);
    assert_eq!(both(PLAIN, PLAIN), set(&ALL_PAIRS));
    assert_eq!(both(OPAQUE, OPAQUE), set(&ALL_PAIRS));
    assert_eq!(both(RELEASE, ACQUIRE), set(&ALL_PAIRS));
    assert_eq!(both(VOLATILE, VOLATILE), sequential);

    let fenced = |fence| {
        let one: &[Do] = &[Write(0, PLAIN, 1), Fence(fence), Read(1, PLAIN, 0)];
        let two: &[Do] = &[Write(1, PLAIN, 1), Fence(fence), Read(0, PLAIN, 0)];
        outcomes(&[one, two], &[(0, 0), (1, 0)])
    };
    assert_eq!(fenced(VOLATILE), sequential);
    assert_eq!(fenced(Mode::AcquireRelease), set(&ALL_PAIRS));

    // a volatile store between plain accesses is no fence
    let one: &[Do] = &[Write(0, PLAIN, 1), Write(2, VOLATILE, 1), Read(1, PLAIN, 0)];
    let two: &[Do] = &[Write(1, PLAIN, 1), Write(3, VOLATILE, 1), Read(0, PLAIN, 0)];
    assert_eq!(outcomes(&[one, two], &[(0, 0), (1, 0)]), set(&ALL_PAIRS));

    // neither are monitors of one thread each; a common one is
    let with = |m, mine, other| {
        vec![
            Enter(m),
            Write(mine, PLAIN, 1),
            Exit(m),
            Enter(m),
            Read(other, PLAIN, 0),
            Exit(m),
        ]
    };
    let apart = outcomes(&[&with(0, 0, 1), &with(1, 1, 0)], &[(0, 0), (1, 0)]);
    assert_eq!(apart, set(&ALL_PAIRS));
    let common = outcomes(&[&with(0, 0, 1), &with(0, 1, 0)], &[(0, 0), (1, 0)]);
    assert_eq!(common, sequential);
}

#[test]
fn message_passing() {
    let passing = |store, load| {
        let one: &[Do] = &[Write(0, PLAIN, 1), Write(1, store, 1)];
        let two: &[Do] = &[Read(1, load, 0), Read(0, PLAIN, 1)];
        outcomes(&[one, two], &[(1, 0), (1, 1)])
    };
    let causal = set(&[[0, 0], [0, 1], [1, 1]]);
    assert_eq!(passing(PLAIN, PLAIN), set(&ALL_PAIRS));
    assert_eq!(passing(OPAQUE, OPAQUE), set(&ALL_PAIRS));
    assert_eq!(passing(RELEASE, OPAQUE), set(&ALL_PAIRS));
    assert_eq!(passing(OPAQUE, ACQUIRE), set(&ALL_PAIRS));
    assert_eq!(passing(PLAIN, VOLATILE), set(&ALL_PAIRS));
    assert_eq!(passing(VOLATILE, PLAIN), set(&ALL_PAIRS));
    assert_eq!(passing(RELEASE, ACQUIRE), causal);
    assert_eq!(passing(VOLATILE, ACQUIRE), causal);
    assert_eq!(passing(RELEASE, VOLATILE), causal);
    assert_eq!(passing(VOLATILE, VOLATILE), causal);

    let fenced = |release: &[Do], acquire: &[Do]| {
        let one = [&[Write(0, PLAIN, 1)], release, &[Write(1, OPAQUE, 1)]].concat();
        let two = [&[Read(1, OPAQUE, 0)], acquire, &[Read(0, PLAIN, 1)]].concat();
        outcomes(&[&one, &two], &[(1, 0), (1, 1)])
    };
    let (release, acquire) = ([Fence(RELEASE)], [Fence(ACQUIRE)]);
    assert_eq!(fenced(&release, &acquire), causal);
    assert_eq!(fenced(&release, &[]), set(&ALL_PAIRS));
    assert_eq!(fenced(&[], &acquire), set(&ALL_PAIRS));

    // in the wrong order: what is published is stored after it
    let one: &[Do] = &[Write(1, RELEASE, 1), Write(0, PLAIN, 1)];
    let two: &[Do] = &[Read(1, ACQUIRE, 0), Read(0, PLAIN, 1)];
    assert_eq!(outcomes(&[one, two], &[(1, 0), (1, 1)]), set(&ALL_PAIRS));
}

/// An update by a third thread passes on what was released before it; a store does not.
#[test]
fn release_sequences() {
    let passing = |between: Do| {
        let one: &[Do] = &[Write(0, PLAIN, 1), Write(1, RELEASE, 1)];
        let two: &[Do] = &[Read(1, ACQUIRE, 0), Read(0, PLAIN, 1)];
        let all = outcomes(&[one, &[between], two], &[(2, 0), (2, 1)]);
        all.into_iter()
            .filter(|o| o[0] == 2)
            .collect::<BTreeSet<_>>()
    };
    // 2 is what it makes of 1
    assert_eq!(passing(Cas(1, PLAIN, 1, 2, 0)), set(&[[2, 1]]));
    assert_eq!(passing(Write(1, OPAQUE, 2)), set(&[[2, 0], [2, 1]]));
    // any volatile store synchronises with later volatile loads (JLS 17.4.4)
    let one: &[Do] = &[Write(0, PLAIN, 1), Write(1, VOLATILE, 1)];
    let two: &[Do] = &[Read(1, VOLATILE, 0), Write(1, VOLATILE, 2)];
    let three: &[Do] = &[Read(1, VOLATILE, 0), Read(0, PLAIN, 1)];
    let all = outcomes(&[one, two, three], &[(1, 0), (2, 0), (2, 1)]);
    assert!(all.contains(&vec![1, 2, 1]) && !all.contains(&vec![1, 2, 0]));
}

#[test]
fn coherence() {
    let reads = |store, load| {
        let two: &[Do] = &[Read(0, load, 0), Read(0, load, 1)];
        outcomes(&[&[Write(0, store, 1)], two], &[(1, 0), (1, 1)])
    };
    let coherent = set(&[[0, 0], [0, 1], [1, 1]]);
    assert_eq!(reads(PLAIN, PLAIN), set(&ALL_PAIRS));
    for mode in [OPAQUE, VOLATILE] {
        assert_eq!(reads(mode, mode), coherent);
    }
    assert_eq!(reads(RELEASE, ACQUIRE), coherent);

    // also from thread to thread: who learns that 1 was seen does not see 0
    let sees: &[Do] = &[Read(0, OPAQUE, 0), Write(1, RELEASE, 1)];
    let learns: &[Do] = &[Read(1, ACQUIRE, 0), Read(0, OPAQUE, 1)];
    let all = outcomes(
        &[&[Write(0, OPAQUE, 1)], sees, learns],
        &[(1, 0), (2, 0), (2, 1)],
    );
    assert!(all.contains(&vec![1, 1, 1]) && !all.contains(&vec![1, 1, 0]));
    assert!(all.contains(&vec![1, 0, 0]));

    // two readers see the stores of two writers in the same order
    let reader: &[Do] = &[Read(0, OPAQUE, 0), Read(0, OPAQUE, 1)];
    let writers = [Write(0, OPAQUE, 1), Write(0, OPAQUE, 2)];
    let seen = [(2, 0), (2, 1), (3, 0), (3, 1)];
    let all = outcomes(&[&writers[..1], &writers[1..], reader, reader], &seen);
    for a in 0..3 {
        for b in 0..3 {
            for c in 0..3 {
                for d in 0..3 {
                    // an order in which both saw them: 0 is first, once past a value it does not come back
                    let agrees = |order: [i64; 3]| {
                        let at = |v| order.iter().position(|&o| o == v);
                        at(a) <= at(b) && at(c) <= at(d)
                    };
                    let permitted = agrees([0, 1, 2]) || agrees([0, 2, 1]);
                    assert_eq!(
                        all.contains(&vec![a, b, c, d]),
                        permitted,
                        "{a} {b} {c} {d}"
                    );
                }
            }
        }
    }

    // a thread sees its own stores
    let own: &[Do] = &[Write(0, PLAIN, 1), Read(0, PLAIN, 0)];
    let all = outcomes(&[own, &[Write(0, PLAIN, 2)]], &[(0, 0)]);
    assert_eq!(all, set(&[[1], [2]]));
}

/// Independent reads of independent writes.
#[test]
fn multi_copy_atomicity() {
    let all = |store, load| {
        let one: &[Do] = &[Read(0, load, 0), Read(1, load, 1)];
        let two: &[Do] = &[Read(1, load, 0), Read(0, load, 1)];
        let writers = [Write(0, store, 1), Write(1, store, 1)];
        outcomes(
            &[&writers[..1], &writers[1..], one, two],
            &[(2, 0), (2, 1), (3, 0), (3, 1)],
        )
    };
    let disagree = vec![1, 0, 1, 0];
    assert_eq!(all(PLAIN, PLAIN).len(), 16);
    assert!(all(OPAQUE, OPAQUE).contains(&disagree));
    assert!(all(RELEASE, ACQUIRE).contains(&disagree));
    let sequential = all(VOLATILE, VOLATILE);
    assert!(!sequential.contains(&disagree));
    assert_eq!(sequential.len(), 15);
}

#[test]
fn updates_are_atomic() {
    for mode in [PLAIN, ACQUIRE, RELEASE, VOLATILE] {
        let add: &[Do] = &[GetAdd(0, mode, 1, 0)];
        let all = outcomes(&[add, add, add], &[(0, 0), (1, 0), (2, 0)]);
        assert_eq!(all.len(), 6, "{mode:?}");
        assert!(all.iter().all(|o| o.iter().sum::<i64>() == 3), "{mode:?}");
        let cas: &[Do] = &[Cas(0, mode, 0, 1, 0)];
        let won = outcomes(&[cas, cas], &[(0, 0), (1, 0)]);
        assert_eq!(won, set(&[[0, 1], [1, 0]]), "{mode:?}");
    }
    // loads and stores apart lose updates
    let increments: &[Do] = &[Read(0, VOLATILE, 0), Add(0, 1), WriteReg(0, VOLATILE, 0)];
    let all = outcomes(&[increments, increments], &[(0, 0), (1, 0)]);
    assert_eq!(all, set(&[[1, 1], [1, 2], [2, 1]]));
}

/// Object 0 is published by storing 1 to variable 0; variable 1 is its field.
#[test]
fn publication() {
    let built = |field, frozen: bool, publish| {
        let mut code = vec![Write(1, field, 1)];
        code.extend(frozen.then_some(Freeze));
        code.push(Write(0, publish, 1));
        let used: &[Do] = &[Read(0, PLAIN, 0), IfNot(0, 1, 3), Read(1, field, 1)];
        outcomes(&[&code, used], &[(1, 0), (1, 1)])
    };
    let half = set(&[[0, 0], [1, 0], [1, 1]]);
    let whole = set(&[[0, 0], [1, 1]]);
    assert_eq!(built(PLAIN, false, PLAIN), half);
    assert_eq!(built(FINAL, true, PLAIN), whole);
    assert_eq!(built(FINAL, false, PLAIN), half, "not yet frozen");
    // a volatile field is no final one; seen on AArch64
    assert_eq!(built(VOLATILE, false, PLAIN), half);
    // unless its thread synchronises before it publishes
    let code: &[Do] = &[Write(1, VOLATILE, 1), Fence(VOLATILE), Write(0, PLAIN, 1)];
    let used: &[Do] = &[Read(0, PLAIN, 0), IfNot(0, 1, 3), Read(1, VOLATILE, 1)];
    assert_eq!(outcomes(&[code, used], &[(1, 0), (1, 1)]), whole);

    // what is reached through a final field (2 is an element of the array in field 1)
    let code: &[Do] = &[
        Write(1, FINAL, 1),
        Write(2, PLAIN, 1),
        Freeze,
        Write(0, PLAIN, 1),
    ];
    let used: &[Do] = &[
        Read(0, PLAIN, 0),
        IfNot(0, 1, 4),
        Read(1, FINAL, 1),
        Read(2, PLAIN, 2),
    ];
    let all = outcomes(&[code, used], &[(1, 0), (1, 1), (1, 2)]);
    assert_eq!(all, set(&[[0, 0, 0], [1, 1, 1]]));
    // but not what was stored after the freeze
    let code: &[Do] = &[
        Write(1, FINAL, 1),
        Freeze,
        Write(2, PLAIN, 1),
        Write(0, PLAIN, 1),
    ];
    let all = outcomes(&[code, used], &[(1, 0), (1, 1), (1, 2)]);
    assert_eq!(all, set(&[[0, 0, 0], [1, 1, 0], [1, 1, 1]]));

    // double-checked locking without volatile: 1 is stored to the field, then published within the monitor
    let get: &[Do] = &[
        Read(0, PLAIN, 0),
        IfNot(0, 0, 8),
        Enter(0),
        Read(0, PLAIN, 0),
        IfNot(0, 0, 7),
        Write(1, PLAIN, 1),
        Write(0, PLAIN, 1),
        Exit(0),
        Read(1, PLAIN, 1),
    ];
    let all = outcomes(&[get, get], &[(0, 1), (1, 1)]);
    assert_eq!(all, set(&[[0, 1], [1, 0], [1, 1]]));
    let right = get.iter().map(|i| match *i {
        Read(0, _, r) => Read(0, VOLATILE, r),
        Write(0, _, v) => Write(0, VOLATILE, v),
        other => other,
    });
    let right: Vec<Do> = right.collect();
    assert_eq!(
        outcomes(&[&right, &right], &[(0, 1), (1, 1)]),
        set(&[[1, 1]])
    );
}

#[test]
fn starting_and_joining_publish() {
    let main: &[Do] = &[Write(0, PLAIN, 1), Start(1), Join(1), Read(1, PLAIN, 0)];
    let other: &[Do] = &[Read(0, PLAIN, 0), Write(1, PLAIN, 1)];
    let all = outcomes(&[main, other], &[(0, 0), (1, 0)]);
    assert_eq!(all, set(&[[1, 1]]));

    // two stores that are not ordered: either may be the last one, for good
    let main: &[Do] = &[Join(1), Join(2), Read(0, PLAIN, 0), Read(0, PLAIN, 1)];
    let all = outcomes(
        &[main, &[Write(0, PLAIN, 1)], &[Write(0, PLAIN, 2)]],
        &[(0, 0), (0, 1)],
    );
    assert_eq!(all, set(&[[1, 1], [2, 2]]));
}

/// Out of thin air: nobody stores 42.
#[test]
fn no_value_comes_from_nowhere() {
    let one: &[Do] = &[Read(0, PLAIN, 0), WriteReg(1, PLAIN, 0)];
    let two: &[Do] = &[Read(1, PLAIN, 0), WriteReg(0, PLAIN, 0)];
    assert_eq!(outcomes(&[one, two], &[(0, 0), (1, 0)]), set(&[[0, 0]]));
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
    for number in 0..400 {
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
    assert!(free > 50, "{free} programs without races");
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
        self.detector
            .executed(order, by, Op::new(kind, place), self.accesses);
    }
}

impl Store for Watched {
    fn read(&mut self, by: ThreadNo, place: Place, mode: Mode, s: &mut dyn Strategy) -> i64 {
        let value = self.modelled.read(by, place, mode, s);
        self.accessed(by, OpKind::Read(mode), place);
        value
    }
    fn write(&mut self, by: ThreadNo, place: Place, mode: Mode, value: i64) {
        self.modelled.write(by, place, mode, value);
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
        memory.write(t0, place, PLAIN, n, n + 1);
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
    memory.forget(place);
    assert_eq!(memory.read(t1, place, PLAIN, 3), 1);
    assert_eq!(memory.permitted().collect::<Vec<_>>(), [3]);
    assert_eq!(memory.take(0), 3);
}
