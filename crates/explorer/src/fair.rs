//! The choice of a thread where a strategy, or the rest of a schedule, would starve one.

use rjvm_explore::{Choice, Op, OpKind, Random, Spinning, ThreadNo};

/// Turns of the half of a schedule in which they are taken, about.
const TURNS: u64 = 500;

/// Threads in turns, as a machine would have them run: of a length by chance, and shorter when they only wait for the work of
/// another thread. It decides in the second half of the bytecodes that a schedule may execute.
#[derive(Clone, Debug, Default)]
pub struct Fair {
    /// Bytecodes after which it decides; 0: never.
    from: u64,
    /// The length of a turn on average.
    mean: u64,
    random: Random,
    spinning: Spinning,
    /// It decides now.
    decides: bool,
    /// Whose turn it is, and until when.
    turn: Option<(ThreadNo, u64)>,
}

impl Fair {
    /// In the second half of `most` bytecodes from `now` on.
    pub fn new(now: u64, most: u64, [seed, number]: [u64; 2]) -> Fair {
        let half = most / 2;
        Fair {
            from: (now + half).max(1),
            mean: (half / TURNS).max(1),
            random: Random::new(seed, number),
            ..Fair::default()
        }
    }
    /// Whether it decides at this number of bytecodes, and from then on.
    pub fn decides_at(&mut self, now: i64) -> bool {
        self.decides |= self.from > 0 && now as u64 >= self.from;
        self.decides
    }
    /// Whether it decides.
    pub fn decides(&self) -> bool {
        self.decides
    }
    /// The index of the candidate that runs next.
    pub fn choose(&mut self, choice: &Choice<'_>, now: i64) -> usize {
        let now = now as u64;
        let all = choice.candidates;
        let goes_on = choice.current.filter(|&i| {
            let c = all[i];
            let turn = self.turn.is_some_and(|(t, end)| t == c.thread && now < end);
            turn && !c.op.kind.gives_way()
        });
        if let Some(current) = goes_on {
            return current;
        }
        let last = self.turn.map(|(t, _)| t);
        // time passes when all have had their turn, and now and then before
        let early = self.random.below(4) == 0;
        let may = |i: &usize| early || all[*i].op.kind != OpKind::Timeout;
        let after = (0..all.len()).filter(|&i| last.is_none_or(|l| all[i].thread > l));
        let next = after.chain(0..all.len()).find(may).unwrap_or(0);
        let length = 1 + self.random.below(2 * self.mean);
        self.turn = Some((all[next].thread, now + length));
        next
    }
    /// A thread has performed an operation.
    pub fn executed(&mut self, thread: ThreadNo, op: Op, changed: bool) {
        if self.decides
            && self.spinning.gives_way(thread, op, changed)
            && let Some((t, end)) = &mut self.turn
            && *t == thread
        {
            *end = 0;
        }
    }
}
