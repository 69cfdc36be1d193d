//! A machine with threads, registers, variables, monitors, waiting and parking. It asks a strategy before each
//! operation that another thread could notice.

use rjvm_explore::{Candidate, Choice, Mode, Op, OpKind, Place, Strategy, ThreadNo};

pub const REGISTERS: usize = 4;
pub const PLAIN: Mode = Mode::Plain;
pub const OPAQUE: Mode = Mode::Opaque;
pub const VOLATILE: Mode = Mode::Volatile;

/// An instruction. Variables, monitors, registers, threads and targets of jumps are indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Do {
    Read(usize, Mode, usize),
    Write(usize, Mode, i64),
    WriteReg(usize, Mode, usize),
    /// Expected and new value; the register is 1 if it was stored.
    Cas(usize, Mode, i64, i64, usize),
    GetAdd(usize, Mode, i64, usize),
    Fence(Mode),
    Enter(usize),
    Exit(usize),
    Wait(usize),
    /// The register is 1 if the time was over.
    TimedWait(usize, usize),
    Notify(usize),
    NotifyAll(usize),
    Park,
    Unpark(u32),
    Start(u32),
    Join(u32),
    Yield,
    Freeze,
    Add(usize, i64),
    IfNot(usize, i64, usize),
    Goto(usize),
    Assert(usize, i64),
}
use Do::*;

/// A program: the threads' instructions. Those that no thread starts run from the beginning.
#[derive(Clone, Debug)]
pub struct Program {
    pub threads: Vec<Vec<Do>>,
    pub variables: usize,
    pub monitors: usize,
}

impl Program {
    pub fn new(threads: &[&[Do]]) -> Program {
        let threads: Vec<Vec<Do>> = threads.iter().map(|t| t.to_vec()).collect();
        let (mut variables, mut monitors) = (0, 0);
        for instruction in threads.iter().flatten() {
            match *instruction {
                Read(v, ..) | Write(v, ..) | WriteReg(v, ..) | Cas(v, ..) | GetAdd(v, ..) => {
                    variables = variables.max(v + 1);
                }
                Enter(m) | Exit(m) | Wait(m) | TimedWait(m, _) | Notify(m) | NotifyAll(m) => {
                    monitors = monitors.max(m + 1);
                }
                _ => {}
            }
        }
        Program {
            threads,
            variables,
            monitors,
        }
    }
}

impl Program {
    /// Threads with the same instructions are of one kind.
    fn kind(&self, thread: ThreadNo) -> u32 {
        let mut kinds: Vec<&Vec<Do>> = Vec::new();
        for t in &self.threads[..=thread.index()] {
            if !kinds.contains(&t) {
                kinds.push(t);
            }
        }
        let own = &self.threads[thread.index()];
        kinds.iter().position(|&k| k == own).expect("it is there") as u32
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    NotStarted,
    Begins,
    Runs,
    /// In the monitor, as often as it had entered it; whether the time can be over.
    Waits(usize, u32, Option<usize>),
    /// Woken, and has to enter again.
    Woken(usize, u32),
    Parked,
    Done,
}

#[derive(Clone, Debug)]
struct Thread {
    status: Status,
    pc: usize,
    registers: [i64; REGISTERS],
    permit: bool,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    Done,
    /// These threads wait forever.
    Stuck(Vec<u32>),
    /// An assertion of this thread failed.
    Failed(u32),
    /// More steps than a run may have.
    TooLong,
    /// The strategy said that the rest is known.
    Redundant,
}

/// The observed outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome {
    pub end: End,
    pub registers: Vec<[i64; REGISTERS]>,
    pub variables: Vec<i64>,
}

/// A point that was passed.
#[derive(Clone, Debug)]
pub struct Point {
    pub candidates: Vec<Candidate>,
    pub chosen: usize,
    /// What the operation turned out to be.
    pub op: Op,
}

impl Point {
    pub fn thread(&self) -> ThreadNo {
        self.candidates[self.chosen].thread
    }
}

pub struct Run {
    pub outcome: Outcome,
    pub points: Vec<Point>,
    /// What threads that have not ended would have done next.
    pub left: Vec<Candidate>,
}

/// Where values are stored.
pub trait Store {
    fn read(&mut self, by: ThreadNo, place: Place, mode: Mode, s: &mut dyn Strategy) -> i64;
    fn write(&mut self, by: ThreadNo, place: Place, mode: Mode, value: i64, s: &mut dyn Strategy);
    /// The new value for an old one, or nothing.
    fn update(
        &mut self,
        by: ThreadNo,
        place: Place,
        mode: Mode,
        new: &dyn Fn(i64) -> Option<i64>,
    ) -> i64;
    /// Any other operation.
    fn synchronised(&mut self, by: ThreadNo, op: Op);
    fn last(&self, place: Place) -> i64;
}

/// Sequentially consistent.
pub struct Simple(Vec<i64>);

impl Simple {
    pub fn new(program: &Program) -> Simple {
        Simple(vec![0; program.variables])
    }
}

fn index(place: Place) -> usize {
    place.0 as usize - 1000
}

impl Store for Simple {
    fn read(&mut self, _: ThreadNo, place: Place, _: Mode, _: &mut dyn Strategy) -> i64 {
        self.0[index(place)]
    }
    fn write(&mut self, _: ThreadNo, place: Place, _: Mode, value: i64, _: &mut dyn Strategy) {
        self.0[index(place)] = value;
    }
    fn update(
        &mut self,
        _: ThreadNo,
        place: Place,
        _: Mode,
        new: &dyn Fn(i64) -> Option<i64>,
    ) -> i64 {
        let old = self.0[index(place)];
        if let Some(new) = new(old) {
            self.0[index(place)] = new;
        }
        old
    }
    fn synchronised(&mut self, _: ThreadNo, _: Op) {}
    fn last(&self, place: Place) -> i64 {
        self.0[index(place)]
    }
}

pub fn variable(v: usize) -> Place {
    Place(1000 + v as u64)
}

fn monitor(m: usize) -> Place {
    Place(1 + m as u64)
}

const LONGEST: usize = 5000;

struct Machine<'a> {
    program: &'a Program,
    threads: Vec<Thread>,
    /// Owner and how often it has entered.
    monitors: Vec<(Option<u32>, u32)>,
    store: &'a mut dyn Store,
}

/// Runs a program sequentially consistently.
pub fn run(program: &Program, strategy: &mut dyn Strategy) -> Run {
    run_on(program, strategy, &mut Simple::new(program))
}

/// Runs a program.
pub fn run_on(program: &Program, strategy: &mut dyn Strategy, store: &mut dyn Store) -> Run {
    let mut machine = Machine::new(program, store);
    let mut points: Vec<Point> = Vec::new();
    let mut last = None;
    let end = loop {
        let candidates = machine.candidates();
        if candidates.is_empty() {
            break machine.nobody();
        }
        if points.len() == LONGEST {
            break End::TooLong;
        }
        let current = candidates.iter().position(|c| Some(c.thread) == last);
        let chosen = strategy.choose(&Choice {
            candidates: &candidates,
            current,
            step: points.len() as u64,
        });
        if strategy.redundant() {
            break End::Redundant;
        }
        let Candidate { thread, op } = candidates[chosen];
        let place = op.kind.access().map(|_| op.place);
        let held = place.map(|p| machine.store.last(p));
        let (op, fails) = machine.perform(thread, op, strategy);
        let changed = held != place.map(|p| machine.store.last(p));
        if let OpKind::Start(child) = op.kind {
            strategy.started(child, program.kind(child));
        }
        strategy.executed(thread, op, changed);
        last = Some(thread);
        points.push(Point {
            candidates,
            chosen,
            op,
        });
        if fails {
            break End::Failed(thread.0);
        }
    };
    let outcome = Outcome {
        end,
        registers: machine.threads.iter().map(|t| t.registers).collect(),
        variables: (0..program.variables)
            .map(|v| machine.store.last(variable(v)))
            .collect(),
    };
    let threads = 0..program.threads.len();
    let left = threads.filter_map(|t| {
        let op = machine.next(t)?;
        Some(Candidate::new(ThreadNo(t as u32), op))
    });
    let left = left.collect();
    Run {
        outcome,
        points,
        left,
    }
}

impl<'a> Machine<'a> {
    fn new(program: &'a Program, store: &'a mut dyn Store) -> Machine<'a> {
        let all = program.threads.iter().flatten();
        let started: Vec<u32> = all
            .filter_map(|i| match i {
                Start(t) => Some(*t),
                _ => None,
            })
            .collect();
        let thread = |t| Thread {
            status: match started.contains(&t) {
                true => Status::NotStarted,
                false => Status::Runs,
            },
            pc: 0,
            registers: [0; REGISTERS],
            permit: false,
        };
        let mut machine = Machine {
            program,
            threads: (0..program.threads.len() as u32).map(thread).collect(),
            monitors: vec![(None, 0); program.monitors],
            store,
        };
        for t in 0..machine.threads.len() {
            machine.silent(t);
        }
        machine
    }

    fn nobody(&self) -> End {
        let left = |t: &Thread| !matches!(t.status, Status::Done | Status::NotStarted);
        let stuck = (0..self.threads.len()).filter(|&t| left(&self.threads[t]));
        match stuck.map(|t| t as u32).collect::<Vec<_>>() {
            none if none.is_empty() => End::Done,
            stuck => End::Stuck(stuck),
        }
    }

    fn candidates(&self) -> Vec<Candidate> {
        let all = (0..self.threads.len()).filter_map(|t| {
            let op = self.pending(t)?;
            Some(Candidate::new(ThreadNo(t as u32), op))
        });
        all.collect()
    }

    /// The operation of a thread that can run.
    fn pending(&self, t: usize) -> Option<Op> {
        let free = |m: usize| self.monitors[m].0.is_none_or(|owner| owner == t as u32);
        let thread = &self.threads[t];
        let can = match thread.status {
            Status::Waits(_, _, timed) => timed.is_some(),
            Status::Woken(m, _) => free(m),
            Status::Parked => thread.permit,
            Status::Runs => match self.program.threads[t].get(thread.pc) {
                Some(&Enter(m)) => free(m),
                Some(&Join(o)) => self.threads[o as usize].status == Status::Done,
                _ => true,
            },
            _ => true,
        };
        self.next(t).filter(|_| can)
    }

    /// The next operation of a thread, when it can run.
    fn next(&self, t: usize) -> Option<Op> {
        let thread = &self.threads[t];
        match thread.status {
            Status::NotStarted | Status::Done => None,
            Status::Begins => Some(Op::plain(OpKind::Begin)),
            Status::Waits(m, _, Some(_)) => Some(Op::new(OpKind::Timeout, monitor(m))),
            Status::Waits(m, ..) | Status::Woken(m, _) => Some(Op::new(OpKind::Resume, monitor(m))),
            Status::Parked => Some(Op::plain(OpKind::Resume)),
            Status::Runs => {
                let Some(&instruction) = self.program.threads[t].get(thread.pc) else {
                    return Some(Op::plain(OpKind::End));
                };
                let (kind, place) = match instruction {
                    Read(v, mode, _) => (OpKind::Read(mode), variable(v)),
                    Write(v, mode, _) | WriteReg(v, mode, _) => (OpKind::Write(mode), variable(v)),
                    Cas(v, mode, ..) | GetAdd(v, mode, ..) => (OpKind::Update(mode), variable(v)),
                    Fence(mode) => (OpKind::Fence(mode), Place::NONE),
                    Enter(m) => (OpKind::Enter, monitor(m)),
                    Exit(m) => (OpKind::Exit, monitor(m)),
                    Wait(m) | TimedWait(m, _) => (OpKind::Wait, monitor(m)),
                    Notify(m) => (OpKind::Notify, monitor(m)),
                    NotifyAll(m) => (OpKind::NotifyAll, monitor(m)),
                    Park => (OpKind::Park, Place::NONE),
                    Unpark(o) => (OpKind::Unpark(ThreadNo(o)), Place::NONE),
                    Start(o) => (OpKind::Start(ThreadNo(o)), Place::NONE),
                    Join(o) => (OpKind::Join(ThreadNo(o)), Place::NONE),
                    Yield => (OpKind::Yield, Place::NONE),
                    Freeze => (OpKind::Freeze, Place::NONE),
                    // its assertion has failed
                    Add(..) | IfNot(..) | Goto(_) | Assert(..) => return None,
                };
                Some(Op::new(kind, place))
            }
        }
    }

    /// Performs a thread's pending operation. What it was, and whether an assertion fails after it.
    fn perform(&mut self, thread: ThreadNo, op: Op, s: &mut dyn Strategy) -> (Op, bool) {
        let t = thread.index();
        let mut done = op;
        match self.threads[t].status {
            Status::Begins => self.threads[t].status = Status::Runs,
            Status::Waits(m, depth, timed) => {
                if let Some(register) = timed {
                    self.threads[t].registers[register] = 1;
                }
                self.threads[t].status = Status::Woken(m, depth);
            }
            Status::Woken(m, depth) => {
                self.monitors[m] = (Some(thread.0), depth);
                self.threads[t].status = Status::Runs;
            }
            Status::Parked => {
                self.threads[t].permit = false;
                self.threads[t].status = Status::Runs;
            }
            Status::Runs => match self.program.threads[t].get(self.threads[t].pc) {
                None => self.threads[t].status = Status::Done,
                Some(&instruction) => {
                    self.threads[t].pc += 1;
                    done = self.execute(t, instruction, op, s);
                }
            },
            Status::NotStarted | Status::Done => unreachable!("it can't go on"),
        }
        if op.kind.access().is_none() {
            self.store.synchronised(thread, op);
        }
        (done, self.silent(t))
    }

    fn execute(&mut self, t: usize, instruction: Do, op: Op, s: &mut dyn Strategy) -> Op {
        let by = ThreadNo(t as u32);
        match instruction {
            Read(v, mode, r) => {
                self.threads[t].registers[r] = self.store.read(by, variable(v), mode, s);
            }
            Write(v, mode, value) => self.store.write(by, variable(v), mode, value, s),
            WriteReg(v, mode, r) => {
                let value = self.threads[t].registers[r];
                self.store.write(by, variable(v), mode, value, s);
            }
            Cas(v, mode, expected, new, r) => {
                let new = |old| (old == expected).then_some(new);
                let old = self.store.update(by, variable(v), mode, &new);
                self.threads[t].registers[r] = i64::from(old == expected);
                if old != expected {
                    return Op::new(OpKind::Read(mode), op.place);
                }
            }
            GetAdd(v, mode, n, r) => {
                let old = self
                    .store
                    .update(by, variable(v), mode, &|old| Some(old + n));
                self.threads[t].registers[r] = old;
            }
            Enter(m) => self.monitors[m] = (Some(by.0), self.monitors[m].1 + 1),
            Exit(m) => {
                self.monitors[m].1 -= 1;
                if self.monitors[m].1 == 0 {
                    self.monitors[m].0 = None;
                }
            }
            Wait(m) => self.wait(t, m, None),
            TimedWait(m, r) => self.wait(t, m, Some(r)),
            Notify(m) => {
                let waits = |t: &&mut Thread| matches!(t.status, Status::Waits(n, ..) if n == m);
                self.threads
                    .iter_mut()
                    .find(waits)
                    .into_iter()
                    .for_each(wake);
            }
            NotifyAll(m) => {
                let waits = |t: &&mut Thread| matches!(t.status, Status::Waits(n, ..) if n == m);
                self.threads.iter_mut().filter(waits).for_each(wake);
            }
            Park => {
                let permit = std::mem::take(&mut self.threads[t].permit);
                if !permit {
                    self.threads[t].status = Status::Parked;
                }
            }
            Unpark(o) => self.threads[o as usize].permit = true,
            Start(o) => self.threads[o as usize].status = Status::Begins,
            _ => {}
        }
        op
    }

    fn wait(&mut self, t: usize, m: usize, timed: Option<usize>) {
        let (owner, depth) = std::mem::take(&mut self.monitors[m]);
        assert_eq!(owner, Some(t as u32), "who waits has entered");
        self.threads[t].status = Status::Waits(m, depth, timed);
    }

    /// Performs operations that no other thread notices. Whether an assertion failed.
    fn silent(&mut self, t: usize) -> bool {
        let thread = &mut self.threads[t];
        while let Some(&instruction) = self.program.threads[t].get(thread.pc) {
            match instruction {
                Add(r, n) => thread.registers[r] += n,
                IfNot(r, value, to) if thread.registers[r] != value => {
                    thread.pc = to;
                    continue;
                }
                IfNot(..) => {}
                Goto(to) => {
                    thread.pc = to;
                    continue;
                }
                Assert(r, value) if thread.registers[r] != value => return true,
                Assert(..) => {}
                _ => break,
            }
            thread.pc += 1;
        }
        false
    }
}

fn wake(thread: &mut Thread) {
    if let Status::Waits(m, depth, _) = thread.status {
        thread.status = Status::Woken(m, depth);
    }
}
