//! Expressions that run code, and values that are changed.
//!
//! An expression is evaluated in a copy of the present, which is used for nothing else: the run stays as it is. A changed value makes
//! another run, a branch: its first checkpoint is where the value was changed. Going back beyond that leaves the branch, and the
//! value is what it was.

use super::copies::{ProgramCopy, TravelError, Travelled, unexpected};
use super::marks::Marks;
use super::seen::{Assignment, Evaluation, Look, Seen};
use super::timeline::{Present, Timeline};
use super::wire::{Order, Reply, View};
use std::collections::VecDeque;

/// Processes that stay alive for the parts of values.
const MOST_EVALUATED: usize = 16;

/// A run from which another run has branched off.
pub struct Branch {
    checkpoints: Vec<ProgramCopy>,
    marks: Marks,
    /// Bytes of its output that have been shown.
    shown: [u64; 2],
}

/// The processes that expressions were evaluated in, by number.
#[derive(Default)]
pub struct Evaluated {
    copies: VecDeque<(u32, ProgramCopy)>,
    last: u32,
}

impl Evaluated {
    /// The program continues.
    pub fn forget(&mut self) {
        self.copies.clear();
    }
    fn keep(&mut self, copy: ProgramCopy) -> u32 {
        if self.copies.len() >= MOST_EVALUATED {
            self.copies.pop_front();
        }
        self.last = self.last.wrapping_add(1).max(1);
        self.copies.push_back((self.last, copy));
        self.last
    }
}

impl Timeline {
    /// What a process reports that was copied for it, and the process's number.
    fn apart(&mut self, order: &Order, in_copy: u32) -> Travelled<(Reply, u32)> {
        let listener = &self.listener;
        let mut copy = match in_copy {
            0 => match &mut self.present {
                Present::At(copy) => copy.copy(listener)?,
                Present::Ended(_) => {
                    return Err(TravelError::Refused("the program has ended".into()));
                }
            },
            n => evaluated(&mut self.evaluated, n)?.copy(listener)?,
        };
        copy.wire().send(order)?;
        if let Some(attention) = &mut self.runs.attention
            && !super::attention::await_reply(copy.wire(), &mut **attention)?
        {
            copy.kill();
            return Err(TravelError::Interrupted);
        }
        match copy.receive()? {
            Reply::Problem(problem) => Err(TravelError::Refused(problem)),
            reply => Ok((reply, self.evaluated.keep(copy))),
        }
    }
    /// Evaluates an expression with calls, or shows elements of a collection of a process (0: the present). The number of the process
    /// that has the parts of the value.
    pub fn evaluate(&mut self, evaluation: Evaluation, in_copy: u32) -> Travelled<(Seen, u32)> {
        match self.apart(&Order::Evaluate(evaluation), in_copy)? {
            (Reply::Seen(seen), n) => Ok((seen, n)),
            (other, _) => Err(unexpected(&other)),
        }
    }
    /// Data about the program as it is in such a process, or (0) in the present.
    pub fn look_in(&mut self, in_copy: u32, look: Look) -> Travelled<Seen> {
        if in_copy == 0 {
            return self.look(look);
        }
        let copy = evaluated(&mut self.evaluated, in_copy)?;
        match copy.request(&Order::Look(look))? {
            Reply::Seen(seen) => Ok(seen),
            other => Err(unexpected(&other)),
        }
    }
    /// The value of an expression in a frame, 0 being the top one, as text.
    pub fn print(&mut self, text: &str, frame: usize) -> Travelled<String> {
        let reply = match frame {
            0 => self
                .here()?
                .request(&Order::Show(View::Value(text.into())))?,
            _ => Reply::Apart,
        };
        match reply {
            Reply::Text(text) => Ok(text),
            Reply::Apart => {
                let view = Order::Show(View::Evaluated(frame, text.into()));
                match self.apart(&view, 0)? {
                    (Reply::Text(text), _) => Ok(text),
                    (other, _) => Err(unexpected(&other)),
                }
            }
            other => Err(unexpected(&other)),
        }
    }
    /// Writes a value: the program is another run from here on.
    pub fn assign(&mut self, assignment: Assignment) -> Travelled<()> {
        let listener = &self.listener;
        let Present::At(here) = &mut self.present else {
            return Err(TravelError::Refused("the program has ended".into()));
        };
        // what is written may run code before it fails
        let mut changed = here.copy(listener)?;
        let before = here.position;
        let (position, printed, mark) = match changed.request(&Order::Assign(assignment))? {
            Reply::Assigned {
                position,
                printed,
                mark,
            } => (position, printed, mark),
            other => return Err(unexpected(&other)),
        };
        changed.position = position;
        self.evaluated.forget();
        let kept = changed.copy(listener)?;
        let old = std::mem::replace(&mut self.present, Present::At(changed));
        let mut trunk = std::mem::replace(&mut self.checkpoints, vec![kept]);
        if let Present::At(copy) = old {
            let i = trunk.partition_point(|c| c.position <= before);
            trunk.insert(i, copy);
        }
        self.branches.push(Branch {
            checkpoints: trunk,
            marks: self.runs.marks.clone(),
            shown: self.shown.so_far(),
        });
        self.runs.marks.forget_from(before);
        self.runs.marks.arrive(position, mark)?;
        let so_far = printed.before;
        match &self.live {
            // the live program does not print what this run does
            Some(_) => self.shown.speak_from(so_far),
            None => self.shown.begin_at(so_far),
        }
        self.shown.show(&printed)?;
        Ok(())
    }
    /// How many values have been changed on the way to here.
    pub fn branch_depth(&self) -> usize {
        self.branches.len()
    }
    /// Leaves the last branch for the run before it, at the position at which the value was changed; not if there is none.
    pub fn leave_branch(&mut self) -> Travelled<bool> {
        let Some(branch) = self.branches.pop() else {
            return Ok(false);
        };
        let position = self.checkpoints[0].position;
        self.checkpoints = branch.checkpoints;
        self.runs.marks = branch.marks;
        self.shown.begin_at(branch.shown);
        let i = self.nearest(position);
        let copy = self.checkpoints[i].copy(&self.listener)?;
        self.replace(Present::At(copy));
        Ok(true)
    }
    /// Leaves the branches that begin after a position.
    pub fn leave_branches(&mut self, position: i64) -> Travelled<()> {
        while position < self.beginning() && self.leave_branch()? {}
        Ok(())
    }
}

fn evaluated(all: &mut Evaluated, n: u32) -> Travelled<&mut ProgramCopy> {
    let found = all.copies.iter_mut().find(|c| c.0 == n);
    let gone = || TravelError::Refused("the object no longer exists: evaluate it again".into());
    found.map(|c| &mut c.1).ok_or_else(gone)
}
