//! Runs of random programs under the memory model against the axioms: whatever a load sees, it may see by the definition of
//! happens-before, of coherence, and of the synchronisation order, which are computed here from the finished run.

use crate::all::*;
use crate::memory::Modelled;
use crate::toy::*;
use Do::*;
use rjvm_explore::{Mode, Op, OpKind, Place, Random, RandomWalk, Start, Strategy, ThreadNo};
use std::collections::{BTreeMap, BTreeSet};

/// An access or another operation of a run, and the store that it sees or is.
#[derive(Clone, Copy, Debug)]
struct Event {
    thread: ThreadNo,
    op: Op,
    /// The event that stored the value that it read; `None` for the initial value.
    sees: Option<usize>,
}

/// A memory whose values are the numbers of the events that stored them, so that each differs from all others.
struct Reported {
    model: Modelled,
    /// The values that events stored, by their numbers in the memory.
    values: Vec<i64>,
    events: Vec<Event>,
    orders: Orders,
}

/// The events that store to each variable, the oldest first.
type Orders = BTreeMap<Place, Vec<usize>>;

impl Reported {
    fn event(&mut self, thread: ThreadNo, op: Op, sees: Option<usize>) {
        self.events.push(Event { thread, op, sees });
    }

    /// The value of a number in the memory: 0 is the initial value, others are events counted from 1.
    fn value(&self, stored: i64) -> i64 {
        match stored {
            0 => 0,
            n => self.values[n as usize - 1],
        }
    }

    /// The next event stores, below so many other stores.
    fn stored(&mut self, place: Place, below: usize) {
        let order = self.orders.entry(place).or_default();
        order.insert(order.len() - below, self.events.len());
    }

    fn seen(stored: i64) -> Option<usize> {
        (stored as usize).checked_sub(1)
    }

    /// The number of the next event, as it is stored.
    fn next(&mut self, value: i64) -> i64 {
        self.values.resize(self.events.len() + 1, 0);
        self.values[self.events.len()] = value;
        self.events.len() as i64 + 1
    }
}

impl Store for Reported {
    fn read(&mut self, by: ThreadNo, place: Place, mode: Mode, s: &mut dyn Strategy) -> i64 {
        let stored = self.model.read(by, place, mode, s);
        self.event(
            by,
            Op::new(OpKind::Read(mode), place),
            Reported::seen(stored),
        );
        self.value(stored)
    }
    fn write(&mut self, by: ThreadNo, place: Place, mode: Mode, value: i64, s: &mut dyn Strategy) {
        let number = self.next(value);
        self.model.write(by, place, mode, number, s);
        self.stored(place, self.model.below);
        self.event(by, Op::new(OpKind::Write(mode), place), None);
    }
    fn update(
        &mut self,
        by: ThreadNo,
        place: Place,
        mode: Mode,
        new: &dyn Fn(i64) -> Option<i64>,
    ) -> i64 {
        let old = self.model.last(place);
        let changed = new(self.value(old));
        let number = changed.map(|value| self.next(value));
        self.model.update(by, place, mode, &|_| number);
        let kind = match changed {
            Some(_) => {
                self.stored(place, 0);
                OpKind::Update(mode)
            }
            None => OpKind::Read(mode),
        };
        self.event(by, Op::new(kind, place), Reported::seen(old));
        self.value(old)
    }
    fn synchronised(&mut self, by: ThreadNo, op: Op) {
        self.model.synchronised(by, op);
        self.event(by, op, None);
    }
    fn last(&self, place: Place) -> i64 {
        self.value(self.model.last(place))
    }
}

/// A relation between events.
struct Relation(Vec<BTreeSet<usize>>);

impl Relation {
    fn new(n: usize) -> Relation {
        Relation(vec![BTreeSet::new(); n])
    }

    fn add(&mut self, from: usize, to: usize) {
        self.0[from].insert(to);
    }

    /// The transitive closure, of a relation that may have cycles.
    fn closed(&self) -> Relation {
        let mut closed = Relation::new(self.0.len());
        for from in 0..self.0.len() {
            let mut left: Vec<usize> = self.0[from].iter().copied().collect();
            while let Some(next) = left.pop() {
                if closed.0[from].insert(next) {
                    left.extend(self.0[next].iter());
                }
            }
        }
        closed
    }

    fn has(&self, from: usize, to: usize) -> bool {
        self.0[from].contains(&to)
    }
}

fn is_synchronisation(op: Op) -> bool {
    match op.kind.access() {
        Some(mode) => mode == Mode::Volatile,
        None => op.kind != OpKind::Freeze,
    }
}

fn check(events: &[Event], orders: &Orders) {
    let n = events.len();
    let all = || (0..n).flat_map(|j| (0..j).map(move |i| (i, j)));
    let same = |i: usize, j: usize| events[i].op.place == events[j].op.place;
    let writes = |i: usize| events[i].op.kind.writes();
    let access = |i: usize| events[i].op.kind.access();
    // where a store is among those to its variable; what was there before is below all
    let rank = |store: Option<usize>| {
        let store = store?;
        let order = &orders[&events[store].op.place];
        order.iter().position(|&s| s == store)
    };
    let older = |i: usize, j: usize| rank(Some(i)) < rank(Some(j));
    let reads = |i: usize| access(i).is_some() && !matches!(events[i].op.kind, OpKind::Write(_));

    // synchronises-with: what is not an access, and what is read
    let mut before = Relation::new(n);
    for (i, j) in all() {
        let (a, b) = (&events[i], &events[j]);
        let orders = match (a.op.kind, b.op.kind) {
            _ if a.thread == b.thread => true,
            (OpKind::Exit, OpKind::Enter) => same(i, j),
            (OpKind::Start(t), _) if t == b.thread => true,
            (_, OpKind::Join(t)) if t == a.thread => true,
            _ => false,
        };
        if orders {
            before.add(i, j);
        }
    }
    for j in (0..n).filter(|&j| reads(j)) {
        let mut from = events[j].sees;
        let acquires = access(j).is_some_and(Mode::acquires);
        while let Some(i) = from.filter(|_| acquires) {
            if access(i).is_some_and(Mode::releases) {
                before.add(i, j);
            }
            // an update passes on what it has read
            from = match events[i].op.kind {
                OpKind::Update(_) => events[i].sees,
                _ => None,
            };
        }
    }
    let before = before.closed();
    for i in 0..n {
        assert!(!before.has(i, i), "happens-before has a cycle");
    }

    for j in (0..n).filter(|&j| reads(j)) {
        for k in (0..n).filter(|&k| k != j && writes(k) && same(j, k) && before.has(k, j)) {
            let overwritten = match events[j].sees {
                None => true,
                Some(i) => i != k && before.has(i, k),
            };
            assert!(!overwritten, "event {j} sees what {k} has overwritten");
        }
        if let Some(i) = events[j].sees {
            assert!(
                same(i, j) && writes(i),
                "event {j} sees a store of its variable"
            );
            assert!(
                !before.has(j, i),
                "event {j} sees a store that comes after it"
            );
        }
        if let OpKind::Update(_) = events[j].op.kind {
            let replaced = rank(Some(j)).and_then(|r| r.checked_sub(1));
            assert_eq!(rank(events[j].sees), replaced, "updates are atomic");
        }
    }

    // coherence: of two loads that are ordered the second does not see an older store, nor one older than a store before it
    let coherent = |i: usize| access(i).is_some_and(|m| !m.is_plain());
    for (i, j) in all().filter(|&(i, j)| same(i, j) && before.has(i, j)) {
        if reads(j) && coherent(j) {
            let floor = match (writes(i), reads(i) && coherent(i)) {
                (true, _) => Some(i),
                (_, true) => events[i].sees,
                _ => continue,
            };
            assert!(
                rank(events[j].sees) >= rank(floor),
                "event {j} sees less than {i}"
            );
        }
        if writes(j) {
            assert!(!writes(i) || older(i, j), "stores {i} and {j} are in order");
            let seen = events[i].sees.filter(|_| reads(i) && coherent(i));
            assert!(
                seen.is_none_or(|s| s == j || older(s, j)),
                "{j} is newer than what {i} sees"
            );
        }
    }

    // a synchronisation order: program order, the order of stores, and loads between those that they see and the next
    let mut order = Relation::new(n);
    let volatile_only: BTreeSet<Place> = {
        let accesses = (0..n).filter(|&i| access(i).is_some());
        let mut modes: BTreeMap<Place, BTreeSet<Mode>> = BTreeMap::new();
        for i in accesses {
            modes
                .entry(events[i].op.place)
                .or_default()
                .extend(access(i));
        }
        let only = modes.into_iter();
        only.filter(|(_, m)| m.len() == 1 && m.contains(&Mode::Volatile))
            .map(|(p, _)| p)
            .collect()
    };
    let takes_part = |i: usize| {
        let op = events[i].op;
        is_synchronisation(op) && (op.kind.access().is_none() || volatile_only.contains(&op.place))
    };
    for (i, j) in all().filter(|&(i, j)| takes_part(i) && takes_part(j)) {
        let both = access(i).is_some() && access(j).is_some() && same(i, j);
        if before.has(i, j) {
            order.add(i, j);
        }
        if both && writes(i) && writes(j) {
            match older(i, j) {
                true => order.add(i, j),
                false => order.add(j, i),
            }
        }
        if both && reads(j) && writes(i) && !writes(j) {
            // i is at or before what j sees, or after it
            match rank(Some(i)) <= rank(events[j].sees) {
                true => order.add(i, j),
                false => order.add(j, i),
            }
        }
        if both && reads(i) && writes(j) {
            order.add(i, j);
        }
    }
    let order = order.closed();
    for i in 0..n {
        assert!(
            !order.has(i, i),
            "no order of synchronisation explains event {i}"
        );
    }
}

/// Variables 0 to 3; the last two are volatile, and always accessed so.
fn program(random: &mut Random, threads: usize, length: usize) -> Program {
    let mut code: Vec<Vec<Do>> = Vec::new();
    for t in 0..threads {
        let mut own = Vec::new();
        let mut entered = false;
        for k in 0..length {
            let v = random.below(4) as usize;
            let r = random.below(REGISTERS as u64) as usize;
            let value = (10 * t + k + 1) as i64;
            let weak = [PLAIN, PLAIN, OPAQUE, Mode::Acquire, Mode::Release, VOLATILE];
            let mode = match v {
                2 | 3 => VOLATILE,
                _ => weak[random.below(6) as usize],
            };
            let load = match mode {
                Mode::Release => Mode::Acquire,
                mode => mode,
            };
            let store = match mode {
                Mode::Acquire => Mode::Release,
                mode => mode,
            };
            own.push(match random.below(11) {
                0..4 => Read(v, load, r),
                4..8 => Write(v, store, value),
                8 => GetAdd(v, mode, 1, r),
                9 => Cas(v, mode, 0, value, r),
                _ if entered => {
                    entered = false;
                    Exit(0)
                }
                _ => {
                    entered = true;
                    Enter(0)
                }
            });
        }
        own.extend(entered.then_some(Exit(0)));
        code.push(own);
    }
    let slices: Vec<&[Do]> = code.iter().map(|c| &c[..]).collect();
    Program::new(&slices)
}

/// The events of a run.
fn events(program: &Program, strategy: &mut dyn Strategy) -> (Vec<Event>, Orders) {
    let mut reported = Reported {
        model: Modelled::new(),
        values: Vec::new(),
        events: Vec::new(),
        orders: Orders::new(),
    };
    let run = run_on(program, strategy, &mut reported);
    assert_eq!(run.outcome.end, End::Done);
    (reported.events, reported.orders)
}

#[test]
fn random_runs_satisfy_the_axioms() {
    let mut old = 0;
    for number in 0..4000 {
        let mut random = Random::new(23, number);
        let (threads, length) = (2 + number as usize % 3, 4 + number as usize % 7);
        let program = program(&mut random, threads, length);
        let mut walk = RandomWalk::default();
        walk.begin(&Start {
            seed: 24,
            number,
            length: 0,
        });
        let (events, orders) = events(&program, &mut walk);
        check(&events, &orders);
        let newest = |j: usize| {
            let of_place = (0..j).rev();
            let is = |i: &usize| events[*i].op.place == events[j].op.place;
            of_place.filter(is).find(|&i| events[i].op.kind.writes())
        };
        let loads = (0..events.len()).filter(|&j| matches!(events[j].op.kind, OpKind::Read(_)));
        old += loads.filter(|&j| events[j].sees != newest(j)).count();
    }
    assert!(old > 3000, "{old} loads see an old store");
}

#[test]
fn all_runs_of_small_programs_satisfy_the_axioms() {
    for number in 0..6 {
        let mut random = Random::new(29, number);
        let program = program(&mut random, 2 + number as usize % 2, 3);
        let mut all = All::default();
        loop {
            let (events, orders) = events(&program, &mut all);
            check(&events, &orders);
            if !all.advance() {
                break;
            }
        }
    }
}

/// What the axioms have to forbid, they forbid.
#[test]
fn the_axioms_can_fail() {
    let at = |thread, kind, place, sees| Event {
        thread: ThreadNo(thread),
        op: Op::new(kind, Place(place)),
        sees,
    };
    let (load, store) = (OpKind::Read, OpKind::Write);
    let forbidden = |events: &[Event]| {
        let mut orders = Orders::new();
        for (i, event) in events.iter().enumerate() {
            if event.op.kind.writes() {
                orders.entry(event.op.place).or_default().push(i);
            }
        }
        std::panic::catch_unwind(|| check(events, &orders)).is_err()
    };
    let buffering = |mode| {
        [
            at(0, store(mode), 1, None),
            at(1, store(mode), 2, None),
            at(0, load(mode), 2, None),
            at(1, load(mode), 1, None),
        ]
    };
    assert!(forbidden(&buffering(VOLATILE)) && !forbidden(&buffering(OPAQUE)));
    let passing = |release, acquire| {
        [
            at(0, store(PLAIN), 1, None),
            at(0, store(release), 2, None),
            at(1, load(acquire), 2, Some(1)),
            at(1, load(PLAIN), 1, None),
        ]
    };
    assert!(forbidden(&passing(Mode::Release, Mode::Acquire)));
    assert!(!forbidden(&passing(OPAQUE, OPAQUE)));
    let twice = |mode| {
        [
            at(0, store(mode), 1, None),
            at(1, load(mode), 1, Some(0)),
            at(1, load(mode), 1, None),
        ]
    };
    assert!(forbidden(&twice(OPAQUE)) && !forbidden(&twice(PLAIN)));
}
