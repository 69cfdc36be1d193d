//! Questions for the origin of a value: the last write of a variable, by going back from checkpoint to checkpoint; then where
//! the written operand came from.

use super::data::{
    Flow, FlowStart, FrameKey, How, OriginLook, OriginSeen, OriginVariable, Question, SourceKind,
    Stored, Trail, ValueSource, Watch, WriteHit, WriteSite,
};
use crate::travel::timeline::{Timeline, TravelError};

/// Moves inside of the class library that one question goes through at most.
const MOST_MOVES: usize = 200;

/// An answer: who wrote a value, and of what.
#[derive(Clone, Debug)]
pub struct OriginAnswer {
    pub question: Question,
    /// Moves inside of the class library on the way here, the nearest to the question first.
    pub through: Vec<WriteSite>,
    /// The bytecode that wrote; none if it is before `main`.
    pub site: Option<WriteSite>,
    pub wrote: Wrote,
    pub cause: Cause,
}

/// How the site brought the value about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrote {
    Written,
    Passed,
    Returned,
    Made,
    Copied,
    Thrown,
    Pushed,
}

/// Where a written value comes from.
#[derive(Clone, Debug)]
pub enum Cause {
    /// From one other place, for whose origin a question can ask.
    Moved(AnswerPart),
    /// Of several.
    Computed(String, Vec<AnswerPart>),
    /// From nowhere else: its kind.
    End(String),
}

/// A part of a value.
#[derive(Clone, Debug)]
pub struct AnswerPart {
    pub name: String,
    pub value: String,
    /// The question for its origin; none of constants and similar ones.
    pub question: Option<Question>,
}

type Requested<T> = Result<T, TravelError>;

fn unexpected(seen: &OriginSeen) -> TravelError {
    TravelError::Broken(format!("a process of the program saw {seen:?}"))
}

fn part(question: Question) -> AnswerPart {
    AnswerPart {
        name: question.name.clone(),
        value: question.value.clone(),
        question: Some(question),
    }
}

fn end(text: impl Into<String>) -> Cause {
    Cause::End(text.into())
}

/// What an expression names at the present position.
pub fn resolve(timeline: &mut Timeline, text: &str) -> Requested<Question> {
    if let Some(end) = timeline.end() {
        // static fields are as they were at the last bytecode
        timeline.go_to(end.position - 1)?;
    }
    let position = timeline.position();
    match timeline.look_at(position, OriginLook::Resolve(text.into()))? {
        OriginSeen::Question(question) => Ok(question),
        other => Err(unexpected(&other)),
    }
}

/// Answers a question, and goes to the write.
pub fn answer(timeline: &mut Timeline, question: &Question) -> Requested<OriginAnswer> {
    let mut through = Vec::new();
    let mut at = question.clone();
    loop {
        let mut answer = once(timeline, &at)?;
        let library = answer.site.as_ref().is_some_and(|s| s.library);
        let next = match &answer.cause {
            Cause::Moved(AnswerPart {
                question: Some(next),
                ..
            }) if library && through.len() < MOST_MOVES => next.clone(),
            _ => {
                answer.through = through;
                answer.question = question.clone();
                return Ok(answer);
            }
        };
        through.extend(answer.site.take());
        at = next;
    }
}

/// Answers a question by one write, in the class library too.
fn once(timeline: &mut Timeline, question: &Question) -> Requested<OriginAnswer> {
    let found = |site: Option<WriteSite>, wrote, cause| OriginAnswer {
        question: question.clone(),
        through: Vec::new(),
        site,
        wrote,
        cause,
    };
    let before_main = "written before the first bytecode of main, where nothing is recorded";
    match &question.variable {
        OriginVariable::Operand { frame, depth } => {
            timeline.go_to(question.before)?;
            let site = site(timeline, &question.variable)?;
            let start = FlowStart::Operand {
                index: site.index.unwrap_or(0),
                depth: *depth,
            };
            let cause = traced(timeline, frame, start, question.before)?.0;
            Ok(found(Some(site), Wrote::Pushed, cause))
        }
        OriginVariable::Local {
            frame,
            slot,
            stores,
            parameter,
        } => {
            let watch = Watch::Local {
                frame: frame.clone(),
                stores: stores.clone(),
            };
            let Some((trail, _)) = last(timeline, question.before, watch)? else {
                let what = if *parameter {
                    "a parameter of main, or "
                } else {
                    ""
                };
                return Ok(found(
                    None,
                    Wrote::Written,
                    end(format!("{what}{before_main}")),
                ));
            };
            let hit = trail.last.expect("it is found");
            timeline.go_to(hit.position)?;
            let here = site(timeline, &question.variable)?;
            if hit.how == How::Entry {
                return passed(timeline, question, here, usize::from(*slot));
            }
            let cause = written(timeline, &here)?;
            Ok(found(Some(here), Wrote::Written, cause))
        }
        OriginVariable::Result {
            frame,
            begun,
            ended,
            name,
        } => {
            let watch = |name: Option<String>| Watch::Return {
                thread: frame.thread,
                name,
            };
            let mut hit = returned(timeline, *begun, *ended, watch(Some(name.clone())))?;
            if hit.is_none() {
                hit = returned(timeline, *begun, *ended, watch(None))?;
            }
            let native = match &hit {
                Some((_, native)) => native.clone(),
                None => Some(name.clone()),
            };
            if let Some(native) = native {
                timeline.go_to(*begun)?;
                let here = site(timeline, &question.variable)?;
                let cause = end(format!("the native method {native} returned it"));
                return Ok(found(Some(here), Wrote::Returned, cause));
            }
            let position = hit.map_or(*begun, |h| h.0);
            timeline.go_to(position)?;
            let here = site(timeline, &question.variable)?;
            let cause = written(timeline, &here)?;
            Ok(found(Some(here), Wrote::Returned, cause))
        }
        OriginVariable::Exception { thread } => {
            let watch = Watch::Thrown { thread: *thread };
            let Some((trail, _)) = last(timeline, question.before, watch)? else {
                return Ok(found(None, Wrote::Thrown, end(before_main)));
            };
            let position = trail.last.map_or(question.before, |hit| hit.position);
            timeline.go_to(position)?;
            let here = site(timeline, &question.variable)?;
            let cause = match here.stores {
                Stored::Top => written(timeline, &here)?,
                _ => end("the VM threw it"),
            };
            Ok(found(Some(here), Wrote::Thrown, cause))
        }
        OriginVariable::Static { .. }
        | OriginVariable::Field { .. }
        | OriginVariable::Element { .. } => {
            let Some((hit, variable, wrote)) = memory(timeline, question)? else {
                return Ok(found(None, Wrote::Written, end(before_main)));
            };
            timeline.go_to(hit.position)?;
            let mut here = site(timeline, &variable)?;
            if let How::Within { method, index } = &hit.how {
                let is =
                    |f: &&(FrameKey, Option<u16>)| f.0.method == *method && f.1 == Some(*index);
                // it has called a class loader or an initializer first
                let frame = here.frames.iter().find(is).map(|f| f.0.clone());
                if let Some(frame) = frame.filter(|f| *f != here.frame)
                    && let (_, Some(call)) =
                        traced(timeline, &frame, FlowStart::Last, hit.position)?
                {
                    timeline.go_to(call)?;
                    here = site(timeline, &variable)?;
                }
            }
            let cause = written(timeline, &here)?;
            let wrote = match here.stores {
                Stored::Copied(_) => Wrote::Copied,
                _ => wrote,
            };
            Ok(found(Some(here), wrote, cause))
        }
    }
}

/// Runs from checkpoints before a position, each time from an earlier one, until there is a last write; and where it began.
fn last(timeline: &mut Timeline, before: i64, watch: Watch) -> Requested<Option<(Trail, i64)>> {
    let mut to = before;
    while let Some(from) = timeline.checkpoint_before(to) {
        let trail = timeline.watch(from, to, before, watch.clone())?;
        if let Some(problem) = trail.problem {
            return Err(TravelError::Refused(problem));
        }
        if trail.last.is_some() {
            return Ok(Some((trail, from)));
        }
        to = from;
    }
    Ok(None)
}

/// The last return in a thread between two positions: its position, and the name of a native method.
fn returned(
    timeline: &mut Timeline,
    begun: i64,
    ended: i64,
    watch: Watch,
) -> Requested<Option<(i64, Option<String>)>> {
    let found = last(timeline, ended, watch)?;
    let hit = found.and_then(|f| f.0.last).filter(|h| h.position >= begun);
    Ok(hit.map(|hit| match hit.how {
        How::Return { native } => (hit.position, native),
        _ => (hit.position, None),
    }))
}

/// The last write of a field or element, or where its object was made, with the variable as it is there.
fn memory(
    timeline: &mut Timeline,
    question: &Question,
) -> Requested<Option<(WriteHit, OriginVariable, Wrote)>> {
    let mut variable = question.variable.clone();
    let mut to = question.before;
    // the initializer of a static field's class has ended: its last write, and whether the one that began it is looked for
    let (mut within, mut awaits) = (None, false);
    while let Some(from) = timeline.checkpoint_before(to) {
        // hits before the position where the next search ends, or the question's own
        let watch = Watch::Memory(variable.clone());
        let trail = timeline.watch(from, to, to, watch)?;
        if let Some(problem) = trail.problem {
            return Err(TravelError::Refused(problem));
        }
        if trail.awaits || awaits {
            if let Some(hit) = trail.open.filter(|_| awaits) {
                return Ok(Some((hit, variable, Wrote::Written)));
            }
            within = within.or(trail.last);
            awaits = trail.under_way;
            to = from;
            continue;
        }
        if let Some(hit) = within.take().or(trail.last) {
            return Ok(Some((hit, variable, Wrote::Written)));
        }
        let (object, class) = match &mut variable {
            OriginVariable::Field { object, class, .. } => (object, class.clone()),
            OriginVariable::Element { array, class, .. } => (array, class.clone()),
            _ => {
                to = from;
                continue;
            }
        };
        match trail.start {
            Some(start) => *object = start,
            None => {
                let watch = Watch::Birth {
                    object: *object,
                    class,
                };
                let trail = timeline.watch(from, to, to, watch)?;
                let hit = trail.last.map(|hit| (hit, variable, Wrote::Made));
                return Ok(hit);
            }
        }
        to = from;
    }
    Ok(within.map(|hit| (hit, variable, Wrote::Written)))
}

fn site(timeline: &mut Timeline, variable: &OriginVariable) -> Requested<WriteSite> {
    let position = timeline.position();
    match timeline.look_at(position, OriginLook::Site(variable.clone()))? {
        OriginSeen::Site(site) => Ok(*site),
        other => Err(unexpected(&other)),
    }
}

/// A parameter: the call that passed it.
fn passed(
    timeline: &mut Timeline,
    question: &Question,
    entry: WriteSite,
    slot: usize,
) -> Requested<OriginAnswer> {
    let at_entry = |entry: WriteSite, why: String| OriginAnswer {
        question: question.clone(),
        through: Vec::new(),
        site: Some(entry),
        wrote: Wrote::Passed,
        cause: end(why),
    };
    let Some((caller, by_call)) = entry.caller.clone() else {
        let method = &entry.frame.method;
        let why = format!("a parameter of {}, which has no caller", method.name);
        return Ok(at_entry(entry, why));
    };
    if !by_call {
        let why = format!(
            "a parameter that {}.{} passes natively",
            caller.method.class, caller.method.name
        );
        return Ok(at_entry(entry, why));
    }
    let (cause, call) = traced(timeline, &caller, FlowStart::Argument(slot), entry.position)?;
    let Some(call) = call else {
        return Ok(at_entry(
            entry,
            "a parameter: its call is not recorded".into(),
        ));
    };
    timeline.go_to(call)?;
    Ok(OriginAnswer {
        question: question.clone(),
        through: Vec::new(),
        site: Some(site(timeline, &question.variable)?),
        wrote: Wrote::Passed,
        cause,
    })
}

/// Where the value comes from that the bytecode at a site writes.
fn written(timeline: &mut Timeline, site: &WriteSite) -> Requested<Cause> {
    Ok(match &site.stores {
        Stored::Top => {
            let start = FlowStart::Operand {
                index: site.index.unwrap_or(0),
                depth: 0,
            };
            traced(timeline, &site.frame, start, site.position)?.0
        }
        Stored::Increment { local, delta } => {
            let name = local.as_ref().map_or("?", |l| &l.name);
            let sign = if *delta < 0 { "-" } else { "+" };
            let text = format!("{name} {sign} {}", delta.unsigned_abs());
            Cause::Computed(text, local.iter().cloned().map(part).collect())
        }
        Stored::Copied(from) => Cause::Moved(part(from.clone())),
        Stored::Default(made) => end(format!("never written: the default value of {made}")),
        Stored::Native(name) => end(format!("the native method {name} wrote it")),
        Stored::Other => end(format!("{} wrote it", site.instruction)),
    })
}

/// Follows an operand of a call back along the bytecodes that it has executed; and the call whose argument it was.
fn traced(
    timeline: &mut Timeline,
    frame: &FrameKey,
    start: FlowStart,
    at: i64,
) -> Requested<(Cause, Option<i64>)> {
    let mut to = at;
    let flow = loop {
        let Some(from) = timeline.checkpoint_before(to) else {
            return Ok((end("pushed before the first bytecode of main"), None));
        };
        let watch = Watch::Path {
            frame: frame.clone(),
            start,
        };
        // what the call executed before the checkpoint may be missing: then from an earlier one
        match timeline.watch(from, at, at, watch)?.flow {
            Some(Flow::Unfinished) | None => to = from,
            Some(flow) => break flow,
        }
    };
    Ok(match flow {
        Flow::Moved { source, call } => {
            let cause = match source.kind {
                SourceKind::Constant => end(format!("the constant {}", source.name)),
                SourceKind::New => end(source.name),

                SourceKind::Unknown => end(source.name),
                _ => Cause::Moved(leaf(timeline, source, call.unwrap_or(at))?),
            };
            (cause, call)
        }
        Flow::Computed {
            text,
            sources,
            call,
        } => {
            let mut parts = Vec::new();
            for source in sources {
                // a constant is in the text
                if source.kind != SourceKind::Constant {
                    parts.push(leaf(timeline, source, call.unwrap_or(at))?);
                }
            }
            (Cause::Computed(text, parts), call)
        }
        Flow::Unfinished => (end("it cannot be followed"), None),
    })
}

/// A source, with its value. `at`: where the operands are used.
fn leaf(timeline: &mut Timeline, mut source: ValueSource, at: i64) -> Requested<AnswerPart> {
    let mut position = source.position;
    match &mut source.kind {
        SourceKind::Call { ended, .. } | SourceKind::Static { ended } => *ended = (*ended).min(at),
        SourceKind::Caught { ended } => {
            *ended = (*ended).min(at);
            position = *ended;
        }
        _ => {}
    }
    let name = source.name.clone();
    let look = |timeline: &mut Timeline, position| match timeline
        .look_at(position, OriginLook::Leaf(source.clone()))?
    {
        OriginSeen::Leaf { question } => Ok(question),
        other => Err(unexpected(&other)),
    };
    let mut question = look(timeline, position)?;
    if let (None, SourceKind::Static { ended }) = (&question, &source.kind) {
        // the class was initialized on the way
        question = look(timeline, *ended)?;
    }
    let Some(mut question) = question else {
        return Ok(AnswerPart {
            value: String::new(),
            name,
            question: None,
        });
    };
    if let OriginVariable::Result { ended, .. } = question.variable
        && let OriginSeen::Text(value) = timeline.look_at(ended, OriginLook::Top)?
    {
        question.value = value;
    }
    Ok(part(question))
}
