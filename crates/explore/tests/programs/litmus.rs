//! Litmus tests: the outcomes of all runs are those that JLS 17 and the documentation of `VarHandle` permit, and that
//! jcstress reports real machines.

use crate::all::*;
use crate::memory::Modelled;
use crate::toy::*;
use Do::*;
use rjvm_explore::Mode;
use std::collections::BTreeSet;

const ACQUIRE: Mode = Mode::Acquire;
const RELEASE: Mode = Mode::Release;
const FINAL: Mode = Mode::Final;

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

/// An update by a third thread passes on earlier releases; a store does not.
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

/// Stores to a variable are in one order, which need not be that in which they are performed.
#[test]
fn orders_of_stores() {
    // what the variables are at the end
    let last = |threads: &[&[Do]]| {
        let program = Program::new(threads);
        let mut found = BTreeSet::new();
        let mut all = All::default();
        loop {
            let run = run_on(&program, &mut all, &mut Modelled::new());
            let r = run.outcome.registers[1][0];
            let mut seen = run.outcome.variables;
            seen.push(r);
            found.insert(seen);
            if !all.advance() {
                return found;
            }
        }
    };
    for (mode, weak) in [
        (PLAIN, true),
        (OPAQUE, true),
        (Mode::Release, true),
        (VOLATILE, false),
    ] {
        let one: &[Do] = &[Write(0, mode, 1), Write(1, mode, 2)];
        let two: &[Do] = &[Write(1, mode, 1), Write(0, mode, 2)];
        let both = last(&[one, two]);
        assert_eq!(both.contains(&vec![1, 1, 0]), weak, "2+2W {mode:?}");
        assert!(both.contains(&vec![2, 2, 0]) && both.contains(&vec![1, 2, 0]));
    }
    // S: the store that is seen comes after one that is overwritten by what follows the load
    let stores = |mode| -> Vec<Do> { vec![Write(0, PLAIN, 2), Write(1, mode, 1)] };
    let load = |mode| -> Vec<Do> { vec![Read(1, mode, 0), Write(0, PLAIN, 1)] };
    assert!(last(&[&stores(PLAIN), &load(PLAIN)]).contains(&vec![2, 1, 1]));
    let synchronised = last(&[&stores(Mode::Release), &load(ACQUIRE)]);
    assert!(!synchronised.contains(&vec![2, 1, 1]));
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

/// Out of thin air: no thread stores 42.
#[test]
fn no_value_comes_from_nowhere() {
    let one: &[Do] = &[Read(0, PLAIN, 0), WriteReg(1, PLAIN, 0)];
    let two: &[Do] = &[Read(1, PLAIN, 0), WriteReg(0, PLAIN, 0)];
    assert_eq!(outcomes(&[one, two], &[(0, 0), (1, 0)]), set(&[[0, 0]]));
}
