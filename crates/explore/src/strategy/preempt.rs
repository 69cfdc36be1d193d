//! A few preemptions: a thread runs until it cannot, except at a few places, where another thread takes over.

use super::{Choice, Spinning, Start, Strategy, Values};
use crate::{Candidate, Op, OpKind, Random, ThreadNo};

/// Threads run until they are blocked; then, and at `most` places, drawn from all choices of the schedule, one of the others
/// takes over, each as likely. Most failures need two or fewer of these places, for any number of threads (Musuvathi and Qadeer,
/// PLDI 2007): one that needs the place is found with a probability of about 1 / (n · k) in each schedule of n threads and k
/// choices.
///
/// Where many threads do the same, both are far smaller than they need be. So three of four schedules go by kinds of threads: a place is an
/// operation of the first thread of a kind that comes to it, or of one of the first, and a kind runs next, each as likely, with
/// its first thread or any. What happens between one of a hundred writers and the reader is then as likely as between two
/// threads.
#[derive(Clone, Debug)]
pub struct Preempt {
    most: u32,
    random: Random,
    values: Values,
    /// The choices at which another thread takes over, the next one last.
    places: Vec<u64>,
    /// Choices between two threads or more so far.
    choices: u64,
    /// In a schedule that goes by kinds of threads: the places.
    spots: Option<Vec<Spot>>,
    /// By thread: its kind, and how many operations it has performed.
    threads: Vec<(u32, u64)>,
    spinning: Spinning,
    /// The thread that gives way.
    away: Option<ThreadNo>,
}

/// A place in the code of threads of a kind.
#[derive(Clone, Copy, Debug)]
struct Spot {
    kind: u32,
    /// Operations before it.
    nth: u64,
    /// Threads that ignore this and continue there.
    pass: u64,
    /// The last of them.
    passed: Option<ThreadNo>,
}

impl Spot {
    fn draw(random: &mut Random) -> Spot {
        // the kinds that are started first, the first threads of them and their first operations matter in most programs
        let kind = match random.below(8) {
            0..4 => 1,
            4 | 5 => 2,
            6 => 0,
            _ => 3 + random.below(5) as u32,
        };
        // up to so many times a power of two, small ones more often
        let mut small = |least: u64, powers: u64| {
            let most = least << random.below(powers);
            random.below(most)
        };
        let (near, far) = (small(8, 1), small(16, 8));
        let late = small(2, 6);
        let nth = if random.below(2) == 0 { near } else { far };
        let pass = if random.below(2) == 0 { 0 } else { late };
        Spot {
            kind,
            nth,
            pass,
            passed: None,
        }
    }

    /// Whether a thread that has performed so many operations is interrupted here.
    fn takes(&mut self, thread: ThreadNo, (kind, done): (u32, u64)) -> bool {
        if (kind, done) != (self.kind, self.nth) {
            return false;
        }
        if self.pass > 0 && self.passed != Some(thread) {
            self.pass -= 1;
            self.passed = Some(thread);
            return false;
        }
        self.passed != Some(thread)
    }
}

/// The longest schedule assumed where the length is not known, as a power of two.
const UNKNOWN_LENGTH: u64 = 10;

impl Preempt {
    /// At most so many places.
    pub fn new(most: u32) -> Preempt {
        Preempt {
            most,
            random: Random::default(),
            values: Values::default(),
            places: Vec::new(),
            choices: 0,
            spots: None,
            threads: Vec::new(),
            spinning: Spinning::default(),
            away: None,
        }
    }
}

impl Preempt {
    fn thread(&mut self, thread: ThreadNo) -> &mut (u32, u64) {
        if self.threads.len() <= thread.index() {
            self.threads.resize(thread.index() + 1, (0, 0));
        }
        &mut self.threads[thread.index()]
    }

    /// Whether a thread is interrupted before what it does next.
    fn is_spot(&mut self, thread: ThreadNo) -> bool {
        let at = *self.thread(thread);
        let Some(spots) = &mut self.spots else {
            return false;
        };
        let found = spots.iter_mut().position(|s| s.takes(thread, at));
        found.map(|i| spots.swap_remove(i)).is_some()
    }

    /// Leaves threads of one kind, each kind as likely.
    fn keep_one_kind(&mut self, ready: &mut Vec<usize>, all: &[Candidate]) {
        let mut kinds: Vec<u32> = ready
            .iter()
            .map(|&i| self.thread(all[i].thread).0)
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        let kind = kinds[self.random.index(kinds.len())];
        ready.retain(|&i| self.thread(all[i].thread).0 == kind);
    }
}

impl Strategy for Preempt {
    fn begin(&mut self, start: &Start) {
        *self = Preempt::new(self.most);
        self.random = Random::new(start.seed, start.number);
        self.values = Values::begin(&mut self.random);
        if self.random.below(4) > 0 {
            let spots = (0..self.most).map(|_| Spot::draw(&mut self.random));
            self.spots = Some(spots.collect());
            return;
        }
        let length = match start.length {
            0 => 4 << self.random.below(UNKNOWN_LENGTH),
            known => known,
        };
        for _ in 0..self.most {
            self.places.push(self.random.below(length));
        }
        self.places.sort_unstable_by(|a, b| b.cmp(a));
    }

    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        let all = choice.candidates;
        if all.len() < 2 {
            return 0;
        }
        let now = self.choices;
        self.choices += 1;
        let mut goes_on = choice.current.filter(|&i| {
            let c = all[i];
            !c.op.kind.gives_way() && c.op.kind != OpKind::Timeout && self.away != Some(c.thread)
        });
        while self.places.last().is_some_and(|&at| at <= now) {
            self.places.pop();
            goes_on = None;
        }
        if let Some(i) = goes_on
            && self.is_spot(all[i].thread)
        {
            goes_on = None;
        }
        self.away = None;
        if let Some(current) = goes_on {
            return current;
        }
        let others = (0..all.len()).filter(|&i| choice.current != Some(i));
        // time passes as seldom as a thread is switched
        let mut ready: Vec<usize> = others.clone().collect();
        if self.random.below(4) > 0 {
            ready.retain(|&i| all[i].op.kind != OpKind::Timeout);
        }
        if ready.is_empty() {
            ready = others.collect();
        }
        if self.spots.is_some() {
            self.keep_one_kind(&mut ready, all);
            if self.random.below(2) == 0 {
                return ready[0];
            }
        }
        ready[self.random.index(ready.len())]
    }

    fn choose_value(&mut self, n: usize) -> usize {
        self.values.choose(&mut self.random, n)
    }

    fn started(&mut self, thread: ThreadNo, kind: u32) {
        self.thread(thread).0 = kind;
    }

    fn executed(&mut self, thread: ThreadNo, op: Op, changed: bool) {
        self.thread(thread).1 += 1;
        if self.spinning.gives_way(thread, op, changed) {
            self.away = Some(thread);
        }
    }
}
