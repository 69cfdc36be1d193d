//! Movements of a client: continue, steps and their reverses, and where the program has come to.

use super::super::moves::{Move, Moves};
use super::super::seen::{Look, Seen, SeenThread};
use super::super::timeline::{Arrival, TravelError};
use super::error::DapError;
use super::link::thread_number;
use super::server::DapServer;
use super::stops::StopReason;
use rjvm_profiler::summary::grouped;
use serde_json::{Value, json};

/// Why the program has stopped, as the protocol and people have it.
pub struct StopNote {
    reason: &'static str,
    description: String,
    stops: Vec<u32>,
}

impl StopNote {
    pub fn new(reason: &'static str, description: impl Into<String>) -> StopNote {
        StopNote {
            reason,
            description: description.into(),
            stops: Vec::new(),
        }
    }
}

impl DapServer {
    /// Moves, until the program stops for the client to see.
    ///
    /// # Errors
    /// The session cannot go on.
    pub fn travel(
        &mut self,
        how: Move,
        forward: bool,
        thread: Option<u32>,
    ) -> Result<(), DapError> {
        loop {
            self.forget_numbers();
            let stops = match self.launched.no_debug {
                true => Vec::new(),
                false => self.stops.all(),
            };
            let Some(program) = &mut self.program else {
                return Ok(());
            };
            if forward && program.timeline.end().is_some() {
                return self.terminated();
            }
            self.link.borrow_mut().running = true;
            let moves = Moves {
                timeline: &mut program.timeline,
                stops: &stops,
                main: program.main,
                thread: thread.filter(|t| program.current != Some(*t)),
            };
            let done = moves.go(how, forward);
            self.link.borrow_mut().running = false;
            let logged = program.timeline.take_logged();
            for text in logged {
                self.link.borrow_mut().note(&format!("{text}\n"));
            }
            let note = match done {
                Ok(arrival) => self.arrived(&arrival, how, forward),
                Err(TravelError::Interrupted) => match self.interrupted()? {
                    Some(note) => note,
                    None if self.program.is_none() || self.link.borrow().is_closed() => {
                        return Ok(());
                    }
                    None if how == Move::Continue => continue,
                    None => StopNote::new("pause", "Paused"),
                },
                Err(TravelError::Refused(why)) => {
                    self.link.borrow_mut().note(&format!("{why}\n"));
                    StopNote::new("step", "Paused")
                }
                Err(TravelError::Diverged { text, .. }) => self.diverged(&text),
                Err(e @ TravelError::Broken(_)) => return Err(e.into()),
            };
            return self.stopped(note);
        }
    }
    /// Goes to a position.
    ///
    /// # Errors
    /// The session cannot go on.
    pub fn go_to(&mut self, position: i64) -> Result<(), DapError> {
        self.forget_numbers();
        let Some(program) = &mut self.program else {
            return Ok(());
        };
        self.link.borrow_mut().running = true;
        let done = program.timeline.go_to(position);
        self.link.borrow_mut().running = false;
        let note = match done {
            Ok(()) => StopNote::new("goto", "Paused at a position"),
            Err(TravelError::Interrupted) => match self.interrupted()? {
                Some(note) => note,
                None if self.program.is_none() => return Ok(()),
                None => StopNote::new("pause", "Paused"),
            },
            Err(TravelError::Refused(why)) => {
                self.link.borrow_mut().note(&format!("{why}\n"));
                StopNote::new("goto", "Paused")
            }
            Err(TravelError::Diverged { text, .. }) => self.diverged(&text),
            Err(e @ TravelError::Broken(_)) => return Err(e.into()),
        };
        self.stopped(note)
    }
    /// The run is not as it was: the program is where both are the same.
    fn diverged(&mut self, text: &str) -> StopNote {
        self.link.borrow_mut().note(&format!("{text}\n"));
        StopNote::new("pause", "Paused where the run was the same last")
    }
    /// Carries out the requests that have ended a search; the reason to stop, if one of them is a pause.
    fn interrupted(&mut self) -> Result<Option<StopNote>, DapError> {
        let mut paused = None;
        loop {
            let Some(request) = self.link.borrow_mut().take() else {
                return Ok(paused);
            };
            match &*request.command {
                "pause" => {
                    self.link.borrow_mut().respond(&request, Ok(Value::Null));
                    paused = Some(StopNote::new("pause", "Paused"));
                }
                "terminate" | "disconnect" | "restart" => {
                    // the program is not seen again
                    self.program = None;
                    self.link.borrow_mut().put_back(request);
                    return Ok(None);
                }
                _ => self.carry_out(&request)?,
            }
        }
    }
    fn is_branch(&self) -> bool {
        self.program
            .as_ref()
            .is_some_and(|p| p.timeline.branch_depth() > 0)
    }
    pub(super) fn arrived(&self, arrival: &Arrival, how: Move, forward: bool) -> StopNote {
        let step = || match how {
            Move::Continue => StopNote::new("breakpoint", "Paused"),
            _ => StopNote::new("step", "Paused after a step"),
        };
        match arrival {
            Arrival::Hit(hit) => {
                let stops = self.stops.hit(&hit.stops);
                let Some(first) = stops.first() else {
                    return step();
                };
                let description = match first.reason {
                    StopReason::Line => "Paused on a breakpoint".into(),
                    StopReason::Function => format!("Paused at {}", first.stop.text),
                    StopReason::Data => format!("Paused before a write to {}", first.stop.text),
                    StopReason::Exception => "Paused on an exception".into(),
                };
                StopNote {
                    reason: first.reason.text(),
                    description,
                    stops: stops.iter().map(|s| s.stop.number).collect(),
                }
            }
            Arrival::Place => step(),
            Arrival::Edge if forward => step(),
            Arrival::Edge if self.is_branch() => StopNote::new(
                "entry",
                "Paused where the value was changed: going back leaves this run",
            ),
            Arrival::Edge => StopNote::new("entry", "Paused at the beginning of main"),
        }
    }
    /// The program has stopped for the client to see: reports that, with the position.
    ///
    /// # Errors
    /// The session cannot go on.
    pub fn stopped(&mut self, note: StopNote) -> Result<(), DapError> {
        let Some(program) = &mut self.program else {
            return Ok(());
        };
        let position = program.timeline.position();
        if let Some(end) = program.timeline.end() {
            self.link.borrow_mut().end_output();
            self.link
                .borrow_mut()
                .event("exited", json!({"exitCode": end.code}));
            if !self.launched.stop_at_end {
                return self.terminated();
            }
            let thread = program.main.unwrap_or(0);
            self.report_threads(vec![SeenThread {
                id: thread,
                name: "main".into(),
                current: true,
            }]);
            let text = format!("The program has ended with exit code {}", end.code);
            self.report(&StopNote::new("pause", text), position, Some(thread));
            return Ok(());
        }
        let threads = match program.timeline.look(Look::Threads) {
            Ok(Seen::Threads(threads)) => threads,
            Ok(_) => return Err(DapError::UNEXPECTED),
            Err(e) => return Err(e.into()),
        };
        let current = threads.iter().find(|t| t.current).map(|t| t.id);
        program.current = current;
        if program.main.is_none() {
            program.main = current;
        }
        self.report_threads(threads);
        self.verify_pending()?;
        let hit = self.stops.hit(&note.stops).into_iter();
        self.caught = hit.filter_map(|s| s.stop.only.caught).next();
        self.report(&note, position, current);
        Ok(())
    }
    fn report(&mut self, note: &StopNote, position: i64, thread: Option<u32>) {
        let mut body = json!({
            "reason": note.reason,
            "description": format!("{}, bytecode {}", note.description, grouped(position as u64)),
            "allThreadsStopped": true,
            "position": position,
        });
        if let Some(thread) = thread {
            body["threadId"] = thread_number(thread).into();
        }
        if !note.stops.is_empty() {
            body["hitBreakpointIds"] = json!(note.stops);
        }
        self.link.borrow_mut().event("stopped", body);
    }
    /// Reports the threads that have come and gone since the last stop.
    fn report_threads(&mut self, threads: Vec<SeenThread>) {
        let mut link = self.link.borrow_mut();
        let before = std::mem::take(&mut link.threads);
        let is_in = |all: &[SeenThread], t: &SeenThread| all.iter().any(|o| o.id == t.id);
        for (some, others, reason) in [
            (&before, &threads, "exited"),
            (&threads, &before, "started"),
        ] {
            for thread in some.iter().filter(|t| !is_in(others, t)) {
                let body = json!({"reason": reason, "threadId": thread_number(thread.id)});
                link.event("thread", body);
            }
        }
        link.threads = threads;
    }
    /// Reports stops whose classes have been loaded.
    fn verify_pending(&mut self) -> Result<(), DapError> {
        for path in self.stops.pending() {
            let lines = self.lines(&path)?;
            for body in self.stops.verify(&path, &lines, self.first_line) {
                let body = json!({"reason": "changed", "breakpoint": body});
                self.link.borrow_mut().event("breakpoint", body);
            }
        }
        Ok(())
    }
    /// The debugging has ended.
    pub fn terminated(&mut self) -> Result<(), DapError> {
        self.program = None;
        self.link.borrow_mut().end_output();
        self.link.borrow_mut().threads.clear();
        self.link.borrow_mut().event("terminated", Value::Null);
        Ok(())
    }
}
