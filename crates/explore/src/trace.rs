//! The choices and operations of a run, as data for a planner of further runs.

use crate::{Candidate, Choice, Decision, Mode, Op, OpKind, Place, Start, Strategy, ThreadNo};

/// A scheduling point that was passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The threads that could run.
    pub candidates: Vec<Candidate>,
    /// Which of them was the one that ran before.
    pub current: Option<usize>,
    /// Which of them went on.
    pub chosen: usize,
    /// What its operation turned out to be.
    pub op: Op,
    /// The choices of stores that it saw: which, of how many, where there was more than one.
    pub values: Vec<(usize, usize)>,
}

impl Step {
    /// The thread that went on.
    pub fn thread(&self) -> ThreadNo {
        self.candidates[self.chosen].thread
    }

    /// The thread and what it did.
    pub fn event(&self) -> Candidate {
        Candidate::new(self.thread(), self.op)
    }
}

/// The steps of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// In order.
    pub steps: Vec<Step>,
    /// What threads that have not ended would have done next, whether they could or were blocked.
    pub left: Vec<Candidate>,
    /// Whether the run was left off because the rest repeats another run.
    pub redundant: bool,
    /// Whether the run went on beyond these steps: there were more than [`Trace::MOST`].
    pub cut: bool,
}

impl Trace {
    /// Steps of a trace, at most. Who waits by looking again and again takes as many as a run may have bytecodes, and each of
    /// them is kept with what else could have been done there.
    pub const MOST: usize = 10_000;

    /// The choices between several threads or values: what [`Guided`](crate::Guided) follows.
    pub fn decisions(&self) -> Vec<Decision> {
        let mut decisions = Vec::new();
        for step in &self.steps {
            if step.candidates.len() > 1 {
                decisions.push(Decision::Run(step.thread()));
            }
            decisions.extend(step.values.iter().map(|&(k, _)| Decision::Value(k)));
        }
        decisions
    }
}

/// Records what a strategy chooses.
pub struct Recorder<S> {
    strategy: S,
    trace: Trace,
    /// The step that was chosen and has not been executed.
    open: Option<Step>,
    /// The choices of stores since the last step.
    values: Vec<(usize, usize)>,
}

impl<S: Strategy> Recorder<S> {
    /// Records what `strategy` chooses.
    pub fn new(strategy: S) -> Recorder<S> {
        Recorder {
            strategy,
            trace: Trace::default(),
            open: None,
            values: Vec::new(),
        }
    }

    /// The trace, and the strategy. `left` has the next operations of threads that have not ended: a thread that waits for a
    /// monitor enters, a thread that waits for another thread joins.
    pub fn into_parts(mut self, left: Vec<Candidate>) -> (Trace, S) {
        self.trace.left = left;
        self.trace.redundant = self.strategy.redundant();
        (self.trace, self.strategy)
    }
}

impl<S: Strategy> Strategy for Recorder<S> {
    fn begin(&mut self, start: &Start) {
        self.trace = Trace::default();
        self.open = None;
        self.values.clear();
        self.strategy.begin(start);
    }

    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        let chosen = self.strategy.choose(choice);
        self.open = Some(Step {
            candidates: choice.candidates.to_vec(),
            current: choice.current,
            chosen,
            op: choice.candidates[chosen].op,
            values: Vec::new(),
        });
        chosen
    }

    fn choose_value(&mut self, n: usize) -> usize {
        let chosen = self.strategy.choose_value(n);
        if n > 1 {
            self.values.push((chosen, n));
        }
        chosen
    }

    fn executed(&mut self, thread: ThreadNo, op: Op, changed: bool) {
        self.strategy.executed(thread, op, changed);
        let open = self.open.take().filter(|s| s.thread() == thread);
        let values = std::mem::take(&mut self.values);
        if self.trace.steps.len() == Trace::MOST {
            self.trace.cut = true;
            return;
        }
        let mut step = open.unwrap_or_else(|| Step {
            candidates: vec![Candidate::new(thread, op)],
            current: None,
            chosen: 0,
            op,
            values: Vec::new(),
        });
        step.op = op;
        step.values = values;
        self.trace.steps.push(step);
    }

    fn redundant(&self) -> bool {
        self.strategy.redundant()
    }
}

/// Bytes that are not a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {0} is not valid in a trace")]
pub struct TraceError(pub usize);

const MODES: [Mode; 7] = [
    Mode::Final,
    Mode::Plain,
    Mode::Opaque,
    Mode::Acquire,
    Mode::Release,
    Mode::AcquireRelease,
    Mode::Volatile,
];

/// Kinds that carry nothing else; their numbers are the positions here.
const KINDS: [OpKind; 17] = [
    OpKind::Begin,
    OpKind::End,
    OpKind::Enter,
    OpKind::Exit,
    OpKind::Wait,
    OpKind::Notify,
    OpKind::NotifyAll,
    OpKind::Park,
    OpKind::Sleep,
    OpKind::Yield,
    OpKind::Freeze,
    OpKind::InitBegin,
    OpKind::InitEnd,
    OpKind::InitUse,
    OpKind::Resume,
    OpKind::Timeout,
    OpKind::Step,
];
const WITH_MODE: [fn(Mode) -> OpKind; 4] =
    [OpKind::Read, OpKind::Write, OpKind::Update, OpKind::Fence];
const WITH_THREAD: [fn(ThreadNo) -> OpKind; 5] = [
    OpKind::Unpark,
    OpKind::Start,
    OpKind::Join,
    OpKind::Interrupt,
    OpKind::Interrupted,
];

/// A kind as a number and what it carries.
fn numbered(kind: OpKind) -> (usize, u64) {
    let modes = KINDS.len();
    let threads = modes + WITH_MODE.len();
    let mode = |i: usize, mode: Mode| {
        let number = MODES.iter().position(|&m| m == mode);
        (modes + i, number.unwrap_or(0) as u64)
    };
    let thread = |i: usize, t: ThreadNo| (threads + i, u64::from(t.0));
    match kind {
        OpKind::Read(m) => mode(0, m),
        OpKind::Write(m) => mode(1, m),
        OpKind::Update(m) => mode(2, m),
        OpKind::Fence(m) => mode(3, m),
        OpKind::Unpark(t) => thread(0, t),
        OpKind::Start(t) => thread(1, t),
        OpKind::Join(t) => thread(2, t),
        OpKind::Interrupt(t) => thread(3, t),
        OpKind::Interrupted(t) => thread(4, t),
        simple => {
            let number = KINDS.iter().position(|&k| k == simple);
            (number.unwrap_or(0), 0)
        }
    }
}

impl Trace {
    /// As bytes: numbers of seven bits a byte, the lowest first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![u8::from(self.redundant) | u8::from(self.cut) << 1];
        number(&mut out, self.steps.len() as u64);
        for step in &self.steps {
            candidates(&mut out, &step.candidates);
            number(&mut out, step.current.map_or(0, |c| c as u64 + 1));
            number(&mut out, step.chosen as u64);
            op(&mut out, step.op);
            number(&mut out, step.values.len() as u64);
            for &(chosen, n) in &step.values {
                number(&mut out, chosen as u64);
                number(&mut out, n as u64);
            }
        }
        candidates(&mut out, &self.left);
        out
    }

    /// Reads what [`Trace::to_bytes`] writes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Trace, TraceError> {
        let mut reader = TraceReader { bytes, at: 0 };
        let flags = reader.below(4)?;
        let mut steps = Vec::new();
        for _ in 0..reader.number()? {
            let candidates = reader.candidates()?;
            let current = reader.below(candidates.len() as u64 + 1)?.checked_sub(1);
            let chosen = reader.below(candidates.len() as u64)?;
            let op = reader.op()?;
            let mut values = Vec::new();
            for _ in 0..reader.number()? {
                let chosen = reader.number()?;
                let n = reader.number()?;
                if chosen >= n {
                    return Err(TraceError(reader.at - 1));
                }
                values.push((chosen as usize, n as usize));
            }
            steps.push(Step {
                candidates,
                current,
                chosen,
                op,
                values,
            });
        }
        let left = reader.candidates()?;
        match reader.at == bytes.len() {
            true => Ok(Trace {
                steps,
                left,
                redundant: flags & 1 != 0,
                cut: flags & 2 != 0,
            }),
            false => Err(TraceError(reader.at)),
        }
    }
}

fn number(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn candidates(out: &mut Vec<u8>, candidates: &[Candidate]) {
    number(out, candidates.len() as u64);
    for candidate in candidates {
        number(out, u64::from(candidate.thread.0));
        op(out, candidate.op);
    }
}

fn op(out: &mut Vec<u8>, op: Op) {
    let (kind, carried) = numbered(op.kind);
    out.push(kind as u8);
    if kind >= KINDS.len() {
        number(out, carried);
    }
    number(out, op.place.0);
}

struct TraceReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl TraceReader<'_> {
    fn byte(&mut self) -> Result<u8, TraceError> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        byte.ok_or(TraceError(self.at - 1))
    }

    fn number(&mut self) -> Result<u64, TraceError> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(n);
            }
        }
        Err(TraceError(self.at - 1))
    }

    fn below(&mut self, limit: u64) -> Result<usize, TraceError> {
        match self.number()? {
            n if n < limit => Ok(n as usize),
            _ => Err(TraceError(self.at - 1)),
        }
    }

    fn thread(&mut self) -> Result<u32, TraceError> {
        let n = self.number()?;
        u32::try_from(n).map_err(|_| TraceError(self.at - 1))
    }

    fn candidates(&mut self) -> Result<Vec<Candidate>, TraceError> {
        let mut candidates = Vec::new();
        for _ in 0..self.number()? {
            let thread = ThreadNo(self.thread()?);
            let op = self.op()?;
            candidates.push(Candidate { thread, op });
        }
        Ok(candidates)
    }

    fn op(&mut self) -> Result<Op, TraceError> {
        let kind = usize::from(self.byte()?);
        let with_thread = kind.checked_sub(KINDS.len() + WITH_MODE.len());
        let kind = if let Some(&simple) = KINDS.get(kind) {
            simple
        } else if let Some(&with_mode) = WITH_MODE.get(kind - KINDS.len()) {
            with_mode(MODES[self.below(MODES.len() as u64)?])
        } else if let Some(with_thread) = with_thread.and_then(|i| WITH_THREAD.get(i)) {
            with_thread(ThreadNo(self.thread()?))
        } else {
            return Err(TraceError(self.at - 1));
        };
        Ok(Op::new(kind, Place(self.number()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Trace {
        let mut steps = Vec::new();
        let all = (0..KINDS.len() + WITH_MODE.len() + WITH_THREAD.len()).map(|i| {
            let with_mode = |i: usize| WITH_MODE.get(i).map(|k| k(MODES[i % MODES.len()]));
            let other = i.wrapping_sub(KINDS.len());
            let thread = || WITH_THREAD[other - WITH_MODE.len()](ThreadNo(i as u32 * 1000));
            let simple = KINDS.get(i).copied();
            simple.or_else(|| with_mode(other)).unwrap_or_else(thread)
        });
        for (i, kind) in all.enumerate() {
            let candidate = |t| Candidate::new(ThreadNo(t), Op::new(kind, Place(u64::MAX - 5)));
            steps.push(Step {
                candidates: vec![candidate(0), candidate(700)],
                current: [None, Some(1)][i % 2],
                chosen: i % 2,
                op: Op::plain(kind),
                values: vec![(i, 300); i % 3],
            });
        }
        Trace {
            left: steps[0].candidates.clone(),
            steps,
            redundant: true,
            cut: false,
        }
    }

    #[test]
    fn long_runs_are_cut() {
        let mut recorder = Recorder::new(crate::strategy::inertia::Inertia::default());
        let step = || Op::plain(OpKind::Step);
        for _ in 0..Trace::MOST {
            recorder.executed(ThreadNo(0), step(), true);
        }
        let trace = recorder.into_parts(Vec::new()).0;
        assert_eq!((trace.steps.len(), trace.cut), (Trace::MOST, false));
        let mut recorder = Recorder::new(crate::strategy::inertia::Inertia::default());
        for _ in 0..=Trace::MOST {
            recorder.executed(ThreadNo(0), step(), true);
        }
        let trace = recorder.into_parts(Vec::new()).0;
        assert_eq!((trace.steps.len(), trace.cut), (Trace::MOST, true));
        assert_eq!(Trace::from_bytes(&trace.to_bytes()), Ok(trace.clone()));
        let mut dpor = crate::dpor::Dpor::new(Default::default());
        let plan = dpor.plan().expect("the first");
        dpor.finished(plan, &trace);
        assert!(dpor.is_exhausted() && dpor.statistics().limited);
    }

    #[test]
    fn bytes_are_read_as_they_are_written() {
        let trace = sample();
        let bytes = trace.to_bytes();
        assert_eq!(Trace::from_bytes(&bytes), Ok(trace));
        for end in 0..bytes.len() {
            assert!(Trace::from_bytes(&bytes[..end]).is_err());
        }
        let mut more = bytes.clone();
        more.push(0);
        assert_eq!(Trace::from_bytes(&more), Err(TraceError(bytes.len())));
        // whatever is damaged, there is an answer
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                let _ = Trace::from_bytes(&damaged);
            }
        }
    }
}
