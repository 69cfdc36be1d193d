//! Which arrivals at a stop count: conditions, numbers of arrivals, messages, exceptions that are caught or not.

use super::expression_error::SyntaxError;
use super::expressions::{self, Expression, ExpressionWorld};
use super::wire::{ArrivalRule, NumberedStop};
use rjvm_vm::instruments::{Hit, HitKind, StackFrame, Typed};
use rjvm_vm::{ClassId, Vm};

/// Messages between two reports of a search.
const MOST_MESSAGES: usize = 10_000;
/// Characters of a message.
const MESSAGE: usize = 4096;

/// What becomes of an arrival.
pub enum Filtered {
    /// It does not count.
    Passed,
    /// The program stops.
    Stops,
    /// The program does not stop; the message.
    Logs(String),
}

/// A stop's rules, read once.
pub struct ArrivalFilter {
    condition: Option<Result<Expression, SyntaxError>>,
    number: Option<ArrivalRule>,
    arrivals: u64,
    log: Option<Vec<MessagePart>>,
    caught: Option<bool>,
}

/// A part of a message.
enum MessagePart {
    Text(String),
    Value(Result<Expression, SyntaxError>),
}

impl ArrivalFilter {
    pub fn new(stop: &NumberedStop) -> ArrivalFilter {
        let only = &stop.only;
        ArrivalFilter {
            condition: only.condition.as_deref().map(expressions::read),
            number: only.number,
            arrivals: only.arrivals,
            log: only.log.as_deref().map(message),
            caught: only.caught,
        }
    }
    /// How many arrivals there were, if a rule needs their number.
    pub fn arrivals(&self) -> Option<u64> {
        self.number.is_some().then_some(self.arrivals)
    }
    /// The program has arrived. A condition that has no value stops, so that somebody sees why.
    pub fn arrive(&mut self, hit: &mut Hit<'_>) -> Filtered {
        if self.caught.is_some_and(|caught| is_caught(hit) != caught) {
            return Filtered::Passed;
        }
        let holds = match &self.condition {
            Some(Ok(condition)) => {
                let value = expressions::is_true(&mut HitWorld(hit), condition);
                value.unwrap_or(true)
            }
            Some(Err(_)) | None => true,
        };
        if !holds {
            return Filtered::Passed;
        }
        self.arrivals += 1;
        if self.number.is_some_and(|rule| !rule.is_met(self.arrivals)) {
            return Filtered::Passed;
        }
        match &self.log {
            None => Filtered::Stops,
            Some(parts) => {
                let parts = parts.iter().map(|part| match part {
                    MessagePart::Text(text) => text.clone(),
                    MessagePart::Value(Ok(expression)) => {
                        let world = &mut HitWorld(hit);
                        match expressions::evaluate(world, expression) {
                            Ok(value) => value.text(world),
                            Err(why) => format!("{{{why}}}"),
                        }
                    }
                    MessagePart::Value(Err(why)) => format!("{{{why}}}"),
                });
                let text: String = parts.collect();
                Filtered::Logs(text.chars().take(MESSAGE).collect())
            }
        }
    }
}

/// Adds a message, and says so where there are too many.
pub fn log(messages: &mut Vec<(i64, String)>, position: i64, text: String) {
    match messages.len() {
        n if n < MOST_MESSAGES => messages.push((position, text)),
        MOST_MESSAGES => messages.push((position, "... more messages ...".into())),
        _ => {}
    }
}

/// The parts of a message: text, and expressions in braces.
fn message(text: &str) -> Vec<MessagePart> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((inside, after)) = after.split_once('}') else {
            break;
        };
        parts.push(MessagePart::Text(before.into()));
        parts.push(MessagePart::Value(expressions::read(inside)));
        rest = after;
    }
    parts.push(MessagePart::Text(rest.into()));
    parts
}

/// A program at a stop: an expression reads only.
struct HitWorld<'a, 'b>(&'a mut Hit<'b>);

impl ExpressionWorld for HitWorld<'_, '_> {
    fn vm(&self) -> &Vm {
        self.0.vm()
    }
    fn local(&mut self, name: &str) -> Option<Typed> {
        local(self.0, name)
    }
    fn class(&self) -> Option<ClassId> {
        self.0.method_view().map(|m| m.class().id())
    }
}

/// A local of the running method by its name, or of a hit that has a value, `$value`: the exception, or a field's next value.
fn local(hit: &Hit<'_>, name: &str) -> Option<Typed> {
    if name == "$value" && matches!(hit.kind(), HitKind::Write | HitKind::Exception) {
        return hit.value();
    }
    let method = hit.method_view()?;
    if name == "this" && !method.is_static() {
        return hit.local(0);
    }
    let code = hit.vm().method(method.id()).code()?;
    let bci = hit.bci()?;
    let mut slots = 0..code.attr().max_locals;
    let is = |slot: &u16| {
        let known = code.local_variable(*slot, bci);
        known.is_some_and(|known| known.0 == name)
    };
    hit.local(slots.find(is)?)
}

/// Whether an exception is caught, by a method on the stack or a `finally`.
fn is_caught(hit: &Hit<'_>) -> bool {
    let vm: &Vm = hit.vm();
    let Some(exception) = hit.value().and_then(|v| v.object()) else {
        return false;
    };
    let class = hit.class_view(hit.class_of(exception));
    let mut names: Vec<String> = vec![class.name()];
    names.extend(class.supertypes().map(|c| c.name()));
    let mut frames: Vec<StackFrame> = Vec::new();
    hit.stack(usize::MAX, &mut frames);
    frames.iter().any(|frame| {
        let (Some(bci), Some(code)) = (frame.bci, vm.method(frame.method).code()) else {
            return false;
        };
        code.attr().exceptions.iter().any(|handler| {
            let covers = (handler.start_pc..handler.end_pc).contains(&bci);
            let catches = || {
                let name = code.cf.constant_pool.class_name(handler.catch_type);
                name.is_ok_and(|name| names.contains(&name.replace('/', ".")))
            };
            covers && (handler.catch_type == 0 || catches())
        })
    })
}
