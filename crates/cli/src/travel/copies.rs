//! The processes of a program that a session knows: each waits for orders at a position.

use super::wire::{Order, Reply, Wire};
use crate::explore::process::await_end;
use rustix::process::Pid;
use std::io;
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::{Duration, Instant};
use thiserror::Error;

/// How long a copied process may take to connect.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TravelError {
    /// The request is at fault, and the session continues.
    #[error("{0}")]
    Refused(String),
    /// Another request came meanwhile; the program is where it was, or where it was last on the way.
    #[error("interrupted")]
    Interrupted,
    /// The program does not run as it did before, or as it was recorded.
    #[error("{text}")]
    Diverged {
        /// The position, and what differs.
        text: String,
        /// The last position before that is known.
        at: i64,
    },
    /// The session cannot continue.
    #[error("{0}")]
    Broken(String),
}

impl From<io::Error> for TravelError {
    fn from(e: io::Error) -> TravelError {
        TravelError::Broken(e.to_string())
    }
}

pub type Travelled<T> = Result<T, TravelError>;

/// A process of the program, which waits for orders.
pub struct ProgramCopy {
    wire: Option<Wire>,
    pid: i32,
    pub position: i64,
}

impl Drop for ProgramCopy {
    fn drop(&mut self) {
        // it leaves when nobody has the other end
        self.wire = None;
        if let Some(pid) = Pid::from_raw(self.pid) {
            // one that is no child is gone already
            let _ = await_end(pid);
        }
        rjvm_hosts::deterministic::remove_left_by(self.pid.unsigned_abs());
    }
}

/// The next connection of a process that has just been made.
pub fn accept_stream(listener: &UnixListener) -> io::Result<UnixStream> {
    let begun = Instant::now();
    listener.set_nonblocking(true)?;
    let stream = loop {
        match listener.accept() {
            Ok((stream, _)) => break stream,
            Err(e) if e.kind() == io::ErrorKind::WouldBlock && begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_micros(100));
            }
            Err(e) => {
                return Err(io::Error::other(format!(
                    "a copy of the process is missing: {e}"
                )));
            }
        }
    };
    stream.set_nonblocking(false)?;
    Ok(stream)
}

/// Takes the connection of a process that has just been made.
fn accept(listener: &UnixListener) -> io::Result<(Wire, i32)> {
    let mut wire = Wire::new(accept_stream(listener)?);
    match wire.receive()? {
        Some(Reply::Hello { pid }) => Ok((wire, pid)),
        other => Err(io::Error::other(format!("a process began with {other:?}"))),
    }
}

impl ProgramCopy {
    /// The process that is about to connect, which is at a position.
    pub fn accept(listener: &UnixListener, position: i64) -> io::Result<ProgramCopy> {
        let (wire, pid) = accept(listener)?;
        Ok(ProgramCopy {
            wire: Some(wire),
            pid,
            position,
        })
    }
    /// Bytes of memory: its own, and its part of what it shares.
    pub fn memory(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", self.pid));
        // a system that does not report it sets no limit by it
        let text = text.unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"));
        let kilobytes = line.and_then(|l| l.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        kilobytes.unwrap_or(0) * 1024
    }
    /// Processor time that it has used; none if the system does not report it, or if the process is gone.
    pub fn processor_time(&self) -> Option<Duration> {
        let text = std::fs::read_to_string(format!("/proc/{}/schedstat", self.pid)).ok()?;
        let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
        Some(Duration::from_nanos(nanoseconds))
    }
    pub fn wire(&mut self) -> &mut Wire {
        self.wire
            .as_mut()
            .expect("it is taken when this is dropped")
    }
    pub fn receive(&mut self) -> Travelled<Reply> {
        let gone = || TravelError::Broken("a process of the program has died".into());
        self.wire().receive()?.ok_or_else(gone)
    }
    pub fn request(&mut self, order: &Order) -> Travelled<Reply> {
        self.wire().send(order)?;
        match self.receive()? {
            Reply::Problem(problem) => Err(TravelError::Refused(problem)),
            reply => Ok(reply),
        }
    }
    /// Ends the process in whatever it does.
    pub fn kill(self) {
        self.strike();
    }
    /// The same of a process that is dropped later.
    pub fn strike(&self) {
        if let Some(pid) = Pid::from_raw(self.pid) {
            // one that has just ended cannot be
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
    pub fn copy(&mut self, listener: &UnixListener) -> Travelled<ProgramCopy> {
        let position = self.position;
        match self.request(&Order::Copy)? {
            Reply::Copied => Ok(ProgramCopy::accept(listener, position)?),
            other => Err(unexpected(&other)),
        }
    }
}

pub fn unexpected(reply: &Reply) -> TravelError {
    TravelError::Broken(format!("a process of the program reported {reply:?}"))
}
