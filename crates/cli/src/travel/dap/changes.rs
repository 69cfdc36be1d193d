//! Requests that change the program's values or go to a call, and those that help to write an expression.
//!
//! A changed value makes another run, a branch, which going back leaves; so nothing that was seen before is lost.

use super::super::moves::Move;
use super::super::seen::{Assignment, FrameAt, Look, Seen, ValueHolder};
use super::super::timeline::{Arrival, TravelError};
use super::super::wire::{DebugStop, NumberedStop, StepKind, StepQuery, StopFilter};
use super::super::words::last_word;
use super::error::DapError;
use super::frames::DapRequest;
use super::going::StopNote;
use super::link::thread_of;
use super::server::{Answer, DapServer};
use super::views::Numbered;
use serde_json::{Value, json};

/// The words of the console.
const CONSOLE: [&str; 6] = [
    "goto",
    "where",
    "info locals",
    "info threads",
    "list",
    "state",
];
/// The number of the stop at the call that a step enters; those of the client are below.
const CALL: u32 = u32::MAX;

impl DapServer {
    /// Writes a value, and reports that all data that the client has of the program may be outdated.
    fn assign(&mut self, frame: Option<FrameAt>, target: &str, value: &str) -> Answer {
        self.ready()?;
        let program = self.program.as_mut().ok_or(DapError::NO_PROGRAM)?;
        let assignment = Assignment {
            frame,
            target: target.into(),
            value: value.into(),
        };
        program.timeline.assign(assignment)?;
        self.link.borrow_mut().note(
            "The changed value begins another run here. To leave it, go back to before this position.\n",
        );
        let look = Look::Value {
            frame,
            text: target.into(),
        };
        let Ok(Seen::Value(seen)) = self.look(look) else {
            return Ok(json!({"value": value}));
        };
        // frames and variables keep their numbers: they are the same places
        Ok(self.variable(&seen, Some(target.into()), "value", (frame, 0)))
    }
    pub(super) fn set_variable(&mut self, request: &DapRequest) -> Answer {
        let known = self.numbers.get(request.number("variablesReference"));
        let Some(Numbered::Holder(holder)) = known.cloned() else {
            return Err(DapError::Unfit("the variables no longer exist"));
        };
        let name = request.expect_text("name")?;
        let value = request.expect_text("value")?;
        let target = match (&holder.of, &holder.name) {
            (ValueHolder::Operands(_), _) => {
                return Err(DapError::Unfit("an operand cannot be changed"));
            }
            _ if holder.collection || holder.in_copy != 0 => {
                return Err(DapError::Unfit(
                    "the value was made by a call: it is not one of the program",
                ));
            }
            (ValueHolder::Statics(_), _) => name.to_owned(),
            (_, Some(parent)) if parent.is_empty() => name.to_owned(),
            (_, Some(parent)) if name.starts_with('[') => format!("{parent}{name}"),
            (_, Some(parent)) => format!("{parent}.{name}"),
            (_, None) => return Err(DapError::Unnamed(name.into())),
        };
        let mut done = self.assign(holder.frame, &target, value)?;
        if let Some(body) = done.as_object_mut() {
            body.remove("name");
            body.remove("evaluateName");
        }
        Ok(done)
    }
    pub(super) fn set_expression(&mut self, request: &DapRequest) -> Answer {
        let target = request.expect_text("expression")?;
        let value = request.expect_text("value")?;
        let frame = match request.number("frameId") {
            Some(number) => Some(self.known_frame(Some(number))?),
            None => None,
        };
        let mut done = self.assign(frame, target, value)?;
        if let Some(body) = done.as_object_mut() {
            body.remove("name");
            body.remove("evaluateName");
        }
        Ok(done)
    }
    /// The sources of the program's loaded classes that can be shown.
    pub(super) fn loaded_sources(&mut self) -> Answer {
        let Seen::Files(files) = self.look(Look::Files)? else {
            return Err(DapError::UNEXPECTED);
        };
        let found: Vec<Value> = files.iter().filter_map(|f| self.source_of(f)).collect();
        Ok(json!({"sources": found}))
    }
    pub(super) fn completions(&mut self, request: &DapRequest) -> Answer {
        self.ready()?;
        let text = request.expect_text("text")?;
        // columns count UTF-16 code units
        let column = request
            .number("column")
            .ok_or_else(|| DapError::expected("column", "a number"))?;
        let line = request.number("line").map_or(0, |n| n - self.first_line);
        let text = usize::try_from(line)
            .ok()
            .and_then(|n| text.lines().nth(n))
            .unwrap_or_default();
        let units = usize::try_from(column - self.first_column).unwrap_or(0);
        let mut left = units;
        let until = text.char_indices().find(|(_, c)| {
            let done = left == 0;
            left = left.saturating_sub(c.len_utf16());
            done
        });
        let before = &text[..until.map_or(text.len(), |u| u.0)];
        let (of, begin) = last_word(before);
        let word = &before[begin..];
        let frame = match request.number("frameId") {
            Some(number) => Some(self.known_frame(Some(number))?),
            None => None,
        };
        let look = Look::Words {
            frame,
            of: of.into(),
            word: word.into(),
        };
        let Seen::Words(words) = self.look(look)? else {
            return Err(DapError::UNEXPECTED);
        };
        let start = before[..begin].encode_utf16().count() as i64 + self.first_column;
        let length = word.encode_utf16().count();
        let mut targets: Vec<Value> = { words.iter() }
            .map(|w| {
                let mut target =
                    json!({"label": w.name, "type": w.kind, "start": start, "length": length});
                if w.kind == "method" {
                    target["text"] = format!("{}(", w.name).into();
                }
                target
            })
            .collect();
        if before[..begin].is_empty() {
            let words = CONSOLE.iter().filter(|w| w.starts_with(word));
            targets.extend(
                words.map(
                    |w| json!({"label": w, "type": "keyword", "start": start, "length": length}),
                ),
            );
        }
        Ok(json!({ "targets": targets }))
    }
    pub(super) fn step_in_targets(&mut self, request: &DapRequest) -> Answer {
        let at = self.known_frame(request.number("frameId"))?;
        let Seen::Calls(calls) = self.look(Look::Calls(at))? else {
            return Err(DapError::UNEXPECTED);
        };
        // only the frame that runs next makes a call
        let current = self.program.as_ref().and_then(|p| p.current);
        let next = at.frame == 0 && current == Some(at.thread);
        let calls = calls.iter().filter(|_| next);
        let targets = calls.map(|c| json!({"id": i64::from(c.bci) + 1, "label": c.name}));
        Ok(json!({"targets": targets.collect::<Vec<Value>>()}))
    }
    /// A step into a call of the line: on to the call, and into it.
    ///
    /// # Errors
    /// The session cannot continue.
    pub(super) fn step_into_target(
        &mut self,
        request: &DapRequest,
        id: i64,
    ) -> Result<(), DapError> {
        self.forget_numbers();
        let thread = thread_of(request);
        let Some(program) = &mut self.program else {
            return Ok(());
        };
        let place = program.timeline.place()?;
        let top = place
            .thread
            .as_ref()
            .and_then(|t| Some((t.id, t.frames.first()?.clone())));
        let bci = u16::try_from(id - 1).ok();
        let (Some((current, (height, method))), Some(bci)) = (top, bci) else {
            return self.travel(Move::Into, true, thread);
        };
        let call = NumberedStop {
            number: CALL,
            text: String::new(),
            at: DebugStop::Index(format!("{}.{}", method.class, method.name), bci),
            only: StopFilter::default(),
        };
        let mut stops = self.stops.all();
        stops.push(call);
        // a call that is not made, such as one behind &&, ends the step where the method ends
        let step = StepQuery {
            thread: current,
            kind: StepKind::End {
                height,
                method: method.clone(),
            },
        };
        self.link.borrow_mut().running = true;
        let mut arrived = Ok(Arrival::Place);
        if !place
            .thread
            .is_some_and(|t| t.at.contains(&format!("next {bci}:")))
        {
            arrived = program.timeline.forward(&stops, Some(step));
        }
        self.link.borrow_mut().running = false;
        match arrived {
            Ok(Arrival::Place) => self.travel(Move::Into, true, None),
            Ok(Arrival::Hit(hit)) if hit.stops == [CALL] => self.travel(Move::Into, true, None),
            Ok(Arrival::Hit(hit)) => {
                let hit = Arrival::Hit(hit);
                let note = self.arrived(&hit, Move::Into, true);
                self.stopped(note)
            }
            Ok(Arrival::Edge) => self.stopped(StopNote::new("step", "Paused after a step")),
            Err(e @ TravelError::Broken(_)) => Err(e.into()),
            Err(e) => {
                self.link.borrow_mut().note(&format!("{e}\n"));
                self.stopped(StopNote::new("step", "Paused"))
            }
        }
    }
    /// Goes back to where the call of a frame began, so that it runs again.
    ///
    /// # Errors
    /// The session cannot continue.
    pub(super) fn restart_frame(&mut self, request: &DapRequest) -> Result<(), DapError> {
        let at = self
            .ready()
            .and_then(|()| self.known_frame(request.number("frameId")));
        let found = at.and_then(|at| {
            let program = self.program.as_mut().ok_or(DapError::NO_PROGRAM)?;
            let thread = program.timeline.thread(at.thread)?;
            let thread = thread.ok_or(DapError::Unfit("the thread has no frames"))?;
            let fresh = thread.fresh && at.frame == 0;
            let frame = thread.frames.get(at.frame).cloned();
            let (height, method) = frame.ok_or(DapError::Unfit("the frame no longer exists"))?;
            Ok((at.thread, height, method, fresh))
        });
        let body = found.as_ref().map(|_| Value::Null).map_err(DapError::clone);
        self.respond(request, &body);
        let Ok((thread, height, method, fresh)) = found else {
            return Ok(());
        };
        self.forget_numbers();
        let Some(program) = &mut self.program else {
            return Ok(());
        };
        let step = StepQuery {
            thread,
            kind: StepKind::Entry { height, method },
        };
        self.link.borrow_mut().running = true;
        let done = match fresh {
            true => Ok(Arrival::Place),
            // whatever is on the way
            false => program.timeline.backward(&[], Some(step), 0),
        };
        self.link.borrow_mut().running = false;
        match done {
            Ok(Arrival::Edge) => {
                self.stopped(StopNote::new("entry", "Paused at the beginning of main"))
            }
            Ok(_) => self.stopped(StopNote::new("restart", "Paused where the call began")),
            Err(e @ TravelError::Broken(_)) => Err(e.into()),
            Err(e) => {
                self.link.borrow_mut().note(&format!("{e}\n"));
                self.stopped(StopNote::new("pause", "Paused"))
            }
        }
    }
}
