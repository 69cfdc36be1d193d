//! The positions of a program: where it is, and the checkpoints from which it gets anywhere else.

use super::attention::Attention;
use super::branches::{Branch, Evaluated};
pub use super::copies::TravelError;
use super::copies::{ProgramCopy, Travelled, unexpected};
use super::live::LiveProgram;
use super::origin::{OriginLook, OriginSeen, Trail, Watch};
use super::runs::{Came, ProgramRuns};
use super::seen::{Look, Seen};
use super::shown::Shown;
use super::stride::Stride;
use super::wire::{
    FoundHit, NumberedStop, Order, Place, PlaceThread, ProgramEnd, Query, Reply, StepQuery, View,
    Watched,
};
use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

/// Bytecodes between the present and the nearest checkpoint before it, at most, where it was reached from far away.
pub(super) const NEAR: i64 = 1 << 20;
/// Bytecodes between two checkpoints below which the later one is not kept.
const CLOSE: i64 = 1 << 16;
/// Bytecodes of the first, second and further stretches in which something is looked for; the last one doubles.
const STRETCHES: [i64; 3] = [1 << 12, 1 << 16, 1 << 20];

/// How many checkpoints there are at most.
#[derive(Clone, Copy, Debug)]
pub struct CheckpointLimits {
    /// Their number; two are always kept.
    pub checkpoints: usize,
    /// Bytes of memory that all of them take, what they share counted once.
    pub memory: u64,
}

/// Where the program is.
pub enum Present {
    At(ProgramCopy),
    Ended(ProgramEnd),
}

/// Why a search has come to an end.
#[derive(Debug)]
pub enum Arrival {
    /// At a hit.
    Hit(FoundHit),
    /// At the position that was requested.
    Place,
    /// At the end of the program, or its beginning.
    Edge,
}

/// A program in time.
pub struct Timeline {
    pub(super) listener: UnixListener,
    /// By position; the first one is the beginning of `main`, or of the branch.
    pub(super) checkpoints: Vec<ProgramCopy>,
    pub(super) present: Present,
    limits: CheckpointLimits,
    /// The program's output.
    pub(super) shown: Shown,
    /// How far the program goes between two checkpoints.
    stride: Stride,
    /// When the memory of the checkpoints was measured last, and how long that took.
    measured: Option<(Instant, Duration)>,
    pub(super) runs: ProgramRuns,
    /// Messages of stops that do not stop, on the last way forward.
    logged: Vec<String>,
    /// The process that runs in the real world, if the program is recorded while it is debugged.
    pub(super) live: Option<LiveProgram>,
    /// The runs that this one has branched off from, the first one first.
    pub(super) branches: Vec<Branch>,
    /// The processes that expressions were evaluated in since the program stopped.
    pub(super) evaluated: Evaluated,
}

/// How the program has begun.
pub enum TimelineStart {
    /// It is at the first bytecode of `main`.
    Main(Box<Timeline>),
    /// It has ended before, with this code.
    Ended(i32),
}

impl Timeline {
    /// The program of a process that is about to connect, with checkpoints within these limits. `live`: it replays that one.
    pub fn begin(
        listener: UnixListener,
        limits: CheckpointLimits,
        mut shown: Shown,
        live: Option<LiveProgram>,
    ) -> Travelled<TimelineStart> {
        let mut first = ProgramCopy::accept(&listener, 0)?;
        match first.receive()? {
            Reply::Stopped {
                position, printed, ..
            } => {
                if live.is_some() {
                    // the live program has printed it, and prints what follows
                    shown.silence();
                }
                shown.show(&printed)?;
                first.position = position;
                let present = first.copy(&listener)?;
                Ok(TimelineStart::Main(Box::new(Timeline {
                    listener,
                    checkpoints: vec![first],
                    present: Present::At(present),
                    limits,
                    shown,
                    stride: Stride::default(),
                    measured: None,
                    runs: ProgramRuns::default(),
                    logged: Vec::new(),
                    live,
                    branches: Vec::new(),
                    evaluated: Evaluated::default(),
                })))
            }
            Reply::Ended { code, printed, .. } => {
                shown.show(&printed)?;
                Ok(TimelineStart::Ended(code))
            }
            other => Err(unexpected(&other)),
        }
    }
    /// Bytecodes that all threads have executed.
    pub fn position(&self) -> i64 {
        match &self.present {
            Present::At(copy) => copy.position,
            Present::Ended(end) => end.position,
        }
    }
    /// How the program has ended, if it has.
    pub fn end(&self) -> Option<ProgramEnd> {
        match self.present {
            Present::At(_) => None,
            Present::Ended(end) => Some(end),
        }
    }
    /// The first bytecode of `main`.
    pub fn beginning(&self) -> i64 {
        self.checkpoints[0].position
    }
    /// Positions of the checkpoints, and bytes of memory.
    pub fn checkpoints(&self) -> Vec<(i64, u64)> {
        let all = self.checkpoints.iter();
        all.map(|c| (c.position, c.memory())).collect()
    }
    pub(super) fn here(&mut self) -> Travelled<&mut ProgramCopy> {
        match &mut self.present {
            Present::At(copy) => Ok(copy),
            Present::Ended(_) => Err(TravelError::Refused("the program has ended".into())),
        }
    }
    /// Where the program is.
    pub fn place(&mut self) -> Travelled<Place> {
        match self.here()?.request(&Order::Place)? {
            Reply::Place(place) => Ok(place),
            other => Err(unexpected(&other)),
        }
    }
    /// Text about the program as it is.
    pub fn view(&mut self, view: View) -> Travelled<String> {
        match self.here()?.request(&Order::Show(view))? {
            Reply::Text(text) => Ok(text),
            other => Err(unexpected(&other)),
        }
    }
    /// Asks the program at a position, which does not become the present.
    pub fn look_at(&mut self, position: i64, look: OriginLook) -> Travelled<OriginSeen> {
        let order = Order::Origin(look);
        let reply = match &mut self.present {
            Present::At(copy) if copy.position == position => copy.request(&order)?,
            _ => {
                let i = self.nearest(position);
                let mut copy = self.checkpoints[i].copy(&self.listener)?;
                // all of this has been printed before
                match self.runs.run(&mut copy, position, Watched::Nothing)? {
                    Came::Stopped(..) => copy.request(&order)?,
                    Came::Ended(..) => {
                        return Err(TravelError::Refused("the program has ended".into()));
                    }
                }
            }
        };
        match reply {
            Reply::Origin(seen) => Ok(*seen),
            other => Err(unexpected(&other)),
        }
    }
    /// The position of the last checkpoint before one.
    pub fn checkpoint_before(&self, position: i64) -> Option<i64> {
        let before = self.checkpoints.partition_point(|c| c.position < position);
        Some(self.checkpoints[before.checked_sub(1)?].position)
    }
    /// Runs a copy of a checkpoint up to a position with a watch for what happens before that one.
    pub fn watch(&mut self, from: i64, to: i64, before: i64, watch: Watch) -> Travelled<Trail> {
        let i = self.nearest(from);
        let mut copy = self.checkpoints[i].copy(&self.listener)?;
        let query = Query {
            origin: Some(watch),
            before,
            ..Query::default()
        };
        let watched = Watched::New(Box::new(query));
        let came = self.runs.run(&mut copy, to, watched)?;
        let (Came::Stopped(found, _) | Came::Ended(_, found, _)) = came;
        Ok(found.trail.unwrap_or_default())
    }
    /// The program prints nothing any more.
    pub fn silence(&mut self) {
        self.shown.silence();
    }
    /// Data about the program as it is.
    pub fn look(&mut self, look: Look) -> Travelled<Seen> {
        match self.here()?.request(&Order::Look(look))? {
            Reply::Seen(seen) => Ok(seen),
            other => Err(unexpected(&other)),
        }
    }
    /// Where a thread is; none if it has no frames.
    pub fn thread(&mut self, id: u32) -> Travelled<Option<PlaceThread>> {
        match self.here()?.request(&Order::Thread(id))? {
            Reply::Thread(thread) => Ok(thread),
            other => Err(unexpected(&other)),
        }
    }
    /// Who may interrupt a search from now on.
    pub fn attend(&mut self, attention: Box<dyn Attention>) {
        self.runs.attention = Some(attention);
    }
    /// Messages of stops that do not stop, on the last way forward.
    pub fn take_logged(&mut self) -> Vec<String> {
        std::mem::take(&mut self.logged)
    }
    /// Whether there is a checkpoint at a position or close before it.
    fn is_close(&self, position: i64) -> bool {
        let near = &self.checkpoints[self.nearest(position)];
        (0..CLOSE).contains(&(position - near.position))
    }
    /// Keeps a process as a checkpoint, unless one is close before it.
    fn keep(&mut self, copy: ProgramCopy) {
        if self.is_close(copy.position) {
            return;
        }
        let i = self
            .checkpoints
            .partition_point(|c| c.position <= copy.position);
        let now = copy.position;
        self.checkpoints.insert(i, copy);
        while self.checkpoints.len() > 2 && self.has_too_many() {
            // the one whose absence costs least: its gap, measured by how far away it is
            let of = |i: usize| self.checkpoints[i].position;
            let last = self.checkpoints.len();
            let cost = |&i: &usize| {
                let next = if i + 1 < last {
                    of(i + 1)
                } else {
                    of(i) + CLOSE
                };
                let gap = i128::from(next - of(i - 1));
                (gap << 20) / i128::from((now - of(i)).abs() + CLOSE)
            };
            let least = (1..last).min_by_key(cost);
            self.checkpoints
                .remove(least.expect("there are more than two"));
        }
    }
    /// Whether there are more checkpoints than the limits permit. Memory is slow to measure: that takes a tenth of the time at most.
    fn has_too_many(&mut self) -> bool {
        if self.checkpoints.len() > self.limits.checkpoints {
            return true;
        }
        if let Some((when, took)) = self.measured
            && when.elapsed() < took * 10
        {
            return false;
        }
        let begun = Instant::now();
        let memory = self.checkpoints.iter().map(ProgramCopy::memory);
        let too_much = memory.sum::<u64>() > self.limits.memory;
        // one that is removed may not be enough
        self.measured = (!too_much).then(|| (Instant::now(), begun.elapsed()));
        too_much
    }
    /// The last checkpoint that is not after a position.
    pub(super) fn nearest(&self, position: i64) -> usize {
        let after = self.checkpoints.partition_point(|c| c.position <= position);
        after.saturating_sub(1)
    }
    /// Goes to a position that the program can be replayed up to.
    pub(super) fn replay_to(&mut self, position: i64) -> Travelled<()> {
        self.evaluated.forget();
        self.leave_branches(position)?;
        if position < self.beginning() {
            let why = "that is before the first bytecode of main, where the session begins";
            return Err(TravelError::Refused(why.into()));
        }
        if self.end().is_some_and(|end| end.position <= position) {
            return Ok(());
        }
        let i = self.nearest(position);
        let from = self.checkpoints[i].position;
        let near =
            matches!(&self.present, Present::At(c) if c.position <= position && c.position >= from);
        if !near {
            let copy = self.checkpoints[i].copy(&self.listener)?;
            self.present = Present::At(copy);
        }
        loop {
            let left = position - self.position();
            let far = left > NEAR;
            let length = match far {
                true => self.stride.at_most(left / 2),
                false => left,
            };
            let to = self.position() + length;
            let keeps = far && !self.is_close(to);
            let Present::At(copy) = &mut self.present else {
                return Ok(());
            };
            let begun = copy.processor_time();
            let came = self.runs.run(copy, to, Watched::Nothing);
            self.stride.took(length, begun, copy.processor_time());
            let came = match came {
                Err(e @ (TravelError::Interrupted | TravelError::Diverged { .. })) => {
                    let last = self.nearest(self.position());
                    let last = self.checkpoints[last].copy(&self.listener)?;
                    self.replace(Present::At(last));
                    return Err(e);
                }
                came => came?,
            };
            match came {
                Came::Ended(end, _, printed) => {
                    self.shown.show(&printed)?;
                    self.present = Present::Ended(end);
                    return Ok(());
                }
                Came::Stopped(_, printed) => self.shown.show(&printed)?,
            }
            if !far {
                return Ok(());
            }
            if keeps {
                let checkpoint = copy.copy(&self.listener)?;
                self.keep(checkpoint);
            }
        }
    }
    /// Continues to the next hit, or to the program's end.
    pub fn forward(
        &mut self,
        stops: &[NumberedStop],
        step: Option<StepQuery>,
    ) -> Travelled<Arrival> {
        let after = self.position();
        self.evaluated.forget();
        self.logged.clear();
        let mut numbered = self.numbered(stops, &[after])?;
        let query = Query {
            stops: numbered.pop().unwrap_or_default(),
            step: step.clone(),
            origin: None,
            after,
            before: i64::MIN,
            fast: false,
            halts: false,
        };
        let bound = self.bound();
        let mut watched = Watched::New(Box::new(query));
        let mut stretch = 0;
        let mut length = 0;
        loop {
            length = match STRETCHES.get(stretch) {
                Some(&n) => n,
                None => self.stride.at_most(2 * length),
            };
            stretch += 1;
            let listener = &self.listener;
            let Present::At(base) = &mut self.present else {
                return Err(TravelError::Refused("the program has ended".into()));
            };
            if let Some(bound) = bound {
                length = length.min(bound - base.position);
            }
            if length <= 0 {
                return self.forward_live(stops, step, after);
            }
            let mut runner = base.copy(listener)?;
            let to = base.position + length;
            let begun = runner.processor_time();
            let came = match self.runs.run(&mut runner, to, watched) {
                Err(TravelError::Interrupted) => {
                    runner.kill();
                    return Err(TravelError::Interrupted);
                }
                Err(TravelError::Diverged { text, at }) => {
                    // as near as both are the same
                    if at > self.position() {
                        self.go_to(at)?;
                    }
                    return Err(TravelError::Diverged { text, at });
                }
                came => came?,
            };
            self.stride.took(length, begun, runner.processor_time());
            watched = Watched::Same;
            let (found, next, printed) = match came {
                Came::Stopped(found, printed) => (found, Present::At(runner), printed),
                Came::Ended(end, found, printed) => (found, Present::Ended(end), printed),
            };
            let until = found.first.as_ref().map_or(i64::MAX, |hit| hit.position);
            let logged = found.logged.into_iter().filter(|l| l.0 <= until);
            self.logged.extend(logged.map(|l| l.1));
            if let Some(hit) = found.first {
                drop(next);
                let position = base.position;
                if !self.is_close(position) {
                    let Present::At(base) = &mut self.present else {
                        unreachable!("it was there above")
                    };
                    let kept = base.copy(&self.listener)?;
                    self.keep(kept);
                }
                self.go_to(hit.position)?;
                return Ok(Arrival::Hit(hit));
            }
            self.shown.show(&printed)?;
            let ended = matches!(next, Present::Ended(_));
            if let Present::At(base) = std::mem::replace(&mut self.present, next) {
                self.keep(base);
            }
            if ended {
                return Ok(Arrival::Edge);
            }
        }
    }
    /// The stops as they are at some positions, the lowest first: with the arrivals before each, if a rule needs them. For these, the
    /// program runs once more from its beginning.
    pub(super) fn numbered(
        &mut self,
        stops: &[NumberedStop],
        positions: &[i64],
    ) -> Travelled<Vec<Vec<NumberedStop>>> {
        let counted: Vec<NumberedStop> = { stops.iter().filter(|s| s.only.number.is_some()) }
            .cloned()
            .collect();
        if counted.is_empty() {
            return Ok(vec![stops.to_vec(); positions.len()]);
        }
        let query = Query {
            stops: counted,
            step: None,
            origin: None,
            after: self.beginning(),
            before: i64::MIN,
            fast: false,
            halts: false,
        };
        let mut watched = Watched::New(Box::new(query));
        let mut runner = self.checkpoints[0].copy(&self.listener)?;
        let mut all = Vec::new();
        let mut stops = stops.to_vec();
        for &position in positions {
            if position > runner.position {
                let came = self.runs.run(&mut runner, position, watched);
                let found = match came {
                    Err(TravelError::Interrupted) => {
                        runner.kill();
                        return Err(TravelError::Interrupted);
                    }
                    came => match came? {
                        Came::Stopped(found, _) | Came::Ended(_, found, _) => found,
                    },
                };
                watched = Watched::Same;
                for (number, arrivals) in found.arrivals {
                    let stop = stops.iter_mut().find(|s| s.number == number);
                    if let Some(stop) = stop {
                        stop.only.arrivals = arrivals;
                    }
                }
            }
            all.push(stops.clone());
        }
        Ok(all)
    }
    /// Another process is the present, and the one so far is ended, in whatever it does.
    pub(super) fn replace(&mut self, present: Present) {
        if let Present::At(copy) = std::mem::replace(&mut self.present, present) {
            copy.kill();
        }
    }
}
