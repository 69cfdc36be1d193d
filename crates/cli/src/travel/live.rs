//! A program that runs in the real world while it is debugged.
//!
//! DESIGN. One process, the live one, runs the program and records it. It has what no copy can have: time, files, connections. The
//! processes that the session looks at, copies and goes back in replay the recording, and never come farther than the live process,
//! which is stopped while they run. To go forward, the live process runs ahead to the first hit, and the others follow.
//!
//! The live process also stops when the session rings: it waits in a request to the outside world then, or in the middle of its work.
//! If all threads wait, the last position that a replay can stop at is the one before the last bytecode, which began to wait.
//!
//! Only the live process's output is shown, as soon as it comes.

use super::attention::Attention;
use super::copies::{ProgramCopy, TravelError, Travelled, accept_stream, unexpected};
use super::shown::Shown;
use super::timeline::{Arrival, Timeline};
use super::wire::{Found, FoundHit, NumberedStop, Order, Query, Reply, StepQuery, Watched, Wire};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};

/// A position that no program comes to.
const FAR: i64 = 1 << 62;
/// Bytes of output that are read at a time.
const PIECE: usize = 64 << 10;

/// The live process.
pub struct LiveProgram {
    process: ProgramCopy,
    /// A byte has it stop.
    bell: UnixStream,
    /// Where its output and error output come from, as long as they are open.
    output: [Option<File>; 2],
    /// Processes that replay it can be anywhere up to here.
    reach: i64,
    /// The recording is whole.
    ended: bool,
}

/// Why it does not run any more.
pub enum LiveCame {
    /// A stop or a step is hit.
    Hit(FoundHit),
    /// It has come to the position.
    Arrived,
    /// The session has had it stop.
    Interrupted,
    /// The program has ended with this code.
    Ended(i32),
}

impl Drop for LiveProgram {
    fn drop(&mut self) {
        // it need not be waiting for orders
        self.process.strike();
    }
}

impl LiveProgram {
    /// The process that is about to connect, which writes its output and error output to these pipes. It runs up to `main`.
    pub fn begin(
        listener: &UnixListener,
        output: [OwnedFd; 2],
        shown: &mut Shown,
    ) -> Travelled<(LiveProgram, LiveCame)> {
        let process = ProgramCopy::accept(listener, 0)?;
        let bell = accept_stream(listener)?;
        for pipe in &output {
            let flags = rustix::fs::fcntl_getfl(pipe).map_err(io::Error::from)?;
            let flags = flags | rustix::fs::OFlags::NONBLOCK;
            rustix::fs::fcntl_setfl(pipe, flags).map_err(io::Error::from)?;
        }
        let mut live = LiveProgram {
            process,
            bell,
            output: output.map(|pipe| Some(File::from(pipe))),
            reach: 0,
            ended: false,
        };
        let came = live.await_stop(None, shown)?;
        Ok((live, came.unwrap_or(LiveCame::Arrived)))
    }
    /// Runs to a position, or to the first hit before it.
    fn run(
        &mut self,
        to: i64,
        mut watched: Watched,
        mut attention: Option<&mut (dyn Attention + 'static)>,
        shown: &mut Shown,
    ) -> Travelled<LiveCame> {
        loop {
            let order = Order::Run(to, std::mem::replace(&mut watched, Watched::Same));
            self.process.wire().send(&order)?;
            match self.await_stop(attention.as_deref_mut(), shown)? {
                Some(came) => return Ok(came),
                None if self.reach >= to => return Ok(LiveCame::Arrived),
                None => {}
            }
        }
    }
    /// Waits until it stops; nothing if that has no reason that the session knows.
    fn await_stop(
        &mut self,
        mut attention: Option<&mut (dyn Attention + 'static)>,
        shown: &mut Shown,
    ) -> Travelled<Option<LiveCame>> {
        let mut interrupted = false;
        while !self.has_replied(attention.as_deref().filter(|_| !interrupted), shown)? {
            if !interrupted && attention.as_deref_mut().is_some_and(Attention::look) {
                interrupted = true;
                self.bell.write_all(&[1])?;
            }
        }
        let reply = match self.process.receive() {
            Err(TravelError::Broken(_)) => {
                self.ended = true;
                let why = "the live program has died: its recording ends near here";
                return Err(TravelError::Refused(why.into()));
            }
            reply => reply?,
        };
        // all that it has printed has arrived
        (0..2).try_for_each(|stream| self.show_output(stream, shown))?;
        match reply {
            Reply::Stopped {
                position,
                found: Found { first, logged, .. },
                mark,
                ..
            } => {
                self.process.position = position;
                self.reach = position - i64::from(mark.thread.is_empty());
                for (_, text) in logged {
                    shown.note(&text)?;
                }
                Ok(match first {
                    Some(hit) => Some(LiveCame::Hit(hit)),
                    None => interrupted.then_some(LiveCame::Interrupted),
                })
            }
            Reply::Ended { code, found, .. } => {
                for (_, text) in found.logged {
                    shown.note(&text)?;
                }
                self.ended = true;
                Ok(Some(LiveCame::Ended(code)))
            }
            Reply::Problem(problem) => Err(TravelError::Refused(problem)),
            other => Err(unexpected(&other)),
        }
    }
    /// Waits until it has replied (true), or a request has come. Shows output meanwhile.
    fn has_replied(
        &mut self,
        attention: Option<&(dyn Attention + 'static)>,
        shown: &mut Shown,
    ) -> io::Result<bool> {
        loop {
            let wire: &Wire = self.process.wire();
            let sources = [
                Some(wire.as_fd()),
                self.output[0].as_ref().map(AsFd::as_fd),
                self.output[1].as_ref().map(AsFd::as_fd),
                attention.and_then(Attention::source),
            ];
            let open = (0..sources.len()).filter_map(|i| Some((i, sources[i]?)));
            let (places, mut all): (Vec<usize>, Vec<PollFd<'_>>) = open
                .map(|(i, fd)| (i, PollFd::from_borrowed_fd(fd, PollFlags::IN)))
                .unzip();
            match poll(&mut all, None) {
                Err(Errno::INTR) => continue,
                other => other?,
            };
            let came = places.into_iter().zip(&all);
            let came = came.filter(|(_, fd)| !fd.revents().is_empty());
            let came: Vec<usize> = came.map(|(i, _)| i).collect();
            for stream in [0, 1] {
                if came.contains(&(stream + 1)) {
                    self.show_output(stream, shown)?;
                }
            }
            if came.contains(&0) {
                return Ok(true);
            }
            if came.contains(&3) {
                return Ok(false);
            }
        }
    }
    /// Shows the output on a stream so far.
    fn show_output(&mut self, stream: usize, shown: &mut Shown) -> io::Result<()> {
        let mut piece = vec![0; PIECE];
        while let Some(pipe) = &mut self.output[stream] {
            match pipe.read(&mut piece) {
                Ok(0) => self.output[stream] = None,
                Ok(n) => shown.print(stream, &piece[..n])?,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
}

impl Timeline {
    /// How far the program can be replayed; nothing if that is to its end.
    pub(super) fn bound(&self) -> Option<i64> {
        let live = self.live.as_ref().filter(|live| !live.ended)?;
        self.branches.is_empty().then_some(live.reach)
    }
    /// The live program runs ahead.
    fn run_ahead(&mut self, to: i64, watched: Watched) -> Travelled<LiveCame> {
        let attention = self.runs.attention.as_deref_mut();
        match &mut self.live {
            Some(live) => live.run(to, watched, attention, &mut self.shown),
            None => Ok(LiveCame::Arrived),
        }
    }
    /// Goes to a position, or to the program's end if that comes before. Where the way is far, checkpoints stay near its end.
    ///
    /// A position before a branch leaves it.
    pub fn go_to(&mut self, position: i64) -> Travelled<()> {
        let mut came = LiveCame::Arrived;
        if self.bound().is_some_and(|bound| bound < position) {
            came = self.run_ahead(position, Watched::Nothing)?;
        }
        self.replay_to(self.bound().map_or(position, |bound| bound.min(position)))?;
        match came {
            LiveCame::Interrupted => Err(TravelError::Interrupted),
            _ => Ok(()),
        }
    }
    /// The present is as far as the program has been recorded: continues to the next hit after a position, or to the program's end.
    pub(super) fn forward_live(
        &mut self,
        stops: &[NumberedStop],
        step: Option<StepQuery>,
        after: i64,
    ) -> Travelled<Arrival> {
        let mut numbered = self.numbered(stops, &[self.position()])?;
        let query = Query {
            stops: numbered.pop().unwrap_or_default(),
            step,
            after,
            before: i64::MIN,
            halts: true,
            ..Query::default()
        };
        match self.run_ahead(FAR, Watched::New(Box::new(query)))? {
            LiveCame::Hit(hit) => {
                self.replay_to(hit.position)?;
                Ok(Arrival::Hit(hit))
            }
            LiveCame::Ended(_) => {
                self.replay_to(FAR)?;
                Ok(Arrival::Edge)
            }
            LiveCame::Arrived | LiveCame::Interrupted => {
                let bound = self.bound().unwrap_or(self.position());
                self.replay_to(bound)?;
                Err(TravelError::Interrupted)
            }
        }
    }
}
