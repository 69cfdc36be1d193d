//! Searches that go back in time.
//!
//! The stretch from the last checkpoint to the present runs again and notes its last hit; if there is none, the stretch before it, and
//! so on. Most searches end in the first stretch, so it runs alone. After that the next stretches run side by side, one on each
//! processor: each is looked at in its turn. A part of the run later, the rest runs as a whole, if only positions are looked for: from
//! the beginning at full speed, which a process that can be looked at everywhere does not have. The hit is the same in all cases.

use super::copies::{ProgramCopy, TravelError, Travelled};
use super::runs::Came;
use super::timeline::{Arrival, NEAR, Timeline};
use super::wire::{Found, NumberedStop, Order, Query, StepQuery, StopFilter, Watched};
use std::collections::VecDeque;

/// Stretches that run side by side, at most: each takes separate memory.
const MOST_ABREAST: usize = 4;

/// The part of the run that is looked at in stretches before the rest runs as a whole: one of so many.
const PART: i64 = 16;

/// A stretch of the program that runs again.
struct Stretch {
    runner: ProgramCopy,
    /// Where it begins; hits are after it.
    from: i64,
    /// Hits are before it.
    end: i64,
    /// It runs up to here first: the program's state there is known.
    known: i64,
    fast: bool,
}

/// The stretches that run, the latest in the program first. Those that are not looked at any more are ended.
#[derive(Default)]
struct Running(VecDeque<Stretch>);

impl Drop for Running {
    fn drop(&mut self) {
        for stretch in self.0.drain(..) {
            stretch.runner.kill();
        }
    }
}

impl Timeline {
    /// Goes back to the last hit before here, or to the beginning; from the hit so many bytecodes further.
    pub fn backward(
        &mut self,
        stops: &[NumberedStop],
        step: Option<StepQuery>,
        ahead: i64,
    ) -> Travelled<Arrival> {
        match self.search_back(stops, step, ahead) {
            Err(TravelError::Diverged { text, at }) => {
                // the present may never come about again: the program goes to where all its runs are the same
                self.go_to(at.max(self.beginning()))?;
                Err(TravelError::Diverged { text, at })
            }
            done => done,
        }
    }
    fn search_back(
        &mut self,
        stops: &[NumberedStop],
        step: Option<StepQuery>,
        ahead: i64,
    ) -> Travelled<Arrival> {
        let bound = self.position();
        self.evaluated.forget();
        if bound <= self.beginning() {
            self.leave_branch()?;
        }
        if self.end().is_some() && bound - self.checkpoints[self.nearest(bound)].position > NEAR {
            // most searches end near, and are slower than a run without one: checkpoints come there first
            self.go_to(bound - 1)?;
        }
        // checkpoints before the present; none if that is the beginning
        let before = self.checkpoints.partition_point(|c| c.position < bound);
        let places: Vec<i64> = self.checkpoints[..before]
            .iter()
            .map(|c| c.position)
            .collect();
        let mut waiting: Vec<(usize, Vec<NumberedStop>)> =
            { self.numbered(stops, &places)?.into_iter().enumerate() }.collect();
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let (mut running, mut abreast) = (Running::default(), 1);
        let (mut end, mut hit) = (bound, None);
        let can_be_fast = step.is_none() && stops.iter().all(|s| s.only == StopFilter::default());
        while hit.is_none() {
            while running.0.len() < abreast
                && let Some((mut i, stops)) = waiting.pop()
            {
                let fast = can_be_fast && i > 0 && (bound - end) * PART > end - places[0];
                if fast {
                    i = 0;
                    waiting.clear();
                }
                let query = Query {
                    stops,
                    step: step.clone(),
                    origin: None,
                    after: places[i],
                    before: end,
                    fast,
                    halts: false,
                };
                let known = if end == bound { end } else { end - 1 };
                running.0.push_back(self.start(i, query, known)?);
                // the stretch before it reports hits where this one begins, but for the first: there the beginning is reported
                end = places[i] + 1;
            }
            if running.0.is_empty() {
                break;
            }
            hit = self.first_came(&mut running)?.last;
            abreast = processors.min(MOST_ABREAST);
        }
        drop(running);
        match hit {
            Some(mut hit) => {
                hit.position -= ahead;
                self.go_to(hit.position.max(self.beginning()))?;
                Ok(Arrival::Hit(hit))
            }
            None => {
                self.go_to(self.beginning())?;
                Ok(Arrival::Edge)
            }
        }
    }
    /// Lets a copy of a checkpoint run.
    fn start(&mut self, i: usize, query: Query, known: i64) -> Travelled<Stretch> {
        let mut runner = self.checkpoints[i].copy(&self.listener)?;
        let (from, end, fast) = (query.after, query.before, query.fast);
        let watched = Watched::New(Box::new(query));
        runner.wire().send(&Order::Run(known, watched))?;
        Ok(Stretch {
            runner,
            from,
            end,
            known,
            fast,
        })
    }
    /// What the first of the stretches came to, which is one of them no longer. All of its output has been printed before.
    fn first_came(&mut self, running: &mut Running) -> Travelled<Found> {
        let stretch = &mut running.0[0];
        let (end, fast) = (stretch.end, stretch.fast);
        let runner = &mut stretch.runner;
        let mut came = self.runs.await_run(runner, stretch.known, fast)?;
        if matches!(came, Came::Stopped(..)) && stretch.known < end {
            runner.wire().send(&Order::Run(end, Watched::Same))?;
            came = self.runs.await_run(runner, end, fast)?;
        }
        let (Came::Stopped(mut found, _) | Came::Ended(_, mut found, _)) = came;
        let from = stretch.from;
        found.last = found.last.filter(|hit| hit.position > from);
        running.0.pop_front();
        Ok(found)
    }
}
