//! Runs of a program's processes: how far each comes, and whether it does as before.

use super::attention::{Attention, await_reply};
use super::copies::{ProgramCopy, TravelError, Travelled, unexpected};
use super::marks::Marks;
use super::wire::{Found, Order, PrintedText, ProgramEnd, Reply, Watched};

/// What a process came to.
pub enum Came {
    Stopped(Found, PrintedText),
    Ended(ProgramEnd, Found, PrintedText),
}

/// What all runs of the program have in common.
#[derive(Default)]
pub struct ProgramRuns {
    /// Who may interrupt a search.
    pub attention: Option<Box<dyn Attention>>,
    /// What the program was like where it has been.
    pub marks: Marks,
}

impl ProgramRuns {
    /// Lets a process continue; its hits, and the output of the program on the way.
    pub fn run(&mut self, copy: &mut ProgramCopy, to: i64, watched: Watched) -> Travelled<Came> {
        if to == copy.position && matches!(watched, Watched::Nothing) {
            return Ok(Came::Stopped(Found::default(), PrintedText::default()));
        }
        copy.wire().send(&Order::Run(to, watched))?;
        self.await_run(copy, to, false)
    }
    /// What a process came to that runs to a position, `fast` if its values cannot be read.
    pub fn await_run(&mut self, copy: &mut ProgramCopy, to: i64, fast: bool) -> Travelled<Came> {
        if let Some(attention) = &mut self.attention
            && !await_reply(copy.wire(), &mut **attention)?
        {
            return Err(TravelError::Interrupted);
        }
        match copy.receive()? {
            Reply::Problem(problem) => Err(TravelError::Refused(problem)),
            Reply::Stopped {
                position,
                found,
                printed,
                mark,
            } => {
                match fast {
                    true => self.marks.pass(position, mark)?,
                    false => self.marks.arrive(position, mark)?,
                }
                // where a thread ends, the VM stops at the next bytecode of another one only
                if position < to {
                    let problem = format!("the program stopped at {position} instead of {to}");
                    return Err(TravelError::Broken(problem));
                }
                copy.position = position;
                Ok(Came::Stopped(found, printed))
            }
            Reply::Ended {
                parted: Some((text, at)),
                ..
            } => Err(TravelError::Diverged {
                text,
                // before the bytecode that requested something else
                at: at - 1,
            }),
            Reply::Ended {
                position,
                code,
                found,
                printed,
                ..
            } => {
                let end = ProgramEnd { position, code };
                self.marks.end(end)?;
                Ok(Came::Ended(end, found, printed))
            }
            other => Err(unexpected(&other)),
        }
    }
}
