//! Movements of a session in time: to the next or last stop, line, end or beginning of a call, bytecode.

use super::timeline::{Arrival, Timeline, TravelError};
use super::wire::{MethodKey, NumberedStop, PlaceThread, StepKind, StepQuery};

/// How far a movement goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// To a stop.
    Continue,
    /// To where a line begins, in any method of the program.
    Into,
    /// To where a line begins, not in calls from here.
    Over,
    /// To the end of this call, or back to the call.
    Out,
    /// To a bytecode of any thread.
    Bytecode,
}

/// What a movement needs to know.
pub struct Moves<'a> {
    pub timeline: &'a mut Timeline,
    pub stops: &'a [NumberedStop],
    /// The thread of `main`.
    pub main: Option<u32>,
    /// The thread that steps, if it is not the one that runs next.
    pub thread: Option<u32>,
}

impl Moves<'_> {
    /// Moves forward or backward.
    pub fn go(mut self, how: Move, forward: bool) -> Result<Arrival, TravelError> {
        match how {
            Move::Continue => self.search(None, forward),
            Move::Into => self.step_into(forward),
            Move::Over => self.step_over(forward),
            Move::Out if forward => {
                let step = self.of_call(|height, method| StepKind::End { height, method })?;
                self.search(Some(step), true)
            }
            Move::Out => self.back_out(),
            Move::Bytecode => self.go_by(if forward { 1 } else { -1 }),
        }
    }
    fn search(&mut self, step: Option<StepQuery>, forward: bool) -> Result<Arrival, TravelError> {
        match forward {
            true => self.timeline.forward(self.stops, step),
            false => self.timeline.backward(self.stops, step, 0),
        }
    }
    fn go_by(&mut self, n: i64) -> Result<Arrival, TravelError> {
        let at = self.timeline.position();
        if at + n < self.timeline.beginning() {
            return Ok(Arrival::Edge);
        }
        if n > 0 && self.timeline.end().is_some() {
            return Err(TravelError::Refused("the program has ended".into()));
        }
        self.timeline.go_to(at + n)?;
        Ok(Arrival::Place)
    }
    /// The thread that steps, with its frames.
    fn stepping(&mut self) -> Result<PlaceThread, TravelError> {
        let refused = |why: &str| TravelError::Refused(why.into());
        match self.thread {
            Some(id) => {
                let thread = self.timeline.thread(id)?;
                thread.ok_or_else(|| refused("the thread has no frames"))
            }
            None => {
                let place = self.timeline.place()?;
                place.thread.ok_or_else(|| refused("no thread runs next"))
            }
        }
    }
    fn step_into(&mut self, forward: bool) -> Result<Arrival, TravelError> {
        let (thread, library) = match (forward, self.timeline.end(), self.main) {
            // back from the end, it is the lines of main's thread that count
            (false, Some(_), Some(main)) => (main, false),
            _ => self.stepping().map(|t| (t.id, t.library))?,
        };
        let kind = StepKind::Into { library };
        self.search(Some(StepQuery { thread, kind }), forward)
    }
    fn step_over(&mut self, forward: bool) -> Result<Arrival, TravelError> {
        if !forward && self.timeline.end().is_some() {
            return self.step_into(false);
        }
        let t = self.stepping()?;
        // back from where a method begins, it is the caller's lines that count
        let skipped = usize::from(!forward && t.fresh);
        let Some(&(height, _)) = t.frames.get(skipped) else {
            return self.go_by(-1);
        };
        let mut methods: Vec<MethodKey> = Vec::new();
        for (_, method) in &t.frames[skipped..] {
            if !methods.contains(method) {
                methods.push(method.clone());
            }
        }
        let kind = StepKind::Over { height, methods };
        self.search(Some(StepQuery { thread: t.id, kind }), forward)
    }
    fn back_out(&mut self) -> Result<Arrival, TravelError> {
        if self.stepping()?.fresh {
            return self.go_by(-1);
        }
        let step = self.of_call(|height, method| StepKind::Entry { height, method })?;
        // a call is gone back to whatever is on the way
        self.timeline.backward(&[], Some(step), 1)
    }
    fn of_call(
        &mut self,
        kind: fn(usize, MethodKey) -> StepKind,
    ) -> Result<StepQuery, TravelError> {
        let t = self.stepping()?;
        let none = || TravelError::Refused("the thread has no frames".into());
        let (height, method) = t.frames.into_iter().next().ok_or_else(none)?;
        Ok(StepQuery {
            thread: t.id,
            kind: kind(height, method),
        })
    }
}
